# Finds the CUDA Toolkit, and decides whether the part for GPUs is built.
#
# Sets SHFLVIZ_HAVE_CUDA and, if it is true, SHFLVIZ_NVCC, SHFLVIZ_CUDA_INCLUDE, SHFLVIZ_CUDA_NATIVE
# (compute capabilities of this machine's GPUs, if any), SHFLVIZ_CUDA_ARCHITECTURES and
# SHFLVIZ_CUDA_GENCODE (options for nvcc). Makes the target shflviz_cudart, CUDA's runtime as a static
# library, so that the program needs no CUDA where it runs.
#
# Everything that nvcc compiles uses the same list of compute capabilities. With AUTO it is 7.5 and
# those of this machine's GPUs, so that a first build is quick; with ON, each generation since Turing
# that the toolkit knows. The program contains code and PTX for each. For a GPU without code of its
# own the driver compiles the PTX once, when a kernel is first run.

set(SHFLVIZ_HAVE_CUDA FALSE)
if(NOT SHFLVIZ_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SHFLVIZ_CUDA is ${SHFLVIZ_CUDA}; it takes AUTO, ON or OFF")
endif()
if(SHFLVIZ_CUDA STREQUAL "OFF")
  return()
endif()

# With ON a missing part ends the configuration; with AUTO it is only reported.
function(shflviz_cuda_missing what advice)
  if(SHFLVIZ_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SHFLVIZ_CUDA is ON and there is ${what}. ${advice}, or set SHFLVIZ_CUDA to AUTO or OFF.")
  endif()
  message(STATUS "No CUDA Toolkit found (${what}): building without the GPU part (SHFLVIZ_CUDA=AUTO)")
endfunction()

find_program(SHFLVIZ_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
  DOC "The CUDA compiler")
if(NOT SHFLVIZ_NVCC)
  shflviz_cuda_missing("no nvcc in PATH, CUDA_HOME or /usr/local/cuda"
    "Install the CUDA Toolkit, or set SHFLVIZ_NVCC to its nvcc")
  return()
endif()
get_filename_component(SHFLVIZ_NVCC_FOLDER ${SHFLVIZ_NVCC} REALPATH)
get_filename_component(SHFLVIZ_NVCC_FOLDER ${SHFLVIZ_NVCC_FOLDER} DIRECTORY)

find_library(SHFLVIZ_CUDART cudart_static HINTS ${SHFLVIZ_NVCC_FOLDER}/..
  PATH_SUFFIXES lib64 lib targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib
  DOC "CUDA's runtime, static")
find_path(SHFLVIZ_CUDA_INCLUDE cuda_runtime_api.h HINTS ${SHFLVIZ_NVCC_FOLDER}/..
  PATH_SUFFIXES include targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include
  DOC "CUDA's headers")
if(NOT SHFLVIZ_CUDART OR NOT SHFLVIZ_CUDA_INCLUDE)
  shflviz_cuda_missing("no libcudart_static or cuda_runtime_api.h beside ${SHFLVIZ_NVCC}"
    "Install the rest of the CUDA Toolkit, or set SHFLVIZ_CUDART and SHFLVIZ_CUDA_INCLUDE")
  return()
endif()

execute_process(COMMAND ${SHFLVIZ_NVCC} --list-gpu-arch OUTPUT_VARIABLE known
  OUTPUT_STRIP_TRAILING_WHITESPACE)
# The program that nvcc runs for -arch=native prints a line such as "90" for each GPU; it fails if
# there is none.
set(SHFLVIZ_CUDA_NATIVE)
execute_process(COMMAND ${SHFLVIZ_NVCC_FOLDER}/__nvcc_device_query RESULT_VARIABLE status
  OUTPUT_VARIABLE found ERROR_QUIET)
if(status EQUAL 0)
  string(REGEX MATCHALL "[0-9]+" SHFLVIZ_CUDA_NATIVE "${found}")
endif()
if(SHFLVIZ_CUDA STREQUAL "AUTO")
  set(wanted 75 ${SHFLVIZ_CUDA_NATIVE})
else()
  set(wanted 75 80 90 100 120)
endif()
list(REMOVE_DUPLICATES wanted)
set(architectures)
foreach(architecture IN LISTS wanted)
  if(known MATCHES "compute_${architecture}(\n|$)")
    list(APPEND architectures ${architecture})
  endif()
endforeach()
if(NOT architectures)
  shflviz_cuda_missing("no nvcc that knows compute capability 7.5 or later (${SHFLVIZ_NVCC})"
    "Install a CUDA Toolkit that does")
  return()
endif()
set(SHFLVIZ_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
  "Compute capabilities to compile kernels for, as 75;80;90")
set(SHFLVIZ_CUDA_GENCODE)
foreach(architecture IN LISTS SHFLVIZ_CUDA_ARCHITECTURES)
  list(APPEND SHFLVIZ_CUDA_GENCODE
    "-gencode=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}]")
endforeach()

find_package(Threads REQUIRED)
add_library(shflviz_cudart INTERFACE)
target_link_libraries(shflviz_cudart INTERFACE ${SHFLVIZ_CUDART} Threads::Threads ${CMAKE_DL_LIBS}
  $<$<PLATFORM_ID:Linux>:rt>)
set(SHFLVIZ_HAVE_CUDA TRUE)
message(STATUS "Compiling kernels for compute capabilities ${SHFLVIZ_CUDA_ARCHITECTURES} with ${SHFLVIZ_NVCC}")
