// Kernels whose launches name them in more than one word.
#include <cstdio>

template <int N> __global__ void number(int *v) {
    v[threadIdx.x] = N;
}
template <bool B> __global__ void whether(int *v) {
    v[threadIdx.x] = B;
}
__global__ void plain(int *v) {
    v[threadIdx.x] = 5;
}

template <class T> using kernel = void (*)(T *);
template <class T> kernel<T> choose(int n) {
    return n ? plain : number<3>;
}

int main(int argc, char **) {
    const int N = 5;
    int *v;
    cudaMallocManaged(&v, 32 * sizeof *v);
    auto show = [&](const char *what) {
        cudaDeviceSynchronize();
        printf("%s %d\n", what, v[31]);
        v[31] = 0;
    };
    whether<(N > 4)><<<1, 32>>>(v);
    show("compared");
    choose<int>(0)<<<1, 32>>>(v);
    show("chosen");
    if (argc > 7)
        v[0] = 1;
    else
        (plain)<<<1, 32>>>(v);
    show("else");
    do
        (number<9>)<<<1, 32>>>(v);
    while (argc > 7);
    show("do");
    if (argc < 7)
        ::plain<<<1, 32>>>(v);
    show("global");
    static_cast<void (*)(int *)>(number<7>)<<<1, 32>>>(v);
    show("cast");

    void *arguments[] = {&v};
    cudaLaunchKernel((void *)(plain), 1, 32, arguments, 0, 0);
    show("in brackets");
    cudaLaunchKernel((const void *)&number<4>, 1, 32, arguments, 0, 0);
    show("address");
    const char *name;
    cudaFuncGetName(&name, (void *)(plain));
    printf("%s\n", name);
}
