/*
 * practice.c - exercises in a page: their texts, and judging the learner's code (src/practice).
 * web.c shows the run of a verdict.
 */
#include "practice/practice.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "core/web.h"

#include <stdlib.h>
#include <string.h>

static struct {
    struct text said;
    struct verdict verdict;
    bool has_verdict;
} practice;

int page_exercises(void) {
    return (int)exercise_built_in_count();
}

static const char *field_of(const struct exercise *exercise, enum page_exercise_field field) {
    const struct exercise_language *language = exercise_language(exercise, message_language());
    switch (field) {
    case PAGE_EXERCISE_NAME:
        return exercise->name;
    case PAGE_EXERCISE_TITLE:
        return language->title;
    case PAGE_EXERCISE_CHAPTER:
        return language->chapter;
    case PAGE_EXERCISE_TASK:
        return language->task;
    case PAGE_EXERCISE_SKELETON:
        return exercise->skeleton;
    case PAGE_EXERCISE_SOLUTION:
        return exercise->solution;
    case PAGE_EXERCISE_AFTER:
        return language->after;
    default:
        return (size_t)field < PAGE_EXERCISE_HINT + language->hint_count
                   ? language->hints[field - PAGE_EXERCISE_HINT]
                   : NULL;
    }
}

const char *page_exercise(int number, int field) {
    const struct exercise *exercise = exercise_built_in((size_t)number);
    const char *text = exercise ? field_of(exercise, (enum page_exercise_field)field) : NULL;
    text_clear(&practice.said);
    text_append(&practice.said, text ? text : "");
    return practice.said.data;
}

int page_judge(int number, const char *code) {
    const struct judging judging = {
        .path = "answer.cu", .text = code, .settings = RUN_SETTINGS_INIT};
    const struct exercise *exercise = exercise_built_in((size_t)number);
    struct error err = ERROR_INIT;
    text_clear(&practice.said);
    if (practice.has_verdict)
        verdict_release(&practice.verdict);
    practice.has_verdict = exercise != NULL;
    if (!exercise)
        return -1;
    if (practice_judge(exercise, &judging, &practice.verdict, &err) != 0) {
        text_append(&practice.said, err.text);
        return -1;
    }
    practice.verdict.in_page = true;
    return (int)practice.verdict.kind;
}

const char *page_verdict(void) {
    if (practice.has_verdict && !practice.said.length)
        verdict_append(&practice.said, &practice.verdict, "answer.cu");
    return practice.said.data;
}

struct trace *practice_take_trace(uint64_t *block, uint32_t *warp, uint32_t *lane,
                                  uint32_t *launch) {
    struct trace *trace = practice.has_verdict ? practice.verdict.trace : NULL;
    *block = practice.verdict.block;
    *warp = practice.verdict.warp;
    *lane = practice.verdict.lane;
    *launch = practice.verdict.launch;
    practice.verdict.trace = NULL;
    return trace && trace_step_count(trace) ? trace : NULL;
}
