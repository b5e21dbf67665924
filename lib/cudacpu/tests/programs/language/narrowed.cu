// A warp's reductions of values that are neither int nor unsigned, converted by the rules of
// nvcc's overloads: and, or and xor take an unsigned, so 64-bit values lose the upper half and
// floats the fraction; the other reductions have two overloads, of which promotion picks int.
#include <cstdio>

__global__ void k(long long big, float real, short small, int *v) {
    v[0] = __reduce_or_sync(~0u, big);
    v[1] = __reduce_or_sync(~0u, real);
    v[2] = __reduce_min_sync(~0u, small);
    v[3] = __reduce_add_sync(~0u, threadIdx.x % 2 == 0);
    v[4] = __reduce_max_sync(~0u, 4000000000u) == 4000000000u;
    v[5] = __reduce_xor_sync(~0u, threadIdx.x == 3 ? ~0ll : 0ll);
}

int main() {
    int *v;
    cudaMallocManaged(&v, 6 * sizeof *v);
    k<<<1, 32>>>(0x100000011ll, 2.9f, -5, v);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%d\n", v[i]);
    return 0;
}
