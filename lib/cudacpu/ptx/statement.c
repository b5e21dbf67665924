#include "cudacpu/ptx/statement.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Up to the next NUL. */
static const char *take_field(const char **at, const char *end) {
    const char *field = *at, *nul = memchr(field, '\0', (size_t)(end - field));
    *at = nul ? nul + 1 : end;
    return nul ? field : NULL;
}

/* LLVM writes $0 or ${0:b} for an operand, $$ for a dollar and ${:uid} for a number unique to the
 * statement, which labels do not need in a function of their own. */
static void read_code(struct text *code, const char *from) {
    for (; *from; from++) {
        if (*from != '$') {
            text_append_char(code, *from);
        } else if (from[1] == '{') {
            from += 2;
            if (isdigit((unsigned char)*from))
                text_append_char(code, '%');
            for (; isdigit((unsigned char)*from); from++)
                text_append_char(code, *from);
            from += strcspn(from, "}");
            if (!*from)
                return;
        } else if (isdigit((unsigned char)from[1])) {
            text_append_char(code, '%');
        } else {
            text_append_char(code, '$');
            from += from[1] == '$';
        }
    }
}

/* "=&r", "l", "0"; clobbers such as "~{memory}" are not operands. */
static void read_operand(struct ptx_statement *s, const char *constraint) {
    if (*constraint == '~' || *constraint == ',' || *constraint == '\0')
        return;
    s->operands = memory_grow(s->operands, s->count + 1, sizeof *s->operands);
    struct ptx_operand *operand = &s->operands[s->count++];
    *operand = (struct ptx_operand){.is_output = *constraint == '='};
    constraint += strspn(constraint, "=&%");
    operand->letter = *constraint;
    if (!isdigit((unsigned char)*constraint))
        return;
    operand->output = strtoul(constraint, NULL, 10);
    operand->is_tied = operand->output < s->count - 1; /* an operand before this one */
    if (operand->is_tied)
        operand->letter = s->operands[operand->output].letter;
}

bool ptx_statement_read(struct ptx_statement *statement, const char **at, const char *end) {
    const char *place = take_field(at, end), *file = take_field(at, end);
    const char *function = take_field(at, end), *constraints = take_field(at, end);
    const char *code = take_field(at, end);
    if (!code)
        return false;
    char *column;
    const unsigned line = (unsigned)strtoul(place, &column, 10);
    *statement = (struct ptx_statement){.file = file,
                                        .function = function,
                                        .line = line,
                                        .column = (unsigned)strtoul(column, NULL, 10),
                                        .code = TEXT_INIT};
    read_code(&statement->code, code);
    for (const char *next = constraints; *next; next += *next == ',') {
        read_operand(statement, next);
        next += strcspn(next, ",");
    }
    return true;
}

void ptx_statement_release(struct ptx_statement *statement) {
    text_release(&statement->code);
    free(statement->operands);
}

const char *ptx_operand_type(char letter) {
    switch (letter) {
    case 'h':
        return "uint16_t";
    case 'r':
        return "uint32_t";
    case 'l':
        return "uint64_t";
    case 'q':
        return "unsigned __int128";
    case 'f':
        return "float";
    case 'd':
        return "double";
    case 'n':
    case 'i':
        return "int64_t";
    default:
        return NULL;
    }
}
