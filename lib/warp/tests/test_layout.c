/*
 * Layouts in CuTe's notation: indices worked out by hand; and the positions of errors in invalid
 * layouts.
 */
#include "warp/matrix_layout.h"

#include "support.h"

#include <string.h>

static struct layout read_layout(const char *text) {
    struct layout layout;
    const char *where;
    assert_int_equal(layout_read(&layout, text, &where), LAYOUT_GOOD);
    return layout;
}

static void test_index(void **state) {
    (void)state;
    const struct layout layout = read_layout("((4,8),(2,2)):((16,1),(8,64))");
    assert_int_equal(layout_size(&layout.lanes), 32);
    assert_int_equal(layout_size(&layout.values), 4);
    assert_int_equal(layout_cosize(&layout), 128);
    assert_int_equal(layout_index(&layout, 0, 0), 0);
    assert_int_equal(layout_index(&layout, 1, 0), 16); /* lane 1 is (1,0) */
    assert_int_equal(layout_index(&layout, 4, 0), 1);  /* lane 4 is (0,1) */
    assert_int_equal(layout_index(&layout, 7, 3), 3 * 16 + 1 + 8 + 64);
    assert_int_equal(layout_index(&layout, 31, 3), 127);
}

static void test_text(void **state) {
    (void)state;
    char text[LAYOUT_TEXT];
    static const char *const same[] = {"((4,8),(2,2)):((16,1),(8,64))", "(32,2):(1,32)",
                                       "((4,8),1):((8,1),0)"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const struct layout layout = read_layout(same[i]);
        assert_string_equal(layout_format(&layout, text), same[i]);
    }
    /* As CuTe prints static integers; deeper tuples are kept flat. */
    struct layout layout = read_layout(" ( (_4, _8), ( _2 ,_2 ) ) : ((_16,_1),(_8,_64)) ");
    assert_string_equal(layout_format(&layout, text), same[0]);
    layout = read_layout("((4,(2,4)),2):((16,(1,2)),8)");
    assert_string_equal(layout_format(&layout, text), "((4,2,4),2):((16,1,2),8)");
    const struct layout most = read_layout("((1,1,1,1,1,1,1,32),(1,1,1,1,1,1,1,64)):((65535,65535,"
                                           "65535,65535,65535,65535,65535,65535),(65535,65535,"
                                           "65535,65535,65535,65535,65535,65535))");
    assert_true(strlen(layout_format(&most, text)) < LAYOUT_TEXT - 1);
    layout = read_layout(text);
    assert_int_equal(layout_cosize(&layout), 65535 * (31 + 63) + 1);
}

static void expect_fault(const char *text, enum layout_fault fault, size_t place) {
    struct layout layout;
    const char *where;
    assert_int_equal(layout_read(&layout, text, &where), fault);
    assert_int_equal(where - text, place);
}

static void test_faults(void **state) {
    (void)state;
    expect_fault("", LAYOUT_SYNTAX, 0);
    expect_fault("(4,8)", LAYOUT_SYNTAX, 5); /* no strides */
    expect_fault("(4,x):(1,1)", LAYOUT_SYNTAX, 3);
    expect_fault("(4,8:(1,1)", LAYOUT_SYNTAX, 4);
    expect_fault("(4,8)):(1,4)", LAYOUT_SYNTAX, 5);
    expect_fault("(4,8):(1,4)x", LAYOUT_SYNTAX, 11);
    expect_fault("(,8):(1,4)", LAYOUT_SYNTAX, 1);
    expect_fault("32:1", LAYOUT_RANK, 2);
    expect_fault("(32):(1)", LAYOUT_RANK, 4);
    expect_fault("(4,8,2):(1,4,32)", LAYOUT_RANK, 5);
    expect_fault("(4,8):(1)", LAYOUT_DIFFERS, 8);
    expect_fault("((4,8),2):(1,2)", LAYOUT_DIFFERS, 11);
    expect_fault("(4,8):((1,2),2)", LAYOUT_DIFFERS, 7);
    expect_fault("(33,2):(1,32)", LAYOUT_TOO_MUCH, 3);
    expect_fault("((8,8),2):((1,2),2)", LAYOUT_TOO_MUCH, 5);
    expect_fault("(4,65):(1,4)", LAYOUT_TOO_MUCH, 5);
    expect_fault("(0,1):(1,4)", LAYOUT_TOO_MUCH, 2);
    expect_fault("(4,8):(1,65536)", LAYOUT_TOO_MUCH, 4);
    expect_fault("(99999999999999999999,8):(1,1)", LAYOUT_TOO_MUCH, 21);
    expect_fault("(1,(1,1,1,1,1,1,1,1,1)):(1,(1,1,1,1,1,1,1,1,1))", LAYOUT_TOO_MUCH, 21);
    expect_fault("(((((((((1,1))))))),1):(((((((((1,1))))))),1)", LAYOUT_TOO_MUCH, 9);
}

static void test_equal(void **state) {
    (void)state;
    int lane, value;
    const struct layout layout = read_layout("((4,8),(2,2)):((16,1),(8,64))"),
                        flat = read_layout("((4,8),2):((16,1),8)"),
                        other = read_layout("((4,8),(2,2)):((16,1),(8,128))"),
                        same = read_layout("((2,2,8),(2,2)):((16,32,1),(8,64))");
    assert_true(layout_equal(&layout, &same, &lane, &value));
    assert_false(layout_equal(&layout, &flat, &lane, &value));
    assert_int_equal(lane, -1);
    assert_false(layout_equal(&layout, &other, &lane, &value));
    assert_int_equal(lane, 0);
    assert_int_equal(value, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
