/*
 * conformance.cu - holds a CUDA or HIP implementation against data/*.csv and prints a scorecard.
 *
 *     nvcc -arch=native conformance.cu -o conformance && ./conformance data
 *     hipcc -x hip conformance.cu -o conformance && ./conformance data
 *     shflviz run conformance.cu -- data
 *
 * One warp a row. Ends with 0 if every row of every rule that the implementation offers is right,
 * else with 1; 2 if the data cannot be read. HIP has no member masks in all its versions: there
 * rules with other masks than the full one are not asked.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if defined(__HIP__) || defined(__HIPCC__) || defined(__HIP_CPU_RT__)
#include <hip/hip_runtime.h>
#define cudaMalloc             hipMalloc
#define cudaMemcpy             hipMemcpy
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaGetErrorString     hipGetErrorString
#define cudaSuccess            hipSuccess
#define HAS_MASKS              0
#define LAUNCH(KERNEL, ROWS, ...)                                                                  \
    hipLaunchKernelGGL(KERNEL, dim3(ROWS), dim3(32), 0, 0, __VA_ARGS__)
#define SHFL(OP, M, V, A, W) __shfl##OP(V, A, W)
#else
#include <cuda_runtime.h>
#define HAS_MASKS                 1
#define LAUNCH(KERNEL, ROWS, ...) KERNEL<<<ROWS, 32>>>(__VA_ARGS__)
#define SHFL(OP, M, V, A, W)      __shfl##OP##_sync(M, V, A, W)
#endif

typedef unsigned u32;
typedef unsigned long long u64;

/* A row as the device sees it: what is asked, and 32 values. */
struct row {
    int op, width, argument;
    u32 mask;
    u32 value[32];
};

enum { IDX, UP, DOWN, XOR };
enum { BALLOT, ALL, ANY, MATCH_ANY, MATCH_ALL, MATCH_PRED };
enum { ADD, MIN, MAX, AND, OR, BITS_XOR };

template <class T> __device__ T shuffle(const row &r, T value) {
    switch (r.op) {
    case IDX:
        return SHFL(, 0xffffffffu, value, r.argument, r.width);
    case UP:
        return SHFL(_up, 0xffffffffu, value, r.argument, r.width);
    case DOWN:
        return SHFL(_down, 0xffffffffu, value, r.argument, r.width);
    default:
        return SHFL(_xor, 0xffffffffu, value, r.argument, r.width);
    }
}

/* Each lane brings its number, in a form that all bits of the type take part in. */
__global__ void shuffle_32(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = shuffle(rows[blockIdx.x], lane * 0x01010101u) & 31;
}
__global__ void shuffle_64(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    const u64 got = shuffle(rows[blockIdx.x], (u64)lane << 40 | lane);
    out[blockIdx.x * 32 + lane] = (u32)(got >> 40) == (u32)(got & 255) ? (u32)(got & 255) : 99;
}
__global__ void shuffle_double(const row *rows, u32 *out) {
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = (u32)((shuffle(rows[blockIdx.x], lane + 0.015625) - 0.015625));
}

#if HAS_MASKS
__global__ void votes(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x;
    int pred = 0;
    u32 got = 0;
    if (r.mask >> lane & 1) {
        switch (r.op) {
        case BALLOT:
            got = __ballot_sync(r.mask, r.value[lane]);
            break;
        case ALL:
            got = __all_sync(r.mask, r.value[lane]) != 0;
            break;
        case ANY:
            got = __any_sync(r.mask, r.value[lane]) != 0;
            break;
        case MATCH_ANY:
            got = __match_any_sync(r.mask, r.value[lane]);
            break;
        case MATCH_ALL:
            got = __match_all_sync(r.mask, r.value[lane], &pred);
            break;
        default:
            __match_all_sync(r.mask, r.value[lane], &pred);
            got = pred != 0;
        }
    }
    out[blockIdx.x * 32 + lane] = got;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void reduce(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x, value = r.value[lane];
    u32 got = 0;
    if (r.mask >> lane & 1) {
        switch (r.op) {
        case ADD:
            got = __reduce_add_sync(r.mask, value);
            break;
        case MIN:
            got = r.width ? (u32)__reduce_min_sync(r.mask, (int)value)
                          : __reduce_min_sync(r.mask, value);
            break;
        case MAX:
            got = r.width ? (u32)__reduce_max_sync(r.mask, (int)value)
                          : __reduce_max_sync(r.mask, value);
            break;
        case AND:
            got = __reduce_and_sync(r.mask, value);
            break;
        case OR:
            got = __reduce_or_sync(r.mask, value);
            break;
        default:
            got = __reduce_xor_sync(r.mask, value);
        }
    }
    out[blockIdx.x * 32 + lane] = got;
}
#else
__global__ void reduce(const row *, u32 *) {}
#endif

/* The instruction itself, with a clamp that no intrinsic passes, and its predicate in bit 8. */
__global__ void instruction(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x, b = (u32)r.argument, c = (u32)r.width;
    u32 got, p;
#define SHFL_SYNC(MODE)                                                                            \
    asm volatile("{ .reg .pred q; shfl.sync." MODE ".b32 %0|q, %2, %3, %4, 0xffffffff; "           \
                 "selp.u32 %1, 1, 0, q; }"                                                         \
                 : "=r"(got), "=r"(p)                                                              \
                 : "r"(lane), "r"(b), "r"(c))
    switch (r.op) {
    case IDX:
        SHFL_SYNC("idx");
        break;
    case UP:
        SHFL_SYNC("up");
        break;
    case DOWN:
        SHFL_SYNC("down");
        break;
    default:
        SHFL_SYNC("bfly");
    }
    out[blockIdx.x * 32 + lane] = got | p << 8;
}

/* CUDA says little of __activemask(): a lane that asks is active, one that has returned is not. */
__global__ void activemask(const row *rows, u32 *out) {
    const row &r = rows[blockIdx.x];
    const u32 lane = threadIdx.x;
    out[blockIdx.x * 32 + lane] = 1;
    if (!(r.mask >> lane & 1))
        return;
    const u32 active = __activemask();
    out[blockIdx.x * 32 + lane] = active >> lane & 1;
}
#endif

/* ---- the data ---- */

static std::vector<std::string> split(const std::string &text, char by) {
    std::vector<std::string> parts(1);
    for (char c : text)
        if (c == by)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

static std::vector<std::vector<std::string>> read_table(const std::string &path) {
    std::vector<std::vector<std::string>> table;
    FILE *file = fopen(path.c_str(), "r");
    char line[4096];
    if (!file || !fgets(line, sizeof line, file)) {
        fprintf(stderr, "cannot read %s\n", path.c_str());
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        table.push_back(split(line, ','));
    }
    fclose(file);
    return table;
}

static u32 number(const std::string &text) {
    return (u32)strtoll(text.c_str(), nullptr, 0);
}

static void take_values(const std::string &text, u32 value[32]) {
    const std::vector<std::string> words = split(text, ' ');
    for (int i = 0; i < 32; i++)
        value[i] = number(words[words.size() == 32 ? i : 0]);
}

static int index_of(const std::string &word, const char *words) {
    const std::vector<std::string> all = split(words, ' ');
    for (size_t i = 0; i < all.size(); i++)
        if (all[i] == word)
            return (int)i;
    return -1;
}

/* ---- the scorecard ---- */

static bool failed;

struct rule {
    const char *name;
    void (*kernel)(const row *, u32 *);
    std::vector<row> rows;
    std::vector<row> expected; /* its values, of the lanes of its mask */
};

static void run(const rule &rule) {
    const size_t count = rule.rows.size();
    std::vector<u32> got(count * 32, 0xdeadu);
    row *rows = nullptr;
    u32 *out = nullptr;
    size_t right = 0, first = count;
    int first_lane = 0;
    (void)cudaMalloc((void **)&rows, count * sizeof(row));
    (void)cudaMalloc((void **)&out, got.size() * 4);
    (void)cudaMemcpy(rows, rule.rows.data(), count * sizeof(row), cudaMemcpyHostToDevice);
    (void)cudaMemcpy(out, got.data(), got.size() * 4, cudaMemcpyHostToDevice);
    LAUNCH(rule.kernel, (u32)count, rows, out);
    const auto status = cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < count; i++) {
        int wrong = status == cudaSuccess ? 32 : 0;
        for (int lane = 31; lane >= 0; lane--)
            if ((rule.expected[i].mask >> lane & 1) &&
                got[i * 32 + lane] != rule.expected[i].value[lane])
                wrong = lane;
        right += wrong == 32;
        if (wrong < 32 && i < first)
            first = i, first_lane = wrong;
    }
    printf("%-14s %5zu of %5zu%s", rule.name, right, count, right == count ? "\n" : "");
    if (right < count) {
        failed = true;
        if (status != cudaSuccess)
            printf("  %s\n", cudaGetErrorString(status));
        else
            printf("  first: width %d, argument %d, mask %08x, lane %d: %#x instead of %#x\n",
                   rule.rows[first].width, rule.rows[first].argument, rule.rows[first].mask,
                   first_lane, got[first * 32 + first_lane],
                   rule.expected[first].value[first_lane]);
    }
}

static void add(rule &rule, row row, const u32 expected[32]) {
    rule.rows.push_back(row);
    memcpy(row.value, expected, sizeof row.value);
    rule.expected.push_back(row);
}

static void shuffles(const std::string &folder) {
    static const char *const names[] = {"idx", "up", "down", "xor"};
    rule rules[7] = {{"idx", shuffle_32, {}, {}},       {"up", shuffle_32, {}, {}},
                     {"down", shuffle_32, {}, {}},      {"xor", shuffle_32, {}, {}},
                     {"long long", shuffle_64, {}, {}}, {"double", shuffle_double, {}, {}},
                     {"five bits", shuffle_32, {}, {}}};
    for (const auto &cells : read_table(folder + "/shuffle.csv")) {
        row r = {index_of(cells[0], "idx up down xor"),
                 (int)number(cells[1]),
                 (int)number(cells[2]),
                 0xffffffffu,
                 {}};
        u32 expected[32];
        take_values(cells[3], expected);
        if (r.argument < 0 || r.argument > 31) { /* only its low five bits count */
            add(rules[6], r, expected);
            continue;
        }
        for (int i = 0; i < 6; i++)
            if (i >= 4 || cells[0] == names[i])
                add(rules[i], r, expected);
    }
    for (const rule &rule : rules)
        run(rule);
}

#if HAS_MASKS
static void fill(u32 values[32], u32 value) {
    for (int lane = 0; lane < 32; lane++)
        values[lane] = value;
}

static void votes_and_matches(const std::string &folder) {
    static const char *const names[] = {"ballot", "all", "any", "match_any", "match_all", "pred"};
    rule rules[6];
    rule active = {"activemask", activemask, {}, {}};
    u32 expected[32];
    for (int i = 0; i < 6; i++)
        rules[i] = {names[i], votes, {}, {}};
    for (const auto &cells : read_table(folder + "/vote.csv")) {
        row r = {BALLOT, 32, 0, number(cells[0]), {}};
        for (int lane = 0; lane < 32; lane++)
            r.value[lane] = number(cells[1]) >> lane & 1;
        for (r.op = BALLOT; r.op <= ANY; r.op++) {
            fill(expected, number(cells[2 + r.op]));
            add(rules[r.op], r, expected);
        }
        fill(expected, 1);
        add(active, r, expected);
    }
    for (const auto &cells : read_table(folder + "/match.csv")) {
        row r = {MATCH_ANY, 32, 0, number(cells[0]), {}};
        take_values(cells[1], r.value);
        take_values(cells[2], expected);
        add(rules[MATCH_ANY], r, expected);
        for (r.op = MATCH_ALL; r.op <= MATCH_PRED; r.op++) {
            fill(expected, number(cells[r.op - 1]));
            add(rules[r.op], r, expected);
        }
    }
    for (const rule &rule : rules)
        run(rule);
    run(active);
}

static void reductions(const std::string &folder) {
    static const char *const names[] = {"reduce add", "reduce min", "reduce max",
                                        "reduce and", "reduce or",  "reduce xor"};
    rule rules[6];
    u32 expected[32];
    for (int i = 0; i < 6; i++)
        rules[i] = {names[i], reduce, {}, {}};
    for (const auto &cells : read_table(folder + "/reduce.csv")) {
        row r = {index_of(cells[0], "add min max and or xor"),
                 cells[1] == "int",
                 0,
                 number(cells[2]),
                 {}};
        take_values(cells[3], r.value);
        fill(expected, number(cells[4]));
        add(rules[r.op], r, expected);
    }
    for (const rule &rule : rules)
        run(rule);
}

static void instructions(const std::string &folder) {
    rule rule = {"shfl.sync", instruction, {}, {}};
    u32 expected[32];
    for (const auto &cells : read_table(folder + "/instruction.csv")) {
        const row r = {index_of(cells[0], "idx up down xor"),
                       (int)number(cells[2]),
                       (int)number(cells[1]),
                       0xffffffffu,
                       {}};
        take_values(cells[3], expected);
        for (int lane = 0; lane < 32; lane++)
            expected[lane] |= (number(cells[4]) >> lane & 1) << 8;
        add(rule, r, expected);
    }
    run(rule);
}
#endif

int main(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : "data";
    printf("rule            right of  rows\n");
    shuffles(folder);
#if HAS_MASKS
    votes_and_matches(folder);
    reductions(folder);
    instructions(folder);
#endif
    return failed;
}
