/*
 * Sectors of global memory, each case worked out by hand from the rule: the fewest aligned
 * pieces of 32 bytes that hold everything that the lanes request.
 */
#include "warp/sectors.h"

#include "support.h"

static struct sector_use use_of(uint32_t lanes, int bytes, int stride, int from) {
    struct warp_operation operation = {
        .op = WARP_OP_GLOBAL_READ, .members = lanes, .present = lanes, .launched = ~0u};
    struct sector_use use;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = bytes;
        operation.arg[lane] = from + lane * stride;
    }
    warp_sector_use(&operation, &use);
    return use;
}

static void expect(struct sector_use use, int sectors, int lines, int bytes, int least) {
    assert_int_equal(use.sectors, sectors);
    assert_int_equal(use.lines, lines);
    assert_int_equal(use.bytes, bytes);
    assert_int_equal(use.least, least);
}

static void test_strides(void **state) {
    (void)state;
    expect(use_of(WARP_FULL_MASK, 4, 4, 0), 4, 1, 128, 4);     /* neighbours */
    expect(use_of(WARP_FULL_MASK, 4, 4, 4), 5, 2, 128, 4);     /* one word further */
    expect(use_of(WARP_FULL_MASK, 4, 4, 32), 4, 2, 128, 4);    /* one sector further */
    expect(use_of(WARP_FULL_MASK, 4, 8, 0), 8, 2, 128, 4);     /* every other word */
    expect(use_of(WARP_FULL_MASK, 4, 12, 0), 12, 3, 128, 4);   /* every third word */
    expect(use_of(WARP_FULL_MASK, 4, 128, 0), 32, 32, 128, 4); /* a line each */
    expect(use_of(WARP_FULL_MASK, 4, 0, 60), 1, 1, 4, 1);      /* all read one word */
    expect(use_of(WARP_FULL_MASK, 1, 1, 0), 1, 1, 32, 1);
    expect(use_of(WARP_FULL_MASK, 2, 2, 0), 2, 1, 64, 2);
    expect(use_of(WARP_FULL_MASK, 8, 8, 0), 8, 2, 256, 8);
    expect(use_of(WARP_FULL_MASK, 16, 16, 0), 16, 4, 512, 16);
    expect(use_of(WARP_FULL_MASK, 16, 32, 0), 32, 8, 512, 16);
}

static void test_edges(void **state) {
    (void)state;
    expect(use_of(0x80000000, 4, 4, 0), 1, 1, 4, 1);
    expect(use_of(0, 4, 4, 0), 0, 0, 0, 0);
    expect(use_of(1, 16, 0, 24), 2, 1, 16, 1);                    /* across two sectors */
    expect(use_of(1, 16, 0, 120), 2, 2, 16, 1);                   /* across two lines */
    expect(use_of(WARP_FULL_MASK, 8, 4, 0), 5, 2, 132, 5);        /* ranges that overlap */
    expect(use_of(WARP_FULL_MASK, 16, -16, 496), 16, 4, 512, 16); /* the other way round */
    expect(use_of(1, 16, 0, INT32_MAX - 3), 2, 2, 16, 1);
}

static void test_which(void **state) {
    (void)state;
    struct sector_use use = use_of(0x5, 4, 64, 40);
    assert_int_equal(use.sectors, 2);
    assert_int_equal(use.sector[0], 1); /* byte 40 */
    assert_int_equal(use.sector[1], 5); /* byte 168 */
    assert_int_equal(warp_sector(31), 0);
    assert_int_equal(warp_sector(32), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
