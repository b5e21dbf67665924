// A lane with `keep` returns how many lanes before it have `keep`, too; the others return -1.
__device__ int place(bool keep) {
    const unsigned kept = __ballot_sync(0xffffffff, keep);
    return keep ? __popc(kept << (31 - threadIdx.x % 32)) - 1 : -1;
}
