/*
 * random.h - pseudorandom numbers that are the same for the same seed on every machine.
 */
#ifndef SHFLVIZ_BASE_RANDOM_H
#define SHFLVIZ_BASE_RANDOM_H

#include <stdint.h>

/* The increment from one state to the next. */
#define RANDOM_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* The number for a state: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", 2014). Any state is valid, including 0. */
static inline uint64_t random_mix(uint64_t state) {
    state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
    return state ^ state >> 31;
}

#endif
