/*
 * lines.c - the lines that a shown warp runs, and what its local variables hold after each.
 *
 * Lanes run one after another, each until it waits; so each keeps a queue of the lines that it has
 * run. When lanes reach an operation, or their warp ends, the queues are merged into lines of the
 * warp: of the lanes' next lines, the earliest in the source is taken repeatedly, for all lanes
 * that reached it by the same calls. That is how a GPU reconverges lanes after a branch or a loop.
 */
#include "simt/lines.h"

#include "base/memory.h"
#include "base/text.h"
#include "simt/device_state.h"
#include "trace/lines/code.h"

#include <stdlib.h>
#include <string.h>

/* The number of lines that a lane may be ahead of the others of its warp; further lines are
 * recorded for it alone. */
#define QUEUE_MOST 16384u
/* Bytes of a warp's lines that are written to the recording together. */
#define CHUNK_BYTES 4096u

/* The calls through which a lane reached a function: where each was made, and the calls that led
 * there. */
struct cpu_line_path {
    struct cpu_line_path *next, *inner; /* another with the same `outer`; the first from here */
    const struct cpu_line_path *outer;  /* NULL: the kernel's */
    const struct cpu_line_function *function;
    uint64_t site;
    uint32_t depth;
};

/* A line that a lane has run. */
struct lane_line {
    struct cpu_line_function *function;
    const struct cpu_line_path *path;
    uint32_t site; /* from 1 */
    bool enters;
    uint32_t change_count;
    size_t change; /* the first in the lane's changes */
    uint32_t origin_count;
    size_t origin;
};

struct lane_change {
    uint32_t leaf;
    bool is_unset;
    uint64_t value;
};

/* The origin of a variable after a line (trace/lines/origins.h). */
struct lane_origin {
    uint32_t leaf, node;
};

struct lane_lines {
    struct cpu_line_frame *top; /* NULL outside functions that report lines */
    struct lane_line *lines;
    struct lane_change *changes;
    struct lane_origin *origins;
    size_t first, count, room; /* lines not merged yet begin at `first` */
    size_t change_count, change_room;
    size_t origin_count, origin_room;
};

struct warp_lines {
    struct lane_lines lanes[CPU_WARP_LANES];
    struct cpu_line_path root;
    struct line_coder coder;
    struct text bytes; /* lines that are not in the recording yet */
    uint32_t count;    /* of them */
    uint64_t total;    /* lines of the warp so far */
    uint32_t warp;
};

/* ---- which warps ---- */

/* By default, only the first block of each launch is shown, because similar blocks need to be
 * shown only once. */
static bool is_shown(const struct cpu_device *device, const struct cpu_warp *warp) {
    const struct shflviz_filter *watch = &device->options.settings.watch;
    const struct shflviz_origin place = {
        .block = device->block,
        .block_index = {cpu_block_index.x, cpu_block_index.y, cpu_block_index.z},
        .warp = warp->index};
    struct shflviz_filter blocks = *watch;
    blocks.parts &= ~(uint32_t)SHFLVIZ_FILTER_LINES;
    if (!lines_are_shown(device) || !shflviz_filter_passes(&blocks, &place))
        return false;
    return watch->parts & (SHFLVIZ_FILTER_BLOCKS | SHFLVIZ_FILTER_INDEX) || device->block == 0;
}

bool lines_are_shown(const struct cpu_device *device) {
    const struct cpu_sink *sink = device->options.sink;
    return device->options.settings.lines && sink && sink->lines && !device->left_out;
}

void lines_release(struct cpu_warp *warp) {
    struct warp_lines *lines = warp->lines;
    warp->lines = NULL;
    if (!lines)
        return;
    for (int lane = 0; lane < CPU_WARP_LANES; lane++) {
        free(lines->lanes[lane].lines);
        free(lines->lanes[lane].changes);
        free(lines->lanes[lane].origins);
    }
    for (struct cpu_line_path *path = lines->root.inner; path;) {
        struct cpu_line_path *inner = path->inner, *next = path->next;
        if (inner) { /* the inner paths are freed before the next ones */
            struct cpu_line_path *last = inner;
            while (last->next)
                last = last->next;
            last->next = next;
            next = inner;
        }
        free(path);
        path = next;
    }
    line_coder_release(&lines->coder);
    text_release(&lines->bytes);
    free(lines);
}

void lines_begin_block(struct cpu_device *device) {
    for (unsigned w = 0; w < device->warp_count; w++) {
        struct cpu_warp *warp = &device->warps[w];
        lines_release(warp);
        if (!is_shown(device, warp))
            continue;
        warp->lines = memory_zeroed(1, sizeof *warp->lines);
        warp->lines->warp = warp->index;
        text_init(&warp->lines->bytes);
    }
}

int cpu_lines_shown(void) {
    return cpu_now.lane && (cpu_now.lane->warp->lines || cpu_now.device->options.origins);
}

/* ---- lines that a lane has run ---- */

static struct lane_lines *own_lines(void) {
    struct cpu_lane *me = cpu_now.lane;
    return &me->warp->lines->lanes[me->index];
}

static bool has_bit(const uint64_t *bits, uint64_t number) {
    return bits[number / 64] >> number % 64 & 1;
}

/* The value, extended as its type requires: a signed char of -1 is -1. */
static uint64_t value_of(const struct cpu_line_leaf *leaf, const unsigned char *slot) {
    const struct warp_type_info *info = warp_type_info((enum warp_type)leaf->type);
    uint64_t value = 0;
    memcpy(&value, slot + leaf->offset, leaf->bytes);
    if (leaf->bytes < 4 && info->bits == 32 && info->is_signed && value >> (8 * leaf->bytes - 1))
        value = (value | ~UINT64_C(0) << (8 * leaf->bytes)) & UINT32_MAX;
    return value;
}

static void add_change(struct lane_lines *lane, struct lane_line *line,
                       const struct lane_change *change) {
    lane->changes =
        memory_room(lane->changes, lane->change_count, &lane->change_room, sizeof *lane->changes);
    lane->changes[lane->change_count++] = *change;
    line->change_count++;
}

/* The frame's copy of a variable has the origin that was reported last. */
static void compare_origin(struct lane_lines *lane, struct lane_line *line, unsigned char *saved,
                           const unsigned char *now, const struct cpu_line_leaf *leaf,
                           uint32_t number) {
    const struct cpu_origins *origins = cpu_now.device->options.origins;
    const uint32_t node = origins->of(now, leaf->bytes);
    if (node == origins->of(saved, leaf->bytes))
        return;
    lane->origins =
        memory_room(lane->origins, lane->origin_count, &lane->origin_room, sizeof *lane->origins);
    lane->origins[lane->origin_count++] = (struct lane_origin){number, node};
    line->origin_count++;
}

static void compare_leaf(struct lane_lines *lane, struct lane_line *line,
                         const struct cpu_line_frame *frame, const struct cpu_line_slot *slot,
                         uint64_t number) {
    const struct cpu_line_leaf *leaf = &frame->function->leaves[number];
    const unsigned char *now = frame->slots[slot - frame->function->slots];
    const bool differs =
        memcmp(now + leaf->offset, frame->saved + slot->saved + leaf->offset, leaf->bytes) != 0;
    if (differs) /* it was written from outside the line */
        frame->set[number / 64] |= UINT64_C(1) << number % 64;
    const bool is_set = has_bit(frame->set, number), was_set = has_bit(frame->told, number);
    if (is_set ? differs || !was_set : was_set) {
        const struct lane_change change = {
            .leaf = (uint32_t)number, .is_unset = !is_set, .value = value_of(leaf, now)};
        add_change(lane, line, &change);
    }
    if (is_set && cpu_now.device->options.origins)
        compare_origin(lane, line, frame->saved + slot->saved + leaf->offset, now + leaf->offset,
                       leaf, (uint32_t)number);
}

/* Compares the variables in scope at the line with their copies; the others are unset. */
static void compare(struct lane_lines *lane, struct lane_line *line, struct cpu_line_frame *frame) {
    const struct cpu_line_function *function = frame->function;
    const uint64_t *scope = function->sites[line->site - 1].scope;
    for (uint64_t s = 0; s < function->slot_count; s++) {
        const struct cpu_line_slot *slot = &function->slots[s];
        if (!frame->slots[s] || !has_bit(scope, slot->first))
            continue;
        for (uint64_t leaf = slot->first; leaf < slot->first + slot->count; leaf++)
            compare_leaf(lane, line, frame, slot, leaf);
        memcpy(frame->saved + slot->saved, frame->slots[s], slot->bytes);
        if (cpu_now.device->options.origins)
            cpu_now.device->options.origins->copied(frame->saved + slot->saved, frame->slots[s],
                                                    slot->bytes);
    }
    for (uint64_t word = 0; word <= function->leaf_count / 64; word++)
        frame->told[word] = frame->set[word] &= scope[word];
}

/* The frame's current line has ended. */
static void end_line(struct lane_lines *lane, struct cpu_line_frame *frame) {
    lane->lines = memory_room(lane->lines, lane->count, &lane->room, sizeof *lane->lines);
    struct lane_line *line = &lane->lines[lane->count++];
    *line = (struct lane_line){.function = frame->function,
                               .path = frame->path,
                               .site = (uint32_t)frame->site,
                               .enters = !frame->has_begun,
                               .change = lane->change_count,
                               .origin = lane->origin_count};
    frame->has_begun = 1;
    compare(lane, line, frame);
}

/* The same for the running lane. */
static void end_own_line(struct cpu_line_frame *frame) {
    struct lane_lines *lane = own_lines();
    if (lane->count - lane->first == QUEUE_MOST)
        lines_flush(cpu_now.device, cpu_now.lane->warp, cpu_now.lane->bit);
    end_line(lane, frame);
}

/* ---- calls of instrumented code ---- */

static const struct cpu_line_path *path_from(struct warp_lines *lines,
                                             const struct cpu_line_frame *outer) {
    if (!outer)
        return &lines->root;
    struct cpu_line_path *at = (struct cpu_line_path *)(uintptr_t)outer->path;
    for (struct cpu_line_path *path = at->inner; path; path = path->next)
        if (path->function == outer->function && path->site == outer->site)
            return path;
    struct cpu_line_path *made = memory_zeroed(1, sizeof *made);
    *made = (struct cpu_line_path){.next = at->inner,
                                   .outer = at,
                                   .function = outer->function,
                                   .site = outer->site,
                                   .depth = at->depth + 1};
    at->inner = made;
    return made;
}

void cpu_line_begin(struct cpu_line_frame *frame, struct cpu_line_function *function, void **slots,
                    unsigned char *saved, uint64_t *set, uint64_t *told) {
    struct warp_lines *lines = cpu_now.lane->warp->lines; /* NULL if only origins are reported */
    struct lane_lines *lane = lines ? own_lines() : NULL;
    *frame = (struct cpu_line_frame){.outer = lane ? lane->top : NULL,
                                     .function = function,
                                     .slots = slots,
                                     .saved = saved,
                                     .set = set,
                                     .told = told,
                                     .path = lane ? path_from(lines, lane->top) : NULL};
    memset(slots, 0, function->slot_count * sizeof *slots);
    memset(set, 0, (function->leaf_count / 64 + 1) * sizeof *set);
    memset(told, 0, (function->leaf_count / 64 + 1) * sizeof *told);
    if (lane)
        lane->top = frame;
}

void cpu_line(struct cpu_line_frame *frame, uint64_t site, uint64_t again) {
    if ((frame->site == site && !again) || !frame->path)
        return;
    if (frame->site)
        end_own_line(frame);
    frame->site = site;
}

static void save(struct cpu_line_frame *frame, uint64_t slot, void *address) {
    const struct cpu_line_slot *known = &frame->function->slots[slot];
    frame->slots[slot] = address;
    memcpy(frame->saved + known->saved, address, known->bytes);
    if (frame->path && cpu_now.device->options.origins)
        cpu_now.device->options.origins->forget(frame->saved + known->saved, known->bytes);
}

/* Sets the bits of the slot's leaves that overlap a part of it. */
static void set_bits(struct cpu_line_frame *frame, uint64_t slot, uint64_t from, uint64_t to,
                     bool value) {
    const struct cpu_line_slot *known = &frame->function->slots[slot];
    for (uint64_t leaf = known->first; leaf < known->first + known->count; leaf++) {
        const struct cpu_line_leaf *part = &frame->function->leaves[leaf];
        const uint64_t bit = UINT64_C(1) << leaf % 64;
        if (part->offset >= to || part->offset + part->bytes <= from)
            continue;
        frame->set[leaf / 64] = value ? frame->set[leaf / 64] | bit : frame->set[leaf / 64] & ~bit;
    }
}

/* Fills the variable with a conspicuous byte: an unset variable is not shown, but a program may
 * read it. */
void cpu_line_declare(struct cpu_line_frame *frame, uint64_t slot, void *address) {
    memset(address, 0xaa, frame->function->slots[slot].bytes);
    save(frame, slot, address);
    set_bits(frame, slot, 0, UINT64_MAX, false);
}

void cpu_line_parameter(struct cpu_line_frame *frame, uint64_t slot, void *address) {
    save(frame, slot, address);
    set_bits(frame, slot, 0, UINT64_MAX, true);
}

void cpu_line_store(struct cpu_line_frame *frame, uint64_t slot, const void *address,
                    uint64_t bytes) {
    const unsigned char *begin = frame->slots[slot], *at = address;
    if (begin && at >= begin && at < begin + frame->function->slots[slot].bytes)
        set_bits(frame, slot, (uint64_t)(at - begin), (uint64_t)(at - begin) + bytes, true);
}

void cpu_line_leave(struct cpu_line_frame *frame) {
    if (!frame->path)
        return;
    if (frame->site)
        end_own_line(frame);
    own_lines()->top = frame->outer;
}

/* ---- lines of the warp ---- */

static uint64_t line_at(const struct cpu_line_function *function, uint64_t site) {
    return function->sites[site - 1].line;
}

/* The position of a line: from the kernel inwards, the line of each function's call, then its
 * own. */
struct position {
    const struct cpu_line_path *path;
    const struct cpu_line_function *function;
    uint64_t site;
};

static struct position outer_position(struct position at) {
    return (struct position){at.path->outer, at.path->function, at.path->site};
}

/* Orders two lines; one inside a call comes before the line of the call. 0 if they are the same. */
static int compare_positions(struct position a, struct position b) {
    const uint32_t deep_a = a.path->depth, deep_b = b.path->depth;
    while (a.path->depth > deep_b)
        a = outer_position(a);
    while (b.path->depth > deep_a)
        b = outer_position(b);
    int order = 0;
    for (;;) {
        const uint64_t one = line_at(a.function, a.site), other = line_at(b.function, b.site);
        if (a.function != b.function || one != other)
            order = a.function != b.function ? (a.function < b.function ? -1 : 1)
                                             : (one < other ? -1 : 1);
        if (a.path->depth == 0)
            break;
        a = outer_position(a);
        b = outer_position(b);
    }
    return order ? order : deep_a == deep_b ? 0 : deep_a > deep_b ? -1 : 1;
}

static const struct lane_line *next_of(const struct lane_lines *lane) {
    return lane->first < lane->count ? &lane->lines[lane->first] : NULL;
}

static int compare_lines(const struct lane_line *a, const struct lane_line *b) {
    const int order = compare_positions((struct position){a->path, a->function, a->site},
                                        (struct position){b->path, b->function, b->site});
    return order ? order : (int)a->enters - (int)b->enters;
}

/* The lanes whose next line is the first among those of all lanes. */
static uint32_t first_lanes(const struct warp_lines *lines) {
    const struct lane_line *first = NULL;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < CPU_WARP_LANES; lane++) {
        const struct lane_line *next = next_of(&lines->lanes[lane]);
        if (!next)
            continue;
        const int order = first ? compare_lines(next, first) : -1;
        if (order < 0) {
            first = next;
            lanes = 0;
        }
        lanes |= order <= 0 ? UINT32_C(1) << lane : 0;
    }
    return lanes;
}

static uint32_t number_of(const struct cpu_sink *sink, struct cpu_line_function *function) {
    if (function->number)
        return (uint32_t)function->number - 1;
    const size_t words = trace_scope_words((uint32_t)function->leaf_count);
    struct trace_variable *variables = memory_zeroed(function->leaf_count + 1, sizeof *variables);
    uint32_t *line = memory_zeroed(function->site_count + 1, sizeof *line);
    uint64_t *scope = memory_zeroed(function->site_count * words + 1, sizeof *scope);
    uint64_t *reads = memory_zeroed(function->site_count * words + 1, sizeof *reads);
    for (uint64_t i = 0; i < function->leaf_count; i++)
        variables[i] = (struct trace_variable){.name = function->leaves[i].name,
                                               .type = (enum warp_type)function->leaves[i].type,
                                               .bytes = (unsigned)function->leaves[i].bytes};
    for (uint64_t i = 0; i < function->site_count; i++) {
        line[i] = (uint32_t)function->sites[i].line;
        memcpy(scope + i * words, function->sites[i].scope, words * sizeof *scope);
        memcpy(reads + i * words, function->sites[i].reads, words * sizeof *reads);
    }
    const struct trace_function described = {.file = function->file,
                                             .name = function->name,
                                             .variable_count = (uint32_t)function->leaf_count,
                                             .line_count = (uint32_t)function->site_count,
                                             .variables = variables,
                                             .lines = line,
                                             .scope = scope,
                                             .reads = reads};
    function->number = (uint64_t)sink->function(sink->context, &described) + 1;
    free(variables);
    free(line);
    free(scope);
    free(reads);
    return (uint32_t)function->number - 1;
}

/* Finds the changes of the next leaf that has any, in the line that `lanes` run next. `at` counts
 * each lane's finished changes; a lane's changes are in the order of the leaves. False if none is
 * left. */
static bool next_change(const struct warp_lines *lines, uint32_t lanes, uint32_t *at,
                        struct line_code_change *change) {
    uint32_t leaf = UINT32_MAX;
    bool is_unset = false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct lane_line *line = next_of(&lines->lanes[lane]);
        if (at[lane] == line->change_count)
            continue;
        const struct lane_change *next = &lines->lanes[lane].changes[line->change + at[lane]];
        if (next->leaf < leaf || (next->leaf == leaf && next->is_unset && !is_unset)) {
            leaf = next->leaf;
            is_unset = next->is_unset;
        }
    }
    *change = (struct line_code_change){.variable = leaf, .is_unset = is_unset};
    for (uint32_t left = leaf == UINT32_MAX ? 0 : lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct lane_line *line = next_of(&lines->lanes[lane]);
        const struct lane_change *next = &lines->lanes[lane].changes[line->change + at[lane]];
        if (at[lane] == line->change_count || next->leaf != leaf || next->is_unset != is_unset)
            continue;
        change->lanes |= UINT32_C(1) << lane;
        change->value[lane] = next->value;
        at[lane]++;
    }
    return leaf != UINT32_MAX;
}

static void put_origins(const struct cpu_device *device, const struct warp_lines *lines,
                        uint32_t lanes, uint32_t function) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct lane_line *line = next_of(&lines->lanes[lane]);
        for (uint32_t i = 0; i < line->origin_count; i++) {
            const struct lane_origin *origin = &lines->lanes[lane].origins[line->origin + i];
            const struct trace_origin_value value = {.launch = device->launch,
                                                     .block = device->block,
                                                     .warp = lines->warp,
                                                     .line = lines->total,
                                                     .variable = origin->leaf,
                                                     .lane = lane,
                                                     .node = origin->node};
            device->options.origins->value(&value, function);
        }
    }
}

/* Writes a line of the warp: the next one of each of these lanes. */
static void put_line(struct cpu_device *device, struct warp_lines *lines, uint32_t lanes) {
    const struct lane_line *line = next_of(&lines->lanes[__builtin_ctz(lanes)]);
    uint32_t at[CPU_WARP_LANES] = {0};
    struct line_code_change change;
    struct line_code code = {.function = number_of(device->options.sink, line->function),
                             .line = line->site - 1,
                             .lanes = lanes,
                             .depth = line->path->depth,
                             .enters = line->enters,
                             .step = device->sequence - 1};
    while (next_change(lines, lanes, at, &change))
        code.change_count++;
    line_code_put(&lines->coder, &lines->bytes, &code);
    memset(at, 0, sizeof at);
    while (next_change(lines, lanes, at, &change))
        line_code_put_change(&lines->coder, &lines->bytes, &change,
                             (enum warp_type)line->function->leaves[change.variable].type,
                             (uint32_t)line->function->leaf_count);
    put_origins(device, lines, lanes, code.function);
    lines->count++;
    lines->total++;
    for (uint32_t left = lanes; left; left &= left - 1)
        lines->lanes[__builtin_ctz(left)].first++;
}

static void write_chunk(struct cpu_device *device, const struct cpu_warp *warp) {
    struct warp_lines *lines = warp->lines;
    const struct cpu_sink *sink = device->options.sink;
    const struct trace_line_chunk chunk = {.block = device->block,
                                           .launch = device->launch,
                                           .warp = warp->index,
                                           .count = lines->count,
                                           .bytes = lines->bytes.data,
                                           .size = lines->bytes.length};
    if (lines->count)
        sink->lines(sink->context, &chunk);
    text_clear(&lines->bytes);
    lines->count = 0;
}

static bool have_lines(const struct warp_lines *lines, uint32_t lanes) {
    for (; lanes; lanes &= lanes - 1)
        if (next_of(&lines->lanes[__builtin_ctz(lanes)]))
            return true;
    return false;
}

void lines_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes) {
    struct warp_lines *lines = warp->lines;
    while (have_lines(lines, lanes))
        put_line(device, lines, first_lanes(lines));
    for (int lane = 0; lane < CPU_WARP_LANES; lane++) {
        struct lane_lines *of = &lines->lanes[lane];
        if (of->first == of->count)
            of->first = of->count = of->change_count = of->origin_count = 0;
    }
    if (lines->bytes.length >= CHUNK_BYTES)
        write_chunk(device, warp);
}

void lines_end(struct cpu_device *device, struct cpu_warp *warp) {
    if (!warp->lines)
        return;
    for (uint32_t left = warp_alive(warp); left; left &= left - 1) {
        struct lane_lines *lane = &warp->lines->lanes[__builtin_ctz(left)];
        if (lane->top && lane->top->site) /* the line in which the lane waits or has stopped */
            end_line(lane, lane->top);
        lane->top = NULL;
    }
    lines_flush(device, warp, WARP_FULL_MASK);
    write_chunk(device, warp);
}
