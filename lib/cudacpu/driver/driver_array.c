/*
 * driver_array.c - the driver's arrays, its copies of two and three dimensions, its texture
 * objects: the runtime's, described in other words.
 */
#include "cudacpu/driver/driver.h"

#include <string.h>

/* ---- formats ---- */

/* The runtime's description of elements; x is 0 where there is no such format. */
static struct cudaChannelFormatDesc format_of(CUarray_format format, unsigned channels) {
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                   {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                   {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                   {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                   {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                   {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                   {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                   {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const int bits = formats[i].bits;
        if (formats[i].format == format && (channels == 1 || channels == 2 || channels == 4))
            return (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0,
                                                  channels > 2 ? bits : 0, channels > 2 ? bits : 0,
                                                  formats[i].kind};
    }
    return (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
}

static CUarray_format format_from(const struct cudaChannelFormatDesc *desc) {
    if (desc->f == cudaChannelFormatKindFloat)
        return desc->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    const CUarray_format first = desc->f == cudaChannelFormatKindSigned
                                     ? CU_AD_FORMAT_SIGNED_INT8
                                     : CU_AD_FORMAT_UNSIGNED_INT8;
    return (CUarray_format)(first + (desc->x == 8 ? 0 : desc->x == 16 ? 1 : 2));
}

/* ---- arrays ---- */

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted) {
    NEED_CONTEXT();
    if (!array || !wanted)
        return CUDA_ERROR_INVALID_VALUE;
    const struct cudaChannelFormatDesc desc = format_of(wanted->Format, wanted->NumChannels);
    const struct cudaExtent extent = {wanted->Width, wanted->Height, wanted->Depth};
    return AS_RUNTIME(cudaMalloc3DArray(array, &desc, extent, wanted->Flags));
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted) {
    NEED_DRIVER();
    if (!wanted)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR all = {.Width = wanted->Width,
                                         .Height = wanted->Height,
                                         .Format = wanted->Format,
                                         .NumChannels = wanted->NumChannels};
    return cuArray3DCreate(array, &all);
}

CUresult cuArrayDestroy(CUarray array) {
    NEED_CONTEXT();
    return array ? AS_RUNTIME(cudaFreeArray(array)) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;
    unsigned flags;
    NEED_CONTEXT();
    const CUresult result = AS_RUNTIME(cudaArrayGetInfo(&desc, &extent, &flags, array));
    if (result != CUDA_SUCCESS || !descriptor)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    *descriptor =
        (CUDA_ARRAY3D_DESCRIPTOR){.Width = extent.width,
                                  .Height = extent.height,
                                  .Depth = extent.depth,
                                  .Format = format_from(&desc),
                                  .NumChannels = (unsigned)(1 + !!desc.y + !!desc.z + !!desc.w),
                                  .Flags = flags};
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR all;
    const CUresult result = cuArray3DGetDescriptor(&all, array);
    if (result != CUDA_SUCCESS || !descriptor)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    *descriptor = (CUDA_ARRAY_DESCRIPTOR){.Width = all.Width,
                                          .Height = all.Height,
                                          .Format = all.Format,
                                          .NumChannels = all.NumChannels};
    return CUDA_SUCCESS;
}

/* ---- copies ---- */

/* One side of a copy. */
struct place {
    CUmemorytype type;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

/* The runtime counts an array's x in elements, and all others in bytes. */
static bool put_place(const struct place *from, struct cudaArray **array,
                      struct cudaPitchedPtr *pointer, struct cudaPos *position, size_t *element) {
    *position = (struct cudaPos){from->x, from->y, from->z};
    if (from->type == CU_MEMORYTYPE_ARRAY) {
        struct cudaChannelFormatDesc desc;
        if (AS_RUNTIME(cudaGetChannelDesc(&desc, from->array)) != CUDA_SUCCESS)
            return false;
        *element = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
        if (from->x % *element)
            return false;
        *array = from->array;
        position->x = from->x / *element;
        return true;
    }
    pointer->ptr = from->type == CU_MEMORYTYPE_HOST ? from->host : driver_address(from->device);
    pointer->pitch = from->pitch;
    pointer->ysize = from->height;
    return from->type == CU_MEMORYTYPE_HOST || from->type == CU_MEMORYTYPE_DEVICE ||
           from->type == CU_MEMORYTYPE_UNIFIED;
}

static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (to == CU_MEMORYTYPE_HOST)
        return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *copy, CUstream stream, bool in_stream) {
    NEED_CONTEXT();
    if (!copy || copy->srcLOD || copy->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    const struct place from = {.type = copy->srcMemoryType,
                               .host = (void *)(uintptr_t)copy->srcHost,
                               .device = copy->srcDevice,
                               .array = copy->srcArray,
                               .x = copy->srcXInBytes,
                               .y = copy->srcY,
                               .z = copy->srcZ,
                               .pitch = copy->srcPitch ? copy->srcPitch : copy->WidthInBytes,
                               .height = copy->srcHeight ? copy->srcHeight : copy->Height};
    const struct place to = {.type = copy->dstMemoryType,
                             .host = copy->dstHost,
                             .device = copy->dstDevice,
                             .array = copy->dstArray,
                             .x = copy->dstXInBytes,
                             .y = copy->dstY,
                             .z = copy->dstZ,
                             .pitch = copy->dstPitch ? copy->dstPitch : copy->WidthInBytes,
                             .height = copy->dstHeight ? copy->dstHeight : copy->Height};
    struct cudaMemcpy3DParms all = {.extent = {copy->WidthInBytes, copy->Height, copy->Depth},
                                    .kind = kind_of(to.type, from.type)};
    size_t element = 1, other = 1;
    if (!put_place(&from, &all.srcArray, &all.srcPtr, &all.srcPos, &element) ||
        !put_place(&to, &all.dstArray, &all.dstPtr, &all.dstPos, &other))
        return CUDA_ERROR_INVALID_VALUE;
    if (other > element)
        element = other;
    if (copy->WidthInBytes % element)
        return CUDA_ERROR_INVALID_VALUE;
    all.extent.width = copy->WidthInBytes / element; /* in elements where an array takes part */
    return in_stream ? AS_RUNTIME(cudaMemcpy3DAsync(&all, stream)) : AS_RUNTIME(cudaMemcpy3D(&all));
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) {
    return copy_3d(copy, NULL, false);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
    return copy_3d(copy, stream, true);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *copy, CUstream stream, bool in_stream) {
    NEED_DRIVER();
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D all = {.srcXInBytes = copy->srcXInBytes,
                               .srcY = copy->srcY,
                               .srcMemoryType = copy->srcMemoryType,
                               .srcHost = copy->srcHost,
                               .srcDevice = copy->srcDevice,
                               .srcArray = copy->srcArray,
                               .srcPitch = copy->srcPitch,
                               .dstXInBytes = copy->dstXInBytes,
                               .dstY = copy->dstY,
                               .dstMemoryType = copy->dstMemoryType,
                               .dstHost = copy->dstHost,
                               .dstDevice = copy->dstDevice,
                               .dstArray = copy->dstArray,
                               .dstPitch = copy->dstPitch,
                               .WidthInBytes = copy->WidthInBytes,
                               .Height = copy->Height,
                               .Depth = 1};
    return copy_3d(&all, stream, in_stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
    return copy_2d(copy, NULL, false);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
    return copy_2d(copy, NULL, false);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
    return copy_2d(copy, stream, true);
}

/* Bytes of an array from `offset` on, row by row. */
SAME(cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size),
     cudaMemcpyToArray(to, offset, 0, from, size, cudaMemcpyHostToDevice))
SAME(cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size),
     cudaMemcpyFromArray(to, from, offset, 0, size, cudaMemcpyDeviceToHost))
SAME(cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size),
     cudaMemcpyToArray(to, offset, 0, driver_address(from), size, cudaMemcpyDeviceToDevice))
SAME(cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size),
     cudaMemcpyFromArray(driver_address(to), from, offset, 0, size, cudaMemcpyDeviceToDevice))

/* ---- textures ---- */

static CUresult resource_of(const CUDA_RESOURCE_DESC *from, struct cudaResourceDesc *to) {
    memset(to, 0, sizeof *to);
    switch (from->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        to->resType = cudaResourceTypeArray;
        to->res.array.array = from->res.array.hArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        to->resType = cudaResourceTypeLinear;
        to->res.linear.devPtr = driver_address(from->res.linear.devPtr);
        to->res.linear.desc = format_of(from->res.linear.format, from->res.linear.numChannels);
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_PITCH2D:
        to->resType = cudaResourceTypePitch2D;
        to->res.pitch2D.devPtr = driver_address(from->res.pitch2D.devPtr);
        to->res.pitch2D.desc = format_of(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* Integers are read as numbers from 0 or -1 to 1, unless the texture says otherwise: with the
 * runtime it is the other way round. */
CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view) {
    struct cudaResourceDesc what;
    struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
    NEED_CONTEXT();
    if (!texture || !resource || !desc)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = view ? CUDA_ERROR_NOT_SUPPORTED : resource_of(resource, &what);
    if (result != CUDA_SUCCESS)
        return result;
    for (int d = 0; d < 3; d++)
        how.addressMode[d] = (enum cudaTextureAddressMode)desc->addressMode[d];
    how.filterMode = (enum cudaTextureFilterMode)desc->filterMode;
    how.normalizedCoords = (desc->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    how.sRGB = (desc->flags & CU_TRSF_SRGB) != 0;
    memcpy(how.borderColor, desc->borderColor, sizeof how.borderColor);
    struct cudaChannelFormatDesc format = what.res.linear.desc;
    if (what.resType == cudaResourceTypePitch2D)
        format = what.res.pitch2D.desc;
    if (what.resType == cudaResourceTypeArray &&
        AS_RUNTIME(cudaGetChannelDesc(&format, what.res.array.array)) != CUDA_SUCCESS)
        return CUDA_ERROR_INVALID_VALUE;
    if (!(desc->flags & CU_TRSF_READ_AS_INTEGER) && format.f != cudaChannelFormatKindFloat &&
        format.x < 32)
        how.readMode = cudaReadModeNormalizedFloat;
    return AS_RUNTIME(cudaCreateTextureObject(texture, &what, &how, NULL));
}
SAME(cuTexObjectDestroy(CUtexObject texture), cudaDestroyTextureObject(texture))
