/*
 * transpose.cu - rows become columns, in registers: 4 lanes hold a 4 x 4 tile.
 *
 *     lane 0   00 01 02 03       00 10 | 02 12       00 10 20 30
 *     lane 1   10 11 12 13       01 11 | 03 13       01 11 21 31
 *     lane 2   20 21 22 23       20 30 | 22 32       02 12 22 32
 *     lane 3   30 31 32 33       21 31 | 23 33       03 13 23 33
 *                           xor 1               xor 2                number: row, column
 *
 * Why: a thread that loads a row in one go holds 4 neighbours of a row; the next step may need a
 * column. First every 2 x 2 square is transposed (lanes that differ in bit 0, columns that differ
 * in bit 0), then the squares change places (bit 1). Bit by bit, the number of the lane and
 * the number of the register trade places, and that is what a transpose is.
 *
 * In a round a lane keeps half of its row and gives the other half away, which takes 2 shuffles; 2
 * rounds take 4. Eight tiles are transposed together: width 4 makes groups of 4 lanes. 32 lanes
 * with 32 values each would take 5 rounds of 16 shuffles; 4 x 4 shows the whole idea.
 *
 * Result: lane i of 4 holds column i; its four numbers are written one after the other, 2 digits
 * each.
 */
#include "shflviz/program.h"

/* Lanes whose number has the bit laneMask give `low` away and get `high` from their partner;
 * the others the other way round. What a lane gets takes the place of what it gave. */
static __device__ void trade(int &low, int &high, int laneMask) {
    bool isUpper = threadIdx.x & laneMask;
    int give = isUpper ? low : high;
    int get = __shfl_xor_sync(0xffffffff, give, laneMask, 4);
    (isUpper ? low : high) = get;
}

static __global__ void transpose(const int *in, int *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int a = in[thread] * 10, b = a + 1, c = a + 2, d = a + 3; /* a row: 4 registers */

    trade(a, b, 1);
    trade(c, d, 1);
    trade(a, c, 2);
    trade(b, d, 2);

    shflviz_watch(a);
    shflviz_watch(b);
    shflviz_watch(c);
    shflviz_watch(d);
    out[thread] = ((a * 100 + b) * 100 + c) * 100 + d;
}

/* ---- the host's part ---- */

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    return shflviz_run_in_out<int>(run, shflviz_threads(run), [&](const int *in, int *out) {
        void *arguments[] = {&in, &out};
        cudaLaunchKernel(transpose, parameters->blocks, parameters->threads, arguments, 0, 0);
    });
}

SHFLVIZ_PROGRAM_DECLARE(transpose)
const shflviz_program SHFLVIZ_PROGRAM(transpose) = {
    {"transpose",
     "rows become columns in registers: 4 x 4 tiles, xor 1 and xor 2",
     __FILE__,
     SHFLVIZ_SOURCE(transpose),
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_INPUT,
     1u << WARP_TYPE_INT,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 32, nullptr, 32, 1, nullptr, 0},
     "lane % 4"},
    run};
