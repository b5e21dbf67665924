/*
 * trace.h - a recording: written by a device while a kernel runs, read by everything else.
 *
 * The file is described in docs/TRACE_FORMAT.md, record by record in trace/record.h. A device fills
 * records in a mapped stretch of the file, so that a run killed at any moment leaves a file that
 * opens up to its last whole step; blocks of them are then encoded compactly. Reading maps the
 * file and touches only what is requested: memory use does not grow with the number of steps.
 *
 * Reading never runs anything and trusts nothing: every offset and length in a file is checked
 * before it is followed; a damaged record is a failure of trace_step(), not of the program.
 */
#ifndef SHFLVIZ_TRACE_TRACE_H
#define SHFLVIZ_TRACE_TRACE_H

#include "base/error.h"
#include "trace/record.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct trace;        /* an open recording, for reading */
struct trace_writer; /* a recording being made */

struct trace_launch {
    const char *kernel; /* name of the kernel */
    uint32_t grid[3];   /* blocks in x, y, z; each at least 1 */
    uint32_t block[3];  /* threads in x, y, z; each at least 1, at most 1024 together */
    uint64_t shared;    /* bytes of dynamic shared memory */
};

static inline uint32_t trace_block_threads(const struct trace_launch *launch) {
    return launch->block[0] * launch->block[1] * launch->block[2];
}

struct trace_site {
    const char *file;     /* as the compiler saw it, relative to the project or program */
    uint32_t line;        /* from 1; 0 if unknown */
    const char *function; /* "" if unknown */
    const char *text;     /* of the call: "__shfl_xor_sync(0xffffffff, value, laneMask, width)" */
};

/* A piece of the program's output. */
struct trace_output {
    uint64_t step;     /* steps recorded by then: the next one has this number */
    uint32_t launches; /* launches that had begun */
    unsigned stream;   /* 1 standard output, 2 standard error */
    const char *text;  /* with its line ends; pieces need not end in one */
};

/* Notes are pairs of strings about the whole recording. These keys have a meaning: */
#define TRACE_NOTE_NAME     "name"     /* of the device: "CPU warp", "NVIDIA H200" */
#define TRACE_NOTE_DEVICE   "device"   /* "cpu" or "gpu" */
#define TRACE_NOTE_RECORDED "recorded" /* "emulated" or "measured" */
#define TRACE_NOTE_TITLE                                                                           \
    "title" /* a short description of what was run: "xor  laneMask 3  width 16" */
#define TRACE_NOTE_COMMAND    "command" /* the command line */
#define TRACE_NOTE_DATE       "date"    /* ISO 8601, UTC */
#define TRACE_NOTE_DRIVER     "driver"
#define TRACE_NOTE_TOOLKIT    "toolkit"
#define TRACE_NOTE_CAPABILITY "capability" /* compute capability of the GPU: "9.0" */
#define TRACE_NOTE_SCHEDULE   "schedule"   /* the seed from which the CPU warp chose its order */
#define TRACE_NOTE_POISON     "poison" /* bits that an undefined read got on the CPU warp, "0x..." */
/* "yes" if values that were computed from undefined ones are marked (marks.h), "no" if they are
 * not, although there are undefined ones. */
#define TRACE_NOTE_FOLLOWED "followed"
/* "yes" if nothing depends on the undefined values (user_program_ignores_poison()). */
#define TRACE_NOTE_UNUSED "undefined-unused"
/* The number of steps after which the program was ended on request. */
#define TRACE_NOTE_STOPPED    "stopped-after"
#define TRACE_NOTE_FAILURE    "failure"    /* why the run ended early, in the device's words */
#define TRACE_NOTE_OUTPUT_CUT "output-cut" /* bytes that were printed and not kept */

#define TRACE_NOTE_ORIGINS_CUT "origins-cut" /* origins that were not kept (lines/origins.h) */
#define TRACE_NOTE_LINES_CUT   "lines-cut"   /* lines that were run and not kept (lines/lines.h) */

/* The addresses of the `__shared__` variables that the steps access: lines of offset, size, name;
 * for dynamic shared memory, the size is the largest possible one. */
#define TRACE_NOTE_SHARED "shared-memory"
/* The same for the global memory that steps access. The name of an allocation is "@2 sum" if it was
 * first passed to sum() as its second argument, else "@". */
#define TRACE_NOTE_GLOBAL "global-memory"

#define TRACE_NOTE_FAILURE_KIND "failure-kind" /* trace_failure_name(): "deadlock" */
/*
 * The state of the block that did not finish, to the extent that the steps do not show it. Lines,
 * with the masks in hexadecimal:
 *     block X Y Z                       its index in the grid
 *     running WARP LANES                lanes that wait for nothing
 *     barrier WARP LANES FILE:LINE TEXT lanes at a __syncthreads()
 *     missing WARP LANES                lanes that those at a __syncthreads() wait for
 *     named WARP LANES NUMBER CAME COUNT FILE:LINE TEXT
 *                                       lanes at PTX's barrier NUMBER, which COUNT threads open
 *     grid FILE:LINE TEXT               where blocks wait for the grid, instead of all other lines
 */
#define TRACE_NOTE_WAITING "waiting"

#define TRACE_NOTE_REGISTERS_CUT "registers-cut" /* steps whose registers were not kept */

/*
 * The registers of a tensor-core instruction (mma.sync, wmma, ldmatrix, stmatrix, movmatrix),
 * for which the step itself has no room. Its fragments (warp/fragment.h) say which element of a
 * matrix a register holds.
 */
#define TRACE_REGISTERS_MOST 8 /* per operand and lane */
#define TRACE_OPERANDS_MOST  4
struct trace_operand {
    char letter;        /* 'a' to 'd', 'r'; '@': the address of a row, in lanes that pass one */
    unsigned registers; /* at most TRACE_REGISTERS_MOST */
    unsigned bytes;     /* of a register: 4 or 8 */
    const void *values; /* 32 for each register: lane 0's first */
};
struct trace_registers {
    uint64_t step;
    uint32_t lanes;          /* that made the call; other lanes' values are 0 */
    const char *instruction; /* "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" */
    unsigned count;
    struct trace_operand operands[TRACE_OPERANDS_MOST];
};

/* ---- writing ---- */

struct trace_writer_options {
    unsigned value_bytes; /* 4 or 8 */
    uint64_t step_limit;  /* steps to keep; later ones are counted as dropped. 0: no limit */
    bool in_place;        /* the path is a temporary name: record there from the start */
    bool durable;         /* close returns only when the file has reached the disk */
};

/*
 * Begins a recording at `path`, or in memory without a name if path is NULL. The file is written
 * beside `path`, as trace/recording_file.h says, and takes that name when it is closed. An existing
 * recording is then replaced (a process that has it open keeps the old one), unless the new
 * recording has a note that its run failed. Any other existing file that is not empty is refused
 * and left unchanged. Fails (ERROR_USAGE) and names the obstacle: a directory, no permission, a
 * full disk, another run that records there.
 */
int trace_writer_open(struct trace_writer **writer, const char *path,
                      const struct trace_writer_options *options, struct error *err);

/* Each returns the index for use in records; the strings are copied. Two equal sites get one index.
 * Add a launch or site before the first record that names it is complete, so that a killed run
 * leaves both. (There is room for some 100 of them in every 256 steps; any further ones are saved
 * together with those steps.) */
uint32_t trace_writer_launch(struct trace_writer *writer, const struct trace_launch *launch);
uint32_t trace_writer_site(struct trace_writer *writer, const struct trace_site *site);
/* The text of a source file, so that a replay can show it; `file` as in trace_site. A second text
 * for the same file is ignored. */
void trace_writer_source(struct trace_writer *writer, const char *file, const char *text);
/* Output of the program. Beyond TRACE_OUTPUT_MOST bytes in all, including 32 for each piece, it is
 * counted but not kept (TRACE_NOTE_OUTPUT_CUT). */
#define TRACE_OUTPUT_MOST (UINT64_C(1) << 20)
void trace_writer_output(struct trace_writer *writer, unsigned stream, const char *bytes,
                         size_t count);
/* Counts output that could not be kept. */
void trace_writer_output_cut(struct trace_writer *writer, uint64_t bytes);
/* Lanes whose values in a step were computed from undefined ones (marks.h). Call it in ascending
 * order of steps. */
void trace_writer_mark(struct trace_writer *writer, uint64_t step, uint32_t in, uint32_t out);
/* The registers of a step. Beyond TRACE_REGISTERS_BYTES in all they are counted but not kept
 * (TRACE_NOTE_REGISTERS_CUT). */
#define TRACE_REGISTERS_BYTES (UINT64_C(8) << 20)
void trace_writer_registers(struct trace_writer *writer, const struct trace_registers *registers);
/* If several notes have the same key, the last one counts. */
void trace_writer_note(struct trace_writer *writer, const char *key, const char *value);

/*
 * Room for records: returns the first of *count (set by the call; at least 1) consecutive zeroed
 * records of SHFLVIZ_RECORD_SIZE(value_bytes) each, in mapped memory, 64-byte aligned; NULL with
 * *count 0 when the step limit is reached or the disk is full (trace_writer_failed() distinguishes
 * them).
 *
 * The records are filled one after the other. A record counts as soon as its `sequence` is set,
 * which the device does last; sequences count up from trace_writer_next_sequence(), which is always
 * that of the first incomplete record. The next call takes over the complete records and returns
 * room after them, so not all need be used; after that call, earlier records must not be touched.
 */
void *trace_writer_reserve(struct trace_writer *writer, size_t *count);
uint64_t trace_writer_next_sequence(const struct trace_writer *writer);

/*
 * Takes many records at once, which may be anywhere and in any form, and encodes blocks of them on
 * all processors. Returns how many of them, from the first on, are in the recording now: a multiple
 * of TRACE_GATHER_STEPS, and 0 unless the number of steps recorded before is also such a multiple.
 * The number is less than `count` if whole() refuses records, at the step limit, and after a
 * failure, in which case more records may have been filled in. The remaining records must be
 * written with trace_writer_reserve().
 *
 * Several threads call whole() and fill() at the same time. whole() says whether all of the
 * TRACE_GATHER_STEPS records from `first` on can be taken, and is NULL if they always can. fill()
 * then writes each record as record.h wants it, except for `sequence`, and returns false; or writes
 * a brief one (compact/prediction.h), which saves time, and returns true. The memory that fill()
 * writes to is not initialised.
 *
 * If all records must be read to know how many there are, the same threads do this in the same
 * round: several of them call look() for each number below `looks`, in any order; when all calls
 * have returned, settle() is called once and sets `count`, until then an upper bound, and `whole`.
 * look() and settle() are called even if none of the records can be taken.
 */
#define TRACE_GATHER_STEPS 256
struct trace_gather {
    size_t count;
    bool (*whole)(void *context, size_t first);
    bool (*fill)(void *context, unsigned char *record, size_t number);
    void *context;
    size_t looks; /* 0 if no look is needed; then both are NULL */
    void (*look)(void *context, size_t number);
    void (*settle)(void *context, struct trace_gather *gather);
};
size_t trace_writer_gather(struct trace_writer *writer, struct trace_gather *gather);
/* Sets the number of threads that gather, including the caller's; 0, the default, means the
 * number of processors. */
void trace_writer_use_threads(struct trace_writer *writer, unsigned threads);

/* 4 or 8, as in the options of the recording. */
unsigned trace_writer_value_bytes(const struct trace_writer *writer);

/* Counts steps that happened and were not recorded. */
void trace_writer_drop(struct trace_writer *writer, uint64_t steps);

/* The path that the recording would have if it were closed now: the path with which it was begun
 * or, after a failed run, a path beside it; NULL for a recording in memory. Valid until the writer
 * is closed. */
const char *trace_writer_destination(const struct trace_writer *writer);
/* The new path of an earlier recording, which a killed run left at the same path; NULL if there was
 * none. Valid until the writer is closed. */
const char *trace_writer_leftover(const struct trace_writer *writer);

/* Opens what has been recorded so far; no more steps may follow. */
int trace_writer_look(struct trace_writer *writer, struct trace **trace, struct error *err);

/* True, with the reason in err, if the file could not take what was written. */
bool trace_writer_failed(const struct trace_writer *writer, struct error *err);

/*
 * Ends the recording: writes what the reader needs to seek, cuts the file to its size, and frees
 * the writer. If `trace` is not NULL, the recording is also opened for reading.
 *
 * On failure (-1), which includes an earlier trace_writer_failed(), the writer is still freed, and
 * err names the file that keeps what was recorded; the old file at the path is unchanged. *trace
 * gets the part that could be opened, or NULL.
 */
int trace_writer_close(struct trace_writer *writer, struct trace **trace, struct error *err);

/* ---- reading ---- */

/* Opens a recording. Fails (ERROR_USAGE, *trace NULL) on a directory, a foreign file, a newer
 * version, or damage. A trace is for one thread at a time, its const functions included. */
int trace_open(struct trace **trace, const char *path, struct error *err);
/* The same from a descriptor, which stays the caller's; `name` is for messages. */
int trace_open_descriptor(struct trace **trace, int descriptor, const char *name,
                          struct error *err);
void trace_close(struct trace *trace); /* NULL is fine */

/* The mapped file, valid as long as the trace. */
const void *trace_bytes(const struct trace *trace, size_t *count);

/* Writes a copy of the recording's file. The caller checks `out` for errors. */
void trace_copy(const struct trace *trace, FILE *out);

uint64_t trace_step_count(const struct trace *trace);
uint64_t trace_dropped(const struct trace *trace);
/* False for a recording whose run was killed: it ends at the last whole step. */
bool trace_is_complete(const struct trace *trace);
unsigned trace_value_bytes(const struct trace *trace);

size_t trace_launch_count(const struct trace *trace);
size_t trace_output_count(const struct trace *trace);
/* NULL if there is no such launch, output, site, source or note. Results live as long as trace.
 * Strings from a file are safe to show: UTF-8 without control characters, except that sources,
 * output and the notes that are lists (TRACE_NOTE_SHARED, _GLOBAL, _WAITING) have '\n' and '\t'. */
const struct trace_launch *trace_launch(const struct trace *trace, uint32_t launch);
const struct trace_output *trace_output(const struct trace *trace, size_t index);
const struct trace_site *trace_site(const struct trace *trace, uint32_t site);
const char *trace_source(const struct trace *trace, const char *file);
const char *trace_note(const struct trace *trace, const char *key);
/* True if values that were computed from undefined ones are marked. */
bool trace_is_followed(const struct trace *trace);

/* One step, decoded. A value; it does not point into the trace. */
struct trace_step {
    uint64_t number; /* 0 .. trace_step_count() - 1 */
    uint32_t launch;
    uint64_t block; /* linear */
    uint32_t block_index[3];
    uint32_t warp;
    uint32_t site;
    bool mask_diverges; /* other lanes made this call with an overlapping mask */
    bool exited_known;
    struct warp_operation operation;
};

/* Reads step `number`. Fails (ERROR_USAGE) if there is none or its record is damaged. */
int trace_step(const struct trace *trace, uint64_t number, struct trace_step *step,
               struct error *err);

/* The registers of a step, or NULL if the recording has none for it. */
const struct trace_registers *trace_registers(const struct trace *trace, uint64_t step);
/* The value of one register of an operand, in one lane. */
uint64_t trace_register(const struct trace_operand *operand, unsigned number, unsigned lane);

/*
 * The steps of one warp, in the order in which they happened. A warp is (launch, block, warp);
 * warps are numbered from 0 in that order, so that "the next warp" and "the next block" are steps
 * in this list. All queries are answered from the index of the file, in O(log n) reads.
 *
 * The recording of a killed run has no index: one is made from its records. To keep the wait short,
 * the first query lists only the first TRACE_STEPS_LISTED_FIRST steps, and answers are about these
 * steps until trace_warps_list() has listed all. After that, warps may have other numbers and more
 * steps; the position of a step within its warp stays the same.
 */
#define TRACE_STEPS_LISTED_FIRST 16384

/* True if the answers are about all steps. */
bool trace_warps_listed(const struct trace *trace);
/* Continues listing, for about as much work as `steps` steps take (each is visited a few times).
 * True while there is more to do; false when all are listed, or when there was no room for the
 * list. */
bool trace_warps_list(const struct trace *trace, uint64_t steps);

struct trace_warp {
    uint64_t index; /* of this warp among trace_warp_count() */
    uint32_t launch;
    uint64_t block; /* linear */
    uint32_t warp;
    uint64_t steps; /* the number of its steps; at least 1 */
};
uint64_t trace_warp_count(const struct trace *trace);
bool trace_warp(const struct trace *trace, uint64_t index, struct trace_warp *warp);
/* The warp that a step belongs to, and the step's position (from 0) within it. */
bool trace_warp_of_step(const struct trace *trace, uint64_t number, struct trace_warp *warp,
                        uint64_t *position);
/* The number of the step at `position` of a warp, or UINT64_MAX if there is none. */
uint64_t trace_warp_step(const struct trace *trace, const struct trace_warp *warp,
                         uint64_t position);

#ifdef __cplusplus
}
#endif

#endif
