/*
 * variables.c - the program line by line: on the left its source with the line that has just been
 * run and all variables of the selected lane; on the right a row for each lane, with as many
 * variables as there is room for: those that the line changed or names, then the most recently
 * changed. On a tall screen the wires of the operation are below all of it.
 */
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/explain.h"
#include "explain/variable_expression.h"
#include "replay/lines.h"
#include "view/moment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MOST 64
#define AGE_MOST     512 /* lines searched backwards for a change */
#define VALUE_LEAST  4
#define LANE_COLUMNS 5 /* "▸31  " */
#define TEXT_LEAST   6 /* rows of the text */
#define USUAL_WHOLE  5 /* columns of most values */
#define USUAL_REAL   8
#define WIRES_LEAST  99 /* columns needed for wires */
#define WIRES_HEIGHT 14 /* and rows for them */
#define LIST_ROWS    (WARP_LANES + 1)
#define LISTS_ROWS   (WARP_LANES / 2 + 1)
#define BESIDE_LEAST 54 /* columns of the text with the lanes beside it */
#define ABOVE_LEAST  4  /* rows of the text above them */

/* A displayed variable, or a watched expression. */
struct shown_variable {
    const char *name;
    const struct expression *expression; /* NULL for a variable, */
    enum warp_type type;                 /* of this type */
    uint32_t number;                     /* index among all */
    uint32_t changed;                    /* lanes in which the line changed it */
    size_t rank;                         /* the lowest is shown first */
    int columns;
    bool is_drawn;
};

struct variables {
    const struct moment *moment;
    const struct trace_lines *lines;
    const struct trace_line *line;
    const struct trace_function *function;
    struct trace_line_state state, before;
    struct expression_list watched;
    struct shown_variable shown[COLUMNS_MOST];
    size_t count, number; /* number: of the line */
};

/* ---- the list of variables ---- */

static uint32_t changed_lanes(const struct variables *v, uint32_t number) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < v->line->change_count; i++) {
        const struct trace_line_change *change = &v->lines->changes[v->line->change + i];
        lanes |= change->variable == number ? change->lanes : 0;
    }
    return lanes;
}

static struct expression_value value_in(const struct variables *v,
                                        const struct shown_variable *shown,
                                        const struct trace_line_state *state, int lane) {
    const uint32_t number = shown->number;
    if (shown->expression)
        return expression_value(shown->expression, v->lines, v->line, state, lane);
    return (struct expression_value){
        .status = warp_has_lane(state->set[number], lane) ? EXPRESSION_VALUE : EXPRESSION_UNSET,
        .type = shown->type,
        .bits = state->value[number][lane],
        .is_doubtful = warp_has_lane(state->doubtful[number], lane)};
}

static struct expression_value value_of(const struct variables *v,
                                        const struct shown_variable *shown, int lane) {
    return value_in(v, shown, &v->state, lane);
}

static bool is_set(const struct variables *v, const struct shown_variable *shown, int lane) {
    return value_of(v, shown, lane).status == EXPRESSION_VALUE;
}

static bool is_undefined(const struct variables *v, const struct shown_variable *shown, int lane) {
    return value_of(v, shown, lane).is_doubtful;
}

/* "7", "7?" if computed from an undefined value, "-" if unset. */
static const char *value_text(const struct variables *v, const struct shown_variable *shown,
                              int lane, char buffer[WARP_VALUE_TEXT]) {
    const struct expression_value value = value_of(v, shown, lane);
    if (value.status != EXPRESSION_VALUE)
        return "-";
    warp_value_format(value.type, value.bits, buffer);
    const size_t length = strlen(buffer);
    if (value.is_doubtful && length + 1 < WARP_VALUE_TEXT)
        memcpy(buffer + length, "?", 2);
    return buffer;
}

/* The widest value, the name, and a cell for the mark of a change. */
static int columns_of(const struct variables *v, const struct shown_variable *shown) {
    int columns = utf8_columns(shown->name);
    char buffer[WARP_VALUE_TEXT];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int value = utf8_columns(value_text(v, shown, lane, buffer));
        columns = value > columns ? value : columns;
    }
    return (columns > VALUE_LEAST ? columns : VALUE_LEAST) + 1;
}

static size_t age_of(const struct variables *v, uint32_t number) {
    for (size_t age = 0; age <= v->number && age < AGE_MOST; age++) {
        const struct trace_line *line = &v->lines->lines[v->number - age];
        for (uint32_t i = 0; i < line->change_count; i++)
            if (v->lines->changes[line->change + i].variable == number)
                return age;
    }
    return AGE_MOST;
}

/* Expressions have rank 0, changed variables rank 1; next come those that the line names, in the
 * order of their declaration, then the most recently changed. */
static size_t rank_of(const struct variables *v, uint32_t number, bool is_named) {
    const size_t age = age_of(v, number);
    return age == 0 ? 1 : is_named ? 2 + v->count : 2 + COLUMNS_MOST + age;
}

/* The lanes that ran the line and in which the variable's value has changed. */
static uint32_t altered_lanes(const struct variables *v, const struct shown_variable *shown) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct expression_value now = value_of(v, shown, lane);
        const struct expression_value was = value_in(v, shown, &v->before, lane);
        if (warp_has_lane(v->line->lanes, lane) && now.status == EXPRESSION_VALUE &&
            (was.status != EXPRESSION_VALUE || was.bits != now.bits))
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

/* Expressions come first; one that names a line appears only at that line. */
static void gather_watched(struct variables *v) {
    const char *text = v->moment->replay->watched;
    if (!*text || expression_list_parse(&v->watched, text, NULL) != 0)
        return;
    for (size_t i = 0; i < v->watched.count && v->count < COLUMNS_MOST; i++) {
        const struct expression *expression = &v->watched.item[i];
        if (expression->line && expression->line != v->function->lines[v->line->line])
            continue;
        struct shown_variable *shown = &v->shown[v->count++];
        *shown = (struct shown_variable){.name = expression->text, .expression = expression};
        shown->changed = altered_lanes(v, shown);
        shown->columns = columns_of(v, shown);
    }
}

static void gather(struct variables *v) {
    const char *source = trace_source(v->lines->trace, v->function->file);
    const uint32_t line = v->function->lines[v->line->line];
    gather_watched(v);
    for (uint32_t i = 0; i < v->function->variable_count && v->count < COLUMNS_MOST; i++) {
        const uint32_t number = v->function->first + i;
        if (!trace_line_shows(v->lines, v->line, number))
            continue;
        const char *name = v->function->variables[i].name;
        const bool is_named = source && source_line_names(source, line, name);
        struct shown_variable *shown = &v->shown[v->count++];
        *shown = (struct shown_variable){.name = name,
                                         .type = v->function->variables[i].type,
                                         .number = number,
                                         .changed = changed_lanes(v, number),
                                         .rank = rank_of(v, number, is_named)};
        shown->columns = columns_of(v, shown);
    }
}

static bool begin(struct variables *v, const struct moment *moment) {
    *v = (struct variables){.moment = moment, .lines = replay_lines(moment->replay)};
    if (!v->lines)
        return false;
    const struct trace *trace = moment->replay->cursor.trace;
    v->number = replay_line(moment->replay);
    v->line = &v->lines->lines[v->number];
    v->function = trace_function(trace, v->line->function);
    trace_line_state_init(&v->before, trace);
    trace_lines_state(v->lines, v->number, &v->before);
    trace_line_state_init(&v->state, trace);
    trace_lines_state(v->lines, v->number + 1, &v->state);
    gather(v);
    return true;
}

static void end(struct variables *v) {
    trace_line_state_release(&v->before);
    trace_line_state_release(&v->state);
    expression_list_release(&v->watched);
}

/* The first in rank of those that are not drawn yet and fit; among equals the last in the source.
 * NULL if there is none. */
static struct shown_variable *next_choice(struct variables *v, int columns) {
    struct shown_variable *best = NULL;
    for (size_t i = 0; i < v->count; i++) {
        struct shown_variable *shown = &v->shown[i];
        const bool fits = !shown->is_drawn && shown->columns + 1 <= columns;
        if (fits && (!best || shown->rank <= best->rank))
            best = shown;
    }
    return best;
}

/* Chooses as many variables as fit the columns. Returns the number of the others. */
static size_t choose(struct variables *v, int columns, size_t most) {
    size_t left = v->count;
    for (size_t i = 0; i < v->count; i++)
        v->shown[i].is_drawn = false;
    for (struct shown_variable *shown; most-- && (shown = next_choice(v, columns)); left--) {
        shown->is_drawn = true;
        columns -= shown->columns + 1;
    }
    return left;
}

/* ---- room ---- */

/*
 * The room that the variables of any function usually need. The layout of the panes depends on
 * it rather than on the values of a line, so that nothing moves from line to line.
 */
struct room {
    int table; /* columns of a list of lanes */
    int cell;  /* columns of a variable with its value, "offset = 16*" */
    size_t count;
};

static void add_room(struct room *room, const char *name, enum warp_type type) {
    const int columns = utf8_columns(name);
    const bool is_whole = type <= WARP_TYPE_UNSIGNED_LONG_LONG;
    const int value = is_whole ? USUAL_WHOLE : USUAL_REAL;
    room->table += (columns > value ? columns : value) + 2;
    const int cell = columns + USUAL_REAL + 6; /* also for "not set" */
    room->cell = cell > room->cell ? cell : room->cell;
    room->count++;
}

/* The room that a line needs; its variables are those in scope. */
static struct room line_room(const struct variables *v, const struct trace_function *function,
                             const uint64_t *scope) {
    struct room room = {.table = LANE_COLUMNS};
    for (size_t i = 0; i < v->watched.count; i++)
        add_room(&room, v->watched.item[i].text, WARP_TYPE_INT);
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (scope[i / 64] >> i % 64 & 1)
            add_room(&room, function->variables[i].name, function->variables[i].type);
    return room;
}

static struct room usual_room(const struct variables *v) {
    struct room most = {.table = 0};
    for (size_t i = 0; i < trace_function_count(v->lines->trace); i++) {
        const struct trace_function *function = trace_function(v->lines->trace, i);
        const size_t words = trace_scope_words(function->variable_count);
        for (uint32_t line = 0; line < function->line_count; line++) {
            const struct room room = line_room(v, function, function->scope + line * words);
            most.table = room.table > most.table ? room.table : most.table;
            most.cell = room.cell > most.cell ? room.cell : most.cell;
            most.count = room.count > most.count ? room.count : most.count;
        }
    }
    return most;
}

/* The longest line of any function's file, with its number. A file is not measured again for the
 * next function, which is usually in the same file. */
static int longest_line(const struct variables *v) {
    const char *measured = "";
    int longest = 0;
    for (size_t i = 0; i < trace_function_count(v->lines->trace); i++) {
        const char *file = trace_function(v->lines->trace, i)->file;
        if (strcmp(file, measured) == 0)
            continue;
        measured = file;
        const int columns = source_columns(trace_source(v->lines->trace, file));
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

/* Columns of the source: those that the lists of lanes leave, but no more than its lines need. */
static int text_columns(const struct variables *v, const struct room *room, int columns,
                        int lists) {
    const int least = lists > 1 ? columns / 2 : columns * 9 / 20, longest = longest_line(v);
    int text = columns - lists * room->table - 2;
    text = text > longest ? longest : text;
    return text < least ? least : text;
}

/* ---- drawing ---- */

/* A value with its mark: bold and a star if the line changed it, dim if its lane did not run the
 * line. */
static void draw_cell(struct area area, int x, int y, const struct variables *v,
                      const struct shown_variable *shown, int lane) {
    char buffer[WARP_VALUE_TEXT];
    const bool changed = warp_has_lane(shown->changed, lane);
    const bool runs = warp_has_lane(v->line->lanes, lane);
    struct style style = !is_set(v, shown, lane)        ? style_role(STYLE_ABSENT)
                         : is_undefined(v, shown, lane) ? style_role(STYLE_UNDEFINED)
                         : changed                      ? style_bold(STYLE_CHANGED)
                         : runs                         ? style_role(STYLE_PLAIN)
                                                        : style_role(STYLE_DIM);
    draw_value(area, x, y, shown->columns - 1, value_text(v, shown, lane, buffer), style);
    if (changed)
        area_glyph(area, x + shown->columns - 1, y, '*', style);
}

static void draw_lane(struct area area, int x, int y, const struct variables *v, int lane) {
    const bool runs = warp_has_lane(v->line->lanes, lane);
    const bool selected = moment_selects(v->moment, lane);
    const struct style style = runs ? style_bold(STYLE_LABEL) : style_role(STYLE_DIM);
    if (runs)
        area_glyph(area, x, y, 0x25b8, style);
    area_format(area, x + 1, y, style, "%2d", lane);
    int at = x + LANE_COLUMNS;
    for (size_t i = 0; i < v->count; i++)
        if (v->shown[i].is_drawn) {
            draw_cell(area, at, y, v, &v->shown[i], lane);
            at += v->shown[i].columns + 1;
        }
    if (selected)
        area_flag(area, x, y, at - x, 1, STYLE_SELECTED);
    area_hit(area, x, y, at - x, 1, ACTION_LANE_GO, lane);
}

static int draw_names(struct area area, int x, int y, const struct variables *v) {
    area_text(area, x, y, _("lane"), style_role(STYLE_LABEL));
    x += LANE_COLUMNS;
    for (size_t i = 0; i < v->count; i++)
        if (v->shown[i].is_drawn) {
            const struct shown_variable *shown = &v->shown[i];
            draw_value(area, x, y, shown->columns - 1, shown->name,
                       shown->changed ? style_bold(STYLE_LABEL) : style_role(STYLE_LABEL));
            x += shown->columns + 1;
        }
    return x;
}

/* Lists of lanes side by side. */
static int list_count(struct area area) {
    return area.rows > WARP_LANES ? 1 : 2;
}

/* Lanes in as many lists as the rows require, with the same variables in each. */
static void draw_lane_lists(struct area area, struct variables *v) {
    const int rows = area.rows - 1, lists = list_count(area);
    const int each = WARP_LANES / lists, columns = (area.columns + 1) / lists;
    const size_t left = choose(v, columns - LANE_COLUMNS, COLUMNS_MOST);
    for (int list = 0; list < lists; list++) {
        const int x = list * columns, end = draw_names(area, x, 0, v);
        if (list == lists - 1 && left && end + 4 < area.columns)
            area_format(area, end, 0, style_role(STYLE_DIM), "+%zu", left);
        for (int i = 0; i < each && i < rows; i++)
            draw_lane(area, x, i + 1, v, list * each + i);
    }
}

/* "sum = 17*" or "sum = not set"; a star if the line changed it. */
static void draw_assignment(struct area area, int x, int y, const struct variables *v,
                            const struct shown_variable *shown) {
    const int lane = v->moment->replay->lane;
    char buffer[WARP_VALUE_TEXT];
    const bool changed = warp_has_lane(shown->changed, lane);
    const bool set = is_set(v, shown, lane);
    x = area_text(area, x, y, shown->name, style_role(STYLE_LABEL));
    x = area_text(area, x, y, " = ", style_role(STYLE_DIM));
    x = area_text(area, x, y, set ? value_text(v, shown, lane, buffer) : _("not set"),
                  !set      ? style_role(STYLE_ABSENT)
                  : changed ? style_bold(STYLE_CHANGED)
                            : style_role(STYLE_PLAIN));
    if (changed)
        area_glyph(area, x, y, '*', style_bold(STYLE_CHANGED));
}

static int widest_assignment(const struct variables *v, int usual) {
    const int lane = v->moment->replay->lane;
    int widest = usual;
    for (size_t i = 0; i < v->count; i++) {
        char buffer[WARP_VALUE_TEXT];
        const char *text = is_set(v, &v->shown[i], lane) ? value_text(v, &v->shown[i], lane, buffer)
                                                         : _("not set");
        const int columns = utf8_columns(v->shown[i].name) + 6 + utf8_columns(text);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

/* The selected lane's variables in as many columns as fit; if there is no room for all, those that
 * are first in rank, and the number of the others. */
static void draw_selected(struct area area, struct variables *v, int usual) {
    const int widest = widest_assignment(v, usual);
    const int across = widest < area.columns ? area.columns / widest : 1;
    const size_t room = (size_t)(across * area.rows);
    const size_t left = choose(v, INT_MAX, v->count > room ? room - 1 : v->count);
    int at = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->shown[i].is_drawn) {
            draw_assignment(area, 1 + at % across * (area.columns / across), at / across, v,
                            &v->shown[i]);
            at++;
        }
    if (left)
        area_format(area, 1 + at % across * (area.columns / across), at / across,
                    style_role(STYLE_DIM), "+%zu", left);
}

/* "reduce  line 14  23/61   lanes 0-15": the position. */
static void draw_position(struct area area, const struct variables *v) {
    char lanes[EXPLAIN_LANES_TEXT];
    int x =
        area_text_clipped(area, 1, 0, area.columns / 3, v->function->name, style_bold(STYLE_TITLE));
    x = area_format(area, x + 2, 0, style_role(STYLE_LABEL), _("line %u"),
                    (unsigned)v->function->lines[v->line->line]);
    x = area_format(area, x + 2, 0, style_role(STYLE_DIM), "%zu/%zu", v->number + 1,
                    v->lines->count);
    if (v->line->lanes != v->moment->replay->cursor.step.operation.launched)
        area_text_clipped(area, x + 2, 0, area.columns - x - 3,
                          explain_lanes(v->line->lanes, lanes), style_bold(STYLE_KEY));
}

static void draw_source_text(struct area area, const struct variables *v) {
    const char *source = trace_source(v->lines->trace, v->function->file);
    draw_position(row_of(area, 0), v);
    area = area_within(area, 0, 1, area.columns, area.rows - 1);
    if (source)
        draw_code_around(area, source, v->function->lines[v->line->line]);
    else
        area_text_wrapped(area_within(area, 1, 0, area.columns - 2, area.rows), 0, 0,
                          _("The recording lacks this function's source."), style_role(STYLE_DIM));
}

/* The source, and below it the selected lane's variables. */
static void draw_text_and_lane(struct area area, struct variables *v, const struct room *room) {
    const int across = room->cell < area.columns ? area.columns / room->cell : 1;
    const int rows = ((int)room->count + across - 1) / across, third = area.rows / 3;
    const int below = rows < third ? rows : third;
    const bool splits = below > 0 && area.rows - below - 1 >= TEXT_LEAST;
    const int text = splits ? area.rows - below - 1 : area.rows;
    draw_source_text(area_within(area, 0, 0, area.columns, text), v);
    if (!splits)
        return;
    draw_rule(area, text);
    area_format(area, 1, text, style_role(STYLE_LABEL), _(" lane %d "), v->moment->replay->lane);
    draw_selected(area_within(area, 0, text + 1, area.columns, below), v, room->cell);
}

/* A low screen has no room for all lanes and shows one at a time; a narrow one has them below the
 * text. */
static void draw_both(struct area area, struct variables *v) {
    const struct room room = usual_room(v);
    const bool is_narrow = area.columns < BESIDE_LEAST;
    if (area.rows < LISTS_ROWS + (is_narrow ? ABOVE_LEAST : 0)) {
        draw_text_and_lane(area, v, &room);
        return;
    }
    if (is_narrow) {
        const int text = area.rows - LISTS_ROWS;
        draw_source_text(area_within(area, 0, 0, area.columns, text), v);
        draw_lane_lists(area_within(area, 0, text, area.columns, LISTS_ROWS), v);
        return;
    }
    const int left = text_columns(v, &room, area.columns, list_count(area));
    draw_text_and_lane(area_within(area, 0, 0, left, area.rows), v, &room);
    draw_divider(area, left);
    draw_lane_lists(area_within(area, left + 1, 0, area.columns - left - 1, area.rows), v);
}

/* The operation named in the first rows of the screen: that of the line, or the last one. */
static void draw_operation(struct area area, const struct moment *moment) {
    char line[32];
    draw_rule(area, 0);
    snprintf(line, sizeof line, _("line %u"), moment->site ? (unsigned)moment->site->line : 0);
    area_format(area, 1, 0, style_role(STYLE_LABEL), " %s · %s ", view_label(moment, VIEW_WIRES),
                line);
    draw_wires(area_within(area, 0, 1, area.columns, area.rows - 1), moment);
}

void draw_variables(struct area area, const struct moment *moment) {
    struct variables v;
    if (!begin(&v, moment)) {
        area_text_wrapped(
            area_within(area, 1, 1, area.columns - 2, area.rows - 1), 0, 0,
            moment->replay->can_detail
                ? _("Running once more, to record lines and local variables. Esc stops it.")
            : trace_has_lines(moment->replay->cursor.trace)
                ? _("The recording has no local variables for this warp: --watch-block and "
                    "--watch-warp choose the warps.")
            : moment->replay->goes_on
                ? _("The program is still running, and is recorded without local variables.")
                : _("The recording has no local variables: "
                    "shflviz run FILE.cu --show all records them."),
            style_role(STYLE_DIM));
        return;
    }
    if (area.columns >= WIRES_LEAST && area.rows >= LISTS_ROWS + WIRES_HEIGHT &&
        moment->operation) { /* at every line, so that nothing moves */
        const int rows = area.rows >= LIST_ROWS + WIRES_HEIGHT ? LIST_ROWS : LISTS_ROWS;
        draw_both(area_within(area, 0, 0, area.columns, rows), &v);
        draw_operation(area_within(area, 0, rows, area.columns, area.rows - rows), moment);
    } else {
        draw_both(area, &v);
    }
    end(&v);
}

/* "sum was 0, is now 17" */
static void add_change(struct text *to, const struct variables *v,
                       const struct shown_variable *shown) {
    const int lane = v->moment->replay->lane;
    const struct expression_value was = value_in(v, shown, &v->before, lane);
    char old[WARP_VALUE_TEXT], now[WARP_VALUE_TEXT];
    const char *is = value_text(v, shown, lane, now);
    warp_value_format(was.type, was.bits, old);
    if (!is_set(v, shown, lane))
        text_append_format(to, _("%s is no longer set"), shown->name);
    else if (was.status == EXPRESSION_VALUE)
        text_append_format(to, _("%s was %s, is now %s"), shown->name, old, is);
    else
        text_append_format(to, _("%s is now %s"), shown->name, is);
}

static void describe_line(struct text *to, const struct variables *v) {
    const int lane = v->moment->replay->lane;
    bool any = false;
    if (!warp_has_lane(v->line->lanes, lane)) {
        text_append_format(to, _("lane %d did not run this line"), lane);
        return;
    }
    text_append_format(to, _("lane %d: "), lane);
    for (size_t i = 0; i < v->count; i++)
        if (!v->shown[i].expression && warp_has_lane(v->shown[i].changed, lane)) {
            text_append(to, any ? "; " : "");
            add_change(to, v, &v->shown[i]);
            any = true;
        }
    if (!any)
        text_append(to, _("this line changes no variable"));
}

bool variables_sentence(const struct moment *moment, char *buffer, size_t size) {
    struct variables v;
    struct text text = TEXT_INIT;
    if (replay_view(moment->replay) != VIEW_VARIABLES || !begin(&v, moment))
        return false;
    const bool operates = replay_line_has_operation(v.lines, v.number) &&
                          warp_has_lane(v.line->lanes, moment->replay->lane);
    describe_line(&text, &v);
    if (!operates)
        snprintf(buffer, size, "%s", text.data);
    text_release(&text);
    end(&v);
    return !operates;
}
