/*
 * shflviz check. Recordings and programs are checked in different ways but reported alike; this
 * file reads the options, prints the report as text, and chooses the exit status.
 */
#include "base/complaint.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "check/report.h"
#include "check/rule.h"
#include "cli/command.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "explain/explain.h"
#include "export/findings.h"
#include "launch/program/orders.h"
#include "launch/recording.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The subject of the check. */
struct checking {
    struct check_report report;
    struct trace *trace;   /* of the first run; NULL if there is none */
    const char *recording; /* the file; NULL for a program */
    uint64_t runs;
    struct orders_difference orders;
    bool unwatched; /* the program ran on a GPU, where memory accesses cannot be seen */
};

/* ---- as text ---- */

static void print_place(const struct check_finding *finding, const char *indent) {
    printf("%s%s", indent, finding->rule);
    if (finding->file)
        printf(": %s:%" PRIu32, finding->file, finding->line);
    if (finding->kernel)
        printf("  %s", finding->kernel);
    if (check_rule_is_note(finding->rule))
        fputs(_("  (note)"), stdout);
    putchar('\n');
}

static void print_lines(const char *words, const char *indent) {
    for (const char *line = words; line && *line; line += *line == '\n') {
        const int length = (int)strcspn(line, "\n");
        printf("%s%.*s\n", indent, length, line);
        line += length;
    }
}

/* Prints the command that shows the finding: for a recording file, one that opens it; for a
 * program, the command that recorded it, with `run` in place of `check`. */
static void print_command(const struct check_finding *finding, const struct checking *checking,
                          const char *indent) {
    static const char check[] = "shflviz check ";
    const char *command = checking->trace ? trace_note(checking->trace, TRACE_NOTE_COMMAND) : NULL;
    const char *how = strcmp(finding->rule, "shared_race") == 0   ? "--memory-accesses"
                      : strcmp(finding->rule, "global_race") == 0 ? "--global-accesses"
                                                                  : "--overview";
    struct text words = TEXT_INIT;
    if (checking->recording) {
        text_append(&words, "shflviz replay ");
        text_append_visible(&words, checking->recording, UTF8_LINE);
    } else if (command && strncmp(command, check, strlen(check)) == 0) {
        text_append_format(&words, "shflviz run %s", how);
        if (finding->schedule)
            text_append_format(&words, " --schedule %" PRIu64, finding->schedule);
        text_append_char(&words, ' ');
        text_append_visible(&words, command + strlen(check), UTF8_LINE);
    }
    if (words.length) {
        fputs(indent, stdout);
        printf(_("  to see it: %s\n"), words.data);
    }
    text_release(&words);
}

static void print_lanes(const struct check_finding *finding, const char *indent) {
    char lanes[EXPLAIN_LANES_TEXT];
    if (!finding->has_lanes)
        return;
    fputs(indent, stdout);
    printf(_("block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", %s"),
           finding->block[0], finding->block[1], finding->block[2], finding->warp,
           explain_lanes(finding->lanes, lanes));
    if (finding->has_step)
        printf(_(", step %" PRIu64), finding->step);
    if (finding->schedule)
        printf(_(", schedule %" PRIu64), finding->schedule);
    printf(message_plural("; %" PRIu64 " time\n", "; %" PRIu64 " times\n",
                          (unsigned long)finding->count),
           finding->count);
}

/* Prints a finding, then its possible consequences, which need no separate fix. Returns the number
 * of findings printed. */
static size_t print_finding(const struct checking *checking, size_t first) {
    const struct check_finding *finding = &checking->report.finding[first];
    const size_t count = checking->report.count - first;
    size_t printed = 1;
    print_place(finding, "");
    print_lanes(finding, "  ");
    print_lines(finding->message, "  ");
    if (finding->text)
        printf("  %s\n", finding->text);
    if (finding->instead && *finding->instead)
        printf(_("  instead: %s\n"), _(finding->instead));
    print_command(finding, checking, "");
    for (; printed < count && finding[printed].follows; printed++) {
        if (printed == 1)
            puts(_("  possible consequences:"));
        print_place(&finding[printed], "    ");
        print_lanes(&finding[printed], "      ");
        print_lines(finding[printed].message, "      ");
        print_command(&finding[printed], checking, "    ");
    }
    return printed;
}

static void print_text(const struct checking *checking) {
    const struct check_report *report = &checking->report;
    const struct trace *trace = checking->trace;
    for (size_t i = 0; i < report->count;)
        i += print_finding(checking, i);
    const size_t findings = check_report_count(report, NULL), notes = report->count - findings;
    fputs(report->count ? "\n" : "", stdout);
    printf(message_plural("%zu finding", "%zu findings", (unsigned long)findings), findings);
    if (notes)
        printf(message_plural(", %zu note", ", %zu notes", (unsigned long)notes), notes);
    if (trace)
        printf(message_plural(" in %" PRIu64 " step", " in %" PRIu64 " steps",
                              (unsigned long)trace_step_count(trace)),
               trace_step_count(trace));
    if (checking->runs > 1)
        printf(_("; %" PRIu64 " schedules"), checking->runs);
    if (checking->orders.kind == ORDERS_ROUNDING)
        printf(_("; results differ in digits that depend on the order of a sum"));
    else if (checking->orders.kind == ORDERS_SEQUENCE)
        printf(_("; results differ only in the order of the output"));
    if (trace && trace_dropped(trace))
        printf(_("; %" PRIu64 " steps were not recorded and not checked"), trace_dropped(trace));
    if (report->places_left_out)
        printf(_("; %" PRIu32 " more source locations are not listed"), report->places_left_out);
    if (report->memory_left_out)
        fputs(_("; there was not enough room to watch all memory"), stdout);
    if (checking->unwatched)
        fputs(_("; accesses to memory were not watched"), stdout);
    puts(!trace || trace_is_complete(trace) ? "" : _("; the run was cut short"));
}

static void print_report(const struct checking *checking, const struct options *options) {
    if (options->format == FORMAT_JSON)
        export_report_json(stdout, &checking->report, checking->trace);
    else if (options->format == FORMAT_SARIF)
        export_report_sarif(stdout, &checking->report, checking->trace);
    else
        print_text(checking);
}

/* ---- checking ---- */

static int visit(void *context, struct trace *trace, const struct program_accesses *accesses,
                 uint64_t schedule, struct error *err) {
    struct checking *checking = context;
    progress_line_begin(_("checking"));
    int status =
        trace ? check_recording(&checking->report, trace, accesses->unset, schedule, err) : 0;
    check_accesses(&checking->report, trace, accesses, schedule);
    progress_line_end();
    if (checking->runs++ == 0)
        checking->trace = trace;
    else
        trace_close(trace);
    return status;
}

/* Checks a recording, or runs a program and checks its recording. If the program ends early, `own`
 * gets the reason, and what was recorded by then is still checked. */
static int check(const struct command *command, const struct options *options,
                 struct checking *checking, struct error *own, struct error *err) {
    static const struct program_accesses no_accesses;
    const char *first = options->operands[0];
    struct trace *trace;
    int status = 0;
    if (!can_be_compiled(first) && !is_source_folder(first)) {
        if (user_refuse_options(options, err) != 0)
            return -1;
        if (options->operand_count > 1)
            return error_set(err, ERROR_USAGE, _("%s: name a single recording, or source files"),
                             options->operands[1]);
        if (recording_or_file_open(first, &trace, err) != 0)
            return -1;
        checking->recording = first;
        return visit(checking, trace, &no_accesses, 0, err);
    }
    checking->unwatched = options->launch.device.kind == DEVICE_GPU;
    if (user_command_check(command->name, options, visit, checking, &checking->orders, &status,
                           own) == 0) {
        if (status != 0) /* for example, it found its own sum to be wrong, which no rule covers */
            fprintf(stderr, _("shflviz: the program itself ended with status %d\n"), status);
        return 0;
    }
    if (checking->trace && own->kind == ERROR_RUN)
        return 0;
    *err = *own;
    return -1;
}

static int check_options(const struct options *options, struct error *err) {
    if (options->given & OPTION_BIT(OPTION_FORMAT) && options->format != FORMAT_TEXT &&
        options->format != FORMAT_JSON && options->format != FORMAT_SARIF) {
        show_refuse_format(options, _("is not a format for findings"), "text json sarif", err);
        return -1;
    }
    if (options->launch.output_is_standard)
        return complain(err, "output", "-", _("is standard output, where the findings are printed"),
                        NULL, "-o check.svt");
    if (user_command_device(options, err) != 0)
        return -1;
    for (const char *at = options->fail_on; at && *at; at += strspn(at, ",")) {
        char rule[64];
        size_t length = strcspn(at, ",");
        snprintf(rule, sizeof rule, "%.*s", (int)length, at);
        at += length;
        if (!check_rule_find(rule))
            return complain(err, "fail-on", rule, _("is not a rule"), NULL, "shflviz help rule");
    }
    return 0;
}

/* Results that differ get a note; if they are allowed to differ, the line with the count says so
 * instead. */
static void note_difference(struct checking *checking) {
    const struct orders_difference *orders = &checking->orders;
    const struct check_results results = {orders->first, orders->other, orders->first_word,
                                          orders->other_word};
    if (orders->kind == ORDERS_VALUES)
        check_results_differ(&checking->report, checking->trace, &results);
}

/* The file named for findings without a location: the program's first file, or that of the
 * recording's first site. */
static const char *default_file(const struct checking *checking, const struct options *options) {
    const struct trace_site *site =
        checking->recording && checking->trace ? trace_site(checking->trace, 0) : NULL;
    return site && *site->file ? site->file : options->operands[0];
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct checking checking = {0};
    struct error own = ERROR_INIT;
    const bool is_data = options->format == FORMAT_JSON || options->format == FORMAT_SARIF;
    const char *language = message_language();
    int status = check_options(options, err);
    if (status == 0) {
        if (is_data) /* scripts expect English, whatever the user's language is */
            message_language_use("en");
        status = check(command, options, &checking, &own, err);
        note_difference(&checking);
        check_report_arrange(&checking.report);
        check_report_locate(&checking.report, checking.trace, default_file(&checking, options));
        if (status == 0)
            print_report(&checking, options);
        message_language_use(language);
    }
    const size_t count = check_report_count(&checking.report, options->fail_on);
    trace_close(checking.trace);
    check_report_release(&checking.report);
    if (status != 0)
        return error_prefix(err, "%s", command->name);
    status = show_finish(err);
    if (status == 0 && own.kind != ERROR_NONE) {
        *err = own;
        return -1;
    }
    return status == 0 && count > 0 ? error_set_silent(err, ERROR_FOUND) : status;
}

const struct command command_check = {
    .name = "check",
    .summary = N_("report misuse in a recording or a program; exit 1 if any is found"),
    .about = N_(
        "Walks all steps of a recording, or of a CUDA program that it builds and runs, and reports "
        "violations of the rules, one finding for each source location: lanes that read absent "
        "lanes, masks that do not name the calling lanes, widths that CUDA leaves undefined. In a "
        "program, check also watches memory for races, accesses out of bounds, reads of memory "
        "that was never written, and barriers in branches. With --device gpu the program runs on "
        "this machine's GPU, where memory is not watched. --format takes text, json and sarif."),
    .operand = "FILE.cu...|FOLDER|TRACE [-- ARGS...]",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_PROGRAMS | OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_SCHEDULES) |
               OPTION_BIT(OPTION_FAIL_ON) | OPTION_BIT(OPTION_LEAKS) | OPTION_BIT(LAUNCH_DEVICE) |
               OPTIONS_OWN,
    .examples = {"check run.svt", "check run.svt --format json", "check reduce.cu",
                 "check reduce.cu --schedules 20"},
    .run = run,
};
