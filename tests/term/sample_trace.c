#include "sample_trace.h"

#include <string.h>

#define WARPS 4
#define STEPS 5

/* The values of the members of a warp, before and after each step. */
struct sums {
    uint32_t lane[WARP_LANES];
};

static const uint32_t full_mask = WARP_FULL_MASK;

/* One record of 4-byte values, as trace/record.h lays it out. */
static void write_record(void *record, uint64_t sequence, uint32_t warp, uint32_t site, int offset,
                         struct sums *sums) {
    unsigned char *bytes = record;
    struct shflviz_record_header header;
    int32_t arg[WARP_LANES];
    uint32_t out[WARP_LANES];

    for (int lane = 0; lane < WARP_LANES; lane++) {
        arg[lane] = offset;
        out[lane] = sums->lane[lane ^ offset];
    }
    memset(&header, 0, sizeof(header));
    header.warp = warp;
    header.site = site;
    header.op = WARP_OP_XOR;
    header.type = WARP_TYPE_INT;
    header.flags = SHFLVIZ_RECORD_EXITED_KNOWN;
    header.members = full_mask;
    header.present = full_mask;
    header.width = WARP_LANES;
    header.sequence = sequence;
    memcpy(bytes + SHFLVIZ_RECORD_OFFSET_ARG, arg, sizeof(arg));
    memcpy(bytes + SHFLVIZ_RECORD_OFFSET_IN, sums->lane, sizeof(sums->lane));
    memcpy(bytes + SHFLVIZ_RECORD_OFFSET_OUT(4), out, sizeof(out));
    memcpy(bytes, &header, sizeof(header));
    for (int lane = 0; lane < WARP_LANES; lane++)
        sums->lane[lane] += out[lane];
}

static int write_warp(struct trace_writer *writer, uint32_t warp, uint32_t site) {
    struct sums sums;

    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        sums.lane[lane] = warp * WARP_LANES + lane;
    for (int offset = 16; offset > 0; offset /= 2) {
        const uint64_t sequence = trace_writer_next_sequence(writer);
        size_t count = 1;
        void *record = trace_writer_reserve(writer, &count);

        if (!record)
            return -1;
        write_record(record, sequence, warp, site, offset, &sums);
    }
    return 0;
}

struct trace *sample_trace_make(struct error *err) {
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {
        .kernel = "sum", .grid = {1, 1, 1}, .block = {WARPS * WARP_LANES, 1, 1}};
    const struct trace_site site = {.file = "sum.cu",
                                    .line = 3,
                                    .function = "sum",
                                    .text = "__shfl_xor_sync(0xffffffff, value, offset)"};
    struct trace_writer *writer;
    struct trace *trace = NULL;
    uint32_t site_index;

    if (trace_writer_open(&writer, NULL, &options, err))
        return NULL;
    trace_writer_launch(writer, &launch);
    site_index = trace_writer_site(writer, &site);
    trace_writer_source(writer, "sum.cu",
                        "__global__ void sum(int value) {\n"
                        "    for (int offset = 16; offset > 0; offset /= 2)\n"
                        "        value += __shfl_xor_sync(0xffffffff, value, offset);\n"
                        "}\n");
    trace_writer_note(writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
    trace_writer_note(writer, TRACE_NOTE_TITLE, "sum  xor reduction");
    for (uint32_t warp = 0; warp < WARPS; warp++)
        if (write_warp(writer, warp, site_index)) {
            trace_writer_failed(writer, err);
            break;
        }
    if (trace_writer_close(writer, &trace, err))
        return NULL;
    return trace;
}
