/* user_command.h - a user program, recorded with the options of the command line. */
#ifndef SHFLVIZ_CLI_USER_COMMAND_H
#define SHFLVIZ_CLI_USER_COMMAND_H

#include "cli/option.h"
#include "launch/program/program_file.h"
#include "launch/program/user_run.h"
#include "trace/trace.h"

/* The sandbox for a program that is confined unless --no-sandbox is given. */
struct run_settings user_command_settings(const struct options *options);

/* The terms on which the program of a lesson is run. */
struct course_terms user_command_terms(const struct options *options);

/* Like user_record_schedules() (launch/program/user_run.h), for `check`: accesses are watched, on
 * the CPU warp. *orders gets the differences between the schedules' results. */
int user_command_check(const char *name, const struct options *options, user_run_visitor *visit,
                       void *context, struct orders_difference *orders, int *status,
                       struct error *err);

/* Fails if options were given that only a user program takes; for commands without one. */
int user_refuse_options(const struct options *options, struct error *err);

/* Refuses options that only the CPU warp has, if a GPU is requested. */
int user_command_device(const struct options *options, struct error *err);

/* Like user_record() (launch/program/user_run.h). `name` is the command's; `attend` may be NULL. */
int user_command_record(const char *name, const struct options *options, bool print_to_errors,
                        user_attend *attend, void *attend_context, struct trace **trace,
                        int *status, struct error *err);

#endif
