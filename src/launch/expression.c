/*
 * A text is compiled in one pass, by precedence climbing, to instructions for a stack machine
 * (expression_run.c). The parser's recursion is bounded by NESTING_LIMIT.
 */
#include "base/message.h"
#include "launch/expression_code.h"

#include "base/memory.h"
#include "base/text.h"
#include "warp/warp.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTING_LIMIT 200 /* nested parentheses, unary operators and ?: */

/* ---- messages: where an expression went wrong, shown under it ---- */

/* Appends the UTF-8 character at c, or '?' for what would disturb a terminal. Returns what follows.
 */
static const char *append_character(struct text *out, const char *c) {
    char shown[UTF8_MAX];
    size_t count = utf8_decode(c, UTF8_MAX).bytes;
    text_append_bytes(out, shown, utf8_visible(shown, c, count, UTF8_LINE));
    return c + count;
}

#define EXCERPT_BEFORE 40
#define EXCERPT_AFTER  30

/* Appends two lines: the part of the text around `offset`, and a caret below it. The text before
 * the place has been parsed, so it is ASCII. */
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

int expression_fail_at(const struct expression *expression, size_t offset, struct error *err,
                       const char *advice, const char *message) {
    struct text excerpt = TEXT_INIT;
    append_excerpt(&excerpt, expression->text, offset);
    error_set(err, ERROR_USAGE, "%s: %s%s\n%s", expression->rules.option, message, excerpt.data,
              advice);
    text_release(&excerpt);
    return -1;
}

/* ---- words ---- */

enum token_kind { TOKEN_END, TOKEN_INTEGER, TOKEN_REAL, TOKEN_NAME, TOKEN_SYMBOL };

struct token {
    enum token_kind kind;
    size_t offset, length;
    const struct c_operator *operator; /* of a symbol that is one of two operands */
    uint64_t integer;
    double real;
};

struct parser {
    struct expression *expression;
    struct error *err;
    size_t cursor; /* after the token */
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
             _("allowed: %s, lane (0 to 31), thread, C's operators,\n"
               "         parentheses, a list such as 1,2,3, or random:SEED\n"
               "try: %s '(lane + 1) * 2'"),
             takes_reals(rules) ? _("numbers (10, 0x1f, 0b101, 0.5)")
                                : _("integers (10, 0x1f, 0b101)"),
             rules->option);
    struct text message = TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(&message, format, arguments);
    va_end(arguments);
    expression_fail_at(parser->expression, offset, parser->err, advice, message.data);
    text_release(&message);
    return -1;
}

static size_t digits_length(const char *c) {
    size_t length = 0;
    while (c_is_digit(c[length]))
        length++;
    return length;
}

/* Length of the real number at c, or 0 if an integer is there. */
static size_t real_length(const char *c) {
    size_t length = digits_length(c);
    bool is_real = c[length] == '.';
    if (is_real)
        length += 1 + digits_length(c + length + 1);
    if (c[length] == 'e' || c[length] == 'E') {
        size_t power = length + 1 + (c[length + 1] == '+' || c[length + 1] == '-');
        if (c_is_digit(c[power]))
            return power + digits_length(c + power);
    }
    return is_real ? length : 0;
}

/* The value of a real number, whatever the decimal point of the locale. */
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
            return fail(parser, token->offset, _("'%.*s' is too large for a double"),
                        (int)token->length, c);
    } else {
        const char *end;
        token->kind = TOKEN_INTEGER;
        problem = number_scan(c, &end, &token->integer);
        token->length = (size_t)(end - c);
    }
    size_t word = token->length;
    for (size_t more; (more = c[word] == '.' ? 1 : c_word_length(c + word)) > 0;)
        word += more;
    int shown = word > 40 ? 40 : (int)word;
    if (problem != NUMBER_FINE)
        return fail(parser, token->offset, "'%.*s' %s", shown, c, number_problem_text(problem));
    if (word > token->length)
        return fail(parser, token->offset + token->length,
                    _("'%.*s' is not a number: numbers take no suffix"), shown, c);
    return 0;
}

/* Reads the next token. */
static int advance(struct parser *parser) {
    const char *text = parser->expression->text;
    const char *c = c_skip_blanks(text + parser->cursor);
    struct token *token = &parser->token;
    *token = (struct token){.kind = TOKEN_SYMBOL, .offset = (size_t)(c - text), .length = 1};
    if (*c == '\0') {
        token->kind = TOKEN_END;
        token->length = 0;
    } else if (c_is_digit(*c) || (*c == '.' && c_is_digit(c[1]))) {
        if (token_number(parser, c) < 0)
            return -1;
    } else if (c_word_length(c) > 0) {
        token->kind = TOKEN_NAME;
        token->length = c_word_length(c);
    } else if ((token->operator= c_operator_at(c))) {
        token->length = (size_t)token->operator->length;
    }
    parser->cursor = token->offset + token->length;
    return 0;
}

static bool at_symbol(const struct parser *parser, char symbol) {
    return parser->token.kind == TOKEN_SYMBOL && parser->token.length == 1 &&
           parser->expression->text[parser->token.offset] == symbol;
}

/* The token as a message quotes it. */
static char *token_text(const struct parser *parser, char buffer[64]) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    if (token->kind == TOKEN_END) {
        snprintf(buffer, 64, _("the end"));
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
    if (at_symbol(parser, '='))
        return fail(parser, parser->token.offset,
                    _("nothing can be assigned here; == compares, = does not"));
    return fail(parser, parser->token.offset, _("expected %s, found %s"), expected,
                token_text(parser, found));
}

/* ---- code ---- */

/* Appends an instruction that changes the number of values on the stack by `effect`. */
/* `effect`: how many values the stack has more afterwards, at most none; push() has one. */
static void emit(struct parser *parser, enum opcode opcode, size_t offset, int effect) {
    struct expression *expression = parser->expression;
    if (expression->length == expression->capacity) {
        expression->capacity = expression->capacity ? expression->capacity * 2 : 16;
        expression->code =
            memory_grow(expression->code, expression->capacity, sizeof expression->code[0]);
    }
    expression->code[expression->length++] =
        (struct instruction){.opcode = opcode, .offset = offset};
    parser->stack += effect;
}

static int push(struct parser *parser, enum opcode opcode, size_t offset) {
    emit(parser, opcode, offset, 1);
    if (parser->stack > STACK_LIMIT)
        return fail(parser, offset, _("the expression is nested too deeply"));
    return 0;
}

static struct instruction *last_instruction(struct parser *parser) {
    return &parser->expression->code[parser->expression->length - 1];
}

/* Makes the jump at `index` lead to what is emitted next. */
static void land(struct parser *parser, size_t index) {
    parser->expression->code[index].operand.target = parser->expression->length;
}

/* ---- grammar ---- */
/* Each function begins at the first token of what it parses, ends after its last, and tells
 * whether the code it emitted leaves a double.
 */

static int parse_ternary(struct parser *parser, bool *is_real);

static int parse_real(struct parser *parser) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    const struct expression_rules *rules = &parser->expression->rules;
    int shown = token->length > 40 ? 40 : (int)token->length;
    if (rules->type == WARP_TYPE_NONE)
        return fail(parser, token->offset, _("%.*s is a real number, and %s takes integers"), shown,
                    start, rules->option);
    if (!takes_reals(rules))
        return fail(parser, token->offset,
                    _("%.*s is a real number, and --type %s has integers; float, double, half and "
                      "bfloat16 have real numbers"),
                    shown, start, warp_type_info(rules->type)->name);
    if (push(parser, OP_REAL, token->offset) < 0)
        return -1;
    last_instruction(parser)->operand.real = token->real;
    return 0;
}

static int parse_name(struct parser *parser) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    if (token->length == 4 && memcmp(start, "lane", 4) == 0)
        return push(parser, OP_LANE, token->offset);
    if (token->length == 6 && memcmp(start, "thread", 6) == 0)
        return push(parser, OP_THREAD, token->offset);
    if (token->length == 6 && memcmp(start, "random", 6) == 0)
        return fail(parser, token->offset, _("random takes a seed and nothing else: random:1"));
    char found[64];
    return fail(parser, token->offset,
                _("unknown name %s: the names that can be used are lane and thread"),
                token_text(parser, found));
}

static int parse_parentheses(struct parser *parser, bool *is_real) {
    if (advance(parser) < 0 || parse_ternary(parser, is_real) < 0)
        return -1;
    if (!at_symbol(parser, ')'))
        return fail_expected(parser, _("an operator or ')'"));
    return 0;
}

static int parse_operand(struct parser *parser, bool *is_real) {
    const struct token *token = &parser->token;
    int status;
    *is_real = false;
    if (token->kind == TOKEN_INTEGER) {
        status = push(parser, OP_INTEGER, token->offset);
        last_instruction(parser)->operand.integer = (int64_t)token->integer;
    } else if (token->kind == TOKEN_REAL) {
        *is_real = true;
        status = parse_real(parser);
    } else if (token->kind == TOKEN_NAME) {
        status = parse_name(parser);
    } else if (at_symbol(parser, '(')) {
        status = parse_parentheses(parser, is_real);
    } else {
        return fail_expected(parser, _("a number, lane, thread or '('"));
    }
    return status < 0 ? -1 : advance(parser);
}

static int nest(struct parser *parser) {
    if (++parser->nesting > NESTING_LIMIT)
        return fail(parser, parser->token.offset,
                    _("the expression is nested too deeply: more than %d levels"), NESTING_LIMIT);
    return 0;
}

static int parse_unary(struct parser *parser, bool *is_real) {
    size_t offset = parser->token.offset;
    char sign = parser->expression->text[offset];
    if (parser->token.length != 1 || (sign != '-' && sign != '+' && sign != '~' && sign != '!'))
        return parse_operand(parser, is_real);
    if (nest(parser) < 0 || advance(parser) < 0 || parse_unary(parser, is_real) < 0)
        return -1;
    parser->nesting--;
    if (sign == '~' && *is_real)
        return fail(parser, offset, _("'~' takes an integer, not a real number"));
    if (*is_real && sign != '+') {
        emit(parser, sign == '-' ? OP_REAL_NEGATE : OP_REAL_NOT, offset, 0);
    } else if (sign != '+') {
        emit(parser, OP_UNARY, offset, 0);
        last_instruction(parser)->operand.sign = sign;
    }
    *is_real = *is_real && sign != '!';
    return 0;
}

static void emit_truth(struct parser *parser, bool is_real, size_t offset) {
    emit(parser, is_real ? OP_REAL_TRUTH : OP_TRUTH, offset, 0);
}

static int parse_binary(struct parser *parser, int precedence, bool *is_real);

/* The rest of `left && right` or `left || right`; the token is the operator. */
static int parse_logical(struct parser *parser, const struct c_operator *op, bool *is_real) {
    size_t offset = parser->token.offset;
    bool right_real;
    emit_truth(parser, *is_real, offset);
    emit(parser, op->operation == C_OR ? OP_OR : OP_AND, offset, -1);
    size_t jump = parser->expression->length - 1;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right_real) < 0)
        return -1;
    emit_truth(parser, right_real, offset);
    land(parser, jump);
    *is_real = false;
    return 0;
}

/* The rest of `left op right`; the token is the operator. */
static int parse_arithmetic(struct parser *parser, const struct c_operator *op, bool *is_real) {
    struct token token = parser->token;
    bool right_real;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right_real) < 0)
        return -1;
    bool real = *is_real || right_real;
    if (real && c_takes_integers_only(op->operation))
        return fail(parser, token.offset, _("'%.*s' takes integers, not real numbers"),
                    (int)token.length, parser->expression->text + token.offset);
    if (real && !right_real)
        emit(parser, OP_TO_REAL, token.offset, 0);
    if (real && !*is_real)
        emit(parser, OP_TO_REAL_BELOW, token.offset, 0);
    *is_real = real && !c_compares(op->operation);
    emit(parser, real ? OP_REAL_COMPUTE : OP_COMPUTE, token.offset, -1);
    last_instruction(parser)->operand.operation = op->operation;
    return 0;
}

/* Operators of at least `precedence`, grouped from the left. */
static int parse_binary(struct parser *parser, int precedence, bool *is_real) {
    if (parse_unary(parser, is_real) < 0)
        return -1;
    const struct c_operator *op;
    while ((op = parser->token.operator) && op->precedence >= precedence)
        if ((c_is_logical(op->operation) ? parse_logical : parse_arithmetic)(parser, op, is_real) <
            0)
            return -1;
    return 0;
}

/* The rest of `condition ? a : b`; the token is the '?'. */
static int parse_choice(struct parser *parser, bool *is_real) {
    struct expression *expression = parser->expression;
    size_t offset = parser->token.offset;
    bool else_real;
    emit_truth(parser, *is_real, offset);
    emit(parser, OP_JUMP_IF_ZERO, offset, -1);
    size_t skip_then = expression->length - 1;
    if (advance(parser) < 0 || parse_ternary(parser, is_real) < 0)
        return -1;
    if (!at_symbol(parser, ':'))
        return fail_expected(parser, _("an operator or the ':' of '?'"));
    /* Whether this value must become a double is known once the other has been read. */
    emit(parser, OP_NOTHING, offset, 0);
    emit(parser, OP_JUMP, offset, -1);
    size_t skip_else = expression->length - 1;
    land(parser, skip_then);
    if (advance(parser) < 0 || parse_ternary(parser, &else_real) < 0)
        return -1;
    if (else_real && !*is_real)
        expression->code[skip_else - 1].opcode = OP_TO_REAL;
    if (*is_real && !else_real)
        emit(parser, OP_TO_REAL, offset, 0);
    land(parser, skip_else);
    *is_real = *is_real || else_real;
    return 0;
}

static int parse_ternary(struct parser *parser, bool *is_real) {
    if (nest(parser) < 0 || parse_binary(parser, 1, is_real) < 0)
        return -1;
    if (at_symbol(parser, '?') && parse_choice(parser, is_real) < 0)
        return -1;
    parser->nesting--;
    return 0;
}

/* ---- lists and random ---- */

static void item_begin(struct expression *expression) {
    if (expression->item_count == expression->item_capacity) {
        size_t capacity = expression->item_capacity ? expression->item_capacity * 2 : 4;
        expression->items = memory_grow(expression->items, capacity, sizeof expression->items[0]);
        expression->item_capacity = capacity;
    }
    expression->items[expression->item_count++].start = expression->length;
}

static int parse_list(struct parser *parser) {
    struct expression *expression = parser->expression;
    if (advance(parser) < 0)
        return -1;
    for (;;) {
        bool is_real;
        item_begin(expression);
        parser->stack = 0;
        if (parse_ternary(parser, &is_real) < 0)
            return -1;
        emit(parser, OP_END, parser->token.offset, 0);
        expression->items[expression->item_count - 1].is_real = is_real;
        if (parser->token.kind == TOKEN_END)
            return 0;
        if (at_symbol(parser, ')'))
            return fail(parser, parser->token.offset, _("this ')' closes nothing"));
        if (!at_symbol(parser, ','))
            return fail_expected(parser, _("an operator, ',' or the end"));
        if (advance(parser) < 0)
            return -1;
    }
}

static int check_list_length(const struct expression *expression, struct error *err) {
    uint64_t threads = expression->rules.threads;
    size_t count = expression->item_count;
    if (count == 1 || count == threads || (threads > WARP_LANES && count == WARP_LANES))
        return 0;
    if (threads > WARP_LANES)
        return error_set(err, ERROR_USAGE,
                         _("%s: %zu values are given\nallowed: 1 for all threads, %" PRIu64
                           " (one for each thread), or 32 (one for each lane of every warp)\n"
                           "try: an expression in lane or thread, such as %s 'lane * 2'"),
                         expression->rules.option, count, threads, expression->rules.option);
    if (threads == 1)
        return error_set(err, ERROR_USAGE,
                         _("%s: %zu values are given\nallowed: 1, for the only lane\n"
                           "try: more lanes: --threads %zu"),
                         expression->rules.option, count, count);
    return error_set(err, ERROR_USAGE,
                     _("%s: %zu values are given\nallowed: 1 for all lanes, or %" PRIu64
                       " (one for each lane)\n"
                       "try: an expression in lane, such as %s 'lane * 2'"),
                     expression->rules.option, count, threads, expression->rules.option);
}

/* "random:SEED", the word of which ends at `offset`. */
static int parse_random(struct parser *parser, size_t offset) {
    struct expression *expression = parser->expression;
    const char *start = expression->text + offset;
    const char *end;
    enum number_problem problem = number_scan(start, &end, &expression->seed);
    end = c_skip_blanks(end);
    if (problem != NUMBER_FINE || *end)
        return fail(parser, problem != NUMBER_FINE ? offset : (size_t)(end - expression->text),
                    _("random: takes a seed, a number from 0 to 2^64-1: random:1"));
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
    free(expression);
}
