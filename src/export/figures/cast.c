/* A film of the screen, in the format of asciinema. */
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "export/figures/paper.h"
#include "term/painter.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS       80
#define ROWS          24
#define PHASE_SECONDS 1.2
#define READING_LEAST 1.5
#define READING_MOST  8.0
#define FRAMES_MOST   4000 /* a limit on the beats of a lesson, which has far fewer */

/* A JSON string: control characters are escaped, the rest is unchanged UTF-8. */
static void put_string(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20 || *text == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    putc('"', out);
}

/* An event: its time, kind and data. The time is in milliseconds, whatever the locale. */
static void put_event(const struct cast *cast, const char *kind, const char *text) {
    const long milliseconds = (long)(cast->time * 1000 + 0.5);
    fprintf(cast->out, "[%ld.%03ld, \"%s\", ", milliseconds / 1000, milliseconds % 1000, kind);
    put_string(cast->out, text);
    fputs("]\n", cast->out);
}

void cast_begin(struct cast *cast, FILE *out, const struct paper_options *opts, const char *title) {
    *cast = (struct cast){.out = out, .opts = opts};
    cast->columns = opts->columns ? opts->columns : COLUMNS;
    cast->rows = opts->rows ? opts->rows : ROWS;
    fprintf(out, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": ", cast->columns,
            cast->rows);
    put_string(out, title);
    fputs(", \"env\": {\"TERM\": \"xterm-256color\"}}\n", out);
    put_event(cast, "o", "\033[?25l\033[H\033[2J");
    cast->lines = memory_zeroed((size_t)cast->rows, sizeof cast->lines[0]);
}

void cast_end(struct cast *cast) {
    char text[48];
    snprintf(text, sizeof text, "\033[0m\033[%d;1H\r\n\033[?25h", cast->rows);
    put_event(cast, "o", text);
    for (int y = 0; y < cast->rows; y++)
        free(cast->lines[y]);
    free(cast->lines);
    cast->lines = NULL;
}

/* Sends the lines that differ from the previous frame; they are shown for `seconds`. */
static void show(struct cast *cast, const struct grid *grid, double seconds) {
    const struct palette palette = {cast->opts->look.mono ? COLOR_NONE : COLOR_256,
                                    cast->opts->look.light ? BACKGROUND_LIGHT : BACKGROUND_DARK};
    struct text painted = TEXT_INIT, sent = TEXT_INIT;
    paint_ansi_palette(&painted, grid, &palette);
    char *line = painted.data;
    for (int y = 0; y < cast->rows; y++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!cast->lines[y] || strcmp(cast->lines[y], line) != 0) {
            text_append_format(&sent, "\033[%d;1H%s\033[0m\033[K", y + 1, line);
            free(cast->lines[y]);
            cast->lines[y] = memory_string(line);
        }
        line = end ? end + 1 : line + strlen(line);
    }
    if (sent.length)
        put_event(cast, "o", sent.data);
    cast->time += seconds;
    text_release(&painted);
    text_release(&sent);
}

/* ---- a recording ---- */

static void show_step(struct cast *cast, struct grid *grid, struct replay *replay) {
    char label[128];
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        if (!phase_applies(replay->cursor.step.operation.op, (enum phase)phase))
            continue;
        replay_set_phase(replay, (enum phase)phase);
        snprintf(label, sizeof label, "%" PRIu64 " %s: %s", replay->cursor.step.number,
                 warp_op_info(replay->cursor.step.operation.op)->name,
                 _(phase_name((enum phase)phase)));
        put_event(cast, "m", label);
        view_draw(grid, replay);
        show(cast, grid, PHASE_SECONDS);
    }
}

int cast_recording(struct cast *cast, const struct trace *trace, struct error *err) {
    const struct paper_options *opts = cast->opts;
    uint64_t steps[PAPER_STEPS_MOST];
    size_t count;
    struct replay replay;
    struct grid grid;
    if (paper_steps(trace, opts, true, steps, &count, err) != 0 ||
        replay_init(&replay, trace, err) != 0)
        return -1;
    if (opts->lane >= 0)
        replay_set_lane(&replay, opts->lane);
    if (opts->view != VIEW_KIND_COUNT)
        replay_set_view(&replay, opts->view);
    grid_init(&grid, cast->columns, cast->rows, false);
    for (size_t i = 0; i < count; i++)
        if (replay_go_step(&replay, steps[i]) && replay.cursor.has_step)
            show_step(cast, &grid, &replay);
    grid_release(&grid);
    return 0;
}

/* ---- a lesson ---- */

static double reading_time(const struct player *player) {
    const double seconds = (double)player->reading / 1000;
    return seconds < READING_LEAST  ? READING_LEAST
           : seconds > READING_MOST ? READING_MOST
                                    : seconds;
}

/* The position in a lesson: its beat, and the phase of the operation shown, which is left out if it
 * may be the answer. */
struct lesson_position {
    size_t beat;
    uint64_t step;
    enum phase phase;
};

static struct lesson_position position_of(const struct player *player) {
    const struct cursor *cursor = &player->replay.cursor;
    return (struct lesson_position){
        player->beat, cursor->has_step ? cursor->step.number : UINT64_MAX, cursor->phase};
}

static bool same_position(const struct lesson_position *a, const struct lesson_position *b) {
    return a->beat == b->beat && a->step == b->step && a->phase == b->phase;
}

static void mark_position(const struct cast *cast, const struct player *player) {
    const struct cursor *cursor = &player->replay.cursor;
    const char *title = lesson_part(player->lesson, player->beat, player->language, LESSON_TITLE);
    struct text label = TEXT_INIT;
    text_append_format(&label, "%s %zu: %s", player->lesson->name, player->beat + 1,
                       title ? title : "");
    if (cursor->has_step)
        text_append_format(&label, " (%s)", _(phase_name(cursor->phase)));
    put_event(cast, "m", label.data);
    text_release(&label);
}

/* Continues like a learner who does not know the answers. */
static bool go_on(struct player *player) {
    if (player->state != PLAYER_ASKING)
        return player_key(player, player_press(player, "Right"));
    for (int i = 0; i < 3 && player->state == PLAYER_ASKING; i++) /* asks, then confirms */
        player_apply(player, ACTION_REVEAL, 0);
    return player->state != PLAYER_ASKING;
}

void cast_lesson(struct cast *cast, struct player *player) {
    struct grid grid;
    struct lesson_position position = {.beat = SIZE_MAX};
    grid_init(&grid, cast->columns, cast->rows, false);
    for (int frame = 0; frame < FRAMES_MOST; frame++) {
        const bool ends = player->state == PLAYER_FINISHED;
        const struct lesson_position now = position_of(player);
        if (!ends && !same_position(&position, &now))
            mark_position(cast, player);
        position = now;
        view_draw_player(&grid, player);
        show(cast, &grid, reading_time(player));
        if (ends || !go_on(player))
            break;
    }
    grid_release(&grid);
}
