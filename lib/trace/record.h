/*
 * record.h - one recorded step, byte for byte, as the CPU warp writes it and old files keep it.
 *
 * Read by C, by C++ (the CPU warp) and by CUDA C++ (nvcc), so it includes nothing but fixed-width
 * integers. The CPU warp fills records in the last block of the trace file; a GPU writes cells
 * (shflviz/cell.h), of which the host makes records. All integers are little-endian.
 * docs/TRACE_FORMAT.md describes the file around it.
 *
 * A recording has one value size, chosen when it begins: 4 bytes if every value that may be
 * exchanged has at most 32 bits, else 8. It determines the size of every record, so that step n is
 * at a known offset:
 *
 *     offset  0   64 bytes   struct shflviz_record_header
 *            64   64 bytes   int16_t lane_width[32]   only if SHFLVIZ_RECORD_WIDTHS_DIFFER is set
 *           128  128 bytes   int32_t arg[32]
 *           256   32 values  in[32]
 *           ...   32 values  out[32]
 *     total       512 bytes for 4-byte values, 768 for 8-byte values
 *
 * Entries of lanes that are not in `present` are 0 (arg, in, out).
 */
#ifndef SHFLVIZ_TRACE_RECORD_H
#define SHFLVIZ_TRACE_RECORD_H

#ifndef __CUDACC_RTC__
#include <stdint.h>
#endif

#define SHFLVIZ_RECORD_LANES 32

/* Flags of a record. */
#define SHFLVIZ_RECORD_WIDTHS_DIFFER 0x0001u /* lanes passed different widths: see lane_width */
#define SHFLVIZ_RECORD_EXITED_KNOWN  0x0002u /* `exited` is exact; a GPU cannot know it */
#define SHFLVIZ_RECORD_MASK_DIVERGES                                                               \
    0x0004u /* other lanes made this call with an overlapping mask */
#define SHFLVIZ_RECORD_UNFINISHED                                                                  \
    0x0008u /* a lane of the mask never arrived: those present waited until the run ended */

struct shflviz_record_header {
    uint64_t sequence;    /* number of the step + 1; 0 where no whole record was written */
    uint64_t block;       /* x + y * gridDim.x + z * gridDim.x * gridDim.y */
    uint32_t launch;      /* index of the launch */
    uint32_t warp;        /* warp in its block: linear thread id / 32 */
    uint32_t site;        /* index of the site */
    uint8_t op;           /* enum warp_op */
    uint8_t type;         /* enum warp_type */
    uint16_t flags;       /* SHFLVIZ_RECORD_... */
    uint32_t members;     /* member mask */
    uint32_t present;     /* lanes that made the call */
    int32_t width;        /* of the lowest lane present; 0 for operations without a width */
    uint32_t exited;      /* lanes known to have left the kernel */
    uint64_t reserved[2]; /* reserved: 0 */
};

#define SHFLVIZ_RECORD_OFFSET_WIDTH 64
#define SHFLVIZ_RECORD_OFFSET_ARG   128
#define SHFLVIZ_RECORD_OFFSET_IN    256
/* Offset of out[] and size of a whole record, for 4- or 8-byte values. */
#define SHFLVIZ_RECORD_OFFSET_OUT(value_bytes) (256 + 32 * (value_bytes))
#define SHFLVIZ_RECORD_SIZE(value_bytes)       (256 + 64 * (value_bytes))

#endif
