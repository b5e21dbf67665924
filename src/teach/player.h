/*
 * player.h - plays a lesson: the current beat, questions and answers, the effect of Right.
 *
 * A player holds a replay, which supplies the picture, and borrows the lesson and the recordings.
 * It knows nothing about screens, clocks and files: like a replay, it changes only through
 * player_key(), player_apply() and player_tick(), so that a script of keys plays a lesson.
 *
 * Right (Space, l, Enter) goes on: to the next spoken line of a presentation, to the question,
 * then through the phases that the beat shows, then to the next beat; Left goes back the same
 * way. It stops at a question until that is answered, or until Escape ("show me") has shown the
 * answer: Escape first clears the input, if there is any, then asks for confirmation. A learner who
 * moves away from what the beat shows (n, w, a click on a phase) explores: then all keys are those
 * of a replay, and Enter returns. While a question is open, exploring is not possible, because it
 * would show the answer.
 *
 * A wrong answer gets its belief's correction or the hint, and a second try; after that, or after
 * Escape, the answer is shown with the reason. A learner who returns to a beat with a settled
 * question sees the answer; p asks it again.
 *
 * The keys are in the table of replay/keys/action.h: ACTION_MODE_QUESTION while a question is open,
 * else ACTION_MODE_LESSON. `replay.help` says whether the help screen is open.
 */
#ifndef SHFLVIZ_TEACH_PLAYER_H
#define SHFLVIZ_TEACH_PLAYER_H

#include "base/error.h"
#include "explain/answer.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "replay/replay.h"
#include "teach/prose.h"
#include "teach/results.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

enum player_state {
    PLAYER_TELLING,  /* narration; Right goes on */
    PLAYER_ASKING,   /* a question is open */
    PLAYER_ANSWERED, /* right, or shown; Right goes on */
    PLAYER_FINISHED, /* after the last beat: a summary, and what comes next */
};

struct player {
    const struct lesson *lesson;
    size_t language;
    struct trace *const *traces; /* one for each of lesson->runs, borrowed */

    struct replay replay; /* of the beat's recording */
    size_t beat;
    size_t line;      /* spoken line of the narration, in a presentation */
    enum phase phase; /* one of the beat's phases; exploring does not change it */
    enum player_state state;
    bool settled;              /* the beat's question is answered or shown, or the beat has none */
    enum beat_result *results; /* one per beat */
    unsigned tries;            /* wrong answers to the open question */
    bool hinted;               /* the hint is on the screen */
    bool exploring;            /* the replay has left the beat's position; Enter returns */
    bool correction;           /* `said` responds to a wrong answer */
    bool reveal_asked;         /* the answer is shown on the next request */
    bool aside;                /* the notes and the command are below the text */
    bool mending;              /* missed questions are asked again, one after the other */
    const struct lesson *next; /* the lesson that follows, borrowed; NULL after the last one */
    bool wants_next;           /* leaves for that lesson */
    bool next_first;           /* Enter opens that lesson, not the exercise: on the fast track */
    const char *practice; /* title of the exercise that comes after it, borrowed; may be NULL */
    bool wants_practice;  /* leaves for that exercise */
    char answer[REPLAY_INPUT_SIZE]; /* the last answer, as typed */
    char right[ANSWER_TEXT];        /* the right answer, once settled; the picture may have moved
                                     * on */

    /* The current texts, in the language of the lesson: rebuilt when the beat or state changes. */
    struct prose narration, question, hint, said /* correction, or the answer's text */, notes;

    bool live;       /* kernels can be changed while exploring; the player's owner runs them */
    bool presenting; /* only the picture and the current line of the narration */
    bool black;      /* the screen is black, so that the class looks at the teacher */
    bool playing;    /* advances by itself at reading speed; waits at questions */
    long play_elapsed;
    long reading;   /* milliseconds that the current text takes to read */
    int speed;      /* -4..4 as in a replay */
    bool goto_open; /* the prompt for a beat's number, or its id, is open */
    char goto_input[40];
    unsigned before_asked, before_right; /* totals of earlier beats, from player_remember() */
    size_t before_beats;                 /* the number of those beats */
    bool finished;                       /* the last beat has been reached, now or earlier */
    char message[160];
    int scroll; /* lines of text scrolled out of a panel too small for it (J, K); 0 for every new
                   text, never negative; limited by the view to show at least the last line */
    bool quit;
    struct results *kept; /* destination of answers, borrowed; may be NULL */
};

/* Begins at the beat with this id (NULL or unknown: the first). Everything must outlive the
 * player. Fails if a run's recording does not have the content of a beat. */
int player_init(struct player *player, const struct lesson *lesson, struct trace *const *traces,
                const char *language, const char *beat, struct error *err);
void player_release(struct player *player);

/* Restores an earlier state, with the questions as they were noted then. A lesson that is resumed
 * in the middle counts earlier beats as seen. One that was finished with missed questions begins at
 * its end page, which asks those again. Call it right after player_init(). */
void player_remember(struct player *player, const struct lesson_progress *before);

struct press player_press(const struct player *player, const char *key);
/* True if anything visible changed. */
bool player_key(struct player *player, struct press press);
bool player_apply(struct player *player, enum action action, long argument);
bool player_tick(struct player *player, long milliseconds);
long player_wait(const struct player *player);

/* The first beat that has not been seen, beat_count if all have been. */
size_t player_first_unseen(const struct player *player);

/* The progress, to be stored. Strings are borrowed from the lesson and from `questions`, whose
 * text is rebuilt; date is left empty. */
void player_progress(const struct player *player, struct lesson_progress *progress,
                     struct text *questions);

/* The screen whose keys apply now, for the key bar and the help. */
enum action_mode player_key_mode(const struct player *player);

/*
 * The position as one line of text, and moving to such a position: a second terminal uses these
 * to follow. "beat 3 id who line 0 state telling phase before ...". player_follow() fails on a line
 * that is not a position of this lesson, and changes nothing then.
 */
#define PLAYER_POSITION_SIZE 384
char *player_position(const struct player *player, char buffer[PLAYER_POSITION_SIZE]);
int player_follow(struct player *player, const char *position, struct error *err);

/* The beat (from 0) that a user names: its number, from 1, or its id. False if there is none. */
bool player_find_beat(const struct lesson *lesson, const char *wanted, size_t *beat);

/* The number of questions that were skipped, or whose answers were shown, from that beat on. */
size_t player_missed(const struct player *player, size_t from);

/* Goes to a beat (from 0), as if by ":N". */
bool player_go(struct player *player, size_t beat);

/* From now on kernels can be changed: the player's owner runs them again. */
void player_allow_changes(struct player *player);
/* The run of the beat if it can be changed: a kernel of shflviz's own; else NULL. */
const struct lesson_run *player_changeable_run(const struct player *player);
/* The lesson's response to this answer (normalised) to the beat's question; false, with nothing
 * made, if the lesson has no belief for it. The caller releases the prose. */
bool player_belief(const struct player *player, const char *answer, struct prose *prose);
/* Shows the replay's message and takes over its request to leave. */
void player_take_message(struct player *player);

#endif
