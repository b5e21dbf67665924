/*
 * lines.h - in which line of a source file each instruction of an asm statement stands, which clang
 * does not say: its strings are read for that and for nothing else.
 */
#ifndef CUDACPU_PTX_LINES_H
#define CUDACPU_PTX_LINES_H

#include "base/text.h"

#include <stddef.h>

/* line[n] is that of what follows the nth of the statement's marks (ptx_mark_count()). */
struct ptx_lines {
    unsigned *line;
    size_t count; /* one more than there are marks; 0: the text has no statement there */
};

/* Of the statement whose word asm is at that line and column of a file, which count from 1. To be
 * released. */
void ptx_lines_read(struct ptx_lines *lines, const struct text *source, unsigned line,
                    unsigned column);
void ptx_lines_release(struct ptx_lines *lines);

/* How many characters that set off parts of instructions are in that text. */
size_t ptx_mark_count(const char *from, const char *end);

/* Comments of PTX become blanks. PTX_LINE_END stays where it is. */
void ptx_take_comments_away(struct text *to, const struct text *code);

/* Stands in what is read of a source for the end of a line that is none of the instructions'. */
#define PTX_LINE_END '\001'

#endif
