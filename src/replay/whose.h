/*
 * whose.h - the origins of values, one value per lane, which the key `o` shows (explain/origins.h).
 *
 * Among lines, the values are those of a local variable, first of the one that was changed last;
 * elsewhere, they are the lanes' results of the operation.
 */
#ifndef SHFLVIZ_REPLAY_WHOSE_H
#define SHFLVIZ_REPLAY_WHOSE_H

#include "explain/miscounts/miscounts.h"
#include "explain/origins.h"
#include "replay/keys/handlers.h"
#include "replay/state.h"
#include "trace/lines/origins.h"

struct whose {
    const struct trace_origins *origins;   /* NULL if the recording has none */
    const struct trace_variable *variable; /* NULL for the lanes' results of the operation */
    uint32_t line;                         /* a line of the source, if there is a variable */
    uint32_t lanes;                        /* lanes that have a value */
    uint32_t node[WARP_LANES];             /* its origins */
};

void whose_read(const struct replay *replay, struct whose *whose);
bool whose_is_asked(const struct replay *replay);
/* Ends it; true if it was on. */
bool whose_close(struct replay *replay);

/* The path of the selected lane's value: the lines and the warp operations that it passed through.
 * False if none is lit; else origins_terms_release() releases it. */
bool whose_path(const struct replay *replay, struct origin_terms *path);
/* The lanes whose results of a step are on the path, and those that gave them. */
uint32_t whose_path_to(const struct origin_terms *path, uint64_t step);
uint32_t whose_path_from(const struct origin_terms *path, uint64_t step);

/* The lines at which the launch's results get an element twice, or lose it; none if no origins are
 * shown. miscounts_release() releases them. */
void whose_miscounts(const struct replay *replay, struct miscounts *found);

/* Turns it on; each further press goes to the variable that was changed before the one shown.
 * After the last variable, a press turns it off. */
action_handler look_whose;

#endif
