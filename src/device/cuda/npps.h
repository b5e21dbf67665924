/* npps.h - not on the CPU warp. */
#error "npps.h: NPP is not on the CPU warp; docs/CUDA.md lists what is"
