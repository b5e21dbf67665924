#include "sitting/screens/start_screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/utf8.h"
#include "launch/course.h"
#include "launch/launch.h"
#include "launch/recording.h"
#include "lesson/lesson.h"
#include "replay/replay.h"
#include "teach/worklist.h"
#include "view/view.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first list, and those that its entries open. */
enum list { LIST_FIRST, LIST_OWN, LIST_RECORDINGS, LIST_MACHINE, LIST_COUNT };

/* What an entry says is owned here, as lists are made while the screen is open. */
struct items {
    struct worklist list;
    char **commands; /* NULL: nothing to choose */
    char **texts;    /* title, what it is about, what is shown as its name; three an entry */
    bool made;
};

struct start {
    const struct start_wish *wish;
    struct items items[LIST_COUNT];
    enum list shown;
    struct trace *trace; /* of the shuffles that move */
    struct replay replay;
    struct text *command;
    bool done;
};

/* ---- lists ---- */

static void add(struct items *items, const char *title, const char *about, const char *name,
                const char *command, bool done) {
    const size_t at = items->list.count++, count = items->list.count;
    items->list.entries = memory_grow(items->list.entries, count, sizeof *items->list.entries);
    items->commands = memory_grow(items->commands, count, sizeof *items->commands);
    items->texts = memory_grow(items->texts, 3 * count, sizeof *items->texts);
    items->texts[3 * at] = memory_string(title);
    items->texts[3 * at + 1] = memory_string(about);
    items->texts[3 * at + 2] = memory_string(name);
    items->commands[at] = command ? memory_string(command) : NULL;
    items->list.entries[at] = (struct worklist_entry){.title = items->texts[3 * at],
                                                      .teaches = items->texts[3 * at + 1],
                                                      .name = items->texts[3 * at + 2],
                                                      .task = "",
                                                      .done = done};
}

static void items_release(struct items *items) {
    for (size_t i = 0; i < items->list.count; i++)
        free(items->commands[i]);
    for (size_t i = 0; i < 3 * items->list.count; i++)
        free(items->texts[i]);
    free(items->commands);
    free(items->texts);
    free(items->list.entries);
}

static void make_first(struct items *items) {
    char lessons[128];
    snprintf(lessons, sizeof lessons,
             _("%zu lessons with questions: from one shuffle to whole reductions, and what goes "
               "wrong with them."),
             lesson_built_in_count());
    add(items, _("One shuffle"),
        _("What __shfl_xor_sync does in five steps, with keys that change it while you look."),
        "shflviz xor --mask 3 --width 16", "xor --mask 3 --width 16", false);
    add(items, _("Lessons"), lessons, "shflviz lesson", "lesson", false);
    add(items, _("Exercises"), _("Code to complete in your own editor, judged whenever you save."),
        "shflviz exercise", "exercise", false);
    add(items, _("A quiz"), _("Questions drawn from kernels; they grow with you."), "shflviz quiz",
        "quiz", false);
    add(items, _("Your own program"),
        _("A CUDA program of your own runs here, without a GPU, and its warps are shown."),
        "shflviz run FILE.cu", NULL, false);
    add(items, _("Recordings"), _("What the same calls did on hardware that is not here."),
        "shflviz replay NAME", NULL, false);
    add(items, _("This machine"), _("What shflviz can use here: devices, compilers, the terminal."),
        "shflviz doctor", NULL, false);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

#define FILES_MOST 1000

static size_t list_files(char **names) {
    size_t count = 0;
    DIR *folder = opendir(".");
    struct dirent *entry;
    while (folder && count < FILES_MOST && (entry = readdir(folder)))
        if (entry->d_name[0] != '.' && course_is_file(entry->d_name))
            names[count++] = memory_string(entry->d_name);
    if (folder)
        closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

static void make_own(struct items *items) {
    char **names = memory_zeroed(FILES_MOST, sizeof *names);
    const size_t count = list_files(names);
    for (size_t i = 0; i < count; i++) {
        struct text command = TEXT_INIT, shown = TEXT_INIT;
        text_append(&command, "run ");
        if (names[i][0] == '-')
            text_append(&command, "./");
        launch_append_quoted(&command, names[i]);
        text_append_visible(&shown, names[i], UTF8_LINE);
        add(items, shown.data, _("It is built and run, and shown from its first warp operation."),
            "", command.data, false);
        text_release(&command);
        text_release(&shown);
        free(names[i]);
    }
    free(names);
    if (count == 0)
        add(items, _("no .cu file here"),
            _("Start shflviz in the folder of your program, or name it."), "shflviz run FILE.cu",
            NULL, false);
}

static void make_recordings(struct items *items) {
    for (const struct recording *at = shflviz_recordings; at->name; at++) {
        struct trace *trace;
        struct text about = TEXT_INIT, command = TEXT_INIT;
        if (recording_open(at, &trace, NULL) != 0)
            continue;
        const char *title = trace_note(trace, TRACE_NOTE_TITLE);
        const char *device = trace_note(trace, TRACE_NOTE_NAME);
        text_append_format(&about, "%s (%s)", title ? title : "", device ? device : "?");
        text_append_format(&command, "replay %s", at->name);
        add(items, at->name, about.data, "", command.data, false);
        text_release(&about);
        text_release(&command);
        trace_close(trace);
    }
}

static void add_machine_line(void *context, const char *name, bool present, const char *text) {
    add(context, name, text, present ? _("yes") : _("no"), NULL, present);
}

static void open_list(struct start *start, enum list list) {
    struct items *items = &start->items[list];
    if (!items->made) {
        items->made = true;
        items->list.start = true;
        if (list == LIST_FIRST)
            make_first(items);
        else if (list == LIST_OWN)
            make_own(items);
        else if (list == LIST_RECORDINGS)
            make_recordings(items);
        else
            start->wish->machine(add_machine_line, items);
    }
    start->shown = list;
}

/* ---- the screen's program ---- */

/* The entries of the first list that open another are its last. */
static void choose(struct start *start, struct worklist *list) {
    const char *command = start->items[start->shown].commands[list->selected];
    if (command) {
        text_append(start->command, command);
        start->done = true;
    } else if (start->shown == LIST_FIRST) {
        open_list(start, (enum list)(LIST_OWN + list->selected - (list->count - 3)));
    }
}

static bool follow(struct start *start) {
    struct worklist *list = &start->items[start->shown].list;
    if (list->quit)
        start->done = true;
    if (list->left && start->shown != LIST_FIRST)
        open_list(start, LIST_FIRST);
    else if (list->chosen)
        choose(start, list);
    list->left = list->chosen = false;
    return true;
}

static struct press start_press(const void *state, const char *key) {
    const struct start *start = state;
    return worklist_press(&start->items[start->shown].list, key);
}

static bool start_apply(void *state, enum action action, long argument) {
    struct start *start = state;
    return worklist_apply(&start->items[start->shown].list, action, argument) && follow(start);
}

/* From the last phase it begins again. */
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
    view_draw_start(grid, &start->items[start->shown].list, &start->replay);
}

static bool start_done(const void *state) {
    return ((const struct start *)state)->done;
}

int start_screen_run(const struct start_wish *wish, const struct screen_options *options,
                     struct text *command, struct error *err) {
    struct start start = {.wish = wish, .command = command};
    struct screen_program program = {
        .state = &start,
        .press = start_press,
        .apply = start_apply,
        .tick = start_tick,
        .wait = start_wait,
        .draw = start_draw,
        .done = start_done,
    };
    if (course_record_kernel("reduce-xor-sum", "", NULL, &start.trace, err) != 0)
        return -1;
    int status = replay_init(&start.replay, start.trace, err);
    if (status == 0) {
        replay_set_speed(&start.replay, 1);
        replay_set_view(&start.replay, VIEW_WIRES);
        replay_set_lane(&start.replay, 5);
        open_list(&start, LIST_FIRST);
        status = screen_run(&program, options, err);
    }
    for (int i = 0; i < LIST_COUNT; i++)
        items_release(&start.items[i]);
    trace_close(start.trace);
    return status;
}
