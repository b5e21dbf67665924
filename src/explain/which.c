/*
 * Tries calls from the simplest kind on, and stops at the first kind that fits: there are few
 * enough simple calls to try them all, and users want the simplest.
 */
#include "explain/which.h"

#include "base/memory.h"
#include "base/message.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTHS 6 /* 1 to 32 */

/* ---- the request ---- */

/* Reads a lane at *at; -1 if there is none. */
static int read_lane(const char **at) {
    int lane = 0;
    *at += strspn(*at, " ");
    if (!isdigit((unsigned char)**at))
        return -1;
    for (; isdigit((unsigned char)**at); ++*at)
        lane = lane < WARP_LANES ? lane * 10 + (**at - '0') : lane;
    *at += strspn(*at, " ");
    return lane < WARP_LANES ? lane : -1;
}

static int refuse(const char *text, struct error *err) {
    return error_set(
        err, ERROR_USAGE,
        _("'%s' does not say which lane gets which lane's value\nallowed: LANE<LANE or LANE:LANE, "
          "comma-separated, lanes 0 to 31\ntry: shflviz which '5<12, 6<13'"),
        text);
}

int which_parse(struct which_request *request, const char *text, struct error *err) {
    const char *at = text;
    memset(request->source, -1, sizeof request->source);
    for (;;) {
        const int lane = read_lane(&at);
        if (lane < 0 || (*at != '<' && *at != ':'))
            return refuse(text, err);
        at++;
        const int source = read_lane(&at);
        if (source < 0)
            return refuse(text, err);
        if (request->source[lane] >= 0 && request->source[lane] != source)
            return error_set(err, ERROR_USAGE,
                             _("lane %d cannot get the values of both lane %d and lane %d"), lane,
                             request->source[lane], source);
        request->source[lane] = (int8_t)source;
        if (*at == '\0')
            return 0;
        if (*at++ != ',')
            return refuse(text, err);
    }
}

void which_request_of(const struct warp_operation *operation,
                      const struct lane_outcome outcome[WARP_LANES],
                      struct which_request *request) {
    request->width = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        request->source[lane] = operation->present >> lane & 1 && outcome[lane].has_value
                                    ? (int8_t)outcome[lane].address.source
                                    : -1;
}

/* ---- trying ---- */

/* Finds the effect of a call in all lanes, each with its own argument. */
static void try_call(struct which_call *call, const int32_t arguments[WARP_LANES], int width) {
    call->own = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct shuffle_address address =
            shuffle_address(call->op, lane, arguments[lane], width);
        call->source[lane] = (int8_t)address.source;
        if (!address.in_range)
            call->own |= UINT32_C(1) << lane;
    }
}

static int count_given(const struct which_call *call, const struct which_request *request,
                       int *missed) {
    int given = 0;
    *missed = -1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (request->source[lane] < 0)
            continue;
        if (call->source[lane] == request->source[lane])
            given++;
        else if (*missed < 0)
            *missed = lane;
    }
    return given;
}

static bool same_picture(const struct which_call *a, const struct which_call *b) {
    return memcmp(a->source, b->source, sizeof a->source) == 0;
}

static void add(struct which *which, const struct which_call *call) {
    which->calls = memory_grow(which->calls, which->count + 1, sizeof *which->calls);
    which->calls[which->count++] = *call;
}

/* Keeps a call that gives everything; else remembers the one that gives the most. */
static void judge_uniform(struct which *which, const struct which_call *call,
                          const struct which_request *request) {
    int missed;
    const int given = count_given(call, request, &missed);
    if (missed >= 0) {
        if (!which->has_nearest || given > which->given) {
            which->has_nearest = true;
            which->nearest = *call;
            which->given = given;
            which->missed = missed;
        }
        return;
    }
    for (size_t i = 0; i < which->count; i++) {
        struct which_call *known = &which->calls[i];
        if (known->op == call->op && known->argument == call->argument &&
            same_picture(known, call)) {
            known->widths |= call->widths;
            return;
        }
    }
    add(which, call);
}

static bool is_allowed_width(const struct which_request *request, int width) {
    return request->width == 0 || request->width == width;
}

static void try_uniform(struct which *which, const struct which_request *request) {
    for (int log = WIDTHS - 1; log >= 0; log--) /* the full width is the simplest */
        for (int op = WARP_OP_IDX; op <= WARP_OP_XOR && is_allowed_width(request, 1 << log); op++)
            for (int argument = 0; argument < (op == WARP_OP_XOR ? WARP_LANES : 1 << log);
                 argument++) {
                struct which_call call = {
                    .op = (enum warp_op)op, .argument = argument, .widths = 1u << log};
                int32_t arguments[WARP_LANES];
                for (int lane = 0; lane < WARP_LANES; lane++)
                    arguments[lane] = argument;
                try_call(&call, arguments, 1 << log);
                judge_uniform(which, &call, request);
            }
}

/* ---- expressions ---- */

/* One operator with a number k, applied to an operand. */
enum kind { ADDED, MIRRORED, TIMES, DIVIDED, REMAINDER, AND, OR, FLIPPED, KIND_COUNT };

/* True only for numbers whose effect no smaller number has. */
static bool has_number(enum kind kind, int k) {
    switch (kind) {
    case MIRRORED:
        return true;
    case ADDED:
    case AND:
    case OR:
    case FLIPPED:
        return k >= 1;
    default:
        return k >= 2;
    }
}

static int value_of(enum kind kind, int value, int k) {
    switch (kind) {
    case ADDED:
        return value + k;
    case MIRRORED:
        return k - value;
    case TIMES:
        return value * k;
    case DIVIDED:
        return value / k;
    case REMAINDER:
        return value % k;
    case AND:
        return value & k;
    case OR:
        return value | k;
    default:
        return value ^ k;
    }
}

static bool is_product(enum kind kind) {
    return kind == TIMES || kind == DIVIDED || kind == REMAINDER;
}

struct index_operator {
    enum kind kind;
    int k;
};

/* Lists every operator with every number. Returns how many there are: at most KIND_COUNT * 32. */
static int list_operators(struct index_operator list[KIND_COUNT * WARP_LANES]) {
    int count = 0;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        for (int k = 0; k < WARP_LANES; k++)
            if (has_number((enum kind)kind, k))
                list[count++] = (struct index_operator){(enum kind)kind, k};
    return count;
}

/* "lane + 3", or the mirrored form of 3 - lane; five bits count, so adding 25 is the same as
 * subtracting 7. */
static void write_operator(struct index_operator is, const char *of, char *text, size_t size) {
    static const char signs[KIND_COUNT] = {
        [ADDED] = '+', [TIMES] = '*', [DIVIDED] = '/', [REMAINDER] = '%',
        [AND] = '&',   [OR] = '|',    [FLIPPED] = '^'};
    if (is.kind == MIRRORED)
        snprintf(text, size, "%d - %s", is.k, of);
    else if (is.kind == ADDED && is.k > WARP_LANES / 2)
        snprintf(text, size, "%s - %d", of, WARP_LANES - is.k);
    else
        snprintf(text, size, "%s %c %d", of, signs[is.kind], is.k);
}

/* Writes two operators, applied one after the other, with brackets where C needs them. */
static void write_two(struct index_operator inner, struct index_operator outer, char *text,
                      size_t size) {
    char of[WHICH_EXPRESSION / 4], bracketed[WHICH_EXPRESSION / 2];
    const bool plain = is_product(inner.kind) && (is_product(outer.kind) || outer.kind == ADDED);
    write_operator(inner, "lane", of, sizeof of);
    snprintf(bracketed, sizeof bracketed, plain ? "%s" : "(%s)", of);
    write_operator(outer, bracketed, text, size);
}

/* A call with the same effect as an earlier one is left out: it is not simpler. */
static void judge_expression(struct which *which, const struct which_call *call) {
    for (size_t i = 0; i < which->count; i++)
        if (same_picture(&which->calls[i], call)) {
            if (which->calls[i].op == call->op &&
                strcmp(which->calls[i].expression, call->expression) == 0)
                which->calls[i].widths |= call->widths;
            return;
        }
    add(which, call);
}

static bool satisfies(enum warp_op op, int width, const int32_t arguments[WARP_LANES],
                      const struct which_request *request) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (request->source[lane] >= 0 &&
            shuffle_address(op, lane, arguments[lane], width).source != request->source[lane])
            return false;
    return true;
}

/* Tries these arguments, one per lane, with all shuffles and widths. */
static void try_arguments(struct which *which, const struct which_request *request,
                          const int32_t arguments[WARP_LANES], const char *expression) {
    for (int log = WIDTHS - 1; log >= 0; log--)
        for (int op = WARP_OP_IDX; op <= WARP_OP_XOR && is_allowed_width(request, 1 << log); op++) {
            if (!satisfies((enum warp_op)op, 1 << log, arguments, request))
                continue;
            struct which_call call = {.op = (enum warp_op)op, .widths = 1u << log};
            snprintf(call.expression, sizeof call.expression, "%s", expression);
            try_call(&call, arguments, 1 << log);
            judge_expression(which, &call);
        }
}

static void apply(struct index_operator is, const int32_t from[WARP_LANES],
                  int32_t to[WARP_LANES]) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        to[lane] = value_of(is.kind, from[lane], is.k);
}

static void try_one_operator(struct which *which, const struct which_request *request) {
    struct index_operator list[KIND_COUNT * WARP_LANES];
    const int count = list_operators(list);
    int32_t lanes[WARP_LANES], arguments[WARP_LANES];
    char text[WHICH_EXPRESSION];
    for (int lane = 0; lane < WARP_LANES; lane++)
        lanes[lane] = lane;
    try_arguments(which, request, lanes, "lane");
    for (int i = 0; i < count; i++) {
        apply(list[i], lanes, arguments);
        write_operator(list[i], "lane", text, sizeof text);
        try_arguments(which, request, arguments, text);
    }
}

/* Rows become columns: k of them. */
static void try_transposed(struct which *which, const struct which_request *request) {
    int32_t arguments[WARP_LANES];
    char text[WHICH_EXPRESSION];
    for (int k = 2; k < WARP_LANES; k *= 2) {
        for (int lane = 0; lane < WARP_LANES; lane++)
            arguments[lane] = lane % k * (WARP_LANES / k) + lane / k;
        snprintf(text, sizeof text, "lane %% %d * %d + lane / %d", k, WARP_LANES / k, k);
        try_arguments(which, request, arguments, text);
    }
}

/* True if any shuffle with this argument fits the first lane of the request: most do not. */
static bool may_fit(const struct which_request *request, int first, int32_t argument) {
    for (int log = WIDTHS - 1; log >= 0; log--)
        for (int op = WARP_OP_IDX; op <= WARP_OP_XOR && is_allowed_width(request, 1 << log); op++)
            if (shuffle_address((enum warp_op)op, first, argument, 1 << log).source ==
                request->source[first])
                return true;
    return false;
}

static void try_two_operators(struct which *which, const struct which_request *request) {
    struct index_operator list[KIND_COUNT * WARP_LANES];
    const int count = list_operators(list);
    int32_t lanes[WARP_LANES], inner[WARP_LANES], arguments[WARP_LANES];
    char text[WHICH_EXPRESSION];
    bool near[WARP_LANES]; /* indexed by the argument's five bits */
    int first = 0;
    while (first < WARP_LANES - 1 && request->source[first] < 0)
        first++;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        lanes[lane] = lane;
        near[lane] = may_fit(request, first, lane);
    }
    for (int i = 0; i < count; i++) {
        apply(list[i], lanes, inner);
        for (int j = 0; j < count; j++) {
            if (!near[value_of(list[j].kind, inner[first], list[j].k) & (WARP_LANES - 1)])
                continue;
            apply(list[j], inner, arguments);
            write_two(list[i], list[j], text, sizeof text);
            try_arguments(which, request, arguments, text);
        }
    }
}

/* The argument of each lane written out: a few as exceptions, many as a list. Lanes outside the
 * request keep their own value. */
static void write_out(const struct which_request *request, const int32_t arguments[WARP_LANES],
                      const char *otherwise, char *text, size_t size) {
    int given = 0;
    size_t length = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        given += request->source[lane] >= 0;
    for (int lane = 0; lane < WARP_LANES && length < size; lane++)
        if (given > 4)
            length += (size_t)snprintf(text + length, size - length, "%s%" PRId32, lane ? "," : "",
                                       arguments[lane]);
        else if (request->source[lane] >= 0)
            length += (size_t)snprintf(text + length, size - length, "lane == %d ? %" PRId32 " : ",
                                       lane, arguments[lane]);
    if (given <= 4 && length < size)
        snprintf(text + length, size - length, "%s", otherwise);
}

/* Any possible request can be met this way: by idx if each lane reads its own group, else by xor,
 * which can also read an earlier group. */
static void try_written_out(struct which *which, const struct which_request *request) {
    const int width = request->width ? request->width : WARP_LANES;
    bool within = true;
    int32_t sources[WARP_LANES], masks[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int source = request->source[lane] < 0 ? lane : request->source[lane];
        if (source / width > lane / width && which->beyond < 0)
            which->beyond = lane;
        within = within && source / width == lane / width;
        sources[lane] = source;
        masks[lane] = lane ^ source;
    }
    if (which->beyond >= 0)
        return;
    struct which_call call = {.op = within ? WARP_OP_IDX : WARP_OP_XOR,
                              .widths = (unsigned)width}; /* 2^n: bit n */
    write_out(request, within ? sources : masks, within ? "lane" : "0", call.expression,
              sizeof call.expression);
    try_call(&call, within ? sources : masks, width);
    add(which, &call);
}

/* ---- the order ---- */

/* Calls with one argument for all lanes come before those with expressions; within either kind,
 * full width and short arguments come first. */
static int cost(const struct which_call *call) {
    return (call->expression[0] ? 10000 + 16 * (int)strlen(call->expression) : call->argument) +
           (which_width(call) == WARP_LANES ? 0 : 1000);
}

static int by_cost(const void *a, const void *b) {
    const struct which_call *x = a, *y = b;
    if (cost(x) != cost(y))
        return cost(x) < cost(y) ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (which_width(x) != which_width(y))
        return which_width(y) - which_width(x);
    return x->found < y->found
               ? -1
               : 1; /* makes the order the same everywhere: qsort() may sort ties in any order */
}

void which_find(struct which *which, const struct which_request *request) {
    *which = (struct which){.beyond = -1};
    try_uniform(which, request);
    which->has_nearest = which->has_nearest && which->count == 0;
    try_one_operator(which, request);
    if (which->count == 0) {
        try_transposed(which, request);
        try_two_operators(which, request);
    }
    if (which->count == 0)
        try_written_out(which, request);
    for (size_t i = 0; i < which->count; i++)
        which->calls[i].found = i;
    if (which->count > 0)
        qsort(which->calls, which->count, sizeof *which->calls, by_cost);
}

void which_release(struct which *which) {
    free(which->calls);
    *which = (struct which){.beyond = -1};
}

/* ---- texts ---- */

int which_width(const struct which_call *call) {
    int log = WIDTHS - 1;
    while (log > 0 && !(call->widths >> log & 1))
        log--;
    return 1 << log;
}

void which_append_command(const struct which_call *call, struct text *text) {
    static const char *const options[] = {[WARP_OP_IDX] = "src",
                                          [WARP_OP_UP] = "delta",
                                          [WARP_OP_DOWN] = "delta",
                                          [WARP_OP_XOR] = "mask"};
    text_append_format(text, "%s --%s ", warp_op_info(call->op)->name, options[call->op]);
    if (call->expression[0])
        text_append_format(text, "'%s'", call->expression);
    else
        text_append_format(text, "%" PRId32, call->argument);
    if (which_width(call) != WARP_LANES)
        text_append_format(text, " --width %d", which_width(call));
}

void which_append_code(const struct which_call *call, struct text *text) {
    const int width = which_width(call);
    if (call->expression[0]) {
        text_append_format(text, "%s(mask, value, %s", warp_op_info(call->op)->intrinsic,
                           call->expression);
        if (width != WARP_LANES)
            text_append_format(text, ", %d", width);
        text_append_char(text, ')');
        return;
    }
    text_append_format(text, "%s %" PRId32, warp_op_info(call->op)->name, call->argument);
    if (width != WARP_LANES)
        text_append_format(text, " %d", width);
}

void which_append_widths(const struct which_call *call, struct text *text) {
    const char *separator = "";
    for (int width = which_width(call) / 2; width > 0; width /= 2)
        if (call->widths & (unsigned)width) {
            text_append_format(text, "%s%d", separator, width);
            separator = " ";
        }
}

void which_append_reason(const struct which *which, const struct which_request *request,
                         struct text *text) {
    if (which->beyond >= 0) {
        text_append_format(text,
                           _("No shuffle of width %d can give this: lane %d would have to read "
                             "lane %d, which is in a later group."),
                           request->width, which->beyond, request->source[which->beyond]);
    } else if (which->has_nearest) {
        struct text call = TEXT_INIT;
        which_append_command(&which->nearest, &call);
        text_append_format(text,
                           _("No call with the same argument in all lanes gives this. Nearest: %s, "
                             "but lane %d would get the value of lane %d."),
                           call.data, which->missed, which->nearest.source[which->missed]);
        text_release(&call);
    }
}
