/*
 * The operations are rows of a table, and their results are computed lane by lane, straight from
 * the documents: clarity matters here, and speed does not (trace/compact/prediction.c is the fast
 * version).
 */
#include "warp/warp.h"

#include <stdio.h>
#include <string.h>

static const struct warp_op_info ops[WARP_OP_COUNT] = {
    /* name, intrinsic, argument, is_shuffle */
    [WARP_OP_IDX] = {"idx", "__shfl_sync", "srcLane", true},
    [WARP_OP_UP] = {"up", "__shfl_up_sync", "delta", true},
    [WARP_OP_DOWN] = {"down", "__shfl_down_sync", "delta", true},
    [WARP_OP_XOR] = {"xor", "__shfl_xor_sync", "laneMask", true},
    [WARP_OP_BALLOT] = {"ballot", "__ballot_sync", NULL, false},
    [WARP_OP_ANY] = {"any", "__any_sync", NULL, false},
    [WARP_OP_ALL] = {"all", "__all_sync", NULL, false},
    [WARP_OP_MATCH_ANY] = {"match_any", "__match_any_sync", NULL, false},
    [WARP_OP_MATCH_ALL] = {"match_all", "__match_all_sync", "pred", false},
    [WARP_OP_REDUCE_ADD] = {"reduce_add", "__reduce_add_sync", NULL, false},
    [WARP_OP_REDUCE_MIN] = {"reduce_min", "__reduce_min_sync", NULL, false},
    [WARP_OP_REDUCE_MAX] = {"reduce_max", "__reduce_max_sync", NULL, false},
    [WARP_OP_REDUCE_AND] = {"reduce_and", "__reduce_and_sync", NULL, false},
    [WARP_OP_REDUCE_OR] = {"reduce_or", "__reduce_or_sync", NULL, false},
    [WARP_OP_REDUCE_XOR] = {"reduce_xor", "__reduce_xor_sync", NULL, false},
    [WARP_OP_SYNC] = {"syncwarp", "__syncwarp", NULL, false},
    [WARP_OP_ACTIVEMASK] = {"activemask", "__activemask", NULL, false},
    [WARP_OP_WATCH] = {"watch", "shflviz_watch", NULL, false},
    [WARP_OP_SHARED_READ] = {"shared_read", "shared memory read", "offset", false},
    [WARP_OP_SHARED_WRITE] = {"shared_write", "shared memory write", "offset", false},
    [WARP_OP_SHARED_ATOMIC] = {"shared_atomic", "shared memory atomic", "offset", false},
    [WARP_OP_GLOBAL_READ] = {"global_read", "global memory read", "offset", false},
    [WARP_OP_GLOBAL_WRITE] = {"global_write", "global memory write", "offset", false},
    [WARP_OP_GLOBAL_ATOMIC] = {"global_atomic", "global memory atomic", "offset", false},
};

bool warp_op_is_shared(enum warp_op op) {
    return op >= WARP_OP_SHARED_READ && op <= WARP_OP_SHARED_ATOMIC;
}

bool warp_op_is_global(enum warp_op op) {
    return op >= WARP_OP_GLOBAL_READ && op <= WARP_OP_GLOBAL_ATOMIC;
}

bool warp_op_is_access(enum warp_op op) {
    return warp_op_is_shared(op) || warp_op_is_global(op);
}

bool warp_op_is_read(enum warp_op op) {
    return op == WARP_OP_SHARED_READ || op == WARP_OP_GLOBAL_READ;
}

const struct warp_op_info *warp_op_info(enum warp_op op) {
    return (unsigned)op < WARP_OP_COUNT ? &ops[op] : NULL;
}

/* ---- the lane arithmetic ---- */

bool warp_width_is_defined(int width) {
    return width >= 1 && width <= WARP_LANES && (width & (width - 1)) == 0;
}

bool warp_agree(const int32_t values[WARP_LANES], uint32_t lanes, int32_t *value) {
    if (lanes == 0)
        return false;
    *value = values[__builtin_ctz(lanes)];
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1 && values[lane] != *value)
            return false;
    return true;
}

uint32_t shuffle_ptx_c(enum warp_op op, int32_t width) {
    uint32_t segment = (32u - (uint32_t)width) << 8;
    return op == WARP_OP_UP ? segment : segment | 0x1f;
}

/*
 * The bits of `lane` that the segment mask keeps, packed. Lanes of one segment share them,
 * and they count the segments from lane 0, for odd widths too.
 */
static int segment_number(int lane, int seg) {
    int number = 0;
    for (int bit = 0, place = 0; bit < 5; bit++)
        if (seg >> bit & 1)
            number |= (lane >> bit & 1) << place++;
    return number;
}

struct shuffle_address shuffle_address(enum warp_op op, int lane, int32_t arg, int32_t width) {
    uint32_t c = shuffle_ptx_c(op, width);
    int cval = (int)(c & 31);
    int seg = (int)(c >> 8 & 31);
    struct shuffle_address address = {
        .group = segment_number(lane, seg),
        .bval = (int)((uint32_t)arg & 31),
        .min_lane = lane & seg,
        .max_lane = (lane & seg) | (cval & ~seg),
    };
    switch (op) {
    case WARP_OP_UP:
        address.target = lane - address.bval;
        break;
    case WARP_OP_DOWN:
        address.target = lane + address.bval;
        break;
    case WARP_OP_XOR:
        address.target = lane ^ address.bval;
        break;
    default:
        address.target = address.min_lane | (address.bval & ~seg);
        break;
    }
    address.in_range =
        op == WARP_OP_UP ? address.target >= address.max_lane : address.target <= address.max_lane;
    address.source = address.in_range ? address.target : lane;
    return address;
}

/* ---- the rules ---- */

const char *lane_status_name(enum lane_status status) {
    static const char *const names[] = {
        [LANE_READ] = "read",
        [LANE_OWN] = "own",
        [LANE_UNDEFINED] = "undefined",
        [LANE_ABSENT] = "absent",
    };
    return names[status];
}

enum warp_type warp_result_type(const struct warp_operation *operation) {
    switch (operation->op) {
    case WARP_OP_BALLOT:
    case WARP_OP_MATCH_ANY:
    case WARP_OP_MATCH_ALL:
    case WARP_OP_ACTIVEMASK:
        return WARP_TYPE_UNSIGNED;
    case WARP_OP_ANY:
    case WARP_OP_ALL:
        return WARP_TYPE_INT;
    case WARP_OP_SYNC:
        return WARP_TYPE_NONE;
    default:
        return operation->type;
    }
}

bool warp_result_is_mask(enum warp_op op) {
    return op == WARP_OP_BALLOT || op == WARP_OP_MATCH_ANY || op == WARP_OP_MATCH_ALL ||
           op == WARP_OP_ACTIVEMASK;
}

/* Operations that take a member mask which the callers must be in. */
static bool op_has_mask(enum warp_op op) {
    return op != WARP_OP_ACTIVEMASK && op != WARP_OP_WATCH && !warp_op_is_access(op);
}

bool warp_op_is_reduce(enum warp_op op) {
    return op >= WARP_OP_REDUCE_ADD && op <= WARP_OP_REDUCE_XOR;
}

/* The reason why an addressed lane gives nothing, or LANE_REASON_NONE. */
static enum lane_reason source_reason(const struct warp_operation *operation, int source) {
    if (!warp_has_lane(operation->members, source))
        return LANE_REASON_SOURCE_NOT_MEMBER;
    if (warp_has_lane(operation->present, source))
        return LANE_REASON_NONE;
    if (!warp_has_lane(operation->launched, source))
        return LANE_REASON_SOURCE_NOT_LAUNCHED;
    if (warp_has_lane(operation->exited, source))
        return LANE_REASON_SOURCE_EXITED;
    return LANE_REASON_SOURCE_NOT_PRESENT;
}

static void shuffle_outcome(const struct warp_operation *operation, int lane,
                            struct lane_outcome *outcome) {
    int32_t width = operation->width[lane];
    struct shuffle_address address =
        shuffle_address(operation->op, lane, operation->arg[lane], width);
    outcome->address = address;
    if (!warp_width_is_defined(width))
        outcome->reason = LANE_REASON_WIDTH;
    else if (!warp_has_lane(operation->members, lane))
        outcome->reason = LANE_REASON_CALLER_NOT_MEMBER;
    else
        outcome->reason = source_reason(operation, address.source);
    if (outcome->reason != LANE_REASON_NONE) {
        outcome->status = LANE_UNDEFINED;
        return;
    }
    outcome->status = address.in_range ? LANE_READ : LANE_OWN;
    outcome->has_value = true;
    outcome->value = warp_value_mask(operation->type, operation->in[address.source]);
}

/* The subset of `lanes` with this value. */
static uint32_t lanes_with_value(const struct warp_operation *operation, uint32_t lanes,
                                 uint64_t value) {
    uint32_t equal = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (warp_has_lane(lanes, lane) &&
            warp_value_mask(operation->type, operation->in[lane]) == value)
            equal |= 1u << lane;
    return equal;
}

/* One step of a reduction of 32-bit integers (or of 64-bit ones, which some devices may add). */
static uint64_t reduce_two(const struct warp_operation *operation, uint64_t a, uint64_t b) {
    const struct warp_type_info *info = warp_type_info(operation->type);
    /* With the sign bit flipped, signed values compare as unsigned ones do. */
    uint64_t bias = info->is_signed ? UINT64_C(1) << (info->bits - 1) : 0;
    switch (operation->op) {
    case WARP_OP_REDUCE_ADD:
        return warp_value_mask(operation->type, a + b);
    case WARP_OP_REDUCE_MIN:
        return (a ^ bias) < (b ^ bias) ? a : b;
    case WARP_OP_REDUCE_MAX:
        return (a ^ bias) > (b ^ bias) ? a : b;
    case WARP_OP_REDUCE_AND:
        return a & b;
    case WARP_OP_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t reduce_lanes(const struct warp_operation *operation, uint32_t lanes) {
    uint64_t sum = 0;
    bool first = true;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(lanes, lane))
            continue;
        uint64_t value = warp_value_mask(operation->type, operation->in[lane]);
        sum = first ? value : reduce_two(operation, sum, value);
        first = false;
    }
    return sum;
}

/* The common result of a vote, a match or a reduction; those of match_any differ. */
static uint64_t common_value(const struct warp_operation *operation, uint32_t lanes) {
    uint32_t zero = lanes_with_value(operation, lanes, 0);
    switch (operation->op) {
    case WARP_OP_BALLOT:
        return lanes & ~zero;
    case WARP_OP_ANY:
        return (lanes & ~zero) != 0;
    case WARP_OP_ALL:
        return zero == 0;
    default:
        return reduce_lanes(operation, lanes);
    }
}

static uint32_t match_value(const struct warp_operation *operation, uint32_t lanes, int lane) {
    uint64_t value = warp_value_mask(operation->type, operation->in[lane]);
    uint32_t equal = lanes_with_value(operation, lanes, value);
    return operation->op == WARP_OP_MATCH_ANY || equal == lanes ? equal : 0;
}

/* True if the rules define a value for the callers. */
static bool op_has_value(enum warp_op op, enum warp_type type) {
    if (op == WARP_OP_SYNC || op == WARP_OP_ACTIVEMASK)
        return false;
    return !warp_op_is_reduce(op) || !warp_type_info(type)->is_floating;
}

static void outcome_of_unmoved(const struct warp_operation *operation,
                               struct lane_outcome outcome[WARP_LANES]) {
    enum warp_op op = operation->op;
    uint32_t callers = operation->present;
    if (op_has_mask(op))
        callers &= operation->members;
    bool has_value = op_has_value(op, operation->type);
    bool is_local = op == WARP_OP_WATCH || warp_op_is_access(op); /* depends on no other lane */
    bool is_common = has_value && op != WARP_OP_MATCH_ANY && op != WARP_OP_MATCH_ALL && !is_local;
    uint64_t common = is_common ? common_value(operation, callers) : 0;

    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(operation->present, lane))
            continue;
        if (!warp_has_lane(callers, lane)) {
            outcome[lane].status = LANE_UNDEFINED;
            outcome[lane].reason = LANE_REASON_CALLER_NOT_MEMBER;
            continue;
        }
        outcome[lane].status = LANE_READ;
        outcome[lane].has_value = has_value;
        if (is_local)
            outcome[lane].value = warp_value_mask(
                operation->type, op == WARP_OP_WATCH ? operation->in[lane] : operation->out[lane]);
        else if (is_common)
            outcome[lane].value = common;
        else if (has_value)
            outcome[lane].value = match_value(operation, callers, lane);
    }
}

/* The operation has no result, whatever the lanes would have read. */
static void mark_unfinished(const struct warp_operation *operation,
                            struct lane_outcome outcome[WARP_LANES]) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (warp_has_lane(operation->present, lane))
            outcome[lane] = (struct lane_outcome){.status = LANE_UNDEFINED,
                                                  .reason = LANE_REASON_UNFINISHED,
                                                  .address = outcome[lane].address};
}

void warp_outcome(const struct warp_operation *operation, struct lane_outcome outcome[WARP_LANES]) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        outcome[lane] = (struct lane_outcome){.status = LANE_ABSENT};
    if (!ops[operation->op].is_shuffle)
        outcome_of_unmoved(operation, outcome);
    else
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (warp_has_lane(operation->present, lane))
                shuffle_outcome(operation, lane, &outcome[lane]);
    if (operation->unfinished)
        mark_unfinished(operation, outcome);
}

/* ---- the recording compared with the rules ---- */

/* True if the device returned to `lane` the result that the rules give. */
static bool lane_agrees(const struct warp_operation *operation, const struct lane_outcome *outcome,
                        int lane) {
    uint64_t out = operation->out[lane];
    uint64_t value = outcome->value;
    switch (operation->op) {
    case WARP_OP_ANY:
    case WARP_OP_ALL: /* the guide says non-zero, not 1 */
        return ((uint32_t)out != 0) == (value != 0);
    case WARP_OP_BALLOT:
    case WARP_OP_MATCH_ANY:
        return (uint32_t)out == (uint32_t)value;
    case WARP_OP_MATCH_ALL:
        return (uint32_t)out == (uint32_t)value && (operation->arg[lane] != 0) == (value != 0);
    case WARP_OP_WATCH:
        return true;
    default:
        return warp_value_mask(operation->type, out) == value;
    }
}

uint32_t warp_disagreement(const struct warp_operation *operation,
                           const struct lane_outcome outcome[WARP_LANES]) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (outcome[lane].has_value && !lane_agrees(operation, &outcome[lane], lane))
            lanes |= 1u << lane;
    return lanes;
}

/* ---- names ---- */

const char *warp_rule_name(enum warp_rule rule) {
    static const char *const names[WARP_RULE_COUNT] = {
        [WARP_RULE_SOURCE_LANE_NOT_IN_MASK] = "source_lane_not_in_mask",
        [WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK] = "participating_lane_not_in_mask",
        [WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK] = "not_participating_lane_in_mask",
        [WARP_RULE_DIVERGENT_MASK] = "divergent_mask",
        [WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO] = "width_is_not_power_of_two",
        [WARP_RULE_SOURCE_LANE_NOT_PRESENT] = "source_lane_not_present",
        [WARP_RULE_MASK_FORGOTTEN] = "mask_forgotten",
        [WARP_RULE_DISAGREES] = "recording_disagrees",
    };
    return names[rule];
}

char *warp_lanes_format(uint32_t lanes, char buffer[WARP_LANES_TEXT]) {
    if (lanes == 0 || lanes == WARP_FULL_MASK) {
        snprintf(buffer, WARP_LANES_TEXT, lanes ? "all 32 lanes" : "none");
        return buffer;
    }
    size_t used = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(lanes, lane))
            continue;
        int last = lane;
        while (last + 1 < WARP_LANES && warp_has_lane(lanes, last + 1))
            last++;
        const char *comma = used ? "," : "";
        if (last == lane)
            used += (size_t)snprintf(buffer + used, WARP_LANES_TEXT - used, "%s%d", comma, lane);
        else
            used += (size_t)snprintf(buffer + used, WARP_LANES_TEXT - used, "%s%d-%d", comma, lane,
                                     last);
        lane = last;
    }
    return buffer;
}

/* ---- findings ---- */

struct finding_list {
    struct warp_finding *findings;
    int count;
};

/* Adds a finding, unless it is about no lane. */
static void finding_add(struct finding_list *list, enum warp_rule rule, uint32_t lanes,
                        enum lane_reason reason) {
    if (lanes)
        list->findings[list->count++] = (struct warp_finding){rule, lanes, reason};
}

static uint32_t lanes_with_reason(const struct lane_outcome outcome[WARP_LANES],
                                  enum lane_reason reason) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        lanes |= (uint32_t)(outcome[lane].reason == reason) << lane;
    return lanes;
}

static uint32_t lanes_with_undefined_width(const struct warp_operation *operation) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (warp_has_lane(operation->present, lane) &&
            !warp_width_is_defined(operation->width[lane]))
            lanes |= 1u << lane;
    return lanes;
}

/* A call without its mask compiles, with every argument one position too early: (value, offset,
 * warpSize) is a mask, a value and an argument of 32. An argument of 32 is never intended, and a
 * mask that is really a value does not name all callers. */
static uint32_t lanes_without_mask(const struct warp_operation *operation) {
    if (!(operation->present & ~operation->members))
        return 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (warp_has_lane(operation->present, lane) && operation->arg[lane] != WARP_LANES)
            return 0;
    return operation->present;
}

uint32_t warp_arguments_cut(const struct warp_operation *operation) {
    uint32_t lanes = 0;
    if (operation->op < WARP_OP_UP || operation->op > WARP_OP_XOR)
        return 0;
    for (uint32_t left = operation->present; left; left &= left - 1)
        if ((uint32_t)operation->arg[__builtin_ctz(left)] >= WARP_LANES)
            lanes |= left & -left;
    return lanes;
}

int warp_findings(const struct warp_operation *operation,
                  const struct lane_outcome outcome[WARP_LANES],
                  struct warp_finding findings[WARP_FINDINGS_MAX]) {
    struct finding_list list = {findings, 0};
    bool is_shuffle = ops[operation->op].is_shuffle;
    if (is_shuffle)
        finding_add(&list, WARP_RULE_SOURCE_LANE_NOT_IN_MASK,
                    lanes_with_reason(outcome, LANE_REASON_SOURCE_NOT_MEMBER),
                    LANE_REASON_SOURCE_NOT_MEMBER);
    if (op_has_mask(operation->op)) {
        finding_add(&list, WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK,
                    operation->present & ~operation->members, LANE_REASON_CALLER_NOT_MEMBER);
        finding_add(&list, WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK,
                    operation->members & operation->launched & ~operation->exited &
                        ~operation->present,
                    LANE_REASON_NONE);
    }
    if (is_shuffle) {
        finding_add(&list, WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO,
                    lanes_with_undefined_width(operation), LANE_REASON_WIDTH);
        for (int reason = LANE_REASON_SOURCE_NOT_LAUNCHED; reason <= LANE_REASON_SOURCE_NOT_PRESENT;
             reason++)
            finding_add(&list, WARP_RULE_SOURCE_LANE_NOT_PRESENT,
                        lanes_with_reason(outcome, (enum lane_reason)reason),
                        (enum lane_reason)reason);
        finding_add(&list, WARP_RULE_MASK_FORGOTTEN, lanes_without_mask(operation),
                    LANE_REASON_NONE);
    }
    finding_add(&list, WARP_RULE_DISAGREES, warp_disagreement(operation, outcome),
                LANE_REASON_NONE);
    return list.count;
}

/* The lane that `lane` reads if every lane takes part. */
static int plain_source(enum warp_op op, int lane, int arg, int segment) {
    const int first = lane & segment, last = lane | (31 & ~segment);
    int target;
    switch (op) {
    case WARP_OP_UP:
        target = lane - arg;
        return target >= first ? target : lane;
    case WARP_OP_DOWN:
        target = lane + arg;
        break;
    case WARP_OP_XOR:
        target = lane ^ arg;
        break;
    default:
        return first | (arg & ~segment);
    }
    return target <= last ? target : lane;
}

bool warp_is_plain(const struct warp_operation *operation) {
    const int32_t width = operation->width[0];
    if (!ops[operation->op].is_shuffle || operation->unfinished ||
        (operation->present & operation->members) != WARP_FULL_MASK ||
        !warp_width_is_defined(width))
        return false;
    const int segment = 31 & ~(width - 1);
    uint64_t differs = 0;
    int32_t other = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int arg = (int)((uint32_t)operation->arg[lane] & 31);
        const int source = plain_source(operation->op, lane, arg, segment);
        differs |= operation->in[source] ^ operation->out[lane];
        other |= operation->width[lane] ^ width;
    }
    return other == 0 && warp_value_mask(operation->type, differs) == 0;
}
