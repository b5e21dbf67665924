# The toolchain of the page: WebAssembly, with Debian's clang, lld, llvm, wasi-libc, libclang-rt-dev-wasm32,
# libc++-dev-wasm32 and binaryen (./bootstrap web installs them). CC and CXX may name another clang
# of the same kind, such as that of wasi-sdk.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

if(DEFINED ENV{CC})
  set(CMAKE_C_COMPILER $ENV{CC})
else()
  find_program(CMAKE_C_COMPILER NAMES clang clang-14 REQUIRED)
endif()
if(DEFINED ENV{CXX})
  set(CMAKE_CXX_COMPILER $ENV{CXX})
else()
  find_program(CMAKE_CXX_COMPILER NAMES clang++ clang++-14 REQUIRED)
endif()
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
find_program(CMAKE_AR NAMES llvm-ar llvm-ar-14 REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib llvm-ranlib-14 REQUIRED)

set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
