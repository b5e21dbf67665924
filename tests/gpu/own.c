/*
 * gpu_own FOLDER FILE.cu...: user programs, recorded on the GPU and on the CPU warp the way
 * `shflviz run` records them; compares the two. Needs no terminal and no test library, so that
 * it can be built where there is a GPU and little else. Recordings go to FOLDER. The result of the
 * program "activemask" is up to the hardware: a difference there is reported, but is not a failure.
 * Exits with 0, 1, or 77 where there is no GPU.
 */
#include "base/text.h"
#include "explain/findings/difference.h"
#include "explain/findings/finding.h"
#include "launch/program/user_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    const char *file, *name; /* the path, and the name without folder and extension */
    bool failed;
    bool lacks_cpu; /* clang or LLVM is missing, without which nothing is built for the CPU warp */
    uint64_t disagree; /* steps whose values break the rules */
};

static void fail(struct checking *checking, const char *what) {
    printf("%s: FAILED: %s\n", checking->name, what);
    checking->failed = true;
}

static void count_finding(void *context, const struct finding *finding) {
    struct checking *checking = context;
    if (strcmp(finding->rule, "recording_disagrees") == 0)
        checking->disagree++;
}

/* Records on one device. NULL if that failed; *status is the program's. */
static struct trace *record(struct checking *checking, const char *folder, enum device_kind device,
                            const struct device_options *options, int *status) {
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    struct text output = TEXT_INIT;
    char *files[] = {(char *)checking->file, NULL};
    text_append_format(&output, "%s/own-%s-%s.svt", folder, checking->name,
                       device == DEVICE_GPU ? "gpu" : "cpu");
    struct user_request request = {.files = files,
                                   .file_count = 1,
                                   .device = device,
                                   .run.settings = options->settings,
                                   .output = output.data};
    request.run.settings.limits.seconds = 60;
    remove(output.data);
    const bool recorded = user_record(&request, &trace, status, &err) == 0;
    checking->lacks_cpu = !recorded && device == DEVICE_CPU && err.kind == ERROR_MISSING;
    if (checking->lacks_cpu)
        printf("%s: not held against the CPU warp: no clang and LLVM here\n", checking->name);
    else if (!recorded)
        fail(checking, err.text);
    text_release(&output);
    return trace;
}

static const char *note_of(const struct trace *trace, const char *key) {
    const char *value = trace_note(trace, key);
    return value ? value : "";
}

static void check_gpu(struct checking *checking, const struct trace *trace) {
    struct error err = ERROR_INIT;
    if (strcmp(note_of(trace, TRACE_NOTE_DEVICE), "gpu") != 0)
        fail(checking, "not recorded on a GPU");
    if (!trace_is_complete(trace))
        fail(checking, "the recording was cut short");
    if (trace_note(trace, TRACE_NOTE_FAILURE))
        fail(checking, trace_note(trace, TRACE_NOTE_FAILURE));
    checking->disagree = 0;
    if (findings_walk(trace, count_finding, checking, NULL, &err) != 0)
        fail(checking, err.text);
    if (checking->disagree)
        fail(checking, "steps that the rules do not allow");
}

static void compare_output(struct checking *checking, struct trace *const traces[2]) {
    struct text text[2];
    for (int i = 0; i < 2; i++) {
        text_init(&text[i]);
        for (size_t n = 0; trace_output(traces[i], n); n++)
            text_append(&text[i], trace_output(traces[i], n)->text);
    }
    if (strcmp(text[0].data, text[1].data) != 0)
        fail(checking, "printed something else");
    text_release(&text[0]);
    text_release(&text[1]);
}

static void compare(struct checking *checking, struct trace *const traces[2]) {
    const struct trace *const both[2] = {traces[0], traces[1]};
    struct difference difference;
    struct error err = ERROR_INIT;
    if (trace_launch_count(traces[0]) != trace_launch_count(traces[1]))
        fail(checking, "another number of launches");
    if (trace_dropped(traces[0]) != trace_dropped(traces[1]))
        fail(checking, "another number of steps beyond the limit");
    if (difference_find(both, &difference, &err) != 0) {
        fail(checking, err.text);
        return;
    }
    printf("%s: %" PRIu64 " steps on the GPU (%s), %" PRIu64 " on the CPU warp, %" PRIu64
           " differ\n",
           checking->name, difference.compared[0], note_of(traces[0], TRACE_NOTE_NAME),
           difference.compared[1], difference.steps);
    if (difference.kind == DIFFERENCE_NONE)
        return;
    printf("%s: first difference: kind %d, launch %" PRIu32 ", block %" PRIu64 ", warp %" PRIu32
           ", operation %" PRIu64 ", lanes 0x%08" PRIx32 "\n",
           checking->name, (int)difference.kind, difference.warp.launch, difference.warp.block,
           difference.warp.warp, difference.position, difference.lanes);
    if (!strstr(checking->name, "activemask"))
        fail(checking, "the devices differ");
}

/* The devices may reach a step limit at different steps: then only the counts are compared. */
static bool run_one(const char *folder, const char *path, const char *variant,
                    const struct device_options *options) {
    const char *slash = strrchr(path, '/');
    struct text name = TEXT_INIT;
    text_append_format(&name, "%.*s%s", (int)strcspn(slash ? slash + 1 : path, "."),
                       slash ? slash + 1 : path, variant);
    struct checking checking = {.file = path, .name = name.data};
    int status[2] = {-1, -1};
    struct trace *traces[2] = {record(&checking, folder, DEVICE_GPU, options, &status[0]),
                               record(&checking, folder, DEVICE_CPU, options, &status[1])};
    if (!checking.lacks_cpu && status[0] != status[1]) {
        printf("%s: exit status %d on the GPU, %d on the CPU warp\n", name.data, status[0],
               status[1]);
        fail(&checking, "another exit status");
    }
    if (traces[0])
        check_gpu(&checking, traces[0]);
    if (traces[0] && traces[1] && options->settings.step_limit) {
        if (trace_step_count(traces[0]) != options->settings.step_limit ||
            trace_dropped(traces[0]) != trace_dropped(traces[1]))
            fail(&checking, "the limit of steps was not kept");
    } else if (traces[0] && traces[1]) {
        compare(&checking, traces);
        compare_output(&checking, traces);
    }
    trace_close(traces[0]);
    trace_close(traces[1]);
    text_release(&name);
    fflush(stdout);
    return !checking.failed;
}

int main(int argc, char **argv) {
    static const struct device_options all, few = {.settings.step_limit = 3};
    static const struct device_options warp = {
        .settings.watch = {.parts = SHFLVIZ_FILTER_WARPS, .warp_first = 1, .warp_last = 1}};
    static const struct device_options kernel = {
        .settings.watch = {.parts = SHFLVIZ_FILTER_KERNEL, .kernel = "sum"}};
    struct error err = ERROR_INIT;
    int failed = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: gpu_own FOLDER FILE.cu...\n");
        return 2;
    }
    if (!device_available(DEVICE_GPU, &err)) {
        printf("no GPU: %s\n", err.text);
        return 77;
    }
    for (int i = 2; i < argc; i++) {
        failed += !run_one(argv[1], argv[i], "", &all);
        if (!strstr(argv[i], "block_sum"))
            continue;
        failed += !run_one(argv[1], argv[i], "-warp", &warp);
        failed += !run_one(argv[1], argv[i], "-kernel", &kernel);
        failed += !run_one(argv[1], argv[i], "-steps", &few);
    }
    printf("%d of %d programs failed\n", failed, argc - 2);
    return failed ? 1 : 0;
}
