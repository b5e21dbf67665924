// Thrust's random numbers, as its own headers give them on the host (checked with CCCL 3.0), and
// its scans by key.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/distance.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

struct by_sum {
    template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const {
        return thrust::get<1>(a) > thrust::get<1>(b);
    }
};

int main() {
    thrust::default_random_engine engine(7);
    thrust::uniform_real_distribution<float> real(-1.0f, 1.0f);
    thrust::uniform_int_distribution<int> die(1, 6);
    thrust::random::normal_distribution<float> normal(10.0f, 2.0f);
    engine.discard(3);
    for (int i = 0; i < 3; i++)
        printf("%.6f ", real(engine));
    for (int i = 0; i < 6; i++)
        printf("%d ", die(engine));
    for (int i = 0; i < 4; i++)
        printf("%.4f ", normal(engine));
    printf("\n");

    int key[6] = {1, 1, 1, 2, 2, 1}, value[6] = {3, 1, 2, 5, 4, 9};
    float weight[6] = {3, 1, 2, 5, 4, 9};
    thrust::device_vector<int> keys(key, key + 6), values(value, value + 6), sums(6);
    thrust::device_vector<float> weights(weight, weight + 6);
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), sums.begin());
    for (int i = 0; i < 6; i++)
        printf("%d ", (int)sums[i]);
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), values.begin(), 100);
    for (int i = 0; i < 6; i++)
        printf("%d ", (int)values[i]);
    // The minimum of pairs, in place; each smaller key begins a new segment.
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(weights.begin(), sums.begin()));
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), pairs, pairs, thrust::less_equal<int>(),
                                  thrust::minimum<thrust::tuple<float, int>>());
    for (int i = 0; i < 6; i++)
        printf("%g/%d ", (float)weights[i], (int)sums[i]);
    printf("%d\n", (int)thrust::distance(keys.begin(), keys.end()));
    // Pairs move together.
    thrust::sort(pairs, pairs + 6, by_sum());
    auto unique = thrust::unique_by_key(sums.begin(), sums.end(), weights.begin());
    for (int i = 0; i < unique.first - sums.begin(); i++)
        printf("%g/%d ", (float)weights[i], (int)sums[i]);
    printf("\n");
}
