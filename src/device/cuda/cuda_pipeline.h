/* cuda_pipeline.h - see cuda/shflviz_cuda.h. */
#ifndef SHFLVIZ_CUDA_CUDA_PIPELINE_H
#define SHFLVIZ_CUDA_CUDA_PIPELINE_H

#include <cuda/shflviz_cuda.h>

#endif
