/*
 * search_path.h - where PATH has a program.
 */
#ifndef SHFLVIZ_DEVICE_OWN_SEARCH_PATH_H
#define SHFLVIZ_DEVICE_OWN_SEARCH_PATH_H

#include "base/text.h"

#include <stdbool.h>

/* Makes `path` that of the first program of the name that can be run; "" and false: there is none.
 */
bool search_path_find(struct text *path, const char *name);

#endif
