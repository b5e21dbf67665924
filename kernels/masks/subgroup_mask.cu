/*
 * subgroup_mask.cu - the mask of a lane's group of 8, and the one with % where / was meant.
 *
 *     lane                   0     1     2  ...    7  |    8     9  ...
 *
 *     lane / 8 * 8           0     0     0         0  |    8     8         where its group begins
 *     0xff << that        00ff  00ff  00ff      00ff  | ff00  ff00
 *
 *     lane % 8               0     1     2         7  |    0     1         its place in the group
 *     0xff << that        00ff  01fe  03fc      7f80  | 00ff  01fe
 *
 * lane / 8 says which group, lane % 8 which place in it. If they are mixed up, the lanes of one
 * group pass eight masks that overlap. Lane 0 waits for lanes 1-7 to call with its mask 0xff, and
 * each of those waits with a different mask; lanes 8-31 are not even in the mask that they pass.
 * Nothing defines what any lane gets.
 *
 * Here the deadlock resolves itself from the end: lanes 8-31 get something and leave the kernel, so
 * lane 7, whose mask names lanes 7-14, has nobody left to wait for; then lane 6, and so on. With
 * one more call for all lanes after it, nobody would leave, and nobody would ever go on. And where
 * all lanes happen to arrive together, nothing may show.
 *
 * Result: the sum of each group, in all its lanes, from the first kernel; from the second, nothing.
 */
#include "shflviz/program.h"

static __device__ int group_sum(unsigned members, int sum) {
    for (int laneMask = 4; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(members, sum, laneMask, 8);
    return sum;
}

static __global__ void mask_by_group(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    unsigned members = 0xffu << (lane / 8 * 8);
    shflviz_watch(members);
    int sum = group_sum(members, in[lane]);
    shflviz_watch(sum);
    if (lane % 8 == 0)
        out[lane / 8] = sum;
}

static __global__ void mask_by_place(const int *in, int *out) {
    unsigned lane = threadIdx.x;
    unsigned members = 0xffu << (lane % 8);
    shflviz_watch(members);
    int sum = group_sum(members, in[lane]);
    shflviz_watch(sum);
    if (lane % 8 == 0)
        out[4 + lane / 8] = sum;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, 8, [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(mask_by_group, 1, parameters->threads, arguments, 0, 0);
        cudaLaunchKernel(mask_by_place, 1, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(subgroup_mask)
const shflviz_program SHFLVIZ_PROGRAM(subgroup_mask) = {
    {"subgroup-mask",
     "the mask of a group of 8, with / and with %",
     __FILE__,
     SHFLVIZ_SOURCE(subgroup_mask),
     PROGRAM_TAKES_INPUT | PROGRAM_IS_UNDEFINED,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
