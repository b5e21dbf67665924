/*
 * Gathers findings into one form, so that the outputs need not know where a finding comes from: a
 * recording's steps, its notes on how the run ended, or the list of memory accesses.
 */
#include "check/report.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "check/rule.h"
#include "explain/findings/failure.h"
#include "explain/findings/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *copy_or_null(const char *string) {
    return string ? memory_string(string) : NULL;
}

static bool same_name(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

struct check_finding *check_finding_at(struct check_report *report, const char *rule,
                                       const char *file, uint32_t line) {
    for (size_t i = 0; i < report->count; i++)
        if (report->finding[i].line == line && strcmp(report->finding[i].rule, rule) == 0 &&
            same_name(report->finding[i].file, file))
            return &report->finding[i];
    report->finding =
        memory_room(report->finding, report->count, &report->capacity, sizeof *report->finding);
    const struct check_rule *known = check_rule_find(rule);
    struct check_finding *finding = &report->finding[report->count++];
    *finding = (struct check_finding){.rule = known ? known->id : rule,
                                      .file = copy_or_null(file),
                                      .line = line,
                                      .instead = known ? known->instead : NULL};
    return finding;
}

void check_report_release(struct check_report *report) {
    for (size_t i = 0; i < report->count; i++) {
        free(report->finding[i].file);
        free(report->finding[i].text);
        free(report->finding[i].kernel);
        free(report->finding[i].message);
        free(report->finding[i].other.file);
    }
    free(report->finding);
    check_groups_release(report);
    *report = (struct check_report){0};
}

size_t check_report_count(const struct check_report *report, const char *rules) {
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const char *rule = report->finding[i].rule;
        const size_t length = strlen(rule);
        bool named = rules == NULL && !check_rule_is_note(rule);
        for (const char *at = rules; at && *at && !named; at += strspn(at, ", ")) {
            size_t word = strcspn(at, ", ");
            named = word == length && strncmp(at, rule, length) == 0;
            at += word;
        }
        count += named;
    }
    return count;
}

/* ---- recordings ---- */

void check_finding_step(struct check_finding *finding, const struct trace *trace,
                        const struct trace_step *step, uint32_t lanes, uint64_t schedule) {
    const struct trace_launch *launch = trace_launch(trace, step->launch);
    const struct trace_site *site = trace_site(trace, step->site);
    finding->kernel = copy_or_null(launch ? launch->kernel : NULL);
    finding->text = copy_or_null(site ? site->text : NULL);
    memcpy(finding->block, step->block_index, sizeof finding->block);
    finding->launch = step->launch;
    finding->warp = step->warp;
    finding->lanes = lanes;
    finding->has_lanes = true;
    finding->has_step = true;
    finding->step = step->number;
    finding->schedule = schedule;
}

struct visit {
    struct check_report *report;
    uint64_t schedule;
    bool unused; /* recorded in TRACE_NOTE_UNUSED */
};

/* A location where lanes wait, if no step shows it. */
struct waiting {
    char file[256];
    unsigned line, warp;
    uint32_t lanes; /* 0 if blocks wait for the grid */
    uint32_t block[3];
    bool is_named;
};

/* In TRACE_NOTE_WAITING spinning lanes come first: others may wait for them at a barrier. */
static bool find_waiting(const struct trace *trace, struct waiting *waiting) {
    const char *note = trace_note(trace, TRACE_NOTE_WAITING);
    unsigned *const warp = &waiting->warp, *const line = &waiting->line;
    for (const char *at = note; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        sscanf(at, "block %" SCNu32 " %" SCNu32 " %" SCNu32, &waiting->block[0], &waiting->block[1],
               &waiting->block[2]);
        waiting->is_named = strncmp(at, "named ", 6) == 0;
        const char *const format = waiting->is_named ? "named %u %" SCNx32
                                                       " %*u %*u %*u %255[^:\n]:%u"
                                                     : "%*[a-z] %u %" SCNx32 "%*[ ]%255[^:\n]:%u";
        if (sscanf(at, "grid %255[^:\n]:%u", waiting->file, line) == 2 ||
            sscanf(at, format, warp, &waiting->lanes, waiting->file, line) == 4)
            return true;
    }
    return false;
}

/* "... thread (8,0,0) at FILE:LINE: ..." */
static bool find_crash(const struct trace *trace, struct waiting *crash) {
    const char *at = trace_note(trace, TRACE_NOTE_FAILURE);
    for (; at; at = strstr(at, ") at ")) {
        at += *at == ')' ? strlen(") at ") : 0;
        if (sscanf(at, "%255[^: \n]:%u:", crash->file, &crash->line) == 2)
            return true;
        if (*at == '\0')
            break;
    }
    return false;
}

static const struct trace_launch *last_launch(const struct trace *trace) {
    const struct trace_launch *last = NULL;
    for (uint32_t i = 0; trace_launch(trace, i); i++)
        last = trace_launch(trace, i);
    return last;
}

/* Finds the first of the steps that never ended; these are recorded last, in the order of their
 * lanes. False if there is none. */
static bool find_unfinished(const struct trace *trace, struct trace_step *step) {
    struct error unread = ERROR_INIT;
    const uint64_t count = trace_step_count(trace);
    uint64_t first = count;
    while (first > 0 && trace_step(trace, first - 1, step, &unread) == 0 &&
           step->operation.unfinished)
        first--;
    return first < count && trace_step(trace, first, step, &unread) == 0;
}

/* Describes a new finding: lanes wait or spin where no step shows them. */
static void describe_waiting(struct check_finding *finding, const struct trace *trace,
                             const struct waiting *waiting, bool spins) {
    if (waiting->lanes) {
        finding->has_lanes = true;
        finding->warp = waiting->warp;
        finding->lanes = waiting->lanes;
        memcpy(finding->block, waiting->block, sizeof finding->block);
    }
    if (spins && !failure_spins_at_lock(trace))
        finding->instead =
            N_("let the lane that is to change the memory run: it must not wait for the spinning "
               "lanes, and its block must run at the same time as their blocks");
    if (!spins && waiting->lanes == 0 && strcmp(finding->rule, "deadlock") == 0)
        finding->instead =
            N_("make all blocks reach grid.sync() equally often: let no thread return before "
               "grid.sync(), and run the same number of loop iterations in each block");
    if (waiting->is_named)
        finding->instead = N_("make as many threads reach the barrier as its count says; the count "
                              "must be a multiple of 32, and no larger than the block");
}

/* Locates a run that did not finish: where lanes spin; else at the last waiting step in the
 * recording; else at the barrier in its note. */
static struct check_finding *finding_of_failure(struct check_report *report,
                                                const struct trace *trace, const char *rule,
                                                uint64_t schedule) {
    struct trace_step step;
    struct waiting waiting = {.warp = 0};
    const bool spins = strcmp(rule, "livelock") == 0 && find_waiting(trace, &waiting);
    if (!spins && find_unfinished(trace, &step)) {
        const struct trace_site *site = trace_site(trace, step.site);
        struct check_finding *finding =
            check_finding_at(report, rule, site ? site->file : NULL, site ? site->line : 0);
        if (finding->count == 0)
            check_finding_step(finding, trace, &step, step.operation.present, schedule);
        return finding;
    }
    const bool known = spins || find_waiting(trace, &waiting) || find_crash(trace, &waiting);
    struct check_finding *finding =
        check_finding_at(report, rule, known ? waiting.file : NULL, known ? waiting.line : 0);
    if (finding->count > 0)
        return finding;
    const struct trace_launch *launch = last_launch(trace);
    finding->kernel = copy_or_null(launch ? launch->kernel : NULL);
    if (known)
        describe_waiting(finding, trace, &waiting, spins);
    return finding;
}

/* True for an undefined value on which nothing depends. */
static bool is_unused_read(const struct visit *visit, const struct finding *finding) {
    return visit->unused && (strcmp(finding->rule, "source_lane_not_in_mask") == 0 ||
                             strcmp(finding->rule, "source_lane_not_present") == 0);
}

/* True if all lanes that are read exist, but have left the kernel or are in another branch. */
static bool reads_inactive_lanes(const struct finding *finding) {
    const struct warp_operation *operation = &finding->step->operation;
    for (uint32_t left = finding->found.lanes; left; left &= left - 1)
        if (!(operation->launched >> finding->outcome[__builtin_ctz(left)].address.source & 1))
            return false;
    return true;
}

const char *check_suggestion(const struct finding *finding) {
    const struct check_rule *rule = check_rule_find(finding->rule);
    const struct trace_site *site =
        finding->step ? trace_site(finding->trace, finding->step->site) : NULL;
    const bool has_text = site && site->text[0];
    const bool is_intrinsic = has_text && strncmp(site->text, "__", 2) == 0;
    if (finding->step && strcmp(finding->rule, "source_lane_not_present") == 0 &&
        reads_inactive_lanes(finding))
        return N_("make the call in all lanes, outside the branch, and use the result where the "
                  "condition holds");
    if (has_text && strcmp(finding->rule, "not_participating_lane_in_mask") == 0 && !is_intrinsic)
        return N_("make the call outside the branch, or form a group of the lanes that reach the "
                  "call: coalesced_threads()");
    return rule ? rule->instead : NULL;
}

static void visit_finding(void *context, const struct finding *finding) {
    struct visit *visit = context;
    const struct trace_step *step = finding->step;
    struct check_finding *reported;
    if (is_unused_read(visit, finding))
        return;
    if (step) {
        const struct trace_site *site = trace_site(finding->trace, step->site);
        reported = check_finding_at(visit->report, finding->rule, site ? site->file : NULL,
                                    site ? site->line : 0);
        if (reported->count == 0)
            check_finding_step(reported, finding->trace, step, finding->found.lanes,
                               visit->schedule);
    } else {
        reported =
            finding_of_failure(visit->report, finding->trace, finding->rule, visit->schedule);
    }
    visit->report->found++;
    if (reported->count++ == 0) {
        struct text words = TEXT_INIT;
        if (step)
            reported->instead = check_suggestion(finding);
        finding_append(&words, finding);
        reported->schedule = visit->schedule;
        reported->message = text_detach(&words);
    }
}

int check_recording(struct check_report *report, const struct trace *trace, uint8_t unset,
                    uint64_t schedule, struct error *err) {
    struct visit visit = {report, schedule, trace_note(trace, TRACE_NOTE_UNUSED) != NULL};
    if (findings_walk(trace, visit_finding, &visit, NULL, err) != 0 ||
        check_cut_arguments(report, trace, schedule, err) != 0 ||
        check_stale_masks(report, trace, schedule, err) != 0 ||
        check_groups_add(report, trace, schedule, err) != 0)
        return -1;
    return check_unset_values(report, trace, unset, schedule, err);
}

/* ---- memory accesses ---- */

void check_block_index(const struct trace *trace, uint32_t launch, uint64_t block,
                       uint32_t index[3]) {
    const struct trace_launch *of = trace ? trace_launch(trace, launch) : NULL;
    const uint64_t x = of ? of->grid[0] : UINT32_MAX, y = of ? of->grid[1] : 1;
    index[0] = (uint32_t)(block % x);
    index[1] = (uint32_t)(block / x % y);
    index[2] = (uint32_t)(block / x / y);
}

static const char *source_of(const struct trace *trace, const struct program_access *access) {
    return trace && access->file ? trace_source(trace, access->file) : NULL;
}

/* The rule for a failed call; the program may check its status there, or ask for it later. */
static const char *failed_call_rule(const struct program_access *access,
                                    const struct trace *trace) {
    struct check_host_call call;
    check_host_call_at(source_of(trace, access), access->line, &call);
    return call.is_dropped && !access->entry.is_seen ? "error_ignored" : "call_failed";
}

static const char *rule_of(const struct program_access *access, const struct trace *trace) {
    static const char *const names[ACCESS_RULES] = {
        [ACCESS_SHARED_RACE] = "shared_race",
        [ACCESS_GLOBAL_RACE] = "global_race",
        [ACCESS_OUT_OF_BOUNDS] = "out_of_bounds",
        [ACCESS_UNINITIALIZED_READ] = "uninitialized_read",
        [ACCESS_BARRIER_DIVERGENCE] = "barrier_divergence",
        [ACCESS_WRONG_SPACE] = "wrong_memory_space",
        [ACCESS_MISALIGNED] = "misaligned_access",
        [ACCESS_SHIFT] = "shift_too_far",
        [ACCESS_SKIPPED] = "not_participating_lane_in_mask",
        [ACCESS_NARROWED] = "value_narrowed",
        [ACCESS_READ_ONLY] = "read_only_written",
        [ACCESS_CROWDED] = "blocks_not_resident",
        [ACCESS_SAME_ELEMENTS] = "same_elements_read",
        [ACCESS_NOT_WAITED] = "copy_not_waited",
        [ACCESS_COUNT] = "barrier_count",
        [ACCESS_LEFT] = "memory_not_freed",
        [ACCESS_UNUSED] = "memory_unused"};
    return access->entry.rule == ACCESS_FAILED ? failed_call_rule(access, trace)
                                               : names[access->entry.rule];
}

/* The later line is the location of a race, whichever access came first this time: the missing
 * barrier belongs before it. */
static bool is_swapped(const struct program_access *access) {
    return access->entry.rule <= ACCESS_GLOBAL_RACE && access->file && access->other_file &&
           strcmp(access->file, access->other_file) == 0 && access->line < access->other_line;
}

static struct program_access swap(const struct program_access *access) {
    struct program_access other = *access;
    other.entry.me = access->entry.other;
    other.entry.other = access->entry.me;
    other.entry.lanes = UINT32_C(1) << access->entry.other.thread % WARP_LANES;
    other.file = access->other_file;
    other.other_file = access->file;
    other.line = access->other_line;
    other.other_line = access->line;
    return other;
}

static void describe(struct check_finding *finding, const struct trace *trace,
                     const struct program_access *access, uint64_t schedule) {
    const struct access_entry *entry = &access->entry;
    const struct trace_launch *launch = trace ? trace_launch(trace, entry->launch) : NULL;
    const uint64_t steps = trace ? trace_step_count(trace) : 0;
    if (entry->lanes) { /* else the host made the access */
        finding->kernel = copy_or_null(launch ? launch->kernel : NULL);
        check_block_index(trace, entry->launch, entry->me.block, finding->block);
        finding->warp = entry->me.thread / WARP_LANES;
        finding->lanes = entry->lanes;
        finding->has_lanes = true;
    }
    finding->launch = entry->launch;
    finding->has_step = steps > 0;
    finding->step = entry->step < steps ? entry->step : steps - 1;
    finding->schedule = schedule;
    finding->message = check_access_words(access, trace);
    const char *advice = check_advice(access);
    if (advice)
        finding->instead = advice;
    finding->needs_order =
        !advice && (entry->rule == ACCESS_SHARED_RACE || entry->rule == ACCESS_GLOBAL_RACE ||
                    entry->rule == ACCESS_NOT_WAITED);
    if (!access->other_file)
        return;
    finding->other.file = memory_string(access->other_file);
    finding->other.line = access->other_line;
    check_block_index(trace, entry->launch, entry->other.block, finding->other.block);
    finding->other.warp = entry->other.thread / WARP_LANES;
    finding->other.lanes = UINT32_C(1) << entry->other.thread % WARP_LANES;
}

/* Chooses the advice that fits all accesses at this location so far. */
static void choose_advice(struct check_finding *finding, const struct trace *trace,
                          const struct program_access *access) {
    if (!finding->needs_order)
        return;
    if (access->entry.apart > finding->apart)
        finding->apart = access->entry.apart;
    const char *advice = check_order_advice(trace, access, finding->apart);
    finding->instead = advice ? advice : check_rule_find(finding->rule)->instead;
}

/* True for a launch that the device refused: its finding exists already and gets the location of
 * the call. */
static bool is_refused_launch(struct check_report *report, const struct program_access *access) {
    for (size_t i = 0; i < report->count && access->entry.is_refused; i++) {
        struct check_finding *finding = &report->finding[i];
        if (strcmp(finding->rule, "launch_refused") != 0)
            continue;
        if (!finding->file) {
            finding->file = memory_string(access->file);
            finding->line = access->line;
        }
        return true;
    }
    return false;
}

void check_accesses(struct check_report *report, const struct trace *trace,
                    const struct program_accesses *accesses, uint64_t schedule) {
    for (size_t i = 0; i < accesses->count; i++) {
        const struct program_access *access = &accesses->access[i];
        const struct program_access told = is_swapped(access) ? swap(access) : *access;
        if (is_refused_launch(report, &told))
            continue;
        struct check_finding *finding =
            check_finding_at(report, rule_of(&told, trace), told.file, told.line);
        if (finding->count == 0)
            describe(finding, trace, &told, schedule);
        choose_advice(finding, trace, &told);
        finding->count += told.entry.count;
        report->found += told.entry.count;
    }
    report->places_left_out += accesses->more;
    report->memory_left_out = report->memory_left_out || accesses->left_out;
}
