/*
 * A text is parsed by precedence climbing: once without evaluation, when it is compiled, and then
 * again for each lane, with evaluation. Recursion is bounded by NESTING_LIMIT.
 */
#include "launch/expression.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/random.h"
#include "base/text.h"
#include "base/text/c_expression.h"
#include "warp/warp.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTING_LIMIT 200 /* nested parentheses, unary operators and ?: */

struct expression {
    struct expression_rules rules;
    char *text;
    size_t *items; /* where each list item begins in the text */
    size_t item_count, item_capacity;
    bool is_random;
    uint64_t seed;
};

/* ---- messages: an excerpt with the position of an error ---- */

/* Appends the UTF-8 character at c, or '?' for one that would disturb a terminal. Returns the next
   position. */
static const char *append_character(struct text *out, const char *c) {
    char shown[UTF8_MAX];
    size_t count = utf8_decode(c, UTF8_MAX).bytes;
    text_append_bytes(out, shown, utf8_visible(shown, c, count, UTF8_LINE));
    return c + count;
}

#define EXCERPT_BEFORE 40
#define EXCERPT_AFTER  30

/* Appends two lines: the part of the text around `offset`, and a caret below it. The text before
 * that has been parsed, so it is ASCII. */
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

/* Fails with "OPTION: message", the text around `offset` with a caret below, and lines of
 * advice. */
static int fail_at(const struct expression *expression, size_t offset, struct error *err,
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
    const struct c_operator *operator; /* precedence of the binary operator */
    uint64_t integer;
    double real;
};

struct parser {
    const struct expression *expression;
    struct error *err;
    size_t cursor; /* after the token */
    struct token token;
    int nesting;
    bool skips; /* parsing without evaluation: values only have a type */
    int lane;
    uint64_t thread;
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
    fail_at(parser->expression, offset, parser->err, advice, message.data);
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

/* The value of a real number, whatever the locale's decimal point is. */
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

/* ---- values ---- */

static bool is_true(const struct expression_value *value) {
    return value->is_real ? value->real != 0 : value->integer != 0;
}

static double as_real(const struct expression_value *value) {
    return value->is_real ? value->real : (double)value->integer;
}

static struct expression_value integer_value(int64_t integer) {
    return (struct expression_value){.integer = integer};
}

static struct expression_value compute_real(enum c_operation operation, double x, double y) {
    struct expression_value value = {.is_real = true};
    if (c_compares(operation))
        return integer_value(c_comparison_holds(operation, x < y, x == y, y < x));
    if (operation == C_ADD)
        value.real = x + y;
    else if (operation == C_SUBTRACT)
        value.real = x - y;
    else if (operation == C_MULTIPLY)
        value.real = x * y;
    else
        value.real = x / y;
    return value;
}

/* The error in `a OPERATION b` for any integer a; NULL if there is none. */
static const char *integer_fault(enum c_operation operation, int64_t b) {
    if (operation == C_DIVIDE && b == 0)
        return _("division by zero");
    if (operation == C_REMAINDER && b == 0)
        return _("remainder of a division by zero");
    if ((operation == C_SHIFT_LEFT || operation == C_SHIFT_RIGHT) && (b < 0 || b > 63))
        return _("shift by a count outside 0 to 63");
    return NULL;
}

static int fail_in_lane(struct parser *parser, size_t offset, const char *wrong) {
    char fault[256];
    if (parser->thread != (uint64_t)parser->lane)
        snprintf(fault, sizeof fault, _("%s in lane %d (thread %" PRIu64 ")"), wrong, parser->lane,
                 parser->thread);
    else
        snprintf(fault, sizeof fault, _("%s in lane %d"), wrong, parser->lane);
    return fail_at(parser->expression, offset, parser->err,
                   _("allowed: an expression whose value C defines in every lane\ntry: a condition "
                     "for the other lanes, such as 'lane == 0 ? 0 : 100 / lane'"),
                   fault);
}

/* ---- grammar ---- */
/* Each function starts at the first token of its construct and stops after the last. */

static int parse_ternary(struct parser *parser, struct expression_value *value);

static int parse_real(struct parser *parser, struct expression_value *value) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    const struct expression_rules *rules = &parser->expression->rules;
    int shown = token->length > 40 ? 40 : (int)token->length;
    if (rules->type == WARP_TYPE_NONE)
        return fail(parser, token->offset, _("%.*s is a real number, and %s takes integers"), shown,
                    start, rules->option);
    if (!takes_reals(rules))
        return fail(parser, token->offset,
                    _("%.*s is a real number, and --type %s takes integers; float, double, half "
                      "and bfloat16 take real numbers"),
                    shown, start, warp_type_info(rules->type)->name);
    *value = (struct expression_value){.is_real = true, .real = token->real};
    return 0;
}

static int parse_name(struct parser *parser, struct expression_value *value) {
    const struct token *token = &parser->token;
    const char *start = parser->expression->text + token->offset;
    bool is_lane = token->length == 4 && memcmp(start, "lane", 4) == 0;
    *value = integer_value(is_lane ? parser->lane : (int64_t)parser->thread);
    if (is_lane || (token->length == 6 && memcmp(start, "thread", 6) == 0))
        return 0;
    if (token->length == 6 && memcmp(start, "random", 6) == 0)
        return fail(parser, token->offset, _("random takes a seed and nothing else: random:1"));
    char found[64];
    return fail(parser, token->offset,
                _("unknown name %s: the names that can be used are lane and thread"),
                token_text(parser, found));
}

static int parse_parentheses(struct parser *parser, struct expression_value *value) {
    if (advance(parser) < 0 || parse_ternary(parser, value) < 0)
        return -1;
    if (!at_symbol(parser, ')'))
        return fail_expected(parser, _("an operator or ')'"));
    return 0;
}

static int parse_operand(struct parser *parser, struct expression_value *value) {
    const struct token *token = &parser->token;
    int status = 0;
    if (token->kind == TOKEN_INTEGER)
        *value = integer_value((int64_t)token->integer);
    else if (token->kind == TOKEN_REAL)
        status = parse_real(parser, value);
    else if (token->kind == TOKEN_NAME)
        status = parse_name(parser, value);
    else if (at_symbol(parser, '('))
        status = parse_parentheses(parser, value);
    else
        return fail_expected(parser, _("a number, lane, thread or '('"));
    return status < 0 ? -1 : advance(parser);
}

static int nest(struct parser *parser) {
    if (++parser->nesting > NESTING_LIMIT)
        return fail(parser, parser->token.offset,
                    _("the expression is nested too deeply: more than %d levels"), NESTING_LIMIT);
    return 0;
}

static int parse_unary(struct parser *parser, struct expression_value *value) {
    size_t offset = parser->token.offset;
    char sign = parser->expression->text[offset];
    if (parser->token.length != 1 || (sign != '-' && sign != '+' && sign != '~' && sign != '!'))
        return parse_operand(parser, value);
    if (nest(parser) < 0 || advance(parser) < 0 || parse_unary(parser, value) < 0)
        return -1;
    parser->nesting--;
    if (sign == '~' && value->is_real)
        return fail(parser, offset, _("'~' takes an integer, not a real number"));
    if (sign == '!')
        *value = integer_value(!is_true(value));
    else if (!value->is_real)
        value->integer = c_compute_unary(sign, value->integer);
    else if (sign == '-')
        value->real = -value->real;
    return 0;
}

static int parse_binary(struct parser *parser, int precedence, struct expression_value *value);

/* The rest of `left && right` or `left || right`; the token is the operator. */
static int parse_logical(struct parser *parser, const struct c_operator *op,
                         struct expression_value *left) {
    struct expression_value right;
    bool skips = parser->skips, holds = is_true(left);
    bool decided = holds == (op->operation == C_OR);
    parser->skips = skips || decided;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right) < 0)
        return -1;
    parser->skips = skips;
    *left = integer_value(decided ? holds : is_true(&right));
    return 0;
}

/* The rest of `left op right`; the token is the operator. */
static int parse_arithmetic(struct parser *parser, const struct c_operator *op,
                            struct expression_value *left) {
    struct expression_value right;
    size_t offset = parser->token.offset;
    if (advance(parser) < 0 || parse_binary(parser, op->precedence + 1, &right) < 0)
        return -1;
    bool real = left->is_real || right.is_real;
    if (real && c_takes_integers_only(op->operation))
        return fail(parser, offset, _("'%.*s' takes integers, not real numbers"), op->length,
                    op->sign);
    const char *wrong = real ? NULL : integer_fault(op->operation, right.integer);
    if (wrong && !parser->skips)
        return fail_in_lane(parser, offset, wrong);
    if (real)
        *left = compute_real(op->operation, as_real(left), as_real(&right));
    else
        left->integer = wrong ? 0 : c_compute(op->operation, left->integer, right.integer);
    return 0;
}

/* Operators of at least `precedence`, grouped from the left. */
static int parse_binary(struct parser *parser, int precedence, struct expression_value *value) {
    if (parse_unary(parser, value) < 0)
        return -1;
    const struct c_operator *op;
    while ((op = parser->token.operator) && op->precedence >= precedence)
        if ((c_is_logical(op->operation) ? parse_logical : parse_arithmetic)(parser, op, value) < 0)
            return -1;
    return 0;
}

/* The rest of `condition ? a : b`; the token is the '?'. */
static int parse_choice(struct parser *parser, struct expression_value *value) {
    struct expression_value otherwise;
    bool skips = parser->skips, holds = is_true(value);
    parser->skips = skips || !holds;
    if (advance(parser) < 0 || parse_ternary(parser, value) < 0)
        return -1;
    if (!at_symbol(parser, ':'))
        return fail_expected(parser, _("an operator or the ':' of '?'"));
    parser->skips = skips || holds;
    if (advance(parser) < 0 || parse_ternary(parser, &otherwise) < 0)
        return -1;
    parser->skips = skips;
    bool real = value->is_real || otherwise.is_real;
    if (!holds)
        *value = otherwise;
    if (real)
        *value = (struct expression_value){.is_real = true, .real = as_real(value)};
    return 0;
}

static int parse_ternary(struct parser *parser, struct expression_value *value) {
    if (nest(parser) < 0 || parse_binary(parser, 1, value) < 0)
        return -1;
    if (at_symbol(parser, '?') && parse_choice(parser, value) < 0)
        return -1;
    parser->nesting--;
    return 0;
}

/* ---- lists and random ---- */

static void item_begin(struct expression *expression, size_t offset) {
    expression->items = memory_room(expression->items, expression->item_count,
                                    &expression->item_capacity, sizeof expression->items[0]);
    expression->items[expression->item_count++] = offset;
}

static int parse_list(struct parser *parser, struct expression *expression) {
    struct expression_value value;
    do {
        item_begin(expression, parser->cursor);
        if (advance(parser) < 0 || parse_ternary(parser, &value) < 0)
            return -1;
    } while (at_symbol(parser, ','));
    if (parser->token.kind == TOKEN_END)
        return 0;
    if (at_symbol(parser, ')'))
        return fail(parser, parser->token.offset, _("this ')' closes nothing"));
    return fail_expected(parser, _("an operator, ',' or the end"));
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

/* "random:SEED", whose word ends at `offset`. */
static int parse_random(struct parser *parser, struct expression *expression, size_t offset) {
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
    struct parser parser = {.expression = expression, .err = err, .skips = true};
    size_t start = strspn(text, " \t");
    int status;
    if (strncmp(text + start, "random:", 7) == 0)
        status = parse_random(&parser, expression, start + 7);
    else if ((status = parse_list(&parser, expression)) == 0)
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
    free(expression->items);
    free(expression);
}

/* ---- one lane ---- */

static int64_t random_value(const struct expression *expression, uint64_t thread) {
    uint64_t state = expression->seed + (thread + 1) * RANDOM_GAMMA;
    return (int64_t)((random_mix(state) >> 32) * expression->rules.random_limit >> 32);
}

int expression_evaluate(const struct expression *expression, int lane, uint64_t thread,
                        struct expression_value *value, struct error *err) {
    if (expression->is_random) {
        *value = integer_value(random_value(expression, thread));
        return 0;
    }
    size_t count = expression->item_count;
    uint64_t index = count == 1 ? 0 : count == expression->rules.threads ? thread : (uint64_t)lane;
    assert(index < count);
    struct parser parser = {.expression = expression,
                            .err = err,
                            .cursor = expression->items[index],
                            .lane = lane,
                            .thread = thread};
    if (advance(&parser) < 0 || parse_ternary(&parser, value) < 0)
        return -1;
    if (value->is_real && value->real != value->real)
        value->real = (double)NAN; /* machines differ in which NaN 0.0 / 0.0 gives */
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
                         _("%s: lane %d gets %" PRId64
                           "\nallowed: -2147483648 to 4294967295; only the low five "
                           "bits are used\ntry: %s '(lane * 2) & 31'"),
                         expression->rules.option, lane, value.integer, expression->rules.option);
    *argument = (int32_t)(uint32_t)value.integer;
    return 0;
}
