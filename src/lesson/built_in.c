#include "lesson/built_in.h"

#include "base/memory.h"
#include "lesson/lesson.h"

#include <string.h>

/* The lessons that can be read: if one is broken, the program still has the others (tests/lesson
 * reads all of them, to make sure that none is). */
static struct lesson **lessons;
static size_t lesson_count;
static bool read_all;

static void read_lessons(void) {
    if (read_all)
        return;
    read_all = true;
    for (const struct lesson_file *file = shflviz_lesson_files; file->lesson;) {
        struct lesson_source sources[LESSON_LANGUAGES_MAX];
        const char *name = file->lesson;
        size_t count = 0;
        for (; file->lesson && strcmp(file->lesson, name) == 0; file++)
            if (count < LESSON_LANGUAGES_MAX)
                sources[count++] = (struct lesson_source){file->code, file->path, file->text};
        struct lesson *lesson;
        if (lesson_parse(&lesson, name, sources, count, NULL) < 0)
            continue;
        lessons = memory_grow(lessons, lesson_count + 1, sizeof(struct lesson *));
        lessons[lesson_count++] = lesson;
    }
}

size_t lesson_built_in_count(void) {
    read_lessons();
    return lesson_count;
}

const struct lesson *lesson_built_in(size_t index) {
    read_lessons();
    return index < lesson_count ? lessons[index] : NULL;
}

const struct lesson *lesson_built_in_find(const char *name) {
    for (size_t i = 0; i < lesson_built_in_count(); i++)
        if (strcmp(lessons[i]->name, name) == 0)
            return lessons[i];
    return NULL;
}

const struct lesson *lesson_built_in_after(const struct lesson *lesson) {
    for (size_t i = 0; i + 1 < lesson_built_in_count(); i++)
        if (lessons[i] == lesson)
            return lessons[i + 1];
    return NULL;
}

size_t lesson_fast_track(const struct lesson_stop **stops) {
    size_t count = 0;
    while (shflviz_fast_track[count].name)
        count++;
    *stops = shflviz_fast_track;
    return count;
}
