/*
 * vector_types.h - the CUDA vector types that the CPU warp's builtin variables are made of.
 *
 * C reads it too: the device writes threadIdx and its like as these structs.
 */
#ifndef SHFLVIZ_CUDA_VECTOR_TYPES_H
#define SHFLVIZ_CUDA_VECTOR_TYPES_H

struct uint3 {
    unsigned int x, y, z;
};

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};

#ifdef __cplusplus
#define SHFLVIZ_VECTOR_TYPES(base, name)                                                           \
    struct name##1 {                                                                               \
        base x;                                                                                    \
    };                                                                                             \
    struct alignas(2 * sizeof(base)) name##2 {                                                     \
        base x, y;                                                                                 \
    };                                                                                             \
    static inline name##1 make_##name##1(base x) {                                                 \
        return {x};                                                                                \
    }                                                                                              \
    static inline name##2 make_##name##2(base x, base y) {                                         \
        return {x, y};                                                                             \
    }
#define SHFLVIZ_VECTOR_TYPES_3_4(base, name)                                                       \
    struct name##3 {                                                                               \
        base x, y, z;                                                                              \
    };                                                                                             \
    SHFLVIZ_VECTOR_TYPES_4(base, name)                                                             \
    static inline name##3 make_##name##3(base x, base y, base z) {                                 \
        return {x, y, z};                                                                          \
    }
#define SHFLVIZ_VECTOR_TYPES_4(base, name)                                                         \
    struct alignas(sizeof(base) >= 8 ? 16 : 4 * sizeof(base)) name##4 {                            \
        base x, y, z, w;                                                                           \
    };                                                                                             \
    static inline name##4 make_##name##4(base x, base y, base z, base w) {                         \
        return {x, y, z, w};                                                                       \
    }

SHFLVIZ_VECTOR_TYPES(signed char, char)
SHFLVIZ_VECTOR_TYPES_3_4(signed char, char)
SHFLVIZ_VECTOR_TYPES(unsigned char, uchar)
SHFLVIZ_VECTOR_TYPES_3_4(unsigned char, uchar)
SHFLVIZ_VECTOR_TYPES(short, short)
SHFLVIZ_VECTOR_TYPES_3_4(short, short)
SHFLVIZ_VECTOR_TYPES(unsigned short, ushort)
SHFLVIZ_VECTOR_TYPES_3_4(unsigned short, ushort)
SHFLVIZ_VECTOR_TYPES(int, int)
SHFLVIZ_VECTOR_TYPES_3_4(int, int)
SHFLVIZ_VECTOR_TYPES(unsigned int, uint)
SHFLVIZ_VECTOR_TYPES_4(unsigned int, uint)
SHFLVIZ_VECTOR_TYPES(long, long)
SHFLVIZ_VECTOR_TYPES_3_4(long, long)
SHFLVIZ_VECTOR_TYPES(unsigned long, ulong)
SHFLVIZ_VECTOR_TYPES_3_4(unsigned long, ulong)
SHFLVIZ_VECTOR_TYPES(long long, longlong)
SHFLVIZ_VECTOR_TYPES_3_4(long long, longlong)
SHFLVIZ_VECTOR_TYPES(unsigned long long, ulonglong)
SHFLVIZ_VECTOR_TYPES_3_4(unsigned long long, ulonglong)
SHFLVIZ_VECTOR_TYPES(float, float)
SHFLVIZ_VECTOR_TYPES_3_4(float, float)
SHFLVIZ_VECTOR_TYPES(double, double)
SHFLVIZ_VECTOR_TYPES_3_4(double, double)
static inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
    return {x, y, z};
}

#undef SHFLVIZ_VECTOR_TYPES
#undef SHFLVIZ_VECTOR_TYPES_3_4
#undef SHFLVIZ_VECTOR_TYPES_4
#endif

#endif
