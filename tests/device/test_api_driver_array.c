/*
 * test_api_driver_array.c - the driver's arrays and its copies of two and three dimensions ("CUDA
 * Driver API", "Memory Management"): each format and its descriptor, every kind of place, bytes
 * beside the copy.
 */
#include "api_device.h"

#include <cuda.h>
#include <string.h>

enum { OK = CUDA_SUCCESS, BAD = CUDA_ERROR_INVALID_VALUE };
enum { BYTES = 512, UNTOUCHED = 0xee };

static CUcontext context;

static int begin(void **state) {
    api_begin_test(state);
    return cuInit(0) || cuCtxCreate(&context, NULL, 0, 0);
}
static int end(void **state) {
    cuCtxDestroy(context);
    return api_end_test(state);
}

/* Each format with 1, 2 and 4 channels is what the descriptor says, and has its size. */
static void test_formats(void **state) {
    static const struct {
        CUarray_format format;
        unsigned bytes;
    } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1},  {CU_AD_FORMAT_UNSIGNED_INT16, 2},
                   {CU_AD_FORMAT_UNSIGNED_INT32, 4}, {CU_AD_FORMAT_SIGNED_INT8, 1},
                   {CU_AD_FORMAT_SIGNED_INT16, 2},   {CU_AD_FORMAT_SIGNED_INT32, 4},
                   {CU_AD_FORMAT_HALF, 2},           {CU_AD_FORMAT_FLOAT, 4}};
    unsigned char in[BYTES], out[BYTES];
    CUarray array;
    (void)state;
    for (int i = 0; i < BYTES; i++)
        in[i] = (unsigned char)(i * 7);
    for (int i = 0; i < COUNT(formats); i++)
        for (unsigned channels = 0; channels < 6; channels++) {
            CUDA_ARRAY_DESCRIPTOR got,
                wanted = {
                    .Width = 5, .Height = 3, .Format = formats[i].format, .NumChannels = channels};
            if (channels != 1 && channels != 2 && channels != 4) {
                assert_int_not_equal(cuArrayCreate(&array, &wanted), OK);
                continue;
            }
            GIVES(OK, cuArrayCreate(&array, &wanted));
            GIVES(OK, cuArrayGetDescriptor(&got, array));
            assert_int_equal(got.Width, 5);
            assert_int_equal(got.Height, 3);
            assert_int_equal(got.Format, wanted.Format);
            assert_int_equal(got.NumChannels, channels);
            const size_t line = (size_t)5 * channels * formats[i].bytes;
            CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                  .srcHost = in,
                                  .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                  .dstArray = array,
                                  .WidthInBytes = line,
                                  .Height = 3};
            GIVES(OK, cuMemcpy2D(&copy));
            copy.WidthInBytes = line + channels * formats[i].bytes;
            GIVES(BAD, cuMemcpy2D(&copy)); /* an element too many */
            copy.WidthInBytes = line, copy.Height = 4;
            GIVES(BAD, cuMemcpy2D(&copy)); /* a line too many */
            memset(out, UNTOUCHED, sizeof out);
            GIVES(OK, cuMemcpyAtoH(out, array, line, 2 * line));
            assert_memory_equal(out, in + line, 2 * line);
            assert_int_equal(out[2 * line], UNTOUCHED);
            GIVES(OK, cuArrayDestroy(array));
        }
    GIVES(BAD, cuArrayCreate(&array, NULL));
    GIVES(BAD, cuArray3DCreate(&array, NULL));
    GIVES(BAD,
          cuArray3DCreate(NULL, &(CUDA_ARRAY3D_DESCRIPTOR){
                                    .Width = 4, .NumChannels = 1, .Format = CU_AD_FORMAT_FLOAT}));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(NULL));
}

/* A box of 6 bytes, 2 lines and 2 layers between places of each kind, away from their corners. */
static void test_boxes(void **state) {
    enum { WIDTH = 12, HEIGHT = 4, DEPTH = 3, ALL = WIDTH * HEIGHT * DEPTH };
    static const CUmemorytype kinds[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE,
                                         CU_MEMORYTYPE_ARRAY, CU_MEMORYTYPE_UNIFIED};
    const CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = WIDTH / 2,
                                            .Height = HEIGHT,
                                            .Depth = DEPTH,
                                            .Format = CU_AD_FORMAT_SIGNED_INT16,
                                            .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR got;
    unsigned char host[2][ALL], out[ALL], in[ALL];
    CUdeviceptr device[2];
    CUarray array[2];
    (void)state;
    for (int side = 0; side < 2; side++) {
        GIVES(OK, cuMemAlloc(&device[side], ALL));
        GIVES(OK, cuArray3DCreate(&array[side], &wanted));
    }
    GIVES(OK, cuArray3DGetDescriptor(&got, array[0]));
    assert_true(got.Width == WIDTH / 2 && got.Height == HEIGHT && got.Depth == DEPTH);
    GIVES(BAD, cuArray3DGetDescriptor(NULL, array[0]));
    GIVES(BAD, cuArrayGetDescriptor(NULL, array[0]));
    for (int i = 0; i < ALL; i++)
        in[i] = (unsigned char)(i + 1);
    for (int k = 0; k < 16 * 2; k++) {
        const CUmemorytype from = kinds[k % 4], to = kinds[k / 4 % 4];
        /* Everything is filled: the source with what is counted, its end with UNTOUCHED. */
        for (int side = 0; side < 2; side++) {
            unsigned char *fill = host[side];
            for (int i = 0; i < ALL; i++)
                fill[i] = side ? UNTOUCHED : in[i];
            CUDA_MEMCPY3D whole = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                   .srcHost = fill,
                                   .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .dstArray = array[side],
                                   .WidthInBytes = WIDTH,
                                   .Height = HEIGHT,
                                   .Depth = DEPTH};
            GIVES(OK, cuMemcpy3D(&whole));
            GIVES(OK, cuMemcpyHtoD(device[side], fill, ALL));
        }
        CUDA_MEMCPY3D copy = {.srcMemoryType = from,
                              .srcHost = host[0],
                              .srcDevice = device[0],
                              .srcArray = array[0],
                              .srcXInBytes = 2,
                              .srcY = 1,
                              .srcZ = 0,
                              .srcPitch = WIDTH,
                              .srcHeight = HEIGHT,
                              .dstMemoryType = to,
                              .dstHost = host[1],
                              .dstDevice = device[1],
                              .dstArray = array[1],
                              .dstXInBytes = 4,
                              .dstY = 2,
                              .dstZ = 1,
                              .dstPitch = WIDTH,
                              .dstHeight = HEIGHT,
                              .WidthInBytes = 6,
                              .Height = 2,
                              .Depth = 2};
        GIVES(OK, k < 16 ? cuMemcpy3D(&copy) : cuMemcpy3DAsync(&copy, NULL));
        GIVES(OK, cuCtxSynchronize());
        if (to == CU_MEMORYTYPE_ARRAY) {
            CUDA_MEMCPY3D whole = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                                   .srcArray = array[1],
                                   .dstMemoryType = CU_MEMORYTYPE_HOST,
                                   .dstHost = out,
                                   .WidthInBytes = WIDTH,
                                   .Height = HEIGHT,
                                   .Depth = DEPTH};
            GIVES(OK, cuMemcpy3D(&whole));
        } else if (to == CU_MEMORYTYPE_HOST) {
            memcpy(out, host[1], ALL);
        } else {
            GIVES(OK, cuMemcpyDtoH(out, device[1], ALL));
        }
        for (int i = 0; i < ALL; i++) {
            const int x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
            const bool inside = x >= 4 && x < 10 && y >= 2 && z >= 1;
            const int right = inside ? in[((z - 1) * HEIGHT + y - 1) * WIDTH + x - 2] : UNTOUCHED;
            if (out[i] != right)
                fail_msg("copy %d, byte %d: %d, not %d", k, i, out[i], right);
        }
        if (from == CU_MEMORYTYPE_ARRAY) { /* half an element */
            copy.srcXInBytes = 1;
            GIVES(BAD, cuMemcpy3D(&copy));
            copy.srcXInBytes = 2, copy.WidthInBytes = 5;
            GIVES(BAD, cuMemcpy3D(&copy));
            copy.WidthInBytes = 6;
        }
        copy.srcLOD = 1;
        GIVES(BAD, cuMemcpy3D(&copy));
        copy.srcLOD = 0, copy.dstLOD = 1;
        GIVES(BAD, cuMemcpy3D(&copy));
        copy.dstLOD = 0, copy.srcMemoryType = (CUmemorytype)0;
        GIVES(BAD, cuMemcpy3D(&copy));
    }
    GIVES(BAD, cuMemcpy3D(NULL));
    GIVES(BAD, cuMemcpy2D(NULL));
    for (int side = 0; side < 2; side++) {
        GIVES(OK, cuMemFree(device[side]));
        GIVES(OK, cuArrayDestroy(array[side]));
    }
}

/* Lines, by each of the three functions. */
static void test_lines(void **state) {
    unsigned char in[40], out[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        in[i] = (unsigned char)i;
    for (int how = 0; how < 3; how++) {
        memset(out, UNTOUCHED, sizeof out);
        const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                                    .srcHost = in,
                                    .srcXInBytes = 1,
                                    .srcY = 2,
                                    .srcPitch = 8,
                                    .dstMemoryType = CU_MEMORYTYPE_HOST,
                                    .dstHost = out,
                                    .dstXInBytes = 3,
                                    .dstY = 1,
                                    .dstPitch = 10,
                                    .WidthInBytes = 5,
                                    .Height = 2};
        GIVES(OK, how == 0   ? cuMemcpy2D(&copy)
                  : how == 1 ? cuMemcpy2DUnaligned(&copy)
                             : cuMemcpy2DAsync(&copy, NULL));
        GIVES(OK, cuCtxSynchronize());
        for (int i = 0; i < 40; i++) {
            const int x = i % 10 - 3, y = i / 10 - 1;
            const bool inside = x >= 0 && x < 5 && y >= 0 && y < 2;
            assert_int_equal(out[i], inside ? (y + 2) * 8 + x + 1 : UNTOUCHED);
        }
    }
}

/* Flags of a texture, as the runtime says them; integers of 32 bits are never read as fractions. */
static void test_textures(void **state) {
    static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                                             CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_FLOAT};
    (void)state;
    for (int i = 0; i < COUNT(formats); i++)
        for (unsigned flags = 0; flags < 4; flags++) {
            const CUDA_ARRAY_DESCRIPTOR wanted = {4, 4, formats[i], 1};
            CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
            const CUDA_TEXTURE_DESC desc = {.flags =
                                                (flags & 1 ? CU_TRSF_READ_AS_INTEGER : 0) |
                                                (flags & 2 ? CU_TRSF_NORMALIZED_COORDINATES : 0)};
            struct cudaTextureDesc got;
            CUtexObject texture;
            GIVES(OK, cuArrayCreate(&resource.res.array.hArray, &wanted));
            GIVES(OK, cuTexObjectCreate(&texture, &resource, &desc, NULL));
            DONE(cudaGetTextureObjectTextureDesc(&got, texture));
            assert_int_equal(got.normalizedCoords, flags >> 1);
            assert_int_equal(got.sRGB, 0);
            assert_int_equal(got.readMode, i < 2 && !(flags & 1) ? cudaReadModeNormalizedFloat
                                                                 : cudaReadModeElementType);
            GIVES(BAD, cuTexObjectCreate(NULL, &resource, &desc, NULL));
            GIVES(BAD, cuTexObjectCreate(&texture, NULL, &desc, NULL));
            GIVES(BAD, cuTexObjectCreate(&texture, &resource, NULL, NULL));
            GIVES(OK, cuTexObjectDestroy(texture));
            GIVES(OK, cuArrayDestroy(resource.res.array.hArray));
        }
}

#define DRIVER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(test_formats),
        DRIVER_TEST(test_boxes),
        DRIVER_TEST(test_lines),
        DRIVER_TEST(test_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
