/*
 * variable_expression.c - parses by precedence into parts in the order of evaluation; each part
 * takes its operands from a stack and leaves one value there. Types are those of C++: smaller
 * integers are promoted to int, and of two operands, the one of the smaller type is converted to
 * the larger type.
 */
#include "explain/variable_expression.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MOST 64
#define DEPTH_MOST 32

enum part_kind { PART_NUMBER, PART_NAME, PART_UNARY, PART_BINARY };

struct expression_part {
    enum part_kind kind;
    enum warp_type type; /* of a number */
    uint64_t bits;
    char *name;
    unsigned char op; /* an index into `binary`, or the character of a unary operator */
};

enum binary_op {
    OP_OR,
    OP_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_BIT_AND,
    OP_EQUAL,
    OP_DIFFERENT,
    OP_LESS,
    OP_MOST,
    OP_GREATER,
    OP_LEAST,
    OP_LEFT,
    OP_RIGHT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REST
};

/* Longer operators before shorter ones that they begin with. */
static const struct {
    const char *sign;
    int level;
    enum binary_op op;
} binary[] = {{"||", 1, OP_OR},       {"&&", 2, OP_AND},       {"<<", 8, OP_LEFT},
              {">>", 8, OP_RIGHT},    {"<=", 7, OP_MOST},      {">=", 7, OP_LEAST},
              {"==", 6, OP_EQUAL},    {"!=", 6, OP_DIFFERENT}, {"|", 3, OP_BIT_OR},
              {"^", 4, OP_BIT_XOR},   {"&", 5, OP_BIT_AND},    {"<", 7, OP_LESS},
              {">", 7, OP_GREATER},   {"+", 9, OP_ADD},        {"-", 9, OP_SUBTRACT},
              {"*", 10, OP_MULTIPLY}, {"/", 10, OP_DIVIDE},    {"%", 10, OP_REST}};

/* ---- parsing ---- */

struct parser {
    struct expression *to;
    const char *at;
    int depth;
    bool failed;
};

static void skip_blanks(struct parser *p) {
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static struct expression_part *add_part(struct parser *p, enum part_kind kind) {
    if (p->to->count == PARTS_MOST) {
        p->failed = true;
        p->to->count--;
        free(p->to->parts[p->to->count].name);
    }
    p->to->parts = memory_grow(p->to->parts, p->to->count + 1, sizeof(*p->to->parts));
    struct expression_part *part = &p->to->parts[p->to->count++];
    *part = (struct expression_part){.kind = kind};
    return part;
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* "sum", "mine[3]", "pair.first": the form in a recording. */
static void parse_name(struct parser *p) {
    const char *begin = p->at;
    while (is_name(*p->at) || is_digit(*p->at) || (*p->at == '.' && is_name(p->at[1])) ||
           (*p->at == '[' && is_digit(p->at[1]))) {
        if (*p->at == '[') {
            p->at += 1 + strspn(p->at + 1, "0123456789");
            if (*p->at != ']') {
                p->failed = true;
                return;
            }
        }
        p->at++;
    }
    struct text name = TEXT_INIT;
    text_append_bytes(&name, begin, (size_t)(p->at - begin));
    add_part(p, PART_NAME)->name = text_detach(&name);
}

static void parse_number(struct parser *p) {
    char *end, *real_end;
    const unsigned long long whole = strtoull(p->at, &end, 0);
    const double real = strtod(p->at, &real_end);
    struct expression_part *part = add_part(p, PART_NUMBER);
    if (real_end > end) {
        part->type = WARP_TYPE_DOUBLE;
        part->bits = warp_value_from_double(WARP_TYPE_DOUBLE, real);
        end = real_end;
        end += *end == 'f' || *end == 'F';
    } else {
        part->type = whole <= INT32_MAX ? WARP_TYPE_INT : WARP_TYPE_LONG_LONG;
        part->bits = whole;
        if (*end == 'u' || *end == 'U') {
            part->type = whole <= UINT32_MAX ? WARP_TYPE_UNSIGNED : WARP_TYPE_UNSIGNED_LONG_LONG;
            end++;
        }
    }
    p->at = end;
    p->failed = p->failed || is_name(*p->at);
}

static void parse_level(struct parser *p, int level);

static void parse_operand(struct parser *p) {
    skip_blanks(p);
    if (++p->depth > DEPTH_MOST)
        p->failed = true;
    const char c = *p->at;
    if (p->failed) {
        /* nothing follows */
    } else if (c == '-' || c == '!' || c == '~' || c == '+') {
        p->at++;
        parse_operand(p);
        add_part(p, PART_UNARY)->op = (unsigned char)c;
    } else if (c == '(') {
        p->at++;
        parse_level(p, 1);
        skip_blanks(p);
        p->failed = p->failed || *p->at != ')';
        p->at += !p->failed;
    } else if (is_digit(c) || (c == '.' && is_digit(p->at[1]))) {
        parse_number(p);
    } else if (is_name(c)) {
        parse_name(p);
    } else {
        p->failed = true;
    }
    p->depth--;
}

/* The next token's operator, if it binds at least this tightly; else -1. */
static int next_operator(struct parser *p, int level) {
    skip_blanks(p);
    for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
        if (strncmp(p->at, binary[i].sign, strlen(binary[i].sign)) == 0)
            return binary[i].level >= level ? (int)i : -1;
    return -1;
}

static void parse_level(struct parser *p, int level) {
    parse_operand(p);
    for (int found; !p->failed && (found = next_operator(p, level)) >= 0;) {
        p->at += strlen(binary[found].sign);
        parse_level(p, binary[found].level + 1);
        add_part(p, PART_BINARY)->op = (unsigned char)binary[found].op;
    }
}

static void parse_end(struct parser *p) {
    skip_blanks(p);
    const char *end = p->at;
    if (strncmp(p->at, "differs", strlen("differs")) == 0) {
        p->to->differs = true;
        p->at += strlen("differs");
        skip_blanks(p);
        end = p->at;
    }
    if (*p->at == '@') {
        char *behind;
        const unsigned long line = strtoul(p->at + 1, &behind, 10);
        p->failed = p->failed || !is_digit(p->at[1]) || line == 0 || line > UINT32_MAX;
        p->to->line = (uint32_t)line;
        p->at = behind;
        skip_blanks(p);
    }
    p->failed = p->failed || *p->at != '\0';
    struct text text = TEXT_INIT;
    text_append_bytes(&text, p->to->text, (size_t)(end - p->to->text));
    while (text.length && text.data[text.length - 1] == ' ')
        text.data[--text.length] = '\0';
    free(p->to->text);
    p->to->text = text_detach(&text);
}

int expression_parse(struct expression *expression, const char *text, struct error *err) {
    text += strspn(text, " \t");
    *expression = (struct expression){.text = memory_string(text)};
    struct parser p = {.to = expression, .at = expression->text};
    parse_level(&p, 1);
    parse_end(&p);
    if (!p.failed)
        return 0;
    return error_set(err, ERROR_USAGE,
                     _("'%s' is not an expression over local variables\nallowed: names, numbers, "
                       "mine[3], pair.first, + - * / %% << >> & | ^ < <= > >= == != && ||, and "
                       "@LINE at the end\ntry: 'sum', 'a+b', 'sum@15'"),
                     utf8_name(text));
}

void expression_release(struct expression *expression) {
    for (size_t i = 0; i < expression->count; i++)
        free(expression->parts[i].name);
    free(expression->parts);
    free(expression->text);
    *expression = (struct expression){0};
}

/* ---- evaluation ---- */

static const struct expression_value unknown = {.status = EXPRESSION_UNKNOWN};

/* The variable of that name in scope at the line: if there are several, the last, which is the
 * innermost. UINT32_MAX if there is none. */
static uint32_t find_variable(const struct trace_lines *lines, const struct trace_line *line,
                              const char *name) {
    const struct trace_function *function = trace_function(lines->trace, line->function);
    for (uint32_t i = function->variable_count; i-- > 0;)
        if (strcmp(function->variables[i].name, name) == 0 &&
            trace_line_shows(lines, line, function->first + i))
            return function->first + i;
    return UINT32_MAX;
}

static struct expression_value variable_value(const struct trace_lines *lines,
                                              const struct trace_line *line,
                                              const struct trace_line_state *state,
                                              const char *name, int lane) {
    const uint32_t variable = find_variable(lines, line, name);
    if (variable == UINT32_MAX)
        return unknown;
    const struct trace_function *function = trace_function(lines->trace, line->function);
    struct expression_value value = {.type = function->variables[variable - function->first].type};
    if (!warp_has_lane(state->set[variable], lane))
        value.status = EXPRESSION_UNSET;
    value.bits = state->value[variable][lane];
    value.is_doubtful = warp_has_lane(state->doubtful[variable], lane);
    return value;
}

static bool is_floating(enum warp_type type) {
    return warp_type_info(type)->is_floating;
}

static double as_double(struct expression_value value) {
    return warp_value_to_double(value.type, value.bits, 0);
}

/* The integer in 64 bits, with its sign. */
static uint64_t as_integer(struct expression_value value) {
    const struct warp_type_info *info = warp_type_info(value.type);
    if (info->is_floating)
        return (uint64_t)(int64_t)as_double(value);
    return info->bits == 32 && info->is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)value.bits
                                               : warp_value_mask(value.type, value.bits);
}

static enum warp_type common_type(enum warp_type a, enum warp_type b) {
    if (a == WARP_TYPE_DOUBLE || b == WARP_TYPE_DOUBLE)
        return WARP_TYPE_DOUBLE;
    if (is_floating(a) || is_floating(b))
        return is_floating(a) && is_floating(b) && a == b && a != WARP_TYPE_FLOAT ? a
                                                                                  : WARP_TYPE_FLOAT;
    const struct warp_type_info *one = warp_type_info(a), *other = warp_type_info(b);
    if (one->bits != other->bits)
        return one->bits > other->bits ? a : b;
    return one->is_signed ? b : a;
}

static struct expression_value make_value(enum warp_type type, uint64_t bits) {
    return (struct expression_value){EXPRESSION_VALUE, type, warp_value_mask(type, bits), false};
}

static struct expression_value bool_value(bool is) {
    return make_value(WARP_TYPE_INT, is);
}

static struct expression_value real_operation(enum binary_op op, enum warp_type type, double a,
                                              double b) {
    switch (op) {
    case OP_ADD:
        return make_value(type, warp_value_from_double(type, a + b));
    case OP_SUBTRACT:
        return make_value(type, warp_value_from_double(type, a - b));
    case OP_MULTIPLY:
        return make_value(type, warp_value_from_double(type, a * b));
    case OP_DIVIDE:
        return make_value(type, warp_value_from_double(type, a / b));
    case OP_EQUAL:
        return bool_value(a == b);
    case OP_DIFFERENT:
        return bool_value(a != b);
    case OP_LESS:
        return bool_value(a < b);
    case OP_MOST:
        return bool_value(a <= b);
    case OP_GREATER:
        return bool_value(a > b);
    case OP_LEAST:
        return bool_value(a >= b);
    default:
        return unknown; /* C++ has no such operator for real numbers */
    }
}

static struct expression_value divide(enum binary_op op, enum warp_type type, uint64_t a,
                                      uint64_t b) {
    const bool is_signed = warp_type_info(type)->is_signed;
    if (b == 0)
        return unknown;
    if (is_signed && b == UINT64_MAX) /* by -1: the quotient may overflow */
        return make_value(type, op == OP_DIVIDE ? 0 - a : 0);
    if (op == OP_DIVIDE)
        return make_value(type, is_signed ? (uint64_t)((int64_t)a / (int64_t)b) : a / b);
    return make_value(type, is_signed ? (uint64_t)((int64_t)a % (int64_t)b) : a % b);
}

static struct expression_value shift(enum binary_op op, struct expression_value a, uint64_t by) {
    const unsigned bits = warp_type_info(a.type)->bits;
    const uint64_t value = as_integer(a);
    if (by >= bits)
        return unknown; /* undefined */
    if (op == OP_LEFT)
        return make_value(a.type, value << by);
    return make_value(a.type, warp_type_info(a.type)->is_signed ? (uint64_t)((int64_t)value >> by)
                                                                : value >> by);
}

static bool compare_integers(enum binary_op op, bool is_signed, uint64_t a, uint64_t b) {
    const bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (op) {
    case OP_EQUAL:
        return a == b;
    case OP_DIFFERENT:
        return a != b;
    case OP_LESS:
        return less;
    case OP_MOST:
        return less || a == b;
    case OP_GREATER:
        return !less && a != b;
    default:
        return !less;
    }
}

static struct expression_value integer_operation(enum binary_op op, struct expression_value one,
                                                 struct expression_value other) {
    const enum warp_type type = common_type(one.type, other.type);
    const uint64_t a = as_integer(make_value(type, as_integer(one)));
    const uint64_t b = as_integer(make_value(type, as_integer(other)));
    switch (op) {
    case OP_ADD:
        return make_value(type, a + b);
    case OP_SUBTRACT:
        return make_value(type, a - b);
    case OP_MULTIPLY:
        return make_value(type, a * b);
    case OP_DIVIDE:
    case OP_REST:
        return divide(op, type, a, b);
    case OP_LEFT:
    case OP_RIGHT:
        return shift(op, one, as_integer(other));
    case OP_BIT_OR:
        return make_value(type, a | b);
    case OP_BIT_XOR:
        return make_value(type, a ^ b);
    case OP_BIT_AND:
        return make_value(type, a & b);
    default:
        return bool_value(compare_integers(op, warp_type_info(type)->is_signed, a, b));
    }
}

static bool is_true(struct expression_value value) {
    return is_floating(value.type) ? as_double(value) != 0 : as_integer(value) != 0;
}

static struct expression_value apply_binary(enum binary_op op, struct expression_value a,
                                            struct expression_value b) {
    if (a.status != EXPRESSION_VALUE)
        return a;
    if (b.status != EXPRESSION_VALUE)
        return b;
    if (op == OP_AND || op == OP_OR)
        return bool_value(op == OP_AND ? is_true(a) && is_true(b) : is_true(a) || is_true(b));
    if (!is_floating(a.type) && !is_floating(b.type))
        return integer_operation(op, a, b);
    return real_operation(op, common_type(a.type, b.type), as_double(a), as_double(b));
}

static struct expression_value apply_unary(unsigned char op, struct expression_value a) {
    if (a.status != EXPRESSION_VALUE || op == '+')
        return a;
    if (op == '!')
        return bool_value(!is_true(a));
    if (is_floating(a.type))
        return op == '-' ? make_value(a.type, warp_value_from_double(a.type, -as_double(a)))
                         : unknown;
    return make_value(a.type, op == '-' ? 0 - as_integer(a) : ~as_integer(a));
}

struct expression_value expression_value(const struct expression *expression,
                                         const struct trace_lines *lines,
                                         const struct trace_line *line,
                                         const struct trace_line_state *state, int lane) {
    struct expression_value stack[PARTS_MOST];
    size_t count = 0;
    bool doubtful;
    for (size_t i = 0; i < expression->count; i++) {
        const struct expression_part *part = &expression->parts[i];
        switch (part->kind) {
        case PART_NUMBER:
            stack[count++] = make_value(part->type, part->bits);
            break;
        case PART_NAME:
            stack[count++] = variable_value(lines, line, state, part->name, lane);
            break;
        case PART_UNARY:
            doubtful = stack[count - 1].is_doubtful;
            stack[count - 1] = apply_unary(part->op, stack[count - 1]);
            stack[count - 1].is_doubtful = doubtful;
            break;
        case PART_BINARY:
            count--;
            doubtful = stack[count - 1].is_doubtful || stack[count].is_doubtful;
            stack[count - 1] =
                apply_binary((enum binary_op)part->op, stack[count - 1], stack[count]);
            stack[count - 1].is_doubtful = doubtful;
            break;
        }
    }
    return count == 1 ? stack[0] : unknown;
}

uint32_t expression_holds(const struct expression *expression, const struct trace_lines *lines,
                          const struct trace_line *line, const struct trace_line_state *state) {
    struct expression_value first = unknown;
    uint32_t holding = 0;
    bool differs = false;
    const struct trace_function *function = trace_function(lines->trace, line->function);
    if (expression->line && function->lines[line->line] != expression->line)
        return 0;
    for (uint32_t left = line->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const struct expression_value value =
            expression_value(expression, lines, line, state, lane);
        if (value.status != EXPRESSION_VALUE)
            continue;
        differs = differs || (first.status == EXPRESSION_VALUE && first.bits != value.bits);
        first = value;
        if (expression->differs || is_true(value))
            holding |= UINT32_C(1) << lane;
    }
    return expression->differs && !differs ? 0 : holding;
}

/* ---- several ---- */

int expression_list_parse(struct expression_list *list, const char *text, struct error *err) {
    *list = (struct expression_list){.count = 0};
    if (strcmp(text, "all") == 0)
        return 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        struct text one = TEXT_INIT;
        if (list->count == EXPRESSIONS_MOST)
            return error_set(err, ERROR_USAGE, _("more than %d expressions\ntry: all"),
                             EXPRESSIONS_MOST);
        text_append_bytes(&one, at, length);
        const int status = expression_parse(&list->item[list->count++], one.data, err);
        text_release(&one);
        at += length;
        if (status != 0 || !*at)
            return status;
    }
}

void expression_list_release(struct expression_list *list) {
    for (size_t i = 0; i < list->count; i++)
        expression_release(&list->item[i]);
    list->count = 0;
}

static bool is_variable(const struct trace *trace, const char *name) {
    for (size_t f = 0; f < trace_function_count(trace); f++) {
        const struct trace_function *function = trace_function(trace, f);
        for (uint32_t i = 0; i < function->variable_count; i++)
            if (strcmp(function->variables[i].name, name) == 0)
                return true;
    }
    return false;
}

char *expression_unknown_name(const struct expression *expression, const struct trace *trace) {
    for (size_t i = 0; i < expression->count; i++)
        if (expression->parts[i].kind == PART_NAME &&
            !is_variable(trace, expression->parts[i].name))
            return memory_string(expression->parts[i].name);
    return NULL;
}
