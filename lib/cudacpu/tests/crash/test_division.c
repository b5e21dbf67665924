/*
 * Divisions that raise an exception, as bytes: AMD64 Architecture Programmer's Manual, volume 3,
 * "DIV", "IDIV" and "ModRM and SIB Bytes". The results are those of arithmetic, and of
 * crash/division.h for a divisor of 0.
 */
#include "cudacpu/crash/division.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#if defined(__linux__) && defined(__x86_64__)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define RAX          INT64_C(0x1122334455667788)
#define RDX          INT64_C(0x7766554433221100)

static uint8_t code[32];
static ucontext_t context;

/* All registers but rax and rdx are 0. */
static enum division divide(const char *bytes, size_t length) {
    greg_t *r = context.uc_mcontext.gregs;
    memset(code, 0x90, sizeof code);
    memcpy(code, bytes, length);
    r[REG_RIP] = (greg_t)(uintptr_t)code;
    return division_resume(&context);
}

static void reset(void) {
    memset(&context, 0, sizeof context);
    context.uc_mcontext.gregs[REG_RAX] = RAX;
    context.uc_mcontext.gregs[REG_RDX] = RDX;
}

/* Divides by a register that is 0: the quotient and the remainder are in rax and rdx after the
 * instruction. */
static void test_by_zero(void **state) {
    static const struct {
        const char *bytes;
        size_t length;
        int64_t rax, rdx;
    } cases[] = {
        {"\xf7\xf1", 2, 0xffffffff, 0x55667788},                        /* div ecx */
        {"\xf7\xf9", 2, 0xffffffff, 0x55667788},                        /* idiv ecx */
        {"\x48\xf7\xf1", 3, -1, RAX},                                   /* div rcx */
        {"\x49\xf7\xf9", 3, -1, RAX},                                   /* idiv r9 */
        {"\x41\xf7\xf1", 3, 0xffffffff, 0x55667788},                    /* div r9d */
        {"\x66\xf7\xf1", 3, RAX | 0xffff, INT64_C(0x7766554433227788)}, /* div cx */
        {"\x66\x66\xf7\xf1", 4, RAX | 0xffff, INT64_C(0x7766554433227788)},
        {"\xf6\xf1", 2, INT64_C(0x11223344556688ff), RDX},     /* div cl: al and ah */
        {"\xf6\xfd", 2, INT64_C(0x11223344556688ff), RDX},     /* idiv ch */
        {"\x40\xf6\xf5", 3, INT64_C(0x11223344556688ff), RDX}, /* div bpl */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const greg_t *r = context.uc_mcontext.gregs;
        reset();
        assert_int_equal(divide(cases[i].bytes, cases[i].length), DIVISION_BY_ZERO);
        assert_int_equal(r[REG_RAX], cases[i].rax);
        assert_int_equal(r[REG_RDX], cases[i].rdx);
        assert_int_equal(r[REG_RIP] - (greg_t)(uintptr_t)code, cases[i].length);
    }
    reset(); /* for a number smaller than 2^32, only the lower half of the bits are ones */
    context.uc_mcontext.gregs[REG_RAX] = 7;
    assert_int_equal(divide("\x48\xf7\xf1", 3), DIVISION_BY_ZERO);
    assert_int_equal(context.uc_mcontext.gregs[REG_RAX], 0xffffffff);
    assert_int_equal(context.uc_mcontext.gregs[REG_RDX], 7);
    reset(); /* for 2^32, the next number, all bits are ones */
    context.uc_mcontext.gregs[REG_RAX] = INT64_C(0x100000000);
    assert_int_equal(divide("\x48\xf7\xf1", 3), DIVISION_BY_ZERO);
    assert_int_equal(context.uc_mcontext.gregs[REG_RAX], -1);
}

/* The smallest number divided by -1. */
static void test_wrapped(void **state) {
    static const struct {
        const char *bytes;
        size_t length;
        int64_t rax, rdx;
    } cases[] = {
        {"\xf7\xf9", 2, INT64_C(0x80000000), 0},
        {"\x48\xf7\xf9", 3, INT64_MIN, 0},
        {"\x66\xf7\xf9", 3, INT64_C(0x1122334455668000), INT64_C(0x7766554433220000)},
        {"\xf6\xf9", 2, INT64_C(0x1122334455660080), RDX},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        reset();
        context.uc_mcontext.gregs[REG_RCX] = -1;
        assert_int_equal(divide(cases[i].bytes, cases[i].length), DIVISION_WRAPPED);
        assert_int_equal(context.uc_mcontext.gregs[REG_RAX], cases[i].rax);
        assert_int_equal(context.uc_mcontext.gregs[REG_RDX], cases[i].rdx);
    }
}

/* A divisor in memory: 0 at the right address, and 5 before and after it. */
static void test_addresses(void **state) {
    static int32_t numbers[64];
    static const struct {
        const char *bytes;
        size_t length;
        int base, index; /* registers */
        int64_t offset;  /* from the number to the base */
        int64_t times;   /* the index is 2 */
    } cases[] = {
        {"\xf7\x31", 2, REG_RCX, -1, 0, 0},                     /* [rcx] */
        {"\x41\xf7\x31", 3, REG_R9, -1, 0, 0},                  /* [r9] */
        {"\xf7\x71\x10", 3, REG_RCX, -1, -16, 0},               /* [rcx+16] */
        {"\xf7\x71\xf0", 3, REG_RCX, -1, 16, 0},                /* [rcx-16] */
        {"\xf7\xb1\x10\x00\x00\x00", 6, REG_RCX, -1, -16, 0},   /* [rcx+16], 32 bits */
        {"\xf7\x34\x24", 3, REG_RSP, -1, 0, 0},                 /* [rsp] */
        {"\xf7\x34\x99", 3, REG_RCX, REG_RBX, 0, 4},            /* [rcx+rbx*4] */
        {"\x42\xf7\x34\x89", 4, REG_RCX, REG_R9, 0, 4},         /* [rcx+r9*4] */
        {"\x43\xf7\x34\x89", 4, REG_R9, REG_R9, 0, -1},         /* [r9+r9*4] */
        {"\xf7\x74\x8d\x08", 4, REG_RBP, REG_RCX, -8, 4},       /* [rbp+rcx*4+8] */
        {"\xf7\x34\x0d\x00\x00\x00\x00", 7, REG_RCX, -1, 0, 0}, /* [rcx*1+0], no base */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t at = (int64_t)(uintptr_t)&numbers[32];
        reset();
        for (size_t n = 0; n < COUNT(numbers); n++)
            numbers[n] = n == 32 ? 0 : 5;
        if (cases[i].times < 0) { /* one register is both base and index */
            at -= at % 5;
            context.uc_mcontext.gregs[cases[i].base] = at / 5;
            memset((void *)(uintptr_t)at, 0, 4);
        } else {
            context.uc_mcontext.gregs[cases[i].base] = at + cases[i].offset - 2 * cases[i].times;
            if (cases[i].index >= 0)
                context.uc_mcontext.gregs[cases[i].index] = 2;
        }
        if (divide(cases[i].bytes, cases[i].length) != DIVISION_BY_ZERO)
            fail_msg("case %zu", i);
        assert_int_equal(context.uc_mcontext.gregs[REG_RIP] - (greg_t)(uintptr_t)code,
                         cases[i].length);
    }
    reset(); /* counted from the next instruction: the number 10 bytes after this one is 0 */
    memset(code, 0x90, sizeof code);
    assert_int_equal(divide("\xf7\x35\x0a\x00\x00\x00"
                            "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x00\x00\x00\x00",
                            20),
                     DIVISION_BY_ZERO);
    assert_int_equal(context.uc_mcontext.gregs[REG_RIP] - (greg_t)(uintptr_t)code, 6);
}

/* The registers by their numbers in instructions: the manual's table of "ModRM.rm Encodings". */
static const int numbered[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                 REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                 REG_R12, REG_R13, REG_R14, REG_R15};

static void set_registers(greg_t value) {
    for (size_t number = 0; number < COUNT(numbered); number++)
        context.uc_mcontext.gregs[numbered[number]] = value;
}

/* One register is 0, all others are 3. REX.X and REX.R do not select this register. */
static void test_each_register(void **state) {
    (void)state;
    for (int number = 0; number < 16; number++)
        for (int rex = 0x40; rex < 0x48; rex++) {
            if ((rex & 1) != number >> 3)
                continue;
            const char bytes[] = {(char)rex, (char)0xf7, (char)(0xf0 | (number & 7))};
            set_registers(3);
            context.uc_mcontext.gregs[numbered[number]] = 0;
            assert_int_equal(divide(bytes, 3), DIVISION_BY_ZERO);
            set_registers(0);
            context.uc_mcontext.gregs[numbered[number]] = 3;
            assert_int_equal(divide(bytes, 3), DIVISION_NONE);
        }
}

/* Without REX, 4 to 7 are second bytes of registers 0 to 3; with REX, first bytes of 4 to 7. */
static void test_each_byte_register(void **state) {
    (void)state;
    for (int number = 0; number < 16; number++)
        for (int with_rex = number >> 3; with_rex <= 1; with_rex++) {
            const char bytes[] = {(char)(0x40 | number >> 3), (char)0xf6,
                                  (char)(0xf0 | (number & 7))};
            const bool is_second = !with_rex && number >= 4;
            set_registers(0x030303);
            context.uc_mcontext.gregs[numbered[is_second ? number - 4 : number]] =
                is_second ? 0x030003 : 0x030300;
            assert_int_equal(divide(bytes + !with_rex, 2 + with_rex), DIVISION_BY_ZERO);
            set_registers(0);
            context.uc_mcontext.gregs[numbered[is_second ? number - 4 : number]] =
                is_second ? 0x000300 : 0x000003;
            assert_int_equal(divide(bytes + !with_rex, 2 + with_rex), DIVISION_NONE);
        }
}

/* Each base with each index at each scale: "SIB.base", "SIB.index" (4: none) and "SIB.scale". */
static void test_each_address(void **state) {
    static int32_t numbers[64];
    (void)state;
    for (size_t n = 0; n < COUNT(numbers); n++)
        numbers[n] = n == 32 ? 0 : 5;
    for (int base = 0; base < 16; base++)
        for (int index = 0; index < 16; index++)
            for (int scale = 0; scale < 4; scale++) {
                const char bytes[] = {(char)(0x40 | index >> 3 << 1 | base >> 3), (char)0xf7, 0x74,
                                      (char)(scale << 6 | (index & 7) << 3 | (base & 7)), 4};
                int64_t at = (int64_t)(uintptr_t)&numbers[31];
                if (index == base && index != 4)
                    continue;
                set_registers(4);
                if (index != 4) {
                    context.uc_mcontext.gregs[numbered[index]] = 8;
                    at -= 8 << scale;
                }
                context.uc_mcontext.gregs[numbered[base]] = at;
                assert_int_equal(divide(bytes, 5), DIVISION_BY_ZERO);
                assert_int_equal(context.uc_mcontext.gregs[REG_RIP] - (greg_t)(uintptr_t)code, 5);
            }
    for (int base = 0; base < 16; base++) { /* without an index */
        const char bytes[] = {(char)(0x40 | base >> 3), (char)0xf7, (char)(0x70 | (base & 7)), 4};
        if ((base & 7) == 4)
            continue;
        set_registers(4);
        context.uc_mcontext.gregs[numbered[base]] = (greg_t)(uintptr_t)&numbers[31];
        assert_int_equal(divide(bytes, 4), DIVISION_BY_ZERO);
        assert_int_equal(context.uc_mcontext.gregs[REG_RIP] - (greg_t)(uintptr_t)code, 4);
    }
}

/* Another instruction, or a quotient that is too large: no division by zero. */
static void test_others(void **state) {
    static const char *const bytes[] = {"\x90\x90", "\xf7\xe1", "\xf6\xd1", "\xf7\xd9", "\x48\x90"};
    (void)state;
    for (size_t i = 0; i < COUNT(bytes); i++) {
        reset();
        assert_int_equal(divide(bytes[i], 2), DIVISION_NONE);
        assert_int_equal(context.uc_mcontext.gregs[REG_RAX], RAX);
    }
    reset();
    context.uc_mcontext.gregs[REG_RCX] = -1;
    assert_int_equal(divide("\xf7\xf1", 2), DIVISION_NONE); /* div by 2^32 - 1 */
    context.uc_mcontext.gregs[REG_RCX] = 3;
    assert_int_equal(divide("\xf7\xf9", 2), DIVISION_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_zero),
        cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_each_register),
        cmocka_unit_test(test_each_byte_register),
        cmocka_unit_test(test_each_address),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    ucontext_t context;
    return division_resume(&context) == DIVISION_NONE ? 0 : 1;
}

#endif
