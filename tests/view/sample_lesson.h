/*
 * sample_lesson.h - the lesson of tests/view/lesson, with the recordings of sample.h, played by
 * keys.
 */
#ifndef SHFLVIZ_TESTS_SAMPLE_LESSON_H
#define SHFLVIZ_TESTS_SAMPLE_LESSON_H

#include "teach/player.h"

struct sample_lesson {
    struct lesson *lesson;
    struct trace *traces[3];
    struct player player;
};

/* Begins the lesson in a language; fails the running test if it cannot. */
void sample_lesson_open(struct sample_lesson *sample, const char *language);
void sample_lesson_keys(struct sample_lesson *sample, const char *keys);
void sample_lesson_close(struct sample_lesson *sample);

#endif
