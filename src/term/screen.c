/*
 * All use of ncurses is here. Only changed cells go to it, and the terminal's modes are set and
 * restored in pairs, because a program must not leave a terminal broken.
 */
#include "term/screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "term/paste.h"
#include "term/signals.h"
#include "term/surface.h"
#include "term/terminfo.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* The only file that knows ncurses: everything above draws into a grid of cells. */
#define NCURSES_WIDECHAR 1
#include <curses.h>

/* How long an Escape waits for the rest of a key's sequence: longer than a slow line needs between
 * two bytes, shorter than a user notices. */
#define ESCAPE_MILLISECONDS 25

/* A glyph that no cell has, so that the cell must be redrawn. */
#define GLYPH_UNKNOWN UINT32_MAX

/* Sent by a terminal before pasted text, if it supports that (paste.h): a code that no key has. */
#define KEY_PASTE (KEY_MAX + 0x1000)

#define STYLE_SLOTS (STYLE_ROLE_COUNT + 32) /* every role, STYLE_GROUP once per group */
#define STYLE_FLAGS 32

/* A style as ncurses needs it. */
struct ink {
    attr_t attributes;
    int pair;
    bool known;
};

struct color_pair {
    int32_t foreground, background;
};

struct screen {
    struct surface surface;
    SCREEN *curses;
    struct termios modes;
    bool has_modes;
    bool has_default_colors;
    bool tells_pastes;
    struct text leaving; /* bytes that restore the terminal after a crash */
    struct ink inks[STYLE_SLOTS][STYLE_FLAGS];
    struct color_pair *pairs; /* pair n + 1 is pairs[n]; pair 0 is the terminal's own */
    int pair_count;
    struct cell *front; /* the current content of the terminal, rows * columns */
    cchar_t *line;      /* room for one row */
    MEVENT events[8];   /* of the mouse, newest first; as many as ncurses keeps */
    int event_count;
};

/* ---- colours ---- */

/* The pair of two colours, made when first requested; the terminal's own pair if there are too
 * many. */
static int color_pair(struct screen *screen, int32_t foreground, int32_t background) {
    if (screen->surface.palette.depth == COLOR_NONE ||
        (foreground == PAINT_DEFAULT && background == PAINT_DEFAULT))
        return 0;
    for (int i = 0; i < screen->pair_count; i++)
        if (screen->pairs[i].foreground == foreground && screen->pairs[i].background == background)
            return i + 1;
    if (screen->pair_count + 1 >= COLOR_PAIRS)
        return 0;

    const int pair = screen->pair_count + 1;
    const int fallback_text = screen->has_default_colors ? -1 : COLOR_WHITE;
    const int fallback_background = screen->has_default_colors ? -1 : COLOR_BLACK;
    const int text = foreground == PAINT_DEFAULT ? fallback_text : (int)foreground;
    const int behind = background == PAINT_DEFAULT ? fallback_background : (int)background;
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20180127
    if (init_extended_pair(pair, text, behind) == ERR)
        return 0;
#else
    if (init_pair((short)pair, (short)text, (short)behind) == ERR)
        return 0;
#endif
    screen->pairs = memory_grow(screen->pairs, (size_t)pair, sizeof(*screen->pairs));
    screen->pairs[screen->pair_count++] = (struct color_pair){foreground, background};
    return pair;
}

static attr_t curses_attributes(unsigned attributes) {
    attr_t result = A_NORMAL;

    if (attributes & PAINT_BOLD)
        result |= A_BOLD;
    if (attributes & PAINT_DIM)
        result |= A_DIM;
    if (attributes & PAINT_UNDERLINE)
        result |= A_UNDERLINE;
    if (attributes & PAINT_REVERSE)
        result |= A_REVERSE;
    return result;
}

static const struct ink *ink_for(struct screen *screen, struct style style) {
    const unsigned role = style.role < STYLE_ROLE_COUNT ? style.role : STYLE_PLAIN;
    const unsigned slot = role == STYLE_GROUP ? STYLE_ROLE_COUNT + style.group % 32u : role;
    struct ink *ink = &screen->inks[slot][style.flags % STYLE_FLAGS];

    if (!ink->known) {
        const struct paint paint = palette_paint(&screen->surface.palette, style);

        ink->attributes = curses_attributes(paint.attributes);
        ink->pair = color_pair(screen, paint.foreground, paint.background);
        ink->known = true;
    }
    return ink;
}

/* The requested depth, or as much as the terminal has. A terminal with more than 256 colours takes
 * them as 0xRRGGBB, so a palette of indices means nothing to it. */
static enum color_depth depth_of_terminal(enum color_depth wanted) {
    if (wanted <= COLOR_NONE || !has_colors() || COLORS < 8)
        return COLOR_NONE;
    if (COLORS > 256)
        return wanted == COLOR_8 ? COLOR_8 : COLOR_TRUE;
    if (COLORS == 256 && wanted >= COLOR_256)
        return COLOR_256;
    if (COLORS >= 16 && wanted >= COLOR_16)
        return COLOR_16;
    return COLOR_8;
}

static void open_colors(struct screen *screen, enum color_depth wanted,
                        enum palette_background background) {
    screen->surface.palette.background =
        background == BACKGROUND_UNKNOWN ? palette_background_detect() : background;
    screen->surface.palette.depth = COLOR_NONE;
    if (wanted <= COLOR_NONE || start_color() == ERR)
        return;
    screen->surface.palette.depth = depth_of_terminal(wanted);
    screen->has_default_colors = use_default_colors() == OK;
}

/* ---- pasted text ---- */

void screen_write(const struct screen *screen, const char *bytes) {
    for (size_t left = strlen(bytes); left > 0;) {
        const ssize_t written = write(screen->surface.output, bytes, left);
        if (written <= 0)
            return; /* the terminal is gone */
        bytes += written;
        left -= (size_t)written;
    }
}

static void set_paste_mode(const struct screen *screen, bool on) {
    if (screen->tells_pastes)
        screen_write(screen, on ? PASTE_ON : PASTE_OFF);
}

/* ---- opening and closing ---- */

/*
 * True colour needs a terminal description for it: "xterm-direct" beside "xterm-256color". It is
 * used if it is installed and the environment announces true colour; otherwise the 256 colours
 * of the plain description are used. A third way, redefining the terminal's palette, would change
 * what other windows and the scrollback show.
 */
static SCREEN *open_direct(const char *term, FILE *output, FILE *input) {
    static const char indexed[] = "-256color";
    const size_t length = strlen(term), end = sizeof(indexed) - 1;
    struct text direct = TEXT_INIT;
    SCREEN *curses = NULL;

    if (length > end && string_ends_with(term, indexed)) {
        text_append_bytes(&direct, term, length - end);
        text_append(&direct, "-direct");
        if (terminfo_is_known(direct.data, fileno(output)))
            curses = newterm(direct.data, output, input);
    }
    text_release(&direct);
    return curses;
}

void screen_forget(struct screen *screen) {
    const size_t cells = (size_t)screen->surface.columns * (size_t)screen->surface.rows;

    for (size_t i = 0; i < cells; i++)
        screen->front[i].glyph = GLYPH_UNKNOWN;
}

static void update_size(struct screen *screen) {
    getmaxyx(stdscr, screen->surface.rows, screen->surface.columns);
    screen->front =
        memory_grow(screen->front, (size_t)screen->surface.columns * (size_t)screen->surface.rows,
                    sizeof(*screen->front));
    screen->line =
        memory_grow(screen->line, (size_t)screen->surface.columns, sizeof(*screen->line));
    screen_forget(screen);
}

static void open_input(void) {
    cbreak(); /* keys are not held until Enter; Ctrl-C and Ctrl-Z still send signals */
    noecho();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_MILLISECONDS);
#ifdef BUTTON5_PRESSED
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
#else
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED, NULL);
#endif
    /* A press counts immediately, without waiting for a double click. Releases are
     * requested although they have no meaning: if a press and its release arrive together, ncurses
     * tries to combine them into a click, and the press is lost unless both are requested. */
    mouseinterval(0);
}

static void arm(const struct screen *screen) {
    if (screen->has_modes)
        signals_arm(screen->surface.output, screen->leaving.data, screen->leaving.length,
                    &screen->modes);
}

int screen_open(struct screen **screen, const char *term, FILE *output, FILE *input,
                const struct screen_options *options, struct error *err) {
    struct screen *opened;
    struct text leaving = TEXT_INIT;
    SCREEN *curses = NULL;

    if (!term)
        term = getenv("TERM");
    term = terminfo_described(term, fileno(output));
    if (terminfo_check(term, fileno(output), &leaving, err)) {
        text_release(&leaving);
        return -1;
    }

    opened = memory_zeroed(1, sizeof(*opened));
    opened->surface.input = fileno(input);
    opened->surface.output = fileno(output);
    opened->has_modes = tcgetattr(opened->surface.input, &opened->modes) == 0;
    opened->tells_pastes = terminfo_has_bracketed_paste(term);
    if (opened->tells_pastes)
        text_append(&leaving, PASTE_OFF);
    opened->leaving = leaving;
    arm(opened); /* memory may run out from here on */
    if (options->depth == COLOR_TRUE)
        curses = open_direct(term, output, input);
    if (!curses)
        curses = newterm(term, output, input);
    if (!curses) {
        signals_disarm();
        text_release(&opened->leaving);
        free(opened);
        return error_set(err, ERROR_USAGE, _("the terminal '%s' cannot be used.\n%s"), term,
                         terminfo_other_formats());
    }
    opened->curses = curses;
    open_colors(opened, options->depth, options->background);
    open_input();
    define_key(PASTE_BEGIN, KEY_PASTE);
    set_paste_mode(opened, true);
    curs_set(0);
    update_size(opened);
    *screen = opened;
    return 0;
}

/* A terminal without a second screen is left blank, rather than with a prompt in the middle of a
 * picture. */
static void leave_screen(const struct screen *screen) {
    set_paste_mode(screen, false);
    if (!terminfo_has("rmcup")) {
        werase(stdscr);
        wrefresh(stdscr);
    }
    endwin();
}

void screen_close(struct screen *screen) {
    if (!screen)
        return;
    mousemask(0, NULL);
    leave_screen(screen);
    if (screen->has_modes)
        tcsetattr(screen->surface.input, TCSANOW, &screen->modes);
    signals_disarm();
    delscreen(screen->curses);
    text_release(&screen->leaving);
    free(screen->pairs);
    free(screen->front);
    free(screen->line);
    free(screen);
}

void screen_resize(struct screen *screen, int columns, int rows) {
    resize_term(rows, columns); /* not resizeterm(), which would put a KEY_RESIZE before the keys */
    update_size(screen);
    clearok(curscr, TRUE);
}

/* ---- drawing ---- */

static bool cell_equal(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && memcmp(a->marks, b->marks, sizeof a->marks) == 0 &&
           a->style.role == b->style.role && a->style.group == b->style.group &&
           a->style.flags == b->style.flags;
}

/* A glyph that got into a cell by mistake must not reach the terminal, where it could do harm. */
static void set_curses_cell(struct screen *screen, cchar_t *to, const struct cell *cell) {
    const struct ink *ink = ink_for(screen, cell->style);
    wchar_t string[2 + CELL_MARKS] = {utf8_is_hidden(cell->glyph) ? L'?' : (wchar_t)cell->glyph};
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS >= 20180127
    int pair = ink->pair, *extended = &pair;
    const short plain = 0;
#else
    short *extended = NULL;
    const short plain = (short)ink->pair;
#endif

    for (size_t i = 0; i < CELL_MARKS; i++)
        string[1 + i] = (wchar_t)cell->marks[i];
    if (setcchar(to, string, ink->attributes, plain, extended) == ERR) {
        string[1] = L'\0'; /* marks that the C library's tables do not know */
        setcchar(to, string, ink->attributes, plain, extended);
    }
}

/* Draws the columns from `first` up to `end` of row y; a wide glyph is drawn as a whole. */
static void draw_run(struct screen *screen, int y, int first, int end, const struct cell *cells) {
    int count = 0;

    while (first > 0 && cells[first].glyph == 0)
        first--;
    for (int x = first; x < end; x++)
        if (cells[x].glyph != 0)
            set_curses_cell(screen, &screen->line[count++], &cells[x]);
    mvwadd_wchnstr(stdscr, y, first, screen->line, count);
}

static void draw_row(struct screen *screen, int y, int columns, const struct cell *cells) {
    struct cell *front = screen->front + (size_t)y * (size_t)screen->surface.columns;

    for (int x = 0; x < columns; x++) {
        int end = x;

        while (end < columns && !cell_equal(&cells[end], &front[end]))
            end++;
        if (end > x) {
            draw_run(screen, y, x, end, cells);
            memcpy(front + x, cells + x, (size_t)(end - x) * sizeof(*front));
            x = end;
        }
    }
}

void screen_draw(struct screen *screen, const struct grid *grid) {
    const int columns =
        grid->columns < screen->surface.columns ? grid->columns : screen->surface.columns;
    const int rows = grid->rows < screen->surface.rows ? grid->rows : screen->surface.rows;

    for (int y = 0; y < rows; y++)
        draw_row(screen, y, columns, grid->cells + (size_t)y * (size_t)grid->columns);
    wrefresh(stdscr);
}

/* ---- input ---- */

struct key_name {
    int code;
    const char *name;
};

/* ncurses' names for keys, and those of replay/keys/action.h. */
static const struct key_name key_names[] = {
    {KEY_RIGHT, "Right"},
    {KEY_LEFT, "Left"},
    {KEY_UP, "Up"},
    {KEY_DOWN, "Down"},
    {KEY_HOME, "Home"},
    {KEY_END, "End"},
    {KEY_PPAGE, "PageUp"},
    {KEY_NPAGE, "PageDown"},
    {KEY_BTAB, "BackTab"},
    {KEY_ENTER, "Enter"},
    {KEY_BACKSPACE, "Backspace"},
    {KEY_DC, "Delete"},
    {KEY_IC, "Insert"},
    {KEY_F(1), "F1"},
};

static const char *special_key_name(int code) {
    for (size_t i = 0; i < sizeof(key_names) / sizeof(key_names[0]); i++)
        if (key_names[i].code == code)
            return key_names[i].name;
    return NULL;
}

static enum input_kind mouse_kind(mmask_t buttons) {
    if (buttons & BUTTON1_PRESSED)
        return INPUT_CLICK;
    if (buttons & BUTTON4_PRESSED)
        return INPUT_WHEEL_UP;
#ifdef BUTTON5_PRESSED
    if (buttons & BUTTON5_PRESSED)
        return INPUT_WHEEL_DOWN;
#endif
    return INPUT_OTHER;
}

bool screen_read(struct screen *screen, struct screen_input *input) {
    const int most = (int)(sizeof(screen->events) / sizeof(screen->events[0]));
    wint_t key = 0;
    int kind = OK;

    *input = (struct screen_input){.kind = INPUT_OTHER};
    if (screen->event_count == 0 && (kind = get_wch(&key)) == ERR)
        return false;
    if (kind == KEY_CODE_YES && key == KEY_MOUSE) /* may be several events */
        while (screen->event_count < most && getmouse(&screen->events[screen->event_count]) == OK)
            screen->event_count++;
    if (screen->event_count > 0) {
        const MEVENT *event = &screen->events[--screen->event_count];
        *input = (struct screen_input){mouse_kind(event->bstate), 0, NULL, event->x, event->y};
    } else if (kind == KEY_CODE_YES && key == KEY_PASTE) {
        input->kind = INPUT_PASTE;
    } else if (kind == KEY_CODE_YES) {
        *input = (struct screen_input){.kind = INPUT_KEY, .key = special_key_name((int)key)};
    } else {
        *input = (struct screen_input){.kind = INPUT_CHARACTER, .character = (uint32_t)key};
    }
    return true;
}

bool screen_is_gone(const struct screen *screen) {
    struct termios modes;

    return tcgetattr(screen->surface.input, &modes) != 0;
}

/* ---- services for the loop ---- */

const struct surface *screen_surface(const struct screen *screen) {
    return &screen->surface;
}

void screen_set_background(struct screen *screen, enum palette_background background) {
    screen->surface.palette.background = background;
    memset(screen->inks, 0, sizeof(screen->inks));
    screen_forget(screen);
}

void screen_redraw(struct screen *screen) {
    clearok(curscr, TRUE);
    screen_forget(screen);
}

void screen_measure(struct screen *screen) {
    struct winsize size;

    if (ioctl(screen->surface.output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        screen_resize(screen, size.ws_col, size.ws_row);
}

void screen_suspend(struct screen *screen) {
    signals_disarm();
    leave_screen(screen);
    if (screen->has_modes)
        tcsetattr(screen->surface.input, TCSANOW, &screen->modes);
}

void screen_resume(struct screen *screen) {
    arm(screen);
    reset_prog_mode();
    keypad(stdscr, TRUE); /* ncurses would do it at the first read: one key too late */
    set_paste_mode(screen, true);
}
