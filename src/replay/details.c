#include "replay/details.h"

#include "replay/lines.h"
#include "replay/replay.h"
#include "replay/whose.h"
#include "trace/lines/origins.h"

void replay_allow_details(struct replay *replay, bool can) {
    replay->can_detail = can;
}

bool replay_wants_details(const struct replay *replay) {
    const struct trace *trace = replay->cursor.trace;
    if (!replay->can_detail || replay->input.count.doubtful) /* 7n does not mean view 7 */
        return false;
    if (replay_view(replay) == VIEW_VARIABLES && !trace_has_lines(trace))
        return true;
    return (whose_is_asked(replay) || replay_view(replay) == VIEW_BLOCK) &&
           !trace_origins_of(trace) && !trace_note(trace, TRACE_NOTE_ORIGINS_CUT);
}

void replay_give_up_details(struct replay *replay, const char *why) {
    replay->can_detail = false;
    whose_close(replay);
    if (replay_view(replay) == VIEW_VARIABLES && !replay_lines(replay))
        replay_set_view(replay, VIEW_LANES);
    replay_complain(replay, why);
}
