/*
 * instrument.h - the passes of cudacpu-instrument, which makes an object for the CPU from clang's
 * output for a file's device side: LLVM IR for NVPTX, with the kernels, address spaces and types
 * that clang has read.
 *
 * One process handles one file. Any failure ends the process with a message (fail()).
 */
#ifndef CUDACPU_INSTRUMENT_H
#define CUDACPU_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>

struct kernel {
    LLVMValueRef function;
    unsigned most_threads; /* from __launch_bounds__; 0 if there are none */
    /* lockstep/lockstep.h: it relies on lanes in step at shared memory, at global memory, or only
     * if two pointers point into one array. */
    bool relies_shared, relies_global, if_same;
    LLVMValueRef plain; /* the version without such calls; NULL if there is only one version */
};

/* The element of an array, or the target of a pointer. type: an enum warp_type, -1 if unknown.
 * vector: the bytes of a vector type such as float4, else 0. bytes: the size, 0 if unknown. */
struct element {
    int type, vector, bytes;
};

/* A variable in shared memory, or a name of the dynamic part, which has no size and is
   thread-local. */
struct shared_name {
    LLVMValueRef address;
    char *name, *shape; /* as returned by variable_shape() */
    unsigned long long size;
    struct element element;
};

/* For a kernel or variable of a program of several files: its name when linked, its name for the
 * host, and its file (struct unit's name). */
struct origin {
    char *linked, *symbol;
    const char *module;
};

/* One of several files. */
struct part {
    const char *name;
    LLVMModuleRef module;
};

struct unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout; /* for the CPU */
    const char *name;         /* the host side finds it by this (cudacpu/module.h) */
    bool accesses;            /* accesses are reported to observe/access.c */
    const char *submission;   /* name of a submission, which must be device code only; NULL for an
                                 ordinary file */
    bool no_memory;           /* set if it may not have variables that lanes share */
    bool one_thread;          /* set if all lanes run on one host thread, as `accesses` needs */
    struct kernel *kernels;
    size_t kernel_count;
    LLVMValueRef *variables; /* device variables that the host may name */
    size_t variable_count;
    struct shared_name *shared; /* if all lanes run on one thread */
    size_t shared_count;
    struct origin *origins; /* none for a single file */
    size_t origin_count;
    char **shown; /* source files whose functions report their lines and local variables (lines/) */
    size_t shown_count;
    bool tells_origins;      /* they also report the origins of their values (origins/) */
    LLVMDIBuilderRef places; /* locations of our functions; NULL if there are none yet */
};

/* Prints "cudacpu-instrument: ..." and exits with 1. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The version of the LLVM that is running. */
int llvm_version(void);
/* Makes room for one more item in a list of `count`. */
void *list_grow(void *list, size_t count, size_t size);

/* ---- parts.c ---- */

/* Merges the modules of several files into one, u->module. */
void parts_link(struct unit *u, struct part *parts, size_t count);
struct origin origin_of(const struct unit *u, LLVMValueRef value);

/* ---- kernels.c ---- */

/* Fills in u->kernels from clang's !nvvm.annotations. */
void kernels_find(struct unit *u);
/* Adds the table that the runtime registers (cudacpu/module.h). Globals still have their names. */
void kernels_register(struct unit *u);

/* The type that a pointer passes by value; NULL if the parameter is an ordinary one. */
LLVMTypeRef byval_type(LLVMValueRef function, unsigned parameter);

/* ---- assembly.c ---- */

/*
 * Writes the file's inline PTX, for ptx/ptx.h, and returns true; false if it has none. Statements
 * without instructions, which are compiler barriers, get the CPU's registers.
 *
 * The list has five fields for each statement, each ended by a NUL: line and column, file,
 * function, LLVM's constraints, LLVM's text.
 */
bool assembly_list(struct unit *u, const char *path);
/* Links in the module with the functions cudacpu_asm_N(), N counting from 0 in that list, and
 * calls them instead of the statements. */
void assembly_replace(struct unit *u, LLVMModuleRef functions);

/* ---- types.c ---- */

/* The index of an operand in a node of its kind. */
enum { OF_SCOPE = 1, OF_FUNCTION_NAME = 2, OF_FUNCTION_TYPE = 4 };
/* The index of an operand that only some types have, as node_type_operand() counts them. */
enum { OF_TYPE_BASE = 0, OF_SIGNATURE_LIST = 0, OF_TYPE_ELEMENTS = 1 };
enum { OF_RANGE_COUNT = 0 };
enum { OF_EXPRESSION_VARIABLE = 0, OF_VARIABLE_NAME = 1, OF_VARIABLE_TYPE = 3 };

/* An operand of a node; NULL if there is none. */
LLVMValueRef node_operand(LLVMValueRef node, unsigned number);
LLVMValueRef node_type_operand(LLVMValueRef type, unsigned number);
/* The name of a DISubprogram, DIVariable or type, which need not be NUL-terminated; NULL if there
 * is none. */
const char *node_name(LLVMValueRef node, unsigned number, size_t *length);
/* True if LLVM prints the node with this DWARF tag. */
bool node_has_tag(LLVMValueRef node, const char *tag);
/* The bytes of a type without typedefs; 0 if they are not known. */
int node_bytes(LLVMValueRef type);
/* True for a structure, class or union. */
bool node_has_members(LLVMValueRef type);
/* True for a base class, or a non-static member of at least a byte. */
bool node_is_member(LLVMValueRef node);
/* The memory of the variable that a call to llvm.dbg.declare describes, by its operand 1; NULL for
 * any other instruction. */
LLVMValueRef declared_memory(LLVMValueRef instruction);
/* A type without typedefs, const and the like. */
LLVMValueRef node_plain_type(LLVMValueRef type);

/* The name with its namespaces and the arguments of a template; to be freed. */
char *function_name(struct unit *u, LLVMValueRef function);
struct element pointed_by(struct unit *u, LLVMValueRef function, unsigned parameter);
/* The target's type in the debugging information, NULL if it has none. */
LLVMValueRef pointed_type(struct unit *u, LLVMValueRef function, unsigned parameter);
/* A global variable's name, to be freed, and its type. A declaration has no debugging information,
 * and LLVM's types are neither signed nor unsigned. */
char *variable_name(struct unit *u, LLVMValueRef variable, struct element *element);
/* The debugging information about it; NULL if there is none. */
LLVMValueRef variable_about(struct unit *u, LLVMValueRef variable);

/* ---- shapes.c ---- */

/* The shape as described in module.h; to be freed. */
char *variable_shape(struct unit *u, LLVMValueRef variable);
/* The members of a structure that the parameter points to, each after a ';'; "" if it does not.
 * To be freed. */
char *pointed_members(struct unit *u, LLVMValueRef function, unsigned parameter);

/* ---- spaces.c ---- */

/* One section holds a file's shared variables, so that the CPU warp can find them. */
#define SHARED_SECTION "shflviz_shared"

/* Global variables of a GPU's address spaces become variables of the program or of its threads. */
void spaces_lower(struct unit *u);
/* clang also gives the device side constant tables with addresses of host functions; device code
 * cannot call those, and the table's entries for them are null. */
void host_functions_drop(struct unit *u);
/* Makes functions that are not kernels internal, so that calls to them can be inlined. */
void functions_hide(struct unit *u);
/* Hides everything that the file defines but does not declare for others. */
void names_hide(struct unit *u);

/* ---- accesses.c ---- */

/* Before each volatile access, calls observe/access.c, which lets the other lanes reach it. */
void accesses_hook_volatile(struct unit *u);
/* Changes the code to read and write a float4 and the like in one access, as a GPU does,
 * rather than member by member. */
void accesses_join(struct unit *u);
/* Gives the source location of the loop after them to accesses that were moved out of it and so
 * have none. */
void accesses_locate(struct unit *u);

/* ---- submission.c ---- */

/* Refuses (fail()) a module written by clang that is more than device code. */
void submission_check_module(struct unit *u);
/* In submission_memory.c: a part of that check, and the helpers that it needs. */
void submission_check_memory(struct unit *u);
bool submission_owns(const struct unit *u, LLVMValueRef function);
LLVMOpcode submission_opcode(LLVMValueRef value);
void submission_refuse(LLVMValueRef where, const char *what, const char *why);
/* The same for calls, once those that the compiler can resolve are direct. */
void submission_check_calls(struct unit *u);

/* ---- shifts.c ---- */

/* Makes a shift by at least as many bits as the value has yield the GPU's result. */
void shifts_clamp(struct unit *u);

/* ---- aligned.c ---- */

/* In this order: the first adds checks before copies of objects, while they are copied as a whole,
 * the second before loads and stores of numbers, once variables are registers, and the third
 * defines the check. */
void aligned_check_objects(struct unit *u);
void aligned_check_numbers(struct unit *u);
void aligned_define(struct unit *u);

/* ---- lanes.c ---- */

/* Removes NVPTX's attributes, and keeps calls from becoming jumps. */
void lanes_lower(struct unit *u);
/* The loop over lanes calls kernels that are not small, so that their lines are kept; small ones
 * are inlined into it. */
void lanes_call(struct unit *u);
/* Gives cpu_switch() its instructions (simt/switch.h). */
void lanes_define_switch(struct unit *u);
/* Gives an empty loop, whose line optimization removes, that of the code before it. */
void lanes_locate_loops(struct unit *u);
void add_attribute(struct unit *u, LLVMValueRef function, const char *name);

#endif
