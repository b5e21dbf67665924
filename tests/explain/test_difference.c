/* Two recordings of one warp, step by step: partners, and their differences. */
#include "explain/findings/difference.h"

#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL  0xffffffffu
#define LOW  0x0000ffffu
#define HIGH 0xffff0000u

/* A step with the values of sample step `values`. */
struct made {
    uint64_t values;
    uint32_t site, lanes;
};

/* Sites 1, 2 ... are lines 1, 2 ... of other.cu; the last has the line and text of site 0. */
static struct trace *recording(const char *name, uint32_t sites, const struct made *made,
                               size_t count) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(sample_path(name), 4);
    for (uint32_t n = 1; n < sites; n++) {
        char text[24];
        snprintf(text, sizeof text, "call%u()", (unsigned)n);
        const struct trace_site site = {
            .file = "other.cu", .line = n, .function = "other", .text = text};
        const struct trace_site alike = {.file = "other.cu",
                                         .line = 7,
                                         .function = "sample",
                                         .text = "__shfl_xor_sync(~0u, value, 3)"};
        assert_int_equal(trace_writer_site(writer, n + 1 == sites ? &alike : &site), n);
    }
    for (size_t i = 0; i < count; i++) {
        size_t room = 1;
        unsigned char *record = trace_writer_reserve(writer, &room);
        struct shflviz_record_header header;
        if (!record)
            abort();
        sample_record(record, 4, made[i].values, (struct sample_where){0, 0, 0});
        memcpy(&header, record, sizeof header);
        header.sequence = i + 1;
        header.site = made[i].site;
        header.members = header.present = made[i].lanes;
        memcpy(record, &header, sizeof header);
    }
    if (trace_writer_close(writer, NULL, &err) != 0)
        fail_msg("%s", err.text);
    struct trace *trace;
    if (trace_open(&trace, sample_path(name), &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(trace_step_count(trace), count);
    return trace;
}

static struct difference between(uint32_t sites_a, const struct made *a, size_t count_a,
                                 uint32_t sites_b, const struct made *b, size_t count_b) {
    struct trace *traces[2] = {recording("a.svt", sites_a, a, count_a),
                               recording("b.svt", sites_b, b, count_b)};
    const struct trace *const both[2] = {traces[0], traces[1]};
    struct difference difference;
    struct error err = ERROR_INIT;
    if (difference_find(both, &difference, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(difference.compared[0], count_a);
    assert_int_equal(difference.compared[1], count_b);
    trace_close(traces[0]);
    trace_close(traces[1]);
    return difference;
}

/* A warp that is longer in one recording differs, whichever lanes make the additional steps. */
static void a_longer_warp_differs_from_where_the_other_ends(void **state) {
    (void)state;
    static const struct made tails[][3] = {{{0, 0, ALL}, {1, 0, HIGH}, {2, 0, LOW}},
                                           {{0, 0, ALL}, {1, 0, LOW}, {2, 0, HIGH}},
                                           {{0, 0, ALL}, {1, 0, 0x2}, {2, 0, 0x80000000}},
                                           {{0, 0, LOW}, {1, 0, HIGH}, {2, 0, HIGH}}};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        for (size_t more = 1; more <= 2; more++)
            for (int longer = 0; longer < 2; longer++) {
                const struct difference d = between(1, tails[i], longer == 0 ? 1 + more : 1, 1,
                                                    tails[i], longer == 1 ? 1 + more : 1);
                assert_int_equal(d.kind, DIFFERENCE_END);
                assert_int_equal(d.position, 1);
                assert_int_equal(d.step[longer], 1);
                assert_int_equal(d.step[!longer], UINT64_MAX);
                assert_int_equal(d.steps, more);
                assert_int_equal(d.warps, 1);
            }
}

static void parts_of_a_warp_may_continue_in_any_order(void **state) {
    (void)state;
    static const struct made one[] = {{0, 0, LOW}, {1, 0, LOW}, {2, 0, HIGH}},
                             other[] = {{2, 0, HIGH}, {0, 0, LOW}, {1, 0, LOW}},
                             swapped[] = {{2, 0, HIGH}, {1, 0, LOW}, {0, 0, LOW}};
    struct difference d = between(1, one, 3, 1, other, 3);
    assert_int_equal(d.kind, DIFFERENCE_NONE);
    assert_int_equal(d.steps, 0);
    assert_int_equal(d.warps, 0);
    d = between(1, one, 3, 1, swapped, 3);
    assert_int_equal(d.kind, DIFFERENCE_LANES);
    assert_int_equal(d.steps, 2);
    assert_int_equal(d.step[0], 0);
    assert_int_equal(d.step[1], 1);
    assert_int_equal(d.lanes, LOW);
}

/* The search for a partner covers the next 32 steps of the warp, one per lane: here the partner of
 * the first step comes after all the others. */
static void the_search_for_a_partner_is_limited(void **state) {
    (void)state;
    struct made a[40], b[40];
    for (size_t others = 1; others <= 33; others++) {
        a[0] = b[others] = (struct made){7, 0, LOW};
        for (size_t i = 0; i < others; i++)
            a[i + 1] = b[i] = (struct made){100 + i, 0, HIGH};
        const struct difference d = between(1, a, others + 1, 1, b, others + 1);
        assert_int_equal(d.kind, others < 32 ? DIFFERENCE_NONE : DIFFERENCE_OPERATION);
        if (others >= 32) { /* a different mask, of other lanes */
            assert_int_equal(d.step[0], 0);
            assert_int_equal(d.step[1], 0);
        }
    }
}

/* Each pair of sites is compared separately, whatever its numbers, even pairs that share an entry
 * of the hash table (0 and 31 or 287 with 1 and 0). The last site of the second recording is the
 * same call as site 0 of both recordings; site 1 is a different call. */
static void every_pair_of_sites_is_compared_separately(void **state) {
    (void)state;
    static const uint32_t counts[] = {3, 31, 32, 33, 288, 300};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint32_t sites = counts[i];
        const struct made a[] = {{0, 0, ALL}, {1, 1, ALL}, {2, 0, ALL}, {3, 0, ALL}},
                          b[] = {{0, sites - 1, ALL}, {1, 0, ALL}, {2, 0, ALL}, {3, 1, ALL}};
        const struct difference d = between(3, a, 4, sites, b, 4);
        assert_int_equal(d.kind, DIFFERENCE_OPERATION);
        assert_int_equal(d.parts, DIFFERS_CALL);
        assert_int_equal(d.step[0], 1);
        assert_int_equal(d.step[1], 1);
        assert_int_equal(d.steps, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_longer_warp_differs_from_where_the_other_ends),
        cmocka_unit_test(parts_of_a_warp_may_continue_in_any_order),
        cmocka_unit_test(the_search_for_a_partner_is_limited),
        cmocka_unit_test(every_pair_of_sites_is_compared_separately),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
