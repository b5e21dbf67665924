#include "base/text.h"
#include "cudacpu/observe/accesses.h"
#include "cudacpu/process/user_program.h"
#include "trace/failure.h"
#include "trace/marks.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void discard_output(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

/* Repeats the run silently; NULL if nothing was recorded. *result is user_program_run()'s
 * result. */
static struct trace *run_variant(const struct user_program *program, const struct user_run *run,
                                 unsigned variant, int *result, int *status) {
    struct user_run again = *run;
    struct trace *trace;
    struct error ignored = ERROR_INIT;
    again.trace_path = NULL;
    again.settings.replaces = again.settings.durable = false;
    again.input = -1;
    again.output = discard_output;
    again.tick = NULL;
    again.settings.variant = variant;
    unlink(program->recording); /* an earlier one may still be read */
    *result = user_program_run(program, &again, status, &ignored);
    user_program_open(program, &trace, NULL, &ignored);
    return trace;
}

/* Opens the recording of `run` so that it can be changed; -1 if that fails. */
static int open_recording(const struct user_program *program, const struct user_run *run) {
    const char *path = run->trace_path ? run->trace_path : program->recording;
    return open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
}

void user_program_follow(const struct user_program *program, const struct user_run *run,
                         struct trace **trace) {
    struct trace_marks marks;
    struct error ignored = ERROR_INIT;
    if (!trace_is_complete(*trace) || !trace_marks_are_wanted(*trace))
        return;
    const int file = open_recording(program, run);
    if (file < 0)
        return;
    trace_marks_init(&marks, *trace);
    bool whole = true;
    int result, status;
    for (unsigned variant = 1; whole && variant <= 2; variant++) {
        struct trace *other = run_variant(program, run, variant, &result, &status);
        if (other)
            trace_marks_add(&marks, *trace, other);
        trace_close(other);
        whole = other && !child_is_interrupted();
    }
    /* Finds values that differ for the program's own reasons, such as addresses and times. */
    struct trace *same = whole ? run_variant(program, run, 0, &result, &status) : NULL;
    if (same)
        trace_marks_subtract(&marks, *trace, same);
    if (same && trace_marks_append(&marks, trace, file, program->source, &ignored) == 0 &&
        run->settings.durable)
        fsync(file);
    trace_close(same);
    trace_marks_release(&marks);
    close(file);
}

/* ---- dependence on undefined values ---- */

static bool same_output(const struct trace *a, const struct trace *b) {
    bool same = trace_output_count(a) == trace_output_count(b);
    for (size_t i = 0; same && i < trace_output_count(a); i++)
        same = strcmp(trace_output(a, i)->text, trace_output(b, i)->text) == 0;
    return same;
}

/* True if everything visible stays the same. */
static bool stays_the_same(const struct user_program *program, const struct user_run *run,
                           const struct trace *trace) {
    struct user_program other = *program; /* its files must not replace those of `run` */
    struct text accesses = TEXT_INIT, recording = TEXT_INIT;
    uint64_t first = 0, effect = 0;
    int first_status = 0, result, status = 0;
    bool same = true;
    text_append_format(&accesses, "%s.again", program->accesses);
    text_append_format(&recording, "%s.again", program->recording);
    other.accesses = accesses.data;
    other.recording = recording.data;
    for (unsigned variant = 0; same && variant <= 2; variant++) {
        struct trace *again = run_variant(&other, run, variant, &result, &status);
        same = again && result == 0 && program_accesses_effect(&other, &effect) &&
               trace_is_complete(again) && trace_step_count(again) == trace_step_count(trace) &&
               same_output(trace, again) && !child_is_interrupted();
        if (variant == 0) {
            first = effect;
            first_status = status;
        }
        same = same && effect == first && status == first_status;
        trace_close(again);
    }
    unlink(other.recording);
    text_release(&accesses);
    text_release(&recording);
    return same;
}

bool user_program_ignores_poison(const struct user_program *program, const struct user_run *run,
                                 struct trace **trace) {
    struct error ignored = ERROR_INIT;
    /* If a run fails, nothing can be said: it may have failed because of the values. */
    if (!program->accesses || !trace_is_complete(*trace) ||
        trace_failure(*trace) != TRACE_FAILURE_NONE ||
        !(trace_marks_are_wanted(*trace) || trace_has_cut_argument(*trace)))
        return false;
    const int file = open_recording(program, run);
    if (file < 0)
        return false;
    const bool noted =
        stays_the_same(program, run, *trace) &&
        trace_note_append(TRACE_NOTE_UNUSED, "yes", trace, file, program->source, &ignored) == 0;
    if (noted && run->settings.durable)
        fsync(file);
    close(file);
    return noted;
}
