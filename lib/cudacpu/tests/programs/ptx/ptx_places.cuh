// Registers with one percent sign, which nvcc accepts, in a header and in its macro.
#pragma once
// clang-format off
#define ADD_LANE(to) asm("{ .reg .u32 t; mov.u32 t, %laneid; // 100 % of it\n add.u32 %0, %0, t; }" : "+r"(to))
// clang-format on

static __device__ unsigned lane_of_header() {
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}

inline __device__ unsigned threads_of_header() {
    unsigned threads;
    asm("{ .reg .u32 y; mov.u32 %0, %ntid.x; mov.u32 y, %ntid.y;\n\t"
        "mul.lo.u32 %0, %0, y; mov.u32 y, %%ntid.z;\n\t"
        "mul.lo.u32 %0, %0, y; mov.u32 y, %ctaid.x; add.u32 %0, %0, y; }"
        : "=r"(threads));
    return threads;
}
