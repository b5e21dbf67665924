/* What is a launch and what only looks like one; expected texts written by hand. */
#include "base/text.h"
#include "device/own/launch_syntax.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void becomes(const char *source, const char *expected) {
    struct launch_syntax syntax;
    struct error err = ERROR_INIT;
    assert_int_equal(launch_syntax_translate(&syntax, source, "x.cu", &err), 0);
    assert_string_equal(syntax.text.data, expected);
    launch_syntax_release(&syntax);
}

static void stays(const char *source) {
    becomes(source, source);
}

static void refuses(const char *source, const char *begins) {
    struct launch_syntax syntax;
    struct error err = ERROR_INIT;
    assert_int_equal(launch_syntax_translate(&syntax, source, "x.cu", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_memory_equal(err.text, begins, strlen(begins));
    launch_syntax_release(&syntax);
}

#define CALL(name, shape)                                                                          \
    "::shflviz_launch_call(\"" name "\", [&](auto... shflviz_arguments) { " name                   \
    "(shflviz_arguments...); }, ::shflviz_shape(" shape ")"

static void test_launches(void **state) {
    (void)state;
    becomes("k<<<1, 32>>>(a, b);", CALL("k", "1, 32") ", a, b);");
    becomes("k<<<1, 32>>>();", CALL("k", "1, 32") ");");
    becomes("k <<< g(1,2), b >>> ( x );", CALL("k", " g(1,2), b ") ",  x );");
    becomes("if (x) k<<<1,2>>>(f(a), \")\"); y();",
            "if (x) " CALL("k", "1,2") ", f(a), \")\"); y();");
    becomes("ns::k<int, 4><<<1,2>>>(a);", CALL("ns::k<int, 4>", "1,2") ", a);");
    becomes("k<a<b>><<<1,2>>>(a);", CALL("k<a<b>>", "1,2") ", a);");
    becomes("x=1;k<<<1,2,0,s>>>(a);j<<<3,4>>>(b);",
            "x=1;" CALL("k", "1,2,0,s") ", a);" CALL("j", "3,4") ", b);");
}

static void test_lines_stay(void **state) {
    (void)state;
    becomes("k\n<<<1,\n2>>>\n(a,\nb);\nend", CALL("k", "\n1,\n2") "\n, a,\nb);\nend");
}

static void test_no_launches(void **state) {
    (void)state;
    stays("");
    stays("// k<<<1,2>>>(a)\n");
    stays("/* k<<<1,2>>>(a) */");
    stays("s = \"k<<<1,2>>>(a) \\\" \";");
    stays("s = R\"x(k<<<1,2>>>(a) \" )x\";");
    stays("s = R\"x( \" k<<<1,2>>>(a) )x\";");
    stays("c = '\"'; d = 1'000; e = '<';");
    stays("x << 1; y >> 2; a<b<c>> d;");
    stays("operator<<<T>(a)");
}

static void test_dynamic_shared(void **state) {
    struct launch_syntax syntax;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(launch_syntax_translate(
                         &syntax, "void k() { extern __shared__ float  sums [ ]; }", "x", &err),
                     0);
    assert_string_equal(syntax.dynamic_shared, "sums");
    launch_syntax_release(&syntax);
    assert_int_equal(
        launch_syntax_translate(&syntax, "__shared__ int a[4]; extern int b[];", "x", &err), 0);
    assert_null(syntax.dynamic_shared);
    launch_syntax_release(&syntax);
    refuses("extern __shared__ int a[];\nextern __shared__ int b[];", "x.cu:2: ");
}

static void test_refusals(void **state) {
    (void)state;
    refuses("\n\nk<<<1,2>>;", "x.cu:3: ");
    refuses("k<<<1,2>>>;", "x.cu:1: ");
    refuses("k<<<1,2>>>(a", "x.cu:1: ");
    refuses("<<<1,2>>>(a)", "x.cu:1: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),    cmocka_unit_test(test_lines_stay),
        cmocka_unit_test(test_no_launches), cmocka_unit_test(test_dynamic_shared),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
