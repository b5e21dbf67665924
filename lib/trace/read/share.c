#include "trace/read/share.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "trace/read/reader.h"

#include <stdlib.h>

#define STEPS_WORTH 16384 /* per thread */

/* Decoded blocks of a thread that reads them in order: few, so that they stay in its processor's
   cache. */
#define VIEW_SLOTS 2

unsigned trace_share_parts(uint64_t steps) {
    if (steps < 2 * STEPS_WORTH)
        return 1;
    const unsigned most = thread_pool_processors();
    const uint64_t worth = steps / STEPS_WORTH;
    const unsigned parts = most > TRACE_SHARE_MOST ? TRACE_SHARE_MOST : most;
    return worth < parts ? (unsigned)worth : parts;
}

struct share {
    struct trace view;
    trace_share_part *part;
    void *context;
    uint64_t first, end;
};

static void run_share(void *context, uint64_t number, unsigned worker) {
    struct share *share = (struct share *)context + number;
    (void)worker;
    share->part(share->context, &share->view, share->first, share->end);
}

static void view_init(struct trace *view, const struct trace *trace) {
    *view = *trace;
    view->navigation = NULL;
    view->slots = VIEW_SLOTS;
    view->cache = memory_zeroed(view->slots, sizeof *view->cache);
}

static void view_release(struct trace *view) {
    for (int i = 0; i < VIEW_SLOTS; i++)
        free(view->cache[i].records);
    free(view->cache);
}

/* The first step of part `i`, at a block boundary so that no two threads decode the same block. */
static uint64_t begin_of(uint64_t first, uint64_t end, unsigned i, unsigned parts) {
    if (i == parts)
        return end;
    const uint64_t at = first + (end - first) / parts * i;
    const uint64_t block = at / TRACE_FILE_BLOCK_STEPS * TRACE_FILE_BLOCK_STEPS;
    return i == 0 || block < first ? first : block;
}

void trace_share(const struct trace *trace, uint64_t first, uint64_t end, unsigned parts,
                 trace_share_part *part, void *const context[]) {
    if (parts <= 1) {
        part(context[0], trace, first, end);
        return;
    }
    struct share *shares = memory_zeroed(parts, sizeof *shares);
    for (unsigned i = 0; i < parts; i++) {
        shares[i] = (struct share){.part = part,
                                   .context = context[i],
                                   .first = begin_of(first, end, i, parts),
                                   .end = begin_of(first, end, i + 1, parts)};
        view_init(&shares[i].view, trace);
    }
    struct thread_pool *pool = thread_pool_new(parts, TRACE_SHARE_MOST);
    thread_pool_run(pool, parts, run_share, shares);
    thread_pool_release(pool);
    for (unsigned i = 0; i < parts; i++)
        view_release(&shares[i].view);
    free(shares);
}
