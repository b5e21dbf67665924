#include "session/lesson_check.h"

#include "base/memory.h"
#include "teach/check.h"

/* Records the runs that can be recorded; returns the number of the others, which have been
 * reported. */
static size_t record(struct lesson_checked *checked, const struct course_terms *terms,
                     lesson_complain_fn *complain, void *context) {
    const struct lesson *lesson = checked->lesson;
    struct program_files files = {terms, NULL, 0};
    size_t missing = 0;
    checked->recordings = (struct course_recordings){
        memory_zeroed(lesson->run_count, sizeof(checked->recordings.traces[0])), lesson->run_count};
    for (size_t i = 0; i < lesson->run_count; i++) {
        struct error err = ERROR_INIT;
        if (lesson->runs[i].unread ||
            course_record_run(lesson, i, &files, &checked->recordings.traces[i], &err) == 0)
            continue;
        complain(context, err.text);
        missing++;
    }
    program_files_release(&files);
    return missing;
}

void lesson_check(struct lesson_checked *checked, const struct lesson *lesson, const char *path,
                  const struct course_terms *terms, lesson_complain_fn *complain, void *context) {
    struct error err = ERROR_INIT;
    *checked = (struct lesson_checked){.lesson = lesson};
    if (!lesson &&
        lesson_open_all(&checked->opened, path, complain, context, &checked->faults, &err) != 0 &&
        checked->faults == 0) {
        complain(context, err.text);
        checked->faults = 1;
    }
    const bool has_read = checked->faults == 0;
    if (!lesson)
        checked->lesson = checked->opened;
    if (!checked->lesson)
        return;
    checked->faults += lesson_complaints(checked->lesson, complain, context);
    const size_t missing = record(checked, terms, complain, context);
    checked->playable = has_read && missing == 0;
    checked->faults += missing;
    checked->faults += check_lesson(checked->lesson, checked->recordings.traces, complain, context);
}

void lesson_checked_release(struct lesson_checked *checked) {
    course_release(&checked->recordings);
    lesson_free(checked->opened);
    *checked = (struct lesson_checked){0};
}
