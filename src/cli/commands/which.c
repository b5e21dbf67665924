#include "explain/which.h"
#include "base/complaint.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "explain/fragments.h"
#include "export/fragments.h"
#include "export/json/which.h"
#include "launch/call.h"
#include "launch/request.h"
#include "term/painter.h"
#include "view/view.h"

#include <stdio.h>

static void print_table(const struct which *which, const struct which_request *wanted,
                        const struct options *options) {
    const struct text_style style = show_text_style(options);
    struct grid grid;
    grid_init(&grid, 1, 1, style.ascii);
    view_draw_which_table(&grid, which, wanted, style.columns);
    paint_to(stdout, &grid, &style.palette);
    grid_release(&grid);
}

static int read_width(const struct options *options, struct which_request *wanted,
                      struct error *err) {
    if (!(options->given & OPTION_BIT(LAUNCH_WIDTH)))
        return 0;
    wanted->width = options->launch.parameters.width;
    if (warp_width_is_defined(wanted->width))
        return 0;
    return complain(err, "width", options->text[LAUNCH_WIDTH],
                    _("is a width that CUDA leaves undefined"), launch_option(LAUNCH_WIDTH)->values,
                    NULL);
}

/* Turns a shuffle's call into a request for the lanes that it reads. */
static int read_call(struct which_request *wanted, const char *text, struct error *err) {
    struct call call;
    struct request request = {.name = NULL};
    struct trace *trace = NULL;
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    int status = call_read(&call, text, NULL, NULL, err);
    if (status == 0 && (call.kind != CALL_COMMAND || !warp_op_info(call.op)->is_shuffle))
        status =
            error_set(err, ERROR_USAGE, _("%s moves no value from lane to lane"), call.function);
    if (status == 0)
        status = request_read(&request, call.line.data, DEVICE_CPU, err);
    if (status == 0)
        status = launch_record(&request.launch, &trace, err);
    if (status == 0)
        status = trace_step(trace, 0, &step, err);
    if (status == 0) {
        warp_outcome(&step.operation, outcome);
        which_request_of(&step.operation, outcome, wanted);
    }
    trace_close(trace);
    request_release(&request);
    call_release(&call);
    return status;
}

/* Finds an element of a matrix that lanes hold together. */
static int run_fragment(const struct options *options, struct error *err) {
    struct fragments fragments;
    struct fragment_cell cell;
    struct fragments_options wanted = {.lane = -1, .cell = &cell};
    if (fragments_ask(&fragments, &wanted.which, &cell, options->operands[0], err) != 0)
        return -1;
    if (options->format == FORMAT_JSON) {
        export_fragments_json(stdout, &fragments, &wanted);
        return show_finish(err);
    }
    struct text text = TEXT_INIT;
    fragments_append_holder(&text, &fragments, wanted.which, cell);
    puts(text.data);
    text_release(&text);
    return show_finish(err);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct which_request wanted = {.width = 0};
    struct which which;
    const bool json = options->format == FORMAT_JSON;
    if (options->format != FORMAT_AUTO && options->format != FORMAT_TEXT && !json) {
        show_refuse_format(options, _("is not a format for calls"), "text json", err);
        return error_prefix(err, "%s", command->name);
    }
    const char *asked = options->operands[0];
    if (fragments_is_question(asked))
        return run_fragment(options, err) == 0 ? 0 : error_prefix(err, "%s", command->name);
    if ((call_is_in(asked) ? read_call(&wanted, asked, err) : which_parse(&wanted, asked, err)) !=
            0 ||
        read_width(options, &wanted, err) != 0)
        return error_prefix(err, "%s", command->name);
    which_find(&which, &wanted);
    if (json)
        export_which_json(stdout, &which, &wanted, options->operands[0]);
    else
        print_table(&which, &wanted, options);
    const bool found = which.count > 0;
    which_release(&which);
    const int status = show_finish(err);
    return status == 0 && !found ? error_set_silent(err, ERROR_FOUND) : status;
}

const struct command command_which = {
    .name = "which",
    .summary = N_("the single shuffles that give lanes the values of other lanes"),
    .about = N_(
        "Lists all calls of one shuffle that give each lane on the left of a < the value of the "
        "lane on the right, simplest first. The command tries all four functions with each width "
        "and with each argument that is the same in all lanes; then arguments that combine lane "
        "with a number up to 31 by one operator (+ - * / % & | ^); if no such call fits, arguments "
        "with two operators; if still no call fits, an argument written out for each lane. If no "
        "call with one argument for all lanes fits, the output says which call comes nearest and "
        "where it fails. All 32 lanes take part. The exit status is 1 if no call fits. Quote the "
        "argument, so that the shell does not take the < for a redirection. For a call as written "
        "in a program, such as '__shfl_xor_sync(0xffffffff, x, 3)', the command lists the calls "
        "that do the same. For an element of a matrix, 'm16n8k16 C[9][3]', it names the lane and "
        "the register that hold the element (shflviz mma)."),
    .operand = "'LANE<LANE, ...'|'CALL'|'INSTRUCTION ELEMENT'",
    .operands_needed = 1,
    .options = OPTION_BIT(LAUNCH_WIDTH) | OPTIONS_SHOW,
    .examples = {"which '5<12, 6<13'", "which '0<3' --width 4 --format json",
                 "which 'm16n8k16 C[9][3]'"},
    .run = run,
};
