/*
 * Bank conflicts, each case worked out by hand from the rule: 32 banks of 4 bytes, successive words
 * in successive banks, lanes in one word do not conflict; 8 bytes per lane by half-warps, 16 by
 * quarter-warps.
 */
#include "warp/banks.h"

#include "support.h"

static struct warp_operation access_of(enum warp_op op, uint32_t lanes, int bytes, int stride) {
    struct warp_operation operation = {
        .op = op, .type = WARP_TYPE_FLOAT, .members = lanes, .present = lanes, .launched = ~0u};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = bytes;
        operation.arg[lane] = lane * stride;
    }
    return operation;
}

static struct bank_use use_of(struct warp_operation operation) {
    struct bank_use use;
    warp_bank_use(&operation, &use);
    return use;
}

static struct bank_use read_use(int bytes, int stride) {
    return use_of(access_of(WARP_OP_SHARED_READ, WARP_FULL_MASK, bytes, stride));
}

static void expect(struct bank_use use, int parts, int ways, int passes, int least) {
    assert_int_equal(use.parts, parts);
    assert_int_equal(use.ways, ways);
    assert_int_equal(use.passes, passes);
    assert_int_equal(use.least, least);
}

static void test_words(void **state) {
    (void)state;
    expect(read_use(4, 4), 1, 1, 1, 1);        /* neighbours: a bank each */
    expect(read_use(4, 8), 1, 2, 2, 1);        /* every other word: lanes 0 and 16 in bank 0 */
    expect(read_use(4, 12), 1, 1, 1, 1);       /* 3 and 32 have no common divisor */
    expect(read_use(4, 16 * 4), 1, 16, 16, 1); /* banks 0 and 16 alone */
    expect(read_use(4, 32 * 4), 1, 32, 32, 1); /* a column of a tile 32 wide */
    expect(read_use(4, 33 * 4), 1, 1, 1, 1);   /* the same with padding: bank = lane */
    expect(read_use(4, 0), 1, 1, 1, 1);        /* all read one word: a broadcast */
    expect(read_use(1, 1), 1, 1, 1, 1);        /* four lanes share a word */
    expect(read_use(2, 2), 1, 1, 1, 1);
}

static void test_where(void **state) {
    (void)state;
    struct bank_use use = read_use(4, 8);
    assert_int_equal(use.bank, 0);
    assert_int_equal(use.lanes, 0x00010001);
    assert_int_equal(use.count[0], 2);
    assert_int_equal(use.count[1], 0);
    assert_int_equal(use.count[30], 2);
    use = read_use(4, 33 * 4);
    for (int bank = 0; bank < WARP_BANKS; bank++)
        assert_int_equal(use.count[bank], 1);
    /* Lanes 4 to 7 in bank 3, in words 3, 35, 67, 67: three different ones. */
    struct warp_operation operation = access_of(WARP_OP_SHARED_READ, 0x000000ff, 4, 4);
    const int32_t words[] = {3, 35, 67, 67};
    for (int i = 0; i < 4; i++)
        operation.arg[4 + i] = 4 * words[i];
    use = use_of(operation);
    /* Lane 3, which reads word 3, uses the bank, too. */
    expect(use, 1, 3, 3, 1);
    assert_int_equal(use.bank, 3);
    assert_int_equal(use.lanes, 0x000000f8);
}

static void test_wide(void **state) {
    (void)state;
    expect(read_use(8, 8), 2, 1, 2, 2);   /* double, neighbours: half a warp has 32 words */
    expect(read_use(8, 16), 2, 2, 4, 2);  /* every other double: 16 lanes in 16 banks, twice */
    expect(read_use(8, 0), 2, 1, 2, 2);   /* one double for all */
    expect(read_use(16, 16), 4, 1, 4, 4); /* float4, neighbours: eight lanes have 32 words */
    expect(read_use(16, 32), 4, 2, 8, 4);
    expect(read_use(16, 128), 4, 8, 32, 4); /* eight lanes in the same four banks */
    /* Half a warp alone: the other half needs no pass. */
    expect(use_of(access_of(WARP_OP_SHARED_READ, 0x0000ffff, 8, 8)), 2, 1, 1, 1);
    /* A quarter-warp with only one lane. */
    expect(use_of(access_of(WARP_OP_SHARED_WRITE, 0x01000000, 16, 16)), 4, 1, 1, 1);
}

static void test_writes_and_atomics(void **state) {
    (void)state;
    /* Only one of several writes to a word is made, but all atomic operations on a word are. */
    expect(use_of(access_of(WARP_OP_SHARED_WRITE, WARP_FULL_MASK, 4, 0)), 1, 1, 1, 1);
    expect(use_of(access_of(WARP_OP_SHARED_ATOMIC, WARP_FULL_MASK, 4, 0)), 1, 32, 32, 1);
    expect(use_of(access_of(WARP_OP_SHARED_ATOMIC, WARP_FULL_MASK, 4, 4)), 1, 1, 1, 1);
    /* A histogram of four bins: eight lanes in each. */
    struct warp_operation operation = access_of(WARP_OP_SHARED_ATOMIC, WARP_FULL_MASK, 4, 4);
    for (int lane = 0; lane < WARP_LANES; lane++)
        operation.arg[lane] = lane % 4 * 4;
    struct bank_use use = use_of(operation);
    expect(use, 1, 8, 8, 1);
    assert_int_equal(use.lanes, 0x11111111);
    /* No lane. */
    expect(use_of(access_of(WARP_OP_SHARED_READ, 0, 4, 4)), 1, 0, 0, 0);
}

/* An unaligned access touches one word more: 4 bytes from byte 2 are in words 0 and 1. */
static void test_unaligned(void **state) {
    (void)state;
    struct warp_operation operation = access_of(WARP_OP_SHARED_READ, 1, 4, 0);
    operation.arg[0] = 2;
    struct bank_use use = use_of(operation);
    expect(use, 1, 1, 1, 1);
    assert_int_equal(use.count[0], 1);
    assert_int_equal(use.count[1], 1);
    assert_int_equal(use.count[2], 0);
    assert_int_equal(warp_bank(127), 31);
    assert_int_equal(warp_bank(128), 0);
}

/* Even with the impossible values of a damaged recording, the count ends and makes sense. */
static void test_odd(void **state) {
    (void)state;
    struct warp_operation operation = access_of(WARP_OP_SHARED_READ, WARP_FULL_MASK, 100, 4);
    operation.arg[5] = INT32_MAX;
    struct bank_use use = use_of(operation);
    assert_int_equal(use.parts, 4);
    assert_true(use.ways > 0 && use.ways <= 32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),     cmocka_unit_test(test_where),
        cmocka_unit_test(test_wide),      cmocka_unit_test(test_writes_and_atomics),
        cmocka_unit_test(test_unaligned), cmocka_unit_test(test_odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
