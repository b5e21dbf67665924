/*
 * vector_types.h - the CUDA vector types. Also for C: the device writes threadIdx and its like as
 * these structs.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "simt/dim.h"

/* Base type and name of all types with 1, 2, 3 and 4 members. */
#define SHFLVIZ_VECTORS(X)                                                                         \
    SHFLVIZ_VECTORS_BUT_UINT(X)                                                                    \
    X(unsigned int, uint)
#define SHFLVIZ_VECTORS_BUT_UINT(X)                                                                \
    X(signed char, char)                                                                           \
    X(unsigned char, uchar)                                                                        \
    X(short, short)                                                                                \
    X(unsigned short, ushort)                                                                      \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(unsigned long, ulong)                                                                        \
    X(long long, longlong)                                                                         \
    X(unsigned long long, ulonglong)                                                               \
    X(float, float)                                                                                \
    X(double, double)

/* With 1 or 3 members, aligned like a member; with 2 or 4, as a whole, up to 16 bytes. */
#define SHFLVIZ_VECTOR_TYPES(base, name)                                                           \
    typedef struct name##1 {                                                                       \
        base x;                                                                                    \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct __attribute__((aligned(2 * sizeof(base)))) name##2 {                            \
        base x, y;                                                                                 \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct __attribute__((aligned(sizeof(base) >= 8 ? 16 : 4 * sizeof(base)))) name##4 {   \
        base x, y, z, w;                                                                           \
    }                                                                                              \
    name##4;
SHFLVIZ_VECTORS(SHFLVIZ_VECTOR_TYPES)
#undef SHFLVIZ_VECTOR_TYPES

#define SHFLVIZ_VECTOR_TYPES(base, name)                                                           \
    typedef struct name##3 {                                                                       \
        base x, y, z;                                                                              \
    }                                                                                              \
    name##3;
SHFLVIZ_VECTORS_BUT_UINT(SHFLVIZ_VECTOR_TYPES) /* uint3 is in simt/dim.h */
#undef SHFLVIZ_VECTOR_TYPES

/* CUDA 13 has the types of 32 bytes with either alignment. */
#define SHFLVIZ_VECTOR_TYPES(base, name)                                                           \
    typedef name##4 name##4_16a;                                                                   \
    typedef struct __attribute__((aligned(32))) name##4_32a {                                      \
        base x, y, z, w;                                                                           \
    }                                                                                              \
    name##4_32a;
SHFLVIZ_VECTOR_TYPES(long, long)
SHFLVIZ_VECTOR_TYPES(unsigned long, ulong)
SHFLVIZ_VECTOR_TYPES(long long, longlong)
SHFLVIZ_VECTOR_TYPES(unsigned long long, ulonglong)
SHFLVIZ_VECTOR_TYPES(double, double)
#undef SHFLVIZ_VECTOR_TYPES

#endif
