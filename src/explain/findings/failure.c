/*
 * The reason is read from the last steps, which never ended, and from notes that the recorder left
 * about lanes that wait for something other than a warp operation.
 */
#include "explain/findings/failure.h"

#include "base/message.h"
#include "explain/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups of waiting lanes that are named individually; the others are counted. */
#define GROUPS_NAMED 10
/* The number of steps read backwards from the end: larger than the number of threads in a block,
 * which may all be waiting. */
#define TAIL_STEPS 4096

/* A recording's information on the block that did not finish. */
struct stop {
    const struct trace *trace;
    struct text *text;
    uint64_t
        first; /* the first of the steps at the end: calls that never ended, and watched values */
    uint32_t block[3]; /* index of the block */
    const char *notes; /* TRACE_NOTE_WAITING; "" if there is none */
    int groups;        /* the number of groups of lanes so far */
    int at_named;      /* the number of them at named barriers */
};

/* ---- the steps ---- */

/* True if the operation never ended; *step is then a call of waiting lanes. */
static bool is_waiting(const struct trace *trace, uint64_t number, struct trace_step *step) {
    return trace_step(trace, number, step, NULL) == 0 && step->operation.unfinished;
}

/* Finds the calls that never ended: the last steps, mixed with watched values. False if there is
 * none. */
static bool find_tail(struct stop *stop) {
    const uint64_t count = trace_step_count(stop->trace);
    struct trace_step step;
    bool found = false;
    stop->first = count;
    for (uint64_t number = count; number > 0 && count - number < TAIL_STEPS; number--) {
        bool waits = is_waiting(stop->trace, number - 1, &step);
        if (!waits && step.operation.op != WARP_OP_WATCH)
            break;
        if (waits) {
            stop->first = number - 1;
            memcpy(stop->block, step.block_index, sizeof stop->block);
            found = true;
        }
    }
    return found;
}

/* Lanes that have reached this call's operation from anywhere in the kernel. */
static uint32_t lanes_joined(const struct stop *stop, const struct trace_step *call) {
    uint32_t lanes = 0;
    struct trace_step other;
    for (uint64_t number = stop->first; number < trace_step_count(stop->trace); number++)
        if (is_waiting(stop->trace, number, &other) && other.warp == call->warp &&
            other.operation.op == call->operation.op &&
            other.operation.members == call->operation.members)
            lanes |= other.operation.present;
    return lanes;
}

/* Lanes that the callers wait for. */
static uint32_t lanes_missing(const struct stop *stop, const struct trace_step *step) {
    const struct warp_operation *call = &step->operation;
    return call->members & call->launched & ~call->exited & ~lanes_joined(stop, step);
}

static unsigned long count_of(uint32_t lanes) {
    return (unsigned long)__builtin_popcount(lanes);
}

/* "warp 0: lanes 0-3 wait at FILE:LINE TEXT for lanes 4-7", on a line of its own. */
static void append_group(struct stop *stop, uint32_t warp, uint32_t lanes, const char *location,
                         const char *awaited) {
    char who[EXPLAIN_LANES_TEXT];
    if (stop->groups++ >= GROUPS_NAMED)
        return;
    text_append_char(stop->text, '\n');
    text_append_format(stop->text,
                       message_plural("warp %u: %s waits at %s for %s",
                                      "warp %u: %s wait at %s for %s", count_of(lanes)),
                       warp, explain_lanes(lanes, who), location, awaited);
}

static void append_calls(struct stop *stop) {
    struct trace_step step;
    for (uint64_t number = stop->first; number < trace_step_count(stop->trace); number++) {
        if (!is_waiting(stop->trace, number, &step))
            continue;
        const struct warp_operation *call = &step.operation;
        const struct trace_site *site = trace_site(stop->trace, step.site);
        uint32_t missing = lanes_missing(stop, &step);
        char awaited[EXPLAIN_LANES_TEXT];
        struct text location = TEXT_INIT;
        if (site)
            text_append_format(&location, "%s:%" PRIu32 " %s", site->file, site->line, site->text);
        append_group(stop, step.warp, call->present, location.data,
                     explain_lanes(missing, awaited));
        text_release(&location);
    }
}

/* ---- the notes ---- */

/* Reads the next line of the note that begins with `word`: its warp, its lanes, and the remaining
 * text, which is cut at the size of `rest`. False after the last. */
static bool next_note(const char **notes, const char *word, uint32_t *warp, uint32_t *lanes,
                      char *rest, size_t size) {
    while (**notes) {
        const char *line = *notes;
        const size_t length = strcspn(line, "\n");
        const size_t word_length = strlen(word);
        int used = 0;
        *notes += length + (line[length] == '\n');
        if (strncmp(line, word, word_length) != 0 ||
            sscanf(line + word_length, " %" SCNu32 " %" SCNx32 "%n", warp, lanes, &used) != 2 ||
            *lanes == 0 || word_length + (size_t)used > length)
            continue;
        const char *from = line + word_length + used;
        from += *from == ' ';
        snprintf(rest, size, "%.*s", (int)(line + length - from), from);
        return true;
    }
    return false;
}

/* "lanes 8-31 of warp 1, lane 3 of warp 2" */
static void append_missing(const struct stop *stop, struct text *text) {
    const char *notes = stop->notes;
    uint32_t warp, lanes;
    char rest[8], who[EXPLAIN_LANES_TEXT];
    while (next_note(&notes, "missing", &warp, &lanes, rest, sizeof rest)) {
        text_append(text, text->length ? _(", ") : "");
        text_append_format(text, _("%s of warp %u"), explain_lanes(lanes, who), warp);
    }
}

static void append_barriers(struct stop *stop) {
    const char *notes = stop->notes;
    uint32_t warp, lanes;
    char location[512];
    struct text missing = TEXT_INIT;
    append_missing(stop, &missing);
    while (next_note(&notes, "barrier", &warp, &lanes, location, sizeof location))
        append_group(stop, warp, lanes, location, missing.data);
    text_release(&missing);
}

/* A line of the note on a named barrier, after its lanes. */
struct named {
    unsigned number, came, count;
    char *location;
};

static bool read_named(char *rest, struct named *named) {
    int used = 0;
    if (sscanf(rest, "%u %u %u %n", &named->number, &named->came, &named->count, &used) != 3)
        return false;
    named->location = rest + used;
    return true;
}

static void append_named(struct stop *stop) {
    const char *notes = stop->notes;
    uint32_t warp, lanes;
    char rest[512], who[EXPLAIN_LANES_TEXT];
    struct named named;
    while (next_note(&notes, "named", &warp, &lanes, rest, sizeof rest)) {
        if (!read_named(rest, &named) || stop->groups++ >= GROUPS_NAMED)
            continue;
        stop->at_named++;
        text_append_char(stop->text, '\n');
        text_append_format(
            stop->text,
            message_plural(
                "warp %u: %s waits at %s: barrier %u opens for %u threads, and %u have arrived",
                "warp %u: %s wait at %s: barrier %u opens for %u threads, and %u have arrived",
                count_of(lanes)),
            warp, explain_lanes(lanes, who), named.location, named.number, named.count, named.came);
    }
}

static void append_running(struct stop *stop) {
    const char *notes = stop->notes;
    uint32_t warp, lanes;
    char location[300], who[EXPLAIN_LANES_TEXT];
    while (next_note(&notes, "running", &warp, &lanes, location, sizeof location)) {
        if (stop->groups++ >= GROUPS_NAMED)
            continue;
        text_append_char(stop->text, '\n');
        if (*location) {
            text_append_format(stop->text,
                               message_plural("warp %u: %s keeps reading memory at %s",
                                              "warp %u: %s keep reading memory at %s",
                                              count_of(lanes)),
                               warp, explain_lanes(lanes, who), location);
            continue;
        }
        text_append_format(stop->text,
                           message_plural("warp %u: %s is still running",
                                          "warp %u: %s are still running", count_of(lanes)),
                           warp, explain_lanes(lanes, who));
    }
}

/* ---- the words ---- */

/* False if the recording does not show which lanes wait. */
static bool find_stop(struct stop *stop, const struct trace *trace, struct text *text) {
    const char *notes = trace_note(trace, TRACE_NOTE_WAITING);
    *stop = (struct stop){.trace = trace, .text = text, .notes = notes ? notes : ""};
    bool noted = sscanf(stop->notes, "block %" SCNu32 " %" SCNu32 " %" SCNu32, &stop->block[0],
                        &stop->block[1], &stop->block[2]) == 3;
    return find_tail(stop) || noted;
}

enum trace_failure failure_kind(const struct trace *trace) {
    enum trace_failure failure = trace_failure(trace);
    struct stop stop;
    if (failure == TRACE_FAILURE_OTHER && !trace_note(trace, TRACE_NOTE_FAILURE_KIND) &&
        find_stop(&stop, trace, NULL))
        return TRACE_FAILURE_DEADLOCK;
    return failure;
}

/* The source line of "FILE:LINE" in the recording; NULL if not known. */
static const char *line_of_location(const struct trace *trace, const char *location) {
    char file[256];
    const char *colon = strrchr(location, ':');
    if (!colon || colon - location >= (int)sizeof file)
        return NULL;
    snprintf(file, sizeof file, "%.*s", (int)(colon - location), location);
    const char *line = trace_source(trace, file);
    for (long number = atol(colon + 1); line && number > 1; number--) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return line;
}

/* A lock is taken by an operation that writes; a flag is only read. */
static bool takes_lock(const char *line) {
    static const char *const words[] = {"atomicCAS", "atomicExch",   "atomicOr", "compare_exchange",
                                        "exchange",  "test_and_set", "acquire",  "atomicTryLock"};
    const size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *found = strstr(line, words[i]);
        if (found && found < line + length)
            return true;
    }
    return false;
}

bool failure_spins_at_lock(const struct trace *trace) {
    const char *notes = trace_note(trace, TRACE_NOTE_WAITING);
    uint32_t warp, lanes;
    char location[300];
    while (notes && next_note(&notes, "running", &warp, &lanes, location, sizeof location)) {
        const char *line = line_of_location(trace, location);
        if (line && takes_lock(line))
            return true;
    }
    return false;
}

static void append_stop(struct stop *stop, bool spins) {
    text_append_format(
        stop->text,
        spins ? _("the kernel does not finish: lanes of block (%u,%u,%u) read memory millions of "
                  "times in a row, with atomic operations or volatile reads, and the value never "
                  "changes")
              : _("the kernel does not finish: lanes of block (%u,%u,%u) wait for each other "
                  "forever"),
        stop->block[0], stop->block[1], stop->block[2]);
    append_running(stop);
    append_calls(stop);
    append_barriers(stop);
    append_named(stop);
    if (stop->groups > GROUPS_NAMED) {
        int more = stop->groups - GROUPS_NAMED;
        text_append_char(stop->text, '\n');
        text_append_format(stop->text,
                           message_plural("and %d more group of lanes",
                                          "and %d more groups of lanes", (unsigned long)more),
                           more);
    }
    text_append_char(stop->text, '\n');
    text_append(stop->text,
                stop->at_named && !spins
                    ? _("a numbered barrier opens when as many threads have arrived as its count "
                        "says, including arrivals by bar.arrive; a partial warp counts as 32 "
                        "threads\ntry another count, or make the missing warps reach the barrier")
                : spins
                    ? _("the lane that is to change that memory must not wait for the lanes that "
                        "spin; the host's writes come too late, since on the CPU warp a kernel "
                        "ends before the host continues\ntry another lane order: --schedule SEED")
                    : _("every lane that a member mask names, and that has not left the kernel, "
                        "must make the call, and every thread of the block must reach "
                        "__syncthreads()\ntry moving the call out of the branch, or passing a mask "
                        "of only the lanes that reach the call"));
    if (spins && failure_spins_at_lock(stop->trace))
        text_append(stop->text, _("; let one lane of a warp take the lock, and release the lock "
                                  "before the other lanes wait for it"));
}

static bool lanes_wait(enum trace_failure failure) {
    return failure == TRACE_FAILURE_DEADLOCK || failure == TRACE_FAILURE_LIVELOCK;
}

/* ---- as a list ---- */

struct collecting {
    struct failure_waits *waits;
    uint32_t warp;
    bool own; /* in this pass only those of `warp`, in the other the rest */
};

static struct failure_wait *add_wait(const struct collecting *c, enum failure_wait_kind kind,
                                     uint32_t warp, uint32_t lanes) {
    struct failure_waits *waits = c->waits;
    if ((warp == c->warp) != c->own)
        return NULL;
    waits->all++;
    waits->of_warp += c->own;
    if (waits->count >= waits->room)
        return NULL;
    struct failure_wait *wait = &waits->wait[waits->count++];
    *wait = (struct failure_wait){.kind = kind, .warp = warp, .lanes = lanes};
    return wait;
}

static void collect_calls(const struct stop *stop, const struct collecting *c) {
    struct trace_step step;
    for (uint64_t number = stop->first; number < trace_step_count(stop->trace); number++) {
        if (!is_waiting(stop->trace, number, &step))
            continue;
        const struct trace_site *site = trace_site(stop->trace, step.site);
        struct failure_wait *wait =
            add_wait(c, FAILURE_WAITS_CALL, step.warp, step.operation.present);
        if (!wait)
            continue;
        wait->missing = lanes_missing(stop, &step);
        if (site)
            snprintf(wait->location, sizeof wait->location, "%s:%" PRIu32 " %s", site->file,
                     site->line, site->text);
    }
}

static void collect_notes(const struct stop *stop, const struct collecting *c, const char *word,
                          enum failure_wait_kind kind) {
    uint32_t warp, lanes, missing_warp, missing;
    char location[256], rest[8];
    for (const char *notes = stop->notes;
         next_note(&notes, word, &warp, &lanes, location, sizeof location);) {
        struct failure_wait *wait = add_wait(c, kind, warp, lanes);
        struct named named;
        if (!wait)
            continue;
        const bool is_named = *word == 'n' && read_named(location, &named);
        snprintf(wait->location, sizeof wait->location, "%s", is_named ? named.location : location);
        if (is_named) /* the missing threads may come from any warp */
            continue;
        for (const char *others = stop->notes;
             kind != FAILURE_RUNS &&
             next_note(&others, "missing", &missing_warp, &missing, rest, sizeof rest);)
            wait->missing |= missing_warp == warp ? missing : 0;
    }
}

bool failure_waits(const struct trace *trace, uint32_t warp, struct failure_waits *waits) {
    struct stop stop;
    waits->count = waits->all = waits->of_warp = 0;
    if (!lanes_wait(failure_kind(trace)) || !find_stop(&stop, trace, NULL))
        return false;
    memcpy(waits->block, stop.block, sizeof waits->block);
    for (int own = 1; own >= 0; own--) {
        const struct collecting c = {waits, warp, own};
        collect_calls(&stop, &c);
        collect_notes(&stop, &c, "barrier", FAILURE_WAITS_BARRIER);
        collect_notes(&stop, &c, "named", FAILURE_WAITS_BARRIER);
        collect_notes(&stop, &c, "running", FAILURE_RUNS);
    }
    return true;
}

void failure_append(struct text *text, const struct trace *trace) {
    const enum trace_failure failure = failure_kind(trace);
    const bool waits = lanes_wait(failure);
    struct stop stop;
    if (failure == TRACE_FAILURE_NONE)
        return;
    if (waits && find_stop(&stop, trace, text))
        append_stop(&stop, failure == TRACE_FAILURE_LIVELOCK);
    else if (waits)
        text_append(text, trace_note(trace, TRACE_NOTE_FAILURE));
    else
        text_append_format(text, _("the run did not finish: %s"),
                           trace_note(trace, TRACE_NOTE_FAILURE));
}

void failure_explain(struct error *err, const struct trace *trace) {
    struct text text = TEXT_INIT;
    if (!lanes_wait(failure_kind(trace)))
        return;
    failure_append(&text, trace);
    error_set(err, err->kind, "%s", text.data);
    text_release(&text);
}
