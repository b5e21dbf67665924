/*
 * both_sides.h - what CUDA C++ is to clang's CUDA mode: launches, and which functions of the C and
 * C++ libraries kernels may call. Before all other headers.
 */
#ifndef CUDACPU_BOTH_SIDES_H
#define CUDACPU_BOTH_SIDES_H

/* Of the C library's functions for whole numbers and memory a kernel has its own: they stand before
 * the host's, which C++ takes over from here. */
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

/* Of these all is for both: pairs and tuples, which Thrust's zipped elements are. What they bring
 * along must not be, where others define for the host what is declared there. */
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

/* And of our own what all others are made of. */
#include "simt/lane.h"
#pragma clang force_cuda_host_device begin
#include "cudacpu/calls.h"
#include "cudacpu/texture.h"
#include "vector_functions.h"
#pragma clang force_cuda_host_device end

#endif
