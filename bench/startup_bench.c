/*
 * startup_bench.c - the time that `PROGRAM ARGUMENTS...` takes from start to end.
 *
 * Runs the program and `true` alternately, so that both see the same load, and prints medians. The
 * time of `true` is the price of starting any process here; the rest is the program's own. Output
 * goes to /dev/null. Usage: startup_bench RUNS PROGRAM [ARGUMENTS...]
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static _Noreturn void die(const char *what, int error) {
    fprintf(stderr, "startup_bench: %s: %s\n", what, strerror(error));
    exit(2);
}

/* Milliseconds from posix_spawn to the end of waitpid. The program must exit with 0. */
static double time_run(char **arguments, const posix_spawn_file_actions_t *quiet) {
    const double begin = milliseconds_now();
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], quiet, NULL, arguments, environ);
    if (error)
        die(arguments[0], error);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid", errno);
    const double end = milliseconds_now();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "startup_bench: %s did not exit with 0\n", arguments[0]);
        exit(2);
    }
    return end - begin;
}

static int compare_doubles(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_times(const char *label, double *times, int runs) {
    qsort(times, (size_t)runs, sizeof *times, compare_doubles);
    printf("%-10s median %7.3f ms   fastest %7.3f ms   90th percentile %7.3f ms\n", label,
           times[runs / 2], times[0], times[runs * 9 / 10]);
}

int main(int argc, char **argv) {
    const int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1) {
        fprintf(stderr, "usage: startup_bench RUNS PROGRAM [ARGUMENTS...]\n");
        return 2;
    }
    char *true_arguments[] = {"true", NULL};
    double *program = calloc((size_t)runs, sizeof *program);
    double *reference = calloc((size_t)runs, sizeof *reference);
    posix_spawn_file_actions_t quiet;
    if (!program || !reference || posix_spawn_file_actions_init(&quiet))
        die("preparing", ENOMEM);
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);

    time_run(argv + 2, &quiet); /* once for the page cache */
    for (int run = 0; run < runs; run++) {
        reference[run] = time_run(true_arguments, &quiet);
        program[run] = time_run(argv + 2, &quiet);
    }
    print_times("true", reference, runs);
    print_times("shflviz", program, runs);
    printf("difference of the medians %.3f ms, %d runs each\n",
           program[runs / 2] - reference[runs / 2], runs);

    posix_spawn_file_actions_destroy(&quiet);
    free(program);
    free(reference);
    return 0;
}
