/* Bodies that differ between the host and the device are joined; expected texts by hand. */
#include "cudacpu/frontend/two_sides.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct joined {
    struct text text, place;
    size_t count;
};

static struct joined join(const char *device, const char *host) {
    struct joined joined = {.text = TEXT_INIT, .place = TEXT_INIT};
    struct text a = TEXT_INIT, b = TEXT_INIT;
    text_append(&a, device);
    text_append(&b, host);
    joined.count = two_sides_join(&joined.text, &joined.place, &a, &b);
    text_release(&a);
    text_release(&b);
    return joined;
}

/* One body differs: X and Y stand for what the device's and the host's have. */
static void is_joined(const char *before, const char *after) {
    struct text device = TEXT_INIT, host = TEXT_INIT, wanted = TEXT_INIT;
    text_append_format(&device, "# 1 \"a.cu\"\n%s{ X; }%s", before, after);
    text_append_format(&host, "# 1 \"a.cu\"\n%s{ Y; }%s", before, after);
    text_append_format(&wanted,
                       "# 1 \"a.cu\"\n%s{ if (!__builtin_is_constant_evaluated() && "
                       "::cpu_runtime_in_kernel()) {\n# 1 \"a.cu\"\n X; \n} else {\n# 1 \"a.cu\"\n"
                       " Y; \n}\n# 1 \"a.cu\"\n}%s",
                       before, after);
    struct joined joined = join(device.data, host.data);
    assert_string_equal(joined.text.data, wanted.data);
    assert_string_equal(joined.place.data, "");
    assert_int_equal(joined.count, 1);
    text_release(&device);
    text_release(&host);
    text_release(&wanted);
    text_release(&joined.text);
    text_release(&joined.place);
}

static void test_bodies(void **state) {
    static const struct {
        const char *before, *after;
    } bodies[] = {
        {"int f() ", ""},
        {"int f(int x, char c = '{') noexcept ", " int g() { return 1; }"},
        {"const char *s = \"{ \\\" }\"; void f(int (&a)[3]) ", ";"},
        {"const char *s = R\"(a { )\"; auto t = R\"x( )\" })x\"; int f() ", ""},
        {"const char *s = R\"(a ) { )\"; int f() ", ""},
        {"auto t = R\"x( ) { )\" { )y\" { x\" { )x\"; int f() ", " int g() { return 3; }"},
        {"const char *s = \"\\\\\"; char c = '\\'', d = '}'; int f() ", ""},
        {"int n = 1'000'000; wchar_t c = L'{'; int f() ", ""},
        {"template <int N, class T = S<(N > 2)>> T f(T x) ", ""},
        {"namespace n { inline namespace m { int f() ", " } }"},
        {"struct S { int a; int f() const ", " int b; };"},
        {"class C : B<int> { int f() ", " };"},
        {"union U { int f() ", " };"},
        {"extern \"C\" { int f() ", " }"},
        {"extern \"C\" int f() ", ""},
        {"struct S { S(int x) : a(x), b{x}, c { x } ", " int a, b, c; };"},
        {"S::S() : a{1}, b{2} ", ""},
        {"bool S::operator()(int x) ", ""},
        {"bool operator==(S a, S b) ", ""},
        {"S &operator=(S a) ", ""},
        {"int operator[](int i) ", ""},
        {"__attribute__((noinline)) decltype(x) f() ", ""},
        {"alignas(8) int y; int a[3] = {1, 2, 3}; int f() ", ""},
        {"enum E { A, B = 3 }; struct P { int x; } p = {1}; int f() ", ""},
        {"auto l = [](int x) { return x; }; int f() ", ""},
        {"int f() -> decltype(1) ", ""},
        {"int x{3}; int f() ", ""},
        {"int n = 0xff'ff; char c = u8'{', d = u8'\\''; int f() ", ""},
        {"int R; void f(T R) ", " int g() { return (R); }"},
        {"void f(int (*g)(int), T t = {1}) ", ""},
        {"int f() { { a; } { b[(c)]; } } int g() ", " int h() { return 1; }"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(bodies); i++)
        is_joined(bodies[i].before, bodies[i].after);
}

/* The host's text may have other lines and blanks in it; each body keeps those of its own. */
static void test_places(void **state) {
    struct joined joined = join("# 1 \"a.cu\"\n# 1 \"b.h\" 1\nint g;\n# 7 \"a.cu\" 2\nint f() {\n"
                                " return 1;\n}\nint h() { return 2; }\n",
                                "# 1 \"a.cu\"\n# 1 \"b.h\" 1\nint g;\n# 7 \"a.cu\" 2\nint f() {\n"
                                "\n# 9 \"a.cu\"\n return 3;\n}\nint h()  { return  2; }\n");
    (void)state;
    assert_int_equal(joined.count, 1);
    assert_string_equal(joined.place.data, "");
    assert_non_null(strstr(joined.text.data, "{\n# 7 \"a.cu\"\n\n return 1;\n\n} else {\n"
                                             "# 7 \"a.cu\"\n\n\n# 9 \"a.cu\"\n return 3;\n\n}\n"
                                             "# 9 \"a.cu\"\n}\nint h() { return 2; }\n"));
    text_release(&joined.text);
    text_release(&joined.place);
}

/* A pragma is a line like others. */
static void test_pragmas(void **state) {
    struct joined joined =
        join("# 1 \"a.cu\"\nint f() {\n#pragma unroll 4\n X;\n}\n#pragma once\nint g() { X; }\n",
             "# 1 \"a.cu\"\nint f() {\n#pragma unroll 4\n Y;\n}\n#pragma once\nint g() { Y; }\n");
    (void)state;
    assert_int_equal(joined.count, 2);
    assert_string_equal(joined.place.data, "");
    assert_non_null(strstr(joined.text.data, "{\n# 1 \"a.cu\"\n\n#pragma unroll 4\n Y;\n\n}\n"
                                             "# 4 \"a.cu\"\n}\n#pragma once\nint g() {"));
    assert_non_null(strstr(joined.text.data, "{\n# 6 \"a.cu\"\n Y; \n}\n# 6 \"a.cu\"\n}\n"));
    text_release(&joined.text);
    text_release(&joined.place);
}

/* What differs outside of bodies is the device's, and the first place of that is named. */
static void test_other_differences(void **state) {
    static const struct {
        const char *device, *host, *place;
    } texts[] = {
        {"int a;\n", "int a;\n", ""},
        {"int a;\nint b;\n", "int a;\nint c;\n", "a.cu:2"},
        {"int a;\nint b;\n", "int a;\n", "a.cu:2"},
        {"int a;\n", "int a;\n\nint b;\n", "a.cu:3"},
        {"int a;\nint f() { return 1; }\n", "int a;\n", "a.cu:2"},
        {"int f() { return 1; }\nint b;\n", "int f() { return 1; }\nint c;\n", "a.cu:2"},
        {"# 9 \"x.h\"\nint b;\n", "# 9 \"x.h\"\nint c;\n", "x.h:9"},
        {"#line 10 \"zaz.h\"\nint b;\n", "#line 10 \"zaz.h\"\nint c;\n", "zaz.h:10"},
        {"#line 100\nint b;\n", "#line 100\nint c;\n", "a.cu:100"},
        {"# 3 \"\"\nint b;\n", "# 3 \"\"\nint c;\n", ":3"},
        {"#pragma unroll 7\n#pragma once \"x\"\nint b;\n",
         "#pragma unroll 7\n#pragma once \"x\"\nint c;\n", "a.cu:3"},
        {"const char *s = R\"(\n\n)\";\nint b;\n", "const char *s = R\"(\n\n)\";\nint c;\n",
         "a.cu:4"},
        {"int a = 9'0;\nint b;\n", "int a = 9'0;\nint c;\n", "a.cu:2"},
        {"# 0 \"x.h\"\n\nint b;\n", "# 0 \"x.h\"\n\nint c;\n", "x.h:1"},
        /* Braces that are no bodies. */
        {"int a{1};\n", "int a{2};\n", "a.cu:1"},
        {"\nauto l = [](int x) { return 1; };\n", "\nauto l = [](int x) { return 2; };\n",
         "a.cu:2"},
        {"alignas(8) int a{1};\n", "alignas(8) int a{2};\n", "a.cu:1"},
        {"decltype(1) a{1};\n", "decltype(1) a{2};\n", "a.cu:1"},
        {"__attribute__((unused)) int a{1};\n", "__attribute__((unused)) int a{2};\n", "a.cu:1"},
        {"S::S() : a{1}, b(2) { }\n", "S::S() : a{2}, b(2) { }\n", "a.cu:1"},
        {"enum E { A };\n", "enum E { B };\n", "a.cu:1"},
        {"int a = 1;\n# 30 \"x.h\" 1\nint b;\n", "int a = 1;\n# 30 \"x.h\" 1\nint bb;\n", "x.h:30"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct text device = TEXT_INIT, host = TEXT_INIT;
        text_append_format(&device, "# 1 \"a.cu\"\n%s", texts[i].device);
        text_append_format(&host, "# 1 \"a.cu\"\n%s", texts[i].host);
        struct joined joined = join(device.data, host.data);
        assert_string_equal(joined.text.data, device.data);
        assert_string_equal(joined.place.data, texts[i].place);
        assert_int_equal(joined.count, 0);
        text_release(&device);
        text_release(&host);
        text_release(&joined.text);
        text_release(&joined.place);
    }
}

/* A body reaches to the brace that closes it. */
static void test_nested_braces(void **state) {
    struct joined joined =
        join("# 1 \"a.cu\"\nint f() { if (a) { b; } else { c; } X; }\nint g() { return 2; }\n",
             "# 1 \"a.cu\"\nint f() { if (a) { b; } else { c; } Y; }\nint g() { return 2; }\n");
    (void)state;
    assert_int_equal(joined.count, 1);
    assert_string_equal(joined.place.data, "");
    assert_non_null(strstr(joined.text.data, "{\n# 1 \"a.cu\"\n if (a) { b; } else { c; } X; \n}"));
    assert_non_null(strstr(joined.text.data, "{\n# 1 \"a.cu\"\n if (a) { b; } else { c; } Y; \n}\n"
                                             "# 1 \"a.cu\"\n}\nint g() { return 2; }\n"));
    text_release(&joined.text);
    text_release(&joined.place);
}

/* A function that only one of the two has stands where the other has none. */
static void test_bodies_of_one(void **state) {
    struct joined joined =
        join("# 1 \"a.cu\"\nint f() { X; }\n# 5 \"a.cu\"\nint g() { X; }\n",
             "# 1 \"a.cu\"\n# 3 \"a.cu\"\nint h() { Y; }\n# 5 \"a.cu\"\nint g() { Y; }\n");
    (void)state;
    assert_int_equal(joined.count, 1);
    assert_non_null(strstr(joined.text.data, "int f() { X; }\n# 5 \"a.cu\"\nint g() { if ("));
    assert_string_equal(joined.place.data, "a.cu:1");
    text_release(&joined.text);
    text_release(&joined.place);
}

/* What no compiler takes is passed through. */
static void test_what_is_no_program(void **state) {
    static const char *const texts[] = {
        "",          "#",    "# x",        "# 1",  "# 1 \"a", "int f() {",  "R\"(",        "R\"",
        "\"abc",     "'",    "}",          "f(((", "\"a\\",   "template <", "\n#line 3\n", "a[",
        "int a = {", "'\\'", "# 3 \"a\" 1"};
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct joined joined = join(texts[i], texts[i]);
        assert_string_equal(joined.text.data, texts[i]);
        assert_string_equal(joined.place.data, "");
        assert_int_equal(joined.count, 0);
        text_release(&joined.text);
        text_release(&joined.place);
    }
}

/* Whether the text asks at all is seen in its files, of which those of others are not read. */
static void test_whether_it_asks(void **state) {
    char folder[] = "/tmp/shflviz-test-XXXXXX", path[80];
    char *skipped[] = {folder, NULL};
    FILE *file;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.cu", folder);
    assert_non_null(file = fopen(path, "w"));
    fputs("#ifdef __CUDA_ARCH__\n#endif\n", file);
    fclose(file);
    struct text text = TEXT_INIT;
    text_append_format(&text, "int a;\n# 1 \"%s\"\nint b;\n", path);
    assert_true(two_sides_asked(&text, NULL));
    assert_false(two_sides_asked(&text, skipped));
    /* The line may be the last and have no end; a file of the system's may lie anywhere. */
    text_clear(&text);
    text_append_format(&text, "# 1 \"%s\"", path);
    assert_true(two_sides_asked(&text, NULL));
    text_clear(&text);
    text_append_format(&text, "# 1 \"/usr/..%s\"\n", path);
    assert_false(two_sides_asked(&text, NULL));
    text_clear(&text);
    text_append_format(&text, "# 1 \"/../..%s\"\n", path);
    assert_true(two_sides_asked(&text, NULL));
    assert_non_null(file = fopen(path, "w"));
    fputs("int b;\n", file);
    fclose(file);
    assert_false(two_sides_asked(&text, NULL));
    text_clear(&text);
    text_append_format(&text,
                       "# 1 \"/usr/include/stdio.h\" 1 3\n# 1 \"<built-in>\"\n# 2 \"%s\"\n# 1\n"
                       "# 1 \"%s\" 1\n# 1 \"%s\" 2\n# 1 \"%s/absent\" 1\n# 1 \"open\n",
                       path, path, path, folder);
    assert_false(two_sides_asked(&text, NULL));
    text_clear(&text);
    text_append(&text, "# 1 \"");
    for (int i = 0; i < 5000; i++)
        text_append(&text, "a");
    text_append(&text, "\"\n");
    assert_false(two_sides_asked(&text, NULL));
    text_release(&text);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_nested_braces),
        cmocka_unit_test(test_pragmas),
        cmocka_unit_test(test_other_differences),
        cmocka_unit_test(test_bodies_of_one),
        cmocka_unit_test(test_what_is_no_program),
        cmocka_unit_test(test_whether_it_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
