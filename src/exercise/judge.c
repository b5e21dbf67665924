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

struct trial {
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

static void collect_output(void *context, int stream, const char *bytes, size_t count) {
    struct trial *trial = context;
    (void)stream;
    text_append_bytes(&trial->printed, bytes, count);
    if (trial->printed.length > 16 * PRINTED_MOST)
        keep_end(&trial->printed);
}

/* Names a function that the test declares and the file does not define: the linker's message would
 * be misleading. */
static void report_missing(struct error *failed, const char *path) {
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
static int build_variant(struct trial *trial, bool details, struct error *failed) {
    const struct judging *judging = trial->judging;
    struct text text = TEXT_INIT, harness = TEXT_INIT, name = TEXT_INIT;
    text_append(&text, judging->text);
    text_append(&harness, trial->exercise->harness);
    text_append_format(&name, "%s/harness.cu", trial->exercise->name);
    const struct user_source source = {judging->path, file_base_name(judging->path), &text};
    const struct user_source before = {name.data, name.data, &harness};
    const struct user_build build = {.sources = &source,
                                     .source_count = 1,
                                     .before = &before,
                                     .is_submission = true,
                                     .no_memory = trial->exercise->no_memory,
                                     .accesses = !details,
                                     .access_steps = !details && means_accesses(trial->exercise)
                                                         ? RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL
                                                         : 0,
                                     .lines = details,
                                     .origins = details,
                                     .confined = judging->settings.confined,
                                     .limits = confine_limits(CONFINE_COMPILER)};
    const int status = user_program_build(&trial->program, &build, failed);
    text_release(&text);
    text_release(&harness);
    text_release(&name);
    return status;
}

static int build(struct trial *trial, struct error *err) {
    struct error failed = ERROR_INIT;
    const int status = build_variant(trial, false, &failed);
    if (status == 0 || failed.kind == ERROR_MISSING) {
        *err = failed;
        return status;
    }
    report_missing(&failed, trial->judging->path);
    trial->verdict->kind = failed.kind == ERROR_USAGE ? VERDICT_NOT_COMPILED : VERDICT_UNFINISHED;
    trial->verdict->text = memory_string(failed.text);
    return 0;
}

static int copy_recording(struct trial *trial, int from, struct error *err) {
    char *bytes = memory_alloc(1 << 16);
    ssize_t count;
    off_t at = 0;
    int status = 0;
    while (status == 0 && (count = pread(from, bytes, 1 << 16, at)) > 0) {
        for (ssize_t done = 0, now = 0; status == 0 && done < count; done += now)
            if ((now = write(trial->recording.descriptor, bytes + done, (size_t)(count - done))) <
                0)
                status = recording_error_write(err, errno, trial->judging->output, NULL);
        at += count;
    }
    if (status == 0 && count < 0)
        status = recording_error_write(err, errno, trial->judging->output, NULL);
    free(bytes);
    if (status != 0)
        return status;
    trial->is_kept = true;
    return recording_file_commit(&trial->recording, false, err);
}

/* A run that is ready to start. It points into itself and is not copied. */
struct attempt {
    struct user_run run;
    char seed[32];
    char *arguments[5];
};

static void attempt_init(struct attempt *attempt, struct trial *trial, unsigned number) {
    const struct judging *judging = trial->judging;
    struct run_settings settings = judging->settings;
    settings.schedule += number;
    settings.step_limit = STEPS_MOST;
    settings.limits = confine_limits_given(&settings.limits, CONFINE_PROGRAM);
    if (!judging->settings.limits.seconds)
        settings.limits.seconds = SECONDS;
    snprintf(attempt->seed, sizeof attempt->seed, "%" PRIu64, trial->verdict->seed + number);
    attempt->arguments[0] = trial->results_path;
    attempt->arguments[1] = attempt->seed;
    attempt->arguments[2] = "run";
    attempt->arguments[3] = trial->outputs_path;
    attempt->arguments[4] = NULL;
    attempt->run = (struct user_run){.called = judging->path,
                                     .arguments = attempt->arguments,
                                     .title = judging->path,
                                     .settings = settings,
                                     .readable = judging->readable,
                                     .input = -1,
                                     .output = collect_output,
                                     .output_context = trial};
}

static bool is_unmodified(const struct trial *trial) {
    struct stat now;
    const struct stat *then = &trial->built;
    return lstat(trial->program.path, &now) == 0 && now.st_dev == then->st_dev &&
           now.st_ino == then->st_ino && now.st_size == then->st_size &&
           now.st_ctim.tv_sec == then->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == then->st_ctim.tv_nsec;
}

static void ignore_printed(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

/* Runs the second process. `ran` says how the first one ended; if it failed, that error is kept, as
 * the second process can only report its consequences. */
static void compare_outputs(struct trial *trial, unsigned number, struct test_results *results,
                            struct error *ran) {
    struct attempt attempt;
    struct error failed = ERROR_INIT;
    struct test_results first = {0};
    int exit_status = 0;
    char *nowhere = private_folder_path(&trial->program.folder, "not-recorded");
    read_results(&first, trial->results_path);
    attempt_init(&attempt, trial, number);
    attempt.arguments[2] = "judge";
    attempt.run.trace_path = nowhere;
    attempt.run.output = ignore_printed;
    if (is_unmodified(trial))
        user_program_run(&trial->program, &attempt.run, &exit_status, &failed);
    else
        error_set(&failed, ERROR_RUN, _("the program has replaced itself with another program"));
    read_results(results, trial->results_path);
    if (ran->kind == ERROR_NONE)
        *ran = failed;
    if (first.error && !results->wrong) {
        free(results->error);
        results->error = first.error;
        first.error = NULL;
    }
    test_results_release(&first);
    unlink(trial->outputs_path);
    unlink(nowhere);
    free(nowhere);
}

/* One run. The verdict gets its recording if it is the first, or the one that failed. */
static int run_once(struct trial *trial, unsigned number, int *descriptor, struct error *err) {
    struct verdict *verdict = trial->verdict;
    struct attempt attempt;
    attempt_init(&attempt, trial, number);
    const struct user_run *run = &attempt.run;
    const uint64_t schedule = run->settings.schedule;
    struct error failed = ERROR_INIT, unread = ERROR_INIT;
    struct test_results results = {0};
    struct program_accesses accesses = {0};
    struct trace *trace = NULL;
    int exit_status = 0, file;
    user_program_run(&trial->program, run, &exit_status, &failed);
    user_program_open(&trial->program, &trace, &file, &unread);
    const bool accessed = program_accesses_exist(&trial->program) &&
                          program_accesses_read(&trial->program, &accesses, &unread) == 0;
    compare_outputs(trial, number, &results, &failed);
    if (trace) {
        const bool unused =
            failed.kind == ERROR_NONE && user_program_ignores_poison(&trial->program, run, &trace);
        if (!unused) /* the run then fails, and shows the marks */
            user_program_follow(&trial->program, run, &trace);
        unlink(trial->results_path);
        unlink(trial->outputs_path);
    }
    unlink(trial->program.recording); /* the next run has another file */
    int status =
        trace ? check_recording(&verdict->report, trace, accesses.unset, schedule, err) : 0;
    if (accessed)
        check_accesses(&verdict->report, trace, &accesses, schedule);
    program_accesses_release(&accesses);
    if (number == 0) {
        keep_end(&trial->printed);
        verdict->printed = text_detach(&trial->printed);
    }
    text_clear(&trial->printed);
    const struct run_end end = {&results, trace, schedule, &failed, exit_status, accessed, &unread};
    if (status == 0)
        status = verdict_add_run(verdict, trial->exercise, &end, err);
    test_results_release(&results);
    *descriptor = file;
    return status;
}

/* The first run again, with accesses in its recording. */
static void run_accesses(struct trial *trial) {
    struct attempt attempt;
    struct error ignored = ERROR_INIT;
    struct trace *trace = NULL;
    int exit_status, file = -1;
    attempt_init(&attempt, trial, 0);
    attempt.run.settings.accesses = RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL;
    user_program_run(&trial->program, &attempt.run, &exit_status, &ignored);
    unlink(trial->results_path);
    unlink(trial->outputs_path);
    user_program_open(&trial->program, &trace, &file, &ignored);
    unlink(trial->program.recording);
    if (file >= 0)
        close(file);
    text_clear(&trial->printed);
    char *why = trace ? means_judge_accesses(trial->exercise, trace) : NULL;
    if (why)
        verdict_other_means(trial->verdict, why);
    trace_close(trace);
}

static int run_all(struct trial *trial, struct error *err) {
    const unsigned runs = trial->judging->runs ? trial->judging->runs : JUDGING_RUNS;
    int status = 0;
    for (unsigned i = 0; status == 0 && i < runs; i++) {
        int descriptor;
        progress_line_set_text(_("run %u of %u"), i + 1, runs);
        status = run_once(trial, i, &descriptor, err);
        const bool is_last = i + 1 == runs || trial->verdict->kind != VERDICT_PASSED;
        if (status == 0 && is_last && trial->judging->output && descriptor >= 0)
            status = copy_recording(trial, descriptor, err);
        if (descriptor >= 0)
            close(descriptor);
        if (is_last)
            break;
    }
    if (status == 0 && trial->verdict->kind == VERDICT_PASSED && means_accesses(trial->exercise))
        run_accesses(trial);
    return status;
}

int exercise_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err) {
    struct trial trial = {.exercise = exercise, .judging = judging, .verdict = verdict};
    text_init(&trial.printed);
    *verdict = (struct verdict){0};
    verdict->seed = judging->has_seed ? judging->seed : judging_draw_seed();
    if (judging->output && recording_file_open(&trial.recording, judging->output, false, err) != 0)
        return -1;
    progress_line_begin(_("building"));
    int status = build(&trial, err);
    if (status == 0 && verdict->kind == VERDICT_PASSED) {
        trial.results_path = private_folder_path(&trial.program.folder, "results");
        trial.outputs_path = private_folder_path(&trial.program.folder, "outputs");
        if (lstat(trial.program.path, &trial.built) == 0)
            status = run_all(&trial, err);
        else
            status =
                error_set_errno(err, ERROR_RUN, errno, _("cannot read %s"), trial.program.path);
        free(trial.outputs_path);
        free(trial.results_path);
    }
    check_report_arrange(&verdict->report);
    progress_line_end();
    if (judging->output) {
        if (!trial.is_kept)
            recording_file_discard(&trial.recording);
        recording_file_release(&trial.recording);
    }
    text_release(&trial.printed);
    if (!verdict->printed)
        verdict->printed = memory_string("");
    user_program_release(&trial.program); /* last, because a pending signal may end the process */
    return status;
}

int exercise_record_details(const struct exercise *exercise, const struct judging *judging,
                            const struct verdict *verdict, struct trace **trace,
                            struct error *err) {
    struct verdict same = {.seed = verdict->seed};
    struct trial trial = {.exercise = exercise, .judging = judging, .verdict = &same};
    struct error unread = ERROR_INIT;
    *trace = NULL;
    text_init(&trial.printed);
    progress_line_begin(_("building"));
    int status = build_variant(&trial, true, err);
    if (status == 0) {
        struct attempt attempt;
        int exit_status, file = -1;
        trial.results_path = private_folder_path(&trial.program.folder, "results");
        trial.outputs_path = private_folder_path(&trial.program.folder, "outputs");
        attempt_init(&attempt, &trial, (unsigned)(verdict->schedule - judging->settings.schedule));
        attempt.run.settings.lines = attempt.run.settings.origins = true;
        status = user_program_run(&trial.program, &attempt.run, &exit_status, err);
        if (user_program_open(&trial.program, trace, &file, &unread) == 0)
            status = 0; /* what was recorded before a crash can still be shown */
        if (file >= 0)
            close(file);
        free(trial.outputs_path);
        free(trial.results_path);
    }
    progress_line_end();
    text_release(&trial.printed);
    user_program_release(&trial.program);
    return status;
}
