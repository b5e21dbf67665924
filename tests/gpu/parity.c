/*
 * parity.c - compares a device with the rules of lib/warp, and the two devices with each other.
 *
 *     gpu_parity --device gpu|cpu [PART] [FOLDER]   recordings and observations go to FOLDER
 *     gpu_parity --bench reduce|reduce-large|shuffle|record
 *                                                   the figures of `shflviz bench`, on a GPU
 *     gpu_parity --bare KERNEL                      what it returns when it is not recorded
 *
 * PART is rules, kernels, runs or observations; without it all four run.
 *
 * Exits with 0 if everything agrees, 1 if something differs, 77 if there is no such device. With
 * --device cpu the CPU warp acts as both devices, so that all of this is tested without a GPU.
 *
 * It is its own harness and uses no test library, so that a machine needs nothing beyond the
 * build.
 */
#include "parity.h"
#include "trouble.h"

#include "base/memory.h"
#include "base/text.h"
#include "device/cpu.h"
#include "device/device.h"
#include "device/gpu/drain.h"
#include "device/gpu/gpu.h"
#include "measure/bench.h"
#include "shflviz/program.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define SKIPPED 77
/* For each run; runs with undefined results may hang, and get less time. */
#define TIMEOUT_SECONDS           15
#define TIMEOUT_SECONDS_UNDEFINED 3

extern const struct shflviz_program SHFLVIZ_PROGRAM(parity);
extern const struct shflviz_program SHFLVIZ_PROGRAM(trouble);
#ifdef SHFLVIZ_GPU_PARITY
extern const struct shflviz_program shflviz_gpu_program_parity;
extern const struct shflviz_program shflviz_gpu_program_trouble;
const struct shflviz_program *cuda_program_find(const char *name); /* device/gpu/cuda.h */
#endif

struct check {
    enum device_kind device;
    const char *folder;          /* NULL: nothing is stored */
    unsigned long long compared; /* lanes */
    unsigned failures;
};

static void fail(struct check *check, const char *what, const char *words) {
    if (++check->failures <= 20)
        printf("DIFFERS  %s: %s\n", what, words);
}

/* ---- running ---- */

struct job {
    const struct program *program; /* in kernels/; NULL: a kernel of these tests */
    bool trouble;                  /* the kernel of trouble.cu, not of parity.cu */
    struct program_parameters parameters;
    enum device_kind device;
    uint64_t schedule;
    const char *save; /* a name in the folder; NULL: in memory */
    uint64_t *output;
    uint32_t timeout;            /* 0: TIMEOUT_SECONDS */
    uint64_t memory, step_limit; /* as in struct run_settings */
    struct shflviz_filter watch;
};

/* Like device_run(), for these kernels, which are in no table. */
static int run_test_kernel(const struct job *job, struct trace_writer *writer,
                           const struct device_options *options, struct error *err) {
#ifdef SHFLVIZ_GPU_PARITY
    if (job->device == DEVICE_GPU)
        return gpu_run_entry(job->trouble ? &shflviz_gpu_program_trouble
                                          : &shflviz_gpu_program_parity,
                             &job->parameters, options, writer, job->output, err);
#endif
    const struct shflviz_program *entry =
        job->trouble ? &SHFLVIZ_PROGRAM(trouble) : &SHFLVIZ_PROGRAM(parity);
    return cpu_run_recorded(&entry->program, entry, &job->parameters, options, writer, job->output,
                            err);
}

static void write_date(struct trace_writer *writer) {
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        trace_writer_note(writer, TRACE_NOTE_DATE, text);
}

/* Returns 0 with the recording in *trace, or -1; then *trace is the partial recording, or NULL. */
static int run_job(const struct check *check, const struct job *job, struct trace **trace,
                   struct error *err) {
    const struct trace_writer_options writer_options = {
        .value_bytes = warp_type_info(job->parameters.type)->bits > 32 ? 8 : 4,
        .step_limit = job->step_limit};
    const struct device_options options = {.kind = job->device,
                                           .settings.schedule = job->schedule,
                                           .settings.poison = RUN_POISON_DEFAULT,
                                           .settings.gpu_memory = job->memory,
                                           .settings.step_limit = job->step_limit,
                                           .settings.watch = job->watch,
                                           .settings.gpu_timeout =
                                               job->timeout ? job->timeout : TIMEOUT_SECONDS};
    struct text path = TEXT_INIT;
    struct trace_writer *writer;
    *trace = NULL;
    if (check->folder && job->save)
        text_append_format(&path, "%s/%s.svt", check->folder, job->save);
    int status = trace_writer_open(&writer, path.length ? path.data : NULL, &writer_options, err);
    text_release(&path);
    if (status != 0)
        return -1;
    if (job->save) {
        trace_writer_note(writer, TRACE_NOTE_TITLE, job->save);
        write_date(writer);
    }
    status = job->program
                 ? device_run(job->program, &job->parameters, &options, writer, job->output, err)
                 : run_test_kernel(job, writer, &options, err);
    struct error closing = ERROR_INIT;
    if (trace_writer_close(writer, trace, &closing) != 0 && status == 0) {
        *err = closing;
        status = -1;
    }
    return status;
}

/* Values that differ in every lane, in both halves of 64 bits. */
static uint64_t *make_input(size_t threads, enum warp_type type) {
    uint64_t *input = memory_zeroed(threads, sizeof *input);
    for (size_t i = 0; i < threads; i++)
        input[i] = warp_value_mask(type, (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
    return input;
}

/* ---- a device against the rules ---- */

static void check_step(struct check *check, const char *what, const struct trace_step *step) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&step->operation, outcome);
    uint32_t wrong = warp_disagreement(&step->operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        check->compared += outcome[lane].has_value;
    if (wrong) {
        char words[160], lanes[WARP_LANES_TEXT];
        snprintf(words, sizeof words, "step %" PRIu64 ", lanes %s", step->number,
                 warp_lanes_format(wrong, lanes));
        fail(check, what, words);
    }
}

/* Each warp made the one operation that its block's number encodes. */
static void check_parity_step(struct check *check, const char *what, const struct trace_step *step,
                              uint32_t threads, int mode) {
    uint32_t left = threads - 32 * step->warp;
    uint32_t lanes = left >= 32 ? WARP_FULL_MASK : (UINT32_C(1) << left) - 1;
    uint32_t block = (uint32_t)step->block, members = parity_members(block, lanes, mode);
    bool right = (int)step->operation.op == parity_op(block) &&
                 step->operation.members == members && step->operation.present == members;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (members >> lane & 1)
            right = right && step->operation.arg[lane] == parity_argument(block, lane, mode) &&
                    step->operation.width[lane] == parity_width(block);
    if (!right)
        fail(check, what, "a step is not what the kernel does");
    check_step(check, what, step);
}

/* Checks the kernel's output independently of the recording, from the addresses alone. */
static void check_output(struct check *check, const char *what, const struct job *job, int mode) {
    const uint32_t threads = job->parameters.threads;
    for (uint32_t block = 0; block < job->parameters.blocks; block++)
        for (uint32_t thread = 0; thread < threads; thread++) {
            uint32_t lane = thread % 32, left = threads - (thread - lane);
            uint32_t lanes = left >= 32 ? WARP_FULL_MASK : (UINT32_C(1) << left) - 1;
            uint32_t members = parity_members(block, lanes, mode);
            size_t at = (size_t)block * threads + thread, from = at;
            if (members >> lane & 1) {
                int source =
                    shuffle_address((enum warp_op)parity_op(block), (int)lane,
                                    parity_argument(block, lane, mode), parity_width(block))
                        .source;
                if (!(members >> source & 1))
                    continue; /* undefined */
                from = at - lane + (size_t)source;
            }
            check->compared++;
            if (job->output[at] != job->parameters.input[from]) {
                char words[160];
                snprintf(words, sizeof words,
                         "block %" PRIu32 " thread %" PRIu32 ": 0x%" PRIx64 ", not 0x%" PRIx64,
                         block, thread, job->output[at], job->parameters.input[from]);
                fail(check, what, words);
            }
        }
}

static void check_rules(struct check *check, enum warp_type type, uint32_t threads, int mode) {
    char what[96];
    struct trace *trace;
    struct trace_step step;
    struct error err = ERROR_INIT;
    struct job job = {.parameters = SHFLVIZ_PROGRAM(parity).program.defaults,
                      .device = check->device};
    size_t all = (size_t)threads * PARITY_BLOCKS;
    job.parameters.type = type;
    job.parameters.threads = threads;
    job.parameters.width = mode;
    uint64_t *input = make_input(all, type);
    job.parameters.input = input;
    job.output = memory_zeroed(all, sizeof *job.output);
    snprintf(what, sizeof what, "%s, %" PRIu32 " threads%s%s", warp_type_info(type)->name, threads,
             mode & PARITY_OWN_ARGUMENTS ? ", random arguments" : "",
             mode & PARITY_PARTIAL_MASK ? ", random masks" : "");
    if (run_job(check, &job, &trace, &err) != 0) {
        fail(check, what, err.text);
    } else {
        uint64_t warps = (uint64_t)PARITY_BLOCKS * ((threads + 31) / 32);
        if (trace_step_count(trace) != warps || trace_dropped(trace) != 0)
            fail(check, what, "there is not one step for each warp");
        for (uint64_t i = 0; i < trace_step_count(trace); i++)
            if (trace_step(trace, i, &step, &err) == 0)
                check_parity_step(check, what, &step, threads, mode);
            else
                fail(check, what, err.text);
        check_output(check, what, &job, mode);
    }
    trace_close(trace);
    free(job.output);
    free(input);
}

static void check_all_rules(struct check *check) {
    for (int type = 0; type < WARP_TYPE_NONE; type++)
        check_rules(check, (enum warp_type)type, 32, 0);
    static const enum warp_type types[] = {WARP_TYPE_INT, WARP_TYPE_DOUBLE, WARP_TYPE_HALF};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        check_rules(check, types[i], 32, PARITY_OWN_ARGUMENTS);
        check_rules(check, types[i], 32, PARITY_OWN_ARGUMENTS | PARITY_PARTIAL_MASK);
        check_rules(check, types[i], 35, PARITY_OWN_ARGUMENTS);
        check_rules(check, types[i], 51, PARITY_OWN_ARGUMENTS | PARITY_PARTIAL_MASK);
    }
}

/* ---- the two devices against each other ---- */
/* The operations of each thread, in its own order: which lanes share a record, and how warps take
 * turns, differs between the devices. */

struct effects {
    uint64_t threads; /* of a launch */
    uint64_t steps;   /* of operations at which lanes meet */
    uint64_t *sum;    /* of launch 0's threads, then of launch 1's */
    size_t count;
};

static uint64_t mix(uint64_t sum, uint64_t value) {
    sum = (sum ^ value) * UINT64_C(0x9fb21c651e98df25);
    return sum ^ sum >> 32;
}

static uint64_t mix_text(uint64_t sum, const char *text) {
    for (; *text; text++)
        sum = mix(sum, (unsigned char)*text);
    return sum;
}

/* The device decides whether the lanes at such a call make one step or several. */
static bool needs_no_rendezvous(const struct trace_step *step) {
    return step->operation.op == WARP_OP_WATCH || step->operation.op == WARP_OP_ACTIVEMASK;
}

static uint64_t mix_lane(uint64_t sum, const struct trace *trace, const struct trace_step *step,
                         int lane) {
    const struct warp_operation *operation = &step->operation;
    const struct trace_site *site = trace_site(trace, step->site);
    sum = mix_text(mix(sum, site->line), site->text);
    sum = mix(mix(sum, (uint64_t)operation->op), (uint64_t)operation->type);
    if (!needs_no_rendezvous(step))
        sum = mix(sum, operation->members);
    sum = mix(mix(sum, (uint64_t)operation->width[lane]), (uint64_t)operation->arg[lane]);
    return mix(mix(sum, operation->in[lane]), operation->out[lane]);
}

static int find_effects(struct check *check, const char *what, const struct trace *trace,
                        const struct program_parameters *parameters, struct effects *effects) {
    struct trace_step step;
    struct error err = ERROR_INIT;
    effects->threads = (uint64_t)parameters->threads * parameters->blocks;
    effects->count = (size_t)effects->threads * trace_launch_count(trace);
    effects->sum = memory_zeroed(effects->count + 1, sizeof *effects->sum);
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        if (trace_step(trace, i, &step, &err) != 0) {
            fail(check, what, err.text);
            return -1;
        }
        check_step(check, what, &step);
        effects->steps += !needs_no_rendezvous(&step);
        uint64_t first = step.launch * effects->threads + step.block * parameters->threads +
                         (uint64_t)32 * step.warp;
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (step.operation.present >> lane & 1 && first + (uint64_t)lane < effects->count)
                effects->sum[first + (uint64_t)lane] =
                    mix_lane(effects->sum[first + (uint64_t)lane], trace, &step, lane);
    }
    return 0;
}

static void compare_effects(struct check *check, const char *what, const struct effects *a,
                            const struct effects *b) {
    char words[160];
    if (a->count != b->count)
        fail(check, what, "the devices made different launches");
    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (a->sum[i] != b->sum[i]) {
            snprintf(words, sizeof words, "launch %zu, thread %zu did not do the same on both",
                     i / (size_t)a->threads, i % (size_t)a->threads);
            fail(check, what, words);
            return;
        }
    if (a->steps != b->steps) {
        snprintf(words, sizeof words, "%" PRIu64 " steps on one device, %" PRIu64 " on the other",
                 a->steps, b->steps);
        fail(check, what, words);
    }
}

/* The default of --in: the few expressions that programs use. */
static uint64_t default_value(const struct program *program, enum warp_type type, uint64_t i) {
    if (strcmp(program->input, "1") == 0)
        return warp_value_from_integer(type, 1);
    if (strcmp(program->input, "thread") == 0)
        return warp_value_from_integer(type, (int64_t)i);
    if (strcmp(program->input, "lane % 2") == 0)
        return warp_value_from_integer(type, (int64_t)(i % 2));
    if (strcmp(program->input, "lane + 0.5") == 0 && type == WARP_TYPE_FLOAT) {
        float value = (float)(i % 32) + 0.5F;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    return warp_value_from_integer(type, (int64_t)(i % 32));
}

static void check_kernel(struct check *check, const struct program *program, uint32_t threads,
                         uint32_t blocks) {
    char what[96], save[96];
    int32_t argument[WARP_LANES];
    struct effects effects[2] = {{0}, {0}};
    struct job job = {.program = program, .parameters = program->defaults};
    bool is_default = threads == 0;
    if (!is_default) {
        job.parameters.threads = threads;
        job.parameters.blocks = blocks;
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        argument[lane] = 3;
    job.parameters.argument = argument;
    size_t all = (size_t)program_input_count(&job.parameters);
    uint64_t *input = memory_zeroed(all, sizeof *input);
    for (size_t i = 0; i < all; i++) /* small: sums are exact in every type and every order */
        input[i] = is_default
                       ? default_value(program, job.parameters.type, i)
                       : warp_value_from_integer(job.parameters.type, (int64_t)(i * 7 % 5) - 1);
    job.parameters.input = input;
    snprintf(what, sizeof what, "%s, %" PRIu32 " x %" PRIu32, program->name, job.parameters.blocks,
             job.parameters.threads);
    snprintf(save, sizeof save, "kernel-%s", program->name);
    for (int side = 0; side < 2; side++) {
        struct trace *trace;
        struct error err = ERROR_INIT;
        /* Without a GPU the CPU warp replaces it, with its lanes in another order. */
        job.device = side == 0 ? DEVICE_CPU : check->device;
        job.schedule = side == 1 && check->device == DEVICE_CPU ? 7 : 0;
        job.save = side == 1 && is_default ? save : NULL;
        if (run_job(check, &job, &trace, &err) != 0)
            fail(check, what, err.text);
        else
            find_effects(check, what, trace, &job.parameters, &effects[side]);
        trace_close(trace);
    }
    /* The sum of halves depends on the order of the atomics: the second launch, which shows it, is
     * not compared. */
    if (strcmp(program->name, "grid-reduce-half") == 0)
        for (int side = 0; side < 2; side++)
            if (effects[side].count > effects[side].threads)
                effects[side].count = (size_t)effects[side].threads;
    compare_effects(check, what, &effects[0], &effects[1]);
    free(effects[0].sum);
    free(effects[1].sum);
    free(input);
}

static void check_kernels(struct check *check) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++) {
        if (programs[i]->takes & PROGRAM_IS_UNDEFINED)
            continue; /* no two devices, nor two runs, need agree */
        check_kernel(check, programs[i], 0, 0);
        if ((programs[i]->takes & PROGRAM_TAKES_THREADS) &&
            (programs[i]->takes & PROGRAM_TAKES_BLOCKS))
            check_kernel(check, programs[i], 128, 3);
    }
}

/* ---- long runs, limits, filters, and runs that fail ---- */
/* The kernel of trouble.cu: each warp makes ROUNDS xor shuffles, and then fails as requested. */

/* Checks that each warp's steps are right, in order and not repeated. Returns their number. */
static uint64_t check_trouble_steps(struct check *check, const char *what,
                                    const struct trace *trace, const struct job *job) {
    const uint64_t warps = (uint64_t)(job->parameters.threads / 32) * job->parameters.blocks;
    uint32_t *next = memory_zeroed((size_t)warps, sizeof *next);
    struct trace_step step;
    struct error err = ERROR_INIT;
    uint64_t count = trace_step_count(trace);
    bool right = true, ordered = true;
    for (uint64_t i = 0; i < count; i++) {
        if (trace_step(trace, i, &step, &err) != 0) {
            fail(check, what, err.text);
            break;
        }
        check_step(check, what, &step);
        uint64_t warp = step.block * (job->parameters.threads / 32) + step.warp;
        if (warp >= warps || step.operation.present != WARP_FULL_MASK) {
            right = false;
            continue;
        }
        uint32_t round = (uint32_t)step.operation.in[0] % TROUBLE_ROUNDS;
        ordered = ordered && round >= next[warp];
        next[warp] = round + 1;
        for (uint32_t lane = 0; lane < 32; lane++)
            right = right &&
                    (uint32_t)step.operation.in[lane] == trouble_value((uint32_t)warp, lane, round);
    }
    if (!right)
        fail(check, what, "a step is not what the kernel does");
    if (!ordered)
        fail(check, what, "a warp's steps are not in its order");
    free(next);
    return count;
}

/* `kept`: the least number of steps; `all`: the exact number including dropped ones, unless 0.
 * `words`: what the failure's text must contain; NULL: there is no failure. */
static void check_run(struct check *check, const char *what, struct job *job, uint64_t kept,
                      uint64_t all, const char *words) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    struct timespec before, after;
    job->trouble = true;
    job->device = check->device;
    uint64_t *input = /* not read, but requested */
        memory_zeroed((size_t)program_input_count(&job->parameters), sizeof *input);
    job->parameters.input = input;
    clock_gettime(CLOCK_MONOTONIC, &before);
    int status = run_job(check, job, &trace, &err);
    clock_gettime(CLOCK_MONOTONIC, &after);
    double seconds =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    if (status == 0 && words)
        fail(check, what, "it went well");
    if (status != 0 && (!words || !strstr(err.text, words)))
        fail(check, what, err.text);
    uint64_t count = trace ? check_trouble_steps(check, what, trace, job) : 0;
    uint64_t dropped = trace ? trace_dropped(trace) : 0;
    printf("   %s: %" PRIu64 " steps, %" PRIu64 " dropped, %.2f s%s%s\n", what, count, dropped,
           seconds, status ? "; " : "", status ? err.text : "");
    fflush(stdout);
    if (count < kept || (all && count + dropped != all))
        fail(check, what, "steps are missing");
    trace_close(trace);
    free(input);
}

static struct job trouble_job(uint32_t blocks, uint32_t threads, enum trouble trouble) {
    struct job job = {.parameters = SHFLVIZ_PROGRAM(trouble).program.defaults};
    job.parameters.blocks = blocks;
    job.parameters.threads = threads;
    job.parameters.width = trouble;
    return job;
}

static void check_runs(struct check *check) {
    const bool gpu = check->device == DEVICE_GPU;
    const uint32_t blocks = gpu ? 1000 : 20; /* fewer for the CPU warp */
    const uint64_t all = (uint64_t)blocks * 8 * TROUBLE_ROUNDS;
    struct job job = trouble_job(blocks, 256, TROUBLE_NONE);
    job.memory = DEVICE_MEMORY_LEAST;
    check_run(check, "much through little memory", &job, all, all, NULL);
    job.memory = 0;
    check_run(check, "much", &job, all, all, NULL);
    job.step_limit = all / 2 + 1;
    check_run(check, "a limit", &job, all / 2 + 1, all, NULL);
    job = trouble_job(1, 1024, TROUBLE_NONE);
    job.memory = DEVICE_MEMORY_LEAST;
    check_run(check, "one block through little memory", &job, 32 * TROUBLE_ROUNDS,
              32 * TROUBLE_ROUNDS, NULL);
    job = trouble_job(blocks, 256, TROUBLE_NONE);
    job.watch.parts = SHFLVIZ_FILTER_BLOCKS | SHFLVIZ_FILTER_WARPS;
    job.watch.block_first = 3;
    job.watch.block_last = 5;
    job.watch.warp_first = job.watch.warp_last = 2;
    check_run(check, "a filter", &job, 3 * TROUBLE_ROUNDS, 3 * TROUBLE_ROUNDS, NULL);
    if (!gpu)
        return; /* the rest needs a GPU */
    job = trouble_job(1, 32, TROUBLE_FAULT);
    check_run(check, "a fault", &job, TROUBLE_ROUNDS, TROUBLE_ROUNDS, "illegal memory access");
    job = trouble_job(2, 64, TROUBLE_FAULT); /* the first fault ends the other warps */
    check_run(check, "a fault of several", &job, TROUBLE_ROUNDS, 0, "illegal memory access");
    job = trouble_job(1, 32, TROUBLE_TRAP);
    check_run(check, "a trap", &job, TROUBLE_ROUNDS, TROUBLE_ROUNDS, "cudaError");
    job = trouble_job(2, 64, TROUBLE_SHAPE);
    check_run(check, "a launch that is refused", &job, 0, 0, "invalid argument");
    job = trouble_job(2, 64, TROUBLE_ENDLESS);
    job.timeout = 2;
    check_run(check, "a time-out", &job, 4 * TROUBLE_ROUNDS, 4 * TROUBLE_ROUNDS,
              "did not end within 2 s");
    job = trouble_job(1000, 256, TROUBLE_ENDLESS);
    job.timeout = 2;
    check_run(check, "a time-out of many", &job, RING_EARLY_RECORDS, 0, "did not end within 2 s");
}

/* ---- observations of undefined results ---- */
/* These are kept apart: no observation is a rule, and only a run without a report is a failure. */

static void print_lanes(struct check *check, FILE *file, const char *name,
                        const struct trace *trace) {
    struct trace_step step;
    for (uint64_t i = 0; i < trace_step_count(trace); i++) {
        struct lane_outcome outcome[WARP_LANES];
        if (trace_step(trace, i, &step, NULL) != 0)
            continue;
        warp_outcome(&step.operation, outcome);
        check_step(check, name, &step);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            char in[WARP_VALUE_TEXT], out[WARP_VALUE_TEXT];
            if (outcome[lane].status != LANE_UNDEFINED)
                continue;
            fprintf(file,
                    "  launch %" PRIu32 " block %" PRIu64 " warp %" PRIu32 " step %" PRIu64
                    " %s lane %2d: names lane %2d, brought %s, got %s\n",
                    step.launch, step.block, step.warp, step.number,
                    warp_op_info(step.operation.op)->name, lane, outcome[lane].address.source,
                    warp_value_format_bits(step.operation.type, step.operation.in[lane], in),
                    warp_value_format_bits(step.operation.type, step.operation.out[lane], out));
        }
    }
}

static void observe(struct check *check, FILE *file, const char *name, struct job *job) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    size_t all = (size_t)program_input_count(&job->parameters);
    uint64_t *input = memory_zeroed(all, sizeof *input);
    for (size_t i = 0; i < all; i++)
        input[i] = job->program && (job->program->takes & PROGRAM_IS_UNDEFINED)
                       ? default_value(job->program, job->parameters.type, i)
                       : 100 + i;
    job->parameters.input = input;
    job->device = check->device;
    job->save = name;
    job->timeout = TIMEOUT_SECONDS_UNDEFINED;
    int status = run_job(check, job, &trace, &err);
    fprintf(file, "%s: %" PRIu64 " steps, %" PRIu64 " dropped\n", name,
            trace ? trace_step_count(trace) : 0, trace ? trace_dropped(trace) : 0);
    if (status != 0)
        fprintf(file, "  the run did not end well: %.*s\n", (int)strcspn(err.text, "\n"), err.text);
    if (trace)
        print_lanes(check, file, name, trace);
    else
        fail(check, name, err.text);
    trace_close(trace);
    free(input);
}

static void observe_all(struct check *check, FILE *file) {
    char details[160];
    int32_t argument[WARP_LANES];
    static const char *const shuffles[] = {"idx", "up", "down", "xor"};
    device_details(check->device, details, sizeof details);
    fprintf(
        file,
        "Observed on %s%s%s. The CUDA guide leaves all of this undefined: what one device does\n"
        "is no rule, not even for that device.\n",
        device_name(check->device), details[0] ? ", " : "", details);
    for (int op = 0; op < 4; op++) {
        char name[64];
        struct job job = {.program = device_program_find(shuffles[op])};
        for (int lane = 0; lane < WARP_LANES; lane++)
            argument[lane] = op == WARP_OP_IDX ? (lane + 8) % 32 : 8;
        job.parameters = job.program->defaults;
        job.parameters.argument = argument;
        job.parameters.members = 0x00ffff0f;
        snprintf(name, sizeof name, "observed-%s-outside-the-mask", shuffles[op]);
        observe(check, file, name, &job);
        job.parameters.members = WARP_FULL_MASK;
        job.parameters.threads = 35;
        for (int lane = 0; lane < WARP_LANES; lane++)
            argument[lane] = op == WARP_OP_IDX ? (lane + 16) % 32 : 16;
        snprintf(name, sizeof name, "observed-%s-35-threads", shuffles[op]);
        observe(check, file, name, &job);
        job.parameters.threads = 32;
        for (int width = 0; width <= 33; width += width == 0 ? 3 : width == 3 ? 9 : 21) {
            job.parameters.width = width;
            snprintf(name, sizeof name, "observed-%s-width-%d", shuffles[op], width);
            observe(check, file, name, &job);
        }
    }
    struct job outsiders = {.parameters = SHFLVIZ_PROGRAM(parity).program.defaults};
    outsiders.parameters.width = PARITY_OUTSIDERS;
    outsiders.parameters.blocks = 4; /* one for each shuffle */
    observe(check, file, "observed-callers-outside-their-mask", &outsiders);

    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        struct job job = {.program = programs[i], .parameters = programs[i]->defaults};
        if (!(programs[i]->takes & PROGRAM_IS_UNDEFINED))
            continue;
        snprintf(name, sizeof name, "observed-%s", programs[i]->name);
        observe(check, file, name, &job);
    }
}

static void observe_into_folder(struct check *check) {
    struct text path = TEXT_INIT;
    FILE *file = NULL;
    if (check->folder) {
        text_append_format(&path, "%s/observations.txt", check->folder);
        file = fopen(path.data, "w");
        if (!file)
            fail(check, path.data, strerror(errno));
        text_release(&path);
    } else {
        file = tmpfile(); /* the observations are still made */
    }
    if (file) {
        observe_all(check, file);
        fclose(file);
    }
}

/* ---- the program ---- */

static void begin(const char *what) {
    printf("-- %s\n", what);
    fflush(stdout);
}

/* The results of an unwatched kernel: the recorder is in it but records nothing. Shows whether the
 * recorder causes the failures of a watched kernel. */
static int run_bare(const char *name) {
#ifdef SHFLVIZ_GPU_PARITY
    const struct shflviz_program *entry = cuda_program_find(name);
    if (!entry)
        return 2;
    struct program_parameters parameters = entry->program.defaults;
    size_t all = (size_t)program_input_count(&parameters);
    uint64_t *input = memory_zeroed(all, sizeof *input);
    uint64_t *output =
        memory_zeroed((size_t)parameters.threads * parameters.blocks + 64, sizeof *output);
    for (size_t i = 0; i < all; i++)
        input[i] = default_value(&entry->program, parameters.type, i);
    parameters.input = input;
    const struct shflviz_run run = {&parameters, output};
    int status = entry->run(&run);
    printf("%s, not watched: ", name);
    if (status != 0)
        printf("failed with error %d of CUDA\n", status);
    for (uint32_t i = 0; status == 0 && i < parameters.threads; i++)
        printf("%s%d", i ? " " : "", (int32_t)output[i]);
    printf("\n");
    free(input);
    free(output);
    return 0;
#else
    (void)name;
    return SKIPPED;
#endif
}

static bool wanted(const char *part, const char *name) {
    return !part || strcmp(part, name) == 0;
}

static int check_device(struct check *check, const char *part) {
    struct error err = ERROR_INIT;
    if (!device_available(check->device, &err)) {
        printf("SKIPPED: a GPU is needed, and there is none: %.*s\n", (int)strcspn(err.text, "\n"),
               err.text);
        return SKIPPED;
    }
    printf("%s\n", device_name(check->device));
    if (wanted(part, "rules")) {
        begin("every shuffle, width, argument and type against the rules");
        check_all_rules(check);
    }
    if (wanted(part, "kernels")) {
        begin("every kernel on both devices");
        check_kernels(check);
    }
    if (wanted(part, "runs")) {
        begin("long runs, limits, filters, and runs that fail");
        check_runs(check);
    }
    if (wanted(part, "observations")) {
        begin("what is undefined, looked at");
        observe_into_folder(check);
    }
    printf("%s: %llu lanes compared, %u differences\n", check->failures ? "FAILED" : "fine",
           check->compared, check->failures);
    return check->failures != 0;
}

/* In a separate process: it uses CUDA itself, after which none of its children may. */
static int bench(const char *name) {
    struct bench_options options = {.device = DEVICE_GPU};
    struct bench_reduce_report *reduce = memory_zeroed(1, sizeof *reduce);
    struct bench_shuffle_report *shuffle = memory_zeroed(1, sizeof *shuffle);
    struct bench_record_report *record = memory_zeroed(1, sizeof *record);
    struct text text = TEXT_INIT;
    struct error err = ERROR_INIT;
    int status;
    bool right = false;
    if (strcmp(name, "shuffle") == 0) {
        status = bench_shuffle(&options, shuffle, &err);
        if (status == 0)
            bench_shuffle_text(shuffle, &text);
        right = status == 0 && bench_shuffle_correct(shuffle);
    } else if (strcmp(name, "record") == 0) {
        status = bench_record(&options, record, &err);
        if (status == 0)
            bench_record_text(record, &text);
        right = status == 0 && bench_record_correct(record);
    } else {
        options.count = UINT64_C(1) << (strcmp(name, "reduce-large") == 0 ? 30 : 28);
        status = bench_reduce(&options, reduce, &err);
        if (status == 0)
            bench_reduce_text(reduce, &text);
        right = status == 0 && bench_reduce_correct(reduce);
    }
    if (text.length)
        fputs(text.data, stdout);
    if (status != 0)
        printf("%s\n", err.text);
    else if (!right)
        printf("FAILED: a result is wrong\n");
    text_release(&text);
    free(reduce);
    free(shuffle);
    free(record);
    if (status != 0)
        return err.kind == ERROR_MISSING ? SKIPPED : 1;
    return !right;
}

static bool is_part(const char *word) {
    static const char *const parts[] = {"rules", "kernels", "runs", "observations"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(word, parts[i]) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    struct check check = {.device = DEVICE_GPU};
    const char *part = NULL;
    int word = 1;
    if (argc == 3 && strcmp(argv[1], "--bench") == 0)
        return bench(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--bare") == 0)
        return run_bare(argv[2]);
    if (argc > 2 && strcmp(argv[1], "--device") == 0) {
        check.device = strcmp(argv[2], "cpu") == 0 ? DEVICE_CPU : DEVICE_GPU;
        word = 3;
    }
    if (argc > word && is_part(argv[word]))
        part = argv[word++];
    if (argc > word + 1) {
        fputs("usage: gpu_parity [--device gpu|cpu] [rules|kernels|runs|observations] [FOLDER]\n"
              "       gpu_parity --bench reduce|reduce-large|shuffle|record\n",
              stderr);
        return 2;
    }
    check.folder = argc > word ? argv[word] : NULL;
    if (check.folder && mkdir(check.folder, 0777) != 0 && errno != EEXIST) {
        perror(check.folder);
        return 2;
    }
    return check_device(&check, part);
}
