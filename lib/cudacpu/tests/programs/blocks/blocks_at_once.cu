// Concurrent blocks: results must not depend on how many run at a time. Each block works long
// enough for several host threads to share the grid.
// run: --jobs 4
#include <cstdio>

__device__ int counts[16];
__device__ unsigned finished;
__device__ float4 wide;

__device__ double work(int rounds) {
    double x = threadIdx.x + 1;
    for (int i = 0; i < rounds; i++)
        x = x * 1.0000001 + 1e-9;
    return x;
}

// Counts in shared memory, then in global memory.
__global__ void histogram(const int *values, int n) {
    __shared__ int own[16];
    if (threadIdx.x < 16)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Every kind of atomic operation, each by all threads on one location.
__global__ void atomics(int *cells, unsigned long long *sum, float *floats) {
    work(200);
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(&cells[0], me);
    atomicMin(&cells[1], -me);
    atomicXor(&cells[2], me);
    atomicOr(&cells[3], 1 << (me & 15));
    atomicInc((unsigned *)&cells[4], 999);
    for (int old = cells[5], seen;; old = seen) // a sum by compare and swap
        if ((seen = atomicCAS(&cells[5], old, old + 1)) == old)
            break;
    atomicAdd(sum, (unsigned long long)me);
    atomicAdd(floats, 0.5f);
}

// The last block to finish adds up the parts that all blocks have left.
template <class T> __global__ void total(const int *values, T *parts, T *result) {
    extern __shared__ long long room[];
    __shared__ bool last;
    T *own = (T *)room;
    const int t = threadIdx.x;
    T sum = 0;
    for (int i = 0; i < 64; i++)
        sum += values[(blockIdx.x * blockDim.x + t) * 64 + i];
    own[t] = sum;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (t < half)
            own[t] += own[t + half];
    }
    if (t == 0) {
        parts[blockIdx.x] = own[0];
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || t)
        return;
    for (unsigned block = 0; block < gridDim.x; block++)
        *result += ((volatile T *)parts)[block];
}

__global__ void says() {
    const bool is_large = work(20000) > 0;
    if (threadIdx.x < 2 && blockIdx.x % 50 == 0)
        printf("block %d, thread %d: %d\n", blockIdx.x, threadIdx.x, is_large);
}

// Each block waits for the previous block.
__global__ void chain(volatile int *flags, int *order) {
    if (threadIdx.x)
        return;
    work(3000);
    while (!flags[blockIdx.x])
        ;
    order[blockIdx.x] = blockIdx.x ? order[blockIdx.x - 1] + 1 : 1;
    __threadfence();
    flags[blockIdx.x + 1] = 1;
}

__global__ void give(int **rooms) {
    work(1000);
    int *room = new int[3];
    room[2] = blockIdx.x * blockDim.x + threadIdx.x;
    rooms[room[2]] = room;
}
__global__ void take(int **rooms, int *wrong) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(wrong, rooms[me][2] != me);
    delete[] rooms[me];
}

__global__ void fails(int block) {
    work(5000);
    if (blockIdx.x == block && threadIdx.x == 3)
        __trap();
}

int main() {
    const int n = 1 << 20;
    int *values, *cells, *flags, **rooms;
    long long *parts, *result;
    unsigned long long *sum;
    float *floats;
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&cells, 8 * sizeof(int));
    cudaMallocManaged(&flags, 1300 * sizeof(int));
    cudaMallocManaged(&rooms, 400 * 64 * sizeof(int *));
    cudaMallocManaged(&parts, 64 * sizeof(long long));
    cudaMallocManaged(&result, sizeof(long long));
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&floats, sizeof *floats);
    int expected[16] = {}, got[16], bad = 0;
    long long whole = 0;
    for (int i = 0; i < n; i++) {
        values[i] = (int)(i * 2654435761u >> 9 & 1023);
        expected[values[i] & 15]++;
        whole += values[i];
    }
    histogram<<<200, 256>>>(values, n);
    cudaMemcpyFromSymbol(got, counts, sizeof got);
    for (int i = 0; i < 16; i++)
        bad += got[i] != expected[i];
    printf("histogram: %d wrong\n", bad);

    const int threads = 400 * 64;
    atomics<<<400, 64>>>(cells, sum, floats);
    cudaDeviceSynchronize();
    int xored = 0;
    for (int i = 0; i < threads; i++)
        xored ^= i;
    printf("atomics: %d %d %d %d %d %d %d %d\n", cells[0] == threads - 1, cells[1] == 1 - threads,
           cells[2] == xored, cells[3] == 0xffff, cells[4] == threads % 1000, cells[5] == threads,
           *sum == (unsigned long long)threads * (threads - 1) / 2, *floats == threads / 2);

    total<<<64, 256, 256 * sizeof(long long)>>>(values, parts, result);
    cudaDeviceSynchronize();
    printf("total: %d\n", *result == whole);

    says<<<201, 32>>>();
    cudaDeviceSynchronize();

    flags[0] = 1;
    chain<<<500, 32>>>(flags, flags + 600);
    cudaDeviceSynchronize();
    printf("chain: %d\n", flags[600 + 499]);

    give<<<400, 64>>>(rooms);
    take<<<400, 64>>>(rooms, cells + 6);
    cudaDeviceSynchronize();
    printf("heap: %d wrong\n", cells[6]);

    fails<<<1000, 32>>>(700);
    printf("trap: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
