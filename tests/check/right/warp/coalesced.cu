// Coalesced groups in two branches.
#include <cooperative_groups.h>

// Some lanes make a group in the first branch, and pass a mask of more lanes in the second.
__global__ void share(int *out) {
    auto here = cooperative_groups::coalesced_threads();
    int t = threadIdx.x, v = t + (int)here.size() * 0;
    if (t % 8 == 0) {
        auto few = cooperative_groups::coalesced_threads();
        v = few.shfl(v, 0);
    }
    if (t % 4 == 0) {
        unsigned mask = __activemask();
        v += __shfl_sync(mask, v, __ffs(mask) - 1);
    }
    out[t] = v;
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    share<<<1, 64>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
