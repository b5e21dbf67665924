/*
 * lines.h - finds the source line of each instruction of an asm statement, which clang does not
 * report: its strings are read from the source for this purpose only.
 */
#ifndef CUDACPU_PTX_LINES_H
#define CUDACPU_PTX_LINES_H

#include "base/text.h"

#include <stddef.h>

/* line[n] is the line of the text after the nth of the statement's marks (ptx_mark_count()). */
struct ptx_lines {
    unsigned *line;
    size_t count; /* one more than there are marks; 0 if the source has no statement there */
};

/* For the statement whose word asm is at that line and column of a file, counted from 1. To be
 * released. */
void ptx_lines_read(struct ptx_lines *lines, const struct text *source, unsigned line,
                    unsigned column);
void ptx_lines_release(struct ptx_lines *lines);

/* The number of characters in that text that separate parts of instructions. */
size_t ptx_mark_count(const char *from, const char *end);

/* Turns comments of PTX into blanks. PTX_LINE_END is kept. */
void ptx_strip_comments(struct text *to, const struct text *code);

/* Replaces the end of a source line that is not an instruction's. */
#define PTX_LINE_END '\001'

#endif
