#include "replay/pages/comparison.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>

static void add(void *context, const struct difference *found) {
    struct comparison *comparison = context;
    if (comparison->count == COMPARISON_MOST) {
        comparison->more = true;
        return;
    }
    comparison->list = memory_room(comparison->list, comparison->count, &comparison->capacity,
                                   sizeof(comparison->list[0]));
    comparison->list[comparison->count++] = *found;
}

static bool go(struct comparison *comparison, size_t at) {
    const bool moved = at != comparison->at;
    comparison->at = at;
    for (int i = 0; i < 2; i++) {
        const uint64_t number = comparison->list[at].step[i];
        comparison->has_step[i] =
            number != UINT64_MAX &&
            trace_step(comparison->traces[i], number, &comparison->step[i], NULL) == 0;
    }
    return moved;
}

int comparison_init(struct comparison *comparison, const struct trace *const traces[2],
                    const char *const names[2], struct error *err) {
    *comparison =
        (struct comparison){.traces = {traces[0], traces[1]}, .names = {names[0], names[1]}};
    if (difference_walk(traces, &comparison->total, add, comparison, err) != 0)
        return -1;
    if (comparison->count == 0)
        return 0;
    size_t first = 0;
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->list[i].step[0] == comparison->total.step[0] &&
            comparison->list[i].step[1] == comparison->total.step[1])
            first = i;
    go(comparison, first);
    return 0;
}

void comparison_release(struct comparison *comparison) {
    free(comparison->list);
    comparison->list = NULL;
}

static bool same_warp(const struct difference *a, const struct difference *b) {
    return a->warp.launch == b->warp.launch && a->warp.block == b->warp.block &&
           a->warp.warp == b->warp.warp;
}

/* The first difference of the next warp, or of the one before; the current one if there is none. */
static size_t other_warp(const struct comparison *comparison, bool forward) {
    const struct difference *list = comparison->list;
    size_t at = comparison->at;
    while (forward && at + 1 < comparison->count && same_warp(&list[at], &list[comparison->at]))
        at++;
    if (forward)
        return same_warp(&list[at], &list[comparison->at]) ? comparison->at : at;
    while (at > 0 && same_warp(&list[at], &list[comparison->at]))
        at--;
    if (same_warp(&list[at], &list[comparison->at]))
        return comparison->at;
    while (at > 0 && same_warp(&list[at - 1], &list[at]))
        at--;
    return at;
}

static bool say(struct comparison *comparison, bool moved, const char *end) {
    if (!moved)
        comparison->message = end;
    return true;
}

bool comparison_apply(struct comparison *comparison, enum action action) {
    const size_t at = comparison->at, last = comparison->count - 1;
    comparison->message = NULL;
    if (action != ACTION_HELP)
        comparison->help = false;
    switch (action) {
    case ACTION_OPERATION_NEXT:
        return say(comparison, go(comparison, at < last ? at + 1 : last),
                   N_("this is the last difference"));
    case ACTION_OPERATION_PREVIOUS:
        return say(comparison, go(comparison, at ? at - 1 : 0), N_("this is the first difference"));
    case ACTION_OPERATION_FIRST:
        go(comparison, 0);
        return true;
    case ACTION_OPERATION_LAST:
        go(comparison, last);
        return true;
    case ACTION_WARP_NEXT:
        return say(comparison, go(comparison, other_warp(comparison, true)),
                   N_("no later warp differs"));
    case ACTION_WARP_PREVIOUS:
        return say(comparison, go(comparison, other_warp(comparison, false)),
                   N_("no earlier warp differs"));
    case ACTION_HELP:
        comparison->help = !comparison->help;
        return true;
    case ACTION_QUIT:
        comparison->quit = true;
        return true;
    default:
        return true;
    }
}

struct press comparison_press(const struct comparison *comparison, const char *key) {
    return action_help_press(comparison->help, action_press(ACTION_MODE_DIFF, key));
}
