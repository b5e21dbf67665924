#include "session/screens/fragment_screen.h"

#include "view/view.h"

static struct press screen_press(const void *state, const char *key) {
    return fragment_page_press(state, key);
}

static bool screen_apply(void *state, enum action action, long argument) {
    return fragment_page_apply(state, action, argument);
}

static void screen_show(const void *state, struct grid *grid) {
    view_draw_fragments(grid, state);
}

static bool screen_done(const void *state) {
    return ((const struct fragment_page *)state)->left;
}

int fragment_screen_run(struct fragment_page *page, const struct screen_options *options,
                        struct error *err) {
    struct screen_program program = {.state = page,
                                     .press = screen_press,
                                     .apply = screen_apply,
                                     .draw = screen_show,
                                     .done = screen_done};
    return screen_run(&program, options, err);
}
