/*
 * The launch in a CUDA file shows the kernel's template arguments and block, mostly as constants
 * computed from others. The code here reads as much C++ as such lines need; the rest is guessed, as
 * if the file had no launch.
 */
#include "bring/constant.h"

#include "base/text/c_expression.h"
#include "bring/cpp_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Constants may be nested this deep in others; deeper nesting is taken to be circular. */
#define DEPTH_MOST 8

struct evaluation {
    const char *text;
    long (*guess)(const char *name);
    const char *at, *end;
    int depth;
    bool failed;
};

static int64_t conditional(struct evaluation *e);

static int64_t fail(struct evaluation *e) {
    e->failed = true;
    return 0;
}

static const char *skip(struct evaluation *e) {
    while (e->at < e->end && (strchr(" \t\r\n\\", *e->at)))
        e->at++;
    return e->at;
}

static bool accept_char(struct evaluation *e, char symbol) {
    if (skip(e) >= e->end || *e->at != symbol)
        return false;
    e->at++;
    return true;
}

/* ---- definitions ---- */

struct span {
    const char *begin, *end; /* both NULL if there is none */
};

static bool is_named(const struct cpp_token *token, const char *name, size_t length) {
    return token->kind == CPP_WORD && token->length == length &&
           memcmp(token->at, name, length) == 0;
}

static struct span rest_of_line(const struct cpp_reader *reader) {
    const char *end = reader->at;
    while (*end && *end != '\n' && strncmp(end, "//", 2) != 0)
        end += *end == '\\' && end[1] == '\n' ? 2 : 1;
    return (struct span){reader->at, end};
}

/* The value after a variable's name and =, up to the ; or , that ends it. */
static struct span initializer(struct cpp_reader reader) {
    const struct cpp_token assign = cpp_next(&reader);
    struct span value = {NULL, NULL};
    if (!cpp_is(&assign, "="))
        return value;
    value.begin = reader.at;
    for (int open = 0;;) {
        const struct cpp_token token = cpp_next(&reader);
        if (token.kind == CPP_END || ((cpp_is(&token, ";") || cpp_is(&token, ",")) && !open)) {
            value.end = token.at;
            return value;
        }
        open += cpp_is(&token, "(") || cpp_is(&token, "{");
        open -= cpp_is(&token, ")") || cpp_is(&token, "}");
    }
}

static struct span definition(const char *text, const char *name, size_t length) {
    struct cpp_reader reader = {.at = text};
    struct cpp_token token, before = {.kind = CPP_END};
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        if (token.kind == CPP_DIRECTIVE) {
            struct cpp_reader line = {.at = token.at + 1, .in_line = true};
            const struct cpp_token word = cpp_next(&line), defined = cpp_next(&line);
            if (cpp_is(&word, "define") && is_named(&defined, name, length))
                return rest_of_line(&line);
        } else if (is_named(&token, name, length) && before.kind == CPP_WORD) {
            const struct span value = initializer(reader);
            if (value.begin)
                return value;
        }
        before = token;
    }
    return (struct span){NULL, NULL};
}

/* template <const int NAME, ...> */
static bool is_parameter(const char *text, const char *name, size_t length) {
    struct cpp_reader reader = {.at = text};
    struct cpp_token token;
    bool within = false;
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        within = cpp_is(&token, "template") || (within && !cpp_is(&token, ">"));
        if (within && is_named(&token, name, length))
            return true;
    }
    return false;
}

/* ---- expressions ---- */

static int64_t evaluate(struct evaluation *e, struct span span) {
    struct evaluation inner = {e->text, e->guess, span.begin, span.end, e->depth + 1, false};
    if (inner.depth > DEPTH_MOST)
        return fail(e);
    const int64_t value = conditional(&inner);
    if (inner.failed || skip(&inner) < inner.end)
        return fail(e);
    return value;
}

static int64_t size_of(struct evaluation *e) {
    static const struct {
        const char *name;
        int size;
    } types[] = {{"half", 2},   {"__half", 2},   {"__nv_bfloat16", 2}, {"float", 4},
                 {"int", 4},    {"unsigned", 4}, {"double", 8},        {"char", 1},
                 {"float2", 8}, {"float4", 16}};
    if (!accept_char(e, '('))
        return fail(e);
    skip(e);
    const size_t length = c_word_length(e->at);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, e->at, length) == 0) {
            e->at += length;
            return accept_char(e, ')') ? types[i].size : fail(e);
        }
    return fail(e);
}

static int64_t named(struct evaluation *e) {
    char word[96];
    const char *name = e->at;
    const size_t length = c_word_length(name);
    e->at += length;
    if (length == 6 && memcmp(name, "sizeof", 6) == 0)
        return size_of(e);
    const struct span value = definition(e->text, name, length);
    if (value.begin)
        return evaluate(e, value);
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    return e->guess && is_parameter(e->text, name, length) ? e->guess(word) : fail(e);
}

static int64_t operand(struct evaluation *e) {
    if (skip(e) >= e->end)
        return fail(e);
    if (accept_char(e, '(')) {
        const int64_t value = conditional(e);
        return accept_char(e, ')') ? value : fail(e);
    }
    if (strchr("-~!+", *e->at)) {
        const char sign = *e->at++;
        const int64_t value = operand(e);
        return sign == '+' ? value : c_compute_unary(sign, value);
    }
    if (c_is_digit(*e->at)) {
        uint64_t number;
        const enum number_problem problem = number_scan(e->at, &e->at, &number);
        while (e->at < e->end && strchr("uUlL", *e->at))
            e->at++;
        return problem != NUMBER_FINE || (e->at < e->end && *e->at == '.') ? fail(e)
                                                                           : (int64_t)number;
    }
    return c_word_length(e->at) ? named(e) : fail(e);
}

static int64_t binary(struct evaluation *e, int precedence) {
    int64_t value = operand(e);
    while (!e->failed && skip(e) < e->end) {
        const struct c_operator *sign = c_operator_at(e->at);
        if (!sign || sign->precedence < precedence)
            break;
        e->at += sign->length;
        const int64_t right = binary(e, sign->precedence + 1);
        const bool shifts = sign->operation == C_SHIFT_LEFT || sign->operation == C_SHIFT_RIGHT;
        if (shifts && (right < 0 || right > 63))
            return fail(e);
        value = c_compute(sign->operation, value, right);
    }
    return value;
}

static int64_t conditional(struct evaluation *e) {
    const int64_t value = binary(e, 1);
    if (e->failed || !accept_char(e, '?'))
        return value;
    const int64_t yes = conditional(e);
    if (!accept_char(e, ':'))
        return fail(e);
    const int64_t no = conditional(e);
    return value ? yes : no;
}

long constant_value(const char *text, const char *expression, size_t length,
                    long (*guess)(const char *name)) {
    struct evaluation e = {text, guess, NULL, NULL, 0, false};
    const int64_t value = evaluate(&e, (struct span){expression, expression + length});
    return e.failed || value < 0 || value > INT32_MAX ? -1 : (long)value;
}
