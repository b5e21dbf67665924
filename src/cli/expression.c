/*
 * A text is compiled in one pass, by precedence climbing, to instructions for a stack machine. The
 * machine needs no recursion, so that a sum of a million terms evaluates in constant stack, and the
 * parser's own recursion is bounded by NESTING_LIMIT.
 */
#include "cli/expression.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/number.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTING_LIMIT 200 /* parentheses, unary operators and ?: within each other */
#define STACK_LIMIT   512 /* values that wait for their operator */
#define LANES         32

enum opcode {
    OP_END,
    OP_INTEGER,       /* push a constant */
    OP_REAL,          /* push a constant */
    OP_LANE,          /* push */
    OP_THREAD,        /* push */
    OP_NOTHING,       /* a place kept for OP_TO_REAL */
    OP_TO_REAL,       /* converts the top */
    OP_TO_REAL_BELOW, /* converts the value below the top */
    OP_JUMP,
    OP_JUMP_IF_ZERO, /* pops what it looks at */
    OP_AND,          /* jumps and keeps the top if it is 0, else pops it */
    OP_OR,           /* jumps and keeps the top if it is not 0, else pops it */
    OP_TRUTH,        /* 0 or 1 */
    OP_NOT,
    OP_NEGATE,
    OP_COMPLEMENT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_ADD,
    OP_SUBTRACT,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_BIT_AND,
    OP_BIT_XOR,
    OP_BIT_OR,
    OP_REAL_TRUTH,
    OP_REAL_NOT,
    OP_REAL_NEGATE,
    OP_REAL_MULTIPLY,
    OP_REAL_DIVIDE,
    OP_REAL_ADD,
    OP_REAL_SUBTRACT,
    OP_REAL_LESS,
    OP_REAL_LESS_EQUAL,
    OP_REAL_GREATER,
    OP_REAL_GREATER_EQUAL,
    OP_REAL_EQUAL,
    OP_REAL_NOT_EQUAL,
};

struct instruction {
    enum opcode opcode;
    size_t offset; /* of the operator in the text, for messages */
    union {
        int64_t integer;
        double real;
        size_t target; /* of a jump */
    } operand;
};

struct expression {
    struct expression_rules rules;
    char *text;
    struct instruction *code;
    size_t length, capacity;
    size_t *items;   /* where in code each item of the list begins */
    bool *item_real; /* whether it comes to a double */
    size_t item_count, item_capacity;
    bool is_random;
    uint64_t seed;
};

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Bytes of the UTF-8 character at c if a terminal can show it as it is, else 0. */
static size_t printable_bytes(const char *c) {
    const unsigned char *u = (const unsigned char *)c;
    if (u[0] < 0x80)
        return u[0] >= 0x20 && u[0] != 0x7f;
    size_t count = u[0] >= 0xf0 && u[0] <= 0xf4   ? 4
                   : u[0] >= 0xe0 && u[0] <= 0xef ? 3
                   : u[0] >= 0xc2 && u[0] <= 0xdf ? 2
                                                  : 0;
    for (size_t i = 1; i < count; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return count == 2 && u[0] == 0xc2 && u[1] < 0xa0 ? 0 : count; /* not C1 controls */
}

/* Appends the character at c, or '?' for what would disturb a terminal. Returns what follows. */
static const char *append_character(struct text *out, const char *c) {
    size_t count = printable_bytes(c);
    if (count)
        text_append_bytes(out, c, count);
    else
        text_append_char(out, *c == '\t' || *c == '\n' ? ' ' : '?');
    return c + (count ? count : 1);
}

#define EXCERPT_BEFORE 40
#define EXCERPT_AFTER  30

/* Appends two lines: the part of the text around `offset`, and a caret below it. What stands before
 * the place has been read, so it is ASCII. */
static void append_excerpt(struct text *out, const char *text, size_t offset) {
    const char *place = text + offset;
    const char *c = offset > EXCERPT_BEFORE ? place - EXCERPT_BEFORE : text;
    size_t column = 4;
    text_append(out, "\n    ");
    if (c > text) {
        text_append(out, "...");
        column += 3;
    }
    for (; c < place; column++)
        c = append_character(out, c);
    for (int i = 0; i < EXCERPT_AFTER && *c; i++)
        c = append_character(out, c);
    if (*c)
        text_append(out, "...");
    text_append_format(out, "\n%*s^", (int)column, "");
}

/* Fails with "OPTION: message", the excerpt, and lines of advice. */
static int fail_at(const struct expression *expression, size_t offset, struct error *err,
                   const char *advice, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

static int fail_at(const struct expression *expression, size_t offset, struct error *err,
                   const char *advice, const char *format, va_list arguments) {
    struct text message = TEXT_INIT;
    text_append_vformat(&message, format, arguments);
    append_excerpt(&message, expression->text, offset);
    error_set(err, ERROR_USAGE, "%s: %s\n%s", expression->rules.option, message.data, advice);
    text_release(&message);
    return -1;
}

/* ---- words ------------------------------------------------------------------------------------
 */

/* A token's symbol: its one or two characters as a number. */
#define SYMBOL(a)     ((int)(a))
#define SYMBOL2(a, b) ((int)(a) | (int)(b) << 8)

enum token_kind { TOKEN_END, TOKEN_INTEGER, TOKEN_REAL, TOKEN_NAME, TOKEN_SYMBOL };

struct token {
    enum token_kind kind;
    size_t offset, length;
    int symbol;
    uint64_t integer;
    double real;
};

struct parser {
    struct expression *expression;
    struct error *err;
    size_t cursor; /* behind the token */
    struct token token;
    int nesting;
    int stack; /* values on the stack at this point of the code */
};

static bool takes_reals(const struct expression_rules *rules) {
    return rules->type != WARP_TYPE_NONE && warp_type_info(rules->type)->is_floating;
}

static int fail(struct parser *parser, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct parser *parser, size_t offset, const char *format, ...) {
    const struct expression_rules *rules = &parser->expression->rules;
    char advice[320];
    snprintf(advice, sizeof advice,
             "allowed: %s, lane (0 to 31), thread, C's operators,\n"
             "         parentheses, a list as 1,2,3, or random:SEED\n"
             "try: %s '(lane + 1) * 2'",
             takes_reals(rules) ? "numbers (10, 0x1f, 0b101, 0.5)" : "integers (10, 0x1f, 0b101)",
             rules->option);
    va_list arguments;
    va_start(arguments, format);
    fail_at(parser->expression, offset, parser->err, advice, format, arguments);
    va_end(arguments);
    return -1;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Length of the real number at c, or 0 if there is none (an integer is none). */
static size_t real_length(const char *c) {
    const char *start = c;
    while (is_digit(*c))
        c++;
    bool digits = c > start, point = *c == '.', exponent = false;
    if (point)
        for (c++; is_digit(*c); c++)
            digits = true;
    if (!digits)
        return 0;
    if (*c == 'e' || *c == 'E') {
        const char *power = c + 1;
        if (*power == '+' || *power == '-')
            power++;
        exponent = is_digit(*power);
        if (exponent)
            for (c = power; is_digit(*c);)
                c++;
    }
    return point || exponent ? (size_t)(c - start) : 0;
}

/* The value of a real number, whatever the locale takes for a point. */
static double real_value(const char *start, size_t length) {
    struct text copy = TEXT_INIT;
    for (size_t i = 0; i < length; i++)
        if (start[i] == '.')
            text_append(&copy, localeconv()->decimal_point);
        else
            text_append_char(&copy, start[i]);
    double value = strtod(copy.data, NULL);
    text_release(&copy);
    return value;
}

static int token_number(struct parser *parser, const char *c) {
    struct token *token = &parser->token;
    enum number_problem problem = NUMBER_FINE;
    token->length = real_length(c);
    if (token->length) {
        token->kind = TOKEN_REAL;
        token->real = real_value(c, token->length);
        if (token->real > DBL_MAX)
            return fail(parser, token->offset, "'%.*s' is too large for a double",
                        (int)token->length, c);
    } else {
        const char *end;
        token->kind = TOKEN_INTEGER;
        problem = number_scan(c, &end, &token->integer);
        token->length = (size_t)(end - c);
    }
    size_t word = token->length;
    while (is_word(c[word]) || c[word] == '.')
        word++;
    int shown = word > 40 ? 40 : (int)word;
    if (problem != NUMBER_FINE)
        return fail(parser, token->offset, "'%.*s' %s", shown, c, number_problem_text(problem));
    if (word > token->length)
        return fail(parser, token->offset + token->length,
                    "'%.*s' is not a number: numbers take no suffix", shown, c);
    return 0;
}

/* Reads the next token. */
static int advance(struct parser *parser) {
    static const char *const pairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    const char *text = parser->expression->text;
    struct token *token = &parser->token;
    while (is_space(text[parser->cursor]))
        parser->cursor++;
    const char *c = text + parser->cursor;
    *token = (struct token){.kind = TOKEN_SYMBOL, .offset = parser->cursor, .length = 1};
    if (*c == '\0') {
        token->kind = TOKEN_END;
        token->length = 0;
    } else if (is_digit(*c) || (*c == '.' && is_digit(c[1]))) {
        if (token_number(parser, c) < 0)
            return -1;
    } else if (is_word(*c)) {
        token->kind = TOKEN_NAME;
        while (is_word(c[token->length]))
            token->length++;
    } else {
        token->symbol = SYMBOL(*c);
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            if (c[0] == pairs[i][0] && c[1] == pairs[i][1]) {
                token->symbol = SYMBOL2(c[0], c[1]);
                token->length = 2;
            }
    }
    parser->cursor += token->length;
    return 0;
}

static bool at_symbol(const struct parser *parser, int symbol) {
    return parser->token.kind == TOKEN_SYMBOL && parser->token.symbol == symbol;
}

/* The token as a message quotes it. */
static char *token_text(const struct parser *parser, char buffer[64]) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    if (token->kind == TOKEN_END) {
        snprintf(buffer, 64, "the end");
    } else if (token->kind == TOKEN_SYMBOL && token->length == 1) {
        struct text character = TEXT_INIT;
        append_character(&character, start);
        snprintf(buffer, 64, "'%s'", character.data);
        text_release(&character);
    } else {
        snprintf(buffer, 64, "'%.*s'", token->length > 40 ? 40 : (int)token->length, start);
    }
    return buffer;
}

static int fail_expected(struct parser *parser, const char *expected) {
    char found[64];
    if (at_symbol(parser, SYMBOL('=')))
        return fail(parser, parser->token.offset,
                    "nothing can be assigned here; == compares, = does not");
    return fail(parser, parser->token.offset, "expected %s, found %s", expected,
                token_text(parser, found));
}

/* ---- code -------------------------------------------------------------------------------------
 */

/* Appends an instruction that changes the number of values on the stack by `effect`. */
static int emit(struct parser *parser, enum opcode opcode, size_t offset, int effect) {
    struct expression *expression = parser->expression;
    if (expression->length == expression->capacity) {
        expression->capacity = expression->capacity ? expression->capacity * 2 : 16;
        expression->code =
            memory_grow(expression->code, expression->capacity, sizeof expression->code[0]);
    }
    expression->code[expression->length++] =
        (struct instruction){.opcode = opcode, .offset = offset};
    parser->stack += effect;
    if (parser->stack > STACK_LIMIT)
        return fail(parser, offset, "the expression is nested too deeply");
    return 0;
}

static struct instruction *last_instruction(struct parser *parser) {
    return &parser->expression->code[parser->expression->length - 1];
}

/* Makes the jump at `index` lead to what is emitted next. */
static void land(struct parser *parser, size_t index) {
    parser->expression->code[index].operand.target = parser->expression->length;
}

struct binary_operator {
    int symbol;
    int precedence; /* the higher, the tighter */
    enum opcode integer;
    enum opcode real; /* OP_END: takes integers only */
};

static const struct binary_operator binary_operators[] = {
    {SYMBOL2('|', '|'), 1, OP_OR, OP_OR},
    {SYMBOL2('&', '&'), 2, OP_AND, OP_AND},
    {SYMBOL('|'), 3, OP_BIT_OR, OP_END},
    {SYMBOL('^'), 4, OP_BIT_XOR, OP_END},
    {SYMBOL('&'), 5, OP_BIT_AND, OP_END},
    {SYMBOL2('=', '='), 6, OP_EQUAL, OP_REAL_EQUAL},
    {SYMBOL2('!', '='), 6, OP_NOT_EQUAL, OP_REAL_NOT_EQUAL},
    {SYMBOL('<'), 7, OP_LESS, OP_REAL_LESS},
    {SYMBOL2('<', '='), 7, OP_LESS_EQUAL, OP_REAL_LESS_EQUAL},
    {SYMBOL('>'), 7, OP_GREATER, OP_REAL_GREATER},
    {SYMBOL2('>', '='), 7, OP_GREATER_EQUAL, OP_REAL_GREATER_EQUAL},
    {SYMBOL2('<', '<'), 8, OP_SHIFT_LEFT, OP_END},
    {SYMBOL2('>', '>'), 8, OP_SHIFT_RIGHT, OP_END},
    {SYMBOL('+'), 9, OP_ADD, OP_REAL_ADD},
    {SYMBOL('-'), 9, OP_SUBTRACT, OP_REAL_SUBTRACT},
    {SYMBOL('*'), 10, OP_MULTIPLY, OP_REAL_MULTIPLY},
    {SYMBOL('/'), 10, OP_DIVIDE, OP_REAL_DIVIDE},
    {SYMBOL('%'), 10, OP_REMAINDER, OP_END},
};

static const struct binary_operator *binary_operator_at(const struct parser *parser) {
    for (size_t i = 0; i < sizeof binary_operators / sizeof binary_operators[0]; i++)
        if (at_symbol(parser, binary_operators[i].symbol))
            return &binary_operators[i];
    return NULL;
}

static bool opcode_compares(enum opcode opcode) {
    return (opcode >= OP_LESS && opcode <= OP_NOT_EQUAL) ||
           (opcode >= OP_REAL_LESS && opcode <= OP_REAL_NOT_EQUAL);
}

/* ---- grammar ----------------------------------------------------------------------------------
 * Each function begins at the first token of what it parses, ends behind its last, and tells
 * whether the code it emitted leaves a double.
 */

static int parse_ternary(struct parser *parser, bool *is_real);

static int parse_real(struct parser *parser) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    const struct expression_rules *rules = &parser->expression->rules;
    int shown = token->length > 40 ? 40 : (int)token->length;
    if (rules->type == WARP_TYPE_NONE)
        return fail(parser, token->offset, "%.*s is a real number, and %s takes integers", shown,
                    start, rules->option);
    if (!takes_reals(rules))
        return fail(parser, token->offset,
                    "%.*s is a real number, and --type %s has integers; float, double, half and "
                    "bfloat16 have real numbers",
                    shown, start, warp_type_info(rules->type)->name);
    if (emit(parser, OP_REAL, token->offset, 1) < 0)
        return -1;
    last_instruction(parser)->operand.real = token->real;
    return 0;
}

static int parse_name(struct parser *parser) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    if (token->length == 4 && memcmp(start, "lane", 4) == 0)
        return emit(parser, OP_LANE, token->offset, 1);
    if (token->length == 6 && memcmp(start, "thread", 6) == 0)
        return emit(parser, OP_THREAD, token->offset, 1);
    if (token->length == 6 && memcmp(start, "random", 6) == 0)
        return fail(parser, token->offset, "random stands alone, with its seed: random:1");
    char found[64];
    return fail(parser, token->offset, "unknown name %s: the names are lane and thread",
                token_text(parser, found));
}

static int parse_parentheses(struct parser *parser, bool *is_real) {
    if (advance(parser) < 0 || parse_ternary(parser, is_real) < 0)
        return -1;
    if (!at_symbol(parser, SYMBOL(')')))
        return fail_expected(parser, "an operator or ')'");
    return 0;
}

static int parse_operand(struct parser *parser, bool *is_real) {
    const struct token *token = &parser->token;
    int status;
    *is_real = false;
    if (token->kind == TOKEN_INTEGER) {
        status = emit(parser, OP_INTEGER, token->offset, 1);
        last_instruction(parser)->operand.integer = (int64_t)token->integer;
    } else if (token->kind == TOKEN_REAL) {
        *is_real = true;
        status = parse_real(parser);
    } else if (token->kind == TOKEN_NAME) {
        status = parse_name(parser);
    } else if (at_symbol(parser, SYMBOL('('))) {
        status = parse_parentheses(parser, is_real);
    } else {
        return fail_expected(parser, "a number, lane, thread or '('");
    }
    return status < 0 ? -1 : advance(parser);
}

static int nest(struct parser *parser) {
    if (++parser->nesting > NESTING_LIMIT)
        return fail(parser, parser->token.offset,
                    "the expression is nested too deeply: more than %d levels", NESTING_LIMIT);
    return 0;
}

static int parse_unary(struct parser *parser, bool *is_real) {
    int symbol = parser->token.kind == TOKEN_SYMBOL ? parser->token.symbol : 0;
    size_t offset = parser->token.offset;
    if (symbol != '-' && symbol != '+' && symbol != '~' && symbol != '!')
        return parse_operand(parser, is_real);
    if (nest(parser) < 0 || advance(parser) < 0 || parse_unary(parser, is_real) < 0)
        return -1;
    parser->nesting--;
    if (symbol == '-')
        return emit(parser, *is_real ? OP_REAL_NEGATE : OP_NEGATE, offset, 0);
    if (symbol == '~') {
        if (*is_real)
            return fail(parser, offset, "'~' takes an integer, not a real number");
        return emit(parser, OP_COMPLEMENT, offset, 0);
    }
    if (symbol == '!') {
        int status = emit(parser, *is_real ? OP_REAL_NOT : OP_NOT, offset, 0);
        *is_real = false;
        return status;
    }
    return 0;
}

static int emit_truth(struct parser *parser, bool is_real, size_t offset) {
    return emit(parser, is_real ? OP_REAL_TRUTH : OP_TRUTH, offset, 0);
}

static int parse_binary(struct parser *parser, int precedence, bool *is_real);

/* The rest of `left && right` or `left || right`; the token is the operator. */
static int parse_logical(struct parser *parser, const struct binary_operator *op, bool *is_real) {
    size_t offset = parser->token.offset;
    bool right_real;
    if (emit_truth(parser, *is_real, offset) < 0 || emit(parser, op->integer, offset, -1) < 0)
        return -1;
    size_t jump = parser->expression->length - 1;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right_real) < 0 ||
        emit_truth(parser, right_real, offset) < 0)
        return -1;
    land(parser, jump);
    *is_real = false;
    return 0;
}

/* The rest of `left op right`; the token is the operator. */
static int parse_arithmetic(struct parser *parser, const struct binary_operator *op,
                            bool *is_real) {
    struct token token = parser->token;
    bool right_real;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right_real) < 0)
        return -1;
    if (!*is_real && !right_real)
        return emit(parser, op->integer, token.offset, -1);
    if (op->real == OP_END)
        return fail(parser, token.offset, "'%.*s' takes integers, not real numbers",
                    (int)token.length, parser->expression->text + token.offset);
    if (!right_real && emit(parser, OP_TO_REAL, token.offset, 0) < 0)
        return -1;
    if (!*is_real && emit(parser, OP_TO_REAL_BELOW, token.offset, 0) < 0)
        return -1;
    *is_real = !opcode_compares(op->real);
    return emit(parser, op->real, token.offset, -1);
}

/* Operators of at least `precedence`, grouped from the left. */
static int parse_binary(struct parser *parser, int precedence, bool *is_real) {
    if (parse_unary(parser, is_real) < 0)
        return -1;
    const struct binary_operator *op;
    while ((op = binary_operator_at(parser)) && op->precedence >= precedence) {
        bool is_logical = op->integer == OP_AND || op->integer == OP_OR;
        if ((is_logical ? parse_logical : parse_arithmetic)(parser, op, is_real) < 0)
            return -1;
    }
    return 0;
}

/* The rest of `condition ? a : b`; the token is the '?'. */
static int parse_choice(struct parser *parser, bool *is_real) {
    struct expression *expression = parser->expression;
    size_t offset = parser->token.offset;
    bool else_real;
    if (emit_truth(parser, *is_real, offset) < 0 || emit(parser, OP_JUMP_IF_ZERO, offset, -1) < 0)
        return -1;
    size_t skip_then = expression->length - 1;
    if (advance(parser) < 0 || parse_ternary(parser, is_real) < 0)
        return -1;
    if (!at_symbol(parser, SYMBOL(':')))
        return fail_expected(parser, "an operator or the ':' of '?'");
    /* Whether this value must become a double is known once the other has been read. */
    if (emit(parser, OP_NOTHING, offset, 0) < 0 || emit(parser, OP_JUMP, offset, -1) < 0)
        return -1;
    size_t skip_else = expression->length - 1;
    land(parser, skip_then);
    if (advance(parser) < 0 || parse_ternary(parser, &else_real) < 0)
        return -1;
    if (else_real && !*is_real)
        expression->code[skip_else - 1].opcode = OP_TO_REAL;
    if (*is_real && !else_real && emit(parser, OP_TO_REAL, offset, 0) < 0)
        return -1;
    land(parser, skip_else);
    *is_real = *is_real || else_real;
    return 0;
}

static int parse_ternary(struct parser *parser, bool *is_real) {
    if (nest(parser) < 0 || parse_binary(parser, 1, is_real) < 0)
        return -1;
    if (at_symbol(parser, SYMBOL('?')) && parse_choice(parser, is_real) < 0)
        return -1;
    parser->nesting--;
    return 0;
}

/* ---- lists and random -------------------------------------------------------------------------
 */

static void item_begin(struct expression *expression) {
    if (expression->item_count == expression->item_capacity) {
        size_t capacity = expression->item_capacity ? expression->item_capacity * 2 : 4;
        expression->items = memory_grow(expression->items, capacity, sizeof expression->items[0]);
        expression->item_real =
            memory_grow(expression->item_real, capacity, sizeof expression->item_real[0]);
        expression->item_capacity = capacity;
    }
    expression->items[expression->item_count++] = expression->length;
}

static int parse_list(struct parser *parser) {
    struct expression *expression = parser->expression;
    if (advance(parser) < 0)
        return -1;
    for (;;) {
        bool is_real;
        item_begin(expression);
        parser->stack = 0;
        if (parse_ternary(parser, &is_real) < 0 ||
            emit(parser, OP_END, parser->token.offset, 0) < 0)
            return -1;
        expression->item_real[expression->item_count - 1] = is_real;
        if (parser->token.kind == TOKEN_END)
            return 0;
        if (at_symbol(parser, SYMBOL(')')))
            return fail(parser, parser->token.offset, "this ')' closes nothing");
        if (!at_symbol(parser, SYMBOL(',')))
            return fail_expected(parser, "an operator, ',' or the end");
        if (advance(parser) < 0)
            return -1;
    }
}

static int check_list_length(const struct expression *expression, struct error *err) {
    uint64_t threads = expression->rules.threads;
    size_t count = expression->item_count;
    if (count == 1 || count == threads || (threads > LANES && count == LANES))
        return 0;
    if (threads > LANES)
        return error_set(err, ERROR_USAGE,
                         "%s: %zu values are given\nallowed: 1 for all threads, %" PRIu64
                         " (one for each thread), or 32 (one for each lane of every warp)\n"
                         "try: an expression in lane or thread, as %s 'lane * 2'",
                         expression->rules.option, count, threads, expression->rules.option);
    return error_set(err, ERROR_USAGE,
                     "%s: %zu values are given\nallowed: 1 for all lanes, or %" PRIu64
                     " (one for each lane)\n"
                     "try: an expression in lane, as %s 'lane * 2'",
                     expression->rules.option, count, threads, expression->rules.option);
}

/* "random:SEED", the word of which ends at `offset`. */
static int parse_random(struct parser *parser, size_t offset) {
    struct expression *expression = parser->expression;
    const char *start = expression->text + offset;
    const char *end;
    enum number_problem problem = number_scan(start, &end, &expression->seed);
    while (is_space(*end))
        end++;
    if (problem != NUMBER_FINE || *end)
        return fail(parser, problem != NUMBER_FINE ? offset : (size_t)(end - expression->text),
                    "random: takes a seed, a number from 0 to 2^64-1: random:1");
    expression->is_random = true;
    return 0;
}

int expression_compile(struct expression **result, const char *text,
                       const struct expression_rules *rules, struct error *err) {
    struct expression *expression = memory_zeroed(1, sizeof *expression);
    expression->rules = *rules;
    expression->text = memory_string(text);
    struct parser parser = {.expression = expression, .err = err};
    size_t start = strspn(text, " \t");
    int status;
    if (strncmp(text + start, "random:", 7) == 0)
        status = parse_random(&parser, start + 7);
    else if ((status = parse_list(&parser)) == 0)
        status = check_list_length(expression, err);
    if (status < 0) {
        expression_free(expression);
        expression = NULL;
    }
    *result = expression;
    return status;
}

void expression_free(struct expression *expression) {
    if (!expression)
        return;
    free(expression->text);
    free(expression->code);
    free(expression->items);
    free(expression->item_real);
    free(expression);
}

/* ---- evaluation -------------------------------------------------------------------------------
 */

union slot {
    int64_t integer;
    double real;
};

static int64_t shift_right(int64_t value, int64_t count) {
    uint64_t bits = (uint64_t)value;
    return (int64_t)(value < 0 ? ~(~bits >> count) : bits >> count);
}

/* a op b for integers. Returns NULL, or what is wrong. Unsigned arithmetic wraps, signed is
 * undefined. */
static const char *integer_binary(enum opcode opcode, int64_t a, int64_t b, int64_t *result) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (opcode) {
    case OP_MULTIPLY:
        *result = (int64_t)(ua * ub);
        break;
    case OP_DIVIDE:
        if (b == 0)
            return "division by zero";
        *result = b == -1 ? (int64_t)(0 - ua) : a / b;
        break;
    case OP_REMAINDER:
        if (b == 0)
            return "remainder of a division by zero";
        *result = b == -1 ? 0 : a % b;
        break;
    case OP_ADD:
        *result = (int64_t)(ua + ub);
        break;
    case OP_SUBTRACT:
        *result = (int64_t)(ua - ub);
        break;
    case OP_SHIFT_LEFT:
        if (ub > 63)
            return "shift by a count outside 0 to 63";
        *result = (int64_t)(ua << ub);
        break;
    case OP_SHIFT_RIGHT:
        if (ub > 63)
            return "shift by a count outside 0 to 63";
        *result = shift_right(a, b);
        break;
    case OP_LESS:
        *result = a < b;
        break;
    case OP_LESS_EQUAL:
        *result = a <= b;
        break;
    case OP_GREATER:
        *result = a > b;
        break;
    case OP_GREATER_EQUAL:
        *result = a >= b;
        break;
    case OP_EQUAL:
        *result = a == b;
        break;
    case OP_NOT_EQUAL:
        *result = a != b;
        break;
    case OP_BIT_AND:
        *result = a & b;
        break;
    case OP_BIT_XOR:
        *result = a ^ b;
        break;
    default:
        *result = a | b;
        break;
    }
    return NULL;
}

/* a op b for doubles. */
static union slot real_binary(enum opcode opcode, double a, double b) {
    switch (opcode) {
    case OP_REAL_MULTIPLY:
        return (union slot){.real = a * b};
    case OP_REAL_DIVIDE:
        return (union slot){.real = a / b};
    case OP_REAL_ADD:
        return (union slot){.real = a + b};
    case OP_REAL_SUBTRACT:
        return (union slot){.real = a - b};
    case OP_REAL_LESS:
        return (union slot){.integer = a < b};
    case OP_REAL_LESS_EQUAL:
        return (union slot){.integer = a <= b};
    case OP_REAL_GREATER:
        return (union slot){.integer = a > b};
    case OP_REAL_GREATER_EQUAL:
        return (union slot){.integer = a >= b};
    case OP_REAL_EQUAL:
        return (union slot){.integer = a == b};
    default:
        return (union slot){.integer = a != b};
    }
}

/* *a = *a op b. Returns NULL, or what is wrong. */
static const char *binary(enum opcode opcode, union slot *a, union slot b) {
    if (opcode <= OP_BIT_OR)
        return integer_binary(opcode, a->integer, b.integer, &a->integer);
    *a = real_binary(opcode, a->real, b.real);
    return NULL;
}

/* Operators of one operand, on the top of the stack. */
static void unary(enum opcode opcode, union slot *top) {
    switch (opcode) {
    case OP_TO_REAL:
        top->real = (double)top->integer;
        break;
    case OP_TRUTH:
        top->integer = top->integer != 0;
        break;
    case OP_NOT:
        top->integer = top->integer == 0;
        break;
    case OP_NEGATE:
        top->integer = (int64_t)(0 - (uint64_t)top->integer);
        break;
    case OP_COMPLEMENT:
        top->integer = ~top->integer;
        break;
    case OP_REAL_TRUTH:
        top->integer = top->real != 0;
        break;
    case OP_REAL_NOT:
        top->integer = top->real == 0;
        break;
    case OP_REAL_NEGATE:
        top->real = -top->real;
        break;
    default:
        break;
    }
}

/* Runs the code from `start`. Returns NULL, or what is wrong with *at pointing to its place. */
static const char *run(const struct expression *expression, size_t start, int lane, uint64_t thread,
                       union slot *result, const struct instruction **at) {
    union slot stack[STACK_LIMIT];
    size_t depth = 0; /* values on the stack */
    const struct instruction *next = &expression->code[start];
    for (;;) {
        const struct instruction *instruction = next++;
        enum opcode opcode = instruction->opcode;
        switch (opcode) {
        case OP_END:
            *result = stack[depth - 1];
            return NULL;
        case OP_INTEGER:
            stack[depth++].integer = instruction->operand.integer;
            break;
        case OP_REAL:
            stack[depth++].real = instruction->operand.real;
            break;
        case OP_LANE:
            stack[depth++].integer = lane;
            break;
        case OP_THREAD:
            stack[depth++].integer = (int64_t)thread;
            break;
        case OP_TO_REAL_BELOW:
            unary(OP_TO_REAL, &stack[depth - 2]);
            break;
        case OP_JUMP:
            next = &expression->code[instruction->operand.target];
            break;
        case OP_JUMP_IF_ZERO:
            if (stack[--depth].integer == 0)
                next = &expression->code[instruction->operand.target];
            break;
        case OP_AND:
        case OP_OR:
            if ((stack[depth - 1].integer != 0) == (opcode == OP_OR))
                next = &expression->code[instruction->operand.target];
            else
                depth--;
            break;
        default:
            if (opcode < OP_MULTIPLY || (opcode > OP_BIT_OR && opcode < OP_REAL_MULTIPLY)) {
                unary(opcode, &stack[depth - 1]);
                break;
            }
            depth--;
            const char *wrong = binary(opcode, &stack[depth - 1], stack[depth]);
            if (wrong) {
                *at = instruction;
                return wrong;
            }
            break;
        }
    }
}

static uint64_t splitmix64(uint64_t state) {
    state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
    return state ^ state >> 31;
}

static int64_t random_value(const struct expression *expression, uint64_t thread) {
    uint64_t state = expression->seed + (thread + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (int64_t)((splitmix64(state) >> 32) * expression->rules.random_limit >> 32);
}

static int fail_evaluation(const struct expression *expression, size_t offset, struct error *err,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

static int fail_evaluation(const struct expression *expression, size_t offset, struct error *err,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(expression, offset, err,
            "allowed: what C defines for every lane that computes it\n"
            "try: a condition for the other lanes, as 'lane == 0 ? 0 : 100 / lane'",
            format, arguments);
    va_end(arguments);
    return -1;
}

int expression_evaluate(const struct expression *expression, int lane, uint64_t thread,
                        struct expression_value *value, struct error *err) {
    *value = (struct expression_value){.is_real = false};
    if (expression->is_random) {
        value->integer = random_value(expression, thread);
        return 0;
    }
    size_t count = expression->item_count;
    uint64_t item = count == 1 ? 0 : count == expression->rules.threads ? thread : (uint64_t)lane;
    assert(item < count);
    union slot result;
    const struct instruction *at;
    const char *wrong = run(expression, expression->items[item], lane, thread, &result, &at);
    if (wrong && thread != (uint64_t)lane)
        return fail_evaluation(expression, at->offset, err, "%s in lane %d (thread %" PRIu64 ")",
                               wrong, lane, thread);
    if (wrong)
        return fail_evaluation(expression, at->offset, err, "%s in lane %d", wrong, lane);
    value->is_real = expression->item_real[item];
    if (!value->is_real)
        value->integer = result.integer;
    else if (result.real == result.real)
        value->real = result.real;
    else /* machines differ in the NaN that 0.0 / 0.0 gives */
        value->real = (double)NAN;
    return 0;
}

int expression_bits(const struct expression *expression, int lane, uint64_t thread, uint64_t *bits,
                    struct error *err) {
    struct expression_value value;
    enum warp_type type = expression->rules.type;
    if (expression_evaluate(expression, lane, thread, &value, err) < 0)
        return -1;
    *bits = value.is_real ? warp_value_from_double(type, value.real)
                          : warp_value_from_integer(type, value.integer);
    return 0;
}

int expression_argument(const struct expression *expression, int lane, uint64_t thread,
                        int32_t *argument, struct error *err) {
    struct expression_value value;
    if (expression_evaluate(expression, lane, thread, &value, err) < 0)
        return -1;
    if (value.is_real || value.integer < INT32_MIN || value.integer > UINT32_MAX)
        return error_set(err, ERROR_USAGE,
                         "%s: lane %d gets %" PRId64 "\nallowed: -2147483648 to 4294967295; the "
                         "lowest 5 bits count\ntry: %s '(lane * 2) & 31'",
                         expression->rules.option, lane, value.integer, expression->rules.option);
    *argument = (int32_t)(uint32_t)value.integer;
    return 0;
}
