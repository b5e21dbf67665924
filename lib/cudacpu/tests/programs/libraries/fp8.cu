// The 8-bit floats: every code is compared with its value by the definition of the format, and
// each value and each midpoint is converted back to the nearest code, the even one at a tie.
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>

// (1 + f / 2^m) 2^(e - bias), and f / 2^m 2^(1 - bias) where e is 0
__host__ __device__ double value_of(int code, __nv_fp8_interpretation_t kind) {
    const int m = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int e = code >> m & (kind == __NV_E4M3 ? 15 : 31), f = code & ((1 << m) - 1);
    const double fraction = f / double(1 << m) + (e ? 1 : 0);
    return (code & 0x80 ? -1 : 1) * fraction * exp2(double((e ? e : 1) - bias));
}

__global__ void count(int *wrong, __nv_fp8_interpretation_t kind) {
    const int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
    for (int code = threadIdx.x; code < 256; code += 32) {
        if ((code & 0x7f) > largest)
            continue;
        const double value = value_of(code, kind);
        const __half half = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)code, kind);
        int bad = __half2float(half) != value;
        const __nv_fp8_e4m3 e4m3 = {(__nv_fp8_storage_t)code};
        const __nv_fp8_e5m2 e5m2 = {(__nv_fp8_storage_t)code};
        bad += (kind == __NV_E4M3 ? (float)e4m3 : (float)e5m2) != value;
        bad += __nv_cvt_float_to_fp8((float)value, __NV_NOSAT, kind) != code;
        if ((code & 0x7f) < largest) {
            const double middle = (value + value_of(code + 1, kind)) / 2;
            bad += __nv_cvt_float_to_fp8((float)middle, __NV_SATFINITE, kind) != code + code % 2;
        }
        atomicAdd(wrong, bad);
    }
}

int main() {
    int *wrong;
    cudaMallocManaged(&wrong, sizeof *wrong);
    *wrong = 0;
    count<<<1, 32>>>(wrong, __NV_E4M3);
    count<<<1, 32>>>(wrong, __NV_E5M2);
    cudaDeviceSynchronize();
    printf("wrong: %d\n", *wrong);
    for (auto kind : {__NV_E4M3, __NV_E5M2})
        for (float x : {1e6f, -INFINITY, NAN, 1e-9f, -0.0f})
            printf("%02x %02x%s", __nv_cvt_float_to_fp8(x, __NV_NOSAT, kind),
                   __nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind), x == 0 ? "\n" : "  ");
    printf("%04x %04x %04x\n", (unsigned short)__nv_cvt_fp8_to_halfraw(0x7f, __NV_E4M3).x,
           (unsigned short)__nv_cvt_fp8_to_halfraw(0xfe, __NV_E5M2).x,
           (unsigned short)__nv_cvt_fp8_to_halfraw(0xfc, __NV_E5M2).x);
    for (unsigned char x : {0, 1, 127, 254}) // 2 to the power of x - 127
        printf("%g ", (float)__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(x)));
    printf("%04x\n", (unsigned short)__nv_cvt_e8m0_to_bf16raw(255).x);
}
