/* cudaGL.h - not on the CPU warp. */
#error "cudaGL.h: OpenGL is not on the CPU warp; docs/CUDA.md lists what is"
