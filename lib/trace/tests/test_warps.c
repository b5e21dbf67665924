/* Moving along a warp and from warp to warp, compared with a plain list of all steps. */
#include "sample.h"

#include "trace/index/index.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same numbers on every machine: an xorshift generator. */
static uint32_t random_next(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static bool same(struct sample_where a, struct sample_where b) {
    return a.launch == b.launch && a.block == b.block && a.warp == b.warp;
}

static bool before(struct sample_where a, struct sample_where b) {
    return a.launch != b.launch ? a.launch < b.launch
           : a.block != b.block ? a.block < b.block
                                : a.warp < b.warp;
}

/* The guarantees of trace.h, checked by going through the whole list for every question. */
static void check_navigation(const struct trace *trace, const struct sample_where *where,
                             uint64_t count) {
    uint64_t warps = 0;
    for (uint64_t n = 0; n < count; n++) {
        struct trace_warp warp;
        uint64_t position, steps = 0, before_it = 0, warps_before = 0;
        for (uint64_t i = 0; i < count; i++) {
            bool first = true;
            steps += same(where[i], where[n]);
            before_it += i < n && same(where[i], where[n]);
            if (!before(where[i], where[n]))
                continue;
            for (uint64_t k = 0; k < i && first; k++)
                first = !same(where[k], where[i]);
            warps_before += first;
        }
        warps = warps > warps_before + 1 ? warps : warps_before + 1;
        assert_true(trace_warp_of_step(trace, n, &warp, &position));
        assert_int_equal(position, before_it);
        assert_int_equal(warp.steps, steps);
        assert_int_equal(warp.index, warps_before);
        assert_int_equal(warp.launch, where[n].launch);
        assert_int_equal(warp.block, where[n].block);
        assert_int_equal(warp.warp, where[n].warp);
        assert_int_equal(trace_warp_step(trace, &warp, position), n);
        assert_int_equal(trace_warp_step(trace, &warp, steps), UINT64_MAX);

        struct trace_warp again;
        assert_true(trace_warp(trace, warp.index, &again));
        assert_int_equal(again.index, warp.index);
        assert_int_equal(again.launch, warp.launch);
        assert_int_equal(again.block, warp.block);
        assert_int_equal(again.warp, warp.warp);
        assert_int_equal(again.steps, warp.steps);
    }
    struct trace_warp none;
    uint64_t position;
    assert_int_equal(trace_warp_count(trace), warps);
    assert_false(trace_warp(trace, warps, &none));
    assert_false(trace_warp_of_step(trace, count, &none, &position));
}

/* Closed, and as a killed run would leave it. */
static void check_both(const struct sample_where *where, uint64_t count) {
    struct trace *trace;
    const char *path = sample_path("warps.svt");
    struct trace_writer *writer = sample_writer(path, 4);
    const struct trace_launch second = {"second", {2, 2, 2}, {1024, 1, 1}, 0};
    assert_int_equal(trace_writer_launch(writer, &second), 1);
    sample_steps_at(writer, 4, where, count);
    assert_int_equal(trace_open(&trace, sample_partial("warps.svt"), NULL), 0);
    assert_false(trace_is_complete(trace));
    check_navigation(trace, where, count);
    trace_close(trace);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    assert_true(trace_is_complete(trace));
    check_navigation(trace, where, count);
    trace_close(trace);
}

static void test_one_warp(void **state) {
    static const struct sample_where where[5] = {{0, 0, 0}};
    (void)state;
    check_both(where, 1);
    check_both(where, 5);
}

static void test_warps_taking_turns(void **state) {
    struct sample_where where[90];
    (void)state;
    for (unsigned n = 0; n < 90; n++)
        where[n] = (struct sample_where){0, n / 30, n % 3};
    check_both(where, 90);
}

static void test_any_order(void **state) {
    uint32_t random = 12345;
    struct sample_where where[150];
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        for (unsigned n = 0; n < 150; n++) {
            uint32_t r = random_next(&random);
            where[n] = r & 1 ? (struct sample_where){0, r >> 4 & 3, (r >> 8) % 3}
                             : (struct sample_where){1, r >> 4 & 7, r >> 8 & 31};
            if (n > 0 && (r >> 16) % 3 != 0) /* runs of some length */
                where[n] = where[n - 1];
        }
        check_both(where, 150);
    }
}

/* If there are more runs than fit in memory, the index moves to a file in the folder, and is the
 * same. */
static void check_long_index(const char *folder) {
    enum { STEPS = 200000, BLOCKS = 40, WARPS = 5 };
    struct trace_index_builder builder;
    struct trace_index index;
    uint32_t random = 99;
    uint8_t *of_step = malloc(STEPS);
    uint64_t seen[BLOCKS * WARPS] = {0}, runs = 0;
    trace_index_builder_init(&builder, folder);
    for (uint64_t n = 0; n < STEPS; n++) {
        of_step[n] = (uint8_t)(random_next(&random) % (BLOCKS * WARPS));
        runs += n == 0 || of_step[n] != of_step[n - 1];
        trace_index_builder_add(&builder, n, 0, of_step[n] / WARPS, of_step[n] % WARPS);
    }
    assert_true(runs > 65536);
    assert_true(trace_index_builder_finish(&builder, &index));
    assert_int_equal(index.run_count, runs);
    assert_int_equal(index.warp_count, BLOCKS * WARPS);
    for (uint64_t n = 0; n < STEPS; n++) {
        uint64_t run = trace_index_run(&index, 0, of_step[n] / WARPS, of_step[n] % WARPS, n);
        assert_true(run < index.run_count);
        assert_int_equal(index.runs[run].number, of_step[n]);
        uint64_t position = seen[of_step[n]]++;
        assert_int_equal(index.runs[run].position + (n - index.runs[run].first), position);
        assert_int_equal(trace_index_step(&index, of_step[n], position), n);
    }
    assert_int_equal(trace_index_step(&index, 0, seen[0]), UINT64_MAX);
    assert_int_equal(trace_index_run(&index, 0, BLOCKS, 0, 0), UINT64_MAX);
    trace_index_builder_release(&builder);
    free(of_step);
}

static void test_long_index(void **state) {
    (void)state;
    check_long_index(sample_path(""));
}

/* If no disk has room, it stays in memory. */
static void test_long_index_without_folder(void **state) {
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    (void)state;
    setenv("TMPDIR", sample_path("none"), 1);
    check_long_index(sample_path("none"));
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

/* Which of ten warps makes a step, in a recording that several threads list. */
enum parts { PARTS_TURNS, PARTS_ONE_WARP, PARTS_ALTERNATE, PARTS_ANY };

static unsigned warp_of_part(enum parts how, uint64_t step, uint32_t *random) {
    switch (how) {
    case PARTS_TURNS:
        return (unsigned)(step % 10);
    case PARTS_ONE_WARP:
        return 7;
    case PARTS_ALTERNATE: /* two warps, with very many runs each */
        return 3 + (unsigned)(step % 2);
    default:
        return random_next(random) % 3 ? (unsigned)(step / 1000 % 10) : random_next(random) % 10;
    }
}

/* Every run of the ranges is in its place, as long as possible, and counted correctly; together
 * they contain all steps. */
static void check_parts(enum parts how, unsigned threads) {
    enum { STEPS = 150000, WARPS = 10 };
    struct trace_index_builder builder[4], *parts[4];
    struct trace_index_merge merge;
    struct trace_index_range *range;
    uint32_t random = 4711 + how;
    uint8_t *of_step = malloc(STEPS);
    uint64_t seen[WARPS] = {0}, steps = 0, runs = 0, warps = 0;
    struct trace_file_run last = {0};
    assert_non_null(of_step);
    for (unsigned i = 0; i < threads; i++)
        trace_index_builder_init(parts[i] = &builder[i], sample_path(""));
    for (uint64_t n = 0; n < STEPS; n++) {
        of_step[n] = (uint8_t)warp_of_part(how, n, &random);
        trace_index_builder_add(&builder[n / 256 % threads], n, of_step[n] / 5,
                                UINT64_C(1) << 40 | of_step[n] % 5, 9 - of_step[n]);
    }
    assert_true(trace_index_merge_init(&merge, parts, threads));
    range = calloc(merge.ranges, sizeof(*range));
    assert_non_null(range);
    for (uint64_t i = merge.ranges; i-- > 0;) /* in any order */
        trace_index_range_sort(&range[i], &merge, i);
    for (uint64_t i = 0; i < merge.ranges; i++)
        trace_index_range_join(&range[i], &merge);
    assert_true(merge.warps <= WARPS);
    for (uint64_t i = 0; i < merge.ranges; i++) {
        for (size_t at = range[i].begin; at < range[i].end; at++, runs++) {
            const struct trace_file_run run = trace_index_range_run(&range[i], at);
            const unsigned warp = 9 - run.warp;
            const bool same = runs > 0 && last.warp == run.warp;
            assert_true(run.first + run.count <= STEPS);
            for (uint64_t n = run.first; n < run.first + run.count; n++)
                assert_int_equal(of_step[n], warp);
            assert_int_equal(run.launch, warp / 5);
            assert_int_equal(run.block, UINT64_C(1) << 40 | warp % 5);
            assert_true(runs == 0 || last.launch < run.launch ||
                        (last.launch == run.launch && last.block <= run.block));
            assert_true(!same || last.first + last.count < run.first);
            assert_int_equal(run.position, seen[warp]);
            warps += !same;
            assert_int_equal(run.position == 0, !same);
            assert_int_equal(run.number, warps - 1);
            seen[warp] += run.count;
            steps += run.count;
            last = run;
        }
    }
    assert_int_equal(steps, STEPS);
    assert_int_equal(runs, merge.runs);
    assert_int_equal(warps, merge.warps);
    for (uint64_t i = 0; i < merge.ranges; i++)
        trace_index_range_release(&range[i]);
    trace_index_merge_release(&merge);
    for (unsigned i = 0; i < threads; i++)
        trace_index_builder_release(&builder[i]);
    free(range);
    free(of_step);
}

static void test_listed_by_threads(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int how = PARTS_TURNS; how <= PARTS_ANY; how++)
            check_parts((enum parts)how, threads);
}

static uint64_t read_u64(const unsigned char *bytes, size_t at) {
    uint64_t value;
    memcpy(&value, bytes + at, sizeof(value));
    return value;
}

/* A recording that was closed without room for its index, or whose index is damaged, gets one on
 * demand. */
static void test_no_index_in_file(void **state) {
    enum { STEPS = 700 };
    struct trace *trace;
    struct trace_file_header header;
    static struct sample_where where[STEPS];
    size_t size;
    const char *path = sample_path("bare.svt");
    (void)state;
    sample_file(path, 4, STEPS);
    unsigned char *bytes = sample_read(path, &size);
    memcpy(&header, bytes, sizeof(header));
    for (unsigned n = 0; n < STEPS; n++)
        where[n] = (struct sample_where){0, 0, n % 3};
    /* the first block of runs comes after three of steps, one of metadata and a group */
    const size_t groups = (size_t)header.end_offset + 64 + sizeof(struct trace_file_end);
    uint64_t runs = read_u64(bytes, (size_t)read_u64(bytes, groups + 8) + 64);
    for (int what = 0; what < 3; what++) {
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        if (what == 0) { /* none */
            memset(copy + header.end_offset + 64 + offsetof(struct trace_file_end, run_count), 0,
                   16);
            memset(copy + groups + 8, 0, 16);
            const uint32_t left = (uint32_t)sizeof(struct trace_file_end) + 8;
            memcpy(copy + header.end_offset + offsetof(struct trace_file_block, bytes), &left, 4);
            walk_fix_check(copy, size);
        } else if (what == 1) {
            copy[runs + 70] ^= 4; /* a block of runs */
        } else {
            copy[read_u64(bytes, groups + 16) + 70] ^= 4; /* the group of the list of warps */
        }
        sample_replace(path, copy, size);
        free(copy);
        assert_int_equal(trace_open(&trace, path, NULL), 0);
        assert_true(trace_is_complete(trace));
        check_navigation(trace, where, STEPS);
        trace_close(trace);
    }
    free(bytes);
}

/* The warp that makes step n of a long recording in which no two steps of a warp are adjacent, and
 * warps appear in descending order. */
static struct sample_where turns_where(uint64_t n) {
    return (struct sample_where){0, 3 - n / 3 % 4, 2 - (uint32_t)(n % 3)};
}

/* Any question about a recording that was not closed is answered after a few steps; the rest is
 * listed in pieces, after which the answers are those of a closed one. */
static void test_listed_bit_by_bit(void **state) {
    enum { STEPS = TRACE_STEPS_LISTED_FIRST + 6000, PIECE = 1000 };
    const char *path = sample_path("long.svt");
    struct trace *trace, *closed;
    struct trace_warp warp, same;
    uint64_t position, pieces = 1;
    struct trace_writer *writer = sample_writer(path, 4);
    struct sample_where *where = malloc(STEPS * sizeof(*where));
    (void)state;
    for (uint64_t n = 0; n < STEPS; n++)
        where[n] = turns_where(n);
    where[STEPS - 1] = (struct sample_where){1, 0, 0}; /* not known at first */
    const struct trace_launch second = {"second", {1, 1, 1}, {32, 1, 1}, 0};
    assert_int_equal(trace_writer_launch(writer, &second), 1);
    sample_steps_at(writer, 4, where, STEPS);
    assert_int_equal(trace_open(&trace, sample_partial("long.svt"), NULL), 0);
    assert_int_equal(trace_writer_close(writer, &closed, NULL), 0);

    assert_int_equal(trace_warp_count(trace), 12);
    assert_false(trace_warps_listed(trace));
    assert_true(trace_warp_of_step(trace, 40, &warp, &position));
    assert_int_equal(warp.block, where[40].block);
    assert_int_equal(warp.warp, where[40].warp);
    assert_int_equal(position, 3);
    assert_in_range(warp.steps, TRACE_STEPS_LISTED_FIRST / 12, TRACE_STEPS_LISTED_FIRST / 12 + 1);
    assert_int_equal(trace_warp_step(trace, &warp, warp.steps), UINT64_MAX);
    assert_false(trace_warp_of_step(trace, STEPS - 1, &warp, &position));

    while (trace_warps_list(trace, PIECE))
        pieces++;
    assert_true(pieces > STEPS / PIECE);
    assert_true(trace_warps_listed(trace));
    assert_false(trace_warps_list(trace, PIECE));
    assert_true(trace_warps_listed(closed));
    assert_int_equal(trace_warp_count(trace), 13);
    assert_int_equal(trace_warp_count(closed), 13);
    for (uint64_t n = 0; n < STEPS; n++) {
        uint64_t expected;
        assert_true(trace_warp_of_step(trace, n, &warp, &position));
        assert_true(trace_warp_of_step(closed, n, &same, &expected));
        assert_int_equal(position, expected);
        assert_int_equal(warp.index, same.index);
        assert_int_equal(warp.steps, same.steps);
        assert_int_equal(trace_warp_step(trace, &warp, position), n);
    }
    trace_close(trace);
    trace_close(closed);
    free(where);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_warp),
        cmocka_unit_test(test_warps_taking_turns),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_long_index),
        cmocka_unit_test(test_long_index_without_folder),
        cmocka_unit_test(test_listed_by_threads),
        cmocka_unit_test(test_no_index_in_file),
        cmocka_unit_test(test_listed_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
