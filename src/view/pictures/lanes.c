/*
 * The lane table: every lane a row, every phase one more column.
 *
 *     lane    in   lane^laneMask   reads    out
 *     A▌ 5     5   5^3=6           ←  6       6 ◆
 *
 * Widths come from all the texts of the operation, not from those of the phase, so that nothing
 * moves between phases. If a row is too narrow for formula and result, the two share a column: the
 * formula is there until the values move. Beside a lesson's text it is narrower still: the formula
 * is only shown at phase `address`, in place of the lane read and the result.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "view/moment.h"

#define ROW_HALF    16 /* lanes in a column if the table has two */
#define LANE_END    5  /* marker, group letter, bar, lane number */
#define READS_WIDTH 5  /* "reads" */
#define READS_SHORT 3  /* "←17", "↺ 5" */
#define SLIM        27 /* narrower rows use the short form */
#define GAP_SPREAD  8
#define BITS_WIDTH  14 /* "00101^00011=16" */

struct columns {
    bool reads;       /* shuffles have a column for the lane read */
    bool shared;      /* formula and out are one column */
    bool slim;        /* formula, reads and out are one column */
    bool bits;        /* the formula of an xor has room in binary */
    int in, in_width; /* first cell and width of each */
    int formula, formula_width;
    int reads_at;
    int out, out_width; /* a shared column may be wider than its values */
    int mark;           /* of a changed value */
    int end;            /* cells of a row */
};

static int at_least(int value, int least) {
    return value < least ? least : value;
}

/* Makes two value columns fit in `room` cells: the narrower one keeps its width if the other gets
 * at least half of the room, and `out` gets no less than `least`. */
static void fit_values(int room, int least, int *in, int *out) {
    if (*in + *out <= room)
        return;
    int wanted = room - *in > room / 2 ? room - *in : room / 2;
    *out = at_least(wanted < *out ? wanted : *out, least);
    *in = at_least(room - *out, 2);
}

/* A row of a narrow table: in, then reads and out; before those are known, the formula is in their
 * columns. */
static struct columns columns_slim(const struct moment *moment, int columns, bool with_reads) {
    struct columns c = {.reads = with_reads, .slim = true};
    int reads = c.reads ? READS_SHORT : 0, fixed = LANE_END + 2 + reads;
    c.in_width = moment->in_columns ? at_least(moment->in_columns, 2) : 0;
    c.out_width = moment->out_columns ? at_least(moment->out_columns, 3) : 0;
    int gaps = (c.in_width > 0) + c.reads + (c.out_width > 0);
    const bool tight = fixed + gaps + c.in_width + c.out_width > columns;
    fixed -= tight; /* the blank before the mark */
    fit_values(columns - fixed - gaps, 2, &c.in_width, &c.out_width);
    int gap = gaps > 0 ? (columns - fixed - c.in_width - c.out_width) / gaps : 1;
    gap = gap < 1 ? 1 : gap > 2 ? 2 : gap;
    c.in = LANE_END + gap;
    c.reads_at = c.formula = c.in + c.in_width + (c.in_width ? gap : 0);
    c.out = c.reads_at + reads + (reads ? gap : 0);
    c.mark = c.out + c.out_width + !tight;
    c.end = columns;
    const int latest = at_least(columns - moment->formula_columns, LANE_END + 4);
    c.formula = c.reads || c.formula < latest ? c.formula : latest; /* may cover a part of `in` */
    c.formula_width = moment->formula_columns ? columns - c.formula : 0;
    return c;
}

/* True if the column of lanes read is dropped to make room for values that would otherwise be cut.
 * It stays while a question asks for those lanes. The row below the table and the wires show them,
 * too. */
static bool hides_lanes_read(const struct moment *moment, const struct columns *with,
                             const struct columns *without) {
    const enum question_kind asked = moment->replay->asking.question.kind;
    return with->in_width + with->out_width < without->in_width + without->out_width &&
           moment->formula_columns <= without->formula_width && asked != QUESTION_SOURCE &&
           asked != QUESTION_READERS;
}

static struct columns columns_narrow(const struct moment *moment, int columns) {
    const struct columns with = columns_slim(moment, columns, moment->info->is_shuffle);
    const struct columns without = columns_slim(moment, columns, false);
    return hides_lanes_read(moment, &with, &without) ? without : with;
}

/* The total width of the columns, without the blanks between them. */
static int columns_needed(const struct columns *c, int reads) {
    return LANE_END + 2 + reads + c->in_width + c->formula_width + c->out_width;
}

static int columns_shown(const struct columns *c) {
    return (c->in_width > 0) + (c->formula_width > 0) + c->reads + (c->out_width > 0);
}

/* Places each column `gap` blanks after the one before. */
static void place_columns(struct columns *c, int reads, int gap) {
    c->in = LANE_END + gap;
    c->formula = c->in + c->in_width + (c->in_width ? gap : 0);
    c->reads_at = c->formula + c->formula_width + (c->formula_width ? gap : 0);
    c->out = c->reads_at + reads + (reads ? gap : 0);
}

/* Gives each column its natural width if they all fit. Else the formula and the result take turns
 * in one column, the values are shortened, or both. */
static struct columns columns_with(const struct moment *moment, int columns, bool bits) {
    struct columns c = {.reads = moment->info->is_shuffle, .bits = bits};
    const int reads = c.reads ? at_least(utf8_columns(_("↺ own")), READS_WIDTH) : 0;
    const int fixed = LANE_END + 2 + reads;
    const int natural_out = moment->out_columns ? at_least(moment->out_columns, 3) : 0;
    const int formula = bits ? BITS_WIDTH : moment->formula_columns;
    c.in_width = moment->in_columns ? at_least(moment->in_columns, 2) : 0;
    c.out_width = natural_out;
    c.formula_width = formula;
    c.shared = formula > 0 && columns_needed(&c, reads) + columns_shown(&c) > columns;
    int least = 2; /* of the result */
    if (c.shared) {
        c.formula_width = 0;
        c.out_width = at_least(natural_out, formula);
        const int room = columns - fixed - columns_shown(&c);
        const int most = room - at_least(c.in_width, 6) + 1;
        least = formula < most ? formula : most;
    }
    const int gaps = columns_shown(&c);
    fit_values(columns - fixed - gaps, least, &c.in_width, &c.out_width);
    const int gap = gaps > 0 ? (columns - columns_needed(&c, reads)) / gaps : 1;
    const int widest = moment->spread ? GAP_SPREAD : 4;
    place_columns(&c, reads, gap < 1 ? 1 : gap > widest ? widest : gap);
    const int last = c.out_width; /* of the last column */
    if (c.shared) {
        c.formula = c.out;
        c.formula_width = last;
        c.out_width = natural_out < last ? natural_out : last;
    }
    c.mark = c.out + c.out_width + 1;
    c.end = c.out + last + 2;
    return c;
}

static struct columns columns_fit(const struct moment *moment, int columns) {
    struct columns c =
        columns < SLIM ? columns_narrow(moment, columns) : columns_with(moment, columns, false);
    if (moment->operation->op != WARP_OP_XOR || moment->formula_columns == 0)
        return c;
    if (c.slim || c.shared) { /* only if no other column shares its room */
        c.bits = c.slim && c.formula_width >= BITS_WIDTH;
        return c;
    }
    const struct columns wide = columns_with(moment, columns, true);
    const bool tight = wide.formula - wide.in - wide.in_width < 2;
    return wide.shared || (tight && moment->spread) ? c : wide;
}

/* ---- one row ---- */

/* A style, reversed for a moment if a change altered the cell. */
static struct style style_altered(struct style style, uint32_t altered, int lane) {
    return style_with(style, altered >> lane & 1 ? STYLE_REVERSE : 0u);
}

/* Before anything moves, the lane that will be read is shown faintly, like the wires. */
static bool hints_reads(const struct moment *moment, const struct columns *c) {
    return moment->ghosts && moment->phase == PHASE_BEFORE && c->reads && !moment->asked &&
           !(moment->hide & REPLAY_HIDES_READS);
}

static bool shows_formula(const struct moment *moment, const struct columns *c) {
    if (!moment_shows_address(moment) || c->formula_width == 0)
        return false;
    if (c->slim)
        return moment->phase == PHASE_ADDRESS;
    return !c->shared || moment->phase < PHASE_MOVE;
}

/* The columns for an input that needs `wanted`: in a narrow row it may also take the free columns
 * beside it, or gets only those that the formula leaves. */
static int in_width(const struct moment *moment, const struct columns *c, int wanted) {
    const bool formula = shows_formula(moment, c);
    const bool reads = c->reads && moment_shows_reads(moment);
    const bool out = c->out_width > 0 && moment_shows_out(moment);
    if (c->slim && formula && c->formula - c->in - 1 < c->in_width)
        return c->formula - c->in - 1;
    if (!c->slim || formula || reads || out || wanted <= c->in_width)
        return c->in_width;
    return wanted < c->end - c->in ? wanted : c->end - c->in;
}

static void draw_header(struct area area, const struct moment *moment, const struct columns *c) {
    struct style label = style_role(STYLE_LABEL);
    char formula[32];
    area_text(area, 1, 0, _("lane"), label);
    const bool shared = warp_op_is_access(moment->operation->op);
    if (c->in_width)
        draw_value(area, c->in, 0, shared ? at_least(c->in_width, 3) : c->in_width,
                   shared                                                       ? _("was")
                   : moment->operation->op == WARP_OP_WATCH && c->in_width >= 5 ? _("value")
                                                                                : _("in"),
                   label);
    if (shows_formula(moment, c))
        area_text(area, c->formula, 0,
                  moment_formula_label(moment, c->formula_width, formula, sizeof formula), label);
    if (c->reads && (moment_shows_reads(moment) || hints_reads(moment, c)))
        area_text(area, c->reads_at, 0, c->slim ? _("src") : _("reads"),
                  moment_shows_reads(moment) ? label : style_role(STYLE_DIM));
    if (c->out_width && moment_shows_out(moment))
        draw_value(area, c->out, 0, at_least(c->out_width, 3), shared ? _("is") : _("out"), label);
}

static void draw_reads(struct area area, const struct columns *c, int y,
                       const struct moment *moment, int lane) {
    const struct lane_outcome *outcome = &moment->outcome[lane];
    struct style style = moment_out_style(moment, lane);
    int source = outcome->address.source, x = c->reads_at;
    if (moment->phase == PHASE_MOVE)
        style = style_with(style, STYLE_BOLD);
    if (moment->phase == PHASE_BEFORE)
        style = style_with(style_role(STYLE_DIM), STYLE_FAINT);
    style = style_altered(style, replay_altered(moment->replay).reads, lane);
    switch (outcome->status) {
    case LANE_OWN:
        if (c->slim)
            area_format(area, x, y, style, "↺%2d", lane);
        else
            area_text(area, x, y, _("↺ own"), style);
        break;
    case LANE_UNDEFINED:
        area_format(area, x, y, style, c->slim ? "?%2d" : "? %2d", source);
        break;
    case LANE_ABSENT:
        break;
    case LANE_READ:
        area_format(area, x, y, style, c->slim ? "←%2d" : "← %2d", source);
        break;
    }
}

static void draw_out(struct area area, const struct columns *c, int y, const struct moment *moment,
                     int lane) {
    struct style style = moment_out_style(moment, lane);
    bool changed = moment->changed >> lane & 1;
    if (moment->phase == PHASE_AFTER)
        style = style_with(style, changed ? STYLE_BOLD : 0);
    draw_value(area, c->out, y, c->out_width, moment->out[lane],
               style_altered(style, replay_altered(moment->replay).out, lane));
    /* While a change of the scene is marked, nothing else is. */
    if (moment_shows_changed(moment) && changed && moment->replay->live.altered_left <= 0)
        area_glyph(area, c->mark, y, 0x25c6, style_role(STYLE_CHANGED));
    if (moment->replay->cursor.disagreement >> lane & 1)
        area_glyph(area, c->mark, y, 0x2260, style_role(STYLE_BAD));
}

/* The question about a lane, in place of the answer. */
static void draw_question(struct area area, const struct columns *c, int y,
                          const struct moment *moment) {
    struct style style = style_role(STYLE_ACTIVE);
    switch (moment->replay->asking.question.kind) {
    case QUESTION_SOURCE:
        area_text(area, c->reads_at, y, "← ?", style);
        break;
    case QUESTION_READERS:
        area_text(area, c->reads_at, y, "→ ?", style);
        break;
    case QUESTION_VALUE:
        if (moment->info->is_shuffle || c->out_width)
            draw_value(area, c->out, y, c->out_width, " ?", style);
        else
            draw_value(area, c->in, y, c->in_width, " ?", style);
        break;
    default:
        break;
    }
}

/* The question, the marks, and the verdict, at the lanes that they concern. */
static void draw_prediction(struct area area, const struct columns *c, int y,
                            const struct moment *moment, int lane) {
    const struct replay *replay = moment->replay;
    struct style style;
    uint32_t mark = moment_mark(moment, lane, &style);
    if (moment->asked && replay->asking.lane == lane)
        draw_question(area, c, y, moment);
    if (mark)
        area_glyph(area, c->reads ? c->reads_at - 1 : c->out - 1, y, mark, style);
}

/* A barrier and a query move no value: the row describes what the lane does. */
static void draw_barrier(struct area area, const struct columns *c, int y,
                         const struct moment *moment, struct style style) {
    if (moment->operation->op == WARP_OP_SYNC)
        area_text_clipped(area, c->in, y, area.columns - c->in,
                          moment->operation->unfinished ? _("waits")
                          : moment->phase < PHASE_AFTER ? _("arrives")
                                                        : _("continues"),
                          style);
}

static void draw_row(struct area area, const struct columns *c, int y, const struct moment *moment,
                     int lane) {
    char bits[24];
    struct style style = moment_lane_style(moment, lane);
    bool selected = moment_selects(moment, lane);
    if (replay_points(moment->replay) >> lane & 1) /* the selected row is marked as a whole, too */
        area_glyph(area, 0, y, 0x25cf, style_role(STYLE_KEY));
    else if (selected)
        area_glyph(area, 0, y, 0x25b8, style_role(STYLE_ACTIVE));
    const struct live_altered altered = replay_altered(moment->replay);
    char letter = moment_letter(moment, lane);
    area_glyph(area, 1, y, (uint32_t)letter,
               style_altered(moment_group_style(moment, lane), altered.group, lane));
    area_glyph(area, 2, y, 0x258c, moment_group_style(moment, lane));
    area_format(area, 3, y, moment_number_style(moment, lane), "%2d", lane);
    if (!moment_present(moment, lane)) {
        area_glyph(area, c->in + at_least(c->in_width, 1) - 1, y, 0xb7, style);
        if (c->reads && moment_shows_reads(moment))
            area_glyph(area, c->reads_at, y, 0xb7, style);
        if (c->out_width && moment_shows_out(moment))
            area_glyph(area, c->out + c->out_width - 1, y, 0xb7, style);
    } else {
        bool done = moment->phase == PHASE_AFTER && c->out_width > 0 && moment_shows_out(moment);
        draw_value(area, c->in, y, in_width(moment, c, utf8_columns(moment->in[lane])),
                   moment->in[lane],
                   style_altered(style_with(style, done ? STYLE_FAINT : 0), altered.in, lane));
        draw_barrier(area, c, y, moment, style);
        if (shows_formula(moment, c))
            draw_formula(area, c->formula, y, c->formula_width,
                         c->bits ? explain_bits(moment->operation, lane, bits, sizeof bits)
                                 : moment->formula[lane],
                         style_altered(moment->phase == PHASE_ADDRESS ? style_role(STYLE_PLAIN)
                                                                      : style_role(STYLE_DIM),
                                       altered.formula, lane));
        if (c->reads && (moment_shows_reads(moment) || hints_reads(moment, c)))
            draw_reads(area, c, y, moment, lane);
        if (c->out_width && moment_shows_out(moment))
            draw_out(area, c, y, moment, lane);
    }
    draw_prediction(area, c, y, moment, lane);
    if (selected)
        area_flag(area, 0, y, area.columns, 1, STYLE_SELECTED);
    area_hit(area, 0, y, area.columns, 1, ACTION_LANE_GO, lane);
}

/* ---- the table ---- */

/* `pitch` rows from lane to lane. */
static void draw_part(struct area area, const struct moment *moment, int first, int count,
                      int pitch) {
    struct columns c = columns_fit(moment, area.columns);
    int header = area.rows > (count - 1) * pitch + 1 ? 1 : 0;
    if (header)
        draw_header(area, moment, &c);
    int end = moment->operation->op == WARP_OP_SYNC ? area.columns : c.end;
    struct area rows = area_within(area, 0, header, end, area.rows - header);
    for (int i = 0; i < count && i * pitch < rows.rows; i++)
        draw_row(rows, &c, i * pitch, moment, first + i);
}

void draw_lanes(struct area area, const struct moment *moment) {
    int pitch = moment->spread ? (area.rows - 2) / (ROW_HALF - 1) : 1;
    if (!moment->spread && area.rows > WARP_LANES) {
        draw_part(area_within(area, 1, 0, area.columns - 2, area.rows), moment, 0, WARP_LANES, 1);
        return;
    }
    pitch = pitch < 1 ? 1 : pitch;
    /* Draws two halves; the margin between them grows with the width. */
    int half = (area.columns - 1) / 2;
    draw_part(area_within(area, 0, 0, half, area.rows), moment, 0, ROW_HALF, pitch);
    draw_part(area_within(area, area.columns - half, 0, half, area.rows), moment, ROW_HALF,
              WARP_LANES - ROW_HALF, pitch);
}
