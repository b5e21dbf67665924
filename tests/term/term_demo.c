/* A program with nothing but a screen: shows a sample recording until it is left, and ends as a
 * program should that a signal has ended. Driven by test_terminal.c. */
#include "sample_trace.h"
#include "term/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int show(const struct trace *trace, struct error *err) {
    struct replay replay;
    struct screen_program program;
    const struct screen_options options = {.depth = color_depth_detect(),
                                           .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0};

    if (replay_init(&replay, trace, err))
        return -1;
    program = screen_replay(&replay);
    return screen_run(&program, &options, err);
}

int main(void) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    int result = -1;

    setlocale(LC_ALL, "");
    trace = sample_trace_make(&err);
    if (trace)
        result = show(trace, &err);
    trace_close(trace);
    if (result < 0) {
        fprintf(stderr, "term_demo: %s\n", err.text);
        return (int)err.kind;
    }
    if (result > 0) {
        raise(result);
        return 128 + result; /* where the signal is ignored */
    }
    return 0;
}
