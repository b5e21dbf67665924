#include "cudacpu/compile/search_path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool search_path_find(struct text *path, const char *name) {
    for (const char *folder = getenv("PATH"); folder && *folder;) {
        const size_t length = strcspn(folder, ":");
        text_clear(path);
        text_append_format(path, "%.*s/%s", (int)length, folder, name);
        if (length > 0 && access(path->data, X_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    text_clear(path);
    return false;
}
