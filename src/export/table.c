/*
 * Text is drawn by the same code as the screen, into a grid that is then written. Beyond a certain
 * number of steps a summary replaces the tables.
 */
#include "export/export.h"

#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "explain/findings/census.h"
#include "explain/findings/finding.h"
#include "explain/printed.h"
#include "export/history_table.h"
#include "replay/pages/fragment_page.h"
#include "replay/replay.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>

/* Says which of several operations a table shows. */
static void write_place(FILE *out, const struct replay *replay) {
    uint64_t steps = trace_step_count(replay->cursor.trace);
    if (steps == 1)
        return;
    fprintf(out, _("step %" PRIu64 " of 0-%" PRIu64 "  block %" PRIu64 "  warp %" PRIu32 "\n"),
            replay->cursor.step.number, steps - 1, replay->cursor.warp.block,
            replay->cursor.warp.warp);
}

static void write_history(FILE *out, struct grid *grid, const struct replay *replay,
                          const struct text_style *style) {
    for (uint64_t position = 0; history_draw(grid, replay->cursor.trace, &replay->cursor.warp,
                                             style->columns, &position);) {
        fprintf(out, _("\nblock %" PRIu64 "  warp %" PRIu32 "  operation by operation\n"),
                replay->cursor.warp.block, replay->cursor.warp.warp);
        paint_to(out, grid, &style->palette);
    }
}

/* Writes the matrices of an mma.sync or an ldmatrix below its table. */
static void write_matrices(FILE *out, struct grid *grid, const struct replay *replay,
                           const struct text_style *style) {
    const struct cursor *cursor = &replay->cursor;
    struct fragment_page page;
    if (!fragment_page_recorded(&page, trace_registers(cursor->trace, cursor->step.number), 0))
        return;
    fputs("\n", out);
    view_draw_fragments_table(grid, &page, -1, style->columns);
    paint_to(out, grid, &style->palette);
}

/* Writes every operation of the replay's warp, then all of them in one table. */
static void write_warp(FILE *out, struct replay *replay, const struct text_style *style) {
    struct grid grid;
    grid_init(&grid, style->columns, 1, style->ascii);
    for (uint64_t position = 0; !ferror(out) && position < replay->cursor.warp.steps; position++) {
        replay_apply(replay, ACTION_OPERATION_GO, (long)position);
        fputs(replay->cursor.warp.index == 0 && position == 0 ? "" : "\n", out);
        write_place(out, replay);
        view_draw_table(&grid, replay, style->columns);
        paint_to(out, &grid, &style->palette);
        write_matrices(out, &grid, replay, style);
    }
    if (replay->cursor.warp.steps > 1)
        write_history(out, &grid, replay, style);
    grid_release(&grid);
}

static int write_warps(FILE *out, const struct trace *trace, const struct text_style *style,
                       struct error *err) {
    struct replay replay;
    while (trace_warps_list(trace, 1 << 16))
        ; /* the recording of a killed run has no index yet */
    if (!trace_warps_listed(trace))
        return error_set(err, ERROR_USAGE,
                         _("no room for the list of the recording's warps that --format text "
                           "needs\ntry: a TMPDIR with more room, or --format json"));
    if (replay_init(&replay, trace, err) != 0)
        return -1;
    uint64_t warps = trace_warp_count(trace);
    for (uint64_t index = 0; !ferror(out) && index < warps; index++) {
        progress_line_part(index, warps);
        write_warp(out, &replay, style);
        replay_apply(&replay, ACTION_WARP_NEXT, 1);
    }
    return 0;
}

struct summary {
    FILE *out;
    uint64_t findings; /* of single operations */
};

/* The findings of an operation are below its table and only counted here, except those that need
 * more than one operation. */
static void summarize(void *context, const struct finding *finding) {
    struct summary *summary = context;
    struct text words = TEXT_INIT;
    summary->findings += finding->step != NULL;
    if (finding->step && finding->found.rule != WARP_RULE_DIVERGENT_MASK)
        return;
    finding_append(&words, finding);
    if (finding->step)
        fprintf(summary->out, _("\n%s in step %" PRIu64 ": %s\n"), finding->rule,
                finding->step->number, words.data);
    else
        fprintf(summary->out, _("\n%s: %s\n"), finding->rule, words.data);
    text_release(&words);
}

static int write_summary(FILE *out, const struct trace *trace, struct error *err) {
    struct summary summary = {.out = out};
    if (trace_step_count(trace) == 0)
        fputs(_("no operation was recorded\n"), out);
    if (findings_walk(trace, summarize, &summary, NULL, err) != 0)
        return -1;
    if (trace_step_count(trace) > 1 && summary.findings > 0)
        fprintf(out,
                message_plural("\n%" PRIu64 " finding in %" PRIu64 " operations\n",
                               "\n%" PRIu64 " findings in %" PRIu64 " operations\n",
                               (unsigned long)summary.findings),
                summary.findings, trace_step_count(trace));
    if (fragments_cut(trace))
        fprintf(out,
                _("\nthe recording had no more room for registers, and left out those of %" PRIu64
                  " steps\n"),
                fragments_cut(trace));
    if (trace_dropped(trace))
        fprintf(out, _("\n%" PRIu64 " more steps were not recorded\n"), trace_dropped(trace));
    return 0;
}

/* The program's output, with the number of steps up to it. */
static void write_printed(FILE *out, const struct trace *trace) {
    struct printed printed = {trace, 0, 0};
    struct printed_line line;
    if (trace_output_count(trace) > 0)
        fputs(_("\nprinted by the program, after this many steps (2> standard error)\n"), out);
    while (!ferror(out) && printed_next(&printed, &line))
        fprintf(out, "%8" PRIu64 " %s %.*s\n", line.piece->step,
                line.piece->stream == 2 ? "2>" : "  ", (int)line.length, line.text);
    if (printed_cut(trace))
        fprintf(out, _("%" PRIu64 " more bytes were printed but not kept\n"), printed_cut(trace));
}

int export_text(FILE *out, const struct trace *trace, const struct text_style *style,
                struct error *err) {
    if (trace_step_count(trace) > 0 && write_warps(out, trace, style, err) != 0)
        return -1;
    write_printed(out, trace);
    return write_summary(out, trace, err);
}

/* ---- a summary ---- */

static int compare_operations(const void *a, const void *b, void *context) {
    const uint64_t *steps = context, x = steps[*(const int *)a], y = steps[*(const int *)b];
    return x != y ? (x < y) - (x > y) : *(const int *)a - *(const int *)b;
}

/* Writes the operations, the most frequent first. */
static void write_operations(FILE *out, struct census *census) {
    int order[WARP_OP_COUNT], count = 0;
    for (int op = 0; op < WARP_OP_COUNT; op++)
        if (census->operations[op] > 0)
            order[count++] = op;
    qsort_r(order, (size_t)count, sizeof order[0], compare_operations, census->operations);
    for (int i = 0; i < count; i++)
        fprintf(out, "  %-20s%12" PRIu64 "\n", warp_op_info((enum warp_op)order[i])->name,
                census->operations[order[i]]);
}

static void write_census(FILE *out, const struct trace *trace, const struct text_style *style) {
    struct census census;
    struct grid grid;
    census_init(&census, trace);
    census_count_all(&census);
    fprintf(out, "\n  %s\n", _("operations"));
    write_operations(out, &census);
    fputc('\n', out);
    grid_init(&grid, 1, 1, style->ascii);
    view_draw_overview_table(&grid, &census, style->columns);
    paint_to(out, &grid, &style->palette);
    grid_release(&grid);
    census_release(&census);
}

/* A step that cannot be read is listed among the findings. */
static int write_step(FILE *out, const struct trace *trace, uint64_t step,
                      const struct text_style *style, struct error *err) {
    struct replay replay;
    struct grid grid;
    if (replay_init(&replay, trace, err) != 0)
        return -1;
    if (!replay_go_step(&replay, step))
        return 0;
    grid_init(&grid, style->columns, 1, style->ascii);
    fputc('\n', out);
    write_place(out, &replay);
    view_draw_table(&grid, &replay, style->columns);
    paint_to(out, &grid, &style->palette);
    grid_release(&grid);
    return 0;
}

int export_summary(FILE *out, const struct trace *trace, const struct text_style *style,
                   struct error *err) {
    const unsigned long launches = (unsigned long)trace_launch_count(trace);
    fprintf(out,
            message_plural("summary of %" PRIu64 " steps in %lu launch\n",
                           "summary of %" PRIu64 " steps in %lu launches\n", launches),
            trace_step_count(trace), launches);
    write_census(out, trace, style);
    if (write_step(out, trace, 0, style, err) != 0 ||
        write_step(out, trace, trace_step_count(trace) - 1, style, err) != 0)
        return -1;
    write_printed(out, trace);
    return write_summary(out, trace, err);
}
