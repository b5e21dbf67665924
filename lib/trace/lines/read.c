/*
 * read.c - a warp's lines, decoded once and kept. The values of variables after a line are worked
 * out from the nearest kept state and the lines in between, so that stepping back costs no more
 * than stepping forward.
 */
#include "base/memory.h"
#include "base/message.h"
#include "trace/lines/code.h"
#include "trace/lines/doubt.h"
#include "trace/read/reader.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of states kept for one warp, and the least number of lines between two of them. */
#define KEPT_BYTES ((size_t)32 << 20)
#define KEPT_EACH  64u
/* More changes and values of one warp count as damage: TRACE_LINES_MOST has room for fewer. */
#define CHANGES_MOST ((size_t)4 << 20)
#define VALUES_MOST  ((size_t)64 << 20)

/* ---- functions ---- */

size_t trace_function_count(const struct trace *trace) {
    return trace->metadata.function_count;
}

const struct trace_function *trace_function(const struct trace *trace, size_t number) {
    return number < trace->metadata.function_count ? &trace->metadata.functions[number] : NULL;
}

size_t trace_variable_count(const struct trace *trace) {
    return trace->metadata.variable_count;
}

const struct trace_function *trace_function_of(const struct trace *trace, uint32_t variable) {
    for (size_t i = 0; i < trace->metadata.function_count; i++) {
        const struct trace_function *function = &trace->metadata.functions[i];
        if (variable >= function->first && variable - function->first < function->variable_count)
            return function;
    }
    return NULL;
}

bool trace_has_lines(const struct trace *trace) {
    return trace->metadata.chunk_count > 0;
}

/* The first chunk that is not before the warp's or, with `behind`, the first after them. */
static size_t find_chunk(const struct trace *trace, const struct trace_line_chunk *warp,
                         bool behind) {
    size_t low = 0, high = trace->metadata.chunk_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = metadata_compare_chunks(&trace->metadata.chunks[middle], warp);
        if (order < 0 || (behind && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool trace_lines_next_warp(const struct trace *trace, size_t *at, struct trace_line_warp *warp) {
    if (*at >= trace->metadata.chunk_count)
        return false;
    const struct trace_line_chunk *chunk = &trace->metadata.chunks[*at];
    *warp = (struct trace_line_warp){chunk->launch, chunk->warp, chunk->block};
    *at = find_chunk(trace, chunk, true);
    return true;
}

/* ---- states ---- */

void trace_line_state_init(struct trace_line_state *state, const struct trace *trace) {
    state->count = trace_variable_count(trace);
    state->set = memory_zeroed(state->count + 1, sizeof(*state->set));
    state->doubtful = memory_zeroed(state->count + 1, sizeof(*state->doubtful));
    state->value = memory_zeroed(state->count + 1, sizeof(*state->value));
}

void trace_line_state_release(struct trace_line_state *state) {
    free(state->set);
    free(state->doubtful);
    free(state->value);
    *state = (struct trace_line_state){0};
}

static void copy_state(struct trace_line_state *to, const struct trace_line_state *from) {
    memcpy(to->set, from->set, to->count * sizeof(*to->set));
    memcpy(to->doubtful, from->doubtful, to->count * sizeof(*to->doubtful));
    memcpy(to->value, from->value, to->count * sizeof(*to->value));
}

bool trace_line_shows(const struct trace_lines *lines, const struct trace_line *line,
                      uint32_t variable) {
    const struct trace_function *function = trace_function(lines->trace, line->function);
    if (!function || variable < function->first ||
        variable - function->first >= function->variable_count)
        return false;
    const uint32_t number = variable - function->first;
    const size_t words = trace_scope_words(function->variable_count);
    return function->scope[line->line * words + number / 64] >> number % 64 & 1;
}

static void unset(struct trace_line_state *state, uint32_t variable, uint32_t lanes) {
    lanes &= state->set[variable];
    state->set[variable] &= ~lanes;
    state->doubtful[variable] &= ~lanes;
    for (; lanes; lanes &= lanes - 1)
        state->value[variable][__builtin_ctz(lanes)] = 0;
}

static void apply(const struct trace_lines *lines, const struct trace_line *line,
                  struct trace_line_state *state) {
    const struct trace_function *function = trace_function(lines->trace, line->function);
    const uint32_t end = function->first + function->variable_count;
    for (uint32_t v = function->first; line->enters && v < end; v++)
        unset(state, v, line->lanes);
    for (uint32_t i = 0; i < line->change_count; i++) {
        const struct trace_line_change *change = &lines->changes[line->change + i];
        const uint64_t *value = lines->values + change->values;
        if (change->is_unset) {
            unset(state, change->variable, change->lanes);
            continue;
        }
        state->set[change->variable] |= change->lanes;
        state->doubtful[change->variable] =
            (state->doubtful[change->variable] & ~change->lanes) | change->doubtful;
        for (uint32_t left = change->lanes; left; left &= left - 1)
            state->value[change->variable][__builtin_ctz(left)] = *value++;
    }
    for (uint32_t v = function->first; v < end; v++)
        if (!trace_line_shows(lines, line, v))
            unset(state, v, line->lanes);
}

void trace_lines_state(const struct trace_lines *lines, size_t done,
                       struct trace_line_state *state) {
    done = done < lines->count ? done : lines->count;
    size_t kept = done / lines->kept_each;
    kept = kept < lines->kept_count ? kept : lines->kept_count - 1;
    copy_state(state, &lines->kept[kept]);
    for (size_t i = kept * lines->kept_each; i < done; i++)
        apply(lines, &lines->lines[i], state);
}

void trace_lines_advance(const struct trace_lines *lines, size_t done,
                         struct trace_line_state *state) {
    if (done < lines->count)
        apply(lines, &lines->lines[done], state);
}

/* ---- decoding ---- */

struct room {
    size_t lines, changes, values, value_count;
};

static bool take_change(struct trace_lines *lines, struct room *room, struct line_coder *coder,
                        struct source *from, const struct trace_function *function) {
    struct line_code_change code;
    line_code_take_change(coder, from, function, &code);
    if (from->failed || lines->change_count == CHANGES_MOST || room->value_count > VALUES_MOST)
        return false;
    lines->changes =
        memory_room(lines->changes, lines->change_count, &room->changes, sizeof(*lines->changes));
    lines->changes[lines->change_count++] =
        (struct trace_line_change){.variable = function->first + code.variable,
                                   .lanes = code.lanes,
                                   .is_unset = code.is_unset,
                                   .values = room->value_count};
    for (uint32_t left = code.is_unset ? 0 : code.lanes; left; left &= left - 1) {
        lines->values =
            memory_room(lines->values, room->value_count, &room->values, sizeof(*lines->values));
        lines->values[room->value_count++] = code.value[__builtin_ctz(left)];
    }
    return true;
}

static bool take_line(struct trace_lines *lines, struct room *room, struct line_coder *coder,
                      struct source *from) {
    struct line_code code;
    line_code_take(coder, from, &code);
    const struct trace_function *function = trace_function(lines->trace, code.function);
    if (from->failed || !function || code.line >= function->line_count)
        return false;
    lines->lines = memory_room(lines->lines, lines->count, &room->lines, sizeof(*lines->lines));
    lines->lines[lines->count] = (struct trace_line){.function = code.function,
                                                     .line = code.line,
                                                     .lanes = code.lanes,
                                                     .depth = code.depth,
                                                     .enters = code.enters,
                                                     .step = code.step,
                                                     .change = lines->change_count,
                                                     .change_count = code.change_count};
    for (uint32_t i = 0; i < code.change_count; i++)
        if (!take_change(lines, room, coder, from, function))
            return false;
    lines->count++;
    return true;
}

static bool take_chunk(struct trace_lines *lines, struct room *room, struct line_coder *coder,
                       const struct trace_line_chunk *chunk) {
    const unsigned char *bytes = chunk->bytes;
    struct source from = {bytes, bytes + chunk->size, false};
    for (uint32_t i = 0; i < chunk->count; i++)
        if (!take_line(lines, room, coder, &from))
            return false;
    return from.at == from.end;
}

static void keep_states(struct trace_lines *lines, const struct trace_line_chunk *warp) {
    struct trace_line_state state;
    struct doubt doubt;
    doubt_begin(&doubt, lines->trace, warp);
    trace_line_state_init(&state, lines->trace);
    const size_t size = (state.count + 1) * (2 * sizeof(*state.set) + sizeof(*state.value));
    const size_t most = KEPT_BYTES / size ? KEPT_BYTES / size : 1;
    lines->kept_each = KEPT_EACH;
    while (lines->count / lines->kept_each >= most)
        lines->kept_each *= 2;
    lines->kept = memory_zeroed(lines->count / lines->kept_each + 1, sizeof(*lines->kept));
    for (size_t i = 0; i <= lines->count; i++) {
        if (i % lines->kept_each == 0) {
            struct trace_line_state *kept = &lines->kept[lines->kept_count++];
            trace_line_state_init(kept, lines->trace);
            copy_state(kept, &state);
        }
        if (i < lines->count) {
            doubt_line(&doubt, lines, i, &state);
            apply(lines, &lines->lines[i], &state);
        }
    }
    trace_line_state_release(&state);
}

int trace_lines_open(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp,
                     struct trace_lines **lines, struct error *err) {
    struct trace_lines made = {.trace = trace};
    struct line_coder coder = {0};
    struct room room = {0};
    bool whole = true;
    *lines = NULL;
    const struct trace_line_chunk looked = {.block = block, .launch = launch, .warp = warp};
    const size_t end = find_chunk(trace, &looked, true);
    for (size_t i = find_chunk(trace, &looked, false); whole && i < end; i++)
        whole = take_chunk(&made, &room, &coder, &trace->metadata.chunks[i]);
    line_coder_release(&coder);
    if (whole && made.count > 0) {
        *lines = memory_alloc(sizeof(**lines));
        **lines = made;
        keep_states(*lines, &looked);
        return 0;
    }
    free(made.lines);
    free(made.changes);
    free(made.values);
    return whole ? 0
                 : error_set(err, ERROR_USAGE,
                             _("the lines of the warp are damaged: they cannot be shown"));
}

void trace_lines_release(struct trace_lines *lines) {
    if (!lines)
        return;
    for (size_t i = 0; i < lines->kept_count; i++)
        trace_line_state_release(&lines->kept[i]);
    free(lines->kept);
    free(lines->lines);
    free(lines->changes);
    free(lines->values);
    free(lines);
}

const struct trace_lines *trace_lines_of(const struct trace *trace, uint32_t launch, uint64_t block,
                                         uint32_t warp) {
    struct lines_cache *cache = trace->lines;
    for (int i = 0; i < READER_LINES; i++) {
        const struct trace_line_warp *kept = &cache->slot[i].warp;
        if (cache->slot[i].is_taken && kept->launch == launch && kept->block == block &&
            kept->warp == warp)
            return cache->slot[i].lines;
    }
    const unsigned next = cache->next++ % READER_LINES;
    trace_lines_release(cache->slot[next].lines);
    cache->slot[next].lines = NULL;
    cache->slot[next].is_taken = true;
    cache->slot[next].warp = (struct trace_line_warp){launch, warp, block};
    trace_lines_open(trace, launch, block, warp, &cache->slot[next].lines, NULL);
    return cache->slot[next].lines;
}
