#include "cudacpu/frontend/two_sides.h"

#include "base/file.h"
#include "base/memory.h"
#include "cudacpu/frontend/preprocessed.h"

#include <stdlib.h>
#include <string.h>

/* Where one is in a preprocessed text. */
struct reader {
    const char *at, *end;
    const char *file; /* in the text, from its quotation mark to the next */
    size_t file_length;
    unsigned line;
};

struct source_line {
    const char *file;
    size_t file_length;
    unsigned line;
};

/* The body of a function, between its braces. */
struct body {
    const char *from, *to;
    struct source_line begin, end;
};
struct bodies {
    struct body *body;
    size_t count, capacity;
};

/* ---- reading ---- */

static struct source_line line_of(const struct reader *reader) {
    return (struct source_line){reader->file, reader->file_length, reader->line};
}

/* `# 12 "file.cu" 1`, at the beginning of a line; of another directive, as #pragma, the line. */
static void read_marker(struct reader *reader) {
    const size_t length = line_length(reader->at, reader->end);
    const char *end = reader->at + length, *quote = memchr(reader->at, '"', length);
    const char *digits = reader->at + 1;
    if (end - digits > 4 && memcmp(digits, "line", 4) == 0)
        digits += 4;
    while (digits < end && is_blank(*digits))
        digits++;
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (digits < end && *digits >= '0' && *digits <= '9') {
        reader->line = (unsigned)strtoul(digits, NULL, 10);
        if (close) {
            reader->file = quote + 1;
            reader->file_length = (size_t)(close - quote - 1);
        }
    } else {
        reader->line++;
    }
    reader->at = end;
}

static struct reader reader_of(const struct text *text) {
    struct reader reader = {.at = text->data, .end = text->data + text->length, .line = 1};
    while (reader.at < reader.end && *reader.at == '#')
        read_marker(&reader);
    return reader;
}

static void skip_raw_string(struct reader *reader) {
    const char *bracket = memchr(reader->at, '(', (size_t)(reader->end - reader->at));
    const size_t length = bracket ? (size_t)(bracket - reader->at) : 0;
    for (const char *at = bracket; at && at + length + 1 < reader->end; at++) {
        reader->line += *at == '\n';
        if (*at == ')' && memcmp(at + 1, reader->at, length) == 0 && at[1 + length] == '"') {
            reader->at = at + length + 2;
            return;
        }
    }
}

static void skip_quoted(struct reader *reader, char quote) {
    while (reader->at < reader->end && *reader->at != quote && *reader->at != '\n')
        reader->at += 1 + (*reader->at == '\\' && reader->at + 1 < reader->end);
    reader->at += reader->at < reader->end;
}

/* The next token: a name or a number, a string ('"'), or one character; NULL at the end. *length is
 * its length. Blanks and markers are gone over. */
static const char *next_token(struct reader *reader, size_t *length) {
    while (reader->at < reader->end) {
        const char *from = reader->at;
        if (*from == '\n') {
            reader->line++;
            reader->at++;
            while (reader->at < reader->end && *reader->at == '#')
                read_marker(reader);
            continue;
        }
        if (is_blank(*from)) {
            reader->at++;
            continue;
        }
        reader->at++;
        if (is_name(*from)) {
            while (reader->at < reader->end &&
                   (is_name(*reader->at) || (*reader->at == '\'' && from[0] >= '0' &&
                                             from[0] <= '9' && is_name(reader->at[1]))))
                reader->at++;
            if (reader->at < reader->end && *reader->at == '"' && reader->at[-1] == 'R') {
                reader->at++;
                skip_raw_string(reader);
            }
        } else if (*from == '"' || *from == '\'') {
            skip_quoted(reader, *from);
        }
        *length = (size_t)(reader->at - from);
        return from;
    }
    return NULL;
}

/* ---- bodies ---- */

static bool is_word(const char *token, size_t length, const char *word) {
    return length == strlen(word) && memcmp(token, word, length) == 0;
}

/* What has been read of a declaration. */
struct head {
    bool is_namespace, is_class, has_parameters, is_assigned, is_linkage, has_initializers;
    bool after_operator, after_attribute, after_template;
    char last; /* the first character of the last token */
};

/* Goes over what stands between brackets, of which the first has been read. */
static void skip_group(struct reader *reader, char open, char close) {
    size_t length;
    const char *token;
    for (int depth = 1; depth > 0 && (token = next_token(reader, &length));) {
        depth += *token == open && length == 1;
        depth -= *token == close && length == 1;
        if (open == '<' && length == 1 && *token == '(')
            skip_group(reader, '(', ')');
    }
}

static void read_word(struct head *head, const char *token, size_t length) {
    head->is_namespace |= is_word(token, length, "namespace");
    head->is_class |= is_word(token, length, "class") || is_word(token, length, "struct") ||
                      is_word(token, length, "union") || is_word(token, length, "enum");
    head->after_operator = is_word(token, length, "operator");
    head->after_template = is_word(token, length, "template");
    head->after_attribute =
        is_word(token, length, "__attribute__") || is_word(token, length, "alignas") ||
        is_word(token, length, "decltype") || is_word(token, length, "__extension__");
}

/* One token of a declaration that is no brace and no end. */
static void read_head(struct reader *reader, struct head *head, const char *token, size_t length) {
    const struct head before = *head;
    head->after_operator = head->after_template = head->after_attribute = false;
    if (is_name(*token)) {
        read_word(head, token, length);
    } else if (*token == '(') {
        skip_group(reader, '(', ')');
        const bool is_call_operator = before.after_operator && is_name(before.last);
        head->has_parameters |= !is_call_operator && !before.after_attribute;
    } else if (*token == '[') {
        skip_group(reader, '[', ']');
    } else if (*token == '<' && before.after_template) {
        skip_group(reader, '<', '>');
    } else if (*token == '=') {
        head->is_assigned |= !before.after_operator && !before.has_parameters;
        head->after_operator = before.after_operator;
    } else if (*token == '"') {
        head->is_linkage = !before.has_parameters;
    } else if (*token == ':') {
        head->has_initializers |= before.has_parameters && before.last != ':';
    }
    head->last = *token;
}

static void add_body(struct bodies *bodies, struct body body) {
    if (bodies->count == bodies->capacity) {
        bodies->capacity = bodies->capacity ? 2 * bodies->capacity : 256;
        bodies->body = memory_grow(bodies->body, bodies->capacity, sizeof body);
    }
    bodies->body[bodies->count++] = body;
}

/* What an opening brace begins: a scope is looked into; anything else is gone over, and is added if
 * it is the body of a function. */
static void read_brace(struct reader *reader, struct head *head, struct bodies *bodies) {
    if (head->is_namespace || (head->is_class && !head->has_parameters) ||
        (head->is_linkage && !head->has_parameters)) {
        *head = (struct head){0};
        return;
    }
    struct body body = {.from = reader->at, .begin = line_of(reader)};
    skip_group(reader, '{', '}');
    body.to = reader->at - 1;
    body.end = line_of(reader);
    const char *after = reader->at;
    while (after < reader->end && is_blank(*after))
        after++;
    const bool is_initializer = head->has_initializers && is_name(head->last) &&
                                after < reader->end && (*after == ',' || *after == '{');
    if (!head->has_parameters || head->is_assigned || is_initializer) {
        head->last = '}';
        return;
    }
    add_body(bodies, body);
    *head = (struct head){0};
}

static void find_bodies(struct bodies *bodies, const struct text *text) {
    struct reader reader = reader_of(text);
    struct head head = {0};
    const char *token;
    size_t length;
    while ((token = next_token(&reader, &length)))
        if (*token == '{')
            read_brace(&reader, &head, bodies);
        else if (*token == ';' || *token == '}')
            head = (struct head){0};
        else
            read_head(&reader, &head, token, length);
}

/* ---- comparing ---- */

static bool same_token(const char *a, size_t a_length, const char *b, size_t b_length) {
    return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

static bool same_line(const struct source_line *a, const struct source_line *b) {
    return a->line == b->line && same_token(a->file, a->file_length, b->file, b->file_length);
}

static bool same_text(const struct body *a, const struct body *b) {
    struct reader x = {.at = a->from, .end = a->to}, y = {.at = b->from, .end = b->to};
    const char *token, *other;
    size_t length = 0, other_length = 0;
    do {
        token = next_token(&x, &length);
        other = next_token(&y, &other_length);
        if (!token || !other)
            return token == other;
    } while (same_token(token, length, other, other_length));
    return false;
}

/* The body at the same place, from *next on: functions come in the order of the text. */
static const struct body *find_host(const struct bodies *host, size_t *next,
                                    const struct body *body) {
    for (size_t i = *next; i < host->count; i++)
        if (same_line(&host->body[i].begin, &body->begin)) {
            *next = i + 1;
            return &host->body[i];
        }
    return NULL;
}

/* ---- joining ---- */

static void append_marker(struct text *text, const struct source_line *line) {
    text_append_format(text, "\n# %u \"%.*s\"\n", line->line, (int)line->file_length,
                       line->file ? line->file : "");
}

static void append_joined(struct text *text, const struct body *device, const struct body *host) {
    text_append(text, " if (!__builtin_is_constant_evaluated() && ::cpu_runtime_in_kernel()) {");
    append_marker(text, &device->begin);
    text_append_bytes(text, device->from, (size_t)(device->to - device->from));
    text_append(text, "\n} else {");
    append_marker(text, &host->begin);
    text_append_bytes(text, host->from, (size_t)(host->to - host->from));
    text_append(text, "\n}");
    append_marker(text, &device->end);
}

/* Tokens outside of the bodies that were found in both texts. */
struct outside {
    struct reader reader;
    const struct body *body, *last;
};

static const char *next_outside(struct outside *outside, size_t *length) {
    for (;;) {
        const char *token = next_token(&outside->reader, length);
        while (outside->body < outside->last && token && outside->body->from <= token)
            outside->body++;
        if (!token || outside->body == outside->last || *token != '{' ||
            token + 1 != outside->body->from)
            return token;
        outside->reader.at = outside->body->to;
        outside->reader.file = outside->body->end.file;
        outside->reader.file_length = outside->body->end.file_length;
        outside->reader.line = outside->body->end.line;
        outside->body++;
    }
}

static void find_other_difference(struct text *place, const struct text *device,
                                  const struct text *host, const struct bodies *of_device,
                                  const struct bodies *of_host) {
    struct outside a = {reader_of(device), of_device->body, of_device->body + of_device->count};
    struct outside b = {reader_of(host), of_host->body, of_host->body + of_host->count};
    const char *token, *other;
    size_t length = 0, other_length = 0;
    do {
        token = next_outside(&a, &length);
        other = next_outside(&b, &other_length);
    } while (token && other && same_token(token, length, other, other_length));
    if (token || other)
        text_append_format(
            place, "%.*s:%u", (int)(token ? a.reader.file_length : b.reader.file_length),
            token ? a.reader.file : b.reader.file, token ? a.reader.line : b.reader.line);
}

size_t two_sides_join(struct text *joined, struct text *place, const struct text *device,
                      const struct text *host) {
    struct bodies of_device = {0}, of_host = {0}, both[2] = {{0}, {0}};
    const char *done = device->data;
    size_t next = 0, count = 0;
    find_bodies(&of_device, device);
    find_bodies(&of_host, host);
    for (size_t i = 0; i < of_device.count; i++) {
        const struct body *body = &of_device.body[i], *other = find_host(&of_host, &next, body);
        if (!other)
            continue;
        add_body(&both[0], *body);
        add_body(&both[1], *other);
        if (same_text(body, other))
            continue;
        text_append_bytes(joined, done, (size_t)(body->from - done));
        append_joined(joined, body, other);
        done = body->to;
        count++;
    }
    text_append_bytes(joined, done, (size_t)(device->data + device->length - done));
    find_other_difference(place, device, host, &both[0], &both[1]);
    free(of_device.body);
    free(of_host.body);
    free(both[0].body);
    free(both[1].body);
    return count;
}

/* ---- whether it is needed ---- */

static bool file_asks(const char *path) {
    struct text text = TEXT_INIT;
    file_read(path, SIZE_MAX, &text, NULL);
    const bool asks = strstr(text.data, "__CUDA_ARCH__");
    text_release(&text);
    return asks;
}

static bool is_skipped(const char *path, char *const *skipped) {
    for (; skipped && *skipped; skipped++)
        if (strncmp(path, *skipped, strlen(*skipped)) == 0)
            return true;
    return path[0] == '<' || strncmp(path, "/usr/", 5) == 0;
}

bool two_sides_asked(const struct text *device, char *const *skipped) {
    const char *at = device->data, *end = at + device->length;
    char before[4096] = "", path[4096];
    for (; at < end; at += line_length(at, end)) {
        const size_t length = line_length(at, end);
        const char *quote = *at == '#' ? memchr(at, '"', length) : NULL;
        const char *close =
            quote ? memchr(quote + 1, '"', (size_t)(at + length - quote - 1)) : NULL;
        /* Each file is looked at where it begins: `# 1 "name" 1`, or the first of all. */
        if (!close || (size_t)(close - quote) > sizeof path || strncmp(at, "# 1 ", 4) != 0)
            continue;
        memcpy(path, quote + 1, (size_t)(close - quote - 1));
        path[close - quote - 1] = '\0';
        if (strcmp(path, before) == 0 || is_skipped(path, skipped))
            continue;
        strcpy(before, path);
        if (file_asks(path))
            return true;
    }
    return false;
}
