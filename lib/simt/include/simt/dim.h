/*
 * dim.h - the sizes and indexes of a launch, as CUDA has them: struct uint3 and struct dim3.
 */
#ifndef SHFLVIZ_SIMT_DIM_H
#define SHFLVIZ_SIMT_DIM_H

typedef struct uint3 {
    unsigned int x, y, z;
} uint3;

typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
} dim3;

#endif
