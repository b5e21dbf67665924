/*
 * watched_run.c - runs an interpreted kernel as `check` runs a compiled program: it is recorded,
 * its accesses to memory are watched, and if it reads undefined values, it runs again with other
 * bits for them.
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "cudacpu/observe/accesses.h"
#include "cudacpu/observe/memory_check.h"
#include "simt/simt.h"
#include "trace/marks.h"

#include <stdlib.h>
#include <string.h>

/* A run whose recording is not closed yet. */
struct attempt {
    struct trace_writer *writer;
    struct trace *trace; /* what has been recorded so far */
    int status;
    struct error failed;
    uint64_t effect;
    bool has_effect;
};

static void attempt_end(struct attempt *attempt) {
    struct error ignored = ERROR_INIT;
    trace_close(attempt->trace);
    if (attempt->writer)
        trace_writer_close(attempt->writer, NULL, &ignored);
}

static void attempt_run(const struct kernel_run *run, unsigned variant, struct attempt *attempt) {
    const struct trace_writer_options writer_options = {.value_bytes = 8,
                                                        .step_limit = run->settings.step_limit};
    const struct access_entry *entries;
    bool undefined = false;
    *attempt = (struct attempt){.failed = ERROR_INIT};
    if (trace_writer_open(&attempt->writer, NULL, &writer_options, &attempt->failed) != 0)
        return;
    trace_writer_note(attempt->writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(attempt->writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(attempt->writer, TRACE_NOTE_RECORDED, "emulated");
    struct cpu_sink sink = cpu_sink_writer(attempt->writer);
    struct cpu_options options = {
        .settings = run->settings, .undefined = &undefined, .sink = &sink};
    options.settings.variant = variant;
    options.settings.jobs = 1;
    options.observer = memory_check_begin(NULL);
    struct cpu_device *device = cpu_device_create(&options);
    struct cpu_device *before = cpu_device_use(device);
    attempt->status = run->body(run->context);
    if (cpu_device_error(device)->kind != ERROR_NONE) {
        attempt->failed = *cpu_device_error(device);
        trace_writer_note(attempt->writer, TRACE_NOTE_FAILURE, attempt->failed.text);
    }
    const struct access_head *head = memory_check_found(&entries);
    attempt->effect = head->effect;
    attempt->has_effect = !head->effect_unknown;
    memory_check_end();
    cpu_device_use(before);
    cpu_device_destroy(device);
    struct error ignored = ERROR_INIT;
    trace_writer_look(attempt->writer, &attempt->trace, &ignored);
}

/* The findings of the run that has just ended. */
static void take_accesses(const struct kernel_program *program, struct program_accesses *accesses) {
    const struct access_entry *entries;
    const struct access_head *head = memory_check_found(&entries);
    *accesses = (struct program_accesses){
        .unset = KERNEL_UNSET, .more = head->more, .left_out = head->left_out != 0};
    accesses->access = memory_zeroed(head->count + 1, sizeof *accesses->access);
    for (uint32_t i = 0; i < head->count; i++) {
        struct program_access *to = &accesses->access[accesses->count++];
        const struct access_entry *from = &entries[i];
        const char *file = kernel_program_source(program, from->me.pc, &to->line);
        const char *other = kernel_program_source(program, from->other.pc, &to->other_line);
        const char *flag = kernel_program_source(program, from->flag_pc, &to->flag_line);
        to->entry = *from;
        if (from->line) { /* of a call */
            file = from->file;
            to->line = from->line;
        }
        if (from->other_line) {
            other = from->other_file;
            to->other_line = from->other_line;
        }
        to->file = file ? memory_string(file) : NULL;
        to->other_file = other ? memory_string(other) : NULL;
        to->flag_file = flag ? memory_string(flag) : NULL;
    }
}

/* ---- undefined values ---- */

static bool stays_the_same(const struct kernel_run *run, const struct attempt *first) {
    uint64_t effect = 0;
    bool same = true;
    for (unsigned variant = 0; same && variant <= 2; variant++) {
        struct attempt again;
        attempt_run(run, variant, &again);
        effect = variant == 0 ? again.effect : effect;
        same = again.trace && again.has_effect && again.failed.kind == ERROR_NONE &&
               again.status == first->status && again.effect == effect &&
               trace_step_count(again.trace) == trace_step_count(first->trace);
        attempt_end(&again);
    }
    return same;
}

static void follow(const struct kernel_run *run, struct attempt *first) {
    struct trace_marks marks;
    const bool wanted = trace_marks_are_wanted(first->trace);
    if (first->failed.kind == ERROR_NONE && (wanted || trace_has_cut_argument(first->trace)) &&
        stays_the_same(run, first)) {
        trace_writer_note(first->writer, TRACE_NOTE_UNUSED, "yes");
        return;
    }
    if (!wanted)
        return;
    trace_marks_init(&marks, first->trace);
    for (unsigned variant = 1; variant <= 3; variant++) {
        struct attempt other;
        attempt_run(run, variant % 3, &other);
        if (other.trace && variant < 3)
            trace_marks_add(&marks, first->trace, other.trace);
        else if (other.trace)
            trace_marks_subtract(&marks, first->trace, other.trace);
        attempt_end(&other);
    }
    trace_marks_write(&marks, first->writer);
    trace_marks_release(&marks);
}

void kernel_run(const struct kernel_run *run, struct kernel_run_result *result) {
    struct attempt attempt;
    struct error ignored = ERROR_INIT;
    *result = (struct kernel_run_result){.failed = ERROR_INIT};
    attempt_run(run, run->settings.variant, &attempt);
    take_accesses(run->program, &result->accesses);
    if (attempt.trace)
        follow(run, &attempt);
    trace_close(attempt.trace);
    if (attempt.writer)
        trace_writer_close(attempt.writer, &result->trace, &ignored);
    result->status = attempt.status;
    result->failed = attempt.failed;
}

void kernel_memory_written(const void *memory, size_t size) {
    memory_check_written(memory, size);
}

void kernel_run_release(struct kernel_run_result *result) {
    trace_close(result->trace);
    for (size_t i = 0; i < result->accesses.count; i++) {
        free(result->accesses.access[i].file);
        free(result->accesses.access[i].other_file);
        free(result->accesses.access[i].flag_file);
    }
    free(result->accesses.access);
    *result = (struct kernel_run_result){.failed = ERROR_INIT};
}
