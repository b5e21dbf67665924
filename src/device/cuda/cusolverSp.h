/* cusolverSp.h - not on the CPU warp. */
#error "cusolverSp.h: cuSOLVER is not on the CPU warp; docs/CUDA.md lists what is"
