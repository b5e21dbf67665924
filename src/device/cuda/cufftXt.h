/* cufftXt.h - not on the CPU warp. */
#error "cufftXt.h: cuFFT on several devices is not on the CPU warp; docs/CUDA.md lists what is"
