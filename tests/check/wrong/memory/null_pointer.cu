// A missing allocation: a pointer to no memory.
__global__ void set(int *p) {
    *p = 1; // finds out_of_bounds crashed
}

int main() {
    int *p = nullptr;
    set<<<1, 1>>>(p);
    cudaDeviceSynchronize();
}
