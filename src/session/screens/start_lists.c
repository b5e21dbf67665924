/*
 * The entries of the start screen. Everything about a learner comes from the progress file.
 * Everything offered is a command that could have been typed, so that nothing is possible only
 * here.
 */
#include "session/screens/start_lists.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "device/device.h"
#include "launch/course.h"
#include "launch/launch.h"
#include "launch/recording.h"
#include "session/journey.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct exercise_file shflviz_examples[]; /* examples/; the name of the last is NULL */

#define FIRST_SHUFFLE "xor --mask 3 --width 16 --in " LAUNCH_DISTINCT_VALUES

enum start_list start_list_parent(enum start_list list) {
    return list == START_EXAMPLES || list == START_KERNELS ? START_OWN : START_FIRST;
}

/* ---- entries ---- */

static struct start_entry *add(struct start_items *items, const char *title, const char *about,
                               const char *name) {
    const size_t at = items->list.count++;
    items->list.entries =
        memory_grow(items->list.entries, items->list.count, sizeof *items->list.entries);
    items->entries = memory_grow(items->entries, items->list.count, sizeof *items->entries);
    struct start_entry *entry = &items->entries[at];
    *entry = (struct start_entry){.title = memory_string(title),
                                  .about = memory_string(about),
                                  .name = memory_string(name),
                                  .note = memory_string("")};
    items->list.entries[at] = (struct worklist_entry){.title = entry->title,
                                                      .teaches = entry->about,
                                                      .name = entry->name,
                                                      .task = "",
                                                      .note = entry->note};
    return entry;
}

/* Sets the text at the right end of the last entry. */
static void note(struct start_items *items, const char *text, bool done) {
    const size_t at = items->list.count - 1;
    free(items->entries[at].note);
    items->entries[at].note = memory_string(text);
    items->list.entries[at].note = items->entries[at].note;
    items->list.entries[at].done = done;
}

static void set_choice(struct start_entry *entry, enum start_choice choice, const char *text) {
    entry->choice = choice;
    entry->text = memory_string(text);
}

static void opens(struct start_entry *entry, enum start_list list) {
    entry->choice = START_LIST;
    entry->opens = list;
}

/* Adds an entry that shows its command. */
static struct start_entry *add_command(struct start_items *items, const char *title,
                                       const char *about, const char *command) {
    struct text shown = TEXT_INIT;
    text_append_format(&shown, "shflviz %s", command);
    struct start_entry *entry = add(items, title, about, shown.data);
    set_choice(entry, START_COMMAND, command);
    text_release(&shown);
    return entry;
}

void start_items_release(struct start_items *items) {
    for (size_t i = 0; i < items->list.count; i++) {
        struct start_entry *entry = &items->entries[i];
        free(entry->title);
        free(entry->about);
        free(entry->name);
        free(entry->note);
        free(entry->text);
    }
    free(items->entries);
    free(items->list.entries);
}

/* ---- the learner ---- */

static void append_minutes(struct text *text, unsigned minutes) {
    if (minutes)
        text_append_format(text, _("%u min"), minutes);
}

/* Notes "3/8 · 4 min", or a tick. */
static void note_step(struct start_items *items, const struct journey_step *step) {
    struct text text = TEXT_INIT;
    if (!step->done && step->seen)
        text_append_format(&text, "%u/%u · ", step->seen, step->steps);
    append_minutes(&text, step->minutes);
    note(items, text.data, step->done);
    text_release(&text);
}

/* Adds the command of a step; a NULL `title` means the step's own. */
static void add_step(struct start_items *items, const char *title, const char *about,
                     const struct journey_step *step) {
    struct text command = TEXT_INIT;
    text_append_format(&command, "%s %s", step->lesson ? "lesson" : "exercise", step->name);
    add_command(items, title ? title : step->title, about, command.data);
    note_step(items, step);
    text_release(&command);
}

static void add_continue(struct start_items *items, const struct journey *journey) {
    struct journey_step step;
    struct text about = TEXT_INIT;
    if (!journey_next(journey, &step))
        return;
    text_append_format(&about,
                       step.exercise ? _("Write it yourself: %s.")
                       : step.seen   ? _("Continue where you left off: %s.")
                                     : _("Next in the course: %s."),
                       step.title);
    add_step(items, _("Continue"), about.data, &step);
    text_release(&about);
}

static void add_fast_track(struct start_items *items, const struct journey *journey) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    struct text text = TEXT_INIT;
    unsigned done = 0, minutes = 0;
    for (size_t i = 0; i < count; i++) {
        struct journey_step step;
        journey_stop(journey, i, &step);
        done += step.done;
        minutes += step.minutes;
    }
    struct start_entry *entry = add(
        items, _("Fast track"),
        _("New here? From what a lane is to a warp sum you write yourself, in a few short stages."),
        "");
    opens(entry, START_FAST);
    text_append_format(&text, "%u/%zu", done, count);
    if (minutes)
        text_append(&text, " · ");
    append_minutes(&text, minutes);
    note(items, text.data, done == count);
    text_release(&text);
}

static void add_course(struct start_items *items, const struct journey *journey) {
    const unsigned missed = journey_missed(journey);
    char text[64];
    add_command(items, _("Learn"),
                _("Lessons with questions: from one shuffle to whole reductions, and what goes "
                  "wrong with them."),
                "lesson");
    snprintf(text, sizeof text, "%u/%zu", journey_finished(journey), lesson_built_in_count());
    note(items, text, false);
    add_command(items, _("Practise"),
                _("Code to complete in your own editor, judged whenever you save."), "exercise");
    snprintf(text, sizeof text, "%u/%zu", journey_passed(journey), exercise_built_in_count());
    note(items, text, false);
    add_command(items, _("Quiz"),
                _("Questions from real kernels; they get harder as you improve. Questions missed "
                  "in lessons come up again."),
                "quiz");
    snprintf(text, sizeof text, _("%u missed"), missed);
    note(items, missed ? text : "", false);
}

static void make_first(struct start_items *items) {
    struct journey journey;
    journey_load(&journey);
    add_continue(items, &journey);
    add_fast_track(items, &journey);
    add_command(
        items, _("One shuffle"),
        _("What __shfl_xor_sync does in five phases, with keys that change it while you watch."),
        FIRST_SHUFFLE);
    add_course(items, &journey);
    opens(add(items, _("My code"),
              _("A call, a program, an example or a built-in kernel: run here, without a GPU, and "
                "shown line by line with the variables of all lanes. Or paste code into this "
                "screen."),
              "shflviz run FILE.cu"),
          START_OWN);
    opens(add(items, _("Recordings"), _("The same calls, recorded on a real NVIDIA H200."),
              "shflviz replay NAME"),
          START_RECORDINGS);
    opens(add(items, _("This machine"),
              _("What shflviz can use here: devices, compilers, the terminal."), "shflviz doctor"),
          START_MACHINE);
    journey_release(&journey);
}

static void make_fast_track(struct start_items *items) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    struct journey journey;
    journey_load(&journey);
    for (size_t i = 0; i < count; i++) {
        struct journey_step step;
        journey_stop(&journey, i, &step);
        const char *about =
            step.lesson
                ? lesson_summary(step.lesson, lesson_language_find(step.lesson, message_language()))
                : _("Now write it: the file is judged whenever you save, and a wrong lane is "
                    "shown.");
        add_step(items, NULL, about, &step);
        if (step.done && items->list.selected == i && i + 1 < count)
            items->list.selected++; /* on to the first one that is not done */
    }
    journey_release(&journey);
}

/* ---- code ---- */

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

static void add_file(struct start_items *items, const char *name) {
    struct text command = TEXT_INIT, shown = TEXT_INIT;
    text_append(&command, "run ");
    if (name[0] == '-')
        text_append(&command, "./");
    launch_append_quoted(&command, name);
    text_append_visible(&shown, name, UTF8_LINE);
    set_choice(add(items, shown.data,
                   _("The program is built and run, and shown from its first warp operation."), ""),
               START_COMMAND, command.data);
    text_release(&command);
    text_release(&shown);
}

static void make_own(struct start_items *items) {
    set_choice(add(items, _("A call"),
                   _("Type or paste a call, such as __shfl_up_sync(0xffffffff, value, 2, 16)."),
                   "shflviz 'CALL'"),
               START_CALL, "");
    opens(add(items, _("The examples"), _("Small CUDA programs, ready to run."), ""),
          START_EXAMPLES);
    opens(add(items, _("The built-in kernels"),
              _("Reductions, scans, votes and common mistakes, each with its source."),
              "shflviz kernel NAME"),
          START_KERNELS);
    add_command(items, _("Reading a kernel line by line"),
                _("The lesson that shows how: 7 shows the variables, Right and Left step by line, "
                  "o shows what a value is made of."),
                "lesson line-by-line");
    char **names = memory_zeroed(FILES_MOST, sizeof *names);
    const size_t count = list_files(names);
    for (size_t i = 0; i < count; i++) {
        add_file(items, names[i]);
        free(names[i]);
    }
    free(names);
    if (count == 0)
        add(items, _("no .cu file here"),
            _("Start shflviz in your program's folder, name the file, or paste it."),
            "shflviz run FILE.cu");
}

/* An example describes itself in its first comment: "// scan - running sums ...". */
static void append_about(struct text *about, const char *source) {
    while (strncmp(source, "// ", 3) == 0) {
        const size_t length = strcspn(source, "\n");
        const char *from = source + 3, *dash = about->length ? NULL : strstr(source, " - ");
        if (dash && dash < source + length)
            from = dash + 3;
        if (about->length)
            text_append_char(about, ' ');
        text_append_bytes(about, from, (size_t)(source + length - from));
        source += length + (source[length] == '\n');
    }
}

static void make_examples(struct start_items *items) {
    for (const struct exercise_file *file = shflviz_examples; file->name; file++) {
        struct text about = TEXT_INIT;
        append_about(&about, file->text);
        set_choice(add(items, file->name, about.data, ""), START_SOURCE, file->text);
        text_release(&about);
    }
}

static void make_kernels(struct start_items *items) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++) {
        struct text command = TEXT_INIT;
        const bool is_shuffle = launch_argument(programs[i]) != LAUNCH_OPTION_COUNT;
        text_append_format(&command, "kernel %s", programs[i]->name);
        if (!is_shuffle) /* those have commands of their own */
            add_command(items, programs[i]->name, _(programs[i]->summary), command.data);
        text_release(&command);
    }
}

/* ---- what comes with the program, and where it runs ---- */

static void make_recordings(struct start_items *items) {
    for (const struct recording *at = shflviz_recordings; at->name; at++) {
        struct trace *trace;
        struct text about = TEXT_INIT, command = TEXT_INIT;
        if (recording_open(at, &trace, NULL) != 0)
            continue;
        const char *title = trace_note(trace, TRACE_NOTE_TITLE);
        const char *device = trace_note(trace, TRACE_NOTE_NAME);
        text_append_format(&about, "%s (%s)", title ? title : "", device ? device : "?");
        text_append_format(&command, "replay %s", at->name);
        set_choice(add(items, at->name, about.data, ""), START_COMMAND, command.data);
        text_release(&about);
        text_release(&command);
        trace_close(trace);
    }
}

static void add_machine_line(void *context, const char *name, bool present, const char *text) {
    add(context, name, text, present ? _("yes") : _("no"));
    note(context, "", present);
}

void start_items_make(struct start_items *items, enum start_list list,
                      const struct start_options *opts) {
    static const char *const headings[START_LISTS] = {
        NULL,
        N_("Fast track"),
        N_("My code"),
        N_("The examples"),
        N_("The built-in kernels"),
        N_("Recordings"),
        N_("This machine"),
    };
    *items = (struct start_items){
        .list = {.start = true, .heading = headings[list] ? _(headings[list]) : NULL}};
    if (list == START_FIRST)
        make_first(items);
    else if (list == START_FAST)
        make_fast_track(items);
    else if (list == START_OWN)
        make_own(items);
    else if (list == START_EXAMPLES)
        make_examples(items);
    else if (list == START_KERNELS)
        make_kernels(items);
    else if (list == START_RECORDINGS)
        make_recordings(items);
    else
        opts->machine(add_machine_line, items);
}
