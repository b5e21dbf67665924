/*
 * accesses.h - what the memory accesses of a program that has been run broke, with files and lines.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESSES_H
#define SHFLVIZ_DEVICE_OWN_ACCESSES_H

#include "cudacpu/observe/access_file.h"
#include "cudacpu/process/user_program.h"

/* A finding as access_file.h describes it; what it says has been checked for its range only. */
struct program_access {
    struct access_entry entry;
    char *file, *other_file; /* as sites call them; NULL where a place is not known */
    uint32_t line, other_line;
    char *flag_file; /* of entry.flag_pc; NULL: there is none */
    uint32_t flag_line;
};

struct program_accesses {
    struct program_access *access;
    size_t count;
    uint32_t more; /* places found beyond those */
    bool left_out; /* memory was left out for its size */
    uint8_t unset; /* as in struct user_program */
};

/* What the last run of the program left in global memory after launches in which values were
 * undefined, as a number. False if it is not known. Removes the file. */
bool program_accesses_effect(const struct user_program *program, uint64_t *effect);

/* True if the last run of the program has left the file that says so. A program that was not
 * compiled to say what it accesses needs none. */
bool program_accesses_are_there(const struct user_program *program);

/*
 * Reads what the last run of the program wrote, and finds the lines with addr2line, which comes
 * with the compiler's linker. A program that was not compiled to say what it accesses, or wrote
 * nothing, has none. Fails (ERROR_USAGE) on a file that is not such a one.
 */
int program_accesses_read(const struct user_program *program, struct program_accesses *accesses,
                          struct error *err);
/* Whose text a call is in. */
enum access_author {
    ACCESS_AUTHOR_UNKNOWN,
    ACCESS_AUTHOR_USER,
    ACCESS_AUTHOR_US,
    ACCESS_AUTHOR_SYSTEM
};

struct access_line {
    char *file; /* as sites call it: where a person wrote, also around what was inlined; or NULL */
    uint32_t line;
    enum access_author author; /* of what was inlined last */
};
/* The lines of calls, by the addresses behind them. One that is not known stays as it is in the
 * array, which begins as zeros; the names are the caller's to free. */
void program_accesses_lines(const struct user_program *program, const uint64_t *pc, size_t count,
                            struct access_line *lines);
void program_accesses_release(struct program_accesses *accesses);

#endif
