/*
 * scene.h - the content of a beat, in the lesson's recordings: the position, and the values that
 * its texts name.
 */
#ifndef SHFLVIZ_TEACH_SCENE_H
#define SHFLVIZ_TEACH_SCENE_H

#include "base/error.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "replay/replay.h"
#include "trace/trace.h"

/*
 * Begins a replay at the position of `show`: its warp, operation, view, lane, hidden and
 * pointed-at parts, in the first of its phases. Fails (ERROR_USAGE) with the missing and the
 * available parts of the recording. The trace is that of show->run.
 */
int scene_open(struct replay *replay, const struct trace *trace, const struct lesson_show *show,
               struct error *err);

/* The phases through which a beat goes. */
enum phase scene_phase_first(const struct lesson_show *show);
enum phase scene_phase_last(const struct lesson_show *show);

/* The command that shows its picture: "shflviz xor --mask 3", "shflviz kernel NAME ...", "shflviz
 * replay h200/NAME", "shflviz run FILE.cu". Returns buffer. */
#define SCENE_COMMAND 256
char *scene_command(const struct lesson *lesson, const struct lesson_show *show,
                    char buffer[SCENE_COMMAND]);

/* Appends the code of a question, as Markdown; choices have letters. Appends nothing if the
 * question is not about code. */
void scene_append_code(const struct question *question, struct text *markdown);

/* The source of values for a beat's texts. */
struct scene {
    const struct lesson *lesson;
    struct trace *const *traces; /* one for each of lesson->runs; NULL gives no values */
    const struct lesson_show *show;
};

/* A prose_lookup() (teach/prose.h); `context` is a struct scene. Fails (ERROR_USAGE) with the
 * placeholder, and the reason why it has no value there: an undefined value is not shown;
 * ERROR_MISSING if there is no recording of the run. */
int scene_lookup(void *context, const char *placeholder, struct text *value, struct error *err);

/* A parsed placeholder: "out 0 @ part:1" has word "out", argument "0", and step 1 of run "part"
 * in `show`. Fails (ERROR_USAGE) if it is not a placeholder, or names no run. */
struct placeholder {
    char word[24], argument[24];
    struct lesson_show show;
};
int scene_placeholder(const struct scene *scene, const char *text, struct placeholder *parts,
                      struct error *err);

/* The set of lanes that a placeholder names ("readers 5", "lanes own"), QUESTION_NONE if none. */
enum question_kind scene_set_kind(const struct placeholder *parts);

#endif
