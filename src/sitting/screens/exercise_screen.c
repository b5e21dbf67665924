#include "sitting/screens/exercise_screen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cudacpu/cudacpu.h"
#include "exercise/means.h"
#include "exercise/translate.h"
#include "launch/launch.h"
#include "teach/workbench.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_MILLISECONDS 200 /* between two looks at the file */

struct sitting {
    const struct exercise_wish *wish;
    struct workbench bench;
    struct verdict verdict;
    struct text words; /* of the verdict */
    struct text code;  /* the learner's, as it was judged last */
    struct stat seen;  /* the file as it was judged last, or found missing */
    bool is_changed;   /* it is to be judged, once the screen says so */
    struct replay replay;
    bool in_replay;
    struct text caption;      /* of the replay */
    bool wants_editor;        /* the screen makes room for it */
    struct journey_step next; /* what comes after it, once it has passed */
    bool goes_on;
    struct error err; /* ends the screen */
};

/* ---- the file ---- */

/* An editor may write the file in place, or put another one of that name there. */
static bool has_changed(struct sitting *sitting) {
    struct stat now = {0};
    if (stat(sitting->wish->judging.path, &now) != 0)
        now = (struct stat){0};
    const struct stat *seen = &sitting->seen;
    const bool same =
        now.st_ino == seen->st_ino && now.st_size == seen->st_size &&
        now.st_mode == seen->st_mode &&
        memcmp(&now.FILE_MODIFIED, &seen->FILE_MODIFIED, sizeof now.FILE_MODIFIED) == 0;
    if (same || (now.st_size == 0 && now.st_ino != 0)) /* an empty one is being written */
        return false;
    sitting->seen = now;
    return true;
}

/* ---- the verdict ---- */

/* Only an exercise of the course has one after it. */
static void find_what_is_next(struct sitting *sitting) {
    struct journey journey;
    struct journey_step *next = &sitting->next;
    if (exercise_built_in_find(sitting->wish->exercise->name) != sitting->wish->exercise)
        return;
    journey_load(&journey);
    if (!journey_next(&journey, next) || next->exercise == sitting->wish->exercise)
        *next = (struct journey_step){0};
    sitting->bench.next = next->title;
    journey_release(&journey);
}

static void show_verdict(struct sitting *sitting) {
    const struct verdict *verdict = &sitting->verdict;
    text_clear(&sitting->words);
    verdict_append(&sitting->words, verdict, file_base_name(sitting->wish->judging.path));
    const bool passed = verdict->kind == VERDICT_PASSED;
    workbench_judged(&sitting->bench, passed ? WORKBENCH_PASSED : WORKBENCH_FAILED,
                     sitting->words.data,
                     !passed && verdict->trace && trace_step_count(verdict->trace) > 0);
    if (passed) {
        sitting->wish->passed(sitting->wish->exercise);
        find_what_is_next(sitting);
        sitting->bench.operations = verdict->trace ? (unsigned)means_operations(verdict->trace) : 0;
    }
}

/* A solution is run as the learner's file was, once. */
static void count(struct sitting *sitting, const char *solution, unsigned *operations) {
    struct verdict verdict = {0};
    struct judging judging = sitting->wish->judging;
    struct error ignored = ERROR_INIT;
    judging.text = solution;
    judging.runs = 1;
    judging.output = NULL;
    if (exercise_judge(sitting->wish->exercise, &judging, &verdict, &ignored) == 0 && verdict.trace)
        *operations = (unsigned)means_operations(verdict.trace);
    verdict_release(&verdict);
}

static void count_solutions(struct sitting *sitting) {
    const struct exercise *exercise = sitting->wish->exercise;
    count(sitting, exercise->solution, &sitting->bench.solution_operations);
    if (exercise->other)
        count(sitting, exercise->other, &sitting->bench.other_operations);
}

/* The first line of the learner's file that a finding is about; 0 if there is none. */
static int wrong_line(const struct verdict *verdict, const char *path) {
    for (size_t i = 0; i < verdict->report.count; i++) {
        const struct check_finding *finding = &verdict->report.finding[i];
        if (finding->file && strcmp(file_base_name(finding->file), file_base_name(path)) == 0)
            return (int)finding->line;
    }
    return 0;
}

static void judge(struct sitting *sitting) {
    struct text *code = &sitting->code;
    struct judging judging = sitting->wish->judging;
    verdict_release(&sitting->verdict);
    text_clear(code);
    if (own_program_read(judging.path, code, NULL) != 0) {
        text_clear(code);
        workbench_judged(&sitting->bench, WORKBENCH_NO_FILE, "", false);
    } else {
        judging.text = code->data;
        if (exercise_judge(sitting->wish->exercise, &judging, &sitting->verdict, &sitting->err) ==
            0)
            show_verdict(sitting);
    }
    sitting->bench.code = code->data;
    sitting->bench.wrong_line = wrong_line(&sitting->verdict, judging.path);
}

/* ---- the replay of what is wrong ---- */

static void begin_replay(struct sitting *sitting) {
    const struct verdict *verdict = &sitting->verdict;
    struct replay *replay = &sitting->replay;
    if (replay_init(replay, verdict->trace, NULL) != 0)
        return;
    text_clear(&sitting->caption);
    if (verdict->kind == VERDICT_WRONG) {
        char *name = translate_case(verdict->case_name ? verdict->case_name : "");
        replay_place(replay, verdict->launch, verdict->block, verdict->warp, UINT64_MAX);
        replay_set_lane(replay, (int)verdict->lane);
        text_append_format(&sitting->caption,
                           _("lane %" PRIu32 ": the result is %s, wanted %s (%s)"), verdict->lane,
                           verdict->got, verdict->wanted, name);
        free(name);
    } else if (verdict->report.count) {
        const struct check_finding *finding = &verdict->report.finding[0];
        if (finding->has_step)
            replay_go_step(replay, finding->step);
        if (finding->lanes)
            replay_set_lane(replay, __builtin_ctz(finding->lanes));
        text_append_format(&sitting->caption, "%s: ", finding->rule);
        text_append_visible(&sitting->caption, finding->message ? finding->message : "", UTF8_LINE);
    } else {
        text_append_visible(&sitting->caption, verdict->text ? verdict->text : "", UTF8_LINE);
    }
    replay_set_phase(replay, PHASE_AFTER);
    sitting->in_replay = true;
}

/* ---- the editor ---- */

static const char *editor(void) {
    const char *visual = getenv("VISUAL"), *plain = getenv("EDITOR");
    return visual && *visual ? visual : plain && *plain ? plain : "vi";
}

/* The shell's words for editing the file; $EDITOR may have options. */
static void editor_command(struct text *command, const char *path) {
    text_append_format(command, "exec %s ", editor());
    launch_append_quoted(command, path);
}

/* From here on both halves have room for this screen, beside each other or one below the other. */
#define BESIDE_COLUMNS (2 * VIEW_MIN_COLUMNS + 1)
#define BELOW_ROWS     (2 * VIEW_MIN_ROWS + 1)

/* In a pane beside this one, or below it; false where that cannot be done. */
static bool edit_beside(const char *path) {
    const char *tmux = getenv("TMUX");
    struct text edit = TEXT_INIT, command = TEXT_INIT;
    struct winsize size = {0};
    if (!tmux || !*tmux)
        return false;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) /* unknown: as on a wide one */
        size.ws_col = BESIDE_COLUMNS;
    const char *split = size.ws_col >= BESIDE_COLUMNS ? "-h"
                        : size.ws_row >= BELOW_ROWS   ? "-v"
                                                      : NULL;
    if (!split)
        return false;
    editor_command(&edit, path);
    text_append_format(&command, "tmux split-window %s -c \"$PWD\" ", split);
    launch_append_quoted(&command, edit.data);
    text_append(&command, " </dev/null >/dev/null 2>&1");
    const bool opened = system(command.data) == 0;
    text_release(&edit);
    text_release(&command);
    return opened;
}

/* In the place of the screen, which has been closed. */
static void edit_here(const char *path) {
    struct text command = TEXT_INIT;
    editor_command(&command, path);
    const int status = system(command.data);
    text_release(&command);
    if (status != 0)
        fprintf(stderr, _("shflviz: the editor '%s' ended with %d\n"), utf8_name(editor()), status);
}

/* ---- the screen ---- */

static bool grant(struct sitting *sitting) {
    switch (workbench_take_wish(&sitting->bench)) {
    case WORKBENCH_EDIT:
        sitting->wants_editor = !edit_beside(sitting->wish->judging.path);
        break;
    case WORKBENCH_LOOK:
        begin_replay(sitting);
        break;
    case WORKBENCH_AGAIN:
        sitting->seen = (struct stat){0};
        break;
    case WORKBENCH_COUNT:
        count_solutions(sitting);
        break;
    case WORKBENCH_NEXT:
        sitting->goes_on = true;
        break;
    case WORKBENCH_NOTHING:
        break;
    }
    return true;
}

static bool leave_replay(struct sitting *sitting, bool changed) {
    if (replay_take_quit(&sitting->replay)) {
        sitting->in_replay = false;
        return true;
    }
    return changed;
}

static struct press sitting_press(const void *state, const char *key) {
    const struct sitting *sitting = state;
    return sitting->in_replay ? replay_press(&sitting->replay, key)
                              : workbench_press(&sitting->bench, key);
}

static bool sitting_key(void *state, struct press press) {
    struct sitting *sitting = state;
    if (sitting->in_replay)
        return leave_replay(sitting, replay_key(&sitting->replay, press));
    workbench_apply(&sitting->bench, press.info->action);
    return grant(sitting);
}

static bool sitting_apply(void *state, enum action action, long argument) {
    struct sitting *sitting = state;
    if (sitting->in_replay)
        return leave_replay(sitting, replay_apply(&sitting->replay, action, argument));
    workbench_apply(&sitting->bench, action);
    return grant(sitting);
}

/* What changed is said on the screen first, and judged at the next tick. */
static bool sitting_tick(void *state, long milliseconds) {
    struct sitting *sitting = state;
    const bool played = sitting->in_replay && replay_tick(&sitting->replay, milliseconds);
    if (sitting->is_changed) {
        sitting->is_changed = false;
        judge(sitting);
        return true;
    }
    if (!has_changed(sitting))
        return played;
    sitting->is_changed = true;
    sitting->in_replay = false;
    workbench_judged(&sitting->bench, WORKBENCH_BUILDING, sitting->bench.verdict, false);
    return true;
}

static long sitting_wait(const void *state) {
    const struct sitting *sitting = state;
    const long playing = sitting->in_replay ? replay_wait(&sitting->replay) : -1;
    if (sitting->is_changed)
        return 0;
    return playing >= 0 && playing < LOOK_MILLISECONDS ? playing : LOOK_MILLISECONDS;
}

static void sitting_draw(const void *state, struct grid *grid) {
    const struct sitting *sitting = state;
    if (sitting->in_replay)
        view_draw_wrong(grid, &sitting->replay, sitting->caption.data);
    else
        view_draw_workbench(grid, &sitting->bench);
}

static bool sitting_done(const void *state) {
    const struct sitting *sitting = state;
    return sitting->bench.quit || sitting->goes_on || sitting->wants_editor ||
           sitting->err.kind != ERROR_NONE;
}

static int run_screens(struct sitting *sitting, struct error *err) {
    struct screen_program program = {.state = sitting,
                                     .press = sitting_press,
                                     .key = sitting_key,
                                     .apply = sitting_apply,
                                     .tick = sitting_tick,
                                     .wait = sitting_wait,
                                     .draw = sitting_draw,
                                     .done = sitting_done};
    int status;
    while ((status = screen_run(&program, &sitting->wish->screen, err)) == 0 &&
           sitting->wants_editor) {
        sitting->wants_editor = false;
        edit_here(sitting->wish->judging.path);
    }
    if (status == 0 && sitting->err.kind != ERROR_NONE) {
        *err = sitting->err;
        status = -1;
    }
    return status;
}

int exercise_screen_run(const struct exercise_wish *wish, struct journey_step *next,
                        struct error *err) {
    const struct exercise_language *language = exercise_language(wish->exercise, wish->language);
    struct stat there;
    struct sitting sitting = {.wish = wish,
                              .words = TEXT_INIT,
                              .code = TEXT_INIT,
                              .caption = TEXT_INIT,
                              .bench = {.title = language->title,
                                        .teaches = language->teaches,
                                        .file = wish->judging.path,
                                        .task = language->task,
                                        .after = language->after,
                                        .other = language->other,
                                        .other_solution = wish->exercise->other,
                                        .hints = language->hints,
                                        .hint_count = language->hint_count,
                                        .solution = wish->exercise->solution,
                                        .state = stat(wish->judging.path, &there) == 0
                                                     ? WORKBENCH_BUILDING
                                                     : WORKBENCH_NO_FILE,
                                        .verdict = ""}};
    const int status = run_screens(&sitting, err);
    *next = sitting.goes_on ? sitting.next : (struct journey_step){0};
    verdict_release(&sitting.verdict);
    text_release(&sitting.words);
    text_release(&sitting.code);
    text_release(&sitting.caption);
    return status;
}

/* ---- the list ---- */

static struct press list_press(const void *state, const char *key) {
    return worklist_press(state, key);
}

static bool list_apply(void *state, enum action action, long argument) {
    return worklist_apply(state, action, argument);
}

static void list_draw(const void *state, struct grid *grid) {
    view_draw_worklist(grid, state);
}

static bool list_done(const void *state) {
    const struct worklist *list = state;
    return list->chosen || list->quit || list->left;
}

int exercise_list_run(const char *heading, struct worklist_entry *entries, size_t count,
                      size_t *selected, bool *opened, const struct screen_options *options,
                      struct error *err) {
    struct worklist list = {.heading = heading,
                            .start = heading != NULL,
                            .entries = entries,
                            .count = count,
                            .selected = *selected};
    struct screen_program program = {.state = &list,
                                     .press = list_press,
                                     .apply = list_apply,
                                     .draw = list_draw,
                                     .done = list_done};
    const int status = screen_run(&program, options, err);
    *selected = list.selected;
    *opened = list.chosen;
    return status;
}
