#include "term/screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "term/signals.h"
#include "view/view.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

/* The only file that knows ncurses: everything above draws into a grid of cells. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
/* term.h makes macros of these words; they are fields of a grid here. */
#undef columns
#undef lines

/* How long an Escape waits for the rest of a key's sequence: longer than a slow line needs between
 * two bytes, shorter than a person notices. */
#define ESCAPE_MILLISECONDS 25

/* A front glyph that no cell has: it must be drawn. */
#define GLYPH_UNKNOWN UINT32_MAX

#define STYLE_SLOTS (STYLE_ROLE_COUNT + 32) /* every role, STYLE_GROUP once a group */
#define STYLE_FLAGS 32

/* What ncurses needs to know of a style. */
struct ink {
    attr_t attributes;
    int pair;
    bool known;
};

struct color_pair {
    int32_t foreground, background;
};

struct screen {
    SCREEN *curses;
    int input, output; /* descriptors */
    struct termios modes;
    bool has_modes;
    struct palette palette;
    bool has_default_colors;
    struct ink inks[STYLE_SLOTS][STYLE_FLAGS];
    struct color_pair *pairs; /* pair n + 1 is pairs[n]; pair 0 is the terminal's own */
    int pair_count;
    struct cell *front; /* what the terminal shows, rows * columns */
    int columns, rows;
    cchar_t *line; /* room for one row */
};

/* ---- colours ----------------------------------------------------------------------------------
 */

/* The pair of two colours, made when first asked for; the terminal's own when there are too many.
 */
static int color_pair(struct screen *screen, int32_t foreground, int32_t background) {
    if (screen->palette.depth == COLOR_NONE ||
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
        const struct paint paint = palette_paint(&screen->palette, style);

        ink->attributes = curses_attributes(paint.attributes);
        ink->pair = color_pair(screen, paint.foreground, paint.background);
        ink->known = true;
    }
    return ink;
}

/* As much of the wanted depth as the terminal has. A terminal with more than 256 colours takes them
 * as 0xRRGGBB, so that a palette of indices means nothing to it. */
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
    screen->palette.background =
        background == BACKGROUND_UNKNOWN ? palette_background_detect() : background;
    screen->palette.depth = COLOR_NONE;
    if (wanted <= COLOR_NONE || start_color() == ERR)
        return;
    screen->palette.depth = depth_of_terminal(wanted);
    screen->has_default_colors = use_default_colors() == OK;
}

/* ---- opening and closing ----------------------------------------------------------------------
 */

/* What every complaint about a terminal ends with. */
static const char *other_formats(void) {
    return _("To see the steps without a screen: --format text, json, jsonl or csv.");
}

/* Whether a description of this type is installed. */
static bool terminal_is_known(const char *term, int descriptor) {
    int status = 0;

    if (setupterm(term, descriptor, &status) == ERR)
        return false;
    del_curterm(cur_term);
    return true;
}

/* The type, or where its description is not installed the nearest one that is: alacritty, foot and
 * kitty bring theirs along, and a machine reached by ssh lacks them. Says so. */
static const char *described_type(const char *term, int descriptor) {
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "ansi"};

    if (!term || !*term || terminal_is_known(term, descriptor))
        return term;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (terminal_is_known(types[i], descriptor)) {
            fprintf(stderr,
                    _("shflviz: no description of the terminal type '%s' (from TERM) is installed; "
                      "using %s\n"),
                    utf8_name(term), types[i]);
            return types[i];
        }
    return term;
}

/* Whether the terminal type is known and can do what a screen needs. */
static int check_terminal(const char *term, int descriptor, struct error *err) {
    int status = 0;
    const char *move, *clear;
    bool usable;

    if (!term || !*term)
        return error_set(err, ERROR_USAGE,
                         _("the terminal's type is not known: TERM is not set.\n"
                           "Set it to what the terminal is, as in TERM=xterm.\n%s"),
                         other_formats());
    if (setupterm(term, descriptor, &status) == ERR)
        return error_set(err, ERROR_USAGE,
                         _("no description of the terminal type '%s' (from TERM) is installed.\n"
                           "Try TERM=xterm-256color, or install your system's package of further "
                           "terminal descriptions (ncurses-term).\n%s"),
                         term, other_formats());
    move = tigetstr("cup");
    clear = tigetstr("clear");
    usable = move && move != (char *)-1 && clear && clear != (char *)-1;
    del_curterm(cur_term);
    if (!usable)
        return error_set(err, ERROR_USAGE,
                         _("the terminal type '%s' (from TERM) cannot move its cursor, which a "
                           "screen needs.\n"
                           "If the terminal can do more than that, say so: TERM=xterm.\n%s"),
                         term, other_formats());
    return 0;
}

/*
 * True colour needs a description that says how: "xterm-direct" beside "xterm-256color". It is used
 * where it is installed and the person's terminal has been said to have true colour; else the 256
 * colours of the plain description are. Redefining the terminal's palette would be the third way,
 * but it changes what other windows and the scrollback show.
 */
static SCREEN *open_direct(const char *term, FILE *output, FILE *input) {
    static const char indexed[] = "-256color";
    const size_t length = strlen(term), end = sizeof(indexed) - 1;
    struct text direct = TEXT_INIT;
    SCREEN *curses = NULL;

    if (length > end && strcmp(term + length - end, indexed) == 0) {
        text_append_bytes(&direct, term, length - end);
        text_append(&direct, "-direct");
        if (terminal_is_known(direct.data, fileno(output)))
            curses = newterm(direct.data, output, input);
    }
    text_release(&direct);
    return curses;
}

void screen_forget(struct screen *screen) {
    const size_t cells = (size_t)screen->columns * (size_t)screen->rows;

    for (size_t i = 0; i < cells; i++)
        screen->front[i].glyph = GLYPH_UNKNOWN;
}

static void take_size(struct screen *screen) {
    getmaxyx(stdscr, screen->rows, screen->columns);
    screen->front = memory_grow(screen->front, (size_t)screen->columns * (size_t)screen->rows,
                                sizeof(*screen->front));
    screen->line = memory_grow(screen->line, (size_t)screen->columns, sizeof(*screen->line));
    screen_forget(screen);
}

static void open_input(void) {
    cbreak(); /* keys at once, Ctrl-C and Ctrl-Z still signals */
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
    /* A press counts at once, without waiting for a double click. Releases are asked for although
     * they mean nothing: a press whose release comes in the same moment is lost in ncurses' attempt
     * to make a click of the two, unless both are wanted for themselves. */
    mouseinterval(0);
}

int screen_open(struct screen **screen, const char *term, FILE *output, FILE *input,
                const struct screen_options *options, struct error *err) {
    struct screen *opened;
    SCREEN *curses = NULL;

    if (!term)
        term = getenv("TERM");
    term = described_type(term, fileno(output));
    if (check_terminal(term, fileno(output), err))
        return -1;

    opened = memory_zeroed(1, sizeof(*opened));
    opened->input = fileno(input);
    opened->output = fileno(output);
    opened->has_modes = tcgetattr(opened->input, &opened->modes) == 0;
    if (options->depth == COLOR_TRUE)
        curses = open_direct(term, output, input);
    if (!curses)
        curses = newterm(term, output, input);
    if (!curses) {
        free(opened);
        return error_set(err, ERROR_USAGE, _("the terminal '%s' cannot be used.\n%s"), term,
                         other_formats());
    }
    opened->curses = curses;
    open_colors(opened, options->depth, options->background);
    open_input();
    curs_set(0);
    take_size(opened);
    *screen = opened;
    return 0;
}

/* A terminal without a second screen is left blank, not with a prompt in the midst of a picture. */
static void leave_screen(void) {
    const char *leave = tigetstr("rmcup");

    if (!leave || leave == (char *)-1) {
        werase(stdscr);
        wrefresh(stdscr);
    }
    endwin();
}

void screen_close(struct screen *screen) {
    if (!screen)
        return;
    mousemask(0, NULL);
    leave_screen();
    if (screen->has_modes)
        tcsetattr(screen->input, TCSANOW, &screen->modes);
    delscreen(screen->curses);
    free(screen->pairs);
    free(screen->front);
    free(screen->line);
    free(screen);
}

enum color_depth screen_depth(const struct screen *screen) {
    return screen->palette.depth;
}

void screen_resize(struct screen *screen, int columns, int rows) {
    resize_term(rows, columns); /* not resizeterm(), which would put a KEY_RESIZE before the keys */
    take_size(screen);
    clearok(curscr, TRUE);
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

static bool cell_equal(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && memcmp(a->marks, b->marks, sizeof a->marks) == 0 &&
           a->style.role == b->style.role && a->style.group == b->style.group &&
           a->style.flags == b->style.flags;
}

/* What reaches a cell by mistake must not reach the terminal, where it could do anything. */
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
    struct cell *front = screen->front + (size_t)y * (size_t)screen->columns;

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
    const int columns = grid->columns < screen->columns ? grid->columns : screen->columns;
    const int rows = grid->rows < screen->rows ? grid->rows : screen->rows;

    for (int y = 0; y < rows; y++)
        draw_row(screen, y, columns, grid->cells + (size_t)y * (size_t)grid->columns);
    wrefresh(stdscr);
}

/* ---- keys -------------------------------------------------------------------------------------
 */

struct key_name {
    int code;
    const char *name;
};

/* ncurses' names for keys, and those of replay/action.h. */
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

static const struct key_name character_names[] = {
    {' ', "Space"}, {'\t', "Tab"},    {'\r', "Enter"},    {'\n', "Enter"},
    {27, "Escape"}, {8, "Backspace"}, {127, "Backspace"},
};

#define KEY_NAME_SIZE 12

static const char *find_name(const struct key_name *names, size_t count, int code) {
    for (size_t i = 0; i < count; i++)
        if (names[i].code == code)
            return names[i].name;
    return NULL;
}

/* The name of a key of the keyboard's special ones, or NULL. */
static const char *function_key_name(int code) {
    return find_name(key_names, sizeof(key_names) / sizeof(key_names[0]), code);
}

/* A character beyond ASCII is its own name, in UTF-8 whatever the locale; NULL if none can see it.
 */
static const char *wide_name(wint_t character, char buffer[KEY_NAME_SIZE]) {
    uint32_t code = (uint32_t)character;

    if (utf8_is_hidden(code) || !iswprint(character))
        return NULL;
    buffer[utf8_encode(code, buffer)] = '\0';
    return buffer;
}

/* The name of a character, or NULL if it has none. */
static const char *character_name(wint_t character, char buffer[KEY_NAME_SIZE]) {
    const char *name;

    if (character > 127)
        return wide_name(character, buffer);
    name = find_name(character_names, sizeof(character_names) / sizeof(character_names[0]),
                     (int)character);
    if (name)
        return name;
    if (character >= 1 && character <= 26)
        snprintf(buffer, KEY_NAME_SIZE, "Ctrl-%c", (char)('A' + character - 1));
    else if (character > 32)
        snprintf(buffer, KEY_NAME_SIZE, "%c", (char)character);
    else
        return NULL;
    return buffer;
}

/* ---- the run ----------------------------------------------------------------------------------
 */

/* How far an answer of the terminal's has come in, a character at a time, among the keys. */
enum answer_state {
    ANSWER_NONE,
    ANSWER_ESCAPE,       /* ESC: a key or the beginning of an answer */
    ANSWER_BRACKET,      /* ESC [ */
    ANSWER_COLOR,        /* ESC ] ... */
    ANSWER_COLOR_ESCAPE, /* ... ESC, before the final backslash */
    ANSWER_KIND,         /* ESC [ ? ... c: what kind of terminal it is */
};

struct run {
    struct screen *screen;
    struct screen_program *program; /* NULL: the person has left */
    struct grid grid;
    struct timespec ticked; /* when the program was last told the time */
    bool dirty;             /* something that can be seen has changed */
    bool gone;              /* the terminal is no more */
    bool asked;             /* the terminal was asked for its background and has not said all */
    enum answer_state answer_state;
    char answer[64]; /* of ANSWER_COLOR, as far as it fits */
    size_t answer_length;
    unsigned empty_reads; /* wake-ups for input that brought none, in a row */
};

/* Milliseconds since the program was last told, counted on from there. */
static long elapsed_milliseconds(struct run *run) {
    struct timespec now;
    long milliseconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    milliseconds = (long)(now.tv_sec - run->ticked.tv_sec) * 1000 +
                   (now.tv_nsec - run->ticked.tv_nsec) / 1000000;
    /* What is less than a millisecond is left for the next time. */
    run->ticked.tv_sec += milliseconds / 1000;
    run->ticked.tv_nsec += (milliseconds % 1000) * 1000000;
    if (run->ticked.tv_nsec >= 1000000000) {
        run->ticked.tv_nsec -= 1000000000;
        run->ticked.tv_sec++;
    }
    return milliseconds;
}

static void run_tick(struct run *run) {
    const long elapsed = elapsed_milliseconds(run);

    if (run->program && run->program->tick && run->program->tick(run->program->state, elapsed))
        run->dirty = true;
}

/* A program that is done makes room for the next; false if there is none any more. */
static bool run_on_stage(struct run *run) {
    while (run->program && run->program->done(run->program->state)) {
        run->program = run->program->next ? run->program->next(run->program) : NULL;
        elapsed_milliseconds(run); /* the time that passed was none of the next one's */
        run->dirty = true;
    }
    return run->program != NULL;
}

/* Everything is drawn anew: the terminal may show anything. */
static void run_redraw(struct run *run) {
    clearok(curscr, TRUE);
    screen_forget(run->screen);
    run->dirty = true;
}

static void run_apply(struct run *run, enum action action, long argument) {
    if (run->program->apply(run->program->state, action, argument))
        run->dirty = true;
}

static void run_click(struct run *run, const struct cell *cell) {
    if (cell->hit.action != ACTION_NONE)
        run_apply(run, (enum action)cell->hit.action, (long)cell->hit.argument);
}

/* The wheel moves in time: over what leads to operations by operations, else by phases; over
 * lessons by lessons. */
static void run_wheel(struct run *run, const struct cell *cell, bool forward) {
    const bool by_operation = cell->hit.action == ACTION_OPERATION_GO;
    enum action action;

    if (cell->hit.action == ACTION_LESSON_GO)
        action = forward ? ACTION_LESSON_NEXT : ACTION_LESSON_PREVIOUS;
    else if (by_operation)
        action = forward ? ACTION_OPERATION_NEXT : ACTION_OPERATION_PREVIOUS;
    else
        action = forward ? ACTION_PHASE_NEXT : ACTION_PHASE_PREVIOUS;
    run_apply(run, action, 1);
}

static void run_mouse_event(struct run *run, const MEVENT *event) {
    const struct grid *grid = &run->grid;
    const struct cell *cell;

    if (event->x < 0 || event->y < 0 || event->x >= grid->columns || event->y >= grid->rows)
        return;
    cell = &grid->cells[(size_t)event->y * (size_t)grid->columns + (size_t)event->x];
    if (event->bstate & BUTTON1_PRESSED)
        run_click(run, cell);
    else if (event->bstate & BUTTON4_PRESSED)
        run_wheel(run, cell, false);
#ifdef BUTTON5_PRESSED
    else if (event->bstate & BUTTON5_PRESSED)
        run_wheel(run, cell, true);
#endif
}

/* One KEY_MOUSE may stand for several events, which getmouse() gives out newest first. */
static void run_mouse(struct run *run) {
    MEVENT events[8]; /* as many as ncurses keeps */
    int count = 0;

    while (count < (int)(sizeof(events) / sizeof(events[0])) && getmouse(&events[count]) == OK)
        count++;
    while (count > 0 && run_on_stage(run))
        run_mouse_event(run, &events[--count]);
}

static void run_key(struct run *run, const char *name) {
    if (!name || !run_on_stage(run))
        return;
    if (action_is(ACTION_PLACE_REPLAY, name, ACTION_REDRAW))
        run_redraw(run);
    if (run->program->key(run->program->state, name))
        run->dirty = true;
}

/* Shows a frame if something changed. */
static void run_show(struct run *run) {
    if (!run->dirty)
        return;
    if (run->grid.columns != run->screen->columns || run->grid.rows != run->screen->rows)
        grid_resize(&run->grid, run->screen->columns, run->screen->rows);
    grid_clear(&run->grid);
    run->program->draw(run->program->state, &run->grid);
    screen_draw(run->screen, &run->grid);
    run->dirty = false;
}

/* Whether reading no key from a readable terminal means that it is gone: it says so itself, or it
 * keeps saying that there is something to read and there is not. */
static bool terminal_is_gone(struct run *run) {
    struct termios modes;

    return tcgetattr(run->screen->input, &modes) != 0 || ++run->empty_reads > 100;
}

static void run_character(struct run *run, wint_t character) {
    char buffer[KEY_NAME_SIZE];

    run_key(run, character_name(character, buffer));
}

/* ---- what the terminal's background is --------------------------------------------------------
 */

/*
 * The terminal is asked for its background (OSC 11) and then for its kind (DA1): every terminal
 * answers the second, so that its answer says that none to the first is to come. Nobody waits: the
 * answers come in among the keys, and the colours change when they do. Asked are terminals whose
 * names are those of xterm's relatives; the Linux console and GNU screen would show the question.
 */
static void run_ask_background(struct run *run) {
    static const char *const names[] = {"xterm",   "tmux",  "rxvt",  "alacritty", "foot",
                                        "konsole", "kitty", "st-",   "wezterm",   "contour",
                                        "vte",     "gnome", "iterm", "mintty",    "ghostty"};
    static const char question[] = "\033]11;?\033\\\033[c";
    const char *term = getenv("TERM");

    if (run->screen->palette.background != BACKGROUND_UNKNOWN ||
        run->screen->palette.depth < COLOR_16 || !term)
        return;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(term, names[i], strlen(names[i])) == 0)
            run->asked = true;
    if (run->asked && write(run->screen->output, question, sizeof(question) - 1) < 0)
        run->asked = false;
}

static void run_background(struct run *run) {
    enum palette_background background;

    run->answer[run->answer_length] = '\0';
    background = palette_background_parse(run->answer);
    if (background == BACKGROUND_UNKNOWN)
        return;
    run->screen->palette.background = background;
    memset(run->screen->inks, 0, sizeof(run->screen->inks));
    screen_forget(run->screen);
    run->dirty = true;
}

/* What looked like the beginning of an answer was keys. */
static void run_no_answer(struct run *run) {
    const enum answer_state state = run->answer_state;

    run->answer_state = ANSWER_NONE;
    if (state == ANSWER_ESCAPE || state == ANSWER_BRACKET)
        run_character(run, 27);
    if (state == ANSWER_BRACKET)
        run_character(run, '[');
}

/* No more characters for now: half an answer goes on later, a mere Escape does not wait for it. */
static void run_no_answer_yet(struct run *run) {
    if (run->answer_state == ANSWER_ESCAPE || run->answer_state == ANSWER_BRACKET)
        run_no_answer(run);
}

static void run_answer_color(struct run *run, wint_t character) {
    if (run->answer_length + 1 < sizeof(run->answer) && character < 128)
        run->answer[run->answer_length++] = (char)character;
}

/* True if the character belongs to an answer of the terminal's, and is no key. */
static bool run_answer(struct run *run, wint_t character) {
    if (!run->asked)
        return false;
    switch (run->answer_state) {
    case ANSWER_NONE:
        if (character != 27)
            return false;
        run->answer_state = ANSWER_ESCAPE;
        return true;
    case ANSWER_ESCAPE:
        if (character == ']' || character == '[') {
            run->answer_state = character == ']' ? ANSWER_COLOR : ANSWER_BRACKET;
            run->answer_length = 0;
            return true;
        }
        run_no_answer(run);
        return run_answer(run, character);
    case ANSWER_BRACKET:
        if (character == '?') {
            run->answer_state = ANSWER_KIND;
            return true;
        }
        run_no_answer(run);
        return run_answer(run, character);
    case ANSWER_COLOR:
        if (character == 27)
            run->answer_state = ANSWER_COLOR_ESCAPE;
        else if (character != '\a')
            run_answer_color(run, character);
        if (character != '\a')
            return true;
        /* fall through */
    case ANSWER_COLOR_ESCAPE:
        run_background(run);
        run->answer_state = ANSWER_NONE;
        return true;
    case ANSWER_KIND:
        if (character == 'c') {
            run->answer_state = ANSWER_NONE;
            run->asked = false;
        }
        return true;
    }
    return false;
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

/* All keys that are there. A frame is drawn between them only where a click needs to know what it
 * hits. */
static void run_input(struct run *run) {
    wint_t key;
    int kind;
    bool any = false;

    while (run_on_stage(run) && (kind = get_wch(&key)) != ERR) {
        any = true;
        run_tick(run);
        if (kind == KEY_CODE_YES && key == KEY_MOUSE) {
            run_show(run);
            run_mouse(run);
        } else if (kind == KEY_CODE_YES) {
            run_key(run, function_key_name((int)key));
        } else if (!run_answer(run, key)) {
            run_character(run, key);
        }
    }
    run_no_answer_yet(run);
    if (any)
        run->empty_reads = 0;
    else if (run->program)
        run->gone = terminal_is_gone(run);
}

static void run_resize(struct run *run) {
    struct winsize size;

    if (ioctl(run->screen->output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        screen_resize(run->screen, size.ws_col, size.ws_row);
    run_redraw(run);
}

/* Appends a capability of the terminal without its padding, which is for paper and glass of old. */
static void append_capability(struct text *text, const char *value) {
    if (!value || value == (char *)-1)
        return;
    while (*value) {
        const char *end = strncmp(value, "$<", 2) == 0 ? strchr(value, '>') : NULL;

        if (end)
            value = end + 1;
        else
            text_append_char(text, *value++);
    }
}

/* What a crash writes to leave the terminal as it was. */
static void arm(const struct screen *screen) {
    struct text bytes = TEXT_INIT;
    const char *mouse = tigetstr("XM");
    const char *leave = tigetstr("rmcup");
    const char *mouse_key = tigetstr("kmous");

    if (mouse && mouse != (char *)-1)
        append_capability(&bytes, tiparm(mouse, 0));
    else if (mouse_key && mouse_key != (char *)-1)
        text_append(&bytes, "\033[?1000l");
    append_capability(&bytes, tigetstr("sgr0"));
    append_capability(&bytes, tigetstr("op"));
    append_capability(&bytes, tigetstr("rmkx"));
    append_capability(&bytes, tigetstr("cnorm"));
    if (leave && leave != (char *)-1)
        append_capability(&bytes, leave);
    else
        text_append(&bytes, "\r\n");
    if (screen->has_modes)
        signals_arm(screen->output, bytes.data, bytes.length, &screen->modes);
    text_release(&bytes);
}

/* An answer that comes when the terminal is the shell's would be typed into it: give it a moment.
 */
#define ANSWER_MILLISECONDS 200

static void run_await_answer(struct run *run) {
    long left = ANSWER_MILLISECONDS;
    wint_t key;

    elapsed_milliseconds(run);
    while (run->asked && left > 0 && !run->gone) {
        if (signals_wait(&run->screen->input, 1, left)) {
            const int kind = get_wch(&key);

            if (kind == OK)
                run_answer(run, key);
            else if (kind == ERR)
                run->gone = terminal_is_gone(run);
        }
        left -= elapsed_milliseconds(run);
    }
}

/* Ctrl-Z: the terminal is the shell's until it says otherwise. */
static void run_stop(struct run *run) {
    run_await_answer(run);
    signals_disarm();
    leave_screen();
    if (run->screen->has_modes)
        tcsetattr(run->screen->input, TCSANOW, &run->screen->modes);
    signals_stop();
}

/* Back in the foreground: the shell may have left any modes behind, and any size. */
static void run_continue(struct run *run) {
    reset_prog_mode();
    keypad(stdscr, TRUE); /* ncurses would do it at the first read: one key too late */
    arm(run->screen);
    run_resize(run);
    elapsed_milliseconds(run); /* time did not pass for the program meanwhile */
}

static void run_signals(struct run *run) {
    bool resumed = false;

    if (signals_stop_asked()) {
        run_stop(run);
        resumed = true;
    }
    if (signals_continued())
        resumed = true;
    if (resumed)
        run_continue(run);
    else if (signals_size_changed())
        run_resize(run);
}

/* Waits for keys, for what else the program listens to, and for its time. */
static void run_wait(struct run *run) {
    struct screen_program *program = run->program;
    int descriptors[SIGNALS_DESCRIPTORS] = {run->screen->input};
    size_t count = 1;
    unsigned readable;

    if (program->descriptors)
        count += program->descriptors(program->state, descriptors + 1, SIGNALS_DESCRIPTORS - 1);
    readable = signals_wait(descriptors, count, program->wait ? program->wait(program->state) : -1);
    if (readable & ~1u && program->ready && program->ready(program->state))
        run->dirty = true;
    if (readable & 1u)
        run_input(run);
}

static int run_loop(struct run *run) {
    clock_gettime(CLOCK_MONOTONIC, &run->ticked);
    run->dirty = true;
    while (run_on_stage(run)) {
        run_show(run);
        run_wait(run);
        if (signals_ended())
            return signals_ended();
        if (run->gone)
            return SIGHUP;
        run_signals(run);
        run_tick(run);
    }
    return 0;
}

static int run_on(struct screen_program *program, FILE *input, const struct screen_options *options,
                  struct error *err) {
    struct run run = {.program = program};
    int result;

    signals_take();
    if (screen_open(&run.screen, NULL, stdout, input, options, err)) {
        signals_give_back();
        return -1;
    }
    arm(run.screen);
    grid_init(&run.grid, run.screen->columns, run.screen->rows, options->ascii);
    run_ask_background(&run);
    result = run_loop(&run);
    if (result != SIGHUP)
        run_await_answer(&run);
    grid_release(&run.grid);
    signals_disarm();
    screen_close(run.screen);
    signals_give_back();
    return result ? error_set_signal(err, result) : 0;
}

/* ---- a replay as a program ---------------------------------------------------------------------
 */

static bool replay_program_key(void *state, const char *key) {
    return replay_key(state, key);
}

static bool replay_program_apply(void *state, enum action action, long argument) {
    return replay_apply(state, action, argument);
}

static bool replay_program_tick(void *state, long milliseconds) {
    return replay_tick(state, milliseconds);
}

static long replay_program_wait(const void *state) {
    return replay_wait(state);
}

static void replay_program_draw(const void *state, struct grid *grid) {
    view_draw(grid, state);
}

static bool replay_program_done(const void *state) {
    return ((const struct replay *)state)->quit;
}

struct screen_program screen_replay(struct replay *replay) {
    return (struct screen_program){
        .state = replay,
        .key = replay_program_key,
        .apply = replay_program_apply,
        .tick = replay_program_tick,
        .wait = replay_program_wait,
        .draw = replay_program_draw,
        .done = replay_program_done,
    };
}

/* ---- from the first line to the last -----------------------------------------------------------
 */

int screen_run(struct screen_program *program, const struct screen_options *options,
               struct error *err) {
    FILE *input = stdin;
    int result;

    if (!isatty(STDOUT_FILENO))
        return error_set(err, ERROR_USAGE,
                         _("standard output is not a terminal, which a screen needs.\n"
                           "Leave it on the terminal, or write to a file or a pipe with --format "
                           "text, json, jsonl or csv."));
    if (!isatty(STDIN_FILENO))
        input = fopen("/dev/tty", "r");
    if (!input)
        return error_set_errno(err, ERROR_USAGE, errno,
                               _("no terminal to read keys from: standard input is none, and "
                                 "/dev/tty cannot be opened"));
    result = run_on(program, input, options, err);
    if (input != stdin)
        fclose(input);
    return result;
}
