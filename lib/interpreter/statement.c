/*
 * statement.c - reads statements.
 *
 * Code is emitted in one pass, so a forward jump is patched when its target is reached; those of
 * `break` and `continue` are collected until then.
 */
#include "interpreter/program.h"

#include "base/message.h"

static void read_statement(struct reader *r);

static void drop(struct reader *r, struct value value) {
    if (value.location == LOCATION_CONSTANT || value.location == LOCATION_LOCAL ||
        value.type->kind == KIND_VOID)
        return;
    emit(r, OP_DROP, KIND_VOID, 0, 0);
}

static int32_t read_condition(struct reader *r) {
    to_condition(r, read_expression(r));
    return emit(r, OP_JUMP_IF_ZERO, KIND_BOOL, 0, 0);
}

static void read_if(struct reader *r) {
    take(r, "constexpr");
    expect(r, "(");
    const int32_t past = read_condition(r);
    expect(r, ")");
    read_statement(r);
    if (!take(r, "else")) {
        patch(r, past);
        return;
    }
    const int32_t end = emit(r, OP_JUMP, KIND_VOID, 0, 0);
    patch(r, past);
    read_statement(r);
    patch(r, end);
}

/* A loop's body; jumps of `continue` are patched here, those of `break` by end_loop(). */
static void read_body(struct reader *r) {
    const bool outer = r->in_loop;
    const size_t continues = r->continue_count;
    r->in_loop = true;
    read_statement(r);
    r->in_loop = outer;
    while (r->continue_count > continues)
        patch(r, r->continues[--r->continue_count]);
}

static void end_loop(struct reader *r, size_t breaks) {
    while (r->break_count > breaks)
        patch(r, r->breaks[--r->break_count]);
}

static void read_while(struct reader *r) {
    const int32_t begin = (int32_t)r->program->count;
    const size_t breaks = r->break_count;
    expect(r, "(");
    const int32_t end = read_condition(r);
    expect(r, ")");
    read_body(r);
    emit(r, OP_JUMP, KIND_VOID, 0, begin);
    patch(r, end);
    end_loop(r, breaks);
}

static void read_do(struct reader *r) {
    const int32_t begin = (int32_t)r->program->count;
    const size_t breaks = r->break_count;
    read_body(r);
    expect(r, "while");
    expect(r, "(");
    to_condition(r, read_expression(r));
    emit(r, OP_JUMP_IF_NOT, KIND_BOOL, 0, begin);
    expect(r, ")");
    expect(r, ";");
    end_loop(r, breaks);
}

static void read_for(struct reader *r) {
    const size_t outer = r->symbol_count, breaks = r->break_count;
    expect(r, "(");
    if (is_type(r, 0)) {
        read_declaration(r);
    } else {
        if (!is(r, ";"))
            drop(r, read_expression(r));
        expect(r, ";");
    }
    const int32_t condition = (int32_t)r->program->count;
    const int32_t end = is(r, ";") ? -1 : read_condition(r);
    expect(r, ";");
    const int32_t to_body = emit(r, OP_JUMP, KIND_VOID, 0, 0);
    const int32_t step = (int32_t)r->program->count;
    if (!is(r, ")"))
        drop(r, read_expression(r));
    emit(r, OP_JUMP, KIND_VOID, 0, condition);
    expect(r, ")");
    patch(r, to_body);
    read_body(r);
    emit(r, OP_JUMP, KIND_VOID, 0, step);
    if (end >= 0)
        patch(r, end);
    end_loop(r, breaks);
    r->symbol_count = outer;
}

static void read_return(struct reader *r) {
    const struct type *type = r->function->result;
    if (!is(r, ";")) {
        if (type->kind == KIND_VOID) {
            drop(r, read_expression(r));
        } else if (is(r, "{") && type->kind == KIND_STRUCT) {
            const uint32_t offset = reserve_frame(r, type);
            initialise(r, type, offset);
            emit(r, OP_LOCAL, KIND_POINTER, 0, (int32_t)offset);
        } else {
            to_type(r, read_expression(r), type);
        }
    } else if (type->kind != KIND_VOID) {
        refuse(r, _("%s returns a value"), r->function->name);
    }
    emit(r, OP_RETURN, KIND_VOID, 0, 0);
    expect(r, ";");
}

/* `break` and `continue`. */
static void read_jump(struct reader *r, int32_t *jumps, size_t *count) {
    if (!r->in_loop || *count == sizeof r->breaks / sizeof r->breaks[0])
        refuse(r, _("this is not in a loop"));
    else
        jumps[(*count)++] = emit(r, OP_JUMP, KIND_VOID, 0, 0);
    expect(r, ";");
}

void read_block(struct reader *r) {
    const size_t outer = r->symbol_count;
    expect(r, "{");
    while (!is(r, "}") && peek(r, 0)->kind != TOKEN_END)
        read_statement(r);
    expect(r, "}");
    r->symbol_count = outer;
}

static void read_break(struct reader *r) {
    read_jump(r, r->breaks, &r->break_count);
}
static void read_continue(struct reader *r) {
    read_jump(r, r->continues, &r->continue_count);
}
static void read_empty(struct reader *r) {
    (void)r;
}

static bool is_declaration(const struct reader *r) {
    return is(r, "__shared__") || is(r, "alignas") ||
           (is_type(r, 0) && !is_ahead(r, 1, "(") && !is_ahead(r, 1, "{"));
}

static void refuse_statement(struct reader *r) {
    static const char *const words[] = {"switch", "goto", "try", "using", "template", "typedef"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(r, words[i]))
            refuse_unknown(r, words[i]);
    if (is(r, "extern"))
        refuse_unknown(r, _("dynamic shared memory"));
}

static void read_any_statement(struct reader *r) {
    static const struct {
        const char *word;
        void (*read)(struct reader *r); /* continues after the word */
    } statements[] = {{";", read_empty},     {"if", read_if},
                      {"while", read_while}, {"do", read_do},
                      {"for", read_for},     {"return", read_return},
                      {"break", read_break}, {"continue", read_continue}};
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (take(r, statements[i].word)) {
            statements[i].read(r);
            return;
        }
    refuse_statement(r);
    if (is(r, "{")) {
        read_block(r);
    } else if (is(r, "asm") || is(r, "__asm__")) {
        read_asm(r);
    } else if (is_declaration(r)) {
        read_declaration(r);
    } else {
        drop(r, read_expression(r));
        expect(r, ";");
    }
}

static void read_statement(struct reader *r) {
    enter(r);
    read_any_statement(r);
    leave(r);
}
