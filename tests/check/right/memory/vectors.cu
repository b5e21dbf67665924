// Accesses to four floats at once, at multiples of 16 bytes in each kind of memory, and shifts by
// one bit less than the value's width.
struct __align__(8) Pair {
    float key;
    int index;
};

__global__ void copy(const float4 *in, float4 *out, Pair *pairs, unsigned long long *bits) {
    __shared__ float4 tile[32];
    extern __shared__ float row[];
    float local[4];
    const int t = threadIdx.x;
    tile[t] = in[t];
    *reinterpret_cast<float4 *>(row + 4 * t) = in[t];
    *reinterpret_cast<float4 *>(local) = tile[t];
    out[t] = make_float4(local[0], row[4 * t + 1], local[2], row[4 * t + 3]);
    pairs[t] = {local[0], t};
    bits[t] = 1ull << (t + 32) | 1u << t | (~0u >> (31 - t));
}

int main() {
    float4 *in, *out;
    Pair *pairs;
    unsigned long long *bits;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMalloc(&pairs, 32 * sizeof *pairs);
    cudaMalloc(&bits, 32 * sizeof *bits);
    cudaMemset(in, 0, 32 * sizeof *in);
    copy<<<1, 32, 32 * sizeof(float4)>>>(in, out, pairs, bits);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
