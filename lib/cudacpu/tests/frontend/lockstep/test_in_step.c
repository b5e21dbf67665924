/*
 * Which kernels lean on lanes in step: those in which a lane reads what another one of its warp has
 * written, or writes what another one is still to read, and nothing between has them meet.
 */
#include "cudacpu/frontend/lockstep/in_step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Looks at a file with one kernel, k, and says whether that leans on it at such memory. */
static bool leans(const char *source, enum in_step_memory memory, bool is_part) {
    struct in_step_names names[IN_STEP_MEMORIES] = {{.leaning = TEXT_INIT}};
    for (int i = 0; i < IN_STEP_MEMORIES; i++)
        names[i] = (struct in_step_names){TEXT_INIT, TEXT_INIT, TEXT_INIT, false};
    const bool matters = in_step_kernels(source, strlen(source), NULL, is_part, names);
    const bool found = names[memory].leaning.length > 0;
    if (strcmp(names[memory].leaning.data, found ? "k\n" : "") != 0 ||
        strcmp(names[memory].others.data, found ? "" : "k\n") != 0)
        fail_msg("%s\nleaning: %s others: %s", source, names[memory].leaning.data,
                 names[memory].others.data);
    if (found)
        assert_true(matters);
    in_step_names_release(names);
    return found;
}

static void all_lean(const char *const *source, size_t count, enum in_step_memory memory) {
    for (size_t i = 0; i < count; i++)
        if (!leans(source[i], memory, false))
            fail_msg("does not lean: %s", source[i]);
}

static void none_leans(const char *const *source, size_t count, enum in_step_memory memory) {
    for (size_t i = 0; i < count; i++)
        if (leans(source[i], memory, false))
            fail_msg("leans: %s", source[i]);
}

#define K(body) "__global__ void k(int *v) { __shared__ int s[64]; int i = threadIdx.x; " body " }"

static void test_shared_memory(void **state) {
    static const char *const leaning[] = {
        K("s[i] = v[i]; v[i] = s[i ^ 1];"),
        K("v[i] = s[i ^ 1]; s[i] = v[i];"),
        K("s[i]++; v[i] = s[63 - i];"),
        K("--s[i]; v[i] = s[63 - i];"),
        K("++s[i]; v[i] = s[63 - i];"),
        K("s[i] += 2; v[i] = s[63 - i];"),
        K("s[i] |= 2; v[i] = s[63 - i];"),
        K("s[i] <<= 2; v[i] = s[63 - i];"),
        K("s[i] >>= 2; v[i] = s[63 - i];"),
        /* The last steps of many a reduction. */
        K("if (i < 32) { s[i] += s[i + 32]; s[i] += s[i + 16]; }"),
        K("for (int d = 16; d; d /= 2) s[i] += s[i + d];"),
        K("int d = 16; while (d) { s[i] += s[i + d]; d /= 2; }"),
        K("int d = 16; do { s[i] += s[i + d]; d /= 2; } while (d);"),
        K("if (i > 3) v[i] = 1; else s[i] = 2; v[i] = s[i ^ 1];"),
        /* One lane writes, all read. */
        K("if (i == 0) s[0] = 1; v[i] = s[0];"),
        K("if (i == 0) { if (v[3] == 2) s[0] = 1; v[i] = s[0]; }"),
        K("s[i] = 1; v[i] = s[0];"),
        K("if (i == 1) s[i] = 1; v[i] = s[0];"),
        K("s[i].a = 1; v[i] = s[i ^ 1].a;"),
        K("s[i].a = 1; use(s[i]);"),
        K("s[i][0] = 1; v[i] = s[i][n];"),
        /* Dynamic shared memory is one array, wherever "extern" stands. */
        K("__shared__ extern int d[]; __shared__ extern int e[]; d[i] = 1; v[i] = e[i + 1];"),
        K("extern __shared__ int d[]; __shared__ extern int e[]; d[i] = 1; v[i] = e[i + 1];"),
        /* Through pointers and references. */
        K("int *p = s; p[i] = 1; v[i] = s[i + 1];"),
        K("int *__restrict__ p = s; p[i] = 1; v[i] = s[i + 1];"),
        K("int *const p = s; p[i] = 1; v[i] = s[i + 1];"),
        K("auto p = &s[i]; *p = 1; v[i] = s[i ^ 1];"),
        K("int &r = s[i]; r = 1; v[i] = s[i ^ 1];"),
        K("int *q = v, *p = s + i; *p = 1; v[i] = s[i ^ 1];"),
        K("int *p = s; p = s + 32; p[i] = 1; v[i] = s[i ^ 1];"),
        K("int *p = s + 1; p[0] = 1; v[i] = s[1];"), /* one element by two names */
        K("auto put = [&](int x) { s[i] = x; }; put(1); v[i] = s[i ^ 1];"),
        "__global__ void k(int *v) { extern __shared__ int s[]; int *t = s + 32; "
        "s[threadIdx.x] = 1; v[0] = t[threadIdx.x]; }",
        "__global__ void k(int *v) { __shared__ extern int s[]; s[v[0]] = 1; v[0] = s[v[1]]; }",
        "__global__ void k(int *v) { __shared__ int a, b; if (v[0] == 1) a = 1; v[0] = a; }",
        "__shared__ int s[64]; __global__ void k(int *v) { s[v[0]] = 1; v[0] = s[v[1]]; }",
        "__global__ void k(int *v) { extern __shared__ int s[]; extern __shared__ float t[]; "
        "s[v[0]] = 1; v[0] = t[v[1]]; }",
        "__global__ void k(int *v) { extern volatile __shared__ int s[]; "
        "extern volatile __shared__ int t[]; s[v[0]] = 1; v[0] = t[v[1]]; }",
        "__global__ void k(int *v) { __shared__ int b; if (v[0] == 1) b = 1; v[0] = b; }",
        K("__shared__ int t[4]; int *p = s; { p = t; } p[i] = 1; v[i] = t[i ^ 1];"),
        K("__shared__ int t[4]; int *p = s; { } p = t; p[i] = 1; v[i] = t[i ^ 1];"),
        K("s[i] -= 2; v[i] = s[63 - i];"),
        K("s[i] *= 2; v[i] = s[63 - i];"),
        K("s[i] /= 2; v[i] = s[63 - i];"),
        K("s[i] %= 2; v[i] = s[63 - i];"),
        K("s[i] &= 2; v[i] = s[63 - i];"),
        K("s[i] ^= 2; v[i] = s[63 - i];"),
        K("s[i]--; v[i] = s[63 - i];"),
        K("v[i] = s[i ^ 1] + 1; s[i] = 2;"),
        K("s[i].a = 1; v[i] = s[j].b;"), /* which may be the same element */
        /* In a function that is given none, of the file's or of its own. */
        "__shared__ int s[64]; __device__ void f(int i) { s[i] = 1; x = s[i ^ 1]; } "
        "__global__ void k(int *v) { f(3); }",
        "extern __shared__ int s[]; __device__ void f(int i) { s[i] = 1; x = s[i ^ 1]; } "
        "__global__ void k(int *v) { f(3); }",
        "__device__ void f(int i) { __shared__ int s[64]; s[i] = 1; x = s[i ^ 1]; } "
        "__global__ void k(int *v) { f(3); }",
        /* No barrier, whatever it is called. */
        K("s[i] = 1; int sync = 3; v[i] = s[i ^ 1];"),
        K("s[i] = 1; synchronized(3); v[i] = s[i ^ 1];"),
        K("s[i] = 1; m = activemask((__extension__({ static const struct shflviz_site x; }))); "
          "v[i] = s[i ^ 1];"),
        K("s[i] = 1; __threadfence(); v[i] = s[i ^ 1];"),
    };
    static const char *const others[] = {
        K(""),
        K("s[i] = v[i]; v[i] = s[i];"),
        K("if (i < 7) s[0] = 1; v[i] = s[0];"),
        K("if (i == 0) { s[0] = 1; v[i] = s[0]; }"),
        K("s[i] = 1; if (i == 0) v[i] = s[0];"),
        K("s[i] = 1; if (!i) v[i] = s[0];"),
        K("s[i] = 1; if (i == j) v[i] = s[j];"),
        K("s[i] = s[i] + s[i + 1];"), /* before the next lane writes it */
        K("s[i].a = 1; v[i] = s[i].b;"),
        K("s[0] = 1; v[i] = s[1];"),
        K("s[i] == 1; v[i] = s[i ^ 1];"),
        K("v[i] = s[i ^ 1] < 1; v[i] = s[i] >= 2;"),
        "__global__ void k(int *v) { __shared__ int a[4], b[4]; a[v[0]] = 1; v[0] = b[v[1]]; }",
        K("s[i] = 1; v[i] = o.s[3] + p->s[3] + n::s[3];"),
        K("v[i] = s[i] + s[i ^ 1]; bool b = s[i] == s[3];"),
        K("int *p = v; p[i] = 1; v[i] = s[i + 1];"),
        K("int t[4]; t[i] = 1; v[i] = t[i ^ 1];"),
        K("int x = s[i]; x = 1; v[i] = s[i ^ 1];"),
        /* All that lanes meet at. */
        K("s[i] = 1; __syncthreads(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; if (__syncthreads_or(1)) v[i] = s[i ^ 1];"),
        K("s[i] = 1; __syncwarp(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __shfl_sync(~0u, i, 0); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __shfl_xor(i, 1); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __ballot_sync(~0u, i); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __any_sync(~0u, i); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __all_sync(~0u, i); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __match_any_sync(~0u, i); v[i] = s[i ^ 1];"),
        K("s[i] = 1; __reduce_add_sync(~0u, i); v[i] = s[i ^ 1];"),
        K("s[i] = 1; block.sync(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; cg::wait(block); v[i] = s[i ^ 1];"),
        K("s[i] = 1; bar.arrive_and_wait(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; block.barrier_sync(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; cuda::wait_prior(); v[i] = s[i ^ 1];"),
        K("s[i] = 1; shuffle((__extension__({ static const struct shflviz_site x; }))); "
          "v[i] = s[i ^ 1];"),
        "__device__ void meet() { __syncwarp(); } " /* a function that does */
        K("s[i] = 1; meet(); v[i] = s[i ^ 1];"),
        "__device__ void meet() { asm volatile(\"bar.warp.sync -1;\"); } " /* nobody reads that */
        K("s[i] = 1; meet(); v[i] = s[i ^ 1];"),
    };
    (void)state;
    all_lean(leaning, COUNT(leaning), IN_STEP_SHARED);
    none_leans(others, COUNT(others), IN_STEP_SHARED);
}

/* Functions get such memory from a kernel, or have their own. */
static void test_functions(void **state) {
    static const char *const leaning[] = {
        "__device__ void f(int *p, int i) { p[i] = 1; p[i + 1] += p[i ^ 1]; } " K("f(s, i);"),
        "__device__ void f(int p[], int i) { p[i] = 1; p[i + 1] += p[i ^ 1]; } " K("f(s, i);"),
        "__device__ void f(int *p); " K("f(s); v[i] = s[i];"),
        "__device__ void f(int *p); " K("f(&s[i]); v[i] = s[i];"),
        "__device__ void f(const int *p, int *q); " K("f(v, s); v[i] = s[i];"),
        "__device__ void f(int *p, const int *q); " K("f(s, v); v[i] = s[i];"),
        /* The second call finds what the first has left. */
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncwarp(); "
        "v[0] = s[v[1]]; } __global__ void k(int *v) { f(v); f(v); }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncwarp(); "
        "v[0] = s[v[1]]; } __global__ void k(int *v) { for (int i = 0; i < 3; i++) { f(v); } }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncwarp(); "
        "v[0] = s[v[1]]; } __global__ void k(int *v) { for (int i = 0; i < 3; i++) f(v); }",
        "template <int N> __device__ void f(int *v) { __shared__ int s[N]; s[v[0]] = 1; "
        "__syncwarp(); v[0] = s[v[1]]; } __global__ void k(int *v) { while (v[3]) { f<3>(v); } }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncwarp(); "
        "v[0] = s[v[1]]; } __global__ void k(int *v) { do { f(v); } while (v[2]); }",
    };
    static const char *const others[] = {
        "__device__ void f(int *p, int i) { p[i] = 1; } " K("f(s, i);"),
        "__device__ int f(const int *p); " K("v[i] = f(s) + s[i];"),
        "__device__ int f(int *q, const int *p); " K("v[i] = f(v, s) + s[i];"),
        "__device__ void f(int *p) { __syncthreads(); } " K("f(s); v[i] = s[i];"),
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncwarp(); "
        "v[0] = s[v[1]]; } __global__ void k(int *v) { f(v); }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; __syncthreads(); "
        "v[0] = s[v[1]]; __syncthreads(); } __global__ void k(int *v) { f(v); f(v); }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; block.sync(); "
        "v[0] = s[v[1]]; all(); } __device__ void all() { __syncthreads(); } "
        "__global__ void k(int *v) { f(v); f(v); }",
        "__device__ void f(int *v) { __shared__ int s[32]; s[v[0]] = 1; block.sync(); "
        "v[0] = s[v[1]]; block.sync(); } __global__ void k(int *v) { f(v); f(v); }",
        "__device__ int f(int *p, int n) { return n ? f(p, n - 1) : p[0]; } " K("v[i] = f(s, 2);"),
    };
    (void)state;
    all_lean(leaning, COUNT(leaning), IN_STEP_SHARED);
    none_leans(others, COUNT(others), IN_STEP_SHARED);
}

#define G(parameters, body)                                                                        \
    "__global__ void k(" parameters ") { int i = threadIdx.x; " body " } void run() { "

static void test_global_memory(void **state) {
    static const char *const leaning[] = {
        G("int *v", "v[i] = 1; v[i ^ 1] += 2;") "}",
        G("int v[]", "v[i] = 1; x = v[i ^ 1];") "}",
        G("int n, int *__restrict__ v", "*v = 1; x = v[i];") "}",
        "__device__ int g[64]; " G("int n", "g[i] = 1; x = g[i ^ 1];") "}",
        /* One array under two names, as launches show. */
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a, a); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a, a + 4); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a, &a[4]); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>((int *)a, (int *)(a + 4)); }",
        G("int *p, int *q",
          "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(static_cast<int *>(a), a.data()); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<2><<<1, 32>>>(n::a, n::a + 1); }",
        G("int *p, int *q",
          "p[i] = 1; x = q[i ^ 1];") "int *b = a + 4; auto c = b; k<<<1, 32>>>(a, c); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "int *b = a + 2 * n; k<<<1, 32>>>(a, b); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<(2 > 1), 3><<<1, 32>>>(a, a); }",
        G("int *p, int n, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<f(1), 32>>>(a, g(1, 2), a); }",
        /* Members, and functions of structs that reach for them. */
        "struct S { int *p; int n; }; " G("S s", "s.p[i] = 1; x = s.p[i ^ 1];") "}",
        "class S { int *const p; }; " G("S *s", "s->p[i] = 1; x = s->p[i ^ 1];") "}",
        "struct S { int *p; __device__ void put(int i) { p[i] = 1; } "
        "__device__ int get(int i) { return p[i]; } }; " G("S s",
                                                           "s.put(i); x = s.get(i ^ 1);") "}",
        "struct S { int *p; __device__ void put(int i) { p[i] = 1; } "
        "__device__ void two(int i) { put(i); } }; " G("S s", "s.two(i); x = s.p[i ^ 1];") "}",
        "struct S { int *p; __device__ void put(int i); }; "
        "__device__ void S::put(int i) { p[i]++; } " G("S s", "s.put(i); x = s.p[i ^ 1];") "}",
    };
    static const char *const others[] = {
        G("int *v", "v[i] = 1; v[i] += 2;") "}",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a, b); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a[0], a[1]); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a.x, a.y); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(a->x, a->y); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>>(\"a\", 3 + a); }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "k<<<1, 32>>; }",
        G("int *p, int *q", "p[i] = 1; x = q[i ^ 1];") "j<<<1, 32>>>(a, a); }",
        G("int *p, int *q",
          "p[i] = 1; x = q[i ^ 1];") "int *a = (int *)get(n * sizeof *a), "
                                     "*b = (int *)get(n * sizeof *b); k<<<1, 32>>>(a, b); }",
        G("int *p, int *q",
          "p[i] = 1; x = q[i ^ 1];") "int *a = (int *)get(sizeof(int) * n); "
                                     "int *b = (int *)get(sizeof(int) * n); k<<<1, 32>>>(a, b); }",
        /* Equal pointers: the lane's own element by either name. */
        G("int *p, int *q", "p[i] = 1; x = q[i];") "k<<<1, 32>>>(a, a); }",
        "__device__ int g; " G("int n", "g = 1; x = g;") "}",
        "__device__ int g[4] = {1, 2}; " G("int n", "x = g[i ^ 1];") "}",
        "struct S { int *p; int n; }; " G("S s", "s.p[i] = 1; x = s.p[i];") "}",
        "struct S { int *p, *q; }; " G("S s", "s.p[i] = 1; x = s.q[i ^ 1];") "}",
        "struct S { int *p; }; " G("int n", "int p[4]; p[i] = 1; x = p[i ^ 1];") "}",
        "struct S { int *p; __device__ void put(int i) { p[i] = 1; __syncwarp(); } "
        "__device__ int get(int i) { return p[i]; } }; " G("S s",
                                                           "s.put(i); x = s.get(i ^ 1);") "}",
        "enum E { A, B }; " G("int n", "x = 1;") "}",
    };
    (void)state;
    all_lean(leaning, COUNT(leaning), IN_STEP_GLOBAL);
    none_leans(others, COUNT(others), IN_STEP_GLOBAL);
}

/* What is deep or long is not looked into, and does no harm. */
static void test_depth(void **state) {
    struct text deep = TEXT_INIT, conditions = TEXT_INIT, behind = TEXT_INIT, loops = TEXT_INIT;
    (void)state;
    text_append(&deep, "__global__ void k(int *v) { __shared__ int s[4]; ");
    text_append(&conditions, deep.data);
    text_append(&behind, deep.data);
    text_append(&loops, deep.data);
    for (int i = 0; i < 300; i++)
        text_append(&deep, "{");
    text_append(&deep, "s[v[0]] = 1; v[0] = s[v[1]];");
    for (int i = 0; i < 300; i++)
        text_append(&deep, "}");
    text_append(&deep, "}");
    for (int i = 0; i < 40; i++) {
        text_append_format(&conditions, "if (v[%d] == %d) ", i, i);
        text_append_format(&behind, "if (v[%d] == %d) ", i, i);
        text_append(&loops, "for (;;) ");
    }
    text_append(&conditions, "s[v[0]] = 1; v[0] = s[v[1]]; }");
    /* Each round alone leans on nothing: the second finds what the first has written. */
    text_append(&behind, "v[0] = 1; for (int d = 16; d; d /= 2) s[i] += s[i + d]; }");
    text_append(&loops, "v[0] = 1; }");
    assert_false(leans(deep.data, IN_STEP_SHARED, false));
    assert_true(leans(conditions.data, IN_STEP_SHARED, false));
    assert_true(leans(behind.data, IN_STEP_SHARED, false));
    alarm(20); /* if each of 40 loops in each other were gone through twice, it would never end */
    assert_false(leans(loops.data, IN_STEP_SHARED, false));
    alarm(0);
    text_release(&deep);
    text_release(&conditions);
    text_release(&behind);
    text_release(&loops);
    assert_true(leans(
        K("for (;;) for (;;) for (;;) for (;;) for (;;) for (;;) { s[i] = 1; x = s[i ^ 1]; }"),
        IN_STEP_SHARED, false));
    assert_false(leans(K("if"), IN_STEP_SHARED, false));
    assert_false(leans(K("else s[i] = 1;"), IN_STEP_SHARED, false));
}

static void look(struct in_step_names names[IN_STEP_MEMORIES], const char *source, bool is_part,
                 bool matters) {
    for (int i = 0; i < IN_STEP_MEMORIES; i++)
        names[i] = (struct in_step_names){TEXT_INIT, TEXT_INIT, TEXT_INIT, false};
    assert_int_equal(in_step_kernels(source, strlen(source), NULL, is_part, names), matters);
}

/* A kernel whose launch does not show whether two pointers are one. */
static void test_if_same(void **state) {
    struct in_step_names names[IN_STEP_MEMORIES];
    (void)state;
    look(names,
         "__global__ void k(int *p, int *q, int i) { p[i] = 1; x = q[i ^ 1]; }"
         "__global__ void j(int *p, int *q, int i) { p[i] = 1; x = q[i]; }",
         false, false);
    assert_string_equal(names[IN_STEP_GLOBAL].if_same.data, "k\n");
    assert_string_equal(names[IN_STEP_GLOBAL].others.data, "k\nj\n");
    assert_string_equal(names[IN_STEP_SHARED].if_same.data, "");
    in_step_names_release(names);
}

/* Kernels of another file may give a function such memory. */
static void test_several_files(void **state) {
    static const struct {
        const char *source;
        bool matters, in_function;
    } files[] = {
        {"__device__ void f(int *p, int i) { p[i] = 1; x = p[i ^ 1]; }", true, true},
        {"__device__ void f(int p[], int i) { p[i] = 1; }", true, false},
        {"__device__ void f(int n) { x = n; }", false, false},
        {"static __device__ void f(int *p, int i) { p[i] = 1; x = p[i ^ 1]; }", false, false},
        {"inline __device__ void f(int *p) { }", false, false},
        {"__inline__ __device__ void f(int *p) { }", false, false},
        {"template <class T> __device__ void f(T *p) { }", false, false},
        {"struct S { __device__ void f(int *p) { } };", false, false},
        {"__device__ void f(int *p);", false, false},
        {"__device__ void f(int *p); int x; __device__ void f(int *p) { }", true, false},
    };
    struct in_step_names names[IN_STEP_MEMORIES];
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        look(names, files[i].source, true, files[i].matters);
        assert_int_equal(names[IN_STEP_GLOBAL].in_function, files[i].in_function);
        in_step_names_release(names);
        look(names, files[i].source, false, false);
        assert_false(names[IN_STEP_GLOBAL].in_function);
        in_step_names_release(names);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_memory), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_global_memory), cmocka_unit_test(test_depth),
        cmocka_unit_test(test_if_same),       cmocka_unit_test(test_several_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
