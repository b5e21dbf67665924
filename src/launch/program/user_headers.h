/*
 * user_headers.h - the project's headers that a CUDA file includes.
 */
#ifndef SHFLVIZ_LAUNCH_USER_HEADERS_H
#define SHFLVIZ_LAUNCH_USER_HEADERS_H

#include "base/text.h"
#include "launch/word_list.h"

#include <stdbool.h>

/*
 * Changes the lines with #include "..." in a text so that it can be built alone:
 *  - A header that is neither beside the file nor in a folder of `include`, but in one of the usual
 *    folders of the project around the file, is named by its full path.
 *  - A header that is in none of these folders has its line removed and its name appended to
 *    `missing`, separated by blanks.
 *  - A header that includes torch or another host library is inserted in place of its line, so that
 *    the code for that library can be left out; #line keeps the line numbers.
 * If `missing` is NULL, as for a file that is a whole program, only the first change is made.
 * Returns true if the text has changed.
 */
bool user_headers_resolve(const char *path, const struct word_list *include, struct text *text,
                          struct text *missing);

#endif
