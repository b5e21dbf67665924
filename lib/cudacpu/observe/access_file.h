/*
 * access_file.h - what a program that is checked writes down about its memory accesses.
 *
 * A file of one head and ACCESS_ENTRIES entries, mapped by the program (memory_check.c), so that
 * what it found until it crashed is there. The program is a stranger's: whoever reads the file
 * (accesses.c) believes none of its numbers.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESS_FILE_H
#define SHFLVIZ_DEVICE_OWN_ACCESS_FILE_H

#include <stdint.h>

#define ACCESS_FILE_MAGIC "SHFVACC3"
#define ACCESS_ENTRIES    512 /* places told apart; more are only counted */
/* Bytes that no variable has, before each `__shared__` variable of a program that is checked. */
#define ACCESS_SHARED_GAP 1024
#define ACCESS_FILE_NAME  240
#define ACCESS_EXTENTS    4 /* dimensions of an array that are written down */

enum access_rule {
    ACCESS_SHARED_RACE = 1,
    ACCESS_GLOBAL_RACE,
    ACCESS_OUT_OF_BOUNDS,
    ACCESS_UNINITIALIZED_READ,
    ACCESS_BARRIER_DIVERGENCE,
    ACCESS_WRONG_SPACE,
    ACCESS_MISALIGNED, /* `extent` is what the address should be a multiple of, `offset` what is
                          left */
    ACCESS_SHIFT,      /* `extent` is the bits of the value, `offset` the amount */
    ACCESS_SKIPPED,    /* `line` is the call's; `other` a lane that made it, behind it */
    ACCESS_NARROWED,   /* at `line`: a value of `bytes`; `extent` is 1 for a float */
    ACCESS_NOT_WAITED, /* of bytes that `other` copies there, and has not waited for */
    ACCESS_RULES
};

enum access_memory {
    ACCESS_GLOBAL,         /* an allocation or a __device__ variable */
    ACCESS_SHARED,         /* a __shared__ variable */
    ACCESS_DYNAMIC_SHARED, /* extern __shared__ */
    ACCESS_FREED,          /* an allocation that is gone */
    ACCESS_LOCAL,          /* on a lane's stack; of ACCESS_WRONG_SPACE: another lane's */
    ACCESS_NOWHERE,        /* no memory at all */
    ACCESS_HOSTS,          /* the host's, accessed by a kernel */
    ACCESS_DEVICES,        /* the device's, accessed by the host: then `me` has no block */
    ACCESS_MEMORIES
};

enum {
    ACCESS_READS = 0,
    ACCESS_WRITES = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_VOLATILE = 4,
    ACCESS_IN_BLOCK = 8 /* atomic for the threads of its block alone */
};

/* One side of a finding. */
struct access_party {
    uint64_t pc;     /* behind the access, counted from the start of the executable; 0: unknown */
    uint64_t block;  /* linear */
    uint32_t thread; /* linear, in its block */
    uint32_t kind;   /* ACCESS_WRITES and so on */
};

/* What an access is to, in words of the program's text. */
struct access_object {
    char name[64];                   /* of a variable; "": not known, or what a kernel was passed */
    uint32_t argument;               /* as which argument that was, from 1; 0: it was not passed */
    uint32_t element;                /* bytes of one; 0: not known */
    uint32_t extent[ACCESS_EXTENTS]; /* of an array in each dimension; 0: there are no more */
    uint64_t offset;                 /* of the access, in bytes */
};

struct access_entry {
    uint32_t rule;   /* enum access_rule */
    uint32_t memory; /* enum access_memory */
    struct access_party me, other;
    uint64_t count;
    uint64_t step;             /* steps recorded before the first */
    uint64_t offset;           /* of the access, from the beginning of what it missed or hit */
    uint64_t extent;           /* bytes of that */
    uint32_t launch;           /* its number in the recording */
    uint32_t lanes;            /* of the warp that the first was found in */
    uint32_t bytes;            /* of the access */
    uint32_t missing;          /* of an uninitialized read: bytes that nobody has written */
    uint32_t exited;           /* of a barrier: threads that had left the kernel; else 0 */
    uint32_t is_inner;         /* of an index: the array may be a part of another one */
    uint32_t line, other_line; /* of barriers, whose places are known by name */
    struct access_object object;
    uint64_t flag_pc; /* of a race with a write: an atomic operation of that block which followed,
                         and told of no fence; 0: none */
    char file[ACCESS_FILE_NAME], other_file[ACCESS_FILE_NAME];
};

struct access_head {
    char magic[8];
    uint32_t count;
    uint32_t more;           /* places beyond ACCESS_ENTRIES */
    uint32_t left_out;       /* 1: there was not room to watch all memory */
    uint32_t effect_unknown; /* 1: too much memory for `effect` */
    uint64_t effect;         /* of global memory after launches in which values were undefined */
};

#endif
