/*
 * A run described by a struct: from a line of a lesson, and filled in by hand, without a command
 * line.
 */
#include "launch/course.h"
#include "launch/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static struct launch launch_of(const char *program) {
    struct launch launch;
    launch_init(&launch, device_program_find(program), program);
    launch.automatic = DEVICE_CPU;
    return launch;
}

static void defaults_match_the_manual(void **state) {
    (void)state;
    const struct launch launch = launch_of("xor");
    assert_int_equal(launch.parameters.members, 0xffffffff);
    assert_true(launch.device.settings.poison == UINT64_C(0xbadbadbadbadbad0));
    assert_int_equal(launch.device.settings.schedule, 0);
    assert_int_equal(launch.device.settings.gpu_timeout, 60);
    assert_false(launch.undefined);
    assert_null(launch.output);
}

static void every_row_is_complete(void **state) {
    (void)state;
    for (int id = 0; id < LAUNCH_OPTION_COUNT; id++) {
        const struct option_info *option = launch_option(id);
        assert_non_null(option->name);
        assert_non_null(option->help);
        assert_int_equal(option->kind == OPTION_PARSED, option->parse != NULL);
        assert_int_equal(option->kind == OPTION_FLAG, option->argument == NULL);
    }
}

static void a_shuffle_knows_its_argument(void **state) {
    (void)state;
    assert_int_equal(launch_argument(device_program_find("idx")), LAUNCH_SRC);
    assert_int_equal(launch_argument(device_program_find("up")), LAUNCH_DELTA);
    assert_int_equal(launch_argument(device_program_find("down")), LAUNCH_DELTA);
    assert_int_equal(launch_argument(device_program_find("xor")), LAUNCH_MASK);
    assert_int_equal(launch_argument(device_program_find("scan-8")), LAUNCH_OPTION_COUNT);
}

static void a_launch_filled_in_by_hand_is_recorded(void **state) {
    (void)state;
    struct launch launch = launch_of("xor");
    struct trace *trace;
    struct trace_step step;
    struct error err = ERROR_INIT;
    launch.typed[LAUNCH_MASK] = "lane & 1 ? 3 : 1";
    launch.typed[LAUNCH_BLOCKS] = "2";
    launch.parameters.blocks = 2;
    launch.device.settings.step_limit = 1;
    assert_int_equal(launch_record(&launch, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), 1);
    assert_int_equal(trace_dropped(trace), 1);
    assert_int_equal(trace_step(trace, 0, &step, &err), 0);
    assert_int_equal(step.operation.arg[4], 1);
    assert_int_equal(step.operation.arg[5], 3);
    assert_int_equal(step.operation.out[5], 6); /* 5 ^ 3 */
    /* The command reproduces the launch, including defaults. */
    assert_string_equal(trace_note(trace, TRACE_NOTE_COMMAND),
                        "shflviz xor --mask 'lane & 1 ? 3 : 1' --blocks 2 --steps 1");
    assert_string_equal(trace_note(trace, TRACE_NOTE_TITLE),
                        "xor  laneMask lane & 1 ? 3 : 1  width 32");
    trace_close(trace);
}

static void a_line_is_read(void **state) {
    (void)state;
    struct launch launch = launch_of("xor");
    struct word_list words;
    struct error err = ERROR_INIT;
    assert_int_equal(launch_read_line(&launch,
                                      "--mask 'lane & 1' --width=8 --threads 40 --undefined",
                                      &words, &err),
                     0);
    assert_string_equal(launch.typed[LAUNCH_MASK], "lane & 1");
    assert_int_equal(launch.parameters.width, 8);
    assert_int_equal(launch.parameters.threads, 40);
    assert_true(launch.undefined);
    assert_string_equal(launch.typed[LAUNCH_UNDEFINED], "");
    assert_null(launch.typed[LAUNCH_MEMBERS]);
    words_release(&words);
}

static void a_line_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *program, *line, *told;
    } lines[] = {
        {"xor", "--msk 3", "did you mean --mask?"},
        {"xor", "--mask 3 --format csv", "--format: no option of that name"},
        {"xor", "--mask 3 --lang zh", "--lang: no option of that name"},
        {"xor", "--mask 3 -o x", "--output says how something is shown or saved"},
        {"xor", "--mask 3 --device gpu", "--device gpu in a launch"},
        {"xor", "--delta 3", "xor: --delta belongs to up, down; xor takes --mask"},
        {"xor", "--mask 3 5", "'5' in a launch is not an option"},
        {"xor", "--mask '3", "a quote is not closed"},
        {"xor", "-\rshflviz: 'a", "'- shflviz: 'a': a quote is not closed"}, /* on one line */
        {"xor", "'a\rshflviz: b'", "'a shflviz: b' in a launch"},
        {"xor", "--mask", "xor: --mask needs a value, N"},
        {"scan-8", "--mask 3", "scan-8: --mask means nothing to this kernel"},
        {"scan-8", "--device cpu --device nowhere", "'nowhere' is not a value of this option"},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct launch launch = launch_of(lines[i].program);
        struct word_list words;
        struct error err = ERROR_INIT;
        assert_int_equal(launch_read_line(&launch, lines[i].line, &words, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        if (!strstr(err.text, lines[i].told))
            fail_msg("'%s' does not say '%s'", err.text, lines[i].told);
        words_release(&words);
    }
}

static void options_a_program_lacks_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *program;
        enum launch_option option;
        const char *typed, *told;
    } cases[] = {
        {"scan-8", LAUNCH_MEMBERS, "1", "--members: '1' means nothing to this kernel"},
        {"scan-8", LAUNCH_UNDEFINED, "", "--undefined means nothing to this kernel"},
        {"scan-8", LAUNCH_MEMORY, "1M", NULL}, /* with --device auto it may be given */
        {"xor", LAUNCH_WIDTH, "8", "xor: --mask N is missing"},
        {"xor", LAUNCH_MASK, "3", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct launch launch = launch_of(cases[i].program);
        struct trace *trace;
        struct error err = ERROR_INIT;
        launch.parameters.width = 8;
        launch.typed[cases[i].option] = cases[i].typed;
        assert_int_equal(launch_record(&launch, &trace, &err), cases[i].told ? -1 : 0);
        if (cases[i].told && !strstr(err.text, cases[i].told))
            fail_msg("'%s' does not say '%s'", err.text, cases[i].told);
        assert_int_equal(trace == NULL, cases[i].told != NULL);
        trace_close(trace);
    }
}

/* In a kernel of one warp a count means lanes: 33 is too many. */
static void a_kernel_of_one_warp_takes_32_values(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 32, 33, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct launch launch = launch_of("fold-sum");
        struct trace *trace;
        struct error err = ERROR_INIT;
        launch.typed[LAUNCH_N] = "N";
        launch.parameters.count = counts[i];
        assert_int_equal(launch_record(&launch, &trace, &err), counts[i] <= 32 ? 0 : -1);
        if (counts[i] > 32)
            assert_non_null(strstr(err.text, "fold-sum: --n: 'N' exceeds the number of lanes"));
        trace_close(trace);
    }
}

/* Options that a lesson's launch omits get limits, without appearing as typed. */
static void a_lesson_records_few_steps(void **state) {
    (void)state;
    struct trace *trace;
    struct error err = ERROR_INIT;
    assert_int_equal(
        course_record_kernel("xor", "--mask 1 --threads 1024 --blocks 2100", NULL, &trace, &err),
        0);
    assert_int_equal(trace_step_count(trace), 65536);
    assert_non_null(strstr(trace_note(trace, TRACE_NOTE_COMMAND), " --steps 65536"));
    trace_close(trace);
    assert_int_equal(course_record_kernel("xro", "", "en.md:5", &trace, &err), -1);
    assert_null(trace);
    assert_int_equal(strncmp(err.text, "en.md:5: ", 9), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_match_the_manual),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(a_shuffle_knows_its_argument),
        cmocka_unit_test(a_launch_filled_in_by_hand_is_recorded),
        cmocka_unit_test(a_line_is_read),
        cmocka_unit_test(a_line_is_refused),
        cmocka_unit_test(options_a_program_lacks_are_refused),
        cmocka_unit_test(a_kernel_of_one_warp_takes_32_values),
        cmocka_unit_test(a_lesson_records_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
