/*
 * page.h - a page for a browser: one HTML file with the program itself, as WebAssembly, and the
 * data that it shows.
 *
 * The page is made by `cmake --preset web` and found at run time: beside the installed program
 * (share/shflviz/page.html), else in the folder that it was built in (build-web/page.html). This
 * file inserts its title, its data and its first screen as text. A page loads nothing and sends
 * nothing; its Content-Security-Policy allows its own script and nothing else. Only the page for a
 * class (serve/server.h) may send requests, to the server that it came from.
 */
#ifndef SHFLVIZ_EXPORT_PAGE_H
#define SHFLVIZ_EXPORT_PAGE_H

#include "base/error.h"
#include "base/text.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The largest total size of a page's files, in bytes: a browser holds them three times. */
#define PAGE_FILES_MOST ((size_t)64 << 20)

struct page_source {
    char *line;  /* the command that web/core/web.c starts with: "lesson xor", "replay FILE", "xor
                  * --mask 3" */
    char *title; /* in the list of a page with several */
};

struct page_file {
    char *name; /* of a recording, as named by "replay"; of a lesson's text "NAME/en.md" */
    const void *bytes;
    size_t size;
    char *owned; /* freed with the page: the bytes, if the page owns them */
};

struct page {
    struct page_source *sources;
    struct page_file *files;
    size_t source_count, file_count;
    const char *language; /* "en", "zh" */
    const char *title;
    const struct grid *still; /* the text shown without JavaScript; may be NULL */
    bool follows;             /* the page is for a class */
};

/* A page begins as {0}. Strings are copied; bytes are borrowed. */
void page_add_source(struct page *page, const char *line, const char *title);
void page_add_file(struct page *page, const char *name, const void *bytes, size_t size);
/* Adds a file on disk. Fails (ERROR_USAGE) if it cannot be read. */
int page_add_from_file(struct page *page, const char *name, const char *path, struct error *err);
void page_release(struct page *page);

/* Finds the page's program; appends its path. Fails (ERROR_MISSING), with advice on how to build
 * it, if this shflviz has none. */
int page_find(struct text *path, struct error *err);

/* Fails like page_find(), or with ERROR_USAGE if the files are too large for a page. */
int page_write(FILE *out, const struct page *page, struct error *err);

#endif
