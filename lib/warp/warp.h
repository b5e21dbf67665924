/*
 * warp.h - the meaning of a warp operation: where each lane's value comes from, and whether it is
 * defined.
 *
 * These functions are pure: no memory, no files, no clock. Everything else in the program asks here
 * why a lane got a value, and every recording is checked against these rules.
 *
 * Sources of the rules:
 *  - lane arithmetic: PTX ISA, "shfl.sync" (pseudo-code for bval, cval, maxLane, minLane, j, p);
 *  - how the intrinsics call it: the toolkit's sm_30_intrinsics.hpp. c = ((32-width) << 8) | 0x1f,
 *    and for up c = (32-width) << 8;
 *  - participation, and what is undefined: CUDA C++ Programming Guide, "Warp Shuffle Functions",
 *    "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions".
 */
#ifndef SHFLVIZ_WARP_WARP_H
#define SHFLVIZ_WARP_WARP_H

#include "warp/type.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARP_LANES     32
#define WARP_FULL_MASK 0xffffffffu

static inline bool warp_has_lane(uint32_t lanes, int lane) {
    return lanes >> lane & 1;
}

/* The numbers are part of the trace file (docs/TRACE_FORMAT.md): append, never renumber. */
enum warp_op {
    WARP_OP_IDX = 0,  /* __shfl_sync       arg: srcLane  */
    WARP_OP_UP = 1,   /* __shfl_up_sync    arg: delta    */
    WARP_OP_DOWN = 2, /* __shfl_down_sync  arg: delta    */
    WARP_OP_XOR = 3,  /* __shfl_xor_sync   arg: laneMask */
    WARP_OP_BALLOT = 4,
    WARP_OP_ANY = 5,
    WARP_OP_ALL = 6,
    WARP_OP_MATCH_ANY = 7,
    WARP_OP_MATCH_ALL = 8, /* arg: the predicate that was written */
    WARP_OP_REDUCE_ADD = 9,
    WARP_OP_REDUCE_MIN = 10,
    WARP_OP_REDUCE_MAX = 11,
    WARP_OP_REDUCE_AND = 12,
    WARP_OP_REDUCE_OR = 13,
    WARP_OP_REDUCE_XOR = 14,
    WARP_OP_SYNC = 15,       /* __syncwarp: moves no value */
    WARP_OP_ACTIVEMASK = 16, /* a query; lanes do not converge for it */
    WARP_OP_WATCH = 17,      /* not a warp operation: a variable that the kernel asked to show */
    /* Not warp operations either: accesses to shared memory, one instruction of one or more lanes.
     * arg: the offset in bytes; width: the number of bytes; in: the bytes before the access, out:
     * those after it. An access of more than 8 bytes has the first 8 bytes afterwards in `out` and
     * the others in `in`. The type is that of the variable's elements. */
    WARP_OP_SHARED_READ = 18,
    WARP_OP_SHARED_WRITE = 19,
    WARP_OP_SHARED_ATOMIC = 20,
    /* The same for global memory; offsets run through all of it that the recording knows. */
    WARP_OP_GLOBAL_READ = 21,
    WARP_OP_GLOBAL_WRITE = 22,
    WARP_OP_GLOBAL_ATOMIC = 23,
    WARP_OP_COUNT
};

struct warp_op_info {
    const char *name;      /* as in JSON: "idx", "ballot", "reduce_add" */
    const char *intrinsic; /* "__shfl_xor_sync" */
    const char *argument;  /* name of the per-lane argument: "laneMask"; NULL if there is none */
    bool is_shuffle;       /* idx, up, down, xor */
};

/* Never NULL for an op below WARP_OP_COUNT; NULL otherwise. */
const struct warp_op_info *warp_op_info(enum warp_op op);

/* Accesses to shared memory; warp/banks.h computes their cost. */
bool warp_op_is_shared(enum warp_op op);
/* Accesses to global memory; warp/sectors.h computes their cost. */
bool warp_op_is_global(enum warp_op op);
/* Either. */
bool warp_op_is_access(enum warp_op op);
/* Accesses that only read. */
bool warp_op_is_read(enum warp_op op);
bool warp_op_is_reduce(enum warp_op op); /* __reduce_..._sync */

/* The six shuffle widths the guide defines: 1, 2, 4, 8, 16, 32. */
bool warp_width_is_defined(int width);

/* True if all of `lanes` have the same value; *value gets that of the lowest. False if `lanes` is
 * empty. */
bool warp_agree(const int32_t values[WARP_LANES], uint32_t lanes, int32_t *value);

/* One lane's shuffle address, regardless of whether the lane it names takes part. */
struct shuffle_address {
    int group;     /* number of the lane's segment, counted from lane 0: lane / width for the
                      widths that are defined */
    int bval;      /* the five bits of the argument that count */
    int min_lane;  /* minLane of the PTX pseudo-code */
    int max_lane;  /* maxLane of the PTX pseudo-code */
    int target;    /* j before the range check: -31..62 */
    bool in_range; /* p of the PTX pseudo-code; the intrinsics discard it */
    int source;    /* the lane really read: target if in range, else the lane itself; 0..31 */
};

/*
 * The address of `lane` (0..31) for a shuffle op (idx, up, down, xor). Any width and any argument
 * may be given: for a width the guide leaves undefined this is what the instruction's arithmetic
 * does with the c that the intrinsic passes, an observation, not a rule.
 */
struct shuffle_address shuffle_address(enum warp_op op, int lane, int32_t arg, int32_t width);

struct warp_operation;
/* Lanes that pass a delta or a laneMask with more than the five bits that the instruction uses. */
uint32_t warp_arguments_cut(const struct warp_operation *operation);

/* The b and c operands of the PTX instruction that the intrinsic compiles to. */
uint32_t shuffle_ptx_c(enum warp_op op, int32_t width);

/* One warp operation, as the lanes called it and as the device answered. A value; copy it
 * freely. */
struct warp_operation {
    enum warp_op op;
    enum warp_type type;
    uint32_t members; /* the member mask that the callers passed; for activemask its result */
    uint32_t present; /* bit per lane that made this call */
    uint32_t
        launched; /* bit per lane that exists: a block of 35 threads lacks lanes 3..31 of warp 1 */
    uint32_t exited; /* bit per launched lane known to have left the kernel before this operation */
    bool unfinished; /* a lane of the mask never arrived: those present waited until the end */
    /* Bit per lane with an `in`, or `out`, that was computed from an undefined value, as far as the
     * recording knows; in doubtful_out, only lanes with an `out` that is itself defined. */
    uint32_t doubtful_in, doubtful_out;
    int32_t width[WARP_LANES]; /* per lane; shuffles only */
    int32_t arg[WARP_LANES];   /* per lane; meaningful for lanes that are present */
    uint64_t in[WARP_LANES];   /* bits by type, likewise */
    uint64_t out[WARP_LANES];  /* what the device returned: bits by type, or 32 bits for votes and
                                  masks */
};

/*
 * The type of the operation's result: that of its values for shuffles, reductions and watched
 * variables, unsigned for a mask of lanes (ballot, match_any, match_all, activemask), int for any
 * and all, none for __syncwarp.
 */
enum warp_type warp_result_type(const struct warp_operation *operation);

/* True if the operation's result is a mask of lanes, which people read in hexadecimal. */
bool warp_result_is_mask(enum warp_op op);

enum lane_status {
    LANE_READ,      /* in range and defined */
    LANE_OWN,       /* out of range, so its own value */
    LANE_UNDEFINED, /* no rule defines this lane's result; see the reason */
    LANE_ABSENT,    /* this lane makes no call */
};

/* "read", "own", "undefined", "absent" */
const char *lane_status_name(enum lane_status status);

/* Reasons why a lane's result is undefined. If several apply, the first in this order is given. */
enum lane_reason {
    LANE_REASON_NONE,
    LANE_REASON_WIDTH,               /* the width is not one of 1 2 4 8 16 32 */
    LANE_REASON_CALLER_NOT_MEMBER,   /* the caller is not in the mask it passes */
    LANE_REASON_SOURCE_NOT_MEMBER,   /* the lane read is not in the member mask */
    LANE_REASON_SOURCE_NOT_LAUNCHED, /* the lane read does not exist: the block ends before it */
    LANE_REASON_SOURCE_EXITED,       /* the lane read has left the kernel */
    LANE_REASON_SOURCE_NOT_PRESENT,  /* the lane read does not make the call */
    LANE_REASON_UNFINISHED,          /* the operation never ended; precedes all others */
};

struct lane_outcome {
    enum lane_status status;
    enum lane_reason reason;        /* LANE_REASON_NONE unless status is LANE_UNDEFINED */
    struct shuffle_address address; /* shuffles only; all 0 for an absent lane */
    bool has_value;                 /* the rules fix the result: status READ or OWN (or a vote's) */
    uint64_t value;                 /* that result, as bits; 0 if !has_value */
};

/*
 * Applies the rules to each lane of the operation. Reads op, type, masks, width, arg
 * and in; does not look at out.
 *
 * A lane that calls is present even if its own mask leaves it out: then it is LANE_UNDEFINED. For
 * operations other than shuffles the status is READ for every caller in its own mask. Votes,
 * matches and reductions are computed over the members that call (PTX ISA, "vote.sync",
 * "match.sync", "redux.sync": "all non-exited threads in membermask"). No rule fixes a value for
 * __syncwarp, for __activemask, or for a reduction of a floating type; a watched variable's value
 * is its input.
 */
void warp_outcome(const struct warp_operation *operation, struct lane_outcome outcome[WARP_LANES]);

/*
 * Lanes with a recorded `out` that differs from the one that the rules fix: a defect of the device
 * or of the recording. 0 for a recording that agrees. It compares the bits of the type (so NaNs as
 * bits), 32 bits for votes and matches, for match_all its predicate (`arg`) too; any and all are
 * compared with zero only, because the guide defines no more.
 */
uint32_t warp_disagreement(const struct warp_operation *operation,
                           const struct lane_outcome outcome[WARP_LANES]);

/* The misuse that `check` and the findings of a recording report, named after CUDA's safety
 * rules. */
enum warp_rule {
    WARP_RULE_SOURCE_LANE_NOT_IN_MASK,
    WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK,
    WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK,
    WARP_RULE_DIVERGENT_MASK,
    WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO,
    WARP_RULE_SOURCE_LANE_NOT_PRESENT,
    WARP_RULE_MASK_FORGOTTEN,
    WARP_RULE_DISAGREES, /* "recording_disagrees": a defined lane's recorded output differs */
    WARP_RULE_COUNT
};
const char *warp_rule_name(enum warp_rule rule);

struct warp_finding {
    enum warp_rule rule;
    uint32_t lanes; /* the lanes concerned; never empty */
    enum lane_reason
        reason; /* shared by all of them; LANE_REASON_NONE if the rule has no reasons */
};
#define WARP_FINDINGS_MAX                                                                          \
    (WARP_RULE_COUNT + 2) /* one for each rule, three for                                          \
                           * source_lane_not_present */

/*
 * Finds what is wrong with one operation alone, in the order of enum warp_rule: one finding for
 * all lanes concerned; source_lane_not_present has one for each of its three reasons.
 * divergent_mask, which takes more than one operation, is not among them. `exited` is taken as
 * exact; where it is unknown, a lane that has left looks like one that does not call. Returns the
 * number of findings. explain/findings/finding.h puts them into words.
 */
int warp_findings(const struct warp_operation *operation,
                  const struct lane_outcome outcome[WARP_LANES],
                  struct warp_finding findings[WARP_FINDINGS_MAX]);

/* A cheap test for callers that go through many steps: true if all 32 lanes make this shuffle with
 * one width, and each got what the rules give it. Then nothing in it is undefined and there are no
 * findings. False says nothing: there may be no findings then, either. */
bool warp_is_plain(const struct warp_operation *operation);

/*
 * Writes a lane set for people: "0-15,20", "none", "all 32 lanes". Returns buffer; 128 bytes
 * hold every set.
 */
#define WARP_LANES_TEXT 128
char *warp_lanes_format(uint32_t lanes, char buffer[WARP_LANES_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
