/*
 * parity.cu - one shuffle per warp: the block's number determines its kind, width and argument.
 *
 * It is not a lesson: its results are compared with the rules, on both devices.
 */
#include "parity.h"

#include "shflviz/program.h"

template <class T> static __global__ void parity(const T *in, T *out, int mode) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned existing = blockDim.x - (threadIdx.x - lane);
    unsigned lanes = existing >= 32 ? 0xffffffff : (1u << existing) - 1;
    unsigned members = parity_members(blockIdx.x, lanes, mode);
    int argument = parity_argument(blockIdx.x, lane, mode);
    int width = parity_width(blockIdx.x);
    T value = in[thread];

    if ((mode & PARITY_OUTSIDERS) || members >> lane & 1) {
        switch (parity_op(blockIdx.x)) {
        case 0:
            value = __shfl_sync(members, value, argument, width);
            break;
        case 1:
            value = __shfl_up_sync(members, value, argument, width);
            break;
        case 2:
            value = __shfl_down_sync(members, value, argument, width);
            break;
        default:
            value = __shfl_xor_sync(members, value, argument, width);
        }
    }

    out[thread] = value;
}

template <class T> static cudaError_t run_as(const shflviz_run *run) {
    const program_parameters *parameters = run->parameters;
    device_array<T> in(size_t(parameters->threads) * parameters->blocks), out(in.count);
    in.copy_from_bits(parameters->input);

    int mode = parameters->width;
    void *arguments[] = {&in.data, &out.data, &mode};
    cudaError_t error = in.error == cudaSuccess ? out.error : in.error;
    if (error == cudaSuccess)
        error =
            cudaLaunchKernel(parity<T>, parameters->blocks, parameters->threads, arguments, 0, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess && run->output)
        out.copy_to_bits(run->output);
    return error == cudaSuccess ? out.error : error;
}

static int run(const shflviz_run *run) {
    return shflviz_with_type(run->parameters->type, [run](auto tag) -> int {
        return run_as<typename decltype(tag)::type>(run);
    });
}

SHFLVIZ_PROGRAM_DECLARE(parity)
const shflviz_program SHFLVIZ_PROGRAM(parity) = {
    {"parity",
     "every shuffle, width and argument",
     __FILE__,
     "",
     PROGRAM_TAKES_THREADS | PROGRAM_TAKES_BLOCKS | PROGRAM_TAKES_TYPE | PROGRAM_TAKES_INPUT,
     SHFLVIZ_TYPES_ALL,
     /* type, members, width, argument, threads, blocks, input, count */
     {WARP_TYPE_INT, 0xffffffff, 0, nullptr, 32, PARITY_BLOCKS, nullptr, 0},
     "lane"},
    run};
