/* The same work on many pieces: the workers process each piece once before the call returns. */
#include "base/thread_pool.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MOST   64
#define PIECES 20000

struct counts {
    unsigned char done[PIECES];
    uint64_t of_worker[MOST];
    uint64_t sum;
};

static void count(void *context, uint64_t piece, unsigned worker) {
    struct counts *counts = context;
    counts->done[piece]++;
    counts->of_worker[worker]++; /* a worker has one piece at a time */
    __atomic_fetch_add(&counts->sum, piece, __ATOMIC_RELAXED);
}

static void check(struct thread_pool *pool, uint64_t pieces) {
    static struct counts counts;
    uint64_t all = 0;
    memset(&counts, 0, sizeof(counts));
    thread_pool_run(pool, pieces, count, &counts);
    for (uint64_t piece = 0; piece < PIECES; piece++)
        assert_int_equal(counts.done[piece], piece < pieces);
    for (unsigned worker = 0; worker < MOST; worker++) {
        assert_true(worker < thread_pool_workers(pool) || counts.of_worker[worker] == 0);
        all += counts.of_worker[worker];
    }
    assert_int_equal(all, pieces);
    assert_int_equal(counts.sum, pieces ? pieces * (pieces - 1) / 2 : 0);
}

static void test_every_piece_once(void **state) {
    static const unsigned workers[] = {1, 2, 5, MOST};
    (void)state;
    for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
        struct thread_pool *pool = thread_pool_new(workers[i], MOST);
        assert_int_equal(thread_pool_workers(pool), workers[i]);
        check(pool, 0);
        check(pool, 1);
        for (int round = 0; round < 50; round++)
            check(pool, (uint64_t)round * 3);
        check(pool, PIECES);
        thread_pool_release(pool);
    }
}

static void count_worker(void *context, unsigned worker) {
    struct counts *counts = context;
    counts->of_worker[worker]++;
    __atomic_fetch_add(&counts->sum, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&counts->sum, __ATOMIC_RELAXED) % MOST != 0) /* all at the same time */
        sched_yield();
}

static void test_each_worker_once(void **state) {
    static struct counts counts;
    (void)state;
    struct thread_pool *pool = thread_pool_new(MOST, MOST);
    for (unsigned round = 1; round <= 20; round++) {
        thread_pool_each(pool, count_worker, &counts);
        for (unsigned worker = 0; worker < MOST; worker++)
            assert_int_equal(counts.of_worker[worker], round);
    }
    thread_pool_release(pool);
}

static void test_without_a_pool(void **state) {
    static struct counts counts;
    (void)state;
    thread_pool_run(NULL, PIECES, count, &counts);
    assert_int_equal(counts.of_worker[0], PIECES);
    assert_int_equal(counts.done[PIECES - 1], 1);
}

static void test_as_many_as_processors(void **state) {
    (void)state;
    struct thread_pool *pool = thread_pool_new(0, MOST);
    assert_in_range(thread_pool_workers(pool), 1, MOST);
    check(pool, 100);
    thread_pool_release(pool);
    pool = thread_pool_new(MOST + 1, MOST);
    assert_int_equal(thread_pool_workers(pool), MOST);
    thread_pool_release(pool); /* one that never worked */
    thread_pool_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_once),
        cmocka_unit_test(test_each_worker_once),
        cmocka_unit_test(test_without_a_pool),
        cmocka_unit_test(test_as_many_as_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
