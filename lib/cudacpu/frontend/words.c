#include "cudacpu/frontend/words.h"

#include "base/memory.h"
#include "cudacpu/frontend/preprocessed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where one is in the text. */
struct reader {
    const char *at, *file;
    uint32_t file_length, line;
    bool is_skipped;
};

static bool is_in(const struct words *words, const struct reader *reader) {
    for (char *const *folder = words->skipped; folder && *folder; folder++) {
        size_t length = strlen(*folder);
        if (reader->file_length > length && reader->file[length] == '/' &&
            memcmp(reader->file, *folder, length) == 0)
            return true;
    }
    /* A toolkit's headers, which a compiler may take for a person's. */
    return reader->file_length > 5 && memcmp(reader->file, "/usr/", 5) == 0;
}

/* # 12 "file" 3: flag 3 is a header of the system's. Behind its line. */
static void take_marker(const struct words *words, struct reader *reader) {
    const char *line_end = reader->at + line_length(reader->at, words->end);
    const char *digits = reader->at + 1, *name;
    char *after;
    if (strncmp(digits, "line", 4) == 0)
        digits += 4;
    unsigned long line = strtoul(digits, &after, 10);
    name = after + strspn(after, " \t");
    if (after == digits || *name != '"') {
        reader->line += after == digits;
        reader->at = line_end;
        return;
    }
    const char *close = name + 1;
    while (close < line_end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    reader->file = name + 1;
    reader->file_length = (uint32_t)(close - reader->file);
    reader->line = (uint32_t)line;
    reader->is_skipped = is_in(words, reader);
    for (const char *flag = close; flag < line_end; flag++)
        reader->is_skipped = reader->is_skipped || (*flag == '3' && is_blank(flag[-1]));
    reader->at = line_end;
}

/* Behind R"delimiter( ... )delimiter", with `at` on the quotation mark. */
static const char *behind_raw(const char *at, const char *end) {
    char close[20] = ")";
    size_t length = 0;
    while (at + 1 + length < end && length < 17 && at[1 + length] != '(')
        length++;
    memcpy(close + 1, at + 1, length);
    close[length + 1] = '"';
    const char *found = memmem(at, (size_t)(end - at), close, length + 2);
    return found ? found + length + 2 : end;
}

static const char *behind_quotes(const char *at, const char *end) {
    const char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

static const char *behind_number(const char *at, const char *end) {
    while (at < end && (is_name(*at) || *at == '.' || *at == '\''))
        at++;
    return at;
}

/* A name, or a string with what stands before its quotation mark. */
static const char *behind_name(const char *at, const char *end, enum word_kind *kind) {
    const char *from = at;
    while (at < end && is_name(*at))
        at++;
    if (at < end && (*at == '"' || *at == '\'') && at - from <= 3)
        return at[-1] == 'R' && *at == '"' ? behind_raw(at, end) : behind_quotes(at, end);
    *kind = WORD_NAME;
    return at;
}

/* Behind the word at `at`, and what it is. */
static const char *behind_word(const char *at, const char *end, enum word_kind *kind) {
    *kind = WORD_OTHER;
    if (*at == '"' || *at == '\'')
        return behind_quotes(at, end);
    if (isdigit((unsigned char)*at))
        return behind_number(at, end);
    if (is_name(*at))
        return behind_name(at, end, kind);
    *kind = WORD_SIGN;
    const bool is_pair =
        end - at > 1 && ((at[0] == ':' && at[1] == ':') || (at[0] == '-' && at[1] == '>'));
    return at + 1 + is_pair;
}

/* ---- names ---- */

static bool same(const struct word *a, const struct word *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static uint32_t *slot_of(const struct words *words, const struct word *name) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < name->length; i++)
        hash = (hash ^ (unsigned char)name->at[i]) * 16777619u;
    for (uint32_t at = hash & words->slot_mask;; at = (at + 1) & words->slot_mask)
        if (!words->slot[at] || same(&words->word[words->slot[at] - 1], name))
            return &words->slot[at];
}

static void number_names(struct words *words) {
    words->slot_mask = 255;
    while (words->slot_mask < 2 * words->count)
        words->slot_mask = 2 * words->slot_mask + 1;
    words->slot = memory_zeroed((size_t)words->slot_mask + 1, sizeof *words->slot);
    for (uint32_t i = 0; i < words->count; i++) {
        if (words->word[i].kind != WORD_NAME)
            continue;
        uint32_t *slot = slot_of(words, &words->word[i]);
        words->word[i].name = *slot ? words->word[*slot - 1].name : words->names++;
        *slot = *slot ? *slot : i + 1;
    }
}

/* ---- brackets ---- */

static bool pair_brackets(struct words *words) {
    uint32_t open = WORDS_NONE;
    for (uint32_t i = 0; i < words->count; i++) {
        struct word *word = &words->word[i];
        const char c = word->kind == WORD_SIGN ? *word->at : ' ';
        word->inside = open;
        if (strchr("([{", c)) {
            open = i;
        } else if (strchr(")]}", c)) {
            if (open == WORDS_NONE)
                return false;
            struct word *opening = &words->word[open];
            if (*opening->at != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return false;
            word->partner = open;
            opening->partner = i;
            word->inside = open = opening->inside;
        }
    }
    return open == WORDS_NONE;
}

/* ---- the whole ---- */

static void add(struct words *words, uint32_t *room, const struct reader *reader, const char *end,
                enum word_kind kind) {
    if (words->count == *room) {
        *room = *room ? *room * 2 : 4096;
        words->word = memory_grow(words->word, *room, sizeof *words->word);
    }
    words->word[words->count++] = (struct word){.at = reader->at,
                                                .length = (uint32_t)(end - reader->at),
                                                .file = reader->file,
                                                .file_length = reader->file_length,
                                                .line = reader->line,
                                                .kind = kind};
}

bool words_read(struct words *words, const char *source, size_t length, char *const *skipped) {
    *words = (struct words){.source = source, .end = source + length, .skipped = skipped};
    struct reader reader = {.at = source, .file = "", .line = 1};
    uint32_t room = 0;
    while (reader.at < words->end) {
        const char c = *reader.at;
        enum word_kind kind;
        if (c == '#' && (reader.at == source || reader.at[-1] == '\n')) {
            take_marker(words, &reader);
        } else if (reader.is_skipped) {
            reader.at += line_length(reader.at, words->end);
        } else if (is_blank(c)) {
            reader.line += c == '\n';
            reader.at++;
        } else {
            const char *end = behind_word(reader.at, words->end, &kind);
            add(words, &room, &reader, end, kind);
            for (; reader.at < end; reader.at++) /* a raw string has lines */
                reader.line += *reader.at == '\n';
        }
    }
    if (words->count > UINT32_MAX / 8)
        return false;
    number_names(words);
    return pair_brackets(words);
}

void words_free(struct words *words) {
    free(words->word);
    free(words->slot);
    *words = (struct words){0};
}

bool words_is(const struct words *words, uint32_t at, const char *text) {
    return at < words->count && words->word[at].length == strlen(text) &&
           memcmp(words->word[at].at, text, words->word[at].length) == 0;
}

bool words_equal(const struct words *words, uint32_t a, uint32_t b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!same(&words->word[a + i], &words->word[b + i]))
            return false;
    return true;
}

bool words_are_called_elsewhere(const struct words *words, const struct word *name) {
    struct reader reader = {.at = words->source, .file = "", .line = 1};
    while (reader.at < words->end) {
        const char *line_end = reader.at + line_length(reader.at, words->end), *found = reader.at;
        if (*reader.at == '#') {
            take_marker(words, &reader);
            continue;
        }
        while (reader.is_skipped &&
               (found = memmem(found, (size_t)(line_end - found), name->at, name->length))) {
            const char *behind = found + name->length;
            const bool whole = (found == words->source || !is_name(found[-1]));
            while (behind < line_end && is_blank(*behind))
                behind++;
            if (whole && behind < line_end && *behind == '(')
                return true;
            found += name->length;
        }
        reader.at = line_end;
    }
    return false;
}
