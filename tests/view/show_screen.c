/*
 * show_screen SAMPLE COLUMNSxROWS [KEYS] [--ascii | --text | --table]: a screen on standard output
 * in true colour, for looking at while a view is being designed; --text prints it as the reviewed
 * screens are kept.
 */
#include "sample.h"
#include "script.h"
#include "view/view.h"

#include "term/painter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int columns = 80, rows = 24;
    bool ascii = false, text = false, table = false;
    const char *keys = "";
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--ascii") == 0)
            ascii = true;
        else if (strcmp(argv[i], "--text") == 0)
            text = true;
        else if (strcmp(argv[i], "--table") == 0)
            table = true;
        else
            keys = argv[i];
    }
    struct trace *trace = argc > 2 ? sample_open(argv[1]) : NULL;
    if (!trace || sscanf(argv[2], "%dx%d", &columns, &rows) != 2) {
        fprintf(stderr, "usage: show_screen SAMPLE COLUMNSxROWS [KEYS] [--ascii|--text|--table]\n");
        return 2;
    }
    struct replay replay;
    struct grid grid;
    if (replay_init(&replay, trace, NULL) != 0)
        return 2;
    script_run(&replay, keys);
    grid_init(&grid, columns, rows, ascii);
    if (table)
        view_draw_table(&grid, &replay, columns);
    else
        view_draw(&grid, &replay);
    if (text) {
        char *string = grid_to_text(&grid, true);
        fputs(string, stdout);
        free(string);
    } else {
        struct text painted = TEXT_INIT;
        paint_ansi(&painted, &grid, COLOR_TRUE);
        fputs(painted.data, stdout);
        text_release(&painted);
    }
    if (grid.failed_to_fit)
        fprintf(stderr, "show_screen: something was cut\n");
    grid_release(&grid);
    trace_close(trace);
    return 0;
}
