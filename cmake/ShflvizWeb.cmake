# What everything is compiled with where it becomes a page (cmake/wasm32-wasi.cmake).

# Headers of ours go before WASI's C library, which lacks threads, signals and maps.
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/web/core/wasi)
add_compile_definitions(_WASI_EMULATED_PROCESS_CLOCKS)
add_link_options(-lwasi-emulated-process-clocks)
add_compile_options(-ffunction-sections -fdata-sections
  # There is no stack to look at.
  "-D__builtin_return_address(level)=((void*)0)"
  # Memory is set to 0 as a whole where it is taken, so little is taken at once.
  "-DREGION_BYTES=((size_t)1<<20)"
  # tmpfile() is ours (web/core/memory_file.c).
  -Wno-deprecated-declarations)
# WASI's C library declares some of what CUDA's headers define, for _GNU_SOURCE alone.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-U_GNU_SOURCE>)
