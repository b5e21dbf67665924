/* post.h - the code blocks of a text in Markdown, each with its kind and the command for it. */
#ifndef SHFLVIZ_LAUNCH_POST_H
#define SHFLVIZ_LAUNCH_POST_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum block_kind {
    BLOCK_PROGRAM,     /* with main() */
    BLOCK_KERNEL,      /* kernels or __device__ functions without it */
    BLOCK_DECLARATION, /* the declaration of a warp function */
    BLOCK_CALL,        /* a call of one */
    BLOCK_COMMANDS,    /* shell commands: nvcc, nsys, ... */
    BLOCK_OUTPUT,      /* output of the program before it */
    BLOCK_PART,        /* part of a kernel: statements */
    BLOCK_OTHER
};

struct block {
    enum block_kind kind;
    unsigned long line; /* line of its text, from 1 */
    struct text text;   /* without the fences */
    char *title;        /* a kernel's name, the line of a call */
    struct text answer; /* for commands and parts: the shflviz commands with the same effect, or
                           the kernels that contain it, one per line; empty if none is known */
    size_t output; /* for a program: the first of the following blocks that are its output; 0 for
                      none, since the first block is never output */
};

struct post {
    struct block *blocks;
    size_t count;
};

/* A longer text was not written by hand. */
#define POST_MOST ((size_t)1 << 20)

/* Fails (ERROR_USAGE) if it has no block. The caller releases it in either case. */
int post_read(struct post *post, const char *text, struct error *err);

/* A text without fences as one block. False if it is for the compiler: a program, kernels, or code
 * that is not known to be a part of a kernel. The caller releases it in either case. */
bool post_read_whole(struct post *post, const char *text);
void post_release(struct post *post);

/* The first is true if a text has Markdown fences, the second if a file's name is that of a text
 * (.md, .markdown, .txt). */
bool post_has_fences(const char *text);
bool post_is_file(const char *name);

/* The program or kernel that printed an output, with its call replaced by one found between the
 * two, if any. Returns its index, or -1 if there is none. */
long post_printer(const struct post *post, size_t output, struct text *program);

/* The word for a kind, "program", in the language in use. */
const char *post_kind_name(enum block_kind kind);

/* Compares printed text with the lines of an output, in any order, since threads print
 * in arbitrary order; lines of dots mark omitted lines. `missing` gets the first missing line and
 * `line` its number in the block, from 0; returns the number of matching lines. */
size_t post_compare(const struct block *output, const char *printed, struct text *missing,
                    unsigned long *line);

#endif
