/*
 * test_programs.c - the programs of kernels/: every type, width and argument of the four shuffles,
 * and the others against plain sums, under many orders of their lanes.
 */
#include "device/cpu.h"
#include "device/device.h"
#include "memory_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POISON  0xbadbadbadbadbad0
#define SEEDS   50
#define THREADS 1024

static uint64_t bits_mask(enum warp_type type) {
    unsigned bits = warp_type_info(type)->bits;
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Runs a program and checks every recorded step against lib/warp. */
static void run_program(const struct program *program, const struct program_parameters *parameters,
                        uint64_t schedule, uint64_t *output, size_t *steps) {
    struct memory_sink sink;
    struct error err = ERROR_INIT;
    memory_sink_init(&sink, 8, 2048);
    const struct cpu_options options = {
        .settings.schedule = schedule, .settings.poison = POISON, .sink = &sink.sink};
    if (cpu_run_program(program, parameters, &options, output, &err) != 0)
        fail_msg("%s: %s", program->name, err.text);
    *steps = memory_sink_steps(&sink);
    assert_int_equal(sink.dropped, 0);
    for (size_t s = 0; s < *steps; s++) {
        struct sink_step step = memory_sink_step(&sink, s);
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&step.operation, outcome);
        assert_int_equal(warp_disagreement(&step.operation, outcome), 0);
        assert_string_equal(step.site->file, program->file);
    }
    memory_sink_release(&sink);
}

/* ---- the four shuffles ---- */

/* The lane read, or the lane itself; from the PTX pseudo-code, independently of lib/warp. */
static int source_lane(const char *op, int lane, int32_t argument, int width) {
    int first = lane - lane % width, last = first + width - 1;
    int b = argument & 31, j = lane;
    if (strcmp(op, "idx") == 0)
        j = first + b % width;
    else if (strcmp(op, "up") == 0)
        j = lane - b < first ? lane : lane - b;
    else if (strcmp(op, "down") == 0)
        j = lane + b > last ? lane : lane + b;
    else
        j = (lane ^ b) > last ? lane : lane ^ b;
    return j;
}

static void check_shuffle(const struct program *program, enum warp_type type, int width,
                          const int32_t argument[32], uint32_t members, unsigned threads,
                          uint64_t schedule) {
    uint64_t input[64], output[64];
    size_t steps;
    for (unsigned i = 0; i < 64; i++)
        input[i] = (i + 1) * UINT64_C(0x0123456789abcdef) & bits_mask(type);
    struct program_parameters parameters = program->defaults;
    parameters.type = type;
    parameters.width = width;
    parameters.argument = argument;
    parameters.members = members;
    parameters.threads = threads;
    parameters.input = input;
    run_program(program, &parameters, schedule, output, &steps);
    for (unsigned thread = 0; thread < threads; thread++) {
        int lane = (int)(thread % 32);
        unsigned base = thread - (unsigned)lane;
        int source = source_lane(program->name, lane, argument[lane], width);
        uint64_t expected = input[base + (unsigned)source];
        if (!(members >> lane & 1))
            expected = input[thread]; /* makes no call */
        else if (base + (unsigned)source >= threads || !(members >> source & 1))
            expected = POISON & bits_mask(type);
        if (output[thread] != expected)
            fail_msg("%s type %d width %d thread %u: %llx, not %llx", program->name, (int)type,
                     width, thread, (unsigned long long)output[thread],
                     (unsigned long long)expected);
    }
}

static const char *const shuffles[] = {"idx", "up", "down", "xor"};

static void test_every_type_and_width(void **state) {
    (void)state;
    for (int op = 0; op < 4; op++) {
        const struct program *program = device_program_find(shuffles[op]);
        for (int type = 0; type < WARP_TYPE_NONE; type++)
            for (int width = 1; width <= 32; width *= 2)
                for (int argument = -3; argument < 40; argument += 7) {
                    int32_t arguments[32];
                    for (int lane = 0; lane < 32; lane++)
                        arguments[lane] = argument;
                    check_shuffle(program, (enum warp_type)type, width, arguments, 0xffffffff, 64,
                                  0);
                }
    }
}

static void test_every_argument(void **state) {
    (void)state;
    for (int op = 0; op < 4; op++)
        for (int width = 1; width <= 32; width *= 2)
            for (int argument = -64; argument < 96; argument += 5) {
                int32_t arguments[32];
                for (int lane = 0; lane < 32; lane++)
                    arguments[lane] = argument;
                check_shuffle(device_program_find(shuffles[op]), WARP_TYPE_INT, width, arguments,
                              0xffffffff, 32, 0);
            }
}

static void test_partial_masks_warps_and_own_arguments(void **state) {
    (void)state;
    static const uint32_t masks[] = {0xffffffff, 0x0000ffff, 0x55555555, 0x80000001, 0x0f0f0f00};
    for (int op = 0; op < 4; op++)
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                int32_t arguments[32];
                for (int lane = 0; lane < 32; lane++)
                    arguments[lane] = lane * 5 + (int)seed;
                check_shuffle(device_program_find(shuffles[op]), WARP_TYPE_DOUBLE, 16, arguments,
                              masks[m], 64, seed);
                check_shuffle(device_program_find(shuffles[op]), WARP_TYPE_HALF, 32, arguments,
                              masks[m], 35, seed);
            }
}

/* By hand, from the vectors of the guide's arithmetic: xor 16 at width 16. */
static void test_xor_beyond_the_group_by_hand(void **state) {
    (void)state;
    const struct program *program = device_program_find("xor");
    int32_t arguments[32];
    uint64_t input[32], output[32];
    size_t steps;
    for (int lane = 0; lane < 32; lane++) {
        arguments[lane] = 16;
        input[lane] = (uint64_t)lane;
    }
    struct program_parameters parameters = program->defaults;
    parameters.width = 16;
    parameters.argument = arguments;
    parameters.input = input;
    run_program(program, &parameters, 0, output, &steps);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(output[lane], lane % 16);
    assert_int_equal(steps, 1);
}

/* ---- the others ---- */

/* Small integers: every type represents them and their sums exactly. */
static int64_t input_of(unsigned thread) {
    return (int64_t)(thread * 7 % 5) - 1;
}

static int64_t sum_of(unsigned first, unsigned count) {
    int64_t sum = 0;
    for (unsigned thread = first; thread < first + count; thread++)
        sum += input_of(thread);
    return sum;
}

/* The expected output of a thread, computed by the CPU. */
typedef int64_t reference(unsigned thread, unsigned threads, unsigned width);

static int64_t broadcast(unsigned thread, unsigned threads, unsigned width) {
    (void)threads;
    return input_of(thread - thread % width);
}
static int64_t group_sum(unsigned thread, unsigned threads, unsigned width) {
    (void)threads;
    return sum_of(thread - thread % width, width);
}
static int64_t group_max(unsigned thread, unsigned threads, unsigned width) {
    (void)threads;
    int64_t largest = INT64_MIN;
    for (unsigned other = thread - thread % width, i = 0; i < width; i++)
        if (input_of(other + i) > largest)
            largest = input_of(other + i);
    return largest;
}
static int64_t scan(unsigned thread, unsigned threads, unsigned width) {
    (void)threads, (void)width;
    return sum_of(thread - thread % 8, thread % 8 + 1);
}
static int64_t block_sum(unsigned thread, unsigned threads, unsigned width) {
    (void)width;
    return sum_of(thread / threads * threads, threads);
}

static const struct {
    const char *name;
    reference *reference;
    unsigned blocks, threads;
    unsigned
        outputs_apart; /* the distance between outputs that hold results; 0: one result per block */
    bool signed_only;
} cases[] = {
    {"broadcast", broadcast, 2, 64, 1, false},
    {"reduce-xor-sum", group_sum, 2, 64, 1, false},
    {"reduce-xor-max", group_max, 2, 64, 1, true},
    {"reduce-down-sum", group_sum, 2, 64, 32, false},
    {"scan-8", scan, 2, 64, 1, false},
    {"allreduce", block_sum, 2, 128, 1, false},
    {"allreduce", block_sum, 1, 32, 1, false},
    {"block-reduce", block_sum, 3, 35, 0, false},
    {"block-reduce", block_sum, 2, 100, 0, false},
    {"block-reduce", block_sum, 1, 1, 0, false},
    {"block-reduce", block_sum, 1, 1000, 0, false},
};

static void check_case(size_t c, enum warp_type type, uint64_t seed) {
    const struct program *program = device_program_find(cases[c].name);
    uint64_t input[THREADS], output[THREADS];
    unsigned count = cases[c].threads * cases[c].blocks;
    size_t steps;
    assert_non_null(program);
    for (unsigned thread = 0; thread < count; thread++)
        input[thread] = warp_value_from_integer(type, input_of(thread));
    struct program_parameters parameters = program->defaults;
    parameters.type = type;
    parameters.width = 32;
    parameters.threads = cases[c].threads;
    parameters.blocks = cases[c].blocks;
    parameters.input = input;
    run_program(program, &parameters, seed, output, &steps);
    unsigned apart = cases[c].outputs_apart;
    unsigned outputs = apart ? count / apart : cases[c].blocks;
    for (unsigned i = 0; i < outputs; i++) {
        unsigned thread = apart ? i * apart : i * cases[c].threads;
        unsigned at = apart ? thread : i;
        int64_t expected = cases[c].reference(thread, cases[c].threads, 32);
        if (output[at] != warp_value_from_integer(type, expected))
            fail_msg("%s type %d seed %llu output %u: %llx, not %lld", program->name, (int)type,
                     (unsigned long long)seed, at, (unsigned long long)output[at],
                     (long long)expected);
    }
}

static void test_programs_against_the_cpu_under_many_schedules(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            check_case(c, WARP_TYPE_INT, seed);
}

static void test_programs_in_every_type_they_are_built_for(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t types = device_program_find(cases[c].name)->types;
        for (int type = 0; type < WARP_TYPE_NONE; type++) {
            bool is_unsigned = type == WARP_TYPE_UNSIGNED || type == WARP_TYPE_UNSIGNED_LONG ||
                               type == WARP_TYPE_UNSIGNED_LONG_LONG;
            if (cases[c].signed_only && is_unsigned) /* -1 is the largest there */
                continue;
            if (types >> type & 1)
                check_case(c, (enum warp_type)type, (uint64_t)type);
        }
    }
}

static void test_shuffles_do_not_depend_on_the_schedule(void **state) {
    (void)state;
    int32_t arguments[32];
    for (int lane = 0; lane < 32; lane++)
        arguments[lane] = 3 * lane;
    for (int op = 0; op < 4; op++)
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            check_shuffle(device_program_find(shuffles[op]), WARP_TYPE_FLOAT, 8, arguments,
                          0x7fff0fff, 64, seed);
}

/* The last addition is visible: the program's last step shows its result. */
static void test_programs_watch_their_result(void **state) {
    (void)state;
    const struct program *program = device_program_find("reduce-xor-sum");
    struct memory_sink sink;
    struct error err = ERROR_INIT;
    uint64_t input[32];
    for (unsigned lane = 0; lane < 32; lane++)
        input[lane] = lane;
    struct program_parameters parameters = program->defaults;
    parameters.input = input;
    memory_sink_init(&sink, 4, 16);
    const struct cpu_options options = {.sink = &sink.sink};
    assert_int_equal(cpu_run_program(program, &parameters, &options, NULL, &err), 0);
    assert_int_equal(memory_sink_steps(&sink), 6);
    struct sink_step last = memory_sink_step(&sink, 5);
    assert_int_equal(last.header->op, WARP_OP_WATCH);
    assert_string_equal(last.site->text, "sum");
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(last.operation.out[lane], 496);
    memory_sink_release(&sink);
}

/* ---- the list, and device_run ---- */

static void test_listed_programs_are_complete(void **state) {
    (void)state;
    size_t count;
    const struct program *const *programs = device_programs(&count);
    assert_true(count >= 11);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(programs[i]->name, shuffles[i]);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(device_program_find(programs[i]->name), programs[i]);
        assert_non_null(strstr(programs[i]->source, "__global__"));
        assert_memory_equal(programs[i]->file, "kernels/", 8);
        assert_non_null(strstr(programs[i]->source, programs[i]->file + 8)); /* its first line */
        assert_true(programs[i]->types >> programs[i]->defaults.type & 1);
    }
    assert_null(device_program_find("no such program"));
}

static void test_a_run_is_a_whole_recording(void **state) {
    (void)state;
    const struct program *program = device_program_find("allreduce");
    const struct trace_writer_options writer_options = {.value_bytes = 4, .step_limit = 5};
    const struct device_options options = {
        .kind = DEVICE_CPU, .settings.schedule = 3, .settings.poison = POISON};
    struct trace_writer *writer;
    struct trace *trace = NULL;
    struct error err = ERROR_INIT;
    uint64_t input[128] = {0};
    struct program_parameters parameters = program->defaults;
    parameters.input = input;
    assert_int_equal(trace_writer_open(&writer, NULL, &writer_options, &err), 0);
    assert_int_equal(device_run(program, &parameters, &options, writer, NULL, &err), 0);
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(trace_step_count(trace), 5);
    assert_int_equal(trace_dropped(trace), 39); /* 4 warps, 10 shuffles and a watch each: 44 */
    assert_string_equal(trace_note(trace, TRACE_NOTE_DEVICE), "cpu");
    assert_string_equal(trace_note(trace, TRACE_NOTE_NAME), "CPU warp");
    assert_string_equal(trace_note(trace, TRACE_NOTE_RECORDED), "emulated");
    assert_string_equal(trace_note(trace, TRACE_NOTE_SCHEDULE), "3");
    assert_string_equal(trace_note(trace, TRACE_NOTE_POISON), "0xbadbadbadbadbad0");
    assert_string_equal(trace_source(trace, "kernels/allreduce.cu"), program->source);
    assert_int_equal(trace_launch_count(trace), 1);
    assert_string_equal(trace_launch(trace, 0)->kernel, "allreduce");
    assert_int_equal(trace_launch(trace, 0)->block[0], 128);
    trace_close(trace);
}

/*
 * 180 threads pass 1 each: warp 5 has lanes 0 to 19, and a butterfly runs from laneMask 16 down.
 *
 *     xor 16   lanes 4-15 read lanes that do not exist
 *     xor 8    0-3 read 8-11, 4-7 read 12-15, 12-15 read 4-7: values computed from undefined ones;
 *              8-11 read 0-3, whose values are defined; 16-19 read 24-27, which do not exist
 *     xor 4    all values passed are computed from undefined ones
 *
 * At the end thread 0 adds up the sums that the warps have left in shared memory, and watches the
 * total.
 */
static void test_what_is_computed_from_undefined_values_is_marked(void **state) {
    (void)state;
    static const struct {
        uint32_t in, out;
    } rounds[] = {{0, 0}, {0x0000fff0, 0x0000f0ff}, {0x000fffff, 0x0000ffff}};
    const struct program *program = device_program_find("partial-sum");
    const struct trace_writer_options writer_options = {.value_bytes = 4};
    struct device_options options = {.kind = DEVICE_CPU, .settings.poison = 0};
    struct program_parameters parameters = program->defaults;
    uint64_t input[192];
    for (size_t i = 0; i < 192; i++)
        input[i] = 1;
    parameters.input = input;
    parameters.threads = 180;
    for (int follows = 0; follows < 2; follows++) {
        struct trace_writer *writer;
        struct trace *trace = NULL;
        struct trace_step step;
        options.settings.unfollowed = !follows;
        assert_int_equal(trace_writer_open(&writer, NULL, &writer_options, NULL), 0);
        assert_int_equal(device_run(program, &parameters, &options, writer, NULL, NULL), 0);
        assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
        assert_int_equal(trace_is_followed(trace), follows);
        size_t round = 0;
        for (uint64_t i = 0; i < trace_step_count(trace); i++) {
            assert_int_equal(trace_step(trace, i, &step, NULL), 0);
            if (step.warp != 5) { /* whole warps have nothing undefined */
                const bool total = strcmp(trace_site(trace, step.site)->text, "total") == 0;
                assert_int_equal(step.operation.doubtful_in, follows && total);
            } else if (round < 3) {
                assert_int_equal(step.operation.doubtful_in, follows ? rounds[round].in : 0);
                assert_int_equal(step.operation.doubtful_out, follows ? rounds[round].out : 0);
                round++;
            }
        }
        assert_int_equal(round, 3);
        trace_close(trace);
    }
}

static void assert_refused(const struct program_parameters *parameters, const char *part) {
    const struct program *program = device_program_find("block-reduce");
    const struct cpu_options options = {.settings.poison = 0};
    struct error err = ERROR_INIT;
    assert_int_equal(cpu_run_program(program, parameters, &options, NULL, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, part));
}

static void test_parameters_that_cannot_run_are_refused(void **state) {
    (void)state;
    uint64_t input[1] = {0};
    struct program_parameters good = device_program_find("block-reduce")->defaults;
    good.input = input;
    struct program_parameters bad = good;
    bad.threads = 2000;
    assert_refused(&bad, "2000 threads");
    bad = good;
    bad.blocks = 0;
    assert_refused(&bad, "0 blocks");
    bad = good;
    bad.type = WARP_TYPE_HALF2;
    assert_refused(&bad, "half2");
    bad.type = WARP_TYPE_COUNT;
    assert_refused(&bad, "is not built for the type that was given");
    bad = good;
    bad.input = NULL;
    assert_refused(&bad, "a value");
}

static void test_a_missing_gpu_is_reported(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_true(device_available(DEVICE_CPU, &err));
    assert_true(device_available(DEVICE_AUTO, &err));
    assert_false(device_available(DEVICE_GPU, &err));
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "--device cpu"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_and_width),
        cmocka_unit_test(test_every_argument),
        cmocka_unit_test(test_partial_masks_warps_and_own_arguments),
        cmocka_unit_test(test_xor_beyond_the_group_by_hand),
        cmocka_unit_test(test_programs_against_the_cpu_under_many_schedules),
        cmocka_unit_test(test_programs_in_every_type_they_are_built_for),
        cmocka_unit_test(test_shuffles_do_not_depend_on_the_schedule),
        cmocka_unit_test(test_programs_watch_their_result),
        cmocka_unit_test(test_listed_programs_are_complete),
        cmocka_unit_test(test_a_run_is_a_whole_recording),
        cmocka_unit_test(test_what_is_computed_from_undefined_values_is_marked),
        cmocka_unit_test(test_parameters_that_cannot_run_are_refused),
        cmocka_unit_test(test_a_missing_gpu_is_reported),
    };
    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
