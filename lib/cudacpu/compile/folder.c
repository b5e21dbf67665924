/*
 * The lock on a file in the folder distinguishes a folder in use from an abandoned one. A process
 * number could not do that, because the system may have reused it.
 */
#include "cudacpu/compile/folder.h"

#include "base/memory.h"
#include "base/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOLDER        "shflviz-" /* followed by six characters */
#define LOCK          ".in-use"  /* in the folder */
#define LEFT_SECONDS  10         /* a new folder looks unused until it is locked */
#define FOLDER_DEPTH  64
#define FOLDER_ROUNDS 65536

/* Gives the owner all rights to a folder, without following a link that has replaced it. */
static int free_folder(int parent, const char *name) {
#ifdef O_PATH
    char path[40];
    const int descriptor = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const int status = chmod(path, 0700);
    close(descriptor);
    return status;
#else
    return fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW);
#endif
}

/* Opens the folder so that it can be emptied, whatever its mode. */
static int open_folder(int parent, const char *name) {
    const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = openat(parent, name, how);
    if (descriptor < 0 && errno == EACCES && free_folder(parent, name) == 0)
        descriptor = openat(parent, name, how);
    if (descriptor >= 0)
        fchmod(descriptor, 0700);
    return descriptor;
}

/* Removes everything in a folder except its lock; takes over `folder`. Anything deeper than
 * `depth` is moved to the top, to be found in the next round. */
static void empty_folder(int folder, int top, unsigned *moved, int depth) {
    DIR *entries = fdopendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (folder == top && strcmp(name, LOCK) == 0) || unlinkat(folder, name, 0) == 0)
            continue;
        if (depth == 0) {
            char deep[32];
            snprintf(deep, sizeof deep, "deep-%u", (*moved)++);
            renameat(folder, name, top, deep);
            continue;
        }
        int below = open_folder(folder, name);
        if (below >= 0)
            empty_folder(below, top, moved, depth - 1);
        unlinkat(folder, name, AT_REMOVEDIR);
    }
    if (entries)
        closedir(entries);
    else
        close(folder);
}

/* Removes a folder that a program may have filled arbitrarily; links are not followed. The lock is
 * removed last: until then the next shflviz can recognise the folder. */
static void remove_folder(int parent, const char *name) {
    unsigned moved = 0, before = 0;
    int top, rounds = 0;
    do {
        before = moved;
        if ((top = open_folder(parent, name)) >= 0)
            empty_folder(top, top, &moved, FOLDER_DEPTH);
    } while (moved != before && ++rounds < FOLDER_ROUNDS);
    if ((top = open_folder(parent, name)) >= 0) {
        unlinkat(top, LOCK, 0);
        close(top);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removes a folder like ours that is no longer in use: its lock belongs to this user and is
 * free. */
static void sweep_one(int temporary, const char *name) {
    struct stat status;
    int folder = openat(temporary, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = folder < 0 ? -1 : openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock >= 0 && fstat(lock, &status) == 0 && status.st_uid == getuid() &&
        fstat(folder, &status) == 0 && status.st_uid == getuid() &&
        time(NULL) - status.st_mtime >= LEFT_SECONDS && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        remove_folder(temporary, name);
    }
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
}

/* Removes the folders of killed processes. */
static void sweep(const char *temporary) {
    DIR *folder = opendir(temporary);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strlen(entry->d_name) == strlen(FOLDER "XXXXXX") &&
            strncmp(entry->d_name, FOLDER, strlen(FOLDER)) == 0)
            sweep_one(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
}

int private_folder_make(struct private_folder *made, struct error *err) {
    const char *given = getenv("TMPDIR"), *temporary = given && *given ? given : "/tmp";
    struct text folder = TEXT_INIT;
    sweep(temporary);
    text_append_format(&folder, "%s/" FOLDER "XXXXXX", temporary);
    if (!mkdtemp(folder.data)) {
        error_set_errno(err, ERROR_USAGE, errno, _("cannot create directory %s"), folder.data);
        text_release(&folder);
        return -1;
    }
    made->path = realpath(folder.data, NULL); /* absolute: it is used from other folders, too */
    if (!made->path)
        made->path = memory_string(folder.data);
    text_release(&folder);
    char *lock = private_folder_path(made, LOCK);
    made->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made->lock >= 0)
        flock(made->lock, LOCK_EX | LOCK_NB);
    free(lock);
    return 0;
}

void private_folder_remove(struct private_folder *folder) {
    if (folder->path) {
        remove_folder(AT_FDCWD, folder->path);
        if (folder->lock >= 0)
            close(folder->lock);
    }
    free(folder->path);
    folder->path = NULL;
}

char *private_folder_path(const struct private_folder *folder, const char *name) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s/%s", folder->path, name);
    return text_detach(&path);
}

int private_file_write(const char *path, const char *head, const struct text *text,
                       struct error *err) {
    FILE *file = fopen(path, "w");
    bool written =
        file && fputs(head, file) >= 0 && fwrite(text->data, 1, text->length, file) == text->length;
    if (file && fclose(file) == 0 && written)
        return 0;
    if (errno == ENOSPC)
        return error_set(err, ERROR_USAGE, _("cannot write %s\n%s"), path,
                         _("the disk is full; try: TMPDIR=DIR, a folder with more room"));
    return error_set_errno(err, ERROR_USAGE, errno, _("cannot write %s"), path);
}
