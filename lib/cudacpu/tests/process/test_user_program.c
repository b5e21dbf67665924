/* User programs in their natural form, built, run and recorded. Expected values are worked out by
 * hand. */
#include "base/memory.h"
#include "cudacpu/process/user_program.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-test-XXXXXX";
static char source[64], recording[64];

static void write_source(const char *text) {
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Reads a file and builds it. */
static int build_file(struct user_program *program, const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    memset(program, 0, sizeof(*program));
    sigprocmask(SIG_BLOCK, NULL, &program->signals);
    int status = user_program_read(path, &text, err);
    const char *slash = strrchr(path, '/');
    const struct user_source one = {path, slash ? slash + 1 : path, &text};
    if (status == 0)
        status = user_program_build(program,
                                    &(struct user_build){.sources = &one, .source_count = 1}, err);
    text_release(&text);
    return status;
}

static void take_output(void *context, int stream, const char *bytes, size_t count) {
    (void)stream;
    text_append_bytes(context, bytes, count);
}

/* Runs the built program, for at most `seconds`. */
static int run_built(const struct user_program *program, unsigned seconds, struct text *output,
                     struct error *err) {
    int status;
    const struct user_run run = {.trace_path = recording,
                                 .settings = {.limits.seconds = seconds, .zero_memory = true},
                                 .input = -1,
                                 .output = take_output,
                                 .output_context = output};
    return user_program_run(program, &run, &status, err);
}

/* Builds and runs; returns the recording, or NULL with err filled. */
static struct trace *record(const char *text, struct text *output, struct error *err) {
    struct user_program program;
    struct trace *trace = NULL;
    write_source(text);
    unlink(recording);
    int status = build_file(&program, source, err);
    if (status == 0)
        status = run_built(&program, 60, output, err);
    char *built = program.folder.path ? memory_string(program.folder.path) : NULL;
    user_program_release(&program);
    if (built)
        assert_int_equal(access(built, F_OK), -1); /* nothing is left behind */
    free(built);
    if (access(recording, F_OK) == 0 && trace_open(&trace, recording, NULL) != 0)
        trace = NULL;
    (void)status;
    return trace;
}

static void test_a_program_with_a_main(void **state) {
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    struct trace_step step;
    (void)state;
    struct trace *trace =
        record("#include <cstdio>\n"
               "#include <vector>\n"
               "template <class T> __global__ void swap(T *values) {\n"
               "    T mine = values[threadIdx.x];\n"
               "    values[threadIdx.x] = __shfl_xor_sync(~0u, mine, 1);\n"
               "}\n"
               "int main() {\n"
               "    std::vector<int> host(32);\n"
               "    for (int i = 0; i < 32; i++) host[i] = 10 * i;\n"
               "    int *values;\n"
               "    cudaMalloc(&values, 32 * sizeof *values);\n"
               "    cudaMemcpy(values, host.data(), 128, cudaMemcpyHostToDevice);\n"
               "    swap<<<1, 32>>>(values);\n"
               "    cudaMemcpy(host.data(), values, 128, cudaMemcpyDeviceToHost);\n"
               "    printf(\"%d %d\\n\", host[0], host[31]);\n"
               "    return 3;\n"
               "}\n",
               &output, &err);
    assert_string_equal(err.text, "");
    assert_string_equal(output.data, "10 300\n");
    assert_non_null(trace);
    assert_true(trace_is_complete(trace));
    assert_int_equal(trace_step_count(trace), 1);
    assert_int_equal(trace_step(trace, 0, &step, NULL), 0);
    assert_int_equal(step.operation.op, WARP_OP_XOR);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(step.operation.out[lane], 10 * (lane ^ 1));
    const struct trace_site *site = trace_site(trace, step.site);
    assert_string_equal(site->file, "mine.cu");
    assert_int_equal(site->line, 5);
    assert_string_equal(trace_launch(trace, 0)->kernel, "swap");
    /* The source is stored as it was written, so that its line numbers match those in sites. */
    assert_memory_equal(trace_source(trace, "mine.cu"), "#include <cstdio>\n", 18);
    assert_non_null(strstr(trace_source(trace, "mine.cu"), "swap<<<1, 32>>>(values);"));
    assert_string_equal(trace_note(trace, TRACE_NOTE_RECORDED), "emulated");
    trace_close(trace);
    text_release(&output);
}

static void test_a_program_that_crashes_keeps_its_steps(void **state) {
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace *trace = record("#include <csignal>\n"
                                 "__global__ void k() { __shfl_sync(~0u, 1, 0); }\n"
                                 "int main() { k<<<1, 32>>>(); k<<<1, 32>>>(); raise(SIGKILL); }\n",
                                 &output, &err);
    assert_int_equal(err.kind, ERROR_RUN);
    assert_non_null(strstr(err.text, "was killed (SIGKILL)"));
    assert_non_null(trace);
    assert_int_equal(trace_step_count(trace), 2);
    trace_close(trace);
    text_release(&output);
}

static void test_lanes_that_wait_forever_are_reported(void **state) {
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    struct trace *trace = record("__global__ void k() {\n"
                                 "    if (threadIdx.x < 16) __syncwarp(); else __syncthreads();\n"
                                 "}\n"
                                 "int main() { k<<<1, 32>>>(); return 0; }\n",
                                 &output, &err);
    assert_non_null(trace);
    assert_non_null(trace_note(trace, TRACE_NOTE_FAILURE));
    assert_non_null(strstr(trace_note(trace, TRACE_NOTE_FAILURE), "does not finish"));
    trace_close(trace);
    text_release(&output);
}

static void test_an_endless_program_is_ended(void **state) {
    struct user_program program;
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    (void)state;
    write_source("int main() { for (volatile int i = 0;; i = i) ; }\n");
    assert_int_equal(build_file(&program, source, &err), 0);
    assert_int_equal(run_built(&program, 1, &output, &err), -1);
    assert_int_equal(err.kind, ERROR_RUN);
    assert_non_null(strstr(err.text, "within 1 s"));
    user_program_release(&program);
    text_release(&output);
}

/* A process that a program leaves behind, with the write end open, is ended. */
static void test_what_a_program_leaves_behind_is_ended(void **state) {
    struct text output = TEXT_INIT, text = TEXT_INIT;
    struct error err = ERROR_INIT;
    char alive[64], byte;
    (void)state;
    snprintf(alive, sizeof(alive), "%s/alive", folder);
    assert_int_equal(mkfifo(alive, 0600), 0);
    int descriptor = open(alive, O_RDONLY | O_NONBLOCK);
    assert_true(descriptor >= 0);
    text_append_format(&text,
                       "#include <fcntl.h>\n"
                       "#include <stdio.h>\n"
                       "#include <unistd.h>\n"
                       "int main() {\n"
                       "    open(\"%s\", O_WRONLY);\n"
                       "    if (fork() == 0) for (;;) pause();\n"
                       "    puts(\"gone\");\n"
                       "}\n",
                       alive);
    trace_close(record(text.data, &output, &err));
    assert_string_equal(output.data, "gone\n");
    /* A killed process closes its files a moment later. */
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    assert_int_equal(poll(&wanted, 1, 10000), 1);
    assert_int_equal(read(descriptor, &byte, 1), 0);
    close(descriptor);
    unlink(alive);
    text_release(&output);
    text_release(&text);
}

static volatile sig_atomic_t delivered;

static void note_signal(int signal) {
    delivered = signal;
}

static void interrupt_by(int number) {
    struct user_program program;
    struct text output = TEXT_INIT;
    struct error err = ERROR_INIT;
    struct sigaction action = {.sa_handler = note_signal}, before;
    delivered = 0;
    sigaction(number, &action, &before);
    write_source("int main() { for (volatile int i = 0;; i = i) ; }\n");
    assert_int_equal(build_file(&program, source, &err), 0);
    char *folder_of_it = memory_string(program.folder.path);
    raise(number);
    assert_int_equal(run_built(&program, 60, &output, &err), -1);
    assert_int_equal(err.kind, ERROR_RUN);
    assert_non_null(strstr(err.text, "interrupted"));
    assert_int_equal(delivered, 0);
    user_program_release(&program);
    assert_int_equal(delivered, number);
    assert_int_equal(access(folder_of_it, F_OK), -1);
    sigaction(number, &before, NULL);
    free(folder_of_it);
    text_release(&output);
}

static void test_an_interruption_waits_until_all_is_removed(void **state) {
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                  SIGUSR1, SIGALRM, SIGXCPU, SIGPROF};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        interrupt_by(numbers[i]);
#ifdef SIGRTMIN
    interrupt_by(SIGRTMIN + 3);
#endif
}

static void test_compiler_errors_name_file_and_line(void **state) {
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    write_source("__global__ void k() {\n    int x = nothing;\n}\nint main() {}\n");
    assert_int_equal(build_file(&program, source, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "mine.cu:2:"));
    user_program_release(&program);
}

static void test_missing_sources_are_refused(void **state) {
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(build_file(&program, "/nowhere/at/all.cu", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    user_program_release(&program);
    assert_int_equal(build_file(&program, folder, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    user_program_release(&program);
    unlink(source);
    assert_int_equal(mkfifo(source, 0600), 0); /* no process writes to it */
    assert_int_equal(build_file(&program, source, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    user_program_release(&program);
    unlink(source);
    write_source("int main() {}\n");
    setenv("SHFLVIZ_CLANG", "/nowhere/clang++", 1);
    assert_int_equal(build_file(&program, source, &err), -1);
    assert_int_equal(err.kind, ERROR_MISSING);
    assert_non_null(strstr(err.text, "cannot run '/nowhere/clang++'"));
    unsetenv("SHFLVIZ_CLANG");
    user_program_release(&program);
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(source, sizeof(source), "%s/mine.cu", folder);
    snprintf(recording, sizeof(recording), "%s/run.svt", folder);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(source);
    unlink(recording);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_with_a_main),
        cmocka_unit_test(test_a_program_that_crashes_keeps_its_steps),
        cmocka_unit_test(test_lanes_that_wait_forever_are_reported),
        cmocka_unit_test(test_an_endless_program_is_ended),
        cmocka_unit_test(test_what_a_program_leaves_behind_is_ended),
        cmocka_unit_test(test_an_interruption_waits_until_all_is_removed),
        cmocka_unit_test(test_compiler_errors_name_file_and_line),
        cmocka_unit_test(test_missing_sources_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
