/* Requests: read, changed, written again, and refused with the command line's words. */
#include "launch/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_request_round_trips(void **state) {
    (void)state;
    static const char *const lines[] = {
        "xor --mask 3 --width 16",
        "idx --src '(lane + 7) % 32'",
        "up --delta 1 --members 0xff --threads 35 --type float --in 'lane / 2.0'",
        "down --delta 3 --width 12 --undefined --schedule 7",
        "kernel scan-8",
        "kernel block-reduce --threads 35 --blocks 2 --in 1",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct request request;
        struct text line = TEXT_INIT;
        struct error err = ERROR_INIT;
        if (request_read(&request, lines[i], DEVICE_CPU, &err) != 0)
            fail_msg("%s", err.text);
        request_line(&request.launch, &line);
        assert_string_equal(line.data, lines[i]);
        text_release(&line);
        request_release(&request);
    }
}

static void typed_options_change_it(void **state) {
    (void)state;
    static const struct {
        const char *line, *typed, *becomes;
    } cases[] = {
        {"xor --mask 3", "mask 5", "xor --mask 5"},
        {"xor --mask 3", "--mask 5 --width 8", "xor --mask 5 --width 8"},
        {"xor --mask 3", "width=8", "xor --mask 3 --width 8"},
        {"idx --src 3", "src (lane+7)%32", "idx --src '(lane+7)%32'"},
        {"idx --src 3", "src lane & 1 ? 3 : 1", "idx --src 'lane & 1 ? 3 : 1'"},
        {"xor --mask 3", "  in random:7", "xor --mask 3 --in random:7"},
        {"xor --mask 3 --width 12", "undefined", "xor --mask 3 --width 12 --undefined"},
        {"xor --mask 3 --width 8", "down", "down --delta 3 --width 8"},
        {"xor --mask 3 --width 8", "up --delta 1", "up --delta 1 --width 8"},
        {"xor --mask 3 --width 8", "shflviz idx --src 2", "idx --src 2 --width 8"},
        {"xor --mask 3", "kernel scan-8 --in 1", "kernel scan-8 --in 1"},
        {"kernel scan-8", "xor --mask 2", "xor --mask 2"},
        {"kernel scan-8", "schedule 3", "kernel scan-8 --schedule 3"},
        {"xor --mask 3", "__shfl_up_sync(~0u, v, 2)", "up --delta 2"},
        {"xor --mask 3 --in 100+lane", "__shfl_up_sync(~0u, v, 2)", "up --delta 2 --in 100+lane"},
        {"xor --mask 3 --in 100+lane", "__shfl_up_sync(~0u, 7, 2)", "up --delta 2 --in 7"},
        {"xor --mask 3 --in random:7", "__shfl_up_sync(~0u, v, 2)", "up --delta 2"},
        {"xor --mask 3 --type float --in 0.5*lane", "__shfl_up_sync(~0u, v, 2)", "up --delta 2"},
        {"kernel scan-8 --in 7*lane", "__shfl_up_sync(~0u, v, 2)", "up --delta 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request request, next;
        struct text line = TEXT_INIT, said = TEXT_INIT;
        struct error err = ERROR_INIT;
        assert_int_equal(request_read(&request, cases[i].line, DEVICE_CPU, &err), 0);
        if (request_from_input(&request.launch, cases[i].typed, &line, &err) != 0 ||
            request_read(&next, line.data, DEVICE_CPU, &err) != 0)
            fail_msg("%s: %s", cases[i].typed, err.text);
        request_line(&next.launch, &said);
        assert_string_equal(said.data, cases[i].becomes);
        text_release(&line);
        text_release(&said);
        request_release(&request);
        request_release(&next);
    }
}

/* The words are those of `shflviz xor ...`; tests/cli/cases/usage.cases has them for the shell. */
static void errors_are_worded_as_on_the_command_line(void **state) {
    (void)state;
    static const struct {
        const char *line, *typed, *told;
    } cases[] = {
        {"xor --mask 3", "maks 5", "xor: --maks: no option of that name; did you mean --mask?"},
        {"xor --mask 3", "src 5", "xor: --src belongs to idx; xor takes --mask"},
        {"xor --mask 3", "width", "xor: --width needs a value, W"},
        {"xor --mask 3", "width x", "--width: 'x' is not a whole number that fits an int"},
        {"xor --mask 3", "type pointer", "--type: 'pointer' is not a type that a shuffle moves"},
        {"xor --mask 3", "threads 0", "--threads"},
        {"xor --mask 3", "threads 2000", "1 to 1024"},
        {"xor --mask 3", "output x", "--output says how something is shown or saved"},
        {"xor --mask 3", "format json", "xor: --format: no option of that name"},
        {"xor --mask 3", "--mask '5", "a quote is not closed"},
        {"xor --mask 3", "down 5", "'5' in a launch is not an option"},
        {"xor --mask 3", "kernel", "no kernel of that name"},
        {"xor --mask 3", "kernel scan-9", "did you mean 'scan-8'?"},
        {"xor --mask 3", "kernel xor", "kernel: xor: no kernel of that name"},
        {"kernel scan-8", "mask 3", "kernel scan-8: --mask means nothing to this kernel"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request request, next = {.name = NULL};
        struct text line = TEXT_INIT;
        struct error err = ERROR_INIT;
        assert_int_equal(request_read(&request, cases[i].line, DEVICE_CPU, &err), 0);
        int status = request_from_input(&request.launch, cases[i].typed, &line, &err);
        if (status == 0)
            status = request_read(&next, line.data, DEVICE_CPU, &err);
        if (status != -1 || err.kind != ERROR_USAGE || !strstr(err.text, cases[i].told))
            fail_msg("'%s': '%s' does not say '%s'", cases[i].typed, err.text, cases[i].told);
        request_release(&request);
        request_release(&next);
        text_release(&line);
    }
}

static void tab_completes(void **state) {
    (void)state;
    static const struct {
        const char *line, *typed, *completed, *choices;
    } cases[] = {
        {"xor --mask 3", "wid", "width ", "width"},
        {"xor --mask 3", "t", "t", "threads type timeout"},
        {"xor --mask 3", "th", "threads ", "threads"},
        {"xor --mask 3", "m", "m", "mask members memory"},
        {"xor --mask 3", "u", "u", "undefined up"},
        {"xor --mask 3", "x", "xor ", "xor"},
        {"xor --mask 3", "sr", "sr", ""}, /* of another shuffle */
        {"idx --src 3", "sr", "src ", "src"},
        {"xor --mask 3", "type bf", "type bfloat16", "bfloat16 bfloat162"},
        {"xor --mask 3", "--type d", "--type double ", "double"},
        {"xor --mask 3", "--mask 3 --wi", "--mask 3 --width ", "--width"},
        {"xor --mask 3", "width ", "width ", "1 2 4 8 16 32"},
        {"xor --mask 3", "device g", "device gpu ", "gpu"},
        {"xor --mask 3", "kernel scan", "kernel scan-", "scan-8 scan-32"},
        {"xor --mask 3", "mask ", "mask ", ""},
        {"xor --mask 3", "zzz", "zzz", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request request;
        struct text completed = TEXT_INIT, choices = TEXT_INIT;
        assert_int_equal(request_read(&request, cases[i].line, DEVICE_CPU, NULL), 0);
        request_complete(&request.launch, cases[i].typed, &completed, &choices);
        assert_string_equal(completed.data, cases[i].completed);
        assert_string_equal(choices.data, cases[i].choices);
        text_release(&completed);
        text_release(&choices);
        request_release(&request);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_round_trips),
        cmocka_unit_test(typed_options_change_it),
        cmocka_unit_test(errors_are_worded_as_on_the_command_line),
        cmocka_unit_test(tab_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
