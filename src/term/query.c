#include "term/query.h"

#include "term/terminfo.h"

#include <unistd.h>

#define ESCAPE 27
#define BELL   7

void query_ask(struct query *query, const char *term, int output) {
    static const char question[] = "\033]11;?\033\\\033[c";

    if (terminfo_is_like_xterm(term))
        query->asked = write(output, question, sizeof(question) - 1) > 0;
}

static void take_color(struct query *query, uint32_t character) {
    if (query->state == QUERY_COLOR_ESCAPE || character == BELL) {
        query->answer[query->length] = '\0';
        query->background = palette_background_parse(query->answer);
        query->state = QUERY_NONE;
    } else if (character == ESCAPE) {
        query->state = QUERY_COLOR_ESCAPE;
    } else if (query->length + 1 < sizeof(query->answer) && character < 128) {
        query->answer[query->length++] = (char)character;
    }
}

static void take_kind(struct query *query, uint32_t character) {
    if (character == 'c') {
        query->state = QUERY_NONE;
        query->asked = false;
    }
}

/* The state after a character that continues the beginning of an answer, else QUERY_NONE. */
static enum query_state next_state(enum query_state state, uint32_t character) {
    if (state == QUERY_ESCAPE && character == ']')
        return QUERY_COLOR;
    if (state == QUERY_ESCAPE && character == '[')
        return QUERY_BRACKET;
    return state == QUERY_BRACKET && character == '?' ? QUERY_KIND : QUERY_NONE;
}

size_t query_take(struct query *query, uint32_t character, uint32_t keys[QUERY_KEYS]) {
    if (query->state == QUERY_COLOR || query->state == QUERY_COLOR_ESCAPE) {
        take_color(query, character);
        return 0;
    }
    if (query->state == QUERY_KIND) {
        take_kind(query, character);
        return 0;
    }
    const enum query_state next = next_state(query->state, character);
    if (next != QUERY_NONE) {
        query->state = next;
        query->length = 0;
        return 0;
    }
    /* Keys that looked like the beginning of an answer. */
    size_t count = query_pause(query, keys);
    if (query->asked && character == ESCAPE)
        query->state = QUERY_ESCAPE;
    else
        keys[count++] = character;
    return count;
}

size_t query_pause(struct query *query, uint32_t keys[QUERY_KEYS]) {
    const enum query_state state = query->state;
    if (state != QUERY_ESCAPE && state != QUERY_BRACKET)
        return 0;
    query->state = QUERY_NONE;
    keys[0] = ESCAPE;
    keys[1] = '[';
    return state == QUERY_BRACKET ? 2 : 1;
}
