/*
 * live.c - changes to a displayed launch, on a device that is kept from run to run: checks each run
 * against the rules, and prints its time.
 *
 *     gpu_live gpu|cpu
 *
 * Exits with 0 if everything agrees, 1 if something differs, 77 if there is no such device.
 */
#include "device/device.h"
#include "launch/launch.h"
#include "launch/request.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SKIPPED 77
#define RUNS    400

static double milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Every lane with a defined result has the result that the rules give; each passes its number. */
static int agrees(const struct trace *trace, const char *line) {
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct error err = ERROR_INIT;
    if (trace_step_count(trace) == 0 || trace_step(trace, 0, &step, &err) != 0) {
        printf("DIFFERS  %s: no step\n", line);
        return 0;
    }
    warp_outcome(&step.operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (outcome[lane].has_value && step.operation.out[lane] != outcome[lane].value) {
            printf("DIFFERS  %s: lane %d\n", line, lane);
            return 0;
        }
    return 1;
}

/* True if the recording has the right kind of device, and the matching word for it. */
static int is_marked(const struct trace *trace, const char *device) {
    const char *recorded = trace_note(trace, TRACE_NOTE_RECORDED);
    return recorded && strcmp(recorded, strcmp(device, "gpu") == 0 ? "measured" : "emulated") == 0;
}

static int run_line(const char *line, const char *device, struct device_cache *kept,
                    double *milliseconds) {
    struct request request;
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    const double begin = milliseconds_now();
    if (request_read(&request, line, DEVICE_CPU, &err) != 0) {
        printf("DIFFERS  %s: %s\n", line, err.text);
        return 0;
    }
    request.launch.device.kept = kept;
    const int status = launch_record(&request.launch, &trace, &err);
    *milliseconds = milliseconds_now() - begin;
    const int good = status == 0 && is_marked(trace, device) && agrees(trace, line);
    if (status != 0)
        printf("DIFFERS  %s: %s\n", line, err.text);
    trace_close(trace);
    request_release(&request);
    return good;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    static const char *const calls[] = {"idx --src", "up --delta", "down --delta", "xor --mask"};
    static const char *const types[] = {"int", "double", "half", "unsigned"};
    static double times[RUNS];
    struct device_cache kept = {NULL, NULL};
    struct error err = ERROR_INIT;
    double first = 0;
    int good = 0;
    const char *device = argc == 2 ? argv[1] : "";
    if (strcmp(device, "gpu") != 0 && strcmp(device, "cpu") != 0) {
        fputs("usage: gpu_live gpu|cpu\n", stderr);
        return 2;
    }
    if (!device_available(strcmp(device, "gpu") == 0 ? DEVICE_GPU : DEVICE_CPU, &err)) {
        printf("skipped: %s\n", err.text);
        return SKIPPED;
    }
    for (int i = 0; i < RUNS; i++) {
        char line[160];
        snprintf(line, sizeof line, "%s %d --width %d --type %s --threads %d --device %s",
                 calls[i % 4], i % 37, 1 << i / 4 % 6, types[i / 16 % 4], 32 + 32 * (i % 3),
                 device);
        good += run_line(line, device, &kept, &times[i]);
    }
    first = times[0];
    device_cache_release(&kept);
    qsort(times, RUNS, sizeof *times, by_size);
    printf("%d of %d changes on the %s agree with the rules\n", good, RUNS, device);
    printf("first %.1f ms, median %.2f ms, 99th percentile %.2f ms, slowest %.1f ms\n", first,
           times[RUNS / 2], times[RUNS * 99 / 100], times[RUNS - 1]);
    return good == RUNS ? 0 : 1;
}
