// Integer, SIMD-in-word and rounding intrinsics; expected values worked out by hand.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ int wrong;
#define IS(what, expected)                                                                         \
    do {                                                                                           \
        auto got = (what);                                                                         \
        decltype(got) want = (decltype(got))(expected);                                            \
        if (memcmp(&got, &want, sizeof got) != 0) {                                                \
            printf("line %d: %s: %.9g, not %.9g\n", __LINE__, #what, (double)got, (double)want);   \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)
__global__ void integers() {
    IS(__popc(0xf0f0u), 8);
    IS(__popcll(~0ull), 64);
    IS(__clz(1), 31);
    IS(__clz(0), 32);
    IS(__clzll(1), 63);
    IS(__ffs(8), 4);
    IS(__ffs(0), 0);
    IS(__ffsll(1ll << 40), 41);
    IS(__brev(1u), 0x80000000u);
    IS(__brevll(2ull), 1ull << 62);
    IS(__byte_perm(0x33221100u, 0x77665544u, 0x7531u), 0x77553311u);
    IS(__byte_perm(0x80000000u, 0, 0x000bu), 0x00000080u); // only three bits of a selector count
    IS(__funnelshift_l(0x80000000u, 1u, 1), 3u);
    IS(__funnelshift_l(5u, 7u, 32), 7u);
    IS(__funnelshift_lc(5u, 7u, 32), 5u);
    IS(__funnelshift_r(0x10u, 1u, 4), 0x10000001u);
    IS(__funnelshift_rc(5u, 7u, 40), 7u);
    IS(__mul24(-3, 5), -15);
    IS(__mul24(0x1000001, 3), 3);
    IS(__umul24(0xff000002u, 4), 8u);
    IS(__mulhi(-1, 1), -1);
    IS(__mulhi(1 << 20, 1 << 20), 256);
    IS(__umulhi(~0u, ~0u), 0xfffffffeu);
    IS(__umul64hi(~0ull, 2), 1ull);
    IS(__mul64hi(-1, 1), -1ll);
    IS(__sad(-5, 7, 100u), 112u);
    IS(__usad(3u, 10u, 1u), 8u);
    IS(__hadd(-3, 2), -1);
    IS(__rhadd(-3, 2), 0);
    IS(__hadd(2147483647, 2147483647), 2147483647);
    IS(__uhadd(~0u, 1u), 0x80000000u);
    IS(__urhadd(2u, 3u), 3u);
    IS(__dp4a(0x01020304, 0x01010101, 10), 20);
    IS(__dp4a(0xff000000u, 0x02000000u, 1u), 511u);
    IS(__dp4a((int)0xff000000, 0x02000000, 1), -1);
    IS(__dp2a_lo(0x00020003, 0x00000504, 1), 2 * 5 + 3 * 4 + 1);
    IS(__dp2a_hi(0x00020003, 0x05040000, 1), 2 * 5 + 3 * 4 + 1);
    IS(__fns(0xb0u, 0, 2), 5u);
    IS(__fns(0xb0u, 7, -2), 5u);
    IS(__fns(0, 0, 1), ~0u);
    IS(min(3, 5u), 3u);
    IS(max(2.0f, 3.0), 3.0);
    IS(umin(4u, 2u), 2u);
}
__global__ void words() {
    IS(__vadd4(0xff010203u, 0x01010101u), 0x00020304u);
    IS(__vadd2(0xffff0001u, 0x00010001u), 2u);
    IS(__vsub4(0x00000001u, 0x00000002u), 0xffu);
    IS(__vaddss4(0x7f000000u, 0x01000000u), 0x7f000000u);
    IS(__vaddus4(0xff000000u, 0x02000000u), 0xff000000u);
    IS(__vsubus2(0x00010005u, 0x00020003u), 2u);
    IS(__vabs4(0xff80fe01u), 0x01800201u);
    IS(__vabsss4(0x80000000u), 0x7f000000u);
    IS(__vabsdiffu4(0x0105ff00u, 0x0501fe00u), 0x04040100u);
    IS(__vabsdiffs2(0xffff0000u, 0x00010000u), 0x00020000u);
    IS(__vmaxs4(0xff017f80u, 0x00000000u), 0x00017f00u);
    IS(__vmaxu4(0xff017f80u, 0u), 0xff017f80u);
    IS(__vmins2(0xffff0001u, 0u), 0xffff0000u);
    IS(__vminu2(0xffff0001u, 0x00010002u), 0x00010001u);
    IS(__vcmpeq4(0x01020304u, 0x01000300u), 0xff00ff00u);
    IS(__vsetgtu4(0x01020304u, 0x00030203u), 0x01000101u);
    IS(__vcmplts2(0xffff0001u, 0u), 0xffff0000u);
    IS(__vneg4(0x01000080u), 0xff000080u);
    IS(__vavgu4(0x01020304u, 0x02020304u), 0x02020304u);
    IS(__vhaddu4(0x01020304u, 0x02020304u), 0x01020304u);
    IS(__vsadu4(0x01020304u, 0x04030201u), 8u);
    IS(__vsads2(0xffff0001u, 0x00010001u), 2u);
}
__global__ void floats() {
    float third_low = 0x1.555554p-2f, third_high = 0x1.555556p-2f;
    IS(__fdiv_rz(1.0f, 3.0f), third_low);
    IS(__fdiv_ru(1.0f, 3.0f), third_high);
    IS(__fdiv_rd(1.0f, 3.0f), third_low);
    IS(__fdiv_rn(1.0f, 3.0f), third_high);
    IS(__frcp_rz(3.0f), third_low);
    IS(__fadd_ru(1.0f, 0x1p-30f), 0x1.000002p0f);
    IS(__fadd_rd(1.0f, 0x1p-30f), 1.0f);
    IS(__fadd_rz(-1.0f, -0x1p-30f), -1.0f);
    IS(__fadd_rd(-1.0f, -0x1p-30f), -0x1.000002p0f);
    IS(__fmaf_rn(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f), 0x1p-46f);
    IS(__fmaf_ru(1.0f, 1.0f, 0x1p-40f), 0x1.000002p0f);
    IS(__fsqrt_rd(2.0f), 0x1.6a09e6p0f);
    IS(__fsqrt_ru(2.0f), 0x1.6a09e8p0f);
    IS(__dadd_ru(1.0, 0x1p-60), 0x1.0000000000001p0);
    IS(__ddiv_rd(1.0, 3.0), 0x1.5555555555555p-2);
    IS(__fma_rz(1.0, 1.0, -0x1p-60), 0x1.fffffffffffffp-1);
    IS(__float2int_rn(2.5f), 2);
    IS(__float2int_rn(3.5f), 4);
    IS(__float2int_rz(-2.7f), -2);
    IS(__float2int_ru(-2.7f), -2);
    IS(__float2int_rd(-2.1f), -3);
    IS(__float2int_rn(1e20f), 2147483647);
    IS(__float2int_rn(nanf("")), 0);
    IS(__float2uint_rn(-5.0f), 0u);
    IS(__double2ll_rn(1e300), 9223372036854775807ll);
    IS(__int2float_rz(16777217), 16777216.0f);
    IS(__int2float_ru(16777217), 16777218.0f);
    IS(__double2float_rd(0.1), 0x1.999998p-4f);
    IS(__double2float_ru(0.1), 0x1.99999ap-4f);
    IS(__uint2float_rn(~0u), 4294967296.0f);
    IS(__hiloint2double(0x3ff00000, 0), 1.0);
    IS(__double2hiint(-2.0), (int)0xc0000000);
    IS(__saturatef(1.5f), 1.0f);
    IS(__saturatef(-1.0f), 0.0f);
    IS(__int_as_float(0x3f800000), 1.0f);
    IS(__float_as_uint(-0.0f), 0x80000000u);
    IS(rsqrtf(4.0f), 0.5f);
    IS(rcbrt(8.0), 0.5);
    IS(sinpi(0.5), 1.0);
    IS(cospi(1.0), -1.0);
    IS(sinpi(1e9), 0.0);
    IS(cospi(0.5), 0.0);
    IS(normcdf(0.0), 0.5);
    IS(norm3d(2.0, 3.0, 6.0), 7.0);
    IS(erfcinv(1.0), 0.0);
    IS(fabs(erfinv(erf(0.7)) - 0.7) < 1e-14, true);
    IS(fabs(erfcinv(erfc(3.0)) - 3.0) < 1e-13, true);
    IS(fabs(normcdfinv(0.975) - 1.9599639845400545) < 1e-13, true);
    IS(fabs(cyl_bessel_i0(1.0) - 1.2660658777520082) < 1e-15, true);
    IS(fabs(cyl_bessel_i1(1.0) - 0.5651591039924851) < 1e-15, true);
    IS(fabs(erfcx(20.0) - 0.028174348741051) < 1e-13, true);
    float s, c;
    sincospif(0.5f, &s, &c);
    IS(s, 1.0f);
    IS(c, 0.0f);
    __sincosf(0.0f, &s, &c);
    IS(s, 0.0f);
    IS(c, 1.0f);
    IS(__fdividef(1.0f, 0x1p127f), 0.0f);
    IS(__expf(0.0f), 1.0f);
    IS(__powf(2.0f, 10.0f), 1024.0f);
    IS(exp10f(2.0f), 100.0f);
}
__global__ void halves() {
    __half a = __float2half(1.5f), b = __int2half_rn(2);
    IS(__half_as_ushort(a), 0x3e00);
    IS(__half2float(__hadd(a, b)), 3.5f);
    IS(__half2int_rd(__float2half(-1.5f)), -2);
    IS(__half_as_ushort(__float2half_rz(65520.0f)), 0x7bff);
    IS(__half_as_ushort(__float2half_rn(65520.0f)), 0x7c00);
    IS(__half_as_ushort(__float2half_ru(1.0001f)), 0x3c01);
    IS(__half_as_ushort(__float2half_rd(-1.0001f)), 0xbc01);
    __half2 p = __floats2half2_rn(1.0f, 2.0f), q = __half2half2(a);
    IS(__half2float(__high2half(__hfma2(p, q, q))), 4.5f);
    IS(__hbgt2(p, q), false);
    IS(__hblt2(p, p), false);
    IS(__half2float(__hlt2(p, q).x), 1.0f);
    IS(__heq2_mask(p, __floats2half2_rn(1.0f, 3.0f)), 0xffffu);
    // With a NaN, only unordered comparisons are true (CUDA Math API, Half Comparison Functions).
    const __half2 n = __floats2half2_rn(nanf(""), 1.0f);
    IS(__half2float(__hne2(n, p).x), 0.0f);
    IS(__half2float(__hne2(n, p).y), 1.0f);
    IS(__half2float(__hneu2(n, p).x), 1.0f);
    IS(__hbne2(n, p), false);
    IS(__hbneu2(n, p), true);
    IS(__hne(n.x, p.x), false);
    IS(__hneu(n.x, p.x), true);
    IS(n.x != p.x, true);
    IS(n != p, true);
    IS(__hgeu(n.x, p.x) && !__hge(n.x, p.x), true);
    IS(__hne2_mask(n, p), 0xffff0000u);
    IS(__hneu2_mask(n, n), 0xffffu);
    IS(__half2float(hrcp(b)), 0.5f);
    IS(__half2float(hexp2(b)), 4.0f);
    IS(__half2float(h2sqrt(__half2half2(__int2half_rn(9))).y), 3.0f);
    IS(__half2float(__hadd_sat(a, b)), 1.0f);
    IS(__half2float(__hfma_relu(a, b, __int2half_rn(-9))), 0.0f);
    IS(__half2float(hceil(a)), 2.0f);
    IS(__half2float(hrint(__float2half(2.5f))), 2.0f);
    __nv_bfloat16 c = __float2bfloat16(1.00390625f); // half way between 1 and 1.0078125: to even
    IS(__bfloat162float(c), 1.0f);
    IS(__bfloat162float(__float2bfloat16_ru(1.00390625f)), 1.0078125f);
    IS(__bfloat162int_ru(__float2bfloat16(2.5f)), 3);
    __shared__ __half2 sum;
    sum = __half2half2(__int2half_rn(0));
    atomicAdd(&sum, p);
    atomicAdd(&sum, p);
    IS(__half2float(sum.y), 4.0f);
}
__global__ void old(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_xor(lane, 1) + 100 * __shfl(lane, 3) + 10000 * __shfl_down(lane, 1);
    if (lane < 8)
        out[lane] = __popc(__ballot(lane & 1)) * 10 + __any(lane == 7) * 2 + __all(lane < 8);
}
struct alignas(16) wide {
    long long a, b;
};
__global__ void atomics(unsigned int *u, float *f, wide *w) {
    atomicInc(&u[0], 5);
    atomicDec(&u[1], 5);
    atomicAdd_block(&u[2], 2u);
    atomicMax_system(&u[3], threadIdx.x);
    atomicAdd(f, 0.5f);
    atomicExch(&u[4], 7u);
    atomicXor(&u[5], 1u << threadIdx.x);
    wide old = *w;
    for (;;) {
        wide next = {old.a + 1, old.b - 1};
        wide seen = atomicCAS(w, old, next);
        if (seen.a == old.a && seen.b == old.b)
            break;
        old = seen;
    }
    if (!__isShared(u))
        __stcs(&u[6], __ldcg(&u[3]) + __ldg(&u[4]));
}
int main() {
    int gridDim = 1, blockDim = 1; // the language's own names, used in host code
    integers<<<gridDim, blockDim>>>();
    words<<<1, 1>>>();
    floats<<<1, 1>>>();
    halves<<<1, 1>>>();
    cudaDeviceSynchronize();
    int *out;
    cudaMallocManaged(&out, 128);
    old<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[7], out[8], out[31]);
    unsigned int *u;
    float *f;
    wide *w;
    cudaMallocManaged(&u, 64);
    cudaMallocManaged(&f, 4);
    cudaMallocManaged(&w, 16);
    atomics<<<1, 32>>>(u, f, w);
    cudaDeviceSynchronize();
    printf("%u %u %u %u %u %08x %u %g %lld %lld\n", u[0], u[1], u[2], u[3], u[4], u[5], u[6], *f,
           w->a, w->b);
    printf(wrong ? "%d wrong\n" : "all right\n", wrong);
}
