/*
 * matrix.c - mma.sync, ldmatrix, stmatrix and movmatrix as calls: registers in braces become
 * arrays of u64, which include/cudacpu/ptx/matrix.h accepts. lib/warp's fragment.h lists
 * the forms and the number of registers of each operand.
 */
#include "cudacpu/ptx/ptx_text.h"
#include "warp/fragment.h"

#include <string.h>

bool ptx_is_matrix(const struct instruction *i) {
    static const char *const known[] = {"mma", "ldmatrix", "stmatrix", "movmatrix"};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (strcmp(i->opcode, known[n]) == 0)
            return true;
    return false;
}

/* The instruction's name with all its modifiers. */
static void append_name(const struct ptx *p, const struct instruction *i, struct text *name) {
    const char *end = i->text;
    while (end < p->end && (ptx_is_identifier(*end) || *end == '.' || *end == ':'))
        end++;
    text_append_bytes(name, i->text, (size_t)(end - i->text));
}

static bool has_count(const struct operand *operand, size_t count) {
    return operand->kind != MEMORY && operand->count == count && !operand->predicate.length;
}

/* "const u64 shflviz_a[] = {as<u32>(x), ...}; " */
static bool append_array(struct ptx *p, char letter, const struct operand *operand, bool wide) {
    text_append_format(p->out, "const " PTX_NAMESPACE "u64 shflviz_%c[] = {", letter);
    for (size_t n = 0; n < operand->count; n++) {
        if (operand->value[n].length == 0)
            return false;
        text_append_format(p->out, "%s" PTX_NAMESPACE "as<" PTX_NAMESPACE "%s>(%s)", n ? ", " : "",
                           wide ? "u64" : "u32", operand->value[n].data);
    }
    text_append(p->out, "}; ");
    return true;
}

static void append_results(struct ptx *p, const struct operand *operand, bool wide) {
    for (size_t n = 0; n < operand->count; n++)
        if (operand->value[n].length)
            text_append_format(p->out,
                               PTX_NAMESPACE "put(%s, (" PTX_NAMESPACE "%s)shflviz_d[%zu]); ",
                               operand->value[n].data, wide ? "u64" : "u32", n);
}

static size_t registers(const struct fragment *fragment) {
    return (size_t)(fragment_elements(fragment) / fragment_per_register(fragment));
}

static int write_mma(struct ptx *p, const struct instruction *i, const char *name) {
    struct mma mma;
    const char *word;
    size_t length;
    const struct operand *o = i->operands;
    if (mma_read(&mma, name, &word, &length) != MMA_GOOD || i->type_count != 4 || i->count != 4 ||
        !has_count(&o[0], registers(&mma.d)) || !has_count(&o[1], registers(&mma.a)) ||
        !has_count(&o[2], registers(&mma.b)) || !has_count(&o[3], registers(&mma.c)))
        return ptx_unsupported(p, i->text);
    const bool wide = mma.a.type == FRAGMENT_F64;
    text_append_format(p->out, "{ " PTX_NAMESPACE "u64 shflviz_d[%zu]; ", o[0].count);
    if (!append_array(p, 'a', &o[1], wide) || !append_array(p, 'b', &o[2], wide) ||
        !append_array(p, 'c', &o[3], wide))
        return ptx_unsupported(p, i->text);
    text_append(p->out, PTX_NAMESPACE "i_mma(");
    ptx_append_site(p, i);
    text_append_format(p->out, ", \"%s\", shflviz_a, shflviz_b, shflviz_c, shflviz_d); ", name);
    append_results(p, &o[0], wide);
    text_append_char(p->out, '}');
    return 0;
}

static bool has_word(const char *name, const char *wanted) {
    const size_t length = strlen(wanted);
    for (const char *at = name; at; at = strchr(at, '.')) {
        at += *at == '.';
        if (strncmp(at, wanted, length) == 0 && (at[length] == '.' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* ldmatrix and stmatrix: .m8n8 of 16 bits. */
static int write_move(struct ptx *p, struct instruction *i, const char *name, bool loads) {
    const int matrices = has_word(name, "x4") ? 4 : has_word(name, "x2") ? 2 : 1;
    const struct operand *memory = &i->operands[loads], *values = &i->operands[!loads];
    if (i->count != 2 || memory->kind != MEMORY || !has_count(values, (size_t)matrices) ||
        !has_word(name, "m8n8") || !has_word(name, "b16") || i->type_count != 1)
        return ptx_unsupported(p, i->text);
    i->shared = has_word(name, "shared") || has_word(name, "shared::cta");
    text_append_format(p->out, "{ " PTX_NAMESPACE "u64 shflviz_d[%d]; ", matrices);
    if (!loads && !append_array(p, 'a', values, false))
        return ptx_unsupported(p, i->text);
    text_append_format(p->out, "(void)shflviz_d; " PTX_NAMESPACE "i_%s(", i->opcode);
    ptx_append_site(p, i);
    text_append_format(p->out, ", %d, %s, ", matrices, has_word(name, "trans") ? "true" : "false");
    ptx_append_address(p, i, loads);
    text_append(p->out, loads ? ", shflviz_d); " : ", shflviz_a); ");
    if (loads)
        append_results(p, values, false);
    text_append_char(p->out, '}');
    return 0;
}

static int write_transpose(struct ptx *p, const struct instruction *i, const char *name) {
    const struct operand *o = i->operands;
    if (i->count != 2 || !has_count(&o[0], 1) || !has_count(&o[1], 1) || !has_word(name, "trans") ||
        !has_word(name, "m8n8") || !has_word(name, "b16"))
        return ptx_unsupported(p, i->text);
    text_append(p->out, "{ " PTX_NAMESPACE "u64 shflviz_d[1]; ");
    if (!append_array(p, 'a', &o[1], false))
        return ptx_unsupported(p, i->text);
    text_append(p->out, PTX_NAMESPACE "i_movmatrix(");
    ptx_append_site(p, i);
    text_append(p->out, ", shflviz_a, shflviz_d); ");
    append_results(p, &o[0], false);
    text_append_char(p->out, '}');
    return 0;
}

int ptx_write_matrix(struct ptx *p, struct instruction *i) {
    struct text name = TEXT_INIT;
    append_name(p, i, &name);
    const int status = strcmp(i->opcode, "mma") == 0 ? write_mma(p, i, name.data)
                       : strcmp(i->opcode, "movmatrix") == 0
                           ? write_transpose(p, i, name.data)
                           : write_move(p, i, name.data, i->opcode[0] == 'l');
    text_release(&name);
    return status;
}
