#include "serve/libraries.h"

#include "base/message.h"
#include "base/program.h"
#include "base/text.h"
#include "base/text/utf8.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* The module is code that runs as this user, so a program in a folder under /tmp must not load a
 * module that another user has put beside that folder. */
static bool has_owner_of(const char *module, const char *folder) {
    struct stat of_module, of_folder;
    return stat(module, &of_module) == 0 && stat(folder, &of_folder) == 0 &&
           (of_module.st_uid == 0 || of_module.st_uid == of_folder.st_uid);
}

/* Looks beside the installed program, else in its build folder. */
static int find_module(struct text *path, struct error *err) {
    struct text folder = TEXT_INIT, source = TEXT_INIT, build = TEXT_INIT;
    program_folder(&folder);
    text_append_format(path, "%s" SHFLVIZ_MODULE_FROM_PROGRAM, folder.data);
    bool found = folder.length > 0 && has_owner_of(path->data, folder.data);
    if (!found && program_build_paths(&source, &build)) {
        text_clear(path);
        text_append_format(path, "%s" SHFLVIZ_MODULE, build.data);
        found = access(path->data, R_OK) == 0;
    }
    text_release(&folder);
    text_release(&source);
    text_release(&build);
    if (found)
        return 0;
    return error_set(
        err, ERROR_MISSING,
        _("--serve: %s is missing\ntry: cmake --install, which puts it beside the program"),
        utf8_name(path->data));
}

static const struct libraries *load(const char *module, struct error *err) {
    void *handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    const struct libraries *libraries = handle ? dlsym(handle, "shflviz_libraries") : NULL;
    if (!libraries)
        error_set(err, ERROR_MISSING,
                  _("--serve: cannot load the libraries for a class: %s\n"
                    "try: install libmicrohttpd and libqrencode"),
                  utf8_name(dlerror()));
    return libraries;
}

const struct libraries *libraries_load(struct error *err) {
    static const struct libraries *loaded;
    struct text path = TEXT_INIT;
    if (!loaded && find_module(&path, err) == 0)
        loaded = load(path.data, err);
    text_release(&path);
    return loaded;
}
