/*
 * user_run.h - `shflviz run` and `check` of CUDA source files: built, run to the end, recorded.
 *
 * The program knows nothing of shflviz: it has its arguments, its standard input, output and error,
 * and its own exit status. It is confined only on request: otherwise it may do whatever the user
 * may, as under a debugger.
 */
#ifndef SHFLVIZ_LAUNCH_USER_RUN_H
#define SHFLVIZ_LAUNCH_USER_RUN_H

#include "base/error.h"
#include "cudacpu/cudacpu.h"
#include "launch/program/user_request.h"
#include "trace/trace.h"

#include <stdbool.h>

/*
 * Builds and runs. *status is the program's exit status, *trace its recording, which the caller
 * closes, or NULL. Fails with ERROR_USAGE (a file cannot be read or does not compile),
 * ERROR_MISSING (no compiler; no GPU or no nvcc for one) or ERROR_RUN (it crashed, hung, or
 * exceeded a limit; the recording ends there).
 */
int user_record(const struct user_request *request, struct trace **trace, int *status,
                struct error *err);

/* Gets the results of one run: its recording, which then belongs to the visitor (NULL if there is
 * none), and its access findings, valid during the visit. */
typedef int user_run_visitor(void *context, struct trace *trace,
                             const struct program_accesses *accesses, uint64_t schedule,
                             struct error *err);

/*
 * Builds once and runs `runs` times, with schedules from request->run.settings.schedule on; only
 * the first run reads our standard input, prints, and is kept as request->output. Ends after the
 * first run that fails, which is visited too; after the first visit that fails; or after the second
 * run in which lanes spin forever, which is reported on standard error.
 */
int user_record_schedules(const struct user_request *request, uint32_t runs,
                          user_run_visitor *visit, void *context, int *status, struct error *err);

/* True if a word names a CUDA source file, by its ending. */
bool is_cuda_source(const char *name);
/* True if the name ends like a source that is built together with others: .cu, .cpp, .cc, .cxx,
 * .c. */
bool can_be_compiled(const char *name);

/* True if the name is a CUDA header's: .cuh. Its kernels can be run. */
bool is_cuda_header(const char *name);

/* True if it names a folder, which `run` and `check` accept. */
bool is_source_folder(const char *name);

#endif
