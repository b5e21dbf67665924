/* Input from outside: addresses to listen on, URLs, codes, tokens, answers. */
#include "serve/outside_input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_address(void **state) {
    static const struct {
        const char *text, *host;
        unsigned port;
    } good[] = {
        {"8000", "127.0.0.1", 8000},
        {"0", "127.0.0.1", 0},
        {"65535", "127.0.0.1", 65535},
        {"0.0.0.0:80", "0.0.0.0", 80},
        {":8000", "0.0.0.0", 8000},
        {"[::1]:8000", "::1", 8000},
        {"lab.example.org:8000", "lab.example.org", 8000},
    };
    static const char *const bad[] = {
        "",        "x",       "-1",      "65536",  "99999999999999999999",
        "80 ",     " 80",     "0x50",    "::1",    "[::1]",
        "[::1]80", "[]:80",   "[::1:80", "a:b:80", "127.0.0.1:",
        ":",       "host:-1", "[:80",    "]:80x",  "127.0.0.1:8000/"};
    struct serve_address address;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(serve_address_parse(&address, good[i].text, NULL), 0);
        assert_string_equal(address.host, good[i].host);
        assert_int_equal(address.port, good[i].port);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error err = ERROR_INIT;
        if (serve_address_parse(&address, bad[i], &err) == 0)
            fail_msg("'%s' was taken for an address", bad[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, bad[i]));
        assert_non_null(strstr(err.text, "allowed: PORT"));
    }
}

static void test_address_too_long(void **state) {
    char text[SERVE_HOST_SIZE + 8];
    struct serve_address address;
    (void)state;
    memset(text, 'a', sizeof text);
    strcpy(text + SERVE_HOST_SIZE - 1, ":80");
    assert_int_equal(serve_address_parse(&address, text, NULL), 0);
    strcpy(text + SERVE_HOST_SIZE - 1, "a:80");
    assert_int_equal(serve_address_parse(&address, text, NULL), -1);
}

static void test_proxy(void **state) {
    static const struct {
        const char *text, *url, *host;
    } good[] = {
        {"https://class.example.org", "https://class.example.org/", "class.example.org"},
        {"https://class.example.org/", "https://class.example.org/", "class.example.org"},
        {"http://example.org:8443/a/class", "http://example.org:8443/a/class/", "example.org"},
        {"http://[2001:db8::1]:80/", "http://[2001:db8::1]:80/", "[2001:db8::1]"},
    };
    static const char *const bad[] = {"x",           "example.org",    "ftp://example.org",
                                      "https://",    "https:///a",     "https://a b",
                                      "https://a:/", "https://a:x",    "https://a/?",
                                      "https://a/#", "https://a/\x1b", "https://[::1",
                                      "https://a@b"};
    struct serve_proxy proxy;
    char text[SERVE_URL_SIZE + 1] = "https://example.org/";
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(serve_proxy_parse(&proxy, good[i].text, NULL), 0);
        assert_string_equal(proxy.url, good[i].url);
        assert_string_equal(proxy.host, good[i].host);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error err = ERROR_INIT;
        if (serve_proxy_parse(&proxy, bad[i], &err) == 0)
            fail_msg("'%s' was taken for a proxy", bad[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, "allowed: http"));
    }
    const size_t begins = strlen(text);
    memset(text + begins, 'a', SERVE_URL_SIZE - begins);
    text[SERVE_URL_SIZE - 2] = '\0';
    assert_int_equal(serve_proxy_parse(&proxy, text, NULL), 0);
    text[SERVE_URL_SIZE - 2] = 'a';
    text[SERVE_URL_SIZE - 1] = '\0';
    assert_int_equal(serve_proxy_parse(&proxy, text, NULL), -1);
}

static void test_host(void **state) {
    const char *const names[] = {"lab.example.org", "", NULL};
    const char *const good[] = {
        "127.0.0.1:8000",    "192.0.2.7",     "[::1]:8000",        "localhost:8000",   "laptop",
        "laptop.local:8000", "laptop.local.", "LAB.example.org:1", "lab.example.org.", NULL};
    const char *const bad[] = {"evil.example.net",
                               "evil.example.net:8000",
                               "lab.example.org.evil.net",
                               "xlab.example.org",
                               "192.0.2.7.evil.net",
                               "127.0.0.1x.net",
                               "example.org/localhost",
                               "a.b",
                               "",
                               NULL};
    (void)state;
    assert_true(serve_host_allowed(NULL, names));
    for (const char *const *one = good; *one; one++)
        if (!serve_host_allowed(*one, names))
            fail_msg("'%s' was refused", *one);
    for (const char *const *one = bad; *one; one++)
        if (serve_host_allowed(*one, names))
            fail_msg("'%s' was taken for ours", *one);
}

static void test_routes(void **state) {
    static const struct {
        const char *url;
        enum serve_route route;
    } routes[] = {
        {"/", ROUTE_DOOR},
        {"/k7mqp", ROUTE_ROOM_BARE},
        {"/K7MQP", ROUTE_ROOM_BARE},
        {"/k7mqp/", ROUTE_ROOM},
        {"/K7mqP/class.js", ROUTE_SCRIPT},
        {"/k7mqp/class.css", ROUTE_STYLE},
        {"/k7mqp/events", ROUTE_EVENTS},
        {"/k7mqp/answer", ROUTE_ANSWER},
        {"/aaaaa", ROUTE_WRONG_CODE},
        {"/aaaaa/events", ROUTE_WRONG_CODE},
        {"/k7mqp/events/", ROUTE_NO_FILE},
        {"/k7mqp//", ROUTE_NO_FILE},
        {"/k7mqp/Events", ROUTE_NO_FILE},
        {"/k7mqpx", ROUTE_NOWHERE},
        {"/k7mq", ROUTE_NOWHERE},
        {"//", ROUTE_NOWHERE},
        {"//k7mqp", ROUTE_NOWHERE},
        {"//k7mq/", ROUTE_NOWHERE},
        {"", ROUTE_NOWHERE},
        {"k7mqp/", ROUTE_NOWHERE},
        {"/favicon.ico", ROUTE_NOWHERE},
        {"/../../../etc/passwd", ROUTE_NOWHERE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
        if (serve_route_of(routes[i].url, "k7mqp") != routes[i].route)
            fail_msg("%s leads to %d", routes[i].url, (int)serve_route_of(routes[i].url, "k7mqp"));
}

static void test_code_as_typed(void **state) {
    (void)state;
    assert_true(serve_is_code("k7mqp", "k7mqp"));
    assert_true(serve_is_code("  K7MQP ", "k7mqp"));
    assert_false(serve_is_code("k7mq", "k7mqp"));
    assert_false(serve_is_code("k7mqpp", "k7mqp"));
    assert_false(serve_is_code("k7mqp x", "k7mqp"));
    assert_false(serve_is_code("", "k7mqp"));
}

static void test_token(void **state) {
    (void)state;
    assert_true(serve_is_token("0123456789abcdef0123456789abcdef"));
    assert_false(serve_is_token("0123456789abcdef0123456789abcde"));
    assert_false(serve_is_token("0123456789abcdef0123456789abcdef0"));
    assert_false(serve_is_token("0123456789ABCDEF0123456789abcdef"));
    assert_false(serve_is_token(""));
    assert_false(serve_is_token(NULL));
}

static bool parse(const char *body, unsigned *round, char *answer) {
    return serve_answer_parse(body, strlen(body), round, answer);
}

static void test_answer(void **state) {
    char answer[ANSWER_TEXT], body[SERVE_BODY_MOST + 1];
    unsigned round;
    (void)state;
    assert_true(parse("3\n17", &round, answer));
    assert_int_equal(round, 3);
    assert_string_equal(answer, "17");
    assert_true(parse("12\n  0-3, 8  ", &round, answer));
    assert_int_equal(round, 12);
    assert_string_equal(answer, "0-3, 8");
    assert_true(parse("1\n自己", &round, answer));
    assert_string_equal(answer, "自己");
    static const char *const bad[] = {"",
                                      "3",
                                      "3\n",
                                      "3\n  ",
                                      "\n17",
                                      "-1\n17",
                                      "+1\n17",
                                      " 1\n17",
                                      "1 \n17",
                                      "1\n17\n",
                                      "1\n1\t7",
                                      "1\r\n17",
                                      "1\n\xff",
                                      "1\n\x1b[2J",
                                      "1\n\xe2\x80\xae",
                                      "x\n17",
                                      "9999999999\n1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (parse(bad[i], &round, answer))
            fail_msg("number %zu was taken for an answer", i);
    assert_false(serve_answer_parse("1\n1\0007", 5, &round, answer));
    /* Bytes beyond the given length are ignored. */
    assert_false(serve_answer_parse("1\n7", 2, &round, answer));
    assert_false(serve_answer_parse("1\n 7", 3, &round, answer));
    assert_false(serve_answer_parse("1\n\xc3\xa9", 3, &round, answer));
    assert_false(serve_answer_parse("12\n7", 1, &round, answer));
    assert_true(serve_answer_parse("1\n78", 3, &round, answer));
    assert_string_equal(answer, "7");
    assert_true(serve_answer_parse("1\n 7  8", 5, &round, answer));
    assert_string_equal(answer, "7");
    memset(body, '7', sizeof body);
    memcpy(body, "1\n", 2);
    assert_true(serve_answer_parse(body, 2 + ANSWER_TEXT - 1, &round, answer));
    assert_int_equal(strlen(answer), ANSWER_TEXT - 1);
    assert_false(serve_answer_parse(body, 2 + ANSWER_TEXT, &round, answer));
    assert_false(serve_answer_parse(body, SERVE_BODY_MOST + 1, &round, answer));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address), cmocka_unit_test(test_address_too_long),
        cmocka_unit_test(test_proxy),   cmocka_unit_test(test_host),
        cmocka_unit_test(test_routes),  cmocka_unit_test(test_code_as_typed),
        cmocka_unit_test(test_token),   cmocka_unit_test(test_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
