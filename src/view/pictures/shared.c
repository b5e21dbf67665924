/*
 * An access to memory: rows of 32 words. In shared memory a column is a bank:
 *
 *     32-way bank conflict: all 32 lanes in bank 0; 32 passes instead of 1
 *     bank    0 1 2 3 4 5       31
 *     ways   32                        how many passes the bank needs
 *       +0    0 . . . . .        .     tile: the lane that accesses the word
 *     +128    1 . . . . .        .
 *
 * For global memory a row is a line, in four sectors of 32 bytes, followed by the number of them
 * that the access takes; words of a sector that no lane asks for have a sign:
 *
 *     8 sectors of 32 bytes instead of 4: lanes ask for 128 of these 256 bytes
 *            sector 0                 sector 1
 *       +0    0 ~ 1 ~ 2 ~ 3 ~          4 ~ 5 ~ 6 ~ 7 ~   ...   4
 *
 * Before the access the cells show which lane wrote each word last, then which lane accesses it,
 * afterwards its value, if that fits. If memory has more rows than the picture, those of the access
 * are shown, around the selected lane's.
 */
#include "base/memory.h"
#include "base/message.h"
#include "explain/explain.h"
#include "view/pictures/network.h"
#include "warp/banks.h"
#include "warp/sectors.h"

#include <stdio.h>
#include <stdlib.h>

#define LABEL        7 /* cells before the first bank */
#define HEAD         3 /* rows above the memory; one more where columns are narrow */
#define PITCH_CLEAR  3 /* numbers of two digits need space between them */
#define PITCH_MOST   6
#define ROWS_LEAST   4 /* rows of a figure around the accessed one */
#define ROWS_MOST    64
#define SEVERAL      (-2)
#define SECTOR_WORDS (WARP_SECTOR_BYTES / WARP_BANK_BYTES)
#define GAPS_MOST    2 /* cells between sectors */
#define COUNT_WIDTH  3 /* the number of sectors of a line */

struct sheet {
    const struct moment *moment;
    bool is_global;
    struct bank_use use;       /* of shared memory */
    struct sector_use sectors; /* of global memory */
    int pitch;
    int gap;                      /* cells between sectors, or eight banks */
    int number_rows;              /* rows in which the columns' numbers alternate */
    int head;                     /* rows above the memory */
    int accessed, first_accessed; /* rows that the access is in; the first of them shown */
    bool above, below;            /* the variable or the access continues beyond the shown rows */
    int rows;                     /* that are shown */
    int32_t row[ROWS_MOST];       /* their offsets in shared memory */
    int lane[ROWS_MOST][WARP_BANKS]; /* the lane that accesses the word; -1 for none; SEVERAL */
    struct shared_word *words;       /* WARP_BANKS for each row */
    bool values;                     /* cells hold values */
    bool is_written;                 /* the writer of some word is known */
};

static const struct warp_operation *operation_of(const struct sheet *sheet) {
    return sheet->moment->operation;
}

/* ---- choice of rows ---- */

static int32_t first_row(const struct warp_operation *operation, int lane) {
    return operation->arg[lane] / WARP_ROW_BYTES;
}

static int32_t last_row(const struct warp_operation *operation, int lane) {
    return (operation->arg[lane] + operation->width[lane] - 1) / WARP_ROW_BYTES;
}

static int by_number(const void *a, const void *b) {
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return one < other ? -1 : one > other;
}

/* Lists the rows of the access, each once, in order. Returns their number. */
static int touched_rows(const struct moment *moment, int32_t rows[2 * WARP_LANES]) {
    int count = 0, kept = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (moment_present(moment, lane)) {
            rows[count++] = first_row(moment->operation, lane);
            rows[count++] = last_row(moment->operation, lane);
        }
    qsort(rows, (size_t)count, sizeof *rows, by_number);
    for (int i = 0; i < count; i++)
        if (i == 0 || rows[i] != rows[kept - 1])
            rows[kept++] = rows[i];
    return kept;
}

static int32_t clamp(int64_t value, int64_t least, int64_t most) {
    return (int32_t)(value > most ? most : value < least ? least : value);
}

/* Selects all rows between the first and the last, with their neighbours in the variable. */
static void choose_range(struct sheet *sheet, int32_t first, int32_t last, int room) {
    const struct shared_variable *variable = &sheet->moment->variable;
    const int32_t begin = variable->offset / WARP_ROW_BYTES;
    int32_t end = last; /* of the known part */
    if (variable->is_known && variable->size < INT32_MAX / 2)
        end = (int32_t)((variable->offset + variable->size - 1) / WARP_ROW_BYTES);
    end = end < last ? last : end;
    const int32_t most = end - begin + 1 < room ? end - begin + 1 : room;
    const int32_t start = clamp((first + last + 1 - (int64_t)most) / 2, begin, end - most + 1);
    for (sheet->rows = 0; sheet->rows < most; sheet->rows++)
        sheet->row[sheet->rows] = (start + sheet->rows) * WARP_ROW_BYTES;
    sheet->above = start > begin;
    sheet->below = start + most - 1 < end;
}

static void choose_rows(struct sheet *sheet, int room) {
    const struct moment *moment = sheet->moment;
    int32_t touched[2 * WARP_LANES];
    const int count = touched_rows(moment, touched), lane = moment->replay->lane;
    room = room > ROWS_MOST ? ROWS_MOST : room;
    sheet->accessed = count;
    sheet->first_accessed = 0;
    if (touched[count - 1] - touched[0] < room) {
        choose_range(sheet, touched[0], touched[count - 1], room);
        return;
    }
    int here = 0;
    while (here + 1 < count && moment_present(moment, lane) &&
           touched[here] < first_row(moment->operation, lane))
        here++;
    const int shown = count < room ? count : room;
    const int start = clamp(here - shown / 2, 0, count - shown);
    for (sheet->rows = 0; sheet->rows < shown; sheet->rows++)
        sheet->row[sheet->rows] = touched[start + sheet->rows] * WARP_ROW_BYTES;
    sheet->first_accessed = start;
    sheet->above = start > 0;
    sheet->below = start + shown < count;
}

/* ---- content of cells ---- */

static void place_lanes(struct sheet *sheet) {
    const struct warp_operation *operation = operation_of(sheet);
    for (int row = 0; row < sheet->rows; row++)
        for (int bank = 0; bank < WARP_BANKS; bank++)
            sheet->lane[row][bank] = -1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!moment_present(sheet->moment, lane))
            continue;
        const int32_t first = operation->arg[lane] / WARP_BANK_BYTES;
        const int32_t last = (operation->arg[lane] + operation->width[lane] - 1) / WARP_BANK_BYTES;
        for (int32_t word = first; word <= last; word++)
            for (int row = 0; row < sheet->rows; row++)
                if (sheet->row[row] == word / WARP_BANKS * WARP_ROW_BYTES) {
                    int *at = &sheet->lane[row][word % WARP_BANKS];
                    *at = *at == -1 ? lane : SEVERAL;
                }
    }
}

static char *format_word(const struct shared_word *word, char text[WARP_VALUE_TEXT]) {
    const unsigned bits = warp_type_info(word->type)->bits;
    text[0] = '\0';
    if (word->is_known)
        warp_value_format(bits == 32 ? word->type : WARP_TYPE_UNSIGNED, word->value, text);
    return text;
}

/* Finds each word's value, if all shown values fit in the cells. */
static void find_words(struct sheet *sheet) {
    const struct cursor *cursor = &sheet->moment->replay->cursor;
    const bool after = sheet->moment->phase == PHASE_AFTER;
    int widest = 0;
    sheet->words = memory_zeroed((size_t)sheet->rows * WARP_BANKS, sizeof *sheet->words);
    for (int row = 0; row < sheet->rows;) {
        int next = row + 1; /* consecutive rows are looked up together */
        while (next < sheet->rows && sheet->row[next] == sheet->row[next - 1] + WARP_ROW_BYTES)
            next++;
        shared_words(cursor->trace, &cursor->step, cursor->step.number + after, sheet->row[row],
                     (next - row) * WARP_BANKS, sheet->words + row * WARP_BANKS);
        row = next;
    }
    for (int i = 0; i < sheet->rows * WARP_BANKS; i++) {
        char text[WARP_VALUE_TEXT];
        const int columns = utf8_columns(format_word(&sheet->words[i], text));
        widest = columns > widest ? columns : widest;
        sheet->is_written = sheet->is_written || sheet->words[i].is_known;
    }
    sheet->values = after && widest > 0 && widest <= (sheet->pitch > 2 ? sheet->pitch - 1 : 2) &&
                    !(sheet->moment->hide & REPLAY_HIDES_OUT);
}

/* ---- drawing ---- */

/* The first cell of a column of words. */
static int column_at(const struct sheet *sheet, int bank) {
    return LABEL + bank * sheet->pitch + bank / SECTOR_WORDS * sheet->gap;
}

static void draw_cell(struct area area, const struct sheet *sheet, int bank, int y,
                      const char *text, struct style style) {
    const int end = column_at(sheet, bank) + sheet->pitch;
    if (sheet->pitch == 1)
        area_glyph(area, end - 1, y,
                   *text == '.'   ? 0xb7
                   : *text == '~' ? '~'
                   : *text        ? '#'
                                  : ' ',
                   style);
    else if (*text == '.')
        area_glyph(area, end - 1, y, 0xb7, style);
    else
        area_text(area, end - utf8_columns(text), y, text, style);
}

static void draw_number(struct area area, const struct sheet *sheet, int bank, int y, int number,
                        struct style style) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    draw_cell(area, sheet, bank, y, text, style);
}

/* Numbers of two digits would touch each other in narrow columns: they alternate in two rows. */
static void draw_column_number(struct area area, const struct sheet *sheet, int bank, int y,
                               struct style style) {
    if (sheet->pitch > 1)
        draw_number(area, sheet, bank, y + bank % sheet->number_rows, bank, style);
}

static bool is_worst(const struct sheet *sheet, int bank) {
    return sheet->use.ways > 1 && sheet->use.count[bank] == sheet->use.ways;
}

static void draw_banks(struct area area, const struct sheet *sheet) {
    const bool shown = moment_shows_address(sheet->moment);
    area_text(area, 1, sheet->number_rows, _("bank"), style_role(STYLE_LABEL));
    if (shown)
        area_text(area, 1, sheet->head - 1, _("ways"), style_role(STYLE_LABEL));
    for (int bank = 0; bank < WARP_BANKS; bank++) {
        const int ways = sheet->use.count[bank];
        const bool worst = shown && is_worst(sheet, bank);
        const struct style style =
            worst ? style_with(style_bold(STYLE_BAD), STYLE_REVERSE) : style_role(STYLE_LABEL);
        draw_column_number(area, sheet, bank, 1, style);
        if (sheet->pitch == 1 && bank % SECTOR_WORDS == 0)
            draw_number(area, sheet, bank, 1, bank / SECTOR_WORDS, style);
        if (shown && ways > 0)
            draw_number(area, sheet, bank, sheet->head - 1, ways,
                        ways > 1 ? style_bold(STYLE_BAD) : style_role(STYLE_DIM));
    }
}

/* True if the access takes the sector of a word. */
static bool takes_sector(const struct sheet *sheet, int row, int bank) {
    const int32_t sector = warp_sector(sheet->row[row] + bank * WARP_BANK_BYTES);
    for (int i = 0; i < sheet->sectors.sectors; i++)
        if (sheet->sectors.sector[i] == sector)
            return true;
    return false;
}

static void draw_sectors(struct area area, const struct sheet *sheet) {
    for (int bank = 0; bank < WARP_BANKS; bank++) {
        if (bank % SECTOR_WORDS == 0) {
            char text[32];
            utf8_format(text, sizeof text, _("sector %d"), bank / SECTOR_WORDS);
            area_text(area, column_at(sheet, bank) + (sheet->pitch > 1), 1, text,
                      style_role(STYLE_LABEL));
        }
        draw_column_number(area, sheet, bank, 2, style_role(STYLE_LABEL));
    }
}

/* The number of sectors of its line that the access takes. */
static void draw_count(struct area area, const struct sheet *sheet, int row, int y) {
    char text[16];
    int count = 0;
    for (int bank = 0; bank < WARP_BANKS; bank += SECTOR_WORDS)
        count += takes_sector(sheet, row, bank);
    if (count == 0 || !moment_shows_address(sheet->moment))
        return;
    snprintf(text, sizeof text, "%d", count);
    area_text(area, column_at(sheet, WARP_BANKS - 1) + sheet->pitch + COUNT_WIDTH - 1, y, text,
              style_role(STYLE_LABEL));
}

static bool is_in_variable(const struct sheet *sheet, int row, int bank) {
    const struct shared_variable *variable = &sheet->moment->variable;
    const int64_t at = (int64_t)sheet->row[row] + bank * WARP_BANK_BYTES;
    return at >= variable->offset && at < variable->offset + variable->size;
}

/* The cell of a word: its writer, its accessing lane, or its value. */
static void draw_word(struct area area, const struct sheet *sheet, int row, int bank, int y) {
    const struct moment *moment = sheet->moment;
    const struct shared_word *word = &sheet->words[row * WARP_BANKS + bank];
    const int lane = sheet->lane[row][bank];
    char text[WARP_VALUE_TEXT] = "";
    struct style style = style_role(STYLE_DIM);
    if (sheet->values) {
        format_word(word, text);
        style = lane == -1 ? style_role(STYLE_DIM) : style_bold(STYLE_CHANGED);
    } else if (!moment_shows_address(moment)) {
        if (word->is_known)
            snprintf(text, sizeof text, "%d", word->lane);
        style = (struct style){STYLE_GROUP, (uint8_t)(word->warp % WARP_LANES), 0};
    } else if (lane != -1) {
        snprintf(text, sizeof text, lane == SEVERAL ? "**" : "%d", lane);
        style = style_role(sheet->use.count[bank] > 1 ? STYLE_BAD : STYLE_ACTIVE);
    } else if (sheet->is_global && takes_sector(sheet, row, bank)) {
        strcpy(text, "~");
        style = style_role(STYLE_BAD);
    }
    if (!text[0] && is_in_variable(sheet, row, bank)) {
        strcpy(text, ".");
        style = style_role(STYLE_DIM);
    }
    /* Narrow cells touch each other, so every other one is bold. */
    if (bank % sheet->number_rows == 0 && (lane != -1 || !moment_shows_address(moment)))
        style = style_with(style, STYLE_BOLD);
    draw_cell(area, sheet, bank, y, text, style);
    if (lane >= 0)
        area_hit(area, column_at(sheet, bank), y, sheet->pitch, 1, ACTION_LANE_GO, lane);
}

/* The selected lane's words. */
static void mark_selected(struct area area, const struct sheet *sheet) {
    const struct warp_operation *operation = operation_of(sheet);
    const int lane = sheet->moment->replay->lane;
    if (!moment_selects(sheet->moment, lane) || !moment_present(sheet->moment, lane) ||
        !moment_shows_address(sheet->moment))
        return;
    const int32_t first = operation->arg[lane] / WARP_BANK_BYTES;
    const int32_t last = (operation->arg[lane] + operation->width[lane] - 1) / WARP_BANK_BYTES;
    for (int row = 0; row < sheet->rows; row++)
        for (int32_t word = first; word <= last; word++)
            if (sheet->row[row] == word / WARP_BANKS * WARP_ROW_BYTES)
                area_flag(area, column_at(sheet, word % WARP_BANKS), sheet->head + row,
                          sheet->pitch, 1, STYLE_SELECTED);
}

static const char *legend(const struct sheet *sheet) {
    if (sheet->values)
        return _("in the cells: what each word holds");
    if (!moment_shows_address(sheet->moment) && !sheet->is_written)
        return _("before the access: no known writes here");
    if (!moment_shows_address(sheet->moment))
        return _("in the cells: the lane that wrote the word last (its colour: the warp)");
    const bool waste = sheet->is_global && sheet->sectors.sectors > sheet->sectors.least;
    switch (operation_of(sheet)->op) {
    case WARP_OP_GLOBAL_READ:
        return waste ? _("in the cells: the reading lane; ~ fetched, not read; right: sectors")
                     : _("in the cells: the reading lane; ** several; right: sectors");
    case WARP_OP_GLOBAL_WRITE:
        return waste ? _("in the cells: the writing lane; ~ in the same sector; right: sectors")
                     : _("in the cells: the writing lane; ** several, one wins; right: sectors");
    case WARP_OP_GLOBAL_ATOMIC:
        return _("in the cells: the changing lane; ** several, in turn; right: sectors");
    case WARP_OP_SHARED_READ:
        return _("in the cells: the lane that reads the word; ** several, in one read");
    case WARP_OP_SHARED_WRITE:
        return _("in the cells: the lane that writes the word; ** several, of which one wins");
    default:
        return _("in the cells: the lane that changes the word; ** several, one after the other");
    }
}

static void draw_row(struct area area, const struct sheet *sheet, int row, int y) {
    const struct shared_variable *variable = &sheet->moment->variable;
    const bool gap = row > 0 && sheet->row[row] != sheet->row[row - 1] + WARP_ROW_BYTES;
    char label[32];
    snprintf(label, sizeof label, "%+d", sheet->row[row] - variable->offset);
    draw_value(area, 0, y, LABEL - 1, label, style_role(gap ? STYLE_KEY : STYLE_LABEL));
    for (int bank = 0; bank < WARP_BANKS; bank++)
        draw_word(area, sheet, row, bank, y);
    if (sheet->is_global)
        draw_count(area, sheet, row, y);
}

/* Gives each word its cells, and the gaps between sectors those that are left. */
static void spread(struct sheet *sheet, int columns) {
    const int room = columns - LABEL - 1 - (sheet->is_global ? COUNT_WIDTH : 0);
    const int gaps = WARP_BANKS / SECTOR_WORDS - 1;
    sheet->pitch = clamp(room / WARP_BANKS, 1, PITCH_MOST);
    if (sheet->is_global || sheet->pitch == 2)
        sheet->gap = clamp((room - sheet->pitch * WARP_BANKS) / gaps, 0, GAPS_MOST);
    sheet->number_rows = sheet->pitch == 2 ? 2 : 1;
    sheet->head = HEAD + sheet->number_rows - 1;
}

/* Draws signs at the edge if there are more rows and, in row y unless that is -1, how to get
 * there. */
static void draw_more(struct area area, const struct sheet *sheet, int y) {
    const struct style accessed = style_role(sheet->rows < sheet->accessed ? STYLE_KEY : STYLE_DIM);
    if (sheet->above)
        area_glyph(area, 0, sheet->head, 0x2191, accessed);
    if (sheet->below)
        area_glyph(area, 0, sheet->head + sheet->rows - 1, 0x2193, accessed);
    if (y < 0)
        return;
    char text[160];
    utf8_format(text, sizeof text,
                _("rows %d-%d of the %d accessed; another lane (↓ ↑) shows its row"),
                sheet->first_accessed + 1, sheet->first_accessed + sheet->rows, sheet->accessed);
    area_text_clipped(area, 1, y, area.columns - 2, text, style_role(STYLE_KEY));
}

void memory_natural_size(const struct moment *moment, int *columns, int *rows) {
    const bool is_global = warp_op_is_global(moment->operation->op);
    const int widest =
        moment->in_columns > moment->out_columns ? moment->in_columns : moment->out_columns;
    int32_t touched[2 * WARP_LANES];
    const int count = touched_rows(moment, touched);
    const int32_t span = count ? touched[count - 1] - touched[0] + 1 : 1;
    *columns = LABEL + 1 + WARP_BANKS * clamp(widest + 1, PITCH_CLEAR, PITCH_MOST);
    if (is_global)
        *columns += (WARP_BANKS / SECTOR_WORDS - 1) * GAPS_MOST + COUNT_WIDTH;
    *rows = HEAD + clamp(span <= ROWS_MOST ? span : count, ROWS_LEAST, ROWS_MOST) + 1;
}

void draw_memory(struct area area, const struct moment *moment) {
    struct sheet sheet = {.moment = moment};
    char banks[EXPLAIN_COST_TEXT];
    int32_t touched[2 * WARP_LANES];
    if (!moment->present)
        return;
    sheet.is_global = warp_op_is_global(moment->operation->op);
    spread(&sheet, area.columns);
    if (area.rows < sheet.head + 1)
        return;
    if (sheet.is_global)
        warp_sector_use(moment->operation, &sheet.sectors);
    else
        warp_bank_use(moment->operation, &sheet.use);
    const bool has_legend = area.rows > sheet.head + 2;
    const int room = area.rows - sheet.head - has_legend;
    const bool has_more = room > 3 && touched_rows(moment, touched) > room;
    choose_rows(&sheet, room - has_more);
    place_lanes(&sheet);
    find_words(&sheet);
    if (moment_shows_address(moment))
        area_text_clipped(area, 1, 0, area.columns - 2, explain_cost(moment->operation, banks),
                          sheet.use.ways > 1 || sheet.sectors.sectors > sheet.sectors.least
                              ? style_bold(STYLE_BAD)
                              : style_role(STYLE_GOOD));
    else
        area_text_clipped(area, 1, 0, area.columns - 2, moment->variable.name,
                          style_role(STYLE_TERM));
    if (sheet.is_global)
        draw_sectors(area, &sheet);
    else
        draw_banks(area, &sheet);
    for (int row = 0; row < sheet.rows; row++)
        draw_row(area, &sheet, row, sheet.head + row);
    mark_selected(area, &sheet);
    draw_more(area, &sheet, has_more ? sheet.head + sheet.rows : -1);
    if (has_legend)
        area_text_clipped(area, 1, sheet.head + sheet.rows + has_more, area.columns - 2,
                          legend(&sheet), style_role(STYLE_DIM));
    free(sheet.words);
}
