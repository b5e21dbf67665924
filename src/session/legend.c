#include "session/legend.h"

#include "base/text.h"
#include "lesson/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool legend_is_due(void) {
    const char *setting = getenv("SHFLVIZ_LEGEND");
    if (setting && (strcmp(setting, "always") == 0 || strcmp(setting, "never") == 0))
        return setting[0] == 'a';
    char *progress = progress_path();
    struct text path = TEXT_INIT;
    bool due = false;
    if (*progress && progress_make_folders(progress, NULL) == 0) {
        text_append_bytes(&path, progress, (size_t)(strrchr(progress, '/') - progress));
        text_append(&path, "/legend");
        const int file = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        due = file >= 0;
        if (due)
            close(file);
    }
    text_release(&path);
    free(progress);
    return due;
}
