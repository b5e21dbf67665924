/*
 * predict.h - the learner says what happens before the screen does.
 *
 * `p` asks about the selected lane on any replay, and then the keys choose what is asked; lessons
 * and quizzes ask what they choose ("fixed"). The picture hides the answer while a question is
 * open. The answer itself is computed from the recording: answer.h.
 */
#ifndef SHFLVIZ_REPLAY_PREDICT_H
#define SHFLVIZ_REPLAY_PREDICT_H

#include "base/error.h"
#include "explain/answer.h"
#include "replay/action.h"
#include "replay/state.h"

#include <stdbool.h>
#include <stdint.h>

/* What a question on the replay is about: its operation, as long as the replay stays there. */
struct subject replay_subject(const struct replay *replay);

/* Whether a picture must not show that, because the lesson hides it or a question asks for it. */
bool replay_hides(const struct replay *replay, enum replay_hidden what);

/* The phase that may be shown, so that no view gives the answer away: at most `before` while a
 * question is open, `range` for one that asks what a lane gets; else the phase. */
enum phase replay_shown_phase(const struct replay *replay);

/*
 * Asks it on the replay: the picture hides the answer, the prompt opens. Keys type the answer, move
 * the selected lane and, for a set, mark it; they do not change the question. Fails as answer_of()
 * does; then nothing changes.
 */
int replay_ask(struct replay *replay, const struct question *question, struct error *err);
/* Puts an answer at the prompt, as if it had been typed. */
void replay_type_answer(struct replay *replay, const char *typed);
/* Puts a set of lanes at the prompt, as if they had been marked by hand. */
void replay_mark_answer(struct replay *replay, uint32_t lanes);
/* Judges what is at the prompt and shows the answer, with the reason as the message; one that
 * cannot be read is asked for again, with what may be typed as the message. */
enum answer_verdict replay_answer(struct replay *replay);
/* The same question after a wrong answer: a set stays at the prompt to be mended, all else goes. */
void replay_ask_again(struct replay *replay);
/* Shows the answer to a learner who gives up. */
void replay_reveal(struct replay *replay);
/* Closes the prompt of an open question; the picture goes on hiding the answer. */
void replay_leave_prompt(struct replay *replay);
/* Takes the question, or its answer, from the picture. True if there was one. */
bool replay_ask_end(struct replay *replay);

/* Whether an answer to the open question may begin with that character: "?" and ".", for instance,
 * for some questions and not for others. */
bool predict_may_begin(const struct replay *replay, const char *key);
/* Types the key into the answer. */
bool predict_type(struct replay *replay, const char *key);

/* ---- handlers of the table (action.h); they return whether anything changed ---- */

action_handler predict_start; /* or says why there is nothing to ask */
action_handler predict_accept, predict_erase;
action_handler predict_mark; /* the selected lane */
action_handler predict_kind; /* another kind of question: its argument is the direction */

/* A lane is selected while a question is open, which then may be about that lane. */
bool predict_lane_go(struct replay *replay, int lane);
/* A lane is clicked: marked, answered or asked about, as the question is. */
bool predict_lane_click(struct replay *replay, int lane);

#endif
