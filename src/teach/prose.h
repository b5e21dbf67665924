/*
 * prose.h - a lesson's text as lines to show: a small subset of Markdown, with placeholders filled
 * in from the recording.
 *
 * Placeholders, which scene_lookup() (teach/scene.h) looks up:
 *  - of a lane L: {{in L}} {{out L}} {{source L}} {{arg L}} {{group L}} {{status L}}
 *  - sets of lanes: {{lanes own}} {{lanes undefined}} {{lanes absent}} {{lanes changed}}
 *    {{readers L}}
 *  - others: {{members}} {{width}} {{device}} {{kernel}} {{steps}}
 *
 * "{{out 0 @ 5}}" takes step 5 of the same warp (counted from 1, or "last") instead of the step
 * shown, "{{out 0 @ part:1}}" a step of another run.
 *
 * Lines of a paragraph are joined by a blank, except between Chinese characters and beside
 * full-width punctuation. Lines between two lines "```" are code and stay as they are. A backslash
 * makes a *, `, { or \ after it an ordinary character.
 */
#ifndef SHFLVIZ_TEACH_PROSE_H
#define SHFLVIZ_TEACH_PROSE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum span_kind { SPAN_PLAIN, SPAN_STRONG, SPAN_CODE, SPAN_VALUE /* came from the recording */ };

struct span {
    enum span_kind kind;
    char *text; /* UTF-8 without line ends */
};

/* A paragraph or a list item: one line of a presentation. */
struct paragraph {
    struct span *spans;
    size_t span_count;
    bool item; /* begins with a bullet */
    bool code; /* a line of code, as written; such lines are contiguous */
};

struct prose {
    struct paragraph *paragraphs;
    size_t count;
};

/* Gives the value of a placeholder: appends it to `value` and returns 0, or -1 with err. */
typedef int prose_lookup(void *context, const char *placeholder, struct text *value,
                         struct error *err);

/* Turns Markdown into paragraphs. A placeholder that cannot be looked up stays as written; the
 * result is then -1, with err set for the first, but the prose can be used. NULL text is empty. */
int prose_make(struct prose *prose, const char *markdown, prose_lookup *lookup, void *context,
               struct error *err);
void prose_release(struct prose *prose);

/* True if it has lines of code. */
bool prose_has_code(const struct prose *prose);

/* The first placeholder in `text`: its start; the text between its braces in `name`, the position
 * after it in `after`. NULL if there is none. */
const char *prose_placeholder(const char *text, struct text *name, const char **after);

#endif
