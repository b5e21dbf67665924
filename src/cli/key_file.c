#include "cli/key_file.h"

#include "base/file.h"
#include "base/message.h"
#include "base/text.h"
#include "replay/keys/bind.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_FILE_MOST (1 << 20) /* bytes */

/* Per the XDG Base Directory Specification, a path that is not absolute is ignored. */
static bool find_path(struct text *path) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        text_append(path, config);
    else if (home && home[0])
        text_append_format(path, "%s/.config", home);
    else
        return false;
    text_append(path, "/shflviz/keys");
    return true;
}

static int read_file(const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    const enum file_status read = file_read(path, KEY_FILE_MOST, &text, err);
    const bool absent = read == FILE_UNREADABLE && (errno == ENOENT || errno == ENOTDIR);
    const int status = read == FILE_READ ? bind_read(text.data, path, err) : absent ? 0 : -1;
    text_release(&text);
    return read == FILE_IRREGULAR
               ? error_set(err, ERROR_USAGE, _("cannot read %s: it is not a regular file"), path)
               : status;
}

void key_file_read(void) {
    struct text path = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (find_path(&path) && read_file(path.data, &err) != 0) {
        fputs("shflviz: ", stderr);
        utf8_print(stderr, err.text, UTF8_LINES);
        putc('\n', stderr);
    }
    text_release(&path);
}
