/* cufftw.h - not on the CPU warp. */
#error "cufftw.h: FFTW's interface of cuFFT is not on the CPU warp; docs/CUDA.md lists what is"
