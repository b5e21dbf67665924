/*
 * A screen whose content comes through a socket. It plays the same lesson by itself and only
 * follows the position, so that little is sent and the two cannot differ for long.
 */
#include "session/notes.h"

#include "base/message.h"
#include "base/unused.h"
#include "launch/course.h"
#include "session/follow.h"
#include "teach/player.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a follower waits for the presentation to name its lesson. */
#define PRESENTATION_MILLISECONDS 2000

struct notes {
    struct follower follower;
    const char *language;
    const struct course_terms *terms; /* the presenter's consent does not apply here */
    const struct lesson *lesson;
    struct lesson *opened; /* the same, if it came from a file: to be freed */
    struct course_recordings recordings;
    struct player player;
    bool has_player;
    long elapsed; /* milliseconds since the notes were opened */
    bool over, quit;
    char message[160];
};

static void notes_release(struct notes *notes) {
    if (notes->has_player)
        player_release(&notes->player);
    course_release(&notes->recordings);
    lesson_free(notes->opened);
    notes->opened = NULL;
    notes->has_player = false;
}

/* Opens the lesson of the other terminal. */
static int notes_open(struct notes *notes, const char *name, struct error *err) {
    notes_release(notes);
    notes->lesson = lesson_built_in_find(name);
    if (!notes->lesson) {
        if (lesson_open(&notes->opened, name, err) != 0)
            return -1;
        notes->lesson = notes->opened;
    }
    if (course_record(notes->lesson, notes->terms, &notes->recordings, err) != 0)
        return -1;
    if (player_init(&notes->player, notes->lesson, notes->recordings.traces, notes->language, NULL,
                    err) != 0)
        return -1;
    notes->has_player = true;
    return 0;
}

static void notes_line(struct notes *notes, const char *line) {
    struct error err = ERROR_INIT;
    const char *lesson = follower_lesson(line), *position = follower_position(line);
    /* The reason why a lesson could not be opened stays on the screen while positions arrive. */
    if (!lesson && !(position && notes->has_player))
        return;
    notes->message[0] = '\0';
    int status =
        lesson ? notes_open(notes, lesson, &err) : player_follow(&notes->player, position, &err);
    if (status != 0)
        snprintf(notes->message, sizeof(notes->message), "%.*s", (int)strcspn(err.text, "\n"),
                 err.text);
}

static struct press notes_press(const void *state UNUSED, const char *key) {
    return action_press(ACTION_MODE_NOTES, key);
}

static bool notes_key(void *state, struct press press) {
    struct notes *notes = state;
    const enum action action = press.info->action;
    if (action == ACTION_QUIT)
        notes->quit = true;
    else if (action == ACTION_SCROLL_DOWN)
        notes->player.scroll++;
    else if (action == ACTION_SCROLL_UP && notes->player.scroll > 0)
        notes->player.scroll--;
    return action != ACTION_NONE;
}

static bool notes_apply(void *state UNUSED, enum action action UNUSED, long argument UNUSED) {
    return false;
}

/* The clock on the screen advances by seconds. */
static bool notes_tick(void *state, long milliseconds) {
    struct notes *notes = state;
    const long before = notes->elapsed / 1000;
    notes->elapsed += milliseconds;
    return notes->elapsed / 1000 != before;
}

static long notes_wait(const void *state) {
    const struct notes *notes = state;
    return 1000 - notes->elapsed % 1000;
}

static void notes_draw(const void *state, struct grid *grid) {
    const struct notes *notes = state;
    if (notes->has_player && !notes->message[0])
        view_draw_notes(grid, &notes->player, notes->elapsed);
    else
        area_text_wrapped(grid_area(grid), 0, 0,
                          notes->message[0]
                              ? notes->message
                              : _("waiting for the presentation to send its position"),
                          (struct style){STYLE_PLAIN, 0, 0});
}

static bool notes_done(const void *state) {
    const struct notes *notes = state;
    return notes->quit || notes->over;
}

static size_t notes_descriptors(const void *state, int *descriptors, size_t most) {
    const struct notes *notes = state;
    if (notes->follower.descriptor < 0 || most < 1)
        return 0;
    descriptors[0] = notes->follower.descriptor;
    return 1;
}

/* Processes the lines that have arrived. Only the last of each kind counts. */
static void notes_take(struct notes *notes) {
    char *line, *lesson = NULL, *position = NULL, *other = NULL;
    while ((line = follower_line(&notes->follower))) {
        char **kept = follower_lesson(line)     ? &lesson
                      : follower_position(line) ? &position
                                                : &other;
        if (kept == &lesson) {
            free(position);
            position = NULL;
        }
        free(*kept);
        *kept = line;
    }
    if (lesson)
        notes_line(notes, lesson);
    if (position)
        notes_line(notes, position);
    free(lesson);
    free(position);
    free(other);
}

static bool notes_ready(void *state) {
    struct notes *notes = state;
    notes->over = !follower_ready(&notes->follower);
    notes_take(notes);
    return true;
}

int notes_run(const char *language, const struct course_terms *terms,
              const struct screen_options *screen, struct error *err) {
    struct notes notes = {
        .language = language,
        .terms = terms->consent == COURSE_AGREED ? terms : NULL,
    };
    struct screen_program program = {.state = &notes,
                                     .press = notes_press,
                                     .key = notes_key,
                                     .apply = notes_apply,
                                     .tick = notes_tick,
                                     .wait = notes_wait,
                                     .draw = notes_draw,
                                     .done = notes_done,
                                     .descriptors = notes_descriptors,
                                     .ready = notes_ready};
    if (follower_join(&notes.follower, err) != 0)
        return -1;
    char *line = follower_await_line(&notes.follower, PRESENTATION_MILLISECONDS);
    if (line)
        notes_line(&notes, line);
    free(line);
    notes_take(&notes); /* handle what arrived with it: the next line may take a long time */
    int status = screen_run(&program, screen, err);
    if (notes.over)
        fputs(_("shflviz: the presentation is over\n"), stderr);
    notes_release(&notes);
    follower_leave(&notes.follower);
    return status;
}
