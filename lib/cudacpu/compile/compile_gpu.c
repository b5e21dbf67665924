/*
 * compile_gpu.c - builds a user program with nvcc for the GPU of this machine.
 *
 * The sources are compiled unchanged, with the recorder included before them. The recorder's calls
 * to CUDA (gpu/launches.cc) are compiled with the same toolkit, and intercept the launches
 * (--wrap).
 */
#include "base/message.h"
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/search_path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions that launches.cc intercepts. */
static const char *const wrapped[] = {"cudaLaunchKernel",       "cudaLaunchCooperativeKernel",
                                      "cudaLaunchKernelExC",    "cudaDeviceReset",
                                      "__cudaRegisterFunction", "__cudaGetKernel",
                                      "__cudaLaunchKernel",     "__cudaLaunchKernel_ptsz"};

/* $NVCC, the nvcc of PATH, or one where toolkits are usually installed. */
static void compiler_words(struct child_words *words) {
    const char *named = getenv("NVCC");
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    struct text path = TEXT_INIT;
    if (named && *named)
        child_words_split(words, named);
    if (words->count == 0 && search_path_find(&path, "nvcc"))
        child_words_add(words, "nvcc", NULL);
    for (size_t i = 0; i < 3 && words->count == 0; i++) {
        const char *folder = i < 2 ? getenv(variables[i]) : "/usr/local/cuda";
        text_clear(&path);
        text_append_format(&path, "%s/bin/nvcc", folder ? folder : "");
        if (folder && access(path.data, X_OK) == 0)
            child_words_add(words, path.data, NULL);
    }
    if (words->count == 0)
        child_words_add(words, "nvcc", NULL); /* running it reports that it is missing */
    text_release(&path);
}

/* Options for every call. The recorder needs 7.0 for __match_any_sync; without a GPU to ask, as in
 * a test, a generation that every current toolkit supports is used. */
static void common_words(const struct builder *b, struct child_words *words) {
    child_words_split(words, "-w -O2 --expt-relaxed-constexpr --extended-lambda");
    child_words_split(words, access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0
                                 ? "-arch=native"
                                 : "-arch=sm_80");
    if (b->build->source_count > 1) /* kernels may call functions of other files */
        child_words_split(words, "-rdc=true");
}

static void language_words(const struct builder *b, struct child_words *words) {
    child_words_add(words, "-std=", b->build->standard ? b->build->standard : "c++17");
}

/* The folder of lib/trace's record.h: beside the headers once they are installed. */
static void record_words(const struct builder *b, struct child_words *words) {
    if (b->parts.source.length == 0)
        return;
    struct text option = TEXT_INIT;
    text_append_format(&option, "-I%s/lib", b->parts.source.data);
    child_words_add(words, option.data, NULL);
    text_release(&option);
}

static void output_words(struct child_words *words, const char *from, const char *to) {
    child_words_add(words, "-c", NULL);
    child_words_add(words, from, NULL);
    child_words_add(words, "-o", NULL);
    child_words_add(words, to, NULL);
}

/* The position of the name after a quotation mark in its line; NULL if there is none. */
static const char *quoted(const char *text, const char *name) {
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *begin = at;
        while (begin > text && begin[-1] != '\n')
            begin--;
        if (memchr(begin, '"', (size_t)(at - begin)))
            return at;
    }
    return NULL;
}

/* nvcc compiles inline PTX unchanged, so the recorder cannot intercept its instructions: reports
 * the first warp operation among them. */
static void report_ptx(struct builder *b, const struct user_source *source) {
    static const char *const instructions[] = {"shfl.sync",      "vote.sync",  "match.any.sync",
                                               "match.all.sync", "redux.sync", "bar.warp.sync"};
    const char *text = source->text->data, *first = NULL, *name = "";
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        const char *at = quoted(text, instructions[i]);
        if (!at || (first && at > first))
            continue;
        first = at;
        name = instructions[i];
    }
    if (!first || !strstr(text, "asm"))
        return;
    unsigned line = 1;
    for (const char *at = text; at < first; at++)
        line += *at == '\n';
    text_append_format(
        &b->program->remarks,
        _("%s:%u: inline PTX (%s) is not recorded on a GPU; on the CPU warp it is\n"), source->name,
        line, name);
}

/* Writes a header with a macro for each line at which something is shown; record.cuh uses it. Does
 * nothing if there is no such line. */
static int shown_words(struct builder *b, struct child_words *words) {
    const struct user_shown *shown = b->build->shown;
    const size_t count = b->build->shown_count;
    if (count == 0)
        return 0;
    struct text header = TEXT_INIT;
    char *path = private_folder_path(&b->program->folder, "shown.h");
    for (size_t i = 0; i < count; i++) {
        bool is_first = true;
        for (size_t k = 0; is_first && k < i; k++)
            is_first = shown[k].line != shown[i].line;
        if (!is_first)
            continue;
        text_append_format(&header, "#define SHFLVIZ_SHOW_%u ~,", shown[i].line);
        for (size_t k = i; k < count; k++)
            if (shown[k].line == shown[i].line)
                text_append_format(&header, " SHFLVIZ_SHOWN(%s)", shown[k].expression);
        text_append_char(&header, '\n');
    }
    const int status = private_file_write(path, "", &header, b->err);
    child_words_add(words, "-include", NULL);
    child_words_add(words, path, NULL);
    text_release(&header);
    free(path);
    return status;
}

static int compile(struct builder *b, size_t number) {
    const struct user_source *source = &b->build->sources[number];
    const char *ending = strrchr(source->path, '.');
    const bool is_c = ending && strcmp(ending, ".c") == 0;
    const bool is_cuda = builder_is_cuda(source);
    struct child_words words = {0};
    char *copy = builder_path(b, number, is_cuda ? ".cu" : ".source");
    char *object = builder_path(b, number, ".o");
    int status = builder_write_copy(b, number, copy);
    compiler_words(&words);
    common_words(b, &words);
    if (!is_c)
        language_words(b, &words);
    builder_search_words(b, &words, source);
    record_words(b, &words);
    if (is_cuda && status == 0)
        status = shown_words(b, &words);
    if (is_cuda)
        child_words_split(&words, "-DSHFLVIZ_GPU_PROGRAM -include shflviz/record.cuh -x cu");
    else
        child_words_split(&words, is_c ? "-x c" : "-x c++");
    if (builder_is_parallel(source))
        child_words_split(&words, "-Xcompiler -fopenmp");
    output_words(&words, copy, object);
    if (builder_is_cuda(source))
        report_ptx(b, source);
    if (status == 0)
        status = builder_run(b, &words, source->name);
    child_words_release(&words);
    free(copy);
    free(object);
    return status;
}

static int compile_launches(struct builder *b, const char *object) {
    struct child_words words = {0};
    struct text from = TEXT_INIT;
    text_append_format(&from, "%s/shflviz/gpu/launches.cc", b->parts.include[PARTS_RECORDER].data);
    compiler_words(&words);
    child_words_split(&words, "-w -O2 -std=c++17 -x c++");
    builder_header_words(b, &words, PARTS_TRACE);
    record_words(b, &words);
    output_words(&words, from.data, object);
    int status = builder_run(b, &words, "shflviz/gpu/launches.cc");
    child_words_release(&words);
    text_release(&from);
    return status;
}

static bool includes(const char *text, const char *header) {
    for (const char *at = text; (at = strstr(at, header)); at++)
        if (at > text && (at[-1] == '<' || at[-1] == '"'))
            return true;
    return false;
}

/* The libraries of the toolkit whose headers the sources include. */
static void library_words(const struct builder *b, struct child_words *words) {
    static const struct {
        const char *header, *option;
    } libraries[] = {{"cublas", "-lcublas"},     {"cufft", "-lcufft"},
                     {"curand.h", "-lcurand"},   {"cusolver", "-lcusolver"},
                     {"cusparse", "-lcusparse"}, {"cuda.h", "-lcuda"}};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        size_t at = 0;
        while (at < b->build->source_count &&
               !includes(b->build->sources[at].text->data, libraries[i].header))
            at++;
        if (at < b->build->source_count)
            child_words_add(words, libraries[i].option, NULL);
    }
}

static int link_program(struct builder *b, const char *launches) {
    struct child_words words = {0};
    bool parallel = false;
    compiler_words(&words);
    common_words(b, &words);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, b->program->path, NULL);
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *object = builder_path(b, i, ".o");
        child_words_add(&words, object, NULL);
        parallel = parallel || builder_is_parallel(&b->build->sources[i]);
        free(object);
    }
    child_words_add(&words, launches, NULL);
    for (size_t i = 0; i < sizeof wrapped / sizeof wrapped[0]; i++) {
        child_words_add(&words, "-Xlinker", NULL);
        child_words_add(&words, "--wrap=", wrapped[i]);
    }
    child_words_add(&words, b->parts.library_gpu.data, NULL);
    if (parallel)
        child_words_split(&words, "-Xcompiler -fopenmp");
    for (const char *flag = SHFLVIZ_PARTS_FLAGS; *flag;) { /* set by a build with sanitizers */
        size_t length = strcspn(flag, " ");
        struct text word = TEXT_INIT;
        text_append_bytes(&word, flag, length);
        if (length) {
            child_words_add(&words, "-Xcompiler", NULL);
            child_words_add(&words, word.data, NULL);
        }
        text_release(&word);
        flag += length + (flag[length] == ' ');
    }
    library_words(b, &words);
    child_words_split(&words, SHFLVIZ_PARTS_LINKED_GPU " -lm -lpthread");
    int status = builder_run(b, &words, b->build->sources[0].name);
    child_words_release(&words);
    return status;
}

int builder_build_gpu(struct builder *b) {
    char *launches = private_folder_path(&b->program->folder, "launches.o");
    int status = 0;
    for (size_t i = 0; status == 0 && i < b->build->source_count; i++)
        status = compile(b, i);
    if (status == 0)
        status = compile_launches(b, launches);
    if (status == 0)
        status = link_program(b, launches);
    free(launches);
    return status;
}
