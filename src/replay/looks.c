#include "replay/keys/handlers.h"
#include "replay/lines.h"
#include "replay/replay.h"
#include "replay/whose.h"

#include "base/message.h"
#include "base/unused.h"
#include "explain/fragments.h"

#include <inttypes.h>

const char *view_kind_name(enum view_kind view) {
    static const char *const names[VIEW_KIND_COUNT] = {
        N_("lanes"),   N_("wires"),  N_("history"),   N_("source"),
        N_("explain"), N_("rounds"), N_("variables"), N_("block")};
    return names[view];
}

bool look_view_go(struct replay *replay, long view) {
    if (view < 0 || view >= VIEW_KIND_COUNT)
        return false;
    const bool lights = whose_light(replay, (enum view_kind)view);
    if (view == (long)replay_view(replay))
        return lights;
    replay->view = (enum view_kind)view;
    replay->view_kept = true;
    replay->scroll = 0;
    return true;
}

bool look_scroll(struct replay *replay, long lines) {
    int was = replay->scroll;
    replay_scroll(replay, (int)lines);
    return replay->scroll != was;
}

static bool has_several_warps(const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    const struct trace_launch *launch = trace_launch(cursor->trace, cursor->warp.launch);
    return launch && trace_block_threads(launch) > WARP_LANES;
}

bool view_is_available(const struct replay *replay, enum view_kind view) {
    /* For a built-in kernel, key 7 works, too, but its tab appears only once it is used: 80 columns
     * have no room for the names of seven tabs beside the block and warp. */
    const bool can =
        replay->can_detail && !trace_has_lines(replay->cursor.trace) && !replay->live.on;
    return view == VIEW_ROUNDS      ? replay->in_rounds
           : view == VIEW_VARIABLES ? can || replay_lines(replay) != NULL
           : view == VIEW_BLOCK ? (can || replay_lines(replay) != NULL) && has_several_warps(replay)
                                : true;
}

static bool step_view(struct replay *replay, int direction) {
    int view = (int)replay_view(replay);
    do
        view = (view + direction + VIEW_KIND_COUNT) % VIEW_KIND_COUNT;
    while (!view_is_available(replay, (enum view_kind)view));
    return look_view_go(replay, view);
}

bool look_view_next(struct replay *replay, long argument UNUSED) {
    return step_view(replay, 1);
}

bool look_view_previous(struct replay *replay, long argument UNUSED) {
    return step_view(replay, -1);
}

bool look_help(struct replay *replay, long argument UNUSED) {
    replay->help = !replay->help;
    replay->help_live = false;
    return true;
}

bool look_cancel(struct replay *replay, long argument UNUSED) {
    const bool open = replay->input.prompt != PROMPT_NONE || replay->live.complaint[0];
    if (replay->help) {
        replay->help = false;
        return true;
    }
    if (!open && whose_close(replay))
        return true;
    if (replay->input.prompt == PROMPT_PREDICT)
        asking_end(&replay->asking, &replay->input);
    replay->live.complaint[0] = '\0'; /* it was about the typed text */
    input_close(&replay->input);
    return open;
}

bool look_quit(struct replay *replay, long argument UNUSED) {
    replay->quit = true;
    return true;
}

bool look_overview(struct replay *replay, long argument UNUSED) {
    replay->overview = REPLAY_OVERVIEW;
    return true;
}

bool look_fragments(struct replay *replay, long argument UNUSED) {
    const struct cursor *cursor = &replay->cursor;
    const uint64_t cut = fragments_cut(cursor->trace);
    if (trace_registers(cursor->trace, cursor->step.number))
        replay->overview = REPLAY_FRAGMENTS;
    else if (cut && cursor->step.operation.op == WARP_OP_SYNC)
        replay_set_message(
            replay, _("no registers here: the recording was full; %" PRIu64 " steps lack them"),
            cut);
    else
        replay_set_message(replay, "%s",
                           _("no registers are recorded here: only mma.sync, ldmatrix, stmatrix, "
                             "movmatrix and wmma have them"));
    return true;
}

bool look_output(struct replay *replay, long argument UNUSED) {
    if (trace_output_count(replay->cursor.trace) == 0)
        replay_set_message(replay, "%s", _("the program printed nothing"));
    else
        replay->overview = REPLAY_OVERVIEW_OUTPUT;
    return true;
}
