/*
 * votes.cu - a yes or no from every lane: who, anyone, everyone?
 *
 *     lane           0   1   2   3   4   5   6   7  ...
 *     value          0   7  14  21  28   3  10  17
 *     value > 20     .   .   .   1   1   .   .   .
 *
 *     __ballot_sync  ... 0001 1000   a number: bit i is the answer of lane i
 *     __any_sync     not 0           somebody said yes
 *     __all_sync     0               somebody said no
 *
 * Why: a vote needs no value to travel. One instruction asks all lanes, and all of them get the
 * same answer, so a branch on it keeps the warp together. From the ballot a lane reads much more
 * than how many said yes: which lanes did, and how many of them come before it (compact.cu).
 *
 * Result: every calling lane holds 2 if all said yes, 1 if some did, 0 if none. Only the lanes in
 * `members` call; in the ballot the bit of a lane that does not is 0, whatever its value is.
 */
#include "shflviz/program.h"

static __global__ void votes(const int *in, int *out, unsigned members) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    int value = in[thread];
    int verdict = 0;

    if (members >> lane & 1) {
        unsigned who = __ballot_sync(members, value > 20);
        int anyone = __any_sync(members, value > 20);
        int everyone = __all_sync(members, value > 20);

        int howMany = __popc(who); /* the bits that are 1 */
        shflviz_watch(howMany);
        verdict = everyone ? 2 : anyone ? 1 : 0; /* all, some, none */
        shflviz_watch(verdict);
    }

    out[thread] = verdict;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    unsigned members = parameters->members;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out, &members};
        cudaLaunchKernel(votes, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(votes)
const shflviz_program SHFLVIZ_PROGRAM(votes) = {
    {"votes",
     "a yes or no from every lane: ballot, any and all",
     __FILE__,
     SHFLVIZ_SOURCE(votes),
     PROGRAM_TAKES_MEMBERS | PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane * 7 % 32"},
    run};
