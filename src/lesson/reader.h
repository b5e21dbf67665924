/*
 * reader.h - reads a lesson's or an exercise's file line by line. For src/lesson and src/exercise
 * only.
 */
#ifndef SHFLVIZ_LESSON_READER_H
#define SHFLVIZ_LESSON_READER_H

#include "base/error.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>

struct reader {
    const char *path; /* for messages */
    const char *next; /* the unread rest */
    const char *last; /* start of the current line */
    char *cleaned;    /* the text without its control characters, if it had any */
    int line;         /* number of the current line, from 1 */
    struct text text; /* the current line, without its end and trailing blanks */
    struct error *err;
    lesson_complain_fn *complain; /* gets each error, and reading continues; NULL: it stops */
    void *context;
    size_t faults; /* errors passed to it */
};

/* Fails on bytes that are not text: a lesson may come from anywhere and goes to a terminal.
 * `complain` may be NULL. */
int reader_open(struct reader *reader, const struct lesson_source *source,
                lesson_complain_fn *complain, void *context, struct error *err);
bool reader_next(struct reader *reader); /* false at the end */
void reader_back(struct reader *reader); /* the current line is read again, only once */
void reader_close(struct reader *reader);

/* "FILE:LINE: ..." about the current line, or another; returns -1. */
#define reader_fail(reader, ...) reader_fail_at(reader, (reader)->line, __VA_ARGS__)
int reader_fail_at(struct reader *reader, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After a failure: true if reading may continue, because all errors are wanted. */
bool reader_may_continue(struct reader *reader);

/* "# ", "## ", ...: the level; 0 if the line is not a heading ("#pragma" is not). */
size_t reader_heading(const char *line);
/* True at a heading, which ends a block that lacks its end; the heading will be read again. */
bool reader_is_past_block(struct reader *reader);

/* The given text, shortened for a message; one buffer for each use in a message. */
#define READER_QUOTE 64
const char *reader_quote(const char *given, char buffer[READER_QUOTE]);

/* "\ndid you mean 'phase'?", or "" if no name is close. `names` ends with NULL. */
const char *reader_suggest(const char *given, const char *const *names, char buffer[READER_QUOTE]);

/* Splits "key: value" in place; the value has no blanks around it. False without a colon. */
bool reader_key(char *line, char **key, char **value);

/* The next word of `*rest`; blanks and commas separate words. It is terminated in place; NULL
 * after the last. */
char *reader_word(char **rest);
char *reader_trim(char *text); /* cuts blanks off both ends, in place */

bool reader_is_name(const char *text); /* letters, digits and '-', at least one */

/* Reads a number in decimal digits, at most `most`. */
bool reader_number(const char *text, uint64_t most, uint64_t *number);

/* "0-3,8", "all" or "none". */
bool reader_lanes(const char *text, uint32_t *lanes);

/* ---- the parts of a file ---- */

/* The header between the two "---"; of the base (language 0) or a translation. */
int header_read(struct reader *reader, struct lesson *lesson, size_t language);

/* The initial content of a beat before its ```show is read: that of the beat before (NULL for the
 * first). */
void show_begin(struct lesson_show *show, const struct lesson_show *before);
/* The lines of a ```show up to its end. For a line that fails, show->unread names the key. */
int show_read(struct reader *reader, const struct lesson *lesson, struct lesson_show *show);

int beats_read(struct reader *reader, struct lesson *lesson, size_t language);

/* Keeps a sentence for lesson_complaints(). */
void lesson_complain(struct lesson *lesson, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
