/*
 * fenv.h - WebAssembly rounds to nearest, always; the other ways have names all the same.
 */
#ifndef SHFLVIZ_WEB_FENV_H
#define SHFLVIZ_WEB_FENV_H

#include_next <fenv.h>

#ifndef FE_UPWARD
enum { FE_DOWNWARD = 1, FE_UPWARD, FE_TOWARDZERO };
#endif

#endif
