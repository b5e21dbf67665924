/* cudaEGL.h - not on the CPU warp. */
#error "cudaEGL.h: EGL is not on the CPU warp; docs/CUDA.md lists what is"
