// Lanes of a warp hand values to each other through plain global memory without a barrier, as on a
// GPU whose lanes run in step. Kernels of the same file that do not rely on that are left
// unchanged.
#include <cstdio>

// Each block sums 64 numbers in place; one warp does the last rounds without a barrier.
__global__ void reduce(int *data) {
    int *mine = data + blockIdx.x * 64;
    const int t = threadIdx.x;
    if (t < 32) {
        mine[t] += mine[t + 32];
        mine[t] += mine[t + 16];
        mine[t] += mine[t + 8];
        mine[t] += mine[t + 4];
        mine[t] += mine[t + 2];
        mine[t] += mine[t + 1];
    }
}

// An inclusive sum in a variable of the device: each round reads what the previous round wrote.
__device__ int running[32];
__global__ void scan(int *out) {
    const int lane = threadIdx.x;
    running[lane] = lane + 1;
    for (int distance = 1; distance < 32; distance *= 2)
        if (lane >= distance)
            running[lane] += running[lane - distance];
    out[lane] = running[lane];
}

// Each value moves to the next element; a function reads and writes it.
__device__ void move(float *value, unsigned lane) {
    const float before = value[(lane + 31) % 32];
    value[lane] = before;
}
__global__ void rotate(float *value, int rounds) {
    for (int i = 0; i < rounds; i++)
        move(value, threadIdx.x);
}

struct body {
    float at[2], speed[2];
};
// Members of the lane's own element only.
__global__ void step(body *bodies, float time) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bodies[i].at[0] += time * bodies[i].speed[0];
    bodies[i].at[1] += time * bodies[i].speed[1];
}

// Two warps change the halves of an array, with a barrier of the warp in between.
__global__ void swap_neighbours(int *value) {
    const int other = value[threadIdx.x ^ 1];
    __syncwarp();
    value[threadIdx.x] = other;
}

int main() {
    int *data;
    cudaMallocManaged(&data, 4 * 64 * sizeof *data);
    for (int i = 0; i < 4 * 64; i++)
        data[i] = i;
    reduce<<<4, 64>>>(data);
    cudaDeviceSynchronize();
    for (int b = 0; b < 4; b++)
        printf("reduce %d\n", data[b * 64]); // 64 b * 64 + 63 * 32

    scan<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    printf("scan %d %d %d\n", data[0], data[15], data[31]); // 1, 16 * 17 / 2, 32 * 33 / 2

    float *value;
    cudaMallocManaged(&value, 32 * sizeof *value);
    for (int i = 0; i < 32; i++)
        value[i] = i;
    rotate<<<1, 32>>>(value, 3);
    cudaDeviceSynchronize();
    printf("rotate %g %g %g\n", value[0], value[3], value[31]); // 29 0 28

    body *bodies;
    cudaMallocManaged(&bodies, 64 * sizeof *bodies);
    for (int i = 0; i < 64; i++)
        bodies[i] = {{float(i), 0}, {1, 2}};
    step<<<2, 32>>>(bodies, 0.5f);
    cudaDeviceSynchronize();
    printf("step %g %g\n", bodies[63].at[0], bodies[63].at[1]); // 63.5 1

    for (int i = 0; i < 64; i++)
        data[i] = i;
    swap_neighbours<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    printf("swap %d %d %d\n", data[0], data[1], data[63]); // 1 0 62
}
