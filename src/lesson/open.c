/* Lessons in files. */
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "lesson/lesson.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX (1 << 20)

/* A file in a folder: "zh.md" is in the language "zh". */
struct source_file {
    char code[16];
    char *path;
    struct text text;
};

/* "en", "zh", "pt-BR", "zh_TW": the letters before ".md". */
static bool language_code(const char *name, char code[16]) {
    static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
    size_t length = strlen(name), letters = strspn(name, lower);
    if (length < 5 || length - 3 >= 16 || !string_ends_with(name, ".md") || letters != 2)
        return false;
    if (letters != length - 3 && name[2] != '-' && name[2] != '_')
        return false;
    snprintf(code, 16, "%.*s", (int)(length - 3), name);
    return true;
}

/* The last part of the path, without trailing slashes. */
static char *base_name(const char *path) {
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
        ;
    struct text name = TEXT_INIT;
    text_append_bytes(&name, path + begin, end - begin);
    return text_detach(&name);
}

static int read_file(const char *path, struct text *text, struct error *err) {
    const enum file_status status = file_read(path, FILE_BYTES_MAX, text, err);
    if (status == FILE_IRREGULAR)
        return error_set(err, ERROR_USAGE, _("cannot read %s: it is not a regular file"), path);
    if (status == FILE_TOO_LARGE)
        error_append(err, "%s", _("\nallowed: a lesson's text"));
    if (status == FILE_READ && memchr(text->data, '\0', text->length))
        return error_set(err, ERROR_USAGE, _("%s is not text: it contains NUL bytes"), path);
    return status == FILE_READ ? 0 : -1;
}

/* The lesson's own language first, the others by their codes. */
static int compare_files(const void *a, const void *b) {
    const struct source_file *left = a, *right = b;
    int base = (strcmp(right->code, "en") == 0) - (strcmp(left->code, "en") == 0);
    return base ? base : strcmp(left->code, right->code);
}

static int list_folder(const char *path, struct source_file files[LESSON_LANGUAGES_MAX],
                       size_t *count, struct error *err) {
    DIR *folder = opendir(path);
    if (!folder)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read the folder %s"), path);
    size_t length = strlen(path);
    int status = 0;
    for (struct dirent *entry; status == 0 && (entry = readdir(folder));) {
        char code[16];
        if (!language_code(entry->d_name, code))
            continue;
        if (*count == LESSON_LANGUAGES_MAX) {
            status = error_set(err, ERROR_USAGE, _("%s: more than %d languages\nallowed: 1 to %d"),
                               path, LESSON_LANGUAGES_MAX, LESSON_LANGUAGES_MAX);
            break;
        }
        struct source_file *file = &files[(*count)++];
        struct text name = TEXT_INIT;
        text_append_format(&name, "%s%s%s", path, path[length - 1] == '/' ? "" : "/",
                           entry->d_name);
        memcpy(file->code, code, sizeof code);
        file->path = text_detach(&name);
        text_init(&file->text);
    }
    closedir(folder);
    if (status == 0 && *count == 0)
        return error_set(err, ERROR_USAGE,
                         _("%s holds no lesson\nallowed: a folder with en.md, or with a single "
                           "file in another language, such as zh.md"),
                         path);
    qsort(files, *count, sizeof *files, compare_files);
    if (status == 0 && *count > 1 && strcmp(files[0].code, "en") != 0)
        return error_set(err, ERROR_USAGE,
                         _("%s has %s and %s but no en.md\nallowed: a single file, or en.md and "
                           "its translations\ntry: name the lesson's own file en.md"),
                         path, files[0].code, files[1].code);
    return status;
}

struct all {
    lesson_complain_fn *complain;
    void *context;
    size_t *faults;
};

static int parse_files(struct lesson **lesson, const char *path, struct source_file *files,
                       size_t count, const struct all *all, struct error *err) {
    struct lesson_source sources[LESSON_LANGUAGES_MAX];
    for (size_t i = 0; i < count; i++) {
        if (read_file(files[i].path, &files[i].text, err) < 0)
            return -1;
        sources[i] = (struct lesson_source){files[i].code, files[i].path, files[i].text.data};
    }
    char *name = base_name(path);
    size_t length = strlen(name);
    if (length > 3 && string_ends_with(name, ".md"))
        name[length - 3] = '\0';
    int status = lesson_parse_all(lesson, name, sources, count, all->complain, all->context,
                                  all->faults, err);
    if (*lesson) {
        free((*lesson)->path);
        (*lesson)->path = memory_string(path);
    }
    free(name);
    return status;
}

/* "xor/zh.md" is a file in the folder "xor", and that is the lesson; NULL for any other file. */
static char *folder_of(const char *path) {
    char *name = base_name(path), code[16];
    char *folder = NULL;
    if (language_code(name, code)) {
        struct text text = TEXT_INIT;
        size_t length = strlen(path) - strlen(name);
        while (length > 1 && path[length - 1] == '/')
            length--;
        text_append_bytes(&text, length ? path : ".", length ? length : 1);
        folder = text_detach(&text);
        /* The name of a lesson in "." is that of the current folder. */
        char *real = strcmp(folder, ".") == 0 ? realpath(folder, NULL) : NULL;
        if (real) {
            free(folder);
            folder = real;
        }
    }
    free(name);
    return folder;
}

int lesson_open(struct lesson **lesson, const char *path, struct error *err) {
    size_t faults;
    return lesson_open_all(lesson, path, NULL, NULL, &faults, err);
}

int lesson_open_all(struct lesson **lesson, const char *path, lesson_complain_fn *complain,
                    void *context, size_t *faults, struct error *err) {
    const struct all all = {complain, context, faults};
    *lesson = NULL;
    *faults = 0;
    struct stat status;
    if (stat(path, &status) < 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
    char *folder = S_ISDIR(status.st_mode) ? memory_string(path) : folder_of(path);
    struct source_file files[LESSON_LANGUAGES_MAX];
    size_t count = 0;
    int result = 0;
    if (folder) {
        result = list_folder(folder, files, &count, err);
    } else {
        files[count++] = (struct source_file){"en", memory_string(path), TEXT_INIT};
    }
    if (result == 0)
        result = parse_files(lesson, folder ? folder : path, files, count, &all, err);
    for (size_t i = 0; i < count; i++) {
        free(files[i].path);
        text_release(&files[i].text);
    }
    free(folder);
    return result;
}
