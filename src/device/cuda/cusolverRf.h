/* cusolverRf.h - not on the CPU warp. */
#error "cusolverRf.h: cuSOLVER is not on the CPU warp; docs/CUDA.md lists what is"
