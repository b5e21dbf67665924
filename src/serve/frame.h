/*
 * frame.h - the content of a student's page, as events: JSON that the page's script turns into text
 * nodes.
 *
 * The picture is the terminal's: cells of a grid, as runs of one class. Parts hidden by an open
 * question are not in it.
 */
#ifndef SHFLVIZ_SERVE_FRAME_H
#define SHFLVIZ_SERVE_FRAME_H

#include "base/text.h"
#include "teach/player.h"
#include "teach/room.h"

/*
 * A moment of the lesson, one line; the caller frees:
 *   {"state":"wait"|"tell"|"ask"|"shown"|"over"|"black", "round":3, "place":"2/14", "title":"...",
 *    "text":[PARAGRAPH...], "help":"how to answer", "right":"7",
 *    "bars":[{"answer":"32","count":14,"right":false,"belief":[PARAGRAPH...]}...],
 *    "picture":[[["CLASSES","text"]...]...],
 *    "lesson":"xor", "at":"beat 3 id who line 0 ...", "beats":"aas....."}
 * PARAGRAPH: {"kind":"plain"|"item"|"code","spans":[["plain"|"strong"|"code"|"value","text"]...]}.
 * An answer of null stands for several rare ones. If `player` is NULL, no lesson is open,
 * and there are only "state" and "round"; in the states "black" and "over", also the last three.
 * "at" is player_position(), without the text typed at an open question. "beats" has a letter for
 * each beat of the lesson: `.` the class has not seen it; `s` seen, but its question has not been
 * answered in front of the class; `a` seen, and nothing in it is hidden.
 */
char *frame_of(const struct player *player, const struct room *room);

/* Appends the event "words": the page's own texts, in the language in use. */
void frame_words(struct text *text);
/* Appends the event "own": the round that this student answered last, and the result. */
void frame_own(struct text *text, const struct room_student *student);

/* Appends the colours of the picture's classes as CSS, for dark screens and light ones. */
void frame_colours(struct text *text);

/* Appends `string` as a JSON string. */
void frame_string(struct text *text, const char *string);

#endif
