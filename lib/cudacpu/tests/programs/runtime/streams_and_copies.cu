// Queries of a stream, the kind of host memory, advice for managed memory, copies of several
// dimensions.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    if (cudaError_t error = (call))                                                                \
    printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

static void tell(cudaError_t error) {
    printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
}
__global__ void number(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

static void streams() {
    cudaStream_t a, b;
    unsigned long long first, second;
    int device = 5, least, greatest;
    cudaEvent_t event;
    cudaLaunchAttributeValue value = {};
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamGetId(a, &first));
    CHECK(cudaStreamGetId(b, &second));
    CHECK(cudaStreamGetDevice(a, &device));
    printf("two of device %d: %d, a lower number is more urgent: %d\n", device, first != second,
           greatest <= least);
    value.priority = greatest;
    CHECK(cudaStreamSetAttribute(a, cudaLaunchAttributePriority, &value));
    value.priority = 77;
    CHECK(cudaStreamGetAttribute(a, cudaLaunchAttributePriority, &value));
    printf("as urgent as that %d\n", value.priority == greatest);
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecordWithFlags(event, b, cudaEventRecordDefault));
    CHECK(cudaStreamWaitEvent(a, event, 0));
    CHECK(cudaStreamSynchronize(a));
    tell(cudaEventQuery(event));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
}

static void host() {
    int *pinned, *seen, *managed, *mine = (int *)malloc(128);
    unsigned flags = 77;
    cudaStream_t stream;
    CHECK(cudaMallocHost((void **)&pinned, 128));
    CHECK(cudaHostGetFlags(&flags, pinned));
    CHECK(cudaHostGetDevicePointer((void **)&seen, pinned, 0));
    number<<<1, 32>>>(seen);
    CHECK(cudaDeviceSynchronize());
    printf("mapped %d, %d\n", (flags & cudaHostAllocMapped) != 0, pinned[31]);
    tell(cudaHostGetFlags(&flags, mine)); // not pinned memory
    CHECK(cudaHostRegister(mine, 128, cudaHostRegisterDefault));
    tell(cudaHostRegister(mine, 128, cudaHostRegisterDefault));
    CHECK(cudaHostUnregister(mine));
    tell(cudaHostUnregister(mine));
    CHECK(cudaFreeHost(pinned));

    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocManaged(&managed, 128));
    cudaMemLocation here = {};
    here.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemAdvise(managed, 128, cudaMemAdviseSetPreferredLocation, here));
    CHECK(cudaMemPrefetchAsync(managed, 128, here, 0, stream));
    CHECK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
    number<<<1, 32, 0, stream>>>(managed);
    CHECK(cudaStreamSynchronize(stream));
    printf("managed %d\n", managed[7]);
    tell(cudaMemAdvise(mine, 128, cudaMemAdviseSetReadMostly, here));
    CHECK(cudaFree(managed));
    CHECK(cudaStreamDestroy(stream));
    free(mine);
}

static void copies() {
    // Rows of 4 or 6 bytes at a pitch: row 1 begins with 6, or with 10.
    char from[24], to[24] = {0}, *device;
    size_t pitch;
    for (int i = 0; i < 24; i++)
        from[i] = (char)i;
    CHECK(cudaMallocPitch(&device, &pitch, 6, 4));
    CHECK(cudaMemcpy2DAsync(device, pitch, from, 6, 6, 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(to, 4, device + 1, pitch, 4, 4, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", to[0], to[3], to[4], to[15]); // 1 4 7 22
    CHECK(cudaMemcpyPeer(device, 0, device + pitch, 0, 6));
    CHECK(cudaMemcpyPeerAsync(device + pitch, 0, device + 2 * pitch, 0, 6, 0));
    CHECK(cudaMemcpy(to, device, 6, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(to + 6, device + pitch, 6, cudaMemcpyDeviceToHost));
    printf("%d %d\n", to[0], to[6]); // 6 12
    CHECK(cudaFree(device));

    // A box of 2 by 2 by 2 in one of 4 by 3 by 2.
    cudaPitchedPtr box;
    cudaExtent whole = make_cudaExtent(4, 3, 2), part = make_cudaExtent(2, 2, 2);
    CHECK(cudaMalloc3D(&box, whole));
    CHECK(cudaMemset3D(box, 1, whole));
    CHECK(cudaMemset3D(box, 5, part));
    cudaMemcpy3DParms params = {};
    params.srcPtr = box, params.dstPtr = make_cudaPitchedPtr(to, 4, 4, 3);
    params.extent = whole, params.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&params, 0));
    CHECK(cudaDeviceSynchronize());
    int fives = 0, ones = 0;
    for (int i = 0; i < 24; i++)
        fives += to[i] == 5, ones += to[i] == 1;
    printf("%d of 5, %d of 1, row 1 %d %d\n", fives, ones, to[4], to[6]);
    CHECK(cudaFree(box.ptr));
}

int main() {
    streams();
    host();
    copies();
    return 0;
}
