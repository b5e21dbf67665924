/*
 * texture.h - the C functions below the texture and surface functions of kernels on the CPU warp.
 */
#ifndef SHFLVIZ_CPU_TEXTURE_H
#define SHFLVIZ_CPU_TEXTURE_H

#include <stddef.h>
#include <stdint.h>

/* What a texture gave: up to four channels; those that it lacks are 0. */
struct cpu_texel {
    int is_float; /* which of the two holds them */
    union {
        float f[4];
        int32_t i[4];
    };
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reads with the texture's address modes and filter. `layer` of one that has layers, else 0. */
struct cpu_texel cpu_texture_read(unsigned long long texture, int dimensions, float x, float y,
                                  float z, int layer);
/* Of a cube's surface, what lies in the direction (x, y, z). */
struct cpu_texel cpu_texture_cube(unsigned long long texture, float x, float y, float z, int layer);
/* Texel x of a texture over linear memory; 0 beyond its ends. */
struct cpu_texel cpu_texture_fetch(unsigned long long texture, int x);
/* Where `size` bytes lie, of a surface's byte x, row y, slice or layer z; NULL beyond the edge,
 * unless `mode` is cudaBoundaryModeClamp. */
void *cpu_surface_at(unsigned long long surface, int x, int y, int z, size_t size, int mode);

#ifdef __cplusplus
}
#endif

#endif
