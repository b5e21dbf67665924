/*
 * A user program in a terminal: it is shown while it runs, can be ended from the screen, and its
 * outcome is shown.
 *
 * The program is the argument. The user's programs wait for files, so that nothing here depends on
 * how fast anything is.
 */
#include "terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const char
    *program; /* set once by main(), because cmocka passes no arguments to its tests */

#define BEGINNING                                                                                  \
    "#include <cstdio>\n"                                                                          \
    "#include <unistd.h>\n"                                                                        \
    "__global__ void sum(int *v, unsigned mask) {\n"                                               \
    "    int x = threadIdx.x;\n"                                                                   \
    "    for (int d = 16; d; d /= 2) x += __shfl_xor_sync(mask, x, d);\n"                          \
    "    v[threadIdx.x] = x;\n"                                                                    \
    "}\n"                                                                                          \
    "static int *v;\n"                                                                             \
    "static void launch() { sum<<<1, 32>>>(v, 0xffffffff); cudaDeviceSynchronize(); }\n"           \
    "static void wait_for(const char *name) { while (access(name, F_OK) != 0) usleep(1000); }\n"   \
    "int main() {\n"                                                                               \
    "    cudaMalloc(&v, 4096);\n"

/* Each word is printed in two parts, so that the source text on the screen does not contain it. */
static const char waits[] = BEGINNING "    printf(\"fir%s\\n\", \"st\");\n"
                                      "    launch();\n"
                                      "    wait_for(\"go\");\n"
                                      "    printf(\"seco%s\\n\", \"nd\");\n"
                                      "    launch();\n"
                                      "    wait_for(\"end\");\n"
                                      "    return 3;\n"
                                      "}\n";

static void write_program(struct terminal *terminal, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/a.cu", terminal->directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void start(struct terminal *terminal, int columns, const char *text, const char *options) {
    char line[1024];
    terminal_start(terminal, columns, 24);
    write_program(terminal, text);
    snprintf(line, sizeof line, "clear; SHFLVIZ_LEGEND=never NO_COLOR=1 %s run a.cu --lang en %s",
             program, options);
    terminal_type(terminal, line);
}

/* Lets the user's program continue. */
static void make_file(struct terminal *terminal, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", terminal->directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static void opens_with_the_first_steps_and_grows(void **state) {
    (void)state;
    struct terminal terminal;
    start(&terminal, 100, waits, "");
    terminal_expect(&terminal, "running: 5 steps so far");
    terminal_keys(&terminal, "P");
    terminal_expect(&terminal, "first");
    make_file(&terminal, "go");
    terminal_expect(&terminal, "second");
    terminal_expect(&terminal, "running: 10 steps so far");
    terminal_keys(&terminal, "v 7");
    terminal_expect(&terminal, "still running, and is recorded without local variables");
    terminal_keys(&terminal, "1");
    terminal_expect_not(&terminal, "second");
    make_file(&terminal, "end");
    terminal_expect(&terminal, "ended with status 3: Enter shows the overview");
    terminal_expect_not(&terminal, "running:");
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "a.cu  ended with status 3");
    terminal_expect(&terminal, "second");
    terminal_expect(&terminal, "shflviz check a.cu");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect(&terminal, "first"); /* the shell has the terminal again */
    terminal_expect(&terminal, "second");
    terminal_expect_status(&terminal, 3);
    terminal_end(&terminal);
}

/* Until a key is pressed, the screen follows the run to its end. */
static void shows_the_end_at_once(void **state) {
    (void)state;
    struct terminal terminal;
    start(&terminal, 80, waits, "");
    terminal_expect(&terminal, "running: 5 steps so far");
    make_file(&terminal, "go");
    make_file(&terminal, "end");
    terminal_expect(&terminal, "a.cu  ended with status 3");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

static void is_ended_by_an_interrupt_and_stays(void **state) {
    (void)state;
    struct terminal terminal;
    start(&terminal, 80, waits, "-o r.svt");
    terminal_expect(&terminal, "running: 5 steps so far");
    terminal_keys(&terminal, "C-c");
    terminal_expect(&terminal, "a.cu was ended; its recording up to that point is here");
    terminal_keys(&terminal, "n l l l l");
    terminal_expect(&terminal, "2/5");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect(&terminal, "a.cu was interrupted");
    terminal_expect(&terminal, "the recording up to then is in r.svt.partial");
    terminal_expect_status(&terminal, 130);
    terminal_end(&terminal);
}

static void leaving_asks_first(void **state) {
    (void)state;
    struct terminal terminal;
    start(&terminal, 80, waits, "");
    terminal_expect(&terminal, "running: 5 steps so far");
    terminal_keys(&terminal, "q");
    terminal_expect(&terminal, "a.cu is still running: q again ends it");
    terminal_keys(&terminal, "n"); /* stays on the screen */
    terminal_expect(&terminal, "2/5");
    terminal_expect_not(&terminal, "q again");
    terminal_keys(&terminal, "q q");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 130);
    terminal_end(&terminal);
}

/* The program has the terminal until the screen opens, and the screen has it from then on. */
static void input_is_the_programs_until_it_opens(void **state) {
    static const char asks[] = BEGINNING "    int n = 0, more = 0;\n"
                                         "    printf(\"how ma%s? \", \"ny\"); fflush(stdout);\n"
                                         "    scanf(\"%d\", &n);\n"
                                         "    printf(\"got %d\\n\", n + 1);\n"
                                         "    launch();\n"
                                         "    printf(\"then %d\\n\", scanf(\"%d\", &more));\n"
                                         "    launch();\n"
                                         "    wait_for(\"end\");\n"
                                         "}\n";
    (void)state;
    struct terminal terminal;
    start(&terminal, 100, asks, "");
    terminal_expect(&terminal, "how many?");
    terminal_bytes(&terminal, "41\r");
    terminal_expect(&terminal, "running: 10 steps so far");
    terminal_keys(&terminal, "P");
    terminal_expect(&terminal, "got 42");
    terminal_expect(&terminal, "then -1"); /* the end of its input */
    make_file(&terminal, "end");
    terminal_expect(&terminal, "ended with status 0");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 0);
    terminal_end(&terminal);
}

/* The screen opens with the findings and the output; Enter goes to the first finding. */
static void opens_on_what_matters(void **state) {
    static const char wrong[] = BEGINNING "    launch();\n"
                                          "    sum<<<1, 32>>>(v, 0xffff);\n"
                                          "    cudaDeviceSynchronize();\n"
                                          "    printf(\"wro%s\\n\", \"ng\");\n"
                                          "    return 1;\n"
                                          "}\n";
    (void)state;
    struct terminal terminal;
    start(&terminal, 80, wrong, "");
    terminal_expect(&terminal, "a.cu  ended with status 1");
    terminal_expect(&terminal, "source_lane_not_in_mask");
    terminal_expect(&terminal, "wrong");
    terminal_expect(&terminal, "possible cause: source_lane_not_in_mask on line 5");
    terminal_expect(&terminal, "─ explain ─"); /* the fix for the finding, too */
    terminal_expect(&terminal, "instead:");
    terminal_expect(&terminal, "a.cu:5 ─"); /* the finding's code, in the rows left free */
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "! source_lane_not_in_mask");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 1);
    terminal_end(&terminal);
}

/* The number of launches does not matter. */
static void a_clean_program_opens_on_its_first_operation(void **state) {
    static const char clean[] = BEGINNING "    launch();\n"
                                          "    launch();\n"
                                          "}\n";
    (void)state;
    struct terminal terminal;
    start(&terminal, 80, clean, "");
    terminal_expect(&terminal, "1/5");
    terminal_expect_not(&terminal, "ended with");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 0);
    terminal_end(&terminal);
}

/* No option requests variables or origins: the program runs once more when a key needs them. */
static void keys_request_variables_and_origins(void **state) {
    static const char once[] = BEGINNING "    FILE *runs = fopen(\"runs\", \"a\");\n"
                                         "    fputs(\"x\", runs);\n"
                                         "    fclose(runs);\n"
                                         "    launch();\n"
                                         "}\n";
    (void)state;
    struct terminal terminal;
    start(&terminal, 100, once, "");
    terminal_expect(&terminal, "1/5");
    terminal_keys(&terminal, "n n o");
    terminal_expect(&terminal, "lane 0: threadIdx.x"); /* the value comes from four lanes */
    terminal_keys(&terminal, "7");
    terminal_expect(&terminal, "sum  line 5");
    terminal_expect_not(&terminal, "not recorded");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_type(&terminal, "clear; wc -c < runs"); /* one more run served both keys */
    terminal_expect(&terminal, "2");
    terminal_end(&terminal);
}

/* A kernel that was chosen from several is run again, and nothing is printed over the screen. */
static void a_chosen_kernel_runs_again(void **state) {
    (void)state;
    struct terminal terminal;
    start(&terminal, 100,
          "__global__ void k1(int *v) { v[threadIdx.x] = __any_sync(~0u, 1); }\n"
          "__global__ void k2(int *v) { int at2 = threadIdx.x; "
          "v[at2] = __shfl_xor_sync(~0u, at2, 2); }\n",
          "");
    terminal_expect(&terminal, "Which kernel?");
    terminal_keys(&terminal, "2 Enter");
    terminal_expect(&terminal, "k2<<<1, 64>>>(v)");
    terminal_keys(&terminal, "Enter 7");
    terminal_expect(&terminal, "at2");
    terminal_expect(&terminal, "k2<<<1, 64>>>(v)"); /* the first row has not moved */
    terminal_expect_not(&terminal, "to repeat or change them");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

/* A second run that differs from the first is reported. */
static void a_run_that_differs_is_reported(void **state) {
    static const char other[] = BEGINNING "    launch();\n"
                                          "    if (access(\"twice\", F_OK) == 0) launch();\n"
                                          "    fclose(fopen(\"twice\", \"w\"));\n"
                                          "}\n";
    (void)state;
    struct terminal terminal;
    start(&terminal, 100, other, "");
    terminal_expect(&terminal, "1/5");
    terminal_keys(&terminal, "7");
    terminal_expect(&terminal, "the second run was not the same");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

/* During the second run, the screen follows the terminal's size, and any of three keys ends it. */
static void the_second_run_can_be_ended(void **state) {
    static const char stuck[] =
        BEGINNING "    launch();\n"
                  "    if (access(\"stuck\", F_OK) == 0) wait_for(\"loose\");\n"
                  "    fclose(fopen(\"stuck\", \"w\"));\n"
                  "}\n";
    static const char *const keys[] = {"Escape", "q", "C-c"};
    (void)state;
    struct terminal terminal;
    start(&terminal, 100, stuck, "");
    terminal_expect(&terminal, "1/5");
    for (int i = 0; i < 3; i++) {
        terminal_keys(&terminal, "7");
        terminal_expect(&terminal, "Esc stops it");
        terminal_expect(&terminal, "launch 1, 0 steps"); /* the program waits */
        terminal_keys(&terminal, "n");                   /* ignored */
        terminal_resize(&terminal, 40, 24);
        terminal_expect(&terminal, "needs 60x20, has 40x24");
        terminal_resize(&terminal, 100, 24);
        terminal_expect(&terminal, "record lines and local variables. Esc stops it");
        terminal_keys(&terminal, keys[i]);
        terminal_expect(&terminal, "the second run was ended");
        terminal_expect(&terminal, "1/5");
    }
    make_file(&terminal, "loose");
    terminal_keys(&terminal, "7");
    terminal_expect(&terminal, "sum  line 3");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

int main(int argc, char **argv) {
    if (argc != 2 || !terminal_is_available())
        return 77;
    program = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_with_the_first_steps_and_grows),
        cmocka_unit_test(shows_the_end_at_once),
        cmocka_unit_test(is_ended_by_an_interrupt_and_stays),
        cmocka_unit_test(leaving_asks_first),
        cmocka_unit_test(input_is_the_programs_until_it_opens),
        cmocka_unit_test(opens_on_what_matters),
        cmocka_unit_test(a_clean_program_opens_on_its_first_operation),
        cmocka_unit_test(keys_request_variables_and_origins),
        cmocka_unit_test(a_chosen_kernel_runs_again),
        cmocka_unit_test(a_run_that_differs_is_reported),
        cmocka_unit_test(the_second_run_can_be_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
