#include "cudacpu/ptx/carry.h"

CPU_THREAD bool cpu_ptx_carry CPU_THREAD_LOCAL;
