/*
 * Kernels that rely on lanes in step, as printed by cudacpu-instrument --tell: kernels in
 * which a lane reads a value that another lane of its warp has written, or overwrites a value that
 * another lane has yet to read, without a synchronization in between. All cases are in one file,
 * each in its own namespace.
 */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define K(body)                                                                                    \
    "__global__ void k(int *v, int j, int n) { __shared__ int s[64]; int i = threadIdx.x; " body   \
    " }"
/* A kernel whose array has objects as elements. */
#define P(body)                                                                                    \
    "struct P { int a, b; }; __global__ void k(int *v, int j) { __shared__ P s[64]; "              \
    "int i = threadIdx.x; " body " }"
#define G(parameters, body) "__global__ void k(" parameters ") { int i = threadIdx.x; " body " }"
#define MEETING             "__device__ void meet() { __syncwarp(); } "
/* A function with its own shared memory. */
#define OWN(meets)                                                                                 \
    "__device__ void f(const int *v, int *w) { __shared__ int s[32]; s[v[0]] = 1; " meets          \
    " *w = s[v[1]]; } "

struct test_case {
    const char *source, *flags;
};

static const struct test_case shared_memory[] = {
    {K("s[i] = v[i]; v[i] = s[i ^ 1];"), " shared"},
    {K("v[i] = s[i ^ 1]; s[i] = v[i];"), " shared"},
    {K("s[i]++; v[i] = s[63 - i];"), " shared"},
    {K("s[i] <<= 2; v[i] = s[63 - i];"), " shared"},
    /* The last steps of many reductions. */
    {K("if (i < 32) { s[i] += s[i + 32]; s[i] += s[i + 16]; }"), " shared"},
    {K("for (int d = 16; d; d /= 2) s[i] += s[i + d];"), " shared"},
    {K("int d = n; do { s[i] += s[i + d]; d /= 2; } while (d);"), " shared"},
    {K("if (i > 3) v[i] = 1; else s[i] = 2; v[i] = s[i ^ 1];"), " shared"},
    /* One lane writes and all read, or all read and then one writes. */
    {K("if (i == 0) s[0] = 1; v[i] = s[0];"), " shared"},
    {K("if (i == j) s[n] = 1; v[i] = s[n];"), " shared"},
    {K("int x = s[0]; if (i == 5) s[0] = x + 1; v[i] = x;"), " shared"},
    {K("for (int m = 0; m < n; m++) { if (i == m) s[m] = v[i]; v[i] += s[m]; }"), " shared"},
    {K("s[i] = 1; v[i] = s[0];"), " shared"},
    {K("if (i == 1) s[i] = 1; v[i] = s[0];"), " shared"},
    {P("s[i].a = 1; v[i] = s[i ^ 1].a;"), " shared"},
    {P("P p = {1, i}; s[i] = p; p = s[i ^ 1]; v[i] = p.a + p.b;"), " shared"},
    {K("__shared__ int t[4][4]; t[i][0] = 1; v[i] = t[i][n];"), " shared"},
    {K("__shared__ int a; if (v[0] == 1) a = 1; v[0] = a;"), " shared"},
    /* Dynamic shared memory is one array. */
    {"__global__ void k(int *v) { extern __shared__ int d[]; int i = threadIdx.x; int *t = d + 32; "
     "d[i] = 1; v[0] = t[i]; }",
     " shared"},
    {"extern __shared__ int d[]; extern __shared__ float e[]; __global__ void k(int *v) { "
     "d[v[0]] = 1; v[0] = e[v[1]]; }",
     " shared"},
    /* Through pointers and references. */
    {K("int *p = s; p[i] = 1; v[i] = s[i + 1];"), " shared"},
    {K("auto p = &s[i]; *p = 1; v[i] = s[i ^ 1];"), " shared"},
    {K("int &r = s[i]; r = 1; v[i] = s[i ^ 1];"), " shared"},
    {K("int *p = j ? s : s + 32; p[i] = 1; v[i] = s[i ^ 1];"), " shared"},
    {K("__shared__ int t[64]; int *p = j ? s : t; p[i] = 1; v[i] = t[i ^ 1];"), " shared"},
    {K("auto put = [&](int x) { s[i] = x; }; put(1); v[i] = s[i ^ 1];"), " shared"},
    {K("int *p[2] = {s, v}; p[j][i] = 1; v[i] = s[i ^ 1];"), " shared"},
    {K("memcpy(s + i, v + i, 4); memcpy(v + i, s + (i ^ 1), 4);"), " shared"},
    {K("volatile int *p = s; p[i] = 1; v[i] = s[i ^ 1];"), " shared"},
    {"__shared__ int s[64]; __global__ void k(int *v) { s[v[0]] = 1; v[0] = s[v[1]]; }", " shared"},
    /* No barrier. */
    {K("s[i] = 1; __threadfence(); v[i] = s[i ^ 1];"), " shared"},
    {K("s[i] = 1; if (n) __syncwarp(); v[i] = s[i ^ 1];"), " shared"},
    {K("s[i] = 1; atomicAdd(v, 1); v[i] = s[i ^ 1];"), " shared"},

    {K(""), ""},
    {K("s[i] = v[i]; v[i] = s[i];"), ""},
    {K("if (i == 0) { s[0] = v[0]; __threadfence(); v[i] = s[0]; }"), ""},
    {K("s[i] = 1; if (i == 0) v[i] = s[0];"), ""},
    {K("s[i] = 1; if (!i) v[i] = s[0];"), ""},
    {K("s[i] = 1; if (i == j) v[i] = s[j];"), ""},
    {K("s[i] = s[i] + s[i + 1];"), ""}, /* read before the next lane writes it */
    {K("for (int d = n; d; d /= 2) { if (i < d) s[i] += s[i + d]; __syncthreads(); }"), ""},
    {P("s[i].a = 1; v[i] = s[i].b;"), ""},
    {P("s[i].a = 1; v[i] = s[j].b;"), ""},
    {P("P p = {1, i}; s[i] = p; v[i] = s[i].b;"), ""},
    {K("__shared__ float4 t[64]; t[i] = *(float4 *)(v + 4 * i); v[4 * i] = t[i].z;"), ""},
    {K("int x = s[i + 32]; if (j) x++; s[i] = x;"), ""},
    {K("s[0] = 1; v[i] = s[1];"), ""},
    {K("s[2 * i] = 1; v[i] = s[2 * i + 1];"), ""},
    {K("v[i] = s[i ^ 1] < 1; v[i] = s[i] >= 2;"), ""},
    {K("__shared__ int t[64]; t[v[0]] = 1; v[0] = s[v[1]];"), ""},
    {K("int t[4] = {j, n}; t[i] = 1; v[i] = t[i ^ 1];"), ""},
    {K("volatile int *p = s; p[i] = 1; v[i] = p[i ^ 1];"), ""}, /* lockstep.c handles it */
    {K("atomicAdd(&s[i], 1); atomicMax(&s[i ^ 1], 3); v[i] = 1;"), ""},
    /* With each operation at which lanes meet. */
    {K("s[i] = 1; __syncthreads(); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; if (__syncthreads_or(1)) v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; __syncwarp(); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; n = __shfl_sync(~0u, i, 0); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __shfl_xor(i, 1); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __ballot_sync(~0u, i); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __any_sync(~0u, i); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __all_sync(~0u, i); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __match_any_sync(~0u, i); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; n = __reduce_add_sync(~0u, i); v[i] = s[i ^ 1] + n;"), ""},
    {K("s[i] = 1; cg::this_thread_block().sync(); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; cg::sync(cg::this_thread_block()); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; cg::tiled_partition<32>(cg::this_thread_block()).sync(); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; cg::coalesced_threads().sync(); v[i] = s[i ^ 1];"), ""},
    {K("s[i] = 1; cg::this_grid().sync(); v[i] = s[i ^ 1];"), ""},
    {MEETING K("s[i] = 1; meet(); v[i] = s[i ^ 1];"), ""},
};

/* Functions get shared memory from a kernel or have their own; they may be inlined or not. */
#define CALLED(words, memory, flags)                                                               \
    {"__device__ " words K("f(s, i);"), flags}, {                                                  \
        "__device__ __attribute__((noinline)) " words K("f(s, i);"), flags                         \
    }
static const struct test_case functions[] = {
    CALLED("void f(int *p, int i) { p[i] = 1; p[i + 1] += p[i ^ 1]; } ", "s", " shared"),
    CALLED("void f(int *p, int i) { p[i] += 1; } ", "s", ""),
    CALLED("void f(int *p, int i) { p[i] = 1; __syncthreads(); p[i + 1] = 3; } ", "s", ""),
    {"__device__ __attribute__((noinline)) void f(int *p, int i) { p[i] = i; } " K(
         "f(s, i); v[i] = s[i];"),
     " shared"},
    {"__device__ __attribute__((noinline)) void f(int *p, int i) { p[i] = i; } " K(
         "v[i] = s[i]; f(s, i);"),
     " shared"},
    {"__device__ __attribute__((noinline)) int f(const int *p, int i) { return p[i]; } " K(
         "v[i] = f(s, i) + s[i];"),
     ""},
    {"__device__ __attribute__((noinline)) void f(int *p) { __syncthreads(); } " K(
         "s[i] = 1; f(v); v[i] = s[i ^ 1];"),
     ""},
    {"__device__ int f(int *p, int n) { return n > 0 ? f(p, n - 1) + f(p, n - 2) : p[0]; } " K(
         "v[i] = f(s, n);"),
     ""},
    {"__device__ int f(int *p, int n) { p[n] = 1; return n > 0 ? f(p, n - 1) + f(p, n - 2) : "
     "p[0]; } " K("v[i] = f(s, n);"),
     " shared"},
    {"__shared__ int s[64]; __device__ int f(int i) { s[i] = 1; return s[i ^ 1]; } "
     "__global__ void k(int *v) { v[0] = f(threadIdx.x); }",
     " shared"},
    /* The second call finds what the first one left in the array. */
    {OWN("__syncwarp();") "__global__ void k(const int *v, int *w) { f(v, w); }", ""},
    {OWN("__syncwarp();") "__global__ void k(const int *v, int *w) { f(v, w); f(v, w); }",
     " shared"},
    {OWN("__syncwarp();") "__global__ void k(const int *v, int *w) { for (int i = 0; i < v[9]; "
                          "i++) f(v, w); }",
     " shared if_same"},
    {OWN("__syncwarp();") "__global__ void k(const int *v, int *w) { do { f(v, w); } while (v[2]); "
                          "}",
     " shared if_same"},
    {OWN("__syncthreads();") "__global__ void k(const int *v, int *w) { f(v, w); __syncthreads(); "
                             "f(v, w); }",
     ""},
};

static const struct test_case global_memory[] = {
    {G("int *v", "v[i] = 1; v[i ^ 1] += 2;"), " global"},
    {G("int *v", "*v = i; v[1] = v[i];"), " global"},
    {G("int *v", "int x = v[(i + 31) % 32]; v[i] = x;"), " global"},
    {"__device__ int g[64]; " G("int *v", "g[i] = 1; *v = g[i ^ 1];"), " global"},
    {G("int *v", "v[i] = 1; __syncwarp(); v[i ^ 1] += 2;"), ""},
    {G("int *v", "v[i] = 1; v[i] += 2;"), ""},
    {G("int *v", "v[i]++; v[i + 32] = 1;"), " global"}, /* however many threads a warp has */
    {"__device__ int g; " G("int *v", "g = 1; *v = g;"), ""},
    {"__device__ int g[4] = {1, 2}; " G("int *v", "*v = g[i ^ 1];"), ""},
    /* Pointers that may point into one array, depending on the launch. */
    {G("int *p, int *q", "p[i] = q[i ^ 1];"), " if_same"},
    {G("int *p, int *q", "p[i] = q[i + 1];"), ""},
    {G("int *p, int *q", "p[i] = 1; q[3] = q[i ^ 1];"), " global if_same"},
    {G("int *p, int *q", "p[i] = 1; p[i] = q[i];"), ""},
    {G("const float *a, const float *b, float *c, int n",
       "float sum = 0; for (int m = 0; m < n; m++) sum += a[i * n + m] * b[m * n + i]; c[i] = "
       "sum;"),
     " if_same"},
    /* Members, and member functions that access them. */
    {"struct S { int *p; int n; }; " G("S s, int *v", "s.p[i] = 1; *v = s.p[i ^ 1];"),
     " global if_same"},
    {"struct S { int *p; int n; }; " G("S s", "s.p[i] = 1; s.p[i] += 2;"), ""},
    {"struct S { int *p; int n; }; " G("S *s", "s->p[i] = 1; s->n = s->p[i ^ 1];"),
     " global if_same"},
    {"struct S { int *p, *q; }; " G("S s", "s.p[i] = s.q[i ^ 1];"), " if_same"},
    {"struct S { int *p, *q; }; " G("S s", "s.p[i] = s.q[i + 1];"), " if_same"},
    {"struct S { int *p[4]; }; " G("S s, int n", "s.p[n][i] = 1; s.p[0][5] = s.p[1][i ^ 1];"),
     " global if_same"},
    {"struct S { int *p; __device__ void put(int i) { p[i] = 1; } "
     "__device__ int get(int i) { return p[i]; } }; " G("S s", "s.put(i); s.put(s.get(i ^ 1));"),
     " global"},
    {"struct S { int *p; __device__ void put(int i) { p[i] = 1; __syncwarp(); } "
     "__device__ int get(int i) { return p[i]; } }; " G("S s, int *v", "s.put(i); *v = s.get(i);"),
     " if_same"},
    /* Linked lists. */
    {"struct N { N *next; int x; }; " G("N *a, int *v", "for (; a; a = a->next) a->x += *v;"),
     " if_same"},
    {"struct N { N *next; int x; }; " G(
         "N *a, int n, int *v", "for (; a; a = a->next) { a->x = 1; n += a->next->x; } *v = n;"),
     " global if_same"},
};

static char *told; /* the output of cudacpu-instrument */

static void append_cases(struct text *text, const char *name, const struct test_case *cases,
                         size_t count) {
    for (size_t i = 0; i < count; i++)
        text_append_format(text, "namespace %s%zu { %s }\n", name, i, cases[i].source);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void run(const char *words) {
    if (system(words) != 0)
        fail_msg("%s", words);
}

static int ask(void **state) {
    struct text text = TEXT_INIT, words = TEXT_INIT;
    char folder[] = "/tmp/cudacpu-lockstep-XXXXXX";
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    text_append(&text, "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n");
    append_cases(&text, "shared_", shared_memory, COUNT(shared_memory));
    append_cases(&text, "function_", functions, COUNT(functions));
    append_cases(&text, "global_", global_memory, COUNT(global_memory));
    text_append_format(&words, "%s/a.cu", folder);
    FILE *file = fopen(words.data, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.length, file), text.length);
    assert_int_equal(fclose(file), 0);
    text_clear(&words);
    text_append_format(&words,
                       SHFLVIZ_TEST_CLANG " -c %s/a.cu -o %s/a.bc && " SHFLVIZ_TEST_INSTRUMENT
                                          " --tell %s/a.bc > %s/told",
                       folder, folder, folder, folder);
    run(words.data);
    text_clear(&words);
    text_append_format(&words, "%s/told", folder);
    file = fopen(words.data, "r");
    assert_non_null(file);
    told = calloc(1, 1 << 20);
    assert_true(fread(told, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    text_clear(&words);
    text_append_format(&words, "rm -r %s", folder);
    run(words.data);
    text_release(&words);
    text_release(&text);
    return 0;
}

static int forget(void **state) {
    (void)state;
    free(told);
    return 0;
}

/* "_ZN9shared_121kEPiii: shared" */
static void compare(const char *name, const struct test_case *cases, size_t count) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char begin[64], flags[64] = "";
        snprintf(begin, sizeof begin, "_ZN%zu%s%zu1kE", (size_t)snprintf(NULL, 0, "%s%zu", name, i),
                 name, i);
        const char *at = strstr(told, begin);
        assert_non_null(at);
        sscanf(strchr(at, ':') + 1, "%63[^\n]", flags);
        if (strcmp(flags, cases[i].flags) != 0) {
            fprintf(stderr, "%s\n  says:%s, not:%s\n", cases[i].source, flags, cases[i].flags);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_shared_memory(void **state) {
    (void)state;
    compare("shared_", shared_memory, COUNT(shared_memory));
}
static void test_functions(void **state) {
    (void)state;
    compare("function_", functions, COUNT(functions));
}
static void test_global_memory(void **state) {
    (void)state;
    compare("global_", global_memory, COUNT(global_memory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_global_memory),
    };
    return cmocka_run_group_tests(tests, ask, forget);
}
