/*
 * Compiles a program's files, several at once, each for both sides. A compiler's message is tidied
 * (compiler_words.h) and followed by advice here, because only this file knows what was compiled
 * and how.
 */
#include "base/memory.h"
#include "base/message.h"
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/escapes.h"
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/frontend/compiler_words.h"
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/access_lines.h"
#include "cudacpu/ptx/ptx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COMPLAINT_READ                                                                             \
    (1 << 18) /* the most bytes kept of a compiler's output: the beginning matters most */
#define COMPLAINT_MOST                                                                             \
    (ERROR_TEXT_SIZE - 512) /* errors that are shown, besides the file and the                     \
                             * advice */
#define ABSENT " is not on the CPU warp; docs/CUDA.md"

/* ---- the compiler ---- */

bool builder_is_cuda(const struct user_source *source) {
    return string_ends_with(source->path, ".cu") || string_ends_with(source->path, ".cuh");
}

bool builder_has_cuda(const struct builder *b) {
    for (size_t i = 0; i < b->build->source_count; i++)
        if (builder_is_cuda(&b->build->sources[i]))
            return true;
    return false;
}

bool builder_is_parallel(const struct user_source *source) {
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

bool user_program_can_see_accesses(void) {
#ifdef __ELF__
    return strstr(SHFLVIZ_PARTS_FLAGS, "-fsanitize") == NULL;
#else
    return false;
#endif
}

#define UNSET_BYTE 0xaa /* clang's pattern for local variables that the program does not set */

void builder_language_words(const struct builder *b, struct child_words *words,
                            const struct user_source *source) {
    if (!string_ends_with(source->path, ".c"))
        child_words_add(words, "-std=", b->build->standard ? b->build->standard : "c++17");
    /* -g1: crashes are reported with a line. -fwrapv: a GPU's integers wrap. -fno-finite-loops: a
     * loop that waits for other lanes is not undefined. */
    child_words_split(words, "-O1 -g1 -gdwarf-4 -w -fwrapv -fno-finite-loops "
                             "-fno-strict-aliasing " SHFLVIZ_PARTS_FLAGS);
}

void builder_header_words(const struct builder *b, struct child_words *words, int first) {
    for (int i = first; i < PARTS_FOLDERS; i++)
        if (b->parts.include[i].length)
            child_words_add(words, "-I", b->parts.include[i].data);
}

void builder_search_words(const struct builder *b, struct child_words *words,
                          const struct user_source *source) {
    char *folder = b->build->is_submission ? NULL : builder_folder_of(source->path);
    if (folder && !b->build->gpu) { /* nvcc does not know -iquote */
        child_words_add(words, "-iquote", NULL);
        child_words_add(words, folder, NULL);
    }
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(words, "-I", *include);
    if (folder)
        child_words_add(words, "-I", folder);
    /* Our folders precede the system's, in which a toolkit may have headers of the same names. They
     * are not passed as system folders, because the line markers around a macro from a system
     * folder would break up lines. */
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

/* Keeps whole lines that describe errors. */
static void trim_complaint(struct text *output) {
    if (output->length > COMPLAINT_MOST)
        for (output->length = COMPLAINT_MOST;
             output->length && output->data[output->length - 1] != '\n';)
            output->length--;
    while (output->length && output->data[output->length - 1] == '\n')
        output->length--;
    output->data[output->length] = '\0';
}

/* If the replacement for a missing library's header (forwarded.cmake) has reported an error, keeps
 * only its message, at the line that includes the header, instead of the errors that follow from
 * it. */
static void keep_missing_header(struct text *output) {
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

/* True if the name of a header or a function begins like those of a library of the toolkit. */
static bool is_library_name(const char *name) {
    static const char *const begins[] = {
        "cublas",   "cub/", "cuda/", "cudnn",  "cufft", "curand", "cusolver", "cutlass",
        "cusparse", "nccl", "npp",   "nvjpeg", "nvml",  "nvrtc",  "nvTools",  "thrust/"};
    name += *name == '\'';
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Advice for complaints that would leave a user at a loss; "" for all others. */
static const char *advice(const char *complaint, bool gpu) {
    static const char header_gone[] = "fatal error: ", function_gone[] = "undefined reference to `";
    if (strstr(complaint, "No space left on device"))
        return _("the disk is full; try: TMPDIR=DIR, a folder with more room");
    if (!gpu && (strstr(complaint, "reference to __global__ function") ||
                 strstr(complaint, "call to __global__ function from")))
        return _("a kernel cannot launch kernels on the CPU warp; try: --device gpu");
    if (!gpu && (strstr(complaint, "call to __host__ function from") ||
                 strstr(complaint, "reference to __host__ ")))
        return _("allowed: functions and variables that are declared __device__, or __host__ "
                 "__device__");
    const char *header = strstr(complaint, header_gone);
    const char *function = strstr(complaint, function_gone);
    const char *name = header     ? header + strlen(header_gone)
                       : function ? function + strlen(function_gone)
                                  : NULL;
    if (!name)
        return "";
    if (function && !gpu && strstr(complaint, "runtime_templates.h"))
        return _(
            "on the CPU warp, host code cannot name a device variable defined in another "
            "file\ntry: move the call to the file that defines the variable, or use --device gpu");
    if (is_library_name(name) && !gpu)
        return _("the CPU warp does not have all of a toolkit's libraries: docs/CUDA.md lists the "
                 "libraries it has");
    if (strncmp(name + (*name == '\''), "helper_", strlen("helper_")) == 0)
        return _("try: -I with the folder Common of NVIDIA's CUDA samples");
    if (header)
        return _("try: -I DIR, the folder of that header");
    return _("try: name all source files of the program, or its folder; one of them has main()");
}

int builder_report(struct builder *b, const struct child_words *words, struct child_result result,
                   const char *file) {
    switch (result.end) {
    case CHILD_EXITED:
        if (result.code == 0)
            return 0;
        break;
    case CHILD_NOT_FOUND:
        if (b->build->gpu)
            return error_set(b->err, ERROR_MISSING,
                             _("cannot run '%s', which builds for a GPU\ntry: name the nvcc of a "
                               "CUDA Toolkit in NVCC, or use --device cpu"),
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
    b->blames_headers = builder_blames_headers(b);
    keep_missing_header(&b->output);
    const char *try = advice(b->output.data, b->build->gpu);
    compiler_words_tidy(&b->output, b->program->headers.word);
    trim_complaint(&b->output);
    return error_set(b->err, ERROR_USAGE,
                     b->build->gpu ? _("%s does not compile for a GPU:\n%s%s%s")
                                   : _("%s does not compile for the CPU warp:\n%s%s%s"),
                     file, b->output.data, *try ? "\n" : "", try);
}

struct child_result builder_start(struct builder *b, struct child_words *words) {
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
    return child_run(&command);
}

int builder_run(struct builder *b, struct child_words *words, const char *file) {
    return builder_report(b, words, builder_start(b, words), file);
}

/* Allows reading the files around a compiler that is installed in a folder of its own. */
static void allow_compiler(struct child_words *list, const char *compiler) {
    const char *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (!slash)
        return;
    char *folder = builder_folder_of(compiler);
    child_words_add(list, folder, NULL);
    if (slash - compiler >= 4 && strncmp(slash - 4, "/bin", 4) == 0)
        child_words_add(list, folder, "..");
    free(folder);
}

/* Lists the folders, besides the system's, that the compiler or the program may read. */
static void allow_reading(struct builder *b) {
    struct child_words list = {0};
    for (size_t i = 0; !b->build->is_submission && i < b->build->source_count; i++) {
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
    child_words_add(&list, b->parts.instrument.data, NULL);
    char *cache = header_cache_folder();
    if (cache)
        child_words_add(&list, cache, NULL);
    free(cache);
    allow_compiler(&list, getenv("CXX"));
    allow_compiler(&list, b->parts.clang.data);
    if (b->parts.clang.length)
        child_words_add(&list, b->parts.instrument.data, NULL);
    b->readable = list.word;
}

/* ---- building ---- */

/* The path, in the folder, of the file made from the source with that number. */
char *builder_path(const struct builder *b, size_t number, const char *ending) {
    struct text name = TEXT_INIT;
    text_append_format(&name, "%zu%s", number, ending);
    char *path = private_folder_path(&b->program->folder, name.data);
    text_release(&name);
    return path;
}

/* Names escaped for the compiler's quotation marks. */
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

/* Writes the copy that is compiled; it begins with the name and line that the user knows. */
static int write_copy(struct builder *b, const struct user_source *source, const char *path) {
    struct text head = TEXT_INIT;
    text_append(&head, "#line 1 \"");
    append_escaped(&head, source->name);
    text_append(&head, "\"\n");
    /* The byte order mark with which some editors begin a file is valid only at its very
     * beginning. */
    static const char mark[] = "\xef\xbb\xbf";
    struct text text = *source->text;
    if (strncmp(text.data, mark, sizeof mark - 1) == 0) {
        text.data += sizeof mark - 1;
        text.length -= sizeof mark - 1;
    }
    int status = private_file_write(path, head.data, &text, b->err);
    text_release(&head);
    return status;
}

int builder_write_copy(struct builder *b, size_t number, const char *path) {
    return write_copy(b, &b->build->sources[number], path);
}

/* The copy of the header included before each .cu file: its number is the one after the last
 * source's. */
char *builder_before_path(const struct builder *b) {
    return builder_path(b, b->build->source_count, ".cu");
}

bool builder_is_for_one_thread(const struct builder *b) {
    return b->program->accesses || b->program->lines;
}

/* Compiles a file that is not CUDA C++. */
static int compile(struct builder *b, const struct user_source *source, const char *from,
                   const char *to) {
    struct child_words words = {0};
    const bool is_c = string_ends_with(source->path, ".c");
    builder_compiler_words(&words, is_c);
    builder_language_words(b, &words, source);
    builder_search_words(b, &words, source);
    child_words_split(&words, is_c ? "-x c" : "-x c++");
    if (builder_is_parallel(source))
        child_words_add(&words, "-fopenmp", NULL);
    child_words_add(&words, "-c", NULL);
    child_words_add(&words, from, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, to, NULL);
    const int status = builder_run(b, &words, source->name);
    child_words_release(&words);
    return status;
}

static int build_one(struct builder *b, size_t number) {
    const struct user_source *source = &b->build->sources[number];
    const bool is_cuda = builder_is_cuda(source);
    char *copy = builder_path(b, number, is_cuda ? ".cu" : ".source");
    char *object = builder_path(b, number, ".o");
    int status = builder_write_copy(b, number, copy);
    if (status == 0)
        status = is_cuda ? builder_build_cuda(b, number, copy, object)
                         : compile(b, source, copy, object);
    free(copy);
    free(object);
    return status;
}

static void list_source(struct builder *b, struct text *list, const struct user_source *source,
                        char *copy) {
    text_append_format(list, "%s\n%s\n", source->name, copy);
    child_words_add(&b->program->names, source->name, NULL);
    free(copy);
}

/* For the recording: the name that sites give each file, and the path of its text as built. */
static int write_source_list(struct builder *b) {
    struct text list = TEXT_INIT;
    for (size_t i = 0; i < b->build->source_count; i++) {
        const struct user_source *source = &b->build->sources[i];
        list_source(b, &list, source,
                    builder_path(b, i, builder_is_cuda(source) ? ".cu" : ".source"));
    }
    if (b->build->before)
        list_source(b, &list, b->build->before, builder_before_path(b));
    char *path = private_folder_path(&b->program->folder, "sources");
    int status = private_file_write(path, "", &list, b->err);
    free(path);
    text_release(&list);
    return status;
}

static int build_all(struct builder *b) {
    struct user_program *program = b->program;
    if (private_folder_make(&program->folder, b->err) != 0)
        return -1;
    program->path = private_folder_path(&program->folder, "program");
    program->recording = private_folder_path(&program->folder, "recording.svt");
    if (b->build->accesses && user_program_can_see_accesses())
        b->program->accesses = private_folder_path(&b->program->folder, "accesses");
    if (b->build->access_steps && user_program_can_see_accesses())
        b->program->lines = private_folder_path(&b->program->folder, "lines");
    program->access_steps = b->build->access_steps;
    child_environment(&b->environment, b->build->confined ? b->program->folder.path : NULL);
    child_words_add(&b->environment, "TMPDIR=", b->program->folder.path);
    child_words_add(&b->environment, "LC_MESSAGES=C", NULL);
    allow_reading(b);
    if (b->build->gpu)
        return write_source_list(b) == 0 ? builder_build_gpu(b) : -1;
    if (b->build->before) {
        char *path = builder_before_path(b);
        const int status = write_copy(b, b->build->before, path);
        free(path);
        if (status != 0)
            return -1;
    }
    if (program->accesses)
        program->unset = UNSET_BYTE;
    size_t files = 0;
    for (size_t i = 0; i < b->build->source_count; i++)
        files += builder_is_cuda(&b->build->sources[i]);
    b->has_parts = files > 1;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (build_one(b, i) != 0)
            return -1;
    if (b->has_parts && builder_link_device(b) != 0)
        return -1;
    if (write_source_list(b) != 0 || builder_link(b) != 0)
        return -1;
    return program->lines
               ? access_lines_write(program, b->build->sources, b->build->source_count, b->err)
               : 0;
}

int user_program_build(struct user_program *program, const struct user_build *build,
                       struct error *err) {
    struct builder b = {.program = program, .build = build, .output = TEXT_INIT, .err = err};
    sigset_t held;
    *program = (struct user_program){.source = memory_string(build->sources[0].path),
                                     .remarks = TEXT_INIT,
                                     .confined = build->confined};
    child_interruptions(&held);
    sigprocmask(SIG_BLOCK, &held, &program->signals);
    int status = parts_find(&b.parts, err);
    if (status == 0 && !build->gpu && builder_has_cuda(&b))
        status = parts_find_clang(&b.parts, err);
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
    return status;
}
