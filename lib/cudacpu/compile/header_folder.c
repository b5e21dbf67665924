/*
 * A header is valid only if all files from which it was made are unchanged and no new file would be
 * found before one of them. clang checks the former but not the latter.
 */
#include "cudacpu/compile/header_folder.h"

#include "base/file.h"
#include "base/memory.h"
#include "cudacpu/compile/search_path.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPILED "CPCH" /* the first bytes of a precompiled header */

char *header_path(const char *folder, const char *name) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s%s", folder, name);
    return text_detach(&path);
}

/* ---- a key for the inputs of a header ---- */

#define FIRST_NUMBER UINT64_C(0xcbf29ce484222325)

/* FNV-1a, of 64 bits. */
static uint64_t add_bytes(uint64_t number, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        number = (number ^ byte[i]) * UINT64_C(0x100000001b3);
    return number;
}

static uint64_t add_string(uint64_t number, const char *string) {
    return add_bytes(number, string, strlen(string) + 1);
}

#ifdef __APPLE__
#define NANOSECONDS(status) ((status).st_mtimespec.tv_nsec)
#else
#define NANOSECONDS(status) ((status).st_mtim.tv_nsec)
#endif

/* Adds the state of a file: it changes when the file is written or replaced. */
static uint64_t add_file(uint64_t number, const char *path) {
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    const uint64_t facts[] = {
        exists, exists ? (uint64_t)status.st_size : 0, exists ? (uint64_t)status.st_mtime : 0,
        exists ? (uint64_t)NANOSECONDS(status) : 0, exists ? (uint64_t)status.st_ino : 0};
    return add_bytes(add_string(number, path), facts, sizeof facts);
}

/* The compiler, as found in PATH. */
static uint64_t add_program(uint64_t number, const char *name) {
    struct text found = TEXT_INIT;
    if (strchr(name, '/') || !search_path_find(&found, name))
        text_append(&found, name);
    char *real = realpath(found.data, NULL); /* a link may later point to another version */
    number = add_file(number, real ? real : found.data);
    free(real);
    text_release(&found);
    return number;
}

uint64_t header_key(const struct child_words *compile, const char *header,
                    char *const *environment) {
    static const char *const variables[] = {
        "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "COMPILER_PATH="};
    uint64_t key = FIRST_NUMBER;
    for (size_t i = 0; i < compile->count; i++)
        key = add_string(key, compile->word[i]);
    for (; *environment; environment++)
        for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
            if (strncmp(*environment, variables[i], strlen(variables[i])) == 0)
                key = add_string(key, *environment);
    return add_program(add_file(key, header), compile->word[0]);
}

/* ---- the list of files ---- */

/* A line for each file; the first is their key. NULL if it cannot be read. */
static char *read_list(const char *path) {
    struct text text = TEXT_INIT;
    if (file_read(path, SIZE_MAX, &text, NULL) == FILE_READ)
        return text_detach(&text);
    text_release(&text);
    return NULL;
}

/* The next line, NUL-terminated; NULL after the last. */
static char *next_line(char **rest) {
    char *line = *rest, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    return line;
}

static uint64_t list_hash(char *lines, const char *folder) {
    static const char *const sides[HEADER_SIDES] = {HEADER_DEVICE, HEADER_HOST};
    uint64_t number = 0;
    for (int i = 0; i < HEADER_SIDES; i++) {
        char *compiled = header_path(folder, sides[i]);
        struct stat status;
        number = number * 31 + (stat(compiled, &status) == 0 ? (uint64_t)status.st_size : 0);
        free(compiled);
    }
    for (const char *line; (line = next_line(&lines));)
        number = add_file(number, line);
    return number;
}

static bool has_line(const char *lines, const char *line) {
    const size_t length = strlen(line);
    for (const char *at = lines; (at = strstr(at, line)); at += length)
        if ((at == lines || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

/* Adds the files of a make rule ("target: file file \") as lines, each once. */
static void append_rule(struct text *list, const char *rule) {
    struct text file = TEXT_INIT;
    const char *at = strchr(rule, ':');
    for (at = at ? at + 1 : ""; *at;) {
        if (isspace((unsigned char)*at) || (*at == '\\' && at[1] == '\n')) {
            at++;
            continue;
        }
        text_clear(&file);
        for (; *at && !isspace((unsigned char)*at); at++) {
            if (*at == '\\' && at[1] == ' ')
                at++;
            text_append_char(&file, *at);
        }
        if (!has_line(list->data, file.data))
            text_append_format(list, "%s\n", file.data);
    }
    text_release(&file);
}

/* Adds the inputs of both sides; false if a rule is missing. */
static bool append_rules(struct text *list, const char *folder) {
    static const char *const rules[HEADER_SIDES] = {HEADER_DEVICE_RULE, HEADER_HOST_RULE};
    bool all = true;
    for (int i = 0; i < HEADER_SIDES; i++) {
        char *path = header_path(folder, rules[i]), *rule = read_list(path);
        if (rule)
            append_rule(list, rule);
        all = all && rule;
        free(rule);
        free(path);
    }
    return all;
}

bool header_list_write(const char *folder) {
    struct text list = TEXT_INIT;
    char *path = header_path(folder, HEADER_FILES);
    const bool all = append_rules(&list, folder);
    char *lines = memory_string(list.data);
    FILE *file = all ? fopen(path, "w") : NULL;
    bool written =
        file && fprintf(file, "%016" PRIx64 "\n%s", list_hash(lines, folder), list.data) > 0;
    if (file && fclose(file) != 0)
        written = false;
    text_release(&list);
    free(lines);
    free(path);
    return written;
}

/* ---- other files in their place ---- */

#define NAME_FOLDERS 2 /* the most folders in the name of a header: <bits/types/time_t.h> */

/* A folder that is searched first, with its last answer cached. */
struct search {
    const char *folder;
    const char *name; /* of a folder in it, up to a slash */
    size_t length;
    bool has;
};

static bool is_in_folder(struct search *search, const char *name) {
    const size_t length = strcspn(name, "/");
    struct text path = TEXT_INIT;
    if (!name[length]) /* a file */
        return true;
    if (search->name && search->length == length && strncmp(search->name, name, length) == 0)
        return search->has;
    text_append_format(&path, "%s/%.*s", search->folder, (int)length, name);
    search->name = name;
    search->length = length;
    search->has = access(path.data, F_OK) == 0;
    text_release(&path);
    return search->has;
}

/* True if the folder has a file of that name that is not `file` itself, by whatever path. */
static bool has_other_file(const char *folder, const char *name, const char *file) {
    struct text path = TEXT_INIT;
    struct stat one, two;
    text_append_format(&path, "%s/%s", folder, name);
    const bool is = stat(path.data, &one) == 0 && S_ISREG(one.st_mode) && stat(file, &two) == 0 &&
                    (one.st_ino != two.st_ino || one.st_dev != two.st_dev);
    text_release(&path);
    return is;
}

/* True if the folder hides the file, which may have been included by a name with folders in it. */
static bool hides(struct search *search, const char *file) {
    const char *name = file + strlen(file);
    for (int i = 0; i <= NAME_FOLDERS && name > file; i++) {
        for (name--; name > file && name[-1] != '/';)
            name--;
        if (name > file && is_in_folder(search, name) && has_other_file(search->folder, name, file))
            return true;
    }
    return false;
}

/* True if one of the folders has a file that would be found instead of one in the list. */
static bool is_hidden(const char *list, char *const *folders) {
    bool is = false;
    for (char *const *folder = folders; *folder && !is; folder++) {
        struct search search = {.folder = *folder};
        char *copy = memory_string(list), *lines = copy;
        for (const char *line; !is && (line = next_line(&lines));)
            is = hides(&search, line);
        free(copy);
    }
    return is;
}

enum header_state header_state(const char *folder, char *const *folders) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return HEADER_ABSENT;
    /* The header becomes part of the program, so no other user may have put it there. */
    if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH))
        return HEADER_HIDDEN;
    char *path = header_path(folder, HEADER_FILES);
    char *list = read_list(path), *lines = list;
    enum header_state state = HEADER_STALE;
    const char *number = list ? next_line(&lines) : NULL;
    if (number) {
        const uint64_t wanted = strtoull(number, NULL, 16);
        char *copy = memory_string(lines);
        if (list_hash(copy, folder) == wanted)
            state = is_hidden(lines, folders) ? HEADER_HIDDEN : HEADER_GOOD;
        free(copy);
    }
    free(list);
    free(path);
    return state;
}

static bool is_compiled(const char *folder, const char *side) {
    char bytes[sizeof COMPILED - 1];
    char *path = header_path(folder, side);
    FILE *file = fopen(path, "r");
    const bool is = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                    memcmp(bytes, COMPILED, sizeof bytes) == 0;
    if (file)
        fclose(file);
    free(path);
    return is;
}

bool header_is_compiled(const char *folder) {
    return is_compiled(folder, HEADER_DEVICE) && is_compiled(folder, HEADER_HOST);
}

/* ---- removal ---- */

/* Not folders, and not the target of a link. */
static void remove_files(const char *folder) {
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        unlinkat(descriptor, entry->d_name, 0);
    if (entries)
        closedir(entries);
    else if (descriptor >= 0)
        close(descriptor);
}

void header_remove(const char *folder) {
    remove_files(folder); /* and files that a killed compiler has left */
    rmdir(folder);
}
