/* The records that are possible, on both sides of each limit, and the step read from a record. */
#include "sample.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FULL_MASK    0xffffffffu

/* One record of launch 0, whose blocks have `threads` threads; all lanes present have the same
 * values. */
struct made {
    int op, type, width, arg;
    uint32_t present;
    uint64_t in, out, block;
    uint32_t warp, exited, flags;
};

static struct trace *recording(const struct made *made, unsigned value_bytes, uint32_t threads) {
    struct trace_writer *writer;
    struct trace *trace;
    const struct trace_writer_options options = {.value_bytes = value_bytes};
    const struct trace_launch launch = {"k", {3, 5, 7}, {threads, 1, 1}, 0};
    const struct trace_site site = {"a.cu", 2, "f", "s[i]"};
    const struct shflviz_record_header header = {.sequence = 1,
                                                 .block = made->block,
                                                 .warp = made->warp,
                                                 .op = (uint8_t)made->op,
                                                 .type = (uint8_t)made->type,
                                                 .flags = (uint16_t)made->flags,
                                                 .members = made->present,
                                                 .present = made->present,
                                                 .width = made->width,
                                                 .exited = made->exited};
    size_t room = 1;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    unsigned char *record = trace_writer_reserve(writer, &room);
    assert_non_null(record);
    for (unsigned lane = 0; lane < 32; lane++)
        if (made->present >> lane & 1) {
            memcpy(record + 128 + 4 * lane, &made->arg, 4);
            memcpy(record + 256 + value_bytes * lane, &made->in, value_bytes);
            memcpy(record + 256 + value_bytes * (32 + lane), &made->out, value_bytes);
        }
    memcpy(record, &header, sizeof header);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

/* `wrong` is NULL if the record is a valid step. */
static void is(const struct made *made, unsigned value_bytes, uint32_t threads, const char *wrong) {
    struct trace *trace = recording(made, value_bytes, threads);
    struct trace_step step;
    struct error err = ERROR_INIT;
    char expected[300] = "";
    if (wrong)
        snprintf(expected, sizeof expected,
                 "step 0 of the recording is damaged: %s\nCopy the file again from where it came "
                 "from, or record it again.",
                 wrong);
    assert_int_equal(trace_step(trace, 0, &step, &err), wrong ? -1 : 0);
    assert_string_equal(err.text, expected);
    trace_close(trace);
}

/* Accesses by a full warp and by one lane; with 4-byte and 8-byte values. */
static void test_accesses(void **state) {
    static const char wrong[] = "an access has an invalid address or size";
    static const struct {
        int width, arg;
        bool is_possible;
    } cases[] = {{1, 0, true},
                 {16, 0, true},
                 {0, 0, false},
                 {17, 0, false},
                 {-1, 0, false},
                 {4, INT32_MAX - 4, true},
                 {4, INT32_MAX - 3, false},
                 {4, -1, false},
                 {8, INT32_MIN, false},
                 {2, 1, true},
                 {INT32_MIN, 0, false}};
    (void)state;
    for (int op = WARP_OP_SHARED_READ; op <= WARP_OP_GLOBAL_ATOMIC; op++)
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct made made = {.op = op, .width = cases[i].width, .arg = cases[i].arg};
            made.present = i % 2 ? FULL_MASK : 0x80000000;
            is(&made, i % 3 ? 4 : 8, 32, cases[i].is_possible ? NULL : wrong);
            made.present ^= 0x7fffffff;
            is(&made, i % 3 ? 8 : 4, 32, cases[i].is_possible ? NULL : wrong);
            made.op = WARP_OP_DOWN; /* a shuffle may have any width and argument */
            is(&made, 8, 32, NULL);
        }
}

/* Values have no more bits than their type; an access may have several values. */
static void test_values(void **state) {
    static const char wrong[] = "a value does not fit its type";
    static const struct {
        int op, type;
        uint64_t in, out;
        bool fits;
    } cases[] = {
        {WARP_OP_IDX, WARP_TYPE_HALF, 0xffff, 0xffff, true},
        {WARP_OP_IDX, WARP_TYPE_HALF, 0x10000, 0, false},
        {WARP_OP_IDX, WARP_TYPE_BFLOAT16, 0, 0x10000, false},
        {WARP_OP_IDX, WARP_TYPE_HALF2, UINT32_MAX, UINT32_MAX, true},
        {WARP_OP_IDX, WARP_TYPE_FLOAT, UINT64_C(1) << 32, 0, false},
        {WARP_OP_IDX, WARP_TYPE_UNSIGNED, 0, UINT64_C(1) << 32, false},
        {WARP_OP_IDX, WARP_TYPE_DOUBLE, UINT64_MAX, UINT64_MAX, true},
        {WARP_OP_BALLOT, WARP_TYPE_INT, 0, UINT32_MAX, true},
        {WARP_OP_BALLOT, WARP_TYPE_INT, 0, UINT64_C(1) << 32, false},
        {WARP_OP_MATCH_ANY, WARP_TYPE_LONG, UINT64_MAX, UINT32_MAX, true},
        {WARP_OP_MATCH_ANY, WARP_TYPE_LONG, 0, UINT64_C(1) << 32, false},
        {WARP_OP_SYNC, WARP_TYPE_NONE, 0, UINT32_MAX, true}, /* a device may leave garbage */
        {WARP_OP_SYNC, WARP_TYPE_NONE, 0, UINT64_C(1) << 32, false},
        {WARP_OP_SYNC, WARP_TYPE_NONE, 1, 0, false},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_HALF, UINT64_MAX, UINT64_MAX, true},
        {WARP_OP_GLOBAL_READ, WARP_TYPE_FLOAT, UINT64_MAX, UINT64_MAX, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int full = 0; full < 2; full++) {
            const struct made made = {.op = cases[i].op,
                                      .type = cases[i].type,
                                      .width = 16,
                                      .present = full ? FULL_MASK : 0x80000000,
                                      .in = cases[i].in,
                                      .out = cases[i].out};
            is(&made, 8, 32, cases[i].fits ? NULL : wrong);
        }
}

/* The threads of a block determine how many warps it has, and how many lanes the last warp has. */
static void test_warps(void **state) {
    static const struct {
        uint32_t threads, warp, launched; /* 0 if there is no such warp */
    } cases[] = {{1, 0, 1},
                 {1, 1, 0},
                 {31, 0, 0x7fffffff},
                 {32, 0, FULL_MASK},
                 {32, 1, 0},
                 {33, 0, FULL_MASK},
                 {33, 1, 1},
                 {33, 2, 0},
                 {63, 1, 0x7fffffff},
                 {64, 1, FULL_MASK},
                 {64, 2, 0},
                 {65, 2, 1},
                 {1024, 31, FULL_MASK},
                 {1024, 32, 0},
                 {1023, 31, 0x7fffffff}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct made made = {.width = 32, .warp = cases[i].warp, .present = 1};
        const uint32_t launched = cases[i].launched;
        is(&made, 4, cases[i].threads, launched ? NULL : "the launch has no such warp");
        if (!launched)
            continue;
        struct trace *trace = recording(&made, 4, cases[i].threads);
        struct trace_step step;
        assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
        assert_int_equal(step.operation.launched, launched);
        trace_close(trace);
        made.present = launched;
        is(&made, 4, cases[i].threads, NULL);
        made.present = launched & 1;
        made.exited = launched & ~1u;
        is(&made, 4, cases[i].threads, NULL);
        made.exited = launched;
        is(&made, 4, cases[i].threads, "lanes marked as exited make the call or do not exist");
        if (launched == FULL_MASK)
            continue;
        made.exited = launched + 1;
        is(&made, 4, cases[i].threads, "lanes marked as exited make the call or do not exist");
        made.exited = 0;
        made.present = launched | (launched + 1);
        is(&made, 4, cases[i].threads, "its set of lanes is invalid");
    }
}

/* Blocks of a grid of 3 by 5 by 7, x first. */
static void test_blocks(void **state) {
    static const struct {
        uint64_t block;
        uint32_t index[3];
    } cases[] = {{0, {0, 0, 0}},  {1, {1, 0, 0}},  {2, {2, 0, 0}},   {3, {0, 1, 0}},
                 {14, {2, 4, 0}}, {15, {0, 0, 1}}, {104, {2, 4, 6}}, {52, {1, 2, 3}}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct made made = {.width = 32,
                                  .block = cases[i].block,
                                  .present = 1,
                                  .flags = 1u << i % 4}; /* bit 0 does not affect these */
        struct trace *trace = recording(&made, 4, 32);
        struct trace_step step;
        assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
        assert_int_equal(step.block, cases[i].block);
        for (int k = 0; k < 3; k++)
            assert_int_equal(step.block_index[k], cases[i].index[k]);
        assert_int_equal(step.exited_known, i % 4 == 1);
        assert_int_equal(step.mask_diverges, i % 4 == 2);
        assert_int_equal(step.operation.unfinished, i % 4 == 3);
        trace_close(trace);
    }
    const struct made beyond = {.width = 32, .block = 105, .present = 1};
    is(&beyond, 4, 32, "the launch has no such warp");
}

/* ---- marks ---- */

/* Marks are found by the number of the step, however many there are. A mark that is not after all
 * earlier marks is left out. */
static void test_marks(void **state) {
    enum { STEPS = 12 };
    (void)state;
    for (unsigned set = 0; set < 1u << STEPS; set += 37) { /* the marked steps */
        struct trace_writer *writer = sample_writer(NULL, 4);
        struct trace *trace;
        uint64_t last = 0;
        sample_steps(writer, 4, STEPS);
        for (unsigned n = 0; n < STEPS; n++)
            if (set >> n & 1) {
                trace_writer_mark(writer, n, n + 1, 100 + n);
                last = n;
            }
        if (set) {
            trace_writer_mark(writer, last, 7, 7);
            trace_writer_mark(writer, 0, 7, 7);
        }
        assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
        for (unsigned n = 0; n < STEPS; n++) {
            struct trace_step step;
            assert_int_equal(trace_step(trace, n, &step, NULL), 0);
            assert_int_equal(step.operation.doubtful_in, set >> n & 1 ? n + 1 : 0);
            assert_int_equal(step.operation.doubtful_out, set >> n & 1 ? 100 + n : 0);
        }
        trace_close(trace);
    }
}

/* ---- registers ---- */

/* Registers belong to the step they were kept for, whatever the order in which they were written;
 * other steps have none. */
static void test_registers(void **state) {
    static const uint64_t order[] = {7, 2, 5};
    uint32_t narrow[2 * WARP_LANES];
    uint64_t wide[WARP_LANES];
    (void)state;
    struct trace_writer *writer = sample_writer(NULL, 4);
    struct trace *trace;
    sample_steps(writer, 4, 9);
    for (size_t i = 0; i < 3; i++) {
        for (unsigned n = 0; n < 2 * WARP_LANES; n++)
            narrow[n] = (uint32_t)order[i] * 1000 + n;
        for (unsigned n = 0; n < WARP_LANES; n++)
            wide[n] = (order[i] << 40) + n;
        trace_writer_registers(writer, &(struct trace_registers){
                                           .step = order[i],
                                           .lanes = 0x7fffffff,
                                           .instruction = "mma.sync",
                                           .count = 2,
                                           .operands = {{'a', 2, 4, narrow}, {'d', 1, 8, wide}}});
    }
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    for (uint64_t step = 0; step < 9; step++) {
        const struct trace_registers *found = trace_registers(trace, step);
        assert_int_equal(found != NULL, step == 2 || step == 5 || step == 7);
        if (!found)
            continue;
        assert_int_equal(found->lanes, 0x7fffffff);
        assert_string_equal(found->instruction, "mma.sync");
        assert_int_equal(found->count, 2);
        assert_int_equal(found->operands[1].letter, 'd');
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            assert_int_equal(trace_register(&found->operands[0], 1, lane), step * 1000 + 32 + lane);
            assert_int_equal(trace_register(&found->operands[1], 0, lane), (step << 40) + lane);
        }
    }
    assert_null(trace_note(trace, TRACE_NOTE_REGISTERS_CUT));
    trace_close(trace);
}

/* Beyond the limit, steps are counted. One entry has 8 + 24 bytes, the name's 4 + 1, 12 of the
 * operand and 8 * 32 * 8 of values, up to a multiple of 8. */
static void test_registers_cut(void **state) {
    static const uint64_t values[8 * WARP_LANES];
    const uint64_t entry = 2096, kept = TRACE_REGISTERS_BYTES / entry;
    (void)state;
    struct trace_writer *writer = sample_writer(NULL, 4);
    struct trace *trace;
    sample_steps(writer, 4, 1);
    for (uint64_t i = 0; i < kept + 3; i++)
        trace_writer_registers(
            writer,
            &(struct trace_registers){
                .step = i, .instruction = "x", .count = 1, .operands = {{'r', 8, 8, values}}});
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    assert_non_null(trace_registers(trace, kept - 1));
    assert_null(trace_registers(trace, kept));
    assert_string_equal(trace_note(trace, TRACE_NOTE_REGISTERS_CUT), "3");
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers), cmocka_unit_test(test_registers_cut),
        cmocka_unit_test(test_accesses),  cmocka_unit_test(test_values),
        cmocka_unit_test(test_warps),     cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
