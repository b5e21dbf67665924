/* What the keys do here: the last row of every screen. */
#include "base/message.h"
#include "replay/answer.h"
#include "view/moment.h"

const char *key_label(const char *key, bool ascii) {
    static const char *const arrows[][2] = {
        {"Right", "→"}, {"Left", "←"}, {"Up", "↑"}, {"Down", "↓"}};
    for (size_t i = 0; !ascii && i < sizeof arrows / sizeof *arrows; i++)
        if (strcmp(key, arrows[i][0]) == 0)
            return arrows[i][1];
    return strcmp(key, "Escape") == 0 ? "Esc" : key;
}

static int key_columns(const struct action_info *info, bool ascii) {
    return utf8_columns(key_label(info->keys[0], ascii)) + 1 + utf8_columns(_(info->label));
}

static int draw_key(struct area area, int x, const struct action_info *info) {
    int start = x;
    x = area_text(area, x, 0, key_label(info->keys[0], area.grid->ascii), style_role(STYLE_KEY));
    x = area_text(area, x + 1, 0, _(info->label), style_role(STYLE_DIM));
    area_hit(area, start, 0, x - start, 1, info->action, info->argument);
    return x + 2;
}

static bool stands_right(const struct action_info *info) {
    return info->action == ACTION_HELP || info->action == ACTION_QUIT;
}

/* A lane is marked where lanes are asked for. */
static bool means_something(const struct action_info *info, const struct replay *replay) {
    return info->action != ACTION_MARK || !replay || question_is_set(&replay->question);
}

void draw_keys(struct area area, enum action_place place, const struct replay *replay) {
    const struct action_info *list[ACTION_ROWS_MAX];
    size_t count = action_list(place, list);
    int x = 1, end = area.columns - 1;
    bool ascii = area.grid->ascii;
    /* From the right end: leaving, then help. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            bool leaves = list[i]->action == ACTION_QUIT;
            if (!list[i]->label || !stands_right(list[i]) || leaves != (pass == 0) ||
                end - key_columns(list[i], ascii) < 1)
                continue;
            end -= key_columns(list[i], ascii);
            draw_key(area, end, list[i]);
            end -= 2;
        }
    for (size_t i = 0; i < count; i++)
        if (list[i]->label && !stands_right(list[i]) && means_something(list[i], replay) &&
            x + key_columns(list[i], ascii) <= end)
            x = draw_key(area, x, list[i]);
}
