/* cusolverDn.h - not on the CPU warp. */
#error "cusolverDn.h: cuSOLVER is not on the CPU warp; docs/CUDA.md lists what is"
