// Inline PTX: computations of one thread, and its special registers; the expected values were
// worked out by hand.
#include <cstdio>
#include <cuda_fp16.h>
__device__ int wrong;
#define IS(what, expected)                                                                         \
    do {                                                                                           \
        auto got = (what);                                                                         \
        decltype(got) want = (decltype(got))(expected);                                            \
        if (!(got == want)) {                                                                      \
            printf("line %d: %s: %.9g, not %.9g\n", __LINE__, #what, (double)got, (double)want);   \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)

// Functions of one to four values, which are 32 bits, 64 bits or floats.
#define ASM1(name, code, T, c)                                                                     \
    __device__ T name(T a) {                                                                       \
        T d;                                                                                       \
        asm(code " %0, %1;" : "=" c(d) : c(a));                                                    \
        return d;                                                                                  \
    }
#define ASM2(name, code, T, c)                                                                     \
    __device__ T name(T a, T b) {                                                                  \
        T d;                                                                                       \
        asm volatile(code " %0, %1, %2;" : "=" c(d) : c(a), c(b));                                 \
        return d;                                                                                  \
    }
#define ASM3(name, code, T, c)                                                                     \
    __device__ T name(T a, T b, T e) {                                                             \
        T d;                                                                                       \
        asm(code " %0, %1, %2, %3;" : "=" c(d) : c(a), c(b), c(e));                                \
        return d;                                                                                  \
    }
ASM2(add, "add.u32", unsigned, "r")
ASM2(add_sat, "add.sat.s32", int, "r")
ASM2(sub, "sub.s32", int, "r")
ASM2(mul_hi, "mul.hi.u32", unsigned, "r")
ASM2(mul_hi_s, "mul.hi.s32", int, "r")
ASM2(mul_lo_64, "mul.lo.u64", unsigned long long, "l")
ASM2(mul_hi_64, "mul.hi.u64", unsigned long long, "l")
ASM3(mad_lo, "mad.lo.s32", int, "r")
ASM3(mad_hi, "mad.hi.u32", unsigned, "r")
ASM2(mul24_, "mul24.lo.u32", unsigned, "r")
ASM2(divide, "div.s32", int, "r")
ASM2(rest, "rem.s32", int, "r")
ASM2(least, "min.s32", int, "r")
ASM2(most, "max.u32", unsigned, "r")
ASM1(magnitude, "abs.s32", int, "r")
ASM1(negated, "neg.s32", int, "r")
ASM3(sad, "sad.u32", unsigned, "r")
ASM3(dp4a, "dp4a.u32.u32", unsigned, "r")
ASM2(both, "and.b32", unsigned, "r")
ASM2(either, "or.b32", unsigned, "r")
ASM2(one, "xor.b32", unsigned, "r")
ASM1(complement, "not.b32", unsigned, "r")
ASM2(shl, "shl.b32", unsigned, "r")
ASM2(shr, "shr.s32", int, "r")
ASM3(shf_l, "shf.l.wrap.b32", unsigned, "r")
ASM3(shf_r, "shf.r.clamp.b32", unsigned, "r")
ASM3(bfe, "bfe.u32", unsigned, "r")
ASM3(bfe_s, "bfe.s32", int, "r")
ASM1(bfind, "bfind.u32", unsigned, "r")
ASM1(bfind_s, "bfind.s32", int, "r")
ASM1(bfind_shift, "bfind.shiftamt.u32", unsigned, "r")
ASM1(brev, "brev.b32", unsigned, "r")
ASM1(popc, "popc.b32", unsigned, "r")
ASM1(clz, "clz.b32", unsigned, "r")
ASM3(prmt, "prmt.b32", unsigned, "r")
ASM2(fadd, "add.rn.ftz.f32", float, "f")
ASM2(fadd_rz, "add.rz.f32", float, "f")
ASM2(fmul, "mul.f32", float, "f")
ASM3(fma3, "fma.rn.f32", float, "f")
ASM3(fma3_64, "fma.rn.f64", double, "d")
ASM2(fmin2, "min.f32", float, "f")
ASM1(fneg, "neg.f32", float, "f")
ASM1(ex2, "ex2.approx.ftz.f32", float, "f")
ASM1(lg2, "lg2.approx.f32", float, "f")
ASM1(rcp, "rcp.approx.ftz.f32", float, "f")
ASM1(root, "sqrt.approx.f32", float, "f")
ASM1(root_rn, "sqrt.rn.f32", float, "f")
ASM1(rsqrt_, "rsqrt.approx.f32", float, "f")
ASM2(fdiv_, "div.full.f32", float, "f")

__global__ void numbers() {
    IS(add(0xffffffffu, 2), 1);
    IS(add_sat(2147483647, 1), 2147483647);
    IS(sub(-5, 7), -12);
    IS(mul_hi(~0u, ~0u), 0xfffffffeu);
    IS(mul_hi_s(-1, 1), -1);
    IS(mul_lo_64(1ull << 40, 1ull << 20), 1ull << 60);
    IS(mul_hi_64(1ull << 40, 1ull << 30), 64);
    IS(mad_lo(-3, 4, 5), -7);
    IS(mad_hi(1u << 31, 4, 5), 7);
    IS(mul24_(0xff000002u, 4), 8);
    IS(divide(-7, 2), -3);
    IS(divide(-2147483647 - 1, -1), -2147483647 - 1);
    IS(rest(-7, 2), -1);
    IS(least(-1, 1), -1);
    IS(most(~0u, 1), ~0u);
    IS(magnitude(-9), 9);
    IS(negated(9), -9);
    IS(sad(3, 10, 1), 8);
    IS(dp4a(0xff000000u, 0x02000000u, 1), 511);
    IS(both(12, 10), 8);
    IS(either(12, 10), 14);
    IS(one(12, 10), 6);
    IS(complement(0), ~0u);
    IS(shl(1, 31), 0x80000000u);
    IS(shl(1, 32), 0);
    IS(shr(-8, 1), -4);
    IS(shr(-8, 40), -1);
    IS(shf_l(0x80000000u, 1, 1), 3);
    IS(shf_r(5, 7, 40), 7);
    IS(bfe(0xabcd1234u, 8, 8), 0x12);
    IS(bfe(0xabcd1234u, 28, 8), 0xa);
    IS(bfe_s(0x0000f000, 12, 4), -1);
    IS(bfe_s(0x00007000, 12, 4), 7);
    IS(bfind(0), ~0u);
    IS(bfind(0x400), 10);
    IS(bfind_s(-1), -1);
    IS(bfind_s(-256), 7);
    IS(bfind_shift(0x400), 21);
    IS(brev(1), 0x80000000u);
    IS(popc(0xf0f0), 8);
    IS(clz(1), 31);
    IS(prmt(0x33221100u, 0x77665544u, 0x7531u), 0x77553311u);
    IS(prmt(0x80000000u, 0, 0x000bu), 0x000000ffu); // byte 3's sign, then byte 0 three times
    IS(fadd(1.5f, 2.25f), 3.75f);
    IS(fadd(1e-40f, 0.0f), 0.0f); // .ftz makes it 0
    IS(fadd_rz(1.0f, 0x1.fp-24f), 1.0f);
    IS(fmul(1.5f, 2), 3.0f);
    IS(fma3(2, 3, 4), 10.0f);
    IS(fma3_64(2, 3, 4), 10.0);
    IS(fmin2(-0.5f, 3), -0.5f);
    IS(fneg(2), -2.0f);
    IS(ex2(10), 1024.0f);
    IS(lg2(1024), 10.0f);
    IS(rcp(4), 0.25f);
    IS(root(9), 3.0f);
    IS(root_rn(2), 0x1.6a09e6p+0f);
    IS(rsqrt_(16), 0.25f);
    IS(fdiv_(1, 8), 0.125f);
}

__global__ void words() {
    unsigned x, y;
    unsigned long long w;
    long long s;
    int i;
    float f;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(0xffffffffu), "r"(2u));
    IS(w, 0x1fffffffeull);
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(s) : "r"(-3), "r"(4), "l"(20ll));
    IS(s, 8);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(x) : "r"(0xfu), "r"(0xffff0000u));
    IS(x, 0xffff0f00u);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(x) : "r"(12u), "r"(10u), "r"(1u));
    IS(x, 12 ^ 10 ^ 1);
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
        : "=r"(x)
        : "r"(0x01020304u), "r"(0x04030201u), "r"(100u));
    IS(x, 108);
    asm("vadd2.s32.s32.s32 %0, %1, %2, %3;"
        : "=r"(x)
        : "r"(0x0001ffffu), "r"(0x00010001u), "r"(0u));
    IS(x, 0x00020000u);
    // One value is moved to two registers, and back.
    asm("mov.b64 {%0, %1}, %2;" : "=r"(x), "=r"(y) : "l"(0x1122334455667788ull));
    IS(x, 0x55667788u);
    IS(y, 0x11223344u);
    asm("mov.b64 %0, {%2, %1};" : "=l"(w) : "r"(x), "r"(y));
    IS(w, 0x5566778811223344ull);
    asm("mov.b32 %0, %1;" : "=r"(x) : "f"(1.0f));
    IS(x, 0x3f800000u);
    asm("mov.f32 %0, 0f40490FDB;" : "=f"(f));
    IS(f, 3.14159274f);
    // A 128-bit sum, in instructions that pass the carry on.
    unsigned long long low, high;
    asm("add.cc.u64 %0, %2, %4;\n\t"
        "addc.u64 %1, %3, %5;"
        : "=l"(low), "=l"(high)
        : "l"(~0ull), "l"(1ull), "l"(2ull), "l"(3ull));
    IS(low, 1);
    IS(high, 5);
    asm("{ sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5; }"
        : "=r"(x), "=r"(y)
        : "r"(1u), "r"(2u), "r"(7u), "r"(3u));
    IS(x, ~0u);
    IS(y, 3);
    // The statement's own registers, a comparison, a selection, a predicate before an instruction.
    asm("{\n\t"
        ".reg .pred p, q;\n\t"
        "// the larger, doubled if it is even\n\t"
        "setp.gt.s32 p|q, %1, %2;\n\t"
        "selp.b32 %0, %1, %2, p;\n\t"
        ".reg .u32 t<2>;\n\t"
        "and.b32 t0, %0, 1;\n\t"
        "setp.eq.and.u32 q, t0, 0, !q;\n\t"
        "@q shl.b32 %0, %0, 1;\n\t"
        "}"
        : "=r"(i)
        : "r"(6), "r"(-9));
    IS(i, 12);
    x = 5;
    asm("{ .reg .pred p; setp.lt.f32 p, %1, 1.0; @!p bra DONE; add.u32 %0, %0, 100; DONE: }"
        : "+r"(x)
        : "f"(0.5f));
    IS(x, 105);
    // A loop.
    asm("{ .reg .pred %%p; .reg .u32 %%n; mov.u32 %%n, 4; mov.u32 %0, 0;\n"
        "$again: add.u32 %0, %0, %%n; sub.u32 %%n, %%n, 1; setp.ne.u32 %%p, %%n, 0; @%%p bra.uni "
        "$again; }"
        : "=r"(x));
    IS(x, 10);
    // Conversions.
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f));
    IS(i, 2);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.9f));
    IS(i, -2);
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(x) : "f"(-2.9f));
    IS(x, 0);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(1e20f));
    IS(i, 2147483647);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(-7));
    IS(f, -7.0f);
    asm("cvt.s64.s32 %0, %1;" : "=l"(s) : "r"(-7));
    IS(s, -7);
    asm("cvt.u64.u32 %0, %1;" : "=l"(w) : "r"(-1));
    IS(w, 0xffffffffull);
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(x) : "r"(300));
    IS(x, 255);
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f) : "d"(1 + 0x1.fp-24));
    IS(f, 1.0f);
    unsigned short h;
    asm("{ .reg .f16 t; cvt.rn.f16.f32 t, %1; mov.b16 %0, t; }" : "=h"(h) : "f"(1.5f));
    IS(h, 0x3e00);
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(2.0f), "f"(1.0f));
    IS(x, 0x40003c00u);
    asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(x) : "r"(0x40003c00u));
    IS(x, 0x46004000u);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(1 + 0x1p-11f));
    IS(x, 0x3f802000u);
    // A compile-time constant.
    asm("add.s32 %0, %1, %2;" : "=r"(i) : "n"(40), "r"(2));
    IS(i, 42);
}

__device__ int cell;
__global__ void memory(float4 *out, unsigned *counter) {
    __shared__ float4 tile[32];
    unsigned address = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    float x = threadIdx.x;
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(x), "f"(x + 1),
                 "f"(x + 2), "f"(x + 3)
                 : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    float4 got;
    unsigned long long wide;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; xor.b64 %0, t, 0; }"
        : "=l"(wide)
        : "l"(&tile[threadIdx.x ^ 1]));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(got.x), "=f"(got.y), "=f"(got.z), "=f"(got.w)
                 : "r"((unsigned)wide));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(out));
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x), "f"(got.x),
                 "f"(got.y), "f"(got.z), "f"(got.w));
    asm volatile("membar.gl;");
    asm volatile("bar.warp.sync 0xffffffff;");
    unsigned old, second;
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1+4];" : "=r"(second) : "l"(counter));
    asm volatile("atom.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(counter), "r"(second)
                 : "memory");
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(&cell), "r"((int)old));
    unsigned char byte;
    asm volatile("{ .reg .u32 t; ld.global.s8 t, [%1]; cvt.u16.u32 %0, t; }"
                 : "=h"(*(unsigned short *)&wide)
                 : "l"((char *)counter + 8));
    byte = (unsigned char)wide;
    IS(byte, 0xff);
    // An asynchronous copy, and waiting for it.
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
                 "l"(out + 31 - threadIdx.x));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" ::"n"(0));
    asm volatile("barrier.sync 0;");
    IS(tile[threadIdx.x].x, (float)((31 - threadIdx.x) ^ 1));
}

__global__ void special() {
    unsigned lane, warp, warps, below, above, x, y, nx, bx, gx;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(above));
    asm("mov.u32 %0, %tid.x;" : "=r"(x));
    asm("mov.u32 %0, %%tid.y; mov.u32 %1, %%ntid.x; mov.u32 %2, %%ctaid.x; mov.u32 %3, %%nctaid.x;"
        : "=r"(y), "=r"(nx), "=r"(bx), "=r"(gx));
    IS(x, threadIdx.x);
    IS(y, threadIdx.y);
    IS(nx, blockDim.x);
    IS(bx, blockIdx.x);
    IS(gx, gridDim.x);
    unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    IS(lane, thread % 32);
    asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
    IS(warp < warps, true); // a warp's position is unspecified
    IS(below, (1u << lane) - 1);
    IS(above, ~((1u << lane) - 1));
    long long before, after;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before)::"memory");
    asm volatile("nanosleep.u32 100;");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
    IS(after >= before, true);
    unsigned sm, sms;
    asm("mov.u32 %0, %%smid; mov.u32 %1, %%nsmid;" : "=r"(sm), "=r"(sms));
    IS(sm < sms, true);
    if (thread % 2)
        asm volatile("exit;");
    atomicAdd(&wrong, thread % 2);
}

int main() {
    numbers<<<1, 1>>>();
    words<<<1, 1>>>();
    float4 *out;
    unsigned *counter;
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&counter, 12);
    counter[0] = 0, counter[1] = 3, counter[2] = 0xff;
    memory<<<1, 32>>>(out, counter);
    special<<<2, dim3(8, 6)>>>();
    int failed = cudaDeviceSynchronize(), largest, wrong_there;
    cudaMemcpyFromSymbol(&largest, cell, sizeof largest);
    cudaMemcpyFromSymbol(&wrong_there, wrong, sizeof wrong_there);
    printf("counter %u, largest %d, out[5].w %g\n", counter[0], largest, out[5].w);
    asm volatile("" ::: "memory"); // inline assembly of the host
    printf("%d wrong, error %d\n", wrong_there, failed);
}
