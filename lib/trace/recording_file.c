/*
 * Opening is a small protocol between processes: create, lock, and check that the name still leads
 * to the locked file, because another process may have renamed or removed it in between.
 */
#include "trace/recording_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "trace/format.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FLAGS (O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* ---- the existing file ---- */

/* Says whether the open file may be replaced: 1 yes, 0 no, -1 with errno. */
static int is_replaceable(int descriptor) {
    char magic[TRACE_FILE_MAGIC_BYTES];
    ssize_t count = pread(descriptor, magic, sizeof(magic), 0);
    if (count < 0)
        return -1;
    return count == 0 ||
           (count == sizeof(magic) && memcmp(magic, TRACE_FILE_MAGIC, sizeof(magic)) == 0);
}

static int error_foreign(struct error *err, const char *path) {
    return error_set(
        err, ERROR_USAGE,
        _("cannot record to '%s': it exists and is not a recording\n"
          "Only a recording or an empty file is replaced. Name another file, or remove "
          "this one first."),
        path);
}

static int error_locked(struct error *err, const char *path) {
    return error_set(err, ERROR_USAGE,
                     _("cannot record to '%s': another run is recording to it\n"
                       "Wait for it to end, or name another file."),
                     path);
}

/* Checks that an existing target may be replaced. */
static int check_target(const struct recording_file *file, struct stat *status, struct error *err) {
    *status = (struct stat){0};
    int descriptor = open(file->target, OPEN_FLAGS);
    if (descriptor < 0)
        return errno == ENOENT ? 0 : recording_error_open(err, errno, file->path);
    int replaceable = fstat(descriptor, status) == 0 ? is_replaceable(descriptor) : -1;
    int failed = errno;
    close(descriptor);
    if (replaceable < 0)
        return recording_error_open(err, failed, file->path);
    return replaceable ? 0 : error_foreign(err, file->path);
}

/* `-o FILE > FILE`: both would write to it. */
static bool is_output_of_this_process(const struct stat *file) {
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        struct stat output;
        if (fstat(descriptor, &output) == 0 && output.st_dev == file->st_dev &&
            output.st_ino == file->st_ino)
            return true;
    }
    return false;
}

/* Checks the path and follows its links. */
static int find_target(struct recording_file *file, struct error *err) {
    struct stat status;
    const char *path = file->path;
    if (!path[0])
        return error_set(
            err, ERROR_USAGE,
            _("cannot record to '': the name is empty\nName a file, such as xor.svt."));
    if (stat(path, &status) != 0) { /* open() reports why it cannot be created */
        if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
            return recording_error_open(err, ENOENT, path);
        file->target = memory_string(path);
        return 0;
    }
    /* Checked before it is opened: opening a device or a pipe can have side effects. */
    if (!S_ISREG(status.st_mode))
        return recording_error_open_kind(err, path, status.st_mode);
    if (is_output_of_this_process(&status))
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '%s': the output of this command also goes to that "
                           "file\nName another file after -o or after >."),
                         path);
    bool is_link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    char *target = is_link ? realpath(path, NULL) : memory_string(path);
    if (!target)
        return recording_error_open(err, errno, path);
    file->target = target;
    return 0;
}

/* ---- the partial file ---- */

enum lock { LOCK_TAKEN, LOCK_HELD_ELSEWHERE, LOCK_UNSUPPORTED };

static enum lock take_lock(int descriptor) {
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return LOCK_HELD_ELSEWHERE;
        if (errno != EINTR)
            return LOCK_UNSUPPORTED;
    }
    return LOCK_TAKEN;
}

/* True if the name still leads to the open file, which may have been renamed before it was
 * locked. */
static bool is_named(int descriptor, const char *path) {
    struct stat file, named;
    return fstat(descriptor, &file) == 0 && lstat(path, &named) == 0 &&
           file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

static bool has_steps(int descriptor) {
    struct trace *trace;
    /* A file that cannot be opened is kept: it may be damaged or of a later version. */
    if (trace_open_descriptor(&trace, descriptor, "", NULL) != 0)
        return true;
    bool steps = trace_step_count(trace) > 0;
    trace_close(trace);
    return steps;
}

/* Moves the recording of an earlier run out of the way; the caller has locked it. Returns 0 or an
 * errno value. */
static int put_aside(struct recording_file *file, int descriptor) {
    struct text name = TEXT_INIT;
    struct stat status;
    if (strcmp(file->partial, file->target) == 0 || !has_steps(descriptor))
        return unlink(file->partial) == 0 ? 0 : errno;
    for (unsigned number = 1;; number++) {
        text_clear(&name);
        text_append_format(&name, "%s-%u", file->partial, number);
        if (lstat(name.data, &status) != 0)
            break;
    }
    int failed = rename(file->partial, name.data) == 0 ? 0 : errno;
    free(file->leftover);
    file->leftover = failed ? NULL : memory_string(name.data);
    text_release(&name);
    return failed;
}

enum claim { CLAIM_DONE, CLAIM_AGAIN, CLAIM_FAILED };

/* Claims the open file for this run if possible. */
static enum claim claim(struct recording_file *file, int descriptor, bool created,
                        struct error *err) {
    struct stat status;
    enum lock lock = take_lock(descriptor);
    if (lock == LOCK_HELD_ELSEWHERE || (lock == LOCK_UNSUPPORTED && !created)) {
        error_locked(err, file->path);
        return CLAIM_FAILED;
    }
    if (!is_named(descriptor, file->partial) || fstat(descriptor, &status) != 0)
        return CLAIM_AGAIN;
    if (status.st_size == 0)
        return CLAIM_DONE;
    if (!S_ISREG(status.st_mode) || is_replaceable(descriptor) <= 0) {
        error_foreign(err, file->partial);
        return CLAIM_FAILED;
    }
    int failed = put_aside(file, descriptor);
    if (failed)
        recording_error_open(err, failed, file->path);
    return failed ? CLAIM_FAILED : CLAIM_AGAIN;
}

/* Opens and locks the file to record into. Only the holder of the lock of the file with that name
 * may rename or remove it. */
static int open_partial(struct recording_file *file, struct error *err) {
    for (;;) {
        const int flags = OPEN_FLAGS | O_NOFOLLOW;
        int descriptor = open(file->partial, flags | O_CREAT | O_EXCL, 0666);
        bool created = descriptor >= 0;
        if (descriptor < 0 && errno == EEXIST) {
            descriptor = open(file->partial, flags);
            if (descriptor < 0 && errno == ENOENT)
                continue; /* it has just been renamed */
        }
        if (descriptor < 0)
            return recording_error_open(err, errno == ELOOP ? EEXIST : errno, file->path);
        enum claim claimed = claim(file, descriptor, created, err);
        if (claimed == CLAIM_DONE) {
            file->descriptor = descriptor;
            return 0;
        }
        close(descriptor);
        if (claimed == CLAIM_FAILED)
            return -1;
    }
}

int recording_file_open(struct recording_file *file, const char *path, bool in_place,
                        struct error *err) {
    struct stat old;
    struct text partial = TEXT_INIT;
    *file = (struct recording_file){.path = memory_string(path), .descriptor = -1};
    int status = find_target(file, err);
    if (status == 0)
        status = check_target(file, &old, err);
    if (status == 0) {
        text_append_format(&partial, in_place ? "%s" : "%s.partial", file->target);
        file->partial = text_detach(&partial);
        status = open_partial(file, err);
    }
    if (status != 0) {
        recording_file_release(file);
        return -1;
    }
    file->occupied = !in_place && old.st_size > 0;
    if (old.st_nlink > 0) { /* the new file gets the old one's owner and group */
        if (fchown(file->descriptor, old.st_uid, old.st_gid) != 0)
            errno = 0; /* only root may do this */
        fchmod(file->descriptor, old.st_mode & 0777);
    }
    return 0;
}

/* ---- the end ---- */

static int sync_folder(const char *path) {
    char *folder = file_folder(path);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (descriptor < 0)
        return errno;
    int failed = fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
    close(descriptor);
    return failed;
}

int recording_file_commit(const struct recording_file *file, bool durable, struct error *err) {
    struct stat old;
    int failed = 0;
    if (durable && fsync(file->descriptor) != 0)
        failed = errno;
    if (!failed && check_target(file, &old, err) != 0) {
        error_append(err, _("\nThe recording is in '%s'."), file->partial);
        return -1;
    }
    if (!failed && rename(file->partial, file->target) != 0)
        failed = errno;
    if (failed)
        return recording_error_write(err, failed, file->path, file->partial);
    if (durable && (failed = sync_folder(file->target)) != 0)
        return recording_error_write(err, failed, file->path, file->target);
    return 0;
}

void recording_file_discard(const struct recording_file *file) {
    unlink(file->partial);
}

int recording_file_release(struct recording_file *file) {
    int closed = file->descriptor >= 0 ? close(file->descriptor) : 0;
    free(file->path);
    free(file->target);
    free(file->partial);
    free(file->leftover);
    *file = (struct recording_file){.descriptor = -1};
    return closed;
}
