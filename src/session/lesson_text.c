/*
 * Plays the lesson without a screen, beat by beat, and draws each picture as the screen would; a
 * picture that repeats the one before is left out.
 */
#include "session/lesson_text.h"

#include "base/message.h"
#include "base/text.h"
#include "export/history_table.h"
#include "replay/predict.h"
#include "teach/player.h"
#include "teach/scene.h"
#include "view/view.h"

#include <stdbool.h>
#include <string.h>

#define TEXT_COLUMNS_MOST 100

/* ---- the list ---- */

static void write_progress(FILE *out, const struct lesson_progress *progress) {
    if (!progress || progress->beats == 0)
        return;
    if (progress->finished)
        fprintf(out, _("  done"));
    else
        fprintf(out, _("  %u of %u"), progress->seen, progress->beats);
    if (progress->asked)
        fprintf(out, _(", %u of %u right"), progress->right, progress->asked);
}

void lesson_text_list(FILE *out, const struct lesson *const *lessons, size_t count,
                      const struct progress *progress, const char *language) {
    const char *chapter = "";
    int widest = 0;
    for (size_t i = 0; i < count; i++)
        if (utf8_columns(lessons[i]->name) > widest)
            widest = utf8_columns(lessons[i]->name);
    for (size_t i = 0; i < count; i++) {
        const size_t in = lesson_language_find(lessons[i], language);
        const char *this_chapter = lesson_chapter(lessons[i], in);
        if (strcmp(chapter, this_chapter) != 0)
            fprintf(out, "%s%s\n", i ? "\n" : "", this_chapter);
        chapter = this_chapter;
        fprintf(out, "  %s%*s%s", lessons[i]->name, widest + 2 - utf8_columns(lessons[i]->name), "",
                lesson_title(lessons[i], in));
        write_progress(out, progress_find(progress, lessons[i]->name));
        putc('\n', out);
    }
}

/* ---- a lesson ---- */

/* The last picture shown; a following beat with the same picture does not repeat it. */
struct shown {
    bool any;
    size_t run;
    uint64_t number; /* of the operation, or of the warp, in the recording */
};

struct writer {
    FILE *out;
    struct player *player;
    const struct text_style *style;
    struct grid grid;
    struct shown operation, history;
    char command[SCENE_COMMAND]; /* the command named last */
};

static void write_grid(struct writer *writer) {
    paint_to(writer->out, &writer->grid, &writer->style->palette);
}

/* True if this picture differs from the last one shown, which it then replaces. */
static bool is_new(const struct writer *writer, struct shown *last, uint64_t number) {
    const struct player *player = writer->player;
    const struct shown now = {true, player->lesson->beats[player->beat].show.run, number};
    const bool same = last->any && last->run == now.run && last->number == number;
    *last = now;
    return !same;
}

static void write_wrapped(struct writer *writer, const char *string, int indent,
                          enum style_role role, unsigned flags) {
    const int columns =
        writer->style->columns < TEXT_COLUMNS_MOST ? writer->style->columns : TEXT_COLUMNS_MOST;
    const struct style style = {(uint8_t)role, 0, (uint8_t)flags};
    grid_resize(&writer->grid, columns, text_lines(string, columns, indent));
    grid_clear(&writer->grid);
    area_text_wrapped(grid_area(&writer->grid), 0, indent, string, style);
    write_grid(writer);
}

static void write_prose(struct writer *writer, const char *label, const struct prose *prose) {
    struct text line = TEXT_INIT;
    for (size_t i = 0; i < prose->count; i++) {
        const struct paragraph *paragraph = &prose->paragraphs[i];
        text_clear(&line);
        if (i == 0 && label && paragraph->code)
            write_wrapped(writer, label, 0, STYLE_PLAIN, 0);
        if (paragraph->code) {
            text_append_format(&line, "    %s", paragraph->spans[0].text);
            fprintf(writer->out, "%s\n", line.data);
            continue;
        }
        if (i == 0 && label)
            text_append_format(&line, "%s ", label);
        if (paragraph->item)
            text_append(&line, "- ");
        for (size_t k = 0; k < paragraph->span_count; k++)
            text_append(&line, paragraph->spans[k].text);
        write_wrapped(writer, line.data, paragraph->item ? 2 : 0, STYLE_PLAIN, 0);
    }
    text_release(&line);
}

static void write_operation(struct writer *writer) {
    const struct replay *replay = &writer->player->replay;
    if (!is_new(writer, &writer->operation, replay->cursor.step.number))
        return;
    view_draw_table(&writer->grid, replay, writer->style->columns);
    putc('\n', writer->out);
    write_grid(writer);
}

static void write_history(struct writer *writer) {
    const struct replay *replay = &writer->player->replay;
    if (!is_new(writer, &writer->history, replay->cursor.warp.index))
        return;
    for (uint64_t position = 0;
         history_draw(&writer->grid, replay->cursor.trace, &replay->cursor.warp,
                      writer->style->columns, &position);) {
        putc('\n', writer->out);
        write_grid(writer);
    }
}

/* Writes the command that shows the picture, if it has changed. */
static void write_command(struct writer *writer) {
    char command[SCENE_COMMAND];
    const struct lesson *lesson = writer->player->lesson;
    scene_command(lesson, &lesson->beats[writer->player->beat].show, command);
    if (strcmp(command, writer->command) == 0)
        return;
    strcpy(writer->command, command);
    fprintf(writer->out, _("To see it: %s\n"), command);
}

static void write_picture(struct writer *writer) {
    write_command(writer);
    if (!writer->player->replay.cursor.has_step)
        return;
    if (writer->player->replay.view == VIEW_HISTORY)
        write_history(writer);
    else
        write_operation(writer);
}

/* Writes the answer, then the lesson's text about it. */
static void write_answer(struct writer *writer) {
    struct player *player = writer->player;
    const struct question *question = &player->lesson->beats[player->beat].ask;
    struct answer answer;
    char words[ANSWER_TEXT], reason[512];
    const struct subject subject = replay_subject(&player->replay);
    if (answer_of(subject, question, &answer, NULL) != 0)
        return;
    struct text line = TEXT_INIT;
    text_append_format(&line, _("Answer: %s (%s)"),
                       message(answer_format(subject, question, &answer, words)),
                       answer_reason(subject, question, reason, sizeof(reason)));
    write_wrapped(writer, line.data, 2, STYLE_PLAIN, 0);
    text_release(&line);
    write_prose(writer, NULL, &player->said);
}

static void write_beat(struct writer *writer) {
    struct player *player = writer->player;
    const struct lesson *lesson = player->lesson;
    const char *title = lesson_part(lesson, player->beat, player->language, LESSON_TITLE);
    const bool asks = lesson_asks(lesson, player->beat);
    struct text line = TEXT_INIT;
    text_append_format(&line, "%zu/%zu  %s", player->beat + 1, lesson->beat_count,
                       title ? title : "");
    putc('\n', writer->out);
    write_wrapped(writer, line.data, 2, STYLE_TITLE, STYLE_BOLD);
    text_release(&line);
    write_prose(writer, NULL, &player->narration);
    if (!asks) {
        write_picture(writer);
        return;
    }
    write_prose(writer, _("Question:"), &player->question);
    /* As if "Show me" had been confirmed: the answer's text is made, and nothing is hidden. */
    for (int i = 0; i < 3 && player->state == PLAYER_ASKING; i++)
        player_apply(player, ACTION_REVEAL, 0);
    write_answer(writer);
    write_picture(writer);
}

int lesson_text_write(FILE *out, const struct lesson *lesson, struct trace *const *traces,
                      const char *language, const struct text_style *style, struct error *err) {
    struct player player;
    struct writer writer = {.out = out, .player = &player, .style = style};
    if (player_init(&player, lesson, traces, language, NULL, err) != 0)
        return -1;
    grid_init(&writer.grid, style->columns, 1, style->ascii);
    write_wrapped(&writer, lesson_title(lesson, player.language), 0, STYLE_TITLE, STYLE_BOLD);
    if (*lesson_summary(lesson, player.language))
        write_wrapped(&writer, lesson_summary(lesson, player.language), 0, STYLE_DIM, 0);
    for (size_t beat = 0; beat < lesson->beat_count && !ferror(out); beat++) {
        player_go(&player, beat);
        write_beat(&writer);
    }
    grid_release(&writer.grid);
    player_release(&player);
    return 0;
}
