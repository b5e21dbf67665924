/*
 * undefined.c - the functions that gcc and clang call in a file compiled with -fsanitize=bounds,
 * alignment or shift-exponent, at undefined behaviour of C++: an index beyond an array, a
 * misaligned address, a shift by as many bits as a value has. Only lanes are checked. Without
 * `check`, the first such shift is reported on standard error.
 *
 * The names and structures are those of compiler-rt's ubsan_handlers.h.
 */
#include "cudacpu/module.h"
#include "cudacpu/observe/memory_state.h"

#include <stdio.h>
#include <string.h>

struct source_location {
    const char *file;
    uint32_t line, column;
};
struct type {
    uint16_t kind, info; /* of an integer: 0; 2 * log2 of its bits, + 1 if it has a sign */
    char name[];         /* "'int [8]'" */
};
struct bounds {
    struct source_location location;
    const struct type *array, *index;
};
struct mismatch {
    struct source_location location;
    const struct type *type;
    uint8_t alignment; /* its log2 */
    uint8_t kind;      /* 0 reads, 1 writes, 2 binds a reference, 3 names a member */
};
struct shift {
    struct source_location location;
    const struct type *value, *amount;
};

/* Only compilers create calls to these functions, so no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static struct access_entry finding_at(enum access_rule rule, const void *pc) {
    settle_pending();
    struct access_entry found = finding_here(rule);
    found.me.pc = site_offset(site_number(pc));
    found.memory = ACCESS_LOCAL;
    return found;
}

void memory_check_index(uint64_t index, uint64_t elements, bool is_inner, const void *pc) {
    if (!check.on || !cpu_is_lane())
        return;
    struct access_entry found = finding_at(ACCESS_OUT_OF_BOUNDS, pc);
    found.offset = index;
    found.extent = elements;
    found.is_inner = is_inner;
    add_finding(&found);
}

void memory_check_misaligned(uint64_t address, uint64_t alignment, bool writes, const void *pc) {
    if (!check.on || !cpu_is_lane())
        return;
    const struct region *region = allocation_of(address);
    const bool is_shared = cudacpu_shared_at((const void *)address) != NULL;
    const struct region variable = {.memory = is_shared ? ACCESS_SHARED : ACCESS_GLOBAL};
    struct access_entry found = finding_at(ACCESS_MISALIGNED, pc);
    found.me.kind = writes ? ACCESS_WRITES : ACCESS_READS;
    found.offset = address % alignment;
    found.extent = alignment;
    name_object(&found.object, address, region ? region : &variable);
    add_finding(&found);
}

void memory_check_shift(int64_t amount, unsigned bits, const void *pc) {
    if (!check.on || !cpu_is_lane())
        return;
    struct access_entry found = finding_at(ACCESS_SHIFT, pc);
    found.offset = (uint64_t)amount;
    found.extent = bits;
    add_finding(&found);
}

#ifndef SHFLVIZ_SANITIZED /* which has its own versions of them */
void __ubsan_handle_out_of_bounds(const struct bounds *bounds, uintptr_t index) {
    unsigned long elements;
    const char *bracket = strchr(bounds->array->name, '[');
    if (bracket && sscanf(bracket, "[%lu]", &elements) == 1)
        memory_check_index(index, elements, strchr(bracket + 1, '[') == NULL,
                           __builtin_return_address(0));
}

void __ubsan_handle_type_mismatch_v1(const struct mismatch *mismatch, uintptr_t address) {
    const uintptr_t least = (uintptr_t)1 << mismatch->alignment;
    if (address % least)
        memory_check_misaligned(address, least, mismatch->kind == 1, __builtin_return_address(0));
}

bool cpu_misaligned_found(const void *address, size_t alignment, bool is_unseen, const void *pc) {
    if (check.on && is_unseen)
        memory_check_misaligned((uintptr_t)address, alignment, false, pc);
    return check.on;
}

static void report_shift(const struct source_location *location, int64_t amount, unsigned bits) {
    static int told;
    const bool is_ours =
        strstr(location->file, "/lib/cudacpu/") || strstr(location->file, "/shflviz/");
    if (!is_ours && !__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
        fprintf(stderr,
                "shflviz: %s:%u: a value of %u bits is shifted by %lld: C++ leaves this undefined; "
                "here all bits are shifted out, as on a GPU\n",
                location->file, location->line, bits, (long long)amount);
}

/* Values of up to 64 bits are passed directly. */
void __ubsan_handle_shift_out_of_bounds(const struct shift *shift, uintptr_t value,
                                        uintptr_t amount) {
    const unsigned bits = 1u << (shift->value->info >> 1), of = 1u << (shift->amount->info >> 1);
    const int64_t by = shift->amount->info & 1 && of <= 32 ? (int32_t)amount : (int64_t)amount;
    (void)value;
    if (!cpu_is_lane())
        return;
    if (!check.on) {
        report_shift(&shift->location, by, bits);
        return;
    }
    memory_check_shift(by, bits, __builtin_return_address(0));
}
#endif
