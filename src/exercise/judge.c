/*
 * A verdict can have many causes, which are reported in a fixed order, starting with the one that
 * the learner must know about first. So each stage, from building to the means used, either ends
 * the judging or passes on to the next.
 */
#include "exercise/judge.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "cudacpu/cudacpu.h"
#include "exercise/means.h"
#include "exercise/verdict.h"
#include "trace/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRINTED_MOST  4000 /* bytes of a learner's output that are kept, from its end */
#define SECONDS       20
#define RESULTS_BYTES (1 << 20)
#define STEPS_MOST    (UINT64_C(1) << 17)

/* The learner's program may have replaced the file. */
static void read_results(struct test_results *results, const char *path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *bytes = memory_zeroed(RESULTS_BYTES + 1, 1);
    ssize_t length = descriptor < 0 ? 0 : read(descriptor, bytes, RESULTS_BYTES);
    if (descriptor >= 0)
        close(descriptor);
    if (length > 0)
        test_results_read(results, bytes);
    free(bytes);
    unlink(path);
}

/* ---- building and running ----
 *
 * A run consists of two processes of one program. In the first, the kernels run, and the answer may
 * corrupt its memory; this process leaves a recording, accesses, and the results. The second
 * launches nothing, so that no line of the answer runs in it; it makes the same values from the
 * seed, compares the results, and reports the basis of the verdict (shflviz/exercise.cuh). */

struct trying {
    const struct exercise *exercise;
    const struct judging *judging;
    struct verdict *verdict;
    struct user_program program;
    char *results_path, *outputs_path;
    struct stat built; /* the program's file before anything ran, to notice a replacement */
    struct text printed;
    struct recording_file recording; /* for judging->output */
    bool is_kept;                    /* at its path, or at the one that the error names */
};

static void keep_end(struct text *printed) {
    if (printed->length <= PRINTED_MOST)
        return;
    memmove(printed->data, printed->data + printed->length - PRINTED_MOST, PRINTED_MOST + 1);
    printed->length = PRINTED_MOST;
}

static void take_printed(void *context, int stream, const char *bytes, size_t count) {
    struct trying *trying = context;
    (void)stream;
    text_append_bytes(&trying->printed, bytes, count);
    if (trying->printed.length > 16 * PRINTED_MOST)
        keep_end(&trying->printed);
}

/* Names a function that the test declares and the file does not define: the linker's message would
 * be misleading. */
static void tell_missing(struct error *failed, const char *path) {
    static const char words[] = "undefined reference to `";
    const char *found = strstr(failed->text, words);
    char name[160];
    if (!found)
        return;
    found += strlen(words);
    utf8_format(name, sizeof name, "%.*s", (int)strcspn(found, "'"), found);
    /* The instrumenter's mark, as linkers show it: " [clone .missing]", " (.missing)". */
    char *mark = strstr(name, " [clone .missing");
    if (mark || (mark = strstr(name, " (.missing")))
        *mark = '\0';
    error_set(failed, ERROR_USAGE,
              _("%s does not define %s, which the test calls\n"
                "try: keep the name and the parameters that the skeleton has"),
              path, name);
}

/* With `details` the program reports lines, variables and origins, and no accesses. */
static int build_as(struct trying *trying, bool details, struct error *failed) {
    const struct judging *judging = trying->judging;
    struct text text = TEXT_INIT, harness = TEXT_INIT, name = TEXT_INIT;
    text_append(&text, judging->text);
    text_append(&harness, trying->exercise->harness);
    text_append_format(&name, "%s/harness.cu", trying->exercise->name);
    const struct user_source source = {judging->path, file_base_name(judging->path), &text};
    const struct user_source before = {name.data, name.data, &harness};
    const struct user_build build = {.sources = &source,
                                     .source_count = 1,
                                     .before = &before,
                                     .is_submission = true,
                                     .no_memory = trying->exercise->no_memory,
                                     .accesses = !details,
                                     .access_steps = !details && means_accesses(trying->exercise)
                                                         ? RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL
                                                         : 0,
                                     .lines = details,
                                     .origins = details,
                                     .confined = judging->settings.confined,
                                     .limits = confine_limits(CONFINE_COMPILER)};
    const int status = user_program_build(&trying->program, &build, failed);
    text_release(&text);
    text_release(&harness);
    text_release(&name);
    return status;
}

static int build(struct trying *trying, struct error *err) {
    struct error failed = ERROR_INIT;
    const int status = build_as(trying, false, &failed);
    if (status == 0 || failed.kind == ERROR_MISSING) {
        *err = failed;
        return status;
    }
    tell_missing(&failed, trying->judging->path);
    trying->verdict->kind = failed.kind == ERROR_USAGE ? VERDICT_NOT_COMPILED : VERDICT_UNFINISHED;
    trying->verdict->text = memory_string(failed.text);
    return 0;
}

static int copy_recording(struct trying *trying, int from, struct error *err) {
    char *bytes = memory_alloc(1 << 16);
    ssize_t count;
    off_t at = 0;
    int status = 0;
    while (status == 0 && (count = pread(from, bytes, 1 << 16, at)) > 0) {
        for (ssize_t done = 0, now = 0; status == 0 && done < count; done += now)
            if ((now = write(trying->recording.descriptor, bytes + done, (size_t)(count - done))) <
                0)
                status = recording_error_write(err, errno, trying->judging->output, NULL);
        at += count;
    }
    if (status == 0 && count < 0)
        status = recording_error_write(err, errno, trying->judging->output, NULL);
    free(bytes);
    if (status != 0)
        return status;
    trying->is_kept = true;
    return recording_file_commit(&trying->recording, false, err);
}

/* A run that is ready to start. It points into itself and is not copied. */
struct attempt {
    struct user_run run;
    char seed[32];
    char *arguments[5];
};

static void attempt_init(struct attempt *attempt, struct trying *trying, unsigned number) {
    const struct judging *judging = trying->judging;
    struct run_settings settings = judging->settings;
    settings.schedule += number;
    settings.step_limit = STEPS_MOST;
    settings.limits = confine_limits_given(&settings.limits, CONFINE_PROGRAM);
    if (!judging->settings.limits.seconds)
        settings.limits.seconds = SECONDS;
    snprintf(attempt->seed, sizeof attempt->seed, "%" PRIu64, trying->verdict->seed + number);
    attempt->arguments[0] = trying->results_path;
    attempt->arguments[1] = attempt->seed;
    attempt->arguments[2] = "run";
    attempt->arguments[3] = trying->outputs_path;
    attempt->arguments[4] = NULL;
    attempt->run = (struct user_run){.called = judging->path,
                                     .arguments = attempt->arguments,
                                     .title = judging->path,
                                     .settings = settings,
                                     .readable = judging->readable,
                                     .input = -1,
                                     .output = take_printed,
                                     .output_context = trying};
}

static bool is_as_built(const struct trying *trying) {
    struct stat now;
    const struct stat *then = &trying->built;
    return lstat(trying->program.path, &now) == 0 && now.st_dev == then->st_dev &&
           now.st_ino == then->st_ino && now.st_size == then->st_size &&
           now.st_ctim.tv_sec == then->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == then->st_ctim.tv_nsec;
}

static void ignore_printed(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

/* Runs the second process. `ran` says how the first one ended; if it failed, that error is kept, as
 * the second process can only report its consequences. */
static void compare_outputs(struct trying *trying, unsigned number, struct test_results *results,
                            struct error *ran) {
    struct attempt attempt;
    struct error failed = ERROR_INIT;
    struct test_results first = {0};
    int exit_status = 0;
    char *nowhere = private_folder_path(&trying->program.folder, "not-recorded");
    read_results(&first, trying->results_path);
    attempt_init(&attempt, trying, number);
    attempt.arguments[2] = "judge";
    attempt.run.trace_path = nowhere;
    attempt.run.output = ignore_printed;
    if (is_as_built(trying))
        user_program_run(&trying->program, &attempt.run, &exit_status, &failed);
    else
        error_set(&failed, ERROR_RUN, _("the program has replaced itself with another"));
    read_results(results, trying->results_path);
    if (ran->kind == ERROR_NONE)
        *ran = failed;
    if (first.error && !results->wrong) {
        free(results->error);
        results->error = first.error;
        first.error = NULL;
    }
    test_results_release(&first);
    unlink(trying->outputs_path);
    unlink(nowhere);
    free(nowhere);
}

/* One run. The verdict gets its recording if it is the first, or the one that failed. */
static int run_once(struct trying *trying, unsigned number, int *descriptor, struct error *err) {
    struct verdict *verdict = trying->verdict;
    struct attempt attempt;
    attempt_init(&attempt, trying, number);
    const struct user_run *run = &attempt.run;
    const uint64_t schedule = run->settings.schedule;
    struct error failed = ERROR_INIT, unread = ERROR_INIT;
    struct test_results results = {0};
    struct program_accesses accesses = {0};
    struct trace *trace = NULL;
    int exit_status = 0, file;
    user_program_run(&trying->program, run, &exit_status, &failed);
    user_program_open(&trying->program, &trace, &file, &unread);
    const bool accessed = program_accesses_are_there(&trying->program) &&
                          program_accesses_read(&trying->program, &accesses, &unread) == 0;
    compare_outputs(trying, number, &results, &failed);
    if (trace) {
        const bool unused =
            failed.kind == ERROR_NONE && user_program_ignores(&trying->program, run, &trace);
        if (!unused) /* the run then fails, and shows the marks */
            user_program_follow(&trying->program, run, &trace);
        unlink(trying->results_path);
        unlink(trying->outputs_path);
    }
    unlink(trying->program.recording); /* the next run has another file */
    int status =
        trace ? check_recording(&verdict->report, trace, accesses.unset, schedule, err) : 0;
    if (accessed)
        check_accesses(&verdict->report, trace, &accesses, schedule);
    program_accesses_release(&accesses);
    if (number == 0) {
        keep_end(&trying->printed);
        verdict->printed = text_detach(&trying->printed);
    }
    text_clear(&trying->printed);
    const struct run_end end = {&results, trace, schedule, &failed, exit_status, accessed, &unread};
    if (status == 0)
        status = verdict_take(verdict, trying->exercise, &end, err);
    test_results_release(&results);
    *descriptor = file;
    return status;
}

/* The first run again, with accesses in its recording. */
static void run_accesses(struct trying *trying) {
    struct attempt attempt;
    struct error ignored = ERROR_INIT;
    struct trace *trace = NULL;
    int exit_status, file = -1;
    attempt_init(&attempt, trying, 0);
    attempt.run.settings.accesses = RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL;
    user_program_run(&trying->program, &attempt.run, &exit_status, &ignored);
    unlink(trying->results_path);
    unlink(trying->outputs_path);
    user_program_open(&trying->program, &trace, &file, &ignored);
    unlink(trying->program.recording);
    if (file >= 0)
        close(file);
    text_clear(&trying->printed);
    char *why = trace ? means_judge_accesses(trying->exercise, trace) : NULL;
    if (why)
        verdict_other_means(trying->verdict, why);
    trace_close(trace);
}

static int run_all(struct trying *trying, struct error *err) {
    const unsigned runs = trying->judging->runs ? trying->judging->runs : JUDGING_RUNS;
    int status = 0;
    for (unsigned i = 0; status == 0 && i < runs; i++) {
        int descriptor;
        progress_line_say(_("run %u of %u"), i + 1, runs);
        status = run_once(trying, i, &descriptor, err);
        const bool is_last = i + 1 == runs || trying->verdict->kind != VERDICT_PASSED;
        if (status == 0 && is_last && trying->judging->output && descriptor >= 0)
            status = copy_recording(trying, descriptor, err);
        if (descriptor >= 0)
            close(descriptor);
        if (is_last)
            break;
    }
    if (status == 0 && trying->verdict->kind == VERDICT_PASSED && means_accesses(trying->exercise))
        run_accesses(trying);
    return status;
}

int exercise_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err) {
    struct trying trying = {.exercise = exercise, .judging = judging, .verdict = verdict};
    text_init(&trying.printed);
    *verdict = (struct verdict){0};
    verdict->seed = judging->has_seed ? judging->seed : judging_draw_seed();
    if (judging->output && recording_file_open(&trying.recording, judging->output, false, err) != 0)
        return -1;
    progress_line_begin(_("building"));
    int status = build(&trying, err);
    if (status == 0 && verdict->kind == VERDICT_PASSED) {
        trying.results_path = private_folder_path(&trying.program.folder, "results");
        trying.outputs_path = private_folder_path(&trying.program.folder, "outputs");
        if (lstat(trying.program.path, &trying.built) == 0)
            status = run_all(&trying, err);
        else
            status =
                error_set_errno(err, ERROR_RUN, errno, _("cannot read %s"), trying.program.path);
        free(trying.outputs_path);
        free(trying.results_path);
    }
    check_report_arrange(&verdict->report);
    progress_line_end();
    if (judging->output) {
        if (!trying.is_kept)
            recording_file_discard(&trying.recording);
        recording_file_release(&trying.recording);
    }
    text_release(&trying.printed);
    if (!verdict->printed)
        verdict->printed = memory_string("");
    user_program_release(&trying.program); /* last, because a pending signal may end the process */
    return status;
}

int exercise_record_details(const struct exercise *exercise, const struct judging *judging,
                            const struct verdict *verdict, struct trace **trace,
                            struct error *err) {
    struct verdict same = {.seed = verdict->seed};
    struct trying trying = {.exercise = exercise, .judging = judging, .verdict = &same};
    struct error unread = ERROR_INIT;
    *trace = NULL;
    text_init(&trying.printed);
    progress_line_begin(_("building"));
    int status = build_as(&trying, true, err);
    if (status == 0) {
        struct attempt attempt;
        int exit_status, file = -1;
        trying.results_path = private_folder_path(&trying.program.folder, "results");
        trying.outputs_path = private_folder_path(&trying.program.folder, "outputs");
        attempt_init(&attempt, &trying, (unsigned)(verdict->schedule - judging->settings.schedule));
        attempt.run.settings.lines = attempt.run.settings.origins = true;
        status = user_program_run(&trying.program, &attempt.run, &exit_status, err);
        if (user_program_open(&trying.program, trace, &file, &unread) == 0)
            status = 0; /* what was recorded before a crash can still be shown */
        if (file >= 0)
            close(file);
        free(trying.outputs_path);
        free(trying.results_path);
    }
    progress_line_end();
    text_release(&trying.printed);
    user_program_release(&trying.program);
    return status;
}
