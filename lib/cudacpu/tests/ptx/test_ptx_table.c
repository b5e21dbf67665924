/*
 * The table of PTX: its instructions, types, modifiers and registers, as "Parallel Thread
 * Execution ISA" names them.
 */
#include "cudacpu/ptx/ptx_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Types separated by blanks, and the number of operands. NULL: there is no such row. */
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
    for (size_t i = 0; i < COUNT(types); i++)
        assert_true(ptx_is_type(types[i], strlen(types[i])));
    assert_true(ptx_is_type("f16x2", 3));
    assert_false(ptx_is_type("add", 3));
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
        {"fence", "cta", PTX_CTA},
        {"red", "cta", PTX_CTA},
        {"fence", "proxy", PTX_NAME},
        {"membar", "proxy", PTX_NAME},
        {"prefetch", "L2", PTX_NOTHING},
        {"prefetchu", "L1", PTX_NOTHING},
        {"ld", "shared", PTX_SHARED},
        {"st", "shared::cta", PTX_SHARED},
        {"ld", "shared::cluster", PTX_NAME},
        {"ld", "global", PTX_NOTHING},
        {"ld", "volatile", PTX_NAME},
        {"ld", "relaxed", PTX_RELAXED},
        {"ld", "acquire", PTX_ACQUIRE},
        {"ld", "nc", PTX_NAME},
        {"ld", "L1::no_allocate", PTX_NOTHING},
        {"ld", "L2::256B", PTX_NOTHING},
        {"st", "release", PTX_RELEASE},
        {"st", "wt", PTX_NOTHING},
        {"atom", "sc", PTX_ACQ_REL},
        {"atom", "add", PTX_NAME},
        {"red", "acq_rel", PTX_ACQ_REL},
        {"red", "gpu", PTX_NOTHING},
        {"cp", "shared", PTX_SHARED},
        {"cp", "async", PTX_NAME},
        {"cvta", "global", PTX_NOTHING},
        {"cvta", "shared", PTX_NAME},
        {"cvta", "to", PTX_NAME},
        {"bar", "cta", PTX_NOTHING},
        {"bar", "sync", PTX_NAME},
        {"barrier", "aligned", PTX_NOTHING},
        {"vote", "uni", PTX_NAME}, /* for other opcodes, .uni describes branches */
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
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_modifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
