/*
 * access_lines.h - the lines of a program's accesses to memory, found before it runs.
 *
 * A program that is compiled to report its accesses reports the address of the instruction. The
 * steps of its recording name lines, so lines must be known while it runs, even if it is confined
 * and may not start addr2line itself. objdump lists the calls before accesses, and addr2line
 * finds their lines; both come with the compiler's linker.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESS_LINES_H
#define SHFLVIZ_DEVICE_OWN_ACCESS_LINES_H

#include "cudacpu/process/user_program.h"

/*
 * Writes program->lines, a line for each call: the return address in hexadecimal as in the
 * executable, the line, the file as sites name it, a tab, the line's text without the blanks
 * around it (if the file is one of `sources`). Calls whose line is not known are left out: then
 * their steps have none. Where accesses to global memory are recorded, a line for each variable of
 * the program follows: "=", its address, its size and its name. Fails if the file cannot be
 * written.
 */
int access_lines_write(const struct user_program *program, const struct user_source *sources,
                       size_t source_count, struct error *err);

#endif
