/*
 * own_command.h - a program of the user's own, recorded as the command line asks.
 */
#ifndef SHFLVIZ_CLI_OWN_COMMAND_H
#define SHFLVIZ_CLI_OWN_COMMAND_H

#include "cli/option.h"
#include "launch/own_run.h"
#include "launch/program_file.h"
#include "trace/trace.h"

/* The settings of a program that is confined unless --no-sandbox is given. */
struct run_settings own_command_settings(const struct options *options);

/* The terms on which the program of a lesson is run. */
struct course_terms own_command_terms(const struct options *options);

/* As own_record_schedules() (launch/own_run.h), for `check`: accesses are watched, on
 * the CPU warp. *orders says whether the schedules gave different results. */
int own_command_check(const char *name, const struct options *options, own_visitor *visit,
                      void *context, struct orders_difference *orders, int *status,
                      struct error *err);

/* Fails if options were given that only a program of the user's own takes; for where there is none.
 */
int own_options_stray(const struct options *options, struct error *err);

/* Refuses options that only the CPU warp has, if a GPU is asked for. */
int own_command_device(const struct options *options, struct error *err);

/* As own_record() (launch/own_run.h). `name` is the command's; `attend` may be NULL. */
int own_command_record(const char *name, const struct options *options, bool print_to_errors,
                       own_attend *attend, void *attend_context, struct trace **trace, int *status,
                       struct error *err);

#endif
