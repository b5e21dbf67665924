/*
 * Checks all options against the kernel before anything runs, so that a refusal costs nothing, and
 * then runs and records it on the chosen device.
 */
#include "launch/launch.h"

#include "base/clock.h"
#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/suggest.h"
#include "explain/findings/failure.h"
#include "launch/expression.h"
#include "launch/number.h"
#include "launch/program/watching.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* random:SEED gives values that are easy to add by hand. */
#define RANDOM_LIMIT 100

/* More values than this are not recorded; it is roughly the number of threads of the largest
 * grid. */
#define COUNT_MAX (UINT64_C(1) << 26)

/* A launch that is being checked. */
struct run {
    const struct launch *launch;
    const struct program *program;
    struct program_parameters parameters;
    struct device_options device;
    int32_t argument[WARP_LANES];
    uint64_t *input; /* program_input_count() values */
};

void launch_init(struct launch *launch, const struct program *program, const char *name) {
    *launch = (struct launch){
        .program = program,
        .name = name,
        .parameters.members = WARP_FULL_MASK,
        .device.settings = RUN_SETTINGS_INIT,
    };
}

enum launch_option launch_argument(const struct program *program) {
    static const struct {
        const char *name;
        enum launch_option argument;
    } shuffles[] = {
        {"idx", LAUNCH_SRC}, {"up", LAUNCH_DELTA}, {"down", LAUNCH_DELTA}, {"xor", LAUNCH_MASK}};
    for (size_t i = 0; i < sizeof(shuffles) / sizeof(shuffles[0]); i++)
        if (strcmp(shuffles[i].name, program->name) == 0)
            return shuffles[i].argument;
    return LAUNCH_OPTION_COUNT;
}

int launch_kernel_unknown(const char *name, struct error *err) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    struct choice choice = CHOICE_INIT(name);
    for (size_t i = 0; i < count; i++)
        if (launch_argument(programs[i]) == LAUNCH_OPTION_COUNT)
            choice_add(&choice, programs[i]->name);
    return choice_refuse(&choice,
                         _("kernel: %s: no kernel of that name%s\nallowed: %s\n"
                           "try: shflviz kernel, which lists them"),
                         err);
}

/* ---- the program's options ---- */

static const struct {
    enum launch_option option;
    unsigned takes;
} needs[] = {
    {LAUNCH_SRC, PROGRAM_TAKES_ARGUMENT},    {LAUNCH_DELTA, PROGRAM_TAKES_ARGUMENT},
    {LAUNCH_MASK, PROGRAM_TAKES_ARGUMENT},   {LAUNCH_WIDTH, PROGRAM_TAKES_WIDTH},
    {LAUNCH_UNDEFINED, PROGRAM_TAKES_WIDTH}, {LAUNCH_MEMBERS, PROGRAM_TAKES_MEMBERS},
    {LAUNCH_THREADS, PROGRAM_TAKES_THREADS}, {LAUNCH_BLOCKS, PROGRAM_TAKES_BLOCKS},
    {LAUNCH_TYPE, PROGRAM_TAKES_TYPE},       {LAUNCH_IN, PROGRAM_TAKES_INPUT},
    {LAUNCH_N, PROGRAM_TAKES_COUNT},
};
#define NEEDS_COUNT (sizeof(needs) / sizeof(needs[0]))

static const char *name_of(enum launch_option option) {
    return launch_option(option)->name;
}

void launch_options_taken(struct text *text, const struct program *program) {
    const char *separator = "";
    for (size_t i = 0; i < NEEDS_COUNT; i++) {
        if (!(program->takes & needs[i].takes) || (needs[i].takes == PROGRAM_TAKES_ARGUMENT &&
                                                   needs[i].option != launch_argument(program)))
            continue;
        text_append_format(text, "%s--%s", separator, name_of(needs[i].option));
        separator = " ";
    }
}

/* Reports an error in an option that was given. */
static int refuse(const struct launch *launch, enum launch_option option, const char *wrong,
                  const char *allowed, const char *attempt, struct error *err) {
    const char *typed = launch->typed[option];
    return complain(err, name_of(option), typed && *typed ? typed : NULL, wrong, allowed, attempt);
}

static int check_options(const struct run *run, struct error *err) {
    struct text allowed = TEXT_INIT;
    launch_options_taken(&allowed, run->program);
    int status = 0;
    for (size_t i = 0; status == 0 && i < NEEDS_COUNT; i++)
        if (run->launch->typed[needs[i].option] && !(run->program->takes & needs[i].takes))
            status = refuse(run->launch, needs[i].option, _("means nothing to this kernel"),
                            allowed.length ? allowed.data : _("none of these"), NULL, err);
    text_release(&allowed);
    return status;
}

/* ---- the parameters, one after the other ---- */

static int take_type(struct run *run, struct error *err) {
    if (run->launch->typed[LAUNCH_TYPE])
        run->parameters.type = run->launch->parameters.type;
    if (run->program->types >> run->parameters.type & 1)
        return 0;
    struct text allowed = TEXT_INIT;
    for (int type = 0; type < WARP_TYPE_COUNT; type++)
        if (run->program->types >> type & 1)
            text_append_format(&allowed, "%s%s", allowed.length ? " " : "",
                               warp_type_info((enum warp_type)type)->name);
    refuse(run->launch, LAUNCH_TYPE, _("is not a type that this kernel is built for"), allowed.data,
           NULL, err);
    text_release(&allowed);
    return -1;
}

static int take_width(struct run *run, struct error *err) {
    if (!run->launch->typed[LAUNCH_WIDTH])
        return 0;
    run->parameters.width = run->launch->parameters.width;
    if (warp_width_is_defined(run->parameters.width) || run->launch->undefined)
        return 0;
    return refuse(run->launch, LAUNCH_WIDTH, _("is a width that CUDA leaves undefined"),
                  launch_option(LAUNCH_WIDTH)->values,
                  _("--undefined, to see what the arithmetic would do"), err);
}

/* The lanes that exist in at least one warp of a block. */
static uint32_t lanes_launched(uint32_t threads) {
    return threads >= WARP_LANES ? WARP_FULL_MASK : (UINT32_C(1) << threads) - 1;
}

static int take_members(struct run *run, struct error *err) {
    const uint32_t threads = run->parameters.threads;
    if (!run->launch->typed[LAUNCH_MEMBERS])
        return 0;
    run->parameters.members = run->launch->parameters.members;
    if (run->program->takes & PROGRAM_ALL_CALL || run->parameters.members & lanes_launched(threads))
        return 0;
    char allowed[96];
    snprintf(allowed, sizeof(allowed),
             _("a bit for at least one of the lanes 0 to %" PRIu32 ", which have threads"),
             threads - 1);
    return refuse(run->launch, LAUNCH_MEMBERS,
                  _("is an empty mask here: no lane would make the call"), allowed,
                  _("--members 0xff for lanes 0 to 7, or more --threads"), err);
}

static int take_count(struct run *run, struct error *err) {
    if (run->launch->typed[LAUNCH_N])
        run->parameters.count = run->launch->parameters.count;
    if (run->program->takes & PROGRAM_ONE_WARP && run->parameters.count > WARP_LANES)
        return refuse(run->launch, LAUNCH_N,
                      _("exceeds the number of lanes: this kernel runs one warp"), "1 to 32", NULL,
                      err);
    if (run->parameters.count > COUNT_MAX)
        return refuse(run->launch, LAUNCH_N, _("is more values than a recording has room for"),
                      "1 to 67108864", _("shflviz bench reduce, which takes more"), err);
    return 0;
}

static int take_shape(struct run *run, struct error *err) {
    if (run->launch->typed[LAUNCH_THREADS])
        run->parameters.threads = run->launch->parameters.threads;
    if (run->launch->typed[LAUNCH_BLOCKS])
        run->parameters.blocks = run->launch->parameters.blocks;
    return take_members(run, err) != 0 ? -1 : take_count(run, err);
}

static int take_argument(struct run *run, struct error *err) {
    const enum launch_option argument = launch_argument(run->program);
    if (argument == LAUNCH_OPTION_COUNT)
        return 0;
    if (!run->launch->typed[argument])
        return error_set(err, ERROR_USAGE, _("--%s N is missing: %s\ntry: --%s 3"),
                         name_of(argument), _(launch_option(argument)->help), name_of(argument));
    char option[16];
    snprintf(option, sizeof(option), "--%s", name_of(argument));
    /* Lanes that no warp has are not evaluated: their argument stays 0. */
    const int lanes =
        run->parameters.threads < WARP_LANES ? (int)run->parameters.threads : WARP_LANES;
    const struct expression_rules rules = {.option = option,
                                           .type = WARP_TYPE_NONE,
                                           .threads = (uint64_t)lanes,
                                           .random_limit = WARP_LANES};
    struct expression *expression;
    if (expression_compile(&expression, run->launch->typed[argument], &rules, err) != 0)
        return -1;
    int status = 0;
    for (int lane = 0; status == 0 && lane < lanes; lane++)
        status = expression_argument(expression, lane, (uint64_t)lane, &run->argument[lane], err);
    expression_free(expression);
    run->parameters.argument = run->argument;
    return status;
}

/* The lane of a thread, given its number in the grid: warps start again in every block. If there
 * are more values than threads, the threads wrap around, as in a grid-stride loop. */
static int lane_of_thread(const struct run *run, uint64_t thread) {
    thread %= (uint64_t)run->parameters.threads * run->parameters.blocks;
    return (int)(thread % run->parameters.threads % WARP_LANES);
}

/* Programs that take a count add up the values. Overflow of an int is undefined in C++ and would
 * silently give a wrong number. */
static int check_sum(const struct run *run, uint64_t count, struct error *err) {
    int64_t sum = 0;
    char wrong[128];
    if (!(run->program->takes & PROGRAM_TAKES_COUNT) || run->parameters.type != WARP_TYPE_INT)
        return 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (int32_t)(uint32_t)run->input[i];
    if (sum >= INT32_MIN && sum <= INT32_MAX)
        return 0;
    snprintf(wrong, sizeof wrong, _("the values add up to %" PRId64 ", more than an int holds"),
             sum);
    return refuse(run->launch, run->launch->typed[LAUNCH_IN] ? LAUNCH_IN : LAUNCH_N, wrong, NULL,
                  "--in 'thread % 100'", err);
}

static int take_input(struct run *run, struct error *err) {
    const char *typed = run->launch->typed[LAUNCH_IN];
    const char *text = typed ? typed : run->program->input;
    uint64_t count = program_input_count(&run->parameters);
    const struct expression_rules rules = {.option = "--in",
                                           .type = run->parameters.type,
                                           .threads = count,
                                           .random_limit = RANDOM_LIMIT};
    struct expression *expression;
    if (expression_compile(&expression, text ? text : "lane", &rules, err) != 0)
        return -1;
    run->input = memory_zeroed((size_t)count, sizeof(run->input[0]));
    int status = 0;
    for (uint64_t i = 0; status == 0 && i < count; i++)
        status = expression_bits(expression, lane_of_thread(run, i), i, &run->input[i], err);
    expression_free(expression);
    run->parameters.input = run->input;
    return status == 0 ? check_sum(run, count, err) : -1;
}

/* ---- the device ---- */

/* Only the CPU warp takes a lane order and the bits for undefined reads, so giving either chooses
 * it. Only a GPU has memory and time limits; with --device auto, limits are allowed, too. Unless a
 * GPU is named, a program that shows undefined behaviour, or that never ends, runs on the CPU warp,
 * which reports which lanes wait for which. */
static int take_device(struct run *run, struct error *err) {
    static const struct {
        enum launch_option option;
        enum device_kind device;
        const char *wrong, *attempt;
    } known[] = {
        {LAUNCH_SCHEDULE, DEVICE_CPU, N_("means nothing to a GPU"), "--device cpu"},
        {LAUNCH_POISON, DEVICE_CPU, N_("means nothing to a GPU"), "--device cpu"},
        {LAUNCH_MEMORY, DEVICE_GPU, N_("means nothing to the CPU warp"), "--device gpu"},
        {LAUNCH_TIMEOUT, DEVICE_GPU, N_("means nothing to the CPU warp"), "--device gpu"},
    };
    enum device_kind *kind = &run->device.kind;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!run->launch->typed[known[i].option])
            continue;
        if (*kind != DEVICE_AUTO && *kind != known[i].device)
            return refuse(run->launch, known[i].option, _(known[i].wrong), NULL, known[i].attempt,
                          err);
        if (known[i].device == DEVICE_CPU)
            *kind = DEVICE_CPU;
    }
    if (*kind == DEVICE_AUTO)
        *kind = run->program->takes & PROGRAM_IS_UNDEFINED ? DEVICE_CPU : run->launch->automatic;
    if (*kind == DEVICE_AUTO)
        *kind = device_choose();
    return 0;
}

/* The number of steps kept in an unnamed file, which is in memory: 512 or 768 bytes per step. */
#define STEPS_IN_MEMORY (UINT64_C(1) << 22)

static int run_prepare(struct run *run, struct error *err) {
    if (!run->launch->output && !run->device.settings.step_limit)
        run->device.settings.step_limit = STEPS_IN_MEMORY;
    if (take_device(run, err) != 0 || check_options(run, err) != 0 || take_type(run, err) != 0 ||
        take_width(run, err) != 0 || take_shape(run, err) != 0 || take_argument(run, err) != 0 ||
        take_input(run, err) != 0)
        return -1;
    if (run->launch->device.kind != DEVICE_AUTO && !device_available(run->device.kind, err))
        return -1;
    return 0;
}

/* ---- notes about the recording ---- */

/* The run as a heading: "xor  laneMask 3  width 16". */
static void note_title(const struct run *run, struct trace_writer *writer) {
    static const char *const names[] = {
        [LAUNCH_SRC] = "srcLane", [LAUNCH_DELTA] = "delta", [LAUNCH_MASK] = "laneMask"};
    const enum launch_option argument = launch_argument(run->program);
    struct text title = TEXT_INIT;
    text_append(&title, run->program->name);
    if (argument != LAUNCH_OPTION_COUNT)
        text_append_format(&title, "  %s %s", names[argument], run->launch->typed[argument]);
    if (run->program->takes & PROGRAM_TAKES_WIDTH)
        text_append_format(&title, "  width %" PRId32, run->parameters.width);
    if (run->program->takes & PROGRAM_TAKES_THREADS && run->parameters.threads != WARP_LANES)
        text_append_format(&title, "  threads %" PRIu32, run->parameters.threads);
    if (run->program->takes & PROGRAM_TAKES_COUNT)
        text_append_format(&title, "  n %" PRIu64, program_input_count(&run->parameters));
    if (run->launch->assumed && *run->launch->assumed)
        text_append_format(&title, "  (%s)", run->launch->assumed);
    trace_writer_note(writer, TRACE_NOTE_TITLE, title.data);
    text_release(&title);
}

void launch_append_quoted(struct text *text, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+,./:@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        text_append(text, word);
        return;
    }
    text_append_char(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_append(text, "'\\''");
        else
            text_append_char(text, *word);
    text_append_char(text, '\'');
}

/* Made from the launch rather than from argv: a lesson has no argv, and display options are left
 * out. */
void launch_append_command(const struct launch *launch, struct text *command) {
    text_append(command, launch->name);
    for (int id = 0; id < LAUNCH_OPTION_COUNT; id++) {
        const char *typed = launch->typed[id];
        if (id == LAUNCH_STEPS && launch->device.settings.step_limit) {
            text_append_format(command, " --steps %" PRIu64, launch->device.settings.step_limit);
        } else if (typed && id != LAUNCH_OUTPUT) {
            text_append_format(command, " --%s", name_of((enum launch_option)id));
            if (launch_option(id)->argument) {
                text_append_char(command, ' ');
                launch_append_quoted(command, typed);
            }
        }
    }
}

static void note_command(const struct run *run, struct trace_writer *writer) {
    struct text command = TEXT_INIT;
    text_append(&command, "shflviz ");
    launch_append_command(run->launch, &command);
    trace_writer_note(writer, TRACE_NOTE_COMMAND, command.data);
    text_release(&command);
}

#define LAST_SECOND INT64_C(253402300799) /* of the year 9999 */

/* The time with which a recording is dated. SOURCE_DATE_EPOCH (reproducible-builds.org) makes
 * recordings identical byte for byte; as its specification requires, anything that is not a date is
 * an error. */
static int read_clock(time_t *now, struct error *err) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = 0;
    if (epoch && number_parse_i64("SOURCE_DATE_EPOCH", epoch, 0, LAST_SECOND, &seconds, err) != 0)
        return -1;
    *now = epoch ? (time_t)seconds : time(NULL);
    return 0;
}

static void note_date(struct trace_writer *writer, time_t now) {
    char date[CLOCK_DATE];
    clock_date(now, date);
    if (*date)
        trace_writer_note(writer, TRACE_NOTE_DATE, date);
}

/* ---- running ---- */

bool launch_is_durable(void) {
    const char *sync = getenv("SHFLVIZ_SYNC");
    return !sync || strcmp(sync, "0") != 0;
}

/* Keeps the recording of a failed run from replacing an older one. */
static void append_destination(const char *wanted, const struct trace_writer *writer,
                               struct error *err) {
    const char *destination = trace_writer_destination(writer);
    if (wanted && strcmp(wanted, destination) != 0)
        error_append(err, _("\nThe recording of this run is in '%s'; '%s' is unchanged."),
                     destination, wanted);
}

static void report_leftover(const char *name) {
    progress_line_hold();
    fprintf(stderr, _("shflviz: an earlier run was killed; its recording is in '%s'\n"), name);
    progress_line_printed(NULL, 0);
}

/* Returns the recording in *trace even if the kernel did not finish (-1, ERROR_RUN). */
static int run_record(const struct run *run, struct trace **trace, struct error *err) {
    const struct trace_writer_options writer_options = {
        .value_bytes = warp_type_info(run->parameters.type)->bits > 32 ? 8 : 4,
        .step_limit = run->device.settings.step_limit,
        .durable = launch_is_durable()};
    struct trace_writer *writer;
    time_t now;
    if (read_clock(&now, err) != 0 ||
        trace_writer_open(&writer, run->launch->output, &writer_options, err) != 0)
        return -1;
    if (trace_writer_leftover(writer))
        report_leftover(trace_writer_leftover(writer));
    note_title(run, writer);
    note_command(run, writer);
    note_date(writer, now);
    int status = device_run(run->program, &run->parameters, &run->device, writer, NULL, err);
    const bool unfinished = status != 0 && err->kind == ERROR_RUN;
    if (status == 0 && trace_writer_failed(writer, err))
        status = -1;
    struct error closing = ERROR_INIT, destination = ERROR_INIT;
    if (unfinished)
        append_destination(run->launch->output, writer, &destination);
    if (trace_writer_close(writer, trace, &closing) != 0 && status == 0) {
        *err = closing;
        status = -1;
    }
    if (status == 0)
        status = watching_check(&run->device.settings.watch, *trace, err);
    if (unfinished && *trace)
        failure_explain(err, *trace);
    if (unfinished)
        error_append(err, "%s", destination.text);
    if (status != 0 && !unfinished) {
        trace_close(*trace);
        *trace = NULL;
    }
    return status;
}

static struct run run_of(const struct launch *launch) {
    return (struct run){.launch = launch,
                        .program = launch->program,
                        .parameters = launch->program->defaults,
                        .device = launch->device};
}

int launch_prepare(const struct launch *launch, launch_visitor *visit, void *context,
                   struct error *err) {
    struct run run = run_of(launch);
    int status = run_prepare(&run, err);
    if (status == 0)
        status = visit(context, &run.parameters, &run.device, err);
    free(run.input);
    return status;
}

int launch_record(const struct launch *launch, struct trace **trace, struct error *err) {
    struct run run = run_of(launch);
    char what[256];
    *trace = NULL;
    utf8_format(what, sizeof what, _("running %s"), run.program->name);
    progress_line_begin(what);
    int status = run_prepare(&run, err);
    if (status == 0)
        status = run_record(&run, trace, err);
    progress_line_end();
    if (status != 0 && !*trace)
        error_prefix(err, "%s", launch->name);
    free(run.input);
    return status;
}
