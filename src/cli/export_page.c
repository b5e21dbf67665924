/*
 * Collects the data of a page; export/page.h writes it. Everything is recorded before anything is
 * written, so that a failure does not leave half a page.
 */
#include "cli/export_page.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text/utf8.h"
#include "export/page.h"
#include "launch/course.h"
#include "launch/recording.h"
#include "lesson/lesson.h"
#include "teach/player.h"
#include "view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The screen of the first source, without JavaScript. */
#define STILL_COLUMNS 80
#define STILL_ROWS    24

/* Data kept until the page is written, since the page borrows its bytes. */
struct job {
    struct page page;
    const struct course_terms *terms;
    struct trace **traces;
    size_t trace_count;
    struct course_recordings *courses;
    size_t course_count;
    struct grid still;
    bool has_still;
};

static void keep_trace(struct job *job, struct trace *trace) {
    job->traces = memory_grow(job->traces, job->trace_count + 1, sizeof(struct trace *));
    job->traces[job->trace_count++] = trace;
}

static void add_trace(struct job *job, const char *name, const struct trace *trace) {
    size_t size;
    const void *bytes = trace_bytes(trace, &size);
    page_add_file(&job->page, name, bytes, size);
}

static void begin_still(struct job *job) {
    grid_init(&job->still, STILL_COLUMNS, STILL_ROWS, false);
    grid_clear(&job->still);
    job->has_still = true;
}

/* ---- a recording ---- */

static int still_of_trace(struct job *job, const struct trace *trace, struct error *err) {
    struct replay replay;
    if (job->has_still)
        return 0;
    if (replay_init(&replay, trace, err) != 0)
        return -1;
    begin_still(job);
    view_draw(&job->still, &replay);
    return 0;
}

static int add_recording(struct job *job, const char *name, struct error *err) {
    struct text line = TEXT_INIT, inside = TEXT_INIT;
    struct trace *trace;
    if (recording_or_file_open(name, &trace, err) != 0)
        return -1;
    keep_trace(job, trace);
    const bool comes_along = recording_find(name) && access(name, F_OK) != 0;
    const char *title = trace_note(trace, TRACE_NOTE_TITLE);
    if (comes_along) {
        text_append(&inside, name);
    } else { /* numbered, so that two with the same name differ */
        text_append_format(&inside, "%zu-%s", job->page.source_count + 1,
                           utf8_name(strcmp(name, "-") == 0 ? "recording" : file_base_name(name)));
        add_trace(job, inside.data, trace);
    }
    text_append_format(&line, "replay %s", inside.data);
    page_add_source(&job->page, line.data,
                    title && *title ? title : utf8_name(file_base_name(name)));
    text_release(&line);
    text_release(&inside);
    return still_of_trace(job, trace, err);
}

/* ---- a lesson ---- */

static int still_of_lesson(struct job *job, const struct lesson *lesson, struct trace **traces,
                           struct error *err) {
    struct player player;
    if (job->has_still)
        return 0;
    if (player_init(&player, lesson, traces, message_language(), NULL, err) != 0)
        return -1;
    begin_still(job);
    view_draw_player(&job->still, &player);
    player_release(&player);
    return 0;
}

/* Adds a run's recording, for a lesson from elsewhere, under the name by which the page's program
 * finds it (launch/course.c, web/core/absent.c). */
static void add_run(struct job *job, const struct lesson *lesson, const struct lesson_run *run,
                    const struct trace *trace) {
    struct text name = TEXT_INIT;
    const bool is_file = run->trace && !recording_find(run->trace);
    const bool is_program = !run->trace && course_is_file(run->kernel);
    text_append_format(&name, "%s/%s", lesson->name, run->trace ? run->trace : run->kernel);
    if (is_program)
        text_append_format(&name, " %s", run->launch);
    if (trace && (is_file || is_program))
        add_trace(job, name.data, trace);
    text_release(&name);
}

static int add_texts(struct job *job, const struct lesson *lesson, struct error *err) {
    for (size_t i = 0; i < lesson->language_count; i++) {
        const struct lesson_language *language = &lesson->languages[i];
        struct text name = TEXT_INIT;
        text_append_format(&name, "%s/%s.md", lesson->name, language->code);
        const int status = page_add_from_file(&job->page, name.data, language->path, err);
        text_release(&name);
        if (status != 0)
            return -1;
    }
    return 0;
}

static int add_lesson(struct job *job, const struct lesson *lesson, bool is_own,
                      struct error *err) {
    struct course_recordings recordings;
    struct text line = TEXT_INIT;
    if (course_record(lesson, job->terms, &recordings, err) != 0)
        return -1;
    job->courses =
        memory_grow(job->courses, job->course_count + 1, sizeof(struct course_recordings));
    job->courses[job->course_count++] = recordings;
    if (is_own && add_texts(job, lesson, err) != 0)
        return -1;
    for (size_t i = 0; is_own && i < lesson->run_count; i++)
        add_run(job, lesson, &lesson->runs[i], recordings.traces[i]);
    text_append_format(&line, "lesson %s", lesson->name);
    page_add_source(&job->page, line.data,
                    lesson_title(lesson, lesson_language_find(lesson, message_language())));
    text_release(&line);
    return still_of_lesson(job, lesson, recordings.traces, err);
}

static int add_own_lesson(struct job *job, const char *path, struct error *err) {
    struct lesson *lesson;
    if (lesson_open(&lesson, path, err) != 0)
        return -1;
    int status = 0;
    if (lesson_built_in_find(lesson->name))
        status = error_set(err, ERROR_USAGE,
                           _("%s: a lesson in the course has the same name, %s\ntry: give the "
                             "folder another name"),
                           utf8_name(path), lesson->name);
    if (status == 0)
        status = add_lesson(job, lesson, true, err);
    lesson_free(lesson);
    return status;
}

/* ---- the named sources ---- */

static bool is_lesson_path(const char *name) {
    struct stat status;
    const char *suffix = strrchr(name, '.');
    return stat(name, &status) == 0 &&
           (S_ISDIR(status.st_mode) || (suffix && strcmp(suffix, ".md") == 0));
}

static int add_source(struct job *job, const char *name, struct error *err) {
    const struct lesson *lesson = access(name, F_OK) == 0 ? NULL : lesson_built_in_find(name);
    if (strcmp(name, "course") == 0 && access(name, F_OK) != 0) {
        page_add_source(&job->page, "lesson", _("Lessons"));
        return 0;
    }
    if (lesson)
        return add_lesson(job, lesson, false, err);
    return is_lesson_path(name) ? add_own_lesson(job, name, err) : add_recording(job, name, err);
}

static int export(FILE *out, char *const *sources, int count, const struct course_terms *terms,
                  bool follows, struct error *err) {
    struct job job = {.terms = terms, .page.follows = follows};
    struct text path = TEXT_INIT;
    int status = page_find(&path, err); /* before anything is run */
    for (int i = 0; status == 0 && i < count; i++)
        status = add_source(&job, sources[i], err);
    job.page.language = message_language();
    if (status == 0) {
        job.page.title = job.page.sources[0].title;
        job.page.still = job.has_still ? &job.still : NULL;
        status = page_write(out, &job.page, err);
    }
    page_release(&job.page);
    for (size_t i = 0; i < job.trace_count; i++)
        trace_close(job.traces[i]);
    for (size_t i = 0; i < job.course_count; i++)
        course_release(&job.courses[i]);
    free(job.traces);
    free(job.courses);
    if (job.has_still)
        grid_release(&job.still);
    text_release(&path);
    return status;
}

int export_page(FILE *out, char *const *sources, int count, const struct course_terms *terms,
                struct error *err) {
    return export(out, sources, count, terms, false, err);
}

/* True for a user's own lesson, if the course has one of the same name. */
static bool is_taken(const char *path) {
    struct lesson *lesson;
    struct error ignored = ERROR_INIT;
    if (!is_lesson_path(path) || lesson_open(&lesson, path, &ignored) != 0)
        return false;
    const bool taken = lesson_built_in_find(lesson->name) != NULL;
    lesson_free(lesson);
    return taken;
}

int export_class_page(char **bytes, size_t *size, char *lesson, const struct course_terms *terms,
                      struct error *err) {
    static char course[] = "course";
    char *source = lesson ? lesson : course;
    struct text path = TEXT_INIT;
    struct error ignored = ERROR_INIT;
    const bool has_page = page_find(&path, &ignored) == 0 && !(lesson && is_taken(lesson));
    text_release(&path);
    *bytes = NULL;
    *size = 0;
    if (!has_page)
        return 0;
    FILE *out = open_memstream(bytes, size);
    int status = out ? export(out, &source, 1, terms, true, err)
                     : error_set_errno(err, ERROR_MISSING, errno, "open_memstream");
    if (out && fclose(out) != 0 && status == 0)
        status = error_set_errno(err, ERROR_MISSING, errno, "open_memstream");
    if (status == 0)
        return 0;
    free(*bytes);
    *bytes = NULL;
    *size = 0;
    return -1;
}
