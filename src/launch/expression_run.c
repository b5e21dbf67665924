/*
 * The stack machine. It does not recurse and never jumps back, so it ends after as many steps as
 * there are instructions, in a stack of fixed size.
 */
#include "base/message.h"
#include "base/random.h"
#include "launch/expression_code.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

union slot {
    int64_t integer;
    double real;
};

static int64_t shift_right(int64_t value, int64_t count) {
    uint64_t bits = (uint64_t)value;
    return (int64_t)(value < 0 ? ~(~bits >> count) : bits >> count);
}

/* What is wrong with a op b for any integer a; NULL if nothing is. */
static const char *integer_fault(enum opcode opcode, int64_t b) {
    if (opcode == OP_DIVIDE && b == 0)
        return _("division by zero");
    if (opcode == OP_REMAINDER && b == 0)
        return _("remainder of a division by zero");
    if ((opcode == OP_SHIFT_LEFT || opcode == OP_SHIFT_RIGHT) && (b < 0 || b > 63))
        return _("shift by a count outside 0 to 63");
    return NULL;
}

static bool integer_compare(enum opcode opcode, int64_t a, int64_t b) {
    switch (opcode) {
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

/* a op b for integers, without a fault. Unsigned arithmetic wraps, signed is undefined. */
static int64_t integer_binary(enum opcode opcode, int64_t a, int64_t b) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (opcode) {
    case OP_MULTIPLY:
        return (int64_t)(ua * ub);
    case OP_DIVIDE:
        return b == -1 ? (int64_t)(0 - ua) : a / b;
    case OP_REMAINDER:
        return b == -1 ? 0 : a % b;
    case OP_ADD:
        return (int64_t)(ua + ub);
    case OP_SUBTRACT:
        return (int64_t)(ua - ub);
    case OP_SHIFT_LEFT:
        return (int64_t)(ua << ub);
    case OP_SHIFT_RIGHT:
        return shift_right(a, b);
    case OP_BIT_AND:
        return a & b;
    case OP_BIT_XOR:
        return a ^ b;
    case OP_BIT_OR:
        return a | b;
    default:
        return integer_compare(opcode, a, b);
    }
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
    if (opcode > OP_BIT_OR) {
        *a = real_binary(opcode, a->real, b.real);
        return NULL;
    }
    const char *fault = integer_fault(opcode, b.integer);
    if (!fault)
        a->integer = integer_binary(opcode, a->integer, b.integer);
    return fault;
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

static int64_t random_value(const struct expression *expression, uint64_t thread) {
    uint64_t state = expression->seed + (thread + 1) * RANDOM_GAMMA;
    return (int64_t)((random_mix(state) >> 32) * expression->rules.random_limit >> 32);
}

static int fail_evaluation(const struct expression *expression, size_t offset, struct error *err,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

static int fail_evaluation(const struct expression *expression, size_t offset, struct error *err,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    expression_fail_at(
        expression, offset, err,
        _("allowed: what C defines for every lane that computes it\n"
          "try: a condition for the other lanes, such as 'lane == 0 ? 0 : 100 / lane'"),
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
        return fail_evaluation(expression, at->offset, err, _("%s in lane %d (thread %" PRIu64 ")"),
                               wrong, lane, thread);
    if (wrong)
        return fail_evaluation(expression, at->offset, err, _("%s in lane %d"), wrong, lane);
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
                         _("%s: lane %d gets %" PRId64 "\nallowed: -2147483648 to 4294967295; the "
                           "low five bits count\ntry: %s '(lane * 2) & 31'"),
                         expression->rules.option, lane, value.integer, expression->rules.option);
    *argument = (int32_t)(uint32_t)value.integer;
    return 0;
}
