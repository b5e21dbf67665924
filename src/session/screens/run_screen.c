/*
 * Wraps the recording's screen: keys go to it unless they concern the running program, and the
 * recording grows whenever the program has written more.
 */
#include "session/screens/run_screen.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/text/utf8.h"
#include "explain/findings/failure.h"
#include "session/legend.h"
#include "session/screens/recording_screen.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LISTEN_MILLISECONDS  50  /* between two checks of the program */
#define LOOK_MILLISECONDS    100 /* minimum time between two looks at its recording */
#define LOOK_SHARE           10  /* looks take at most 1/LOOK_SHARE of the time */
#define FINDING_MILLISECONDS 250 /* time to search for a finding before the screen opens */

/* ---- how it ended ---- */

static void say_end(const struct user_run_end *end, const char *file, char *text, size_t size) {
    const char *stopped = end->trace ? trace_note(end->trace, TRACE_NOTE_STOPPED) : NULL;
    struct text failure = TEXT_INIT;
    if (end->trace && failure_kind(end->trace) != TRACE_FAILURE_NONE)
        failure_append(&failure, end->trace);
    if (end->result == 0 && failure.length > 0)
        utf8_format(text, size, "%.*s", (int)strcspn(failure.data, "\n"), failure.data);
    else if (end->result != 0)
        utf8_format(text, size, "%.*s", (int)strcspn(end->err->text, "\n"), end->err->text);
    else if (stopped)
        utf8_format(text, size, _("ended after %s steps, as asked"), stopped);
    else
        utf8_format(text, size, _("ended with status %d"), end->status);
    /* The text is shown beside the file's name, so it need not repeat that. */
    const size_t name = file ? strlen(file) : 0;
    if (name && end->result != 0 && strncmp(text, file, name) == 0 && text[name] == ' ')
        memmove(text, text + name + 1, strlen(text + name + 1) + 1);
    text_release(&failure);
}

bool run_outcome(const struct user_run_end *end, const char *file, const char *rule, uint32_t site,
                 struct overview_outcome *outcome) {
    const struct trace_site *place = end->trace ? trace_site(end->trace, site) : NULL;
    *outcome = (struct overview_outcome){"", ""};
    say_end(end, file, outcome->verdict, sizeof outcome->verdict);
    if (end->result == 0 && end->status == 0 && !rule)
        return false;
    if (!file || end->result != 0 || end->status == 0)
        return true; /* the error's advice is enough; findings explain themselves */
    if (rule && place)
        utf8_format(outcome->advice, sizeof outcome->advice,
                    _("possible cause: %s on line %" PRIu32 "; for more: shflviz check %s"), rule,
                    place->line, file);
    else
        utf8_format(outcome->advice, sizeof outcome->advice,
                    _("for races and invalid accesses: shflviz check %s"), file);
    return true;
}

/* ---- a running program ---- */

struct run_screen {
    struct running_program *going;
    struct run_screen_context *attending;
    struct recording_session *session;
    const struct screen_program *below; /* the recording's */
    struct screen_program program;
    struct trace *trace;  /* of the last look; NULL once the run has ended */
    int64_t looked, pace; /* time of the last look, and the delay until the next */
    bool ended, touched;  /* a key was pressed, or something clicked */
    bool asking;          /* asking whether to leave and end the program */
    bool leaving;
    bool interrupting; /* Ctrl-C: the program is ended, the screen stays */
    struct overview_outcome outcome;
    bool offers;               /* Enter shows the outcome */
    char notice[MESSAGE_SIZE]; /* shown over the last row until a key is pressed; may be "" */
};

/* The program reports its step count now and then; the recording may already have more. */
static uint64_t steps_so_far(const struct running_program *going, const struct trace *seen) {
    const uint64_t told = running_program_steps(going), steps = trace_step_count(seen);
    return told > steps ? told : steps;
}

static void load_steps(struct run_screen *screen) {
    const int64_t now = clock_milliseconds();
    if (now - screen->looked < screen->pace)
        return;
    struct trace *trace = running_program_look(screen->going);
    const struct trace *newest = trace ? trace : screen->trace;
    recording_grow(screen->session, newest, true, steps_so_far(screen->going, newest));
    if (trace) {
        trace_close(screen->trace);
        screen->trace = trace;
    }
    screen->looked = clock_milliseconds();
    const int64_t slow = LOOK_SHARE * (screen->looked - now);
    screen->pace = slow > LOOK_MILLISECONDS ? slow : LOOK_MILLISECONDS;
}

/* The outcome is shown immediately to users who have not begun to look around, and offered to
 * others. */
static void show_end(struct run_screen *screen, const struct user_run_end *end) {
    uint32_t site = CENSUS_NONE;
    const char *name = running_program_name(screen->going);
    const char *rule = recording_first_finding(screen->session, FINDING_MILLISECONDS, &site);
    screen->offers = run_outcome(end, screen->attending->file, rule, site, &screen->outcome);
    if (screen->interrupting) {
        screen->offers = false;
        utf8_format(screen->notice, sizeof screen->notice,
                    _("%s was ended; its recording up to that point is here"), name);
    } else if (screen->offers && !screen->touched) {
        screen->offers = false;
        recording_show_outcome(screen->session, &screen->outcome);
    } else if (screen->offers) {
        utf8_format(screen->notice, sizeof screen->notice, _("%s: Enter shows the overview"),
                    screen->outcome.verdict);
    } else {
        utf8_format(screen->notice, sizeof screen->notice, "%s: %s", name, screen->outcome.verdict);
    }
}

static void take_end(struct run_screen *screen) {
    const struct user_run_end end = running_program_settle(screen->going);
    const struct trace *last =
        end.trace && trace_step_count(end.trace) > 0 ? end.trace : screen->trace;
    screen->ended = true;
    screen->asking = false;
    recording_grow(screen->session, last, false, trace_step_count(last));
    if (last != screen->trace) {
        trace_close(screen->trace);
        screen->trace = NULL;
    }
    recording_allow_details(screen->session);
    show_end(screen, &end);
}

static bool run_screen_tick(void *state, long milliseconds) {
    struct run_screen *screen = state;
    const bool changed = screen->below->tick(screen->below->state, milliseconds);
    if (screen->ended || screen->leaving)
        return changed;
    if (running_program_listen(screen->going, 0))
        load_steps(screen);
    else
        take_end(screen);
    return true;
}

static long run_screen_wait(const void *state) {
    const struct run_screen *screen = state;
    const long below = screen->below->wait(screen->below->state);
    if (screen->ended)
        return below;
    return below >= 0 && below < LISTEN_MILLISECONDS ? below : LISTEN_MILLISECONDS;
}

static size_t run_screen_descriptors(const void *state, int *descriptors, size_t most) {
    const struct run_screen *screen = state;
    return screen->ended || most < 3 ? 0 : running_program_descriptors(screen->going, descriptors);
}

static bool run_screen_ready(void *state) {
    (void)state; /* tick() follows */
    return false;
}

static struct press run_screen_press(const void *state, const char *key) {
    const struct run_screen *screen = state;
    return recording_press(screen->session, key);
}

/* Leaving would end the program, so it needs confirmation. */
static bool confirm_leave(struct run_screen *screen, enum action action) {
    const bool asked = screen->asking;
    screen->asking = false;
    if (screen->ended || action != ACTION_QUIT)
        return false;
    screen->asking = true;
    screen->leaving = asked;
    utf8_format(screen->notice, sizeof screen->notice,
                _("%s is still running: q again ends it and quits, any other key cancels"),
                running_program_name(screen->going));
    return true;
}

static bool run_screen_key(void *state, struct press press) {
    struct run_screen *screen = state;
    const bool noticed = screen->notice[0];
    screen->touched = true;
    screen->notice[0] = '\0';
    if (confirm_leave(screen, press.info->action))
        return true;
    if (screen->offers && noticed && strcmp(press.key, "Enter") == 0) {
        screen->offers = false;
        recording_show_outcome(screen->session, &screen->outcome);
        return true;
    }
    return screen->below->key(screen->below->state, press) || noticed;
}

static bool run_screen_apply(void *state, enum action action, long argument) {
    struct run_screen *screen = state;
    const bool noticed = screen->notice[0];
    screen->touched = true;
    screen->notice[0] = '\0';
    if (confirm_leave(screen, action))
        return true;
    return screen->below->apply(screen->below->state, action, argument) || noticed;
}

static bool run_screen_interrupt(void *state) {
    struct run_screen *screen = state;
    if (screen->ended || screen->interrupting || screen->leaving)
        return false;
    screen->interrupting = true;
    running_program_interrupt(screen->going);
    utf8_format(screen->notice, sizeof screen->notice, _("ending %s; its recording is kept"),
                running_program_name(screen->going));
    return true;
}

static void run_screen_draw(const void *state, struct grid *grid) {
    const struct run_screen *screen = state;
    screen->below->draw(screen->below->state, grid);
    if (screen->notice[0])
        view_draw_notice(grid, screen->notice);
}

static bool run_screen_done(const void *state) {
    const struct run_screen *screen = state;
    return screen->leaving || screen->below->done(screen->below->state);
}

static const char *run_screen_copy(void *state) {
    struct run_screen *screen = state;
    return screen->below->copy(screen->below->state);
}

static void begin(struct run_screen *screen, struct running_program *going, struct trace *trace) {
    screen->going = going;
    screen->trace = trace;
    screen->below = recording_program(screen->session);
    screen->program = (struct screen_program){
        .state = screen,
        .press = run_screen_press,
        .key = run_screen_key,
        .apply = run_screen_apply,
        .tick = run_screen_tick,
        .wait = run_screen_wait,
        .draw = run_screen_draw,
        .done = run_screen_done,
        .descriptors = run_screen_descriptors,
        .ready = run_screen_ready,
        .copy = run_screen_copy,
        .interrupt = run_screen_interrupt,
    };
    recording_grow(screen->session, trace, true, steps_so_far(going, trace));
    if (legend_is_due())
        replay_set_legend(recording_replay(screen->session));
}

void run_screen_attend(void *context, struct running_program *going, struct trace *trace) {
    struct run_screen_context *attending = context;
    struct run_screen screen = {.attending = attending, .pace = LOOK_MILLISECONDS};
    struct text copied = TEXT_INIT;
    screen.session = recording_session_open(trace, attending->look, NULL, attending->showing);
    if (!screen.session) {
        trace_close(trace);
        return;
    }
    begin(&screen, going, trace);
    attending->shown = true;
    screen_run(&screen.program, attending->options, attending->showing);
    attending->was_left = !screen.ended || screen.interrupting;
    recording_session_close(screen.session, &copied);
    trace_close(screen.trace);
    text_release(&copied);
}

/* ---- a program that has ended ---- */

int run_screen_show(const struct user_run_end *end, const char *file, struct recording_look look,
                    const struct screen_options *options, struct error *err) {
    struct recording_session *session = recording_session_open(end->trace, look, NULL, err);
    struct overview_outcome outcome;
    struct text copied = TEXT_INIT;
    uint32_t site = CENSUS_NONE;
    if (!session)
        return -1;
    recording_allow_details(session);
    const char *rule = recording_first_finding(session, FINDING_MILLISECONDS, &site);
    if (run_outcome(end, file, rule, site, &outcome) && !look.overview)
        recording_show_outcome(session, &outcome);
    if (legend_is_due())
        replay_set_legend(recording_replay(session));
    const int status = screen_run(recording_program(session), options, err);
    recording_session_close(session, &copied);
    text_release(&copied);
    return status;
}
