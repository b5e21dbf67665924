// 64-bit integers that fit an unsigned int, and the halves of integers that do not.
__global__ void bits(unsigned long long *out) {
    const unsigned long long mine = 1ull << 2 * threadIdx.x;
    const unsigned low = __reduce_or_sync(0xffffffff, (unsigned)mine);
    const unsigned high = __reduce_or_sync(0xffffffff, (unsigned)(mine >> 32));
    *out = (unsigned long long)high << 32 | low;
    out[1] = __reduce_or_sync(0xffffffff, 1ull << threadIdx.x);
}

int main() {
    unsigned long long *out, got[2];
    cudaMalloc(&out, sizeof got);
    bits<<<1, 32>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    return got[0] == 0x5555555555555555 && got[1] == 0xffffffff ? 0 : 1;
}
