/*
 * The list and the player, which take turns in one program so that the terminal is opened once.
 * Progress is stored at each question, since a terminal may be closed at any time.
 */
#include "session/screens/lesson_screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "lesson/progress.h"
#include "replay/details.h"
#include "session/follow.h"
#include "session/journey.h"
#include "session/live.h"
#include "teach/catalog.h"
#include "teach/player.h"
#include "teach/stage.h"
#include "trace/lines/lines.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one session: the list, and the lessons opened from it ---- */

struct lesson_session {
    const struct lesson_options *opts;
    struct progress progress;
    const struct lesson **lessons;
    size_t lesson_count;
    struct catalog catalog;
    bool has_catalog;
    struct player player;
    bool has_player;
    size_t kept_beat; /* the player's position when progress was last saved */
    enum player_state kept_state;
    struct course_recordings recordings;
    struct presentation presentation;
    struct classroom *classroom; /* NULL if no class answers */
    struct live live;            /* changes while a lesson is explored */
    struct text copied, kept;    /* a command, and the last saved file: printed on leaving */
    const char *practice;        /* an exercise of the open lesson, by its name; may be NULL */
    const char *practised;       /* that exercise if it was chosen; else NULL */
    struct screen_program list, play;
    struct screen_program *first; /* of the two */
    struct results_file results;
    bool has_results;
    struct error unwritten; /* the error in writing the results */
    struct error trouble;   /* the first error in saving the progress: reported once, at the end */
};

static void load_progress(struct lesson_session *session) {
    struct error err = ERROR_INIT;
    const char *path = session->opts->progress_path;
    progress_release(&session->progress);
    if (!path || !*path)
        return;
    if (progress_load(&session->progress, path, &err) != 0 && !session->trouble.text[0])
        session->trouble = err;
}

static void store_progress(struct lesson_session *session) {
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    struct error err = ERROR_INIT;
    const char *path = session->opts->progress_path;
    if (!path || !*path || session->opts->present)
        return; /* a presentation does not count as the presenter's progress */
    player_progress(&session->player, &progress, &questions);
    char *name = course_progress_name(session->player.lesson);
    progress.lesson = name;
    text_clear(&session->kept);
    if (progress_store(path, &progress, &err) == 0)
        text_append_format(
            &session->kept,
            progress.finished
                ? _("progress kept: all %u parts; to repeat missed questions: shflviz quiz")
                : _("progress kept: part %u of %u; to continue: shflviz lesson %s"),
            progress.finished ? progress.beats : progress.seen, progress.beats,
            *session->player.lesson->path ? session->player.lesson->path
                                          : session->player.lesson->name);
    else if (!session->trouble.text[0])
        session->trouble = err;
    text_release(&questions);
    free(name);
}

/* Ends the changes: only the lesson's own recording is left, if it is still open. */
static void end_changes(struct lesson_session *session) {
    if (session->live.begun && session->live.copied.length > 0) {
        text_clear(&session->copied);
        text_append(&session->copied, session->live.copied.data);
    }
    live_release(&session->live);
}

static void close_lesson(struct lesson_session *session) {
    struct error unwritten = ERROR_INIT;
    if (!session->has_player)
        return;
    store_progress(session);
    if (session->has_results && results_file_end(&session->results, &unwritten) != 0)
        session->unwritten = unwritten;
    session->has_results = false;
    end_changes(session);
    classroom_update(session->classroom, NULL);
    player_release(&session->player);
    course_release(&session->recordings);
    session->has_player = false;
}

/* Followers have the lesson's recordings, not the changed ones. */
static void publish_position(struct lesson_session *session) {
    if (session->live.begun)
        return;
    char position[PLAYER_POSITION_SIZE];
    presentation_position(&session->presentation, player_position(&session->player, position));
    classroom_update(session->classroom, &session->player);
}

static int unknown_beat(const struct lesson *lesson, const char *wanted, struct error *err) {
    struct text allowed = TEXT_INIT;
    for (size_t i = 0; i < lesson->beat_count; i++)
        text_append_format(&allowed, " %s", lesson->beats[i].id);
    error_set(err, ERROR_USAGE, _("--beat: '%s' is not a part of %s\nallowed: 1 to %zu, or%s"),
              wanted, lesson->name, lesson->beat_count, allowed.data);
    text_release(&allowed);
    return -1;
}

/* True if questions of the lesson are known to have been missed. */
static bool has_missed(const struct lesson_progress *known, const struct lesson *lesson) {
    for (size_t i = 0; i < lesson->beat_count; i++)
        if (progress_result(known, lesson->beats[i].id) == BEAT_REVEALED)
            return true;
    return false;
}

/* Goes to the requested beat, or to where the learner left an unfinished lesson, or to the end of
 * a finished one with missed questions. */
static int begin_lesson(struct lesson_session *session, const struct lesson *lesson,
                        struct error *err) {
    char *name = course_progress_name(lesson);
    const struct lesson_progress *known = progress_find(&session->progress, name);
    const bool asked = session->opts->beat && lesson == session->opts->lesson;
    const bool collected = session->opts->results.path && lesson == session->opts->lesson;
    const bool resumes = !asked && !collected && !session->opts->present && known &&
                         (!known->finished || has_missed(known, lesson));
    struct player *player = &session->player;
    size_t beat = 0;
    free(name);
    if (asked && !player_find_beat(lesson, session->opts->beat, &beat))
        return unknown_beat(lesson, session->opts->beat, err);
    if (player_init(player, lesson, session->recordings.traces, session->opts->language,
                    resumes ? known->beat : NULL, err) != 0)
        return -1;
    if (resumes)
        player_remember(player, known);
    player->presenting = session->opts->present;
    player_allow_changes(player);
    if (asked || session->opts->present)
        player_go(player, beat);
    return 0;
}

/* Offers the lesson's first exercise that has not been passed. In a lesson that was opened by
 * its name, as on the fast track, the next stop comes before the exercise. */
static void offer_practice(struct lesson_session *session, const struct lesson *lesson) {
    const struct journey journey = {session->progress};
    struct journey_step step;
    session->practice = NULL;
    if (!session->opts->practise || session->opts->present)
        return;
    if (session->opts->lesson && journey_stop_after(&journey, lesson, &step) && step.lesson) {
        session->player.next = step.lesson;
        session->player.next_first = true;
    }
    if (!journey_practice(&journey, lesson, &step))
        return;
    session->practice = step.name;
    session->player.practice = step.title;
}

static int begin_results(struct lesson_session *session, const struct lesson *lesson,
                         struct error *err) {
    const struct results_heading heading = {
        .of = "lesson", .name = lesson->name, .questions = lesson_questions(lesson)};
    if (!session->opts->results.path || lesson != session->opts->lesson)
        return 0;
    if (results_file_begin(&session->results, &session->opts->results, &heading, err) != 0) {
        player_release(&session->player);
        return -1;
    }
    session->has_results = true;
    session->player.kept = results_file_results(&session->results);
    return 0;
}

static int open_lesson(struct lesson_session *session, const struct lesson *lesson,
                       struct error *err) {
    if (course_record(lesson, session->opts->terms, &session->recordings, err) != 0)
        return -1;
    if (begin_lesson(session, lesson, err) != 0 || begin_results(session, lesson, err) != 0) {
        course_release(&session->recordings);
        return -1;
    }
    session->has_player = true;
    offer_practice(session, lesson);
    session->kept_beat = session->player.beat;
    session->kept_state = session->player.state;
    /* A follower may have a different current directory. */
    char *path = lesson->path[0] ? realpath(lesson->path, NULL) : NULL;
    presentation_lesson(&session->presentation, path ? path : lesson->name);
    free(path);
    publish_position(session);
    return 0;
}

/* ---- the class below a lesson or the list ---- */

/* The rows above the class's row, as a grid that shares their cells. A black screen stays black
 * down to its edge. */
static struct grid lesson_rows(const struct lesson_session *session, const struct grid *grid) {
    struct grid upper = *grid;
    const bool black = session->has_player && session->player.black;
    if (session->classroom && grid->rows > VIEW_MIN_ROWS && !black)
        upper.rows -= CLASSROOM_ROWS;
    return upper;
}

static void draw_class(const struct lesson_session *session, struct grid *grid,
                       const struct grid *upper) {
    grid->failed_to_fit = upper->failed_to_fit;
    if (classroom_covers(session->classroom) || upper->rows < grid->rows)
        classroom_draw(session->classroom, grid);
}

static long class_wait(const void *state) {
    return classroom_wait(((const struct lesson_session *)state)->classroom);
}

static bool class_tick(void *state, long milliseconds UNUSED) {
    return classroom_run(((struct lesson_session *)state)->classroom);
}

/* ---- the list as a screen's program ---- */

static struct press list_press(const void *state, const char *key) {
    const struct lesson_session *session = state;
    const struct press press = action_press(ACTION_MODE_LIST, key);
    return classroom_takes(session->classroom, press) ? press
                                                      : catalog_press(&session->catalog, key);
}

static bool list_key(void *state, struct press press) {
    struct lesson_session *session = state;
    return classroom_key(session->classroom, press) || catalog_key(&session->catalog, press);
}

static bool list_apply(void *state, enum action action, long argument) {
    struct lesson_session *session = state;
    return catalog_apply(&session->catalog, action, argument);
}

static void list_draw(const void *state, struct grid *grid) {
    const struct lesson_session *session = state;
    struct grid upper = lesson_rows(session, grid);
    if (!classroom_covers(session->classroom))
        view_draw_catalog(&upper, &session->catalog);
    draw_class(session, grid, &upper);
}

static bool list_done(const void *state) {
    const struct lesson_session *session = state;
    return session->catalog.chosen || session->catalog.quit;
}

static void make_catalog(struct lesson_session *session) {
    catalog_init(&session->catalog, session->lessons, session->lesson_count, &session->progress,
                 session->opts->language);
    session->has_catalog = true;
}

static struct screen_program *list_next(struct screen_program *self) {
    struct lesson_session *session = self->state;
    struct catalog *catalog = &session->catalog;
    struct error err = ERROR_INIT;
    if (catalog->quit)
        return NULL;
    catalog->chosen = false;
    if (open_lesson(session, catalog->entries[catalog->selected].lesson, &err) == 0)
        return &session->play;
    snprintf(catalog->message, sizeof(catalog->message), "%.*s", (int)strcspn(err.text, "\n"),
             err.text);
    return self;
}

/* ---- a lesson as a screen's program ---- */

/* Saves after every beat, so that a killed process loses at most one. */
static void keep_progress(struct lesson_session *session) {
    const struct player *player = &session->player;
    if (session->kept_beat == player->beat && session->kept_state == player->state)
        return;
    session->kept_beat = player->beat;
    session->kept_state = player->state;
    if (player->state != PLAYER_ASKING)
        store_progress(session);
}

static bool player_on_changed(struct lesson_session *session, bool changed) {
    if (changed) {
        publish_position(session);
        keep_progress(session);
        if (session->has_results)
            results_file_keep(&session->results, 0);
    }
    return changed;
}

/* Begins the changes with the command for the beat's picture, as the lesson writes it. */
static void begin_changes(struct lesson_session *session, const struct lesson_run *run) {
    struct request request;
    struct text line = TEXT_INIT;
    const struct program *program = device_program_find(run->kernel);
    const bool shuffle = program && launch_argument(program) != LAUNCH_OPTION_COUNT;
    text_append_format(&line, "%s%s %s", shuffle ? "" : "kernel ", run->kernel, run->launch);
    if (request_read(&request, line.data, DEVICE_CPU, NULL) == 0)
        live_begin(&session->live, &request.launch);
    request_release(&request);
    text_release(&line);
}

/* While a kernel is explored, its lines can be recorded: the key for that is the replay's. */
static bool tick_details(struct lesson_session *session) {
    struct player *player = &session->player;
    const struct lesson_run *run = player_changeable_run(player);
    bool remade;
    if (!player->exploring || !run || !replay_wants_details(&player->replay))
        return false;
    if (!session->live.begun)
        begin_changes(session, run);
    return session->live.begun && live_tick_details(&session->live, &player->replay, &remade);
}

/* Handles requests while the lesson is explored; returning to the lesson ends the changes. */
static bool follow_changes(struct lesson_session *session, bool changed) {
    struct player *player = &session->player;
    const struct lesson_run *run = player_changeable_run(player);
    bool remade;
    /* Lines can only be seen while exploring: the lesson's own recording has none. */
    if (!player->exploring && run && replay_view(&player->replay) == VIEW_VARIABLES &&
        !trace_has_lines(player->replay.cursor.trace))
        player_explore(player);
    if (!player->exploring) {
        end_changes(session);
        return changed;
    }
    if (!session->live.begun && run)
        live_allow_details(&player->replay);
    if (!session->live.begun && run && player->replay.live.ask.change != LIVE_NOTHING)
        begin_changes(session, run);
    if (session->live.begun && live_follow(&session->live, &player->replay, &remade)) {
        player_take_message(player);
        return true;
    }
    return changed;
}

static struct press player_on_press(const void *state, const char *key) {
    const struct lesson_session *session = state;
    const struct press press = action_press(player_key_mode(&session->player), key);
    return classroom_takes(session->classroom, press) ? (struct press){key, press.info, false}
           : session->live.choosing                   ? which_page_press(&session->live.page, key)
                                                      : player_press(&session->player, key);
}

static bool player_on_apply(void *state, enum action action, long argument) {
    struct lesson_session *session = state;
    struct player *player = &session->player;
    bool remade;
    if (session->live.choosing)
        return live_page_apply(&session->live, &player->replay, action, argument, &remade);
    return player_on_changed(session,
                             follow_changes(session, player_apply(player, action, argument)));
}

static bool player_on_key(void *state, struct press press) {
    struct lesson_session *session = state;
    if (classroom_key(session->classroom, press))
        return true;
    if (session->live.choosing)
        return player_on_apply(state, press.info->action, press.info->argument);
    return player_on_changed(session, follow_changes(session, player_key(&session->player, press)));
}

static const char *player_on_copy(void *state) {
    return live_take_copy(&((struct lesson_session *)state)->live);
}

static bool player_on_tick(void *state, long milliseconds) {
    struct lesson_session *session = state;
    const bool came = classroom_run(session->classroom) || tick_details(session);
    return player_on_changed(session, player_tick(&session->player, milliseconds)) || came;
}

static long player_on_wait(const void *state) {
    const struct lesson_session *session = state;
    const long player = player_wait(&session->player), class = class_wait(session);
    if (session->player.exploring && details_wait(&session->player.replay) == 0)
        return 0;
    return player < 0 || (class >= 0 && class < player) ? class : player;
}

static void player_on_draw(const void *state, struct grid *grid) {
    const struct lesson_session *session = state;
    struct grid upper = lesson_rows(session, grid);
    if (!classroom_covers(session->classroom) &&
        (!session->live.begun || !live_draw(&session->live, &session->player.replay, &upper)))
        view_draw_player(&upper, &session->player);
    draw_class(session, grid, &upper);
}

static bool player_on_done(const void *state) {
    const struct lesson_session *session = state;
    return session->player.quit;
}

static size_t player_on_descriptors(const void *state, int *descriptors, size_t most) {
    const struct lesson_session *session = state;
    const size_t class = classroom_descriptors(session->classroom, descriptors, most);
    return class +
           presentation_descriptors(&session->presentation, descriptors + class, most - class);
}

static bool player_on_ready(void *state) {
    struct lesson_session *session = state;
    presentation_ready(&session->presentation);
    return classroom_run(session->classroom);
}

/* Goes to the exercise or the lesson that follows, if that was chosen; else back to the list. */
static struct screen_program *player_on_next(struct screen_program *self) {
    struct lesson_session *session = self->state;
    const char *name = session->player.lesson->name;
    struct error err = ERROR_INIT;
    const struct lesson *next = session->player.wants_next ? session->player.next : NULL;
    session->practised = session->player.wants_practice ? session->practice : NULL;
    close_lesson(session);
    if (session->practised)
        return NULL;
    if (next) {
        load_progress(session);
        if (open_lesson(session, next, &err) == 0)
            return self;
    }
    if (!session->has_catalog)
        return NULL;
    catalog_release(&session->catalog);
    load_progress(session);
    make_catalog(session);
    catalog_select(&session->catalog, name);
    return &session->list;
}

/* ---- the session ---- */

static void leave_lesson(void *state) {
    close_lesson(state);
}

static void prepare(struct lesson_session *session, const struct lesson_options *opts) {
    *session = (struct lesson_session){
        .opts = opts, .presentation = {.listener = -1}, .copied = TEXT_INIT, .kept = TEXT_INIT};
    session->list = (struct screen_program){.state = session,
                                            .press = list_press,
                                            .key = list_key,
                                            .apply = list_apply,
                                            .tick = class_tick,
                                            .wait = class_wait,
                                            .draw = list_draw,
                                            .done = list_done,
                                            .descriptors = player_on_descriptors,
                                            .ready = player_on_ready,
                                            .next = list_next};
    session->play = (struct screen_program){.state = session,
                                            .press = player_on_press,
                                            .key = player_on_key,
                                            .apply = player_on_apply,
                                            .tick = player_on_tick,
                                            .wait = player_on_wait,
                                            .draw = player_on_draw,
                                            .done = player_on_done,
                                            .next = player_on_next,
                                            .descriptors = player_on_descriptors,
                                            .ready = player_on_ready,
                                            .copy = player_on_copy,
                                            .leave = leave_lesson,
                                            .goes_back = !opts->lesson};
    session->lesson_count = lesson_built_in_count();
    session->lessons = memory_zeroed(session->lesson_count + 1, sizeof(session->lessons[0]));
    for (size_t i = 0; i < session->lesson_count; i++)
        session->lessons[i] = lesson_built_in(i);
    load_progress(session);
}

static void release_session(struct lesson_session *session) {
    struct error uncollected = ERROR_INIT;
    close_lesson(session);
    if (classroom_close(session->classroom, &uncollected) != 0 && !session->unwritten.text[0])
        session->unwritten = uncollected;
    presentation_close(&session->presentation);
    if (session->has_catalog)
        catalog_release(&session->catalog);
    progress_release(&session->progress);
    free(session->lessons);
}

static int begin(struct lesson_session *session, struct screen_program **program,
                 struct error *err) {
    struct error refused = ERROR_INIT;
    if (session->opts->present && presentation_open(&session->presentation, &refused) != 0)
        fprintf(stderr, "shflviz: %s\n", utf8_name(refused.text));
    if (session->opts->classroom.serve &&
        classroom_open(&session->classroom, &session->opts->classroom, err) != 0)
        return -1;
    if (session->opts->lesson) {
        *program = &session->play;
        return open_lesson(session, session->opts->lesson, err);
    }
    make_catalog(session);
    *program = &session->list;
    return 0;
}

struct lesson_session *lesson_session_open(const struct lesson_options *opts, struct error *err) {
    struct lesson_session *session = memory_zeroed(1, sizeof *session);
    prepare(session, opts);
    if (begin(session, &session->first, err) == 0)
        return session;
    release_session(session);
    free(session);
    return NULL;
}

struct screen_program *lesson_program(struct lesson_session *session) {
    return session->first;
}

struct player *lesson_player(struct lesson_session *session) {
    return session->has_player ? &session->player : NULL;
}

struct screen_program *lesson_choose(struct lesson_session *session, const struct lesson *lesson,
                                     struct error *err) {
    close_lesson(session);
    load_progress(session);
    return open_lesson(session, lesson, err) == 0 ? &session->play : NULL;
}

int lesson_follow(struct lesson_session *session, const char *position, struct error *err) {
    struct player *player = &session->player;
    if (player_follow(player, position, err) != 0)
        return -1;
    player->playing = player->goto_open = false;
    end_changes(session); /* the lesson's own picture is back */
    return 0;
}

/* Reports what had to wait until the terminal was restored. */
static int report(const struct lesson_session *session, struct error *err) {
    if (session->copied.length > 0)
        puts(session->copied.data);
    if (session->kept.length > 0 && session->opts->lesson)
        puts(session->kept.data);
    if (session->unwritten.kind != ERROR_NONE)
        *err = session->unwritten;
    else if (session->trouble.kind != ERROR_NONE)
        *err = session->trouble;
    else
        return 0;
    return -1;
}

int lesson_session_close(struct lesson_session *session, struct error *err) {
    release_session(session);
    const int status = report(session, err);
    text_release(&session->copied);
    text_release(&session->kept);
    free(session);
    return status;
}

/* Runs one session; *practised is the exercise for which it was left, or NULL; *listed is set if
 * there is a list to return to. */
static int run_once(const struct lesson_options *opts, const char **practised, bool *listed,
                    struct error *err) {
    struct lesson_session *session = lesson_session_open(opts, err);
    struct error unsaved = ERROR_INIT;
    if (!session)
        return -1;
    int status = screen_run(session->first, &opts->screen, err);
    *practised = session->practised;
    *listed = session->has_catalog;
    if (lesson_session_close(session, &unsaved) != 0 && status == 0) {
        *err = unsaved;
        status = -1;
    }
    return status;
}

int lesson_screen_run(const struct lesson_options *opts, struct error *err) {
    struct lesson_options now = *opts;
    for (;;) {
        const char *practised = NULL;
        bool listed = false;
        int status = run_once(&now, &practised, &listed, err);
        if (status == 0 && practised)
            status = opts->practise(practised, err);
        if (status != 0 || !practised || !listed)
            return status;
        now.lesson = NULL;
    }
}
