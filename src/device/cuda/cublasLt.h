/* cublasLt.h - not on the CPU warp. */
#error "cublasLt.h: cuBLASLt is not on the CPU warp; docs/CUDA.md lists what is"
