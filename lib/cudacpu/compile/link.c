/*
 * link.c - a program of somebody's own becomes one file: its objects, and the CPU warp.
 */
#include "base/message.h"
#include "cudacpu/compile/builder.h"
#include "simt/runtime.h"

#include "cudacpu/frontend/written.h"
#include "cudacpu/observe/access_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a line of `names` is the `length` bytes at `name`. */
static bool has_name(const struct text *names, const char *name, size_t length) {
    for (const char *at = names->data; *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

/* An array of the names in `names` that are not in `without`. */
static void append_kernels(struct text *text, const char *array, const struct text *names,
                           const struct text *without) {
    text_append_format(text, "static const char *const %s[] = {", array);
    for (const char *at = names->data; *at; at += strcspn(at, "\n") + 1)
        if (!has_name(without, at, strcspn(at, "\n")))
            text_append_format(text, "\"%.*s\", ", (int)strcspn(at, "\n"), at);
    text_append(text, "0};\n");
}

/* Of a program that has kernels that lean on lanes in step: the names of those that do not, at
 * shared and at global memory (simt/in_step.c). Of any: those that would if two pointers were one.
 */
static void append_free_kernels(const struct builder *b, struct text *text) {
    static const struct text none = TEXT_INIT;
    const struct in_step_names *global = &b->kernels[IN_STEP_GLOBAL];
    append_kernels(text, "if_same", &global->if_same, &global->leaning);
    text_append(text, "extern const char *const *const cpu_kernels_if_same;\n"
                      "const char *const *const cpu_kernels_if_same = if_same;\n");
    if (!b->in_step)
        return;
    for (int memory = 0; memory < IN_STEP_MEMORIES; memory++) {
        const struct in_step_names *names = &b->kernels[memory];
        append_kernels(text, memory ? "free_1" : "free_0",
                       names->in_function ? &none : &names->others, &names->leaning);
    }
    text_append(text, "extern const char *const *const cpu_free_kernels[2];\n"
                      "const char *const *const cpu_free_kernels[2] = {free_0, free_1};\n");
}

/* C and C++: where the sections of `__shared__` variables begin and end, for the CPU warp to find.
 */
void builder_append_tables(const struct builder *b, struct text *text) {
    const int gap = b->program->accesses ? ACCESS_SHARED_GAP : 0;
    for (size_t i = 0; i <= b->sections && gap; i++) /* the last lies behind all variables */
        text_append_format(text,
                           "static char gap_%zu[%d] __attribute__((used, "
                           "section(\"shflviz_shared_%zu\"))) = {0};\n",
                           i, gap, i);
    for (size_t i = 0; i < b->sections; i++)
        text_append_format(text,
                           "extern char __start_shflviz_shared_%zu[] __attribute__((weak));\n"
                           "extern char __stop_shflviz_shared_%zu[] __attribute__((weak));\n",
                           i, i);
    const int dynamic =
        b->has_dynamic || builder_is_for_one_thread(b) ? CPU_SHARED_BYTES : CPU_SHARED_NONE;
    text_append_format(text,
                       "extern const unsigned cpu_dynamic_shared_bytes;\n"
                       "const unsigned cpu_dynamic_shared_bytes = %d;\n"
                       "__thread unsigned char cpu_dynamic_shared[%d] "
                       "__attribute__((aligned(128)));\n",
                       dynamic, dynamic);
    text_append_format(
        text, "extern const int cpu_shared_by_thread;\nconst int cpu_shared_by_thread = %d;\n",
        !builder_is_for_one_thread(b));
    append_free_kernels(b, text);
    text_append(text, "extern char *const cpu_shared_sections[][2];\n"
                      "char *const cpu_shared_sections[][2] = {\n");
    for (size_t i = 0; i < b->sections; i++)
        text_append_format(text, "{__start_shflviz_shared_%zu + %d, __stop_shflviz_shared_%zu},\n",
                           i, gap, i);
    text_append(text, "{0, 0}};\n");
}

static int write_tables(const struct builder *b, const char *path) {
    struct text text = TEXT_INIT;
    builder_append_tables(b, &text);
    const int status = own_file_write(path, "", &text, b->err);
    text_release(&text);
    return status;
}

/* A name for where the program's own functions end, behind its files (access.c). */
static int add_text_end(struct builder *b, struct child_words *words) {
    struct text text = TEXT_INIT;
    char *path = own_folder_path(&b->program->folder, "end.s");
    text_append(&text, ".text\n.globl cpu_text_end\n.type cpu_text_end, %function\ncpu_text_end:\n"
                       ".section .note.GNU-stack,\"\",%progbits\n");
    const int status = own_file_write(path, "", &text, b->err);
    child_words_split(words, "-x assembler");
    child_words_add(words, path, NULL);
    child_words_split(words, "-x none");
    text_release(&text);
    free(path);
    return status;
}

/* Whether PATH has the program. */
static bool has_program(const char *name) {
    bool has = false;
    const char *search = getenv("PATH");
    while (!has && search && *search) {
        struct text path = TEXT_INIT;
        const size_t length = strcspn(search, ":");
        text_append_bytes(&path, search, length);
        text_append_format(&path, "/%s", name);
        has = access(path.data, X_OK) == 0;
        text_release(&path);
        search += length + (search[length] == ':');
    }
    return has;
}

/* The option for a linker that takes half the time of GNU ld, which is an eighth of what a small
 * program takes; NULL: there is none. gold takes a fifth less than lld. */
static const char *fast_linker(void) {
    return !own_program_sees_accesses() ? NULL
           : has_program("ld.gold")     ? "-fuse-ld=gold"
           : has_program("ld.lld")      ? "-fuse-ld=lld"
                                        : NULL;
}

/* What that one cannot do, or the compiler not with it, the compiler's own linker does and says. */
static int link_program(struct builder *b, struct child_words *words) {
    const char *name = b->build->sources[0].name, *linker = fast_linker();
    if (linker) {
        struct error err = ERROR_INIT, *outer = b->err;
        b->err = &err;
        child_words_add(words, linker, NULL);
        const int status = builder_run(b, words, name);
        b->err = outer;
        if (status == 0)
            return 0;
        free(words->word[--words->count]);
        words->word[words->count] = NULL;
    }
    return builder_run(b, words, name);
}

int builder_link(struct builder *b) {
    struct child_words words = {0};
    char *tables = own_folder_path(&b->program->folder, "tables.c");
    int status = b->has_tables ? 0 : write_tables(b, tables);
    bool parallel = false;
    builder_compiler_words(&words, false);
    child_words_split(&words, "-w " SHFLVIZ_PARTS_FLAGS " " SHFLVIZ_PARTS_LINKED);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, b->program->path, NULL);
    if (!b->has_tables) {
        child_words_split(&words, "-x c");
        child_words_add(&words, tables, NULL);
        child_words_split(&words, "-x none");
    }
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *object = builder_path(b, i, ".o");
        child_words_add(&words, object, NULL);
        parallel = parallel || builder_is_parallel(&b->build->sources[i]);
        free(object);
    }
    if (b->program->accesses && status == 0)
        status = add_text_end(b, &words);
    if (parallel)
        child_words_add(&words, "-fopenmp", NULL);
    child_words_split(&words, "-Wl,-u," SHFLVIZ_PARTS_SYMBOL);
    if (b->program->accesses)
        child_words_split(&words, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
#ifdef __ELF__
    child_words_split(&words, "-Wl,--wrap=malloc,--wrap=_Znwm,--wrap=_Znam,"
                              "--wrap=_ZnwmSt11align_val_t,--wrap=_ZnamSt11align_val_t");
#endif
    for (int i = 0; i < PARTS_LIBRARIES; i++)
        child_words_add(&words, b->parts.library[i].data, NULL);
    child_words_split(&words, "-lm -pthread");
    if (status == 0)
        status = link_program(b, &words);
    free(tables);
    child_words_release(&words);
    return status;
}

/* A line names the objects of both: "1.o: ... multiple definition of `main'; ... 0.o: ...". */
int builder_refuse_mains(struct builder *b) {
    struct text files = TEXT_INIT;
    for (size_t i = 0; i < b->build->source_count; i++) {
        struct text object = TEXT_INIT;
        bool is_named = false;
        text_append_format(&object, "/%zu.o", i);
        for (const char *at = b->output.data; *at; at += strcspn(at, "\n") + (*at != '\0')) {
            const char *said = strstr(at, "multiple definition of `main'");
            const char *found = strstr(at, object.data), *end = at + strcspn(at, "\n");
            const char *next = *end ? end + 1 + strcspn(end + 1, "\n") : end;
            /* ... or the line above, which says in which function. */
            is_named = is_named || (said && said < next && found && found < next);
            if (!*end)
                break;
        }
        if (is_named)
            text_append_format(&files, "%s%s", files.length ? ", " : "", b->build->sources[i].path);
        text_release(&object);
    }
    const int status = !files.length ? 0
                                     : error_set(b->err, ERROR_USAGE,
                                                 _("several files have a main(): %s\n"
                                                   "try: name those files that make one program"),
                                                 files.data);
    text_release(&files);
    return status;
}
