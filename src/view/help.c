/* The help screen: the action table in two columns. */
#include "base/message.h"
#include "view/moment.h"

#include <stdio.h>

static const char *key_text(const char *key, bool ascii) {
    static const char *const arrows[][2] = {
        {"Right", "→"}, {"Left", "←"}, {"Up", "↑"}, {"Down", "↓"}};
    for (int i = 0; !ascii && i < 4; i++)
        if (strcmp(key, arrows[i][0]) == 0)
            return arrows[i][1];
    return key;
}

/* The keys of one entry, as many as fit, at the right end of `columns`. */
static void draw_keys(struct area area, int y, int columns, const struct action_info *info) {
    char text[64] = "";
    bool ascii = area.grid->ascii;
    for (int k = 0; k < ACTION_KEYS && info->keys[k]; k++) {
        const char *key = key_text(info->keys[k], ascii);
        size_t length = strlen(text);
        if (text_columns(text) + (k > 0) + text_columns(key) > columns)
            break;
        snprintf(text + length, sizeof text - length, "%s%s", k ? " " : "", key);
    }
    area_text(area, columns - text_columns(text), y, text, style_role(STYLE_KEY));
}

static void draw_entry(struct area area, int y, int keys, const struct action_info *info) {
    draw_keys(area, y, keys, info);
    area_text_clipped(area, keys + 2, y, area.columns - keys - 2, _(info->help),
                      style_role(STYLE_PLAIN));
    area_hit(area, 0, y, area.columns, 1, info->action, info->argument);
}

/* What matters most stands first: a small screen has room for the first two. */
static const char *const notes[] = {
    N_("← reads that lane, ↺ own value, ? undefined, · no call, ◆ changed, ≠ against the rules, "
       "… shortened."),
    N_("Counts: 3n, 10j, 9g. 1 to 5 show a view at once; a movement right after takes them as its "
       "count."),
    N_("/ finds a lane (17), an operation (xor), a line (line 12), a value (=31) or any text."),
    N_("p asks which lane the selected one reads: a number, own or undefined."),
    N_("Clicks select lanes, phases, views and operations; the wheel steps."),
};

void draw_help(struct area area) {
    size_t count;
    const struct action_info *table = action_table(&count);
    int rows = ((int)count + 1) / 2, half = (area.columns - 3) / 2;
    int keys = area.columns >= 100 ? 22 : area.columns >= 76 ? 12 : 7;
    area_text(area, 1, 0, _("Keys"), style_with(style_role(STYLE_TITLE), STYLE_BOLD));
    const char *close = _("? or Escape closes this page");
    area_text(area, area.columns - 1 - text_columns(close), 0, close, style_role(STYLE_DIM));
    int y = area.rows >= rows + 8 ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        bool left = (int)i < rows;
        struct area column = area_within(area, left ? 1 : half + 2, y, half, rows);
        draw_entry(column, left ? (int)i : (int)i - rows, keys, &table[i]);
    }
    y += rows + (area.rows >= rows + 8);
    struct area lines = area_within(area, 1, y, area.columns - 2, area.rows - y);
    int line = 0;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (line + text_lines(_(notes[i]), lines.columns, 2) > lines.rows)
            return;
        line = area_text_wrapped(lines, line, 2, _(notes[i]), style_role(STYLE_DIM));
    }
}
