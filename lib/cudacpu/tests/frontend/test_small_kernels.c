/*
 * Kernels that the loop over a warp's lanes takes in: which those are, by their text, and how a
 * launch names them.
 */
#include "cudacpu/frontend/small_kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void finds(const char *source, const char *wanted) {
    struct text names = TEXT_INIT;
    small_kernels_find(&names, source, strlen(source), NULL);
    if (strcmp(names.data, wanted) != 0)
        fail_msg("%s\nfound: %s", source, names.data);
    text_release(&names);
}

#define K(body) "__global__ void k(float *a, int n) { " body " }"
#define THREAD  "(static_cast<const uint3 &>(cpu_now.lane->thread_index)).x"

static void test_small(void **state) {
    (void)state;
    finds(K(""), "k\n");
    finds(K("int i = blockIdx.x * blockDim.x + " THREAD "; if (i < n) a[i] = a[i] + (a[i] * 2);"),
          "k\n");
    finds(K("if (n == 0) return; else { a[0] = sizeof(a); } return (void)0;"), "k\n");
    finds(K("a[(int)(n / 2)] = n > 3 && (n < 4);"), "k\n");
    finds("template <class T> " K("") " __global__ static void other() {} int main() {}",
          "k\nother\n");
}

static void test_not_small(void **state) {
    (void)state;
    finds(K("for (;;) a[0]++;"), "");
    finds(K("while (n) a[n--] = 0;"), "");
    finds(K("do a[n] = 0; while (n--);"), "");
    finds(K("again: a[n--] = 0; goto again;"), "");
    finds(K("a[n] = f(n);"), "");
    finds(K("a[n] = f<3>(n);"), "");
    finds(K("a[n] = n::f<static_cast<int>(3)>(n);"), "");
    finds("__global__ void k(float *a);", "");
    finds("__device__ void f(float *a) { a[0] = 1; }", "");
    finds("void f(float *a) { a[0] = 1; }", "");
}

/* a[0] = 1; are seven words. */
static void test_long(void **state) {
    struct text body = TEXT_INIT;
    (void)state;
    text_append(&body, "__global__ void k(float *a) {");
    for (int i = 0; i < 17; i++)
        text_append(&body, " a[0] = 1;");
    const size_t end = body.length;
    text_append(&body, ";}");
    finds(body.data, "k\n"); /* 120 */
    body.data[body.length = end] = '\0';
    text_append(&body, ";;}");
    finds(body.data, ""); /* 121 */
    text_release(&body);
}

static void begins(const char *kernel, const char *wanted) {
    struct text names = TEXT_INIT, name = TEXT_INIT, out = TEXT_INIT;
    text_append(&names, "first\nadd\n");
    text_append(&name, kernel);
    small_kernels_begin_launch(&names, &out, &name);
    assert_string_equal(out.data, wanted);
    text_release(&names);
    text_release(&name);
    text_release(&out);
}

static void test_launch(void **state) {
    (void)state;
    begins("add", "::shflviz::launcher(::shflviz::small_kernel{\"add\"}");
    begins("first<'\"'>", "::shflviz::launcher(::shflviz::small_kernel{\"first<'\\\"'>\"}");
    begins("n:: add <n::add>", "::shflviz::launcher(::shflviz::small_kernel{\"n:: add <n::add>\"}");
    begins("ad", "::shflviz::launcher(\"ad\"");
    begins("irst", "::shflviz::launcher(\"irst\"");
    begins("add::k", "::shflviz::launcher(\"add::k\"");
    begins("k<add>", "::shflviz::launcher(\"k<add>\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_not_small),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
