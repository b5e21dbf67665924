#include "cudacpu/crash/division.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#if defined(__linux__) && defined(__x86_64__)

/* Registers by their numbers in instructions (AMD64 Architecture Programmer's Manual, volume 3,
 * "ModRM and SIB Bytes"). */
static const int registers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};

/* div or idiv. */
struct instruction {
    const uint8_t *next; /* the next instruction */
    int size;            /* bytes of divisor and quotient: 1, 2, 4, 8 */
    bool is_signed;
    uint64_t divisor; /* zero-extended */
};

static int64_t read_signed(const uint8_t *at, int size) {
    int32_t value = 0;
    if (size == 1)
        return (int8_t)*at;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Skips a memory operand, and sets *address to its address. */
static const uint8_t *read_address(const greg_t *r, const uint8_t *at, uint8_t rex,
                                   uint64_t *address) {
    const uint8_t mod = at[0] >> 6, rm = at[0] & 7;
    uint64_t sum = 0;
    bool has_base = true;
    const uint8_t *next = at + 1;
    if (rm == 4) {
        const uint8_t sib = *next++;
        const int index = (sib >> 3 & 7) | (rex & 2 ? 8 : 0);
        if (index != 4)
            sum += (uint64_t)r[registers[index]] << (sib >> 6);
        has_base = !(mod == 0 && (sib & 7) == 5);
        if (has_base)
            sum += (uint64_t)r[registers[(sib & 7) | (rex & 1 ? 8 : 0)]];
    } else if (mod == 0 && rm == 5) { /* counted from the next instruction */
        *address = (uint64_t)(uintptr_t)(next + 4) + (uint64_t)read_signed(next, 4);
        return next + 4;
    } else {
        sum += (uint64_t)r[registers[rm | (rex & 1 ? 8 : 0)]];
    }
    const int bytes = mod == 1 ? 1 : mod == 2 || !has_base ? 4 : 0;
    *address = sum + (uint64_t)(bytes ? read_signed(next, bytes) : 0);
    return next + bytes;
}

static bool read_division(const greg_t *r, struct instruction *division) {
    const uint8_t *at = (const uint8_t *)(uintptr_t)r[REG_RIP];
    bool is_word = false;
    uint8_t rex = 0;
    uint64_t address;
    for (; *at == 0x66; at++)
        is_word = true;
    if ((*at & 0xf0) == 0x40)
        rex = *at++;
    const uint8_t opcode = *at++, which = *at >> 3 & 7;
    if ((opcode != 0xf6 && opcode != 0xf7) || (which != 6 && which != 7))
        return false;
    *division = (struct instruction){.size = opcode == 0xf6 ? 1
                                             : rex & 8      ? 8
                                             : is_word      ? 2
                                                            : 4,
                                     .is_signed = which == 7};
    if (*at >> 6 == 3) {
        const int number = (*at & 7) | (rex & 1 ? 8 : 0);
        const bool is_high = division->size == 1 && !rex && number >= 4; /* ah, ch, dh, bh */
        const uint64_t value = (uint64_t)r[registers[is_high ? number - 4 : number]];
        division->divisor = is_high ? value >> 8 : value;
        division->next = at + 1;
    } else {
        division->next = read_address(r, at, rex, &address);
        memcpy(&division->divisor, (const void *)(uintptr_t)address, (size_t)division->size);
    }
    division->divisor &= ~UINT64_C(0) >> (64 - 8 * division->size);
    return true;
}

/* The lower `bytes` of a register; writing four clears the upper ones. */
static void write_register(greg_t *to, uint64_t value, int bytes) {
    const uint64_t mask = ~UINT64_C(0) >> (64 - 8 * bytes);
    const uint64_t kept = bytes >= 4 ? 0 : (uint64_t)*to & ~mask;
    *to = (greg_t)(kept | (value & mask));
}

enum division division_resume(void *context) {
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct instruction division;
    if (!read_division(r, &division))
        return DIVISION_NONE;
    uint64_t quotient = ~UINT64_C(0), remainder = (uint64_t)r[REG_RAX];
    if (division.size == 8 && remainder >> 32 == 0)
        quotient = UINT32_MAX;
    if (division.divisor != 0) {
        const uint64_t ones = ~UINT64_C(0) >> (64 - 8 * division.size);
        if (!division.is_signed || division.divisor != ones)
            return DIVISION_NONE;
        quotient = UINT64_C(1) << (8 * division.size - 1);
        remainder = 0;
    }
    if (division.size == 1) { /* al and ah */
        write_register(&r[REG_RAX], (quotient & 255) | (remainder & 255) << 8, 2);
    } else {
        write_register(&r[REG_RAX], quotient, division.size);
        write_register(&r[REG_RDX], remainder, division.size);
    }
    r[REG_RIP] = (greg_t)(uintptr_t)division.next;
    return division.divisor ? DIVISION_WRAPPED : DIVISION_BY_ZERO;
}

#else

enum division division_resume(void *context) {
    (void)context;
    return DIVISION_NONE;
}

#endif
