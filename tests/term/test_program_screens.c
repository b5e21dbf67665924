/*
 * Screens of the program itself as reviewed text: it runs in a real terminal, is driven by keys,
 * and the terminal's content, letters and colours, is compared with a file of screens/. With
 * UPDATE_SCREENS set the files are written instead; read the diff before committing it.
 *
 * Except for the first, screens are compared without their key bar, and most of those in black and
 * white ("part-...") from the row below the tabs on.
 *
 * A line of the screen is "|" and its text, then ":" and a letter per column for how it is shown;
 * the meaning of the letters is at the end, as numbers of SGR. "." means the terminal's colours.
 *
 * The program and the folder of the files are the arguments.
 */
#include "terminal.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DEADLINE_SECONDS 30 /* only a defect reaches this deadline */

static const char *folder; /* set once by main(), because cmocka passes no arguments to its tests */

struct screen {
    const char *name;
    int columns, rows;
    const char *environment, *command, *keys;
};

/* Colours for an unknown background are tested with a terminal type that is not queried, because
 * tmux's answer depends on its version. */
static const struct screen screens[] = {
    {"xor-3-256-colors", 80, 24, "TERM=screen-256color", "xor --mask 3 --width 16",
     "l l l j j j j j"},
    {"xor-3-light", 80, 24, "TERM=tmux-256color COLORFGBG=0\\;15", "xor --mask 3 --width 16",
     "l l l l"},
    {"xor-16-eight-colors", 80, 24, "TERM=screen", "xor --mask 16 --width 16", "l l"},
    {"part-xor-16-no-color", 80, 24, "NO_COLOR=1", "xor --mask 16 --width 16", "l l l l"},
    {"down-left-out-60x20", 60, 20, "NO_COLOR=1", "down --delta 1 --members 0xff", "7j l l l l"},
    {"wires-ascii-60x20", 60, 20, "NO_COLOR=1 LC_ALL=C", "xor --mask 16 --width 16", "Tab l l l l"},
    {"part-width-12-80x24", 80, 24, "NO_COLOR=1", "xor --mask 3 --width 12 --undefined",
     "5j l l l l"},
    {"reduce-120x40", 120, 40, "TERM=screen-256color", "kernel reduce-xor-sum", "n n l l l 6j"},
    {"part-block-and-warp-80x24", 80, 24, "NO_COLOR=1",
     "kernel block-reduce --threads 35 --blocks 2 --in 1", "b w l l l l"},
    {"part-last-operation-80x24", 80, 24, "NO_COLOR=1", "kernel reduce-down-sum", "G 3 Escape"},
    {"part-zh-80x24", 80, 24, "NO_COLOR=1", "xor --mask 16 --width 16 --lang zh", "5j l l l l"},
    {"part-zh-no-locale-80x24", 80, 24, "NO_COLOR=1 LC_ALL=C", "xor --mask 3 --lang zh",
     "Tab l l l l"},
    /* From a replay to the overview, and from there to another line's first step. */
    {"overview-80x24", 80, 24, "NO_COLOR=1", "kernel block-reduce --threads 35 --blocks 2 --in 1",
     "v 3"},
    {"part-overview-dive-80x24", 80, 24, "NO_COLOR=1",
     "kernel block-reduce --threads 35 --blocks 2 --in 1", "v 3 G Enter"},
    /* Values that are derived from undefined values: a tree over 20 lanes reads beyond them. */
    {"marked-80x24", 80, 24, "TERM=screen-256color", "kernel ballot-too-small --n 20",
     "n n l l l l"},
    {"part-marked-history-zh-80x24", 80, 24, "NO_COLOR=1",
     "kernel ballot-too-small --n 20 --lang zh", "G 3"},
    {"too-small-40x10", 40, 10, "NO_COLOR=1", "xor --mask 3 --width 16", ""},
};

/* ---- a screen as text
 * ------------------------------------------------------------------------- */

#define STYLES_MAX 52
#define STYLE_SIZE 64

/* The terminal's style for the next text: attributes, and SGR numbers of its colours. */
struct shown {
    bool attribute[10];
    char foreground[24], background[24];
};

struct styles {
    char text[STYLES_MAX][STYLE_SIZE];
    int count;
};

static void set_color(struct shown *shown, int code, const char **rest) {
    bool behind = (code >= 40 && code < 50) || code >= 100;
    char *color = behind ? shown->background : shown->foreground;
    int kind, a, b, c;
    if (code == 39 || code == 49)
        color[0] = '\0';
    else if (code != 38 && code != 48)
        snprintf(color, sizeof shown->foreground, "%d", code);
    else if (sscanf(*rest, ";%d;%d;%d;%d", &kind, &a, &b, &c) == 4 && kind == 2)
        snprintf(color, sizeof shown->foreground, "%d;2;%d;%d;%d", code, a, b, c);
    else if (sscanf(*rest, ";%d;%d", &kind, &a) == 2 && kind == 5)
        snprintf(color, sizeof shown->foreground, "%d;5;%d", code, a);
    else
        fail_msg("not a colour: %d%s", code, *rest);
    if (code == 38 || code == 48)
        *rest = strpbrk(*rest, "m");
}

/* One number of an SGR sequence; `rest` is the text after it. */
static void set_attribute(struct shown *shown, int code, const char **rest) {
    if (code == 0)
        memset(shown, 0, sizeof *shown);
    else if (code < 10)
        shown->attribute[code] = true;
    else if (code == 22)
        shown->attribute[1] = shown->attribute[2] = false;
    else if (code > 22 && code < 30)
        shown->attribute[code - 20] = false;
    else
        set_color(shown, code, rest);
}

/* "\033[1;38;5;26m": tmux writes a colour in a separate sequence, or at the end of another. */
static const char *read_sequence(struct shown *shown, const char *at) {
    at += strlen("\033[");
    for (;;) {
        char *end;
        int code = (int)strtol(at, &end, 10);
        const char *rest = end;
        set_attribute(shown, code, &rest);
        if (*rest != ';') {
            assert_int_equal(*rest, 'm');
            return rest + 1;
        }
        at = rest + 1;
    }
}

/* The letter for a style; a new style gets a new letter. */
static char style_letter(struct styles *styles, const struct shown *shown) {
    char text[STYLE_SIZE] = "";
    size_t length = 0;
    for (int i = 1; i < 10; i++)
        if (shown->attribute[i])
            length += (size_t)snprintf(text + length, sizeof text - length, " %d", i);
    if (shown->foreground[0])
        length += (size_t)snprintf(text + length, sizeof text - length, " %s", shown->foreground);
    if (shown->background[0])
        length += (size_t)snprintf(text + length, sizeof text - length, " %s", shown->background);
    if (length == 0)
        return '.';
    int i = 0;
    while (i < styles->count && strcmp(styles->text[i], text) != 0)
        i++;
    assert_in_range(i, 0, STYLES_MAX - 1);
    if (i == styles->count)
        memcpy(styles->text[styles->count++], text, sizeof text);
    return (char)(i < 26 ? 'a' + i : 'A' + i - 26);
}

static void end_line(struct text *out, struct text *letters) {
    while (letters->length > 0 && letters->data[letters->length - 1] == '.')
        letters->data[--letters->length] = '\0';
    text_append_char(out, '\n');
    if (letters->length > 0)
        text_append_format(out, ":%s\n", letters->data);
    text_clear(letters);
}

/* True if a blank shown like this can be distinguished from an empty cell. */
static bool shows_on_a_blank(const struct shown *shown) {
    return shown->background[0] || shown->attribute[4] || shown->attribute[7] ||
           shown->attribute[9];
}

static void truncate_text(struct text *text, size_t length) {
    if (text->length > length)
        text->data[text->length = length] = '\0';
}

/* The rows from `first` up to `end`, with all styles of the screen; the caller frees. Invisible
 * blanks at the end of a line are left out: whether tmux writes them depends on its version.
 */
static char *screen_text(struct terminal *terminal, int first, int end) {
    struct text out = TEXT_INIT, letters = TEXT_INIT;
    struct styles styles = {.count = 0};
    struct shown shown = {.foreground = ""};
    size_t seen = 0, letters_seen = 0; /* length up to the last visible cell of this line */
    size_t kept = 0;                   /* length up to the last wanted row */
    bool begins = true;
    int row = 0;
    for (const char *s = terminal_screen(terminal, true); *s;) {
        if (begins) {
            if (row == first && row > 0)
                text_append_format(&out, "@%d\n", row);
            text_append_char(&out, '|');
            seen = out.length;
            letters_seen = 0;
        }
        begins = *s == '\n';
        if (*s == '\n') {
            truncate_text(&out, seen);
            truncate_text(&letters, letters_seen);
            end_line(&out, &letters);
            row++;
            if (row <= first || row > end) {
                truncate_text(&out, kept);
                text_clear(&letters);
            }
            kept = out.length;
            s++;
        } else if (strncmp(s, "\033[", 2) == 0) {
            s = read_sequence(&shown, s);
        } else {
            if (((unsigned char)*s & 0xc0) != 0x80) /* the first byte of a character */
                text_append_char(&letters, style_letter(&styles, &shown));
            text_append_char(&out, *s);
            if (*s++ != ' ' || shows_on_a_blank(&shown)) {
                seen = out.length;
                letters_seen = letters.length;
            }
        }
    }
    for (int i = 0; i < styles.count; i++)
        text_append_format(&out, "%c%s\n", i < 26 ? 'a' + i : 'A' + i - 26, styles.text[i]);
    text_release(&letters);
    return text_detach(&out);
}

/* ---- comparing
 * -------------------------------------------------------------------------------- */

static char *read_file(const char *path) {
    enum { SIZE = 1 << 16 };
    FILE *file = fopen(path, "rb");
    char *text = memory_zeroed(SIZE, 1);
    if (file) {
        text[fread(text, 1, SIZE - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

/* The rows that are compared, in the form of tests/view/reviewed.h. The caller frees. */
static char *compared_text(struct terminal *terminal, const struct screen *screen) {
    enum { BELOW_THE_TABS = 4 };
    const int first = strncmp(screen->name, "part-", 5) == 0 ? BELOW_THE_TABS : 0;
    const bool is_whole = screen == screens || screen->rows < 20;
    struct text text = TEXT_INIT;
    char *rows = screen_text(terminal, first, is_whole ? screen->rows : screen->rows - 1);
    text_append_format(&text, "# %s\n%s", screen->keys, rows);
    free(rows);
    return text_detach(&text);
}

/* Waits until the screen is the one in the file. */
static void expect_screen(struct terminal *terminal, const struct screen *screen,
                          const char *path) {
    char *expected = read_file(path), *now = compared_text(terminal, screen);
    while (strcmp(now, expected) != 0 && terminal_writes(terminal, DEADLINE_SECONDS)) {
        free(now);
        now = compared_text(terminal, screen);
    }
    if (strcmp(now, expected) != 0)
        fail_msg("%s (UPDATE_SCREENS=1 writes it) is not the screen, which is\n%s", path, now);
    free(expected);
    free(now);
}

static void update_screen(struct terminal *terminal, const struct screen *screen,
                          const char *path) {
    while (terminal_writes(terminal, 2))
        continue;
    char *now = compared_text(terminal, screen);
    write_file(path, now);
    free(now);
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    struct terminal terminal;
    struct text text = TEXT_INIT;
    terminal_start(&terminal, screen->columns, screen->rows);
    terminal_run(&terminal, "clear");
    text_append_format(&text, "/usr/bin/env %s $PROGRAM %s --format tui", screen->environment,
                       screen->command);
    terminal_type(&terminal, text.data);
    while (strcmp(terminal_format(&terminal, "#{alternate_on}"), "1") != 0)
        if (!terminal_writes(&terminal, DEADLINE_SECONDS))
            fail_msg("no screen comes from: %s", text.data);
    text_clear(&text);
    if (screen->keys[0])
        terminal_keys(&terminal, screen->keys);
    text_append_format(&text, "%s/%s.txt", folder, screen->name);
    (getenv("UPDATE_SCREENS") ? update_screen : expect_screen)(&terminal, screen, text.data);
    terminal_keys(&terminal, "q");
    terminal_expect_status(&terminal, 0);
    terminal_end(&terminal);
    text_release(&text);
}

int main(int argc, char **argv) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT];
    if (argc != 3) {
        fprintf(stderr, "usage: test_program_screens PROGRAM FOLDER\n");
        return 2;
    }
    if (!terminal_is_available()) {
        fprintf(stderr, "this system gives out no pseudo-terminals (is /dev/pts mounted?)\n");
        return 77; /* ctest counts this as skipped */
    }
    setenv("PROGRAM", argv[1], 1);
    folder = argv[2];
    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){.name = screens[i].name,
                                       .test_func = screen_is_as_reviewed,
                                       .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
