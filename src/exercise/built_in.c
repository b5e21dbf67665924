#include "exercise/built_in.h"

#include "base/memory.h"

#include <string.h>

static struct exercise **exercises;
static size_t exercise_count;
static bool read_all;

/* Lists the exercises that can be read; `exercise check` of the folder reports the errors of the
 * others. */
static void read_exercises(void) {
    if (read_all)
        return;
    read_all = true;
    for (const struct exercise_folder *folder = shflviz_exercises; folder->name; folder++) {
        struct exercise *exercise;
        size_t files = 0;
        while (folder->files[files].name)
            files++;
        if (exercise_parse(&exercise, folder->name, folder->files, files, NULL) != 0)
            continue;
        exercises = memory_grow(exercises, exercise_count + 1, sizeof(struct exercise *));
        exercises[exercise_count++] = exercise;
    }
}

size_t exercise_built_in_count(void) {
    read_exercises();
    return exercise_count;
}

const struct exercise *exercise_built_in(size_t index) {
    read_exercises();
    return index < exercise_count ? exercises[index] : NULL;
}

const struct exercise *exercise_built_in_find(const char *name) {
    for (size_t i = 0; i < exercise_built_in_count(); i++)
        if (strcmp(exercises[i]->name, name) == 0)
            return exercises[i];
    return NULL;
}
