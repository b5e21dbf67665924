// Objects with constructors and a destructor as a kernel's arguments: copied once, when the kernel
// is launched, and byte by byte for each thread; nothing is constructed or destroyed on the device.
#include <cstdio>

struct counted {
    static int made, gone;
    int value;

    __host__ __device__ explicit counted(int from) : value(from) {}
    __host__ __device__ counted(const counted &other) : value(other.value + 1) {
#ifdef __CUDA_ARCH__
        printf("copied by a thread\n");
#else
        made++;
#endif
    }
    __host__ __device__ ~counted() {
#ifdef __CUDA_ARCH__
        printf("destroyed by a thread\n");
#else
        gone++;
#endif
    }
};
int counted::made, counted::gone;

struct number : counted {
    __host__ __device__ number(int from) : counted(from) {}
};

// Each thread has its own copy of the bytes.
__global__ void plain(counted object, int *out) {
    out[threadIdx.x] = object.value++;
}
template <class T> __global__ void of_any(T object, int *out) {
    out[threadIdx.x] = object.value++;
}
__global__ void two(int scale, const number object, int *out) {
    out[threadIdx.x] = scale * object.value;
}
__global__ void by_reference(counted &object, int *out) {
    out[threadIdx.x] = threadIdx.x + 1;
    if (threadIdx.x == 63)
        object.value = 64;
}
// One of two kernels with this name.
__global__ void several(counted object, int *out) {
    out[threadIdx.x] = object.value;
}
__global__ void several(int, int *out) {
    out[threadIdx.x] = -1;
}

static int *out;

static void tell(const char *what) {
    cudaDeviceSynchronize();
    printf("%s: %d %d, made %d, gone %d\n", what, out[0], out[63], counted::made, counted::gone);
    counted::made = counted::gone = 0;
}

int main() {
    cudaMallocManaged(&out, 64 * sizeof *out);
    counted object(5);
    plain<<<1, 64>>>(object, out);
    tell("an object"); // 6: copied once
    of_any<<<1, 64>>>(object, out);
    tell("of a template");
    of_any<counted><<<1, 64>>>(object, out);
    tell("of a template that is named");
    plain<<<1, 64>>>(counted(7), out);
    tell("one made for the call"); // 7: not copied
    two<<<1, 64>>>(2, 9, out);
    tell("one made of a number"); // 18
    several<<<1, 64>>>(object, out);
    tell("one of two kernels");

    counted *managed;
    cudaMallocManaged(&managed, sizeof *managed);
    managed->value = 0;
    by_reference<<<1, 64>>>(*managed, out);
    tell("by reference");
    printf("%d\n", managed->value);

    void *arguments[] = {&object, &out};
    cudaLaunchKernel((void *)plain, 1, 64, arguments, 0, nullptr);
    tell("by its address"); // bytes alone
}
