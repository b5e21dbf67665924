/* Predicted results against the rules of the CUDA C++ Programming Guide, lane by lane. */
#include "sample.h"

#include "trace/compact/prediction.h"
#include "warp/type.h"
#include "warp/warp.h"

#include <string.h>

#define LANES SHFLVIZ_RECORD_LANES

static uint64_t value_of(uint32_t lane) {
    return UINT64_C(0x100000000) * (lane + 1) + 1000 + lane;
}

/* A step of all lanes, each with a different value. */
static struct prediction_step step_of(uint8_t op, int32_t width, uint32_t arg) {
    struct prediction_step step = {
        .head = {.op = op, .width = width, .members = 0xffffffff, .present = 0xffffffff}};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        step.arg[lane] = arg;
        step.in[lane] = value_of(lane);
    }
    return step;
}

/* The lane that a lane reads; CUDA C++ Programming Guide, warp shuffle functions. */
static uint32_t read_lane(unsigned op, uint32_t lane, uint32_t arg, uint32_t width) {
    const uint32_t base = lane / width * width, end = base + width;
    switch (op) {
    case WARP_OP_IDX:
        return base + arg % width;
    case WARP_OP_UP:
        return lane - base >= arg ? lane - arg : lane;
    case WARP_OP_DOWN:
        return arg < end - lane ? lane + arg : lane;
    default:
        return (lane ^ arg) < end ? lane ^ arg : lane;
    }
}

static void check_reads(const struct prediction_step *step, const uint32_t source[LANES]) {
    uint64_t predicted[LANES + 1];
    memset(predicted, 0x5a, sizeof(predicted));
    prediction_out(step, predicted);
    for (uint32_t lane = 0; lane < LANES; lane++)
        assert_int_equal(predicted[lane], value_of(source[lane]));
    assert_int_equal(predicted[LANES], UINT64_C(0x5a5a5a5a5a5a5a5a));
}

static void check_brief(const struct prediction_step *step, const uint32_t source[LANES]) {
    unsigned char record[SHFLVIZ_RECORD_SIZE(4)];
    uint32_t in[LANES], out[LANES];
    struct prediction_step loaded;
    memset(record, 0xa5, sizeof(record));
    memset(&loaded, 0x77, sizeof(loaded));
    for (uint32_t lane = 0; lane < LANES; lane++)
        in[lane] = (uint32_t)step->in[lane];
    memcpy(record, &step->head, sizeof(step->head));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, step->arg, sizeof(step->arg[0]));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, in, sizeof(in));
    prediction_load_brief(&loaded, record);
    assert_memory_equal(&loaded.head, &step->head, sizeof(step->head));
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_int_equal(loaded.lane_width[lane], 0);
        assert_int_equal(loaded.arg[lane], step->arg[0]);
        assert_int_equal(loaded.in[lane], in[lane]);
        assert_int_equal(loaded.out[lane], in[source[lane]]);
    }
    for (int lanes = 0; lanes <= LANES; lanes++) { /* no more than were asked for */
        memset(out, 0xee, sizeof(out));
        prediction_brief(&step->head, step->arg[0], in, out, lanes);
        for (int lane = 0; lane < LANES; lane++)
            assert_int_equal(out[lane], lane < lanes ? in[source[lane]] : 0xeeeeeeee);
    }
}

/* All lanes pass the same argument, or some pass another, at each width and with many arguments. */
static void test_shuffles(void **state) {
    static const uint32_t args[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 30, 31, 32, 33, 63, 70};
    (void)state;
    for (uint8_t op = WARP_OP_IDX; op <= WARP_OP_XOR; op++) {
        for (uint32_t width = 1; width <= LANES; width *= 2) {
            for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
                uint32_t source[LANES];
                struct prediction_step step = step_of(op, (int32_t)width, args[i]);
                for (uint32_t lane = 0; lane < LANES; lane++)
                    source[lane] = read_lane(op, lane, args[i], width);
                check_reads(&step, source);
                check_brief(&step, source);
                for (uint32_t other = 0; other < LANES; other++) {
                    const uint32_t arg = (other * 7 + args[i]) % 40;
                    step.arg[other] = arg;
                    source[other] = read_lane(op, other, arg, width);
                    check_reads(&step, source);
                    step.arg[other] = args[i];
                    source[other] = read_lane(op, other, args[i], width);
                }
            }
        }
    }
}

/* Where CUDA defines nothing, each lane keeps its own value. */
static void test_other_widths(void **state) {
    static const int32_t widths[] = {INT32_MIN, -32, -1, 0,  3,  5,  6,
                                     7,         12,  31, 33, 48, 64, 1 << 30};
    uint32_t self[LANES];
    (void)state;
    for (uint32_t lane = 0; lane < LANES; lane++)
        self[lane] = lane;
    for (uint8_t op = WARP_OP_IDX; op <= WARP_OP_XOR; op++) {
        for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
            struct prediction_step step = step_of(op, widths[i], 1);
            check_reads(&step, self);
        }
    }
}

/* Each lane passes a width of its own, which counts instead of the width in the head. */
static void test_widths_differ(void **state) {
    static const int16_t widths[] = {32, 16, 8, 4, 2, 1, 0, -1, 3, 33, 64, 24, -32768};
    const uint32_t kinds = sizeof(widths) / sizeof(widths[0]);
    (void)state;
    for (uint8_t op = WARP_OP_IDX; op <= WARP_OP_XOR; op++) {
        for (uint32_t shift = 0; shift < kinds; shift++) {
            struct prediction_step step = step_of(op, 32, 1);
            uint32_t source[LANES];
            step.head.flags = SHFLVIZ_RECORD_WIDTHS_DIFFER;
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const int16_t width = widths[(lane + shift) % kinds];
                const bool valid = width > 0 && (lane + shift) % kinds < 6;
                step.lane_width[lane] = width;
                step.arg[lane] = lane % 3 + 1;
                source[lane] = valid ? read_lane(op, lane, step.arg[lane], (uint32_t)width) : lane;
            }
            check_reads(&step, source);
        }
    }
}

/* __match_any_sync: the present lanes with the same value. Absent lanes are left unchanged. */
static void test_match(void **state) {
    static const uint32_t presents[] = {0xffffffff, 0x80000001, 0x0000ffff, 0x7ffffffe,
                                        0x00000001, 0x80000000, 0xa5a5a5a5, 0};
    (void)state;
    for (size_t i = 0; i < sizeof(presents) / sizeof(presents[0]); i++) {
        for (uint32_t kinds = 1; kinds <= LANES; kinds++) {
            struct prediction_step step = step_of(WARP_OP_MATCH_ANY, 0, 0);
            uint64_t predicted[LANES];
            step.head.present = presents[i];
            memset(predicted, 0x33, sizeof(predicted));
            for (uint32_t lane = 0; lane < LANES; lane++)
                step.in[lane] = value_of(lane % kinds);
            prediction_out(&step, predicted);
            for (uint32_t lane = 0; lane < LANES; lane++) {
                uint32_t equal = 0;
                for (uint32_t other = lane % kinds; other < LANES; other += kinds)
                    equal |= UINT32_C(1) << other;
                if (presents[i] >> lane & 1)
                    assert_int_equal(predicted[lane], equal & presents[i]);
                else
                    assert_int_equal(predicted[lane], UINT64_C(0x3333333333333333));
            }
        }
    }
}

/* For all other operations the prediction is the lane's own value. */
static void test_other_operations(void **state) {
    uint32_t self[LANES];
    (void)state;
    for (uint32_t lane = 0; lane < LANES; lane++)
        self[lane] = lane;
    for (uint8_t op = WARP_OP_BALLOT; op < WARP_OP_COUNT; op++) {
        struct prediction_step step = step_of(op, 32, 1);
        if (op != WARP_OP_MATCH_ANY)
            check_reads(&step, self);
    }
}

static void test_equal(void **state) {
    uint64_t a[LANES], b[LANES];
    (void)state;
    for (uint32_t lane = 0; lane < LANES; lane++)
        a[lane] = b[lane] = value_of(lane);
    assert_int_equal(prediction_equal(a, b, 0xffffffff), 0xffffffff);
    assert_int_equal(prediction_equal(a, b, 0x80000001), 0x80000001);
    assert_int_equal(prediction_equal(a, b, 0), 0);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        b[lane] ^= lane % 2 ? 1 : UINT64_C(1) << 63; /* every bit counts */
        assert_int_equal(prediction_equal(a, b, 0xffffffff), ~(UINT32_C(1) << lane));
        assert_int_equal(prediction_equal(a, b, UINT32_C(1) << lane), 0);
        b[lane] = a[lane];
    }
}

static uint64_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Forms the sum in each lane in turn, so that none is skipped. */
static void check_sum(uint8_t type, uint64_t a, uint64_t b, uint64_t expected) {
    for (uint32_t at = 0; at < LANES; at++) {
        uint64_t left[LANES] = {0}, right[LANES] = {0}, sum[LANES + 1];
        memset(sum, 0x5a, sizeof(sum));
        left[at] = a;
        right[at] = b;
        prediction_add(type, left, right, sum);
        for (uint32_t lane = 0; lane < LANES; lane++)
            assert_int_equal(sum[lane], lane == at ? expected : 0);
        assert_int_equal(sum[LANES], UINT64_C(0x5a5a5a5a5a5a5a5a));
    }
}

static void test_sums(void **state) {
    static const uint8_t wide[] = {WARP_TYPE_LONG, WARP_TYPE_UNSIGNED_LONG, WARP_TYPE_LONG_LONG,
                                   WARP_TYPE_UNSIGNED_LONG_LONG};
    static const uint8_t narrow[] = {WARP_TYPE_INT, WARP_TYPE_UNSIGNED};
    const uint64_t nan = 0x7fc00123, wide_nan = UINT64_C(0x7ff8000000000123);
    (void)state;
    for (size_t i = 0; i < sizeof(wide); i++) {
        check_sum(wide[i], UINT32_MAX, 1, UINT64_C(0x100000000));
        check_sum(wide[i], UINT64_MAX, 2, 1);
    }
    for (size_t i = 0; i < sizeof(narrow); i++) {
        check_sum(narrow[i], UINT32_MAX, 1, 0);
        check_sum(narrow[i], 0x7fffffff, 1, 0x80000000);
        check_sum(narrow[i], 40, 2, 42);
    }
    check_sum(WARP_TYPE_FLOAT, bits_of_float(1.5f), bits_of_float(2.25f), bits_of_float(3.75f));
    check_sum(WARP_TYPE_FLOAT, nan, bits_of_float(1), nan); /* a NaN: the first operand */
    check_sum(WARP_TYPE_FLOAT, bits_of_float(1), nan, bits_of_float(1));
    check_sum(WARP_TYPE_DOUBLE, bits_of_double(1.5), bits_of_double(0x1p-50),
              bits_of_double(1.5 + 0x1p-50));
    check_sum(WARP_TYPE_DOUBLE, wide_nan, bits_of_double(1), wide_nan);
    check_sum(WARP_TYPE_DOUBLE, bits_of_double(1), wide_nan, bits_of_double(1));
}

/* A record in memory, of values of either size, is read and written as record.h says. */
static void test_records(void **state) {
    (void)state;
    for (unsigned value_bytes = 4; value_bytes <= 8; value_bytes += 4) {
        const uint64_t mask = value_bytes == 8 ? UINT64_MAX : UINT32_MAX;
        unsigned char record[SHFLVIZ_RECORD_SIZE(8) + 1], copy[sizeof(record)];
        struct prediction_step step;
        const size_t size = SHFLVIZ_RECORD_SIZE(value_bytes);
        for (size_t i = 0; i < sizeof(record); i++)
            record[i] = (unsigned char)(i * 37 + i / 256 * 11 + 5);
        prediction_load(&step, record, value_bytes);
        assert_memory_equal(&step.head, record, 64);
        assert_memory_equal(step.lane_width, record + 64, 64);
        assert_memory_equal(step.arg, record + 128, 128);
        for (size_t lane = 0; lane < LANES; lane++) {
            uint64_t in = 0, out = 0;
            memcpy(&in, record + 256 + lane * value_bytes, value_bytes);
            memcpy(&out, record + 256 + (LANES + lane) * value_bytes, value_bytes);
            assert_int_equal(step.in[lane], in);
            assert_int_equal(step.out[lane], out);
            step.out[lane] = out ^ UINT64_C(0xff000000000000ff); /* excess bits are cut */
        }
        memset(copy, 0x5a, sizeof(copy));
        prediction_store(&step, copy, value_bytes);
        assert_memory_equal(copy, record, 256 + LANES * value_bytes);
        for (size_t lane = 0; lane < LANES; lane++) {
            uint64_t out = 0;
            memcpy(&out, copy + 256 + (LANES + lane) * value_bytes, value_bytes);
            assert_int_equal(out, step.out[lane] & mask);
        }
        assert_int_equal(copy[size], 0x5a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffles),
        cmocka_unit_test(test_other_widths),
        cmocka_unit_test(test_widths_differ),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_other_operations),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
