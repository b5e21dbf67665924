#include "session/worksheet.h"

#include "base/message.h"
#include "base/text.h"
#include "teach/player.h"
#include "term/painter.h"
#include "view/view.h"

#include <string.h>

/*
 * An answer must not be visible in a later question of the same paper. The pictures of most
 * questions hide the answer, but a question about the call shows every lane's result, which may
 * answer an earlier question: such questions are on a second sheet.
 */
#define PICTURE_COLUMNS 78

struct sheet {
    FILE *out;
    struct player player;
    struct grid grid;
    unsigned number; /* of the question */
};

static const char rule[] = "____________________________________________";

/* ---- text ---- */

static void write_prose(struct sheet *sheet, const struct prose *prose) {
    static const char *const signs[] = {"", "**", "`", ""};
    for (size_t i = 0; i < prose->count; i++) {
        const struct paragraph *paragraph = &prose->paragraphs[i];
        const bool begins = paragraph->code && (i == 0 || !paragraph[-1].code);
        const bool ends = paragraph->code && (i + 1 == prose->count || !paragraph[1].code);
        fputs(begins ? "```cuda\n" : paragraph->item ? "- " : "", sheet->out);
        for (size_t k = 0; k < paragraph->span_count; k++) {
            const struct span *span = &paragraph->spans[k];
            const char *sign = paragraph->code ? "" : signs[span->kind];
            fprintf(sheet->out, "%s%s%s", sign, span->text, sign);
        }
        fputs(ends ? "\n```\n\n" : paragraph->code ? "\n" : "\n\n", sheet->out);
    }
}

static void write_picture(struct sheet *sheet) {
    const struct palette plain = {COLOR_PLAIN, BACKGROUND_UNKNOWN};
    const struct replay *replay = &sheet->player.replay;
    if (!replay->cursor.has_step)
        return;
    fputs("```text\n", sheet->out);
    view_draw_picture(&sheet->grid, replay, PICTURE_COLUMNS);
    paint_to(sheet->out, &sheet->grid, &plain);
    fputs("```\n\n", sheet->out);
}

/* ---- a question ---- */

static void write_answer(struct sheet *sheet, const struct question *ask) {
    struct player *player = &sheet->player;
    struct answer answer;
    char words[ANSWER_TEXT], reason[512];
    const struct subject subject = replay_subject(&player->replay);
    for (int i = 0; i < 3 && player->state == PLAYER_ASKING; i++) /* asks, then confirms */
        player_apply(player, ACTION_REVEAL, 0);
    if (answer_of(subject, ask, &answer, NULL) != 0)
        return;
    fprintf(sheet->out, _("**Answer:** %s (%s)\n\n"),
            message(answer_format(subject, ask, &answer, words)),
            answer_reason(subject, ask, reason, sizeof reason));
    write_prose(sheet, &player->said);
}

static void write_question(struct sheet *sheet, size_t beat, bool answers) {
    struct player *player = &sheet->player;
    const struct lesson *lesson = player->lesson;
    const struct question *ask = &lesson->beats[beat].ask;
    const char *title = lesson_part(lesson, beat, player->language, LESSON_TITLE);
    fprintf(sheet->out, "## %u. %s\n\n", ++sheet->number, title ? title : "");
    write_prose(sheet, &player->narration);
    write_picture(sheet);
    write_prose(sheet, &player->question);
    if (answers)
        write_answer(sheet, ask);
    else
        fprintf(sheet->out, _("Answer: %s\n\n"), rule);
}

static bool shows_results(const struct question *ask) {
    return ask->kind == QUESTION_CALL ||
           (question_is_code(ask) && ask->aim.goal == SNIPPET_PICTURE);
}

static void write_sheet(struct sheet *sheet, bool second, bool answers) {
    const struct lesson *lesson = sheet->player.lesson;
    bool begun = false;
    for (size_t beat = 0; beat < lesson->beat_count && !ferror(sheet->out); beat++) {
        if (!lesson_asks(lesson, beat) || shows_results(&lesson->beats[beat].ask) != second)
            continue;
        if (second && !begun && sheet->number > 0)
            fputs(_("---\n\n**Second sheet.** Hand it out when the first sheet has been collected: "
                    "the pictures on this sheet show the answers to the first.\n\n"),
                  sheet->out);
        begun = true;
        player_go(&sheet->player, beat);
        write_question(sheet, beat, answers);
    }
}

int worksheet_write(FILE *out, const struct lesson *lesson, struct trace *const *traces,
                    const char *language, bool answers, bool ascii, struct error *err) {
    struct sheet sheet = {.out = out};
    struct player *player = &sheet.player;
    if (player_init(player, lesson, traces, language, NULL, err) != 0)
        return -1;
    grid_init(&sheet.grid, PICTURE_COLUMNS, 1, ascii);
    fprintf(out, "# %s\n\n", lesson_title(lesson, player->language));
    if (answers)
        fputs(_("The answers\n\n"), out);
    else
        fprintf(out, _("Name: %s  Date: %.16s\n\n"), rule, rule);
    write_sheet(&sheet, false, answers);
    write_sheet(&sheet, true, answers);
    grid_release(&sheet.grid);
    player_release(player);
    if (sheet.number == 0)
        return error_set(err, ERROR_USAGE, _("%s asks nothing, so there is no worksheet for it"),
                         lesson->name);
    return 0;
}
