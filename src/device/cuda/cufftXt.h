/*
 * cufftXt.h - see cufft.h: of cuFFT on several devices and of its callbacks nothing is declared.
 */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_

#include "cufft.h"

#endif
