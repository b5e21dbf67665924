/*
 * bind.h - the user's own keys: the text of a file of bindings.
 *
 *     # The next phase with x, and nothing with b.
 *     bind replay x phase-next
 *     bind replay b none
 *
 * A line is empty, a comment (#), or `bind MODE KEY ACTION`: MODE as in action_mode_name(),
 * KEY a key name (action.h), ACTION the name of a row that applies there, or none. A later line
 * overrides an earlier one. Actions that are not rebound keep their keys.
 */
#ifndef SHFLVIZ_REPLAY_BIND_H
#define SHFLVIZ_REPLAY_BIND_H

#include "base/error.h"

/*
 * Applies the bindings in the text. A wrong line changes nothing; the others apply. Fails
 * (ERROR_USAGE) if there is one, and reports the first: `file`, its line number, what is allowed,
 * and how many more there are.
 */
int bind_read(const char *text, const char *file, struct error *err);

#endif
