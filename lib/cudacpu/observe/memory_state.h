/*
 * memory_state.h - the internals of memory_check.c, shared with its parts only: memory_clock.c (the
 * order of accesses), memory_found.c (the list of findings).
 */
#ifndef SHFLVIZ_DEVICE_OWN_MEMORY_STATE_H
#define SHFLVIZ_DEVICE_OWN_MEMORY_STATE_H

#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_check.h"
#include "cudacpu/observe/memory_past.h"
#include "simt/device_state.h"

#define GRANULE 4 /* bytes that share a cell */

/* An access that has been made. */
struct mark {
    uint32_t time; /* 0 if there is none */
    uint32_t block;
    uint16_t thread, site;
};

/* The accesses to GRANULE bytes. A mask has a bit for each byte; a read's may also have ATOMIC. */
struct cell {
    struct mark write, update; /* the last plain write, and the last atomic one after it */
    struct mark read[2];       /* unordered reads of two lanes */
    uint8_t write_mask : 4, update_mask : 4, read_mask[2], written : 4;
    uint8_t is_in_block : 1; /* the update was atomic within its block only */
};
enum { BYTES = 15, ATOMIC = 16 };

struct region {
    uintptr_t start, end;
    struct cell *cells;          /* NULL if only bounds are checked */
    size_t mapped;               /* bytes of cells */
    struct read_only *read_only; /* of global memory: reads through the read-only cache */
    enum access_memory memory;
    bool written;  /* the whole allocation has been written, from the beginning */
    bool used;     /* by anyone */
    uint16_t site; /* of the host's call that made it; 0 if that is not to be reported */
};

/* An atomic operation that others may take as a signal that earlier writes are done. */
struct flag {
    uintptr_t address;
    uint64_t blocks; /* the blocks that have made it: bit number modulo 64 */
    uint32_t time;   /* of the last; 0 if there is none */
    uint16_t site;
    enum access_flaw flaw; /* why it publishes nothing */
};

/* A location, for all blocks or for one, with the accesses that its releases publish. */
struct location {
    uintptr_t address;
    uint32_t block;  /* UINT32_MAX for all */
    uint32_t teller; /* the block whose releases these are; UINT32_MAX if of several */
    struct past *past;
};

/* A block whose lanes run. */
struct block_clock {
    struct block_clock *next;
    uint32_t block;
    uint32_t barrier; /* accesses of the block up to this time are ordered before all later ones */
    uint32_t begin;
    uint32_t *known; /* [warp][lane][other lane of the warp]: that lane's accesses up to this
                      * time */
    /* By thread, once for the other threads of the device and once for those of the block: */
    struct past **acquired;              /* accesses ordered before it, in addition to the above */
    struct past **released[2];           /* what its last fence covers */
    struct past **heard[2];              /* what relaxed reads have seen, for its next fence */
    bool has_pasts;                      /* true if any of these was set since the block began */
    uint16_t heard_site;                 /* the latest of those reads */
    struct flag flag;                    /* the latest of others that a lane has read */
    uint16_t atomic_site, atomic_thread; /* the latest atomic operation */
};

struct memory_check {
    bool on;
    uint32_t now, launch, kernel; /* launch: also since the last barrier of the grid */
    uint32_t combining;     /* the latest kernel in which several blocks updated one location */
    struct region *regions; /* allocations, live and freed, by address */
    size_t region_count, region_capacity, last;
    struct region image, statics, dynamic;
    uint64_t shadow;
    struct block_clock *blocks; /* the one that runs first */
    struct access_head *head;
    struct access_entry *entries;
    uintptr_t base; /* of the executable */

    const void *sites[65536]; /* by number; 0 means none */
    uint32_t site_count;
    uint16_t site_slots[131072]; /* numbers, by hash of the address */

    struct locations { /* which lanes used as signals */
        struct location *slot;
        size_t count, capacity;
    } locations[2]; /* of the launch; of shared memory, in the blocks under way */

    struct cpu_lane *told_lane; /* its next atomic operation or fence */
    unsigned told;              /* is of this kind */
    struct flag flags[1024];    /* recent ones, by a hash of the address */

    struct { /* a write over an unordered write: not a race if the value is the same */
        bool is;
        struct access_entry entry;
        uintptr_t address;
        uint8_t old[16];
    } pending;
    uintptr_t page_known[1024]; /* pages that can be read */
    uint64_t effect_bytes;      /* bytes that have been hashed into head->effect */
};
extern struct memory_check check;

/* An access in progress. */
struct access {
    uintptr_t address;
    size_t size;
    unsigned kind;
    uint16_t site;
    const struct region *region; /* NULL if nothing there is watched */
    struct block_clock *clock;
};

/* ---- memory_check.c ---- */
/* A finding about the access, without its other side. */
struct access_entry finding_of(enum access_rule rule, const struct access *access);
/* The allocation that holds the address; NULL if there is none. */
const struct region *allocation_of(uintptr_t address);
/* True if there is memory at the address; a negative answer is not cached. */
bool memory_can_be_read(uintptr_t address);

/* ---- memory_side.c ---- */
/* A lane's access to memory that is not watched. */
void memory_side_lane(const struct access *access);
/* A lane's access to memory that belongs to the host alone. */
void memory_side_hosts(const struct access *access);

/* ---- memory_copies.c ---- */
/* The events of struct cpu_lane_watcher. */
void copies_begun(const void *to, size_t size, const void *pc);
void copies_committed(void);
void copies_waited(size_t left);
void copies_bound(const void *to, size_t size, const void *barrier, unsigned phase, const void *pc);
void copies_phases_waited(const void *barrier, unsigned phases);
/* The access reads shared memory, or writes it other than by an awaited copy. */
void copies_read(const struct access *access);
void copies_overwritten(const struct access *access);

/* ---- memory_read_only.c ---- */
/* Event of struct cpu_lane_watcher. */
void read_only_next(const void *address, size_t size);
/* Global memory that has cells is allocated, or freed. */
void read_only_take(struct region *region);
void read_only_drop(struct region *region);
void read_only_note(const struct access *access); /* to such memory */

/* ---- memory_names.c ---- */
/* Names the object at the address in the region, which may be NULL. */
void name_object(struct access_object *object, uintptr_t address, const struct region *region);
void names_kernel_launched(void); /* the arguments passed so far belong to this kernel */
void names_kernel_ended(void);    /* it has ended */
/* True if the kernel was passed exactly this address, and it is the address of a host variable. */
bool is_passed_host_address(uintptr_t address);

/* ---- memory_skipped.c ---- */
void skipped_begin(unsigned threads); /* a block with this many threads begins */
/* Lanes make a call together whose mask names `members`. */
void skipped_operation(const struct cpu_warp *warp, uint32_t lanes, uint32_t members,
                       const struct shflviz_site *site);
/* The running lane accesses memory at that location. */
void skipped_access(uint16_t site);

/* ---- memory_coverage.c ---- */
/* A kernel that was passed that pointer has ended. */
void coverage_check(const struct region *region, uintptr_t pointer, uint32_t element);

/* ---- memory_host.c ---- */
/* The observer's events. */
void host_failed(int error, const void *pc);
void host_checked_errors(void);
void host_ending(void);
void host_freed(const struct region *region); /* it is about to be */

/* ---- memory_parts.c ---- */
/* Event of struct cpu_lane_watcher; `part` is an enum cpu_part. */
void parts_announced(int part, const void *start, size_t value);
void parts_freed(const struct region *region); /* an allocation is about to be */
/* True, and reported, if the program has announced that no lane may make this access, which is
 * within its allocation. */
bool parts_refuse(const struct access *access);

/* ---- memory_effect.c ---- */
void effect_kernel_ended(void); /* a kernel has ended */

/* ---- memory_guess.c ---- */
/* The running lane makes this access. */
void guess_note(const struct access *access);
/* True if that instruction reads guesses: see memory_guess.c. */
bool is_guess(uint16_t site);

/* ---- memory_found.c ---- */
uint16_t site_number(const void *pc);
uint64_t site_offset(uint16_t site);
void add_finding(const struct access_entry *found);
/* A finding about the running lane, for the caller to complete. */
struct access_entry finding_here(enum access_rule rule);
/* Forgets races of a read by this instruction with an atomic operation. */
void forget_races_of(uint16_t site);
/* The pending write has been made: it counts if it changed anything. */
void settle_pending(void);
/* Maps the file for findings. */
bool found_open(const char *path);

/* ---- memory_clock.c ---- */
void clock_forget(void); /* everything */
void clock_launch(void);
void clock_block(void);
void clock_barrier(void);
void clock_grid_barrier(void);
void clock_crowded(uint64_t held);
void clock_joined(const struct cpu_warp *warp, uint32_t lanes);
void clock_fence(void);
/* The kind of the running lane's next atomic operation or fence: CPU_ACCESS_... */
void clock_next(unsigned kind);
void clock_named_barrier(const struct cpu_named_barrier *barrier, const struct shflviz_site *site,
                         bool goes_on);
struct block_clock *clock_of(uint32_t block);
/* Handles an access that publishes, or learns, what was before a fence. */
void synchronise(struct block_clock *clock, const struct access *access);
/* The location of an atomic operation by which the mark's block seems to have announced the write
 * to the running one, and why that orders nothing; 0 if there is none. */
uint16_t clock_flag(const struct mark *mark, const struct block_clock *clock,
                    enum access_flaw *flaw);
/* True if an access is ordered before the running lane's next. */
bool is_ordered(const struct mark *mark, const struct block_clock *clock,
                const struct region *region);

#endif
