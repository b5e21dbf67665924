/* cupti.h - not on the CPU warp. */
#error "cupti.h: CUPTI is not on the CPU warp; docs/CUDA.md lists what is"
