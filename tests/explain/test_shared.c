/* Accesses to memory: the variable, its elements, and the content of a word. */
#include "explain/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct trace_writer *begin(void) {
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    const struct trace_writer_options options = {.value_bytes = 8};
    const struct trace_launch launch = {"k", {4, 1, 1}, {96, 1, 1}, 0};
    const struct trace_site site = {"a.cu", 2, "f", "s[i]"};
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    return writer;
}

static struct trace *end(struct trace_writer *writer) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

/* ---- variables ---- */

#define LONG_NAME "a234567890b234567890c234567890d234567890e234567890f234567890g234567890"
#define CUT_NAME  "a234567890b234567890c234567890d234567890e234567890f234567890g23"

static void test_variables(void **state) {
    static const struct {
        enum warp_op op;
        int32_t offset;
        const char *name;
        int32_t begins;
        int64_t size;
        bool is_known, is_allocation;
        long argument;
        const char *kernel;
    } cases[] = {
        {WARP_OP_SHARED_READ, 0, "sum", 0, 128, true, false, 0, ""},
        {WARP_OP_SHARED_WRITE, 127, "sum", 0, 128, true, false, 0, ""},
        {WARP_OP_SHARED_ATOMIC, 128, "one two", 128, 4, true, false, 0, ""},
        {WARP_OP_SHARED_READ, 131, "one two", 128, 4, true, false, 0, ""},
        {WARP_OP_SHARED_READ, 132, "shared memory", 0, INT32_MAX, false, false, 0, ""},
        {WARP_OP_SHARED_READ, 256, "shared memory", 0, INT32_MAX, false, false, 0, ""}, /* empty */
        {WARP_OP_SHARED_READ, 300, "shared memory", 0, INT32_MAX, false, false, 0, ""}, /* odd */
        {WARP_OP_SHARED_READ, -1, "shared memory", 0, INT32_MAX, false, false, 0, ""},
        {WARP_OP_SHARED_READ, -128, "shared memory", 0, INT32_MAX, false, false, 0, ""},
        {WARP_OP_SHARED_READ, 384, CUT_NAME, 384, 1, true, false, 0, ""},
        {WARP_OP_SHARED_READ, 512, "@1 k", 512, 8, true, false, 0, ""},
        {WARP_OP_SHARED_READ, 519, "@1 k", 512, 8, true, false, 0, ""},
        {WARP_OP_SHARED_READ, 520, "shared memory", 0, INT32_MAX, false, false, 0, ""},
        {WARP_OP_GLOBAL_READ, 0, "argument 2 of sum", 0, 256, true, true, 2, "sum"},
        {WARP_OP_GLOBAL_WRITE, 256, "512 bytes", 256, 512, true, true, 0, ""},
        {WARP_OP_GLOBAL_ATOMIC, 768, "counter", 768, 4, true, false, 0, ""},
        {WARP_OP_GLOBAL_READ, 1024, "16 bytes", 1024, 16, true, true, 0, ""},
        {WARP_OP_GLOBAL_READ, 1280, "17 bytes", 1280, 17, true, true, 0, ""},
        {WARP_OP_GLOBAL_READ, 1536, "argument 1 of k(int *)", 1536, 18, true, true, 1, "k(int *)"},
        {WARP_OP_GLOBAL_READ, 1800, "global memory", 0, INT32_MAX, false, false, 0, ""},
        {WARP_OP_GLOBAL_READ, INT32_MAX, "big", 2048, INT64_C(1) << 33, true, false, 0, ""},
    };
    struct trace_writer *writer = begin();
    (void)state;
    trace_writer_note(writer, TRACE_NOTE_SHARED,
                      "-128 128 below\n0 128 sum\n128 4 one two\n256 0 empty\n300 8 odd\n"
                      "4294967424 4 far\n384 1 " LONG_NAME "\n512 8 @1 k");
    trace_writer_note(writer, TRACE_NOTE_GLOBAL,
                      "0 256 @2 sum\n256 512 @\n768 4 counter\n1024 16 @0 k\n1280 17 @12\n"
                      "1536 18 @1 k(int *)\n2048 8589934592 big\n");
    struct trace *trace = end(writer);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shared_variable v = shared_variable_at(trace, cases[i].op, cases[i].offset);
        assert_string_equal(v.name, cases[i].name);
        assert_int_equal(v.offset, cases[i].begins);
        assert_int_equal(v.size, cases[i].size);
        assert_int_equal(v.is_known, cases[i].is_known);
        assert_int_equal(v.is_allocation, cases[i].is_allocation);
        assert_int_equal(v.argument, cases[i].argument);
        assert_string_equal(v.kernel, cases[i].kernel);
    }
    trace_close(trace);
    trace = end(begin()); /* which names nothing */
    assert_string_equal(shared_variable_at(trace, WARP_OP_SHARED_READ, 0).name, "shared memory");
    assert_string_equal(shared_variable_at(trace, WARP_OP_GLOBAL_READ, 0).name, "global memory");
    trace_close(trace);
}

/* ---- elements ---- */

static void test_elements(void **state) {
    static const struct {
        enum warp_op op;
        enum warp_type type;
        int width;
        uint64_t in, out;
        int elements;
        const char *after, *before;
    } cases[] = {
        {WARP_OP_SHARED_WRITE, WARP_TYPE_INT, 4, 5, 0xffffffff, 1, "-1", "5"},
        {WARP_OP_SHARED_READ, WARP_TYPE_INT, 4, 5, 7, 1, "7", ""},
        {WARP_OP_SHARED_ATOMIC, WARP_TYPE_INT, 4, 5, 7, 1, "7", "5"},
        {WARP_OP_GLOBAL_WRITE, WARP_TYPE_INT, 1, 0xffffff80, 0xffffffff, 1, "-1", "-128"},
        {WARP_OP_GLOBAL_WRITE, WARP_TYPE_INT, 2, 3, 0xffff8000, 1, "-32768", "3"},
        {WARP_OP_GLOBAL_READ, WARP_TYPE_INT, 1, 3, 4, 1, "4", ""},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_INT, 8, UINT64_C(0x600000005), UINT64_C(0x800000007), 2,
         "7,8", "5,6"},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_INT, 12, 9, UINT64_C(0x800000007), 3, "7,8,9", ""},
        {WARP_OP_SHARED_READ, WARP_TYPE_FLOAT, 16, UINT64_C(0xc04000003f800000),
         UINT64_C(0x4000000040200000), 4, "2.5,2,1,-3", ""},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_LONG_LONG, 8, 1, UINT64_MAX, 1, "-1", "1"},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_LONG_LONG, 16, 2, UINT64_MAX, 2, "-1,2", ""},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_HALF, 2, 0, 0x3c00, 1, "1", "0"},
        {WARP_OP_SHARED_WRITE, WARP_TYPE_HALF, 8, 0, UINT64_C(0x4200400044003c00), 4, "1,4,2,3",
         "0,0,0,0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int lane = 0; lane < WARP_LANES; lane += 31) {
            struct warp_operation operation = {.op = cases[i].op, .type = cases[i].type};
            char buffer[WARP_VALUE_TEXT];
            operation.width[lane] = cases[i].width;
            operation.in[lane] = cases[i].in;
            operation.out[lane] = cases[i].out;
            assert_int_equal(shared_elements(&operation, lane), cases[i].elements);
            assert_string_equal(explain_shared_after(&operation, lane, buffer), cases[i].after);
            assert_string_equal(explain_shared_before(&operation, lane, buffer), cases[i].before);
        }
    /* Values without a type are as wide as the access; there are 16 elements at most. */
    struct warp_operation operation = {.type = WARP_TYPE_NONE, .width = {4, 16, 64, 32}};
    operation.out[0] = UINT64_MAX;
    operation.in[1] = 9;
    operation.out[1] = UINT64_MAX;
    assert_int_equal(shared_elements(&operation, 0), 1);
    assert_true(shared_element(&operation, 0, 0) == UINT32_MAX);
    assert_int_equal(shared_elements(&operation, 1), 1);
    assert_true(shared_element(&operation, 1, 0) == UINT64_MAX);
    operation.type = WARP_TYPE_HALF;
    assert_int_equal(shared_elements(&operation, 2), 16);
    assert_int_equal(shared_elements(&operation, 3), 16);
}

/* ---- words ---- */

enum { RECORD = 768, ALL = -1 };

/* An access by some lanes: lane l reads, or leaves behind, value + l at offset + 4 * l. */
struct access {
    enum warp_op op;
    int launch, block, warp, lanes, width, offset, value;
};

static void put(struct trace_writer *writer, uint64_t number, const struct access *access) {
    unsigned char record[RECORD] = {0};
    const struct shflviz_record_header header = {.sequence = number + 1,
                                                 .block = (uint64_t)access->block,
                                                 .launch = (uint32_t)access->launch,
                                                 .warp = (uint32_t)access->warp,
                                                 .op = (uint8_t)access->op,
                                                 .type = WARP_TYPE_UNSIGNED,
                                                 .members = (uint32_t)access->lanes,
                                                 .present = (uint32_t)access->lanes,
                                                 .width = access->width};
    size_t room = 1;
    memcpy(record, &header, sizeof header);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!((uint32_t)access->lanes >> lane & 1))
            continue;
        const int32_t offset = access->offset + (access->value < 0 ? 0 : 4 * lane);
        const uint64_t low =
            (uint64_t)(access->value < 0 ? -access->value + lane : access->value + lane);
        const uint64_t out = access->width > 8 ? low | (low + 1) << 32 : low;
        const uint64_t in = access->width > 8 ? (low + 2) | (low + 3) << 32 : 0;
        memcpy(record + 128 + 4 * lane, &offset, 4);
        memcpy(record + 256 + 8 * lane, &in, 8);
        memcpy(record + 512 + 8 * lane, &out, 8);
    }
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
}

static const struct access accesses[] = {
    {WARP_OP_SHARED_WRITE, 0, 0, 0, ALL, 4, 0, 100},
    {WARP_OP_SHARED_WRITE, 0, 1, 0, ALL, 4, 0, 200}, /* of another block */
    {WARP_OP_GLOBAL_WRITE, 0, 0, 0, ALL, 4, 0, 300}, /* to other memory */
    {WARP_OP_SHARED_READ, 0, 0, 1, ALL, 4, 0, 400},  /* writes nothing */
    {WARP_OP_SHARED_WRITE, 0, 0, 2, 1 << 5, 2, -12, 0xbeef},
    {WARP_OP_SHARED_WRITE, 0, 0, 1, 3 << 3, 4, 0, -500}, /* both to the first word */
    {WARP_OP_SHARED_ATOMIC, 0, 0, 0, 1, 4, 12, 55},
    {WARP_OP_SHARED_WRITE, 0, 0, 0, 1, 16, 136, 700},
    {WARP_OP_XOR, 0, 0, 0, ALL, 32, 0, 800}, /* no access */
    {WARP_OP_SHARED_READ, 0, 0, 0, 1, 4, 0, 900},
    {WARP_OP_GLOBAL_ATOMIC, 0, 3, 0, 1, 4, 4, 1000},
    {WARP_OP_GLOBAL_READ, 0, 2, 0, 1, 4, 0, 1100},
    {WARP_OP_SHARED_READ, 1, 0, 0, 1, 4, 0, 1200},
    {WARP_OP_SHARED_WRITE, 1, 0, 0, 1, 4, 0, 1300},
};

static void test_words(void **state) {
    static const struct {
        int step, number, offset, word; /* of the word that is asked for */
        bool is_known;
        uint32_t value;
        int lane;
        uint32_t warp;
        int by;
    } cases[] = {
        {9, 9, 0, 0, true, 504, 4, 1, 5}, /* of two lanes, the larger one */
        {9, 9, 0, 1, true, 101, 1, 0, 0},     {9, 9, 4, 0, true, 101, 1, 0, 0},
        {9, 9, 0, 2, true, 0xbef4, 5, 2, 4}, /* the upper half is still that of 102 */
        {9, 9, 8, 0, true, 0xbef4, 5, 2, 4},  {9, 9, 0, 3, true, 55, 0, 0, 6},
        {9, 9, 0, 31, true, 131, 31, 0, 0},   {9, 9, 124, 0, true, 131, 31, 0, 0},
        {9, 9, 0, 32, false, 0, 0, 0, 0},     {9, 9, 128, 2, true, 700, 0, 0, 7},
        {9, 9, 128, 3, true, 701, 0, 0, 7},   {9, 9, 128, 4, true, 702, 0, 0, 7},
        {9, 9, 128, 5, true, 703, 0, 0, 7},   {9, 9, 128, 6, false, 0, 0, 0, 0},
        {9, 5, 0, 0, true, 100, 0, 0, 0}, /* before the step in question */
        {9, 6, 0, 3, true, 103, 3, 0, 0},     {9, 7, 0, 3, true, 55, 0, 0, 6},
        {9, 0, 0, 0, false, 0, 0, 0, 0},      {9, 1, 0, 0, true, 100, 0, 0, 0},
        {9, 10, 0, 0, true, 900, 0, 0, 9}, /* after a read, the values read count, too */
        {3, 4, 0, 1, true, 401, 1, 1, 3},     {3, 3, 0, 1, true, 101, 1, 0, 0},
        {1, 9, 0, 3, true, 203, 3, 0, 1},   /* block 1 */
        {11, 11, 0, 0, true, 300, 0, 0, 2}, /* all blocks share global memory */
        {11, 11, 0, 1, true, 1000, 0, 0, 10}, {11, 12, 0, 0, true, 1100, 0, 0, 11},
        {12, 12, 0, 0, false, 0, 0, 0, 0}, /* another launch */
        {12, 14, 0, 0, true, 1300, 0, 0, 13}, {12, 13, 0, 0, true, 1200, 0, 0, 12},
    };
    struct trace_writer *writer = begin();
    (void)state;
    for (size_t i = 0; i < COUNT(accesses); i++)
        put(writer, i, &accesses[i]);
    struct trace *trace = end(writer);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct shared_word words[40];
        struct trace_step step;
        struct error err = ERROR_INIT;
        memset(words, 0xff, sizeof words);
        if (trace_step(trace, (uint64_t)cases[i].step, &step, &err) != 0)
            fail_msg("%s", err.text);
        shared_words(trace, &step, (uint64_t)cases[i].number, cases[i].offset, cases[i].word + 1,
                     words);
        const struct shared_word *word = &words[cases[i].word];
        assert_int_equal(word->is_known, cases[i].is_known);
        if (word->value != cases[i].value)
            fail_msg("case %zu: %u", i, (unsigned)word->value);
        assert_int_equal(word->lane, cases[i].lane);
        assert_int_equal(word->warp, cases[i].warp);
        assert_int_equal(word->step, (uint64_t)cases[i].by);
        assert_int_equal(word->type, word->is_known ? WARP_TYPE_UNSIGNED : 0);
        assert_int_equal(words[cases[i].word + 1].lane, -1); /* not touched */
    }
    trace_close(trace);
}

/* Writes further back than SHARED_STEPS_BACK are not known. */
static void test_steps_back(void **state) {
    static const struct access reads = {WARP_OP_SHARED_READ, 0, 0, 0, 1, 4, 0, 7};
    struct trace_writer *writer = begin();
    struct trace_step step;
    struct shared_word word;
    (void)state;
    for (uint64_t i = 0; i < SHARED_STEPS_BACK + 3; i++)
        put(writer, i, i == 1 ? &accesses[0] : &reads);
    struct trace *trace = end(writer);
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    shared_words(trace, &step, 1 + SHARED_STEPS_BACK, 0, 1, &word);
    assert_true(word.is_known);
    assert_int_equal(word.value, 100);
    shared_words(trace, &step, 2 + SHARED_STEPS_BACK, 0, 1, &word);
    assert_false(word.is_known);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables), cmocka_unit_test(test_elements),
        cmocka_unit_test(test_words), cmocka_unit_test(test_steps_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
