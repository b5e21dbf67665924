/*
 * program.h - the internals of the interpreter, for its own files: types, tokens, code.
 *
 * Source becomes code in one pass: lex.c makes tokens; declaration.c, statement.c, expression.c and
 * call.c read them and immediately emit instructions of a stack machine; machine.c runs these.
 * After an error the reader finds the end of the text everywhere, so that all functions return.
 */
#ifndef SHFLVIZ_INTERPRETER_PROGRAM_H
#define SHFLVIZ_INTERPRETER_PROGRAM_H

#include "base/error.h"
#include "interpreter/interpreter.h"
#include "shflviz/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- types ---- */

/* The scalar ones are also the types that instructions compute in. */
enum kind {
    KIND_VOID,
    KIND_BOOL,
    KIND_I8,
    KIND_U8,
    KIND_I16,
    KIND_U16,
    KIND_I32,
    KIND_U32,
    KIND_LONG,
    KIND_ULONG,
    KIND_I64,
    KIND_U64,
    KIND_F32,
    KIND_F64,
    KIND_HALF, /* can be pointed to and copied, but not computed with */
    KIND_POINTER,
    KIND_ARRAY,
    KIND_STRUCT,
    KIND_COUNT
};

struct type;
struct member {
    const char *name;
    const struct type *type;
    uint32_t offset;
};

struct type {
    enum kind kind;
    bool is_const;
    uint32_t size, align, count; /* count: of an array's elements, or a struct's members */
    const struct type *target;   /* of a pointer; an array's element */
    const char *name;            /* of a struct */
    struct member members[];
};

/* ---- tokens ---- */

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATION };

struct token {
    enum token_kind kind;
    const char *text;
    uint32_t length, line;
    uint8_t source; /* number of the source */
    bool has_space; /* before it */
};

/* ---- code ---- */

enum operation {
    OP_CONSTANT, /* a: index into program->constants */
    OP_LOCAL,    /* address of the frame's byte a */
    OP_SHARED,   /* address of the block's shared byte a */
    OP_LOAD_LOCAL,
    OP_STORE_LOCAL, /* keeps the value on the stack */
    OP_LOAD,        /* address -> value */
    OP_STORE,       /* address value -> value */
    OP_COPY,        /* to from -> to: a bytes */
    OP_FILL,        /* fills a bytes of the frame at `extra` * 4; the kind chooses the pattern */
    OP_CLEAR,       /* likewise, with 0 */
    OP_DUPLICATE,
    OP_DROP,
    OP_SWAP,
    OP_INDEX,  /* address number -> address: a bytes each; extra: bound, or 0 */
    OP_OFFSET, /* address + a */
    OP_ADD,    /* the binary operators, in the order of operate() */
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_MINIMUM,
    OP_MAXIMUM,
    OP_NEGATE, /* the unary operators */
    OP_COMPLEMENT,
    OP_NOT,
    OP_CONVERT, /* from kind `extra`; a: how far below the top */
    OP_JUMP,
    OP_JUMP_IF_ZERO,
    OP_JUMP_IF_NOT,
    OP_NOTHING,
    OP_CALL, /* a: the function */
    OP_RETURN,
    OP_NO_RESULT,      /* the end of a function that returns a value */
    OP_SPECIAL,        /* threadIdx.x ...: a */
    OP_FUNCTION,       /* a: as in function_signature() */
    OP_DECLARE_SHARED, /* at byte a; extra: number of the variable */
    OP_COPY_BYTES,     /* to from size: memcpy() */
    OP_FENCE,
    /* The machine stops at these, and other lanes may run. */
    OP_WARP,    /* a: index into program->calls */
    OP_BARRIER, /* a: likewise */
    OP_ATOMIC,  /* extra: enum atomic_operation */
    OP_MATRIX,  /* a: index into program->calls */
};

struct instruction {
    uint8_t operation, kind;
    uint16_t extra;
    int32_t a;
};

enum atomic_operation {
    ATOMIC_ADD,
    ATOMIC_SUBTRACT,
    ATOMIC_MINIMUM,
    ATOMIC_MAXIMUM,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE,
    ATOMIC_COMPARE
};

/* A warp operation, a barrier or a matrix instruction at one site. */
struct call {
    struct shflviz_site site;
    uint8_t op, type;  /* as in lib/warp; op of a barrier: enum barrier_kind */
    uint8_t registers; /* of ldmatrix; 0: mma */
    bool is_transposed;
    bool is_wide; /* the value has 64 bits */
};
enum barrier_kind { BARRIER_PLAIN, BARRIER_COUNT, BARRIER_OR, BARRIER_AND };

#define PARAMETERS_MAX 16
struct function {
    const char *name;
    const struct type *result;
    const struct type *parameters[PARAMETERS_MAX];
    uint32_t offsets[PARAMETERS_MAX];
    uint32_t parameter_count, frame, line;
    int32_t entry; /* -1: declared only */
    uint8_t source;
    bool is_kernel, is_called;
};

struct shared_variable {
    uint32_t offset, size;
};

struct kernel_program {
    struct instruction *code;
    uint32_t *lines; /* for each instruction: the number of the source, and the line (pc_of()) */
    size_t count, capacity, line_capacity;
    uint64_t *constants;
    size_t constant_count, constant_capacity;
    struct call **calls;
    size_t call_count, call_capacity;
    struct function **functions;
    size_t function_count, function_capacity;
    struct shared_variable shared[32];
    uint32_t shared_count, shared_bytes;
    const char *source_names[2];
    void **kept; /* everything allocated for the above */
    size_t kept_count, kept_capacity;
    uint64_t steps; /* instructions that the launch has run */
};

void *program_alloc(struct kernel_program *program, size_t size);

/* The source of a finding's pc, and its line; NULL if it has none. */
const char *kernel_program_source(const struct kernel_program *program, uint64_t pc,
                                  uint32_t *line);

/* The result of an operator; *fails if it is a division by 0. */
uint64_t operate(enum operation operation, enum kind kind, uint64_t a, uint64_t b, bool *fails);
uint64_t convert(uint64_t value, enum kind from, enum kind to);
unsigned kind_bits(enum kind kind);
static inline bool kind_is_float(enum kind kind) {
    return kind == KIND_F32 || kind == KIND_F64;
}
static inline bool kind_is_signed(enum kind kind) {
    return kind == KIND_I8 || kind == KIND_I16 || kind == KIND_I32 || kind == KIND_LONG ||
           kind == KIND_I64;
}

/*
 * Functions of numbers only, as "__popc(u)i": i is int, u unsigned, l long long, w unsigned long
 * long, f float, d double, p a pointer; after the parameters comes the result, U an unsigned long.
 * NULL after the last.
 */
const char *function_signature(int number);
uint64_t function_call(int number, const uint64_t *arguments);

/* ---- reading ---- */

enum symbol_kind { SYMBOL_LOCAL, SYMBOL_SHARED, SYMBOL_TYPE, SYMBOL_FUNCTION };
struct symbol {
    const char *name;
    uint32_t length;
    enum symbol_kind kind;
    const struct type *type;
    uint32_t at;       /* offset, or number of the function */
    bool is_reference; /* the variable holds the address of what it names */
    bool is_constant;  /* `bits` is its value */
    uint64_t bits;
};

enum location { LOCATION_STACK, LOCATION_CONSTANT, LOCATION_LOCAL, LOCATION_MEMORY };
/* An expression that has been read. `location` says how much of its code is emitted: a constant
 * and a local variable are not on the stack yet; for a variable in memory its address is. */
struct value {
    enum location location;
    const struct type *type;
    uint64_t bits;
    uint32_t offset;
    uint32_t bound; /* of the array that decayed into this pointer, or 0 */
};

struct reader {
    struct kernel_program *program;
    struct error *err;
    const struct kernel_source *source;
    struct token *tokens;
    size_t token_count, token_capacity, at;
    struct macro {
        const char *name;
        uint32_t length;
        size_t first, count; /* tokens of its text, in `macro_tokens` */
    } macros[64];
    struct token *macro_tokens;
    size_t macro_count, macro_token_count, macro_token_capacity;
    struct symbol *symbols;
    size_t symbol_count, symbol_capacity;
    struct function *function; /* that is being read */
    uint32_t frame;            /* bytes of it that are in use */
    int32_t breaks[256], continues[256];
    size_t break_count, continue_count;
    unsigned depth; /* of statements and operands that are being read */
    bool in_loop, failed;
    bool is_test; /* this source is a test: host code is skipped */
    bool no_memory;
};

/* Refuses the text at the current token. Only the first message is kept. */
void refuse(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a feature of the language that is not supported here. */
void refuse_unknown(struct reader *r, const char *what);

/* Called before and after reading a construct that may contain itself. */
void enter(struct reader *r);
void leave(struct reader *r);

bool lex(struct reader *r, const char *text, uint8_t source);
const struct token *peek(const struct reader *r, size_t ahead);
bool is(const struct reader *r, const char *text);
bool is_ahead(const struct reader *r, size_t ahead, const char *text);
bool take(struct reader *r, const char *text);
void expect(struct reader *r, const char *text);
const char *take_name(struct reader *r);

int32_t emit(struct reader *r, enum operation operation, enum kind kind, unsigned extra, int32_t a);
void patch(struct reader *r, int32_t at); /* the jump at that position leads here */

const struct type *scalar(enum kind kind);
const struct type *pointer_to(struct reader *r, const struct type *target);
const struct type *array_of(struct reader *r, const struct type *element, uint32_t count);
const struct type *with_const(struct reader *r, const struct type *type);
bool same_type(const struct type *a, const struct type *b);
const char *type_name(const struct type *type);
bool is_type(const struct reader *r, size_t ahead);
const struct type *read_type(struct reader *r); /* with its * */
struct symbol *find_symbol(const struct reader *r, const struct token *token);
struct symbol *add_symbol(struct reader *r, const char *name, enum symbol_kind kind,
                          const struct type *type, uint32_t at);
uint32_t reserve_frame(struct reader *r, const struct type *type);
void add_builtin_types(struct reader *r);
void read_source(struct reader *r);
void read_declaration(struct reader *r);
void read_block(struct reader *r);
void read_asm(struct reader *r);

struct value read_expression(struct reader *r); /* with commas */
struct value read_assignment(struct reader *r);
/* Puts it on the stack; for a struct or an array, its address. */
struct value to_stack(struct reader *r, struct value value);
/* The same, as that type. */
void to_type(struct reader *r, struct value value, const struct type *type);
void to_condition(struct reader *r, struct value value);
void to_address(struct reader *r, struct value value);
/* Stores the value, which is on the stack, in the variable. */
void store(struct reader *r, struct value variable);
struct value on_stack(const struct type *type);
struct value constant_of(const struct type *type, uint64_t bits);
bool is_number(const struct type *type);
bool check_variable(struct reader *r, struct value to);
/* Emits `to` OPERATOR= `amount`, which is a constant or kept in the frame; the result is the new
 * value, or the old one if `is_postfix`. */
struct value update(struct reader *r, enum operation operation, struct value to,
                    struct value amount, bool is_postfix);
struct value read_cast(struct reader *r, const struct type *type);
struct value read_postfix(struct reader *r);
bool read_constant(struct reader *r, uint64_t *bits);
void initialise(struct reader *r, const struct type *type, uint32_t offset);
/* A call of a function that the text does not define; false if the name is not known. */
bool read_builtin_call(struct reader *r, const struct token *name, struct value *result);
struct value emit_call(struct reader *r, struct function *function, uint32_t number);

#endif
