/*
 * Independent passes, each for one kind of damage, collect replacements, which are then applied
 * together in the order of their positions. So positions stay valid, and each change can be listed.
 */
#include "bring/mend.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/c_expression.h"
#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

static void add(struct mend *mend, enum mend_kind kind, struct cpp_position position,
                const char *was, size_t length, const char *now) {
    for (size_t i = 0; i < mend->count; i++)
        if (mend->changes[i].kind == kind && mend->changes[i].position.line == position.line &&
            kind != MEND_WORD) {
            mend->changes[i].more++;
            return;
        }
    mend->changes = memory_grow(mend->changes, mend->count + 1, sizeof *mend->changes);
    struct mend_change *change = &mend->changes[mend->count++];
    *change = (struct mend_change){.kind = kind, .position = position};
    snprintf(change->was, sizeof change->was, "%.*s", (int)length, was);
    snprintf(change->now, sizeof change->now, "%s", now);
}

static int by_position(const void *a, const void *b) {
    const struct cpp_position p = ((const struct mend_change *)a)->position;
    const struct cpp_position q = ((const struct mend_change *)b)->position;
    return p.line != q.line       ? (p.line > q.line) - (p.line < q.line)
           : p.column != q.column ? (p.column > q.column) - (p.column < q.column)
                                  : 0;
}

/* Replaces text with blanks, except for its line ends. */
static void blank(char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (from[i] != '\n' && from[i] != '\r')
            from[i] = ' ';
}

/* ---- fences of Markdown ---- */

static bool is_fence(const char *line) {
    line += strspn(line, " \t");
    return strncmp(line, "```", 3) == 0 || strncmp(line, "~~~", 3) == 0;
}

static const char *line_after(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Text outside closed fences is prose. */
static void mend_fences(struct mend *mend) {
    size_t fences = 0;
    for (const char *line = mend->text.data; *line; line = line_after(line))
        fences += is_fence(line);
    bool outside = fences > 0 && fences % 2 == 0;
    for (char *line = mend->text.data, *next; fences && *line; line = next) {
        next = (char *)line_after(line);
        const bool fence = is_fence(line);
        if (fence && fences % 2 == 0)
            outside = !outside;
        if (fence)
            add(mend, MEND_FENCE, cpp_position(mend->text.data, line), "```", 3, "");
        if (fence || outside)
            blank(line, (size_t)(next - line));
    }
}

/* ---- a program that was pasted into itself ---- */

static bool is_blank(const char *from, const char *end) {
    for (; from < end; from++)
        if (*from != ' ' && (*from < '\t' || *from > '\r'))
            return false;
    return true;
}

/* The end of the copy that begins at `second`, if the text before it and the text after it together
 * are the same program; NULL if not. */
static const char *copy_end(const char *text, const char *second) {
    const size_t before = (size_t)(second - text);
    if (strncmp(second, text, before) != 0)
        return NULL;
    const char *last = second + strlen(second);
    for (const char *end = second + before; end <= last; end++) {
        const size_t length = (size_t)(end - second) - before, left = (size_t)(last - end);
        if (left >= length && memcmp(second + before, end, length) == 0 &&
            is_blank(end + length, last))
            return end;
    }
    return NULL;
}

/* An #include in the middle of a line is where one copy ended up in another. */
static void mend_double_paste(struct mend *mend) {
    struct cpp_reader reader = {.at = mend->text.data};
    struct cpp_token token, before = {.kind = CPP_END};
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const char *begin = before.at;
        if (!cpp_is(&before, "#") || !cpp_is(&token, "include") || !begin) {
            before = token;
            continue;
        }
        const char *end = copy_end(mend->text.data, begin);
        add(mend, MEND_TWICE, cpp_position(mend->text.data, begin), "#include", 8, "");
        if (end) {
            const size_t at = (size_t)(begin - mend->text.data);
            const size_t rest = (size_t)(end - mend->text.data);
            blank(mend->text.data, at);
            blank(mend->text.data + rest, mend->text.length - rest);
        }
        return;
    }
}

/* ---- characters ---- */

int mend_character(unsigned code) {
    static const struct {
        unsigned code;
        char ascii;
    } known[] = {
        {0x00a0, ' '}, {0x1680, ' '}, {0x202f, ' '}, {0x205f, ' '},  {0x3000, ' '},  {0x2028, ' '},
        {0x2029, ' '}, {0x200b, 0},   {0x200c, 0},   {0x200d, 0},    {0x200e, 0},    {0x200f, 0},
        {0x2060, 0},   {0xfeff, 0},   {0x00ad, 0},   {0x2018, '\''}, {0x2019, '\''}, {0x201a, '\''},
        {0x201c, '"'}, {0x201d, '"'}, {0x201e, '"'}, {0x00ab, '"'},  {0x00bb, '"'},  {0x2032, '\''},
        {0x2033, '"'}, {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'},  {0x2013, '-'},  {0x2014, '-'},
        {0x2212, '-'}, {0x00d7, '*'}, {0x2217, '*'}, {0x00f7, '/'},  {0x2215, '/'},  {0x3001, ','},
        {0x3002, '.'}, {0x2024, '.'}, {0x2223, '|'}, {0x2039, '<'},  {0x203a, '>'},  {0x3010, '['},
        {0x3011, ']'},
    };
    if (code >= 0x2000 && code <= 0x200a)
        return ' ';
    if (code >= 0xff01 && code <= 0xff5e)
        return (int)(code - 0xff01 + '!');
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].ascii;
    return -1;
}

/* Full-width letters and digits may be intended; full-width marks never are. */
static void note_character(struct mend *mend, struct cpp_position position, unsigned code,
                           int ascii) {
    char was[16], now[2] = {(char)ascii, '\0'};
    const int length = snprintf(was, sizeof was, "U+%04X", code);
    add(mend,
        ascii == 0     ? MEND_NOTHING
        : ascii == ' ' ? MEND_BLANK
                       : MEND_MARK,
        position, was, (size_t)length, now);
}

/* Copies a string up to and including its end, which may be a typographic quote if it began with
 * one or if the line has no other. */
static const char *copy_string(struct mend *mend, struct text *to, const char *from, const char *at,
                               char quote, bool typographic) {
    const char *line_end = at + strcspn(at, "\n");
    const char *end = at;
    while (end < line_end && *end != quote)
        end += 1 + (*end == '\\' && end + 1 < line_end);
    const bool has_end = !typographic && end < line_end;
    while (at < line_end) {
        if (*at == '\\' && at + 1 < line_end) {
            text_append_bytes(to, at, 2);
            at += 2;
            continue;
        }
        const struct utf8_character c = utf8_decode(at, (size_t)(line_end - at));
        if (*at == quote && !typographic) {
            text_append_char(to, quote);
            return at + 1;
        }
        if (!has_end && c.bytes > 1 && mend_character(c.code) == quote) {
            note_character(mend, cpp_position(from, at), c.code, quote);
            text_append_char(to, quote);
            return at + c.bytes;
        }
        if (typographic && *at == quote) { /* “...": closed by a plain one */
            text_append_char(to, quote);
            return at + 1;
        }
        text_append_bytes(to, at, c.bytes);
        at += c.bytes;
    }
    return at;
}

static void mend_characters(struct mend *mend) {
    struct text to = TEXT_INIT;
    const char *from = mend->text.data, *end;
    char last = ' ';
    for (const char *at = from; *at;) {
        const struct utf8_character c = utf8_decode(at, strnlen(at, UTF8_MAX));
        const int ascii = c.bytes > 1 ? mend_character(c.code) : -1;
        if ((end = c_comment_end(at))) {
            text_append_bytes(&to, at, (size_t)(end - at));
            at = end;
        } else if (*at == '"' || (*at == '\'' && !(last >= '0' && last <= '9'))) {
            text_append_char(&to, *at);
            at = copy_string(mend, &to, from, at + 1, *at, false);
        } else if (ascii >= 0) {
            if (at > from || c.code != 0xfeff) /* at the beginning it means UTF-8 */
                note_character(mend, cpp_position(from, at), c.code, ascii);
            at += c.bytes;
            if (ascii)
                text_append_char(&to, (char)ascii);
            if (ascii == '"' || ascii == '\'')
                at = copy_string(mend, &to, from, at, (char)ascii, true);
        } else {
            text_append_bytes(&to, at, c.bytes);
            at += c.bytes;
        }
        last = to.length ? to.data[to.length - 1] : ' ';
    }
    text_release(&mend->text);
    mend->text = to;
}

/* ---- words and brackets ---- */

static const char *const words[] = {
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__launch_bounds__",
    "__syncthreads",
    "__syncwarp",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_down_sync",
    "__shfl_xor_sync",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__match_any_sync",
    "__match_all_sync",
    "__reduce_add_sync",
    "__reduce_min_sync",
    "__reduce_max_sync",
    "__reduce_and_sync",
    "__reduce_or_sync",
    "__reduce_xor_sync",
    "__activemask",
    "__threadfence",
    "__threadfence_block",
    "__popc",
};

/* The name without the underscores around it. */
static const char *bare_name(const char *word, size_t *length) {
    while (*length && *word == '_') {
        word++;
        --*length;
    }
    while (*length && word[*length - 1] == '_')
        --*length;
    return word;
}

/* The intended word for _global__, __global_, _shfl_sync; NULL for any other word. */
static const char *intended_word(const struct cpp_token *token) {
    size_t length = token->length;
    const char *core = bare_name(token->at, &length);
    if (token->at[0] != '_' && token->at[token->length - 1] != '_')
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t known = strlen(words[i]);
        const size_t whole = known;
        const char *name = bare_name(words[i], &known);
        if (known == length && memcmp(name, core, length) == 0)
            return whole > token->length ? words[i] : NULL;
    }
    return NULL;
}

#define NESTING_MOST 256
#define MISSING_MOST 64

struct bracket {
    const char *open;
    const char *semicolon; /* the first one not inside an inner bracket; NULL if none */
};

struct mender {
    struct mend *mend;
    const char *from;
    struct bracket bracket[NESTING_MOST];
    size_t depth;
    const char *missing[MISSING_MOST]; /* the position before which a bracket must be closed */
    char closing[MISSING_MOST];
    size_t missing_count;
};

/*
 * A bracket that is still open when the brace around it closes gets its closing bracket before the
 * first semicolon inside it. Semicolons in a macro's arguments and in a `for` do no harm: those
 * brackets are closed.
 */
static void close_brackets(struct mender *mender, const char *at) {
    while (mender->depth && *mender->bracket[mender->depth - 1].open != '{') {
        const struct bracket *bracket = &mender->bracket[--mender->depth];
        const char *end = bracket->semicolon ? bracket->semicolon : at;
        if (mender->missing_count == MISSING_MOST)
            return;
        while (end > mender->from && (end[-1] == ' ' || (end[-1] >= '\t' && end[-1] <= '\r')))
            end--;
        add(mender->mend, MEND_BRACKET, cpp_position(mender->from, bracket->open), bracket->open, 1,
            *bracket->open == '(' ? ")" : "]");
        mender->missing[mender->missing_count] = end;
        mender->closing[mender->missing_count++] = *bracket->open == '(' ? ')' : ']';
    }
}

static void follow_bracket(struct mender *mender, const struct cpp_token *token) {
    const char c = *token->at;
    struct bracket *top = mender->depth ? &mender->bracket[mender->depth - 1] : NULL;
    if (strchr("([{", c)) {
        if (mender->depth < NESTING_MOST)
            mender->bracket[mender->depth++] = (struct bracket){token->at, NULL};
    } else if (c == ';' && top && *top->open != '{') {
        top->semicolon = top->semicolon ? top->semicolon : token->at;
    } else if (c == '}' && top) {
        close_brackets(mender, token->at);
        mender->depth -= mender->depth > 0;
    } else if (top && ((c == ')' && *top->open == '(') || (c == ']' && *top->open == '['))) {
        mender->depth--;
    }
}

static void insert_brackets(struct mender *mender) {
    struct text to = TEXT_INIT;
    const char *copied = mender->from;
    for (const char *at = mender->from; mender->missing_count; at++) {
        for (size_t i = 0; i < mender->missing_count; i++) {
            if (mender->missing[i] != at)
                continue;
            text_append_bytes(&to, copied, (size_t)(at - copied));
            text_append_char(&to, mender->closing[i]);
            copied = at;
        }
        if (!*at)
            break;
    }
    text_append(&to, copied);
    text_release(&mender->mend->text);
    mender->mend->text = to;
}

static void mend_brackets(struct mend *mend) {
    struct mender mender = {.mend = mend, .from = mend->text.data};
    struct cpp_reader reader = {.at = mend->text.data};
    struct cpp_token token;
    while ((token = cpp_next(&reader)).kind != CPP_END)
        if (token.kind == CPP_SYMBOL)
            follow_bracket(&mender, &token);
    close_brackets(&mender, token.at);
    if (mender.missing_count)
        insert_brackets(&mender);
}

static void mend_words(struct mend *mend) {
    struct text to = TEXT_INIT;
    const char *from = mend->text.data, *copied = from;
    struct cpp_reader reader = {.at = from};
    struct cpp_token token;
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const char *meant = token.kind == CPP_WORD ? intended_word(&token) : NULL;
        if (!meant)
            continue;
        add(mend, MEND_WORD, cpp_position(from, token.at), token.at, token.length, meant);
        text_append_bytes(&to, copied, (size_t)(token.at - copied));
        text_append(&to, meant);
        copied = token.at + token.length;
    }
    text_append(&to, copied);
    text_release(&mend->text);
    mend->text = to;
}

/* ---- the whole text ---- */

void mend_text(struct mend *mend, const char *text) {
    *mend = (struct mend){.text = TEXT_INIT};
    text_append(&mend->text, text);
    if (mend->text.length == 0)
        return;
    mend_fences(mend);
    mend_double_paste(mend);
    mend_characters(mend);
    mend_brackets(mend);
    mend_words(mend);
    if (mend->count > 1)
        qsort(mend->changes, mend->count, sizeof *mend->changes, by_position);
}

void mend_punctuation(struct mend *mend, const char *text) {
    *mend = (struct mend){.text = TEXT_INIT};
    text_append(&mend->text, text);
    if (mend->text.length)
        mend_characters(mend);
}

void mend_release(struct mend *mend) {
    text_release(&mend->text);
    free(mend->changes);
    *mend = (struct mend){.text = TEXT_INIT};
}

static void describe(const struct mend_change *change, struct text *said) {
    switch (change->kind) {
    case MEND_BLANK:
        text_append_format(said, _("%s is not a space to a compiler: a plain space was meant"),
                           change->was);
        break;
    case MEND_MARK:
        text_append_format(said, _("%s is not a C++ character: %s was meant"), change->was,
                           change->now);
        break;
    case MEND_NOTHING:
        text_append_format(said, _("%s is invisible and does not belong here"), change->was);
        break;
    case MEND_FENCE:
        text_append(said, _("a line of Markdown, not of the program"));
        break;
    case MEND_WORD:
        text_append_format(said, _("%s lacks an underscore: %s was meant"), change->was,
                           change->now);
        break;
    case MEND_BRACKET:
        text_append_format(said, _("this %s is not closed before its statement ends"), change->was);
        break;
    case MEND_TWICE:
        text_append(said, _("a second copy of the program begins in the middle of a line"));
        break;
    }
}

void mend_describe(const struct mend *mend, const char *name, size_t most, struct text *said) {
    for (size_t i = 0; i < mend->count && i < most; i++) {
        const struct mend_change *change = &mend->changes[i];
        text_append_format(said, "%s%s:%lu:%lu: ", i ? "\n" : "", name, change->position.line,
                           change->position.column);
        describe(change, said);
        if (change->more)
            text_append_format(said, _(" (%zu more on this line)"), change->more);
    }
    if (mend->count > most)
        text_append_format(said, _("\nand %zu more"), mend->count - most);
}

static void print_line(FILE *out, char sign, const char *line) {
    struct text shown = TEXT_INIT, copy = TEXT_INIT;
    text_append_bytes(&copy, line, strcspn(line, "\n"));
    text_append_visible(&shown, copy.data, UTF8_LINE);
    fprintf(out, "%c%s\n", sign, shown.data);
    text_release(&copy);
    text_release(&shown);
}

void mend_print_difference(FILE *out, const struct mend *mend, const char *original,
                           const char *name) {
    const char *was = original, *now = mend->text.data;
    fprintf(out, "--- %s\n+++ %s\n", name, name);
    for (unsigned long line = 1; *was || *now; line++) {
        const size_t a = strcspn(was, "\n"), b = strcspn(now, "\n");
        if (a != b || memcmp(was, now, a) != 0) {
            fprintf(out, "@@ -%lu +%lu @@\n", line, line);
            print_line(out, '-', was);
            print_line(out, '+', now);
        }
        was = line_after(was);
        now = line_after(now);
    }
}
