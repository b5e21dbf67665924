/*
 * answer.h - the answer to a question about one operation: computed, judged, given in words.
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
int answer_of(struct subject subject, const struct question *question, struct answer *answer,
              struct error *err);

/* The answer in words as a learner would type it: "17", "own", "undefined", "0x0000ffff", "0-15".
 */
char *answer_format(struct subject subject, const struct question *question,
                    const struct answer *answer, char buffer[ANSWER_TEXT]);

/*
 * Judges what was typed. Lanes may be given as "5", "lane 5"; values in any base, floats as they
 * print or close by their type's precision; sets as "0-3,8", "all", "none" or blank, for the lanes
 * of `marks`. A number that the type cannot hold is wrong, as 6.5 for an int. Where the value asked
 * for is the lane's own, "own" is right, too. `normal`, if not NULL, gets the answer in the form
 * that answer_format() has.
 */
enum answer_verdict answer_judge(struct subject subject, const struct question *question,
                                 const char *typed, uint32_t marks, char normal[ANSWER_TEXT]);

/* Why the answer is what it is, in a sentence, with the numbers. */
char *answer_reason(struct subject subject, const struct question *question, char *buffer,
                    size_t size);
/* A hint made from the arithmetic, which does not say the answer. */
char *answer_hint(struct subject subject, const struct question *question, char *buffer,
                  size_t size);
/* The question in words: "Which lane does lane 5 read?" */
char *question_sentence(struct subject subject, const struct question *question, char *buffer,
                        size_t size);
/* The same for a prompt: "lane 5 reads lane? " */
char *question_label(const struct question *question, char *buffer, size_t size);
/* How to answer it, for behind the prompt: "0 to 31, own, undefined" */
const char *question_help(struct subject subject, const struct question *question);

/* Some of the right choices, as answer_judge() normalises them, and none of the wrong ones. */
bool answer_is_part(struct subject subject, const struct question *question, const char *typed);

#endif
