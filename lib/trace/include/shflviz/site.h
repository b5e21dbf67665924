/*
 * site.h - the source location of a call of a warp operation.
 *
 * One constant object per call (and per instantiation, in a template), made by record.cuh. Read by
 * C, by the host's C++ and by nvcc's device code.
 */
#ifndef SHFLVIZ_SITE_H
#define SHFLVIZ_SITE_H

struct shflviz_site {
    const char *file;     /* as the compiler sees it: "kernels/shuffle_xor.cu" */
    const char *function; /* the function that contains the call */
    const char *text;     /* "__shfl_xor_sync(0xffffffff, value, laneMask, width)" */
    unsigned int line;    /* from 1 */
};

#endif
