/*
 * A preprocessed text as words, its small pieces, and what is looked for in them; expected words
 * written by hand. Where a text is given with its length, what follows it is not read.
 */
#include "cudacpu/frontend/words.h"
#include "trace/kernel_name.h"

#include "base/memory.h"
#include "cudacpu/frontend/declared_names.h"
#include "cudacpu/frontend/launch_zero.h"
#include "cudacpu/frontend/preprocessed.h"
#include "cudacpu/frontend/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ALL          SIZE_MAX

/* What comes behind the end of a text changes nothing of what is read of it. */
static const char *const junk[] = {"",  "a", "0", "\"", "'",  "(",    ")",  "[",  "<",
                                   ">", "*", ":", "=",  "\\", "\n#3", " a", "\t", ", b"};

/* The first `length` of a text, and `more`; to be freed. */
static char *followed(const char *text, size_t length, const char *more) {
    char *copy = memory_zeroed(length + strlen(more) + 1, 1);
    memcpy(copy, text, length);
    strcpy(copy + length, more);
    return copy;
}

/* Words with '|' between, their kinds by a letter and their lines by a digit. */
static void listing(const struct words *words, struct text *text, struct text *kinds,
                    struct text *lines) {
    for (uint32_t i = 0; i < words->count; i++) {
        text_append(text, i ? "|" : "");
        text_append_bytes(text, words->word[i].at, words->word[i].length);
        text_append_char(kinds, "nso"[words->word[i].kind]);
        text_append_char(lines, (char)('0' + words->word[i].line));
    }
}

static void check_words(const char *source, size_t length, const char *wanted,
                        const char *wanted_kinds, const char *wanted_lines) {
    char our[] = "/opt/our", in[] = "/in";
    char *const skipped[] = {our, in, NULL};
    struct text text = TEXT_INIT, kinds = TEXT_INIT, lines = TEXT_INIT;
    struct words words;
    assert_true(words_read(&words, source, length, skipped));
    listing(&words, &text, &kinds, &lines);
    if (strcmp(text.data, wanted) != 0)
        fail_msg("%s\nhas the words: %s", source, text.data);
    assert_string_equal(kinds.data, wanted_kinds);
    assert_string_equal(lines.data, wanted_lines);
    words_free(&words);
    text_release(&text);
    text_release(&kinds);
    text_release(&lines);
}

static void test_words_of_texts(void **state) {
    static const struct {
        const char *source;
        size_t length;
        const char *words, *kinds, *lines;
    } cases[] = {
        {"", ALL, "", "", ""},
        {" \t\r\n ", ALL, "", "", ""},
        {"int a = 1'000 + 0x1p3;", ALL, "int|a|=|1'000|+|0x1p3|;", "nnsosos", "1111111"},
        {"a_1 _b 1.5f .5 7z", ALL, "a_1|_b|1.5f|.|5|7z", "nnosoo", "111111"},
        {"a::b->c : : - >", ALL, "a|::|b|->|c|:|:|-|>", "nsnsnssss", "111111111"},
        {"a:::b:>-:->", ALL, "a|::|:|b|:|>|-|:|->", "nssnsssss", "111111111"},
        {"a+=b&&c", ALL, "a|+|=|b|&|&|c", "nssnssn", "1111111"},
        {"a\n\nb\r\n c", ALL, "a|b|c", "nnn", "134"},
        /* The end is where it is said to be. */
        {"ab", 1, "a", "n", "1"},
        {"12", 1, "1", "o", "1"},
        {"a::", 2, "a|:", "ns", "11"},
        {"a->", 2, "a|-", "ns", "11"},
        {"a L\"b\"", 3, "a|L", "nn", "11"},
        {"\"a\\\"b\"", 3, "\"a\\", "o", "1"},
        {"\"ab\"", 3, "\"ab", "o", "1"},
        {"R\"(a)\"", 5, "R\"(a)", "o", "1"},
        {"R\"abc(a)abc\"", 4, "R\"ab", "o", "1"},
        /* Strings and characters, with what stands before them. */
        {"\"a b\\\"c\"'\"''\\''", ALL, "\"a b\\\"c\"|'\"'|'\\''", "ooo", "111"},
        {"L\"x\" u8\"y\" U'z' u8R\"(a)\" abcd\"e\"", ALL,
         "L\"x\"|u8\"y\"|U'z'|u8R\"(a)\"|abcd|\"e\"", "oooono", "111111"},
        {"'ab\nabcd d", ALL, "'ab|abcd|d", "onn", "122"},
        {"\"a\\\\\" b", ALL, "\"a\\\\\"|b", "on", "11"},
        {"R'(' a", ALL, "R'('|a", "on", "11"},
        {"R\"(a \" ) ')\" b", ALL, "R\"(a \" ) ')\"|b", "on", "11"},
        {"R\"x(a)\" )y\")x\"b", ALL, "R\"x(a)\" )y\")x\"|b", "on", "11"},
        {"R\"aaaaaaaaaaaaaaaa(x)\")aaaaaaaaaaaaaaaa\" b", ALL,
         "R\"aaaaaaaaaaaaaaaa(x)\")aaaaaaaaaaaaaaaa\"|b", "on", "11"},
        {"R\"(a\nb)\" c\nd", ALL, "R\"(a\nb)\"|c|d", "onn", "123"},
        {"R\"(a\nb", ALL, "R\"(a\nb", "o", "1"},
        /* Line markers. */
        {"# 7 \"f.cu\"\na\nb", ALL, "a|b", "nn", "78"},
        {"a\n#line 5 \"g\"\nb", ALL, "a|b", "nn", "15"},
        {"#line\t4\t\"g\" 1\nb", ALL, "b", "n", "4"},
        {"# pragma x\na", ALL, "a", "n", "2"},
        {"#\na", ALL, "a", "n", "2"},
        {"a # 3\n", ALL, "a|#|3", "nso", "111"},
        {"# 3 \"a\"", ALL, "", "", ""},
        {"# 3 \"a\\\"b\" 1 3\"\nx\n", ALL, "", "", ""},
        {"# 3 \"\"\nx\n# 4 \"\\\\\" 3\ny\n", ALL, "x", "n", "3"},
        {"# 3 \"a\"\n3 b", ALL, "3|b", "on", "33"},
        {"#line5 \"a\"\nx", ALL, "x", "n", "5"},
        {"# 3 \"/usr/a\"\nx\n# 4 \"/usr/\"\ny", ALL, "y", "n", "4"},
        {"# 3 \"a 3\"\nx\n", ALL, "x", "n", "3"},
        {"# 3 \"a\" 1 3\nx\n", ALL, "", "", ""},
        {"# 3 \"a\" 3 4\nx\ny(\n# 4 \"b\" 2\nz\n", ALL, "z", "n", "4"},
        {"# 3 \"/usr/a.h\"\nx\n# 4 \"/usr.h\"\ny\n# 5 \"/us\"\nz\n", ALL, "y|z", "nn", "45"},
        {"# 3 \"/opt/our/a\"\nx\n# 4 \"/opt/ours\"\ny\n# 5 \"/opt/our\"\nz\n", ALL, "y|z", "nn",
         "45"},
        {"# 3 \"/in/a\"\nx\n# 4 \"/opt/x/opt/our/a\"\nz\n", ALL, "z", "n", "4"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const size_t length = cases[i].length == ALL ? strlen(cases[i].source) : cases[i].length;
        const char *marker = strrchr(cases[i].source, '#');
        check_words(cases[i].source, length, cases[i].words, cases[i].kinds, cases[i].lines);
        for (size_t j = 0; j < COUNT(junk) && !(marker && !strchr(marker, '\n')); j++) {
            char *longer = followed(cases[i].source, length, junk[j]);
            check_words(longer, length, cases[i].words, cases[i].kinds, cases[i].lines);
            free(longer);
        }
    }
}

static void test_files(void **state) {
    static const char source[] = "a\n# 3 \"f\\\"g.cu\" 1\nb\n# 9 \"h\" 2\nc\n# 1\nd";
    static const char *const files[] = {"", "f\\\"g.cu", "h", "h"};
    struct words words;
    (void)state;
    assert_true(words_read(&words, source, sizeof source - 1, NULL));
    assert_int_equal(words.count, COUNT(files));
    for (uint32_t i = 0; i < COUNT(files); i++) {
        assert_int_equal(words.word[i].file_length, strlen(files[i]));
        assert_memory_equal(words.word[i].file, files[i], strlen(files[i]));
    }
    words_free(&words);
}

/* f ( a [ 1 ] , { b } ) */
static void test_brackets(void **state) {
    static const char source[] = "f(a[1],{b})()";
    static const uint32_t inside[] = {99, 99, 1, 1, 3, 1, 1, 1, 7, 1, 99, 99, 99};
    static const uint32_t partner[] = {0, 10, 0, 5, 0, 3, 0, 9, 0, 7, 1, 12, 11};
    static const char *const wrong[] = {"(",    ")",   "[}",   "(]", "{)",
                                        "([)]", "())", "((a)", "a}", "{{}"};
    struct words words;
    (void)state;
    assert_true(words_read(&words, source, sizeof source - 1, NULL));
    assert_int_equal(words.count, COUNT(inside));
    for (uint32_t i = 0; i < COUNT(inside); i++) {
        assert_int_equal(words.word[i].inside, inside[i] == 99 ? WORDS_NONE : inside[i]);
        if (partner[i])
            assert_int_equal(words.word[i].partner, partner[i]);
    }
    words_free(&words);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        if (words_read(&words, wrong[i], strlen(wrong[i]), NULL))
            fail_msg("taken: %s", wrong[i]);
        words_free(&words);
    }
    assert_true(words_read(&words, "')' \"(\" 3", 9, NULL)); /* no brackets */
    words_free(&words);
}

/* Each has its number, more of them than the first tables have room for. */
static void test_names(void **state) {
    enum { NAMES = 5000 };
    struct text source = TEXT_INIT;
    struct words words;
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < NAMES; i++)
            text_append_format(&source, "n%d ; ", i);
    assert_true(words_read(&words, source.data, source.length, NULL));
    assert_int_equal(words.count, 4 * NAMES);
    assert_int_equal(words.names, NAMES);
    for (uint32_t i = 0; i < 2 * NAMES; i++)
        assert_int_equal(words.word[2 * i].name, i % NAMES);
    words_free(&words);
    text_release(&source);
}

static void test_comparing(void **state) {
    static const char source[] = "ab a ab + a ab +";
    struct words words;
    (void)state;
    assert_true(words_read(&words, source, sizeof source - 1, NULL));
    assert_int_equal(words.names, 2);
    assert_true(words_is(&words, 0, "ab"));
    assert_false(words_is(&words, 0, "a"));
    assert_false(words_is(&words, 0, "abc"));
    assert_false(words_is(&words, 0, "ac"));
    assert_true(words_is(&words, 6, "+"));
    assert_false(words_is(&words, 7, "+"));
    assert_false(words_is(&words, UINT32_MAX, "+"));
    assert_true(words_equal(&words, 1, 4, 3));
    assert_false(words_equal(&words, 0, 1, 1));
    assert_false(words_equal(&words, 1, 4, 4) && words.count > 7);
    assert_false(words_equal(&words, 2, 5, 2) && words_is(&words, 4, "b"));
    assert_true(words_equal(&words, 0, 1, 0));
    words_free(&words);
}

/* A bracket behind the name, in what is not the person's. */
static void test_called_elsewhere(void **state) {
    static const struct {
        const char *header;
        bool is_called;
    } cases[] = {
        {"int f(int x);", true},   {"x = f (1);", true},
        {"f; f(1)", true},         {"notf(1); f2(1); f2;", false},
        {"f, (1); f", false},      {"", false},
        {"g(f)", false},           {"_f(1) 1f(2)", false},
        {"a\nb::f\t(1)\nc", true}, {"f f f(", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text source = TEXT_INIT;
        struct words words;
        text_append_format(&source, "f (0);\n# 1 \"x.h\" 1 3\n%s\n# 2 \"a.cu\" 2\nf(3);",
                           cases[i].header);
        assert_true(words_read(&words, source.data, source.length, NULL));
        if (words_are_called_elsewhere(&words, &words.word[0]) != cases[i].is_called)
            fail_msg("%s", cases[i].header);
        words_free(&words);
        text_release(&source);
    }
}

/* ---- preprocessed.h ---- */

static void test_characters(void **state) {
    (void)state;
    for (int c = 1; c < 256; c++) {
        const bool names =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        assert_int_equal(is_name((char)c), names);
        assert_int_equal(is_blank((char)c), strchr(" \t\r\n", c) != NULL);
    }
    assert_false(is_name('\0') || is_blank('\0'));
}

static void test_lines(void **state) {
    static const char text[] = "ab\nc\n# 1 \"f\"\n# 2\nd\"\\\n";
    struct text out = TEXT_INIT;
    (void)state;
    assert_int_equal(line_length(text, text + sizeof text - 1), 3);
    assert_int_equal(line_length(text, text + 3), 3);
    assert_int_equal(line_length(text, text + 2), 2);
    assert_int_equal(line_length(text, text), 0);
    assert_true(has_marker(text, sizeof text - 1));
    assert_true(has_marker(text, 6));
    assert_false(has_marker(text, 5));
    assert_false(has_marker("#\n", 2));
    assert_false(has_marker("#a#", 3));
    append_in_line(&out, text, sizeof text - 1);
    assert_string_equal(out.data, "ab c d\"\\ ");
    text_clear(&out);
    append_in_line(&out, "a\n#\nb\n#", 8);
    assert_string_equal(out.data, "a b ");
    text_clear(&out);
    append_line_ends(&out, "\na", 2);
    assert_string_equal(out.data, "\n");
    assert_true(has_marker("\n#", 2));
    text_clear(&out);
    append_in_line(&out, text, 5);
    assert_string_equal(out.data, "ab c ");
    text_clear(&out);
    append_line_ends(&out, text, sizeof text - 1);
    assert_string_equal(out.data, "\n\n\n\n\n");
    text_clear(&out);
    append_line_ends(&out, text, 2);
    assert_string_equal(out.data, "");
    append_quoted(&out, "a\"b\\c'", 6);
    assert_string_equal(out.data, "a\\\"b\\\\c'");
    text_release(&out);
}

/* How long what a function reads is, of so many characters. */
static void test_lengths(void **state) {
    static const struct {
        const char *text;
        size_t length, angles, quoted, raw;
    } cases[] = {
        {"<<<", ALL, 3, ALL, ALL},
        {"<<<<", ALL, 3, ALL, ALL},
        {"<<<", 2, 0, ALL, ALL},
        {"<< <", ALL, 4, ALL, ALL},
        {"<<\n\t <x", ALL, 6, ALL, ALL},
        {"<< <", 3, 0, ALL, ALL},
        {"<<=", ALL, 0, ALL, ALL},
        {"< <<", ALL, 0, ALL, ALL},
        {">>>", ALL, 0, ALL, ALL},
        {"\"a\" b", ALL, 0, 3, ALL},
        {"\"\"", ALL, 0, 2, ALL},
        {"'a\"' b", ALL, 0, 4, ALL},
        {"\"a\\\"b\" c", ALL, 0, 6, ALL},
        {"\"a\\\\\" c\"", ALL, 0, 5, ALL},
        {"\"ab", ALL, 0, 3, ALL},
        {"\"ab\"", 3, 0, 3, ALL},
        {"\"a\nb\"", ALL, 0, 2, ALL},
        {"\"a\\\"", 3, 0, 3, ALL},
        {"\"(a)\" b", ALL, 0, 5, 5},
        {"\"(a\n)b)\" )\" b", ALL, 0, 3, 8},
        {"\"x(a)\" )y\")x\" b)x\"", ALL, 0, 6, 13},
        {"\"x(a)x\"", 6, 0, 6, 6},
        {"\"()\"", ALL, 0, 4, 4},
        {"\"aaaaaaaaaaaaaaaa(\"))aaaaaaaaaaaaaaaa\" b", ALL, 0, 19, 38},
        {"\"aaaaaaaaaaaaaaaaa(\")aaaaaaaaaaaaaaaaa\" b", ALL, 0, 20, 20},
        {"\"ab\" c", ALL, 0, 4, 4},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases) * COUNT(junk); i++) {
        const size_t number = i / COUNT(junk), length = cases[number].length;
        const size_t own = length == ALL ? strlen(cases[number].text) : length;
        char *from = followed(cases[number].text, own, junk[i % COUNT(junk)]);
        const char *end = from + own;
        assert_int_equal(angles_length(from, end, '<'), cases[number].angles);
        if (cases[number].quoted != ALL && quoted_length(from, end) != cases[number].quoted)
            fail_msg("%s: %zu quoted", from, quoted_length(from, end));
        if (cases[number].raw != ALL && raw_string_length(from, end) != cases[number].raw)
            fail_msg("%s: %zu raw", from, raw_string_length(from, end));
        free(from);
    }
    static const char angles[] = ">> >", raw[] = "\"(\0)\" )\"";
    assert_int_equal(angles_length(angles, angles + 4, '>'), 4);
    assert_int_equal(raw_string_length(raw, raw + 8), 5);
}

/* What is left of a text behind it. */
static void test_skipping(void **state) {
    static const struct {
        const char *text, *attribute, *name, *cast;
    } cases[] = {
        {"__attribute__((aligned(8))) x", " x", "((aligned(8))) x", NULL},
        {"alignas(16) T", " T", "(16) T", NULL},
        {"alignas (16)T", "T", " (16)T", NULL},
        {"_Alignas(f(1))y", "y", "(f(1))y", NULL},
        {"alignas", "alignas", "", NULL},
        {"alignas((8)", "", "((8)", NULL},
        {"int x", "int x", " x", NULL},
        {"", "", "", NULL},
        {"1a", "1a", "1a", NULL},
        {"+a", "+a", "+a", NULL},
        {"::n::k_2 x", "::n::k_2 x", " x", NULL},
        {"k<a, 4> x", "k<a, 4> x", " x", NULL},
        {"k<a<b>>> x", "k<a<b>>> x", "> x", NULL},
        {"k<a", "k<a", "k<a", NULL},
        {"k<a; b>", "k<a; b>", "k<a; b>", NULL},
        {"k<\n3>", "k<\n3>", "k<\n3>", NULL},
        {"k <3>", "k <3>", " <3>", NULL},
        {"(void *)k", "(void *)k", "(void *)k", "k"},
        {"(const void *) k", "(const void *) k", "(const void *) k", "k"},
        {"( const  void\t* ) \tk", "( const  void\t* ) \tk", "( const  void\t* ) \tk", "k"},
        {"(void *)\nk", "(void *)\nk", "(void *)\nk", "\nk"},
        {"(void *", "(void *", "(void *", NULL},
        {"(void *)", "(void *)", "(void *)", NULL},
        {"(void)k", "(void)k", "(void)k", NULL},
        {"(int *)k", "(int *)k", "(int *)k", NULL},
        {"void *)k", "void *)k", " *)k", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases) * COUNT(junk); i++) {
        const size_t number = i / COUNT(junk), own = strlen(cases[number].text);
        char *text = followed(cases[number].text, own, junk[i % COUNT(junk)]);
        const char *end = text + own;
        assert_int_equal(end - skip_attribute(text, end), strlen(cases[number].attribute));
        assert_int_equal(end - skip_name(text, end), strlen(cases[number].name));
        const char *cast = skip_cast(text, end);
        assert_int_equal(cast != NULL, cases[number].cast != NULL);
        if (cast)
            assert_int_equal(end - cast, strlen(cases[number].cast));
        free(text);
    }
    static const char spaces[] = " \t \nx";
    assert_string_equal(skip_spaces(spaces, spaces + 5), "\nx");
}

static void test_qualifiers(void **state) {
    static const char *const words[] = {"const", "noexcept", "override", "final", "volatile"};
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_true(is_qualifier(words[i], strlen(words[i])));
        assert_false(is_qualifier(words[i], strlen(words[i]) - 1));
    }
    assert_false(is_qualifier("consts", 6));
    assert_false(is_qualifier("cinst", 5));
    assert_false(is_qualifier("", 0));
}

/* ---- written.h ---- */

/* '@' marks the floor, if there is one, '^' where the expression begins. */
static void test_kernels(void **state) {
    static const char *const cases[] = {
        "x; ^k",
        "^",
        "x;^",
        "x =^",
        "x; ^ns::k<int, 4>",
        "x; ^::k",
        "if (x) ^::k",
        "if (x)^::n::k",
        "x; ^s<int>::k",
        "x; ^f(x).k",
        "x; ^f[x] ->k",
        "x; ^::n::k",
        "x; ^n ::\n k",
        "x; ^n::m:: k",
        "x; return ^::k",
        "else^::k",
        "x; ^a.b",
        "x; ^a . b",
        "x; ^a->b->c",
        "x; ^table[i][j]",
        "x; ^table [i]",
        "x; f(a)^(b)", /* if (a) (k) */
        "x; ^(k)",
        "if (x) ^(k)",
        "if (x) ^k",
        "return ^(k)",
        "return ^k",
        "return\n^(k)",
        "else ^(k)",
        "do ^(k)",
        "x; ^returns(k)",
        "x; ^undo(k)",
        "x; ^d(k)",
        "x; ^choose<int>(n)",
        "x; ^choose<(a > b)>(n)[1]",
        "x; ^k<((1)), f(a < b)>",
        "x; ^a[1].b<2>(3)",
        "x; ^f(g(1), h[2])",
        "a > ^k",
        "ab@^cd",
        "a(@^b)",
        "a[@^b]",
        "a<@^b>",
        "a::@^k",
        "a.@^k",
        "a@^.k",
        "x; ^t[i] (n)",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = TEXT_INIT;
        size_t floor = 0, begin = 0;
        for (const char *at = cases[i]; *at; at++)
            if (*at == '@')
                floor = text.length;
            else if (*at == '^')
                begin = text.length;
            else
                text_append_char(&text, *at);
        const struct written written = {text.data, floor};
        if (written_kernel(&written, text.length) != begin)
            fail_msg("%s: begins at %zu", cases[i], written_kernel(&written, text.length));
        text_release(&text);
    }
    const struct written blanks = {"a \n\t", 0}, none = {"  a ", 3};
    assert_int_equal(written_blanks(&blanks, 4), 1);
    assert_int_equal(written_blanks(&blanks, 1), 1);
    assert_int_equal(written_blanks(&none, 4), 3);
    assert_int_equal(written_blanks(&none, 3), 3);
    assert_int_equal(written_blanks(&(struct written){"  ", 0}, 2), 0);
}

/* ---- declared_names.h ---- */

static void take(void *context, const char *name, size_t length) {
    text_append_bytes(context, name, length);
    text_append_char(context, ' ');
}

static void test_declared_names(void **state) {
    static const struct {
        const char *text;
        size_t length;
        const char *names;
    } cases[] = {
        {"T a[N], *b = f(x, y); c", ALL, "a b "},
        {"int a", ALL, "a "},
        {"int ab", 5, "a "},
        {"int a, b(3), c{1, 2}, d[2][3] = {{1}, {2}};", ALL, "a b c d "},
        {"P<A, (N > 2)> q, r;", ALL, "q r "},
        {"P<A<B>, C> q;", ALL, "q "},
        {"struct { int x, y; } *d, e;", ALL, "d e "},
        {"union { T t; int i[2]; } u, v[3];", ALL, "u v "},
        {"alignas(16) T a, alignas (8) b __attribute__((aligned(8)));", ALL, "a b "},
        {"int a = b < c, d = e > f, g;", ALL, "a d g "},
        {"int a[x > 1], b;", ALL, "a b "},
        {"int a\n# 3 \"b, c\"\n, d\n# 4 \"x\"", ALL, "a d "},
        {"int a, # b", ALL, "a b "},
        {"# 3 \"a\"\n b", ALL, "b "},
        {"int a[f(1, 2)], b", ALL, "a b "},
        {"x a{}, b", ALL, "a b "},
        {"T a(1) x, b", ALL, "a b "},
        {"int a alignas", ALL, "a "},
        {"x { } * a = b, c", ALL, "a c "},
        {";a", ALL, ""},
        {"", ALL, ""},
        {",", ALL, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases) * COUNT(junk); i++) {
        const size_t number = i / COUNT(junk), length = cases[number].length;
        const size_t own = length == ALL ? strlen(cases[number].text) : length;
        char *from = followed(cases[number].text, own, junk[i % COUNT(junk)]);
        struct text names = TEXT_INIT;
        declared_names(from, from + own, take, &names);
        if (strcmp(names.data, cases[number].names) != 0)
            fail_msg("%s\nnames: %s", from, names.data);
        text_release(&names);
        free(from);
    }
}

/* ---- launch_zero.h ---- */

static void test_zero_words(void **state) {
    (void)state;
    assert_true(is_zero_word("0", 1));
    assert_true(is_zero_word("__null", 6));
    assert_false(is_zero_word("00", 2));
    assert_false(is_zero_word("1", 1));
    assert_false(is_zero_word("__nulls", 7));
    assert_false(is_zero_word("__nul", 5));
    assert_false(is_zero_word("__nuff", 6));
    assert_false(is_zero_word("", 0));
}

/* The word is '0'; the text begins behind '@', if there is one. */
static void test_whole_arguments(void **state) {
    static const struct {
        const char *text;
        bool is_whole;
    } cases[] = {
        {"(0)", true},
        {"(0, a)", true},
        {"(a, 0)", true},
        {"(a ,\n 0\t)", true},
        {"(\n# 1 \"f\" 3\n0\n# 1 \"f\"\n)", true},
        {"(\n# 1 \"f\" 3\n# 2 \"(\" 3\n  0\n# 1 \"f\"\n# 4\n ,", true},
        {"# 1 \"f(\"\n0)", false},
        {"(a # 1\n0)", false},
        {"(0\n# 1 \"a\"\n\n# 2\n\n)", true},
        {"(\n# 1\n\n# 2\n\n0)", true},
        {"(# 1\n0)", false},
        {"(0# 1\n)", false},
        {"(0 # 1)", false},
        {"(a + 0)", false},
        {"(0 + a)", false},
        {"[0)", false},
        {"(0]", false},
        {"(0", false},
        {"0)", false},
        {"(@0)", false},
        {"a(@  0)", false},
        {"(@# 1\n0)", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *mark = strchr(cases[i].text, '@');
        const size_t own = strlen(cases[i].text),
                     skipped = mark ? (size_t)(mark - cases[i].text) + 1 : 0;
        for (size_t j = 0; j < COUNT(junk); j++) {
            char *text = followed(cases[i].text, own, junk[j]);
            const char *word = text + (strrchr(cases[i].text, '0') - cases[i].text);
            if (is_whole_argument(text + skipped, word, word + 1, text + own) != cases[i].is_whole)
                fail_msg("%s", text);
            free(text);
        }
    }
}

static void test_launches_with_zero(void **state) {
    static const struct {
        const char *text;
        bool has;
    } cases[] = {
        {"1, 2>>>(0)", true},
        {"1, 2>>> (a, __null)", true},
        {"1, 2>> >\n# 3 \"f\"\n(a, 0, b)", true},
        {"1, f(\">>>(\", '>')>>>(a, 0)", true},
        {"1, a[b >> c], {2}>>>(0)", true},
        {"1, 2>>>(a(1), \"b)\", ')', {c}, 0)", true},
        {"1, 2>>>(0 , a", true},
        {"1, 2>>>\n# 3\n(0)", true},
        {"1, 2>>># 3\n(0)", false},
        {"1, f(2)>>>(0)", true},
        {"1, 2 > 1>>(0)", false},
        {">>(0)", false},
        {"1, 2>>>(a0, 0)", true},
        {"1, 2>>>(a, 00, 0x0, x0)", false},
        {"1, 2>>>(f(0), [0], {0})", false},
        {"1, 2>>>(a); g(0)", false},
        {"1, 2>>>(\"0\", a0)", false},
        {"0, 0>>>(a)", false},
        {"1, 2>>(0)", false},
        {"1, 2>=>>(0)", false},
        {"1, 2>>>; (0)", false},
        {"1, 2>>>a(0)", false},
        {"1; 2>>>(0)", false},
        {"1) 2>>>(0)", false},
        {"f(1 >>> (0), 2)", false},
        {"1, 2>>>(0", false},
        {"1, 2>>>", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t j = 0; j < COUNT(junk); j++) {
            const size_t own = strlen(cases[i].text);
            char *text = followed(cases[i].text, own, junk[j]);
            if (launch_has_zero(text, text + own) != cases[i].has)
                fail_msg("%s", text);
            free(text);
        }
    static const char cut[] = "1>>>(0)";
    assert_false(launch_has_zero(cut, cut + 6));
    assert_false(launch_has_zero(cut, cut + 4));
}

/* As the words of a launch and of cudaLaunchKernel() name one. */
static void test_kernel_names(void **state) {
    (void)state;
    static const char *const texts[] = {"sum",          "sum<int>",    "sum, 1, 32",
                                        "&sum",         "(void *)sum", "(const void *)&sum<int, 4>",
                                        "a::sum<a::b>", "(void *) sum"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *name = launch_kernel_name(texts[i]);
        assert_string_equal(name, texts[i][0] == 'a' ? "a::sum" : "sum");
        free(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_texts),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_brackets),        cmocka_unit_test(test_names),
        cmocka_unit_test(test_comparing),       cmocka_unit_test(test_called_elsewhere),
        cmocka_unit_test(test_characters),      cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lengths),         cmocka_unit_test(test_skipping),
        cmocka_unit_test(test_qualifiers),      cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_declared_names),  cmocka_unit_test(test_zero_words),
        cmocka_unit_test(test_whole_arguments), cmocka_unit_test(test_launches_with_zero),
        cmocka_unit_test(test_kernel_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
