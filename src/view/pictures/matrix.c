/*
 * Rounds that move values between registers, as in a transpose: rows are lanes, columns their
 * registers, drawn before the first round and after each.
 *
 *     lane    a  b  c  d          a  b  c  d          a  b  c  d
 *        0    0  1  2  3    ^1    0 10  2 12    ^2    0 10 20 30
 *        1   10 11 12 13          1 11  3 13          1 11 21 31
 *        2   20 21 22 23         20 30 22 32          2 12 22 32
 *        3   30 31 32 33         21 31 23 33          3 13 23 33
 *
 * A value keeps the colour of the lane that it started in. A recording has no registers, only the
 * values that a lane passes and gets. But if each of several watched values is a result of the last
 * shuffle, or was there before, the registers can be reconstructed backwards: a result replaced the
 * value that was passed. Otherwise, or if that is ambiguous, there is no matrix.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "replay/pages/rounds.h"
#include "view/pictures/network.h"

#include <stdio.h>

#define REGISTERS_MAX 8
#define LEVELS_MAX    8
#define SHUFFLES_MAX  32
#define LABEL_COLUMNS 7
#define SIGN_COLUMNS  5 /* between two matrices: "^16" and a blank on either side */
#define CELL_MOST     6
#define HEAD_ROWS     1

/* The lanes' values before a round, and the lane in which each value started. */
struct level {
    uint64_t value[REGISTERS_MAX][WARP_LANES];
    int8_t origin[REGISTERS_MAX][WARP_LANES];
};

struct matrix {
    const struct moment *moment;
    const struct rounds *rounds;
    int registers, levels, tile; /* lanes of a group */
    enum warp_type type;
    char name[REGISTERS_MAX][16];
    struct level level[LEVELS_MAX];
    int shuffles;
    int of_round[SHUFFLES_MAX];
    int8_t slot[SHUFFLES_MAX]
               [WARP_LANES]; /* the register passed and overwritten; -1 if there was none */
    int8_t source[SHUFFLES_MAX][WARP_LANES];
};

/* ---- registers, reconstructed backwards ---- */

static bool read_step(const struct matrix *matrix, uint64_t position, struct trace_step *step) {
    const struct cursor *cursor = &matrix->moment->replay->cursor;
    return position < cursor->warp.steps &&
           trace_step(cursor->trace, trace_warp_step(cursor->trace, &cursor->warp, position), step,
                      NULL) == 0;
}

/* The watched values that follow the last round, one per register. */
static bool read_end(struct matrix *matrix) {
    const struct rounds *rounds = matrix->rounds;
    struct level *end = &matrix->level[rounds->count];
    struct trace_step step;
    uint64_t at = rounds->round[rounds->count - 1].last + 1;
    for (; read_step(matrix, at, &step) && step.operation.op == WARP_OP_WATCH; at++) {
        const struct trace_site *site = trace_site(matrix->moment->replay->cursor.trace, step.site);
        const char *open = site ? strchr(site->text, '(') : NULL;
        if (matrix->registers == REGISTERS_MAX ||
            step.operation.present != rounds->round[0].operation.present)
            return false;
        const char *name = open ? open + 1 : site ? site->text : "";
        snprintf(matrix->name[matrix->registers], sizeof matrix->name[0], "%.*s",
                 (int)strcspn(name, ",)"), name);
        memcpy(end->value[matrix->registers++], step.operation.in, sizeof step.operation.in);
        matrix->type = step.operation.type;
    }
    return matrix->registers >= 2;
}

/* Undoes a shuffle: the register with its result held the value that the lane passed. */
static bool undo_shuffle(struct matrix *matrix, const struct warp_operation *operation,
                         struct level *level) {
    struct lane_outcome outcome[WARP_LANES];
    const int shuffle = matrix->shuffles;
    if (shuffle == SHUFFLES_MAX || operation->type != matrix->type)
        return false;
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int found = 0;
        matrix->slot[shuffle][lane] = -1;
        if (!(operation->present >> lane & 1))
            continue;
        if (!outcome[lane].has_value)
            return false;
        for (int i = 0; i < matrix->registers; i++)
            if (level->value[i][lane] == operation->out[lane]) {
                matrix->slot[shuffle][lane] = (int8_t)i;
                found++;
            }
        if (found != 1)
            return false;
        level->value[matrix->slot[shuffle][lane]][lane] = operation->in[lane];
        matrix->source[shuffle][lane] = (int8_t)outcome[lane].address.source;
    }
    return true;
}

static bool undo_rounds(struct matrix *matrix) {
    const struct rounds *rounds = matrix->rounds;
    struct trace_step step;
    for (int round = rounds->count - 1; round >= 0; round--) {
        struct level *level = &matrix->level[round];
        *level = matrix->level[round + 1];
        for (uint64_t at = rounds->round[round].last + 1; at-- > rounds->round[round].first;) {
            if (!read_step(matrix, at, &step))
                return false;
            if (step.operation.op == WARP_OP_WATCH)
                continue;
            if (!undo_shuffle(matrix, &step.operation, level))
                return false;
            matrix->of_round[matrix->shuffles++] = round;
        }
    }
    return true;
}

/* Forwards again: every value carries the lane in which it started. */
static void follow_origins(struct matrix *matrix) {
    for (int i = 0; i < matrix->registers; i++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            matrix->level[0].origin[i][lane] = (int8_t)lane;
    int shuffle = matrix->shuffles - 1;
    for (int round = 0; round < matrix->rounds->count; round++) {
        struct level *after = &matrix->level[round + 1];
        memcpy(after->origin, matrix->level[round].origin, sizeof after->origin);
        for (; shuffle >= 0 && matrix->of_round[shuffle] == round; shuffle--) {
            int8_t given[WARP_LANES];
            for (int lane = 0; lane < WARP_LANES; lane++) {
                const int slot = matrix->slot[shuffle][lane];
                given[lane] = (int8_t)(slot < 0 ? lane : after->origin[slot][lane]);
            }
            for (int lane = 0; lane < WARP_LANES; lane++)
                if (matrix->slot[shuffle][lane] >= 0)
                    after->origin[matrix->slot[shuffle][lane]][lane] =
                        given[matrix->source[shuffle][lane]];
        }
    }
}

static bool matrix_read(struct matrix *matrix) {
    const struct rounds *rounds = matrix->rounds;
    int32_t width;
    if (rounds->before || rounds->after || rounds->count >= LEVELS_MAX || !read_end(matrix) ||
        !undo_rounds(matrix))
        return false;
    follow_origins(matrix);
    matrix->levels = rounds->count + 1;
    matrix->tile = WARP_LANES;
    if (warp_agree(rounds->round[0].operation.width, rounds->round[0].operation.present, &width) &&
        warp_width_is_defined(width))
        matrix->tile = width;
    return true;
}

/* ---- drawing ---- */

static int longest_value(const struct matrix *matrix) {
    char text[WARP_VALUE_TEXT];
    int longest = 1;
    for (int i = 0; i < matrix->registers; i++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            const int length =
                (int)strlen(warp_value_format(matrix->type, matrix->level[0].value[i][lane], text));
            longest = length > longest ? length : longest;
        }
    return longest;
}

static void draw_lane(struct area area, int y, const struct matrix *matrix, int lane, int level,
                      int cell) {
    const struct level *shown = &matrix->level[level];
    char text[WARP_VALUE_TEXT];
    for (int i = 0; i < matrix->registers; i++) {
        const bool moved = level > 0 && shown->value[i][lane] != shown[-1].value[i][lane];
        struct style style = {STYLE_GROUP, (uint8_t)(shown->origin[i][lane] % matrix->tile), 0};
        style = style_with(style, moved || level == 0 ? STYLE_BOLD : 0u);
        if (!(matrix->rounds->round[0].operation.present >> lane & 1))
            draw_value(area, i * cell, y, cell, "·", style_role(STYLE_ABSENT));
        else
            draw_value(area, i * cell, y, cell,
                       warp_value_format(matrix->type, shown->value[i][lane], text), style);
    }
    if (moment_selects(matrix->moment, lane))
        area_flag(area, 0, y, matrix->registers * cell, 1, STYLE_SELECTED);
    area_hit(area, 0, y, matrix->registers * cell, 1, ACTION_LANE_GO, lane);
}

/* The round that leads to a level: "^2", in the middle of the rows before its matrix. */
static void draw_sign(struct area area, const struct matrix *matrix, int level) {
    const struct round *round = &matrix->rounds->round[level - 1];
    int32_t distance;
    char label[16];
    const char sign = explain_sign(round->operation.op);
    if (warp_agree(round->operation.arg, round->operation.present, &distance))
        snprintf(label, sizeof label, "%c%d", sign, distance);
    else
        snprintf(label, sizeof label, "%c", sign);
    area_text(area, (area.columns - utf8_columns(label)) / 2, 0, label,
              style_role(level - 1 == matrix->rounds->current ? STYLE_ACTIVE : STYLE_LABEL));
    area_hit(area, 0, 0, area.columns, 1, ACTION_OPERATION_GO, (int64_t)round->first);
}

static void draw_names(struct area area, const struct matrix *matrix, int cell) {
    for (int i = 0; i < matrix->registers; i++)
        draw_value(area, i * cell, 0, cell, matrix->name[i], style_role(STYLE_LABEL));
}

/* Lanes from `first` on, with a blank row between groups. */
static void draw_tiles(struct area area, const struct matrix *matrix, int first, int cell,
                       int levels) {
    const int columns = matrix->registers * cell;
    area_text(area, 2, 0, _("lane"), style_role(STYLE_LABEL));
    for (int level = 0; level < levels; level++) {
        const int x = LABEL_COLUMNS + level * (columns + SIGN_COLUMNS);
        draw_names(area_within(area, x, 0, columns, 1), matrix, cell);
        if (level > 0)
            draw_sign(area_within(area, x - SIGN_COLUMNS, 0, SIGN_COLUMNS + 1, 1), matrix, level);
        int y = HEAD_ROWS;
        for (int lane = first; lane < WARP_LANES && y < area.rows; lane++) {
            y += lane > first && lane % matrix->tile == 0;
            if (y >= area.rows)
                break;
            draw_lane(area_within(area, x, 0, columns, area.rows), y, matrix, lane, level, cell);
            if (level == 0) {
                area_format(area, 3, y, moment_number_style(matrix->moment, lane), "%3d", lane);
                area_hit(area, 0, y, LABEL_COLUMNS, 1, ACTION_LANE_GO, lane);
            }
            y++;
        }
    }
}

/* The first lane shown, so that the selected one is visible. */
static int first_lane(const struct matrix *matrix, int rows) {
    const int lane = matrix->moment->replay->lane, group = matrix->tile + 1;
    const int groups = (rows + 1) / group;
    if (groups < 1)
        return lane < rows ? 0 : lane - rows + 1;
    const int at = lane / matrix->tile;
    return at < groups ? 0 : (at - groups + 1) * matrix->tile;
}

bool draw_matrix(struct area area, const struct moment *moment, const struct rounds *rounds) {
    struct matrix matrix = {.moment = moment, .rounds = rounds};
    if (moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_CALL) || !matrix_read(&matrix))
        return false;
    const bool open = moment->hide & (REPLAY_HIDES_READS | REPLAY_HIDES_OUT | REPLAY_HIDES_LATER);
    const int levels = open ? rounds->current + 1 : matrix.levels;
    const int room = area.columns - LABEL_COLUMNS - (matrix.levels - 1) * SIGN_COLUMNS - 1;
    int cell = room / (matrix.levels * matrix.registers);
    if (cell <= longest_value(&matrix))
        return false;
    cell = cell > CELL_MOST ? CELL_MOST : cell;
    draw_tiles(area, &matrix, first_lane(&matrix, area.rows - HEAD_ROWS), cell, levels);
    return true;
}
