/*
 * An instruction's site and an address's variable are looked up once and kept: accesses are far
 * more numerous than the instructions that make them.
 */
#include "cudacpu/observe/memory_record.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/text.h"
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_check.h"
#include "cudacpu/process/user_program.h"
#include "cudacpu/runtime/api.h"
#include "cudacpu/shared_report.h"
#include "simt/device_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW        128
#define BANK_MOST  16  /* bytes of one access; a larger one becomes several */
#define GLOBAL_ROW 256 /* the alignment of cudaMalloc() */

extern char __executable_start[] __attribute__((weak));

bool memory_record_is_on;

/* A variable, dynamic shared memory, or an allocation of global memory. */
struct variable {
    uintptr_t start, end;
    int32_t offset;
    uint8_t type, vector;
    char *name;
};

/* An instruction that accesses memory. */
struct instruction {
    uint64_t pc;
    struct shflviz_site site;
};

/* A variable of the program, from its symbol table. */
struct symbol {
    uint64_t address, size;
    char *name;
};

/* The variables of one kind of memory. */
struct memory {
    bool is_recorded;
    const char *note;           /* key of its note */
    int32_t row;                /* bytes: every variable begins at a multiple of it */
    struct variable *variables; /* by address */
    size_t count;
    int32_t end;      /* offset for the next variable */
    struct text gone; /* lines of the note for earlier variables */
};

static struct {
    struct trace_writer *writer;
    uintptr_t base;                   /* of the executable */
    struct instruction *instructions; /* by address */
    size_t instruction_count;
    struct shflviz_site nowhere;
    struct symbol *symbols; /* by address */
    size_t symbol_count;
    struct memory shared, global;
    bool tells_full; /* the lack of room has been reported */
} record = {.shared = {.note = TRACE_NOTE_SHARED, .row = ROW, .gone = TEXT_INIT},
            .global = {.note = TRACE_NOTE_GLOBAL, .row = GLOBAL_ROW, .gone = TEXT_INIT}};

/* ---- lines ---- */

static int by_address(const void *a, const void *b) {
    const struct symbol *one = a, *other = b;
    return one->address < other->address ? -1 : one->address > other->address;
}

/* "4040 1024 table" */
static void read_symbol(char *line) {
    char *at;
    struct symbol symbol = {.address = strtoull(line, &at, 16)};
    symbol.size = strtoull(at, &at, 10);
    at += *at == ' ';
    at[strcspn(at, "\n")] = '\0';
    symbol.name = memory_string(at);
    record.symbols = memory_grow(record.symbols, record.symbol_count + 1, sizeof *record.symbols);
    record.symbols[record.symbol_count++] = symbol;
}

/* Reads the file of access_lines.h: a line for each instruction and, after =, for each variable. */
static void read_instructions(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL, *at;
    size_t room = 0, capacity = 0;
    while (file && getline(&line, &room, file) > 0) {
        if (*line == '=') {
            read_symbol(line + 1);
            continue;
        }
        const uint64_t pc = strtoull(line, &at, 16);
        const unsigned number = (unsigned)strtoul(at, &at, 10);
        char *text = strchr(at, '\t');
        if (!text || *at != ' ')
            continue;
        *text++ = '\0';
        text[strcspn(text, "\n")] = '\0';
        record.instructions = memory_room(record.instructions, record.instruction_count, &capacity,
                                          sizeof *record.instructions);
        record.instructions[record.instruction_count++] =
            (struct instruction){.pc = pc,
                                 .site = {.file = memory_string(at + 1),
                                          .function = "",
                                          .text = memory_string(text),
                                          .line = number}};
    }
    free(line);
    if (file)
        fclose(file);
    if (record.symbol_count)
        qsort(record.symbols, record.symbol_count, sizeof *record.symbols, by_address);
}

/* objdump lists the program's addresses in order, so the file has them in order. */
static const struct shflviz_site *site_of(const void *pc) {
    const uint64_t address = (uintptr_t)pc - record.base;
    const size_t before = search_up_to(record.instructions, record.instruction_count,
                                       sizeof *record.instructions, address - 1);
    return before < record.instruction_count && record.instructions[before].pc == address
               ? &record.instructions[before].site
               : &record.nowhere;
}

/* ---- variables ---- */

static size_t variables_up_to(const struct memory *memory, uintptr_t address) {
    return search_up_to(memory->variables, memory->count, sizeof *memory->variables, address);
}

static struct variable *variable_of(const struct memory *memory, uintptr_t address) {
    size_t at = variables_up_to(memory, address);
    return at > 0 && address < memory->variables[at - 1].end ? &memory->variables[at - 1] : NULL;
}

/* NULL if there are no offsets left. */
static struct variable *add_variable(struct memory *memory, uintptr_t start, size_t size) {
    const size_t at = variables_up_to(memory, start);
    const int32_t room = INT32_MAX - memory->end - memory->row;
    if (room < 0 || size > (size_t)room)
        return NULL;
    memory->variables =
        memory_grow(memory->variables, memory->count + 1, sizeof *memory->variables);
    memmove(memory->variables + at + 1, memory->variables + at,
            (memory->count++ - at) * sizeof *memory->variables);
    struct variable *variable = &memory->variables[at];
    *variable = (struct variable){
        .start = start, .end = start + size, .offset = memory->end, .type = WARP_TYPE_UNSIGNED};
    memory->end += (int32_t)((size + (size_t)memory->row - 1) / (size_t)memory->row) * memory->row;
    return variable;
}

static int by_offset(const void *a, const void *b) {
    const struct variable *one = a, *other = b;
    return one->offset < other->offset ? -1 : one->offset > other->offset;
}

static void append_line(struct text *text, const struct variable *variable) {
    if (variable->name)
        text_append_format(text, "%" PRId32 " %zu %s\n", variable->offset,
                           (size_t)(variable->end - variable->start), variable->name);
}

/* Each note names all that are known; the last one counts. */
static void note_variables(const struct memory *memory) {
    struct text text = TEXT_INIT;
    text_append(&text, memory->gone.data);
    struct variable *sorted = memory_zeroed(memory->count, sizeof *sorted);
    memcpy(sorted, memory->variables, memory->count * sizeof *sorted);
    qsort(sorted, memory->count, sizeof *sorted, by_offset);
    for (size_t i = 0; i < memory->count; i++)
        append_line(&text, &sorted[i]);
    trace_writer_note(record.writer, memory->note, text.data);
    text_release(&text);
    free(sorted);
}

/* ---- global memory ---- */

static const struct symbol *symbol_of(uintptr_t address) {
    const uint64_t at = address - record.base;
    const size_t until =
        search_up_to(record.symbols, record.symbol_count, sizeof *record.symbols, at);
    const struct symbol *symbol = until > 0 ? &record.symbols[until - 1] : NULL;
    return symbol && at - symbol->address < symbol->size ? symbol : NULL;
}

/* Finds the object that holds the address: its bounds and its name. False if it is not in global
 * memory. */
static bool find_global(uintptr_t address, uintptr_t *start, uintptr_t *end, const char **name) {
    const struct api_allocation *allocation = api_find(cpu_device_in_use(), (const void *)address);
    if (allocation) {
        *start = (uintptr_t)allocation->start;
        *end = *start + allocation->size;
        *name = "@";
        return true;
    }
    const struct symbol *symbol = symbol_of(address);
    if (!symbol)
        return false;
    *start = record.base + symbol->address;
    *end = *start + symbol->size;
    *name = symbol->name;
    return true;
}

static void report_full(void) {
    if (!record.tells_full)
        fprintf(stderr, "shflviz: a recording has room for 2 GiB of global memory; accesses to "
                        "what lies beyond are not recorded\n");
    record.tells_full = true;
}

/* An object at the address replaces a freed one. */
static struct variable *global_of(uintptr_t address) {
    struct memory *memory = &record.global;
    uintptr_t start, end;
    const char *name;
    if (!find_global(address, &start, &end, &name))
        return NULL;
    struct variable *variable = variable_of(memory, address);
    if (variable && variable->start == start && variable->end == end)
        return variable;
    const size_t after = variables_up_to(memory, end - 1);
    size_t first = after;
    for (; first > 0 && memory->variables[first - 1].end > start; first--) {
        append_line(&memory->gone, &memory->variables[first - 1]);
        free(memory->variables[first - 1].name);
    }
    if (memory->count > after)
        memmove(memory->variables + first, memory->variables + after,
                (memory->count - after) * sizeof *memory->variables);
    memory->count -= after - first;
    variable = add_variable(memory, start, end - start);
    if (!variable) {
        report_full();
        return NULL;
    }
    variable->name = memory_string(name);
    note_variables(memory);
    return variable;
}

void cpu_pointer_passed(const void *pointer, const char *kernel, size_t argument,
                        struct cpu_pointed to) {
    if (memory_check_is_on)
        memory_check_passed(pointer, argument, to);
    struct variable *variable =
        memory_record_is_on && record.global.is_recorded ? global_of((uintptr_t)pointer) : NULL;
    const int type = to.type, vector = to.vector;
    if (!variable || type < 0)
        return;
    variable->type = (uint8_t)type;
    variable->vector = (uint8_t)vector;
    if (strcmp(variable->name, "@") != 0)
        return;
    struct text name = TEXT_INIT;
    text_append_format(&name, "@%zu %s", argument + 1, kernel);
    free(variable->name);
    variable->name = memory_string(name.data);
    text_release(&name);
    note_variables(&record.global);
}

/* ---- shared memory ---- */

/* Constructors of the program may report before anything has begun. */
struct told {
    struct told *next;
    const char *name;
    const void *address;
    size_t size;
    int type, vector;
};
static struct told *early_reports, **early_reports_end = &early_reports;

static void add_reported(const struct told *told) {
    const bool is_dynamic = told->size == 0;
    const uintptr_t start = (uintptr_t)told->address;
    struct variable *variable = variable_of(&record.shared, start);
    if (!variable)
        variable = add_variable(&record.shared, start, is_dynamic ? CPU_SHARED_BYTES : told->size);
    if (!variable)
        return;
    const bool same = variable->name && strcmp(variable->name, told->name) == 0;
    if (!same) {
        /* Several kernels may name dynamic shared memory differently: the last name is kept. */
        free(variable->name);
        variable->name = memory_string(told->name);
    }
    variable->type = (uint8_t)told->type;
    variable->vector = (uint8_t)told->vector;
    if (!same)
        note_variables(&record.shared);
}

int cpu_shared_reported(const char *name, const void *address, size_t size, int type, int vector) {
    const struct told told = {NULL, name, address, size, type, vector};
    if (record.writer) {
        add_reported(&told);
    } else {
        *early_reports_end = memory_zeroed(1, sizeof told);
        **early_reports_end = told;
        early_reports_end = &(*early_reports_end)->next;
    }
    return 0;
}

/* ---- accesses ---- */

static enum warp_op op_of(unsigned kind, bool shared) {
    if (kind & ACCESS_ATOMIC)
        return shared ? WARP_OP_SHARED_ATOMIC : WARP_OP_GLOBAL_ATOMIC;
    if (kind & ACCESS_WRITES)
        return shared ? WARP_OP_SHARED_WRITE : WARP_OP_GLOBAL_WRITE;
    return shared ? WARP_OP_SHARED_READ : WARP_OP_GLOBAL_READ;
}

void memory_record_access(const void *address, size_t size, unsigned kind, const void *pc) {
    const struct cpu_touch *touched = &cpu_device_in_use()->touched;
    const struct cpu_lane *me = cpu_now.lane;
    const struct variable *variable = variable_of(&record.shared, (uintptr_t)address);
    const bool shared = variable != NULL;
    if (!shared && record.global.is_recorded)
        variable = global_of((uintptr_t)address);
    if (!variable)
        return;
    if (shared && !record.shared.is_recorded) {
        /* Not recorded, but lanes keep step at it nevertheless, because old programs rely on
         * that. */
        if (!cpu_now.in_atomic && !(kind & (ACCESS_ATOMIC | ACCESS_VOLATILE)))
            schedule_keep_pace(pc);
        return;
    }
    if (cpu_now.in_atomic) {
        kind |= ACCESS_ATOMIC;
        /* The write that follows the read of the same operation. */
        if (kind & ACCESS_WRITES && touched->warp == me->warp && touched->lane == me->index &&
            touched->kind == op_of(ACCESS_ATOMIC, shared) && touched->address == address)
            return;
    }
    struct cpu_access access = {.site = site_of(pc),
                                .address = address,
                                .offset = variable->offset +
                                          (int32_t)((uintptr_t)address - variable->start),
                                .op = (uint8_t)op_of(kind, shared),
                                .type = variable->type,
                                .vector = variable->vector,
                                .has_given_way = (kind & ACCESS_VOLATILE) != 0};
    for (size_t done = 0; done < size; done += access.bytes) { /* memcpy() may need more than one */
        access.bytes = (uint8_t)(size - done < BANK_MOST ? size - done : BANK_MOST);
        if (!cpu_shared_extends(&access))
            cpu_shared_access(&access, pc);
        access.address = (const char *)access.address + access.bytes;
        access.offset += access.bytes;
    }
}

void memory_record_begin(const char *path, struct trace_writer *writer, unsigned which) {
    uint16_t type = 0; /* ET_DYN is 3: addresses in the file begin at 0; else they are as here */
    if (__executable_start)
        memcpy(&type, __executable_start + 16, sizeof type);
    record.base = type == 3 ? (uintptr_t)__executable_start : 0;
    record.nowhere = (struct shflviz_site){.file = "", .function = "", .text = "", .line = 0};
    record.writer = writer;
    record.shared.is_recorded = (which & RUN_ACCESSES_SHARED) != 0;
    record.global.is_recorded = (which & RUN_ACCESSES_GLOBAL) != 0;
    read_instructions(path);
    for (struct told *told = early_reports, *next; told; told = next) {
        next = told->next;
        add_reported(told);
        free(told);
    }
    memory_record_is_on = true;
}
