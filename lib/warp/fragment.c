/*
 * The layouts as a table. Reading an instruction's name goes through its words once, then looks for
 * the row; all queries about a fragment are answered from its layout.
 */
#include "warp/fragment.h"

#include "warp/warp.h"

#include <assert.h>
#include <string.h>

#define BIT(type) (1u << FRAGMENT_##type)

static const struct fragment_type_info types[] = {
    [FRAGMENT_F16] = {"f16", 16}, [FRAGMENT_BF16] = {"bf16", 16}, [FRAGMENT_TF32] = {"tf32", 32},
    [FRAGMENT_F64] = {"f64", 64}, [FRAGMENT_S8] = {"s8", 8},      [FRAGMENT_U8] = {"u8", 8},
    [FRAGMENT_F32] = {"f32", 32}, [FRAGMENT_S32] = {"s32", 32},   [FRAGMENT_B16] = {"b16", 16},
};

/* Layouts that several rows share. */
#define QUAD_8x4   "((4,8),1):((8,1),0)"           /* one element per lane */
#define PAIR_8x8   "((4,8),2):((16,1),8)"          /* two neighbours */
#define FOUR_8x16  "((4,8),4):((32,1),8)"          /* four neighbours */
#define TWO_16x4   "((4,8),2):((16,1),8)"          /* an element and one eight rows below */
#define PAIRS_16x8 "((4,8),(2,2)):((32,1),(16,8))" /* two neighbours, two eight rows below */
#define FOUR_16x8  "((4,8),(2,2)):((16,1),(8,64))" /* two eight rows apart, two four columns on */
#define EACH_16x16 "((4,8),(2,4)):((16,1),(8,64))" /* two eight rows apart, every four columns */
#define TWO_8x8    "((4,8),2):((8,1),32)"
#define EACH_8x16  "((4,8),4):((8,1),32)"
/* Four products of 8 by 4 or 8 by 8: the second number of the lanes counts them. */
#define ROWS_8x4  "((4,4,2),4):((1,32,4),8)"
#define COLS_8x4  "((4,4,2),4):((8,32,4),1)"
#define SUM16_8x8 "((4,4,2),8):((1,64,4),8)"
#define SUM32_8x8 "((2,2,4,2),(2,2,2)):((1,16,64,4),(8,2,32))"

static const struct mma_row {
    const char *shape;
    int m, n, k, products, architecture;
    unsigned factors,
        sums; /* bits of the types; the lowest bit of `sums` that is not f16 is the default */
    const char *a, *b, *c;
} rows[] = {
    {"m16n8k16", 16, 8, 16, 1, 80, BIT(F16), BIT(F16) | BIT(F32),
     "((4,8),(2,2,2)):((32,1),(16,8,128))", "((4,8),(2,2)):((16,1),(8,64))", PAIRS_16x8},
    {"m16n8k16", 16, 8, 16, 1, 80, BIT(BF16), BIT(F32), "((4,8),(2,2,2)):((32,1),(16,8,128))",
     "((4,8),(2,2)):((16,1),(8,64))", PAIRS_16x8},
    {"m16n8k16", 16, 8, 16, 1, 80, BIT(S8) | BIT(U8), BIT(S32), "((4,8),(4,2)):((64,1),(16,8))",
     FOUR_8x16, PAIRS_16x8},
    {"m16n8k16", 16, 8, 16, 1, 90, BIT(F64), BIT(F64), EACH_16x16, EACH_8x16, PAIRS_16x8},
    {"m16n8k8", 16, 8, 8, 1, 75, BIT(F16), BIT(F16) | BIT(F32), PAIRS_16x8, PAIR_8x8, PAIRS_16x8},
    {"m16n8k8", 16, 8, 8, 1, 80, BIT(BF16), BIT(F32), PAIRS_16x8, PAIR_8x8, PAIRS_16x8},
    {"m16n8k8", 16, 8, 8, 1, 80, BIT(TF32), BIT(F32), FOUR_16x8, TWO_8x8, PAIRS_16x8},
    {"m16n8k8", 16, 8, 8, 1, 90, BIT(F64), BIT(F64), FOUR_16x8, TWO_8x8, PAIRS_16x8},
    {"m16n8k4", 16, 8, 4, 1, 80, BIT(TF32), BIT(F32), TWO_16x4, QUAD_8x4, PAIRS_16x8},
    {"m16n8k4", 16, 8, 4, 1, 90, BIT(F64), BIT(F64), TWO_16x4, QUAD_8x4, PAIRS_16x8},
    {"m16n8k32", 16, 8, 32, 1, 80, BIT(S8) | BIT(U8), BIT(S32),
     "((4,8),(4,2,2)):((64,1),(16,8,256))", "((4,8),(4,2)):((32,1),(8,128))", PAIRS_16x8},
    {"m8n8k16", 8, 8, 16, 1, 75, BIT(S8) | BIT(U8), BIT(S32), FOUR_8x16, FOUR_8x16, PAIR_8x8},
    {"m8n8k4", 8, 8, 4, 4, 70, BIT(F16), BIT(F16) | BIT(F32), ROWS_8x4, ROWS_8x4, SUM32_8x8},
    {"m8n8k4", 8, 8, 4, 1, 80, BIT(F64), BIT(F64), QUAD_8x4, QUAD_8x4, PAIR_8x8},
};

/* wmma, as an H100 and an H200 lay it out. */
#define BITS_16x16 "((4,8),(2,2,2)):((32,1),(16,8,128))"
#define BITS_32x16 "((4,8),(2,2,2,2)):((64,1),(32,8,256,16))"
#define TURN_16x16 "((4,8),(2,2,2)):((32,1),(16,128,8))" /* along k first */
#define CHAR_16x16 "((4,8),(4,2)):((64,1),(16,8))"
#define CHAR_32x16 "((4,8),(4,2,2)):((128,1),(32,8,16))"
#define SUM_32x8   "((4,8),(2,2,2)):((64,1),(32,8,16))"
#define SUM_8x32   "((4,8),(2,2,2)):((2,8),(1,64,128))"
#define HALF_SUMS  (BIT(F16) | BIT(F32))
#define CHARS      (BIT(S8) | BIT(U8))

static const struct mma_row wmma_rows[] = {
    {"m16n16k16", 16, 16, 16, 1, 70, BIT(F16), HALF_SUMS, BITS_16x16, TURN_16x16, BITS_16x16},
    {"m16n16k16", 16, 16, 16, 1, 80, BIT(BF16), BIT(F32), BITS_16x16, TURN_16x16, BITS_16x16},
    {"m16n16k16", 16, 16, 16, 1, 72, CHARS, BIT(S32), CHAR_16x16, CHAR_16x16, BITS_16x16},
    {"m32n8k16", 32, 8, 16, 1, 70, BIT(F16), HALF_SUMS, BITS_32x16, FOUR_16x8, SUM_32x8},
    {"m32n8k16", 32, 8, 16, 1, 80, BIT(BF16), BIT(F32), BITS_32x16, FOUR_16x8, SUM_32x8},
    {"m32n8k16", 32, 8, 16, 1, 72, CHARS, BIT(S32), CHAR_32x16, FOUR_8x16, SUM_32x8},
    {"m8n32k16", 8, 32, 16, 1, 70, BIT(F16), HALF_SUMS, FOUR_16x8, BITS_32x16, SUM_8x32},
    {"m8n32k16", 8, 32, 16, 1, 80, BIT(BF16), BIT(F32), FOUR_16x8, BITS_32x16, SUM_8x32},
    {"m8n32k16", 8, 32, 16, 1, 72, CHARS, BIT(S32), FOUR_8x16, CHAR_32x16, SUM_8x32},
    {"m16n16k8", 16, 16, 8, 1, 80, BIT(TF32), BIT(F32), FOUR_16x8, "((4,8),(2,2)):((16,1),(64,8))",
     BITS_16x16},
    {"m8n8k4", 8, 8, 4, 1, 80, BIT(F64), BIT(F64), QUAD_8x4, QUAD_8x4, PAIR_8x8},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const struct fragment_type_info *fragment_type_info(enum fragment_type type) {
    return (unsigned)type < FRAGMENT_TYPE_COUNT ? &types[type] : NULL;
}

static bool is_word(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

int fragment_type_find(const char *name, size_t length) {
    for (int type = 0; type < FRAGMENT_TYPE_COUNT; type++)
        if (is_word(name, length, types[type].name))
            return type;
    return -1;
}

/* ---- fragments ---- */

static void set_layout(struct fragment *fragment, const char *text) {
    const char *where;
    const enum layout_fault fault = layout_read(&fragment->layout, text, &where);
    assert(fault == LAYOUT_GOOD);
    (void)fault;
}

int fragment_elements(const struct fragment *fragment) {
    return (int)layout_size(&fragment->layout.values);
}

int fragment_per_register(const struct fragment *fragment) {
    const unsigned bits = types[fragment->type].bits;
    return bits > 32 ? 1 : (int)(32 / bits);
}

struct fragment_cell fragment_cell(const struct fragment *fragment, int lane, int element) {
    const int index = (int)layout_index(&fragment->layout, (uint32_t)lane, (uint32_t)element);
    const int size = fragment->rows * fragment->columns, within = index % size;
    struct fragment_cell cell = {.matrix = index / size};
    if (fragment->counts_columns) {
        cell.row = within / fragment->columns;
        cell.column = within % fragment->columns;
    } else {
        cell.row = within % fragment->rows;
        cell.column = within / fragment->rows;
    }
    return cell;
}

struct fragment_holder fragment_holder(const struct fragment *fragment, struct fragment_cell cell) {
    const int elements = fragment_elements(fragment);
    const int within = fragment->counts_columns ? cell.row * fragment->columns + cell.column
                                                : cell.column * fragment->rows + cell.row;
    const int index = cell.matrix * fragment->rows * fragment->columns + within;
    uint32_t found_lane, found_value;
    if (cell.matrix < 0 || cell.row < 0 || cell.row >= fragment->rows || cell.column < 0 ||
        cell.column >= fragment->columns)
        return (struct fragment_holder){-1, -1};
    if (layout_find(&fragment->layout, (uint32_t)index, &found_lane, &found_value))
        return (struct fragment_holder){(int)found_lane, (int)found_value};
    for (int lane = 0; lane < (int)layout_size(&fragment->layout.lanes); lane++)
        for (int element = 0; element < elements; element++) {
            const struct fragment_cell at = fragment_cell(fragment, lane, element);
            if (at.matrix == cell.matrix && at.row == cell.row && at.column == cell.column)
                return (struct fragment_holder){lane, element};
        }
    return (struct fragment_holder){-1, -1};
}

/* ---- mma.sync ---- */

static const struct mma_row *rows_of(bool is_wmma, size_t *count) {
    *count = is_wmma ? COUNT(wmma_rows) : COUNT(rows);
    return is_wmma ? wmma_rows : rows;
}

const char *mma_shape(bool is_wmma, size_t index) {
    size_t count;
    const struct mma_row *row = rows_of(is_wmma, &count);
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || strcmp(row[i].shape, row[i - 1].shape) != 0) && index-- == 0)
            return row[i].shape;
    return NULL;
}

unsigned mma_shape_types(bool is_wmma, const char *shape) {
    size_t count;
    const struct mma_row *row = rows_of(is_wmma, &count);
    unsigned found = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(row[i].shape, shape) == 0)
            found |= row[i].factors;
    return found;
}

struct name {
    const char *shape, *layout; /* words in the text; NULL: none */
    size_t shape_length;
    int types[4], type_count, layout_count;
    bool by_columns[2], saturates, is_wmma;
};

/* Takes a word of an instruction's name; false if the word cannot occur in it. */
static bool take_word(struct name *name, const char *word, size_t length) {
    static const char *const plain[] = {"mma", "sync", "aligned"};
    const int type = fragment_type_find(word, length);
    for (size_t i = 0; i < COUNT(plain); i++)
        if (is_word(word, length, plain[i]))
            return true;
    if (is_word(word, length, "wmma"))
        return name->is_wmma = true;
    if (type >= 0 && type != FRAGMENT_B16 && name->type_count < 4) {
        name->types[name->type_count++] = type;
        return true;
    }
    const bool by_columns = is_word(word, length, "col");
    if ((by_columns || is_word(word, length, "row")) && name->layout_count < 2) {
        name->layout = name->layout ? name->layout : word;
        name->by_columns[name->layout_count++] = by_columns;
        return true;
    }
    if (is_word(word, length, "satfinite"))
        return name->saturates = true;
    if (length > 1 && word[0] == 'm' && word[1] >= '0' && word[1] <= '9' && !name->shape) {
        name->shape = word;
        name->shape_length = length;
        return true;
    }
    return false;
}

static bool has_type(unsigned set, int type) {
    return set >> type & 1;
}

/* The row for these types of A and B, and of C and D; the first of its shape if none are given. */
static const struct mma_row *find_row(const struct name *name, bool *is_shape) {
    const int *given = name->types;
    *is_shape = false;
    size_t count;
    const struct mma_row *const all = rows_of(name->is_wmma, &count);
    for (size_t i = 0; i < count; i++) {
        const struct mma_row *row = &all[i];
        if (!is_word(name->shape, name->shape_length, row->shape))
            continue;
        *is_shape = true;
        if (name->type_count == 0 || (name->type_count == 1 && has_type(row->factors, given[0])))
            return row;
        if (name->type_count == 2 && name->is_wmma && has_type(row->factors, FRAGMENT_F16) &&
            has_type(row->sums, given[0]) && has_type(row->sums, given[1]))
            return row;
        if (name->type_count == 4 && has_type(row->factors, given[1]) &&
            has_type(row->factors, given[2]) && has_type(row->sums, given[0]) &&
            has_type(row->sums, given[3]) &&
            (row->products > 1 || name->is_wmma || given[0] == given[3]))
            return row;
    }
    return NULL;
}

static int lowest_type(unsigned set) {
    int type = 0;
    while (!has_type(set, type))
        type++;
    return type;
}

static void fill_sum(struct fragment *sum, const struct mma_row *row, char letter, int type) {
    *sum = (struct fragment){.letter = letter,
                             .type = (enum fragment_type)type,
                             .rows = row->m,
                             .columns = row->n,
                             .matrices = row->products};
    set_layout(sum, row->products > 1 && type == FRAGMENT_F16 ? SUM16_8x8 : row->c);
}

static void fill(struct mma *mma, const struct mma_row *row, const struct name *name) {
    const bool all = name->type_count == 4;
    const int usual = lowest_type(row->sums & ~BIT(F16));
    const bool sums = name->type_count == 2; /* wmma names only D and C where A and B are f16 */
    const int factor = name->type_count == 1 ? name->types[0] : lowest_type(row->factors);
    *mma = (struct mma){.m = row->m,
                        .n = row->n,
                        .k = row->k,
                        .products = row->products,
                        .architecture = row->architecture,
                        .is_wmma = name->is_wmma,
                        .a_by_columns = name->layout_count > 0 && name->by_columns[0],
                        .b_by_rows = name->layout_count > 1 && !name->by_columns[1],
                        .saturates = name->saturates};
    mma->a = (struct fragment){.letter = 'a',
                               .type = (enum fragment_type)(all ? name->types[1] : factor),
                               .rows = row->m,
                               .columns = row->k,
                               .matrices = row->products};
    mma->b = (struct fragment){.letter = 'b',
                               .type = (enum fragment_type)(all ? name->types[2] : factor),
                               .rows = row->k,
                               .columns = row->n,
                               .matrices = row->products,
                               .counts_columns = true};
    const bool by_layout = row->products > 1;
    set_layout(&mma->a, by_layout && mma->a_by_columns ? COLS_8x4 : row->a);
    set_layout(&mma->b, by_layout && mma->b_by_rows ? COLS_8x4 : row->b);
    fill_sum(&mma->c, row, 'c', all ? name->types[3] : sums ? name->types[1] : usual);
    fill_sum(&mma->d, row, 'd', all || sums ? name->types[0] : usual);
}

enum mma_fault mma_read(struct mma *mma, const char *text, const char **word, size_t *length) {
    struct name name = {.shape = NULL};
    bool is_shape;
    for (const char *at = text;; at = *word + *length + 1) {
        *word = at;
        *length = strcspn(at, ".");
        if (!take_word(&name, *word, *length))
            return MMA_WORD;
        if (at[*length] == '\0')
            break;
    }
    *word = name.shape ? name.shape : text + strlen(text);
    *length = name.shape_length;
    const struct mma_row *row = name.shape ? find_row(&name, &is_shape) : NULL;
    if (!name.shape || !is_shape)
        return MMA_SHAPE;
    if (!row)
        return MMA_TYPES;
    fill(mma, row, &name);
    if (row->products > 1 || mma->is_wmma || (!mma->a_by_columns && !mma->b_by_rows))
        return MMA_GOOD;
    *word = name.layout;
    *length = 3;
    return MMA_LAYOUT;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

void matrix_move_fragment(struct fragment *fragment, int matrices, bool transposed) {
    *fragment = (struct fragment){.letter = 'r',
                                  .type = FRAGMENT_B16,
                                  .rows = MATRIX_MOVE_ROWS,
                                  .columns = MATRIX_MOVE_ROWS,
                                  .matrices = matrices,
                                  .counts_columns = transposed};
    set_layout(fragment, matrices == 1   ? PAIR_8x8
                         : matrices == 2 ? "((4,8),(2,2)):((16,1),(8,64))"
                                         : "((4,8),(2,4)):((16,1),(8,64))");
}

void movmatrix_fragments(struct fragment *source, struct fragment *destination) {
    matrix_move_fragment(source, 1, false);
    matrix_move_fragment(destination, 1, true);
    source->letter = 'a';
    destination->letter = 'd';
}
