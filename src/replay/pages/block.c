/*
 * block.c - reads a block from a recording.
 *
 * Origins map each value of a local variable to its node in the graph. A write to shared memory is
 * a node of its own (TRACE_ORIGIN_CELL), above the node of the value written. So the writer is the
 * lane that has a variable with that value and has since run the line that writes it; a reader is a
 * lane that gets a value that contains the cell. Walks end at warp operations and at cells: values
 * beyond those were taken by another lane.
 */
#include "replay/pages/block.h"

#include "base/memory.h"
#include "explain/origins.h"

#include <stdlib.h>
#include <string.h>

/* ---- walking the graph ---- */

/* Walks over the values of a warp, each node once for each lane. */
struct walk {
    const struct trace_origins *origins;
    uint32_t *seen; /* for each node, the lanes that have visited it */
    uint32_t *stack;
    size_t depth, room;
    uint32_t lane;
};

static void walk_init(struct walk *walk, const struct trace_origins *origins) {
    *walk = (struct walk){.origins = origins};
    walk->seen = memory_zeroed(origins->node_count + 1, sizeof *walk->seen);
}

static void walk_release(struct walk *walk) {
    free(walk->seen);
    free(walk->stack);
}

static void push(struct walk *walk, uint32_t node) {
    if (node <= TRACE_ORIGIN_CONSTANT || node >= walk->origins->node_count ||
        warp_has_lane(walk->seen[node], (int)walk->lane))
        return;
    walk->seen[node] |= UINT32_C(1) << walk->lane;
    walk->stack = memory_room(walk->stack, walk->depth, &walk->room, sizeof *walk->stack);
    walk->stack[walk->depth++] = node;
}

static void walk_begin(struct walk *walk, const struct trace_origin_value *value) {
    walk->lane = value->lane;
    push(walk, value->node);
}

/* The nodes from which a node is computed; none beyond an operation or a cell. */
static unsigned parts_of(const struct trace_origin *node, uint32_t part[2]) {
    part[0] = node->a;
    part[1] = node->b;
    switch (node->kind) {
    case TRACE_ORIGIN_SUM:
    case TRACE_ORIGIN_DIFFERENCE:
    case TRACE_ORIGIN_SCALED:
    case TRACE_ORIGIN_DEPENDS:
    case TRACE_ORIGIN_CHOSEN:
        return 2;
    case TRACE_ORIGIN_FLOATED:
        return 1;
    default:
        return 0;
    }
}

/* The next node that the lane has not visited; NULL at the end. */
static const struct trace_origin *walk_next(struct walk *walk) {
    uint32_t part[2];
    if (walk->depth == 0)
        return NULL;
    const struct trace_origin *node = &walk->origins->nodes[walk->stack[--walk->depth]];
    for (unsigned i = parts_of(node, part); i-- > 0;)
        push(walk, part[i]);
    return node;
}

/* ---- time ---- */

static bool line_is_done(const struct block *block, unsigned warp, size_t line) {
    return line < block->warp[warp].lines_done;
}

static size_t lines_done(const struct block *block, unsigned warp) {
    const struct trace_lines *lines = block->warp[warp].lines;
    size_t low = 0, high = lines ? lines->count : 0;
    if (lines && warp == block->time.warp && block->time.lines != SIZE_MAX)
        return block->time.lines;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lines->lines[middle].step <= block->time.steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t steps_before(const struct block *block, const struct trace_warp *warp,
                             uint64_t number) {
    uint64_t low = 0, high = warp->steps;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (trace_warp_step(block->trace, warp, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- values ---- */

static struct block_value value_after(const struct block *block, unsigned warp, size_t line,
                                      uint32_t variable, int lane) {
    const struct trace_lines *lines = block->warp[warp].lines;
    struct trace_line_state state;
    struct block_value value = {.has_come = line_is_done(block, warp, line)};
    if (!lines || line >= lines->count || variable >= trace_variable_count(block->trace))
        return value;
    const struct trace_function *function = trace_function_of(block->trace, variable);
    trace_line_state_init(&state, block->trace);
    trace_lines_state(lines, line + 1, &state);
    value.is_known = warp_has_lane(state.set[variable], lane);
    value.is_doubtful = warp_has_lane(state.doubtful[variable], lane);
    value.bits = state.value[variable][lane];
    value.type = function->variables[variable - function->first].type;
    trace_line_state_release(&state);
    return value;
}

static bool in_this_block(const struct block *block, const struct trace_origin_value *value) {
    return value->launch == block->time.launch && value->block == block->time.block &&
           value->warp < block->warp_count && value->lane < WARP_LANES;
}

struct block_value block_input(const struct block *block, int warp, uint64_t position, int lane) {
    const struct block_warp *of = &block->warp[warp];
    struct trace_step step;
    struct block_value value = {.has_come = position < of->done};
    const uint64_t number = trace_warp_step(block->trace, &of->steps, position);
    if (position >= of->steps.steps || trace_step(block->trace, number, &step, NULL) != 0 ||
        !warp_has_lane(step.operation.present, lane))
        return value;
    value.is_known = true;
    value.is_doubtful = warp_has_lane(step.operation.doubtful_in, lane);
    value.type = step.operation.type;
    value.bits = step.operation.in[lane];
    return value;
}

/* Marks the nodes that contain the lane's result of a step. */
static unsigned char *mark_containing(const struct trace_origins *origins, uint64_t step,
                                      int lane) {
    unsigned char *marks = memory_zeroed(origins->node_count + 1, 1);
    for (uint32_t i = 0; i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        uint32_t part[2];
        const unsigned parts = parts_of(node, part);
        if (node->kind == TRACE_ORIGIN_MOVED)
            marks[i] = node->extra == step && node->b >> 8 == (uint32_t)lane;
        for (unsigned k = 0; k < parts; k++)
            marks[i] |= part[k] < i ? marks[part[k]] : 0;
    }
    return marks;
}

/* The first value computed from what the lane got in the step; if there is none, the first value
 * equal to it. */
static const struct trace_origin_value *holder_of_step(const struct block *block, int warp,
                                                       int lane, uint64_t step) {
    const struct trace_origins *origins = block->origins;
    unsigned char *marks = mark_containing(origins, step, lane);
    const struct trace_origin_value *found = NULL;
    for (size_t i = 0; i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        if (!in_this_block(block, value) || (int)value->warp != warp || (int)value->lane != lane ||
            value->node >= origins->node_count || !marks[value->node])
            continue;
        const bool is_it = origins->nodes[value->node].kind == TRACE_ORIGIN_MOVED;
        if (!found || !is_it)
            found = value;
        if (!is_it)
            break;
    }
    free(marks);
    return found;
}

uint64_t block_trimmed(const struct block *block, int warp, uint64_t end) {
    const struct trace_warp *steps = &block->warp[warp].steps;
    struct trace_step step;
    while (end > 0 &&
           trace_step(block->trace, trace_warp_step(block->trace, steps, end - 1), &step, NULL) ==
               0 &&
           step.operation.op == WARP_OP_WATCH)
        end--;
    return end;
}

struct block_value block_after(const struct block *block, int warp, uint64_t last, int lane) {
    const struct block_warp *of = &block->warp[warp];
    const struct block_value none = {.has_come = last < of->done};
    if (!block->origins || !of->lines || last >= of->steps.steps)
        return none;
    const uint64_t number = trace_warp_step(block->trace, &of->steps, last);
    const struct trace_origin_value *value = holder_of_step(block, warp, lane, number);
    /* A lane that got a constant, or nothing new, has no origin from the step: its value is in the
     * same variable as the other lanes' values, if it ran that line. */
    for (int other = 0; !value && other < WARP_LANES; other++) {
        value = holder_of_step(block, warp, other, number);
        if (value && !warp_has_lane(of->lines->lines[value->line].lanes, lane))
            return none;
    }
    return value ? value_after(block, (unsigned)warp, value->line, value->variable, lane) : none;
}

/* ---- warps ---- */

static void read_warps(struct block *block) {
    const struct trace_launch *launch = trace_launch(block->trace, block->time.launch);
    const unsigned threads = launch ? trace_block_threads(launch) : 0;
    block->threads = threads < BLOCK_WARPS * WARP_LANES ? threads : BLOCK_WARPS * WARP_LANES;
    block->warp_count = (block->threads + WARP_LANES - 1) / WARP_LANES;
    for (unsigned i = 0; i < block->warp_count; i++) {
        struct block_warp *warp = &block->warp[i];
        const struct block_time *time = &block->time;
        const bool operates =
            cursor_find_warp(block->trace, time->launch, time->block, i, &warp->steps);
        if (!operates)
            warp->steps.steps = 0;
        if (trace_lines_open(block->trace, time->launch, time->block, i, &warp->lines, NULL) != 0)
            warp->lines = NULL;
        warp->is_here = operates || warp->lines;
        warp->done = steps_before(block, &warp->steps, time->steps);
        warp->lines_done = lines_done(block, i);
    }
}

/* A series of shuffles halves or doubles its distance; anything else begins another series. */
static bool starts_series(const struct warp_operation *before, const struct warp_operation *now) {
    if (!warp_op_info(before->op)->is_shuffle || before->op != now->op || !before->present ||
        !now->present)
        return warp_op_is_reduce(before->op) && warp_op_is_reduce(now->op);
    const int32_t a = before->arg[__builtin_ctz(before->present)];
    const int32_t b = now->arg[__builtin_ctz(now->present)];
    return a != b && a != 2 * b && b != 2 * a;
}

static uint64_t second_by_distance(const struct block *block, const struct block_warp *warp) {
    struct trace_step before, now;
    for (uint64_t i = 0; i + 1 < warp->steps.steps && i < 64; i++)
        if (trace_step(block->trace, trace_warp_step(block->trace, &warp->steps, i), &before,
                       NULL) == 0 &&
            trace_step(block->trace, trace_warp_step(block->trace, &warp->steps, i + 1), &now,
                       NULL) == 0 &&
            starts_series(&before.operation, &now.operation))
            return i + 1;
    return warp->steps.steps;
}

/* ---- the elements of the input ---- */

/* The array with the most elements read. */
static void choose_array(struct block *block, const unsigned char *taken) {
    const struct trace_origins *origins = block->origins;
    size_t *count = memory_zeroed(origins->text_count + 1, sizeof *count), most = 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (taken[i] && ++count[node->a] > most) {
            most = count[node->a];
            block->array = node->a;
        }
    }
    free(count);
    block->first = UINT64_MAX;
    for (uint32_t i = 0; i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (!taken[i] || node->a != block->array)
            continue;
        block->first = node->extra < block->first ? node->extra : block->first;
        last = node->extra > last ? node->extra : last;
    }
    if (most && last - block->first < UINT64_C(1) << 20)
        block->element_count = (size_t)(last - block->first) + 1;
}

static void keep_owners(struct block *block, const unsigned char *taken) {
    const struct trace_origins *origins = block->origins;
    block->owner = memory_alloc(block->element_count + 1);
    memset(block->owner, BLOCK_ELEMENT, block->element_count + 1);
    for (uint32_t i = 0; block->element_count && i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (taken[i] && node->a == block->array)
            block->owner[node->extra - block->first] =
                taken[i] == BLOCK_SHARED ? BLOCK_SHARED : (uint8_t)(taken[i] - 1);
    }
}

static int compare_elements(const void *a, const void *b) {
    const struct origin_term *x = a, *y = b;
    if (x->leaf->a != y->leaf->a)
        return x->leaf->a < y->leaf->a ? -1 : 1;
    return (x->leaf->extra > y->leaf->extra) - (x->leaf->extra < y->leaf->extra);
}

bool block_takes(const struct block *block, int warp, int lane, struct text *text) {
    const struct trace_origins *origins = block->origins;
    const struct trace_origin *node;
    struct origin_terms terms = {.count = 0};
    struct walk walk;
    size_t room = 0;
    if (!origins)
        return false;
    walk_init(&walk, origins);
    for (size_t i = 0; i < origins->value_count; i++) {
        struct trace_origin_value value = origins->values[i];
        if (!in_this_block(block, &value) || (int)value.warp != warp ||
            (lane >= 0 && (int)value.lane != lane))
            continue;
        value.lane = 0; /* each element once */
        walk_begin(&walk, &value);
        while ((node = walk_next(&walk)))
            if (node->kind == TRACE_ORIGIN_ELEMENT) {
                terms.terms = memory_room(terms.terms, terms.count, &room, sizeof *terms.terms);
                terms.terms[terms.count++] = (struct origin_term){.leaf = node, .count = 1};
            }
    }
    walk_release(&walk);
    const bool any = terms.count > 0;
    if (any) {
        qsort(terms.terms, terms.count, sizeof *terms.terms, compare_elements);
        origins_append_terms(text, origins, &terms);
    }
    origins_terms_release(&terms);
    return any;
}

/* ---- shared memory ---- */

/* The cells, by node. */
struct cell_index {
    uint32_t *of_node;  /* for each node, 1 + its cell; 0 for none */
    uint32_t *of_value; /* for each node, 1 + the first cell that was written with it */
    uint32_t *next;     /* for a cell, 1 + the next one written with the same value */
};

static void list_cells(struct block *block, struct cell_index *index) {
    const struct trace_origins *origins = block->origins;
    *index = (struct cell_index){
        .of_node = memory_zeroed(origins->node_count + 1, sizeof *index->of_node),
        .of_value = memory_zeroed(origins->node_count + 1, sizeof *index->of_value),
        .next = memory_zeroed(origins->node_count + 1, sizeof *index->next)};
    for (uint32_t i = 0; i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (node->kind != TRACE_ORIGIN_CELL || node->a >= origins->node_count)
            continue;
        block->cells =
            memory_room(block->cells, block->cell_count, &block->cell_room, sizeof *block->cells);
        index->of_node[i] = (uint32_t)block->cell_count + 1;
        index->next[block->cell_count] = index->of_value[node->a];
        index->of_value[node->a] = index->of_node[i];
        block->cells[block->cell_count++] = (struct block_cell){.array = node->b,
                                                                .index = node->extra,
                                                                .line = node->line,
                                                                .node = i,
                                                                .warp = -1,
                                                                .lane = -1,
                                                                .reader = -1};
    }
}

static void index_release(struct cell_index *index) {
    free(index->of_node);
    free(index->of_value);
    free(index->next);
}

/* The line at which a lane that has the value writes the cell; SIZE_MAX if there is none. */
static size_t writing_line(const struct block *block, const struct trace_origin_value *value,
                           uint32_t number) {
    const struct trace_lines *lines = block->warp[value->warp].lines;
    for (size_t i = value->line; lines && i < lines->count; i++) {
        const struct trace_line *line = &lines->lines[i];
        if (warp_has_lane(line->lanes, (int)value->lane) &&
            trace_function(lines->trace, line->function)->lines[line->line] == number)
            return i;
    }
    return SIZE_MAX;
}

#define AMBIGUOUS (-2) /* a writer; several lanes may qualify */

/* Notes that the lane, which has the value that was written, may be the writer. */
static void consider_writer(const struct block *block, const struct trace_origin_value *value,
                            struct block_cell *cell) {
    const bool same = cell->warp == (int)value->warp && cell->lane == (int)value->lane;
    const size_t line =
        same || cell->warp == AMBIGUOUS ? SIZE_MAX : writing_line(block, value, cell->line);
    if (line == SIZE_MAX)
        return;
    if (cell->warp >= 0) {
        cell->warp = AMBIGUOUS;
        return;
    }
    cell->warp = (int)value->warp;
    cell->lane = (int)value->lane;
    cell->value = value_after(block, value->warp, value->line, value->variable, cell->lane);
    cell->value.has_come = line_is_done(block, value->warp, line);
}

/* The second stage of a warp begins with the operation after its first read. If no operation
 * precedes that read, the warp has only one stage. */
static void add_reader(struct block *block, const struct trace_origin_value *value,
                       struct block_cell *cell) {
    struct block_warp *warp = &block->warp[value->warp];
    if (cell->reader >= 0 && cell->reader != (int)value->warp)
        return;
    cell->reader = (int)value->warp;
    cell->readers |= UINT32_C(1) << value->lane;
    if (!warp->lines || value->line >= warp->lines->count)
        return;
    const uint64_t step = steps_before(block, &warp->steps, warp->lines->lines[value->line].step);
    if (step > 0 && step < warp->second)
        warp->second = step;
}

/* `taken` has, for each node that is an element, 1 + the warp that takes it, or BLOCK_SHARED. */
static void walk_warp(struct block *block, unsigned warp, const struct cell_index *index,
                      unsigned char *taken) {
    const struct trace_origins *origins = block->origins;
    const struct trace_origin *node;
    struct walk walk;
    walk_init(&walk, origins);
    for (size_t i = 0; i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        if (!in_this_block(block, value) || value->warp != warp ||
            value->node >= origins->node_count)
            continue;
        for (uint32_t cell = index->of_value[value->node]; cell; cell = index->next[cell - 1])
            consider_writer(block, value, &block->cells[cell - 1]);
        walk_begin(&walk, value);
        while ((node = walk_next(&walk))) {
            const size_t number = (size_t)(node - origins->nodes);
            if (node->kind == TRACE_ORIGIN_ELEMENT)
                taken[number] = taken[number] && taken[number] != warp + 1
                                    ? BLOCK_SHARED
                                    : (unsigned char)(warp + 1);
            else if (node->kind == TRACE_ORIGIN_CELL && index->of_node[number])
                add_reader(block, value, &block->cells[index->of_node[number] - 1]);
        }
    }
    walk_release(&walk);
}

static int compare_cells(const void *a, const void *b) {
    const struct block_cell *x = a, *y = b;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    if (x->array != y->array)
        return x->array < y->array ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Keeps the cells that have a writer: of several writes to one cell, the last that has been made
 * or, if there is none yet, the first that will be. */
static void keep_cells(struct block *block) {
    size_t kept = 0;
    if (block->cell_count)
        qsort(block->cells, block->cell_count, sizeof *block->cells, compare_cells);
    for (size_t i = 0; i < block->cell_count; i++) {
        const struct block_cell *cell = &block->cells[i];
        struct block_cell *before = kept ? &block->cells[kept - 1] : NULL;
        if (cell->warp < 0)
            continue;
        const bool same = before && before->warp == cell->warp && before->array == cell->array &&
                          before->index == cell->index;
        if (same && cell->value.has_come)
            *before = *cell;
        else if (!same)
            block->cells[kept++] = *cell;
    }
    block->cell_count = kept;
}

/* ---- results ---- */

static void add_result(struct block *block, const struct trace_origin_element *element) {
    const struct trace_origins *origins = block->origins;
    for (size_t i = 0; i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        if (value->node != element->node || !in_this_block(block, value))
            continue;
        const struct trace_lines *lines = block->warp[value->warp].lines;
        block->results = memory_room(block->results, block->result_count, &block->result_room,
                                     sizeof *block->results);
        struct block_result *result = &block->results[block->result_count++];
        *result = (struct block_result){.array = element->array,
                                        .index = element->index,
                                        .node = element->node,
                                        .warp = (int)value->warp,
                                        .lane = (int)value->lane,
                                        .value = value_after(block, value->warp, value->line,
                                                             value->variable, (int)value->lane)};
        result->value.has_come = lines && line_is_done(block, value->warp, lines->count - 1);
        return;
    }
}

#define RESULTS_MOST 64

static void read_results(struct block *block) {
    const struct trace_origins *origins = block->origins;
    for (size_t i = 0; i < origins->element_count && block->result_count < RESULTS_MOST; i++)
        if (origins->elements[i].launch == block->time.launch &&
            origins->elements[i].node > TRACE_ORIGIN_CONSTANT)
            add_result(block, &origins->elements[i]);
}

/* ---- everything together ---- */

static bool has_origins(const struct block *block, const struct trace_origins *origins) {
    for (size_t i = 0; origins && i < origins->value_count; i++)
        if (in_this_block(block, &origins->values[i]))
            return true;
    return false;
}

static void read_origins(struct block *block) {
    struct cell_index index;
    unsigned char *taken = memory_zeroed(block->origins->node_count + 1, 1);
    list_cells(block, &index);
    for (unsigned warp = 0; warp < block->warp_count; warp++)
        walk_warp(block, warp, &index, taken);
    keep_cells(block);
    choose_array(block, taken);
    keep_owners(block, taken);
    read_results(block);
    index_release(&index);
    free(taken);
}

void block_read(struct block *block, const struct trace *trace, const struct block_time *time) {
    const struct trace_origins *origins = trace_origins_of(trace);
    *block = (struct block){.trace = trace, .time = *time};
    read_warps(block);
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warp[i].second = block->warp[i].steps.steps;
    if (has_origins(block, origins)) {
        block->origins = origins;
        read_origins(block);
        return;
    }
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warp[i].second = second_by_distance(block, &block->warp[i]);
}

void block_release(struct block *block) {
    for (unsigned i = 0; i < BLOCK_WARPS; i++)
        trace_lines_release(block->warp[i].lines);
    free(block->cells);
    free(block->results);
    free(block->owner);
}

int block_second_warp(const struct block *block) {
    int found = -1;
    for (unsigned i = block->warp_count; i-- > 0;)
        if (block->warp[i].second < block->warp[i].steps.steps)
            found = (int)i;
    const struct block_warp *here = &block->warp[block->time.warp % BLOCK_WARPS];
    return here->second < here->steps.steps ? (int)block->time.warp : found;
}
