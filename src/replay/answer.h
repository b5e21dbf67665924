/*
 * answer.h - questions about the moment of a replay: asked, hidden, answered.
 *
 * `p` asks about the selected lane on any replay; lessons and quizzes ask what they choose.
 */
#ifndef SHFLVIZ_REPLAY_ANSWER_H
#define SHFLVIZ_REPLAY_ANSWER_H

#include "base/error.h"
#include "explain/answer.h"
#include "replay/replay.h"

/* What a question on the replay is about: its operation, as long as the replay stays there. */
struct subject replay_subject(const struct replay *replay);

/*
 * Asks it on the replay: the picture hides the answer, the prompt opens. Keys type the answer, move
 * the selected lane and, for a set, mark it with Space; they do not change the question, as they
 * may one of `p`. Fails as answer_of() does; then nothing changes.
 */
int replay_ask(struct replay *replay, const struct question *question, struct error *err);
/* Judges what stands at the prompt and shows the answer, with the reason as the message; one that
 * cannot be read is asked for again, with what may be typed as the message. */
enum answer_verdict replay_answer(struct replay *replay);
/* Shows the answer to a learner who gives up. */
void replay_reveal(struct replay *replay);
/* Takes the question, or its answer, from the picture. */
void replay_ask_end(struct replay *replay);

#endif
