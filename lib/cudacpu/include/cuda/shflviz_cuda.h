/*
 * shflviz_cuda.h - libcu++ for the CPU warp: cuda::atomic, cuda::barrier, cuda::pipeline and the
 * like, over plain memory. Lanes run one at a time, so an operation is atomic by itself; one that
 * waits lets others run.
 */
#ifndef SHFLVIZ_CUDA_CUDA_H
#define SHFLVIZ_CUDA_CUDA_H

#include "cuda_runtime.h"

#include "cudacpu/complex_products.h"
#include "cudacpu/lane_watcher.h"
#include <atomic>
#include <cooperative_groups.h>
#include <functional>
#include <type_traits>
#include <utility>

CUDACPU_BOTH_BEGIN

namespace cuda {

/* Namespace cuda::std is the host library's std. */
namespace std {
using namespace ::std;
struct identity { /* in ::std from C++20 on */
    template <class T> constexpr T &&operator()(T &&value) const {
        return static_cast<T &&>(value);
    }
};
} // namespace std

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};
typedef ::std::memory_order memory_order;
static constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
static constexpr memory_order memory_order_consume = ::std::memory_order_consume;
static constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
static constexpr memory_order memory_order_release = ::std::memory_order_release;
static constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
static constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;

static inline void atomic_thread_fence(memory_order order,
                                       thread_scope scope = thread_scope_system) {
    if (order == memory_order_relaxed)
        return;
    if (scope >= thread_scope_block)
        cpu_access_next(CPU_ACCESS_IN_BLOCK);
    cpu_fence();
}

/* For memory checkers: orders and scopes. */
static inline void shflviz_next(memory_order order, thread_scope scope, unsigned kind = 0) {
    if (order == memory_order_relaxed || order == memory_order_release)
        kind |= CPU_ACCESS_RELAXED;
    if (order >= memory_order_release)
        kind |= CPU_ACCESS_RELEASE;
    cpu_access_next(kind | (scope >= thread_scope_block ? (unsigned)CPU_ACCESS_IN_BLOCK : 0u));
}

/* ---- atomic objects ---- */

/* The operations, on the object that Derived::object() returns. */
template <class T, class Derived, thread_scope Scope> struct shflviz_atomic_operations {
    /* Inlined up to the call, like everything here, so that memory checkers see the program's
     * line. */
    template <class Next>
    SHFLVIZ_ATOMIC_INLINE T once(memory_order order, unsigned kind, Next next) const {
        shflviz_next(order, Scope, kind);
        return shflviz_atomic(&object(), next);
    }
    T &object() const { return static_cast<const Derived *>(this)->shflviz_object(); }
    SHFLVIZ_ATOMIC_INLINE T load(memory_order order = memory_order_seq_cst) const {
        return once(order, CPU_ACCESS_LOADS, [](T old) { return old; });
    }
    SHFLVIZ_ATOMIC_INLINE void store(T value, memory_order order = memory_order_seq_cst) const {
        once(order, CPU_ACCESS_STORES, [=](T) { return value; });
    }
    SHFLVIZ_ATOMIC_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) const {
        return once(order, 0, [=](T) { return value; });
    }
    SHFLVIZ_ATOMIC_INLINE bool compare_exchange_strong(T &expected, T value,
                                                       memory_order order = memory_order_seq_cst,
                                                       memory_order = memory_order_seq_cst) const {
        const T wanted = expected;
        expected = once(
            order, 0, [=](T old) { return memcmp(&old, &wanted, sizeof old) == 0 ? value : old; });
        return memcmp(&expected, &wanted, sizeof wanted) == 0;
    }
    SHFLVIZ_ATOMIC_INLINE bool
    compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst,
                          memory_order other = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, value, order, other);
    }
    template <class Next> SHFLVIZ_ATOMIC_INLINE T change(memory_order order, Next next) const {
        return once(order, 0, next);
    }
    template <class U>
    SHFLVIZ_ATOMIC_INLINE T fetch_add(U value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return (T)(old + value); });
    }
    template <class U>
    SHFLVIZ_ATOMIC_INLINE T fetch_sub(U value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return (T)(old - value); });
    }
    SHFLVIZ_ATOMIC_INLINE T fetch_and(T value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return (T)(old & value); });
    }
    SHFLVIZ_ATOMIC_INLINE T fetch_or(T value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return (T)(old | value); });
    }
    SHFLVIZ_ATOMIC_INLINE T fetch_xor(T value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return (T)(old ^ value); });
    }
    SHFLVIZ_ATOMIC_INLINE T fetch_min(T value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return value < old ? value : old; });
    }
    SHFLVIZ_ATOMIC_INLINE T fetch_max(T value, memory_order order = memory_order_seq_cst) const {
        return change(order, [=](T old) { return old < value ? value : old; });
    }
    SHFLVIZ_ATOMIC_INLINE T operator++() const { return (T)(fetch_add(1) + 1); }
    SHFLVIZ_ATOMIC_INLINE T operator++(int) const { return fetch_add(1); }
    SHFLVIZ_ATOMIC_INLINE T operator--() const { return (T)(fetch_sub(1) - 1); }
    SHFLVIZ_ATOMIC_INLINE T operator--(int) const { return fetch_sub(1); }
    template <class U> SHFLVIZ_ATOMIC_INLINE T operator+=(U value) const {
        return (T)(fetch_add(value) + value);
    }
    template <class U> SHFLVIZ_ATOMIC_INLINE T operator-=(U value) const {
        return (T)(fetch_sub(value) - value);
    }
    SHFLVIZ_ATOMIC_INLINE T operator&=(T value) const { return (T)(fetch_and(value) & value); }
    SHFLVIZ_ATOMIC_INLINE T operator|=(T value) const { return (T)(fetch_or(value) | value); }
    SHFLVIZ_ATOMIC_INLINE T operator^=(T value) const { return (T)(fetch_xor(value) ^ value); }
    SHFLVIZ_ATOMIC_INLINE operator T() const { return load(); }
    bool is_lock_free() const { return true; }
    /* Lets other lanes run until the object holds something else. */
    SHFLVIZ_ATOMIC_INLINE void wait(T old, memory_order order = memory_order_seq_cst) const {
        for (T now = load(order); memcmp(&now, &old, sizeof now) == 0; now = load(order))
            ;
    }
    void notify_one() const {}
    void notify_all() const {}
};
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public shflviz_atomic_operations<T, atomic<T, Scope>, Scope> {
    mutable T value;

  public:
    atomic() = default;
    constexpr atomic(T first) : value(first) {}
    atomic(const atomic &) = delete;
    SHFLVIZ_ATOMIC_INLINE T operator=(T next) {
        this->store(next);
        return next;
    }
    T &shflviz_object() const { return value; }
};
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public shflviz_atomic_operations<T, atomic_ref<T, Scope>, Scope> {
    T *at;

  public:
    explicit atomic_ref(T &object) : at(&object) {}
    SHFLVIZ_ATOMIC_INLINE T operator=(T next) const {
        this->store(next);
        return next;
    }
    T &shflviz_object() const { return *at; }
};

/* ---- functions ---- */

template <class T = void> struct maximum {
    template <class A, class B>::std::common_type_t<A, B> operator()(const A &a, const B &b) const {
        return a < b ? b : a;
    }
};
template <class T = void> struct minimum {
    template <class A, class B>::std::common_type_t<A, B> operator()(const A &a, const B &b) const {
        return b < a ? b : a;
    }
};

/* ---- waiting for each other ---- */

template <thread_scope Scope = thread_scope_system> class barrier_base {};
template <thread_scope Scope = thread_scope_system, class Completion = void> class barrier {
    unsigned int expected, missing, phase;

  public:
    typedef unsigned int arrival_token;
    barrier() = default;
    constexpr explicit barrier(ptrdiff_t count)
        : expected((unsigned int)count), missing((unsigned int)count), phase(0) {}
    friend void init(barrier *made, ptrdiff_t count) { *made = barrier(count); }

    arrival_token arrive(ptrdiff_t count = 1) {
        const unsigned int token = atomicAdd(&phase, 0u);
        shflviz_next(memory_order_acq_rel, Scope);
        const unsigned int before = atomicSub(&missing, (unsigned int)count);
        if (before == (unsigned int)count) {
            atomicExch(&missing, atomicAdd(&expected, 0u));
            shflviz_next(memory_order_release, Scope);
            atomicAdd(&phase, 1u);
        }
        return token;
    }
    /* The number of completed phases; copies that belong to them have been waited for. */
    unsigned int complete() const {
        const unsigned int phases = atomicAdd(const_cast<unsigned int *>(&phase), 0u);
        cpu_phases_waited(this, phases);
        return phases;
    }
    void wait(arrival_token token) const {
        while (complete() == token)
            ;
    }
    void wait_parity(bool parity) const {
        while ((complete() & 1) == (unsigned int)parity)
            ;
    }
    bool try_wait(arrival_token token) const { return complete() != token; }
    /* The phase to which a copy made now belongs. */
    const void *shflviz_copy_barrier() const { return this; }
    unsigned int shflviz_copy_phase() const {
        shflviz_next(memory_order_relaxed, Scope);
        return atomicAdd(const_cast<unsigned int *>(&phase), 0u);
    }
    void arrive_and_wait() { wait(arrive()); }
    void arrive_and_drop() {
        atomicSub(&expected, 1u);
        (void)arrive();
    }
};

template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = 1> class counting_semaphore {
    int count;

  public:
    constexpr explicit counting_semaphore(ptrdiff_t first) : count((int)first) {}
    void release(ptrdiff_t more = 1) {
        shflviz_next(memory_order_release, Scope);
        atomicAdd(&count, (int)more);
    }
    bool try_acquire() {
        const int now = atomicAdd(&count, 0);
        return now > 0 && atomicCAS(&count, now, now - 1) == now;
    }
    void acquire() {
        while (!try_acquire())
            ;
    }
};
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope = thread_scope_system> class latch {
    int missing;

  public:
    constexpr explicit latch(ptrdiff_t count) : missing((int)count) {}
    void count_down(ptrdiff_t count = 1) {
        shflviz_next(memory_order_release, Scope);
        atomicSub(&missing, (int)count);
    }
    bool try_wait() const { return atomicAdd(const_cast<int *>(&missing), 0) == 0; }
    void wait() const {
        while (!try_wait())
            ;
    }
    void arrive_and_wait(ptrdiff_t count = 1) {
        count_down(count);
        wait();
    }
};

/* ---- copies, which are done when requested ---- */

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    explicit constexpr aligned_size_t(size_t size) : value(size) {}
    constexpr operator size_t() const { return value; }
};

enum class pipeline_role { producer, consumer };
/* The number of times that threads have filled and left each stage since the pipeline was made. */
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    unsigned int filled[Stages], left[Stages], producers, consumers;
};
/* A thread's own pipeline waits for nothing: its stages are groups of copies. In one that threads
 * share, a producer waits until a stage has been left, a consumer until it has been filled. */
template <thread_scope Scope> class pipeline {
    unsigned int *filled = nullptr, *left = nullptr;
    unsigned int stages = 0, producers = 0, consumers = 0;
    unsigned int head = 0, tail = 0; /* the stages that this thread fills and takes next */

    static void wait_for(unsigned int *count, unsigned int wanted) {
        while (shflviz_atomic(count, [](unsigned int now) { return now; }) < wanted)
            ;
    }
    static void add_one(unsigned int *count) {
        shflviz_next(memory_order_release, Scope);
        shflviz_atomic(count, [](unsigned int now) { return now + 1; });
    }

  public:
    pipeline() = default;
    template <unsigned char Stages>
    explicit pipeline(pipeline_shared_state<Scope, Stages> *state)
        : filled(state->filled), left(state->left), stages(Stages), producers(state->producers),
          consumers(state->consumers) {}
    void producer_acquire() {
        if (stages)
            wait_for(&left[head % stages], head / stages * consumers);
    }
    void producer_commit() {
        if (stages)
            add_one(&filled[head % stages]);
        else
            cpu_copies_committed();
        head++;
    }
    void consumer_wait() {
        if (stages) {
            wait_for(&filled[tail % stages], (tail / stages + 1) * producers);
            cpu_phases_waited(&filled[tail % stages], tail / stages + 1);
        } else if (tail != head) {
            cpu_copies_waited(head - ++tail);
        }
    }
    void consumer_release() {
        if (stages)
            add_one(&left[tail++ % stages]);
    }
    const void *shflviz_copy_barrier() const { return stages ? &filled[head % stages] : nullptr; }
    unsigned int shflviz_copy_phase() const { return stages ? head / stages : 0; }
    void shflviz_wait_prior(unsigned int groups) {
        cpu_copies_waited(groups);
        tail = head > tail + groups ? head - groups : tail;
    }
    template <class Duration> bool consumer_wait_for(const Duration &) {
        consumer_wait();
        return true;
    }
    bool quit() { return true; }
};
static inline pipeline<thread_scope_thread> make_pipeline() {
    return pipeline<thread_scope_thread>();
}
/* All threads of the group call it, each with its role. */
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> shflviz_make_pipeline(const Group &group,
                                      pipeline_shared_state<Scope, Stages> *state, bool produces,
                                      bool consumes) {
    if (group.thread_rank() == 0)
        *state = {};
    group.sync();
    if (produces)
        shflviz_atomic(&state->producers, [](unsigned int now) { return now + 1; });
    if (consumes)
        shflviz_atomic(&state->consumers, [](unsigned int now) { return now + 1; });
    group.sync();
    return pipeline<Scope>(state);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state) {
    return shflviz_make_pipeline(group, state, true, true);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                              pipeline_role role) {
    const bool produces = role == pipeline_role::producer;
    return shflviz_make_pipeline(group, state, produces, !produces);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
                              size_t producers) {
    const bool produces = group.thread_rank() < producers;
    return shflviz_make_pipeline(group, state, produces, !produces);
}
template <unsigned char Prior, thread_scope Scope>
void pipeline_consumer_wait_prior(pipeline<Scope> &pipe) {
    pipe.shflviz_wait_prior(Prior);
}

template <class Size, class Sync>
SHFLVIZ_ATOMIC_INLINE void memcpy_async(void *to, const void *from, Size size, Sync &sync) {
    memcpy(to, from, (size_t)size);
    cpu_copy_bound(to, (size_t)size, sync.shflviz_copy_barrier(), sync.shflviz_copy_phase());
}
template <class Word, class Group, class Sync>
SHFLVIZ_ATOMIC_INLINE void shflviz_copy_share(const Group &group, Word *to, const Word *from,
                                              size_t count, Sync &sync) {
    const void *barrier = sync.shflviz_copy_barrier();
    const unsigned int phase = sync.shflviz_copy_phase();
    if (group.thread_rank() == 0) /* no lane may read any of it, whether copied yet or not */
        cpu_copy_bound(to, count * sizeof *to, barrier, phase);
    for (size_t i = group.thread_rank(); i < count; i += group.num_threads()) {
        to[i] = from[i];
        cpu_copy_bound(to + i, sizeof to[i], barrier, phase);
    }
}
template <class Group, class Size, class Sync,
          class = decltype(::std::declval<const Group &>().thread_rank())>
SHFLVIZ_ATOMIC_INLINE void memcpy_async(const Group &group, void *to, const void *from, Size size,
                                        Sync &sync) {
    if (((size_t)to | (size_t)from | (size_t)size) % sizeof(int) == 0)
        shflviz_copy_share(group, static_cast<int *>(to), static_cast<const int *>(from),
                           (size_t)size / sizeof(int), sync);
    else
        shflviz_copy_share(group, static_cast<char *>(to), static_cast<const char *>(from),
                           (size_t)size, sync);
}

namespace device {
template <class Barrier> static inline void *barrier_native_handle(Barrier &barrier) {
    return &barrier;
}
} // namespace device

} // namespace cuda

/* The functions of cuda_pipeline.h, the C form of cuda/pipeline. */
static inline __attribute__((always_inline)) void
__pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    memcpy(to, from, size - zeros);
    memset(static_cast<char *>(to) + size - zeros, 0, zeros);
    cpu_copy_begun(to, size);
}
static inline void __pipeline_commit() {
    cpu_copies_committed();
}
static inline void __pipeline_wait_prior(size_t left) {
    cpu_copies_waited(left);
}

CUDACPU_BOTH_END
#endif
