/* What the keys do here: the last row of every screen. */
#include "view/moment.h"

const char *key_label(const char *key, bool ascii) {
    static const char *const arrows[][2] = {
        {"Right", "→"}, {"Left", "←"}, {"Up", "↑"}, {"Down", "↓"}, {"Escape", "Esc"}};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (strcmp(key, arrows[i][0]) == 0 && (!ascii || i == 4))
            return arrows[i][1];
    return key;
}

static int use_columns(const struct key_use *use, bool ascii) {
    return text_columns(key_label(use->key, ascii)) + 1 + text_columns(use->label);
}

static int draw_use(struct area area, int x, const struct key_use *use) {
    int start = x;
    x = area_text(area, x, 0, key_label(use->key, area.grid->ascii), style_role(STYLE_KEY));
    x = area_text(area, x + 1, 0, use->label, style_role(STYLE_DIM));
    area_hit(area, start, 0, x - start, 1, use->action, use->argument);
    return x + 2;
}

void draw_key_uses(struct area area, const struct key_use *uses, size_t count) {
    int x = 1, end = area.columns - 1;
    bool ascii = area.grid->ascii;
    for (size_t i = count; i-- > 0;) {
        if (!uses[i].right || end - use_columns(&uses[i], ascii) < 1)
            continue;
        end -= use_columns(&uses[i], ascii);
        draw_use(area, end, &uses[i]);
        end -= 2;
    }
    for (size_t i = 0; i < count; i++)
        if (!uses[i].right && x + use_columns(&uses[i], ascii) <= end)
            x = draw_use(area, x, &uses[i]);
}
