/*
 * accesses.h - the rules that a program's memory accesses broke in its run, with files and lines.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ACCESSES_H
#define SHFLVIZ_DEVICE_OWN_ACCESSES_H

#include "cudacpu/observe/access_file.h"
#include "cudacpu/process/user_program.h"

/* A finding as in access_file.h; only the range of its numbers has been checked. */
struct program_access {
    struct access_entry entry;
    char *file, *other_file; /* as sites name them; NULL if a location is not known */
    uint32_t line, other_line;
    char *flag_file; /* of entry.flag_pc; NULL if there is none */
    uint32_t flag_line;
};

struct program_accesses {
    struct program_access *access;
    size_t count;
    uint32_t more; /* findings beyond those */
    bool left_out; /* memory was left out because of its size */
    uint8_t unset; /* as in struct user_program */
};

/* A hash of global memory after each launch of the last run in which values were undefined. False
 * if it is not known. Removes the file. */
bool program_accesses_effect(const struct user_program *program, uint64_t *effect);

/* True if the last run of the program has left its file of findings. A program that was not
 * compiled to report its accesses needs none. */
bool program_accesses_exist(const struct user_program *program);

/*
 * Reads the file of the program's last run, and finds the lines with addr2line, which comes with
 * the compiler's linker. A program that was not compiled to report its accesses, or wrote nothing,
 * has no findings. Fails (ERROR_USAGE) on any other file.
 */
int program_accesses_read(const struct user_program *program, struct program_accesses *accesses,
                          struct error *err);
/* The owner of the source that a call is in. */
enum access_author {
    ACCESS_AUTHOR_UNKNOWN,
    ACCESS_AUTHOR_USER,
    ACCESS_AUTHOR_US,
    ACCESS_AUTHOR_SYSTEM
};

struct access_line {
    char *file; /* as sites name it: the user's file, even around inlined code; or NULL */
    uint32_t line;
    enum access_author author; /* of the innermost inlined function */
};
/* The lines of calls, by their return addresses. Entries that are not known stay as they were,
 * so the array must be zeroed first. The names are the caller's to free. */
void program_accesses_lines(const struct user_program *program, const uint64_t *pc, size_t count,
                            struct access_line *lines);
void program_accesses_release(struct program_accesses *accesses);

#endif
