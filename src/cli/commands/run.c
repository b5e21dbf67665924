/*
 * shflviz run, for a user program. launch/program/user_run.h makes the recording; this file reads
 * the options, and reports and shows the result.
 */
#include "base/complaint.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/post_command.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "explain/findings/census.h"
#include "explain/findings/failure.h"
#include "explain/variable_expression.h"
#include "launch/program/user_run.h"
#include "session/screens/run_screen.h"
#include "trace/failure.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void append_words(struct text *text, const char *option, const struct word_list *words) {
    for (int i = 0; i < words->count; i++) {
        text_append(text, option);
        launch_append_quoted(text, words->word[i]);
    }
}

/* Appends the command that makes this recording again. */
static void append_command(struct text *text, const char *name, const struct options *options) {
    if (options->expression) {
        text_append(text, "shflviz");
        return;
    }
    text_append_format(text, "shflviz %s", name);
    append_words(text, " -I ", &options->include);
    append_words(text, " -D ", &options->define);
    if (options->standard) {
        text_append(text, " --std ");
        launch_append_quoted(text, options->standard);
    }
    for (int i = 0; i < options->operand_count; i++) {
        text_append(text, i == options->own_operands ? " -- " : " ");
        launch_append_quoted(text, options->operands[i]);
    }
}

/* The expressions of --show on a GPU; empty for the CPU warp. Static, because a process runs one
 * program. */
static struct {
    struct expression_list list;
    struct user_shown shown[EXPRESSIONS_MOST];
} gpu_shown;

/* A GPU does not report registers. But the lanes of a warp operation, which is recorded anyway, can
 * pass on what is in scope at its line. */
static int read_gpu_expressions(const struct options *options, struct error *err) {
    struct expression_list *list = &gpu_shown.list;
    expression_list_release(list);
    if (expression_list_parse(list, options->show, err) != 0)
        return -1;
    bool fits = list->count > 0; /* "all" is not an expression */
    for (size_t i = 0; i < list->count; i++) {
        fits = fits && list->item[i].line && !list->item[i].differs;
        gpu_shown.shown[i] = (struct user_shown){list->item[i].text, list->item[i].line};
    }
    if (fits)
        return 0;
    expression_list_release(list);
    return complain(err, "show", options->show,
                    _("needs @LINE on a GPU, which reports variables only at warp operations"),
                    "'EXPRESSION@LINE'", "--show 'sum@12', --device cpu");
}

/* Lists the expressions for which nothing was recorded. */
static void warn_unrecorded(const struct trace *trace) {
    for (size_t i = 0; i < gpu_shown.list.count; i++) {
        const struct expression *shown = &gpu_shown.list.item[i];
        const struct trace_site *site;
        uint32_t k = 0;
        while ((site = trace_site(trace, k)) &&
               (site->line != shown->line || strcmp(site->text, shown->text) != 0))
            k++;
        if (!site)
            fprintf(stderr,
                    _("shflviz: --show: %s@%u was not recorded: no lane reached a warp operation "
                      "on line %u\n"),
                    utf8_name(shown->text), shown->line, shown->line);
    }
}

/* The request that the command line makes. `command` and `options` stay the caller's. */
static struct user_request user_request_of(const struct options *options, const char *command) {
    const bool arguments = options->operand_count > options->own_operands;
    struct run_settings settings = options->launch.device.settings;
    settings.zero_memory = !options->text[LAUNCH_POISON];
    const bool warps = options->given & OPTION_BIT(OPTION_WARPS);
    settings.origins = options->whose || warps;
    if (warps && !(options->given & OPTION_BIT(LAUNCH_WATCH_BLOCK))) {
        settings.watch.parts |= SHFLVIZ_FILTER_BLOCKS;
        settings.watch.block_first = settings.watch.block_last = options->warps;
    }
    const bool on_gpu = options->launch.device.kind == DEVICE_GPU;
    settings.lines = settings.origins || (!on_gpu && show_wants_variables(options));
    settings.unfollowed = !(options->given & OPTION_BIT(OPTION_FOLLOW_UNDEFINED));
    if (options->launch.output_is_standard && !settings.step_limit)
        settings.step_limit = UINT64_MAX; /* no limit, as for a file */
    if (settings.stop_after && (!settings.step_limit || settings.stop_after < settings.step_limit))
        settings.step_limit = settings.stop_after;
    return (struct user_request){
        .files = options->operands,
        .file_count = options->own_operands,
        .include = options->include,
        .define = options->define,
        .standard = options->standard,
        .choice = {.call = options->text[OPTION_CALL],
                   .values = options->values,
                   .is_expression = options->expression != NULL,
                   .mend = options->mends},
        .text = options->source_text,
        .printed = options->printed,
        .device = options->launch.device.kind,
        .shown = gpu_shown.shown,
        .shown_count = gpu_shown.list.count,
        .run = {.arguments = arguments ? options->operands + options->own_operands : NULL,
                .command = command,
                .readable = options->readable.word,
                .settings = settings},
        .output = options->launch.output,
    };
}

struct run_settings user_command_settings(const struct options *options) {
    struct run_settings settings = options->launch.device.settings;
    settings.confined = !(options->given & OPTION_BIT(OPTION_NO_SANDBOX));
    return settings;
}

struct course_terms user_command_terms(const struct options *options) {
    const bool agreed = options->given & OPTION_BIT(OPTION_TRUST);
    return (struct course_terms){.consent = agreed ? COURSE_AGREED : COURSE_ASK,
                                 .settings = user_command_settings(options),
                                 .readable = options->readable.word};
}

int user_refuse_options(const struct options *options, struct error *err) {
    const option_set own = OPTIONS_OWN | OPTION_BIT(OPTION_SCHEDULES) | OPTION_BIT(OPTION_JOBS) |
                           OPTION_BIT(LAUNCH_DEVICE);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options->given & own & OPTION_BIT(id))
            return error_set(err, ERROR_USAGE,
                             _("--%s is for a program that this command runs\nallowed: with "
                               "FILE.cu or a folder"),
                             option_at(id)->name);
    return 0;
}

int user_command_record(const char *name, const struct options *options, bool print_to_errors,
                        user_attend *attend, void *attend_context, struct trace **trace,
                        int *status, struct error *err) {
    struct text command = TEXT_INIT;
    append_command(&command, name, options);
    struct user_request request = user_request_of(options, command.data);
    request.print_to_errors = print_to_errors;
    request.attend = attend;
    request.attend_context = attend_context;
    int result = user_record(&request, trace, status, err);
    text_release(&command);
    return result;
}

/* The same run again, with its details: it gets no input, its output is dropped, and its recording
 * is not kept. */
struct details_run {
    const char *name;
    const struct options *options;
};

static int record_details(void *context, struct trace **trace, struct error *err) {
    const struct details_run *run = context;
    struct text command = TEXT_INIT;
    int status;
    append_command(&command, run->name, run->options);
    struct user_request request = user_request_of(run->options, command.data);
    request.run.settings.lines = request.run.settings.origins = true;
    request.output = NULL;
    request.is_repeated = request.print_to_errors = request.choice.repeats = true;
    request.printed = NULL;
    const int result = user_record(&request, trace, &status, err);
    text_release(&command);
    return result;
}

static struct details_source details_of(struct details_run *run) {
    const bool is_gpu = run->options->launch.device.kind == DEVICE_GPU;
    return (struct details_source){is_gpu ? NULL : record_details, run};
}

int user_command_check(const char *name, const struct options *options, user_run_visitor *visit,
                       void *context, struct orders_difference *orders, int *status,
                       struct error *err) {
    struct text command = TEXT_INIT;
    append_command(&command, name, options);
    struct user_request request = user_request_of(options, command.data);
    request.print_to_errors = true;
    request.accesses = options->launch.device.kind != DEVICE_GPU;
    request.orders = request.accesses ? orders : NULL;
    int result = user_record_schedules(&request, options->schedules ? options->schedules : 1, visit,
                                       context, status, err);
    text_release(&command);
    return result;
}

/* Prints a summary if no format is given and there is no screen. */
static void print_summary(const struct trace *trace) {
    const unsigned long steps = (unsigned long)trace_step_count(trace);
    const unsigned long launches = (unsigned long)trace_launch_count(trace);
    fprintf(stderr, message_plural("shflviz: %lu launch", "shflviz: %lu launches", launches),
            launches);
    fprintf(
        stderr,
        message_plural(", %lu warp operation recorded", ", %lu warp operations recorded", steps),
        steps);
    if (trace_dropped(trace))
        fprintf(stderr, _("; %" PRIu64 " more were not recorded (--steps, -o)"),
                trace_dropped(trace));
    fputc('\n', stderr);
}

/* Reports that the program was ended on request. */
static void report_stop(const struct trace *trace) {
    const char *steps = trace_note(trace, TRACE_NOTE_STOPPED);
    if (steps)
        fprintf(stderr, _("shflviz: the program was ended after %s steps, as --stop-after asks\n"),
                steps);
}

/* The file for a `check` command; NULL if the program is not a file. */
static const char *file_of(const struct options *options) {
    return options->expression || options->source_text || options->operand_count == 0
               ? NULL
               : options->operands[0];
}

static int show(const struct user_run_end *end, const struct options *asked,
                const struct options *resolved, const struct recording_look *look,
                struct error *err) {
    const struct trace *trace = end->trace;
    if (asked->whose)
        return show_whose(trace, asked, err);
    if (asked->given & OPTION_BIT(OPTION_WARPS))
        return show_block(trace, asked, err);
    const bool overview = asked->given & OPTION_BIT(OPTION_OVERVIEW);
    if (asked->format == FORMAT_AUTO && resolved->format == FORMAT_TEXT && !overview) {
        print_summary(trace);
        return 0;
    }
    if (resolved->format == FORMAT_TUI && trace_step_count(trace) == 0) {
        print_summary(trace);
        return 0;
    }
    if (resolved->format == FORMAT_TUI) {
        const struct screen_options screen = show_screen_options(resolved);
        return run_screen_show(end, file_of(asked), *look, &screen, err);
    }
    if (resolved->format == FORMAT_RECORDING)
        print_summary(trace);
    return show_trace(trace, resolved, err);
}

#define COUNTED_FOR_ADVICE (UINT64_C(1) << 20) /* steps searched for a finding */

/* Names a possible reason for a failure that the program itself reports, or a command that finds
 * it. */
static void print_advice(const struct user_run_end *end, const char *file) {
    struct overview_outcome outcome;
    struct census census;
    if (!file || end->result != 0 || end->status == 0 || !end->trace ||
        trace_launch_count(end->trace) == 0)
        return;
    census_init(&census, end->trace);
    while (census.count[CENSUS_FINDINGS] == 0 && census.steps < COUNTED_FOR_ADVICE &&
           census_count_shared(&census, census.steps ? COUNTED_FOR_ADVICE / 64 : 256))
        ;
    const struct census_row *row =
        census.count[CENSUS_FINDINGS] > 0 ? &census.rows[CENSUS_FINDINGS][0] : NULL;
    run_outcome(end, file, row ? row->rule : NULL, row ? row->site : CENSUS_NONE, &outcome);
    if (outcome.advice[0])
        fprintf(stderr, "shflviz: %s\n", outcome.advice);
    census_release(&census);
}

int user_command_device(const struct options *options, struct error *err) {
    static const struct {
        int id;
        const char *wrong;
    } only_cpu[] = {
        {LAUNCH_SCHEDULE, N_("means nothing to a GPU")},
        {LAUNCH_POISON, N_("means nothing to a GPU")},
        {OPTION_JOBS, N_("means nothing to a GPU")},
        {OPTION_MEMORY_ACCESSES,
         N_("needs the CPU warp: memory accesses on a GPU are not recorded")},
        {OPTION_GLOBAL_ACCESSES,
         N_("needs the CPU warp: memory accesses on a GPU are not recorded")},
        {OPTION_FOLLOW_UNDEFINED, N_("means nothing to a GPU")},
        {OPTION_STOP_AFTER, N_("needs the CPU warp: a kernel on a GPU cannot be ended half-way")},
        {OPTION_SCHEDULES, N_("means nothing to a GPU")},
        {OPTION_WARPS, N_("needs the CPU warp: the origins of values on a GPU are not recorded")},
        {OPTION_WHOSE, N_("needs the CPU warp: the origins of values on a GPU are not recorded")},
    };
    for (size_t i = 0; i < sizeof(only_cpu) / sizeof(only_cpu[0]); i++) {
        const int id = only_cpu[i].id;
        if (options->launch.device.kind == DEVICE_GPU && options->given & OPTION_BIT(id))
            return complain(err, option_at(id)->name,
                            id < LAUNCH_OPTION_COUNT ? options->text[id] : NULL,
                            _(only_cpu[i].wrong), NULL, "--device cpu");
    }
    return options->launch.device.kind == DEVICE_GPU && show_wants_variables(options)
               ? read_gpu_expressions(options, err)
               : 0;
}

/* True if a kernel failed. After the CUDA error the program may still have exited with status 0,
 * or with a status of its own. */
static bool kernel_failed(const struct trace *trace) {
    const enum trace_failure failure = trace_failure(trace);
    return failure == TRACE_FAILURE_DEADLOCK || failure == TRACE_FAILURE_LIVELOCK ||
           failure == TRACE_FAILURE_CRASH;
}

/* Lists the waiting lanes, below the device's line about them. */
static void print_waits(const struct trace *trace) {
    struct text words = TEXT_INIT;
    failure_append(&words, trace);
    const char *end = strchr(words.data, '\n');
    if (end && trace_failure(trace) != TRACE_FAILURE_CRASH)
        fprintf(stderr, "%s\n", end + 1);
    text_release(&words);
}

/* The exit status if the user ended the program on the screen: the same as after Ctrl-C. */
#define STATUS_INTERRUPTED (128 + SIGINT)

static int report_quit(struct error *err) {
    fprintf(stderr, "shflviz: %s\n", err->text);
    return error_set_status(err, STATUS_INTERRUPTED);
}

/* Shows the result of the run, unless a screen has shown it already. */
static int present(const struct user_run_end *end, const struct run_screen_context *attending,
                   const struct options *asked, const struct options *resolved,
                   const struct error *shown, struct error *err) {
    struct error showing = *shown;
    if (attending->shown && showing.kind == ERROR_NONE)
        return attending->was_left && end->result != 0 ? report_quit(err) : end->result;
    if (!attending->shown && showing.kind == ERROR_NONE &&
        show(end, asked, resolved, &attending->look, &showing) == 0)
        return end->result;
    return show_outcome(end->result, &showing, err);
}

/* An answer to --whose or --warps is text or JSON. */
static int resolve_whose_format(const struct options *options, struct options *resolved,
                                struct error *err) {
    const bool warps = options->given & OPTION_BIT(OPTION_WARPS);
    if (!options->whose && !warps)
        return 0;
    if (options->format != FORMAT_AUTO && options->format != FORMAT_TEXT &&
        options->format != FORMAT_JSON)
        return show_refuse_format(options,
                                  options->whose ? _("cannot be combined with --whose")
                                                 : _("cannot be combined with --warps"),
                                  "text json", err);
    resolved->format = options->format == FORMAT_JSON ? FORMAT_JSON : FORMAT_TEXT;
    return 0;
}

/* Refuses combinations of options before anything is run. */
static int check_options(const struct command *command, const struct options *options,
                         struct options *resolved, struct error *err) {
    if (options->block && !options->source_text)
        return error_set(err, ERROR_USAGE, _("%s: --block is for Markdown only"), command->name);
    if (resolve_whose_format(options, resolved, err) != 0 ||
        user_command_device(options, err) != 0 || show_resolve_format(resolved, err) != 0)
        return error_prefix(err, "%s", command->name);
    if (options->launch.device.kind == DEVICE_GPU)
        resolved->show = NULL; /* the values of --show are among the recorded operations */
    return 0;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct trace *trace = NULL;
    struct error shown = ERROR_INIT;
    int status = 0;
    if (!options->source_text && post_command_matches(options))
        return post_command_run(options, err);
    if (check_options(command, options, &resolved, err) != 0)
        return -1;
    const bool ours = resolved.format == FORMAT_RECORDING ||
                      (options->format != FORMAT_AUTO && options->format != FORMAT_TUI);
    const bool is_screen = resolved.format == FORMAT_TUI;
    const struct screen_options screen =
        is_screen ? show_screen_options(&resolved) : (struct screen_options){0};
    struct details_run details = {command->name, options};
    struct run_screen_context attending = {.options = &screen,
                                           .file = file_of(options),
                                           .look = {options->given & OPTION_BIT(OPTION_OVERVIEW),
                                                    show_watched(&resolved), details_of(&details)},
                                           .showing = &shown};
    int result =
        user_command_record(command->name, options, ours, is_screen ? run_screen_attend : NULL,
                            &attending, &trace, &status, err);
    struct user_run_end end = {result, status, err, trace};
    if (result != 0)
        error_prefix(err, "%s", command->name);
    else if (trace && kernel_failed(trace)) {
        print_waits(trace);
        status = 4;
    }
    if (trace) {
        report_stop(trace);
        warn_unrecorded(trace);
        result = present(&end, &attending, options, &resolved, &shown, err);
        if (!is_screen || trace_step_count(trace) == 0)
            print_advice(&end, file_of(options));
        trace_close(trace);
    }
    if (result == 0)
        result = show_finish(err);
    return result == 0 && status != 0 ? error_set_status(err, status) : result;
}

const struct command command_run = {
    .name = "run",
    .summary = N_("a CUDA program of your own: build it, run it, watch its warps"),
    .about =
        N_("Builds unchanged CUDA source files with clang for the CPU warp, runs the program and "
           "shows what its warps did. The program's arguments follow --. The program keeps its own "
           "standard input, output and error and its exit status; with --format text, json, jsonl "
           "or csv its standard output goes to standard error. A folder means all source files in "
           "the folder or, if there are none, in its src/. On a terminal, the screen opens with "
           "the first operations while the program continues; keys then no longer go to the "
           "program, and Ctrl-C ends it and keeps what was recorded. Once the program has ended, "
           "its findings and a status other than 0 are shown with its output. The program runs on "
           "the CPU warp unless --device gpu is given: then nvcc builds it, and its warps on this "
           "machine's GPU are recorded. If a file has no main(), its kernel is run with values "
           "that shflviz chooses and prints; --call and --arg set other values. A Markdown text, "
           "or - for standard input, is shown as a list of its code blocks."),
    .operand = "FILE.cu...|FOLDER|POST.md|- [-- ARGS...]",
    .operand_kinds = OPERAND_PROGRAMS | OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTIONS_OWN | OPTIONS_SHOW | OPTION_BIT(OPTION_OVERVIEW) | OPTION_BIT(OPTION_JOBS) |
               OPTION_BIT(OPTION_FOLLOW_UNDEFINED) | OPTION_BIT(OPTION_BLOCK) |
               OPTION_BIT(LAUNCH_DEVICE) | OPTION_BIT(OPTION_ALL) | OPTION_BIT(OPTION_STOP_AFTER) |
               OPTION_BIT(OPTION_SHOW) | OPTION_BIT(OPTION_WHOSE) | OPTION_BIT(OPTION_WARPS),
    .examples = {"run reduce.cu", "run reduce.cu -- 1000", "run src/ -I include --std c++20",
                 "run reduce.cu --whose 'out[0]'"},
    .run = run,
};
