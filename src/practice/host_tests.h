/* host_tests.h - the host sides of the exercises' tests, compiled from exercises/NAME/harness.cu.
 */
#ifndef SHFLVIZ_PRACTICE_HOST_TESTS_H
#define SHFLVIZ_PRACTICE_HOST_TESTS_H

#include "interpreter/argument.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

bool practice_has_test(const char *name);
/* Runs the test of an exercise; its report goes to `out`. Returns the exit status that the test
 * would have as a program. */
int practice_run_test(const char *name, FILE *out, uint64_t seed);
/* Launches a kernel for a test. */
int practice_launch(const char *name, const unsigned grid[3], const unsigned block[3],
                    const struct kernel_argument *arguments, size_t count);
/* Memory for a test, which is freed when the test has ended. */
void *practice_alloc(size_t count, size_t size);
/* Called by a test when it has written to the device's memory. */
void practice_mark_written(const void *memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
