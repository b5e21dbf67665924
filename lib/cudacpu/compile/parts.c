#include "cudacpu/compile/parts.h"

#include "base/message.h"
#include "base/program.h"
#include "cudacpu/compile/clang.h"

#include <stdbool.h>
#include <unistd.h>

void parts_release(struct parts *parts) {
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_release(&parts->include[i]);
    for (int i = 0; i < PARTS_LIBRARIES; i++)
        text_release(&parts->library[i]);
    text_release(&parts->library_gpu);
    text_release(&parts->instrument);
    text_release(&parts->clang);
    text_release(&parts->llvm);
    text_release(&parts->source);
}

/* The folders of the parts. For an installed program they are relative to its folder. In a build,
 * those that begin with a slash are under the checkout, the others under the build folder. */
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

/* Libraries that only some programs call come before the one with which all are linked. */
static const char *const libraries[PARTS_LIBRARIES] = {"cudacpu_driver",   "cudacpu_blas",
                                                       "cudacpu_random",   "cudacpu_graphs",
                                                       "cudacpu_textures", "cudacpu"};

/* Fills in the paths; true if all of them exist. Releases the previous ones. */
static bool parts_at(struct parts *parts, const struct layout *layout, const char *checkout,
                     const char *folder) {
    parts_release(parts);
    bool exist = true;
    for (int i = 0; i < PARTS_LIBRARIES; i++) {
        text_append_format(&parts->library[i], "%s%s/lib%s.a", folder, layout->libraries,
                           libraries[i]);
        exist = exist && access(parts->library[i].data, R_OK) == 0;
    }
    text_append_format(&parts->library_gpu, "%s%s/libshflviz_watched_gpu.a", folder,
                       layout->libraries);
    text_append_format(&parts->instrument, "%s%s/cudacpu-instrument", folder, layout->libraries);
    for (int i = 0; i < PARTS_FOLDERS; i++) {
        const char *name = layout->include[i];
        if (!name)
            continue;
        text_append_format(&parts->include[i], "%s%s", *name == '/' ? checkout : folder, name);
        exist = exist && access(parts->include[i].data, R_OK) == 0;
    }
    return exist;
}

/* The first path of the last search that does not exist. */
static const char *first_missing(const struct parts *parts) {
    if (parts->library[0].length == 0)
        return "libcudacpu.a";
    for (int i = 0; i < PARTS_FOLDERS; i++)
        if (parts->include[i].length && access(parts->include[i].data, R_OK) != 0)
            return parts->include[i].data;
    for (int i = 0; i < PARTS_LIBRARIES; i++)
        if (access(parts->library[i].data, R_OK) != 0)
            return parts->library[i].data;
    return parts->library_gpu.data;
}

static int refuse(const char *missing, struct error *err) {
    return error_set(err, ERROR_MISSING,
                     _("a file needed to build programs is missing: %s\ntry: cmake --install, "
                       "which puts it beside the program"),
                     missing);
}

/* Looks beside the installed program, then in the build folders. */
int parts_find(struct parts *parts, struct error *err) {
    struct text folder = TEXT_INIT, source = TEXT_INIT, build = TEXT_INIT;
    for (int i = 0; i < PARTS_FOLDERS; i++)
        text_init(&parts->include[i]);
    for (int i = 0; i < PARTS_LIBRARIES; i++)
        text_init(&parts->library[i]);
    text_init(&parts->library_gpu);
    text_init(&parts->instrument);
    text_init(&parts->clang);
    text_init(&parts->llvm);
    parts->llvm_major = 0;
    text_init(&parts->source);
    program_folder(&folder);
    /* If the program's folder is not known, do not guess it from the current directory. */
    bool found = folder.length > 0 && parts_at(parts, &installed, "", folder.data);
    if (!found && program_build_paths(&source, &build)) {
        found = parts_at(parts, &built, source.data, build.data);
        text_append(&parts->source, source.data);
    }
    text_release(&folder);
    text_release(&source);
    text_release(&build);
    return found ? 0 : refuse(first_missing(parts), err);
}

int parts_find_clang(struct parts *parts, struct error *err) {
    if (!CLANG_MAJOR)
        return clang_missing_at_build(err);
    if (access(parts->instrument.data, X_OK) != 0)
        return refuse(parts->instrument.data, err);
    if (clang_find(&parts->clang, err) != 0)
        return -1;
    parts->llvm_major = CLANG_LATE ? clang_llvm(parts->clang.data, &parts->llvm) : CLANG_MAJOR;
    return parts->llvm_major ? 0 : clang_missing_library(parts->clang.data, err);
}
