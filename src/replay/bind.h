/*
 * bind.h - a person's own keys: the text of a file of bindings.
 *
 *     # The next phase with x, and nothing with b.
 *     bind replay x phase-next
 *     bind replay b none
 *
 * A line is empty, a comment (#), or `bind PLACE KEY ACTION`: PLACE as action_place_name() has it,
 * KEY a key name (action.h), ACTION the name of a row that holds there, or none. A later line goes
 * before an earlier one. What is not bound anew keeps its key.
 */
#ifndef SHFLVIZ_REPLAY_BIND_H
#define SHFLVIZ_REPLAY_BIND_H

#include "base/error.h"

/*
 * Binds what the text says. A line that is wrong changes nothing; the others count. Fails
 * (ERROR_USAGE) if any is, with the first of them: `file`, its number, what is allowed, and how
 * many more there are.
 */
int bind_read(const char *text, const char *file, struct error *err);

#endif
