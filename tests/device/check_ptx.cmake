# cmake -DNVCC=nvcc -DSOURCE=project -DFOLDER=scratch -P check_ptx.cmake
# The four shuffles compile to the instructions of their names: one for each of the twelve types,
# and one more for each of the five of 64 bits, which travel as two halves.
foreach(case "idx idx" "up up" "down down" "xor bfly")
  string(REPLACE " " ";" case ${case})
  list(GET case 0 name)
  list(GET case 1 mode)
  set(ptx ${FOLDER}/shuffle_${name}.ptx)
  # Without the recorder, whose own shuffles would be counted.
  execute_process(
    COMMAND ${NVCC} -std=c++17 -ptx -arch=compute_75 -I${SOURCE}/kernels -I${SOURCE}/src
      ${SOURCE}/kernels/shuffle_${name}.cu -o ${ptx}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "kernels/shuffle_${name}.cu does not compile to PTX")
  endif()
  file(STRINGS ${ptx} found REGEX "shfl\\.sync\\.${mode}\\.b32")
  list(LENGTH found count)
  if(NOT count EQUAL 17)
    message(FATAL_ERROR "shuffle_${name}: ${count} times shfl.sync.${mode}.b32, not 17")
  endif()
endforeach()
