#include "launch/call_function.h"

#include "base/text.h"

#include <string.h>

#define SHUFFLE(NAME, OP, COMMAND, OPTION, PARAMETER, ASSUMED)                                     \
    {"__shfl" NAME "_sync",                                                                        \
     OP,                                                                                           \
     COMMAND,                                                                                      \
     OPTION,                                                                                       \
     "mask, var, " PARAMETER ", width",                                                            \
     3,                                                                                            \
     4,                                                                                            \
     false,                                                                                        \
     ASSUMED},                                                                                     \
        {"__shfl" NAME, OP, COMMAND, OPTION, "var, " PARAMETER ", width", 2, 3, false, ASSUMED}, { \
        "shfl" NAME, OP, COMMAND, OPTION, "var, " PARAMETER, 2, 2, true, ASSUMED                   \
    }
#define OTHER(NAME, OP, COMMAND, PARAMETERS, COUNT, MOST)                                          \
    { NAME, OP, COMMAND, NULL, PARAMETERS, COUNT, MOST, false, 0 }
#define MEMBER(NAME, OP, COMMAND, PARAMETERS, COUNT, MOST)                                         \
    { NAME, OP, COMMAND, NULL, PARAMETERS, COUNT, MOST, true, 0 }

static const struct call_function functions[] = {
    SHUFFLE("", WARP_OP_IDX, "idx", "src", "srcLane", 0),
    SHUFFLE("_up", WARP_OP_UP, "up", "delta", "delta", 1),
    SHUFFLE("_down", WARP_OP_DOWN, "down", "delta", "delta", 16),
    SHUFFLE("_xor", WARP_OP_XOR, "xor", "mask", "laneMask", 16),
    OTHER("__ballot_sync", WARP_OP_BALLOT, "ballot-sync", "mask, predicate", 2, 2),
    OTHER("__any_sync", WARP_OP_ANY, "any-sync", "mask, predicate", 2, 2),
    OTHER("__all_sync", WARP_OP_ALL, "all-sync", "mask, predicate", 2, 2),
    OTHER("__match_any_sync", WARP_OP_MATCH_ANY, "match-any-sync", "mask, value", 2, 2),
    OTHER("__match_all_sync", WARP_OP_MATCH_ALL, "match-all-sync", "mask, value, pred", 3, 3),
    OTHER("__reduce_add_sync", WARP_OP_REDUCE_ADD, "reduce-add-sync", "mask, value", 2, 2),
    OTHER("__reduce_min_sync", WARP_OP_REDUCE_MIN, "reduce-min-sync", "mask, value", 2, 2),
    OTHER("__reduce_max_sync", WARP_OP_REDUCE_MAX, "reduce-max-sync", "mask, value", 2, 2),
    OTHER("__reduce_and_sync", WARP_OP_REDUCE_AND, "reduce-and-sync", "mask, value", 2, 2),
    OTHER("__reduce_or_sync", WARP_OP_REDUCE_OR, "reduce-or-sync", "mask, value", 2, 2),
    OTHER("__reduce_xor_sync", WARP_OP_REDUCE_XOR, "reduce-xor-sync", "mask, value", 2, 2),
    OTHER(CALL_GROUP_REDUCE, WARP_OP_REDUCE_ADD, "reduce-add-sync", "group, value, cg::plus<T>()",
          3, 3),
    OTHER("__syncwarp", WARP_OP_SYNC, "syncwarp", "mask", 0, 1),
    OTHER("__activemask", WARP_OP_ACTIVEMASK, "activemask-call", "", 0, 0),
    MEMBER("ballot", WARP_OP_BALLOT, "ballot-sync", "predicate", 1, 1),
    MEMBER("any", WARP_OP_ANY, "any-sync", "predicate", 1, 1),
    MEMBER("all", WARP_OP_ALL, "all-sync", "predicate", 1, 1),
    MEMBER("match_any", WARP_OP_MATCH_ANY, "match-any-sync", "value", 1, 1),
    MEMBER("match_all", WARP_OP_MATCH_ALL, "match-all-sync", "value, pred", 2, 2),
    MEMBER("sync", WARP_OP_SYNC, "syncwarp", "", 0, 0),
};
#define FUNCTION_COUNT (sizeof functions / sizeof *functions)

const struct call_function *call_function_named(const char *name, size_t length, bool is_member) {
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const char *known = functions[i].name;
        if (functions[i].is_member != is_member)
            continue;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &functions[i];
        known += strspn(known, "_");
        if (!is_member && string_ends_with(known, "_sync") && strlen(known) == length &&
            memcmp(known, name, length) == 0)
            return &functions[i];
    }
    return NULL;
}

const struct call_function *call_function_of_operator(const char *words) {
    static const char *const named[][2] = {
        {"plus", "__reduce_add_sync"},    {"less", "__reduce_min_sync"},
        {"greater", "__reduce_max_sync"}, {"bit_and", "__reduce_and_sync"},
        {"bit_or", "__reduce_or_sync"},   {"bit_xor", "__reduce_xor_sync"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strstr(words, named[i][0]))
            return call_function_named(named[i][1], strlen(named[i][1]), false);
    return NULL;
}

int call_function(const char *name) {
    const struct call_function *function = call_function_named(name, strlen(name), false);
    return function ? (int)function->op : -1;
}

const char *call_signature(enum warp_op op) {
    static const char *const signatures[WARP_OP_COUNT] = {
        [WARP_OP_IDX] = "T __shfl_sync(unsigned mask, T var, int srcLane, int width = warpSize)",
        [WARP_OP_UP] =
            "T __shfl_up_sync(unsigned mask, T var, unsigned delta, int width = warpSize)",
        [WARP_OP_DOWN] =
            "T __shfl_down_sync(unsigned mask, T var, unsigned delta, int width = warpSize)",
        [WARP_OP_XOR] =
            "T __shfl_xor_sync(unsigned mask, T var, int laneMask, int width = warpSize)",
        [WARP_OP_BALLOT] = "unsigned __ballot_sync(unsigned mask, int predicate)",
        [WARP_OP_ANY] = "int __any_sync(unsigned mask, int predicate)",
        [WARP_OP_ALL] = "int __all_sync(unsigned mask, int predicate)",
        [WARP_OP_MATCH_ANY] = "unsigned __match_any_sync(unsigned mask, T value)",
        [WARP_OP_MATCH_ALL] = "unsigned __match_all_sync(unsigned mask, T value, int *pred)",
        [WARP_OP_REDUCE_ADD] = "T __reduce_add_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_MIN] = "T __reduce_min_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_MAX] = "T __reduce_max_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_AND] = "unsigned __reduce_and_sync(unsigned mask, unsigned value)",
        [WARP_OP_REDUCE_OR] = "unsigned __reduce_or_sync(unsigned mask, unsigned value)",
        [WARP_OP_REDUCE_XOR] = "unsigned __reduce_xor_sync(unsigned mask, unsigned value)",
        [WARP_OP_SYNC] = "void __syncwarp(unsigned mask = 0xffffffff)",
        [WARP_OP_ACTIVEMASK] = "unsigned __activemask()",
    };
    return signatures[op];
}
