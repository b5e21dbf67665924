/*
 * Every kernel of kernels/, built once more from its own text, has the same results, and also
 * lines, variables and origins.
 */
#include "launch/kernel_details.h"
#include "trace/lines/lines.h"
#include "trace/lines/origins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The warps may be in a different order. */
static void same_steps(const char *name, const struct trace *a, const struct trace *b) {
    struct trace_warp warp, other;
    struct error err = ERROR_INIT;
    assert_int_equal(trace_step_count(a), trace_step_count(b));
    for (uint64_t w = 0; trace_warp(a, w, &warp); w++) {
        uint64_t at = 0;
        while (trace_warp(b, at, &other) && (other.launch != warp.launch ||
                                             other.block != warp.block || other.warp != warp.warp))
            at++;
        assert_int_equal(warp.steps, other.steps);
        for (uint64_t i = 0; i < warp.steps; i++) {
            struct trace_step one, two;
            assert_int_equal(trace_step(a, trace_warp_step(a, &warp, i), &one, &err), 0);
            assert_int_equal(trace_step(b, trace_warp_step(b, &other, i), &two, &err), 0);
            const struct warp_operation *x = &one.operation, *y = &two.operation;
            if (x->op != y->op || x->present != y->present || x->members != y->members ||
                memcmp(x->in, y->in, sizeof x->in) != 0 ||
                memcmp(x->arg, y->arg, sizeof x->arg) != 0)
                fail_msg("%s: step %u of warp %u differs", name, (unsigned)i, warp.warp);
        }
    }
}

static void every_kernel_is_the_same_from_its_text(void **state) {
    (void)state;
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++) {
        struct launch launch;
        struct trace *was, *trace;
        struct error err = ERROR_INIT;
        launch_init(&launch, programs[i], programs[i]->name);
        launch.automatic = DEVICE_CPU;
        const enum launch_option argument = launch_argument(programs[i]);
        if (argument != LAUNCH_OPTION_COUNT)
            launch.typed[argument] = "3";
        launch_record(&launch, &was, &err);
        assert_non_null(was);
        if (launch_record_details(&launch, was, &trace, &err) != 0)
            fail_msg("%s: %s", programs[i]->name, err.text);
        same_steps(programs[i]->name, was, trace);
        if (!trace_has_lines(trace) || !trace_origins_of(trace))
            fail_msg("%s: no lines or no origins", programs[i]->name);
        assert_string_equal(trace_note(was, TRACE_NOTE_TITLE), trace_note(trace, TRACE_NOTE_TITLE));
        trace_close(trace);
        trace_close(was);
    }
}

/* The kernel gets the typed options: half the width, other values, fewer lanes. */
static void options_apply(void **state) {
    (void)state;
    struct launch launch;
    struct trace *was, *trace;
    struct error err = ERROR_INIT;
    struct word_list words;
    launch_init(&launch, device_program_find("up"), "up");
    launch.automatic = DEVICE_CPU;
    assert_int_equal(launch_read_line(&launch,
                                      "--delta 'lane % 3' --width 16 --in 'lane * 0.5' --type "
                                      "double --members 0xffff",
                                      &words, &err),
                     0);
    assert_int_equal(launch_record(&launch, &was, &err), 0);
    assert_int_equal(launch_record_details(&launch, was, &trace, &err), 0);
    same_steps("up", was, trace);
    trace_close(trace);
    trace_close(was);
    words_release(&words);
}

static void a_large_input_is_refused(void **state) {
    (void)state;
    struct launch launch;
    struct trace *was, *trace;
    struct error err = ERROR_INIT;
    struct word_list words;
    launch_init(&launch, device_program_find("grid-reduce-warp"), "kernel grid-reduce-warp");
    launch.automatic = DEVICE_CPU;
    assert_int_equal(launch_read_line(&launch, "--n 65537 --in 1", &words, &err), 0);
    assert_int_equal(launch_record(&launch, &was, &err), 0);
    assert_int_equal(launch_record_details(&launch, was, &trace, &err), -1);
    assert_null(trace);
    assert_non_null(strstr(err.text, "more than 65536 values"));
    trace_close(was);
    words_release(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_the_same_from_its_text),
        cmocka_unit_test(options_apply),
        cmocka_unit_test(a_large_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
