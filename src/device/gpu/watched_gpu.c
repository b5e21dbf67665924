/*
 * watched_gpu.c - linked into a user program that runs on a GPU, so that it is recorded.
 *
 * The program is one process with its CUDA context, its own main() and this file: launches.cc
 * announces each launch, and records are taken out of the ring (gpu/drain.h) while the kernel runs.
 * Nothing here calls CUDA; launches.cc provides the calls. Memory is allocated at the first launch,
 * on the device that is current then.
 */
#include "cudacpu/cudacpu.h"
#include "device/gpu/cells.h"
#include "device/gpu/collect.h"
#include "device/gpu/drain.h"
#include "shflviz/gpu/calls.h"
#include "trace/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VALUE_BYTES 8
#define RING_BYTES  (UINT64_C(64) << 20)

/* A process has one program. */
static struct {
    struct trace_writer *writer; /* NULL if nothing is recorded */
    struct collector collector;
    struct drain drain;
    struct settings_file file;
    struct ring_shape shape;
    const struct shflviz_gpu_calls *calls;
    struct shflviz_ring_host *host; /* followed by the early records */
    size_t host_bytes, early_offset;
    unsigned char *chunk;
    bool prepared, described, dead;
    uint32_t launches;
    uint64_t taken; /* by earlier rings */
    uint64_t early_taken;
    char failure[512];
    pid_t process;
} watched;

/* ---- callbacks of drain.h ---- */

static int read_device(void *context, void *to, const void *from, size_t bytes) {
    (void)context;
    return watched.calls->read(to, from, bytes);
}

static int write_device(void *context, void *to, const void *from, size_t bytes) {
    (void)context;
    return watched.calls->write(to, from, bytes);
}

static uint64_t *early_cell(uint64_t number) {
    return (uint64_t *)(void *)((unsigned char *)watched.host + watched.early_offset) +
           number * SHFLVIZ_CELL_WORDS;
}

static int take_early(void *context, uint64_t first, size_t count) {
    (void)context;
    collector_take(&watched.collector, early_cell(first), count);
    watched.early_taken = first + count;
    return 0;
}

static void *chunk_buffer(void *context) {
    (void)context;
    return watched.chunk;
}

static int take_chunk(void *context, void *room, size_t count) {
    (void)context;
    collector_take(&watched.collector, room, count);
    return 0;
}

/* ---- the recording ---- */

static void version_text(int version, char text[16]) {
    snprintf(text, 16, "%d.%d", version / 1000, version % 1000 / 10);
}

static int describe(void) {
    struct shflviz_gpu_facts facts = {0};
    char text[32], version[16];
    const int error = watched.calls->describe(&facts);
    if (error || watched.described)
        return error;
    watched.described = true;
    trace_writer_note(watched.writer, TRACE_NOTE_NAME, facts.name);
    version_text(facts.driver, version);
    snprintf(text, sizeof text, "CUDA %s", version);
    trace_writer_note(watched.writer, TRACE_NOTE_DRIVER, text);
    version_text(facts.runtime, version);
    trace_writer_note(watched.writer, TRACE_NOTE_TOOLKIT, version);
    snprintf(text, sizeof text, "%d.%d", facts.major, facts.minor);
    trace_writer_note(watched.writer, TRACE_NOTE_CAPABILITY, text);
    return 0;
}

/* Maps the memory shared with the GPU; it is ours, so that it outlives the GPU's context. */
static bool map_host(void) {
    const size_t page = 4096;
    watched.early_offset = (sizeof *watched.host + page - 1) / page * page;
    watched.host_bytes = watched.early_offset + (size_t)RING_EARLY_RECORDS * SHFLVIZ_CELL_BYTES;
    void *memory =
        mmap(NULL, watched.host_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    watched.host = memory == MAP_FAILED ? NULL : memory;
    return watched.host != NULL;
}

static int prepare(void) {
    struct shflviz_ring *ring = &watched.drain.ring;
    const uint64_t limit = watched.file.settings.step_limit;
    void *seen = NULL;
    int error = describe();
    watched.shape = ring_shape(RING_BYTES);
    memset(&watched.drain, 0, sizeof watched.drain);
    *ring = (struct shflviz_ring){.early_records = RING_EARLY_RECORDS,
                                  .limit = UINT64_MAX,
                                  .chunks_log2 = watched.shape.chunks_log2,
                                  .chunk_log2 = watched.shape.chunk_log2,
                                  .value_bytes = VALUE_BYTES,
                                  .waits = 1,
                                  .filter = watched.file.settings.watch};
    if (limit) /* records taken by an earlier ring count, too */
        ring->limit =
            limit > watched.collector.recorded ? ring_limit(limit - watched.collector.recorded) : 0;
    watched.drain.does = (struct drain_operations){.read = read_device,
                                                   .write = write_device,
                                                   .early = take_early,
                                                   .room = chunk_buffer,
                                                   .deliver = take_chunk};
    if (!watched.chunk)
        watched.chunk = malloc(watched.shape.chunk_bytes);
    if (!error && (!watched.chunk || !map_host()))
        return -1;
    if (!error)
        error = watched.calls->allocate((void **)&ring->records, watched.shape.bytes);
    if (!error)
        error = watched.calls->allocate((void **)&ring->state, sizeof *ring->state);
    if (!error)
        error = watched.calls->share(watched.host, watched.host_bytes, &seen);
    if (error)
        return error;
    ring->host = seen;
    ring->early = (unsigned char *)seen + watched.early_offset;
    watched.drain.host = watched.host;
    watched.drain.early = (unsigned char *)watched.host + watched.early_offset;
    watched.collector.host = watched.host;
    memset(watched.collector.site, 0, sizeof watched.collector.site); /* sites of the new ring */
    watched.early_taken = 0;
    watched.prepared = true;
    return 0;
}

/* Stops recording; the program continues. */
static void give_up(const char *doing, int error) {
    fprintf(stderr, "shflviz: recording ends: %s: %s\n", doing,
            error < 0 ? "no memory" : watched.calls->words(error));
    watched.dead = true;
}

static void report_progress(void) {
    watched_progress(watched.launches,
                     watched.taken + watched.drain.delivered + watched.drain.dropped);
}

/* "mine::sum" of "void mine::sum<int>(int*)": no type, no parameters, no arguments. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status)
    __attribute__((weak));

static char *plain_name(const char *symbol) {
    static const char anonymous[] = "(anonymous namespace)::";
    int status = -1;
    char *name = __cxa_demangle ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
    if (!name || status != 0)
        return strdup(symbol);
    for (char *at; (at = strstr(name, anonymous));)
        memmove(at, at + sizeof anonymous - 1, strlen(at + sizeof anonymous - 1) + 1);
    name[strcspn(name, "<(")] = '\0';
    char *last = strrchr(name, ' ');
    if (last)
        memmove(name, last + 1, strlen(last + 1) + 1);
    return name;
}

int shflviz_watched_begin(const struct shflviz_gpu_calls *calls,
                          const struct shflviz_gpu_launch *launch, struct shflviz_ring *ring) {
    if (!watched.writer || watched.dead || getpid() != watched.process)
        return 0;
    watched.calls = calls;
    int error = watched.prepared ? 0 : prepare();
    if (error) {
        give_up("preparing it", error);
        return 0;
    }
    char *kernel = plain_name(launch->kernel);
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const uint32_t number = watched.launches;
    const unsigned *grid = launch->grid, *block = launch->block;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    const bool possible = blocks > 0 && threads > 0 && threads <= 1024; /* else CUDA refuses it */
    const bool watch =
        possible && shflviz_filter_passes_launch(&watched.file.settings.watch, number, kernel);
    if (possible) {
        collector_launch(&watched.collector,
                         &(struct trace_launch){.kernel = kernel,
                                                .grid = {grid[0], grid[1], grid[2]},
                                                .block = {block[0], block[1], block[2]},
                                                .shared = launch->shared});
        watched.launches++;
        report_progress();
    }
    free(kernel);
    if (!watch)
        return 0;
    watched.drain.ring.waits = (uint32_t)launch->waits;
    error = drain_begin(&watched.drain, blocks);
    if (error) {
        give_up("beginning a launch", error);
        return 0;
    }
    *ring = watched.drain.ring;
    return 1;
}

void shflviz_watched_drain(void) {
    if (!watched.dead)
        drain_ready(&watched.drain, NULL);
    report_progress();
}

/* Takes what is left after a kernel's failure: the GPU's memory is lost, but our own stays. */
static void salvage(int error) {
    const size_t count = (size_t)(RING_EARLY_RECORDS - watched.early_taken);
    uint64_t *cells = early_cell(watched.early_taken);
    cells_settle(cells, count, SHFLVIZ_CELL_TAG_EARLY);
    collector_take(&watched.collector, cells, count);
    snprintf(watched.failure, sizeof watched.failure,
             "a kernel failed on the GPU: %s\nSteps that were still in its memory are lost.\n"
             "try: --device cpu, which shows the steps up to there; compute-sanitizer",
             watched.calls->words(error));
    trace_writer_note(watched.writer, TRACE_NOTE_FAILURE_KIND,
                      trace_failure_name(TRACE_FAILURE_CRASH));
    trace_writer_note(watched.writer, TRACE_NOTE_FAILURE, watched.failure);
    watched.dead = true;
}

void shflviz_watched_finish(int error) {
    if (watched.dead)
        return;
    if (error) {
        salvage(error);
        return;
    }
    error = drain_finish(&watched.drain);
    if (error)
        give_up("taking the records of a launch", error);
}

void shflviz_watched_reset(void) {
    watched.taken += watched.drain.delivered + watched.drain.dropped;
    watched.drain.delivered = watched.drain.dropped = 0;
    watched.prepared = false;
}

static void watched_end(void) {
    if (!watched.writer || getpid() != watched.process)
        return;
    fflush(stdout);
    shflviz_watched_reset();
    if (watched.taken > watched.collector.recorded)
        trace_writer_drop(watched.writer, watched.taken - watched.collector.recorded);
    collector_release(&watched.collector);
    watched_recording_end(watched.writer, NULL);
    watched.writer = NULL;
}

__attribute__((constructor(101))) static void watched_begin(void) {
    watched.process = getpid();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    settings_file_read(&watched.file);
    watched.writer = watched_recording_begin(&watched.file);
    if (!watched.writer)
        return;
    trace_writer_note(watched.writer, TRACE_NOTE_DEVICE, "gpu");
    trace_writer_note(watched.writer, TRACE_NOTE_RECORDED, "measured");
    trace_writer_note(watched.writer, TRACE_NOTE_NAME, "NVIDIA GPU");
    collector_init(&watched.collector, watched.writer, NULL);
    atexit(watched_end);
}
