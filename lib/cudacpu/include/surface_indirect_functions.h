/*
 * surface_indirect_functions.h - reading and writing surfaces by their objects, in kernels. The
 * first coordinate counts bytes.
 */
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "cudacpu/calls.h"
#include "cudacpu/texture.h"
#include "surface_types.h"

#include <string.h>

namespace shflviz {
/* Beyond the edge: zero is read and nothing written; a trap is the device's to make. */
template <class T>
static inline T surface_read(cudaSurfaceObject_t surface, int x, int y, int z,
                             cudaSurfaceBoundaryMode mode) {
    T value;
    memset(static_cast<void *>(&value), 0, sizeof value);
    const void *from = cpu_surface_at(surface, x, y, z, sizeof value, mode);
    if (from)
        memcpy(static_cast<void *>(&value), from, sizeof value);
    else if (mode == cudaBoundaryModeTrap)
        cpu_trap();
    return value;
}
template <class T>
static inline void surface_write(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                                 cudaSurfaceBoundaryMode mode) {
    void *to = cpu_surface_at(surface, x, y, z, sizeof value, mode);
    if (to)
        memcpy(to, &value, sizeof value);
    else if (mode == cudaBoundaryModeTrap)
        cpu_trap();
}
} // namespace shflviz

#define SHFLVIZ_SURFACE(name, parameters, y, z)                                                    \
    template <class T>                                                                             \
    static inline T name##read(SHFLVIZ_ONLY parameters,                                            \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
        return shflviz::surface_read<T>(surface, x, y, z, mode);                                   \
    }                                                                                              \
    template <class T>                                                                             \
    static inline void name##read(T *result, SHFLVIZ_ONLY parameters,                              \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        *result = shflviz::surface_read<T>(surface, x, y, z, mode);                                \
    }                                                                                              \
    template <class T>                                                                             \
    static inline void name##write(T value, SHFLVIZ_ONLY parameters,                               \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
        shflviz::surface_write(value, surface, x, y, z, mode);                                     \
    }
#define SHFLVIZ_ONLY(...) __VA_ARGS__

SHFLVIZ_SURFACE(surf1D, (cudaSurfaceObject_t surface, int x), 0, 0)
SHFLVIZ_SURFACE(surf2D, (cudaSurfaceObject_t surface, int x, int y), y, 0)
SHFLVIZ_SURFACE(surf3D, (cudaSurfaceObject_t surface, int x, int y, int z), y, z)
SHFLVIZ_SURFACE(surf1DLayered, (cudaSurfaceObject_t surface, int x, int layer), 0, layer)
SHFLVIZ_SURFACE(surf2DLayered, (cudaSurfaceObject_t surface, int x, int y, int layer), y, layer)

#undef SHFLVIZ_SURFACE
#undef SHFLVIZ_ONLY

#endif
