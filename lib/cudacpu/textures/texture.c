/*
 * texture.c - arrays, and the textures through which kernels read them.
 *
 * The rules are those of the CUDA C++ Programming Guide, "Texture Fetching".
 */
#include "cudacpu/runtime/api.h"

#include "base/memory.h"
#include "cudacpu/texture.h"
#include "warp/type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release_all(struct cpu_api *api) {
    while (api->textures) {
        struct api_texture *texture = api->textures;
        api->textures = texture->next;
        free(texture);
    }
    while (api->arrays) {
        struct cudaArray *array = api->arrays;
        api->arrays = array->next;
        free(array->data);
        free(array);
    }
}

/* ---- arrays ---- */

static bool is_width(int bits) {
    return bits == 0 || bits == 8 || bits == 16 || bits == 32;
}

/* Bytes of an element; 0 if there is no such format. */
static size_t element_of(const struct cudaChannelFormatDesc *d) {
    if (d->x == 0 || !is_width(d->x) || (d->y && d->y != d->x) || (d->z && d->z != d->x) ||
        (d->w && d->w != d->x) || (d->z && !d->y) || (d->w && !d->z) || (d->z && !d->w) ||
        (unsigned)d->f > cudaChannelFormatKindFloat ||
        (d->f == cudaChannelFormatKindFloat && d->x == 8))
        return 0;
    return (size_t)(d->x + d->y + d->z + d->w) / 8;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags) {
    API_BEGIN_UNSAFE;
    if (!array || !desc || !element_of(desc) || extent.width == 0 ||
        flags & ~(unsigned)cudaArrayTextureGather)
        return api_end(cudaErrorInvalidValue);
    struct cudaArray made = {
        .desc = *desc, .extent = extent, .flags = flags, .element = element_of(desc)};
    size_t rows = extent.height ? extent.height : 1, bytes;
    made.slices = extent.depth ? extent.depth : 1;
    if (__builtin_mul_overflow(extent.width, made.element, &made.pitch) ||
        __builtin_mul_overflow(made.pitch, rows, &made.slice) ||
        __builtin_mul_overflow(made.slice, made.slices, &bytes) || bytes > API_MEMORY_BYTES ||
        !(made.data = calloc(bytes, 1)))
        return api_end(cudaErrorMemoryAllocation);
    *array = memory_zeroed(1, sizeof **array);
    **array = made;
    (*array)->next = device->api->arrays;
    device->api->arrays = *array;
    device->api->release_textures = release_all;
    return api_end(cudaSuccess);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags) {
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

static struct cudaArray **find_array(struct cpu_device *device, cudaArray_const_t array) {
    struct cudaArray **at = &device->api->arrays;
    while (*at && *at != array)
        at = &(*at)->next;
    return at;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    API_BEGIN;
    if (!array)
        return api_end(cudaSuccess);
    if ((api_error = api_capture_unsafe(device)) != cudaSuccess)
        return api_end(api_error);
    struct cudaArray **at = find_array(device, array);
    if (!*at)
        return api_end(cudaErrorInvalidValue);
    *at = array->next;
    free(array->data);
    free(array);
    return api_end(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
    API_BEGIN;
    if (!*find_array(device, array))
        return api_end(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return api_end(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
    API_BEGIN;
    if (!desc || !*find_array(device, array))
        return api_end(cudaErrorInvalidValue);
    *desc = array->desc;
    return api_end(cudaSuccess);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- objects ---- */

static cudaError_t check_resource(struct cpu_device *device, const struct cudaResourceDesc *r) {
    switch (r->resType) {
    case cudaResourceTypeArray:
        return *find_array(device, r->res.array.array) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaResourceTypeLinear:
        return !r->res.linear.devPtr || !element_of(&r->res.linear.desc) ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
    case cudaResourceTypePitch2D:
        return !r->res.pitch2D.devPtr || !element_of(&r->res.pitch2D.desc) ||
                       r->res.pitch2D.pitchInBytes <
                           r->res.pitch2D.width * element_of(&r->res.pitch2D.desc)
                   ? cudaErrorInvalidValue
                   : cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        break;
    }
    return cudaErrorNotSupported;
}

static struct api_image image_of(const struct cudaResourceDesc *r) {
    struct api_image image = {.size = {1, 1, 1}};
    if (r->resType == cudaResourceTypeArray) {
        const struct cudaArray *array = r->res.array.array;
        image = (struct api_image){.data = array->data,
                                   .desc = array->desc,
                                   .pitch = array->pitch,
                                   .slice = array->slice,
                                   .size = {(long)array->extent.width,
                                            array->extent.height ? (long)array->extent.height : 1,
                                            (long)array->slices}};
    } else if (r->resType == cudaResourceTypePitch2D) {
        image.data = r->res.pitch2D.devPtr;
        image.desc = r->res.pitch2D.desc;
        image.pitch = r->res.pitch2D.pitchInBytes;
        image.size[0] = (long)r->res.pitch2D.width;
        image.size[1] = (long)r->res.pitch2D.height;
    } else {
        image.data = r->res.linear.devPtr;
        image.desc = r->res.linear.desc;
        image.size[0] = (long)(r->res.linear.sizeInBytes / element_of(&image.desc));
    }
    image.element = element_of(&image.desc);
    return image;
}

static struct api_texture **find_object(struct cpu_device *device, cudaTextureObject_t object) {
    struct api_texture **at = &device->api->textures;
    while (*at && (unsigned long long)(uintptr_t)*at != object)
        at = &(*at)->next;
    return at;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view) {
    API_BEGIN;
    if (!texture || !resource || !desc)
        return api_end(cudaErrorInvalidValue);
    cudaError_t error =
        view || desc->sRGB ? cudaErrorNotSupported : check_resource(device, resource);
    if (error != cudaSuccess)
        return api_end(error);
    struct api_texture *made = memory_zeroed(1, sizeof *made);
    made->resource = *resource;
    made->image = image_of(resource);
    made->desc = *desc;
    made->is_simple = made->image.desc.f == cudaChannelFormatKindFloat &&
                      made->image.element == 4 && !desc->normalizedCoords &&
                      desc->filterMode == cudaFilterModePoint;
    made->next = device->api->textures;
    device->api->textures = made;
    device->api->release_textures = release_all;
    *texture = (cudaTextureObject_t)(uintptr_t)made;
    return api_end(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    API_BEGIN;
    struct api_texture **at = find_object(device, object), *texture = *at;
    if (object == 0)
        return api_end(cudaSuccess);
    if (!texture)
        return api_end(cudaErrorInvalidValue);
    *at = texture->next;
    free(texture);
    return api_end(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture) {
    API_BEGIN;
    const struct api_texture *at = *find_object(device, texture);
    if (!at || !resource)
        return api_end(cudaErrorInvalidValue);
    *resource = at->resource;
    return api_end(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t texture) {
    API_BEGIN;
    const struct api_texture *at = *find_object(device, texture);
    if (!at || !desc)
        return api_end(cudaErrorInvalidValue);
    *desc = at->desc;
    return api_end(cudaSuccess);
}

/* ---- texels ---- */

/* One channel: a number unchanged, or scaled to -1..1 if the texture is to be read that way. */
static void read_channel(const char *at, int bits, enum cudaChannelFormatKind kind, bool normalized,
                         struct cpu_texel *texel, int channel) {
    uint32_t raw = 0;
    memcpy(&raw, at, (size_t)bits / 8);
    const bool is_signed = kind == cudaChannelFormatKindSigned;
    if (kind == cudaChannelFormatKindFloat) {
        if (bits == 16)
            texel->f[channel] = (float)half_to_double((uint16_t)raw);
        else
            memcpy(&texel->f[channel], &raw, sizeof raw);
        return;
    }
    if (is_signed)
        raw = bits == 8 ? (uint32_t)(int8_t)raw : bits == 16 ? (uint32_t)(int16_t)raw : raw;
    texel->i[channel] = (int32_t)raw;
    if (!normalized)
        return;
    const float most = is_signed ? (float)((1 << (bits - 1)) - 1) : (float)((1 << bits) - 1);
    const float value = (is_signed ? (float)(int32_t)raw : (float)raw) / most;
    texel->f[channel] = value < -1 ? -1 : value;
}

static struct cpu_texel read_texel(const struct api_image *image,
                                   const struct cudaTextureDesc *desc, const long at[3]) {
    const bool normalized = desc->readMode == cudaReadModeNormalizedFloat && image->desc.x < 32;
    struct cpu_texel texel = {.is_float =
                                  normalized || image->desc.f == cudaChannelFormatKindFloat};
    const char *from = image->data + (size_t)at[2] * image->slice + (size_t)at[1] * image->pitch +
                       (size_t)at[0] * image->element;
    if (image->desc.x == 32) { /* nothing to convert */
        for (size_t i = 0; i < image->element / 4; i++)
            memcpy(&texel.i[i], from + 4 * i, 4);
        return texel;
    }
    const int bits[4] = {image->desc.x, image->desc.y, image->desc.z, image->desc.w};
    for (int channel = 0; channel < 4 && bits[channel]; channel++)
        read_channel(from + channel * bits[channel] / 8, bits[channel], image->desc.f, normalized,
                     &texel, channel);
    return texel;
}

/* The texel of an index, including those beyond the edge; -1 for none, which means the border's
 * colour. */
static long address_texel(long index, long size, enum cudaTextureAddressMode mode,
                          bool normalized) {
    if (index >= 0 && index < size)
        return index;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (!normalized || mode == cudaAddressModeClamp) /* wrap and mirror need normalised ones */
        return index < 0 ? 0 : size - 1;
    long period = mode == cudaAddressModeMirror ? 2 * size : size;
    long rest = (index % period + period) % period;
    return rest < size ? rest : 2 * size - 1 - rest;
}

static struct cpu_texel border_of(const struct api_image *image,
                                  const struct cudaTextureDesc *desc) {
    const bool normalized = desc->readMode == cudaReadModeNormalizedFloat;
    struct cpu_texel texel = {.is_float =
                                  normalized || image->desc.f == cudaChannelFormatKindFloat};
    for (int channel = 0; channel < 4; channel++) {
        texel.f[channel] = desc->borderColor[channel];
        if (!texel.is_float)
            texel.i[channel] = (int32_t)desc->borderColor[channel];
    }
    return texel;
}

static struct cpu_texel texel_at(const struct api_image *image, const struct cudaTextureDesc *desc,
                                 const long index[3], int dimensions) {
    long at[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; d++) {
        at[d] = address_texel(index[d], image->size[d], desc->addressMode[d],
                              desc->normalizedCoords != 0);
        if (at[d] < 0)
            return border_of(image, desc);
    }
    return read_texel(image, desc, at);
}

/* floorf() of a value that is far from the limits of a long. */
static long floor_of(float x) {
    const long whole = (long)x;
    return whole - (x < (float)whole);
}

/* Interpolates between the neighbouring texels, each weight in 256ths. */
static struct cpu_texel filter_linear(const struct api_image *image,
                                      const struct cudaTextureDesc *desc, const float position[3],
                                      int dimensions) {
    long base[3] = {0, 0, 0};
    float weight[3] = {0, 0, 0};
    struct cpu_texel sum = {.is_float = true};
    for (int d = 0; d < dimensions; d++) {
        const float shifted = position[d] - 0.5f, whole = (float)floor_of(shifted);
        base[d] = (long)whole;
        weight[d] = floorf((shifted - whole) * 256 + 0.5f) / 256;
    }
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        long index[3] = {0, 0, 0};
        float share = 1;
        for (int d = 0; d < dimensions; d++) {
            const int upper = corner >> d & 1;
            index[d] = base[d] + upper;
            share *= upper ? weight[d] : 1 - weight[d];
        }
        if (share == 0)
            continue;
        const struct cpu_texel texel = texel_at(image, desc, index, dimensions);
        for (int channel = 0; channel < 4; channel++)
            sum.f[channel] += share * (texel.is_float ? texel.f[channel] : (float)texel.i[channel]);
    }
    return sum;
}

struct cpu_texel cpu_texture_read(unsigned long long object, int dimensions, float x, float y,
                                  float z) {
    const struct api_texture *texture = (const struct api_texture *)(uintptr_t)object;
    const struct api_image *image = &texture->image;
    if (texture->is_simple && dimensions <= 2 && x >= 0 && y >= 0 && x < (float)image->size[0] &&
        y < (float)image->size[1]) {
        struct cpu_texel texel = {.is_float = true};
        memcpy(&texel.f[0], image->data + (size_t)y * image->pitch + (size_t)x * 4, 4);
        return texel;
    }
    const struct cudaTextureDesc *desc = &texture->desc;
    float position[3] = {x, y, z};
    long index[3];
    for (int d = 0; d < dimensions; d++) {
        if (desc->normalizedCoords)
            position[d] *= (float)image->size[d];
        if (!(position[d] > -1e9f && position[d] < 1e9f)) /* not a number, or beyond all texels */
            position[d] = position[d] > 0 ? 1e9f : position[d] < 0 ? -1e9f : 0;
        index[d] = floor_of(position[d]);
    }
    const bool linear = desc->filterMode == cudaFilterModeLinear &&
                        (desc->readMode == cudaReadModeNormalizedFloat ||
                         image->desc.f == cudaChannelFormatKindFloat);
    return linear ? filter_linear(image, desc, position, dimensions)
                  : texel_at(image, desc, index, dimensions);
}

struct cpu_texel cpu_texture_fetch(unsigned long long object, int x) {
    const struct api_texture *texture = (const struct api_texture *)(uintptr_t)object;
    const struct api_image *image = &texture->image;
    const long at[3] = {x, 0, 0};
    if (x < 0 || x >= image->size[0])
        return (struct cpu_texel){.is_float = image->desc.f == cudaChannelFormatKindFloat};
    return read_texel(image, &texture->desc, at);
}

void cpu_texture_read_to(struct cpu_texel *texel, unsigned long long texture, int dimensions,
                         float x, float y, float z) {
    *texel = cpu_texture_read(texture, dimensions, x, y, z);
}

void cpu_texture_fetch_to(struct cpu_texel *texel, unsigned long long texture, int x) {
    *texel = cpu_texture_fetch(texture, x);
}
