/* nvjpeg.h - not on the CPU warp. */
#error "nvjpeg.h: nvJPEG is not on the CPU warp; docs/CUDA.md lists what is"
