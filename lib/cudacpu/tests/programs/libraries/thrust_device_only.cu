// Thrust with functors that exist only on the device, and extended lambdas: each algorithm over a
// device_vector, a device_ptr, a raw pointer with a policy, and the iterators that call functors.
#include <cstdio>
#include <cub/cub.cuh>
#include <iostream>
#include <iterator>
#include <list>
#include <string>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

__device__ int on_device(int x) { // does not exist on the host
    return (int)__popc(x) + x;
}
struct popcount {
    __device__ int operator()(int x) const { return __popc(x); }
};
struct is_odd {
    __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct sum {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct later {
    __device__ bool operator()(int a, int b) const { return a > b; }
};
struct same_ten {
    __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
struct saxpy {
    const float a;
    saxpy(float a_) : a(a_) {}
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};
struct particle {
    float x;
    int cell;
};
struct by_cell {
    __device__ bool operator()(const particle &a, const particle &b) const {
        return a.cell < b.cell;
    }
};
struct add_zipped {
    template <class Tuple> __device__ void operator()(Tuple t) const {
        thrust::get<2>(t) = thrust::get<0>(t) + on_device(thrust::get<1>(t));
    }
};
struct random_point {
    __device__ int operator()(unsigned n) const {
        thrust::default_random_engine engine(7);
        thrust::uniform_real_distribution<float> between(0, 1);
        engine.discard(2 * n);
        const float x = between(engine), y = between(engine);
        return x * x + y * y < 1;
    }
};

template <class V> static void print(const char *name, const V &v) {
    printf("%s:", name);
    for (size_t i = 0; i < v.size(); i++)
        printf(" %d", (int)v[i]);
    printf("\n");
}

__global__ void in_a_kernel(int *v, int n) {
    if (threadIdx.x == 0) {
        thrust::sort(thrust::seq, v, v + n, later());
        thrust::transform(thrust::device, v, v + n, v, popcount());
        v[0] = thrust::reduce(thrust::seq, v, v + n, 0, sum());
    }
}

int main() {
    thrust::device_vector<int> v(12), w(12), keys(12);
    thrust::tabulate(v.begin(), v.end(), [] __device__(int i) { return (i * 7 + 3) % 12; });
    print("tabulate", v);
    thrust::transform(v.begin(), v.end(), w.begin(), popcount());
    print("transform", w);
    thrust::transform(v.begin(), v.end(), w.begin(), w.begin(), sum());
    print("transform two", w);
    thrust::transform(v.begin(), v.end(), w.begin(), [] __device__(int x) { return on_device(x); });
    print("transform lambda", w);
    const int factor = 3;
    thrust::for_each(w.begin(), w.end(), [=] __device__(int &x) { x *= factor; });
    print("for_each", w);
    thrust::for_each_n(
        thrust::device, thrust::counting_iterator<int>(0), 12,
        [out = thrust::raw_pointer_cast(w.data())] __device__(int i) { out[i] = blockDim.x + i; });
    print("for_each_n", w);
    thrust::generate(w.begin(), w.end(), [] __device__() { return (int)threadIdx.x * 2; });
    print("generate", w);

    printf("reduce %d %d %d\n", thrust::reduce(v.begin(), v.end(), 0, sum()),
           thrust::reduce(v.begin(), v.end(), -1, thrust::maximum<int>()),
           thrust::transform_reduce(v.begin(), v.end(), popcount(), 0, sum()));
    printf("inner_product %d\n",
           thrust::inner_product(v.begin(), v.end(), w.begin(), 0, sum(),
                                 [] __device__(int a, int b) { return a == b ? 1 : 0; }));
    printf("count_if %d, all %d, any %d, none %d\n",
           (int)thrust::count_if(v.begin(), v.end(), is_odd()),
           thrust::all_of(v.begin(), v.end(), is_odd()),
           thrust::any_of(v.begin(), v.end(), is_odd()),
           thrust::none_of(v.begin(), v.end(), is_odd()));
    printf("find_if at %d, max at %d, min at %d\n",
           (int)(thrust::find_if(v.begin(), v.end(), [] __device__(int x) { return x > 9; }) -
                 v.begin()),
           (int)(thrust::max_element(v.begin(), v.end()) - v.begin()),
           (int)(thrust::max_element(v.begin(), v.end(), later()) - v.begin()));

    keys = v;
    thrust::sequence(w.begin(), w.end());
    thrust::sort_by_key(keys.begin(), keys.end(), w.begin(), later());
    print("sort_by_key", w);
    w = v;
    thrust::sort(w.begin(), w.end(), later());
    print("sort", w);
    thrust::stable_sort(w.begin(), w.end(), [] __device__(int a, int b) { return a % 3 < b % 3; });
    print("stable_sort", w);
    printf("is_sorted %d\n", thrust::is_sorted(w.begin(), w.end(), later()));
    thrust::host_vector<particle> made(6);
    for (int i = 0; i < 6; i++)
        made[i] = {(float)i, (i * 5) % 3};
    thrust::device_vector<particle> particles = made;
    thrust::sort(particles.begin(), particles.end(), by_cell());
    for (int i = 0; i < 6; i++) {
        particle p = particles[i];
        printf(" %g/%d", p.x, p.cell);
    }
    printf("\n");

    thrust::inclusive_scan(v.begin(), v.end(), w.begin(), thrust::maximum<int>());
    print("inclusive_scan", w);
    thrust::exclusive_scan(v.begin(), v.end(), w.begin(), 100, sum());
    print("exclusive_scan", w);
    thrust::transform_inclusive_scan(v.begin(), v.end(), w.begin(), popcount(), sum());
    print("transform_inclusive_scan", w);
    thrust::transform_exclusive_scan(v.begin(), v.end(), w.begin(), popcount(), 1, sum());
    print("transform_exclusive_scan", w);
    thrust::adjacent_difference(v.begin(), v.end(), w.begin(),
                                [] __device__(int a, int b) { return a * 100 + b; });
    print("adjacent_difference", w);

    thrust::sequence(keys.begin(), keys.end(), 0, 3);
    thrust::device_vector<int> keys_out(12), sums(12);
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), keys_out.begin(),
                                      sums.begin(), same_ten(), sum());
    keys_out.erase(ends.first, keys_out.end());
    sums.resize(ends.second - sums.begin());
    print("reduce_by_key keys", keys_out);
    print("reduce_by_key", sums);
    auto end = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1),
                                     thrust::make_discard_iterator(), sums.begin(), same_ten());
    printf("%d runs of %d\n", (int)(end.second - sums.begin()), (int)sums[0]);
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), w.begin(), same_ten(),
                                  sum());
    print("inclusive_scan_by_key", w);
    thrust::device_vector<int> shorter = keys;
    shorter.erase(thrust::unique(shorter.begin(), shorter.end(), same_ten()), shorter.end());
    print("unique", shorter);
    shorter = v;
    shorter.erase(thrust::remove_if(shorter.begin(), shorter.end(), is_odd()), shorter.end());
    print("remove_if", shorter);
    shorter = v;
    shorter.resize(thrust::remove_if(shorter.begin(), shorter.end(), keys.begin(), is_odd()) -
                   shorter.begin());
    print("remove_if stencil", shorter);
    shorter.resize(12);
    shorter.resize(thrust::copy_if(v.begin(), v.end(), shorter.begin(), is_odd()) -
                   shorter.begin());
    print("copy_if", shorter);
    w = v;
    auto middle = thrust::partition(w.begin(), w.end(), is_odd());
    printf("partition at %d; ", (int)(middle - w.begin()));
    print("", w);
    thrust::replace_if(w.begin(), w.end(), is_odd(), -1);
    print("replace_if", w);
    thrust::sort(keys.begin(), keys.end(), later());
    thrust::device_vector<int> wanted(3), places(3);
    wanted[0] = 33, wanted[1] = 10, wanted[2] = 0;
    thrust::lower_bound(keys.begin(), keys.end(), wanted.begin(), wanted.end(), places.begin(),
                        later());
    print("lower_bound", places);
    thrust::device_vector<int> all(15);
    thrust::merge(keys.begin(), keys.end(), wanted.begin(), wanted.end(), all.begin(), later());
    print("merge", all);
    all.resize(thrust::set_intersection(keys.begin(), keys.end(), wanted.begin(), wanted.end(),
                                        all.begin(), later()) -
               all.begin());
    print("set_intersection", all);
    thrust::gather(places.begin(), places.end(), v.begin(), wanted.begin());
    print("gather", wanted);

    auto zipped = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), keys.begin(), w.begin()));
    thrust::for_each(zipped, zipped + 12, add_zipped());
    print("zip", w);
    auto squares =
        thrust::make_transform_iterator(v.begin(), [] __device__(int x) -> int { return x * x; });
    thrust::host_vector<int> copied(12);
    thrust::copy(squares, squares + 12, copied.begin());
    print("transform_iterator", copied);
    auto picked = thrust::make_permutation_iterator(w.begin(), v.begin());
    printf("permutation_iterator %d\n", thrust::reduce(picked, picked + 4, 0, sum()));
    thrust::copy(v.begin(), v.begin() + 5, std::ostream_iterator<int>(std::cout, " "));
    std::cout << std::endl;
    std::list<int> list(v.begin(), v.begin() + 3);
    thrust::device_vector<int> of_list(list.begin(), list.end());
    thrust::copy(list.begin(), list.end(), of_list.begin());
    print("list", of_list);
    const int inside = thrust::transform_reduce(thrust::counting_iterator<unsigned>(0),
                                                thrust::counting_iterator<unsigned>(2000),
                                                random_point(), 0, sum());
    printf("pi is about %.1f\n", 4. * inside / 2000);

    int *raw;
    cudaMalloc(&raw, 12 * sizeof(int));
    thrust::device_ptr<int> pointer = thrust::device_pointer_cast(raw);
    thrust::fill(pointer, pointer + 12, 5);
    pointer[3] = 6;
    thrust::transform(thrust::device, raw, raw + 12, raw, popcount());
    printf("device_ptr %d\n", thrust::reduce(pointer, pointer + 12));
    cudaMemcpy(raw, thrust::raw_pointer_cast(&v[0]), 12 * sizeof(int), cudaMemcpyDeviceToDevice);
    in_a_kernel<<<1, 32>>>(raw, 12);
    cudaDeviceSynchronize();
    printf("in a kernel %d %d\n", (int)pointer[0], (int)pointer[1]);

    thrust::host_vector<std::string> words(3);
    words[0] = "c", words[1] = "a", words[2] = "b";
    thrust::sort(words.begin(), words.end());
    thrust::device_vector<float> x(3, 2.f), y(3, 1.f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(3));
    printf("host %s %s %s, saxpy %g\n", words[0].c_str(), words[1].c_str(), words[2].c_str(),
           (float)y[2]);

    size_t bytes = 0;
    int *result;
    cudaMallocManaged(&result, 16 * sizeof(int));
    cub::DeviceReduce::Reduce(nullptr, bytes, v.begin(), result, 12, sum(), 1000);
    thrust::device_vector<char> temporary(bytes);
    void *temp = thrust::raw_pointer_cast(temporary.data());
    cub::DeviceReduce::Reduce(temp, bytes, v.begin(), result, 12, sum(), 1000);
    cub::DeviceScan::InclusiveScan(temp, bytes, v.begin(), result + 1, sum(), 12);
    cudaDeviceSynchronize();
    printf("cub %d %d", result[0], result[12]);
    cub::DeviceSelect::If(nullptr, bytes, v.begin(), w.begin(), result, 12, is_odd());
    cub::DeviceSelect::If(temp, bytes, v.begin(), w.begin(), result, 12, is_odd());
    cub::DeviceMergeSort::SortKeys(nullptr, bytes, raw, 12, later());
    temporary.resize(bytes);
    temp = thrust::raw_pointer_cast(temporary.data());
    cudaMemcpy(raw, thrust::raw_pointer_cast(v.data()), 12 * sizeof(int), cudaMemcpyDeviceToDevice);
    cub::DeviceMergeSort::SortKeys(temp, bytes, raw, 12, later());
    cub::DeviceFor::Bulk(12, [=] __device__(int i) { atomicAdd(result, i); });
    cudaDeviceSynchronize();
    printf(" %d %d %d\n", result[0], (int)pointer[0], (int)w[0]);
    cudaFree(raw);
    cudaFree(result);
    return 0;
}
