/*
 * builder.h - the internals of compile.c, shared only with the files beside it: a program being
 * built.
 */
#ifndef SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H
#define SHFLVIZ_DEVICE_OWN_OWN_BUILDER_H

#include "cudacpu/compile/parts.h"
#include "cudacpu/process/user_program.h"

struct builder {
    struct user_program *program;
    const struct user_build *build;
    struct parts parts;
    struct child_words environment;
    bool has_parts; /* several files of CUDA C++, whose device sides are linked (instrument/parts.c)
                     */
    bool is_host;   /* this thread builds the host side; another one builds the device side */
    struct child_words mended; /* options for clang about a source's files (escapes.h) */
    char **readable;
    struct text output;
    char *headers;       /* folder of the precompiled header; NULL if there is none */
    bool lacks_headers;  /* a source was built without it */
    bool blames_headers; /* the last error is about the precompiled header */
    struct error *err;
};

/* builder_is_cuda() is true for a CUDA source, which nvcc compiles for a GPU and clang for the CPU
 * warp; builder_has_cuda(), if the program has at least one such source. */
bool builder_is_cuda(const struct user_source *source);
bool builder_has_cuda(const struct builder *b);
/* True if all lanes run on one thread, as in a program that reports its accesses. */
bool builder_is_for_one_thread(const struct builder *b);
/* True if the source uses OpenMP. */
bool builder_is_parallel(const struct user_source *source);

/* The path, in the folder, of the file made from the source with that number; to be freed. */
char *builder_path(const struct builder *b, size_t number, const char *ending);
/* The copy of the header that is included before each .cu file, to be freed. */
char *builder_before_path(const struct builder *b);
/* The copy that is compiled, beginning with the name and line that the user knows. */
int builder_write_copy(struct builder *b, size_t number, const char *path);

/* -I for our folders of headers, from PARTS_... `first` on. */
void builder_header_words(const struct builder *b, struct child_words *words, int first);
/* Folders of headers and macros: -I, -D. */
void builder_search_words(const struct builder *b, struct child_words *words,
                          const struct user_source *source);
/* Runs the words; their output is in b->output. */
struct child_result builder_start(struct builder *b, struct child_words *words);
/* Turns the result of a finished command into 0 or an error whose message names `file`. */
int builder_report(struct builder *b, const struct child_words *words, struct child_result result,
                   const char *file);
/* Runs the words and reports the result. */
int builder_run(struct builder *b, struct child_words *words, const char *file);

/* The compiler for files that are not CUDA C++, from the environment's CXX or CC. */
void builder_compiler_words(struct child_words *words, bool is_c);
/* Options that all compilations share. */
void builder_language_words(const struct builder *b, struct child_words *words,
                            const struct user_source *source);
/* The folder of a file, with a slash, to be freed; "./" if it names none. */
char *builder_folder_of(const char *path);

/* ---- compile_cuda.c ---- */

/* Builds the objects of a .cu file: the host's at `object`, and the device's beside it. */
int builder_build_cuda(struct builder *b, size_t number, const char *copy, const char *object);

/* Sets `path` to the file of clang's OpenMP library; true if it is installed. */
bool builder_openmp_library(const struct builder *b, struct text *path);
/* The arguments for clang in CUDA mode, and those that make it compile for the device or for the
 * host. */
void builder_cuda_words(const struct builder *b, struct child_words *words,
                        const struct user_source *source);
void builder_device_words(const struct builder *b, struct child_words *words);
void builder_host_words(const struct builder *b, struct child_words *words);

/* Links the device sides of all CUDA files into one object. The path is the caller's to free. */
int builder_link_device(struct builder *b);
char *builder_device_path(const struct builder *b);

/* ---- headers.c ---- */

/* The header that each .cu file begins with. */
#define OWN_HEADER "cudacpu/program.cuh"

/* Sets b->headers for this source, to be freed. */
void builder_find_headers(struct builder *b, const struct user_source *source);
/* The words that put the header before the source, precompiled or not. */
void builder_begin_words(const struct builder *b, struct child_words *words, bool device);
/* True if clang's last message is about the precompiled header rather than the program, or if
 * clang crashed, which the header may have caused. */
bool builder_blames_headers(const struct builder *b);
/* Has the headers precompiled for the next program, if there is a .cu file. */
void builder_make_headers(const struct builder *b);

/* ---- link.c ---- */

/* Links the program for the CPU warp, from all objects. */
int builder_link(struct builder *b);
/* If the linker has complained about several main(): fails (ERROR_USAGE) and names their files;
 * else returns 0. */
int builder_refuse_mains(struct builder *b);

/* ---- compile_gpu.c ---- */

/* Compiles all sources and links them with nvcc. */
int builder_build_gpu(struct builder *b);

#endif
