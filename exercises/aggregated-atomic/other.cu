// Called by all lanes of a warp. A lane that wants a number takes one from *counter and returns it;
// the others return -1. One atomic per warp; numbers in lane order.
__device__ int take(int *counter, bool wants) {
    const int lane = threadIdx.x % 32;
    const unsigned wanting = __ballot_sync(0xffffffff, wants);
    int first = 0;
    if (lane == 31)
        first = atomicAdd(counter, __popc(wanting));
    first = __shfl_sync(0xffffffff, first, 31);
    return wants ? first + __popc(wanting & ((1u << lane) - 1)) : -1;
}
