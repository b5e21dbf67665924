#include "device/own/header_cache.h"

#include "base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COMPILED     "/shflviz/record.cuh.gch"
#define MAGIC        "gpch" /* what gcc's begin with */
#define HEADERS      "headers-"
#define HEADERS_MOST 4 /* 40 MB each */
#define SECONDS_MOST 30
#define DAY          (24 * 60 * 60)

static char *path_of(const char *folder, const char *name) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s%s", folder, name);
    return text_detach(&path);
}

/* ---- a number for what a header was made of ---- */

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

static uint64_t key_of(const struct child_words *compile, const char *header,
                       char *const *environment) {
    static const char *const variables[] = {
        "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "GCC_EXEC_PREFIX=", "COMPILER_PATH="};
    uint64_t key = UINT64_C(0xcbf29ce484222325);
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
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text_append_stream(&text, file);
    fclose(file);
    return text_detach(&text);
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
    char *compiled = path_of(folder, COMPILED);
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

static bool write_list(const char *folder) {
    char *rule_path = path_of(folder, "/rule"), *path = path_of(folder, "/files");
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
            char *other = path_of(*folder, slash);
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

enum state { IS_ABSENT, IS_STALE, IS_HIDDEN, IS_GOOD };

static enum state examine(const char *folder, char *const *folders) {
    struct stat status;
    if (stat(folder, &status) != 0)
        return IS_ABSENT;
    /* It becomes part of the program: nobody else may have put it there. */
    if (status.st_uid != geteuid() || status.st_mode & (S_IWGRP | S_IWOTH))
        return IS_HIDDEN;
    char *path = path_of(folder, "/files");
    char *list = read_list(path), *lines = list;
    enum state state = IS_STALE;
    const char *number = list ? next_line(&lines) : NULL;
    if (number) {
        const uint64_t wanted = strtoull(number, NULL, 16);
        char *copy = memory_string(lines);
        if (list_number(copy, folder) == wanted)
            state = is_hidden(lines, folders) ? IS_HIDDEN : IS_GOOD;
        free(copy);
    }
    free(list);
    free(path);
    return state;
}

/* ---- the folder ---- */

/* As the XDG Base Directory Specification has it: a path that is not absolute does not count. */
char *header_cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return path_of(cache, "/shflviz");
    return home && home[0] == '/' ? path_of(home, "/.cache/shflviz") : NULL;
}

static bool make_folder(const char *path) {
    char *parent = memory_string(path), *slash = strrchr(parent, '/');
    *slash = '\0';
    const bool made = (mkdir(parent, 0700) == 0 || errno == EEXIST) &&
                      (mkdir(path, 0700) == 0 || errno == EEXIST);
    free(parent);
    return made;
}

/* What is in one of our folders, and no more: a compiled header, a list and a rule. */
static void remove_headers(const char *folder) {
    static const char *const names[] = {COMPILED, "/files", "/rule"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = path_of(folder, names[i]);
        unlink(path);
        free(path);
    }
    char *below = path_of(folder, "/shflviz");
    rmdir(below);
    free(below);
    rmdir(folder);
}

/* Removes the oldest while there are more than may be, so that compilers come and go. */
static void limit_headers(const char *cache) {
    for (;;) {
        char *oldest = NULL;
        time_t since = 0;
        unsigned count = 0;
        DIR *entries = opendir(cache);
        for (struct dirent *entry; entries && (entry = readdir(entries));) {
            struct stat status;
            if (strncmp(entry->d_name, HEADERS, strlen(HEADERS)) != 0 ||
                fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                !S_ISDIR(status.st_mode))
                continue;
            count++;
            if (!oldest || status.st_mtime < since) {
                free(oldest);
                oldest = memory_string(entry->d_name);
                since = status.st_mtime;
            }
        }
        if (entries)
            closedir(entries);
        struct text path = TEXT_INIT;
        text_append_format(&path, "%s/%s", cache, oldest ? oldest : "");
        free(oldest);
        if (count > HEADERS_MOST)
            remove_headers(path.data);
        const bool done = count <= HEADERS_MOST || access(path.data, F_OK) == 0;
        text_release(&path);
        if (done)
            return;
    }
}

/* ---- making one ---- */

static void ignore_output(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

static bool is_gccs(const char *path) {
    char bytes[sizeof MAGIC - 1];
    FILE *file = fopen(path, "r");
    const bool is = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                    memcmp(bytes, MAGIC, sizeof bytes) == 0;
    if (file)
        fclose(file);
    return is;
}

/* CHILD_EXITED with code 0 if it is there. */
static struct child_result compile_into(const char *folder, const struct child_words *compile,
                                        const char *header, char *const *environment) {
    const struct confine confine = {.role = CONFINE_NOTHING, .limits = {.seconds = SECONDS_MOST}};
    struct child_words words = {0};
    char *below = path_of(folder, "/shflviz"), *compiled = path_of(folder, COMPILED);
    char *rule = path_of(folder, "/rule");
    for (size_t i = 0; i < compile->count; i++)
        child_words_add(&words, compile->word[i], NULL);
    child_words_split(&words, "-MD -MF");
    child_words_add(&words, rule, NULL);
    child_words_split(&words, "-x c++-header");
    child_words_add(&words, header, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, compiled, NULL);
    const struct child_command command = {.words = words.word,
                                          .environment = environment,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = ignore_output};
    struct child_result result = {.end = CHILD_EXITED, .code = 1};
    if (mkdir(below, 0700) == 0)
        result = child_run(&command);
    if (result.end == CHILD_EXITED && result.code == 0 && !is_gccs(compiled))
        result.code = 1;
    child_words_release(&words);
    free(below);
    free(compiled);
    free(rule);
    return result;
}

/* Whether the mark was there; if not, sets it. */
static bool mark(const char *folder, const char *ending) {
    char *path = path_of(folder, ending);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool was_there = file < 0 && errno == EEXIST;
    if (file >= 0)
        close(file);
    free(path);
    return was_there;
}

#define ASKED  ".asked"  /* a program has been built with this compiler and these options */
#define UNABLE ".unable" /* this compiler made none */

/* For a day: the disk may have been full, the header may have been mended. */
static bool is_unable(const char *folder) {
    struct stat status;
    char *path = path_of(folder, UNABLE);
    const time_t age = stat(path, &status) == 0 ? time(NULL) - status.st_mtime : DAY;
    const bool is = age >= 0 && age < DAY;
    if (!is)
        unlink(path);
    free(path);
    return is;
}

static void make(const char *cache, const char *folder, const struct child_words *compile,
                 const char *header, char *const *environment) {
    char *temporary = path_of(cache, "/" HEADERS "XXXXXX");
    if (mkdtemp(temporary)) {
        const struct child_result result = compile_into(temporary, compile, header, environment);
        const bool made = result.end == CHILD_EXITED && result.code == 0;
        if (result.end == CHILD_EXITED && !made)
            mark(folder, UNABLE);
        /* Where somebody else was first, theirs stays. */
        if (!made || !write_list(temporary) || rename(temporary, folder) != 0)
            remove_headers(temporary);
        limit_headers(cache);
    }
    free(temporary);
}

char *header_cache_find(const struct child_words *compile, const char *header, char *const *folders,
                        char *const *environment) {
    char *cache = header_cache_folder();
    if (!cache || !make_folder(cache)) {
        free(cache);
        return NULL;
    }
    struct text folder = TEXT_INIT;
    text_append_format(&folder, "%s/" HEADERS "%016" PRIx64, cache,
                       key_of(compile, header, environment));
    enum state state = examine(folder.data, folders);
    if (state == IS_STALE)
        remove_headers(folder.data);
    if (!is_unable(folder.data) &&
        (state == IS_STALE || (state == IS_ABSENT && mark(folder.data, ASKED)))) {
        make(cache, folder.data, compile, header, environment);
        state = examine(folder.data, folders);
    }
    free(cache);
    char *found = text_detach(&folder);
    if (state == IS_GOOD)
        return found;
    free(found);
    return NULL;
}

static uint64_t bytes_in(const char *folder, int depth) {
    uint64_t bytes = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(status.st_mode)) {
            bytes += (uint64_t)status.st_size;
        } else if (S_ISDIR(status.st_mode) && depth > 0) {
            struct text path = TEXT_INIT;
            text_append_format(&path, "%s/%s", folder, entry->d_name);
            bytes += bytes_in(path.data, depth - 1);
            text_release(&path);
        }
    }
    if (entries)
        closedir(entries);
    return bytes;
}

uint64_t header_cache_bytes(const char *folder) {
    return bytes_in(folder, 3);
}
