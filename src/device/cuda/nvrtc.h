/* nvrtc.h - not on the CPU warp. */
#error "nvrtc.h: NVRTC is not on the CPU warp; docs/CUDA.md lists what is"
