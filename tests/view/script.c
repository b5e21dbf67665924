#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_word(struct replay *replay, const char *word) {
    char *end;
    long milliseconds = word[0] == '+' ? strtol(word + 1, &end, 10) : 0;
    if (milliseconds > 0 && strcmp(end, "ms") == 0) {
        replay_tick(replay, milliseconds);
        return;
    }
    static const char *const others[] = {"Enter", "Backspace", "PageUp", "PageDown"};
    bool is_key =
        strncmp(word, "Ctrl-", 5) == 0 || action_for_key(ACTION_MODE_REPLAY, word) != NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is_key = is_key || strcmp(word, others[i]) == 0;
    if (is_key) {
        replay_key(replay, replay_press(replay, word));
        return;
    }
    while (*word) {
        char key[8];
        size_t length = 1;
        while ((word[length] & 0xc0) == 0x80 && length < sizeof key - 1)
            length++; /* a character of several bytes is one key */
        memcpy(key, word, length);
        key[length] = '\0';
        replay_key(replay, replay_press(replay, key));
        word += length;
    }
}

void script_run(struct replay *replay, const char *keys) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", keys);
    char *rest = copy;
    for (char *word; (word = strsep(&rest, " "));)
        if (*word)
            run_word(replay, word);
}
