/* Each block signals that its sum is ready, but no fence orders the sum before the signal. */
#include <cstdio>

__global__ void total(int *partial, unsigned *arrived, int *out) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = (int)blockIdx.x + 1;
        is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x)
        return;
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; block++)
        sum += partial[block]; // finds global_race
    *out = sum;
    // says reads partial[0], which lane 0 of warp 0 in block (0,0,0) writes at flag_no_fence.cu:7
    // says no fence separates the write from the atomic operation at flag_no_fence.cu:8
    // says instead: if the atomic operation is to publish the write, put __threadfence()
}

int main() {
    int *partial, *out, sum;
    unsigned *arrived;
    cudaMalloc(&partial, 8 * sizeof *partial);
    cudaMalloc(&out, sizeof *out);
    cudaMalloc(&arrived, sizeof *arrived);
    cudaMemset(arrived, 0, sizeof *arrived);
    total<<<8, 64>>>(partial, arrived, out);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d, expected 36\n", sum);
}
