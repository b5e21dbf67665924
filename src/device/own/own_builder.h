/*
 * own_builder.h - the inside of own_build.c, for own_link.c, own_build_gpu.c and nobody else: a
 * program being built.
 */
#ifndef SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H
#define SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H

#include "device/own/in_step.h"
#include "device/own/own_program.h"
#include "device/own/parts.h"

struct builder {
    struct own_program *program;
    const struct own_build *build;
    struct parts parts;
    struct child_words environment;
    char **readable;
    struct text output;
    size_t sections;
    bool has_dynamic; /* some source has an `extern __shared__` array */
    bool lockstep;    /* the file's text says `volatile`, or leans on lanes in step */
    bool in_step;     /* some source has kernels that lean on it */
    struct in_step_names kernels[IN_STEP_MEMORIES];
    bool aligned;        /* the alignment of accesses is checked (aligned.h), if there are such */
    bool ptx, needs_ptx; /* it is built with ptx_functions.h; it has to be */
    bool has_tables;     /* the source being built, or the last one, has builder_append_tables() */
    bool is_clang;
    char *headers; /* folder of the header that is compiled already; NULL: none */
    struct error *err;
};

/* Whether nvcc, or the preprocessor for the CPU warp, has work to do. */
bool builder_is_cuda(const struct own_source *source);
/* Whether all lanes run on one thread: those of a program that says what it accesses do. */
bool builder_is_for_one_thread(const struct builder *b);
/* Whether the text asks for OpenMP. */
bool builder_is_parallel(const struct own_source *source);

/* What is made of the source of that number, in the folder; to be freed. */
char *builder_path(const struct builder *b, size_t number, const char *ending);
/* The copy that is compiled, beginning with the name and line that the person knows. */
int builder_write_copy(struct builder *b, size_t number, const char *path);

/* Folders of headers and macros: -I, -D. */
void builder_search_words(const struct builder *b, struct child_words *words,
                          const struct own_source *source);
/* Runs the words; `file` is what complaints name. */
int builder_run(struct builder *b, struct child_words *words, const char *file);

/* The compiler, by the environment's CXX or CC. */
void builder_compiler_words(struct child_words *words, bool is_c);

/* ---- own_link.c ---- */

/* What the CPU warp wants to know of the program, as a text that is C and C++: its shared memory,
 * its kernels. All sources have been translated. */
void builder_append_tables(const struct builder *b, struct text *text);
/* The program for the CPU warp, of all objects. */
int builder_link(struct builder *b);
/* Where the linker has complained of several main(): fails (ERROR_USAGE) and says in which files;
 * else 0. */
int builder_refuse_mains(struct builder *b);

/* ---- own_build_gpu.c ---- */

/* All sources and the link, by nvcc. */
int builder_build_gpu(struct builder *b);

#endif
