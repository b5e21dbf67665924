/*
 * math_functions.h - arithmetic beyond the C library's.
 */
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

#include <math.h>

#define SHFLVIZ_MIN_MAX(T)                                                                         \
    static inline T min(T a, T b) {                                                                \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static inline T max(T a, T b) {                                                                \
        return a < b ? b : a;                                                                      \
    }
SHFLVIZ_MIN_MAX(int)
SHFLVIZ_MIN_MAX(unsigned int)
SHFLVIZ_MIN_MAX(long)
SHFLVIZ_MIN_MAX(unsigned long)
SHFLVIZ_MIN_MAX(long long)
SHFLVIZ_MIN_MAX(unsigned long long)
#undef SHFLVIZ_MIN_MAX
static inline unsigned int min(int a, unsigned int b) {
    return min((unsigned int)a, b);
}
static inline unsigned int min(unsigned int a, int b) {
    return min(a, (unsigned int)b);
}
static inline unsigned int max(int a, unsigned int b) {
    return max((unsigned int)a, b);
}
static inline unsigned int max(unsigned int a, int b) {
    return max(a, (unsigned int)b);
}
static inline float min(float a, float b) {
    return fminf(a, b);
}
static inline float max(float a, float b) {
    return fmaxf(a, b);
}
static inline double min(double a, double b) {
    return fmin(a, b);
}
static inline double max(double a, double b) {
    return fmax(a, b);
}

static inline float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
/* The C library has functions of these names for itself. */
#define __expf(x) expf(x)
#define __logf(x) logf(x)
static inline float __fdividef(float x, float y) {
    return x / y;
}
static inline float __saturatef(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline int __mul24(int x, int y) {
    return (int)((unsigned int)x * (unsigned int)y);
}

#endif
