/* Searches for a lane, an operation, a line, a value, an undefined read or a piece of text. */
#include "replay/keys/handlers.h"

#include "base/message.h"
#include "base/text.h"
#include "base/unused.h"
#include "explain/explain.h"
#include "replay/lines.h"
#include "replay/message_change.h"
#include "replay/predict.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The number of operations after which a search in one warp gives up. Decoding a step takes about a
 * microsecond, so the search seems instantaneous. */
#define FIND_LIMIT 200000
/* Steps of the recording searched before the screen is redrawn: a tenth of a second's work. A value
 * is compared in its displayed form, which takes five times as long. */
#define FIND_STEPS  100000
#define FIND_VALUES 20000

struct needle {
    const char *text; /* a site's or kernel's; NULL if not searched for */
    const char *value;
    long line;      /* -1 if not searched for */
    int op;         /* -1 if not searched for */
    bool undefined; /* a lane with an undefined result */
};

/* True if the search is for something in a lane, so that the replay selects the lane, too. */
static bool is_lane_search(const struct needle *needle) {
    return needle->value || needle->undefined;
}

static bool site_matches(const struct replay *replay, const struct trace_step *step,
                         const struct needle *needle) {
    const struct trace_site *site = trace_site(replay->cursor.trace, step->site);
    if (!site)
        return false;
    if (needle->line >= 0)
        return (long)site->line == needle->line;
    return needle->text && (string_contains(site->text, needle->text) ||
                            string_contains(site->function, needle->text) ||
                            string_contains(site->file, needle->text));
}

/* The first lane from `from` on that passed or got the value; -1 if none. Sets *got if it
 * got it rather than passed it. */
static int find_value(const struct warp_operation *operation, const char *value, int from,
                      bool *got) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    for (int lane = from; lane < WARP_LANES; lane++) {
        char buffer[WARP_VALUE_TEXT];
        if (!(operation->present >> lane & 1))
            continue;
        *got = false;
        if (strcmp(explain_in(operation, lane, buffer), value) == 0)
            return lane;
        *got = true;
        if (outcome[lane].has_value && strcmp(explain_out(operation, lane, buffer), value) == 0)
            return lane;
    }
    return -1;
}

/* The first lane whose result is undefined, or -1. */
static int find_undefined(const struct warp_operation *operation) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (outcome[lane].status == LANE_UNDEFINED)
            return lane;
    return -1;
}

static bool step_matches(const struct replay *replay, const struct trace_step *step,
                         const struct needle *needle, int *lane, bool *got) {
    if (needle->op >= 0)
        return (int)step->operation.op == needle->op;
    if (needle->value)
        return (*lane = find_value(&step->operation, needle->value, 0, got)) >= 0;
    if (needle->undefined) {
        *got = true;
        return (*lane = find_undefined(&step->operation)) >= 0;
    }
    return site_matches(replay, step, needle);
}

/* Goes to a match, and reports if it is the only one or the search wrapped around. */
static void go_to_match(struct replay *replay, const struct needle *needle, uint64_t position,
                        int lane, bool got) {
    uint64_t from = replay->cursor.position;
    if (needle->value)
        cursor_set_phase(&replay->cursor, got ? PHASE_AFTER : PHASE_BEFORE);
    if (position != from || needle->value) {
        replay_go(replay, &replay->cursor.warp, position);
        replay->lane = lane;
    }
    if (position == from)
        replay_set_message(replay, _("%s: found only here"), replay->input.find);
    else if (position < from)
        replay_set_message(replay, _("%s: continued from the start of this warp"),
                           replay->input.find);
}

/* Goes to the next operation that matches, wrapping around to the current one. */
static bool find_step(struct replay *replay, const struct needle *needle) {
    const struct cursor *cursor = &replay->cursor;
    uint64_t steps = cursor->warp.steps, tries = steps < FIND_LIMIT ? steps : FIND_LIMIT;
    if (tries == steps && trace_warp_count(cursor->trace) > 1)
        tries--; /* the search visits other warps before it wraps around */
    for (uint64_t i = 1; i <= tries; i++) {
        uint64_t position = (cursor->position + i) % steps;
        uint64_t number = trace_warp_step(cursor->trace, &cursor->warp, position);
        struct trace_step step;
        int lane = replay->lane;
        bool got = false;
        if (trace_step(cursor->trace, number, &step, NULL) != 0 ||
            !step_matches(replay, &step, needle, &lane, &got))
            continue;
        go_to_match(replay, needle, position, lane, got);
        return true;
    }
    if (tries + 1 < steps)
        replay_set_message(replay, _("%s: not found in the next %d operations"), replay->input.find,
                           FIND_LIMIT);
    return false;
}

/* Goes to a step of any warp, and reports its position. */
static bool go_to_any_warp(struct replay *replay, uint64_t number, int lane,
                           const struct needle *needle) {
    struct trace_warp warp;
    uint64_t position;
    if (!trace_warp_of_step(replay->cursor.trace, number, &warp, &position))
        return false;
    const struct trace_launch *launch = trace_launch(replay->cursor.trace, warp.launch);
    replay_go(replay, &warp, position);
    if (is_lane_search(needle)) {
        replay->lane = lane;
        cursor_set_phase(&replay->cursor, PHASE_AFTER);
    }
    replay_set_message(replay, _("%s: launch %u (%s), block %llu, warp %u"), replay->input.find,
                       warp.launch, launch ? launch->kernel : "?", (unsigned long long)warp.block,
                       warp.warp);
    return true;
}

/* Goes to the next step of the recording that matches, in any warp, wrapping around to the current
 * one. A long search continues with each tick, until the user does something else. */
static bool find_anywhere(struct replay *replay, const struct needle *needle) {
    const struct trace *trace = replay->cursor.trace;
    struct replay_search *search = &replay->search;
    const uint64_t steps = trace_step_count(trace),
                   slice = needle->value ? FIND_VALUES : FIND_STEPS;
    const uint64_t from = replay->cursor.step.number + 1;
    search->goes_on = false;
    for (uint64_t i = 0; i < slice && search->looked < steps; i++, search->looked++) {
        const uint64_t number = (from + search->looked) % steps;
        struct trace_step step;
        int lane = replay->lane;
        bool got = false;
        if (trace_step(trace, number, &step, NULL) == 0 &&
            step_matches(replay, &step, needle, &lane, &got))
            return go_to_any_warp(replay, number, lane, needle);
    }
    if (search->looked < steps) {
        search->goes_on = true;
        replay_set_message(
            replay, _("%s: %d%% of the steps searched so far; any key stops the search"),
            replay->input.find, (int)((double)search->looked / (double)steps * 100.0));
    } else {
        search->looked = 0;
    }
    return false;
}

static bool find_in_step(struct replay *replay, const char *value) {
    bool got;
    if (!replay->cursor.has_step)
        return false;
    int lane = find_value(&replay->cursor.step.operation, value, replay->lane + 1, &got);
    if (lane < 0)
        return false;
    replay->lane = lane;
    if (got)
        cursor_set_phase(&replay->cursor, PHASE_AFTER);
    return true;
}

/* Goes to the first warp of the next launch whose kernel's name has the text. */
static bool find_kernel(struct replay *replay, const char *text) {
    uint64_t count = trace_warp_count(replay->cursor.trace);
    for (uint64_t i = 1; i < count && i < FIND_LIMIT; i++) {
        struct trace_warp warp;
        if (!trace_warp(replay->cursor.trace, (replay->cursor.warp.index + i) % count, &warp) ||
            warp.launch == replay->cursor.warp.launch)
            continue;
        const struct trace_launch *launch = trace_launch(replay->cursor.trace, warp.launch);
        if (launch && string_contains(launch->kernel, text)) {
            replay_go(replay, &warp, 0);
            replay_set_message(replay, _("kernel %s"), launch->kernel);
            return true;
        }
    }
    return false;
}

static bool is_number(const char *text, long *number) {
    char *end;
    long read = strtol(text, &end, 10);
    if (end == text || *end)
        return false;
    *number = read;
    return true;
}

static int op_named(const char *name) {
    for (int op = 0; op < WARP_OP_COUNT; op++)
        if (strcasecmp(warp_op_info((enum warp_op)op)->name, name) == 0)
            return op;
    return -1;
}

static bool find_lane(struct replay *replay, long lane) {
    if (lane >= 0 && lane < WARP_LANES)
        return move_lane_go(replay, lane);
    replay_set_message(replay,
                       _("%ld: lanes are 0 to 31; =%ld finds a value, line %ld finds a line"), lane,
                       lane, lane);
    return false;
}

/* The target of a typed search, if it is not a lane. */
static struct needle needle_of(const char *find) {
    struct needle needle = {.line = -1, .op = op_named(find)};
    if (*find == '=')
        needle.value = find + 1 + strspn(find + 1, " ");
    else if (strncasecmp(find, "value ", 6) == 0)
        needle.value = find + 6 + strspn(find + 6, " ");
    else if (strcasecmp(find, "undefined") == 0)
        needle.undefined = true;
    else if (strncasecmp(find, "line ", 5) != 0 || !is_number(find + 5, &needle.line))
        needle.text = find; /* it may also name a kernel, even if it names an operation */
    return needle;
}

bool find_next(struct replay *replay, long argument UNUSED) {
    const char *find = replay->input.find;
    long lane;
    bool ended = replay_ask_end(replay);
    if (!*find) {
        replay_set_message(
            replay,
            _("nothing to look for: / finds a lane, an op, any text, line N, =value, undefined"));
        return ended;
    }
    if (replay_moves_by_line(replay) && lines_find(replay, find))
        return true;
    if (is_number(strncasecmp(find, "lane ", 5) == 0 ? find + 5 : find, &lane))
        return find_lane(replay, lane) || ended;
    struct needle needle = needle_of(find);
    if ((needle.value && find_in_step(replay, needle.value)) ||
        (!needle.undefined && !replay->search.looked && find_step(replay, &needle)) ||
        (needle.text && find_kernel(replay, needle.text)) || find_anywhere(replay, &needle))
        return true;
    if (!replay->message[0])
        replay_set_message(replay, _("%s: nothing found in this recording"), find);
    return ended;
}

bool find_tick(struct replay *replay) {
    if (!replay->search.goes_on)
        return false;
    struct old_message was = message_begin(replay->message);
    const struct needle needle = needle_of(replay->input.find);
    if (find_anywhere(replay, &needle))
        return true;
    if (!replay->search.goes_on)
        replay_set_message(replay, _("%s: nothing found in this recording"), replay->input.find);
    return message_changed(&was, replay->message);
}

void find_stop(struct replay *replay) {
    if (!replay->search.goes_on)
        return;
    replay->search.goes_on = false;
    replay_set_message(replay, _("%s: not found in the next %llu steps; press %s to continue"),
                       replay->input.find, (unsigned long long)replay->search.looked,
                       action_key(ACTION_MODE_REPLAY, ACTION_FIND_NEXT));
}

bool find_open(struct replay *replay, long argument UNUSED) {
    replay_ask_end(replay);
    replay->playing = false;
    input_open(&replay->input, PROMPT_FIND);
    return true;
}

bool find_accept(struct replay *replay, long unused) {
    struct input *input = &replay->input;
    if (input->prompt != PROMPT_FIND)
        return false;
    replay->search = (struct replay_search){0};
    if (input->text[0])
        memcpy(input->find, input->text, sizeof input->find);
    input_close(input);
    find_next(replay, unused);
    return true;
}
