/*
 * compile_cuda.c - compiles CUDA C++ for the CPU warp: clang reads a file once for each side, and
 * cudacpu-instrument turns the device's side into an object. The host's side has a thread of its
 * own.
 */
#include "base/file.h"
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/escapes.h"
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/compile/submission.h"
#include "cudacpu/ptx/ptx.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Inserts a call before each access, for access.c, and separate calls for volatile ones. */
#define HOST_ACCESSES "-Xclang -fsanitize=thread -mllvm -tsan-distinguish-volatile=1"
/* Fills local variables that the program does not set. */
#define FILL_UNSET "-ftrivial-auto-var-init=pattern"

/* ---- words ---- */

/* clang's CUDA mode without a toolkit: the headers are ours. It is given the version of the
 * toolkit that they replace (11.5: launches have worked this way since 9.2), and accepts C's
 * variadic functions, which our headers use, in kernels, too. Two of clang's errors are warnings in
 * nvcc: a "static const float" member with a value, and "return;" where a value is expected. */
#define CUDA_WORDS                                                                                 \
    "-x cuda --cuda-gpu-arch=sm_80 --cuda-path=/nonexistent -nocudainc -nocudalib "                \
    "-Xclang -target-sdk-version=11.5 -Xclang -fcuda-allow-variadic-functions "                    \
    "-fgpu-defer-diag -ffp-contract=off -DCUDACPU_CLANG "                                          \
    "-Wno-error=static-float-init -Wno-error=return-type"

/* Debian has clang's library for OpenMP in a package of its own: without it the host's loops run on
 * one thread. */
bool builder_openmp_library(const struct builder *b, struct text *path) {
    char *folder = builder_folder_of(b->parts.clang.data);
    text_clear(path);
    text_append_format(path, "%s../lib/libomp.so", folder);
    free(folder);
    return access(path->data, R_OK) == 0;
}

void builder_cuda_words(const struct builder *b, struct child_words *words,
                        const struct user_source *source) {
    child_words_add(words, b->parts.clang.data, NULL);
    builder_language_words(b, words, source);
    child_words_split(words, CUDA_WORDS);
    struct text openmp = TEXT_INIT;
    if (builder_is_parallel(source) && builder_openmp_library(b, &openmp))
        child_words_add(words, "-fopenmp", NULL);
    text_release(&openmp);
}

/* clang 20 and later would register the kernels through its own linker instead of calling
 * host_side.c. */
#define OLD_DRIVER "--no-offload-new-driver" /* which clang 14 does not know */

void builder_host_words(const struct builder *b, struct child_words *words) {
    child_words_add(words, "--cuda-host-only", NULL);
    if (b->parts.llvm_major > 14)
        child_words_add(words, OLD_DRIVER, NULL);
    if (builder_is_for_one_thread(b)) /* the host's accesses are recorded, too (access.c) */
        child_words_split(words, HOST_ACCESSES);
}

/* clang 17 and 18 have no __float128 on a GPU's side, and refuse the declarations of glibc and
 * libstdc++ 14: the macros say that there is none. glibc's declarations are in a header that needs
 * nothing else from the compiler. */
#define NO_FLOAT128                                                                                \
    "-U__SIZEOF_FLOAT128__ -U__FLOAT128__ -D_BITS_FLOATN_H -D__HAVE_FLOAT128=0 "                   \
    "-D__HAVE_DISTINCT_FLOAT128=0 -D__HAVE_FLOAT64X=1 -D__HAVE_FLOAT64X_LONG_DOUBLE=1 "            \
    "-include bits/floatn-common.h"
#if defined __x86_64__ && defined __GLIBC__
#define HOST_HAS_FLOAT128 true
#else
#define HOST_HAS_FLOAT128 false
#endif

/* clang finds no toolkit and assumes PTX 4.2, with which clang 22 refuses sm_80. */
#define PTX_OF_SM_80 "+ptx70"

void builder_device_words(const struct builder *b, struct child_words *words) {
    child_words_split(words, "--cuda-device-only -emit-llvm -Xclang -disable-llvm-passes "
                             "-Xclang -debug-info-kind=limited -Xclang -dwarf-version=4 "
                             "-Xclang -target-feature -Xclang " PTX_OF_SM_80);
    /* With a real folder, clang would strip the prefix that absolute file names share with it. */
    child_words_split(words, "-Xclang -fdebug-compilation-dir=.");
    const int version = b->parts.llvm_major;
    if (HOST_HAS_FLOAT128 && (version == 17 || version == 18))
        child_words_split(words, NO_FLOAT128);
    if (user_program_can_see_accesses()) /* the calls go to undefined.c */
        child_words_split(words, "-Xclang -fsanitize=shift-exponent "
                                 "-Xclang -fsanitize-recover=shift-exponent");
    else
        child_words_add(words, "-DCPU_SWITCH_OUTSIDE", NULL);
    if (b->program->accesses)
        child_words_split(words, "-Xclang -fsanitize=array-bounds,alignment "
                                 "-Xclang -fsanitize-recover=array-bounds,alignment");
    if (builder_is_for_one_thread(b))
        child_words_split(words, "-Xclang -fsanitize=thread");
    if (b->program->unset) /* so that check recognises an unset variable that a lane reads */
        child_words_add(words, FILL_UNSET, NULL);
}

/* A file that is compiled to an object: a source, or the functions for its inline PTX. */
struct side {
    struct builder *b;
    size_t number; /* of the source */
    const struct user_source *source;
    const char *copy, *module, *to;
    bool is_device, is_ptx;
};

/* The file, after the header and an exercise's prologue. */
static void text_words(const struct side *side, struct child_words *words) {
    struct builder *b = side->b;
    for (size_t i = 0; i < b->mended.count; i++)
        child_words_add(words, b->mended.word[i], NULL);
    builder_search_words(b, words, side->source);
    builder_begin_words(b, words, side->is_device);
    if (b->build->before && !side->is_ptx) {
        char *before = builder_before_path(b);
        child_words_add(words, "-include", NULL);
        child_words_add(words, before, NULL);
        free(before);
    }
    child_words_add(words, "-c", NULL);
    child_words_add(words, side->copy, NULL);
    child_words_add(words, "-o", NULL);
    child_words_add(words, side->to, NULL);
}

static void side_words(const struct side *side, struct child_words *words) {
    builder_cuda_words(side->b, words, side->source);
    if (side->is_device) {
        builder_device_words(side->b, words);
    } else {
        builder_host_words(side->b, words);
        child_words_split(words, "-Xclang -fcuda-include-gpubinary -Xclang");
        child_words_add(words, side->module, NULL);
    }
    text_words(side, words);
}

#define MENDING_ROUNDS 100

static int run_clang(const struct side *side) {
    struct builder *b = side->b;
    bool again = false;
    int status = 0, round = 0;
    do {
        struct child_words words = {0};
        side_words(side, &words);
        const struct child_result result = builder_start(b, &words);
        again = result.end == CHILD_EXITED && result.code != 0 && round++ < MENDING_ROUNDS &&
                escapes_repair(b, side->number);
        status = again ? 0 : builder_report(b, &words, result, side->source->name);
        child_words_release(&words);
    } while (again);
    return status;
}

/* If clang refuses the precompiled header, or crashes on it, the source of the header is read. */
static int compile_side(const struct side *side) {
    struct builder *b = side->b;
    struct error err = ERROR_INIT, *outer = b->err;
    b->err = &err;
    int status = run_clang(side);
    b->err = outer;
    if (status != 0 && b->headers && b->blames_headers && !child_is_interrupted()) {
        char *refused = b->headers;
        b->headers = NULL;
        status = run_clang(side);
        b->headers = refused;
        if (status == 0)
            header_cache_reject(refused);
    } else if (status != 0 && outer) {
        *outer = err;
    }
    return status;
}

/* ---- the device's object ---- */

/* The source files whose functions report their lines, by clang's names. */
static void shown_words(const struct builder *b, struct child_words *words) {
    for (size_t i = 0; b->build->lines && i < b->build->source_count; i++)
        if (builder_is_cuda(&b->build->sources[i])) {
            child_words_add(words, "--show", NULL);
            child_words_add(words, b->build->sources[i].name, NULL);
        }
    if (b->build->lines && b->build->origins)
        child_words_add(words, "--origins", NULL);
}

static void begin_instrument(const struct builder *b, struct child_words *words) {
    char major[16];
    child_words_add(words, b->parts.instrument.data, NULL);
    if (!b->parts.llvm.length)
        return;
    snprintf(major, sizeof major, "%d", b->parts.llvm_major);
    child_words_add(words, "--llvm", NULL);
    child_words_add(words, major, NULL);
    child_words_add(words, b->parts.llvm.data, NULL);
}

/* `ptx` is the module with functions for inline PTX, or NULL. Sets `lacks_ptx` if there is inline
 * PTX but no such module. */
static int instrument(const struct side *side, const char *ptx, const char *to, bool *lacks_ptx) {
    struct builder *b = side->b;
    struct child_words words = {0};
    begin_instrument(b, &words);
    if (b->has_parts)
        child_words_add(&words, "--part", NULL);
    else if (builder_is_for_one_thread(b))
        child_words_add(&words, "--accesses", NULL);
    if (b->build->is_submission) {
        child_words_add(&words, "--submission", NULL);
        child_words_add(&words, side->source->name, NULL);
    }
    if (b->build->no_memory)
        child_words_add(&words, "--no-memory", NULL);
    if (!b->has_parts)
        shown_words(b, &words);
    if (ptx) {
        child_words_add(&words, "--ptx", NULL);
        child_words_add(&words, ptx, NULL);
    }
    child_words_add(&words, to, NULL);
    child_words_add(&words, file_base_name(side->module), NULL);
    child_words_add(&words, side->to, NULL);
    const struct child_result result = builder_start(b, &words);
    *lacks_ptx = result.end == CHILD_EXITED && result.code == INSTRUMENT_PTX;
    const int status = *lacks_ptx ? 0 : builder_report(b, &words, result, side->source->name);
    child_words_release(&words);
    return status;
}

/* The content of a file named as __FILE__ names it. */
static bool read_source(void *context, const char *file, struct text *text) {
    const struct builder *b = context;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (strcmp(b->build->sources[i].name, file) == 0) {
            text_append(text, b->build->sources[i].text->data);
            return true;
        }
    return file_read(file, SIZE_MAX, text, NULL) == FILE_READ;
}

/* Writes the functions for the inline PTX that cudacpu-instrument has listed, in C++. */
static int write_ptx(struct builder *b, size_t number, const char *path) {
    struct text list = TEXT_INIT, code = TEXT_INIT;
    char *from = builder_path(b, number, ".device.o.ptx");
    int status = file_read(from, SIZE_MAX, &list, b->err) == FILE_READ ? 0 : -1;
    if (status == 0)
        status = ptx_write(&code, &list, read_source, b, b->err);
    if (status == 0)
        status = private_file_write(path, "", &code, b->err);
    text_release(&list);
    text_release(&code);
    free(from);
    return status;
}

static int make_object(const struct side *device, const char *to) {
    bool lacks_ptx = false;
    int status = instrument(device, NULL, to, &lacks_ptx);
    if (status != 0 || !lacks_ptx)
        return status;
    char *source = builder_path(device->b, device->number, ".ptx.cu");
    char *code = builder_path(device->b, device->number, ".ptx.bc");
    struct side ptx = *device;
    ptx.copy = source;
    ptx.to = code;
    ptx.is_ptx = true;
    status = write_ptx(device->b, device->number, source);
    if (status == 0)
        status = compile_side(&ptx);
    if (status == 0)
        status = instrument(device, code, to, &lacks_ptx);
    free(source);
    free(code);
    return status;
}

/* ---- both sides at once ---- */

/* The host side's build, with its output and errors. */
struct host {
    struct side side;
    struct builder builder;
    struct error err;
    int status;
};

static void *compile_host(void *context) {
    struct host *host = context;
    host->status = compile_side(&host->side);
    return NULL;
}

static int compile_both(struct builder *b, const struct side *device, const char *device_object,
                        const char *host_copy, const char *object) {
    struct host host = {.builder = *b, .err = ERROR_INIT};
    pthread_t thread;
    host.builder.output = (struct text)TEXT_INIT;
    host.builder.err = &host.err;
    host.side = *device;
    host.side.b = &host.builder;
    host.side.to = object;
    if (b->build->is_submission)
        host.side.copy = host_copy;
    host.side.is_device = false;
    host.builder.is_host = true;
    const bool beside = pthread_create(&thread, NULL, compile_host, &host) == 0;
    int status = compile_side(device);
    if (status == 0)
        status = make_object(device, device_object);
    if (beside)
        pthread_join(thread, NULL);
    else if (status == 0)
        compile_host(&host);
    if (status == 0 && host.status != 0) {
        status = host.status;
        if (b->err)
            *b->err = host.err;
    }
    child_words_release(&host.builder.mended);
    child_words_release(&b->mended);
    text_release(&host.builder.output);
    return status;
}

/* Writes the source that the host side is compiled from in place of the submission. */
static int write_host_copy(struct builder *b, const char *path) {
    struct text text = TEXT_INIT;
    const struct user_source *source = &b->build->sources[0];
    int status = submission_check(source->name, source->text->data, b->err);
    if (status == 0) {
        submission_append_host(&text, b->build->before->text->data);
        status = private_file_write(path, "", &text, b->err);
    }
    text_release(&text);
    return status;
}

/* The host's object is named after the file's number, like those of files that are not CUDA. */
int builder_build_cuda(struct builder *b, size_t number, const char *copy, const char *object) {
    char *module = builder_path(b, number, ".module"), *code = builder_path(b, number, ".bc");
    char *device_object = builder_path(b, number, ".device.o");
    char *host_copy = builder_path(b, number, ".host.cu");
    const struct side device = {.b = b,
                                .number = number,
                                .source = &b->build->sources[number],
                                .copy = copy,
                                .module = module,
                                .to = code,
                                .is_device = true};
    struct text name = TEXT_INIT;
    text_append(&name, file_base_name(module));
    text_append_bytes(&name, "", 1); /* clang from 15 on takes the file as bytes, not as a string */
    int status = private_file_write(module, "", &name, b->err);
    if (status == 0 && b->build->is_submission)
        status = write_host_copy(b, host_copy);
    builder_find_headers(b, device.source);
    if (status == 0)
        status = compile_both(b, &device, device_object, host_copy, object);
    text_release(&name);
    free(b->headers);
    b->headers = NULL;
    free(module);
    free(code);
    free(device_object);
    free(host_copy);
    return status;
}

int builder_link_device(struct builder *b) {
    struct child_words words = {0};
    char *object = builder_device_path(b);
    begin_instrument(b, &words);
    if (builder_is_for_one_thread(b))
        child_words_add(&words, "--accesses", NULL);
    shown_words(b, &words);
    child_words_add(&words, "--link", NULL);
    child_words_add(&words, object, NULL);
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *module = builder_path(b, i, ".module"), *part = builder_path(b, i, ".device.o");
        if (builder_is_cuda(&b->build->sources[i])) {
            child_words_add(&words, file_base_name(module), NULL);
            child_words_add(&words, part, NULL);
        }
        free(module);
        free(part);
    }
    const int status = builder_run(b, &words, b->build->sources[0].name);
    child_words_release(&words);
    free(object);
    return status;
}

/* A program with one CUDA file needs no device link: its object is that file's. */
char *builder_device_path(const struct builder *b) {
    size_t last = 0;
    for (size_t i = 0; i < b->build->source_count; i++)
        last = builder_is_cuda(&b->build->sources[i]) ? i : last;
    return b->has_parts ? private_folder_path(&b->program->folder, "device.o")
                        : builder_path(b, last, ".device.o");
}
