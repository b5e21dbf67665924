/*
 * declaration.c - reads declarations: variables, structs, functions, a whole source.
 *
 * The host's code in a test is skipped, because it has been compiled already; in an answer it is
 * refused. Unset variables get clang's fill pattern, so that a check finds their use as in a
 * compiled program.
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_MOST 4096
#define SHARED_GAP                                                                                 \
    1024 /* after each variable, so that an access beyond it hits no other (ACCESS_SHARED_GAP) */
#define SHARED_MOST 65536

void *program_alloc(struct kernel_program *program, size_t size) {
    program->kept =
        memory_room(program->kept, program->kept_count, &program->kept_capacity, sizeof(void *));
    return program->kept[program->kept_count++] = memory_zeroed(1, size);
}

int32_t emit(struct reader *r, enum operation operation, enum kind kind, unsigned extra,
             int32_t a) {
    struct kernel_program *p = r->program;
    const size_t at = r->at > 0 && r->at <= r->token_count ? r->at - 1 : 0;
    const struct token *token = r->token_count ? &r->tokens[at] : peek(r, 0);
    p->code = memory_room(p->code, p->count, &p->capacity, sizeof *p->code);
    p->lines = memory_room(p->lines, p->count, &p->line_capacity, sizeof *p->lines);
    p->code[p->count] = (struct instruction){(uint8_t)operation, (uint8_t)kind, (uint16_t)extra, a};
    p->lines[p->count] = (uint32_t)token->source << 24 | token->line;
    return (int32_t)p->count++;
}

void patch(struct reader *r, int32_t at) {
    r->program->code[at].a = (int32_t)r->program->count;
}

uint32_t reserve_frame(struct reader *r, const struct type *type) {
    const uint32_t align = type->align ? type->align : 1;
    const uint32_t at = (r->frame + align - 1) / align * align;
    r->frame = at + type->size;
    if (r->frame > FRAME_MOST)
        refuse_unknown(r, _("a function with this many variables"));
    else if (r->function && r->frame > r->function->frame)
        r->function->frame = r->frame;
    return at;
}

/* ---- variables ---- */

/* [2][3] after a name: array of 2 of array of 3. */
static const struct type *read_extents(struct reader *r, const struct type *type, bool *is_open) {
    uint64_t counts[4];
    size_t n = 0;
    for (; take(r, "[") && n < 4; n++) {
        counts[n] = 0;
        if (n == 0 && is_open && is(r, "]"))
            *is_open = true;
        else if (!read_constant(r, &counts[n]) || counts[n] == 0 || counts[n] > 65536)
            refuse(r, _("an array's size must be a constant here"));
        expect(r, "]");
    }
    while (n-- > 0) {
        if (type->size * counts[n] > SHARED_MOST) {
            refuse_unknown(r, _("an array of this size"));
            break;
        }
        type = array_of(r, type, (uint32_t)counts[n]);
    }
    return type;
}

/* Fills a variable with clang's pattern for unset variables, which check/unset_value.c knows. */
static void fill_pattern(struct reader *r, const struct type *type, uint32_t offset) {
    if (type->kind == KIND_STRUCT) {
        for (uint32_t i = 0; i < type->count; i++)
            fill_pattern(r, type->members[i].type, offset + type->members[i].offset);
    } else if (type->kind == KIND_ARRAY && type->target->kind >= KIND_ARRAY) {
        for (uint32_t i = 0; i < type->count; i++)
            fill_pattern(r, type->target, offset + i * type->target->size);
    } else {
        const struct type *element = type->kind == KIND_ARRAY ? type->target : type;
        const bool ones = kind_is_float(element->kind) || element->kind == KIND_HALF;
        if (type->size)
            emit(r, OP_FILL, ones ? KIND_F32 : KIND_I32, offset, (int32_t)type->size);
    }
}

/* Stores the value that was read into a variable of the frame. */
static void store_value(struct reader *r, struct value value, const struct type *type,
                        uint32_t offset) {
    to_type(r, value, type);
    if (type->kind == KIND_STRUCT) {
        emit(r, OP_LOCAL, KIND_POINTER, 0, (int32_t)offset);
        emit(r, OP_SWAP, KIND_VOID, 0, 0);
    }
    store(r, (struct value){LOCATION_LOCAL, type, 0, offset, 0});
    emit(r, OP_DROP, KIND_VOID, 0, 0);
}

void initialise(struct reader *r, const struct type *type, uint32_t offset) {
    if (!take(r, "{")) {
        if (type->kind == KIND_ARRAY) {
            refuse(r, _("an array takes a list in braces"));
            return;
        }
        store_value(r, read_assignment(r), type, offset);
        return;
    }
    if (type->kind < KIND_ARRAY) {
        if (is(r, "}")) {
            emit(r, OP_CLEAR, KIND_VOID, offset, (int32_t)type->size);
        } else {
            enter(r);
            initialise(r, type, offset);
            leave(r);
        }
        expect(r, "}");
        return;
    }
    emit(r, OP_CLEAR, KIND_VOID, offset, (int32_t)type->size);
    for (uint32_t i = 0; !is(r, "}") && !r->failed; i++) {
        if (i == type->count) {
            refuse(r, _("more values than there are elements"));
            break;
        }
        if (type->kind == KIND_ARRAY)
            initialise(r, type->target, offset + i * type->target->size);
        else
            initialise(r, type->members[i].type, offset + type->members[i].offset);
        if (!take(r, ","))
            break;
    }
    expect(r, "}");
}

static void add_shared(struct reader *r, const struct type *type) {
    struct kernel_program *p = r->program;
    if (r->no_memory)
        refuse(r, "%s", _("this exercise must be solved without memory that lanes share"));
    const char *name = take_name(r);
    type = read_extents(r, type, NULL);
    const uint32_t offset = p->shared_bytes;
    if (p->shared_count == sizeof p->shared / sizeof p->shared[0] ||
        offset + type->size + SHARED_GAP > SHARED_MOST) {
        refuse_unknown(r, _("this many __shared__ variables"));
        return;
    }
    if (is(r, "=") || is(r, "{"))
        refuse(r, _("a __shared__ variable cannot be initialised"));
    add_symbol(r, name, SYMBOL_SHARED, type, offset);
    emit(r, OP_DECLARE_SHARED, KIND_VOID, p->shared_count, (int32_t)offset);
    p->shared[p->shared_count++] = (struct shared_variable){offset, type->size};
    p->shared_bytes = (offset + type->size + SHARED_GAP + 127) / 128 * 128;
}

/* T &name = variable */
static void read_alias(struct reader *r, const char *name, bool is_const) {
    expect(r, "=");
    const struct value value = read_assignment(r);
    to_address(r, value);
    const uint32_t offset = reserve_frame(r, scalar(KIND_U64));
    emit(r, OP_STORE_LOCAL, KIND_U64, 0, (int32_t)offset);
    emit(r, OP_DROP, KIND_VOID, 0, 0);
    const struct type *type = is_const ? with_const(r, value.type) : value.type;
    add_symbol(r, name, SYMBOL_LOCAL, type, offset)->is_reference = true;
}

/* auto name = value */
static void read_inferred(struct reader *r, const char *name) {
    expect(r, "=");
    const struct value value = to_stack(r, read_assignment(r));
    const struct type *type = value.type;
    if (type->kind == KIND_VOID)
        refuse(r, _("this value is not a variable"));
    if (type->kind < KIND_POINTER)
        type = scalar(type->kind);
    const uint32_t offset = reserve_frame(r, type);
    store_value(r, value, type, offset);
    add_symbol(r, name, SYMBOL_LOCAL, type, offset);
}

/* After "const int name =", looks ahead for a constant; the value is then read again. */
static bool peek_constant(struct reader *r, uint64_t *bits) {
    const size_t at = r->at, count = r->program->count;
    const bool found = read_constant(r, bits) && (is(r, ",") || is(r, ";"));
    if (!r->failed) {
        r->at = at;
        r->program->count = count;
    }
    return found;
}

/* Reads a local variable whose type, except for its declarator, has been read. */
static void read_variable(struct reader *r, const struct type *type) {
    while (type && take(r, "*"))
        type = pointer_to(r, type);
    while (type && type->kind == KIND_POINTER && (is(r, "const") || is(r, "__restrict__")))
        r->at++;
    const bool is_alias = take(r, "&");
    const char *name = take_name(r);
    if (!type || is_alias) {
        if (is_alias)
            read_alias(r, name, type && type->is_const);
        else
            read_inferred(r, name);
        return;
    }
    bool is_open = false, is_constant = false;
    type = read_extents(r, type, &is_open);
    if (is_open)
        refuse_unknown(r, _("an array without a size"));
    const uint32_t offset = reserve_frame(r, type);
    uint64_t bits = 0;
    if (take(r, "=") || is(r, "{")) {
        is_constant = type->is_const && type->kind < KIND_F32 && peek_constant(r, &bits);
        initialise(r, type, offset);
    } else if (take(r, "(")) {
        initialise(r, type, offset);
        expect(r, ")");
    } else {
        fill_pattern(r, type, offset);
    }
    struct symbol *symbol = add_symbol(r, name, SYMBOL_LOCAL, type, offset);
    symbol->is_constant = is_constant;
    symbol->bits = is_constant ? convert(bits, KIND_I64, type->kind) : 0;
}

void read_declaration(struct reader *r) {
    const bool is_shared = take(r, "__shared__");
    if (take(r, "__align__") || take(r, "alignas")) {
        uint64_t ignored;
        expect(r, "(");
        read_constant(r, &ignored);
        expect(r, ")");
    }
    const struct type *type = read_type(r);
    const bool shares = is_shared || take(r, "__shared__");
    do {
        if (shares && type)
            add_shared(r, type);
        else
            read_variable(r, type);
    } while (take(r, ",") && !r->failed);
    expect(r, ";");
}

/* ---- functions and structs ---- */

static void read_struct(struct reader *r) {
    expect(r, "struct");
    struct type type = {.kind = KIND_STRUCT, .align = 1};
    struct member members[16];
    type.name = take_name(r);
    expect(r, "{");
    while (!is(r, "}") && !r->failed) {
        const struct type *of = read_type(r);
        do {
            const char *name = take_name(r);
            const struct type *full = of ? read_extents(r, of, NULL) : scalar(KIND_I32);
            if (type.count == 16 || !of) {
                refuse_unknown(r, _("a struct of this kind"));
                break;
            }
            type.size = (type.size + full->align - 1) / full->align * full->align;
            members[type.count++] = (struct member){name, full, type.size};
            type.size += full->size;
            type.align = full->align > type.align ? full->align : type.align;
        } while (take(r, ","));
        if (is(r, "(") || is(r, "=") || is(r, "{"))
            refuse_unknown(r, _("a struct with functions or values"));
        expect(r, ";");
    }
    expect(r, "}");
    expect(r, ";");
    type.size = (type.size + type.align - 1) / type.align * type.align;
    struct type *kept = program_alloc(r->program, sizeof type + type.count * sizeof members[0]);
    memcpy(kept, &type, sizeof type);
    memcpy(kept->members, members, type.count * sizeof members[0]);
    add_symbol(r, kept->name, SYMBOL_TYPE, kept, 0);
}

/* A parameter, as a local variable: its name, and the type that is passed. */
static const struct type *read_parameter(struct reader *r, const char **name, bool *is_reference) {
    const struct type *type = read_type(r);
    *is_reference = false;
    *name = "";
    if (!type)
        type = scalar(KIND_I32);
    if (take(r, "(")) { /* T (&name)[4] */
        expect(r, "&");
        *name = take_name(r);
        expect(r, ")");
        *is_reference = true;
        return read_extents(r, type, NULL);
    }
    *is_reference = take(r, "&");
    if (peek(r, 0)->kind == TOKEN_NAME)
        *name = take_name(r);
    bool is_open = false;
    const struct type *full = is(r, "[") ? read_extents(r, type, &is_open) : type;
    if (full->kind == KIND_ARRAY && !*is_reference)
        return pointer_to(r, full->target);
    return full;
}

static struct function *find_function(struct reader *r, const char *name, uint32_t *number) {
    for (uint32_t i = 0; i < r->program->function_count; i++)
        if (strcmp(r->program->functions[i]->name, name) == 0) {
            *number = i;
            return r->program->functions[i];
        }
    return NULL;
}

static struct function *add_function(struct reader *r, const char *name, uint32_t *number) {
    struct kernel_program *p = r->program;
    struct function *function = program_alloc(p, sizeof *function);
    function->name = name;
    function->entry = -1;
    p->functions =
        memory_room(p->functions, p->function_count, &p->function_capacity, sizeof function);
    *number = (uint32_t)p->function_count;
    p->functions[p->function_count++] = function;
    add_symbol(r, name, SYMBOL_FUNCTION, NULL, *number);
    return function;
}

static void refuse_change(struct reader *r, const struct function *function) {
    refuse(r, _("%s has different parameters here than in its declaration"), function->name);
}

/* Reads up to the closing parenthesis; `known` if the function has been declared before. */
static void read_parameters(struct reader *r, struct function *function, bool known) {
    uint32_t count = 0;
    if (is(r, "void") && is_ahead(r, 1, ")"))
        r->at++;
    while (!is(r, ")") && !r->failed) {
        const char *name;
        bool is_reference;
        const struct type *type = read_parameter(r, &name, &is_reference);
        const struct type *passed = is_reference ? pointer_to(r, type) : type;
        if (count == PARAMETERS_MAX || is(r, "=")) {
            refuse_unknown(r, _("parameters of this kind"));
            return;
        }
        if (known &&
            (count >= function->parameter_count || !same_type(function->parameters[count], passed)))
            refuse_change(r, function);
        function->parameters[count] = passed;
        function->offsets[count] = reserve_frame(r, passed);
        add_symbol(r, name, SYMBOL_LOCAL, type, function->offsets[count])->is_reference =
            is_reference;
        count++;
        if (!take(r, ","))
            break;
    }
    if (known && count != function->parameter_count)
        refuse_change(r, function);
    function->parameter_count = count;
}

static void read_function(struct reader *r, bool is_kernel) {
    const struct type *result = read_type(r);
    while (take(r, "__noinline__") || take(r, "__forceinline__"))
        ;
    const struct token *at = peek(r, 0);
    const char *name = take_name(r);
    if (r->failed)
        return;
    uint32_t number;
    struct function *const known = find_function(r, name, &number);
    struct function *const function = known ? known : add_function(r, name, &number);
    const size_t outer = r->symbol_count;
    r->function = function;
    r->frame = 0;
    if (known && (!result || !same_type(result, known->result)))
        refuse_change(r, known);
    function->result = result ? result : scalar(KIND_VOID);
    function->is_kernel = is_kernel;
    expect(r, "(");
    read_parameters(r, function, known != NULL);
    expect(r, ")");
    if (!take(r, ";")) {
        if (function->entry >= 0)
            refuse(r, _("%s is defined twice"), name);
        function->entry = (int32_t)r->program->count;
        function->line = at->line;
        function->source = at->source;
        read_block(r);
        emit(r, function->result->kind == KIND_VOID ? OP_RETURN : OP_NO_RESULT, KIND_VOID, 0, 0);
    }
    r->symbol_count = outer;
    r->function = NULL;
}

/* Skips a host function or a variable, or a declaration of one. */
static void skip(struct reader *r) {
    unsigned depth = 0;
    for (; peek(r, 0)->kind != TOKEN_END; r->at++) {
        depth += is(r, "{");
        if (is(r, "}") && --depth == 0)
            break;
        if (depth == 0 && is(r, ";"))
            break;
    }
    r->at += peek(r, 0)->kind != TOKEN_END;
}

static bool is_one_of(const struct reader *r, const char *const *words) {
    for (; *words; words++)
        if (is(r, *words))
            return true;
    return false;
}

/* The side, host or device, that a declaration belongs to. */
struct side {
    bool is_kernel, is_device;
};
static struct side read_side(struct reader *r) {
    static const char *const words[] = {"__global__",   "__device__", "static",
                                        "inline",       "__host__",   "__forceinline__",
                                        "__noinline__", "extern",     NULL};
    struct side side = {false, false};
    for (; is_one_of(r, words); r->at++) {
        side.is_kernel |= is(r, "__global__");
        side.is_device |= is(r, "__device__");
    }
    return side;
}

/* True if the next parenthesis comes before any semicolon or brace. */
static bool is_function(const struct reader *r) {
    size_t ahead = 0;
    while (peek(r, ahead)->kind != TOKEN_END && !is_ahead(r, ahead, "(") &&
           !is_ahead(r, ahead, ";") && !is_ahead(r, ahead, "{"))
        ahead++;
    return is_ahead(r, ahead, "(");
}

static void refuse_declaration(struct reader *r, bool is_device) {
    static const char *const variables[] = {"__constant__", "__shared__", NULL};
    static const char *const others[] = {"using",   "namespace", "class", "enum",
                                         "typedef", "union",     NULL};
    if (is(r, "template"))
        refuse_unknown(r, _("templates"));
    else if (is_device || is_one_of(r, variables))
        refuse_unknown(r, _("variables outside of functions"));
    else if (!is_one_of(r, others) && is_function(r))
        refuse_unknown(r, _("functions that are neither __device__ nor __global__"));
    else
        refuse_unknown(r, _("this declaration"));
}

void read_source(struct reader *r) {
    while (peek(r, 0)->kind != TOKEN_END) {
        const struct side side = read_side(r);
        const bool is_struct = is(r, "struct");
        if (take(r, ";"))
            continue;
        if (is_struct && is_ahead(r, 2, "{"))
            read_struct(r);
        else if (is_struct && is_ahead(r, 2, ";"))
            r->at += 3;
        else if ((side.is_kernel || side.is_device) && is_function(r) && !is(r, "template"))
            read_function(r, side.is_kernel);
        else if (r->is_test)
            skip(r);
        else
            refuse_declaration(r, side.is_device);
    }
}

/* ---- the whole ---- */

static bool all_defined(const struct kernel_program *p, const char *file, struct error *err) {
    for (size_t i = 0; i < p->function_count; i++) {
        const struct function *function = p->functions[i];
        if (function->entry >= 0 || (!function->is_called && !function->is_kernel))
            continue;
        error_set(err, ERROR_USAGE,
                  _("%s does not define %s, which the test calls\n"
                    "try: keep the name and the parameters that the skeleton has"),
                  file, function->name);
        return false;
    }
    return true;
}

int kernel_program_read(struct kernel_program **program, const struct kernel_source *sources,
                        size_t count, struct error *err) {
    struct kernel_program *p = *program = memory_zeroed(1, sizeof *p);
    struct reader *r = memory_zeroed(1, sizeof *r);
    r->program = p;
    r->err = err;
    for (size_t i = 0; i < count && i < 2; i++)
        p->source_names[i] = sources[i].name;
    add_builtin_types(r);
    for (size_t i = 0; i < count && i < 2 && !r->failed; i++) {
        r->source = &sources[i];
        r->is_test = sources[i].is_test;
        r->no_memory = sources[i].no_memory;
        r->at = r->token_count;
        if (lex(r, sources[i].text, (uint8_t)i))
            read_source(r);
        r->at = r->token_count;
    }
    const bool failed = r->failed || !all_defined(p, sources[count - 1].name, err);
    free(r->tokens);
    free(r->macro_tokens);
    free(r->symbols);
    free(r);
    if (failed) {
        kernel_program_free(p);
        *program = NULL;
        return -1;
    }
    return 0;
}

void kernel_program_free(struct kernel_program *p) {
    if (!p)
        return;
    for (size_t i = 0; i < p->kept_count; i++)
        free(p->kept[i]);
    free(p->kept);
    free(p->code);
    free(p->lines);
    free(p->constants);
    free(p->calls);
    free(p->functions);
    free(p);
}
