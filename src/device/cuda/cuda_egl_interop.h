/* cuda_egl_interop.h - not on the CPU warp. */
#error "cuda_egl_interop.h: EGL is not on the CPU warp; docs/CUDA.md lists what is"
