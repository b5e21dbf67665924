/*
 * trace_bench - the cost of writing, opening and seeking in a long recording.
 *
 *     trace_bench [STEPS [FOLDER]]       default: 10000000 steps, in $TMPDIR or /tmp
 *     trace_bench --gather STEPS FOLDER [THREADS]
 *                                        only gathering; THREADS: only with that many
 *
 * Writes a recording of 4-byte values in which no two steps in a row are from the same warp (the
 * longest index there can be), then looks at it from a fresh process: once with no part of the file
 * in memory, once with all of it, each compared with a bare pread() of the same records in the same
 * run. The files (the reference: 5.1 GB for 10^7 steps) are removed at the end.
 */
#include "steps.h"

#include "device/gpu/collect.h"
#include "shflviz/cell.h"
#include "trace/format.h"
#include "trace/trace.h"
#include "warp/type.h"
#include "warp/warp.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEEKS 10000
static double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Processor time of all threads of this process. */
static double processor_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void die(const char *what) {
    fprintf(stderr, "trace_bench: %s\n", what);
    exit(1);
}

/* ---- writing ---- */

/* How a recording ends. */
enum end { END_CLOSED, END_KILLED };

static void write_recording(const char *path, const char *where, uint64_t steps, enum end end) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4, .in_place = true};
    const uint32_t blocks = (uint32_t)block_of(steps - 1) + 1;
    const struct trace_launch launch = {"bench", {blocks, 1, 1}, {32 * WARPS, 1, 1}, 0};
    const struct trace_site site = {"bench.cu", 1, "bench", "__shfl_xor_sync(~0u, value, 16)"};
    double begin = now_us();
    if (trace_writer_open(&writer, path, &options, &err) != 0)
        die(err.text);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint64_t step = 0; step < steps; step++, room--, record += RECORD_BYTES) {
        if (room == 0 && !(record = trace_writer_reserve(writer, &room))) {
            trace_writer_failed(writer, &err);
            if (path)
                unlink(path);
            die(err.text);
        }
        write_record(record, step);
    }
    double written = now_us();
    if (end == END_KILLED)
        _exit(0);
    if (trace_writer_close(writer, NULL, &err) != 0)
        die(err.text);
    double closed = now_us();
    printf("  recording %-36s %10.0f ns a step, %.0f ms to close\n", where,
           (written - begin) * 1e3 / (double)steps, (closed - written) / 1e3);
}

/* ---- gathering: what a host does with the records of a GPU ---- */

#define CHUNK_STEPS 32768 /* the most that a GPU's ring passes on in one go */

/* A part of the data that lanes share (shflviz/cell.h). */
static void put_head(uint64_t *cell, unsigned word, uint32_t value) {
    for (unsigned half = 0; half < 2; half++) {
        uint64_t *to = &cell[2 * word + half];
        *to &= ~(UINT64_C(0xffff) << SHFLVIZ_CELL_VALUE_BITS);
        *to |= (uint64_t)(value >> 16 * half & 0xffff) << SHFLVIZ_CELL_VALUE_BITS;
    }
}

static void place_cell(uint64_t *cell, uint64_t step) {
    put_head(cell, SHFLVIZ_HEAD_BLOCK, (uint32_t)block_of(step));
    put_head(cell, SHFLVIZ_HEAD_KINDS, SHFLVIZ_KINDS(warp_of(step), 0, WARP_OP_XOR, WARP_TYPE_INT));
}

/* A record as write_record() makes it, in the cell that a recorder writes. */
static void write_cell(uint64_t *cell, uint64_t step) {
    for (unsigned lane = 0; lane < SHFLVIZ_CELL_WORDS; lane++)
        cell[lane] = ring_word((uint32_t)step + lane, 0, SHFLVIZ_CELL_FIRST | 1);
    put_head(cell, SHFLVIZ_HEAD_ARG, 16);
    put_head(cell, SHFLVIZ_HEAD_WIDTH, 32);
}

struct watch {
    double clock, processors; /* us */
};

static void start(struct watch *watch) {
    watch->clock -= now_us();
    watch->processors -= processor_us();
}

static void stop(struct watch *watch) {
    watch->clock += now_us();
    watch->processors += processor_us();
}

/* The cells are made once: apart from the clock, only the locations of their steps change from one
 * chunk to the next. */
static void gather_recording(const char *path, uint64_t steps, unsigned threads) {
    static struct shflviz_ring_host host = {
        .sites[0] = {1, 1, "bench.cu", "__shfl_xor_sync(~0u, value, 16)"}};
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4, .in_place = true};
    const uint32_t blocks = (uint32_t)block_of(steps + CHUNK_STEPS) + 1;
    const struct trace_launch launch = {"bench", {blocks, 1, 1}, {32 * WARPS, 1, 1}, 0};
    struct collector *collector = malloc(sizeof(*collector));
    struct watch gathering = {0}, closing = {0};
    void *room = NULL;
    char what[64];
    if (!collector || posix_memalign(&room, 4096, (size_t)CHUNK_STEPS * SHFLVIZ_CELL_BYTES) != 0)
        die("no memory");
    uint64_t *cells = room;
    for (uint64_t i = 0; i < CHUNK_STEPS; i++)
        write_cell(cells + i * SHFLVIZ_CELL_WORDS, i);
    if (trace_writer_open(&writer, path, &options, &err) != 0)
        die(err.text);
    trace_writer_use_threads(writer, threads);
    collector_init(collector, writer, &host);
    collector_launch(collector, &launch);
    uint64_t step = 0;
    for (; step < steps; step += CHUNK_STEPS) {
        for (uint64_t i = 0; i < CHUNK_STEPS; i++)
            place_cell(cells + i * SHFLVIZ_CELL_WORDS, step + i);
        start(&gathering);
        collector_take(collector, cells, CHUNK_STEPS);
        stop(&gathering);
    }
    if (collector->recorded != step)
        die("not all was gathered");
    collector_release(collector);
    start(&closing);
    if (trace_writer_close(writer, NULL, &err) != 0)
        die(err.text);
    stop(&closing);
    const double each = 1e3 / (double)step;
    snprintf(what, sizeof(what), "gathered by %u threads, to the file", threads);
    printf("  %-46s %10.1f ns a step (%.0f of CPU time), %.1f million a second, %.0f ms to close "
           "(%.0f ns a step of CPU time), all in all %.1f million a second\n",
           what, gathering.clock * each, gathering.processors * each,
           (double)step / gathering.clock, closing.clock / 1e3, closing.processors * each,
           (double)step / (gathering.clock + closing.clock));
    fflush(stdout);
    unlink(path);
    free(cells);
    free(collector);
}

static void gather_by_all(const char *path, uint64_t steps) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (long threads = 1; threads < processors; threads *= 2)
        gather_recording(path, steps, (unsigned)threads);
    gather_recording(path, steps, (unsigned)(processors > 0 ? processors : 1));
}

/* The reference for writing: the same records through write(), 4 MiB at a time. */
static void write_plainly(const char *path, uint64_t steps) {
    const size_t most = (4u << 20) / RECORD_BYTES;
    unsigned char *buffer = malloc(most * RECORD_BYTES);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!buffer || file < 0)
        die("cannot write the reference file");
    double begin = now_us();
    for (uint64_t step = 0; step < steps;) {
        size_t count = 0;
        for (; count < most && step < steps; count++, step++)
            write_record(buffer + count * RECORD_BYTES, step);
        if (write(file, buffer, count * RECORD_BYTES) != (ssize_t)(count * RECORD_BYTES))
            die("cannot write the reference file");
    }
    double end = now_us();
    close(file);
    unlink(path);
    free(buffer);
    printf("  %-46s %10.0f ns a step\n", "reference: write(), 4 MiB at a time",
           (end - begin) * 1e3 / (double)steps);
}

/* ---- reading ---- */

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *what, double times[SEEKS]) {
    qsort(times, SEEKS, sizeof(times[0]), compare_times);
    printf("  %-46s %10.1f %10.1f %10.1f us\n", what, times[SEEKS / 2], times[SEEKS * 99 / 100],
           times[SEEKS - 1]);
}

/* The same steps in every pass. */
static uint64_t step_of_seek(uint64_t seek, uint64_t steps) {
    uint64_t x = (seek + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 32) % steps;
}

/* Asks the system to keep nothing of the file in memory. */
static void evict(const char *path) {
    int file = open(path, O_RDONLY);
    if (file < 0)
        die("cannot open the recording");
    fsync(file);
#ifdef POSIX_FADV_DONTNEED
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
#endif
    close(file);
}

/* The data for a screen's first picture: the first step of the first warp, and its site. */
static struct trace *open_and_first(const char *path, double *took) {
    struct trace *trace;
    struct trace_warp warp;
    struct trace_step step;
    struct error err = ERROR_INIT;
    double begin = now_us();
    if (trace_open(&trace, path, &err) != 0 || !trace_warp(trace, 0, &warp) ||
        trace_step(trace, trace_warp_step(trace, &warp, 0), &step, &err) != 0 ||
        !trace_site(trace, step.site))
        die(err.text);
    *took = now_us() - begin;
    return trace;
}

/* Seeks to a random step and finds its number among its warp's steps, which a screen shows beside
 * it. */
static void seek_trace(const struct trace *trace, double times[SEEKS]) {
    struct error err = ERROR_INIT;
    for (uint64_t i = 0; i < SEEKS; i++) {
        struct trace_step step;
        struct trace_warp warp;
        uint64_t position, number = step_of_seek(i, trace_step_count(trace));
        double begin = now_us();
        if (trace_step(trace, number, &step, &err) != 0 ||
            !trace_warp_of_step(trace, number, &warp, &position))
            die(err.text);
        times[i] = now_us() - begin;
        if (step.operation.in[5] != (uint32_t)number + 5 ||
            position != number % (WARPS * TURNS) / WARPS)
            die("a step is not what was recorded");
    }
}

static void seek_plainly(const char *path, uint64_t steps, double times[SEEKS]) {
    unsigned char record[SHFLVIZ_RECORD_SIZE(4)];
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        die("cannot read the recording");
    double each = ((double)status.st_size - (double)RECORD_BYTES) / (double)steps;
    for (uint64_t i = 0; i < SEEKS; i++) {
        uint64_t offset = (uint64_t)(each * (double)step_of_seek(i, steps));
        double begin = now_us();
        if (pread(file, record, sizeof(record), (off_t)offset) != (ssize_t)sizeof(record))
            die("cannot read the recording");
        times[i] = now_us() - begin;
    }
    close(file);
}

/* The memory of this process in KiB, without the pages of the mapped recording. */
static long memory_beyond(const char *path) {
    char line[4096];
    long total = 0, size;
    int counts = 1;
    FILE *maps = fopen("/proc/self/smaps", "r");
    if (!maps)
        return -1;
    while (fgets(line, sizeof(line), maps)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            counts = strstr(line, path) == NULL;
        else if (sscanf(line, "Rss: %ld kB", &size) == 1 && counts)
            total += size;
    }
    fclose(maps);
    return total;
}

static void print_memory(const char *path) {
    long memory = memory_beyond(path);
    if (memory >= 0)
        printf("  %-46s %10.1f MiB\n", "memory beyond the mapped file", (double)memory / 1024);
}

static void read_cold(const char *path) {
    static double times[SEEKS];
    double first;
    evict(path);
    struct trace *trace = open_and_first(path, &first);
    printf("not in memory\n");
    printf("  %-46s %10.2f ms\n", "open and first step", first / 1e3);
    seek_trace(trace, times);
    uint64_t steps = trace_step_count(trace);
    print_memory(path);
    trace_close(trace);
    print_times("seek to any step: median, 99 %, longest", times);
    evict(path);
    seek_plainly(path, steps, times);
    print_times("reference: pread() of 512 bytes there", times);
}

/* With all of the file in memory, as after recording. */
static void read_warm(const char *path) {
    static double times[SEEKS];
    static char buffer[1 << 20];
    double first;
    int file = open(path, O_RDONLY);
    while (read(file, buffer, sizeof(buffer)) > 0)
        ;
    close(file);
    struct trace *trace = open_and_first(path, &first);
    printf("in memory\n");
    printf("  %-46s %10.2f ms\n", "open and first step", first / 1e3);
    seek_trace(trace, times);
    print_memory(path);
    uint64_t steps = trace_step_count(trace);
    trace_close(trace);
    print_times("seek to any step: median, 99 %, longest", times);
    seek_plainly(path, steps, times);
    print_times("reference: pread() of 512 bytes there", times);
}

/* A killed run's file, without an index. A screen first asks for a part, and has the rest of the
 * index made while it is idle. */
static void read_killed(const char *path) {
    static double times[SEEKS];
    struct trace *trace;
    struct trace_step step;
    struct error err = ERROR_INIT;
    double begin = now_us();
    if (trace_open(&trace, path, &err) != 0 || trace_step(trace, 0, &step, &err) != 0)
        die(err.text);
    double opened = now_us();
    trace_warp_count(trace);
    double asked = now_us();
    while (trace_warps_list(trace, 1 << 16))
        continue;
    double indexed = now_us();
    printf("in memory, as a killed run leaves it: no index in the file\n");
    printf("  %-46s %10.2f ms\n", "open and first step", (opened - begin) / 1e3);
    printf("  %-46s %10.2f ms\n", "first question about warps", (asked - opened) / 1e3);
    printf("  %-46s %10.0f ms\n", "making the index of all steps, once", (indexed - asked) / 1e3);
    print_memory(path);
    seek_trace(trace, times);
    print_times("seek to any step: median, 99 %, longest", times);
    if (trace_warp_count(trace) != (block_of(trace_step_count(trace) - 1) + 1) * WARPS)
        die("the index is wrong");
    trace_close(trace);
}

/* In a fresh process, with nothing mapped and nothing allocated. */
static void in_fresh_process(const char *self, const char *how, const char *path) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, how, path, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        unlink(path);
        die("the reading process failed");
    }
}

/* The file that a killed run leaves at path. */
static void write_and_die(const char *path, uint64_t steps) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        write_recording(path, "", steps, END_KILLED);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        die("the process that writes and is killed failed");
}

static void print_size(const char *path, uint64_t steps) {
    struct stat status;
    if (stat(path, &status) == 0)
        printf("  %-46s %10.1f bytes a step\n", "the file, with its index",
               (double)status.st_size / (double)steps);
}

/* ---- all of it ---- */

/* Uses fewer steps if the disk does not have room. */
static uint64_t steps_that_fit(const char *folder, uint64_t steps) {
    struct statvfs disk;
    /* in addition to the record: its index entry, and twice its size while the index is sorted */
    const uint64_t step_bytes = RECORD_BYTES + 3 * sizeof(struct trace_file_run);
    if (statvfs(folder, &disk) != 0)
        die("cannot ask how much room there is");
    uint64_t room = (uint64_t)disk.f_bavail * disk.f_frsize / 10 * 9;
    if (room / step_bytes >= steps)
        return steps;
    printf("%s has room for %" PRIu64 " steps, not for %" PRIu64 ": figures are for fewer\n",
           folder, room / step_bytes, steps);
    return room / step_bytes;
}

int main(int argc, char **argv) {
    char path[4096];
    if (argc == 3 && strcmp(argv[1], "--cold") == 0)
        return read_cold(argv[2]), 0;
    if (argc == 3 && strcmp(argv[1], "--warm") == 0)
        return read_warm(argv[2]), 0;
    if (argc == 3 && strcmp(argv[1], "--killed") == 0)
        return read_killed(argv[2]), 0;

    if ((argc == 4 || argc == 5) && strcmp(argv[1], "--gather") == 0) {
        const uint64_t gathered = strtoull(argv[2], NULL, 10);
        snprintf(path, sizeof(path), "%s/trace_bench-%ld.svt", argv[3], (long)getpid());
        if (argc == 5)
            return gather_recording(path, gathered, (unsigned)strtoul(argv[4], NULL, 10)), 0;
        return gather_by_all(path, gathered), 0;
    }

    const char *folder = argc > 2 ? argv[2] : getenv("TMPDIR");
    uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    if (!folder || !folder[0])
        folder = "/tmp";
    steps = steps_that_fit(folder, steps);
    if (steps == 0)
        die("usage: trace_bench [STEPS [FOLDER]], with room for a step at least");
    snprintf(path, sizeof(path), "%s/trace_bench-%ld.svt", folder, (long)getpid());
    printf("a recording of %" PRIu64 " steps in %s\n", steps, folder);
    printf("writing\n");
    gather_by_all(path, steps);
    write_plainly(path, steps);
    write_recording(path, "to the file", steps, END_CLOSED);
    write_recording(NULL, "to memory, a tenth of the steps", (steps + 9) / 10, END_CLOSED);
    print_size(path, steps);
    in_fresh_process(argv[0], "--cold", path);
    in_fresh_process(argv[0], "--warm", path);
    write_and_die(path, steps);
    in_fresh_process(argv[0], "--killed", path);
    unlink(path);
    return 0;
}
