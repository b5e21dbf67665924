/*
 * Writes JSON from a drawn grid. Cells have classes instead of colours, so that a frame stays small
 * when a whole class loads it; the page's style sheet has the colours (frame_colours()).
 */
#include "serve/frame.h"

#include "base/message.h"
#include "explain/answer.h"
#include "term/palette.h"
#include "view/view.h"

#include <string.h>

#define PICTURE_COLUMNS 72

void frame_string(struct text *text, const char *string) {
    text_append_char(text, '"');
    for (; *string; string++) {
        const unsigned char c = (unsigned char)*string;
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            text_append_format(text, "\\u%04x", c);
        else
            text_append_char(text, (char)c);
    }
    text_append_char(text, '"');
}

static void member(struct text *text, const char *name, const char *value) {
    text_append_format(text, ",\"%s\":", name);
    frame_string(text, value ? value : "");
}

/* ---- texts ---- */

static void append_paragraph(struct text *text, const struct paragraph *paragraph) {
    static const char *const kinds[] = {"plain", "strong", "code", "value"};
    text_append_format(text, "{\"kind\":\"%s\",\"spans\":[",
                       paragraph->code   ? "code"
                       : paragraph->item ? "item"
                                         : "plain");
    for (size_t i = 0; i < paragraph->span_count; i++) {
        text_append_format(text, "%s[\"%s\",", i ? "," : "", kinds[paragraph->spans[i].kind]);
        frame_string(text, paragraph->spans[i].text);
        text_append_char(text, ']');
    }
    text_append(text, "]}");
}

static void append_prose(struct text *text, const char *name, const struct prose *prose,
                         size_t count) {
    text_append_format(text, ",\"%s\":[", name);
    for (size_t i = 0; i < count && i < prose->count; i++) {
        if (i)
            text_append_char(text, ',');
        append_paragraph(text, &prose->paragraphs[i]);
    }
    text_append_char(text, ']');
}

/* Appends the narration up to its current line, the question, or the response to its answer. */
static void append_said(struct text *text, const struct player *player) {
    if (player->state == PLAYER_ASKING)
        append_prose(text, "text", &player->question, player->question.count);
    else if (player->state == PLAYER_ANSWERED)
        append_prose(text, "text", &player->said, player->said.count);
    else
        append_prose(text, "text", &player->narration,
                     prose_has_code(&player->narration) ? player->narration.count
                                                        : player->line + 1);
}

/* ---- answers ---- */

static void append_bar(struct text *text, const struct player *player, const struct room_bar *bar) {
    struct prose belief = {0};
    text_append(text, "{\"answer\":");
    if (bar->answer)
        frame_string(text, message(bar->answer));
    else
        text_append(text, "null");
    text_append_format(text, ",\"count\":%u,\"right\":%s", bar->count,
                       bar->right ? "true" : "false");
    if (bar->answer && !bar->right && player_belief(player, bar->answer, &belief))
        append_prose(text, "belief", &belief, belief.count);
    text_append_char(text, '}');
    prose_release(&belief);
}

static void append_answers(struct text *text, const struct player *player,
                           const struct room *room) {
    struct room_bar bars[ROOM_BARS];
    const size_t count = room_histogram(room, bars);
    member(text, "right", message(player->right));
    text_append(text, ",\"bars\":[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append_char(text, ',');
        append_bar(text, player, &bars[i]);
    }
    text_append_char(text, ']');
}

/* ---- the picture ---- */

/* Cells with the same classes are drawn alike. */
static unsigned classes_of(struct style style) {
    return (unsigned)style.role | (unsigned)(style.group % PALETTE_GROUPS) << 8 |
           (unsigned)(style.flags & (STYLE_BOLD | STYLE_SELECTED | STYLE_UNDERLINE | STYLE_REVERSE))
               << 16;
}

static void append_classes(struct text *text, unsigned classes) {
    const unsigned role = classes & 0xff, group = classes >> 8 & 0xff, flags = classes >> 16;
    text_append_format(text, "[\"%c%u%s%s%s%s\",", role == STYLE_GROUP ? 'g' : 'r',
                       role == STYLE_GROUP ? group : role, flags & STYLE_BOLD ? " bold" : "",
                       flags & STYLE_UNDERLINE ? " under" : "",
                       flags & STYLE_SELECTED ? " band" : "", flags & STYLE_REVERSE ? " band" : "");
}

static void append_row(struct text *text, const struct cell *cells, int columns) {
    text_append_char(text, '[');
    for (int x = 0; x < columns;) {
        const unsigned classes = classes_of(cells[x].style);
        struct text run = TEXT_INIT;
        if (x)
            text_append_char(text, ',');
        append_classes(text, classes);
        for (; x < columns && classes_of(cells[x].style) == classes; x++)
            text_append_cell(&run, &cells[x]);
        frame_string(text, run.data);
        text_append_char(text, ']');
        text_release(&run);
    }
    text_append_char(text, ']');
}

/* The columns of a row without the blanks at its end. */
static int used_columns(const struct cell *cells, int columns) {
    while (columns > 0 && cells[columns - 1].glyph == ' ' &&
           !(cells[columns - 1].style.flags & (STYLE_SELECTED | STYLE_REVERSE)))
        columns--;
    return columns;
}

static void append_picture(struct text *text, const struct player *player) {
    struct grid grid;
    text_append(text, ",\"picture\":[");
    if (player->replay.cursor.has_step) {
        grid_init(&grid, PICTURE_COLUMNS, 1, false);
        view_draw_picture(&grid, &player->replay, PICTURE_COLUMNS);
        for (int y = 0; y < grid.rows; y++) {
            const struct cell *cells = &grid.cells[(size_t)y * (size_t)grid.columns];
            if (y)
                text_append_char(text, ',');
            append_row(text, cells, used_columns(cells, grid.columns));
        }
        grid_release(&grid);
    }
    text_append_char(text, ']');
}

/* ---- a frame ---- */

static const char *state_of(const struct player *player, const struct room *room) {
    if (!player)
        return "wait";
    if (player->black)
        return "black";
    switch (player->state) {
    case PLAYER_ASKING:
        return "ask";
    case PLAYER_ANSWERED:
        return "shown";
    case PLAYER_FINISHED:
        return "over";
    default:
        return room->state == ROOM_SHOWN ? "shown" : "tell";
    }
}

static void append_moment(struct text *text, const struct player *player, const struct room *room) {
    const struct lesson *lesson = player->lesson;
    const char *title = lesson_part(lesson, player->beat, player->language, LESSON_TITLE);
    text_append_format(text, ",\"place\":\"%zu/%zu\"", player->beat + 1, lesson->beat_count);
    member(text, "title", title ? title : lesson_title(lesson, player->language));
    append_said(text, player);
    if (player->state == PLAYER_ASKING)
        member(text, "help",
               question_help(replay_subject(&player->replay), &lesson->beats[player->beat].ask));
    else if (room->state == ROOM_SHOWN)
        append_answers(text, player, room);
    append_picture(text, player);
}

/* Appends the position in the lesson, for a copy that follows it, and the parts that the class has
 * seen. */
static void append_position(struct text *text, const struct player *player) {
    char position[PLAYER_POSITION_SIZE];
    static const char typed[] = " answer ";
    member(text, "lesson", player->lesson->name);
    player_position(player, position);
    char *answer = strstr(position, typed);
    if (answer && player->state == PLAYER_ASKING)
        answer[sizeof typed - 1] = '\0'; /* the class must not see the teacher's input */
    member(text, "at", position);
    text_append(text, ",\"beats\":\"");
    for (size_t i = 0; i < player->lesson->beat_count; i++)
        text_append_char(
            text, player->results[i] == BEAT_UNSEEN                                        ? '.'
                  : player->results[i] >= BEAT_REVEALED || !lesson_asks(player->lesson, i) ? 'a'
                                                                                           : 's');
    text_append_char(text, '"');
}

char *frame_of(const struct player *player, const struct room *room) {
    struct text text = TEXT_INIT;
    text_append_format(&text, "{\"state\":\"%s\",\"round\":%u", state_of(player, room),
                       room->round);
    if (player)
        append_position(&text, player);
    if (player && !player->black && player->state != PLAYER_FINISHED)
        append_moment(&text, player, room);
    text_append_char(&text, '}');
    return text_detach(&text);
}

/* ---- the page's own texts ---- */

void frame_words(struct text *text) {
    text_append(text, "event: words\ndata: {\"language\":");
    frame_string(text, message_language());
    member(text, "wait", _("The lesson has not begun."));
    member(text, "black", _("Look to the front."));
    member(text, "over", _("The lesson is over."));
    member(text, "lost", _("The connection is lost; trying again."));
    member(text, "elsewhere", _("You now follow on another page; reload this one to return."));
    member(text, "answer", _("Your answer"));
    member(text, "send", _("Send"));
    member(text, "sent", _("You answered:"));
    member(text, "right", _("The answer:"));
    member(text, "yours", _("yours"));
    member(text, "others", _("others"));
    member(text, "back", _("Back"));
    member(text, "on", _("Next"));
    member(text, "now", _("To the class"));
    member(text, "nobody", _("Nobody has answered."));
    member(text, "alone", _("You set your own pace."));
    member(text, "following", _("You follow the class."));
    text_append(text, "}\n\n");
}

void frame_own(struct text *text, const struct room_student *student) {
    text_append_format(text, "event: own\ndata: {\"round\":%u", student->round);
    member(text, "answer", message(student->answer));
    text_append(text, "}\n\n");
}

/* ---- colours ---- */

static void append_colour(struct text *text, const struct palette *palette, char name,
                          unsigned number, struct style style) {
    const struct paint paint = palette_paint(palette, style);
    text_append_format(text, ".%c%u%s{", name, number, style.flags & STYLE_SELECTED ? ".band" : "");
    if (paint.foreground != PAINT_DEFAULT)
        text_append_format(text, "color:#%06x;", (unsigned)paint.foreground);
    if (paint.background != PAINT_DEFAULT)
        text_append_format(text, "background:#%06x;", (unsigned)paint.background);
    if (paint.attributes & PAINT_BOLD)
        text_append(text, "font-weight:bold;");
    text_append(text, "}\n");
}

/* Appends every role and group, plain and on the band of the selected lane. */
static void append_colours(struct text *text, enum palette_background background) {
    const struct palette palette = {COLOR_TRUE, background};
    for (unsigned flags = 0; flags <= STYLE_SELECTED; flags += STYLE_SELECTED) {
        struct style style = {.flags = (uint8_t)flags};
        for (unsigned role = 0; role < STYLE_ROLE_COUNT; role++)
            if ((style.role = (uint8_t)role) != STYLE_GROUP)
                append_colour(text, &palette, 'r', role, style);
        style.role = STYLE_GROUP;
        for (unsigned group = 0; group < PALETTE_GROUPS; group++) {
            style.group = (uint8_t)group;
            append_colour(text, &palette, 'g', group, style);
        }
    }
}

void frame_colours(struct text *text) {
    append_colours(text, BACKGROUND_DARK);
    text_append(text, "@media (prefers-color-scheme:light){\n");
    append_colours(text, BACKGROUND_LIGHT);
    text_append(text, "}\n");
}
