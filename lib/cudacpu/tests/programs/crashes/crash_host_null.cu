// A kernel's output appears even if the host crashes before it waits for the kernel.
// status 4
#include <cstdio>
__global__ void k() {
    printf("printed by lane %d\n", threadIdx.x);
}
int main() {
    int *volatile nothing = nullptr;
    k<<<1, 2>>>();
    printf("%d\n", *nothing);
}
