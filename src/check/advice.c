/*
 * advice.c - advice that fits a particular access better than the advice of the rule it breaks.
 * For accesses that nothing orders, it depends on how far apart their threads are, and on how the
 * kernel orders accesses elsewhere.
 */
#include "base/message.h"
#include "check/report.h"

#include <string.h>

/* A way to order accesses, which a kernel uses if one of these words is in its text. */
struct means {
    const char *words[4];
    const char *advice;
};

/* Kernels with a pipeline or a barrier also have __syncthreads(), after initialising it. */
static const struct means race_advice[] = {
    {{"cuda::pipeline", "make_pipeline"},
     N_("let the program's pipeline order the accesses: write between producer_acquire() and "
        "producer_commit(), read between consumer_wait() and consumer_release()")},
    {{"cuda::barrier", "arrive_and_wait", "mbarrier.", "mbarrier_"},
     N_("let the program's barrier order the accesses: call arrive() after the first and wait() "
        "before the second, or put __syncthreads() between them")},
    {{"bar.sync", "barrier.sync"},
     N_("let both threads reach the program's named barrier between the two accesses, or put "
        "__syncthreads() between them")},
    {.advice = NULL}};

static const struct means copy_advice[] = {
    {{"cuda::pipeline", "make_pipeline", "consumer_wait"},
     N_("call the pipeline's consumer_wait() before the read")},
    {{"cuda::barrier"},
     N_("before the read, call arrive_and_wait() on the barrier that was passed to the copy")},
    {{"__pipeline_"},
     N_("before the read, call __pipeline_wait_prior(0) and then __syncthreads()")},
    {{"memcpy_async"},
     N_("call wait() with the copy's group before the read, as in cg::wait(block)")},
    {{"cp.async"},
     N_("before the read, wait with cp.async.wait_all or cp.async.wait_group, and then call "
        "__syncthreads()")},
    {.advice = NULL}};

static bool has(const char *text, size_t length, const char *word) {
    return memmem(text, length, word, strlen(word)) != NULL;
}

static const char *find_advice(const struct means *means, const struct trace *trace,
                               const struct program_access *access) {
    size_t length;
    const char *body = check_kernel_body(trace, access, &length);
    for (; body && means->advice; means++)
        for (int i = 0; i < 4 && means->words[i]; i++)
            if (has(body, length, means->words[i]))
                return means->advice;
    return NULL;
}

/* Advice if a barrier between the two lines leaves them unordered only across iterations. */
static const char *loop_advice(const struct trace *trace, const struct program_access *access) {
    const bool is_later = access->line > access->other_line;
    const uint32_t first = is_later ? access->other_line : access->line;
    const uint32_t last = is_later ? access->line : access->other_line;
    size_t length;
    const char *at = check_lines(trace, access->file, first + 1, last, &length);
    if (at && has(at, length, "__syncthreads()"))
        return N_(
            "the barrier between the two lines orders only the accesses of one loop iteration: put "
            "another __syncthreads() after the read, before the next iteration writes");
    if (at && has(at, length, "__syncwarp("))
        return N_(
            "the __syncwarp() between the two lines orders only the accesses of one loop "
            "iteration: put another __syncwarp() after the read, before the next iteration writes");
    return NULL;
}

const char *check_order_advice(const struct trace *trace, const struct program_access *access,
                               uint32_t apart) {
    const bool is_one_file =
        access->other_file && access->file && strcmp(access->file, access->other_file) == 0;
    const bool is_one_line = is_one_file && access->line == access->other_line;
    if (access->entry.rule == ACCESS_NOT_WAITED)
        return find_advice(copy_advice, trace, access);
    if (apart == ACCESS_TWO_BLOCKS)
        return NULL;
    const char *advice = find_advice(race_advice, trace, access);
    if (advice)
        return advice;
    if (is_one_file && !is_one_line && (advice = loop_advice(trace, access)) != NULL)
        return advice;
    if (is_one_line)
        return N_("if all threads add to the same element, use an atomic operation such as "
                  "atomicAdd(); in a loop, put __syncthreads() between iterations");
    if (apart == ACCESS_ONE_WARP)
        return N_("put __syncwarp() between the two accesses: both lanes are in one warp");
    return N_("put __syncthreads() between the two accesses");
}

/* ---- accesses of one kind ---- */

/* Advice for an atomic operation that orders nothing. */
static const char *flaw_advice(uint32_t flaw) {
    return flaw == ACCESS_FLAW_NO_ACQUIRE
               ? N_("make the read an acquire (cuda::memory_order_acquire, ld.acquire), or put a "
                    "fence after it")
           : flaw == ACCESS_FLAW_SCOPE
               ? N_("give the fence or the release device scope: "
                    "__threadfence(), cuda::thread_scope_device, .gpu")
               : N_("if the atomic operation is to publish the write, put __threadfence() before "
                    "the operation, or make the operation a release");
}

/* True if the atomic operation is on the object that the write sets, so it announces nothing. */
static bool is_first_value(const struct program_access *access) {
    return access->flag_file && access->file && access->flag_line == access->line &&
           strcmp(access->flag_file, access->file) == 0;
}

/* Advice for accesses to global memory by two blocks, or for the flag that should order them. */
static const char *global_advice(const struct program_access *access) {
    const struct access_entry *entry = &access->entry;
    if (entry->me.kind & entry->other.kind & ACCESS_ATOMIC)
        return N_("give both operations device scope: cuda::thread_scope_device");
    if (is_first_value(access))
        return N_("set the first value before the launch, with cudaMemset() or a separate kernel: "
                  "blocks run in any order");
    return access->flag_file ? flaw_advice(entry->flaw) : NULL;
}

static const char *unset_advice(const struct access_entry *entry) {
    return entry->memory == ACCESS_GLOBAL
               ? N_("write the memory first, in an earlier kernel or with cudaMemset() or "
                    "cudaMemcpy(); their sizes are in bytes, such as n * sizeof(float)")
               : N_("first write every element that is read, in a loop, and put __syncthreads() "
                    "after the loop");
}

const char *check_advice(const struct program_access *access) {
    const struct access_entry *entry = &access->entry;
    if (entry->memory == ACCESS_FREED)
        return N_("free the memory only after the last kernel that uses it has ended");
    if (entry->memory == ACCESS_CLOSED)
        return N_("allow the access with nvtxMemPermissionsAssign() before the launch, or remove "
                  "the access");
    if (entry->rule == ACCESS_OUT_OF_BOUNDS && entry->memory == ACCESS_DYNAMIC_SHARED)
        return N_("request enough shared memory in the launch (its third launch parameter), or "
                  "check the index");
    if (entry->rule == ACCESS_GLOBAL_RACE)
        return global_advice(access);
    if (entry->rule == ACCESS_SHARED_RACE && access->flag_file)
        return flaw_advice(entry->flaw);
    if (entry->rule == ACCESS_UNINITIALIZED_READ)
        return unset_advice(entry);
    if (entry->rule == ACCESS_SHIFT && entry->offset == entry->extent && !entry->missing)
        return N_("handle the all-bits case separately: n < 32 ? 1u << n : 0");
    return NULL;
}
