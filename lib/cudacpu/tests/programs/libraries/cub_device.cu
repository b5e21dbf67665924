// CUB's algorithms for the whole device, each compared with results worked out by hand.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct times {
    __host__ __device__ int operator()(int a, int b) const { return a * b; }
};
// Queries the size, allocates that much, and does the work.
template <class Call> void with_room(Call call) {
    void *room = nullptr;
    size_t bytes = 0;
    if (call(room, bytes) != cudaSuccess || bytes == 0)
        printf("no size\n");
    cudaMalloc(&room, bytes);
    if (call(room, bytes) != cudaSuccess)
        printf("no result\n");
    cudaFree(room);
}
template <class T> void show(const char *name, const T *values, int n) {
    cudaDeviceSynchronize();
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %g", (double)values[i]);
    printf("\n");
}
static const int first[10] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3};

int main() {
    const int n = 10;
    int *in, *out, *count;
    float *floats, *sorted;
    cub::KeyValuePair<int, int> *best;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&count, 64 * sizeof(int));
    cudaMallocManaged(&floats, 8 * sizeof(float));
    cudaMallocManaged(&sorted, 8 * sizeof(float));
    cudaMallocManaged(&best, sizeof *best);
    for (int i = 0; i < n; i++)
        in[i] = first[i];
#define ROOM(...) with_room([&](void *room, size_t &bytes) { return __VA_ARGS__; })
    ROOM(cub::DeviceReduce::Sum(room, bytes, in, out, n));
    ROOM(cub::DeviceReduce::Min(room, bytes, in, out + 1, n));
    ROOM(cub::DeviceReduce::Max(room, bytes, in, out + 2, n));
    ROOM(cub::DeviceReduce::Reduce(room, bytes, in, out + 3, 4, times(), 2));
    show("reduce", out, 4); // 27 -5 9 -24
    ROOM(cub::DeviceReduce::ArgMin(room, bytes, in, best, n));
    printf("%d at %d,", best->value, best->key); // -5 at 4
    ROOM(cub::DeviceReduce::ArgMax(room, bytes, in, best, n));
    printf(" %d at %d\n", best->value, best->key); // 9 at 5
    ROOM(cub::DeviceScan::ExclusiveSum(room, bytes, in, out, n));
    show("exclusive", out, n);
    ROOM(cub::DeviceScan::InclusiveSum(room, bytes, in, out, n));
    show("inclusive", out, n);
    ROOM(cub::DeviceScan::ExclusiveScan(room, bytes, in, out, cuda::maximum<>(), 0, n));
    show("maximum so far", out, n);
    ROOM(cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n));
    show("sorted", out, n);
    ROOM(cub::DeviceRadixSort::SortKeysDescending(room, bytes, in, out, n));
    show("descending", out, n);
    for (int i = 0; i < n; i++)
        in[20 + i] = i;
    cub::DoubleBuffer<int> keys(in, out), values(in + 20, out + 20);
    ROOM(cub::DeviceRadixSort::SortPairs(room, bytes, keys, values, n));
    show("places", values.Current(), n); // 4 1 3 6 0 9 2 8 7 5
    for (int i = 0; i < n; i++)
        in[i] = first[i];
    float some[8] = {2.5f, -0.5f, -1e20f, 0.0f, 1e-20f, -3.0f, 7.0f, -0.25f};
    for (int i = 0; i < 8; i++)
        floats[i] = some[i];
    ROOM(cub::DeviceRadixSort::SortKeys(room, bytes, floats, sorted, 8));
    show("floats", sorted, 8);
    ROOM(cub::DeviceSelect::If(room, bytes, in, out, count, n, is_even()));
    show("even", out, *count); // 4 2 6
    for (int i = 0; i < n; i++)
        in[20 + i] = i % 3 == 0;
    ROOM(cub::DeviceSelect::Flagged(room, bytes, in, in + 20, out, count, n));
    show("every third", out, *count); // 3 1 2 3
    ROOM(cub::DevicePartition::If(room, bytes, in, out, count, n, is_even()));
    show("even, then odd backwards", out, n);
    int runs[9] = {7, 7, 1, 1, 1, 7, 2, 2, 9};
    for (int i = 0; i < 9; i++)
        in[i] = runs[i];
    ROOM(cub::DeviceSelect::Unique(room, bytes, in, out, count, 9));
    show("unique", out, *count); // 7 1 7 2 9
    ROOM(cub::DeviceRunLengthEncode::Encode(room, bytes, in, out, out + 20, count, 9));
    show("lengths", out + 20, *count); // 2 3 1 2 1
    ROOM(cub::DeviceReduce::ReduceByKey(room, bytes, in, out, in, out + 20, count,
                                        cuda::std::plus<>(), 9));
    show("by key", out + 20, *count); // 14 3 7 4 9
    ROOM(cub::DeviceHistogram::HistogramEven(room, bytes, in, out, 6, 0, 10, 9));
    show("histogram", out, 5); // below 2, 4, 6, 8, 10: 3 2 0 3 1
    cub::CachingDeviceAllocator allocator;
    void *memory = nullptr;
    cudaError_t got = allocator.DeviceAllocate(&memory, 100);
    printf("%s %s\n", cudaGetErrorName(got), cudaGetErrorName(allocator.DeviceFree(memory)));

    // In a captured stream nothing is done until the graph is launched.
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t bytes = 1;
    *count = 0;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cub::DeviceReduce::Sum(out, bytes, in, count, 9, stream);
    cudaStreamEndCapture(stream, &graph);
    printf("%d", *count);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf(" %d\n", *count);
}
