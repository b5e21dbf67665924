/*
 * Nested lists: an entry leads to another list, or ends the screen with a command line or a text,
 * which is run as if it had been typed. So this screen can do nothing that the command line cannot.
 */
#include "session/screens/start_screen.h"

#include "launch/course.h"
#include "replay/keys/input.h"
#include "replay/replay.h"
#include "session/screens/start_lists.h"
#include "view/view.h"

#include <string.h>

struct start {
    const struct start_options *opts;
    struct start_position *position;
    struct start_items items[START_LISTS];
    bool is_made[START_LISTS];
    enum start_list shown;
    struct trace *trace; /* of the animated shuffles */
    struct replay replay;
    struct text *command, *pasted;
    bool typing; /* a call */
    char typed[512];
    bool done;
};

/* ---- lists ---- */

/* On the fast track the cursor is on the next stop; elsewhere it stays where it was left. */
static void open_list(struct start *start, enum start_list list) {
    struct start_position *position = start->position;
    struct worklist *shown = &start->items[list].list;
    if (!start->is_made[list]) {
        start->is_made[list] = true;
        start_items_make(&start->items[list], list, start->opts);
        if (position->was_shown[list] && list != START_FAST &&
            position->from_end[list] - 1 < shown->count) /* 0 wraps */
            shown->selected = shown->count - position->from_end[list];
    }
    position->was_shown[list] = true;
    position->list = list;
    start->shown = list;
}

static void keep_position(struct start *start) {
    for (int list = 0; list < START_LISTS; list++)
        if (start->is_made[list])
            start->position->from_end[list] =
                start->items[list].list.count - start->items[list].list.selected;
}

static void choose(struct start *start) {
    const struct start_items *items = &start->items[start->shown];
    const struct start_entry *entry = &items->entries[items->list.selected];
    switch (entry->choice) {
    case START_COMMAND:
        text_append(start->command, entry->text);
        start->done = true;
        break;
    case START_SOURCE:
        text_append(start->pasted, entry->text);
        start->done = true;
        break;
    case START_CALL:
        start->typing = true;
        break;
    case START_LIST:
        open_list(start, entry->opens);
        break;
    case START_NOTHING:
        break;
    }
}

static void follow_choice(struct start *start) {
    struct worklist *list = &start->items[start->shown].list;
    const bool left = list->left, chosen = list->chosen;
    list->left = list->chosen = false;
    if (list->quit)
        start->done = true;
    else if (left && start->shown != START_FIRST)
        open_list(start, start_list_parent(start->shown));
    else if (chosen)
        choose(start);
}

/* ---- the screen's program ---- */

static struct press start_press(const void *state, const char *key) {
    const struct start *start = state;
    return start->typing ? action_press(ACTION_MODE_PROMPT, key)
                         : worklist_press(&start->items[start->shown].list, key);
}

static bool start_apply(void *state, enum action action, long argument) {
    struct start *start = state;
    start->typing = false;
    const bool changed = worklist_apply(&start->items[start->shown].list, action, argument);
    follow_choice(start);
    return changed;
}

static bool type_call(struct start *start, struct press press) {
    switch (press.info->action) {
    case ACTION_ACCEPT:
        start->typing = false;
        start->done = start->typed[strspn(start->typed, " ")] != '\0';
        if (start->done)
            text_append(start->pasted, start->typed);
        return true;
    case ACTION_CANCEL:
        start->typing = false;
        start->typed[0] = '\0';
        return true;
    case ACTION_ERASE:
        start->typing = start->typed[0] != '\0';
        line_erase(start->typed, press.info->argument);
        return true;
    default:
        return line_type(start->typed, sizeof start->typed, press.key);
    }
}

static bool start_key(void *state, struct press press) {
    struct start *start = state;
    return start->typing ? type_call(start, press)
                         : start_apply(state, press.info->action, press.info->argument);
}

/* A single line goes into the open prompt; other text counts as pasted. */
static bool start_paste(void *state, const char *text) {
    struct start *start = state;
    text_append(start->pasted, start->typing ? start->typed : "");
    text_append(start->pasted, text);
    start->done = true;
    return true;
}

/* Starts the animation again after its last phase. */
static bool start_tick(void *state, long milliseconds) {
    struct start *start = state;
    struct replay *replay = &start->replay;
    bool changed = replay_tick(replay, milliseconds);
    if (!replay->playing)
        changed = replay_apply(replay, ACTION_PLAY, 0);
    return changed;
}

static long start_wait(const void *state) {
    const struct start *start = state;
    return start->replay.playing ? replay_wait(&start->replay) : 0;
}

static void start_draw(const void *state, struct grid *grid) {
    const struct start *start = state;
    view_draw_start(grid, &start->items[start->shown].list, &start->replay,
                    start->typing ? start->typed : NULL);
}

static bool start_done(const void *state) {
    return ((const struct start *)state)->done;
}

int start_screen_run(const struct start_options *opts, struct start_position *position,
                     const struct screen_options *options, struct text *command,
                     struct text *pasted, struct error *err) {
    struct start start = {.opts = opts, .position = position, .command = command, .pasted = pasted};
    struct screen_program program = {
        .state = &start,
        .press = start_press,
        .key = start_key,
        .apply = start_apply,
        .tick = start_tick,
        .wait = start_wait,
        .draw = start_draw,
        .paste = start_paste,
        .done = start_done,
    };
    /* The values differ from the lane numbers, so that the two rows are not the same. */
    if (course_record_kernel("reduce-xor-sum", "--in 31-lane", NULL, &start.trace, err) != 0)
        return -1;
    int status = replay_init(&start.replay, start.trace, err);
    if (status == 0) {
        replay_set_speed(&start.replay, 1);
        replay_set_view(&start.replay, VIEW_WIRES);
        replay_set_lane(&start.replay, 5);
        open_list(&start, position->list);
        status = screen_run(&program, options, err);
    }
    keep_position(&start);
    for (int list = 0; list < START_LISTS; list++)
        if (start.is_made[list])
            start_items_release(&start.items[list]);
    trace_close(start.trace);
    return status;
}
