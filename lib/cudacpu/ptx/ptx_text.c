/*
 * Reads pieces from left to right. A message quotes the piece at which reading stopped, and says
 * whether a newer GPU supports it.
 */
#include "cudacpu/ptx/ptx_text.h"

#include "base/memory.h"
#include "base/message.h"
#include "cudacpu/ptx/ptx_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of instructions in messages and sites ---- */

void ptx_append_source(const struct ptx *p, const char *from, struct text *text) {
    bool blank = false;
    for (; from < p->end && *from != ';'; from++) {
        if (isspace((unsigned char)*from)) {
            blank = text->length > 0;
            continue;
        }
        if (blank)
            text_append_char(text, ' ');
        blank = false;
        text_append_char(text, *from);
    }
}

unsigned ptx_line(const struct ptx *p, const char *from) {
    const bool is_known = p->lines.count == ptx_mark_count(p->code.data, p->end) + 1;
    return is_known ? p->lines.line[ptx_mark_count(p->code.data, from)] : p->statement->line;
}

/* Fails with a line for the reason ("" for none) before the line that says what is allowed. */
static int fail(const struct ptx *p, const char *from, const char *what, const char *reason) {
    struct text source = TEXT_INIT;
    ptx_append_source(p, from, &source);
    int status = error_set(p->err, ERROR_USAGE, "%s:%u: %s: %s\n%s%s%s", p->statement->file,
                           ptx_line(p, from), what, source.data, reason, *reason ? "\n" : "",
                           _("allowed: what docs/CUDA.md lists under Inline PTX"));
    text_release(&source);
    return status;
}

int ptx_fail(const struct ptx *p, const char *from, const char *what) {
    return fail(p, from, what, "");
}

/* Instructions that only newer GPUs have, or whose effect no register of a lane shows. */
static const struct {
    const char *start, *reason;
} absent[] = {
    {"wgmma.",
     N_("wgmma multiplies matrices in shared memory, with four warps at once, on sm_90a")},
    {"tcgen05.", N_("tcgen05 works on tensor memory, first available on sm_100")},
    {"cp.async.bulk", N_("bulk and tensor-map copies (TMA) need sm_90 or later")},
    {"cp.reduce.async.bulk", N_("bulk and tensor-map copies (TMA) need sm_90 or later")},
    {"barrier.cluster", N_("clusters of blocks need sm_90 or later")},
    {"mapa.", N_("clusters of blocks need sm_90 or later")},
    {"getctarank.", N_("clusters of blocks need sm_90 or later")},
    {"setmaxnreg.", N_("passing registers between warps needs sm_90 or later")},
    {"griddepcontrol.", N_("waiting for an earlier grid needs sm_90 or later")},
    {"multimem.", N_("memory of several GPUs needs sm_90 or later")},
    {"mma.sp", N_("sparse products are not supported")},
    {"wmma.", N_("PTX leaves wmma's registers unspecified; use nvcuda::wmma from <mma.h>")},
};

int ptx_unsupported(const struct ptx *p, const char *from) {
    const char *reason = "";
    while (from < p->end && isspace((unsigned char)*from))
        from++;
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        const size_t length = strlen(absent[i].start);
        if ((size_t)(p->end - from) >= length && memcmp(from, absent[i].start, length) == 0)
            reason = _(absent[i].reason);
    }
    return fail(p, from, _("this PTX is not supported"), reason);
}

/* ---- small pieces ---- */

void ptx_skip_blanks(struct ptx *p) {
    while (p->at < p->end && isspace((unsigned char)*p->at))
        p->at++;
}

bool ptx_take(struct ptx *p, char c) {
    ptx_skip_blanks(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool ptx_is_identifier(char c) {
    return is_name(c) || c == '$';
}

void ptx_append_quoted(struct text *text, const char *string) {
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            text_append_char(text, '\\');
        text_append_char(text, *string);
    }
}

/* A name of PTX in C++. */
void ptx_append_name(struct text *text, const char *from, size_t length) {
    text_append(text, "shflviz_r_");
    for (size_t i = 0; i < length; i++)
        if (is_name(from[i]))
            text_append_char(text, from[i]);
        else
            text_append(text, from[i] == '%' ? "_p" : "_d");
}

static bool is_declared(const struct ptx *p, const char *name) {
    for (size_t i = 0; i < p->declared_count; i++)
        if (strcmp(p->declared[i].name.data, name) == 0)
            return true;
    return false;
}

void ptx_declare(struct ptx *p, const char *from, size_t length) {
    p->declared = memory_grow(p->declared, p->declared_count + 1, sizeof *p->declared);
    struct declared *new = &p->declared[p->declared_count++];
    *new = (struct declared){.name = TEXT_INIT, .depth = p->depth};
    ptx_append_name(&new->name, from, length);
}

void ptx_forget(struct ptx *p, int depth) {
    while (p->declared_count && p->declared[p->declared_count - 1].depth > depth)
        text_release(&p->declared[--p->declared_count].name);
}

/* ---- values ---- */

static void append_operand(const struct ptx *p, size_t number, struct text *to) {
    text_append_format(to, "shflviz_%c%zu", p->statement->operands[number].is_output ? 'o' : 'i',
                       number);
}

/* %0, %laneid, %r1: after the percent sign. */
static int take_percent(struct ptx *p, const char *from, struct text *to) {
    const struct ptx_statement *s = p->statement;
    if (isdigit((unsigned char)*p->at)) {
        char *after;
        unsigned long number = strtoul(p->at, &after, 10);
        p->at = after;
        if (number >= s->count)
            return ptx_fail(p, from, _("no operand has that number"));
        append_operand(p, number, to);
        return 0;
    }
    const char *name = p->at;
    while (p->at < p->end && (ptx_is_identifier(*p->at) || *p->at == '.'))
        p->at++;
    const char *call = ptx_special_register(name, (size_t)(p->at - name));
    if (call) {
        text_append_format(to, PTX_NAMESPACE "%s", call);
        return 0;
    }
    struct text own = TEXT_INIT;
    ptx_append_name(&own, name - 1, (size_t)(p->at - name) + 1);
    const bool is_own = is_declared(p, own.data);
    text_append(to, own.data);
    text_release(&own);
    return is_own ? 0 : ptx_fail(p, from, _("there is no such register"));
}

/* 12, -1, 0xff, (32-4)<<8, 0f3F800000, 1.5 */
static void take_number(struct ptx *p, struct text *to) {
    if (p->end - p->at > 2 && *p->at == '0' && strchr("fFdD", p->at[1]) &&
        isxdigit((unsigned char)p->at[2])) {
        const bool wide = p->at[1] == 'd' || p->at[1] == 'D';
        text_append(to, wide ? PTX_NAMESPACE "double_of(0x" : PTX_NAMESPACE "float_of(0x");
        for (p->at += 2; isxdigit((unsigned char)*p->at); p->at++)
            text_append_char(to, *p->at);
        text_append_char(to, ')');
        return;
    }
    int depth = 0;
    text_append_char(to, '(');
    for (; p->at < p->end && !strchr(depth ? ";" : ",;]}", *p->at); p->at++) {
        depth += (*p->at == '(') - (*p->at == ')');
        text_append_char(to, isspace((unsigned char)*p->at) ? ' ' : *p->at);
    }
    text_append_char(to, ')');
}

/* One value; `to` stays empty for "_", which discards the result. */
int ptx_take_value(struct ptx *p, const char *from, struct text *to) {
    const bool is_not = ptx_take(p, '!');
    ptx_skip_blanks(p);
    if (is_not)
        text_append_char(to, '!');
    if (p->at == p->end)
        return ptx_unsupported(p, from);
    if (*p->at == '%') {
        p->at++;
        return take_percent(p, from, to);
    }
    if (isdigit((unsigned char)*p->at) || strchr("-+(~", *p->at)) {
        take_number(p, to);
        return 0;
    }
    const char *name = p->at;
    while (p->at < p->end && ptx_is_identifier(*p->at))
        p->at++;
    const size_t length = (size_t)(p->at - name);
    if (length == 1 && *name == '_')
        return 0;
    if (length == 7 && memcmp(name, "WARP_SZ", 7) == 0) {
        text_append(to, "32");
        return 0;
    }
    struct text own = TEXT_INIT;
    ptx_append_name(&own, name, length);
    const bool is_own = is_declared(p, own.data);
    text_append(to, own.data);
    text_release(&own);
    return is_own ? 0 : ptx_fail(p, from, _("there is no such register"));
}

/* ---- operands ---- */

static int take_vector(struct ptx *p, const char *from, struct operand *operand) {
    operand->kind = VECTOR;
    do {
        if (operand->count == PTX_VALUES)
            return ptx_unsupported(p, from);
        struct text *value = &operand->value[operand->count++];
        if (ptx_take_value(p, from, value) != 0)
            return -1;
    } while (ptx_take(p, ','));
    return ptx_take(p, '}') ? 0 : ptx_unsupported(p, from);
}

static int take_memory(struct ptx *p, const char *from, struct operand *operand) {
    operand->kind = MEMORY;
    operand->count = 2;
    if (ptx_take_value(p, from, &operand->value[0]) != 0)
        return -1;
    const bool more = ptx_take(p, '+');
    ptx_skip_blanks(p);
    if (more || (p->at < p->end && *p->at == '-')) {
        if (ptx_take_value(p, from, &operand->value[1]) != 0)
            return -1;
    } else {
        text_append_char(&operand->value[1], '0');
    }
    return ptx_take(p, ']') ? 0 : ptx_unsupported(p, from);
}

int ptx_take_operand(struct ptx *p, struct instruction *i) {
    if (i->count == PTX_OPERANDS)
        return ptx_unsupported(p, i->text);
    struct operand *operand = &i->operands[i->count++];
    if (ptx_take(p, '{'))
        return take_vector(p, i->text, operand);
    if (ptx_take(p, '['))
        return take_memory(p, i->text, operand);
    operand->count = 1;
    if (ptx_take_value(p, i->text, &operand->value[0]) != 0)
        return -1;
    return ptx_take(p, '|') ? ptx_take_value(p, i->text, &operand->predicate) : 0;
}

const char *ptx_word_end(const struct ptx *p) {
    const char *at = p->at;
    while (at < p->end && ptx_is_identifier(*at))
        at++;
    return at;
}
