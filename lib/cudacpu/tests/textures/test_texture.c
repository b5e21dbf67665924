/*
 * test_texture.c - arrays and textures. Results of reads are worked out by hand, from the CUDA C++
 * Programming Guide, "Texture Fetching"; refusals are those of the CUDA Runtime API, "Texture
 * Object Management" and "Memory Management".
 */
#include "cudacpu/texture.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <math.h>
#include <string.h>

enum { S = cudaChannelFormatKindSigned, U = cudaChannelFormatKindUnsigned };
enum { F = cudaChannelFormatKindFloat, N = cudaChannelFormatKindNone };
enum { WRAP = cudaAddressModeWrap, CLAMP = cudaAddressModeClamp };
enum { MIRROR = cudaAddressModeMirror, BORDER = cudaAddressModeBorder };

static struct cudaChannelFormatDesc format(int x, int y, int z, int w, int kind) {
    return cudaCreateChannelDesc(x, y, z, w, (enum cudaChannelFormatKind)kind);
}

/* An array filled from `data`, in which the rows of all slices follow each other. */
static cudaArray_t array_of(struct cudaChannelFormatDesc desc, size_t element,
                            struct cudaExtent extent, unsigned flags, const void *data) {
    cudaArray_t array;
    DONE(cudaMalloc3DArray(&array, &desc, extent, flags));
    struct cudaMemcpy3DParms copy = {.dstArray = array, .kind = cudaMemcpyHostToDevice};
    copy.extent = (struct cudaExtent){extent.width, extent.height ? extent.height : 1,
                                      extent.depth ? extent.depth : 1};
    copy.srcPtr = (struct cudaPitchedPtr){(void *)(uintptr_t)data, extent.width * element,
                                          extent.width, copy.extent.height};
    DONE(cudaMemcpy3D(&copy));
    return array;
}

static struct cudaResourceDesc of_array(cudaArray_t array) {
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    resource.res.array.array = array;
    return resource;
}
static struct cudaResourceDesc of_line(void *memory, struct cudaChannelFormatDesc desc,
                                       size_t bytes) {
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
}
static struct cudaResourceDesc of_plane(void *memory, struct cudaChannelFormatDesc desc,
                                        size_t width, size_t height, size_t pitch) {
    struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return resource;
}

static cudaTextureObject_t texture_of(struct cudaResourceDesc resource,
                                      struct cudaTextureDesc desc) {
    cudaTextureObject_t texture;
    DONE(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}
static struct cudaTextureDesc reading(int mode, int filter, int normalized) {
    struct cudaTextureDesc desc = {.normalizedCoords = normalized};
    desc.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
    for (int d = 0; d < 3; d++)
        desc.addressMode[d] = (enum cudaTextureAddressMode)mode;
    return desc;
}

/* One, two or four channels of equal size: 8, 16 or 32 bits; floats have 16 or 32. */
static void test_formats(void **state) {
    static const struct {
        int x, y, z, w, kind;
        int bytes; /* 0: refused */
    } cases[] = {
        {8, 0, 0, 0, S, 1},     {16, 0, 0, 0, U, 2},     {32, 0, 0, 0, F, 4},  {16, 0, 0, 0, F, 2},
        {8, 8, 0, 0, U, 2},     {16, 16, 0, 0, S, 4},    {32, 32, 0, 0, U, 8}, {8, 8, 8, 8, U, 4},
        {16, 16, 16, 16, F, 8}, {32, 32, 32, 32, F, 16}, {0, 0, 0, 0, U, 0},   {0, 8, 0, 0, U, 0},
        {7, 0, 0, 0, U, 0},     {9, 0, 0, 0, U, 0},      {1, 0, 0, 0, U, 0},   {15, 0, 0, 0, U, 0},
        {17, 0, 0, 0, U, 0},    {31, 0, 0, 0, U, 0},     {33, 0, 0, 0, U, 0},  {64, 0, 0, 0, U, 0},
        {-8, 0, 0, 0, U, 0},    {8, 16, 0, 0, U, 0},     {16, 8, 0, 0, U, 0},  {8, 8, 8, 0, U, 0},
        {8, 8, 16, 8, U, 0},    {8, 8, 8, 16, U, 0},     {8, 0, 8, 0, U, 0},   {8, 0, 0, 8, U, 0},
        {8, 8, 0, 8, U, 0},     {8, 0, 8, 8, U, 0},      {8, 0, 0, 0, F, 0},   {8, 8, 8, 8, F, 0},
        {8, 0, 0, 0, N, 0},     {32, 32, 32, 0, F, 0},
    };
    void *memory;
    (void)state;
    DONE(cudaMalloc(&memory, 256));
    for (int i = 0; i < COUNT(cases); i++) {
        const struct cudaChannelFormatDesc desc =
            format(cases[i].x, cases[i].y, cases[i].z, cases[i].w, cases[i].kind);
        const struct cudaTextureDesc plain = {.readMode = cudaReadModeElementType};
        const struct cudaResourceDesc line = of_line(memory, desc, 64);
        const struct cudaResourceDesc plane =
            of_plane(memory, desc, 3, 2, 3 * (size_t)cases[i].bytes);
        const struct cudaResourceDesc narrow =
            of_plane(memory, desc, 3, 2, 3 * (size_t)cases[i].bytes - 1);
        cudaArray_t array = NULL;
        cudaTextureObject_t texture;
        const int wanted = cases[i].bytes ? cudaSuccess : cudaErrorInvalidValue;
        if ((int)cudaMallocArray(&array, &desc, 2, 2, 0) != wanted)
            fail_msg("case %d", i);
        GIVES(wanted, cudaCreateTextureObject(&texture, &line, &plain, NULL));
        GIVES(wanted, cudaCreateTextureObject(&texture, &plane, &plain, NULL));
        GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &narrow, &plain, NULL));
        if (wanted == cudaSuccess) { /* as many as 64 bytes hold */
            const int last = 64 / cases[i].bytes - 1;
            texture = texture_of(line, plain);
            DONE(cudaMemset((char *)memory + 64 - cases[i].bytes, 1, (size_t)cases[i].bytes));
            DONE(cudaMemset((char *)memory + 64, 1, 16));
            assert_int_not_equal(cpu_texture_fetch(texture, last).i[0], 0);
            assert_int_equal(cpu_texture_fetch(texture, last + 1).i[0], 0);
            assert_int_equal(cpu_texture_fetch(texture, -1).i[0], 0);
            assert_int_equal(cpu_texture_fetch(texture, last + 1).is_float, cases[i].kind == F);
            DONE(cudaMemset(memory, 0, 128));
        }
    }
}

static void test_arrays(void **state) {
    static const struct {
        size_t width, height, depth;
        unsigned flags;
        int wanted;
    } cases[] = {
        {1, 0, 0, 0, cudaSuccess},
        {0, 0, 0, 0, cudaErrorInvalidValue},
        {0, 4, 4, 0, cudaErrorInvalidValue},
        {4, 0, 2, 1, cudaErrorInvalidValue}, /* with layers */
        {4, 4, 6, 4, cudaErrorInvalidValue}, /* a cube */
        {4, 4, 0, 2, cudaErrorInvalidValue}, /* for surfaces */
        {4, 0, 2, 0, cudaSuccess},
        {4, 4, 4, cudaArrayTextureGather, cudaSuccess},
        {4, 4, 4, 0x100, cudaErrorInvalidValue},
        {(size_t)1 << 36, 1, 1, 0, cudaErrorMemoryAllocation},
        {SIZE_MAX / 2, 1, 1, 0, cudaErrorMemoryAllocation}, /* more than size_t can hold */
        {SIZE_MAX / 8, 16, 1, 0, cudaErrorMemoryAllocation},
        {(size_t)1 << 30, (size_t)1 << 30, 64, 0, cudaErrorMemoryAllocation},
    };
    const struct cudaChannelFormatDesc desc = format(32, 0, 0, 0, S), wrong = format(5, 0, 0, 0, S);
    struct cudaChannelFormatDesc told;
    struct cudaExtent extent;
    unsigned flags;
    cudaArray_t array = NULL, other;
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        const struct cudaExtent all = {cases[i].width, cases[i].height, cases[i].depth};
        if ((int)cudaMalloc3DArray(&array, &desc, all, cases[i].flags) != cases[i].wanted)
            fail_msg("case %d", i);
        if (cases[i].wanted != cudaSuccess)
            continue;
        DONE(cudaArrayGetInfo(&told, &extent, &flags, array));
        assert_memory_equal(&told, &desc, sizeof desc);
        assert_memory_equal(&extent, &all, sizeof all);
        assert_int_equal(flags, cases[i].flags);
    }
    GIVES(cudaErrorInvalidValue, cudaMallocArray(NULL, &desc, 4, 4, 0));
    GIVES(cudaErrorInvalidValue, cudaMallocArray(&other, NULL, 4, 4, 0));
    GIVES(cudaErrorInvalidValue, cudaMallocArray(&other, &wrong, 4, 4, 0));
    DONE(cudaArrayGetInfo(NULL, NULL, NULL, array));
    DONE(cudaGetChannelDesc(&told, array));
    assert_memory_equal(&told, &desc, sizeof desc);
    GIVES(cudaErrorInvalidValue, cudaGetChannelDesc(NULL, array));
    DONE(cudaMallocArray(&other, &desc, 4, 5, 0));
    DONE(cudaArrayGetInfo(NULL, &extent, NULL, other));
    assert_true(extent.width == 4 && extent.height == 5 && extent.depth == 0);
    DONE(cudaFreeArray(array)); /* the next one stays */
    DONE(cudaArrayGetInfo(NULL, NULL, NULL, other));
    GIVES(cudaErrorInvalidValue, cudaFreeArray(array));
    GIVES(cudaErrorInvalidValue, cudaGetChannelDesc(&told, array));
    GIVES(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(NULL, NULL, NULL, array));
    DONE(cudaFreeArray(NULL));
}

static void test_objects(void **state) {
    const struct cudaChannelFormatDesc desc = format(32, 0, 0, 0, F);
    const struct cudaTextureDesc plain = reading(BORDER, 0, 0);
    struct cudaTextureDesc odd = plain, told;
    struct cudaResourceDesc of;
    cudaTextureObject_t a, b;
    cudaArray_t array;
    void *memory;
    (void)state;
    DONE(cudaMalloc(&memory, 256));
    DONE(cudaMallocArray(&array, &desc, 4, 0, 0));
    const struct cudaResourceDesc line = of_line(memory, desc, 64), none = of_line(NULL, desc, 64);
    const struct cudaResourceDesc nothing = of_plane(NULL, desc, 4, 2, 16);
    const struct cudaResourceDesc there = of_array(array), gone = of_array((cudaArray_t)memory);
    const struct cudaResourceDesc mipmapped = {.resType = cudaResourceTypeMipmappedArray};
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(NULL, &line, &plain, NULL));
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&a, NULL, &plain, NULL));
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&a, &line, NULL, NULL));
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&a, &none, &plain, NULL));
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&a, &nothing, &plain, NULL));
    GIVES(cudaErrorInvalidValue, cudaCreateTextureObject(&a, &gone, &plain, NULL));
    GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&a, &mipmapped, &plain, NULL));
    odd.sRGB = 1;
    GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&a, &line, &odd, NULL));
    GIVES(cudaErrorNotSupported,
          cudaCreateTextureObject(&a, &there, &plain, (const struct cudaResourceViewDesc *)memory));
    b = texture_of(line, plain);
    a = texture_of(there, plain);
    DONE(cudaGetTextureObjectResourceDesc(&of, a));
    assert_memory_equal(&of, &there, sizeof of);
    DONE(cudaGetTextureObjectTextureDesc(&told, a));
    assert_memory_equal(&told, &plain, sizeof told);
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(NULL, a));
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(NULL, a));
    DONE(cudaDestroyTextureObject(b));
    GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(b));
    DONE(cudaGetTextureObjectResourceDesc(&of, a));
    DONE(cudaDestroyTextureObject(a));
    GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(a));
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&of, a));
    GIVES(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&told, a));
    DONE(cudaDestroyTextureObject(0));
}

/* The texel at each position along a line of four, T = 1 2 4 8. */
static void test_addresses(void **state) {
    static const float numbers[] = {1, 2, 4, 8};
    static const struct {
        int mode, normalized;
        float x, wanted; /* the colour of the border is 100 */
    } cases[] = {
        {CLAMP, 0, 0, 1},         {CLAMP, 0, 0.99f, 1},   {CLAMP, 0, 1, 2},
        {CLAMP, 0, 3.99f, 8},     {CLAMP, 0, 4, 8},       {CLAMP, 0, 77, 8},
        {CLAMP, 0, -0.01f, 1},    {CLAMP, 0, -9, 1},      {BORDER, 0, -0.01f, 100},
        {BORDER, 0, 0, 1},        {BORDER, 0, 3.99f, 8},  {BORDER, 0, 4, 100},
        {WRAP, 0, 5.5f, 8},       {WRAP, 0, -1, 1},       {MIRROR, 0, 5.5f, 8},
        {CLAMP, 1, 0.3f, 2},      {CLAMP, 1, 1.3f, 8},    {CLAMP, 1, -0.3f, 1},
        {BORDER, 1, 1, 100},      {BORDER, 1, 0.99f, 8},  {WRAP, 1, 1, 1},
        {WRAP, 1, 1.3f, 2},       {WRAP, 1, -0.01f, 8},   {WRAP, 1, -0.3f, 4},
        {WRAP, 1, -1.3f, 4},      {WRAP, 1, 7.8f, 8},     {MIRROR, 1, 0.8f, 8},
        {MIRROR, 1, 1.1f, 8},     {MIRROR, 1, 1.3f, 4},   {MIRROR, 1, 1.99f, 1},
        {MIRROR, 1, 2.1f, 1},     {MIRROR, 1, 2.3f, 2},   {MIRROR, 1, -0.01f, 1},
        {MIRROR, 1, -0.3f, 2},    {MIRROR, 1, -0.99f, 8}, {MIRROR, 1, -1.1f, 8},
        {CLAMP, 0, 2e9f, 8},      {CLAMP, 0, -2e9f, 1},   {CLAMP, 0, INFINITY, 8},
        {CLAMP, 0, -INFINITY, 1}, {CLAMP, 0, NAN, 1},     {BORDER, 0, 1e30f, 100},
    };
    (void)state;
    cudaArray_t array =
        array_of(format(32, 0, 0, 0, F), 4, (struct cudaExtent){4, 0, 0}, 0, numbers);
    for (int i = 0; i < COUNT(cases); i++) {
        struct cudaTextureDesc desc = reading(cases[i].mode, 0, cases[i].normalized);
        desc.borderColor[0] = 100;
        const cudaTextureObject_t texture = texture_of(of_array(array), desc);
        const struct cpu_texel texel = cpu_texture_read(texture, 1, cases[i].x, 0, 0);
        if (texel.f[0] != cases[i].wanted || !texel.is_float)
            fail_msg("case %d: %g at %g", i, (double)texel.f[0], (double)cases[i].x);
        DONE(cudaDestroyTextureObject(texture));
    }
}

/* Halfway between two texels, each counts half; weights are multiples of 1/256. */
static void test_filters(void **state) {
    static const float line[] = {256, 512, 1024, 0};
    static const struct {
        int mode;
        float x, wanted; /* the border is 0 */
    } cases[] = {
        {CLAMP, 0.5f, 256},
        {CLAMP, 1, 384},
        {CLAMP, 1.25f, 448},
        {CLAMP, 2, 768},
        {CLAMP, 0, 256},
        {CLAMP, -5, 256},
        {CLAMP, 4, 0},
        {CLAMP, 3, 512},
        {BORDER, 0, 128},
        {BORDER, 0.25f, 192},
        {BORDER, -0.5f, 0},
        {BORDER, 3.25f, 256},
        {CLAMP, 0.5f + 1 / 256.0f, 257},  /* 1/256 of the way */
        {CLAMP, 0.5f + 1.25f / 256, 257}, /* rounded */
        {CLAMP, 0.5f + 1.75f / 256, 258},
        {CLAMP, 0.5f + 0.25f / 256, 256},
        {CLAMP, 1.5f - 0.25f / 256, 512}, /* up to the full distance */
    };
    static const float plane[] = {0, 4, 8, 12};                 /* 0 4 / 8 12 */
    static const float cube[] = {0, 8, 16, 24, 32, 40, 48, 56}; /* steps: x 8, y 16, z 32 */
    const struct cudaChannelFormatDesc single = format(32, 0, 0, 0, F);
    struct cudaTextureDesc clamped = reading(CLAMP, 1, 0), wrapped = reading(WRAP, 1, 1);
    (void)state;
    cudaArray_t array = array_of(single, 4, (struct cudaExtent){4, 0, 0}, 0, line);
    for (int i = 0; i < COUNT(cases); i++) {
        const cudaTextureObject_t texture =
            texture_of(of_array(array), reading(cases[i].mode, 1, 0));
        const struct cpu_texel texel = cpu_texture_read(texture, 1, cases[i].x, 0, 0);
        if (texel.f[0] != cases[i].wanted || !texel.is_float)
            fail_msg("case %d: %g at %g", i, (double)texel.f[0], (double)cases[i].x);
    }
    cudaTextureObject_t texture = texture_of(of_array(array), wrapped); /* 0 beside 256 */
    assert_true(cpu_texture_read(texture, 1, 0, 0, 0).f[0] == 128);
    assert_true(cpu_texture_read(texture, 1, 1, 0, 0).f[0] == 128);
    array = array_of(single, 4, (struct cudaExtent){2, 2, 0}, 0, plane);
    texture = texture_of(of_array(array), clamped);
    assert_true(cpu_texture_read(texture, 2, 1, 1, 0).f[0] == 6);
    assert_true(cpu_texture_read(texture, 2, 0.75f, 1.25f, 0).f[0] == 1 + 6);
    assert_true(cpu_texture_read(texture, 2, 1.5f, 0.5f, 0).f[0] == 4);
    array = array_of(single, 4, (struct cudaExtent){2, 2, 2}, 0, cube);
    texture = texture_of(of_array(array), clamped);
    assert_true(cpu_texture_read(texture, 3, 1, 1, 1).f[0] == 28);
    assert_true(cpu_texture_read(texture, 3, 0.75f, 1.25f, 1).f[0] == 2 + 12 + 16);
    texture = texture_of(of_array(array), reading(CLAMP, 0, 1));
    assert_true(cpu_texture_read(texture, 3, 0.9f, 0.1f, 0.6f).f[0] == 40);
    assert_true(cpu_texture_read(texture, 3, 0.1f, 0.6f, 0.1f).f[0] == 16);
}

/* The meaning of a texel's bits: unchanged, or as a float in 0..1 or -1..1. */
static void test_channels(void **state) {
    static const struct {
        int bits, kind;
        uint32_t raw;
        int whole;
        float part; /* the value, for 16-bit floats */
    } cases[] = {
        {8, U, 0, 0, 0},
        {8, U, 255, 255, 1},
        {8, U, 51, 51, 0.2f},
        {8, S, 0x7f, 127, 1},
        {8, S, 0x80, -128, -1},
        {8, S, 0x81, -127, -1},
        {8, S, 0xff, -1, -1 / 127.0f},
        {16, U, 0xffff, 65535, 1},
        {16, U, 0x3333, 13107, 0.2f},
        {16, S, 0x7fff, 32767, 1},
        {16, S, 0x8000, -32768, -1},
        {16, S, 0xffff, -1, -1 / 32767.0f},
        {16, F, 0x3c00, 0, 1},
        {16, F, 0xbc00, 0, -1},
        {16, F, 0x3e00, 0, 1.5f},
        {16, F, 0x7bff, 0, 65504},
        {16, F, 0x0400, 0, 1 / 16384.0f},
        {16, F, 0x0001, 0, 1 / 16777216.0f},
        {16, F, 0x8003, 0, -3 / 16777216.0f},
        {16, F, 0x7c00, 0, INFINITY},
        {16, F, 0xfc00, 0, -INFINITY},
    };
    char *memory;
    (void)state;
    DONE(cudaMalloc((void **)&memory, 256));
    for (int i = 0; i < COUNT(cases); i++)
        for (int channels = 1; channels <= 4; channels *= 2) {
            const int bits = cases[i].bits, last = channels - 1;
            const size_t bytes = (size_t)bits / 8;
            const struct cudaChannelFormatDesc desc =
                format(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                       channels > 2 ? bits : 0, cases[i].kind);
            struct cudaTextureDesc how = reading(CLAMP, 0, 0);
            DONE(cudaMemset(memory, 0, 64));
            for (int at = 0; at < 2; at++) /* the last channel of texel 1 */
                DONE(cudaMemcpy(memory + (size_t)(channels + last) * bytes, &cases[i].raw, bytes,
                                cudaMemcpyHostToDevice));
            const struct cudaResourceDesc line = of_line(memory, desc, 8 * 2 * bytes);
            struct cpu_texel texel = cpu_texture_fetch(texture_of(line, how), 1);
            assert_int_equal(texel.is_float, cases[i].kind == F);
            if (texel.is_float ? texel.f[last] != cases[i].part : texel.i[last] != cases[i].whole)
                fail_msg("case %d, %d channels: %d", i, channels, texel.i[last]);
            for (int other = 0; other < 4; other++)
                assert_true(other == last || texel.i[other] == 0);
            how.readMode = cudaReadModeNormalizedFloat;
            texel = cpu_texture_fetch(texture_of(line, how), 1);
            assert_int_equal(texel.is_float, 1);
            if (fabsf(texel.f[last] - cases[i].part) > 1e-7f)
                fail_msg("case %d, %d channels: %g", i, channels, (double)texel.f[last]);
        }
    /* A NaN stays a NaN; 32-bit channels are never fractions. */
    const uint16_t no_number = 0x7e01;
    const int32_t whole[4] = {-7, 8, 9, 10};
    DONE(cudaMemcpy(memory, &no_number, 2, cudaMemcpyHostToDevice));
    struct cudaTextureDesc how = reading(CLAMP, 0, 0);
    cudaTextureObject_t texture = texture_of(of_line(memory, format(16, 0, 0, 0, F), 64), how);
    assert_true(isnan(cpu_texture_fetch(texture, 0).f[0]));
    DONE(cudaMemcpy(memory + 16, whole, 16, cudaMemcpyHostToDevice));
    how.readMode = cudaReadModeNormalizedFloat;
    texture = texture_of(of_line(memory, format(32, 32, 32, 32, S), 64), how);
    const struct cpu_texel texel = cpu_texture_fetch(texture, 1);
    assert_int_equal(texel.is_float, 0);
    assert_memory_equal(texel.i, whole, sizeof whole);
    texture = texture_of(of_line(memory, format(32, 32, 0, 0, S), 64), how);
    assert_int_equal(cpu_texture_fetch(texture, 2).i[1], 8);
    assert_int_equal(cpu_texture_fetch(texture, 2).i[2], 0);
}

/* Filtered bytes are fractions of 1; integers are not filtered. The border has the same kind. */
static void test_filtered_bytes(void **state) {
    static const uint8_t bytes[] = {0, 255, 51, 0, 102, 255, 153, 255}; /* 2 texels, 4 channels */
    struct cudaTextureDesc how = reading(CLAMP, 1, 0);
    (void)state;
    cudaArray_t array = array_of(format(8, 8, 8, 8, U), 4, (struct cudaExtent){2, 0, 0}, 0, bytes);
    struct cpu_texel texel = cpu_texture_read(texture_of(of_array(array), how), 1, 1.4f, 0, 0);
    assert_int_equal(texel.is_float, 0);
    for (int channel = 0; channel < 4; channel++)
        assert_int_equal(texel.i[channel], bytes[4 + channel]);
    how.readMode = cudaReadModeNormalizedFloat;
    texel = cpu_texture_read(texture_of(of_array(array), how), 1, 1, 0, 0);
    const float wanted[] = {0.2f, 1, 0.4f, 0.5f};
    for (int channel = 0; channel < 4; channel++)
        assert_true(texel.is_float && fabsf(texel.f[channel] - wanted[channel]) < 1e-6f);
    how = reading(BORDER, 0, 0);
    for (int channel = 0; channel < 4; channel++)
        how.borderColor[channel] = (float)(channel + 3);
    texel = cpu_texture_read(texture_of(of_array(array), how), 1, 2, 0, 0);
    for (int channel = 0; channel < 4; channel++)
        assert_true(!texel.is_float && texel.i[channel] == channel + 3);
    how.readMode = cudaReadModeNormalizedFloat;
    texel = cpu_texture_read(texture_of(of_array(array), how), 1, -1, 0, 0);
    for (int channel = 0; channel < 4; channel++)
        assert_true(texel.is_float && texel.f[channel] == (float)(channel + 3));
}

/* The slices of a 3D array; rows are a pitch apart. */
static void test_shapes(void **state) {
    static const float numbers[24] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                      12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
    const struct cudaChannelFormatDesc single = format(32, 0, 0, 0, F);
    const struct cudaTextureDesc point = reading(CLAMP, 0, 0), linear = reading(CLAMP, 1, 0);
    (void)state;
    /* 3 by 2 by 4. */
    cudaArray_t array = array_of(single, 4, (struct cudaExtent){3, 2, 4}, 0, numbers);
    cudaTextureObject_t texture = texture_of(of_array(array), point);
    for (int i = 0; i < 24; i++)
        assert_true(
            cpu_texture_read(texture, 3, (float)(i % 3), (float)(i / 3 % 2), (float)(i / 6)).f[0] ==
            (float)i);
    assert_true(cpu_texture_read(texture, 3, 0, 0, 4).f[0] == 18);
    /* Lines of 3 that are 5 apart. */
    float *memory;
    DONE(cudaMalloc((void **)&memory, 512));
    DONE(cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    for (int filtered = 0; filtered < 2; filtered++) { /* at the centres, no other texel counts */
        const struct cudaTextureDesc how = filtered ? linear : point;
        texture = texture_of(of_plane(memory, single, 3, 4, 20), how);
        for (int i = 0; i < 12; i++)
            assert_true(
                cpu_texture_read(texture, 2, (float)(i % 3) + 0.5f, (float)(i / 3) + 0.5f, 0)
                    .f[0] == (float)(i / 3 * 5 + i % 3));
        assert_true(cpu_texture_read(texture, 2, 1, -1, 0).f[0] == (filtered ? 0.5f : 1));
        assert_true(cpu_texture_read(texture, 2, -1, 1.5f, 0).f[0] == 5);
        assert_true(cpu_texture_read(texture, 2, 3, 0.5f, 0).f[0] == 2);
        assert_true(cpu_texture_read(texture, 2, 0, 4, 0).f[0] == 15);
    }
    texture = texture_of(of_line(memory, single, 40), point);
    assert_true(cpu_texture_fetch(texture, 9).f[0] == 9);
    assert_true(cpu_texture_fetch(texture, 10).f[0] == 0);
}

/* Interior texels that are not plain floats: two channels, bytes. */
static void test_inside(void **state) {
    static const float numbers[4] = {1, 2, 3, 4};
    static const uint8_t bytes[4] = {5, 6, 7, 8};
    const struct cudaTextureDesc point = reading(CLAMP, 0, 0);
    (void)state;
    cudaArray_t array =
        array_of(format(32, 32, 0, 0, F), 8, (struct cudaExtent){2, 0, 0}, 0, numbers);
    cudaTextureObject_t texture = texture_of(of_array(array), point);
    const struct cpu_texel two = cpu_texture_read(texture, 1, 1, 0, 0);
    assert_true(two.f[0] == 3 && two.f[1] == 4);
    array = array_of(format(8, 8, 8, 8, U), 4, (struct cudaExtent){1, 0, 0}, 0, bytes);
    texture = texture_of(of_array(array), point);
    const struct cpu_texel four = cpu_texture_read(texture, 1, 0, 0, 0);
    assert_int_equal(four.is_float, 0);
    assert_true(four.i[0] == 5 && four.i[1] == 6 && four.i[2] == 7 && four.i[3] == 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_formats),        API_TEST(test_arrays),  API_TEST(test_objects),
        API_TEST(test_addresses),      API_TEST(test_filters), API_TEST(test_channels),
        API_TEST(test_filtered_bytes), API_TEST(test_shapes),  API_TEST(test_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
