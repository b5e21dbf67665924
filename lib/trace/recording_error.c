/* The messages for recordings that cannot be written or read. */
#include "base/file.h"
#include "base/message.h"
#include "trace/recording_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int recording_error_write(struct error *err, int errno_value, const char *path, const char *kept) {
    const char *where = path ? path : _("memory");
    switch (errno_value) {
    case ENOSPC:
    case EDQUOT:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': %s\n"
                    "Free some space, record to another disk, or record fewer steps."),
                  where,
                  errno_value == ENOSPC ? _("the disk is full") : _("your quota is used up"));
        break;
    case EFBIG:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': the file has reached the maximum size\nRaise the limit "
                    "(ulimit -f unlimited), record to another file system, or record fewer steps."),
                  where);
        break;
    default:
        error_set_errno(err, ERROR_USAGE, errno_value,
                        _("cannot record to '%s'; check the disk, or record to another file"),
                        where);
    }
    if (kept && err)
        error_append(err, _("\nThe steps recorded so far are in '%s'."), kept);
    return -1;
}

int recording_error_open(struct error *err, int errno_value, const char *path) {
    char *folder = file_folder(path);
    struct stat status;
    switch (errno_value) {
    case ENOENT:
        if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': it is a link to a missing file\nRemove the link "
                        "(ls -l '%s' shows where it leads), or name another file."),
                      path, path);
        else if (access(folder, F_OK) == 0)
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': the folder '%s' accepts no new files\nName a file "
                        "in a folder of yours."),
                      path, folder);
        else
            error_set(err, ERROR_USAGE,
                      _("cannot record to '%s': there is no folder '%s'\n"
                        "Create it first (mkdir -p '%s') or name a file elsewhere."),
                      path, folder, folder);
        break;
    case ENOTDIR:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': a part of that path is not a folder\n"
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
                  _("cannot record to '%s': that file system is read-only\nName a file on another "
                    "file system."),
                  path);
        break;
    case ENAMETOOLONG:
        error_set(err, ERROR_USAGE,
                  _("cannot record to '%s': the name is too long\nChoose a shorter name."), path);
        break;
    default:
        recording_error_write(err, errno_value, path, NULL);
    }
    free(folder);
    return -1;
}

int recording_error_read(struct error *err, int errno_value, const char *path) {
    switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
        return error_set(err, ERROR_USAGE,
                         _("cannot open '%s': there is no such file\nA recording is made with -o, "
                           "as in: shflviz xor --mask 3 -o xor.svt\nTo list the recordings that "
                           "come with shflviz: shflviz replay"),
                         path);
    case EACCES:
    case EPERM:
        return error_set(
            err, ERROR_USAGE,
            _("cannot open '%s': no permission to read it\nls -l '%s' shows its permissions."),
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

int recording_error_read_kind(struct error *err, mode_t mode, const char *path) {
    if (S_ISDIR(mode))
        return error_set(err, ERROR_USAGE,
                         _("cannot open '%s': it is a folder\n"
                           "Name a recording in it; 'ls %s' shows what is there."),
                         path, path);
    return error_set(err, ERROR_USAGE,
                     _("cannot open '%s': it is %s\n"
                       "A recording is mapped into memory: save it to a regular file first, as "
                       "in: cat %s > run.svt"),
                     path, kind_of_file(mode), path);
}

int recording_error_open_kind(struct error *err, const char *path, mode_t mode) {
    if (S_ISDIR(mode))
        return error_set(err, ERROR_USAGE,
                         _("cannot record to '%s': it is a folder\n"
                           "Name a file in it, such as '%s%sxor.svt'."),
                         path, path, path[0] && path[strlen(path) - 1] == '/' ? "" : "/");
    return error_set(err, ERROR_USAGE,
                     _("cannot record to '%s': it is %s\n"
                       "A recording needs a regular file. Name one, such as xor.svt."),
                     path, kind_of_file(mode));
}
