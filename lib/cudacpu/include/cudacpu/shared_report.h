/* shared_report.h - the call by which a program whose accesses are recorded reports its
 * `__shared__` variables.
 */
#ifndef SHFLVIZ_CPU_SHARED_REPORT_H
#define SHFLVIZ_CPU_SHARED_REPORT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    /* `size` is 0 for dynamic shared memory; `type` is the enum warp_type of its elements;
       `vector` the bytes of a vector type such as float4, else 0. The name must stay valid.
       Returns 0. */
    int
    cpu_shared_reported(const char *name, const void *address, size_t size, int type, int vector);

#endif
