#include "cudacpu/compile/parts.h"

#include "base/message.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

void parts_release(struct parts *parts) {
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_release(&parts->include[i]);
    text_release(&parts->library);
    text_release(&parts->library_gpu);
    text_release(&parts->source);
}

/* Where the parts lie: below the folder of the installed program, or, of headers with a slash
 * before them, below the checkout, and of all else below the folder that it was built in. */
struct layout {
    const char *include[PARTS_FOLDERS], *libraries;
};
static const struct layout installed = {{[PARTS_CUDA] = SHFLVIZ_PARTS_FROM_PROGRAM "/cuda",
                                         [PARTS_RECORDER] = SHFLVIZ_HEADERS_FROM_PROGRAM,
                                         [PARTS_GROUPS] =
                                             SHFLVIZ_HEADERS_FROM_PROGRAM "/shflviz/groups"},
                                        SHFLVIZ_PARTS_FROM_PROGRAM},
                           built = {{"/lib/cudacpu/include", "cudacpu-headers", "/lib/simt/include",
                                     "/lib/trace/include", "/lib/recorder/include",
                                     "/lib/recorder/include/shflviz/groups"},
                                    "."};

/* Fills in the paths; whether all of it exists. Releases what was there before. */
static bool parts_at(struct parts *parts, const struct layout *layout, const char *checkout,
                     const char *folder) {
    parts_release(parts);
    text_append_format(&parts->library, "%s%s/libshflviz_watched.a", folder, layout->libraries);
    text_append_format(&parts->library_gpu, "%s%s/libshflviz_watched_gpu.a", folder,
                       layout->libraries);
    bool exist = access(parts->library.data, R_OK) == 0;
    for (int i = 0; i < PARTS_FOLDERS; i++) {
        const char *name = layout->include[i];
        if (!name)
            continue;
        text_append_format(&parts->include[i], "%s%s", *name == '/' ? checkout : folder, name);
        exist = exist && access(parts->include[i].data, R_OK) == 0;
    }
    return exist;
}

/* Which of what was looked for last is not there. */
static const char *first_missing(const struct parts *parts) {
    if (parts->library.length == 0)
        return "libshflviz_watched.a";
    for (int i = 0; i < PARTS_FOLDERS; i++)
        if (parts->include[i].length && access(parts->include[i].data, R_OK) != 0)
            return parts->include[i].data;
    return parts->library.data;
}

/* The path of the running program; 0 where the system does not tell, else its length. */
static ssize_t program_path(char path[PATH_MAX]) {
#ifdef __APPLE__
    uint32_t size = PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0 ? (ssize_t)strlen(path) : 0;
#else
    return readlink("/proc/self/exe", path, PATH_MAX - 1);
#endif
}

void parts_program_folder(struct text *folder) {
    char path[PATH_MAX];
    ssize_t length = program_path(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length > 0)
        text_append_bytes(folder, path, (size_t)length);
}

/* The first line of a file that nobody else could have put there. */
static bool read_own_line(const char *path, char line[PATH_MAX]) {
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

bool parts_built(struct text *source, struct text *build) {
    char line[PATH_MAX];
    struct text folder = TEXT_INIT, marker = TEXT_INIT;
    bool found = false;
    parts_program_folder(&folder);
    for (int up = 0; up <= 3 && !found && folder.length > 0; up++) {
        text_clear(&marker);
        text_append_format(&marker, "%sbuilt-from", folder.data);
        found = read_own_line(marker.data, line);
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

/* Beside the installed program; else in the folders that it was built in. */
int parts_find(struct parts *parts, struct error *err) {
    struct text folder = TEXT_INIT, source = TEXT_INIT, build = TEXT_INIT;
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_init(&parts->include[i]);
    text_init(&parts->library);
    text_init(&parts->library_gpu);
    text_init(&parts->source);
    parts_program_folder(&folder);
    /* Where it is not known, do not guess from the current directory. */
    bool found = folder.length > 0 && parts_at(parts, &installed, "", folder.data);
    if (!found && parts_built(&source, &build)) {
        found = parts_at(parts, &built, source.data, build.data);
        text_append(&parts->source, source.data);
    }
    text_release(&folder);
    text_release(&source);
    text_release(&build);
    if (found)
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("what a program is built with is not there: no %s\n"
                       "try: cmake --install, which puts it beside the program"),
                     first_missing(parts));
}
