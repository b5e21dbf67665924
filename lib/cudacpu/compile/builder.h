/*
 * builder.h - the inside of compile.c, for the files beside it and nobody else: a
 * program being built.
 */
#ifndef SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H
#define SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H

#include "cudacpu/compile/parts.h"
#include "cudacpu/frontend/lockstep/in_step.h"
#include "cudacpu/process/user_program.h"

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
    bool ptx, needs_ptx; /* it is built with ptx/functions.h; it has to be */
    bool has_tables;     /* the source being built, or the last one, has builder_append_tables() */
    bool is_clang;
    char *headers;      /* folder of the header that is compiled already; NULL: none */
    bool lacks_headers; /* some source was built without */
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

/* -I for our folders of headers, from PARTS_... `first` on. */
void builder_header_words(const struct builder *b, struct child_words *words, int first);
/* Folders of headers and macros: -I, -D. */
void builder_search_words(const struct builder *b, struct child_words *words,
                          const struct own_source *source);
/* Runs the words; `file` is what complaints name. */
int builder_run(struct builder *b, struct child_words *words, const char *file);

/* The compiler, by the environment's CXX or CC. */
void builder_compiler_words(struct child_words *words, bool is_c);
/* Which compiler it is: b->is_clang. */
int builder_ask_compiler(struct builder *b);
/* Options that preprocessing and compiling have in common. */
void builder_language_words(const struct builder *b, struct child_words *words,
                            const struct own_source *source);
/* The folder of a file, with a slash, to be freed; "./" if it names none. */
char *builder_folder_of(const char *path);

/* ---- own_headers.c ---- */

/* What each .cu file begins with. */
#define OWN_HEADER  "shflviz/record.cuh"
#define OWN_DEFINES "-DSHFLVIZ_OWN_PROGRAM"

/* Sets b->headers for this source; they are freed and NULL when they are dropped. */
void builder_find_headers(struct builder *b, const struct own_source *source);
void builder_drop_headers(struct builder *b);
/* Has them made for the next program, where there is a .cu file. */
void builder_make_headers(const struct builder *b);
/* Adds what preprocessing and compiling need to use b->headers, if there are any. `other`: this
 * source is compiled with options that the header was not compiled with. */
void builder_preprocess_words(const struct builder *b, struct child_words *words);
void builder_compile_words(const struct builder *b, struct child_words *words, bool other);
/* Takes out of the preprocessed file what the compiled header stands for. Where that is not the
 * same text, drops the headers. */
int builder_cut_headers(struct builder *b, const char *path);

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
