/*
 * test_copy.c - copies and fills: the bytes that move, and refusals. "CUDA Runtime API", "Memory
 * Management", and "Unified Addressing" for the owner of an address.
 */
#include "cudacpu/runtime/api.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>

enum { HH = cudaMemcpyHostToHost, HD = cudaMemcpyHostToDevice, DH = cudaMemcpyDeviceToHost };
enum { DD = cudaMemcpyDeviceToDevice, ANY = cudaMemcpyDefault };
enum { OK = cudaSuccess, BAD = cudaErrorInvalidValue, PITCH = cudaErrorInvalidPitchValue };
#define KIND(kind) ((enum cudaMemcpyKind)(kind))
#define NO_STREAM  ((cudaStream_t)(uintptr_t)0x1230)
#define BYTES      1000

static unsigned char *numbered(void) {
    unsigned char *bytes = malloc(BYTES);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i % 251);
    return bytes;
}

/* An array with elements of `element` bytes. */
static cudaArray_t array_of(int element, size_t width, size_t height, size_t depth) {
    const int bits = element == 8 ? 32 : 8 * element;
    const struct cudaChannelFormatDesc desc =
        cudaCreateChannelDesc(bits, element == 8 ? 32 : 0, 0, 0, cudaChannelFormatKindSigned);
    cudaArray_t array;
    DONE(cudaMalloc3DArray(&array, &desc, (struct cudaExtent){width, height, depth}, 0));
    return array;
}

/* The host's own memory is not valid as the device's side of a copy. */
static void test_sides(void **state) {
    static unsigned char variable[BYTES];
    void *side[5]; /* the host's, the device's, managed, pinned, a variable of the program */
    (void)state;
    side[0] = numbered();
    DONE(cudaMalloc(&side[1], BYTES));
    DONE(cudaMallocManaged(&side[2], BYTES, cudaMemAttachGlobal));
    DONE(cudaMallocHost(&side[3], BYTES));
    side[4] = variable;
    for (int kind = HH; kind <= ANY; kind++)
        for (int to = 0; to < 5; to++)
            for (int from = 0; from < 5; from++) {
                const bool refused = (to == 0 && (kind == HD || kind == DD)) ||
                                     (from == 0 && (kind == DH || kind == DD));
                const int wanted = refused ? BAD : OK;
                if ((int)cudaMemcpy(side[to], side[from], 10, KIND(kind)) != wanted)
                    fail_msg("kind %d from %d to %d", kind, from, to);
                GIVES(wanted, cudaMemcpyAsync(side[to], side[from], 10, KIND(kind), NULL));
            }
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(side[1], side[2], 10, KIND(5)));
    for (int to = 0; to < 5; to++)
        GIVES(to == 0 ? BAD : OK, cudaMemset(side[to], 1, 10));
    DONE(cudaMemcpy(side[1], side[0], 0, KIND(DH))); /* with a size of 0 everything is valid */
    DONE(cudaMemcpy(NULL, NULL, 0, KIND(ANY)));
    DONE(cudaMemset(NULL, 0, 0));
    GIVES(BAD, cudaMemcpy(NULL, side[1], 1, KIND(ANY)));
    GIVES(BAD, cudaMemcpy(side[1], NULL, 1, KIND(ANY)));
    GIVES(BAD, cudaMemset(NULL, 0, 1));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpyAsync(side[1], side[2], 1, KIND(ANY), NO_STREAM));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemsetAsync(side[1], 2, 1, NO_STREAM));
    DONE(cudaMemcpyPeer(side[1], 0, side[2], 0, 10));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(side[1], 1, side[2], 0, 10));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(side[1], 0, side[2], 1, 10));
    GIVES(BAD, cudaMemcpyPeer(side[1], 0, side[0], 0, 10));
    free(side[0]);
}

/* An allocation of 1000 bytes, followed by a byte that is not part of it. */
static void test_ends(void **state) {
    unsigned char *host = numbered(), *back = malloc(BYTES), *device;
    (void)state;
    DONE(cudaMalloc((void **)&device, BYTES));
    DONE(cudaMemcpy(device, host, BYTES, KIND(HD)));
    DONE(cudaMemcpy(back, device, BYTES, KIND(DH)));
    assert_memory_equal(back, host, BYTES);
    GIVES(BAD, cudaMemcpy(device, host, BYTES + 1, KIND(HD)));
    GIVES(BAD, cudaMemcpy(back, device, BYTES + 1, KIND(DH)));
    DONE(cudaMemcpy(device + 1, host, BYTES - 1, KIND(HD)));
    GIVES(BAD, cudaMemcpy(device + 1, host, BYTES, KIND(HD)));
    DONE(cudaMemcpy(back, device + BYTES - 1, 1, KIND(DH)));
    assert_int_equal(back[0], host[BYTES - 2]);
    GIVES(BAD, cudaMemcpy(back, device + BYTES - 1, 2, KIND(DH)));
    DONE(cudaMemset(device + 1, 0x107, BYTES - 1)); /* only the low byte counts */
    GIVES(BAD, cudaMemset(device + 1, 8, BYTES));
    GIVES(BAD, cudaMemset(device, 8, BYTES + 1));
    DONE(cudaMemcpy(back, device, BYTES, KIND(DH)));
    assert_int_equal(back[0], host[0]);
    assert_int_equal(back[1], 7);
    assert_int_equal(back[BYTES - 1], 7);
    free(host);
    free(back);
}

/* Lines of `width` bytes, `pitch` apart: the last need not be a full pitch long. */
static void test_planes(void **state) {
    static const struct {
        size_t to_pitch, from_pitch, width, height;
        int wanted;
    } cases[] = {
        {100, 100, 100, 10, OK}, {100, 100, 100, 11, BAD}, {110, 90, 90, 10, BAD},
        {110, 90, 10, 10, OK},   {110, 90, 11, 10, BAD},   {90, 110, 10, 10, OK},
        {90, 110, 11, 10, BAD},  {9, 10, 10, 1, PITCH},    {10, 9, 10, 1, PITCH},
        {10, 10, 10, 1, OK},     {9, 10, 10, 2, PITCH},    {0, 0, 0, 5, OK},
        {10, 10, 10, 0, OK},     {1000, 1, 1, 1, OK},      {999, 999, 1, 2, OK},
        {1000, 999, 1, 2, BAD},
    };
    unsigned char *host = numbered(), *back = malloc(BYTES), *from, *to;
    (void)state;
    DONE(cudaMalloc((void **)&from, BYTES));
    DONE(cudaMalloc((void **)&to, BYTES));
    DONE(cudaMemcpy(from, host, BYTES, KIND(HD)));
    for (int i = 0; i < COUNT(cases); i++) {
        const size_t a = cases[i].to_pitch, b = cases[i].from_pitch, width = cases[i].width;
        for (int late = 0; late < 2; late++) {
            DONE(cudaMemset(to, 255, BYTES));
            const cudaError_t error =
                late ? cudaMemcpy2DAsync(to, a, from, b, width, cases[i].height, KIND(DD), NULL)
                     : cudaMemcpy2D(to, a, from, b, width, cases[i].height, KIND(DD));
            if ((int)error != cases[i].wanted)
                fail_msg("case %d: %d", i, error);
            DONE(cudaMemcpy(back, to, BYTES, KIND(DH)));
            for (size_t at = 0; at < BYTES; at++) {
                const size_t row = a ? at / a : 0, column = a ? at % a : 0;
                const bool moved = error == cudaSuccess && row < cases[i].height && column < width;
                if (back[at] != (moved ? host[row * b + column] : 255))
                    fail_msg("case %d: byte %zu", i, at);
            }
        }
    }
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DAsync(to, 9, from, 9, 9, 9, KIND(DD), NO_STREAM));
    free(host);
    free(back);
}

static void test_fills(void **state) {
    static const struct {
        size_t pitch, lines, width, height, depth; /* `lines`: from slice to slice */
        int wanted;
    } cases[] = {
        {10, 1, 10, 1, 1, OK},      {10, 1, 11, 1, 1, PITCH}, {100, 10, 100, 10, 1, OK},
        {100, 10, 100, 11, 1, BAD}, {99, 5, 98, 5, 2, OK},    {100, 5, 99, 5, 2, OK},
        {100, 5, 100, 5, 3, BAD},   {100, 9, 100, 1, 2, OK},  {100, 10, 1, 1, 2, BAD},
        {100, 5, 0, 5, 2, OK},      {100, 5, 5, 0, 2, OK},    {100, 5, 5, 5, 0, OK},
        {30, 4, 7, 3, 5, OK},
    };
    unsigned char *back = malloc(BYTES), *to;
    (void)state;
    DONE(cudaMalloc((void **)&to, BYTES));
    for (int i = 0; i < COUNT(cases); i++)
        for (int late = 0; late < 2; late++) {
            const size_t pitch = cases[i].pitch, slice = pitch * cases[i].lines;
            const struct cudaPitchedPtr at = {to, pitch, pitch, cases[i].lines};
            const struct cudaExtent all = {cases[i].width, cases[i].height, cases[i].depth};
            DONE(cudaMemset(to, 1, BYTES));
            const cudaError_t error =
                late ? cudaMemset3DAsync(at, 2, all, NULL) : cudaMemset3D(at, 2, all);
            if ((int)error != cases[i].wanted)
                fail_msg("case %d: %d", i, error);
            DONE(cudaMemcpy(back, to, BYTES, KIND(DH)));
            for (size_t n = 0; n < BYTES; n++) {
                const bool hit = error == cudaSuccess && n % pitch < all.width &&
                                 n % slice / pitch < all.height && n / slice < all.depth;
                if (back[n] != (hit ? 2 : 1))
                    fail_msg("case %d: byte %zu", i, n);
            }
        }
    DONE(cudaMemset(to, 1, BYTES));
    DONE(cudaMemset2D(to, 20, 3, 5, 4));
    DONE(cudaMemcpy(back, to, BYTES, KIND(DH)));
    for (size_t n = 0; n < BYTES; n++)
        assert_int_equal(back[n], n % 20 < 5 && n < 80 ? 3 : 1);
    GIVES(PITCH, cudaMemset2D(to, 4, 3, 5, 1));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemset2DAsync(to, 20, 3, 5, 4, NO_STREAM));
    /* Elements of 2 and 4 bytes, lowest byte first; a row holds whole elements. */
    static const uint8_t wanted[3][8] = {{0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 1},
                                         {0x44, 0x33, 0x44, 0x33, 0x44, 0x33, 0, 1},
                                         {0x44, 0x33, 0x22, 0x11, 0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        uint8_t row[16];
        memset(row, 1, sizeof row);
        const struct api_fill fill = {.to = {.start = (char *)row, .pitch = 8},
                                      .value = 0x11223344,
                                      .element = 1u << i,
                                      .width = 7,
                                      .height = 2,
                                      .depth = 1};
        api_do_fill(&fill);
        assert_memory_equal(row, wanted[i], 8);
        assert_memory_equal(row + 8, wanted[i], 8);
    }
    free(back);
}

/* Copies a box of 4 by 3 by 2 elements of 4 bytes between any positions of two larger boxes. */
static void test_boxes(void **state) {
    enum { PITCHED = 40, LINES = 5, SLICES = 4, ALL = PITCHED * LINES * SLICES };
    static const struct {
        size_t x, y, z, width, height, depth; /* in an array of 8 by 5 by 4 */
        int wanted;
    } cases[] = {
        {0, 0, 0, 8, 5, 4, OK},  {4, 2, 2, 4, 3, 2, OK},  {5, 2, 2, 4, 3, 2, BAD},
        {4, 3, 2, 4, 3, 2, BAD}, {4, 2, 3, 4, 3, 2, BAD}, {9, 0, 0, 0, 1, 1, BAD},
        {8, 0, 0, 0, 1, 1, OK},  {0, 6, 0, 1, 0, 1, BAD}, {0, 0, 5, 1, 1, 0, BAD},
        {1, 1, 1, 1, 1, 1, OK},  {7, 4, 3, 1, 1, 1, OK},  {0, 0, 0, 9, 1, 1, BAD},
    };
    uint32_t *host = malloc(ALL), *back = malloc(ALL);
    (void)state;
    for (int i = 0; i < ALL / 4; i++)
        host[i] = (uint32_t)i * 0x01000193;
    cudaArray_t array = array_of(4, 8, 5, 4), second = array_of(4, 8, 5, 4),
                wide = array_of(8, 8, 5, 4);
    for (int i = 0; i < COUNT(cases); i++) {
        const struct cudaExtent box = {cases[i].width, cases[i].height, cases[i].depth};
        const struct cudaPitchedPtr from = {host, PITCHED, PITCHED, LINES};
        const struct cudaPitchedPtr to = {back, PITCHED, PITCHED, LINES};
        const struct cudaPos at = {cases[i].x, cases[i].y, cases[i].z};
        struct cudaMemcpy3DParms there = {.srcPtr = from, .dstArray = array, .dstPos = at};
        struct cudaMemcpy3DParms over = {.srcArray = array, .srcPos = at, .dstArray = second};
        struct cudaMemcpy3DParms home = {.srcArray = second, .dstPtr = to, .srcPos = at};
        there.extent = over.extent = home.extent = box;
        there.kind = KIND(HD), over.kind = KIND(DD), home.kind = KIND(DH);
        over.dstPos = at;
        home.dstPos = (struct cudaPos){4, 0, 0}; /* bytes: the second element */
        memset(back, 0, ALL);
        if ((int)cudaMemcpy3D(&there) != cases[i].wanted)
            fail_msg("case %d", i);
        GIVES(cases[i].wanted, cudaMemcpy3DAsync(&over, NULL));
        GIVES(cases[i].wanted, cudaMemcpy3D(&home));
        for (size_t n = 0; n < ALL / 4 && cases[i].wanted == OK; n++) {
            const size_t x = n % 10, y = n / 10 % LINES, z = n / 10 / LINES;
            const bool hit = x >= 1 && x - 1 < box.width && y < box.height && z < box.depth;
            if (back[n] != (hit ? host[n - 1] : 0))
                fail_msg("case %d: element %zu", i, n);
        }
    }
    /* From memory to memory: positions and widths are in bytes. */
    unsigned char *bytes = numbered(), *device;
    DONE(cudaMalloc((void **)&device, BYTES));
    DONE(cudaMemset(device, 0, BYTES));
    struct cudaMemcpy3DParms copy = {.srcPtr = {bytes, 10, 10, 5}, .dstPtr = {device, 20, 20, 4}};
    copy.srcPos = (struct cudaPos){2, 1, 3};
    copy.dstPos = (struct cudaPos){3, 1, 2};
    copy.extent = (struct cudaExtent){7, 3, 2};
    copy.kind = KIND(HD);
    DONE(cudaMemcpy3D(&copy));
    unsigned char *got = malloc(BYTES);
    DONE(cudaMemcpy(got, device, BYTES, KIND(DH)));
    for (int n = 0; n < BYTES; n++) {
        const int x = n % 20 - 3, y = n / 20 % 4 - 1, z = n / 80 - 2;
        const bool hit = x >= 0 && x < 7 && y >= 0 && y < 3 && z >= 0 && z < 2;
        assert_int_equal(got[n], hit ? bytes[(z + 3) * 50 + (y + 1) * 10 + x + 2] : 0);
    }
    /* Each side must be either an array or a pointer, and elements must have the same size. */
    GIVES(BAD, cudaMemcpy3D(NULL));
    copy.dstArray = array;
    GIVES(BAD, cudaMemcpy3D(&copy));
    copy.dstPtr.ptr = NULL, copy.srcArray = array;
    GIVES(BAD, cudaMemcpy3D(&copy));
    copy.srcPtr.ptr = NULL, copy.srcArray = NULL;
    GIVES(BAD, cudaMemcpy3D(&copy));
    copy.srcArray = wide, copy.kind = KIND(DD), copy.extent = (struct cudaExtent){1, 1, 1};
    GIVES(BAD, cudaMemcpy3D(&copy));
    copy.srcArray = second;
    DONE(cudaMemcpy3D(&copy));
    copy.dstArray = NULL;
    GIVES(BAD, cudaMemcpy3D(&copy));
    copy.dstArray = array;
    GIVES(cudaErrorInvalidResourceHandle, cudaMemcpy3DAsync(&copy, NO_STREAM));
    /* In a captured stream, the copy becomes a node. */
    cudaStream_t stream;
    cudaGraph_t graph;
    size_t count = 0;
    DONE(cudaStreamCreate(&stream));
    DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    DONE(cudaMemcpy3DAsync(&copy, stream));
    DONE(cudaStreamEndCapture(stream, &graph));
    DONE(cudaGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 1);
    free(host);
    free(back);
    free(bytes);
    free(got);
}

/* Planes to and from arrays, with x in bytes. The array has 6 by 3 elements of 2 bytes. */
static void test_array_planes(void **state) {
    static const struct {
        size_t x, y, pitch, width, height;
        int wanted;
    } cases[] = {
        {0, 0, 12, 12, 3, OK}, {0, 0, 13, 13, 1, BAD}, {4, 1, 20, 8, 2, OK}, {5, 1, 20, 8, 2, BAD},
        {4, 2, 20, 8, 2, BAD}, {4, 1, 7, 8, 2, PITCH}, {4, 1, 8, 8, 2, OK},  {12, 0, 0, 0, 1, OK},
        {13, 0, 0, 0, 1, BAD}, {0, 4, 9, 1, 0, BAD},   {0, 3, 9, 1, 0, OK},  {10, 2, 2, 2, 1, OK},
    };
    unsigned char *host = numbered(), *back = malloc(BYTES);
    (void)state;
    cudaArray_t array = array_of(2, 6, 3, 0), other = array_of(2, 6, 3, 0);
    for (int i = 0; i < COUNT(cases); i++) {
        const size_t x = cases[i].x, y = cases[i].y, pitch = cases[i].pitch;
        const size_t width = cases[i].width, height = cases[i].height;
        memset(back, 255, BYTES);
        if ((int)cudaMemcpy2DToArray(array, x, y, host, pitch, width, height, KIND(HD)) !=
            cases[i].wanted)
            fail_msg("case %d", i);
        GIVES(cases[i].wanted == PITCH ? OK : cases[i].wanted,
              cudaMemcpy2DArrayToArray(other, x, y, array, x, y, width, height, KIND(DD)));
        GIVES(cases[i].wanted,
              cudaMemcpy2DFromArray(back, pitch, other, x, y, width, height, KIND(DH)));
        for (size_t n = 0; n < 60 && cases[i].wanted == OK; n++) {
            const bool hit = pitch && n % pitch < width && n / pitch < height;
            if (back[n] != (hit ? host[n] : 255))
                fail_msg("case %d: byte %zu", i, n);
        }
    }
    GIVES(BAD, cudaMemcpy2DToArray(NULL, 0, 0, host, 4, 4, 1, KIND(HD)));
    GIVES(BAD, cudaMemcpy2DFromArray(back, 4, NULL, 0, 0, 4, 1, KIND(DH)));
    GIVES(BAD, cudaMemcpy2DArrayToArray(NULL, 0, 0, array, 0, 0, 4, 1, KIND(DD)));
    GIVES(BAD, cudaMemcpy2DArrayToArray(array, 0, 0, NULL, 0, 0, 4, 1, KIND(DD)));
    GIVES(BAD, cudaMemcpy2DArrayToArray(array, 0, 0, other, 10, 0, 4, 1, KIND(DD)));
    GIVES(BAD, cudaMemcpy2DArrayToArray(array, 10, 0, other, 0, 0, 4, 1, KIND(DD)));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DToArrayAsync(array, 0, 0, host, 4, 4, 1, KIND(HD), NO_STREAM));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaMemcpy2DFromArrayAsync(back, 4, array, 0, 0, 4, 1, KIND(DH), NO_STREAM));
    /* Bytes in row order, from byte x of row y to the end; the array has 36 bytes. */
    static const struct {
        size_t x, y, size;
        int wanted;
    } rows[] = {
        {0, 0, 36, OK},  {0, 0, 37, BAD}, {3, 1, 21, OK}, {3, 1, 22, BAD},
        {12, 0, 24, OK}, {13, 0, 1, BAD}, {0, 3, 0, BAD}, {0, 2, 12, OK},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        const size_t x = rows[i].x, y = rows[i].y, size = rows[i].size;
        memset(back, 255, BYTES);
        if ((int)cudaMemcpyToArray(array, x, y, host + 5, size, KIND(HD)) != rows[i].wanted)
            fail_msg("rows %d", i);
        GIVES(rows[i].wanted, cudaMemcpyFromArray(back, array, x, y, size, KIND(DH)));
        if (rows[i].wanted == OK)
            assert_memory_equal(back, host + 5, size);
    }
    DONE(cudaMemcpyToArray(array, 0, 0, host, 36, KIND(HD)));
    DONE(cudaMemcpyFromArray(back, array, 2, 1, 3, KIND(DH)));
    assert_memory_equal(back, host + 14, 3);
    GIVES(BAD, cudaMemcpyToArray(NULL, 0, 0, host, 4, KIND(HD)));
    cudaArray_t line = array_of(2, 6, 0, 0); /* has one row */
    DONE(cudaMemcpyToArray(line, 0, 0, host, 12, KIND(HD)));
    GIVES(BAD, cudaMemcpyToArray(line, 0, 0, host, 13, KIND(HD)));
    GIVES(BAD, cudaMemcpyToArray(line, 0, 1, host, 1, KIND(HD)));
    DONE(cudaMemcpy2DToArray(line, 0, 0, host, 12, 12, 1, KIND(HD)));
    GIVES(BAD, cudaMemcpy2DToArray(line, 0, 0, host, 12, 12, 2, KIND(HD)));
    free(host);
    free(back);
}

/* A `__device__` variable of 8 bytes. */
static void test_symbols(void **state) {
    static const struct {
        size_t size, offset;
        int kind, wanted; /* the result of a copy to the variable */
    } cases[] = {
        {8, 0, HD, OK},
        {9, 0, HD, BAD},
        {3, 5, HD, OK},
        {4, 5, HD, BAD},
        {0, 8, HD, OK},
        {0, 9, HD, BAD},
        {1, 0, ANY, OK},
        {8, 0, DH, cudaErrorInvalidMemcpyDirection},
        {8, 0, HH, cudaErrorInvalidMemcpyDirection},
    };
    unsigned char *host = numbered(), *variable = calloc(1, 8), *back = calloc(1, 8);
    void *address = NULL;
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        const size_t size = cases[i].size, offset = cases[i].offset;
        const int home = cases[i].kind == HD ? DH : cases[i].kind == DH ? HD : cases[i].kind;
        memset(variable, 0, 8);
        GIVES(cases[i].wanted, cpu_symbol_copy(variable, 8, host + 1, size, offset,
                                               KIND(cases[i].kind), NULL, 1, 0));
        for (size_t n = 0; n < 8 && cases[i].wanted == OK; n++)
            assert_int_equal(variable[n],
                             n >= offset && n - offset < size ? host[n - offset + 1] : 0);
        GIVES(cases[i].wanted,
              cpu_symbol_copy(variable, 8, back, size, offset, KIND(home), NULL, 0, 1));
        if (cases[i].wanted == OK)
            assert_memory_equal(back, variable + offset, size);
    }
    GIVES(cudaErrorInvalidResourceHandle,
          cpu_symbol_copy(variable, 8, host, 8, 0, KIND(HD), NO_STREAM, 1, 1));
    DONE(cudaGetSymbolAddress(&address, variable));
    assert_ptr_equal(address, variable);
    GIVES(BAD, cudaGetSymbolAddress(NULL, variable));
    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, NULL));
    free(host);
    free(variable);
    free(back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_sides),   API_TEST(test_ends),  API_TEST(test_planes),
        API_TEST(test_fills),   API_TEST(test_boxes), API_TEST(test_array_planes),
        API_TEST(test_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
