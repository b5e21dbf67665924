/* cudnn.h - not on the CPU warp. */
#error "cudnn.h: cuDNN is not on the CPU warp; docs/CUDA.md lists what is"
