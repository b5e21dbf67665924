/*
 * post.h - the code blocks of a text in Markdown, each with what it is and the command for it.
 */
#ifndef SHFLVIZ_LAUNCH_POST_H
#define SHFLVIZ_LAUNCH_POST_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum block_kind {
    BLOCK_PROGRAM,     /* with main() */
    BLOCK_KERNEL,      /* kernels or __device__ functions without it */
    BLOCK_DECLARATION, /* of a warp function */
    BLOCK_CALL,        /* of one */
    BLOCK_COMMANDS,    /* for a shell: nvcc, nsys, ... */
    BLOCK_OUTPUT,      /* of the program before it */
    BLOCK_PART,        /* of a kernel: statements */
    BLOCK_OTHER
};

struct block {
    enum block_kind kind;
    unsigned long line; /* of its text, from 1 */
    struct text text;   /* without the fences */
    char *title;        /* a kernel's name, the line of a call */
    struct text answer; /* of commands and parts: what does the same here, or has it in it, one
                           command a line; empty if nothing is known */
    size_t output;      /* of a program: the first of the blocks that follow it and are what it
                           prints; 0: none, since no output comes first */
};

struct post {
    struct block *blocks;
    size_t count;
};

/* A text of more is none that a person wrote. */
#define POST_MOST ((size_t)1 << 20)

/* Fails (ERROR_USAGE) if there is no block in it. To be released either way. */
int post_read(struct post *post, const char *text, struct error *err);

/* A text without fences as one block. Returns false if it is for the compiler: a program, kernels,
 * or code that is not known to be a part of a kernel. To be released either way. */
bool post_read_whole(struct post *post, const char *text);
void post_release(struct post *post);

/* Whether a text has fences of Markdown; whether a file's name says so (.md, .markdown, .txt). */
bool post_is(const char *text);
bool post_is_file(const char *name);

/* The program or kernel that printed an output, with the call that stands between the two in the
 * place of its own; its index, or -1 if there is none. */
long post_printer(const struct post *post, size_t output, struct text *program);

/* "program", in the language in use. */
const char *post_kind_name(enum block_kind kind);

/* Whether what was printed has the lines of an output, in any order, since that of threads says
 * nothing; lines of dots stand for lines that were left out. `missing` gets the first that is not
 * there and `line` its number in the block, from 0; how many agree is returned. */
size_t post_compare(const struct block *output, const char *printed, struct text *missing,
                    unsigned long *line);

#endif
