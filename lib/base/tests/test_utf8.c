/* UTF-8: round trips of all characters, every kind of bad sequence, widths, cutting, hiding. */
#include "base/text.h"
#include "base/text/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAST 0x10ffff

static void test_every_character_there_and_back(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= LAST; code++) {
        char bytes[UTF8_MAX + 1] = "";
        size_t count = utf8_encode(code, bytes);
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        struct utf8_character character = utf8_decode(bytes, count);
        assert_true(character.valid);
        assert_int_equal(character.bytes, count);
        assert_int_equal(character.code, surrogate ? UTF8_REPLACEMENT : code);
        assert_int_equal(count, code < 0x80                   ? 1
                                : code < 0x800                ? 2
                                : code < 0x10000 || surrogate ? 3
                                                              : 4);
        assert_int_equal(utf8_last(bytes, count), 0);
    }
    char bytes[UTF8_MAX];
    assert_int_equal(utf8_encode(0x110000, bytes), 3);
    assert_memory_equal(bytes, "\xef\xbf\xbd", 3);
    /* RFC 3629, section 7 */
    assert_int_equal(utf8_encode(0x2262, bytes), 3);
    assert_memory_equal(bytes, "\xe2\x89\xa2", 3);
    assert_int_equal(utf8_encode(0x233b4, bytes), 4);
    assert_memory_equal(bytes, "\xf0\xa3\x8e\xb4", 4);
}

static void test_refuses_what_is_not_utf8(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length, taken;
    } bad[] = {
        {"\xff\xff", 2, 1},             /* never in UTF-8 */
        {"\xf8\x88\x80\x80\x80", 5, 1}, /* five bytes, as before 2003 */
        {"\x80\x80", 2, 1},             /* a continuation without a lead */
        {"\xe2\x97z", 3, 2},            /* cut short by a letter */
        {"\xe2\xe2\x97\x86", 4, 1},     /* cut short by a character */
        {"\xe2\x97", 2, 2},             /* cut short by the end */
        {"\xe2\x97\x86", 2, 2},         /* the third byte is not ours to read */
        {"\xf0\x9f\x98", 3, 3},
        {"\xc0\x80", 2, 2}, /* overlong: NUL, '/', U+07FF, U+FFFF */
        {"\xc0\xaf", 2, 2},
        {"\xe0\x9f\xbf", 3, 3},
        {"\xf0\x8f\xbf\xbf", 4, 4},
        {"\xed\xa0\x80", 3, 3}, /* surrogates: first and last */
        {"\xed\xbf\xbf", 3, 3},
        {"\xf4\x90\x80\x80", 4, 4}, /* U+110000 */
        {"\xf7\xbf\xbf\xbf", 4, 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct utf8_character character = utf8_decode(bad[i].bytes, bad[i].length);
        assert_false(character.valid);
        assert_int_equal(character.code, UTF8_REPLACEMENT);
        assert_int_equal(character.bytes, bad[i].taken);
    }
    const char *string = "\xf0\x9f";
    assert_int_equal(utf8_next(&string), UTF8_REPLACEMENT);
    assert_string_equal(string, "");
    assert_true(utf8_decode("\xef\xbf\xbd", 3).valid); /* U+FFFD itself is a character */
}

static void test_deletes_the_last_character(void **state) {
    (void)state;
    assert_int_equal(utf8_last("ab", 2), 1);
    assert_int_equal(utf8_last("a\xe6\xb0\xb4", 4), 1);
    assert_int_equal(utf8_last("\xe6\xb0\xb4\xf0\x9f\x98\x80", 7), 3);
    assert_int_equal(utf8_last("a\xe6\xb0", 3), 1); /* a bad sequence is removed as a whole */
    assert_int_equal(utf8_last("a\x80\x80", 3), 2);
    assert_int_equal(utf8_last("", 0), 0);
}

/* One, two, three and four bytes, cut off after each byte. */
static void test_incomplete_characters(void **state) {
    (void)state;
    static const char *const characters[] = {
        "a", "\xc3\xa9", "\xdf\xbf", "\xe6\xb0\xb4", "\xef\xbf\xbd", "\xf0\x9f\x98\x80"};
    static const char *const before[] = {"", "a", "\xe6\xb0\xb4", "\xc3"};
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            char bytes[16];
            const size_t whole = strlen(characters[i]), first = strlen(before[b]);
            snprintf(bytes, sizeof bytes, "%s%s", before[b], characters[i]);
            for (size_t cut = 1; cut <= whole; cut++)
                assert_int_equal(utf8_incomplete(bytes, first + cut), cut < whole ? cut : 0);
        }
    assert_int_equal(utf8_incomplete("\xa9", 1), 0); /* begins nothing */
}

static void test_measures(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int columns;
    } texts[] = {
        {"", 0},
        {"lane 5", 6},
        {"caf\u00e9", 4},
        {"cafe\u0301", 4},                     /* e and a combining acute */
        {"通道 5，读", 10},                    /* Chinese, with its own comma */
        {"ﾊﾝｶｸ", 4},                           /* halfwidth forms */
        {"ＡＢ", 4},                           /* fullwidth forms */
        {"한국", 4},                           /* Hangul syllables */
        {"\u1112\u1161\u11ab", 2},             /* the first of them, decomposed */
        {"\u0e01\u0e33\u0e25\u0e31\u0e07", 4}, /* Thai: sara am is a letter, mai han-akat a mark */
        {"\u0939\u093f\u0928\u094d\u0926\u0940",
         5}, /* Hindi: i and ii are drawn beside a letter, virama below */
        {"\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", 4}, /* Hebrew with points */
        {"\U0001f600", 2},
        {"\u2764", 1},                                     /* a heart drawn as text by default */
        {"\u2764\ufe0f", 1},                               /* the selector does not widen it */
        {"\u2705\u26a1", 4},                               /* pictures by default */
        {"\U0001f468\u200d\U0001f469\u200d\U0001f467", 6}, /* a family of three, joined */
        {"\U0001f44d\U0001f3fd", 4},                       /* a thumb and its skin tone */
        {"\U0001f1e8\U0001f1ed", 2},                       /* a flag: two letters */
        {"\u00ad", 1},
        {"a\tb\n\x1b\x7f", 6}, /* controls are shown as signs */
        {"\u202e\u2066\u200e\ufeff", 4},
        {"\xff\xe2\x97z", 3},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(utf8_columns(texts[i].text), texts[i].columns);
        assert_int_equal(utf8_cut_bytes(texts[i].text, SIZE_MAX), strlen(texts[i].text));
        assert_int_equal(utf8_cut_columns(texts[i].text, texts[i].columns), strlen(texts[i].text));
    }
}

static void test_cuts_between_characters(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t most, bytes; /* with a limit of `most` bytes, this many fit */
        int columns;
        size_t fit; /* and with a limit of `most` columns */
    } cuts[] = {
        {"abc", 2, 2, 2, 2},
        {"abc", 0, 0, 0, 0},
        {"é", 1, 0, 0, 0},
        {"a水b", 3, 1, 2, 1},
        {"a水b", 4, 4, 3, 4},
        {"cafe\u0301s", 4, 3, 4, 6}, /* the accent stays with its letter */
        {"cafe\u0301s", 5, 3, 3, 3},
        {"e\u0301\u0323", 3, 0, 1, 5},
        {"\u0939\u093f\u0928\u094d\u0926", 9, 6, 3, 12}, /* the virama goes with its letter */
        {"\u2764\ufe0f!", 3, 0, 1, 6},
        {"\U0001f600!", 3, 0, 1, 0},
        {"a\xff"
         "b",
         2, 2, 2, 2},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_int_equal(utf8_cut_bytes(cuts[i].text, cuts[i].most), cuts[i].bytes);
        assert_int_equal(utf8_cut_columns(cuts[i].text, cuts[i].columns), cuts[i].fit);
    }
    char buffer[6];
    utf8_format(buffer, sizeof buffer, "%s", "12345");
    assert_string_equal(buffer, "12345");
    utf8_format(buffer, sizeof buffer, "%d%s", 12, "水水");
    assert_string_equal(buffer, "12水");
    utf8_format(buffer, sizeof buffer, "%s", "1234水");
    assert_string_equal(buffer, "1234");
    utf8_format(buffer, sizeof buffer, "%s", "abce\u0301x");
    assert_string_equal(buffer, "abc"); /* the e with its accent takes three bytes */
    utf8_format(buffer, sizeof buffer, "%s", "abe\u0301x");
    assert_string_equal(buffer, "abe\u0301");
    utf8_format(buffer, 1, "%s", "x");
    assert_string_equal(buffer, "");
}

static void test_shows_no_byte_that_a_terminal_obeys(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *line, *lines;
    } shown[] = {
        {"plain", "plain", "plain"},
        {"", "", ""},
        {"a\nb\tc\r\nd\re", "a b c  d e", "a\nb\tc\nd\ne"},
        {"\x1b]0;pwn\a", "?]0;pwn?", "?]0;pwn?"},
        {"\x9b"
         "31m",
         "?31m", "?31m"}, /* CSI as one raw byte */
        {"\xc2\x9b"
         "31m\xc2\x85",
         "?31m?", "?31m?"}, /* and as U+009B */
        {"\x7f\b", "??", "??"},
        {"a\u202ecod\u202c.cu", "a?cod?.cu", "a?cod?.cu"},
        {"\u2066\u2069\u200e\u200f\u061c", "?????", "?????"},
        {"\ufeff\u200b\u2060\u2028\u2029\u180e", "??????", "??????"},
        {"\U000e0041", "?", "?"}, /* a tag: a letter that cannot be seen */
        {"\xff\xc0\xaf\xed\xa0\x80", "??????", "??????"},
        {"\u0646\u200c\u0648 क\u094d\u200dष e\u0301 水 \U0001f600",
         "\u0646\u200c\u0648 क\u094d\u200dष e\u0301 水 \U0001f600",
         "\u0646\u200c\u0648 क\u094d\u200dष e\u0301 水 \U0001f600"},
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        struct text text = TEXT_INIT;
        text_append(&text, ">");
        text_append_visible(&text, shown[i].bytes, UTF8_LINE);
        assert_string_equal(text.data + 1, shown[i].line);
        assert_int_equal(text.length, 1 + strlen(shown[i].line));
        text_clear(&text);
        text_append_visible(&text, shown[i].bytes, UTF8_LINES);
        assert_string_equal(text.data, shown[i].lines);
        text_release(&text);
    }
    assert_int_equal(utf8_visible((char[2]){0}, "\0z", 2, UTF8_LINE), 2); /* a NUL is hidden, too */
    assert_string_equal(utf8_name("a\nshflviz: b"), "a shflviz: b");
    char longest[2 * UTF8_NAME_SIZE];
    memset(longest, 'x', sizeof longest);
    longest[UTF8_NAME_SIZE - 1] = '\0';
    assert_string_equal(utf8_name(longest), longest);
    longest[UTF8_NAME_SIZE - 1] = 'x';
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(strlen(utf8_name(longest)), UTF8_NAME_SIZE - 1);
    assert_string_equal(utf8_name(longest) + UTF8_NAME_SIZE - 5, "x...");
}

/* The line ends of a name become blanks wherever a message contains the name or a part of it. */
static void test_joins_the_lines_of_names(void **state) {
    (void)state;
    static const char *const names[] = {"plain", "a\nb/c\rd", "e\n"};
    char message[] = "a\nb/c\rd: not found\nin a\nb; e\n\ntry: f\nb";
    utf8_join_names(message, names, 3);
    /* the third name ends after "e\n", where a line end of the name and one of the message look the
     * same */
    assert_string_equal(message, "a b/c d: not found\nin a b; e \ntry: f b");
    static const char *const several[] = {"--g=\n\n\r\nh"};
    char forged[] = "g: '\n\n\r\nh' is not found\ntry: it";
    utf8_join_names(forged, several, 1);
    assert_string_equal(forged, "g: '    h' is not found\ntry: it");
    char untouched[] = "a\nb";
    utf8_join_names(untouched, names, 1);
    assert_string_equal(untouched, "a\nb");
}

/* Random bytes, as in a hostile name: the visible text has no hidden characters. */
static void test_shows_random_bytes_safely(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char bytes[24], shown[24];
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (char)(seed >> 24);
        }
        size_t count = utf8_visible(shown, bytes, sizeof bytes, UTF8_LINE);
        assert_true(count <= sizeof bytes);
        for (size_t at = 0; at < count;) {
            struct utf8_character character = utf8_decode(shown + at, count - at);
            assert_true(character.valid);
            assert_false(utf8_is_hidden(character.code));
            at += character.bytes;
        }
    }
}

/* ---- the table against Unicode's own files ---- */

#define FOLDER "/usr/share/unicode/"

static FILE *open_data(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("no %s: the table of widths is not compared with it\n", path);
        skip();
    }
    return file;
}

/* Marks the wide characters of EastAsianWidth.txt in `wide`, or skips the test if the file is for a
 * different version of Unicode than the table. */
static void read_wide(unsigned char *wide) {
    char line[512], version[32] = "";
    FILE *file = open_data(FOLDER "EastAsianWidth.txt");
    while (fgets(line, sizeof line, file)) {
        char *rest;
        unsigned long first = strtoul(line, &rest, 16), last = first;
        sscanf(line, "# EastAsianWidth-%31s", version);
        if (line[0] == '#' || rest == line)
            continue;
        if (strncmp(rest, "..", 2) == 0)
            last = strtoul(rest + 2, &rest, 16);
        rest += strspn(rest, " ;");
        for (; first <= last && (*rest == 'W' || *rest == 'F'); first++)
            wide[first] = 1;
    }
    fclose(file);
    version[strspn(version, "0123456789.") - 1] = '\0'; /* without the dot of ".txt" */
    if (strcmp(version, utf8_unicode_version) != 0) {
        print_message("the files are of Unicode %s, the table of %s: not compared\n", version,
                      utf8_unicode_version);
        skip();
    }
}

static bool is_one_of(uint32_t code, const uint32_t *codes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* The columns by the rules in utf8.h; *hidden is the expected result of utf8_is_hidden(). */
static int columns_by_category(uint32_t code, const char *category, bool wide, bool *hidden) {
    static const uint32_t drawn[] = {0xad,  0x600, 0x601, 0x602, 0x603, 0x604,   0x605,
                                     0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd};
    bool format = strcmp(category, "Cf") == 0;
    *hidden = false;
    if (code == 0x200c || code == 0x200d || strcmp(category, "Mn") == 0 ||
        strcmp(category, "Me") == 0)
        return 0;
    if (format && is_one_of(code, drawn, sizeof drawn / sizeof *drawn))
        return 1;
    *hidden = format || strcmp(category, "Cc") == 0 || strcmp(category, "Cs") == 0 ||
              strcmp(category, "Zl") == 0 || strcmp(category, "Zp") == 0;
    bool vowel_or_final = (code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb);
    if (vowel_or_final && strcmp(category, "Lo") == 0)
        return 0;
    return wide && !*hidden ? 2 : 1;
}

/* The characters from `first` up to, not including, `end`. */
static void check_codes(uint32_t first, uint32_t end, const char *category,
                        const unsigned char *wide) {
    for (uint32_t code = first; code < end; code++) {
        bool hidden;
        int columns = columns_by_category(code, category, wide[code], &hidden);
        if (utf8_width(code) != columns || utf8_is_hidden(code) != hidden)
            fail_msg("U+%04X (%s): %d columns for %d", code, category, utf8_width(code), columns);
    }
}

static void test_widths_are_those_of_unicode(void **state) {
    (void)state;
    unsigned char *wide = calloc(LAST + 1, 1);
    assert_non_null(wide);
    *state = wide; /* freed if the test is skipped, too */
    read_wide(wide);
    FILE *file = open_data(FOLDER "UnicodeData.txt");
    char line[1024], name[256], category[8];
    uint32_t next = 0, first = 0;
    unsigned int code;
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%x;%255[^;];%7[^;]", &code, name, category), 3);
        bool begins = strstr(name, ", First>") != NULL, ends = strstr(name, ", Last>") != NULL;
        if (!ends) {
            check_codes(next, code, "Cn", wide); /* not assigned */
            first = code;
        }
        if (!begins)
            check_codes(first, code + 1, category, wide);
        next = code + 1;
    }
    assert_true(feof(file) && next > 0x10fffd);
    check_codes(next, LAST + 1, "Cn", wide);
    fclose(file);
}

static int release_wide(void **state) {
    free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_character_there_and_back),
        cmocka_unit_test(test_refuses_what_is_not_utf8),
        cmocka_unit_test(test_deletes_the_last_character),
        cmocka_unit_test(test_incomplete_characters),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_cuts_between_characters),
        cmocka_unit_test(test_shows_no_byte_that_a_terminal_obeys),
        cmocka_unit_test(test_joins_the_lines_of_names),
        cmocka_unit_test(test_shows_random_bytes_safely),
        cmocka_unit_test_teardown(test_widths_are_those_of_unicode, release_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
