/* Accepted values of options, with the fields that store them, and values just out of range. */
#include "cli/command.h"
#include "cli/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int read_value(struct options *options, const char *command, const char *name,
                      const char *value, struct error *err) {
    char word[128];
    char *words[] = {word, (char *)"--help", NULL};
    snprintf(word, sizeof word, "--%s=%s", name, value);
    return options_parse(options, command_find(command), 2, words, err);
}

static void is_refused(const char *command, const char *name, const char *value, const char *says) {
    struct options options;
    struct error err = ERROR_INIT;
    if (read_value(&options, command, name, value, &err) == 0)
        fail_msg("--%s %s was taken", name, value);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (!strstr(err.text, says))
        fail_msg("--%s %s: %s", name, value, err.text);
    options_release(&options);
}

static void is_accepted(struct options *options, const char *command, const char *name,
                        const char *value) {
    struct error err = ERROR_INIT;
    if (read_value(options, command, name, value, &err) != 0)
        fail_msg("--%s %s: %s", name, value, err.text);
    options_release(options);
}

static void numbers_have_their_bounds(void **state) {
    (void)state;
    static const struct {
        const char *command, *name;
        uint32_t least, most;
        size_t field;
    } cases[] = {
        {"quiz", "level", 1, 5, offsetof(struct options, level)},
        {"quiz", "questions", 1, 10000, offsetof(struct options, questions)},
        {"run", "time", 1, 86400, offsetof(struct options, launch.device.settings.limits.seconds)},
        {"check", "schedules", 1, 10000, offsetof(struct options, schedules)},
        {"grade", "jobs", 1, 1024, offsetof(struct options, launch.device.settings.jobs)},
        {"export", "lane", 0, 31, offsetof(struct options, export.lane)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        char value[32];
        for (int at = 0; at < 2; at++) {
            const uint32_t wanted = at ? cases[i].most : cases[i].least;
            snprintf(value, sizeof value, "%u", wanted);
            is_accepted(&options, cases[i].command, cases[i].name, value);
            uint32_t read;
            memcpy(&read, (const char *)&options + cases[i].field, sizeof read);
            assert_int_equal(read, wanted);
        }
        snprintf(value, sizeof value, "%d", (int)cases[i].least - 1);
        is_refused(cases[i].command, cases[i].name, value, cases[i].name);
        snprintf(value, sizeof value, "%u", cases[i].most + 1);
        is_refused(cases[i].command, cases[i].name, value, cases[i].name);
        is_refused(cases[i].command, cases[i].name, "x", cases[i].name);
        is_refused(cases[i].command, cases[i].name, "", cases[i].name);
    }
    struct options options;
    is_accepted(&options, "quiz", "seed", "18446744073709551615");
    assert_true(options.seed == UINT64_MAX);
    is_accepted(&options, "quiz", "seed", "0");
    assert_true(options.seed == 0);
    is_refused("quiz", "seed", "18446744073709551616", "seed");
}

static void words_are_choices(void **state) {
    (void)state;
    static const struct {
        const char *command, *name, *value;
        int wanted;
        size_t field;
    } cases[] = {
        {"xor", "format", "tui", FORMAT_TUI, offsetof(struct options, format)},
        {"xor", "format", "text", FORMAT_TEXT, offsetof(struct options, format)},
        {"xor", "format", "json", FORMAT_JSON, offsetof(struct options, format)},
        {"xor", "format", "jsonl", FORMAT_JSONL, offsetof(struct options, format)},
        {"xor", "format", "csv", FORMAT_CSV, offsetof(struct options, format)},
        {"xor", "format", "sarif", FORMAT_SARIF, offsetof(struct options, format)},
        {"xor", "format", "junit", FORMAT_JUNIT, offsetof(struct options, format)},
        {"xor", "color", "auto", COLOR_AUTO, offsetof(struct options, color)},
        {"xor", "color", "always", COLOR_ALWAYS, offsetof(struct options, color)},
        {"xor", "color", "never", COLOR_NEVER, offsetof(struct options, color)},
        {"xor", "background", "auto", BACKGROUND_UNKNOWN, offsetof(struct options, background)},
        {"xor", "background", "dark", BACKGROUND_DARK, offsetof(struct options, background)},
        {"xor", "background", "light", BACKGROUND_LIGHT, offsetof(struct options, background)},
        {"export", "view", "lanes", 1, offsetof(struct options, export.view)},
        {"export", "view", "rounds", 6, offsetof(struct options, export.view)},
        {"export", "phase", "before", 1, offsetof(struct options, export.phase)},
        {"export", "phase", "after", 5, offsetof(struct options, export.phase)},
        {"help", "completion", "bash", SHELL_BASH, offsetof(struct options, completion)},
        {"help", "completion", "zsh", SHELL_ZSH, offsetof(struct options, completion)},
        {"help", "completion", "fish", SHELL_FISH, offsetof(struct options, completion)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        int read;
        is_accepted(&options, cases[i].command, cases[i].name, cases[i].value);
        memcpy(&read, (const char *)&options + cases[i].field, sizeof read);
        if (read != cases[i].wanted)
            fail_msg("--%s %s: %d", cases[i].name, cases[i].value, read);
        is_refused(cases[i].command, cases[i].name, "other", cases[i].name);
    }
    assert_int_equal(sizeof(enum format), sizeof(int));
}

static void steps_are_ranges(void **state) {
    (void)state;
    static const struct {
        const char *value;
        uint64_t first, last;
    } good[] = {{"0", 0, 0},
                {"7", 7, 7},
                {"0-4", 0, 4},
                {"4-4", 4, 4},
                {"18446744073709551614", UINT64_MAX - 1, UINT64_MAX - 1},
                {"1-18446744073709551614", 1, UINT64_MAX - 1}};
    static const char *const bad[] = {"",
                                      "-",
                                      "x",
                                      "4-3",
                                      "1-",
                                      "-1",
                                      "1-x",
                                      "1-2-",
                                      "1 2",
                                      " 1",
                                      "1--2",
                                      "18446744073709551615",
                                      "1-18446744073709551615",
                                      "0-99999999999999999999",
                                      "+1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct options options;
        is_accepted(&options, "export", "step", good[i].value);
        assert_true(options.export.first_step == good[i].first);
        assert_true(options.export.last_step == good[i].last);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is_refused("export", "step", bad[i], "is not a step or a range of steps");
}

static void sizes_have_columns_and_rows(void **state) {
    (void)state;
    static const struct {
        const char *value;
        int columns, rows;
    } good[] = {{"40x10", 40, 10}, {"400x200", 400, 200}, {"100x30", 100, 30}, {"040x010", 40, 10}};
    static const char *const bad[] = {"",       "39x10",  "40x9",   "401x10", "40x201",
                                      "40",     "40x",    "x10",    "40x10x", "40*10",
                                      "-40x10", "40x-10", " 40x10", "40 x10"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct options options;
        is_accepted(&options, "export", "size", good[i].value);
        assert_int_equal(options.export.columns, good[i].columns);
        assert_int_equal(options.export.rows, good[i].rows);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is_refused("export", "size", bad[i], "is not a size in columns and rows");
}

/* CUDA 13 requires C++17; a program for an earlier standard is compiled as C++17. */
static void standards_match_cuda(void **state) {
    (void)state;
    static const char *const good[][2] = {
        {"c++03", "c++17"},     {"c++11", "c++17"},     {"c++14", "c++17"},
        {"c++17", "c++17"},     {"c++20", "c++20"},     {"c++2a", "c++20"},
        {"c++23", "c++23"},     {"c++2b", "c++23"},     {"gnu++11", "gnu++17"},
        {"gnu++14", "gnu++17"}, {"gnu++17", "gnu++17"}, {"gnu++20", "gnu++20"},
        {"gnu++2a", "gnu++20"}, {"gnu++23", "gnu++23"}};
    static const char *const bad[] = {"", "c++", "c++98", "c++26", "C++17", "17", "c++171"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct options options;
        is_accepted(&options, "run", "std", good[i][0]);
        assert_string_equal(options.standard, good[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is_refused("run", "std", bad[i], "is not a C++ standard that CUDA supports");
}

static void memory_is_at_least_a_mebibyte(void **state) {
    (void)state;
    static const struct {
        const char *value;
        uint64_t bytes;
    } good[] = {{"1M", UINT64_C(1) << 20},
                {"1048576", UINT64_C(1) << 20},
                {"1024K", UINT64_C(1) << 20},
                {"4G", UINT64_C(4) << 30}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct options options;
        is_accepted(&options, "run", "memory-limit", good[i].value);
        assert_true(options.launch.device.settings.limits.memory == good[i].bytes);
    }
    is_refused("run", "memory-limit", "1048575", "memory-limit");
    is_refused("run", "memory-limit", "1023K", "memory-limit");
    is_refused("run", "memory-limit", "x", "memory-limit");
}

/* Flags need no value, and words that may be repeated are kept in order. */
static void flags_and_lists(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    char *words[] = {(char *)"--sandbox",  (char *)"--memory-accesses",
                     (char *)"-Ione",      (char *)"-I",
                     (char *)"two",        (char *)"-DA=1",
                     (char *)"--define=B", (char *)"--allow",
                     (char *)"p",          (char *)"--follow-undefined",
                     (char *)"--ascii",    (char *)"-h",
                     (char *)"a.cu",       NULL};
    assert_int_equal(options_parse(&options, command_find("run"), 13, words, &err), 0);
    assert_true(options.launch.device.settings.confined);
    assert_int_equal(options.launch.device.settings.accesses, RUN_ACCESSES_SHARED);
    assert_true(options.ascii);
    assert_int_equal(options.include.count, 2);
    assert_string_equal(options.include.word[0], "one");
    assert_string_equal(options.include.word[1], "two");
    assert_int_equal(options.define.count, 2);
    assert_string_equal(options.define.word[1], "B");
    assert_int_equal(options.readable.count, 1);
    assert_true((options.given & OPTION_BIT(OPTION_FOLLOW_UNDEFINED)) != 0);
    assert_true((options.given & OPTION_BIT(OPTION_HELP)) != 0);
    assert_true((options.given & OPTION_BIT(OPTION_GLOBAL_ACCESSES)) == 0);
    assert_int_equal(options.operand_count, 1);
    options_release(&options);
    assert_null(options.operands);
    char *figure[] = {(char *)"--light", (char *)"--animate", (char *)"x", (char *)"-ox.svg", NULL};
    assert_int_equal(options_parse(&options, command_find("export"), 4, figure, &err), 0);
    assert_true(options.export.light && options.export.animate && !options.export.mono);
    options_release(&options);
}

/* Completions rely on which options are hidden, have a letter, or name a path. */
static void options_have_their_flags(void **state) {
    (void)state;
    static const int hidden[] = {OPTION_MAN, OPTION_COMPLETION};
    static const int paths[] = {LAUNCH_OUTPUT, OPTION_COLLECT, OPTION_RESULTS, OPTION_INCLUDE,
                                OPTION_ALLOW};
    static const struct {
        int id;
        char letter;
    } letters[] = {
        {LAUNCH_OUTPUT, 'o'}, {OPTION_INCLUDE, 'I'}, {OPTION_DEFINE, 'D'}, {OPTION_HELP, 'h'}};
    for (int id = 0; id < OPTION_COUNT; id++) {
        bool is_hidden = false, is_path = false;
        char letter = '\0';
        for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
            is_hidden = is_hidden || hidden[i] == id;
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
            is_path = is_path || paths[i] == id;
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            letter = letters[i].id == id ? letters[i].letter : letter;
        if (option_at(id)->is_hidden != is_hidden || option_at(id)->is_path != is_path ||
            option_at(id)->letter != letter)
            fail_msg("--%s", option_at(id)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_bounds),
        cmocka_unit_test(words_are_choices),
        cmocka_unit_test(steps_are_ranges),
        cmocka_unit_test(sizes_have_columns_and_rows),
        cmocka_unit_test(standards_match_cuda),
        cmocka_unit_test(memory_is_at_least_a_mebibyte),
        cmocka_unit_test(flags_and_lists),
        cmocka_unit_test(options_have_their_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
