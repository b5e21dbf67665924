# cmake -DNVCC=nvcc -DSOURCE=project -DFOLDER=scratch -DKERNELS=files -P check_ptx.cmake
# Checks that the shuffles of the lesson kernels compile to the instructions that the lessons describe:
# how many, in which mode, and with which operand c (check_ptx.awk describes the notation).
#
# The expected numbers were worked out by hand. A 64-bit value is passed as two halves, so:
#   the four shuffles have 12 types, 5 of them 64-bit: 17 instructions each;
#   the other kernels have 10 types, 5 of them 64-bit: 15 instructions per call;
#   unrolled: scan_8 has three rounds, allreduce and block_reduce two reductions of five rounds;
#   grid sums have 3 types, summed in 32 bits: 15 per reduction; grid_reduce_half has float and half;
#   scan_32 has five rounds, bitonic_sort 15, sum_then_broadcast twice five, each followed by a broadcast;
#   reduce_sync has six butterflies of five, as before 8.0; partial_min has four reductions of five.
# Where the width is known, c is a number: ((32 - 32) << 8) | 31 = 31, and (32 - 8) << 8 = 6144;
# at width 16 it is (32 - 16) << 8 | 31 = 4127;
# for down, idx and bfly it is (32 - 8) << 8 | 31 = 6175 at width 8, and 7199 at width 4.
cmake_minimum_required(VERSION 3.22)

set(expected
  "shuffle_idx: 17 idx segment|31"
  "shuffle_up: 17 up segment"
  "shuffle_down: 17 down segment|31"
  "shuffle_xor: 17 bfly segment|31"
  "broadcast: 15 idx segment|31"
  "scan_8: 45 up 6144"
  "allreduce: 150 bfly 31"
  "block_reduce: 150 idx 31"
  "reduce_down_sum: 15 down segment|31"
  "reduce_xor_sum: 15 bfly segment|31"
  "reduce_xor_max: 15 bfly segment|31"
  "scan_32: 75 up 0"
  "votes: "
  "compact: 1 idx 31"
  "match_any: "
  "match_all: "
  "transpose: 4 bfly 7199"
  "bitonic_sort: 225 bfly 31"
  "sum_then_broadcast: 75 bfly 31, 75 down 31, 30 idx 31"
  "partial_min: 20 idx 31"
  "reduce_sync: 30 bfly 31"
  "reduce_shared_sum: 5 down 31"
  "shared_fence: 1 bfly 31"
  "tile_reduce: 3 down 6175"
  "tile_groups: 1 idx 7199"
  "lane_ids: 1 idx 31"
  "broadcast_argument: 1 idx 31"
  "mask_given: 1 bfly 31"
  "segment_mask: 1 down 31, 1 down 4127, 1 idx 31, 1 idx 4127"
  "float_as_int: 3 bfly 31"
  "partial_sum: 5 bfly 31"
  "partial_sum_padded: 5 bfly 31"
  "fold_sum: 1 down segment|31, 1 idx 31"
  "ballot_too_small: 5 down 31"
  "activemask: 8 down 4127"
  "wave_halves: 5 bfly 31"
  "divergent_full_mask: 4 down 4127"
  "divergent_own_mask: 8 down 4127"
  "both_branches: 3 bfly 31"
  "loop_leaves: 1 idx 31"
  "loop_stays: "
  "subgroup_mask: 6 bfly 6175"
  "mask_forgotten: 11 down 31"
  "grid_reduce_warp: 15 down 31"
  "grid_reduce_block: 30 down 31"
  "grid_reduce_vector: 30 down 31"
  "grid_reduce_half: 10 down 31"
  "grid_reduce_bug: 30 down 31"
  "grid_allreduce: 15 bfly 31, 2 idx 31"
  "one_call: ")

set(checked)
foreach(line IN LISTS expected)
  string(REGEX REPLACE ":.*" "" name "${line}")
  list(APPEND checked ${name})
  set(ptx ${FOLDER}/${name}.ptx)
  set(kernel ${KERNELS})
  list(FILTER kernel INCLUDE REGEX "/${name}\\.cu$")
  # Without the recorder, because its shuffles would be counted.
  execute_process(
    COMMAND ${NVCC} -std=c++17 -ptx -arch=compute_75 -I${SOURCE}/lib/recorder/include -I${SOURCE}/src -I${SOURCE}/lib -I${SOURCE}/lib/trace/include
      -include shflviz/watch.h ${kernel} -o ${ptx}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${name}.cu does not compile to PTX")
  endif()
  execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/check_ptx.awk ${ptx}
    COMMAND sort
    COMMAND uniq -c
    COMMAND awk "{ printf \"%s%d %s %s\", (NR == 1 ? \"\" : \", \"), $1, $2, $3 }"
    OUTPUT_VARIABLE found)
  if(NOT line STREQUAL "${name}: ${found}")
    message(SEND_ERROR "${name}: ${found}\nexpected ${line}")
  endif()
endforeach()
foreach(file IN LISTS KERNELS)
  get_filename_component(name ${file} NAME_WE)
  if(NOT name IN_LIST checked)
    message(FATAL_ERROR "this test has no expected instructions for ${file}")
  endif()
endforeach()
