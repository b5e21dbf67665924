#include "term/paste.h"

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

size_t paste_take(struct paste *paste, uint32_t character, uint32_t keys[PASTE_KEYS]) {
    static const char end[] = PASTE_END;

    paste->elapsed = 0;
    if (character == (unsigned char)end[paste->matched]) {
        paste->open = ++paste->matched < strlen(end);
        return 0;
    }
    /* What looked like the end was the text's own, and names nothing that a line could hold. */
    paste->matched = character == (unsigned char)end[0];
    return type(paste, character, keys);
}
