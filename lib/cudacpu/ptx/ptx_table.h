/*
 * ptx_table.h - the instructions of PTX that inline assembly may have, and how they are called as
 * functions of cudacpu/include/cudacpu/ptx/functions.h.
 *
 * "mad.lo.s32 d, a, b, c" is put(d, mad_lo<s32>(a, b, c)): a row gives the name with the modifiers
 * that change the computation, the types and the kinds of the operands.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PTX_TABLE_H
#define SHFLVIZ_DEVICE_OWN_PTX_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct ptx_row {
    const char *name;  /* "mad_lo" */
    const char *types; /* the allowed ones for each type of the instruction, "u32 s32,f32" */
    /* '@' first: the call takes the source location; '=' a register for the result; '|' one that
     * may be paired with a predicate, d|p; 'v' a value; 'm' an address */
    const char *operands;
};

/* The row of that name for these types and number of operands; NULL if there is none. */
const struct ptx_row *ptx_row(const char *name, const char (*types)[8], size_t type_count,
                              size_t operand_count);

bool ptx_is_type(const char *word, size_t length);

enum ptx_modifier {
    PTX_NAME,    /* part of the function's name */
    PTX_TAG,     /* a template argument, with a prefix of ptx_tag_prefix() */
    PTX_FLUSH,   /* .ftz */
    PTX_SHARED,  /* the address is one of shared memory */
    PTX_ACQUIRE, /* an atomic access, with the memory order of one of these names; */
    PTX_RELAXED,
    PTX_RELEASE,
    PTX_ACQ_REL,
    PTX_CTA,     /* it has the scope of a block */
    PTX_NOTHING, /* caches, scopes and the like: no effect here */
};
/* The kind of a modifier after that opcode; modifiers that are types are not covered. */
enum ptx_modifier ptx_modifier(const char *opcode, const char *word);
/* "cmp_", "round_" */
const char *ptx_tag_prefix(const char *opcode);

/* The function that reads a special register, "sreg_laneid()", for its name without the percent
 * sign; NULL if there is none of that name. */
const char *ptx_special_register(const char *name, size_t length);

#endif
