/* How much an address may ask for. */
#include "serve/rate.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

static int set_up(void **state) {
    *state = calloc(1, sizeof(struct rate));
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    free(*state);
    return 0;
}

/* How many of `most` requests are granted at that time. */
static unsigned granted(struct rate *rate, uint64_t key, int64_t now, unsigned most) {
    unsigned count = 0;
    for (unsigned i = 0; i < most; i++)
        count += rate_take(rate, key, now, 1);
    return count;
}

static void test_bucket_empties_and_fills(void **state) {
    struct rate *rate = *state;
    assert_int_equal(granted(rate, 1, 1000, RATE_HOLDS + 10), RATE_HOLDS);
    assert_int_equal(granted(rate, 1, 1100, RATE_HOLDS), RATE_A_SECOND / 10);
    assert_int_equal(granted(rate, 2, 1100, 5), 5); /* another address has its own */
    /* However long it waits, it holds no more than a full bucket. */
    assert_int_equal(granted(rate, 1, 1000000, 2 * RATE_HOLDS), RATE_HOLDS);
}

static void test_a_guess_costs_more(void **state) {
    struct rate *rate = *state;
    unsigned count = 0;
    while (rate_take(rate, 1, 5, RATE_GUESS))
        count++;
    assert_int_equal(count, RATE_HOLDS / RATE_GUESS);
    assert_int_equal(granted(rate, 1, 5, RATE_GUESS), RATE_HOLDS % RATE_GUESS);
}

static void test_address_that_asked_longest_ago_is_forgotten(void **state) {
    struct rate *rate = *state;
    for (uint64_t key = 0; key < RATE_ADDRESSES; key++)
        assert_int_equal(granted(rate, key, 1 + (int64_t)key, RATE_HOLDS), RATE_HOLDS);
    assert_int_equal(granted(rate, 9999, RATE_ADDRESSES + 1, 1), 1); /* in the place of 0 */
    assert_int_equal(granted(rate, 5, RATE_ADDRESSES + 1, RATE_HOLDS),
                     RATE_A_SECOND * (RATE_ADDRESSES + 1 - 6) / 1000);
    assert_int_equal(granted(rate, 0, RATE_ADDRESSES + 1, RATE_HOLDS), RATE_HOLDS);
}

/* The one forgotten is the first of those that asked longest ago, wherever it is. */
static void test_which_one_is_forgotten(void **state) {
    struct rate *rate = *state;
    for (uint64_t key = 0; key < RATE_ADDRESSES; key++)
        assert_int_equal(granted(rate, key, 5, RATE_HOLDS), RATE_HOLDS);
    assert_int_equal(granted(rate, 1000, 5, 1), 1); /* in the place of 0 */
    assert_int_equal(granted(rate, 1, 5, 1), 0);
    assert_int_equal(granted(rate, RATE_ADDRESSES - 1, 5, 1), 0);
    assert_int_equal(granted(rate, 1000, 6, 1), 1);
    assert_int_equal(granted(rate, 2000, 6, 1), 1); /* in the place of 1 */
    assert_int_equal(granted(rate, 2, 6, 1), 0);
    for (uint64_t key = 2; key < RATE_ADDRESSES; key++)
        if (key != 77)
            granted(rate, key, 7, 1);
    granted(rate, 1000, 8, 1);
    granted(rate, 2000, 8, 1);
    assert_int_equal(granted(rate, 3000, 9, 1), 1); /* in the place of 77 */
    assert_int_equal(granted(rate, 2, 9, 1), 0);
    assert_int_equal(granted(rate, 77, 9, RATE_HOLDS + 1), RATE_HOLDS); /* a new one */
}

/* An address of neither kind, and none, count as one, and it is no address of a machine. */
static void test_what_is_no_address(void **state) {
    (void)state;
    const struct sockaddr local = {.sa_family = AF_UNIX};
    assert_int_equal(rate_key(NULL), 0);
    assert_int_equal(rate_key(&local), 0);
}

static uint64_t key_of(const char *text) {
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return rate_key((struct sockaddr *)&four);
    assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
    return rate_key((struct sockaddr *)&six);
}

static void test_what_counts_as_one_address(void **state) {
    (void)state;
    assert_int_not_equal(key_of("192.0.2.1"), key_of("192.0.2.2"));
    assert_int_equal(key_of("192.0.2.1"), key_of("::ffff:192.0.2.1"));
    assert_int_equal(key_of("2001:db8:1:2::1"), key_of("2001:db8:1:2:ffff::9"));
    assert_int_not_equal(key_of("2001:db8:1:2::1"), key_of("2001:db8:1:3::1"));
    assert_int_not_equal(key_of("0.0.0.0"), 0);
    assert_int_not_equal(key_of("::ffff:192.0.2.1"), key_of("::ffff:192.0.2.2"));
    assert_int_not_equal(key_of("::ffff:192.0.2.1"), key_of("::ffff:192.0.3.1"));
    assert_int_not_equal(key_of("::ffff:192.0.2.1"), key_of("::ffff:191.0.2.1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bucket_empties_and_fills, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_guess_costs_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_address_that_asked_longest_ago_is_forgotten, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_which_one_is_forgotten, set_up, tear_down),
        cmocka_unit_test(test_what_is_no_address),
        cmocka_unit_test(test_what_counts_as_one_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
