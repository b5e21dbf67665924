/*
 * Two screens in one program: the workbench, and the replay of a failed run that opens from it. A
 * change to the file is noticed by its size and date, which works on every file system and with
 * every editor.
 */
#include "session/screens/exercise_screen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "cudacpu/cudacpu.h"
#include "exercise/means.h"
#include "exercise/translate.h"
#include "launch/launch.h"
#include "replay/details.h"
#include "session/details.h"
#include "teach/workbench.h"
#include "view/view.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_MILLISECONDS 200 /* between two checks of the file */

struct session {
    const struct exercise_options *opts;
    struct workbench bench;
    struct verdict verdict;
    struct text words; /* of the verdict */
    struct text code;  /* the learner's, as last judged */
    struct stat seen;  /* the file as last judged, or found missing */
    bool is_changed;   /* to be judged, once the screen shows that */
    struct replay replay;
    bool in_replay;
    struct details details;
    struct trace *made;       /* with the details of the verdict's run; NULL if it has none */
    struct text caption;      /* of the replay */
    bool wants_editor;        /* the screen closes for it */
    struct text place;        /* the file's absolute path */
    struct journey_step next; /* the next exercise or lesson, once it has passed */
    bool goes_on;
    struct error err; /* ends the screen */
};

/* ---- the file ---- */

/* An editor may overwrite the file or replace it. */
static bool has_changed(struct session *session) {
    struct stat now = {0};
    if (stat(session->opts->judging.path, &now) != 0)
        now = (struct stat){0};
    const struct stat *seen = &session->seen;
    const bool same =
        now.st_ino == seen->st_ino && now.st_size == seen->st_size &&
        now.st_mode == seen->st_mode &&
        memcmp(&now.FILE_MODIFIED, &seen->FILE_MODIFIED, sizeof now.FILE_MODIFIED) == 0;
    if (same || (now.st_size == 0 && now.st_ino != 0)) /* an empty one is being written */
        return false;
    session->seen = now;
    return true;
}

/* ---- the verdict ---- */

/* Only an exercise of the course has a next one. */
static void find_next_step(struct session *session) {
    struct journey journey;
    struct journey_step *next = &session->next;
    if (exercise_built_in_find(session->opts->exercise->name) != session->opts->exercise)
        return;
    journey_load(&journey);
    if (!journey_next(&journey, next) || next->exercise == session->opts->exercise)
        *next = (struct journey_step){0};
    session->bench.next = next->title;
    session->bench.ending = journey_end_of_track(&journey, session->opts->exercise->name);
    journey_release(&journey);
}

static void show_verdict(struct session *session) {
    const struct verdict *verdict = &session->verdict;
    text_clear(&session->words);
    verdict_append(&session->words, verdict, file_base_name(session->opts->judging.path));
    const bool passed = verdict->kind == VERDICT_PASSED;
    workbench_judged(&session->bench, passed ? WORKBENCH_PASSED : WORKBENCH_FAILED,
                     session->words.data,
                     !passed && verdict->trace && trace_step_count(verdict->trace) > 0);
    if (passed) {
        session->opts->passed(session->opts->exercise);
        find_next_step(session);
        session->bench.operations = verdict->trace ? (unsigned)means_operations(verdict->trace) : 0;
    }
}

/* A solution is run like the learner's file, once. */
static void count(struct session *session, const char *solution, unsigned *operations) {
    struct verdict verdict = {0};
    struct judging judging = session->opts->judging;
    struct error ignored = ERROR_INIT;
    judging.text = solution;
    judging.runs = 1;
    judging.output = NULL;
    if (exercise_judge(session->opts->exercise, &judging, &verdict, &ignored) == 0 && verdict.trace)
        *operations = (unsigned)means_operations(verdict.trace);
    verdict_release(&verdict);
}

static void count_solutions(struct session *session) {
    const struct exercise *exercise = session->opts->exercise;
    count(session, exercise->solution, &session->bench.solution_operations);
    if (exercise->other)
        count(session, exercise->other, &session->bench.other_operations);
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

static void judge(struct session *session) {
    struct text *code = &session->code;
    struct judging judging = session->opts->judging;
    trace_close(session->made);
    session->made = NULL;
    verdict_release(&session->verdict);
    text_clear(code);
    if (user_program_read(judging.path, code, NULL) != 0) {
        text_clear(code);
        workbench_judged(&session->bench, WORKBENCH_NO_FILE, "", false);
    } else {
        judging.text = code->data;
        progress_line_corner(WORKBENCH_STATE_COLUMNS);
        const int status =
            exercise_judge(session->opts->exercise, &judging, &session->verdict, &session->err);
        progress_line_corner(0);
        if (status == 0)
            show_verdict(session);
    }
    session->bench.code = code->data;
    session->bench.wrong_line = wrong_line(&session->verdict, judging.path);
}

/* ---- the replay of the failure ---- */

static int record_details(void *context, struct trace **trace, struct error *err) {
    const struct session *session = context;
    struct judging judging = session->opts->judging;
    judging.text = session->code.data;
    return exercise_record_details(session->opts->exercise, &judging, &session->verdict, trace,
                                   err);
}

static bool tick_details(struct session *session) {
    const struct details_source source = {record_details, session};
    struct trace *made;
    if (!session->in_replay || !details_tick(&session->details, &session->replay, &source, &made))
        return false;
    if (made)
        session->made = made;
    return true;
}

static void begin_replay(struct session *session) {
    const struct verdict *verdict = &session->verdict;
    struct replay *replay = &session->replay;
    if (replay_init(replay, session->made ? session->made : verdict->trace, NULL) != 0)
        return;
    replay_allow_details(replay, !session->made);
    text_clear(&session->caption);
    if (verdict->kind == VERDICT_WRONG) {
        char *name = translate_case(verdict->case_name ? verdict->case_name : "");
        replay_go_position(replay, verdict->launch, verdict->block, verdict->warp, UINT64_MAX);
        replay_set_lane(replay, (int)verdict->lane);
        text_append_format(&session->caption,
                           _("lane %" PRIu32 ": the result is %s, expected %s (%s)"), verdict->lane,
                           verdict->got, verdict->wanted, name);
        free(name);
    } else if (verdict->report.count) {
        const struct check_finding *finding = &verdict->report.finding[0];
        if (finding->has_step)
            replay_go_step(replay, finding->step);
        if (finding->lanes)
            replay_set_lane(replay, __builtin_ctz(finding->lanes));
        text_append_format(&session->caption, "%s: ", finding->rule);
        text_append_visible(&session->caption, finding->message ? finding->message : "", UTF8_LINE);
    } else {
        text_append_visible(&session->caption, verdict->text ? verdict->text : "", UTF8_LINE);
    }
    replay_set_phase(replay, PHASE_AFTER);
    session->in_replay = true;
}

/* ---- the editor ---- */

static const char *editor(void) {
    const char *visual = getenv("VISUAL"), *plain = getenv("EDITOR");
    return visual && *visual ? visual : plain && *plain ? plain : "vi";
}

/* Appends the shell's words for editing the file; $EDITOR may have options. */
static void editor_command(struct text *command, const char *path) {
    text_append_format(command, "exec %s ", editor());
    launch_append_quoted(command, path);
}

/* From this width or height on, half of the terminal has room for this screen: the halves are then
 * side by side, or one below the other. */
#define BESIDE_COLUMNS (2 * VIEW_MIN_COLUMNS + 1)
#define BELOW_ROWS     (2 * VIEW_MIN_ROWS + 1)

/* Opens the editor in a pane beside or below this one; false if that is not possible. */
static bool edit_beside(const char *path) {
    const char *tmux = getenv("TMUX");
    struct text edit = TEXT_INIT, command = TEXT_INIT;
    struct winsize size = {0};
    if (!tmux || !*tmux)
        return false;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) /* unknown: assume a wide one */
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

/* Runs the editor in place of the screen, which has been closed. */
static void edit_here(const char *path) {
    struct text command = TEXT_INIT;
    editor_command(&command, path);
    const int status = system(command.data);
    text_release(&command);
    if (status != 0)
        fprintf(stderr, _("shflviz: editor '%s' exited with %d\n"), utf8_name(editor()), status);
}

/* ---- the screen ---- */

static bool do_request(struct session *session) {
    switch (workbench_take_request(&session->bench)) {
    case WORKBENCH_EDIT:
        session->wants_editor = !edit_beside(session->opts->judging.path);
        break;
    case WORKBENCH_LOOK:
        begin_replay(session);
        break;
    case WORKBENCH_AGAIN:
        session->seen = (struct stat){0};
        break;
    case WORKBENCH_COUNT:
        count_solutions(session);
        break;
    case WORKBENCH_NEXT:
        session->goes_on = true;
        break;
    case WORKBENCH_NOTHING:
        break;
    }
    return true;
}

static bool leave_replay(struct session *session, bool changed) {
    if (replay_take_quit(&session->replay)) {
        session->in_replay = false;
        return true;
    }
    return changed;
}

static struct press session_press(const void *state, const char *key) {
    const struct session *session = state;
    return session->in_replay ? replay_press(&session->replay, key)
                              : workbench_press(&session->bench, key);
}

static bool session_key(void *state, struct press press) {
    struct session *session = state;
    if (session->in_replay)
        return leave_replay(session, replay_key(&session->replay, press));
    workbench_apply(&session->bench, press.info->action);
    return do_request(session);
}

static bool session_apply(void *state, enum action action, long argument) {
    struct session *session = state;
    if (session->in_replay)
        return leave_replay(session, replay_apply(&session->replay, action, argument));
    workbench_apply(&session->bench, action);
    return do_request(session);
}

/* A change is first shown, then judged at the next tick. */
static bool session_tick(void *state, long milliseconds) {
    struct session *session = state;
    const bool played = tick_details(session) ||
                        (session->in_replay && replay_tick(&session->replay, milliseconds));
    if (session->is_changed) {
        session->is_changed = false;
        judge(session);
        return true;
    }
    if (!has_changed(session))
        return played;
    session->is_changed = true;
    session->in_replay = false;
    workbench_judged(&session->bench, WORKBENCH_BUILDING, session->bench.verdict, false);
    return true;
}

static long session_wait(const void *state) {
    const struct session *session = state;
    const long playing = session->in_replay ? replay_wait(&session->replay) : -1;
    if (session->is_changed || (session->in_replay && details_wait(&session->replay) == 0))
        return 0;
    return playing >= 0 && playing < LOOK_MILLISECONDS ? playing : LOOK_MILLISECONDS;
}

static void session_draw(const void *state, struct grid *grid) {
    const struct session *session = state;
    if (session->in_replay)
        view_draw_wrong(grid, &session->replay, session->caption.data);
    else
        view_draw_workbench(grid, &session->bench);
}

static bool session_done(const void *state) {
    const struct session *session = state;
    return session->bench.quit || session->goes_on || session->wants_editor ||
           session->err.kind != ERROR_NONE;
}

static int run_screens(struct session *session, struct error *err) {
    struct screen_program program = {.state = session,
                                     .press = session_press,
                                     .key = session_key,
                                     .apply = session_apply,
                                     .tick = session_tick,
                                     .wait = session_wait,
                                     .draw = session_draw,
                                     .done = session_done};
    int status;
    while ((status = screen_run(&program, &session->opts->screen, err)) == 0 &&
           session->wants_editor) {
        session->wants_editor = false;
        edit_here(session->opts->judging.path);
    }
    if (status == 0 && session->err.kind != ERROR_NONE) {
        *err = session->err;
        status = -1;
    }
    return status;
}

/* The file need not exist, because a missing one is announced, too. */
static void append_absolute(struct text *place, const char *path) {
    char folder[PATH_MAX];
    if (*path != '/' && getcwd(folder, sizeof folder))
        text_append_format(place, "%s/", strcmp(folder, "/") == 0 ? "" : folder);
    text_append(place, path);
}

int exercise_screen_run(const struct exercise_options *opts, struct journey_step *next,
                        bool *goes_on, struct error *err) {
    const struct exercise_language *language = exercise_language(opts->exercise, opts->language);
    struct stat there;
    struct session session = {.opts = opts,
                              .words = TEXT_INIT,
                              .code = TEXT_INIT,
                              .caption = TEXT_INIT,
                              .place = TEXT_INIT,
                              .bench = {.title = language->title,
                                        .teaches = language->teaches,
                                        .file = opts->judging.path,
                                        .task = language->task,
                                        .after = language->after,
                                        .other = language->other,
                                        .other_solution = opts->exercise->other,
                                        .hints = language->hints,
                                        .hint_count = language->hint_count,
                                        .solution = opts->exercise->solution,
                                        .state = stat(opts->judging.path, &there) == 0
                                                     ? WORKBENCH_BUILDING
                                                     : WORKBENCH_NO_FILE,
                                        .verdict = ""}};
    append_absolute(&session.place, opts->judging.path);
    session.bench.place = session.place.data;
    const int status = run_screens(&session, err);
    *next = session.bench.state == WORKBENCH_PASSED ? session.next : (struct journey_step){0};
    *goes_on = session.goes_on;
    trace_close(session.made);
    verdict_release(&session.verdict);
    text_release(&session.words);
    text_release(&session.code);
    text_release(&session.caption);
    text_release(&session.place);
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
