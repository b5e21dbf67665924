/* The meaning of a picture's signs, in a box over it, for first-time users. */
#include "base/message.h"
#include "view/moment.h"

#define BOX_COLUMNS 58
#define NARROW      84 /* the box takes the whole width */
#define SIGN        7  /* cells of a sign, including the blanks after it */

static const struct {
    const char *sign, *means;
} signs[] = {
    {"A▌ 5", N_("lane 5, in group A: the width makes groups")},
    {"← 6", N_("reads lane 6")},
    {"↺ own", N_("out of range: it keeps its own value")},
    {"? 9", N_("lane 9 makes no call: a read of it is undefined")},
    {"◆", N_("changed by the call")},
};

/* A key of the table and its purpose. Returns the cell after it. */
static int draw_key(struct area area, int x, int y, enum action_mode mode, enum action action,
                    const char *means) {
    x = area_text(area, x, y, key_label(action_key(mode, action), area.grid->ascii),
                  style_bold(STYLE_KEY));
    return area_text_clipped(area, x + 1, y, area.columns - x - 1, means, style_role(STYLE_PLAIN)) +
           2;
}

static void draw_keys_row(struct area area, int y, bool live) {
    int x = draw_key(area, 0, y, ACTION_MODE_REPLAY, ACTION_PHASE_NEXT, _("next phase"));
    if (live) {
        x = draw_key(area, x, y, ACTION_MODE_LIVE, ACTION_ARGUMENT_NEXT, _("change it"));
        x = draw_key(area, x, y, ACTION_MODE_LIVE, ACTION_SETTING, _("type it"));
    }
    draw_key(area, x, y, ACTION_MODE_REPLAY, ACTION_HELP, _("all keys"));
}

void draw_legend(struct area area, const struct replay *replay) {
    const int count = sizeof signs / sizeof *signs;
    const int columns = area.columns < NARROW ? area.columns : BOX_COLUMNS;
    const char *colours = _("Hard to see? Try --background dark, or light.");
    if (!replay->legend)
        return;
    const int rows = count + 5 + text_lines(colours, columns - 4, 0);
    if (area.rows < rows || columns < 20)
        return;
    struct area box =
        area_within(area, (area.columns - columns) / 2, area.rows - rows, columns, rows);
    area_fill(box, ' ', style_role(STYLE_PLAIN));
    draw_rule(box, 0);
    draw_rule(box, rows - 1);
    draw_divider(area_within(box, 0, 1, columns, rows - 2), 0);
    draw_divider(area_within(box, 0, 1, columns, rows - 2), columns - 1);
    area_text(box, 2, 0, _(" How to read this screen "), style_bold(STYLE_TITLE));
    struct area lines = area_within(box, 2, 1, columns - 4, rows - 2);
    for (int i = 0; i < count; i++) {
        area_text(lines, 0, i, signs[i].sign, style_bold(STYLE_TITLE));
        area_text_clipped(lines, SIGN, i, lines.columns - SIGN, _(signs[i].means),
                          style_role(STYLE_PLAIN));
    }
    draw_keys_row(lines, count + 1, replay->live.on);
    const int y = area_text_wrapped(lines, count + 2, 0, colours, style_role(STYLE_DIM));
    area_text_clipped(lines, 0, y, lines.columns, _("Any key continues; this is shown only once."),
                      style_role(STYLE_DIM));
}
