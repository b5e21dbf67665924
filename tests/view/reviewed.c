#include "reviewed.h"

#include "base/memory.h"
#include "base/text.h"
#include "replay/action.h"
#include "view/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

/* Prints the lines in which two texts differ, the expected one first. */
static void print_difference(const char *expected, const char *actual) {
    int printed = 0;
    for (int line = 1; (*expected || *actual) && printed < 24; line++) {
        size_t e = strcspn(expected, "\n"), a = strcspn(actual, "\n");
        if (e != a || memcmp(expected, actual, e) != 0) {
            print_message("  line %d\n  - %.*s\n  + %.*s\n", line, (int)e, expected, (int)a,
                          actual);
            printed++;
        }
        expected += e + (expected[e] == '\n');
        actual += a + (actual[a] == '\n');
    }
}

void reviewed_compare(const char *folder, const char *name, char *actual) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    char *expected = read_file(path);
    if (getenv("UPDATE_SCREENS")) {
        write_file(path, actual);
    } else if (!expected) {
        fail_msg("%s is missing: UPDATE_SCREENS=1 writes it", path);
    } else if (strcmp(expected, actual) != 0) {
        print_difference(expected, actual);
        fail_msg("%s differs", path);
    }
    free(actual);
    free(expected);
}

/* ---- clicks ---- */

static const struct {
    enum action action; /* ACTION_NONE: all others */
    char sign;
} clicks[] = {{ACTION_LANE_GO, '@'},   {ACTION_OPERATION_GO, '%'}, {ACTION_BEAT_GO, '&'},
              {ACTION_LESSON_GO, '!'}, {ACTION_ROW_GO, '='},       {ACTION_LIST_GO, '$'},
              {ACTION_PHASE_GO, '<'},  {ACTION_VIEW_GO, '>'},      {ACTION_NONE, '~'}};

static size_t kind_of(const struct hit *hit) {
    size_t kind = 0;
    while (clicks[kind].action != ACTION_NONE && (int)clicks[kind].action != (int)hit->action)
        kind++;
    return kind;
}

static char letter_of(const struct hit *hit) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    if (clicks[kind_of(hit)].action != ACTION_NONE)
        return hit->argument >= 0 && hit->argument < 36 ? digits[hit->argument] : '?';
    for (size_t i = 0; i < action_row_count; i++)
        if ((int)action_rows[i].action == (int)hit->action && action_rows[i].label)
            return action_rows[i].label[0];
    return '?';
}

/* The click actions of one row, of one kind; nothing if there are none. */
static void append_clicks(struct text *text, const struct cell *row, int columns, size_t kind) {
    char *line = memory_zeroed((size_t)columns + 1, 1);
    int end = 0;
    for (int x = 0; x < columns; x++) {
        const bool here = row[x].hit.action != 0 && kind_of(&row[x].hit) == kind;
        line[x] = here ? letter_of(&row[x].hit) : ' ';
        end = here ? x + 1 : end;
    }
    if (end > 0)
        text_append_format(text, "%c%.*s\n", clicks[kind].sign, end, line);
    free(line);
}

char *reviewed_clicks(const struct grid *grid) {
    struct text text = TEXT_INIT;
    char *shown = grid_to_text(grid, false), *rest = shown;
    for (int y = 0; y < grid->rows; y++) {
        const char *line = strsep(&rest, "\n");
        text_append_format(&text, "|%s\n", line ? line : "");
        for (size_t kind = 0; kind < sizeof clicks / sizeof *clicks; kind++)
            append_clicks(&text, grid->cells + (size_t)y * (size_t)grid->columns, grid->columns,
                          kind);
    }
    free(shown);
    return text_detach(&text);
}
