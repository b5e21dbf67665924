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
    struct member member[CREW_MOST];
    /* The lock guards what follows, up to `next`. */
    pthread_mutex_t lock;
    pthread_cond_t work_is_there, work_is_done;
    uint64_t round; /* counts the calls of crew_run() */
    unsigned busy;  /* threads that have not finished this round */
    bool ends;
    void (*work)(void *context, uint64_t piece, unsigned member);
    void *context;
    uint64_t pieces;
    uint64_t next; /* piece; taken by all */
};

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

static void *serve(void *argument) {
    const struct member *member = argument;
    struct crew *crew = member->crew;
    uint64_t round = 0;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->round == round && !crew->ends)
            pthread_cond_wait(&crew->work_is_there, &crew->lock);
        if (crew->ends)
            break;
        round = crew->round;
        pthread_mutex_unlock(&crew->lock);
        take_pieces(crew, member->number);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->work_is_done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static void start(struct crew *crew) {
    sigset_t all, before;
    crew->begun = true;
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
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->pieces = pieces;
    crew->next = 0;
    const bool alone = pieces <= 1 || crew->started == 0;
    if (!alone) {
        crew->busy = crew->started;
        crew->round++;
        pthread_cond_broadcast(&crew->work_is_there);
    }
    pthread_mutex_unlock(&crew->lock);
    take_pieces(crew, 0);
    if (alone)
        return;
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->work_is_done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void crew_release(struct crew *crew) {
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ends = true;
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
