/*
 * predict.h - the learner predicts the result before the screen shows it.
 *
 * `p` asks about the selected lane on any replay, and then the keys choose the question; questions
 * of lessons and quizzes are fixed. The picture hides the answer while a question is open. The
 * answer itself is computed from the recording: answer.h.
 */
#ifndef SHFLVIZ_REPLAY_PREDICT_H
#define SHFLVIZ_REPLAY_PREDICT_H

#include "base/error.h"
#include "explain/answer.h"
#include "replay/keys/action.h"
#include "replay/state.h"

#include <stdbool.h>
#include <stdint.h>

/* The subject of a question on the replay: its operation, valid while the replay stays there. */
struct subject replay_subject(const struct replay *replay);

/* True if a picture must not show this part, because the lesson hides it or a question asks for
 * it. */
bool replay_hides(const struct replay *replay, enum replay_hidden what);

/* The latest phase that may be shown, so that no view reveals the answer: `before` while a
 * question is open, or `range` if it is about a lane's result; else the current phase. */
enum phase replay_shown_phase(const struct replay *replay);

/*
 * Asks a question on the replay: the picture hides the answer, and the prompt opens. Keys type the
 * answer, move the selected lane and, for a set, mark it; they do not change the question. Fails
 * like answer_of(), with nothing changed.
 */
int replay_ask(struct replay *replay, const struct question *question, struct error *err);
/* Puts an answer into the prompt, as if it had been typed. */
void replay_type_answer(struct replay *replay, const char *typed);
/* Puts a set of lanes into the prompt, as if they had been marked by hand. */
void replay_mark_answer(struct replay *replay, uint32_t lanes);
/* Judges the answer in the prompt and shows the right one, with the reason as the message; an
 * unreadable answer is asked for again, and the message lists the allowed forms. */
enum answer_verdict replay_answer(struct replay *replay);
/* Asks the same question after a wrong answer: a set stays in the prompt for correction, other
 * answers are cleared. */
void replay_ask_again(struct replay *replay);
/* Shows the answer to a learner who gives up. */
void replay_reveal(struct replay *replay);
/* Closes the prompt of an open question; the picture still hides the answer. */
void replay_leave_prompt(struct replay *replay);
/* Removes the question, or its answer, from the picture. True if there was one. */
bool replay_ask_end(struct replay *replay);

/* True if an answer to the open question may begin with that character: "?" and ".", for instance,
 * only for some questions. */
bool predict_may_begin(const struct replay *replay, const char *key);
/* Types the key into the answer. */
bool predict_type(struct replay *replay, const char *key);

/* ---- handlers of the table (action.h); they return true if anything changed ---- */

action_handler predict_start; /* asks, or reports why no question is possible */
action_handler predict_accept, predict_erase;
action_handler predict_mark; /* the selected lane */
action_handler predict_kind; /* next kind of question: its argument is the direction */

/* Selects a lane while a question is open. If the learner asked the question about another lane, it
 * is then asked about this one, if possible. */
bool predict_lane_go(struct replay *replay, int lane);
/* A click on a lane: marks it, answers with it or asks about it, depending on the question. */
bool predict_lane_click(struct replay *replay, int lane);

#endif
