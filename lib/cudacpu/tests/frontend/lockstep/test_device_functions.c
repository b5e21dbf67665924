/*
 * Kernels and device functions of a file, which of them are called again, and which arrays go by
 * several names, as the words of the file say it.
 */
#include "base/text.h"
#include "cudacpu/frontend/lockstep/device_functions.h"
#include "cudacpu/frontend/lockstep/same_array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void read_words(struct words *words, const char *source) {
    if (!words_read(words, source, strlen(source), NULL))
        fail_msg("no words: %s", source);
}

static void append_word(struct text *text, const struct words *words, uint32_t at) {
    text_append_bytes(text, words->word[at].at, words->word[at].length);
}

static void append_part(struct text *text, const struct words *words, struct part part) {
    for (uint32_t at = part.from; at < part.to; at++) {
        text_append(text, at > part.from ? " " : "");
        append_word(text, words, at);
    }
}

/* "name(parameters){body}|" of each; K: a kernel, E: it is elsewhere, A: others may call it. */
static void finds(const char *source, bool is_part, const char *wanted) {
    struct text found = TEXT_INIT;
    struct functions all;
    struct words words;
    read_words(&words, source);
    functions_find(&all, &words, is_part);
    for (size_t i = 0; i < all.count; i++) {
        const struct function *f = &all.function[i];
        append_word(&found, &words, f->name);
        text_append_format(&found, "%s%s%s(", f->is_kernel ? "K" : "", f->is_elsewhere ? "E" : "",
                           f->is_for_all ? "A" : "");
        append_part(&found, &words, f->parameters);
        text_append(&found, "){");
        append_part(&found, &words, f->body);
        text_append(&found, "}|");
    }
    if (strcmp(found.data, wanted) != 0)
        fail_msg("%s\nfound: %s", source, found.data);
    functions_release(&all);
    words_free(&words);
    text_release(&found);
}

static void test_functions(void **state) {
    static const char *const cases[][2] = {
        {"", ""},
        {"int g() { }", ""},
        {"__global__ void k(int a) { x; } __device__ int f() { return 1; }",
         "kK(int a){x ;}|fA(){return 1 ;}|"},
        {"__global__ void __launch_bounds__(256, 2) k(int a) { }", "kK(int a){}|"},
        {"__global__ __attribute__((x)) void k() { }", "kK(){}|"},
        {"__device__ alignas(8) int f(int a) { }", "fA(int a){}|"},
        {"__device__ int f(int a) noexcept(true) { }", "fA(int a){}|"},
        {"__device__ S::S(int a) : b(a) { }", "SA(int a){}|"},
        {"__device__ int *f(int (*a)(int), int b[2]) { }",
         "fA(int ( * a ) ( int ) , int b [ 2 ]){}|"},
        {"__host__ __device__ int f() { }", "fA(){}|"},
        /* No functions. */
        {"__device__ int x; __device__ int y = f(1); __device__ int z[2];", ""},
        {"__device__ int x = { f(1) }; __device__ int y{1};", ""},
        {"__device__", ""},
        {"__device__ int f", ""},
        {"__device__ int f()", ""},
        {"struct S { __device__ }; int f() { }", ""},
        /* Only declared. */
        {"__device__ int f(int);", "fE(int){}|"},
        {"__global__ void k(int);", ""},
        {"__global__ void k(int); __global__ void k(int a) { }", "kK(int a){}|"},
        {"__device__ int f(int); int x; __device__ int f(int a) { }", "fA(int a){}|"},
        {"__device__ int f(int a) { } __device__ int f(int);", "fA(int a){}|"},
        {"__device__ int f(int); __device__ int g(int) { } __device__ int h();",
         "fE(int){}|gA(int){}|hE(){}|"},
        {"__device__ int f(int a) { } __device__ int f(float a) { }", "fA(int a){}|fA(float a){}|"},
        /* The file's own. */
        {"static __device__ int f() { }", "f(){}|"},
        {"__device__ inline int f() { }", "f(){}|"},
        {"__inline__ __device__ int f() { }", "f(){}|"},
        {"template <class T> __device__ int f() { }", "f(){}|"},
        {"struct S { __device__ int f() { } };", "f(){}|"},
        {"static int x; __device__ int f() { }", "fA(){}|"},
        {"static int g() { } __device__ int f() { }", "fA(){}|"},
        {"static __global__ void k() { }", "kK(){}|"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        finds(cases[i][0], true, cases[i][1]);
    finds("__device__ int f() { } __device__ int g();", false, "f(){}|gE(){}|");
}

static void test_many_functions(void **state) {
    struct text source = TEXT_INIT, wanted = TEXT_INIT;
    (void)state;
    for (int i = 0; i < 200; i++) {
        text_append_format(&source, "__device__ int f%d(int a) { %d; }\n", i, i);
        text_append_format(&wanted, "f%d(int a){%d ;}|", i, i);
    }
    finds(source.data, false, wanted.data);
    text_release(&source);
    text_release(&wanted);
}

static void test_called(void **state) {
    struct functions all;
    struct words words;
    (void)state;
    read_words(&words, "__device__ int f() { } __device__ int g() { } __device__ int f(int) { } "
                       "int x = f + h + g");
    functions_find(&all, &words, false);
    assert_int_equal(all.count, 3);
    /* cmocka has a macro of that name */
    const uint32_t last = words.count - 1;
    assert_ptr_equal((function_called)(&all, &words, last), &all.function[1]);     /* g */
    assert_null((function_called)(&all, &words, last - 1));                        /* + */
    assert_null((function_called)(&all, &words, last - 2));                        /* h */
    assert_ptr_equal((function_called)(&all, &words, last - 4), &all.function[0]); /* f */
    assert_null((function_called)(&all, &words, last + 1));
    functions_release(&all);
    words_free(&words);
}

/* f(), by what else the file has. */
static void test_repeated(void **state) {
    static const struct {
        const char *rest;
        bool is_repeated;
    } cases[] = {
        {"__global__ void k() { f(); }", false},
        {"__global__ void k() { f(); f(); }", true},
        {"__global__ void k() { f<3>(); f(); }", true},
        {"__global__ void k() { f(); } __global__ void j() { f(); }", false},
        {"__global__ void k() { f; f; x = f + f; }", false},
        {"__global__ void k() { g(); g(); for (;;) { } f(); }", false},
        {"__global__ void k() { if (x) { f(); } }", false},
        {"__global__ void k() { { g(f()); } }", false},
        {"__global__ void k() { for (;;) { f(); } }", true},
        {"__global__ void k() { while (x) { f(); } }", true},
        {"__global__ void k() { do { f(); } while (x); }", true},
        {"__global__ void k() { for (;;) { if (x) { y = g(1, f()); } } }", true},
        {"__global__ void k() { for (;;) f(); }", true},
        {"__global__ void k() { for (;;) if (x) y = g(f()); }", true},
        {"__global__ void k() { while (x) f(); }", true},
        {"__global__ void k() { do f(); while (x); }", true},
        {"__global__ void k() { for (;; f()) { } }", true},
        {"__global__ void k() { do { } while (f()); }", true},
        {"__global__ void k() { do { } while (x); f(); }", false},
        {"__global__ void k() { for (;;) x; f(); if (f) g(); }", false},
        {"void host() { f(); f(); }", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text source = TEXT_INIT;
        struct functions all;
        struct words words;
        text_append_format(&source, "__device__ int f() { } %s", cases[i].rest);
        read_words(&words, source.data);
        functions_find(&all, &words, false);
        if (functions_are_repeated(&all, &words, &all.function[0]) != cases[i].is_repeated)
            fail_msg("%s", source.data);
        functions_release(&all);
        words_free(&words);
        text_release(&source);
    }
}

/* ---- same_array.h ---- */

static void append_name(struct text *text, const struct words *words, uint32_t name) {
    uint32_t at = 0;
    while (words->word[at].kind != WORD_NAME || words->word[at].name != name)
        at++;
    append_word(text, words, at);
}

/* "k01 " for each pair of parameters, "k01= " where the arguments are the same words. */
static void pairs(const char *source, const char *wanted) {
    struct text found = TEXT_INIT;
    struct same_array same;
    struct words words;
    read_words(&words, source);
    same_array_find(&same, &words);
    for (size_t i = 0; i < same.count; i++) {
        const struct same_pair *pair = &same.pair[i];
        append_name(&found, &words, pair->kernel);
        text_append_format(&found, "%u%u%s ", pair->first, pair->second, pair->is_equal ? "=" : "");
        assert_ptr_equal(same_array_of(&same, pair->kernel, pair->first, pair->second), pair);
        assert_null(same_array_of(&same, pair->kernel, pair->second, pair->first));
        assert_null(same_array_of(&same, pair->kernel + 999, pair->first, pair->second));
        assert_null(same_array_of(&same, pair->kernel, pair->first, pair->second + 99));
    }
    if (strcmp(found.data, wanted) != 0)
        fail_msg("%s\nfound: %s", source, found.data);
    same_array_release(&same);
    words_free(&words);
    text_release(&found);
}

static void test_launches(void **state) {
    static const char *const cases[][2] = {
        {"k<<<1, 32>>>(a, a);", "k01= "},
        {"x; k<<<1, 32>>>(a, b);", ""},
        {"x; k<<<1, 32>>>();", ""},
        {"x; k<<<1, 32>>>(a, a + 4);", "k01 "},
        {"x; k<<<1, 32>>>(a + 4, a + 4);", "k01= "},
        {"x; k<<<1, 32>>>(a, b, a, b);", "k02= k13= "},
        {"x; k<<<1, 32>>>(a, a, a);", "k01= k02= k12= "},
        {"x; k<<<1, 32>>>(f(1, 2), a, (b, c), a);", "k13= "},
        {"x; k<<<1, 32>>>(1, 1, 2);", "k01= "},
        {"x; k<<<1, 32>>>(&a[3], a);", "k01 "},
        {"x; k<<<1, 32>>>(a[3], a);", ""},
        {"x; k<<<1, 32>>>(a[3], a[3]);", "k01= "},
        {"x; k<<<1, 32>>>((float *)a, a);", "k01 "},
        {"x; k<<<1, 32>>>((a), a);", "k01 "},
        {"x; k<<<1, 32>>>(static_cast<int *>(a), a);", "k01 "},
        {"x; k<<<1, 32>>>(get<T<3>>(a), a);", "k01 "},
        {"x; k<<<1, 32>>>(n::a, a);", "k01 "},
        {"x; k<<<1, 32>>>(n::a, n);", ""},
        {"x; k<<<1, 32>>>(a.p, a);", ""},
        {"x; k<<<1, 32>>>(a->p, a);", ""},
        {"x; k<<<1, 32>>>(a.data(), a);", "k01 "},
        {"x; k<<<1, 32>>>(a->data(), a);", "k01 "},
        {"x; k<<<1, 32>>>(sizeof a, a);", ""},
        {"x; k<<<1, 32>>>(a * 2, a);", ""},
        {"x; k<<<1, 32>>>(3 + a, a);", ""},
        {"x; k<<<1, 32>>>(\"a\", -a, a);", ""},
        /* Pointers that are made of others. */
        {"int *b = a; k<<<1, 2>>>(a, b);", "k01 "},
        {"auto b = a + 1; k<<<1, 2>>>(a, b);", "k01 "},
        {"int *b = a, *c = b; k<<<1, 2>>>(a, c);", "k01 "},
        {"int *b = f(1, a); k<<<1, 2>>>(a, b);", ""},
        {"int *b = get(a, 1); k<<<1, 2>>>(a, b);", "k01 "},
        {"int *b = {a}; k<<<1, 2>>>(a, b);", ""},
        {"T b = a; k<<<1, 2>>>(a, b);", ""},
        {"x; b = a; k<<<1, 2>>>(a, b);", ""},
        {"int *a = b, *b = a; k<<<1, 2>>>(c, b);", ""},
        /* Which kernel. */
        {"x; k<3><<<1, 2>>>(a, a);", "k01= "},
        {"x; k<f<2>, 3><<<1, 2>>>(a, a);", "k01= "},
        {"x; k<(2 > 1), g(3)><<<1, 2>>>(a, a);", "k01= "},
        {"x; n::k<<<1, 2>>>(a, a);", "k01= "},
        {"x; 3<<<1, 2>>>(a, a);", ""},
        {"<<<1, 2>>>(a, a);", ""},
        {"<3><<<1, 2>>>(a, a);", ""},
        {"x; k<<<1, 2>>>(a, a); j<<<3, 4>>>(c, b, b);", "k01= j12= "},
        {"x; k<<<a > b, c >> d, e<f<g>>>>>(a, a);", "k01= "},
        {"x; k<<<dim3(2), dim3(3)>>>(a, a)", "k01= "},
        /* No launches. */
        {"k<<1>>(a, a);", ""},
        {"k(a, a);", ""},
        {"x; k<<<1, 2>>(a, a);", ""},
        {"x; k<<<1, 2; k>>>(a, a);", ""},
        {"x; k<<<1, 2>>>", ""},
        {"x; k<<<", ""},
        {"x; a < b < c; k<d<e>>>(a, a);", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        pairs(cases[i][0], cases[i][1]);
}

/* As many pointers made of each other as are followed; as many arguments as nobody has. */
static void test_many(void **state) {
    struct text source = TEXT_INIT;
    (void)state;
    text_append(&source, "int *p0 = a;");
    for (int i = 1; i < 16; i++)
        text_append_format(&source, "int *p%d = p%d;", i, i - 1);
    text_append(&source, "k<<<1, 2>>>(a, p15);");
    pairs(source.data, "k01 ");
    text_clear(&source);
    text_append(&source, "x; k<<<1, 2>>>(a");
    for (int i = 0; i < 200; i++)
        text_append_format(&source, ", b%d", i);
    text_append(&source, ");");
    pairs(source.data, "");
    text_release(&source);
}

static void test_members(void **state) {
    static const char *const cases[][2] = {
        {"struct S { int *p, *q; int n; float *__restrict__ r; int *__restrict s; int *const c; "
         "char *t = 0; int *f(); int *a[3]; int d; };",
         "p q r s c t "},
        {"class C { int *p; }; union U { int *q; }; struct D : C { int **r; };", "p q r "},
        {"int *p; void f(int *q) { int *r; }", ""},
        {"struct S { void f() { int *p; } };", ""},
        {"struct S s = { *p, *q };", ""},
        {"struct S; void f() { int *p; }", ""},
        {"struct S { }; { int *p; }", ""},
        {"enum E { int *p; };", ""},
        {"struct S { int n(int *p, int *q); };", ""},
        {"*p;", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text found = TEXT_INIT;
        struct same_array same;
        struct words words;
        read_words(&words, cases[i][0]);
        same_array_find(&same, &words);
        for (uint32_t name = 0; name < words.names; name++)
            if (same.member[name]) {
                append_name(&found, &words, name);
                text_append(&found, " ");
            }
        if (strcmp(found.data, cases[i][1]) != 0)
            fail_msg("%s\nmembers: %s", cases[i][0], found.data);
        same_array_release(&same);
        words_free(&words);
        text_release(&found);
    }
}

static void test_functions_of_structs(void **state) {
    struct words words;
    (void)state;
    read_words(&words, "struct S { void f(); }; void S::g() { } void h() { } int f; S : g;");
    static const bool are_members[] = {true, true, false, false, false};
    size_t seen = 0;
    for (uint32_t at = 0; at < words.count; at++)
        if (words_is(&words, at, "f") || words_is(&words, at, "g") || words_is(&words, at, "h")) {
            assert_true(seen < COUNT(are_members));
            assert_int_equal(same_array_is_member(&words, at), are_members[seen]);
            seen++;
        }
    assert_int_equal(seen, COUNT(are_members));
    words_free(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_many_functions),
        cmocka_unit_test(test_called),    cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_launches),  cmocka_unit_test(test_many),
        cmocka_unit_test(test_members),   cmocka_unit_test(test_functions_of_structs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
