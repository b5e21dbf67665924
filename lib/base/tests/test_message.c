/*
 * Catalogues (catalogue.h) and the choice of a language (message.h): what is read and what is
 * refused; each compiled-in catalogue is complete.
 */
#include "base/catalogue.h"
#include "base/message.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct catalogue *read_good(const char *po) {
    struct error err = ERROR_INIT;
    struct catalogue *catalogue = catalogue_read(po, &err);
    if (!catalogue)
        fail_msg("%s", err.text);
    return catalogue;
}

static void test_reads_entries(void **state) {
    (void)state;
    struct catalogue *catalogue = read_good("# A comment.\n"
                                            "msgid \"\"\n"
                                            "msgstr \"\"\n"
                                            "\"Language: zh\\n\"\n"
                                            "\n"
                                            "#: src/view/pages/help.c:12\n"
                                            "msgid \"lane\"\n"
                                            "msgstr \"通道\"\r\n"
                                            "msgid \"two \"\n"
                                            "  \"pieces\"\n"
                                            "msgstr \"\"\n"
                                            "\"a\\\"b\\\\c\"\n"
                                            "\"\\n\\t\"\n"
                                            "#~ msgid \"old\"\n"
                                            "#~ msgstr \"旧\"");
    assert_int_equal(catalogue_count(catalogue), 2);
    assert_string_equal(catalogue_find(catalogue, "lane"), "通道");
    assert_string_equal(catalogue_find(catalogue, "two pieces"), "a\"b\\c\n\t");
    assert_null(catalogue_find(catalogue, "old"));
    assert_null(catalogue_find(catalogue, "")); /* the header is not a text */
    assert_null(catalogue_left_out(catalogue, 0));
    catalogue_free(catalogue);
}

static void test_skips_unfinished_entries(void **state) {
    (void)state;
    struct catalogue *catalogue = read_good("#, fuzzy, c-format\n"
                                            "#: somewhere\n"
                                            "msgid \"guessed\"\n"
                                            "msgstr \"猜的\"\n"
                                            "\n"
                                            "msgid \"not yet\"\n"
                                            "msgstr \"\"\n"
                                            "msgid \"%d lanes\"\n"
                                            "msgstr \"%s 个通道\"\n"
                                            "msgid \"good\"\n"
                                            "msgstr \"好\"\n");
    assert_int_equal(catalogue_count(catalogue), 1);
    assert_string_equal(catalogue_left_out(catalogue, 0), "guessed");
    assert_string_equal(catalogue_left_out(catalogue, 1), "%d lanes");
    assert_null(catalogue_left_out(catalogue, 2));
    assert_null(catalogue_find(catalogue, "not yet"));
    assert_null(catalogue_find(catalogue, "guessed"));
    assert_string_equal(catalogue_find(catalogue, "good"), "好");
    catalogue_free(catalogue);
}

static void test_macros_of_integers(void **state) {
    (void)state;
    struct catalogue *catalogue = read_good("msgid \"%<PRIu64> of <%08<PRIx32>> <PRI\"\n"
                                            "msgstr \"<%2$08<PRIx32>>: %1$<PRIu64>\"\n");
    assert_string_equal(catalogue_find(catalogue, "%" PRIu64 " of <%08" PRIx32 "> <PRI"),
                        "<%2$08" PRIx32 ">: %1$" PRIu64);
    catalogue_free(catalogue);
}

static void test_plural_forms(void **state) {
    (void)state;
    static const char lanes[] = "msgid \"one lane\"\n"
                                "msgid_plural \"%lu lanes\"\n";
    char po[400];
    snprintf(po, sizeof po, "%smsgstr[0] \"%%lu 个通道\"\n", lanes);
    struct catalogue *catalogue = read_good(po); /* without a rule: one form */
    assert_string_equal(catalogue_find_plural(catalogue, "one lane", 1), "%lu 个通道");
    assert_string_equal(catalogue_find_plural(catalogue, "one lane", 7), "%lu 个通道");
    assert_null(catalogue_find_plural(catalogue, "another", 7));
    catalogue_free(catalogue);

    /* The forms of 0, 1 and 2, by each known rule. */
    static const struct {
        const char *rule, *forms;
    } rules[] = {{"nplurals=1; plural=0;", "aaa"},
                 {"nplurals=2; plural=(n != 1);", "bab"},
                 {"nplurals=2; plural=n != 1;", "bab"},
                 {"nplurals=2; plural=(n > 1);", "aab"},
                 {"nplurals=2; plural=n > 1;", "aab"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *second = i == 0 ? "" : "msgstr[1] \"%lu b\"\n";
        snprintf(po, sizeof po,
                 "msgid \"\"\nmsgstr \"Plural-Forms: %s\\n\"\n%smsgstr[0] \"%%lu a\"\n%s",
                 rules[i].rule, lanes, second);
        catalogue = read_good(po);
        for (unsigned long count = 0; count < 3; count++) {
            const char *found = catalogue_find_plural(catalogue, "one lane", count);
            if (!found || found[4] != rules[i].forms[count])
                fail_msg("%s of %lu: %s", rules[i].rule, count, found ? found : "nothing");
        }
        catalogue_free(catalogue);
    }

    snprintf(po, sizeof po,
             "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=(n > 1);\\n\"\n"
             "%smsgstr[0] \"%%lu a\"\nmsgstr[1] \"%%lu b\"\n",
             lanes);
    catalogue = read_good(po);
    assert_string_equal(catalogue_find_plural(catalogue, "one lane", 0), "%lu a");
    assert_string_equal(catalogue_find_plural(catalogue, "one lane", 1), "%lu a");
    assert_string_equal(catalogue_find_plural(catalogue, "one lane", 2), "%lu b");
    catalogue_free(catalogue);
}

static void test_reports_unreadable_input(void **state) {
    (void)state;
    static const struct {
        const char *po, *says;
    } cases[] = {
        {"msgid \"a\"\n\nmsgid \"b\"\n", "line 3: an entry ends without msgstr"},
        {"msgid \"a\"\n", "line 1: an entry ends without msgstr"},
        {"msgid \"a\nmsgstr \"b\"\n", "line 1: the string does not end on its line"},
        {"msgid \"a\\", "line 1: after '\\' only n, t, \\ and \" are known"},
        {"msgid \"\\x41\"\n", "line 1: after '\\' only n, t, \\ and \" are known"},
        {"msgid \"a\" b\n", "line 1: something follows the string"},
        {"msgid a\n", "line 1: '\"' expected"},
        {"msgid\n", "line 1: '\"' expected"},
        {"\"a\"\n", "line 1: a string without a keyword"},
        {"msgstr \"a\"\n", "line 1: the entry does not begin with msgid"},
        {"msgctxt \"a\"\n", "line 1: expected: msgid, msgid_plural, msgstr, a string or a comment"},
        {"msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"\n", "line 3: the same keyword twice in an entry"},
        {"msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n",
         "line 4: the same msgid was there before"},
        {"msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n;\\n\"\n",
         "line 2: Plural-Forms is not one of those that lib/base/catalogue.c knows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = ERROR_INIT;
        assert_null(catalogue_read(cases[i].po, &err));
        assert_string_equal(err.text, cases[i].says);
    }
}

static void test_many_entries(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    char *po = malloc(COUNT * 64), *at = po;
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "msgid \"text %d\"\nmsgstr \"文 %d\"\n", i, i);
    struct catalogue *catalogue = read_good(po);
    free(po);
    assert_int_equal(catalogue_count(catalogue), COUNT);
    for (int i = 0; i < COUNT; i++) {
        char english[32], wanted[32];
        sprintf(english, "text %d", i);
        sprintf(wanted, "文 %d", i);
        assert_string_equal(catalogue_find(catalogue, english), wanted);
    }
    assert_null(catalogue_find(catalogue, "text 2000"));
    catalogue_free(catalogue);
}

static void test_formats(void **state) {
    (void)state;
    static const struct {
        const char *english, *translation;
        bool match;
    } cases[] = {
        {"plain", "朴素", true},
        {"100%%", "百分之百", true},
        {"%d of %s", "%d %s", true},
        {"%d of %s", "%2$s 的 %1$d", true},
        {"%d of %s", "%s %d", false},
        {"%d of %s", "%1$d", false},    /* an argument lost */
        {"%d of %s", "%2$s", false},    /* a hole */
        {"%d", "%d %d", false},         /* an argument too many */
        {"%d", "%1$d %1$d", true},      /* the same argument twice */
        {"%d", "%1$d %1$s", false},     /* an argument twice, as two types */
        {"%-8s|%08.3f", "%s|%f", true}, /* width and precision are layout */
        {"%*d", "%*d", true},
        {"%*d", "%d", false}, /* the width is an argument */
        {"%.*s", "%2$.*1$s", true},
        {"%d", "%i", true},
        {"%d", "%u", false},
        {"%lu", "%u", false},
        {"%llu", "%llu", true},
        {"%zu", "%lu", false},
        {"%d", "%n", false},
        {"%d", "%d %n", false},
        {"with / and with %", "%d", true},
        {"%d", "%", false},
        {"%d", "%l", false},
        {"%d", "%10$d", false},
        {"%1$s", "%s", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (catalogue_formats_match(cases[i].english, cases[i].translation) != cases[i].match)
            fail_msg("\"%s\" and \"%s\"", cases[i].english, cases[i].translation);
}

static void test_languages(void **state) {
    (void)state;
    assert_string_equal(message_language(), "en");
    assert_string_equal(message_languages()[0], "en");
    static const char *const chinese[] = {"zh",      "ZH",         "zh_CN.UTF-8", "zh_TW",
                                          "zh-Hans", "zh-Hans-CN", "zh.UTF-8",    "zh@pinyin"};
    for (size_t i = 0; i < sizeof chinese / sizeof *chinese; i++) {
        assert_string_equal(message_language_use("en_GB.UTF-8"), "en");
        assert_string_equal(message_language_use(chinese[i]), "zh");
        assert_string_equal(message_language(), "zh");
    }
    static const char *const unknown[] = {"", "z", "zho", "tlh", "_CN", "-", ".UTF-8", "C"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_null(message_language_use(unknown[i]));
        assert_string_equal(message_language(), "zh");
    }
    assert_string_equal(message("no such text"), "no such text");
    assert_string_equal(message_plural("%lu x", "%lu xs", 1), "%lu x");
    assert_string_equal(message_plural("%lu x", "%lu xs", 2), "%lu xs");
    message_language_use("en");
}

static void test_environment(void **state) {
    (void)state;
    static const struct {
        const char *language, *all, *messages, *lang, *wanted;
    } cases[] = {
        {NULL, NULL, NULL, NULL, "en"},
        {NULL, NULL, NULL, "zh_CN.UTF-8", "zh"},
        {NULL, NULL, "zh_CN.UTF-8", "en_US.UTF-8", "zh"},
        {NULL, "en_US.UTF-8", "zh_CN.UTF-8", "zh_CN.UTF-8", "en"},
        {NULL, "", "", "zh_CN.UTF-8", "zh"}, /* set but empty counts as unset */
        {"zh", NULL, NULL, NULL, "zh"},
        {"fr:zh:en", NULL, NULL, "en_US.UTF-8", "zh"},
        {"fr:en:zh", NULL, NULL, "zh_CN.UTF-8", "en"},
        {"fr", NULL, NULL, "zh_CN.UTF-8", "zh"},
        {":::", NULL, NULL, "zh_CN.UTF-8", "zh"},
        {"zh", "C", NULL, "zh_CN.UTF-8", "en"},
        {"zh", NULL, NULL, "POSIX", "en"},
        {"zh", "C.UTF-8", NULL, NULL, "zh"},
        {NULL, "C.UTF-8", NULL, "zh_CN.UTF-8", "en"},
        {NULL, "de_DE.UTF-8", NULL, "zh_CN.UTF-8", "en"},
    };
    static const char *const names[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const values[] = {cases[i].language, cases[i].all, cases[i].messages,
                                      cases[i].lang};
        for (int name = 0; name < 4; name++) {
            unsetenv(names[name]);
            if (values[name])
                setenv(names[name], values[name], 1);
        }
        if (strcmp(message_language_of_environment(), cases[i].wanted) != 0)
            fail_msg("case %zu: not %s", i, cases[i].wanted);
    }
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

/* Each compiled-in catalogue is read without an error, and all of it is in use. */
static void test_own_catalogues(void **state) {
    (void)state;
    for (size_t i = 1; message_languages()[i]; i++) {
        const char *code = message_languages()[i];
        assert_string_equal(message_language_use(code), code);
        assert_string_equal(message_language(), code);
        char path[512];
        snprintf(path, sizeof path, PO_FOLDER "/%s.po", code);
        char *po = read_file(path);
        struct error err = ERROR_INIT;
        struct catalogue *catalogue = catalogue_read(po, &err);
        if (!catalogue)
            fail_msg("%s, %s", path, err.text);
        for (size_t k = 0; catalogue_left_out(catalogue, k); k++)
            print_error(
                "%s: the translation takes different arguments, or is marked fuzzy: \"%s\"\n", path,
                catalogue_left_out(catalogue, k));
        assert_null(catalogue_left_out(catalogue, 0));
        catalogue_free(catalogue);
        free(po);
    }
    message_language_use("en");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_entries),
        cmocka_unit_test(test_skips_unfinished_entries),
        cmocka_unit_test(test_macros_of_integers),
        cmocka_unit_test(test_plural_forms),
        cmocka_unit_test(test_reports_unreadable_input),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_languages),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_own_catalogues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
