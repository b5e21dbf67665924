/*
 * device_state.h - the inside of the CPU warp, shared by its own files alone.
 */
#ifndef SHFLVIZ_CPU_DEVICE_STATE_H
#define SHFLVIZ_CPU_DEVICE_STATE_H

#include "shflviz/site.h"
#include "simt/fiber.h"
#include "simt/simt.h"
#include "trace/failure.h"

/* One step of watched variables (watch.c), or of accesses to shared memory (shared_steps.c), that
 * lanes are still being added to. */
struct cpu_watch_round {
    const struct shflviz_site *site;
    uint8_t op, type, bytes; /* bytes: of an access of one lane */
    uint32_t present;
    uint32_t release; /* of an access: cpu_warp's when it began */
    uint64_t value[CPU_WARP_LANES];
    uint64_t before[CPU_WARP_LANES]; /* of an access; of one of 9 to 16 bytes the upper half of what
                                        is there afterwards */
    int32_t offset[CPU_WARP_LANES];
};

/* An access of the running lane to shared memory. */
struct cpu_access {
    const struct shflviz_site *site;
    const void *address;
    int32_t offset; /* in the block's shared memory or in global memory, as the recording has it */
    uint8_t op;     /* enum warp_op */
    uint8_t type;   /* enum warp_type: of the variable's elements */
    uint8_t bytes;  /* 1 to 16 */
    uint8_t vector; /* bytes of the vector type (float4) that the variable consists of; else 0 */
    bool has_given_way; /* the lane has kept pace already */
};

/* The access to shared memory that was begun last: what it left is read when the next begins, or
 * when its step is recorded. */
struct cpu_touch {
    struct cpu_warp *warp; /* NULL: none */
    unsigned lane, kind, bytes;
    const void *address;
    const struct shflviz_site *site;
};

/* Indexes of sites in the recording, by address. */
struct cpu_site_slot {
    const struct shflviz_site *site;
    uint32_t index;
};

/* For each lane, the lane it reads: shuffle_address() worked out once per op, width and argument.
 */
struct cpu_plan {
    bool known;
    uint8_t source[CPU_WARP_LANES];
};
#define CPU_PLAN_WIDTHS 6 /* 1 2 4 8 16 32 */

/* A place that was made while a kernel ran (cpu_site()). */
struct cpu_made_site {
    struct cpu_made_site *next;
    const struct shflviz_site *site; /* of the host's device; a worker borrows it */
};
#define CPU_MADE_SITE_LISTS 64

/* The volatile reads that a lane made last, since it wrote or came to an operation (lockstep.c). */
#define CPU_LAST_READS 4
struct cpu_reads {
    const void *pc; /* of the access that the lane gives way before */
    struct {
        const void *pc, *address;
        uint64_t value;
    } last[CPU_LAST_READS];
    unsigned next;     /* where the next goes, counted on; 0: none is kept */
    unsigned repeated; /* reads in a row that found what they had found before */
};

/* All that is a block's own, while another block runs. */
struct cpu_block {
    struct cpu_block *next;
    uint64_t number; /* linear */
    struct uint3 index;
    unsigned current_warp;
    int barrier_result, barrier_threads;
    uint64_t barriers, grid_barriers; /* that opened; of them, that the grid was met behind */
    struct cpu_lane *lane;            /* the one that goes on */
    bool at_grid;                     /* until all blocks are */
    struct fiber_pool *pool;
    struct cpu_warp *warps;
    struct cpu_lane *lanes;
    struct cpu_reads *reads;
    uint8_t *shared; /* copy of its shared memory */
};

enum cpu_step_memory { CPU_STEP_SHARED, CPU_STEP_GLOBAL, CPU_STEP_MEMORIES };
/* A kernel that leans on lanes in step at a memory (in_step.c). */
struct cpu_step_kernel {
    char *name;
    int memory;
};

struct block_worker; /* block_workers.h */
struct cpu_api;      /* what belongs to the host functions: api.h */

struct cpu_device {
    struct cpu_options options;
    struct error error; /* kind ERROR_NONE until something fails */
    bool left_out;      /* the filter leaves the whole launch out */
    bool unfiltered;    /* record what the filter would leave out */
    uint64_t random;    /* state of the schedule's generator; never 0 */
    uint64_t poisons;   /* undefined values given, where no two are to be alike */
    bool gave_undefined;

    /* the launch that runs */
    void (*call)(void *context);
    void *call_context;
    uint32_t launch; /* index in the recording */
    char kernel[128];
    long long launched; /* cpu_runtime_clock() */
    uint8_t *shared;    /* dynamic shared memory, or NULL */
    size_t shared_bytes;

    /* the block that runs */
    uint64_t block; /* linear */
    unsigned thread_count, warp_count;
    struct dim3 block_dim;
    unsigned current_warp;
    int barrier_result, barrier_threads;
    uint64_t unchanged; /* atomic operations and volatile reads in a row that changed nothing */
    uint64_t resumed;   /* `unchanged` when the block began or went on */
    uint64_t barriers, grid_barriers;
    unsigned yields;
    struct cpu_context host;
    struct fiber_pool *pool;
    struct cpu_warp *warps;  /* CPU_BLOCK_WARPS */
    struct cpu_lane *lanes;  /* CPU_BLOCK_THREADS */
    struct cpu_reads *reads; /* of each lane; NULL until one gives way */

    /* blocks that wait for other blocks (blocks.c) */
    const struct shflviz_site *grid_site; /* of the last grid.sync() */
    struct cpu_lane *parked; /* set by the lane that stopped its block, until it goes on */
    bool parked_at_grid;
    uint64_t blocks_begun, blocks_all;
    struct cpu_block *waiting, **waiting_end; /* the one that goes on next is first */
    struct cpu_block *spare;                  /* room of blocks that have ended */
    unsigned waiting_count;
    bool interleaved;            /* in this launch more than one block has been under way */
    bool cooperative;            /* the launch is: its blocks meet */
    struct block_worker *worker; /* that this device is of; NULL: it runs a grid alone */
    uint64_t recorded_before;    /* `sequence` when the launch began */
    unsigned spun;               /* how often in a row a worker has been found to spin */

    struct {               /* in_step.c: at shared memory, at global memory */
        unsigned expected; /* of the kernel that is launched next */
        /* The kernel may lean on lanes in step; it does. */
        bool is_named[CPU_STEP_MEMORIES], is_known[CPU_STEP_MEMORIES];
        uint64_t first_free[CPU_STEP_MEMORIES]; /* block whose lanes did not keep step; 0: none */
        uint64_t epoch;
        struct cpu_step_cell *cells;
        struct cpu_step_kernel *kernels; /* that do */
        size_t count;
    } step;

    /* the recording */
    uint8_t *record;     /* the next free one */
    size_t records_left; /* from there on */
    size_t record_size;
    uint64_t sequence; /* of the next step: its number + 1 */
    bool full;
    uint64_t dropped;
    /* The header of a full step, for steps of the same call of the same warp (record_full()). */
    struct shflviz_record_header header;
    const struct cpu_warp *header_warp; /* NULL: none */
    uint64_t header_id, header_key;
    struct cpu_site_slot *sites;
    size_t site_count, site_capacity;                      /* capacity is a power of two */
    struct cpu_made_site *made_sites[CPU_MADE_SITE_LISTS]; /* by line */
    struct cpu_plan (*plans)[CPU_PLAN_WIDTHS][CPU_WARP_LANES];
    uint32_t wide_types; /* a bit for each type of 64 bits */
    bool shared_steps;   /* accesses to memory are recorded */
    struct cpu_touch touched;

    struct cpu_api *api;                        /* NULL until one has been called */
    void (*api_end)(struct cpu_device *device); /* ends all that they have made; NULL: nothing */
    struct text printed;
    int last_error;
    int lasting; /* error that a kernel left, until the device is reset */
};

/* Gives out what kernels have printed (runtime.c). */
void cpu_runtime_flush(void);
/* The same if it is much, or was printed long ago. */
void cpu_runtime_flush_some(struct cpu_device *device);

/* The device of the host's functions (cpu_device_use()), for all threads of the host. */
extern struct cpu_device *cpu_used_device;
/* The device that whoever asks means: of the lane that asks, else the host's. */
static inline struct cpu_device *cpu_device_in_use(void) {
    return cpu_now.device ? cpu_now.device : cpu_used_device;
}
/* Whether a lane asks, not a thread of the host beside the kernel. */
static inline bool cpu_is_lane(void) {
    return cpu_now.lane != NULL;
}
/* A kernel has asked for memory by malloc() or new (cudacpu/guest/heap.c). */
extern bool cpu_has_device_heap __attribute__((weak));

static inline bool lanes_hold(uint32_t lanes, unsigned lane) {
    return lanes >> lane & 1;
}

static inline uint32_t warp_alive(const struct cpu_warp *warp) {
    return warp->launched & ~warp->exited;
}

/* Lanes that wait at a warp operation; `running` is the bit of the lane that runs, if any. */
static inline uint32_t warp_waiting(const struct cpu_warp *warp, uint32_t running) {
    return warp_alive(warp) & ~(warp->ready | warp->at_barrier | warp->giving_way | running);
}

/* ---- runtime.c ---- */
/* The error that stays until the device is reset, or CPU_SUCCESS. */
int device_lasting_error(const struct cpu_device *device);

/* ---- schedule.c ---- */
uint64_t schedule_random(struct cpu_device *device);
/* True once in `of` times, and never in lane order. */
bool schedule_chance(struct cpu_device *device, unsigned of);
/* Runs one block to its end, or until it is parked. Returns 0, or -1 with device->error set. */
int schedule_run_block(struct cpu_device *device);
/* Gives each lane of the blocks to come its threadIdx. */
void schedule_number_threads(struct cpu_device *device);
/* The same for a block that was parked when `lane` ran. */
int schedule_resume_block(struct cpu_device *device, struct cpu_lane *lane);
/* The running lane ends here, wherever in the kernel that is. */
_Noreturn void schedule_end_lane(struct cpu_device *device);
/* The running lane's block ends here, with device->error set. */
_Noreturn void schedule_abandon(struct cpu_device *device);

/* The running lane, at `pc`, waits until its warp's others have come there or elsewhere: those who
 * have come go on in lane order. */
void schedule_keep_step(const void *pc);
/* The same before an access that waits for nobody. */
void schedule_keep_pace(const void *pc);

/* ---- blocks.c ---- */
/* Runs all blocks of a grid. Returns 0, or -1 with device->error set. */
int blocks_run(struct cpu_device *device, struct dim3 grid);
/* A worker's part: blocks until there are no more to take. Returns the same. */
int blocks_run_piecewise(struct cpu_device *device, struct dim3 grid);
/* Whether another block could run while this one waits. */
bool blocks_can_wait(const struct cpu_device *device);

/* ---- runtime.c ---- */
/* Shared memory of the block that runs: its size, to and from a buffer of that size, made fresh. */
size_t shared_size(const struct cpu_device *device);
void shared_save(const struct cpu_device *device, uint8_t *buffer);
void shared_restore(const struct cpu_device *device, const uint8_t *buffer);
void shared_begin(struct cpu_device *device);
/* Whether each thread of the host has shared memory of its own. */
bool shared_is_by_thread(void);
/* Warps and lanes of a block of so many threads; all bits 0 but for who is whose. */
void block_room(unsigned threads, struct cpu_warp **warps, struct cpu_lane **lanes);

/* ---- lockstep.c ---- */
/* Notes where the lane spins, for spin_report(). */
void lockstep_note(struct cpu_device *device, const struct cpu_lane *me, const void *pc);
/* The running lane gives way before an access; the caller stops it. */
void lockstep_enter(struct cpu_device *device, struct cpu_lane *me, const void *pc,
                    const void *address, size_t size, bool writes);
/* The same before an access that is not looked at for spinning: nobody waits by it. */
void lockstep_wait(struct cpu_device *device, struct cpu_lane *me, const void *pc);
/* Nothing in the warp is ready: lets the lanes go on that are before the same access, if any does
 * something new, or, with `spinning`, all. True if there were some. */
bool lockstep_release(struct cpu_device *device, struct cpu_warp *warp, bool spinning);

/* ---- in_step.c ---- */
/* The kernel that is launched next may lean on lanes in step at these memories, a bit for each. */
void in_step_expect(struct cpu_device *device, unsigned memories);
/* A launch begins, a block of it, and it ends. */
void in_step_launch(struct cpu_device *device);
void in_step_block(struct cpu_device *device);
void in_step_end(struct cpu_device *device);
void in_step_release(struct cpu_device *device);
/* Whether it is not known yet if the kernel leans on lanes in step. */
bool in_step_is_open(const struct cpu_device *device);
/* The running lane, of which cpu_now.in_step is set, is about to access memory. */
void in_step_access(const void *address, size_t size, bool writes, bool is_shared, const void *pc);

/* ---- rendezvous.c ---- */
/* No lane of the warp can run: completes what can be completed. True if a lane became ready. */
bool rendezvous_complete(struct cpu_device *device, struct cpu_warp *warp);
/* True for what rendezvous_complete_full() can complete. */
bool rendezvous_is_plain(const struct cpu_call *call);
/* All 32 lanes wait at the open call, which is plain: completes it. */
void rendezvous_complete_full(struct cpu_device *device, struct cpu_warp *warp);
/* A lane has come to an operation: completes it now if every lane it waits for is there, instead of
 * when nothing else can run. */
void rendezvous_complete_early(struct cpu_device *device, struct cpu_warp *warp, unsigned lane);
/* Lets lanes go that wait at a call whose mask does not name them. True if there was one. */
bool rendezvous_release_outsiders(struct cpu_device *device, struct cpu_warp *warp);
/* The run ends: records what the warp's lanes still wait at, as unfinished, a step for each place.
 */
void rendezvous_record_waiting(struct cpu_device *device, struct cpu_warp *warp);
/* What a waiting lane waits at. */
const struct cpu_call *rendezvous_call(const struct cpu_warp *warp, unsigned lane);
/* True if lanes with these calls belong to one operation. */
bool rendezvous_same(const struct cpu_call *a, const struct cpu_call *b);

/* ---- record.c ---- */
void sites_release(struct cpu_device *device);
void record_begin_launch(struct cpu_device *device, const struct trace_launch *launch);
/* A step of all 32 lanes at the open call; `in` and `out` have values of `bytes` bytes. */
void record_full(struct cpu_device *device, const struct cpu_warp *warp, const void *in,
                 const void *out, unsigned bytes);
/* Whether the next step, of values of at most 4 bytes, will be recorded; if not, it is counted. */
bool record_has_room(struct cpu_device *device, const struct cpu_warp *warp,
                     const struct shflviz_site *site);
void record_operation(struct cpu_device *device, const struct cpu_warp *warp,
                      const struct shflviz_site *site, const struct warp_operation *operation,
                      bool mask_diverges);

/* ---- watch.c ---- */
/* Records the rounds that hold one of `lanes`, and those begun before them. */
void watch_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes);
/* A new round behind all others, to be filled; the first is recorded where there are too many. */
struct cpu_watch_round *watch_begin(struct cpu_device *device, struct cpu_warp *warp);
/* Records the first `count` rounds. */
void watch_record_first(struct cpu_device *device, struct cpu_warp *warp, size_t count);

/* ---- lines.c ---- */
/* A block begins: which of its warps are shown. */
void lines_begin_block(struct cpu_device *device);
/* Lanes come to an operation: what they have told until then is recorded, before that. */
void lines_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes);
/* The warp has ended, or goes on no more. */
void lines_end(struct cpu_device *device, struct cpu_warp *warp);
void lines_release(struct cpu_warp *warp);
/* Whether the launch has warps that are shown. */
bool lines_are_shown(const struct cpu_device *device);

/* ---- shared_steps.c ---- */
/* The running lane, at `pc`, is about to make an access that is to be recorded: it comes to it
 * together with other lanes of its warp. */
void cpu_shared_access(const struct cpu_access *access, const void *pc);
/* True if the access is the next component of a vector that the lane was accessing: compilers take
 * float4 apart, which a GPU accesses at once. It has been added to that access. */
bool cpu_shared_extends(const struct cpu_access *access);
/* What the last access left is read, before the next or before its step is recorded. */
void shared_settle(struct cpu_device *device);
/* The block's lanes go on behind a barrier, or end: all steps of accesses are recorded. */
void shared_flush(struct cpu_device *device);

/* ---- deadlock.c ---- */
/* Both fill device->error and record where lanes wait: a deadlock, or lanes that spin for ever. */
void deadlock_report(struct cpu_device *device);
void spin_report(struct cpu_device *device);
/* A lane has followed a pointer to where it may not: `what` says who, where and why, `lasting` is
 * what the host finds. */
void fault_report(struct cpu_device *device, const char *what, int lasting);
/* Blocks wait at grid.sync() for blocks that never come. */
void grid_report(struct cpu_device *device);

#endif
