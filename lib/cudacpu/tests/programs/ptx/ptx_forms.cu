// The ways to write inline PTX: raw strings, escapes, comments, operands with brackets in strings,
// numbered registers, predicates on either side, labels.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned cell[4] = {10, 20, 30, 40};

__global__ void forms(unsigned *out) {
    const unsigned t = threadIdx.x;
    unsigned x = 0, y = 0, z = 0;
    asm(R"(add.u32 %0, %1, %2;)" : "=r"(x) : "r"(t), "r"(100u));
    out[0 * 8 + t] = x; // 100 + t
    asm volatile(R"ptx({
        .reg .u32 twice;  // of t
        mul.lo.u32 twice, %1, 2;
        add.u32 %0, twice, 1; /* and
        one */
    })ptx"
                 : "=r"(x)
                 : "r"(t)
                 : "memory");
    out[1 * 8 + t] = x; // 2 t + 1
    asm("\x61\144d.u32\t%0, %1, 7;" : "=r"(x) : "r"(t));
    out[2 * 8 + t] = x; // t + 7
    asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"((unsigned)'('), "r"((unsigned)sizeof(")\")")));
    out[3 * 8 + t] = x; // 40 + 4
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 3; @p mov.u32 %0, 1; @!p mov.u32 %0, 2; }"
        : "=r"(x)
        : "r"(t));
    out[4 * 8 + t] = x; // 1 1 1 2 2 2 2 2
    asm("{ .reg .u32 r<3>;\n\t"
        "mov.u32 r0, %1;\n\t"
        "add.u32 r1, r0, r0;\n\t"
        "add.u32 r2, r1, r0;\n\t"
        "mov.u32 %0, r2; }"
        : "=r"(x)
        : "r"(t));
    out[5 * 8 + t] = x; // 3 t
    x = t;
    asm("add.u32 %0, %0, %1;" : "+r"(x) : "n"(50));
    out[6 * 8 + t] = x; // t + 50
    asm("{ .reg .pred p;\n"
        "mov.u32 %0, 0;\n"
        "again:\n"
        "add.u32 %0, %0, 3;\n"
        "setp.lt.u32 p, %0, %1;\n"
        "@p bra again; }"
        : "=r"(x)
        : "r"(2 * t));
    out[7 * 8 + t] = x; // the first multiple of 3, except 0, that is not less than 2 t
    if (t == 0) {
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(cell));
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(z) : "l"(cell + 2));
        out[64] = x, out[65] = y, out[66] = z; // 10 20 30
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(cell), "r"(77u) : "memory");
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(cell));
        asm volatile("ld.volatile.global.u32 %0, [%1+4];" : "=r"(y) : "l"(cell));
        asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(cell + 2), "r"(5u), "r"(6u));
        asm volatile("ld.global.u32 %0, [%1+12];" : "=r"(z) : "l"(cell));
        out[67] = x, out[68] = y, out[69] = z; // 77 20 6
        unsigned long long wide;
        asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(1u), "r"(2u));
        asm("mov.b64 {%0, %1}, %2;" : "=r"(x), "=r"(y) : "l"(wide + 5));
        out[70] = x, out[71] = y; // 6 2
    }
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 72 * sizeof *out);
    forms<<<1, 8>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 72; i++)
        printf("%u%c", out[i], i % 8 == 7 ? '\n' : ' ');
}
