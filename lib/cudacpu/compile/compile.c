#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/frontend/compiler_words.h"
#include "cudacpu/frontend/lockstep/aligned.h"
#include "cudacpu/frontend/refused.h"
#include "cudacpu/frontend/translate.h"
#include "cudacpu/frontend/two_sides.h"
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/access_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPLAINT_READ (1 << 18) /* of a compiler: its first words are the ones that count */
#define COMPLAINT_MOST (ERROR_TEXT_SIZE - 512) /* that are shown, beside the file and an advice */
#define ABSENT         " is not on the CPU warp; docs/CUDA.md"

/* ---- the compiler ---- */

bool builder_is_cuda(const struct own_source *source) {
    return string_ends_with(source->path, ".cu");
}

bool builder_is_parallel(const struct own_source *source) {
    return strstr(source->text->data, "#pragma omp") || strstr(source->text->data, "omp.h");
}

char *builder_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    struct text folder = TEXT_INIT;
    text_append_bytes(&folder, slash ? path : "./", slash ? (size_t)(slash - path) + 1 : 2);
    return text_detach(&folder);
}

void builder_compiler_words(struct child_words *words, bool is_c) {
    const char *compiler = getenv(is_c ? "CC" : "CXX");
    child_words_split(words, compiler && *compiler ? compiler : is_c ? "cc" : "c++");
    if (words->count == 0)
        child_words_add(words, is_c ? "cc" : "c++", NULL);
}

bool own_program_sees_accesses(void) {
#ifdef __ELF__
    return strstr(SHFLVIZ_PARTS_FLAGS, "-fsanitize") == NULL;
#else
    return false;
#endif
}

/* Which compiler it is: gcc and clang say some things in two ways. One that is called clang is, and
 * takes a twentieth of a small program's time to say so. */
int builder_ask_compiler(struct builder *b) {
    struct child_words words = {0};
    builder_compiler_words(&words, false);
    b->is_clang = strncmp(file_base_name(words.word[0]), "clang", strlen("clang")) == 0;
    int status = 0;
    if (!b->is_clang) {
        child_words_add(&words, "--version", NULL);
        status = builder_run(b, &words, b->build->sources[0].name);
        b->is_clang = status == 0 && strstr(b->output.data, "clang") != NULL;
    }
    child_words_release(&words);
    return status;
}

#define FILL_UNSET "-ftrivial-auto-var-init=pattern"

/* Whether the compiler can fill local variables that the text does not set: gcc does from 12 on. */
static bool fills_unset(struct builder *b) {
    struct child_words words = {0};
    struct error err = ERROR_INIT, *outer = b->err;
    builder_compiler_words(&words, false);
    child_words_split(&words, FILL_UNSET " -fsyntax-only -x c++ /dev/null");
    b->err = &err;
    bool fills = builder_run(b, &words, b->build->sources[0].name) == 0;
    b->err = outer;
    child_words_release(&words);
    return fills;
}

void builder_language_words(const struct builder *b, struct child_words *words,
                            const struct own_source *source) {
    if (!string_ends_with(source->path, ".c"))
        child_words_add(words, "-std=", b->build->standard ? b->build->standard : "c++17");
    /* -g1: a crash has a line. -fno-reorder-blocks, -fno-thread-jumps: lanes that part go on in the
     * text's order, and meet behind (simt/lockstep.c). -fwrapv: integers of a GPU wrap. */
    child_words_split(words, "-O1 -g1 -gdwarf-4 -w -fno-reorder-blocks -fwrapv "
                             "-fno-strict-aliasing " SHFLVIZ_PARTS_FLAGS);
    if (!b->is_clang) /* whose -O1 threads no jumps, and which does not know the word */
        child_words_split(words, "-fno-thread-jumps");
    /* Calls, of whatever size, for access.c. A compiled header has to be made so, too. */
    if (b->program->accesses && !b->is_clang)
        child_words_split(words, "-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset");
}

void builder_header_words(const struct builder *b, struct child_words *words, int first) {
    for (int i = first; i < PARTS_FOLDERS; i++)
        if (b->parts.include[i].length)
            child_words_add(words, "-I", b->parts.include[i].data);
}

void builder_search_words(const struct builder *b, struct child_words *words,
                          const struct own_source *source) {
    char *folder = builder_folder_of(source->path);
    if (!b->build->gpu) { /* which nvcc does not know */
        child_words_add(words, "-iquote", NULL);
        child_words_add(words, folder, NULL);
    }
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(words, "-I", *include);
    child_words_add(words, "-I", folder);
    /* Before the folders of the system, where a toolkit's headers of the same names may lie; not as
     * folders of the system themselves, whose macros would break lines up with line markers. */
    builder_header_words(b, words, b->build->gpu ? PARTS_TRACE : PARTS_CUDA);
    for (char *const *define = b->build->define; define && *define; define++)
        child_words_add(words, "-D", *define);
    free(folder);
}

static void take_complaint(void *context, int stream, const char *bytes, size_t count) {
    struct text *output = context;
    (void)stream;
    size_t room = output->length < COMPLAINT_READ ? COMPLAINT_READ - output->length : 0;
    text_append_bytes(output, bytes, count < room ? count : room);
}

/* Whole lines, as far as they say what is wrong. */
static void trim_complaint(struct text *output) {
    if (output->length > COMPLAINT_MOST)
        for (output->length = COMPLAINT_MOST;
             output->length && output->data[output->length - 1] != '\n';)
            output->length--;
    while (output->length && output->data[output->length - 1] == '\n')
        output->length--;
    output->data[output->length] = '\0';
}

/* A header that stands for a library that is not here (forwarded.cmake) has said so: that, at the
 * line that asks for it, instead of what follows from it. */
static void keep_absence(struct text *output) {
    static const char included[] = "In file included from ", error[] = "error: ";
    char *said = strstr(output->data, ABSENT);
    if (!said)
        return;
    const char *text = NULL, *from = NULL;
    for (const char *at = output->data; (at = strstr(at, error)) && at < said; at++)
        text = at + strlen(error);
    for (const char *at = output->data; (at = strstr(at, included)) && at < said; at++)
        from = at + strlen(included);
    if (!text || !from)
        return;
    text += strncmp(text, "#error ", strlen("#error ")) == 0 ? strlen("#error ") : 0;
    text += *text == '"';
    struct text kept = TEXT_INIT;
    text_append_format(&kept, "%.*s: error: %.*s",
                       (int)strcspn(from, ",\n") - (from[strcspn(from, ",\n") - 1] == ':'), from,
                       (int)strcspn(text, "\"\n"), text);
    text_release(output);
    *output = kept;
}

/* Whether a header or a function is of a library of the toolkit, by how its name begins. */
static bool is_of_library(const char *name) {
    static const char *const begins[] = {
        "cublas",   "cub/", "cuda/", "cudnn",  "cufft", "curand", "cusolver", "cutlass",
        "cusparse", "nccl", "npp",   "nvjpeg", "nvml",  "nvrtc",  "nvTools",  "thrust/"};
    name += *name == '\'';
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* What to do about it, for complaints that leave a person at a loss; "" for all others. */
static const char *advice(const char *complaint, bool gpu) {
    static const char header_gone[] = "fatal error: ", function_gone[] = "undefined reference to `";
    if (strstr(complaint, "No space left on device"))
        return _("the disk is full; try: TMPDIR=DIR, a folder with more room");
    const char *header = strstr(complaint, header_gone);
    const char *function = strstr(complaint, function_gone);
    const char *name = header     ? header + strlen(header_gone)
                       : function ? function + strlen(function_gone)
                                  : NULL;
    if (!name)
        return "";
    if (is_of_library(name) && !gpu)
        return _(
            "the CPU warp has not all of a toolkit's libraries: docs/CUDA.md lists what it has");
    if (strncmp(name + (*name == '\''), "helper_", strlen("helper_")) == 0)
        return _("try: -I with the folder Common of NVIDIA's CUDA samples");
    if (header)
        return _("try: -I DIR, the folder of that header");
    return _("try: name all source files of the program, or its folder; one of them has main()");
}

static int report_compiler(struct builder *b, const struct child_words *words,
                           struct child_result result, const char *file) {
    switch (result.end) {
    case CHILD_EXITED:
        if (result.code == 0)
            return 0;
        break;
    case CHILD_NOT_FOUND:
        if (b->build->gpu)
            return error_set(b->err, ERROR_MISSING,
                             _("cannot run '%s', which builds for a GPU\n"
                               "try: name the nvcc of a CUDA Toolkit in NVCC, or --device cpu"),
                             words->word[0]);
        return error_set(b->err, ERROR_MISSING,
                         _("no C++ compiler: cannot run '%s'\n"
                           "try: install one (g++ or clang++), or name it in CXX"),
                         words->word[0]);
    case CHILD_INTERRUPTED:
        return error_set(b->err, ERROR_RUN, _("%s: interrupted while it was being compiled"), file);
    case CHILD_TIME:
        return error_set(b->err, ERROR_RUN, _("%s was not compiled within %u s"), file,
                         b->build->limits.seconds);
    case CHILD_UNCONFINED:
        return error_set_errno(b->err, ERROR_RUN, result.code,
                               _("%s was not compiled: cannot confine the compiler"), file);
    case CHILD_PROCESSES:
    case CHILD_OUTPUT:
    case CHILD_KILLED:
        break;
    }
    if (builder_refuse_mains(b) != 0)
        return -1;
    keep_absence(&b->output);
    const char *try = advice(b->output.data, b->build->gpu);
    compiler_words_tidy(&b->output, b->program->headers.word);
    trim_complaint(&b->output);
    return error_set(b->err, ERROR_USAGE,
                     b->build->gpu ? _("%s does not compile for a GPU:\n%s%s%s")
                                   : _("%s does not compile for the CPU warp:\n%s%s%s"),
                     file, b->output.data, *try ? "\n" : "", try);
}

int builder_run(struct builder *b, struct child_words *words, const char *file) {
    const struct confine confine = {.role = b->build->confined ? CONFINE_COMPILER : CONFINE_NOTHING,
                                    .limits = b->build->limits,
                                    .folder = b->program->folder.path,
                                    .readable = (const char *const *)b->readable};
    text_clear(&b->output);
    const struct child_command command = {.words = words->word,
                                          .environment = b->environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = take_complaint,
                                          .output_context = &b->output};
    return report_compiler(b, words, child_run(&command), file);
}

/* Folders that compiler or program may read although they are not the system's. */
static void allow_reading(struct builder *b) {
    struct child_words list = {0};
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *folder = builder_folder_of(b->build->sources[i].path);
        child_words_add(&list, folder, NULL);
        free(folder);
    }
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(&list, *include, NULL);
    for (int i = 0; i < PARTS_FOLDERS; i++) {
        if (!b->parts.include[i].length)
            continue;
        child_words_add(&list, b->parts.include[i].data, NULL);
        child_words_add(&b->program->headers, b->parts.include[i].data, NULL);
    }
    for (int i = 0; i < PARTS_LIBRARIES; i++)
        child_words_add(&list, b->parts.library[i].data, NULL);
    char *cache = header_cache_folder();
    if (cache)
        child_words_add(&list, cache, NULL);
    free(cache);
    const char *compiler = getenv("CXX"), *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (slash) { /* in a place of its own, with its parts around it */
        char *folder = builder_folder_of(compiler);
        child_words_add(&list, folder, NULL);
        if (slash - compiler >= 4 && strncmp(slash - 4, "/bin", 4) == 0)
            child_words_add(&list, folder, "..");
        free(folder);
    }
    b->readable = list.word;
}

/* ---- building ---- */

/* What is made of the source of that number, in the folder. */
char *builder_path(const struct builder *b, size_t number, const char *ending) {
    struct text name = TEXT_INIT;
    text_append_format(&name, "%zu%s", number, ending);
    char *path = own_folder_path(&b->program->folder, name.data);
    text_release(&name);
    return path;
}

/* Names as the compiler is to read them between quotation marks. */
static void append_escaped(struct text *text, const char *name) {
    for (; *name; name++)
        if (*name == '\n')
            text_append(text, "\\n");
        else {
            if (*name == '"' || *name == '\\')
                text_append_char(text, '\\');
            text_append_char(text, *name);
        }
}

/* A copy that is compiled, beginning with the name and line that the person knows. */
static int write_copy(struct builder *b, const struct own_source *source, const char *path) {
    struct text head = TEXT_INIT;
    text_append(&head, "#line 1 \"");
    append_escaped(&head, source->name);
    text_append(&head, "\"\n");
    /* The mark that some editors begin a file with counts at the very beginning only. */
    static const char mark[] = "\xef\xbb\xbf";
    struct text text = *source->text;
    if (strncmp(text.data, mark, sizeof mark - 1) == 0) {
        text.data += sizeof mark - 1;
        text.length -= sizeof mark - 1;
    }
    int status = own_file_write(path, head.data, &text, b->err);
    text_release(&head);
    return status;
}

int builder_write_copy(struct builder *b, size_t number, const char *path) {
    return write_copy(b, &b->build->sources[number], path);
}

/* The copy of what is read before each .cu file: its number is the one after the last source's. */
static char *before_path(const struct builder *b) {
    return builder_path(b, b->build->source_count, ".cu");
}

static int preprocess(struct builder *b, const struct own_source *source, const char *copy,
                      const char *to, const char *side) {
    struct child_words words = {0};
    builder_compiler_words(&words, false);
    builder_language_words(b, &words, source);
    builder_preprocess_words(b, &words);
    builder_search_words(b, &words, source);
    child_words_split(&words, side);
    child_words_split(&words, OWN_DEFINES " -include " OWN_HEADER);
    if (b->build->before) {
        char *before = before_path(b);
        child_words_add(&words, "-include", NULL);
        child_words_add(&words, before, NULL);
        free(before);
    }
    if (b->ptx)
        child_words_split(&words, "-include cudacpu/ptx/functions.h");
    if (b->program->lines)
        child_words_split(&words, "-include cudacpu/shared_name.cuh");
    child_words_split(&words, "-E -x c++");
    child_words_add(&words, copy, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, to, NULL);
    int status = builder_run(b, &words, source->name);
    child_words_release(&words);
    return status == 0 ? builder_cut_headers(b, to) : status;
}

bool builder_is_for_one_thread(const struct builder *b) {
    return b->program->accesses || b->program->lines;
}

static int translate(struct builder *b, const char *from, const char *to) {
    struct text text = TEXT_INIT;
    struct translation translation;
    const struct translate_options options = {.skipped = b->program->headers.word,
                                              .first_section = b->sections,
                                              .remarks = &b->program->remarks,
                                              .tells_shared = b->program->accesses != NULL,
                                              .one_thread = builder_is_for_one_thread(b),
                                              .names_shared = b->program->lines != NULL};
    int status = own_program_read(from, &text, b->err);
    if (status == 0)
        status = refuse_cuda(text.data, text.length, options.skipped, b->err);
    const bool in_step = status == 0 && b->build->in_step &&
                         in_step_kernels(text.data, text.length, options.skipped,
                                         b->build->source_count > 1, b->kernels);
    /* g++ sees for `check` what is misaligned, and more. */
    if (status == 0 && b->aligned && (b->is_clang || !b->program->accesses))
        b->aligned = aligned_accesses(&text, options.skipped);
    if (status == 0) {
        status = translate_cuda(&translation, text.data, text.length, &options, b->err);
        b->needs_ptx = translation.uses_ptx && !b->ptx;
        b->sections += b->needs_ptx ? 0 : translation.shared_sections;
        b->lockstep = translation.uses_volatile || in_step;
        b->in_step = b->in_step || in_step;
        b->has_dynamic = b->has_dynamic || translation.has_dynamic;
        if (status == 0 && b->has_tables) {
            text_append(&translation.text, "\n# 1 \"tables\"\nextern \"C\" {\n");
            builder_append_tables(b, &translation.text);
            text_append(&translation.text, "}\n");
        }
        if (status == 0)
            status = own_file_write(to, "", &translation.text, b->err);
        translation_release(&translation);
    }
    text_release(&text);
    return status;
}

/* Calls before each access (access.c), and line numbers to find them by. They check the access, and
 * at volatile ones lanes of a warp keep step. */
static void access_words(struct builder *b, struct child_words *words) {
    child_words_split(words, "-fsanitize=thread -g1");
    if (b->program->accesses) /* undefined.c; what clang's `bounds` has beside ends the program */
        child_words_split(words, b->is_clang ? "-fsanitize=array-bounds,alignment"
                                             : "-fsanitize=bounds,alignment");
    if (b->program->unset) /* so that check knows one where a lane reads it */
        child_words_add(words, FILL_UNSET, NULL);
    /* A float4 is accessed at once, not by its members. clang always takes it apart. */
    if (b->program->lines && !b->is_clang)
        child_words_split(words, "-fno-tree-sra");
    /* clang leaves out a read of what is written next, also if nobody has written that. */
    child_words_split(words, b->is_clang ? "-mllvm -tsan-distinguish-volatile=1 "
                                           "-mllvm -tsan-instrument-read-before-write=1"
                                         : "--param tsan-distinguish-volatile=1");
}

static int compile(struct builder *b, const struct own_source *source, const char *from,
                   const char *to) {
    struct child_words words = {0};
    bool is_c = string_ends_with(source->path, ".c");
    const bool hooked =
        b->program->accesses || b->program->lines || (b->lockstep && own_program_sees_accesses());
    builder_compiler_words(&words, is_c);
    builder_language_words(b, &words, source);
    if (hooked)
        access_words(b, &words);
    if (builder_is_cuda(source) && own_program_sees_accesses()) /* undefined.c hears of it */
        child_words_split(&words, "-fsanitize=shift-exponent");
    if (builder_is_cuda(source)) {
        builder_compile_words(b, &words, hooked || builder_is_parallel(source));
        child_words_split(&words, "-x c++-cpp-output");
    } else {
        builder_search_words(b, &words, source);
        child_words_split(&words, is_c ? "-x c" : "-x c++");
    }
    if (builder_is_parallel(source))
        child_words_add(&words, "-fopenmp", NULL);
    child_words_add(&words, "-c", NULL);
    child_words_add(&words, from, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, to, NULL);
    int status = builder_run(b, &words, source->name);
    child_words_release(&words);
    return status;
}

/* Gives the host its own bodies of functions that have one for each side. `text` is preprocessed
 * for the device; *is_joined says whether `joined` has been written, to be built in its place. */
static int join_sides(struct builder *b, const struct own_source *source, const char *copy,
                      const char *text, const char *joined, bool *is_joined) {
    struct text device = TEXT_INIT, host = TEXT_INIT, both = TEXT_INIT, place = TEXT_INIT;
    *is_joined = false;
    int status = own_program_read(text, &device, b->err);
    const bool is_asked = status == 0 && (strstr(source->text->data, "__CUDA_ARCH__") ||
                                          two_sides_asked(&device, b->program->headers.word));
    if (is_asked && b->headers) { /* both are to be whole */
        builder_drop_headers(b);
        text_clear(&device);
        status = preprocess(b, source, copy, text, "");
        if (status == 0)
            status = own_program_read(text, &device, b->err);
    }
    if (status == 0 && is_asked) { /* else the device's alone is built */
        struct error err = ERROR_INIT, *outer = b->err;
        b->err = &err;
        if (preprocess(b, source, copy, joined, "-DSHFLVIZ_HOST_SIDE") == 0 &&
            own_program_read(joined, &host, &err) == 0)
            *is_joined = two_sides_join(&both, &place, &device, &host) > 0 &&
                         own_file_write(joined, "", &both, &err) == 0;
        else
            text_append(&place, source->name);
        b->err = outer;
    }
    if (place.length)
        text_append_format(&b->program->remarks,
                           _("%s: what __CUDA_ARCH__ chooses here is the device's for the host, "
                             "too; the bodies of functions alone are for each side\n"),
                           place.data);
    struct text *const texts[] = {&device, &host, &both, &place};
    for (int i = 0; i < 4; i++)
        text_release(texts[i]);
    return status;
}

struct stages { /* what is made of a .cu file */
    char *copy, *text, *joined, *translated, *object;
};

/* The headers of inline PTX are large: they are there for those alone who have some. */
static int make_cpp(struct builder *b, const struct own_source *source, const struct stages *stages,
                    bool *is_joined) {
    const bool may_join = *is_joined;
    const size_t remarks = b->program->remarks.length;
    do {
        b->ptx = b->needs_ptx;
        *is_joined = false;
        if (b->program->remarks.length > remarks) /* of the round before */
            b->program->remarks.data[b->program->remarks.length = remarks] = '\0';
        if (preprocess(b, source, stages->copy, stages->text, "") != 0)
            return -1;
        if (may_join &&
            join_sides(b, source, stages->copy, stages->text, stages->joined, is_joined) != 0)
            return -1;
        if (translate(b, *is_joined ? stages->joined : stages->text, stages->translated) != 0)
            return -1;
    } while (b->needs_ptx);
    return 0;
}

static int build_sides(struct builder *b, const struct own_source *source,
                       const struct stages *stages) {
    struct error err = ERROR_INIT, *outer = b->err;
    const size_t sections = b->sections;
    bool is_joined = true;
    b->err = &err;
    int status = make_cpp(b, source, stages, &is_joined);
    if (status == 0)
        status = compile(b, source, stages->translated, stages->object);
    b->err = outer;
    if (status != 0 && !is_joined)
        *b->err = err;
    if (status == 0 || !is_joined)
        return status;
    b->sections = sections; /* the two sides do not go together: the device's alone */
    is_joined = b->needs_ptx = false;
    status = make_cpp(b, source, stages, &is_joined);
    if (status == 0)
        status = compile(b, source, stages->translated, stages->object);
    if (status == 0)
        text_append_format(&b->program->remarks,
                           _("%s: __CUDA_ARCH__ is 800 for the host, too: what it chooses for "
                             "host and device does not compile together\n"),
                           source->name);
    return status;
}

/* With the compiled header, if there is one, and alignment checked. What does not build so is built
 * without either: it says what it would have said, and whatever the compiler has against them does
 * not matter. */
static int build_cuda(struct builder *b, const struct own_source *source,
                      const struct stages *stages) {
    const size_t sections = b->sections;
    b->aligned = true;
    for (builder_find_headers(b, source);;) {
        const bool had_headers = b->headers != NULL;
        b->lacks_headers = b->lacks_headers || !had_headers;
        b->lockstep = b->ptx = b->needs_ptx = false;
        int status = build_sides(b, source, stages);
        builder_drop_headers(b);
        if (status == 0 || (!had_headers && !b->aligned))
            return status;
        b->aligned = false;
        b->sections = sections;
        *b->err = (struct error)ERROR_INIT;
    }
}

static int build_one(struct builder *b, size_t number) {
    const struct own_source *source = &b->build->sources[number];
    const bool is_cuda = builder_is_cuda(source);
    struct stages stages = {.copy = builder_path(b, number, is_cuda ? ".cu" : ".source"),
                            .text = builder_path(b, number, ".ii"),
                            .joined = builder_path(b, number, ".both.ii"),
                            .translated = builder_path(b, number, ".cpp"),
                            .object = builder_path(b, number, ".o")};
    int status = builder_write_copy(b, number, stages.copy);
    b->lockstep = false;
    /* The gaps of accesses lie before and behind the variables of all sources. */
    b->has_tables = is_cuda && number + 1 == b->build->source_count && !b->program->accesses;
    if (status == 0)
        status = is_cuda ? build_cuda(b, source, &stages)
                         : compile(b, source, stages.copy, stages.object);
    free(stages.copy);
    free(stages.text);
    free(stages.joined);
    free(stages.translated);
    free(stages.object);
    return status;
}

static void list_source(struct builder *b, struct text *list, const struct own_source *source,
                        char *copy) {
    text_append_format(list, "%s\n%s\n", source->name, copy);
    child_words_add(&b->program->names, source->name, NULL);
    free(copy);
}

/* For the recording: the name that sites give each file, and where its built text is. */
static int write_source_list(struct builder *b) {
    struct text list = TEXT_INIT;
    for (size_t i = 0; i < b->build->source_count; i++) {
        const struct own_source *source = &b->build->sources[i];
        list_source(b, &list, source,
                    builder_path(b, i, builder_is_cuda(source) ? ".cu" : ".source"));
    }
    if (b->build->before)
        list_source(b, &list, b->build->before, before_path(b));
    char *path = own_folder_path(&b->program->folder, "sources");
    int status = own_file_write(path, "", &list, b->err);
    free(path);
    text_release(&list);
    return status;
}

static int build_all(struct builder *b) {
    struct own_program *program = b->program;
    if (own_folder_make(&program->folder, b->err) != 0)
        return -1;
    program->path = own_folder_path(&program->folder, "program");
    program->recording = own_folder_path(&program->folder, "recording.svt");
    if (b->build->accesses && own_program_sees_accesses())
        b->program->accesses = own_folder_path(&b->program->folder, "accesses");
    if (b->build->access_steps && own_program_sees_accesses())
        b->program->lines = own_folder_path(&b->program->folder, "lines");
    program->access_steps = b->build->access_steps;
    child_environment(&b->environment, b->build->confined ? b->program->folder.path : NULL);
    child_words_add(&b->environment, "TMPDIR=", b->program->folder.path);
    child_words_add(&b->environment, "LC_MESSAGES=C", NULL);
    allow_reading(b);
    if (b->build->gpu)
        return write_source_list(b) == 0 ? builder_build_gpu(b) : -1;
    if (b->build->before) {
        char *path = before_path(b);
        const int status = write_copy(b, b->build->before, path);
        free(path);
        if (status != 0)
            return -1;
    }
    if (builder_ask_compiler(b) != 0)
        return -1;
    if (program->accesses && fills_unset(b))
        program->unset = b->is_clang ? 0xaa : 0xfe;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (build_one(b, i) != 0)
            return -1;
    if (write_source_list(b) != 0 || builder_link(b) != 0)
        return -1;
    return program->lines
               ? access_lines_write(program, b->build->sources, b->build->source_count, b->err)
               : 0;
}

int own_program_build(struct own_program *program, const struct own_build *build,
                      struct error *err) {
    struct builder b = {.program = program,
                        .build = build,
                        .output = TEXT_INIT,
                        .kernels = {{TEXT_INIT, TEXT_INIT, TEXT_INIT, false},
                                    {TEXT_INIT, TEXT_INIT, TEXT_INIT, false}},
                        .err = err};
    sigset_t held;
    *program = (struct own_program){.source = memory_string(build->sources[0].path),
                                    .remarks = TEXT_INIT,
                                    .confined = build->confined};
    child_interruptions(&held);
    sigprocmask(SIG_BLOCK, &held, &program->signals);
    int status = parts_find(&b.parts, err);
    if (status == 0)
        status = build_all(&b);
    if (b.lacks_headers && !child_is_interrupted())
        builder_make_headers(&b);
    parts_release(&b.parts);
    child_words_release(&b.environment);
    for (char **path = b.readable; path && *path; path++)
        free(*path);
    free(b.readable);
    text_release(&b.output);
    in_step_names_release(b.kernels);
    return status;
}
