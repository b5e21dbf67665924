/*
 * whose.h - what is asked with `o`: what values are made of, of one thing in all lanes at once
 * (explain/origins.h).
 *
 * Among lines it is a local variable, that which was changed last until another one is asked for;
 * elsewhere it is what lanes got from the operation.
 */
#ifndef SHFLVIZ_REPLAY_WHOSE_H
#define SHFLVIZ_REPLAY_WHOSE_H

#include "replay/handlers.h"
#include "replay/state.h"
#include "trace/lines/origins.h"

struct whose {
    const struct trace_origins *origins;   /* NULL: the recording has none */
    const struct trace_variable *variable; /* NULL: what lanes got from the operation */
    uint32_t line;                         /* of the text, where there is a variable */
    uint32_t lanes;                        /* that have a value */
    uint32_t node[WARP_LANES];             /* what it is made of, in origins */
};

void whose_read(const struct replay *replay, struct whose *whose);
bool whose_is_asked(const struct replay *replay);
/* Ends it; true if it was asked. */
bool whose_close(struct replay *replay);

/* Asks; once more for the next variable, changed before that; behind the last it ends. */
action_handler look_whose;

#endif
