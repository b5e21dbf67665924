// A lane with `keep` returns how many lanes before it have `keep`, too; the others return -1.
__device__ int place(bool keep) {
    return keep ? 0 : -1; // write it here
}
