/*
 * query.h - asks the terminal for its background; the answer arrives among the keys.
 *
 * The terminal is asked for its background (OSC 11) and then for its kind (DA1): every terminal
 * answers the second, so after that no answer to the first will come. The program does not wait;
 * the colours change when the answer arrives.
 */
#ifndef SHFLVIZ_TERM_QUERY_H
#define SHFLVIZ_TERM_QUERY_H

#include "term/palette.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of an incoming answer. */
enum query_state {
    QUERY_NONE,
    QUERY_ESCAPE,       /* ESC: a key or the beginning of an answer */
    QUERY_BRACKET,      /* ESC [ */
    QUERY_COLOR,        /* ESC ] ... */
    QUERY_COLOR_ESCAPE, /* ... ESC, before the final backslash */
    QUERY_KIND,         /* ESC [ ? ... c: what kind of terminal it is */
};

struct query {
    bool asked; /* and not every query has been answered */
    enum query_state state;
    char answer[64]; /* of QUERY_COLOR, as far as it fits */
    size_t length;
    enum palette_background background; /* as answered; BACKGROUND_UNKNOWN until then */
};

/* Sends the query only if the terminal's type (TERM, may be NULL) is a relative of xterm: the Linux
 * console and GNU screen would print it. */
void query_ask(struct query *query, const char *term, int output);

/* Takes the next character of input. Anything that is not an answer, or turns out not to be one,
 * goes to `keys`; returns how many. */
#define QUERY_KEYS 3
size_t query_take(struct query *query, uint32_t character, uint32_t keys[QUERY_KEYS]);
/* Called when there are no more characters for now: a partial answer may continue later, but a
 * single Escape does not wait. */
size_t query_pause(struct query *query, uint32_t keys[QUERY_KEYS]);

#endif
