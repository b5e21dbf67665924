# The CUDA Toolkit: whether the part for GPUs is built, and with what.
#
# Sets SHFLVIZ_HAVE_CUDA and, if it is true, SHFLVIZ_NVCC, SHFLVIZ_CUDART (a static library, so that
# the program needs no CUDA where it runs), SHFLVIZ_CUDA_INCLUDE, SHFLVIZ_CUDA_ARCHITECTURES and
# SHFLVIZ_CUDA_GENCODE, options of nvcc.
#
# Which code. With AUTO that of compute capability 7.5 and its PTX: every later GPU's driver
# compiles the PTX when a kernel is first run there and keeps it, and a newcomer's build stays quick.
# With ON code for each generation since Turing that the toolkit knows, and PTX too of 9.0, for 10.x
# and 11.x, and of the last, for those to come.

set(SHFLVIZ_HAVE_CUDA FALSE)
if(NOT SHFLVIZ_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SHFLVIZ_CUDA is ${SHFLVIZ_CUDA}; it takes AUTO, ON or OFF")
endif()
if(SHFLVIZ_CUDA STREQUAL "OFF")
  return()
endif()

# With ON what is missing ends the configuration, with AUTO it is told.
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
set(architectures)
foreach(architecture 75 80 90 100 120)
  if(known MATCHES "compute_${architecture}(\n|$)")
    list(APPEND architectures ${architecture})
  endif()
endforeach()
if(NOT architectures)
  shflviz_cuda_missing("no nvcc that knows compute capability 7.5 or later (${SHFLVIZ_NVCC})"
    "Install a CUDA Toolkit that does")
  return()
endif()
if(SHFLVIZ_CUDA STREQUAL "AUTO")
  list(GET architectures 0 architectures)
endif()
set(SHFLVIZ_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
  "Compute capabilities to compile kernels for, as 75;80;90")
set(SHFLVIZ_CUDA_GENCODE)
list(GET SHFLVIZ_CUDA_ARCHITECTURES -1 last)
foreach(architecture IN LISTS SHFLVIZ_CUDA_ARCHITECTURES)
  list(APPEND SHFLVIZ_CUDA_GENCODE -gencode=arch=compute_${architecture},code=sm_${architecture})
  if(architecture EQUAL 90 OR architecture EQUAL last)
    list(APPEND SHFLVIZ_CUDA_GENCODE
      -gencode=arch=compute_${architecture},code=compute_${architecture})
  endif()
endforeach()
set(SHFLVIZ_HAVE_CUDA TRUE)
message(STATUS "Compiling kernels for compute capabilities ${SHFLVIZ_CUDA_ARCHITECTURES} with ${SHFLVIZ_NVCC}")
