/*
 * Lines and operations are two sequences of one warp; the number of steps at a line's end maps
 * lines to operations, and a binary search finds the line of an operation.
 */
#include "replay/lines.h"

#include "base/message.h"
#include "explain/variable_expression.h"
#include "replay/keys/handlers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct trace_lines *replay_lines(const struct replay *replay) {
    return cursor_lines(&replay->cursor);
}

bool replay_moves_by_line(const struct replay *replay) {
    const enum view_kind view = replay_view(replay);
    return (view == VIEW_VARIABLES || view == VIEW_BLOCK) && replay_lines(replay);
}

/* ---- lines and operations ---- */

/* The first line at whose end the recording had more than that many steps; else the last line. */
static size_t line_after_step(const struct trace_lines *lines, uint64_t step) {
    size_t low = 0, high = lines->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lines->lines[middle].step > step)
            high = middle;
        else
            low = middle + 1;
    }
    return low < lines->count ? low : lines->count - 1;
}

/* The number of the warp's steps among the first `steps` of the recording. */
static uint64_t warp_steps_before(const struct cursor *cursor, uint64_t steps) {
    uint64_t low = 0, high = cursor->warp.steps;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (trace_warp_step(cursor->trace, &cursor->warp, middle) < steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool replay_line_has_operation(const struct trace_lines *lines, size_t number) {
    const uint64_t before = number > 0 ? lines->lines[number - 1].step : 0;
    return lines->lines[number].step > before;
}

/* The same for this warp alone, since other warps may have made steps meanwhile. */
static bool has_operation(const struct replay *replay, const struct trace_lines *lines,
                          size_t number) {
    if (!replay_line_has_operation(lines, number))
        return false;
    const uint64_t before = number > 0 ? lines->lines[number - 1].step : 0;
    return warp_steps_before(&replay->cursor, lines->lines[number].step) >
           warp_steps_before(&replay->cursor, before);
}

size_t replay_line(const struct replay *replay) {
    const struct trace_lines *lines = replay_lines(replay);
    const struct cursor *cursor = &replay->cursor;
    if (!lines)
        return 0;
    if (replay->line.warp == cursor->warp.index && replay->line.position == cursor->position)
        return replay->line.number < lines->count ? replay->line.number : lines->count - 1;
    return line_after_step(lines, trace_warp_step(cursor->trace, &cursor->warp, cursor->position));
}

/* ---- moving ---- */

/* Goes to the last operation of the line, or of one before it. */
bool lines_go(struct replay *replay, size_t number) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t was = replay_line(replay);
    if (!lines)
        return false;
    number = number < lines->count ? number : lines->count - 1;
    const uint64_t done = warp_steps_before(&replay->cursor, lines->lines[number].step);
    const struct trace_warp warp = replay->cursor.warp;
    bool changed = replay_go(replay, &warp, done > 0 ? done - 1 : 0) || number != was;
    replay->line = (struct replay_line){number, replay->cursor.warp.index, replay->cursor.position};
    changed = cursor_set_phase(&replay->cursor, done > 0 ? PHASE_AFTER : PHASE_BEFORE) || changed;
    return changed;
}

static void say_end(struct replay *replay, int direction) {
    if (direction < 0)
        replay_set_message(replay, _("first line of this warp"));
    else if (trace_warp_count(replay->cursor.trace) > replay->cursor.warp.index + 1)
        replay_set_message(replay, _("last line of this warp: %s shows the next warp"),
                           action_key(ACTION_MODE_REPLAY, ACTION_WARP_NEXT));
    else
        replay_set_message(replay, _("last line of this warp"));
}

bool lines_at_end(const struct replay *replay) {
    const struct trace_lines *lines = replay_lines(replay);
    return !lines || replay_line(replay) + 1 >= lines->count;
}

bool lines_step(struct replay *replay, long count, int direction) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t here = replay_line(replay), left = direction > 0 ? lines->count - 1 - here : here;
    const size_t wanted = count > 0 ? (size_t)count : 1, by = wanted < left ? wanted : left;
    const bool changed = by > 0 && lines_go(replay, direction > 0 ? here + by : here - by);
    if (wanted > left)
        say_end(replay, direction);
    return changed;
}

bool lines_step_operation(struct replay *replay, long count, int direction) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t begin = replay_line(replay);
    size_t at = begin, found = begin;
    for (count = count > 0 ? count : 1; count > 0;) {
        if (direction > 0 ? at + 1 >= lines->count : at == 0)
            break;
        at += direction > 0 ? 1 : SIZE_MAX;
        if (has_operation(replay, lines, at)) {
            found = at;
            count--;
        }
    }
    const bool changed = found != begin && lines_go(replay, found);
    if (count > 0)
        replay_set_message(replay, direction > 0 ? _("no operation after this line")
                                                 : _("no operation before this line"));
    return changed;
}

/* ---- finding ---- */

/* The target of a search. */
struct aim {
    bool is_line;
    unsigned long number;        /* number of the line in the program's source */
    struct expression condition; /* used if the target is not a line */
};

static bool is_condition(const struct replay *replay, const char *find,
                         struct expression *condition) {
    char *name = NULL;
    const bool is = expression_parse(condition, find, NULL) == 0 && condition->count > 1;
    if (is || condition->differs)
        name = expression_unknown_name(condition, replay->cursor.trace);
    const bool known = (is || condition->differs) && !name;
    free(name);
    return known;
}

bool lines_read_number(const char *find, unsigned long *number) {
    const char *digits = find + strlen("line ");
    char *end;
    if (strncasecmp(find, "line ", strlen("line ")) != 0)
        return false;
    *number = strtoul(digits, &end, 10);
    return *end == '\0' && end != digits;
}

/* Reads the target of a search: a line, or a condition. False if the text is neither. Release
 * aim->condition in any case. */
static bool read_aim(const struct replay *replay, const char *find, struct aim *aim) {
    *aim = (struct aim){0};
    if (strncasecmp(find, "line ", strlen("line ")) != 0)
        return is_condition(replay, find, &aim->condition);
    aim->is_line = lines_read_number(find, &aim->number);
    return aim->is_line;
}

/* Goes to the line, and reports if the search wrapped around. */
static void go_to_match(struct replay *replay, const char *find, size_t at, size_t from,
                        uint32_t lanes) {
    if (at != from)
        lines_go(replay, at);
    if (lanes && !warp_has_lane(lanes, replay->lane))
        replay->lane = __builtin_ctz(lanes);
    if (at == from)
        replay_set_message(replay, _("%s: found only here"), find);
    else if (at < from)
        replay_set_message(replay, _("%s: continued from the start of this warp"), find);
}

/* The next line after `from` at which the condition is true, wrapping around; SIZE_MAX if there is
 * none. Starts at the first line, because the variables' values follow from all earlier lines. */
static size_t find_condition(const struct trace_lines *lines, const struct expression *condition,
                             size_t from, uint32_t *lanes) {
    struct trace_line_state state;
    size_t first = SIZE_MAX, behind = SIZE_MAX;
    uint32_t first_lanes = 0;
    trace_line_state_init(&state, lines->trace);
    for (size_t i = 0; i < lines->count && behind == SIZE_MAX; i++) {
        trace_lines_advance(lines, i, &state);
        const uint32_t holding = expression_holds(condition, lines, &lines->lines[i], &state);
        if (holding && i > from) {
            behind = i;
            *lanes = holding;
        } else if (holding && first == SIZE_MAX) {
            first = i;
            first_lanes = holding;
        }
    }
    trace_line_state_release(&state);
    if (behind == SIZE_MAX)
        *lanes = first_lanes;
    return behind != SIZE_MAX ? behind : first;
}

static size_t find_number(const struct trace_lines *lines, unsigned long wanted, size_t from) {
    for (size_t i = 1; i <= lines->count; i++) {
        const struct trace_line *line = &lines->lines[(from + i) % lines->count];
        if (trace_function(lines->trace, line->function)->lines[line->line] == wanted)
            return (from + i) % lines->count;
    }
    return SIZE_MAX;
}

bool lines_find(struct replay *replay, const char *find) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t from = replay_line(replay);
    struct aim aim;
    uint32_t lanes = 0;
    size_t at = SIZE_MAX;
    const bool is_found = read_aim(replay, find, &aim);
    if (is_found)
        at = aim.is_line ? find_number(lines, aim.number, from)
                         : find_condition(lines, &aim.condition, from, &lanes);
    expression_release(&aim.condition);
    if (at != SIZE_MAX)
        go_to_match(replay, find, at, from, lanes);
    else if (is_found)
        replay_set_message(replay, _("%s: not found in this warp"), find);
    return is_found;
}

bool lines_can_find(const struct replay *replay, const char *find) {
    struct aim aim;
    const bool can = replay_lines(replay) && read_aim(replay, find, &aim);
    if (replay_lines(replay))
        expression_release(&aim.condition);
    return can;
}

/* The lanes in which the line has made the condition true. */
static uint32_t made_true(const struct trace_lines *lines, const struct expression *condition,
                          size_t at) {
    struct trace_line_state state;
    const struct trace_line *line = &lines->lines[at];
    trace_line_state_init(&state, lines->trace);
    trace_lines_state(lines, at, &state);
    const uint32_t before = expression_holds(condition, lines, line, &state);
    trace_lines_advance(lines, at, &state);
    const uint32_t after = expression_holds(condition, lines, line, &state);
    trace_line_state_release(&state);
    return after & ~before;
}

bool lines_stop(struct replay *replay, const char *find, size_t at) {
    const struct trace_lines *lines = replay_lines(replay);
    struct aim aim;
    uint32_t lanes = 0;
    if (!lines || !*find)
        return false;
    if (!read_aim(replay, find, &aim))
        lanes = 0;
    else if (!aim.is_line)
        lanes = made_true(lines, &aim.condition, at);
    else if (trace_function(lines->trace, lines->lines[at].function)
                 ->lines[lines->lines[at].line] == aim.number)
        lanes = lines->lines[at].lanes;
    expression_release(&aim.condition);
    if (lanes && !warp_has_lane(lanes, replay->lane))
        replay->lane = __builtin_ctz(lanes);
    return lanes != 0;
}
