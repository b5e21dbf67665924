// What a kernel has printed is there although nobody has waited for it when the host crashes.
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
