/*
 * machine.c - runs the code of one lane, on the stack that the CPU warp gives the lane.
 *
 * run() never waits: where other lanes may run it returns, and run_lane() calls the CPU warp and
 * continues. In a browser, functions that wait must be able to leave and come back
 * (simt/fiber_wasm.c); in this way, only one small function has to.
 */
#include "interpreter/program.h"

#include "base/message.h"
#include "cudacpu/calls.h"
#include "cudacpu/matrix.h"
#include "cudacpu/observe/access_file.h"
#include "cudacpu/observe/memory_check.h"
#include "interpreter/observed.h"
#include "simt/device_state.h"

#include <stdlib.h>
#include <string.h>

#define LANE_BYTES  6144 /* in a web page a lane has a stack of 32 KiB for all of this */
#define VALUES_MOST 96
#define DEPTH_MOST  24
#define STEPS_MOST  UINT64_C(400000000)

struct frame {
    int32_t back;
    uint32_t base;
    const struct function *function;
};

struct machine {
    struct kernel_program *program;
    const struct function *function;
    uint64_t values[VALUES_MOST];
    unsigned top; /* the number of values */
    struct frame frames[DEPTH_MOST];
    unsigned depth;
    uint32_t base;
    int32_t at;
    struct {
        void *address;
        size_t size;
        bool writes;
    } step;             /* the access before which lanes keep step (STOP_STEP) */
    bool has_kept_step; /* they have */
    const char *fault;
    _Alignas(16) unsigned char memory[LANE_BYTES];
};

enum stop {
    STOP_END, /* the lane goes on */
    STOP_RETURN,
    STOP_FAULT,
    STOP_STEP,
    STOP_CALL
};

/* memory_check.c knows dynamic shared memory by this name; interpreted kernels have none. */
CPU_THREAD unsigned char cpu_dynamic_shared[CPU_SHARED_NONE];

/* All `__shared__` variables of the block that runs; the device clears it (lib/simt). */
static unsigned char *shared_memory;

static const void *pc_of(const struct machine *m) {
    return (const void *)(uintptr_t)m->program->lines[m->at];
}

const char *kernel_program_source(const struct kernel_program *program, uint64_t pc,
                                  uint32_t *line) {
    *line = pc & 0xffffff;
    return *line ? program->source_names[pc >> 24 & 1] : NULL;
}

static size_t size_of(enum kind kind) {
    return kind == KIND_POINTER ? 8 : scalar(kind)->size;
}

static uint64_t load(const void *address, enum kind kind) {
    uint64_t bits = 0;
    memcpy(&bits, address, size_of(kind));
    return kind < KIND_F32 && kind != KIND_BOOL ? convert(bits, kind, kind) : bits;
}

static void save(void *address, enum kind kind, uint64_t value) {
    memcpy(address, &value, size_of(kind));
}

static enum stop fault(struct machine *m, const char *why) {
    m->fault = why;
    return STOP_FAULT;
}

static bool is_of_lane(const struct machine *m, uint64_t address, size_t size) {
    const uint64_t begin = (uintptr_t)m->memory;
    return size <= LANE_BYTES && address - begin <= LANE_BYTES - size;
}

/* Reports an access of the lane. Returns STOP_END if it may be made, else what to do. */
static enum stop check_access(struct machine *m, uint64_t address, size_t size, unsigned kind) {
    if (is_of_lane(m, address, size) || size == 0)
        return STOP_END;
    void *const pointer = (void *)(uintptr_t)address;
    if (cpu_now.in_step && !cpu_now.in_atomic && !m->has_kept_step) {
        m->step.address = pointer;
        m->step.size = size;
        m->step.writes = (kind & ACCESS_WRITES) != 0;
        return STOP_STEP;
    }
    m->has_kept_step = false;
    memory_check_access(pointer, size, kind, pc_of(m));
    observed_access(pointer, kind);
    if (!memory_check_holds(pointer, size))
        return fault(m, _("the kernel accesses nonexistent memory"));
    return STOP_END;
}

/* `size` bytes, from one address to another. */
static enum stop copy(struct machine *m, uint64_t to, uint64_t from, size_t size) {
    enum stop stop = check_access(m, from, size, ACCESS_READS);
    if (stop != STOP_END)
        return stop;
    m->has_kept_step = true; /* for the read */
    stop = check_access(m, to, size, ACCESS_WRITES);
    m->has_kept_step = false;
    if (stop == STOP_END)
        memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size);
    return stop;
}

static uint64_t special(int32_t number) {
    const struct uint3 thread = cpu_now.lane->thread_index, block = cpu_block_index;
    const uint32_t values[] = {thread.x,        thread.y,       thread.z,        block.x,
                               block.y,         block.z,        cpu_block_dim.x, cpu_block_dim.y,
                               cpu_block_dim.z, cpu_grid_dim.x, cpu_grid_dim.y,  cpu_grid_dim.z};
    return values[number];
}

static enum stop call(struct machine *m, const struct function *function) {
    const uint32_t base = (m->base + m->function->frame + 15) / 16 * 16;
    if (m->depth == DEPTH_MOST || base + function->frame > LANE_BYTES)
        return fault(m, _("the kernel's calls are nested too deeply"));
    m->frames[m->depth++] = (struct frame){m->at + 1, m->base, m->function};
    m->base = base;
    m->function = function;
    for (uint32_t i = function->parameter_count; i-- > 0;) {
        const struct type *type = function->parameters[i];
        const uint64_t value = m->values[--m->top];
        unsigned char *to = m->memory + base + function->offsets[i];
        if (type->kind == KIND_STRUCT) {
            m->has_kept_step = true;
            if (copy(m, (uintptr_t)to, value, type->size) != STOP_END)
                return STOP_FAULT;
        } else {
            save(to, type->kind, value);
        }
    }
    m->at = function->entry - 1;
    return STOP_END;
}

static enum stop run_binary(struct machine *m, const struct instruction *i) {
    const uint64_t a = m->values[m->top - 2], b = m->values[m->top - 1];
    const bool is_shift = i->operation == OP_SHIFT_LEFT || i->operation == OP_SHIFT_RIGHT;
    bool fails = false;
    if (is_shift && b >= kind_bits(i->kind))
        memory_check_shift((int64_t)b, kind_bits(i->kind), pc_of(m));
    m->top--;
    m->values[m->top - 1] = operate(i->operation, i->kind, a, b, &fails);
    return fails ? fault(m, _("the kernel divides by 0")) : STOP_END;
}

static enum stop index_element(struct machine *m, const struct instruction *i) {
    const int64_t number = (int64_t)m->values[--m->top];
    if (i->extra && (number < 0 || number >= i->extra))
        memory_check_index((uint64_t)number, i->extra, true, pc_of(m));
    m->values[m->top - 1] += (uint64_t)(number * i->a);
    return STOP_END;
}

static enum stop call_numbers(struct machine *m, const struct instruction *i) {
    const char *row = function_signature(i->a);
    const char *open = strchr(row, '(');
    const unsigned count = (unsigned)(strchr(open, ')') - open) - 1;
    uint64_t arguments[3] = {0};
    m->top -= count;
    memcpy(arguments, m->values + m->top, count * sizeof arguments[0]);
    m->values[m->top++] = strncmp(row, "__cvta", 6) == 0 ? arguments[0] - (uintptr_t)shared_memory
                                                         : function_call(i->a, arguments);
    return STOP_END;
}

/* ---- one instruction ---- */

static enum stop run_constant(struct machine *m, const struct instruction *i) {
    m->values[m->top++] = m->program->constants[i->a];
    return STOP_END;
}
static enum stop run_local(struct machine *m, const struct instruction *i) {
    m->values[m->top++] = (uintptr_t)(m->memory + m->base + i->a);
    return STOP_END;
}
static enum stop run_shared(struct machine *m, const struct instruction *i) {
    m->values[m->top++] = (uintptr_t)(shared_memory + i->a);
    return STOP_END;
}
static enum stop run_load_local(struct machine *m, const struct instruction *i) {
    m->values[m->top++] = load(m->memory + m->base + i->a, i->kind);
    return STOP_END;
}
static enum stop run_store_local(struct machine *m, const struct instruction *i) {
    save(m->memory + m->base + i->a, i->kind, m->values[m->top - 1]);
    return STOP_END;
}
static enum stop run_load(struct machine *m, const struct instruction *i) {
    const uint64_t address = m->values[m->top - 1];
    const enum stop stop = check_access(m, address, size_of(i->kind), ACCESS_READS);
    if (stop == STOP_END)
        m->values[m->top - 1] = load((const void *)(uintptr_t)address, i->kind);
    return stop;
}
static enum stop run_store(struct machine *m, const struct instruction *i) {
    const uint64_t address = m->values[m->top - 2], value = m->values[m->top - 1];
    const enum stop stop = check_access(m, address, size_of(i->kind), ACCESS_WRITES);
    if (stop == STOP_END) {
        save((void *)(uintptr_t)address, i->kind, value);
        m->values[--m->top - 1] = value;
    }
    return stop;
}
static enum stop run_copy(struct machine *m, const struct instruction *i) {
    const enum stop stop = copy(m, m->values[m->top - 2], m->values[m->top - 1], (size_t)i->a);
    m->top -= stop == STOP_END;
    return stop;
}
static enum stop run_copy_bytes(struct machine *m, const struct instruction *i) {
    (void)i;
    const uint64_t *in = m->values + m->top - 3;
    const enum stop stop = copy(m, in[0], in[1], (size_t)in[2]);
    m->top -= stop == STOP_END ? 3 : 0;
    return stop;
}
static enum stop run_fill(struct machine *m, const struct instruction *i) {
    const int byte = i->kind == KIND_F32 ? 0xff : KERNEL_UNSET;
    memset(m->memory + m->base + i->extra, byte, (size_t)i->a);
    return STOP_END;
}
static enum stop run_clear(struct machine *m, const struct instruction *i) {
    memset(m->memory + m->base + i->extra, 0, (size_t)i->a);
    return STOP_END;
}
static enum stop run_duplicate(struct machine *m, const struct instruction *i) {
    (void)i;
    m->values[m->top] = m->values[m->top - 1];
    m->top++;
    return STOP_END;
}
static enum stop run_drop(struct machine *m, const struct instruction *i) {
    (void)i;
    m->top--;
    return STOP_END;
}
static enum stop run_swap(struct machine *m, const struct instruction *i) {
    (void)i;
    const uint64_t value = m->values[m->top - 1];
    m->values[m->top - 1] = m->values[m->top - 2];
    m->values[m->top - 2] = value;
    return STOP_END;
}
static enum stop run_offset(struct machine *m, const struct instruction *i) {
    m->values[m->top - 1] += (uint64_t)i->a;
    return STOP_END;
}
static enum stop run_unary(struct machine *m, const struct instruction *i) {
    uint64_t *value = &m->values[m->top - 1];
    *value = operate(i->operation, i->kind, *value, 0, NULL);
    return STOP_END;
}
static enum stop run_convert(struct machine *m, const struct instruction *i) {
    uint64_t *value = &m->values[m->top - 1 - (unsigned)i->a];
    *value = convert(*value, i->extra, i->kind);
    return STOP_END;
}
static enum stop run_jump(struct machine *m, const struct instruction *i) {
    m->at = i->a - 1;
    return STOP_END;
}
static enum stop run_jump_if_zero(struct machine *m, const struct instruction *i) {
    m->at = m->values[--m->top] ? m->at : i->a - 1;
    return STOP_END;
}
static enum stop run_jump_if_not(struct machine *m, const struct instruction *i) {
    m->at = m->values[--m->top] ? i->a - 1 : m->at;
    return STOP_END;
}
static enum stop run_nothing(struct machine *m, const struct instruction *i) {
    (void)m, (void)i;
    return STOP_END;
}
static enum stop run_call(struct machine *m, const struct instruction *i) {
    return call(m, m->program->functions[i->a]);
}
static enum stop run_return(struct machine *m, const struct instruction *i) {
    (void)i;
    if (m->depth == 0)
        return STOP_RETURN;
    m->at = m->frames[--m->depth].back - 1;
    m->base = m->frames[m->depth].base;
    m->function = m->frames[m->depth].function;
    return STOP_END;
}
static enum stop run_no_result(struct machine *m, const struct instruction *i) {
    (void)i;
    return fault(m, _("a function that must return a value ends without one"));
}
static enum stop run_special(struct machine *m, const struct instruction *i) {
    m->values[m->top++] = special(i->a);
    return STOP_END;
}
static enum stop run_declare_shared(struct machine *m, const struct instruction *i) {
    cpu_shared_variable(shared_memory + i->a, m->program->shared[i->extra].size);
    return STOP_END;
}
static enum stop run_fence(struct machine *m, const struct instruction *i) {
    (void)m, (void)i;
    cpu_fence();
    return STOP_END;
}
/* The arguments stay above the top. */
static enum stop run_waiting(struct machine *m, const struct instruction *i) {
    m->top -= i->operation == OP_WARP ? 4 : i->operation == OP_BARRIER ? 1 : 0;
    return STOP_CALL;
}

static enum stop (*const steps[])(struct machine *m, const struct instruction *i) = {
    [OP_INDEX] = index_element,
    [OP_FUNCTION] = call_numbers,
    [OP_NEGATE] = run_unary,
    [OP_COMPLEMENT] = run_unary,
    [OP_NOT] = run_unary,
    [OP_WARP] = run_waiting,
    [OP_BARRIER] = run_waiting,
    [OP_ATOMIC] = run_waiting,
    [OP_MATRIX] = run_waiting,
    [OP_CONSTANT] = run_constant,
    [OP_LOCAL] = run_local,
    [OP_SHARED] = run_shared,
    [OP_LOAD_LOCAL] = run_load_local,
    [OP_STORE_LOCAL] = run_store_local,
    [OP_LOAD] = run_load,
    [OP_STORE] = run_store,
    [OP_COPY] = run_copy,
    [OP_COPY_BYTES] = run_copy_bytes,
    [OP_FILL] = run_fill,
    [OP_CLEAR] = run_clear,
    [OP_DUPLICATE] = run_duplicate,
    [OP_DROP] = run_drop,
    [OP_SWAP] = run_swap,
    [OP_OFFSET] = run_offset,
    [OP_CONVERT] = run_convert,
    [OP_JUMP] = run_jump,
    [OP_JUMP_IF_ZERO] = run_jump_if_zero,
    [OP_JUMP_IF_NOT] = run_jump_if_not,
    [OP_NOTHING] = run_nothing,
    [OP_CALL] = run_call,
    [OP_RETURN] = run_return,
    [OP_NO_RESULT] = run_no_result,
    [OP_SPECIAL] = run_special,
    [OP_DECLARE_SHARED] = run_declare_shared,
    [OP_FENCE] = run_fence,
};

static enum stop run(struct machine *m) {
    for (;; m->at++) {
        const struct instruction *i = &m->program->code[m->at];
        if (++m->program->steps > STEPS_MOST)
            return fault(m, _("the kernel does not end"));
        if (m->top + 4 > VALUES_MOST)
            return fault(m, _("an expression is nested too deeply for this page"));
        const enum stop stop = steps[i->operation] ? steps[i->operation](m, i) : run_binary(m, i);
        if (stop != STOP_END)
            return stop;
    }
}

/* ---- calls to the CPU warp: the only functions that may wait ---- */

static void call_warp(struct machine *m, const struct instruction *i, const struct call *c) {
    const uint64_t *in = m->values + m->top;
    const uint32_t members = (uint32_t)in[0];
    const int32_t width = (int32_t)in[3];
    /* match_all() passes a pointer where others pass a number. */
    const uint64_t predicate = in[2];
    const int32_t argument = i->extra ? 0 : (int32_t)in[2];
    uint64_t out;
    if (c->is_wide)
        out = cpu_operation_64(&c->site, c->op, c->type, members, in[1], argument, width);
    else
        out = cpu_operation_32(&c->site, c->op, c->type, members, (uint32_t)in[1], argument, width);
    if (i->kind != KIND_VOID)
        m->values[m->top++] = kind_is_float(i->kind) ? out : convert(out, i->kind, i->kind);
    if (i->extra && is_of_lane(m, predicate, sizeof(int32_t)))
        save((void *)(uintptr_t)predicate, KIND_I32, (uint32_t)out != 0);
}

static void call_barrier(struct machine *m, const struct call *c) {
    cpu_block_barrier(&c->site, (int)m->values[m->top]);
    const int result = cpu_block_barrier_result();
    if (c->op == BARRIER_COUNT)
        m->values[m->top++] = (uint64_t)result;
    else if (c->op == BARRIER_OR)
        m->values[m->top++] = result != 0;
    else if (c->op == BARRIER_AND)
        m->values[m->top++] = result == cpu_block_barrier_threads();
}

static uint64_t atomic_result(enum atomic_operation operation, enum kind kind, uint64_t old,
                              uint64_t value, uint64_t other) {
    static const enum operation operations[] = {OP_ADD, OP_SUBTRACT, OP_MINIMUM, OP_MAXIMUM,
                                                OP_AND, OP_OR,       OP_XOR};
    if (operation == ATOMIC_EXCHANGE)
        return value;
    if (operation == ATOMIC_COMPARE)
        return old == value ? other : old;
    return operate(operations[operation], kind, old, value, NULL);
}

/* As in cudacpu's device_atomic_functions.h: a read and a write with nothing in between. */
static enum stop call_atomic(struct machine *m, const struct instruction *i) {
    const unsigned count = i->extra == ATOMIC_COMPARE ? 3 : 2;
    const size_t size = size_of(i->kind);
    uint64_t *const in = m->values + m->top - count;
    void *const address = (void *)(uintptr_t)in[0];
    cpu_now.in_atomic = i->extra == ATOMIC_COMPARE ? 2 : 1;
    enum stop stop = check_access(m, in[0], size, ACCESS_READS);
    if (stop == STOP_END)
        stop = check_access(m, in[0], size, ACCESS_WRITES);
    cpu_now.in_atomic = 0;
    if (stop != STOP_END)
        return stop;
    const uint64_t old = load(address, i->kind);
    const uint64_t now = atomic_result(i->extra, i->kind, old, in[1], count == 3 ? in[2] : 0);
    save(address, i->kind, now);
    m->top -= count;
    m->values[m->top++] = old;
    cpu_yield(old != now);
    return STOP_END;
}

/* As in cudacpu/together.h: the first lane that continues does the work for all. */
static void together(const struct call *c, const struct cpu_product_part *mine) {
    const struct cpu_product_part *parts[CPU_WARP_LANES];
    const unsigned lane = cpu_now.lane->index;
    cpu_now.warp->in64[lane] = (uintptr_t)mine;
    cpu_operation_32(&c->site, WARP_OP_SYNC | CPU_CALL_NO_ORDER, WARP_TYPE_NONE, UINT32_MAX, 0, 0,
                     0);
    if (!cpu_now.warp->in64[lane])
        return;
    for (unsigned other = 0; other < CPU_WARP_LANES; other++) {
        const uint32_t there = warp_alive(cpu_now.warp) >> other & 1;
        parts[other] = there ? (const void *)(uintptr_t)cpu_now.warp->in64[other] : NULL;
        cpu_now.warp->in64[other] = 0;
    }
    if (c->registers)
        cpu_ldmatrix(c->registers, c->is_transposed, parts);
    else
        cpu_mma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", parts);
}

static enum stop call_matrix(struct machine *m, const struct instruction *i, const struct call *c) {
    uint64_t out[4] = {0}, row[2] = {0};
    if (c->registers) {
        const uint64_t at = m->values[--m->top];
        const uint64_t address = (uintptr_t)shared_memory + (uint32_t)at;
        const bool passes = cpu_now.lane->index < 8u * c->registers;
        if (passes) {
            if (address % sizeof row) {
                memory_check_misaligned(address, sizeof row, false, pc_of(m));
                return fault(m, _("ldmatrix reads an address that is not a multiple of 16 bytes"));
            }
            const enum stop stop = check_access(m, address, sizeof row, ACCESS_READS);
            if (stop != STOP_END) {
                m->top++;
                return stop;
            }
            memcpy(row, (const void *)(uintptr_t)address, sizeof row);
        }
        const struct cpu_product_part part = {row, passes ? &at : NULL, NULL, out};
        together(c, &part);
    } else {
        m->top -= 10;
        const uint64_t *in = m->values + m->top;
        const struct cpu_product_part part = {in, in + 4, in + 6, out};
        together(c, &part);
    }
    for (unsigned n = 0; n < i->extra; n++)
        m->values[m->top++] = out[n];
    return STOP_END;
}

/* ---- launches ---- */

struct launched {
    struct kernel_program *program;
    const struct function *function;
    uint64_t arguments[PARAMETERS_MAX];
};

static void run_lane(void *context) {
    const struct launched *launched = context;
    struct machine m;
    m.program = launched->program;
    m.function = launched->function;
    m.top = m.depth = 0;
    m.base = 0;
    m.at = m.function->entry;
    m.has_kept_step = false;
    for (uint32_t i = 0; i < m.function->parameter_count; i++)
        save(m.memory + m.function->offsets[i], m.function->parameters[i]->kind,
             launched->arguments[i]);
    enum stop stop;
    while ((stop = run(&m)) != STOP_RETURN) {
        const struct instruction *i = &m.program->code[m.at];
        if (stop == STOP_CALL && i->operation == OP_WARP)
            call_warp(&m, i, m.program->calls[i->a]);
        else if (stop == STOP_CALL && i->operation == OP_BARRIER)
            call_barrier(&m, m.program->calls[i->a]);
        else if (stop == STOP_CALL && i->operation == OP_ATOMIC)
            stop = call_atomic(&m, i);
        else if (stop == STOP_CALL)
            stop = call_matrix(&m, i, m.program->calls[i->a]);
        if (stop == STOP_STEP) {
            m.has_kept_step = true;
            in_step_access(m.step.address, m.step.size, m.step.writes,
                           cpu_is_shared(m.step.address), pc_of(&m));
            continue;
        }
        if (stop == STOP_FAULT) {
            struct cpu_device *device = cpu_now.device;
            uint32_t line;
            const char *file = kernel_program_source(m.program, (uintptr_t)pc_of(&m), &line);
            error_set(&device->error, ERROR_RUN, "%s:%u: %s", file, line, m.fault);
            schedule_abandon(device);
        }
        m.at++;
    }
}

/* Fails if the kernel has no such parameter. */
static bool pass(const struct kernel_argument *argument, const struct type *type, uint64_t *bits) {
    *bits = 0;
    if (type->kind > KIND_F64 && type->kind != KIND_POINTER)
        return false;
    if (type->kind == KIND_POINTER || argument->kind == ARGUMENT_POINTER) {
        *bits = (uintptr_t)argument->pointer;
        return type->kind == KIND_POINTER && argument->kind == ARGUMENT_POINTER;
    }
    if (argument->kind == ARGUMENT_REAL)
        memcpy(bits, &argument->real, sizeof *bits);
    else
        *bits = (uint64_t)argument->integer;
    *bits = convert(*bits, argument->kind == ARGUMENT_REAL ? KIND_F64 : KIND_I64, type->kind);
    return true;
}

int kernel_program_launch(struct kernel_program *program, const char *name, const unsigned grid[3],
                          const unsigned block[3], const struct kernel_argument *arguments,
                          size_t count) {
    struct launched launched = {.program = program};
    for (size_t i = 0; i < program->function_count && !launched.function; i++)
        if (program->functions[i]->is_kernel && strcmp(program->functions[i]->name, name) == 0)
            launched.function = program->functions[i];
    const struct function *function = launched.function;
    if (!function || function->parameter_count != count)
        return cpu_runtime_set_error(CPU_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        const struct type *type = function->parameters[i];
        if (!pass(&arguments[i], type, &launched.arguments[i]))
            return cpu_runtime_set_error(CPU_ERROR_INVALID_VALUE);
        if (type->kind == KIND_POINTER)
            cpu_runtime_passes(
                arguments[i].pointer, name, i,
                (struct cpu_pointed){.type = -1, .bytes = (unsigned short)type->target->size});
    }
    if (!shared_memory)
        shared_memory = aligned_alloc(128, CPU_SHARED_BYTES);
    if (!shared_memory)
        return cpu_runtime_set_error(CPU_ERROR_MEMORY_ALLOCATION);
    program->steps = 0;
    /* Interpreted kernels are not searched for those that rely on lanes in step, as compiled ones
     * are (instrument/lockstep), so simt examines all that have shared memory. */
    in_step_expect(cpu_device_in_use(), program->shared_count ? 1u << CPU_STEP_SHARED : 0);
    return cpu_runtime_launch(
        function->name, run_lane, &launched, (struct dim3){grid[0], grid[1], grid[2]},
        (struct dim3){block[0], block[1], block[2]}, shared_memory, program->shared_bytes);
}
