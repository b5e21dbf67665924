#include "trace/place.h"

#include "base/memory.h"
#include "base/message.h"
#include "trace/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *place_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return memory_string(".");
    if (slash == path)
        return memory_string("/");
    char *folder = memory_string(path);
    folder[slash - path] = '\0';
    return folder;
}

/* ---- what stands in the way --------------------------------------------------------------------
 */

int place_error_write(struct error *err, int errno_value, const char *path, bool begun) {
    const char *where = path ? path : "memory";
    const char *kept = begun ? _("The steps up to here are kept. ") : "";
    switch (errno_value) {
    case ENOSPC:
    case EDQUOT:
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '%s': %s\n"
                           "%sFree some space, record to another disk, or record fewer steps."),
                         where,
                         errno_value == ENOSPC ? _("the disk is full") : _("your quota is used up"),
                         kept);
    case EFBIG:
        return error_set(
            err, ERROR_USAGE,
            _("cannot record to '%s': the file has reached the greatest size allowed\n"
              "%sRaise the limit (ulimit -f unlimited), record to another file system, "
              "or record fewer steps."),
            where, kept);
    default:
        return error_set_errno(
            err, ERROR_USAGE, errno_value,
            _("cannot record to '%s'; check the disk, or record to another file"), where);
    }
}

static int error_open(struct error *err, int errno_value, const char *path) {
    char *folder = place_folder(path);
    struct stat status;
    switch (errno_value) {
    case ENOENT:
        if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': it is a link to a file that is not there\n"
                        "Remove the link (ls -l '%s' shows where it leads), or name another file."),
                      path, path);
        else if (access(folder, F_OK) == 0)
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': the folder '%s' takes no new files\n"
                        "Name a file in a folder of yours."),
                      path, folder);
        else
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': there is no folder '%s'\n"
                        "Create it first (mkdir -p '%s') or name a file elsewhere."),
                      path, folder, folder);
        break;
    case ENOTDIR:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': a part of that path is no folder\n"
                    "Name a file in a folder that exists."),
                  path);
        break;
    case EACCES:
    case EPERM:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': no permission to write there\n"
                    "Name a file in a folder of yours, or change the permissions (ls -ld '%s' '%s' "
                    "shows them)."),
                  path, folder, path);
        break;
    case EROFS:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': that file system is read-only\n"
                    "Name a file on another one."),
                  path);
        break;
    case ENAMETOOLONG:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': the name is too long\nName a file with a shorter one."),
                  path);
        break;
    default:
        place_error_write(err, errno_value, path, false);
    }
    free(folder);
    return -1;
}

int place_error_read(struct error *err, int errno_value, const char *path) {
    switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
        return error_set(err, ERROR_USAGE,
                         _("cannot open '%s': there is no such file\n"
                           "A recording is made with -o, as in: shflviz xor --mask 3 -o xor.svt"),
                         path);
    case EACCES:
    case EPERM:
        return error_set(err, ERROR_USAGE,
                         _("cannot open '%s': no permission to read it\n"
                           "ls -l '%s' shows who may."),
                         path, path);
    default:
        return error_set_errno(err, ERROR_USAGE, errno_value,
                               _("cannot open '%s'; check the file with: ls -l '%s'"), path, path);
    }
}

static const char *kind_of_file(mode_t mode) {
    return S_ISDIR(mode)    ? _("a folder")
           : S_ISFIFO(mode) ? _("a pipe")
           : S_ISSOCK(mode) ? _("a socket")
                            : _("a device");
}

int place_error_read_kind(struct error *err, mode_t mode, const char *path) {
    if (S_ISDIR(mode))
        return error_set(err, ERROR_USAGE,
                         _("cannot open '%s': it is a folder\n"
                           "Name a recording in it; 'ls %s' shows what is there."),
                         path, path);
    return error_set(err, ERROR_USAGE,
                     _("cannot open '%s': it is %s\n"
                       "A recording is mapped, not read through: save it to a plain file first, as "
                       "in: cat %s > run.svt"),
                     path, kind_of_file(mode), path);
}

static int error_no_file(struct error *err, const char *path, mode_t mode) {
    if (S_ISDIR(mode))
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '%s': it is a folder\n"
                           "Name a file in it, as '%s%sxor.svt'."),
                         path, path, path[0] && path[strlen(path) - 1] == '/' ? "" : "/");
    return error_set(err, ERROR_USAGE,
                     _("cannot record to '%s': it is %s\n"
                       "A recording needs a plain file, which can be mapped into memory and cut to "
                       "size. Name one, as xor.svt."),
                     path, kind_of_file(mode));
}

/* ---- the file ----------------------------------------------------------------------------------
 */

/* Whether the open file may be replaced: 1 yes, 0 no, -1 with errno. */
static int is_replaceable(int descriptor) {
    char magic[TRACE_FILE_MAGIC_BYTES];
    ssize_t count = pread(descriptor, magic, sizeof(magic), 0);
    if (count < 0)
        return -1;
    return count == 0 ||
           (count == sizeof(magic) && memcmp(magic, TRACE_FILE_MAGIC, sizeof(magic)) == 0);
}

/* Whether nothing but this path leads to the file: no link of either kind. */
static bool is_sole_name(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
}

/* The file cannot be locked because another recorder holds it. File systems without locks are fine.
 */
static bool is_locked_elsewhere(int descriptor) {
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

#define OPEN_FLAGS (O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* A new file under the name of the old one, whose readers keep what they have mapped; the old file
 * itself, emptied, where the folder does not allow that. */
static int replace(int old, const char *path) {
    struct stat status;
    if (fstat(old, &status) == 0 && status.st_size > 0 && is_sole_name(path) && unlink(path) == 0) {
        int descriptor = open(path, OPEN_FLAGS | O_CREAT | O_EXCL, status.st_mode & 0777);
        close(old);
        return descriptor;
    }
    if (ftruncate(old, 0) != 0) {
        close(old);
        return -1;
    }
    return old;
}

/* Opens a file that is there. */
static int open_existing(const char *path, struct error *err) {
    int descriptor = open(path, OPEN_FLAGS);
    if (descriptor < 0)
        return error_open(err, errno, path);
    int replaceable = is_replaceable(descriptor);
    if (replaceable > 0 && !is_locked_elsewhere(descriptor)) {
        descriptor = replace(descriptor, path);
        return descriptor < 0 ? error_open(err, errno, path) : descriptor;
    }
    int failed = errno;
    close(descriptor);
    if (replaceable < 0)
        return error_open(err, failed, path);
    if (replaceable > 0)
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '%s': another run is recording to it\n"
                           "Wait for it to end, or name another file."),
                         path);
    return error_set(
        err, ERROR_USAGE,
        _("cannot record to '%s': it exists and is no recording\n"
          "Only a recording or an empty file is replaced. Name another file, or remove "
          "this one first."),
        path);
}

int place_open(const char *path, struct error *err) {
    struct stat status;
    if (!path[0])
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '': the name is empty\nName a file, as xor.svt."));
    /* Looked at before it is opened: to open a device or a pipe can have effects of its own. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return error_no_file(err, path, status.st_mode);
    int descriptor = open(path, OPEN_FLAGS | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0)
        descriptor = errno == EEXIST ? open_existing(path, err) : error_open(err, errno, path);
    if (descriptor >= 0)
        is_locked_elsewhere(descriptor); /* a file of our own making: it takes the lock */
    return descriptor;
}
