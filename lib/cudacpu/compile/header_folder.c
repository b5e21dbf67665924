#include "cudacpu/compile/header_folder.h"

#include "base/file.h"
#include "base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GCCS   "gpch" /* what compiled headers begin with */
#define CLANGS "CPCH"

char *header_path(const char *folder, const char *name) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s%s", folder, name);
    return text_detach(&path);
}

/* ---- a number for what a header was made of ---- */

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

/* How a file is: what changes when it is written or put in another's place. */
static uint64_t add_file(uint64_t number, const char *path) {
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    const uint64_t facts[] = {
        exists, exists ? (uint64_t)status.st_size : 0, exists ? (uint64_t)status.st_mtime : 0,
        exists ? (uint64_t)NANOSECONDS(status) : 0, exists ? (uint64_t)status.st_ino : 0};
    return add_bytes(add_string(number, path), facts, sizeof facts);
}

/* The compiler, where PATH has it. */
static uint64_t add_program(uint64_t number, const char *name) {
    const char *search = strchr(name, '/') ? NULL : getenv("PATH");
    char *found = memory_string(name);
    for (size_t length; search && *search; search += length + (search[length] == ':')) {
        struct text path = TEXT_INIT;
        length = strcspn(search, ":");
        text_append_bytes(&path, search, length);
        text_append_format(&path, "/%s", name);
        if (access(path.data, X_OK) == 0) {
            free(found);
            found = text_detach(&path);
            break;
        }
        text_release(&path);
    }
    char *real = realpath(found, NULL); /* a link may be turned to another version */
    number = add_file(number, real ? real : found);
    free(real);
    free(found);
    return number;
}

uint64_t header_key(const struct child_words *compile, const char *header,
                    char *const *environment) {
    static const char *const variables[] = {
        "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "GCC_EXEC_PREFIX=", "COMPILER_PATH="};
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

/* A line for each; the first is the number that they had. NULL if it cannot be read. */
static char *read_list(const char *path) {
    struct text text = TEXT_INIT;
    if (file_read(path, SIZE_MAX, &text, NULL) == FILE_READ)
        return text_detach(&text);
    text_release(&text);
    return NULL;
}

/* The next line, ended by NUL; NULL behind the last. */
static char *next_line(char **rest) {
    char *line = *rest, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    return line;
}

static uint64_t list_number(char *lines, const char *folder) {
    char *compiled = header_path(folder, HEADER_COMPILED);
    struct stat status;
    uint64_t number = stat(compiled, &status) == 0 ? (uint64_t)status.st_size : 0;
    for (const char *line; (line = next_line(&lines));)
        number = add_file(number, line);
    free(compiled);
    return number;
}

/* What make would be told ("target: file file \"), as lines. */
static void append_rule(struct text *list, const char *rule) {
    const char *at = strchr(rule, ':');
    for (at = at ? at + 1 : ""; *at;) {
        if (isspace((unsigned char)*at) || (*at == '\\' && at[1] == '\n')) {
            at++;
            continue;
        }
        for (; *at && !isspace((unsigned char)*at); at++) {
            if (*at == '\\' && at[1] == ' ')
                at++;
            text_append_char(list, *at);
        }
        text_append_char(list, '\n');
    }
}

bool header_list_write(const char *folder) {
    char *rule_path = header_path(folder, HEADER_RULE), *path = header_path(folder, HEADER_FILES);
    char *rule = read_list(rule_path);
    struct text list = TEXT_INIT;
    if (rule)
        append_rule(&list, rule);
    char *lines = memory_string(list.data);
    FILE *file = rule ? fopen(path, "w") : NULL;
    bool written =
        file && fprintf(file, "%016" PRIx64 "\n%s", list_number(lines, folder), list.data) > 0;
    if (file && fclose(file) != 0)
        written = false;
    text_release(&list);
    free(lines);
    free(rule);
    free(rule_path);
    free(path);
    return written;
}

/* Whether one of the folders has a file that would be found in the place of one of the list. */
static bool is_hidden(char *lines, char *const *folders) {
    for (const char *line; (line = next_line(&lines));) {
        const char *slash = strrchr(line, '/');
        for (char *const *folder = folders; slash && *folder; folder++) {
            char *other = header_path(*folder, slash);
            struct stat one, two;
            /* The header's own folders may be among them. */
            const bool hides = stat(other, &one) == 0 && S_ISREG(one.st_mode) &&
                               stat(line, &two) == 0 &&
                               (one.st_ino != two.st_ino || one.st_dev != two.st_dev);
            free(other);
            if (hides)
                return true;
        }
    }
    return false;
}

enum header_state header_state(const char *folder, char *const *folders) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return HEADER_ABSENT;
    /* It becomes part of the program: nobody else may have put it there. */
    if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH))
        return HEADER_HIDDEN;
    char *path = header_path(folder, HEADER_FILES);
    char *list = read_list(path), *lines = list;
    enum header_state state = HEADER_STALE;
    const char *number = list ? next_line(&lines) : NULL;
    if (number) {
        const uint64_t wanted = strtoull(number, NULL, 16);
        char *copy = memory_string(lines);
        if (list_number(copy, folder) == wanted)
            state = is_hidden(lines, folders) ? HEADER_HIDDEN : HEADER_GOOD;
        free(copy);
    }
    free(list);
    free(path);
    return state;
}

bool header_is_compiled(const char *folder) {
    char bytes[sizeof GCCS - 1];
    char *path = header_path(folder, HEADER_COMPILED);
    FILE *file = fopen(path, "r");
    const bool is =
        file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
        (memcmp(bytes, GCCS, sizeof bytes) == 0 || memcmp(bytes, CLANGS, sizeof bytes) == 0);
    if (file)
        fclose(file);
    free(path);
    return is;
}

/* ---- the header's part of a text ---- */

/* Where the line behind this one begins. */
static const char *line_behind(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Whether a line is a line marker ("# 12 "file" 1 3") of that file and flag. */
static bool is_marker(const char *line, const char *file, char flag) {
    const size_t length = strlen(file);
    if (strncmp(line, "# ", 2) != 0)
        return false;
    line += 2;
    line += strspn(line, "0123456789");
    return strncmp(line, " \"", 2) == 0 && strncmp(line + 2, file, length) == 0 &&
           line[2 + length] == '"' && line[3 + length] == ' ' && line[4 + length] == flag;
}

/* What is included by an option is included by a file that clang calls so. */
#define INCLUDER "<built-in>"

bool header_part(const char *text, const char *header, size_t *begin, size_t *end) {
    const char *line = text;
    while (*line && !is_marker(line, header, '1'))
        line = line_behind(line);
    *begin = (size_t)(line - text);
    while (*line && !is_marker(line, INCLUDER, '2'))
        line = line_behind(line);
    *end = (size_t)(line_behind(line) - text);
    return *line != '\0';
}

bool header_part_write(const char *folder, const char *part, size_t length) {
    char *path = header_path(folder, HEADER_TEXT);
    FILE *file = fopen(path, "w");
    bool written =
        file && fprintf(file, "%016" PRIx64 "\n", add_bytes(FIRST_NUMBER, part, length)) > 0;
    if (file && fclose(file) != 0)
        written = false;
    free(path);
    return written;
}

bool header_part_is(const char *folder, const char *part, size_t length) {
    char *path = header_path(folder, HEADER_TEXT), *number = read_list(path);
    const bool is =
        number && *number && strtoull(number, NULL, 16) == add_bytes(FIRST_NUMBER, part, length);
    free(number);
    free(path);
    return is;
}

/* ---- away with it ---- */

/* No folders, and nothing behind a link. */
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
    char *below = header_path(folder, HEADER_BELOW);
    remove_files(below);
    rmdir(below);
    remove_files(folder); /* and what a compiler has left there that was ended */
    rmdir(folder);
    free(below);
}
