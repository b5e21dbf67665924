// Accesses to global memory, as steps of their own; tests/cli/cases/memory.cases checks them.
// status 0
// run: --global-accesses
#include <cstdio>

struct point {
    float x, y, z;
};
__device__ int table[8];

__global__ void walk(const float *in, float *out, const point *points, const char *bytes) {
    int i = threadIdx.x;
    float sum = in[i];
    sum += in[2 * i];
    sum += in[32 * i];
    sum += in[i + 1];
    sum += points[i].x;
    sum += in[0];
    float4 four = reinterpret_cast<const float4 *>(in)[i];
    sum += four.x + four.w;
    sum += bytes[i];
    if (i < 8)
        sum += in[128 + 8 * i];
    out[i] = sum;
    atomicAdd(&table[i % 4], 1);
}

int main() {
    float in[1024], out[32];
    point points[32];
    char bytes[32];
    int counts[8];
    for (int i = 0; i < 1024; i++)
        in[i] = float(i);
    for (int i = 0; i < 32; i++) {
        points[i] = {float(i), 0, 0};
        bytes[i] = char(i);
    }
    float *d_in, *d_out;
    point *d_points;
    char *d_bytes;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_points, sizeof points);
    cudaMalloc(&d_bytes, sizeof bytes);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(d_points, points, sizeof points, cudaMemcpyHostToDevice);
    cudaMemcpy(d_bytes, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(d_in, d_out, d_points, d_bytes);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(counts, table, sizeof counts);
    // lane 31: 31 + 62 + 992 + 32 + 31 + 0 + (124 + 127) + 31; lane 1 also 136
    printf("%g %g %g\n", out[0], out[1], out[31]);
    printf("%d %d %d\n", counts[0], counts[3], counts[4]);
}
