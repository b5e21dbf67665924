#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(const char *word) {
    static const char *const names[] = {
        "Right",     "Left", "Up",  "Down",   "Space",    "Tab", "BackTab", "Enter", "Escape",
        "Backspace", "Home", "End", "PageUp", "PageDown", "F1",  "Ctrl-L",  NULL};
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], word) == 0)
            return true;
    return false;
}

static void run_word(void *screen, bool (*key)(void *, const char *), bool (*tick)(void *, long),
                     const char *word) {
    char *end;
    long milliseconds = word[0] == '+' ? strtol(word + 1, &end, 10) : 0;
    if (milliseconds > 0 && strcmp(end, "ms") == 0) {
        tick(screen, milliseconds);
        return;
    }
    if (is_name(word)) {
        key(screen, word);
        return;
    }
    while (*word) {
        char typed[8];
        size_t length = 1;
        while ((word[length] & 0xc0) == 0x80 && length < sizeof typed - 1)
            length++; /* a character of several bytes is one key */
        memcpy(typed, word, length);
        typed[length] = '\0';
        key(screen, typed);
        word += length;
    }
}

void keys_run(void *screen, bool (*key)(void *, const char *), bool (*tick)(void *, long),
              const char *keys) {
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", keys);
    char *rest = copy;
    for (char *word; (word = strsep(&rest, " "));)
        if (*word)
            run_word(screen, key, tick, word);
}
