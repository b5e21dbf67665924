#include "base/file_beside.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void make_named(struct file_beside *beside, const char *path) {
    text_clear(&beside->name);
    text_append_format(&beside->name, "%s.XXXXXX", path);
    beside->descriptor = mkstemp(beside->name.data);
    beside->is_named = beside->descriptor >= 0;
}

/* A second descriptor: the first may be gone once the stream has been closed. */
static FILE *stream_of(const struct file_beside *beside) {
    const int copy = fcntl(beside->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *stream = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!stream && copy >= 0)
        close(copy);
    return stream;
}

FILE *file_beside_open(struct file_beside *beside, const char *path) {
    *beside = (struct file_beside){TEXT_INIT, -1, false};
#ifdef O_TMPFILE
    char *folder = file_folder(path);
    if (access("/proc/self/fd", X_OK) == 0) /* the path by which the file can be linked */
        beside->descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    free(folder);
#endif
    if (beside->descriptor < 0)
        make_named(beside, path);
    return beside->descriptor >= 0 ? stream_of(beside) : NULL;
}

/* Links it to the name of an empty file, replacing that file. */
static int link_to_name(struct file_beside *beside, const char *path) {
    char unnamed[64];
    struct file_beside empty = {TEXT_INIT, -1, false};
    snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", beside->descriptor);
    make_named(&empty, path);
    text_release(&beside->name);
    beside->name = empty.name;
    if (!empty.is_named)
        return -1;
    close(empty.descriptor);
    if (unlink(beside->name.data) != 0 ||
        linkat(AT_FDCWD, unnamed, AT_FDCWD, beside->name.data, AT_SYMLINK_FOLLOW) != 0)
        return -1;
    beside->is_named = true;
    return 0;
}

int file_beside_commit(struct file_beside *beside, const char *path) {
    if (!beside->is_named && link_to_name(beside, path) != 0)
        return -1;
    return rename(beside->name.data, path);
}

void file_beside_release(struct file_beside *beside, bool is_placed) {
    const int number = errno;
    if (beside->is_named && !is_placed)
        unlink(beside->name.data);
    if (beside->descriptor >= 0)
        close(beside->descriptor);
    text_release(&beside->name);
    errno = number;
}
