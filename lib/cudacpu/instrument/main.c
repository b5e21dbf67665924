/*
 * main.c - cudacpu-instrument: the device side of a CUDA file, from clang's LLVM IR to an object.
 *
 *     cudacpu-instrument [--accesses] [--submission FILE [--no-memory]] [--show FILE]...
 *                        [--origins] [--ptx FUNCTIONS.bc] OUT.o NAME IN.bc
 *     cudacpu-instrument --part [--ptx FUNCTIONS.bc] OUT.bc NAME IN.bc
 *     cudacpu-instrument [--accesses] [--show FILE]... [--origins]
 *                        --link OUT.o NAME IN.bc NAME IN.bc ...
 *     cudacpu-instrument --tell IN.bc
 *     cudacpu-instrument --version
 *
 * Built with SHFLVIZ_LLVM_LATE it is not linked with LLVM: `--llvm MAJOR LIBRARY`, before
 * everything else, names the one to load. The part of the C API that it calls is the same in all
 * versions from 14 on.
 *
 * If a program has several files, each is first compiled to a part, with its inline PTX, and the
 * parts are linked (parts.c). With --show the functions in the source FILE report their lines and
 * local variables (lines/), with --origins also the origins of their values (origins/). With
 * --submission a file that is more than device code is refused (submission.c). If the file has
 * inline PTX and no functions for it are given, OUT.o.ptx lists its statements (instrument.h), and
 * the status is INSTRUMENT_PTX (ptx/ptx.h). NAME is the string that the host side was given instead
 * of a GPU's binary (clang's -fcuda-include-gpubinary). --tell prints the kernels that rely on
 * lanes in step.
 *
 * It is a separate program because LLVM is large: the program that starts it need not link it.
 */
#include "cudacpu/instrument/instrument.h"
#include "cudacpu/instrument/lines/lines.h"
#include "cudacpu/instrument/lockstep/lockstep.h"

#include "cudacpu/ptx/ptx.h"

#include <dlfcn.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("cudacpu-instrument: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Options of the pass that reports accesses: volatile ones separately, and reads before writes,
 * too. */
static const char *const llvm_options[] = {"cudacpu-instrument", "-tsan-distinguish-volatile=1",
                                           "-tsan-instrument-read-before-write=1"};

#ifdef SHFLVIZ_LLVM_LATE
#define LLVM_SAID "loads the LLVM of clang"
#else
#define LLVM_SAID "LLVM " SHFLVIZ_LLVM
#endif

static int llvm_major = LLVM_VERSION_MAJOR;

/* Functions of LLVM are bound when they are first called, to what is loaded here. */
static void load_llvm(const char *major, const char *library) {
    if (!dlopen(library, RTLD_NOW | RTLD_GLOBAL))
        fail("%s", dlerror());
    llvm_major = atoi(major);
}

int llvm_version(void) {
    return llvm_major;
}

void *list_grow(void *list, size_t count, size_t size) {
    list = realloc(list, (count + 1) * size);
    if (!list)
        fail("out of memory");
    return list;
}

static void take_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    (void)context;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        fail("%s", LLVMGetDiagInfoDescription(info));
}

/* lines/ reads calls to llvm.dbg.declare. LLVM 19 and 20 use another representation by default and
 * can be switched back; for later ones, lines/lines.c makes the calls. */
static void use_calls_for_variables(LLVMModuleRef module) {
    void (*set)(LLVMModuleRef module, LLVMBool is_new) = NULL;
    if (llvm_major == 19 || llvm_major == 20)
        *(void **)&set = dlsym(RTLD_DEFAULT, "LLVMSetIsNewDbgInfoFormat");
    if (set)
        set(module, false);
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *path) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        fail("%s: %s", path, message);
    if (LLVMParseBitcodeInContext2(context, buffer, &module))
        fail("%s: not LLVM IR of this version of LLVM", path);
    LLVMDisposeMemoryBuffer(buffer);
    use_calls_for_variables(module);
    return module;
}

/* LLVM's header is for the machine on which it was installed, but a cross build is for another. */
static void init_host_target(void) {
#if defined SHFLVIZ_LLVM_LATE && defined __aarch64__
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
#else
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
#endif
}

static LLVMTargetMachineRef host_machine(void) {
    init_host_target();
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        fail("%s", message);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, triple, "", "", LLVMCodeGenLevelLess, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    return machine;
}

static void run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
    if (error)
        fail("%s", LLVMGetErrorMessage(error));
    LLVMDisposePassBuilderOptions(options);
}

/* True if no inline PTX is left. */
static bool lower_assembly(struct unit *u, const char *functions, const char *object) {
    if (functions) {
        assembly_replace(u, read_module(u->context, functions));
        return true;
    }
    char *path = malloc(strlen(object) + sizeof ".ptx");
    if (!path)
        fail("out of memory");
    strcat(strcpy(path, object), ".ptx");
    const bool has = assembly_list(u, path);
    free(path);
    return !has;
}

/* Prepares the code for lockstep/: calls are inlined, variables become registers, and loops stay as
 * they were. */
#define SIMPLE(combine) "cgscc(inline,function(sroa,early-cse<memssa>," combine ",simplifycfg))"

static void check_module(struct unit *u) {
    char *message = NULL;
    if (LLVMVerifyModule(u->module, LLVMReturnStatusAction, &message))
        fail("%s", message);
}

/* Gives the module the CPU's target and data layout, and its variables and kernels the CPU's
 * form. */
static void begin(struct unit *u, LLVMTargetMachineRef machine) {
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMSetTarget(u->module, triple);
    LLVMSetModuleDataLayout(u->module, u->layout);
    kernels_find(u);
    spaces_lower(u);
    lanes_lower(u);
    host_functions_drop(u);
    functions_hide(u);
    shifts_clamp(u);
    if (u->shown_count)
        lines_report(u, u->shown, u->shown_count);
    aligned_check_objects(u);
    if (u->accesses)
        accesses_join(u);
    run_passes(u->module, machine,
               llvm_major >= 18
                   ? SIMPLE("instcombine<no-verify-fixpoint>") /* one round is enough */
                   : SIMPLE("instcombine"));
    if (u->submission)
        submission_check_calls(u);
    lockstep_find(u);
    aligned_check_numbers(u);
    aligned_define(u);
    lanes_call(u);
}

static void finish(struct unit *u, LLVMTargetMachineRef machine) {
    lanes_define_switch(u);
    kernels_register(u);
    names_hide(u);
    check_module(u);
    run_passes(u->module, machine, "always-inline");
    for (size_t i = 0; i < u->kernel_count; i++)
        if (u->kernels[i].plain)
            lockstep_strip(u->kernels[i].plain);
    run_passes(u->module, machine, "default<O1>");
    lanes_locate_loops(u);
    if (u->accesses) {
        accesses_locate(u);
        run_passes(u->module, machine, "tsan-module,function(tsan)");
    } else {
        accesses_hook_volatile(u);
    }
}

/* Static for LeakSanitizer: everything that one file needs is kept until the process ends. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return 1;
}

/* The parsed command line. */
struct task {
    enum { TASK_OBJECT, TASK_PART, TASK_LINK, TASK_TELL } kind;
    bool accesses, origins, no_memory;
    const char *submission; /* the submission's file name; NULL for an ordinary file */
    char **shown;           /* texts */
    size_t shown_count;
    const char *functions; /* for inline PTX; NULL: none */
    const char *output;
    char **inputs; /* alternating names and files; for TASK_TELL one file */
    size_t input_count;
};

static bool take_word(char ***word, const char *option) {
    const bool is = **word && strcmp(**word, option) == 0;
    *word += is;
    return is;
}

/* Returns false if the words do not fit the usage. */
static bool read_task(struct task *task, char **word) {
    task->accesses = take_word(&word, "--accesses");
    if (take_word(&word, "--submission") && *word)
        task->submission = *word++;
    task->no_memory = take_word(&word, "--no-memory");
    task->shown = word; /* the names overwrite the words that have been read */
    while (take_word(&word, "--show") && *word)
        task->shown[task->shown_count++] = *word++;
    task->origins = take_word(&word, "--origins");
    task->kind = take_word(&word, "--part")   ? TASK_PART
                 : take_word(&word, "--link") ? TASK_LINK
                 : take_word(&word, "--tell") ? TASK_TELL
                                              : TASK_OBJECT;
    if (task->kind != TASK_LINK && take_word(&word, "--ptx") && *word)
        task->functions = *word++;
    if (task->kind != TASK_TELL && *word)
        task->output = *word++;
    task->inputs = word;
    while (word[task->input_count])
        task->input_count++;
    return task->kind == TASK_TELL   ? task->input_count == 1
           : task->kind == TASK_LINK ? task->input_count >= 2 && task->input_count % 2 == 0
                                     : task->input_count == 2;
}

static void link_parts(struct unit *u, const struct task *task) {
    const size_t count = task->input_count / 2;
    struct part *parts = calloc(count, sizeof *parts);
    if (!parts)
        fail("out of memory");
    for (size_t i = 0; i < count; i++)
        parts[i] =
            (struct part){task->inputs[2 * i], read_module(u->context, task->inputs[2 * i + 1])};
    parts_link(u, parts, count);
    free(parts);
}

/* Returns the exit status. */
static int perform(struct unit *u, const struct task *task) {
    LLVMTargetMachineRef machine = host_machine();
    char *message = NULL;
    u->layout = LLVMCreateTargetDataLayout(machine);
    if (task->kind == TASK_LINK) {
        link_parts(u, task);
    } else {
        u->module = read_module(u->context, task->inputs[task->input_count - 1]);
        if (task->submission)
            submission_check_module(u);
        if (task->kind != TASK_TELL && !lower_assembly(u, task->functions, task->output))
            return INSTRUMENT_PTX;
    }
    if (task->kind == TASK_PART)
        return LLVMWriteBitcodeToFile(u->module, task->output) != 0;
    begin(u, machine);
    if (task->kind == TASK_TELL) {
        lockstep_print(u);
        return 0;
    }
    finish(u, machine);
    if (LLVMTargetMachineEmitToFile(machine, u->module, (char *)task->output, LLVMObjectFile,
                                    &message))
        fail("%s: %s", task->output, message);
    return 0;
}

int main(int count, char **words) {
    struct task task = {.kind = TASK_OBJECT};
    if (count == 2 && strcmp(words[1], "--version") == 0)
        return puts("cudacpu-instrument, " LLVM_SAID) < 0;
    if (count > 3 && strcmp(words[1], "--llvm") == 0) {
        load_llvm(words[2], words[3]);
        words += 3;
    }
    if (!read_task(&task, words + 1)) {
        fputs("usage: cudacpu-instrument [--accesses] [--submission FILE [--no-memory]] [--show "
              "FILE]... [--origins] "
              "[--ptx "
              "FUNCTIONS.bc] OUT.o "
              "NAME IN.bc\n"
              "       cudacpu-instrument --part [--ptx FUNCTIONS.bc] OUT.bc NAME IN.bc\n"
              "       cudacpu-instrument [--accesses] [--show FILE]... [--origins] --link OUT.o "
              "NAME IN.bc "
              "NAME IN.bc ...\n"
              "       cudacpu-instrument --tell IN.bc\n",
              stderr);
        return 2;
    }
    struct unit u = {.context = LLVMContextCreate(),
                     .name = task.inputs[0],
                     .accesses = task.accesses,
                     .submission = task.submission,
                     .no_memory = task.no_memory,
                     .one_thread = task.accesses,
                     .shown = task.shown,
                     .shown_count = task.shown_count,
                     .tells_origins = task.origins};
    LLVMParseCommandLineOptions(sizeof llvm_options / sizeof llvm_options[0], llvm_options, NULL);
    LLVMContextSetDiagnosticHandler(u.context, take_diagnostic, NULL);
    return perform(&u, &task);
}
