/*
 * The table of options: each row is described, is in its place and is parsed as documented, and
 * the reply to a mistake lists what is allowed.
 */
#include "base/message.h"
#include "base/text/suggest.h"
#include "cli/command.h"
#include "cli/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

#define WORDS(...)                                                                                 \
    (char *[]) {                                                                                   \
        __VA_ARGS__, NULL                                                                          \
    }

static int parse(struct options *options, const char *command, char **words, struct error *err) {
    int count = 0;
    while (words[count])
        count++;
    return options_parse(options, command_find(command), count, words, err);
}

static void every_option_is_at_its_index(void **state) {
    (void)state;
    struct option_reader reader = {.option = option_at, .count = OPTION_COUNT};
    for (int id = 0; id < OPTION_COUNT; id++) {
        reader.allowed = OPTION_BIT(id); /* two are called --type */
        assert_non_null(option_at(id)->name);
        assert_non_null(option_at(id)->help);
        assert_int_equal(option_find(&reader, option_at(id)->name, strlen(option_at(id)->name)),
                         id);
    }
    assert_int_equal(option_find(&reader, "wid", 3), -1);
}

/* Help, manual and completions print all of this. */
static void every_command_is_described(void **state) {
    (void)state;
    size_t count;
    const struct command *const *commands = command_table(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(command_find(commands[i]->name), commands[i]);
        assert_non_null(commands[i]->summary);
        assert_non_null(commands[i]->about);
        assert_non_null(commands[i]->examples[0]);
        assert_non_null(commands[i]->run);
        assert_int_equal(commands[i]->required & ~commands[i]->options, 0);
        assert_int_equal(
            strncmp(commands[i]->examples[0], commands[i]->name, strlen(commands[i]->name)), 0);
    }
}

/* --lang offers the languages that are compiled in. */
static void lang_offers_the_built_in_languages(void **state) {
    (void)state;
    char codes[256] = "";
    for (const char *const *code = message_languages(); *code; code++)
        snprintf(codes + strlen(codes), sizeof codes - strlen(codes), "%s%s", codes[0] ? " " : "",
                 *code);
    assert_string_equal(option_at(OPTION_LANG)->values, codes);
}

static void defaults_match_the_manual(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    assert_int_equal(parse(&options, "doctor", (char *[]){NULL}, &err), 0);
    assert_int_equal(options.given, 0);
    assert_int_equal(options.launch.parameters.members, 0xffffffff);
    assert_true(options.launch.device.settings.poison == UINT64_C(0xbadbadbadbadbad0));
    assert_int_equal(options.launch.device.settings.schedule, 0);
    assert_int_equal(options.format, FORMAT_AUTO);
    assert_false(options.launch.undefined);
    options_release(&options);
}

static void values_are_read(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    char **words = WORDS("--mask", "-1", "--width=8", "--members", "0b1010", "--threads", "1024",
                         "--type", "half2", "--device=gpu", "--schedule", "0xffffffffffffffff",
                         "--format", "jsonl", "-ofile", "--undefined", "--color", "never");
    assert_int_equal(parse(&options, "xor", words, &err), 0);
    assert_string_equal(options.text[LAUNCH_MASK], "-1");
    assert_int_equal(options.launch.parameters.width, 8);
    assert_int_equal(options.launch.parameters.members, 10);
    assert_int_equal(options.launch.parameters.threads, 1024);
    assert_int_equal(options.launch.parameters.type, WARP_TYPE_HALF2);
    assert_int_equal(options.launch.device.kind, DEVICE_GPU);
    assert_true(options.launch.device.settings.schedule == UINT64_MAX);
    assert_int_equal(options.format, FORMAT_JSONL);
    assert_string_equal(options.launch.output, "file");
    assert_true(options.launch.undefined);
    assert_int_equal(options.color, COLOR_NEVER);
    options_release(&options);
}

static void the_last_of_two_counts(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    char **words = WORDS("--mask", "1", "--width", "4", "--width=16", "--mask=2");
    assert_int_equal(parse(&options, "xor", words, &err), 0);
    assert_int_equal(options.launch.parameters.width, 16);
    assert_string_equal(options.text[LAUNCH_MASK], "2");
    options_release(&options);
}

static void two_dashes_end_the_options(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    assert_int_equal(parse(&options, "replay", WORDS("--format", "csv", "--", "--ascii"), &err), 0);
    assert_int_equal(options.operand_count, 1);
    assert_string_equal(options.operands[0], "--ascii");
    assert_false(options.ascii);
    options_release(&options);
}

static void a_single_dash_is_a_word(void **state) {
    (void)state;
    struct options options;
    struct error err = ERROR_INIT;
    assert_int_equal(parse(&options, "replay", WORDS("-"), &err), 0);
    assert_string_equal(options.operands[0], "-");
    options_release(&options);
}

static void mistakes_are_usage_errors(void **state) {
    (void)state;
    static const struct {
        const char *command;
        char *words[4];
        const char *told;
    } mistakes[] = {
        {"xor", {"--mask"}, "xor: --mask needs a value, N"},
        {"xor", {"--mask", "--", "3"}, "--mask needs a value"},
        {"xor", {"--width", "8"}, "xor: --mask N is missing"},
        {"xor", {"--mask", "3", "--wid"}, "did you mean --width?"},
        {"xor", {"--ascii=1"}, "takes no value"},
        {"xor", {"-ab"}, "-ab: no option of that name"},
        {"down", {"--src", "3"}, "--src belongs to idx"},
        {"check",
         {"a", "--ascii"},
         "--ascii belongs to idx, up, down, xor, kernel, run, lesson, exercise, quiz, replay, "
         "diff"},
        {"replay", {"a", "b"}, "b: one word too many"},
        {"check", {NULL}, "FILE.cu...|FOLDER|TRACE [-- ARGS...] is missing"},
        {"xor", {"--mask", "3", "--threads", "1025"}, "1024"},
    };
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        struct options options;
        struct error err = ERROR_INIT;
        char *words[5] = {NULL};
        memcpy(words, mistakes[i].words, sizeof(mistakes[i].words));
        assert_int_equal(parse(&options, mistakes[i].command, words, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (!strstr(err.text, mistakes[i].told))
            fail_msg("'%s' does not say '%s'", err.text, mistakes[i].told);
        options_release(&options);
    }
}

static void only_similar_names_are_suggested(void **state) {
    (void)state;
    struct suggestion near = {"docter", NULL, 0}, far = {"frobnicate", NULL, 0},
                      begun = {"dev", NULL, 0};
    static const char *const names[] = {"idx", "doctor", "device", "xor"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        suggestion_consider(&near, names[i]);
        suggestion_consider(&far, names[i]);
        suggestion_consider(&begun, names[i]);
    }
    assert_string_equal(near.nearest, "doctor");
    assert_null(far.nearest);
    assert_string_equal(begun.nearest, "device");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_at_its_index),
        cmocka_unit_test(every_command_is_described),
        cmocka_unit_test(lang_offers_the_built_in_languages),
        cmocka_unit_test(defaults_match_the_manual),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(the_last_of_two_counts),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(a_single_dash_is_a_word),
        cmocka_unit_test(mistakes_are_usage_errors),
        cmocka_unit_test(only_similar_names_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
