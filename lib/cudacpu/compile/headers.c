/* headers.c - uses precompiled headers (header_cache.h) in the build of a program. */
#include "cudacpu/compile/builder.h"
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/compile/header_folder.h"

#include <stdlib.h>
#include <string.h>

/* clang with the options for either side, and the header; to be released. */
struct wanted {
    struct child_words device, host;
    struct text header;
    struct header_wanted is;
};

static void wanted_init(struct wanted *wanted, const struct builder *b,
                        const struct user_source *source) {
    *wanted = (struct wanted){.header = TEXT_INIT};
    builder_cuda_words(b, &wanted->device, source);
    builder_device_words(b, &wanted->device);
    builder_cuda_words(b, &wanted->host, source);
    builder_host_words(b, &wanted->host);
    builder_header_words(b, &wanted->device, PARTS_CUDA);
    builder_header_words(b, &wanted->host, PARTS_CUDA);
    text_append_format(&wanted->header, "%s/" OWN_HEADER, b->parts.include[PARTS_CUDA].data);
    wanted->is = (struct header_wanted){.device = &wanted->device,
                                        .host = &wanted->host,
                                        .header = wanted->header.data,
                                        .environment = b->environment.word};
}

static void wanted_release(struct wanted *wanted) {
    child_words_release(&wanted->device);
    child_words_release(&wanted->host);
    text_release(&wanted->header);
}

/* Macros of the program may change the header's meaning, and sanitizers its compiled form. */
void builder_find_headers(struct builder *b, const struct user_source *source) {
    struct wanted wanted;
    struct child_words folders = {0};
    if (b->build->define && *b->build->define)
        return;
    char *folder = b->build->is_submission ? NULL : builder_folder_of(source->path);
    wanted_init(&wanted, b, source);
    if (folder)
        child_words_add(&folders, folder, NULL);
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(&folders, *include, NULL);
    char *const none[] = {NULL};
    b->headers = header_cache_find(&wanted.is, folders.count ? folders.word : none);
    b->lacks_headers = b->lacks_headers || !b->headers;
    child_words_release(&folders);
    free(folder);
    wanted_release(&wanted);
}

void builder_begin_words(const struct builder *b, struct child_words *words, bool device) {
    if (!b->headers) {
        child_words_split(words, "-include " OWN_HEADER);
        return;
    }
    child_words_split(words, "-Xclang -include-pch -Xclang");
    child_words_add(words, b->headers, device ? HEADER_DEVICE : HEADER_HOST);
    child_words_split(words, "-include cudacpu/allocation.h");
    /* Otherwise clang refuses a header with different options, which only affect functions. */
    if (builder_is_for_one_thread(b))
        child_words_split(words, "-Xclang -fno-validate-pch");
}

bool builder_blames_headers(const struct builder *b) {
    static const char *const said[] = {"PCH file", "AST file", "PLEASE submit a bug report"};
    bool blames = b->headers && strstr(b->output.data, b->headers);
    for (size_t i = 0; b->headers && i < sizeof said / sizeof said[0]; i++)
        blames = blames || strstr(b->output.data, said[i]);
    return blames;
}

void builder_make_headers(const struct builder *b) {
    struct wanted wanted;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (builder_is_cuda(&b->build->sources[i])) { /* all of them share the header */
            wanted_init(&wanted, b, &b->build->sources[i]);
            header_cache_make(&wanted.is);
            wanted_release(&wanted);
            return;
        }
}

void user_program_prepare(void) {
    static const struct text none = TEXT_INIT;
    const struct user_source source = {.path = "program.cu", .name = "program.cu", .text = &none};
    const struct user_build build = {.sources = &source, .source_count = 1};
    struct user_program program = {.remarks = TEXT_INIT};
    struct error err = ERROR_INIT;
    struct builder b = {.program = &program, .build = &build, .output = TEXT_INIT, .err = &err};
    child_environment(&b.environment, NULL);
    child_words_add(&b.environment, "LC_MESSAGES=C", NULL);
    if (parts_find(&b.parts, &err) == 0 && parts_find_clang(&b.parts, &err) == 0)
        builder_make_headers(&b);
    parts_release(&b.parts);
    child_words_release(&b.environment);
    text_release(&b.output);
}
