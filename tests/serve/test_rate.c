/* The limits on an address's requests. */
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
static unsigned granted(struct rate *rate, enum rate_kind kind, uint64_t key, int64_t now,
                        unsigned most) {
    unsigned count = 0;
    for (unsigned i = 0; i < most; i++)
        count += rate_take(rate, kind, key, now, 1);
    return count;
}

static void test_bucket_empties_and_fills(void **state) {
    for (enum rate_kind kind = 0; kind < RATE_KINDS; kind++) {
        struct rate *rate = *state;
        const unsigned holds = rate_limits[kind].holds, a_minute = rate_limits[kind].a_minute;
        assert_int_equal(granted(rate, kind, 1, 1000, holds + 10), holds);
        assert_false(rate_has(rate, kind, 1, 1000, 1));
        assert_int_equal(granted(rate, kind, 1, 7000, 1),
                         1); /* after a tenth of a minute a request is granted again */
        assert_int_equal(granted(rate, kind, 1, 7000, holds),
                         a_minute / 10 - 1 < holds ? a_minute / 10 - 1 : holds);
        assert_int_equal(granted(rate, kind, 2, 7000, 5), 5); /* another key has its own bucket */
        /* However long a bucket fills, it holds no more than its limit. */
        assert_int_equal(granted(rate, kind, 1, 1000000000, 2 * holds), holds);
    }
}

/* A refused request costs nothing, and neither does a query. */
static void test_all_or_nothing(void **state) {
    struct rate *rate = *state;
    assert_true(rate_has(rate, RATE_STUDENT, 1, 5, rate_limits[RATE_STUDENT].holds));
    assert_false(rate_take(rate, RATE_STUDENT, 1, 5, rate_limits[RATE_STUDENT].holds + 1));
    assert_true(rate_take(rate, RATE_STUDENT, 1, 5, rate_limits[RATE_STUDENT].holds));
    assert_false(rate_has(rate, RATE_STUDENT, 1, 5, 1));
}

/* The same key with another kind is a different bucket: a student's number is not an address. */
static void test_kinds_are_apart(void **state) {
    struct rate *rate = *state;
    granted(rate, RATE_ADDRESS, 7, 5, rate_limits[RATE_ADDRESS].holds);
    assert_false(rate_has(rate, RATE_ADDRESS, 7, 5, 1));
    for (enum rate_kind kind = 0; kind < RATE_KINDS; kind++)
        assert_int_equal(rate_has(rate, kind, 7, 5, 1), kind != RATE_ADDRESS);
}

/* The least recently used bucket is replaced, wherever it is. */
static void test_the_oldest_is_forgotten(void **state) {
    struct rate *rate = *state;
    for (uint64_t key = 0; key < RATE_BUCKETS; key++)
        assert_int_equal(granted(rate, RATE_STUDENT, key, 5, 1000), 100);
    assert_int_equal(granted(rate, RATE_STUDENT, 5000, 5, 1), 1); /* replaces key 0 */
    assert_int_equal(granted(rate, RATE_STUDENT, 1, 5, 1), 0);
    assert_int_equal(granted(rate, RATE_STUDENT, RATE_BUCKETS - 1, 5, 1), 0);
    assert_int_equal(granted(rate, RATE_STUDENT, 6000, 6, 1), 1); /* replaces key 2 */
    for (uint64_t key = 1; key < RATE_BUCKETS; key++)
        if (key != 2 && key != 77)
            granted(rate, RATE_STUDENT, key, 7, 1);
    granted(rate, RATE_STUDENT, 5000, 8, 1);
    granted(rate, RATE_STUDENT, 6000, 8, 1);
    assert_int_equal(granted(rate, RATE_STUDENT, 7000, 9, 1), 1); /* replaces key 77 */
    assert_int_equal(granted(rate, RATE_STUDENT, 3, 9, 1), 0);
    assert_int_equal(granted(rate, RATE_STUDENT, 77, 9, 1000), 100); /* a new bucket */
}

/* Addresses of neither kind, and missing ones, count as one address that no machine has. */
static void test_invalid_addresses(void **state) {
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

static void test_an_address_that_a_proxy_names(void **state) {
    (void)state;
    assert_int_equal(rate_key_named("192.0.2.1"), key_of("192.0.2.1"));
    assert_int_equal(rate_key_named("::ffff:192.0.2.1"), key_of("192.0.2.1"));
    assert_int_equal(rate_key_named("2001:db8:1:2::1"), key_of("2001:db8:1:2::9"));
    for (const char *const *none = (const char *const[]){"", "unknown", "192.0.2.1:80", "1", NULL};
         *none; none++)
        assert_int_equal(rate_key_named(*none), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bucket_empties_and_fills, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_or_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kinds_are_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_oldest_is_forgotten, set_up, tear_down),
        cmocka_unit_test(test_invalid_addresses),
        cmocka_unit_test(test_what_counts_as_one_address),
        cmocka_unit_test(test_an_address_that_a_proxy_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
