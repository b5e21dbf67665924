#include "replay/state.h"
#include "replay/pages/rounds.h"

#include "base/text/utf8.h"

#include <stdarg.h>

void replay_set_message(struct replay *replay, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    utf8_vformat(replay->message, sizeof replay->message, format, arguments);
    va_end(arguments);
}

enum view_kind replay_view(const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    const bool is_free = replay->view == VIEW_LANES && !replay->view_kept;
    if (is_free && cursor_lines(cursor))
        return VIEW_VARIABLES;
    if (!is_free || !cursor->has_step)
        return replay->view;
    if (warp_op_is_access(cursor->step.operation.op))
        return VIEW_WIRES;
    return replay->all_rounds && replay->in_rounds ? VIEW_ROUNDS : replay->view;
}

bool replay_go(struct replay *replay, const struct trace_warp *warp, uint64_t position) {
    struct error err = ERROR_INIT;
    bool ended = asking_end(&replay->asking, &replay->input);
    replay->search = (struct replay_search){0};
    bool moved = cursor_go(&replay->cursor, warp, position, &err);
    replay->in_rounds = rounds_at_cursor(&replay->cursor);
    if (!replay->cursor.has_step)
        replay_set_message(replay, "%s", err.text);
    return ended || moved;
}
