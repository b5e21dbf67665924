/*
 * headers.c - the header that programs begin with, compiled already (header_cache.h), in the
 * build of one.
 */
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/compile/header_folder.h"

#include <stdlib.h>

/* The compiler with the options that a .cu file's preprocessing and compiling have in common, and
 * the header; to be released. */
struct wanted {
    struct child_words compile;
    struct text header;
    struct header_wanted is;
};

static void wanted_init(struct wanted *wanted, const struct builder *b,
                        const struct own_source *source) {
    *wanted = (struct wanted){.header = TEXT_INIT};
    builder_compiler_words(&wanted->compile, false);
    builder_language_words(b, &wanted->compile, source);
    builder_header_words(b, &wanted->compile, PARTS_CUDA);
    child_words_split(&wanted->compile, OWN_DEFINES);
    text_append_format(&wanted->header, "%s/" OWN_HEADER, b->parts.include[PARTS_RECORDER].data);
    wanted->is = (struct header_wanted){.compile = &wanted->compile,
                                        .header = wanted->header.data,
                                        .environment = b->environment.word,
                                        .is_clang = b->is_clang};
}

static void wanted_release(struct wanted *wanted) {
    child_words_release(&wanted->compile);
    text_release(&wanted->header);
}

void builder_find_headers(struct builder *b, const struct own_source *source) {
    struct wanted wanted;
    struct child_words folders = {0};
    char *folder = builder_folder_of(source->path);
    wanted_init(&wanted, b, source);
    child_words_add(&folders, folder, NULL);
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(&folders, *include, NULL);
    b->headers = header_cache_find(&wanted.is, folders.word);
    child_words_release(&folders);
    free(folder);
    wanted_release(&wanted);
}

void builder_drop_headers(struct builder *b) {
    free(b->headers);
    b->headers = NULL;
}

void builder_make_headers(const struct builder *b) {
    struct wanted wanted;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (builder_is_cuda(&b->build->sources[i])) { /* they have it in common */
            wanted_init(&wanted, b, &b->build->sources[i]);
            header_cache_make(&wanted.is);
            wanted_release(&wanted);
            return;
        }
}

void own_program_prepare(void) {
    static const struct text none = TEXT_INIT;
    const struct own_source source = {.path = "program.cu", .name = "program.cu", .text = &none};
    const struct own_build build = {.sources = &source, .source_count = 1};
    struct own_program program = {.remarks = TEXT_INIT};
    struct error err = ERROR_INIT;
    struct builder b = {.program = &program, .build = &build, .output = TEXT_INIT, .err = &err};
    child_environment(&b.environment, NULL);
    child_words_add(&b.environment, "LC_MESSAGES=C", NULL);
    if (parts_find(&b.parts, &err) == 0 && builder_ask_compiler(&b) == 0)
        builder_make_headers(&b);
    parts_release(&b.parts);
    child_words_release(&b.environment);
    text_release(&b.output);
}

/* ---- gcc ---- */

void builder_preprocess_words(const struct builder *b, struct child_words *words) {
    if (!b->headers || b->is_clang)
        return;
    child_words_split(words, "-fpch-preprocess"); /* the text names it, and does not spell it out */
    child_words_add(words, "-I", b->headers);
}

/* ---- clang, which spells it out ---- */

int builder_cut_headers(struct builder *b, const char *path) {
    struct text text = TEXT_INIT, header = TEXT_INIT;
    size_t begin, end;
    if (!b->headers || !b->is_clang)
        return 0;
    int status = own_program_read(path, &text, b->err);
    text_append_format(&header, "%s/" OWN_HEADER, b->parts.include[PARTS_RECORDER].data);
    if (status == 0 && header_part(text.data, header.data, &begin, &end) &&
        header_part_is(b->headers, text.data + begin, end - begin)) {
        struct text rest = TEXT_INIT;
        text_append_bytes(&rest, text.data, begin);
        text_append_bytes(&rest, text.data + end, text.length - end);
        status = own_file_write(path, "", &rest, b->err);
        text_release(&rest);
    } else { /* a macro or a file of this program's changes what the header says */
        builder_drop_headers(b);
    }
    text_release(&header);
    text_release(&text);
    return status;
}

void builder_compile_words(const struct builder *b, struct child_words *words, bool other) {
    if (!b->headers || !b->is_clang)
        return;
    child_words_split(words, "-Xclang -include-pch -Xclang");
    child_words_add(words, b->headers, HEADER_COMPILED);
    if (other) /* clang wants the same of both, though it is the use of a function that differs */
        child_words_split(words, "-Xclang -fno-validate-pch");
}
