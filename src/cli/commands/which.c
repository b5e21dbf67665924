#include "explain/which.h"
#include "base/complaint.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "export/which.h"
#include "term/painter.h"
#include "view/view.h"

#include <stdio.h>

static void print_table(const struct which *which, const struct which_wish *wish,
                        const struct options *options) {
    const struct text_style style = show_text_style(options);
    struct grid grid;
    grid_init(&grid, 1, 1, style.ascii);
    view_draw_which_table(&grid, which, wish, style.columns);
    paint_to(stdout, &grid, &style.palette);
    grid_release(&grid);
}

static int read_width(const struct options *options, struct which_wish *wish, struct error *err) {
    if (!(options->given & OPTION_BIT(LAUNCH_WIDTH)))
        return 0;
    wish->width = options->launch.parameters.width;
    if (warp_width_is_defined(wish->width))
        return 0;
    return complain(err, "width", options->text[LAUNCH_WIDTH],
                    _("is a width that CUDA leaves undefined"), launch_option(LAUNCH_WIDTH)->values,
                    NULL);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct which_wish wish = {.width = 0};
    struct which which;
    const bool json = options->format == FORMAT_JSON;
    if (options->format != FORMAT_AUTO && options->format != FORMAT_TEXT && !json) {
        show_refuse_format(options, _("is not a format for calls"), "text json", err);
        return error_prefix(err, "%s", command->name);
    }
    if (which_parse(&wish, options->operands[0], err) != 0 || read_width(options, &wish, err) != 0)
        return error_prefix(err, "%s", command->name);
    which_find(&which, &wish);
    if (json)
        export_which_json(stdout, &which, &wish, options->operands[0]);
    else
        print_table(&which, &wish, options);
    const bool found = which.count > 0;
    which_release(&which);
    const int status = show_finish(err);
    return status == 0 && !found ? error_set_silent(err, ERROR_FOUND) : status;
}

const struct command command_which = {
    .name = "which",
    .summary = N_("the single shuffles that give lanes the values of other lanes"),
    .about =
        N_("Lists all calls of one shuffle that give each lane on the left of a < the value of "
           "the lane on its right, simplest first: all four functions, with each argument "
           "that is the same in all lanes, and each width; then those whose argument is lane with "
           "one operator and a number up "
           "to 31 (+ - * / % & | ^); if there is none so far, with two; if there is still none, "
           "the argument of each lane written out. If no call with one argument does, it says "
           "which comes nearest and where it fails. All "
           "32 lanes take part. The exit status is 1 if no call can. The shell must not take "
           "the < for its own: put quotes around."),
    .operand = "'LANE<LANE, ...'",
    .operands_needed = 1,
    .options = OPTION_BIT(LAUNCH_WIDTH) | OPTIONS_SHOW,
    .examples = {"which '5<12, 6<13'", "which '0<3' --width 4 --format json"},
    .run = run,
};
