/*
 * submission.h - device code that may try to deceive the test with which it is built (struct
 * user_build's is_submission): only its device side is compiled, so that no part of it runs on the
 * host, and its source is checked here first. The instrumenter checks its calls and definitions
 * (instrument/submission.c).
 */
#ifndef CUDACPU_COMPILE_SUBMISSION_H
#define CUDACPU_COMPILE_SUBMISSION_H

#include "base/error.h"
#include "base/text.h"

/*
 * Refuses (ERROR_USAGE) the names of the CPU warp's own functions and variables, which macros of
 * our headers need in every program, and constructs that could get such a name past this check: ##,
 * a backslash outside strings, an assembler's name for a variable. Messages call it `name`.
 */
int submission_check(const char *name, const char *text, struct error *err);

/* Appends the host's replacement for a submission: an empty body for each kernel that the test
 * declares and does not define. */
void submission_append_host(struct text *text, const char *test);

#endif
