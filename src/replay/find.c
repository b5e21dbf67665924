/* Looking for a lane, an operation, a line, a value or a piece of text. */
#include "base/message.h"
#include "explain/explain.h"
#include "replay/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Decoding a step takes about a microsecond: a search answers within a blink, and says so if it
 * gave up. */
#define FIND_LIMIT 200000

struct needle {
    const char *text; /* of a site or kernel; NULL if not looked for */
    const char *value;
    long line; /* -1 if not looked for */
    int op;    /* -1 if not looked for */
};

static bool contains(const char *haystack, const char *needle) {
    size_t length = strlen(needle);
    for (; haystack && *haystack; haystack++)
        if (strncasecmp(haystack, needle, length) == 0)
            return true;
    return false;
}

static bool site_matches(const struct replay *replay, const struct trace_step *step,
                         const struct needle *needle) {
    const struct trace_site *site = trace_site(replay->trace, step->site);
    if (!site)
        return false;
    if (needle->line >= 0)
        return (long)site->line == needle->line;
    return needle->text &&
           (contains(site->text, needle->text) || contains(site->function, needle->text) ||
            contains(site->file, needle->text));
}

/* The first lane from `from` on that gave or got the value; -1 if none. *got tells which. */
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

static bool step_matches(const struct replay *replay, const struct trace_step *step,
                         const struct needle *needle, int *lane, bool *got) {
    if (needle->op >= 0)
        return (int)step->operation.op == needle->op;
    if (needle->value)
        return (*lane = find_value(&step->operation, needle->value, 0, got)) >= 0;
    return site_matches(replay, step, needle);
}

/* Goes to the next operation that matches, after the current one and round to it again. */
static bool find_step(struct replay *replay, const struct needle *needle) {
    struct trace_warp warp = replay->warp;
    uint64_t tries = warp.steps < FIND_LIMIT ? warp.steps : FIND_LIMIT;
    for (uint64_t i = 1; i <= tries; i++) {
        uint64_t position = (replay->position + i) % warp.steps;
        struct trace_step step;
        int lane = replay->lane;
        bool got = false;
        if (trace_step(replay->trace, trace_warp_step(replay->trace, &warp, position), &step,
                       NULL) != 0 ||
            !step_matches(replay, &step, needle, &lane, &got))
            continue;
        bool wrapped = position < replay->position;
        bool here = position == replay->position;
        if (needle->value)
            replay_set_phase(replay, got ? PHASE_AFTER : PHASE_BEFORE);
        if (!here || needle->value) {
            replay_go(replay, &warp, position);
            replay->lane = lane;
        }
        if (here)
            replay_say(replay, _("%s: only here"), replay->find);
        else if (wrapped)
            replay_say(replay, _("%s: from the start of this warp again"), replay->find);
        return true;
    }
    if (tries < warp.steps)
        replay_say(replay, _("%s: not in the next %d operations"), replay->find, FIND_LIMIT);
    return false;
}

static bool find_in_step(struct replay *replay, const char *value) {
    bool got;
    if (!replay->has_step)
        return false;
    int lane = find_value(&replay->step.operation, value, replay->lane + 1, &got);
    if (lane < 0)
        return false;
    replay->lane = lane;
    if (got)
        replay_set_phase(replay, PHASE_AFTER);
    return true;
}

/* Goes to the first warp of the next launch whose kernel's name has the text. */
static bool find_kernel(struct replay *replay, const char *text) {
    uint64_t count = trace_warp_count(replay->trace);
    for (uint64_t i = 1; i < count && i < FIND_LIMIT; i++) {
        struct trace_warp warp;
        if (!trace_warp(replay->trace, (replay->warp.index + i) % count, &warp) ||
            warp.launch == replay->warp.launch)
            continue;
        const struct trace_launch *launch = trace_launch(replay->trace, warp.launch);
        if (launch && contains(launch->kernel, text)) {
            replay_go(replay, &warp, 0);
            replay_say(replay, _("kernel %s"), launch->kernel);
            return true;
        }
    }
    return false;
}

static bool is_number(const char *text, long *number) {
    char *end;
    *number = strtol(text, &end, 10);
    return end != text && *end == '\0';
}

static int op_named(const char *name) {
    for (int op = 0; op < WARP_OP_COUNT; op++)
        if (strcasecmp(warp_op_info((enum warp_op)op)->name, name) == 0)
            return op;
    return -1;
}

static void find_lane(struct replay *replay, long lane) {
    if (lane < 0 || lane >= WARP_LANES)
        replay_say(replay, _("%ld: lanes are 0 to 31; =%ld finds a value, line %ld a line"), lane,
                   lane, lane);
    else
        replay->lane = (int)lane;
}

void find_next(struct replay *replay) {
    const char *find = replay->find;
    struct needle needle = {.line = -1, .op = op_named(find)};
    long number;
    if (!*find) {
        replay_say(replay,
                   _("nothing to look for: / asks for a lane, an op, a text, line N, =value"));
        return;
    }
    if (is_number(find, &number)) {
        find_lane(replay, number);
        return;
    }
    if (*find == '=') {
        needle.value = find + 1 + strspn(find + 1, " ");
        if (find_in_step(replay, needle.value))
            return;
    } else if (strncasecmp(find, "line ", 5) == 0 && is_number(find + 5, &number)) {
        needle.line = number;
    } else if (needle.op < 0) {
        needle.text = find;
    }
    replay->message[0] = '\0';
    if (find_step(replay, &needle) || (needle.text && find_kernel(replay, needle.text)))
        return;
    if (!replay->message[0])
        replay_say(replay,
                   replay_is_listed(replay) ? _("%s: nothing found in this warp")
                                            : _("%s: nothing found in this warp so far"),
                   find);
}
