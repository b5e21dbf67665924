/*
 * answer.h - the answer to a question about one operation: computed, judged, and put into words.
 *
 * The answer is computed from the recorded operation and the rules, never stored.
 */
#ifndef SHFLVIZ_EXPLAIN_ANSWER_H
#define SHFLVIZ_EXPLAIN_ANSWER_H

#include "base/error.h"
#include "explain/question.h"
#include "explain/subject.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

struct answer {
    bool undefined; /* of SOURCE and VALUE */
    bool own;       /* of SOURCE and VALUE: out of range, so the lane's own */
    int lane;       /* SOURCE: the lane read */
    uint64_t value; /* VALUE: its bits */
    uint32_t lanes; /* the sets */
    /* Lanes of a set that count neither as right nor as wrong: for READERS, those that are
     * undefined because of this lane, and the lane itself if it keeps its own value; for CHANGED,
     * those that are undefined. */
    uint32_t either;
};

/*
 * Fails (ERROR_USAGE) with the reason why the question cannot be asked: for example, the lane makes
 * no call, a barrier moves no value, or the recording disagrees with the rules. SOURCE, READERS and
 * OWN are for shuffles; CHANGED for shuffles and reductions; VALUE for operations with a result
 * that the rules fix, and for watched values; UNDEFINED for operations with a result; ABSENT for
 * all.
 */
int answer_of(struct subject subject, const struct question *question, struct answer *answer,
              struct error *err);

/* The answer in words as a learner would type it: "17", "own", "undefined", "0x0000ffff",
 * "0-15". */
char *answer_format(struct subject subject, const struct question *question,
                    const struct answer *answer, char buffer[ANSWER_TEXT]);

/*
 * Judges the typed answer:
 *  - a lane may be given as "5" or "lane 5";
 *  - a value may be in any base, and a float may differ from the printed one within the precision
 *    of its type; a number that the type cannot hold is wrong, such as 6.5 for an int;
 *  - a set may be given as "0-3,8", "all" or "none"; blank means the lanes of `marks`.
 * If the value asked for is the lane's own, "own" is right, too. `normal`, if not NULL, gets the
 * answer in the form of answer_format().
 */
enum answer_verdict answer_judge(struct subject subject, const struct question *question,
                                 const char *typed, uint32_t marks, char normal[ANSWER_TEXT]);

/* The reason for the answer, in a sentence, with the numbers. */
char *answer_reason(struct subject subject, const struct question *question, char *buffer,
                    size_t size);
/* A hint about the arithmetic, which does not give the answer away. */
char *answer_hint(struct subject subject, const struct question *question, char *buffer,
                  size_t size);
/* The question in words: "Which lane does lane 5 read?" */
char *question_sentence(struct subject subject, const struct question *question, char *buffer,
                        size_t size);
/* The same for a prompt: "lane 5 reads lane? " */
char *question_label(const struct question *question, char *buffer, size_t size);
/* The allowed answers, to show after the prompt: "0 to 31, own, undefined" */
const char *question_help(struct subject subject, const struct question *question);

/* True if the answer, as normalised by answer_judge(), has some of the right choices and none of
 * the wrong ones. */
bool answer_is_part(struct subject subject, const struct question *question, const char *typed);

#endif
