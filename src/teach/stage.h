/*
 * stage.h - how the parts of a player change it; not for other folders.
 */
#ifndef SHFLVIZ_TEACH_STAGE_H
#define SHFLVIZ_TEACH_STAGE_H

#include "replay/answer.h"
#include "teach/player.h"

/* One line for the person, cut between characters at the size of the field. */
void player_say(struct player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const struct lesson_beat *player_beat(const struct player *player);
bool player_asks(const struct player *player);

/* ---- texts (player_text.c) ---- */

/* Makes narration, question, hint and notes of the beat anew, and forgets what was said. */
void player_texts(struct player *player);
/* What is said now: `markdown` of the lesson, or plain words where it is NULL; both may be. */
void player_speak(struct player *player, const char *markdown, const char *plain);
/* Milliseconds that it takes to read; the line of a presentation, or all of it. */
long player_reading_narration(const struct player *player);
long player_reading_said(const struct player *player);
void player_texts_release(struct player *player);

/* ---- the stage (player.c) ---- */

/* Enters a beat: at its beginning, or at its end when one comes back to it. */
void player_enter(struct player *player, size_t beat, bool at_end);
void player_finish(struct player *player);
/* The prompt opens: the beat's question is put, again if it is settled. */
void player_open_question(struct player *player);
/* The answer is on the picture; `typed` is what was answered, "" if it was just shown. */
void player_settle(struct player *player, const char *typed);
/* What is said to the wrong answer in player->answer. */
void player_correct(struct player *player);

#endif
