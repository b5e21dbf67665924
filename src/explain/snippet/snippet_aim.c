/* The aim of a piece of code, and the test of whether the code achieves it. */
#include "base/message.h"
#include "explain/snippet/snippet.h"
#include "explain/snippet/snippet_numbers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const goals[SNIPPET_GOAL_COUNT] = {
    "picture", "result", "number", "sum", "max", "scan", "exclusive scan", "argmax"};

static bool parse_number(const char *text, int *number) {
    char *end;
    long read = strtol(text, &end, 0);
    *number = (int)read;
    return *text == ' ' && end != text && !*end && read >= INT32_MIN && read <= INT32_MAX;
}

bool snippet_aim_parse(struct snippet_aim *aim, const char *text) {
    for (int goal = 0; goal < SNIPPET_GOAL_COUNT; goal++) {
        size_t length = strlen(goals[goal]);
        if (strncmp(text, goals[goal], length) != 0)
            continue;
        *aim = (struct snippet_aim){(enum snippet_goal)goal, false, WARP_LANES, 0};
        text += length;
        if (goal == SNIPPET_PICTURE || goal == SNIPPET_RESULT)
            return !*text;
        if (goal == SNIPPET_NUMBER)
            return parse_number(text, &aim->number);
        bool all = strncmp(text, " in all lanes", 13) == 0;
        aim->first = !all && strncmp(text, " in lane 0", 10) == 0;
        if (!all && !aim->first)
            return false;
        text += all ? 13 : 10;
        if (!*text)
            return true;
        aim->group = strncmp(text, " of ", 4) == 0 ? atoi(text + 4) : 0;
        return warp_width_is_defined(aim->group);
    }
    return false;
}

char *snippet_aim_format(const struct snippet_aim *aim, char *buffer, size_t size) {
    char group[16] = "";
    if (aim->group != WARP_LANES)
        snprintf(group, sizeof group, " of %d", aim->group);
    if (aim->goal == SNIPPET_PICTURE || aim->goal == SNIPPET_RESULT)
        snprintf(buffer, size, "%s", goals[aim->goal]);
    else if (aim->goal == SNIPPET_NUMBER)
        snprintf(buffer, size, "%s %d", goals[aim->goal], aim->number);
    else
        snprintf(buffer, size, "%s in %s%s", goals[aim->goal], aim->first ? "lane 0" : "all lanes",
                 group);
    return buffer;
}

/* The lane of the group's largest value, the lowest if several hold it. */
static int64_t largest_value_lane(const struct warp_operation *start, int first, int end) {
    int place = -1;
    for (int lane = first; lane < end; lane++)
        if (warp_has_lane(start->present, lane) &&
            (place < 0 ||
             snippet_as_int((int64_t)start->in[lane]) > snippet_as_int((int64_t)start->in[place])))
            place = lane;
    return place;
}

/* The expected result of the lane. */
static int64_t wanted(const struct warp_operation *start, const struct snippet_aim *aim, int lane) {
    int first = lane / aim->group * aim->group, end = first + aim->group;
    int64_t value = 0;
    bool begun = false;
    if (aim->goal == SNIPPET_NUMBER)
        return aim->number;
    if (aim->goal == SNIPPET_ARGMAX)
        return largest_value_lane(start, first, end);
    if (aim->goal == SNIPPET_SCAN)
        end = lane + 1;
    if (aim->goal == SNIPPET_EXCLUSIVE)
        end = lane;
    for (int other = first; other < end; other++) {
        int64_t brings = snippet_as_int((int64_t)start->in[other]);
        if (!warp_has_lane(start->present, other))
            continue;
        if (aim->goal == SNIPPET_MAX)
            value = !begun || brings > value ? brings : value;
        else
            value = snippet_as_int(value + brings);
        begun = true;
    }
    return value;
}

/* True if the code gives all results that are defined in the recorded call. */
static bool same_picture(const struct warp_operation *start, const struct snippet_result *result,
                         char why[SNIPPET_WHY]) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(start, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        char would[WARP_VALUE_TEXT], has_text[WARP_VALUE_TEXT];
        if (!warp_has_lane(start->present, lane) || !outcome[lane].has_value)
            continue;
        uint64_t value = warp_value_mask(start->type, (uint64_t)result->handed.of[lane]);
        if (!warp_has_lane(result->called, lane)) {
            snprintf(why, SNIPPET_WHY, _("lane %d would not make the call"), lane);
            return false;
        }
        if (warp_has_lane(result->handed.undefined, lane)) {
            snprintf(why, SNIPPET_WHY, _("lane %d's result would be undefined"), lane);
            return false;
        }
        if (value == warp_value_mask(start->type, outcome[lane].value))
            continue;
        snprintf(why, SNIPPET_WHY, _("lane %d would get %s; in the picture it gets %s"), lane,
                 warp_value_format(start->type, value, would),
                 warp_value_format(start->type, outcome[lane].value, has_text));
        return false;
    }
    return true;
}

/* True if the variable holds the results of the recorded call, however computed. */
static bool same_result(const struct warp_operation *start, struct snippet_result result,
                        char why[SNIPPET_WHY]) {
    result.handed = result.value;
    result.called = start->present;
    return same_picture(start, &result, why);
}

static bool reaches(const struct warp_operation *start, const struct snippet_aim *aim,
                    const struct snippet_result *result, char why[SNIPPET_WHY]) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(start->present & ~result->returned, lane) ||
            (aim->first && lane % aim->group != 0))
            continue;
        int64_t should = wanted(start, aim, lane), would = snippet_as_int(result->value.of[lane]);
        if (aim->goal == SNIPPET_NUMBER && would != should)
            why[0] = '\0'; /* the right value would give the answer away */
        else if (warp_has_lane(result->value.undefined, lane))
            snprintf(why, SNIPPET_WHY, _("lane %d's final value would be undefined"), lane);
        else if (would != should)
            snprintf(why, SNIPPET_WHY, _("lane %d would end with %lld; it should have %lld"), lane,
                     (long long)would, (long long)should);
        else
            continue;
        return false;
    }
    return true;
}

int snippet_judge(const char *code, const struct warp_operation *start,
                  const struct snippet_aim *aim, bool *right, char why[SNIPPET_WHY],
                  struct error *err) {
    struct snippet_result result;
    why[0] = '\0';
    if (snippet_run(code, start, &result, err) != 0)
        return -1;
    *right = aim->goal == SNIPPET_PICTURE  ? same_picture(start, &result, why)
             : aim->goal == SNIPPET_RESULT ? same_result(start, result, why)
                                           : reaches(start, aim, &result, why);
    char lanes[WARP_LANES_TEXT];
    if (!*right && result.waits_for)
        snprintf(why, SNIPPET_WHY, _("a mask names lanes %s, which would be absent"),
                 warp_lanes_format(result.waits_for, lanes));
    return 0;
}
