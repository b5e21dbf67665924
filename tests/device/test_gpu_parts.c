/*
 * test_gpu_parts.c - the parts between a GPU and a recording, each on its own: draining memory
 * that cannot be read, the messages to and from a child, and children that break the protocol.
 */
#include "cell_form.h"

#include "device/gpu/session.h"
#include "trace/record.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- draining ---- */

struct machine {
    struct drain drain;
    unsigned calls, fails_at; /* the call that fails, counted from 1; 0: none */
    bool no_room;
    size_t taken; /* cells */
    unsigned char room[8 * SHFLVIZ_CELL_BYTES];
};

static int fail_now(struct machine *machine) {
    return ++machine->calls == machine->fails_at ? 7 : 0;
}
static int copy(void *context, void *to, const void *from, size_t bytes) {
    const int failed = fail_now(context);
    if (!failed)
        memcpy(to, from, bytes);
    return failed;
}
static int take_early(void *context, uint64_t first, size_t count) {
    struct machine *machine = context;
    (void)first;
    machine->taken += count;
    return fail_now(machine);
}
static void *room_for(void *context) {
    struct machine *machine = context;
    return machine->no_room ? NULL : machine->room;
}
static int take(void *context, void *room, size_t count) {
    struct machine *machine = context;
    (void)room;
    machine->taken += count;
    return fail_now(machine);
}

/* A ring of 16 chunks of 8 cells and four early cells. */
static struct machine *start(void) {
    struct machine *machine = calloc(1, sizeof *machine);
    struct drain *drain = &machine->drain;
    const struct ring_shape shape = ring_shape(1);
    drain->early = calloc(4, SHFLVIZ_CELL_BYTES);
    drain->host = calloc(1, sizeof *drain->host);
    drain->ring = (struct shflviz_ring){.state = calloc(1, sizeof *drain->ring.state),
                                        .host = drain->host,
                                        .early = drain->early,
                                        .early_records = 4,
                                        .records = calloc(1, shape.bytes),
                                        .limit = UINT64_MAX,
                                        .chunks_log2 = shape.chunks_log2,
                                        .chunk_log2 = shape.chunk_log2,
                                        .value_bytes = 4,
                                        .waits = 1};
    drain->does = (struct drain_operations){machine, copy, copy, take_early, room_for, take};
    assert_int_equal(drain_begin(drain, 1), 0);
    return machine;
}
static void stop_machine(struct machine *machine) {
    free(machine->drain.early);
    free(machine->drain.host);
    free(machine->drain.ring.state);
    free(machine->drain.ring.records);
    free(machine);
}
/* Records of one cell each. */
static void write_records(const struct machine *machine, unsigned count, bool whole) {
    const struct form form = form_of(0);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t room = ring_room(&machine->drain.ring, 0, 1);
        assert_true(room != SHFLVIZ_RING_NO_ROOM);
        if (whole)
            put_record(ring_at(&machine->drain.ring, room), &form, ring_tag(room));
    }
}

/* Any operation that fails ends the drain with its error number. */
static void test_failing_drain(void **state) {
    static int (*const ways[])(struct drain * drain) = {drain_finish, drain_salvage};
    unsigned failed = 0;
    (void)state;
    for (unsigned way = 0; way < 3; way++)
        for (unsigned at = 1;; at++) {
            struct machine *machine = start();
            write_records(machine, 20, true);
            machine->calls = 0;
            machine->fails_at = at;
            const int status =
                way < 2 ? ways[way](&machine->drain) : drain_ready(&machine->drain, NULL);
            const bool reached = machine->calls >= at;
            assert_int_equal(status, reached ? 7 : 0);
            if (reached)
                assert_int_equal(machine->calls, at); /* no call follows it */
            else
                assert_int_equal(machine->taken, way < 2 ? 20 : 4 + 8); /* early cells, a chunk */
            stop_machine(machine);
            failed += reached;
            if (!reached)
                break;
        }
    assert_in_range(failed, 15, 60);
}

static void test_no_room(void **state) {
    struct machine *machine = start();
    (void)state;
    write_records(machine, 20, true);
    machine->no_room = true;
    assert_int_equal(drain_finish(&machine->drain), -1);
    assert_int_equal(machine->taken, 4);
    stop_machine(machine);
}

/* While the kernel runs, a chunk with an incomplete record is not delivered. */
static void test_incomplete(void **state) {
    struct machine *machine = start();
    uint64_t count = 0;
    (void)state;
    write_records(machine, 4, true);
    write_records(machine, 1, false);
    write_records(machine, 9, true);
    assert_int_equal(drain_ready(&machine->drain, &count), 0);
    assert_int_equal(count, 4);
    const struct form form = form_of(0);
    put_record(ring_at(&machine->drain.ring, 0), &form, machine->drain.ring.tag);
    assert_int_equal(drain_ready(&machine->drain, &count), 0);
    assert_int_equal(count, 4 + 8);
    assert_int_equal(machine->drain.host->freed[0], 1);
    ring_store(&machine->drain.host->closed, 1); /* recording full: the rest is taken at the end */
    write_records(machine, 8, true);
    assert_int_equal(drain_ready(&machine->drain, &count), 0);
    assert_int_equal(count, 4 + 8);
    assert_int_equal(drain_finish(&machine->drain), 0);
    assert_int_equal(machine->drain.delivered, 22);
    assert_int_equal(machine->drain.host->freed[0], 1);
    stop_machine(machine);
}

/* A ring whose tags are used up is cleared first, and memory that cannot be cleared is reported. */
static void test_clearing(void **state) {
    struct machine *machine = start();
    (void)state;
    machine->drain.worn = true;
    machine->calls = 0;
    machine->fails_at = 1;
    assert_int_equal(drain_begin(&machine->drain, 1), 7);
    assert_int_equal(machine->calls, 1);
    assert_true(machine->drain.worn);
    assert_int_equal(drain_begin(&machine->drain, 1), 0);
    assert_false(machine->drain.worn);
    stop_machine(machine);
}

/* A ring larger than the piece that is written in one go. */
static void test_clearing_much(void **state) {
    struct machine *machine = start();
    const struct ring_shape shape = ring_shape(UINT64_C(4) << 20);
    (void)state;
    free(machine->drain.ring.records);
    machine->drain.ring.records = malloc(shape.bytes);
    machine->drain.ring.chunks_log2 = shape.chunks_log2;
    machine->drain.ring.chunk_log2 = shape.chunk_log2;
    memset(machine->drain.ring.records, 0xff, shape.bytes);
    machine->drain.worn = true;
    assert_int_equal(drain_begin(&machine->drain, 1), 0);
    for (size_t i = 0; i < shape.bytes; i += 997)
        assert_int_equal(machine->drain.ring.records[i], 0);
    stop_machine(machine);
}

static void test_limits_and_stripes(void **state) {
    struct shflviz_ring ring = {.limit = UINT64_MAX, .chunks_log2 = 8};
    (void)state;
    assert_true(ring_limit(0) == UINT64_MAX);
    assert_int_equal(ring_limit(6), 6 * 2 * SHFLVIZ_CELLS_MOST);
    assert_true(ring_limit(UINT64_MAX / 2) == UINT64_MAX); /* no number is that large */
    assert_int_equal(ring_stripes_log2(&ring, 15), 0);     /* a small launch has one stripe */
    assert_int_equal(ring_stripes_log2(&ring, 64), 2);
    assert_int_equal(ring_stripes_log2(&ring, 1 << 20), 6); /* each stripe keeps four chunks */
    ring.chunks_log2 = 2;
    assert_int_equal(ring_stripes_log2(&ring, 1 << 20), 0);
    ring.chunks_log2 = 12;
    assert_int_equal(ring_stripes_log2(&ring, 1 << 20), 9); /* no more than 512 */
    ring.limit = 1000;
    assert_int_equal(ring_stripes_log2(&ring, 1 << 20), 0); /* a limit needs a single counter */
}

/* The cells that a launch may write without further checks: in the first round of a stripe, below
 * the limit, for blocks with 32-bit numbers, without a filter. */
static void test_quick_cells(void **state) {
    struct shflviz_ring_state counts;
    struct shflviz_ring_host host;
    const struct shflviz_ring plain = {.state = &counts,
                                       .host = &host,
                                       .early_records = 4,
                                       .limit = UINT64_MAX,
                                       .stripes_log2 = 2,
                                       .chunks_log2 = 4,
                                       .chunk_log2 = 3,
                                       .tag = 6};
    struct shflviz_ring ring = plain;
    (void)state;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 32); /* 128 places, a quarter of them */
    assert_int_equal(ring.stripe_places, 32);
    assert_int_equal(ring.quick_mark, 0x8006);
    ring.limit = 14;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 10);
    ring.limit = 3;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 0);
    ring = plain;
    ring_prepare(&ring, UINT64_C(1) << 32);
    assert_int_equal(ring.quick_places, 0);
    ring = plain;
    ring.filter.parts = SHFLVIZ_FILTER_WARPS;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 0);
    ring = plain;
    ring.state = NULL;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 0);
    ring = plain;
    ring.host = NULL;
    ring_prepare(&ring, 100);
    assert_int_equal(ring.quick_places, 0);
    assert_int_equal(ring_site(&ring, 32, NULL), SHFLVIZ_RING_NO_SITE); /* nowhere to write it */
}

/* The limit of a recording is used up by one launch after another; early cells count, too. */
static void test_limit_over_launches(void **state) {
    struct machine *machine = start();
    (void)state;
    machine->drain.ring.limit = 10;
    write_records(machine, 6, true);
    assert_int_equal(drain_finish(&machine->drain), 0);
    assert_int_equal(machine->drain.ring.limit, 4);
    assert_int_equal(machine->drain.ring.early_records, 0);
    assert_int_equal(drain_begin(&machine->drain, 1), 0);
    write_records(machine, 4, true);
    assert_true(ring_room(&machine->drain.ring, 0, 1) == SHFLVIZ_RING_NO_ROOM);
    assert_int_equal(drain_finish(&machine->drain), 0);
    assert_int_equal(machine->drain.ring.limit, 0);
    assert_int_equal(machine->drain.delivered, 10);
    assert_int_equal(machine->drain.dropped, 1);
    stop_machine(machine);
}

/* Without memory that host and device share, nothing is taken before the end. */
static void test_unshared(void **state) {
    struct machine *machine = start();
    uint64_t count = 0;
    (void)state;
    write_records(machine, 20, true);
    struct shflviz_ring_host *host = machine->drain.host;
    machine->drain.host = NULL;
    assert_int_equal(drain_ready(&machine->drain, &count), 0);
    assert_int_equal(count, 0);
    assert_int_equal(drain_finish(&machine->drain), 0);
    assert_int_equal(machine->taken, 20);
    machine->drain.host = host;
    stop_machine(machine);
}

/* ---- messages ---- */

/* Sends messages back, twice as long; the last is of kind 9, which breaks the protocol. */
static void echo(struct link *link, void *context) {
    struct link_message message;
    unsigned char text[2 * LINK_PAYLOAD_MAX];
    (void)context;
    while (link_receive(link, &message, 0) == LINK_MESSAGE && message.kind != 9) {
        memcpy(text, message.payload, message.bytes);
        memcpy(text + message.bytes, message.payload, message.bytes);
        link_send(link, message.kind + 1, message.number[0], message.number[1], message.number[2],
                  text, (size_t)2 * message.bytes);
    }
    message.bytes = LINK_PAYLOAD_MAX + 1;
    assert_int_equal(write(link->socket, &message, offsetof(struct link_message, payload)),
                     offsetof(struct link_message, payload));
}

static void test_messages(void **state) {
    static const size_t sizes[] = {0, 1, LINK_PAYLOAD_MAX / 2, LINK_PAYLOAD_MAX,
                                   LINK_PAYLOAD_MAX + 5};
    struct link link;
    struct link_message *message = calloc(1, sizeof *message);
    struct error err = ERROR_INIT;
    unsigned char text[LINK_PAYLOAD_MAX + 5];
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(1 + i % 251);
    assert_int_equal(link_start(&link, 0, echo, NULL, &err), 0);
    assert_int_equal(link_receive(&link, message, clock_seconds() + 0.001), LINK_LATE);
    assert_int_equal(link_receive(&link, message, clock_seconds() - 1), LINK_LATE);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t sent = sizes[i] < LINK_PAYLOAD_MAX ? sizes[i] : LINK_PAYLOAD_MAX;
        const size_t back = 2 * sent < LINK_PAYLOAD_MAX ? 2 * sent : LINK_PAYLOAD_MAX;
        memset(message->payload, 0xff, LINK_PAYLOAD_MAX);
        assert_int_equal(link_send(&link, 4, 1, 2, UINT64_MAX, text, sizes[i]), 0);
        assert_int_equal(link_receive(&link, message, clock_seconds() + 3e6), LINK_MESSAGE);
        assert_int_equal(message->kind, 5);
        assert_int_equal(message->number[1], 2);
        assert_true(message->number[2] == UINT64_MAX);
        assert_int_equal(message->bytes, back);
        assert_memory_equal(message->payload, text, sent < back ? sent : back);
        if (back < LINK_PAYLOAD_MAX)
            assert_int_equal(message->payload[back], 0);
    }
    /* A message that claims to be longer than the limit ends the link. */
    assert_int_equal(link_send(&link, 9, 0, 0, 0, NULL, 0), 0);
    assert_int_equal(link_receive(&link, message, 0), LINK_CLOSED);
    assert_int_equal(link_receive(&link, message, 0), LINK_CLOSED); /* it has ended */
    assert_true(link.closed);
    assert_int_equal(link_send(&link, 4, 0, 0, 0, text, 9), -1);
    assert_int_equal(link_stop(&link), 0);
    free(message);
}

/* A signal during a wait does not end the wait. */
static int go_on[2];

static void wake_child(int number) {
    (void)number;
    if (write(go_on[1], "x", 1) != 1)
        abort();
}

static void wait_for_wakeup(struct link *link, void *context) {
    char byte;
    (void)context;
    if (read(go_on[0], &byte, 1) == 1)
        link_send(link, 3, 0, 0, 0, "now", 3);
}

static void test_interrupted(void **state) {
    const struct sigaction interrupts = {.sa_handler = wake_child};
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    struct link link;
    struct link_message *message = calloc(1, sizeof *message);
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(pipe(go_on), 0);
    sigaction(SIGALRM, &interrupts, NULL);
    assert_int_equal(link_start(&link, 1, wait_for_wakeup, NULL, &err), 0);
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_int_equal(link_receive(&link, message, 0), LINK_MESSAGE);
    assert_string_equal((const char *)message->payload, "now");
    link_stop(&link);
    signal(SIGALRM, SIG_DFL);
    close(go_on[0]);
    close(go_on[1]);
    free(message);
}

static void nothing(int number) {
    (void)number;
}

/* Closes its end of the link immediately, and exits later. */
static void end_slowly(struct link *link, void *context) {
    const struct timespec later = {.tv_nsec = 300000000};
    (void)context;
    close(link->socket);
    nanosleep(&later, NULL);
    raise(SIGTERM);
}

/* A signal does not end the wait for a child that ends on its own, either: the child's end is
 * noticed, and no zombie is left. */
static void test_interrupted_end(void **state) {
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    const struct sigaction interrupts = {.sa_handler = nothing};
    struct link link;
    struct link_message *message = calloc(1, sizeof *message);
    struct error err = ERROR_INIT;
    (void)state;
    sigaction(SIGALRM, &interrupts, NULL);
    assert_int_equal(link_start(&link, 1, end_slowly, NULL, &err), 0);
    assert_int_equal(link_receive(&link, message, clock_seconds() + 10), LINK_CLOSED);
    const pid_t child = link.child;
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_int_equal(link_stop(&link), SIGTERM);
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(waitpid(child, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    free(message);
}

/* ---- sessions ---- */

static struct trace *run_child(void (*child)(struct session *session, void *context), void *context,
                               unsigned value_bytes, int status, struct error *err) {
    const struct trace_writer_options options = {.value_bytes = value_bytes};
    struct trace_writer *writer;
    struct trace *trace;
    struct error ignored = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &ignored), 0);
    assert_int_equal(
        session_run(&(struct session_options){.memory = 1}, child, context, writer, NULL, err),
        status);
    assert_int_equal(trace_writer_close(writer, &trace, &ignored), 0);
    return trace;
}

static void end_at_once(struct session *session, void *context) {
    (void)session;
    (void)context;
}

static void test_no_word(void **state) {
    struct error err = ERROR_INIT;
    (void)state;
    struct trace *trace = run_child(end_at_once, NULL, 4, -1, &err);
    assert_string_equal(err.text, "the process that ran the kernel ended with no word");
    assert_string_equal(trace_note(trace, TRACE_NOTE_FAILURE_KIND), "crashed");
    assert_int_equal(trace_step_count(trace), 0);
    trace_close(trace);
}

/* Early records of site 511, which is beyond the table, site 3, which is never described, and
 * site 4; then unknown messages, and a second end. */
static void send_sites(struct session *session, void *context) {
    static const uint32_t sites[] = {511, 3, 4, 511};
    char name[600];
    (void)context;
    memset(name, 'k', sizeof name);
    name[sizeof name - 1] = '\0';
    session_launch(session,
                   &(struct trace_launch){.kernel = name, .grid = {1, 1, 1}, .block = {32, 1, 1}});
    for (unsigned i = 0; i < 4; i++) {
        struct form form = form_of(SHFLVIZ_KINDS_WIDE);
        form.kinds =
            SHFLVIZ_KINDS(0, sites[i], WARP_OP_IDX, WARP_TYPE_LONG_LONG) | SHFLVIZ_KINDS_WIDE;
        form.head[SHFLVIZ_HEAD_BLOCK] = 0;
        put_record((uint64_t *)(void *)session->early + i * 64, &form, SHFLVIZ_CELL_TAG_EARLY);
    }
    strcpy(session->host->sites[4].file, "four.cu");
    session->host->sites[4].line = 44;
    __atomic_store_n(&session->host->sites[4].ready, 1, __ATOMIC_RELEASE);
    session_early(session, 0, 8);
    link_send(&session->link, 1000, 0, 0, 0, NULL, 0);
    session_end(session, 6, TRACE_FAILURE_NONE, NULL);
    session_end(session, 0, TRACE_FAILURE_CRASH, "not heard");
}

static void test_sites(void **state) {
    static const char *const files[] = {"", "", "four.cu", ""};
    struct error err = ERROR_INIT;
    struct trace_step step;
    (void)state;
    struct trace *trace = run_child(send_sites, NULL, 8, 0, &err);
    assert_int_equal(strlen(trace_launch(trace, 0)->kernel), 511);
    assert_int_equal(trace_step_count(trace), 4);
    assert_int_equal(trace_dropped(trace), 2);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(trace_step(trace, i, &step, &err), 0);
        assert_string_equal(trace_site(trace, step.site)->file, files[i]);
        assert_int_equal(trace_site(trace, step.site)->line, i == 2 ? 44 : 0);
        assert_int_equal(step.operation.in[31], (UINT64_C(231) << 32) | 131);
    }
    trace_close(trace);
}

/* A worker is kept for runs with the same memory, and ended for a run with different memory. */
static void send_pid(struct session *session, void *job) {
    (void)job;
    session_launch(session, &(struct trace_launch){.kernel = "k",
                                                   .grid = {(uint32_t)getpid(), 1, 1},
                                                   .block = {1, 1, 1}});
    session_end(session, 0, TRACE_FAILURE_NONE, NULL);
}

static uint32_t pid_of_run(struct session_worker **worker, uint64_t memory) {
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    assert_int_equal(session_run_worker(worker, &(struct session_options){.memory = memory},
                                        send_pid, "", 1, writer, &err),
                     0);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    const uint32_t pid = trace_launch(trace, 0)->grid[0];
    trace_close(trace);
    return pid;
}

static void test_worker_with_other_memory(void **state) {
    struct session_worker *worker = NULL;
    (void)state;
    session_worker_stop(NULL);
    const uint32_t first = pid_of_run(&worker, 1);
    assert_int_equal(pid_of_run(&worker, 1), first);
    assert_int_not_equal(pid_of_run(&worker, 1 << 20), first);
    session_worker_stop(worker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_drain),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_clearing),
        cmocka_unit_test(test_clearing_much),
        cmocka_unit_test(test_limits_and_stripes),
        cmocka_unit_test(test_quick_cells),
        cmocka_unit_test(test_limit_over_launches),
        cmocka_unit_test(test_unshared),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_interrupted_end),
        cmocka_unit_test(test_no_word),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_worker_with_other_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
