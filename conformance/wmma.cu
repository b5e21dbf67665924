// Prints, as a table, which matrix elements each lane's wmma fragments hold on this device. CUDA
// does not specify it.
//
//     nvcc -arch=native -std=c++17 wmma.cu -o wmma && ./wmma | diff - data/wmma.csv
//
// A matrix whose elements are all different is loaded, by rows and by columns, and each lane
// reports what it got. Exits with 1 if the two ways differ, 2 without a device that can run it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

using namespace nvcuda;

enum { LANES = 32, ELEMENTS_MOST = 32, CELLS_MOST = 512 };
static int failed;

__device__ static void set(__half &to, int value) {
    to = __int2half_rn(value);
}
__device__ static void set(__nv_bfloat16 &to, int value) {
    to = __float2bfloat16((float)value);
}
template <class T> __device__ static void set(T &to, int value) {
    to = (T)value;
}
__device__ static int get(__half from) {
    return __half2int_rn(from);
}
__device__ static int get(__nv_bfloat16 from) {
    return (int)__bfloat162float(from);
}
template <class T> __device__ static int get(T from) {
    return (int)from;
}

// A cell's number goes through the fragment in two parts, since 8 bits cannot hold 511. `by_row`:
// the matrix is stored by rows.
template <class Fragment, class T, class Load>
__device__ void observe(int rows, int columns, bool by_row, int *out, int *count, Load load) {
    __shared__ T memory[CELLS_MOST];
    Fragment fragment;
    *count = fragment.num_elements;
    for (int part = 0; part < 2; part++) {
        __syncwarp();
        for (int i = threadIdx.x; i < rows * columns; i += LANES) {
            const int cell = by_row ? i : i % rows * columns + i / rows;
            set(memory[i], part ? cell / 64 : cell % 64);
        }
        __syncwarp();
        load(fragment, memory);
        for (int i = 0; i < fragment.num_elements; i++)
            out[threadIdx.x * ELEMENTS_MOST + i] += get(fragment.x[i]) * (part ? 64 : 1);
    }
}
template <class Use, class Layout, int M, int N, int K, class Name, class T>
__global__ void observe_factor(int *out, int *count) {
    const bool is_a = std::is_same<Use, wmma::matrix_a>::value;
    const bool by_row = std::is_same<Layout, wmma::row_major>::value;
    const int rows = is_a ? M : K, columns = is_a ? K : N, stride = by_row ? columns : rows;
    typedef wmma::fragment<Use, M, N, K, Name, Layout> Fragment;
    observe<Fragment, T>(rows, columns, by_row, out, count, [stride](Fragment &to, T *memory) {
        wmma::load_matrix_sync(to, memory, stride);
    });
}
template <bool ByRow, int M, int N, int K, class T>
__global__ void observe_sum(int *out, int *count) {
    typedef wmma::fragment<wmma::accumulator, M, N, K, T> Fragment;
    observe<Fragment, T>(M, N, ByRow, out, count, [](Fragment &to, T *memory) {
        wmma::load_matrix_sync(to, memory, ByRow ? N : M,
                               ByRow ? wmma::mem_row_major : wmma::mem_col_major);
    });
}

typedef void observer(int *out, int *count);

static void must(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "wmma: %s\n", cudaGetErrorString(error));
    exit(2);
}

static void print(const char *matrix, const char *shape, const char *type, int columns,
                  observer *by_row, observer *by_column) {
    int *out, *count;
    static int first[LANES * ELEMENTS_MOST];
    must(cudaMallocManaged(&out, sizeof first));
    must(cudaMallocManaged(&count, sizeof *count));
    for (int way = 0; way < 2; way++) {
        memset(out, 0, sizeof first);
        (way ? by_column : by_row)<<<1, LANES>>>(out, count);
        must(cudaGetLastError());
        must(cudaDeviceSynchronize());
        if (way == 0)
            memcpy(first, out, sizeof first);
    }
    failed |= memcmp(first, out, sizeof first) != 0;
    for (int lane = 0; lane < LANES; lane++) {
        printf("%s,%s,%s,%d,", matrix, shape, type, lane);
        for (int i = 0; i < *count; i++) {
            const int cell = first[lane * ELEMENTS_MOST + i];
            printf("%s%d:%d", i ? " " : "", cell / columns, cell % columns);
        }
        printf("\n");
    }
    must(cudaFree(out));
    must(cudaFree(count));
}

template <int M, int N, int K, class Name, class T>
static void print_factors(const char *shape, const char *type) {
    print("a", shape, type, K, observe_factor<wmma::matrix_a, wmma::row_major, M, N, K, Name, T>,
          observe_factor<wmma::matrix_a, wmma::col_major, M, N, K, Name, T>);
    print("b", shape, type, N, observe_factor<wmma::matrix_b, wmma::row_major, M, N, K, Name, T>,
          observe_factor<wmma::matrix_b, wmma::col_major, M, N, K, Name, T>);
}
template <int M, int N, int K, class T> static void print_sum(const char *shape, const char *type) {
    print("c", shape, type, N, observe_sum<true, M, N, K, T>, observe_sum<false, M, N, K, T>);
}
template <int M, int N, int K> static void print_shape(const char *shape) {
    print_factors<M, N, K, __half, __half>(shape, "f16");
    print_factors<M, N, K, __nv_bfloat16, __nv_bfloat16>(shape, "bf16");
    print_factors<M, N, K, signed char, signed char>(shape, "s8");
    print_factors<M, N, K, unsigned char, unsigned char>(shape, "u8");
    print_sum<M, N, K, __half>(shape, "f16");
    print_sum<M, N, K, float>(shape, "f32");
    print_sum<M, N, K, int>(shape, "s32");
}

int main() {
    printf("matrix,shape,type,lane,cells\n");
    print_shape<16, 16, 16>("m16n16k16");
    print_shape<32, 8, 16>("m32n8k16");
    print_shape<8, 32, 16>("m8n32k16");
    print_factors<16, 16, 8, wmma::precision::tf32, float>("m16n16k8", "tf32");
    print_sum<16, 16, 8, float>("m16n16k8", "f32");
    print_factors<8, 8, 4, double, double>("m8n8k4", "f64");
    print_sum<8, 8, 4, double>("m8n8k4", "f64");
    return failed;
}
