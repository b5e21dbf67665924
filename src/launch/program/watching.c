#include "launch/program/watching.h"

#include "base/complaint.h"
#include "base/message.h"
#include "base/text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_listed(const struct text *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names->data; (at = strstr(at, name)); at += length)
        if ((at == names->data || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static int refuse_kernel(const struct shflviz_filter *watch, const struct trace *trace,
                         struct error *err) {
    struct choice choice = CHOICE_INIT(watch->kernel);
    for (size_t i = 0; i < trace_launch_count(trace) && choice.allowed.length < 1000; i++) {
        const char *name = trace_launch(trace, (uint32_t)i)->kernel;
        if (!is_listed(&choice.allowed, name))
            choice_add(&choice, name);
    }
    return choice_refuse(&choice,
                         _("--watch-kernel: '%s' is not a kernel that this program launched%s\n"
                           "allowed: %s"),
                         err);
}

/* Fills err for a number beyond the existing ones; `count` may be 0. */
static int refuse_number(const char *option, uint64_t given, uint64_t count, const char *wrong,
                         struct error *err) {
    char value[32], allowed[64];
    snprintf(value, sizeof(value), "%" PRIu64, given);
    snprintf(allowed, sizeof(allowed), _("0 to %" PRIu64), count - 1);
    return complain(err, option, value, wrong, count ? allowed : NULL, NULL);
}

/* The size of the launches that are watched. */
struct extent {
    size_t launches;
    bool named; /* a launch of the kernel exists, watched or not */
    bool indexed;
    uint64_t blocks, warps;
};

static void consider(struct extent *extent, const struct shflviz_filter *watch, uint32_t number,
                     const struct trace_launch *launch) {
    const uint32_t *grid = launch->grid, *at = watch->block_index;
    extent->named = extent->named || shflviz_filter_names(watch, launch->kernel);
    if (!shflviz_filter_passes_launch(watch, number, launch->kernel))
        return;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint64_t threads = trace_block_threads(launch);
    const uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    extent->launches++;
    extent->blocks = blocks > extent->blocks ? blocks : extent->blocks;
    extent->warps = warps > extent->warps ? warps : extent->warps;
    extent->indexed = extent->indexed || (at[0] < grid[0] && at[1] < grid[1] && at[2] < grid[2]);
}

static int refuse_index(const struct shflviz_filter *watch, struct error *err) {
    char value[48];
    snprintf(value, sizeof(value), "%" PRIu32 ",%" PRIu32 ",%" PRIu32, watch->block_index[0],
             watch->block_index[1], watch->block_index[2]);
    return complain(err, "watch-block", value, _("is not in any watched grid"), NULL, NULL);
}

int watching_check(const struct shflviz_filter *watch, const struct trace *trace,
                   struct error *err) {
    const uint64_t launches = trace_launch_count(trace);
    struct extent extent = {0};
    if (!watch->parts)
        return 0;
    for (uint32_t i = 0; i < launches; i++)
        consider(&extent, watch, i, trace_launch(trace, i));
    if ((watch->parts & SHFLVIZ_FILTER_LAUNCHES) && watch->launch_first >= launches)
        return refuse_number("watch-launch", watch->launch_first, launches,
                             _("is not a launch of this program"), err);
    if ((watch->parts & SHFLVIZ_FILTER_KERNEL) && !extent.named && launches)
        return refuse_kernel(watch, trace, err);
    if (extent.launches == 0)
        return 0;
    if ((watch->parts & SHFLVIZ_FILTER_BLOCKS) && watch->block_first >= extent.blocks)
        return refuse_number("watch-block", watch->block_first, extent.blocks,
                             _("is not in any watched launch"), err);
    if ((watch->parts & SHFLVIZ_FILTER_INDEX) && !extent.indexed)
        return refuse_index(watch, err);
    if ((watch->parts & SHFLVIZ_FILTER_WARPS) && watch->warp_first >= extent.warps)
        return refuse_number("watch-warp", watch->warp_first, extent.warps,
                             _("is not in any watched block"), err);
    return 0;
}
