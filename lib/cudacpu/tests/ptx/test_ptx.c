/*
 * What of inline PTX becomes which C++, and what is refused; expected texts by hand, instructions
 * of "Parallel Thread Execution ISA". What the C++ does is tried by the programs in tests/programs.
 */
#include "base/text.h"
#include "cudacpu/frontend/translate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct translate_options plain = {.one_thread = true};

/* A statement with outputs %0 (x, 32 bits) and %1 (w, 64 bits), inputs %2 (y), %3 (p, an address)
 * and %4 (z, a float). */
static int translate(struct translation *translation, const char *ptx, struct error *err) {
    struct text source = TEXT_INIT;
    text_append_format(&source,
                       "void f() { asm volatile(\"%s\" : \"+r\"(x), \"=l\"(w) : \"r\"(y), \"l\"(p),"
                       " \"f\"(z) : \"memory\"); }",
                       ptx);
    const int status = translate_cuda(translation, source.data, source.length, &plain, err);
    text_release(&source);
    return status;
}

/* In `expected`, P: is the namespace of the calls, and oN and iN the operands. */
static void expand(struct text *text, const char *expected) {
    for (const char *at = expected; *at; at++)
        if (at[0] == 'P' && at[1] == ':') {
            text_append(text, "::shflviz::ptx::");
            at++;
        } else if (at[0] == '%') {
            at++;
            text_append_format(text, "shflviz_%c%c", *at < '2' ? 'o' : 'i', *at);
        } else {
            text_append_char(text, *at);
        }
}

static void becomes(const char *ptx, const char *expected) {
    struct translation translation;
    struct error err = ERROR_INIT;
    struct text wanted = TEXT_INIT;
    expand(&wanted, expected);
    if (translate(&translation, ptx, &err) != 0)
        fail_msg("%s\nis refused with: %s", ptx, err.text);
    assert_true(translation.uses_ptx);
    if (!strstr(translation.text.data, wanted.data))
        fail_msg("%s\nbecomes: %s\nand has no: %s", ptx, translation.text.data, wanted.data);
    /* Nor has it what is not wanted. */
    static const char *const parts[] = {"cpu_fence", "at_shared", "flushed", "_atomic", "volatile"};
    for (size_t i = 0; i < COUNT(parts); i++)
        if (!strstr(translation.text.data, parts[i]) != !strstr(wanted.data, parts[i]))
            fail_msg("%s\nbecomes: %s\nas to %s", ptx, translation.text.data, parts[i]);
    assert_int_equal(translation.uses_volatile, strstr(ptx, "volatile") != NULL);
    translation_release(&translation);
    text_release(&wanted);
}

static void refuses(const char *ptx, const char *says) {
    struct translation translation;
    struct error err = ERROR_INIT;
    if (translate(&translation, ptx, &err) == 0)
        fail_msg("taken: %s\nas: %s", ptx, translation.text.data);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (strncmp(err.text, ":1: ", 4) != 0 || !strstr(err.text, says))
        fail_msg("%s\nis refused with: %s", ptx, err.text);
    translation_release(&translation);
}

/* The whole of two statements: what their operands become, and what is given back. */
static void test_operands(void **state) {
    static const char *const cases[][2] = {
        {"asm volatile(\"mov.u32 %0, 1;\" : \"+r\"(x), \"=l\"(w) : \"r\"(y + 1), \"f\"(z));",
         "(__extension__({ auto &&shflviz_l0 = x; P:reg<'r', decltype(shflviz_l0)> shflviz_o0 = "
         "P:in<'r'>(shflviz_l0); auto &&shflviz_l1 = w; P:reg<'l', decltype(shflviz_l1)> "
         "shflviz_o1; "
         "const auto shflviz_i2 = P:in<'r'>(y + 1); const auto shflviz_i3 = P:in<'f'>(z); "
         "{ bool shflviz_q = false; P:put(shflviz_o0, (P:i_mov<P:u32>((1)))); (void)shflviz_q; }"
         "P:out(shflviz_l0, shflviz_o0); P:out(shflviz_l1, shflviz_o1); (void)0; }));"},
        {"asm(\"mov.u32 %0, %2; ;\" : \"=r\"(x), \"=r\"(w) : \"1\"(y), \"n\"(3));",
         "(__extension__({ auto &&shflviz_l0 = x; P:reg<'r', decltype(shflviz_l0)> shflviz_o0; "
         "auto &&shflviz_l1 = w; P:reg<'r', decltype(shflviz_l1)> shflviz_o1; "
         "P:put(shflviz_o1, y); auto &shflviz_i2 = shflviz_o1; "
         "const auto shflviz_i3 = P:in<'n'>(3); "
         "{ bool shflviz_q = false; P:put(shflviz_o0, (P:i_mov<P:u32>(shflviz_i2))); "
         "(void)shflviz_q; }P:out(shflviz_l0, shflviz_o0); P:out(shflviz_l1, shflviz_o1); "
         "(void)0; }));"},
        {"asm(\"{ bra.uni L; L: membar.gl; }\");",
         "(__extension__({ __label__ shflviz_r_L; {goto shflviz_r_L;shflviz_r_L: ; "
         "{ bool shflviz_q = false; (void)((P:i_membar())); (void)shflviz_q; }}(void)0; }));"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text source = TEXT_INIT, wanted = TEXT_INIT;
        struct translation translation;
        struct error err = ERROR_INIT;
        text_append_format(&source, "void f() { %s }", cases[i][0]);
        text_append(&wanted, "void f() { ");
        expand(&wanted, cases[i][1]);
        text_append(&wanted, " }");
        assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, &err), 0);
        assert_string_equal(translation.text.data, wanted.data);
        translation_release(&translation);
        text_release(&source);
        text_release(&wanted);
    }
}

static void test_instructions(void **state) {
    static const char *const cases[][2] = {
        {"add.u32 %0, %2, 3;", "{ bool shflviz_q = false; P:put(%0, (P:i_add<P:u32>(%2, (3)))); "
                               "(void)shflviz_q; }"},
        {"add.u32 %0,%2,-3;", "P:i_add<P:u32>(%2, (-3))"},
        {"add.u32 %0, %2, +3;", "P:i_add<P:u32>(%2, (+3))"},
        {"and.b32 %0, %2, ~7;", "P:i_and<P:b32>(%2, (~7))"},
        {"add.u32 %0, %2, (32-4)<<8;", "P:i_add<P:u32>(%2, ((32-4)<<8))"},
        {"add.u32 %0, %2, WARP_SZ;", "P:i_add<P:u32>(%2, 32)"},
        {"add.ftz.f32 %0, %4, 0f3F800000;",
         "P:put(%0, P:flushed(P:i_add<P:f32>(P:flushed(%4), P:flushed(P:float_of(0x3F800000)))))"},
        {"mul.f64 %1, %3, 0d3FF0000000000000;", "P:double_of(0x3FF0000000000000)"},
        {"add.f32 %0, %4, 0F3f800000;", "P:float_of(0x3f800000)"},
        {"add.f64 %1, %3, 0D3ff0000000000000;", "P:double_of(0x3ff0000000000000)"},
        {"add.rn.f32 %0, %4, 1.5;", "P:i_add<P:f32>(%4, (1.5))"},
        {"add.rz.f32 %0, %4, %4;", "P:i_add_rz<P:f32>(%4, %4)"},
        {"mad.lo.s32 %0, %2, %2, %0;", "P:i_mad_lo<P:s32>(%2, %2, %0)"},
        {"cvt.rzi.s32.f32 %0, %4;", "P:i_cvt<P:round_rzi, P:s32, P:f32>(%4)"},
        {"cvt.f32.s32 %0, %2;", "P:i_cvt<P:round_rn, P:f32, P:s32>(%2)"},
        {"cvt.sat.f32.f64 %0, %3;", "P:i_cvt_sat<P:round_rn, P:f32, P:f64>(%3)"},
        {"set.gt.and.u32.s32 %0, %2, 1, p;", NULL},
        {"selp.u32 %0, 1, 2, p;", NULL},
        {"shfl.sync.up.b32 %0, %2, 1, 0, -1;",
         "i_shfl_sync_up<P:b32>((__extension__({ static const "
         "::shflviz_site shflviz_site_ = {\"\", __func__, "
         "\"shfl.sync.up.b32 x, y, 1, 0, -1\", 1}"},
        {"shfl.sync.up.b32 %0, %2, 1, 0, -1;",
         "&shflviz_site_; })), %2, (1), (0), (-1), shflviz_q))); (void)shflviz_q; }"},
        {"vote.sync.ballot.b32 %0, 1, -1;", "&shflviz_site_; })), (1), (-1)))); (void)"},
        {"activemask.b32 %0;", "&shflviz_site_; }))))); (void)"},
        {"bar.sync 1, 64;", "&shflviz_site_; })), (1), (64)))); (void)"},
        {"bar.sync 0;", "(void)((P:i_bar_sync((__extension__({"},
        {"membar.gl;", "P:i_membar()"},
        {"fence.proxy.async;", NULL},
        {"nanosleep.u32 20;", "P:i_nanosleep<P:u32>((20))"},
        {"trap;", "P:i_trap()"},
        {"exit;", "P:i_exit()"},
        {"brkpt;", "P:i_brkpt()"},
        {"mov.u32 %0, %laneid;", "P:i_mov<P:u32>(P:sreg_laneid())"},
        {"mov.u32 %0, %%tid.x;", "P:i_mov<P:u32>(P:sreg_tid().x)"},
        {"mov.u32 %0, %%clock;", "P:sreg_clock()"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i][1])
            becomes(cases[i][0], cases[i][1]);
        else
            refuses(cases[i][0], cases[i][0][0] == 'f' ? "is not supported" : "no such register");
}

static void test_memory(void **state) {
    static const char *const cases[][2] = {
        {"ld.global.u32 %0, [%3];",
         "{ const auto shflviz_a = P:at(%3, 0); P:put(%0, P:i_ld<P:u32>(shflviz_a, 0)); }"},
        {"ld.global.nc.L2::128B.u32 %0, [%3+4];", "P:at(%3, (4))"},
        {"ld.u32 %0, [ %3 + 4 ];", "P:at(%3, (4 ))"},
        {"ld.u32 %0, [%3-4];", "P:at(%3, (-4))"},
        {"ld.volatile.u32 %0, [%3];", "P:i_ld_volatile<P:u32>("},
        {"ld.acquire.gpu.u32 %0, [%3];", "P:i_ld_atomic<P:u32>("},
        {"ld.relaxed.sys.global.u32 %0, [%3];", "P:i_ld_atomic<P:u32>("},
        {"st.release.cta.u32 [%3], %2;", "cpu_fence(); { const auto shflviz_a = P:at(%3, 0); "
                                         "P:i_st_atomic<P:u32>(shflviz_a, 0, %2); }"},
        {"ld.shared.u32 %0, [%2];", "P:at_shared(%2, 0)"},
        {"ld.shared::cta.u32 %0, [%2];", "P:at_shared(%2, 0)"},
        {"ld.global.v2.u32 {%0, _}, [%3];",
         "P:put(%0, P:i_ld<P:u32>(shflviz_a, 0)); P:i_ld<P:u32>(shflviz_a, 1); }"},
        {"st.global.v2.u32 [%3], {%2, 7};",
         "P:i_st<P:u32>(shflviz_a, 0, %2); P:i_st<P:u32>(shflviz_a, 1, (7)); }"},
        {"atom.global.add.u32 %0, [%3], 1;", "P:put(%0, (P:i_atom_add<P:u32>(P:at(%3, 0), (1))))"},
        {"atom.shared.add.u32 _, [%2], 1;",
         "(void)((P:i_atom_add<P:u32>(P:at_shared(%2, 0), (1))))"},
        {"atom.acq_rel.gpu.cas.b32 %0, [%3], 1, 2;",
         "cpu_fence(); { bool shflviz_q = false; P:put(%0, (P:i_atom_cas<P:b32>(P:at(%3, 0), (1), "
         "(2))))"},
        {"red.global.add.f32 [%3], %4;", "(void)((P:i_red_add<P:f32>(P:at(%3, 0), %4)))"},
        {"cp.async.ca.shared.global [%2], [%3], 4;",
         "P:i_cp_async(P:at_shared(%2, 0), P:at(%3, 0), (4))"},
        {"prefetch.global.L2 [%3];", "P:i_prefetch(P:at(%3, 0))"},
        {"mov.b64 %1, {%2, 7};",
         "{ P:b64 shflviz_a = 0; P:pack<0, 2>(shflviz_a, %2); P:pack<1, 2>(shflviz_a, (7)); "
         "P:put(%1, shflviz_a); }"},
        {"mov.b64 {_, %0}, %3;",
         "{ P:b64 shflviz_a = P:as<P:b64>(%3); P:unpack<1, 2>(shflviz_a, %0); }"},
        {"mov.b64 _, {%2, %2};", "P:pack<1, 2>(shflviz_a, %2); }"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        becomes(cases[i][0], cases[i][1]);
}

static void test_statements(void **state) {
    static const char *const cases[][2] = {
        {"{ .reg .pred p; setp.eq.u32 p, %2, 3; @p mov.u32 %0, 1; @!p mov.u32 %0, 2; }",
         "{P:pred shflviz_r_p; { bool shflviz_q = false; P:put(shflviz_r_p, (P:i_setp<P:cmp_eq, "
         "P:u32>(%2, (3), shflviz_q))); (void)shflviz_q; }if (shflviz_r_p) { { bool shflviz_q = "
         "false; P:put(%0, (P:i_mov<P:u32>((1)))); (void)shflviz_q; } }if (!shflviz_r_p) { "},
        {".reg .pred p, q; setp.lt.and.s32 p|q, %2, 3, !p;",
         "P:put(shflviz_r_p, (P:i_setp_and<P:cmp_lt, P:s32>(%2, (3), !shflviz_r_p, shflviz_q))); "
         "shflviz_r_q = shflviz_q; (void)shflviz_q; }"},
        {".reg .pred %p; @%p bra END; mov.u32 %0, 1; END: ;",
         "(__extension__({ __label__ shflviz_r_END; "},
        {".reg .pred %%p; @%%p bra.uni $L_1; $L_1: mov.u32 %0, 1;",
         "if (shflviz_r__pp) { goto shflviz_r__dL_1; }shflviz_r__dL_1: ; {"},
        {".reg .u32 %%r<3>; mov.u32 %%r2, 5;", "P:u32 shflviz_r__pr0; P:u32 shflviz_r__pr1; P:u32 "
                                               "shflviz_r__pr2; "},
        {"{ { .reg .u32 a; mov.u32 a, 1; } .reg .u64 a; }",
         "{{P:u32 shflviz_r_a; { bool shflviz_q = false; P:put(shflviz_r_a, (P:i_mov<P:u32>((1))))"
         "; (void)shflviz_q; }}P:u64 shflviz_r_a; }"},
        {";; mov.u32 %0, 1;;", "P:i_mov<P:u32>((1))"},
        {"// one\\n mov.u32 %0, /* two */ 1; // three", "P:i_mov<P:u32>((1))"},
        {"mov.u32 %0, /**/ 2; /***/ /*/ */ mov.u32 %0, 1;",
         "(1)))); (void)shflviz_q; }P:out(shflviz_l0, "},
        {"mov.u32 %0, 1; .reg.u32 a; mov.u32 a, 7;", "P:u32 shflviz_r_a; "},
        {".reg .u32 t<12>; mov.u32 t11, 5;",
         "P:u32 shflviz_r_t10; P:u32 shflviz_r_t11; { bool shflviz_q"},
        {"mov.u32 %0, 1; /* open", "P:i_mov<P:u32>((1))"},
        {"mov.u32 %0, 1;\\t\\x20\\040\\r\\v\\f\\a" /* whatever */, NULL},
        {"{ mov.u32\\n\\t%0 , 1 ; }", "P:i_mov<P:u32>((1 ))"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i][1])
            becomes(cases[i][0], cases[i][1]);
        else
            refuses(cases[i][0], "");
}

/* Each says which instruction it is, and no more. */
static void test_refused(void **state) {
    static const char *const unsupported[] = {
        "add.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.u32 %0, %2, 1;",
        "add.u32.u32.u32.u32 %0, %2, 1;",
        "add.sat_sat_sat_sat_sat_sat_sat.sat_sat_sat_sat_sat_sat_sat.sat_sat_sat.s32 %0, %2, 1;",
        "add.u32 %0, %2;",
        "add.u32 [%3], %2, 1;",
        "add.u32 %0|%1, %2, 1;",
        "add.u32 %0, _, 1;",
        "add.v2.u32 {%0, %0}, %2, 1;",
        "add.u32 %0, %2, 1 2; mov.u32 %0, %2 %2;",
        "add.u32 %0, %2, {1, 2, 3, 4, 5};",
        "mov.u32 %0, 1, 2, 3, 4, 5, 6, 7, 8;",
        "ld.global.u32 %0;",
        "ld.global.u32 %0, %3;",
        "ld.global.u32.u32 %0, [%3];",
        "ld.global.v2.u32 %0, [%3];",
        "ld.global.v2.u32 {%0, %0, %0}, [%3];",
        "ld.global.u32 {%0, %0}, [%3];",
        "ld.global.f16x2 %0, [%3];",
        "ld.global.u32 %0|%1, [%3];",
        "ld.global.u32 %0, [%3;",
        "ld.global.v2.u32 {%0, %0 [%3];",
        "mov.u32 {%0, %0}, %3;",
        "mov.b64 {%0, %0}, {%2, %2};",
        "mov.b64 {%0, %0}, [%3];",
        "mov.b64 [%3], {%0, %0};",
        "mov.b64.b64 {%0, %0}, %3;",
        "mov.b64 {%0, %0}, %3, 1;",
        "mov.u32 %0, ",
        "mov.u32 %0, !",
        "bra.uni;",
        "mov.u32 %0, 1; bra L",
        "mov.u32 %0, 1; }",
        "{ mov.u32 %0, 1;",
        ".reg .u32 t<0>;",
        ".reg .u32 t<2000>;",
        ".reg .u32 t<2;",
        ".reg .u9 t;",
        ".reg u32 t;",
        ".reg .u32 ;",
        ".reg .u32 a b;",
        ".reg ",
        "mov.u32 %0, 1; .regs .u32 a;",
        "mov.u32 %0, 1; .pragma;",
        "mov.u32 %0, 1; .re",
        "mov.u32 %0, 1; *",
        "mov.u32 %0, 1; abcdefghijklmnopqrstuvwxyz;",
        "mov.u32 %0, 1; move.u32 %0, 1;",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 %0, %0, %0, %0;",
    };
    static const char *const no_register[] = {
        "mov.u32 %0, t;",
        "mov.u32 %0, %%t;",
        "mov.u32 %0, ];",
        "@!p mov.u32 %0, 1;",

        ".reg .u32 t<10>; mov.u32 %0, t10;",
        ".reg .u32 t<3>; mov.u32 %0, t;",
        "@p mov.u32 %0, 1;",
        "ld.u32 %0, [t];",
        "ld.u32 %0, [%3+];",
        "ld.v2.u32 {%0, t}, [%3];",
        "ld.u32 %0, [%3+t];",
        "{ .reg .u32 a; } mov.u32 %0, a;",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(unsupported); i++)
        refuses(unsupported[i], "this PTX is not supported: ");
    for (size_t i = 0; i < COUNT(no_register); i++)
        refuses(no_register[i], "there is no such register: ");
    refuses("mov.u32 %0, %5;", "there is no operand of that number: mov.u32 x, %5\n");
    refuses("add.u32 %0, %2, 1; mov.u32 %0 , \\n\\t %2 q;", "not supported: mov.u32 x , y q\n");
}

/* Statements as C++ writes them. */
static void test_statement_forms(void **state) {
    static const char *const read[] = {
        "void f() { asm (\"mov.u32 %0, 1;\" : \"=r\"(x)); }",
        "void f() { asm volatile(\"mov.\" \"u32 %0, \" R\"a(1;)a\" : \"=\" \"r\"(x)); }",
        "void f() { __asm__ __volatile__(R\"(mov.u32\n%0, 1;)\" : \"=&r\" (x) : : \"memory\", "
        "\"cc\"); }",
        "void f() { asm inline(\"mov.u32 %0, 1;\" : \"=r\"(x) : \"r\"(g(')', \")\\\"\")), "
        "\"n\"(1)); }",
        "void f() { asm __volatile(\"mov.u32 %0, 1;\" :\n# 3 \"a.cu\"\n \"=r\"(x) \"=r\"(y)); }",
        "void f() { asm(\"mov.u32 %0, %1;\" : \"=r\"(x) : \"0\"(x)); }",
        "void f() { asm(\"mov.u16 %0, %1;\" : \"=h\"(x) : \"h\"(x)); }",
        "void f() { __asm(\"mov.f64 %0, %1;\" : \"=d\"(x) : \"d\"(x)); }",
        "void f() { asm(\"\\x6d\\157v.u32 %0, 1;\" : \"=r\"(x)); }", /* m, o */
        "void f() { asm(\"bar.sync 0;\" ::: \"memory\"); asm(\"bar.sync 0;\"); }",
    };
    /* Left to the compiler, which says what is wrong with them. */
    static const char *const left[] = {
        "void f() { asm(mov); }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(x; }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\"; }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(x) : : : : 3; }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=\"(x)); }",
        "void f() { asm(\"mov.u32 %0, 1;\" R\"(; }",
        "void f() { asm(R\"aaaaaaaaaaaaaaaaaaaaaaaaa(mov.u32 %0, 1;)\"); }",
        "void f() { asm(R\"mov.u32 %0, 1;\"); }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\" R(x)); }",
        "void f() { asm(\"mov.u32 %0, 1;",
        "void f() { asm volatile",
        /* Of the host's processor. */
        "void f() { asm(\"\" ::: \"memory\"); }",
        "void f() { asm(\"nop\"); }",
        "void f() { asm(\"pause;\"); }",
        "void f() { asm(\"exits;\"); }",
        "void f() { asm(\"movl %1, %0\" : \"=r\"(x) : \"r\"(y)); }",
        "void f() { asm(\"rdtsc; shl $32, %%rdx\" : \"=a\"(x)); }",
        "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(\"",
        "void f() { asm volatile goto(\"mov.u32 %0, 1;\" : \"=r\"(x)); }",
    };
    struct translation translation;
    (void)state;
    for (size_t i = 0; i < COUNT(read); i++) {
        struct error err = ERROR_INIT;
        assert_int_equal(translate_cuda(&translation, read[i], strlen(read[i]), &plain, &err), 0);
        if (!translation.uses_ptx)
            fail_msg("not taken for PTX: %s", read[i]);
        translation_release(&translation);
    }
    for (size_t i = 0; i < COUNT(left); i++) {
        struct error err = ERROR_INIT;
        assert_int_equal(translate_cuda(&translation, left[i], strlen(left[i]), &plain, &err), 0);
        if (translation.uses_ptx)
            fail_msg("taken for PTX: %s", left[i]);
        translation_release(&translation);
    }
}

/* 33 operands are more than any program has. */
static void test_many_operands(void **state) {
    struct translation translation;
    struct error err = ERROR_INIT;
    struct text source = TEXT_INIT;
    (void)state;
    text_append(&source, "void f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(x) : ");
    for (int i = 0; i < 100; i++)
        text_append_format(&source, "%s\"r\"(y)", i ? ", " : "");
    text_append(&source, "); }");
    assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, &err), 0);
    assert_false(translation.uses_ptx);
    translation_release(&translation);
    text_release(&source);
}

static void test_constraints(void **state) {
    static const char *const refused[] = {"=n", "=0", "=m", "=q"}, *const refused_in[] = {"m", "q"};
    struct translation translation;
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct text source = TEXT_INIT;
        struct error err = ERROR_INIT;
        text_append_format(&source, "void f() { asm(\"mov.u32 %%0, 1;\" : \"%s\"(x)); }",
                           refused[i]);
        assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, &err),
                         -1);
        assert_non_null(strstr(err.text, "this constraint of inline PTX is not supported: \""));
        translation_release(&translation);
        text_release(&source);
    }
    for (size_t i = 0; i < COUNT(refused_in); i++) {
        struct text source = TEXT_INIT;
        struct error err = ERROR_INIT;
        text_append_format(&source, "void f() { asm(\"bar.sync %%0;\" :: \"%s\"(x)); }",
                           refused_in[i]);
        assert_int_equal(translate_cuda(&translation, source.data, source.length, &plain, &err),
                         -1);
        assert_non_null(strstr(err.text, "this constraint of inline PTX is not supported: \""));
        translation_release(&translation);
        text_release(&source);
    }
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33) && !defined(__SANITIZE_ADDRESS__)
enum { ROUNDS = 3000, LEAST = 16 }; /* bytes that malloc() gives out at least */

/* What is read of an instruction is given back, of one that is refused, too. What the allocator
 * keeps at hand counts as in use, but does not grow with each round. */
static void test_is_given_back(void **state) {
    static const char *const statements[] = {
        "mov.b64 {%0, lo}, %3;", "{ .reg .pred p; setp.gt.s32 p, %2, 3; @p add.s32 %0, %2, 7; }",
        "shfl.sync.bfly.b32 %0, %2, 1, 31, -1;", "bra nowhere, 1;", "add.s32 %0, %2, nothing"};
    size_t before = 0;
    (void)state;
    for (int i = 0; i < ROUNDS + ROUNDS / 10; i++) {
        for (size_t number = 0; number < COUNT(statements); number++) {
            struct translation translation = {.launches = 0};
            struct error err = ERROR_INIT;
            translate(&translation, statements[number], &err);
            translation_release(&translation);
        }
        if (i == ROUNDS / 10)
            before = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < before + ROUNDS / 2 * LEAST);
}
#define GIVEN_BACK cmocka_unit_test(test_is_given_back),
#else
#define GIVEN_BACK
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        GIVEN_BACK cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_statement_forms),
        cmocka_unit_test(test_many_operands),
        cmocka_unit_test(test_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
