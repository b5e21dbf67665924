/* The values that each option of a launch stores, at both ends of its range, and its refusals. */
#include "launch/launch.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The differences from launch_init(). */
static void append_diff(const struct launch *now, struct text *out) {
    struct launch was;
    launch_init(&was, now->program, now->name);
    const struct shflviz_filter *watch = &now->device.settings.watch;
#define TELL(label, field)                                                                         \
    if (now->field != was.field)                                                                   \
    text_append_format(out, label " %" PRId64 ";", (int64_t)now->field)
    TELL("width", parameters.width);
    TELL("members", parameters.members);
    TELL("threads", parameters.threads);
    TELL("blocks", parameters.blocks);
    TELL("type", parameters.type);
    TELL("n", parameters.count);
    TELL("undefined", undefined);
    TELL("device", device.kind);
    TELL("schedule", device.settings.schedule);
    TELL("poison", device.settings.poison);
    TELL("steps", device.settings.step_limit);
    TELL("memory", device.settings.gpu_memory);
    TELL("timeout", device.settings.gpu_timeout);
#undef TELL
    if (watch->parts & SHFLVIZ_FILTER_KERNEL)
        text_append_format(out, "kernel %zu %.8s;", strlen(watch->kernel), watch->kernel);
    if (watch->parts & SHFLVIZ_FILTER_LAUNCHES)
        text_append_format(out, "launch %" PRIu32 "-%" PRIu32 ";", watch->launch_first,
                           watch->launch_last);
    if (watch->parts & SHFLVIZ_FILTER_BLOCKS)
        text_append_format(out, "block %" PRIu64 "-%" PRIu64 ";", watch->block_first,
                           watch->block_last);
    if (watch->parts & SHFLVIZ_FILTER_INDEX)
        text_append_format(out, "index %" PRIu32 ",%" PRIu32 ",%" PRIu32 ";", watch->block_index[0],
                           watch->block_index[1], watch->block_index[2]);
    if (watch->parts & SHFLVIZ_FILTER_WARPS)
        text_append_format(out, "warp %" PRIu32 "-%" PRIu32 ";", watch->warp_first,
                           watch->warp_last);
    if (watch->parts & SHFLVIZ_FILTER_LINES)
        text_append_format(out, "line %" PRIu32 "-%" PRIu32 ";", watch->line_first,
                           watch->line_last);
}

/* The error, or the stored value. */
static void read_line(const char *program, const char *line, struct text *out) {
    struct launch launch;
    struct word_list words = {0};
    struct error err = ERROR_INIT;
    launch_init(&launch, device_program_find(program), program);
    if (launch_read_line(&launch, line, &words, &err) == 0)
        append_diff(&launch, out);
    else
        text_append(out, err.text);
    words_release(&words);
}

#define TYPES                                                                                      \
    "int unsigned long-long unsigned-long-long float double half half2 bfloat16 long "             \
    "unsigned-long bfloat162"
#define NUMBERS     ", in decimal, 0x hexadecimal or 0b binary"
#define RANGE(most) "\nallowed: a number up to " most ", or a range such as 2-5"
#define NO_INDEX(value)                                                                            \
    "xor: --watch-block: '" value "' is not the index of a block\n"                                \
    "allowed: two or three numbers, such as 3,0 or 3,0,1"

static void test_values(void **state) {
    static const struct {
        const char *line, *stored;
    } cases[] = {
        {"", ""},
        {"--width 8", "width 8;"},
        {"--width -2147483648", "width -2147483648;"},
        {"--width 2147483647", "width 2147483647;"},
        {"--width 2147483648", "xor: --width: '2147483648' is not a whole number that fits an int\n"
                               "allowed: 1 2 4 8 16 32"},
        {"--members 0", "members 0;"},
        {"--members 4294967296",
         "xor: --members: '4294967296' is out of range\nallowed: 0 to 4294967295" NUMBERS},
        {"--threads 1", "threads 1;"},
        {"--threads 1024", "threads 1024;"},
        {"--threads 0", "xor: --threads: '0' is out of range\nallowed: 1 to 1024" NUMBERS},
        {"--threads 1025", "xor: --threads: '1025' is out of range\nallowed: 1 to 1024" NUMBERS},
        {"--blocks 65535", "blocks 65535;"},
        {"--blocks 0", "xor: --blocks: '0' is out of range\nallowed: 1 to 65535" NUMBERS},
        {"--blocks 65536", "xor: --blocks: '65536' is out of range\nallowed: 1 to 65535" NUMBERS},
        {"--type unsigned", "type 1;"},
        {"--type float --type int", ""},
        {"--type bfloat162", "type 11;"},
        {"--type none", "xor: --type: 'none' is not a type that a shuffle moves\nallowed: " TYPES},
        {"--type char", "xor: --type: 'char' is not a type that a shuffle moves\nallowed: " TYPES},
        {"--undefined", "undefined 1;"},
        {"--device cpu", "device 1;"},
        {"--device gpu --device auto", ""},
        {"--device gpu", "--device gpu in a launch: a lesson must play without a GPU\n"
                         "try: record it with -o FILE, and name that file with 'trace: FILE'"},
        {"--schedule 7", "schedule 7;"},
        {"--poison 0", "poison 0;"},
        {"--steps 1", "steps 1;"},
        {"--steps 0",
         "xor: --steps: '0' is out of range\nallowed: 1 to 18446744073709551615" NUMBERS},
        {"--timeout 0", "timeout 0;"},
        {"--timeout 1000000", "timeout 1000000;"},
        {"--timeout 1000001",
         "xor: --timeout: '1000001' is out of range\nallowed: 0 to 1000000" NUMBERS},
        {"--memory 1M", "memory 1048576;"},
        {"--memory 1023K", "xor: --memory: '1023K' is not a usable size\nallowed: bytes, or a "
                           "number with K, M or G; at least 1M\ntry: --memory 256M"},
        /* the watched element */
        {"--watch-kernel sum", "kernel 3 sum;"},
        {"--watch-kernel ''", "xor: --watch-kernel: '' is not the name of a kernel\n"
                              "allowed: the name of a kernel, at most 255 bytes"},
        {"--watch-launch 0", "launch 0-0;"},
        {"--watch-launch 2-5", "launch 2-5;"},
        {"--watch-launch 5-5", "launch 5-5;"},
        {"--watch-launch 0x10-0x11", "launch 16-17;"},
        {"--watch-launch 4294967295", "launch 4294967295-4294967295;"},
        {"--watch-launch 4294967296",
         "xor: --watch-launch: '4294967296' is too large" RANGE("4294967295")},
        {"--watch-launch 1-4294967296",
         "xor: --watch-launch: '1-4294967296' is too large" RANGE("4294967295")},
        {"--watch-launch 5-2",
         "xor: --watch-launch: '5-2' ends before it begins" RANGE("4294967295")},
        {"--watch-launch 2-",
         "xor: --watch-launch: '2-' is not a number or a range" RANGE("4294967295")},
        {"--watch-launch 2-x",
         "xor: --watch-launch: '2-x' is not a number or a range" RANGE("4294967295")},
        {"--watch-launch 2-3-4",
         "xor: --watch-launch: '2-3-4' is not a number or a range" RANGE("4294967295")},
        {"--watch-launch 2x",
         "xor: --watch-launch: '2x' is not a number or a range" RANGE("4294967295")},
        {"--watch-launch x",
         "xor: --watch-launch: 'x' is not a number or a range" RANGE("4294967295")},
        {"--watch-warp 31", "warp 31-31;"},
        {"--watch-warp 0-31", "warp 0-31;"},
        {"--watch-warp 32", "xor: --watch-warp: '32' is too large" RANGE("31")},
        {"--watch-warp 3-32", "xor: --watch-warp: '3-32' is too large" RANGE("31")},
        {"--watch-line 2147483647", "line 2147483647-2147483647;"},
        {"--watch-line 10-12", "line 10-12;"},
        {"--watch-line 2147483648",
         "xor: --watch-line: '2147483648' is too large" RANGE("2147483647")},
        {"--watch-block 7", "block 7-7;"},
        {"--watch-block 0-3", "block 0-3;"},
        {"--watch-block 9223372036854775807", "block 9223372036854775807-9223372036854775807;"},
        {"--watch-block 9223372036854775808",
         "xor: --watch-block: '9223372036854775808' is too large" RANGE("9223372036854775807")},
        {"--watch-block 2,0", "index 2,0,0;"},
        {"--watch-block 2,0,1", "index 2,0,1;"},
        {"--watch-block 0x2,3,2147483647", "index 2,3,2147483647;"},
        {"--watch-block 1,2,2147483648", NO_INDEX("1,2,2147483648")},
        {"--watch-block 1,", NO_INDEX("1,")},
        {"--watch-block ,1", NO_INDEX(",1")},
        {"--watch-block 1,2,", NO_INDEX("1,2,")},
        {"--watch-block 1,2,3,", NO_INDEX("1,2,3,")},
        {"--watch-block 1,2,3,4", NO_INDEX("1,2,3,4")},
        {"--watch-block 1,2x", NO_INDEX("1,2x")},
        {"--watch-block 1,-2", NO_INDEX("1,-2")},
        {"--watch-block 7 --watch-block 2,0", "index 2,0,0;"}, /* the last one counts */
        {"--watch-block 2,0 --watch-block 7", "block 7-7;"},
        {"--watch-kernel a --watch-launch 1 --watch-block 2 --watch-warp 3 --watch-line 4",
         "kernel 1 a;launch 1-1;block 2-2;warp 3-3;line 4-4;"},
        /* not allowed here */
        {"--output a.svt", "--output says how something is shown or saved\n"
                           "allowed in a launch: options that say what to run"},
        {"--src 5", "xor: --src belongs to idx; xor takes --mask\ntry: shflviz xor --mask 3"},
        {"--delta 5", "xor: --delta belongs to up, down; xor takes --mask\n"
                      "try: shflviz xor --mask 3"},
        {"--n 5", "xor: --n means nothing to this kernel\nallowed: --mask --width --members "
                  "--threads --blocks --type --in --undefined --device --schedule --poison "
                  "--steps --watch-kernel --watch-launch --watch-block --watch-warp --watch-line "
                  "--memory --timeout"},
        {"--mask 5", ""},
        {"3", "'3' in a launch is not an option"},
        {"--width 8 -- 3", "'3' in a launch is not an option"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text out = TEXT_INIT;
        read_line("xor", cases[i].line, &out);
        if (strcmp(out.data, cases[i].stored) != 0)
            fail_msg("%s\nis read as: %s\nand not:    %s", cases[i].line, out.data,
                     cases[i].stored);
        text_release(&out);
    }
}

/* A name of 255 bytes is the longest. */
static void test_longest_kernel(void **state) {
    char line[300] = "--watch-kernel ";
    struct text out = TEXT_INIT;
    const size_t begin = strlen(line);
    (void)state;
    memset(line + begin, 'k', 255);
    read_line("xor", line, &out);
    assert_string_equal(out.data, "kernel 255 kkkkkkkk;");
    text_clear(&out);
    line[begin + 255] = 'k';
    read_line("xor", line, &out);
    assert_non_null(strstr(out.data, " is not the name of a kernel\n"));
    text_release(&out);
}

/* -o FILE, from a command line. */
static void test_output(void **state) {
    const struct option_info *option = launch_option(LAUNCH_OUTPUT);
    struct launch launch;
    struct error err = ERROR_INIT;
    (void)state;
    launch_init(&launch, device_program_find("xor"), "xor");
    assert_int_equal(option->parse(&launch, "a.svt", &err), 0);
    assert_string_equal(launch.output, "a.svt");
    assert_false(launch.output_is_standard);
    assert_int_equal(option->parse(&launch, "-", &err), 0);
    assert_null(launch.output);
    assert_true(launch.output_is_standard);
    assert_int_equal(option->parse(&launch, "-a", &err), 0);
    assert_string_equal(launch.output, "-a");
    assert_false(launch.output_is_standard);
    assert_int_equal(option->parse(&launch, "", &err), -1);
    assert_string_equal(err.text, "--output needs the name of a file, not ''\ntry: -o xor.svt");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_longest_kernel),
                                       cmocka_unit_test(test_output)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
