#include "exercise/judge.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "cudacpu/cudacpu.h"
#include "exercise/means.h"
#include "trace/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRINTED_MOST  4000 /* of what a learner's program prints; its end */
#define SECONDS       20
#define RESULTS_BYTES (1 << 20)
#define STEPS_MOST    (UINT64_C(1) << 17)

const char *verdict_name(enum verdict_kind kind) {
    static const char *const names[] = {"passed",      "wrong",        "misuse",
                                        "other_means", "not_compiled", "unfinished"};
    return names[kind];
}

static void drop_cases(char **cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(cases[i]);
    free(cases);
}

void verdict_release(struct verdict *verdict) {
    free(verdict->text);
    drop_cases(verdict->cases_run, verdict->cases_run_count);
    free(verdict->case_name);
    free(verdict->got);
    free(verdict->wanted);
    free(verdict->printed);
    check_report_release(&verdict->report);
    trace_close(verdict->trace);
    *verdict = (struct verdict){0};
}

/* ---- what the test says: lines of fields with tabs between (shflviz/exercise.cuh) ---- */

struct results {
    char *case_name; /* the last that was begun */
    char **names;    /* of all of them */
    unsigned cases;
    bool ended, wrong;
    char *error;
    uint64_t block;
    uint32_t warp, lane;
    int index;
    char *got, *wanted;
};

static void results_release(struct results *results) {
    free(results->case_name);
    drop_cases(results->names, results->names ? results->cases : 0);
    free(results->error);
    free(results->got);
    free(results->wanted);
}

static char *shown(const char *string) {
    struct text text = TEXT_INIT;
    text_append_visible(&text, string ? string : "", UTF8_LINE);
    return text_detach(&text);
}

static char *field(char **rest) {
    char *begin = *rest;
    if (!begin)
        return "";
    *rest = strchr(begin, '\t');
    if (*rest)
        *(*rest)++ = '\0';
    return begin;
}

static void read_result(struct results *results, char *line) {
    const char *what = field(&line);
    if (strcmp(what, "case") == 0) {
        free(results->case_name);
        results->case_name = shown(line);
        results->names = memory_grow(results->names, results->cases + 1, sizeof *results->names);
        results->names[results->cases++] = shown(line);
    } else if (strcmp(what, "end") == 0) {
        results->ended = true;
    } else if (strcmp(what, "error") == 0 && !results->error) {
        results->error = shown(line);
    } else if (strcmp(what, "wrong") == 0 && !results->wrong) {
        results->wrong = true;
        results->block = strtoull(field(&line), NULL, 10);
        results->warp = (uint32_t)strtoul(field(&line), NULL, 10) % 32;
        results->lane = (uint32_t)strtoul(field(&line), NULL, 10) % WARP_LANES;
        results->index = atoi(field(&line));
        results->got = shown(field(&line));
        results->wanted = shown(field(&line));
    }
}

/* The learner's program may have put anything in the file's place. */
static void read_results(struct results *results, const char *path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *bytes = memory_zeroed(RESULTS_BYTES + 1, 1);
    ssize_t length = descriptor < 0 ? 0 : read(descriptor, bytes, RESULTS_BYTES);
    if (descriptor >= 0)
        close(descriptor);
    for (char *line = bytes, *end; length > 0 && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        read_result(results, line);
    }
    free(bytes);
    unlink(path);
}

/* ---- building and running ---- */

struct trying {
    const struct exercise *exercise;
    const struct judging *judging;
    struct verdict *verdict;
    struct own_program program;
    char *results_path;
    struct text printed;
    struct recording_file recording; /* where the recording goes */
    bool is_kept;                    /* it is there, or where the error says */
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

/* What the test declares and the file does not define: the linker's words would lead astray. */
static void tell_missing(struct error *failed, const char *path) {
    static const char words[] = "undefined reference to `";
    const char *found = strstr(failed->text, words);
    char name[160];
    if (!found)
        return;
    found += strlen(words);
    utf8_format(name, sizeof name, "%.*s", (int)strcspn(found, "'"), found);
    error_set(failed, ERROR_USAGE,
              _("%s does not define %s, which the test calls\n"
                "try: keep the name and the parameters that the skeleton has"),
              path, name);
}

static int build(struct trying *trying, struct error *err) {
    const struct judging *judging = trying->judging;
    struct text text = TEXT_INIT, harness = TEXT_INIT, name = TEXT_INIT;
    text_append(&text, judging->text);
    text_append(&harness, trying->exercise->harness);
    text_append_format(&name, "%s/harness.cu", trying->exercise->name);
    const struct own_source source = {judging->path, file_base_name(judging->path), &text};
    const struct own_source before = {name.data, name.data, &harness};
    const struct own_build build = {.sources = &source,
                                    .source_count = 1,
                                    .before = &before,
                                    .accesses = true,
                                    .access_steps = means_accesses(trying->exercise)
                                                        ? RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL
                                                        : 0,
                                    .confined = judging->settings.confined,
                                    .limits = confine_limits(CONFINE_COMPILER)};
    struct error failed = ERROR_INIT;
    int status = own_program_build(&trying->program, &build, &failed);
    text_release(&text);
    text_release(&harness);
    text_release(&name);
    if (status == 0 || failed.kind == ERROR_MISSING) {
        *err = failed;
        return status;
    }
    tell_missing(&failed, judging->path);
    trying->verdict->kind = failed.kind == ERROR_USAGE ? VERDICT_NOT_COMPILED : VERDICT_UNFINISHED;
    trying->verdict->text = memory_string(failed.text);
    return 0;
}

/* How the run ended. Where it failed, which case it was. */
static void judge_end(struct verdict *verdict, const struct results *results,
                      const struct error *failed, int exit_status) {
    if (failed->kind != ERROR_NONE) {
        verdict->kind = VERDICT_UNFINISHED;
        verdict->text = memory_string(failed->text);
    } else if (results->error) {
        const char *note = verdict->trace ? trace_note(verdict->trace, TRACE_NOTE_FAILURE) : NULL;
        verdict->kind = VERDICT_UNFINISHED;
        verdict->text = memory_string(note ? note : results->error);
    } else if (results->wrong) {
        verdict->kind = VERDICT_WRONG;
    } else if (!results->ended || exit_status != 0) {
        verdict->kind = VERDICT_UNFINISHED;
        verdict->text =
            memory_string(_("the program ended before the test had: the file is not to end it"));
    }
    if (verdict->kind == VERDICT_PASSED)
        return;
    verdict->case_name = memory_string(results->case_name ? results->case_name : "");
    verdict->launch = results->cases ? results->cases - 1 : 0;
    verdict->block = results->block;
    verdict->warp = results->warp;
    verdict->lane = results->lane;
    verdict->index = results->index;
    verdict->got = memory_string(results->got ? results->got : "");
    verdict->wanted = memory_string(results->wanted ? results->wanted : "");
}

static void other_means(struct verdict *verdict, char *why) {
    verdict->kind = VERDICT_OTHER_MEANS;
    verdict->text = why;
}

static int copy_recording(struct trying *trying, int from, struct error *err) {
    char *bytes = memory_alloc(1 << 16);
    ssize_t count;
    off_t at = 0;
    int status = 0;
    while (status == 0 && (count = pread(from, bytes, 1 << 16, at)) > 0) {
        if (write(trying->recording.descriptor, bytes, (size_t)count) != count)
            status = recording_error_write(err, errno, trying->judging->output, NULL);
        at += count;
    }
    free(bytes);
    if (status != 0)
        return status;
    trying->is_kept = true;
    return recording_file_commit(&trying->recording, false, err);
}

/* One run. Its recording becomes the verdict's if it is the first, or the one that failed. */
static int run_once(struct trying *trying, unsigned number, int *descriptor, struct error *err) {
    const struct judging *judging = trying->judging;
    struct verdict *verdict = trying->verdict;
    struct run_settings settings = judging->settings;
    settings.schedule += number;
    settings.step_limit = STEPS_MOST;
    settings.limits = confine_limits_given(&settings.limits, CONFINE_PROGRAM);
    if (!judging->settings.limits.seconds)
        settings.limits.seconds = SECONDS;
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, settings.schedule);
    char *const arguments[] = {trying->results_path, seed, NULL};
    const struct own_run run = {.called = judging->path,
                                .arguments = arguments,
                                .title = judging->path,
                                .settings = settings,
                                .readable = judging->readable,
                                .input = -1,
                                .output = take_printed,
                                .output_context = trying};
    struct error failed = ERROR_INIT, unread = ERROR_INIT;
    struct results results = {0};
    struct own_accesses accesses = {0};
    struct trace *trace = NULL;
    int exit_status = 0, file;
    char *why = NULL;
    own_program_run(&trying->program, &run, &exit_status, &failed);
    read_results(&results, trying->results_path);
    own_program_open(&trying->program, &trace, &file, &unread);
    const bool accessed = own_accesses_read(&trying->program, &accesses, &unread) == 0;
    if (trace) {
        const bool unused =
            failed.kind == ERROR_NONE && own_program_ignores(&trying->program, &run, &trace);
        if (!unused) /* shown if it fails, as it then does */
            own_program_follow(&trying->program, &run, &trace);
        unlink(trying->results_path);
    }
    unlink(trying->program.recording); /* the next run's is another file */
    int status =
        trace ? check_recording(&verdict->report, trace, accesses.unset, settings.schedule, err)
              : 0;
    if (accessed)
        check_accesses(&verdict->report, trace, &accesses, settings.schedule);
    own_accesses_release(&accesses);
    if (number == 0) {
        keep_end(&trying->printed);
        verdict->printed = text_detach(&trying->printed);
    }
    text_clear(&trying->printed);
    verdict->cases += results.cases;
    drop_cases(verdict->cases_run, verdict->cases_run_count);
    verdict->cases_run = results.names;
    verdict->cases_run_count = results.cases;
    results.names = NULL;
    verdict->runs++;
    verdict->schedule = settings.schedule;
    trace_close(verdict->trace);
    verdict->trace = trace;
    judge_end(verdict, &results, &failed, exit_status);
    if (status == 0 && verdict->kind == VERDICT_PASSED && verdict->report.count) {
        verdict->kind = VERDICT_MISUSE;
        verdict->launch = 0;
    }
    if (status == 0 && verdict->kind == VERDICT_PASSED && trace)
        status = means_judge(trying->exercise, trace, &why, err);
    if (status == 0 && why)
        other_means(verdict, why);
    results_release(&results);
    *descriptor = file;
    return status;
}

/* The first run again, with accesses in its recording. */
static void run_accesses(struct trying *trying) {
    const struct judging *judging = trying->judging;
    struct run_settings settings = judging->settings;
    struct error ignored = ERROR_INIT;
    struct trace *trace = NULL;
    int exit_status, file = -1;
    settings.step_limit = STEPS_MOST;
    settings.limits = confine_limits_given(&settings.limits, CONFINE_PROGRAM);
    settings.accesses = RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL;
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, settings.schedule);
    char *const arguments[] = {trying->results_path, seed, NULL};
    const struct own_run run = {.called = judging->path,
                                .arguments = arguments,
                                .title = judging->path,
                                .settings = settings,
                                .readable = judging->readable,
                                .input = -1,
                                .output = take_printed,
                                .output_context = trying};
    own_program_run(&trying->program, &run, &exit_status, &ignored);
    unlink(trying->results_path);
    own_program_open(&trying->program, &trace, &file, &ignored);
    unlink(trying->program.recording);
    if (file >= 0)
        close(file);
    text_clear(&trying->printed);
    char *why = trace ? means_judge_accesses(trying->exercise, trace) : NULL;
    if (why)
        other_means(trying->verdict, why);
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
    if (judging->output && recording_file_open(&trying.recording, judging->output, false, err) != 0)
        return -1;
    progress_line_begin(_("building"));
    int status = build(&trying, err);
    if (status == 0 && verdict->kind == VERDICT_PASSED) {
        trying.results_path = own_folder_path(&trying.program.folder, "results");
        status = run_all(&trying, err);
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
    own_program_release(&trying.program); /* last: it may end all */
    return status;
}

/* ---- in words ---- */

static void append_finding(struct text *text, const struct verdict *verdict,
                           const struct check_finding *finding) {
    if (finding->file)
        text_append_format(text, "%s:%" PRIu32 ": ", finding->file, finding->line);
    text_append_format(text, "%s\n", finding->rule);
    if (finding->has_lanes && finding->launch < verdict->cases_run_count)
        text_append_format(text, _("  case: %s\n"), verdict->cases_run[finding->launch]);
    if (finding->message)
        text_append_format(text, "  %s\n", finding->message);
    if (finding->instead && *finding->instead)
        text_append_format(text, _("  instead: %s\n"), _(finding->instead));
}

/* The verdict, in one line as far as it can be. */
static void append_head(struct text *text, const struct verdict *verdict, const char *file) {
    const char *name = verdict->case_name ? verdict->case_name : "";
    if (verdict->kind == VERDICT_WRONG)
        text_append_format(text,
                           _("Wrong: %s, order %" PRIu64 ": lane %" PRIu32 " of warp %" PRIu32
                             " in block %" PRIu64 " returned %s; expected %s (element %d)\n"),
                           name, verdict->schedule, verdict->lane, verdict->warp, verdict->block,
                           verdict->got, verdict->wanted, verdict->index);
    else if (verdict->kind == VERDICT_MISUSE)
        text_append_format(text, _("%s: the results are right, but not safely so\n"), file);
    else if (verdict->kind == VERDICT_UNFINISHED && *name)
        text_append_format(text, _("Not finished: %s, order %" PRIu64 "\n"), name,
                           verdict->schedule);
    if (verdict->text)
        text_append_format(text, "%s\n", verdict->text);
}

void verdict_append(struct text *text, const struct verdict *verdict, const char *file) {
    if (verdict->kind == VERDICT_PASSED) {
        text_append_format(text,
                           message_plural("passed: %u case", "passed: %u cases", verdict->cases),
                           verdict->cases);
        text_append_format(text,
                           message_plural(" in %u order of the lanes\n",
                                          " in %u orders of the lanes\n", verdict->runs),
                           verdict->runs);
        return;
    }
    append_head(text, verdict, file);
    for (size_t i = 0; i < verdict->report.count; i++)
        append_finding(text, verdict, &verdict->report.finding[i]);
    if (verdict->printed && *verdict->printed) {
        text_append(text, _("it printed:\n"));
        text_append_visible(text, verdict->printed, UTF8_LINES);
    }
}
