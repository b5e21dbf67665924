/*
 * Workers take pieces from an atomic counter, without a lock; ending a piece takes the mutex. All
 * pieces below `ended` have ended. A piece keeps its output until `ended` reaches it, and only the
 * worker of the piece at `ended` has the recording, which devices pass on by copying a few fields.
 * A block that fails lowers `stop`, and no later piece gets a turn.
 */
#include "simt/block_workers.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "simt/device_state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORKERS_MOST 256
/* In nanoseconds. */
#define PAYS_AFTER   200000   /* workers are for a launch that has run this long */
#define PAYS_REST    10000000 /* and has this much left */
#define PIECE        50000    /* the shortest piece */
#define TURN_MOST    2000000000LL
#define SPINS_WITHIN 300000000LL
/* The number of times in a row that a worker finds itself spinning before it asks the others. */
#define SPUN_OFTEN  20
#define PIECES_MOST (1u << 20)
/* Guarded stacks of all workers; a system limits the number of mappings. */
#define GUARDED 12288

struct block_worker {
    struct block_workers *workers;
    struct cpu_device *device;
    unsigned index;
    pthread_t thread;
    bool runs;         /* set by `thread`, which has not yet ended its part */
    uint64_t from, to; /* blocks of its piece that have not begun */
    bool has_turn;
    long long spun; /* cpu_runtime_clock() when it last found itself spinning */
    size_t *pieces, piece_count, piece_capacity; /* under way */
};

struct piece {
    struct text printed; /* until its turn comes */
    bool ended;
};

struct block_workers {
    struct cpu_device *device;
    struct dim3 grid;
    uint64_t first, all; /* blocks */
    uint64_t piece_blocks;
    struct piece *pieces;
    size_t piece_count;
    size_t next;   /* the piece to hand out next */
    uint64_t stop; /* the first block that failed; from it on none begins or is reported */
    size_t ended;  /* all pieces before it have ended */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    sigset_t signals; /* signals that the launching thread blocks */
    unsigned count;
    struct block_worker worker[WORKERS_MOST];
};

static struct block_workers *running; /* the workers that run a grid, or NULL */

/* ---- which grids ---- */

static bool records(const struct cpu_device *device) {
    const struct cpu_sink *sink = device->options.sink;
    return sink && !device->full && !device->left_out &&
           device->sequence != device->recorded_before;
}

bool block_workers_pay_off(const struct cpu_device *device) {
    const uint64_t begun = device->blocks_begun, left = device->blocks_all - begun;
    if (device->options.settings.jobs < 2 || device->worker || left < 2 ||
        device->options.settings.schedule != 0 || device->options.settings.variant != 0 ||
        device->options.observer || device->options.origins || device->shared_steps ||
        device->cooperative || lines_are_shown(device) || device->interleaved ||
        CPU_SWITCH_SANITIZED || !shared_is_per_thread() || records(device))
        return false;
    /* in_step.c examines the first blocks to see if the kernel relies on lanes in step */
    if (begun < 16 && in_step_is_open(device))
        return false;
    if (begun > 16 && begun % 16)
        return false;
    const long long took = cpu_runtime_clock() - device->launched;
    return took > PAYS_AFTER && (double)took / (double)begun * (double)left > PAYS_REST;
}

/* ---- pieces ---- */

/* The recording belongs to the worker from its turn until its pieces have ended. */
static void lend_recording(struct cpu_device *to, const struct cpu_device *from) {
    to->record = from->record;
    to->records_left = from->records_left;
    to->sequence = from->sequence;
    to->full = from->full;
    to->sites = from->sites;
    to->site_count = from->site_count;
    to->site_capacity = from->site_capacity;
    to->header_warp = NULL;
}

/* The piece of the first block that failed, if any. The caller holds the mutex. */
static size_t last_piece(const struct block_workers *workers) {
    return workers->stop < workers->all
               ? (size_t)((workers->stop - workers->first) / workers->piece_blocks)
               : workers->piece_count;
}

/* The caller holds the mutex. */
static void end_pieces(struct block_worker *worker) {
    struct block_workers *workers = worker->workers;
    struct cpu_device *device = worker->device;
    if (worker->piece_count) {
        workers->pieces[worker->pieces[0]].printed = device->printed;
        text_init(&device->printed);
    }
    if (worker->has_turn)
        lend_recording(workers->device, device);
    worker->has_turn = false;
    workers->device->gave_undefined |= device->gave_undefined;
    for (size_t i = 0; i < worker->piece_count; i++)
        workers->pieces[worker->pieces[i]].ended = true;
    worker->piece_count = 0;
    const size_t before = workers->ended, last = last_piece(workers);
    for (; workers->ended < workers->piece_count && workers->ended <= last &&
           workers->pieces[workers->ended].ended;
         workers->ended++) {
        struct text *printed = &workers->pieces[workers->ended].printed;
        text_append_bytes(&workers->device->printed, printed->data, printed->length);
        text_release(printed);
    }
    if (workers->ended != before) {
        cpu_runtime_flush_some(workers->device);
        pthread_cond_broadcast(&workers->changed);
    }
}

void block_worker_idle(struct cpu_device *device) {
    struct block_worker *worker = device->worker;
    if (worker->from < worker->to || !worker->piece_count)
        return;
    pthread_mutex_lock(&worker->workers->mutex);
    end_pieces(worker);
    pthread_mutex_unlock(&worker->workers->mutex);
}

bool block_worker_has_blocks(const struct cpu_device *device) {
    const struct block_worker *worker = device->worker;
    const struct block_workers *workers = worker->workers;
    const size_t next = __atomic_load_n(&workers->next, __ATOMIC_RELAXED);
    const uint64_t stop = __atomic_load_n(&workers->stop, __ATOMIC_RELAXED);
    return worker->from < worker->to ? worker->from < stop
                                     : next < workers->piece_count &&
                                           workers->first + next * workers->piece_blocks < stop;
}

bool block_worker_take(struct cpu_device *device, uint64_t *number) {
    struct block_worker *worker = device->worker;
    struct block_workers *workers = worker->workers;
    if (!block_worker_has_blocks(device))
        return false;
    if (worker->from == worker->to) {
        const size_t piece = __atomic_fetch_add(&workers->next, 1, __ATOMIC_RELAXED);
        if (piece >= workers->piece_count)
            return false;
        if (worker->piece_count == worker->piece_capacity) {
            worker->piece_capacity = worker->piece_capacity ? 2 * worker->piece_capacity : 16;
            worker->pieces =
                memory_grow(worker->pieces, worker->piece_capacity, sizeof worker->pieces[0]);
        }
        worker->pieces[worker->piece_count++] = piece;
        worker->from = workers->first + piece * workers->piece_blocks;
        worker->to = worker->from + workers->piece_blocks;
        if (worker->to > workers->all)
            worker->to = workers->all;
    }
    *number = worker->from++;
    return true;
}

/* ---- turns ---- */

bool block_worker_await_turn(struct cpu_device *device) {
    struct block_worker *worker = device->worker;
    struct block_workers *workers = worker->workers;
    if (worker->has_turn)
        return true;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TURN_MOST / 1000000000;
    pthread_mutex_lock(&workers->mutex);
    int waited = 0;
    while (workers->ended != worker->pieces[0] && worker->pieces[0] <= last_piece(workers) &&
           waited == 0)
        waited = pthread_cond_timedwait(&workers->changed, &workers->mutex, &until);
    worker->has_turn = workers->ended == worker->pieces[0] && workers->ended <= last_piece(workers);
    if (worker->has_turn)
        lend_recording(device, workers->device);
    pthread_mutex_unlock(&workers->mutex);
    return worker->has_turn;
}

bool block_worker_is_cancelled(struct cpu_device *device) {
    struct block_workers *workers = device->worker->workers;
    pthread_mutex_lock(&workers->mutex);
    const bool over = device->worker->pieces[0] > last_piece(workers);
    pthread_mutex_unlock(&workers->mutex);
    return over;
}

struct cpu_device *block_worker_lock(struct cpu_device *device) {
    pthread_mutex_lock(&device->worker->workers->mutex);
    return device->worker->workers->device;
}

void block_worker_unlock(struct cpu_device *device) {
    pthread_mutex_unlock(&device->worker->workers->mutex);
}

const struct cpu_device *block_worker_launcher(const struct cpu_device *device) {
    return device->worker->workers->device;
}

bool block_worker_spins(struct cpu_device *device) {
    struct block_worker *worker = device->worker;
    struct block_workers *workers = worker->workers;
    const long long clock = cpu_runtime_clock();
    __atomic_store_n(&worker->spun, clock, __ATOMIC_RELAXED);
    if (device->spun++ < SPUN_OFTEN || block_worker_has_blocks(device)) {
        sched_yield();
        return false;
    }
    for (unsigned i = 0; i < workers->count; i++)
        if (__atomic_load_n(&workers->worker[i].runs, __ATOMIC_RELAXED) &&
            clock - __atomic_load_n(&workers->worker[i].spun, __ATOMIC_RELAXED) > SPINS_WITHIN) {
            sched_yield();
            return false;
        }
    return true;
}

/* ---- workers ---- */

/* The launching thread's worker uses the lanes and stacks of the launching device. */
static int make_worker(struct block_workers *workers, unsigned index) {
    struct block_worker *worker = &workers->worker[index];
    const struct cpu_device *from = workers->device;
    struct cpu_device *device = memory_zeroed(1, sizeof *device);
    *worker = (struct block_worker){.workers = workers, .device = device, .index = index};
    *device = *from;
    device->worker = worker;
    device->error = (struct error)ERROR_INIT;
    device->last_error = CPU_SUCCESS;
    device->dropped = 0;
    device->waiting = device->spare = NULL;
    device->waiting_end = &device->waiting;
    device->waiting_count = 0;
    device->parked = NULL;
    device->touched = (struct cpu_touch){0};
    device->step.cells = NULL;
    memset(device->made_sites, 0, sizeof device->made_sites);
    text_init(&device->printed);
    device->plans = memory_zeroed(WARP_OP_XOR + 1, sizeof *device->plans);
    device->header_warp = NULL;
    if (index == 0)
        return 0;
    device->pool = fiber_pool_create();
    device->reads = NULL;
    block_room(device->thread_count, &device->warps, &device->lanes);
    return fiber_pool_reserve(device->pool, device->thread_count,
                              (uint64_t)index * device->thread_count < GUARDED);
}

static void release_worker(struct block_worker *worker) {
    struct cpu_device *device = worker->device;
    if (worker->index != 0) {
        fiber_pool_destroy(device->pool);
        for (unsigned w = 0; w < device->warp_count; w++) {
            free(device->warps[w].rounds);
            lines_release(&device->warps[w]);
        }
        free(device->warps);
        free(device->lanes);
        free(device->reads);
    } else {
        worker->workers->device->reads = device->reads;
    }
    free(device->plans);
    free(device->step.cells);
    sites_release(device);
    text_release(&device->printed);
    free(worker->pieces);
    free(device);
}

static bool has_failed(const struct cpu_device *device) {
    return device->error.kind != ERROR_NONE || device->lasting != CPU_SUCCESS;
}

static void run_worker(struct block_worker *worker) {
    struct block_workers *workers = worker->workers;
    struct cpu_device *device = worker->device;
    worker->thread = pthread_self();
    __atomic_store_n(&worker->runs, true, __ATOMIC_RELEASE);
    cpu_now.device = device;
    cpu_now.on_worker = 1;
    blocks_run_piecewise(device, workers->grid);
    cpu_now.on_worker = cpu_now.in_step = 0;
    pthread_mutex_lock(&workers->mutex);
    if (has_failed(device) && device->block < workers->stop) {
        __atomic_store_n(&workers->stop, device->block, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&workers->changed); /* later pieces get no turn */
    }
    end_pieces(worker);
    __atomic_store_n(&worker->runs, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&workers->mutex);
}

/* A thread of the pool blocks signals; while it runs lanes it accepts those that the launching
 * thread accepts. */
static void run_in_pool(void *context, unsigned index) {
    struct block_workers *workers = context;
    struct block_worker *worker = &workers->worker[index];
    struct cpu_device *device = worker->device;
    if (index == 0) {
        run_worker(worker);
        return;
    }
    if (cpu_thread_begins)
        cpu_thread_begins();
    pthread_sigmask(SIG_SETMASK, &workers->signals, NULL);
    cpu_block_dim = device->block_dim;
    cpu_grid_dim = workers->grid;
    if (device->shared)
        device->shared = cpu_dynamic_shared_memory();
    schedule_number_threads(device);
    run_worker(worker);
    cpu_now.device = NULL;
    if (cpu_thread_ends)
        cpu_thread_ends();
}

/* The first failed block's error becomes the grid's. */
static void take_result(struct block_workers *workers, const struct block_worker *worker) {
    struct cpu_device *device = workers->device;
    const struct cpu_device *result = worker->device;
    if (has_failed(result) && result->block == workers->stop) {
        device->error = result->error;
        device->lasting = result->lasting;
        device->block = result->block;
    }
    if (result->last_error != CPU_SUCCESS)
        device->last_error = result->last_error;
    device->interleaved = device->interleaved || result->interleaved;
    device->dropped += result->dropped;
    if (result->dropped && device->options.sink)
        device->options.sink->drop(device->options.sink->context, result->dropped);
}

static struct block_workers *make_workers(struct cpu_device *device, struct dim3 grid) {
    const uint64_t left = device->blocks_all - device->blocks_begun;
    struct block_workers *workers = memory_zeroed(1, sizeof *workers);
    unsigned count =
        device->options.settings.jobs < WORKERS_MOST ? device->options.settings.jobs : WORKERS_MOST;
    workers->device = device;
    workers->grid = grid;
    workers->first = device->blocks_begun;
    workers->all = device->blocks_all;
    workers->stop = UINT64_MAX;
    const double each = (double)(cpu_runtime_clock() - device->launched) /
                        (double)(device->blocks_begun ? device->blocks_begun : 1);
    double piece = each > 0 ? PIECE / each : 1;
    if (piece > (double)left / (4.0 * count)) /* so that every worker gets some */
        piece = (double)left / (4.0 * count);
    if (piece < (double)left / PIECES_MOST)
        piece = (double)left / PIECES_MOST + 1;
    workers->piece_blocks = piece < 1 ? 1 : (uint64_t)piece;
    workers->piece_count = (size_t)((left + workers->piece_blocks - 1) / workers->piece_blocks);
    workers->pieces = memory_zeroed(workers->piece_count, sizeof *workers->pieces);
    if (count > workers->piece_count)
        count = (unsigned)workers->piece_count;
    pthread_mutex_init(&workers->mutex, NULL);
    pthread_cond_init(&workers->changed, NULL);
    make_worker(workers, 0);
    for (workers->count = 1; workers->count < count; workers->count++)
        if (make_worker(workers, workers->count) != 0) {
            release_worker(&workers->worker[workers->count]);
            break;
        }
    return workers;
}

int block_workers_run(struct cpu_device *device, struct dim3 grid) {
    struct block_workers *workers = make_workers(device, grid);
    struct thread_pool *pool = thread_pool_new(workers->count, workers->count);
    pthread_sigmask(SIG_BLOCK, NULL, &workers->signals);
    __atomic_store_n(&running, workers, __ATOMIC_RELEASE);
    thread_pool_each(pool, run_in_pool, workers);
    __atomic_store_n(&running, NULL, __ATOMIC_RELEASE);
    thread_pool_release(pool); /* freed with the grid, so that a program may fork */
    cpu_now.device = device;
    device->blocks_begun = device->blocks_all;
    for (unsigned i = 0; i < workers->count; i++)
        take_result(workers, &workers->worker[i]);
    /* Pieces after the failed block may have printed, too. */
    for (size_t i = workers->ended; i < workers->piece_count; i++)
        text_release(&workers->pieces[i].printed);
    for (unsigned i = 0; i < workers->count; i++)
        release_worker(&workers->worker[i]);
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->mutex);
    free(workers->pieces);
    free(workers);
    return device->error.kind == ERROR_NONE ? 0 : -1;
}

/* ---- from outside ---- */

bool block_workers_pass_on(int signal) {
    struct block_workers *workers = __atomic_load_n(&running, __ATOMIC_ACQUIRE);
    if (cpu_now.on_worker) /* a worker between two lanes would get it repeatedly */
        return false;
    for (unsigned i = 1; workers && i < workers->count; i++)
        if (__atomic_load_n(&workers->worker[i].runs, __ATOMIC_RELAXED))
            return pthread_kill(workers->worker[i].thread, signal) == 0;
    return false;
}

void block_workers_each_output(void (*part)(const char *text, uint64_t length)) {
    struct block_workers *workers = __atomic_load_n(&running, __ATOMIC_ACQUIRE);
    if (!workers)
        return;
    part(workers->device->printed.data, workers->device->printed.length);
    for (size_t piece = workers->ended; piece < workers->piece_count; piece++) {
        const struct text *text = &workers->pieces[piece].printed;
        if (text->length)
            part(text->data, text->length);
        for (unsigned i = 0; i < workers->count; i++)
            if (workers->worker[i].piece_count && workers->worker[i].pieces[0] == piece)
                part(workers->worker[i].device->printed.data,
                     workers->worker[i].device->printed.length);
        if (piece > workers->next)
            break;
    }
}

int cpu_compare_exchange(void *address, void *expected, const void *desired, size_t size) {
#define EXCHANGE(T)                                                                                \
    {                                                                                              \
        T value;                                                                                   \
        memcpy(&value, desired, sizeof value);                                                     \
        return __atomic_compare_exchange_n((T *)address, (T *)expected, value, 0,                  \
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
    }
    static pthread_mutex_t wide = PTHREAD_MUTEX_INITIALIZER;
    int same;
    switch (size) {
    case 1:
        EXCHANGE(uint8_t)
    case 2:
        EXCHANGE(uint16_t)
    case 4:
        EXCHANGE(uint32_t)
    case 8:
        EXCHANGE(uint64_t)
    default: /* 16 bytes, and anything else that cuda::atomic may hold: one thread at a time */
        pthread_mutex_lock(&wide);
        same = memcmp(address, expected, size) == 0;
        if (same)
            memcpy(address, desired, size);
        else
            memcpy(expected, address, size);
        pthread_mutex_unlock(&wide);
        return same;
    }
#undef EXCHANGE
}
