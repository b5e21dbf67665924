/*
 * Finds a clang of the LLVM version that cudacpu-instrument loads. The compiler itself is asked for
 * the version, and the name of LLVM's library is read from its binary, because names and folders
 * differ from system to system.
 */
#include "cudacpu/compile/clang.h"

#include "base/file.h"
#include "base/message.h"
#include "cudacpu/compile/search_path.h"
#include "cudacpu/process/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSION_SECONDS 20         /* seconds that a compiler may take to report its version */
#define PROGRAM_SIZE    (32 << 20) /* a clang with LLVM linked in would be larger */

/* The packages with clang and LLVM on common systems. */
#define PACKAGES                                                                                   \
    "Debian, Ubuntu: apt install clang llvm-dev\n"                                                 \
    "Fedora: dnf install clang llvm-devel\n"                                                       \
    "Arch: pacman -S clang llvm\n"                                                                 \
    "Homebrew: brew install llvm"

#define CLANG_PACKAGES                                                                             \
    "Debian, Ubuntu: apt install clang\n"                                                          \
    "Fedora: dnf install clang\n"                                                                  \
    "Arch: pacman -S clang"

static void take_version(void *context, int stream, const char *bytes, size_t count) {
    if (stream == 1)
        text_append_bytes(context, bytes, count);
}

/* The major version in the compiler's answer; 0 if it is not understood. */
static int major_version(const char *compiler) {
    static const char said[] = "clang version ";
    char *words[] = {(char *)compiler, (char *)"--version", NULL};
    const struct confine confine = {.role = CONFINE_NOTHING,
                                    .limits = {.seconds = VERSION_SECONDS}};
    struct child_words environment = {0};
    struct text output = TEXT_INIT;
    child_environment(&environment, NULL);
    const struct child_command command = {.words = words,
                                          .environment = environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = take_version,
                                          .output_context = &output};
    const struct child_result result = child_run(&command);
    const char *version = strstr(output.data, said);
    const int major = result.end == CHILD_EXITED && result.code == 0 && version
                          ? atoi(version + strlen(said))
                          : 0;
    child_words_release(&environment);
    text_release(&output);
    return major;
}

int clang_missing_at_build(struct error *err) {
    return error_set(
        err, ERROR_MISSING,
        _("no clang or LLVM: this shflviz was built without them, and cannot build CUDA programs "
          "for the CPU warp\ntry: install them and build shflviz again\n%s"),
        PACKAGES);
}

int clang_find_in_path(struct text *path, struct error *err) {
    char name[32];
    snprintf(name, sizeof name, "clang++-%d", CLANG_MAJOR);
    if (search_path_find(path, name))
        return 0;
    const int major = search_path_find(path, "clang++") ? major_version(path->data) : 0;
    if (major == CLANG_MAJOR)
        return 0;
    if (major)
        return error_set(
            err, ERROR_MISSING,
            _("no clang %d: %s is clang %d, and this shflviz was built with LLVM %d\ntry: install "
              "the missing clang, or build shflviz again with LLVM %d"),
            CLANG_MAJOR, path->data, major, CLANG_MAJOR, major);
    return error_set(err, ERROR_MISSING,
                     _("no clang %d: shflviz needs it to build CUDA programs for the CPU "
                       "warp\ntry: install it, or name its clang++ in SHFLVIZ_CLANG\n%s"),
                     CLANG_MAJOR, PACKAGES);
}

/* ---- any clang, and its LLVM ---- */

/* clang and its main library name LLVM's library, such as libLLVM-14.so.1 or libLLVM.so.19.1,
 * among those that they are linked with. Other strings may begin the same way. */
static int read_library_name(const char *text, size_t length, struct text *name) {
    static const char begin[] = "libLLVM";
    const char *end = text + length;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1));) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        const char *digit = at + strcspn(at, "0123456789");
        if (stop && digit < stop && strstr(at, ".so") && atoi(digit) >= CLANG_OLDEST &&
            atoi(digit) <= CLANG_NEWEST) {
            text_append(name, at);
            return atoi(digit);
        }
        at += sizeof begin - 1;
    }
    return 0;
}

int clang_llvm(const char *clang, struct text *library) {
    struct text program = TEXT_INIT, name = TEXT_INIT;
    char *real = realpath(clang, NULL);
    int major = 0;
    if (real && file_read(real, PROGRAM_SIZE, &program, NULL) == FILE_READ)
        major = read_library_name(program.data, program.length, &name);
    text_clear(library);
    if (major) {
        text_append_format(library, "%.*s/../lib/%s", (int)(strrchr(real, '/') - real), real,
                           name.data);
        if (access(library->data, R_OK) != 0) {
            text_clear(library);
            text_append(library, name.data); /* the loader finds it */
        }
    }
    free(real);
    text_release(&program);
    text_release(&name);
    return major;
}

int clang_missing_library(const char *clang, struct error *err) {
    return error_set(err, ERROR_MISSING,
                     _("%s does not use a shared LLVM library of version %d to %d, which shflviz "
                       "must load\ntry: name another clang++ in SHFLVIZ_CLANG, or install one\n%s"),
                     clang, CLANG_OLDEST, CLANG_NEWEST, CLANG_PACKAGES);
}

int clang_find_any(struct text *path, struct error *err) {
    struct text library = TEXT_INIT;
    bool found = search_path_find(path, "clang++") && clang_llvm(path->data, &library);
    for (int major = CLANG_NEWEST; major >= CLANG_OLDEST && !found; major--) {
        char name[32];
        snprintf(name, sizeof name, "clang++-%d", major);
        found = search_path_find(path, name) && clang_llvm(path->data, &library);
    }
    text_release(&library);
    if (!found && search_path_find(path, "clang++"))
        return clang_missing_library(path->data, err);
    return found ? 0
                 : error_set(err, ERROR_MISSING,
                             _("no clang: shflviz needs it to build CUDA programs for the CPU "
                               "warp\ntry: install it, or name its clang++ in SHFLVIZ_CLANG\n%s"),
                             CLANG_PACKAGES);
}

static int find_named(struct text *path, const char *name, struct error *err) {
    if (!strchr(name, '/') && search_path_find(path, name))
        return 0;
    text_clear(path);
    text_append(path, name);
    if (strchr(name, '/') && access(name, X_OK) == 0)
        return 0;
    return error_set(
        err, ERROR_MISSING,
        _("SHFLVIZ_CLANG: cannot run '%s'\ntry: set SHFLVIZ_CLANG to a version %d clang++"), name,
        CLANG_MAJOR);
}

int clang_find(struct text *path, struct error *err) {
    const char *named = getenv("SHFLVIZ_CLANG");
    if (named && *named)
        return find_named(path, named, err);
    if (CLANG_LATE)
        return clang_find_any(path, err);
    if (access(SHFLVIZ_CLANG, X_OK) != 0)
        return clang_find_in_path(path, err);
    text_clear(path);
    text_append(path, SHFLVIZ_CLANG);
    return 0;
}
