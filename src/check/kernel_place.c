/*
 * kernel_place.c - a place for what is known of a kernel as a whole: where it is defined.
 */
#include "base/file.h"
#include "base/memory.h"
#include "check/report.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the line has the name as a word of its own, before a bracket. */
static bool names(const char *line, size_t length, const char *name, size_t name_length) {
    for (const char *at = line; at + name_length < line + length; at++)
        if (strncmp(at, name, name_length) == 0 && (at == line || !is_word(at[-1])) &&
            at[name_length + strspn(at + name_length, " ")] == '(')
            return true;
    return false;
}

/* The line behind a __global__ that names the kernel; 1 if there is none. */
static uint32_t line_of(const char *source, const char *kernel) {
    const char *scope = kernel ? strstr(kernel, "::") : NULL;
    const char *name = scope ? scope + 2 : kernel;
    const size_t length = name ? strcspn(name, "<(") : 0;
    bool is_kernel = false;
    uint32_t number = 1;
    for (const char *line = source; length && line && *line; number++) {
        const size_t bytes = strcspn(line, "\n");
        for (size_t i = 0; i + 10 <= bytes; i++)
            is_kernel = is_kernel || strncmp(line + i, "__global__", 10) == 0;
        if (is_kernel && names(line, bytes, name, length))
            return number;
        is_kernel = is_kernel && !memchr(line, '{', bytes) && !memchr(line, ';', bytes);
        line += bytes + (line[bytes] == '\n');
    }
    return 1;
}

void check_report_place(struct check_report *report, const struct trace *trace, const char *file) {
    const char *base = file_base_name(file);
    const char *source = trace ? trace_source(trace, file) : NULL;
    if (!source && trace)
        source = trace_source(trace, base);
    for (size_t i = 0; i < report->count; i++)
        if (!report->finding[i].file) {
            report->finding[i].file = memory_string(base);
            report->finding[i].line = line_of(source, report->finding[i].kernel);
        }
}
