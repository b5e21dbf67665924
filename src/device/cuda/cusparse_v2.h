/* cusparse_v2.h - not on the CPU warp. */
#error "cusparse_v2.h: cuSPARSE is not on the CPU warp; docs/CUDA.md lists what is"
