/* Reports of accesses and recordings, which are made here one by one; the expected texts are
 * written by hand. */
#include "base/message.h"
#include "check/report.h"
#include "check/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ME           "lane 3 of warp 1 in block (2,0,0)"
#define OTHER        "lane 4 of warp 0 in block (5,0,0)"

/* ---- accesses ---- */

/* An access by lane 35 of block 2, and the other access, by lane 4 of block 5 at b.cu:20. */
static struct program_access access_of(enum access_rule rule, enum access_memory memory) {
    static char file[] = "a.cu", other_file[] = "b.cu";
    return (struct program_access){.entry = {.rule = rule,
                                             .memory = memory,
                                             .me = {.block = 2, .thread = 35},
                                             .other = {.block = 5, .thread = 4},
                                             .count = 1,
                                             .offset = 8,
                                             .extent = 128,
                                             .lanes = 8,
                                             .bytes = 4},
                                   .file = file,
                                   .other_file = other_file,
                                   .line = 10,
                                   .other_line = 20};
}

static void says(const struct program_access *access, const char *expected) {
    char *words = check_access_words(access, NULL);
    assert_string_equal(words, expected);
    free(words);
}

static void test_races(void **state) {
    struct program_access race = access_of(ACCESS_SHARED_RACE, ACCESS_SHARED);
    (void)state;
    race.entry.me.kind = ACCESS_WRITES | ACCESS_VOLATILE;
    says(&race, ME " writes byte 8 of shared memory, which " OTHER " reads at b.cu:20; nothing "
                   "orders the two accesses (volatile does not order accesses)");
    race.entry.memory = ACCESS_DYNAMIC_SHARED;
    race.entry.me.kind = ACCESS_READS;
    race.entry.other.kind = ACCESS_ATOMIC | ACCESS_WRITES;
    says(&race, ME " reads byte 8 of dynamic shared memory, which " OTHER
                   " atomically updates at b.cu:20; nothing orders the two accesses");
    race = access_of(ACCESS_GLOBAL_RACE, ACCESS_GLOBAL);
    race.entry.me.kind = race.entry.other.kind = ACCESS_WRITES | ACCESS_VOLATILE;
    race.other_file = NULL;
    race.other_line = 0;
    says(&race, ME " writes byte 8 of global memory, which " OTHER
                   " writes at ?:0; nothing orders the two accesses");
}

/* Without the source, advice depends on the rule, the lines, and how far apart the threads are. */
static void test_order_advice(void **state) {
    struct program_access access = access_of(ACCESS_SHARED_RACE, ACCESS_SHARED);
    const char *warp = check_order_advice(NULL, &access, ACCESS_ONE_WARP);
    const char *block = check_order_advice(NULL, &access, ACCESS_ONE_BLOCK);
    (void)state;
    assert_string_equal(warp,
                        "put __syncwarp() between the two accesses: both lanes are in one warp");
    assert_string_equal(block, "put __syncthreads() between the two accesses");
    assert_null(check_order_advice(NULL, &access, ACCESS_TWO_BLOCKS));
    access.other_file = access.file;
    assert_ptr_equal(check_order_advice(NULL, &access, ACCESS_ONE_WARP), warp);
    access.other_line = access.line;
    assert_non_null(
        strstr(check_order_advice(NULL, &access, ACCESS_ONE_WARP), "use an atomic operation"));
    access.entry.rule = ACCESS_NOT_WAITED;
    assert_null(check_order_advice(NULL, &access, ACCESS_ONE_WARP));
}

/* A location gets the advice for the race whose threads are farthest apart. */
static void test_farthest_race(void **state) {
    struct program_access access[2] = {access_of(ACCESS_GLOBAL_RACE, ACCESS_GLOBAL),
                                       access_of(ACCESS_GLOBAL_RACE, ACCESS_GLOBAL)};
    const struct program_accesses accesses = {.access = access, .count = 2};
    struct check_report report = {0};
    (void)state;
    access[0].entry.apart = ACCESS_ONE_BLOCK;
    check_accesses(&report, NULL, &(const struct program_accesses){.access = access, .count = 1},
                   0);
    assert_string_equal(report.finding[0].instead, "put __syncthreads() between the two accesses");
    access[1].entry.apart = ACCESS_TWO_BLOCKS;
    check_accesses(&report, NULL, &accesses, 1);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.finding[0].instead, check_rule_find("global_race")->instead);
    check_report_release(&report);
}

static void test_names(void **state) {
    struct program_access race = access_of(ACCESS_SHARED_RACE, ACCESS_SHARED);
    struct access_object *object = &race.entry.object;
    (void)state;
    *object = (struct access_object){
        .name = "tile", .element = 4, .extent = {2, 33}, .offset = 4 * (33 + 3)};
    race.entry.me.kind = ACCESS_WRITES;
    says(&race, ME " writes tile[1][3], which " OTHER " reads at b.cu:20; nothing orders the two "
                   "accesses");
    object->offset += 2;
    says(&race,
         ME " writes tile[1][3] (byte 2 of the value), which " OTHER " reads at b.cu:20; nothing "
            "orders the two accesses");
    *object =
        (struct access_object){.name = "s", .element = 8, .extent = {UINT32_MAX}, .offset = 80};
    race.entry.rule = ACCESS_UNINITIALIZED_READ;
    says(&race, ME " reads s[10], which was never written");
    race.entry.missing = 1;
    says(&race, ME " reads s[10]: 1 of its 4 bytes were never written");
    *object = (struct access_object){.name = "total", .element = 4};
    race.entry.rule = ACCESS_GLOBAL_RACE;
    race.flag_file = race.file;
    race.flag_line = 12;
    says(&race, ME " writes total, which " OTHER " reads at b.cu:20; nothing orders the two "
                   "accesses: no fence separates the write from the atomic operation at a.cu:12");
}

static void test_other_words(void **state) {
    static const struct {
        enum access_rule rule;
        enum access_memory memory;
        uint32_t kind;
        const char *words;
    } cases[] = {
        {ACCESS_OUT_OF_BOUNDS, ACCESS_GLOBAL, ACCESS_WRITES,
         ME " writes 4 bytes at byte 8 of global memory, which has 128 bytes"},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_SHARED, ACCESS_READS,
         ME " reads 4 bytes at byte 8 of shared memory, which has 128 bytes"},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_FREED, ACCESS_READS,
         ME " reads 4 bytes at byte 8 of an allocation of 128 bytes that has been freed"},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_NOWHERE, ACCESS_WRITES,
         ME " writes 4 bytes at an address where there is no memory"},
        {ACCESS_OUT_OF_BOUNDS, ACCESS_LOCAL, ACCESS_READS,
         ME " uses index 8 of an array that has 128 elements"},
        {ACCESS_UNINITIALIZED_READ, ACCESS_GLOBAL, ACCESS_READS,
         ME " reads 4 bytes at byte 8 of global memory that were never written"},
        {ACCESS_WRONG_SPACE, ACCESS_LOCAL, ACCESS_WRITES,
         ME " writes 4 bytes of another thread's local memory"},
        {ACCESS_WRONG_SPACE, ACCESS_HOSTS, ACCESS_READS,
         ME " reads 4 bytes of memory that belongs to the host alone"},
        {ACCESS_WRONG_SPACE, ACCESS_DEVICES, ACCESS_WRITES,
         "the host writes 4 bytes of memory that belongs to the device alone"},
        {ACCESS_MISALIGNED, ACCESS_GLOBAL, ACCESS_READS,
         ME " reads a value whose address must be a multiple of 128; the address leaves a "
            "remainder of 8"},
        {ACCESS_SHIFT, ACCESS_GLOBAL, ACCESS_READS, ME " shifts a value of 128 bits by 8"},
        {ACCESS_SKIPPED, ACCESS_GLOBAL, ACCESS_READS,
         ME " continues to line 20 without making this call, although the call's member mask names "
            "the lane; " OTHER " makes the call"},
        {ACCESS_BARRIER_DIVERGENCE, ACCESS_GLOBAL, ACCESS_READS,
         "threads of the block wait at this barrier while " OTHER " waits at b.cu:20"},
        {ACCESS_COUNT, ACCESS_GLOBAL, ACCESS_READS,
         ME " reaches a barrier for 128 threads, a number that is not a multiple of 32"},
        {ACCESS_NOT_WAITED, ACCESS_SHARED, ACCESS_READS,
         ME " reads byte 8 of shared memory without waiting for the copy that " OTHER
            " makes to it at b.cu:20"},
        {ACCESS_RULES, ACCESS_GLOBAL, ACCESS_READS, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct program_access access = access_of(cases[i].rule, cases[i].memory);
        access.entry.me.kind = cases[i].kind;
        says(&access, cases[i].words);
    }
    struct program_access barrier = access_of(ACCESS_BARRIER_DIVERGENCE, ACCESS_GLOBAL);
    barrier.other_line = 0;
    barrier.entry.exited = 1;
    says(&barrier, "the barrier opens although 1 thread of the block has left the kernel and does "
                   "not reach it");
    barrier.entry.exited = 3;
    says(&barrier, "the barrier opens although 3 threads of the block have left the kernel and do "
                   "not reach it");
}

/* A race is reported at the later of two lines of one file, whichever access came first. */
static void test_places_of_races(void **state) {
    static char same[] = "a.cu";
    struct program_access access[4] = {
        access_of(ACCESS_SHARED_RACE, ACCESS_SHARED), access_of(ACCESS_SHARED_RACE, ACCESS_SHARED),
        access_of(ACCESS_SHARED_RACE, ACCESS_SHARED), access_of(ACCESS_SHIFT, ACCESS_GLOBAL)};
    struct check_report report = {0};
    const struct program_accesses accesses = {access, COUNT(access), 5, true, 0};
    (void)state;
    access[0].other_file = access[1].other_file = access[3].other_file = same;
    access[1].line = 20;
    access[1].other_line = 10;
    access[1].entry.me = access[0].entry.other;
    access[1].entry.other = access[0].entry.me;
    access[1].entry.count = 6;
    access[2].file = NULL;
    check_accesses(&report, NULL, &accesses, 9);
    assert_int_equal(report.count, 3);
    assert_int_equal(report.found, 9);
    assert_int_equal(report.places_left_out, 5);
    assert_true(report.memory_left_out);
    const struct check_finding *race = &report.finding[0];
    assert_string_equal(race->rule, "shared_race");
    assert_string_equal(race->file, "a.cu");
    assert_int_equal(race->line, 20);
    assert_int_equal(race->count, 7);
    assert_int_equal(race->schedule, 9);
    assert_null(race->kernel);
    assert_false(race->has_step);
    assert_int_equal(race->block[0], 5);
    assert_int_equal(race->warp, 0);
    assert_int_equal(race->lanes, 1u << 4);
    assert_int_equal(race->other.line, 10);
    assert_int_equal(race->other.block[0], 2);
    assert_int_equal(race->other.warp, 1);
    assert_int_equal(race->other.lanes, 1u << 3);
    assert_true(race->has_lanes);
    assert_null(report.finding[1].file);
    assert_int_equal(report.finding[1].line, 10);
    assert_int_equal(report.finding[2].line, 10); /* not a race: its line is kept */
    check_accesses(&report, NULL, &(struct program_accesses){0}, 0);
    assert_true(report.memory_left_out);
    assert_int_equal(check_report_count(&report, NULL), 3);
    assert_int_equal(check_report_count(&report, "shift_too_far"), 1);
    assert_int_equal(check_report_count(&report, "deadlock, shared_race,shift_too_far"), 3);
    assert_int_equal(check_report_count(&report, "shared, shared_races"), 0);
    assert_int_equal(check_report_count(&report, ""), 0);
    check_report_release(&report);
}

/* The same in global memory; a race at one line, or in two files, keeps its location. */
static void test_places_of_global_races(void **state) {
    static char same[] = "a.cu";
    struct program_access access[3] = {access_of(ACCESS_GLOBAL_RACE, ACCESS_GLOBAL),
                                       access_of(ACCESS_GLOBAL_RACE, ACCESS_GLOBAL),
                                       access_of(ACCESS_BARRIER_DIVERGENCE, ACCESS_GLOBAL)};
    struct check_report report = {0};
    const struct program_accesses accesses = {access, COUNT(access), 0, false, 0};
    (void)state;
    access[0].other_file = access[2].other_file = same;
    check_accesses(&report, NULL, &accesses, 0);
    assert_int_equal(report.count, 3);
    assert_int_equal(report.finding[0].line, 20);
    assert_int_equal(report.finding[0].other.line, 10);
    assert_int_equal(report.finding[1].line, 10);
    assert_string_equal(report.finding[1].other.file, "b.cu");
    assert_int_equal(report.finding[2].line, 10);
    check_report_release(&report);
}

/* The host's accesses have no kernel and no block; freed memory has its own advice. */
static void test_host_and_freed(void **state) {
    struct program_access access[2] = {access_of(ACCESS_WRONG_SPACE, ACCESS_DEVICES),
                                       access_of(ACCESS_OUT_OF_BOUNDS, ACCESS_FREED)};
    const struct program_accesses accesses = {access, COUNT(access), 0, false, 0};
    struct check_report report = {0};
    (void)state;
    access[0].entry.lanes = 0;
    access[0].other_file = NULL;
    check_accesses(&report, NULL, &accesses, 0);
    assert_false(report.memory_left_out);
    assert_false(report.finding[0].has_lanes);
    assert_null(report.finding[0].other.file);
    assert_string_equal(report.finding[0].rule, "wrong_memory_space");
    assert_string_equal(report.finding[1].instead,
                        "free the memory only after the last kernel that uses it has ended");
    check_report_release(&report);
}

static void test_rules(void **state) {
    size_t count = 0;
    (void)state;
    for (const struct check_rule *rule; (rule = check_rule_at(count)); count++)
        assert_ptr_equal(check_rule_find(rule->id), rule);
    assert_true(count > 10);
    assert_null(check_rule_find("shared"));
}

/* Findings about memory exist only for programs; all other findings, even those about failed runs,
 * also exist for recordings. */
static void test_rules_of_accesses(void **state) {
    static const char *const accesses[] = {
        "unset_source_value", "shared_race",        "global_race",         "barrier_divergence",
        "out_of_bounds",      "wrong_memory_space", "misaligned_access",   "shift_too_far",
        "uninitialized_read", "value_narrowed",     "activemask_split",    "results_differ",
        "copy_not_waited",    "read_only_written",  "blocks_not_resident", "same_elements_read",
        "error_ignored",      "call_failed",        "memory_not_freed",    "memory_unused",
        "barrier_count"};
    size_t count = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(accesses); i++)
        assert_true(check_rule_find(accesses[i])->accesses);
    for (size_t i = 0; check_rule_at(i); i++)
        count += check_rule_at(i)->accesses;
    assert_int_equal(count, COUNT(accesses));
}

/* Root causes come first, in the order in which to fix them; each precedes its possible effects. */
static void test_causes(void **state) {
    static const struct {
        const char *rule, *kernel;
        uint32_t line;
    } added[] = {{"crashed", "sum", 0},
                 {"source_lane_not_in_mask", "sum", 9},
                 {"shared_race", "other", 40},
                 {"shared_race", "sum", 8},
                 {"participating_lane_not_in_mask", "other", 50},
                 {"barrier_divergence", "sum", 7},
                 {"barrier_divergence", "sum", 12},
                 {"mask_forgotten", "other", 50},
                 {"wrong_memory_space", "last", 60},
                 {"out_of_bounds", "last", 60},
                 {"wrong_memory_space", "last", 61}};
    static const struct {
        const char *rule;
        uint32_t line;
        bool follows;
    } arranged[] = {{"mask_forgotten", 50, false},    {"participating_lane_not_in_mask", 50, true},
                    {"barrier_divergence", 7, false}, {"barrier_divergence", 12, true},
                    {"shared_race", 8, true},         {"crashed", 0, true},
                    {"shared_race", 40, false},       {"source_lane_not_in_mask", 9, false},
                    {"out_of_bounds", 60, false},     {"wrong_memory_space", 60, true},
                    {"wrong_memory_space", 61, false}};
    struct check_report report = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(added); i++) {
        struct check_finding *finding =
            check_finding_at(&report, added[i].rule, "a.cu", added[i].line);
        finding->kernel = strdup(added[i].kernel);
    }
    check_report_arrange(&report);
    assert_int_equal(report.count, COUNT(arranged));
    for (size_t i = 0; i < COUNT(arranged); i++) {
        assert_string_equal(report.finding[i].rule, arranged[i].rule);
        assert_int_equal(report.finding[i].line, arranged[i].line);
        assert_int_equal(report.finding[i].follows, arranged[i].follows);
    }
    check_report_release(&report);
}

/* ---- recordings ---- */

static struct trace_writer *writer;

static void begin_recording(void) {
    const struct trace_launch launch = {"k", {3, 2, 4}, {64, 1, 1}, 0};
    const struct trace_launch larger = {"l", {200, 1, 1}, {32, 1, 1}, 0};
    assert_int_equal(
        trace_writer_open(&writer, NULL, &(struct trace_writer_options){.value_bytes = 8}, NULL),
        0);
    trace_writer_launch(writer, &launch);
    trace_writer_launch(writer, &larger);
}

static struct trace *end_recording(void) {
    struct trace *trace;
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

/* One operation of a warp whose lanes pass `in` and get `out`. */
struct made {
    enum warp_op op;
    enum warp_type type;
    uint32_t members, present, warp, launch;
    uint64_t block;
    const char *text;
    uint64_t in[WARP_LANES], out[WARP_LANES];
    int32_t arg;
    bool unfinished;
};

static void put(const struct made *made) {
    size_t count = 1;
    const uint64_t sequence = trace_writer_next_sequence(writer);
    unsigned char *record = trace_writer_reserve(writer, &count);
    const struct trace_site site = {"a.cu", 5, "", made->text};
    struct shflviz_record_header header = {
        .sequence = sequence,
        .block = made->block,
        .launch = made->launch,
        .warp = made->warp,
        .op = (uint8_t)made->op,
        .type = (uint8_t)made->type,
        .flags = (uint16_t)(SHFLVIZ_RECORD_EXITED_KNOWN |
                            (made->unfinished ? SHFLVIZ_RECORD_UNFINISHED : 0)),
        .members = made->members,
        .present = made->present,
        .width = 32,
        .site = trace_writer_site(writer, &site)};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + lane * 4, &made->arg, 4);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_IN + lane * 8, &made->in[lane], 8);
        memcpy(record + SHFLVIZ_RECORD_OFFSET_OUT(8) + lane * 8, &made->out[lane], 8);
    }
    memcpy(record, &header, sizeof header);
}

static struct made asks(uint32_t lanes, uint64_t block) {
    struct made made = {.op = WARP_OP_ACTIVEMASK,
                        .type = WARP_TYPE_UNSIGNED,
                        .members = lanes,
                        .present = lanes,
                        .block = block,
                        .text = "__activemask()"};
    return made;
}

static struct made passes(uint32_t mask, uint32_t present, uint64_t block, const char *text) {
    struct made made = {.op = WARP_OP_XOR,
                        .type = WARP_TYPE_INT,
                        .members = mask,
                        .present = present,
                        .block = block,
                        .text = text,
                        .arg = 1};
    return made;
}

static size_t stale(struct check_report *report, const struct made *made, size_t count) {
    struct error err = ERROR_INIT;
    begin_recording();
    for (size_t i = 0; i < count; i++)
        put(&made[i]);
    struct trace *trace = end_recording();
    *report = (struct check_report){0};
    assert_int_equal(check_stale_masks(report, trace, 3, &err), 0);
    trace_close(trace);
    return report->found;
}

/* A mask from __activemask() is passed after some of its lanes have taken another branch. */
static void test_stale_masks(void **state) {
    struct check_report report;
    struct made made[4] = {asks(0xff, 1), passes(0xff, 0x0f, 1, "__shfl_xor_sync(m, v, 1)"),
                           passes(0xff, 0x7f, 1, "__shfl_xor_sync(m, v, 1)")};
    (void)state;
    assert_int_equal(stale(&report, made, 3), 2);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.finding[0].rule, "stale_activemask");
    assert_string_equal(report.finding[0].message,
                        "the mask 0x000000ff is what __activemask() returned earlier; since then "
                        "lanes 4-7 have taken another branch, and do not make this call");
    assert_int_equal(report.finding[0].lanes, 0x0f);
    assert_true(report.finding[0].has_step && report.finding[0].has_lanes);
    assert_int_equal(report.finding[0].step, 1);
    assert_int_equal(report.finding[0].count, 2);
    assert_int_equal(report.finding[0].block[0], 1);
    assert_string_equal(report.finding[0].kernel, "k");
    check_report_release(&report);
    assert_int_equal(stale(&report, made + 1, 1), 0); /* __activemask() was not called */
    check_report_release(&report);
    made[1] = passes(0xff, 0x7f, 1, "__shfl_xor_sync(m, v, 1)");
    assert_int_equal(stale(&report, made, 2), 1);
    assert_string_equal(report.finding[0].message,
                        "the mask 0x000000ff is what __activemask() returned earlier; since then "
                        "lane 7 has taken another branch, and does not make this call");
    check_report_release(&report);
}

/* All lanes are present; the mask, block or warp differs; or the call spells out its mask. */
static void test_masks_that_are_not_stale(void **state) {
    static const char *const written[] = {"__shfl_xor_sync(0xff, v, 1)",
                                          "__shfl_xor_sync( 0xff, v, 1)",
                                          "__shfl_xor_sync(~0u, v, 1)",
                                          "__shfl_xor_sync(-1, v, 1)",
                                          "__shfl_xor_sync(FULL_MASK, v, 1)",
                                          "__shfl_xor_sync(ALL)",
                                          "__syncwarp()"};
    static const char *const computed[] = {"__shfl_xor_sync(mask, v, 1)",
                                           "__shfl_xor_sync(Mask, v, 1)",
                                           "__shfl_sync(activemask, v, 1)",
                                           "tile.shfl_xor(v, 1)",
                                           "shfl(0xff, v)",
                                           "__shfl"};
    struct check_report report;
    (void)state;
    for (size_t i = 0; i < COUNT(written) + COUNT(computed); i++) {
        const bool is_written = i < COUNT(written);
        const char *text = is_written ? written[i] : computed[i - COUNT(written)];
        const struct made made[] = {asks(0xff, 1), passes(0xff, 0x0f, 1, text)};
        const bool is_stale = stale(&report, made, 2) == 1;
        check_report_release(&report);
        if (is_stale == is_written)
            fail_msg("%s is %sstale", text, is_stale ? "" : "not ");
    }
    struct made others[] = {asks(0xff, 1),
                            passes(0xff, 0xff, 1, "__shfl_xor_sync(m, v, 1)"),
                            passes(0xfe, 0x0e, 1, "__shfl_xor_sync(m, v, 1)"),
                            passes(0xff, 0x0f, 2, "__shfl_xor_sync(m, v, 1)"),
                            passes(0xff, 0x0f, 1, "__shfl_xor_sync(m, v, 1)"),
                            passes(0xff, 0x0f, 1, "v")};
    others[4].warp = 1;
    others[5].op = WARP_OP_WATCH;
    assert_int_equal(stale(&report, others, COUNT(others)), 0);
    check_report_release(&report);
}

/* So many warps that the table has to grow. */
static void test_many_warps(void **state) {
    struct check_report report = {0};
    struct error err = ERROR_INIT;
    (void)state;
    begin_recording();
    for (uint64_t block = 0; block < 200; block++) {
        struct made made = asks(block % 2 ? 0xff : 0x0f, block);
        made.launch = 1;
        put(&made);
    }
    for (uint64_t block = 0; block < 200; block++) {
        struct made made = passes(0xff, 0x0f, block, "__shfl_xor_sync(m, v, 1)");
        made.launch = 1;
        put(&made);
    }
    struct trace *trace = end_recording();
    assert_int_equal(check_stale_masks(&report, trace, 0, &err), 0);
    assert_int_equal(report.found, 100);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.finding[0].block[0], 1);
    trace_close(trace);
    check_report_release(&report);
}

/* ---- values that are not set ---- */

static size_t unset(struct check_report *report, const struct made *made, size_t count,
                    uint8_t pattern) {
    struct error err = ERROR_INIT;
    begin_recording();
    for (size_t i = 0; i < count; i++)
        put(&made[i]);
    struct trace *trace = end_recording();
    *report = (struct check_report){0};
    assert_int_equal(check_unset_values(report, trace, pattern, 0, &err), 0);
    trace_close(trace);
    return report->found;
}

/* gcc's pattern is 0xfe; clang's is 0xaa or, in a floating-point number, all ones. */
static void test_unset_values(void **state) {
    static const struct {
        enum warp_type type;
        uint8_t pattern;
        uint64_t value;
        const char *shown;
    } types[] = {{WARP_TYPE_INT, 0xfe, UINT64_C(0xfefefefe), "0xfefefefe"},
                 {WARP_TYPE_LONG_LONG, 0xfe, UINT64_C(0xfefefefefefefefe), "0xfefefefefefefefe"},
                 {WARP_TYPE_INT, 0x0a, UINT64_C(0x0a0a0a0a), "0x0a0a0a0a"},
                 {WARP_TYPE_INT, 0xaa, UINT64_C(0xaaaaaaaa), "0xaaaaaaaa"},
                 {WARP_TYPE_FLOAT, 0xaa, UINT64_C(0xffffffff), "0xffffffff"}};
    struct check_report report;
    char words[200];
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        struct made made = passes(0xff, 0xff, 0, "__shfl_xor_sync(m, v, 1)");
        made.type = types[i].type;
        made.in[2] = types[i].value; /* which lane 3 reads */
        made.out[3] = types[i].value;
        const struct made twice[] = {made, made};
        assert_int_equal(unset(&report, twice, 2, types[i].pattern), 2);
        snprintf(words, sizeof words,
                 "these lanes read a variable from lane 2, where it is not set: the variable still "
                 "holds the pattern %s, by which check recognises unset variables",
                 types[i].shown);
        assert_string_equal(report.finding[0].message, words);
        assert_int_equal(report.finding[0].lanes, 1u << 3);
        assert_int_equal(report.finding[0].count, 2);
        assert_int_equal(report.finding[0].step, 0); /* the first of the two */
        check_report_release(&report);
        assert_int_equal(unset(&report, &made, 1, 0), 0); /* the pattern is unknown */
        check_report_release(&report);
    }
}

/* Values that only look unset. */
static void test_values_that_are_set(void **state) {
    struct check_report report;
    struct made read = passes(0xff, 0xff, 0, "__shfl_xor_sync(m, v, 1)"), made[2];
    (void)state;
    read.in[2] = UINT64_C(0xfefefefe);
    made[0] = read; /* all lanes pass it */
    for (int lane = 0; lane < 8; lane++)
        made[0].in[lane] = UINT64_C(0xfefefefe);
    assert_int_equal(unset(&report, made, 1, 0xfe), 0);
    made[0] = read; /* each lane reads its own value */
    made[0].arg = 0;
    assert_int_equal(unset(&report, made, 1, 0xfe), 0);
    made[0] = read; /* of 16 bits */
    made[0].type = WARP_TYPE_HALF;
    made[0].in[2] = 0xfefe;
    assert_int_equal(unset(&report, made, 1, 0xfe), 0);
    made[0] = read; /* a ballot has returned it */
    made[1] = read;
    made[0].op = WARP_OP_BALLOT;
    made[0].type = WARP_TYPE_INT;
    made[0].out[1] = UINT64_C(0xfefefefe);
    assert_int_equal(unset(&report, made, 2, 0xfe), 0);
    made[0].out[1] = 0; /* it returns something else */
    assert_int_equal(unset(&report, made, 2, 0xfe), 1);
    check_report_release(&report);
    made[0].out[1] = UINT64_C(0xfefefefe);
    made[0].op = WARP_OP_SYNC; /* which returns nothing */
    assert_int_equal(unset(&report, made, 2, 0xfe), 1);
    check_report_release(&report);
}

static void test_block_index(void **state) {
    struct made made = asks(1, 0);
    uint32_t index[3];
    (void)state;
    begin_recording();
    put(&made);
    struct trace *trace = end_recording();
    check_block_index(trace, 0, 23, index); /* the last block of 3 by 2 by 4 */
    assert_int_equal(index[0], 2);
    assert_int_equal(index[1], 1);
    assert_int_equal(index[2], 3);
    check_block_index(trace, 0, 18, index); /* the first block of the last layer */
    assert_int_equal(index[0], 0);
    assert_int_equal(index[1], 0);
    assert_int_equal(index[2], 3);
    check_block_index(trace, 7, 11, index); /* no such launch */
    assert_int_equal(index[0], 11);
    assert_int_equal(index[1] + index[2], 0);
    struct program_access access = access_of(ACCESS_SHIFT, ACCESS_GLOBAL);
    struct check_report report = {0};
    access.entry.me.block = 23;
    access.entry.step = 99; /* beyond the last step */
    check_accesses(&report, trace, &(struct program_accesses){&access, 1, 0, false, 0}, 0);
    assert_string_equal(report.finding[0].kernel, "k");
    assert_true(report.finding[0].has_step);
    assert_int_equal(report.finding[0].step, 0);
    assert_int_equal(report.finding[0].block[2], 3);
    assert_string_equal(report.finding[0].message,
                        "lane 3 of warp 1 in block (2,1,3) shifts a value of 128 bits by 8");
    check_report_release(&report);
    trace_close(trace);
}

/* ---- runs that do not finish ---- */

/* Failures in the recording's notes and in its last step. */
static void test_failures(void **state) {
    static const struct {
        const char *waiting;
        uint32_t line;
        const char *file;
    } notes[] = {{NULL, 0, NULL},
                 {"block 1 2 3\nbarrier 1 ff a.cu:7\n", 7, "a.cu"},
                 {"block 1 2 3\nbarrier 1\n", 0, NULL},
                 {"block 1 2 3\n", 0, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(notes); i++) {
        struct check_report report = {0};
        struct error err = ERROR_INIT;
        begin_recording();
        trace_writer_note(writer, TRACE_NOTE_FAILURE, "it waits");
        trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, "deadlock");
        if (notes[i].waiting)
            trace_writer_note(writer, TRACE_NOTE_WAITING, notes[i].waiting);
        struct trace *trace = end_recording();
        assert_int_equal(check_recording(&report, trace, 0, 4, &err), 0);
        assert_int_equal(report.finding[0].has_lanes, notes[i].file != NULL);
        assert_int_equal(check_recording(&report, trace, 0, 5, &err), 0);
        assert_int_equal(report.count, 1);
        const struct check_finding *finding = &report.finding[0];
        assert_string_equal(finding->rule, "deadlock");
        assert_int_equal(finding->count, 2);
        assert_int_equal(finding->schedule, 4);
        assert_int_equal(finding->line, notes[i].line);
        if (notes[i].file) {
            assert_string_equal(finding->file, notes[i].file);
            assert_int_equal(finding->block[1], 2);
            assert_int_equal(finding->warp, 1);
            assert_int_equal(finding->lanes, 0xff);
        } else {
            assert_null(finding->file);
        }
        check_report_release(&report);
        trace_close(trace);
    }
}

/* The last steps are those that wait. The failure is at the first of these steps, not at the last
 * step that ended. */
static void test_failure_that_waits(void **state) {
    struct made ended = passes(0xff, 0xff, 0, "__shfl_xor_sync(m, v, 1)");
    struct made waits = passes(0xff, 0x0f, 3, "__shfl_xor_sync(m, v, 1)");
    struct made beside = passes(0xff, 0xf0, 3, "__shfl_xor_sync(m, v, 2)");
    (void)state;
    waits.unfinished = beside.unfinished = true;
    waits.warp = 1;
    for (int ends_before = 0; ends_before < 2; ends_before++) {
        struct check_report report = {0};
        struct error err = ERROR_INIT;
        begin_recording();
        if (ends_before)
            put(&ended);
        put(&waits);
        put(&beside);
        trace_writer_note(writer, TRACE_NOTE_FAILURE, "it waits");
        trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, "deadlock");
        trace_writer_note(writer, TRACE_NOTE_WAITING, "block 1 2 3\nbarrier 1 ff b.cu:7\n");
        struct trace *trace = end_recording();
        assert_int_equal(check_recording(&report, trace, 0, 4, &err), 0);
        assert_int_equal(check_report_count(&report, "deadlock"), 1);
        const struct check_finding *finding = NULL;
        for (size_t i = 0; i < report.count; i++)
            if (strcmp(report.finding[i].rule, "deadlock") == 0)
                finding = &report.finding[i];
        assert_string_equal(finding->file, "a.cu");
        assert_int_equal(finding->line, 5);
        assert_int_equal(finding->step, ends_before);
        assert_int_equal(finding->warp, 1);
        assert_int_equal(finding->lanes, 0x0f);
        assert_int_equal(finding->block[1], 1); /* block 3 of 3 by 2 by 4 */
        check_report_release(&report);
        trace_close(trace);
    }
}

/* Lane 7 of eight reads lane 8, which the mask leaves out. */
static struct trace *reads_outside(const char *unused) {
    begin_recording();
    if (unused)
        trace_writer_note(writer, TRACE_NOTE_UNUSED, unused);
    for (int i = 0; i < 20; i++) {
        char text[40];
        struct made made = passes(0xff, 0xff, 0, text);
        snprintf(text, sizeof text, "__shfl_down_sync(m, v, %d)", i);
        made.op = WARP_OP_DOWN;
        put(&made);
    }
    return end_recording();
}

/* A read of an absent lane is not reported if nothing depends on it; other rules still apply. */
static void test_unused_reads(void **state) {
    (void)state;
    for (int unused = 0; unused < 2; unused++) {
        struct check_report report = {0};
        struct error err = ERROR_INIT;
        struct made made = passes(0xff, 0x7f, 0, "__shfl_xor_sync(m, v, 1)");
        begin_recording();
        if (unused)
            trace_writer_note(writer, TRACE_NOTE_UNUSED, "yes");
        put(&made);
        struct trace *trace = end_recording();
        assert_int_equal(check_recording(&report, trace, 0, 0, &err), 0);
        assert_int_equal(check_report_count(&report, "source_lane_not_present"), !unused);
        assert_int_equal(check_report_count(&report, "not_participating_lane_in_mask"), 1);
        for (size_t i = 0; i < report.count; i++)
            assert_true(report.finding[i].has_lanes && report.finding[i].has_step);
        check_report_release(&report);
        trace_close(trace);
    }
}

/* Findings about a recording, and more locations than there is room for initially. */
static void test_findings(void **state) {
    struct check_report report = {0};
    struct error err = ERROR_INIT;
    (void)state;
    struct trace *trace = reads_outside("yes");
    assert_int_equal(check_recording(&report, trace, 0, 0, &err), 0);
    assert_int_equal(check_report_count(&report, "source_lane_not_in_mask"), 0);
    trace_close(trace);
    trace = reads_outside(NULL);
    assert_int_equal(check_recording(&report, trace, 0, 0, &err), 0);
    assert_int_equal(check_report_count(&report, "source_lane_not_in_mask"), 1);
    assert_int_equal(report.finding[0].count, 20);
    for (uint32_t line = 100; line < 140; line++)
        assert_int_equal(check_finding_at(&report, "of_somebody", NULL, line)->line, line);
    assert_string_equal(check_finding_at(&report, "of_somebody", NULL, 139)->rule, "of_somebody");
    assert_int_equal(report.count, 41);
    trace_close(trace);
    check_report_release(&report);
}

/* Asserts which call is at the last line of a source, and whether its result is dropped. */
static void call_is(const char *source, const char *name, bool dropped) {
    struct check_host_call call;
    uint32_t line = 1;
    for (const char *at = source; *at; at++)
        line += *at == '\n';
    assert_int_equal(check_host_call_at(source, line, &call), *name != '\0');
    assert_string_equal(call.is_launch ? "<<<" : call.name, name);
    assert_int_equal(call.is_dropped, dropped);
}

static void test_calls(void **state) {
    (void)state;
    call_is("cudaFree(p);", "cudaFree", true);
    call_is("int f() {\n  cudaMemcpy(a, f(\")\"),\n 4); }", "", false);
    call_is("int f() { // cudaFree(p) = \n  cudaMalloc(&p, (4)) ;", "cudaMalloc", true);
    call_is("int f() {\n  p = cudaMalloc(&p, 4);", "cudaMalloc", false);
    call_is("int f() {\n  if (cudaMalloc(&p, 4))", "cudaMalloc", false);
    call_is("int f() {\n  if (g(1) && (p)) cudaMalloc(&p, 4);", "cudaMalloc", true);
    call_is("int f() {\n  CHECK(cudaMalloc(&p, 4));", "cudaMalloc", false);
    call_is("int f() {\n  (void)cudaMalloc(&p, 4);", "cudaMalloc", false);
    call_is("int f() {\n  return cudaMalloc(&p, 4);", "cudaMalloc", false);
    call_is("int f() {\n  cudaMalloc(&p, 4) == cudaSuccess;", "cudaMalloc", false);
    call_is("int f() { if (p) ; else\n  cudaMalloc(&p, 4);", "cudaMalloc", true);
    /* A directive may follow a comment on its line, and may consist of the # alone ([cpp.pre],
     * [cpp.null]). */
    call_is("/* cudaFree(\n */ #\n#define A \\\n cudaFree(p)\ncudaFree(q);", "cudaFree", true);
    call_is("#include <a>\n#define A \\\n cudaFree(p)\ncudaFree(q);", "cudaFree", true);
    call_is("k<<<1, 2>>>();", "<<<", true);
    call_is("cudaError_t e; f(\"cudaFree(p);\");", "", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_order_advice),
        cmocka_unit_test(test_farthest_race),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_other_words),
        cmocka_unit_test(test_places_of_races),
        cmocka_unit_test(test_places_of_global_races),
        cmocka_unit_test(test_host_and_freed),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_rules_of_accesses),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_stale_masks),
        cmocka_unit_test(test_masks_that_are_not_stale),
        cmocka_unit_test(test_many_warps),
        cmocka_unit_test(test_unset_values),
        cmocka_unit_test(test_values_that_are_set),
        cmocka_unit_test(test_block_index),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_failure_that_waits),
        cmocka_unit_test(test_unused_reads),
        cmocka_unit_test(test_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
