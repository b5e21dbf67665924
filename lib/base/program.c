#include "base/program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

/* The path of the running program. Returns its length, or 0 if the system does not provide it. */
static ssize_t program_path(char path[PATH_MAX]) {
#ifdef __APPLE__
    uint32_t size = PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0 ? (ssize_t)strlen(path) : 0;
#else
    return readlink("/proc/self/exe", path, PATH_MAX - 1);
#endif
}

void program_folder(struct text *folder) {
    char path[PATH_MAX];
    ssize_t length = program_path(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length > 0)
        text_append_bytes(folder, path, (size_t)length);
}

/* The first line of a file that no other user could have put there. */
static bool read_trusted_line(const char *path, char line[PATH_MAX]) {
    FILE *in = fopen(path, "r");
    struct stat of;
    bool read = in && fstat(fileno(in), &of) == 0 && S_ISREG(of.st_mode) &&
                (of.st_uid == geteuid() || of.st_uid == 0) && fgets(line, PATH_MAX, in);
    if (in)
        fclose(in);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read && line[0] == '/';
}

bool program_build_paths(struct text *source, struct text *build) {
    char line[PATH_MAX];
    struct text folder = TEXT_INIT, marker = TEXT_INIT;
    bool found = false;
    program_folder(&folder);
    for (int up = 0; up <= 3 && !found && folder.length > 0; up++) {
        text_clear(&marker);
        text_append_format(&marker, "%sbuilt-from", folder.data);
        found = read_trusted_line(marker.data, line);
        if (!found)
            text_append(&folder, "../");
    }
    if (found) {
        text_append(source, line);
        text_append(build, folder.data);
    }
    text_release(&folder);
    text_release(&marker);
    return found;
}
