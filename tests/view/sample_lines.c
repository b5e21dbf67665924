/*
 * Lines are added one by one with the values that a real run has, so that the tests of variables
 * and origins need no compiler.
 */
#include "sample_lines.h"

#include "trace/lines/code.h"
#include "trace/lines/origins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "__global__ void sum(int n) {\n"
                             "    int lane = threadIdx.x, other;\n"
                             "    int mine = 3 * lane;\n"
                             "    if (lane < 16)\n"
                             "        mine += n;\n"
                             "    other = __shfl_xor_sync(0xffffffff, mine, 16);\n"
                             "    mine += other;\n"
                             "}\n";

static const char whose_source[] = "__global__ void sum(const int *in, int n) {\n"
                                   "    int lane = threadIdx.x, other;\n"
                                   "    int mine = in[lane];\n"
                                   "    if (lane < 16)\n"
                                   "        mine += n;\n"
                                   "    other = __shfl_xor_sync(0xffffffff, mine, 16);\n"
                                   "    mine += other;\n"
                                   "}\n";

enum { N, LANE, OTHER, MINE, VARIABLES };
static const struct trace_variable variables[VARIABLES] = {[N] = {"n", WARP_TYPE_INT, 4},
                                                           [LANE] = {"lane", WARP_TYPE_INT, 4},
                                                           [OTHER] = {"other", WARP_TYPE_INT, 4},
                                                           [MINE] = {"mine", WARP_TYPE_INT, 4}};
static const uint32_t numbers[] = {1, 2, 3, 4, 5, 6, 7};
static const uint64_t scopes[] = {1, 15, 15, 15, 15, 15, 15};

static int mine(int lane) {
    return 3 * lane + (lane < 16 ? 100 : 0);
}

static int value_of(int variable, int line, int lane) {
    switch (variable) {
    case N:
        return 100;
    case LANE:
        return lane;
    case OTHER:
        return mine(lane ^ 16);
    default:
        return line == 3 ? 3 * lane : line == 5 ? mine(lane) : mine(lane) + mine(lane ^ 16);
    }
}

struct lines {
    struct line_coder coder;
    struct text bytes;
    uint32_t count;
};

static void add_line(struct lines *to, uint32_t line, uint32_t lanes, uint64_t steps,
                     int variable) {
    const struct line_code code = {.line = line - 1,
                                   .lanes = lanes,
                                   .enters = line == 1,
                                   .step = steps,
                                   .change_count = variable < VARIABLES};
    line_code_put(&to->coder, &to->bytes, &code);
    to->count++;
    if (variable == VARIABLES)
        return;
    struct line_code_change change = {.variable = (uint32_t)variable, .lanes = lanes};
    for (int lane = 0; lane < WARP_LANES; lane++)
        change.value[lane] = (uint32_t)value_of(variable, (int)line, lane);
    line_code_put_change(&to->coder, &to->bytes, &change, WARP_TYPE_INT, VARIABLES);
}

static void add_shuffle(struct trace_writer *writer, uint32_t site) {
    size_t room;
    unsigned char *record = trace_writer_reserve(writer, &room);
    struct shflviz_record_header header = {.op = WARP_OP_XOR,
                                           .type = WARP_TYPE_INT,
                                           .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
                                           .members = 0xffffffff,
                                           .present = 0xffffffff,
                                           .width = 32,
                                           .site = site};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int32_t values[] = {16, mine(lane), mine(lane ^ 16)};
        memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, &values[0], 4);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_IN + 4 * lane, &values[1], 4);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(4) + 4 * lane, &values[2], 4);
    }
    header.sequence = trace_writer_next_sequence(writer);
    memcpy(record, &header, sizeof header);
}

/* ---- origins of values ---- */

struct made {
    struct text bytes;
    uint32_t count;
};

static uint32_t add_node(struct made *made, enum trace_origin_kind kind, uint32_t a, uint32_t b,
                         uint64_t extra, uint32_t line) {
    const struct trace_origin node = {kind, a, b, line, extra};
    trace_origin_put_node(&made->bytes, &node);
    return made->count++;
}

static void add_value(struct made *made, uint64_t line, uint32_t variable, int lane,
                      uint32_t node) {
    const struct trace_origin_value value = {0, 0, 0, line, variable, (uint32_t)lane, node};
    trace_origin_put_value(&made->bytes, &value, 0);
}

static void add_origins(struct trace_writer *writer) {
    struct made made = {.bytes = TEXT_INIT};
    uint32_t node[WARP_LANES], moved[WARP_LANES];
    trace_origin_put_text(&made.bytes, "in");
    trace_origin_put_text(&made.bytes, "n");
    add_node(&made, TRACE_ORIGIN_NONE, 0, 0, 0, 0);
    add_node(&made, TRACE_ORIGIN_CONSTANT, 0, 0, 0, 0);
    const uint32_t argument = add_node(&made, TRACE_ORIGIN_ARGUMENT, 1, 0, 0, 0);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        node[lane] = add_node(&made, TRACE_ORIGIN_ELEMENT, 0, 0, (uint64_t)lane, 0);
        add_value(&made, 2, MINE, lane, node[lane]);
    }
    for (int lane = 0; lane < 16; lane++) {
        node[lane] = add_node(&made, TRACE_ORIGIN_SUM, node[lane], argument, 0, 5);
        add_value(&made, 4, MINE, lane, node[lane]);
    }
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int from = lane ^ 16;
        moved[lane] =
            add_node(&made, TRACE_ORIGIN_MOVED, node[from], (uint32_t)(lane << 8 | from), 0, 6);
        add_value(&made, 5, OTHER, lane, moved[lane]);
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        add_value(&made, 6, MINE, lane,
                  add_node(&made, TRACE_ORIGIN_SUM, node[lane], moved[lane], 0, 7));
    trace_writer_origins(writer, made.bytes.data, made.bytes.length);
    text_release(&made.bytes);
}

static struct trace *open_sample(bool tells_whose) {
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"sum", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_site site = {"sum.cu", 6, "", "__shfl_xor_sync(0xffffffff, mine, 16)"};
    const struct trace_function function = {"sum.cu", "sum",  VARIABLES, 7, variables,
                                            numbers,  scopes, NULL,      0};
    struct lines lines = {.bytes = TEXT_INIT};
    struct trace_writer *writer;
    struct trace *trace;
    struct error err = ERROR_INIT;
    if (trace_writer_open(&writer, NULL, &options, &err) != 0)
        abort();
    trace_writer_launch(writer, &launch);
    trace_writer_source(writer, "sum.cu", tells_whose ? whose_source : source);
    trace_writer_function(writer, &function);
    add_line(&lines, 1, 0xffffffff, 0, N);
    add_line(&lines, 2, 0xffffffff, 0, LANE);
    add_line(&lines, 3, 0xffffffff, 0, MINE);
    add_line(&lines, 4, 0xffffffff, 0, VARIABLES);
    add_line(&lines, 5, 0x0000ffff, 0, MINE);
    add_line(&lines, 6, 0xffffffff, 1, OTHER);
    add_line(&lines, 7, 0xffffffff, 1, MINE);
    const struct trace_line_chunk chunk = {
        0, 0, 0, lines.count, lines.bytes.data, lines.bytes.length};
    trace_writer_lines(writer, &chunk);
    add_shuffle(writer, trace_writer_site(writer, &site));
    if (tells_whose)
        add_origins(writer);
    line_coder_release(&lines.coder);
    text_release(&lines.bytes);
    if (trace_writer_close(writer, &trace, &err) != 0) {
        fprintf(stderr, "sample_lines: %s\n", err.text);
        abort();
    }
    return trace;
}

struct trace *sample_lines_open(void) {
    return open_sample(false);
}

struct trace *sample_whose_open(void) {
    return open_sample(true);
}
