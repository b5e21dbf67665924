/*
 * accesses.h - what the memory accesses of a program that has been run broke, with files and lines.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESSES_H
#define SHFLVIZ_DEVICE_OWN_ACCESSES_H

#include "cudacpu/observe/access_file.h"
#include "cudacpu/process/user_program.h"

/* A finding as access_file.h describes it; what it says has been checked for its range only. */
struct own_access {
    struct access_entry entry;
    char *file, *other_file; /* as sites call them; NULL where a place is not known */
    uint32_t line, other_line;
    char *flag_file; /* of entry.flag_pc; NULL: there is none */
    uint32_t flag_line;
};

struct own_accesses {
    struct own_access *access;
    size_t count;
    uint32_t more; /* places found beyond those */
    bool left_out; /* memory was left out for its size */
    uint8_t unset; /* as in struct own_program */
};

/* What the last run of the program left in global memory after launches in which values were
 * undefined, as a number. False if it is not known. Removes the file. */
bool own_accesses_effect(const struct own_program *program, uint64_t *effect);

/* True if the last run of the program has left the file that says so. A program that was not
 * compiled to say what it accesses needs none. */
bool own_accesses_are_there(const struct own_program *program);

/*
 * Reads what the last run of the program wrote, and finds the lines with addr2line, which comes
 * with the compiler's linker. A program that was not compiled to say what it accesses, or wrote
 * nothing, has none. Fails (ERROR_USAGE) on a file that is not such a one.
 */
int own_accesses_read(const struct own_program *program, struct own_accesses *accesses,
                      struct error *err);
/* Whose text a call is in. */
enum own_author { OWN_AUTHOR_UNKNOWN, OWN_AUTHOR_USER, OWN_AUTHOR_US, OWN_AUTHOR_SYSTEM };

struct own_line {
    char *file; /* as sites call it: where a person wrote, also around what was inlined; or NULL */
    uint32_t line;
    enum own_author author; /* of what was inlined last */
};
/* The lines of calls, by the addresses behind them. One that is not known stays as it is in the
 * array, which begins as zeros; the names are the caller's to free. */
void own_accesses_lines(const struct own_program *program, const uint64_t *pc, size_t count,
                        struct own_line *lines);
void own_accesses_release(struct own_accesses *accesses);

#endif
