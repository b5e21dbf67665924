/* cublasXt.h - not on the CPU warp. */
#error "cublasXt.h: cuBLASXt is not on the CPU warp; docs/CUDA.md lists what is"
