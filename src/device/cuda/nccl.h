/* nccl.h - not on the CPU warp. */
#error "nccl.h: NCCL is not on the CPU warp; docs/CUDA.md lists what is"
