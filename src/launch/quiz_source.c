/*
 * Picks a kernel at random, and arguments that suit the level; every other turn goes to a missed
 * question, as long as there are any. The caller finds out whether anything can be asked about the
 * result.
 */
#include "launch/quiz_source.h"

#include "base/message.h"
#include "base/random.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "device/device.h"
#include "launch/course.h"
#include "launch/launch.h"
#include "launch/recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t draw(struct quiz_source *source) {
    return random_mix(source->random += RANDOM_GAMMA);
}

static unsigned random_below(struct quiz_source *source, unsigned limit) {
    return (unsigned)(draw(source) % limit);
}

/* ---- choice of a recording ---- */

static int unknown_source(const char *name, struct error *err) {
    struct choice choice = CHOICE_INIT(name);
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        choice_add(&choice, programs[i]->name);
    for (size_t i = 0; i < lesson_built_in_count(); i++)
        choice_add(&choice, lesson_built_in(i)->name);
    return choice_refuse(
        &choice,
        _("%s: no kernel, lesson or file of that name%s\nallowed: a name that shflviz quiz --list "
          "lists, or a recording file\ntry: shflviz quiz, which asks about all kinds of shuffles"),
        err);
}

int quiz_source_init(struct quiz_source *source, const char *name, uint64_t seed,
                     struct error *err) {
    struct stat status;
    *source = (struct quiz_source){.name = name, .random = seed};
    if (!name)
        return 0;
    source->is_kernel = device_program_find(name) != NULL;
    if (!source->is_kernel)
        source->lesson = lesson_built_in_find(name);
    if (source->is_kernel || source->lesson)
        return 0;
    source->is_file = true;
    if (!strpbrk(name, "/.") && stat(name, &status) != 0)
        return unknown_source(name, err);
    return 0;
}

void quiz_source_init_program(struct quiz_source *source, struct trace *made) {
    *source = (struct quiz_source){.made = made, .is_program = true};
}

static void add_missed(struct quiz_source *source, const struct lesson *lesson,
                       const struct lesson_beat *beat) {
    if (source->missed_count < QUIZ_SOURCE_WEAK)
        source->missed[source->missed_count++] = (struct quiz_missed){lesson, beat};
}

void quiz_source_prefer(struct quiz_source *source, const struct progress *progress) {
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        const struct lesson_progress *known = progress_find(progress, lesson->name);
        unsigned noted = 0;
        for (size_t k = 0; known && k < lesson->beat_count; k++) {
            const struct lesson_beat *beat = &lesson->beats[k];
            const enum beat_result result = progress_result(known, beat->id);
            noted += result != BEAT_UNSEEN;
            if (result == BEAT_REVEALED && beat->ask.kind != QUESTION_NONE)
                add_missed(source, lesson, beat);
        }
        if (known && known->right < known->asked && noted < known->asked)
            add_missed(source, lesson, NULL);
    }
}

int quiz_source_mark_solved(const struct quiz_source *source, struct error *err) {
    const struct quiz_missed *wanted = &source->wanted;
    char *path = progress_path();
    const int status = wanted->beat && *path
                           ? progress_mark_solved(path, wanted->lesson->name, wanted->beat->id, err)
                           : 0;
    free(path);
    return status;
}

/* Records the run of a missed question. The question is then removed from the list, if it is
 * known. */
static int record_missed(struct quiz_source *source, struct trace **trace, struct error *err) {
    struct program_files none = {NULL, NULL, 0};
    const size_t chosen = random_below(source, (unsigned)source->missed_count);
    const struct quiz_missed missed = source->missed[chosen];
    const struct lesson_beat *beat = missed.beat;
    const size_t run =
        beat ? beat->show.run : random_below(source, (unsigned)missed.lesson->run_count);
    if (beat)
        source->missed[chosen] = source->missed[--source->missed_count];
    if (course_record_run(missed.lesson, run, &none, trace, err) != 0)
        return -1;
    source->wanted = missed;
    return 0;
}

bool quiz_source_has_more(const struct quiz_source *source) {
    return !source->is_file && !source->is_program &&
           (!source->lesson || source->lesson->run_count > 1);
}

/* ---- a new launch ---- */

/* Beginners get arguments that stay within a group; larger ones wrap, are clamped, or lose bits. */
static void add_argument(struct quiz_source *source, struct text *launch, const char *option,
                         int level, unsigned width) {
    const unsigned limit = level <= 1 ? width : level == 2 ? 32 : 40;
    if (level >= 5)
        text_append_format(launch, " --%s random:%u", option, random_below(source, 100000));
    else
        text_append_format(launch, " --%s %u", option,
                           limit > 1 ? 1 + random_below(source, limit - 1) : 0);
}

static void add_shuffle(struct quiz_source *source, struct text *launch, const char *option,
                        int level) {
    static const unsigned widths[] = {32, 16, 8, 4, 32, 16};
    const unsigned width = widths[random_below(source, level <= 1 ? 2 : 6)];
    text_append_format(launch, "--width %u", width);
    add_argument(source, launch, option, level, width);
    if (level >= 3 && random_below(source, 3) == 0)
        text_append_format(launch, " --threads %u", 33 + random_below(source, 31));
    else if (level >= 3 && random_below(source, 3) == 0)
        text_append_format(launch, " --members 0x%08" PRIx32, (uint32_t)draw(source) | UINT32_C(1));
    text_append_format(launch, " --in random:%u", random_below(source, 100000));
}

static int record_kernel(struct quiz_source *source, const char *kernel, int level,
                         struct trace **trace, struct error *err) {
    const struct program *program = device_program_find(kernel);
    const enum launch_option argument = launch_argument(program);
    struct text launch = TEXT_INIT;
    if (argument != LAUNCH_OPTION_COUNT)
        add_shuffle(source, &launch, launch_option(argument)->name, level);
    else if (program->takes & PROGRAM_TAKES_INPUT)
        text_append_format(&launch, "--in random:%u", random_below(source, 100000));
    int status = course_record_kernel(kernel, launch.data, NULL, trace, err);
    text_release(&launch);
    return status;
}

/* One of the four shuffles, or at the highest levels a whole kernel of them. */
static const char *random_kernel(struct quiz_source *source, int level) {
    static const char *const kernels[] = {
        "idx",           "up", "down", "xor", "scan-8", "reduce-down-sum", "reduce-xor-max",
        "reduce-xor-sum"};
    return kernels[random_below(source, level >= 5 ? sizeof(kernels) / sizeof(kernels[0]) : 4)];
}

int quiz_source_next(struct quiz_source *source, int level, struct trace **trace,
                     struct error *err) {
    if (source->is_program) {
        *trace = source->made;
        source->made = NULL;
        return 0;
    }
    if (source->is_file)
        return recording_or_file_open(source->name, trace, err);
    source->wanted = (struct quiz_missed){NULL, NULL};
    if (source->missed_count && source->turn++ % 2 == 0)
        return record_missed(source, trace, err);
    if (source->lesson) { /* a built-in lesson, which has no user program */
        struct program_files none = {NULL, NULL, 0};
        return course_record_run(source->lesson, source->next_run++ % source->lesson->run_count,
                                 &none, trace, err);
    }
    return record_kernel(source, source->name ? source->name : random_kernel(source, level), level,
                         trace, err);
}
