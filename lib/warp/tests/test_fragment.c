/*
 * Fragments against the PTX ISA: for each shape and type the formulas for row and col of "Matrix
 * Fragments for mma...", written as they are there, in groupID and threadID_in_group. Every lane
 * and element is compared, and every cell must be held exactly once.
 */
#include "warp/fragment.h"
#include "warp/warp.h"

#include "support.h"

#include <string.h>

typedef struct fragment_cell formula(int lane, int i);

#define GROUP(lane)  ((lane) >> 2)
#define THREAD(lane) ((lane) % 4)
#define FORMULA(name, row_, column_)                                                               \
    static struct fragment_cell name(int lane, int i) {                                            \
        (void)i;                                                                                   \
        return (struct fragment_cell){0, row_, column_};                                           \
    }

/* m8n8k4, f64 */
FORMULA(k4_f64_a, GROUP(lane), THREAD(lane))
FORMULA(k4_f64_b, THREAD(lane), GROUP(lane))
FORMULA(k4_f64_c, GROUP(lane), THREAD(lane) * 2 + (i & 1))
/* m16n8k4 */
FORMULA(m16k4_a, i == 0 ? GROUP(lane) : GROUP(lane) + 8, THREAD(lane))
FORMULA(m16k4_b, THREAD(lane), GROUP(lane))
/* m16n8, C and D: for c0 and c1, else */
FORMULA(m16n8_c, i < 2 ? GROUP(lane) : GROUP(lane) + 8, THREAD(lane) * 2 + (i & 1))
/* m16n8k8, f16 and bf16 */
FORMULA(k8_f16_a, i < 2 ? GROUP(lane) : GROUP(lane) + 8, THREAD(lane) * 2 + (i & 1))
FORMULA(k8_f16_b, THREAD(lane) * 2 + i, GROUP(lane))
/* m16n8k8, tf32 and f64 */
FORMULA(k8_tf32_a, i == 0 || i == 2 ? GROUP(lane) : GROUP(lane) + 8,
        i < 2 ? THREAD(lane) : THREAD(lane) + 4)
FORMULA(k8_tf32_b, i == 0 ? THREAD(lane) : THREAD(lane) + 4, GROUP(lane))
/* m16n8k16, f16 and bf16 */
FORMULA(k16_f16_a, (0 <= i && i < 2) || (4 <= i && i < 6) ? GROUP(lane) : GROUP(lane) + 8,
        i < 4 ? THREAD(lane) * 2 + (i & 1) : THREAD(lane) * 2 + (i & 1) + 8)
FORMULA(k16_f16_b, i < 2 ? THREAD(lane) * 2 + (i & 1) : THREAD(lane) * 2 + (i & 1) + 8, GROUP(lane))
/* m16n8k16, f64 */
FORMULA(k16_f64_a, i % 2 == 0 ? GROUP(lane) : GROUP(lane) + 8,
        i % 2 == 0 ? i * 2 + THREAD(lane) : i * 2 - 2 + THREAD(lane))
FORMULA(k16_f64_b, THREAD(lane) + i * 4, GROUP(lane))
/* m16n8k16, s8 and u8 */
FORMULA(k16_s8_a, i < 4 ? GROUP(lane) : GROUP(lane) + 8, THREAD(lane) * 4 + (i & 3))
FORMULA(k16_s8_b, THREAD(lane) * 4 + i, GROUP(lane))
/* m16n8k32, s8 and u8 */
FORMULA(k32_s8_a, (0 <= i && i < 4) || (8 <= i && i < 12) ? GROUP(lane) : GROUP(lane) + 8,
        i < 8 ? THREAD(lane) * 4 + (i & 3) : THREAD(lane) * 4 + (i & 3) + 16)
FORMULA(k32_s8_b, i < 4 ? THREAD(lane) * 4 + (i & 3) : THREAD(lane) * 4 + (i & 3) + 16, GROUP(lane))
/* m8n8k16, s8 and u8 */
FORMULA(m8k16_a, GROUP(lane), THREAD(lane) * 4 + (i & 3))
FORMULA(m8k16_b, THREAD(lane) * 4 + (i & 3), GROUP(lane))

/* m8n8k4, f16: lanes 4i to 4i+3 and the lanes 16 higher have product i. */
#define PRODUCT(name, row_, column_)                                                               \
    static struct fragment_cell name(int lane, int i) {                                            \
        const int four = lane < 16 ? 0 : 4;                                                        \
        (void)four;                                                                                \
        return (struct fragment_cell){lane % 16 / 4, row_, column_};                               \
    }
PRODUCT(volta_a_row, lane % 4 + four, i)
PRODUCT(volta_a_col, i % 4 + four, lane % 4)
PRODUCT(volta_b_row, lane % 4, i + four)
PRODUCT(volta_b_col, i, lane % 4 + four)
PRODUCT(volta_c_f16, lane % 4 + four, i)
PRODUCT(volta_c_f32, (lane & 1) + (i & 2) + four, (i & 4) + (lane & 2) + (i & 1))

/* ldmatrix: row r of a matrix is in lanes 4r to 4r+3, two elements each; .trans: a column is. */
static struct fragment_cell loaded(int lane, int i) {
    return (struct fragment_cell){i / 2, lane / 4, lane % 4 * 2 + i % 2};
}
static struct fragment_cell loaded_transposed(int lane, int i) {
    return (struct fragment_cell){i / 2, lane % 4 * 2 + i % 2, lane / 4};
}

static void expect(const struct fragment *fragment, formula *oracle, int rows, int columns,
                   int matrices, int elements) {
    static uint8_t held[4][32][32];
    memset(held, 0, sizeof held);
    assert_int_equal(fragment->rows, rows);
    assert_int_equal(fragment->columns, columns);
    assert_int_equal(fragment->matrices, matrices);
    assert_int_equal(fragment_elements(fragment), elements);
    assert_int_equal(rows * columns * matrices, WARP_LANES * elements);
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int i = 0; i < elements; i++) {
            const struct fragment_cell want = oracle(lane, i),
                                       cell = fragment_cell(fragment, lane, i);
            assert_int_equal(cell.matrix, want.matrix);
            assert_int_equal(cell.row, want.row);
            assert_int_equal(cell.column, want.column);
            assert_int_equal(held[cell.matrix][cell.row][cell.column]++, 0);
            const struct fragment_holder holder = fragment_holder(fragment, want);
            assert_int_equal(holder.lane, lane);
            assert_int_equal(holder.element, i);
        }
}

static struct mma read_mma(const char *name) {
    struct mma mma;
    const char *word;
    size_t length;
    assert_int_equal(mma_read(&mma, name, &word, &length), MMA_GOOD);
    return mma;
}

static void expect_mma(const char *name, formula *a, formula *b, formula *c, int per_register) {
    const struct mma mma = read_mma(name);
    const int p = mma.products;
    expect(&mma.a, a, mma.m, mma.k, p, mma.m * mma.k * p / 32);
    expect(&mma.b, b, mma.k, mma.n, p, mma.k * mma.n * p / 32);
    expect(&mma.c, c, mma.m, mma.n, p, mma.m * mma.n * p / 32);
    expect(&mma.d, c, mma.m, mma.n, p, mma.m * mma.n * p / 32);
    assert_int_equal(fragment_per_register(&mma.a), per_register);
    assert_int_equal(fragment_per_register(&mma.b), per_register);
}

static void test_mma(void **state) {
    (void)state;
    expect_mma("m8n8k4.f64", k4_f64_a, k4_f64_b, k4_f64_c, 1);
    expect_mma("m16n8k4.tf32", m16k4_a, m16k4_b, m16n8_c, 1);
    expect_mma("m16n8k4.f64", m16k4_a, m16k4_b, m16n8_c, 1);
    expect_mma("m16n8k8.f16", k8_f16_a, k8_f16_b, m16n8_c, 2);
    expect_mma("m16n8k8.bf16", k8_f16_a, k8_f16_b, m16n8_c, 2);
    expect_mma("m16n8k8.tf32", k8_tf32_a, k8_tf32_b, m16n8_c, 1);
    expect_mma("m16n8k8.f64", k8_tf32_a, k8_tf32_b, m16n8_c, 1);
    expect_mma("m16n8k16.f16", k16_f16_a, k16_f16_b, m16n8_c, 2);
    expect_mma("m16n8k16.bf16", k16_f16_a, k16_f16_b, m16n8_c, 2);
    expect_mma("m16n8k16.f16.f16.f16.f16", k16_f16_a, k16_f16_b, m16n8_c, 2);
    expect_mma("m16n8k16.f64", k16_f64_a, k16_f64_b, m16n8_c, 1);
    expect_mma("m16n8k16.s8", k16_s8_a, k16_s8_b, m16n8_c, 4);
    expect_mma("m16n8k16.s32.u8.s8.s32", k16_s8_a, k16_s8_b, m16n8_c, 4);
    expect_mma("m16n8k32.s8", k32_s8_a, k32_s8_b, m16n8_c, 4);
    expect_mma("m16n8k32.u8", k32_s8_a, k32_s8_b, m16n8_c, 4);
    expect_mma("m8n8k16.u8", m8k16_a, m8k16_b, k4_f64_c, 4);
}

static void test_quad_pairs(void **state) {
    (void)state;
    expect_mma("m8n8k4.row.col.f32.f16.f16.f32", volta_a_row, volta_b_col, volta_c_f32, 2);
    expect_mma("m8n8k4.row.col.f16.f16.f16.f16", volta_a_row, volta_b_col, volta_c_f16, 2);
    expect_mma("m8n8k4.col.row.f32.f16.f16.f32", volta_a_col, volta_b_row, volta_c_f32, 2);
    expect_mma("m8n8k4.row.row.f16.f16.f16.f16", volta_a_row, volta_b_row, volta_c_f16, 2);
    expect_mma("m8n8k4.col.col.f32.f16.f16.f32", volta_a_col, volta_b_col, volta_c_f32, 2);
    const struct mma mixed = read_mma("m8n8k4.row.col.f32.f16.f16.f16");
    expect(&mixed.c, volta_c_f16, 8, 8, 4, 8);
    expect(&mixed.d, volta_c_f32, 8, 8, 4, 8);
}

static void test_names(void **state) {
    (void)state;
    struct mma mma = read_mma("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
    assert_int_equal(mma.a.type, FRAGMENT_BF16);
    assert_int_equal(mma.d.type, FRAGMENT_F32);
    assert_int_equal(mma.architecture, 80);
    assert_false(mma.saturates);
    mma = read_mma("m16n8k16");
    assert_int_equal(mma.a.type, FRAGMENT_F16);
    assert_int_equal(mma.c.type, FRAGMENT_F32);
    mma = read_mma("m16n8k32");
    assert_int_equal(mma.b.type, FRAGMENT_S8);
    mma = read_mma("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32");
    assert_int_equal(mma.a.type, FRAGMENT_S8);
    assert_int_equal(mma.b.type, FRAGMENT_U8);
    assert_true(mma.saturates);
    assert_string_equal(mma_shape(false, 0), "m16n8k16");
    assert_int_equal(mma_shape_types(false, "m16n8k32"), 1u << FRAGMENT_S8 | 1u << FRAGMENT_U8);
    size_t shapes = 0;
    while (mma_shape(false, shapes))
        shapes++;
    assert_int_equal(shapes, 6);
    assert_string_equal(mma_shape(false, 5), "m8n8k4");
    /* The two types of wmma are those of D and C, and memory layouts change no fragment; another
     * test compares the positions of elements with a GPU's (conformance/check_fragments.sh). */
    mma = read_mma("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f16");
    assert_true(mma.is_wmma && mma.a_by_columns && mma.b_by_rows);
    assert_int_equal(mma.a.type, FRAGMENT_F16);
    assert_int_equal(mma.d.type, FRAGMENT_F32);
    assert_int_equal(mma.c.type, FRAGMENT_F16);
    mma = read_mma("wmma.m8n8k4");
    assert_int_equal(mma.products, 1);
    assert_string_equal(mma_shape(true, 4), "m8n8k4");
}

static void expect_fault(const char *name, enum mma_fault fault, const char *wrong) {
    struct mma mma;
    const char *word;
    size_t length;
    assert_int_equal(mma_read(&mma, name, &word, &length), fault);
    assert_int_equal(length, strlen(wrong));
    assert_memory_equal(word, wrong, length);
}

static void test_faults(void **state) {
    (void)state;
    expect_fault("", MMA_WORD, "");
    expect_fault("wgmma.mma_async.sync.aligned.m64n8k16", MMA_WORD, "wgmma");
    expect_fault("m16n8k16..f16", MMA_WORD, "");
    expect_fault("m16n8k16.", MMA_WORD, "");
    expect_fault("m16n8k16.b16", MMA_WORD, "b16");
    expect_fault("m16n8k16.row.col.row", MMA_WORD, "row");
    expect_fault("m16n8k16.f32.f16.f16.f32.f32", MMA_WORD, "f32");
    expect_fault("m16n8k16.m16n8k8", MMA_WORD, "m16n8k8");
    expect_fault("mma.sync", MMA_SHAPE, "");
    expect_fault("m16n16k16", MMA_SHAPE, "m16n16k16");
    expect_fault("wmma.m16n8k16", MMA_SHAPE, "m16n8k16");
    expect_fault("wmma.m16n16k8.f16", MMA_TYPES, "m16n16k8");
    expect_fault("wmma.m16n16k16.f32.s32", MMA_TYPES, "m16n16k16");
    expect_fault("m16n8k32.f16", MMA_TYPES, "m16n8k32");
    expect_fault("m16n8k16.f16.f16", MMA_TYPES, "m16n8k16");
    expect_fault("m16n8k16.f32", MMA_TYPES, "m16n8k16");
    expect_fault("m16n8k16.f16.f16.f16.f32", MMA_TYPES, "m16n8k16");
    expect_fault("m16n8k16.f32.bf16.f16.f32", MMA_TYPES, "m16n8k16");
    expect_fault("m16n8k16.f16.bf16.bf16.f16", MMA_TYPES, "m16n8k16");
    expect_fault("m16n8k16.row.row", MMA_LAYOUT, "row");
    expect_fault("m8n8k4.col.col.f64", MMA_LAYOUT, "col");
}

static void test_moves(void **state) {
    (void)state;
    for (int matrices = 1; matrices <= MATRIX_MOVE_MOST; matrices *= 2) {
        struct fragment fragment;
        matrix_move_fragment(&fragment, matrices, false);
        expect(&fragment, loaded, 8, 8, matrices, 2 * matrices);
        assert_int_equal(fragment_per_register(&fragment), 2);
        matrix_move_fragment(&fragment, matrices, true);
        expect(&fragment, loaded_transposed, 8, 8, matrices, 2 * matrices);
    }
    assert_int_equal(matrix_move_address_lane(0, 7), 7);
    assert_int_equal(matrix_move_address_lane(3, 0), 24);
    struct fragment source, destination;
    movmatrix_fragments(&source, &destination);
    expect(&source, loaded, 8, 8, 1, 2);
    expect(&destination, loaded_transposed, 8, 8, 1, 2);
    const struct fragment_cell outside = {1, 0, 0}, below = {0, 8, 0}, before = {0, -1, 0};
    assert_int_equal(fragment_holder(&source, outside).lane, -1);
    assert_int_equal(fragment_holder(&source, below).element, -1);
    assert_int_equal(fragment_holder(&source, before).lane, -1);
}

static void test_types(void **state) {
    (void)state;
    assert_int_equal(fragment_type_find("tf32", 4), FRAGMENT_TF32);
    assert_int_equal(fragment_type_find("tf3", 3), -1);
    assert_int_equal(fragment_type_info(FRAGMENT_U8)->bits, 8);
    assert_null(fragment_type_info(FRAGMENT_TYPE_COUNT));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mma),   cmocka_unit_test(test_quad_pairs),
        cmocka_unit_test(test_names), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_moves), cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
