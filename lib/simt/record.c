/*
 * record.c - steps, written straight into the memory of the recording.
 */
#include "simt/device_state.h"

#include "base/memory.h"
#include "shflviz/site.h"
#include "simt/block_workers.h"

#include <stdlib.h>
#include <string.h>

/* The number of records requested at a time. */
#define RECORD_CHUNK 64

/* ---- sites ---- */

static size_t site_hash(const struct shflviz_site *site) {
    return (uintptr_t)site * UINT64_C(0x9e3779b97f4a7c15) >> 40;
}

static struct cpu_site_slot *site_slot(const struct cpu_device *device,
                                       const struct shflviz_site *site) {
    size_t mask = device->site_capacity - 1;
    size_t at = site_hash(site) & mask;
    while (device->sites[at].site && device->sites[at].site != site)
        at = (at + 1) & mask;
    return &device->sites[at];
}

static void sites_grow(struct cpu_device *device) {
    struct cpu_site_slot *old = device->sites;
    size_t old_capacity = device->site_capacity;
    device->site_capacity = old_capacity ? 2 * old_capacity : 64;
    device->sites = memory_zeroed(device->site_capacity, sizeof *device->sites);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].site)
            *site_slot(device, old[i].site) = old[i];
    free(old);
}

static bool is_text(const char *a, const char *b) {
    return a == b || strcmp(a, b) == 0;
}

static const struct shflviz_site *find_made_site(const struct cpu_device *device, const char *file,
                                                 unsigned line, const char *text) {
    for (const struct cpu_made_site *made = device->made_sites[line % CPU_MADE_SITE_LISTS]; made;
         made = made->next)
        if (made->site->line == line && is_text(made->site->text, text) &&
            is_text(made->site->file, file))
            return made->site;
    return NULL;
}

static const struct shflviz_site *keep_made_site(struct cpu_device *device,
                                                 const struct shflviz_site *site) {
    struct cpu_made_site **list = &device->made_sites[site->line % CPU_MADE_SITE_LISTS];
    struct cpu_made_site *made = memory_zeroed(1, sizeof *made);
    *made = (struct cpu_made_site){.next = *list, .site = site};
    *list = made;
    return site;
}

static const struct shflviz_site *make_site(const char *file, unsigned line, const char *text) {
    struct shflviz_site *site = memory_zeroed(1, sizeof *site);
    *site = (struct shflviz_site){.file = file, .function = "", .text = text, .line = line};
    return site;
}

const struct shflviz_site *cpu_site(const char *file, unsigned int line, const char *text) {
    struct cpu_device *device = cpu_now.device;
    const struct shflviz_site *site = find_made_site(device, file, line, text);
    if (site)
        return site;
    if (device->worker) {
        struct cpu_device *host = block_worker_lock(device);
        site = find_made_site(host, file, line, text);
        if (!site)
            site = keep_made_site(host, make_site(file, line, text));
        block_worker_unlock(device);
        return keep_made_site(device, site);
    }
    return keep_made_site(device, make_site(file, line, text));
}

void sites_release(struct cpu_device *device) {
    for (size_t i = 0; i < CPU_MADE_SITE_LISTS; i++)
        for (struct cpu_made_site *made = device->made_sites[i], *next; made; made = next) {
            next = made->next;
            if (!device->worker)
                free((void *)(uintptr_t)made->site);
            free(made);
        }
}

static uint32_t site_index(struct cpu_device *device, const struct shflviz_site *site) {
    if (2 * device->site_count >= device->site_capacity)
        sites_grow(device);
    struct cpu_site_slot *slot = site_slot(device, site);
    if (!slot->site) {
        const struct trace_site described = {
            .file = site->file, .line = site->line, .function = site->function, .text = site->text};
        const struct cpu_sink *sink = device->options.sink;
        *slot = (struct cpu_site_slot){site, sink->site(sink->context, &described)};
        device->site_count++;
    }
    return slot->index;
}

/* ---- steps ---- */

void record_begin_launch(struct cpu_device *device, const struct trace_launch *launch) {
    const struct cpu_sink *sink = device->options.sink;
    if (!sink)
        return;
    device->launch = sink->launch(sink->context, launch);
    device->left_out = !shflviz_filter_passes_launch(&device->options.settings.watch,
                                                     device->launch, launch->kernel);
}

static bool record_room(struct cpu_device *device) {
    const struct cpu_sink *sink = device->options.sink;
    if (device->records_left == 0 && !device->full) {
        size_t count = RECORD_CHUNK;
        device->record = sink->reserve(sink->context, &count);
        device->records_left = device->record ? count : 0;
        device->full = device->record == NULL;
    }
    return device->records_left != 0;
}

/* True if the filter leaves a step of the running block out. */
static bool is_filtered(const struct cpu_device *device, const struct cpu_warp *warp,
                        const struct shflviz_site *site) {
    const struct shflviz_filter *watch = &device->options.settings.watch;
    if (!watch->parts || device->unfiltered)
        return false;
    if (device->left_out || !(watch->parts & SHFLVIZ_FILTER_PLACES))
        return device->left_out;
    const struct uint3 index = cpu_block_index;
    const struct shflviz_origin place = {.block = device->block,
                                         .block_index = {index.x, index.y, index.z},
                                         .warp = warp->index,
                                         .line = site->line};
    return !shflviz_filter_passes(watch, &place);
}

/* Room for the next step, whose values have `bytes` bytes. NULL if there is none, which is
 * counted, or if the filter leaves the step out. */
static struct shflviz_record_header *record_next(struct cpu_device *device,
                                                 const struct cpu_warp *warp,
                                                 const struct shflviz_site *site, unsigned bytes) {
    const struct cpu_sink *sink = device->options.sink;
    if (!sink || is_filtered(device, warp, site))
        return NULL;
    if (device->worker && (device->full || !block_worker_await_turn(device))) {
        device->dropped++; /* reported to the sink at the end */
        return NULL;
    }
    if (bytes > sink->value_bytes || (device->records_left == 0 && !record_room(device))) {
        device->dropped++;
        sink->drop(sink->context, 1);
        return NULL;
    }
    return (struct shflviz_record_header *)(void *)device->record;
}

bool record_has_room(struct cpu_device *device, const struct cpu_warp *warp,
                     const struct shflviz_site *site) {
    return record_next(device, warp, site, 0) != NULL;
}

/* Writes the site and the time of a step. */
static void record_place(struct cpu_device *device, struct shflviz_record_header *header,
                         const struct cpu_warp *warp, const struct shflviz_site *site) {
    header->block = device->block;
    header->launch = device->launch;
    header->warp = warp->index;
    header->site = site_index(device, site);
    header->exited = warp->exited;
    header->flags = SHFLVIZ_RECORD_EXITED_KNOWN;
}

/* Prefetches the record that is written a few steps from now. It is not an access, so the address
 * may be past the end of the memory. */
static inline void prefetch_record(const struct cpu_device *device) {
    const uint8_t *record = device->record + 4 * device->record_size;
    __builtin_prefetch(record, 1);
    for (size_t at = SHFLVIZ_RECORD_OFFSET_ARG; at < device->record_size; at += 64)
        __builtin_prefetch(record + at, 1);
}

/* Called when the step is complete. */
static void record_finish(struct cpu_device *device, struct shflviz_record_header *header) {
    /* Written last, and not moved before the rest: to a reader a record with a sequence is
       complete. */
    __atomic_store_n(&header->sequence, device->sequence, __ATOMIC_RELEASE);
    device->sequence++;
    device->record += device->record_size;
    if (--device->records_left == 0 && device->options.sink->filled)
        device->options.sink->filled(device->options.sink->context);
    prefetch_record(device);
}

/* ---- all 32 lanes at one shuffle ---- */

/* The header that all full steps of the open call share, except for the sequence. */
static __attribute__((noinline)) void prepare_header(struct cpu_device *device,
                                                     const struct cpu_warp *warp) {
    const struct cpu_call *call = &warp->open;
    device->header = (struct shflviz_record_header){.op = call->op,
                                                    .type = call->type,
                                                    .members = WARP_FULL_MASK,
                                                    .present = WARP_FULL_MASK,
                                                    .width = call->width};
    record_place(device, &device->header, warp, call->site);
    device->header_warp = warp;
    device->header_id = call->id;
    device->header_key = warp->open_key;
}

/* 128 bytes at a time, which compilers copy with plain vector instructions. */
static inline void copy_lanes(void *to, const void *from, size_t value_bytes) {
    memcpy(to, from, 4 * CPU_WARP_LANES);
    if (value_bytes == 8)
        memcpy((uint8_t *)to + 128, (const uint8_t *)from + 128, 128);
}

static inline void fill_lanes(void *to, uint32_t value) {
    uint32_t *each = to;
    for (int lane = 0; lane < CPU_WARP_LANES; lane++)
        each[lane] = value;
}

/* Writes the values at the recording's width, which may be wider than the type. */
static void widen_values(uint64_t *wide, const uint32_t *narrow) {
    for (int lane = 0; lane < CPU_WARP_LANES; lane++)
        wide[lane] = narrow[lane];
}

void record_full(struct cpu_device *device, const struct cpu_warp *warp, const void *in,
                 const void *out, unsigned bytes) {
    struct shflviz_record_header *header = record_next(device, warp, warp->open.site, bytes);
    if (!header)
        return;
    if (device->header_warp != warp || device->header_id != warp->open.id ||
        device->header_key != warp->open_key)
        prepare_header(device, warp);
    unsigned value_bytes = device->options.sink->value_bytes;
    uint8_t *record = (uint8_t *)header;
    *header = device->header;
    const int32_t arg = cpu_id_arg(warp->open.id);
    if (arg >= 0)
        fill_lanes(record + SHFLVIZ_RECORD_OFFSET_ARG, (uint32_t)arg);
    else
        copy_lanes(record + SHFLVIZ_RECORD_OFFSET_ARG, warp->arg, 4);
    if (value_bytes == bytes) {
        copy_lanes(record + SHFLVIZ_RECORD_OFFSET_IN, in, bytes);
        copy_lanes(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), out, bytes);
    } else {
        widen_values((uint64_t *)(void *)(record + SHFLVIZ_RECORD_OFFSET_IN), in);
        widen_values((uint64_t *)(void *)(record + SHFLVIZ_RECORD_OFFSET_OUT(8)), out);
    }
    record_finish(device, header);
}

/* ---- any lanes at any operation ---- */

static void put_value(uint8_t *values, unsigned value_bytes, int lane, uint64_t value) {
    memcpy(values + (size_t)lane * value_bytes, &value, value_bytes);
}

static bool widths_differ(const struct warp_operation *operation, int32_t width) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (lanes_hold(operation->present, (unsigned)lane) && operation->width[lane] != width)
            return true;
    return false;
}

void record_operation(struct cpu_device *device, const struct cpu_warp *warp,
                      const struct shflviz_site *site, const struct warp_operation *operation,
                      bool mask_diverges) {
    unsigned bytes = warp_type_info(operation->type)->bits > 32 ? 8 : 4;
    struct shflviz_record_header *header = record_next(device, warp, site, bytes);
    if (!header)
        return;
    record_place(device, header, warp, site);
    unsigned value_bytes = device->options.sink->value_bytes;
    uint8_t *record = (uint8_t *)header;
    int first = __builtin_ctz(operation->present);
    header->op = (uint8_t)operation->op;
    header->type = (uint8_t)operation->type;
    header->members = operation->members;
    header->present = operation->present;
    header->exited &= ~operation->present; /* a watched value is recorded later than it was seen */
    header->width = operation->width[first];
    if (mask_diverges)
        header->flags |= SHFLVIZ_RECORD_MASK_DIVERGES;
    if (operation->unfinished)
        header->flags |= SHFLVIZ_RECORD_UNFINISHED;
    bool differ = widths_differ(operation, header->width);
    if (differ)
        header->flags |= SHFLVIZ_RECORD_WIDTHS_DIFFER;
    for (uint32_t left = operation->present; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (differ)
            ((int16_t *)(void *)(record + SHFLVIZ_RECORD_OFFSET_WIDTH))[lane] =
                (int16_t)operation->width[lane];
        ((int32_t *)(void *)(record + SHFLVIZ_RECORD_OFFSET_ARG))[lane] = operation->arg[lane];
        put_value(record + SHFLVIZ_RECORD_OFFSET_IN, value_bytes, lane, operation->in[lane]);
        put_value(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), value_bytes, lane,
                  operation->out[lane]);
    }
    record_finish(device, header);
}

int cpu_keeps_registers(void) {
    const struct cpu_sink *sink = cpu_now.device->options.sink;
    return sink && sink->registers && cpu_now.warp->last_step != 0;
}

void cpu_keep_registers(struct trace_registers *registers) {
    const struct cpu_sink *sink = cpu_now.device->options.sink;
    if (!cpu_keeps_registers())
        return;
    registers->step = cpu_now.warp->last_step - 1;
    sink->registers(sink->context, registers);
}
