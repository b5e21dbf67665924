#include "replay/keys/asking.h"

unsigned asking_hides(const struct replay_asking *asking, const struct cursor *cursor) {
    const unsigned result = REPLAY_HIDES_OUT | REPLAY_HIDES_LATER;
    if (asking->state != PREDICTION_ASKED)
        return 0;
    switch (asking->question.kind) {
    case QUESTION_NONE:
        return 0;
    case QUESTION_VALUE:
        if (cursor->has_step && cursor->step.operation.op == WARP_OP_WATCH)
            return result | REPLAY_HIDES_IN;
        return result;
    case QUESTION_CHANGED:
        return result;
    case QUESTION_CALL:
    case QUESTION_BLANK:
    case QUESTION_WHICH:
        /* The question's picture consists of inputs and outputs, or, for a longer piece of code, of
         * inputs only. */
        return REPLAY_HIDES_READS | REPLAY_HIDES_CALL | REPLAY_HIDES_LATER |
               (asking->question.aim.goal == SNIPPET_PICTURE ? 0u : REPLAY_HIDES_OUT);
    case QUESTION_LINE:
        return result | REPLAY_HIDES_READS | REPLAY_HIDES_CALL;
    case QUESTION_ABSENT:
        return result | REPLAY_HIDES_IN | REPLAY_HIDES_READS | REPLAY_HIDES_ABSENT;
    default:
        return result | REPLAY_HIDES_READS;
    }
}

bool asking_end(struct replay_asking *asking, struct input *input) {
    bool was = asking->state != PREDICTION_NONE;
    if (input->prompt == PROMPT_PREDICT)
        input_close(input);
    asking->state = PREDICTION_NONE;
    asking->question = (struct question){.kind = QUESTION_NONE};
    asking->fixed = false;
    asking->marks = asking->right = asking->either = 0;
    return was;
}
