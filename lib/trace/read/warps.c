/*
 * Uses the index of the file if there is a sound one; otherwise makes one from the steps when it is
 * first needed.
 */
#include "base/progress_line.h"
#include "trace/read/reader.h"

#include <string.h>

/* The head of a step's record; all 0 if it is damaged. */
static struct shflviz_record_header record_header(const struct trace *trace, uint64_t step) {
    struct shflviz_record_header record = {0};
    const unsigned char *bytes = reader_record(trace, step);
    if (bytes)
        memcpy(&record, bytes, sizeof(record));
    return record;
}

/* After this many damaged records the rest is abandoned, because a small file can claim a great
 * many. */
#define DAMAGED_RECORDS_MAX 65536

/* Adds the steps from `step` up to `end` to an index, except those that are damaged or belong to
 * no warp. Returns the step to continue with. */
static uint64_t list_steps(const struct trace *trace, struct trace_index_builder *builder,
                           uint64_t step, uint64_t end, uint64_t *damaged) {
    file_map_advise(&trace->map, FILE_MAP_SEQUENTIAL);
    for (; step < end; step++) {
        const struct shflviz_record_header record = record_header(trace, step);
        if (record.sequence == step + 1 &&
            reader_warp_exists(trace, record.launch, record.block, record.warp))
            trace_index_builder_add(builder, step, record.launch, record.block, record.warp);
        else if (++*damaged >= DAMAGED_RECORDS_MAX)
            step = trace->step_count - 1;
    }
    file_map_advise(&trace->map, FILE_MAP_RANDOM);
    return step;
}

/* Makes an index of the first steps, or of the first ones that are not damaged. */
static void list_first(const struct trace *trace, struct navigation *navigation) {
    uint64_t step = 0, damaged = 0, count = trace->step_count;
    do {
        uint64_t left = count - step;
        uint64_t part = left < TRACE_STEPS_LISTED_FIRST ? left : TRACE_STEPS_LISTED_FIRST;
        step = list_steps(trace, &navigation->first, step, step + part, &damaged);
    } while (step < count && trace_index_builder_entries(&navigation->first) == 0);
    navigation->whole = step >= count;
    trace_index_builder_finish(&navigation->first, &navigation->index);
}

/* The index in the file, or that of the steps listed so far. */
static const struct trace_index *trace_index(const struct trace *trace) {
    struct navigation *navigation = trace->navigation;
    if (!navigation->whole && !navigation->asked)
        list_first(trace, navigation);
    navigation->asked = true;
    return &navigation->index;
}

bool trace_warps_listed(const struct trace *trace) {
    trace_index(trace);
    return trace->navigation->whole;
}

bool trace_warps_list(const struct trace *trace, uint64_t steps) {
    struct navigation *navigation = trace->navigation;
    if (trace_warps_listed(trace) || navigation->no_room)
        return false;
    uint64_t left = trace->step_count - navigation->listed;
    if (left > 0) {
        uint64_t end = navigation->listed + (steps < left ? steps : left);
        progress_line_part(navigation->listed, trace->step_count);
        navigation->listed =
            list_steps(trace, &navigation->builder, navigation->listed, end, &navigation->damaged);
        return true;
    }
    if (trace_index_builder_work(&navigation->builder))
        return true;
    struct trace_index index;
    navigation->whole = trace_index_builder_finish(&navigation->builder, &index);
    navigation->no_room = !navigation->whole;
    if (navigation->whole) {
        navigation->index = index;
        trace_index_builder_release(&navigation->first);
    } else {
        trace_index_builder_release(&navigation->builder);
    }
    return false;
}

uint64_t trace_warp_count(const struct trace *trace) {
    return trace_index(trace)->warp_count;
}

/* Drops an index of the file that has turned out to be damaged: another is made from the steps, as
 * for a killed run. True if the question must be asked again. */
static bool give_up_index(const struct trace *trace) {
    struct navigation *navigation = trace->navigation;
    if (!navigation->file.damaged)
        return false;
    trace_index_file_release(&navigation->file);
    navigation->index = (struct trace_index){0};
    navigation->whole = navigation->asked = false;
    return true;
}

static bool find_warp(const struct trace *trace, uint64_t number, struct trace_warp *warp) {
    const struct trace_index *index = trace_index(trace);
    struct trace_file_run last;
    uint64_t first, end;
    if (number >= index->warp_count || !trace_index_runs(index, number, &first, &end) ||
        !trace_index_get(index, end - 1, &last))
        return false;
    *warp = (struct trace_warp){.index = number,
                                .launch = last.launch,
                                .block = last.block,
                                .warp = last.warp,
                                .steps = last.position + last.count};
    return reader_warp_exists(trace, warp->launch, warp->block, warp->warp) && warp->steps >= 1 &&
           warp->steps <= trace->step_count;
}

bool trace_warp(const struct trace *trace, uint64_t number, struct trace_warp *warp) {
    return find_warp(trace, number, warp) ||
           (give_up_index(trace) && find_warp(trace, number, warp));
}

static bool find_warp_of_step(const struct trace *trace, uint64_t number, struct trace_warp *warp,
                              uint64_t *position) {
    const struct trace_index *index = trace_index(trace);
    const struct shflviz_record_header record = record_header(trace, number);
    struct trace_file_run run;
    uint64_t at = trace_index_run(index, record.launch, record.block, record.warp, number);
    if (at == UINT64_MAX || !trace_index_get(index, at, &run) ||
        !find_warp(trace, run.number, warp))
        return false;
    *position = run.position + (number - run.first);
    return *position < warp->steps && warp->launch == record.launch &&
           warp->block == record.block && warp->warp == record.warp;
}

bool trace_warp_of_step(const struct trace *trace, uint64_t number, struct trace_warp *warp,
                        uint64_t *position) {
    return number < trace->step_count &&
           (find_warp_of_step(trace, number, warp, position) ||
            (give_up_index(trace) && find_warp_of_step(trace, number, warp, position)));
}

/* A damaged step is assumed to belong to the warp given by the index, so that it is found and
 * reported. */
static uint64_t find_warp_step(const struct trace *trace, const struct trace_warp *warp,
                               uint64_t position) {
    const struct trace_index *index = trace_index(trace);
    if (warp->index >= index->warp_count || position >= warp->steps)
        return UINT64_MAX;
    uint64_t step = trace_index_step(index, warp->index, position);
    if (step >= trace->step_count)
        return UINT64_MAX;
    const struct shflviz_record_header record = record_header(trace, step);
    bool same = record.sequence == 0 || (record.launch == warp->launch &&
                                         record.block == warp->block && record.warp == warp->warp);
    return same ? step : UINT64_MAX;
}

uint64_t trace_warp_step(const struct trace *trace, const struct trace_warp *warp,
                         uint64_t position) {
    uint64_t step = find_warp_step(trace, warp, position);
    return step == UINT64_MAX && give_up_index(trace) ? find_warp_step(trace, warp, position)
                                                      : step;
}
