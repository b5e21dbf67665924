/*
 * rounding.c - the mode in which the processor rounds, for the device functions that name one
 * (include/math_functions.h).
 */
#include <fenv.h>

unsigned cpu_set_rounding(unsigned mode);

/* Returns the previous mode. */
#ifdef __x86_64__
/* Sets only the mode of the SSE unit, which does the arithmetic here: fesetround() sets the x87
 * unit's, too, and takes several times as long. */
unsigned cpu_set_rounding(unsigned mode) {
    const unsigned control = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((control & ~(0xc00u << 3)) | mode << 3);
    return control >> 3 & 0xc00u;
}
#else
unsigned cpu_set_rounding(unsigned mode) {
    const int before = fegetround();
    fesetround((int)mode);
    return (unsigned)before;
}
#endif
