// Calls meant to fail: the status is compared, passed on, kept, cast to void, or queried later.
#include <cstdio>
#include <cstdlib>

#define CHECK(call) check(call, #call)

static void check(cudaError_t error, const char *call) {
    if (error != cudaSuccess)
        printf("%s: %s\n", call, cudaGetErrorString(error));
}

__global__ void one(int *out) {
    *out = 1;
}

static cudaError_t allocate(int **out, size_t bytes) {
    return cudaMalloc(out, bytes); // notes call_failed
}

int main() {
    int *out, *large, host, bits = 44;
    CHECK(cudaMalloc(&out, sizeof *out));
    while (cudaMalloc(&large, 1ull << bits) != cudaSuccess) // notes call_failed
        bits--;
    CHECK(cudaFree(large));
    CHECK(allocate(&large, 1ull << 44));
    one<<<1, 1>>>(out);
    cudaError_t error = cudaMemcpy(&host, out, sizeof host, // notes call_failed
                                   cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
        CHECK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
    (void)cudaFree(&host); // notes call_failed
    cudaSetDevice(7);      // notes call_failed
    // says cudaSetDevice() fails with cudaErrorInvalidDevice (invalid device ordinal), and the
    if (cudaGetLastError() != cudaSuccess)
        puts("one device");
    one<<<1, 1, 1 << 20>>>(out); // notes call_failed
    if (cudaPeekAtLastError() != cudaSuccess)
        puts("too much shared memory");
    CHECK(cudaFree(out));
    return host == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
