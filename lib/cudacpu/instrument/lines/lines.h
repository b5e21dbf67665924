/*
 * lines.h - functions that report their lines and local variables (simt/lines.h), alongside the
 * original functions: a kernel asks once for each lane which version to run, so that lanes that are
 * not shown run at full speed.
 */
#ifndef CUDACPU_INSTRUMENT_LINES_H
#define CUDACPU_INSTRUMENT_LINES_H

#include "cudacpu/instrument/instrument.h"

/* The maximum numbers of leaves that are shown for one variable and for one function. */
#define LINES_SLOT_LEAVES     64u
#define LINES_FUNCTION_LEAVES 512u

struct line_leaf {
    char *name;
    unsigned long long offset;
    int type;
    unsigned bytes;
};

/* A local variable with its leaves: at least one. */
struct line_slot {
    LLVMValueRef memory, declare; /* an alloca or a parameter; the call to llvm.dbg.declare */
    LLVMMetadataRef scope;
    bool is_parameter;
    unsigned long long bytes;
    struct line_leaf *leaves;
    size_t count, first; /* of leaves; the first, in the function's list */
};

struct line_site {
    unsigned line;
    LLVMMetadataRef *scopes; /* belongs to the line's instructions */
    size_t scope_count;
    unsigned long long reads[LINES_FUNCTION_LEAVES / 64 + 1]; /* a bit for each leaf */
};

/* A function that is being made to report. */
struct line_function {
    struct unit *u;
    LLVMValueRef function;
    LLVMMetadataRef about; /* DISubprogram */
    struct line_slot *slots;
    size_t slot_count, leaf_count;
    struct line_site *sites;
    size_t site_count;
};

/* ---- lines.c ---- */

/* Gives each kernel its reporting function. `files` are the program's sources, by clang's names. */
void lines_report(struct unit *u, char **files, size_t count);

/* ---- variables.c ---- */

/* The function's local variables that can be shown. */
void lines_find_variables(struct line_function *f);
void lines_release(struct line_function *f);
/* The slot whose memory contains the address, at any offset; -1 if none is known. */
long lines_slot_of(const struct line_function *f, LLVMValueRef address);

/* ---- describe.c ---- */

/* A struct cpu_line_function, as an untyped pointer. */
LLVMValueRef lines_describe(struct line_function *f);

/* ---- calls.c ---- */

/* Adds the calls to cpu_line() and the like. */
void lines_insert_calls(struct line_function *f);

#endif
