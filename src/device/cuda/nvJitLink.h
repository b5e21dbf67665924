/* nvJitLink.h - not on the CPU warp. */
#error "nvJitLink.h: nvJitLink is not on the CPU warp; docs/CUDA.md lists what is"
