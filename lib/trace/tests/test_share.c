/* The steps of a recording, read by several threads: each part once, each step correct. */
#include "sample.h"
#include "trace/read/share.h"

#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define COUNTS_MEMORY
#endif
#endif

#define STEPS 5000 /* of 19 whole blocks and a part of one */

struct seen {
    uint64_t first, end, sum;
    int damaged;
};

static void look(void *context, const struct trace *view, uint64_t first, uint64_t end) {
    struct seen *seen = context;
    struct trace_step step;
    seen->first = first;
    seen->end = end;
    for (uint64_t number = first; number < end; number++) {
        if (trace_step(view, number, &step, NULL) != 0) {
            seen->damaged++;
            continue;
        }
        assert_int_equal(step.number, number);
        for (int lane = 0; lane < WARP_LANES; lane++)
            seen->sum += step.operation.in[lane] + 7 * step.operation.out[lane] + step.warp;
    }
}

static void test_parts_follow_each_other(void **state) {
    (void)state;
    struct trace *trace;
    sample_file(sample_path("shared.svt"), 8, STEPS);
    assert_int_equal(trace_open(&trace, sample_path("shared.svt"), NULL), 0);
    struct seen alone = {0};
    look(&alone, trace, 0, STEPS);
    for (unsigned parts = 1; parts <= TRACE_SHARE_MOST; parts++) {
        struct seen seen[TRACE_SHARE_MOST];
        void *contexts[TRACE_SHARE_MOST];
        memset(seen, 0, sizeof seen);
        for (unsigned i = 0; i < parts; i++)
            contexts[i] = &seen[i];
        for (uint64_t from = 0; from < 600; from += 300) {
            uint64_t sum = 0, at = from;
            trace_share(trace, from, STEPS - from, parts, look, contexts);
            for (unsigned i = 0; i < parts; i++) {
                assert_int_equal(seen[i].first, at);
                assert_int_equal(seen[i].damaged, 0);
                at = seen[i].end;
                sum += seen[i].sum;
            }
            assert_int_equal(at, STEPS - from);
            if (from == 0)
                assert_int_equal(sum, alone.sum);
            memset(seen, 0, sizeof seen);
        }
    }
    trace_close(trace);
}

#ifdef COUNTS_MEMORY
/* Each part frees its reader, because a screen asks for parts many times. */
static void test_nothing_is_kept(void **state) {
    (void)state;
    struct trace *trace;
    struct seen seen[TRACE_SHARE_MOST] = {{0}};
    void *contexts[TRACE_SHARE_MOST];
    size_t in_use = 0;
    sample_file(sample_path("often.svt"), 8, STEPS);
    assert_int_equal(trace_open(&trace, sample_path("often.svt"), NULL), 0);
    for (unsigned i = 0; i < TRACE_SHARE_MOST; i++)
        contexts[i] = &seen[i];
    for (int i = 0; i < 40; i++) {
        trace_share(trace, 0, STEPS, 4, look, contexts);
        if (i == 9)
            in_use = mallinfo2().uordblks;
    }
    /* Thirty times four parts, each with more than a block's steps, would be much more. */
    assert_in_range(mallinfo2().uordblks, 0, in_use + 30 * 4 * sizeof(struct trace_step));
    trace_close(trace);
}
#endif

static void test_few_steps_are_one_part(void **state) {
    (void)state;
    assert_int_equal(trace_share_parts(0), 1);
    assert_int_equal(trace_share_parts(1000), 1);
    assert_true(trace_share_parts(UINT64_MAX) <= TRACE_SHARE_MOST);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_follow_each_other),
        cmocka_unit_test(test_few_steps_are_one_part),
#ifdef COUNTS_MEMORY
        cmocka_unit_test(test_nothing_is_kept),
#endif
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
