/*
 * test_gpu_session.c - records on their way from a device to a recording, with threads acting as
 * warps: the ring, its draining while it is written, the process in between, and the data left when
 * it dies.
 */
#include "base/thread_pool.h"
#include "device/gpu/session.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WARPS_MAX 8
/* The smallest ring: 16 chunks of 8 cells. */
#define LEAST_MEMORY 1

/* The actions of the simulated device, in a child process. */
struct play {
    unsigned warps;
    unsigned records; /* of each warp, in each launch */
    unsigned launches;
    unsigned stripes;      /* 0: one */
    bool between_launches; /* drained only at the end; no memory is shared */
    unsigned unfit;        /* values of the first warp that are too wide */
    unsigned looking;      /* the number of threads that examine a chunk; 0: one, without a pool */
    /* In all cases but the first two, the first warp begins one more record and does not end it. */
    enum { ENDS, FAILS, HANGS, IS_SALVAGED, DIES } then;
};

struct warp {
    pthread_t thread;
    const struct shflviz_ring *ring;
    const struct play *play;
    unsigned index, launch;
    bool done;
};

/* A value that encodes its warp, the number of the operation in that warp, and its lane. */
static uint32_t value_of(unsigned warp, unsigned number, unsigned lane) {
    return warp << 24 | number << 6 | lane;
}

/* True if the results of an operation follow the rules; its arguments are then all equal. */
static bool follows_rules(unsigned number) {
    return number % 3 == 1;
}

/* A cell, word by word, because lanes write them at different times. */
static void write_cell(uint64_t *cell, const uint32_t values[32], const uint32_t parts[32],
                       uint32_t mark) {
    for (unsigned i = 0; i < 32; i++) {
        const unsigned lane = i * 7 % 32;
        ring_store(&cell[lane], ring_word(values[lane], parts[lane], mark));
    }
}

/* Like record_gpu.cuh, with one thread for all lanes of a warp. A record that is not `whole` takes
 * a number, but nothing is written for it. */
static void record(const struct warp *warp, unsigned number, bool whole) {
    static const char *const files[] = {"kernels/one.cu", "kernels/two.cu"};
    const struct shflviz_ring *ring = warp->ring;
    const uint32_t stripe = ring_stripe(ring, warp->index);
    const bool half = number % 3 == 0, ruled = follows_rules(number),
               widths = number % 4 == 0 && !ruled;
    const uint32_t present = half ? 0x0000ffff : 0xffffffff;
    const struct shflviz_site site = {
        .file = files[number % 2], .line = 10 + number % 2, .text = "__shfl_sync()"};
    uint32_t kinds =
        SHFLVIZ_KINDS(0, ring_site(ring, 64 + 32 * (number % 2), &site), ruled ? 3 : 0, 1);
    if (half)
        kinds |= SHFLVIZ_KINDS_LONG;
    if (!ruled)
        kinds |= SHFLVIZ_KINDS_ARGS | SHFLVIZ_KINDS_OUTS | (widths ? SHFLVIZ_KINDS_WIDTHS : 0);
    const uint64_t room = ring_room(ring, stripe, whole ? ring_cells_of(kinds) : 1);
    if (room == SHFLVIZ_RING_NO_ROOM || !whole)
        return;
    const uint32_t head[8] = {warp->index, kinds, 5, 32, 0xffffffff, present, 0, 0};
    uint32_t in[32] = {0}, out[32] = {0}, arg[32] = {0}, parts[32], width[32] = {0}, none[32] = {0};
    for (unsigned lane = 0; lane < 32; lane++) {
        parts[lane] = head[lane / 2 % (half ? 8 : 4)] >> 16 * (lane % 2) & 0xffff;
        if (!(present >> lane & 1))
            continue;
        in[lane] = value_of(warp->index, number, lane);
        out[lane] = ~in[lane];
        arg[lane] = lane;
        width[lane] = lane % 2 ? 16 : 32;
    }
    const uint32_t tag = ring_tag(room);
    uint64_t *cell = ring_at(ring, room);
    if (!ruled) { /* in any order */
        write_cell(cell + 64, out, none, tag);
        write_cell(cell + 32, arg, width, tag);
    }
    write_cell(cell, in, parts, SHFLVIZ_CELL_FIRST | tag);
}

static void *run_warp(void *context) {
    struct warp *warp = context;
    const struct play *play = warp->play;
    for (unsigned i = 0; i < play->records; i++)
        record(warp, warp->launch * play->records + i, true);
    if (warp->index == 0) {
        ring_add(&warp->ring->state->unfit, play->unfit);
        if (play->then != ENDS && play->then != FAILS)
            record(warp, 0, false);
    }
    __atomic_store_n(&warp->done, true, __ATOMIC_RELEASE);
    return NULL;
}

/* ---- the child ---- */

static int copy(void *context, void *to, const void *from, size_t bytes) {
    (void)context;
    assert_int_equal(bytes % 8, 0);
    for (size_t i = 0; i < bytes / 8; i++) /* the warps continue to write */
        ((uint64_t *)to)[i] = ring_load((const uint64_t *)from + i);
    return 0;
}

struct device {
    struct session *session;
    const struct play *play;
    struct drain drain;
};

static void prepare(struct device *device) {
    struct session *session = device->session;
    struct shflviz_ring *ring = &device->drain.ring;
    *ring = session_ring(session);
    ring->records = calloc(1, session->shape.bytes);
    ring->state = calloc(1, sizeof *ring->state);
    ring->host = session->host;
    ring->early = session->early;
    device->drain.host = session->host;
    device->drain.early = session->early;
    device->drain.does = (struct drain_operations){session,       copy,         copy,
                                                   session_early, session_room, session_deliver};
    if (device->play->looking)
        device->drain.pool = thread_pool_new(device->play->looking, device->play->looking);
    if (device->play->between_launches) {
        ring->host = calloc(1, sizeof *ring->host);
        ring->waits = 0;
        ring->early_records = 0;
        device->drain.host = NULL;
    }
}

static void launch(struct device *device, unsigned number) {
    const struct play *play = device->play;
    struct warp warps[WARPS_MAX];
    struct shflviz_ring ring;
    struct session *session = device->session;
    session_launch(session, &(struct trace_launch){.kernel = number % 2 ? "odd" : "even",
                                                   .grid = {play->warps, 1, 1},
                                                   .block = {32, 1, 1}});
    if (drain_begin(&device->drain, play->stripes ? 16 * play->stripes : 1) != 0)
        abort();
    assert_int_equal(1 << device->drain.ring.stripes_log2, play->stripes ? play->stripes : 1);
    ring = device->drain.ring;
    for (unsigned w = 0; w < play->warps; w++) {
        warps[w] = (struct warp){.ring = &ring, .play = play, .index = w, .launch = number};
        if (pthread_create(&warps[w].thread, NULL, run_warp, &warps[w]) != 0)
            abort();
    }
    for (unsigned w = 0; w < play->warps; w++) {
        while (!__atomic_load_n(&warps[w].done, __ATOMIC_ACQUIRE)) {
            drain_ready(&device->drain, NULL);
            sched_yield();
        }
        pthread_join(warps[w].thread, NULL);
    }
    if (play->between_launches)
        memcpy(session->host->sites, ring.host->sites, sizeof ring.host->sites);
    if (play->then == ENDS)
        drain_finish(&device->drain);
}

static void run_device(struct session *session, void *context) {
    const struct play *play = context;
    struct device device = {.session = session, .play = play};
    prepare(&device);
    for (unsigned i = 0; i < play->launches; i++)
        launch(&device, i);
    for (size_t i = 0; i < session->options.output_count; i++)
        session->output[i] = 100 + i;
    switch (play->then) {
    case ENDS:
        session_end(session, device.drain.delivered + device.drain.dropped, TRACE_FAILURE_NONE,
                    NULL);
        break;
    case HANGS:
        pause();
        break;
    case IS_SALVAGED:
        drain_salvage(&device.drain);
        session_end(session, device.drain.delivered + device.drain.dropped, TRACE_FAILURE_TIME,
                    "too late");
        break;
    case DIES:
        raise(SIGKILL);
        break;
    case FAILS:
        session_end(session, device.drain.delivered, TRACE_FAILURE_CRASH, "an illegal address");
        break;
    }
}

/* ---- the recording ---- */

struct outcome {
    int status;
    struct error err;
    struct trace *trace;
    uint64_t output[3];
};

static struct outcome play_out(const struct play *play, struct session_options options,
                               uint64_t writer_limit) {
    const struct trace_writer_options writer_options = {.value_bytes = 4,
                                                        .step_limit = writer_limit};
    struct outcome outcome = {.err = ERROR_INIT};
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    options.output_count = 3;
    assert_int_equal(trace_writer_open(&writer, NULL, &writer_options, &err), 0);
    outcome.status =
        session_run(&options, run_device, (void *)play, writer, outcome.output, &outcome.err);
    assert_int_equal(trace_writer_close(writer, &outcome.trace, &err), 0);
    return outcome;
}

/* Every step is complete and belongs to a warp; each warp's steps are in order, and none is
 * repeated. Returns the number of steps. */
static uint64_t check_steps(const struct trace *trace, const struct play *play) {
    unsigned next[WARPS_MAX] = {0};
    struct trace_step step;
    struct error err = ERROR_INIT;
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        assert_int_equal(trace_step(trace, i, &step, &err), 0);
        unsigned warp = (unsigned)step.block;
        assert_true(warp < play->warps);
        const struct warp_operation *operation = &step.operation;
        unsigned number = (uint32_t)operation->in[0] >> 6 & 0x3ffff;
        assert_true(number >= next[warp]);
        next[warp] = number + 1;
        assert_int_equal(step.launch, number / play->records);
        assert_int_equal(operation->present, number % 3 == 0 ? 0x0000ffff : 0xffffffff);
        assert_int_equal(trace_site(trace, step.site)->line, 10 + number % 2);
        assert_string_equal(trace_site(trace, step.site)->file,
                            number % 2 ? "kernels/two.cu" : "kernels/one.cu");
        const bool ruled = follows_rules(number);
        assert_int_equal(operation->op, ruled ? WARP_OP_XOR : WARP_OP_IDX);
        for (unsigned lane = 0; lane < 32; lane++) {
            bool present = operation->present >> lane & 1;
            uint32_t in = value_of(warp, number, lane);
            uint32_t out = ruled ? value_of(warp, number, lane ^ 5) : ~in;
            assert_int_equal(operation->in[lane], present ? in : 0);
            assert_int_equal(operation->out[lane], present ? out : 0);
            assert_int_equal(operation->arg[lane], !present ? 0 : ruled ? 5 : lane);
            if (present)
                assert_int_equal(operation->width[lane],
                                 number % 4 == 0 && !ruled && lane % 2 ? 16 : 32);
        }
    }
    return trace_step_count(trace);
}

/* ---- tests ---- */

static void test_shape(void **state) {
    (void)state;
    struct ring_shape shape = ring_shape(UINT64_C(64) << 20);
    assert_int_equal(shape.bytes, 64 << 20); /* 2^18 cells of 256 bytes */
    assert_int_equal(shape.chunk_log2, 10);
    assert_int_equal(shape.chunks_log2, 8);
    assert_int_equal(shape.chunk_bytes, 256 << 10);
    shape = ring_shape((UINT64_C(64) << 20) - 1); /* a power of two below it */
    assert_int_equal(shape.bytes, 32 << 20);
    shape = ring_shape(UINT64_C(1) << 19);
    assert_int_equal(shape.bytes, 1 << 19);
    assert_int_equal(shape.chunk_log2, 6); /* each chunk costs a copy and a message */
    shape = ring_shape(0);
    assert_int_equal(shape.bytes, 16 * 8 * 256);
    assert_int_equal(shape.chunk_log2, 3); /* any record fits */
    shape = ring_shape(UINT64_C(1) << 40); /* no more chunks than there is room to announce */
    assert_int_equal(shape.chunk_log2, 15);
    assert_int_equal(1 << shape.chunks_log2, SHFLVIZ_RING_CHUNKS_MAX);
}

static void test_sites(void **state) {
    (void)state;
    struct shflviz_ring_host *host = calloc(1, sizeof *host);
    struct shflviz_ring_state *counts = calloc(1, sizeof *counts);
    struct shflviz_ring ring = {.host = host, .state = counts};
    char text[300];
    memset(text, 'x', sizeof text);
    text[299] = '\0';
    const struct shflviz_site a = {.file = "a.cu", .line = 7, .text = text};
    const struct shflviz_site b = {.file = "b.cu", .line = 1, .text = ""};
    uint32_t first = ring_site(&ring, 32, &a);
    assert_int_equal(ring_site(&ring, 32, &a), first);
    assert_int_equal(host->sites[first].ready, 1);
    assert_int_equal(host->sites[first].line, 7);
    assert_string_equal(host->sites[first].file, "a.cu");
    assert_int_equal(strlen(host->sites[first].text), sizeof host->sites[first].text - 1);
    for (uint64_t i = 1; i < SHFLVIZ_RING_SITES; i++) /* all begin their search at the same place */
        assert_true(ring_site(&ring, 32 + i * 32 * SHFLVIZ_RING_SITES, &b) < SHFLVIZ_RING_SITES);
    assert_int_equal(ring_site(&ring, 31 * 32, &b), SHFLVIZ_RING_NO_SITE);
    assert_int_equal(ring_site(&ring, 32, &a), first);
    free(host);
    free(counts);
}

/* The ring wraps around hundreds of times. */
static void test_all_arrive(void **state) {
    (void)state;
    const struct play play = {.warps = 4, .records = 1500, .launches = 2};
    struct outcome outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(check_steps(outcome.trace, &play), 12000);
    assert_int_equal(trace_dropped(outcome.trace), 0);
    assert_int_equal(trace_launch_count(outcome.trace), 2);
    assert_string_equal(trace_launch(outcome.trace, 1)->kernel, "odd");
    assert_int_equal(trace_launch(outcome.trace, 1)->grid[0], 4);
    assert_int_equal(outcome.output[2], 102);
    trace_close(outcome.trace);
}

/* About 16 chunks of 2048 cells, which several threads examine on either side. */
static void test_large_chunks(void **state) {
    (void)state;
    for (unsigned looking = 0; looking <= 3; looking += 3) {
        const struct play play = {
            .warps = 8, .records = 2000, .launches = 1, .unfit = 3, .looking = looking};
        const struct session_options options = {.memory = UINT64_C(128) << 20};
        struct outcome outcome = play_out(&play, options, 0);
        assert_int_equal(outcome.status, 0);
        assert_int_equal(check_steps(outcome.trace, &play), 16000);
        assert_int_equal(trace_dropped(outcome.trace), 3);
        trace_close(outcome.trace);
    }
}

/* Each stripe wraps around, with four chunks of 8 cells; every step is recorded. */
static void test_stripes(void **state) {
    (void)state;
    for (unsigned warps = 4; warps <= 7; warps += 3) {
        const struct play play = {
            .warps = warps, .records = 700, .launches = 3, .stripes = 4, .unfit = 2};
        struct outcome outcome =
            play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
        assert_int_equal(outcome.status, 0);
        assert_int_equal(check_steps(outcome.trace, &play), 3 * 700 * warps);
        assert_int_equal(trace_dropped(outcome.trace), 3 * 2);
        trace_close(outcome.trace);
        /* Steps that the recording does not take are dropped, whatever their origin. */
        outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 5001);
        assert_int_equal(outcome.status, 0);
        assert_int_equal(check_steps(outcome.trace, &play), 5001);
        assert_int_equal(trace_dropped(outcome.trace), 3 * 700 * warps - 5001 + 3 * 2);
        trace_close(outcome.trace);
    }
}

/* Each launch finds an empty ring of 128 cells; records that do not fit are dropped. A record
 * takes one cell or three, and at the end of each chunk up to three numbers are skipped. */
static void check_one_ring(unsigned stripes) {
    const struct play play = {
        .warps = 4, .records = 40, .launches = 3, .stripes = stripes, .between_launches = true};
    struct outcome outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
    assert_int_equal(outcome.status, 0);
    const uint64_t kept = check_steps(outcome.trace, &play);
    assert_in_range(kept, 3 * (128 - 3 * 16) / 3, 3 * 128);
    assert_int_equal(trace_dropped(outcome.trace), 3 * 160 - kept);
    trace_close(outcome.trace);
}

static void test_stripes_between_launches(void **state) {
    (void)state;
    check_one_ring(4);
}

static void test_stripes_salvaged(void **state) {
    (void)state;
    const struct play play = {
        .warps = 4, .records = 30, .launches = 1, .stripes = 4, .then = IS_SALVAGED};
    struct outcome outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
    assert_int_equal(outcome.status, -1);
    assert_int_equal(check_steps(outcome.trace, &play), 4 * 30);
    assert_int_equal(trace_dropped(outcome.trace), 1);
    trace_close(outcome.trace);
}

static void test_few_records_stay_early(void **state) {
    (void)state;
    const struct play play = {.warps = 3, .records = 5, .launches = 3, .unfit = 4};
    struct outcome outcome =
        play_out(&play, (struct session_options){.memory = UINT64_C(1) << 20}, 0);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(check_steps(outcome.trace, &play), 45);
    assert_int_equal(trace_dropped(outcome.trace), 3 * 4);
    trace_close(outcome.trace);
}

static void test_limits(void **state) {
    (void)state;
    const struct play play = {.warps = 4, .records = 1500, .launches = 2};
    /* A limit that the device knows, and a limit that only the recording knows, as with a full
     * disk; then both limits within the early part. */
    static const uint64_t limits[][2] = {{3001, 3001}, {0, 3001}, {100, 100}, {0, 100}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct session_options options = {.memory = LEAST_MEMORY, .step_limit = limits[i][0]};
        struct outcome outcome = play_out(&play, options, limits[i][1]);
        assert_int_equal(outcome.status, 0);
        assert_int_equal(check_steps(outcome.trace, &play), limits[i][1]);
        assert_int_equal(trace_dropped(outcome.trace), 12000 - limits[i][1]);
        trace_close(outcome.trace);
    }
}

static void test_between_launches(void **state) {
    (void)state;
    check_one_ring(0);
}

static void test_death(void **state) {
    (void)state;
    const struct play play = {.warps = 3, .records = 30, .launches = 1, .then = DIES};
    struct outcome outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
    assert_int_equal(outcome.status, -1);
    assert_int_equal(outcome.err.kind, ERROR_RUN);
    assert_non_null(strstr(outcome.err.text, strsignal(SIGKILL)));
    assert_string_equal(trace_note(outcome.trace, TRACE_NOTE_FAILURE_KIND), "crashed");
    assert_int_equal(check_steps(outcome.trace, &play), 90);
    trace_close(outcome.trace);
}

/* The same process runs one program after the other, with values of either size; a process that
 * dies is replaced. */
static void run_job(struct session *session, void *job) {
    run_device(session, job);
}

static int play_by(struct session_worker **worker, const struct play *play, unsigned value_bytes,
                   struct trace **trace, struct error *err) {
    const struct session_options options = {.memory = LEAST_MEMORY};
    const struct trace_writer_options writer_options = {.value_bytes = value_bytes};
    struct trace_writer *writer;
    struct error ignored = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &writer_options, &ignored), 0);
    const int status =
        session_run_worker(worker, &options, run_job, play, sizeof *play, writer, err);
    assert_int_equal(trace_writer_close(writer, trace, &ignored), 0);
    return status;
}

static void test_worker(void **state) {
    (void)state;
    struct session_worker *worker = NULL, *first = NULL;
    struct trace *trace;
    struct error err = ERROR_INIT;
    for (unsigned i = 0; i < 40; i++) {
        const struct play play = {.warps = 1 + i % 4, .records = 1 + 97 * (i % 5), .launches = 2};
        assert_int_equal(play_by(&worker, &play, 4, &trace, &err), 0);
        assert_int_equal(check_steps(trace, &play), 2 * play.warps * play.records);
        assert_int_equal(trace_launch_count(trace), 2);
        assert_int_equal(trace_dropped(trace), 0);
        trace_close(trace);
        first = first ? first : worker;
        assert_ptr_equal(worker, first);
    }
    const struct play dies = {.warps = 2, .records = 30, .launches = 1, .then = DIES};
    assert_int_equal(play_by(&worker, &dies, 4, &trace, &err), -1);
    assert_non_null(strstr(err.text, strsignal(SIGKILL)));
    assert_int_equal(check_steps(trace, &dies), 60);
    trace_close(trace);
    assert_null(worker);
    const struct play fails = {.warps = 2, .records = 30, .launches = 1, .then = FAILS};
    assert_int_equal(play_by(&worker, &fails, 4, &trace, &err), -1);
    assert_string_equal(err.text, "an illegal address");
    trace_close(trace);
    assert_null(worker);
    const struct play play = {.warps = 3, .records = 700, .launches = 1};
    assert_int_equal(play_by(&worker, &play, 4, &trace, &err), 0);
    assert_int_equal(check_steps(trace, &play), 2100);
    trace_close(trace);
    session_worker_stop(worker);
}

static void test_failure(void **state) {
    (void)state;
    const struct play play = {.warps = 4, .records = 1000, .launches = 1, .then = FAILS};
    struct outcome outcome = play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
    assert_int_equal(outcome.status, -1);
    assert_string_equal(outcome.err.text, "an illegal address");
    assert_string_equal(trace_note(outcome.trace, TRACE_NOTE_FAILURE_KIND), "crashed");
    assert_true(check_steps(outcome.trace, &play) >= RING_EARLY_RECORDS);
    trace_close(outcome.trace);
}

/* A child that does not answer is killed, and its earlier data is kept. */
static void test_time_out(void **state) {
    (void)state;
    const struct play play = {.warps = 2, .records = 20, .launches = 1, .then = HANGS};
    const struct session_options options = {.memory = LEAST_MEMORY, .timeout = 0.2, .grace = 0.01};
    struct outcome outcome = play_out(&play, options, 0);
    assert_int_equal(outcome.status, -1);
    assert_int_equal(outcome.err.kind, ERROR_RUN);
    assert_non_null(strstr(outcome.err.text, "0.2 s"));
    assert_string_equal(trace_note(outcome.trace, TRACE_NOTE_FAILURE_KIND), "timed_out");
    check_steps(outcome.trace, &play);
    trace_close(outcome.trace);
}

/* One warp holds a ticket forever; the records of all others are delivered, from the early cells
 * and from the ring. */
static void test_salvage(void **state) {
    (void)state;
    static const unsigned records[] = {20, 225}; /* 4 * 525 cells exceed the early cells by 52 */
    for (size_t i = 0; i < 2; i++) {
        const struct play play = {
            .warps = 4, .records = records[i], .launches = 1, .then = IS_SALVAGED};
        struct outcome outcome =
            play_out(&play, (struct session_options){.memory = LEAST_MEMORY}, 0);
        assert_int_equal(outcome.status, -1);
        assert_string_equal(outcome.err.text, "too late");
        assert_string_equal(trace_note(outcome.trace, TRACE_NOTE_FAILURE_KIND), "timed_out");
        assert_int_equal(check_steps(outcome.trace, &play), 4 * records[i]);
        assert_int_equal(trace_dropped(outcome.trace), 1);
        trace_close(outcome.trace);
    }
}

static void test_filter(void **state) {
    (void)state;
    const struct shflviz_origin place = {
        .block = 7, .block_index = {1, 2, 0}, .warp = 3, .line = 20};
    static const struct {
        struct shflviz_filter filter;
        bool passes;
    } cases[] = {
        {{0}, true},
        {{.parts = SHFLVIZ_FILTER_BLOCKS, .block_first = 7, .block_last = 7}, true},
        {{.parts = SHFLVIZ_FILTER_BLOCKS, .block_first = 8, .block_last = 9}, false},
        {{.parts = SHFLVIZ_FILTER_BLOCKS, .block_first = 0, .block_last = 6}, false},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {1, 2, 0}}, true},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {1, 2, 1}}, false},
        {{.parts = SHFLVIZ_FILTER_INDEX, .block_index = {2, 1, 0}}, false},
        {{.parts = SHFLVIZ_FILTER_WARPS, .warp_first = 2, .warp_last = 3}, true},
        {{.parts = SHFLVIZ_FILTER_WARPS, .warp_first = 4, .warp_last = 5}, false},
        {{.parts = SHFLVIZ_FILTER_LINES, .line_first = 20, .line_last = 30}, true},
        {{.parts = SHFLVIZ_FILTER_LINES, .line_first = 21, .line_last = 30}, false},
        {{.parts = SHFLVIZ_FILTER_WARPS | SHFLVIZ_FILTER_LINES,
          .warp_first = 3,
          .warp_last = 3,
          .line_first = 1,
          .line_last = 19},
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(shflviz_filter_passes(&cases[i].filter, &place), cases[i].passes);
}

static void test_filter_of_launches(void **state) {
    (void)state;
    static const struct {
        struct shflviz_filter filter;
        uint32_t launch;
        const char *kernel;
        bool passes;
    } cases[] = {
        {{0}, 3, "sum", true},
        {{.parts = SHFLVIZ_FILTER_LAUNCHES, .launch_first = 3, .launch_last = 3}, 3, "sum", true},
        {{.parts = SHFLVIZ_FILTER_LAUNCHES, .launch_first = 0, .launch_last = 2}, 3, "sum", false},
        {{.parts = SHFLVIZ_FILTER_LAUNCHES, .launch_first = 4, .launch_last = 9}, 3, "sum", false},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "sum"}, 0, "sum", true},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "sum"}, 0, "mine::sum", true},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "mine::sum"}, 0, "mine::sum", true},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "sum"}, 0, "checksum", false},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "sum"}, 0, "sums", false},
        {{.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "mine::sum"}, 0, "sum", false},
        {{.parts = SHFLVIZ_FILTER_KERNEL | SHFLVIZ_FILTER_LAUNCHES,
          .kernel = "sum",
          .launch_first = 1,
          .launch_last = 2},
         0,
         "sum",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            shflviz_filter_passes_launch(&cases[i].filter, cases[i].launch, cases[i].kernel),
            cases[i].passes);
}

/* ---- tags that are used up ---- */

struct taken {
    unsigned char room[16 * 8 * SHFLVIZ_CELL_BYTES];
    size_t count;
};

static void *taken_room(void *context) {
    return ((struct taken *)context)->room;
}

static int take(void *context, void *room, size_t count) {
    (void)room;
    ((struct taken *)context)->count += count;
    return 0;
}

/* A launch of one warp: `records` records of one cell, and optionally an unfinished record. */
static void launch_once(struct drain *drain, unsigned records, bool begins_one_more) {
    assert_int_equal(drain_begin(drain, 1), 0);
    const struct shflviz_ring ring = drain->ring;
    const struct warp warp = {.ring = &ring};
    for (unsigned i = 0; i < records; i++)
        record(&warp, 3 * i + 1, true);
    if (begins_one_more)
        record(&warp, 0, false);
    assert_int_equal(drain_finish(drain), 0);
}

/* When the tags start again, old cells in the ring are not taken for new records. */
static void test_tags_wrap(void **state) {
    const struct ring_shape shape = ring_shape(LEAST_MEMORY);
    struct taken *taken = calloc(1, sizeof *taken);
    struct drain drain = {.ring = {.records = calloc(1, shape.bytes),
                                   .state = calloc(1, sizeof(struct shflviz_ring_state)),
                                   .host = calloc(1, sizeof(struct shflviz_ring_host)),
                                   .limit = UINT64_MAX,
                                   .chunks_log2 = shape.chunks_log2,
                                   .chunk_log2 = shape.chunk_log2,
                                   .value_bytes = 4},
                          .does = {taken, copy, copy, NULL, taken_room, take}};
    const unsigned all = 1u << (shape.chunks_log2 + shape.chunk_log2);
    (void)state;
    launch_once(&drain, all, false); /* the whole ring, with the first tags */
    assert_int_equal(drain.delivered, all);
    assert_false(drain.worn);
    launch_once(&drain, 1, true); /* with other tags: the old content keeps its tag */
    assert_int_equal(drain.delivered, all + 1);
    assert_int_equal(drain.lost, 1);
    drain.ring.tag = SHFLVIZ_CELL_TAG; /* as after many more launches */
    launch_once(&drain, 1, false);
    assert_true(drain.worn);
    launch_once(&drain, 2, true); /* with the first tags again, and the second position once more */
    assert_int_equal(drain.delivered, all + 4);
    assert_int_equal(drain.lost, 2);
    assert_false(drain.worn);
    assert_in_range(drain.ring.tag, 2, 3);
    free((void *)drain.ring.records);
    free(drain.ring.state);
    free(drain.ring.host);
    free(taken);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_sites),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_filter_of_launches),
        cmocka_unit_test(test_all_arrive),
        cmocka_unit_test(test_large_chunks),
        cmocka_unit_test(test_stripes),
        cmocka_unit_test(test_stripes_between_launches),
        cmocka_unit_test(test_stripes_salvaged),
        cmocka_unit_test(test_few_records_stay_early),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_between_launches),
        cmocka_unit_test(test_death),
        cmocka_unit_test(test_worker),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_time_out),
        cmocka_unit_test(test_salvage),
        cmocka_unit_test(test_tags_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
