/*
 * A replay, and the pages that open from it and return to it. Each key is offered to the page on
 * top first, so that pages need not know about each other.
 */
#include "session/screens/recording_screen.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "check/report.h"
#include "replay/details.h"
#include "replay/pages/fragment_page.h"
#include "replay/pages/overview.h"
#include "replay/replay.h"
#include "session/legend.h"
#include "session/live.h"
#include "term/painter.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One of the three is shown. */
struct recording_session {
    struct replay replay;
    struct fragment_page fragments; /* of the replay's step, if it has registers */
    struct overview overview;
    bool has_overview; /* the overview has been started, which takes memory for each launch */
    bool whole;        /* the overview is shown */
    struct live live;
    struct details details;
    struct details_source source;
    struct trace *made; /* a recording with the details; may be NULL */
    struct screen_program program;
};

static struct overview *overview_of(struct recording_session *session) {
    if (!session->has_overview)
        overview_init(&session->overview, session->replay.cursor.trace);
    session->has_overview = true;
    session->overview.instead = check_suggestion;
    return &session->overview;
}

static void show_overview(struct recording_session *session, enum replay_overview which) {
    overview_of(session);
    if (which == REPLAY_OVERVIEW_OUTPUT)
        overview_show_output(&session->overview, session->replay.cursor.step.number);
    session->whole = true;
}

/* Drops the overview if the recording has been replaced. */
static void forget_overview(struct recording_session *session, bool remade) {
    if (remade && session->has_overview)
        overview_release(&session->overview);
    session->has_overview = session->has_overview && !remade;
}

static const struct trace_registers *registers_of(const struct recording_session *session) {
    const struct cursor *cursor = &session->replay.cursor;
    return trace_registers(cursor->trace, cursor->step.number);
}

static bool show_fragments(struct recording_session *session) {
    if (!fragment_page_recorded(&session->fragments, registers_of(session), session->replay.lane))
        session->fragments.registers = NULL;
    return true;
}

/* Replaces the registers, which belong to the previous recording. */
static void update_fragments(struct recording_session *session) {
    if (session->fragments.registers)
        session->fragments.registers = registers_of(session);
}

/* Handles requests made by a key or a click. */
static bool update_pages(struct recording_session *session, bool changed) {
    uint64_t step;
    bool remade;
    if (session->live.begun && live_follow(&session->live, &session->replay, &remade)) {
        forget_overview(session, remade);
        return true;
    }
    const enum replay_overview which = replay_take_overview(&session->replay);
    if (which == REPLAY_FRAGMENTS)
        return show_fragments(session);
    if (session->fragments.registers && session->fragments.left) {
        session->fragments.registers = NULL;
        return true;
    }
    if (which != REPLAY_NO_OVERVIEW) {
        show_overview(session, which);
        return true;
    }
    if (!session->whole)
        return changed;
    if (overview_take_choice(&session->overview, &step)) {
        session->whole = false;
        replay_go_step(&session->replay, step);
        return true;
    }
    if (overview_take_leave(&session->overview)) {
        session->whole = false;
        return true;
    }
    return changed;
}

struct press recording_press(const struct recording_session *session, const char *key) {
    return session->live.choosing         ? which_page_press(&session->live.page, key)
           : session->fragments.registers ? fragment_page_press(&session->fragments, key)
           : session->whole               ? overview_press(&session->overview, key)
                                          : replay_press(&session->replay, key);
}

static struct press session_press(const void *state, const char *key) {
    return recording_press(state, key);
}

static bool session_apply(void *state, enum action action, long argument) {
    struct recording_session *session = state;
    if (session->live.choosing) {
        bool remade,
            changed = live_page_apply(&session->live, &session->replay, action, argument, &remade);
        forget_overview(session, remade);
        return changed;
    }
    if (session->fragments.registers)
        return update_pages(session, fragment_page_apply(&session->fragments, action, argument));
    return update_pages(session, session->whole
                                     ? overview_apply(&session->overview, action, argument)
                                     : replay_apply(&session->replay, action, argument));
}

static bool session_key(void *state, struct press press) {
    struct recording_session *session = state;
    if (session->live.choosing || session->fragments.registers)
        return session_apply(state, press.info->action, press.info->argument);
    return update_pages(session, session->whole ? overview_key(&session->overview, press)
                                                : replay_key(&session->replay, press));
}

/* A recording with details replaces the previous one. */
static bool tick_details(struct recording_session *session) {
    struct trace *made;
    bool remade;
    if (session->live.begun) {
        const bool changed = live_tick_details(&session->live, &session->replay, &remade);
        forget_overview(session, remade);
        return changed;
    }
    if (!details_tick(&session->details, &session->replay, &session->source, &made))
        return false;
    forget_overview(session, made != NULL);
    if (made) {
        trace_close(session->made);
        session->made = made;
    }
    return true;
}

static bool session_tick(void *state, long milliseconds) {
    struct recording_session *session = state;
    if (session->fragments.registers)
        return false;
    if (!session->whole && tick_details(session))
        return true;
    return session->whole ? overview_tick(&session->overview)
                          : replay_tick(&session->replay, milliseconds);
}

static long session_wait(const void *state) {
    const struct recording_session *session = state;
    if (session->fragments.registers)
        return -1;
    if (session->whole)
        return overview_is_counting(&session->overview) ? 0 : -1;
    if (details_wait(&session->replay) == 0)
        return 0;
    return replay_wait(&session->replay);
}

static void session_draw(const void *state, struct grid *grid) {
    const struct recording_session *session = state;
    if (session->fragments.registers)
        view_draw_fragments(grid, &session->fragments);
    else if (session->whole)
        view_draw_overview(grid, &session->overview, &session->replay);
    else if (!live_draw(&session->live, &session->replay, grid))
        view_draw(grid, &session->replay);
}

static bool session_done(const void *state) {
    const struct recording_session *session = state;
    return session->replay.quit || (session->has_overview && session->overview.quit);
}

static const char *session_copy(void *state) {
    return live_take_copy(&((struct recording_session *)state)->live);
}

struct recording_session *recording_session_open(const struct trace *trace,
                                                 struct recording_look look,
                                                 const struct launch *asked, struct error *err) {
    struct recording_session *session = memory_zeroed(1, sizeof *session);
    session->program = (struct screen_program){
        .state = session,
        .press = session_press,
        .key = session_key,
        .apply = session_apply,
        .tick = session_tick,
        .wait = session_wait,
        .draw = session_draw,
        .done = session_done,
        .copy = session_copy,
    };
    if (replay_init(&session->replay, trace, err) != 0) {
        free(session);
        return NULL;
    }
    if (asked) {
        live_begin(&session->live, asked);
        replay_set_live(&session->replay, true);
        live_allow_details(&session->replay);
    }
    if (asked && asked->assumed && *asked->assumed)
        replay_set_message(&session->replay, _("assumed: %s"), asked->assumed);
    session->source = look.details;
    if (look.watched)
        replay_set_watched(&session->replay, look.watched);
    if (look.overview)
        show_overview(session, REPLAY_OVERVIEW);
    return session;
}

struct screen_program *recording_program(struct recording_session *session) {
    return &session->program;
}

struct replay *recording_replay(struct recording_session *session) {
    return &session->replay;
}

bool recording_go_step(struct recording_session *session, uint64_t step) {
    session->whole = false;
    session->fragments.registers = NULL;
    return replay_go_step(&session->replay, step);
}

void recording_grow(struct recording_session *session, const struct trace *trace, bool goes_on,
                    uint64_t happened) {
    const bool is_new = trace != session->replay.cursor.trace;
    replay_grow(&session->replay, trace, goes_on, happened);
    update_fragments(session);
    if (is_new && session->has_overview)
        overview_update(&session->overview, trace);
}

void recording_allow_details(struct recording_session *session) {
    replay_allow_details(&session->replay, session->source.record != NULL);
}

void recording_show_outcome(struct recording_session *session,
                            const struct overview_outcome *outcome) {
    overview_show_outcome(overview_of(session), outcome);
    session->whole = true;
}

#define COUNTED_AT_ONCE 16384 /* steps per thread */

const char *recording_first_finding(struct recording_session *session, long milliseconds,
                                    uint32_t *site) {
    struct overview *overview = overview_of(session);
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

void recording_session_close(struct recording_session *session, struct text *copied) {
    if (session->has_overview)
        overview_release(&session->overview);
    if (session->live.begun && session->live.copied.length > 0)
        text_append(copied, session->live.copied.data);
    live_release(&session->live);
    trace_close(session->made);
    free(session);
}

int recording_screen_run(const struct trace *trace, struct recording_look look,
                         const struct launch *asked, const struct screen_options *options,
                         struct error *err) {
    struct recording_session *session = recording_session_open(trace, look, asked, err);
    struct text copied = TEXT_INIT;
    if (!session)
        return -1;
    if (legend_is_due())
        replay_set_legend(&session->replay);
    int status = screen_run(&session->program, options, err);
    recording_session_close(session, &copied);
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
    if (census.damaged > 0) { /* without this note, numbers under a filter would look like those of
                                 a whole recording */
        struct trace_step step;
        status = trace_step(trace, census.first_damaged, &step, err);
    } else {
        grid_init(&grid, 1, 1, style->ascii);
        view_draw_overview_table(&grid, &census, style->columns);
        paint_to(out, &grid, &style->palette);
        grid_release(&grid);
        if (fragments_cut(trace))
            fprintf(
                out,
                _("\nthe recording had no more room for registers, and left out those of %" PRIu64
                  " steps\n"),
                fragments_cut(trace));
    }
    census_release(&census);
    return status;
}

void recording_block_print(FILE *out, const struct trace *trace, uint32_t launch, uint64_t block,
                           const struct text_style *style) {
    struct grid grid;
    grid_init(&grid, 1, 1, style->ascii);
    view_draw_block_table(&grid, trace, launch, block, style->columns);
    paint_to(out, &grid, &style->palette);
    grid_release(&grid);
}
