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
#include <stdio.h>

union slot {
    int64_t integer;
    double real;
};

/* What is wrong with a OPERATION b for any integer a; NULL if nothing is. */
static const char *integer_fault(enum c_operation operation, int64_t b) {
    if (operation == C_DIVIDE && b == 0)
        return _("division by zero");
    if (operation == C_REMAINDER && b == 0)
        return _("remainder of a division by zero");
    if ((operation == C_SHIFT_LEFT || operation == C_SHIFT_RIGHT) && (b < 0 || b > 63))
        return _("shift by a count outside 0 to 63");
    return NULL;
}

static void compute_real(enum c_operation operation, union slot *a, double b) {
    double x = a->real;
    if (c_compares(operation))
        a->integer = c_comparison_holds(operation, x < b, x == b, b < x);
    else if (operation == C_ADD)
        a->real = x + b;
    else if (operation == C_SUBTRACT)
        a->real = x - b;
    else if (operation == C_MULTIPLY)
        a->real = x * b;
    else
        a->real = x / b;
}

/* Doubles alone. */
static void unary_real(enum opcode opcode, union slot *top) {
    if (opcode == OP_REAL_TRUTH)
        top->integer = top->real != 0;
    else if (opcode == OP_REAL_NOT)
        top->integer = top->real == 0;
    else if (opcode == OP_REAL_NEGATE)
        top->real = -top->real;
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
        case OP_TO_REAL:
            stack[depth - 1].real = (double)stack[depth - 1].integer;
            break;
        case OP_TO_REAL_BELOW:
            stack[depth - 2].real = (double)stack[depth - 2].integer;
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
        case OP_TRUTH:
            stack[depth - 1].integer = stack[depth - 1].integer != 0;
            break;
        case OP_UNARY:
            stack[depth - 1].integer =
                c_compute_unary(instruction->operand.sign, stack[depth - 1].integer);
            break;
        case OP_COMPUTE:
            depth--;
            const char *wrong = integer_fault(instruction->operand.operation, stack[depth].integer);
            if (wrong) {
                *at = instruction;
                return wrong;
            }
            stack[depth - 1].integer = c_compute(instruction->operand.operation,
                                                 stack[depth - 1].integer, stack[depth].integer);
            break;
        case OP_REAL_COMPUTE:
            depth--;
            compute_real(instruction->operand.operation, &stack[depth - 1], stack[depth].real);
            break;
        default:
            unary_real(opcode, &stack[depth - 1]);
            break;
        }
    }
}

static int64_t random_value(const struct expression *expression, uint64_t thread) {
    uint64_t state = expression->seed + (thread + 1) * RANDOM_GAMMA;
    return (int64_t)((random_mix(state) >> 32) * expression->rules.random_limit >> 32);
}

static int fail_evaluation(const struct expression *expression, size_t offset, const char *wrong,
                           int lane, uint64_t thread, struct error *err) {
    char fault[256];
    if (thread != (uint64_t)lane)
        snprintf(fault, sizeof fault, _("%s in lane %d (thread %" PRIu64 ")"), wrong, lane, thread);
    else
        snprintf(fault, sizeof fault, _("%s in lane %d"), wrong, lane);
    return expression_fail_at(
        expression, offset, err,
        _("allowed: what C defines for every lane that computes it\n"
          "try: a condition for the other lanes, such as 'lane == 0 ? 0 : 100 / lane'"),
        fault);
}

int expression_evaluate(const struct expression *expression, int lane, uint64_t thread,
                        struct expression_value *value, struct error *err) {
    *value = (struct expression_value){.is_real = false};
    if (expression->is_random) {
        value->integer = random_value(expression, thread);
        return 0;
    }
    size_t count = expression->item_count;
    uint64_t index = count == 1 ? 0 : count == expression->rules.threads ? thread : (uint64_t)lane;
    assert(index < count);
    const struct item *item = &expression->items[index];
    union slot result;
    const struct instruction *at;
    const char *wrong = run(expression, item->start, lane, thread, &result, &at);
    if (wrong)
        return fail_evaluation(expression, at->offset, wrong, lane, thread, err);
    value->is_real = item->is_real;
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
