/*
 * details.h - the details of a run: its lines with their local variables, and the origins of its
 * values. Recording them costs time, so most recordings have none; the screen that made a recording
 * can repeat the run when the user asks for them (session/details.h).
 */
#ifndef SHFLVIZ_REPLAY_DETAILS_H
#define SHFLVIZ_REPLAY_DETAILS_H

#include "replay/state.h"

/* Set by a screen that can record the same run with its details. */
void replay_allow_details(struct replay *replay, bool can);
/* True while the replay shows something that needs them and they can be recorded. */
bool replay_wants_details(const struct replay *replay);
/* Reports why they could not be recorded, and closes the view that needs them. */
void replay_give_up_details(struct replay *replay, const char *why);

#endif
