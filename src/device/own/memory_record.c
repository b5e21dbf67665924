#include "device/own/memory_record.h"

#include "base/memory.h"
#include "base/text.h"
#include "device/cpu/device_state.h"
#include "device/own/access_file.h"
#include "shflviz/cpu/shared_told.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW       128 /* bytes: each variable begins at a multiple */
#define BANK_MOST 16  /* bytes of one access; more are several */

extern char __executable_start[] __attribute__((weak));

bool memory_record_is_on;

/* A variable, or dynamic shared memory. */
struct variable {
    uintptr_t start, end;
    int32_t offset;
    uint8_t type, vector;
    char *name;
};

/* An instruction that accesses memory. */
struct place {
    uint64_t pc;
    struct shflviz_site site;
};

static struct {
    struct trace_writer *writer;
    uintptr_t base;       /* of the executable */
    struct place *places; /* by address */
    size_t place_count;
    struct shflviz_site nowhere;
    struct variable *variables; /* by address */
    size_t variable_count;
    int32_t end; /* where the next variable goes */
} record;

/* ---- lines ---- */

static void read_places(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL, *at;
    size_t room = 0, capacity = 0;
    while (file && getline(&line, &room, file) > 0) {
        const uint64_t pc = strtoull(line, &at, 16);
        const unsigned number = (unsigned)strtoul(at, &at, 10);
        char *text = strchr(at, '\t');
        if (!text || *at != ' ')
            continue;
        *text++ = '\0';
        text[strcspn(text, "\n")] = '\0';
        if (record.place_count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            record.places = memory_grow(record.places, capacity, sizeof *record.places);
        }
        record.places[record.place_count++] = (struct place){.pc = pc,
                                                             .site = {.file = memory_string(at + 1),
                                                                      .function = "",
                                                                      .text = memory_string(text),
                                                                      .line = number}};
    }
    free(line);
    if (file)
        fclose(file);
}

/* objdump goes through the program's addresses in their order, so the file has them in it. */
static const struct shflviz_site *site_of(const void *pc) {
    const uint64_t address = (uintptr_t)pc - record.base;
    size_t low = 0, high = record.place_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (record.places[middle].pc < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < record.place_count && record.places[low].pc == address ? &record.places[low].site
                                                                        : &record.nowhere;
}

/* ---- variables ---- */

static size_t variables_until(uintptr_t address) {
    size_t low = 0, high = record.variable_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (record.variables[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct variable *variable_of(uintptr_t address) {
    size_t at = variables_until(address);
    return at > 0 && address < record.variables[at - 1].end ? &record.variables[at - 1] : NULL;
}

static struct variable *add_variable(const void *address, size_t size) {
    const uintptr_t start = (uintptr_t)address;
    const size_t at = variables_until(start);
    record.variables =
        memory_grow(record.variables, record.variable_count + 1, sizeof *record.variables);
    memmove(record.variables + at + 1, record.variables + at,
            (record.variable_count++ - at) * sizeof *record.variables);
    struct variable *variable = &record.variables[at];
    *variable = (struct variable){
        .start = start, .end = start + size, .offset = record.end, .type = WARP_TYPE_UNSIGNED};
    record.end += (int32_t)((size + ROW - 1) / ROW * ROW);
    return variable;
}

static int by_offset(const void *a, const void *b) {
    const struct variable *one = a, *other = b;
    return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* The note tells all that are known; of several the last counts. */
static void note_variables(void) {
    struct text text = TEXT_INIT;
    struct variable *sorted = memory_zeroed(record.variable_count, sizeof *sorted);
    memcpy(sorted, record.variables, record.variable_count * sizeof *sorted);
    qsort(sorted, record.variable_count, sizeof *sorted, by_offset);
    for (size_t i = 0; i < record.variable_count; i++)
        if (sorted[i].name)
            text_append_format(&text, "%" PRId32 " %zu %s\n", sorted[i].offset,
                               (size_t)(sorted[i].end - sorted[i].start), sorted[i].name);
    trace_writer_note(record.writer, TRACE_NOTE_SHARED, text.data);
    text_release(&text);
    free(sorted);
}

/* Constructors of the program may tell before anything has begun. */
struct told {
    struct told *next;
    const char *name;
    const void *address;
    size_t size;
    int type, vector;
};
static struct told *told_early, **told_early_end = &told_early;

static void take_told(const struct told *told) {
    const bool is_dynamic = told->size == 0;
    struct variable *variable = variable_of((uintptr_t)told->address);
    if (!variable)
        variable = add_variable(told->address, is_dynamic ? CPU_SHARED_BYTES : told->size);
    const bool same = variable->name && strcmp(variable->name, told->name) == 0;
    if (!same) {
        /* Several kernels may call dynamic shared memory differently: it has the last name. */
        free(variable->name);
        variable->name = memory_string(told->name);
    }
    variable->type = (uint8_t)told->type;
    variable->vector = (uint8_t)told->vector;
    if (!same)
        note_variables();
}

int cpu_shared_told(const char *name, const void *address, size_t size, int type, int vector) {
    const struct told told = {NULL, name, address, size, type, vector};
    if (record.writer) {
        take_told(&told);
    } else {
        *told_early_end = memory_zeroed(1, sizeof told);
        **told_early_end = told;
        told_early_end = &(*told_early_end)->next;
    }
    return 0;
}

/* ---- accesses ---- */

static enum warp_op op_of(unsigned kind) {
    return kind & ACCESS_ATOMIC   ? WARP_OP_SHARED_ATOMIC
           : kind & ACCESS_WRITES ? WARP_OP_SHARED_WRITE
                                  : WARP_OP_SHARED_READ;
}

void memory_record_access(const void *address, size_t size, unsigned kind, const void *pc) {
    const struct cpu_touch *touched = &cpu_device_in_use()->touched;
    const struct cpu_lane *me = cpu_now.lane;
    const struct variable *variable = variable_of((uintptr_t)address);
    if (!variable)
        return;
    if (cpu_now.in_atomic) {
        kind |= ACCESS_ATOMIC;
        /* The write behind the read of the same operation. */
        if (kind & ACCESS_WRITES && touched->warp == me->warp && touched->lane == me->index &&
            touched->kind == WARP_OP_SHARED_ATOMIC && touched->address == address)
            return;
    }
    struct cpu_access access = {.site = site_of(pc),
                                .address = address,
                                .offset = variable->offset +
                                          (int32_t)((uintptr_t)address - variable->start),
                                .op = (uint8_t)op_of(kind),
                                .type = variable->type,
                                .vector = variable->vector,
                                .has_given_way = (kind & ACCESS_VOLATILE) != 0};
    for (size_t done = 0; done < size; done += access.bytes) { /* of memcpy() more than one */
        access.bytes = (uint8_t)(size - done < BANK_MOST ? size - done : BANK_MOST);
        if (!cpu_shared_extends(&access))
            cpu_shared_access(&access, pc);
        access.address = (const char *)access.address + access.bytes;
        access.offset += access.bytes;
    }
}

void memory_record_begin(const char *path, struct trace_writer *writer) {
    uint16_t type = 0; /* ET_DYN is 3: addresses in the file begin at 0; else they are as here */
    if (__executable_start)
        memcpy(&type, __executable_start + 16, sizeof type);
    record.base = type == 3 ? (uintptr_t)__executable_start : 0;
    record.nowhere = (struct shflviz_site){.file = "", .function = "", .text = "", .line = 0};
    record.writer = writer;
    read_places(path);
    for (struct told *told = told_early, *next; told; told = next) {
        next = told->next;
        take_told(told);
        free(told);
    }
    memory_record_is_on = true;
}
