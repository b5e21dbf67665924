/*
 * Takes a step out of its block. A decoded block is kept, because the next step requested is
 * usually in it. Each record is checked against the tables before anyone sees it.
 */
#include "base/memory.h"
#include "base/message.h"
#include "trace/compact/compact.h"
#include "trace/compact/prediction.h"
#include "trace/read/reader.h"

#include <inttypes.h>
#include <string.h>

/* ---- records ---- */

/* Fills a slot of the cache with the records of a block. */
static bool read_block(const struct trace *trace, uint64_t number, struct step_cache *slot) {
    uint64_t first = number * TRACE_FILE_BLOCK_STEPS, left = trace->step_count - first;
    uint32_t count = left < TRACE_FILE_BLOCK_STEPS ? (uint32_t)left : TRACE_FILE_BLOCK_STEPS;
    struct blocks_found found;
    if (!blocks_find(&trace->blocks, number, &found) || found.head.count != count ||
        found.head.first != first)
        return false;
    if (found.head.encoding == TRACE_FILE_COMPACT)
        return compact_decode_steps(found.payload, found.head.bytes, slot->records, count,
                                    trace->value_bytes, first);
    if (found.head.encoding != TRACE_FILE_RAW || found.head.bytes != count * trace->record_bytes)
        return false;
    memcpy(slot->records, found.payload, found.head.bytes);
    return true;
}

const unsigned char *reader_record(const struct trace *trace, uint64_t step) {
    uint64_t number = step / TRACE_FILE_BLOCK_STEPS;
    if (trace->records)
        return trace->records + step * trace->record_bytes;
    size_t at = (size_t)(step % TRACE_FILE_BLOCK_STEPS) * trace->record_bytes;
    if (number >= trace->blocks.count)
        return trace->open + at;
    struct step_cache *slot = &trace->cache[number % trace->slots];
    if (!slot->records || slot->block != number) {
        if (!slot->records)
            slot->records = memory_alloc(TRACE_FILE_BLOCK_STEPS * trace->record_bytes);
        slot->block = number;
        slot->whole = read_block(trace, number, slot);
    }
    return slot->whole ? slot->records + at : NULL;
}

/* ---- steps ---- */

/* True if there is such a launch, with this block and this warp. */
bool reader_warp_exists(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp) {
    const struct trace_launch *l = trace_launch(trace, launch);
    return l && block < metadata_grid_blocks(l) && warp < (trace_block_threads(l) + 31) / 32;
}

/* Lanes of a warp that exist in a block of that many threads. */
static uint32_t launched_lanes(uint32_t threads, uint32_t warp) {
    uint32_t rest = threads - warp * WARP_LANES;
    return rest >= WARP_LANES ? WARP_FULL_MASK : (1u << rest) - 1;
}

static uint64_t bits_mask(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The bits that inputs and outputs of the operation may have set. */
static void value_masks(const struct warp_operation *operation, uint64_t *in, uint64_t *out) {
    if (warp_op_is_access(operation->op)) { /* may consist of several values of the type */
        *in = *out = UINT64_MAX;
        return;
    }
    *in = bits_mask(warp_type_info(operation->type)->bits);
    /* __syncwarp() has no result, but a device may leave garbage in the 32 bits for one. */
    unsigned bits = warp_type_info(warp_result_type(operation))->bits;
    *out = bits_mask(bits ? bits : 32);
}

static uint64_t read_value(const unsigned char *values, unsigned value_bytes, int lane) {
    uint64_t value = 0;
    memcpy(&value, values + (size_t)lane * value_bytes, value_bytes);
    return value;
}

/* Like read_lanes(), for a record in which all lanes are present and have the same width. */
static bool read_all_lanes(const struct trace *trace, const unsigned char *record, int32_t width,
                           struct warp_operation *operation) {
    uint64_t in_mask, out_mask, excess = 0;
    value_masks(operation, &in_mask, &out_mask);
    memcpy(operation->arg, record + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(operation->arg));
    prediction_load_values(operation->in, record + SHFLVIZ_RECORD_OFFSET_IN, trace->value_bytes);
    prediction_load_values(operation->out, record + SHFLVIZ_RECORD_OFFSET_OUT(trace->value_bytes),
                           trace->value_bytes);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation->width[lane] = width;
        excess |= (operation->in[lane] & ~in_mask) | (operation->out[lane] & ~out_mask);
    }
    return excess == 0;
}

/* Copies each lane's input and output. False if a value has more bits than its type. */
static bool read_lanes(const struct trace *trace, const unsigned char *record, unsigned flags,
                       int32_t width, struct warp_operation *operation) {
    unsigned value_bytes = trace->value_bytes;
    const unsigned char *in = record + SHFLVIZ_RECORD_OFFSET_IN;
    const unsigned char *out = record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes);
    uint64_t in_mask, out_mask, excess = 0;
    value_masks(operation, &in_mask, &out_mask);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation->width[lane] = width;
        if (!(operation->present >> lane & 1))
            continue;
        memcpy(&operation->arg[lane], record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, 4);
        operation->in[lane] = read_value(in, value_bytes, lane);
        operation->out[lane] = read_value(out, value_bytes, lane);
        excess |= (operation->in[lane] & ~in_mask) | (operation->out[lane] & ~out_mask);
        if (flags & SHFLVIZ_RECORD_WIDTHS_DIFFER) {
            int16_t own;
            memcpy(&own, record + SHFLVIZ_RECORD_OFFSET_WIDTH + 2 * lane, sizeof(own));
            operation->width[lane] = own;
        }
    }
    return excess == 0;
}

/* True if the access has a valid size and place. */
static bool is_possible_access(const struct warp_operation *operation) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (operation->present >> lane & 1 &&
            (operation->width[lane] < 1 || operation->width[lane] > 16 ||
             operation->arg[lane] < 0 || operation->arg[lane] > INT32_MAX - operation->width[lane]))
            return false;
    return true;
}

/* Describes the fault of a record, by itself or checked against the tables; NULL if it is sound. */
static const char *check_record(const struct trace *trace, uint64_t number,
                                const struct shflviz_record_header *record) {
    if (record->sequence != number + 1)
        return N_("its number is wrong");
    if (record->op >= WARP_OP_COUNT)
        return N_("there is no such operation");
    if (record->type >= WARP_TYPE_COUNT)
        return N_("there is no such type");
    if (record->launch >= trace->metadata.launch_count)
        return trace_is_complete(trace) ? N_("there is no such launch")
                                        : N_("the run was killed before its launch was saved");
    if (!reader_warp_exists(trace, record->launch, record->block, record->warp))
        return N_("the launch has no such warp");
    /* The site of a step in a killed run may not have been saved; the step is complete all the
       same. */
    if (record->site >= trace->metadata.site_count && trace_is_complete(trace))
        return N_("there is no such call site");
    return NULL;
}

static const char *decode_step(const struct trace *trace, uint64_t number,
                               struct trace_step *step) {
    const unsigned char *bytes = reader_record(trace, number);
    struct shflviz_record_header record;
    if (!bytes)
        return N_("the bytes of its block were changed");
    memcpy(&record, bytes, sizeof(record));
    const char *wrong = check_record(trace, number, &record);
    if (wrong)
        return wrong;
    const struct trace_launch *launch = trace_launch(trace, record.launch);
    uint64_t row = record.block / launch->grid[0];
    *step = (struct trace_step){
        .number = number,
        .launch = record.launch,
        .block = record.block,
        .block_index = {(uint32_t)(record.block % launch->grid[0]),
                        (uint32_t)(row % launch->grid[1]), (uint32_t)(row / launch->grid[1])},
        .warp = record.warp,
        .site = record.site,
        .mask_diverges = record.flags & SHFLVIZ_RECORD_MASK_DIVERGES,
        .exited_known = record.flags & SHFLVIZ_RECORD_EXITED_KNOWN,
        .operation = {.op = record.op,
                      .type = record.type,
                      .members = record.members,
                      .present = record.present,
                      .launched = launched_lanes(trace_block_threads(launch), record.warp),
                      .exited = record.exited,
                      .unfinished = record.flags & SHFLVIZ_RECORD_UNFINISHED},
    };
    struct warp_operation *operation = &step->operation;
    if (operation->present == 0 || operation->present & ~operation->launched)
        return N_("its set of lanes is invalid");
    if (operation->exited & (operation->present | ~operation->launched))
        return N_("lanes marked as exited make the call or do not exist");
    const bool alike =
        operation->present == WARP_FULL_MASK && !(record.flags & SHFLVIZ_RECORD_WIDTHS_DIFFER);
    if (alike ? !read_all_lanes(trace, bytes, record.width, operation)
              : !read_lanes(trace, bytes, record.flags, record.width, operation))
        return N_("a value does not fit its type");
    const struct metadata_mark *mark = metadata_find_mark(&trace->metadata, number);
    if (mark) {
        operation->doubtful_in = mark->in & operation->present;
        operation->doubtful_out = mark->out & operation->present;
    }
    if (warp_op_is_access(operation->op) && !is_possible_access(operation))
        return N_("an access has an invalid address or size");
    return NULL;
}

/* Reports the steps that are lost with this one. */
static int error_damaged(const struct trace *trace, uint64_t number, const char *wrong,
                         struct error *err) {
    uint64_t first = number - number % TRACE_FILE_BLOCK_STEPS, end = first + TRACE_FILE_BLOCK_STEPS;
    if (reader_record(trace, number))
        return error_set(err, ERROR_USAGE,
                         _("step %" PRIu64 " of the recording is damaged: %s\n"
                           "Copy the file again from where it came from, or record it again."),
                         number, wrong);
    return error_set(err, ERROR_USAGE,
                     _("step %" PRIu64 " of the recording is damaged: %s\nSteps %" PRIu64
                       " to %" PRIu64 " cannot be shown; the others can. Copy the file again from "
                       "where it came from, or record it again."),
                     number, wrong, first, (end < trace->step_count ? end : trace->step_count) - 1);
}

int trace_step(const struct trace *trace, uint64_t number, struct trace_step *step,
               struct error *err) {
    if (number >= trace->step_count)
        return error_set(
            err, ERROR_USAGE,
            _("there is no step %" PRIu64 ": the recording has %" PRIu64 " steps, counted from 0"),
            number, trace->step_count);
    const char *wrong = decode_step(trace, number, step);
    return wrong ? error_damaged(trace, number, _(wrong), err) : 0;
}
