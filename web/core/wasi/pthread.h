/*
 * pthread.h - threads for a program with one thread: locks do nothing, no thread can be created.
 *
 * The current C library of WASI declares none of this. Only the functions that the CPU warp needs
 * are here.
 */
#ifndef SHFLVIZ_WEB_PTHREAD_H
#define SHFLVIZ_WEB_PTHREAD_H

/* WASI's library has types of these names, which <sys/types.h> would define. */
#define __DEFINED_pthread_t
#define __DEFINED_pthread_mutex_t
#define __DEFINED_pthread_mutexattr_t
#define __DEFINED_pthread_cond_t
#define __DEFINED_pthread_condattr_t
#define __DEFINED_pthread_once_t
#define __DEFINED_pthread_attr_t

#include <errno.h>
#include <time.h>

typedef int pthread_t, pthread_mutex_t, pthread_mutexattr_t, pthread_cond_t, pthread_condattr_t,
    pthread_once_t, pthread_attr_t;

#define PTHREAD_ONCE_INIT         0
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER  0
#define PTHREAD_MUTEX_RECURSIVE   1

static inline int pthread_nothing(const void *what) {
    (void)what;
    return 0;
}
#define pthread_mutexattr_init(attributes)          pthread_nothing(attributes)
#define pthread_mutexattr_settype(attributes, type) pthread_nothing(attributes)
#define pthread_mutexattr_destroy(attributes)       pthread_nothing(attributes)
#define pthread_mutex_init(mutex, attributes)       pthread_nothing(mutex)
#define pthread_mutex_destroy(mutex)                pthread_nothing(mutex)
#define pthread_mutex_lock(mutex)                   pthread_nothing(mutex)
#define pthread_mutex_trylock(mutex)                pthread_nothing(mutex)
#define pthread_mutex_unlock(mutex)                 pthread_nothing(mutex)
#define pthread_cond_init(condition, attributes)    pthread_nothing(condition)
#define pthread_cond_destroy(condition)             pthread_nothing(condition)
#define pthread_cond_broadcast(condition)           pthread_nothing(condition)
#define pthread_cond_signal(condition)              pthread_nothing(condition)
#define pthread_cond_wait(condition, mutex)         pthread_nothing(condition)
#define pthread_join(thread, result)                pthread_nothing(result)

static inline int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         const struct timespec *until) {
    (void)condition, (void)mutex, (void)until;
    return ETIMEDOUT;
}

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*begin)(void *), void *argument) {
    (void)thread, (void)attributes, (void)begin, (void)argument;
    return EAGAIN;
}

static inline int pthread_once(pthread_once_t *once, void (*make)(void)) {
    if (!*once)
        make();
    *once = 1;
    return 0;
}

static inline pthread_t pthread_self(void) {
    return 0;
}
#define pthread_equal(a, b)          ((a) == (b))
#define pthread_kill(thread, signal) ((void)(signal), ESRCH)

#endif
