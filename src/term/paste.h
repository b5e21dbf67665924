/*
 * paste.h - distinguishes pasted text from keys (DECSET 2004, "bracketed paste").
 *
 * Between PASTE_BEGIN and PASTE_END no character is a key, whatever it is. The printable part comes
 * out as the keys that type it: line breaks and tabs in a row become one blank, or none at the
 * ends; other control characters are left out.
 */
#ifndef SHFLVIZ_TERM_PASTE_H
#define SHFLVIZ_TERM_PASTE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PASTE_ON    "\033[?2004h"
#define PASTE_OFF   "\033[?2004l"
#define PASTE_BEGIN "\033[200~"
#define PASTE_END   "\033[201~"

/* A terminal that never sends PASTE_END must not disable the keys: a character
 * that arrives this long after the last one is a key again. */
#define PASTE_MILLISECONDS 1000

struct paste {
    bool open;      /* between begin and end */
    bool taken;     /* some of it was typed */
    bool text;      /* a character that is not a blank has arrived */
    bool returned;  /* the last character of a gathered text was a carriage return */
    bool blank;     /* a blank is due before the next character */
    size_t matched; /* bytes of PASTE_END so far */
    long elapsed;   /* milliseconds since the last character */
};

void paste_begin(struct paste *paste);
/* Called when time passes. */
void paste_tick(struct paste *paste, long milliseconds);
/* Takes a character while a paste is open; PASTE_END closes the paste. Returns how many characters
 * are to be typed for it. */
#define PASTE_KEYS 2
size_t paste_take(struct paste *paste, uint32_t character, uint32_t keys[PASTE_KEYS]);
/* The same for a program that takes the whole text: appends it unchanged, with line breaks as "\n"
 * and without control characters other than tabs. Text beyond PASTE_MOST is dropped; the result is
 * then longer than PASTE_MOST. */
#define PASTE_MOST ((size_t)2 << 20)
void paste_gather(struct paste *paste, uint32_t character, struct text *text);

#endif
