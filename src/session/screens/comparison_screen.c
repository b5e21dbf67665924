#include "session/screens/comparison_screen.h"

#include "base/unused.h"
#include "view/view.h"

static struct press screen_press(const void *state, const char *key) {
    return comparison_press(state, key);
}

static bool screen_apply(void *state, enum action action, long argument UNUSED) {
    /* The wheel sends phase actions; here they move between differences. */
    if (action == ACTION_PHASE_NEXT)
        action = ACTION_OPERATION_NEXT;
    if (action == ACTION_PHASE_PREVIOUS)
        action = ACTION_OPERATION_PREVIOUS;
    return comparison_apply(state, action);
}

static void screen_show(const void *state, struct grid *grid) {
    view_draw_comparison(grid, state);
}

static bool screen_done(const void *state) {
    return ((const struct comparison *)state)->quit;
}

int comparison_screen(struct comparison *comparison, const struct screen_options *options,
                      struct error *err) {
    struct screen_program program = {.state = comparison,
                                     .press = screen_press,
                                     .apply = screen_apply,
                                     .draw = screen_show,
                                     .done = screen_done};
    return screen_run(&program, options, err);
}
