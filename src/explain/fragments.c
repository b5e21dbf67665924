/*
 * Puts warp/fragment.h into words: the names of instructions as users type them, errors in them,
 * and cells and registers as users write them.
 */
#include "explain/fragments.h"

#include "base/message.h"
#include "base/text/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- unsupported instructions ---- */

static const struct {
    const char *word, *reason;
} elsewhere[] = {
    {"wgmma", N_("wgmma takes operands from shared memory, for four warps at once; only operands "
                 "of mma.sync, which lanes hold, can be shown here")},
    {"tcgen05", N_("tcgen05 works on tensor memory, not on registers of lanes")},
    {"sp", N_("sparse products are not supported")},
    {"kind", N_("block-scaled products are not supported")},
    {"e4m3", N_("8-bit floating point is not supported")},
    {"e5m2", N_("8-bit floating point is not supported")},
    {"s4", N_("4-bit integers are not supported")},
    {"u4", N_("4-bit integers are not supported")},
    {"b1", N_("1-bit products are not supported")},
};

static const char *reason_for(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strlen(elsewhere[i].word) == length && memcmp(word, elsewhere[i].word, length) == 0)
            return elsewhere[i].reason;
    return NULL;
}

/* ---- mma.sync ---- */

static void append_types(struct text *text, unsigned types) {
    for (int type = 0; type < FRAGMENT_TYPE_COUNT; type++)
        if (types >> type & 1)
            text_append_format(text, "%s%s", text->length ? " " : "",
                               fragment_type_info((enum fragment_type)type)->name);
}

static int refuse_shape(const char *typed, bool is_wmma, struct error *err) {
    struct choice choice = CHOICE_INIT(typed);
    for (size_t i = 0; mma_shape(is_wmma, i); i++)
        choice_add(&choice, mma_shape(is_wmma, i));
    return choice_refuse(&choice,
                         *typed ? _("%s: not a known shape of mma.sync%s\nallowed: %s")
                                : _("%smma.sync needs a shape%s\nallowed: %s\ntry: m16n8k16"),
                         err);
}

static int refuse_mma(enum mma_fault fault, const char *word, size_t length, bool is_wmma,
                      struct error *err) {
    char typed[FRAGMENTS_NAME];
    struct text visible = TEXT_INIT, types = TEXT_INIT;
    snprintf(typed, sizeof typed, "%.*s", (int)length, word);
    text_append_visible(&visible, typed, UTF8_LINE);
    const char *reason = reason_for(word, length);
    if (fault == MMA_WORD && reason)
        error_set(err, ERROR_USAGE, "%s: %s\n%s", visible.data, _(reason),
                  _("try: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
    else if (fault == MMA_WORD)
        error_set(err, ERROR_USAGE,
                  _("unexpected '%s' in the name of an mma.sync\nallowed: a shape, row col, one "
                    "type or four, satfinite\ntry: m16n8k16.f16, or the instruction as in PTX"),
                  visible.data);
    else if (fault == MMA_SHAPE)
        refuse_shape(visible.data, is_wmma, err);
    else if (fault == MMA_LAYOUT)
        error_set(err, ERROR_USAGE,
                  _("for this shape and type, A is .row and B .col\ntry: without %s"),
                  visible.data);
    else {
        append_types(&types, mma_shape_types(is_wmma, typed));
        error_set(err, ERROR_USAGE,
                  _("%s: mma.sync does not take these types with this shape\nallowed: %s, for A "
                    "and B; or four types, for D, A, B and C"),
                  visible.data, types.data);
    }
    text_release(&visible);
    text_release(&types);
    return -1;
}

static const char *type_name(const struct fragment *fragment) {
    return fragment_type_info(fragment->type)->name;
}

static void add(struct fragments *fragments, const char *name, const struct fragment *fragment) {
    fragments->names[fragments->count] = name;
    fragments->list[fragments->count++] = *fragment;
}

static int read_mma(struct fragments *fragments, const char *text, struct error *err) {
    struct mma *mma = &fragments->mma;
    const char *word;
    size_t length;
    int lane, value;
    const enum mma_fault fault = mma_read(mma, text, &word, &length);
    if (fault != MMA_GOOD)
        return refuse_mma(fault, word, length, strstr(text, "wmma") != NULL, err);
    fragments->is_mma = true;
    fragments->architecture = mma->architecture;
    add(fragments, "A", &mma->a);
    add(fragments, "B", &mma->b);
    add(fragments, "C", &mma->c);
    if (!layout_equal(&mma->c.layout, &mma->d.layout, &lane, &value))
        add(fragments, "D", &mma->d);
    if (mma->is_wmma) {
        const bool is_short = mma->a.type == FRAGMENT_F16;
        snprintf(fragments->instruction, sizeof fragments->instruction,
                 "wmma.mma.sync.aligned.%s.%s.m%dn%dk%d.%s%s%s%s%s.%s%s",
                 mma->a_by_columns ? "col" : "row", mma->b_by_rows ? "row" : "col", mma->m, mma->n,
                 mma->k, type_name(&mma->d), is_short ? "" : ".",
                 is_short ? "" : type_name(&mma->a), is_short ? "" : ".",
                 is_short ? "" : type_name(&mma->b), type_name(&mma->c),
                 mma->saturates ? ".satfinite" : "");
        return 0;
    }
    snprintf(fragments->instruction, sizeof fragments->instruction,
             "mma.sync.aligned.m%dn%dk%d.%s.%s%s.%s.%s.%s.%s", mma->m, mma->n, mma->k,
             mma->a_by_columns ? "col" : "row", mma->b_by_rows ? "row" : "col",
             mma->saturates ? ".satfinite" : "", type_name(&mma->d), type_name(&mma->a),
             type_name(&mma->b), type_name(&mma->c));
    return 0;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static bool is_word(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* Reads the number of matrices, or the transpose; false for a word that is not part of the
 * instruction. */
static bool take_move_word(const char *word, size_t length, int *matrices, bool *transposed) {
    static const char *const others[] = {"sync", "aligned", "m8n8", "shared", "shared::cta", "b16"};
    if (length == 2 && word[0] == 'x' && strchr("124", word[1])) {
        *matrices = word[1] - '0';
        return true;
    }
    if (is_word(word, length, "trans"))
        return *transposed = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_word(word, length, others[i]))
            return true;
    return false;
}

static int read_move(struct fragments *fragments, const char *command, const char *text,
                     struct error *err) {
    const bool moves = strcmp(command, "movmatrix") == 0;
    const bool stores = strcmp(command, "stmatrix") == 0;
    int matrices = 1;
    bool transposed = false;
    struct fragment a, b;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ".");
        if ((at != text || !is_word(at, length, command)) &&
            !take_move_word(at, length, &matrices, &transposed)) {
            char word[32];
            struct text visible = TEXT_INIT;
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            text_append_visible(&visible, word, UTF8_LINE);
            error_set(err, ERROR_USAGE, _("unexpected '%s' in the name of %s\nallowed: %s"),
                      visible.data, command, moves ? "m8n8 trans b16" : "m8n8 x1 x2 x4 trans b16");
            text_release(&visible);
            return -1;
        }
        at += length + (at[length] == '.');
    }
    fragments->architecture = stores ? 90 : 75;
    if (moves) {
        movmatrix_fragments(&a, &b);
        add(fragments, "a", &a);
        add(fragments, "d", &b);
        snprintf(fragments->instruction, sizeof fragments->instruction,
                 "movmatrix.sync.aligned.m8n8.trans.b16");
        return 0;
    }
    matrix_move_fragment(&a, matrices, transposed);
    add(fragments, "r", &a);
    snprintf(fragments->instruction, sizeof fragments->instruction,
             "%s.sync.aligned.m8n8.x%d%s.shared.b16", command, matrices,
             transposed ? ".trans" : "");
    return 0;
}

/* ---- a layout ---- */

static int refuse_layout(enum layout_fault fault, const char *text, const char *where,
                         struct error *err) {
    static const char *const words[] = {
        [LAYOUT_SYNTAX] = N_("a number, a bracket, a comma or the colon is missing"),
        [LAYOUT_RANK] = N_("the shape must have two parts, lanes and values"),
        [LAYOUT_DIFFERS] = N_("the strides are nested differently from the shape"),
        [LAYOUT_TOO_MUCH] = N_("too large: at most 32 lanes, 64 values and strides up to 65535"),
    };
    struct text visible = TEXT_INIT;
    text_append_visible(&visible, text, UTF8_LINE);
    error_set(err, ERROR_USAGE, _("%s: %s (character %d)\ntry: '((4,8),(2,2)):((16,1),(8,64))'"),
              visible.data, _(words[fault]), (int)(where - text) + 1);
    text_release(&visible);
    return -1;
}

static void note_nearest(struct fragments *fragments, const struct layout *other, const char *name,
                         int lane, int value) {
    const struct layout *own = &fragments->list[0].layout;
    const int values = (int)layout_size(&own->values);
    const int places = (int)layout_size(&own->lanes) * values;
    int agrees = 0;
    for (int i = 0; i < places; i++) {
        const uint32_t at = (uint32_t)(i / values), which = (uint32_t)(i % values);
        agrees += layout_index(own, at, which) == layout_index(other, at, which);
    }
    if (*fragments->nearest.name && agrees <= fragments->nearest.agrees)
        return;
    snprintf(fragments->nearest.name, sizeof fragments->nearest.name, "%s", name);
    fragments->nearest.agrees = agrees;
    fragments->nearest.lane = lane;
    fragments->nearest.value = value;
    fragments->nearest.here = layout_index(own, (uint32_t)lane, (uint32_t)value);
    fragments->nearest.there = layout_index(other, (uint32_t)lane, (uint32_t)value);
}

/* Notes an operand that has the layout; the first also determines how it is drawn. */
static void note_same(struct fragments *fragments, const struct fragment *other, const char *name) {
    int lane, value;
    struct fragment *own = &fragments->list[0];
    const size_t length = strlen(fragments->same);
    if (!layout_equal(&own->layout, &other->layout, &lane, &value)) {
        if (lane >= 0)
            note_nearest(fragments, &other->layout, name, lane, value);
        return;
    }
    if (length == 0) {
        own->rows = other->rows;
        own->columns = other->columns;
        own->matrices = other->matrices;
        own->counts_columns = other->counts_columns;
    }
    snprintf(fragments->same + length, sizeof fragments->same - length, "%s%s", length ? ", " : "",
             name);
}

static void note_mma(struct fragments *fragments, const char *shape, int type) {
    static const char *const letters = "ABC";
    struct mma mma;
    char name[64];
    const char *word;
    size_t length;
    snprintf(name, sizeof name, "%s.%s", shape, fragment_type_info((enum fragment_type)type)->name);
    if (mma_read(&mma, name, &word, &length) != MMA_GOOD)
        return;
    const struct fragment *const operands[] = {&mma.a, &mma.b, &mma.c};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%c %s.%s", letters[i], shape,
                 fragment_type_info((enum fragment_type)type)->name);
        note_same(fragments, operands[i], name);
    }
}

static int read_layout(struct fragments *fragments, const char *text, struct error *err) {
    struct fragment own = {.letter = 'v', .type = FRAGMENT_B16, .rows = 8, .matrices = 1};
    const char *where;
    const enum layout_fault fault = layout_read(&own.layout, text, &where);
    if (fault != LAYOUT_GOOD)
        return refuse_layout(fault, text, where, err);
    const uint32_t cosize = layout_cosize(&own.layout);
    if (cosize > 8 * 256)
        return refuse_layout(LAYOUT_TOO_MUCH, text, where, err);
    own.columns = (int)((cosize + 7) / 8);
    add(fragments, "layout", &own);
    fragments->is_layout = true;
    layout_format(&own.layout, fragments->instruction);
    for (size_t i = 0; mma_shape(false, i); i++)
        for (int type = 0; type < FRAGMENT_TYPE_COUNT; type++)
            if (mma_shape_types(false, mma_shape(false, i)) >> type & 1)
                note_mma(fragments, mma_shape(false, i), type);
    for (int matrices = 1; matrices <= MATRIX_MOVE_MOST; matrices *= 2) {
        struct fragment move;
        char name[32];
        snprintf(name, sizeof name, "ldmatrix.x%d", matrices);
        matrix_move_fragment(&move, matrices, false);
        note_same(fragments, &move, name);
    }
    return 0;
}

/* ---- wmma.load, wmma.store ---- */

/* Adds the operand, taken from the first product of the shape in which it has the type; false if
 * there is none. */
static bool find_wmma_operand(struct fragments *fragments, char letter, const char *shape,
                              int type) {
    struct mma *mma = &fragments->mma;
    const unsigned types = mma_shape_types(true, shape);
    const char *word;
    size_t length;
    char name[64];
    for (int factor = 0; factor < FRAGMENT_TYPE_COUNT; factor++) {
        if (!(types >> factor & 1))
            continue;
        const char *const factors = fragment_type_info((enum fragment_type)factor)->name;
        const bool is_sum = letter == 'c' || letter == 'd';
        const char *const sum = is_sum ? fragment_type_info((enum fragment_type)type)->name : NULL;
        if (sum)
            snprintf(name, sizeof name, "wmma.%s.%s.%s.%s.%s", shape, sum, factors, factors, sum);
        else
            snprintf(name, sizeof name, "wmma.%s.%s", shape, factors);
        if (mma_read(mma, name, &word, &length) != MMA_GOOD || (!sum && factor != type))
            continue;
        add(fragments,
            letter == 'a'   ? "A"
            : letter == 'b' ? "B"
            : letter == 'c' ? "C"
                            : "D",
            letter == 'a'   ? &mma->a
            : letter == 'b' ? &mma->b
            : letter == 'c' ? &mma->c
                            : &mma->d);
        return true;
    }
    return false;
}

/* "wmma.load.a.sync.aligned.row.m16n16k16.f16", with any number of words between. */
static int read_wmma_move(struct fragments *fragments, const char *text, struct error *err) {
    const bool loads = text[5] == 'l';
    const char letter = text[loads ? 10 : 11];
    const char *last = strrchr(text, '.') + 1, *end = last - 1, *at = end;
    char shape[16];
    while (at > text && at[-1] != '.')
        at--;
    snprintf(shape, sizeof shape, "%.*s", (int)(end - at), at);
    const int type = fragment_type_find(last, strlen(last));
    if (!letter || !strchr(loads ? "abc" : "d", letter) || type < 0 ||
        !find_wmma_operand(fragments, letter, shape, type)) {
        struct text visible = TEXT_INIT;
        text_append_visible(&visible, text, UTF8_LINE);
        error_set(err, ERROR_USAGE,
                  _("%s: not a known wmma.load or wmma.store\nallowed: wmma.load.a wmma.load.b "
                    "wmma.load.c wmma.store.d\ntry: wmma.load.a.sync.aligned.row.m16n16k16.f16"),
                  visible.data);
        text_release(&visible);
        return -1;
    }
    fragments->architecture = fragments->mma.architecture;
    snprintf(fragments->instruction, sizeof fragments->instruction, "%s", text);
    return 0;
}

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

int fragments_read(struct fragments *fragments, const char *command, const char *text,
                   struct error *err) {
    memset(fragments, 0, sizeof *fragments);
    if (text[0] == '(')
        return read_layout(fragments, text, err);
    if (strlen(text) < FRAGMENTS_NAME &&
        (begins_with(text, "wmma.load.") || begins_with(text, "wmma.store.")))
        return read_wmma_move(fragments, text, err);
    return strcmp(command, "mma") == 0 ? read_mma(fragments, text, err)
                                       : read_move(fragments, command, text, err);
}

/* ---- recorded ---- */

static const struct trace_operand *operand_of(const struct trace_registers *registers,
                                              char letter) {
    for (unsigned i = 0; i < registers->count; i++)
        if (registers->operands[i].letter == letter)
            return &registers->operands[i];
    return NULL;
}

static bool has_operand(const struct trace_registers *registers, const struct fragment *fragment) {
    const struct trace_operand *operand = operand_of(registers, fragment->letter);
    const bool wide = fragment_type_info(fragment->type)->bits == 64;
    return operand && operand->bytes == (wide ? 8 : 4) &&
           (int)operand->registers == fragment_elements(fragment) / fragment_per_register(fragment);
}

/* On the CPU warp, addresses are relative, and some are negative. Offsets are counted from the
 * start of the 128 bytes that hold the first row. */
static void take_rows(struct fragments *fragments, const struct trace_registers *registers) {
    const struct trace_operand *operand = operand_of(registers, '@');
    const unsigned count = (unsigned)fragments->list[0].matrices * MATRIX_MOVE_ROWS;
    struct matrix_rows *rows = &fragments->rows;
    int64_t at[WARP_LANES] = {0}, first = INT64_MAX;
    if (!operand)
        return;
    for (unsigned lane = 0; lane < count; lane++)
        if (registers->lanes >> lane & 1) {
            at[lane] = (int32_t)trace_register(operand, 0, lane);
            first = at[lane] < first ? at[lane] : first;
            rows->lanes |= UINT32_C(1) << lane;
        }
    first -= ((first % WARP_ROW_BYTES) + WARP_ROW_BYTES) % WARP_ROW_BYTES;
    for (unsigned lane = 0; lane < count; lane++)
        if (rows->lanes >> lane & 1)
            rows->offset[lane] = (int32_t)(at[lane] - first);
    fragments->has_rows = true;
}

bool fragments_recorded(struct fragments *fragments, const struct trace_registers *registers) {
    char command[16];
    const size_t length = strcspn(registers->instruction, ".");
    snprintf(command, sizeof command, "%.*s", (int)length, registers->instruction);
    if (strcmp(command, "wmma") == 0)
        memcpy(command, "mma", sizeof "mma");
    if (strcmp(command, "mma") != 0 && strcmp(command, "ldmatrix") != 0 &&
        strcmp(command, "stmatrix") != 0 && strcmp(command, "movmatrix") != 0)
        return false;
    const int status = fragments_read(fragments, command, registers->instruction, NULL);
    if (status == 0 && fragments->is_mma && fragments->count == 3)
        add(fragments, "D", &fragments->mma.d);
    for (size_t i = 0; status == 0 && i < fragments->count; i++)
        if (!has_operand(registers, &fragments->list[i]))
            return false;
    if (status == 0 && fragments_take_rows(fragments))
        take_rows(fragments, registers);
    return status == 0;
}

uint64_t fragments_cut(const struct trace *trace) {
    const char *note = trace_note(trace, TRACE_NOTE_REGISTERS_CUT);
    return note ? strtoull(note, NULL, 10) : 0;
}

uint64_t fragment_bits(const struct fragment *fragment, const struct trace_registers *registers,
                       int lane, int element) {
    const unsigned bits = fragment_type_info(fragment->type)->bits;
    const int each = fragment_per_register(fragment);
    const uint64_t word = trace_register(operand_of(registers, fragment->letter),
                                         (unsigned)(element / each), (unsigned)lane);
    return bits == 64 ? word
                      : word >> (unsigned)(element % each) * bits & ((UINT64_C(1) << bits) - 1);
}

static enum warp_type value_type(const struct fragment *fragment) {
    static const enum warp_type types[FRAGMENT_TYPE_COUNT] = {
        [FRAGMENT_F16] = WARP_TYPE_HALF,   [FRAGMENT_BF16] = WARP_TYPE_BFLOAT16,
        [FRAGMENT_TF32] = WARP_TYPE_FLOAT, [FRAGMENT_F64] = WARP_TYPE_DOUBLE,
        [FRAGMENT_S8] = WARP_TYPE_INT,     [FRAGMENT_U8] = WARP_TYPE_UNSIGNED,
        [FRAGMENT_F32] = WARP_TYPE_FLOAT,  [FRAGMENT_S32] = WARP_TYPE_INT,
        [FRAGMENT_B16] = WARP_TYPE_NONE};
    return types[fragment->type];
}

static uint64_t value_bits(const struct fragment *fragment, const struct trace_registers *registers,
                           int lane, int element) {
    const uint64_t bits = fragment_bits(fragment, registers, lane, element);
    return fragment->type == FRAGMENT_S8 ? (uint32_t)(int8_t)bits : bits;
}

char *fragment_value(const struct fragment *fragment, const struct trace_registers *registers,
                     int lane, int element, char text[WARP_VALUE_TEXT]) {
    const uint64_t bits = value_bits(fragment, registers, lane, element);
    if (fragment->type != FRAGMENT_B16)
        return warp_value_format(value_type(fragment), bits, text);
    snprintf(text, WARP_VALUE_TEXT, "%04x", (unsigned)bits);
    return text;
}

/* An element as a number; for a tf32 only the bits that count. */
static double number_at(const struct fragment *fragment, const struct trace_registers *registers,
                        int matrix, int row, int column) {
    const struct fragment_cell cell = {matrix, row, column};
    const struct fragment_holder at = fragment_holder(fragment, cell);
    uint64_t bits = value_bits(fragment, registers, at.lane, at.element);
    if (fragment->type == FRAGMENT_TF32)
        bits &= ~UINT64_C(0x1fff);
    if (value_type(fragment) == WARP_TYPE_INT)
        return (int32_t)(uint32_t)bits;
    return value_type(fragment) == WARP_TYPE_UNSIGNED
               ? (double)bits
               : warp_value_to_double(value_type(fragment), bits, 0);
}

char *fragments_sum(const struct fragments *fragments, const struct trace_registers *registers,
                    struct fragment_cell cell, int k, char text[WARP_VALUE_TEXT]) {
    const struct mma *mma = &fragments->mma;
    const struct fragment *end = k == 0 ? &mma->c : &mma->d;
    if (k == 0 || k == mma->k) {
        const struct fragment_holder at = fragment_holder(end, cell);
        return fragment_value(end, registers, at.lane, at.element, text);
    }
    double sum = number_at(&mma->c, registers, cell.matrix, cell.row, cell.column);
    for (int i = 0; i < k; i++)
        sum += number_at(&mma->a, registers, cell.matrix, cell.row, i) *
               number_at(&mma->b, registers, cell.matrix, i, cell.column);
    if (mma->d.type != FRAGMENT_S32)
        return warp_value_format(value_type(&mma->d),
                                 warp_value_from_double(value_type(&mma->d), sum), text);
    snprintf(text, WARP_VALUE_TEXT, "%.0f", sum);
    return text;
}

/* ---- in words ---- */

int fragments_find(const struct fragments *fragments, const char *name, size_t length) {
    if (!fragments->is_mma && length == 0)
        return 0;
    if (length != 1)
        return -1;
    const char letter = (char)(*name | 0x20);
    for (size_t i = 0; i < fragments->count; i++)
        if (fragments->list[i].letter == letter)
            return (int)i;
    return fragments->is_mma && letter == 'd' ? 2 : -1;
}

void fragment_append_element(struct text *text, const struct fragment *fragment, int element) {
    text_append_format(text, "%c%d", fragment->letter, element);
}

void fragment_append_cell(struct text *text, const struct fragment *fragment,
                          struct fragment_cell cell) {
    if (fragment->matrices > 1)
        text_append_format(text, "%d", cell.matrix);
    text_append_format(text, "[%d][%d]", cell.row, cell.column);
}

/* "C[9][3]" for mma.sync, whose operands have letters; "1[9][3]" for one of several matrices. */
static void append_cell(struct text *text, const struct fragments *fragments, size_t which,
                        struct fragment_cell cell) {
    if (fragments->is_mma)
        text_append(text, fragments->names[which]);
    fragment_append_cell(text, &fragments->list[which], cell);
}

void fragments_append_holder(struct text *text, const struct fragments *fragments, size_t which,
                             struct fragment_cell cell) {
    const struct fragment *fragment = &fragments->list[which];
    const struct fragment_holder holder = fragment_holder(fragment, cell);
    const int each = fragment_per_register(fragment);
    const int bits = (int)fragment_type_info(fragment->type)->bits;
    struct text place = TEXT_INIT, element = TEXT_INIT;
    append_cell(&place, fragments, which, cell);
    fragment_append_element(&element, fragment, holder.element);
    if (each == 1)
        text_append_format(text, _("%s: lane %d holds it in %s, register %d"), place.data,
                           holder.lane, element.data, holder.element);
    else
        text_append_format(text, _("%s: lane %d holds it in %s, register %d, bits %d to %d"),
                           place.data, holder.lane, element.data, holder.element / each,
                           holder.element % each * bits, holder.element % each * bits + bits - 1);
    text_release(&place);
    text_release(&element);
}

bool fragments_take_rows(const struct fragments *fragments) {
    return !fragments->is_mma && !fragments->is_layout && fragments->list[0].letter == 'r';
}

void fragments_append_row(struct text *text, const struct fragments *fragments,
                          struct fragment_cell cell) {
    const struct matrix_rows *rows = &fragments->rows;
    const int lane = matrix_move_address_lane(cell.matrix, cell.row);
    if (!(rows->lanes >> lane & 1)) {
        text_append_format(text, _("its row: no address from lane %d"), lane);
        return;
    }
    const int bank = warp_bank(rows->offset[lane]);
    text_append_format(text, _("its row: lane %d's address, %+d, banks %d-%d"), lane,
                       rows->offset[lane], bank, bank + MATRIX_ROW_BANKS - 1);
}

struct bank_use fragments_use(const struct fragments *fragments) {
    struct bank_use use, all = {.parts = 0};
    for (int matrix = 0; matrix < fragments->list[0].matrices; matrix++) {
        matrix_rows_use(&fragments->rows, matrix, &use);
        all.passes += use.passes;
        all.least += use.least;
        all.ways = use.ways > all.ways ? use.ways : all.ways;
    }
    return all;
}

void fragments_append_passes(struct text *text, const struct bank_use *use) {
    if (use->least == 0)
        text_append(text, _("no row"));
    else if (use->ways > 1)
        text_append_format(text, _("%d passes instead of %d"), use->passes, use->least);
    else
        text_append_format(text,
                           message_plural("no bank conflict: %d pass",
                                          "no bank conflict: %d passes",
                                          (unsigned long)use->passes),
                           use->passes);
}

void fragments_append_lane(struct text *text, const struct fragments *fragments, size_t which,
                           int lane) {
    const struct fragment *fragment = &fragments->list[which];
    for (int element = 0; element < fragment_elements(fragment); element++) {
        text_append(text, element ? "  " : "");
        fragment_append_element(text, fragment, element);
        text_append_char(text, ' ');
        fragment_append_cell(text, fragment, fragment_cell(fragment, lane, element));
    }
}

/* ---- which lane holds a cell ---- */

bool fragments_is_question(const char *text) {
    static const char *const words[] = {"ldmatrix", "stmatrix", "movmatrix", "mma"};
    const size_t length = strcspn(text, " ."), whole = strcspn(text, " ");
    if (text[whole] != ' ')
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(text, length, words[i]))
            return true;
    return length > 1 && text[0] == 'm' && text[1] >= '0' && text[1] <= '9';
}

/* A number that is too large becomes 1000, which is outside every matrix here. */
static bool read_number(const char **at, int *number) {
    const size_t digits = strspn(*at, "0123456789");
    *number = digits > 3 ? 1000 : atoi(*at);
    *at += digits;
    return digits > 0;
}

/* "[9][3]" or "[9,3]" or "[9, 3]"; false if it is not a cell, or more follows. */
static bool read_cell(const char *at, struct fragment_cell *cell) {
    if (*at++ != '[' || !read_number(&at, &cell->row))
        return false;
    if (at[0] == ']' && at[1] == '[')
        at += 2;
    else if (*at++ != ',')
        return false;
    at += strspn(at, " ");
    return read_number(&at, &cell->column) && strcmp(at, "]") == 0;
}

static int refuse_cell(const struct fragments *fragments, const char *place, struct error *err) {
    struct text allowed = TEXT_INIT, visible = TEXT_INIT;
    for (size_t i = 0; i < fragments->count; i++) {
        const struct fragment *fragment = &fragments->list[i];
        const struct fragment_cell last = {fragment->matrices - 1, fragment->rows - 1,
                                           fragment->columns - 1};
        text_append(&allowed, i ? ", " : "");
        append_cell(&allowed, fragments, i, (struct fragment_cell){0, 0, 0});
        text_append(&allowed, " ... ");
        append_cell(&allowed, fragments, i, last);
        if (!fragments->is_mma)
            break;
    }
    text_append_visible(&visible, place, UTF8_LINE);
    error_set(err, ERROR_USAGE, _("%s: %s has no such element\nallowed: %s"), visible.data,
              fragments->instruction, allowed.data);
    text_release(&allowed);
    text_release(&visible);
    return -1;
}

int fragments_ask(struct fragments *fragments, size_t *which, struct fragment_cell *cell,
                  const char *text, struct error *err) {
    const size_t length = strcspn(text, " ");
    const size_t first = strcspn(text, " .");
    char name[FRAGMENTS_NAME], command[16] = "mma";
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (strstr(name, "matrix"))
        snprintf(command, sizeof command, "%.*s", (int)first, text);
    if (fragments_read(fragments, command, name, err) != 0)
        return -1;
    const char *place = text + length + strspn(text + length, " ");
    size_t letters = strspn(place, "ABCDabcd");
    const int found = fragments_find(fragments, place, letters);
    const char *at = place + letters;
    *cell = (struct fragment_cell){0, 0, 0};
    *which = (size_t)(found < 0 ? 0 : found);
    if (*at >= '0' && *at <= '9' && at[1] == '[')
        cell->matrix = *at++ - '0';
    else if (fragments->list[*which].matrices > 1)
        return refuse_cell(fragments, place, err);
    if (found < 0 || !read_cell(at, cell) ||
        fragment_holder(&fragments->list[*which], *cell).lane < 0)
        return refuse_cell(fragments, place, err);
    return 0;
}
