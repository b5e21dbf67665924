/* The differences between two steps, their lanes, and the words for them. */
#include "explain/findings/difference.h"
#include "trace/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define NEVER        UINT64_MAX

/* The offsets of fields in a record of 8-byte values (docs/TRACE_FORMAT.md). */
enum { BLOCK = 8, LAUNCH = 16, WARP = 20, SITE = 24, OP = 28, TYPE = 29, FLAGS = 30, MEMBERS = 32 };
enum { PRESENT = 36, WIDTH = 40, ARG = 128, IN = 256, OUT = 512, RECORD = 768 };
enum { A = 1, B = 2, BOTH = 3 };

struct edit {
    int who, at, bytes; /* bytes 0: no edit */
    uint64_t value;
};

/* xor 1 of a full warp: lane l passes 10 + l and gets the value of lane l ^ 1. */
static void make_record(unsigned char *record, uint64_t sequence) {
    const uint32_t all = UINT32_MAX;
    const int32_t one = 1, width = 32;
    memset(record, 0, RECORD);
    record[OP] = WARP_OP_XOR;
    record[TYPE] = WARP_TYPE_INT;
    record[FLAGS] = 2; /* it is known which lanes have left */
    memcpy(record + MEMBERS, &all, 4);
    memcpy(record + PRESENT, &all, 4);
    memcpy(record + WIDTH, &width, 4);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t in = 10 + (uint64_t)lane, out = 10 + (uint64_t)(lane ^ 1);
        memcpy(record + ARG + 4 * lane, &one, 4);
        memcpy(record + IN + 8 * lane, &in, 8);
        memcpy(record + OUT + 8 * lane, &out, 8);
    }
    memcpy(record, &sequence, 8);
}

static void clear_absent(unsigned char *record) {
    uint32_t present;
    memcpy(&present, record + PRESENT, 4);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (!(present >> lane & 1)) {
            memset(record + ARG + 4 * lane, 0, 4);
            memset(record + IN + 8 * lane, 0, 8);
            memset(record + OUT + 8 * lane, 0, 8);
        }
}

static struct trace *recording(int who, const struct edit *edits, size_t count, size_t steps,
                               struct trace_site site, const char *source) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    struct trace *trace;
    const struct trace_writer_options options = {.value_bytes = 8};
    const struct trace_launch launch = {"k", {4, 1, 1}, {96, 1, 1}, 0};
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    if (source)
        trace_writer_source(writer, site.file, source);
    for (size_t i = 0; i < steps; i++) {
        unsigned char record[RECORD];
        size_t room = 1;
        void *to = trace_writer_reserve(writer, &room);
        assert_non_null(to);
        make_record(record, i + 1);
        for (size_t k = 0; k < count; k++)
            if (edits[k].who & who)
                memcpy(record + edits[k].at, &edits[k].value, (size_t)edits[k].bytes);
        clear_absent(record);
        memcpy(to, record, RECORD);
    }
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

static const struct trace_site the_site = {"a.cu", 2, "f", "call()"};
static const char the_source[] = "a\n\tx = call(); \nc\n\tx = call();\n";

static void differ(const struct trace *const traces[2], enum difference_kind kind, unsigned parts,
                   uint32_t lanes, const char *words) {
    struct difference found;
    struct error err = ERROR_INIT;
    struct trace_step step[2];
    char text[DIFFERENCE_TEXT];
    uint32_t of_lanes = 0;
    assert_int_equal(difference_find(traces, &found, &err), 0);
    difference_words(traces, &found, text);
    assert_string_equal(text, words);
    assert_int_equal(found.kind, kind);
    assert_int_equal(found.parts, parts);
    assert_int_equal(found.lanes, lanes);
    assert_int_equal(found.steps, kind != DIFFERENCE_NONE);
    assert_int_equal(found.warps, kind != DIFFERENCE_NONE);
    for (int i = 0; i < 2; i++)
        assert_int_equal(trace_step(traces[i], 0, &step[i], &err), 0);
    assert_int_equal(difference_parts(traces, step, &of_lanes), parts);
    assert_int_equal(of_lanes, lanes);
}

static void test_parts(void **state) {
    static const struct {
        struct edit edits[5];
        enum difference_kind kind;
        unsigned parts;
        uint32_t lanes;
        const char *words;
    } cases[] = {
        {{{0}}, DIFFERENCE_NONE, 0, 0, "no lane differs"},
        {{{B, IN + 8 * 5, 8, 1}},
         DIFFERENCE_LANES,
         DIFFERS_IN,
         1 << 5,
         "different values passed, lane 5"},
        {{{A, OUT + 8 * 31, 8, 1}},
         DIFFERENCE_LANES,
         DIFFERS_OUT,
         1u << 31,
         "different results, lane 31"},
        {{{B, ARG, 4, 2}}, DIFFERENCE_LANES, DIFFERS_ARGUMENT, 1, "different arguments, lane 0"},
        {{{B, ARG, 4, 2}, {B, IN + 8, 8, 2}, {A, OUT + 16, 8, 2}},
         DIFFERENCE_LANES,
         DIFFERS_ARGUMENT | DIFFERS_IN | DIFFERS_OUT,
         7,
         "different arguments, different values passed, different results, lanes 0-2"},
        {{{B, WIDTH, 4, 16}},
         DIFFERENCE_OPERATION,
         DIFFERS_WIDTH,
         0,
         "different widths (A 32, B 16)"},
        {{{A, WIDTH, 4, 8}, {B, OUT, 8, 0}},
         DIFFERENCE_OPERATION,
         DIFFERS_WIDTH | DIFFERS_OUT,
         1,
         "different widths (A 8, B 32), different results, lane 0"},
        {{{B, MEMBERS, 4, 0x7fffffff}},
         DIFFERENCE_OPERATION,
         DIFFERS_MASK,
         0,
         "different masks (A 0xffffffff, B 0x7fffffff)"},
        {{{B, PRESENT, 4, 0x7fffffff}},
         DIFFERENCE_PRESENT,
         DIFFERS_PRESENT,
         1u << 31,
         "different lanes make the call, lane 31"},
        /* Lane 30 reads lane 31, which does not exist: its result is undefined, but only in B. */
        {{{B, PRESENT, 4, 0x7fffffff}, {B, OUT + 240, 8, 7}},
         DIFFERENCE_PRESENT,
         DIFFERS_PRESENT | DIFFERS_OUT,
         3u << 30,
         "different lanes make the call, different results, lanes 30-31"},
        {{{BOTH, PRESENT, 4, 0x7fffffff}, {B, OUT + 240, 8, 7}},
         DIFFERENCE_NONE,
         0,
         0,
         "no lane differs"},
        {{{B, OP, 1, WARP_OP_DOWN}},
         DIFFERENCE_OPERATION,
         DIFFERS_OPERATION,
         0,
         "different operations (A __shfl_xor_sync, B __shfl_down_sync)"},
        {{{B, TYPE, 1, WARP_TYPE_LONG_LONG}},
         DIFFERENCE_OPERATION,
         DIFFERS_TYPE,
         0,
         "different types (A int, B long long)"},
        {{{B, TYPE, 1, WARP_TYPE_FLOAT},
          {BOTH, PRESENT, 4, 2},
          {A, IN + 8, 8, 3},
          {B, IN + 8, 8, 0x40400000}},
         DIFFERENCE_OPERATION,
         DIFFERS_TYPE,
         0,
         "different types (A int, B float)"},
        {{{B, TYPE, 1, WARP_TYPE_FLOAT},
          {BOTH, PRESENT, 4, 2},
          {A, IN + 8, 8, 4},
          {B, IN + 8, 8, 0x40400000}},
         DIFFERENCE_OPERATION,
         DIFFERS_TYPE | DIFFERS_IN,
         2,
         "different types (A int, B float), different values passed, lane 1"},
        {{{B, TYPE, 1, WARP_TYPE_UNSIGNED}, {BOTH, IN + 8, 8, 0xffffffff}},
         DIFFERENCE_OPERATION,
         DIFFERS_TYPE | DIFFERS_IN,
         2,
         "different types (A int, B unsigned), different values passed, lane 1"},
        {{{A, FLAGS, 2, 10}},
         DIFFERENCE_OPERATION,
         DIFFERS_FINISH,
         0,
         "only B's lanes continue from here"},
        {{{B, FLAGS, 2, 10}},
         DIFFERENCE_OPERATION,
         DIFFERS_FINISH,
         0,
         "only A's lanes continue from here"},
        {{{BOTH, FLAGS, 2, 10}}, DIFFERENCE_NONE, 0, 0, "no lane differs"},
        {{{A, LAUNCH, 4, 0}}, DIFFERENCE_NONE, 0, 0, "no lane differs"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct edit *edits = cases[i].edits;
        size_t count = 0;
        while (count < 5 && cases[i].edits[count].bytes)
            count++;
        struct trace *a = recording(A, edits, count, 1, the_site, the_source);
        struct trace *b = recording(B, edits, count, 1, the_site, the_source);
        const struct trace *const traces[2] = {a, b};
        differ(traces, cases[i].kind, cases[i].parts, cases[i].lanes, cases[i].words);
        trace_close(a);
        trace_close(b);
    }
}

/* A call is the same if its text is the same, on the same line or on a line that has moved. */
static void test_places(void **state) {
    static const struct {
        struct trace_site site;
        const char *source;
        unsigned parts;
        const char *words;
    } cases[] = {
        {{"a.cu", 2, "f", "call()"}, the_source, 0, "no lane differs"},
        {{"b.cu", 2, "g", "call()"}, NULL, 0, "no lane differs"},
        {{"a.cu", 2, "f", "call2()"}, the_source, DIFFERS_CALL, "different calls"},
        {{"a.cu", 2, "f", ""}, the_source, DIFFERS_CALL, "different calls"},
        {{"a.cu", 4, "f", "call()"}, the_source, DIFFERS_LINE, "different lines (A 2, B 4)"},
        {{"a.cu", 3, "f", "call()"}, "a\nb\nx = call();\t\n", 0, "no lane differs"},
        {{"a.cu", 3, "f", "call()"}, "a\n\n  \tx = call();", 0, "no lane differs"},
        {{"a.cu", 1, "f", "call()"}, "x = call();", 0, "no lane differs"},
        {{"a.cu", 3, "f", "call()"},
         "a\nb\nx = call(2);\n",
         DIFFERS_LINE,
         "different lines (A 2, B 3)"},
        {{"a.cu", 3, "f", "call()"},
         "a\nb\ny = call();\n",
         DIFFERS_LINE,
         "different lines (A 2, B 3)"},
        {{"a.cu", 9, "f", "call()"}, "x = call();\n", DIFFERS_LINE, "different lines (A 2, B 9)"},
        {{"a.cu", 3, "f", "call()"}, NULL, DIFFERS_LINE, "different lines (A 2, B 3)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace *a = recording(A, NULL, 0, 1, the_site, the_source);
        struct trace *b = recording(B, NULL, 0, 1, cases[i].site, cases[i].source);
        const struct trace *const traces[2] = {a, b};
        differ(traces, cases[i].parts ? DIFFERENCE_OPERATION : DIFFERENCE_NONE, cases[i].parts, 0,
               cases[i].words);
        trace_close(a);
        trace_close(b);
    }
}

/* ---- warps ---- */

struct seen {
    size_t count;
    struct difference found[8];
};

static void see(void *context, const struct difference *found) {
    struct seen *seen = context;
    if (seen->count < COUNT(seen->found))
        seen->found[seen->count++] = *found;
}

/* Warps are aligned by launch, block and warp; a warp in only one recording is a difference. */
static void test_warps(void **state) {
    static const struct {
        struct edit where[2]; /* of A's steps and of B's */
        int first;            /* the recording whose warp is first */
    } cases[] = {
        {{{A, WARP, 4, 1}, {B, WARP, 4, 2}}, 0},   {{{A, WARP, 4, 2}, {B, WARP, 4, 0}}, 1},
        {{{A, BLOCK, 8, 1}, {B, BLOCK, 8, 3}}, 0}, {{{A, BLOCK, 8, 3}, {B, WARP, 4, 2}}, 1},
        {{{A, WARP, 4, 2}, {B, LAUNCH, 4, 1}}, 0}, {{{A, LAUNCH, 4, 1}, {B, BLOCK, 8, 3}}, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace *a = recording(A, cases[i].where, 2, 3, the_site, the_source);
        struct trace *b = recording(B, cases[i].where, 2, 2, the_site, the_source);
        const struct trace *const traces[2] = {a, b};
        struct difference difference;
        struct seen seen = {0};
        struct error err = ERROR_INIT;
        char text[DIFFERENCE_TEXT];
        assert_int_equal(difference_walk(traces, &difference, see, &seen, &err), 0);
        assert_int_equal(difference.kind, DIFFERENCE_WARP);
        assert_int_equal(difference.warps, 2);
        assert_int_equal(difference.steps, 5);
        assert_int_equal(difference.compared[0], 3);
        assert_int_equal(difference.compared[1], 2);
        assert_int_equal(difference.step[cases[i].first], 0);
        assert_true(difference.step[!cases[i].first] == NEVER);
        assert_int_equal(seen.count, 2);
        for (int k = 0; k < 2; k++) {
            const struct difference *found = &seen.found[k];
            const int which = k ? !cases[i].first : cases[i].first;
            assert_int_equal(found->kind, DIFFERENCE_WARP);
            assert_int_equal(found->warp.steps, which ? 2 : 3);
            assert_int_equal(found->step[which], 0);
            assert_true(found->step[!which] == NEVER);
        }
        difference_words(traces, &difference, text);
        assert_string_equal(text, "only one recording has this warp");
        trace_close(a);
        trace_close(b);
    }
}

/* A warp that continues in only one recording, and the words for it; a visitor is optional. */
static void test_ends(void **state) {
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        struct trace *a = recording(A, NULL, 0, longer ? 1 : 4, the_site, the_source);
        struct trace *b = recording(B, NULL, 0, longer ? 4 : 1, the_site, the_source);
        const struct trace *const traces[2] = {a, b};
        struct difference difference;
        struct seen seen = {0};
        struct error err = ERROR_INIT;
        char text[DIFFERENCE_TEXT];
        assert_int_equal(difference_walk(traces, &difference, see, &seen, &err), 0);
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.found[0].position, 1);
        assert_int_equal(difference.steps, 3);
        assert_int_equal(difference.warps, 1);
        difference_words(traces, &difference, text);
        assert_string_equal(text, "this warp has more steps in one recording");
        trace_close(a);
        trace_close(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_warps), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
