/*
 * What nvcc refuses and a host's compiler takes, and what is not to be mistaken for it. That nvcc
 * refuses the first and takes the second was tried with nvcc 13.0 (-arch=sm_80 -c).
 */
#include "cudacpu/frontend/refused.h"

#include "base/text.h"

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
    takes("int f() { return 1; } int g(int (*h)()); int main() { return g(f) << 1; }");
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

/* More of what is sure, and what only looks like it; each was tried with nvcc 13.0, too. */
static void test_more_forms(void **state) {
    static const char *const refused[][2] = {
        {"template <class T> struct A { }; template <int N = (1 > 0), class T = A<A<int>>> struct "
         "P { };\n__global__ int k() { return 1; }",
         ":2: k: a kernel gives"},
        {"int f(int x) noexcept { return x; }\n__global__ void k(int *v) { *v = f(1); }",
         ":2: f: belongs"},
        {"extern \"C\" { int f() { return 1; } }\n__global__ void k(int *v) { *v = f(); }",
         ":2: f: belongs"},
        {"struct S { int b; __device__ S() : b{2} {\nb = rand(); } }; __device__ S s() { return "
         "S(); }",
         ":2: rand: belongs"},
        {"struct S { int a, b; __device__ S() : a{1}, b{2} {\nb = rand(); } }; __device__ S s() { "
         "return S(); }",
         ":2: rand: belongs"},
        {"int a[2] = {1};\n__device__ int f(int i) { return a[i]; }", ":2: a: belongs"},
        {"int a{1};\n__device__ int f() { return a; }", ":2: a: belongs"},
        {"template <class T> struct A { __host__ __device__ A() { } }; A<int> f() { return "
         "A<int>(); }\n__global__ void k(int *v) { f(); }",
         ":2: f: belongs"},
        {"int n; __device__ int g(int a, int b) { return a + b; }\n__device__ int f() { return "
         "g(1, n); }",
         ":2: n: belongs"},
        {"int *n;\n__device__ int f() { int x; x = *n; return x; }", ":2: n: belongs"},
        {"int n;\n__device__ int f() { return 3 * n; }", ":2: n: belongs"},
        {"int n;\n__device__ int f(int x) { if (x) {\nreturn n; } return (n); }", ":3: n: belongs"},
        {"namespace a { namespace b { int f() { return 1; } } }\nnamespace a { namespace b { "
         "__device__ int g() { return f(); } } }",
         ":2: f: belongs"},
        {"struct S { __device__ int g();  }; int f() { return 1; }\n__device__ int S::g() { return "
         "f(); }",
         ":2: f: belongs"},
        {"__device__ int f() { return 1; }\nstatic int g() { return 2 + f(); }",
         ":2: f: is a __device__"},
        {"__global__ void k(int *v) { }\nint main() { if (1) { } k(0); }", ":2: k: is a kernel"},
        {"int f(int x) { return x; }\n__global__ void k(int *v) { v[0] = v[1] + (f(1)); }",
         ":2: f: belongs"},
    };
    static const char *const taken[] = {
        "struct S { static int f(int x); }; int S::f(int x) { return x; } struct B { __device__ "
        "static int f(int) { return 1; } }; struct C : B { __device__ int g() { return f(1); } };",
        "int n = 3; __device__ void f(int &n) { n = 1; }",
        "template <class T> struct A { T x; }; int n = 3; __device__ void f(A<int> n) { n.x = 1; }",
        "int n = 3; __device__ void f(int *n) { *n = 1; }",
        "int n = 3; __device__ void f(int **n) { **n = 1; }",
        "int n = 3; __device__ void f(int &&n) { n = 1; }",
        "int n = 3; __device__ void f() { int m, n; n = m = 1; }",
        "template <int N> __global__ void k() { __shared__ int s[N == 2 ? 4 : 8]; s[0] = 1; }",
        "template <int N> __global__ void k() { __shared__ alignas(N == 2 ? 4 : 8) int s; s = 1; }",
        "int f(int x) { return x; } __global__ void k(int *v) { int f = 3; *v = f; }",
        "int f(int x) { return x; } template <int N> __device__ int g() { return N; } __global__ "
        "void k(int *v) { *v = g<sizeof(f(1))>(); }",
        "struct P { int n; }; int n = 3; __global__ void k(P *v) { P p = {.n = 2}; *v = p; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        refuses(refused[i][0], refused[i][1]);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        takes(taken[i]);
}

/* What stands before a function has its end, and says nothing of the function itself. By the CUDA
 * C++ Programming Guide's "Function Execution Space Specifiers" and "__global__ Functions". */
static void test_what_stands_before(void **state) {
    (void)state;
    refuses("template <int N = 3> __device__ int g() { return N; } int f() { return 1; }\n"
            "__global__ void k(int *v) { *v = f(); }",
            ":2: f: belongs");
    refuses("__global__ __attribute__((launch_bounds(sizeof(void *)))) int k() { return 1; }",
            ":1: k: a kernel gives");
    refuses("struct A { friend void f(A a); };\nstruct S { __global__ void k() {} };",
            ":2: k: a kernel cannot be a member");
    refuses("struct A { friend void f(A a); }; class S { int a; public:\n__global__ void k() {} };",
            ":2: k: a kernel cannot be a member");
    refuses("auto l = [](int x) { return x; }; int f() { return 1; }\n"
            "__global__ void k(int *v) { *v = f(); }",
            ":2: f: belongs");
    takes("int f(int x) { return x; } template <class T> __host__ __device__ T f(T x, T y) "
          "{ return x; } __device__ int g(int f) { return f; } "
          "__global__ void k(int *v) { *v = f(1, 2); }");
    takes("int a; int f(int x) { return x; } UNKNOWN(f) int g(int x) { return x; } "
          "__global__ void k(int *v) { *v = f(1); }");
}

/* A name that is declared again is something else, whatever stands behind it. Some of these no
 * compiler takes, for other reasons. */
static void test_declared_again(void **state) {
    static const char *const kinds[] = {"int *",   "int **",     "int &",       "int *&", "int &&",
                                        "A<int> ", "A<A<int>> ", "int *const ", "auto "};
    static const char *const behind[] = {"", ", int m", " = 0", "[2]"};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t j = 0; j < sizeof behind / sizeof behind[0]; j++) {
            struct text source = TEXT_INIT;
            text_append_format(&source, "int n = 3; __device__ int g(%sn%s) { return n; }",
                               kinds[i], behind[j]);
            takes(source.data);
            text_release(&source);
        }
    takes("int f(int x) { return x; } template <int N> struct A { __device__ A(int x) { } }; "
          "__global__ void k(int *v) { A<3> f(1); *v = 1; }");
    takes("int n = 3; __global__ void k(int *v) { int *n = v, m = 1; *n = m; }");
}

/* Each function and name of the libraries that is the host's alone. */
static void test_each_of_the_libraries(void **state) {
    static const char *const calls[] = {"rand",   "srand",   "time",  "exit",  "fopen",
                                        "fclose", "fprintf", "scanf", "puts",  "putchar",
                                        "getenv", "sprintf", "atoi",  "qsort", "snprintf"};
    static const char *const names[] = {
        "cout",          "cerr",          "clog",          "cin",     "endl",
        "vector",        "string",        "map",           "set",     "to_string",
        "list",          "deque",         "stringstream",  "thread",  "ifstream",
        "unordered_map", "unordered_set", "ostringstream", "ofstream"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] + sizeof names / sizeof names[0]; i++) {
        const size_t count = sizeof calls / sizeof calls[0];
        struct text source = TEXT_INIT, begins = TEXT_INIT;
        const char *name = i < count ? calls[i] : names[i - count];
        text_append_format(&source, "__global__ void k(int n) { n = 1;\n%s%s(n); }",
                           i < count ? "" : "std::", name);
        text_append_format(&begins, ":2: %s: belongs", name);
        refuses(source.data, begins.data);
        text_release(&source);
        text_release(&begins);
    }
}

/* The last of many functions. */
static void test_many_functions(void **state) {
    struct text source = TEXT_INIT;
    (void)state;
    for (int i = 0; i < 300; i++)
        text_append_format(&source, "int f%d(int x) { return x; }\n", i);
    takes(source.data);
    text_append(&source, "__global__ void k(int *v) { *v = f299(1); }");
    refuses(source.data, ":301: f299: belongs");
    text_release(&source);
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
        cmocka_unit_test(test_more_forms),
        cmocka_unit_test(test_what_stands_before),
        cmocka_unit_test(test_declared_again),
        cmocka_unit_test(test_each_of_the_libraries),
        cmocka_unit_test(test_many_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
