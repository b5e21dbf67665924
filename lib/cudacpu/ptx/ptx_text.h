/*
 * ptx_text.h - the internals of ptx.c, shared with ptx_text.c only: reads PTX piece by piece, and
 * reports pieces that are not supported.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PTX_TEXT_H
#define SHFLVIZ_DEVICE_OWN_PTX_TEXT_H

#include "base/error.h"
#include "cudacpu/ptx/lines.h"
#include "cudacpu/ptx/statement.h"

#define PTX_NAMESPACE "::shflviz::ptx::"
#define PTX_OPERANDS  8
#define PTX_VALUES    8 /* in braces: the sums of an mma.sync */
#define PTX_TYPES     4

/* A register that the statement declares, or a label. */
struct declared {
    struct text name;
    int depth;
};

/* An operand of an instruction, in C++. */
struct operand {
    enum { VALUE, VECTOR, MEMORY } kind;
    struct text value[PTX_VALUES]; /* MEMORY: base and offset; empty for a value "_" */
    size_t count;
    struct text predicate; /* the p of d|p; else empty */
};

struct instruction {
    char opcode[24];
    char name[64]; /* as in ptx_table.h */
    struct text tags;
    char types[PTX_TYPES][8];
    size_t type_count;
    unsigned vector; /* .v2, .v4; else 0 */
    bool flush, shared, atomic;
    unsigned order; /* bits of ACCESS_... (observe/access_file.h) */
    struct operand operands[PTX_OPERANDS];
    size_t count;
    const char *text; /* where it begins */
};

struct ptx {
    struct text *out;
    const struct ptx_statement *statement;
    struct text code;     /* without comments */
    const char *at, *end; /* in it */
    struct ptx_lines lines;
    int depth; /* of braces */
    struct declared *declared;
    size_t declared_count;
    struct error *err;
};

/* The text of an instruction up to the semicolon, on one line. */
void ptx_append_source(const struct ptx *p, const char *from, struct text *text);
/* The line of the source that it is in. */
unsigned ptx_line(const struct ptx *p, const char *from);
/* Fail with file, line and the instruction that begins at `from`. */
int ptx_fail(const struct ptx *p, const char *from, const char *what);
int ptx_unsupported(const struct ptx *p, const char *from);

void ptx_skip_blanks(struct ptx *p);
bool ptx_take(struct ptx *p, char c); /* skips blanks */
const char *ptx_word_end(const struct ptx *p);
bool ptx_is_identifier(char c);
/* Appends it as a quoted string literal. */
void ptx_append_quoted(struct text *text, const char *string);

/* A name of PTX in C++. */
void ptx_append_name(struct text *text, const char *from, size_t length);
/* A register of that name, valid until its brace ends. */
void ptx_declare(struct ptx *p, const char *from, size_t length);
void ptx_forget(struct ptx *p, int depth); /* removes those of deeper braces */

/* One value as C++; `to` stays empty for "_", which discards the result. `from` is where the
 * instruction begins. */
int ptx_take_value(struct ptx *p, const char *from, struct text *to);
int ptx_take_operand(struct ptx *p, struct instruction *i);

/* Append an instruction's site, as an expression, and one of its addresses, in shared memory if the
 * instruction says so. */
void ptx_append_site(struct ptx *p, const struct instruction *i);
void ptx_append_address(struct ptx *p, const struct instruction *i, size_t number);

/* matrix.c: true for mma, ldmatrix, stmatrix and movmatrix; the second one writes the call. */
bool ptx_is_matrix(const struct instruction *i);
int ptx_write_matrix(struct ptx *p, struct instruction *i);

#endif
