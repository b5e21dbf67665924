/*
 * memory_record.h - records accesses to memory. Linked into a program whose
 * accesses are recorded, and called by the hooks of access.c.
 *
 * Offsets of shared memory count from the beginning of the block's shared memory as it is laid out
 * here: when a lane first reaches a variable's declaration, the variable is placed after the
 * earlier ones, at a multiple of 128 bytes, so that it begins in bank 0; all dynamic shared memory
 * is one variable of the largest possible size. A compiler for a GPU packs variables more tightly,
 * by words; that shifts all banks of a variable equally and changes no conflict within it.
 *
 * Offsets of global memory likewise run through all allocations and variables that a kernel has
 * been passed or has accessed, in the order of their first use, each at a multiple of 256 bytes.
 */
#ifndef SHFLVIZ_DEVICE_OWN_MEMORY_RECORD_H
#define SHFLVIZ_DEVICE_OWN_MEMORY_RECORD_H

#include "cudacpu/calls.h"
#include "simt/simt.h"

/* Begins to record, with the lines of access_lines.h's file; `which` are RUN_ACCESSES_SHARED and
 * RUN_ACCESSES_GLOBAL. The variables' offsets go into the recording as notes (TRACE_NOTE_SHARED,
 * TRACE_NOTE_GLOBAL). */
void memory_record_begin(const char *path, struct trace_writer *writer, unsigned which);

/* The same, under the name that watched.c looks up (access.c). */
void cpu_record_begin(const char *path, struct trace_writer *writer, unsigned which);

/* True while accesses are recorded; otherwise the next function does nothing. */
extern bool memory_record_is_on;

/* A kernel is launched with this pointer as argument number `argument`, from 0. */
void cpu_pointer_passed(const void *pointer, const char *kernel, size_t argument,
                        struct cpu_pointed to);

/* The running lane is about to access `size` bytes; `kind` as in access_file.h. */
void memory_record_access(const void *address, size_t size, unsigned kind, const void *pc);

#endif
