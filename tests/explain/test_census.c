/* A long recording has the same counts when counted in pieces, and by several threads at once. */
#include "explain/findings/census.h"

#include "sample.h"

#include <stdlib.h>
#include <string.h>

/* Two of every ten steps have a mask without the upper lanes, each on a different line; adjacent
 * steps belong to different warps. */
enum { STEPS = 60000 };

static struct trace *open_sample(void) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct trace_writer *writer = sample_writer(sample_path("counted.svt"), 4);
    const struct trace_site other = {
        .file = "kernels/other.cu", .function = "", .line = 5, .text = "other()"};
    const uint32_t site = trace_writer_site(writer, &other);
    unsigned char *record = NULL;
    size_t room = 0;
    for (uint32_t n = 0; n < STEPS; n++, room--, record += SHFLVIZ_RECORD_SIZE(4)) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        sample_record(record, 4, n, (struct sample_where){0, n % 4, n % 3});
        struct shflviz_record_header header;
        memcpy(&header, record, sizeof header);
        if (n % 10 == 9)
            header.members = 0x0000ffff;
        if (n % 10 == 5)
            header.members = 0x00ffffff;
        if (n % 5 == 0)
            header.site = site;
        memcpy(record, &header, sizeof header);
    }
    assert_int_equal(trace_writer_close(writer, NULL, &err), 0);
    assert_int_equal(trace_open(&trace, sample_path("counted.svt"), &err), 0);
    return trace;
}

static void check_counts(const struct census *census) {
    assert_true(census->done);
    assert_int_equal(census_percent(census), 100);
    assert_int_equal(census->count[CENSUS_LAUNCHES], 1);
    assert_int_equal(census->rows[CENSUS_LAUNCHES][0].steps, STEPS);
    assert_int_equal(census->rows[CENSUS_LAUNCHES][0].first, 0);
    assert_int_equal(census->rows[CENSUS_LAUNCHES][0].warps, 12); /* 4 blocks of 3 */
    assert_int_equal(census->rows[CENSUS_KERNELS][0].steps, STEPS);
    assert_int_equal(census->count[CENSUS_LINES], 2);
    assert_int_equal(census->rows[CENSUS_LINES][0].steps, STEPS - STEPS / 5);
    assert_int_equal(census->rows[CENSUS_LINES][0].first, 1);
    assert_int_equal(census->rows[CENSUS_LINES][1].steps, STEPS / 5);
    assert_int_equal(census->rows[CENSUS_LINES][1].first, 0);
    assert_true(census->rows[CENSUS_LINES][1].findings >= STEPS / 10);
    assert_int_equal(census->rows[CENSUS_LINES][0].findings +
                         census->rows[CENSUS_LINES][1].findings,
                     census->rows[CENSUS_LAUNCHES][0].findings);
    size_t found = 0;
    for (size_t i = 0; i < census->count[CENSUS_FINDINGS]; i++) {
        const struct census_row *row = &census->rows[CENSUS_FINDINGS][i];
        if (strcmp(row->rule, "participating_lane_not_in_mask") != 0)
            continue;
        found++;
        assert_int_equal(row->steps, STEPS / 10);
        assert_int_equal(row->first, row->site == 0 ? 9 : 5);
        assert_int_equal(row->lanes, row->site == 0 ? 0xffff0000 : 0xff000000);
    }
    assert_int_equal(found, 2);
    assert_int_equal(census->damaged, 0);
}

static void test_pieces(void **state) {
    (void)state;
    struct trace *trace = open_sample();
    struct census census, shared;
    census_init(&census, trace);
    assert_int_equal(census_percent(&census), 0);
    int pieces = 0, last = 0;
    while (census_count(&census, 7001)) {
        pieces++;
        assert_in_range(census_percent(&census), last, 99);
        last = census_percent(&census);
    }
    assert_in_range(pieces, 8, 9);
    assert_false(census_count(&census, 7001));
    check_counts(&census);
    census_init(&shared, trace);
    while (shared.steps == 0 && census_count_shared(&shared, 100))
        continue;
    while (census_count_shared(&shared, 40000))
        continue;
    assert_false(census_count_shared(&shared, 40000));
    check_counts(&shared);
    /* The rows are the same, too. */
    for (int kind = 0; kind < CENSUS_KIND_COUNT; kind++) {
        assert_int_equal(shared.count[kind], census.count[kind]);
        for (size_t i = 0; i < census.count[kind]; i++) {
            const struct census_row *a = &census.rows[kind][i], *b = &shared.rows[kind][i];
            assert_int_equal(a->steps, b->steps);
            assert_int_equal(a->findings, b->findings);
            assert_int_equal(a->undefined, b->undefined);
            assert_int_equal(a->first, b->first);
            assert_int_equal(a->site, b->site);
        }
    }
    census_release(&shared);
    census_init(&shared, trace);
    census_count_all(&shared);
    check_counts(&shared);
    census_release(&shared);
    census_release(&census);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
