/* Code is run while it is parsed: code that must not run is parsed with no lane active. */
#include "explain/snippet/snippet.h"

#include "base/message.h"
#include "explain/snippet/snippet_cells.h"
#include "explain/snippet/snippet_numbers.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE  24
#define VARIABLES  16
#define ROUNDS     4096 /* of all loops together */
#define DEPTH_MOST 48

struct variable {
    char name[NAME_SIZE];
    struct snippet_values values;
};

struct machine {
    const char *at;
    const struct warp_operation *start;
    struct variable variables[VARIABLES];
    int count;
    int last;    /* the variable assigned last, -1 for none */
    bool header; /* inside the parentheses of a loop, whose counter is not a result */
    uint32_t active, exited;
    struct snippet_cells shared;
    int rounds, depth;
    struct snippet_result *result;
    struct error *err;
    bool failed;
};

static void fail(struct machine *m, const char *expected) {
    char given[32];
    if (m->failed)
        return;
    m->failed = true;
    snprintf(given, sizeof given, "%.24s", m->at);
    error_set(m->err, ERROR_USAGE, _("cannot read the code at '%s'\nexpected: %s"),
              *given ? given : _("the end"), expected);
}

/* ---- words ---- */

static void skip_blanks(struct machine *m) {
    m->at = c_skip_blanks(m->at);
}

static bool take(struct machine *m, const char *sign) {
    skip_blanks(m);
    size_t length = strlen(sign);
    if (strncmp(m->at, sign, length) != 0)
        return false;
    if (c_word_length(sign) && c_word_length(m->at) != length)
        return false;
    m->at += length;
    return true;
}

static void expect(struct machine *m, const char *sign) {
    if (!take(m, sign))
        fail(m, sign);
}

static bool take_name(struct machine *m, char name[NAME_SIZE]) {
    skip_blanks(m);
    size_t length = 0;
    if (!c_is_digit(*m->at) && *m->at != '.')
        for (size_t more; (more = m->at[length] == '.' ? 1 : c_word_length(m->at + length)) > 0;)
            length += more;
    if (length == 0 || length >= NAME_SIZE)
        return false;
    memcpy(name, m->at, length);
    name[length] = '\0';
    m->at += length;
    return true;
}

static bool is_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* ---- values ---- */

static struct variable *find(struct machine *m, const char *name) {
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->variables[i].name, name) == 0)
            return &m->variables[i];
    return NULL;
}

static struct variable *add(struct machine *m, const char *name, struct snippet_values values) {
    if (m->count == VARIABLES) {
        fail(m, _("fewer variables"));
        return &m->variables[0];
    }
    struct variable *variable = &m->variables[m->count++];
    snprintf(variable->name, NAME_SIZE, "%s", name);
    variable->values = values;
    return variable;
}

/* The number that the bits of a value mean in a snippet: an int has its sign. */
static int64_t as_typed(enum warp_type type, uint64_t bits) {
    return type == WARP_TYPE_INT ? snippet_as_int((int64_t)bits) : (int64_t)bits;
}

static struct snippet_values input_values(const struct machine *m) {
    struct snippet_values values = {{0}, ~m->start->present};
    for (int lane = 0; lane < WARP_LANES; lane++)
        values.of[lane] = as_typed(m->start->type, m->start->in[lane]);
    return values;
}

/* The width of the call. Operations other than shuffles have none, and a recording from elsewhere
 * may have any. */
static bool known_width(struct machine *m, struct snippet_values *values) {
    int32_t width = 0;
    if (warp_op_info(m->start->op)->is_shuffle)
        width = m->start->present ? m->start->width[__builtin_ctz(m->start->present)] : WARP_LANES;
    *values = snippet_constant(width);
    if (width < 1 || width > WARP_LANES)
        fail(m, _("code without width or tile: this step is not a shuffle of width 1 to 32"));
    return !m->failed;
}

/* The value of a name that was not assigned. */
static bool builtin_value(struct machine *m, const char *name, struct snippet_values *values) {
    static const char *const lanes[] = {"lane", "laneId", "lane_id", "threadIdx.x", "tid", NULL};
    static const char *const brings[] = {"value", "v", "val", "x", "sum", "total", "best", NULL};
    static const char *const masks[] = {"members", "mask", NULL};
    if (is_among(name, lanes)) {
        *values = snippet_lane_numbers();
    } else if (is_among(name, brings)) {
        *values = input_values(m);
    } else if (is_among(name, masks)) {
        *values = snippet_constant(m->start->members);
    } else if (strcmp(name, "warpSize") == 0) {
        *values = snippet_constant(WARP_LANES);
    } else if (strcmp(name, "width") == 0) {
        return known_width(m, values);
    } else {
        return false;
    }
    return true;
}

/* ---- calls ---- */

static struct snippet_values expression(struct machine *m);

#define ARGUMENTS 4

static int arguments(struct machine *m, struct snippet_values given[ARGUMENTS], int least,
                     int most) {
    int count = 0;
    expect(m, "(");
    if (take(m, ")"))
        return least > 0 ? (fail(m, _("an argument")), 0) : 0;
    do {
        if (count == most) {
            fail(m, ")");
            return count;
        }
        given[count++] = expression(m);
    } while (!m->failed && take(m, ","));
    expect(m, ")");
    if (count < least)
        fail(m, _("one more argument"));
    return count;
}

/* Runs one operation for the lanes that pass the same mask. */
static void run_operation(struct machine *m, const struct warp_operation *operation,
                          const struct snippet_values *in, struct snippet_values *out) {
    struct lane_outcome outcome[WARP_LANES];
    uint32_t missing =
        operation->members & operation->launched & ~operation->exited & ~operation->present;
    warp_outcome(operation, outcome);
    m->result->waits_for |= missing;
    bool shuffle = warp_op_info(operation->op)->is_shuffle;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!warp_has_lane(operation->present, lane))
            continue;
        bool undefined = missing || !outcome[lane].has_value;
        uint32_t read = shuffle ? UINT32_C(1) << outcome[lane].address.source : operation->members;
        undefined = undefined || (in->undefined & read & operation->present);
        out->of[lane] = as_typed(operation->type, outcome[lane].value);
        out->undefined |= (uint32_t)undefined << lane;
    }
}

static struct snippet_values collective(struct machine *m, enum warp_op op,
                                        const struct snippet_values *mask,
                                        const struct snippet_values *in,
                                        const struct snippet_values *arg,
                                        const struct snippet_values *width) {
    struct snippet_values out = {{0}, ~m->active}; /* absent lanes get nothing */
    bool shuffle = warp_op_info(op)->is_shuffle;
    enum warp_type type = shuffle ? m->start->type : WARP_TYPE_INT;
    for (uint32_t left = m->active; left;) {
        struct warp_operation operation = {.op = op,
                                           .type = type,
                                           .launched = m->start->launched,
                                           .exited = m->start->exited | m->exited};
        operation.members = (uint32_t)mask->of[__builtin_ctz(left)];
        for (int lane = 0; lane < WARP_LANES; lane++) {
            if (!warp_has_lane(left, lane) || (uint32_t)mask->of[lane] != operation.members)
                continue;
            operation.present |= UINT32_C(1) << lane;
            operation.in[lane] = warp_value_mask(type, (uint64_t)in->of[lane]);
            operation.arg[lane] = (int32_t)arg->of[lane];
            operation.width[lane] = (int32_t)width->of[lane];
        }
        run_operation(m, &operation, in, &out);
        left &= ~operation.present;
    }
    out.undefined |= (mask->undefined | arg->undefined | width->undefined) & m->active;
    if (m->active) {
        m->result->handed = out;
        m->result->called = m->active;
    }
    return out;
}

static const struct {
    const char *name;
    enum warp_op op;
    int least, most;
} collectives[] = {
    {"__shfl_sync", WARP_OP_IDX, 3, 4},
    {"__shfl_up_sync", WARP_OP_UP, 3, 4},
    {"__shfl_down_sync", WARP_OP_DOWN, 3, 4},
    {"__shfl_xor_sync", WARP_OP_XOR, 3, 4},
    {"tile.shfl", WARP_OP_IDX, 2, 2},
    {"tile.shfl_up", WARP_OP_UP, 2, 2},
    {"tile.shfl_down", WARP_OP_DOWN, 2, 2},
    {"tile.shfl_xor", WARP_OP_XOR, 2, 2},
    {"__ballot_sync", WARP_OP_BALLOT, 2, 2},
    {"__any_sync", WARP_OP_ANY, 2, 2},
    {"__all_sync", WARP_OP_ALL, 2, 2},
    {"__reduce_add_sync", WARP_OP_REDUCE_ADD, 2, 2},
    {"__reduce_min_sync", WARP_OP_REDUCE_MIN, 2, 2},
    {"__reduce_max_sync", WARP_OP_REDUCE_MAX, 2, 2},
};

static void meet(struct machine *m, uint32_t members) {
    uint32_t come = members & m->start->launched & ~m->start->exited & ~m->exited;
    m->result->waits_for |= come & ~m->active;
    if (!(come & ~m->active))
        snippet_cells_meet(&m->shared, come);
}

static struct snippet_values call(struct machine *m, const char *name) {
    struct snippet_values given[ARGUMENTS] = {{{0}, 0}}, none = snippet_constant(0);
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (strcmp(name, collectives[i].name) == 0) {
            int count = arguments(m, given, collectives[i].least, collectives[i].most);
            struct snippet_values width = count == 4 ? given[3] : snippet_constant(WARP_LANES);
            if (m->failed)
                return none;
            if (name[0] == 't') {
                if (!builtin_value(m, "width", &width))
                    return none;
                struct snippet_values tile = snippet_tile_members(&width);
                return collective(m, collectives[i].op, &tile, &given[0], &given[1], &width);
            }
            return collective(m, collectives[i].op, &given[0], &given[1],
                              count > 2 ? &given[2] : &none, &width);
        }
    if (strcmp(name, "__activemask") == 0) {
        arguments(m, given, 0, 0);
        return snippet_constant(m->active);
    }
    if (strcmp(name, "__syncwarp") == 0) {
        given[0] = arguments(m, given, 0, 1) ? given[0] : snippet_constant(WARP_FULL_MASK);
        if (m->active)
            meet(m, (uint32_t)given[0].of[__builtin_ctz(m->active)]);
        return none;
    }
    static const char *const two[] = {"max", "min", NULL}, *const one[] = {"__popc", "__ffs", NULL};
    if (is_among(name, two))
        arguments(m, given, 2, 2);
    else if (is_among(name, one))
        arguments(m, given, 1, 1);
    else
        fail(m, _("a shuffle, a vote, max, min, __popc or __ffs"));
    return snippet_lanewise(name, &given[0], &given[1]);
}

/* ---- expressions ---- */

static bool take_cast(struct machine *m) {
    const char *was = m->at;
    static const char *const types[] = {"int", "unsigned", "bool", NULL};
    char name[NAME_SIZE];
    if (take(m, "(") && take_name(m, name) && is_among(name, types) && take(m, ")"))
        return true;
    m->at = was;
    return false;
}

static struct snippet_values number(struct machine *m) {
    uint64_t read;
    number_scan(m->at, &m->at, &read);
    m->at += strspn(m->at, "uUlL");
    return snippet_constant(snippet_as_int((int64_t)read));
}

/* s[e], after the s. */
static struct snippet_values cell_index(struct machine *m) {
    expect(m, "[");
    struct snippet_values index = expression(m);
    expect(m, "]");
    return index;
}

static struct snippet_values cells_read(struct machine *m, const struct snippet_values *index) {
    struct snippet_values values = {{0}, 0};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool defined = !warp_has_lane(m->active, lane) ||
                       snippet_cells_read(&m->shared, lane, index->of[lane], &values.of[lane]);
        values.undefined |= (uint32_t)(!defined || warp_has_lane(index->undefined, lane)) << lane;
    }
    return values;
}

static bool at_cell(struct machine *m, const char *name) {
    skip_blanks(m);
    return *m->at == '[' && strcmp(name, "s") == 0;
}

static struct snippet_values primary(struct machine *m) {
    struct snippet_values values = snippet_constant(0);
    char name[NAME_SIZE];
    skip_blanks(m);
    if (m->failed || ++m->depth > DEPTH_MOST) {
        fail(m, _("less nesting"));
    } else if (take_cast(m)) {
        values = primary(m);
    } else if (take(m, "(")) {
        values = expression(m);
        expect(m, ")");
    } else if (*m->at && strchr("-~!+", *m->at)) {
        char sign = *m->at++;
        values = primary(m);
        for (int lane = 0; lane < WARP_LANES; lane++)
            values.of[lane] = snippet_as_int(c_compute_unary(sign, values.of[lane]));
    } else if (c_is_digit(*m->at)) {
        values = number(m);
    } else if (take_name(m, name)) {
        const struct variable *variable = find(m, name);
        skip_blanks(m);
        if (*m->at == '(') {
            values = call(m, name);
        } else if (at_cell(m, name)) {
            struct snippet_values index = cell_index(m);
            values = cells_read(m, &index);
        } else if (variable) {
            values = variable->values;
        } else if (!builtin_value(m, name, &values)) {
            fail(m, _("a known name: lane, value, members, width, or a variable assigned before"));
        }
    } else {
        fail(m, _("a number, a name or a call"));
    }
    m->depth--;
    return values;
}

/* The operator here, if it binds at least this tightly; an assignment does not count. */
static const struct c_operator *take_operator(struct machine *m, int precedence) {
    skip_blanks(m);
    const struct c_operator *op = c_operator_at(m->at);
    if (!op || m->at[op->length] == '=' || op->precedence < precedence)
        return NULL;
    m->at += op->length;
    return op;
}

static struct snippet_values operators(struct machine *m, int precedence);

/* left OPERATION right, where a division by zero is undefined. */
static struct snippet_values compute(enum c_operation operation, const struct snippet_values *left,
                                     const struct snippet_values *right) {
    struct snippet_values out = {{0}, left->undefined | right->undefined};
    bool divides = operation == C_DIVIDE || operation == C_REMAINDER;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        out.of[lane] = snippet_compute(operation, left->of[lane], right->of[lane]);
        out.undefined |= (uint32_t)(divides && right->of[lane] == 0) << lane;
    }
    return out;
}

static uint32_t true_lanes(const struct snippet_values *values) {
    uint32_t holds = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        holds |= (uint32_t)(values->of[lane] != 0) << lane;
    return holds;
}

/* Reads operators of at least `precedence`, or a whole expression if that is 0, and evaluates them
 * in those active lanes that are in `lanes`. */
static struct snippet_values eval_in_lanes(struct machine *m, uint32_t lanes, int precedence) {
    uint32_t all = m->active;
    m->active = all & lanes;
    struct snippet_values values = precedence ? operators(m, precedence) : expression(m);
    m->active = all;
    values.undefined &= all & lanes;
    return values;
}

/* left && right or left || right: the part that C skips is not run. */
static struct snippet_values logical(struct machine *m, const struct c_operator *op,
                                     const struct snippet_values *left) {
    uint32_t holds = true_lanes(left), open = op->operation == C_AND ? holds : ~holds;
    struct snippet_values right = eval_in_lanes(m, open, op->precedence + 1);
    right.undefined |= left->undefined;
    holds = (holds & ~open) | (true_lanes(&right) & open);
    for (int lane = 0; lane < WARP_LANES; lane++)
        right.of[lane] = warp_has_lane(holds, lane);
    return right;
}

static struct snippet_values operators(struct machine *m, int precedence) {
    struct snippet_values left = primary(m);
    const struct c_operator *op;
    while (!m->failed && (op = take_operator(m, precedence))) {
        if (c_is_logical(op->operation)) {
            left = logical(m, op, &left);
        } else {
            struct snippet_values right = operators(m, op->precedence + 1);
            left = compute(op->operation, &left, &right);
        }
    }
    return left;
}

static struct snippet_values expression(struct machine *m) {
    struct snippet_values condition = operators(m, 1);
    if (m->failed || !take(m, "?"))
        return condition;
    uint32_t holds = true_lanes(&condition);
    struct snippet_values yes = eval_in_lanes(m, holds, 0);
    expect(m, ":");
    struct snippet_values no = eval_in_lanes(m, ~holds, 0);
    for (int lane = 0; lane < WARP_LANES; lane++)
        condition.of[lane] = warp_has_lane(holds, lane) ? yes.of[lane] : no.of[lane];
    condition.undefined |= yes.undefined | no.undefined;
    return condition;
}

/* ---- statements ---- */

/* variable OP= values; without op, variable = values. */
static void store(struct machine *m, struct variable *variable, const struct c_operator *op,
                  const struct snippet_values *values) {
    struct snippet_values *to = &variable->values;
    struct snippet_values now = op ? compute(op->operation, to, values) : *values;
    for (int lane = 0; lane < WARP_LANES; lane++)
        to->of[lane] = warp_has_lane(m->active, lane) ? now.of[lane] : to->of[lane];
    to->undefined = (to->undefined & ~m->active) | (now.undefined & m->active);
    if (!m->header)
        m->last = (int)(variable - m->variables);
}

static struct variable *variable_for(struct machine *m, const char *name, bool declared) {
    struct variable *variable = find(m, name);
    struct snippet_values values;
    if (variable)
        return variable;
    if (declared || !builtin_value(m, name, &values))
        values = snippet_constant(0);
    return add(m, name, values);
}

/* Takes =, or an operator followed by =; *op gets the operator, NULL if there is none. */
static bool take_assignment(struct machine *m, const struct c_operator **op) {
    skip_blanks(m);
    *op = c_operator_at(m->at);
    if (*op && (c_is_logical((*op)->operation) || c_compares((*op)->operation)))
        return false;
    const char *sign = m->at + (*op ? (*op)->length : 0);
    if (sign[0] != '=' || (!*op && sign[1] == '='))
        return false;
    m->at = sign + 1;
    return true;
}

/* s[e] = e, s[e] += e; false if it is not an assignment after all. */
static bool store_cell(struct machine *m) {
    struct snippet_values index = cell_index(m);
    const struct c_operator *op;
    if (m->failed || !take_assignment(m, &op))
        return false;
    struct snippet_values values = expression(m);
    if (op) {
        struct snippet_values old = cells_read(m, &index);
        values = compute(op->operation, &old, &values);
    }
    for (int lane = 0; lane < WARP_LANES && !m->failed; lane++)
        if (warp_has_lane(m->active, lane))
            snippet_cells_write(&m->shared, lane, index.of[lane], values.of[lane],
                                !warp_has_lane(values.undefined | index.undefined, lane));
    return true;
}

static bool take_type(struct machine *m) {
    static const char *const types[] = {"const", "unsigned", "int", "auto", "bool", "T", "float"};
    bool found = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            more = take(m, types[i]) || more;
        found = found || more;
    }
    return found;
}

static void simple(struct machine *m) {
    char name[NAME_SIZE];
    bool declared = take_type(m);
    const char *was = m->at;
    const struct c_operator *op;
    skip_blanks(m);
    if (!*m->at || *m->at == ';' || *m->at == ')')
        return;
    if (take_name(m, name)) {
        struct snippet_values one = snippet_constant(1);
        if (take(m, "++") || take(m, "--")) {
            store(m, variable_for(m, name, false), c_operator_at(m->at - 1), &one);
            return;
        }
        if (at_cell(m, name)) {
            if (store_cell(m) || m->failed)
                return;
        } else if (take_assignment(m, &op)) {
            struct snippet_values values = expression(m);
            if (!m->failed)
                store(m, variable_for(m, name, declared), op, &values);
            return;
        }
    }
    m->at = was;
    expression(m);
}

static void statement(struct machine *m);

static uint32_t condition(struct machine *m) {
    struct snippet_values values = expression(m);
    return true_lanes(&values) & m->active;
}

static void branch(struct machine *m) {
    uint32_t all = m->active;
    expect(m, "(");
    uint32_t holds = condition(m);
    expect(m, ")");
    m->active = holds;
    statement(m);
    m->active = all & ~holds & ~m->exited;
    if (take(m, "else"))
        statement(m);
    m->active = all & ~m->exited;
}

/* Parses a part of the code without running it. */
static void pass(struct machine *m, void (*what)(struct machine *)) {
    uint32_t active = m->active;
    m->active = 0;
    what(m);
    m->active = active;
}

static void pass_condition(struct machine *m) {
    condition(m);
}

static void loop(struct machine *m, bool is_for) {
    uint32_t all = m->active;
    expect(m, "(");
    m->header = true;
    if (is_for) {
        simple(m);
        expect(m, ";");
    }
    const char *test = m->at, *step = NULL;
    pass(m, pass_condition);
    if (is_for) {
        expect(m, ";");
        step = m->at;
        pass(m, simple);
    }
    m->header = false;
    expect(m, ")");
    const char *body = m->at;
    int last = m->last;
    pass(m, statement);
    m->last = last;
    const char *end = m->at;
    while (!m->failed) {
        m->at = test;
        m->active = condition(m) & ~m->exited;
        if (!m->active)
            break;
        if (++m->rounds > ROUNDS) {
            m->at = test;
            fail(m, _("a loop that ends"));
            break;
        }
        m->at = body;
        statement(m);
        m->at = step ? step : m->at;
        m->header = true;
        if (step)
            simple(m);
        m->header = false;
    }
    if (!m->failed)
        m->at = end;
    m->active = all & ~m->exited;
}

static void statement(struct machine *m) {
    if (m->failed || ++m->depth > DEPTH_MOST) {
        fail(m, _("less nesting"));
    } else if (take(m, "{")) {
        while (!m->failed && !take(m, "}")) {
            if (!*m->at)
                fail(m, "}");
            statement(m);
        }
    } else if (take(m, "if")) {
        branch(m);
    } else if (take(m, "for")) {
        loop(m, true);
    } else if (take(m, "while")) {
        loop(m, false);
    } else if (take(m, "return")) {
        m->exited |= m->active;
        m->active = 0;
        expect(m, ";");
    } else {
        simple(m);
        skip_blanks(m);
        if (*m->at && *m->at != '}') /* the last semicolon may be left out */
            expect(m, ";");
    }
    m->depth--;
}

/* "xor 3 16" or "xor 3 width 16" is short for a call; true if it was one. */
static bool expand(const char *code, char *whole, size_t size) {
    code += strspn(code, " ");
    for (int op = WARP_OP_IDX; op <= WARP_OP_XOR; op++) {
        const struct warp_op_info *info = warp_op_info((enum warp_op)op);
        size_t length = strlen(info->name);
        if (strncmp(code, info->name, length) != 0 || code[length] != ' ')
            continue;
        const char *rest = code + length + strspn(code + length, " ");
        size_t argument = strcspn(rest, " ,");
        const char *width = rest + argument + strspn(rest + argument, " ,");
        width += strncmp(width, "width ", 6) == 0 ? 6 : 0;
        int needed = snprintf(whole, size, "%s(members, value, %.*s, %s)", info->intrinsic,
                              (int)argument, rest, *width ? width : "32");
        return argument > 0 && needed >= 0 && (size_t)needed < size;
    }
    return false;
}

int snippet_run(const char *code, const struct warp_operation *start, struct snippet_result *result,
                struct error *err) {
    char whole[160];
    memset(result, 0, sizeof *result);
    struct machine m = {.at = expand(code, whole, sizeof whole) ? whole : code,
                        .start = start,
                        .last = -1,
                        .active = start->present,
                        .result = result,
                        .err = err};
    skip_blanks(&m);
    if (!*m.at)
        fail(&m, _("code"));
    while (!m.failed && (skip_blanks(&m), *m.at))
        statement(&m);
    if (m.failed)
        return -1;
    result->value = m.last >= 0 ? m.variables[m.last].values : result->handed;
    result->returned = m.exited;
    if (m.shared.raced)
        result->value.undefined = ~UINT32_C(0);
    return 0;
}
