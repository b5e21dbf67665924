/* cusolverMg.h - not on the CPU warp. */
#error "cusolverMg.h: cuSOLVER is not on the CPU warp; docs/CUDA.md lists what is"
