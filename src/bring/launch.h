/*
 * launch.h - a main() for a file that has none: which kernel, in which launch, with which values.
 *
 * Types are the compiler's business: the text that is added to the file deduces them. What is
 * chosen here follows from the words of the parameters (choose.c says how), and can be said again:
 *
 *     --call 'reduce<<<1, 64>>>(out, in, n)' --arg 'in=[4096]:thread % 64' --arg n=64
 */
#ifndef SHFLVIZ_BRING_LAUNCH_H
#define SHFLVIZ_BRING_LAUNCH_H

#include "base/error.h"
#include "base/text.h"
#include "bring/functions.h"
#include "bring/values.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads --call, "" for none, and fills in what it leaves open: all that is in arguments without a
 * value has one afterwards. `function` is what is called; NULL only for an expression. Fails
 * (ERROR_USAGE) with a caret below what cannot be read, and for more parameters than
 * FUNCTION_PARAMETERS_MOST.
 */
int bring_launch_choose(struct bring_launch *launch, const struct function *function,
                        const char *call, const char *text, struct error *err);
void bring_launch_release(struct bring_launch *launch);

/* The function that a call names, "k" of "my::k<float><<<1, 32>>>(x)"; NULL, with err set, if the
 * file has none of that name. */
const struct function *bring_called(const struct functions *functions, const char *call,
                                    struct error *err);
/* What is taken where nothing is said: solve(), else the first kernel that shuffles, else the
 * first kernel, else the first __device__ function that shuffles. NULL: there is nothing to run. */
const struct function *bring_first(const struct functions *functions);

/* "reduce<<<1, 64>>>(out, in, n)" */
void bring_append_call(const struct bring_launch *launch, struct text *call);
/* " --call '...' --arg ..." as a shell reads it. */
void bring_append_options(const struct bring_launch *launch, struct text *options);
/* Appends what follows the text of the file: support and main(). */
void bring_append_main(const struct bring_launch *launch, struct text *text);

/* Stands before the text of a file that has torch's host side. */
extern const char bring_torch[];

#endif
