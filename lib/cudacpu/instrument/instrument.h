/*
 * instrument.h - the passes of cudacpu-instrument, which makes an object for the CPU of what clang
 * says of a file's device side: LLVM IR for NVPTX, with the kernels, address spaces and types that
 * clang has read.
 *
 * One process handles one file. Whatever goes wrong ends it with a message (fail()).
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
    unsigned most_threads; /* of __launch_bounds__; 0: none */
    /* lockstep/lockstep.h: it leans on lanes in step, at shared memory and at global memory, and it
     * would if two pointers were into one array. */
    bool leans_shared, leans_global, if_same;
    LLVMValueRef plain; /* what calls it where they are not; NULL: there are no two of it */
};

/* The element of an array, or the target of a pointer. type: an enum warp_type, -1 if unknown.
 * vector: the bytes of a vector type such as float4, else 0. bytes: the size, 0 if unknown. */
struct element {
    int type, vector, bytes;
};

/* A variable in shared memory, or a name of the dynamic part, which has no size and is a thread's.
 */
struct shared_name {
    LLVMValueRef address;
    char *name, *shape; /* as variable_shape() gives it */
    unsigned long long size;
    struct element element;
};

/* Of a kernel or variable when several files are linked: under which name that is done, what the
 * host calls it, and in which file (struct unit's name). */
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
    LLVMTargetDataRef layout; /* the CPU's */
    const char *name;         /* by which the host side finds it (cudacpu/module.h) */
    bool accesses;            /* they are told to observe/access.c, */
    const char *submission;   /* its file's name, which is device code and nothing else, or is
                                 refused; NULL: it may be more */
    bool no_memory;           /* and has no variables that lanes share */
    bool one_thread;          /* and so all lanes run on one thread of the host */
    struct kernel *kernels;
    size_t kernel_count;
    LLVMValueRef *variables; /* of the device that the host may name */
    size_t variable_count;
    struct shared_name *shared; /* if all lanes run on one thread */
    size_t shared_count;
    struct origin *origins; /* none for a single file */
    size_t origin_count;
    char **shown; /* texts whose functions tell of their lines and local variables (lines/) */
    size_t shown_count;
    bool tells_origins;      /* and of what their values are made of (origins/) */
    LLVMDIBuilderRef places; /* of functions of ours; NULL: there are none yet */
};

/* Prints "cudacpu-instrument: ..." and exits with 1. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Makes room for one item more in a list of `count`. */
void *list_grow(void *list, size_t count, size_t size);

/* ---- parts.c ---- */

/* Makes one module, u->module, of those of several files. */
void parts_link(struct unit *u, struct part *parts, size_t count);
struct origin origin_of(const struct unit *u, LLVMValueRef value);

/* ---- kernels.c ---- */

/* Fills in u->kernels from what clang has noted in !nvvm.annotations. */
void kernels_find(struct unit *u);
/* Adds the table that the runtime registers (cudacpu/module.h). Globals still have their names. */
void kernels_tell(struct unit *u);

/* The type that a pointer passes by value; NULL: the parameter is what it says. */
LLVMTypeRef by_value(LLVMValueRef function, unsigned parameter);

/* ---- assembly.c ---- */

/*
 * Writes what inline PTX the file has, for ptx/ptx.h, and returns true; false if it has none.
 * Statements without instructions, which are barriers of the compiler, become the CPU's.
 *
 * The list has five fields for each statement, each ended by a NUL: line and column, file,
 * function, LLVM's constraints, LLVM's text.
 */
bool assembly_list(struct unit *u, const char *path);
/* Takes in the module with the functions cudacpu_asm_N(), N counting from 0 in that list, and calls
 * them in the place of the statements. */
void assembly_replace(struct unit *u, LLVMModuleRef functions);

/* ---- types.c ---- */

/* Where an operand is in a node of its kind. */
enum {
    OF_SCOPE = 1,
    OF_FUNCTION_NAME = 2,
    OF_FUNCTION_TYPE = 4,
    OF_SIGNATURE_LIST = 3,
    OF_TYPE_BASE = 3
};
enum { OF_EXPRESSION_VARIABLE = 0, OF_VARIABLE_NAME = 1, OF_VARIABLE_TYPE = 3 };

/* An operand of a node; NULL: there is none. */
LLVMValueRef node_operand(LLVMValueRef node, unsigned number);
/* The name of a DISubprogram, DIVariable or type, which no NUL need end; NULL: none is known. */
const char *node_name(LLVMValueRef node, unsigned number, size_t *length);
/* True if LLVM prints the node with this DWARF tag. */
bool node_has_tag(LLVMValueRef node, const char *tag);
/* A type without names of its own, const and the like. */
LLVMValueRef node_plain_type(LLVMValueRef type);

/* The name with its namespaces and the arguments of a template; to be freed. */
char *function_name(struct unit *u, LLVMValueRef function);
struct element pointed_by(struct unit *u, LLVMValueRef function, unsigned parameter);
/* A global variable's name, to be freed, and of which type it is. One that is only declared has no
 * debugging information, and LLVM's types have no sign. */
char *variable_name(struct unit *u, LLVMValueRef variable, struct element *element);
/* The bytes of an element and, of an array, how many there are in each dimension: "4 32 33"; to be
 * freed. */
char *variable_shape(struct unit *u, LLVMValueRef variable);

/* ---- spaces.c ---- */

/* One section holds a file's shared variables, for the CPU warp to find. */
#define SHARED_SECTION "shflviz_shared"

/* Global variables of a GPU's address spaces become variables of the program or of its threads. */
void spaces_lower(struct unit *u);
/* Functions that are no kernels are the file's own, so that calls of them can be inlined. */
void functions_hide(struct unit *u);
/* Nothing of the file is seen by others but what it declares. */
void names_hide(struct unit *u);

/* ---- accesses.c ---- */

/* Before each volatile access a call of observe/access.c, which lets the other lanes come to it. */
void accesses_tell_volatile(struct unit *u);
/* A float4 and its like are read and written at once, as on a GPU, not by their members. */
void accesses_join(struct unit *u);

/* ---- submission.c ---- */

/* Refuses (fail()) a module as clang has written it that is more than device code. */
void submission_check_module(struct unit *u);
/* For submission_memory.c: that part of it, and what that needs of the rest. */
void submission_check_memory(struct unit *u);
bool submission_is_of_it(const struct unit *u, LLVMValueRef function);
LLVMOpcode submission_opcode(LLVMValueRef value);
void submission_refuse(LLVMValueRef where, const char *what, const char *why);
/* The same of calls, when those that the compiler knows are direct. */
void submission_check_calls(struct unit *u);

/* ---- shifts.c ---- */

/* A shift by more bits than the value has gives what it gives on a GPU. */
void shifts_clamp(struct unit *u);

/* ---- aligned.c ---- */

/* Checks before copies of objects, while they are copied as a whole; before loads and stores of
 * numbers, when variables are registers; and what a check does. */
void aligned_check_objects(struct unit *u);
void aligned_check_numbers(struct unit *u);
void aligned_define(struct unit *u);

/* ---- lanes.c ---- */

/* Attributes of NVPTX go; calls stay calls. */
void lanes_lower(struct unit *u);
/* Kernels that are not small are called by the loop over lanes, so that their lines stay; others
 * become a part of it. */
void lanes_call(struct unit *u);
/* cpu_switch() gets its instructions (simt/switch.h). */
void lanes_define_switch(struct unit *u);
/* Of a loop that does nothing, the line, which optimizing takes away. */
void lanes_place_loops(struct unit *u);
void add_attribute(struct unit *u, LLVMValueRef function, const char *name);

#endif
