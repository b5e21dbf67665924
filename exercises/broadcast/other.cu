// Every lane returns the value of lane 5 of its warp.
__device__ int broadcast(int value) {
    const int distance = (threadIdx.x - 5) % 32; // from lane 5 on, around the warp
    for (int done = 1; done < 32; done *= 2) {
        // Lanes up to that distance have it; as many after them get it.
        const int given = __shfl_sync(0xffffffff, value, threadIdx.x - done);
        if (distance >= done && distance < 2 * done)
            value = given;
    }
    return value;
}
