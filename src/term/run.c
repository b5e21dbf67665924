/* The loop of a screen: waits for keys, signals and time, and shows the changes they cause. */
#include "base/clock.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "term/paste.h"
#include "term/query.h"
#include "term/signals.h"
#include "term/surface.h"
#include "view/view.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wctype.h>

/* ---- the names of characters ---- */

#define KEY_NAME_SIZE 12

static const struct {
    uint32_t character;
    const char *name;
} character_names[] = {
    {' ', "Space"}, {'\t', "Tab"},    {'\r', "Enter"},    {'\n', "Enter"},
    {27, "Escape"}, {8, "Backspace"}, {127, "Backspace"},
};

/* The name of a character, or NULL if it has none. A printable one beyond ASCII is its own name,
 * in UTF-8 whatever the locale. */
static const char *character_name(uint32_t character, char buffer[KEY_NAME_SIZE]) {
    for (size_t i = 0; i < sizeof(character_names) / sizeof(character_names[0]); i++)
        if (character_names[i].character == character)
            return character_names[i].name;
    if (character >= 1 && character <= 26)
        snprintf(buffer, KEY_NAME_SIZE, "Ctrl-%c", (char)('A' + character - 1));
    else if (!utf8_is_hidden(character) && (character < 128 || iswprint((wint_t)character)))
        buffer[utf8_encode(character, buffer)] = '\0';
    else
        return NULL;
    return buffer;
}

/* ---- the run ---- */

struct run {
    struct screen *screen;
    const struct surface *surface;  /* of the screen */
    struct screen_program *program; /* NULL if the user has left */
    struct grid grid;
    int64_t ticked; /* when the elapsed time was last taken */
    bool dirty;     /* something visible has changed */
    bool gone;      /* the terminal has gone */
    bool goes_back; /* of the options */
    struct query query;
    struct paste paste;
    struct text pasted;   /* for a program that takes whole texts */
    unsigned empty_reads; /* consecutive wake-ups for input that brought none */
};

/* Milliseconds since the last call; starts counting again. */
static long elapsed_milliseconds(struct run *run) {
    const int64_t before = run->ticked;
    run->ticked = clock_milliseconds();
    return (long)(run->ticked - before);
}

/* Called when pasted text has ended. */
static void run_deliver_paste(struct run *run) {
    if (!run->pasted.length)
        return;
    if (run->program && run->program->paste &&
        run->program->paste(run->program->state, run->pasted.data))
        run->dirty = true;
    text_clear(&run->pasted);
}

static void run_tick(struct run *run) {
    const long elapsed = elapsed_milliseconds(run);

    paste_tick(&run->paste, elapsed);
    if (!run->paste.open)
        run_deliver_paste(run);
    if (run->program && run->program->tick && run->program->tick(run->program->state, elapsed))
        run->dirty = true;
}

/* Replaces a finished program with the next one; false after the last. */
static bool run_next_program(struct run *run) {
    while (run->program && run->program->done(run->program->state)) {
        run->program = run->program->next ? run->program->next(run->program) : NULL;
        elapsed_milliseconds(run); /* the next program does not inherit that time */
        run->dirty = true;
    }
    return run->program != NULL;
}

/* Redraws everything, because the terminal may show anything. */
static void run_redraw(struct run *run) {
    screen_redraw(run->screen);
    run->dirty = true;
}

/* Shows a frame if something changed. */
static void run_show(struct run *run) {
    if (progress_line_was_drawn())
        run_redraw(run);
    if (!run->dirty)
        return;
    if (run->grid.columns != run->surface->columns || run->grid.rows != run->surface->rows)
        grid_resize(&run->grid, run->surface->columns, run->surface->rows);
    grid_clear(&run->grid);
    run->program->draw(run->program->state, &run->grid);
    signals_allow(true);
    screen_draw(run->screen, &run->grid);
    signals_allow(false);
    run->dirty = false;
}

static void run_apply(struct run *run, enum action action, long argument) {
    if (run->program->apply(run->program->state, action, argument))
        run->dirty = true;
}

static void run_click(struct run *run, const struct cell *cell) {
    if (cell->hit.action != ACTION_NONE)
        run_apply(run, (enum action)cell->hit.action, (long)cell->hit.argument);
}

/* A click refers to what the user sees, so a pending frame is drawn first. */
static void run_mouse(struct run *run, const struct screen_input *input) {
    const struct grid *grid = &run->grid;
    const struct cell *cell;

    run_show(run);
    if (input->x < 0 || input->y < 0 || input->x >= grid->columns || input->y >= grid->rows)
        return;
    cell = &grid->cells[(size_t)input->y * (size_t)grid->columns + (size_t)input->x];
    if (input->kind == INPUT_CLICK)
        run_click(run, cell);
    else
        run_apply(run, screen_wheel(cell->hit, input->kind == INPUT_WHEEL_DOWN), 1);
}

/* OSC 52: the terminal's clipboard, in base64; terminals that do not know it show nothing. */
static void run_copy(struct run *run) {
    const char *line =
        run->program && run->program->copy ? run->program->copy(run->program->state) : NULL;
    if (!line)
        return;
    struct text bytes = TEXT_INIT;
    text_append(&bytes, "\033]52;c;");
    text_append_base64(&bytes, line, strlen(line));
    text_append(&bytes, "\a");
    screen_write(run->screen, bytes.data); /* it is printed on leaving, too */
    text_release(&bytes);
}

/* Passes a key to the program. A pasted key only types; false if it cannot. */
static bool run_key(struct run *run, const char *name, bool pasted) {
    if (!name || !run_next_program(run))
        return false;
    const struct press press = run->program->press(run->program->state, name);
    if (pasted && !press.types)
        return false;
    if (press.info->action == ACTION_REDRAW)
        run_redraw(run);
    if (screen_key(run->program, press))
        run->dirty = true;
    else if (press.info->action == ACTION_CANCEL && (run->goes_back || run->program->goes_back))
        run_apply(run, ACTION_QUIT, 0);
    run_copy(run);
    return true;
}

/* Gathers pasted text for a program that takes it as a whole; otherwise types it into an open
 * prompt, or rings the bell if there is none. */
static void run_pasted(struct run *run, uint32_t character) {
    if (run->program && run->program->paste) {
        paste_gather(&run->paste, character, &run->pasted);
        if (!run->paste.open)
            run_deliver_paste(run);
        return;
    }
    uint32_t characters[PASTE_KEYS];
    const size_t count = paste_take(&run->paste, character, characters);
    char buffer[KEY_NAME_SIZE];

    for (size_t i = 0; i < count; i++)
        if (run_key(run, character_name(characters[i], buffer), true))
            run->paste.taken = true;
    if (!run->paste.open && run->paste.text && !run->paste.taken)
        screen_write(run->screen, "\a");
}

static void run_character(struct run *run, uint32_t character) {
    char buffer[KEY_NAME_SIZE];

    if (run->paste.open)
        run_pasted(run, character);
    else
        run_key(run, character_name(character, buffer), false);
}

/* ---- the terminal's background ---- */

static void run_ask_background(struct run *run) {
    const struct palette *palette = &run->surface->palette;

    if (palette->background == BACKGROUND_UNKNOWN && palette->depth >= COLOR_8)
        query_ask(&run->query, getenv("TERM"), run->surface->output);
}

static void run_set_background(struct run *run) {
    const enum palette_background background = run->query.background;

    if (background == BACKGROUND_UNKNOWN || background == run->surface->palette.background)
        return;
    screen_set_background(run->screen, background);
    run->dirty = true;
}

/* Characters that are not part of a terminal's answer are keys. */
static void run_characters(struct run *run, const uint32_t *characters, size_t count) {
    for (size_t i = 0; i < count; i++)
        run_character(run, characters[i]);
    run_set_background(run);
}

/* ---- the loop ---- */

static void run_input_one(struct run *run, const struct screen_input *input) {
    uint32_t characters[QUERY_KEYS];

    run_tick(run);
    if (input->kind == INPUT_CHARACTER)
        run_characters(run, characters, query_take(&run->query, input->character, characters));
    else if (input->kind == INPUT_PASTE)
        paste_begin(&run->paste);
    else if (input->kind == INPUT_KEY && !run->paste.open)
        run_key(run, input->key, false);
    else if (input->kind != INPUT_OTHER && input->kind != INPUT_KEY && !run->paste.open)
        run_mouse(run, input);
}

/* The terminal was readable. If there was no input, it may be gone: then either its modes cannot be
 * read, or it stays readable without input. */
static void run_note_input(struct run *run, bool any) {
    if (any)
        run->empty_reads = 0;
    else
        run->gone = screen_is_gone(run->screen) || ++run->empty_reads > 100;
}

/* Handles all input that has arrived. */
static void run_input(struct run *run) {
    struct screen_input input;
    uint32_t characters[QUERY_KEYS];
    bool any = false;

    while (run_next_program(run) && screen_read(run->screen, &input)) {
        any = true;
        run_input_one(run, &input);
    }
    run_characters(run, characters, query_pause(&run->query, characters));
    if (any || run->program)
        run_note_input(run, any);
}

static void run_resize(struct run *run) {
    screen_measure(run->screen);
    run_redraw(run);
}

/* Waits a moment for an answer, which would be typed into the shell if it arrived after the
 * terminal had been restored. */
#define ANSWER_MILLISECONDS 200

static void run_await_answer(struct run *run) {
    const int descriptor = run->surface->input;
    uint32_t characters[QUERY_KEYS];
    long left = ANSWER_MILLISECONDS;
    struct screen_input input;

    elapsed_milliseconds(run);
    while (run->query.asked && left > 0 && !run->gone) {
        if (signals_wait(&descriptor, 1, left)) {
            if (!screen_read(run->screen, &input))
                run->gone = screen_is_gone(run->screen) || ++run->empty_reads > 100;
            else if (input.kind == INPUT_CHARACTER)
                query_take(&run->query, input.character, characters); /* keys come too late */
        }
        left -= elapsed_milliseconds(run);
    }
}

/* After Ctrl-Z the terminal is the shell's until the process is continued. */
static void run_stop(struct run *run) {
    run_await_answer(run);
    screen_suspend(run->screen);
    signals_stop();
}

/* Called when back in the foreground: modes and size may have changed meanwhile. */
static void run_continue(struct run *run) {
    screen_resume(run->screen);
    run_resize(run);
    elapsed_milliseconds(run); /* no time passed for the program meanwhile */
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

/* Waits for keys, for the program's descriptors, and for its next tick. */
static void run_wait(struct run *run) {
    struct screen_program *program = run->program;
    int descriptors[SIGNALS_DESCRIPTORS] = {run->surface->input};
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

/* True if the program handles a Ctrl-C itself. */
static bool run_interrupt(struct run *run) {
    const struct screen_program *program = run->program;

    if (signals_ended() != SIGINT || !program || !program->interrupt ||
        !program->interrupt(program->state))
        return false;
    signals_forget_ended();
    run->dirty = true;
    return true;
}

static int run_loop(struct run *run) {
    run->ticked = clock_milliseconds();
    run->dirty = true;
    while (run_next_program(run)) {
        run_show(run);
        if (!signals_ended()) /* one may have arrived while the frame was written */
            run_wait(run);
        if (signals_ended() && !run_interrupt(run))
            return signals_ended();
        if (run->gone)
            return SIGHUP;
        run_signals(run);
        run_tick(run);
    }
    return 0;
}

/* ---- while the program waits for a child ---- */

static struct run *current; /* the run that has the terminal; NULL if none does */

static bool ends_wait(const uint32_t *characters, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (characters[i] == 27 || characters[i] == 'q')
            return true;
    return false;
}

/* True if the input is a key that ends the wait. */
static bool run_ends_wait(struct run *run, const struct screen_input *input) {
    uint32_t characters[QUERY_KEYS > PASTE_KEYS ? QUERY_KEYS : PASTE_KEYS];
    size_t count = 0;
    if (input->kind == INPUT_PASTE)
        paste_begin(&run->paste);
    else if (input->kind == INPUT_CHARACTER && run->paste.open)
        paste_take(&run->paste, input->character, characters);
    else if (input->kind == INPUT_CHARACTER)
        count = query_take(&run->query, input->character, characters);
    if (ends_wait(characters, count))
        return true;
    if (count > 0 || input->kind == INPUT_KEY)
        screen_write(run->screen, "\a");
    return false;
}

static bool run_input_ends_wait(struct run *run) {
    struct screen_input input;
    uint32_t characters[QUERY_KEYS];
    bool ends = false, any = false;
    while (!ends && screen_read(run->screen, &input)) {
        any = true;
        ends = run_ends_wait(run, &input);
    }
    run_note_input(run, any);
    return ends_wait(characters, query_pause(&run->query, characters)) || ends;
}

bool screen_poll_cancel(void) {
    struct run *run = current;
    if (!run)
        return false;
    bool ends = signals_wait(&run->surface->input, 1, 0) && run_input_ends_wait(run);
    if (signals_ended() == SIGINT) {
        signals_forget_ended();
        ends = true;
    }
    run_signals(run);
    if (run->dirty) {
        progress_line_hold();
        run_show(run);
        progress_line_printed(NULL, 0);
    }
    return ends || signals_ended() || run->gone;
}

static int run_program(struct screen_program *program, FILE *input,
                       const struct screen_options *options, struct error *err) {
    struct run run = {.program = program, .pasted = TEXT_INIT, .goes_back = options->goes_back};
    int result;

    signals_take();
    if (screen_open(&run.screen, NULL, stdout, input, options, err)) {
        signals_restore();
        return -1;
    }
    run.surface = screen_surface(run.screen);
    grid_init(&run.grid, run.surface->columns, run.surface->rows, options->ascii);
    run_ask_background(&run);
    current = &run;
    result = run_loop(&run);
    current = NULL;
    if (result != SIGHUP)
        run_await_answer(&run);
    grid_release(&run.grid);
    text_release(&run.pasted);
    if (run.program && run.program->leave)
        run.program->leave(run.program->state);
    signals_allow(true);
    screen_close(run.screen);
    signals_allow(false);
    if (result == 0)
        result = signals_ended();
    signals_restore();
    return result ? error_set_signal(err, result) : 0;
}

/* ---- from the first line to the last ---- */

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
        return error_set_errno(
            err, ERROR_USAGE, errno,
            _("no terminal to read keys from: standard input is not a terminal, and "
              "/dev/tty cannot be opened"));
    progress_line_on_screen(true);
    result = run_program(program, input, options, err);
    progress_line_on_screen(false);
    if (input != stdin)
        fclose(input);
    return result;
}
