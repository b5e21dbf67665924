#include "sitting/screens/recording_screen.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "replay/pages/overview.h"
#include "replay/replay.h"
#include "sitting/legend.h"
#include "sitting/live.h"
#include "term/painter.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the two one is shown. */
struct recording_sitting {
    struct replay replay;
    struct overview overview;
    bool has_overview; /* it is begun: that takes memory for each launch */
    bool whole;        /* the overview is shown */
    struct live live;
    struct screen_program program;
};

static struct overview *overview_of(struct recording_sitting *sitting) {
    if (!sitting->has_overview)
        overview_init(&sitting->overview, sitting->replay.cursor.trace);
    sitting->has_overview = true;
    return &sitting->overview;
}

static void show_overview(struct recording_sitting *sitting, enum replay_overview which) {
    overview_of(sitting);
    if (which == REPLAY_OVERVIEW_OUTPUT)
        overview_show_output(&sitting->overview, sitting->replay.cursor.step.number);
    sitting->whole = true;
}

/* The overview is of the recording before. */
static void forget_overview(struct recording_sitting *sitting, bool remade) {
    if (remade && sitting->has_overview)
        overview_release(&sitting->overview);
    sitting->has_overview = sitting->has_overview && !remade;
}

/* What was asked for while a key or a click was handled. */
static bool follow(struct recording_sitting *sitting, bool changed) {
    uint64_t step;
    bool remade;
    if (sitting->live.begun && live_follow(&sitting->live, &sitting->replay, &remade)) {
        forget_overview(sitting, remade);
        return true;
    }
    const enum replay_overview which = replay_take_overview(&sitting->replay);
    if (which != REPLAY_NO_OVERVIEW) {
        show_overview(sitting, which);
        return true;
    }
    if (!sitting->whole)
        return changed;
    if (overview_take_choice(&sitting->overview, &step)) {
        sitting->whole = false;
        replay_go_step(&sitting->replay, step);
        return true;
    }
    if (overview_take_leave(&sitting->overview)) {
        sitting->whole = false;
        return true;
    }
    return changed;
}

struct press recording_press(const struct recording_sitting *sitting, const char *key) {
    return sitting->live.choosing ? which_page_press(&sitting->live.page, key)
           : sitting->whole       ? overview_press(&sitting->overview, key)
                                  : replay_press(&sitting->replay, key);
}

static struct press sitting_press(const void *state, const char *key) {
    return recording_press(state, key);
}

static bool sitting_apply(void *state, enum action action, long argument) {
    struct recording_sitting *sitting = state;
    if (sitting->live.choosing) {
        bool remade,
            changed = live_page_apply(&sitting->live, &sitting->replay, action, argument, &remade);
        forget_overview(sitting, remade);
        return changed;
    }
    return follow(sitting, sitting->whole ? overview_apply(&sitting->overview, action, argument)
                                          : replay_apply(&sitting->replay, action, argument));
}

static bool sitting_key(void *state, struct press press) {
    struct recording_sitting *sitting = state;
    if (sitting->live.choosing)
        return sitting_apply(state, press.info->action, press.info->argument);
    return follow(sitting, sitting->whole ? overview_key(&sitting->overview, press)
                                          : replay_key(&sitting->replay, press));
}

static bool sitting_tick(void *state, long milliseconds) {
    struct recording_sitting *sitting = state;
    return sitting->whole ? overview_tick(&sitting->overview)
                          : replay_tick(&sitting->replay, milliseconds);
}

static long sitting_wait(const void *state) {
    const struct recording_sitting *sitting = state;
    if (sitting->whole)
        return overview_counts(&sitting->overview) ? 0 : -1;
    return replay_wait(&sitting->replay);
}

static void sitting_draw(const void *state, struct grid *grid) {
    const struct recording_sitting *sitting = state;
    if (sitting->whole)
        view_draw_overview(grid, &sitting->overview, &sitting->replay);
    else if (!live_draw(&sitting->live, &sitting->replay, grid))
        view_draw(grid, &sitting->replay);
}

static bool sitting_done(const void *state) {
    const struct recording_sitting *sitting = state;
    return sitting->replay.quit || (sitting->has_overview && sitting->overview.quit);
}

static const char *sitting_copy(void *state) {
    return live_take_copy(&((struct recording_sitting *)state)->live);
}

struct recording_sitting *recording_sit_down(const struct trace *trace, struct recording_look look,
                                             const struct launch *asked, struct error *err) {
    struct recording_sitting *sitting = memory_zeroed(1, sizeof *sitting);
    sitting->program = (struct screen_program){
        .state = sitting,
        .press = sitting_press,
        .key = sitting_key,
        .apply = sitting_apply,
        .tick = sitting_tick,
        .wait = sitting_wait,
        .draw = sitting_draw,
        .done = sitting_done,
        .copy = sitting_copy,
    };
    if (replay_init(&sitting->replay, trace, err) != 0) {
        free(sitting);
        return NULL;
    }
    if (asked) {
        live_begin(&sitting->live, asked);
        replay_set_live(&sitting->replay, true);
    }
    if (asked && asked->assumed && *asked->assumed)
        replay_say(&sitting->replay, _("assumed: %s"), asked->assumed);
    if (look.watched)
        replay_set_watched(&sitting->replay, look.watched);
    if (look.overview)
        show_overview(sitting, REPLAY_OVERVIEW);
    return sitting;
}

struct screen_program *recording_program(struct recording_sitting *sitting) {
    return &sitting->program;
}

struct replay *recording_replay(struct recording_sitting *sitting) {
    return &sitting->replay;
}

bool recording_go_step(struct recording_sitting *sitting, uint64_t step) {
    sitting->whole = false;
    return replay_go_step(&sitting->replay, step);
}

void recording_grow(struct recording_sitting *sitting, const struct trace *trace, bool goes_on,
                    uint64_t happened) {
    const bool is_new = trace != sitting->replay.cursor.trace;
    replay_grow(&sitting->replay, trace, goes_on, happened);
    if (is_new && sitting->has_overview)
        overview_renew(&sitting->overview, trace);
}

void recording_show_outcome(struct recording_sitting *sitting,
                            const struct overview_outcome *outcome) {
    overview_show_outcome(overview_of(sitting), outcome);
    sitting->whole = true;
}

#define COUNTED_AT_ONCE 16384 /* steps a thread */

const char *recording_first_finding(struct recording_sitting *sitting, long milliseconds,
                                    uint32_t *site) {
    struct overview *overview = overview_of(sitting);
    const struct census *census = &overview->census;
    const int64_t until = clock_milliseconds() + milliseconds;
    while (census->count[CENSUS_FINDINGS] == 0 && clock_milliseconds() < until &&
           census_count_shared(&overview->census, census->steps ? COUNTED_AT_ONCE : 256))
        ;
    if (census->count[CENSUS_FINDINGS] == 0)
        return NULL;
    *site = census->rows[CENSUS_FINDINGS][0].site;
    return census->rows[CENSUS_FINDINGS][0].rule;
}

void recording_stand_up(struct recording_sitting *sitting, struct text *copied) {
    if (sitting->has_overview)
        overview_release(&sitting->overview);
    if (sitting->live.begun && sitting->live.copied.length > 0)
        text_append(copied, sitting->live.copied.data);
    live_release(&sitting->live);
    free(sitting);
}

int recording_screen_run(const struct trace *trace, struct recording_look look,
                         const struct launch *asked, const struct screen_options *options,
                         struct error *err) {
    struct recording_sitting *sitting = recording_sit_down(trace, look, asked, err);
    struct text copied = TEXT_INIT;
    if (!sitting)
        return -1;
    if (legend_is_due())
        replay_set_legend(&sitting->replay);
    int status = screen_run(&sitting->program, options, err);
    recording_stand_up(sitting, &copied);
    if (copied.length > 0)
        puts(copied.data);
    text_release(&copied);
    return status;
}

int recording_overview_print(FILE *out, const struct trace *trace, const struct text_style *style,
                             struct error *err) {
    struct census census;
    struct grid grid;
    int status = 0;
    census_init(&census, trace);
    progress_line_begin(_("counting"));
    census_count_all(&census);
    progress_line_end();
    if (census.damaged > 0) { /* numbers without them would read as those of a whole recording */
        struct trace_step step;
        status = trace_step(trace, census.first_damaged, &step, err);
    } else {
        grid_init(&grid, 1, 1, style->ascii);
        view_draw_overview_table(&grid, &census, style->columns);
        paint_to(out, &grid, &style->palette);
        grid_release(&grid);
    }
    census_release(&census);
    return status;
}
