/*
 * reduction.h - the host's interface to kernels that add up n values.
 *
 * Such a kernel is launched by its program, which records it, and by callers that have values
 * on the device already: the tests, with any n and any shape, and the benchmark. All go through one
 * struct per file.
 *
 * For a GPU a file may be compiled twice, with the recorder and without (bare, to be measured): the
 * names differ and kernels are static, so neither build calls those of the other.
 */
#ifndef SHFLVIZ_REDUCTION_H
#define SHFLVIZ_REDUCTION_H

#include "shflviz/program.h"
#include "shflviz/watch.h"
#include <stddef.h>

struct shflviz_reduction {
    const char *name;
    /*
     * Adds the sum of in[0] .. in[n - 1] to *sum; `in` and `sum` are the device's memory. The sum
     * is an int for WARP_TYPE_INT, a float for WARP_TYPE_FLOAT and WARP_TYPE_HALF; a file that
     * needs room for more than one documents it. If `blocks` is 0, as many run as the device
     * holds at a time. Does not wait for the kernel. Returns a cudaError_t.
     */
    int (*launch)(enum warp_type type, const void *in, size_t n, void *sum, unsigned blocks,
                  unsigned threads);
};

#define SHFLVIZ_TYPES_SUMMED (1u << WARP_TYPE_INT | 1u << WARP_TYPE_FLOAT | 1u << WARP_TYPE_HALF)

#if defined(__CUDACC__) && !defined(SHFLVIZ_RECORDING)
#undef SHFLVIZ_PROGRAM
#define SHFLVIZ_PROGRAM(name)   shflviz_bare_program_##name
#define SHFLVIZ_REDUCTION(name) shflviz_bare_reduction_##name
#elif defined(__CUDACC__)
#define SHFLVIZ_REDUCTION(name) shflviz_gpu_reduction_##name
#else
#define SHFLVIZ_REDUCTION(name) shflviz_cpu_reduction_##name
#endif

#ifdef __cplusplus
#include <type_traits>

#define SHFLVIZ_REDUCTION_DECLARE(name)                                                            \
    extern "C" const struct shflviz_reduction SHFLVIZ_REDUCTION(name);

/* The type of a sum of values of T: a half has 11 bits, too few for a sum; see
 * grid_reduce_half.cu. */
template <class T> struct sum_type { typedef T type; };
template <> struct sum_type<__half> { typedef float type; };

/* Calls run(type_tag<T>()) for the types that sums are built for. */
template <class Run> static inline int shflviz_with_summed(enum warp_type type, Run run) {
    switch (type) {
    case WARP_TYPE_INT:
        return run(type_tag<int>());
    case WARP_TYPE_FLOAT:
        return run(type_tag<float>());
    case WARP_TYPE_HALF:
        return run(type_tag<__half>());
    default:
        return cudaErrorInvalidValue;
    }
}

/* As many blocks as the device holds at a time, so that none waits for another to end. The CPU warp
 * runs one block after another, so two are enough. */
template <class Kernel> static inline unsigned blocks_at_a_time(Kernel kernel, unsigned threads) {
#ifdef __CUDACC__
    int device = 0, processors = 1, blocks = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)threads, 0);
    return (unsigned)(processors * (blocks > 0 ? blocks : 1));
#else
    (void)kernel, (void)threads;
    return 2;
#endif
}

/* Bits of a sum as bits of the type that was asked for: a half is rounded once, at the end. */
static inline uint64_t sum_bits(enum warp_type type, uint32_t sum) {
    if (type != WARP_TYPE_HALF)
        return sum;
    float wide;
    memcpy(&wide, &sum, sizeof wide);
    __half narrow = __float2half(wide);
    uint64_t bits = 0;
    memcpy(&bits, static_cast<void *>(&narrow), sizeof narrow);
    return bits;
}

/*
 * Runs a reduction as a program. Its launch adds to `sums` sums, all 0 before; those from `first`
 * on are the program's results, one per thread; a thread without a sum gets 0. Afterwards
 * show(pointer to the first sum) may launch a kernel that watches them: while the reduction runs,
 * their values depend on which block came first.
 */
template <class Show>
static inline int shflviz_run_reduction(const shflviz_run *run, const shflviz_reduction *reduction,
                                        size_t sums, size_t first, Show show) {
    const program_parameters *parameters = run->parameters;
    device_array<uint32_t> total(sums);
    if (total.error == cudaSuccess)
        total.error = cudaMemset(total.data, 0, sums * sizeof *total.data);
    if (total.error != cudaSuccess)
        return total.error;
    int status = shflviz_with_summed(parameters->type, [&](auto tag) -> int {
        typedef typename decltype(tag)::type T;
        device_array<T> in(program_input_count(parameters));
        in.copy_from_bits(parameters->input);
        if (in.error != cudaSuccess)
            return in.error;
        int launched = reduction->launch(parameters->type, in.data, in.count, total.data,
                                         parameters->blocks, parameters->threads);
        if (launched == cudaSuccess)
            launched = show(reinterpret_cast<typename sum_type<T>::type *>(total.data));
        int finished = cudaDeviceSynchronize();
        return finished != cudaSuccess ? finished : launched;
    });
    if (status != cudaSuccess || !run->output)
        return status;
    uint32_t *returned = static_cast<uint32_t *>(malloc(sums * sizeof *returned));
    if (!returned)
        return cudaErrorMemoryAllocation;
    total.copy_to(returned);
    for (size_t thread = 0; thread < size_t(parameters->threads) * parameters->blocks; thread++)
        run->output[thread] =
            first + thread < sums ? sum_bits(parameters->type, returned[first + thread]) : 0;
    free(returned);
    return total.error;
}
#endif

#endif
