/*
 * message_change.h - detects whether a screen's message has changed.
 *
 * A key or a click first empties the message; setting the same one again is not a change.
 */
#ifndef SHFLVIZ_REPLAY_MESSAGE_CHANGE_H
#define SHFLVIZ_REPLAY_MESSAGE_CHANGE_H

#include <stdbool.h>
#include <string.h>

#define MESSAGE_SIZE 160

struct old_message {
    char text[MESSAGE_SIZE];
};

/* Empties the message and returns the old one. */
static inline struct old_message message_begin(char message[MESSAGE_SIZE]) {
    struct old_message was;
    memcpy(was.text, message, sizeof was.text);
    message[0] = '\0';
    return was;
}

static inline bool message_changed(const struct old_message *was,
                                   const char message[MESSAGE_SIZE]) {
    return strcmp(was->text, message) != 0;
}

#endif
