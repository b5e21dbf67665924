/*
 * A kernel usually comes from a project: its headers are two folders up, and one of them includes
 * torch. Users should not have to type -I for those just to look at a shuffle.
 */
#include "launch/program/user_headers.h"

#include "base/file.h"
#include "bring/functions.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_MOST ((size_t)1 << 20)
/* The deepest nesting of headers that are inserted in place of their lines. */
#define DEPTH_MOST 4
#define FOLDERS_UP 3

/* Finds the name between the quotes of #include "..."; returns its length, 0 for any other line. */
static size_t include_name(const char *line, const char **name) {
    line += strspn(line, " \t");
    if (*line != '#')
        return 0;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return 0;
    line += 7 + strspn(line + 7, " \t");
    *name = line + 1;
    return *line == '"' ? strcspn(line + 1, "\"\n") : 0;
}

/* Reads FOLDER/BETWEEN/NAME; `path` gets its path. */
static bool read_header(const char *folder, const char *between, const char *name, size_t length,
                        struct text *path, struct text *header) {
    text_clear(path);
    text_clear(header);
    text_append_format(path, "%s/%s%s%.*s", folder, between, *between ? "/" : "", (int)length,
                       name);
    return file_read(path->data, HEADER_MOST, header, NULL) == FILE_READ;
}

/* Looks in the same folders as the compiler. */
static bool find_header(const char *folder, const struct word_list *include, const char *name,
                        size_t length, struct text *path, struct text *header) {
    bool found = read_header(folder, "", name, length, path, header);
    for (int i = 0; !found && i < include->count; i++)
        found = read_header(include->word[i], "", name, length, path, header);
    return found;
}

static bool find_nearby(const char *folder, const char *name, size_t length, struct text *path,
                        struct text *header) {
    static const char *const usual[] = {"", "include", "inc", "utils", "common", "src", "csrc"};
    struct text up = TEXT_INIT;
    bool found = false;
    text_append(&up, folder);
    for (int i = 0; !found && i <= FOLDERS_UP; i++) {
        for (size_t k = 0; !found && k < sizeof usual / sizeof *usual; k++)
            found = read_header(up.data, usual[k], name, length, path, header);
        text_append(&up, "/..");
    }
    text_release(&up);
    return found;
}

/* Names the header by its full path, because the compiler runs in another folder. */
static void append_include(struct text *text, const char *path) {
    char *whole = realpath(path, NULL);
    text_append_format(text, "#include \"%s\"", whole ? whole : path);
    free(whole);
}

static bool has_host_library(const char *text) {
    struct functions functions;
    functions_find(&functions, text);
    const bool has = functions.has_host_library;
    functions_release(&functions);
    return has;
}

static bool resolve(const char *path, const struct word_list *include, struct text *text,
                    struct text *missing, int depth) {
    char *folder = file_folder(path);
    struct text whole = TEXT_INIT, header = TEXT_INIT, place = TEXT_INIT;
    unsigned long number = 1;
    for (const char *line = text->data, *next; *line; line = next, number++) {
        const char *name;
        const size_t length = include_name(line, &name), end = strcspn(line, "\n");
        next = line + end + (line[end] == '\n');
        const bool here = length && find_header(folder, include, name, length, &place, &header);
        const bool found = here || (length && find_nearby(folder, name, length, &place, &header));
        if (length && !found && missing) {
            text_append_format(missing, "%s%.*s", missing->length ? " " : "", (int)length, name);
        } else if (found && missing && depth < DEPTH_MOST && has_host_library(header.data)) {
            resolve(place.data, include, &header, missing, depth + 1);
            text_append_format(&whole, "#line 1 \"%s\"\n%s\n#line %lu \"%s\"", place.data,
                               header.data, number + 1, path);
        } else if (found && !here) {
            append_include(&whole, place.data);
        } else {
            text_append_bytes(&whole, line, end);
        }
        text_append_bytes(&whole, line + end, (size_t)(next - line) - end);
    }
    const bool changed = strcmp(whole.data, text->data) != 0;
    text_release(text);
    *text = whole;
    text_release(&header);
    text_release(&place);
    free(folder);
    return changed;
}

bool user_headers_resolve(const char *path, const struct word_list *include, struct text *text,
                          struct text *missing) {
    return resolve(path, include, text, missing, 0);
}
