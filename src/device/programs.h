/*
 * programs.h - the programs of kernels/ with the function that runs each, for the devices.
 */
#ifndef SHFLVIZ_DEVICE_PROGRAMS_H
#define SHFLVIZ_DEVICE_PROGRAMS_H

#include "shflviz/program.h"

/* The entry of a program of device_programs(). */
const struct shflviz_program *program_entry(const struct program *program);

#endif
