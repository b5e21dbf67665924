#include "simt/team.h"

#include "base/memory.h"
#include "simt/device_state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEMBERS_MOST 256
/* Nanoseconds. */
#define PAYS_AFTER 200000 /* a launch that has run so long */
#define PAYS_REST                                                                                  \
    10000000 /* and whose rest will take so long is a team's: its stacks are made anew */
#define PIECE        50000 /* a piece is at least so long */
#define TURN_MOST    2000000000LL
#define SPINS_WITHIN 300000000LL
/* In a row that a member finds itself spinning before it asks the others. */
#define SPUN_OFTEN  20
#define PIECES_MOST (1u << 20)
/* Guarded stacks of all members: a system counts mappings. */
#define GUARDED 12288

struct cpu_member {
    struct cpu_team *team;
    struct cpu_device *device;
    unsigned index;
    pthread_t thread;
    bool runs;          /* has a thread that has not ended its part */
    uint64_t from, to;  /* blocks of its piece that it has not begun */
    size_t first_piece; /* of those under way */
    bool has_turn;
    long long spun; /* cpu_runtime_clock() when it last found itself spinning */
    size_t *pieces, piece_count, piece_capacity; /* under way */
};

/* What a piece printed, until its turn comes. */
struct piece_text {
    struct piece_text *next;
    size_t piece;
    struct text text;
};

struct cpu_team {
    struct cpu_device *device;
    struct dim3 grid;
    uint64_t first, all; /* blocks */
    uint64_t piece;      /* blocks of a piece */
    size_t pieces;
    size_t next;   /* piece to be given out */
    uint64_t stop; /* the first block that failed: none from it on begins, or is told of */
    size_t ended;  /* all pieces below have */
    bool *is_ended;
    struct piece_text *texts;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned count;
    struct cpu_member members[MEMBERS_MOST];
};

static struct cpu_team *now; /* that runs a grid, or NULL */

/* ---- whether ---- */

static bool records(const struct cpu_device *device) {
    const struct cpu_sink *sink = device->options.sink;
    return sink && !device->full && !device->left_out &&
           device->sequence != device->recorded_before;
}

bool team_pays(const struct cpu_device *device) {
    const uint64_t begun = device->blocks_begun, left = device->blocks_all - begun;
    if (device->options.settings.jobs < 2 || device->member || left < 2 ||
        device->options.settings.schedule != 0 || device->options.settings.variant != 0 ||
        device->options.observer || device->shared_steps || device->cooperative ||
        device->interleaved || CPU_SWITCH_SANITIZED || !shared_is_by_thread() || records(device))
        return false;
    /* in_step.c looks at the first blocks: does the kernel lean on lanes in step? */
    if (begun < 16 && in_step_is_open(device))
        return false;
    if (begun > 16 && begun % 16)
        return false;
    const long long took = cpu_runtime_clock() - device->launched;
    return took > PAYS_AFTER && (double)took / (double)begun * (double)left > PAYS_REST;
}

/* ---- pieces ---- */

/* Of blocks behind the one that failed. */
static void release_texts(struct cpu_team *team) {
    for (struct piece_text *text = team->texts; text; text = team->texts) {
        team->texts = text->next;
        text_release(&text->text);
        free(text);
    }
}

static void print_piece(struct cpu_team *team, size_t piece) {
    for (struct piece_text **at = &team->texts; *at; at = &(*at)->next) {
        struct piece_text *found = *at;
        if (found->piece != piece)
            continue;
        text_append_bytes(&team->device->printed, found->text.data, found->text.length);
        *at = found->next;
        text_release(&found->text);
        free(found);
        return;
    }
}

/* What records has been the member's, from its turn on; and back. */
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

/* The piece of the first block that failed, if one has; with the mutex. */
static size_t last_piece(const struct cpu_team *team) {
    return team->stop < team->all ? (size_t)((team->stop - team->first) / team->piece)
                                  : team->pieces;
}

/* With the mutex. */
static void end_pieces(struct cpu_member *member) {
    struct cpu_team *team = member->team;
    struct cpu_device *device = member->device;
    if (device->printed.length && member->piece_count) {
        struct piece_text *text = memory_zeroed(1, sizeof *text);
        *text = (struct piece_text){team->texts, member->pieces[0], device->printed};
        text_init(&device->printed);
        team->texts = text;
    }
    if (member->has_turn)
        lend_recording(team->device, device);
    member->has_turn = false;
    for (size_t i = 0; i < member->piece_count; i++)
        team->is_ended[member->pieces[i]] = true;
    member->piece_count = 0;
    const size_t before = team->ended, last = last_piece(team);
    while (team->ended < team->pieces && team->ended <= last && team->is_ended[team->ended])
        print_piece(team, team->ended++);
    if (team->ended != before) {
        cpu_runtime_flush_some(team->device);
        pthread_cond_broadcast(&team->changed);
    }
}

void team_block_ended(struct cpu_device *device) {
    struct cpu_member *member = device->member;
    if (member->from < member->to || !member->piece_count)
        return;
    pthread_mutex_lock(&member->team->mutex);
    end_pieces(member);
    pthread_mutex_unlock(&member->team->mutex);
}

bool team_has_blocks(const struct cpu_device *device) {
    const struct cpu_member *member = device->member;
    const struct cpu_team *team = member->team;
    const size_t next = __atomic_load_n(&team->next, __ATOMIC_RELAXED);
    const uint64_t stop = __atomic_load_n(&team->stop, __ATOMIC_RELAXED);
    return member->from < member->to
               ? member->from < stop
               : next < team->pieces && team->first + next * team->piece < stop;
}

bool team_take(struct cpu_device *device, uint64_t *number) {
    struct cpu_member *member = device->member;
    struct cpu_team *team = member->team;
    if (!team_has_blocks(device))
        return false;
    if (member->from == member->to) {
        const size_t piece = __atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED);
        if (piece >= team->pieces)
            return false;
        if (member->piece_count == member->piece_capacity) {
            member->piece_capacity = member->piece_capacity ? 2 * member->piece_capacity : 16;
            member->pieces =
                memory_grow(member->pieces, member->piece_capacity, sizeof member->pieces[0]);
        }
        member->pieces[member->piece_count++] = piece;
        member->from = team->first + piece * team->piece;
        member->to =
            member->from + team->piece < team->all ? member->from + team->piece : team->all;
    }
    *number = member->from++;
    return true;
}

/* ---- turns ---- */

bool team_turn(struct cpu_device *device) {
    struct cpu_member *member = device->member;
    struct cpu_team *team = member->team;
    if (member->has_turn)
        return true;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TURN_MOST / 1000000000;
    pthread_mutex_lock(&team->mutex);
    int waited = 0;
    while (team->ended != member->pieces[0] && member->pieces[0] <= last_piece(team) && waited == 0)
        waited = pthread_cond_timedwait(&team->changed, &team->mutex, &until);
    member->has_turn = team->ended == member->pieces[0] && team->ended <= last_piece(team);
    if (member->has_turn)
        lend_recording(device, team->device);
    pthread_mutex_unlock(&team->mutex);
    return member->has_turn;
}

bool team_is_over(struct cpu_device *device) {
    struct cpu_team *team = device->member->team;
    pthread_mutex_lock(&team->mutex);
    const bool over = device->member->pieces[0] > last_piece(team);
    pthread_mutex_unlock(&team->mutex);
    return over;
}

struct cpu_device *team_lock(struct cpu_device *device) {
    pthread_mutex_lock(&device->member->team->mutex);
    return device->member->team->device;
}

void team_unlock(struct cpu_device *device) {
    pthread_mutex_unlock(&device->member->team->mutex);
}

const struct cpu_device *team_launcher(const struct cpu_device *device) {
    return device->member->team->device;
}

bool team_spins(struct cpu_device *device) {
    struct cpu_member *member = device->member;
    struct cpu_team *team = member->team;
    const long long clock = cpu_runtime_clock();
    __atomic_store_n(&member->spun, clock, __ATOMIC_RELAXED);
    if (device->spun++ < SPUN_OFTEN || team_has_blocks(device)) {
        sched_yield();
        return false;
    }
    for (unsigned i = 0; i < team->count; i++)
        if (__atomic_load_n(&team->members[i].runs, __ATOMIC_RELAXED) &&
            clock - __atomic_load_n(&team->members[i].spun, __ATOMIC_RELAXED) > SPINS_WITHIN) {
            sched_yield();
            return false;
        }
    return true;
}

/* ---- members ---- */

/* The launching thread's has the launching device's lanes and stacks. */
static int make_member(struct cpu_team *team, unsigned index) {
    struct cpu_member *member = &team->members[index];
    const struct cpu_device *from = team->device;
    struct cpu_device *device = memory_zeroed(1, sizeof *device);
    *member = (struct cpu_member){.team = team, .device = device, .index = index};
    *device = *from;
    device->member = member;
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

static void release_member(struct cpu_member *member) {
    struct cpu_device *device = member->device;
    if (member->index != 0) {
        fiber_pool_destroy(device->pool);
        for (unsigned w = 0; w < device->warp_count; w++)
            free(device->warps[w].rounds);
        free(device->warps);
        free(device->lanes);
        free(device->reads);
    } else {
        member->team->device->reads = device->reads;
    }
    free(device->plans);
    free(device->step.cells);
    sites_release(device);
    text_release(&device->printed);
    free(member->pieces);
    free(device);
}

static bool has_failed(const struct cpu_device *device) {
    return device->error.kind != ERROR_NONE || device->lasting != CPU_SUCCESS;
}

static void run_member(struct cpu_member *member) {
    struct cpu_team *team = member->team;
    struct cpu_device *device = member->device;
    cpu_now.device = device;
    cpu_now.in_team = 1;
    blocks_run_piecewise(device, team->grid);
    cpu_now.in_team = cpu_now.in_step = 0;
    pthread_mutex_lock(&team->mutex);
    if (has_failed(device) && device->block < team->stop) {
        __atomic_store_n(&team->stop, device->block, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&team->changed); /* those behind it have no turn any more */
    }
    end_pieces(member);
    __atomic_store_n(&member->runs, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&team->mutex);
}

static void *member_main(void *context) {
    struct cpu_member *member = context;
    struct cpu_device *device = member->device;
    if (cpu_thread_begins)
        cpu_thread_begins();
    cpu_block_dim = member->team->device->block_dim;
    cpu_grid_dim = member->team->grid;
    if (device->shared)
        device->shared = cpu_dynamic_shared_memory();
    schedule_number_threads(device);
    run_member(member);
    cpu_now.device = NULL;
    if (cpu_thread_ends)
        cpu_thread_ends();
    return NULL;
}

/* What a member leaves: the error of the first block that failed is the grid's. */
static void take_result(struct cpu_team *team, const struct cpu_member *member) {
    struct cpu_device *device = team->device;
    const struct cpu_device *result = member->device;
    if (has_failed(result) && result->block == team->stop) {
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

static struct cpu_team *make_team(struct cpu_device *device, struct dim3 grid) {
    const uint64_t left = device->blocks_all - device->blocks_begun;
    struct cpu_team *team = memory_zeroed(1, sizeof *team);
    unsigned count =
        device->options.settings.jobs < MEMBERS_MOST ? device->options.settings.jobs : MEMBERS_MOST;
    team->device = device;
    team->grid = grid;
    team->first = device->blocks_begun;
    team->all = device->blocks_all;
    team->stop = UINT64_MAX;
    const double each = (double)(cpu_runtime_clock() - device->launched) /
                        (double)(device->blocks_begun ? device->blocks_begun : 1);
    double piece = each > 0 ? PIECE / each : 1;
    if (piece > (double)left / (4.0 * count)) /* all have something to do until the end */
        piece = (double)left / (4.0 * count);
    if (piece < (double)left / PIECES_MOST)
        piece = (double)left / PIECES_MOST + 1;
    team->piece = piece < 1 ? 1 : (uint64_t)piece;
    team->pieces = (size_t)((left + team->piece - 1) / team->piece);
    team->is_ended = memory_zeroed(team->pieces, sizeof *team->is_ended);
    if (count > team->pieces)
        count = (unsigned)team->pieces;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->changed, NULL);
    make_member(team, 0);
    for (team->count = 1; team->count < count; team->count++)
        if (make_member(team, team->count) != 0) {
            release_member(&team->members[team->count]);
            break;
        }
    return team;
}

int team_run(struct cpu_device *device, struct dim3 grid) {
    struct cpu_team *team = make_team(device, grid);
    __atomic_store_n(&now, team, __ATOMIC_RELEASE);
    team->members[0].runs = true;
    for (unsigned i = 1; i < team->count; i++) {
        team->members[i].runs = true;
        if (pthread_create(&team->members[i].thread, NULL, member_main, &team->members[i]) != 0) {
            for (unsigned j = i; j < team->count; j++) {
                team->members[j].runs = false;
                release_member(&team->members[j]);
            }
            team->count = i;
        }
    }
    run_member(&team->members[0]);
    cpu_now.device = device;
    for (unsigned i = 1; i < team->count; i++)
        pthread_join(team->members[i].thread, NULL);
    __atomic_store_n(&now, NULL, __ATOMIC_RELEASE);
    device->blocks_begun = device->blocks_all;
    for (unsigned i = 0; i < team->count; i++)
        take_result(team, &team->members[i]);
    release_texts(team);
    for (unsigned i = 0; i < team->count; i++)
        release_member(&team->members[i]);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->mutex);
    free(team->is_ended);
    free(team);
    return device->error.kind == ERROR_NONE ? 0 : -1;
}

/* ---- from outside ---- */

bool team_pass_on(int signal) {
    struct cpu_team *team = __atomic_load_n(&now, __ATOMIC_ACQUIRE);
    if (cpu_now.in_team) /* a member, between two lanes: it would get it again, and again */
        return false;
    for (unsigned i = 1; team && i < team->count; i++)
        if (__atomic_load_n(&team->members[i].runs, __ATOMIC_RELAXED))
            return pthread_kill(team->members[i].thread, signal) == 0;
    return false;
}

void team_each_printed(void (*part)(const char *text, uint64_t length)) {
    struct cpu_team *team = __atomic_load_n(&now, __ATOMIC_ACQUIRE);
    if (!team)
        return;
    part(team->device->printed.data, team->device->printed.length);
    for (size_t piece = team->ended; piece < team->pieces; piece++) {
        for (const struct piece_text *text = team->texts; text; text = text->next)
            if (text->piece == piece)
                part(text->text.data, text->text.length);
        for (unsigned i = 0; i < team->count; i++)
            if (team->members[i].piece_count && team->members[i].pieces[0] == piece)
                part(team->members[i].device->printed.data,
                     team->members[i].device->printed.length);
        if (piece > team->next)
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
    default: /* of 16 bytes, and of what cuda::atomic may hold: one after the other */
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
