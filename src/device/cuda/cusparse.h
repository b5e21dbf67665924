/* cusparse.h - not on the CPU warp. */
#error "cusparse.h: cuSPARSE is not on the CPU warp; docs/CUDA.md lists what is"
