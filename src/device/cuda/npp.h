/* npp.h - not on the CPU warp. */
#error "npp.h: NPP is not on the CPU warp; docs/CUDA.md lists what is"
