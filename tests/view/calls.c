#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call {
    const char *name;
    enum warp_op op;
    enum warp_type type;
    uint32_t members, present, launched, exited;
    uint64_t in[WARP_LANES]; /* all later lanes get the last nonzero value, too */
};

#define ALL WARP_FULL_MASK
static const uint64_t minus_three = 0xfffffffd, most = INT32_MAX;

static const struct call table[] = {
    /* Lanes 4 and 5 call although the mask leaves them out. */
    {"sum-stray", WARP_OP_REDUCE_ADD, WARP_TYPE_INT, 0x0f, 0x3f, ALL, 0, {5, minus_three, 2, 7}},
    /* Lane 3 is in the mask but does not call, so the others' results are undefined. */
    {"sum-missing", WARP_OP_REDUCE_ADD, WARP_TYPE_INT, 0x0f, 0x07, ALL, 0, {1, 2, 3}},
    /* Sums at the limit of the type's range, and beyond it. */
    {"sum-most", WARP_OP_REDUCE_ADD, WARP_TYPE_INT, 0x30, 0x30, ALL, 0, {0, 0, 0, 0, most - 1, 1}},
    {"sum-above", WARP_OP_REDUCE_ADD, WARP_TYPE_INT, 0x30, 0x30, ALL, 0, {0, 0, 0, 0, most, 1}},
    {"sum-unsigned", WARP_OP_REDUCE_ADD, WARP_TYPE_UNSIGNED, 3, 3, ALL, 0, {0xfffffff0, 15}},
    {"sum-unsigned-above", WARP_OP_REDUCE_ADD, WARP_TYPE_UNSIGNED, 3, 3, ALL, 0, {0xfffffff0, 16}},
    {"sum-all", WARP_OP_REDUCE_ADD, WARP_TYPE_INT, ALL, ALL, ALL, 0, {1000}},
    {"max-unsigned", WARP_OP_REDUCE_MAX, WARP_TYPE_UNSIGNED, 0xf0000000, 0xf0000000, ALL, 0, {9}},
    {"max-last", WARP_OP_REDUCE_MAX, WARP_TYPE_INT, 1u << 31, 1u << 31, ALL, 0, {minus_three}},
    {"max-large", WARP_OP_REDUCE_MAX, WARP_TYPE_INT, 1u << 31, 1u << 31, ALL, 0, {most}},
    {"min-first", WARP_OP_REDUCE_MIN, WARP_TYPE_INT, 0xf, 0xf, ALL, 0, {3, 9}},
    {"or", WARP_OP_REDUCE_OR, WARP_TYPE_UNSIGNED, 6, 6, ALL, 0, {0, 0x10, 1}},
    {"xor", WARP_OP_REDUCE_XOR, WARP_TYPE_INT, 6, 6, ALL, 0, {0, 0xf0000000, 0x8000000f}},
    /* Votes whose predicates are all zero, or all nonzero, or whose result is undefined. */
    {"any-none", WARP_OP_ANY, WARP_TYPE_INT, 0xff, 0xff, ALL, 0, {0}},
    {"all-yes", WARP_OP_ALL, WARP_TYPE_INT, 0xff, 0xff, 0xffff, 0, {1}},
    {"ballot-missing", WARP_OP_BALLOT, WARP_TYPE_INT, 0xff, 0x7f, ALL, 0, {1}},
    {"ballot-all", WARP_OP_BALLOT, WARP_TYPE_INT, ALL, ALL, ALL, 0, {0, 1}},
    /* Lanes in every state: calling, calling outside the mask, awaited, exited, not in the mask,
     * and nonexistent. */
    {"ballot-every", WARP_OP_BALLOT, WARP_TYPE_INT, 0x07, 0x0d, 0x3f, 0x10, {1}},
    {"sync-every", WARP_OP_SYNC, WARP_TYPE_NONE, 0x07, 0x0d, 0x3f, 0x10, {0}},
    /* Matches of values that fill the available columns, and a match_all with a lane outside its
     * mask. */
    {"match-long",
     WARP_OP_MATCH_ANY,
     WARP_TYPE_LONG_LONG,
     0xf000000f,
     0xf000000f,
     ALL,
     0,
     {INT64_MAX, 1, INT64_MAX, 2}},
    {"match-two", WARP_OP_MATCH_ANY, WARP_TYPE_INT, ALL, ALL, ALL, 0, {1, 2}},
    {"match-stray", WARP_OP_MATCH_ALL, WARP_TYPE_INT, 0x0e, 0x1e, ALL, 0, {4}},
};

static void must(int status, const struct error *err) {
    if (status == 0)
        return;
    fprintf(stderr, "calls: %s\n", err->text);
    abort();
}

static struct trace *record(const struct call *call) {
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    const unsigned bytes = call->type == WARP_TYPE_LONG_LONG ? 8 : 4;
    const struct trace_writer_options options = {.value_bytes = bytes};
    const unsigned threads = 32u - (unsigned)(call->launched ? __builtin_clz(call->launched) : 0);
    const struct trace_launch launch = {"made", {1, 1, 1}, {threads, 1, 1}, 0};
    const struct trace_site site = {"kernels/made.cu", 3, "", "value = made(value)"};
    struct warp_operation operation = {.op = call->op,
                                       .type = call->type,
                                       .members = call->members,
                                       .present = call->present,
                                       .launched = call->launched,
                                       .exited = call->exited};
    uint64_t last = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool more = false;
        for (int i = lane; i < WARP_LANES; i++)
            more = more || call->in[i] != 0;
        operation.in[lane] = last = more ? call->in[lane] : last;
    }
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    must(trace_writer_open(&writer, NULL, &options, &err), &err);
    trace_writer_launch(writer, &launch);
    trace_writer_note(writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
    size_t count = 1;
    const int32_t agree = call->op == WARP_OP_MATCH_ALL; /* the predicate: all lanes agree */
    unsigned char *at = trace_writer_reserve(writer, &count);
    struct shflviz_record_header header = {.op = (uint8_t)call->op,
                                           .type = (uint8_t)call->type,
                                           .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
                                           .members = call->members,
                                           .present = call->present,
                                           .exited = call->exited,
                                           .site = trace_writer_site(writer, &site),
                                           .sequence = 1};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(call->present >> lane & 1))
            continue;
        const size_t place = (size_t)lane * bytes;
        memcpy(at + SHFLVIZ_RECORD_OFFSET_ARG + (size_t)lane * 4, &agree, 4);
        memcpy(at + SHFLVIZ_RECORD_OFFSET_IN + place, &operation.in[lane], bytes);
        memcpy(at + SHFLVIZ_RECORD_OFFSET_OUT(bytes) + place, &outcome[lane].value, bytes);
    }
    memcpy(at, &header, sizeof header);
    must(trace_writer_close(writer, &trace, &err), &err);
    return trace;
}

struct trace *call_open(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return record(&table[i]);
    return NULL;
}
