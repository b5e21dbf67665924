// Only lane 0 sets the variable, and every lane reads it from lane 1.
__global__ void broadcast(const int *data, int *out) {
    int v;
    double w;
    if (threadIdx.x == 0) {
        v = data[0];
        w = data[1];
    }
    v = __shfl_sync(0xffffffff, v, 1);    // finds unset_source_value
    w = __shfl_up_sync(0xffffffff, w, 1); // finds unset_source_value
    out[threadIdx.x] = v + (w > 0);
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    broadcast<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
