#include "cudacpu/ptx/ptx.h"

#include "base/message.h"
#include "cudacpu/frontend/preprocessed.h"
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
    case PTX_FENCED:
        i->fenced = i->atomic = true;
        break;
    case PTX_ATOMIC:
        i->atomic = true;
        break;
    case PTX_NOTHING:
        break;
    }
    return 0;
}

/* Behind the opcode: .lo.s32 */
static int take_modifiers(struct ptx *p, struct instruction *i) {
    while (p->at < p->end && *p->at == '.') {
        const char *word = ++p->at;
        while (p->at < p->end && (is_name(*p->at) || *p->at == ':'))
            p->at++;
        if (take_modifier(p, i, word, (size_t)(p->at - word)) != 0)
            return -1;
    }
    if (i->atomic && (strcmp(i->name, "ld") == 0 || strcmp(i->name, "st") == 0))
        strcat(i->name, "_atomic");
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

static void append_site(struct ptx *p, const struct instruction *i) {
    struct text source = TEXT_INIT;
    ptx_append_source(p, i->text, &source);
    text_append(p->out, "(__extension__({ static const ::shflviz_site shflviz_site_ = {\"");
    text_append_bytes(p->out, p->file, p->file_length);
    text_append(p->out, "\", __func__, \"");
    append_quoted(p->out, source.data, source.length);
    text_append_format(p->out, "\", %u}; &shflviz_site_; }))", p->line);
    text_release(&source);
}

static void append_value(struct ptx *p, const struct instruction *i, const struct text *value) {
    text_append_format(p->out, i->flush ? PTX_NAMESPACE "flushed(%s)" : "%s", value->data);
}

/* Only the first address of an instruction is one of shared memory: cp.async has another. */
static void append_address(struct ptx *p, const struct instruction *i, size_t number) {
    const struct operand *operand = &i->operands[number];
    text_append_format(p->out, PTX_NAMESPACE "%s(%s, %s)",
                       i->shared && number <= (i->opcode[0] != 'c') ? "at_shared" : "at",
                       operand->value[0].data, operand->value[1].data);
}

/* The call of a row, whose operands fit. */
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
        append_site(p, i);
        comma = ", ";
    }
    for (size_t number = keeps; kinds[number]; number++, comma = ", ") {
        text_append(p->out, comma);
        if (kinds[number] == 'm')
            append_address(p, i, number);
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

/* Whether the operands are of the row's kinds. */
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
    p->result->uses_volatile = p->result->uses_volatile || strstr(i->name, "volatile");
    text_append(p->out, "{ const auto shflviz_a = ");
    append_address(p, i, loads);
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

/* mov.b64 d, {low, high}; mov.b64 {low, high}, a; plain ones are in the table. */
static int write_pack(struct ptx *p, const struct instruction *i) {
    const struct operand *to = &i->operands[0], *from = &i->operands[1];
    if (i->count != 2 || i->type_count != 1 || i->types[0][0] != 'b' || to->kind == from->kind ||
        to->kind == MEMORY || from->kind == MEMORY)
        return ptx_unsupported(p, i->text);
    const struct operand *parts = to->kind == VECTOR ? to : from;
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

static int write_instruction(struct ptx *p, const struct instruction *i) {
    if (i->fenced)
        text_append(p->out, "cpu_fence(); ");
    if (strcmp(i->opcode, "ld") == 0 || strcmp(i->opcode, "st") == 0)
        return write_access(p, i, i->opcode[0] == 'l');
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
    if (length == 0 || length >= sizeof i.opcode || !ptx_is_opcode(p->at, length))
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

/* @p, @!p: what follows happens if it holds. */
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

/* .reg .u32 a, b, c<4>; behind .reg */
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
        p->at += p->at + 1 < p->end && *p->at == '%' && p->at[1] == '%';
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
        if (p->end - p->at < 5 || memcmp(p->at, ".reg", 4) != 0 || is_name(p->at[4]))
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

/* Comments become blanks. */
static void take_comments_away(struct text *to, const struct text *template) {
    const char *at = template->data, *end = at + template->length;
    while (at < end)
        if (at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n')
                at++;
        } else if (at[0] == '/' && at[1] == '*') {
            for (at += 2; at < end && !(at[0] == '*' && at[1] == '/'); at++)
                if (*at == ASM_LINE_END)
                    text_append_char(to, *at);
            at = at < end ? at + 2 : end;
            text_append_char(to, ' ');
        } else {
            text_append_char(to, *at++);
        }
}

/* See ptx.h. */
static bool is_ptx(const struct text *template) {
    const char *at = template->data;
    while (isspace((unsigned char)*at) || *at == '{' || *at == ASM_LINE_END || *at == ';')
        at++;
    if (*at == '@') {
        at++;
        at += *at == '!';
        while (ptx_is_identifier(*at) || *at == '%')
            at++;
        while (isspace((unsigned char)*at))
            at++;
    }
    if (strncmp(at, ".reg", 4) == 0 && isspace((unsigned char)at[4]))
        return true;
    size_t length = 0;
    while (ptx_is_identifier(at[length]))
        length++;
    static const char *const bare[] = {"trap", "exit", "brkpt"};
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++)
        if (length == strlen(bare[i]) && memcmp(at, bare[i], length) == 0 && at[length] == ';')
            return true;
    return length && at[length] == '.' && ptx_is_opcode(at, length);
}

/* Labels belong to this statement alone. */
static void write_labels(struct ptx *p) {
    for (const char *at = p->template.data; at < p->end; at++) {
        const char *from = at;
        while (at < p->end && ptx_is_identifier(*at))
            at++;
        if (at > from && at + 1 < p->end && *at == ':' && at[1] != ':' &&
            (from == p->template.data || from[-1] != ':')) {
            text_append(p->out, "__label__ ");
            ptx_append_name(p->out, from, (size_t)(at - from));
            text_append(p->out, "; ");
        }
    }
}

/* The registers that the program's expressions are in. */
static int write_operands(struct ptx *p) {
    const struct asm_statement *s = p->statement;
    for (size_t i = 0; i < s->count; i++) {
        const struct asm_operand *operand = &s->operands[i];
        const char *text = operand->expression.data;
        const char c = operand->constraint;
        if (!strchr("hrlfdnC0123456789", c) || (operand->is_output && !strchr("hrlfd", c)))
            return error_set(p->err, ERROR_USAGE, "%.*s:%u: %s: \"%c\"\n%s", (int)p->file_length,
                             p->file, p->line, _("this constraint of inline PTX is not supported"),
                             c, _("allowed: h, r, l, f, d, n"));
        if (operand->is_output) {
            text_append_format(p->out, "auto &&shflviz_l%zu = %s; ", i, text);
            text_append_format(
                p->out, PTX_NAMESPACE "reg<'%c', decltype(shflviz_l%zu)> shflviz_o%zu", c, i, i);
            if (operand->is_both)
                text_append_format(p->out, " = " PTX_NAMESPACE "in<'%c'>(shflviz_l%zu)", c, i);
            text_append(p->out, "; ");
        } else if (isdigit((unsigned char)c)) {
            text_append_format(
                p->out, PTX_NAMESPACE "put(shflviz_o%c, %s); auto &shflviz_i%zu = ", c, text, i);
            text_append_format(p->out, "shflviz_o%c; ", c);
        } else {
            text_append_format(p->out, "const auto shflviz_i%zu = " PTX_NAMESPACE "in<'%c'>(%s); ",
                               i, c, text);
        }
    }
    return 0;
}

static int write_all(struct ptx *p) {
    text_append(p->out, "(__extension__({ ");
    write_labels(p);
    if (write_operands(p) != 0)
        return -1;
    for (ptx_skip_blanks(p); p->at < p->end; ptx_skip_blanks(p))
        if (take_statement(p) != 0)
            return -1;
    if (p->depth != 0)
        return ptx_unsupported(p, p->template.data);
    for (size_t i = 0; i < p->statement->count; i++)
        if (p->statement->operands[i].is_output)
            text_append_format(p->out, PTX_NAMESPACE "out(shflviz_l%zu, shflviz_o%zu); ", i, i);
    text_append(p->out, "(void)0; }))");
    return 0;
}

int ptx_translate(struct ptx_result *result, const struct ptx_source *source, struct error *err) {
    struct asm_statement statement;
    *result = (struct ptx_result){.text = TEXT_INIT};
    struct ptx p = {.out = &result->text,
                    .statement = &statement,
                    .file = source->file,
                    .file_length = source->file_length,
                    .template = TEXT_INIT,
                    .line = source->line,
                    .result = result,
                    .err = err};
    int status = 0;
    const bool is_statement = asm_statement_read(&statement, source->at, source->end);
    take_comments_away(&p.template, &statement.template);
    if (is_statement && is_ptx(&p.template)) {
        p.at = p.template.data;
        p.end = p.at + p.template.length;
        result->after = statement.end;
        status = write_all(&p);
    }
    ptx_forget(&p, -1);
    free(p.declared);
    text_release(&p.template);
    asm_statement_release(&statement);
    return status;
}

void ptx_result_release(struct ptx_result *result) {
    text_release(&result->text);
}
