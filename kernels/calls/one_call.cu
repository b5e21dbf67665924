/*
 * one_call.cu - the warp functions that are not shuffles, one call each.
 *
 * "What does this line do?" is a question about one line. Each kernel below makes one call, in the
 * lanes of `members`, and does nothing else:
 *
 *     __ballot_sync        bit i is 1 if lane i said yes
 *     __any_sync           1 if some lane said yes           __all_sync         1 if all did
 *     __match_any_sync     the lanes with the same value     __match_all_sync   all lanes, or none
 *     __reduce_add_sync    one value made of all of them; min, max, and, or, xor likewise
 *     __syncwarp           waits for the others              __activemask       which lanes run
 *
 * The reductions need compute capability 8.0, the matches 7.0.
 *
 * Result: each lane that calls holds what the call returned, the others their input.
 */
#include "shflviz/program.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REDUCE(CALL) CALL
#else
#define REDUCE(CALL) (__trap(), value) /* nvcc lacks it for older devices */
#endif

#define ONE_CALL(NAME, CALL)                                                                       \
    template <class T> static __global__ void NAME(const T *in, T *out, unsigned members) {        \
        unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                                   \
        unsigned lane = threadIdx.x % 32;                                                          \
        T value = in[thread];                                                                      \
        int pred = 0;                                                                              \
        out[thread] = members >> lane & 1 ? T(CALL) : value;                                       \
        (void)pred;                                                                                \
    }

ONE_CALL(ballot_sync, __ballot_sync(members, value))
ONE_CALL(any_sync, __any_sync(members, value))
ONE_CALL(all_sync, __all_sync(members, value))
ONE_CALL(match_any_sync, __match_any_sync(members, value))
ONE_CALL(match_all_sync, __match_all_sync(members, value, &pred))
ONE_CALL(reduce_add_sync, REDUCE(__reduce_add_sync(members, value)))
ONE_CALL(reduce_min_sync, REDUCE(__reduce_min_sync(members, value)))
ONE_CALL(reduce_max_sync, REDUCE(__reduce_max_sync(members, value)))
ONE_CALL(reduce_and_sync, REDUCE(__reduce_and_sync(members, value)))
ONE_CALL(reduce_or_sync, REDUCE(__reduce_or_sync(members, value)))
ONE_CALL(reduce_xor_sync, REDUCE(__reduce_xor_sync(members, value)))
ONE_CALL(one_syncwarp, (__syncwarp(members), value))
ONE_CALL(one_activemask, __activemask())

/* ---- the host's part ---- */

#define LAUNCH(T, KERNEL)                                                                          \
    return shflviz_run_in_out<T>(run, shflviz_threads(run), [&](const T *in, T *out) {             \
        unsigned members = run->parameters->members;                                               \
        void *arguments[] = {&in, &out, &members};                                                 \
        cudaLaunchKernel(KERNEL<T>, run->parameters->blocks, run->parameters->threads, arguments,  \
                         0, 0);                                                                    \
    });

#define INT_ONLY (1u << WARP_TYPE_INT)
#define BITS     (1u << WARP_TYPE_UNSIGNED)
#define WORDS    (INT_ONLY | BITS)
#define MATCH_TYPES                                                                                \
    (WORDS | 1u << WARP_TYPE_LONG_LONG | 1u << WARP_TYPE_UNSIGNED_LONG_LONG |                      \
     1u << WARP_TYPE_FLOAT | 1u << WARP_TYPE_DOUBLE)

#define MATCH_CASE(TYPE, T, KERNEL)                                                                \
    case TYPE:                                                                                     \
        LAUNCH(T, KERNEL)
#define WORD_RUN(KERNEL)                                                                           \
    if (run->parameters->type == WARP_TYPE_INT)                                                    \
        LAUNCH(int, KERNEL)                                                                        \
    LAUNCH(unsigned, KERNEL)
#define MATCH_RUN(KERNEL)                                                                          \
    switch (run->parameters->type) {                                                               \
        MATCH_CASE(WARP_TYPE_UNSIGNED, unsigned, KERNEL)                                           \
        MATCH_CASE(WARP_TYPE_LONG_LONG, long long, KERNEL)                                         \
        MATCH_CASE(WARP_TYPE_UNSIGNED_LONG_LONG, unsigned long long, KERNEL)                       \
        MATCH_CASE(WARP_TYPE_FLOAT, float, KERNEL)                                                 \
        MATCH_CASE(WARP_TYPE_DOUBLE, double, KERNEL)                                               \
    default:                                                                                       \
        LAUNCH(int, KERNEL)                                                                        \
    }

extern "C" const char SHFLVIZ_SOURCE(one_call)[];

/* A program that makes one of the calls, with the types that the function has. */
#define PROGRAM_OF(NAME, COMMAND, SUMMARY, TAKES, TYPES, TYPE, INPUT, RUN)                         \
    static int run_##NAME(const shflviz_run *run){RUN} SHFLVIZ_PROGRAM_DECLARE(NAME)               \
        const shflviz_program SHFLVIZ_PROGRAM(NAME) = {                                            \
            {COMMAND,                                                                              \
             SUMMARY,                                                                              \
             __FILE__,                                                                             \
             SHFLVIZ_SOURCE(one_call),                                                             \
             PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS |                \
                 PROGRAM_TAKES_INPUT | (TAKES),                                                    \
             TYPES,                                                                                \
             {TYPE, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},                                   \
             INPUT},                                                                               \
            run_##NAME};

PROGRAM_OF(ballot_sync, "ballot-sync", "one __ballot_sync: which lanes say yes", 0, INT_ONLY,
           WARP_TYPE_INT, "lane < 5", LAUNCH(int, ballot_sync))
PROGRAM_OF(any_sync, "any-sync", "one __any_sync: does some lane say yes?", 0, INT_ONLY,
           WARP_TYPE_INT, "lane == 7", LAUNCH(int, any_sync))
PROGRAM_OF(all_sync, "all-sync", "one __all_sync: do all lanes say yes?", 0, INT_ONLY,
           WARP_TYPE_INT, "lane < 31", LAUNCH(int, all_sync))
PROGRAM_OF(match_any_sync, "match-any-sync",
           "one __match_any_sync: which lanes hold the value of this one?", PROGRAM_TAKES_TYPE,
           MATCH_TYPES, WARP_TYPE_INT, "lane / 4", MATCH_RUN(match_any_sync))
PROGRAM_OF(match_all_sync, "match-all-sync",
           "one __match_all_sync: do all lanes hold the same value?", PROGRAM_TAKES_TYPE,
           MATCH_TYPES, WARP_TYPE_INT, "7", MATCH_RUN(match_all_sync))
PROGRAM_OF(reduce_add_sync, "reduce-add-sync",
           "one __reduce_add_sync: the sum of all lanes in every lane", PROGRAM_TAKES_TYPE, WORDS,
           WARP_TYPE_INT, "lane", WORD_RUN(reduce_add_sync))
PROGRAM_OF(reduce_min_sync, "reduce-min-sync",
           "one __reduce_min_sync: the smallest value of all lanes in every lane",
           PROGRAM_TAKES_TYPE, WORDS, WARP_TYPE_INT, "lane", WORD_RUN(reduce_min_sync))
PROGRAM_OF(reduce_max_sync, "reduce-max-sync",
           "one __reduce_max_sync: the largest value of all lanes in every lane",
           PROGRAM_TAKES_TYPE, WORDS, WARP_TYPE_INT, "lane", WORD_RUN(reduce_max_sync))
PROGRAM_OF(reduce_and_sync, "reduce-and-sync",
           "one __reduce_and_sync: the bits that all lanes have", 0, BITS, WARP_TYPE_UNSIGNED,
           "lane | 16", LAUNCH(unsigned, reduce_and_sync))
PROGRAM_OF(reduce_or_sync, "reduce-or-sync", "one __reduce_or_sync: the bits that some lane has", 0,
           BITS, WARP_TYPE_UNSIGNED, "lane", LAUNCH(unsigned, reduce_or_sync))
PROGRAM_OF(reduce_xor_sync, "reduce-xor-sync",
           "one __reduce_xor_sync: the bits that an odd number of lanes have", 0, BITS,
           WARP_TYPE_UNSIGNED, "lane", LAUNCH(unsigned, reduce_xor_sync))
PROGRAM_OF(one_syncwarp, "syncwarp", "one __syncwarp: lanes wait for one another", 0, INT_ONLY,
           WARP_TYPE_INT, "lane", LAUNCH(int, one_syncwarp))
PROGRAM_OF(one_activemask, "activemask-call",
           "one __activemask: which lanes run this call together", PROGRAM_IS_UNDEFINED, INT_ONLY,
           WARP_TYPE_INT, "lane", LAUNCH(int, one_activemask))
