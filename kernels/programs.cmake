# The programs of kernels/, in the order of device/programs.c, each a file NAME.cu.
set(SHFLVIZ_PROGRAMS
  shuffle_idx
  shuffle_up
  shuffle_down
  shuffle_xor
  broadcast
  reduce_xor_sum
  reduce_xor_max
  reduce_down_sum
  scan_8
  allreduce
  block_reduce
  scan_32
  votes
  compact
  match_any
  match_all
  transpose
  bitonic_sort
  sum_then_broadcast
  partial_min
  reduce_sync
  reduce_shared_sum
  shared_fence
  tile_reduce
  tile_groups
  grid_reduce_warp
  grid_reduce_block
  grid_reduce_vector
  grid_reduce_half
  grid_reduce_bug
  grid_allreduce
  lane_ids
  broadcast_argument
  mask_given
  segment_mask
  float_as_int
  partial_sum
  partial_sum_padded
  fold_sum
  ballot_too_small
  activemask
  wave_halves
  divergent_full_mask
  divergent_own_mask
  both_branches
  loop_leaves
  loop_stays
  subgroup_mask
  mask_forgotten)

# shflviz_kernel_sources(TARGET FILE.cu ...): adds CUDA sources to a target of the CPU warp, compiled
# by the host's C++ compiler with the recorder before them. What a screen shows as their place is
# relative to the project.
function(shflviz_kernel_sources target)
  foreach(file IN LISTS ARGN)
    get_filename_component(path ${file} ABSOLUTE)
    set_source_files_properties(${path} PROPERTIES LANGUAGE CXX)
    set(options -xc++ -include shflviz/record.cuh
      "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -fno-exceptions -fno-rtti -fno-threadsafe-statics
      # Integers of a GPU wrap.
      -fwrapv
      # What a learner wrote may well be unused in one build or the other.
      -Wno-unused-function -Wno-unused-parameter
      # #pragma unroll is nvcc's.
      -Wno-unknown-pragmas)
    # An array of dynamic shared memory is made under the name that the file gives it.
    file(STRINGS ${path} dynamic REGEX "^[^/*]*extern[ \t]+__shared__")
    if(dynamic)
      list(GET dynamic 0 dynamic)
      string(REGEX REPLACE ".*[ \t*]([A-Za-z_0-9]+)[ \t]*\\[.*" "\\1" dynamic "${dynamic}")
      list(APPEND options -DSHFLVIZ_DYNAMIC_SHARED=${dynamic})
    endif()
    set_source_files_properties(${path} PROPERTIES COMPILE_OPTIONS "${options}"
      OBJECT_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/shflviz/record.cuh")
    target_sources(${target} PRIVATE ${path})
  endforeach()
endfunction()
