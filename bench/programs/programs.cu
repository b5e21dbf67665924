// programs.cu - programs as students write them, for bench/programs/run: the processor time of each
// kernel in ms, the best of three runs, and a sum of its results. plain.cc does the same in loops.
// Each launch is on a separate line, because bench/programs/run turns these lines into HIP's and
// defines HIP.
#include "sizes.h"
#include <cstdio>
#include <ctime>
#include <functional>

/* The number of the program to run; if it is not defined, all of them run. */
#ifdef PROGRAM
#define WANTED(NUMBER) (PROGRAM == NUMBER)
#else
#define WANTED(NUMBER) 1
#endif

#if WANTED(1)
__global__ void vector_add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
#endif

#if WANTED(2)
__global__ void product(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
#endif

#if WANTED(3)
__global__ void tiled_product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int tile = 0; tile < n / TILE; tile++) {
        left[y][x] = a[row * n + tile * TILE + x];
        right[y][x] = b[(tile * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
#endif

#if WANTED(4)
__global__ void histogram(const int *in, int *bins, int n) {
    __shared__ int mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
#endif

#if WANTED(5)
/* Each block scans its own BLOCK elements (Hillis and Steele). */
__global__ void scan(const int *in, int *out) {
    __shared__ int rows[2][BLOCK];
    int t = threadIdx.x, from = 0;
    rows[0][t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        rows[1 - from][t] = rows[from][t] + (t >= distance ? rows[from][t - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + t] = rows[from][t];
}
#endif

#if WANTED(6)
__global__ void nbody(const float4 *body, float4 *force, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
        float dx = body[j].x - me.x, dy = body[j].y - me.y, dz = body[j].z - me.z;
        float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float s = body[j].w * r * r * r;
        x += dx * s;
        y += dy * s;
        z += dz * s;
    }
    force[i] = make_float4(x, y, z, 0);
}
#endif

#if WANTED(7)
__global__ void stencil(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                 in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
#endif

#if WANTED(8)
/* A block for each row of ROW elements. */
__global__ void softmax(const float *in, float *out) {
    __shared__ float room[BLOCK];
    const float *row = in + (size_t)blockIdx.x * ROW;
    int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < ROW; i += BLOCK)
        most = fmaxf(most, row[i]);
    room[t] = most;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            room[t] = fmaxf(room[t], room[t + half]);
        __syncthreads();
    }
    most = room[0];
    __syncthreads();
    for (int i = t; i < ROW; i += BLOCK)
        sum += expf(row[i] - most);
    room[t] = sum;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            room[t] += room[t + half];
        __syncthreads();
    }
    for (int i = t; i < ROW; i += BLOCK)
        out[(size_t)blockIdx.x * ROW + i] = expf(row[i] - most) / room[0];
}
#endif

#if WANTED(9)
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
#endif

#if WANTED(10)
/* The sum of a block's elements, in nine versions: out[blockIdx.x]. */
template <int VERSION> __global__ void reduce(const int *in, int *out, int n) {
    __shared__ int room[BLOCK];
    const int t = threadIdx.x;
    int value = 0;
    if (VERSION < 3)
        value = in[blockIdx.x * BLOCK + t];
    else if (VERSION < 6) /* the first addition while loading */
        value = in[blockIdx.x * BLOCK * 2 + t] + in[blockIdx.x * BLOCK * 2 + BLOCK + t];
    else
        for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
            value += in[i];
#ifndef HIP /* its warps do not have 32 lanes */
    if (VERSION >= 7) {
        for (int lanes = 16; lanes > 0; lanes /= 2)
            value += __shfl_down_sync(0xffffffff, value, lanes);
        if (VERSION == 8) {
            if (t % 32 == 0)
                atomicAdd(out, value);
            return;
        }
        if (t % 32 == 0)
            room[t / 32] = value;
        __syncthreads();
        if (t < 32) {
            value = t < BLOCK / 32 ? room[t] : 0;
            for (int lanes = 16; lanes > 0; lanes /= 2)
                value += __shfl_down_sync(0xffffffff, value, lanes);
        }
        if (t == 0)
            out[blockIdx.x] = value;
        return;
    }
#endif
    room[t] = value;
    __syncthreads();
    if (VERSION == 0) { /* neighbours, every second thread, every fourth, ... */
        for (int distance = 1; distance < BLOCK; distance *= 2) {
            if (t % (2 * distance) == 0)
                room[t] += room[t + distance];
            __syncthreads();
        }
    } else if (VERSION == 1) { /* neighbours, by the first threads */
        for (int distance = 1; distance < BLOCK; distance *= 2) {
            if (2 * distance * t < BLOCK)
                room[2 * distance * t] += room[2 * distance * t + distance];
            __syncthreads();
        }
    } else { /* halves; the last warp alone from version 4 on, unrolled from version 5 on */
        const int last = VERSION < 4 ? 0 : 32;
        if (VERSION >= 5) {
#pragma unroll
            for (int half = BLOCK / 2; half > last; half /= 2) {
                if (t < half)
                    room[t] += room[t + half];
                __syncthreads();
            }
        } else {
            for (int half = BLOCK / 2; half > last; half /= 2) {
                if (t < half)
                    room[t] += room[t + half];
                __syncthreads();
            }
        }
#ifndef HIP
        if (VERSION >= 4 && t < 32)
            for (int half = 32; half > 0; half /= 2) {
                int sum = room[t] + (t + half < BLOCK ? room[t + half] : 0);
                __syncwarp();
                room[t] = sum;
                __syncwarp();
            }
#endif
    }
    if (t == 0)
        out[blockIdx.x] = room[0];
}
#endif

template <class T> static T *made(size_t count) {
    T *memory = nullptr;
    cudaMallocManaged(&memory, count * sizeof(T));
    return memory;
}

/* Processor seconds used by the process. */
static double processor() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *name, const std::function<void()> &clear,
                    const std::function<void()> &launch, const std::function<double()> &sum) {
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        clear();
        const double begin = processor();
        launch();
        cudaDeviceSynchronize();
        const double took = processor() - begin;
        least = took < least ? took : least;
    }
    printf("%s %.3f %.6g\n", name, least * 1e3, sum());
    fflush(stdout);
}

template <class T> static double added(const T *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

int main() {
    float *a = made<float>(ADD_N), *b = made<float>(ADD_N), *c = made<float>(ADD_N);
    int *in = made<int>(SUM_N), *out = made<int>(SUM_N);
    fill(a, b, in);
    auto nothing = [] {};
    auto clear = [&] { memset(out, 0, SUM_N * sizeof *out); };
    const dim3 square(TILE, TILE), tiles(MATRIX_N / TILE, MATRIX_N / TILE),
        picture(IMAGE_N / TILE, IMAGE_N / TILE);

#if WANTED(1)
    auto launch_add = [&] { vector_add<<<(ADD_N + 255) / 256, 256>>>(a, b, c, ADD_N); };
    measure("vector-add", nothing, launch_add, [&] { return added(c, ADD_N); });
#endif
#if WANTED(2)
    auto launch_product = [&] { product<<<tiles, square>>>(a, b, c, MATRIX_N); };
    measure("matrix-product", nothing, launch_product,
            [&] { return added(c, MATRIX_N * MATRIX_N); });
#endif
#if WANTED(3)
    auto launch_tiled = [&] { tiled_product<<<tiles, square>>>(a, b, c, MATRIX_N); };
    measure("tiled-product", nothing, launch_tiled, [&] { return added(c, MATRIX_N * MATRIX_N); });
#endif
#if WANTED(4)
    auto launch_histogram = [&] { histogram<<<64, 256>>>(in, out, SUM_N); };
    measure("histogram", clear, launch_histogram, [&] { return (double)out[7] * out[200]; });
#endif
#if WANTED(5)
    auto launch_scan = [&] { scan<<<SUM_N / BLOCK, BLOCK>>>(in, out); };
    measure("scan", clear, launch_scan, [&] { return added(out, SUM_N); });
#endif
#if WANTED(6)
    auto launch_nbody = [&] { nbody<<<BODIES / 256, 256>>>((float4 *)a, (float4 *)c, BODIES); };
    measure("n-body", nothing, launch_nbody, [&] { return added(c, 4 * BODIES); });
#endif
    memset(c, 0, sizeof(float) * IMAGE_N * IMAGE_N);
#if WANTED(7)
    auto launch_stencil = [&] { stencil<<<picture, square>>>(a, c, IMAGE_N); };
    measure("stencil", nothing, launch_stencil, [&] { return added(c, IMAGE_N * IMAGE_N); });
#endif
#if WANTED(8)
    auto launch_softmax = [&] { softmax<<<ROWS, BLOCK>>>(a, c); };
    measure("softmax", nothing, launch_softmax, [&] { return added(c, ROWS * ROW); });
#endif
#if WANTED(9)
    auto launch_transpose = [&] { transpose<<<picture, square>>>(a, c, IMAGE_N); };
    measure("transpose", nothing, launch_transpose, [&] { return weighed(c, IMAGE_N * IMAGE_N); });
#endif

#if WANTED(10)
    auto sum = [&] { return added(out, SUM_N / BLOCK); };
#ifdef HIP
#define REDUCE(VERSION, BLOCKS)                                                                    \
    measure(                                                                                       \
        "reduce-v" #VERSION, clear,                                                                \
        [&] {                                                                                      \
            hipLaunchKernelGGL((reduce<VERSION>), dim3(BLOCKS), dim3(BLOCK), 0, 0, in, out,        \
                               SUM_N);                                                             \
        },                                                                                         \
        sum)
#else
#define REDUCE(VERSION, BLOCKS)                                                                    \
    measure(                                                                                       \
        "reduce-v" #VERSION, clear, [&] { reduce<VERSION><<<BLOCKS, BLOCK>>>(in, out, SUM_N); },   \
        sum)
#endif
    REDUCE(0, SUM_N / BLOCK);
    REDUCE(1, SUM_N / BLOCK);
    REDUCE(2, SUM_N / BLOCK);
    REDUCE(3, SUM_N / BLOCK / 2);
#ifndef HIP
    REDUCE(4, SUM_N / BLOCK / 2);
    REDUCE(5, SUM_N / BLOCK / 2);
    REDUCE(6, 256);
    REDUCE(7, 256);
    REDUCE(8, 256);
#endif
#endif
    return 0;
}
