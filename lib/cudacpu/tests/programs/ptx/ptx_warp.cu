// Inline PTX: warp operations, which are recorded like the intrinsics, and barriers. Expected
// values from the pseudo-code of shfl.sync in the PTX ISA, worked out by hand.
#include <cstdio>
__device__ int wrong;
#define IS(what, expected)                                                                         \
    do {                                                                                           \
        auto had = (what);                                                                         \
        decltype(had) want = (decltype(had))(expected);                                            \
        if (had != want) {                                                                         \
            printf("line %d, thread %d: %s: %lld, not %lld\n", __LINE__, threadIdx.x, #what,       \
                   (long long)had, (long long)want);                                               \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)

// A sum as libraries write it: a lane adds only if its shuffle stayed within the range.
__device__ float add_down(float value, int delta, int c) {
    float sum;
    asm volatile("{ .reg .f32 r0; .reg .pred p;"
                 "  shfl.sync.down.b32 r0|p, %1, %2, %3, 0xffffffff;"
                 "  @p add.f32 r0, r0, %1;"
                 "  mov.f32 %0, r0; }"
                 : "=f"(sum)
                 : "f"(value), "r"(delta), "r"(c));
    return sum;
}

__global__ void shuffles() {
    const int lane = threadIdx.x;
    int x = 100 + lane, got, in_range;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(got) : "r"(x));
    IS(got, 100 + (lane ^ 3));
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
                 : "=r"(got)
                 : "r"(x), "r"(16), "r"((32 - 16) << 8 | 31), "r"(-1));
    IS(got, 100 + (lane < 16 ? lane : lane - 16)); // a later segment is out of range
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 2, 0x1800, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in_range)
                 : "r"(x));
    IS(got, 100 + (lane % 8 < 2 ? lane : lane - 2));
    IS(in_range, lane % 8 >= 2);
    asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x101f, -1;" : "=r"(got) : "r"(x));
    IS(got, 100 + lane / 16 * 16 + 5);
    // An unusual clamp: the range ends at lane 9.
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 9, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in_range)
                 : "r"(x));
    IS(got, 100 + (lane <= 5 ? lane + 4 : lane));
    IS(in_range, lane <= 5);
    asm volatile("shfl.sync.up.b32 %0, %1, 1, 3, -1;" : "=r"(got) : "r"(x));
    IS(got, 100 + (lane >= 4 ? lane - 1 : lane));
    float sum = lane;
    for (int delta = 1; delta < 32; delta *= 2)
        sum = add_down(sum, delta, 31);
    if (lane == 0)
        IS(sum, 496);
    // Eight bytes take two shuffles.
    double d = lane + 0.5;
    asm volatile(
        "{ .reg .u32 low, high; mov.b64 {low, high}, %1;"
        " shfl.sync.bfly.b32 low, low, 1, 31, -1; shfl.sync.bfly.b32 high, high, 1, 31, -1;"
        " mov.b64 %0, {low, high}; }"
        : "=d"(d)
        : "d"(d));
    IS(d, (lane ^ 1) + 0.5);
}

__global__ void votes() {
    const unsigned lane = threadIdx.x;
    unsigned got, flag;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(got)
                 : "r"(lane));
    IS(got, 0x1f);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.any.pred q, p, -1; selp.u32 "
                 "%0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    IS(got, 1);
    asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.all.pred q, !p, -1; selp.u32 "
                 "%0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    IS(got, 0);
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 99; vote.sync.uni.pred q, p, -1; selp.u32 "
                 "%0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"(lane));
    IS(got, 1);
    asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(got) : "r"(lane / 4));
    IS(got, 0xfu << lane / 4 * 4);
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(flag)
                 : "l"(7ull));
    IS(got, ~0u);
    IS(flag, 1);
    int least;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(lane));
    IS(got, 496);
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(least) : "r"(3 - (int)lane));
    IS(least, -28);
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(got) : "r"(1u << lane));
    IS(got, ~0u);
    if (lane < 8) {
        asm volatile("activemask.b32 %0;" : "=r"(got));
        IS(got, 0xff);
        asm volatile("bar.warp.sync 0xff;" ::: "memory");
    }
}

// The upper two warps produce and the lower two consume, with two named barriers.
__global__ void pipeline(int *out) {
    __shared__ int buffer[64];
    const int half = threadIdx.x / 64, at = threadIdx.x % 64;
    for (int round = 0; round < 4; round++)
        if (half) {
            if (round)
                asm volatile("bar.sync 2, 128;" ::: "memory");
            buffer[at] = round * 1000 + at;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, %0;" ::"r"(128) : "memory");
            out[round * 64 + at] = buffer[63 - at];
            if (round < 3)
                asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    unsigned count;
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 5; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(count)
                 : "r"(at));
    IS(count, 10);
}

int main() {
    int *out, sum = 0, wrong_there;
    cudaMallocManaged(&out, 4 * 64 * sizeof *out);
    shuffles<<<1, 32>>>();
    votes<<<1, 32>>>();
    pipeline<<<1, 128>>>(out);
    int failed = cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++)
        sum += out[i] == i / 64 * 1000 + 63 - i % 64;
    cudaMemcpyFromSymbol(&wrong_there, wrong, sizeof wrong_there);
    printf("%d wrong, %d of 256 taken, error %d\n", wrong_there, sum, failed);
}
