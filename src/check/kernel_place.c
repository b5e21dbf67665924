/*
 * kernel_place.c - finds the definition of a kernel (the location of findings about the kernel as a
 * whole), the names of its parameters, and the name of an array in a line.
 */
#include "base/file.h"
#include "base/memory.h"
#include "bring/cpp_text.h"
#include "check/report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The name of a kernel without its namespaces; *length excludes template arguments. */
static const char *plain_name(const char *kernel, size_t *length) {
    const size_t whole = strcspn(kernel, "<(");
    const char *name = kernel + whole;
    while (name > kernel && name[-1] != ':')
        name--;
    *length = (size_t)(kernel + whole - name);
    return name;
}

static bool is_name(const char *source, const char *at, const char *name, size_t length) {
    return strncmp(at, name, length) == 0 && (at == source || !is_word(at[-1])) &&
           at[length + strspn(at + length, " ")] == '(';
}

/* The kernel's name after a __global__, before the bracket of its parameters: at its definition,
 * else at its declaration; NULL if neither is found. */
static const char *find_kernel(const char *source, const char *kernel) {
    static const char global[] = "__global__";
    const char *declared = NULL;
    size_t length;
    const char *name = kernel ? plain_name(kernel, &length) : NULL;
    const char *at = name && length && source ? strstr(source, global) : NULL;
    for (; at; at = strstr(at, global)) {
        const char *end = at + strcspn(at, "{;");
        at += strlen(global);
        while (at < end && !is_name(source, at, name, length))
            at++;
        if (at < end && *end == '{')
            return at;
        if (at < end && !declared)
            declared = at;
    }
    return declared;
}

/* The line of the definition; 1 if it is not found. */
static uint32_t line_of(const char *source, const char *kernel) {
    const char *found = find_kernel(source, kernel);
    uint32_t number = 1;
    for (const char *at = source; found && at < found; at++)
        number += *at == '\n';
    return number;
}

/* ---- parameters ---- */

/* The name of a parameter, which is the last word before its default value: "const float
 * *__restrict__ in". */
static bool last_word(const char *text, size_t length, char *name, size_t size) {
    const char *equals = memchr(text, '=', length), *end = equals ? equals : text + length;
    while (end > text && !is_word(end[-1]))
        end--;
    const char *start = end;
    while (start > text && is_word(start[-1]))
        start--;
    if (start == end || (size_t)(end - start) >= size)
        return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    return true;
}

/* The name of parameter `number`, from 1, in the list that begins at `at`, after its bracket. */
static bool nth_parameter(const char *at, uint32_t number, char *name, size_t size) {
    int depth = 0;
    const char *start = at;
    for (; *at && *at != '{' && *at != ';'; at++) {
        const bool ends = depth == 0 && (*at == ',' || *at == ')');
        if (ends && --number == 0)
            return last_word(start, (size_t)(at - start), name, size);
        if (ends && *at == ')')
            return false;
        if (ends)
            start = at + 1;
        depth +=
            (*at == '(' || *at == '<' || *at == '[') - (*at == ')' || *at == '>' || *at == ']');
    }
    return false;
}

bool check_parameter_name(const struct trace *trace, const struct program_access *access,
                          char *name, size_t size) {
    const struct trace_launch *launch = trace ? trace_launch(trace, access->entry.launch) : NULL;
    const char *source = launch && access->file ? trace_source(trace, access->file) : NULL;
    const char *at = source ? find_kernel(source, launch->kernel) : NULL;
    at = at ? strchr(at, '(') : NULL;
    return at && at[strcspn(at, "{;")] == '{' && /* a declaration may omit names */
           nth_parameter(at + 1, access->entry.object.argument, name, size);
}

/* The position after the bracket that closes the first one. */
static const char *end_of_body(const char *at) {
    int depth = 0;
    for (at += strcspn(at, "{"); *at; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static const char *line_at(const char *source, uint32_t line) {
    for (uint32_t i = 1; source && i < line; i++)
        source = (source = strchr(source, '\n')) ? source + 1 : NULL;
    return source;
}

const char *check_lines(const struct trace *trace, const char *file, uint32_t from, uint32_t to,
                        size_t *length) {
    const char *start = trace && file ? line_at(trace_source(trace, file), from) : NULL;
    const char *end = start && to > from ? line_at(start, to - from + 1) : NULL;
    *length = end ? (size_t)(end - start) : 0;
    return end ? start : NULL;
}

bool check_array_name(const struct trace *trace, const struct program_access *access, char *name,
                      size_t size) {
    size_t length;
    const char *line = check_lines(trace, access->file, access->line, access->line + 1, &length);
    struct cpp_reader reader = {.at = line};
    struct cpp_token before = {.kind = CPP_END};
    const char *start = NULL; /* of a word with the structures it is a member of: "row.value" */
    *name = '\0';
    while (line && reader.at < line + length) {
        const struct cpp_token token = cpp_next(&reader);
        const bool is_member = cpp_is(&before, ".") ||
                               (cpp_is(&before, ">") && before.is_joined && before.at[-1] == '-');
        if (token.kind == CPP_END || token.at >= line + length)
            break;
        if (token.kind == CPP_WORD && !(is_member && start))
            start = token.at;
        if (cpp_is(&token, "[") && before.kind == CPP_WORD) {
            char found[64];
            const size_t found_length = (size_t)(before.at + before.length - start);
            snprintf(found, sizeof found, "%.*s", (int)found_length, start);
            if (found_length >= sizeof found || (*name && strcmp(found, name) != 0))
                return false;
            snprintf(name, size, "%s", found);
        }
        before = token;
    }
    return *name != '\0';
}

const char *check_kernel_body(const struct trace *trace, const struct program_access *access,
                              size_t *length) {
    const struct trace_launch *launch = trace ? trace_launch(trace, access->entry.launch) : NULL;
    const char *source = launch && access->file ? trace_source(trace, access->file) : NULL;
    const char *body = source ? find_kernel(source, launch->kernel) : NULL;
    const char *end = body ? end_of_body(body) : NULL, *line = line_at(source, access->line);
    if (!body || !line || line < body || line >= end) {
        body = source;
        end = source ? source + strlen(source) : NULL;
    }
    *length = body ? (size_t)(end - body) : 0;
    return body;
}

void check_report_locate(struct check_report *report, const struct trace *trace, const char *file) {
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
