/*
 * The program's own views draw each picture into a grid, which is cropped to its content, so that a
 * figure shows exactly what the screen shows.
 */
#include "export/figures/paper.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "export/figures/svg.h"
#include "replay/lines.h"
#include "replay/pages/fragment_page.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *paper_title(const struct trace *trace) {
    const char *title = trace_note(trace, TRACE_NOTE_TITLE);
    if (!title)
        title = trace_note(trace, TRACE_NOTE_COMMAND);
    return title ? title : "shflviz";
}

/* ---- choice of steps ---- */

static int refuse_steps(const struct trace *trace, const struct paper_options *opts,
                        const char *wrong, struct error *err) {
    char value[48], allowed[64];
    const uint64_t last = trace_step_count(trace) - 1;
    if (opts->first_step == opts->last_step)
        snprintf(value, sizeof value, "%" PRIu64, opts->first_step);
    else
        snprintf(value, sizeof value, "%" PRIu64 "-%" PRIu64, opts->first_step, opts->last_step);
    snprintf(allowed, sizeof allowed, last > 0 ? _("0 to %" PRIu64) : "0", last);
    return complain(err, "step", value, wrong, allowed, NULL);
}

int paper_steps(const struct trace *trace, const struct paper_options *opts, bool all,
                uint64_t steps[PAPER_STEPS_MOST], size_t *count, struct error *err) {
    struct trace_warp warp;
    *count = 0;
    if (trace_step_count(trace) == 0 || !trace_warp(trace, 0, &warp))
        return error_set(err, ERROR_USAGE,
                         _("the recording has no steps: there is nothing to draw"));
    if (!opts->has_steps) {
        const uint64_t wanted = all ? warp.steps : 1;
        for (uint64_t at = 0; at < wanted && *count < PAPER_STEPS_MOST; at++)
            steps[(*count)++] = trace_warp_step(trace, &warp, at);
        return 0;
    }
    if (opts->last_step >= trace_step_count(trace))
        return refuse_steps(trace, opts, _("the recording has no such step"), err);
    if (opts->last_step - opts->first_step >= PAPER_STEPS_MOST)
        return refuse_steps(trace, opts, _("more than 64 steps in one file"), err);
    for (uint64_t step = opts->first_step; step <= opts->last_step; step++)
        steps[(*count)++] = step;
    return 0;
}

/* ---- a moment ---- */

static int refuse_view(const struct replay *replay, enum view_kind view, struct error *err) {
    static const char *const names[VIEW_KIND_COUNT] = {"lanes",   "wires",  "history",   "source",
                                                       "explain", "rounds", "variables", "block"};
    struct text allowed = TEXT_INIT;
    char wrong[128];
    for (int kind = 0; kind < VIEW_KIND_COUNT; kind++)
        if (view_applies(replay, (enum view_kind)kind))
            text_append_format(&allowed, "%s%s", allowed.length ? " " : "", names[kind]);
    snprintf(wrong, sizeof wrong,
             view == VIEW_SOURCE ? _("the recording has no source text for step %" PRIu64)
                                 : _("step %" PRIu64 " is in no series of rounds"),
             replay->cursor.step.number);
    complain(err, "view", names[view], wrong, allowed.data, NULL);
    text_release(&allowed);
    return -1;
}

static enum view_kind view_of_options(const struct replay *replay,
                                      const struct paper_options *opts) {
    return opts->view == VIEW_KIND_COUNT ? replay_view(replay) : opts->view;
}

static bool is_warp_view(enum view_kind view) {
    return view == VIEW_HISTORY || view == VIEW_ROUNDS;
}

/* Makes the replay of a trace at a step, with the requested settings. */
static int open_at_step(struct replay *replay, const struct trace *trace,
                        const struct paper_options *opts, uint64_t step, struct error *err) {
    if (replay_init(replay, trace, err) != 0)
        return -1;
    if (!replay_go_step(replay, step) || !replay->cursor.has_step)
        return error_set(err, ERROR_USAGE, _("step %" PRIu64 " of the recording is damaged"), step);
    replay_set_phase(replay, opts->phase == PHASE_COUNT ? PHASE_AFTER : opts->phase);
    if (opts->lane >= 0)
        replay_set_lane(replay, opts->lane);
    const enum view_kind view = view_of_options(replay, opts);
    replay_set_view(replay, view); /* the view "explain" has a longer explanation */
    return view_applies(replay, view) ? 0 : refuse_view(replay, view, err);
}

static void draw(struct grid *grid, const struct replay *replay, const struct paper_options *opts,
                 bool marks_lane) {
    const struct figure_options figure = {view_of_options(replay, opts), opts->columns, opts->rows,
                                          marks_lane};
    view_draw_figure(grid, replay, &figure);
}

static void add(struct drawing *drawing, const struct replay *replay,
                const struct paper_options *opts) {
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    draw(&grid, replay, opts, opts->look.marks_lane);
    drawing_add(drawing, &grid, drawing_crop(&grid), &opts->look);
    grid_release(&grid);
}

/* ---- matrices of an mma.sync, an ldmatrix ---- */

#define MATRICES_COLUMNS 200 /* A, B and C with values */

static bool shows_matrices(const struct trace *trace, const struct paper_options *opts,
                           uint64_t step) {
    return opts->has_matrices ||
           (opts->view == VIEW_KIND_COUNT && trace_registers(trace, step) != NULL);
}

static int open_matrices(struct fragment_page *page, const struct trace *trace,
                         const struct paper_options *opts, uint64_t step, struct error *err) {
    char value[16], allowed[32], text[96];
    if (!fragment_page_recorded(page, trace_registers(trace, step),
                                opts->lane < 0 ? 0 : opts->lane)) {
        snprintf(text, sizeof text, _("step %" PRIu64 " has no matrix registers"), step);
        return complain(err, "view", "matrices", text,
                        "lanes wires history source explain rounds variables", NULL);
    }
    if (opts->k > page->k) {
        snprintf(value, sizeof value, "%d", opts->k);
        snprintf(allowed, sizeof allowed, _("0 to %d"), page->k);
        return complain(err, "k", value, _("is beyond the product's k"), allowed, NULL);
    }
    page->k = opts->k < 0 ? page->k : opts->k;
    return 0;
}

static void draw_matrices(struct grid *grid, const struct fragment_page *page,
                          const struct paper_options *opts) {
    grid_init(grid, 1, 1, false);
    view_draw_fragments_table(grid, page, opts->lane,
                              opts->columns ? opts->columns : MATRICES_COLUMNS);
}

static int add_matrices(struct drawing *drawing, const struct trace *trace,
                        const struct paper_options *opts, uint64_t step, struct error *err) {
    struct fragment_page page;
    struct grid grid;
    if (open_matrices(&page, trace, opts, step, err) != 0)
        return -1;
    draw_matrices(&grid, &page, opts);
    drawing_add(drawing, &grid, drawing_crop(&grid), &opts->look);
    grid_release(&grid);
    return 0;
}

/* Views of a whole warp are drawn once, at the last of its steps. */
static uint64_t last_of_warp(const struct trace *trace, uint64_t step) {
    struct trace_warp warp;
    uint64_t position;
    if (!trace_warp_of_step(trace, step, &warp, &position))
        return step;
    return trace_warp_step(trace, &warp, warp.steps - 1);
}

int paper_draw(struct drawing *drawing, const struct trace *trace, const struct paper_options *opts,
               struct error *err) {
    uint64_t steps[PAPER_STEPS_MOST];
    size_t count;
    struct replay replay;
    if (paper_steps(trace, opts, false, steps, &count, err) != 0 ||
        (!opts->has_matrices && open_at_step(&replay, trace, opts, steps[0], err) != 0))
        return -1;
    if (!opts->has_matrices && is_warp_view(view_of_options(&replay, opts))) {
        steps[0] = steps[count - 1];
        if (!opts->has_steps && view_of_options(&replay, opts) == VIEW_HISTORY)
            steps[0] = last_of_warp(trace, steps[0]);
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        const bool matrices = shows_matrices(trace, opts, steps[i]);
        if (matrices ? add_matrices(drawing, trace, opts, steps[i], err) != 0
                     : open_at_step(&replay, trace, opts, steps[i], err) != 0)
            return -1;
        if (!matrices)
            add(drawing, &replay, opts);
    }
    return 0;
}

int paper_draw_player(struct drawing *drawing, const struct player *player,
                      const struct paper_options *opts, struct error *err) {
    struct replay replay = player->replay;
    struct paper_options of_lesson = *opts;
    if (!replay.cursor.has_step)
        return error_set(err, ERROR_USAGE, _("part %zu shows no operation"), player->beat + 1);
    if (opts->phase != PHASE_COUNT && player->state != PLAYER_ASKING)
        replay_set_phase(&replay, opts->phase);
    if (opts->lane >= 0)
        replay_set_lane(&replay, opts->lane);
    const enum view_kind view = view_of_options(&replay, opts);
    if (!view_applies(&replay, view))
        return refuse_view(&replay, view, err);
    of_lesson.look.marks_lane = true;
    add(drawing, &replay, &of_lesson);
    return 0;
}

/* ---- frames ---- */

#define FRAMES_MOST (PAPER_STEPS_MOST * PHASE_COUNT)

struct frames {
    struct grid grid[FRAMES_MOST];
    bool moves[FRAMES_MOST]; /* dots run along its wires */
    size_t count;
    struct crop crop;
};

/* A size large enough for the pictures of all steps, so that nothing jumps. */
static int common_size(const struct trace *trace, const uint64_t *steps, size_t count,
                       struct paper_options *opts, struct error *err) {
    struct replay replay;
    int columns = 0, rows = 0;
    for (size_t i = 0; i < count; i++) {
        int own_columns, own_rows;
        if (open_at_step(&replay, trace, opts, steps[i], err) != 0)
            return -1;
        view_figure_size(&replay, view_of_options(&replay, opts), &own_columns, &own_rows);
        columns = own_columns > columns ? own_columns : columns;
        rows = own_rows > rows ? own_rows : rows;
    }
    opts->columns = opts->columns ? opts->columns : columns;
    opts->rows = opts->rows ? opts->rows : rows;
    return 0;
}

static void keep_frame(struct frames *frames, bool moves) {
    const struct crop crop = drawing_crop(&frames->grid[frames->count]);
    frames->crop = frames->count ? crop_join(frames->crop, crop) : crop;
    frames->moves[frames->count++] = moves;
}

static void add_frame(struct frames *frames, const struct replay *replay,
                      const struct paper_options *opts, bool moves) {
    struct grid *grid = &frames->grid[frames->count];
    grid_init(grid, 1, 1, false);
    draw(grid, replay, opts, opts->look.marks_lane);
    keep_frame(frames, moves);
}

/* Draws the matrices of each step; for a product, one k after the other. */
static int draw_products(struct frames *frames, const struct trace *trace,
                         const struct paper_options *opts, const uint64_t *steps, size_t count,
                         struct error *err) {
    for (size_t i = 0; i < count; i++) {
        struct fragment_page page;
        if (open_matrices(&page, trace, opts, steps[i], err) != 0)
            return -1;
        const int all = page.k;
        if (frames->count + (size_t)all + 1 > FRAMES_MOST)
            return error_set(err, ERROR_USAGE,
                             _("--animate: more than %d pictures\ntry: --step A-B, for fewer"),
                             FRAMES_MOST);
        for (page.k = 0; page.k <= all; page.k++) {
            draw_matrices(&frames->grid[frames->count], &page, opts);
            keep_frame(frames, false);
        }
    }
    return 0;
}

/* Goes line by line to the last of the steps and back, or through the whole warp if no steps were
 * given. */
static int draw_lines(struct frames *frames, const struct trace *trace,
                      const struct paper_options *opts, uint64_t first, uint64_t last,
                      struct error *err) {
    struct replay replay;
    if (open_at_step(&replay, trace, opts, last, err) != 0)
        return -1;
    const size_t count = replay_lines(&replay)->count;
    const size_t end = opts->has_steps ? replay_line(&replay) : count - 1;
    if (open_at_step(&replay, trace, opts, first, err) != 0)
        return -1;
    const size_t begin = opts->has_steps ? replay_line(&replay) : 0;
    if (2 * (end - begin) + 1 > FRAMES_MOST)
        return error_set(
            err, ERROR_USAGE,
            _("--animate: %zu lines exceed the limit of %d\ntry: --step A-B, for fewer"),
            end - begin + 1, FRAMES_MOST / 2);
    for (size_t i = begin; i <= end; i++) {
        lines_go(&replay, i);
        add_frame(frames, &replay, opts, false);
    }
    for (size_t i = end; i-- > begin;) {
        lines_go(&replay, i);
        add_frame(frames, &replay, opts, false);
    }
    return 0;
}

static int draw_frames(struct frames *frames, const struct trace *trace,
                       const struct paper_options *wanted, struct error *err) {
    uint64_t steps[PAPER_STEPS_MOST];
    size_t count;
    struct replay replay;
    struct paper_options sized = *wanted;
    const struct paper_options *opts = &sized;
    if (paper_steps(trace, opts, false, steps, &count, err) != 0)
        return -1;
    if (shows_matrices(trace, opts, steps[0]))
        return draw_products(frames, trace, opts, steps, count, err);
    if (common_size(trace, steps, count, &sized, err) != 0)
        return -1;
    if (open_at_step(&replay, trace, opts, steps[0], err) == 0 && replay_moves_by_line(&replay))
        return draw_lines(frames, trace, opts, steps[0], steps[count - 1], err);
    for (size_t i = 0; i < count; i++) {
        if (open_at_step(&replay, trace, opts, steps[i], err) != 0)
            return -1;
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            if (!phase_applies(replay.cursor.step.operation.op, (enum phase)phase))
                continue;
            replay_set_phase(&replay, (enum phase)phase);
            add_frame(frames, &replay, opts, phase == PHASE_MOVE);
        }
    }
    return 0;
}

/* Frames smaller than the largest get blank cells. */
static struct crop crop_within(struct crop crop, const struct grid *grid) {
    crop.right = crop.right < grid->columns ? crop.right : grid->columns;
    crop.bottom = crop.bottom < grid->rows ? crop.bottom : grid->rows;
    return crop;
}

static void write_frames(FILE *out, struct frames *frames, const struct paper_options *opts,
                         const char *title) {
    struct drawing *drawings = memory_zeroed(frames->count, sizeof drawings[0]);
    for (size_t i = 0; i < frames->count; i++) {
        drawing_add(&drawings[i], &frames->grid[i], crop_within(frames->crop, &frames->grid[i]),
                    &opts->look);
        drawings[i].columns = frames->crop.right - frames->crop.left;
        drawings[i].rows = frames->crop.bottom - frames->crop.top;
    }
    svg_write_animated(out, drawings, frames->count, frames->moves, &opts->look, title);
    for (size_t i = 0; i < frames->count; i++)
        drawing_release(&drawings[i]);
    free(drawings);
}

int paper_animate(FILE *out, const struct trace *trace, const struct paper_options *opts,
                  const char *title, struct error *err) {
    struct frames *frames = memory_zeroed(1, sizeof *frames);
    const int status = draw_frames(frames, trace, opts, err);
    if (status == 0)
        write_frames(out, frames, opts, title);
    for (size_t i = 0; i < frames->count; i++)
        grid_release(&frames->grid[i]);
    free(frames);
    return status;
}
