/*
 * Every command that has a recording to show ends here: this file chooses between screen, text and
 * data, and reports on standard error what the output leaves out.
 */
#include "cli/show.h"

#include "base/complaint.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "cli/key_file.h"
#include "explain/variable_expression.h"
#include "explain/whose.h"
#include "export/json/block.h"
#include "export/json/whose.h"
#include "export/lines.h"
#include "session/screens/recording_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80

/* A terminal that can move its cursor; editors set TERM=dumb for plain output. */
bool show_has_screen(void) {
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
           strcmp(term, "dumb") != 0;
}

void show_keys_from_terminal(void) {
    int terminal = isatty(STDOUT_FILENO) ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
    if (terminal < 0)
        return;
    dup2(terminal, STDIN_FILENO);
    close(terminal);
}

bool show_wait_for_reader(const char *prompt) {
    char answer[16];
    fputs(prompt, stderr);
    const bool answered = fgets(answer, sizeof answer, stdin) != NULL;
    fputs("\r\033[K", stderr); /* the echo of an Enter typed ahead must precede the prompt */
    return answered;
}

/* -o -: standard output gets the recording, and nothing else. */
static int resolve_recording(struct options *options, struct error *err) {
    if (options->format != FORMAT_AUTO)
        return show_refuse_format(options,
                                  _("would go to standard output, where -o - writes the recording"),
                                  _("--format together with -o FILE"), err);
    if (isatty(STDOUT_FILENO))
        return error_set(err, ERROR_USAGE,
                         _("-o -: a recording is not text, and standard output is a terminal\n"
                           "try: -o FILE, or a pipe: -o - | shflviz check -"));
    options->format = FORMAT_RECORDING;
    return 0;
}

int show_resolve_format(struct options *options, struct error *err) {
    if (options->launch.output_is_standard)
        return resolve_recording(options, err);
    if (options->format == FORMAT_AUTO)
        options->format = show_has_screen() ? FORMAT_TUI : FORMAT_TEXT;
    else if (options->format == FORMAT_TUI && !isatty(STDOUT_FILENO))
        return complain(err, "format", "tui", _("needs a terminal as standard output"),
                        "text json jsonl csv", "--format text");
    else if (options->format == FORMAT_SARIF)
        return complain(err, "format", "sarif", _("is a format for findings"),
                        "tui text json jsonl csv", "shflviz check FILE --format sarif");
    return 0;
}

int show_refuse_format(const struct options *options, const char *wrong, const char *allowed,
                       struct error *err) {
    return complain(err, "format", options->text[OPTION_FORMAT], wrong, allowed, NULL);
}

static enum color_depth depth_of(const struct options *options, bool screen) {
    enum color_depth detected;
    switch (options->color) {
    case COLOR_NEVER:
        return screen ? COLOR_NONE : COLOR_PLAIN;
    case COLOR_ALWAYS:
        /* A palette requested by name overrides NO_COLOR and a limited TERM. */
        detected = color_depth_detect();
        return detected > COLOR_NONE ? detected : COLOR_256;
    default:
        if (screen || isatty(STDOUT_FILENO))
            return color_depth_detect();
        return COLOR_PLAIN;
    }
}

static bool ascii_only(const struct options *options) {
    return options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static int terminal_columns(void) {
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return DEFAULT_COLUMNS;
}

struct text_style show_text_style(const struct options *options) {
    const enum palette_background background = options->background == BACKGROUND_UNKNOWN
                                                   ? palette_background_detect()
                                                   : options->background;
    return (struct text_style){.palette = {depth_of(options, false), background},
                               .ascii = ascii_only(options),
                               .columns = terminal_columns()};
}

static bool goes_back;

void show_set_from_start(bool from_start) {
    goes_back = from_start;
}

struct screen_options show_screen_options(const struct options *options) {
    key_file_read();
    return (struct screen_options){.depth = depth_of(options, true),
                                   .ascii = ascii_only(options),
                                   .background = options->background,
                                   .goes_back = goes_back};
}

const char *show_watched(const struct options *options) {
    const bool named =
        options->show && strcmp(options->show, "all") != 0 && strcmp(options->show, "none") != 0;
    return named ? options->show : NULL;
}

/* If a recording has several launches, the overview lists them. */
static bool begins_with_overview(const struct trace *trace, const struct options *options) {
    const option_set own = OPTION_BIT(OPTION_OVERVIEW);
    return options->given & own || (options->taken & own && trace_launch_count(trace) > 1);
}

/* The parameters of a shuffle or a built-in kernel can be changed. */
static int show_screen(const struct trace *trace, const struct options *options,
                       struct error *err) {
    struct screen_options screen = show_screen_options(options);
    const struct recording_look look = {.overview = begins_with_overview(trace, options),
                                        .watched = show_watched(options)};
    return recording_screen_run(trace, look, options->launch.program ? &options->launch : NULL,
                                &screen, err);
}

/* A progress line would get in the way of output on the terminal, or in a pager. */
static bool allows_progress(FILE *out) {
    struct stat status;
    return fstat(fileno(out), &status) == 0 && !isatty(fileno(out)) && !S_ISFIFO(status.st_mode);
}

/* Nobody can read a hundred thousand tables, and naming a format is not a request for a
 * gigabyte. */
static bool omits_steps(const struct trace *trace, const struct options *options) {
    const option_set all = OPTION_BIT(OPTION_ALL);
    return options->taken & all && !(options->given & all) &&
           trace_step_count(trace) > SHOW_STEPS_MOST;
}

/* Reads --show's local variables; fails if a name is in none of the program's functions. */
static int read_shown(const struct trace *trace, const struct options *options,
                      struct expression_list *shown, struct error *err) {
    *shown = (struct expression_list){.count = 0};
    if (!options->show || strcmp(options->show, "none") == 0)
        return 0;
    if (!trace_has_lines(trace) && strcmp(options->show, "all") == 0)
        return 0;
    if (!trace_has_lines(trace))
        return error_set(err, ERROR_USAGE,
                         _("--show: the recording has no local variables\n"
                           "try: shflviz run FILE.cu --show all, which records them"));
    int status = expression_list_parse(shown, options->show, err);
    for (size_t i = 0; status == 0 && i < shown->count; i++) {
        char *name = expression_unknown_name(&shown->item[i], trace);
        if (name)
            status = error_set(
                err, ERROR_USAGE,
                _("--show: no function in the recording has a variable %s\ntry: --show all"),
                utf8_name(name));
        free(name);
    }
    return status;
}

bool show_wants_variables(const struct options *options) {
    return options->show && strcmp(options->show, "none") != 0;
}

static int show_text(const struct trace *trace, const struct options *options, uint64_t most,
                     const struct expression_list *shown, struct error *err) {
    const struct text_style style = show_text_style(options);
    if (options->given & OPTION_BIT(OPTION_OVERVIEW))
        return recording_overview_print(stdout, trace, &style, err);
    const int status = most == EXPORT_ALL ? export_text(stdout, trace, &style, err)
                                          : export_summary(stdout, trace, &style, err);
    return status == 0 && show_wants_variables(options)
               ? export_lines_text(stdout, trace, shown, err)
               : status;
}

static int write_trace(const struct trace *trace, const struct options *options,
                       const struct expression_list *shown, struct error *err) {
    const uint64_t most = omits_steps(trace, options) ? SHOW_STEPS_MOST : EXPORT_ALL;
    switch (options->format) {
    case FORMAT_RECORDING:
        trace_copy(trace, stdout);
        return 0;
    case FORMAT_JSON:
        return export_json(stdout, trace, most, err);
    case FORMAT_JSONL:
        return export_jsonl(stdout, trace, most, err);
    case FORMAT_CSV:
        return show_wants_variables(options) ? export_lines_csv(stdout, trace, shown, err)
                                             : export_csv(stdout, trace, most, err);
    default:
        return show_text(trace, options, most, shown, err);
    }
}

static int show_format(const struct trace *trace, const struct options *options,
                       struct error *err) {
    struct expression_list shown;
    int status = read_shown(trace, options, &shown, err);
    if (status == 0)
        status = write_trace(trace, options, &shown, err);
    expression_list_release(&shown);
    return status;
}

/* CSV has no field for the note, and on a screen it would disappear immediately. */
static void warn_incomplete(const struct trace *trace) {
    if (trace_dropped(trace))
        fprintf(stderr,
                _("shflviz: %" PRIu64
                  " steps were not recorded; the recording keeps the first %" PRIu64 "\n"),
                trace_dropped(trace), trace_step_count(trace));
    if (!trace_is_complete(trace))
        fputs(_("shflviz: the run that made this recording was cut short; the recording ends at "
                "its last complete step\n"),
              stderr);
}

static void warn_omitted(const struct trace *trace, const struct options *options) {
    const uint64_t steps = trace_step_count(trace);
    const bool overview = options->given & OPTION_BIT(OPTION_OVERVIEW);
    if (!omits_steps(trace, options) || overview || options->format == FORMAT_TUI ||
        options->format == FORMAT_RECORDING)
        return;
    if (options->format == FORMAT_TEXT)
        fprintf(stderr, _("shflviz: a summary of %" PRIu64 " steps; --all writes every step\n"),
                steps);
    else
        fprintf(
            stderr,
            _("shflviz: the first %d of %" PRIu64 " steps were written; --all writes every step\n"),
            SHOW_STEPS_MOST, steps);
}

int show_trace(const struct trace *trace, const struct options *options, struct error *err) {
    if (options->given & OPTION_BIT(OPTION_OVERVIEW) && options->format != FORMAT_TUI &&
        options->format != FORMAT_TEXT)
        return show_refuse_format(options, _("has no overview"), "tui text", err);
    const bool tells = options->format != FORMAT_TUI && allows_progress(stdout);
    if (tells)
        progress_line_begin(_("writing"));
    int status = options->format == FORMAT_TUI ? show_screen(trace, options, err)
                                               : show_format(trace, options, err);
    if (tells)
        progress_line_end();
    int finished = show_finish(status == 0 ? err : NULL);
    if (status == 0)
        status = finished;
    if (status == 0) {
        warn_omitted(trace, options);
        warn_incomplete(trace);
    }
    return status;
}

/* The last launch that has an operation of the block. */
static bool launch_of_block(const struct trace *trace, uint64_t block, uint32_t *launch) {
    struct trace_warp warp;
    for (uint64_t i = trace_warp_count(trace); i-- > 0;)
        if (trace_warp(trace, i, &warp) && warp.block == block) {
            *launch = warp.launch;
            return true;
        }
    return false;
}

int show_block(const struct trace *trace, const struct options *options, struct error *err) {
    const struct text_style style = show_text_style(options);
    uint32_t launch;
    if (!launch_of_block(trace, options->warps, &launch))
        return error_set(err, ERROR_USAGE,
                         _("--warps %llu: the recording has no warp operation from that "
                           "block\ntry: --overview, which counts blocks"),
                         (unsigned long long)options->warps);
    if (options->format == FORMAT_JSON)
        export_block_json(stdout, trace, launch, options->warps);
    else
        recording_block_print(stdout, trace, launch, options->warps, &style);
    return 0;
}

int show_whose(const struct trace *trace, const struct options *options, struct error *err) {
    struct text answer = TEXT_INIT;
    const char *value = options->whose;
    if (options->format == FORMAT_JSON)
        return export_whose_json(stdout, trace, value, err);
    const int status = whose_answer(trace, value, &answer, err);
    if (status == 0)
        fputs(answer.data, stdout);
    text_release(&answer);
    return status;
}

int show_outcome(int status, const struct error *showing, struct error *err) {
    if (status == 0 || showing->kind == ERROR_SIGNAL)
        *err = *showing;
    return -1;
}

int show_launch(const struct program *program, const char *name, const struct options *options,
                struct error *err) {
    struct options resolved = *options;
    struct trace *trace;
    resolved.launch.program = program;
    resolved.launch.name = name;
    if (show_resolve_format(&resolved, err) != 0)
        return error_prefix(err, "%s", name);
    int status = launch_record(&resolved.launch, &trace, err);
    if (!trace)
        return -1;
    struct error showing = ERROR_INIT;
    if (show_trace(trace, &resolved, &showing) != 0)
        status = show_outcome(status, &showing, err);
    trace_close(trace);
    return status;
}

int show_finish(struct error *err) {
    errno = 0;
    int flushed = fflush(stdout);
    if (flushed == 0 && !ferror(stdout))
        return 0;
    if (errno == EPIPE)
        return error_set_signal(err, SIGPIPE);
    if (errno == 0)
        return error_set(err, ERROR_USAGE,
                         _("not all output could be written to standard output\ntry: write to "
                           "another file, or free some disk space"));
    return error_set_errno(err, ERROR_USAGE, errno,
                           _("not all output could be written to standard output"));
}

struct results_options show_results_options(const struct options *options) {
    return (struct results_options){.path = options->text[OPTION_RESULTS],
                                    .who = options->text[OPTION_WHO],
                                    .has_seed = (options->given & OPTION_BIT(OPTION_SEED)) != 0,
                                    .seed = options->seed,
                                    .questions = options->questions};
}

int show_check_results(const struct options *options, struct error *err) {
    if (!options->text[OPTION_WHO] || options->text[OPTION_RESULTS])
        return 0;
    return error_set(err, ERROR_USAGE, _("--who needs --results\ntry: --results FILE --who %s"),
                     options->text[OPTION_WHO]);
}
