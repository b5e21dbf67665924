/*
 * Compares screens with their files, or rewrites the files with UPDATE_SCREENS=1. A file has only
 * the rows that its test is about, without rows that other files already have, so that a small
 * change affects few files.
 */
#include "reviewed.h"

#include "base/memory.h"
#include "base/text.h"
#include "replay/keys/action.h"
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

/* Prints the lines in which two texts differ, the expected line first. */
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

/* ---- screens ---- */

#define ROWS_MOST 128

/* Finds the beginning of each row in a screen's text, and its end; returns the number of rows. */
static int rows_of(char *screen, char *row[ROWS_MOST + 1]) {
    int count = 0;
    for (char *line = screen; *line; line += strcspn(line, "\n") + 1) {
        assert_in_range(count, 0, ROWS_MOST - 1);
        if (*line == '|')
            row[count++] = line;
    }
    row[count] = screen + strlen(screen);
    return count;
}

/* True if a part of the row is in the style of keys. */
static bool has_keys(const char *row, const char *end) {
    const char *styles = strstr(row, "\n:");
    return styles && styles < end && memchr(styles, 'k', strcspn(styles + 1, "\n"));
}

/* The number of rows without the key bar, which is the last row. */
static int rows_above_bar(char *const row[], int count) {
    return count - (count > 0 && has_keys(row[count - 1], row[count]));
}

static void compare_rows(const char *folder, const char *name, const char *keys, int first,
                         const char *before, char *screen) {
    char *row[ROWS_MOST + 1], *old_row[ROWS_MOST + 1];
    struct text text = TEXT_INIT;
    char *old = before ? memory_string(before) : NULL;
    const int count = rows_of(screen, row), old_count = old ? rows_of(old, old_row) : 0;
    const int end = rows_above_bar(row, count);
    assert_true(!old || old_count == count);
    text_append_format(&text, "# %s\n", keys);
    for (int y = first, next = 0; y < end; y++) {
        const size_t length = (size_t)(row[y + 1] - row[y]);
        if (old && (size_t)(old_row[y + 1] - old_row[y]) == length &&
            memcmp(old_row[y], row[y], length) == 0)
            continue;
        if (y != next)
            text_append_format(&text, "@%d\n", y);
        text_append_format(&text, "%.*s", (int)length, row[y]);
        next = y + 1;
    }
    free(old);
    free(screen);
    reviewed_compare(folder, name, text_detach(&text));
}

void reviewed_screen(const char *folder, const char *name, const char *keys, char *screen) {
    compare_rows(folder, name, keys, 0, NULL, screen);
}

void reviewed_picture(const char *folder, const char *name, const char *keys, int first,
                      char *screen) {
    compare_rows(folder, name, keys, first, NULL, screen);
}

void reviewed_change(const char *folder, const char *name, const char *keys, char *before,
                     char *screen) {
    compare_rows(folder, name, keys, 0, before, screen);
    free(before);
}

int reviewed_first_row(const struct grid *grid) {
    for (int wanted = ACTION_VIEW_GO, tries = 0; tries < 2; wanted = ACTION_PHASE_GO, tries++)
        for (int i = 0; i < grid->columns * grid->rows; i++)
            if ((int)grid->cells[i].hit.action == wanted)
                return i / grid->columns + 1;
    fail_msg("no tabs and no phases");
    return 0;
}

void reviewed_bar(struct reviewed_bars *bars, const char *name, char *screen) {
    if (strstr(name, "-clicks-")) {
        free(screen);
        return;
    }
    char *row[ROWS_MOST + 1];
    const char *rows = row[rows_above_bar(row, rows_of(screen, row))];
    int i = 0;
    while (i < bars->count && strcmp(bars->bar[i].rows, rows) != 0)
        i++;
    if (i == bars->count) {
        assert_in_range(i, 0, sizeof bars->bar / sizeof *bars->bar - 1);
        bars->bar[i].rows = memory_string(rows);
        bars->bar[i].names = (struct text)TEXT_INIT;
        bars->count++;
    }
    text_append_format(&bars->bar[i].names, "# %s\n", name);
    free(screen);
}

void reviewed_bars_compare(const char *folder, const char *name, struct reviewed_bars *bars) {
    struct text text = TEXT_INIT;
    for (int i = 0; i < bars->count; i++) {
        text_append_format(&text, "%s%s", bars->bar[i].names.data, bars->bar[i].rows);
        text_release(&bars->bar[i].names);
        free(bars->bar[i].rows);
    }
    reviewed_compare(folder, name, text_detach(&text));
}

/* ---- clicks ---- */

static const struct {
    enum action action; /* ACTION_NONE means all others */
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

/* The number of rows without the key bar. */
static int rows_without_bar(const struct grid *grid) {
    const struct cell *row = grid->cells + (size_t)(grid->rows - 1) * (size_t)grid->columns;
    int x = 0;
    while (x < grid->columns && row[x].style.role != STYLE_KEY)
        x++;
    return grid->rows - (x < grid->columns);
}

char *reviewed_clicks(const struct grid *grid) {
    struct text text = TEXT_INIT;
    char *shown = grid_to_text(grid, false), *rest = shown;
    const int end = rows_without_bar(grid);
    for (int y = 0; y < end; y++) {
        const char *line = strsep(&rest, "\n");
        text_append_format(&text, "|%s\n", line ? line : "");
        for (size_t kind = 0; kind < sizeof clicks / sizeof *clicks; kind++)
            append_clicks(&text, grid->cells + (size_t)y * (size_t)grid->columns, grid->columns,
                          kind);
    }
    free(shown);
    return text_detach(&text);
}
