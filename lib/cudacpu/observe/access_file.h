/*
 * access_file.h - the findings of a checked program about its memory accesses.
 *
 * A file with one head and ACCESS_ENTRIES entries, mapped by the program (memory_check.c), so that
 * its findings survive a crash. The program is not trusted: the reader of the file (accesses.c)
 * checks every number.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESS_FILE_H
#define SHFLVIZ_DEVICE_OWN_ACCESS_FILE_H

#include <stdint.h>

#define ACCESS_FILE_MAGIC "SHFVACC8"
#define ACCESS_ENTRIES    512 /* the most distinct findings; further ones are only counted */
/* Padding before each `__shared__` variable of a checked program. */
#define ACCESS_SHARED_GAP 1024
#define ACCESS_FILE_NAME  240
#define ACCESS_EXTENTS    4 /* the most dimensions of an array that are stored */

enum access_rule {
    ACCESS_SHARED_RACE = 1,
    ACCESS_GLOBAL_RACE,
    ACCESS_OUT_OF_BOUNDS,
    ACCESS_UNINITIALIZED_READ,
    ACCESS_BARRIER_DIVERGENCE,
    ACCESS_WRONG_SPACE,
    ACCESS_MISALIGNED, /* `extent` is the required alignment of the address, `offset` the remainder
                        */
    ACCESS_SHIFT,      /* `extent` is the bits of the value, `offset` the amount */
    ACCESS_SKIPPED,  /* `line` is the call's; `other` is a lane that made the call and is past it */
    ACCESS_NARROWED, /* at `line`, with a value of `bytes`; `extent` is 1 for a float */
    ACCESS_READ_ONLY,     /* one of the parties reads through the read-only cache */
    ACCESS_CROWDED,       /* `offset` blocks, all that the device holds, wait for others of the
                           * grid's `extent`; the last one does so at this access */
    ACCESS_SAME_ELEMENTS, /* several blocks read `offset` of the `extent` elements of the object,
                           * and none reads the others */
    ACCESS_NOT_WAITED,    /* of bytes that `other` is copying there and has not waited for */
    ACCESS_COUNT,         /* of a named barrier, at `line`: `extent` threads */
    /* Calls of the host, which return to `me`: */
    ACCESS_FAILED, /* with error `offset`; `is_seen` if the program has got it from
                    * cudaGetLastError() */
    ACCESS_LEFT,   /* it allocated `extent` bytes, which are never freed */
    ACCESS_UNUSED, /* the same, which are never written or read */
    ACCESS_RULES
};

enum access_memory {
    ACCESS_GLOBAL,         /* an allocation or a __device__ variable */
    ACCESS_SHARED,         /* a __shared__ variable */
    ACCESS_DYNAMIC_SHARED, /* extern __shared__ */
    ACCESS_FREED,          /* an allocation that has been freed */
    ACCESS_LOCAL,          /* on a lane's stack; of ACCESS_WRONG_SPACE: another lane's */
    ACCESS_NOWHERE,        /* not memory at all */
    ACCESS_HOSTS,          /* the host's, accessed by a kernel */
    ACCESS_DEVICES,        /* the device's, accessed by the host: then `me` has no block */
    ACCESS_CLOSED,         /* closed to such accesses by the program itself (memory_parts.c) */
    ACCESS_MEMORIES
};

enum {
    ACCESS_READS = 0,
    ACCESS_WRITES = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_VOLATILE = 4,
    /* An atomic operation's order and scope, as in cudacpu/lane_watcher.h: */
    ACCESS_IN_BLOCK = 8, /* within its block only */
    ACCESS_RELAXED = 16, /* reading a value orders nothing after it */
    ACCESS_RELEASE = 32, /* orders earlier accesses */
    ACCESS_LOADS = 64,   /* it only reads; */
    ACCESS_STORES = 128, /* it only writes; every operation is made as a read and a write */
};

/* The reason why an atomic operation orders nothing. */
enum access_flaw {
    ACCESS_FLAW_NO_FENCE,   /* no fence is before it, and it is not a release */
    ACCESS_FLAW_SCOPE,      /* the fence or the release has the scope of a block */
    ACCESS_FLAW_NO_ACQUIRE, /* it is a relaxed read, and no fence follows it */
    ACCESS_FLAWS
};

/* The distance between the threads of a race. */
enum access_distance { ACCESS_ONE_WARP, ACCESS_ONE_BLOCK, ACCESS_TWO_BLOCKS };

/* One side of a finding. */
struct access_party {
    uint64_t pc;     /* return address of the access, counted from the start of the executable; 0
                      * if unknown */
    uint64_t block;  /* linear */
    uint32_t thread; /* linear, in its block */
    uint32_t kind;   /* ACCESS_WRITES and so on */
};

/* The target of an access, in the program's terms. */
struct access_object {
    char name[64];     /* of a variable; "" if not known, or if the kernel was passed
                        * a pointer */
    uint32_t argument; /* the number of that argument, from 1; 0 if it was not passed */
    uint32_t element;  /* bytes of one element; 0 if not known */
    uint32_t extent[ACCESS_EXTENTS]; /* of an array in each dimension; 0 ends the list */
    uint64_t offset;                 /* of the access, in bytes */
    char member[64];                 /* the member of a structure: ".partial[3]"; else "" */
    uint64_t rest;                   /* bytes from there to the access */
};

struct access_entry {
    uint32_t rule;   /* enum access_rule */
    uint32_t memory; /* enum access_memory */
    struct access_party me, other;
    uint64_t count;
    uint64_t step;             /* steps recorded before the first */
    uint64_t offset;           /* of the access, from the beginning of the object that it missed or
                                * hit */
    uint64_t extent;           /* size of that object */
    uint32_t launch;           /* its number in the recording */
    uint32_t lanes;            /* of the warp in which the first was found */
    uint32_t bytes;            /* of the access */
    uint32_t missing;          /* of an uninitialized read: bytes that were never written; of a
                                * shift: 1 if there are several amounts */
    uint32_t exited;           /* of a barrier: threads that had left the kernel; else 0 */
    uint32_t is_seen;          /* of a call that failed */
    uint32_t is_refused;       /* it is a launch, which the recording notes, too */
    uint32_t is_inner;         /* of an index: the array may be part of another one */
    uint32_t line, other_line; /* of barriers, whose locations are known by name */
    struct access_object object;
    uint64_t flag_pc; /* of a race with a write: an atomic operation that should have ordered it;
                       * 0 if there is none */
    uint32_t flaw;    /* enum access_flaw: of that operation */
    uint32_t apart;   /* enum access_apart: of a race, the farthest of all occurrences */
    char file[ACCESS_FILE_NAME], other_file[ACCESS_FILE_NAME];
};

struct access_head {
    char magic[8];
    uint32_t count;
    uint32_t more;           /* findings beyond ACCESS_ENTRIES */
    uint32_t left_out;       /* 1 if not all memory could be watched for lack of room */
    uint32_t effect_unknown; /* 1: too much memory for `effect` */
    uint64_t effect;         /* of global memory after launches in which values were undefined */
};

#endif
