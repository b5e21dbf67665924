/*
 * Both ends of the protocol in one file, the caller's and the child's, so that they can be
 * compared.
 */
#include "device/gpu/session.h"

#include "base/memory.h"
#include "base/text.h"
#include "device/gpu/cells.h"
#include "device/gpu/collect.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_LAUNCH = 1, MESSAGE_EARLY, MESSAGE_CHUNK, MESSAGE_TAKEN, MESSAGE_END, MESSAGE_JOB };

/* The payload of MESSAGE_LAUNCH. */
struct launch_text {
    uint32_t grid[3], block[3];
    uint64_t shared;
    char kernel[512];
};

/* ---- the shared memory ---- */

static size_t page_align(size_t bytes) {
    return (bytes + 4095) / 4096 * 4096;
}

/* The offsets of its parts, in bytes; struct shflviz_ring_host is at 0. */
struct layout {
    size_t early, slot[2], output, total;
};

static struct layout session_layout(const struct session *session) {
    const size_t chunk = page_align(session->shape.chunk_bytes);
    struct layout at = {.early = page_align(sizeof(struct shflviz_ring_host))};
    at.slot[0] = at.early + page_align((size_t)RING_EARLY_RECORDS * SHFLVIZ_CELL_BYTES);
    at.slot[1] = at.slot[0] + chunk;
    at.output = at.slot[1] + chunk;
    at.total = at.output + page_align(session->options.output_count * sizeof(uint64_t));
    return at;
}

static void find_parts(struct session *session) {
    const struct layout at = session_layout(session);
    unsigned char *shared = session->link.shared;
    session->host = (struct shflviz_ring_host *)(void *)shared;
    session->early = shared + at.early;
    session->slot[0] = shared + at.slot[0];
    session->slot[1] = shared + at.slot[1];
    session->output = (uint64_t *)(void *)(shared + at.output);
}

/* ---- the child ---- */

void session_launch(struct session *session, const struct trace_launch *launch) {
    struct launch_text text = {.shared = launch->shared};
    memcpy(text.grid, launch->grid, sizeof text.grid);
    memcpy(text.block, launch->block, sizeof text.block);
    size_t length = strlen(launch->kernel);
    if (length > sizeof text.kernel - 1)
        length = sizeof text.kernel - 1;
    memcpy(text.kernel, launch->kernel, length);
    link_send(&session->link, MESSAGE_LAUNCH, session->launches, 0, 0, &text, sizeof text);
    session->launches++;
}

int session_early(void *context, uint64_t first, size_t count) {
    struct session *session = context;
    return link_send(&session->link, MESSAGE_EARLY, first, count, 0, NULL, 0);
}

void *session_room(void *context) {
    struct session *session = context;
    struct link_message message;
    if (session->chunks_sent >= 2 && /* the other end has both slots until it returns one */
        link_receive(&session->link, &message, 0) != LINK_MESSAGE)
        return NULL;
    return session->slot[session->chunks_sent % 2];
}

int session_deliver(void *context, void *room, size_t count) {
    struct session *session = context;
    (void)room;
    return link_send(&session->link, MESSAGE_CHUNK, session->chunks_sent++ % 2, count, 0, NULL, 0);
}

struct shflviz_ring session_ring(const struct session *session) {
    return (struct shflviz_ring){
        .early_records = RING_EARLY_RECORDS,
        .limit = ring_limit(session->options.step_limit),
        .chunks_log2 = session->shape.chunks_log2,
        .chunk_log2 = session->shape.chunk_log2,
        .value_bytes = session->value_bytes,
        .waits = 1,
        .filter = session->options.watch,
    };
}

void session_end(struct session *session, uint64_t taken, enum trace_failure failure,
                 const char *text) {
    if (session->ended)
        return;
    session->ended = true;
    link_send(&session->link, MESSAGE_END, taken, failure, 0, text, text ? strlen(text) : 0);
}

/* ---- the caller ---- */

struct caller {
    struct session *session;
    struct collector collector;
    uint64_t early_taken;
    bool ended;
    struct error failure; /* ERROR_NONE while all is well */
};

static void fail(struct caller *caller, enum trace_failure failure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail(struct caller *caller, enum trace_failure failure, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    error_set(&caller->failure, ERROR_RUN, "%s", text.data);
    trace_writer_note(caller->collector.writer, TRACE_NOTE_FAILURE_KIND,
                      trace_failure_name(failure));
    text_release(&text);
}

static uint64_t *early_cell(const struct session *session, uint64_t number) {
    return (uint64_t *)(void *)session->early + number * SHFLVIZ_CELL_WORDS;
}

static void take_message(struct caller *caller, const struct link_message *message) {
    struct session *session = caller->session;
    const uint64_t *number = message->number;
    struct launch_text text;
    switch (message->kind) {
    case MESSAGE_LAUNCH:
        memcpy(&text, message->payload, sizeof text);
        text.kernel[sizeof text.kernel - 1] = '\0';
        collector_launch(&caller->collector,
                         &(struct trace_launch){
                             .kernel = text.kernel,
                             .grid = {text.grid[0], text.grid[1], text.grid[2]},
                             .block = {text.block[0], text.block[1], text.block[2]},
                             .shared = text.shared,
                         });
        break;
    case MESSAGE_EARLY:
        collector_take(&caller->collector, early_cell(session, number[0]), (size_t)number[1]);
        caller->early_taken = number[0] + number[1];
        break;
    case MESSAGE_CHUNK:
        collector_take(&caller->collector, (const void *)session->slot[number[0] % 2],
                       (size_t)number[1]);
        link_send(&session->link, MESSAGE_TAKEN, 0, 0, 0, NULL, 0);
        break;
    case MESSAGE_END:
        caller->ended = true;
        if (number[0] > caller->collector.recorded)
            trace_writer_drop(caller->collector.writer, number[0] - caller->collector.recorded);
        if (number[1] != TRACE_FAILURE_NONE)
            fail(caller, (enum trace_failure)number[1], "%s", (const char *)message->payload);
        break;
    default:
        break;
    }
}

static void listen_to_child(struct caller *caller) {
    const struct session_options *options = &caller->session->options;
    struct link_message *message = memory_zeroed(1, sizeof *message);
    double deadline =
        options->timeout > 0 ? clock_seconds() + options->timeout + options->grace : 0;
    while (!caller->ended) {
        enum link_status news = link_receive(&caller->session->link, message, deadline);
        if (news == LINK_LATE)
            fail(caller, TRACE_FAILURE_TIME,
                 "the run did not end within %g s and no longer answered\n"
                 "try: a longer --timeout, or --device cpu, which says which lanes wait",
                 options->timeout);
        if (news != LINK_MESSAGE)
            break;
        take_message(caller, message);
    }
    free(message);
}

/* Takes what survives the child: records that it had not announced. */
static void take_early(struct caller *caller) {
    const struct session *session = caller->session;
    const size_t count = (size_t)(RING_EARLY_RECORDS - caller->early_taken);
    uint64_t *cells = early_cell(session, caller->early_taken);
    cells_settle(cells, count, SHFLVIZ_CELL_TAG_EARLY);
    collector_take(&caller->collector, cells, count);
}

struct child_call {
    struct session *session;
    void (*run)(struct session *session, void *context);
    void *context;
};

static void run_in_child(struct link *link, void *context) {
    struct child_call *call = context;
    call->session->link = *link;
    find_parts(call->session);
    call->run(call->session, call->context);
}

/* Listens until the run is over and everything is in the writer. Returns true if the run went well;
 * if it did not and no failure is set, the child has ended. */
static bool take_run(struct caller *caller, struct trace_writer *writer) {
    collector_init(&caller->collector, writer, caller->session->host);
    listen_to_child(caller);
    const bool whole = caller->ended && caller->failure.kind == ERROR_NONE;
    if (!whole && caller->collector.launches)
        take_early(caller);
    collector_release(&caller->collector);
    return whole;
}

/* `signal_number` is the result of link_stop(). */
static int report_failure(struct caller *caller, int signal_number, struct error *err) {
    if (caller->failure.kind == ERROR_NONE)
        fail(caller, TRACE_FAILURE_CRASH, "the process that ran the kernel ended with %s%s",
             signal_number ? "signal " : "no word", signal_number ? strsignal(signal_number) : "");
    *err = caller->failure;
    return -1;
}

int session_run(const struct session_options *options,
                void (*child)(struct session *session, void *context), void *context,
                struct trace_writer *writer, uint64_t *output, struct error *err) {
    struct session session = {.options = *options, .value_bytes = trace_writer_value_bytes(writer)};
    struct child_call call = {&session, child, context};
    session.shape = ring_shape(options->memory);
    if (link_start(&session.link, session_layout(&session).total, run_in_child, &call, err) != 0)
        return -1;
    find_parts(&session);

    struct caller caller = {.session = &session, .failure = ERROR_INIT};
    const bool whole = take_run(&caller, writer);
    if (whole && output)
        memcpy(output, session.output, options->output_count * sizeof *output);
    /* Everything that the collector read from the shared memory is in the writer now. */
    int signal_number = link_stop(&session.link);
    return whole ? 0 : report_failure(&caller, signal_number, err);
}

/* ---- a child for many runs ---- */

struct session_worker {
    struct session session;
    size_t job_at; /* in the shared memory, after the parts of any session */
    void (*child)(struct session *session, void *job);
};

/* The payload of MESSAGE_JOB. */
struct job_text {
    struct session_options options;
    uint32_t value_bytes;
};

_Static_assert(sizeof(struct job_text) <= LINK_PAYLOAD_MAX, "a job's options are one message");

static void set_up(struct session *session, const struct job_text *text) {
    session->options = text->options;
    session->options.output_count = 0;
    session->value_bytes = text->value_bytes;
    session->shape = ring_shape(text->options.memory);
    session->chunks_sent = session->launches = 0;
    session->ended = false;
    find_parts(session);
}

/* Runs one job after another, until the caller is gone. Unread answers to chunks may still be
 * there. */
static void serve(struct link *link, void *context) {
    struct session_worker *worker = context;
    struct link_message *message = memory_zeroed(1, sizeof *message);
    struct job_text text;
    worker->session.link = *link;
    while (link_receive(&worker->session.link, message, 0) == LINK_MESSAGE) {
        if (message->kind != MESSAGE_JOB)
            continue;
        memcpy(&text, message->payload, sizeof text);
        set_up(&worker->session, &text);
        worker->child(&worker->session, (char *)worker->session.link.shared + worker->job_at);
    }
    free(message);
}

static struct session_worker *start_worker(const struct session_options *options,
                                           void (*child)(struct session *session, void *job),
                                           struct error *err) {
    struct session_worker *worker = memory_zeroed(1, sizeof *worker);
    worker->child = child;
    worker->session.shape = ring_shape(options->memory);
    worker->job_at = session_layout(&worker->session).total;
    worker->session.options = *options;
    if (link_start(&worker->session.link, worker->job_at + SESSION_JOB_MOST, serve, worker, err) ==
        0)
        return worker;
    free(worker);
    return NULL;
}

void session_worker_stop(struct session_worker *worker) {
    if (worker)
        link_stop(&worker->session.link);
    free(worker);
}

static int run_job(struct session_worker *worker, const struct job_text *text, const void *job,
                   size_t job_bytes, struct trace_writer *writer, struct error *err) {
    struct session *session = &worker->session;
    struct caller caller = {.session = session, .failure = ERROR_INIT};
    set_up(session, text);
    /* Clears the sites and early records of the previous run. */
    memset(session->link.shared, 0, session_layout(session).slot[0]);
    memcpy((char *)session->link.shared + worker->job_at, job, job_bytes);
    const bool sent = link_send(&session->link, MESSAGE_JOB, 0, 0, 0, text, sizeof *text) == 0;
    if (sent && take_run(&caller, writer))
        return 0;
    const int signal_number = link_stop(&session->link);
    free(worker);
    return report_failure(&caller, signal_number, err);
}

int session_run_worker(struct session_worker **worker, const struct session_options *options,
                       void (*child)(struct session *session, void *job), const void *job,
                       size_t job_bytes, struct trace_writer *writer, struct error *err) {
    const struct job_text text = {*options, trace_writer_value_bytes(writer)};
    if (*worker &&
        ((*worker)->session.options.memory != options->memory || (*worker)->child != child)) {
        session_worker_stop(*worker);
        *worker = NULL;
    }
    if (!*worker && !(*worker = start_worker(options, child, err)))
        return -1;
    const int status = run_job(*worker, &text, job, job_bytes, writer, err);
    if (status != 0)
        *worker = NULL;
    return status;
}
