/*
 * submission.h - device code by somebody who may want to deceive the test that it is built with
 * (struct user_build's is_submission): only its device side is compiled, so that nothing of it runs
 * on the host, and its text is read here before. The instrumenter looks at what it calls and
 * defines (instrument/submission.c).
 */
#ifndef CUDACPU_COMPILE_SUBMISSION_H
#define CUDACPU_COMPILE_SUBMISSION_H

#include "base/error.h"
#include "base/text.h"

/*
 * Refuses (ERROR_USAGE) the names of the CPU warp's own functions and variables, which macros of
 * our headers need in every program, and what could spell such a name past this test: ##, a
 * backslash outside strings, an assembler's name for a variable. `name` is what messages call it.
 */
int submission_check(const char *name, const char *text, struct error *err);

/* Appends what is compiled for the host in the place of a submission: a body that does nothing for
 * each kernel which the test declares and does not define. */
void submission_append_host(struct text *text, const char *test);

#endif
