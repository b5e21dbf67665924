#include "cudacpu/process/settings_file.h"

#include "base/file.h"
#include "base/message.h"
#include "base/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The texts follow in this order, NUL-terminated. */
struct head {
    char magic[8];
    uint32_t version, size; /* of this struct */
    struct run_settings settings;
};
#define BYTES_MOST ((size_t)1 << 24)
#define HEAD_INIT  .magic = "shflset", .version = 1, .size = sizeof(struct head)

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

static bool take_texts(struct settings_file *file, const char *at, const char *end) {
    for (int i = 0; i < SETTINGS_TEXTS; i++, at++) {
        file->text[i] = at < end && *at ? at : NULL;
        at = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!at)
            return false;
    }
    return at == end;
}

bool settings_file_read(struct settings_file *file) {
    static const struct head expected = {HEAD_INIT};
    const char *path = getenv(SETTINGS_FILE_VARIABLE);
    struct head head;
    static struct text
        bytes; /* kept as long as the process runs, because the texts of `file` are in it */
    text_init(&bytes);
    if (path && file_read(path, BYTES_MOST, &bytes, NULL) == FILE_READ &&
        bytes.length > sizeof head) {
        memcpy(&head, bytes.data, sizeof head);
        file->settings = head.settings;
        bytes.length -= sizeof head;
        memmove(bytes.data, bytes.data + sizeof head, bytes.length);
        if (memcmp(&head, &expected, offsetof(struct head, settings)) == 0 &&
            take_texts(file, bytes.data, bytes.data + bytes.length))
            return true;
    }
    text_release(&bytes);
    *file = (struct settings_file){.settings.zero_memory = true};
    return false;
}
