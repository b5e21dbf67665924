/* stale_mask.c - finds masks from __activemask() passed after their lanes have diverged. */
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "check/report.h"
#include "explain/explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The last result of __activemask() in each lane of a warp. */
struct warp_masks {
    uint64_t block;
    uint32_t launch, warp;
    uint32_t known; /* lanes that have called it */
    uint32_t mask[WARP_LANES];
};

struct masks {
    struct warp_masks *slot; /* by hash; an entry with `known` 0 is free */
    size_t count, capacity;
};

static struct warp_masks *find(const struct masks *masks, const struct trace_step *step) {
    uint64_t hash = (step->block * 31 + step->warp) * UINT64_C(0x9e3779b97f4a7c15) + step->launch;
    size_t at = (hash ^ hash >> 29) & (masks->capacity - 1);
    for (;; at = (at + 1) & (masks->capacity - 1)) {
        struct warp_masks *slot = &masks->slot[at];
        if (!slot->known || (slot->block == step->block && slot->warp == step->warp &&
                             slot->launch == step->launch))
            return slot;
    }
}

static void grow(struct masks *masks) {
    struct masks larger = {.capacity = masks->capacity ? 2 * masks->capacity : 64,
                           .count = masks->count};
    larger.slot = memory_zeroed(larger.capacity, sizeof *larger.slot);
    for (size_t i = 0; i < masks->capacity; i++)
        if (masks->slot[i].known) {
            const struct warp_masks *old = &masks->slot[i];
            const struct trace_step like = {
                .block = old->block, .warp = old->warp, .launch = old->launch};
            *find(&larger, &like) = *old;
        }
    free(masks->slot);
    *masks = larger;
}

static void remember(struct masks *masks, const struct trace_step *step) {
    if (2 * masks->count >= masks->capacity)
        grow(masks);
    struct warp_masks *slot = find(masks, step);
    masks->count += !slot->known;
    slot->block = step->block;
    slot->warp = step->warp;
    slot->launch = step->launch;
    slot->known |= step->operation.present;
    for (uint32_t left = step->operation.present; left; left &= left - 1)
        slot->mask[__builtin_ctz(left)] = step->operation.members;
}

/* True if the mask is written out in the call (a number, or a name in capitals) or left out, as in
 * __syncwarp(). */
static bool has_constant_mask(const char *text) {
    const char *at = strchr(text, '(');
    if (!at || strncmp(text, "__", 2) != 0)
        return false;
    at += strspn(at, " (");
    const bool is_number = isdigit((unsigned char)*at) || *at == '~' || *at == '-';
    at += strspn(at, " (~-");
    if (*at == ')')
        return true;
    const bool capitals = isupper((unsigned char)*at);
    for (; *at && *at != ',' && *at != ')'; at++)
        if (islower((unsigned char)*at) && capitals)
            return false;
    return capitals || is_number;
}

static void add(struct check_report *report, const struct trace *trace,
                const struct trace_step *step, uint32_t lanes, uint64_t schedule) {
    const struct trace_site *site = trace_site(trace, step->site);
    const struct warp_operation *operation = &step->operation;
    struct check_finding *finding = check_finding_at(
        report, "stale_activemask", site ? site->file : NULL, site ? site->line : 0);
    if (finding->count++ == 0) {
        char gone[EXPLAIN_LANES_TEXT];
        struct text text = TEXT_INIT;
        check_finding_step(finding, trace, step, lanes, schedule);
        explain_lanes(operation->members & ~operation->present, gone);
        text_append_format(
            &text,
            message_plural(
                "the mask 0x%08x is what __activemask() returned earlier; since then %s "
                "has taken another branch, and does not make this call",
                "the mask 0x%08x is what __activemask() returned earlier; since then %s "
                "have taken another branch, and do not make this call",
                (unsigned long)__builtin_popcount(operation->members & ~operation->present)),
            (unsigned)operation->members, gone);
        finding->message = text_detach(&text);
    }
}

bool check_queries_masks(const struct trace *trace) {
    const struct trace_site *site;
    for (uint32_t i = 0; (site = trace_site(trace, i)); i++)
        if (strstr(site->text, "activemask") || strstr(site->text, "coalesced"))
            return true;
    return false;
}

int check_stale_masks(struct check_report *report, const struct trace *trace, uint64_t schedule,
                      struct error *err) {
    struct masks masks = {0};
    struct trace_step step;
    int status = 0;
    if (!check_queries_masks(trace))
        return 0;
    grow(&masks);
    for (uint64_t number = 0; status == 0 && number < trace_step_count(trace); number++) {
        status = trace_step(trace, number, &step, err);
        progress_line_part(number, trace_step_count(trace));
        const struct warp_operation *operation = &step.operation;
        if (status != 0 || operation->op == WARP_OP_WATCH)
            continue;
        if (operation->op == WARP_OP_ACTIVEMASK) {
            remember(&masks, &step);
            continue;
        }
        const struct warp_masks *asked = find(&masks, &step);
        const struct trace_site *site = trace_site(trace, step.site);
        uint32_t lanes = 0;
        for (uint32_t left = asked->known & operation->present; left; left &= left - 1)
            if (asked->mask[__builtin_ctz(left)] == operation->members)
                lanes |= left & -left;
        if (lanes && operation->members & ~operation->present && site &&
            !has_constant_mask(site->text)) {
            add(report, trace, &step, lanes, schedule);
            report->found++;
        }
    }
    free(masks.slot);
    return status;
}
