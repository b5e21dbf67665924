/* link.c - links a user program into one file: its objects, and the CPU warp. */
#include "base/message.h"
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/search_path.h"

#include <stdlib.h>
#include <string.h>

/* A symbol that marks the end of the program's own functions, linked after its files (access.c). */
static int add_text_end(struct builder *b, struct child_words *words) {
    struct text text = TEXT_INIT;
    char *path = private_folder_path(&b->program->folder, "end.s");
    text_append(&text, ".text\n.globl cpu_text_end\n.type cpu_text_end, %function\ncpu_text_end:\n"
                       ".section .note.GNU-stack,\"\",%progbits\n");
    const int status = private_file_write(path, "", &text, b->err);
    child_words_split(words, "-x assembler");
    child_words_add(words, path, NULL);
    child_words_split(words, "-x none");
    text_release(&text);
    free(path);
    return status;
}

/* The option for a linker that takes half as long as GNU ld, which needs an eighth of a small
 * program's build time; NULL if there is none. gold takes a fifth less than lld. */
static const char *fast_linker(void) {
    struct text path = TEXT_INIT;
    const char *option = !user_program_can_see_accesses()     ? NULL
                         : search_path_find(&path, "ld.gold") ? "-fuse-ld=gold"
                         : search_path_find(&path, "ld.lld")  ? "-fuse-ld=lld"
                                                              : NULL;
    text_release(&path);
    return option;
}

/* clang if there is CUDA C++: it finds its own libraries, such as OpenMP's. A sanitizer's
 * libraries belong to the compiler that the CPU warp was built with. */
static void linker_words(const struct builder *b, struct child_words *words) {
    if (builder_has_cuda(b) && !strstr(SHFLVIZ_PARTS_FLAGS, "-fsanitize"))
        child_words_add(words, b->parts.clang.data, NULL);
    else
        builder_compiler_words(words, false);
}

/* Falls back to the compiler's own linker, which also reports the error. */
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

/* clang's library also has the functions that g++'s objects call. It is named by path, because a
 * linker other than clang would take g++'s, which lacks clang's functions. */
static void openmp_words(const struct builder *b, struct child_words *words) {
    struct text library = TEXT_INIT;
    if (!builder_has_cuda(b))
        child_words_add(words, "-fopenmp", NULL);
    else
        child_words_add(words, builder_openmp_library(b, &library) ? library.data : "-lgomp", NULL);
    child_words_add(words, "-Wl,-u,shm_open", NULL); /* guest/openmp.c */
    text_release(&library);
}

int builder_link(struct builder *b) {
    struct child_words words = {0};
    int status = 0;
    bool parallel = false;
    linker_words(b, &words);
    child_words_split(&words, "-w " SHFLVIZ_PARTS_FLAGS " " SHFLVIZ_PARTS_LINKED);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, b->program->path, NULL);
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *object = builder_path(b, i, ".o");
        child_words_add(&words, object, NULL);
        parallel = parallel || builder_is_parallel(&b->build->sources[i]);
        free(object);
    }
    if (builder_has_cuda(b)) {
        char *device = builder_device_path(b);
        child_words_add(&words, device, NULL);
        free(device);
    }
    if (b->program->accesses && status == 0)
        status = add_text_end(b, &words);
    if (parallel)
        openmp_words(b, &words);
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
    child_words_release(&words);
    return status;
}

/* Reports the files that define main(). The linker names both objects in a line: "1.o: ... multiple
 * definition of `main'; ... 0.o: ...". */
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
            /* ... or the line above, which names the function. */
            is_named = is_named || (said && said < next && found && found < next);
            if (!*end)
                break;
        }
        if (is_named)
            text_append_format(&files, "%s%s", files.length ? ", " : "", b->build->sources[i].path);
        text_release(&object);
    }
    const int status =
        !files.length
            ? 0
            : error_set(
                  b->err, ERROR_USAGE,
                  _("several files have a main(): %s\ntry: name only the files of one program"),
                  files.data);
    text_release(&files);
    return status;
}
