/*
 * Asks the driver in a child process, once, and remembers the answer: a broken driver may hang,
 * crash or take seconds. session.h does the work itself.
 */
#include "device/gpu/gpu.h"

#include "base/memory.h"
#include "base/message.h"

#include "device/device_ops.h"
#include "device/gpu/channel.h"
#include "device/gpu/cuda.h"
#include "device/gpu/session.h"
#include "device/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* If a child is silent for this long after its time limit, or while it describes this machine, the
 * driver is considered hung. */
#define GRACE_SECONDS 20

/* ---- choice of a GPU ---- */

static void query_in_child(struct link *link, void *context) {
    struct cuda_facts *facts = link->shared;
    (void)context;
    cuda_query(facts);
    link_send(link, 0, 0, 0, 0, NULL, 0);
}

static void query_facts(struct cuda_facts *facts) {
    struct link link;
    struct link_message answer;
    struct error err = ERROR_INIT;
    enum link_status news = LINK_CLOSED;
    if (link_start(&link, sizeof *facts, query_in_child, NULL, &err) != 0) {
        snprintf(facts->missing, sizeof facts->missing, "%.*s", (int)sizeof facts->missing - 1,
                 err.text);
        return;
    }
    news = link_receive(&link, &answer, clock_seconds() + GRACE_SECONDS);
    if (news == LINK_MESSAGE)
        memcpy(facts, link.shared, sizeof *facts);
    else
        snprintf(facts->missing, sizeof facts->missing, "%s\n%s",
                 news == LINK_LATE
                     ? _("the NVIDIA driver did not answer when it was asked for a GPU")
                     : _("the NVIDIA driver ended the process that asked it for a GPU"),
                 _("try: --device cpu, the same kernel emulated; or nvidia-smi"));
    link_stop(&link);
}

/* A query has to fork a process and start the driver, and the machine does not change, so this is
 * a global that is filled once. */
static const struct cuda_facts *machine_facts(void) {
    static struct cuda_facts facts;
    static bool asked;
    if (!asked)
        query_facts(&facts);
    asked = true;
    return &facts;
}

static bool gpu_available(struct error *err) {
    const struct cuda_facts *facts = machine_facts();
    if (!facts->available)
        error_set(err, ERROR_MISSING, "%s", facts->missing);
    return facts->available;
}

static const char *gpu_name(void) {
    const struct cuda_facts *facts = machine_facts();
    return facts->available ? facts->name : "NVIDIA GPU";
}

/* A CUDA version in its usual form. */
static void version_text(int version, char text[16]) {
    snprintf(text, 16, "%d.%d", version / 1000, version % 1000 / 10);
}

/* "580.65.06" in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Thu ...": the first
 * word made up of digits and at least one '.'. */
static size_t find_release(const char *line, const char **release) {
    for (const char *at = line; *at;) {
        size_t blanks = strspn(at, " \t\n"), length = strcspn(at + blanks, " \t\n");
        at += blanks;
        if (length && strspn(at, "0123456789.") == length && memchr(at, '.', length)) {
            *release = at;
            return length;
        }
        at += length;
    }
    return 0;
}

/* The driver's own version, if the system provides it. */
static void driver_release(char text[32]) {
    char line[256] = "";
    const char *release;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    text[0] = '\0';
    if (!file)
        return;
    if (fgets(line, sizeof line, file)) {
        size_t length = find_release(line, &release);
        if (length && length < 32)
            snprintf(text, 32, "%.*s", (int)length, release);
    }
    fclose(file);
}

static void driver_text(const struct cuda_facts *facts, char *text, size_t size) {
    char release[32], cuda[16];
    driver_release(release);
    version_text(facts->driver, cuda);
    snprintf(text, size, "%s%sCUDA %s", release, release[0] ? ", " : "", cuda);
}

static void gpu_details(char *text, size_t size) {
    const struct cuda_facts *facts = machine_facts();
    char driver[64], runtime[16];
    if (size)
        text[0] = '\0';
    if (!facts->available)
        return;
    driver_text(facts, driver, sizeof driver);
    version_text(facts->runtime, runtime);
    snprintf(text, size, _("compute capability %d.%d, driver %s, runtime %s"), facts->major,
             facts->minor, driver, runtime);
}

/* ---- running ---- */

static void write_notes(struct trace_writer *writer, const struct program *program) {
    const struct cuda_facts *facts = machine_facts();
    char text[64];
    trace_writer_note(writer, TRACE_NOTE_NAME, facts->name);
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "gpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "measured");
    driver_text(facts, text, sizeof text);
    trace_writer_note(writer, TRACE_NOTE_DRIVER, text);
    version_text(facts->runtime, text);
    trace_writer_note(writer, TRACE_NOTE_TOOLKIT, text);
    snprintf(text, sizeof text, "%d.%d", facts->major, facts->minor);
    trace_writer_note(writer, TRACE_NOTE_CAPABILITY, text);
    trace_writer_source(writer, program->file, program->source);
}

/* A run as passed to the worker: the parameters point into this struct. */
struct worker_job {
    const struct shflviz_program *entry;
    struct program_parameters parameters;
    bool has_argument, has_input;
    int32_t argument[WARP_LANES];
    uint64_t input[]; /* program_input_count() of them */
};

static void run_worker_job(struct session *session, void *context) {
    struct worker_job *kept = context;
    const struct cuda_job job = {
        .entry = kept->entry, .parameters = &kept->parameters, .facts = machine_facts()};
    kept->parameters.argument = kept->has_argument ? kept->argument : NULL;
    kept->parameters.input = kept->has_input ? kept->input : NULL;
    cuda_run(session, (void *)&job);
}

/* The bytes of a job that carries the input with it. */
static uint64_t job_bytes(const struct program_parameters *parameters) {
    const uint64_t count = parameters->input ? program_input_count(parameters) : 0;
    return count < SESSION_JOB_MOST / 8 ? sizeof(struct worker_job) + count * 8
                                        : SESSION_JOB_MOST + 1;
}

static int run_by_worker(const struct cuda_job *job, const struct session_options *session,
                         struct device_cache *kept, struct trace_writer *writer,
                         struct error *err) {
    const struct program_parameters *parameters = job->parameters;
    const size_t bytes = (size_t)job_bytes(parameters);
    struct worker_job *copy = memory_zeroed(1, bytes);
    struct session_worker *worker = (struct session_worker *)kept->worker;
    copy->entry = job->entry;
    copy->parameters = *parameters;
    copy->has_argument = parameters->argument != NULL;
    copy->has_input = parameters->input != NULL;
    if (copy->has_argument)
        memcpy(copy->argument, parameters->argument, sizeof copy->argument);
    if (copy->has_input)
        memcpy(copy->input, parameters->input, bytes - sizeof *copy);
    const int status =
        session_run_worker(&worker, session, run_worker_job, copy, bytes, writer, err);
    kept->worker = (struct gpu_worker *)worker;
    free(copy);
    return status;
}

void gpu_worker_stop(struct gpu_worker *worker) {
    session_worker_stop((struct session_worker *)worker);
}

/* The default size of a worker's ring. It is small because a picture has few steps, and a small
 * ring is ready sooner. */
#define WORKER_MEMORY DEVICE_MEMORY_LEAST

int gpu_run_entry(const struct shflviz_program *entry, const struct program_parameters *parameters,
                  const struct device_options *options, struct trace_writer *writer,
                  uint64_t *output, struct error *err) {
    if (!gpu_available(err))
        return -1;
    if (parameters_check(&entry->program, parameters, err) != 0)
        return -1;
    struct cuda_job job = {.entry = entry,
                           .parameters = parameters,
                           .wants_output = output != NULL,
                           .facts = machine_facts()};
    write_notes(writer, &entry->program);
    const bool kept = options->kept && !output && job_bytes(parameters) <= SESSION_JOB_MOST;
    const uint64_t memory = kept ? WORKER_MEMORY : DEVICE_MEMORY_DEFAULT;
    const struct session_options session = {
        .memory = options->settings.gpu_memory ? options->settings.gpu_memory : memory,
        .step_limit = options->settings.step_limit,
        .timeout = options->settings.gpu_timeout,
        .grace = GRACE_SECONDS,
        .watch = options->settings.watch,
        .output_count = output ? (size_t)parameters->threads * parameters->blocks : 0,
    };
    if (kept)
        return run_by_worker(&job, &session, options->kept, writer, err);
    return session_run(&session, cuda_run, &job, writer, output, err);
}

static int gpu_run(const struct program *program, const struct program_parameters *parameters,
                   const struct device_options *options, struct trace_writer *writer,
                   uint64_t *output, struct error *err) {
    const struct shflviz_program *entry = cuda_program_find(program->name);
    if (!entry)
        return error_set(err, ERROR_USAGE, _("%s is not built for a GPU\ntry: --device cpu"),
                         program->name);
    return gpu_run_entry(entry, parameters, options, writer, output, err);
}

const struct device_ops gpu_device_ops = {gpu_available, gpu_name, gpu_details, gpu_run};
