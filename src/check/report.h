/*
 * report.h - the errors of a program: findings of its recordings and of its memory accesses, one
 * for each location, with a count.
 *
 * Findings with the same rule, file and line count as one. Its details are those of the first
 * occurrence; recordings of further schedules add to the count.
 */
#ifndef SHFLVIZ_CHECK_REPORT_H
#define SHFLVIZ_CHECK_REPORT_H

#include "base/error.h"
#include "cudacpu/cudacpu.h"
#include "explain/findings/finding.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The other access in a race, or the other barrier. */
struct check_other {
    char *file; /* NULL if there is no other, or its location is not known */
    uint32_t line;
    uint32_t block[3];
    uint32_t warp, lanes;
};

/* One rule that is broken at one source location, and how often. */
struct check_finding {
    const char *rule;
    char *file; /* NULL if the location is not known */
    uint32_t line;
    char *text;   /* of the call; NULL for an access to memory */
    char *kernel; /* NULL if there is none */
    uint32_t block[3];
    uint32_t warp, lanes;
    bool has_lanes; /* block, warp and lanes are valid */
    uint64_t count;
    char *message;       /* in the language in use when it was found */
    const char *instead; /* a msgid; NULL if there is no better one */
    bool has_step;
    uint64_t step;     /* its number in the recording of `schedule` */
    uint64_t schedule; /* the schedule in which it was first found */
    struct check_other other;
    uint32_t launch;  /* in the recording */
    bool follows;     /* may be a consequence of the last root cause before it */
    bool needs_order; /* a race whose advice depends on `apart` */
    uint32_t apart;   /* enum access_apart, of the accesses farthest apart */
};

/* The lanes that reached one __activemask() together, as a hash for each schedule. */
struct check_groups {
    char *file;
    uint32_t line;
    uint64_t first, now;          /* of the first schedule, and of the one being added */
    struct check_finding example; /* if has_step: a group that differs from the first schedule */
};

/* The first word that a program prints differently in two schedules; "" if there is none. */
struct check_results {
    uint64_t first_schedule, schedule;
    const char *first, *other;
};

struct check_report {
    struct check_finding *finding;
    size_t count, capacity;
    uint64_t found; /* sum of all counts */
    uint32_t places_left_out;
    bool memory_left_out;
    struct check_groups *groups;
    size_t group_count;
    bool has_groups; /* those of the first schedule are noted */
};

/* Adds the violations of a recording; reads of lanes that take no part are left out if the
 * recording notes that nothing depends on them. `unset` as in struct user_program; 0 if not known.
 * Fails like trace_step() on a damaged recording. */
int check_recording(struct check_report *report, const struct trace *trace, uint8_t unset,
                    uint64_t schedule, struct error *err);

/* The fix for a finding, a msgid: that of its rule, or one that suits this case better. NULL if the
 * rule has none. */
const char *check_suggestion(const struct finding *finding);

/* Adds the violations in memory accesses of the run that made the recording. */
void check_accesses(struct check_report *report, const struct trace *trace,
                    const struct program_accesses *accesses, uint64_t schedule);

/* Puts root causes first, each followed by its possible consequences. */
void check_report_arrange(struct check_report *report);

/* Locates findings that have no location: at their kernel's definition in the file, else at the
 * file's first line; `file` may be a recording whose sources are not known. */
void check_report_locate(struct check_report *report, const struct trace *trace, const char *file);

/* Adds the note that results depend on the order of the lanes, unless there is a finding. */
void check_results_differ(struct check_report *report, const struct trace *trace,
                          const struct check_results *results);

/* The number of locations that break one of the rules in `rules`, "a,b"; if that is NULL, any rule
 * except notes. */
size_t check_report_count(const struct check_report *report, const char *rules);

void check_report_release(struct check_report *report);

/* ---- for the files of this folder ---- */

/* The finding for a rule, a file and a line, made if it is new: then count is 0 and the caller
 * fills in the rest. */
struct check_finding *check_finding_at(struct check_report *report, const char *rule,
                                       const char *file, uint32_t line);

/* The finding's sentence in the language in use. The caller frees it. */
char *check_access_words(const struct program_access *access, const struct trace *trace);

/* The name of the kernel's parameter through which the accessed object was passed, from the
 * kernel's definition in the source. False if that is not found. */
bool check_parameter_name(const struct trace *trace, const struct program_access *access,
                          char *name, size_t size);

/* The array whose index is out of bounds, "row.value", if the access's line indexes only one array.
 * False otherwise. */
bool check_array_name(const struct trace *trace, const struct program_access *access, char *name,
                      size_t size);

/* The kernel's text, from its parameters on, or the whole file if the access is not in the kernel;
 * NULL if the file's text is not known. */
const char *check_kernel_body(const struct trace *trace, const struct program_access *access,
                              size_t *length);

/* The lines of a source from `from` up to, but not including, `to`; NULL if not known. */
const char *check_lines(const struct trace *trace, const char *file, uint32_t from, uint32_t to,
                        size_t *length);

/* Advice that fits the case better than the rule's; NULL if there is none. */
const char *check_advice(const struct program_access *access);

/* The advice for a race (`apart`: how far apart its threads are), or for a copy that is not waited
 * for; NULL if the rule's own fits. */
const char *check_order_advice(const struct trace *trace, const struct program_access *access,
                               uint32_t apart);

/* A call that the host makes at a line. */
struct check_host_call {
    char name[64]; /* "cudaMalloc"; "" for a launch, or if there is none */
    bool is_launch;
    bool is_dropped; /* the program ignores what it returns */
};

/* Finds the call at a line of `source`, which may be NULL. False if there is none. */
bool check_host_call_at(const char *source, uint32_t line, struct check_host_call *call);

/* The index of a block from its number in the launch. */
void check_block_index(const struct trace *trace, uint32_t launch, uint64_t block,
                       uint32_t index[3]);

/* Returns true if a recorded call derives its mask from __activemask() or coalesced_threads(). */
bool check_queries_masks(const struct trace *trace);

/* Adds the steps of a recording that pass a mask from __activemask() after their lanes have
 * diverged. */
int check_stale_masks(struct check_report *report, const struct trace *trace, uint64_t schedule,
                      struct error *err);

/* Notes the lanes that reached each __activemask() together. */
int check_groups_add(struct check_report *report, const struct trace *trace, uint64_t schedule,
                     struct error *err);
void check_groups_release(struct check_report *report);

/* Adds the shuffles that read a variable which the source lane has not set. `unset` as in struct
 * user_program; 0 if it is not known. */
int check_unset_values(struct check_report *report, const struct trace *trace, uint8_t unset,
                       uint64_t schedule, struct error *err);

/* Adds the shuffles whose delta or laneMask has more than five bits, unless the recording notes
 * that nothing depends on them. */
int check_cut_arguments(struct check_report *report, const struct trace *trace, uint64_t schedule,
                        struct error *err);

/* Fills in a new finding from the step that shows it. */
void check_finding_step(struct check_finding *finding, const struct trace *trace,
                        const struct trace_step *step, uint32_t lanes, uint64_t schedule);

#endif
