/* The instructions of tensor cores, and the lane and register that hold each element; the commands
 * differ only in their texts. */

#include "base/complaint.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "explain/fragments.h"
#include "export/figures/drawing.h"
#include "export/figures/svg.h"
#include "export/figures/tikz.h"
#include "export/fragments.h"
#include "launch/expression.h"
#include "session/screens/fragment_screen.h"
#include "term/painter.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>

#define FIGURE_COLUMNS 160 /* A, B and C of m16n8k16 with their registers */

static bool given(const struct options *options, int id) {
    return options->given & OPTION_BIT(id);
}

/* Reads the instruction that the words and options name: "m16n8k16.f16", "x4.trans". */
static int read_instruction(const struct command *command, const struct options *options,
                            struct fragments *fragments, struct error *err) {
    static const struct {
        int option;
        const char *word;
    } words[] = {{OPTION_X2, "x2"}, {OPTION_X4, "x4"}, {OPTION_TRANS, "trans"}};
    struct text name = TEXT_INIT;
    if (options->operand_count > 0)
        text_append(&name, options->operands[0]);
    if (given(options, OPTION_ELEMENT))
        text_append_format(&name, ".%s", options->text[OPTION_ELEMENT]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (given(options, words[i].option))
            text_append_format(&name, "%s%s", name.length ? "." : "", words[i].word);
    const int status = fragments_read(fragments, command->name, name.data, err);
    text_release(&name);
    return status;
}

/* Computes the offset that each lane passes with the expression of --address. */
static int read_addresses(const struct expression *expression, const struct options *options,
                          struct matrix_rows *rows, struct error *err) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int32_t offset;
        if (expression_argument(expression, lane, (uint64_t)lane, &offset, err) != 0)
            return -1;
        if (offset < 0 || offset % MATRIX_ROW_BYTES != 0)
            return error_set(err, ERROR_USAGE,
                             _("--address: lane %d passes %d, which is not a nonnegative multiple "
                               "of 16\ntry: --address 'lane %% 16 * 128'"),
                             lane, (int)offset);
        rows->offset[lane] = (int32_t)swizzle_apply(&options->swizzle, (uint32_t)offset);
    }
    return 0;
}

/* Reads the rows' addresses from the options. */
static int read_rows(struct fragments *fragments, const struct options *options,
                     struct error *err) {
    static const struct expression_rules rules = {"--address", WARP_TYPE_NONE, WARP_LANES, 1};
    struct expression *expression = NULL;
    fragments->has_rows = given(options, OPTION_PITCH) || given(options, OPTION_SWIZZLE) ||
                          given(options, OPTION_ADDRESS);
    if (!fragments->has_rows)
        return 0;
    matrix_rows_in_tile(&fragments->rows, fragments->list[0].matrices,
                        given(options, OPTION_PITCH) ? options->pitch : WARP_ROW_BYTES,
                        &options->swizzle);
    if (!given(options, OPTION_ADDRESS))
        return 0;
    if (given(options, OPTION_PITCH))
        return error_set(err, ERROR_USAGE, _("--pitch and --address are mutually exclusive"));
    int status = expression_compile(&expression, options->text[OPTION_ADDRESS], &rules, err);
    if (status == 0)
        status = read_addresses(expression, options, &fragments->rows, err);
    expression_free(expression);
    return status;
}

static void print_table(const struct fragments *fragments, int lane,
                        const struct options *options) {
    const struct text_style style = show_text_style(options);
    struct fragment_page page;
    struct grid grid;
    fragment_page_init(&page, fragments, 0, 0);
    grid_init(&grid, 1, 1, style.ascii);
    view_draw_fragments_table(&grid, &page, lane, style.columns);
    paint_to(stdout, &grid, &style.palette);
    grid_release(&grid);
}

/* Writes a figure for paper: SVG or TikZ, by the file's extension. */
static int write_figure(const struct fragments *fragments, int lane, const struct options *options,
                        struct error *err) {
    const char *path = options->text[LAUNCH_OUTPUT];
    const bool tex = string_ends_with(path, ".tex");
    if (!tex && !string_ends_with(path, ".svg"))
        return error_set(err, ERROR_USAGE,
                         _("%s: the extension chooses the format, and this extension is not "
                           "known\nallowed: .svg .tex\ntry: -o figure.svg"),
                         utf8_name(path));
    FILE *out = fopen(path, "w");
    if (!out)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be written"),
                               utf8_name(path));
    const struct drawing_look look = {.light = options->background != BACKGROUND_DARK,
                                      .marks_lane = lane >= 0};
    struct drawing drawing = {0};
    struct fragment_page page;
    struct grid grid;
    fragment_page_init(&page, fragments, 0, 0);
    grid_init(&grid, 1, 1, options->ascii);
    view_draw_fragments_table(&grid, &page, lane, FIGURE_COLUMNS);
    drawing_add(&drawing, &grid, drawing_crop(&grid), &look);
    (tex ? tikz_write : svg_write)(out, &drawing, &look, fragments->instruction);
    drawing_release(&drawing);
    grid_release(&grid);
    const bool failed = ferror(out);
    if (fclose(out) != 0 || failed)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be written"),
                               utf8_name(path));
    return 0;
}

static int show_screen(const struct fragments *fragments, int lane, const struct options *options,
                       struct error *err) {
    const struct screen_options screen = show_screen_options(options);
    struct fragment_page page;
    fragment_page_init(&page, fragments, fragments->is_mma ? 2 : 0, lane < 0 ? 0 : lane);
    page.tile.can_change = page.tile.can_change && !given(options, OPTION_ADDRESS);
    page.tile.pitch = given(options, OPTION_PITCH) ? options->pitch : page.tile.pitch;
    page.tile.swizzle = options->swizzle;
    return fragment_screen_run(&page, &screen, err);
}

static int show(const struct fragments *fragments, const struct options *options,
                struct error *err) {
    const struct fragments_options opts = {
        .lane = given(options, OPTION_LANE) ? (int)options->export.lane : -1};
    if (given(options, LAUNCH_OUTPUT))
        return write_figure(fragments, opts.lane, options, err);
    switch (options->format) {
    case FORMAT_TUI:
        return show_screen(fragments, opts.lane, options, err);
    case FORMAT_TEXT:
        print_table(fragments, opts.lane, options);
        break;
    case FORMAT_JSON:
        export_fragments_json(stdout, fragments, &opts);
        break;
    case FORMAT_CSV:
        export_fragments_csv(stdout, fragments, &opts);
        break;
    default:
        return show_refuse_format(options, _("is not a format for fragments"), "tui text json csv",
                                  err);
    }
    return show_finish(err);
}

/* A layout may have fewer lanes than a warp. */
static int check_lane(const struct fragments *fragments, const struct options *options,
                      struct error *err) {
    const uint32_t lanes = layout_size(&fragments->list[0].layout.lanes);
    if (!given(options, OPTION_LANE) || options->export.lane < lanes)
        return 0;
    return error_set(err, ERROR_USAGE, _("--lane: the layout has %u lanes\ntry: --lane 0"),
                     (unsigned)lanes);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct fragments fragments;
    if (read_instruction(command, options, &fragments, err) != 0 ||
        read_rows(&fragments, options, err) != 0 || check_lane(&fragments, options, err) != 0 ||
        show_resolve_format(&resolved, err) != 0 || show(&fragments, &resolved, err) != 0)
        return error_prefix(err, "%s", command->name);
    return 0;
}

#define OPTIONS_ROWS                                                                               \
    (OPTION_BIT(OPTION_X2) | OPTION_BIT(OPTION_X4) | OPTION_BIT(OPTION_TRANS) |                    \
     OPTION_BIT(OPTION_PITCH) | OPTION_BIT(OPTION_SWIZZLE) | OPTION_BIT(OPTION_ADDRESS))
#define OPTIONS_FRAGMENT (OPTION_BIT(OPTION_LANE) | OPTION_BIT(LAUNCH_OUTPUT) | OPTIONS_SHOW)

const struct command command_mma = {
    .name = "mma",
    .summary = N_("which lane holds which element in an mma.sync"),
    .about = N_("Shows the matrices A, B and C of an mma.sync: the lane and the register that hold "
                "each element, as the PTX ISA defines them. Name the shape, such as m16n8k16, or "
                "the whole instruction as in PTX. On a terminal a cursor moves from cell to cell, "
                "and the lane that holds the cell's element is highlighted in all three matrices. "
                "-o writes a figure, .svg or .tex. For a single element, try: shflviz which "
                "'m16n8k16 C[9][3]'. A layout in CuTe's notation, lanes before values, is also "
                "drawn, with the operands that have the same layout."),
    .operand = "INSTRUCTION|'LAYOUT'",
    .operands_needed = 1,
    .options = OPTION_BIT(OPTION_ELEMENT) | OPTIONS_FRAGMENT,
    .examples = {"mma m16n8k16 --lane 5", "mma '((4,8),(2,2)):((16,1),(8,64))'",
                 "mma mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --format json",
                 "mma m16n8k8 --type tf32 -o fragment.svg"},
    .run = run,
};

const struct command command_ldmatrix = {
    .name = "ldmatrix",
    .summary = N_("which lane gets which element of an ldmatrix"),
    .about = N_("Shows the 8 by 8 matrices of 16-bit elements that an ldmatrix loads from shared "
                "memory: the lane and the register that get each element. Row r of matrix m is at "
                "the address that lane 8m + r passes. With --trans rows and columns are those in "
                "memory, and each lane gets two elements of a column. With --pitch, --swizzle or "
                "--address the picture shows each row's banks, too, and how many passes the rows "
                "take: a matrix's rows are accessed together."),
    .operand = "[INSTRUCTION]",
    .options = OPTIONS_ROWS | OPTIONS_FRAGMENT,
    .examples = {"ldmatrix --x4 --trans", "ldmatrix --x2 --lane 9 --format json",
                 "ldmatrix --x4 --pitch 128", "ldmatrix --x4 --pitch 128 --swizzle 128B"},
    .run = run,
};

const struct command command_stmatrix = {
    .name = "stmatrix",
    .summary = N_("where an stmatrix stores each lane's elements"),
    .about = N_("Shows the 8 by 8 matrices of 16-bit elements that an stmatrix stores to shared "
                "memory: the lane and the register that each element comes from. Row r of matrix m "
                "is at the address that lane 8m + r passes."),
    .operand = "[INSTRUCTION]",
    .options = OPTIONS_ROWS | OPTIONS_FRAGMENT,
    .examples = {"stmatrix --x4", "stmatrix --trans --format csv"},
    .run = run,
};

const struct command command_movmatrix = {
    .name = "movmatrix",
    .summary = N_("which lane gets which element of a movmatrix"),
    .about = N_("Shows what movmatrix.trans does to an 8 by 8 matrix of 16-bit elements: the lane "
                "and the register that hold each element before the instruction, and the lane and "
                "the register that get it."),
    .operand = "[INSTRUCTION]",
    .options = OPTIONS_FRAGMENT,
    .examples = {"movmatrix", "movmatrix --lane 5"},
    .run = run,
};
