/*
 * memory_file.h - files of a page: bytes in memory with a descriptor, and maps of them.
 *
 * A page has no file system. The core opens these files instead, as temporary ones or from bytes,
 * and writes, maps and reads them. The functions here implement the calls that the C library
 * imports (WASI preview 1), so that it needs nothing from the browser.
 *
 * A map of a file is a copy. Stores into a shared map reach the file when it is unmapped; reads and
 * maps made before that see them nevertheless, and a write to the file is visible in its writable
 * maps. This is enough for the writer of a recording, whose two maps and writes never conflict.
 */
#ifndef SHFLVIZ_WEB_MEMORY_FILE_H
#define SHFLVIZ_WEB_MEMORY_FILE_H

#include <stddef.h>

/* A descriptor of a new file without a name, with a copy of these bytes; -1 with errno. It
 * disappears when closed. */
int memory_file(const void *bytes, size_t count);

/* Adds a file that can be opened for reading by this name, any number of times. Takes over the
 * bytes, which are from malloc(). A second file of the same name replaces the first. */
void memory_file_named(const char *name, void *bytes, size_t count);
/* The bytes of the file; NULL if no file has that name. The bytes from page.js end in a
 * NUL. */
const char *memory_file_find(const char *name, size_t *count);

#endif
