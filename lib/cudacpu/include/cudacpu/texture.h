/* texture.h - the C functions that implement the texture functions of kernels on the CPU warp. */
#ifndef SHFLVIZ_CPU_TEXTURE_H
#define SHFLVIZ_CPU_TEXTURE_H

#include <stddef.h>
#include <stdint.h>

/* The result of a fetch: up to four channels; missing ones are 0. */
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

/* Reads with the texture's address modes and filter. */
struct cpu_texel cpu_texture_read(unsigned long long texture, int dimensions, float x, float y,
                                  float z);
/* Texel x of a texture over linear memory; 0 outside it. */
struct cpu_texel cpu_texture_fetch(unsigned long long texture, int x);

/* The same for kernels, which pass objects differently. */
void cpu_texture_read_to(struct cpu_texel *texel, unsigned long long texture, int dimensions,
                         float x, float y, float z);
void cpu_texture_fetch_to(struct cpu_texel *texel, unsigned long long texture, int x);

#ifdef __cplusplus
}
#endif

#endif
