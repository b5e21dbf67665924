/* A program that consists of a screen: it shows a sample recording until the user leaves. If a
 * signal ends the screen, the program dies of that signal. test_terminal.c drives it.
 *
 * With DEMO_FIFO set to a fifo's name a second screen follows the first: it shows the last line
 * that arrived through the fifo, and returns to the first with the key "b". */
#include "sample_trace.h"
#include "term/screen.h"
#include "view/view.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the first screen --------------------------------------------------------------------------
 */

static struct press first_press(const void *state, const char *key) {
    return replay_press(state, key);
}

static bool first_key(void *state, struct press press) {
    return replay_key(state, press);
}

static bool first_apply(void *state, enum action action, long argument) {
    return replay_apply(state, action, argument);
}

static bool first_tick(void *state, long milliseconds) {
    return replay_tick(state, milliseconds);
}

static long first_wait(const void *state) {
    return replay_wait(state);
}

static void first_draw(const void *state, struct grid *grid) {
    view_draw(grid, state);
}

static bool first_done(const void *state) {
    return ((const struct replay *)state)->quit;
}

static struct screen_program replay_program(struct replay *replay) {
    return (struct screen_program){
        .state = replay,
        .press = first_press,
        .key = first_key,
        .apply = first_apply,
        .tick = first_tick,
        .wait = first_wait,
        .draw = first_draw,
        .done = first_done,
    };
}

/* ---- the second screen -------------------------------------------------------------------------
 */

struct second {
    struct screen_program program, *first;
    struct replay *replay;
    int fifo; /* -1 once it has no writers */
    char line[64];
    bool back, done;
};

/* Uses up the stack, whatever its size. */
static int overflow(volatile char *before) {
    volatile char here[1024];

    here[0] = *before;
    return before ? overflow(here) + here[0] : 0;
}

static struct press second_press(const void *state, const char *key) {
    (void)state;
    return (struct press){key, &action_nothing, false};
}

static bool second_key(void *state, struct press press) {
    struct second *second = state;
    const char *key = press.key;

    if (strcmp(key, "o") == 0)
        overflow(second->line);
    second->back = strcmp(key, "b") == 0;
    second->done = second->back || strcmp(key, "q") == 0;
    return second->done;
}

static bool second_apply(void *state, enum action action, long argument) {
    (void)state, (void)action, (void)argument;
    return false;
}

static void second_draw(const void *state, struct grid *grid) {
    const struct second *second = state;

    area_format(grid_area(grid), 1, 1, (struct style){STYLE_PLAIN, 0, 0}, "second: %s",
                second->line);
}

static bool second_done(const void *state) {
    return ((const struct second *)state)->done;
}

static struct screen_program *second_next(struct screen_program *self) {
    struct second *second = self->state;

    second->replay->quit = second->done = false;
    return second->back ? second->first : NULL;
}

static size_t second_descriptors(const void *state, int *descriptors, size_t most) {
    const struct second *second = state;

    if (second->fifo < 0 || most < 1)
        return 0;
    descriptors[0] = second->fifo;
    return 1;
}

static bool second_ready(void *state) {
    struct second *second = state;
    const ssize_t count = read(second->fifo, second->line, sizeof(second->line) - 1);

    if (count <= 0) {
        close(second->fifo);
        second->fifo = -1;
        snprintf(second->line, sizeof(second->line), "nobody writes");
    } else {
        second->line[count] = '\0';
        second->line[strcspn(second->line, "\n")] = '\0';
    }
    return true;
}

static struct second *the_second; /* first_next() has no parameter for it */

static struct screen_program *first_next(struct screen_program *self) {
    (void)self;
    return &the_second->program;
}

static void follow(struct second *second, struct screen_program *first, struct replay *replay,
                   const char *fifo) {
    *second = (struct second){.first = first, .replay = replay, .line = "nothing yet"};
    second->fifo = open(fifo, O_RDONLY | O_NONBLOCK);
    second->program = (struct screen_program){.state = second,
                                              .press = second_press,
                                              .key = second_key,
                                              .apply = second_apply,
                                              .draw = second_draw,
                                              .done = second_done,
                                              .next = second_next,
                                              .descriptors = second_descriptors,
                                              .ready = second_ready};
    the_second = second;
    first->next = first_next;
}

static int show(const struct trace *trace, struct error *err) {
    const char *fifo = getenv("DEMO_FIFO");
    struct replay replay;
    struct screen_program program;
    struct second second;
    const struct screen_options options = {.depth = color_depth_detect(),
                                           .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0};

    if (replay_init(&replay, trace, err))
        return -1;
    replay_set_view(&replay, VIEW_LANES); /* the tests search for this view */
    program = replay_program(&replay);
    if (fifo)
        follow(&second, &program, &replay, fifo);
    return screen_run(&program, &options, err);
}

int main(void) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    int result = -1;

    setlocale(LC_ALL, "");
    trace = sample_trace_make(&err);
    if (trace)
        result = show(trace, &err);
    trace_close(trace);
    if (result == 0)
        return 0;
    if (err.kind == ERROR_SIGNAL) {
        raise(err.signal);
        return ERROR_SIGNAL + err.signal; /* only if the signal is ignored */
    }
    fprintf(stderr, "term_demo: %s\n", err.text);
    return (int)err.kind;
}
