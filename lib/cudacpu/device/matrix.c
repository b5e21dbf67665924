/*
 * matrix.c - mma.sync, ldmatrix, stmatrix and movmatrix (cudacpu/matrix.h): turns registers into
 * matrices by the layouts of lib/warp, and back; and records the fragments of nvcuda::wmma.
 */
#include "cudacpu/matrix.h"

#include "simt/runtime.h"
#include "trace/trace.h"
#include "warp/fragment.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LANES 32
#define MOST  512 /* elements of one matrix */

/* The instruction that this thread ran last: parsing its name takes longer than the product. */
static __thread struct {
    const char *name;
    struct mma mma;
} last;

static const struct mma *mma_of(const char *name) {
    const char *word;
    size_t length;
    if (last.name != name) {
        mma_read(&last.mma, name, &word, &length);
        last.name = name;
    }
    return &last.mma;
}

/* ---- one element in registers ---- */

static unsigned bits_of(const struct fragment *fragment) {
    return fragment_type_info(fragment->type)->bits;
}

static uint64_t get(const struct fragment *fragment, const uint64_t *registers, int element) {
    const unsigned bits = bits_of(fragment);
    const int each = fragment_per_register(fragment);
    const uint64_t word = registers[element / each];
    return bits == 64 ? word
                      : word >> (unsigned)(element % each) * bits & ((UINT64_C(1) << bits) - 1);
}

static void put(const struct fragment *fragment, uint64_t *registers, int element, uint64_t value) {
    const unsigned bits = bits_of(fragment);
    const int each = fragment_per_register(fragment);
    const unsigned shift = bits == 64 ? 0 : (unsigned)(element % each) * bits;
    registers[element / each] |= value << shift;
}

static void clear(const struct fragment *fragment, uint64_t *registers) {
    memset(registers, 0,
           (size_t)(fragment_elements(fragment) / fragment_per_register(fragment)) *
               sizeof *registers);
}

/* The row-major index of an element in its matrix. */
static size_t place(const struct fragment *fragment, struct fragment_cell cell) {
    return (size_t)cell.row * (size_t)fragment->columns + (size_t)cell.column;
}

/* ---- the recording ---- */

struct kept {
    struct trace_registers registers;
    uint64_t values[TRACE_OPERANDS_MOST][TRACE_REGISTERS_MOST * LANES];
};

static const void *operand(const struct cpu_product_part *part, char letter) {
    return letter == 'a' ? part->a : letter == 'b' ? part->b : letter == 'c' ? part->c : part->d;
}

/* The registers of one operand, from the member of the lanes' parts that `letter` names. */
static void keep(struct kept *kept, char letter, char name, unsigned count, unsigned bytes,
                 const struct cpu_product_part *const *parts) {
    unsigned char *to = (unsigned char *)kept->values[kept->registers.count];
    kept->registers.operands[kept->registers.count++] =
        (struct trace_operand){.letter = name, .registers = count, .bytes = bytes, .values = to};
    for (unsigned number = 0; number < count; number++)
        for (unsigned lane = 0; lane < LANES; lane++, to += bytes) {
            const uint64_t *from = parts[lane] ? operand(parts[lane], letter) : NULL;
            const uint64_t value = from ? from[number] : 0;
            memcpy(to, &value, bytes);
        }
}

static void keep_fragment(struct kept *kept, const struct fragment *fragment,
                          const struct cpu_product_part *const *parts) {
    const int count = fragment_elements(fragment) / fragment_per_register(fragment);
    keep(kept, fragment->letter, fragment->letter, (unsigned)count, bits_of(fragment) == 64 ? 8 : 4,
         parts);
}

static void keep_end(struct kept *kept, const char *instruction,
                     const struct cpu_product_part *const *parts) {
    kept->registers.instruction = instruction;
    for (unsigned lane = 0; lane < LANES; lane++)
        kept->registers.lanes |= parts[lane] ? UINT32_C(1) << lane : 0;
    cpu_keep_registers(&kept->registers);
}

/* `values` names the member of the parts that has the lanes' registers; b has their addresses. */
static void keep_move(const char *command, int matrices, bool transposed, char values,
                      const struct cpu_product_part *const *parts) {
    struct kept kept;
    char name[64];
    if (!cpu_keeps_registers())
        return;
    kept.registers = (struct trace_registers){.count = 0};
    snprintf(name, sizeof name, "%s.sync.aligned.m8n8.x%d%s.shared.b16", command, matrices,
             transposed ? ".trans" : "");
    keep(&kept, 'b', '@', 1, 4, parts);
    keep(&kept, values, 'r', (unsigned)matrices, 4, parts);
    keep_end(&kept, name, parts);
}

/* ---- products ---- */

/* A row-major matrix in the form that cpu_multiply() takes: integers of 8 bits are widened, since
 * A's and B's types may differ. */
struct plain {
    char data[MOST * 8];
    size_t size; /* of an element */
};

static enum cpu_number number_of(enum fragment_type type) {
    switch (type) {
    case FRAGMENT_F16:
        return CPU_NUMBER_HALF;
    case FRAGMENT_BF16:
        return CPU_NUMBER_BFLOAT;
    case FRAGMENT_TF32:
        return CPU_NUMBER_TF32;
    case FRAGMENT_F32:
        return CPU_NUMBER_FLOAT;
    case FRAGMENT_F64:
        return CPU_NUMBER_DOUBLE;
    default:
        return CPU_NUMBER_INT;
    }
}

static size_t size_of(enum fragment_type type) {
    const unsigned bits = fragment_type_info(type)->bits;
    return bits == 8 ? 4 : bits / 8;
}

static void set(struct plain *to, size_t at, enum fragment_type type, uint64_t bits) {
    const uint32_t widened = type == FRAGMENT_S8 ? (uint32_t)(int8_t)bits : (uint32_t)bits;
    const uint16_t half = (uint16_t)bits;
    const void *value = to->size == 8   ? (const void *)&bits
                        : to->size == 4 ? (const void *)&widened
                                        : (const void *)&half;
    memcpy(to->data + at * to->size, value, to->size);
}

static uint64_t value_at(const struct plain *from, size_t at) {
    uint64_t bits = 0;
    uint32_t word;
    uint16_t half;
    if (from->size == 8) {
        memcpy(&bits, from->data + at * 8, 8);
    } else if (from->size == 4) {
        memcpy(&word, from->data + at * 4, 4);
        bits = word;
    } else {
        memcpy(&half, from->data + at * 2, 2);
        bits = half;
    }
    return bits;
}

static void gather(struct plain *to, const struct fragment *fragment, int matrix,
                   const struct cpu_product_part *const *parts) {
    to->size = size_of(fragment->type);
    memset(to->data, 0, sizeof to->data);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; parts[lane] && i < fragment_elements(fragment); i++) {
            const struct fragment_cell cell = fragment_cell(fragment, lane, i);
            if (cell.matrix == matrix)
                set(to, place(fragment, cell), fragment->type,
                    get(fragment, operand(parts[lane], fragment->letter), i));
        }
}

static void scatter(const struct plain *from, const struct fragment *fragment, int matrix,
                    const struct cpu_product_part *const *parts) {
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; parts[lane] && i < fragment_elements(fragment); i++) {
            const struct fragment_cell cell = fragment_cell(fragment, lane, i);
            if (cell.matrix == matrix)
                put(fragment, parts[lane]->d, i, value_at(from, place(fragment, cell)));
        }
}

static void keep_product(const char *name, const struct mma *mma,
                         const struct cpu_product_part *const *parts) {
    static __thread struct kept kept;
    if (!cpu_keeps_registers())
        return;
    kept.registers = (struct trace_registers){.count = 0};
    keep_fragment(&kept, &mma->a, parts);
    keep_fragment(&kept, &mma->b, parts);
    keep_fragment(&kept, &mma->c, parts);
    keep_fragment(&kept, &mma->d, parts);
    keep_end(&kept, name, parts);
}

void cpu_mma(const char *name, const struct cpu_product_part *const *parts) {
    const struct mma *mma = mma_of(name);
    const struct cpu_product product = {.m = mma->m,
                                        .n = mma->n,
                                        .k = mma->k,
                                        .factors = number_of(mma->a.type),
                                        .addend = number_of(mma->c.type),
                                        .sum = number_of(mma->d.type),
                                        .saturates = mma->saturates};
    /* In a web page, a lane's stack has no room for them. */
    static __thread struct plain a, b, c[4], d;
    for (int matrix = 0; matrix < mma->products; matrix++)
        gather(&c[matrix], &mma->c, matrix, parts); /* D's registers may be C's */
    for (int matrix = 0; matrix < mma->products; matrix++) {
        struct cpu_product_part slice[LANES];
        const struct cpu_product_part *slices[LANES];
        gather(&a, &mma->a, matrix, parts);
        gather(&b, &mma->b, matrix, parts);
        d.size = size_of(mma->d.type);
        for (int lane = 0; lane < LANES; lane++) {
            const size_t at = (size_t)lane;
            slice[lane] = (struct cpu_product_part){
                .a = a.data + at * (size_t)(mma->m * mma->k / LANES) * a.size,
                .b = b.data + at * (size_t)(mma->k * mma->n / LANES) * b.size,
                .c = c[matrix].data + at * (size_t)(mma->m * mma->n / LANES) * c[matrix].size,
                .d = d.data + at * (size_t)(mma->m * mma->n / LANES) * d.size};
            slices[lane] = &slice[lane];
        }
        cpu_multiply(&product, slices);
        for (int lane = 0; matrix == 0 && lane < LANES; lane++)
            if (parts[lane])
                clear(&mma->d, parts[lane]->d);
        scatter(&d, &mma->d, matrix, parts);
    }
    keep_product(name, mma, parts);
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

typedef uint16_t rows[4 * MATRIX_MOVE_ROWS][MATRIX_MOVE_ROWS];

void cpu_ldmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts) {
    struct fragment fragment;
    rows from;
    matrix_move_fragment(&fragment, matrices, transposed);
    memset(from, 0, sizeof from);
    for (int lane = 0; lane < matrices * MATRIX_MOVE_ROWS; lane++)
        if (parts[lane])
            memcpy(from[lane], parts[lane]->a, CPU_MATRIX_ROW);
    for (int lane = 0; lane < LANES; lane++) {
        if (!parts[lane])
            continue;
        clear(&fragment, parts[lane]->d);
        for (int i = 0; i < fragment_elements(&fragment); i++) {
            const struct fragment_cell cell = fragment_cell(&fragment, lane, i);
            put(&fragment, parts[lane]->d, i,
                from[matrix_move_address_lane(cell.matrix, cell.row)][cell.column]);
        }
    }
    keep_move("ldmatrix", matrices, transposed, 'd', parts);
}

void cpu_stmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts) {
    struct fragment fragment;
    rows to;
    matrix_move_fragment(&fragment, matrices, transposed);
    memset(to, 0, sizeof to);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; parts[lane] && i < fragment_elements(&fragment); i++) {
            const struct fragment_cell cell = fragment_cell(&fragment, lane, i);
            to[matrix_move_address_lane(cell.matrix, cell.row)][cell.column] =
                (uint16_t)get(&fragment, parts[lane]->a, i);
        }
    for (int lane = 0; lane < matrices * MATRIX_MOVE_ROWS; lane++)
        if (parts[lane])
            memcpy(parts[lane]->d, to[lane], CPU_MATRIX_ROW);
    keep_move("stmatrix", matrices, transposed, 'a', parts);
}

void cpu_movmatrix(const struct cpu_product_part *const *parts) {
    struct fragment source, destination;
    uint16_t matrix[MATRIX_MOVE_ROWS * MATRIX_MOVE_ROWS] = {0};
    movmatrix_fragments(&source, &destination);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; parts[lane] && i < 2; i++)
            matrix[place(&source, fragment_cell(&source, lane, i))] =
                (uint16_t)get(&source, parts[lane]->a, i);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; parts[lane] && i < 2; i++) {
            if (i == 0)
                clear(&destination, parts[lane]->d);
            put(&destination, parts[lane]->d, i,
                matrix[place(&destination, fragment_cell(&destination, lane, i))]);
        }
    if (!cpu_keeps_registers())
        return;
    struct kept kept = {.registers = {.count = 0}};
    keep(&kept, 'a', 'a', 1, 4, parts);
    keep(&kept, 'd', 'd', 1, 4, parts);
    keep_end(&kept, "movmatrix.sync.aligned.m8n8.trans.b16", parts);
}

/* ---- nvcuda::wmma ---- */

/* The types in PTX, and the bytes of an element, by enum cpu_number. */
static const struct {
    const char *name;
    unsigned bytes;
} wmma_types[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 4}, {"f32", 4},
                  {"f64", 8}, {"s8", 1},   {"u8", 1},   {"s32", 4}};

/* The registers of an operand whose elements are contiguous in memory. */
static void keep_elements(struct kept *kept, char letter, char name, enum cpu_number type,
                          int elements, const struct cpu_product_part *const *parts) {
    const unsigned bytes = wmma_types[type].bytes == 8 ? 8 : 4;
    const unsigned count = (unsigned)elements * wmma_types[type].bytes / bytes;
    unsigned char *to = (unsigned char *)kept->values[kept->registers.count];
    kept->registers.operands[kept->registers.count++] =
        (struct trace_operand){.letter = name, .registers = count, .bytes = bytes, .values = to};
    for (unsigned number = 0; number < count; number++)
        for (unsigned lane = 0; lane < LANES; lane++, to += bytes)
            if (parts[lane])
                memcpy(to, (const char *)operand(parts[lane], letter) + number * bytes, bytes);
            else
                memset(to, 0, bytes);
}

void cpu_wmma(const struct cpu_product *product, const char *layouts,
              const struct cpu_product_part *const *parts) {
    const int m = product->m, n = product->n, k = product->k;
    struct kept kept;
    char name[96], factors[16] = "";
    if (!cpu_keeps_registers()) {
        cpu_multiply(product, parts);
        return;
    }
    kept.registers = (struct trace_registers){.count = 0};
    keep_elements(&kept, 'a', 'a', product->factors, m * k / LANES, parts);
    keep_elements(&kept, 'b', 'b', product->factors, k * n / LANES, parts);
    keep_elements(&kept, 'c', 'c', product->addend, m * n / LANES, parts);
    cpu_multiply(product, parts); /* D may be C */
    keep_elements(&kept, 'd', 'd', product->sum, m * n / LANES, parts);
    if (product->factors != CPU_NUMBER_HALF)
        snprintf(factors, sizeof factors, "%s.%s.", wmma_types[product->factors].name,
                 wmma_types[product->factors].name);
    snprintf(name, sizeof name, "wmma.mma.sync.aligned.%s.m%dn%dk%d.%s.%s%s%s", layouts, m, n, k,
             wmma_types[product->sum].name, factors, wmma_types[product->addend].name,
             product->saturates ? ".satfinite" : "");
    keep_end(&kept, name, parts);
}

void cpu_wmma_moved(const struct cpu_wmma_move *move, const struct cpu_product_part *const *parts) {
    struct kept kept;
    char name[96], operand_name;
    if (!cpu_keeps_registers())
        return;
    kept.registers = (struct trace_registers){.count = 0};
    operand_name = strchr(move->words, '.')[1];
    keep_elements(&kept, 'a', operand_name, move->type, move->elements, parts);
    snprintf(name, sizeof name, "wmma.%.*s.sync.aligned.%s.m%dn%dk%d.%s",
             (int)(strrchr(move->words, '.') - move->words), move->words,
             strrchr(move->words, '.') + 1, move->m, move->n, move->k, wmma_types[move->type].name);
    keep_end(&kept, name, parts);
}
