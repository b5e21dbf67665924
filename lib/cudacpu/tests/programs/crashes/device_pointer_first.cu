// The host writes through a device pointer before anything has run on the device: on a real machine
// the program ends there.
// status 4
#include <cstdio>

int main() {
    int *values;
    if (cudaMalloc(&values, 32 * sizeof(int)) != cudaSuccess)
        return 1;
    printf("before\n");
    fflush(stdout);
    for (int i = 0; i < 32; i++)
        values[i] = i;
    printf("after\n");
}
