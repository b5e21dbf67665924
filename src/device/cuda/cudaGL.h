/* cudaGL.h - not on the CPU warp. */
#error "cudaGL.h: OpenGL interoperability is not on the CPU warp; docs/CUDA.md lists what is"
