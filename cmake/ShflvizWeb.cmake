# Compiler options for everything in a page (cmake/wasm32-wasi.cmake).

# Our headers come before those of WASI's C library, which lacks threads, signals and memory maps.
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/web/core/wasi)
add_compile_definitions(_WASI_EMULATED_PROCESS_CLOCKS)
add_link_options(-lwasi-emulated-process-clocks)
add_compile_options(-ffunction-sections -fdata-sections
  # There is no stack to inspect.
  "-D__builtin_return_address(level)=((void*)0)"
  # New memory is zeroed in full, so it is allocated in small regions.
  "-DREGION_BYTES=((size_t)1<<20)"
  # tmpfile() is ours (web/core/memory_file.c).
  -Wno-deprecated-declarations)
# With _GNU_SOURCE, WASI's C library declares functions that CUDA's headers define.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-U_GNU_SOURCE>)
