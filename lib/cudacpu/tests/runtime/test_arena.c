/*
 * test_arena.c - cudacpu/runtime/arena.h: the addresses that are allocated, and the gaps between
 * them.
 */
#include "cudacpu/runtime/arena.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

#define MIB    ((size_t)1 << 20)
#define REGION (32 * MIB) /* the least that is requested from the system */
#define PAGE   65536      /* after each region */
#define UNIT   ((size_t)API_ARENA_ALIGNMENT)
#define TAKEN  40

static char *take(struct api_arena *arena, size_t bytes, bool wanted_used) {
    bool is_used = !wanted_used;
    char *start = api_arena_alloc(arena, bytes, &is_used);
    assert_non_null(start);
    assert_int_equal((uintptr_t)start % UNIT, 0);
    assert_int_equal(is_used, wanted_used);
    return start;
}

/* True if the system lets a byte be read. */
static bool is_open(const char *address) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const bool read = write(ends[1], address, 1) == 1;
    assert_true(read || errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return read;
}

static void check_hole(const struct api_arena *arena, size_t at, const char *start, size_t size,
                       bool is_used) {
    assert_true(at < arena->holes.count);
    assert_ptr_equal(arena->holes.range[at].start, start);
    assert_int_equal(arena->holes.range[at].size, size);
    assert_int_equal(arena->holes.range[at].is_used, is_used);
}

static void test_region(void **state) {
    struct api_arena arena = {0};
    (void)state;
    char *first = take(&arena, UNIT, false), *second = take(&arena, 2 * UNIT, false);
    assert_ptr_equal(second, first + UNIT);
    assert_int_equal(arena.regions.count, 1);
    assert_int_equal(arena.regions.range[0].size, REGION);
    assert_int_equal(arena.holes.count, 1);
    check_hole(&arena, 0, first + 3 * UNIT, REGION - 3 * UNIT, false);
    const struct {
        ptrdiff_t at;
        bool held;
    } cases[] = {{0, true},
                 {-1, false},
                 {UNIT, true},
                 {REGION - 1, true},
                 {REGION, true},
                 {REGION + PAGE - 1, true},
                 {REGION + PAGE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(api_arena_holds(&arena, (char *)((uintptr_t)first + (size_t)cases[i].at)),
                         cases[i].held);
    assert_true(is_open(first));
    assert_true(is_open(first + REGION - 1));
    assert_false(is_open(first + REGION));  /* nobody may access what follows */
    take(&arena, REGION - 3 * UNIT, false); /* all the rest */
    assert_int_equal(arena.holes.count, 0);
    take(&arena, UNIT, false); /* in a second region */
    assert_int_equal(arena.regions.count, 2);
    assert_true(arena.regions.range[0].start < arena.regions.range[1].start);
    api_arena_release(&arena);
    assert_int_equal(arena.regions.count + arena.holes.count, 0);
    assert_false(api_arena_holds(&arena, first));
    assert_false(is_open(first));
    assert_false(is_open(first + REGION - 1));
}

/* Whole pages of a GPU, 2 MiB each; a larger region is returned when it is empty. */
static void test_large(void **state) {
    struct api_arena arena = {0};
    bool is_used;
    (void)state;
    char *large = take(&arena, 33 * MIB, false);
    assert_int_equal(arena.regions.range[0].size, 34 * MIB);
    check_hole(&arena, 0, large + 33 * MIB, MIB, false);
    char *rest = take(&arena, MIB, false);
    assert_ptr_equal(rest, large + 33 * MIB);
    api_arena_free(&arena, large, 33 * MIB);
    assert_int_equal(arena.regions.count, 1); /* a part is in use */
    check_hole(&arena, 0, large, 33 * MIB, true);
    api_arena_free(&arena, rest, MIB);
    assert_int_equal(arena.regions.count, 0);
    assert_int_equal(arena.holes.count, 0);
    assert_false(api_arena_holds(&arena, large));
    assert_false(is_open(large));
    assert_false(is_open(large + 34 * MIB - 1));
    large = take(&arena, 34 * MIB, false);
    assert_int_equal(arena.regions.range[0].size, 34 * MIB);
    assert_int_equal(arena.holes.count, 0);
    char *usual = take(&arena, REGION, false); /* of the usual size: it stays */
    api_arena_free(&arena, usual, REGION);
    assert_int_equal(arena.regions.count, 2);
    check_hole(&arena, 0, usual, REGION, true);
    assert_ptr_equal(take(&arena, REGION, true), usual);
    assert_null(api_arena_alloc(&arena, SIZE_MAX - 511, &is_used));
    assert_null(api_arena_alloc(&arena, (size_t)1 << 60, &is_used));
    assert_int_equal(arena.regions.count, 2);
    api_arena_release(&arena);
}

/* Adjacent free parts are one hole, and holes are in the order of their addresses. */
static void test_holes(void **state) {
    struct api_arena arena = {0};
    char *part[TAKEN];
    (void)state;
    for (size_t i = 0; i < TAKEN; i++)
        part[i] = take(&arena, UNIT, false);
    for (size_t i = 0; i < TAKEN; i += 2) /* 0, 2, ... 38, which are not adjacent */
        api_arena_free(&arena, part[TAKEN - 2 - i], UNIT);
    assert_int_equal(arena.holes.count, TAKEN / 2 + 1);
    for (size_t i = 0; i < TAKEN / 2; i++)
        check_hole(&arena, i, part[2 * i], UNIT, true);
    check_hole(&arena, TAKEN / 2, part[0] + TAKEN * UNIT, REGION - TAKEN * UNIT, false);
    assert_ptr_equal(take(&arena, UNIT, true), part[0]); /* the first hole that is large enough */
    assert_ptr_equal(take(&arena, 2 * UNIT, false), part[0] + TAKEN * UNIT);
    api_arena_free(&arena, part[0] + TAKEN * UNIT, 2 * UNIT);
    check_hole(&arena, TAKEN / 2 - 1, part[0] + TAKEN * UNIT, REGION - TAKEN * UNIT, true);
    api_arena_free(&arena, part[1], UNIT); /* before a hole */
    check_hole(&arena, 0, part[1], 2 * UNIT, true);
    api_arena_free(&arena, part[0], UNIT);
    check_hole(&arena, 0, part[0], 3 * UNIT, true);
    api_arena_free(&arena, part[5], UNIT); /* between two holes */
    check_hole(&arena, 1, part[4], 3 * UNIT, true);
    api_arena_free(&arena, part[3], UNIT);
    check_hole(&arena, 0, part[0], 7 * UNIT, true);
    check_hole(&arena, 1, part[8], UNIT, true);
    api_arena_free(&arena, part[TAKEN - 1], UNIT);
    assert_ptr_equal(take(&arena, 3 * UNIT, true), part[0]);
    check_hole(&arena, 0, part[3], 4 * UNIT, true);
    api_arena_release(&arena);
}

static void test_closing(void **state) {
    struct api_arena arena = {0};
    (void)state;
    api_arena_open(&arena);
    char *first = take(&arena, UNIT, false), *second = take(&arena, REGION, false);
    memset(first, 1, UNIT);
    api_arena_close(&arena);
    assert_true(arena.is_closed);
    assert_false(is_open(first));
    assert_false(is_open(second));
    char *third = take(&arena, REGION + UNIT, false); /* closed like the others */
    assert_false(is_open(third));
    api_arena_close(&arena);
    api_arena_open(&arena);
    assert_false(arena.is_closed);
    assert_true(is_open(first));
    assert_true(is_open(second + REGION - 1));
    assert_true(is_open(third));
    assert_int_equal(first[UNIT - 1], 1);
    assert_int_equal(third[0], 0);
    api_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_region),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_closing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
