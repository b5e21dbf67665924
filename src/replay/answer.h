/*
 * answer.h - questions about the moment of a replay: asked, hidden, answered, judged.
 *
 * The answer is computed from the recording and the rules, never stored. `p` asks about the
 * selected lane on any replay; lessons and quizzes ask what they choose.
 */
#ifndef SHFLVIZ_REPLAY_ANSWER_H
#define SHFLVIZ_REPLAY_ANSWER_H

#include "base/error.h"
#include "lesson/question.h"
#include "replay/replay.h"

#include <stdbool.h>
#include <stdint.h>

/* The answer to a question about the replay's operation. */
struct answer {
    bool undefined; /* of SOURCE and VALUE */
    bool own;       /* of SOURCE and VALUE: out of range, so the lane's own */
    int lane;       /* SOURCE: the lane read */
    uint64_t value; /* VALUE: its bits */
    uint32_t lanes; /* the sets */
    /* Lanes that count neither way in a set: for READERS those that are undefined because of
     * this lane, and the lane itself where it keeps its own; for CHANGED those that are undefined.
     */
    uint32_t either;
};

/*
 * Fails (ERROR_USAGE) with why it cannot be asked: the lane makes no call, a barrier moves no
 * value, the recording disagrees with the rules ... SOURCE, READERS and OWN are for shuffles;
 * CHANGED for shuffles and reductions; VALUE for whatever the rules fix a result of, and for a
 * watched value, which is what it shows; UNDEFINED for what has a result; ABSENT for every
 * operation.
 */
int answer_of(const struct replay *replay, const struct question *question, struct answer *answer,
              struct error *err);

/* The answer in words as a learner would type it: "17", "own", "undefined", "0x0000ffff", "0-15".
 */
#define ANSWER_TEXT 160
char *answer_format(const struct replay *replay, const struct question *question,
                    const struct answer *answer, char buffer[ANSWER_TEXT]);

enum answer_verdict { ANSWER_UNREADABLE, ANSWER_WRONG, ANSWER_RIGHT };

/*
 * Judges what was typed. Lanes may be given as "5", "lane 5"; values in any base, floats as they
 * print or close by their type's precision; sets as "0-3,8", "all", "none" or as marks (see
 * replay.marks). A number that the type cannot hold is wrong, as 6.5 for an int. Where the value
 * asked for is the lane's own, "own" is right, too. `normal`, if not
 * NULL, gets the answer in the form that answer_format() has.
 */
enum answer_verdict answer_judge(const struct replay *replay, const struct question *question,
                                 const char *typed, char normal[ANSWER_TEXT]);

/* Why the answer is what it is, in a sentence, with the numbers. */
char *answer_reason(const struct replay *replay, const struct question *question, char *buffer,
                    size_t size);
/* A hint made from the arithmetic, which does not say the answer. */
char *answer_hint(const struct replay *replay, const struct question *question, char *buffer,
                  size_t size);
/* The question in words: "Which lane does lane 5 read?" */
char *question_sentence(const struct replay *replay, const struct question *question, char *buffer,
                        size_t size);
/* The same for a prompt: "lane 5 reads lane? " */
char *question_label(const struct replay *replay, const struct question *question, char *buffer,
                     size_t size);
/* How to answer it, for behind the prompt: "0 to 31, own, undefined" */
const char *question_help(const struct question *question);
/* Whether its answer is a set of lanes. */
bool question_is_set(const struct question *question);

/*
 * Asks it on the replay: the picture hides the answer, the prompt opens. Keys type the answer, move
 * the selected lane and, for a set, mark it with Space; they do not change the question, as they
 * may one of `p`. Fails as answer_of() does; then nothing changes.
 */
int replay_ask(struct replay *replay, const struct question *question, struct error *err);
/* Judges what stands at the prompt and shows the answer, with the reason as the message; one that
 * cannot be read is asked for again, with what may be typed as the message. */
enum answer_verdict replay_answer(struct replay *replay);
/* Shows the answer to who gives up. */
void replay_reveal(struct replay *replay);
/* Takes the question, or its answer, from the picture. */
void replay_ask_end(struct replay *replay);

#endif
