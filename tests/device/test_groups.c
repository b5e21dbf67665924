/*
 * test_groups.c - cooperative groups on the CPU warp: every member of a tile of every size, in
 * blocks of any length, against loops over its lanes; and coalesced groups.
 */
#include "device_groups.h"
#include "memory_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEEDS   12
#define THREADS 100
#define POISON  0xbadbadbadbadbad0

static uint32_t random_next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static struct cpu_device *begin(uint64_t schedule, const struct cpu_sink *sink) {
    const struct cpu_options options = {
        .settings.schedule = schedule, .settings.poison = POISON, .sink = sink};
    struct cpu_device *device = cpu_device_create(&options);
    cpu_device_use(device);
    return device;
}

static void end(struct cpu_device *device) {
    cpu_device_use(NULL);
    cpu_device_destroy(device);
}

/* ---- tiles ---- */

/* The lanes of one tile; `there` of its `size` lanes exist. */
struct tile {
    const int *in;
    unsigned size, there;
};

/* The lane that is read, or the reader itself if the source is out of range (PTX ISA, shfl). */
static void assert_source(const struct tile *tile, int got, unsigned rank, int source,
                          const char *what) {
    int from = source < 0 || source >= (int)tile->size ? (int)rank : source;
    int expected = from < (int)tile->there ? tile->in[from] : (int32_t)(uint32_t)POISON;
    if (got != expected)
        fail_msg("%s in a tile of %u, %u there, rank %u: %d, not %d", what, tile->size, tile->there,
                 rank, got, expected);
}

static void check_shuffles(const struct tile *tile, const struct tile_results *mine, unsigned rank,
                           int argument) {
    int bits = argument & 31;
    assert_source(tile, mine->shfl, rank, bits & ((int)tile->size - 1), "shfl");
    assert_source(tile, mine->up, rank, (int)rank - bits, "shfl_up");
    assert_source(tile, mine->down, rank, (int)rank + bits, "shfl_down");
}

static void check_votes(const struct tile *tile, const struct tile_results *mine, unsigned rank) {
    unsigned ballot = 0, same = 0, here = 0;
    for (unsigned other = 0; other < tile->there; other++) {
        here |= 1u << other;
        ballot |= (unsigned)(tile->in[other] > 2) << other;
        same |= (unsigned)(tile->in[other] == tile->in[rank]) << other;
    }
    assert_int_equal(mine->ballot, ballot);
    assert_int_equal(mine->any != 0, ballot != 0);
    assert_int_equal(mine->all != 0, ballot == (0xffffffff >> (32 - tile->size)));
    assert_int_equal(mine->match_any, same);
    assert_int_equal(mine->match_all, same == here ? here : 0);
    assert_int_equal(mine->equal, same == here);
}

/* Only in whole tiles: a butterfly needs its partners. */
static void check_reductions(const struct tile *tile, const struct tile_results *mine) {
    int sum = 0, least = tile->in[0], most = tile->in[0];
    for (unsigned other = 0; other < tile->size; other++) {
        sum += tile->in[other];
        least = tile->in[other] < least ? tile->in[other] : least;
        most = tile->in[other] > most ? tile->in[other] : most;
    }
    assert_int_equal(mine->sum, sum);
    assert_int_equal(mine->least, least);
    assert_true(mine->most == (float)most);
}

static void check_thread(unsigned size, unsigned threads, const int *in, const int *argument,
                         const struct tile_results *results, unsigned thread) {
    unsigned first = thread / size * size, rank = thread % size, half = size > 1 ? size / 2 : 1;
    const struct tile tile = {in + first, size, threads - first < size ? threads - first : size};
    const struct tile_results *mine = results + thread;
    assert_int_equal(mine->rank, rank);
    assert_int_equal(mine->size, size);
    assert_int_equal(mine->meta_rank, thread / size);
    assert_int_equal(mine->meta_size, (threads + size - 1) / size);
    assert_int_equal(mine->half_rank, thread % half);
    assert_int_equal(mine->half_meta_rank, rank / half);
    assert_int_equal(mine->half_meta_size, size / half);
    check_shuffles(&tile, mine, rank, argument[thread]);
    /* A number beyond the tile's size names a lane outside the tile, which does not count. */
    int partner = (int)(thread % 32) ^ (argument[thread] & 31);
    int begin_of_tile = (int)(thread % 32 - rank);
    if (partner >= begin_of_tile)
        assert_source(&tile, mine->exchanged, rank, partner - begin_of_tile, "shfl_xor");
    check_votes(&tile, mine, rank);
    if (tile.there == size)
        check_reductions(&tile, mine);
    unsigned source = (unsigned)argument[thread] & 31 & (size - 1);
    if (source < tile.there) {
        assert_int_equal(mine->whole, 1);
        assert_int_equal(mine->small, tile.in[source] - 100);
    }
}

static void check_tiles(unsigned size, unsigned threads, uint64_t seed) {
    int in[THREADS], argument[THREADS];
    struct tile_results results[THREADS];
    uint32_t random = (uint32_t)seed * 31 + size * 1000 + threads;
    struct cpu_device *device = begin(seed, NULL);
    for (unsigned i = 0; i < threads; i++) {
        in[i] = (int)(random_next(&random) % (seed % 3 == 0 ? 2 : 6)) + (seed % 5 == 0 ? 2 : 0);
        argument[i] =
            seed % 2 ? (int)(random_next(&random) % 80) - 40 : (int)(random_next(&random) % size);
    }
    assert_int_equal(test_tile_members(size, threads, in, argument, results), 0);
    for (unsigned thread = 0; thread < threads; thread++)
        check_thread(size, threads, in, argument, results, thread);
    end(device);
}

static void test_tiles_of_every_size(void **state) {
    (void)state;
    static const unsigned lengths[] = {32, 64, 96, 35, 47, 7, 1, 100};
    for (unsigned size = 1; size <= 32; size *= 2)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            for (uint64_t seed = 0; seed < SEEDS; seed++)
                check_tiles(size, lengths[i], seed);
}

/* A tile's operation is an intrinsic with the tile's mask and width, at the line of the call. */
static void test_tiles_are_recorded_where_they_are_called(void **state) {
    (void)state;
    int in[32] = {0}, argument[32] = {0};
    struct tile_results results[32];
    struct memory_sink sink;
    memory_sink_init(&sink, 8, 1024);
    struct cpu_device *device = begin(0, &sink.sink);
    assert_int_equal(test_tile_members(8, 32, in, argument, results), 0);
    assert_int_equal(sink.dropped, 0);
    unsigned line = 0;
    for (unsigned tile = 0; tile < 4; tile++) {
        struct sink_step step = memory_sink_step(&sink, tile);
        assert_int_equal(step.operation.op, WARP_OP_IDX);
        assert_int_equal(step.operation.members, 0xffu << 8 * tile);
        assert_int_equal(step.operation.present, 0xffu << 8 * tile);
        assert_int_equal(step.operation.width[8 * tile], 8);
        assert_string_equal(step.site->file, "tests/device/groups.cu");
        assert_string_equal(step.site->text, "tile.shfl(value, rank)");
        line = step.site->line;
    }
    struct sink_step up = memory_sink_step(&sink, 4); /* on the line after */
    assert_int_equal(up.operation.op, WARP_OP_UP);
    assert_int_equal(up.site->line, line + 1);
    end(device);
    memory_sink_release(&sink);
}

/* ---- coalesced groups ---- */

/* In lane order all lanes of a branch are together. */
static void test_coalesced_group_by_hand(void **state) {
    (void)state;
    int in[32];
    struct group_results results[32];
    struct cpu_device *device = begin(0, NULL);
    for (int lane = 0; lane < 32; lane++)
        in[lane] = lane;
    /* Lanes 1, 4, 5 and 30. */
    assert_int_equal(test_coalesced_members(32, in, 0x40000032, results), 0);
    static const struct {
        int lane, up, down;
    } expected[] = {{1, 1, 5}, {4, 1, 30}, {5, 4, 5}, {30, 5, 30}};
    for (unsigned rank = 0; rank < 4; rank++) {
        const struct group_results *mine = &results[expected[rank].lane];
        assert_int_equal(mine->rank, rank);
        assert_int_equal(mine->size, 4);
        assert_int_equal(mine->lead, 1);
        assert_int_equal(mine->up, expected[rank].up);
        assert_int_equal(mine->down, expected[rank].down);
        assert_int_equal(mine->ballot, 0xe); /* all but lane 1 are above 2 */
        assert_int_equal(mine->match_any, 1u << rank);
        assert_int_equal(mine->match_all, 1);
        assert_int_equal(mine->votes, 1);
        assert_int_equal(mine->sum, 40);
        assert_int_equal(mine->real_sum, 40);
    }
    end(device);
}

/* In other orders the lanes of a branch form groups as they arrive; leading lanes report the size,
 * and every lane is in a group. */
static void test_coalesced_groups_in_any_order(void **state) {
    (void)state;
    static const uint32_t masks[] = {0xffffffff, 0x0000ffff, 0x40000032, 0x55555555};
    for (uint64_t seed = 0; seed < 40; seed++)
        for (unsigned m = 0; m < 4; m++) {
            int in[35];
            struct group_results results[35] = {{0}};
            unsigned lanes = 0, led = 0;
            int sum = 0, led_sum = 0;
            struct cpu_device *device = begin(seed, NULL);
            for (int thread = 0; thread < 35; thread++)
                in[thread] = thread;
            assert_int_equal(test_coalesced_members(35, in, masks[m], results), 0);
            for (unsigned thread = 0; thread < 35; thread++) {
                const struct group_results *mine = &results[thread];
                if (!(masks[m] >> thread % 32 & 1))
                    continue;
                lanes++;
                sum += in[thread];
                assert_true(mine->rank < mine->size);
                assert_int_equal(mine->votes, 1);
                assert_int_equal(mine->sum, mine->real_sum);
                assert_int_equal(mine->rank == 0, mine->lead == in[thread]);
                if (mine->rank == 0) {
                    led += mine->size;
                    led_sum += mine->sum;
                }
            }
            assert_int_equal(led, lanes);
            assert_int_equal(led_sum, sum);
            end(device);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_of_every_size),
        cmocka_unit_test(test_tiles_are_recorded_where_they_are_called),
        cmocka_unit_test(test_coalesced_group_by_hand),
        cmocka_unit_test(test_coalesced_groups_in_any_order),
    };
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
