/*
 * texture_indirect_functions.h - reading textures by their objects, in kernels.
 */
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "cudacpu/texture.h"
#include "host_defines.h"
#include "texture_types.h"
#include "vector_types.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
/* A texel as the type that a kernel requests. */
template <class T> static inline T texel_channel(const cpu_texel &texel, int channel) {
    return texel.is_float ? static_cast<T>(texel.f[channel]) : static_cast<T>(texel.i[channel]);
}
template <class T> struct texel_as {
    static T of(const cpu_texel &texel) { return texel_channel<T>(texel, 0); }
};
#define SHFLVIZ_TEXEL(base, name)                                                                  \
    template <> struct texel_as<name##1> {                                                         \
        static name##1 of(const cpu_texel &t) { return {texel_channel<base>(t, 0)}; }              \
    };                                                                                             \
    template <> struct texel_as<name##2> {                                                         \
        static name##2 of(const cpu_texel &t) {                                                    \
            return {texel_channel<base>(t, 0), texel_channel<base>(t, 1)};                         \
        }                                                                                          \
    };                                                                                             \
    template <> struct texel_as<name##4> {                                                         \
        static name##4 of(const cpu_texel &t) {                                                    \
            return {texel_channel<base>(t, 0), texel_channel<base>(t, 1),                          \
                    texel_channel<base>(t, 2), texel_channel<base>(t, 3)};                         \
        }                                                                                          \
    };
SHFLVIZ_TEXEL(signed char, char)
SHFLVIZ_TEXEL(unsigned char, uchar)
SHFLVIZ_TEXEL(short, short)
SHFLVIZ_TEXEL(unsigned short, ushort)
SHFLVIZ_TEXEL(int, int)
SHFLVIZ_TEXEL(unsigned int, uint)
SHFLVIZ_TEXEL(float, float)
#undef SHFLVIZ_TEXEL
} // namespace shflviz

#define SHFLVIZ_TEXTURE(name, parameters, call)                                                    \
    template <class T> static inline T name parameters {                                           \
        cpu_texel texel;                                                                           \
        call;                                                                                      \
        return shflviz::texel_as<T>::of(texel);                                                    \
    }                                                                                              \
    template <class T> static inline void name(T *result, SHFLVIZ_ONLY parameters) {               \
        cpu_texel texel;                                                                           \
        call;                                                                                      \
        *result = shflviz::texel_as<T>::of(texel);                                                 \
    }
#define SHFLVIZ_ONLY(...) __VA_ARGS__

SHFLVIZ_TEXTURE(tex1Dfetch, (cudaTextureObject_t texture, int x),
                cpu_texture_fetch_to(&texel, texture, x))
SHFLVIZ_TEXTURE(tex1D, (cudaTextureObject_t texture, float x),
                cpu_texture_read_to(&texel, texture, 1, x, 0, 0))
SHFLVIZ_TEXTURE(tex2D, (cudaTextureObject_t texture, float x, float y),
                cpu_texture_read_to(&texel, texture, 2, x, y, 0))
SHFLVIZ_TEXTURE(tex3D, (cudaTextureObject_t texture, float x, float y, float z),
                cpu_texture_read_to(&texel, texture, 3, x, y, z))

#undef SHFLVIZ_TEXTURE
#undef SHFLVIZ_ONLY

CUDACPU_DEVICE_END

#endif
