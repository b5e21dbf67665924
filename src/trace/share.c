#if defined(__linux__)
#include <sched.h>
#endif

#include "trace/share.h"

#include "base/memory.h"
#include "trace/reader.h"

#include <stdlib.h>
#include <unistd.h>

#if !defined(__EMSCRIPTEN__)
#include <pthread.h>
#define HAS_THREADS 1
#else
#define HAS_THREADS 0
#endif

#define STEPS_WORTH 16384 /* a thread */

static unsigned processors(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

unsigned trace_share_parts(uint64_t steps) {
    if (!HAS_THREADS || steps < 2 * STEPS_WORTH)
        return 1;
    const unsigned most = processors();
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

static void *run_share(void *argument) {
    struct share *share = argument;
    share->part(share->context, &share->view, share->first, share->end);
    return NULL;
}

static void view_init(struct trace *view, const struct trace *trace) {
    *view = *trace;
    view->navigation = NULL;
    view->cache = memory_zeroed(READER_SLOTS, sizeof *view->cache);
}

static void view_release(struct trace *view) {
    for (int i = 0; i < READER_SLOTS; i++)
        free(view->cache[i].records);
    free(view->cache);
}

/* Where part `i` begins: at a block, so that no two threads decode the same one. */
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
#if HAS_THREADS
    pthread_t thread[TRACE_SHARE_MOST];
    bool started[TRACE_SHARE_MOST] = {false};
    for (unsigned i = 1; i < parts; i++)
        started[i] = pthread_create(&thread[i], NULL, run_share, &shares[i]) == 0;
    run_share(&shares[0]);
    for (unsigned i = 1; i < parts; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
        else
            run_share(&shares[i]);
#else
    for (unsigned i = 0; i < parts; i++)
        run_share(&shares[i]);
#endif
    for (unsigned i = 0; i < parts; i++)
        view_release(&shares[i].view);
    free(shares);
}
