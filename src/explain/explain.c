/*
 * Sentences are put together from clauses, each with its own function, in the order in which the
 * hardware decides: address, range, membership, value.
 */
#include "explain/explain.h"

#include "base/message.h"
#include "explain/sentence.h"
#include "explain/shared.h"
#include "warp/sectors.h"

#include <stdio.h>
#include <string.h>

char group_letter(int group) {
    return (char)(group < 0 ? '?' : group < 26 ? 'A' + group : 'a' + group - 26);
}

char explain_sign(enum warp_op op) {
    return op == WARP_OP_UP ? '-' : op == WARP_OP_DOWN ? '+' : '^';
}

static bool is_shuffle(const struct warp_operation *operation) {
    const struct warp_op_info *info = warp_op_info(operation->op);
    return info && info->is_shuffle;
}

/* The width that a lane passed; for a lane that makes no call, the first caller's. */
static int32_t lane_width(const struct warp_operation *operation, int lane) {
    if (warp_has_lane(operation->present, lane) || operation->present == 0)
        return operation->width[lane];
    return operation->width[__builtin_ctz(operation->present)];
}

int explain_group(const struct warp_operation *operation, int lane) {
    if (!is_shuffle(operation))
        return 0;
    int32_t width = lane_width(operation, lane);
    return warp_width_is_defined(width) ? lane / width : -1;
}

/* ---- values ---- */

char *explain_in(const struct warp_operation *operation, int lane, char buffer[WARP_VALUE_TEXT]) {
    buffer[0] = '\0';
    if (warp_op_is_access(operation->op) && warp_has_lane(operation->present, lane))
        return explain_shared_before(operation, lane, buffer);
    if (operation->type != WARP_TYPE_NONE && warp_has_lane(operation->present, lane))
        warp_value_format(operation->type, operation->in[lane], buffer);
    return buffer;
}

char *explain_out(const struct warp_operation *operation, int lane, char buffer[WARP_VALUE_TEXT]) {
    enum warp_type type = warp_result_type(operation);
    buffer[0] = '\0';
    if (!warp_has_lane(operation->present, lane) || operation->op == WARP_OP_WATCH ||
        type == WARP_TYPE_NONE)
        return buffer;
    if (warp_op_is_access(operation->op))
        return explain_shared_after(operation, lane, buffer);
    return warp_result_is_mask(operation->op)
               ? warp_value_format_bits(type, operation->out[lane], buffer)
               : warp_value_format(type, operation->out[lane], buffer);
}

static char *mark(bool marked, char buffer[WARP_VALUE_TEXT]) {
    const size_t length = strlen(buffer);
    if (marked && length > 0 && length + 1 < WARP_VALUE_TEXT) {
        memmove(buffer + 1, buffer, length + 1);
        buffer[0] = '?';
    }
    return buffer;
}

char *explain_in_marked(const struct warp_operation *operation, int lane,
                        char buffer[WARP_VALUE_TEXT]) {
    return mark(warp_has_lane(operation->doubtful_in, lane), explain_in(operation, lane, buffer));
}

char *explain_out_marked(const struct warp_operation *operation, int lane,
                         char buffer[WARP_VALUE_TEXT]) {
    return mark(warp_has_lane(operation->doubtful_out, lane), explain_out(operation, lane, buffer));
}

char *explain_doubt(const struct warp_operation *operation, enum phase phase, int lane,
                    char *buffer, size_t size) {
    const bool in = warp_has_lane(operation->doubtful_in, lane);
    const bool out = warp_has_lane(operation->doubtful_out, lane) && phase >= PHASE_MOVE &&
                     operation->op != WARP_OP_WATCH;
    snprintf(buffer, size, "%s",
             in && out ? _("; its input and its result are computed from undefined values")
             : in      ? _("; its input is computed from an undefined value")
             : out     ? _("; its result is computed from an undefined value")
                       : "");
    return buffer;
}

/* ---- the formula ---- */

/* The start of the group, plus srcLane modulo the width. */
static void format_idx(const struct warp_operation *operation, int lane,
                       const struct shuffle_address *address, char *buffer, size_t size) {
    int32_t arg = operation->arg[lane], width = operation->width[lane];
    if (!warp_width_is_defined(width))
        snprintf(buffer, size, "%d | %d = %d", address->min_lane,
                 address->target & ~address->min_lane, address->target);
    else if (arg >= 0 && arg < width)
        snprintf(buffer, size, "%d + %d = %d", address->min_lane, arg, address->target);
    else
        snprintf(buffer, size, arg < 0 ? "%d + (%d) %% %d = %d" : "%d + %d %% %d = %d",
                 address->min_lane, arg, width, address->target);
}

/* "5 ^ 3 = 6" */
static char *format_arithmetic(const struct warp_operation *operation, int lane, char *buffer,
                               size_t size) {
    buffer[0] = '\0';
    if (!is_shuffle(operation) || !warp_has_lane(operation->present, lane))
        return buffer;
    struct shuffle_address address =
        shuffle_address(operation->op, lane, operation->arg[lane], operation->width[lane]);
    if (operation->op == WARP_OP_IDX)
        format_idx(operation, lane, &address, buffer, size);
    else
        snprintf(buffer, size, "%d %c %d = %d", lane, explain_sign(operation->op), address.bval,
                 address.target);
    return buffer;
}

char *explain_formula(const struct warp_operation *operation, int lane, char *buffer, size_t size) {
    char spaced[64];
    size_t length = 0;
    for (const char *c = format_arithmetic(operation, lane, spaced, sizeof spaced); *c; c++)
        if (*c != ' ' && length + 1 < size)
            buffer[length++] = *c;
    buffer[length] = '\0';
    return buffer;
}

static char *format_bits(int number, char buffer[8]) {
    for (int bit = 0; bit < 5; bit++)
        buffer[bit] = number >> (4 - bit) & 1 ? '1' : '0';
    buffer[5] = '\0';
    return buffer;
}

char *explain_bits(const struct warp_operation *operation, int lane, char *buffer, size_t size) {
    char from[8], mask[8];
    buffer[0] = '\0';
    if (operation->op == WARP_OP_XOR && warp_has_lane(operation->present, lane)) {
        const int bval = operation->arg[lane] & 31;
        snprintf(buffer, size, "%s^%s=%d", format_bits(lane, from), format_bits(bval, mask),
                 lane ^ bval);
    }
    return buffer;
}

/* ---- sentences ---- */

static int32_t group_end(int lane, int32_t width) {
    return lane / width * width + width - 1;
}

char *explain_group_clause(const struct warp_operation *operation, int lane, char *buffer,
                           size_t size) {
    int32_t width = lane_width(operation, lane);
    buffer[0] = '\0';
    if (is_shuffle(operation) && warp_width_is_defined(width))
        snprintf(buffer, size, _(", group %c (%d-%d)"), group_letter(lane / width),
                 lane / width * width, group_end(lane, width));
    return buffer;
}

/* "lane 5, group A (0-15)" */
static void add_lane(struct sentence *sentence, const struct warp_operation *operation, int lane) {
    char group[64];
    add(sentence, _("lane %d"), lane);
    add(sentence, "%s", explain_group_clause(operation, lane, group, sizeof group));
}

static void add_absent(struct sentence *sentence, const struct warp_operation *operation,
                       int lane) {
    if (!warp_has_lane(operation->launched, lane))
        add(sentence, "%s", _(" does not exist: the block ends before it"));
    else if (!warp_has_lane(operation->members,
                            lane)) /* whether it has returned by now does not matter */
        add(sentence, _(" makes no call: it is not in the member mask 0x%08x"), operation->members);
    else if (warp_has_lane(operation->exited, lane))
        add(sentence, "%s", _(" makes no call: it has left the kernel"));
    else
        add(sentence, _(" makes no call here, though the member mask 0x%08x names it"),
            operation->members);
}

/* "srcLane 5 means lane 5": a sum with the group's first lane explains something only if that
 * lane is not lane 0. */
static void add_source_lane(struct sentence *sentence, int32_t arg, int32_t width,
                            const struct shuffle_address *address) {
    const int first = address->min_lane, from = address->target - first;
    const bool wraps = arg < 0 || arg >= width;
    if (wraps && first > 0)
        add(sentence, _("srcLane %d wraps at width %d to %d, in this group %d + %d = %d"), arg,
            width, from, first, from, address->target);
    else if (wraps)
        add(sentence, _("srcLane %d wraps at width %d to lane %d"), arg, width, address->target);
    else if (first > 0)
        add(sentence, _("srcLane %d counts from the group's first lane, %d + %d = %d"), arg, first,
            arg, address->target);
    else
        add(sentence, _("srcLane %d means lane %d"), arg, address->target);
}

/* "33 & 31 = 1; 5 + 1 = 6" */
static void add_arithmetic(struct sentence *sentence, const struct warp_operation *operation,
                           int lane, const struct shuffle_address *address) {
    char text[64];
    int32_t arg = operation->arg[lane];
    if (operation->op != WARP_OP_IDX && address->bval != arg)
        add(sentence, _("only 5 bits count, %d & 31 = %d; "), arg, address->bval);
    if (operation->op == WARP_OP_IDX && warp_width_is_defined(operation->width[lane])) {
        add_source_lane(sentence, arg, operation->width[lane], address);
        return;
    }
    add(sentence, "%s", format_arithmetic(operation, lane, text, sizeof text));
}

/* "not beyond 15: in range" */
static void add_range(struct sentence *sentence, enum warp_op op,
                      const struct shuffle_address *address) {
    if (op == WARP_OP_IDX) {
        add(sentence, "%s", address->in_range ? _(": in range") : _(": out of range"));
        return;
    }
    int limit = address->max_lane;
    if (op == WARP_OP_UP)
        add(sentence,
            address->in_range ? _(", not before %d: in range") : _(", before %d: out of range"),
            limit);
    else
        add(sentence,
            address->in_range ? _(", not beyond %d: in range") : _(", beyond %d: out of range"),
            limit);
}

/* The reason why a lane's result is undefined, if the lane it reads is the cause: at length, and in
 * brief. */
static const struct {
    const char *whole, *brief;
} reasons[] = {
    [LANE_REASON_SOURCE_NOT_MEMBER] = {N_(", but lane %d is not in the member mask: undefined"),
                                       N_(": undefined, lane %d is not in the member mask")},
    [LANE_REASON_SOURCE_NOT_LAUNCHED] =
        {N_(", but lane %d is beyond the end of the block: undefined"),
         N_(": undefined, lane %d does not exist")},
    [LANE_REASON_SOURCE_EXITED] = {N_(", but lane %d has left the kernel: undefined"),
                                   N_(": undefined, lane %d has left the kernel")},
    [LANE_REASON_SOURCE_NOT_PRESENT] = {N_(", but lane %d does not make this call: undefined"),
                                        N_(": undefined, lane %d does not make the call")},
    [LANE_REASON_UNFINISHED] =
        {N_(", but not all lanes of the mask make the call: the lane waits forever"),
         N_(": waits forever")},
};

static void add_reason(struct sentence *sentence, const struct warp_operation *operation, int lane,
                       const struct lane_outcome *outcome) {
    if (outcome->reason == LANE_REASON_WIDTH)
        add(sentence, _("; width %d is not one of 1 2 4 8 16 32: undefined"),
            operation->width[lane]);
    else if (outcome->reason == LANE_REASON_CALLER_NOT_MEMBER)
        add(sentence, _("; lane %d is not in the mask 0x%08x that it passes: undefined"), lane,
            operation->members);
    else if (outcome->reason != LANE_REASON_NONE)
        add(sentence, _(reasons[outcome->reason].whole), outcome->address.source);
}

static void add_verdict(struct sentence *sentence, const struct warp_operation *operation, int lane,
                        const struct lane_outcome *outcome) {
    const struct shuffle_address *address = &outcome->address;
    if (outcome->status == LANE_OWN) {
        add(sentence, "%s", _(", so it keeps its own value"));
    } else if (outcome->status == LANE_UNDEFINED) {
        add_reason(sentence, operation, lane, outcome);
    } else {
        add(sentence, _(", lane %d takes part"), address->source);
        if (operation->op == WARP_OP_XOR && address->source < address->min_lane)
            add(sentence, "%s", _(" (xor may read an earlier group)"));
    }
}

/* The input of lane `lane`: "value 5, laneMask 3, width 16". */
static void add_before(struct sentence *sentence, const struct warp_operation *operation,
                       int lane) {
    char value[WARP_VALUE_TEXT];
    const struct warp_op_info *info = warp_op_info(operation->op);
    if (operation->type != WARP_TYPE_NONE)
        add(sentence, _("value %s"), explain_in(operation, lane, value));
    if (!info->is_shuffle)
        return;
    add(sentence, _(", %s %d, width %d"), info->argument, operation->arg[lane],
        operation->width[lane]);
}

/* The effect of an operation, or its result. */
static const char *const meanings[WARP_OP_COUNT] = {
    [WARP_OP_IDX] = N_("each lane reads lane srcLane of its group; srcLane wraps at the width"),
    [WARP_OP_UP] = N_("each lane reads lane - delta, or itself at the group's start"),
    [WARP_OP_DOWN] = N_("each lane reads lane + delta, or itself at the group's end"),
    [WARP_OP_XOR] = N_("each lane reads lane ^ laneMask, or itself beyond its group's end"),
    [WARP_OP_BALLOT] = N_("bit n of the result is set where lane n's predicate is not 0"),
    [WARP_OP_ANY] = N_("1 if any lane of the mask has a predicate that is not 0"),
    [WARP_OP_ALL] = N_("1 if every lane of the mask has a predicate that is not 0"),
    [WARP_OP_MATCH_ANY] = N_("the mask of the lanes that hold the same value"),
    [WARP_OP_MATCH_ALL] = N_("the member mask if all lanes hold the same value, else 0"),
    [WARP_OP_REDUCE_ADD] = N_("the sum over the lanes of the mask"),
    [WARP_OP_REDUCE_MIN] = N_("the smallest value among the lanes of the mask"),
    [WARP_OP_REDUCE_MAX] = N_("the largest value among the lanes of the mask"),
    [WARP_OP_REDUCE_AND] = N_("the values of the mask's lanes, combined with and"),
    [WARP_OP_REDUCE_OR] = N_("the values of the mask's lanes, combined with or"),
    [WARP_OP_REDUCE_XOR] = N_("the values of the mask's lanes, combined with xor"),
    [WARP_OP_SYNC] = N_("the lanes of the mask wait for each other; each then sees what the others "
                        "wrote to memory"),
    [WARP_OP_ACTIVEMASK] = N_("which lanes happen to be here; the query makes nothing converge"),
    [WARP_OP_WATCH] =
        N_("a variable of the kernel, shown at this line; nothing moves between lanes"),
    [WARP_OP_SHARED_READ] = N_("lanes read shared memory"),
    [WARP_OP_SHARED_WRITE] = N_("lanes write to shared memory"),
    [WARP_OP_SHARED_ATOMIC] = N_("lanes change shared memory atomically, one after the other where "
                                 "they share an address"),
    [WARP_OP_GLOBAL_READ] = N_("lanes read global memory"),
    [WARP_OP_GLOBAL_WRITE] = N_("lanes write to global memory"),
    [WARP_OP_GLOBAL_ATOMIC] = N_("lanes change global memory atomically, one after the other where "
                                 "they share an address"),
};

static const char *part_words(int parts) {
    return parts == 4   ? _(" (a quarter of the warp at a time)")
           : parts == 2 ? _(" (half a warp at a time)")
                        : "";
}

static char *sectors_words(const struct warp_operation *operation, char buffer[EXPLAIN_COST_TEXT]) {
    struct sector_use use;
    warp_sector_use(operation, &use);
    const int fetched = use.sectors * WARP_SECTOR_BYTES;
    if (use.sectors <= use.least)
        snprintf(buffer, EXPLAIN_COST_TEXT,
                 message_plural("coalesced: %d sector of 32 bytes serves %d bytes",
                                "coalesced: %d sectors of 32 bytes serve %d bytes",
                                (unsigned long)use.sectors),
                 use.sectors, use.bytes);
    else
        snprintf(buffer, EXPLAIN_COST_TEXT,
                 _("%d sectors of 32 bytes instead of %d: lanes ask for %d of these %d bytes"),
                 use.sectors, use.least, use.bytes, fetched);
    return buffer;
}

char *explain_cost(const struct warp_operation *operation, char buffer[EXPLAIN_COST_TEXT]) {
    struct bank_use use;
    char lanes[EXPLAIN_LANES_TEXT];
    if (warp_op_is_global(operation->op))
        return sectors_words(operation, buffer);
    warp_bank_use(operation, &use);
    if (use.ways <= 1)
        snprintf(buffer, EXPLAIN_COST_TEXT,
                 message_plural("no bank conflict: %d pass%s", "no bank conflict: %d passes%s",
                                (unsigned long)use.passes),
                 use.passes, part_words(use.parts));
    else
        snprintf(buffer, EXPLAIN_COST_TEXT,
                 _("%d-way bank conflict: %s in bank %d; %d passes instead of %d%s"), use.ways,
                 explain_lanes(use.lanes, lanes), use.bank, use.passes, use.least,
                 part_words(use.parts));
    return buffer;
}

char *explain_argument(const struct warp_operation *operation, char *buffer, size_t size) {
    int cut = -1;
    int32_t passed;
    for (int lane = 0; lane < WARP_LANES && cut < 0 && is_shuffle(operation); lane++)
        if (warp_has_lane(operation->present, lane) &&
            (operation->arg[lane] & 31) != operation->arg[lane])
            cut = lane;
    buffer[0] = '\0';
    if (cut < 0)
        return buffer;
    bool same = warp_agree(operation->arg, operation->present, &passed);
    passed = operation->arg[cut];
    const char *name = warp_op_info(operation->op)->argument;
    if (same)
        snprintf(buffer, size, _("%s %d is used as %d: only the low five bits count"), name, passed,
                 passed & 31);
    else
        snprintf(buffer, size, _("lane %d: %s %d is used as %d: only the low five bits count"), cut,
                 name, passed, passed & 31);
    return buffer;
}

char *explain_operation(const struct warp_operation *operation, char *buffer, size_t size) {
    char argument[160];
    struct sentence sentence = {buffer, size, 0};
    add(&sentence, "%s", _(meanings[operation->op]));
    if (explain_argument(operation, argument, sizeof argument)[0])
        add(&sentence, _("; %s"), argument);
    if (warp_op_is_access(operation->op)) {
        char banks[EXPLAIN_COST_TEXT];
        add(&sentence, _("; %s"), explain_cost(operation, banks));
    }
    return buffer;
}

/* Members that passed the same value as the lane. */
static uint32_t matching_lanes(const struct warp_operation *operation, int lane) {
    uint32_t alike = 0;
    for (int other = 0; other < WARP_LANES; other++)
        if (warp_has_lane(operation->present & operation->members, other) &&
            operation->in[other] == operation->in[lane])
            alike |= UINT32_C(1) << other;
    return alike;
}

/* Adds the meaning of the lane's value for a vote or a match, ": predicate 3 is not 0, so bit
 * 5 is 1"; false for other operations. */
static bool add_part(struct sentence *sentence, const struct warp_operation *operation, int lane) {
    char value[WARP_VALUE_TEXT], lanes[EXPLAIN_LANES_TEXT];
    explain_in(operation, lane, value);
    switch (operation->op) {
    case WARP_OP_BALLOT:
        if (operation->in[lane])
            add(sentence, _(": predicate %s is not 0, so bit %d is 1"), value, lane);
        else
            add(sentence, _(": predicate 0, so bit %d is 0"), lane);
        return true;
    case WARP_OP_ANY:
    case WARP_OP_ALL:
        add(sentence, _(": predicate %s; %s"), value, _(meanings[operation->op]));
        return true;
    case WARP_OP_MATCH_ANY:
        add(sentence, _(": value %s, held by %s"), value,
            explain_lanes(matching_lanes(operation, lane), lanes));
        return true;
    default:
        return false;
    }
}

/* Adds the address that a lane accesses and, in phase `after`, the value that it finds or leaves
 * there. */
static void add_access(struct sentence *sentence, const struct warp_operation *operation,
                       enum phase phase, int lane) {
    char before[WARP_VALUE_TEXT], after[WARP_VALUE_TEXT];
    const int32_t offset = operation->arg[lane];
    explain_shared_before(operation, lane, before);
    explain_shared_after(operation, lane, after);
    if (warp_op_is_global(operation->op))
        add(sentence,
            message_plural(": %d byte at offset %d, sector %d",
                           ": %d bytes at offset %d, sector %d",
                           (unsigned long)operation->width[lane]),
            operation->width[lane], offset, warp_sector(offset));
    else
        add(sentence,
            message_plural(": %d byte at offset %d, bank %d", ": %d bytes at offset %d, bank %d",
                           (unsigned long)operation->width[lane]),
            operation->width[lane], offset, warp_bank(offset));
    if (phase < PHASE_AFTER)
        return;
    if (warp_op_is_read(operation->op))
        add(sentence, _(": reads %s"), after);
    else if (before[0])
        add(sentence,
            operation->op == WARP_OP_SHARED_WRITE || operation->op == WARP_OP_GLOBAL_WRITE
                ? _(": writes %s over %s")
                : _(": changes the value to %s; it was %s"),
            after, before);
    else
        add(sentence, _(": writes %s"), after);
}

static void add_collective(struct sentence *sentence, const struct warp_operation *operation,
                           const struct lane_outcome *outcome, enum phase phase, int lane) {
    char value[WARP_VALUE_TEXT];
    if (warp_op_is_access(operation->op)) {
        add_access(sentence, operation, phase, lane);
        return;
    }
    if (phase == PHASE_BEFORE && operation->type != WARP_TYPE_NONE) {
        add(sentence, "%s", _(": "));
        add_before(sentence, operation, lane);
        return;
    }
    bool defined = outcome->status == LANE_READ;
    if (!defined || phase < PHASE_MOVE || !add_part(sentence, operation, lane))
        add(sentence, _(": %s"), _(meanings[operation->op]));
    if (!defined) {
        add_reason(sentence, operation, lane, outcome);
        return;
    }
    if (phase != PHASE_AFTER || !explain_out(operation, lane, value)[0])
        return;
    add(sentence, operation->op == WARP_OP_BALLOT ? _("; the result is %s") : _(": %s"), value);
    if (operation->op == WARP_OP_MATCH_ALL)
        add(sentence, _(", pred %d"), operation->arg[lane]);
}

char *explain_phase(const struct warp_operation *operation, const struct lane_outcome *outcome,
                    enum phase phase, int lane, char *buffer, size_t size) {
    struct sentence sentence = {buffer, size, 0};
    buffer[0] = '\0';
    add_lane(&sentence, operation, lane);
    if (!warp_has_lane(operation->present, lane)) {
        add_absent(&sentence, operation, lane);
        return buffer;
    }
    if (!is_shuffle(operation)) {
        add_collective(&sentence, operation, outcome, phase, lane);
        return buffer;
    }
    add(&sentence, "%s", _(": "));
    if (phase == PHASE_BEFORE) {
        add_before(&sentence, operation, lane);
        return buffer;
    }
    add_arithmetic(&sentence, operation, lane, &outcome->address);
    if (phase == PHASE_ADDRESS)
        return buffer;
    add_range(&sentence, operation->op, &outcome->address);
    add_verdict(&sentence, operation, lane, outcome);
    return buffer;
}

static void add_brief_verdict(struct sentence *sentence, const struct warp_operation *operation,
                              int lane, const struct lane_outcome *outcome) {
    int source = outcome->address.source;
    if (outcome->status == LANE_OWN)
        add(sentence, "%s", _(": out of range, keeps its own value"));
    else if (outcome->status == LANE_READ)
        add(sentence, _(": reads lane %d"), source);
    else if (outcome->reason == LANE_REASON_WIDTH)
        add(sentence, _(": undefined, because of its width %d"), operation->width[lane]);
    else if (outcome->reason == LANE_REASON_CALLER_NOT_MEMBER)
        add(sentence, "%s", _(": undefined, the caller is not in its mask"));
    else
        add(sentence, _(reasons[outcome->reason].brief), source);
}

char *explain_brief(const struct warp_operation *operation, const struct lane_outcome *outcome,
                    enum phase phase, int lane, char *buffer, size_t size) {
    struct sentence sentence = {buffer, size, 0};
    char text[64];
    if (!is_shuffle(operation) || !warp_has_lane(operation->present, lane) || phase == PHASE_BEFORE)
        return explain_phase(operation, outcome, phase, lane, buffer, size);
    buffer[0] = '\0';
    explain_formula(operation, lane, text, sizeof text);
    if (operation->op == WARP_OP_IDX && outcome->address.min_lane == 0 &&
        outcome->address.target == operation->arg[lane]) /* a sum with 0 explains nothing */
        snprintf(text, sizeof text, "srcLane %d", operation->arg[lane]);
    add(&sentence, _("lane %d: %s"), lane, text);
    if (phase > PHASE_ADDRESS)
        add_brief_verdict(&sentence, operation, lane, outcome);
    return buffer;
}

/* ---- PTX ---- */

/* The arithmetic is also shown for a width that the guide does not define; a lane that supplies
 * nothing has no value. */
static bool has_no_value(const struct lane_outcome *outcome) {
    return outcome->status == LANE_UNDEFINED && outcome->reason != LANE_REASON_WIDTH;
}

int explain_ptx(const struct warp_operation *operation, const struct lane_outcome *outcome,
                int lane, char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE]) {
    if (!is_shuffle(operation) || !warp_has_lane(operation->present, lane))
        return 0;
    int32_t arg = operation->arg[lane], width = operation->width[lane];
    struct shuffle_address a = shuffle_address(operation->op, lane, arg, width);
    uint32_t c = shuffle_ptx_c(operation->op, width);
    uint32_t cval = c & 31, seg = c >> 8 & 31, outside = ~seg & 31;
    bool up = operation->op == WARP_OP_UP;
    int n = 0;
#define LINE(...) snprintf(lines[n++], EXPLAIN_LINE_SIZE, __VA_ARGS__)
    LINE("bval = %d & 31 = %d", arg, a.bval);
    if (up)
        LINE("c = (32-%d) << 8 = 0x%04x", width, c);
    else
        LINE("c = ((32-%d) << 8) | 0x1f = 0x%04x", width, c);
    LINE("cval = c & 31 = %u", cval);
    LINE("seg = (c >> 8) & 31 = %u", seg);
    LINE("maxLane = (%d & %u) | (%u & %u) = %d", lane, seg, cval, outside, a.max_lane);
    LINE("minLane = %d & %u = %d", lane, seg, a.min_lane);
    if (operation->op == WARP_OP_IDX)
        LINE("j = %d | (%d & %u) = %d", a.min_lane, a.bval, outside, a.target);
    else
        LINE("j = %d %c %d = %d", lane, explain_sign(operation->op), a.bval, a.target);
    LINE("p = %d %s %d = %s", a.target, up ? ">=" : "<=", a.max_lane,
         a.in_range ? "true" : "false");
    if (a.in_range)
        LINE(_("p holds: j stays %d"), a.source);
    else
        LINE("!p: j = lane = %d", a.source);
    if (has_no_value(outcome))
        LINE("%s", _("result: undefined, see above"));
    else
        LINE(_("result = value of lane %d"), a.source);
#undef LINE
    return n;
}
