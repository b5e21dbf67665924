/* nppi.h - not on the CPU warp. */
#error "nppi.h: NPP is not on the CPU warp; docs/CUDA.md lists what is"
