/*
 * One function for each sample, in a table by name. Values are small and differ from lane to lane,
 * so that a wrong lane is noticed immediately.
 */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON UINT64_C(0xbadbadbadbadbad0)

struct sample {
    struct trace_writer *writer;
    unsigned value_bytes;
    uint32_t launch, block, warp, threads;
    const char *file;
    enum warp_type type;
    uint32_t wrong; /* lanes whose results the rules do not define */
    bool unfinished;
    uint32_t exited; /* lanes that have exited the kernel */
    uint64_t poison; /* the values of undefined lanes */
    uint64_t value[WARP_LANES];
    const int32_t *offset; /* the offset of each lane's access to memory */
};

static void must(int status, const struct error *err) {
    if (status == 0)
        return;
    fprintf(stderr, "sample: %s\n", err->text);
    abort();
}

static const char kernel_source[] =
    "// One xor shuffle: each lane reads the lane whose number differs in the bits of laneMask.\n"
    "__global__ void shuffle_xor(int *out, const int *in, int laneMask, int width) {\n"
    "    int value = in[threadIdx.x];\n"
    "    // The intrinsic throws the range check's result away; shflviz shows it.\n"
    "    int got = __shfl_xor_sync(0xffffffff, value, laneMask, width);\n"
    "    out[threadIdx.x] = got;\n"
    "}\n";

static const char reduce_source[] = "// Sum over a warp: after the last step every lane has it.\n"
                                    "__device__ int warp_sum(int sum) {\n"
                                    "    for (int offset = 16; offset > 0; offset /= 2)\n"
                                    "        sum += __shfl_xor_sync(0xffffffff, sum, offset);\n"
                                    "    WATCH(sum);\n"
                                    "    return sum;\n"
                                    "}\n";

static const char wait_source[] =
    "// Half of the lanes call with a mask that names more.\n"
    "__global__ void stopped(int *out) {\n"
    "    int lane = threadIdx.x % 32;\n"
    "    int value = lane;\n"
    "    value = __shfl_xor_sync(0xffffffff, value, laneMask, width);\n"
    "    if (lane < 8)\n"
    "        value = __shfl_down_sync(0xffff, value, 4);\n"
    "    out[threadIdx.x] = value;\n"
    "    __syncthreads();\n"
    "}\n";

static const char parted_source[] = "__global__ void parted(int *out) {\n"
                                    "    int value = threadIdx.x;\n"
                                    "    if (value < 16)\n"
                                    "        value = __shfl_xor_sync(0xffff, value, 1);\n"
                                    "    else if (value < 24)\n"
                                    "        value = __shfl_xor_sync(0xff0000, value, 2);\n"
                                    "    out[threadIdx.x] = value;\n"
                                    "}\n";

static void begin(struct sample *sample, unsigned value_bytes, uint32_t threads, uint32_t blocks,
                  const char *kernel, const char *file, const char *source) {
    struct error err = ERROR_INIT;
    struct trace_writer_options options = {.value_bytes = value_bytes};
    memset(sample, 0, sizeof *sample);
    must(trace_writer_open(&sample->writer, NULL, &options, &err), &err);
    struct trace_launch launch = {kernel, {blocks, 1, 1}, {threads, 1, 1}, 0};
    sample->launch = trace_writer_launch(sample->writer, &launch);
    sample->value_bytes = value_bytes;
    sample->threads = threads;
    sample->file = file;
    sample->type = value_bytes == 8 ? WARP_TYPE_LONG_LONG : WARP_TYPE_INT;
    if (source)
        trace_writer_source(sample->writer, file, source);
    trace_writer_note(sample->writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(sample->writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(sample->writer, TRACE_NOTE_RECORDED, "emulated");
    trace_writer_note(sample->writer, TRACE_NOTE_POISON, "0xbadbadbadbadbad0");
    for (int lane = 0; lane < WARP_LANES; lane++)
        sample->value[lane] = (uint64_t)lane;
    sample->poison = POISON;
}

static void put(unsigned char *at, unsigned bytes, int lane, uint64_t value) {
    memcpy(at + (size_t)lane * bytes, &value, bytes); /* little-endian machines only */
}

/* Records one step of the sample's values; `out` is set to each lane's result. */
static void step(struct sample *sample, enum warp_op op, int32_t arg, int32_t width,
                 uint32_t members, uint32_t present, uint32_t line, const char *text,
                 uint64_t out[WARP_LANES]) {
    struct warp_operation operation = {.op = op,
                                       .type = sample->type,
                                       .members = members,
                                       .present = present,
                                       .launched = WARP_FULL_MASK,
                                       .unfinished = sample->unfinished};
    uint32_t left = sample->threads - sample->warp * WARP_LANES;
    if (left < WARP_LANES)
        operation.launched = (UINT32_C(1) << left) - 1;
    operation.present &= operation.launched;
    operation.exited = sample->exited;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = width;
        operation.arg[lane] = arg;
        operation.in[lane] = sample->value[lane];
    }
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    size_t count = 1;
    unsigned bytes = sample->value_bytes;
    uint64_t sequence = trace_writer_next_sequence(sample->writer);
    unsigned char *record = trace_writer_reserve(sample->writer, &count);
    struct shflviz_record_header header = {.block = sample->block,
                                           .launch = sample->launch,
                                           .warp = sample->warp,
                                           .op = (uint8_t)op,
                                           .type = (uint8_t)sample->type,
                                           .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
                                           .members = members,
                                           .present = operation.present,
                                           .width = width,
                                           .exited = operation.exited};
    struct trace_site site = {sample->file, line, "", text};
    header.site = trace_writer_site(sample->writer, &site);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(operation.present >> lane & 1))
            continue;
        uint64_t got = outcome[lane].has_value ? outcome[lane].value : sample->poison;
        got += sample->wrong >> lane & 1;
        if (op == WARP_OP_WATCH)
            got = sample->value[lane];
        uint64_t brought = sample->value[lane];
        if (warp_op_is_access(op)) { /* the memory was 0 before */
            got = brought;
            brought = warp_op_is_read(op) ? got : 0;
            arg = sample->offset[lane];
        }
        if (op == WARP_OP_ACTIVEMASK)
            got = present;
        if (sample->unfinished)
            got = 0;
        put(record + SHFLVIZ_RECORD_OFFSET_ARG, 4, lane, (uint32_t)arg);
        put(record + SHFLVIZ_RECORD_OFFSET_IN, bytes, lane, brought);
        put(record + SHFLVIZ_RECORD_OFFSET_OUT(bytes), bytes, lane, got);
        if (out)
            out[lane] = got;
    }
    if (sample->unfinished)
        header.flags |= SHFLVIZ_RECORD_UNFINISHED;
    header.sequence = sequence;
    memcpy(record, &header, sizeof header);
}

static void shuffle(struct sample *sample, enum warp_op op, int32_t arg, int32_t width,
                    uint32_t members) {
    static const char *const texts[] = {
        "__shfl_sync(0xffffffff, value, srcLane, width)",
        "__shfl_up_sync(0xffffffff, value, delta, width)",
        "__shfl_down_sync(0xffffffff, value, delta, width)",
        "__shfl_xor_sync(0xffffffff, value, laneMask, width)",
    };
    step(sample, op, arg, width, members, members, 5, texts[op], NULL);
}

static void one(struct sample *sample, enum warp_op op, int32_t arg, int32_t width,
                uint32_t members) {
    begin(sample, 4, 32, 1, "shuffle_xor", "kernels/shuffle_xor.cu", kernel_source);
    shuffle(sample, op, arg, width, members);
}

/* Lanes 0-15 reach a shuffle of all lanes, the others do not. */
static void waiting(struct sample *s) {
    begin(s, 4, 32, 1, "shuffle_xor", "kernels/shuffle_xor.cu", kernel_source);
    s->unfinished = true;
    step(s, WARP_OP_DOWN, 8, 16, WARP_FULL_MASK, 0x0000ffff, 5,
         "__shfl_down_sync(0xffffffff, value, delta, width)", NULL);
    trace_writer_note(s->writer, TRACE_NOTE_FAILURE,
                      "the kernel does not finish: lanes of block (0,0,0) wait for each other "
                      "forever\nwarp 0: lanes 0-15 wait at kernels/shuffle_xor.cu:5 "
                      "__shfl_down_sync(0xffffffff, value, delta, width) for lanes 16-31");
}

static void xor3(struct sample *s) {
    one(s, WARP_OP_XOR, 3, 16, WARP_FULL_MASK);
}
static void xor16(struct sample *s) {
    one(s, WARP_OP_XOR, 16, 16, WARP_FULL_MASK);
}
static void down3(struct sample *s) {
    one(s, WARP_OP_DOWN, 3, 16, WARP_FULL_MASK);
}
static void down33(struct sample *s) {
    one(s, WARP_OP_DOWN, 33, 32, WARP_FULL_MASK);
}
static void up40(struct sample *s) {
    one(s, WARP_OP_UP, 40, 8, WARP_FULL_MASK);
}
static void idx17(struct sample *s) {
    one(s, WARP_OP_IDX, 17, 16, WARP_FULL_MASK);
}
static void dropped(struct sample *s) {
    one(s, WARP_OP_XOR, 3, 16, WARP_FULL_MASK);
    trace_writer_drop(s->writer, 7);
}
/* A device with a wrong result: lane 6 gets 6 instead of 5. */
static void wrong(struct sample *s) {
    begin(s, 4, 32, 1, "shuffle_xor", "kernels/shuffle_xor.cu", kernel_source);
    s->wrong = UINT32_C(1) << 6;
    shuffle(s, WARP_OP_XOR, 3, 16, WARP_FULL_MASK);
}
/* The longest possible formula, with long values. */
static void extreme(struct sample *s) {
    begin(s, 8, 32, 1, "shuffle_xor", "kernels/shuffle_xor.cu", kernel_source);
    s->type = WARP_TYPE_UNSIGNED_LONG_LONG;
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = UINT64_MAX - (uint64_t)lane;
    shuffle(s, WARP_OP_IDX, INT32_MIN, 16, WARP_FULL_MASK);
}
/* Lanes 4..7 read 8..11, which the mask leaves out. */
static void partial(struct sample *s) {
    one(s, WARP_OP_DOWN, 4, 32, 0xff);
}
static void width12(struct sample *s) {
    one(s, WARP_OP_DOWN, 3, 12, WARP_FULL_MASK);
}
static void width1(struct sample *s) {
    one(s, WARP_OP_XOR, 1, 1, WARP_FULL_MASK);
}

/* Two blocks of 35 threads: warp 1 of each block has three lanes. */
static void threads35(struct sample *s) {
    begin(s, 4, 35, 2, "shuffle_down", "kernels/shuffle_down.cu", NULL);
    for (s->block = 0; s->block < 2; s->block++)
        for (s->warp = 0; s->warp < 2; s->warp++)
            for (int32_t delta = 2; delta > 0; delta--)
                step(s, WARP_OP_DOWN, delta, 32, WARP_FULL_MASK, WARP_FULL_MASK, 7,
                     "__shfl_down_sync(0xffffffff, value, delta)", NULL);
}

/* One such block on a GPU: the result of lane 0 of warp 1 is recorded, but still undefined. */
static void measured35(struct sample *s) {
    begin(s, 4, 35, 1, "shuffle_down", "kernels/shuffle_down.cu", NULL);
    trace_writer_note(s->writer, TRACE_NOTE_NAME, "NVIDIA H200");
    trace_writer_note(s->writer, TRACE_NOTE_DEVICE, "gpu");
    trace_writer_note(s->writer, TRACE_NOTE_RECORDED, "measured");
    s->poison = 0;
    for (s->warp = 0; s->warp < 2; s->warp++)
        step(s, WARP_OP_DOWN, 16, 32, WARP_FULL_MASK, WARP_FULL_MASK, 7,
             "__shfl_down_sync(0xffffffff, value, delta)", NULL);
}

static void sum_by_xor(struct sample *s) {
    for (int32_t offset = 16; offset > 0; offset /= 2) {
        uint64_t got[WARP_LANES];
        step(s, WARP_OP_XOR, offset, 32, WARP_FULL_MASK, WARP_FULL_MASK, 4,
             "__shfl_xor_sync(0xffffffff, sum, offset)", got);
        for (int lane = 0; lane < WARP_LANES; lane++)
            s->value[lane] += got[lane];
    }
    step(s, WARP_OP_WATCH, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 5, "WATCH(sum)", NULL);
}

static void reduce(struct sample *s) {
    begin(s, 4, 32, 1, "warp_sum", "kernels/warp_sum.cu", reduce_source);
    trace_writer_note(s->writer, TRACE_NOTE_TITLE, "sum over a warp");
    sum_by_xor(s);
}

/* The same sum, but all lanes hold the same value from the beginning: that lanes share a value has
 * no meaning. */
static void equal(struct sample *s) {
    begin(s, 4, 32, 1, "warp_sum", "kernels/warp_sum.cu", reduce_source);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = 1;
    sum_by_xor(s);
}

/* The sum by shuffles in one direction: a lane adds the result of its shuffle, which is its own
 * value near the end of the warp. */
static void tree(struct sample *s) {
    begin(s, 4, 32, 1, "warp_tree", "kernels/warp_tree.cu", reduce_source);
    for (int32_t delta = 16; delta > 0; delta /= 2) {
        uint64_t got[WARP_LANES];
        step(s, WARP_OP_DOWN, delta, 32, WARP_FULL_MASK, WARP_FULL_MASK, 4,
             "__shfl_down_sync(0xffffffff, sum, delta)", got);
        for (int lane = 0; lane < WARP_LANES; lane++)
            s->value[lane] += got[lane];
    }
}

static void scan(struct sample *s) {
    begin(s, 4, 32, 1, "scan_8", "kernels/scan_8.cu", reduce_source);
    for (int32_t delta = 1; delta < 8; delta *= 2) {
        uint64_t got[WARP_LANES];
        step(s, WARP_OP_UP, delta, 8, WARP_FULL_MASK, WARP_FULL_MASK, 4,
             "__shfl_up_sync(0xffffffff, sum, delta, 8)", got);
        for (int lane = 0; lane < WARP_LANES; lane++)
            s->value[lane] += lane % 8 >= delta ? got[lane] : 0;
    }
    step(s, WARP_OP_WATCH, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 5, "sum", NULL);
}

/* Groups of four lanes with 3 2 1 0 are sorted in three rounds: 2 3 1 0, 1 0 2 3, 0 1 2 3. */
static void sort(struct sample *s) {
    static const struct {
        int32_t mask;
        int descending; /* a lane with this bit set is in a pair whose lower lane keeps the larger
                           value */
    } rounds[] = {{1, 2}, {2, 0}, {1, 0}};
    begin(s, 4, 32, 1, "sort_4", "kernels/sort_4.cu", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)(3 - lane % 4);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        uint64_t got[WARP_LANES];
        step(s, WARP_OP_XOR, rounds[i].mask, 32, WARP_FULL_MASK, WARP_FULL_MASK, 4,
             "__shfl_xor_sync(0xffffffff, value, laneMask)", got);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            bool larger = !(lane & rounds[i].mask) == !!(lane & rounds[i].descending);
            if (larger ? got[lane] > s->value[lane] : got[lane] < s->value[lane])
                s->value[lane] = got[lane];
        }
    }
    step(s, WARP_OP_WATCH, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 5, "value", NULL);
}

/* A value and its index, in turn. */
static void pairs(struct sample *s) {
    begin(s, 4, 32, 1, "argmax", "kernels/argmax.cu", NULL);
    for (int32_t mask = 2; mask > 0; mask /= 2)
        for (uint32_t part = 0; part < 2; part++) {
            for (int lane = 0; lane < WARP_LANES; lane++)
                s->value[lane] = (uint64_t)lane + part * 100;
            step(s, WARP_OP_XOR, mask, 32, WARP_FULL_MASK, WARP_FULL_MASK, 4 + part,
                 part ? "__shfl_xor_sync(0xffffffff, index, offset)"
                      : "__shfl_xor_sync(0xffffffff, value, offset)",
                 NULL);
        }
}

/* A register of each lane is exchanged with another register of its partner. */
static void trade(struct sample *s, uint64_t low[WARP_LANES], uint64_t high[WARP_LANES],
                  int32_t mask) {
    uint64_t got[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = lane & mask ? low[lane] : high[lane];
    step(s, WARP_OP_XOR, mask, 4, WARP_FULL_MASK, WARP_FULL_MASK, 4,
         "__shfl_xor_sync(0xffffffff, give, laneMask, 4)", got);
    for (int lane = 0; lane < WARP_LANES; lane++)
        *(lane & mask ? &low[lane] : &high[lane]) = got[lane];
}

static void transpose(struct sample *s) {
    static const char *const names[] = {"a", "b", "c", "d"};
    uint64_t value[4][WARP_LANES];
    begin(s, 4, 32, 1, "transpose", "kernels/transpose.cu", NULL);
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            value[i][lane] = (uint64_t)(lane % 4 * 10 + i);
    trade(s, value[0], value[1], 1);
    trade(s, value[2], value[3], 1);
    trade(s, value[0], value[2], 2);
    trade(s, value[1], value[3], 2);
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(s->value, value[i], sizeof s->value);
        step(s, WARP_OP_WATCH, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 5 + i, names[i], NULL);
    }
}

static void longlong(struct sample *s) {
    begin(s, 8, 32, 1, "shuffle_xor", "kernels/shuffle_xor.cu", kernel_source);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)INT64_MIN + (uint64_t)lane;
    shuffle(s, WARP_OP_XOR, 16, 16, WARP_FULL_MASK);
}

static void numbers(struct sample *s) {
    begin(s, 8, 32, 1, "shuffle_down", "kernels/shuffle_down.cu", NULL);
    s->type = WARP_TYPE_DOUBLE;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        double value = lane % 2 ? 1.0 / (lane + 2) : 1e300 / (lane + 3);
        memcpy(&s->value[lane], &value, sizeof value);
    }
    shuffle(s, WARP_OP_DOWN, 1, 8, WARP_FULL_MASK);
}

static void votes(struct sample *s) {
    begin(s, 4, 32, 1, "votes", "kernels/votes.cu", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)(lane < 8);
    step(s, WARP_OP_BALLOT, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 3,
         "__ballot_sync(0xffffffff, value)", NULL);
    step(s, WARP_OP_REDUCE_ADD, 0, 0, 0xffff, 0xffff, 4, "__reduce_add_sync(0xffff, value)", NULL);
    s->type = WARP_TYPE_NONE;
    memset(s->value, 0, sizeof s->value);
    step(s, WARP_OP_SYNC, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 5, "__syncwarp()", NULL);
}

static void any(struct sample *s) {
    begin(s, 4, 32, 1, "any", "kernels/votes.cu", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)(lane < 8);
    step(s, WARP_OP_ANY, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 3, "__any_sync(0xffffffff, value)",
         NULL);
}

/* A ballot of 20 lanes: of 28 threads, lanes 20-23 have exited, and the mask omits lanes 24-27.
 * Every third lane's predicate is its number. Then an activemask of lanes 0-3 and 8-11. */
static void ballot(struct sample *s) {
    begin(s, 4, 28, 1, "ballot", "kernels/votes.cu", NULL);
    s->exited = 0x00f00000;
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)(lane % 3 == 0 ? lane : 0);
    step(s, WARP_OP_BALLOT, 0, 0, 0x00ffffff, 0x000fffff, 3, "__ballot_sync(0xffffff, value)",
         NULL);
    s->type = WARP_TYPE_NONE;
    memset(s->value, 0, sizeof s->value);
    step(s, WARP_OP_ACTIVEMASK, 0, 0, 0x00000f0f, 0x00000f0f, 5, "__activemask()", NULL);
}

/* Lane 4 calls although the mask leaves it out; lane 1 is in the mask but does not call. */
static void stray(struct sample *s) {
    begin(s, 4, 32, 1, "stray", "kernels/votes.cu", NULL);
    step(s, WARP_OP_ALL, 0, 0, 0x0000000f, 0x0000001d, 3, "__all_sync(0xf, lane)", NULL);
}

/* Twelve lanes with three values: 7 in lanes 0, 2, 3, 7, 10, 11, 3 in lanes 1, 4, 8, 9, and 9 in
 * lanes 5, 6. Then match_all: the twelve lanes do not agree, but lanes 4, 8 and 9 alone do. */
static void match(struct sample *s) {
    static const uint8_t values[] = {7, 3, 7, 7, 3, 9, 9, 7, 3, 3, 7, 7};
    begin(s, 4, 32, 1, "match", "kernels/match.cu", NULL);
    memset(s->value, 0, sizeof s->value);
    for (size_t lane = 0; lane < sizeof values; lane++)
        s->value[lane] = values[lane];
    step(s, WARP_OP_MATCH_ANY, 0, 0, 0xfff, 0xfff, 3, "__match_any_sync(0xfff, value)", NULL);
    step(s, WARP_OP_MATCH_ALL, 0, 0, 0xfff, 0xfff, 4, "__match_all_sync(0xfff, value, &pred)",
         NULL);
    step(s, WARP_OP_MATCH_ALL, 1, 0, 0x310, 0x310, 5, "__match_all_sync(0x310, value, &pred)",
         NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->value[lane] = (uint64_t)lane * 3;
    step(s, WARP_OP_MATCH_ANY, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 6,
         "__match_any_sync(0xffffffff, value)", NULL);
}

/* The smallest of 20, -7, 3, -7; a sum of four times 2^30, which wraps; 0xc & 0x6 & 0xf & 0x5 =
 * 4. */
static void reductions(struct sample *s) {
    static const int32_t small[] = {20, -7, 3, -7};
    static const uint32_t bits[] = {0xc, 0x6, 0xf, 0x5};
    begin(s, 4, 32, 1, "reductions", "kernels/reduce.cu", NULL);
    for (size_t lane = 0; lane < 4; lane++)
        s->value[lane] = (uint32_t)small[lane];
    step(s, WARP_OP_REDUCE_MIN, 0, 0, 0xf, 0xf, 3, "__reduce_min_sync(0xf, value)", NULL);
    for (size_t lane = 0; lane < 4; lane++)
        s->value[lane] = UINT32_C(1) << 30;
    step(s, WARP_OP_REDUCE_ADD, 0, 0, 0xf, 0xf, 4, "__reduce_add_sync(0xf, value)", NULL);
    s->type = WARP_TYPE_UNSIGNED;
    for (size_t lane = 0; lane < 4; lane++)
        s->value[lane] = bits[lane];
    step(s, WARP_OP_REDUCE_AND, 0, 0, 0xf, 0xf, 5, "__reduce_and_sync(0xf, value)", NULL);
}

/* A shuffle, then a barrier of lanes 0-11 and 16: lanes 12-15 are not in its mask, lane 16 does not
 * call, and lanes 28-31 have exited. */
static void barrier(struct sample *s) {
    begin(s, 4, 32, 1, "barrier", "kernels/wait.cu", NULL);
    shuffle(s, WARP_OP_XOR, 1, 32, WARP_FULL_MASK);
    s->type = WARP_TYPE_NONE;
    memset(s->value, 0, sizeof s->value);
    s->exited = 0xf0000000;
    step(s, WARP_OP_SYNC, 0, 0, 0xf0010fff, 0x00000fff, 3, "__syncwarp(0xf0010fff)", NULL);
}

/* A block of two warps that stopped: in warp 0 lanes 0-7 wait in a shuffle for lanes 8-15, which
 * are at __syncthreads(), where the block waits for lanes 0-7. */
static void stopped(struct sample *s) {
    begin(s, 4, 64, 1, "stopped", "kernels/wait.cu", wait_source);
    for (s->warp = 0; s->warp < 2; s->warp++)
        shuffle(s, WARP_OP_XOR, 1, 32, WARP_FULL_MASK);
    s->warp = 0;
    s->unfinished = true;
    step(s, WARP_OP_DOWN, 4, 32, 0x0000ffff, 0x000000ff, 7, "__shfl_down_sync(0xffff, value, 4)",
         NULL);
    trace_writer_note(s->writer, TRACE_NOTE_FAILURE, "lanes wait for each other forever");
    trace_writer_note(s->writer, TRACE_NOTE_FAILURE_KIND, "deadlock");
    trace_writer_note(s->writer, TRACE_NOTE_WAITING,
                      "block 0 0 0\n"
                      "barrier 0 ffffff00 kernels/wait.cu:9 __syncthreads()\n"
                      "barrier 1 ffffffff kernels/wait.cu:9 __syncthreads()\n"
                      "missing 0 000000ff\n");
}

/* Lanes 0-15 call first, then lanes 16-23; the others make no more calls. */
static void parted(struct sample *s) {
    begin(s, 4, 32, 1, "parted", "kernels/parted.cu", parted_source);
    step(s, WARP_OP_XOR, 1, 32, 0x0000ffff, 0x0000ffff, 4, "__shfl_xor_sync(0xffff, value, 1)",
         NULL);
    step(s, WARP_OP_XOR, 2, 32, 0x00ff0000, 0x00ff0000, 6, "__shfl_xor_sync(0xff0000, value, 2)",
         NULL);
}

/* A tile of 4 rows of 32 words: warp 0 writes row 0, and warp 1 writes row 1. Then lane l of warp 0
 * reads word l / 4 of row l % 4, so four words from each of the banks 0 to 7; all lanes add to word
 * 1; and eight lanes write 16 bytes each, from row 2 on. */
static void shared(struct sample *s) {
    int32_t offset[WARP_LANES];
    begin(s, 4, 64, 1, "tiles", "kernels/tile.cu", NULL);
    trace_writer_note(s->writer, TRACE_NOTE_SHARED, "0 512 tile\n512 256 other\n");
    s->offset = offset;
    for (s->warp = 0; s->warp < 2; s->warp++) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            s->value[lane] = (uint64_t)lane + s->warp * 32;
            offset[lane] = 4 * lane + 128 * (int32_t)s->warp;
        }
        step(s, WARP_OP_SHARED_WRITE, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 7, "tile[y][x] = x;",
             NULL);
    }
    s->warp = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        s->value[lane] = lane % 4 < 2 ? (uint64_t)(lane % 4 * 32 + lane / 4) : 0;
        offset[lane] = lane % 4 * 128 + lane / 4 * 4;
    }
    step(s, WARP_OP_SHARED_READ, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 9, "v = tile[x % 4][x / 4];",
         NULL);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        s->value[lane] = (uint64_t)lane + 2;
        offset[lane] = 4;
    }
    step(s, WARP_OP_SHARED_ATOMIC, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 10,
         "atomicAdd(&tile[0][1], 1);", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = 256 + 16 * lane;
    step(s, WARP_OP_SHARED_WRITE, 0, 16, 0xff, 0xff, 11, "quads[x] = q;", NULL);
}

/* A column of a tile of 32 by 32 ints: all lanes access one bank, in more rows than most screens
 * have. */
static void column(struct sample *s) {
    int32_t offset[WARP_LANES];
    begin(s, 4, 32, 1, "column", "kernels/column.cu", NULL);
    trace_writer_note(s->writer, TRACE_NOTE_SHARED, "0 4096 tile\n");
    s->offset = offset;
    for (int lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = 128 * lane;
    step(s, WARP_OP_SHARED_READ, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 9, "v = tile[x][0];", NULL);
}

/* Every other float of an array is read, then one member of each 12-byte structure; all lanes add
 * to a word of a variable; eight lanes write 16 bytes each, a sector apart. */
static void global(struct sample *s) {
    int32_t offset[WARP_LANES];
    begin(s, 4, 32, 1, "walk", "kernels/walk.cu", NULL);
    trace_writer_note(s->writer, TRACE_NOTE_GLOBAL, "0 4096 @1 walk\n4096 384 @\n4608 32 table\n");
    s->offset = offset;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        s->value[lane] = 2 * (uint64_t)lane;
        offset[lane] = 8 * lane;
    }
    step(s, WARP_OP_GLOBAL_READ, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 7, "sum = in[2 * i];", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = 4096 + 12 * lane;
    step(s, WARP_OP_GLOBAL_READ, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 8, "sum += points[i].x;",
         NULL);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        s->value[lane] = (uint64_t)lane + 1;
        offset[lane] = 4608 + 8;
    }
    step(s, WARP_OP_GLOBAL_ATOMIC, 0, 4, WARP_FULL_MASK, WARP_FULL_MASK, 9,
         "atomicAdd(&table[2], 1);", NULL);
    for (int lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = 256 + 32 * lane;
    step(s, WARP_OP_GLOBAL_WRITE, 0, 16, 0xff, 0xff, 10, "quads[2 * i] = q;", NULL);
}

/* Four launches of three kernels: sums of two warps, two rounds each; a vote in two blocks; a sum
 * whose lanes 4-7 read beyond their mask; and a launch without steps. */
static void program(struct sample *s) {
    static const struct trace_launch later[] = {{"vote", {2, 1, 1}, {32, 1, 1}, 0},
                                                {"sum", {1, 1, 1}, {64, 1, 1}, 0},
                                                {"idle", {4, 4, 1}, {16, 16, 1}, 0}};
    begin(s, 4, 64, 1, "sum", "src/program.cu", NULL);
    for (s->warp = 0; s->warp < 2; s->warp++)
        for (int32_t delta = 2; delta > 0; delta--)
            step(s, WARP_OP_DOWN, delta, 32, WARP_FULL_MASK, WARP_FULL_MASK, 7,
                 "__shfl_down_sync(0xffffffff, sum, delta)", NULL);
    s->warp = 0;
    s->launch = trace_writer_launch(s->writer, &later[0]);
    for (s->block = 0; s->block < 2; s->block++)
        step(s, WARP_OP_BALLOT, 0, 0, WARP_FULL_MASK, WARP_FULL_MASK, 20,
             "__ballot_sync(0xffffffff, value)", NULL);
    s->block = 0;
    s->launch = trace_writer_launch(s->writer, &later[1]);
    step(s, WARP_OP_DOWN, 4, 32, 0xff, 0xff, 9, "__shfl_down_sync(0xff, sum, 4)", NULL);
    trace_writer_launch(s->writer, &later[2]);
}

static void says(struct sample *s, unsigned stream, const char *text) {
    trace_writer_output(s->writer, stream, text, strlen(text));
}

/* One launch of two steps. One line is printed before them, two between them (one with a colour and
 * a tab), and one after them without a line end; more was printed than kept. */
static void printing(struct sample *s) {
    begin(s, 4, 32, 1, "sum", "src/program.cu", NULL);
    says(s, 1, "begins\n");
    step(s, WARP_OP_DOWN, 2, 32, WARP_FULL_MASK, WARP_FULL_MASK, 7,
         "__shfl_down_sync(0xffffffff, sum, delta)", NULL);
    says(s, 1, "round\t1: \033[32mfine\033[0m\n");
    says(s, 2,
         "a warning that is so long that no line of a small terminal can take the whole of "
         "it, and not even two\n");
    step(s, WARP_OP_DOWN, 1, 32, WARP_FULL_MASK, WARP_FULL_MASK, 7,
         "__shfl_down_sync(0xffffffff, sum, delta)", NULL);
    says(s, 1, "sum = ");
    trace_writer_output_cut(s->writer, 4096);
}

static const struct {
    const char *name;
    void (*fill)(struct sample *sample);
} samples[] = {
    {"shared", shared},
    {"column", column},
    {"global", global},
    {"xor-3-w16", xor3},
    {"xor-16-w16", xor16},
    {"down-3-w16", down3},
    {"down-33-w32", down33},
    {"up-40-w8", up40},
    {"idx-17-w16", idx17},
    {"partial-mask", partial},
    {"waiting", waiting},
    {"width-12", width12},
    {"width-1", width1},
    {"threads-35", threads35},
    {"measured-35", measured35},
    {"reduce", reduce},
    {"equal", equal},
    {"long-long", longlong},
    {"double", numbers},
    {"dropped", dropped},
    {"wrong", wrong},
    {"extreme", extreme},
    {"votes", votes},
    {"any", any},
    {"ballot", ballot},
    {"stray", stray},
    {"match", match},
    {"reductions", reductions},
    {"barrier", barrier},
    {"stopped", stopped},
    {"program", program},
    {"printing", printing},
    {"tree", tree},
    {"scan", scan},
    {"sort", sort},
    {"pairs", pairs},
    {"transpose", transpose},
    {"parted", parted},
};
#define SAMPLES (sizeof samples / sizeof *samples)

struct trace *sample_open(const char *name) {
    for (size_t i = 0; i < SAMPLES; i++) {
        if (strcmp(samples[i].name, name) != 0)
            continue;
        struct sample sample;
        struct trace *trace = NULL;
        struct error err = ERROR_INIT;
        samples[i].fill(&sample);
        must(trace_writer_close(sample.writer, &trace, &err), &err);
        return trace;
    }
    return NULL;
}

const char *const *sample_names(void) {
    static const char *names[SAMPLES + 1];
    for (size_t i = 0; i < SAMPLES; i++)
        names[i] = samples[i].name;
    return names;
}
