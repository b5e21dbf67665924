/*
 * shared.c - dynamic shared memory of a program that declares no array in it; one that does has
 * its own (instrument/spaces.c).
 */
#include "simt/runtime.h"

const unsigned cpu_dynamic_shared_bytes = CPU_SHARED_NONE;
__thread unsigned char cpu_dynamic_shared[CPU_SHARED_NONE] __attribute__((aligned(128)));
