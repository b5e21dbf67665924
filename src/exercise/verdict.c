/*
 * Reads the report of an exercise's test, decides on a verdict and puts it into words. It does not
 * know how the answer was run, so compiled and interpreted answers are judged alike.
 */
#include "exercise/verdict.h"

#include "base/memory.h"
#include "base/message.h"
#include "exercise/means.h"
#include "exercise/translate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* ---- the test's report: lines of fields separated by tabs (shflviz/exercise.cuh) ---- */

void test_results_release(struct test_results *results) {
    free(results->case_name);
    drop_cases(results->names, results->names ? results->cases : 0);
    free(results->error);
    free(results->got);
    free(results->wanted);
}

static char *visible_text(const char *string) {
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

static void read_line(struct test_results *results, char *line) {
    const char *what = field(&line);
    if (strcmp(what, "case") == 0) {
        free(results->case_name);
        results->case_name = visible_text(line);
        results->names = memory_grow(results->names, results->cases + 1, sizeof *results->names);
        results->names[results->cases++] = visible_text(line);
    } else if (strcmp(what, "end") == 0) {
        results->ended = true;
    } else if (strcmp(what, "error") == 0 && !results->error) {
        results->error = visible_text(line);
    } else if (strcmp(what, "wrong") == 0 && !results->wrong) {
        results->wrong = true;
        results->block = strtoull(field(&line), NULL, 10);
        results->warp = (uint32_t)strtoul(field(&line), NULL, 10) % 32;
        results->lane = (uint32_t)strtoul(field(&line), NULL, 10) % WARP_LANES;
        results->index = atoi(field(&line));
        results->got = visible_text(field(&line));
        results->wanted = visible_text(field(&line));
    }
}

void test_results_read(struct test_results *results, char *bytes) {
    for (char *line = bytes, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        read_line(results, line);
    }
}

/* ---- the verdict on a run ---- */

/* Decides the verdict by how the run ended; unless it passed, notes the case. */
static void verdict_decide(struct verdict *verdict, const struct test_results *results,
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
        verdict->text = memory_string(
            _("the program ended before the test did: the file must not end the program"));
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

void verdict_other_means(struct verdict *verdict, char *why) {
    verdict->kind = VERDICT_OTHER_MEANS;
    verdict->text = why;
}

/* A pass needs evidence: a complete recording with one launch for each case, and the list of memory
 * accesses. A program that lost one of these has not passed, whatever its results. */
static void verdict_demand_evidence(struct verdict *verdict, const struct test_results *results,
                                    bool has_accesses, const struct error *unread) {
    const struct trace *trace = verdict->trace;
    const char *why = NULL;
    if (verdict->kind != VERDICT_PASSED)
        return;
    if (!trace || !has_accesses)
        why = unread->kind != ERROR_NONE ? unread->text
                                         : _("the run did not record what it should have");
    else if (!trace_is_complete(trace))
        why = _("the run's recording is incomplete");
    else if (trace_dropped(trace))
        why = _("the run has more warp operations than can be judged");
    else if (results->cases == 0 || trace_launch_count(trace) != results->cases)
        why = _("the run did not launch exactly one kernel for each case of the test");
    if (!why)
        return;
    verdict->kind = VERDICT_UNFINISHED;
    verdict->text = memory_string(why);
    verdict->case_name = memory_string("");
    verdict->got = memory_string("");
    verdict->wanted = memory_string("");
}

int verdict_add_run(struct verdict *verdict, const struct exercise *exercise,
                    const struct run_end *run, struct error *err) {
    char *why = NULL;
    int status = 0;
    verdict->cases += run->results->cases;
    drop_cases(verdict->cases_run, verdict->cases_run_count);
    verdict->cases_run = run->results->names;
    verdict->cases_run_count = run->results->cases;
    run->results->names = NULL;
    verdict->runs++;
    verdict->schedule = run->schedule;
    trace_close(verdict->trace);
    verdict->trace = run->trace;
    verdict_decide(verdict, run->results, run->failed, run->exit_status);
    verdict_demand_evidence(verdict, run->results, run->has_accesses, run->unread);
    if (verdict->kind == VERDICT_PASSED && verdict->report.count) {
        verdict->kind = VERDICT_MISUSE;
        verdict->launch = 0;
    }
    if (verdict->kind == VERDICT_PASSED && run->trace)
        status = means_judge(exercise, run->trace, &why, err);
    if (why)
        verdict_other_means(verdict, why);
    return status;
}

uint64_t judging_draw_seed(void) {
    uint32_t seed;
    /* Where the system provides none, the time is good enough: a seed only has to differ from the
     * last one. */
    if (getentropy(&seed, sizeof seed) != 0)
        seed = (uint32_t)time(NULL) ^ (uint32_t)clock() << 16;
    return seed;
}

/* ---- in words ---- */

/* Appends those lines that the text does not contain yet, each after `before`: the program, the
 * rule and standard error all report a deadlock. */
static void append_once(struct text *text, const char *before, const char *lines) {
    static const char own[] = "shflviz: ";
    while (*lines) {
        struct text line = TEXT_INIT;
        const size_t length = strcspn(lines, "\n");
        text_append_bytes(&line, lines, length);
        text_append(&line, "\n");
        const char *said = line.data;
        if (strncmp(said, own, sizeof own - 1) == 0)
            said += sizeof own - 1;
        if (length && !strstr(text->data, said))
            text_append_format(text, "%s%s", before, line.data);
        text_release(&line);
        lines += length + (lines[length] == '\n');
    }
}

static void append_finding(struct text *text, const struct verdict *verdict,
                           const struct check_finding *finding) {
    if (finding->file)
        text_append_format(text, "%s:%" PRIu32 ": ", finding->file, finding->line);
    text_append_format(text, "%s\n", finding->rule);
    if (finding->has_lanes && finding->launch < verdict->cases_run_count) {
        char *name = translate_case(verdict->cases_run[finding->launch]);
        text_append_format(text, _("  case: %s\n"), name);
        free(name);
    }
    if (finding->message)
        append_once(text, "  ", finding->message);
    if (finding->instead && *finding->instead) {
        struct text instead = TEXT_INIT;
        text_append_format(&instead, _("  instead: %s\n"), _(finding->instead));
        append_once(text, "", instead.data);
        text_release(&instead);
    }
}

/* The finding about a program that does not end, in the language in use: the program's own message
 * is English. NULL if it ended. */
static const char *deadlock_of(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->report.count; i++)
        if (strcmp(verdict->report.finding[i].rule, "deadlock") == 0)
            return verdict->report.finding[i].message;
    return NULL;
}

/* The case, and the order of the lanes in it unless it is the usual one. */
static char *case_of(const struct verdict *verdict) {
    char *name = translate_case(verdict->case_name ? verdict->case_name : "");
    struct text text = TEXT_INIT;
    if (verdict->schedule == 0 || !*name)
        return name;
    text_append_format(&text, _("%s, lane order %" PRIu64), name, verdict->schedule);
    free(name);
    return text.data;
}

/* The verdict, in one line if possible. */
static void append_head(struct text *text, const struct verdict *verdict, const char *file) {
    char *name = case_of(verdict);
    if (verdict->kind == VERDICT_WRONG)
        text_append_format(text,
                           _("Wrong: %s: lane %" PRIu32 " of warp %" PRIu32 " in block %" PRIu64
                             " returned %s; expected %s (element %d)\n"),
                           name, verdict->lane, verdict->warp, verdict->block, verdict->got,
                           verdict->wanted, verdict->index);
    else if (verdict->kind == VERDICT_MISUSE)
        text_append_format(text, _("%s: the results are right, but not guaranteed\n"), file);
    else if (verdict->kind == VERDICT_UNFINISHED && *name)
        text_append_format(text, _("Not finished: %s\n"), name);
    const char *stopped = deadlock_of(verdict);
    if (stopped)
        text_append_format(text, "%.*s\n", (int)strcspn(stopped, "\n"), stopped);
    else if (verdict->text)
        text_append_format(text, "%s\n", verdict->text);
    free(name);
}

/* Appends the option that repeats the same values. */
static void append_seed(struct text *text, const struct verdict *verdict) {
    if (verdict->kind != VERDICT_NOT_COMPILED && !verdict->in_page)
        text_append_format(text, _("to repeat these values: --seed %" PRIu64 "\n"), verdict->seed);
}

/* Cases after the wrong one have no name yet: their findings would seem to be about it. */
static bool is_in_later_case(const struct verdict *verdict, const struct check_finding *finding) {
    return verdict->kind == VERDICT_WRONG && finding->has_lanes &&
           finding->launch >= verdict->cases_run_count;
}

void verdict_append(struct text *text, const struct verdict *verdict, const char *file) {
    if (verdict->kind == VERDICT_PASSED) {
        text_append_format(text,
                           message_plural("passed: %u case", "passed: %u cases", verdict->cases),
                           verdict->cases);
        text_append_format(
            text, message_plural(" in %u lane order\n", " in %u lane orders\n", verdict->runs),
            verdict->runs);
        append_seed(text, verdict);
        return;
    }
    append_head(text, verdict, file);
    for (size_t i = 0; i < verdict->report.count; i++)
        if (!is_in_later_case(verdict, &verdict->report.finding[i]))
            append_finding(text, verdict, &verdict->report.finding[i]);
    append_seed(text, verdict);
    if (verdict->printed && *verdict->printed) {
        struct text printed = TEXT_INIT, all = TEXT_INIT;
        text_append_visible(&printed, verdict->printed, UTF8_LINES);
        text_append_format(&all, "%s%s\n", text->data, verdict->text ? verdict->text : "");
        const size_t length = all.length;
        append_once(&all, "", printed.data);
        if (all.length > length) /* there is a line that the text does not have yet */
            text_append_format(text, "%s%s", _("the program printed:\n"), printed.data);
        text_release(&printed);
        text_release(&all);
    }
}
