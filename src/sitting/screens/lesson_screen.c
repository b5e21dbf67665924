#include "sitting/screens/lesson_screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "lesson/progress.h"
#include "sitting/follow.h"
#include "sitting/journey.h"
#include "sitting/live.h"
#include "teach/catalog.h"
#include "teach/player.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one sitting: the list, and the lessons opened from it ---- */

struct lesson_sitting {
    const struct lesson_wish *wish;
    struct progress progress;
    const struct lesson **lessons;
    size_t lesson_count;
    struct catalog catalog;
    bool has_catalog;
    struct player player;
    bool has_player;
    size_t kept_beat; /* where the player was when its progress was last saved */
    enum player_state kept_state;
    struct course_recordings recordings;
    struct presentation presentation;
    struct classroom *classroom; /* NULL: no class answers */
    struct live live;            /* what is changed while a lesson is explored */
    struct text copied, kept;    /* a command, and what was saved last: printed on leaving */
    const char *practice;        /* an exercise of the open lesson, by its name; NULL: none */
    const char *practised;       /* it is wanted */
    struct screen_program list, play;
    struct screen_program *first; /* of the two */
    struct results_file results;
    bool has_results;
    struct error unwritten; /* results */
    struct error trouble;   /* in saving the progress: reported once, at the end */
};

static void load_progress(struct lesson_sitting *sitting) {
    struct error err = ERROR_INIT;
    const char *path = sitting->wish->progress_path;
    progress_release(&sitting->progress);
    if (!path || !*path)
        return;
    if (progress_load(&sitting->progress, path, &err) != 0 && !sitting->trouble.text[0])
        sitting->trouble = err;
}

static void store_progress(struct lesson_sitting *sitting) {
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    struct error err = ERROR_INIT;
    const char *path = sitting->wish->progress_path;
    if (!path || !*path || sitting->wish->present)
        return; /* a presentation is not the presenter's progress */
    player_progress(&sitting->player, &progress, &questions);
    char *name = course_progress_name(sitting->player.lesson);
    progress.lesson = name;
    text_clear(&sitting->kept);
    if (progress_store(path, &progress, &err) == 0)
        text_append_format(&sitting->kept,
                           progress.finished
                               ? _("kept: all %u parts; what was missed: shflviz quiz")
                               : _("kept: part %u of %u; go on with: shflviz lesson %s"),
                           progress.finished ? progress.beats : progress.seen, progress.beats,
                           *sitting->player.lesson->path ? sitting->player.lesson->path
                                                         : sitting->player.lesson->name);
    else if (!sitting->trouble.text[0])
        sitting->trouble = err;
    text_release(&questions);
    free(name);
}

/* The lesson's own recording is shown again, or nothing of it. */
static void end_changes(struct lesson_sitting *sitting) {
    if (sitting->live.begun && sitting->live.copied.length > 0) {
        text_clear(&sitting->copied);
        text_append(&sitting->copied, sitting->live.copied.data);
    }
    live_release(&sitting->live);
}

static void close_lesson(struct lesson_sitting *sitting) {
    struct error unwritten = ERROR_INIT;
    if (!sitting->has_player)
        return;
    store_progress(sitting);
    if (sitting->has_results && results_file_end(&sitting->results, &unwritten) != 0)
        sitting->unwritten = unwritten;
    sitting->has_results = false;
    end_changes(sitting);
    classroom_tell(sitting->classroom, NULL);
    player_release(&sitting->player);
    course_release(&sitting->recordings);
    sitting->has_player = false;
}

/* Those who follow have the lesson's recordings, not what has become of them. */
static void tell_position(struct lesson_sitting *sitting) {
    if (sitting->live.begun)
        return;
    char position[PLAYER_POSITION_SIZE];
    presentation_position(&sitting->presentation, player_position(&sitting->player, position));
    classroom_tell(sitting->classroom, &sitting->player);
}

static int unknown_beat(const struct lesson *lesson, const char *wanted, struct error *err) {
    struct text allowed = TEXT_INIT;
    for (size_t i = 0; i < lesson->beat_count; i++)
        text_append_format(&allowed, " %s", lesson->beats[i].id);
    error_set(err, ERROR_USAGE, _("--beat: '%s' is not a beat of %s\nallowed: 1 to %zu, or%s"),
              wanted, lesson->name, lesson->beat_count, allowed.data);
    text_release(&allowed);
    return -1;
}

/* Whether questions of the lesson are known to have been missed. */
static bool has_missed(const struct lesson_progress *known, const struct lesson *lesson) {
    for (size_t i = 0; i < lesson->beat_count; i++)
        if (progress_noted(known, lesson->beats[i].id) == BEAT_REVEALED)
            return true;
    return false;
}

/* Goes to the beat asked for, or to where the learner left an unfinished lesson, or to the end of
 * a finished one of which questions were missed. */
static int begin_lesson(struct lesson_sitting *sitting, const struct lesson *lesson,
                        struct error *err) {
    char *name = course_progress_name(lesson);
    const struct lesson_progress *known = progress_find(&sitting->progress, name);
    const bool asked = sitting->wish->beat && lesson == sitting->wish->lesson;
    const bool collected = sitting->wish->results.path && lesson == sitting->wish->lesson;
    const bool resumes = !asked && !collected && !sitting->wish->present && known &&
                         (!known->finished || has_missed(known, lesson));
    struct player *player = &sitting->player;
    size_t beat = 0;
    free(name);
    if (asked && !player_find_beat(lesson, sitting->wish->beat, &beat))
        return unknown_beat(lesson, sitting->wish->beat, err);
    if (player_init(player, lesson, sitting->recordings.traces, sitting->wish->language,
                    resumes ? known->beat : NULL, err) != 0)
        return -1;
    if (resumes)
        player_remember(player, known);
    player->presenting = sitting->wish->present;
    player_allow_changes(player);
    if (asked || sitting->wish->present)
        player_go(player, beat);
    return 0;
}

/* Offers the first exercise of the lesson that has not passed. */
static void offer_practice(struct lesson_sitting *sitting, const struct lesson *lesson) {
    const struct journey journey = {sitting->progress};
    struct journey_step step;
    sitting->practice = NULL;
    if (!sitting->wish->practise || sitting->wish->present ||
        !journey_practice(&journey, lesson, &step))
        return;
    sitting->practice = step.name;
    sitting->player.practice = step.title;
}

static int begin_results(struct lesson_sitting *sitting, const struct lesson *lesson,
                         struct error *err) {
    const struct results_heading heading = {
        .of = "lesson", .name = lesson->name, .questions = lesson_questions(lesson)};
    if (!sitting->wish->results.path || lesson != sitting->wish->lesson)
        return 0;
    if (results_file_begin(&sitting->results, &sitting->wish->results, &heading, err) != 0) {
        player_release(&sitting->player);
        return -1;
    }
    sitting->has_results = true;
    sitting->player.kept = results_file_results(&sitting->results);
    return 0;
}

static int open_lesson(struct lesson_sitting *sitting, const struct lesson *lesson,
                       struct error *err) {
    if (course_record(lesson, sitting->wish->terms, &sitting->recordings, err) != 0)
        return -1;
    if (begin_lesson(sitting, lesson, err) != 0 || begin_results(sitting, lesson, err) != 0) {
        course_release(&sitting->recordings);
        return -1;
    }
    sitting->has_player = true;
    offer_practice(sitting, lesson);
    sitting->kept_beat = sitting->player.beat;
    sitting->kept_state = sitting->player.state;
    /* A follower may have another current directory. */
    char *path = lesson->path[0] ? realpath(lesson->path, NULL) : NULL;
    presentation_lesson(&sitting->presentation, path ? path : lesson->name);
    free(path);
    tell_position(sitting);
    return 0;
}

/* ---- the class below either ---- */

/* The rows above that of the class, as a grid of their own; it has the same cells. A black screen
 * is black to its edge. */
static struct grid lesson_rows(const struct lesson_sitting *sitting, const struct grid *grid) {
    struct grid upper = *grid;
    const bool black = sitting->has_player && sitting->player.black;
    if (sitting->classroom && grid->rows > VIEW_MIN_ROWS && !black)
        upper.rows -= CLASSROOM_ROWS;
    return upper;
}

static void draw_class(const struct lesson_sitting *sitting, struct grid *grid,
                       const struct grid *upper) {
    grid->failed_to_fit = upper->failed_to_fit;
    if (classroom_covers(sitting->classroom) || upper->rows < grid->rows)
        classroom_draw(sitting->classroom, grid);
}

static long class_wait(const void *state) {
    return classroom_wait(((const struct lesson_sitting *)state)->classroom);
}

static bool class_tick(void *state, long milliseconds UNUSED) {
    return classroom_run(((struct lesson_sitting *)state)->classroom);
}

/* ---- the list as a screen's program ---- */

static struct press list_press(const void *state, const char *key) {
    const struct lesson_sitting *sitting = state;
    const struct press press = action_press(ACTION_PLACE_LIST, key);
    return classroom_takes(sitting->classroom, press) ? press
                                                      : catalog_press(&sitting->catalog, key);
}

static bool list_key(void *state, struct press press) {
    struct lesson_sitting *sitting = state;
    return classroom_key(sitting->classroom, press) || catalog_key(&sitting->catalog, press);
}

static bool list_apply(void *state, enum action action, long argument) {
    struct lesson_sitting *sitting = state;
    return catalog_apply(&sitting->catalog, action, argument);
}

static void list_draw(const void *state, struct grid *grid) {
    const struct lesson_sitting *sitting = state;
    struct grid upper = lesson_rows(sitting, grid);
    if (!classroom_covers(sitting->classroom))
        view_draw_catalog(&upper, &sitting->catalog);
    draw_class(sitting, grid, &upper);
}

static bool list_done(const void *state) {
    const struct lesson_sitting *sitting = state;
    return sitting->catalog.chosen || sitting->catalog.quit;
}

static void make_catalog(struct lesson_sitting *sitting) {
    catalog_init(&sitting->catalog, sitting->lessons, sitting->lesson_count, &sitting->progress,
                 sitting->wish->language);
    sitting->has_catalog = true;
}

static struct screen_program *list_next(struct screen_program *self) {
    struct lesson_sitting *sitting = self->state;
    struct catalog *catalog = &sitting->catalog;
    struct error err = ERROR_INIT;
    if (catalog->quit)
        return NULL;
    catalog->chosen = false;
    if (open_lesson(sitting, catalog->entries[catalog->selected].lesson, &err) == 0)
        return &sitting->play;
    snprintf(catalog->message, sizeof(catalog->message), "%.*s", (int)strcspn(err.text, "\n"),
             err.text);
    return self;
}

/* ---- a lesson as a screen's program ---- */

/* Saves after every beat, so that being killed loses at most one. */
static void keep_progress(struct lesson_sitting *sitting) {
    const struct player *player = &sitting->player;
    if (sitting->kept_beat == player->beat && sitting->kept_state == player->state)
        return;
    sitting->kept_beat = player->beat;
    sitting->kept_state = player->state;
    if (player->state != PLAYER_ASKING)
        store_progress(sitting);
}

static bool player_on_changed(struct lesson_sitting *sitting, bool changed) {
    if (changed) {
        tell_position(sitting);
        keep_progress(sitting);
        if (sitting->has_results)
            results_file_keep(&sitting->results, 0);
    }
    return changed;
}

/* The command of what the beat shows, as its lesson asks for it. */
static void begin_changes(struct lesson_sitting *sitting, const struct lesson_run *run) {
    struct request request;
    struct text line = TEXT_INIT;
    const struct program *program = device_program_find(run->kernel);
    const bool shuffle = program && launch_argument(program) != LAUNCH_OPTION_COUNT;
    text_append_format(&line, "%s%s %s", shuffle ? "" : "kernel ", run->kernel, run->launch);
    if (request_read(&request, line.data, DEVICE_CPU, NULL) == 0)
        live_begin(&sitting->live, &request.launch);
    request_release(&request);
    text_release(&line);
}

/* What was asked for while the lesson is explored; coming back to it ends the changes. */
static bool follow_changes(struct lesson_sitting *sitting, bool changed) {
    struct player *player = &sitting->player;
    const struct lesson_run *run = player_changeable(player);
    bool remade;
    if (!player->exploring) {
        end_changes(sitting);
        return changed;
    }
    if (!sitting->live.begun && run && player->replay.live.ask.change != LIVE_NOTHING)
        begin_changes(sitting, run);
    if (sitting->live.begun && live_follow(&sitting->live, &player->replay, &remade)) {
        player_take_message(player);
        return true;
    }
    return changed;
}

static struct press player_on_press(const void *state, const char *key) {
    const struct lesson_sitting *sitting = state;
    const struct press press = action_press(player_place(&sitting->player), key);
    return classroom_takes(sitting->classroom, press) ? (struct press){key, press.info, false}
           : sitting->live.choosing                   ? which_page_press(&sitting->live.page, key)
                                                      : player_press(&sitting->player, key);
}

static bool player_on_apply(void *state, enum action action, long argument) {
    struct lesson_sitting *sitting = state;
    struct player *player = &sitting->player;
    bool remade;
    if (sitting->live.choosing)
        return live_page_apply(&sitting->live, &player->replay, action, argument, &remade);
    return player_on_changed(sitting,
                             follow_changes(sitting, player_apply(player, action, argument)));
}

static bool player_on_key(void *state, struct press press) {
    struct lesson_sitting *sitting = state;
    if (classroom_key(sitting->classroom, press))
        return true;
    if (sitting->live.choosing)
        return player_on_apply(state, press.info->action, press.info->argument);
    return player_on_changed(sitting, follow_changes(sitting, player_key(&sitting->player, press)));
}

static const char *player_on_copy(void *state) {
    return live_take_copy(&((struct lesson_sitting *)state)->live);
}

static bool player_on_tick(void *state, long milliseconds) {
    struct lesson_sitting *sitting = state;
    const bool came = classroom_run(sitting->classroom);
    return player_on_changed(sitting, player_tick(&sitting->player, milliseconds)) || came;
}

static long player_on_wait(const void *state) {
    const struct lesson_sitting *sitting = state;
    const long player = player_wait(&sitting->player), class = class_wait(sitting);
    return player < 0 || (class >= 0 && class < player) ? class : player;
}

static void player_on_draw(const void *state, struct grid *grid) {
    const struct lesson_sitting *sitting = state;
    struct grid upper = lesson_rows(sitting, grid);
    if (!classroom_covers(sitting->classroom) &&
        (!sitting->live.begun || !live_draw(&sitting->live, &sitting->player.replay, &upper)))
        view_draw_player(&upper, &sitting->player);
    draw_class(sitting, grid, &upper);
}

static bool player_on_done(const void *state) {
    const struct lesson_sitting *sitting = state;
    return sitting->player.quit;
}

static size_t player_on_descriptors(const void *state, int *descriptors, size_t most) {
    const struct lesson_sitting *sitting = state;
    const size_t class = classroom_descriptors(sitting->classroom, descriptors, most);
    return class +
           presentation_descriptors(&sitting->presentation, descriptors + class, most - class);
}

static bool player_on_ready(void *state) {
    struct lesson_sitting *sitting = state;
    presentation_ready(&sitting->presentation);
    return classroom_run(sitting->classroom);
}

/* Back to the list that the lesson was opened from, with its progress. */
static struct screen_program *player_on_next(struct screen_program *self) {
    struct lesson_sitting *sitting = self->state;
    const char *name = sitting->player.lesson->name;
    struct error err = ERROR_INIT;
    const struct lesson *next =
        sitting->player.wants_next ? lesson_built_in_after(sitting->player.lesson) : NULL;
    sitting->practised = sitting->player.wants_practice ? sitting->practice : NULL;
    close_lesson(sitting);
    if (sitting->practised)
        return NULL;
    if (next) {
        load_progress(sitting);
        if (open_lesson(sitting, next, &err) == 0)
            return self;
    }
    if (!sitting->has_catalog)
        return NULL;
    catalog_release(&sitting->catalog);
    load_progress(sitting);
    make_catalog(sitting);
    catalog_select(&sitting->catalog, name);
    return &sitting->list;
}

/* ---- the sitting ---- */

static void close_lesson_left(void *state) {
    close_lesson(state);
}

static void prepare(struct lesson_sitting *sitting, const struct lesson_wish *wish) {
    *sitting = (struct lesson_sitting){
        .wish = wish, .presentation = {.listener = -1}, .copied = TEXT_INIT, .kept = TEXT_INIT};
    sitting->list = (struct screen_program){.state = sitting,
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
    sitting->play = (struct screen_program){.state = sitting,
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
                                            .leave = close_lesson_left};
    sitting->lesson_count = lesson_built_in_count();
    sitting->lessons = memory_zeroed(sitting->lesson_count + 1, sizeof(sitting->lessons[0]));
    for (size_t i = 0; i < sitting->lesson_count; i++)
        sitting->lessons[i] = lesson_built_in(i);
    load_progress(sitting);
}

static void put_away(struct lesson_sitting *sitting) {
    struct error uncollected = ERROR_INIT;
    close_lesson(sitting);
    if (classroom_close(sitting->classroom, &uncollected) != 0 && !sitting->unwritten.text[0])
        sitting->unwritten = uncollected;
    presentation_close(&sitting->presentation);
    if (sitting->has_catalog)
        catalog_release(&sitting->catalog);
    progress_release(&sitting->progress);
    free(sitting->lessons);
}

static int begin(struct lesson_sitting *sitting, struct screen_program **program,
                 struct error *err) {
    struct error refused = ERROR_INIT;
    if (sitting->wish->present && presentation_open(&sitting->presentation, &refused) != 0)
        fprintf(stderr, "shflviz: %s\n", utf8_name(refused.text));
    if (sitting->wish->classroom.serve &&
        classroom_open(&sitting->classroom, &sitting->wish->classroom, err) != 0)
        return -1;
    if (sitting->wish->lesson) {
        *program = &sitting->play;
        return open_lesson(sitting, sitting->wish->lesson, err);
    }
    make_catalog(sitting);
    *program = &sitting->list;
    return 0;
}

struct lesson_sitting *lesson_sit_down(const struct lesson_wish *wish, struct error *err) {
    struct lesson_sitting *sitting = memory_zeroed(1, sizeof *sitting);
    prepare(sitting, wish);
    if (begin(sitting, &sitting->first, err) == 0)
        return sitting;
    put_away(sitting);
    free(sitting);
    return NULL;
}

struct screen_program *lesson_program(struct lesson_sitting *sitting) {
    return sitting->first;
}

struct player *lesson_player(struct lesson_sitting *sitting) {
    return sitting->has_player ? &sitting->player : NULL;
}

struct screen_program *lesson_choose(struct lesson_sitting *sitting, const struct lesson *lesson,
                                     struct error *err) {
    close_lesson(sitting);
    load_progress(sitting);
    return open_lesson(sitting, lesson, err) == 0 ? &sitting->play : NULL;
}

int lesson_follow(struct lesson_sitting *sitting, const char *position, struct error *err) {
    struct player *player = &sitting->player;
    if (player_follow(player, position, err) != 0)
        return -1;
    player->playing = player->goto_open = false;
    end_changes(sitting); /* the picture is the lesson's again */
    return 0;
}

/* What cannot be said before the terminal is given back. */
static int report(const struct lesson_sitting *sitting, struct error *err) {
    if (sitting->copied.length > 0)
        puts(sitting->copied.data);
    if (sitting->kept.length > 0 && sitting->wish->lesson)
        puts(sitting->kept.data);
    if (sitting->trouble.text[0])
        fprintf(stderr, _("shflviz: your progress could not be saved: %s\n"),
                sitting->trouble.text);
    if (sitting->unwritten.kind != ERROR_NONE) {
        *err = sitting->unwritten;
        return -1;
    }
    return 0;
}

int lesson_stand_up(struct lesson_sitting *sitting, struct error *err) {
    put_away(sitting);
    const int status = report(sitting, err);
    text_release(&sitting->copied);
    text_release(&sitting->kept);
    free(sitting);
    return status;
}

/* One sitting; *practised is the exercise that it was left for, or NULL, and *listed whether there
 * is a list to come back to. */
static int run_once(const struct lesson_wish *wish, const char **practised, bool *listed,
                    struct error *err) {
    struct lesson_sitting *sitting = lesson_sit_down(wish, err);
    struct error unsaved = ERROR_INIT;
    if (!sitting)
        return -1;
    int status = screen_run(sitting->first, &wish->screen, err);
    *practised = sitting->practised;
    *listed = sitting->has_catalog;
    if (lesson_stand_up(sitting, &unsaved) != 0 && status == 0) {
        *err = unsaved;
        status = -1;
    }
    return status;
}

int lesson_screen_run(const struct lesson_wish *wish, struct error *err) {
    struct lesson_wish now = *wish;
    for (;;) {
        const char *practised = NULL;
        bool listed = false;
        int status = run_once(&now, &practised, &listed, err);
        if (status == 0 && practised)
            status = wish->practise(practised, err);
        if (status != 0 || !practised || !listed)
            return status;
        now.lesson = NULL;
    }
}
