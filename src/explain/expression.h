/*
 * expression.h - what a person asks to see of local variables: a variable, or an expression over
 * several, with the operators of C. It is worked out in the types of C++ from what a recording has.
 */
#ifndef SHFLVIZ_EXPLAIN_EXPRESSION_H
#define SHFLVIZ_EXPLAIN_EXPRESSION_H

#include "base/error.h"
#include "trace/lines/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_part;

struct expression {
    char *text;                    /* as it was typed, without "@LINE" */
    uint32_t line;                 /* it is shown at that line alone; 0: at all */
    struct expression_part *parts; /* in the order in which they are worked out */
    size_t count;
    bool differs; /* "sum differs": whether lanes hold different values */
};

/* What it is for one lane. */
enum expression_status {
    EXPRESSION_VALUE,
    EXPRESSION_UNSET,  /* a variable of it holds nothing */
    EXPRESSION_UNKNOWN /* a variable of it cannot be named here; or it divides by 0 */
};

struct expression_value {
    enum expression_status status;
    enum warp_type type;
    uint64_t bits;
    bool is_doubtful; /* computed from a value that nothing defines */
};

/* Fails (ERROR_USAGE) with what is wrong, naming the text. To be released in any case. */
int expression_parse(struct expression *expression, const char *text, struct error *err);
void expression_release(struct expression *expression);

/* With the variables that the function of a line has, as they are in `state`. */
struct expression_value expression_value(const struct expression *expression,
                                         const struct trace_lines *lines,
                                         const struct trace_line *line,
                                         const struct trace_line_state *state, int lane);

/* Lanes of the line for which it is true: not 0, or, if it says "differs", all where two have
 * different values. */
uint32_t expression_holds(const struct expression *expression, const struct trace_lines *lines,
                          const struct trace_line *line, const struct trace_line_state *state);

/* ---- several, with commas between them ---- */

#define EXPRESSIONS_MOST 32

struct expression_list {
    struct expression item[EXPRESSIONS_MOST];
    size_t count; /* 0: all variables */
};

/* "all", "sum, i3+i1@15". */
int expression_list_parse(struct expression_list *list, const char *text, struct error *err);
void expression_list_release(struct expression_list *list);

/* The first name in it that no function of the recording has as a variable, to be freed; NULL: it
 * has all. */
char *expression_unknown_name(const struct expression *expression, const struct trace *trace);

#endif
