/*
 * copy.c - copies and fills of rows, planes and arrays, which all use one loop.
 */
#include "cudacpu/module.h"
#include "cudacpu/runtime/api.h"

#include <string.h>

extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

/* ---- the sides of memory ---- */

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_BOTH };

/* The side that memory is on. Variables of the program count as both: `__device__` ones are stored
 * beside the host's. */
static enum side side_of(struct cpu_device *device, const struct api_block *block) {
    if (block->is_array)
        return SIDE_DEVICE;
    const struct api_allocation *allocation = api_find(device, block->start);
    if (allocation)
        return allocation->memory == API_DEVICE ? SIDE_DEVICE : SIDE_BOTH;
    if (__data_start && block->start >= __data_start && block->start < _end)
        return SIDE_BOTH;
    return SIDE_HOST;
}

/* Bytes from the first one that is touched to the last. */
static size_t span_bytes(const struct api_block *block, size_t width, size_t height, size_t depth) {
    return (depth - 1) * block->slice + (height - 1) * block->pitch + width;
}

/* True if all of it is in the allocation that it begins in. */
static bool fits(struct cpu_device *device, const struct api_block *block, size_t bytes) {
    if (block->is_array)
        return true; /* checked where the block was made */
    const struct api_allocation *allocation = api_find(device, block->start);
    return !allocation || bytes <= (size_t)(allocation->start + allocation->size - block->start);
}

cudaError_t api_check_copy(struct cpu_device *device, const struct api_copy *copy) {
    static const bool to_device[] = {[cudaMemcpyHostToDevice] = true,
                                     [cudaMemcpyDeviceToDevice] = true,
                                     [cudaMemcpyDefault] = false};
    static const bool from_device[] = {[cudaMemcpyDeviceToHost] = true,
                                       [cudaMemcpyDeviceToDevice] = true,
                                       [cudaMemcpyDefault] = false};
    if ((unsigned)copy->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!copy->width || !copy->height || !copy->depth)
        return cudaSuccess;
    if (!copy->to.start || !copy->from.start)
        return cudaErrorInvalidValue;
    if (copy->height > 1 && (copy->to.pitch < copy->width || copy->from.pitch < copy->width))
        return cudaErrorInvalidPitchValue;
    if (!fits(device, &copy->to, span_bytes(&copy->to, copy->width, copy->height, copy->depth)) ||
        !fits(device, &copy->from, span_bytes(&copy->from, copy->width, copy->height, copy->depth)))
        return cudaErrorInvalidValue;
    /* Memory that the call says is the host's may be the device's, since addresses are unified; not
     * the other way round (observed on an H100 with CUDA 13.0). */
    if ((to_device[copy->kind] && side_of(device, &copy->to) == SIDE_HOST) ||
        (from_device[copy->kind] && side_of(device, &copy->from) == SIDE_HOST))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t api_check_fill(struct cpu_device *device, const struct api_fill *fill) {
    if (!fill->width || !fill->height || !fill->depth)
        return cudaSuccess;
    if (!fill->to.start || side_of(device, &fill->to) == SIDE_HOST)
        return cudaErrorInvalidValue;
    if (fill->height > 1 && fill->to.pitch < fill->width)
        return cudaErrorInvalidPitchValue;
    if (!fits(device, &fill->to, span_bytes(&fill->to, fill->width, fill->height, fill->depth)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* ---- copying ---- */

void api_do_copy(const struct api_copy *copy) {
    api_memory_open(cpu_device_in_use());
    for (size_t z = 0; z < copy->depth && copy->width; z++)
        for (size_t y = 0; y < copy->height; y++)
            memmove(copy->to.start + z * copy->to.slice + y * copy->to.pitch,
                    copy->from.start + z * copy->from.slice + y * copy->from.pitch, copy->width);
    api_memory_close(cpu_device_in_use());
}

static void fill_row(char *row, size_t width, unsigned value, unsigned element) {
    if (element == 1) {
        memset(row, (int)value, width);
        return;
    }
    memset(row, 0, width); /* Memory watchers see this copy as one access, not as a loop. */
    for (size_t at = 0; at + element <= width; at += element)
        for (unsigned byte = 0; byte < element; byte++)
            row[at + byte] = (char)(value >> 8 * byte);
}

void api_do_fill(const struct api_fill *fill) {
    api_memory_open(cpu_device_in_use());
    for (size_t z = 0; z < fill->depth && fill->width; z++)
        for (size_t y = 0; y < fill->height; y++)
            fill_row(fill->to.start + z * fill->to.slice + y * fill->to.pitch, fill->width,
                     fill->value, fill->element);
    api_memory_close(cpu_device_in_use());
}

/* Copies now, or adds the copy to the graph that the stream is captured into. */
static cudaError_t copy_in_stream(struct cpu_device *device, const struct api_copy *copy,
                                  cudaStream_t handle, bool in_stream) {
    struct CUstream_st *stream;
    cudaError_t error = api_capture_stream(device, handle, &stream);
    if (error == cudaSuccess)
        error = api_check_copy(device, copy);
    if (error != cudaSuccess || (in_stream && api_capture_copy(stream, copy)))
        return error;
    api_do_copy(copy);
    return in_stream ? cudaSuccess : (cudaError_t)cpu_runtime_synchronize();
}

static cudaError_t fill_in_stream(struct cpu_device *device, const struct api_fill *fill,
                                  cudaStream_t handle, bool in_stream) {
    struct CUstream_st *stream;
    cudaError_t error = api_capture_stream(device, handle, &stream);
    if (error == cudaSuccess)
        error = api_check_fill(device, fill);
    if (error != cudaSuccess || (in_stream && api_capture_fill(stream, fill)))
        return error;
    api_do_fill(fill);
    return cudaSuccess;
}

/* ---- one row ---- */

struct api_copy api_copy_line(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    return (struct api_copy){
        .to = {.start = to, .pitch = size, .slice = size},
        .from = {.start = (char *)(uintptr_t)from, .pitch = size, .slice = size},
        .width = size,
        .height = 1,
        .depth = 1,
        .kind = kind};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    API_BEGIN;
    struct api_copy copy = api_copy_line(to, from, size, kind);
    return api_end(copy_in_stream(device, &copy, NULL, false));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    API_BEGIN;
    struct api_copy copy = api_copy_line(to, from, size, kind);
    return api_end(copy_in_stream(device, &copy, stream, true));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice,
                                size_t size, cudaStream_t stream) {
    API_BEGIN;
    struct api_copy copy = api_copy_line(to, from, size, cudaMemcpyDeviceToDevice);
    if (toDevice != 0 || fromDevice != 0)
        return api_end(cudaErrorInvalidDevice);
    return api_end(copy_in_stream(device, &copy, stream, true));
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size) {
    return cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, size, NULL);
}

/* ---- planes ---- */

static struct api_copy plane(void *to, size_t toPitch, const void *from, size_t fromPitch,
                             size_t width, size_t height, enum cudaMemcpyKind kind) {
    return (struct api_copy){.to = {.start = to, .pitch = toPitch},
                             .from = {.start = (char *)(uintptr_t)from, .pitch = fromPitch},
                             .width = width,
                             .height = height,
                             .depth = 1,
                             .kind = kind};
}

API_PART cudaError_t copy_plane(struct api_copy copy, cudaStream_t stream, bool in_stream) {
    API_BEGIN;
    if (copy.to.pitch < copy.width || copy.from.pitch < copy.width)
        return api_end(cudaErrorInvalidPitchValue);
    return api_end(copy_in_stream(device, &copy, stream, in_stream));
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    return copy_plane(plane(to, toPitch, from, fromPitch, width, height, kind), NULL, false);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return copy_plane(plane(to, toPitch, from, fromPitch, width, height, kind), stream, true);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
    API_BEGIN;
    struct api_fill fill = {.to = {to.ptr, to.pitch, to.pitch * to.ysize, false},
                            .value = (unsigned char)value,
                            .element = 1,
                            .width = extent.width,
                            .height = extent.height,
                            .depth = extent.depth};
    if (to.pitch < extent.width)
        return api_end(cudaErrorInvalidPitchValue);
    return api_end(fill_in_stream(device, &fill, stream, true));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
    return cudaMemset3DAsync(to, value, extent, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    const struct cudaPitchedPtr plane = {to, pitch, width, height};
    const struct cudaExtent extent = {width, height, 1};
    return cudaMemset3DAsync(plane, value, extent, stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream) {
    return cudaMemset2DAsync(to, size, value, size, 1, stream);
}

cudaError_t cudaMemset(void *to, int value, size_t size) {
    return cudaMemsetAsync(to, value, size, NULL);
}

/* ---- arrays ---- */

/* A part of an array that begins at byte x of row y of slice z; false if it does not fit. */
static bool array_block(const struct cudaArray *array, size_t x, size_t y, size_t z, size_t width,
                        size_t height, size_t depth, struct api_block *block) {
    size_t rows = array->extent.height ? array->extent.height : 1;
    if (x > array->pitch || width > array->pitch - x || y > rows || height > rows - y ||
        z > array->slices || depth > array->slices - z)
        return false;
    *block = (struct api_block){.start = array->data + z * array->slice + y * array->pitch + x,
                                .pitch = array->pitch,
                                .slice = array->slice,
                                .is_array = true};
    return true;
}

/* Positions and extent count elements if there is an array, else bytes: "CUDA Runtime API",
 * cudaMemcpy3D(). */
cudaError_t api_copy_of(struct cpu_device *device, const struct cudaMemcpy3DParms *p,
                        struct api_copy *copy) {
    (void)device;
    const struct cudaArray *to = p->dstArray, *from = p->srcArray;
    if (!!to == !!p->dstPtr.ptr || !!from == !!p->srcPtr.ptr ||
        (to && from && to->element != from->element))
        return cudaErrorInvalidValue;
    const size_t element = to ? to->element : from ? from->element : 1;
    const struct cudaPitchedPtr *a = &p->dstPtr, *b = &p->srcPtr;
    *copy = (struct api_copy){.width = p->extent.width * element,
                              .height = p->extent.height,
                              .depth = p->extent.depth,
                              .kind = p->kind};
    copy->to = (struct api_block){.pitch = a->pitch, .slice = a->pitch * a->ysize};
    copy->from = (struct api_block){.pitch = b->pitch, .slice = b->pitch * b->ysize};
    if (to && !array_block(to, p->dstPos.x * element, p->dstPos.y, p->dstPos.z, copy->width,
                           copy->height, copy->depth, &copy->to))
        return cudaErrorInvalidValue;
    if (!to)
        copy->to.start =
            (char *)a->ptr + p->dstPos.z * copy->to.slice + p->dstPos.y * a->pitch + p->dstPos.x;
    if (from && !array_block(from, p->srcPos.x * element, p->srcPos.y, p->srcPos.z, copy->width,
                             copy->height, copy->depth, &copy->from))
        return cudaErrorInvalidValue;
    if (!from)
        copy->from.start =
            (char *)b->ptr + p->srcPos.z * copy->from.slice + p->srcPos.y * b->pitch + p->srcPos.x;
    return cudaSuccess;
}

API_PART cudaError_t copy_3d(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream,
                             bool in_stream) {
    API_BEGIN;
    struct api_copy copy;
    cudaError_t error = parameters ? api_copy_of(device, parameters, &copy) : cudaErrorInvalidValue;
    return api_end(error == cudaSuccess ? copy_in_stream(device, &copy, stream, in_stream) : error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters) {
    return copy_3d(parameters, NULL, false);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream) {
    return copy_3d(parameters, stream, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
    API_BEGIN;
    struct api_copy copy = plane(NULL, 0, from, pitch, width, height, kind);
    if (!to || !array_block(to, x, y, 0, width, height, 1, &copy.to))
        return api_end(cudaErrorInvalidValue);
    if (pitch < width)
        return api_end(cudaErrorInvalidPitchValue);
    return api_end(copy_in_stream(device, &copy, stream, true));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream) {
    API_BEGIN;
    struct api_copy copy = plane(to, pitch, NULL, 0, width, height, kind);
    if (!from || !array_block(from, x, y, 0, width, height, 1, &copy.from))
        return api_end(cudaErrorInvalidValue);
    if (pitch < width)
        return api_end(cudaErrorInvalidPitchValue);
    return api_end(copy_in_stream(device, &copy, stream, true));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
    API_BEGIN;
    struct api_copy copy = plane(NULL, 0, NULL, 0, width, height, kind);
    if (!to || !from || !array_block(to, toX, toY, 0, width, height, 1, &copy.to) ||
        !array_block(from, fromX, fromY, 0, width, height, 1, &copy.from))
        return api_end(cudaErrorInvalidValue);
    return api_end(copy_in_stream(device, &copy, NULL, false));
}

/* For the old calls, which copy bytes row after row. */
API_PART cudaError_t copy_linear(struct cudaArray *array, size_t x, size_t y, char *other,
                                 size_t size, enum cudaMemcpyKind kind, bool to_array) {
    API_BEGIN;
    size_t rows = array ? array->extent.height ? array->extent.height : 1 : 0;
    if (!array || x > array->pitch || y >= rows || size > array->pitch * (rows - y) - x)
        return api_end(cudaErrorInvalidValue);
    struct api_copy copy = api_copy_line(other, other, size, kind);
    struct api_block *part = to_array ? &copy.to : &copy.from;
    part->start = array->data + y * array->pitch + x;
    part->is_array = true;
    return api_end(copy_in_stream(device, &copy, NULL, false));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              enum cudaMemcpyKind kind) {
    return copy_linear(to, x, y, (char *)(uintptr_t)from, size, kind, true);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind) {
    return copy_linear((struct cudaArray *)(uintptr_t)from, x, y, to, size, kind, false);
}

/* ---- symbols ---- */

/* The variable that a host's shadow belongs to. */
static void *device_variable(void *symbol) {
    const struct cudacpu_variable *variable = cudacpu_variable_of(symbol);
    return variable ? variable->address : symbol;
}

/* The variable's address is fixed; cuda_runtime.h passes it and knows its size. */
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
    API_BEGIN;
    if (!address || !symbol)
        return api_end(address ? cudaErrorInvalidSymbol : cudaErrorInvalidValue);
    *address = device_variable((void *)(uintptr_t)symbol);
    return api_end(cudaSuccess);
}

cudaError_t cpu_symbol_copy(void *symbol, size_t symbol_size, void *host, size_t size,
                            size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream,
                            int to_symbol, int in_stream) {
    API_BEGIN;
    if (kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) ||
        kind == cudaMemcpyHostToHost)
        return api_end(cudaErrorInvalidMemcpyDirection);
    if (offset > symbol_size || size > symbol_size - offset)
        return api_end(cudaErrorInvalidValue);
    char *at = (char *)device_variable(symbol) + offset;
    struct api_copy copy =
        to_symbol ? api_copy_line(at, host, size, kind) : api_copy_line(host, at, size, kind);
    (to_symbol ? &copy.to : &copy.from)->is_array = true; /* device memory, wherever it is */
    return api_end(copy_in_stream(device, &copy, stream, in_stream));
}
