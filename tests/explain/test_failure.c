/* Why a run did not finish: the kind, and words made from the recording. */
#include "explain/findings/failure.h"

#include "base/message.h"
#include "explain/findings/finding.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A recording without steps that has these notes; NULL leaves one out. */
static struct trace *noted(const char *failure, const char *kind, const char *waiting) {
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(
        trace_writer_open(&writer, NULL, &(struct trace_writer_options){.value_bytes = 4}, NULL),
        0);
    if (failure)
        trace_writer_note(writer, TRACE_NOTE_FAILURE, failure);
    if (kind)
        trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, kind);
    if (waiting)
        trace_writer_note(writer, TRACE_NOTE_WAITING, waiting);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

static void check_words(const struct trace *trace, const char *words) {
    struct text text = TEXT_INIT;
    failure_append(&text, trace);
    assert_string_equal(text.data, words);
    text_release(&text);
}

static void remember_rule(void *context, const struct finding *finding) {
    assert_null(finding->step);
    *(const char **)context = finding->rule;
}

static void test_each_kind_is_a_rule_of_its_own(void **state) {
    (void)state;
    static const char *const kinds[] = {"deadlock",  "livelock", "launch_refused", "out_of_memory",
                                        "timed_out", "crashed",  "run_failed"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct trace *trace = noted("why", kinds[i], NULL);
        const char *rule = NULL;
        uint64_t count = 0;
        assert_int_equal(findings_walk(trace, remember_rule, &rule, &count, NULL), 0);
        assert_int_equal(count, 1);
        assert_string_equal(rule, kinds[i]);
        trace_close(trace);
    }
}

/* Only a recording that shows waiting lanes is reported as a deadlock. */
static void test_a_recording_without_a_kind(void **state) {
    (void)state;
    struct trace *trace = noted("f did not run: invalid argument", NULL, NULL);
    assert_int_equal(failure_kind(trace), TRACE_FAILURE_OTHER);
    check_words(trace, "the run did not finish: f did not run: invalid argument");
    trace_close(trace);

    trace = noted("why", "of a later version", NULL);
    assert_int_equal(failure_kind(trace), TRACE_FAILURE_OTHER);
    trace_close(trace);

    trace = noted(NULL, "deadlock", NULL);
    assert_int_equal(failure_kind(trace), TRACE_FAILURE_NONE);
    check_words(trace, "");
    trace_close(trace);

    trace = sample_open("waiting");
    assert_int_equal(failure_kind(trace), TRACE_FAILURE_DEADLOCK);
    trace_close(trace);
}

static const char advice[] =
    "every lane that a member mask names, and that has not left the kernel, must make the call, "
    "and every thread of the block must reach __syncthreads()\ntry moving the call out of the "
    "branch, or passing a mask of only the lanes that reach the call";

static void test_waiting_calls_are_read_from_the_steps(void **state) {
    (void)state;
    struct trace *trace = sample_open("waiting");
    char words[1024];
    snprintf(words, sizeof words,
             "the kernel does not finish: lanes of block (0,0,0) wait for each other forever\n"
             "warp 0: lanes 0-15 wait at kernels/shuffle_xor.cu:5 "
             "__shfl_down_sync(0xffffffff, value, delta, width) for lanes 16-31\n%s",
             advice);
    check_words(trace, words);

    struct text text = TEXT_INIT;
    message_language_use("zh");
    failure_append(&text, trace);
    message_language_use("en");
    assert_non_null(strstr(text.data, "通道 0-15"));
    assert_null(strstr(text.data, "wait"));
    text_release(&text);
    trace_close(trace);
}

static void test_what_steps_do_not_show_is_read_from_the_note(void **state) {
    (void)state;
    char words[1024];
    struct trace *trace = noted("why", "deadlock",
                                "block 3 1 0\n"
                                "barrier 0 0x0000ffff a.cu:7 __syncthreads()\n"
                                "missing 0 0xffff0000\n"
                                "missing 2 0x1\n"
                                "barrier 1 0xffffffff a.cu:9 __syncthreads()\n");
    snprintf(words, sizeof words,
             "the kernel does not finish: lanes of block (3,1,0) wait for each other forever\n"
             "warp 0: lanes 0-15 wait at a.cu:7 __syncthreads() for lanes 16-31 of warp 0, lane 0 "
             "of warp 2\n"
             "warp 1: all 32 lanes wait at a.cu:9 __syncthreads() for lanes 16-31 of warp 0, lane "
             "0 of warp 2\n%s",
             advice);
    check_words(trace, words);
    trace_close(trace);

    trace = noted("why", "livelock", "block 0 0 0\nrunning 0 0x8\n");
    check_words(
        trace,
        "the kernel does not finish: lanes of block (0,0,0) read memory millions of times "
        "in a row, with atomic operations or volatile reads, and the value never "
        "changes\nwarp 0: lane 3 is still running\nthe lane that is to change that memory "
        "must not wait for the lanes that spin; the host's writes come too late, since on the CPU "
        "warp a kernel ends before the host continues\ntry another lane order: --schedule SEED");
    trace_close(trace);

    trace = noted("why", "livelock", "block 0 0 0\nrunning 0 0x8 a.cu:4\nrunning 1 0xc a b.cu:5\n");
    check_words(
        trace,
        "the kernel does not finish: lanes of block (0,0,0) read memory millions of times in a "
        "row, with atomic operations or volatile reads, and the value never changes\nwarp 0: lane "
        "3 keeps "
        "reading memory at a.cu:4\nwarp 1: lanes 2-3 keep reading memory at a b.cu:5\nthe lane "
        "that is to change that memory must not wait for the lanes that spin; the host's writes "
        "come too late, "
        "since on the CPU warp a kernel ends before the host continues\ntry another lane order: "
        "--schedule SEED");
    trace_close(trace);
}

/* A note from elsewhere may contain anything: unreadable parts are skipped. */
static void test_a_damaged_note_does_no_harm(void **state) {
    (void)state;
    static const char *const notes[] = {
        "",
        "block",
        "block 1 2",
        "block 0 0 0\nbarrier",
        "block 0 0 0\nbarrier 0",
        "block 0 0 0\nbarrier 0 0x1",
        "block 0 0 0\nmissing 9 zz\nrunning 4294967295 0xffffffff\n\n\nrunning",
        "block 0 0 0\nbarrier 0\n0x1 no line of its own",
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        struct trace *trace = noted("why", "deadlock", notes[i]);
        struct text text = TEXT_INIT;
        failure_append(&text, trace);
        assert_true(text.length > 0);
        text_release(&text);
        trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_is_a_rule_of_its_own),
        cmocka_unit_test(test_a_recording_without_a_kind),
        cmocka_unit_test(test_waiting_calls_are_read_from_the_steps),
        cmocka_unit_test(test_what_steps_do_not_show_is_read_from_the_note),
        cmocka_unit_test(test_a_damaged_note_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
