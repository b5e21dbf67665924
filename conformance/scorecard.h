/*
 * scorecard.h - asks an implementation about each row of the tables of data/ and prints, by rule,
 * how many rows are right and what the first wrong lane got.
 *
 * A test defines offers() and ask() and returns scorecard() from main(): 0 if every row that
 * was tested is right, else 1; 2 if the data cannot be read.
 */
#ifndef SCORECARD_H
#define SCORECARD_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef unsigned u32;
typedef unsigned long long u64;

/* A row as the device sees it: what is asked, and 32 values. */
struct row {
    int op, width, argument;
    u32 mask;
    u32 value[32];
};

/* The kinds of rows; `op` of a row chooses among the operations of its kind. */
enum question { SHUFFLE_32, SHUFFLE_64, SHUFFLE_DOUBLE, VOTE, REDUCE, INSTRUCTION, ACTIVEMASK };
enum { IDX, UP, DOWN, XOR };
enum { BALLOT, ALL, ANY, MATCH_ANY, MATCH_ALL, MATCH_PRED };
enum { ADD, MIN, MAX, AND, OR, BITS_XOR }; /* `width` is 1 if the numbers are signed */

/* Without member masks the whole warp makes the call, and lanes outside a mask pass a value that
 * does not change the result of the others. */
enum offer { NOT_OFFERED, WITHOUT_MASKS, OFFERED };
static offer offers(question question, int op);

/* One warp per row: fills got[], 32 words per row. Returns an error's name, or NULL. */
static const char *ask(question question, const std::vector<row> &rows, std::vector<u32> &got);

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

/* The last cell of each row is its location, file:line. */
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
        table.back().push_back(path + ":" + std::to_string(table.size() + 1));
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
    question asked;
    int op;
    std::vector<row> rows;
    std::vector<row> expected;       /* values, for the lanes of its mask */
    std::vector<std::string> places; /* of the rows: file:line */
};

static void run(const rule &rule) {
    const size_t count = rule.rows.size();
    std::vector<u32> got(count * 32, 0xdeadu);
    size_t right = 0, first = count;
    int first_lane = 0;
    if (offers(rule.asked, rule.op) == NOT_OFFERED) {
        printf("%-14s not asked\n", rule.name);
        return;
    }
    const char *error = ask(rule.asked, rule.rows, got);
    for (size_t i = 0; i < count; i++) {
        int wrong = error ? 0 : 32;
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
        if (error)
            printf("  %s\n", error);
        else
            printf("  first: %s: lane %d got %#x instead of %#x\n", rule.places[first].c_str(),
                   first_lane, got[first * 32 + first_lane],
                   rule.expected[first].value[first_lane]);
    }
}

/* `neutral` is the value of a lane that must not change the result. */
static void add(rule &rule, row row, const u32 expected[32], const std::string &place,
                u32 neutral = 0) {
    if (offers(rule.asked, rule.op) == WITHOUT_MASKS) {
        for (int lane = 0; lane < 32; lane++)
            if (!(row.mask >> lane & 1))
                row.value[lane] = neutral;
        row.mask = 0xffffffffu;
    }
    rule.rows.push_back(row);
    rule.places.push_back(place);
    memcpy(row.value, expected, sizeof row.value);
    rule.expected.push_back(row);
}

static void shuffles(const std::string &folder) {
    static const char *const names[] = {"idx", "up", "down", "xor"};
    rule rules[7] = {
        {"idx", SHUFFLE_32, IDX, {}, {}, {}},       {"up", SHUFFLE_32, UP, {}, {}, {}},
        {"down", SHUFFLE_32, DOWN, {}, {}, {}},     {"xor", SHUFFLE_32, XOR, {}, {}, {}},
        {"long long", SHUFFLE_64, IDX, {}, {}, {}}, {"double", SHUFFLE_DOUBLE, IDX, {}, {}, {}},
        {"five bits", SHUFFLE_32, IDX, {}, {}, {}}};
    for (const auto &cells : read_table(folder + "/shuffle.csv")) {
        row r = {index_of(cells[0], "idx up down xor"),
                 (int)number(cells[1]),
                 (int)number(cells[2]),
                 0xffffffffu,
                 {}};
        u32 expected[32];
        take_values(cells[3], expected);
        if (r.argument < 0 || r.argument > 31) { /* only its low five bits count */
            add(rules[6], r, expected, cells.back());
            continue;
        }
        for (int i = 0; i < 6; i++)
            if (i >= 4 || cells[0] == names[i])
                add(rules[i], r, expected, cells.back());
    }
    for (const rule &rule : rules)
        run(rule);
}

static void fill(u32 values[32], u32 value) {
    for (int lane = 0; lane < 32; lane++)
        values[lane] = value;
}

static void votes_and_matches(const std::string &folder) {
    static const char *const names[] = {"ballot", "all", "any", "match_any", "match_all", "pred"};
    rule rules[6];
    rule active = {"activemask", ACTIVEMASK, 0, {}, {}, {}};
    u32 expected[32];
    for (int i = 0; i < 6; i++)
        rules[i] = {names[i], VOTE, i, {}, {}, {}};
    for (const auto &cells : read_table(folder + "/vote.csv")) {
        row r = {BALLOT, 32, 0, number(cells[0]), {}};
        for (int lane = 0; lane < 32; lane++)
            r.value[lane] = number(cells[1]) >> lane & 1;
        for (r.op = BALLOT; r.op <= ANY; r.op++) {
            fill(expected, number(cells[2 + r.op]));
            add(rules[r.op], r, expected, cells.back(), r.op == ALL);
        }
        r.op = 0;
        fill(expected, 1);
        add(active, r, expected, cells.back());
    }
    for (const auto &cells : read_table(folder + "/match.csv")) {
        row r = {MATCH_ANY, 32, 0, number(cells[0]), {}};
        take_values(cells[1], r.value);
        take_values(cells[2], expected);
        add(rules[MATCH_ANY], r, expected, cells.back());
        for (r.op = MATCH_ALL; r.op <= MATCH_PRED; r.op++) {
            fill(expected, number(cells[r.op - 1]));
            add(rules[r.op], r, expected, cells.back());
        }
    }
    for (const rule &rule : rules)
        run(rule);
    run(active);
}

static void reductions(const std::string &folder) {
    static const char *const names[] = {"reduce add", "reduce min", "reduce max",
                                        "reduce and", "reduce or",  "reduce xor"};
    static const u32 nothing[][2] = {
        {0, 0}, {0xffffffffu, 0x7fffffff}, {0, 0x80000000u}, {0xffffffffu, 0}, {0, 0}, {0, 0}};
    rule rules[6];
    u32 expected[32];
    for (int i = 0; i < 6; i++)
        rules[i] = {names[i], REDUCE, i, {}, {}, {}};
    for (const auto &cells : read_table(folder + "/reduce.csv")) {
        row r = {index_of(cells[0], "add min max and or xor"),
                 cells[1] == "int",
                 0,
                 number(cells[2]),
                 {}};
        take_values(cells[3], r.value);
        fill(expected, number(cells[4]));
        add(rules[r.op], r, expected, cells.back(), nothing[r.op][r.width]);
    }
    for (const rule &rule : rules)
        run(rule);
}

static void instructions(const std::string &folder) {
    rule rule = {"shfl.sync", INSTRUCTION, 0, {}, {}, {}};
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
        add(rule, r, expected, cells.back());
    }
    run(rule);
}

static int scorecard(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : "data";
    printf("rule            right of  rows\n");
    shuffles(folder);
    votes_and_matches(folder);
    reductions(folder);
    instructions(folder);
    return failed;
}

#endif
