/*
 * complex_products.h - the functions that clang calls in a kernel for products and quotients of
 * std::complex, for which the device has no library. Computed as in cuComplex.h.
 */
#ifndef CUDACPU_COMPLEX_PRODUCTS_H
#define CUDACPU_COMPLEX_PRODUCTS_H

#ifdef __CUDA_ARCH__
#define CUDACPU_PRODUCTS(T, ending, absolute)                                                      \
    extern "C" __attribute__((device, used)) inline T _Complex __mul##ending(T a, T b, T c, T d) { \
        T _Complex z;                                                                              \
        __real__ z = a * c - b * d;                                                                \
        __imag__ z = a * d + b * c;                                                                \
        return z;                                                                                  \
    }                                                                                              \
    extern "C" __attribute__((device, used)) inline T _Complex __div##ending(T a, T b, T c, T d) { \
        const T scale = 1 / (absolute(c) + absolute(d));                                           \
        a *= scale, b *= scale, c *= scale, d *= scale;                                            \
        const T inverse = 1 / (c * c + d * d);                                                     \
        T _Complex z;                                                                              \
        __real__ z = (a * c + b * d) * inverse;                                                    \
        __imag__ z = (b * c - a * d) * inverse;                                                    \
        return z;                                                                                  \
    }
CUDACPU_PRODUCTS(float, sc3, __builtin_fabsf)
CUDACPU_PRODUCTS(double, dc3, __builtin_fabs)
#undef CUDACPU_PRODUCTS
#endif

#endif
