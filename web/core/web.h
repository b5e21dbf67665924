/*
 * web.h - the functions that JavaScript (web/page.js) calls, one turn at a time. Strings are UTF-8,
 * NUL-terminated; returned strings are valid until the next call.
 */
#ifndef SHFLVIZ_WEB_WEB_H
#define SHFLVIZ_WEB_WEB_H

#include "term/palette.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stddef.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Adds a file of the page; takes over the bytes, which are from malloc(). */
EXPORT(page_file) void page_file(const char *name, void *bytes, size_t size);

/* Shows another scene from its beginning. If false, page_error() gives the reason. */
EXPORT(page_begin) bool page_begin(const char *line);

EXPORT(page_error) const char *page_error(void);

/* Begins a quiz about what is shown, at a level of teach/quiz.h; leaving it returns to the scene of
 * page_begin(). False, with page_error(), if there is no quiz about the scene, as for a lesson
 * from elsewhere, or nothing can be asked. */
EXPORT(page_quiz) bool page_quiz(unsigned seed, int level);
enum page_quizzing { PAGE_QUIZ_NONE, PAGE_QUIZ_POSSIBLE, PAGE_QUIZ_ON };
EXPORT(page_quizzing) enum page_quizzing page_quizzing(void);

EXPORT(page_key) bool page_key(const char *key);

/* `wheel`: 0 for a click, 1 for the wheel towards the user, -1 for away. As on a terminal
 * (term/run.c). */
EXPORT(page_point) bool page_point(int x, int y, int wheel);

EXPORT(page_tick) bool page_tick(int milliseconds);

/* Milliseconds until page_tick() does something; -1: never. */
EXPORT(page_wait) int page_wait(void);

/* A line for the clipboard, once; else NULL. */
EXPORT(page_copy) const char *page_copy(void);

/* The cells of a frame of that size, row by row; NULL: nothing is shown. */
EXPORT(page_draw) const struct cell *page_draw(int columns, int rows);

/* Foreground, background (0xRRGGBB, -1 the page's own) and PAINT_ attributes of a style. */
EXPORT(page_paint) const struct paint *page_paint(int role, int group, int flags, bool light);

/* The screen in the format of the terminal tests: text and the meaning of each cell. */
EXPORT(page_text) const char *page_text(int columns, int rows, bool styles);

EXPORT(page_languages) const char *page_languages(void);

EXPORT(page_language) const char *page_language(void);

/* Switches to another language; a lesson continues at its position. */
EXPORT(page_use_language) bool page_use_language(const char *code);

/* The moment in the form of a link: "beat" of a lesson ("lesson/beat" if the page is the list),
 * "step,lane,view,phase" of a recording, with view and phase counted from 1. */
EXPORT(page_moment) const char *page_moment(void);

/* Goes to a moment that page_moment() has named; a beat may also be given by its number, and if
 * the page is the list, the name of a lesson is enough. False: there is no such moment. */
EXPORT(page_go) bool page_go(const char *moment);

/* The position in the lesson, as a class follows it: the lesson's name and player_position(); ""
 * if no lesson is open. */
EXPORT(page_position) const char *page_position(void);

/* Goes to such a position in that lesson, which is begun if another lesson is open. No question
 * is open afterwards. */
EXPORT(page_follow) bool page_follow(const char *lesson, const char *position);

/* Sets how far a student may step alone: up to the next question that the class has not answered.
 * `beats` has a letter for each beat of that lesson: 'a' all of it is allowed, 's' seen, but its
 * question is not answered, '.' not seen yet. "" sets no limit. */
EXPORT(page_limit) void page_limit(const char *lesson, const char *beats);

/* True if a step was undone because of the limit since the last call. */
EXPORT(page_held) bool page_held(void);

/* True if the class is answering the lesson's question; the program then takes an answer and lets
 * the student look around, but neither judges nor continues. */
enum page_asked { PAGE_ASKED_NOTHING, PAGE_ASKED_OPEN, PAGE_ASKED_ANSWERED };
EXPORT(page_asks) void page_asks(enum page_asked asked);

/* The typed or marked answer; and a function that types it. */
EXPORT(page_answer) const char *page_answer(void);
EXPORT(page_type) bool page_type(const char *answer);

/* A text for the page's own bar, in the language in use. */
EXPORT(page_say) const char *page_say(const char *english);

/* ---- exercises ---- */

enum page_exercise_field {
    PAGE_EXERCISE_NAME,
    PAGE_EXERCISE_TITLE,
    PAGE_EXERCISE_CHAPTER,
    PAGE_EXERCISE_TASK,
    PAGE_EXERCISE_SKELETON,
    PAGE_EXERCISE_SOLUTION,
    PAGE_EXERCISE_AFTER,
    PAGE_EXERCISE_HINT /* the first; "" after the last */
};
EXPORT(page_exercises) int page_exercises(void); /* how many there are */
EXPORT(page_exercise) const char *page_exercise(int number, int field);
/* Judges a file; returns its enum verdict_kind, 0 if it passes, or -1. */
EXPORT(page_judge) int page_judge(int number, const char *code);
/* The last verdict, in a few lines. */
EXPORT(page_verdict) const char *page_verdict(void);
/* Shows the judged run at the first operation of the lane that was wrong. False if nothing was
 * recorded or it was already shown. */
EXPORT(page_show_run) bool page_show_run(void);

/* For web.c: the recording of that run, which is the caller's, or NULL. */
struct trace;
struct trace *practice_take_trace(uint64_t *block, uint32_t *warp, uint32_t *lane,
                                  uint32_t *launch);

/* The title of the lesson that is open; "" if none is. */
EXPORT(page_title) const char *page_title(void);

#endif
