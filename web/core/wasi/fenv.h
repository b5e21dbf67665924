/*
 * fenv.h - WebAssembly always rounds to nearest; the other modes only have names.
 */
#ifndef SHFLVIZ_WEB_FENV_H
#define SHFLVIZ_WEB_FENV_H

#include_next <fenv.h>

#ifndef FE_UPWARD
enum { FE_DOWNWARD = 1, FE_UPWARD, FE_TOWARDZERO };
#endif

#endif
