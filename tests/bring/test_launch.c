/* The functions of a file, and the launch that is chosen for one of them. */
#include "bring/main_function.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void functions_of_a_file(void **state) {
    (void)state;
    static const char text[] =
        "#include <cstdio>\n"
        "namespace a { namespace {\n"
        "template <typename T, int N = 4>\n"
        "__device__ T sum(T v) { return __shfl_xor_sync(~0u, v, 1); }\n"
        "struct S { int f() { return 0; } };\n"
        "}\n"
        "__global__ void __launch_bounds__(128) k(const float *__restrict__ in, float *out,\n"
        "    unsigned n, int w[4]) { out[0] = sum(in[0]); }\n"
        "}\n"
        "__global__ void declared(int);\n"
        "static __global__ void plain() { int x = 3; }\n"
        "extern \"C\" void solve(const float *in, int n) { plain<<<1, 1>>>(); }\n";
    struct functions functions;
    functions_find(&functions, text);
    assert_int_equal(functions.count, 4);
    const struct function *sum = &functions.function[0], *k = &functions.function[1];
    assert_string_equal(sum->name, "a::sum");
    assert_int_equal(sum->kind, FUNCTION_DEVICE);
    assert_int_equal(sum->template_count, 2);
    assert_false(sum->of_template[0].has_default);
    assert_true(sum->of_template[1].has_default);
    assert_string_equal(k->name, "a::k");
    assert_int_equal(k->kind, FUNCTION_KERNEL);
    assert_int_equal(k->most_threads, 128);
    assert_int_equal(k->line, 7);
    assert_true(k->has_warp_operation); /* in sum() */
    assert_int_equal(k->parameter_count, 4);
    assert_string_equal(k->parameters[0].name, "in");
    assert_true(k->parameters[0].is_const && k->parameters[0].is_pointer);
    assert_string_equal(k->parameters[1].name, "out");
    assert_false(k->parameters[1].is_const);
    assert_string_equal(k->parameters[2].name, "n");
    assert_false(k->parameters[2].is_pointer);
    assert_string_equal(k->parameters[3].name, "w");
    assert_true(k->parameters[3].is_pointer);
    assert_string_equal(functions.function[2].name, "plain");
    assert_false(functions.function[2].has_warp_operation);
    assert_string_equal(functions.function[3].name, "solve");
    assert_false(functions.has_main);
    assert_string_equal(bring_find_default(&functions)->name, "solve");
    functions_release(&functions);
}

static void defaults_are_chosen(void **state) {
    (void)state;
    static const struct {
        const char *text, *call, *options;
    } cases[] = {
        /* Two warps, an array of 4096, and as many values as threads. */
        {"__global__ void k(float *out, const float *in, int n) {}", "",
         " --call 'k<<<1, 64>>>(out, in, n)' --arg 'out=[4096]:0' --arg 'in=[4096]:thread % 64'"
         " --arg n=64"},
        /* The file's own launch. */
        {"#define T 128\ntemplate <class V> __global__ void k(V *x) {}\n"
         "void f(float *x) { k<float><<<g, T>>>(x); }",
         "", " --call 'k<float><<<1, 128>>>(x)' --arg 'x=[4096]:thread % 64'"},
        {"__global__ void k(int *x) { x[threadIdx.y] = 0; }\n"
         "void f(int *x) { dim3 b(8, 4); k<<<1, b>>>(x); }",
         "", " --call 'k<<<1, dim3(8, 4)>>>(x)' --arg 'x=[4096]:thread % 64'"},
        /* The file's constants are computed: 32 * 4 threads, 16 * (32 + 8) halves. */
        {"template <int D, int M, int T> __global__ void k(half *q) { mma(q); }\n"
         "template <int D> void f(half *q) {\n  constexpr int M = 16;\n"
         "  constexpr int W = (D < 128) ? 4 : 2; // warps\n#define T (32 * \\\n W)\n"
         "  const int bytes = (M * (D + 8)) * sizeof(half);\n"
         "  k<D, M, T>\r\n<<<1, T, bytes>>>(q);\n}",
         "", " --call 'k<32, 16, 128><<<1, 128, 1280>>>(q)' --arg 'q=[4096]:thread % 7'"},
        {"#define A B\n#define B A\n__global__ void k() {}\nvoid f() { k<<<1, A, -1>>>(); }", "",
         " --call 'k<<<1, 64>>>()'"},
        /* Template parameters. */
        {"template <int BLOCK, bool B, typename Op> __global__ void k(double eps, Op op) {}", "",
         " --call 'k<64, true, shflviz_call::sum><<<1, 64>>>(eps, op)' --arg eps=0.00001"
         " --arg op=1"},
        {"template <int N = 256> __global__ void k(int m) { }", "",
         " --call 'k<><<<1, 64>>>(m)' --arg m=64"},
        /* Two sizes: 64 each. */
        {"__global__ void k(float *y, const float *x, int rows, int cols, int seed) {}", "",
         " --call 'k<<<1, 64>>>(y, x, rows, cols, seed)' --arg 'y=[4096]:0'"
         " --arg 'x=[4096]:thread % 64' --arg rows=64 --arg cols=64 --arg seed=1"},
        /* Given values are kept. */
        {"__global__ void k(float *out, int n) {}", "k<<<2, 32, 128>>>(out, 7)",
         " --call 'k<<<2, 32, 128>>>(out, 7)' --arg 'out=[4096]:0'"},
        {"template <int W> __device__ int f(int v) { return v; }", "f<8>(lane * 2)",
         " --call 'f<8><<<1, 32>>>(lane * 2)'"},
        {"__device__ int f(int v, unsigned mask, int width) { return __shfl_sync(mask, v, 0); }",
         "",
         " --call 'f<<<1, 32>>>(v, mask, width)' --arg v=lane --arg mask=0xffffffff"
         " --arg width=32"},
        {"__global__ void k() {}\nextern \"C\" void solve(const float *in, float *out, int N) {}",
         "",
         " --call 'solve(in, out, N)' --arg 'in=[4096]:thread % 64' --arg 'out=[4096]:0'"
         " --arg N=64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct functions functions;
        struct bring_launch launch;
        struct text options = TEXT_INIT;
        struct error err = ERROR_INIT;
        functions_find(&functions, cases[i].text);
        const struct function *function = *cases[i].call
                                              ? bring_find_called(&functions, cases[i].call, &err)
                                              : bring_find_default(&functions);
        if (!function ||
            bring_launch_choose(&launch, function, cases[i].call, cases[i].text, &err) != 0)
            fail_msg("%s", err.text);
        bring_append_options(&launch, &options);
        assert_string_equal(options.data, cases[i].options);
        text_release(&options);
        bring_launch_release(&launch);
        functions_release(&functions);
    }
}

static void a_wrong_call_is_refused(void **state) {
    (void)state;
    static const char text[] = "__global__ void k(float *out, int n) {}";
    static const struct {
        const char *call, *said;
    } cases[] = {
        {"nix(3)", "no function 'nix'"},
        {"k(out, n", "    k(out, n\n            ^"},
        {"k<<<1, 64(out, n)", "expected >>>"},
        {"k<<<1>>>(out, n)", "    k<<<1>>>(out, n)\n        ^"},
        {"k(out)", "parameters of k: 2; arguments given: 1"},
        {"k(out, n) + 1", "    k(out, n) + 1\n              ^"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct functions functions;
        struct bring_launch launch = {.function = NULL};
        struct error err = ERROR_INIT;
        functions_find(&functions, text);
        const struct function *function = bring_find_called(&functions, cases[i].call, &err);
        if (function)
            assert_int_equal(bring_launch_choose(&launch, function, cases[i].call, text, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (!strstr(err.text, cases[i].said))
            fail_msg("%s", err.text);
        bring_launch_release(&launch);
        functions_release(&functions);
    }
}

static void forty_parameters_are_refused(void **state) {
    (void)state;
    struct functions functions;
    struct bring_launch launch;
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    text_append(&text, "__global__ void k(int a0");
    for (int i = 1; i < 40; i++)
        text_append_format(&text, ", int a%d", i);
    text_append(&text, ") {}");
    functions_find(&functions, text.data);
    assert_int_equal(
        bring_launch_choose(&launch, bring_find_default(&functions), "", text.data, &err), -1);
    assert_non_null(strstr(err.text, "k has 40 parameters"));
    bring_launch_release(&launch);
    functions_release(&functions);
    text_release(&text);
}

static void values_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text, *name, *type, *values;
        size_t count;
    } cases[] = {
        {"n=64", "n", "", "64", 0},
        {"in=float[64]:lane * 2", "in", "float", "lane * 2", 64},
        {"in=[8]", "in", "", "0", 8},
        {"x=lane == 3", "x", "", "lane == 3", 0},
    };
    struct bring_value value;
    struct error err = ERROR_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bring_launch launch = {.function = NULL};
        assert_int_equal(bring_value_read(&value, cases[i].text, &err), 0);
        assert_string_equal(value.name, cases[i].name);
        assert_string_equal(value.type, cases[i].type);
        assert_string_equal(value.values, cases[i].values);
        assert_int_equal(value.count, cases[i].count);
        bring_launch_set_value(&launch, &value);
        bring_value_release(&value);
        bring_launch_release(&launch);
    }
    static const char *const wrong[] = {
        "", "n", "n=", "=3", "in=float[0]:1", "in=float[x]", "in=[99999999999]:1", "in=[3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(bring_value_read(&value, wrong[i], &err), -1);
        bring_value_release(&value);
    }
}

static void the_torch_side_is_removed(void **state) {
    (void)state;
    static const char text[] = "#include <torch/extension.h>\n"
                               "template <class T> __global__ void k(T *x) { x[0] = 1; }\n"
                               "torch::Tensor run(torch::Tensor x) {\n    return x;\n}\n"
                               "PYBIND11_MODULE(NAME, m) {\n    m.def(\"run\", &run);\n}\n"
                               "int kept() { return 3; }\n";
    struct text stripped = TEXT_INIT;
    functions_strip_host_library(text, &stripped);
    assert_int_equal(stripped.length, strlen(text));
    assert_null(strstr(stripped.data, "torch"));
    assert_null(strstr(stripped.data, "PYBIND"));
    assert_non_null(strstr(stripped.data, "__global__ void k(T *x) { x[0] = 1; }"));
    assert_non_null(strstr(stripped.data, "\nint kept() { return 3; }\n"));
    text_release(&stripped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_a_file),     cmocka_unit_test(defaults_are_chosen),
        cmocka_unit_test(a_wrong_call_is_refused), cmocka_unit_test(forty_parameters_are_refused),
        cmocka_unit_test(values_are_read),         cmocka_unit_test(the_torch_side_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
