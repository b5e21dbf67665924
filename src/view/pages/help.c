/* The help screen: the action table in two columns; a long table has headings. */
#include "base/message.h"
#include "view/moment.h"

#include <stdint.h>
#include <stdio.h>

/* Draws as many keys of one entry as fit, at the right end of `columns`. */
static void draw_entry_keys(struct area area, int y, int columns, enum action_mode mode,
                            const struct action_info *info) {
    char text[64] = "";
    bool ascii = area.grid->ascii;
    const char *keys[ACTION_KEYS];
    size_t count = action_keys(mode, info, keys);
    for (size_t k = 0; k < count; k++) {
        const char *key = key_label(keys[k], ascii);
        size_t length = strlen(text);
        if (utf8_columns(text) + (k > 0) + utf8_columns(key) > columns)
            break;
        snprintf(text + length, sizeof text - length, "%s%s", k ? " " : "", key);
    }
    draw_right_aligned(area, columns, y, text, style_role(STYLE_KEY));
}

static void draw_entry(struct area area, int y, int keys, enum action_mode mode,
                       const struct action_info *info) {
    draw_entry_keys(area, y, keys, mode, info);
    area_text_clipped(area, keys + 2, y, area.columns - keys - 2, _(info->help),
                      style_role(STYLE_PLAIN));
    area_hit(area, 0, y, area.columns, 1, info->action, info->argument);
}

/* ---- groups ---- */

enum help_group {
    GROUP_MOVE, /* actions in no other group */
    GROUP_ANSWER,
    GROUP_LOOK,
    GROUP_PLAY,
    GROUP_ASK,
    GROUP_CHANGE,
    GROUP_OTHER,
    GROUP_COUNT
};

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_MOVE] = N_("Move"),   [GROUP_ANSWER] = N_("Answer"), [GROUP_LOOK] = N_("Look"),
    [GROUP_PLAY] = N_("Play"),   [GROUP_ASK] = N_("Ask"),       [GROUP_CHANGE] = N_("Change"),
    [GROUP_OTHER] = N_("Other"),
};

static const uint8_t groups[ACTION_COUNT] = {
    [ACTION_HINT] = GROUP_ANSWER,        [ACTION_REVEAL] = GROUP_ANSWER,
    [ACTION_MARK] = GROUP_ANSWER,        [ACTION_ERASE] = GROUP_ANSWER,
    [ACTION_VIEW_NEXT] = GROUP_LOOK,     [ACTION_VIEW_PREVIOUS] = GROUP_LOOK,
    [ACTION_VIEW_GO] = GROUP_LOOK,       [ACTION_OVERVIEW] = GROUP_LOOK,
    [ACTION_FRAGMENTS] = GROUP_LOOK,     [ACTION_OUTPUT] = GROUP_LOOK,
    [ACTION_WATCH] = GROUP_LOOK,         [ACTION_SCROLL_DOWN] = GROUP_LOOK,
    [ACTION_SCROLL_UP] = GROUP_LOOK,     [ACTION_ASIDE] = GROUP_LOOK,
    [ACTION_BLACK] = GROUP_LOOK,         [ACTION_CLASS] = GROUP_LOOK,
    [ACTION_LIST_GO] = GROUP_LOOK,       [ACTION_LIST_NEXT] = GROUP_LOOK,
    [ACTION_LIST_PREVIOUS] = GROUP_LOOK, [ACTION_SORT] = GROUP_LOOK,
    [ACTION_PLAY] = GROUP_PLAY,          [ACTION_STOP_AT] = GROUP_PLAY,
    [ACTION_RUN] = GROUP_PLAY,           [ACTION_FASTER] = GROUP_PLAY,
    [ACTION_SLOWER] = GROUP_PLAY,        [ACTION_PREDICT] = GROUP_ASK,
    [ACTION_WHOSE] = GROUP_ASK,          [ACTION_FIND] = GROUP_ASK,
    [ACTION_FIND_NEXT] = GROUP_ASK,      [ACTION_HELP] = GROUP_OTHER,
    [ACTION_CANCEL] = GROUP_OTHER,       [ACTION_REDRAW] = GROUP_OTHER,
    [ACTION_QUIT] = GROUP_OTHER,         [ACTION_COPY] = GROUP_OTHER,
    [ACTION_RESTART] = GROUP_OTHER,
};

static enum help_group group_of(enum action_mode mode, enum action action) {
    if (action >= ACTION_ARGUMENT_NEXT && action <= ACTION_WHICH)
        return GROUP_CHANGE;
    if (mode == ACTION_MODE_QUESTION && action == ACTION_CONTINUE)
        return GROUP_ANSWER;
    return (enum help_group)groups[action];
}

/* ---- lines ---- */

#define GROUPED_FROM 20 /* entries; with fewer, keys are easy to find without headings */

/* A heading, an entry, or an entry for `count` rows with the digits as keys. */
struct help_line {
    const char *heading;
    const struct action_info *info;
    int count;
};

/* The number of rows from `i` on that show the views 1, 2, ... and whose key is their number. */
static int numbered_rows(enum action_mode mode, const struct action_info *const *list, int i,
                         int count) {
    const char *keys[ACTION_KEYS];
    int length = 0;
    while (i + length < count && list[i + length]->action == ACTION_VIEW_GO &&
           action_keys(mode, list[i + length], keys) == 1 && keys[0][0] == '1' + length &&
           keys[0][1] == '\0')
        length++;
    return length;
}

static int group_lines(enum action_mode mode, const struct action_info *const *list, int count,
                       struct help_line *lines) {
    static const enum help_group order[GROUP_COUNT] = {
        GROUP_ANSWER, GROUP_MOVE, GROUP_LOOK, GROUP_PLAY, GROUP_ASK, GROUP_CHANGE, GROUP_OTHER};
    int total = 0;
    for (int g = 0; g < GROUP_COUNT; g++) {
        const enum help_group group = order[g];
        const int heading = total++;
        for (int i = 0, next; i < count; i = next) {
            const int length = numbered_rows(mode, list, i, count);
            next = i + (length > 1 ? length : 1);
            if (group_of(mode, list[i]->action) == group)
                lines[total++] = (struct help_line){NULL, list[i], next - i};
        }
        if (total == heading + 1)
            total = heading;
        else
            lines[heading] = (struct help_line){_(group_names[group]), NULL, 0};
    }
    return total;
}

static int help_lines(enum action_mode mode, struct help_line *lines) {
    const struct action_info *list[ACTION_ROWS_MAX];
    int count = 0;
    const int all = (int)action_list(mode, list);
    for (int i = 0; i < all; i++)
        if (!(list[i]->flags & ACTION_NOT_IN_HELP))
            list[count++] = list[i];
    if (count >= GROUPED_FROM)
        return group_lines(mode, list, count, lines);
    for (int i = 0; i < count; i++)
        lines[i] = (struct help_line){NULL, list[i], 1};
    return count;
}

#define UNEVEN 5 /* rows by which the first column may exceed half of all */

/* The rows of the first of two columns. Its last row is not a heading and, if the notes leave
 * enough room, none of its groups continues in the second column. */
static int first_column(const struct help_line *lines, int count, int room) {
    int half = (count + 1) / 2;
    int whole = half;
    while (whole < count && !lines[whole].heading)
        whole++;
    if (lines[0].heading && whole <= room && whole <= half + UNEVEN)
        return whole;
    return half > 1 && lines[half - 1].heading ? half + 1 : half;
}

static void draw_line(struct area area, int y, int keys, enum action_mode mode,
                      const struct help_line *line) {
    char text[16];
    if (line->heading) {
        area_text_clipped(area, 0, y, area.columns, line->heading, style_role(STYLE_LABEL));
    } else if (line->count > 1) {
        snprintf(text, sizeof text, "1-%d", line->count);
        draw_right_aligned(area, keys, y, text, style_role(STYLE_KEY));
        area_text_clipped(area, keys + 2, y, area.columns - keys - 2, _("the numbered view"),
                          style_role(STYLE_PLAIN));
    } else {
        draw_entry(area, y, keys, mode, line->info);
    }
}

/* The most important notes come first: a small screen has room for two. */
#define NOTES_MAX 6
static const char *const notes[ACTION_MODE_COUNT][NOTES_MAX] = {
    [ACTION_MODE_REPLAY] =
        {N_("← reads that lane, ↺ own value, ? undefined, ?5 computed from an undefined value, · "
            "no call, ◆ changed, ≠ against the rules, … shortened."),
         N_("Counts: 3n, 10j, 9g. 1 to 8 show a view; if a movement key follows, the digit is its "
            "count."),
         N_("/ finds a lane (17), an operation (xor), a line (line 12), a value (=31), undefined, "
            "any text."),
         N_("p asks for a lane, a value or a set of lanes before showing it; Tab changes the "
            "question."),
         N_("Clicks select lanes, phases, views and operations; the wheel steps."),
         N_("View 2 shows wires, vote bits, match groups, a reduction's arithmetic, or waiting "
            "lanes: ● is here, ○ never comes, × has left.")},
    [ACTION_MODE_LIVE] =
        {N_("The kernel runs again with each change; ● marks the lanes that it altered."),
         N_("A setting is an option without its dashes: mask 5, src (lane+7)%32, type float. Tab "
            "completes it."),
         N_("Counts: 4] adds four. The command in the first row gives this picture.")},
    [ACTION_MODE_OVERVIEW] =
        {N_("Enter looks at the first step of a row; v returns to this page."),
         N_("A finding is counted once per rule and call; a step is counted in each list."),
         N_("Undefined: results that nothing defines, one per lane and step.")},
    [ACTION_MODE_LESSON] =
        {N_("← reads that lane, ↺ own value, ? undefined, ?5 computed from an undefined value, · "
            "no call, ◆ changed, ░ hidden, … shortened."),
         N_("● points at a lane. ✓ right, ✗ wrong, □ would have been right, too."),
         N_("Look around as you like: Enter returns to the lesson."),
         N_(": then a number and Enter goes to that part; so do clicks on the bar.")},
    [ACTION_MODE_QUESTION] =
        {N_("Type the answer: a lane (17), a value, own, undefined, or lanes (0-3,8), all, none."),
         N_("Where lanes are asked for, a click or Space marks one: ■."),
         N_("A wrong answer gets a second try. Esc twice shows the answer.")},
    [ACTION_MODE_LIST] = {N_("✓ finished, 3/8 begun: 3 of 8 parts seen."),
                          N_("Your progress is kept; a lesson can be started again.")},
    [ACTION_MODE_QUIZ] = {N_("← reads that lane, ↺ own value, ? undefined, ?5 computed from an "
                             "undefined value, · no call, ◆ changed, … shortened."),
                          N_("✓ right, ✗ wrong, □ would have been right, too.")},
};

static void closing_words(char *words, size_t size) {
    const struct action_info *list[ACTION_ROWS_MAX];
    const char *keys[ACTION_KEYS] = {NULL};
    for (size_t i = action_list(ACTION_MODE_HELP, list); i-- > 0;)
        if (list[i]->action == ACTION_HELP_CLOSE)
            action_keys(ACTION_MODE_HELP, list[i], keys);
    if (keys[0] && keys[1])
        snprintf(words, size, _("%s or %s closes this page"), keys[0], keys[1]);
    else
        snprintf(words, size, _("%s closes this page"), keys[0] ? keys[0] : "");
}

static int notes_lines(enum action_mode mode, int columns) {
    int lines = 0;
    for (int i = 0; i < NOTES_MAX && notes[mode][i]; i++)
        lines += text_lines(_(notes[mode][i]), columns, 2);
    return lines;
}

void draw_help(struct area area, enum action_mode mode) {
    struct help_line list[ACTION_ROWS_MAX + GROUP_COUNT];
    const int count = help_lines(mode, list);
    /* A short list has room for all its words, and all notes below it. */
    bool single = count + 3 + notes_lines(mode, area.columns - 2) <= area.rows;
    int rows = single
                   ? count
                   : first_column(list, count, area.rows - 2 - notes_lines(mode, area.columns - 2));
    int half = single ? area.columns - 2 : (area.columns - 3) / 2;
    int keys = area.columns >= 100 ? 22 : area.columns >= 76 ? 12 : 7;
    area_text(area, 1, 0, _("Keys"), style_bold(STYLE_TITLE));
    char close[128];
    closing_words(close, sizeof close);
    draw_right_aligned(area, area.columns - 1, 0, close, style_role(STYLE_DIM));
    int y = area.rows >= rows + 8 ? 2 : 1;
    rows = rows < area.rows - 1 ? rows : area.rows - 1;
    area.grid->failed_to_fit = area.grid->failed_to_fit || count > 2 * rows;
    for (int i = 0; i < count && i < 2 * rows; i++) {
        struct area column = area_within(area, i < rows ? 1 : half + 2, y, half, rows);
        draw_line(column, i % rows, keys, mode, &list[i]);
    }
    y += rows + (area.rows >= rows + 8);
    struct area lines = area_within(area, 1, y, area.columns - 2, area.rows - y);
    int line = 0;
    for (int i = 0; i < NOTES_MAX && notes[mode][i]; i++) {
        const char *note = _(notes[mode][i]);
        if (line + text_lines(note, lines.columns, 2) > lines.rows)
            continue;
        line = area_text_wrapped(lines, line, 2, note, style_role(STYLE_DIM));
    }
}
