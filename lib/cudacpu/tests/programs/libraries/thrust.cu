// Thrust: vectors, algorithms, iterators; and a kernel on a vector's memory.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

static __device__ __noinline__ int doubled(int x) {
    return 2 * x;
}
__global__ void twice(int *v, int n) {
    if (threadIdx.x < n)
        v[threadIdx.x] = doubled(v[threadIdx.x]);
}
struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
int main() {
    thrust::device_vector<int> d(10);
    thrust::sequence(d.begin(), d.end(), 1);
    twice<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), (int)d.size());
    cudaDeviceSynchronize();
    int sum = thrust::reduce(thrust::device, d.begin(), d.end(), 0, thrust::plus<int>());
    int squares = thrust::transform_reduce(d.begin(), d.end(), square(), 0, thrust::plus<int>());
    thrust::host_vector<int> h = d;
    thrust::sort(h.begin(), h.end(), thrust::greater<int>());
    thrust::device_vector<int> keys = h, out(10);
    thrust::sort_by_key(keys.begin(), keys.end(), d.begin());
    thrust::exclusive_scan(d.begin(), d.end(), out.begin());
    printf("%d %d %d %d %d %d\n", sum, squares, h[0], (int)keys[0], (int)d[0], (int)out[9]);
    auto zipped = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), d.begin()));
    int dot = thrust::transform_reduce(
        zipped, zipped + 10,
        [] __device__(const thrust::tuple<int, int> &t) {
            return thrust::get<0>(t) * thrust::get<1>(t);
        },
        0, thrust::plus<int>());
    int even =
        (int)thrust::count_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(7),
                              [](int x) { return x % 2 == 0; });
    int raw[6] = {1, 1, 2, 3, 3, 3};
    thrust::device_ptr<int> p(raw);
    printf("%d %d %d\n", dot, even, (int)(thrust::unique(p, p + 6) - p));
    using namespace thrust::placeholders;
    thrust::device_vector<int> v(4, 2), w(4, 5);
    thrust::transform(v.begin(), v.end(), w.begin(), v.begin(), _1 * 3 - -_2);
    const int above = (int)thrust::count_if(v.begin(), v.end(), _1 > 10 && !(_1 % 2 == 0));
    thrust::for_each(v.begin(), v.end(), _1 += 7);
    printf("%d %d\n", above, (int)v[3]);
}
