/*
 * trouble.cu - many shuffles in every warp, and then, if requested, a failure (trouble.h).
 *
 * It is not a lesson: the tests look at the recording.
 */
#include "trouble.h"

#include "shflviz/program.h"

static __global__ void trouble(unsigned *out, int kind, volatile unsigned *nowhere) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned round = 0; round < TROUBLE_ROUNDS; round++)
        sum += __shfl_xor_sync(0xffffffff, trouble_value(thread / 32, thread % 32, round), 1);

    if (kind == TROUBLE_FAULT)
        *nowhere = sum;
#ifdef __CUDACC__
    if (kind == TROUBLE_TRAP)
        __trap();
#endif
    while (kind == TROUBLE_ENDLESS && out[thread] != 1)
        *(volatile unsigned *)(out + thread) = 0;
    out[thread] = sum;
}

static int run(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    device_array<unsigned> out(size_t(parameters->threads) * parameters->blocks);
    unsigned *nowhere = nullptr;
    int kind = parameters->width;
    size_t shared = kind == TROUBLE_SHAPE ? size_t(1) << 20 : 0;
    void *arguments[] = {&out.data, &kind, &nowhere};
    cudaError_t error = out.error;
    if (error == cudaSuccess)
        error = cudaLaunchKernel(trouble, parameters->blocks, parameters->threads, arguments,
                                 shared, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    return error;
}

SHFLVIZ_PROGRAM_DECLARE(trouble)
const shflviz_program SHFLVIZ_PROGRAM(trouble) = {
    {"trouble",
     "many shuffles, and then a failure",
     __FILE__,
     "",
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS,
     1u << WARP_TYPE_UNSIGNED,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_UNSIGNED, 0xffffffff, 0, nullptr, 32, 1, nullptr, 0},
     "lane"},
    run};
