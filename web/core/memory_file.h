/*
 * memory_file.h - files of a page: bytes in memory with a descriptor, and maps of them.
 *
 * A page has no file system. The core handles recordings through these: they are opened
 * as temporary files or from bytes, written, mapped, read. The C library's calls come here by the
 * names that it imports (WASI preview 1), so that it needs nothing of the browser for them.
 *
 * A map of a file is a copy. Stores into a shared map reach the file when it is unmapped; a process
 * that reads or maps the file before sees them all the same, and a write to the file is seen in its
 * maps that can be stored to. That is what the writer of a recording needs: two maps and writes
 * that never overlap in meaning.
 */
#ifndef SHFLVIZ_WEB_MEMORY_FILE_H
#define SHFLVIZ_WEB_MEMORY_FILE_H

#include <stddef.h>

/* A descriptor of a new file without a name, with a copy of these bytes; -1 with errno. It is gone
 * when closed. */
int memory_file(const void *bytes, size_t count);

/* A file that is opened by this name, to be read, as often as one likes. The bytes, from malloc(),
 * become its own. A second one of a name takes the first one's place. */
void memory_file_named(const char *name, void *bytes, size_t count);
/* Its bytes; NULL if there is none of that name. The bytes from page.js end in a NUL. */
const char *memory_file_find(const char *name, size_t *count);

#endif
