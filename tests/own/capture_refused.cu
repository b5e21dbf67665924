// What a program may not do while a stream is being captured, in the three modes, for a stream that
// waits for the legacy stream and for one that does not: the call's error, how the capture is
// behind it, and what its end gives.
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

__device__ int symbol;
static char properties[4096];
static cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned};

__global__ void store(int *x) {
    *x = 1;
}

struct captured {
    cudaStream_t stream, other;
    cudaEvent_t event;
    cudaGraph_t graph = nullptr;
    int *device, host[64];
    captured(unsigned flags) {
        cudaStreamCreateWithFlags(&stream, flags);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaEventCreate(&event);
        cudaMalloc(&device, 1024);
    }
    ~captured() {
        cudaFree(device);
        cudaEventDestroy(event);
        cudaStreamDestroy(stream);
        cudaStreamDestroy(other);
        cudaGetLastError();
    }
};

template <class Call> static void in_modes(const char *what, Call call) {
    for (int mode = 0; mode < 6; mode++) {
        captured c(mode < 3 ? cudaStreamDefault : cudaStreamNonBlocking);
        cudaStreamCaptureStatus status;
        cudaStreamBeginCapture(c.stream, (cudaStreamCaptureMode)(mode % 3));
        store<<<1, 1, 0, c.stream>>>(c.device);
        const int error = call(c);
        cudaStreamIsCapturing(c.stream, &status);
        const int end = cudaStreamEndCapture(c.stream, &c.graph);
        printf("%3d %d %3d%s%s", error, (int)status, end, c.graph ? "+" : " ",
               mode < 5 ? " |" : "");
    }
    printf(" %.56s\n", what);
}
#define IN(...) in_modes(#__VA_ARGS__, [](captured &c) -> int { return (int)(__VA_ARGS__); })
#define FORK    cudaEventRecord(c.event, c.stream), cudaStreamWaitEvent(c.other, c.event)
#define BREAK   cudaDeviceSynchronize()

template <class Call> static int elsewhere(Call call) {
    int error;
    std::thread([&] { error = (int)call(); }).join();
    return error;
}
static int with_mode(cudaStreamCaptureMode mode, void *memory) {
    cudaThreadExchangeStreamCaptureMode(&mode);
    return (int)cudaMalloc((void **)memory, 16);
}

static void two_captures() {
    for (int i = 0; i < 4; i++) {
        captured a(0), b(0);
        cudaStreamCaptureStatus of_a, of_b;
        cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeRelaxed);
        cudaStreamBeginCapture(b.stream,
                               i == 2 ? cudaStreamCaptureModeGlobal : cudaStreamCaptureModeRelaxed);
        cudaEventRecord(a.event, a.stream);
        const int error = i == 0   ? cudaDeviceSynchronize()
                          : i == 1 ? cudaStreamSynchronize(a.stream)
                          : i == 2 ? cudaMalloc((void **)a.host, 16)
                                   : cudaStreamWaitEvent(b.stream, a.event);
        cudaStreamIsCapturing(a.stream, &of_a);
        cudaStreamIsCapturing(b.stream, &of_b);
        printf("%d: %d and %d\n", error, (int)of_a, (int)of_b);
        cudaStreamEndCapture(a.stream, &a.graph);
        cudaStreamEndCapture(b.stream, &b.graph);
    }
}

int main() {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    // Memory.
    IN(cudaMalloc((void **)c.host, 16));
    IN(cudaMallocManaged((void **)c.host, 16));
    IN(cudaMallocHost((void **)c.host, 16));
    IN(cudaHostAlloc((void **)c.host, 16, 0));
    IN(cudaMallocPitch((void **)c.host, (size_t *)c.host + 1, 16, 2));
    IN(cudaMalloc3D((cudaPitchedPtr *)c.host, cudaExtent{16, 2, 2}));
    IN(cudaMallocArray((cudaArray_t *)c.host, &format, 16));
    IN(cudaFree(nullptr));
    IN(cudaFreeHost(nullptr));
    IN(cudaFreeArray(nullptr));
    IN(cudaHostRegister(c.host, 64, 0));
    IN(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
    IN(cudaMallocAsync((void **)c.host, 16, c.stream));
    IN(cudaMallocAsync((void **)c.host, 16, c.other));
    IN(cudaMallocAsync((void **)c.host, 16, 0));
    IN(cudaFreeAsync(nullptr, c.stream));
    // Waiting.
    IN(cudaDeviceSynchronize());
    IN(cudaStreamSynchronize(c.stream));
    IN(cudaStreamSynchronize(c.other));
    IN(cudaStreamSynchronize(0));
    IN(cudaStreamQuery(c.stream));
    IN(cudaStreamQuery(c.other));
    IN(cudaStreamQuery(0));
    IN(cudaEventQuery(c.event));
    IN(cudaEventSynchronize(c.event));
    IN((cudaEventRecord(c.event, c.stream), cudaEventQuery(c.event)));
    IN((cudaEventRecord(c.event, c.stream), cudaEventSynchronize(c.event)));
    IN(cudaStreamAddCallback(
        c.stream, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0));
    IN(cudaStreamAddCallback(
        c.other, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0));
    IN(cudaLaunchHostFunc(
        c.stream, [](void *) {}, nullptr));
    // Work: in this stream, in another, in the legacy stream.
    IN(cudaMemcpyAsync(c.host, c.device, 4, cudaMemcpyDefault, c.stream));
    IN(cudaMemcpyAsync(c.host, c.device, 4, cudaMemcpyDefault, c.other));
    IN(cudaMemcpyAsync(c.host, c.device, 4, cudaMemcpyDefault, 0));
    IN(cudaMemcpy(c.host, c.device, 4, cudaMemcpyDefault));
    IN(cudaMemcpyToSymbol(symbol, c.host, 4));
    IN(cudaMemsetAsync(c.device, 0, 4, c.other));
    IN(cudaMemset(c.device, 0, 4));
    IN((store<<<1, 1, 0, c.other>>>(c.device), cudaGetLastError()));
    IN((store<<<1, 1>>>(c.device), cudaGetLastError()));
    IN(cudaMemPrefetchAsync(c.device, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0,
                            c.stream));
    // Events between streams.
    IN(cudaStreamWaitEvent(c.stream, c.event));
    IN((cudaEventRecord(c.event, c.other), cudaStreamWaitEvent(c.stream, c.event)));
    IN((cudaEventRecord(c.event, c.stream), cudaStreamWaitEvent(0, c.event)));
    IN((FORK));
    IN((FORK, store<<<1, 1, 0, c.other>>>(c.device), 0));
    IN((FORK, cudaStreamEndCapture(c.other, &c.graph)));
    IN((FORK, cudaStreamSynchronize(c.other)));
    IN((FORK, store<<<1, 1, 0, c.other>>>(c.device), cudaEventRecord(c.event, c.other),
        cudaStreamWaitEvent(c.stream, c.event)));
    // Beginning and ending.
    IN(cudaStreamBeginCapture(c.stream, cudaStreamCaptureModeRelaxed));
    IN(cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed));
    IN(cudaStreamEndCapture(c.other, &c.graph));
    IN(elsewhere([&] { return cudaStreamEndCapture(c.stream, &c.graph); }));
    // Of another thread, and with a mode of its own.
    IN(elsewhere([&] { return cudaMalloc((void **)c.host, 16); }));
    IN(elsewhere([&] { return cudaStreamSynchronize(c.other); }));
    IN(elsewhere([&] { return cudaDeviceSynchronize(); }));
    IN(elsewhere([&] { return with_mode(cudaStreamCaptureModeThreadLocal, c.host); }));
    IN(elsewhere([&] { return with_mode(cudaStreamCaptureModeRelaxed, c.host); }));
    // What goes on being allowed.
    IN((cudaStreamDestroy(c.other), cudaStreamCreate(&c.other)));
    IN((cudaEventDestroy(c.event), cudaEventCreate(&c.event)));
    IN(cudaMemGetInfo((size_t *)c.host, (size_t *)c.host + 1));
    IN(cudaGetDeviceProperties((cudaDeviceProp *)properties, 0));
    IN(cudaGetSymbolAddress((void **)c.host, symbol));
    // When the capture is broken.
    IN((BREAK, store<<<1, 1, 0, c.stream>>>(c.device), cudaGetLastError()));
    IN((BREAK, cudaMemcpyAsync(c.host, c.device, 4, cudaMemcpyDefault, c.stream)));
    IN((BREAK, cudaMemsetAsync(c.device, 0, 4, c.stream)));
    IN((BREAK, cudaMallocAsync((void **)c.host, 16, c.stream)));
    IN((BREAK, cudaEventRecord(c.event, c.stream)));
    IN((BREAK, cudaStreamWaitEvent(c.stream, c.event)));
    IN((BREAK, cudaLaunchHostFunc(
                   c.stream, [](void *) {}, nullptr)));
    IN((BREAK, cudaStreamBeginCapture(c.stream, cudaStreamCaptureModeRelaxed)));
    IN((BREAK, cudaStreamQuery(c.stream)));
    IN((BREAK, cudaStreamQuery(c.other)));
    IN((BREAK, cudaMemset(c.device, 0, 4)));
    IN((cudaEventRecord(c.event, c.stream), BREAK, cudaStreamWaitEvent(c.other, c.event)));
    IN((FORK, BREAK, cudaMemsetAsync(c.device, 0, 4, c.other)));
    two_captures();
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    printf("%d", (int)cudaThreadExchangeStreamCaptureMode(&mode));
    printf(" was %d\n", (int)mode);
    IN(cudaMalloc((void **)c.host, 16));
    IN(cudaDeviceSynchronize());
    mode = cudaStreamCaptureModeThreadLocal;
    cudaThreadExchangeStreamCaptureMode(&mode);
    printf("was %d\n", (int)mode);
    IN(cudaMalloc((void **)c.host, 16));
}
