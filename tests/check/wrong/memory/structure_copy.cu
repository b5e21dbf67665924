// Objects of 96 bytes are moved as a whole; the last object was never written.
struct Large {
    int v[24];
};
__global__ void shift(Large *objects) {
    Large mine = objects[threadIdx.x + 1]; // finds uninitialized_read
    __syncthreads();
    objects[threadIdx.x] = mine;
}

int main() {
    Large *objects;
    cudaMalloc(&objects, 33 * sizeof *objects);
    cudaMemset(objects, 1, 32 * sizeof *objects);
    shift<<<1, 32>>>(objects);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
