/* nvml.h - not on the CPU warp. */
#error "nvml.h: NVML is not on the CPU warp; docs/CUDA.md lists what is"
