/*
 * show_lesson LANGUAGE COLUMNSxROWS [KEYS] [--present] [--notes] [--ascii] [--16] [--text]: a
 * screen of the sample lesson on standard output, for looking at while it is being designed.
 */
#include "sample_lesson.h"

#include "base/message.h"
#include "term/painter.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int columns, rows;
    bool present, notes, ascii, text;
    enum color_depth depth;
    const char *keys;
};

static bool read_option(struct options *opts, const char *argument) {
    if (strcmp(argument, "--present") == 0)
        return opts->present = true;
    if (strcmp(argument, "--notes") == 0)
        return opts->notes = true;
    if (strcmp(argument, "--ascii") == 0)
        return opts->ascii = true;
    if (strcmp(argument, "--text") == 0)
        return opts->text = true;
    if (strcmp(argument, "--16") != 0)
        return false;
    opts->depth = COLOR_16;
    return true;
}

static void show(const struct options *opts, const struct player *player) {
    struct grid grid;
    struct text painted = TEXT_INIT;
    grid_init(&grid, opts->columns, opts->rows, opts->ascii);
    if (opts->notes)
        view_draw_notes(&grid, player, 754000);
    else
        view_draw_player(&grid, player);
    if (opts->text) {
        char *string = grid_to_text(&grid, false);
        text_append(&painted, string);
        free(string);
    } else {
        paint_ansi_palette(&painted, &grid, &(struct palette){opts->depth, BACKGROUND_DARK});
    }
    fputs(painted.data, stdout);
    if (grid.failed_to_fit)
        fprintf(stderr, "show_lesson: something was cut\n");
    if (!view_player_fits(player, opts->columns, opts->rows))
        fprintf(stderr, "show_lesson: the text has to be scrolled\n");
    text_release(&painted);
    grid_release(&grid);
}

int main(int argc, char **argv) {
    struct options opts = {.depth = COLOR_TRUE, .keys = ""};
    struct sample_lesson sample;
    if (argc < 3 || sscanf(argv[2], "%dx%d", &opts.columns, &opts.rows) != 2) {
        fprintf(stderr, "usage: show_lesson LANGUAGE COLUMNSxROWS [KEYS] [--present] ...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++)
        if (!read_option(&opts, argv[i]))
            opts.keys = argv[i];
    message_language_use(argv[1]);
    sample_lesson_open(&sample, argv[1]);
    sample.player.presenting = opts.present;
    player_go(&sample.player, 0);
    sample_lesson_keys(&sample, opts.keys);
    show(&opts, &sample.player);
    sample_lesson_close(&sample);
    return 0;
}
