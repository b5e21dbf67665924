// A lane with `keep` returns how many lanes before it have it, too; any other returns -1.
__device__ int place(bool keep) {
    return keep ? 0 : -1; // write it here
}
