// __reduce_or_sync() takes 32 bits: bits from lanes 16 to 31 are lost, and so is a float's
// fraction.
__global__ void bits(unsigned long long *out, float *whole) {
    const unsigned long long mine = 1ull << 2 * threadIdx.x;
    *out = __reduce_or_sync(0xffffffff, mine);                  // finds value_narrowed
    *whole = __reduce_xor_sync(0xffffffff, threadIdx.x * 0.5f); // finds value_narrowed
}

int main() {
    unsigned long long *out;
    cudaMalloc(&out, 2 * sizeof *out);
    bits<<<1, 32>>>(out, (float *)(out + 1));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
