#include "base/crew.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

#ifdef __wasm__ /* which has no threads here */

struct crew {
    unsigned members;
};

unsigned crew_processors(void) {
    return 1;
}

struct crew *crew_new(unsigned members) {
    (void)members;
    struct crew *crew = memory_zeroed(1, sizeof(*crew));
    crew->members = 1;
    return crew;
}

void crew_release(struct crew *crew) {
    free(crew);
}

unsigned crew_members(const struct crew *crew) {
    return crew->members;
}

void crew_run(struct crew *crew, uint64_t pieces,
              void (*work)(void *context, uint64_t piece, unsigned member), void *context) {
    (void)crew;
    for (uint64_t piece = 0; piece < pieces; piece++)
        work(context, piece, 0);
}

#else

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

struct member {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
};

struct crew {
    unsigned wanted;  /* members, the caller among them */
    unsigned started; /* threads */
    bool begun;       /* it was tried to start them */
    unsigned looks;   /* before a thread sleeps */
    struct member member[CREW_MOST];
    /* For threads that sleep: who changes `round`, `busy` or `ends` from what they sleep on holds
     * the lock. */
    pthread_mutex_t lock;
    pthread_cond_t work_is_there, work_is_done;
    /* What a round is about, written before `round` is. */
    void (*work)(void *context, uint64_t piece, unsigned member);
    void *context;
    uint64_t pieces;
    uint64_t round; /* counts the calls of crew_run() */
    unsigned busy;  /* threads that have not finished this round */
    bool ends;
    uint64_t next; /* piece; taken by all */
};

/* One round often follows the other at once, and to wake a thread takes as long as many looks at
 * whether there is work: some fifty microseconds of them. With fewer processors than threads who
 * looks keeps another from working. */
#define LOOKS 1000

static void pause_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

unsigned crew_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

struct crew *crew_new(unsigned members) {
    struct crew *crew = memory_zeroed(1, sizeof(*crew));
    if (members == 0)
        members = crew_processors();
    crew->wanted = members < CREW_MOST ? members : CREW_MOST;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work_is_there, NULL);
    pthread_cond_init(&crew->work_is_done, NULL);
    return crew;
}

unsigned crew_members(const struct crew *crew) {
    return crew->wanted;
}

static void take_pieces(struct crew *crew, unsigned member) {
    for (;;) {
        uint64_t piece = __atomic_fetch_add(&crew->next, 1, __ATOMIC_RELAXED);
        if (piece >= crew->pieces)
            return;
        crew->work(crew->context, piece, member);
    }
}

static bool is_new_round(const struct crew *crew, uint64_t round) {
    return __atomic_load_n(&crew->round, __ATOMIC_ACQUIRE) != round ||
           __atomic_load_n(&crew->ends, __ATOMIC_ACQUIRE);
}

static void await_round(struct crew *crew, uint64_t round) {
    for (unsigned i = 0; i < crew->looks; i++) {
        if (is_new_round(crew, round))
            return;
        pause_a_little();
    }
    pthread_mutex_lock(&crew->lock);
    while (!is_new_round(crew, round))
        pthread_cond_wait(&crew->work_is_there, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

static bool is_done(const struct crew *crew) {
    return __atomic_load_n(&crew->busy, __ATOMIC_ACQUIRE) == 0;
}

static void await_others(struct crew *crew) {
    for (unsigned i = 0; i < crew->looks; i++) {
        if (is_done(crew))
            return;
        pause_a_little();
    }
    pthread_mutex_lock(&crew->lock);
    while (!is_done(crew))
        pthread_cond_wait(&crew->work_is_done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

/* The last to finish wakes the caller. */
static void finish_round(struct crew *crew) {
    if (__atomic_sub_fetch(&crew->busy, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->work_is_done);
    pthread_mutex_unlock(&crew->lock);
}

static void *serve(void *argument) {
    const struct member *member = argument;
    struct crew *crew = member->crew;
    for (uint64_t round = 0;; round++) {
        await_round(crew, round);
        if (__atomic_load_n(&crew->ends, __ATOMIC_ACQUIRE))
            return NULL;
        take_pieces(crew, member->number);
        finish_round(crew);
    }
}

static void start(struct crew *crew) {
    sigset_t all, before;
    crew->begun = true;
    crew->looks = crew->wanted <= crew_processors() ? LOOKS : 0;
    sigfillset(&all);
    /* What a member does itself; blocked, it would end the program without a word. */
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned number = 1; number < crew->wanted; number++) {
        struct member *member = &crew->member[number];
        *member = (struct member){.crew = crew, .number = number};
        if (pthread_create(&member->thread, NULL, serve, member) != 0)
            break;
        crew->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void crew_run(struct crew *crew, uint64_t pieces,
              void (*work)(void *context, uint64_t piece, unsigned member), void *context) {
    if (!crew->begun && pieces > 1)
        start(crew);
    crew->work = work;
    crew->context = context;
    crew->pieces = pieces;
    __atomic_store_n(&crew->next, 0, __ATOMIC_RELAXED);
    const bool alone = pieces <= 1 || crew->started == 0;
    if (!alone) {
        __atomic_store_n(&crew->busy, crew->started, __ATOMIC_RELAXED);
        pthread_mutex_lock(&crew->lock);
        __atomic_store_n(&crew->round, crew->round + 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&crew->work_is_there);
        pthread_mutex_unlock(&crew->lock);
    }
    take_pieces(crew, 0);
    if (!alone)
        await_others(crew);
}

void crew_release(struct crew *crew) {
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    __atomic_store_n(&crew->ends, true, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&crew->work_is_there);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned number = 1; number <= crew->started; number++)
        pthread_join(crew->member[number].thread, NULL);
    pthread_cond_destroy(&crew->work_is_there);
    pthread_cond_destroy(&crew->work_is_done);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

#endif
