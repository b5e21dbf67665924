/* The position of a player, as a line of text and as a learner's progress. */
#include "base/message.h"
#include "teach/scene.h"
#include "teach/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- progress ---- */

/* True if the beat's question is known to have been answered or given up; before_asked counts
 * earlier ones of which only the number is known. */
static bool is_settled(const struct player *player, size_t beat) {
    return lesson_asks(player->lesson, beat) && player->results[beat] >= BEAT_REVEALED;
}

/* Older files only have totals: counts beyond the noted questions belong to the beats before
 * `end`. A lesson may have changed since. */
static void remember_totals(struct player *player, const struct lesson_progress *before,
                            size_t end) {
    unsigned asking = 0, asked = 0, right = 0;
    for (size_t i = 0; i < player->lesson->beat_count; i++) {
        asking += i < end && lesson_asks(player->lesson, i) && player->results[i] == BEAT_SEEN;
        asked += is_settled(player, i);
        right += is_settled(player, i) && player->results[i] == BEAT_RIGHT;
    }
    asked = before->asked > asked ? before->asked - asked : 0;
    right = before->right > right ? before->right - right : 0;
    player->before_beats = asked > 0 ? end : 0;
    player->before_asked = asked < asking ? asked : asking;
    player->before_right = right < player->before_asked ? right : player->before_asked;
}

void player_remember(struct player *player, const struct lesson_progress *before) {
    const struct lesson *lesson = player->lesson;
    const size_t end = before->finished ? lesson->beat_count : player->beat;
    for (size_t i = 0; i < lesson->beat_count; i++) {
        const enum beat_result noted =
            lesson_asks(lesson, i) ? progress_result(before, lesson->beats[i].id) : BEAT_UNSEEN;
        if (i < end)
            player->results[i] = BEAT_SEEN;
        if (noted != BEAT_UNSEEN)
            player->results[i] = noted;
    }
    remember_totals(player, before, end);
    player->finished = player->finished || before->finished;
    if (before->finished)
        player_enter(player, lesson->beat_count - 1, true);
    else if (player->results[player->beat] >= BEAT_REVEALED)
        player_enter(player, player->beat, false);
    if (before->finished)
        player_finish(player);
}

size_t player_first_unseen(const struct player *player) {
    size_t beat = 0;
    while (beat < player->lesson->beat_count && player->results[beat] != BEAT_UNSEEN)
        beat++;
    return beat;
}

void player_progress(const struct player *player, struct lesson_progress *progress,
                     struct text *questions) {
    const struct lesson *lesson = player->lesson;
    bool end = player->state == PLAYER_FINISHED;
    memset(progress, 0, sizeof *progress);
    progress->lesson = lesson->name;
    progress->beats = (unsigned)lesson->beat_count;
    const unsigned asking = lesson_questions(lesson);
    text_clear(questions);
    for (size_t i = 0; i < lesson->beat_count; i++) {
        if (is_settled(player, i))
            progress_note(questions, lesson->beats[i].id, player->results[i]);
        progress->seen += player->results[i] != BEAT_UNSEEN;
        progress->asked += is_settled(player, i);
        progress->right += player->results[i] == BEAT_RIGHT;
    }
    /* Jumping to the end finishes nothing: the next session begins at the skipped part. */
    const size_t unseen = player_first_unseen(player);
    const bool all = unseen == lesson->beat_count;
    progress->finished = player->finished && all;
    progress->beat = !end  ? lesson->beats[player->beat].id
                     : all ? (char *)""
                           : lesson->beats[unseen].id;
    progress->questions = questions->data;
    progress->asked += player->before_asked;
    progress->right += player->before_right;
    /* Questions answered again after going back count once. */
    progress->asked = progress->asked < asking ? progress->asked : asking;
    progress->right = progress->right < progress->asked ? progress->right : progress->asked;
}

/* ---- the position ---- */

static const char *const states[] = {"telling", "asking", "answered", "finished"};

struct position {
    size_t beat, line;
    char id[64], state[16];
    int phase, view, lane;
    uint32_t launch, warp;
    uint64_t block, step;
    unsigned tries;
    int hint, explore, black, result;
    uint32_t marks;
    char answer[REPLAY_INPUT_SIZE];
};

char *player_position(const struct player *player, char buffer[PLAYER_POSITION_SIZE]) {
    const struct replay *replay = &player->replay;
    enum phase phase = player->exploring ? replay->cursor.phase : player->phase;
    snprintf(buffer, PLAYER_POSITION_SIZE,
             "beat %zu id %.63s line %zu state %s phase %d view %d lane %d place %" PRIu32
             ":%" PRIu64 ":%" PRIu32 ":%" PRIu64
             " tries %u hint %d explore %d black %d result %d marks %" PRIx32 " answer %s",
             player->beat, player_beat(player)->id, player->line, states[player->state], (int)phase,
             (int)replay->view, replay->lane, replay->cursor.warp.launch, replay->cursor.warp.block,
             replay->cursor.warp.warp, replay->cursor.position, player->tries, player->hinted,
             player->exploring, player->black, (int)player->results[player->beat],
             player->state == PLAYER_ASKING ? replay->asking.marks : 0, player->answer);
    return buffer;
}

/* Reads a text in the form of player_position(). */
static bool read_position(const char *text, struct position *p) {
    int length = 0;
    memset(p, 0, sizeof *p);
    int read = sscanf(text,
                      "beat %zu id %63s line %zu state %15s phase %d view %d lane %d place %" SCNu32
                      ":%" SCNu64 ":%" SCNu32 ":%" SCNu64
                      " tries %u hint %d explore %d black %d result %d marks %" SCNx32 " answer%n",
                      &p->beat, p->id, &p->line, p->state, &p->phase, &p->view, &p->lane,
                      &p->launch, &p->block, &p->warp, &p->step, &p->tries, &p->hint, &p->explore,
                      &p->black, &p->result, &p->marks, &length);
    if (read != 17 || length == 0)
        return false;
    const char *answer = text + length;
    answer += *answer == ' ';
    snprintf(p->answer, sizeof p->answer, "%.*s", (int)strcspn(answer, "\r\n"), answer);
    return true;
}

static bool is_of_lesson(const struct player *player, const struct position *p,
                         enum player_state *state) {
    int known = 0;
    for (int i = 0; i < 4; i++)
        if (strcmp(p->state, states[i]) == 0) {
            *state = (enum player_state)i;
            known = 1;
        }
    if (!known || p->beat >= player->lesson->beat_count)
        return false;
    const struct lesson_beat *beat = &player->lesson->beats[p->beat];
    bool asked = *state == PLAYER_ASKING || *state == PLAYER_ANSWERED;
    return strncmp(beat->id, p->id, sizeof p->id - 1) == 0 &&
           (!asked || beat->ask.kind != QUESTION_NONE) && p->phase >= 0 && p->phase < PHASE_COUNT &&
           p->view >= 0 && p->view < VIEW_KIND_COUNT && p->lane >= 0 && p->lane < WARP_LANES &&
           p->result >= BEAT_UNSEEN && p->result <= BEAT_RIGHT;
}

static void follow_asking(struct player *player, const struct position *p) {
    player_open_question(player);
    player->tries = p->tries;
    player->hinted = p->hint;
    snprintf(player->answer, sizeof player->answer, "%s", p->answer);
    if (p->tries > 0)
        player_correct(player);
    if (question_is_set(&player_beat(player)->ask) && p->marks != 0)
        replay_mark_answer(&player->replay, p->marks);
}

static void follow_state(struct player *player, const struct position *p, enum player_state state) {
    player->results[p->beat] = (enum beat_result)p->result;
    player_enter(player, p->beat, state == PLAYER_FINISHED);
    if (state == PLAYER_ASKING) {
        follow_asking(player, p);
    } else if (state == PLAYER_ANSWERED) {
        snprintf(player->answer, sizeof player->answer, "%s", p->answer);
        player->tries = p->tries;
        player->hinted = p->hint;
        player_settle(player, p->answer);
    } else if (state == PLAYER_FINISHED) {
        player_finish(player);
    } else if (player->state == PLAYER_ASKING) { /* a presenter begins with narration */
        player->state = PLAYER_TELLING;
        replay_leave_prompt(&player->replay);
    }
}

int player_follow(struct player *player, const char *position, struct error *err) {
    struct position p;
    enum player_state state = PLAYER_TELLING;
    if (!read_position(position, &p) || !is_of_lesson(player, &p, &state))
        return error_set(err, ERROR_USAGE, _("'%.80s' is not a position in the lesson %s"),
                         position, player->lesson->name);
    follow_state(player, &p, state);
    player->line = p.line < player->narration.count ? p.line : 0;
    player->black = p.black;
    player->exploring = p.explore;
    if (p.explore) {
        replay_go_position(&player->replay, p.launch, p.block, p.warp, p.step);
        replay_set_picture(&player->replay, 0, 0);
        replay_set_matrix(&player->replay, "", REPLAY_MATRIX_VALUES);
    } else {
        player->phase = (enum phase)p.phase;
    }
    replay_set_phase(&player->replay, (enum phase)p.phase);
    replay_set_view(&player->replay, (enum view_kind)p.view);
    replay_set_lane(&player->replay, p.lane);
    player->message[0] = '\0';
    return 0;
}
