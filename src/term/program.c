/* The part common to all screen programs. */
#include "term/screen.h"

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
