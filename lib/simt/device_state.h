/* device_state.h - the internals of the CPU warp, for its own files only. */
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
    uint8_t op, type, bytes; /* bytes of one lane's access */
    uint32_t present;
    uint32_t release; /* that of cpu_warp when the access began */
    uint64_t value[CPU_WARP_LANES];
    uint64_t before[CPU_WARP_LANES]; /* of an access; if it has 9 to 16 bytes, the upper half of
                                        the memory's new value */
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
    bool has_given_way; /* the lane has already kept step at this access */
};

/* The latest access to shared memory. Its result is read when the next begins, or when its step is
 * recorded. */
struct cpu_touch {
    struct cpu_warp *warp; /* NULL if there is none */
    unsigned lane, kind, bytes;
    const void *address;
    const struct shflviz_site *site;
};

/* Indexes of sites in the recording, by address. */
struct cpu_site_slot {
    const struct shflviz_site *site;
    uint32_t index;
};

/* For each lane, the lane it reads: shuffle_address() worked out once per op, width and
 * argument. */
struct cpu_plan {
    bool known;
    uint8_t source[CPU_WARP_LANES];
};
#define CPU_PLAN_WIDTHS 6 /* 1 2 4 8 16 32 */

/* A site made while a kernel ran (cpu_site()). */
struct cpu_made_site {
    struct cpu_made_site *next;
    const struct shflviz_site *site; /* the host device's; a worker borrows it */
};
#define CPU_MADE_SITE_LISTS 64

/* The lane's most recent volatile reads since it last wrote or reached an operation
 * (lockstep.c). */
#define CPU_LAST_READS 4
struct cpu_reads {
    const void *pc; /* of the access that the lane yields before */
    struct {
        const void *pc, *address;
        uint64_t value;
    } last[CPU_LAST_READS];
    unsigned next;     /* index of the next, never wrapped; 0 if none is kept */
    unsigned repeated; /* consecutive reads that found the value they had found before */
};

/* Everything that belongs to one block, kept while another runs. */
struct cpu_block {
    struct cpu_block *next;
    uint64_t number; /* linear */
    struct uint3 index;
    unsigned current_warp;
    int barrier_result, barrier_threads;
    uint64_t barriers, grid_barriers; /* barriers that have opened, and those that had when the
                                       * block last met the grid */
    struct cpu_lane *lane;            /* the lane that continues */
    bool at_grid;                     /* until all blocks are there */
    struct fiber_pool *pool;
    struct cpu_warp *warps;
    struct cpu_lane *lanes;
    struct cpu_reads *reads;
    uint8_t *shared; /* copy of its shared memory */
};

enum cpu_step_memory { CPU_STEP_SHARED, CPU_STEP_GLOBAL, CPU_STEP_MEMORIES };
/* A kernel that relies on lanes in step at this memory (in_step.c). */
struct cpu_step_kernel {
    char *name;
    int memory;
};

struct block_worker; /* block_workers.h */
struct cpu_api;      /* state of the host functions: api.h */

struct cpu_device {
    struct cpu_options options;
    struct error error; /* kind ERROR_NONE until something fails */
    bool left_out;      /* the filter leaves the whole launch out */
    bool unfiltered;    /* record what the filter would leave out */
    uint64_t random;    /* state of the schedule's generator; never 0 */
    uint64_t poisons;   /* number of undefined values handed out, if no two may be alike */
    bool gave_undefined;

    /* the current launch */
    void (*call)(void *context);
    void *call_context;
    uint32_t launch; /* index in the recording */
    char kernel[128];
    long long launched; /* cpu_runtime_clock() */
    uint8_t *shared;    /* dynamic shared memory, or NULL */
    size_t shared_bytes;

    /* the current block */
    uint64_t block; /* linear */
    unsigned thread_count, warp_count;
    struct dim3 block_dim;
    unsigned current_warp;
    int barrier_result, barrier_threads;
    uint64_t unchanged; /* atomic operations and volatile reads in a row that changed nothing */
    uint64_t resumed;   /* `unchanged` when the block began or continued */
    uint64_t barriers, grid_barriers;
    unsigned yields;
    struct cpu_context host;
    struct fiber_pool *pool;
    struct cpu_warp *warps;  /* CPU_BLOCK_WARPS */
    struct cpu_lane *lanes;  /* CPU_BLOCK_THREADS */
    struct cpu_reads *reads; /* per lane; NULL until one yields */

    /* blocks that wait for other blocks (blocks.c) */
    const struct shflviz_site *grid_site; /* of the last grid.sync() */
    struct cpu_lane *parked; /* set by the lane that stopped its block, until it continues */
    bool parked_at_grid;
    uint64_t blocks_begun, blocks_all;
    struct cpu_block *waiting, **waiting_end; /* the next to continue is first */
    struct cpu_block *spare;                  /* room of blocks that have ended */
    unsigned waiting_count;
    /* The number of blocks that a GPU of this device's size holds at once, 0 if that does not
     * matter; and of those resumed in vain since one ended or changed memory. */
    uint64_t blocks_held, resumed_in_vain;
    uint64_t changes, changes_before; /* operations of lanes that changed memory */
    bool interleaved;                 /* this launch has had more than one block under way */
    bool cooperative;                 /* the launch is cooperative: its blocks meet */
    struct block_worker *worker; /* the worker that this device belongs to; NULL if it runs grids
                                  * alone */
    uint64_t recorded_before;    /* `sequence` when the launch began */
    unsigned spun;               /* how many times in a row a worker was found spinning */

    struct {               /* in_step.c: for shared memory, for global memory */
        unsigned expected; /* of the kernel that is launched next */
        /* True if the kernel may rely on lanes in step; true if it is known to. */
        bool is_named[CPU_STEP_MEMORIES], is_known[CPU_STEP_MEMORIES];
        uint64_t first_free[CPU_STEP_MEMORIES]; /* first block whose lanes did not keep step, + 1;
                                                 * 0 if there is none */
        uint64_t epoch;
        struct cpu_step_cell *cells;
        struct cpu_step_kernel *kernels; /* the kernels known to do so */
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
    uint32_t wide_types; /* a bit for each 64-bit type */
    bool shared_steps;   /* accesses to memory are recorded */
    struct cpu_touch touched;

    struct cpu_api *api;                        /* NULL until one has been called */
    bool refused_launch;                        /* for its size; the reader clears it */
    void (*api_end)(struct cpu_device *device); /* frees everything that the host functions have
                                                 * made; NULL if they made nothing */
    struct text printed;
    int last_error;
    int lasting; /* error that a kernel raised, until the device is reset */
};

/* Writes the text that kernels have printed (runtime.c). */
void cpu_runtime_flush(void);
/* Does so only if there is a lot of text, or it was printed long ago. */
void cpu_runtime_flush_some(struct cpu_device *device);

/* The device of the host's functions (cpu_device_use()), for all threads of the host. */
extern struct cpu_device *cpu_used_device;
/* The caller's device: the lane's in a kernel, else the host's. */
static inline struct cpu_device *cpu_device_in_use(void) {
    return cpu_now.device ? cpu_now.device : cpu_used_device;
}
/* True if the caller is a lane, as opposed to a host thread beside the kernel. */
static inline bool cpu_is_lane(void) {
    return cpu_now.lane != NULL;
}
/* True once a kernel has requested memory with malloc() or new (cudacpu/guest/heap.c). */
extern bool cpu_has_device_heap __attribute__((weak));

static inline bool lanes_hold(uint32_t lanes, unsigned lane) {
    return lanes >> lane & 1;
}

static inline uint32_t warp_alive(const struct cpu_warp *warp) {
    return warp->launched & ~warp->exited;
}

/* Lanes that wait at a warp operation; `running` is the bit of the lane that runs, if any. */
static inline uint32_t warp_waiting(const struct cpu_warp *warp, uint32_t running) {
    return warp_alive(warp) & ~(warp->ready | warp->at_barrier | warp->yielding | running);
}

/* ---- runtime.c ---- */
/* The error that stays until the device is reset, or CPU_SUCCESS. */
int device_lasting_error(const struct cpu_device *device);

/* ---- schedule.c ---- */
uint64_t schedule_random(struct cpu_device *device);
/* True once in `of` calls on average, and never in lane order. */
bool schedule_chance(struct cpu_device *device, unsigned of);
/* Runs one block to its end, or until it is parked. Returns 0, or -1 with device->error set. */
int schedule_run_block(struct cpu_device *device);
/* Gives each lane of the blocks to come its threadIdx. */
void schedule_number_threads(struct cpu_device *device);
/* Continues a block that was parked while `lane` ran; otherwise like schedule_run_block(). */
int schedule_resume_block(struct cpu_device *device, struct cpu_lane *lane);
/* Ends the running lane, wherever in the kernel it is. */
_Noreturn void schedule_end_lane(struct cpu_device *device);
/* Ends the running lane's block, with device->error set. */
_Noreturn void schedule_abandon(struct cpu_device *device);

/* The running lane, at `pc`, waits until the others of its warp have arrived there or stopped;
 * those that have arrived continue in lane order. */
void schedule_keep_step(const void *pc);
/* The same before an access that no lane uses to wait for another. */
void schedule_keep_pace(const void *pc);

/* ---- blocks.c ---- */
/* Runs all blocks of a grid. Returns 0, or -1 with device->error set. */
int blocks_run(struct cpu_device *device, struct dim3 grid);
/* A worker's part of that: runs blocks until there are no more to take. Returns the same. */
int blocks_run_piecewise(struct cpu_device *device, struct dim3 grid);
/* True if another block could run while this one waits. */
bool blocks_can_wait(const struct cpu_device *device);

/* ---- runtime.c ---- */
/* The running block's shared memory: its size, copied to and from a buffer of that size, and
 * reset. */
size_t shared_size(const struct cpu_device *device);
void shared_save(const struct cpu_device *device, uint8_t *buffer);
void shared_restore(const struct cpu_device *device, const uint8_t *buffer);
void shared_begin(struct cpu_device *device);
/* True if each host thread has its own shared memory. */
bool shared_is_per_thread(void);
/* Allocates the warps and lanes of a block of that many threads. Everything is zero except the
 * indexes of warps and lanes, and their pointers to each other. */
void block_room(unsigned threads, struct cpu_warp **warps, struct cpu_lane **lanes);

/* ---- lockstep.c ---- */
/* Records where the lane spins, for spin_report(). */
void lockstep_note(struct cpu_device *device, const struct cpu_lane *me, const void *pc);
/* The running lane yields before an access; the caller stops it. */
void lockstep_enter(struct cpu_device *device, struct cpu_lane *me, const void *pc,
                    const void *address, size_t size, bool writes);
/* The same before an access that is not examined for spinning, because no lane uses it to wait. */
void lockstep_wait(struct cpu_device *device, struct cpu_lane *me, const void *pc);
/* Called when nothing in the warp is ready: of the lanes that do not spin, releases those before
 * the access at the lowest address; or, with `spinning`, all lanes. True if there were any. */
bool lockstep_release(struct cpu_device *device, struct cpu_warp *warp, bool spinning);

/* ---- in_step.c ---- */
/* The next kernel launched may rely on lanes in step at these memories, a bit for each. */
void in_step_expect(struct cpu_device *device, unsigned memories);
/* Called when a launch begins, when one of its blocks begins, and when the launch ends. */
void in_step_launch(struct cpu_device *device);
void in_step_block(struct cpu_device *device);
void in_step_end(struct cpu_device *device);
void in_step_release(struct cpu_device *device);
/* True if it is not known yet whether the kernel relies on lanes in step. */
bool in_step_is_open(const struct cpu_device *device);
/* The running lane, for which cpu_now.in_step is set, is about to access memory. */
void in_step_access(const void *address, size_t size, bool writes, bool is_shared, const void *pc);

/* ---- rendezvous.c ---- */
/* Called when no lane of the warp can run: completes what can be completed. True if a lane became
 * ready. */
bool rendezvous_complete(struct cpu_device *device, struct cpu_warp *warp);
/* True if rendezvous_complete_full() can complete the operation. */
bool rendezvous_is_plain(const struct cpu_call *call);
/* All 32 lanes wait at the open call, which is plain: completes it. */
void rendezvous_complete_full(struct cpu_device *device, struct cpu_warp *warp);
/* Called when a lane has reached an operation: completes it now if every lane it waits for is
 * there, instead of when nothing else can run. */
void rendezvous_complete_early(struct cpu_device *device, struct cpu_warp *warp, unsigned lane);
/* Releases lanes that wait at a call whose mask does not name them. True if there was one. */
bool rendezvous_release_outsiders(struct cpu_device *device, struct cpu_warp *warp);
/* Called when the run ends: records as unfinished the calls at which lanes of the warp still wait,
   a step for each source location. */
void rendezvous_record_waiting(struct cpu_device *device, struct cpu_warp *warp);
/* The call at which a waiting lane waits. */
const struct cpu_call *rendezvous_call(const struct cpu_warp *warp, unsigned lane);
/* True if lanes with these calls belong to one operation. */
bool rendezvous_same(const struct cpu_call *a, const struct cpu_call *b);

/* ---- record.c ---- */
void sites_release(struct cpu_device *device);
void record_begin_launch(struct cpu_device *device, const struct trace_launch *launch);
/* Records a step of all 32 lanes at the open call; `in` and `out` have values of `bytes` bytes. */
void record_full(struct cpu_device *device, const struct cpu_warp *warp, const void *in,
                 const void *out, unsigned bytes);
/* True if the next step, of values of at most 4 bytes, will be recorded; if not, it is counted. */
bool record_has_room(struct cpu_device *device, const struct cpu_warp *warp,
                     const struct shflviz_site *site);
void record_operation(struct cpu_device *device, const struct cpu_warp *warp,
                      const struct shflviz_site *site, const struct warp_operation *operation,
                      bool mask_diverges);

/* ---- watch.c ---- */
/* Records the rounds that contain one of `lanes`, and those begun before them. */
void watch_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes);
/* A new round after all others, to be filled; if there are too many, the first is recorded. */
struct cpu_watch_round *watch_begin(struct cpu_device *device, struct cpu_warp *warp);
/* Records the first `count` rounds. */
void watch_record_first(struct cpu_device *device, struct cpu_warp *warp, size_t count);

/* ---- lines.c ---- */
/* Called when a block begins: decides which of its warps are shown. */
void lines_begin_block(struct cpu_device *device);
/* Called when lanes reach an operation: records the lines they have run so far, before the
 * operation. */
void lines_flush(struct cpu_device *device, struct cpu_warp *warp, uint32_t lanes);
/* Called when the warp has ended or cannot continue. */
void lines_end(struct cpu_device *device, struct cpu_warp *warp);
void lines_release(struct cpu_warp *warp);
/* True if the launch has warps that are shown. */
bool lines_are_shown(const struct cpu_device *device);

/* ---- shared_steps.c ---- */
/* Called before the running lane, at `pc`, makes an access that is to be recorded: the lane meets
 * other lanes of its warp there. */
void cpu_shared_access(const struct cpu_access *access, const void *pc);
/* True if the access is the next component of a vector that the lane was accessing; it has then
 * been added to that access. Compilers split a float4, which a GPU accesses as a whole. */
bool cpu_shared_extends(const struct cpu_access *access);
/* Reads the result of the last access, before the next or before its step is recorded. */
void shared_settle(struct cpu_device *device);
/* Called when the block's lanes pass a barrier, or end: records all steps of accesses. */
void shared_flush(struct cpu_device *device);

/* ---- deadlock.c ---- */
/* Both fill device->error and record where lanes wait: in a deadlock, or spinning forever. */
void deadlock_report(struct cpu_device *device);
void spin_report(struct cpu_device *device);
/* Called when a lane has followed an invalid pointer. `what` names the lane, the location and the
 * reason; `lasting` is the error that the host gets. */
void fault_report(struct cpu_device *device, const char *what, int lasting);
/* Called when blocks wait at grid.sync() for blocks that never arrive. */
void grid_report(struct cpu_device *device);

#endif
