#include "base/file.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum file_status read_all(int descriptor, size_t limit, struct text *text) {
    char bytes[16384];
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return FILE_UNREADABLE;
    if (!S_ISREG(status.st_mode))
        return FILE_IRREGULAR;
    if (status.st_size > 0 && (size_t)status.st_size > limit)
        return FILE_TOO_LARGE;
    for (;;) {
        const ssize_t count = read(descriptor, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? FILE_UNREADABLE : FILE_READ;
        if ((size_t)count > limit)
            return FILE_TOO_LARGE;
        limit -= (size_t)count;
        text_append_bytes(text, bytes, (size_t)count);
    }
}

enum file_status file_read(const char *path, size_t limit, struct text *text, struct error *err) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const enum file_status status =
        descriptor < 0 ? FILE_UNREADABLE : read_all(descriptor, limit, text);
    const int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (status == FILE_UNREADABLE)
        error_set_errno(err, ERROR_USAGE, reason, _("cannot read %s"), path);
    else if (status == FILE_IRREGULAR)
        error_set(err, ERROR_USAGE, _("%s is not a regular file"), path);
    else if (status == FILE_TOO_LARGE)
        error_set(err, ERROR_USAGE, _("%s has more than %zu bytes"), path, limit);
    errno = reason;
    return status;
}

const char *file_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *file_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    struct text folder = TEXT_INIT;
    text_append_bytes(&folder, slash ? path : ".", slash > path ? (size_t)(slash - path) : 1);
    return text_detach(&folder);
}
