// Called by all lanes of a warp. A lane that wants one returns a number of its own from *counter,
// any other -1. One atomic a warp, numbers in the order of the lanes.
__device__ int take(int *counter, bool wants) {
    return wants ? atomicAdd(counter, 1) : -1; // one atomic for each lane
}
