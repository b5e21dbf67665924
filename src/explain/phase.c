#include "explain/phase.h"

#include "base/message.h"

static const char *const phase_names[PHASE_COUNT] = {N_("before"), N_("address"), N_("range"),
                                                     N_("move"), N_("after")};

static const char *const captions[PHASE_COUNT] = {
    N_("each lane has a value"), N_("which lane each lane wants"), N_("is that lane in the group?"),
    N_("the values are copied"), N_("each lane has its result")};

const char *phase_name(enum phase phase) {
    return phase_names[phase];
}

const char *phase_caption(enum phase phase) {
    return _(captions[phase]);
}

bool phase_applies(enum warp_op op, enum phase phase) {
    const struct warp_op_info *info = warp_op_info(op);
    if (phase == PHASE_BEFORE || (info && info->is_shuffle))
        return true;
    switch (op) {
    case WARP_OP_WATCH:
        return false;
    case WARP_OP_SYNC:
    case WARP_OP_ACTIVEMASK:
        return phase == PHASE_AFTER;
    case WARP_OP_SHARED_READ:
    case WARP_OP_SHARED_WRITE:
    case WARP_OP_SHARED_ATOMIC:
    case WARP_OP_GLOBAL_READ:
    case WARP_OP_GLOBAL_WRITE:
    case WARP_OP_GLOBAL_ATOMIC:
        return phase == PHASE_ADDRESS || phase == PHASE_AFTER;
    default:
        return phase == PHASE_MOVE || phase == PHASE_AFTER;
    }
}
