/* cusolver_common.h - not on the CPU warp. */
#error "cusolver_common.h: cuSOLVER is not on the CPU warp; docs/CUDA.md lists what is"
