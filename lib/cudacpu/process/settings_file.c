#include "cudacpu/process/settings_file.h"

#include "base/message.h"
#include "base/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The texts follow in their order, each ended by a 0. */
struct head {
    char magic[8];
    uint32_t version, size; /* of this struct */
    struct run_settings settings;
};
#define HEAD_INIT .magic = "shflset", .version = 1, .size = sizeof(struct head)

int settings_file_write(const struct settings_file *file, const char *path, struct error *err) {
    const struct head head = {HEAD_INIT, .settings = file->settings};
    unlink(path); /* an earlier run may have put a link there */
    FILE *to = fopen(path, "wx");
    bool written = to && fwrite(&head, sizeof head, 1, to) == 1;
    for (int i = 0; written && i < SETTINGS_TEXTS; i++) {
        const char *text = file->text[i] ? file->text[i] : "";
        written = fwrite(text, strlen(text) + 1, 1, to) == 1;
    }
    if (!to || fclose(to) != 0 || !written)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot write %s"), path);
    return 0;
}

static bool take_texts(struct settings_file *file, const struct text *texts) {
    const char *at = texts->data, *const end = at + texts->length;
    for (int i = 0; i < SETTINGS_TEXTS; i++, at++) {
        file->text[i] = at < end && *at ? at : NULL;
        at = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!at)
            return false;
    }
    return at == end;
}

static bool read_from(FILE *from, struct settings_file *file) {
    static const struct head expected = {HEAD_INIT};
    struct head head;
    struct text texts = TEXT_INIT;
    if (!from || fread(&head, sizeof head, 1, from) != 1 ||
        memcmp(&head, &expected, offsetof(struct head, settings)) != 0)
        return false;
    file->settings = head.settings;
    text_append_stream(&texts, from);
    if (take_texts(file, &texts))
        return true;
    text_release(&texts);
    return false;
}

bool settings_file_read(struct settings_file *file) {
    const char *path = getenv(SETTINGS_FILE_VARIABLE);
    FILE *from = path ? fopen(path, "r") : NULL;
    const bool is_read = read_from(from, file);
    if (!is_read)
        *file = (struct settings_file){.settings.zero_memory = true};
    if (from)
        fclose(from);
    return is_read;
}
