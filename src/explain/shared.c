/*
 * Reads the recording backwards for the last writes to a word, up to a limit, because a screen
 * cannot wait for a walk through all of it.
 */
#include "explain/shared.h"

#include "base/memory.h"
#include "base/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

/* "2 sum": passed to sum() as its second argument; "": not passed to a kernel. */
static void name_allocation(struct shared_variable *variable, const char *name, int length) {
    char *kernel;
    const long argument = length > 0 ? strtol(name, &kernel, 10) : 0;
    variable->is_allocation = true;
    if (argument > 0 && *kernel == ' ') {
        variable->argument = argument;
        snprintf(variable->kernel, sizeof variable->kernel, "%.*s",
                 (int)(length - (kernel + 1 - name)), kernel + 1);
        snprintf(variable->name, sizeof variable->name, _("argument %ld of %s"), argument,
                 variable->kernel);
    } else {
        snprintf(variable->name, sizeof variable->name, _("%" PRId64 " bytes"), variable->size);
    }
}

struct shared_variable shared_variable_at(const struct trace *trace, enum warp_op op,
                                          int32_t offset) {
    const bool is_global = warp_op_is_global(op);
    struct shared_variable variable = {.size = INT32_MAX};
    const char *line = trace_note(trace, is_global ? TRACE_NOTE_GLOBAL : TRACE_NOTE_SHARED);
    for (char *at; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const int64_t start = strtoll(line, &at, 10);
        const int64_t size = strtoll(at, &at, 10);
        if (*at != ' ' || start < 0 || start > INT32_MAX || size < 1 || start % WARP_ROW_BYTES ||
            offset < start || offset - start >= size)
            continue;
        const int length = (int)strcspn(++at, "\n");
        const char *name = at;
        variable.offset = (int32_t)start;
        variable.size = size;
        variable.is_known = true;
        if (is_global && *name == '@')
            name_allocation(&variable, name + 1, length - 1);
        else
            snprintf(variable.name, sizeof variable.name, "%.*s", length, name);
        return variable;
    }
    snprintf(variable.name, sizeof variable.name, "%s",
             is_global ? _("global memory") : _("shared memory"));
    return variable;
}

/* ---- values ---- */

static int element_bytes(const struct warp_operation *operation, int lane) {
    const int size = (int)warp_type_info(operation->type)->bits / 8, width = operation->width[lane];
    return size == 0 || size > width ? width : size;
}

int shared_elements(const struct warp_operation *operation, int lane) {
    const int count = operation->width[lane] / element_bytes(operation, lane);
    return count < 1 ? 1 : count > 16 ? 16 : count;
}

uint64_t shared_element(const struct warp_operation *operation, int lane, int element) {
    const int size = element_bytes(operation, lane), from = size * element;
    const uint64_t half = from < 8 ? operation->out[lane] : operation->in[lane];
    if (operation->width[lane] < 4) /* must be extended to its type */
        return operation->out[lane];
    const uint64_t bits = half >> 8 * (from % 8);
    return size >= 8 ? bits : bits & ((UINT64_C(1) << 8 * size) - 1);
}

char *explain_shared_after(const struct warp_operation *operation, int lane,
                           char buffer[WARP_VALUE_TEXT]) {
    const int count = shared_elements(operation, lane);
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < count && length + 1 < WARP_VALUE_TEXT; i++) {
        char text[WARP_VALUE_TEXT];
        warp_value_format(operation->type, shared_element(operation, lane, i), text);
        length +=
            (size_t)snprintf(buffer + length, WARP_VALUE_TEXT - length, "%s%s", i ? "," : "", text);
    }
    return buffer;
}

char *explain_shared_before(const struct warp_operation *operation, int lane,
                            char buffer[WARP_VALUE_TEXT]) {
    struct warp_operation before = *operation;
    buffer[0] = '\0';
    if (warp_op_is_read(operation->op) || operation->width[lane] > 8)
        return buffer;
    before.out[lane] = operation->in[lane];
    return explain_shared_after(&before, lane, buffer);
}

/* ---- memory ---- */

/* A byte that the lane wrote, counted from its offset. */
static uint8_t byte_after(const struct warp_operation *operation, int lane, int at) {
    const uint64_t half = at < 8 ? operation->out[lane] : operation->in[lane];
    return (uint8_t)(half >> 8 * (at % 8));
}

struct memory {
    struct shared_word *words;
    uint8_t *found; /* a bit for each byte of each word */
    int32_t offset;
    int count, missing; /* words with a byte that has not been found */
};

/* If several lanes wrote a byte, the last one counts; on a GPU that may be any of them. */
static void take_write(struct memory *memory, const struct trace_step *step, int lane) {
    const struct warp_operation *operation = &step->operation;
    for (int i = 0; i < operation->width[lane]; i++) {
        const int64_t at = (int64_t)operation->arg[lane] + i - memory->offset;
        if (at < 0 || at >= (int64_t)memory->count * WARP_BANK_BYTES)
            continue;
        const int word = (int)(at / WARP_BANK_BYTES), byte = (int)(at % WARP_BANK_BYTES);
        struct shared_word *to = &memory->words[word];
        if (memory->found[word] >> byte & 1)
            continue;
        if (!to->is_known)
            *to = (struct shared_word){.is_known = true,
                                       .type = operation->type,
                                       .lane = lane,
                                       .warp = step->warp,
                                       .step = step->number};
        to->value |= (uint32_t)byte_after(operation, lane, i) << 8 * byte;
        memory->found[word] |= (uint8_t)(1u << byte);
        memory->missing -= memory->found[word] == 15;
    }
}

void shared_words(const struct trace *trace, const struct trace_step *step, uint64_t number,
                  int32_t offset, int count, struct shared_word *words) {
    struct memory memory = {words, memory_zeroed((size_t)count, 1), offset, count, count};
    struct trace_step at;
    const bool is_global = warp_op_is_global(step->operation.op);
    memset(words, 0, (size_t)count * sizeof *words);
    for (uint64_t back = 1; back <= SHARED_STEPS_BACK && back <= number && memory.missing; back++) {
        if (trace_step(trace, number - back, &at, NULL) != 0)
            continue;
        if (at.launch != step->launch)
            break;
        const enum warp_op op = at.operation.op;
        if (warp_op_is_global(op) != is_global || (!is_global && at.block != step->block) ||
            !warp_op_is_access(op) || (warp_op_is_read(op) && at.number != step->number))
            continue;
        for (int lane = WARP_LANES - 1; lane >= 0; lane--)
            if (at.operation.present >> lane & 1)
                take_write(&memory, &at, lane);
    }
    free(memory.found);
}
