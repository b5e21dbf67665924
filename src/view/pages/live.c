/* Changes to a scene while it is shown: the command, its prompt, and the reason a change was
 * refused. */
#include "base/message.h"
#include "view/moment.h"

#include <stdio.h>
#include <string.h>

#define COMPLAINT_ROWS 5

const char *live_command(const struct replay *replay) {
    const char *command = trace_note(replay->cursor.trace, TRACE_NOTE_COMMAND);
    return replay->live.on && command ? command : "";
}

const char *live_changed_command(const struct replay *replay) {
    return replay->live.changed ? live_command(replay) : "";
}

/* The lines that the complaint takes when wrapped. */
static int complaint_lines(const char *text, int columns) {
    char line[LIVE_COMPLAINT];
    int lines = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        lines += text_lines(line, columns, 2);
        text += length + (text[length] == '\n');
    }
    return lines;
}

void draw_complaint(struct area area, const struct replay *replay) {
    const char *text = replay->live.complaint;
    char line[LIVE_COMPLAINT];
    if (!*text)
        return;
    int rows = complaint_lines(text, area.columns - 2), y = 0;
    rows = rows < COMPLAINT_ROWS ? rows : COMPLAINT_ROWS;
    struct area box = area_within(area, 0, area.rows - rows, area.columns, rows);
    area_fill(box, ' ', style_role(STYLE_PLAIN));
    for (int i = 0; *text && y < rows; i++) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        y = area_text_wrapped(area_within(box, 1, 0, box.columns - 2, rows), y, 2, line,
                              style_role(i == 0 ? STYLE_BAD : STYLE_PLAIN));
        text += length + (text[length] == '\n');
    }
}

static void draw_members(struct area area, const struct replay *replay) {
    const struct warp_operation *operation = &replay->cursor.step.operation;
    char label[64];
    snprintf(label, sizeof label, _("members 0x%08x "), (unsigned)operation->members);
    int x = area_text(area, 1, 0, label, style_bold(STYLE_KEY));
    draw_keys(area_within(area, x, 0, area.columns - x, 1), ACTION_MODE_MEMBERS, replay);
}

bool draw_live_prompt(struct area area, const struct replay *replay) {
    const char *choices = replay->live.choices;
    char hint[96];
    switch (replay->input.prompt) {
    case PROMPT_SETTING:
        draw_typing(area, ":", replay->input.text,
                    choices[0] ? choices : _("mask 5 · width 8 · src (lane+7)%32 · Tab completes"),
                    STYLE_DIM);
        return true;
    case PROMPT_STOP:
        draw_typing(area, _("play stops at "), replay->input.text,
                    replay->message[0] ? replay->message
                                       : _("line 12 · sum > 100 · sum differs · empty: nowhere"),
                    replay->message[0] ? STYLE_BAD : STYLE_DIM);
        return true;
    case PROMPT_WATCH:
        draw_typing(area, _("watch "), replay->input.text,
                    replay->message[0] ? replay->message
                    : choices[0]       ? choices
                                 : _("sum * 2, mine + other@12 · Tab completes · empty: none"),
                    replay->message[0] ? STYLE_BAD : STYLE_DIM);
        return true;
    case PROMPT_WHICH:
        snprintf(hint, sizeof hint, _("lane<lane it reads, as in %s"),
                 choices[0] ? choices : "5<12");
        draw_typing(area, _("which calls give "), replay->input.text, hint, STYLE_DIM);
        return true;
    case PROMPT_MEMBERS:
        draw_members(area, replay);
        return true;
    case PROMPT_CONFIRM:
        draw_keys(area, ACTION_MODE_CONFIRM, replay);
        return true;
    default:
        return false;
    }
}
