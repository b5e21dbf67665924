/* curand_mtgp32_kernel.h - not on the CPU warp. */
#error "curand_mtgp32_kernel.h: MTGP32 is not on the CPU warp; docs/CUDA.md lists what is"
