/* nppdefs.h - not on the CPU warp. */
#error "nppdefs.h: NPP is not on the CPU warp; docs/CUDA.md lists what is"
