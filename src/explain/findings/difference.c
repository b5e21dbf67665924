/*
 * Two warps are walked side by side. The steps of diverged parts of a warp may come in different
 * orders, so a few steps are read ahead and paired by their lanes.
 */
#include "explain/findings/difference.h"

#include "base/message.h"
#include "base/progress_line.h"
#include "explain/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* All steps of an incomplete recording are listed first, because otherwise warps have no
 * numbers. */
static void list_all(const struct trace *trace) {
    trace_warp_count(trace);
    while (trace_warps_list(trace, 1 << 16))
        ;
}

static int compare_warps(const struct trace_warp *a, const struct trace_warp *b) {
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->warp == b->warp ? 0 : a->warp < b->warp ? -1 : 1;
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* The state of the walk. */
struct walk {
    const struct trace *const *traces;
    struct difference *d;
    difference_visitor *visit; /* may be NULL */
    void *context;
    struct { /* sites already compared, by a hash of both numbers */
        uint32_t site[2];
        bool known;
        unsigned parts;
    } places[256];
};

/* The line of a source, without the blanks around it; NULL if there is none. */
static const char *line_of(const struct trace *trace, const struct trace_site *site,
                           size_t *length) {
    const char *at = trace_source(trace, site->file);
    for (uint32_t line = 1; at && line < site->line; line++) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    if (!at)
        return NULL;
    at += strspn(at, " \t");
    *length = strcspn(at, "\n");
    while (*length && (at[*length - 1] == ' ' || at[*length - 1] == '\t'))
        (*length)--;
    return at;
}

/* 0 for the same call: the same text on the same line or, if the sources differ, on a line with
 * the same text. Paths are not compared, because they may be shortened differently. */
static unsigned site_parts(const struct trace *const traces[2], const struct trace_site *a,
                           const struct trace_site *b) {
    size_t length[2];
    if (!a || !b)
        return a == b ? 0 : DIFFERS_CALL;
    if (!same_text(a->text, b->text))
        return DIFFERS_CALL;
    if (a->line == b->line)
        return 0;
    const char *line[2] = {line_of(traces[0], a, &length[0]), line_of(traces[1], b, &length[1])};
    const bool moved =
        line[0] && line[1] && length[0] == length[1] && memcmp(line[0], line[1], length[0]) == 0 &&
        strcmp(trace_source(traces[0], a->file), trace_source(traces[1], b->file)) != 0;
    return moved ? 0 : DIFFERS_LINE;
}

static unsigned place_parts(struct walk *walk, const struct trace_step step[2]) {
    const uint32_t site[2] = {step[0].site, step[1].site};
    const size_t at = (site[0] * 31 + site[1]) % (sizeof walk->places / sizeof walk->places[0]);
    if (!walk->places[at].known || memcmp(walk->places[at].site, site, sizeof site) != 0) {
        memcpy(walk->places[at].site, site, sizeof site);
        walk->places[at].known = true;
        walk->places[at].parts = site_parts(walk->traces, trace_site(walk->traces[0], site[0]),
                                            trace_site(walk->traces[1], site[1]));
    }
    return walk->places[at].parts;
}

/* The first lane that makes both calls with different widths; WARP_LANES if there is none. */
static int first_width_mismatch(const struct warp_operation *a, const struct warp_operation *b) {
    int lane = 0;
    while (lane < WARP_LANES &&
           (!(a->present & b->present & UINT32_C(1) << lane) || a->width[lane] == b->width[lane]))
        lane++;
    return lane;
}

static unsigned operation_parts(const struct warp_operation *a, const struct warp_operation *b) {
    return (a->op != b->op ? DIFFERS_OPERATION : 0) | (a->type != b->type ? DIFFERS_TYPE : 0) |
           (first_width_mismatch(a, b) < WARP_LANES ? DIFFERS_WIDTH : 0) |
           (a->members != b->members ? DIFFERS_MASK : 0) |
           (a->present != b->present ? DIFFERS_PRESENT : 0) |
           (a->unfinished != b->unfinished ? DIFFERS_FINISH : 0);
}

/* Values of the same type are compared as bits, others as text: 3 and 3.0f are equal. */
static bool same_value(const enum warp_type type[2], uint64_t a, uint64_t b) {
    char text[2][WARP_VALUE_TEXT];
    return type[0] == type[1] ? a == b
                              : strcmp(warp_value_format(type[0], a, text[0]),
                                       warp_value_format(type[1], b, text[1])) == 0;
}

/* Compares the lanes that make the call in both recordings. */
static uint32_t lanes_that_differ(const struct warp_operation *a, const struct warp_operation *b,
                                  unsigned *parts) {
    const enum warp_type in[2] = {a->type, b->type};
    const enum warp_type out[2] = {warp_result_type(a), warp_result_type(b)};
    struct lane_outcome outcome[2][WARP_LANES];
    uint32_t lanes = 0;
    warp_outcome(a, outcome[0]);
    warp_outcome(b, outcome[1]);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(a->present & b->present & UINT32_C(1) << lane))
            continue;
        const bool undefined =
            outcome[0][lane].status == LANE_UNDEFINED && outcome[1][lane].status == LANE_UNDEFINED;
        const unsigned found =
            (a->arg[lane] != b->arg[lane] ? DIFFERS_ARGUMENT : 0) |
            (same_value(in, a->in[lane], b->in[lane]) ? 0 : DIFFERS_IN) |
            (undefined || same_value(out, a->out[lane], b->out[lane]) ? 0 : DIFFERS_OUT);
        *parts |= found;
        if (found)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

/* The parts that differ, including those of the location, which are passed in `place`. *lanes gets
 * the lanes that differ. */
static unsigned step_parts(const struct trace_step step[2], unsigned place, uint32_t *lanes) {
    const struct warp_operation *a = &step[0].operation, *b = &step[1].operation;
    unsigned parts = place | operation_parts(a, b);
    *lanes = (a->present ^ b->present) | lanes_that_differ(a, b, &parts);
    return parts;
}

unsigned difference_parts(const struct trace *const traces[2], const struct trace_step step[2],
                          uint32_t *lanes) {
    const unsigned place = site_parts(traces, trace_site(traces[0], step[0].site),
                                      trace_site(traces[1], step[1].site));
    return step_parts(step, place, lanes);
}

static enum difference_kind kind_of(unsigned parts) {
    if (parts & ~(unsigned)(DIFFERS_PRESENT | DIFFERS_ARGUMENT | DIFFERS_IN | DIFFERS_OUT))
        return DIFFERENCE_OPERATION;
    return parts & DIFFERS_PRESENT ? DIFFERENCE_PRESENT
           : parts                 ? DIFFERENCE_LANES
                                   : DIFFERENCE_NONE;
}

/* Keeps the first difference: that of the lowest step, in either recording. */
static void keep_first(struct difference *d, const struct difference *found) {
    uint64_t now = d->step[0] < d->step[1] ? d->step[0] : d->step[1];
    uint64_t new = found->step[0] < found->step[1] ? found->step[0] : found->step[1];
    if (d->kind != DIFFERENCE_NONE && now <= new)
        return;
    d->kind = found->kind;
    d->warp = found->warp;
    d->position = found->position;
    memcpy(d->step, found->step, sizeof(d->step));
    d->lanes = found->lanes;
    d->parts = found->parts;
}

static void add_difference(const struct walk *walk, const struct difference *found) {
    keep_first(walk->d, found);
    if (walk->visit)
        walk->visit(walk->context, found);
}

/* ---- partners ---- */

/* A warp has at most as many divergent parts as lanes, so the search for a partner ends after that
 * many steps. */
#define AHEAD WARP_LANES

/* The steps of a warp in the second recording that have been read and have no partner yet. */
struct waiting {
    const struct trace *trace;
    const struct trace_warp *warp;
    uint64_t next; /* position of the first step not yet read */
    struct trace_step steps[AHEAD];
    uint64_t numbers[AHEAD];
    unsigned count;
};

/* Reads one more step. Returns 1; 0 if there is none, or no room; -1 with an error. */
static int read_ahead(struct waiting *waiting, struct error *err) {
    if (waiting->count == AHEAD)
        return 0;
    uint64_t number = trace_warp_step(waiting->trace, waiting->warp, waiting->next);
    if (number == UINT64_MAX)
        return 0;
    if (trace_step(waiting->trace, number, &waiting->steps[waiting->count], err) != 0)
        return -1;
    waiting->numbers[waiting->count++] = number;
    waiting->next++;
    return 1;
}

/* Takes out the first step that one of the lanes makes; without lanes, or if no step read ahead
 * matches, the very first. Returns its number, UINT64_MAX if there is none; sets *failed to -1 on
 * an error. */
static uint64_t take_partner(struct waiting *waiting, uint32_t lanes, struct trace_step *step,
                             int *failed, struct error *err) {
    unsigned at = 0;
    for (;; at++) {
        if (at == waiting->count && (*failed = read_ahead(waiting, err)) != 1)
            break;
        if (lanes == 0 || (waiting->steps[at].operation.present & lanes))
            break;
    }
    if (*failed < 0 || waiting->count == 0 || (at == waiting->count && at < AHEAD))
        return UINT64_MAX;
    if (at == AHEAD)
        at = 0;
    uint64_t number = waiting->numbers[at];
    *step = waiting->steps[at];
    waiting->count--;
    for (; at < waiting->count; at++) {
        waiting->steps[at] = waiting->steps[at + 1];
        waiting->numbers[at] = waiting->numbers[at + 1];
    }
    return number;
}

/* Compares a warp that both recordings have. */
static int compare_warp(struct walk *walk, const struct trace_warp warp[2], struct error *err) {
    const struct trace *const *traces = walk->traces;
    struct waiting waiting = {.trace = traces[1], .warp = &warp[1]};
    bool differs = false, ended = false;
    for (uint64_t position = 0;; position++) {
        struct trace_step step[2];
        struct difference found = {.warp = warp[0], .position = position};
        int failed = 0;
        found.step[0] = trace_warp_step(traces[0], &warp[0], position);
        if (found.step[0] != UINT64_MAX && trace_step(traces[0], found.step[0], &step[0], err) != 0)
            return -1;
        found.step[1] =
            take_partner(&waiting, found.step[0] == UINT64_MAX ? 0 : step[0].operation.present,
                         &step[1], &failed, err);
        if (failed < 0)
            return -1;
        if (found.step[0] == UINT64_MAX && found.step[1] == UINT64_MAX)
            break;
        if (found.step[0] == UINT64_MAX || found.step[1] == UINT64_MAX) {
            found.kind = DIFFERENCE_END;
        } else {
            found.parts = step_parts(step, place_parts(walk, step), &found.lanes);
            found.kind = kind_of(found.parts);
        }
        if (found.kind == DIFFERENCE_NONE) {
            ended = false;
            continue;
        }
        differs = true;
        walk->d->steps++;
        if (!ended)
            add_difference(walk, &found);
        ended = found.kind == DIFFERENCE_END;
    }
    walk->d->warps += differs;
    return 0;
}

/* Reports a warp that only recording `which` has. */
static void add_unmatched_warp(const struct walk *walk, const struct trace_warp *warp, int which) {
    struct difference found = {.kind = DIFFERENCE_WARP, .warp = *warp};
    found.step[which] = trace_warp_step(walk->traces[which], warp, 0);
    found.step[!which] = UINT64_MAX;
    add_difference(walk, &found);
    walk->d->steps += warp->steps;
    walk->d->warps++;
}

/* ---- words ---- */

/* Appends another phrase, after a comma. */
static void say(char buffer[DIFFERENCE_TEXT], const char *phrase) {
    const size_t length = strlen(buffer);
    snprintf(buffer + length, DIFFERENCE_TEXT - length, length ? _(", %s") : "%s", phrase);
}

static void say_words(char buffer[DIFFERENCE_TEXT], const char *format, const char *a,
                      const char *b) {
    char phrase[160];
    snprintf(phrase, sizeof phrase, format, a, b);
    say(buffer, phrase);
}

static void say_numbers(char buffer[DIFFERENCE_TEXT], const char *format, uint32_t a, uint32_t b) {
    char phrase[160];
    snprintf(phrase, sizeof phrase, format, a, b);
    say(buffer, phrase);
}

/* The difference in the call itself, with its form in each recording. */
static void say_call(char buffer[DIFFERENCE_TEXT], const struct trace *const traces[2],
                     const struct trace_step step[2], unsigned parts) {
    const struct warp_operation *a = &step[0].operation, *b = &step[1].operation;
    const struct trace_site *site[2] = {trace_site(traces[0], step[0].site),
                                        trace_site(traces[1], step[1].site)};
    if (parts & DIFFERS_OPERATION)
        say_words(buffer, _("different operations (A %s, B %s)"), warp_op_info(a->op)->intrinsic,
                  warp_op_info(b->op)->intrinsic);
    else if (parts & DIFFERS_CALL)
        say(buffer, _("different calls"));
    if (parts & DIFFERS_LINE)
        say_numbers(buffer, _("different lines (A %" PRIu32 ", B %" PRIu32 ")"), site[0]->line,
                    site[1]->line);
    if (parts & DIFFERS_TYPE)
        say_words(buffer, _("different types (A %s, B %s)"), warp_type_info(a->type)->cuda,
                  warp_type_info(b->type)->cuda);
    if (parts & DIFFERS_WIDTH) {
        const int lane = first_width_mismatch(a, b);
        say_numbers(buffer, _("different widths (A %" PRIu32 ", B %" PRIu32 ")"),
                    (uint32_t)a->width[lane], (uint32_t)b->width[lane]);
    }
    if (parts & DIFFERS_MASK)
        say_numbers(buffer, _("different masks (A 0x%08" PRIx32 ", B 0x%08" PRIx32 ")"), a->members,
                    b->members);
    if (parts & DIFFERS_FINISH)
        say(buffer, a->unfinished ? _("only B's lanes continue from here")
                                  : _("only A's lanes continue from here"));
}

char *difference_words(const struct trace *const traces[2], const struct difference *difference,
                       char buffer[DIFFERENCE_TEXT]) {
    static const struct {
        enum difference_part part;
        const char *text;
    } others[] = {{DIFFERS_PRESENT, N_("different lanes make the call")},
                  {DIFFERS_ARGUMENT, N_("different arguments")},
                  {DIFFERS_IN, N_("different values passed")},
                  {DIFFERS_OUT, N_("different results")}};
    char lanes[EXPLAIN_LANES_TEXT];
    struct trace_step step[2];
    buffer[0] = '\0';
    if (difference->kind == DIFFERENCE_WARP)
        say(buffer, _("only one recording has this warp"));
    else if (difference->kind == DIFFERENCE_END)
        say(buffer, _("this warp has more steps in one recording"));
    else if (difference->parts == 0 && difference->lanes == 0)
        say(buffer, _("no lane differs"));
    if (difference->parts && trace_step(traces[0], difference->step[0], &step[0], NULL) == 0 &&
        trace_step(traces[1], difference->step[1], &step[1], NULL) == 0)
        say_call(buffer, traces, step, difference->parts);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (difference->parts & others[i].part)
            say(buffer, _(others[i].text));
    if (difference->lanes)
        say(buffer, explain_lanes(difference->lanes, lanes));
    return buffer;
}

int difference_find(const struct trace *const traces[2], struct difference *difference,
                    struct error *err) {
    return difference_walk(traces, difference, NULL, NULL, err);
}

int difference_walk(const struct trace *const traces[2], struct difference *difference,
                    difference_visitor *visit, void *context, struct error *err) {
    struct walk walk = {.traces = traces, .d = difference, .visit = visit, .context = context};
    uint64_t at[2] = {0, 0};
    *difference =
        (struct difference){.kind = DIFFERENCE_NONE,
                            .compared = {trace_step_count(traces[0]), trace_step_count(traces[1])}};
    list_all(traces[0]);
    list_all(traces[1]);
    const uint64_t warps = trace_warp_count(traces[0]);
    for (;;) {
        progress_line_part(at[0] < warps ? at[0] : warps, warps);
        struct trace_warp warp[2];
        bool have[2];
        for (int i = 0; i < 2; i++)
            have[i] = trace_warp(traces[i], at[i], &warp[i]);
        if (!have[0] && !have[1])
            return 0;
        int order = !have[0] ? 1 : !have[1] ? -1 : compare_warps(&warp[0], &warp[1]);
        if (order == 0 && compare_warp(&walk, warp, err) != 0)
            return -1;
        if (order != 0)
            add_unmatched_warp(&walk, &warp[order > 0], order > 0);
        at[0] += order <= 0;
        at[1] += order >= 0;
    }
}
