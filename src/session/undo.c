#include "session/undo.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *start_of(const struct history *history, uint64_t line) {
    return &history->starts[line % HISTORY_LINES];
}

static void append(struct history *history, const char *line) {
    uint64_t length = strlen(line);
    length = length < HISTORY_BYTES ? length : HISTORY_BYTES - 1;
    while (history->first < history->end &&
           (history->end - history->first >= HISTORY_LINES ||
            history->written + length + 1 - *start_of(history, history->first) > HISTORY_BYTES))
        history->first++;
    *start_of(history, history->end++) = history->written;
    for (uint64_t i = 0; i <= length; i++)
        history->bytes[history->written++ % HISTORY_BYTES] = i < length ? line[i] : '\0';
}

void history_init(struct history *history, const char *line) {
    *history = (struct history){.bytes = memory_alloc(HISTORY_BYTES),
                                .starts = memory_alloc(HISTORY_LINES * sizeof(uint64_t))};
    append(history, line);
}

void history_release(struct history *history) {
    free(history->bytes);
    free(history->starts);
    *history = (struct history){.bytes = NULL};
}

void history_add(struct history *history, const char *line) {
    if (history->at + 1 < history->end) {
        history->end = history->at + 1;
        history->written = *start_of(history, history->end);
    }
    append(history, line);
    history->at = history->end - 1;
}

char *history_back(struct history *history, long steps) {
    const uint64_t back = history->at - history->first, on = history->end - 1 - history->at;
    const uint64_t room = steps > 0 ? back : on;
    uint64_t wanted = steps > 0 ? (uint64_t)steps : (uint64_t)-steps;
    if (room == 0 && wanted > 0)
        return NULL;
    wanted = wanted < room ? wanted : room;
    history->at = steps > 0 ? history->at - wanted : history->at + wanted;
    uint64_t at = *start_of(history, history->at);
    size_t length = 0;
    while (history->bytes[(at + length) % HISTORY_BYTES])
        length++;
    char *line = memory_alloc(length + 1);
    for (size_t i = 0; i <= length; i++)
        line[i] = history->bytes[(at + i) % HISTORY_BYTES];
    return line;
}
