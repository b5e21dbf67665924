#include "cli/option.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/language.h"
#include "launch/number.h"
#include "teach/quiz.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the values may be -------------------------------------------------------------------
 */

/* The position of `value` among the words of `values`, or -1. */
static int word_index(const char *values, const char *value) {
    size_t length = strlen(value);
    int index = 0;
    for (const char *word = values; *word; index++) {
        size_t word_length = strcspn(word, " ");
        if (word_length == length && memcmp(word, value, length) == 0)
            return index;
        word += word_length;
        word += strspn(word, " ");
    }
    return -1;
}

/* As word_index, and says what is allowed if there is no such word. */
static int word_parse(enum option_id id, const char *value, struct error *err) {
    const char *values = option_table()[id].values;
    int index = word_index(values, value);
    if (index < 0)
        complain(err, &(struct complaint){.option = option_table()[id].name,
                                          .value = value,
                                          .wrong = _("is none of its values"),
                                          .allowed = values});
    return index;
}

/* ---- one parser an option ---------------------------------------------------------------------
 */

/* Which widths are defined is for the run to say: --undefined may still follow. */
static int parse_width(struct options *options, const char *value, struct error *err) {
    int64_t number;
    if (number_parse_i64("--width", value, INT32_MIN, INT32_MAX, &number, NULL) != 0)
        return complain(err, &(struct complaint){
                                 .option = "width",
                                 .value = value,
                                 .wrong = _("is no whole number that fits an int"),
                                 .allowed = option_table()[OPTION_WIDTH].values,
                             });
    options->width = (int32_t)number;
    return 0;
}

static int parse_members(struct options *options, const char *value, struct error *err) {
    return number_parse_u32("--members", value, 0, UINT32_MAX, &options->members, err);
}

static int parse_threads(struct options *options, const char *value, struct error *err) {
    return number_parse_u32("--threads", value, 1, 1024, &options->threads, err);
}

static int parse_blocks(struct options *options, const char *value, struct error *err) {
    return number_parse_u32("--blocks", value, 1, 65535, &options->blocks, err);
}

/* How many a recording has room for is for the run to say: a benchmark takes more. */
static int parse_n(struct options *options, const char *value, struct error *err) {
    return number_parse_u64("--n", value, 1, UINT64_C(1) << 40, &options->count, err);
}

static int parse_type(struct options *options, const char *value, struct error *err) {
    int type = warp_type_find(value);
    if (type < 0 || type == WARP_TYPE_NONE)
        return complain(err, &(struct complaint){
                                 .option = "type",
                                 .value = value,
                                 .wrong = _("is no type that a shuffle moves"),
                                 .allowed = option_table()[OPTION_TYPE].values,
                             });
    options->type = (enum warp_type)type;
    return 0;
}

static int parse_device(struct options *options, const char *value, struct error *err) {
    static const enum device_kind kinds[] = {DEVICE_AUTO, DEVICE_GPU, DEVICE_CPU};
    int index = word_parse(OPTION_DEVICE, value, err);
    if (index < 0)
        return -1;
    options->device = kinds[index];
    return 0;
}

static int parse_schedule(struct options *options, const char *value, struct error *err) {
    return number_parse_u64("--schedule", value, 0, UINT64_MAX, &options->schedule, err);
}

static int parse_poison(struct options *options, const char *value, struct error *err) {
    return number_parse_u64("--poison", value, 0, UINT64_MAX, &options->poison, err);
}

static int parse_steps(struct options *options, const char *value, struct error *err) {
    return number_parse_u64("--steps", value, 1, UINT64_MAX, &options->step_limit, err);
}

/* "N" or "A-B", up to `most`. */
static int parse_range(enum option_id id, const char *value, uint64_t most, uint64_t *first,
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
    snprintf(allowed, sizeof(allowed), _("a number up to %" PRIu64 ", or two of them as 2-5"),
             most);
    return complain(err, &(struct complaint){.option = option_table()[id].name,
                                             .value = value,
                                             .wrong = !read ? _("is no number and no range")
                                                      : *first > *last ? _("ends before it begins")
                                                                       : _("is too large"),
                                             .allowed = allowed});
}

/* "X,Y" or "X,Y,Z": a blockIdx. */
static int parse_block_index(struct options *options, const char *value, struct error *err) {
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
        return complain(err,
                        &(struct complaint){.option = "watch-block",
                                            .value = value,
                                            .wrong = _("is no block's index"),
                                            .allowed = _("two or three numbers, as 3,0 or 3,0,1")});
    memcpy(options->watch.place, place, sizeof(place));
    options->watch.parts |= SHFLVIZ_FILTER_PLACE;
    options->watch.parts &= ~SHFLVIZ_FILTER_BLOCKS;
    return 0;
}

static int parse_watch_block(struct options *options, const char *value, struct error *err) {
    struct shflviz_filter *watch = &options->watch;
    if (strchr(value, ','))
        return parse_block_index(options, value, err);
    watch->parts |= SHFLVIZ_FILTER_BLOCKS;
    watch->parts &= ~SHFLVIZ_FILTER_PLACE;
    return parse_range(OPTION_WATCH_BLOCK, value, INT64_MAX, &watch->block_first,
                       &watch->block_last, err);
}

static int parse_watch_warp(struct options *options, const char *value, struct error *err) {
    uint64_t first, last;
    if (parse_range(OPTION_WATCH_WARP, value, 31, &first, &last, err) != 0)
        return -1;
    options->watch.parts |= SHFLVIZ_FILTER_WARPS;
    options->watch.warp_first = (uint32_t)first;
    options->watch.warp_last = (uint32_t)last;
    return 0;
}

static int parse_watch_line(struct options *options, const char *value, struct error *err) {
    uint64_t first, last;
    if (parse_range(OPTION_WATCH_LINE, value, INT32_MAX, &first, &last, err) != 0)
        return -1;
    options->watch.parts |= SHFLVIZ_FILTER_LINES;
    options->watch.line_first = (uint32_t)first;
    options->watch.line_last = (uint32_t)last;
    return 0;
}

static int parse_memory(struct options *options, const char *value, struct error *err) {
    static const char letters[] = "KMG";
    const char *end;
    uint64_t number = 0;
    enum number_problem problem = number_scan(value, &end, &number);
    const char *letter = problem == NUMBER_FINE && *end ? strchr(letters, *end) : NULL;
    unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    if (problem == NUMBER_FINE && end[letter != NULL] == '\0' && number <= UINT64_MAX >> shift &&
        number << shift >= DEVICE_MEMORY_LEAST) {
        options->memory = number << shift;
        return 0;
    }
    return complain(
        err, &(struct complaint){.option = "memory",
                                 .value = value,
                                 .wrong = _("is no size that can be used"),
                                 .allowed = _("bytes, or with K, M or G behind; 1M at least"),
                                 .attempt = "--memory 256M"});
}

static int parse_timeout(struct options *options, const char *value, struct error *err) {
    return number_parse_u32("--timeout", value, 0, 1000000, &options->timeout, err);
}

static int parse_format(struct options *options, const char *value, struct error *err) {
    static const enum format formats[] = {FORMAT_TUI, FORMAT_TEXT, FORMAT_JSON, FORMAT_JSONL,
                                          FORMAT_CSV};
    int index = word_parse(OPTION_FORMAT, value, err);
    if (index < 0)
        return -1;
    options->format = formats[index];
    return 0;
}

static int parse_output(struct options *options, const char *value, struct error *err) {
    (void)options;
    if (strcmp(value, "-") == 0)
        return complain(err, &(struct complaint){
                                 .option = "output",
                                 .wrong = _("is '-', and a recording cannot go to standard output"),
                                 .attempt = _("-o xor.svt, or -o ./- for a file of that name"),
                             });
    if (*value)
        return 0;
    return complain(err, &(struct complaint){
                             .option = "output",
                             .wrong = _("got an empty name, which is no file's"),
                             .attempt = "-o xor.svt",
                         });
}

static int parse_color(struct options *options, const char *value, struct error *err) {
    static const enum color_choice choices[] = {COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER};
    int index = word_parse(OPTION_COLOR, value, err);
    if (index < 0)
        return -1;
    options->color = choices[index];
    return 0;
}

static int parse_background(struct options *options, const char *value, struct error *err) {
    static const enum palette_background choices[] = {BACKGROUND_UNKNOWN, BACKGROUND_DARK,
                                                      BACKGROUND_LIGHT};
    int index = word_parse(OPTION_BACKGROUND, value, err);
    if (index < 0)
        return -1;
    options->background = choices[index];
    return 0;
}

static int parse_lang(struct options *options, const char *value, struct error *err) {
    (void)options;
    if (message_language_use(value))
        return 0;
    return complain(err, &(struct complaint){.option = "lang",
                                             .value = value,
                                             .wrong = _("is no language that shflviz speaks"),
                                             .allowed = option_table()[OPTION_LANG].values});
}

static int parse_level(struct options *options, const char *value, struct error *err) {
    return number_parse_u32("--level", value, 1, QUIZ_LEVELS, &options->level, err);
}

static int parse_seed(struct options *options, const char *value, struct error *err) {
    return number_parse_u64("--seed", value, 0, UINT64_MAX, &options->seed, err);
}

static int parse_completion(struct options *options, const char *value, struct error *err) {
    static const enum shell shells[] = {SHELL_BASH, SHELL_ZSH, SHELL_FISH};
    int index = word_parse(OPTION_COMPLETION, value, err);
    if (index < 0)
        return -1;
    options->completion = shells[index];
    return 0;
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const struct option_info options_known[OPTION_COUNT] = {
    [OPTION_SRC] = {.id = OPTION_SRC,
                    .name = "src",
                    .argument = "N",
                    .help = N_("srcLane, the lane to read in each group"),
                    .manual = "An expression, so that lanes may differ. Counted modulo the width."},
    [OPTION_DELTA] = {.id = OPTION_DELTA,
                      .name = "delta",
                      .argument = "N",
                      .help = N_("how many lanes below (up) or above (down) to read"),
                      .manual =
                          "An expression, so that lanes may differ. Its low five bits count."},
    [OPTION_MASK] = {.id = OPTION_MASK,
                     .name = "mask",
                     .argument = "N",
                     .help = N_("laneMask, XORed with the lane's number"),
                     .manual = "An expression, so that lanes may differ. Its low five bits count. "
                               "Not the member mask: that is --members."},
    [OPTION_WIDTH] = {.id = OPTION_WIDTH,
                      .name = "width",
                      .argument = "W",
                      .values = "1 2 4 8 16 32",
                      .help = N_("lanes in a group (default 32)"),
                      .parse = parse_width},
    [OPTION_MEMBERS] = {.id = OPTION_MEMBERS,
                        .name = "members",
                        .argument = "MASK",
                        .help = N_("the member mask (default 0xffffffff)"),
                        .manual = "A bit for each lane; lanes outside it do not call.",
                        .parse = parse_members},
    [OPTION_THREADS] = {.id = OPTION_THREADS,
                        .name = "threads",
                        .argument = "N",
                        .help = N_("threads in a block, 1 to 1024 (default 32)"),
                        .parse = parse_threads},
    [OPTION_BLOCKS] = {.id = OPTION_BLOCKS,
                       .name = "blocks",
                       .argument = "N",
                       .help = N_("blocks in the grid, 1 to 65535 (default 1)"),
                       .parse = parse_blocks},
    [OPTION_TYPE] = {.id = OPTION_TYPE,
                     .name = "type",
                     .argument = "TYPE",
                     .values = "int unsigned long-long unsigned-long-long float double half half2 "
                               "bfloat16 long unsigned-long bfloat162",
                     .help = N_("type of the value that travels (default int)"),
                     .parse = parse_type},
    [OPTION_IN] = {.id = OPTION_IN,
                   .name = "in",
                   .argument = "EXPR",
                   .help = N_("each lane's value (default lane)"),
                   .manual =
                       "An expression, a list of values with commas between, or random:SEED."},
    [OPTION_N] = {.id = OPTION_N,
                  .name = "n",
                  .argument = "N",
                  .help = N_("how many values a sum has"),
                  .manual = "More or fewer than threads: each thread adds up its share.",
                  .parse = parse_n},
    [OPTION_UNDEFINED] = {.id = OPTION_UNDEFINED,
                          .name = "undefined",
                          .help = N_("accept a width that the guide leaves undefined"),
                          .manual = "What the instruction's arithmetic would do is then shown, "
                                    "marked undefined: an observation, not a rule."},
    [OPTION_DEVICE] = {.id = OPTION_DEVICE,
                       .name = "device",
                       .argument = "DEVICE",
                       .values = "auto gpu cpu",
                       .help = N_("where the kernel runs (default auto)"),
                       .manual =
                           "auto takes a GPU where there is one that can be used, else the CPU "
                           "warp; and the CPU warp for kernels that show what no rule covers, for "
                           "lessons and for quizzes.",
                       .parse = parse_device},
    [OPTION_SCHEDULE] = {.id = OPTION_SCHEDULE,
                         .name = "schedule",
                         .argument = "SEED",
                         .help = N_("order in which the CPU warp runs its lanes"),
                         .manual = "The default, 0, is lane order. A correct kernel gives the same "
                                   "result under every seed. Asks for the CPU warp.",
                         .parse = parse_schedule},
    [OPTION_POISON] = {.id = OPTION_POISON,
                       .name = "poison",
                       .argument = "BITS",
                       .help = N_("what the CPU warp gives for an undefined read"),
                       .manual = "The low bits count, as many as the type has. "
                                 "Default 0xbadbadbadbadbad0. Asks for the CPU warp.",
                       .parse = parse_poison},
    [OPTION_STEPS] = {.id = OPTION_STEPS,
                      .name = "steps",
                      .argument = "N",
                      .help = N_("record at most N steps; the rest are counted and told"),
                      .manual = "Without it a file given by -o takes all steps; without -o, which "
                                "records into memory, the first 4194304 are kept.",
                      .parse = parse_steps},
    [OPTION_WATCH_BLOCK] = {.id = OPTION_WATCH_BLOCK,
                            .name = "watch-block",
                            .argument = "BLOCK",
                            .help = N_("record one block, or blocks A-B"),
                            .manual = "A number in the grid, a range of them as 0-3, or an index "
                                      "as 2,0 or 2,0,1. Others run, unrecorded and uncounted.",
                            .parse = parse_watch_block},
    [OPTION_WATCH_WARP] = {.id = OPTION_WATCH_WARP,
                           .name = "watch-warp",
                           .argument = "WARP",
                           .help = N_("record one warp of each block, or warps A-B"),
                           .parse = parse_watch_warp},
    [OPTION_WATCH_LINE] = {.id = OPTION_WATCH_LINE,
                           .name = "watch-line",
                           .argument = "LINE",
                           .help = N_("record calls in one line of the source, or lines A-B"),
                           .parse = parse_watch_line},
    [OPTION_MEMORY] = {.id = OPTION_MEMORY,
                       .name = "memory",
                       .argument = "SIZE",
                       .help = N_("memory of a GPU for records on their way (default 64M)"),
                       .manual = "Bytes, or with K, M or G behind. Records are taken out of it "
                                 "while the kernel runs, so a recording may be larger.",
                       .parse = parse_memory},
    [OPTION_TIMEOUT] = {.id = OPTION_TIMEOUT,
                        .name = "timeout",
                        .argument = "SECONDS",
                        .help = N_("end a run on a GPU after so long (default 60; 0: never)"),
                        .manual = "What was recorded until then is kept. The CPU warp sees by "
                                  "itself when lanes wait for each other for ever.",
                        .parse = parse_timeout},
    [OPTION_FORMAT] = {.id = OPTION_FORMAT,
                       .name = "format",
                       .argument = "FORMAT",
                       .values = "tui text json jsonl csv",
                       .help = N_("tui on a terminal, text otherwise"),
                       .parse = parse_format},
    [OPTION_OUTPUT] = {.id = OPTION_OUTPUT,
                       .name = "output",
                       .letter = 'o',
                       .argument = "FILE",
                       .is_path = true,
                       .help = N_("save the recording, and show it too"),
                       .manual = "An earlier recording of that name is replaced; any other file is "
                                 "left as it is.",
                       .parse = parse_output},
    [OPTION_COLOR] = {.id = OPTION_COLOR,
                      .name = "color",
                      .argument = "WHEN",
                      .values = "auto always never",
                      .help = N_("colour in text and screens (default auto)"),
                      .parse = parse_color},
    [OPTION_BACKGROUND] = {.id = OPTION_BACKGROUND,
                           .name = "background",
                           .argument = "SHADE",
                           .values = "auto dark light",
                           .help = N_("what the colours are to stand on (default auto)"),
                           .manual = "auto asks the terminal, and where it does not say takes "
                                     "colours that read on both; dark and light have brighter and "
                                     "deeper ones.",
                           .parse = parse_background},
    [OPTION_ASCII] = {.id = OPTION_ASCII,
                      .name = "ascii",
                      .help = N_("draw with ASCII characters only")},
    [OPTION_LANG] = {.id = OPTION_LANG,
                     .name = "lang",
                     .argument = "CODE",
                     .values = "en zh", /* those of po/LINGUAS; a test compares them */
                     .help = N_("language of texts and screens"),
                     .manual = "Without it what LANGUAGE, LC_ALL, LC_MESSAGES or LANG say. What "
                               "scripts read (JSON, CSV, names, exit codes) is the same in all.",
                     .parse = parse_lang},
    [OPTION_BEAT] = {.id = OPTION_BEAT,
                     .name = "beat",
                     .argument = "N",
                     .help = N_("begin at this beat: its number, from 1, or its name")},
    [OPTION_PRESENT] = {.id = OPTION_PRESENT,
                        .name = "present",
                        .help = N_("before a class: the picture, and the line being spoken of"),
                        .manual =
                            N_("Nothing is kept of it as progress. Speaker's notes on another "
                               "terminal follow along: shflviz lesson --notes.")},
    [OPTION_NOTES] = {.id = OPTION_NOTES,
                      .name = "notes",
                      .help = N_("the speaker's notes of the presentation on another terminal")},
    [OPTION_RESET] = {.id = OPTION_RESET,
                      .name = "reset",
                      .help = N_("forget the progress in a lesson, or without a name in all"),
                      .manual = N_("Progress is kept in $XDG_STATE_HOME/shflviz/progress, which is "
                                   "~/.local/state/shflviz/progress where that is not set.")},
    [OPTION_TRUST] = {.id = OPTION_TRUST,
                      .name = "trust",
                      .help = N_("build and run the program that a lesson brings along, unasked"),
                      .manual =
                          N_("Only a lesson from a file can bring one. It is compiled and runs "
                             "with all that you may do.")},
    [OPTION_LEVEL] = {.id = OPTION_LEVEL,
                      .name = "level",
                      .argument = "N",
                      .help = N_("how hard to begin, 1 to 5 (default 1)"),
                      .parse = parse_level},
    [OPTION_SEED] = {.id = OPTION_SEED,
                     .name = "seed",
                     .argument = "N",
                     .help = N_("the same questions each time"),
                     .parse = parse_seed},
    [OPTION_HELP] = {.id = OPTION_HELP,
                     .name = "help",
                     .letter = 'h',
                     .help = N_("print help for the command")},
    [OPTION_MAN] = {.id = OPTION_MAN,
                    .name = "man",
                    .is_hidden = true,
                    .help = N_("print the manual page as roff")},
    [OPTION_COMPLETION] = {.id = OPTION_COMPLETION,
                           .name = "completion",
                           .argument = "SHELL",
                           .values = "bash zsh fish",
                           .is_hidden = true,
                           .help = N_("print the completions of a shell"),
                           .parse = parse_completion},
};

const struct option_info *option_table(void) {
    return options_known;
}

const struct option_info *option_find(const char *name, size_t length) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (strlen(options_known[id].name) == length &&
            memcmp(options_known[id].name, name, length) == 0)
            return &options_known[id];
    return NULL;
}

static const struct option_info *option_find_letter(char letter) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options_known[id].letter && options_known[id].letter == letter)
            return &options_known[id];
    return NULL;
}

/* ---- complaints -------------------------------------------------------------------------------
 */

/* The options a command takes, as a person types them: "--mask --width -o". */
static void options_list(struct text *text, option_set set) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (set & OPTION_BIT(id) && !options_known[id].is_hidden)
            text_append_format(text, "%s--%s", text->length ? " " : "", options_known[id].name);
}

static int unknown_option(const struct command *command, const char *typed, const char *name,
                          struct error *err) {
    struct suggestion suggestion = {name, NULL, 0};
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->options & OPTION_BIT(id) && !options_known[id].is_hidden)
            suggestion_consider(&suggestion, options_known[id].name);
    char meant[SUGGESTION_TEXT] = "";
    if (suggestion.nearest)
        snprintf(meant, sizeof(meant), _("; did you mean --%s?"), suggestion.nearest);
    struct text allowed = TEXT_INIT;
    options_list(&allowed, command->options | OPTIONS_ALWAYS);
    error_set(err, ERROR_USAGE,
              _("%s: %s: no option of that name%s\nallowed: %s\n"
                "try: shflviz %s --help"),
              command->name, typed, meant, allowed.data, command->name);
    text_release(&allowed);
    return -1;
}

/* An option that exists, but for other commands: says for which, and what to take instead. */
static int misplaced_option(const struct command *command, const struct option_info *info,
                            struct error *err) {
    struct text owners = TEXT_INIT;
    size_t count;
    const struct command *const *commands = command_table(&count);
    for (size_t i = 0; i < count; i++)
        if (commands[i]->options & OPTION_BIT(info->id))
            text_append_format(&owners, "%s%s", owners.length ? ", " : "", commands[i]->name);
    bool both_arguments = command->argument != OPTION_COUNT && info->id <= OPTION_MASK;
    struct text allowed = TEXT_INIT;
    options_list(&allowed, command->options | OPTIONS_ALWAYS);
    if (both_arguments)
        error_set(err, ERROR_USAGE,
                  _("%s: --%s belongs to %s; %s takes --%s\ntry: shflviz %s --%s 3"), command->name,
                  info->name, owners.data, command->name, options_known[command->argument].name,
                  command->name, options_known[command->argument].name);
    else
        error_set(err, ERROR_USAGE,
                  _("%s: --%s belongs to %s\nallowed: %s\ntry: shflviz %s --help"), command->name,
                  info->name, owners.data, allowed.data, command->name);
    text_release(&owners);
    text_release(&allowed);
    return -1;
}

/* ---- reading the command line -----------------------------------------------------------------
 */

/* The words still to be read. */
struct words {
    int count;
    char **next;
};

/* True for a word that is meant as an option and not as a value: "--width", not "-1". */
static bool looks_like_option(const char *word) {
    return word[0] == '-' && word[1] == '-' &&
           (word[2] == '\0' || option_find(word + 2, strcspn(word + 2, "=")));
}

/* Takes the option's value: what follows it in the same word, or the next word. */
static int take_value(const struct command *command, const struct option_info *info,
                      const char *attached, struct words *words, const char **value,
                      struct error *err) {
    if (attached) {
        *value = attached;
        return 0;
    }
    if (words->count > 0 && !looks_like_option(*words->next)) {
        *value = *words->next++;
        words->count--;
        return 0;
    }
    if (words->count > 0)
        return error_set(err, ERROR_USAGE,
                         _("%s: --%s needs a value, %s; what follows is the option %s\n"
                           "try: shflviz %s --help"),
                         command->name, info->name, info->argument, *words->next, command->name);
    return error_set(err, ERROR_USAGE, _("%s: --%s needs a value, %s\ntry: shflviz %s --help"),
                     command->name, info->name, info->argument, command->name);
}

/* One option, found: its value is in `attached` or in the next word. */
static int read_option(struct options *options, const struct command *command,
                       const struct option_info *info, const char *attached, struct words *words,
                       struct error *err) {
    const char *value = NULL;
    if (!((command->options | OPTIONS_ALWAYS) & OPTION_BIT(info->id)))
        return misplaced_option(command, info, err);
    if (info->argument) {
        if (take_value(command, info, attached, words, &value, err) != 0)
            return -1;
    } else if (attached) {
        return error_set(err, ERROR_USAGE, _("%s: --%s=%s: takes no value\ntry: --%s"),
                         command->name, info->name, attached, info->name);
    }
    if (info->parse && info->parse(options, value, err) != 0) {
        error_prefix(err, "%s", command->name);
        return -1;
    }
    options->given |= OPTION_BIT(info->id);
    options->text[info->id] = value;
    return 0;
}

static int read_word(struct options *options, const struct command *command, struct words *words,
                     struct error *err) {
    char *word = *words->next++;
    words->count--;
    if (strncmp(word, "--", 2) == 0) {
        const char *name = word + 2;
        size_t length = strcspn(name, "=");
        const struct option_info *info = option_find(name, length);
        if (info)
            return read_option(options, command, info,
                               name[length] == '=' ? name + length + 1 : NULL, words, err);
        char *whole_name = memory_string(name);
        whole_name[length] = '\0';
        int status = unknown_option(command, word, whole_name, err);
        free(whole_name);
        return status;
    }
    if (word[0] == '-' && word[1] != '\0') {
        const struct option_info *info = option_find_letter(word[1]);
        if (!info || (!info->argument && word[2] != '\0'))
            return unknown_option(command, word, word + 1, err);
        return read_option(options, command, info, word[2] ? word + 2 : NULL, words, err);
    }
    options->operands[options->operand_count++] = word;
    return 0;
}

/* A word that is neither an option nor wanted. */
static int check_operands(const struct options *options, const struct command *command,
                          struct error *err) {
    int most = command->operands_most ? command->operands_most : command->operand ? 1 : 0;
    if (options->operand_count > most) {
        const char *stray = options->operands[most];
        if (command->argument != OPTION_COUNT)
            return error_set(err, ERROR_USAGE,
                             _("%s: %s: a word that belongs to no option\n"
                               "try: shflviz %s --%s %s"),
                             command->name, stray, command->name,
                             options_known[command->argument].name, stray);
        return error_set(err, ERROR_USAGE, _("%s: %s: one word too many\nallowed: shflviz %s%s%s"),
                         command->name, stray, command->name, command->operand ? " " : "",
                         command->operand ? command->operand : "");
    }
    if (options->operand_count < command->operands_needed)
        return error_set(err, ERROR_USAGE, _("%s: %s is missing\ntry: shflviz %s --help"),
                         command->name, command->operand, command->name);
    return 0;
}

static int check_required(const struct options *options, const struct command *command,
                          struct error *err) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->required & ~options->given & OPTION_BIT(id))
            return error_set(err, ERROR_USAGE, _("%s: --%s %s is missing: %s\ntry: shflviz %s"),
                             command->name, options_known[id].name, options_known[id].argument,
                             _(options_known[id].help), command->examples[0]);
    return 0;
}

int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *err) {
    *options = (struct options){.members = WARP_FULL_MASK,
                                .timeout = DEVICE_TIMEOUT_DEFAULT,
                                .poison = DEVICE_POISON_DEFAULT,
                                .format = FORMAT_AUTO};
    options->operands = memory_zeroed((size_t)argc + 1, sizeof(options->operands[0]));
    struct words words = {argc, argv};
    language_look_ahead(argc, argv);
    while (words.count > 0) {
        if (strcmp(*words.next, "--") == 0) {
            for (int i = 1; i < words.count; i++)
                options->operands[options->operand_count++] = words.next[i];
            break;
        }
        if (read_word(options, command, &words, err) != 0)
            return -1;
    }
    options->undefined = options->given & OPTION_BIT(OPTION_UNDEFINED);
    options->ascii = options->given & OPTION_BIT(OPTION_ASCII);
    if (language_settle(options->text[OPTION_LANG], err) != 0) {
        error_prefix(err, "%s", command->name);
        return -1;
    }
    if (options->given & OPTION_BIT(OPTION_HELP))
        return 0;
    return check_operands(options, command, err) != 0 ? -1 : check_required(options, command, err);
}

void options_release(struct options *options) {
    free(options->operands);
    options->operands = NULL;
}
