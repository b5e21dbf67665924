/*
 * The placement of views. A small screen shows the chosen view alone; a tall one the wires below
 * the lane table, a wide one explanation and source beside it, a large one all of them. The wires
 * come first: views beside them never take the room needed for three columns of wires per lane.
 */
#include "base/message.h"
#include "view/pictures/network.h"

#define LANES_ROWS      17 /* heading and two columns of 16 */
#define HISTORY_ROWS    34 /* two headings and 32 lanes */
#define HISTORY_LOW     18 /* two headings and 16 rows of two lanes */
#define STACK_ROWS      23 /* from this height on, wires fit below the lane table */
#define STACK_OTHERS    30 /* the same for bits, groups and waiting lanes */
#define WIRES_COLUMNS   99 /* three for each lane, and the row labels */
#define WIRES_ROWS      12 /* rows of wires, with their heading, before the source gets any */
#define CODE_ROWS       9  /* rows of code below a picture, with their heading */
#define WIRES_STILL     10 /* the fewest rows for hidden wires: values alone */
#define CODE_LEAST      5  /* the fewest rows of code below that, with their heading */
#define SOURCE_BAND     6
#define LIST_COLUMNS    76
#define SIDE_COLUMNS    118 /* leaves the lane table LIST_COLUMNS */
#define LARGE_COLUMNS   170
#define LARGE_ROWS      47
#define LIST_LARGE      44 /* columns of one list of lanes */
#define EXPLAIN_ROWS    23
#define EXPLAIN_LARGE   11 /* rows of a wide explanation */
#define SOURCE_LEAST    8
#define SIDE_LIMIT      60
#define SIDE_LEAST      38
#define EXPLAIN_COLUMNS 50

static const struct view views[VIEW_KIND_COUNT] = {
    [VIEW_LANES] = {"lanes", draw_lanes},
    [VIEW_WIRES] = {"wires", draw_wires},
    [VIEW_HISTORY] = {"history", draw_history},
    [VIEW_SOURCE] = {"source", draw_source},
    [VIEW_EXPLAIN] = {"explain", draw_explain},
    [VIEW_ROUNDS] = {"rounds", draw_rounds},
    [VIEW_VARIABLES] = {"variables", draw_variables},
    [VIEW_BLOCK] = {"block", draw_block},
};

const struct view *view_of(enum view_kind kind) {
    return &views[kind];
}

const char *view_label(const struct moment *moment, enum view_kind kind) {
    if (kind != VIEW_WIRES || !moment->operation)
        return _(view_of(kind)->name);
    static const char *const names[] = {
        [PICTURE_WIRES] = N_("wires"),   [PICTURE_BITS] = N_("bits"),
        [PICTURE_GROUPS] = N_("groups"), [PICTURE_ARITHMETIC] = N_("arithmetic"),
        [PICTURE_WAITS] = N_("waits"),   [PICTURE_STOP] = N_("waits"),
        [PICTURE_MEMORY] = N_("memory"),
    };
    return _(names[moment->picture]);
}

static bool has_side(int columns) {
    return columns >= SIDE_COLUMNS;
}

bool layout_has_explanation(const struct replay *replay, int columns) {
    return has_side(columns) || replay_view(replay) == VIEW_EXPLAIN;
}

/* A rule with the view's name in it, lit if the view is the chosen one; clicking chooses it. */
static void draw_heading(struct area area, const struct moment *moment, enum view_kind kind) {
    bool chosen = replay_view(moment->replay) == kind;
    draw_rule(area, 0);
    if (area.columns > 14)
        area_format(area, 1, 0, style_role(chosen ? STYLE_ACTIVE : STYLE_LABEL), " %s ",
                    view_label(moment, kind));
    area_hit(area, 0, 0, area.columns, 1, ACTION_VIEW_GO, kind);
}

static void draw_panel(struct area area, const struct moment *moment, enum view_kind kind) {
    draw_heading(area_within(area, 0, 0, area.columns, 1), moment, kind);
    view_of(kind)->draw(area_within(area, 0, 1, area.columns, area.rows - 1), moment);
}

/* Draws one view above another; the first gets `top` rows. */
static void draw_stack(struct area area, const struct moment *moment, int top, enum view_kind above,
                       enum view_kind below, bool headed) {
    struct area upper = area_within(area, 0, 0, area.columns, top);
    if (headed)
        draw_panel(upper, moment, above);
    else
        view_of(above)->draw(upper, moment);
    draw_panel(area_within(area, 0, top, area.columns, area.rows - top), moment, below);
}

/* The view below the lane table. In a lesson it is the code, because a teacher would point at that
 * as well. */
static enum view_kind below_lanes(const struct moment *moment, bool beside, bool alone) {
    switch (replay_view(moment->replay)) {
    case VIEW_SOURCE:
        return VIEW_SOURCE;
    case VIEW_EXPLAIN:
        return beside ? VIEW_WIRES : VIEW_EXPLAIN;
    case VIEW_LANES:
        return alone && moment_has_source(moment) ? VIEW_SOURCE : VIEW_WIRES;
    default:
        return VIEW_WIRES;
    }
}

/* The fewest rows in which a view fits below the lane table; only wires and text need few. */
static int stack_rows(const struct moment *moment, enum view_kind below) {
    if (below == replay_view(moment->replay) && below != VIEW_WIRES)
        return STACK_OTHERS; /* only the chosen view is drawn then */
    return below != VIEW_WIRES || moment->picture == PICTURE_WIRES ? STACK_ROWS : STACK_OTHERS;
}

static bool takes_all(enum view_kind kind) {
    return kind == VIEW_HISTORY || kind == VIEW_ROUNDS || kind == VIEW_VARIABLES ||
           kind == VIEW_BLOCK;
}

/* The rows that the picture of the view `wires` uses in an area. */
static int wires_rows(struct area area, const struct moment *moment) {
    struct grid grid;
    if (wires_are_bare(moment))
        return WIRES_STILL < area.rows ? WIRES_STILL : area.rows;
    if (moment->picture == PICTURE_MEMORY ||
        (moment->picture == PICTURE_WIRES && moment->info->is_shuffle))
        return area.rows;
    grid_init(&grid, area.columns, area.rows, area.grid->ascii);
    draw_wires(grid_area(&grid), moment);
    int cells = area.columns * area.rows;
    while (cells > 0 && grid.cells[cells - 1].glyph == ' ')
        cells--;
    grid_release(&grid);
    return (cells + area.columns - 1) / area.columns;
}

/* The height of a view above the code, if it is shorter than its area; else 0. In a lesson
 * (`alone`) some views leave the rows below the code to the text. */
static int rows_above_code(struct area area, const struct moment *moment, bool alone) {
    const enum view_kind kind = replay_view(moment->replay);
    int rows = 0;
    if (area.rows >= HISTORY_ROWS || !moment_has_source(moment))
        return 0;
    if (kind == VIEW_WIRES)
        rows = wires_rows(area, moment);
    else if (alone && area.rows >= STACK_ROWS)
        rows = kind == VIEW_HISTORY   ? HISTORY_LOW
               : kind == VIEW_EXPLAIN ? area.rows - CODE_ROWS
                                      : 0;
    return area.rows - rows >= CODE_LEAST ? rows : 0;
}

/* `beside`: the explanation is beside the main part; `alone`: the lesson's screen has its own text
 * instead. */
static void draw_main(struct area area, const struct moment *moment, bool beside, bool alone) {
    enum view_kind kind = replay_view(moment->replay);
    /* A narrow, tall screen has room for one list of all lanes with all their columns. */
    bool list = kind == VIEW_LANES && area.columns < LIST_COLUMNS && area.rows > WARP_LANES;
    const int above = beside ? 0 : rows_above_code(area, moment, alone);
    if (above > 0) {
        draw_stack(area, moment, above, kind, VIEW_SOURCE, false);
        return;
    }
    const enum view_kind below = below_lanes(moment, beside, alone);
    /* If the user chose the wires, they are not squeezed in below the lanes. */
    const bool wires = kind == VIEW_WIRES && !alone && moment->picture == PICTURE_WIRES &&
                       area.rows < LANES_ROWS + WIRES_ROWS;
    if (area.rows < stack_rows(moment, below) || takes_all(kind) || list || wires) {
        bool shown_beside = beside && kind == VIEW_EXPLAIN;
        view_of(shown_beside ? VIEW_LANES : kind)->draw(area, moment);
        return;
    }
    draw_stack(area, moment, LANES_ROWS, VIEW_LANES, below, false);
}

/* The explanation and the source, unless the main part already shows the source. */
static void draw_side(struct area area, const struct moment *moment) {
    enum view_kind kind = replay_view(moment->replay);
    /* Findings need space; the source keeps the lines around the call. */
    int explain = moment->finding_count ? area.rows - SOURCE_LEAST : EXPLAIN_ROWS;
    if (kind == VIEW_EXPLAIN || kind == VIEW_SOURCE || area.rows < EXPLAIN_ROWS + SOURCE_LEAST)
        draw_panel(area, moment, VIEW_EXPLAIN);
    else
        draw_stack(area, moment, explain, VIEW_EXPLAIN, VIEW_SOURCE, true);
}

/* Memory gets the full width, because its banks are the picture. */
static void draw_large_memory(struct area area, const struct moment *moment) {
    const int left = area.columns - SIDE_LIMIT - 2;
    const struct area side = area_within(area, left + 2, 0, SIDE_LIMIT, area.rows);
    draw_stack(area_within(area, 0, 0, left, area.rows), moment, LANES_ROWS, VIEW_LANES, VIEW_WIRES,
               false);
    draw_divider(area, left);
    draw_stack(side, moment, EXPLAIN_ROWS, VIEW_EXPLAIN, VIEW_SOURCE, true);
}

/* Columns of the history that its operations fill. */
static int history_columns(const struct moment *moment, int columns) {
    const uint64_t steps = moment->replay->cursor.warp.steps;
    const int value =
        moment->in_columns > moment->out_columns ? moment->in_columns : moment->out_columns;
    const uint64_t needed = 9 + (steps + 1) * ((uint64_t)(value > 3 ? value : 3) + 1);
    return needed > (uint64_t)columns / 3 ? columns / 3 : (int)needed;
}

/* All lanes in one list; beside it the history, row for row; in the remaining width explanation and
 * source; and below, over the full width, the wires. */
static void draw_large(struct area area, const struct moment *moment) {
    const int top = HISTORY_ROWS + 1;
    const bool several = moment->replay->cursor.warp.steps > 1;
    const int middle = several ? history_columns(moment, area.columns) : 0;
    const int side = LIST_LARGE + 2 + (several ? middle + 2 : 0);
    const bool wordy = moment->finding_count || replay_view(moment->replay) == VIEW_EXPLAIN;
    const struct area band = area_within(area, 0, 0, area.columns, top);
    draw_lanes(area_within(area, 0, 0, LIST_LARGE, top), moment);
    draw_divider(band, LIST_LARGE);
    if (several) {
        draw_panel(area_within(area, LIST_LARGE + 2, 0, middle, top), moment, VIEW_HISTORY);
        draw_divider(band, side - 2);
    }
    draw_stack(area_within(area, side, 0, area.columns - side, top), moment,
               wordy ? EXPLAIN_ROWS : EXPLAIN_LARGE, VIEW_EXPLAIN, VIEW_SOURCE, true);
    draw_panel(area_within(area, 0, top, area.columns, area.rows - top), moment, VIEW_WIRES);
}

/* All lanes in one list, and the explanation beside it. */
static void draw_list(struct area area, const struct moment *moment) {
    const int left = LIST_LARGE + 2;
    draw_lanes(area_within(area, 0, 0, LIST_LARGE, area.rows), moment);
    draw_divider(area, LIST_LARGE);
    draw_panel(area_within(area, left, 0, area.columns - left, area.rows), moment, VIEW_EXPLAIN);
}

/* Lanes and explanation side by side, and below them the wires, and the source if there is
 * room, over the full width. A picture that needs few rows leaves the rest to the source. */
static void draw_band(struct area area, const struct moment *moment) {
    const enum view_kind kind = replay_view(moment->replay);
    int side = area.columns - LIST_COLUMNS - 2;
    side = side > EXPLAIN_COLUMNS ? EXPLAIN_COLUMNS : side;
    const int left = area.columns - side - 2, below = area.rows - LANES_ROWS;
    const int half = (below - WIRES_ROWS) / 2;
    const struct area rest = area_within(area, 0, LANES_ROWS, area.columns, below);
    const int needed = wires_rows(area_within(rest, 0, 1, rest.columns, below - 1), moment) + 1;
    const int most = below - (half > SOURCE_BAND ? half : SOURCE_BAND);
    const bool source = below >= WIRES_ROWS + SOURCE_BAND && moment_has_source(moment);
    if (kind != VIEW_SOURCE && !source && needed * 2 < below && area.rows > WARP_LANES + 1) {
        draw_list(area, moment);
        return;
    }
    view_of(VIEW_LANES)->draw(area_within(area, 0, 0, left, LANES_ROWS), moment);
    draw_divider(area_within(area, 0, 0, area.columns, LANES_ROWS), left);
    draw_panel(area_within(area, left + 2, 0, side, LANES_ROWS), moment, VIEW_EXPLAIN);
    if (kind == VIEW_SOURCE)
        draw_panel(rest, moment, VIEW_SOURCE);
    else if (source)
        draw_stack(rest, moment, needed < most ? needed : most, VIEW_WIRES, VIEW_SOURCE, true);
    else
        draw_panel(rest, moment, VIEW_WIRES);
}

void layout_draw(struct area area, const struct moment *moment) {
    const enum view_kind kind = replay_view(moment->replay);
    if (draw_whose(area, moment))
        return;
    if (kind == VIEW_VARIABLES || kind == VIEW_BLOCK) { /* they include the source, if it fits */
        view_of(kind)->draw(area, moment);
        return;
    }
    const bool shared = moment->picture == PICTURE_MEMORY;
    if (area.columns >= LARGE_COLUMNS && area.rows >= LARGE_ROWS && !takes_all(kind)) {
        if (shared)
            draw_large_memory(area, moment);
        else
            draw_large(area, moment);
        return;
    }
    if (!has_side(area.columns)) {
        draw_main(area, moment, false, false);
        return;
    }
    if (area.rows >= stack_rows(moment, VIEW_WIRES) && !takes_all(kind) && !shared) {
        draw_band(area, moment);
        return;
    }
    int side = area.columns / 3;
    side = side > SIDE_LIMIT ? SIDE_LIMIT : side;
    if (area.columns - side - 2 < WIRES_COLUMNS && area.columns - WIRES_COLUMNS - 2 >= SIDE_LEAST)
        side = area.columns - WIRES_COLUMNS - 2;
    int main = area.columns - side - 2;
    if (main < WIRES_COLUMNS && kind == VIEW_ROUNDS) {
        draw_main(area, moment, false, false);
        return;
    }
    draw_main(area_within(area, 0, 0, main, area.rows), moment, true, false);
    draw_divider(area, main);
    draw_side(area_within(area, main + 2, 0, side, area.rows), moment);
}

void layout_draw_alone(struct area area, const struct moment *moment) {
    if (has_side(area.columns) && area.rows >= STACK_ROWS)
        layout_draw(area, moment);
    else
        draw_main(area, moment, false, true);
}
