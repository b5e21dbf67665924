/* cuda_gl_interop.h - not on the CPU warp. */
#error "cuda_gl_interop.h: OpenGL is not on the CPU warp; docs/CUDA.md lists what is"
