// status 4
// A kernel that writes through a null pointer: error 700.
__global__ void k(int *v) {
    if (threadIdx.x == 3)
        v[16] = 7;
}
int main(int argc, char **) {
    k<<<dim3(2, 2), 8>>>(reinterpret_cast<int *>(argc - 1L));
    return cudaDeviceSynchronize() ? 7 : 0; // the program's own status does not hide the crash
}
