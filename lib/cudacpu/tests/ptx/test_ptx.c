/*
 * The C++ for inline PTX, and refusals. Expected texts are written by hand, for instructions
 * of "Parallel Thread Execution ISA". The programs in tests/programs run the resulting C++.
 */
#include "base/text.h"
#include "cudacpu/ptx/ptx.h"

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

/* Appends what cudacpu-instrument lists for a statement in function g() at line 7 of f.cu: LLVM
 * writes $0 for %0 and $$ for a dollar sign. */
static void append_listed(struct text *list, const char *constraints, const char *ptx) {
    text_append_bytes(list, "7 3\0f.cu\0g", sizeof "7 3\0f.cu\0g");
    text_append_bytes(list, constraints, strlen(constraints) + 1);
    for (const char *at = ptx; *at; at++)
        if (*at == '%' && at[1] >= '0' && at[1] <= '9')
            text_append_char(list, '$');
        else if (*at == '$')
            text_append(list, "$$");
        else
            text_append_char(list, *at);
    text_append_bytes(list, "", 1);
}

/* A statement with outputs %0 (32 bits, also read) and %1 (64 bits), inputs %2 (32 bits), %3 (an
 * address) and %4 (a float). */
static int translate(struct text *code, const char *ptx, struct error *err) {
    struct text list = TEXT_INIT;
    append_listed(&list, "=r,=l,r,l,f,0,~{memory}", ptx);
    const int status = ptx_write(code, &list, NULL, NULL, err);
    text_release(&list);
    return status;
}

/* In `expected`, P: is the namespace of the calls, %N the operands, and ^N their names in PTX. */
static void expand(struct text *text, const char *expected) {
    for (const char *at = expected; *at; at++)
        if (at[0] == 'P' && at[1] == ':') {
            text_append(text, "::shflviz::ptx::");
            at++;
        } else if (at[0] == '^') {
            text_append_char(text, '%');
        } else if (at[0] == '%') {
            at++;
            text_append_format(text, "shflviz_%c%c", *at < '2' ? 'o' : 'i', *at);
        } else {
            text_append_char(text, *at);
        }
}

static void becomes(const char *ptx, const char *expected) {
    struct text code = TEXT_INIT, wanted = TEXT_INIT;
    struct error err = ERROR_INIT;
    expand(&wanted, expected);
    if (translate(&code, ptx, &err) != 0)
        fail_msg("%s\nis refused with: %s", ptx, err.text);
    if (!strstr(code.data, wanted.data))
        fail_msg("%s\nbecomes: %s\nand has no: %s", ptx, code.data, wanted.data);
    /* It must not contain unwanted text, either. */
    static const char *const parts[] = {"cpu_access_next", "at_shared", "flushed", "_atomic",
                                        "volatile"};
    for (size_t i = 0; i < COUNT(parts); i++)
        if (!strstr(code.data, parts[i]) != !strstr(wanted.data, parts[i]))
            fail_msg("%s\nbecomes: %s\nas to %s", ptx, code.data, parts[i]);
    text_release(&code);
    text_release(&wanted);
}

static void refuses(const char *ptx, const char *says) {
    struct text code = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (translate(&code, ptx, &err) == 0)
        fail_msg("taken: %s\nas: %s", ptx, code.data);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (strncmp(err.text, "f.cu:7: ", 8) != 0 || !strstr(err.text, says))
        fail_msg("%s\nis refused with: %s", ptx, err.text);
    text_release(&code);
}

/* Whole functions: their operands and their return values. */
static void test_operands(void **state) {
    static const char *const cases[][3] = {
        {"=r,=l,r,f,0", "mov.u32 %0, 1;",
         "uint32_t &shflviz_l0, uint64_t &shflviz_l1, uint32_t shflviz_i2, "
         "float shflviz_i3, uint32_t shflviz_t4) { uint32_t %0; uint64_t %1; "
         "%0 = shflviz_t4; auto &shflviz_i4 = %0; "
         "{ bool shflviz_q = false; P:put(%0, (P:i_mov<P:u32>((1)))); (void)shflviz_q; }"
         "shflviz_l0 = %0; shflviz_l1 = %1; }\n"},
        {"=r,=&r,1,n", "mov.u32 %0, %2; ;",
         "uint32_t &shflviz_l0, uint32_t &shflviz_l1, uint32_t shflviz_t2, "
         "int64_t shflviz_i3) { uint32_t %0; uint32_t %1; %1 = shflviz_t2; auto &%2 = %1; "
         "{ bool shflviz_q = false; P:put(%0, (P:i_mov<P:u32>(%2))); (void)shflviz_q; }"
         "shflviz_l0 = %0; shflviz_l1 = %1; }\n"},
        {"", "{ bra.uni L; L: membar.gl; }",
         ") { {goto shflviz_r_L;shflviz_r_L: ; "
         "{ bool shflviz_q = false; (void)((P:i_membar())); (void)shflviz_q; }}}\n"},
        {"h,d,q,i,~{memory},~{cc}", "exit;",
         "uint16_t shflviz_i0, double shflviz_i1, unsigned __int128 shflviz_i2, "
         "int64_t shflviz_i3) { { bool"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text list = TEXT_INIT, wanted = TEXT_INIT, code = TEXT_INIT;
        struct error err = ERROR_INIT;
        append_listed(&list, cases[i][0], cases[i][1]);
        text_append(&wanted,
                    "#include \"cudacpu/ptx/functions.h\"\n\n#line 7 \"f.cu\"\nextern \"C\" "
                    "__attribute__((device, always_inline)) void cudacpu_asm_0(");
        expand(&wanted, cases[i][2]);
        assert_int_equal(ptx_write(&code, &list, NULL, NULL, &err), 0);
        code.data[code.length < wanted.length ? code.length : wanted.length] = '\0';
        assert_string_equal(code.data, wanted.data);
        text_release(&list);
        text_release(&wanted);
        text_release(&code);
    }
}

/* Each statement becomes a function of its own, and file names may contain any character. */
static void test_several(void **state) {
    static const char listed[] = "1 1\0a\\\"b.cu\0operator()\0\0exit;\0"
                                 "9 1\0c.cuh\0h\0r\0bar.sync ${0:x};";
    struct text list = TEXT_INIT, code = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    text_append_bytes(&list, listed, sizeof listed);
    assert_int_equal(ptx_write(&code, &list, NULL, NULL, &err), 0);
    assert_non_null(strstr(code.data, "\n#line 1 \"a\\\\\\\"b.cu\"\n"));
    assert_non_null(strstr(code.data, " void cudacpu_asm_0() { {"));
    assert_non_null(strstr(code.data, "\n#line 9 \"c.cuh\"\n"));
    assert_non_null(strstr(code.data, " void cudacpu_asm_1(uint32_t shflviz_i0) { {"));
    assert_non_null(strstr(code.data, "{\"c.cuh\", \"h\", \"bar.sync %0\", 9}"));
    text_release(&code);
    list.length -= 3; /* a truncated text is not a statement */
    assert_int_equal(ptx_write(&code, &list, NULL, NULL, &err), 0);
    assert_null(strstr(code.data, "cudacpu_asm_1"));
    text_release(&list);
    text_release(&code);
}

static bool give_source(void *context, const char *file, struct text *text) {
    assert_string_equal(file, "f.cu");
    text_append(text, context);
    return true;
}

/* The line numbers of instructions, and of an instruction that is refused. */
static void test_lines(void **state) {
    static const char source[] = "\n\n\n\n\n\n  asm volatile(\n"
                                 "    \"activemask.b32 %0;\\n\"\n"
                                 "    \"bar.sync 0; \"\n\"madd.u32 %0, 1;\" : \"=r\"(x));\n";
    struct text list = TEXT_INIT, code = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    append_listed(&list, "=r", "activemask.b32 %0;\nbar.sync 0; madd.u32 %0, 1;");
    assert_int_equal(ptx_write(&code, &list, give_source, (void *)(uintptr_t)source, &err), -1);
    assert_non_null(strstr(err.text, "f.cu:10: this PTX is not supported: madd.u32 %0, 1\n"));
    assert_non_null(strstr(code.data, "\"activemask.b32 %0\", 8}"));
    assert_non_null(strstr(code.data, "\n#line 9 \"f.cu\"\n{ bool"));
    assert_non_null(strstr(code.data, "\"bar.sync 0\", 9}"));
    text_release(&list);
    text_release(&code);
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
         "::shflviz_site shflviz_site_ = {\"f.cu\", \"g\", "
         "\"shfl.sync.up.b32 ^0, ^2, 1, 0, -1\", 7}"},
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
        {"mov.u32 %0, %tid.x;", "P:i_mov<P:u32>(P:sreg_tid().x)"},
        {"mov.u32 %0, %clock;", "P:sreg_clock()"},
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
        {"ld.global.nc.L2::128B.u32 %0, [%3+4];",
         "P:at(%3, (4)); P:put(%0, P:i_ld_nc<P:u32>(shflviz_a, 0)"},
        {"ld.u32 %0, [ %3 + 4 ];", "P:at(%3, (4 ))"},
        {"ld.u32 %0, [%3-4];", "P:at(%3, (-4))"},
        {"ld.volatile.u32 %0, [%3];", "P:i_ld_volatile<P:u32>("},
        {"ld.acquire.gpu.u32 %0, [%3];",
         "cpu_access_next(64); { const auto shflviz_a = P:at(%3, 0); "
         "P:put(%0, P:i_ld_atomic<P:u32>("},
        {"ld.relaxed.sys.global.u32 %0, [%3];", "cpu_access_next(80); { const auto shflviz_a = "
                                                "P:at(%3, 0); P:put(%0, P:i_ld_atomic<P:u32>("},
        {"fence.acq_rel.cta;", "cpu_access_next(8); "},
        {"st.release.cta.u32 [%3], %2;",
         "cpu_access_next(184); { const auto shflviz_a = P:at(%3, 0); "
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
         "cpu_access_next(32); { bool shflviz_q = false; P:put(%0, (P:i_atom_cas<P:b32>(P:at(%3, "
         "0), (1), "
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
        {".reg .pred %p; @%p bra END; mov.u32 %0, 1; END: ;", "{ goto shflviz_r_END; }{ bool"},
        {".reg .pred %p; @%p bra.uni $L_1; $L_1: mov.u32 %0, 1;",
         "if (shflviz_r__pp) { goto shflviz_r__dL_1; }shflviz_r__dL_1: ; {"},
        {".reg .u32 %r<3>; mov.u32 %r2, 5;", "P:u32 shflviz_r__pr0; P:u32 shflviz_r__pr1; P:u32 "
                                             "shflviz_r__pr2; "},
        {"{ { .reg .u32 a; mov.u32 a, 1; } .reg .u64 a; }",
         "{{P:u32 shflviz_r_a; { bool shflviz_q = false; P:put(shflviz_r_a, (P:i_mov<P:u32>((1))))"
         "; (void)shflviz_q; }}P:u64 shflviz_r_a; }"},
        {";; mov.u32 %0, 1;;", "P:i_mov<P:u32>((1))"},
        {"// one\n mov.u32 %0, /* two */ 1; // three", "P:i_mov<P:u32>((1))"},
        {"mov.u32 %0, /**/ 2; /***/ /*/ */ mov.u32 %0, 1;",
         "(1)))); (void)shflviz_q; }shflviz_l0 = %0; "},
        {"mov.u32 %0, 1; .reg.u32 a; mov.u32 a, 7;", "P:u32 shflviz_r_a; "},
        {".reg .u32 t<12>; mov.u32 t11, 5;",
         "P:u32 shflviz_r_t10; P:u32 shflviz_r_t11; { bool shflviz_q"},
        {"mov.u32 %0, 1; /* open", "P:i_mov<P:u32>((1))"},
        {"mov.u32 %0, 1;\\t\\x20\\040\\r\\v\\f\\a" /* whatever */, NULL},
        {"{ mov.u32\n\t%0 , 1 ; }", "P:i_mov<P:u32>((1 ))"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i][1])
            becomes(cases[i][0], cases[i][1]);
        else
            refuses(cases[i][0], "");
}

/* Each refusal names its instruction, and nothing more. */
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
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, "
        "{%0}, {%0, %0, %0, %0};",
        "mma.sync.aligned.m16n8k8.row.row.f32.tf32.tf32.f32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, "
        "{%0, %0}, {%0, %0, %0, %0};",
        "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, "
        "{%0, %0}, {%0, %0, %0, %0};",
        "mma.sync.aligned.m16n8k8.tf32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, {%0, %0}, {%0, %0, %0, "
        "%0};",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1];",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, %1;",
        "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%0}, [%1];",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%1], {%0};",
        "movmatrix.sync.aligned.m8n8.b16 %0, %0;",
    };
    static const char *const no_register[] = {
        "mov.u32 %0, t;",
        "mov.u32 %0, %t;",
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
    refuses("wgmma.fence.sync.aligned;", "not supported: wgmma.fence.sync.aligned\n"
                                         "wgmma multiplies matrices in shared memory");
    refuses("tcgen05.wait::ld.sync.aligned;", "\ntcgen05 works on tensor memory");
    refuses("cp.async.bulk.commit_group;", "(TMA) need sm_90 or later");
    refuses("barrier.cluster.arrive;", "\nclusters of blocks need sm_90 or later");
    refuses("mov.u32 %0, %6;", "no operand has that number: mov.u32 %0, %6\n");
    refuses("add.u32 %0, %2, 1; mov.u32 %0 , \n\t %2 q;", "not supported: mov.u32 %0 , %2 q\n");
}

static void test_constraints(void **state) {
    static const char *const refused[] = {"=n", "=0", "=m", "=*m", "=i", "m", "X", "0", "1", "C"};
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct text list = TEXT_INIT, code = TEXT_INIT;
        struct error err = ERROR_INIT;
        append_listed(&list, refused[i], "bar.sync %0;");
        assert_int_equal(ptx_write(&code, &list, NULL, NULL, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(
            strstr(err.text, "f.cu:7: this constraint of inline PTX is not supported: \""));
        text_release(&list);
        text_release(&code);
    }
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33) && !defined(__SANITIZE_ADDRESS__)
enum { ROUNDS = 3000, LEAST = 16 }; /* the fewest bytes that malloc() returns */

/* The memory for an instruction is freed, even if it is refused. The allocator may
 * keep memory, which counts as in use, but does not grow with each round. */
static void test_memory_is_freed(void **state) {
    static const char *const statements[] = {
        "mov.b64 {%0, lo}, %3;", "{ .reg .pred p; setp.gt.s32 p, %2, 3; @p add.s32 %0, %2, 7; }",
        "shfl.sync.bfly.b32 %0, %2, 1, 31, -1;", "bra nowhere, 1;", "add.s32 %0, %2, nothing"};
    size_t before = 0;
    (void)state;
    for (int i = 0; i < ROUNDS + ROUNDS / 10; i++) {
        for (size_t number = 0; number < COUNT(statements); number++) {
            struct text code = TEXT_INIT;
            struct error err = ERROR_INIT;
            translate(&code, statements[number], &err);
            text_release(&code);
        }
        if (i == ROUNDS / 10)
            before = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < before + ROUNDS / 2 * LEAST);
}
#define MEMORY_TEST cmocka_unit_test(test_memory_is_freed),
#else
#define MEMORY_TEST
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        MEMORY_TEST cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
