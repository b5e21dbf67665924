#include "session/details.h"

#include "base/message.h"
#include "launch/kernel_details.h"
#include "replay/details.h"
#include "term/screen.h"

static bool is_same_run(const struct trace *a, const struct trace *b) {
    return trace_step_count(a) == trace_step_count(b) &&
           trace_launch_count(a) == trace_launch_count(b);
}

/* Keeps the current view: a recording with lines would begin with another one. */
static void show(struct replay *replay, const struct trace *trace) {
    const bool same = is_same_run(replay->cursor.trace, trace);
    replay_set_view(replay, replay_view(replay));
    replay_show(replay, trace);
    if (!same)
        replay_set_message(
            replay, "%s",
            _("the second run was not the same: input, timing or random numbers differed"));
}

/* True if the user has ended the run: there is no recording then. */
static bool record(const struct details_source *source, struct trace **made, struct error *err) {
    launch_set_cancel_poll(screen_poll_cancel);
    source->record(source->context, made, err);
    const bool late = screen_poll_cancel(); /* a Ctrl-C noticed by the last wait */
    const bool ended = launch_set_cancel_poll(NULL) || late;
    if (!ended)
        return false;
    trace_close(*made);
    *made = NULL;
    error_set(err, ERROR_RUN, _("the second run was ended: none of it is shown"));
    return true;
}

bool details_tick(struct details *details, struct replay *replay,
                  const struct details_source *source, struct trace **made) {
    struct error err = ERROR_INIT;
    *made = NULL;
    if (!replay_wants_details(replay)) {
        details->is_said = false;
        return false;
    }
    if (!details->is_said) {
        details->is_said = true;
        return true;
    }
    details->is_said = false;
    const bool ended = record(source, made, &err);
    if (*made && trace_step_count(*made) > 0) {
        replay_allow_details(replay, false);
        show(replay, *made);
        return true;
    }
    trace_close(*made);
    *made = NULL;
    replay_give_up_details(replay, err.text);
    replay_allow_details(replay, ended); /* the user may ask again */
    return true;
}

long details_wait(const struct replay *replay) {
    return replay_wants_details(replay) ? 0 : -1;
}
