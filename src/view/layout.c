/*
 * Which views go where. A small screen shows the chosen view alone; a wide one puts explanation
 * and source beside it, a tall one the wires below the lane table, a large one all five.
 */
#include "base/message.h"
#include "view/moment.h"

#define LANES_ROWS    17 /* heading and two columns of 16 */
#define HISTORY_ROWS  34 /* two headings and 32 lanes */
#define STACK_ROWS    30 /* from here on wires fit below the lane table */
#define LIST_COLUMNS  76
#define SIDE_COLUMNS  118 /* leaves the lane table LIST_COLUMNS */
#define LARGE_COLUMNS 170
#define LARGE_ROWS    47
#define EXPLAIN_ROWS  23
#define SOURCE_LEAST  8
#define SIDE_LIMIT    60

static const struct view views[VIEW_KIND_COUNT] = {
    [VIEW_LANES] = {"lanes", draw_lanes},       [VIEW_WIRES] = {"wires", draw_wires},
    [VIEW_HISTORY] = {"history", draw_history}, [VIEW_SOURCE] = {"source", draw_source},
    [VIEW_EXPLAIN] = {"explain", draw_explain}, [VIEW_ROUNDS] = {"rounds", draw_rounds},
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
        [PICTURE_SHARED] = N_("memory"),
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

/* One view over another, `top` rows for the first. */
static void draw_stack(struct area area, const struct moment *moment, int top, enum view_kind above,
                       enum view_kind below, bool headed) {
    struct area upper = area_within(area, 0, 0, area.columns, top);
    if (headed)
        draw_panel(upper, moment, above);
    else
        view_of(above)->draw(upper, moment);
    draw_panel(area_within(area, 0, top, area.columns, area.rows - top), moment, below);
}

/* `beside`: the explanation is beside it. */
static void draw_main(struct area area, const struct moment *moment, bool beside) {
    enum view_kind kind = replay_view(moment->replay);
    /* A narrow and tall screen has room for one list of all lanes with all their columns. */
    bool list = kind == VIEW_LANES && area.columns < LIST_COLUMNS && area.rows > WARP_LANES;
    if (area.rows < STACK_ROWS || kind == VIEW_HISTORY || kind == VIEW_ROUNDS || list) {
        bool shown_beside = beside && kind == VIEW_EXPLAIN;
        view_of(shown_beside ? VIEW_LANES : kind)->draw(area, moment);
        return;
    }
    enum view_kind below = kind == VIEW_SOURCE               ? VIEW_SOURCE
                           : kind == VIEW_EXPLAIN && !beside ? VIEW_EXPLAIN
                                                             : VIEW_WIRES;
    draw_stack(area, moment, LANES_ROWS, VIEW_LANES, below, false);
}

/* The explanation and the source, except where the main part shows the latter. */
static void draw_side(struct area area, const struct moment *moment) {
    enum view_kind kind = replay_view(moment->replay);
    /* Findings need space; the source keeps the lines around the call. */
    int explain = moment->finding_count ? area.rows - SOURCE_LEAST : EXPLAIN_ROWS;
    if (kind == VIEW_EXPLAIN || kind == VIEW_SOURCE || area.rows < EXPLAIN_ROWS + SOURCE_LEAST)
        draw_panel(area, moment, VIEW_EXPLAIN);
    else
        draw_stack(area, moment, explain, VIEW_EXPLAIN, VIEW_SOURCE, true);
}

/* Memory wants all the width that there is: its banks are the picture. */
static void draw_large_shared(struct area area, const struct moment *moment) {
    const int left = area.columns - SIDE_LIMIT - 2;
    const struct area side = area_within(area, left + 2, 0, SIDE_LIMIT, area.rows);
    draw_stack(area_within(area, 0, 0, left, area.rows), moment, LANES_ROWS, VIEW_LANES, VIEW_WIRES,
               false);
    draw_divider(area, left);
    draw_stack(side, moment, EXPLAIN_ROWS, VIEW_EXPLAIN, VIEW_SOURCE, true);
}

static void draw_large(struct area area, const struct moment *moment) {
    /* The source has the long lines, the history the short columns. */
    int left = area.columns * 2 / 5, middle = area.columns / 4;
    int right = area.columns - left - middle - 4;
    draw_stack(area_within(area, 0, 0, left, area.rows), moment, LANES_ROWS, VIEW_LANES, VIEW_WIRES,
               false);
    draw_divider(area, left);
    draw_panel(area_within(area, left + 2, 0, middle, HISTORY_ROWS + 1), moment, VIEW_HISTORY);
    if (area.rows - HISTORY_ROWS - 1 >= 10) {
        draw_panel(
            area_within(area, left + 2, HISTORY_ROWS + 1, middle, area.rows - HISTORY_ROWS - 1),
            moment, VIEW_EXPLAIN);
    }
    draw_divider(area, left + 2 + middle);
    draw_panel(area_within(area, left + 4 + middle, 0, right, area.rows), moment, VIEW_SOURCE);
}

void layout_draw(struct area area, const struct moment *moment) {
    if (area.columns >= LARGE_COLUMNS && area.rows >= LARGE_ROWS) {
        if (moment->picture == PICTURE_SHARED)
            draw_large_shared(area, moment);
        else
            draw_large(area, moment);
        return;
    }
    if (!has_side(area.columns)) {
        draw_main(area, moment, false);
        return;
    }
    int side = area.columns / 3;
    side = side > SIDE_LIMIT ? SIDE_LIMIT : side;
    int main = area.columns - side - 2;
    draw_main(area_within(area, 0, 0, main, area.rows), moment, true);
    draw_divider(area, main);
    draw_side(area_within(area, main + 2, 0, side, area.rows), moment);
}

void layout_draw_alone(struct area area, const struct moment *moment) {
    if (has_side(area.columns) && area.rows >= STACK_ROWS)
        layout_draw(area, moment);
    else
        draw_main(area, moment, false);
}
