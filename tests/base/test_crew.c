/* The same work on many pieces: each is done once, by members of the crew, before the call returns.
 */
#include "base/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PIECES 20000

struct counts {
    unsigned char done[PIECES];
    uint64_t of_member[CREW_MOST];
    uint64_t sum;
};

static void count(void *context, uint64_t piece, unsigned member) {
    struct counts *counts = context;
    counts->done[piece]++;
    counts->of_member[member]++; /* a member has one piece at a time */
    __atomic_fetch_add(&counts->sum, piece, __ATOMIC_RELAXED);
}

static void check(struct crew *crew, uint64_t pieces) {
    static struct counts counts;
    uint64_t all = 0;
    memset(&counts, 0, sizeof(counts));
    crew_run(crew, pieces, count, &counts);
    for (uint64_t piece = 0; piece < PIECES; piece++)
        assert_int_equal(counts.done[piece], piece < pieces);
    for (unsigned member = 0; member < CREW_MOST; member++) {
        assert_true(member < crew_members(crew) || counts.of_member[member] == 0);
        all += counts.of_member[member];
    }
    assert_int_equal(all, pieces);
    assert_int_equal(counts.sum, pieces ? pieces * (pieces - 1) / 2 : 0);
}

static void test_every_piece_once(void **state) {
    static const unsigned members[] = {1, 2, 5, CREW_MOST};
    (void)state;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        struct crew *crew = crew_new(members[i]);
        assert_int_equal(crew_members(crew), members[i]);
        check(crew, 0);
        check(crew, 1);
        for (int round = 0; round < 50; round++)
            check(crew, (uint64_t)round * 3);
        check(crew, PIECES);
        crew_release(crew);
    }
}

static void test_as_many_as_processors(void **state) {
    (void)state;
    struct crew *crew = crew_new(0);
    assert_in_range(crew_members(crew), 1, CREW_MOST);
    check(crew, 100);
    crew_release(crew);
    crew = crew_new(CREW_MOST + 1);
    assert_int_equal(crew_members(crew), CREW_MOST);
    crew_release(crew); /* one that never worked */
    crew_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_once),
        cmocka_unit_test(test_as_many_as_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
