// CUB's collectives of a warp and a block: sums and scans of 1, 2, ... n, whose values are
// n(n+1)/2.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

struct running {
    int total;
    __device__ int operator()(int aggregate) {
        int before = total;
        total += aggregate;
        return before;
    }
};
struct bigger {
    __device__ double operator()(double a, double b) const { return a < b ? b : a; }
};

__global__ void warps(int *out) {
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpReduce<int, 8> Eighth;
    typedef cub::WarpScan<int> Scan;
    __shared__ typename Reduce::TempStorage reduce[2];
    __shared__ typename Eighth::TempStorage eighth[8];
    __shared__ typename Scan::TempStorage scan[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = Reduce(reduce[warp]).Sum(lane + 1);                                  // 528
    int some = Reduce(reduce[warp]).Sum(lane + 1, 10);                             // 55
    int most = Reduce(reduce[warp]).Reduce(lane * 7 % 32, cuda::maximum<>());      // 31
    int part = Eighth(eighth[threadIdx.x / 8]).Sum(lane + 1);                      // 36 100 164 228
    int segment = Reduce(reduce[warp]).HeadSegmentedSum(lane + 1, lane % 10 == 0); // 55 155 255 63
    int inclusive, exclusive, total;
    Scan(scan[warp]).InclusiveSum(lane + 1, inclusive);
    Scan(scan[warp]).ExclusiveSum(lane + 1, exclusive, total);
    int last = Scan(scan[warp]).Broadcast(inclusive, 31);
    if (warp == 1) {
        if (lane == 0)
            out[0] = sum, out[1] = some, out[2] = most;
        if (lane % 8 == 0)
            out[3 + lane / 8] = part;
        if (lane % 10 == 0)
            out[7 + lane / 10] = segment;
        if (lane == 9)
            out[11] = inclusive, out[12] = exclusive, out[13] = total,
            out[14] = last; // 55 45 528 528
    }
}

__global__ void blocks(const int *in, int *out, double *largest) { // 100 threads: a warp of 4 lanes
    typedef cub::BlockReduce<int, 100> Reduce;
    typedef cub::BlockReduce<double, 100, cub::BLOCK_REDUCE_RAKING> Largest;
    typedef cub::BlockScan<int, 100> Scan;
    typedef cub::BlockLoad<int, 100, 3, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 100, 3> Store;
    typedef cub::BlockExchange<int, 100, 3> Exchange;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Largest::TempStorage largest;
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Exchange::TempStorage exchange;
    } temp;
    int items[3], scanned[3];
    Load(temp.load).Load(in, items, 290, 0); // 1 ... 290 0 ...
    __syncthreads();
    int sum = Reduce(temp.reduce).Sum(items); // 290 * 291 / 2 = 42195
    __syncthreads();
    int few = Reduce(temp.reduce).Sum((int)threadIdx.x + 1, 40); // 820
    __syncthreads();
    double top = Largest(temp.largest).Reduce(1.5 * (threadIdx.x * 37 % 100), bigger()); // 148.5
    __syncthreads();
    if (threadIdx.x == 0)
        out[300] = sum, out[301] = few, *largest = top;
    running prefix = {1000};
    Scan(temp.scan).ExclusiveSum(items, scanned, prefix);
    __syncthreads();
    Store(temp.store).Store(out, scanned); // out[i] = 1000 + i(i+1)/2 for i < 290
    int one, all;
    Scan(temp.scan).InclusiveScan((int)threadIdx.x + 1, one, cuda::std::plus<>(), all);
    __syncthreads();
    if (threadIdx.x == 98)
        out[302] = one, out[303] = all; // 4950 5050
    Scan(temp.scan).ExclusiveScan((int)threadIdx.x, one, -5, cuda::maximum<>());
    if (threadIdx.x == 0)
        out[304] = one; // -5
    if (threadIdx.x == 77)
        out[305] = one; // 76
    __syncthreads();
    Exchange(temp.exchange).BlockedToStriped(items, scanned); // item 1 of thread 7 is number 107
    if (threadIdx.x == 7)
        out[306] = scanned[1]; // 108
}

int main() {
    int *in, *out;
    double *largest;
    cudaMallocManaged(&in, 300 * sizeof(int));
    cudaMallocManaged(&out, 320 * sizeof(int));
    cudaMallocManaged(&largest, sizeof(double));
    for (int i = 0; i < 300; i++)
        in[i] = i + 1;
    warps<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 15; i++)
        printf("%d ", out[i]);
    printf("\n");
    blocks<<<1, 100>>>(in, out, largest);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 290; i++)
        wrong += out[i] != 1000 + i * (i + 1) / 2;
    printf("%d wrong;", wrong);
    for (int i = 300; i < 307; i++)
        printf(" %d", out[i]);
    printf(" %.1f %s\n", *largest, cudaGetErrorName(cudaGetLastError()));
}
