/*
 * Compiles first and then repairs only what clang rejected, in copies of the files: a search of our
 * own for these constructs would have to parse C++.
 */
#include "cudacpu/compile/escapes.h"

#include "base/file.h"
#include "cudacpu/compile/folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define EXPANDED ": note: expanded from macro"

static bool repair_expression(struct text *text, unsigned line, unsigned column) {
    return escapes_pragma(text, line) || escapes_join(text, line, column);
}

/* clang's messages, and the repair for each. */
static const struct complaint {
    const char *text;
    bool (*mend)(struct text *text, unsigned line, unsigned column);
} complaints[] = {{": error: invalid % escape in inline assembly string", escapes_double},
                  {": error: missing 'typename' prior to dependent type name", escapes_type},
                  {": error: expected expression", repair_expression}};

/* FILE:LINE:COLUMN */
struct location {
    const char *file;
    size_t length;
    unsigned line, column;
    const struct complaint *complaint;
};

/* ---- the text ---- */

static const char *find_line(const struct text *text, unsigned line) {
    const char *at = text->data;
    for (; line > 1 && at; line--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at;
}

/* True if the % neither belongs to an operand nor is doubled: "%0", "%%", "%=", "%h0" and "%[name]"
 * stay. */
static bool is_lone(const char *percent) {
    const char next = percent[1];
    return !isdigit((unsigned char)next) && !strchr("%=[", next) &&
           !(isalpha((unsigned char)next) &&
             (isdigit((unsigned char)percent[2]) || percent[2] == '['));
}

bool escapes_double(struct text *text, unsigned line, unsigned column) {
    const char *start = find_line(text, line);
    const size_t length = start ? strcspn(start, "\n") : 0;
    if (column == 0 || column > length)
        return false;
    size_t at = column - 1;
    while (at > 0 && start[at] != '%')
        at--;
    if (start[at] != '%')
        return false;
    struct text changed = TEXT_INIT;
    text_append_bytes(&changed, text->data, (size_t)(start + at - text->data));
    bool in_string = true, is_first = true;
    for (const char *from = start + at; *from; from++) {
        in_string = in_string && *from != '"' && *from != '\n';
        if (in_string && *from == '%' && (is_first || is_lone(from)))
            text_append_char(&changed, '%');
        text_append_char(&changed, *from);
        if (in_string && *from == '%' && !is_first && from[1] == '%') /* the second of a pair */
            text_append_char(&changed, *++from);
        is_first = false;
    }
    text_release(text);
    *text = changed;
    return true;
}

/* The number of blanks between two angle brackets and a third, as in "<< <"; 0 if it is something
   else. */
static size_t angle_gap(const char *from, char angle) {
    if (from[0] != angle || from[1] != angle)
        return 0;
    const size_t blanks = strspn(from + 2, " \t");
    return from[2 + blanks] == angle ? blanks : 0;
}

bool escapes_join(struct text *text, unsigned line, unsigned column) {
    const char *start = find_line(text, line);
    if (!start || column == 0 || column > strcspn(start, "\n"))
        return false;
    char *const first = text->data + (start - text->data), *at = first + column - 1;
    bool begins = false;
    while (at > first && !angle_gap(at, '<')) /* the statement may have others before it */
        at--;
    for (; *at && *at != ';'; at++) {
        const char angle = *at == '<' || (*at == '>' && begins) ? *at : '\0';
        const size_t blanks = angle ? angle_gap(at, angle) : 0;
        if (!blanks)
            continue;
        begins = true;
        at[2] = angle;
        at[2 + blanks] = ' ';
        at += 2;
    }
    return begins;
}

bool escapes_type(struct text *text, unsigned line, unsigned column) {
    const char *start = find_line(text, line);
    if (!start || column == 0 || column > strcspn(start, "\n"))
        return false;
    struct text changed = TEXT_INIT;
    text_append_bytes(&changed, text->data, (size_t)(start + column - 1 - text->data));
    text_append_format(&changed, "typename %s", start + column - 1);
    text_release(text);
    *text = changed;
    return true;
}

bool escapes_pragma(struct text *text, unsigned line) {
    static const char pragma[] = "#pragma";
    const char *start = find_line(text, line);
    const char *from = start ? start + strspn(start, " \t") : "";
    const char *end = from + strcspn(from, "\n"),
               *at = *from == '#' ? strstr(from + 1, pragma) : NULL;
    if (!at || at >= end || end[-1] == '\\')
        return false;
    struct text changed = TEXT_INIT;
    text_append_bytes(&changed, text->data, (size_t)(at - text->data));
    text_append(&changed, "_Pragma(\"");
    for (at += strlen(pragma), at += strspn(at, " \t"); at < end; at++) {
        if (strchr("\"\\", *at))
            text_append_char(&changed, '\\');
        text_append_char(&changed, *at);
    }
    text_append_format(&changed, "\")%s", end);
    text_release(text);
    *text = changed;
    return true;
}

/* ---- clang's messages ---- */

static bool read_location(struct location *location, const char *from, const char *end) {
    const char *column = end, *line;
    while (column > from && isdigit((unsigned char)column[-1]))
        column--;
    line = column - (column > from);
    while (line > from && isdigit((unsigned char)line[-1]))
        line--;
    if (column == end || line == from || line + 1 >= column || column[-1] != ':' || line[-1] != ':')
        return false;
    *location = (struct location){.file = from,
                                  .length = (size_t)(line - 1 - from),
                                  .line = (unsigned)strtoul(line, NULL, 10),
                                  .column = (unsigned)strtoul(column, NULL, 10)};
    return true;
}

static bool line_has(const char *from, const char *what, struct location *location) {
    const char *end = from + strcspn(from, "\n"), *said = strstr(from, what);
    return said && said < end && read_location(location, from, said);
}

static const char *next_line(const char *at) {
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* The next complaint at `*at`; for a string of a macro, the location is the macro's definition. */
static bool take_complaint(const char **at, struct location *location) {
    struct location other;
    const struct complaint *found = NULL;
    while (**at && !found) {
        for (size_t i = 0; i < sizeof complaints / sizeof complaints[0] && !found; i++)
            found = line_has(*at, complaints[i].text, location) ? &complaints[i] : NULL;
        *at = found ? *at : next_line(*at);
    }
    if (!found)
        return false;
    for (*at = next_line(*at); **at && !line_has(*at, ": error: ", &other); *at = next_line(*at))
        if (line_has(*at, EXPANDED, &other))
            *location = other;
    location->complaint = found;
    return true;
}

/* ---- files ---- */

static bool is_source(const struct builder *b, size_t number, const struct location *location) {
    const char *name = b->build->sources[number].name;
    return strlen(name) == location->length && memcmp(name, location->file, location->length) == 0;
}

/* The copy that clang currently reads instead of that file; NULL if there is none. Each copy takes
 * four words in `mended`. */
static const char *find_copy(const struct builder *b, const char *file) {
    const size_t length = strlen(file);
    for (size_t i = 3; i < b->mended.count; i += 4)
        if (strncmp(b->mended.word[i], file, length) == 0 && b->mended.word[i][length] == ';')
            return b->mended.word[i] + length + 1;
    return NULL;
}

static char *add_copy(struct builder *b, size_t number, const char *file) {
    struct text ending = TEXT_INIT, word = TEXT_INIT;
    text_append_format(&ending, b->is_host ? ".host%zu" : ".mended%zu", b->mended.count / 4);
    char *copy = builder_path(b, number, ending.data);
    text_append_format(&word, "%s;%s", file, copy);
    child_words_split(&b->mended, "-Xclang -remap-file -Xclang");
    child_words_add(&b->mended, word.data, NULL);
    text_release(&ending);
    text_release(&word);
    return copy;
}

static bool repair(struct builder *b, size_t number, const struct location *location) {
    struct text name = TEXT_INIT, text = TEXT_INIT;
    text_append_bytes(&name, location->file, location->length);
    const bool is_copy = is_source(b, number, location); /* a copy's first line is ours */
    char *file = is_copy ? builder_path(b, number, ".cu") : text_detach(&name);
    const char *before = find_copy(b, file);
    bool mended = file_read(before ? before : file, SIZE_MAX, &text, NULL) == FILE_READ &&
                  location->complaint->mend(&text, location->line + is_copy, location->column);
    if (mended) {
        char *copy = before ? NULL : add_copy(b, number, file);
        mended = private_file_write(before ? before : copy, "", &text, NULL) == 0;
        free(copy);
    }
    text_release(&name);
    text_release(&text);
    free(file);
    return mended;
}

/* True if the location's line is a new one: columns after a repair on the same line have
 * shifted. */
static bool note_line(struct text *lines, const struct location *location) {
    struct text line = TEXT_INIT;
    text_append_format(&line, "\n%.*s:%u\n", (int)location->length, location->file, location->line);
    const bool is_new = strstr(lines->data, line.data) == NULL;
    text_append(lines, line.data);
    text_release(&line);
    return is_new;
}

bool escapes_repair(struct builder *b, size_t number) {
    const char *at = b->output.data;
    struct location location;
    struct text lines = TEXT_INIT;
    bool mended = false;
    while (take_complaint(&at, &location))
        if (note_line(&lines, &location))
            mended = repair(b, number, &location) || mended;
    text_release(&lines);
    return mended;
}
