/*
 * The lists are kept as row numbers, which are arranged again when the order, the filter or the
 * counts change. Counting is done in time slices, so that keys are handled in between.
 */
#include "replay/pages/overview.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "replay/keys/input.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PAGE        10
#define COUNT_STEPS 32768 /* steps a thread counts in a tick: about ten milliseconds */

const char *overview_kind_name(enum census_kind kind) {
    static const char *const names[] = {N_("launches"), N_("kernels"), N_("lines"), N_("findings"),
                                        N_("output")};
    return names[kind];
}

const char *overview_order_name(enum overview_order order) {
    static const char *const names[] = {N_("as recorded"), N_("most steps first"),
                                        N_("most findings first")};
    return names[order];
}

char *overview_row_name(const struct census *census, enum census_kind kind,
                        const struct census_row *row, char buffer[OVERVIEW_NAME]) {
    const struct trace_site *site =
        row->site == CENSUS_NONE ? NULL : trace_site(census->trace, row->site);
    const struct trace_launch *launch =
        row->launch == CENSUS_NONE ? NULL : trace_launch(census->trace, row->launch);
    buffer[0] = '\0';
    if (kind == CENSUS_FINDINGS)
        utf8_format(buffer, OVERVIEW_NAME, "%s", row->rule);
    else if (launch)
        utf8_format(buffer, OVERVIEW_NAME, "%s", launch->kernel);
    else if (site)
        utf8_format(buffer, OVERVIEW_NAME, "%s:%u", file_base_name(site->file), site->line);
    return buffer;
}

/* ---- the rows shown ---- */

static const struct census_row *row_at(const struct overview *overview, size_t place) {
    return &overview->census.rows[overview->kind][overview->shown[place]];
}

/* True if the filter is part of the row's name or, for a call, of its operation, text, function or
 * file. */
static bool matches(const struct overview *overview, const struct census_row *row) {
    char name[OVERVIEW_NAME];
    const struct trace_site *site =
        row->site == CENSUS_NONE ? NULL : trace_site(overview->census.trace, row->site);
    bool line = overview->kind == CENSUS_LINES && row->steps > 0;
    if (overview->kind == CENSUS_OUTPUT)
        return !row->printed.piece || bytes_contain(row->printed.text, row->printed.length,
                                                    overview->filter, strlen(overview->filter));
    return string_contains(overview_row_name(&overview->census, overview->kind, row, name),
                           overview->filter) ||
           (line && string_contains(warp_op_info(row->op)->name, overview->filter)) ||
           (site && (string_contains(site->text, overview->filter) ||
                     string_contains(site->function, overview->filter) ||
                     string_contains(site->file, overview->filter)));
}

struct sorting {
    const struct census_row *rows;
    enum overview_order order;
};

static uint64_t weight(const struct sorting *sorting, uint32_t at) {
    const struct census_row *row = &sorting->rows[at];
    return sorting->order == OVERVIEW_BY_STEPS      ? row->steps
           : sorting->order == OVERVIEW_BY_FINDINGS ? row->findings
                                                    : 0;
}

/* Rows with the most steps or findings first; ties in the order of the recording. */
static int compare(const void *a, const void *b, void *context) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    uint64_t left = weight(context, one), right = weight(context, other);
    if (left != right)
        return left < right ? 1 : -1;
    return one < other ? -1 : one > other;
}

/* Fills the list again; the selected row stays selected if it is still there. */
static void arrange(struct overview *overview) {
    const struct census *census = &overview->census;
    size_t count = census->count[overview->kind];
    uint32_t kept = overview->selected < overview->shown_count ? overview->shown[overview->selected]
                                                               : UINT32_MAX;
    overview->shown = memory_grow(overview->shown, count ? count : 1, sizeof *overview->shown);
    overview->shown_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (matches(overview, &census->rows[overview->kind][i]))
            overview->shown[overview->shown_count++] = i;
    struct sorting sorting = {census->rows[overview->kind], overview->order};
    if (overview->order != OVERVIEW_BY_NUMBER && overview->kind != CENSUS_OUTPUT &&
        overview->shown_count > 0)
        qsort_r(overview->shown, overview->shown_count, sizeof *overview->shown, compare, &sorting);
    if (overview->selected >= overview->shown_count)
        overview->selected = overview->shown_count ? overview->shown_count - 1 : 0;
    for (size_t i = 0; i < overview->shown_count; i++)
        if (overview->shown[i] == kept)
            overview->selected = i;
}

static bool show_list(struct overview *overview, enum census_kind kind) {
    overview->kind = kind;
    overview->shown_count = overview->selected = 0;
    arrange(overview);
    return true;
}

void overview_init(struct overview *overview, const struct trace *trace) {
    memset(overview, 0, sizeof *overview);
    census_init(&overview->census, trace);
    show_list(overview,
              overview->census.count[CENSUS_LAUNCHES] > 1 ? CENSUS_LAUNCHES : CENSUS_LINES);
}

void overview_update(struct overview *overview, const struct trace *trace) {
    const struct overview was = *overview;
    const bool has_row = was.selected < was.shown_count;
    const uint32_t row = has_row ? was.shown[was.selected] : 0;
    const bool follows = was.kind == CENSUS_OUTPUT && was.selected + 1 >= was.shown_count;
    struct census before = was.census;
    free(was.shown);
    overview->shown = NULL;
    census_init(&overview->census, trace);
    census_count_shared(&overview->census, 1); /* warps are counted before steps */
    census_count_shared(&overview->census, COUNT_STEPS);
    census_release(&before);
    overview->selected = overview->shown_count = 0;
    arrange(overview);
    for (size_t i = 0; has_row && i < overview->shown_count; i++)
        if (overview->shown[i] == row || (follows && i + 1 == overview->shown_count))
            overview->selected = i;
}

void overview_show_outcome(struct overview *overview, const struct overview_outcome *outcome) {
    overview->outcome = *outcome;
    overview->filter[0] = '\0';
    if (overview->census.count[CENSUS_FINDINGS] > 0)
        show_list(overview, CENSUS_FINDINGS);
    else if (overview->census.count[CENSUS_OUTPUT] > 0)
        overview_show_output(overview, UINT64_MAX);
}

void overview_show_output(struct overview *overview, uint64_t step) {
    overview->filter[0] = '\0';
    show_list(overview, CENSUS_OUTPUT);
    for (size_t i = 0; i < overview->shown_count && row_at(overview, i)->steps <= step; i++)
        if (row_at(overview, i)->printed.piece)
            overview->selected = i;
}

void overview_release(struct overview *overview) {
    census_release(&overview->census);
    free(overview->shown);
    memset(overview, 0, sizeof *overview);
}

int overview_lists(const struct overview *overview) {
    return overview->census.count[CENSUS_OUTPUT] > 0 ? CENSUS_KIND_COUNT : CENSUS_OUTPUT;
}

bool overview_is_counting(const struct overview *overview) {
    return !overview->census.done;
}

bool overview_tick(struct overview *overview) {
    size_t count = overview->census.count[overview->kind];
    if (overview->census.done)
        return false;
    bool more = census_count_shared(&overview->census, COUNT_STEPS);
    if (!more || overview->census.count[overview->kind] != count)
        arrange(overview);
    return true;
}

bool overview_take_choice(struct overview *overview, uint64_t *step) {
    bool chosen = overview->chosen;
    overview->chosen = false;
    *step = overview->step;
    return chosen;
}

bool overview_take_leave(struct overview *overview) {
    bool left = overview->left;
    overview->left = false;
    return left;
}

/* ---- actions ---- */

typedef bool overview_handler(struct overview *overview, long argument);

static bool move(struct overview *overview, long rows) {
    size_t last = overview->shown_count ? overview->shown_count - 1 : 0, from = overview->selected;
    if (rows < 0)
        overview->selected = (unsigned long)-(rows + 1) >= from ? 0 : from - (size_t)-rows;
    else
        overview->selected = (size_t)rows > last - from ? last : from + (size_t)rows;
    return overview->selected != from;
}

/* Launches and kernels without recorded steps have no step to go to. */
static bool choose(struct overview *overview, long argument UNUSED) {
    if (overview->selected >= overview->shown_count)
        return false;
    uint64_t first = row_at(overview, overview->selected)->first;
    if (first == UINT64_MAX) {
        utf8_format(overview->message, sizeof overview->message, "%s",
                    overview->census.done ? _("none of its steps was recorded")
                                          : _("none of its steps has been counted yet"));
        return false;
    }
    overview->step = first;
    return overview->chosen = true;
}

static bool go(struct overview *overview, long place) {
    if (place < 0 || (size_t)place >= overview->shown_count)
        return false;
    if (overview->selected == (size_t)place)
        return choose(overview, 0);
    overview->selected = (size_t)place;
    return true;
}

static bool list_next(struct overview *overview, long argument UNUSED) {
    return show_list(overview, (enum census_kind)((overview->kind + 1) % overview_lists(overview)));
}

static bool list_previous(struct overview *overview, long argument UNUSED) {
    const int count = overview_lists(overview);
    return show_list(overview, (enum census_kind)(((int)overview->kind + count - 1) % count));
}

static bool list_go(struct overview *overview, long kind) {
    if (kind == CENSUS_OUTPUT && overview_lists(overview) <= kind) {
        utf8_format(overview->message, sizeof overview->message, "%s",
                    _("the program printed nothing"));
        return false;
    }
    return kind >= 0 && kind < CENSUS_KIND_COUNT && show_list(overview, (enum census_kind)kind);
}

static bool sort_next(struct overview *overview, long argument UNUSED) {
    overview->order = (overview->order + 1) % OVERVIEW_ORDER_COUNT;
    arrange(overview);
    return true;
}

static bool open_filter(struct overview *overview, long argument UNUSED) {
    return overview->filtering = true;
}

static bool toggle_help(struct overview *overview, long argument UNUSED) {
    overview->help = !overview->help;
    return true;
}

/* Removes the filter; without one, goes back to the replay. */
static bool cancel(struct overview *overview, long argument UNUSED) {
    if (!overview->filtering && !overview->filter[0])
        return overview->left = true;
    overview->filtering = false;
    overview->filter[0] = '\0';
    arrange(overview);
    return true;
}

static bool leave(struct overview *overview, long argument UNUSED) {
    return overview->left = true;
}

static bool quit(struct overview *overview, long argument UNUSED) {
    return overview->quit = true;
}

static overview_handler *const handlers[ACTION_COUNT] = {
    [ACTION_ROW_GO] = go,           [ACTION_CONTINUE] = choose,
    [ACTION_LIST_NEXT] = list_next, [ACTION_LIST_PREVIOUS] = list_previous,
    [ACTION_LIST_GO] = list_go,     [ACTION_SORT] = sort_next,
    [ACTION_FIND] = open_filter,    [ACTION_HELP] = toggle_help,
    [ACTION_CANCEL] = cancel,       [ACTION_OVERVIEW] = leave,
    [ACTION_QUIT] = quit,
};

/* The number of rows by which the selection moves. The wheel sends phase actions. */
static const long moves[ACTION_COUNT] = {
    [ACTION_ROW_NEXT] = 1,         [ACTION_ROW_PREVIOUS] = -1,
    [ACTION_LESSON_NEXT] = 1,      [ACTION_LESSON_PREVIOUS] = -1, /* the prompt's arrows */
    [ACTION_PHASE_NEXT] = 1,       [ACTION_PHASE_PREVIOUS] = -1,
    [ACTION_ROW_PAGE_NEXT] = PAGE, [ACTION_ROW_PAGE_PREVIOUS] = -PAGE,
    [ACTION_ROW_LAST] = LONG_MAX,  [ACTION_ROW_FIRST] = LONG_MIN,
};

static bool act(struct overview *overview, enum action action, long argument) {
    if (moves[action])
        return move(overview, moves[action]);
    return handlers[action] && handlers[action](overview, argument);
}

static bool apply(struct overview *overview, enum action action, long argument) {
    bool closes = action != ACTION_HELP && action != ACTION_REDRAW && action != ACTION_NONE;
    bool changed = action == ACTION_REDRAW || (closes && overview->help);
    if (closes)
        overview->help = false;
    return act(overview, action, argument) || changed;
}

bool overview_apply(struct overview *overview, enum action action, long argument) {
    struct old_message was = message_begin(overview->message);
    bool changed = apply(overview, action, argument);
    return changed || message_changed(&was, overview->message);
}

/* ---- keys ---- */

struct press overview_press(const struct overview *overview, const char *key) {
    return overview->filtering
               ? action_press(ACTION_MODE_PROMPT, key)
               : action_help_press(overview->help, action_press(ACTION_MODE_OVERVIEW, key));
}

static bool filter_key(struct overview *overview, struct press press) {
    const enum action action = press.info->action;
    if (action == ACTION_ACCEPT || (action == ACTION_ERASE && !overview->filter[0])) {
        overview->filtering = false;
        return true;
    }
    if (handlers[action] || moves[action])
        return apply(overview, action, press.info->argument);
    bool changed = action == ACTION_ERASE
                       ? line_erase(overview->filter, press.info->argument)
                       : line_type(overview->filter, sizeof overview->filter, press.key);
    arrange(overview);
    return changed;
}

static bool list_key(struct overview *overview, struct press press) {
    if (press.info->action != ACTION_NONE)
        return apply(overview, press.info->action, press.info->argument);
    utf8_format(overview->message, sizeof overview->message,
                _("%s does nothing: %s shows the keys"), press.key,
                action_key(ACTION_MODE_OVERVIEW, ACTION_HELP));
    return false;
}

bool overview_key(struct overview *overview, struct press press) {
    if (press.info->action == ACTION_REDRAW)
        return true;
    struct old_message was = message_begin(overview->message);
    const bool helped = overview->help && !overview->filtering;
    overview->help = overview->help && !helped;
    bool changed = overview->filtering ? filter_key(overview, press) : list_key(overview, press);
    return changed || helped || message_changed(&was, overview->message);
}
