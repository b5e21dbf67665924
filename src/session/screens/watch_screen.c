/*
 * Polls the lesson's files, since no notification of changes works on every system. After a change
 * all of them are read again: a lesson is small.
 */
#include "session/screens/watch_screen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "session/lesson_check.h"
#include "teach/player.h"
#include "view/view.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOOK_MILLISECONDS 200 /* between two checks of the files */

struct watched {
    const struct watch_options *opts;
    struct course_terms terms;
    char *folder;                  /* the path of the lesson's files */
    uint64_t seen;                 /* their state when they were last read */
    struct lesson_checked checked; /* the lesson being played, if it has a player */
    struct player player;
    bool has_player;
    struct text faults; /* the faults, one per line, with continuation lines */
    size_t fault_count;
    bool cannot_play; /* the faults are shown instead of the lesson */
    int scroll;
    bool quit;
};

/* ---- the files ---- */

static bool is_of_interest(const char *name) {
    static const char *const ends[] = {".md", ".cu", ".cuh", ".h", ".svt"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(name, ends[i]) != 0 && string_ends_with(name, ends[i]))
            return true;
    return false;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
    for (const unsigned char *byte = bytes; count-- > 0; byte++)
        hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
    return hash;
}

/* A number that changes when a file of the folder is saved; the files' order does not matter. */
static uint64_t hash_files(const struct watched *watched) {
    DIR *folder = opendir(watched->folder);
    uint64_t all = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        struct text path = TEXT_INIT;
        text_append_format(&path, "%s/%s", watched->folder, entry->d_name);
        if (is_of_interest(entry->d_name) && stat(path.data, &status) == 0) {
            uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), entry->d_name, strlen(entry->d_name));
            hash = mix(hash, &status.st_ino, sizeof status.st_ino);
            hash = mix(hash, &status.st_size, sizeof status.st_size);
            all += mix(hash, &status.FILE_MODIFIED, sizeof status.FILE_MODIFIED);
        }
        text_release(&path);
    }
    if (folder)
        closedir(folder);
    return all;
}

static char *folder_of(const char *path) {
    struct stat status;
    const bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return is_folder ? memory_string(path) : file_folder(path);
}

/* ---- reading ---- */

static void take_fault(void *context, const char *text) {
    struct watched *watched = context;
    text_append_format(&watched->faults, "%s%s", watched->fault_count++ ? "\n" : "", text);
}

static void close_player(struct watched *watched) {
    if (watched->has_player) {
        player_release(&watched->player);
        lesson_checked_release(&watched->checked);
    }
    watched->has_player = false;
}

/* The beat at which the player was in the old lesson: by its id, or else by its index. */
static size_t matching_beat(const struct watched *watched, const struct lesson *lesson) {
    size_t beat = 0;
    if (!watched->has_player) {
        if (watched->opts->beat && !player_find_beat(lesson, watched->opts->beat, &beat))
            beat = 0;
        return beat;
    }
    const struct player *player = &watched->player;
    const struct lesson_beat *same =
        lesson_beat_named(lesson, player->lesson->beats[player->beat].id);
    if (same)
        return (size_t)(same - lesson->beats);
    return player->beat < lesson->beat_count ? player->beat : lesson->beat_count - 1;
}

/* Takes over the lesson; false if it cannot be played, which is then one of the faults. */
static bool begin(struct watched *watched, const struct lesson_checked *checked) {
    struct error err = ERROR_INIT;
    struct player player;
    if (!checked->playable)
        return false;
    const size_t beat = matching_beat(watched, checked->lesson);
    if (player_init(&player, checked->lesson, checked->recordings.traces, watched->opts->language,
                    NULL, &err) != 0) {
        if (watched->fault_count == 0)
            take_fault(watched, err.text);
        return false;
    }
    close_player(watched);
    watched->checked = *checked;
    memcpy(&watched->player, &player, sizeof player);
    watched->has_player = true;
    player_go(&watched->player, beat);
    return true;
}

static void reload(struct watched *watched) {
    struct lesson_checked checked;
    watched->seen = hash_files(watched);
    text_clear(&watched->faults);
    watched->fault_count = 0;
    watched->scroll = 0;
    lesson_check(&checked, NULL, watched->opts->path, &watched->terms, take_fault, watched);
    watched->cannot_play = !begin(watched, &checked);
    if (watched->cannot_play)
        lesson_checked_release(&checked);
    watched->terms.consent = COURSE_AGREED; /* the author has been asked */
}

/* ---- the screen ---- */

static bool shows_faults(const struct watched *watched) {
    return watched->cannot_play || !watched->has_player || watched->fault_count > 0;
}

/* Faults come first; Enter shows the lesson in spite of them, if it can be played. */
static bool faults_apply(struct watched *watched, enum action action) {
    switch (action) {
    case ACTION_QUIT:
    case ACTION_CANCEL:
        watched->quit = true;
        break;
    case ACTION_CONTINUE:
        if (watched->has_player && !watched->cannot_play)
            watched->fault_count = 0;
        break;
    case ACTION_SCROLL_DOWN:
        watched->scroll++;
        break;
    case ACTION_SCROLL_UP:
        watched->scroll -= watched->scroll > 0;
        break;
    default:
        break;
    }
    return true;
}

static struct press watched_press(const void *state, const char *key) {
    const struct watched *watched = state;
    return shows_faults(watched) ? action_press(ACTION_MODE_LESSON, key)
                                 : player_press(&watched->player, key);
}

static bool watched_key(void *state, struct press press) {
    struct watched *watched = state;
    return shows_faults(watched) ? faults_apply(watched, press.info->action)
                                 : player_key(&watched->player, press);
}

static bool watched_apply(void *state, enum action action, long argument) {
    struct watched *watched = state;
    return shows_faults(watched) ? faults_apply(watched, action)
                                 : player_apply(&watched->player, action, argument);
}

static bool watched_tick(void *state, long milliseconds) {
    struct watched *watched = state;
    const bool played = !shows_faults(watched) && player_tick(&watched->player, milliseconds);
    if (hash_files(watched) == watched->seen)
        return played;
    reload(watched);
    return true;
}

static long watched_wait(const void *state) {
    const struct watched *watched = state;
    const long playing = shows_faults(watched) ? -1 : player_wait(&watched->player);
    return playing >= 0 && playing < LOOK_MILLISECONDS ? playing : LOOK_MILLISECONDS;
}

static void watched_draw(const void *state, struct grid *grid) {
    const struct watched *watched = state;
    if (shows_faults(watched))
        view_draw_faults(grid, watched->opts->path, watched->faults.data, watched->fault_count,
                         !watched->cannot_play, watched->scroll);
    else
        view_draw_player(grid, &watched->player);
}

static bool watched_done(const void *state) {
    const struct watched *watched = state;
    return watched->quit || (watched->has_player && watched->player.quit);
}

int watch_screen_run(const struct watch_options *opts, struct error *err) {
    struct stat status;
    if (stat(opts->path, &status) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), opts->path);
    struct watched watched = {
        .opts = opts, .terms = *opts->terms, .folder = folder_of(opts->path), .faults = TEXT_INIT};
    struct screen_program program = {.state = &watched,
                                     .press = watched_press,
                                     .key = watched_key,
                                     .apply = watched_apply,
                                     .tick = watched_tick,
                                     .wait = watched_wait,
                                     .draw = watched_draw,
                                     .done = watched_done};
    reload(&watched); /* before the screen opens, because it may have to ask for consent */
    int result = screen_run(&program, &opts->screen, err);
    close_player(&watched);
    text_release(&watched.faults);
    free(watched.folder);
    return result;
}
