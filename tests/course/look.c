/*
 * A screen gives an answer away if it differs when the answer does: it is drawn twice, the second
 * time with the secret changed, and the two pictures must be equal.
 */
#include "look.h"

#include "base/memory.h"
#include "oracle.h"
#include "view/view.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static const int sizes[][2] = {{80, 24}, {60, 20}, {120, 40}, {200, 60}};

static unsigned wrong, looked;

unsigned look_wrong(void) {
    return wrong;
}

unsigned look_count(void) {
    return looked;
}

void look_complain(const struct player *player, const char *format, ...) {
    static const char *const states[] = {"telling", "asking", "answered", "finished"};
    va_list arguments;
    if (++wrong > 60)
        return; /* one defect of a screen may be reported at every moment */
    fprintf(stderr, "%s, %s, beat '%s', %s, phase %d, '%s'%s%s%s%s: ", player->lesson->name,
            player->lesson->languages[player->language].code,
            player->lesson->beats[player->beat].id, states[player->state],
            (int)player->replay.cursor.phase, player->answer,
            player->hinted ? ", with the hint" : "", player->correction ? ", corrected" : "",
            player->exploring ? ", exploring" : "", player->presenting ? ", before a class" : "");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* ---- screens seen ---- */

static uint64_t *seen;
static size_t seen_count, seen_room;

/* True if the screen is new. FNV-1a, 64 bits: collisions among ten thousand are improbable. */
static bool is_new(const struct grid *grid, const struct player *player) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < grid->columns * grid->rows; i++) {
        hash = (hash ^ grid->cells[i].glyph) * UINT64_C(0x100000001b3);
        hash = (hash ^ grid->cells[i].style.role) * UINT64_C(0x100000001b3);
    }
    hash ^= player->presenting;
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i] == hash)
            return false;
    if (seen_count == seen_room) {
        seen_room = seen_room ? seen_room * 2 : 1024;
        seen = memory_grow(seen, seen_room, sizeof *seen);
    }
    seen[seen_count++] = hash;
    return true;
}

/* ---- a grid ---- */

static void check_rows(const struct grid *grid, const struct player *player) {
    for (int y = 0; y < grid->rows; y++) {
        const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->columns];
        int columns = 0;
        for (int x = 0; x < grid->columns; x++) {
            int width = row[x].glyph ? wcwidth((wchar_t)row[x].glyph) : 0;
            bool half = x + 1 < grid->columns && row[x + 1].glyph == 0;
            if (width < 0 || (row[x].glyph && (width == 2) != half))
                look_complain(player, "%dx%d: U+%04X in row %d takes %d columns", grid->columns,
                              grid->rows, (unsigned)row[x].glyph, y, width);
            columns += width;
        }
        if (columns != grid->columns)
            look_complain(player, "%dx%d: row %d is %d columns wide", grid->columns, grid->rows, y,
                          columns);
    }
}

static void check_text(const struct grid *grid, const struct player *player) {
    for (int i = 0; i < grid->columns * grid->rows; i++) {
        uint32_t glyph = grid->cells[i].glyph;
        if (grid->ascii && (glyph < ' ' || glyph > '~'))
            look_complain(player, "%dx%d: U+%04X in an ASCII screen", grid->columns, grid->rows,
                          (unsigned)glyph);
        if (glyph == '{' && (i + 1) % grid->columns && grid->cells[i + 1].glyph == '{')
            look_complain(player, "%dx%d: a placeholder is left", grid->columns, grid->rows);
        if (glyph == 0xfffd)
            look_complain(player, "%dx%d: what is no UTF-8", grid->columns, grid->rows);
    }
}

static bool shows_lane(const struct grid *grid, int lane) {
    for (int i = 0; i < grid->columns * grid->rows; i++)
        if (grid->cells[i].hit.action == ACTION_LANE_GO && grid->cells[i].hit.argument == lane)
            return true;
    return false;
}

static void check_lanes(const struct grid *grid, const struct player *player) {
    bool picture = player->state != PLAYER_FINISHED && !player->black && !player->replay.help;
    for (int lane = 0; picture && player->replay.view == VIEW_LANES && lane < 32; lane++)
        if (!shows_lane(grid, lane)) {
            look_complain(player, "%dx%d: lane %d is not there", grid->columns, grid->rows, lane);
            return;
        }
}

/* ---- hidden parts ---- */

static bool asks(const struct player *player) {
    return player->replay.asking.state == PREDICTION_ASKED;
}

/* Changes everything in the picture that a question about reading must not depend on: each lane
 * gets another lane's status and another source. Column widths stay the same. */
static void change_reads(struct replay *replay) {
    struct lane_outcome was[WARP_LANES];
    memcpy(was, replay->cursor.outcome, sizeof was);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct lane_outcome *outcome = &replay->cursor.outcome[lane];
        if (was[lane].status == LANE_ABSENT)
            continue;
        const struct lane_outcome *other = &was[(lane + 5) % WARP_LANES];
        if (other->status != LANE_ABSENT) {
            outcome->status = other->status;
            outcome->reason = other->reason;
        }
        if (outcome->status == LANE_READ && lane % 3 == 0)
            outcome->status = LANE_OWN;
        outcome->address.source = (outcome->address.source + 11) % WARP_LANES;
        outcome->address.target = outcome->address.source;
        outcome->address.in_range = lane % 2;
    }
}

static void change_results(struct replay *replay) {
    struct warp_operation *operation = &replay->cursor.step.operation;
    uint64_t out[WARP_LANES];
    memcpy(out, operation->out, sizeof out);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int from = (lane + 5) % WARP_LANES;
        if (!(operation->present >> lane & 1) || !(operation->present >> from & 1))
            continue;
        operation->out[lane] = out[from];
        replay->cursor.outcome[lane].value = replay->cursor.outcome[from].value;
    }
}

static void change_values(struct replay *replay) {
    struct warp_operation *operation = &replay->cursor.step.operation;
    uint64_t in[WARP_LANES];
    memcpy(in, operation->in, sizeof in);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int from = (lane + 5) % WARP_LANES;
        if (operation->present >> lane & operation->present >> from & 1)
            operation->in[lane] = in[from];
    }
}

/* Lanes that did not call before get, in turn, the arguments and values of the lanes that did. */
static void change_callers(struct replay *replay) {
    struct warp_operation *operation = &replay->cursor.step.operation;
    int like = WARP_LANES - 1;
    for (int lane = 0; operation->present && lane < WARP_LANES; lane++) {
        if (operation->present >> lane & 1)
            continue;
        do
            like = (like + 1) % WARP_LANES;
        while (!(operation->present >> like & 1));
        operation->arg[lane] = operation->arg[like];
        operation->width[lane] = operation->width[like];
        operation->in[lane] = operation->in[like]; /* columns stay as wide as they are */
        operation->out[lane] = operation->out[like];
    }
    operation->present ^= 0x00f0f00fu;
    operation->launched ^= 0x00f0f00fu;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (!(operation->present >> lane & 1))
            replay->cursor.outcome[lane] = (struct lane_outcome){.status = LANE_ABSENT};
        else if (replay->cursor.outcome[lane].status == LANE_ABSENT)
            replay->cursor.outcome[lane].status = LANE_READ;
}

/* The same moment of a recording in which everything hidden is different. False if nothing is
 * hidden. */
static bool change_hidden(struct replay *replay, const struct lesson_beat *beat) {
    enum question_kind kind = replay->asking.question.kind;
    bool open = replay->asking.state == PREDICTION_ASKED;
    bool in = replay->hide & LESSON_HIDE_IN && beat->show.hide & LESSON_HIDE_IN;
    bool reads = open && kind != QUESTION_VALUE && kind != QUESTION_CHANGED;
    bool picture = kind >= QUESTION_CALL && kind <= QUESTION_WHICH &&
                   replay->asking.question.aim.goal == SNIPPET_PICTURE;
    if (!open && !in)
        return false;
    if (open && kind == QUESTION_ABSENT)
        change_callers(replay);
    else if (reads)
        change_reads(replay);
    if (open && !picture) /* a question about the picture shows the results */
        change_results(replay);
    if (in)
        change_values(replay);
    return true;
}

/* The screen must be the same for the two recordings. */
static void check_secret(const struct grid *grid, const struct player *player) {
    struct player other = *player;
    struct grid drawn;
    if (player->state == PLAYER_FINISHED ||
        !change_hidden(&other.replay, &player->lesson->beats[player->beat]))
        return;
    grid_init(&drawn, grid->columns, grid->rows, grid->ascii);
    view_draw_player(&drawn, &other);
    for (int i = 0; i < grid->columns * grid->rows; i++) {
        const struct cell *a = &grid->cells[i], *b = &drawn.cells[i];
        if (a->glyph == b->glyph && memcmp(&a->style, &b->style, sizeof a->style) == 0)
            continue;
        look_complain(player, "%dx%d: row %d, column %d depends on what is hidden: U+%04X, U+%04X",
                      grid->columns, grid->rows, i / grid->columns, i % grid->columns,
                      (unsigned)a->glyph, (unsigned)b->glyph);
        break;
    }
    grid_release(&drawn);
}

/* True for an answer that is a number or a set and appears nowhere else: it is neither a lane's
 * number nor a displayed value. */
static bool gives_away(const struct player *player, const char *answer) {
    const struct warp_operation *operation = &player->replay.cursor.step.operation;
    char value[ORACLE_TEXT];
    size_t length = strlen(answer);
    if (length < 2 || strspn(answer, "0123456789.,-") != length)
        return false;
    if (question_is_code(&player->replay.asking.question))
        return false;
    if (player->replay.asking.question.kind > QUESTION_VALUE)
        return strchr(answer, ',') != NULL && /* a single range may be a group */
               oracle_set(operation, &player->replay.asking.question) != operation->present;
    if (length < 3 && atoi(answer) < WARP_LANES)
        return false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (strcmp(oracle_value(operation->type, operation->in[lane], value), answer) == 0)
            return false;
    return true;
}

static void check_answer_is_nowhere(const struct grid *grid, const struct player *player) {
    char answer[ORACLE_TEXT];
    const struct lesson_beat *beat = &player->lesson->beats[player->beat];
    if (!asks(player) || player->exploring || player->tries > 0 || player->hinted ||
        player->replay.input.text[0])
        return;
    oracle_answer(&player->replay.cursor.step.operation, &beat->ask, answer);
    if (!gives_away(player, answer))
        return;
    char *text = grid_to_text(grid, false);
    size_t length = strlen(answer);
    for (const char *at = text; (at = strstr(at, answer)); at++) {
        char before = at > text ? at[-1] : ' ', after = at[length];
        if (isdigit((unsigned char)before) || strchr(".,-", before) ||
            isdigit((unsigned char)after) ||
            (strchr(".,-", after) && isdigit((unsigned char)at[length + 1])))
            continue;
        look_complain(player, "%dx%d: the answer %s can be read", grid->columns, grid->rows,
                      answer);
        break;
    }
    free(text);
}

/* ---- one moment ---- */

static void look_at_size(const struct player *player, int columns, int rows, bool ascii) {
    struct grid grid;
    looked++;
    grid_init(&grid, columns, rows, ascii);
    view_draw_player(&grid, player);
    if (grid.failed_to_fit)
        look_complain(player, "cut at %dx%d", columns, rows);
    check_rows(&grid, player);
    check_text(&grid, player);
    check_lanes(&grid, player);
    check_secret(&grid, player);
    check_answer_is_nowhere(&grid, player);
    grid_release(&grid);
}

void look_at(const struct player *player) {
    struct grid first;
    grid_init(&first, 80, 24, false);
    view_draw_player(&first, player);
    bool is_known = !is_new(&first, player);
    grid_release(&first);
    if (is_known)
        return;
    if (!player->replay.help && !view_player_fits(player, 80, 24))
        look_complain(player, "what is said does not fit 80x24");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        look_at_size(player, sizes[i][0], sizes[i][1], false);
        if (player->language == 0)
            look_at_size(player, sizes[i][0], sizes[i][1], true);
    }
}
