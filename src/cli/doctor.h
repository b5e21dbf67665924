/* doctor.h - a report about the machine: each subject with its state and a few words. */
#ifndef SHFLVIZ_CLI_DOCTOR_H
#define SHFLVIZ_CLI_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#define DOCTOR_LINES_MAX 20
#define DOCTOR_TEXT_SIZE 256

struct doctor_line {
    const char *name; /* "GPU" */
    bool present;
    char text[DOCTOR_TEXT_SIZE];
};

struct doctor_report {
    struct doctor_line lines[DOCTOR_LINES_MAX];
    size_t count;
};

/* Checks everything. Runs compilers with --version, one shuffle on the CPU warp, and nothing
 * else. */
void doctor_examine(struct doctor_report *report);

#endif
