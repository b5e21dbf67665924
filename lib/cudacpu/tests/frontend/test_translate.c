/* What of CUDA C++ becomes C++ and what only looks like it; expected texts written by hand. */
#include "base/text.h"
#include "cudacpu/frontend/translate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct translate_options plain = {.one_thread = true};

static void becomes(const char *source, const char *expected) {
    struct translation translation;
    struct error err = ERROR_INIT;
    int status = translate_cuda(&translation, source, strlen(source), &plain, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, 0);
    assert_string_equal(translation.text.data, expected);
    translation_release(&translation);
}

static void stays(const char *source) {
    becomes(source, source);
}

static void refuses(const char *source, const char *begins) {
    struct translation translation;
    struct error err = ERROR_INIT;
    assert_int_equal(translate_cuda(&translation, source, strlen(source), &plain, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_true(strlen(err.text) >= strlen(begins));
    assert_memory_equal(err.text, begins, strlen(begins));
    translation_release(&translation);
}

#define LAMBDA "[=](auto &&...shflviz_arguments) __attribute__((no_sanitize(\"thread\"))) "
#define PICK(name)                                                                                 \
    "[=](auto shflviz_pick) -> decltype(shflviz_pick(" name ")) { return shflviz_pick(" name       \
    "); }, "
#define LAUNCH(name, shape)                                                                        \
    "::shflviz::launcher(\"" name "\", " LAMBDA "{ " name                                          \
    "(shflviz_arguments...); }, " PICK(name) "::shflviz::shape(" shape ")).run"

static void test_launches(void **state) {
    (void)state;
    becomes("k<<<1, 32>>>(a, b);", LAUNCH("k", "1, 32") "(a, b);");
    becomes("k<<<1, 32>>>();", LAUNCH("k", "1, 32") "();");
    becomes("k <<< g(1,2), b >>> ( x );", LAUNCH("k", " g(1,2), b ") " ( x );");
    becomes("if (x) k<<<1,2>>>(f(a), \")\"); y();",
            "if (x) " LAUNCH("k", "1,2") "(f(a), \")\"); y();");
    becomes("ns::k<int, 4><<<1,2>>>(a);", LAUNCH("ns::k<int, 4>", "1,2") "(a);");
    becomes("::k<<<1,2>>>(a);", LAUNCH("::k", "1,2") "(a);");
    becomes("k<a<b>><<<1,2>>>(a);", LAUNCH("k<a<b>>", "1,2") "(a);");
    becomes("x=1;k<<<1,2,0,s>>>(a);j<<<3,4>>>(b);",
            "x=1;" LAUNCH("k", "1,2,0,s") "(a);" LAUNCH("j", "3,4") "(b);");
}

/* As some editors break it up, and kernels that are not just a name. */
static void test_odd_launches(void **state) {
    (void)state;
    becomes("k << < 1, 2 >> > (a);", LAUNCH("k", " 1, 2 ") " (a);");
    becomes("k[i]<<<1,2>>>(a);", LAUNCH("k[i]", "1,2") "(a);");
    becomes("a.b->k<<<1,2>>>(a);", LAUNCH("a.b->k", "1,2") "(a);");
    becomes("choose(n)<<<1,2>>>(a);", LAUNCH("choose(n)", "1,2") "(a);");
    becomes("if (x) (k)<<<1,2>>>(a);", "if (x) " LAUNCH("(k)", "1,2") "(a);");
    becomes("return (k)<<<1,2>>>(a);", "return " LAUNCH("(k)", "1,2") "(a);");
    becomes("else k<<<1,2>>>(a);", "else " LAUNCH("k", "1,2") "(a);");
    becomes("k<(2>1)><<<1,2>>>(a);", LAUNCH("k<(2>1)>", "1,2") "(a);");
    becomes("x; k<((2>1)), f(a < b)><<<1,2>>>(a);",
            "x; " LAUNCH("k<((2>1)), f(a < b)>", "1,2") "(a);");
    becomes("x; choose<int>(n)<<<1,2>>>(a);", "x; " LAUNCH("choose<int>(n)", "1,2") "(a);");
    becomes("x; n::choose<(a > 1)> (n)[2]<<<1,2>>>(a);",
            "x; " LAUNCH("n::choose<(a > 1)> (n)[2]", "1,2") "(a);");
    becomes("x; static_cast<void (*)(int)>(k)<<<1,2>>>(a);",
            "x; " LAUNCH("static_cast<void (*)(int)>(k)", "1,2") "(a);");
    becomes("else (k)<<<1,2>>>(a); do (k)<<<1,2>>>(a);",
            "else " LAUNCH("(k)", "1,2") "(a); do " LAUNCH("(k)", "1,2") "(a);");
    becomes("x; redo(k)<<<1,2>>>(a);", "x; " LAUNCH("redo(k)", "1,2") "(a);");
    /* A launch among the arguments of another, in a lambda. */
    becomes("k<<<1,2>>>([&]{ j<<<3,4>>>(b); });",
            LAUNCH("k", "1,2") "([&]{ " LAUNCH("j", "3,4") "(b); });");
}

#define ZERO_LAUNCH(name, shape)                                                                   \
    "::shflviz::launcher(\"" name "\", " LAMBDA "-> decltype((void)" name                          \
    "(shflviz_arguments...)) { " name                                                              \
    "(shflviz_arguments...); }, " PICK(name) "::shflviz::shape(" shape ")).run"

/* 0 and NULL, as the preprocessor has made it, would be integers to a template. */
static void test_zeros(void **state) {
    (void)state;
    becomes("k<<<1,2>>>(__null, f(__null)); p = __null;",
            ZERO_LAUNCH("k", "1,2") "(::shflviz::zero(), f(__null)); p = __null;");
    becomes("k<<<1,f(0)>>>(a, 0); g(0);",
            ZERO_LAUNCH("k", "1,f(0)") "(a, ::shflviz::zero()); g(0);");
    becomes("k<<<0,0>>>(a + 0, 0 + b, 0x0, \"(0\", [0], p == __null);",
            LAUNCH("k", "0,0") "(a + 0, 0 + b, 0x0, \"(0\", [0], p == __null);");
    becomes("k<<<1,2>>>(a,\n# 1 \"f\" 3 4\n__null\n# 1 \"f\"\n);",
            ZERO_LAUNCH("k", "1,2") "(a,\n# 1 \"f\" 3 4\n::shflviz::zero()\n# 1 \"f\"\n);");
}

/* Macros of system headers leave markers in the middle of lines; nothing is lost at them. */
static void test_markers_in_lines(void **state) {
    (void)state;
    becomes("k<\n# 1 \"f\" 3\n 7\n# 1 \"f\"\n ><<<1,2>>>(a);",
            "::shflviz::launcher(\"k<  7  >\", " LAMBDA "{ k<  7  >"
            "(shflviz_arguments...); }, " PICK("k<  7  >") "::shflviz::shape(\n# 1 \"f\"\n1,2)).run"
                                                           "\n# 1 \"f\"\n      (a);");
    becomes("# 1 \"f\"\n{extern __shared__\n# 1 \"f\" 3\n __attribute__((aligned(\n# 1 \"f\"\n8"
            "\n# 1 \"f\" 3\n)))\n# 1 \"f\"\nint a[];\n}",
            "# 1 \"f\"\n{ \n# 1 \"f\" 3\n  int  (&a)[] = *reinterpret_cast< int  (*)[]>"
            "(::shflviz_shared_memory())\n# 1 \"f\"\n;\n}");
}

/* What a compiler says of a kernel, its shape and its arguments, it says of the columns at which a
 * person wrote them. */
static void test_columns_stay(void **state) {
    (void)state;
    becomes("# 3 \"a.cu\"\n\tif (x) k<1> <<<2, 3>>> (a);",
            "# 3 \"a.cu\"\n\tif (x) ::shflviz::launcher(\"k<1>\", " LAMBDA "{ \n# 3 \"a.cu\"\n"
            "\t       k<1>(shflviz_arguments...); }, " PICK(
                "k<1>") "::shflviz::shape(\n# 3 \"a.cu\"\n"
                        "\t               2, 3)).run\n# 3 \"a.cu\"\n"
                        "\t                       (a);");
}

static void test_lines_stay(void **state) {
    (void)state;
    becomes("k\n<<<1,\n2>>>\n(a,\nb);\nend",
            "::shflviz::launcher(\"k\", " LAMBDA "{ k(shflviz_arguments...); "
            "}, " PICK("k") "::shflviz::shape(\n1,\n2)).run\n(a,\nb);\nend");
}

static void test_addresses(void **state) {
    (void)state;
    becomes("f((void *)k, 1);", "f(::shflviz::entry(k, \"k\"), 1);");
    becomes("p = (void*) n::k<int, 4>;", "p = ::shflviz::entry(n::k<int, 4>, \"n::k<int, 4>\");");
    becomes("f((void *)(k), 1);", "f(::shflviz::entry(k, \"k\"), 1);");
    becomes("f((void *) ( n::k ) );", "f(::shflviz::entry(n::k, \"n::k\") );");
    becomes("f((void *)&k, 1);", "f(::shflviz::entry(&k, \"k\"), 1);");
    becomes("p = (const void *)(& k<3>);", "p = ::shflviz::entry(&k<3>, \"k<3>\");");
    stays("p = (void *)(k + 1); p = (void *)(k; p = (void *)(k)(1); p = (void *)&k[1]; p = (void");
    stays("p = (void *)(");
    stays("p = (void *)&");
    stays("p = (void *)(k");
    stays("p = (void *)k->x; p = (void *)k[1]; p = (void *)k(1); p = (void *)0;");
    stays("int f(void *) noexcept; int g(void *); h = (char *)k; if ((void *)a < b) f(c);");
    stays("# 1 \"/usr/include/x.h\" 1 3\np = (void *)k;\n");
}

static void test_no_launches(void **state) {
    (void)state;
    stays("");
    stays("s = \"k<<<1,2>>>(a) \\\" \";");
    stays("s = R\"x(k<<<1,2>>>(a) \" )x\";");
    stays("s = u8R\"x( \" k<<<1,2>>>(a) )x\";");
    stays("c = '\"'; d = 1'000; e = '<'; f = L'\"'; g = u8'\"';");
    stays("x << 1; y >> 2; a<b<c>> d; a<b<c<d>>> e;");
    stays("operator<<<T>(a); operator<< <T>(a);");
    stays("int __shared__x, my__shared__;");
    stays("# 1 \"/usr/include/x.h\" 1 3\nk<<<1,2>>>(a); __shared__ int x;\n");
    becomes(
        "# 1 \"x.h\" 1 3\nk<<<1,2>>>(a);\n# 7 \"a.cu\" 2\nk<<<1,2>>>(a);\n",
        "# 1 \"x.h\" 1 3\nk<<<1,2>>>(a);\n# 7 \"a.cu\" 2\n"
        "::shflviz::launcher(\"k\", " LAMBDA "{ \n# 7 \"a.cu\"\n"
        "k(shflviz_arguments...); }, " PICK("k") "::shflviz::shape(\n# 7 \"a.cu\"\n    1,2)).run"
                                                 "\n# 7 \"a.cu\"\n          (a);\n");
}

#ifdef __ELF__
#define SECTION(n)     "__attribute__((section(\"shflviz_shared_" #n "\"))) static"
#define SECTION_THREAD " thread_local"
#else
#define SECTION(n)     "static"
#define SECTION_THREAD ""
#endif

static void test_shared_variables(void **state) {
    (void)state;
    becomes("__shared__ int x[32], y;", SECTION(0) " int x[32], y;");
    becomes("static __shared__ int x;", " " SECTION(0) " int x;");
    becomes("__shared__ static int x;", SECTION(0) "  int x;");
    becomes("volatile __shared__ int x; __shared__ T y;",
            " volatile " SECTION(0) " int x; " SECTION(1) " T y;");
}

/* Each thread of the host has its own. */
static void test_shared_variables_of_threads(void **state) {
    static const struct translate_options options = {.first_section = 0};
    static const char source[] = "extern __shared__ int d[]; void k() { __shared__ int x; }";
    struct translation translation;
    (void)state;
    assert_int_equal(translate_cuda(&translation, source, strlen(source), &options, NULL), 0);
    assert_string_equal(translation.text.data,
                        "  static thread_local int  (&d)[] = *reinterpret_cast<int  (*)[]>"
                        "(::shflviz_shared_memory()); void k() { " SECTION(0) SECTION_THREAD
                        " int x; }");
    translation_release(&translation);
}

static void check_told(const char *source, const char *expected) {
    const struct translate_options options = {.tells_shared = true, .one_thread = true};
    struct translation translation;
    assert_int_equal(translate_cuda(&translation, source, strlen(source), &options, NULL), 0);
    assert_string_equal(translation.text.data, expected);
    translation_release(&translation);
}

#define TELL(name) " ::cpu_shared_variable((void *)&" name ", sizeof(" name "));"

/* g++ gives variables of templates no section. */
static void test_shared_variables_of_templates(void **state) {
    (void)state;
    check_told("template <class T> void k() { __shared__ T a[2][N], *b = f(x, y); g(); }",
               "template <class T> void k() { " SECTION(0) " T a[2][N], *b = f(x, y);" /* */
               TELL("a") TELL("b") " g(); }");
    check_told("template <int N> struct S { void k() { __shared__ P<A, (N > 2)> q; } }; "
               "void j() { __shared__ int x; }",
               "template <int N> struct S { void k() { " SECTION(0) " P<A, (N > 2)> q;" /* */
               TELL("q") " } }; void j() { " SECTION(1) " int x; }");
    check_told("template <class T> void k() { __shared__ alignas(16) T a{}, b[2] = {1, 2}, "
               "__attribute__((aligned(8))) c; __shared__ struct { int x; } *d;\n# 3 \"x\"\n }",
               "template <class T> void k() { alignas(16) " SECTION(
                   0) "  T a{}, b[2] = {1, 2}, "
                      "__attribute__((aligned(8))) c;" TELL("a") TELL("b") TELL("c") " " /* */
               SECTION(1) " struct { int x; } *d;" TELL("d") "\n# 3 \"x\"\n }");
    check_told("template <class T> void f(); void j() { __shared__ int x; }",
               "template <class T> void f(); void j() { " SECTION(0) " int x; }");
    check_told(
        "template <class T> void k() { __shared__ union { T t; int i[2]; } u, v[3]; }",
        "template <class T> void k() { " SECTION(0) " union { T t; int i[2]; } u, v[3];" /* */
        TELL("u") TELL("v") " }");
    becomes("template <class T> void k() { __shared__ T a; }",
            "template <class T> void k() { " SECTION(0) " T a; }");
}

static void test_dynamic_shared_memory(void **state) {
    (void)state;
    becomes("void k() { extern __shared__ float  sums [ ]; }",
            "void k() {   float   (&sums)[ ] = *reinterpret_cast<float   (*)[ ]>"
            "(::shflviz_shared_memory()); }");
    /* At a file's top, and of an element type with an alignment. */
    becomes("{extern double __shared__ s[];}",
            "{  double  (&s)[] = *reinterpret_cast< double  (*)[]>(::shflviz_shared_memory());}");
    becomes("{static float __shared__ x[4]; float __shared__ y;}",
            "{       float " SECTION(0) " x[4]; float " SECTION(1) " y;}");
    becomes("{__shared__ alignas(64) int a[2];}", "{alignas(64) " SECTION(0) "  int a[2];}");
    becomes("extern __shared__ __attribute__((aligned(16))) char s[];",
            "  static  char  (&s)[] = *reinterpret_cast< char  (*)[]>(::shflviz_shared_memory());");
    /* Over two lines: as many lines as before. */
    becomes("void k() { extern __shared__ float\nd[]; }",
            "void k() {   float  (&d)[] = *reinterpret_cast<float  (*)[]>"
            "(::shflviz_shared_memory())\n; }");
    becomes("void k() { __shared__ extern a<b> t[][4]; }",
            "void k() {   a<b>  (&t)[][4] = *reinterpret_cast<a<b>  (*)[][4]>"
            "(::shflviz_shared_memory()); }");
}

static void test_what_it_notes(void **state) {
    struct translation translation;
    static const char text[] = "# 1 \"/usr/x.h\" 3\nvolatile int a;\n";
    static const char dynamic[] = "void k() { extern __shared__ int s[]; }";
    static const char own[] = "# 1 \"x.cu\"\nvolatile int a; k<<<1,2>>>(); __shared__ int b;\n";
    (void)state;
    assert_int_equal(translate_cuda(&translation, text, strlen(text), &plain, NULL), 0);
    assert_false(translation.uses_volatile);
    translation_release(&translation);
    assert_int_equal(translate_cuda(&translation, dynamic, strlen(dynamic), &plain, NULL), 0);
    assert_true(translation.has_dynamic);
    assert_int_equal(translation.shared_sections, 0);
    assert_int_equal(translation.launches, 0);
    translation_release(&translation);
    assert_int_equal(translate_cuda(&translation, own, strlen(own), &plain, NULL), 0);
    assert_true(translation.uses_volatile);
    assert_int_equal(translation.launches, 1);
    assert_int_equal(translation.shared_sections, 1);
    assert_false(translation.has_dynamic || translation.uses_ptx);
    translation_release(&translation);
}

static void test_what_cannot_be_read(void **state) {
    (void)state;
    refuses("# 1 \"x.cu\"\n\n\n<<<1,2>>>(a);", "x.cu:3: ");
    refuses("# 12 \"x.cu\"\nk<<<1,2", "x.cu:12: ");
    refuses("# 12 \"x.cu\"\nk<<<1,2>>>;", "x.cu:12: ");
    refuses("# 12 \"x.cu\"\nk<<<1,2>>(a);\n\n\n", "x.cu:12: ");
    refuses("# 12 \"x.cu\"\nk<<< >>>(a);", "x.cu:12: a launch has no grid");
    refuses("# 5 \"x.cu\"\nextern __shared__ int a[]", "x.cu:5: ");
}

/* Forms of which no program of the tests has all. */
static void test_odd_forms(void **state) {
    (void)state;
    stays("#line 12 \"a\\\"b.cu\"\nint a;\n# pragma\nint b;\n");
    stays("# 1 \"\"\nint a;\n#line\nint b;\n");
    stays("p = (const char *)k; q = (void *)const; r = (void *)1; f((void * ) k < 3); (void");
    becomes("f((const void *) k);", "f(::shflviz::entry(k, \"k\"));");
    becomes("f((void *)k<a, \"b\">, 1);", "f((void *)k<a, \"b\">, 1);");
    becomes("f((void *)k<3);", "f((void *)k<3);");
    stays("x = LR\"(k<<<1,2>>>(a))\"; y = abcR\"(\"; z = xx'a'; w = R'(';");
    stays("template <class T> struct S { template <class U> void f() { } }; template <int> int g;");
    stays("s = R\"aaaaaaaaaaaaaaaaaaaaaaaa(x)\"; t = \"a\nb\"; u = \"open");
    becomes("a.k<<<1,2>>>(b);", LAUNCH("a.k", "1,2") "(b);");
    becomes("n::\nk<<<1,2>>>(b);",
            "::shflviz::launcher(\"n:: k\", " LAMBDA
            "{ n:: k(shflviz_arguments...); }, " PICK("n:: k") "::shflviz::shape(\n1,2)).run(b);");
    becomes("k<<\n<1,2>>\n>(a);",
            "::shflviz::launcher(\"k\", " LAMBDA
            "{ k(shflviz_arguments...); }, " PICK("k") "::shflviz::shape(\n1,2)).run\n(a);");
    becomes("k<'\"'><<<1,f(\">>>\", '0')>>>(a);",
            "::shflviz::launcher(\"k<'\\\"'>\", " LAMBDA
            "{ k<'\"'>(shflviz_arguments...); }, " PICK(
                "k<'\"'>") "::shflviz::shape(1,f(\">>>\", '0'))).run(a);");
    becomes("{extern __shared__ float4 object;}",
            "{  float4  &object = *reinterpret_cast<float4  *>(::shflviz_shared_memory());}");
    becomes("{myextern __shared__ int a; externa int __shared__ b;}",
            "{myextern " SECTION(0) " int a; externa int " SECTION(1) " b;}");
    becomes("{const volatile static __shared__ int a;}", "{ volatile const " SECTION(0) " int a;}");
    refuses("# 5 \"x.cu\"\n{ extern __shared__ [3]; }", "x.cu:5: extern __shared__ names no array");
    becomes("__global__ void k() { if (x) __syncthreads; }",
            "           void k() { if (x) ((void)0)    ; }");
}

/* Files of ours are passed through as those of the system. */
static void test_skipped_folders(void **state) {
    char ours[] = "/opt/ours", more[] = "/more";
    char *const skipped[] = {ours, more, NULL};
    const struct translate_options options = {.one_thread = true, .skipped = skipped};
    static const struct {
        const char *file;
        size_t launches;
    } files[] = {{"/opt/ours/x.h", 0}, {"/more/x/y.h", 0}, {"/opt/oursx.h", 1}, {"/opt/ours", 1},
                 {"/mor/x.h", 1},      {"x/more/x.h", 1},  {"/opt/ourx/x.h", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct text source = TEXT_INIT;
        struct translation translation;
        text_append_format(&source, "# 1 \"%s\" 1\nk<<<1, 2>>>(a);\n# 3 \"/opt/ours/a\"\nj;\n",
                           files[i].file);
        assert_int_equal(translate_cuda(&translation, source.data, source.length, &options, NULL),
                         0);
        assert_int_equal(translation.launches, files[i].launches);
        translation_release(&translation);
        text_release(&source);
    }
}

/* Which line it is, whatever has been read before it. */
static void test_lines_are_counted(void **state) {
    static const char *const cases[][2] = {
        {"#line 12 \"x.cu\"\n", "x.cu:12: "},
        {"# 12 \"x.cu\" 2\n\n", "x.cu:13: "},
        {"# 5 \"x.cu\"\n#pragma x\n", "x.cu:6: "},
        {"# 5 \"x.cu\"\n#\n#pragma once\n\n", "x.cu:8: "},
        {"s = \"a\";\nt = R\"(\n\n)\";\n", ":5: "},
        {"j<<<1,\n2>>\n>(a,\nb);\n", ":5: "},
        {"{ static\n__shared__\nint a; extern\n__shared__ int\nb[]; }\n", ":6: "},
        {"{ __shared__\nalignas(\n8)\nint a; }\n", ":5: "},
        {"{ extern __shared__\n# 40 \"b.cu\"\nint\na[]; }\n", "b.cu:42: "},
        {"{ asm(\"mov.u32 %0, 1;\"\n# 40 \"b.cu\"\n: \"=r\"(x)); }\n", "b.cu:41: "},
        {"{ asm(\"\"\n\n::); asm\nvolatile(\"\"); }\n", ":5: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text source = TEXT_INIT;
        text_append_format(&source, "%s;<<<1, 2>>>(a);", cases[i][0]);
        struct translation translation;
        struct error err = ERROR_INIT;
        assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, &err),
                         -1);
        if (strncmp(err.text, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("%s: %s", source.data, err.text);
        translation_release(&translation);
        text_release(&source);
    }
}

/* What a host's compiler does not know leaves its columns behind. */
static void test_words_of_cuda(void **state) {
    (void)state;
    becomes(
        "__device__ a __host__ b __constant__ c __managed__ d __global__ e; __device__x __host_",
        "           a          b              c             d            e; __device__x __host_");
    becomes("{static\n__shared__ int x;}", "{ \n" SECTION(0) " int x;}");
    becomes("{extern\nfloat __shared__ s[];}",
            "{\n  float  (&s)[] = *reinterpret_cast< float  (*)[]>(::shflviz_shared_memory());}");
    becomes("{extern __shared__ A<sizeof(int[2])> t[];}",
            "{  A<sizeof(int[2])>  (&t)[] = *reinterpret_cast<A<sizeof(int[2])>  (*)[]>"
            "(::shflviz_shared_memory());}");
}

/* Seventeen lambdas within each other's arguments. */
static void test_deep_launches(void **state) {
    struct text source = TEXT_INIT;
    (void)state;
    for (int i = 0; i < 17; i++)
        text_append(&source, "k<<<f([&] { ");
    refuses(source.data, ":1: too many launches inside the brackets of others");
    text_release(&source);
}

static void test_remarks(void **state) {
    struct text remarks = TEXT_INIT;
    const struct translate_options options = {.one_thread = true, .remarks = &remarks};
    static const char source[] = "# 3 \"a.cu\"\nvoid f() { __syncthreads; }";
    struct translation translation;
    (void)state;
    assert_int_equal(translate_cuda(&translation, source, sizeof source - 1, &options, NULL), 0);
    assert_string_equal(remarks.data,
                        "a.cu:3: __syncthreads without () is no call: no barrier here\n");
    translation_release(&translation);
    text_release(&remarks);
}

/* The time grows with the length alone: 10 MB of the worst are no more than 10 MB. */
static void test_long_texts(void **state) {
    struct text source = TEXT_INIT;
    struct translation translation;
    (void)state;
    text_append(&source, "k");
    while (source.length < 10000000)
        text_append(&source, "(a)<<<1>>>");
    text_append(&source, "(b)");
    assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, NULL), 0);
    assert_int_equal(translation.launches, (source.length - 4) / 10);
    translation_release(&translation);
    text_release(&source);
}

/* Inline PTX becomes calls; what is another machine's, or says nothing, stays. */
static void test_assembly_of_the_host(void **state) {
    (void)state;
    stays("void f() { asm volatile(\"\" ::: \"memory\"); }");
    stays("void f() { asm(\"add %0, %1\" : \"=r\"(a) : \"r\"(b)); }");
    stays("void f() { __asm__ __volatile__(\"fldcw %0\" : : \"m\"(mode)); asm(\"b.eq 1f\"); }");
    stays("void f() { asm(\"ret\"); asm(\".byte 1\"); asm(\"1: jmp 1b\"); }");
    stays("int g() asm(\"h\"); asm(\"mov.u32 %0, 1;\"); int asm_ = 1;");
}

static void test_inline_ptx(void **state) {
    (void)state;
    struct translation translation;
    struct error err = ERROR_INIT;
    static const char source[] = "void f() { asm volatile(\"ld.volatile.u32\"\n \" %0, [%1];\"\n"
                                 ": \"=r\"(a) : \"l\"(p)); volatile int b; }\nint c;";
    assert_int_equal(translate_cuda(&translation, source, sizeof source - 1, &plain, &err), 0);
    assert_true(translation.uses_ptx);
    assert_true(translation.uses_volatile);
    assert_non_null(strstr(translation.text.data, "i_ld_volatile<::shflviz::ptx::u32>("));
    /* Lines keep their numbers. */
    assert_non_null(strstr(translation.text.data, "\n\n; volatile int b; }\nint c;"));
    translation_release(&translation);
    /* A raw string is read from its first letter to its last. */
    static const char raw[] = "void f() { asm(R\"x(mov.u32 %0, 7;)x\" : \"=r\"(a)); }";
    assert_int_equal(translate_cuda(&translation, raw, sizeof raw - 1, &plain, &err), 0);
    assert_non_null(strstr(translation.text.data, "i_mov<::shflviz::ptx::u32>("));
    translation_release(&translation);
}

static void test_refused_ptx(void **state) {
    (void)state;
    refuses("void f() {\nasm(\"mma.sync.aligned.m8n8k4.f32 %0;\" : \"=r\"(x)); }",
            ":2: this PTX is not supported: mma.sync.aligned.m8n8k4.f32 x\n");
    refuses("void f() { asm(\"mov.u32 %0, 1;\\n\"\n\"add.u9 %0, %0, 1;\" : \"+r\"(x)); }",
            ":2: this PTX is not supported: add.u9 x, x, 1\n");
    refuses("void f() { asm(\"neg.s32.u32 %0, 1;\" : \"=r\"(x)); }",
            ":1: this PTX is not supported: neg.s32.u32 x, 1\n");
    refuses("void f() { asm(\"mov.u32 %0, 1; .loc .u32 t;\" : \"=r\"(x)); }",
            ":1: this PTX is not supported: .loc .u32 t\n");
    refuses("void f() { asm(\"mov.u32 %0, 1; .regs .u32 t;\" : \"=r\"(x)); }",
            ":1: this PTX is not supported: .regs .u32 t\n");
    refuses("void f() { asm(\"mov.u32 %0, %%nothing;\" : \"=r\"(x)); }",
            ":1: there is no such register: mov.u32 x, %nothing\n");
    refuses("void f() { asm(\"mov.u32 %0, %1;\" : \"=r\"(x)); }",
            ":1: there is no operand of that number: mov.u32 x, %1\n");
    refuses("void f() { asm(\"{ .reg .u32 t; mov.u32 %0, t; \" : \"=r\"(x)); }",
            ":1: this PTX is not supported: { .reg .u32 t\n");
    refuses("void f() { asm(\"mov.u32 %0, 1;\" : \"=m\"(x)); }",
            ":1: this constraint of inline PTX is not supported: \"m\"\n");
    refuses("void f() { asm(\"shfl.sync.idx.b32 %0|p, %0, 0, 31, -1;\" : \"+r\"(x)); }",
            ":1: there is no such register: shfl.sync.idx.b32 x|p, x, 0, 31, -1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_odd_launches),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_lines_stay),
        cmocka_unit_test(test_columns_stay),
        cmocka_unit_test(test_markers_in_lines),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_no_launches),
        cmocka_unit_test(test_shared_variables),
        cmocka_unit_test(test_shared_variables_of_threads),
        cmocka_unit_test(test_shared_variables_of_templates),
        cmocka_unit_test(test_dynamic_shared_memory),
        cmocka_unit_test(test_what_it_notes),
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_odd_forms),
        cmocka_unit_test(test_skipped_folders),
        cmocka_unit_test(test_lines_are_counted),
        cmocka_unit_test(test_words_of_cuda),
        cmocka_unit_test(test_deep_launches),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_assembly_of_the_host),
        cmocka_unit_test(test_inline_ptx),
        cmocka_unit_test(test_refused_ptx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
