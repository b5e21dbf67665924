/*
 * The options of a launch as rows of a table, with a parser for each value that is more than a
 * number or a word. Lessons and the command line read them alike.
 */
#include "launch/launch.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text/utf8.h"
#include "launch/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values other than a number or a word of a list ---- */

#define WIDTHS "1 2 4 8 16 32"
#define TYPES                                                                                      \
    "int unsigned long-long unsigned-long-long float double half half2 bfloat16 long "             \
    "unsigned-long bfloat162"

/* The run checks whether the width is defined, because --undefined may still follow. */
static int parse_width(void *target, const char *value, struct error *err) {
    struct launch *launch = target;
    int64_t number;
    if (number_parse_i64("--width", value, INT32_MIN, INT32_MAX, &number, NULL) != 0)
        return complain(err, "width", value, _("is not a whole number that fits an int"), WIDTHS,
                        NULL);
    launch->parameters.width = (int32_t)number;
    return 0;
}

static int parse_type(void *target, const char *value, struct error *err) {
    struct launch *launch = target;
    int type = warp_type_find(value);
    if (type < 0 || type == WARP_TYPE_NONE)
        return complain(err, "type", value, _("is not a type that a shuffle moves"), TYPES, NULL);
    launch->parameters.type = (enum warp_type)type;
    return 0;
}

/* "N" or "A-B", up to `most`. */
static int parse_range(const char *option, const char *value, uint64_t most, uint64_t *first,
                       uint64_t *last, struct error *err) {
    const char *end;
    enum number_problem problem = number_scan(value, &end, first);
    *last = *first;
    if (problem == NUMBER_FINE && *end == '-')
        problem = number_scan(end + 1, &end, last);
    bool read = problem == NUMBER_FINE && *end == '\0';
    if (read && *first <= *last && *last <= most)
        return 0;
    char allowed[96];
    snprintf(allowed, sizeof(allowed), _("a number up to %" PRIu64 ", or a range such as 2-5"),
             most);
    return complain(err, option, value,
                    !read            ? _("is not a number or a range")
                    : *first > *last ? _("ends before it begins")
                                     : _("is too large"),
                    allowed, NULL);
}

/* "X,Y" or "X,Y,Z": a blockIdx. */
static int parse_block_index(struct shflviz_filter *watch, const char *value, struct error *err) {
    uint64_t number;
    uint32_t place[3] = {0};
    const char *at = value;
    int parts = 0;
    bool more = true;
    for (; more && parts < 3; parts++) {
        if (number_scan(at, &at, &number) != NUMBER_FINE || number > INT32_MAX)
            break;
        place[parts] = (uint32_t)number;
        more = *at == ',';
        at += more;
    }
    if (more || *at)
        return complain(err, "watch-block", value, _("is not the index of a block"),
                        _("two or three numbers, such as 3,0 or 3,0,1"), NULL);
    memcpy(watch->block_index, place, sizeof(place));
    watch->parts |= SHFLVIZ_FILTER_INDEX;
    watch->parts &= ~SHFLVIZ_FILTER_BLOCKS;
    return 0;
}

static int parse_watch_kernel(void *target, const char *value, struct error *err) {
    struct shflviz_filter *watch = &((struct launch *)target)->device.settings.watch;
    char allowed[96];
    snprintf(allowed, sizeof(allowed), _("the name of a kernel, at most %d bytes"),
             SHFLVIZ_FILTER_KERNEL_MOST);
    if (*value == '\0' || strlen(value) > SHFLVIZ_FILTER_KERNEL_MOST)
        return complain(err, "watch-kernel", value, _("is not the name of a kernel"), allowed,
                        NULL);
    strcpy(watch->kernel, value);
    watch->parts |= SHFLVIZ_FILTER_KERNEL;
    return 0;
}

static int parse_watch_launch(void *target, const char *value, struct error *err) {
    struct shflviz_filter *watch = &((struct launch *)target)->device.settings.watch;
    uint64_t first, last;
    if (parse_range("watch-launch", value, UINT32_MAX, &first, &last, err) != 0)
        return -1;
    watch->parts |= SHFLVIZ_FILTER_LAUNCHES;
    watch->launch_first = (uint32_t)first;
    watch->launch_last = (uint32_t)last;
    return 0;
}

static int parse_watch_block(void *target, const char *value, struct error *err) {
    struct shflviz_filter *watch = &((struct launch *)target)->device.settings.watch;
    if (strchr(value, ','))
        return parse_block_index(watch, value, err);
    watch->parts |= SHFLVIZ_FILTER_BLOCKS;
    watch->parts &= ~SHFLVIZ_FILTER_INDEX;
    return parse_range("watch-block", value, INT64_MAX, &watch->block_first, &watch->block_last,
                       err);
}

static int parse_watch_warp(void *target, const char *value, struct error *err) {
    struct shflviz_filter *watch = &((struct launch *)target)->device.settings.watch;
    uint64_t first, last;
    if (parse_range("watch-warp", value, 31, &first, &last, err) != 0)
        return -1;
    watch->parts |= SHFLVIZ_FILTER_WARPS;
    watch->warp_first = (uint32_t)first;
    watch->warp_last = (uint32_t)last;
    return 0;
}

static int parse_watch_line(void *target, const char *value, struct error *err) {
    struct shflviz_filter *watch = &((struct launch *)target)->device.settings.watch;
    uint64_t first, last;
    if (parse_range("watch-line", value, INT32_MAX, &first, &last, err) != 0)
        return -1;
    watch->parts |= SHFLVIZ_FILTER_LINES;
    watch->line_first = (uint32_t)first;
    watch->line_last = (uint32_t)last;
    return 0;
}

static int parse_memory(void *target, const char *value, struct error *err) {
    return number_parse_size("memory", value, DEVICE_MEMORY_LEAST,
                             &((struct launch *)target)->device.settings.gpu_memory, err);
}

static int parse_output(void *target, const char *value, struct error *err) {
    struct launch *launch = target;
    launch->output_is_standard = strcmp(value, "-") == 0;
    if (*value == '\0')
        return complain(err, "output", NULL, _("needs the name of a file, not ''"), NULL,
                        "-o xor.svt");
    const bool is_kept = !launch->output_is_standard && strcmp(value, "/dev/null") != 0;
    launch->output = is_kept ? value : NULL;
    return 0;
}

/* ---- the table ---- */

#define EXPRESSION(NAME, ARGUMENT)                                                                 \
    .name = NAME, .argument = ARGUMENT, .kind = OPTION_WORD, .field = OPTION_NO_FIELD
#define NUMBER32(NAME, ARGUMENT, FIELD, LEAST, MOST)                                               \
    .name = NAME, .argument = ARGUMENT, .kind = OPTION_U32,                                        \
    .field = offsetof(struct launch, FIELD), .least = LEAST, .most = MOST
#define NUMBER64(NAME, ARGUMENT, FIELD, LEAST, MOST)                                               \
    .name = NAME, .argument = ARGUMENT, .kind = OPTION_U64,                                        \
    .field = offsetof(struct launch, FIELD), .least = LEAST, .most = MOST
#define PARSED(NAME, ARGUMENT, PARSE)                                                              \
    .name = NAME, .argument = ARGUMENT, .kind = OPTION_PARSED, .parse = PARSE

/* clang-format off */
static const struct option_info options[LAUNCH_OPTION_COUNT] = {
    [LAUNCH_SRC] = {EXPRESSION("src", "N"), .help = N_("srcLane, the lane to read in each group"),
        .manual = N_("An expression, so that lanes may differ. Taken modulo the width.")},
    [LAUNCH_DELTA] = {EXPRESSION("delta", "N"), .help = N_("how far to read: lane - delta (up), lane + delta (down)"),
        .manual = N_("An expression, so that lanes may differ. Only its low five bits are used.")},
    [LAUNCH_MASK] = {EXPRESSION("mask", "N"), .help = N_("laneMask, XORed with the lane's number"),
        .manual = N_("An expression, so that lanes may differ. Only its low five bits are used. Not the member mask: that is --members.")},
    [LAUNCH_WIDTH] = {PARSED("width", "W", parse_width), .values = WIDTHS, .help = N_("lanes in a group (default 32)")},
    [LAUNCH_MEMBERS] = {NUMBER32("members", "MASK", parameters.members, 0, UINT32_MAX), .help = N_("the member mask (default 0xffffffff); other lanes make no call"),
        .manual = N_("A bit for each lane; lanes with a 0 do not call.")},
    [LAUNCH_THREADS] = {NUMBER32("threads", "N", parameters.threads, 1, 1024), .help = N_("threads in a block, 1 to 1024 (default 32)")},
    [LAUNCH_BLOCKS] = {NUMBER32("blocks", "N", parameters.blocks, 1, 65535), .help = N_("blocks in the grid, 1 to 65535 (default 1)")},
    [LAUNCH_TYPE] = {PARSED("type", "TYPE", parse_type), .values = TYPES, .help = N_("type of the values (default int)")},
    [LAUNCH_IN] = {EXPRESSION("in", "EXPR"), .help = N_("each lane's value (default lane)"),
        .manual = N_("An expression, a comma-separated list of values, or random:SEED.")},
    /* The run checks whether a recording has room for the values: a benchmark takes more. */
    [LAUNCH_N] = {NUMBER64("n", "N", parameters.count, 1, UINT64_C(1) << 40), .help = N_("number of values to sum"),
        .manual = N_("May be more or fewer than the threads: each thread sums its share.")},
    [LAUNCH_UNDEFINED] = {.name = "undefined", .field = offsetof(struct launch, undefined), .help = N_("accept a width that CUDA leaves undefined"),
        .manual = N_("The result of the instruction's arithmetic is then shown, marked undefined: an observation, not a rule.")},
    [LAUNCH_DEVICE] = {.name = "device", .argument = "DEVICE", .kind = OPTION_CHOICE, .field = offsetof(struct launch, device.kind),
        .least = DEVICE_AUTO, .values = "auto cpu gpu", .help = N_("where the kernel runs (default auto)"),
        .manual = N_("auto takes a GPU if one can be used, otherwise the CPU warp; for lessons, quizzes, programs of your own and kernels that show what no rule covers, auto always takes the CPU warp.")},
    [LAUNCH_SCHEDULE] = {NUMBER64("schedule", "SEED", device.settings.schedule, 0, UINT64_MAX), .help = N_("order in which the CPU warp runs its lanes"),
        .manual = N_("The default, 0, is lane order. A correct kernel gives the same result with every seed. Implies the CPU warp.")},
    [LAUNCH_POISON] = {NUMBER64("poison", "BITS", device.settings.poison, 0, UINT64_MAX), .help = N_("bits that an undefined read returns on the CPU warp"),
        .manual = N_("Only the low bits that fit the type are used. Default 0xbadbadbadbadbad0. Implies the CPU warp.")},
    [LAUNCH_STEPS] = {NUMBER64("steps", "N", device.settings.step_limit, 1, UINT64_MAX), .help = N_("record at most N steps; the rest are only counted"),
        .manual = N_("Without it, a file given with -o keeps all steps; without -o, a recording in memory keeps the first 4194304.")},
    [LAUNCH_WATCH_KERNEL] = {PARSED("watch-kernel", "NAME", parse_watch_kernel), .help = N_("record the launches of one kernel only"),
        .manual = N_("The name as in the launch, without template arguments. Other kernels run, unrecorded and uncounted.")},
    [LAUNCH_WATCH_LAUNCH] = {PARSED("watch-launch", "N", parse_watch_launch), .help = N_("record one launch, counted from 0, or launches A-B")},
    [LAUNCH_WATCH_BLOCK] = {PARSED("watch-block", "BLOCK", parse_watch_block), .help = N_("record one block, or blocks A-B"),
        .manual = N_("A number in the grid, a range such as 0-3, or an index such as 2,0 or 2,0,1. Other blocks run, unrecorded and uncounted.")},
    [LAUNCH_WATCH_WARP] = {PARSED("watch-warp", "WARP", parse_watch_warp), .help = N_("record one warp of each block, or warps A-B")},
    [LAUNCH_WATCH_LINE] = {PARSED("watch-line", "LINE", parse_watch_line), .help = N_("record calls on one source line, or lines A-B")},
    [LAUNCH_MEMORY] = {PARSED("memory", "SIZE", parse_memory), .help = N_("GPU memory for records in transit (default 64M)"),
        .manual = N_("Bytes, or a number with K, M or G. The host drains this memory while the kernel runs, so a recording may be larger.")},
    [LAUNCH_TIMEOUT] = {NUMBER32("timeout", "SECONDS", device.settings.gpu_timeout, 0, 1000000), .help = N_("end a run on a GPU after this long (default 60; 0: never)"),
        .manual = N_("The recording up to then is kept. The CPU warp notices by itself when lanes wait for each other forever.")},
    [LAUNCH_OUTPUT] = {PARSED("output", "FILE", parse_output), .letter = 'o', .is_path = true, .help = N_("the file for the recording, which is also shown; for export, the extension chooses the format"),
        .manual = N_("An earlier recording of that name is replaced; any other file is left alone. - is standard output, which then carries nothing else; with /dev/null no recording is kept.")},
};
/* clang-format on */

const struct option_info *launch_option(int id) {
    return &options[id];
}

/* ---- words, and a line of a lesson ---- */

int launch_refuse_argument(const struct program *program, enum launch_option option,
                           struct error *err) {
    const char *wanted = options[launch_argument(program)].name;
    struct text owners = TEXT_INIT;
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        if (launch_argument(programs[i]) == option)
            text_append_format(&owners, "%s%s", owners.length ? ", " : "", programs[i]->name);
    error_set(err, ERROR_USAGE, _("%s: --%s belongs to %s; %s takes --%s\ntry: shflviz %s --%s 3"),
              program->name, options[option].name, owners.data, program->name, wanted,
              program->name, wanted);
    text_release(&owners);
    return -1;
}

static int misplaced(const struct option_reader *reader, int id, struct error *err) {
    const struct program *program = reader->context;
    struct text allowed = TEXT_INIT;
    if (id == LAUNCH_OUTPUT)
        return error_set(err, ERROR_USAGE,
                         _("--%s says how something is shown or saved\nallowed in a launch: "
                           "options that say what to run"),
                         options[id].name);
    if (launch_argument(program) != LAUNCH_OPTION_COUNT && id <= LAUNCH_MASK)
        return launch_refuse_argument(program, (enum launch_option)id, err);
    options_list(&allowed, reader, reader->allowed);
    error_set(err, ERROR_USAGE, _("%s: --%s means nothing to this kernel\nallowed: %s"),
              reader->name, options[id].name, allowed.data);
    text_release(&allowed);
    return -1;
}

option_set launch_options_read(const struct program *program) {
    const enum launch_option argument = launch_argument(program);
    return (LAUNCH_OPTIONS_SHARED & ~OPTION_BIT(LAUNCH_OUTPUT)) |
           OPTION_BIT(argument != LAUNCH_OPTION_COUNT ? argument : LAUNCH_N);
}

int launch_read_words(struct launch *launch, int count, char **words, struct error *err) {
    const struct program *program = launch->program;
    const bool is_shuffle = launch_argument(program) != LAUNCH_OPTION_COUNT;
    struct text help = TEXT_INIT;
    text_append_format(&help, "shflviz %s%s --help", is_shuffle ? "" : "kernel ", program->name);
    struct option_reader reader = {
        .name = launch->name,
        .help = help.data,
        .option = launch_option,
        .count = LAUNCH_OPTION_COUNT,
        .allowed = launch_options_read(program),
        .misplaced = misplaced,
        .context = program,
        .target = launch,
        .typed = launch->typed,
    };
    reader.operands = memory_zeroed((size_t)count + 1, sizeof(reader.operands[0]));
    int status = options_read(&reader, count, words, err);
    if (status == 0 && reader.operand_count > 0)
        status =
            error_set(err, ERROR_USAGE, _("'%s' in a launch is not an option"), reader.operands[0]);
    free(reader.operands);
    text_release(&help);
    return status;
}

int launch_read_line(struct launch *launch, const char *line, struct word_list *words,
                     struct error *err) {
    int status = words_split(words, line, err);
    if (status == 0)
        status = launch_read_words(launch, words->count, words->word, err);
    if (status != 0) /* so that no word of a lesson begins a line that looks like ours */
        utf8_join_names(err->text, &line, 1);
    if (status == 0 && launch->device.kind == DEVICE_GPU)
        return error_set(err, ERROR_USAGE,
                         _("--device gpu in a launch: a lesson must play without a GPU\ntry: "
                           "record it with -o FILE, and name that file with 'trace: FILE'"));
    return status;
}
