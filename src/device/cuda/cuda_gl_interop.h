/* cuda_gl_interop.h - not on the CPU warp. */
#error "cuda_gl_interop.h: OpenGL interoperability is not on the CPU warp; docs/CUDA.md lists what is"
