/* stage.h - the interface between the parts of a player; not for other folders. */
#ifndef SHFLVIZ_TEACH_STAGE_H
#define SHFLVIZ_TEACH_STAGE_H

#include "replay/predict.h"
#include "teach/player.h"

static inline const struct lesson_beat *player_beat(const struct player *player) {
    return &player->lesson->beats[player->beat];
}

static inline bool player_asks(const struct player *player) {
    return player_beat(player)->ask.kind != QUESTION_NONE;
}

/* The last spoken line of the narration. Code is not spoken line by line. */
static inline size_t player_last_line(const struct player *player) {
    if (prose_has_code(&player->narration))
        return 0;
    return player->narration.count > 0 ? player->narration.count - 1 : 0;
}

/* ---- texts (player_text.c) ---- */

/* Rebuilds narration, question, hint and notes of the beat, and clears the response. */
void player_make_texts(struct player *player);
/* Sets the response: `markdown` of the lesson or, if that is NULL, plain words; both may be
 * NULL. */
void player_speak(struct player *player, const char *markdown, const char *plain);
/* Sets the response to a settled question: the correction of the belief behind `typed`, if the
 * lesson has one, since a second wrong answer needs it as much as the first; then the lesson's
 * answer, or the program's reason if there is neither. */
void player_speak_answer(struct player *player, const char *typed, const char *reason);
/* The milliseconds needed to read the text: the line of a presentation, or all of it. */
long player_reading_narration(const struct player *player);
long player_reading_said(const struct player *player);
void player_texts_release(struct player *player);

/* ---- questions (player_question.c) ---- */

/* Shows one line, truncated between characters to the size of the field. */
void player_say(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Shows the first line of an error. */
void player_say_error(struct player *player, const struct error *err);

/* Asks the beat's question: the picture hides the answer, the prompt opens. */
bool player_put_question(struct player *player);
/* Opens the prompt: asks the beat's question, again if it is settled. */
void player_open_question(struct player *player);
/* Shows the answer to a settled question on the picture; `typed` as for player_settle(). */
void player_show_answer(struct player *player, const char *typed);
/* Settles the question and shows its answer; `typed` is the given answer, "" if there is none. */
void player_settle(struct player *player, const char *typed);
/* Sets the response to the wrong answer in player->answer. */
void player_correct(struct player *player);
/* Judges the answer in the prompt. */
void player_answer(struct player *player);
void player_hint(struct player *player);
void player_reveal(struct player *player);

/* ---- the stage (player.c) ---- */

/* Enters a beat at its beginning, or at its end when going back. */
void player_enter(struct player *player, size_t beat, bool at_end);
void player_finish(struct player *player);
/* Notes that everything has been seen, if this is the last beat and its question is settled. */
void player_note_end(struct player *player);
/* Goes to the next or previous line, question, phase or beat. */
void player_go_on(struct player *player);
void player_go_back(struct player *player);
void player_restart(struct player *player);
void player_show_phase(struct player *player, enum phase phase);
/* Leaves the beat's picture; false, with the reason shown, while a question is open. */
bool player_explore(struct player *player);
void player_come_back(struct player *player);
/* Asks the first missed question from that beat on; goes to the end page if there is none. */
bool player_retry_missed(struct player *player, size_t from);
/* Asks the beat's question again. */
void player_ask_again(struct player *player);

#endif
