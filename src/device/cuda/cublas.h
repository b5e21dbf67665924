/* cublas.h - not on the CPU warp. */
#error "cublas.h: the old interface of cuBLAS is not on the CPU warp; docs/CUDA.md lists what is"
