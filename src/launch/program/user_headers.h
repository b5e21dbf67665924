/*
 * user_headers.h - the project's headers that a CUDA file includes.
 */
#ifndef SHFLVIZ_LAUNCH_USER_HEADERS_H
#define SHFLVIZ_LAUNCH_USER_HEADERS_H

#include "base/text.h"
#include "launch/word_list.h"

#include <stdbool.h>

/*
 * Changes the lines of #include "..." of a text so that it can be built alone. A header that is
 * neither beside the file, in a folder of `include`, nor in a usual folder of the project around
 * them has its line removed and its name appended to `missing`, separated by blanks. One that
 * includes torch or another library of the host is inserted in place of its line, so that the code
 * for that library can be left out; #line keeps the line numbers. With `missing` NULL, for a
 * program, only headers of the project are found. Returns true if the text has changed.
 */
bool user_headers_resolve(const char *path, const struct word_list *include, struct text *text,
                          struct text *missing);

#endif
