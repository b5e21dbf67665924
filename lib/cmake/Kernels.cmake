# Compiles CUDA sources for the CPU warp, and for a GPU.

# shflviz_kernel_sources(TARGET FILE.cu ...): adds CUDA sources to a target of the CPU warp, compiled
# by the host's C++ compiler with the recorder included first. Screens show their paths relative to
# the project; files in the folders of kernels/ appear as kernels/NAME.cu.
function(shflviz_kernel_sources target)
  target_link_libraries(${target} PRIVATE shflviz_host_cuda)
  foreach(file IN LISTS ARGN)
    get_filename_component(path ${file} ABSOLUTE)
    set_source_files_properties(${path} PROPERTIES LANGUAGE CXX)
    set(options -xc++ -include shflviz/record.cuh
      "-ffile-prefix-map=${SHFLVIZ_ROOT}/=" -fno-exceptions -fno-rtti -fno-threadsafe-statics
      # Integers wrap on a GPU.
      -fwrapv
      # A learner's code may be unused in one of the builds.
      -Wno-unused-function -Wno-unused-parameter
      # In C a struct and a function may share a name, as some of ours do.
      -Wno-shadow
      # Only nvcc knows #pragma unroll.
      -Wno-unknown-pragmas)
    if(path MATCHES "^${SHFLVIZ_ROOT}/kernels/")
      get_filename_component(folder ${path} DIRECTORY)
      list(APPEND options "-ffile-prefix-map=${folder}/=kernels/")
    endif()
    # The array of dynamic shared memory gets the name that the file gives it.
    file(STRINGS ${path} dynamic REGEX "^[^/*]*extern[ \t]+__shared__")
    if(dynamic)
      list(GET dynamic 0 dynamic)
      string(REGEX REPLACE ".*[ \t*]([A-Za-z_0-9]+)[ \t]*\\[.*" "\\1" dynamic "${dynamic}")
      list(APPEND options -DSHFLVIZ_DYNAMIC_SHARED=${dynamic})
    endif()
    set_source_files_properties(${path} PROPERTIES COMPILE_OPTIONS "${options}"
      OBJECT_DEPENDS "${SHFLVIZ_LIB}/recorder/include/shflviz/record.cuh")
    target_sources(${target} PRIVATE ${path})
  endforeach()
endfunction()

# shflviz_gpu_object(VARIABLE SOURCE.cu [BARE] [NAME name] [FOLDER folder]): compiles SOURCE.cu with
# nvcc to an object for the GPU, with the recorder included first unless BARE is given, and sets
# VARIABLE to its path. The object is put in the caller's binary folder and named NAME, by default
# like the source. Paths of files in FOLDER are shown, and included, relative to it.
function(shflviz_gpu_object variable source)
  cmake_parse_arguments(arg "BARE" "NAME;FOLDER" "" ${ARGN})
  if(NOT arg_NAME)
    get_filename_component(arg_NAME ${source} NAME_WE)
  endif()
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${SHFLVIZ_ROOT})
  endif()
  set(recorder ${SHFLVIZ_LIB}/recorder/include)
  # nvcc maps no prefix in the file names that it generates itself, so it gets relative names. In the
  # list of dependencies, which is read in the build folder, sed makes them absolute again.
  get_filename_component(source ${source} ABSOLUTE)
  file(RELATIVE_PATH name ${arg_FOLDER} ${source})
  set(options -std=c++17 -O3 ${SHFLVIZ_CUDA_GENCODE} -I${SHFLVIZ_ROOT}/src -I${SHFLVIZ_LIB} -I${SHFLVIZ_LIB}/trace/include -I${recorder}
    -Xcompiler=-fPIC,-ffile-prefix-map=${SHFLVIZ_ROOT}/=)
  if(NOT arg_FOLDER STREQUAL SHFLVIZ_ROOT)
    list(APPEND options -I${arg_FOLDER} -Xcompiler=-ffile-prefix-map=${arg_FOLDER}/=)
  endif()
  if(NOT arg_BARE)
    list(APPEND options -I${recorder}/shflviz/groups -include shflviz/record.cuh)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -ccbin ${CMAKE_CXX_COMPILER})
  endif()
  if(SHFLVIZ_WERROR)
    list(APPEND options -Werror=all-warnings)
  endif()
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.cu.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${SHFLVIZ_NVCC} ${options} -MD -MF ${object}.d -MT ${object} -c ${name} -o ${object}
    COMMAND sed -i -E "s| ([^ /:\\\\][^ ]*)| ${arg_FOLDER}/\\1|g" ${object}.d
    WORKING_DIRECTORY ${arg_FOLDER}
    DEPENDS ${source}
    DEPFILE ${object}.d
    COMMENT "Compiling ${arg_NAME} for the GPU"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${variable} ${object} PARENT_SCOPE)
endfunction()
