# cmake -DNVCC=nvcc -DSOURCE=project -DFOLDER=scratch -P check_ptx.cmake
# Checks, without a GPU, that nvcc's code has the properties on which the speed of the sums depends: five
# shuffles per tree, in the mode that the text names, and loads of 16 bytes.
#
# Each kernel is built for three types of value. The fields are NAME, INSTRUCTION (a regular expression)
# and COUNT.
cmake_minimum_required(VERSION 3.22)

foreach(case
    "grid_reduce_warp shfl\\.sync\\.down\\.b32 15"     # 3 types, 5 rounds
    "grid_reduce_block shfl\\.sync\\.down\\.b32 30"    # twice: in each warp, in the first warp
    "grid_reduce_vector shfl\\.sync\\.down\\.b32 30"
    "grid_reduce_vector ld\\.global\\.(nc\\.)?v4\\. 15" # four at a time, and one for the rest
    "grid_reduce_half shfl\\.sync\\.down\\.b32 10"     # 5 rounds each for half and float
    "grid_reduce_bug shfl\\.sync\\.down\\.b32 30"      # the wrong and the right kernel
    "grid_allreduce shfl\\.sync\\.bfly\\.b32 15"
    "grid_allreduce shfl\\.sync\\.idx\\.b32 2")        # int and float: halves are summed in float
  string(REPLACE " " ";" case ${case})
  list(GET case 0 name)
  list(GET case 1 instruction)
  list(GET case 2 expected)
  set(ptx ${FOLDER}/${name}.ptx)
  if(NOT name IN_LIST compiled)
    execute_process(
      COMMAND ${NVCC} -std=c++17 -O3 -ptx -arch=compute_75 -I${SOURCE}/lib/recorder/include -I${SOURCE}/src -I${SOURCE}/lib -I${SOURCE}/lib/trace/include
        ${SOURCE}/kernels/grid/${name}.cu -o ${ptx}
      RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "kernels/grid/${name}.cu does not compile to PTX")
    endif()
    list(APPEND compiled ${name})
  endif()
  file(STRINGS ${ptx} found REGEX "${instruction}")
  list(LENGTH found count)
  if(NOT count EQUAL expected)
    message(FATAL_ERROR "${name}: ${count} times ${instruction}, not ${expected}")
  endif()
endforeach()
