/* The parts of an index: how runs are packed, sorted and found, and the file's blocks that hold
 * them. */
#include "sample.h"

#include "base/text.h"
#include "trace/index/index.h"
#include "trace/read/file_blocks.h"

#include <stdlib.h>
#include <string.h>

/* ---- packed and sorted ---- */

static struct trace_index_entry entry_of(uint32_t launch, uint64_t block, uint32_t warp,
                                         uint64_t step, unsigned count) {
    return (struct trace_index_entry){(uint64_t)launch << 32 | block >> 32, block << 32 | warp,
                                      step << 8 | (count - 1)};
}

static void test_packing(void **state) {
    static const struct {
        uint32_t launch[2];
        uint64_t block[2];
        uint32_t warp[2];
        uint64_t step[2];
        unsigned block_bits, warp_bits, step_bits, bits;
    } cases[] = {
        {{0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 8}, /* all the same */
        {{9, 9}, {UINT64_C(1) << 40, UINT64_C(1) << 40}, {31, 31}, {77, 77}, 0, 0, 0, 8},
        {{3, 3}, {5, 6}, {0, 4}, {100, 355}, 1, 3, 8, 20},
        {{3, 4}, {6, 5}, {4, 0}, {356, 100}, 1, 3, 9, 22},
        {{0, UINT32_MAX}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 40},
        {{0, 1}, {0, UINT64_MAX}, {0, 0}, {0, 0}, 64, 0, 0, 73},
        {{0, 0}, {0, UINT32_MAX}, {0, 31}, {0, (1 << 19) - 1}, 32, 5, 19, 64},
        {{0, 0}, {0, UINT32_MAX}, {0, 31}, {0, 1 << 19}, 32, 5, 20, 65},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct trace_index_entry entries[2];
        for (int k = 0; k < 2; k++)
            entries[k] = entry_of(cases[i].launch[k], cases[i].block[k], cases[i].warp[k],
                                  cases[i].step[k], k == 0 ? 1 : 256);
        const struct trace_index_packing packing = trace_index_packing_choose(entries, 2);
        assert_int_equal(packing.launch, cases[i].launch[0]);
        assert_int_equal(packing.block, cases[i].block[cases[i].block[1] < cases[i].block[0]]);
        assert_int_equal(packing.warp, cases[i].warp[cases[i].warp[1] < cases[i].warp[0]]);
        assert_int_equal(packing.step, cases[i].step[cases[i].step[1] < cases[i].step[0]]);
        assert_int_equal(packing.block_bits, cases[i].block_bits);
        assert_int_equal(packing.warp_bits, cases[i].warp_bits);
        assert_int_equal(packing.step_bits, cases[i].step_bits);
        assert_int_equal(packing.bits, cases[i].bits);
        assert_int_equal(trace_index_packing_fits(&packing), cases[i].bits <= 64);
    }
}

static int compare(const void *left, const void *right) {
    const struct trace_index_entry *a = left, *b = right;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->steps > b->steps) - (a->steps < b->steps);
}

/* Entries with ascending steps: `spread` sets how far apart their blocks are. */
static void check_sorts(struct trace_index_sorter *sorter, size_t count, uint64_t spread) {
    struct trace_index_entry *entries = calloc(3 * count + 1, sizeof(*entries));
    assert_non_null(entries);
    struct trace_index_entry *sorted = entries + count, *sort = sorted + count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t mixed = (uint32_t)((i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
        entries[i] = entry_of(7 + mixed % 2, 1000 + mixed / 2 % 5 * spread, mixed / 16 % 7,
                              50 + i * 256, 1 + mixed % 256);
    }
    memcpy(sorted, entries, count * sizeof(*entries));
    qsort(sorted, count, sizeof(*sorted), compare);
    memcpy(sort, entries, count * sizeof(*entries));
    trace_index_sort(sorter, sort, count);
    assert_memory_equal(sort, sorted, count * sizeof(*sorted));
    trace_index_sort(sorter, sort, count); /* sorted again, it stays the same */
    assert_memory_equal(sort, sorted, count * sizeof(*sorted));
    for (size_t i = 0; i < count; i++) /* the other way round */
        sort[i] = sorted[count - 1 - i];
    trace_index_sort(sorter, sort, count);
    assert_memory_equal(sort, sorted, count * sizeof(*sorted));
    const struct trace_index_packing packing = trace_index_packing_choose(entries, count);
    for (int ascend = 0; trace_index_packing_fits(&packing) && ascend < 2; ascend++) {
        trace_index_sort_packed(sorter, &packing, entries, count, ascend);
        for (size_t i = 0; i < count; i++) {
            const struct trace_index_entry entry = trace_index_unpack(&packing, sorter->words[i]);
            assert_memory_equal(&entry, &sorted[i], sizeof(entry));
        }
    }
    free(entries);
}

static void test_sort(void **state) {
    static const size_t counts[] = {1, 2, 3, 10, 255, 256, 257, 5000, 20};
    static const uint64_t spreads[] = {0, 1, 2, 300, 1 << 11, UINT64_C(1) << 33, UINT64_C(1) << 60};
    struct trace_index_sorter sorter = {0};
    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (size_t k = 0; k < sizeof(spreads) / sizeof(spreads[0]); k++)
            check_sorts(&sorter, counts[i], spreads[k]);
    trace_index_sorter_release(&sorter);
    assert_null(sorter.words);
    assert_null(sorter.other);
    assert_int_equal(sorter.room, 0);
}

/* ---- queries ---- */

#define RUNS_MOST 400

struct runs {
    struct trace_file_run run[RUNS_MOST];
    uint64_t warp[RUNS_MOST];
    struct trace_index index;
};

static void add_run(struct runs *runs, uint32_t launch, uint64_t block, uint32_t warp,
                    uint64_t first, uint32_t count) {
    struct trace_index *index = &runs->index;
    const struct trace_file_run *last =
        index->run_count > 0 ? &runs->run[index->run_count - 1] : NULL;
    const bool same = last && last->launch == launch && last->block == block && last->warp == warp;
    assert_true(index->run_count < RUNS_MOST);
    if (!same)
        runs->warp[index->warp_count++] = index->run_count;
    runs->run[index->run_count++] =
        (struct trace_file_run){.first = first,
                                .block = block,
                                .launch = launch,
                                .warp = warp,
                                .count = count,
                                .number = (uint32_t)index->warp_count - 1,
                                .position = same ? last->position + last->count : 0};
    index->runs = runs->run;
    index->warps = runs->warp;
}

/* The answer found by trying every run. */
static uint64_t look_for(const struct runs *runs, uint32_t launch, uint64_t block, uint32_t warp,
                         uint64_t step) {
    for (uint64_t i = 0; i < runs->index.run_count; i++) {
        const struct trace_file_run *run = &runs->run[i];
        if (run->launch == launch && run->block == block && run->warp == warp &&
            step >= run->first && step - run->first < run->count)
            return i;
    }
    return UINT64_MAX;
}

static void check_asked(const struct runs *runs, uint32_t launches, uint64_t blocks, uint32_t warps,
                        uint64_t steps) {
    const struct trace_index *index = &runs->index;
    for (uint32_t launch = 0; launch < launches; launch++)
        for (uint64_t block = 0; block < blocks; block++)
            for (uint32_t warp = 0; warp < warps; warp++)
                for (uint64_t step = 0; step < steps; step++)
                    assert_int_equal(trace_index_run(index, launch, block, warp, step),
                                     look_for(runs, launch, block, warp, step));
    assert_int_equal(trace_index_run(index, 0, 0, 0, UINT64_MAX), UINT64_MAX);
    assert_int_equal(trace_index_run(index, UINT32_MAX, UINT64_MAX, UINT32_MAX, 0), UINT64_MAX);
    for (uint64_t warp = 0; warp < index->warp_count; warp++) {
        uint64_t first, end, position = 0;
        const uint64_t next =
            warp + 1 < index->warp_count ? runs->warp[warp + 1] : index->run_count;
        assert_true(trace_index_runs(index, warp, &first, &end));
        assert_int_equal(first, runs->warp[warp]);
        assert_int_equal(end, next);
        for (uint64_t at = first; at < end; at++)
            for (uint64_t i = 0; i < runs->run[at].count; i++)
                assert_int_equal(trace_index_step(index, warp, position++),
                                 runs->run[at].first + i);
        assert_int_equal(trace_index_step(index, warp, position), UINT64_MAX);
        assert_int_equal(trace_index_step(index, warp, UINT64_MAX), UINT64_MAX);
    }
}

/* Launches, blocks and warps with few or many runs, and steps of no warp in between. */
static void test_asked(void **state) {
    (void)state;
    for (uint32_t launches = 1; launches <= 3; launches++) {
        for (uint32_t skew = 0; skew < 5; skew++) {
            static struct runs runs;
            memset(&runs, 0, sizeof(runs));
            check_asked(&runs, 2, 2, 2, 3); /* without any run */
            for (uint32_t launch = 1; launch <= launches; launch++)
                for (uint64_t block = 1; block < 12; block += 1 + skew % 3)
                    for (uint32_t warp = 1; warp < 4; warp++) {
                        const uint64_t most = skew == 3 && block == 1   ? 9
                                              : skew == 4 && block > 10 ? 9
                                                                        : 1 + (block + warp) % 3;
                        for (uint64_t i = 0; i < most; i++)
                            add_run(&runs, launch, block, warp, 2 + 4 * i + warp % 2,
                                    1 + (uint32_t)(i + skew) % 3);
                    }
            check_asked(&runs, launches + 3, 14, 5, 42);
        }
    }
}

/* One launch, or one block, has nearly all of the runs, so a guess is far off one way or the
 * other. */
static void test_uneven(void **state) {
    (void)state;
    for (int by_block = 0; by_block < 2; by_block++)
        for (uint32_t many = 1; many <= 40; many++)
            for (uint32_t where = 1; where <= 4; where++) {
                static struct runs runs;
                memset(&runs, 0, sizeof(runs));
                for (uint32_t part = 1; part <= 4; part++)
                    for (uint32_t i = 0; i < (part == where ? many : 1); i++)
                        add_run(&runs, by_block ? 0 : part, by_block ? part : 0, i / 2,
                                1 + 3 * (i % 2), 2);
                check_asked(&runs, by_block ? 1 : 6, by_block ? 6 : 1, 21, 7);
            }
}

/* A wrong index gives no answer. */
static void test_wrong_index(void **state) {
    static struct runs runs;
    uint64_t first, end;
    (void)state;
    memset(&runs, 0, sizeof(runs));
    add_run(&runs, 0, 0, 0, UINT64_MAX - 3, 10); /* continues after the last number */
    add_run(&runs, 0, 0, 1, 5, 2);
    add_run(&runs, 0, 0, 2, 7, 2);
    assert_int_equal(trace_index_step(&runs.index, 0, 2), UINT64_MAX - 1);
    assert_int_equal(trace_index_step(&runs.index, 0, 4), UINT64_MAX);
    assert_int_equal(trace_index_step(&runs.index, 0, 9), UINT64_MAX);
    runs.run[1].position = 3; /* begins late */
    assert_int_equal(trace_index_step(&runs.index, 1, 2), UINT64_MAX);
    assert_int_equal(trace_index_step(&runs.index, 1, 4), 6);
    runs.warp[2] = 1; /* no run is left for the previous warp */
    assert_false(trace_index_runs(&runs.index, 1, &first, &end));
    assert_int_equal(trace_index_step(&runs.index, 1, 4), UINT64_MAX);
    runs.warp[2] = 3; /* after the last */
    assert_false(trace_index_runs(&runs.index, 2, &first, &end));
    assert_true(trace_index_runs(&runs.index, 1, &first, &end));
    runs.warp[2] = 4;
    assert_false(trace_index_runs(&runs.index, 1, &first, &end));
}

/* ---- blocks ---- */

/* A header of zeros, then blocks of steps 0 to count - 1 of growing size. */
static void make_blocks(struct text *to, const size_t *sizes, size_t count, uint64_t *offsets) {
    static const char header[TRACE_FILE_HEADER_BYTES];
    char payload[9000];
    memset(payload, 'p', sizeof(payload));
    text_append_bytes(to, header, sizeof(header));
    for (size_t i = 0; i < count; i++) {
        const struct trace_file_block head = {
            .kind = TRACE_FILE_STEPS, .number = i, .first = 256 * i, .count = 256};
        offsets[i] = to->length;
        assert_true(blocks_compose(to, head, payload, sizes[i]));
    }
}

static struct blocks_file file_of(const struct text *text) {
    return (struct blocks_file){(const unsigned char *)text->data, text->length};
}

static void test_blocks(void **state) {
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4032, 4033, 9000};
    enum { COUNT = sizeof(sizes) / sizeof(sizes[0]) };
    uint64_t offsets[COUNT], at = TRACE_FILE_HEADER_BYTES;
    struct text text;
    struct blocks_found found;
    (void)state;
    text_init(&text);
    make_blocks(&text, sizes, COUNT, offsets);
    const struct blocks_file file = file_of(&text);
    for (size_t i = 0; i < COUNT; i++) {
        struct blocks_file cut = file;
        assert_int_equal(offsets[i], at);
        assert_true(blocks_peek(&file, at, &found));
        assert_true(blocks_read(&file, at, TRACE_FILE_STEPS, i, &found));
        assert_int_equal(found.head.bytes, sizes[i]);
        assert_ptr_equal(found.payload, file.data + at + 64);
        at += 64 + (sizes[i] + 63) / 64 * 64;
        assert_int_equal(found.end, at);
        assert_false(blocks_read(&file, offsets[i], TRACE_FILE_RUNS, i, &found));
        assert_false(blocks_read(&file, offsets[i], TRACE_FILE_STEPS, i + 1, &found));
        cut.bytes = at;
        assert_true(blocks_read(&cut, offsets[i], TRACE_FILE_STEPS, i, &found));
        cut.bytes = at - 1;
        assert_false(blocks_peek(&cut, offsets[i], &found));
        cut.bytes = offsets[i] + 63;
        assert_false(blocks_peek(&cut, offsets[i], &found));
        cut.bytes = offsets[i] - 1;
        assert_false(blocks_peek(&cut, offsets[i], &found));
    }
    assert_int_equal(at, text.length);
    static const uint64_t nowhere[] = {0, 1, 64, 127, 129, 136, 160};
    for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++)
        assert_false(blocks_peek(&file, nowhere[i], &found));
    assert_false(blocks_peek(&file, at, &found));
    assert_false(blocks_peek(&file, at + 64, &found));
    assert_false(blocks_peek(&file, UINT64_MAX - 63, &found));
    /* Any changed byte, the padding included, is noticed. */
    for (uint64_t byte = offsets[4]; byte < offsets[5]; byte++) {
        text.data[byte] ^= 0x10;
        assert_false(blocks_read(&file, offsets[4], TRACE_FILE_STEPS, 4, &found));
        text.data[byte] ^= 0x10;
    }
    /* No block begins before the header's end, even if the bytes there look like a block. */
    memcpy(text.data + 64, text.data + offsets[0], 64);
    assert_false(blocks_peek(&file, 64, &found));
    /* Nor does a block begin between multiples of 64. */
    memcpy(text.data + offsets[7] + 72, text.data + offsets[0], 64);
    assert_false(blocks_peek(&file, offsets[7] + 72, &found));
    const size_t length = text.length;
    const struct trace_file_block head = {.kind = TRACE_FILE_STEPS};
    assert_false(blocks_compose(&text, head, NULL, (size_t)UINT32_MAX - 63));
    assert_int_equal(text.length, length);
    text_release(&text);
}

/* By number: the blocks of a group, and the blocks after the last group. */
static void test_found_by_number(void **state) {
    static const size_t sizes[] = {10, 20, 30};
    uint64_t offsets[3], listed[3], group;
    struct blocks blocks;
    struct blocks_found found;
    struct text text;
    (void)state;
    text_init(&text);
    make_blocks(&text, sizes, 3, offsets);
    memcpy(listed, offsets, sizeof(listed));
    group = text.length;
    const struct trace_file_block head = {.kind = TRACE_FILE_GROUP_OF + TRACE_FILE_STEPS};
    assert_true(blocks_compose(&text, head, listed, sizeof(listed)));
    const uint64_t after = text.length;
    const struct trace_file_block last = {.kind = TRACE_FILE_STEPS, .number = TRACE_FILE_GROUP};
    assert_true(blocks_compose(&text, last, "after", 5));
    const struct blocks_file file = file_of(&text);
    blocks_init(&blocks, &file, TRACE_FILE_STEPS, (const unsigned char *)&group, 1);
    assert_int_equal(blocks.rest_count, 0);
    assert_int_equal(blocks.groups[0], group);
    assert_false(blocks_find(&blocks, TRACE_FILE_GROUP, &found)); /* no block follows yet */
    blocks.rest = calloc(2, sizeof(*blocks.rest));
    assert_non_null(blocks.rest);
    blocks.rest[0] = after;
    blocks.rest[1] = offsets[1];
    blocks.rest_count = 1;
    for (int turn = 0; turn < 2; turn++) { /* the second time the group is known to be valid */
        for (uint64_t i = 0; i < 3; i++) {
            assert_true(blocks_find(&blocks, i, &found));
            assert_int_equal(found.head.number, i);
            assert_int_equal(found.head.bytes, sizes[i]);
        }
        assert_false(blocks_find(&blocks, 3, &found));
        assert_false(blocks_find(&blocks, TRACE_FILE_GROUP - 1, &found));
        assert_true(blocks_find(&blocks, TRACE_FILE_GROUP, &found));
        assert_memory_equal(found.payload, "after", 5);
        assert_false(blocks_find(&blocks, TRACE_FILE_GROUP + 1, &found));
        assert_int_equal(blocks.sound[0], 1);
    }
    blocks_release(&blocks);
    assert_null(blocks.groups);
    text.data[group + 64 + 2] ^= 1; /* an offset in the group */
    blocks_init(&blocks, &file, TRACE_FILE_STEPS, (const unsigned char *)&group, 1);
    assert_false(blocks_find(&blocks, 1, &found));
    assert_int_equal(blocks.sound[0], 0);
    blocks_release(&blocks);
    text.data[group + 64 + 2] ^= 1;
    /* The last block in a second group. */
    const uint64_t groups[] = {group, text.length};
    const struct trace_file_block second = {.kind = TRACE_FILE_GROUP_OF + TRACE_FILE_STEPS,
                                            .number = 1};
    assert_true(blocks_compose(&text, second, &after, sizeof(after)));
    const struct blocks_file longer = file_of(&text);
    blocks_init(&blocks, &longer, TRACE_FILE_STEPS, (const unsigned char *)groups, 2);
    assert_true(blocks_find(&blocks, 2, &found));
    assert_int_equal(found.head.bytes, 30);
    assert_true(blocks_find(&blocks, TRACE_FILE_GROUP, &found));
    assert_memory_equal(found.payload, "after", 5);
    assert_false(blocks_find(&blocks, 2 * TRACE_FILE_GROUP, &found));
    blocks_release(&blocks);
    blocks_init(&blocks, &longer, TRACE_FILE_STEPS, NULL, 0);
    assert_false(blocks_find(&blocks, 0, &found));
    blocks_release(&blocks);
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),         cmocka_unit_test(test_sort),
        cmocka_unit_test(test_asked),           cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_wrong_index),     cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_found_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
