#include "export/json/block.h"

#include "export/json/json_parts.h"
#include "replay/pages/block.h"

#include <stdlib.h>

/* A number as the program would print it; a string if JSON has no such number; null if it is not
 * known. */
static json_object *value_json(const struct block_value *value) {
    char text[WARP_VALUE_TEXT], *end;
    if (!value->is_known)
        return NULL;
    warp_value_format(value->type, value->bits, text);
    const double number = strtod(text, &end);
    const bool is_number = *end == '\0' && text[0] != 'n' && text[0] != 'i' && text[1] != 'i';
    return is_number ? json_object_new_double_s(number, text) : json_string(text);
}

static void put_takes(json_object *object, const struct block *block, int warp) {
    struct text takes = TEXT_INIT;
    if (block_takes(block, warp, -1, &takes))
        json_put(object, "takes", json_string(takes.data));
    else
        json_put(object, "takes", NULL);
    text_release(&takes);
}

/* The values that a lane passes to each operation of a stage, and its value after the last. */
static json_object *stage_json(const struct block *block, int warp, uint64_t first, uint64_t end,
                               int lane) {
    json_object *object = json_new(), *steps = json_list();
    end = block_trimmed(block, warp, end);
    json_put(object, "lane", json_int(lane));
    for (uint64_t i = first; i < end; i++) {
        const struct block_value brought = block_input(block, warp, i, lane);
        json_object *step = json_new();
        json_put(step, "step",
                 json_uint(trace_warp_step(block->trace, &block->warp[warp].steps, i)));
        json_put(step, "in", value_json(&brought));
        json_append(steps, step);
    }
    json_put(object, "steps", steps);
    const struct block_value after =
        end > first ? block_after(block, warp, end - 1, lane) : (struct block_value){0};
    json_put(object, "after", value_json(&after));
    return object;
}

static json_object *warp_json(const struct block *block, int number) {
    const struct block_warp *warp = &block->warp[number];
    json_object *object = json_new(), *second = json_list();
    json_put(object, "warp", json_int(number));
    put_takes(object, block, number);
    json_put(object, "first", stage_json(block, number, 0, warp->second, 0));
    for (int lane = 0; warp->second < warp->steps.steps && lane < WARP_LANES; lane++)
        if (block_input(block, number, warp->second, lane).is_known)
            json_append(second, stage_json(block, number, warp->second, warp->steps.steps, lane));
    json_put(object, "second", second);
    return object;
}

static json_object *cell_json(const struct block *block, const struct block_cell *cell) {
    json_object *object = json_new();
    json_put(object, "array", json_string(block->origins->texts[cell->array]));
    json_put(object, "index", json_uint(cell->index));
    json_put(object, "line", json_uint(cell->line));
    json_put(object, "value", value_json(&cell->value));
    json_put(object, "warp", json_int(cell->warp));
    json_put(object, "lane", json_int(cell->lane));
    json_put(object, "read_by_warp", cell->reader < 0 ? NULL : json_int(cell->reader));
    json_put(object, "read_by_lanes", json_mask(cell->readers));
    return object;
}

static json_object *result_json(const struct block *block, const struct block_result *result) {
    json_object *object = json_new();
    json_put(object, "array", json_string(block->origins->texts[result->array]));
    json_put(object, "index", json_uint(result->index));
    json_put(object, "value", value_json(&result->value));
    json_put(object, "warp", json_int(result->warp));
    json_put(object, "lane", json_int(result->lane));
    return object;
}

void export_block_json(FILE *out, const struct trace *trace, uint32_t launch, uint64_t number) {
    const struct block_time time = {
        .launch = launch, .block = number, .steps = UINT64_MAX, .lines = SIZE_MAX};
    struct block block;
    json_object *object = json_new(), *warps = json_list(), *cells = json_list(),
                *results = json_list();
    block_read(&block, trace, &time);
    for (unsigned i = 0; i < block.warp_count; i++)
        json_append(warps, warp_json(&block, (int)i));
    for (size_t i = 0; i < block.cell_count; i++)
        json_append(cells, cell_json(&block, &block.cells[i]));
    for (size_t i = 0; i < block.result_count; i++)
        json_append(results, result_json(&block, &block.results[i]));
    json_put(object, "schema", json_string("shflviz/2"));
    json_put(object, "launch", json_uint(launch));
    json_put(object, "block", json_uint(number));
    json_put(object, "threads", json_uint(block.threads));
    json_put(object, "followed", json_flag(block.origins != NULL));
    json_put(object, "warps", warps);
    json_put(object, "cells", cells);
    json_put(object, "results", results);
    block_release(&block);
    json_write(out, object);
}
