/* The screen of a lesson. */
#include "view/view.h"

#include "base/message.h"
#include "teach/scene.h"
#include "view/pages/stage.h"

#include <stdio.h>
#include <string.h>

/* ---- head ---- */

static void draw_title(struct area area, const struct player *player) {
    const struct lesson *lesson = player->lesson;
    const char *title = lesson_title(lesson, player->language);
    const char *beat = lesson_part(lesson, player->beat, player->language, LESSON_TITLE);
    char place[64];
    snprintf(place, sizeof place, "%s%zu/%zu", player->playing ? "▶ " : "", player->beat + 1,
             lesson->beat_count);
    int x = 1, end = draw_right_aligned(area, area.columns - 1, 0, place,
                                        style_role(player->playing ? STYLE_ACTIVE : STYLE_PLAIN));
    if (player->exploring)
        end = draw_right_aligned(area, end - 2, 0, _(" exploring "), style_role(STYLE_ACTIVE));
    end -= 2;
    if (beat && x + utf8_columns(title) + 3 + utf8_columns(beat) <= end) {
        x = area_text(area, x, 0, title, style_role(STYLE_LABEL));
        x = area_text(area, x, 0, " › ", style_role(STYLE_DIM));
    }
    area_text_clipped(area, x, 0, end - x, beat ? beat : title, style_bold(STYLE_TITLE));
}

/* A rule with a part for each beat, heavy up to the current one. */
static void draw_bar(struct area area, const struct player *player) {
    int count = (int)player->lesson->beat_count;
    for (int x = 0; area.rows > 0 && x < area.columns; x++) {
        int beat = (int)((long)x * count / area.columns);
        int next = (int)((long)(x + 1) * count / area.columns);
        bool ends = next > beat && next < count && area.columns >= count * 3;
        bool current = beat == (int)player->beat, reached = beat <= (int)player->beat;
        struct style style = style_role(reached ? STYLE_KEY : STYLE_DIM);
        if (current)
            style = style_bold(STYLE_TITLE);
        area_glyph(area, x, 0, ends ? ' ' : reached ? 0x2501 : 0x2500, style);
        area_hit(area, x, 0, 1, 1, ACTION_BEAT_GO, beat);
    }
}

/* ---- the screen ---- */

#define CODE_COLUMNS 80 /* from this width on, code has more columns than other text */

static bool beat_has_code(const struct player *player, size_t beat) {
    static const enum lesson_part parts[] = {LESSON_NARRATION, LESSON_QUESTION, LESSON_ANSWER};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = lesson_part(player->lesson, beat, player->language, parts[i]);
        if (text && strstr(text, "```"))
            return true;
    }
    return question_is_code(&player->lesson->beats[beat].ask);
}

/* True if the text beside the picture has lines of code. The answer's code counts from the
 * beginning, so that nothing moves when the answer appears. */
static bool has_code_lines(const struct player *player, int columns) {
    return prose_has_code(&player->narration) || prose_has_code(&player->said) ||
           question_is_code(&player->lesson->beats[player->beat].ask) ||
           (columns >= CODE_COLUMNS && beat_has_code(player, player->beat));
}

#define ROOM_COLUMNS 118 /* from this width on, the picture shows more if there is no code */

/* True if the text is as wide as code. If a lesson has any code, the text of every beat is that
 * wide, so that the picture does not move from one beat to the next; but a picture that needs the
 * width keeps it in beats without code. */
static bool is_wide(const struct player *player, int columns) {
    const enum view_kind view = replay_view(&player->replay);
    const bool needs = columns >= ROOM_COLUMNS || view == VIEW_HISTORY || view == VIEW_WIRES ||
                       view == VIEW_ROUNDS;
    bool wide = has_code_lines(player, columns);
    for (size_t i = 0; columns >= CODE_COLUMNS && !needs && i < player->lesson->beat_count; i++)
        wide = wide || beat_has_code(player, i);
    return wide;
}

static void draw_panel(const struct stage *stage, const struct player *player) {
    struct panel panel;
    int lines = panel_fit(player, stage->text.columns, stage->text.rows, &panel);
    int most = lines > stage->text.rows ? lines - stage->text.rows : 0;
    struct flow flow = {.area = stage->text, .draw = true};
    flow.skip = player->scroll < most ? player->scroll : most;
    panel_flow(&flow, player, panel);
    stage_draw_more(stage, lines, flow.skip);
}

#define MASKS_LEAST 44 /* columns for two lists of lanes with uncut masks */
#define ROUNDS_ROWS 28 /* from this height on, five rounds fit above the text */

static struct stage divide(struct area area, const struct player *player,
                           const struct moment *moment) {
    const int matrix = stage_matrix_columns(&player->replay);
    const enum view_kind view = matrix ? VIEW_LANES : player->replay.view;
    const bool code = is_wide(player, area.columns);
    const bool wires = view == VIEW_WIRES && moment->picture != PICTURE_MEMORY;
    const bool rounds = replay_view(&player->replay) == VIEW_ROUNDS && area.rows >= ROUNDS_ROWS;
    const bool masks = view == VIEW_LANES && warp_result_is_mask(moment->operation->op);
    return stage_of_least_width(area, view, code, (wires || rounds) && !code,
                                masks && matrix < MASKS_LEAST ? MASKS_LEAST : matrix);
}

/* True if wires may be shown faintly before they move: the beat goes on to show them, and none of
 * its questions is open. */
static bool has_ghosts(const struct player *player) {
    const struct lesson_beat *beat = &player->lesson->beats[player->beat];
    const bool asks = beat->ask.kind != QUESTION_NONE && player->state != PLAYER_ANSWERED;
    return !asks && scene_phase_last(&beat->show) >= PHASE_MOVE;
}

static void draw_lesson(struct area area, const struct player *player) {
    struct moment moment;
    moment_init(&moment, &player->replay);
    moment.ghosts = has_ghosts(player);
    struct stage stage = divide(area, player, &moment);
    draw_title(stage.title, player);
    stage_draw_rule(&stage);
    draw_bar(stage.bar, player); /* not joined with the rule: its parts mean progress */
    stage_draw_picture(stage.picture, &moment);
    draw_panel(&stage, player);
    draw_player_foot(stage.foot, player);
}

void view_draw_player(struct grid *grid, const struct player *player) {
    struct area area = grid_area(grid);
    if (player->black) {
        grid_clear(grid);
        area_fill(area, ' ', style_role(STYLE_BLACK));
    } else if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, player->replay.help,
                               player_key_mode(player))) {
        return;
    } else if (player->state == PLAYER_FINISHED) {
        draw_finished(area, player);
    } else if (player->presenting && !has_code_lines(player, grid->columns)) {
        draw_presentation(area, player);
    } else {
        draw_lesson(area, player);
    }
    if (!player->black)
        draw_complaint(area_within(area, 0, 0, area.columns, area.rows - 1), &player->replay);
}

bool view_player_fits(const struct player *player, int columns, int rows) {
    struct grid grid = {.columns = columns, .rows = rows};
    struct moment moment;
    moment_init(&moment, &player->replay);
    struct stage stage = divide(grid_area(&grid), player, &moment);
    struct panel panel;
    if (player->state == PLAYER_FINISHED)
        return true;
    if (player->presenting && !has_code_lines(player, columns))
        return presentation_fits(player, columns, rows);
    return panel_fit(player, stage.text.columns, stage.text.rows, &panel) <= stage.text.rows;
}
