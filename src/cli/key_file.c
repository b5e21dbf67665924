#include "cli/key_file.h"

#include "base/message.h"
#include "base/text.h"
#include "replay/bind.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the XDG Base Directory Specification has it: a path that is not absolute does not count. */
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
    int status = 0;
    FILE *file = fopen(path, "r");
    if (!file && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (file)
        text_append_stream(&text, file);
    if (!file || ferror(file))
        status = error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
    else
        status = bind_read(text.data, path, err);
    if (file)
        fclose(file);
    text_release(&text);
    return status;
}

void key_file_read(void) {
    struct text path = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (find_path(&path) && read_file(path.data, &err) != 0)
        fprintf(stderr, "shflviz: %s\n", err.text);
    text_release(&path);
}
