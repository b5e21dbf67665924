/*
 * Asm statements of GNU C++ taken apart, and the table of PTX: what it has instructions, types,
 * modifiers and registers of, as "Parallel Thread Execution ISA" names them.
 */
#include "cudacpu/ptx/asm_statement.h"
#include "cudacpu/ptx/ptx_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Of each operand the constraint, '=', '+' or ':' (an input), and the expression. */
static void append_operands(struct text *text, const struct asm_statement *statement) {
    for (size_t i = 0; i < statement->count; i++) {
        const struct asm_operand *operand = &statement->operands[i];
        assert_true(operand->is_output || !operand->is_both);
        text_append_format(text, "%c%c%s ", operand->constraint,
                           operand->is_both     ? '+'
                           : operand->is_output ? '='
                                                : ':',
                           operand->expression.data);
    }
}

static bool reads(const char *source, size_t length) {
    struct asm_statement statement;
    const bool read = asm_statement_read(&statement, source, source + length);
    asm_statement_release(&statement);
    assert_int_equal(statement.count, 0);
    return read;
}

/* What follows the word asm; nothing shorter is a statement. */
static void test_statements(void **state) {
    static const struct {
        const char *source, *template, *operands;
    } cases[] = {
        {"(\"a b\")", "a b", ""},
        {" volatile (\"\")", "", ""},
        {"\n__volatile__ inline\t( \"a\" )", "a", ""},
        {" __volatile(\"a\")", "a", ""},
        {"(\"a\" : \"=r\"(x))", "a", "r=x "},
        {"(\"a\" : \"+f\" ( y[1] ) : \"l\"(z), \"0\"(w))", "a", "f+ y[1]  l:z 0:w "},
        {"(\"a\" : : \"r\"(x) : \"memory\")", "a", "r:x "},
        {"(\"a\" :: \"n\"(4) : \"mem\" \"ory\", \"cc\")", "a", "n:4 "},
        {"(\"a\" ::: \"memory\")", "a", ""},
        {"(\"a\" : : : )", "a", ""},
        {"(\"a\" : \"=&r\"(x), \"=%\" \"h\"(y), \"= d\"(z))", "a", "r=x h=y d=z "},
        {"(\"a\" : \"=r\"(x) \"=r\"(y))", "a", "r=x r=y "}, /* as nvcc */
        {"(\"a\" : \"=r\"(f(\")\\\")\", ')', 1'000, '\\'')))", "a",
         "r=f(\")\\\")\", ')', 1'000, '\\'') "},
        {"(\"a\" : \"=r\"(x\n# 3 \"f\"\n+ y))", "a", "r=x + y "},
        {"(\"a\" \"b\"\"c\")", "abc", ""},
        /* Ends of lines between the strings stay, those elsewhere do not. */
        {"(\"a\"\n\n\"b\" "
         ":\n\"=r\"\n(x),\n\"=r\"(y)\n:\n\"r\"\n\"\"\n(z)\n:\n\"m\"\n\"n\"\n,\n\"o\"\n)",
         "a\001\001b", "r=x r=y r:z "},
        {"(\n\"a\"\n# 3 \"f\"\n\"b\")", "\001a\001b", ""},
        {"\nvolatile\n(\"a\")", "a", ""},
        /* What strings hold. */
        {"(\"\\n\\r\\t\\v\\f\\a\\b\\\"\\\\\\'\\?\")", "\n\r\t\v\f\a\b\"\\'?", ""},
        {"(\"\\x41\\x4a\\x4A\\x4f\\x4F\\xag\\xAG\\x9z\\x5_\")", "AJJOO\ng\nG\tz\005_", ""},
        {"(\"\\x41f\\x30F\")", "Af0F", ""}, /* two digits, as of a character */
        {"(\"\\101\\1012\\78\\7z\\0609\\0419\\60:\")",
         "AA2\0078\007z0"
         "9!"
         "90:",
         ""},
        {"(R\"(a\\n\")\")", "a\\n\"", ""},
        {"(R\"x(a)b)\" )\"x)x\" R\"()\" \"d\")", "a)b)\" )\"xd", ""},
        {"(R\"x(a)\n)x\" : \"=r\"(x))", "a)\n\001", "r=x "},
        {"(R\"0123456789abcdef(a)0123456789abcdef\")", "a", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text source = TEXT_INIT, operands = TEXT_INIT;
        struct asm_statement statement;
        text_append_format(&source, "#%s; x\")", cases[i].source);
        const char *from = source.data + 1;
        if (!asm_statement_read(&statement, from, source.data + source.length))
            fail_msg("not read: %s", cases[i].source);
        append_operands(&operands, &statement);
        assert_string_equal(statement.template.data, cases[i].template);
        assert_string_equal(operands.data, cases[i].operands);
        assert_string_equal(statement.end, "; x\")");
        asm_statement_release(&statement);
        for (size_t length = 0; length < strlen(cases[i].source); length++)
            if (reads(from, length))
                fail_msg("read: %.*s", (int)length, from);
        assert_true(reads(from, strlen(cases[i].source)));
        text_release(&source);
        text_release(&operands);
    }
}

static void test_no_statements(void **state) {
    static const char *const cases[] = {
        "",
        "(a)",
        "[\"a\"]",
        "goto(\"a\")",
        "volatilex(\"a\")",
        "(\"a\" x)",
        "(\"a\" L\"x\")",
        "(L\"a\")",
        "(\"a\" R)",
        "(\"a\" R\"x)",
        "(R\"a\")",
        "(R\"0123456789abcdefg(a)0123456789abcdefg\")",
        "(R\"x(a)y\")",
        "(\"a\" : \"=r\")",
        "(\"a\" : \"=r\"[x])",
        "(\"a\" : \"=&\"(x))",
        "(\"a\" : \"\"(x))",
        "(\"a\" : \"=r\" R(x))",
        "(\"a\" : x)",
        "(\"a\" : [x] \"=r\"(x))",
        "(\"a\" : \"=r\"(x) : y)",
        "(\"a\" : : : memory)",
        "(\"a\" : : : \"x\" R)",
        "(\"a\" : : : \"x\" : y)",
        "(\"a\" : \"=r\"(x]; \"b",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (reads(cases[i], strlen(cases[i])))
            fail_msg("read: %s", cases[i]);
}

static void test_many_operands(void **state) {
    struct text source = TEXT_INIT;
    struct asm_statement statement;
    (void)state;
    text_append(&source, "(\"a\" : : \"r\"(0)");
    for (int i = 1; i < ASM_OPERANDS; i++)
        text_append_format(&source, ", \"r\"(%d)", i);
    text_append(&source, ")");
    assert_true(asm_statement_read(&statement, source.data, source.data + source.length));
    assert_int_equal(statement.count, ASM_OPERANDS);
    assert_string_equal(statement.operands[ASM_OPERANDS - 1].expression.data, "63");
    asm_statement_release(&statement);
    source.data[--source.length] = '\0';
    text_append(&source, ", \"r\"(x))");
    assert_false(reads(source.data, source.length));
    text_release(&source);
}

/* ---- ptx_table.h ---- */

/* Types with blanks between; how many operands. NULL: there is none. */
static void test_rows(void **state) {
    static const struct {
        const char *name, *types[3];
        size_t types_count, operands;
        const char *kinds;
    } cases[] = {
        {"add", {"u16"}, 1, 3, "=vv"},
        {"add", {"bf16x2"}, 1, 3, "=vv"},
        {"add", {"s32"}, 1, 3, "=vv"},
        {"add", {"u8"}, 1, 3, NULL},
        {"add", {"b32"}, 1, 3, NULL},
        {"add", {"u3"}, 1, 3, NULL},
        {"add", {"u32"}, 1, 2, NULL},
        {"add", {"u32"}, 1, 4, NULL},
        {"add", {"u32", "u32"}, 2, 3, NULL},
        {"add", {NULL}, 0, 3, NULL},
        {"ad", {"u32"}, 1, 3, NULL},
        {"adds", {"u32"}, 1, 3, NULL},
        {"", {"u32"}, 1, 3, NULL},
        {"mul", {"u32"}, 1, 3, NULL}, /* .lo, .hi or .wide */
        {"mul_wide", {"u64"}, 1, 3, NULL},
        {"mad_lo", {"u64"}, 1, 4, "=vvv"},
        {"dp4a", {"u32", "s32"}, 2, 4, "=vvv"},
        {"dp4a", {"u32"}, 1, 4, NULL},
        {"dp4a", {"u32", "s32", "s32"}, 3, 4, NULL},
        {"dp4a", {"u32", "u64"}, 2, 4, NULL},
        {"vadd4", {"u32", "s32", "s32"}, 3, 4, "=vvv"},
        {"vadd4", {"u32", "s32"}, 2, 4, NULL},
        {"vavrg2_add", {"u32", "s32", "u32"}, 3, 4, "=vvv"},
        {"set", {"f32", "b64"}, 2, 3, "=vv"},
        {"set", {"u16", "b64"}, 2, 3, NULL},
        {"cvt", {"s32", "f32"}, 2, 2, "=v"},
        {"cvt", {"bf16x2", "f32"}, 2, 3, "=vv"},
        {"cvt", {"tf32", "f32"}, 2, 2, "=v"},
        {"cvt", {"f16x2", "f32"}, 2, 2, NULL},
        {"membar", {NULL}, 0, 0, ""},
        {"membar", {"u32"}, 1, 0, NULL},
        {"isspacep_global", {NULL}, 0, 2, "=v"},
        {"cp_async", {NULL}, 0, 3, "mmv"},
        {"cp_async", {NULL}, 0, 4, "mmvv"},
        {"cp_async", {NULL}, 0, 5, NULL},
        {"shfl_sync_bfly", {"b32"}, 1, 5, "@|vvvv"},
        {"activemask", {"b32"}, 1, 1, "@="},
        {"bar_sync", {NULL}, 0, 1, "@v"},
        {"bar_sync", {NULL}, 0, 2, "@vv"},
        {"bar_sync", {NULL}, 0, 0, NULL},
        {"bar_arrive", {NULL}, 0, 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char types[3][8] = {"", "", ""};
        for (size_t type = 0; type < cases[i].types_count; type++)
            strcpy(types[type], cases[i].types[type]);
        const struct ptx_row *row = ptx_row(cases[i].name, (const char(*)[8])types,
                                            cases[i].types_count, cases[i].operands);
        if ((row != NULL) != (cases[i].kinds != NULL))
            fail_msg("case %zu: %s", i, cases[i].name);
        if (row) {
            assert_string_equal(row->name, cases[i].name);
            assert_string_equal(row->operands, cases[i].kinds);
        }
    }
}

static void test_words(void **state) {
    static const char *const opcodes[] = {"abs", "add", "bar", "mma", "vavrg4", "wmma", "xor"};
    static const char *const types[] = {"u8", "s8", "b16", "f16x2", "bf16x2", "pred", "tf32"};
    static const struct {
        const char *name, *call;
    } registers[] = {
        {"laneid", "sreg_laneid()"},
        {"warpid", "sreg_warpid()"},
        {"tid.x", "sreg_tid().x"},
        {"nctaid.z", "sreg_nctaid().z"},
        {"clock64", "sreg_clock64()"},
        {"dynamic_smem_size", "sreg_dynamic_smem_size()"},
        {"clock_hi", "sreg_clock_hi()"},
        {"globaltimer_lo", "sreg_globaltimer_lo()"},
        {"tid", NULL},
        {"lane", NULL},
        {"laneidx", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(opcodes); i++) {
        assert_true(ptx_is_opcode(opcodes[i], strlen(opcodes[i])));
        assert_false(ptx_is_type(opcodes[i], strlen(opcodes[i])));
    }
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_true(ptx_is_type(types[i], strlen(types[i])));
        assert_false(ptx_is_opcode(types[i], strlen(types[i])));
    }
    assert_false(ptx_is_opcode("abs", 2) || ptx_is_opcode("absx", 4) || ptx_is_opcode("", 0));
    assert_false(ptx_is_opcode("movq", 4) || ptx_is_opcode("jmp", 3));
    assert_true(ptx_is_opcode("addx", 3) && ptx_is_type("f16x2", 3));
    assert_false(ptx_is_type("u9", 2) || ptx_is_type("u", 1) || ptx_is_type("u88", 3));
    assert_false(ptx_is_type("", 0));
    for (size_t i = 0; i < COUNT(registers); i++) {
        const char *call = ptx_special_register(registers[i].name, strlen(registers[i].name));
        assert_int_equal(call != NULL, registers[i].call != NULL);
        if (call)
            assert_string_equal(call, registers[i].call);
    }
}

static void test_modifiers(void **state) {
    static const struct {
        const char *opcode, *word;
        enum ptx_modifier meaning;
    } cases[] = {
        {"add", "sat", PTX_NAME},
        {"add", "rn", PTX_NOTHING},
        {"add", "rz", PTX_NAME},
        {"add", "ftz", PTX_FLUSH},
        {"add", "approx", PTX_NOTHING},
        {"add", "shared", PTX_NAME},
        {"div", "full", PTX_NOTHING},
        {"mul", "lo", PTX_NAME},
        {"setp", "and", PTX_NAME},
        {"setp", "xor", PTX_NAME},
        {"setp", "eq", PTX_TAG},
        {"setp", "ftz", PTX_FLUSH},
        {"set", "or", PTX_NAME},
        {"set", "lt", PTX_TAG},
        {"cvt", "sat", PTX_NAME},
        {"cvt", "rni", PTX_TAG},
        {"cvt", "rn", PTX_TAG},
        {"cvt", "ftz", PTX_FLUSH},
        {"membar", "gl", PTX_NOTHING},
        {"fence", "acq_rel", PTX_NOTHING},
        {"fence", "proxy", PTX_NAME},
        {"membar", "proxy", PTX_NAME},
        {"prefetch", "L2", PTX_NOTHING},
        {"prefetchu", "L1", PTX_NOTHING},
        {"ld", "shared", PTX_SHARED},
        {"st", "shared::cta", PTX_SHARED},
        {"ld", "shared::cluster", PTX_NAME},
        {"ld", "global", PTX_NOTHING},
        {"ld", "volatile", PTX_NAME},
        {"ld", "relaxed", PTX_ATOMIC},
        {"ld", "acquire", PTX_ATOMIC},
        {"ld", "nc", PTX_NOTHING},
        {"ld", "L1::no_allocate", PTX_NOTHING},
        {"ld", "L2::256B", PTX_NOTHING},
        {"st", "release", PTX_FENCED},
        {"st", "wt", PTX_NOTHING},
        {"atom", "sc", PTX_FENCED},
        {"atom", "add", PTX_NAME},
        {"red", "acq_rel", PTX_FENCED},
        {"red", "gpu", PTX_NOTHING},
        {"cp", "shared", PTX_SHARED},
        {"cp", "async", PTX_NAME},
        {"cvta", "global", PTX_NOTHING},
        {"cvta", "shared", PTX_NAME},
        {"cvta", "to", PTX_NAME},
        {"bar", "cta", PTX_NOTHING},
        {"bar", "sync", PTX_NAME},
        {"barrier", "aligned", PTX_NOTHING},
        {"vote", "uni", PTX_NAME}, /* of others .uni says how they branch */
        {"vote", "sync", PTX_NAME},
        {"shfl", "uni", PTX_NOTHING},
        {"shfl", "sync", PTX_NAME},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (ptx_modifier(cases[i].opcode, cases[i].word) != cases[i].meaning)
            fail_msg("%s.%s", cases[i].opcode, cases[i].word);
    assert_string_equal(ptx_tag_prefix("cvt"), "round_");
    assert_string_equal(ptx_tag_prefix("set"), "cmp_");
    assert_string_equal(ptx_tag_prefix("setp"), "cmp_");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),    cmocka_unit_test(test_no_statements),
        cmocka_unit_test(test_many_operands), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_words),         cmocka_unit_test(test_modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
