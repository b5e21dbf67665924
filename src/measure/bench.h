/*
 * bench.h - figures for `shflviz bench`: how fast a device computes sums, each with a reference
 * from the same run.
 *
 * The kernels that are measured are those in kernels/, without the recorder. The same code measures
 * on both devices; on the CPU warp the figures measure only the emulation, but the sums are right,
 * which tests check.
 */
#ifndef SHFLVIZ_MEASURE_BENCH_H
#define SHFLVIZ_MEASURE_BENCH_H

#include "base/error.h"
#include "base/text.h"
#include "device/device.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_options {
    enum device_kind device; /* AUTO: a GPU if there is a usable one */
    uint64_t count;          /* values to add up; 0: 2^28 on a GPU, 2^20 on the CPU warp */
    unsigned repeats;        /* repetitions of each measurement, whose median counts; 0: 20 or 5 */
};

/* The maximum number of rows in a table. */
#define BENCH_ROWS 16

/* The measured device. */
struct bench_device {
    enum device_kind kind; /* DEVICE_CPU or DEVICE_GPU */
    char name[128];        /* "CPU warp", "NVIDIA H200" */
    char versions[96];     /* "driver 13.0, runtime 13.0"; empty on the CPU warp */
    double peak;           /* bytes a second, from memory clock and bus width; 0 if unknown */
};

/* ---- bench reduce: the sum of n values ---- */

struct bench_reduce_row {
    const char *name;         /* "grid-reduce-vector" */
    enum warp_type type;      /* of the values */
    unsigned blocks, threads; /* blocks of the launch; 0 if a library chose */
    double seconds;           /* the median */
    double bytes;             /* bytes read for all the values */
    double additions;         /* that the sum needs: one fewer than the values */
    bool is_sum;              /* false if it only reads, for comparison */
    bool correct;             /* the sum equals that of a plain loop over the same values */
};

struct bench_reduce_report {
    struct bench_device device;
    uint64_t count;
    unsigned repeats;
    long long expected; /* the sum by a plain loop */
    double read;        /* bytes a second: the fastest read of the same values in this run */
    struct bench_reduce_row rows[BENCH_ROWS];
    unsigned row_count;
};

/*
 * Measures. Returns 0; or -1 with ERROR_MISSING (no usable GPU, or too little memory) or ERROR_RUN
 * (a kernel failed, in CUDA's words). A wrong sum is not a failure here; the row shows it.
 */
int bench_reduce(const struct bench_options *options, struct bench_reduce_report *report,
                 struct error *err);
/* The table as text, lines of at most 100 columns. */
void bench_reduce_text(const struct bench_reduce_report *report, struct text *text);
bool bench_reduce_correct(const struct bench_reduce_report *report);

/* ---- bench shuffle: the sum of a warp ---- */

struct bench_shuffle_row {
    const char *name; /* "shuffles, a butterfly" */
    double cycles;    /* for one warp sum in a single warp; nanoseconds on the CPU warp */
    double rate;      /* warp sums a second, of a grid that fills the device */
    bool correct;     /* the lanes hold the results of a plain loop over the same rounds */
};

struct bench_shuffle_report {
    struct bench_device device;
    unsigned repeats;
    unsigned rounds; /* dependent warp sums in each warp */
    struct bench_shuffle_row rows[BENCH_ROWS];
    unsigned row_count;
};

/* Like bench_reduce(). options->count has no effect. */
int bench_shuffle(const struct bench_options *options, struct bench_shuffle_report *report,
                  struct error *err);
void bench_shuffle_text(const struct bench_shuffle_report *report, struct text *text);
bool bench_shuffle_correct(const struct bench_shuffle_report *report);

/* ---- bench record: the cost of recording ---- */

/* The same butterflies each time; an operation is one shuffle of a warp. */
struct bench_record_row {
    const char *name;  /* "recorded" */
    double seconds;    /* the median */
    double operations; /* operations done; 0 if it only writes memory */
    double bytes;      /* bytes written into the recording, or by memset; 0 if none are */
};

struct bench_record_report {
    struct bench_device device;
    unsigned repeats;
    uint64_t records; /* records written in a run */
    uint64_t dropped; /* records lost for lack of room: must be 0, or the figures are meaningless */
    struct bench_record_row rows[BENCH_ROWS];
    unsigned row_count;
};

/* Like bench_reduce(). options->count has no effect. */
int bench_record(const struct bench_options *options, struct bench_record_report *report,
                 struct error *err);
void bench_record_text(const struct bench_record_report *report, struct text *text);
/* True if every operation has a record, or several if its lanes diverged, and none was lost. */
bool bench_record_correct(const struct bench_record_report *report);

#endif
