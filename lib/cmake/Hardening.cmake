# Makes mistakes in our code harder to exploit, in builds that people run: checks of buffers by the
# C library, stack protectors, tables that are read-only once loaded, random addresses. Sanitizers
# and coverage have checks of their own; -O0 has no checked buffers. Code that is only linked into
# user programs reads no untrusted file, and every watched access passes through it, so it is not
# hardened.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
set(SHFLVIZ_HARDENED_CODE "")
set(SHFLVIZ_HARDENED_LINK "")
if(NOT SHFLVIZ_SANITIZE AND NOT SHFLVIZ_COVERAGE AND NOT SHFLVIZ_WEB AND NOT SHFLVIZ_FUZZ)
  foreach(flag -fstack-protector-strong -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "SHFLVIZ_HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
      list(APPEND SHFLVIZ_HARDENED_CODE ${flag})
    endif()
  endforeach()
  foreach(flag LINKER:-z,relro LINKER:-z,now)
    string(MAKE_C_IDENTIFIER "SHFLVIZ_HAS_${flag}" has)
    check_linker_flag(C ${flag} ${has})
    if(${has})
      list(APPEND SHFLVIZ_HARDENED_LINK ${flag})
    endif()
  endforeach()
  set(CMAKE_REQUIRED_FLAGS -fPIE)
  check_linker_flag(C -pie SHFLVIZ_HAS_PIE)
  unset(CMAKE_REQUIRED_FLAGS)
endif()

function(shflviz_harden target)
  if(target MATCHES "^(cudacpu_|shflviz_simt|shflviz_cudacpu_runtime)")
    return()
  endif()
  get_target_property(type ${target} TYPE)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${SHFLVIZ_HARDENED_CODE}>)
  # Distributions define it, too.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<BOOL:${SHFLVIZ_HARDENED_CODE}>,$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  target_link_options(${target} PRIVATE ${SHFLVIZ_HARDENED_LINK})
  if(SHFLVIZ_HAS_PIE AND NOT SHFLVIZ_FOLDERS_SHARED AND type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|OBJECT_LIBRARY)$")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-fPIE>)
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE -pie)
    endif()
  endif()
endfunction()
