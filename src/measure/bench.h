/*
 * bench.h - figures for `shflviz bench`: how fast a device adds up, each beside its reference in
 * the same run.
 *
 * The kernels that are measured are those of kernels/, without the recorder. The same code measures
 * on both devices; on the CPU warp the figures say how fast the emulation is and nothing about a
 * GPU, but the sums are as right, which is what tests look at.
 */
#ifndef SHFLVIZ_MEASURE_BENCH_H
#define SHFLVIZ_MEASURE_BENCH_H

#include "base/error.h"
#include "base/text.h"
#include "device/device.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_options {
    enum device_kind device; /* AUTO: the GPU if there is one that can be used */
    uint64_t count;          /* values to add up; 0: 2^28 on a GPU, 2^20 on the CPU warp */
    unsigned repeats;        /* of each measurement, of which the median counts; 0: 20 or 5 */
};

/* Most rows that a table has. */
#define BENCH_ROWS 16

/* What was measured on. */
struct bench_device {
    enum device_kind kind; /* DEVICE_CPU or DEVICE_GPU */
    char name[128];        /* "CPU warp", "NVIDIA H200" */
    char versions[96];     /* "driver 13.0, runtime 13.0"; empty on the CPU warp */
    double peak;           /* bytes a second by memory clock and bus width; 0: not known */
};

/* ---- bench reduce: the sum of n values ---- */

struct bench_reduce_row {
    const char *name;         /* "grid-reduce-vector" */
    enum warp_type type;      /* of the values */
    unsigned blocks, threads; /* of the launch; 0 where a library chose */
    double seconds;           /* the median */
    double bytes;             /* read, for the count of values */
    double additions;         /* that the sum needs: one less than values */
    bool is_sum;              /* false: it only reads, for comparison */
    bool correct;             /* the sum is what a plain loop makes of the same values */
};

struct bench_reduce_report {
    struct bench_device device;
    uint64_t count;
    unsigned repeats;
    long long expected; /* the sum, as a plain loop makes it */
    double read; /* bytes a second: the fastest that the device read the same values in this run */
    struct bench_reduce_row rows[BENCH_ROWS];
    unsigned row_count;
};

/*
 * Measures. Returns 0; or -1 with ERROR_MISSING (no GPU that can be used, or too little memory) or
 * ERROR_RUN (a kernel failed, in CUDA's words). A wrong sum is not a failure here; the row says it.
 */
int bench_reduce(const struct bench_options *options, struct bench_reduce_report *report,
                 struct error *err);
/* The table as text, lines of at most 100 columns. */
void bench_reduce_text(const struct bench_reduce_report *report, struct text *text);
bool bench_reduce_correct(const struct bench_reduce_report *report);

/* ---- bench shuffle: the sum of a warp ---- */

struct bench_shuffle_row {
    const char *name; /* "shuffles, a butterfly" */
    double cycles;    /* of one warp sum, one warp alone; nanoseconds on the CPU warp */
    double rate;      /* warp sums a second, of a grid that fills the device */
    bool correct;     /* the lanes hold what a plain loop makes of the same rounds */
};

struct bench_shuffle_report {
    struct bench_device device;
    unsigned repeats;
    unsigned rounds; /* warp sums that wait for each other, in each warp */
    struct bench_shuffle_row rows[BENCH_ROWS];
    unsigned row_count;
};

/* As bench_reduce(). options->count means nothing here. */
int bench_shuffle(const struct bench_options *options, struct bench_shuffle_report *report,
                  struct error *err);
void bench_shuffle_text(const struct bench_shuffle_report *report, struct text *text);
bool bench_shuffle_correct(const struct bench_shuffle_report *report);

/* ---- bench record: what watching costs ---- */

/* The same butterflies each time; an operation is one shuffle of a warp. */
struct bench_record_row {
    const char *name;  /* "recorded" */
    double seconds;    /* the median */
    double operations; /* done; 0 for what only writes memory */
    double bytes;      /* written into the recording, or by memset; 0 for what writes none */
};

struct bench_record_report {
    struct bench_device device;
    unsigned repeats;
    uint64_t records; /* that were written in a run */
    uint64_t dropped; /* no room for them: must be 0, or the figures mean nothing */
    struct bench_record_row rows[BENCH_ROWS];
    unsigned row_count;
};

/* As bench_reduce(). options->count means nothing here. */
int bench_record(const struct bench_options *options, struct bench_record_report *report,
                 struct error *err);
void bench_record_text(const struct bench_record_report *report, struct text *text);
/* Whether a record, or more where lanes came apart, was written for each operation. */
bool bench_record_correct(const struct bench_record_report *report);

#endif
