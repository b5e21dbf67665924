// Arrays, copies between them, textures of each type, and the errors: as in the CUDA Runtime API
// (texture objects, memory management) and, for fetching, the CUDA C++ Programming Guide.
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, cudaError_t error, cudaError_t wanted) {
    calls++;
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
static void must(int line, bool is_so) {
    calls++;
    if (!is_so)
        printf("line %d is not so\n", line);
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(cudaSuccess, call)
#define INVALID(call)       GIVES(cudaErrorInvalidValue, call)
#define IS(what)            must(__LINE__, what)

static const cudaChannelFormatDesc one = {32, 0, 0, 0, cudaChannelFormatKindFloat};

static void shapes() {
    cudaArray_t array;
    const cudaExtent none = make_cudaExtent(0, 1, 1), some = make_cudaExtent(4, 4, 6);
    INVALID(cudaMalloc3DArray(&array, &one, none, 0));
    INVALID(cudaMalloc3DArray(&array, &one, some, 0x800));
    const cudaChannelFormatDesc wrong[] = {
        {0, 0, 0, 0, cudaChannelFormatKindFloat},     {7, 0, 0, 0, cudaChannelFormatKindUnsigned},
        {8, 16, 0, 0, cudaChannelFormatKindUnsigned}, {8, 8, 16, 8, cudaChannelFormatKindUnsigned},
        {8, 8, 8, 16, cudaChannelFormatKindUnsigned}, {8, 0, 8, 8, cudaChannelFormatKindUnsigned},
        {8, 8, 0, 8, cudaChannelFormatKindUnsigned},  {8, 8, 8, 0, cudaChannelFormatKindUnsigned},
        {8, 0, 0, 0, cudaChannelFormatKindFloat},     {8, 0, 0, 0, (cudaChannelFormatKind)99}};
    for (const auto &desc : wrong)
        INVALID(cudaMallocArray(&array, &desc, 4, 4));
    GIVES(cudaErrorMemoryAllocation,
          cudaMalloc3DArray(&array, &one, make_cudaExtent((size_t)1 << 40, 1 << 20, 1 << 20), 0));
    OK(cudaMalloc3DArray(&array, &one, make_cudaExtent(4, 4, 12), cudaArrayTextureGather));
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags;
    OK(cudaArrayGetInfo(&desc, &extent, &flags, array));
    IS(desc.x == 32 && desc.f == cudaChannelFormatKindFloat && extent.depth == 12 &&
       flags == cudaArrayTextureGather);
    OK(cudaArrayGetInfo(nullptr, nullptr, nullptr, array));
    cudaArray_t second;
    OK(cudaMallocArray(&second, &one, 4, 4));
    OK(cudaFreeArray(array)); // not the last one made
    INVALID(cudaFreeArray(array));
    GIVES(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(&desc, &extent, &flags, array));
    INVALID(cudaGetChannelDesc(&desc, array));
    OK(cudaFreeArray(second));
}

static void copies() {
    float host[16], got[16] = {}, *device;
    cudaArray_t a, b, bytes;
    const cudaChannelFormatDesc small = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    for (int i = 0; i < 16; i++)
        host[i] = (float)i;
    OK(cudaMalloc(&device, sizeof host));
    OK(cudaMallocArray(&a, &one, 4, 4));
    OK(cudaMallocArray(&b, &one, 4, 4));
    OK(cudaMallocArray(&bytes, &small, 16, 4));
    OK(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(b, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 8, 2, 8, 2)); // 10 11 / 14 15 to column 1, row 1
    OK(cudaMemcpy2DFromArray(got, 16, b, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
    IS(got[4] == 4 && got[5] == 10 && got[6] == 11 && got[7] == 7 && got[9] == 14 && got[10] == 15);
    INVALID(cudaMemcpy2DArrayToArray(b, 12, 1, a, 8, 2, 8, 2));
    INVALID(cudaMemcpy2DArrayToArray(b, 4, 1, a, 8, 3, 8, 2));
    INVALID(cudaMemcpy2DToArray(a, 4, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DToArray(a, 17, 0, host, 16, 4, 1, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DToArray(a, 0, 5, host, 16, 16, 1, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DFromArray(got, 16, a, 0, 2, 16, 3, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2DToArray(a, 0, 0, host, 8, 16, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2DFromArray(got, 8, a, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms all = {};
    all.srcArray = a, all.dstArray = b;
    all.srcPos = make_cudaPos(1, 1, 0);
    all.extent = make_cudaExtent(2, 2, 1);
    all.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3D(&all)); // 5 6 / 9 10 to the corner
    OK(cudaMemcpy2DFromArray(got, 16, b, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
    IS(got[0] == 5 && got[1] == 6 && got[2] == 2 && got[4] == 9 && got[5] == 10);
    all.dstArray = bytes;
    INVALID(cudaMemcpy3D(&all)); // elements of different sizes
    all.dstArray = b, all.srcPos = make_cudaPos(3, 1, 0);
    INVALID(cudaMemcpy3D(&all));
    all.dstPtr = make_cudaPitchedPtr(device, 16, 4, 4);
    INVALID(cudaMemcpy3D(&all)); // two destinations
    all = {};
    all.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
    INVALID(cudaMemcpy3D(&all));                                          // no destination
    OK(cudaMemcpy2D(device, 16, host, 16, 0, 4, cudaMemcpyHostToDevice)); // nothing
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(device, 16, host, 8, 16, 2, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 1, device, 0, 4));
    GIVES(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(device, 0, device, 1, 4));
    OK(cudaMemset2D(device, 8, 0, 4, 0));
    GIVES(cudaErrorInvalidPitchValue, cudaMemset2D(device, 4, 0, 8, 2));
    INVALID(cudaMemset2D(device, 32, 0, 8, 3));
    cudaPitchedPtr block = make_cudaPitchedPtr(device, 8, 8, 2);
    OK(cudaMemset3D(block, 1, make_cudaExtent(4, 2, 2)));
    OK(cudaMemcpy(got, device, 16, cudaMemcpyDeviceToHost));
    IS(((unsigned *)got)[0] == 0x01010101 && ((unsigned *)got)[2] == 0x01010101);
    GIVES(cudaErrorInvalidPitchValue, cudaMemset3D(block, 1, make_cudaExtent(9, 2, 2)));
    INVALID(cudaMemset3D(block, 1, make_cudaExtent(8, 2, 9)));
}

template <class T> __global__ void fetch(T *out, cudaTextureObject_t texture, float x, float y) {
    *out = tex2D<T>(texture, x, y);
}
template <class T> static T at(cudaTextureObject_t texture, float x, float y = 0.5f) {
    static T *out;
    if (!out)
        cudaMallocManaged(&out, sizeof(T));
    fetch<T><<<1, 1>>>(out, texture, x, y);
    cudaDeviceSynchronize();
    return *out;
}
template <class T>
static cudaTextureObject_t texture_of(const T (&values)[4], cudaTextureDesc how,
                                      cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>()) {
    cudaTextureObject_t texture = 0;
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    OK(cudaMallocArray(&what.res.array.array, &desc, 4, 1));
    OK(cudaMemcpy2DToArray(what.res.array.array, 0, 0, values, sizeof values, sizeof values, 1,
                           cudaMemcpyHostToDevice));
    OK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    return texture;
}

static void textures() {
    cudaTextureDesc plain = {}, share = {};
    plain.addressMode[0] = plain.addressMode[1] = cudaAddressModeClamp;
    share = plain;
    share.readMode = cudaReadModeNormalizedFloat;
    const signed char chars[4] = {-128, -127, 127, 5};
    const short shorts[4] = {-32768, -32767, 32767, -3};
    const unsigned char octets[4] = {0, 255, 51, 9};
    const int ints[4] = {-7, 1 << 30, 0, 8};
    const __half halves[4] = {1.5f, -2.0f, 0.00006103515625f / 4, INFINITY};
    const float floats[4] = {1, 2, 4, 8};
    cudaTextureObject_t t = texture_of(chars, plain);
    IS(at<signed char>(t, 0.5f) == -128 && at<signed char>(t, 3.5f) == 5);
    t = texture_of(chars, share); // -128 and -127 are both -1
    IS(at<float>(t, 0.5f) == -1 && at<float>(t, 1.5f) == -1 && at<float>(t, 2.5f) == 1);
    t = texture_of(shorts, plain);
    IS(at<short>(t, 0.5f) == -32768 && at<short>(t, 3.5f) == -3);
    t = texture_of(shorts, share);
    IS(at<float>(t, 0.5f) == -1 && at<float>(t, 2.5f) == 1);
    t = texture_of(octets, share);
    IS(at<float>(t, 0.5f) == 0 && at<float>(t, 1.5f) == 1 && at<float>(t, 2.5f) == 0.2f);
    t = texture_of(ints, plain);
    IS(at<int>(t, 0.5f) == -7 && at<int>(t, 1.5f) == 1 << 30);
    t = texture_of(halves, plain, cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat});
    IS(at<float>(t, 0.5f) == 1.5f && at<float>(t, 1.5f) == -2);
    IS(at<float>(t, 2.5f) == 0x1p-16f && std::isinf(at<float>(t, 3.5f)));
    // Beyond the edge: the nearest texel, or 0.
    t = texture_of(floats, plain);
    IS(at<float>(t, -5) == 1 && at<float>(t, 100) == 8 && at<float>(t, 1e30f) == 8);
    IS(at<float>(t, -1e30f) == 1 && at<float>(t, 1.5f, 40) == 2 && at<float>(t, 1.5f, -40) == 2);
    plain.addressMode[0] = plain.addressMode[1] = cudaAddressModeBorder;
    t = texture_of(floats, plain);
    IS(at<float>(t, -0.5f) == 0 && at<float>(t, 4.5f) == 0 && at<float>(t, 3.5f) == 8);
    plain.borderColor[0] = 3;
    t = texture_of(floats, plain);
    IS(at<float>(t, -0.5f) == 3 && at<float>(t, 1.5f) == 2 && at<float>(t, 1.5f, 2) == 3);
    t = texture_of(ints, plain);
    IS(at<int>(t, -0.5f) == 3);
    plain.addressMode[0] = cudaAddressModeClamp;
    plain.filterMode = cudaFilterModeLinear;
    t = texture_of(floats, plain);
    IS(at<float>(t, 1.0f) == 1.5f &&
       at<float>(t, 2.75f) == 5); // 4 + a quarter of the distance from 4 to 8

    cudaResourceDesc what = {}, told;
    cudaTextureDesc how = {};
    OK(cudaGetTextureObjectResourceDesc(&told, t));
    IS(told.resType == cudaResourceTypeArray);
    OK(cudaGetTextureObjectTextureDesc(&how, t));
    IS(how.filterMode == cudaFilterModeLinear && how.borderColor[0] == 3);
    OK(cudaDestroyTextureObject(t));
    INVALID(cudaDestroyTextureObject(t));
    how = {};
    INVALID(cudaCreateTextureObject(&t, &what, nullptr, nullptr));
    what.resType = cudaResourceTypeArray;
    INVALID(cudaCreateTextureObject(&t, &what, &how, nullptr)); // no array
    what.resType = cudaResourceTypeLinear;
    INVALID(cudaCreateTextureObject(&t, &what, &how, nullptr));
    what.resType = cudaResourceTypePitch2D;
    INVALID(cudaCreateTextureObject(&t, &what, &how, nullptr));
    what.resType = cudaResourceTypeMipmappedArray;
    GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&t, &what, &how, nullptr));
    how.sRGB = 1;
    GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&t, &what, &how, nullptr));
}

static bool is_half(cudaChannelFormatDesc d, int x, int y, int z, int w) {
    return d.x == x && d.y == y && d.z == z && d.w == w && d.f == cudaChannelFormatKindFloat;
}
static void formats() {
    IS(is_half(cudaCreateChannelDescHalf(), 16, 0, 0, 0));
    IS(is_half(cudaCreateChannelDescHalf1(), 16, 0, 0, 0));
    IS(is_half(cudaCreateChannelDescHalf2(), 16, 16, 0, 0));
    IS(is_half(cudaCreateChannelDescHalf4(), 16, 16, 16, 16));
}

int main() {
    formats();
    shapes();
    copies();
    textures();
    printf("%d calls\n", calls);
}
