/* search_path.h - finds a program in PATH. */
#ifndef SHFLVIZ_DEVICE_OWN_SEARCH_PATH_H
#define SHFLVIZ_DEVICE_OWN_SEARCH_PATH_H

#include "base/text.h"

#include <stdbool.h>

/* Sets `path` to the first executable of that name; false, with "", if there is none. */
bool search_path_find(struct text *path, const char *name);

#endif
