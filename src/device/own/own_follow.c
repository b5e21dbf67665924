#include "device/own/own_program.h"
#include "trace/marks.h"

#include <fcntl.h>
#include <unistd.h>

static void take_nothing(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

/* The same run again, silently; NULL if nothing was recorded. */
static struct trace *run_variant(const struct own_program *program, const struct own_run *run,
                                 unsigned variant) {
    struct own_run again = *run;
    struct trace *trace;
    struct error ignored = ERROR_INIT;
    int status;
    again.trace_path = NULL;
    again.replaces = again.durable = false;
    again.input = -1;
    again.output = take_nothing;
    again.tick = NULL;
    again.variant = variant;
    unlink(program->recording); /* an earlier one may be read */
    own_program_run(program, &again, &status, &ignored);
    own_program_open(program, &trace, NULL, &ignored);
    return trace;
}

void own_program_follow(const struct own_program *program, const struct own_run *run,
                        struct trace **trace) {
    const char *path = run->trace_path ? run->trace_path : program->recording;
    struct trace_marks marks;
    struct error ignored = ERROR_INIT;
    if (!trace_is_complete(*trace) || !trace_marks_are_wanted(*trace))
        return;
    const int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return;
    trace_marks_init(&marks, *trace);
    bool whole = true;
    for (unsigned variant = 1; whole && variant <= 2; variant++) {
        struct trace *other = run_variant(program, run, variant);
        if (other)
            trace_marks_add(&marks, *trace, other);
        trace_close(other);
        whole = other && !child_is_interrupted();
    }
    /* What differs without a reason of ours: addresses, times. */
    struct trace *same = whole ? run_variant(program, run, 0) : NULL;
    if (same)
        trace_marks_take(&marks, *trace, same);
    if (same && trace_marks_append(&marks, trace, file, program->source, &ignored) == 0 &&
        run->durable)
        fsync(file);
    trace_close(same);
    trace_marks_release(&marks);
    close(file);
}
