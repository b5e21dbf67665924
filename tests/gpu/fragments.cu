/*
 * Checks, on a GPU, each lane's registers against lib/warp/fragment.h.
 *
 *     nvcc -std=c++17 -arch=native -Ilib tests/gpu/fragments.cu lib/warp/fragment.c \
 *          lib/warp/matrix_layout.c -o fragments && ./fragments
 *
 * For every form of mma.sync, one warp per trial: registers are filled from matrices as in the
 * tables, the instruction runs, and D is read back likewise. In the first trials the matrices are
 * random small integers, so that every sum is exact; in the others A, then B, has a single 1, which
 * moves through all its elements, against a matrix of different numbers: an element in the wrong
 * place gives a different D. ldmatrix, stmatrix and movmatrix move numbers that are all different.
 * Prints PASS or FAIL for each. Exits with 0 if all passed, 77 without a GPU.
 *
 * With a file as its argument it also writes the registers of the first trial of each product
 * there, for fragments_recording.c.
 */
#include "warp/fragment.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define LANES      32
#define RANDOM     64 /* trials with random matrices */
#define WORDS_MOST 16 /* of 32 bits, of one operand and lane */

typedef uint32_t lane_words[LANES][WORDS_MOST];
struct trial {
    lane_words a, b, c, d;
};

static void must(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "fragments: %s\n", cudaGetErrorString(error));
    exit(1);
}

/* ---- the instructions ---- */

#define KERNEL(name) __global__ void name(trial *trials)
#define OPERANDS                                                                                   \
    trial &t = trials[blockIdx.x];                                                                 \
    const uint32_t *a = t.a[threadIdx.x], *b = t.b[threadIdx.x];                                   \
    (void)a, (void)b

#define A1 "r"(a[0])
#define A2 "r"(a[0]), "r"(a[1])
#define A4 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define B1 "r"(b[0])
#define B2 "r"(b[0]), "r"(b[1])

/* For D and C of four or two registers of type T, with the constraint letter L. */
#define MMA4(name, instruction, T, L, places, ...)                                                 \
    KERNEL(name) {                                                                                 \
        OPERANDS;                                                                                  \
        const T *c = (const T *)t.c[threadIdx.x];                                                  \
        T *d = (T *)t.d[threadIdx.x];                                                              \
        asm volatile(instruction " {%0, %1, %2, %3}, " places ";"                                  \
                     : "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])                          \
                     : __VA_ARGS__, L(c[0]), L(c[1]), L(c[2]), L(c[3]));                           \
    }
#define MMA2(name, instruction, T, L, places, ...)                                                 \
    KERNEL(name) {                                                                                 \
        OPERANDS;                                                                                  \
        const T *c = (const T *)t.c[threadIdx.x];                                                  \
        T *d = (T *)t.d[threadIdx.x];                                                              \
        asm volatile(instruction " {%0, %1}, " places ";"                                          \
                     : "=" L(d[0]), "=" L(d[1])                                                    \
                     : __VA_ARGS__, L(c[0]), L(c[1]));                                             \
    }
#define P4_4_2 "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13}"
#define P4_2_1 "{%4, %5}, {%6}, {%7, %8, %9, %10}"
#define P4_4_1 "{%4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}"
#define P2_4_2 "{%2, %3, %4, %5}, {%6, %7}, {%8, %9}"
#define P2_2_1 "{%2, %3}, {%4}, {%5, %6}"
#define P2_1_1 "{%2}, {%3}, {%4, %5}"
#define P4_2_2 "{%4, %5}, {%6, %7}, {%8, %9, %10, %11}"

#define M "mma.sync.aligned."
MMA4(k16_f16, M "m16n8k16.row.col.f32.f16.f16.f32", float, "f", P4_4_2, A4, B2)
MMA2(k16_f16_f16, M "m16n8k16.row.col.f16.f16.f16.f16", uint32_t, "r", P2_4_2, A4, B2)
MMA4(k16_bf16, M "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f", P4_4_2, A4, B2)
MMA4(k8_f16, M "m16n8k8.row.col.f32.f16.f16.f32", float, "f", P4_2_1, A2, B1)
MMA2(k8_f16_f16, M "m16n8k8.row.col.f16.f16.f16.f16", uint32_t, "r", P2_2_1, A2, B1)
MMA4(k8_bf16, M "m16n8k8.row.col.f32.bf16.bf16.f32", float, "f", P4_2_1, A2, B1)
MMA4(k8_tf32, M "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f", P4_4_2, A4, B2)
MMA4(k4_tf32, M "m16n8k4.row.col.f32.tf32.tf32.f32", float, "f", P4_2_1, A2, B1)
#define INTEGER(name, types)                                                                       \
    MMA4(k16_##name, M "m16n8k16.row.col.s32." types ".s32", int, "r", P4_2_1, A2, B1)             \
    MMA4(k32_##name, M "m16n8k32.row.col.s32." types ".s32", int, "r", P4_4_2, A4, B2)             \
    MMA2(m8_##name, M "m8n8k16.row.col.s32." types ".s32", int, "r", P2_1_1, A1, B1)
INTEGER(s8, "s8.s8")
INTEGER(u8, "u8.u8")
INTEGER(s8_u8, "s8.u8")
INTEGER(u8_s8, "u8.s8")

#define DOUBLES(letter) const double *letter##d = (const double *)t.letter[threadIdx.x]
KERNEL(m8_f64) {
    trial &t = trials[blockIdx.x];
    DOUBLES(a);
    DOUBLES(b);
    DOUBLES(c);
    double *d = (double *)t.d[threadIdx.x];
    asm volatile(M "m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(ad[0]), "d"(bd[0]), "d"(cd[0]), "d"(cd[1]));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define SM_90 1
#endif
KERNEL(k4_f64) {
#ifdef SM_90
    trial &t = trials[blockIdx.x];
    DOUBLES(a);
    DOUBLES(b);
    DOUBLES(c);
    double *d = (double *)t.d[threadIdx.x];
    asm volatile(M "m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, "
                   "%10};"
                 : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                 : "d"(ad[0]), "d"(ad[1]), "d"(bd[0]), "d"(cd[0]), "d"(cd[1]), "d"(cd[2]),
                   "d"(cd[3]));
#endif
}
KERNEL(k8_f64) {
#ifdef SM_90
    trial &t = trials[blockIdx.x];
    DOUBLES(a);
    DOUBLES(b);
    DOUBLES(c);
    double *d = (double *)t.d[threadIdx.x];
    asm volatile(M "m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%10, %11, %12, %13};"
                 : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                 : "d"(ad[0]), "d"(ad[1]), "d"(ad[2]), "d"(ad[3]), "d"(bd[0]), "d"(bd[1]),
                   "d"(cd[0]), "d"(cd[1]), "d"(cd[2]), "d"(cd[3]));
#endif
}
KERNEL(k16_f64) {
#ifdef SM_90
    trial &t = trials[blockIdx.x];
    DOUBLES(a);
    DOUBLES(b);
    DOUBLES(c);
    double *d = (double *)t.d[threadIdx.x];
    asm volatile(M "m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, "
                   "%10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"
                 : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
                 : "d"(ad[0]), "d"(ad[1]), "d"(ad[2]), "d"(ad[3]), "d"(ad[4]), "d"(ad[5]),
                   "d"(ad[6]), "d"(ad[7]), "d"(bd[0]), "d"(bd[1]), "d"(bd[2]), "d"(bd[3]),
                   "d"(cd[0]), "d"(cd[1]), "d"(cd[2]), "d"(cd[3]));
#endif
}

/* m8n8k4 of f16: every order of A and B, sums of both types. */
#define QUAD(name, order)                                                                          \
    KERNEL(quad_##name) {                                                                          \
        OPERANDS;                                                                                  \
        const float *c = (const float *)t.c[threadIdx.x];                                          \
        float *d = (float *)t.d[threadIdx.x];                                                      \
        asm volatile(M "m8n8k4." order ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, "  \
                       "%9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"                \
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]),     \
                       "=f"(d[6]), "=f"(d[7])                                                      \
                     : A2, B2, "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]),   \
                       "f"(c[6]), "f"(c[7]));                                                      \
    }                                                                                              \
    MMA4(quad16_##name, M "m8n8k4." order ".f16.f16.f16.f16", uint32_t, "r", P4_2_2, A2, B2)
QUAD(row_col, "row.col")
QUAD(row_row, "row.row")
QUAD(col_col, "col.col")
QUAD(col_row, "col.row")

static const struct {
    const char *name;
    void (*kernel)(trial *);
} products[] = {
    {M "m16n8k16.row.col.f32.f16.f16.f32", k16_f16},
    {M "m16n8k16.row.col.f16.f16.f16.f16", k16_f16_f16},
    {M "m16n8k16.row.col.f32.bf16.bf16.f32", k16_bf16},
    {M "m16n8k8.row.col.f32.f16.f16.f32", k8_f16},
    {M "m16n8k8.row.col.f16.f16.f16.f16", k8_f16_f16},
    {M "m16n8k8.row.col.f32.bf16.bf16.f32", k8_bf16},
    {M "m16n8k8.row.col.f32.tf32.tf32.f32", k8_tf32},
    {M "m16n8k4.row.col.f32.tf32.tf32.f32", k4_tf32},
#define INTEGERS(name, types)                                                                      \
    {M "m16n8k16.row.col.s32." types ".s32", k16_##name},                                          \
        {M "m16n8k32.row.col.s32." types ".s32", k32_##name}, {                                    \
        M "m8n8k16.row.col.s32." types ".s32", m8_##name                                           \
    }
    INTEGERS(s8, "s8.s8"),
    INTEGERS(u8, "u8.u8"),
    INTEGERS(s8_u8, "s8.u8"),
    INTEGERS(u8_s8, "u8.s8"),
    {M "m8n8k4.row.col.f64.f64.f64.f64", m8_f64},
    {M "m16n8k4.row.col.f64.f64.f64.f64", k4_f64},
    {M "m16n8k8.row.col.f64.f64.f64.f64", k8_f64},
    {M "m16n8k16.row.col.f64.f64.f64.f64", k16_f64},
#define QUADS(name, order)                                                                         \
    {M "m8n8k4." order ".f32.f16.f16.f32", quad_##name}, {                                         \
        M "m8n8k4." order ".f16.f16.f16.f16", quad16_##name                                        \
    }
    QUADS(row_col, "row.col"),
    QUADS(row_row, "row.row"),
    QUADS(col_col, "col.col"),
    QUADS(col_row, "col.row"),
};

/* ---- numbers in registers ---- */

static void put(lane_words words, const fragment &f, int lane, int element, int value) {
    uint8_t *to = (uint8_t *)words[lane];
    const float number = (float)value;
    switch (f.type) {
    case FRAGMENT_F16: {
        const __half half = __float2half(number);
        memcpy(to + 2 * element, &half, 2);
        break;
    }
    case FRAGMENT_BF16: {
        const __nv_bfloat16 half = __float2bfloat16(number);
        memcpy(to + 2 * element, &half, 2);
        break;
    }
    case FRAGMENT_F64: {
        const double real = value;
        memcpy(to + 8 * element, &real, 8);
        break;
    }
    case FRAGMENT_S8:
    case FRAGMENT_U8:
        to[element] = (uint8_t)value;
        break;
    case FRAGMENT_S32:
        memcpy(to + 4 * element, &value, 4);
        break;
    default:
        memcpy(to + 4 * element, &number, 4);
    }
}

static double get(const lane_words words, const fragment &f, int lane, int element) {
    const uint8_t *from = (const uint8_t *)words[lane];
    __half half;
    float number;
    double real;
    int32_t integer;
    switch (f.type) {
    case FRAGMENT_F16:
        memcpy(&half, from + 2 * element, 2);
        return __half2float(half);
    case FRAGMENT_F64:
        memcpy(&real, from + 8 * element, 8);
        return real;
    case FRAGMENT_S32:
        memcpy(&integer, from + 4 * element, 4);
        return integer;
    default:
        memcpy(&number, from + 4 * element, 4);
        return number;
    }
}

/* ---- products ---- */

typedef std::vector<int> matrix; /* product, row, column */

static size_t place(const fragment &f, struct fragment_cell cell) {
    return ((size_t)cell.matrix * f.rows + cell.row) * f.columns + cell.column;
}
static size_t elements(const fragment &f) {
    return (size_t)f.matrices * f.rows * f.columns;
}

static void fill(lane_words words, const fragment &f, const matrix &from) {
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < fragment_elements(&f); i++)
            put(words, f, lane, i, from[place(f, fragment_cell(&f, lane, i))]);
}

static matrix multiply(const mma &m, const matrix &a, const matrix &b, const matrix &c) {
    matrix d = c;
    for (int p = 0; p < m.products; p++)
        for (int row = 0; row < m.m; row++)
            for (int column = 0; column < m.n; column++)
                for (int k = 0; k < m.k; k++)
                    d[(p * m.m + row) * m.n + column] +=
                        a[(p * m.m + row) * m.k + k] * b[(p * m.k + k) * m.n + column];
    return d;
}

static int small(bool is_signed) {
    return rand() % 7 - (is_signed ? 3 : 0);
}

/* Numbers that are exact in every type; few neighbours are equal. */
static matrix different(const fragment &f) {
    matrix made(elements(f));
    for (size_t i = 0; i < made.size(); i++)
        made[i] = (int)(i * 37 % 127);
    return made;
}

struct want {
    matrix a, b, c;
};

static want random_want(const mma &m) {
    want w = {matrix(elements(m.a)), matrix(elements(m.b)), matrix(elements(m.c))};
    for (int &value : w.a)
        value = small(m.a.type != FRAGMENT_U8);
    for (int &value : w.b)
        value = small(m.b.type != FRAGMENT_U8);
    for (int &value : w.c)
        value = small(true);
    return w;
}

static FILE *registers; /* NULL if they are not wanted */

static void write_registers(const char *name, const trial &t) {
    char field[64] = "";
    snprintf(field, sizeof field, "%s", name);
    fwrite(field, sizeof field, 1, registers);
    fwrite(&t, sizeof t, 1, registers);
}

static bool test_product(const char *name, void (*kernel)(trial *)) {
    mma m;
    const char *word;
    size_t length;
    if (mma_read(&m, name, &word, &length) != MMA_GOOD) {
        printf("FAIL %s: not in the table\n", name);
        return false;
    }
    std::vector<want> wants;
    for (int i = 0; i < RANDOM; i++)
        wants.push_back(random_want(m));
    for (size_t i = 0; i < elements(m.a); i++) {
        want w = {matrix(elements(m.a)), different(m.b), matrix(elements(m.c))};
        w.a[i] = 1;
        wants.push_back(w);
    }
    for (size_t i = 0; i < elements(m.b); i++) {
        want w = {different(m.a), matrix(elements(m.b)), matrix(elements(m.c))};
        w.b[i] = 1;
        wants.push_back(w);
    }
    trial *trials;
    must(cudaMallocManaged(&trials, wants.size() * sizeof *trials));
    memset(trials, 0, wants.size() * sizeof *trials);
    for (size_t i = 0; i < wants.size(); i++) {
        fill(trials[i].a, m.a, wants[i].a);
        fill(trials[i].b, m.b, wants[i].b);
        fill(trials[i].c, m.c, wants[i].c);
    }
    kernel<<<(unsigned)wants.size(), LANES>>>(trials);
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
    size_t wrong = 0;
    for (size_t i = 0; i < wants.size(); i++) {
        const matrix d = multiply(m, wants[i].a, wants[i].b, wants[i].c);
        for (int lane = 0; lane < LANES; lane++)
            for (int e = 0; e < fragment_elements(&m.d); e++)
                wrong +=
                    get(trials[i].d, m.d, lane, e) != d[place(m.d, fragment_cell(&m.d, lane, e))];
    }
    if (registers)
        write_registers(name, trials[0]);
    must(cudaFree(trials));
    printf("%s %s: %zu trials, %zu elements differ\n", wrong ? "FAIL" : "PASS", name, wants.size(),
           wrong);
    return wrong == 0;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

/* Memory holds the number of each element, by matrix, row and column; rows are 16 bytes apart, in
 * a permuted order. */
#define ROW_AT(row) ((row)*5 % 32)

#define LOAD(name, form, trans, places, ...)                                                       \
    __global__ void name(uint32_t *out) {                                                          \
        __shared__ __align__(16) uint16_t memory[32 * 8];                                          \
        uint32_t *r = out + 4 * threadIdx.x;                                                       \
        for (int i = 0; i < 8; i++)                                                                \
            memory[ROW_AT(threadIdx.x) * 8 + i] = (uint16_t)(threadIdx.x * 8 + i);                 \
        __syncwarp();                                                                              \
        const uint32_t at = (uint32_t)__cvta_generic_to_shared(&memory[ROW_AT(threadIdx.x) * 8]);  \
        asm volatile("ldmatrix.sync.aligned.m8n8." form trans ".shared.b16 {" places ";"           \
                     : __VA_ARGS__                                                                 \
                     : "r"(at)                                                                     \
                     : "memory");                                                                  \
    }
#define R1 "=r"(r[0])
#define R2 R1, "=r"(r[1])
#define R4 R2, "=r"(r[2]), "=r"(r[3])
LOAD(load_x1, "x1", "", "%0}, [%1]", R1)
LOAD(load_x2, "x2", "", "%0, %1}, [%2]", R2)
LOAD(load_x4, "x4", "", "%0, %1, %2, %3}, [%4]", R4)
LOAD(load_x1_trans, "x1", ".trans", "%0}, [%1]", R1)
LOAD(load_x2_trans, "x2", ".trans", "%0, %1}, [%2]", R2)
LOAD(load_x4_trans, "x4", ".trans", "%0, %1, %2, %3}, [%4]", R4)

#define STORE(name, form, trans, places, ...)                                                      \
    __global__ void name(uint32_t *inout) {                                                        \
        __shared__ __align__(16) uint16_t memory[32 * 8];                                          \
        const uint32_t *r = inout + 4 * threadIdx.x;                                               \
        for (int i = 0; i < 8; i++)                                                                \
            memory[threadIdx.x * 8 + i] = 0xffff;                                                  \
        __syncwarp();                                                                              \
        const uint32_t at = (uint32_t)__cvta_generic_to_shared(&memory[ROW_AT(threadIdx.x) * 8]);  \
        asm volatile("stmatrix.sync.aligned.m8n8." form trans ".shared.b16 [%0], {" places "};"    \
                     :                                                                             \
                     : "r"(at), __VA_ARGS__                                                        \
                     : "memory");                                                                  \
        __syncwarp();                                                                              \
        memcpy(inout + 4 * threadIdx.x, &memory[ROW_AT(threadIdx.x) * 8], 16);                     \
    }
#define S1 "r"(r[0])
#define S2 S1, "r"(r[1])
#define S4 S2, "r"(r[2]), "r"(r[3])
#ifdef SM_90
STORE(store_x1, "x1", "", "%1", S1)
STORE(store_x2, "x2", "", "%1, %2", S2)
STORE(store_x4, "x4", "", "%1, %2, %3, %4", S4)
STORE(store_x1_trans, "x1", ".trans", "%1", S1)
STORE(store_x2_trans, "x2", ".trans", "%1, %2", S2)
STORE(store_x4_trans, "x4", ".trans", "%1, %2, %3, %4", S4)
#else
#define NO_STORE(name)                                                                             \
    __global__ void name(uint32_t *) {}
NO_STORE(store_x1)
NO_STORE(store_x2)
NO_STORE(store_x4)
NO_STORE(store_x1_trans)
NO_STORE(store_x2_trans)
NO_STORE(store_x4_trans)
#endif

__global__ void transpose(uint32_t *out) {
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                 : "=r"(out[4 * threadIdx.x + 1])
                 : "r"(out[4 * threadIdx.x]));
}

static uint16_t half_of(const uint32_t *words, int lane, int element) {
    return (uint16_t)(words[4 * lane + element / 2] >> 16 * (element % 2));
}

static uint32_t *shared_words() {
    uint32_t *words;
    must(cudaMallocManaged(&words, 4 * LANES * sizeof *words));
    memset(words, 0, 4 * LANES * sizeof *words);
    return words;
}

static void run(void (*kernel)(uint32_t *), uint32_t *words) {
    kernel<<<1, LANES>>>(words);
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
}

static bool report(const char *name, int wrong) {
    printf("%s %s: %d elements differ\n", wrong ? "FAIL" : "PASS", name, wrong);
    return wrong == 0;
}

static bool test_load(const char *name, void (*kernel)(uint32_t *), int matrices, bool trans) {
    fragment f;
    uint32_t *words = shared_words();
    int wrong = 0;
    matrix_move_fragment(&f, matrices, trans);
    run(kernel, words);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < fragment_elements(&f); i++)
            wrong += half_of(words, lane, i) != place(f, fragment_cell(&f, lane, i));
    must(cudaFree(words));
    return report(name, wrong);
}

static bool test_store(const char *name, void (*kernel)(uint32_t *), int matrices, bool trans) {
    fragment f;
    uint32_t *words = shared_words();
    int wrong = 0;
    matrix_move_fragment(&f, matrices, trans);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < fragment_elements(&f); i++)
            words[4 * lane + i / 2] |= (uint32_t)place(f, fragment_cell(&f, lane, i))
                                       << 16 * (i % 2);
    run(kernel, words);
    for (int row = 0; row < 32; row++) /* the lane that passed the row's address has it */
        for (int column = 0; column < 8; column++)
            wrong +=
                half_of(words, row, column) != (row < 8 * matrices ? row * 8 + column : 0xffff);
    must(cudaFree(words));
    return report(name, wrong);
}

static bool test_transpose() {
    fragment from, to;
    uint32_t *words = shared_words();
    int wrong = 0;
    movmatrix_fragments(&from, &to);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 2; i++)
            words[4 * lane] |= (uint32_t)place(from, fragment_cell(&from, lane, i)) << 16 * i;
    run(transpose, words);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < 2; i++)
            wrong += half_of(words, lane, 2 + i) != place(to, fragment_cell(&to, lane, i));
    must(cudaFree(words));
    return report("movmatrix.sync.aligned.m8n8.trans.b16", wrong);
}

int main(int count, char **words) {
    int devices = 0;
    cudaDeviceProp device;
    if (count > 1 && !(registers = fopen(words[1], "wb"))) {
        perror(words[1]);
        return 2;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        fprintf(stderr, "fragments: no GPU\n");
        return 77;
    }
    must(cudaGetDeviceProperties(&device, 0));
    const int architecture = device.major * 10 + device.minor;
    printf("%s, sm_%d\n", device.name, architecture);
    int failed = 0;
    for (const auto &product : products) {
        mma m;
        const char *word;
        size_t length;
        if (mma_read(&m, product.name, &word, &length) == MMA_GOOD && m.architecture > architecture)
            printf("SKIP %s: needs sm_%d\n", product.name, m.architecture);
        else
            failed += !test_product(product.name, product.kernel);
    }
    static const struct {
        int matrices;
        bool trans;
        void (*load)(uint32_t *), (*store)(uint32_t *);
    } moves[] = {{1, false, load_x1, store_x1},
                 {2, false, load_x2, store_x2},
                 {4, false, load_x4, store_x4},
                 {1, true, load_x1_trans, store_x1_trans},
                 {2, true, load_x2_trans, store_x2_trans},
                 {4, true, load_x4_trans, store_x4_trans}};
    for (const auto &move : moves) {
        char name[64];
        snprintf(name, sizeof name, "matrix.sync.aligned.m8n8.x%d%s.shared.b16", move.matrices,
                 move.trans ? ".trans" : "");
        failed +=
            !test_load((std::string("ld") + name).c_str(), move.load, move.matrices, move.trans);
        if (architecture >= 90)
            failed += !test_store((std::string("st") + name).c_str(), move.store, move.matrices,
                                  move.trans);
    }
    failed += !test_transpose();
    printf(failed ? "%d failed\n" : "all passed\n", failed);
    if (registers && fclose(registers) != 0)
        return 2;
    return failed != 0;
}
