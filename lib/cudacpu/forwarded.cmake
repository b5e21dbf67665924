# Headers that only include another one, or report that a library is missing. They exist only in this
# list: cudacpu_forward_headers() writes them, so that a program can include the CUDA Toolkit's names.

# Each of these includes HEADER.
macro(forward header)
  foreach(name ${ARGN})
    set(guarded)
    set(end)
    if(name MATCHES "[.]")
      string(MAKE_C_IDENTIFIER ${name} guard)
      string(TOUPPER __${guard}__ guard) # the toolkit's name, if it has one
      set(guarded "#ifndef ${guard}\n#define ${guard}\n")
      set(end "#endif\n")
    endif()
    file(CONFIGURE OUTPUT ${folder}/${name} CONTENT "${guarded}#include <${header}>\n${end}" @ONLY)
  endforeach()
endmacro()

# Each cuda/std/NAME includes <NAME>, if the host's C++ library has it, and our header.
macro(forward_std)
  foreach(name ${ARGN})
    file(CONFIGURE OUTPUT ${folder}/cuda/std/${name} @ONLY
      CONTENT "#if __has_include(<${name}>)\n#include <${name}>\n#endif\n#include <cuda/shflviz_cuda.h>\n")
  endforeach()
endmacro()

# Each of these reports that LIBRARY is missing.
macro(absent library)
  foreach(name ${ARGN})
    file(CONFIGURE OUTPUT ${folder}/${name} @ONLY
      CONTENT "#error \"${name}: ${library} is not on the CPU warp; docs/CUDA.md lists what is\"\n")
  endforeach()
endmacro()

function(cudacpu_forward_headers folder)
  forward(cuda_runtime_api.h builtin_types.h cuda_profiler_api.h device_types.h)
  forward(host_defines.h crt/host_defines.h host_config.h)
  forward(cub/shflviz_cub.h cub/block/block_adjacent_difference.cuh cub/block/block_discontinuity.cuh
    cub/block/block_exchange.cuh cub/block/block_load.cuh cub/block/block_radix_sort.cuh cub/block/block_reduce.cuh
    cub/block/block_scan.cuh cub/block/block_store.cuh cub/cub.cuh cub/device/device_histogram.cuh
    cub/device/device_merge_sort.cuh cub/device/device_partition.cuh cub/device/device_radix_sort.cuh
    cub/device/device_for.cuh cub/device/device_reduce.cuh cub/device/device_run_length_encode.cuh
    cub/device/device_scan.cuh cub/device/device_transform.cuh
    cub/device/device_segmented_radix_sort.cuh cub/device/device_segmented_reduce.cuh
    cub/device/device_segmented_sort.cuh cub/device/device_select.cuh cub/iterator/arg_index_input_iterator.cuh
    cub/iterator/cache_modified_input_iterator.cuh cub/iterator/constant_input_iterator.cuh
    cub/iterator/counting_input_iterator.cuh cub/iterator/discard_output_iterator.cuh
    cub/iterator/transform_input_iterator.cuh cub/thread/thread_load.cuh cub/thread/thread_operators.cuh
    cub/thread/thread_store.cuh cub/util_allocator.cuh cub/util_debug.cuh cub/util_device.cuh cub/util_macro.cuh
    cub/util_ptx.cuh cub/util_type.cuh cub/version.cuh cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh)
  forward(cooperative_groups/reduce.h cooperative_groups/details/reduce.h)
  forward(cooperative_groups/scan.h cooperative_groups/details/scan.h)
  forward(cublas_v2.h cublas_api.h)
  forward(cuda/shflviz_cuda.h cuda/atomic cuda/barrier cuda/functional cuda/latch cuda/pipeline cuda/semaphore
    cuda/std/atomic cuda/std/barrier cuda/std/latch cuda/std/semaphore cuda_pipeline.h)
  forward(cuda_runtime.h cuda_device_runtime_api.h cuda_surface_types.h cuda_texture_types.h common_functions.h
    device_double_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_atomic_functions.h
    sm_32_intrinsics.h sm_35_atomic_functions.h sm_35_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h
    surface_types.h texture_fetch_functions.h)
  forward(curand_kernel.h curand_lognormal.h curand_mrg32k3a.h curand_normal.h curand_philox4x32_x.h curand_poisson.h
    curand_uniform.h)
  forward(nvtx3/nvToolsExt.h nvToolsExt.h)
  forward(nvtx3/nvToolsExtCuda.h nvToolsExtCuda.h)
  forward(nvtx3/nvToolsExtCudaRt.h nvToolsExtCudaRt.h)
  forward(thrust/shflviz_thrust.h thrust/adjacent_difference.h thrust/advance.h thrust/binary_search.h thrust/complex.h
    thrust/copy.h thrust/count.h thrust/detail/static_assert.h
    thrust/detail/type_traits.h thrust/device_allocator.h thrust/device_delete.h
    thrust/device_free.h thrust/device_malloc.h thrust/device_new.h thrust/device_ptr.h thrust/device_vector.h
    thrust/distance.h thrust/equal.h thrust/execution_policy.h thrust/extrema.h thrust/fill.h thrust/find.h
    thrust/for_each.h thrust/functional.h thrust/gather.h thrust/generate.h thrust/host_vector.h thrust/inner_product.h
    thrust/iterator/constant_iterator.h thrust/iterator/counting_iterator.h thrust/iterator/discard_iterator.h
    thrust/iterator/iterator_traits.h thrust/iterator/permutation_iterator.h thrust/iterator/reverse_iterator.h
    thrust/iterator/transform_iterator.h thrust/iterator/zip_iterator.h thrust/logical.h thrust/memory.h thrust/merge.h
    thrust/mismatch.h thrust/pair.h thrust/partition.h thrust/random.h thrust/random/linear_congruential_engine.h
    thrust/random/normal_distribution.h thrust/random/uniform_int_distribution.h
    thrust/random/uniform_real_distribution.h thrust/reduce.h thrust/remove.h thrust/replace.h thrust/reverse.h
    thrust/scan.h thrust/scatter.h thrust/sequence.h thrust/set_operations.h thrust/sort.h thrust/swap.h
    thrust/system/cuda/execution_policy.h thrust/system_error.h thrust/tabulate.h thrust/transform.h
    thrust/transform_reduce.h thrust/transform_scan.h thrust/tuple.h thrust/uninitialized_copy.h
    thrust/uninitialized_fill.h thrust/unique.h thrust/universal_vector.h thrust/version.h thrust/zip_function.h)
  forward_std(algorithm array cassert cfloat chrono climits cmath complex cstddef cstdint cstdlib cstring functional
    initializer_list iterator limits new numeric optional ratio tuple type_traits utility variant bit concepts span
    version)
  absent("the old interface of cuBLAS" cublas.h)
  absent("cuBLASXt" cublasXt.h)
  absent("EGL" cudaEGL.h cuda_egl_interop.h)
  absent("OpenGL" cudaGL.h cuda_gl_interop.h)
  absent("cuDNN" cudnn.h)
  absent("cuFFT" cufft.h cufftXt.h)
  absent("FFTW's interface of cuFFT" cufftw.h)
  absent("cuSPARSE" cusparse.h cusparse_v2.h)
  absent("CUPTI" cupti.h)
  absent("MTGP32" curand_mtgp32_host.h curand_mtgp32_kernel.h)
  absent("cuSOLVER" cusolverDn.h cusolverMg.h cusolverRf.h cusolverSp.h cusolver_common.h)
  absent("NCCL" nccl.h)
  absent("NPP" npp.h nppcore.h nppdefs.h nppi.h npps.h)
  absent("nvJitLink" nvJitLink.h)
  absent("nvJPEG" nvjpeg.h)
  absent("NVML" nvml.h)
  absent("NVRTC" nvrtc.h)
  absent("access to surfaces" surface_functions.h surface_indirect_functions.h)
endfunction()
