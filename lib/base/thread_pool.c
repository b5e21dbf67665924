/*
 * A round is one call of thread_pool_each(): the caller sets the work, then increments `round`;
 * each thread sees the new number, works, and decrements `busy`. Both sides poll these numbers for
 * a while before they sleep, because rounds often follow each other immediately.
 * thread_pool_run() is a round in which workers take pieces from an atomic counter.
 */
#include "base/thread_pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* One call of thread_pool_run(). */
struct pieces {
    void (*work)(void *context, uint64_t piece, unsigned worker);
    void *context;
    uint64_t count;
    uint64_t next; /* taken by all */
};

static void take_pieces(void *context, unsigned worker) {
    struct pieces *pieces = context;
    for (;;) {
        uint64_t piece = __atomic_fetch_add(&pieces->next, 1, __ATOMIC_RELAXED);
        if (piece >= pieces->count)
            return;
        pieces->work(pieces->context, piece, worker);
    }
}

void thread_pool_run(struct thread_pool *pool, uint64_t count,
                     void (*work)(void *context, uint64_t piece, unsigned worker), void *context) {
    struct pieces pieces = {work, context, count, 0};
    if (pool && count > 1)
        thread_pool_each(pool, take_pieces, &pieces);
    else
        take_pieces(&pieces, 0);
}

struct worker {
    struct thread_pool *pool;
    unsigned number;
    pthread_t thread;
};

struct thread_pool {
    unsigned workers; /* number wanted, including the caller */
    unsigned started; /* threads */
    bool begun;       /* an attempt to start them has been made */
    unsigned looks;   /* before a thread sleeps */
    /* For threads that sleep: a change of `round`, `busy` or `ends` that must wake one is made, or
     * signalled, under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t work_is_there, work_is_done;
    /* Written before `round` is. */
    void (*work)(void *context, unsigned worker);
    void *context;
    uint64_t round; /* counts the calls of thread_pool_each() */
    unsigned busy;  /* threads that have not finished this round */
    bool ends;
    struct worker worker[]; /* 0 is not used: the caller */
};

/* The next round often follows immediately, and waking a thread takes some fifty microseconds, as
 * long as many checks for work. With fewer processors than threads, a thread that checks keeps
 * another from working. */
#define LOOKS 1000

static void spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

unsigned thread_pool_processors(void) {
#ifdef __wasm__ /* which has no threads here */
    return 1;
#else
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
#endif
}

struct thread_pool *thread_pool_new(unsigned workers, unsigned most) {
    if (workers == 0)
        workers = thread_pool_processors();
    if (workers > most)
        workers = most;
    struct thread_pool *pool = memory_zeroed(1, sizeof(*pool) + workers * sizeof(pool->worker[0]));
    pool->workers = workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_is_there, NULL);
    pthread_cond_init(&pool->work_is_done, NULL);
    return pool;
}

unsigned thread_pool_workers(const struct thread_pool *pool) {
    return pool->workers;
}

static bool is_new_round(const struct thread_pool *pool, uint64_t round) {
    return __atomic_load_n(&pool->round, __ATOMIC_ACQUIRE) != round ||
           __atomic_load_n(&pool->ends, __ATOMIC_ACQUIRE);
}

static bool is_done(const struct thread_pool *pool, uint64_t round) {
    (void)round;
    return __atomic_load_n(&pool->busy, __ATOMIC_ACQUIRE) == 0;
}

/* Checks for a while, then sleeps. */
static void await(struct thread_pool *pool, uint64_t round, pthread_cond_t *changed,
                  bool (*is)(const struct thread_pool *pool, uint64_t round)) {
    for (unsigned i = 0; i < pool->looks; i++) {
        if (is(pool, round))
            return;
        spin_pause();
    }
    pthread_mutex_lock(&pool->lock);
    while (!is(pool, round))
        pthread_cond_wait(changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* The last to finish wakes the caller. */
static void finish_round(struct thread_pool *pool) {
    if (__atomic_sub_fetch(&pool->busy, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->work_is_done);
    pthread_mutex_unlock(&pool->lock);
}

static void *worker_main(void *argument) {
    const struct worker *worker = argument;
    struct thread_pool *pool = worker->pool;
    for (uint64_t round = 0;; round++) {
        await(pool, round, &pool->work_is_there, is_new_round);
        if (__atomic_load_n(&pool->ends, __ATOMIC_ACQUIRE))
            return NULL;
        pool->work(pool->context, worker->number);
        finish_round(pool);
    }
}

static void start(struct thread_pool *pool) {
    sigset_t all, before;
    pool->begun = true;
    pool->looks = pool->workers <= thread_pool_processors() ? LOOKS : 0;
    sigfillset(&all);
    /* Signals for a thread's own faults; if they were blocked, a fault would end the program
     * silently. */
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned number = 1; number < pool->workers; number++) {
        struct worker *worker = &pool->worker[number];
        *worker = (struct worker){.pool = pool, .number = number};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
            break;
        pool->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Wakes the threads. */
static void start_round(struct thread_pool *pool, bool ends) {
    pthread_mutex_lock(&pool->lock);
    __atomic_store_n(&pool->ends, ends, __ATOMIC_RELEASE);
    __atomic_store_n(&pool->round, pool->round + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&pool->work_is_there);
    pthread_mutex_unlock(&pool->lock);
}

void thread_pool_each(struct thread_pool *pool, void (*work)(void *context, unsigned worker),
                      void *context) {
    if (!pool->begun)
        start(pool);
    pool->work = work;
    pool->context = context;
    __atomic_store_n(&pool->busy, pool->started, __ATOMIC_RELAXED);
    if (pool->started)
        start_round(pool, false);
    work(context, 0);
    if (pool->started)
        await(pool, pool->round, &pool->work_is_done, is_done);
}

void thread_pool_release(struct thread_pool *pool) {
    if (!pool)
        return;
    start_round(pool, true);
    for (unsigned number = 1; number <= pool->started; number++)
        pthread_join(pool->worker[number].thread, NULL);
    pthread_cond_destroy(&pool->work_is_there);
    pthread_cond_destroy(&pool->work_is_done);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
