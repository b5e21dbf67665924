/*
 * Calls every function of the reader with whatever values the recording contains, and checks only
 * what is true of any bytes: the fuzzers use it. Checksums can be corrected first, so that changed
 * bytes get past them.
 */
#include "walk.h"

#include "trace/crc32c.h"
#include "trace/lines/lines.h"
#include "trace/lines/origins.h"
#include "trace/read/version1.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds, const char *promise) {
    if (holds)
        return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

static void walk_string(const char *string, bool lines) {
    for (const unsigned char *c = (const unsigned char *)string; *c; c++)
        require((*c >= 0x20 && *c != 0x7f) || (lines && (*c == '\n' || *c == '\t')),
                "strings have no control characters");
    require(!strstr(string, "\xc2\x9b"), "strings have no C1 control characters");
}

static void walk_strings(const struct trace *trace) {
    static const char *const keys[] = {TRACE_NOTE_NAME, TRACE_NOTE_TITLE, TRACE_NOTE_FAILURE};
    for (uint32_t i = 0; trace_launch(trace, i); i++)
        walk_string(trace_launch(trace, i)->kernel, false);
    for (uint32_t i = 0; trace_site(trace, i); i++) {
        const struct trace_site *site = trace_site(trace, i);
        const char *source = trace_source(trace, site->file);
        walk_string(site->file, false);
        walk_string(site->function, false);
        walk_string(site->text, false);
        if (source)
            walk_string(source, true);
    }
    for (size_t i = 0; trace_output(trace, i); i++)
        walk_string(trace_output(trace, i)->text, true);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (trace_note(trace, keys[i]))
            walk_string(trace_note(trace, keys[i]), true);
}

static void walk_step(const struct trace *trace, uint64_t number) {
    struct trace_step step;
    struct trace_warp warp;
    struct error err = ERROR_INIT;
    uint64_t position;
    if (trace_step(trace, number, &step, &err) != 0) {
        require(err.kind == ERROR_USAGE && err.text[0], "a failure has a message");
        return;
    }
    const struct warp_operation *operation = &step.operation;
    require(step.number == number, "a step has the number it was asked by");
    require(warp_op_info(operation->op) && warp_type_info(operation->type), "op and type exist");
    require(operation->present && !(operation->present & ~operation->launched), "lanes exist");
    for (int lane = 0; lane < WARP_LANES; lane++)
        require(operation->present >> lane & 1 || (!operation->in[lane] && !operation->out[lane]),
                "lanes that are absent have zeros");
    if (trace_warp_of_step(trace, number, &warp, &position)) {
        require(warp.launch == step.launch && warp.block == step.block && warp.warp == step.warp,
                "the warp of a step is its own");
        require(position < warp.steps, "positions are within the warp");
    }
}

static void walk_lines(const struct trace *trace, const struct trace_line_warp *warp) {
    struct trace_lines *lines;
    struct trace_line_state state;
    struct error err = ERROR_INIT;
    if (trace_lines_open(trace, warp->launch, warp->block, warp->warp, &lines, &err) != 0) {
        require(err.kind == ERROR_USAGE && err.text[0] && !lines, "a failure has a message");
        return;
    }
    trace_line_state_init(&state, trace);
    for (size_t i = 0; lines && i <= lines->count; i++) {
        trace_lines_state(lines, i, &state);
        for (size_t v = 0; v < state.count; v++)
            for (int lane = 0; lane < WARP_LANES; lane++)
                require(state.set[v] >> lane & 1 || !state.value[v][lane],
                        "what is not set has zeros");
    }
    trace_line_state_release(&state);
    trace_lines_release(lines);
}

static void walk_functions(const struct trace *trace) {
    struct trace_line_warp warp;
    size_t warps = 0;
    for (size_t f = 0; f < trace_function_count(trace); f++) {
        const struct trace_function *function = trace_function(trace, f);
        walk_string(function->file, false);
        walk_string(function->name, false);
        for (uint32_t i = 0; i < function->variable_count; i++)
            walk_string(function->variables[i].name, false);
    }
    for (size_t at = 0; trace_lines_next_warp(trace, &at, &warp) && warps < 8; warps++)
        walk_lines(trace, &warp);
}

static void walk_origin(const struct trace_origins *origins, size_t number) {
    const struct trace_origin *node = &origins->nodes[number];
    require(node->kind < TRACE_ORIGIN_KINDS, "a node has a kind");
    require(node->kind < TRACE_ORIGIN_SUM || node->a < number, "a node follows from earlier ones");
    require(node->kind < TRACE_ORIGIN_SUM || node->kind > TRACE_ORIGIN_CHOSEN || node->b < number,
            "both follow from earlier ones");
    require(node->kind != TRACE_ORIGIN_ELEMENT || node->a < origins->text_count,
            "an array has a name");
}

static void walk_origins(const struct trace *trace) {
    const struct trace_origins *origins = trace_origins_of(trace);
    for (size_t i = 0; origins && i < origins->text_count; i++)
        walk_string(origins->texts[i], false);
    for (size_t i = 0; origins && i < origins->node_count; i++)
        walk_origin(origins, i);
    for (size_t i = 0; origins && i < origins->element_count; i++) {
        require(origins->elements[i].node < origins->node_count, "an element has a node");
        require(origins->elements[i].array < origins->text_count, "an element has an array");
    }
    for (size_t i = 0; origins && i < origins->value_count; i++) {
        struct trace_origin_value wanted = origins->values[i];
        require(trace_function_of(trace, wanted.variable) != NULL, "a value has a variable");
        require(wanted.lane < WARP_LANES, "a value has a lane");
        wanted.line++;
        require(i >= 64 || trace_origins_value(origins, &wanted) < origins->node_count,
                "a value has a node");
    }
}

static void walk_warp(const struct trace *trace, uint64_t index) {
    struct trace_warp warp;
    if (!trace_warp(trace, index, &warp))
        return;
    require(warp.index == index && warp.steps >= 1, "a warp has steps");
    require(trace_launch(trace, warp.launch) != NULL, "a warp has a launch");
    const uint64_t positions[] = {0, warp.steps / 2, warp.steps - 1, warp.steps, UINT64_MAX};
    for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
        uint64_t step = trace_warp_step(trace, &warp, positions[i]);
        require(step == UINT64_MAX || step < trace_step_count(trace), "steps are within the trace");
        require(step == UINT64_MAX || positions[i] < warp.steps, "beyond a warp there is nothing");
    }
}

void walk_trace(const struct trace *trace) {
    const uint64_t most = 3000;
    uint64_t steps = trace_step_count(trace), warps = trace_warp_count(trace);
    walk_strings(trace);
    walk_functions(trace);
    walk_origins(trace);
    for (uint64_t i = 0; i < steps && i < most; i++) {
        walk_step(trace, i);
        walk_step(trace, steps - 1 - i);
    }
    for (uint64_t i = 0; i < warps && i < most; i++) {
        walk_warp(trace, i);
        walk_warp(trace, warps - 1 - i);
    }
    walk_step(trace, steps);
    walk_step(trace, UINT64_MAX);
    walk_warp(trace, warps);
    walk_warp(trace, UINT64_MAX);
    (void)trace_dropped(trace);
    (void)trace_is_complete(trace);
}

/* Corrects all blocks up to the first invalid one. */
static void fix_blocks(unsigned char *bytes, size_t size) {
    struct trace_file_block head;
    size_t at = TRACE_FILE_HEADER_BYTES;
    while (at + sizeof(head) <= size) {
        memcpy(&head, bytes + at, sizeof(head));
        uint64_t payload = trace_file_align(head.bytes);
        if (head.mark != TRACE_FILE_BLOCK_MARK || payload > size - at - sizeof(head))
            return;
        head.check = crc32c(0, &head, offsetof(struct trace_file_block, check));
        head.check = crc32c(head.check, bytes + at + sizeof(head), (size_t)payload);
        if (head.kind != TRACE_FILE_OPEN)
            memcpy(bytes + at, &head, sizeof(head));
        at += sizeof(head) + (size_t)payload;
    }
}

static void fix_version1(unsigned char *bytes, size_t size) {
    struct trace_file_header1 header;
    if (size < sizeof(header))
        return;
    memcpy(&header, bytes, sizeof(header));
    if (header.front_offset > size || header.front_bytes > size - header.front_offset ||
        header.tail_offset > size || header.tail_bytes > size - header.tail_offset)
        return;
    uint64_t check = trace_file1_check(TRACE_FILE1_CHECK_INIT, &header,
                                       offsetof(struct trace_file_header1, check));
    check = trace_file1_check(check, bytes + header.front_offset, header.front_bytes);
    header.check = trace_file1_check(check, bytes + header.tail_offset, header.tail_bytes);
    memcpy(bytes, &header, sizeof(header));
}

void walk_fix_check(unsigned char *bytes, size_t size) {
    struct trace_file_header header;
    if (size < sizeof(header))
        return;
    memcpy(&header, bytes, sizeof(header));
    if (header.version == 1) {
        fix_version1(bytes, size);
        return;
    }
    header.check = crc32c(0, &header, offsetof(struct trace_file_header, check));
    memcpy(bytes, &header, sizeof(header));
    fix_blocks(bytes, size);
}
