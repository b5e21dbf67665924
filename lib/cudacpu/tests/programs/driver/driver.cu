// The driver API: contexts, memory, streams, errors, and launching a kernel by its function.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void add(int *sum, const int *x, int y) {
    sum[threadIdx.x] = x[threadIdx.x] + y;
}
static const char *name_of(CUresult result) {
    const char *name;
    return cuGetErrorName(result, &name) == CUDA_SUCCESS ? name : "none";
}

int main() {
    CUdevice device;
    CUcontext context, popped;
    int count, major;
    size_t bytes;
    char name[64];
    printf("%s ", name_of(cuDeviceGetCount(&count))); // not initialised
    printf("%s ", name_of(cuInit(0)));
    cuDeviceGetCount(&count);
    printf("%d %s\n", count, name_of(cuDeviceGet(&device, 1)));
    cuDeviceGet(&device, 0);
    cuDeviceGetName(name, sizeof name, device);
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuDeviceTotalMem(&bytes, device);
    printf("%d %d %d\n", (int)strlen(name) > 0, major >= 5, (int)(bytes >> 30) > 0);

    CUdeviceptr x, sum;
    printf("%s\n", name_of(cuMemAlloc(&x, 128))); // no context
    cuCtxCreate(&context, nullptr, 0, device);
    printf("%s %s\n", name_of(cuMemAlloc(&x, 128)), name_of(cuMemAlloc(&sum, 128)));
    int values[32], y = 100;
    for (int i = 0; i < 32; i++)
        values[i] = i;
    cuMemcpyHtoD(x, values, sizeof values);
    cuMemsetD32(x + 64, 1000, 4); // numbers 16 to 19
    CUstream stream;
    CUevent start, end;
    CUfunction function;
    float time;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuEventCreate(&start, CU_EVENT_DEFAULT);
    cuEventCreate(&end, CU_EVENT_DEFAULT);
    cudaGetFuncBySymbol(&function, (void *)add);
    void *parameters[] = {&sum, &x, &y};
    cuEventRecord(start, stream);
    printf("%s ",
           name_of(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr)));
    cuEventRecord(end, stream);
    cuStreamSynchronize(stream);
    printf("%s ", name_of(cuEventElapsedTime(&time, start, end)));
    cuMemcpyDtoH(values, sum, sizeof values);
    printf("%d %d %d %d\n", values[0], values[15], values[16], values[31]); // 100 115 1100 131
    printf("%s ",
           name_of(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, stream, parameters, nullptr)));
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); // the runtime's errors are different
    CUmodule module;
    printf("%s\n", name_of(cuModuleLoad(&module, "kernel.ptx")));
    const char *text;
    cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text);
    printf("%s; %s ", text, name_of((CUresult)12345));
    printf("%s\n", name_of(cuGetErrorString((CUresult)12345, &text)));
    cuMemFree(x);
    printf("%s ", name_of(cuMemFree(x)));
    cuCtxPopCurrent(&popped);
    printf("%d %s ", popped == context, name_of(cuCtxSynchronize()));
    cuCtxPushCurrent(context);
    printf("%s ", name_of(cuCtxSynchronize()));
    printf("%s\n", name_of(cuCtxDestroy(context)));
}
