/*
 * Joins the lines of a paragraph and splits it into spans of one style; placeholders are filled in
 * here, so that views only see text. Chinese text is joined without blanks.
 */
#include "teach/prose.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

/* Punctuation as wide as a Chinese character, with its space inside. */
static bool is_wide_punctuation(uint32_t code) {
    return (code >= 0x3000 && code <= 0x303f) || (code >= 0xff01 && code <= 0xff65);
}

/* Dashes, dots and quotes that English and Chinese share. */
static bool is_shared_punctuation(uint32_t code) {
    return code == 0x2014 || code == 0x2026 || (code >= 0x2018 && code <= 0x201d);
}

/* Characters that are written without blanks between them. */
static bool is_wide(uint32_t code) {
    return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xff01 && code <= 0xff60) || (code >= 0x20000 && code <= 0x3ffff);
}

/* True if a line end between the two means a blank. */
static bool joins_with_blank(const char *end, const char *next) {
    while (((unsigned char)*end & 0xc0) == 0x80)
        end--;
    uint32_t left = utf8_next(&end), right = utf8_next(&next);
    if (is_wide_punctuation(left) || is_wide_punctuation(right))
        return false;
    return !((is_wide(left) && (is_wide(right) || is_shared_punctuation(right))) ||
             (is_shared_punctuation(left) && is_wide(right)));
}

/* ---- paragraphs ---- */

struct maker {
    struct prose *prose;
    prose_lookup *lookup;
    void *context;
    struct error *err;
    int status;
};

static void add_span(struct paragraph *paragraph, enum span_kind kind, struct text *text) {
    if (text->length == 0)
        return;
    paragraph->spans =
        memory_grow(paragraph->spans, paragraph->span_count + 1, sizeof *paragraph->spans);
    paragraph->spans[paragraph->span_count++] = (struct span){kind, text_detach(text)};
}

const char *prose_placeholder(const char *text, struct text *name, const char **after) {
    const char *begin = strstr(text, "{{");
    if (!begin)
        return NULL;
    const char *end = strstr(begin, "}}");
    if (!end)
        return NULL;
    const char *inner = begin + 2;
    while (inner < end && (*inner == ' ' || *inner == '\n'))
        inner++;
    size_t length = (size_t)(end - inner);
    while (length > 0 && (inner[length - 1] == ' ' || inner[length - 1] == '\n'))
        length--;
    text_clear(name);
    text_append_bytes(name, inner, length);
    *after = end + 2;
    return begin;
}

/* Adds the value of the placeholder at `at`, or its text if it has no value. Returns the position
 * after it. */
static const char *add_value(struct maker *maker, struct paragraph *paragraph, const char *at,
                             enum span_kind kind) {
    struct text name = TEXT_INIT, value = TEXT_INIT;
    const char *after;
    prose_placeholder(at, &name, &after);
    struct error err = ERROR_INIT;
    if (maker->lookup && maker->lookup(maker->context, name.data, &value, &err) == 0) {
        add_span(paragraph, SPAN_VALUE, &value);
    } else {
        if (maker->status == 0)
            error_set(maker->err, ERROR_USAGE, "%s",
                      maker->lookup ? err.text : "there is nothing to look it up in");
        maker->status = -1;
        text_clear(&value);
        text_append_bytes(&value, at, (size_t)(after - at));
        add_span(paragraph, kind, &value);
    }
    text_release(&value);
    text_release(&name);
    return after;
}

/* The last "}}", or NULL: searched once, because each "{{" before it is a placeholder. */
static const char *last_close(const char *text) {
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, "}}")); at++)
        last = at;
    return last;
}

static bool is_placeholder(const char *at, const char *last) {
    return last && at < last && strncmp(at, "{{", 2) == 0;
}

/* True if there is a mark here, and another one after it that closes it. */
static bool opens(const char *at, const char *mark) {
    size_t length = strlen(mark);
    return strncmp(at, mark, length) == 0 && at[length] && strstr(at + length + 1, mark);
}

/* "**", "`" and "{{" make spans; a mark that is opened but not closed is plain text. */
static void add_spans(struct maker *maker, struct paragraph *paragraph, const char *at) {
    struct text text = TEXT_INIT;
    const char *last = last_close(at);
    bool code = false, strong = false;
    while (*at) {
        enum span_kind kind = code ? SPAN_CODE : strong ? SPAN_STRONG : SPAN_PLAIN;
        if (is_placeholder(at, last)) {
            add_span(paragraph, kind, &text);
            at = add_value(maker, paragraph, at, kind);
        } else if (!code && *at == '\\' && at[1] && strchr("\\*`{", at[1])) {
            text_append_char(&text, at[1]);
            at += 2;
        } else if (code ? *at == '`' : opens(at, "`")) {
            add_span(paragraph, kind, &text);
            code = !code;
            at++;
        } else if (!code && (strong ? strncmp(at, "**", 2) == 0 : opens(at, "**"))) {
            add_span(paragraph, kind, &text);
            strong = !strong;
            at += 2;
        } else {
            text_append_char(&text, *at++);
        }
    }
    add_span(paragraph, code ? SPAN_CODE : strong ? SPAN_STRONG : SPAN_PLAIN, &text);
    text_release(&text);
}

static void end_paragraph(struct maker *maker, struct text *text, bool item) {
    struct prose *prose = maker->prose;
    if (text->length > 0) {
        prose->paragraphs =
            memory_grow(prose->paragraphs, prose->count + 1, sizeof *prose->paragraphs);
        struct paragraph *paragraph = &prose->paragraphs[prose->count++];
        *paragraph = (struct paragraph){NULL, 0, item, false};
        add_spans(maker, paragraph, text->data);
    }
    text_clear(text);
}

static void add_line(struct text *text, const char *line, size_t length) {
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        length--;
    if (text->length > 0 && length > 0 && joins_with_blank(text->data + text->length - 1, line))
        text_append_char(text, ' ');
    for (size_t i = 0; i < length; i++)
        text_append_char(text, line[i] == '\t' ? ' ' : line[i]);
}

/* Adds a line of code; a blank one keeps its place. */
static void add_code(struct maker *maker, const char *line, size_t length) {
    struct prose *prose = maker->prose;
    struct text text = TEXT_INIT;
    text_append_bytes(&text, length ? line : " ", length ? length : 1);
    prose->paragraphs = memory_grow(prose->paragraphs, prose->count + 1, sizeof *prose->paragraphs);
    struct paragraph *paragraph = &prose->paragraphs[prose->count++];
    *paragraph = (struct paragraph){NULL, 0, false, true};
    add_span(paragraph, SPAN_CODE, &text);
    text_release(&text);
}

int prose_make(struct prose *prose, const char *markdown, prose_lookup *lookup, void *context,
               struct error *err) {
    *prose = (struct prose){NULL, 0};
    struct maker maker = {prose, lookup, context, err, 0};
    struct text text = TEXT_INIT;
    bool item = false, code = false;
    for (const char *line = markdown ? markdown : ""; *line;) {
        size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        if (strncmp(line, "```", 3) == 0 || code) {
            end_paragraph(&maker, &text, item);
            item = false;
            if (strncmp(line, "```", 3) == 0)
                code = !code;
            else
                add_code(&maker, line, length);
            line = next;
            continue;
        }
        size_t indent = strspn(line, " \t\r");
        indent = indent < length ? indent : length;
        line += indent;
        length -= indent;
        bool begins_item = length > 1 && line[0] == '-' && line[1] == ' ';
        if (length == 0 || begins_item) {
            end_paragraph(&maker, &text, item);
            item = begins_item;
        }
        if (begins_item) {
            size_t bullet = 1 + strspn(line + 1, " ");
            bullet = bullet < length ? bullet : length;
            line += bullet;
            length -= bullet;
        }
        add_line(&text, line, length);
        line = next;
    }
    end_paragraph(&maker, &text, item);
    text_release(&text);
    return maker.status;
}

void prose_release(struct prose *prose) {
    for (size_t i = 0; i < prose->count; i++) {
        for (size_t k = 0; k < prose->paragraphs[i].span_count; k++)
            free(prose->paragraphs[i].spans[k].text);
        free(prose->paragraphs[i].spans);
    }
    free(prose->paragraphs);
    *prose = (struct prose){NULL, 0};
}

bool prose_has_code(const struct prose *prose) {
    for (size_t i = 0; i < prose->count; i++)
        if (prose->paragraphs[i].code)
            return true;
    return false;
}
