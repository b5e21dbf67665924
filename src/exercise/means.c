#include "exercise/means.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t accesses_of(uint32_t operations) {
    for (int op = 0; op < WARP_OP_COUNT; op++)
        if (!warp_op_is_access((enum warp_op)op))
            operations &= ~(UINT32_C(1) << op);
    return operations;
}

uint32_t means_accesses(const struct exercise *exercise) {
    return accesses_of(exercise->uses | exercise->avoids | exercise->once);
}

uint64_t means_operations(const struct trace *trace) {
    uint64_t most = 0;
    for (uint64_t i = 0; i < trace_warp_count(trace); i++) {
        struct trace_warp warp;
        if (trace_warp(trace, i, &warp) && warp.steps > most)
            most = warp.steps;
    }
    return most;
}

/* The bits of the tensor-core instructions to which a step belongs. */
static uint32_t matrices_of(const struct trace *trace, const struct trace_step *step) {
    const struct trace_registers *registers = trace_registers(trace, step->number);
    const char *name;
    for (int i = 0; registers && (name = exercise_matrix_instruction(i)); i++)
        if (strncmp(registers->instruction, name, strlen(name)) == 0)
            return UINT32_C(1) << i;
    return 0;
}

static void append_wanted(struct text *words, const struct exercise *exercise) {
    const int count = __builtin_popcount(exercise->uses) + __builtin_popcount(exercise->matrices);
    text_append(words, count > 1 ? _("Correct, but this exercise must use one of:")
                                 : _("Correct, but this exercise must use:"));
    for (int op = 0; op < WARP_OP_COUNT; op++)
        if (exercise->uses >> op & 1)
            text_append_format(words, " %s", warp_op_info((enum warp_op)op)->intrinsic);
    for (int i = 0; exercise_matrix_instruction(i); i++)
        if (exercise->matrices >> i & 1)
            text_append_format(words, " %s", exercise_matrix_instruction(i));
}

int means_judge(const struct exercise *exercise, const struct trace *trace, char **why,
                struct error *err) {
    *why = NULL;
    struct trace_step step;
    struct text words = TEXT_INIT;
    uint32_t used = 0, matrices = 0;
    const uint64_t most = exercise->most ? means_operations(trace) : 0;
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        if (trace_step(trace, i, &step, err) != 0)
            return -1;
        used |= UINT32_C(1) << step.operation.op;
        matrices |= exercise->matrices ? matrices_of(trace, &step) : 0;
    }
    const uint32_t forbidden = used & exercise->avoids;
    if ((exercise->uses || exercise->matrices) && !(used & exercise->uses) &&
        !(matrices & exercise->matrices) && !accesses_of(exercise->uses)) {
        append_wanted(&words, exercise);
    } else if (forbidden) {
        text_append(&words, _("Correct, but this exercise must not use:"));
        for (int op = 0; op < WARP_OP_COUNT; op++)
            if (forbidden >> op & 1)
                text_append_format(&words, " %s", warp_op_info((enum warp_op)op)->intrinsic);
    } else if (exercise->most && most > exercise->most) {
        text_append_format(&words,
                           _("the results are right, but a warp executes %" PRIu64
                             " operations where %" PRIu32 " are enough"),
                           most, exercise->most);
    }
    if (words.length)
        *why = text_detach(&words);
    return 0;
}

static int by_access(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct means_access));
}

char *means_judge_access_list(const struct exercise *exercise, struct means_access *accesses,
                              size_t count) {
    const uint32_t wanted = accesses_of(exercise->uses);
    struct text words = TEXT_INIT;
    uint32_t used = 0;
    bool repeated = false;
    if (count)
        qsort(accesses, count, sizeof *accesses, by_access);
    for (size_t i = 0; i < count; i++) {
        used |= UINT32_C(1) << accesses[i].op;
        repeated |= exercise->once >> accesses[i].op & 1 && i > 0 &&
                    by_access(&accesses[i - 1], &accesses[i]) == 0;
    }
    if (wanted && !(used & exercise->uses)) {
        append_wanted(&words, exercise);
    } else if (repeated) {
        text_append(&words, _("Correct, but a warp does this more than once to the same address:"));
        for (int op = 0; op < WARP_OP_COUNT; op++)
            if (exercise->once >> op & 1)
                text_append_format(&words, " %s", warp_op_info((enum warp_op)op)->intrinsic);
    }
    return words.length ? text_detach(&words) : NULL;
}

char *means_judge_accesses(const struct exercise *exercise, const struct trace *trace) {
    const uint32_t asked = exercise->once | accesses_of(exercise->uses);
    struct means_access *accesses = NULL;
    size_t count = 0, capacity = 0;
    struct trace_step step;
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        if (trace_step(trace, i, &step, NULL) != 0 || !(asked >> step.operation.op & 1))
            continue;
        for (uint32_t left = step.operation.present; left; left &= left - 1) {
            accesses = memory_room(accesses, count, &capacity, sizeof *accesses);
            accesses[count++] =
                (struct means_access){.launch = step.launch,
                                      .warp = step.warp,
                                      .block = step.block,
                                      .address = (uint64_t)step.operation.arg[__builtin_ctz(left)],
                                      .op = step.operation.op};
        }
    }
    char *why = means_judge_access_list(exercise, accesses, count);
    free(accesses);
    return why;
}
