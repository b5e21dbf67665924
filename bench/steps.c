#include "steps.h"

#include <string.h>

uint64_t block_of(uint64_t step) {
    return step / (WARPS * TURNS);
}

uint32_t warp_of(uint64_t step) {
    return step % WARPS;
}

void write_record(unsigned char *record, uint64_t step) {
    const struct shflviz_record_header header = {
        .block = block_of(step),
        .warp = warp_of(step),
        .op = WARP_OP_XOR,
        .type = WARP_TYPE_INT,
        .members = 0xffffffff,
        .present = 0xffffffff,
        .width = 32,
    };
    int32_t arg[32], in[32], out[32];
    for (int lane = 0; lane < 32; lane++) {
        arg[lane] = 16;
        in[lane] = (int32_t)step + lane;
        out[lane] = (int32_t)step + (lane ^ 16);
    }
    memcpy(record, &header, sizeof(header));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, arg, sizeof(arg));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, in, sizeof(in));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(4), out, sizeof(out));
    __atomic_store_n((uint64_t *)(void *)record, step + 1, __ATOMIC_RELEASE);
}
