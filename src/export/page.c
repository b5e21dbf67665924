/*
 * The page's template is copied with the data inserted at marked places. Data is JSON inside a
 * script element, escaped so that nothing in it can end that element.
 */
#include "export/page.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/program.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "export/xml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- content ---- */

void page_add_source(struct page *page, const char *line, const char *title) {
    page->sources = memory_grow(page->sources, page->source_count + 1, sizeof *page->sources);
    page->sources[page->source_count++] =
        (struct page_source){memory_string(line), memory_string(title)};
}

static void add_file(struct page *page, struct page_file file) {
    page->files = memory_grow(page->files, page->file_count + 1, sizeof *page->files);
    page->files[page->file_count++] = file;
}

void page_add_file(struct page *page, const char *name, const void *bytes, size_t size) {
    add_file(page, (struct page_file){memory_string(name), bytes, size, NULL});
}

int page_add_from_file(struct page *page, const char *name, const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    if (file_read(path, PAGE_FILES_MOST, &text, err) != FILE_READ) {
        text_release(&text);
        return -1;
    }
    const size_t size = text.length;
    char *owned = text_detach(&text);
    add_file(page, (struct page_file){memory_string(name), owned, size, owned});
    return 0;
}

void page_release(struct page *page) {
    for (size_t i = 0; i < page->source_count; i++) {
        free(page->sources[i].line);
        free(page->sources[i].title);
    }
    for (size_t i = 0; i < page->file_count; i++) {
        free(page->files[i].name);
        free(page->files[i].owned);
    }
    free(page->sources);
    free(page->files);
    *page = (struct page){0};
}

/* ---- finding the program ---- */

int page_find(struct text *path, struct error *err) {
    struct text source = TEXT_INIT, build = TEXT_INIT;
    program_folder(path);
    text_append(path, SHFLVIZ_PAGE_FROM_PROGRAM);
    bool found = path->data[0] == '/' && access(path->data, R_OK) == 0;
    if (!found && program_build_paths(&source, &build)) {
        text_clear(path);
        text_append_format(path, "%s/build-web/page.html", source.data);
        found = access(path->data, R_OK) == 0;
    }
    text_release(&source);
    text_release(&build);
    if (found)
        return 0;
    return error_set(
        err, ERROR_MISSING,
        _("this shflviz was built without the page for browsers: no %s\ntry: ./bootstrap web in "
          "its sources, which builds the page (with Debian's clang, lld, wasi-libc and binaryen); "
          "other formats work without the page: -o x.svg, x.md, x.cast"),
        path->data);
}

/* ---- writing it ---- */

/* A string of JSON that is safe within <script>: no end tag and no comment begins in it. */
static void put_string(FILE *out, const char *string) {
    putc('"', out);
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;
        if (c < 0x20 || strchr("\"\\<>&", c))
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void put_data(FILE *out, const struct page *page) {
    struct text base64 = TEXT_INIT;
    fputs("{\"language\":", out);
    put_string(out, page->language);
    fputs(",\"sources\":[", out);
    for (size_t i = 0; i < page->source_count; i++) {
        fputs(i ? ",{\"line\":" : "{\"line\":", out);
        put_string(out, page->sources[i].line);
        fputs(",\"title\":", out);
        put_string(out, page->sources[i].title);
        putc('}', out);
    }
    fputs("],\"files\":[", out);
    for (size_t i = 0; i < page->file_count; i++) {
        fputs(i ? ",{\"name\":" : "{\"name\":", out);
        put_string(out, page->files[i].name);
        fputs(",\"bytes\":\"", out);
        text_clear(&base64);
        text_append_base64(&base64, page->files[i].bytes, page->files[i].size);
        fputs(base64.data, out);
        fputs("\"}", out);
    }
    text_release(&base64);
    fputs(page->follows ? "],\"follows\":true}" : "]}", out);
}

static void put_still(FILE *out, const struct page *page) {
    if (!page->still)
        return;
    char *text = grid_to_text(page->still, false);
    fputs("<pre class=\"still\">", out);
    xml_escaped(out, text);
    fputs("</pre>", out);
    free(text);
}

enum mark { MARK_LANGUAGE, MARK_CONNECT, MARK_TITLE, MARK_STILL, MARK_DATA, MARK_COUNT };

/* The parts are written in the order of web/page.html. */
static const char *const marks[MARK_COUNT] = {"@LANGUAGE@", "@CONNECT@", "@TITLE@", "@STILL@",
                                              "@DATA@"};

static void put_mark(FILE *out, const struct page *page, enum mark mark) {
    switch (mark) {
    case MARK_LANGUAGE:
        xml_escaped(out, page->language);
        break;
    case MARK_CONNECT:
        fputs(page->follows ? "'self'" : "'none'", out);
        break;
    case MARK_TITLE:
        xml_escaped(out, page->title);
        break;
    case MARK_STILL:
        put_still(out, page);
        break;
    default:
        put_data(out, page);
    }
}

static int put_page(FILE *out, const struct page *page, const char *frame, const char *path,
                    struct error *err) {
    for (int mark = 0; mark < MARK_COUNT; mark++) {
        const char *at = strstr(frame, marks[mark]);
        if (!at)
            return error_set(err, ERROR_MISSING,
                             _("%s does not match this shflviz: it has no %s\ntry: ./bootstrap "
                               "web, which builds the page again"),
                             path, marks[mark]);
        fwrite(frame, 1, (size_t)(at - frame), out);
        put_mark(out, page, (enum mark)mark);
        frame = at + strlen(marks[mark]);
    }
    fputs(frame, out);
    return 0;
}

static int check_size(const struct page *page, struct error *err) {
    size_t bytes = 0;
    for (size_t i = 0; i < page->file_count; i++)
        bytes += page->files[i].size;
    if (bytes <= PAGE_FILES_MOST)
        return 0;
    return error_set(err, ERROR_USAGE,
                     _("the recordings take %zu MB, too much for a page\nallowed: up to %zu "
                       "MB\ntry: record less with --steps, --watch-kernel or --watch-warp"),
                     bytes >> 20, PAGE_FILES_MOST >> 20);
}

int page_write(FILE *out, const struct page *page, struct error *err) {
    struct text path = TEXT_INIT;
    struct page frame = {0};
    int status = check_size(page, err);
    if (status == 0)
        status = page_find(&path, err);
    if (status == 0)
        status = page_add_from_file(&frame, "", path.data, err);
    if (status == 0)
        status = put_page(out, page, frame.files[0].bytes, path.data, err);
    page_release(&frame);
    text_release(&path);
    return status;
}
