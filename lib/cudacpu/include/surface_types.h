/*
 * surface_types.h - how a surface is written. C reads it, too.
 */
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

#define cudaSurfaceType1D        0x01
#define cudaSurfaceType2D        0x02
#define cudaSurfaceType3D        0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

typedef unsigned long long cudaSurfaceObject_t;

#endif
