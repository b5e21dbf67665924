#include "device/own/parts.h"

#include "base/message.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

void parts_release(struct parts *parts) {
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_release(&parts->include[i]);
    text_release(&parts->library);
    text_release(&parts->library_gpu);
}

/* Fills in the paths; whether all of it exists. Releases what was there before. */
static bool parts_at(struct parts *parts, const char *base, const char *cuda, const char *recorder,
                     const char *library) {
    parts_release(parts);
    text_append_format(&parts->include[PARTS_CUDA], "%s%s", base, cuda);
    text_append_format(&parts->include[PARTS_RECORDER], "%s%s", base, recorder);
    text_append_format(&parts->include[PARTS_GROUPS], "%s%s/shflviz/groups", base, recorder);
    text_append_format(&parts->library, "%s%s/libshflviz_watched.a", base, library);
    text_append_format(&parts->library_gpu, "%s%s/libshflviz_watched_gpu.a", base, library);
    bool exist =
        access(parts->library.data, R_OK) == 0 && access(parts->library_gpu.data, R_OK) == 0;
    for (int i = 0; i < PARTS_FOLDERS; i++)
        exist = exist && access(parts->include[i].data, R_OK) == 0;
    return exist;
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

/* Beside the installed program; else in the folders that it was built in. */
int parts_find(struct parts *parts, struct error *err) {
    struct text folder = TEXT_INIT;
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_init(&parts->include[i]);
    text_init(&parts->library);
    text_init(&parts->library_gpu);
    parts_program_folder(&folder);
    /* Where it is not known, do not guess from the current directory. */
    bool found =
        folder.length > 0 && parts_at(parts, folder.data, SHFLVIZ_PARTS_FROM_PROGRAM "/cuda",
                                      SHFLVIZ_HEADERS_FROM_PROGRAM, SHFLVIZ_PARTS_FROM_PROGRAM);
    text_release(&folder);
    parts->is_installed = found;
    if (found || parts_at(parts, "", SHFLVIZ_PARTS_SOURCE "/src/device/cuda",
                          SHFLVIZ_PARTS_SOURCE "/src/recorder/include", SHFLVIZ_PARTS_BUILD))
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("what a program is built with is not there: no %s\n"
                       "try: cmake --install, which puts it beside the program"),
                     parts->library.data);
}
