#include "term/paste.h"

#include "base/text/utf8.h"

#include <string.h>

void paste_begin(struct paste *paste) {
    *paste = (struct paste){.open = true};
}

void paste_tick(struct paste *paste, long milliseconds) {
    paste->elapsed += milliseconds;
    if (paste->elapsed >= PASTE_MILLISECONDS)
        paste->open = false;
}

static size_t type(struct paste *paste, uint32_t character, uint32_t keys[PASTE_KEYS]) {
    size_t count = 0;

    if (character == ' ' || character == '\t' || character == '\r' || character == '\n') {
        paste->blank = paste->text;
        return 0;
    }
    if (character < ' ' || character == 127)
        return 0;
    if (paste->blank)
        keys[count++] = ' ';
    paste->blank = false;
    paste->text = true;
    keys[count++] = character;
    return count;
}

/* True if a character belongs to PASTE_END. A partial match was part of the text, and is dropped:
 * it is not printable. */
static bool matches_end(struct paste *paste, uint32_t character) {
    static const char end[] = PASTE_END;

    paste->elapsed = 0;
    if (character == (unsigned char)end[paste->matched]) {
        paste->open = ++paste->matched < strlen(end);
        return true;
    }
    paste->matched = character == (unsigned char)end[0];
    return false;
}

size_t paste_take(struct paste *paste, uint32_t character, uint32_t keys[PASTE_KEYS]) {
    return matches_end(paste, character) ? 0 : type(paste, character, keys);
}

void paste_gather(struct paste *paste, uint32_t character, struct text *text) {
    char bytes[4];

    if (matches_end(paste, character) || text->length > PASTE_MOST)
        return;
    const bool ends_it = character == '\n' && paste->returned; /* one line break, not two */
    paste->returned = character == '\r';
    if (ends_it)
        return;
    if (paste->returned)
        character = '\n';
    if (character >= ' ' ? character != 127 : character == '\n' || character == '\t')
        text_append_bytes(text, bytes, utf8_encode(character, bytes));
}
