/*
 * Any bytes may be given as a lesson: they become a lesson, or a message that names the line.
 * Bytes before a form feed are the lesson's own file, and the rest is a translation. The readable
 * part meets the guarantees of lesson.h, and its texts become lines.
 */
#include "lesson/lesson.h"
#include "require.h"
#include "sample.h"
#include "teach/check.h"
#include "teach/prose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_message(const struct error *err) {
    const char *text = err->text;
    require(err->kind == ERROR_USAGE, "an error of another kind");
    require(strncmp(text, "en.md:", 6) == 0 || strncmp(text, "zh.md:", 6) == 0, "no file is named");
    size_t digits = strspn(text + 6, "0123456789");
    require(digits > 0 && strncmp(text + 6 + digits, ": ", 2) == 0, "no line is named");
    require_shown(text, strlen(text));
}

static void count_complaint(void *context, const char *text) {
    require(strncmp(text, "en.md:", 6) == 0 || strncmp(text, "zh.md:", 6) == 0,
            "a complaint that names no file");
    require_shown(text, strlen(text));
    ++*(size_t *)context;
}

static int place_of(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static bool same_aim(const struct snippet_aim *a, const struct snippet_aim *b) {
    return a->goal == b->goal && a->first == b->first && a->group == b->group &&
           a->number == b->number;
}

static void require_beat(const struct lesson *lesson, const struct lesson_beat *beat) {
    static const char *const phases[] = {"before", "address", "range", "move", "after"};
    static const char *const views[] = {"lanes", "wires", "history", "source", "explain", "rounds"};
    const struct lesson_show *show = &beat->show;
    int first = place_of(show->phase_first, phases, 5),
        last = place_of(show->phase_last, phases, 5);
    require(first >= 0 && last >= first, "phases");
    require(place_of(show->view, views, 6) >= 0, "a view");
    require(show->run < lesson->run_count, "a run");
    require(show->lane >= 0 && show->lane < 32 && show->warp < 32, "a lane or warp");
    require(show->hide < 8 && *beat->id, "what is hidden, or an id");
    if (beat->ask.kind != QUESTION_NONE) {
        char text[QUESTION_TEXT];
        struct question again;
        require(question_parse(&again, question_format(&beat->ask, text), NULL) == 0 &&
                    again.kind == beat->ask.kind && again.lane == beat->ask.lane &&
                    same_aim(&again.aim, &beat->ask.aim),
                "a question");
        require(beat->ask_line > beat->line, "the line of a question");
    }
}

static int look_up(void *context, const char *placeholder, struct text *value, struct error *err) {
    (void)context;
    (void)err;
    text_append(value, placeholder);
    return 0;
}

static void require_prose(const char *text) {
    struct prose prose;
    if (!text)
        return;
    require_shown(text, strlen(text));
    require(prose_make(&prose, text, look_up, NULL, NULL) == 0, "no prose");
    for (size_t i = 0; i < prose.count; i++)
        for (size_t k = 0; k < prose.paragraphs[i].span_count; k++) {
            require(!strchr(prose.paragraphs[i].spans[k].text, '\n') ||
                        prose.paragraphs[i].spans[k].kind == SPAN_VALUE,
                    "a line end in a span");
            require_shown(prose.paragraphs[i].spans[k].text,
                          strlen(prose.paragraphs[i].spans[k].text));
        }
    prose_release(&prose);
}

static void require_lesson(const struct lesson *lesson) {
    require(lesson->beat_count > 0 && lesson->run_count > 0, "nothing to show");
    for (size_t i = 0; i < lesson->run_count; i++) {
        const struct lesson_run *run = &lesson->runs[i];
        require((*run->name == '\0') == (i == 0), "the order of the runs");
        require(!run->kernel != !run->trace && run->launch, "the kernel or trace of a run");
        require(!run->kernel || !strchr(run->kernel, '/'), "a kernel elsewhere");
        /* A recording may be in a folder within the lesson's. */
        require(!run->trace || (*run->trace != '/' && *run->trace != '.' &&
                                !strstr(run->trace, "/.") && !strchr(run->trace, '\\')),
                "a recording elsewhere");
    }
    for (size_t i = 0; i < lesson->beat_count; i++) {
        require_beat(lesson, &lesson->beats[i]);
        for (size_t k = 0; k < lesson->language_count; k++) {
            const struct lesson_text *text = &lesson->beats[i].text[k];
            for (int part = 0; part < LESSON_PART_COUNT; part++)
                require_prose(lesson_part(lesson, i, k, (enum lesson_part)part));
            for (size_t b = 0; b < text->belief_count; b++)
                require(lesson_belief(lesson, i, k, text->beliefs[b].answer) != NULL, "a belief");
        }
    }
    size_t complaints = 0;
    require(lesson_complaints(lesson, count_complaint, &complaints) == complaints, "a count");
}

/* One of the samples, which between them have a step of each operation. */
static struct trace *sample_number(size_t number) {
    static struct trace *opened[64];
    const char *const *names = sample_names();
    size_t count = 0;
    while (names[count])
        count++;
    require(count <= sizeof opened / sizeof *opened, "too many samples");
    number %= count;
    if (!opened[number])
        opened[number] = sample_open(names[number]);
    return opened[number];
}

/* Checks the lesson without recordings, and with recordings that may not match it. The input's size
 * chooses the recordings, so that a fuzzer reaches all of them. */
static void require_checked(const struct lesson *lesson, size_t size) {
    struct trace *traces[66] = {NULL};
    size_t complaints = 0;
    require(lesson->run_count <= sizeof traces / sizeof *traces, "too many runs");
    for (size_t round = 0; round < 3; round++) {
        const size_t told = check_lesson(lesson, traces, count_complaint, &complaints);
        require(told == complaints, "a different count of complaints");
        complaints = 0;
        for (size_t i = 0; i < lesson->run_count; i++)
            traces[i] = lesson->runs[i].unread ? NULL : sample_number(size + round + i);
    }
}

/* A lesson without errors has nothing in it that could not be read. */
static void require_all_read(const struct lesson *lesson) {
    for (size_t i = 0; i < lesson->run_count; i++)
        require(!lesson->runs[i].unread, "an unread run");
    for (size_t i = 0; i < lesson->language_count; i++) {
        const struct lesson_language *language = &lesson->languages[i];
        require(!language->unread && !language->header_unread && !language->beat_unread,
                "an unread language");
    }
    for (size_t i = 0; i < lesson->beat_count; i++) {
        const struct lesson_beat *beat = &lesson->beats[i];
        require(!beat->id_unread && !beat->ask_unread && !beat->show.unread, "an unread beat");
        for (size_t k = 0; k < lesson->language_count; k++)
            require(!beat->text[k].unread, "an unread text");
    }
}

/* A reading that stops at the first error must report the first of all errors. */
struct first_fault {
    size_t count;
    char text[sizeof((struct error){0}.text)];
};

static void take_fault(void *context, const char *text) {
    struct first_fault *first = context;
    if (first->count++ == 0)
        snprintf(first->text, sizeof first->text, "%s", text);
}

static void require_all(const struct lesson_source *sources, size_t count, size_t size,
                        const struct error *ended) {
    struct first_fault first = {0};
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    size_t faults;
    const int status =
        lesson_parse_all(&lesson, "fuzzed", sources, count, take_fault, &first, &faults, &err);
    require(faults == first.count, "a count of errors");
    require((status < 0) == (ended->kind != ERROR_NONE) && (status < 0) == (faults > 0),
            "errors that only one of the readings finds");
    require(faults == 0 || strcmp(first.text, ended->text) == 0, "a different first error");
    require(faults > 0 || lesson, "no lesson and no error");
    if (lesson && faults > 0)
        lesson_complaints(lesson, count_complaint, &first.count);
    if (lesson)
        require_checked(lesson, size);
    lesson_free(lesson);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    require(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    char *translation = strchr(text, '\f');
    if (translation)
        *translation++ = '\0';
    const struct lesson_source sources[] = {{"en", "en.md", text}, {"zh", "zh.md", translation}};
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    if (lesson_parse(&lesson, "fuzzed", sources, translation ? 2 : 1, &err) < 0) {
        require(lesson == NULL, "a lesson beside an error");
        require_message(&err);
    } else {
        require_lesson(lesson);
        require_all_read(lesson);
    }
    lesson_free(lesson);
    require_all(sources, translation ? 2 : 1, size, &err);
    free(text);
    return 0;
}
