#include "base/message.h"
#include "base/unused.h"
#include "cli/command.h"
#include "cli/own_command.h"
#include "cli/show.h"
#include "explain/explain.h"
#include "explain/finding.h"
#include "export/export.h"
#include "launch/own_run.h"
#include "launch/recording.h"
#include "replay/replay.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

static void print_finding(void *context UNUSED, const struct finding *finding) {
    const struct trace_step *step = finding->step;
    struct text words = TEXT_INIT;
    char lanes[EXPLAIN_LANES_TEXT];
    finding_append(&words, finding);
    if (step)
        printf(_("%s: step %" PRIu64 ", block %" PRIu64 ", warp %" PRIu32 ", %s\n  %s\n"),
               finding->rule, step->number, step->block, step->warp,
               explain_lanes(finding->found.lanes, lanes), words.data);
    else
        printf("%s\n  %s\n", finding->rule, words.data);
    const struct trace_site *site = step ? trace_site(finding->trace, step->site) : NULL;
    if (site)
        printf("  %s:%" PRIu32 "  %s\n", site->file, site->line, site->text);
    text_release(&words);
}

static void ignore_finding(void *context UNUSED, const struct finding *finding UNUSED) {}

static int report(struct trace *trace, const struct options *options, uint64_t *count,
                  struct error *err) {
    if (options->format == FORMAT_JSON)
        return findings_walk(trace, ignore_finding, NULL, count, err) != 0
                   ? -1
                   : export_json(stdout, trace, false, err);
    if (findings_walk(trace, print_finding, NULL, count, err) != 0)
        return -1;
    fputs(*count ? "\n" : "", stdout);
    printf(message_plural("%" PRIu64 " finding", "%" PRIu64 " findings", (unsigned long)*count),
           *count);
    printf(message_plural(" in %" PRIu64 " step", " in %" PRIu64 " steps",
                          (unsigned long)trace_step_count(trace)),
           trace_step_count(trace));
    if (trace_dropped(trace))
        printf(_("; %" PRIu64 " steps were not recorded and not checked"), trace_dropped(trace));
    puts(trace_is_complete(trace) ? "" : _("; the run was cut short"));
    return 0;
}

/* A recording, or a program that is run for it. What stopped the program goes to `own`: what it did
 * until then is checked all the same. */
static int open_or_record(const struct command *command, const struct options *options,
                          struct trace **trace, struct error *own, struct error *err) {
    int status;
    const char *first = options->operands[0];
    if (!own_is_source(first) && !own_is_folder(first)) {
        if (options->operand_count > 1)
            return error_set(err, ERROR_USAGE, _("%s: one recording at a time, or source files"),
                             options->operands[1]);
        return recording_or_file_open(first, trace, err);
    }
    if (own_command_record(command->name, options, true, trace, &status, own) == 0)
        return 0;
    if (*trace && own->kind == ERROR_RUN)
        return 0;
    *err = *own;
    trace_close(*trace);
    return -1;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct trace *trace = NULL;
    struct error own = ERROR_INIT;
    uint64_t count = 0;
    if (options->given & OPTION_BIT(OPTION_FORMAT) && options->format != FORMAT_TEXT &&
        options->format != FORMAT_JSON) {
        show_refuse_format(options, _("is not a format for findings"), "text json", err);
        return error_prefix(err, "%s", command->name);
    }
    if (open_or_record(command, options, &trace, &own, err) != 0)
        return error_prefix(err, "%s", command->name);
    int status = report(trace, options, &count, err);
    trace_close(trace);
    if (status == 0)
        status = show_finish(err);
    if (status == 0 && own.kind != ERROR_NONE) {
        *err = own;
        return -1;
    }
    return status == 0 && count > 0 ? error_set_silent(err, ERROR_FOUND) : status;
}

const struct command command_check = {
    .name = "check",
    .summary = N_("report the misuse in a recording or a program; exit 1 if there is any"),
    .about = N_(
        "Walks all steps of a recording, or of a CUDA program that it builds and runs, and reports "
        "what breaks the rules: lanes that read "
        "lanes which take no part, masks that do not name the lanes that call, widths that the "
        "guide leaves undefined, values that differ from what the rules fix. --format takes text "
        "and json here."),
    .operand = "FILE.cu...|FOLDER|TRACE [-- ARGS...]",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_PROGRAMS | OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(OPTION_FORMAT) | OPTIONS_OWN,
    .examples = {"check run.svt", "check run.svt --format json", "check reduce.cu"},
    .run = run,
};
