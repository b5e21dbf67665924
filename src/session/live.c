/*
 * Each change makes a new request and runs it; its recording replaces the one shown. Undo keeps
 * only the lines of the requests, not the recordings: the kernel runs again.
 */
#include "session/live.h"

#include "base/memory.h"
#include "base/message.h"
#include "launch/kernel_details.h"
#include "launch/number.h"
#include "replay/details.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- beginning and end ---- */

void live_begin(struct live *live, const struct launch *launch) {
    struct text line = TEXT_INIT;
    *live = (struct live){.begun = true, .pending = TEXT_INIT, .copied = TEXT_INIT};
    request_line(launch, &line);
    /* The line of a launch that has run can be parsed again. */
    request_read(&live->request, line.data, launch->automatic, NULL);
    history_init(&live->history, line.data);
    text_release(&line);
}

static void close_beside(struct live *live) {
    if (!live->beside)
        return;
    trace_close(live->beside);
    request_release(&live->left);
    live->beside = NULL;
}

static void close_page(struct live *live) {
    if (live->choosing)
        which_page_release(&live->page);
    live->choosing = false;
}

void live_release(struct live *live) {
    if (!live->begun)
        return;
    close_beside(live);
    close_page(live);
    trace_close(live->made);
    request_release(&live->request);
    history_release(&live->history);
    text_release(&live->pending);
    text_release(&live->copied);
    device_cache_release(&live->kept);
    *live = (struct live){.begun = false};
}

void live_allow_details(struct replay *replay) {
    const char *device = trace_note(replay->cursor.trace, TRACE_NOTE_DEVICE);
    replay_allow_details(replay, launch_has_details() && device && strcmp(device, "cpu") == 0);
}

/* ---- a run ---- */

/* Runs it; an unfinished kernel also leaves a recording, with the reason in err. */
static int record(struct live *live, const struct request *request, struct trace **trace,
                  struct error *err) {
    struct launch launch = request->launch;
    launch.device.kept = &live->kept;
    launch_record(&launch, trace, err);
    if (*trace && trace_step_count(*trace) == 0) {
        trace_close(*trace);
        *trace = NULL;
        error_set(err, ERROR_USAGE, _("%s: nothing is recorded with these options"), request->name);
    }
    return *trace ? 0 : -1;
}

static bool is_undefined(const struct request *request) {
    const struct launch *launch = &request->launch;
    return launch->typed[LAUNCH_WIDTH] && launch->program->takes & PROGRAM_TAKES_WIDTH &&
           !warp_width_is_defined(launch->parameters.width) && !launch->undefined;
}

/* Asks for confirmation, once: the confirmed line and all later ones have --undefined. */
static void ask_to_confirm(struct live *live, struct replay *replay, const struct request *request,
                           const char *line) {
    char question[256];
    text_clear(&live->pending);
    text_append(&live->pending, line);
    snprintf(question, sizeof question,
             _("CUDA leaves width %" PRId32 " undefined.\n"
               "Show what the arithmetic of the instruction would do, marked as undefined?"),
             request->launch.parameters.width);
    replay_ask_confirm(replay, question);
}

/* The old line is kept for undo, or was itself undone. */
enum keeping { KEEPS, IS_UNDONE };

/* Keeps the current line, for undo; the same line again is not a change. */
static void remember(struct live *live) {
    struct text line = TEXT_INIT;
    char *shown = history_back(&live->history, 0);
    request_line(&live->request.launch, &line);
    if (strcmp(shown, line.data) != 0)
        history_add(&live->history, line.data);
    free(shown);
    text_release(&line);
}

/* Shows the result of the line; a line that cannot be run changes nothing. */
static bool show(struct live *live, struct replay *replay, const char *line, enum keeping keeping) {
    struct request request;
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    int status = request_read(&request, line, live->request.launch.automatic, &err);
    if (status == 0 && is_undefined(&request)) {
        ask_to_confirm(live, replay, &request, line);
        request_release(&request);
        return false;
    }
    if (status == 0)
        status = record(live, &request, &trace, &err);
    if (status != 0) {
        replay_complain(replay, err.text);
        request_release(&request);
        return false;
    }
    if (replay->input.prompt == PROMPT_SETTING)
        replay_apply(replay, ACTION_CANCEL, 0);
    replay_show(replay, trace);
    live_allow_details(replay);
    if (err.text[0]) /* a run that did not finish reports it */
        replay_set_message(replay, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    trace_close(live->made);
    request_release(&live->request);
    live->made = trace;
    live->request = request;
    /* The request can be copied: its launch borrows words that stay where they are. */
    if (keeping == KEEPS)
        remember(live);
    return true;
}

/* ---- details ---- */

struct details_of {
    const struct live *live;
    const struct trace *was;
};

static int record_details(void *context, struct trace **trace, struct error *err) {
    const struct details_of *of = context;
    return launch_record_details(&of->live->request.launch, of->was, trace, err);
}

bool live_tick_details(struct live *live, struct replay *replay, bool *remade) {
    struct details_of of = {live, replay->cursor.trace};
    const struct details_source source = {record_details, &of};
    struct trace *made;
    *remade = false;
    if (!details_tick(&live->details, replay, &source, &made))
        return false;
    if (made) {
        trace_close(live->made);
        live->made = made;
    }
    *remade = made != NULL;
    return true;
}

/* ---- changes ---- */

static const char *typed(const struct live *live, enum launch_option option) {
    return live->request.launch.typed[option];
}

static void set_number(const struct live *live, enum launch_option option, uint64_t number,
                       struct text *line) {
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, number);
    request_with_option(&live->request.launch, option, value, line);
}

static void unset_option(const struct live *live, enum launch_option option, struct text *line) {
    struct launch launch = live->request.launch;
    launch.typed[option] = NULL;
    request_line(&launch, line);
}

/* "lane & 1" becomes "(lane & 1) + 1", and that "(lane & 1) + 2". */
static void count_expression(const char *value, long amount, struct text *counted) {
    const size_t length = strlen(value);
    const char *close = value[0] == '(' ? strrchr(value, ')') : NULL;
    int64_t number = 0;
    char sign = '+';
    char *end = NULL;
    if (close && sscanf(close, ") %c ", &sign) == 1 && (sign == '+' || sign == '-') &&
        close[1] == ' ' && close[2] == sign && close[3] == ' ')
        number = strtoll(close + 4, &end, 10);
    const bool counts = end && end > close + 4 && *end == '\0';
    number = (sign == '-' ? -number : number) + amount;
    const char *begin = counts ? value + 1 : value;
    const size_t inner = counts ? (size_t)(close - begin) : length;
    if (!counts)
        number = amount;
    if (number == 0) {
        text_append_bytes(counted, begin, inner);
        return;
    }
    text_append_char(counted, '(');
    text_append_bytes(counted, begin, inner);
    text_append_format(counted, ") %c %" PRId64, number < 0 ? '-' : '+',
                       number < 0 ? -number : number);
}

static bool change_argument(struct live *live, struct replay *replay, long amount,
                            struct text *line) {
    const struct launch *launch = &live->request.launch;
    const enum launch_option argument = launch_argument(launch->program);
    struct text value = TEXT_INIT;
    int64_t number;
    if (argument == LAUNCH_OPTION_COUNT) {
        if (!(launch->program->takes & PROGRAM_TAKES_COUNT)) {
            replay_set_message(replay, _("this kernel has no argument: %s sets its options"),
                               action_key(ACTION_MODE_LIVE, ACTION_SETTING));
            return false;
        }
        struct program_parameters parameters = launch->program->defaults;
        if (typed(live, LAUNCH_N))
            parameters.count = launch->parameters.count;
        number = (int64_t)program_input_count(&parameters) + amount;
        set_number(live, LAUNCH_N, number < 1 ? 1 : (uint64_t)number, line);
        return true;
    }
    const char *was = typed(live, argument);
    if (strchr(was, ',') || strncmp(was, "random:", 7) == 0) {
        replay_set_message(replay, _("a list has no next value: %s lets you type another list"),
                           action_key(ACTION_MODE_LIVE, ACTION_SETTING));
        return false;
    }
    if (number_parse_i64("", was, INT32_MIN, INT32_MAX, &number, NULL) == 0)
        text_append_format(&value, "%" PRId64, number + amount);
    else
        count_expression(was, amount, &value);
    request_with_option(launch, argument, value.data, line);
    text_release(&value);
    return true;
}

static bool change_width(struct live *live, struct replay *replay, long amount, struct text *line) {
    const struct launch *launch = &live->request.launch;
    int64_t width =
        typed(live, LAUNCH_WIDTH) ? launch->parameters.width : launch->program->defaults.width;
    for (; amount > 0 && width * 2 <= WARP_LANES && width > 0; amount--)
        width *= 2;
    for (; amount < 0 && width >= 2; amount++)
        width /= 2;
    if (amount != 0 && launch->program->takes & PROGRAM_TAKES_WIDTH) {
        replay_set_message(replay, amount > 0 ? _("a group has at most the 32 lanes of a warp")
                                              : _("a group has at least one lane"));
        if (width == (typed(live, LAUNCH_WIDTH) ? launch->parameters.width
                                                : launch->program->defaults.width))
            return false;
    }
    set_number(live, LAUNCH_WIDTH, (uint64_t)width, line);
    return true;
}

/* The shuffles are the first programs, in the order of their commands. */
static bool change_operation(struct live *live, struct replay *replay, long amount,
                             struct text *line) {
    static const char *const names[] = {"idx", "up", "down", "xor"};
    const long count = sizeof names / sizeof *names;
    for (long i = 0; i < count; i++)
        if (strcmp(names[i], live->request.launch.program->name) == 0) {
            const long next = ((i + amount) % count + count) % count;
            return request_convert(&live->request.launch, device_program_find(names[next]), line);
        }
    replay_set_message(replay,
                       _("a kernel is not a single call: %s kernel NAME shows another kernel"),
                       action_key(ACTION_MODE_LIVE, ACTION_SETTING));
    return false;
}

static void change_type(struct live *live, long amount, struct text *line) {
    const struct launch *launch = &live->request.launch;
    const uint32_t types = launch->program->types;
    int type =
        (int)(typed(live, LAUNCH_TYPE) ? launch->parameters.type : launch->program->defaults.type);
    const int direction = amount > 0 ? 1 : WARP_TYPE_COUNT - 1;
    for (long left = (amount > 0 ? amount : -amount) % WARP_TYPE_COUNT; left > 0; left--)
        do
            type = (type + direction) % WARP_TYPE_COUNT;
        while (!(types >> type & 1));
    request_with_option(launch, LAUNCH_TYPE, warp_type_info((enum warp_type)type)->name, line);
}

static bool change_schedule(struct live *live, struct replay *replay, long amount,
                            struct text *line) {
    const uint64_t seed =
        typed(live, LAUNCH_SCHEDULE) ? live->request.launch.device.settings.schedule : 0;
    const uint64_t steps = amount > 0 ? (uint64_t)amount : (uint64_t)-amount;
    if (amount < 0 && seed == 0) {
        replay_set_message(replay, "%s", _("order 0, lane order, is the first order"));
        return false;
    }
    if (amount < 0 && seed <= steps)
        unset_option(live, LAUNCH_SCHEDULE, line);
    else
        set_number(live, LAUNCH_SCHEDULE, amount > 0 ? seed + steps : seed - steps, line);
    return true;
}

static void change_threads(struct live *live, long amount, struct text *line) {
    const struct launch *launch = &live->request.launch;
    const int64_t threads =
        (int64_t)(typed(live, LAUNCH_THREADS) ? launch->parameters.threads
                                              : launch->program->defaults.threads) +
        amount;
    set_number(live, LAUNCH_THREADS,
               threads < 1      ? 1
               : threads > 1024 ? 1024
                                : (uint64_t)threads,
               line);
}

static void change_member(struct live *live, long lane, struct text *line) {
    uint32_t members =
        typed(live, LAUNCH_MEMBERS) ? live->request.launch.parameters.members : WARP_FULL_MASK;
    char value[16];
    members ^= UINT32_C(1) << lane;
    snprintf(value, sizeof value, "0x%08" PRIx32, members);
    if (members == WARP_FULL_MASK)
        unset_option(live, LAUNCH_MEMBERS, line);
    else
        request_with_option(&live->request.launch, LAUNCH_MEMBERS, value, line);
}

/* Appends the line for a change; false, with a message, if there is none. */
static bool change_line(struct live *live, struct replay *replay, struct live_ask ask,
                        struct text *line) {
    struct error err = ERROR_INIT;
    switch (ask.change) {
    case LIVE_ARGUMENT:
        return change_argument(live, replay, ask.amount, line);
    case LIVE_WIDTH:
        return change_width(live, replay, ask.amount, line);
    case LIVE_OPERATION:
        return change_operation(live, replay, ask.amount, line);
    case LIVE_TYPE:
        change_type(live, ask.amount, line);
        return true;
    case LIVE_SCHEDULE:
        return change_schedule(live, replay, ask.amount, line);
    case LIVE_THREADS:
        change_threads(live, ask.amount, line);
        return true;
    case LIVE_MEMBER:
        change_member(live, ask.amount, line);
        return true;
    case LIVE_TYPED:
        if (replay->input.text[strspn(replay->input.text, " ")] == '\0') {
            replay_apply(replay, ACTION_CANCEL, 0);
            return false;
        }
        if (request_from_input(&live->request.launch, replay->input.text, line, &err) == 0)
            return true;
        replay_complain(replay, err.text);
        return false;
    case LIVE_CONFIRM:
        text_append_format(line, "%s --%s", live->pending.data,
                           launch_option(LAUNCH_UNDEFINED)->name);
        return true;
    default:
        return false;
    }
}

/* ---- requests other than changes ---- */

static bool move_history(struct live *live, struct replay *replay, long steps) {
    const uint64_t at = live->history.at;
    char *line = history_back(&live->history, steps);
    if (!line) {
        replay_set_message(replay, "%s", steps > 0 ? _("nothing to undo") : _("nothing to redo"));
        return false;
    }
    const bool shown = show(live, replay, line, IS_UNDONE);
    if (!shown)
        live->history.at = at;
    free(line);
    return shown;
}

static void complete(const struct live *live, struct replay *replay, long begun) {
    const struct launch *launch = &live->request.launch;
    struct text line = TEXT_INIT, choices = TEXT_INIT;
    const enum launch_option argument = launch_argument(launch->program);
    const enum launch_option option = begun == 2                        ? LAUNCH_IN
                                      : argument != LAUNCH_OPTION_COUNT ? argument
                                                                        : LAUNCH_N;
    if (begun == 0)
        request_complete(launch, replay->input.text, &line, &choices);
    else
        text_append_format(&line, "%s %s", launch_option(option)->name,
                           typed(live, option) ? typed(live, option)
                           : begun == 2 ? (launch->program->input ? launch->program->input : "lane")
                                        : "");
    replay_set_completion(replay, line.data, choices.data);
    text_release(&line);
    text_release(&choices);
}

static void copy(struct live *live, struct replay *replay) {
    text_clear(&live->copied);
    text_append(&live->copied, "shflviz ");
    request_line(&live->request.launch, &live->copied);
    live->copies = true;
    replay_set_message(replay, _("copied, and printed when you leave: %s"), live->copied.data);
}

/* Runs the left side once more, for a recording of its own. */
static void toggle_beside(struct live *live, struct replay *replay) {
    struct text line = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (live->beside) {
        close_beside(live);
        return;
    }
    request_line(&live->request.launch, &line);
    if (request_read(&live->left, line.data, live->request.launch.automatic, &err) != 0 ||
        record(live, &live->left, &live->beside, &err) != 0) {
        replay_complain(replay, err.text);
        request_release(&live->left);
    } else {
        replay_set_message(replay, _("now change the right side; %s ends the comparison"),
                           action_key(ACTION_MODE_LIVE, ACTION_BESIDE));
    }
    text_release(&line);
}

static void open_page(struct live *live, struct replay *replay) {
    struct error err = ERROR_INIT;
    const char *asked = replay->input.text[0] ? replay->input.text : replay->live.choices;
    if (which_page_init(&live->page, asked, &err) != 0) { /* the example, if nothing is typed */
        replay_complain(replay, err.text);
        return;
    }
    replay_apply(replay, ACTION_CANCEL, 0);
    live->choosing = true;
}

/* A chosen call becomes the next setting; all lanes take part in it. */
static bool follow_page(struct live *live, struct replay *replay, bool *remade) {
    struct text line = TEXT_INIT;
    if (live->page.chosen) {
        which_append_command(&live->page.which.calls[live->page.selected], &line);
        *remade = show(live, replay, line.data, KEEPS);
    }
    if (live->page.chosen || live->page.left)
        close_page(live);
    text_release(&line);
    return true;
}

bool live_page_apply(struct live *live, struct replay *replay, enum action action, long argument,
                     bool *remade) {
    *remade = false;
    return which_page_apply(&live->page, action, argument) && follow_page(live, replay, remade);
}

bool live_follow(struct live *live, struct replay *replay, bool *remade) {
    const struct live_ask ask = replay_take_ask(replay);
    struct text line = TEXT_INIT;
    *remade = false;
    switch (ask.change) {
    case LIVE_NOTHING:
        return false;
    case LIVE_UNDO:
        *remade = move_history(live, replay, ask.amount);
        return true;
    case LIVE_COMPLETE:
        complete(live, replay, ask.amount);
        return true;
    case LIVE_COPY:
        copy(live, replay);
        return true;
    case LIVE_BESIDE:
        toggle_beside(live, replay);
        return true;
    case LIVE_WHICH:
        open_page(live, replay);
        return true;
    default:
        *remade = change_line(live, replay, ask, &line) && show(live, replay, line.data, KEEPS);
        text_release(&line);
        return true;
    }
}

/* ---- for the screen ---- */

bool live_draw(const struct live *live, const struct replay *replay, struct grid *grid) {
    if (live->choosing) {
        view_draw_which(grid, &live->page);
        return true;
    }
    if (!live->beside || replay->help)
        return false;
    struct text lines[2] = {TEXT_INIT, TEXT_INIT};
    request_line(&live->left.launch, &lines[0]);
    request_line(&live->request.launch, &lines[1]);
    const char *const names[2] = {lines[0].data, lines[1].data};
    view_draw_beside(grid, replay, live->beside, names);
    text_release(&lines[0]);
    text_release(&lines[1]);
    return true;
}

const char *live_take_copy(struct live *live) {
    const bool copies = live->copies;
    live->copies = false;
    return copies ? live->copied.data : NULL;
}
