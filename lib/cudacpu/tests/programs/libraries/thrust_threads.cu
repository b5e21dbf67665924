// Thrust's functions with functors that read threadIdx: over the device's elements they run in a
// kernel; over the host's, they do not.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/tabulate.h>

struct number {
    int calls;
    __host__ __device__ int operator()() {
        calls++;
#ifdef __CUDA_ARCH__
        return 100 * calls + (threadIdx.x < blockDim.x);
#else
        return 7 * calls;
#endif
    }
};
struct add {
    int *sum;
    __device__ void operator()(int x) const { atomicAdd(sum, x); }
};
struct square {
    __host__ __device__ int operator()(int i) const { return i * i; }
};

int main() {
    thrust::device_vector<int> d(3), squares(5);
    thrust::host_vector<int> h(3);
    thrust::generate(d.begin(), d.end(), number{0});
    thrust::generate(h.begin(), h.end(), number{0});
    printf("%d %d %d, %d %d %d\n", (int)d[0], (int)d[1], (int)d[2], h[0], h[1], h[2]);
    int *sum, total = 0;
    cudaMalloc(&sum, sizeof total);
    cudaMemset(sum, 0, sizeof total);
    thrust::tabulate(squares.begin(), squares.end(), square());
    thrust::for_each(squares.begin(), squares.end(), add{sum}); // 0 + 1 + 4 + 9 + 16
    thrust::for_each_n(thrust::device, thrust::counting_iterator<int>(0), 1000, add{sum});
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    printf("%d\n", total);
}
