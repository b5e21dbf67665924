/* The texts of a beat, as lines, and the time needed to read them. */
#include "teach/stage.h"

#include "base/text.h"
#include "teach/scene.h"

#include <string.h>

#define NARROW_PER_SECOND 15 /* letters of English and the like */
#define WIDE_PER_SECOND   5  /* characters of Chinese */

static void make(struct player *player, struct prose *prose, const char *markdown) {
    const struct lesson_beat *beat = player_beat(player);
    struct scene scene = {player->lesson, player->traces, &beat->show};
    prose_release(prose);
    prose_make(prose, markdown, scene_lookup, &scene, NULL);
}

/* The program's own texts are not Markdown. */
static void make_plain(struct player *player, struct prose *prose, const char *plain) {
    struct text escaped = TEXT_INIT;
    for (const char *c = plain; *c; c++) {
        if (strchr("*`{\\", *c))
            text_append_char(&escaped, '\\');
        text_append_char(&escaped, *c);
    }
    make(player, prose, escaped.data);
    text_release(&escaped);
}

static const char *part(const struct player *player, enum lesson_part which) {
    return lesson_part(player->lesson, player->beat, player->language, which);
}

/* Adds the code of a question below it: choices have letters. */
static void add_code(struct player *player, const struct question *ask) {
    struct text text = TEXT_INIT;
    const char *question = part(player, LESSON_QUESTION);
    if (!ask->code[0])
        return;
    if (question)
        text_append_format(&text, "%s\n\n", question);
    else
        text_append_format(&text, "%s\n\n", player->question.paragraphs[0].spans[0].text);
    scene_append_code(ask, &text);
    make(player, &player->question, text.data);
    text_release(&text);
}

void player_make_texts(struct player *player) {
    char words[320];
    const struct question *ask = &player_beat(player)->ask;
    make(player, &player->narration, part(player, LESSON_NARRATION));
    make(player, &player->notes, part(player, LESSON_NOTES));
    prose_release(&player->question);
    prose_release(&player->hint);
    prose_release(&player->said);
    if (!player_asks(player))
        return;
    if (part(player, LESSON_QUESTION))
        make(player, &player->question, part(player, LESSON_QUESTION));
    else
        make_plain(player, &player->question,
                   question_sentence(replay_subject(&player->replay), ask, words, sizeof words));
    add_code(player, ask);
    if (part(player, LESSON_HINT))
        make(player, &player->hint, part(player, LESSON_HINT));
    else
        make_plain(player, &player->hint,
                   answer_hint(replay_subject(&player->replay), ask, words, sizeof words));
}

bool player_belief(const struct player *player, const char *answer, struct prose *prose) {
    struct scene scene = {player->lesson, player->traces, &player_beat(player)->show};
    const char *belief = lesson_belief(player->lesson, player->beat, player->language, answer);
    if (!belief)
        return false;
    *prose = (struct prose){0};
    prose_make(prose, belief, scene_lookup, &scene, NULL);
    return true;
}

void player_speak(struct player *player, const char *markdown, const char *plain) {
    prose_release(&player->said);
    if (markdown)
        make(player, &player->said, markdown);
    else if (plain)
        make_plain(player, &player->said, plain);
}

void player_speak_answer(struct player *player, const char *typed, const char *reason) {
    struct text text = TEXT_INIT;
    const char *belief =
        *typed ? lesson_belief(player->lesson, player->beat, player->language, typed) : NULL;
    const char *answer = part(player, LESSON_ANSWER);
    if (belief && answer)
        text_append_format(&text, "%s\n\n%s", belief, answer);
    player_speak(player, text.length ? text.data : belief ? belief : answer, reason);
    text_release(&text);
}

void player_texts_release(struct player *player) {
    prose_release(&player->narration);
    prose_release(&player->question);
    prose_release(&player->hint);
    prose_release(&player->said);
    prose_release(&player->notes);
}

/* ---- reading ---- */

static long reading_text(const char *text) {
    long narrow = 0, wide = 0;
    while (*text)
        *(utf8_next(&text) >= 0x2e80 ? &wide : &narrow) += 1;
    return narrow * 1000 / NARROW_PER_SECOND + wide * 1000 / WIDE_PER_SECOND;
}

static long reading_paragraph(const struct paragraph *paragraph) {
    long time = 0;
    for (size_t i = 0; i < paragraph->span_count; i++)
        time += reading_text(paragraph->spans[i].text);
    return time;
}

static long reading_prose(const struct prose *prose) {
    long time = 0;
    for (size_t i = 0; i < prose->count; i++)
        time += reading_paragraph(&prose->paragraphs[i]);
    return time;
}

long player_reading_narration(const struct player *player) {
    if (!player->presenting)
        return reading_prose(&player->narration);
    return player->line < player->narration.count
               ? reading_paragraph(&player->narration.paragraphs[player->line])
               : 0;
}

long player_reading_said(const struct player *player) {
    return reading_prose(&player->said);
}
