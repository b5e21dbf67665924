/* nppcore.h - not on the CPU warp. */
#error "nppcore.h: NPP is not on the CPU warp; docs/CUDA.md lists what is"
