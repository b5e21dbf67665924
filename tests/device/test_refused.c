/*
 * What nvcc refuses and a host's compiler takes, and what is not to be mistaken for it. That nvcc
 * refuses the first and takes the second was tried with nvcc 13.0 (-arch=sm_80 -c).
 */
#include "device/own/refused.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void refuses(const char *source, const char *begins) {
    struct error err = ERROR_INIT;
    if (refuse_cuda(source, strlen(source), NULL, &err) == 0)
        fail_msg("taken: %s", source);
    if (strncmp(err.text, begins, strlen(begins)) != 0)
        fail_msg("%s\nis refused with: %s", source, err.text);
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void takes(const char *source) {
    struct error err = ERROR_INIT;
    if (refuse_cuda(source, strlen(source), NULL, &err) != 0)
        fail_msg("%s\nis refused with: %s", source, err.text);
}

#define K "__global__ void k(int *v) { *v = 1; }\n"

static void test_kernels(void **state) {
    (void)state;
    refuses("# 7 \"a.cu\"\n__global__ int k(int *v) { return *v; }", "a.cu:7: k: a kernel gives");
    refuses("static __global__ __attribute__((x)) float *k() { return 0; }", ":1: k: a kernel");
    takes("__global__ void k(int a, float b) {} void __global__ j() {} __global__ auto i() -> void "
          "{}");
    takes("template <int N> __global__ void k() {} extern \"C\" __global__ void j(int);");
    refuses("struct S { int a;\n__global__ void k() {} };", ":2: k: a kernel cannot be a member");
    takes("struct S { friend __global__ void k(S s); int a; };");
    takes("namespace n { __global__ void k() {} }");
}

static void test_launches(void **state) {
    (void)state;
    refuses("void k(int *v) {}\nint main() { k<<<1, 2>>>(0); }", ":2: k: is launched");
    refuses("__device__ void k() {} int main() {\n k<<<1, 2>>>(); }", ":2: k: is launched");
    takes(K "int main() { k<<<1, 2>>>(0); if (1) k<<<1, 2>>>(0); }");
    takes("__global__ void k(int *); int main() { k<<<1, 2>>>(0); }");
    takes("void run(void (*k)(int *)) { k<<<1, 2>>>(0); } void k(float) {}");
    takes("void k() {} template <class K> void run(K k) { k<<<1, 2>>>(); }");
    takes("template <class T> void k(T) {} template <class T> __global__ void k(T *) {} "
          "int main() { k<<<1, 2>>>((int *)0); }");
    refuses(K "int main() {\n k(0); }", ":3: k: is a kernel");
    takes(K "int main() { void *p = (void *)k; f(k, 1); cudaLaunchKernel(k, 1, 2, 0); }");
    takes(K "struct S { void k(int); void f() { k(1); } };");
}

static void test_host_functions(void **state) {
    (void)state;
    refuses("int f(int x) { return x; }\n__global__ void k(int *v) { *v = f(1); }",
            ":2: f: belongs");
    refuses("int f(int x) { return x; }\n__device__ int g() { return f(1); }", ":2: f: belongs");
    refuses("namespace n { int f() { return 1; } __global__ void k(int *v) {\n*v = 1 + f(); } }",
            ":2: f: belongs");
    takes("__device__ int f(int x) { return x; } __global__ void k(int *v) { *v = f(1); }");
    takes("__host__ __device__ int f(int x); __global__ void k(int *v) { *v = f(1); } "
          "int f(int x) { return x; }");
    takes("int f(int x) { return x; } __host__ __device__ int g() { return f(1); }");
    takes("constexpr int f(int x) { return x; } __global__ void k(int *v) { *v = f(1); }");
    takes("int f(int x) { return x; } __device__ float f(float x) { return x; } "
          "__global__ void k(float *v) { *v = f(1.0f); }");
    takes("int f(int x) { return x; } struct A { __device__ int f(int) { return 1; } "
          "__device__ int g() { return f(1); } };");
    takes("int f(int x) { return x; } struct A { __device__ int g(); }; "
          "__device__ int h(A f) { return f(1); }");
    takes("int f(int x) { return x; } __global__ void k(int *v) { auto f = [](int y) { return y; };"
          " *v = f(1); }");
    takes("int f(int x) { return x; } __global__ void k(int *v) { *v = sizeof(f(1)); }");
    takes("int f(int x) { return x; } template <class T> __global__ void k(T *v) { *v = f(1); }");
    takes("int f(int x) { return x; } template <class T> struct S { __device__ int g() "
          "{ return f(1); } };");
    takes("# 1 \"/usr/x.h\" 3\nint f(int x);\n# 1 \"a.cu\"\nint f(int x) { return x; } "
          "__global__ void k(int *v) { *v = f(1); }");
    takes("UNKNOWN(k) int f(int x) { return x; } __global__ void j(int *v) { *v = f(1); }");
}

static void test_libraries(void **state) {
    (void)state;
    refuses("__global__ void k() {\nstd::vector<int> v; }", ":2: vector: belongs");
    refuses("__global__ void k() {\nstd::cout << 1; }", ":2: cout: belongs");
    refuses("__global__ void k(int *v) { *v =\nrand(); }", ":2: rand: belongs");
    takes("__device__ int rand() { return 4; } __global__ void k(int *v) { *v = rand(); }");
    takes("__global__ void k(int *v) { printf(\"%d\", *v); std::max(1, 2); }");
    takes("int main() { std::vector<int> v; std::cout << rand(); }");
    takes("__global__ void k(int *v, int time) { *v = s.rand(time); }");
}

static void test_device_functions(void **state) {
    (void)state;
    refuses("__device__ int f() { return 1; }\nint main() {\nreturn f(); }",
            ":3: f: is a __device__");
    takes(
        "__device__ int f() { return 1; } int main() { auto g = [] __device__ { return f(); }; }");
    takes("__host__ __device__ int f() { return 1; } int main() { return f(); }");
    takes("__device__ int f() { return 1; } template <class T> int g() { return f(); }");
    takes("__device__ int f() { return 1; } constexpr int g() { return f(); }");
}

static void test_variables(void **state) {
    (void)state;
    refuses("int n = 3;\n__global__ void k(int *v) { *v = n; }", ":2: n: belongs");
    refuses("float t[4];\n__device__ float f(int i) { return t[i]; }", ":2: t: belongs");
    takes("__device__ int n = 3; __constant__ int m[4]; __managed__ int o; "
          "__global__ void k(int *v) { *v = n + m[0] + o; }");
    takes("const int n = 3; constexpr int m = 4; enum { o }; "
          "__global__ void k(int *v) { *v = n + m + o; }");
    takes("int n = 3; __global__ void k(int *v, int n) { *v = n; }");
    takes("int n = 3; __global__ void k(int *v) { for (int i = 0, n = 5; i < n; i++) *v = n; }");
    takes("int n[3]; __global__ void k(int (*n)[3], int (&m)[2]) { (*n)[0] = m[0]; }");
    takes("int n = 3; struct S { int n; }; __global__ void k(S s) { s.n = 1; }");
    takes("int n = 3; __global__ void k(S s) { auto [m, n] = s; *s.v = n; }");
    takes("int n = 3; int main() { return n; }");
    /* What the type has may be read of any variable. */
    takes("C<5> five; __global__ void k(int *v) { *v = five.value; }");
    takes("D five, six; __global__ void k(int *v) { *v = six.value; }");
}

static void test_shared(void **state) {
    (void)state;
    refuses("__global__ void k() {\n__shared__ int s = 0; }", ":2: __shared__: ");
    refuses("template <class T> __global__ void k() { __shared__ T a[2], b = 1; }",
            ":1: __shared__: ");
    takes("__global__ void k() { __shared__ int s; s = 0; extern __shared__ int d[]; d[0] = 1; }");
    takes("__device__ void f(__shared__ int *s, int n = 2) {}");
}

/* What nvcc takes, in forms that could be mistaken for something else. Each of these but the two of
 * a macro was tried with nvcc, too. */
static void test_forms(void **state) {
    (void)state;
    takes("template <int N = (1 > 0)> struct P { int n; }; template <int N> "
          "__global__ void k(int *v) { *v = N; }");
    takes("consteval int f(int x) { return x; } __global__ void k(int *v) { *v = f(1); }");
    takes("int f(int x) { return x; } class A { public: int a; private: int b; protected: "
          "__device__ int f(int) { return b; } };");
    takes("int n = 3, m = 4; extern int o; __device__ int p = 1; int q(int &r); "
          "__global__ void k(int *v, int m) { *v = m + p; }");
    takes("extern \"C\" { int n = 3; } namespace a { int m = 4; } namespace b { __device__ int m; "
          "__global__ void k(int *v) { *v = m; } }");
    takes("struct S { S() : a(1), b{2} {} ~S() {} S &operator=(int x) { a = x; return *this; } "
          "int operator()(int x) { return x; } int a, b; };");
    takes("MACRO(a) MACRO(b); int f(int x) { return x; } ODD(a) f(b);");
    takes("int f(int) { return 1; } __attribute__((noinline)) int g() noexcept(true) "
          "{ return f(1); } decltype(1) h() { return g(); }");
    takes("int f(int x) { return x; } __global__ void k(int *v) { *v = decltype(f(1))(2) + "
          "alignof(f(1)) + noexcept(f(1)); }");
    takes("int n = 3; __global__ void k(int *v) { auto g = [n = 4](int x) { return n + x; }; "
          "*v = g(1) + A::n + v->n + v[0].n + n::m; }");
    /* A member by any of the three, of a type that is declared elsewhere. */
    takes("int n = 3; __global__ void k(P *v) { v->n = 1; }");
    takes("int n = 3; __global__ void k(P v) { v.n = 1; }");
    takes("int n = 3; __global__ void k(int *v) { *v = P::n; }");
    refuses("int n = 3;\n__global__ void k(P *v) { v->m = n; }", ":2: n: belongs");
    takes(
        "int f(int x) { return x; } __global__ void k(int *v) { if constexpr (false) *v = f(1); }");
    takes("# 1 \"/usr/x.h\" 3\nint g(int x) { return f (x); }\nint notf(int f);\n# 1 \"a.cu\"\n"
          "int f(int x) { return x; } __global__ void k(int *v) { *v = f(1); }");
    takes("#line 7 \"a\\\"b.cu\"\n# nothing\nint a = 1'000; char c = '\\''; const char *s = "
          "\"\\\\\"; auto r = u8R\"x(a \")x\"; wchar_t w = L'x'; float f = 1.5e3f;");
    takes("__device__ int f(int x) { return x; } int main() { int f = 3; return f; }");
    takes("__global__ void k(int *v) {} int main() { auto p = &k; if (k) p = k; (k)(0); }");
    takes("bool operator<(int *a, __shared__ int *b); __device__ void g(__shared__ int *s) {}");
    refuses("int n = 3;\nint n2;\n__device__ int f() { return n2 + n; }", ":3: n2: belongs");
    refuses("int f(int x) { return x; }\n__global__ void k(int *v) { return f(1), v[f(2)]; }",
            ":2: f: belongs");
    refuses("int f(int x) { return x; }\n__global__ void k(int *v) {\n *v = 1;\n f(2); }",
            ":4: f: belongs");
    refuses("__global__ void k(int *v) {}\nint main() {\n { k(0); } }", ":3: k: is a kernel");
    refuses("__global__ void k(int *v) {}\nint main() {\n if (1) {} k(0); }", ":3: k: is a kernel");
    refuses("struct __attribute__((aligned(16))) A { float x; };\n__global__ "
            "__attribute__((noinline)) int k(A a) { return 1; }",
            ":2: k: a kernel gives");
    /* Names from a folder of ours or of the system are not the person's. */
    char ours[] = "/opt/ours";
    char *const skipped[] = {ours, NULL};
    static const char source[] = "# 1 \"/opt/ours/x.h\"\n__global__ int k() { return 1; }\n"
                                 "# 1 \"/opt/ourselves/x.h\"\nint a;\n";
    struct error err = ERROR_INIT;
    assert_int_equal(refuse_cuda(source, sizeof source - 1, skipped, &err), 0);
    takes("# 1 \"/usr/local/x.h\"\n__global__ int k() { return 1; }\n");
}

/* A compiler says what is wrong with these. */
static void test_what_is_no_program(void **state) {
    (void)state;
    takes("");
    takes("}");
    takes("( ]");
    takes("template <");
    takes("int f(");
    takes("__global__ void k(int *v) { *v = 1;");
    takes("R\"(");
    takes("__shared__ int");
    takes("extern \"C\"");
    takes("k<<<");
    takes("# 1");
    takes("\"open");
    takes("'\\");
    takes("int a = 'x");
    takes("R\"aaaaaaaaaaaaaaaaaaaaaaaaa(");
    takes("# 1 \"open");
    takes("# 1 \"a\\");
    takes("1.5");
    takes("__shared__ int a(3)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_device_functions),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_what_is_no_program),
        cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
