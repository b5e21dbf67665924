/*
 * web.c - the program's side of a page: the functions that JavaScript (web/page.js) calls, one turn
 * at a time.
 *
 * A page shows one screen program after another, as a terminal does (term/run.c): a key, a click or
 * a tick comes in, and if anything visible changed, the page fetches the frame: the grid's cells as
 * in memory, and a colour for each style.
 *
 * A line names the scene: "lesson", "lesson xor", "replay FILE", "xor --mask 3", "kernel scan-8".
 * FILE is one of the files in the page (memory_file.h).
 */
#include "core/web.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "core/memory_file.h"
#include "launch/course.h"
#include "launch/recording.h"
#include "launch/request.h"
#include "lesson/lesson.h"
#include "replay/predict.h"
#include "session/screens/lesson_screen.h"
#include "session/screens/quiz_screen.h"
#include "session/screens/recording_screen.h"
#include "term/palette.h"
#include "view/grid.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell as page.js reads it. */
_Static_assert(sizeof(struct cell) == 24, "page.js: CELL_BYTES");
_Static_assert(offsetof(struct cell, marks) == 4, "page.js: the marks of a cell");
_Static_assert(offsetof(struct cell, style) == 12, "page.js: the style of a cell");
_Static_assert(offsetof(struct cell, hit) == 16, "page.js: the action of a cell");

/* A page is one session, and JavaScript has no handle to pass for it. */
static struct page {
    struct text line;               /* names the scene */
    struct screen_program *program; /* NULL: nothing is shown, or the user has left */
    struct grid grid;
    bool has_grid;
    struct recording_session *recording; /* one of the three */
    struct lesson_session *lesson;
    struct quiz_session *quiz;
    struct quiz_source quiz_source;
    struct text quiz_about; /* its name */
    struct trace *trace;
    struct request request;
    bool has_request;
    struct lesson_options opts;
    struct lesson *opened; /* a lesson that comes with the page */
    struct error error;
    struct text said; /* the last result of a function */
    enum page_asked asked;
    struct text class_lesson, class_beats; /* page_limit() */
    bool held;
} page;

/* ---- memory and files ---- */

void page_file(const char *name, void *bytes, size_t size) {
    memory_file_named(name, bytes, size);
}

/* ---- beginning and ending ---- */

static void end(void) {
    struct text copied = TEXT_INIT;
    struct error ignored = ERROR_INIT;
    page.program = NULL;
    if (page.recording)
        recording_session_close(page.recording, &copied);
    if (page.lesson)
        lesson_session_close(page.lesson, &ignored);
    if (page.quiz)
        quiz_session_close(page.quiz, 0, &ignored);
    if (page.has_request)
        request_release(&page.request);
    trace_close(page.trace);
    if (page.opened)
        lesson_free(page.opened);
    text_release(&copied);
    page.recording = NULL;
    page.lesson = NULL;
    page.quiz = NULL;
    page.has_request = false;
    page.trace = NULL;
    page.opened = NULL;
}

/* A lesson among the page's files: "NAME/en.md" and its translations. */
static int open_lesson(const char *name, struct error *err) {
    struct lesson_source sources[8];
    struct text paths[8];
    size_t count = 0, size;
    for (const char *const *code = message_languages(); *code && count < 8; code++) {
        struct text *path = &paths[count];
        text_init(path);
        text_append_format(path, "%s/%s.md", name, *code);
        const char *text = memory_file_find(path->data, &size);
        if (text)
            sources[count++] = (struct lesson_source){*code, path->data, text};
        else
            text_release(path);
    }
    int status = count ? lesson_parse(&page.opened, name, sources, count, err)
                       : error_set(err, ERROR_USAGE, _("no such lesson on this page: %s"), name);
    while (count > 0)
        text_release(&paths[--count]);
    return status;
}

static int begin_lesson(const char *name, struct error *err) {
    page.opts = (struct lesson_options){.language = message_language()};
    if (*name) {
        page.opts.lesson = lesson_built_in_find(name);
        if (!page.opts.lesson && open_lesson(name, err) != 0)
            return -1;
        if (!page.opts.lesson)
            page.opts.lesson = page.opened;
    }
    page.lesson = lesson_session_open(&page.opts, err);
    if (page.lesson)
        page.program = lesson_program(page.lesson);
    return page.lesson ? 0 : -1;
}

static int begin_recording(const struct launch *asked, struct error *err) {
    page.recording =
        recording_session_open(page.trace, (struct recording_look){.overview = false}, asked, err);
    if (page.recording)
        page.program = recording_program(page.recording);
    return page.recording ? 0 : -1;
}

/* Reads a command of shflviz; options that write a file are ignored. */
static bool read_request(const char *line, struct error *err) {
    page.has_request = true;
    const bool read = request_read(&page.request, line, DEVICE_CPU, err) == 0;
    page.request.launch.output = NULL;
    return read;
}

static int begin_request(const char *line, struct error *err) {
    if (!read_request(line, err))
        return -1;
    if (launch_record(&page.request.launch, &page.trace, err) != 0 && !page.trace)
        return -1;
    return begin_recording(&page.request.launch, err);
}

/* A recording that a command of shflviz made on the CPU warp can be changed as if it had just been
 * made. */
static int begin_file(const char *name, struct error *err) {
    struct error ignored = ERROR_INIT;
    if (recording_or_file_open(name, &page.trace, err) != 0)
        return -1;
    const char *command = trace_note(page.trace, TRACE_NOTE_COMMAND);
    const char *recorded = trace_note(page.trace, TRACE_NOTE_RECORDED);
    const bool live =
        command && recorded && strcmp(recorded, "emulated") == 0 && read_request(command, &ignored);
    return begin_recording(live ? &page.request.launch : NULL, err);
}

static int begin(const char *line, struct error *err) {
    if (strcmp(line, "lesson") == 0)
        return begin_lesson("", err);
    if (strncmp(line, "lesson ", 7) == 0)
        return begin_lesson(line + 7, err);
    if (strncmp(line, "replay ", 7) == 0)
        return begin_file(line + 7, err);
    return begin_request(line, err);
}

bool page_begin(const char *line) {
    struct error err = ERROR_INIT;
    struct text copy = TEXT_INIT; /* the line may be page.line itself */
    text_append(&copy, line);
    end();
    text_clear(&page.line);
    text_append(&page.line, copy.data);
    text_release(&copy);
    const int status = begin(page.line.data, &err);
    page.error = err;
    if (status != 0)
        end();
    return status == 0;
}

const char *page_error(void) {
    return page.error.text;
}

/* ---- a quiz ---- */

/* The subject of a quiz's questions: the recording, the lesson, or anything if the list of lessons
 * is shown. False for a lesson from elsewhere, whose recordings have no name. */
static bool find_quiz(const char **about) {
    const struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    const char *name = strchr(page.line.data, ' ');
    *about = player ? player->lesson->name : page.lesson || !name ? NULL : name + 1;
    return page.program && !page.quiz && (!player || lesson_built_in_find(player->lesson->name));
}

enum page_quizzing page_quizzing(void) {
    const char *about;
    return page.quiz ? PAGE_QUIZ_ON : find_quiz(&about) ? PAGE_QUIZ_POSSIBLE : PAGE_QUIZ_NONE;
}

bool page_quiz(unsigned seed, int level) {
    const char *about;
    const struct results_options nowhere = {0};
    if (!find_quiz(&about))
        return false;
    text_clear(&page.quiz_about);
    if (about)
        text_append(&page.quiz_about, about);
    about = about ? page.quiz_about.data : NULL;
    end();
    if (quiz_source_init(&page.quiz_source, about, seed, &page.error) == 0)
        page.quiz = quiz_session_open(&page.quiz_source, seed, level, &nowhere, &page.error);
    page.program = page.quiz ? quiz_program(page.quiz) : NULL;
    return page.quiz || page_begin(page.line.data);
}

/* ---- a turn ---- */

/* The next program replaces a program that is done; after the last one, the scene starts over. */
static bool on_stage(void) {
    while (page.program && page.program->done(page.program->state))
        page.program = page.program->next ? page.program->next(page.program) : NULL;
    return page.program || page_begin(page.line.data);
}

/* While the class has an open question, the player neither judges nor shows the answer, and does
 * not move. */
static bool may(enum action action, unsigned flags) {
    if (page.asked == PAGE_ASKED_NOTHING || flags & ACTION_CHANGES_DISPLAY)
        return true;
    if (action == ACTION_SCROLL_DOWN || action == ACTION_SCROLL_UP)
        return true;
    return page.asked == PAGE_ASKED_OPEN && (action == ACTION_MARK || action == ACTION_ERASE);
}

static bool may_take(struct press pressed) {
    if (!page.lesson || !lesson_player(page.lesson))
        return true;
    return pressed.info->action ? may(pressed.info->action, pressed.info->flags)
                                : page.asked != PAGE_ASKED_ANSWERED;
}

/* ---- how far a student may step alone ---- */

static char letter_of(size_t beat) {
    return beat < page.class_beats.length ? page.class_beats.data[beat] : '.';
}

static bool is_open_question(const struct player *player, size_t beat) {
    return player->lesson->beats[beat].ask.kind != QUESTION_NONE && letter_of(beat) != 'a';
}

/* True if the player is at, or past, a question that the class has not answered. */
static bool is_beyond(const struct player *player) {
    size_t farthest = 0;
    if (page.class_beats.length == 0 || strcmp(player->lesson->name, page.class_lesson.data) != 0)
        return false;
    for (size_t beat = 0; beat < player->lesson->beat_count; beat++) {
        if (letter_of(beat) != '.')
            farthest = beat;
        if (player->state == PLAYER_FINISHED && is_open_question(player, beat))
            return true;
    }
    for (size_t beat = farthest; beat < player->beat; beat++)
        if (is_open_question(player, beat))
            return true;
    return player->state != PLAYER_TELLING && is_open_question(player, player->beat);
}

/* Calls `does` and undoes it if it goes too far; reaching the class's question does not count
 * as going too far. */
static bool within_limit(bool (*does)(const void *what), const void *what) {
    char before[PLAYER_POSITION_SIZE] = "";
    struct error ignored = ERROR_INIT;
    struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    if (player && page.asked == PAGE_ASKED_NOTHING && !is_beyond(player))
        player_position(player, before);
    const bool changed = does(what);
    player = page.lesson ? lesson_player(page.lesson) : NULL;
    if (!before[0] || !player || !is_beyond(player))
        return changed;
    page.held = true;
    return lesson_follow(page.lesson, before, &ignored) == 0 || changed;
}

static bool press(const void *what) {
    struct screen_program *const before = page.program;
    if (!before)
        return false;
    const struct press pressed = before->press(before->state, what);
    if (!may_take(pressed))
        return false;
    const bool changed = screen_key(before, pressed);
    return on_stage() && (changed || page.program != before);
}

bool page_key(const char *key) {
    return within_limit(press, key);
}

static bool apply(enum action action, long argument) {
    const bool answered = page.asked == PAGE_ASKED_ANSWERED && action == ACTION_LANE_GO;
    if (answered || !may(action, action_flags(action)))
        return false;
    const bool changed = page.program->apply(page.program->state, action, argument);
    return on_stage() && changed;
}

struct point {
    int x, y, wheel;
};

static bool point(const void *what) {
    const struct point *at = what;
    if (!page.program || at->x < 0 || at->y < 0 || at->x >= page.grid.columns ||
        at->y >= page.grid.rows)
        return false;
    const struct hit hit =
        page.grid.cells[(size_t)at->y * (size_t)page.grid.columns + (size_t)at->x].hit;
    if (!at->wheel)
        return hit.action != ACTION_NONE && apply((enum action)hit.action, (long)hit.argument);
    return apply(screen_wheel(hit, at->wheel > 0), 1);
}

bool page_point(int x, int y, int wheel) {
    return within_limit(point, &(struct point){x, y, wheel});
}

static bool pass(const void *milliseconds) {
    const bool changed = page.program && page.program->tick &&
                         page.program->tick(page.program->state, *(const int *)milliseconds);
    return page.program && on_stage() && changed;
}

bool page_tick(int milliseconds) {
    return within_limit(pass, &milliseconds);
}

int page_wait(void) {
    return page.program && page.program->wait ? (int)page.program->wait(page.program->state) : -1;
}

const char *page_copy(void) {
    return page.program && page.program->copy ? page.program->copy(page.program->state) : NULL;
}

/* ---- what is seen ---- */

const struct cell *page_draw(int columns, int rows) {
    if (!page.program)
        return NULL;
    if (!page.has_grid)
        grid_init(&page.grid, columns, rows, false);
    else if (page.grid.columns != columns || page.grid.rows != rows)
        grid_resize(&page.grid, columns, rows);
    page.has_grid = true;
    grid_clear(&page.grid);
    page.program->draw(page.program->state, &page.grid);
    return page.grid.cells;
}

const struct paint *page_paint(int role, int group, int flags, bool light) {
    static struct paint paint;
    const struct palette palette = {COLOR_TRUE, light ? BACKGROUND_LIGHT : BACKGROUND_DARK};
    const struct style style = {(uint8_t)role, (uint8_t)group, (uint8_t)flags};
    paint = palette_paint(&palette, style);
    return &paint;
}

const char *page_text(int columns, int rows, bool styles) {
    text_clear(&page.said);
    if (page_draw(columns, rows)) {
        char *shown = grid_to_text(&page.grid, styles);
        text_append(&page.said, shown);
        free(shown);
    }
    return page.said.data;
}

/* ---- languages ---- */

const char *page_languages(void) {
    text_clear(&page.said);
    for (const char *const *at = message_languages(); *at; at++)
        text_append_format(&page.said, "%s%s", page.said.length ? " " : "", *at);
    return page.said.data;
}

const char *page_language(void) {
    return message_language();
}

bool page_use_language(const char *code) {
    char position[PLAYER_POSITION_SIZE] = "";
    struct error ignored = ERROR_INIT;
    if (!message_language_use(code))
        return false;
    struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    if (player && !page.opts.lesson) /* opened from the list */
        page.opts.lesson = player->lesson;
    if (player)
        player_position(player, position);
    if (page.lesson) {
        lesson_session_close(page.lesson, &ignored);
        page.opts.language = message_language();
        page.lesson = lesson_session_open(&page.opts, &page.error);
        page.program = page.lesson ? lesson_program(page.lesson) : NULL;
        if (page.lesson && position[0])
            player_follow(lesson_player(page.lesson), position, &ignored);
    }
    return page.program != NULL;
}

/* ---- links ---- */

/* True if the page is that of the whole course, whether a lesson or the list is open. */
static bool shows_course(void) {
    return strcmp(page.line.data, "lesson") == 0;
}

const char *page_moment(void) {
    text_clear(&page.said);
    const struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    if (player) {
        if (shows_course())
            text_append_format(&page.said, "%s/", player->lesson->name);
        text_append(&page.said, player->lesson->beats[player->beat].id);
    } else if (page.recording) {
        const struct replay *replay = recording_replay(page.recording);
        text_append_format(&page.said, "%" PRIu64 ",%d,%d,%d", replay->cursor.step.number,
                           replay->lane, (int)replay_view(replay) + 1,
                           (int)replay->cursor.phase + 1);
    }
    return page.said.data;
}

static bool go_recording(const char *moment) {
    struct replay *replay = recording_replay(page.recording);
    unsigned long long step;
    int lane = 0, view = 0, phase = 0;
    const int read = sscanf(moment, "%llu,%d,%d,%d", &step, &lane, &view, &phase);
    if (read < 1 || !recording_go_step(page.recording, step))
        return false;
    if (read >= 2 && lane >= 0 && lane < 32)
        replay_set_lane(replay, lane);
    if (read >= 3 && view >= 1 && view <= VIEW_KIND_COUNT)
        replay_set_view(replay, (enum view_kind)(view - 1));
    if (read >= 4 && phase >= 1 && phase <= PHASE_COUNT)
        replay_set_phase(replay, (enum phase)(phase - 1));
    return true;
}

static bool go_beat(const char *wanted) {
    struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    size_t beat;
    return player && player_find_beat(player->lesson, wanted, &beat) && player_go(player, beat);
}

/* Goes from the list into one of its lessons, as if it had been chosen there. */
static bool go_lesson(const char *name) {
    struct error ignored = ERROR_INIT;
    const struct lesson *lesson = lesson_built_in_find(name);
    if (!lesson || !page.lesson)
        return false;
    struct screen_program *chosen = lesson_choose(page.lesson, lesson, &ignored);
    page.program = chosen ? chosen : lesson_program(page.lesson);
    return chosen != NULL;
}

bool page_go(const char *moment) {
    if (page.recording)
        return go_recording(moment);
    const char *slash = strchr(moment, '/');
    if (!shows_course() || (!slash && !lesson_built_in_find(moment)))
        return go_beat(slash ? slash + 1 : moment);
    char *name = memory_string(moment);
    if (slash)
        name[slash - moment] = '\0';
    const bool went = go_lesson(name);
    free(name);
    return went && (!slash || !slash[1] || go_beat(slash + 1));
}

const char *page_title(void) {
    const struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    text_clear(&page.said);
    if (player)
        text_append(&page.said, lesson_title(player->lesson, player->language));
    return page.said.data;
}

/* ---- the run that a verdict is about ---- */

bool page_show_run(void) {
    struct error ignored = ERROR_INIT;
    uint64_t block;
    uint32_t warp, lane, launch;
    struct trace *trace = practice_take_trace(&block, &warp, &lane, &launch);
    if (!trace)
        return false;
    end();
    page.trace = trace;
    if (begin_recording(NULL, &page.error) != 0)
        return false;
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        struct trace_step step;
        if (trace_step(trace, i, &step, &ignored) == 0 && step.launch == launch &&
            step.block == block && step.warp == warp) {
            recording_go_step(page.recording, step.number);
            break;
        }
    }
    replay_set_lane(recording_replay(page.recording), (int)lane);
    return true;
}

/* ---- a class ---- */

const char *page_position(void) {
    char position[PLAYER_POSITION_SIZE];
    const struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    text_clear(&page.said);
    if (player)
        text_append_format(&page.said, "%s %s", player->lesson->name,
                           player_position(player, position));
    return page.said.data;
}

bool page_follow(const char *name, const char *position) {
    struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    page.asked = PAGE_ASKED_NOTHING;
    if (!player || strcmp(player->lesson->name, name) != 0) {
        struct text line = TEXT_INIT;
        text_append_format(&line, "lesson %s", name);
        const bool begun = page_begin(line.data);
        text_release(&line);
        if (!begun)
            return false;
    }
    return lesson_follow(page.lesson, position, &page.error) == 0;
}

void page_limit(const char *lesson, const char *beats) {
    text_clear(&page.class_lesson);
    text_append(&page.class_lesson, lesson);
    text_clear(&page.class_beats);
    text_append(&page.class_beats, beats);
}

bool page_held(void) {
    const bool held = page.held;
    page.held = false;
    return held;
}

void page_asks(enum page_asked asked) {
    page.asked = asked;
}

const char *page_answer(void) {
    const struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    text_clear(&page.said);
    if (!player || player->state != PLAYER_ASKING)
        return page.said.data;
    const struct replay *replay = &player->replay;
    char normal[ANSWER_TEXT];
    if (replay->input.text[0])
        text_append(&page.said, replay->input.text);
    else if (replay->asking.marks &&
             answer_judge(replay_subject(replay), &replay->asking.question, "",
                          replay->asking.marks, normal) != ANSWER_UNREADABLE)
        text_append(&page.said, normal);
    return page.said.data;
}

bool page_type(const char *answer) {
    struct player *player = page.lesson ? lesson_player(page.lesson) : NULL;
    if (page.asked != PAGE_ASKED_OPEN || !player || player->state != PLAYER_ASKING)
        return false;
    replay_type_answer(&player->replay, answer);
    return true;
}

/* ---- the page's own texts ---- */

/* The requests of page.js to page_say(). */
static const char *const texts[] = {
    N_("previous phase"),
    N_("next phase"),
    N_("previous operation"),
    N_("next operation"),
    N_("lane above"),
    N_("lane below"),
    N_("next view"),
    N_("play and pause"),
    N_("The arrow keys step, ? lists the keys, Shift+Tab moves to the buttons."),
    N_("Enter"),
    N_("Escape"),
    N_("help"),
    N_("what is shown"),
    N_("type here"),
    N_("smaller"),
    N_("larger"),
    N_("dark or light"),
    N_("quiz"),
    N_("back from the quiz"),
    N_("questions about what is shown"),
    N_("There is no such moment here:"),
    N_("The class has not answered this question yet."),
    N_("exercises"),
    N_("exercise"),
    N_("your code"),
    N_("judge"),
    N_("begin again"),
    N_("hint"),
    N_("solution"),
    N_("see the run"),
    N_("close"),
    N_("The judge says:"),
    N_("Tab indents; Escape, then Tab leaves the code. Ctrl+Enter judges."),
    N_("judging"),
};

const char *page_say(const char *english) {
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i], english) == 0)
            return message(texts[i]);
    return english;
}
