/* Pasted text, character by character, as a terminal sends it between its two marks. */
#include "term/paste.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The keys typed for these bytes; `open` is true if the end marker has not arrived. */
static void check(const char *bytes, const char *typed, bool open) {
    struct paste paste;
    char got[256];
    size_t length = 0;
    paste_begin(&paste);
    for (const char *at = bytes; *at && paste.open; at++) {
        uint32_t keys[PASTE_KEYS];
        const size_t count = paste_take(&paste, (unsigned char)*at, keys);
        for (size_t i = 0; i < count; i++)
            got[length++] = (char)keys[i];
    }
    got[length] = '\0';
    assert_string_equal(got, typed);
    assert_int_equal(paste.open, open);
}

static void a_line_comes_out(void **state) {
    (void)state;
    check("mask 5" PASTE_END, "mask 5", false);
    check("mask 5\n" PASTE_END "q", "mask 5", false);
    check("\r\n  width\t\t8\r\n\r\nq \n" PASTE_END, "width 8 q", false);
    check(PASTE_END, "", false);
    check(" \n" PASTE_END, "", false);
}

static void no_control_character_comes_out(void **state) {
    (void)state;
    check("a\033b\003c\177d\001" PASTE_END, "abcd", false);
    check("\033\033\033[201~", "", false);
    check("a\033[201", "a", true);
    check("a\033[20\033[201~", "a", false);
    check("a\033[20b", "ab", true);
}

static void silence_ends_it(void **state) {
    (void)state;
    struct paste paste;
    uint32_t keys[PASTE_KEYS];
    paste_begin(&paste);
    paste_tick(&paste, PASTE_MILLISECONDS - 1);
    assert_int_equal(paste_take(&paste, 'a', keys), 1);
    paste_tick(&paste, PASTE_MILLISECONDS - 1);
    assert_true(paste.open);
    paste_tick(&paste, 1);
    assert_false(paste.open);
}

/* A whole text as it was pasted; the end marker is not part of it. */
static void a_whole_text_keeps_its_lines(void **state) {
    (void)state;
    static const char bytes[] = "a\tb\r\n\n  \033c\001" PASTE_END "d";
    struct text text = TEXT_INIT;
    struct paste paste;
    const char *at = bytes;
    paste_begin(&paste);
    for (; *at && paste.open; at++)
        paste_gather(&paste, (unsigned char)*at, &text);
    paste_begin(&paste);
    paste_gather(&paste, 0x3000, &text);
    assert_string_equal(text.data, "a\tb\n\n  c\xe3\x80\x80");
    assert_string_equal(at, "d");
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_out),
        cmocka_unit_test(no_control_character_comes_out),
        cmocka_unit_test(silence_ends_it),
        cmocka_unit_test(a_whole_text_keeps_its_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
