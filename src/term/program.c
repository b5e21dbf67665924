/* What all screen programs have in common, and the simplest of them. */
#include "term/screen.h"
#include "view/view.h"

enum action screen_wheel(struct hit hit, bool forward) {
    if (hit.action == ACTION_LESSON_GO)
        return forward ? ACTION_LESSON_NEXT : ACTION_LESSON_PREVIOUS;
    if (hit.action == ACTION_OPERATION_GO)
        return forward ? ACTION_OPERATION_NEXT : ACTION_OPERATION_PREVIOUS;
    return forward ? ACTION_PHASE_NEXT : ACTION_PHASE_PREVIOUS;
}

bool screen_key(const struct screen_program *program, struct press press) {
    return program->key ? program->key(program->state, press)
                        : program->apply(program->state, press.info->action, press.info->argument);
}

/* ---- a replay as a program ---- */

static struct press replay_program_press(const void *state, const char *key) {
    return replay_press(state, key);
}

static bool replay_program_key(void *state, struct press press) {
    return replay_key(state, press);
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
        .press = replay_program_press,
        .key = replay_program_key,
        .apply = replay_program_apply,
        .tick = replay_program_tick,
        .wait = replay_program_wait,
        .draw = replay_program_draw,
        .done = replay_program_done,
    };
}
