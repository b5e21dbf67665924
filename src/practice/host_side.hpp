/*
 * host_side.hpp - included before the host side of an exercise's test (host_side.awk), which is
 * compiled here by any C++ compiler: a launch becomes a call that passes the arguments on.
 */
#ifndef SHFLVIZ_PRACTICE_HOST_SIDE_HPP
#define SHFLVIZ_PRACTICE_HOST_SIDE_HPP

#include "practice/host_tests.h"

#include <cuda_runtime.h>
#include <stdlib.h>

namespace exercise {

template <class T> kernel_argument passed(T *pointer) {
    return {kernel_argument::ARGUMENT_POINTER, 0, 0, (const void *)pointer};
}
inline kernel_argument passed(double real) {
    return {kernel_argument::ARGUMENT_REAL, 0, real, nullptr};
}
inline kernel_argument passed(float real) {
    return passed((double)real);
}
template <class T> kernel_argument passed(T integer) {
    return {kernel_argument::ARGUMENT_INTEGER, (int64_t)integer, 0, nullptr};
}

struct kernel {
    const char *name;
    dim3 grid, block;
    kernel(const char *name_, dim3 grid_, dim3 block_) : name(name_), grid(grid_), block(block_) {}
    template <class... T> void operator()(T... arguments) const {
        const kernel_argument list[] = {passed(arguments)..., {}};
        const unsigned sizes[2][3] = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
        practice_launch(name, sizes[0], sizes[1], list, sizeof...(arguments));
    }
};

/* cudaMemcpy(), which the checks of accesses must know about. */
inline cudaError_t copied(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
    const cudaError_t error = cudaMemcpy(to, from, size, kind);
    if (kind == cudaMemcpyHostToDevice)
        practice_mark_written(to, size);
    return error;
}

} // namespace exercise

#define cudaMemcpy(...)     ::exercise::copied(__VA_ARGS__)
#define calloc(count, size) practice_alloc(count, size)
#define SHFLVIZ_EXERCISE_HOST_SIDE

#endif
