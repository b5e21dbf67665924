/* The last row of a lesson: a prompt for a beat or a search, a message, or the keys. */
#include "base/message.h"
#include "view/moment.h"
#include "view/pages/stage.h"

#include <stdio.h>
#include <string.h>

static void draw_goto(struct area area, const struct player *player) {
    int x = area_text(area, 1, 0, _("go to part "), style_role(STYLE_KEY));
    x = area_text(area, x, 0, player->goto_input, style_role(STYLE_TITLE));
    x = area_glyph(area, x, 0, ' ', style_with(style_role(STYLE_PLAIN), STYLE_REVERSE));
    char hint[96];
    snprintf(hint, sizeof hint, _("1 to %zu, then Enter; Esc cancels"), player->lesson->beat_count);
    area_text_clipped(area, x + 1, 0, area.columns - x - 2, hint, style_role(STYLE_DIM));
}

/* True if the panel already shows the message. */
static bool is_in_panel(const struct player *player) {
    return player->state == PLAYER_ASKING || (player->state == PLAYER_ANSWERED &&
                                              strcmp(player->message, player->replay.message) == 0);
}

void draw_player_foot(struct area area, const struct player *player) {
    if (player->goto_open) {
        draw_goto(area, player);
    } else if (draw_live_prompt(area, &player->replay)) {
        return;
    } else if (player->replay.input.prompt == PROMPT_FIND) {
        draw_prompt(area, &player->replay);
    } else if (player->message[0] && (player->presenting || !is_in_panel(player))) {
        area_text_clipped(area, 1, 0, area.columns - 2, player->message, style_role(STYLE_KEY));
    } else if (player->exploring && player->replay.input.prompt == PROMPT_NONE) {
        char text[160];
        snprintf(text, sizeof text, _("%s returns to the lesson"),
                 key_label(action_key(ACTION_MODE_LESSON, ACTION_CONTINUE), area.grid->ascii));
        int x = area_text(area, 1, 0, text, style_role(STYLE_KEY));
        draw_keys(area_within(area, x + 1, 0, area.columns - x - 1, 1), ACTION_MODE_REPLAY,
                  &player->replay);
    } else if (player->state == PLAYER_FINISHED) {
        /* There is no picture to look at; the page names the actions that continue. */
        static const enum action idle[] = {ACTION_BEAT_NEXT, ACTION_OPERATION_NEXT,
                                           ACTION_LANE_NEXT, ACTION_VIEW_NEXT, ACTION_FIND};
        draw_keys_except(area, player_key_mode(player), &player->replay, idle,
                         sizeof idle / sizeof *idle);
    } else {
        draw_keys(area, player_key_mode(player), &player->replay);
    }
}
