/* Submissions that are refused, and the host side that replaces a submission's. */
#include "cudacpu/compile/submission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_refused(void **state) {
    static const char *const texts[][2] = {
        {"int a = cpu_now.in_step;", "a.cu:1: 'cpu_now': "},
        {"\n\nint CPU_X;", "a.cu:3: 'CPU_X': "},
        {"cp\\\nu_now", "a.cu:1: 'cpu_now': "},
        {"cp\\ \t\r\nu_now", "a.cu:1: 'cpu_now': "},
        {"cp\\\ru_now", "a.cu:1: 'cpu_now': "},
        {"\\\n\\\ncpu_now", "a.cu:3: 'cpu_now': "},
        {"/* */cpu_now", "a.cu:1: 'cpu_now': "},
        {"// \\\n x\ncpu_now", "a.cu:3: 'cpu_now': "},
        {"\"\\\"\" cpu_now", "a.cu:1: 'cpu_now': "},
        {"\"\\\\\" cpu_now \"", "a.cu:1: 'cpu_now': "},
        {"#if 0\ndon't\n#endif\ncpu_now", "a.cu:4: 'cpu_now': "},
        {"'\"' cpu_now '\"'", "a.cu:1: 'cpu_now': "},
        {"1'000 cpu_now", "a.cu:1: 'cpu_now': "},
        {"\"a\"cpu_now", "a.cu:1: 'cpu_now': "},
        {"// x\rcpu_now", "a.cu:2: 'cpu_now': "},
        {"__REDIRECT(f, (int), system)", "a.cu:1: '__REDIRECT': "},
        {"shflviz_x __tsan_read1", "a.cu:1: 'shflviz_x': "},
        {"#define J(a, b) a##b", "a.cu:1: '##': "},
        {"#define J(a, b) a#\\\n#b", "a.cu:1: '##': "},
        {"%:define J(a, b) a%:%:b", "a.cu:1: '%:%:': "},
        {"#line 1 \"lane.h\"", "a.cu:1: '#': "},
        {"\n # /**/ 12 \"lane.h\"", "a.cu:2: '#': "},
        {"%:line 1", "a.cu:1: '%:': "},
        {"\\u0063pu_now", "a.cu:1: '\\': "},
        {"R\"(\" )\"", "a.cu:1: 'R': "},
        {"u\\\n8R\"x()x\"", "a.cu:1: 'u8R': "},
        {"extern int x asm(\"cpu_now\");", "a.cu:1: 'asm': "},
        {"extern int x __asm__(\"cpu_\" \"now\");", "a.cu:1: '__asm__': "},
        {"extern int x asm(\"\" \"cpu_now\");", "a.cu:1: 'asm': "},
        {"extern int x asm(\"\" NAME);", "a.cu:1: 'asm': "},
        {"extern int x asm(NAME);", "a.cu:1: 'asm': "},
        {"#define A asm\nint x A(\"cpu_now\");", "a.cu:1: 'asm': "},
        {"extern int x asm(\"\\143pu_now\");", "a.cu:1: 'asm': "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct error err = ERROR_INIT;
        if (submission_check("a.cu", texts[i][0], &err) == 0)
            fail_msg("taken: %s", texts[i][0]);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (strncmp(err.text, texts[i][1], strlen(texts[i][1])) != 0)
            fail_msg("%s\nis refused with: %s", texts[i][0], err.text);
    }
}

static void test_taken(void **state) {
    static const char *const texts[] = {
        "",
        "// cpu_now",
        "// cpu\\\ncpu_now",
        "/* cpu_now\n*/",
        "/* cpu_now",
        "printf(\"cpu_now \\\" cpu_now\");",
        "'\\'' + 'c'",
        "int my_cpu_now, cpu, R, u8;",
        "0xcpu_now 1.5e+3f .5f 1'0cpu_",
        "#define N 5\n#pragma unroll\n#define TEXT(x) #x",
        "#define LONG \\\n  5",
        "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));",
        "asm(\"bar.sync 0;\");",
        "asm volatile(\"\" ::: \"memory\");",
        "__asm__ __volatile__(\"\");",
        "f\"cpu_now\"",
        "0x1'f' cpu_now '",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct error err = ERROR_INIT;
        if (submission_check("a.cu", texts[i], &err) != 0)
            fail_msg("%s\nis refused with: %s", texts[i], err.text);
    }
}

static void test_host(void **state) {
    static const char *const tests[][2] = {
        {"", ""},
        {"__global__ void k(int *a);", "__global__ void k(int *a) {}\n"},
        {"#include <a.h>\n\n__global__ void k(int *a,\n  int b);\nvoid t();",
         "\n\n__global__ void k(int *a,\n  int b) {}\n"},
        {"__global__ void k(int *a) { f(); }\n__device__ int f(int);", ""},
        {"int a; template <class T> __global__ void k(T *a);",
         " template <class T> __global__ void k(T *a) {}\n"},
        {"// __global__ void k();\nvoid f();", ""},
        {"#define K __global__\nvoid f();", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(tests); i++) {
        struct text text = TEXT_INIT;
        submission_append_host(&text, tests[i][0]);
        assert_string_equal(text.data ? text.data : "", tests[i][1]);
        text_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_taken),
                                       cmocka_unit_test(test_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
