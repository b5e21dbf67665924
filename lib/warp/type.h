/*
 * type.h - the value types that travel between lanes, and their bit patterns.
 *
 * A value is kept as its bits in the low end of a uint64_t; the type says how to read them. Types
 * are those that the CUDA headers overload __shfl_sync for (CUDA C++ Programming Guide, "Warp
 * Shuffle Functions"; cuda_fp16.h; cuda_bf16.h). On the platforms CUDA supports under Linux, long
 * has 64 bits.
 */
#ifndef SHFLVIZ_WARP_TYPE_H
#define SHFLVIZ_WARP_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are part of the trace file (docs/TRACE_FORMAT.md): append, never renumber. */
enum warp_type {
    WARP_TYPE_INT = 0,
    WARP_TYPE_UNSIGNED = 1,
    WARP_TYPE_LONG = 2,
    WARP_TYPE_UNSIGNED_LONG = 3,
    WARP_TYPE_LONG_LONG = 4,
    WARP_TYPE_UNSIGNED_LONG_LONG = 5,
    WARP_TYPE_FLOAT = 6,
    WARP_TYPE_DOUBLE = 7,
    WARP_TYPE_HALF = 8,
    WARP_TYPE_HALF2 = 9,
    WARP_TYPE_BFLOAT16 = 10,
    WARP_TYPE_BFLOAT162 = 11,
    WARP_TYPE_NONE = 12, /* for operations that move no value, such as __syncwarp */
    WARP_TYPE_COUNT
};

struct warp_type_info {
    const char *name; /* as in --type and in JSON: "unsigned-long-long" */
    const char *cuda; /* as in CUDA C++: "unsigned long long", "__half2" */
    unsigned bits;    /* 16, 32 or 64; 0 for WARP_TYPE_NONE */
    unsigned parts;   /* values packed in one: 2 for half2 and bfloat162, else 1 */
    bool is_signed;   /* integers only */
    bool is_floating;
};

/* Never NULL for a type below WARP_TYPE_COUNT; NULL otherwise. */
const struct warp_type_info *warp_type_info(enum warp_type type);

/* The type called `name` in --type, or -1. */
int warp_type_find(const char *name);

/* Enough for every value of every type, its NUL included. */
#define WARP_VALUE_TEXT 64

/*
 * Writes the value for people to read: integers in decimal; floats so that they read back to the
 * same bits, with no more digits than necessary ("0.1", "1e+30", "3" for 3.0), except that a whole
 * number below 10^10 has all its digits, so that a sum can be checked by hand (the half 65504 is
 * "65504", though "65500" would read back too); "inf", "-inf", "nan" for every NaN; the two halves
 * of half2 and bfloat162 as "1.5,2", low half first; "" for WARP_TYPE_NONE. The decimal point is a
 * point in every locale. Bits above the type's are ignored. Returns buffer.
 */
char *warp_value_format(enum warp_type type, uint64_t bits, char buffer[WARP_VALUE_TEXT]);

/* Writes "0x" and exactly the type's hexadecimal digits (4, 8 or 16); "" for WARP_TYPE_NONE.
 * Returns buffer. */
char *warp_value_format_bits(enum warp_type type, uint64_t bits, char buffer[WARP_VALUE_TEXT]);

/*
 * The bits of an integer converted to `type` as C++ converts it: modulo 2^32 or 2^64 for integers,
 * rounded to nearest even for floats. For half2 and bfloat162 both halves get the value.
 */
uint64_t warp_value_from_integer(enum warp_type type, int64_t integer);

/* The same for a real number, rounded to nearest even; 0 for types that are not floating. */
uint64_t warp_value_from_double(enum warp_type type, double value);

/* The bits that belong to the type; those above them are cleared. */
uint64_t warp_value_mask(enum warp_type type, uint64_t bits);

/* One part of a packed value (part 0 is the low half), or the value itself, as a double. */
double warp_value_to_double(enum warp_type type, uint64_t bits, unsigned part);

/*
 * IEEE binary16 and bfloat16, rounding once, to nearest even; overflow becomes infinity. A NaN
 * stays a NaN and keeps its sign and as much of its payload as fits.
 */
uint16_t half_from_double(double value);
double half_to_double(uint16_t bits);
uint16_t bfloat16_from_double(double value);
double bfloat16_to_double(uint16_t bits);

#ifdef __cplusplus
}
#endif

#endif
