/*
 * conformance.cu - compares a CUDA or HIP implementation with the tables of data/ and prints a
 * scorecard.
 *
 *     nvcc -arch=native -std=c++17 conformance.cu -o conformance && ./conformance data
 *     hipcc -x hip -std=c++17 conformance.cu -o conformance && ./conformance data
 *     shflviz run conformance.cu -- data
 *
 * -DHAS_PTX=0, -DHAS_MATCH=0 and -DHAS_REDUCE=0 leave out what an implementation does not compile.
 * HIP before version 7 has no member masks: there matches, reductions and __activemask() are not
 * tested, and the other votes are those of the whole warp.
 */
#include "scorecard.h"

#if defined(__HIP__) || defined(__HIPCC__) || defined(__HIP_CPU_RT__)
#include <hip/hip_runtime.h>
#define cudaMalloc             hipMalloc
#define cudaFree               hipFree
#define cudaMemcpy             hipMemcpy
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaGetErrorString     hipGetErrorString
#define cudaGetDeviceCount     hipGetDeviceCount
#define cudaSuccess            hipSuccess
#undef HAS_PTX
#define HAS_PTX 0
#define LAUNCH(KERNEL, ROWS, ...)                                                                  \
    hipLaunchKernelGGL(KERNEL, dim3(ROWS), dim3(32), 0, 0, __VA_ARGS__)
#if !defined(__HIP_CPU_RT__) && HIP_VERSION_MAJOR >= 7 && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#define HAS_MASKS 1
typedef u64 members;
#else
#define HAS_MASKS 0
#endif
#else
#include <cuda_runtime.h>
#define HAS_MASKS                 1
#define LAUNCH(KERNEL, ROWS, ...) KERNEL<<<ROWS, 32>>>(__VA_ARGS__)
typedef u32 members;
#endif
#ifndef HAS_PTX
#define HAS_PTX 1
#endif
#ifndef HAS_MATCH
#define HAS_MATCH HAS_MASKS
#endif
#ifndef HAS_REDUCE
#define HAS_REDUCE HAS_MASKS
#endif

#if HAS_MASKS
#define SHFL(OP, V, A, W) __shfl##OP##_sync((members)0xffffffffu, V, A, W)
#define VOTE_OF(OP, M, P) __##OP##_sync((members)(M), P)
#else
#define SHFL(OP, V, A, W) __shfl##OP(V, A, W)
#define VOTE_OF(OP, M, P) __##OP(P)
#endif

template <class T> __device__ T shuffle(const row &r, T value) {
    switch (r.op) {
    case IDX:
        return SHFL(, value, r.argument, r.width);
    case UP:
        return SHFL(_up, value, r.argument, r.width);
    case DOWN:
        return SHFL(_down, value, r.argument, r.width);
    default:
        return SHFL(_xor, value, r.argument, r.width);
    }
}

/* Each lane passes its number, in a form that uses all bits of the type. */
__global__ void shuffle_32(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = shuffle(rows[blockIdx.x], lane * 0x01010101u) & 31;
}
__global__ void shuffle_64(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    const u64 got = shuffle(rows[blockIdx.x], (u64)lane << 40 | lane);
    out[blockIdx.x * 32 + lane] = (u32)(got >> 40) == (u32)(got & 255) ? (u32)(got & 255) : 99;
}
__global__ void shuffle_double(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = (u32)((shuffle(rows[blockIdx.x], lane + 0.015625) - 0.015625));
}

__global__ void votes(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x;
    [[maybe_unused]] int pred = 0;
    u32 got = 0;
    if (r.mask >> lane & 1) {
        switch (r.op) {
        case BALLOT:
            got = (u32)VOTE_OF(ballot, r.mask, r.value[lane]);
            break;
        case ALL:
            got = VOTE_OF(all, r.mask, r.value[lane]) != 0;
            break;
        case ANY:
            got = VOTE_OF(any, r.mask, r.value[lane]) != 0;
            break;
#if HAS_MATCH
        case MATCH_ANY:
            got = (u32)__match_any_sync((members)r.mask, r.value[lane]);
            break;
        case MATCH_ALL:
            got = (u32)__match_all_sync((members)r.mask, r.value[lane], &pred);
            break;
        default:
            (void)__match_all_sync((members)r.mask, r.value[lane], &pred);
            got = pred != 0;
#endif
        }
    }
    out[blockIdx.x * 32 + lane] = got;
}
#if HAS_REDUCE && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800)
__global__ void reduce(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x, value = r.value[lane];
    u32 got = 0;
    if (r.mask >> lane & 1) {
        switch (r.op) {
        case ADD:
            got = __reduce_add_sync((members)r.mask, value);
            break;
        case MIN:
            got = r.width ? (u32)__reduce_min_sync((members)r.mask, (int)value)
                          : __reduce_min_sync((members)r.mask, value);
            break;
        case MAX:
            got = r.width ? (u32)__reduce_max_sync((members)r.mask, (int)value)
                          : __reduce_max_sync((members)r.mask, value);
            break;
        case AND:
            got = __reduce_and_sync((members)r.mask, value);
            break;
        case OR:
            got = __reduce_or_sync((members)r.mask, value);
            break;
        default:
            got = __reduce_xor_sync((members)r.mask, value);
        }
    }
    out[blockIdx.x * 32 + lane] = got;
}
#else
__global__ void reduce(const row *, u32 *) {}
#endif

#if HAS_PTX
/* The instruction itself, with a clamp that no intrinsic passes, and its predicate in bit 8. */
__global__ void instruction(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x, b = (u32)r.argument, c = (u32)r.width;
    u32 got, p;
#define SHFL_SYNC(MODE)                                                                            \
    asm volatile("{ .reg .pred q; shfl.sync." MODE ".b32 %0|q, %2, %3, %4, 0xffffffff; "           \
                 "selp.u32 %1, 1, 0, q; }"                                                         \
                 : "=r"(got), "=r"(p)                                                              \
                 : "r"(lane), "r"(b), "r"(c))
    switch (r.op) {
    case IDX:
        SHFL_SYNC("idx");
        break;
    case UP:
        SHFL_SYNC("up");
        break;
    case DOWN:
        SHFL_SYNC("down");
        break;
    default:
        SHFL_SYNC("bfly");
    }
    out[blockIdx.x * 32 + lane] = got | p << 8;
}
#else
__global__ void instruction(const row *, u32 *) {}
#endif

#if HAS_MASKS
/* CUDA says little about __activemask(): a lane that calls it is active, a lane that has returned
 * is not. */
__global__ void activemask(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = 1;
    if (!(r.mask >> lane & 1))
        return;
    const u32 active = (u32)__activemask();
    out[blockIdx.x * 32 + lane] = active >> lane & 1;
}
#else
__global__ void activemask(const row *, u32 *) {}
#endif

static offer offers(question question, int op) {
    if (question == INSTRUCTION)
        return HAS_PTX ? OFFERED : NOT_OFFERED;
    if (question == REDUCE)
        return HAS_REDUCE ? OFFERED : NOT_OFFERED;
    if (question == VOTE && op > ANY)
        return HAS_MATCH ? OFFERED : NOT_OFFERED;
    if (question <= SHUFFLE_DOUBLE || HAS_MASKS)
        return OFFERED;
    return question == VOTE ? WITHOUT_MASKS : NOT_OFFERED;
}

static const char *ask(question question, const std::vector<row> &rows, std::vector<u32> &got) {
    static void (*const kernels[])(const row *, u32 *) = {
        shuffle_32, shuffle_64, shuffle_double, votes, reduce, instruction, activemask};
    row *in = nullptr;
    u32 *out = nullptr;
    (void)cudaMalloc((void **)&in, rows.size() * sizeof(row));
    (void)cudaMalloc((void **)&out, got.size() * 4);
    (void)cudaMemcpy(in, rows.data(), rows.size() * sizeof(row), cudaMemcpyHostToDevice);
    (void)cudaMemcpy(out, got.data(), got.size() * 4, cudaMemcpyHostToDevice);
    LAUNCH(kernels[question], (u32)rows.size(), in, out);
    const auto status = cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost);
    (void)cudaFree(in);
    (void)cudaFree(out);
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

int main(int argc, char **argv) {
    int devices = 0;
    const auto status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        fprintf(stderr, "conformance: %s\n", cudaGetErrorString(status));
        return 77;
    }
    return scorecard(argc, argv);
}
