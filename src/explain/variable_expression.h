/*
 * variable_expression.h - expressions over local variables that a user wants to see: a variable, or
 * several with the operators of C. They are evaluated in the types of C++ from a recording.
 */
#ifndef SHFLVIZ_EXPLAIN_VARIABLE_EXPRESSION_H
#define SHFLVIZ_EXPLAIN_VARIABLE_EXPRESSION_H

#include "base/error.h"
#include "trace/lines/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_part;

struct expression {
    char *text;                    /* as typed, without "@LINE" */
    uint32_t line;                 /* the only line at which it is shown; 0 for all */
    struct expression_part *parts; /* in the order of evaluation */
    size_t count;
    bool differs; /* "sum differs": true if lanes hold different values */
};

/* The status of an expression in one lane. */
enum expression_status {
    EXPRESSION_VALUE,
    EXPRESSION_UNSET,  /* one of its variables is unset */
    EXPRESSION_UNKNOWN /* one of its variables is out of scope here, or it divides by 0 */
};

struct expression_value {
    enum expression_status status;
    enum warp_type type;
    uint64_t bits;
    bool is_doubtful; /* computed from an undefined value */
};

/* Fails (ERROR_USAGE) with the error and the text that contains it. Release it in any case. */
int expression_parse(struct expression *expression, const char *text, struct error *err);
void expression_release(struct expression *expression);

/* Evaluates it with the variables of the line's function, as they are in `state`. */
struct expression_value expression_value(const struct expression *expression,
                                         const struct trace_lines *lines,
                                         const struct trace_line *line,
                                         const struct trace_line_state *state, int lane);

/* Those of the line's lanes in which the expression is true, which means not 0. With "differs": all
 * of the line's lanes if any two have different values, else none. */
uint32_t expression_holds(const struct expression *expression, const struct trace_lines *lines,
                          const struct trace_line *line, const struct trace_line_state *state);

/* ---- several, with commas between them ---- */

#define EXPRESSIONS_MOST 32

struct expression_list {
    struct expression item[EXPRESSIONS_MOST];
    size_t count; /* 0 for all variables */
};

/* "all", "sum, i3+i1@15". */
int expression_list_parse(struct expression_list *list, const char *text, struct error *err);
void expression_list_release(struct expression_list *list);

/* The first name in it that is not a variable of any function in the recording, to be freed; NULL
 * if there is none. */
char *expression_unknown_name(const struct expression *expression, const struct trace *trace);

#endif
