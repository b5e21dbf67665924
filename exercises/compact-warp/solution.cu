// A lane with `keep` returns how many lanes before it have `keep`, too; the others return -1.
__device__ int place(bool keep) {
    const unsigned kept = __ballot_sync(0xffffffff, keep);
    const unsigned before = (1u << threadIdx.x % 32) - 1;
    return keep ? __popc(kept & before) : -1;
}
