/*
 * origins.c - the origins of memory: for each byte a node, and the index of the byte in its number.
 *
 * Memory without a note is unchanged since the kernel began, so it is the kernel's input: an
 * element of an array, the lane's indices, or a constant. All notes are cleared when a kernel
 * begins. The CPU warp reports through callbacks the values that it moves itself, by shuffles and
 * the like.
 */
#include "cudacpu/observe/origins.h"

#include "base/memory.h"
#include "cudacpu/module.h"
#include "cudacpu/runtime/api.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096u

/* A byte: the node, and in the lowest bits the byte's index in it, which is 0 for a node that fills
 * memory. */
typedef uint32_t cell;
#define CELL_OFFSETS 8u

struct page {
    uintptr_t number;
    cell cells[PAGE_BYTES];
};

/* An array for which a kernel has a name. */
struct array {
    uint32_t text;
    const char *begin;
    uint64_t size; /* 0 if it extends to the end of its allocation */
    uint64_t element;
    bool is_real, is_shared;
};

uint32_t cpu_origin_arguments[CPU_ORIGIN_ARGUMENTS], cpu_origin_results[CPU_ORIGIN_ARGUMENTS];
const void *cpu_origin_sources[CPU_ORIGIN_ARGUMENTS];

static struct {
    struct page **pages; /* by number; a power of two */
    size_t page_count, table_size;
    struct page *last;
    struct array *arrays;
    size_t array_count, array_room;
} memory;

/* ---- pages ---- */

static struct page **page_place(uintptr_t number) {
    size_t at = (number * 0x9e3779b9u) & (memory.table_size - 1);
    while (memory.pages[at] && memory.pages[at]->number != number)
        at = (at + 1) & (memory.table_size - 1);
    return &memory.pages[at];
}

static void grow_pages(void) {
    struct page **old = memory.pages;
    const size_t size = memory.table_size;
    memory.table_size = size ? size * 2 : 256;
    memory.pages = memory_zeroed(memory.table_size, sizeof *memory.pages);
    for (size_t i = 0; i < size; i++)
        if (old[i])
            *page_place(old[i]->number) = old[i];
    free(old);
}

static struct page *find_page(const void *address, bool make) {
    const uintptr_t number = (uintptr_t)address / PAGE_BYTES;
    if (memory.last && memory.last->number == number)
        return memory.last;
    if (memory.page_count * 2 >= memory.table_size)
        grow_pages();
    struct page **place = page_place(number);
    if (!*place && make) {
        *place = memory_zeroed(1, sizeof **place);
        (*place)->number = number;
        memory.page_count++;
    }
    if (*place)
        memory.last = *place;
    return *place;
}

static cell get(const char *address) {
    const struct page *page = find_page(address, false);
    return page ? page->cells[(uintptr_t)address % PAGE_BYTES] : 0;
}

static void set(const char *address, cell value) {
    struct page *page = find_page(address, value != 0);
    if (page)
        page->cells[(uintptr_t)address % PAGE_BYTES] = value;
}

static cell make_cell(uint32_t node, uint64_t offset) {
    return (cell)(node * CELL_OFFSETS + offset % CELL_OFFSETS);
}

static uint32_t node_of(cell value) {
    return value / CELL_OFFSETS;
}

/* ---- arrays ---- */

static void add_array(const char *name, const void *address, uint64_t size, uint64_t element,
                      bool is_shared) {
    for (size_t i = 0; i < memory.array_count; i++)
        if (memory.arrays[i].begin == address && memory.arrays[i].text == origin_text(name))
            return;
    memory.arrays =
        memory_room(memory.arrays, memory.array_count, &memory.array_room, sizeof *memory.arrays);
    memory.arrays[memory.array_count++] =
        (struct array){.text = origin_text(name),
                       .begin = address,
                       .size = size,
                       .element = element % CPU_ORIGIN_REAL_ELEMENTS,
                       .is_real = element >= CPU_ORIGIN_REAL_ELEMENTS,
                       .is_shared = is_shared};
}

void cpu_origin_array(const char *name, const void *address, uint64_t element) {
    add_array(name, address, 0, element, false);
}

void cpu_origin_shared(const char *name, const void *address, uint64_t bytes, uint64_t element) {
    add_array(name, address, bytes, element, true);
}

static bool is_before(const void *a, const void *b) {
    return (uintptr_t)a <= (uintptr_t)b;
}

/* The array whose beginning is nearest before the address; of two, the first one reported. */
static struct array *nearest(const char *address, bool is_shared, const char *from) {
    struct array *found = NULL;
    for (size_t i = 0; i < memory.array_count; i++) {
        struct array *array = &memory.arrays[i];
        if (array->is_shared == is_shared && is_before(from, array->begin) &&
            is_before(array->begin, address) &&
            (array->size == 0 || (uint64_t)(address - array->begin) < array->size) &&
            (!found || array->begin > found->begin))
            found = array;
    }
    return found;
}

/* The named array that holds the address; NULL if there is none. */
static struct array *array_at(const char *address) {
    if (cpu_is_shared(address))
        return nearest(address, true, NULL);
    const struct cudacpu_variable *variable = cudacpu_variable_at(address);
    const struct api_allocation *in = variable              ? NULL
                                      : cpu_now.device->api ? api_find(cpu_now.device, address)
                                                            : NULL;
    const char *from = variable ? variable->address : in ? in->start : NULL;
    struct array *found = from ? nearest(address, false, from) : NULL;
    if (!from || found)
        return found;
    add_array(variable ? variable->symbol : "memory", from, variable ? variable->size : 0, 0,
              false);
    return nearest(address, false, from);
}

/* ---- memory that was never written ---- */

/* Equal values have equal hashes, which are not 0. */
static uint32_t hash_of(const char *address, uint64_t bytes) {
    uint64_t value = 0;
    memcpy(&value, address, bytes < sizeof value ? bytes : sizeof value);
    return (uint32_t)((value ^ value >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 33) | 1u;
}

static uint32_t element(struct array *array, const char *address, uint64_t bytes) {
    if (!array->element)
        array->element = bytes;
    const uint64_t index = (uint64_t)(address - array->begin) / array->element;
    const uint32_t node =
        array->is_shared
            ? origin_make(TRACE_ORIGIN_UNSET_CELL, array->text, array->is_real, 0, index)
            : origin_make(TRACE_ORIGIN_ELEMENT, array->text,
                          array->is_real | hash_of(address, bytes) << 1, 0, index);
    if (array->is_real)
        origin_set_real(node);
    return node;
}

/* threadIdx and its like; 0 if it is none of them. */
static uint32_t place(const char *address, uint64_t bytes) {
    const struct cpu_lane *lane = cpu_now.lane;
    const char *const places[] = {(const char *)&lane->thread_index, (const char *)&cpu_block_index,
                                  (const char *)&cpu_block_dim, (const char *)&cpu_grid_dim};
    for (uint32_t i = 0; bytes == 4 && i < 4; i++) {
        const uintptr_t offset = (uintptr_t)address - (uintptr_t)places[i];
        uint32_t value;
        if (offset >= 12 || offset % 4)
            continue;
        memcpy(&value, address, sizeof value);
        return origin_make(TRACE_ORIGIN_INDEX, 3 * i + (uint32_t)offset / 4, 0, 0, value);
    }
    return 0;
}

/* A number that is unchanged since the kernel began. */
static uint32_t input(const char *address, uint64_t bytes) {
    struct array *array = array_at(address);
    uint32_t node = 0;
    if (!array)
        return place(address, bytes);
    if (array->element == 0 ||
        (array->element == bytes && (uint64_t)(address - array->begin) % array->element == 0))
        return element(array, address, bytes);
    const char *at = address - (uint64_t)(address - array->begin) % array->element;
    for (; is_before(at + 1, address + bytes); at += array->element)
        node = cpu_origin_depends(node, element(array, at, bytes), 0);
    return node;
}

/* ---- reading and writing ---- */

static bool fills(uint32_t node) {
    const enum trace_origin_kind kind = origin_kind(node);
    return kind == TRACE_ORIGIN_ARGUMENT || kind == TRACE_ORIGIN_UNSET ||
           kind == TRACE_ORIGIN_UNKNOWN;
}

/* The node for adjacent numbers of different origins, or for parts of one. */
static uint32_t mixed(const char *at, uint64_t bytes) {
    uint32_t node = 0;
    bool has_input = false;
    for (uint64_t i = 0; i < bytes; i++) {
        const cell value = get(at + i);
        has_input = has_input || value == 0;
        node = cpu_origin_depends(node, node_of(value), 0);
    }
    return has_input ? cpu_origin_depends(node, input(at, bytes), 0) : node;
}

uint32_t cpu_origin_load(const void *address, uint64_t bytes) {
    const char *at = address;
    const cell first = get(at);
    const uint32_t node = node_of(first);
    uint64_t same = 0, as_one = 0, constant = 0;
    for (uint64_t i = 0; i < bytes; i++) {
        const cell value = get(at + i);
        same += value == first;
        as_one += i == as_one && value == make_cell(node, i);
        constant += node_of(value) == TRACE_ORIGIN_CONSTANT;
    }
    if (same == bytes && first == 0)
        return input(at, bytes);
    if (constant == bytes)
        return 0;
    if (as_one == bytes || (same == bytes && fills(node)))
        return node;
    if (as_one >= 4 && as_one + constant == bytes) /* followed by zeros: a wider number */
        return node;
    return mixed(at, bytes);
}

static void write_cells(char *at, uint64_t bytes, uint32_t node) {
    for (uint64_t i = 0; i < bytes; i++)
        set(at + i, make_cell(node ? node : TRACE_ORIGIN_CONSTANT, i));
}

void cpu_origin_store(void *address, uint64_t bytes, uint32_t node, uint64_t line) {
    const struct array *array = node > TRACE_ORIGIN_CONSTANT && cpu_is_shared(address)
                                    ? nearest(address, true, NULL)
                                    : NULL;
    if (array) {
        const uint64_t size = array->element ? array->element : bytes;
        const uint64_t index = (uint64_t)((const char *)address - array->begin) / size;
        node = origin_make(TRACE_ORIGIN_CELL, node, array->text, line, index);
    }
    write_cells(address, bytes, node);
}

void cpu_origin_fill(void *to, uint64_t bytes, uint32_t node) {
    const bool is_leaf = fills(node);
    node = is_leaf ? node : cpu_origin_depends(node, 0, 0);
    for (uint64_t i = 0; i < bytes; i++)
        set((char *)to + i, make_cell(node ? node : TRACE_ORIGIN_CONSTANT, is_leaf ? 0 : i));
}

void cpu_origin_fresh(void *address, uint64_t bytes, const char *name) {
    const uint32_t node = name ? origin_make(TRACE_ORIGIN_UNSET, origin_text(name), 0, 0, 0) : 0;
    for (uint64_t i = 0; i < bytes; i++)
        set((char *)address + i, make_cell(node, 0));
}

/* The cell of one byte of an element that is unchanged since the kernel began. */
static cell input_cell(const char *at) {
    struct array *array = array_at(at);
    const struct cpu_lane *lane = cpu_now.lane;
    const uint64_t bytes = array && array->element ? array->element : 4;
    const uintptr_t base =
        array ? (uintptr_t)array->begin : (uintptr_t)(lane ? &lane->thread_index : NULL);
    const uint64_t offset = ((uintptr_t)at - base) % bytes;
    const uint32_t node = bytes <= CELL_OFFSETS ? input(at - offset, bytes) : 0;
    return node ? make_cell(node, offset) : make_cell(TRACE_ORIGIN_CONSTANT, 0);
}

void cpu_origin_copy(void *to, const void *from, uint64_t bytes) {
    cell *cells = memory_zeroed(bytes + 1, sizeof *cells); /* they may overlap */
    for (uint64_t i = 0; i < bytes; i++) {
        const cell value = get((const char *)from + i);
        cells[i] = value ? value : input_cell((const char *)from + i);
    }
    for (uint64_t i = 0; i < bytes; i++)
        set((char *)to + i, cells[i]);
    free(cells);
}

void cpu_origin_choose(void *address, uint64_t bytes, uint32_t condition, uint64_t line) {
    uint32_t last = 0, chosen = 0;
    if (condition <= TRACE_ORIGIN_CONSTANT)
        return;
    for (uint64_t i = 0; i < bytes; i++) {
        char *at = (char *)address + i;
        const cell value = get(at);
        if (value == 0)
            continue;
        if (node_of(value) != last)
            chosen = cpu_origin_chosen(node_of(value), condition, line);
        last = node_of(value);
        set(at, make_cell(chosen, value % CELL_OFFSETS));
    }
}

uint32_t cpu_origin_unknown(const char *function) {
    return origin_make(TRACE_ORIGIN_UNKNOWN, origin_text(function), 0, 0, 0);
}

uint32_t cpu_origin_argument(const char *name) {
    return origin_make(TRACE_ORIGIN_ARGUMENT, origin_text(name), 0, 0, 0);
}

/* ---- the recording ---- */

static void flush(size_t above) {
    struct text *pending = origin_pending();
    const struct cpu_sink *sink = cpu_now.device->options.sink;
    if (pending->length <= above)
        return;
    if (sink && sink->origins)
        sink->origins(sink->context, pending->data, pending->length);
    text_clear(pending);
}

static void begin_launch(void) {
    for (size_t i = 0; i < memory.table_size; i++)
        free(memory.pages[i]);
    free(memory.pages);
    memory.pages = NULL;
    memory.last = NULL;
    memory.page_count = memory.table_size = memory.array_count = 0;
    grow_pages();
}

/* The most elements of one array that are reported. */
#define ELEMENTS_MOST (1u << 20)

static const char *end_of(const struct array *array) {
    const struct api_allocation *in =
        cpu_now.device->api ? api_find(cpu_now.device, array->begin) : NULL;
    const char *end = array->size ? array->begin + array->size
                      : in        ? in->start + in->size
                                  : array->begin;
    for (size_t i = 0; i < memory.array_count; i++) {
        const char *other = memory.arrays[i].begin;
        if (other > array->begin && other < end)
            end = other;
    }
    return end;
}

/* Elements that the kernel has written. */
static void put_array(struct array *array) {
    const char *end = end_of(array);
    uint64_t told = 0;
    const uint64_t bytes = array->element ? array->element : 4;
    for (const char *at = array->begin; at + bytes <= end && told < ELEMENTS_MOST; at += bytes) {
        if (!find_page(at, false)) {
            const uint64_t left = PAGE_BYTES - (uintptr_t)at % PAGE_BYTES;
            at += left > bytes ? (left - 1) / bytes * bytes : 0;
            continue;
        }
        if (get(at) == 0)
            continue;
        const struct trace_origin_element element = {.launch = cpu_now.device->launch,
                                                     .array = array->text,
                                                     .index = (uint64_t)(at - array->begin) / bytes,
                                                     .node = cpu_origin_load(at, bytes)};
        trace_origin_put_element(origin_pending(), &element);
        told++;
    }
}

/* Written so that a reader of the recording can tell which elements no lane has read. */
static void put_size(const struct array *array) {
    const struct trace_origin_array size = {
        .launch = cpu_now.device->launch,
        .array = array->text,
        .count = array->element ? (uint64_t)(end_of(array) - array->begin) / array->element : 0};
    if (size.count)
        trace_origin_put_array(origin_pending(), &size);
}

static void end_launch(void) {
    const size_t count = memory.array_count;
    for (size_t i = 0; i < count && !cpu_now.device->left_out; i++)
        if (!memory.arrays[i].is_shared)
            put_array(&memory.arrays[i]);
    for (size_t i = 0; i < count && !cpu_now.device->left_out; i++)
        if (!memory.arrays[i].is_shared)
            put_size(&memory.arrays[i]);
    flush(0);
}

static void put_value(const struct trace_origin_value *value, uint32_t function) {
    trace_origin_put_value(origin_pending(), value, function);
    flush(65536);
}

/* ---- moves by the CPU warp ---- */

static void make_fresh(void *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        set((char *)at + i, 0);
}

static void forget(void *at, size_t size) {
    cpu_origin_fill(at, size, cpu_origin_unknown("shared memory"));
}

/* For the copies of values that lines.c keeps: only their notes are copied. */
static void copy_notes(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; i++)
        set((char *)to + i, get((const char *)from + i));
}

static uint32_t of(const void *at, size_t size) {
    return cpu_origin_load(at, size);
}

static uint32_t given(const struct cpu_warp *warp, const struct warp_operation *operation,
                      int lane) {
    return warp_type_info(operation->type)->bits == 64 ? cpu_origin_load(&warp->in64[lane], 8)
                                                       : cpu_origin_load(&warp->in32[lane], 4);
}

/* For votes, matches and reductions: the inputs of all members together. */
static uint32_t combine_inputs(const struct cpu_warp *warp, const struct warp_operation *operation,
                               uint64_t line) {
    const enum warp_type type = operation->type;
    const bool is_wide = warp_type_info(type)->bits == 64;
    uint32_t node = 0;
    uint64_t sum = 0;
    for (uint32_t left = operation->present & operation->members; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const uint32_t one = given(warp, operation, lane);
        const uint64_t value = operation->in[lane];
        const int64_t now = is_wide ? (int64_t)value : (int64_t)(int32_t)value;
        node = operation->op == WARP_OP_REDUCE_ADD
                   ? cpu_origin_whole(CPU_ORIGIN_SUM, node, one, (int64_t)sum, now, line)
                   : cpu_origin_depends(node, one, line);
        sum += (uint64_t)now;
    }
    return node;
}

static uint32_t moved(uint32_t node, int to, int from, uint64_t line, uint64_t step) {
    return node > TRACE_ORIGIN_CONSTANT
               ? origin_make(TRACE_ORIGIN_MOVED, node, (uint32_t)(to << 8 | from), line, step)
               : node;
}

static void operation(struct cpu_warp *warp, const struct shflviz_site *site,
                      const struct warp_operation *operation, uint64_t step) {
    struct lane_outcome outcome[WARP_LANES];
    uint32_t node[WARP_LANES] = {0};
    const bool shuffles = operation->op <= WARP_OP_XOR;
    const bool computes = operation->op > WARP_OP_XOR && operation->op <= WARP_OP_REDUCE_XOR;
    const uint32_t all = computes ? combine_inputs(warp, operation, site->line) : 0;
    warp_outcome(operation, outcome);
    for (uint32_t left = operation->present; left; left &= left - 1) {
        const int lane = __builtin_ctz(left), source = outcome[lane].address.source;
        if ((shuffles || computes) && outcome[lane].status == LANE_UNDEFINED)
            node[lane] = origin_make(TRACE_ORIGIN_UNSET_LANE, (uint32_t)lane,
                                     (uint32_t)(source & 31), site->line, step);
        else if (shuffles)
            node[lane] = moved(given(warp, operation, source), lane, source, site->line, step);
        else if (computes)
            node[lane] = moved(all, lane, lane, site->line, step);
    }
    for (uint32_t left = operation->present; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        write_cells((char *)&warp->out32[lane], 4, node[lane]);
        write_cells((char *)&warp->out64[lane], 8, node[lane]);
    }
}

/* Found by watched.c. */
const struct cpu_origins *cpu_origins_begin(void);
const struct cpu_origins *cpu_origins_begin(void) {
    static const struct cpu_origins origins = {.launch = begin_launch,
                                               .ended = end_launch,
                                               .fresh = make_fresh,
                                               .forget = forget,
                                               .copied = copy_notes,
                                               .of = of,
                                               .value = put_value,
                                               .operation = operation};
    text_init(origin_pending());
    cpu_origin_unknown("...");
    grow_pages();
    return &origins;
}
