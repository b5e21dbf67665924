/* Which accesses are asked for their alignment; expected texts written by hand. */
#include "cudacpu/frontend/lockstep/aligned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define A(text) "shflviz::aligned(" text ")"

static void becomes(const char *source, const char *expected) {
    struct text text = TEXT_INIT;
    text_append(&text, source);
    const bool changes = aligned_accesses(&text, NULL);
    assert_string_equal(text.data, expected);
    assert_int_equal(changes, strcmp(source, expected) != 0);
    text_release(&text);
}

static void stays(const char *source) {
    becomes(source, source);
}

/* p is a pointer to a vector. */
static void p_becomes(const char *source, const char *expected) {
    struct text text = TEXT_INIT, wanted = TEXT_INIT;
    text_append_format(&text, "void f(float4 *p) { %s }", source);
    text_append_format(&wanted, "void f(float4 *p) { %s }", expected);
    becomes(text.data, wanted.data);
    text_release(&text);
    text_release(&wanted);
}

static void p_stays(const char *source) {
    p_becomes(source, source);
}

static void test_indices(void **state) {
    (void)state;
    p_becomes("x = p[i];", "x = " A("p") "[i];");
    p_becomes("p[i] = x;", A("p") "[i] = x;");
    p_becomes("f(p[i]);", "f(" A("p") "[i]);");
    p_becomes("f(1, p[i]);", "f(1, " A("p") "[i]);");
    p_becomes("return p[p[i]];", "return " A("p") "[" A("p") "[i]];");
    p_becomes("if (c) p[i] = x;", "if (c) " A("p") "[i] = x;");
    p_becomes("{ p[i] = x; }", "{ " A("p") "[i] = x; }");
    p_becomes("x = c ? p[i] : p[j];", "x = c ? " A("p") "[i] : " A("p") "[j];");
    p_becomes("x = y + p[i] - p[j] / p[k];",
              "x = y + " A("p") "[i] - " A("p") "[j] / " A("p") "[k];");
    p_becomes("x = a.p[i] + a->p[i] + a[1].p[i] + a[b[2]]->p[i] + f(x).p[i] + (a).p[i];",
              "x = " A("a.p") "[i] + " A("a->p") "[i] + " A("a[1].p") "[i] + " A(
                  "a[b[2]]->p") "[i] + " A("f(x).p") "[i] + " A("(a).p") "[i];");
    p_stays("x = p[i].x; p[i].y = 1; x = p[i]->z;");
    p_stays("float4 *p[3]; int a, p[2]; x = n::p[i]; g = &p[i];");
    p_stays("x = q[i]; f(p); p = q; p++;");
}

static void test_followed(void **state) {
    (void)state;
    p_becomes("*p = x;", "*" A("p") " = x;");
    p_becomes("x = *p;", "x = *" A("p") ";");
    p_becomes("return *p;", "return *" A("p") ";");
    p_becomes("if (c) *p = x; else *p = y;", "if (c) *" A("p") " = x; else *" A("p") " = y;");
    p_becomes("f(x, *p);", "f(x, *" A("p") ");");
    p_becomes("x = *a.p;", "x = *" A("a.p") ";");
    p_becomes("x = *(p + 1);", "x = *(" A("p + 1") ");");
    p_becomes("x = (p - 1)[i];", "x = (" A("p - 1") ")[i];");
    p_stays("x = y * p; x = 3 * (p); x = a[1] * p;");
    p_stays("float4 a, *p; g(float4 *p); x = *p++; x = *p--; *p->a = 1; *p::b; *p(); *p.a;");
    p_stays("x = (*p)(1); x = (p - 1)[i].x; x = f(p + 1)[i]; x = (p, 1);");
}

static void test_casts(void **state) {
    (void)state;
    becomes("void f() { x = *(float4 *)q; }",
            "void f() { x = *(shflviz::aligned_pointer<float4 >)q; }");
    becomes("void f() { *(n::T<3> const *)&q[i] = x; }",
            "void f() { *(shflviz::aligned_pointer<n::T<3> const >)&q[i] = x; }");
    becomes("void f() { x = *(int *)(q + 1) + *(int *)::q; }",
            "void f() { x = *(shflviz::aligned_pointer<int >)(q + 1) + "
            "*(shflviz::aligned_pointer<int >)::q; }");
    becomes("void f() { x = ((float4 *)q)[i]; }", "void f() { x = (" A("(float4 *)q") ")[i]; }");
    becomes("void f() { x = *reinterpret_cast<float4 *>(q); }",
            "void f() { x = *" A("reinterpret_cast<float4 *>(q)") "; }");
    becomes("void f() { reinterpret_cast<int *>(q + (1))[i] = 1; }",
            "void f() { " A("reinterpret_cast<int *>(q + (1))") "[i] = 1; }");
    becomes("void f() { x = (*(float4 *)q)[1]; }",
            "void f() { x = (*(shflviz::aligned_pointer<float4 >)q)[1]; }");
    /* The member of what a call gives is none of the vector's. */
    becomes("void f() { x = f(*(float4 *)q).x; }",
            "void f() { x = f(*(shflviz::aligned_pointer<float4 >)q).x; }");
    becomes("void f() { return ((float4 *)q)[i]; }",
            "void f() { return (" A("(float4 *)q") ")[i]; }");
    becomes("void f() { if (c) g(); else ((float4 *)q)[i] = x; do (*(int *)q)[1] = 1; while (c); }",
            "void f() { if (c) g(); else (" A(
                "(float4 *)q") ")[i] = x; do "
                               "(*(shflviz::aligned_pointer<int >)q)[1] = 1; while (c); }");
    stays("void f() { x = (*(float4 *)q).x; return (*(float4 *)q).x; }");
    stays("void f() { if (c) (*(float4 *)q).x = 1; else (*(float4 *)q).x = 2; }");
    stays("void f() { do (*(float4 *)q).x = 1; while (c); x = f((float4 *)q)[i]; }");
    stays("void f() { x = ((float4 *)q)[i].x; g((float4 *)q); x = (float4 *)q; }");
    stays("void f() { reinterpret_cast<float4 *>(q)[i].x = 1; g(reinterpret_cast<int *>(q)); }");
    stays("void f() { x = *(y)q; x = *(y + 1); x = a * (float4 *)q; x = *(3 *)q; x = *(a - *)q; }");
    stays("void f() { *(int *) = 1; reinterpret_cast<int>(q)[i]; reinterpret_cast<int *; }");
    stays("void f() { reinterpret_cast = 1; reinterpret_cast<int *> x; }");
}

/* What has been cast is asked wherever it is used. */
static void test_pointers(void **state) {
    static const char *const declared[] = {
        "int *p = (int *)q;",
        "auto p = reinterpret_cast<int *>(q);",
        "auto *const p = (int *)q;",
        "const int *__restrict__ p = (const int *)q;",
        "double2 *p;",
        "const uchar4 *__restrict p;",
        "half2 const *p;",
        "__nv_bfloat162 *p;",
        "longlong2 *p;",
        "struct alignas(16) V { int x[4]; }; V *p;",
        "struct __attribute__((aligned(16))) V { int x[4]; }; const V *p;",
        "union alignas(8) V { int x[2]; }; V *p;",
        "class alignas(8) V : B { int x[2]; }; V *p;",
        "struct alignas(16) V final { int x[4]; }; V *p;",
    };
    static const char *const plain[] = {
        "int *p;",
        "float3 *p;",
        "half *p;",
        "float p;",
        "float44 *p;",
        "struct V { int x[4]; }; V *p;",
        "struct alignas(16) V; V *p;",
        "struct V v = {1}; V *p;",
        "f(struct V x) { } V *p;",
        "int p = (int)q;",
    };
    struct text text = TEXT_INIT, wanted = TEXT_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++) {
        text_clear(&text);
        text_clear(&wanted);
        text_append_format(&text, "int a; %s x = p[i];", declared[i]);
        text_append_format(&wanted, "int a; %s x = " A("p") "[i];", declared[i]);
        becomes(text.data, wanted.data);
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        text_clear(&text);
        text_append_format(&text, "int a; %s x = p[i];", plain[i]);
        stays(text.data);
    }
    text_release(&text);
    text_release(&wanted);
}

/* Vectors of two and four; those of three have the alignment of their members. */
static void test_vectors(void **state) {
    static const char *const of[] = {"char", "uchar", "short", "ushort",   "int",       "uint",
                                     "long", "ulong", "float", "longlong", "ulonglong", "double"};
    static const char *const others[] = {"half2", "__half2", "__nv_bfloat162", "nv_bfloat162"};
    static const char *const none[] = {"char3", "chai2", "float",   "float1", "half",
                                       "half4", "har2",  "_float4", "half22", "2"};
    struct text source = TEXT_INIT, wanted = TEXT_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        for (int width = 2; width <= 4; width++) {
            text_clear(&source);
            text_clear(&wanted);
            text_append_format(&source, "; %s%d *p; x = p[i];", of[i], width);
            text_append_format(
                &wanted, width == 3 ? "; %s%d *p; x = p[i];" : "; %s%d *p; x = " A("p") "[i];",
                of[i], width);
            becomes(source.data, wanted.data);
        }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        text_clear(&source);
        text_clear(&wanted);
        text_append_format(&source, "; %s *p; x = p[i];", others[i]);
        text_append_format(&wanted, "; %s *p; x = " A("p") "[i];", others[i]);
        becomes(source.data, wanted.data);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        text_clear(&source);
        text_append_format(&source, "; %s *p; x = p[i];", none[i]);
        stays(source.data);
    }
    text_release(&source);
    text_release(&wanted);
}

/* In the order of the text, however many. */
static void test_many(void **state) {
    struct text source = TEXT_INIT, wanted = TEXT_INIT;
    (void)state;
    for (int i = 0; i < 500; i++) {
        text_append_format(&source, "x = p[%d] + *(int *)q; ", i);
        text_append_format(&wanted, "x = " A("p") "[%d] + *(shflviz::aligned_pointer<int >)q; ", i);
    }
    p_becomes(source.data, wanted.data);
    text_release(&source);
    text_release(&wanted);
}

/* What cannot be read is the compiler's to refuse; headers of the system are not looked at. */
static void test_others(void **state) {
    (void)state;
    stays("");
    stays("*");
    stays("p");
    stays("void f(float4 *p) { *p = 1; ");
    stays("struct");
    stays("struct alignas(16");
    stays("# 1 \"/usr/include/x.h\" 3\nvoid f(float4 *p) { *p = 1; }\n");
    becomes("# 1 \"/usr/include/x.h\" 3\nfloat4 *p;\n# 2 \"a.cu\"\nfloat4 *q;\nx = *q;\n",
            "# 1 \"/usr/include/x.h\" 3\nfloat4 *p;\n# 2 \"a.cu\"\nfloat4 *q;\nx = *" A("q") ";\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices), cmocka_unit_test(test_followed),
        cmocka_unit_test(test_casts),   cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
