/*
 * main_function.h - writes a main() for a file that has none: chooses a kernel, a launch and
 * values.
 *
 * The compiler handles types: the code added to the file deduces them. The choices follow from the
 * names of the parameters (choose.c describes how), and can be repeated:
 *
 *     --call 'reduce<<<1, 64>>>(out, in, n)' --arg 'in=[4096]:thread % 64' --arg n=64
 */
#ifndef SHFLVIZ_BRING_MAIN_FUNCTION_H
#define SHFLVIZ_BRING_MAIN_FUNCTION_H

#include "base/error.h"
#include "base/text.h"
#include "bring/functions.h"
#include "bring/values.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads --call, "" for none, and fills in what it leaves open: afterwards all arguments have
 * values. `function` is the one that it calls; NULL only for an expression. Fails (ERROR_USAGE)
 * with a caret below the unreadable part, and for more parameters than FUNCTION_PARAMETERS_MOST.
 */
int bring_launch_choose(struct bring_launch *launch, const struct function *function,
                        const char *call, const char *text, struct error *err);
void bring_launch_release(struct bring_launch *launch);

/* The function that a call names, "k" of "my::k<float><<<1, 32>>>(x)"; NULL, with err set, if the
 * file has no function of that name. */
const struct function *bring_find_called(const struct functions *functions, const char *call,
                                         struct error *err);
/* The default choice: solve(), else the first kernel that shuffles, else the first kernel, else
 * the first __device__ function that shuffles. NULL if there is nothing to run. */
const struct function *bring_find_default(const struct functions *functions);

/* "reduce<<<1, 64>>>(out, in, n)" */
void bring_append_call(const struct bring_launch *launch, struct text *call);
/* " --call '...' --arg ..." as a shell reads it. */
void bring_append_options(const struct bring_launch *launch, struct text *options);
/* Appends the code that follows the file's source: the support code and main(). */
void bring_append_main(const struct bring_launch *launch, struct text *text);

/* Inserted before the source of a file with torch's host side. */
extern const char bring_torch[];

#endif
