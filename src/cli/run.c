#include "cli/run.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/show.h"
#include "launch/expression.h"
#include "launch/number.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* random:SEED gives values a person can add up. */
#define RANDOM_LIMIT 100

/* More values than this are not recorded; it is about as many as the largest grid has threads. */
#define COUNT_MAX (UINT64_C(1) << 26)

/* What is to be run, checked. */
struct run {
    const struct program *program;
    const char *name;
    enum option_id argument_option;
    const struct options *options;
    struct program_parameters parameters;
    int32_t argument[WARP_LANES];
    uint64_t *input; /* program_input_count() values */
};

/* ---- what the program takes -------------------------------------------------------------------
 */

static const struct {
    enum option_id option;
    unsigned takes;
} needs[] = {
    {OPTION_SRC, PROGRAM_TAKES_ARGUMENT},    {OPTION_DELTA, PROGRAM_TAKES_ARGUMENT},
    {OPTION_MASK, PROGRAM_TAKES_ARGUMENT},   {OPTION_WIDTH, PROGRAM_TAKES_WIDTH},
    {OPTION_UNDEFINED, PROGRAM_TAKES_WIDTH}, {OPTION_MEMBERS, PROGRAM_TAKES_MEMBERS},
    {OPTION_THREADS, PROGRAM_TAKES_THREADS}, {OPTION_BLOCKS, PROGRAM_TAKES_BLOCKS},
    {OPTION_TYPE, PROGRAM_TAKES_TYPE},       {OPTION_IN, PROGRAM_TAKES_INPUT},
    {OPTION_N, PROGRAM_TAKES_COUNT},
};
#define NEEDS_COUNT (sizeof(needs) / sizeof(needs[0]))

static bool given(const struct run *run, enum option_id id) {
    return run->options->given & OPTION_BIT(id);
}

void run_options_taken(struct text *text, const struct program *program, enum option_id argument) {
    const char *separator = "";
    for (size_t i = 0; i < NEEDS_COUNT; i++) {
        if (!(program->takes & needs[i].takes) ||
            (needs[i].takes == PROGRAM_TAKES_ARGUMENT && needs[i].option != argument))
            continue;
        text_append_format(text, "%s--%s", separator, option_table()[needs[i].option].name);
        separator = " ";
    }
}

static int check_takes(const struct run *run, struct error *err) {
    struct text allowed = TEXT_INIT;
    run_options_taken(&allowed, run->program, run->argument_option);
    int status = 0;
    for (size_t i = 0; status == 0 && i < NEEDS_COUNT; i++)
        if (given(run, needs[i].option) && !(run->program->takes & needs[i].takes))
            status =
                complain(err, &(struct complaint){
                                  .option = option_table()[needs[i].option].name,
                                  .value = run->options->text[needs[i].option],
                                  .wrong = _("means nothing to this kernel"),
                                  .allowed = allowed.length ? allowed.data : _("none of these"),
                              });
    text_release(&allowed);
    return status;
}

/* ---- the parameters, one after the other ------------------------------------------------------
 */

static int take_type(struct run *run, struct error *err) {
    if (given(run, OPTION_TYPE))
        run->parameters.type = run->options->type;
    if (run->program->types >> run->parameters.type & 1)
        return 0;
    struct text allowed = TEXT_INIT;
    for (int type = 0; type < WARP_TYPE_COUNT; type++)
        if (run->program->types >> type & 1)
            text_append_format(&allowed, "%s%s", allowed.length ? " " : "",
                               warp_type_info((enum warp_type)type)->name);
    complain(err, &(struct complaint){
                      .option = "type",
                      .value = warp_type_info(run->parameters.type)->name,
                      .wrong = _("is no type that this kernel is built for"),
                      .allowed = allowed.data,
                  });
    text_release(&allowed);
    return -1;
}

static int take_width(struct run *run, struct error *err) {
    if (!given(run, OPTION_WIDTH))
        return 0;
    run->parameters.width = run->options->width;
    if (warp_width_is_defined(run->options->width) || run->options->undefined)
        return 0;
    return complain(err, &(struct complaint){
                             .option = "width",
                             .value = run->options->text[OPTION_WIDTH],
                             .wrong = _("is a width that the CUDA guide leaves undefined"),
                             .allowed = option_table()[OPTION_WIDTH].values,
                             .attempt = _("--undefined, to see what the arithmetic would do"),
                         });
}

/* Lanes that exist in at least one warp of a block. */
static uint32_t lanes_launched(uint32_t threads) {
    return threads >= WARP_LANES ? WARP_FULL_MASK : (UINT32_C(1) << threads) - 1;
}

static int take_shape(struct run *run, struct error *err) {
    struct program_parameters *parameters = &run->parameters;
    if (given(run, OPTION_THREADS))
        parameters->threads = run->options->threads;
    if (given(run, OPTION_BLOCKS))
        parameters->blocks = run->options->blocks;
    if (given(run, OPTION_MEMBERS))
        parameters->members = run->options->members;
    if (given(run, OPTION_MEMBERS) && !(run->program->takes & PROGRAM_ALL_CALL) &&
        !(parameters->members & lanes_launched(parameters->threads))) {
        char allowed[96];
        snprintf(allowed, sizeof(allowed),
                 _("a bit for at least one of the lanes 0 to %" PRIu32 ", the threads there are"),
                 parameters->threads - 1);
        return complain(err,
                        &(struct complaint){
                            .option = "members",
                            .value = run->options->text[OPTION_MEMBERS],
                            .wrong = _("is a mask that leaves nobody: no lane would make the call"),
                            .allowed = allowed,
                            .attempt = _("--members 0xff for lanes 0 to 7, or more --threads"),
                        });
    }
    if (given(run, OPTION_N))
        parameters->count = run->options->count;
    if (parameters->count > COUNT_MAX)
        return complain(err, &(struct complaint){
                                 .option = "n",
                                 .value = run->options->text[OPTION_N],
                                 .wrong = _("is more values than are kept for a recording"),
                                 .allowed = "1 to 67108864",
                                 .attempt = _("shflviz bench reduce, which takes more"),
                             });
    return 0;
}

static int take_argument(struct run *run, struct error *err) {
    if (run->argument_option == OPTION_COUNT || !given(run, run->argument_option))
        return 0;
    char option[16];
    snprintf(option, sizeof(option), "--%s", option_table()[run->argument_option].name);
    /* Lanes that no warp has are asked nothing: their argument stays 0. */
    const int lanes =
        run->parameters.threads < WARP_LANES ? (int)run->parameters.threads : WARP_LANES;
    const struct expression_rules rules = {.option = option,
                                           .type = WARP_TYPE_NONE,
                                           .threads = (uint64_t)lanes,
                                           .random_limit = WARP_LANES};
    struct expression *expression;
    if (expression_compile(&expression, run->options->text[run->argument_option], &rules, err) != 0)
        return -1;
    int status = 0;
    for (int lane = 0; status == 0 && lane < lanes; lane++)
        status = expression_argument(expression, lane, (uint64_t)lane, &run->argument[lane], err);
    expression_free(expression);
    run->parameters.argument = run->argument;
    return status;
}

/* Linear number of a thread in the grid, told as its lane: warps begin anew in every block. Values
 * that are more than the threads go round once more: they are those that a grid-stride loop comes
 * to next. */
static int lane_of_thread(const struct run *run, uint64_t thread) {
    thread %= (uint64_t)run->parameters.threads * run->parameters.blocks;
    return (int)(thread % run->parameters.threads % WARP_LANES);
}

static int take_input(struct run *run, struct error *err) {
    const char *text = given(run, OPTION_IN) ? run->options->text[OPTION_IN] : run->program->input;
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
    return status;
}

static int run_prepare(struct run *run, struct error *err) {
    run->parameters = run->program->defaults;
    if (check_takes(run, err) != 0 || take_type(run, err) != 0 || take_width(run, err) != 0 ||
        take_shape(run, err) != 0 || take_argument(run, err) != 0 || take_input(run, err) != 0)
        return -1;
    if (run->options->device != DEVICE_AUTO && !device_available(run->options->device, err))
        return -1;
    return 0;
}

/* ---- notes about the recording ----------------------------------------------------------------
 */

/* What was run, as a heading: "xor  laneMask 3  width 16". */
static void note_title(const struct run *run, struct trace_writer *writer) {
    struct text title = TEXT_INIT;
    text_append(&title, run->program->name);
    if (run->argument_option != OPTION_COUNT && given(run, run->argument_option)) {
        static const char *const names[] = {
            [OPTION_SRC] = "srcLane", [OPTION_DELTA] = "delta", [OPTION_MASK] = "laneMask"};
        text_append_format(&title, "  %s %s", names[run->argument_option],
                           run->options->text[run->argument_option]);
    }
    if (run->program->takes & PROGRAM_TAKES_WIDTH)
        text_append_format(&title, "  width %" PRId32, run->parameters.width);
    if (run->program->takes & PROGRAM_TAKES_THREADS && run->parameters.threads != WARP_LANES)
        text_append_format(&title, "  threads %" PRIu32, run->parameters.threads);
    if (run->program->takes & PROGRAM_TAKES_COUNT)
        text_append_format(&title, "  n %" PRIu64, program_input_count(&run->parameters));
    trace_writer_note(writer, TRACE_NOTE_TITLE, title.data);
    text_release(&title);
}

/* A word as a shell reads it back. */
static void append_quoted(struct text *text, const char *word) {
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

/* The command line, from the options rather than from argv: without those that only show. */
static void note_command(const struct run *run, struct trace_writer *writer) {
    struct text command = TEXT_INIT;
    const option_set left_out = OPTIONS_ALWAYS | OPTIONS_SHOW | OPTION_BIT(OPTION_OUTPUT);
    text_append_format(&command, "shflviz %s", run->name);
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!(run->options->given & ~left_out & OPTION_BIT(id)))
            continue;
        text_append_format(&command, " --%s", option_table()[id].name);
        if (run->options->text[id]) {
            text_append_char(&command, ' ');
            append_quoted(&command, run->options->text[id]);
        }
    }
    trace_writer_note(writer, TRACE_NOTE_COMMAND, command.data);
    text_release(&command);
}

#define LAST_SECOND INT64_C(253402300799) /* of the year 9999 */

/* The time to date a recording by. SOURCE_DATE_EPOCH (reproducible-builds.org) makes recordings the
 * same byte for byte; what is no date in it is an error there, as that page asks for. */
static int read_clock(time_t *now, struct error *err) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = 0;
    if (epoch && number_parse_i64("SOURCE_DATE_EPOCH", epoch, 0, LAST_SECOND, &seconds, err) != 0)
        return -1;
    *now = epoch ? (time_t)seconds : time(NULL);
    return 0;
}

static void note_date(struct trace_writer *writer, time_t now) {
    struct tm utc;
    char date[32];
    if (gmtime_r(&now, &utc) && strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        trace_writer_note(writer, TRACE_NOTE_DATE, date);
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* Steps kept where neither --steps nor -o says how many: what has no name takes memory, 512 or 768
 * bytes a step. */
#define STEPS_IN_MEMORY (UINT64_C(1) << 22)

static uint64_t step_limit(const struct run *run) {
    if (given(run, OPTION_STEPS) || given(run, OPTION_OUTPUT))
        return run->options->step_limit;
    return STEPS_IN_MEMORY;
}

/* Whether a saved recording is to survive a loss of power. */
static bool is_durable(void) {
    const char *sync = getenv("SHFLVIZ_SYNC");
    return !sync || strcmp(sync, "0") != 0;
}

/* The recording of a failed run does not replace an older one. */
static void tell_destination(const struct run *run, const struct trace_writer *writer,
                             struct error *err) {
    const char *wanted = run->options->text[OPTION_OUTPUT];
    const char *destination = trace_writer_destination(writer);
    if (wanted && strcmp(wanted, destination) != 0)
        error_append(err, _("\nThe recording of this run is in '%s'; '%s' is as it was."),
                     destination, wanted);
}

/* Runs into a recording and opens it. *failed says whether the kernel did not finish, which err
 * then explains; -1 is returned where there is no recording to show. */
static int run_record(const struct run *run, struct trace **trace, bool *failed,
                      struct error *err) {
    const struct options *options = run->options;
    const struct trace_writer_options writer_options = {
        .value_bytes = warp_type_info(run->parameters.type)->bits > 32 ? 8 : 4,
        .step_limit = step_limit(run),
        .durable = is_durable()};
    const struct device_options device_options = {.kind = options->device,
                                                  .schedule = options->schedule,
                                                  .poison = options->poison,
                                                  .watch = options->watch,
                                                  .step_limit = step_limit(run),
                                                  .memory = options->memory,
                                                  .timeout = options->timeout};
    struct trace_writer *writer;
    time_t now;
    if (read_clock(&now, err) != 0)
        return -1;
    if (trace_writer_open(&writer, options->text[OPTION_OUTPUT], &writer_options, err) != 0)
        return -1;
    if (trace_writer_leftover(writer))
        fprintf(stderr, _("shflviz: an earlier run was killed; its recording is in '%s'\n"),
                trace_writer_leftover(writer));
    note_title(run, writer);
    note_command(run, writer);
    note_date(writer, now);
    int status = device_run(run->program, &run->parameters, &device_options, writer, err);
    *failed = status != 0 && err->kind == ERROR_RUN;
    if (status == 0 && trace_writer_failed(writer, err))
        status = -1;
    if (*failed)
        tell_destination(run, writer, err);
    struct error closing = ERROR_INIT;
    int closed = trace_writer_close(writer, trace, &closing);
    if (closed != 0 && status == 0)
        *err = closing;
    return closed != 0 || (status != 0 && !*failed) ? -1 : 0;
}

static int run_prepared(const struct run *run, struct error *err) {
    struct trace *trace = NULL;
    bool failed = false;
    if (run_record(run, &trace, &failed, err) != 0) {
        trace_close(trace);
        return -1;
    }
    struct error showing = ERROR_INIT;
    int status = show_trace(trace, run->options, &showing);
    trace_close(trace);
    if (failed) /* the deadlock is the news, whatever became of showing it */
        return -1;
    if (status != 0)
        *err = showing;
    return status;
}

/* Only the CPU warp runs its lanes in an order of one's choice and gives undefined reads bits of
 * one's choice: who asks for either asks for it. Only a GPU has memory and time to be limited;
 * who leaves the device open may give limits all the same. */
static int resolve_device(struct options *options, struct error *err) {
    static const struct {
        enum option_id option;
        enum device_kind device;
        const char *wrong, *attempt;
    } known[] = {
        {OPTION_SCHEDULE, DEVICE_CPU, N_("means nothing to a GPU"), "--device cpu"},
        {OPTION_POISON, DEVICE_CPU, N_("means nothing to a GPU"), "--device cpu"},
        {OPTION_MEMORY, DEVICE_GPU, N_("means nothing to the CPU warp"), "--device gpu"},
        {OPTION_TIMEOUT, DEVICE_GPU, N_("means nothing to the CPU warp"), "--device gpu"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!(options->given & OPTION_BIT(known[i].option)))
            continue;
        if (options->device != DEVICE_AUTO && options->device != known[i].device)
            return complain(err, &(struct complaint){
                                     .option = option_table()[known[i].option].name,
                                     .value = options->text[known[i].option],
                                     .wrong = _(known[i].wrong),
                                     .attempt = known[i].attempt,
                                 });
        if (known[i].device == DEVICE_CPU)
            options->device = DEVICE_CPU;
    }
    return 0;
}

/* A program that shows what no rule covers, or what never ends, is for the CPU warp, which says who
 * waits for whom; a GPU runs it for who asks. */
static void choose_device(struct options *options, const struct program *program) {
    if (options->device == DEVICE_AUTO)
        options->device = program->takes & PROGRAM_IS_UNDEFINED ? DEVICE_CPU : device_choose();
}

int run_program_quietly(const struct program *program, const char *name, enum option_id argument,
                        const struct options *options, struct trace **trace, bool *failed,
                        struct error *err) {
    struct options resolved = *options;
    struct run run = {
        .program = program, .name = name, .argument_option = argument, .options = &resolved};
    *trace = NULL;
    *failed = false;
    int status = resolve_device(&resolved, err);
    if (resolved.device == DEVICE_AUTO)
        resolved.device = DEVICE_CPU; /* a lesson is the same wherever it is played */
    if (status == 0)
        status = run_prepare(&run, err);
    if (status == 0)
        status = run_record(&run, trace, failed, err);
    if (status != 0) {
        error_prefix(err, "%s", name);
        trace_close(*trace);
        *trace = NULL;
    }
    free(run.input);
    return status;
}

int run_program(const struct program *program, const char *name, enum option_id argument,
                const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct run run = {
        .program = program, .name = name, .argument_option = argument, .options = &resolved};
    int status = show_resolve_format(&resolved, err);
    if (status == 0)
        status = resolve_device(&resolved, err);
    if (status == 0)
        choose_device(&resolved, program);
    if (status == 0)
        status = run_prepare(&run, err);
    if (status != 0)
        error_prefix(err, "%s", name);
    else
        status = run_prepared(&run, err);
    free(run.input);
    return status;
}
