/* The verdict on a learner's file, as JSON, a row and a test case; and a learner's answers. */
#include "base/memory.h"
#include "export/json/results.h"
#include "export/verdict.h"
#include "export/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static char *text_of(FILE *out) {
    const size_t size = (size_t)ftell(out);
    char *data = memory_zeroed(size + 1, 1);
    rewind(out);
    assert_int_equal(fread(data, 1, size, out), size);
    fclose(out);
    return data;
}

static void is(FILE *out, const char *expected) {
    char *text = text_of(out);
    assert_string_equal(text, expected);
    free(text);
}

static FILE *begun(void) {
    FILE *out = tmpfile();
    assert_non_null(out);
    return out;
}

/* ---- verdicts ---- */

#define NOTHING "\"case\":null,\"wrong\":null,\"message\":null,\"findings\":[],\"printed\":\"\"}\n"

static void test_json(void **state) {
    struct check_finding findings[] = {{.rule = "shared_race",
                                        .file = "a.cu",
                                        .line = 9,
                                        .kernel = "k",
                                        .block = {1, 2, 3},
                                        .warp = 4,
                                        .lanes = 5,
                                        .has_lanes = true,
                                        .count = 6,
                                        .message = "m",
                                        .instead = "i",
                                        .has_step = true,
                                        .step = 7,
                                        .schedule = 8},
                                       {.rule = "deadlock", .count = 1}};
    const struct {
        struct verdict verdict;
        const char *json;
    } cases[] = {
        {{.kind = VERDICT_PASSED, .cases = 16, .runs = 4, .schedule = 3, .seed = 5},
         "\"verdict\":\"passed\",\"cases\":16,\"runs\":4,\"schedule\":3,\"seed\":5," NOTHING},
        {{.kind = VERDICT_PASSED, .case_name = "", .printed = ""},
         "\"verdict\":\"passed\",\"cases\":0,\"runs\":0,\"schedule\":0,\"seed\":0," NOTHING},
        {{.kind = VERDICT_WRONG,
          .cases = 1,
          .runs = 1,
          .schedule = UINT64_MAX,
          .case_name = "one",
          .block = 2,
          .warp = 3,
          .lane = 4,
          .index = 5,
          .got = "6",
          .wanted = "7",
          .printed = "a\033\nb"},
         "\"verdict\":\"wrong\",\"cases\":1,\"runs\":1,\"schedule\":18446744073709551615,\"seed\":"
         "0,"
         "\"case\":\"one\",\"wrong\":{\"block\":2,\"warp\":3,\"lane\":4,\"element\":5,"
         "\"got\":\"6\",\"wanted\":\"7\"},\"message\":null,\"findings\":[],"
         "\"printed\":\"a?\\nb\"}\n"},
        {{.kind = VERDICT_MISUSE, .report = {.finding = findings, .count = COUNT(findings)}},
         "\"verdict\":\"misuse\",\"cases\":0,\"runs\":0,\"schedule\":0,\"seed\":0,\"case\":null,"
         "\"wrong\":null,\"message\":null,\"findings\":["
         "{\"rule\":\"shared_race\",\"step\":7,\"lanes\":\"0x00000005\",\"message\":\"m\","
         "\"file\":\"a.cu\",\"line\":9,\"kernel\":\"k\",\"block\":[1,2,3],\"warp\":4,"
         "\"count\":6,\"instead\":\"i\",\"schedule\":8,\"other\":null,\"follows\":false,\"note\":"
         "false},"
         "{\"rule\":\"deadlock\",\"step\":null,\"lanes\":null,\"message\":null,"
         "\"file\":null,\"line\":null,\"kernel\":null,\"block\":null,\"warp\":null,"
         "\"count\":1,\"instead\":null,\"schedule\":0,\"other\":null,\"follows\":false,\"note\":"
         "false}],"
         "\"printed\":\"\"}\n"},
        {{.kind = VERDICT_UNFINISHED, .case_name = "one", .got = "6", .text = "x\xe4\xb8"},
         "\"verdict\":\"unfinished\",\"cases\":0,\"runs\":0,\"schedule\":0,\"seed\":0,\"case\":"
         "\"one\","
         "\"wrong\":null,\"message\":\"x??\",\"findings\":[],\"printed\":\"\"}\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[1000];
        FILE *out = begun();
        snprintf(expected, sizeof expected, "%s%s",
                 "{\"schema\":\"shflviz-exercise/1\",\"exercise\":\"e\",\"file\":\"a/?.cu\",",
                 cases[i].json);
        export_verdict_json(out, "e", "a/\a.cu", &cases[i].verdict);
        is(out, expected);
    }
}

/* A row and a test case. */
static void test_rows(void **state) {
    static const struct {
        struct verdict verdict;
        double seconds;
        const char *csv, *junit;
    } cases[] = {
        {{.kind = VERDICT_PASSED, .cases = 16, .runs = 4},
         1.234,
         "\"a\"\"<.cu\",e&,passed,1.23,16,,,0\n",
         "<testcase classname=\"e&amp;\" name=\"a&quot;&lt;.cu\" time=\"1.23\"></testcase>\n"},
        {{.kind = VERDICT_OTHER_MEANS, .cases = 4, .text = "not\nso"},
         0,
         "\"a\"\"<.cu\",e&,other_means,0.00,4,,not so to repeat these values: --seed 0 ,0\n",
         "<testcase classname=\"e&amp;\" name=\"a&quot;&lt;.cu\" time=\"0.00\">"
         "<failure message=\"other_means\">not\nso\nto repeat these values: --seed "
         "0\n</failure></testcase>\n"},
        {{.kind = VERDICT_UNFINISHED, .cases = 1, .text = "a > \"b\"", .case_name = "\"one\""},
         20,
         "\"a\"\"<.cu\",e&,unfinished,20.00,1,\"\"\"one\"\"\","
         "\"Not finished: \"\"one\"\" a > \"\"b\"\" to repeat these values: --seed 0 "
         "\",0\n",
         "<testcase classname=\"e&amp;\" name=\"a&quot;&lt;.cu\" time=\"20.00\">"
         "<error message=\"unfinished\">Not finished: &quot;one&quot;\n"
         "a &gt; &quot;b&quot;\nto repeat these values: --seed 0\n</error></testcase>\n"},
        {{.kind = VERDICT_PASSED, .cases = 1, .case_name = "=1+1"},
         0,
         "\"a\"\"<.cu\",e&,passed,0.00,1,'=1+1,,0\n",
         "<testcase classname=\"e&amp;\" name=\"a&quot;&lt;.cu\" time=\"0.00\"></testcase>\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        FILE *out = begun();
        export_verdict_csv(out, "e&", "a\"<.cu", &cases[i].verdict, cases[i].seconds);
        is(out, cases[i].csv);
        out = begun();
        export_verdict_junit(out, "e&", "a\"<.cu", &cases[i].verdict, cases[i].seconds);
        is(out, cases[i].junit);
    }
}

static void test_xml(void **state) {
    FILE *out = begun();
    (void)state;
    xml_escaped(out, "");
    xml_escaped(out, "<a b=\"c\">'&amp;\n\xe4\xb8\xad");
    is(out, "&lt;a b=&quot;c&quot;&gt;'&amp;amp;\n\xe4\xb8\xad");
}

/* ---- a learner's answers ---- */

static void test_results(void **state) {
    char *answers[] = {"3", "4\033"};
    struct result result[] = {
        {.where = "b1",
         .question = "q1",
         .op = "xor",
         .answer = answers,
         .answers = 2,
         .right = "4",
         .is_right = true,
         .hinted = true},
        {.where = "",
         .question = "q2",
         .op = "up",
         .right = "5",
         .is_right = true,
         .first_try = true},
        {.where = "b3", .question = "q3", .op = "idx", .answer = answers, .answers = 1},
        {.where = "b4",
         .question = "q4",
         .op = "down",
         .right = "6",
         .shown = true,
         .mended = true},
    };
    static const char questions[] =
        "\"questions\":[{\"where\":\"b1\",\"op\":\"xor\",\"question\":\"q1\","
        "\"answers\":[\"3\",\"4?\"],\"answer\":\"4\",\"right\":true,\"first_try\":false,"
        "\"hinted\":true,\"shown\":false,\"mended\":false},"
        "{\"where\":null,\"op\":\"up\",\"question\":\"q2\",\"answers\":[],\"answer\":\"5\","
        "\"right\":true,\"first_try\":true,\"hinted\":false,\"shown\":false,\"mended\":false},"
        "{\"where\":\"b4\",\"op\":\"down\",\"question\":\"q4\",\"answers\":[],\"answer\":\"6\","
        "\"right\":false,\"first_try\":false,\"hinted\":false,\"shown\":true,\"mended\":true}]}\n";
    const struct {
        struct results_heading heading;
        size_t count; /* of the questions above */
        const char *json;
    } cases[] = {
        {{.of = "lesson", .name = "l\a", .who = "w", .questions = 3, .begun = "B", .ended = "E"},
         4,
         "{\"schema\":\"shflviz-results/1\",\"of\":\"lesson\",\"name\":\"l?\",\"who\":\"w\","
         "\"seed\":null,\"level\":null,\"begun\":\"B\",\"ended\":\"E\",\"complete\":true,"
         "\"in_all\":3,\"asked\":3,\"right\":2,\"first_try\":1,"},
        {{.of = "quiz", .has_seed = true, .level = 1, .questions = 4, .begun = "B", .ended = "E"},
         4,
         "{\"schema\":\"shflviz-results/1\",\"of\":\"quiz\",\"name\":null,\"who\":null,"
         "\"seed\":0,\"level\":1,\"begun\":\"B\",\"ended\":\"E\",\"complete\":false,"
         "\"in_all\":4,\"asked\":3,\"right\":2,\"first_try\":1,"},
        {{.of = "quiz", .seed = 9, .begun = "B", .ended = "E"},
         4,
         "{\"schema\":\"shflviz-results/1\",\"of\":\"quiz\",\"name\":null,\"who\":null,"
         "\"seed\":null,\"level\":null,\"begun\":\"B\",\"ended\":\"E\",\"complete\":true,"
         "\"in_all\":null,\"asked\":3,\"right\":2,\"first_try\":1,"},
        {{.of = "quiz", .has_seed = true, .seed = UINT64_MAX, .begun = "B", .ended = "E"},
         0,
         "{\"schema\":\"shflviz-results/1\",\"of\":\"quiz\",\"name\":null,\"who\":null,"
         "\"seed\":18446744073709551615,\"level\":null,\"begun\":\"B\",\"ended\":\"E\","
         "\"complete\":false,\"in_all\":null,\"asked\":0,\"right\":0,\"first_try\":0,"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct results results = {result, cases[i].count};
        char expected[2000];
        FILE *out = begun();
        snprintf(expected, sizeof expected, "%s%s", cases[i].json,
                 cases[i].count ? questions : "\"questions\":[]}\n");
        export_results(out, &cases[i].heading, &results);
        is(out, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_xml), cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
