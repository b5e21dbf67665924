/*
 * One process makes a header under a lock; others meanwhile compile without it, so that none waits.
 * A header appears by a rename, so that a reader never sees half of one.
 */
#include "cudacpu/compile/header_cache.h"

#include "base/memory.h"
#include "cudacpu/compile/header_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HEADERS      "headers-" /* then the key and, while it is made, a dot and six characters */
#define LOCK         "/making"
#define HEADERS_MOST 4   /* 15 MB each */
#define SECONDS_MOST 600 /* a low-priority process may get little time */
#define DAY          (24 * 60 * 60)

/* The limit when it is not made in the background. */
static bool is_wanted_now(void) {
    const char *when = getenv("SHFLVIZ_HEADERS");
    return when && strcmp(when, "now") == 0;
}

/* ---- the folder ---- */

/* Per the XDG Base Directory Specification: a path that is not absolute is ignored. */
char *header_cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return header_path(cache, "/shflviz");
    return home && home[0] == '/' ? header_path(home, "/.cache/shflviz") : NULL;
}

static bool make_folder(const char *path) {
    char *parent = memory_string(path), *slash = strrchr(parent, '/');
    *slash = '\0';
    const bool made = (mkdir(parent, 0700) == 0 || errno == EEXIST) &&
                      (mkdir(path, 0700) == 0 || errno == EEXIST);
    free(parent);
    return made;
}

static bool is_ours(const char *name) {
    return strncmp(name, HEADERS, strlen(HEADERS)) == 0;
}

static bool is_temporary(const char *name) {
    return is_ours(name) && strchr(name, '.') != NULL;
}

/* Removes the remains of killed processes. Requires the lock, so that no process is making a
 * header. */
static void remove_temporary(const char *cache) {
    DIR *entries = opendir(cache);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_temporary(entry->d_name)) {
            struct text path = TEXT_INIT;
            text_append_format(&path, "%s/%s", cache, entry->d_name);
            header_remove(path.data);
            text_release(&path);
        }
    if (entries)
        closedir(entries);
}

/* Removes the oldest beyond the limit, because compilers change over time. */
static void limit_headers(const char *cache) {
    for (;;) {
        char *oldest = NULL;
        time_t since = 0;
        unsigned count = 0;
        DIR *entries = opendir(cache);
        for (struct dirent *entry; entries && (entry = readdir(entries));) {
            struct stat status;
            if (!is_ours(entry->d_name) ||
                fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                !S_ISDIR(status.st_mode) || is_temporary(entry->d_name))
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
            header_remove(path.data);
        const bool done = count <= HEADERS_MOST || access(path.data, F_OK) == 0;
        text_release(&path);
        if (done)
            return;
    }
}

/* ---- compilers that cannot make one ---- */

#define UNABLE ".unable"

static void mark_failed(const char *folder) {
    char *path = header_path(folder, UNABLE);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    free(path);
}

/* For a day: after that the disk may have room, or the header may be fixed. */
static bool failed_recently(const char *folder) {
    struct stat status;
    char *path = header_path(folder, UNABLE);
    const time_t age = stat(path, &status) == 0 ? time(NULL) - status.st_mtime : DAY;
    const bool is = age >= 0 && age < DAY;
    if (!is)
        unlink(path);
    free(path);
    return is;
}

void header_cache_reject(const char *folder) {
    header_remove(folder);
    mark_failed(folder);
}

/* ---- making one ---- */

/* A header being made by the process that holds the lock. */
struct making {
    const struct header_wanted *wanted;
    char *cache, *folder;
    int lock; /* -1 if there is none */
};

static void release(struct making *making) {
    if (making->lock >= 0)
        close(making->lock);
    free(making->cache);
    free(making->folder);
}

static void drop_output(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

/* Runs the compiler with additional arguments. */
static struct child_result run(const struct making *making, const char *temporary,
                               const struct child_words *compile, struct child_words *more) {
    const struct confine confine = {.role = CONFINE_NOTHING, .limits = {.seconds = SECONDS_MOST}};
    struct child_words words = {0}, environment = {0};
    for (size_t i = 0; i < compile->count; i++)
        child_words_add(&words, compile->word[i], NULL);
    for (size_t i = 0; i < more->count; i++)
        child_words_add(&words, more->word[i], NULL);
    /* The child must not use the build's folder for temporary files, which is removed with the
     * build. */
    for (char *const *variable = making->wanted->environment; *variable; variable++)
        if (strncmp(*variable, "TMPDIR=", strlen("TMPDIR=")) != 0)
            child_words_add(&environment, *variable, NULL);
    child_words_add(&environment, "TMPDIR=", temporary);
    const struct child_command command = {.words = words.word,
                                          .environment = environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = drop_output,
                                          .behind = !is_wanted_now()};
    const struct child_result result = child_run(&command);
    child_words_release(&words);
    child_words_release(&environment);
    child_words_release(more);
    return result;
}

static bool succeeded(struct child_result result) {
    return result.end == CHILD_EXITED && result.code == 0;
}

/* Instantiates the templates that the header uses; otherwise every program would have to. */
static struct child_result compile_side(const struct making *making, const char *temporary,
                                        const struct child_words *compile, const char *side,
                                        const char *rules) {
    struct child_words words = {0};
    char *compiled = header_path(temporary, side), *rule = header_path(temporary, rules);
    child_words_split(&words, "-Xclang -emit-pch -Xclang -fpch-instantiate-templates -MD -MF");
    child_words_add(&words, rule, NULL);
    child_words_add(&words, "-c", NULL);
    child_words_add(&words, making->wanted->header, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, compiled, NULL);
    const struct child_result result = run(making, temporary, compile, &words);
    free(compiled);
    free(rule);
    return result;
}

static struct child_result compile_into(const struct making *making, const char *temporary) {
    struct child_result result =
        compile_side(making, temporary, making->wanted->device, HEADER_DEVICE, HEADER_DEVICE_RULE);
    if (succeeded(result))
        result =
            compile_side(making, temporary, making->wanted->host, HEADER_HOST, HEADER_HOST_RULE);
    if (succeeded(result) && !header_is_compiled(temporary))
        result.code = 1;
    return result;
}

/* Requires the lock. Keeps one that another process has made meanwhile. */
static void make(struct making *making) {
    char *const none[] = {NULL};
    const enum header_state state = header_state(making->folder, none);
    if (state != HEADER_ABSENT && state != HEADER_STALE)
        return;
    remove_temporary(making->cache);
    char *temporary = header_path(making->folder, ".XXXXXX");
    if (mkdtemp(temporary)) {
        struct child_result result = compile_into(making, temporary);
        if (result.end == CHILD_EXITED && result.code != 0)
            mark_failed(making->folder);
        const bool made = succeeded(result) && header_list_write(temporary);
        if (made)
            header_remove(making->folder); /* an outdated one */
        if (!made || rename(temporary, making->folder) != 0)
            header_remove(temporary);
        limit_headers(making->cache);
    }
    free(temporary);
}

static void make_in_background(void *context) {
    make(context);
}

/* The path where the header is or would be; false if there is no cache. To be released either
 * way. */
static bool begin(struct making *making, const struct header_wanted *wanted) {
    struct text folder = TEXT_INIT;
    *making = (struct making){.wanted = wanted, .cache = header_cache_folder(), .lock = -1};
    if (!making->cache || !make_folder(making->cache))
        return false;
    text_append_format(&folder, "%s/" HEADERS "%016" PRIx64, making->cache,
                       header_key(wanted->device, wanted->header, wanted->environment) * 31 +
                           header_key(wanted->host, wanted->header, wanted->environment));
    making->folder = text_detach(&folder);
    return true;
}

/* True if it must be made and no other process is making one: then we hold the lock. */
static bool claim_header(struct making *making, enum header_state state) {
    if ((state != HEADER_ABSENT && state != HEADER_STALE) || failed_recently(making->folder))
        return false;
    char *path = header_path(making->cache, LOCK);
    making->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    free(path);
    return making->lock >= 0 && flock(making->lock, LOCK_EX | LOCK_NB) == 0;
}

char *header_cache_find(const struct header_wanted *wanted, char *const *folders) {
    struct making making;
    char *found = NULL;
    if (begin(&making, wanted)) {
        enum header_state state = header_state(making.folder, folders);
        if (is_wanted_now() && claim_header(&making, state)) {
            make(&making);
            state = header_state(making.folder, folders);
        }
        if (state == HEADER_GOOD)
            found = memory_string(making.folder);
    }
    release(&making);
    return found;
}

void header_cache_make(const struct header_wanted *wanted) {
    struct making making;
    char *const none[] = {NULL};
    if (begin(&making, wanted) && claim_header(&making, header_state(making.folder, none))) {
        if (is_wanted_now())
            make(&making);
        else
            child_detach(make_in_background, &making, making.lock);
    }
    release(&making);
}

/* ---- size of the cache ---- */

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
