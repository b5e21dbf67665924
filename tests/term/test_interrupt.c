/*
 * Ctrl-C while a user program runs its blocks on several processors, without a screen: the
 * program's location is reported, the recording stays, and the terminal is restored.
 *
 * The program is the argument.
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

/* A program that does not end on its own, and makes many steps. */
static const char endless[] = "#include <cstdio>\n"
                              "__global__ void endless(int *out) {\n"
                              "    int value = threadIdx.x;\n"
                              "    for (long i = 0; i < 1000000000; i++)\n"
                              "        value += __shfl_xor_sync(0xffffffff, value, 1);\n"
                              "    out[threadIdx.x] = value;\n"
                              "}\n"
                              "int main() {\n"
                              "    int *out;\n"
                              "    cudaMalloc(&out, 4096);\n"
                              "    printf(\"be%s\\n\", \"gins\");\n"
                              "    endless<<<4096, 64>>>(out);\n"
                              "    cudaDeviceSynchronize();\n"
                              "}\n";

static void interrupt(void **state) {
    (void)state;
    struct terminal terminal;
    char line[1024];
    terminal_start(&terminal, 80, 24);
    snprintf(line, sizeof line, "%s/endless.cu", terminal.directory);
    FILE *file = fopen(line, "w");
    assert_non_null(file);
    fputs(endless, file);
    fclose(file);
    terminal_run(&terminal, "stty -g >before");
    snprintf(
        line, sizeof line,
        "%s run endless.cu --jobs 3 --steps 100000 -o r.svt --format text --overview --lang en",
        program);
    terminal_type(&terminal, line);
    terminal_expect(&terminal, "begins");
    terminal_expect(&terminal, "launch 1"); /* in the progress line: recording has begun */
    terminal_keys(&terminal, "C-c");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 130);
    terminal_expect(&terminal, "the program was in kernel endless, block (");
    terminal_expect(&terminal, "endless.cu was interrupted");
    terminal_expect(&terminal, "the recording up to then is in r.svt.partial");
    terminal_run(&terminal, "stty -g | cmp - before");
    snprintf(line, sizeof line, "%s check r.svt.partial --lang en | grep 'cut short'", program);
    terminal_run(&terminal, line);
    terminal_end(&terminal);
}

int main(int argc, char **argv) {
    if (argc != 2 || !terminal_is_available())
        return 77;
    program = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(interrupt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
