// Variables that have not been set are passed, but no lane reads them; and set values that look
// like the pattern of unset ones: in all lanes, in padding, in a 16-bit type.
struct Pair {
    double value;
    int index;
};

__global__ void broadcast(const int *data, unsigned *out) {
    int v, w;
    if (threadIdx.x == 3)
        v = data[3];
    if (threadIdx.x < 8)
        w = data[threadIdx.x];
    v = __shfl_sync(0xffffffff, v, 3);
    w = __shfl_sync(0xffffffff, w, threadIdx.x % 8);
    unsigned all = __shfl_xor_sync(0xffffffff, 2u * data[32], 1) +
                   __shfl_xor_sync(0xffffffff, 2u * data[33], 1);

    Pair pair;
    pair.value = threadIdx.x;
    pair.index = threadIdx.x;
    unsigned words[4], *from = reinterpret_cast<unsigned *>(&pair);
    for (int i = 0; i < 4; i++)
        words[i] = __shfl_down_sync(0xffffffff, from[i], 1);
    out[threadIdx.x] = v + w + all + words[2];
}

// Ballots that equal the pattern of either compiler.
__global__ void masks(unsigned *out) {
    unsigned odd = __ballot_sync(0xffffffff, threadIdx.x % 2);
    unsigned most = __ballot_sync(0xffffffff, threadIdx.x % 8);
    unsigned v = threadIdx.x == 5 ? odd : threadIdx.x;
    unsigned w = threadIdx.x == 5 ? most : threadIdx.x;
    out[threadIdx.x] = __shfl_sync(0xffffffff, v, 5) + __shfl_sync(0xffffffff, w, 5);
}

int main() {
    int *data, host[64];
    unsigned *out;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    host[32] = 0xfefefefe / 2;
    host[33] = 0xaaaaaaaa / 2;
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    broadcast<<<1, 32>>>(data, out);
    masks<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
