/*
 * Writes C++ rather than machine code: the compiler then checks types, inlines and optimises, and
 * each instruction is a function that can be tested alone.
 */
#include "cudacpu/ptx/ptx.h"

#include "base/message.h"
#include "cudacpu/observe/access_file.h"
#include "cudacpu/ptx/ptx_table.h"
#include "cudacpu/ptx/ptx_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- an instruction's name ---- */

static int take_modifier(struct ptx *p, struct instruction *i, const char *word, size_t length) {
    char text[32];
    if (length >= sizeof text)
        return ptx_unsupported(p, i->text);
    memcpy(text, word, length);
    text[length] = '\0';
    if (ptx_is_type(word, length)) {
        if (i->type_count == PTX_TYPES)
            return ptx_unsupported(p, i->text);
        memcpy(i->types[i->type_count++], text, length + 1);
        return 0;
    }
    if (strcmp(text, "v2") == 0 || strcmp(text, "v4") == 0) {
        i->vector = (unsigned)(text[1] - '0');
        return 0;
    }
    switch (ptx_modifier(i->opcode, text)) {
    case PTX_NAME:
        if (strlen(i->name) + length + 2 > sizeof i->name)
            return ptx_unsupported(p, i->text);
        strcat(strcat(i->name, "_"), text);
        break;
    case PTX_TAG:
        text_append_format(&i->tags, PTX_NAMESPACE "%s%s, ", ptx_tag_prefix(i->opcode), text);
        break;
    case PTX_FLUSH:
        i->flush = true;
        break;
    case PTX_SHARED:
        i->shared = true;
        break;
    case PTX_ACQUIRE:
        i->atomic = true;
        break;
    case PTX_RELAXED:
        i->atomic = true;
        i->order |= ACCESS_RELAXED;
        break;
    case PTX_RELEASE:
        i->atomic = true;
        i->order |= ACCESS_RELAXED | ACCESS_RELEASE;
        break;
    case PTX_ACQ_REL:
        i->atomic = true;
        i->order |= ACCESS_RELEASE;
        break;
    case PTX_CTA:
        i->order |= ACCESS_IN_BLOCK;
        break;
    case PTX_NOTHING:
        break;
    }
    return 0;
}

/* After the opcode: .lo.s32 */
static int take_modifiers(struct ptx *p, struct instruction *i) {
    while (p->at < p->end && *p->at == '.') {
        const char *word = ++p->at;
        while (p->at < p->end && (ptx_is_identifier(*p->at) || *p->at == ':'))
            p->at++;
        if (take_modifier(p, i, word, (size_t)(p->at - word)) != 0)
            return -1;
    }
    const bool loads = strcmp(i->name, "ld") == 0, stores = strcmp(i->name, "st") == 0;
    if (i->atomic && (loads || stores)) {
        strcat(i->name, "_atomic");
        i->order |= loads ? ACCESS_LOADS : ACCESS_STORES;
    }
    if (strcmp(i->opcode, "cvt") == 0 && i->tags.length == 0)
        text_append(&i->tags, PTX_NAMESPACE "round_rn, ");
    return 0;
}

/* ---- C++ ---- */

/* "name<tags, types>(" */
static void append_call(struct ptx *p, const struct instruction *i, const char *name) {
    text_append_format(p->out, PTX_NAMESPACE "i_%s", name);
    if (i->tags.length || i->type_count) {
        text_append_char(p->out, '<');
        text_append(p->out, i->tags.data);
        for (size_t type = 0; type < i->type_count; type++)
            text_append_format(p->out, "%s" PTX_NAMESPACE "%s", type ? ", " : "", i->types[type]);
        text_append_char(p->out, '>');
    }
    text_append_char(p->out, '(');
}

void ptx_append_site(struct ptx *p, const struct instruction *i) {
    struct text source = TEXT_INIT;
    ptx_append_source(p, i->text, &source);
    text_append(p->out, "(__extension__({ static const ::shflviz_site shflviz_site_ = {\"");
    ptx_append_quoted(p->out, p->statement->file);
    text_append(p->out, "\", \"");
    ptx_append_quoted(p->out, p->statement->function);
    text_append(p->out, "\", \"");
    ptx_append_quoted(p->out, source.data);
    text_append_format(p->out, "\", %u}; &shflviz_site_; }))", ptx_line(p, i->text));
    text_release(&source);
}

static void append_value(struct ptx *p, const struct instruction *i, const struct text *value) {
    text_append_format(p->out, i->flush ? PTX_NAMESPACE "flushed(%s)" : "%s", value->data);
}

/* In an instruction with .shared, only the first address is in shared memory; the second one, of
 * cp.async, is not. */
void ptx_append_address(struct ptx *p, const struct instruction *i, size_t number) {
    const struct operand *operand = &i->operands[number];
    text_append_format(p->out, PTX_NAMESPACE "%s(%s, %s)",
                       i->shared && number <= (i->opcode[0] != 'c') ? "at_shared" : "at",
                       operand->value[0].data, operand->value[1].data);
}

/* Writes the call for a row whose operands fit. */
static void write_call(struct ptx *p, const struct instruction *i, const struct ptx_row *row) {
    const char *kinds = row->operands + (row->operands[0] == '@');
    const bool keeps = *kinds == '=' || *kinds == '|';
    const char *comma = "";
    text_append(p->out, "{ bool shflviz_q = false; ");
    if (keeps && i->operands[0].value[0].length)
        text_append_format(p->out, PTX_NAMESPACE "put(%s, ", i->operands[0].value[0].data);
    else
        text_append(p->out, "(void)(");
    text_append(p->out, i->flush ? PTX_NAMESPACE "flushed(" : "(");
    append_call(p, i, row->name);
    if (row->operands[0] == '@') {
        ptx_append_site(p, i);
        comma = ", ";
    }
    for (size_t number = keeps; kinds[number]; number++, comma = ", ") {
        text_append(p->out, comma);
        if (kinds[number] == 'm')
            ptx_append_address(p, i, number);
        else
            append_value(p, i, &i->operands[number].value[0]);
    }
    if (*kinds == '|')
        text_append_format(p->out, "%sshflviz_q", comma);
    text_append(p->out, "))); ");
    if (i->operands[0].predicate.length)
        text_append_format(p->out, "%s = shflviz_q; ", i->operands[0].predicate.data);
    text_append(p->out, "(void)shflviz_q; }");
}

/* True if the operands are of the row's kinds. */
static bool fits(const struct instruction *i, const struct ptx_row *row) {
    const char *kinds = row->operands + (row->operands[0] == '@');
    for (size_t number = 0; kinds[number]; number++) {
        const struct operand *operand = &i->operands[number];
        if (operand->kind != (kinds[number] == 'm' ? MEMORY : VALUE) ||
            (operand->predicate.length && kinds[number] != '|') ||
            (operand->value[0].length == 0 && !strchr("=|", kinds[number])))
            return false;
    }
    return true;
}

/* ld.v4.f32 {a, b, c, d}, [m]; st.v2.u32 [m], {a, b}; the same without a vector. */
static int write_access(struct ptx *p, const struct instruction *i, bool loads) {
    const struct operand *memory = &i->operands[loads], *values = &i->operands[!loads];
    if (i->count != 2 || memory->kind != MEMORY || i->type_count != 1 ||
        values->kind != (i->vector ? VECTOR : VALUE) || values->predicate.length ||
        values->count != (i->vector ? i->vector : 1) || !ptx_row(i->name, i->types, 1, 2))
        return ptx_unsupported(p, i->text);
    text_append(p->out, "{ const auto shflviz_a = ");
    ptx_append_address(p, i, loads);
    text_append(p->out, "; ");
    for (size_t part = 0; part < values->count; part++) {
        const char *value = values->value[part].data;
        if (loads && *value)
            text_append_format(p->out, PTX_NAMESPACE "put(%s, ", value);
        append_call(p, i, i->name);
        text_append_format(p->out, "shflviz_a, %zu", part);
        text_append_format(p->out, loads ? ")%s; " : ", %s); ", loads && *value ? ")" : value);
    }
    text_append(p->out, "}");
    return 0;
}

/* mov.b64 d, {low, high}; mov.b64 {low, high}, a; plain moves are in the table. */
static int write_pack(struct ptx *p, const struct instruction *i) {
    const struct operand *to = &i->operands[0], *from = &i->operands[1];
    if (i->count != 2 || i->type_count != 1 || i->types[0][0] != 'b' || to->kind == from->kind ||
        to->kind == MEMORY || from->kind == MEMORY)
        return ptx_unsupported(p, i->text);
    const struct operand *parts = to->kind == VECTOR ? to : from;
    if (parts->count > 4)
        return ptx_unsupported(p, i->text);
    text_append_format(p->out, "{ " PTX_NAMESPACE "%s shflviz_a = ", i->types[0]);
    if (parts == to)
        text_append_format(p->out, PTX_NAMESPACE "as<" PTX_NAMESPACE "%s>(%s); ", i->types[0],
                           from->value[0].data);
    else
        text_append(p->out, "0; ");
    for (size_t part = 0; part < parts->count; part++)
        if (parts->value[part].length)
            text_append_format(p->out, PTX_NAMESPACE "%s<%zu, %zu>(shflviz_a, %s); ",
                               parts == to ? "unpack" : "pack", part, parts->count,
                               parts->value[part].data);
    if (parts == from && to->value[0].length)
        text_append_format(p->out, PTX_NAMESPACE "put(%s, shflviz_a); ", to->value[0].data);
    text_append(p->out, "}");
    return 0;
}

static int write_instruction(struct ptx *p, struct instruction *i) {
    if (i->order)
        text_append_format(p->out, "cpu_access_next(%u); ", i->order);
    if (strcmp(i->opcode, "ld") == 0 || strcmp(i->opcode, "st") == 0)
        return write_access(p, i, i->opcode[0] == 'l');
    if (ptx_is_matrix(i))
        return ptx_write_matrix(p, i);
    if (strcmp(i->opcode, "mov") == 0 && i->count == 2 &&
        (i->operands[0].kind == VECTOR || i->operands[1].kind == VECTOR))
        return write_pack(p, i);
    const struct ptx_row *row =
        i->vector ? NULL : ptx_row(i->name, (const char(*)[8])i->types, i->type_count, i->count);
    if (!row || !fits(i, row))
        return ptx_unsupported(p, i->text);
    write_call(p, i, row);
    return 0;
}

/* ---- statements ---- */

static int take_branch(struct ptx *p, const char *from) {
    while (p->at < p->end && *p->at == '.')
        p->at += 4; /* .uni */
    ptx_skip_blanks(p);
    const char *name = p->at, *end = ptx_word_end(p);
    text_append(p->out, "goto ");
    ptx_append_name(p->out, name, (size_t)(end - name));
    text_append_char(p->out, ';');
    p->at = end;
    return end > name && ptx_take(p, ';') ? 0 : ptx_unsupported(p, from);
}

static void instruction_release(struct instruction *i) {
    text_release(&i->tags);
    for (size_t number = 0; number < PTX_OPERANDS; number++) {
        for (size_t value = 0; value < PTX_VALUES; value++)
            text_release(&i->operands[number].value[value]);
        text_release(&i->operands[number].predicate);
    }
}

static int take_instruction(struct ptx *p) {
    struct instruction i = {.tags = TEXT_INIT, .text = p->at};
    const char *end = ptx_word_end(p);
    const size_t length = (size_t)(end - p->at);
    if (length == 0 || length >= sizeof i.opcode)
        return ptx_unsupported(p, p->at);
    memcpy(i.opcode, p->at, length);
    memcpy(i.name, p->at, length);
    p->at = end;
    if (strcmp(i.opcode, "bra") == 0)
        return take_branch(p, i.text);
    for (size_t number = 0; number < PTX_OPERANDS; number++) {
        for (size_t value = 0; value < PTX_VALUES; value++)
            text_init(&i.operands[number].value[value]);
        text_init(&i.operands[number].predicate);
    }
    int status = take_modifiers(p, &i);
    ptx_skip_blanks(p);
    if (status == 0 && p->at < p->end && *p->at != ';')
        do
            status = ptx_take_operand(p, &i);
        while (status == 0 && ptx_take(p, ','));
    ptx_skip_blanks(p);
    if (status == 0 && p->at < p->end && *p->at != ';')
        status = ptx_unsupported(p, i.text);
    p->at += p->at < p->end;
    if (status == 0)
        status = write_instruction(p, &i);
    instruction_release(&i);
    return status;
}

/* @p, @!p: the instruction is executed if the predicate is true. */
static int take_guard(struct ptx *p) {
    const char *from = p->at++;
    struct text value = TEXT_INIT;
    int status = ptx_take_value(p, from, &value);
    text_append_format(p->out, "if (%s) ", value.data);
    text_release(&value);
    ptx_skip_blanks(p);
    if (status != 0)
        return status;
    text_append(p->out, "{ ");
    status = take_instruction(p);
    text_append(p->out, " }");
    return status;
}

/* p<4> is p0, p1, p2, p3. */
static int declare_registers(struct ptx *p, const char *from, const char *name, size_t length,
                             const char *type) {
    unsigned long count = 0;
    if (ptx_take(p, '<')) {
        char *after;
        count = strtoul(p->at, &after, 10);
        p->at = after;
        if (count == 0 || count > 1000 || !ptx_take(p, '>'))
            return ptx_unsupported(p, from);
    }
    for (unsigned long number = 0; number < (count ? count : 1); number++) {
        struct text full = TEXT_INIT;
        text_append_bytes(&full, name, length);
        if (count)
            text_append_format(&full, "%lu", number);
        ptx_declare(p, full.data, full.length);
        text_release(&full);
        text_append_format(p->out, PTX_NAMESPACE "%s %s; ", type,
                           p->declared[p->declared_count - 1].name.data);
    }
    return 0;
}

/* .reg .u32 a, b, c<4>; after .reg */
static int take_registers(struct ptx *p, const char *from) {
    char type[8] = "";
    ptx_skip_blanks(p);
    const char *word = p->at + 1;
    if (p->at < p->end && *p->at == '.')
        p->at++;
    const size_t length = (size_t)(ptx_word_end(p) - word);
    if (!ptx_is_type(word, length))
        return ptx_unsupported(p, from);
    memcpy(type, word, length);
    p->at += length;
    do {
        ptx_skip_blanks(p);
        const char *name = p->at;
        p->at += p->at < p->end && *p->at == '%';
        p->at = ptx_word_end(p);
        if (p->at == name || declare_registers(p, from, name, (size_t)(p->at - name), type) != 0)
            return ptx_unsupported(p, from);
    } while (ptx_take(p, ','));
    return ptx_take(p, ';') ? 0 : ptx_unsupported(p, from);
}

static int take_statement(struct ptx *p) {
    const char c = *p->at, *end = ptx_word_end(p);
    if (c == ';') {
        p->at++;
        return 0;
    }
    if (c == '{' || c == '}') {
        p->at++;
        p->depth += c == '{' ? 1 : -1;
        ptx_forget(p, p->depth);
        text_append_char(p->out, c);
        return p->depth < 0 ? ptx_unsupported(p, p->at - 1) : 0;
    }
    if (c == '@')
        return take_guard(p);
    if (c == '.') {
        const char *from = p->at;
        if (p->end - p->at < 5 || memcmp(p->at, ".reg", 4) != 0 || ptx_is_identifier(p->at[4]))
            return ptx_unsupported(p, from);
        p->at += 4;
        return take_registers(p, from);
    }
    if (end > p->at && end < p->end && *end == ':') {
        ptx_append_name(p->out, p->at, (size_t)(end - p->at));
        text_append(p->out, ": ; ");
        p->at = end + 1;
        return 0;
    }
    return take_instruction(p);
}

/* ---- the whole ---- */

/* uint32_t &shflviz_l0, uint64_t shflviz_i1: nvcc lets a statement write an input's register,
 * without effect on the program's variable. */
static int write_parameters(struct ptx *p) {
    const struct ptx_statement *s = p->statement;
    for (size_t i = 0; i < s->count; i++) {
        const struct ptx_operand *operand = &s->operands[i];
        const char *type = ptx_operand_type(operand->letter);
        if (!type || (operand->is_output && strchr("ni", operand->letter)))
            return error_set(p->err, ERROR_USAGE, "%s:%u: %s: \"%c\"\n%s", s->file, s->line,
                             _("this constraint of inline PTX is not supported"), operand->letter,
                             _("allowed: h, r, l, q, f, d, n"));
        text_append_format(p->out, "%s%s %sshflviz_%c%zu", i ? ", " : "", type,
                           operand->is_output ? "&" : "",
                           operand->is_output ? 'l'
                           : operand->is_tied ? 't'
                                              : 'i',
                           i);
    }
    return 0;
}

/* Assigns the following text to that line of the program, for diagnostics and debuggers. */
static void append_line(struct ptx *p, unsigned line) {
    text_append_format(p->out, "\n#line %u \"", line);
    ptx_append_quoted(p->out, p->statement->file);
    text_append(p->out, "\"\n");
}

/* Writes the registers of the outputs; a register that is tied to an input begins with the input's
 * value. */
static void write_outputs(struct ptx *p) {
    const struct ptx_statement *s = p->statement;
    for (size_t i = 0; i < s->count; i++)
        if (s->operands[i].is_output)
            text_append_format(p->out, "%s shflviz_o%zu; ", ptx_operand_type(s->operands[i].letter),
                               i);
        else if (s->operands[i].is_tied)
            text_append_format(p->out,
                               "shflviz_o%zu = shflviz_t%zu; auto &shflviz_i%zu = "
                               "shflviz_o%zu; ",
                               s->operands[i].output, i, i, s->operands[i].output);
}

static int write_all(struct ptx *p) {
    unsigned line = p->statement->line;
    if (write_parameters(p) != 0)
        return -1;
    text_append(p->out, ") { ");
    write_outputs(p);
    for (ptx_skip_blanks(p); p->at < p->end; ptx_skip_blanks(p)) {
        const unsigned at = ptx_line(p, p->at);
        if (at != line)
            append_line(p, at);
        line = at;
        if (take_statement(p) != 0)
            return -1;
    }
    if (p->depth != 0)
        return ptx_unsupported(p, p->code.data);
    for (size_t i = 0; i < p->statement->count; i++)
        if (p->statement->operands[i].is_output)
            text_append_format(p->out, "shflviz_l%zu = shflviz_o%zu; ", i, i);
    text_append(p->out, "}\n");
    return 0;
}

/* If the file can be read, each instruction has its own line. */
static void read_lines(struct ptx *p, ptx_source *source, void *context) {
    struct text text = TEXT_INIT;
    const struct ptx_statement *s = p->statement;
    if (source && source(context, s->file, &text))
        ptx_lines_read(&p->lines, &text, s->line, s->column);
    text_release(&text);
}

static int write_function(struct ptx *p, size_t number) {
    ptx_strip_comments(&p->code, &p->statement->code);
    p->at = p->code.data;
    p->end = p->at + p->code.length;
    append_line(p, p->statement->line);
    text_append_format(p->out,
                       "extern \"C\" __attribute__((device, always_inline)) void "
                       "cudacpu_asm_%zu(",
                       number);
    return write_all(p);
}

int ptx_write(struct text *code, const struct text *list, ptx_source *source, void *context,
              struct error *err) {
    const char *at = list->data, *end = at + list->length;
    struct ptx_statement statement;
    int status = 0;
    text_append(code, "#include \"cudacpu/ptx/functions.h\"\n");
    for (size_t number = 0; status == 0 && ptx_statement_read(&statement, &at, end); number++) {
        struct ptx p = {.out = code, .statement = &statement, .code = TEXT_INIT, .err = err};
        read_lines(&p, source, context);
        status = write_function(&p, number);
        ptx_forget(&p, -1);
        free(p.declared);
        text_release(&p.code);
        ptx_lines_release(&p.lines);
        ptx_statement_release(&statement);
    }
    return status;
}
