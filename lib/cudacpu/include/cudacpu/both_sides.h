/*
 * both_sides.h - adapts clang's CUDA mode to CUDA C++: launches, and the functions of the C and
 * C++ libraries that kernels may call. Included before all others.
 */
#ifndef CUDACPU_BOTH_SIDES_H
#define CUDACPU_BOTH_SIDES_H

/* Kernels have their own versions of the C library's integer and memory functions; these are
 * declared before the host's, which the C++ library imports from here. */
#define CUDACPU_ABSOLUTE(T, name)                                                                  \
    __attribute__((device)) inline T name(T x) {                                                   \
        return x < 0 ? -x : x;                                                                     \
    }
extern "C" {
CUDACPU_ABSOLUTE(int, abs)
CUDACPU_ABSOLUTE(long, labs)
CUDACPU_ABSOLUTE(long long, llabs)
}
#include <cstdio>
#include <cstdlib>
namespace std {
CUDACPU_ABSOLUTE(long, abs)
CUDACPU_ABSOLUTE(long long, abs)
} // namespace std
#undef CUDACPU_ABSOLUTE
extern "C" {
__attribute__((device)) void *malloc(size_t size);
__attribute__((device)) void free(void *memory);
}

/* Everything in these headers is for both sides: Thrust's zipped elements are pairs and tuples.
 * The headers that they include must not be for both sides if they declare functions that are
 * defined elsewhere for the host. */
#pragma clang force_cuda_host_device begin
#include <utility>
#pragma clang force_cuda_host_device end
#include <array>
#pragma clang force_cuda_host_device begin
#include <tuple>
#pragma clang force_cuda_host_device end
#include <limits>
#include <memory>
#include <new>

#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <cmath>
#include <cstring>
#include <fenv.h>
#include <math.h>
#include <string.h>
#pragma clang force_cuda_host_device end

/* Our own header, on which all others build. */
#include "simt/lane.h"
#pragma clang force_cuda_host_device begin
#include "cudacpu/calls.h"
#include "cudacpu/texture.h"
#include "vector_functions.h"
#pragma clang force_cuda_host_device end

#endif
