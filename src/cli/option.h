/*
 * option.h - every option of every command: one table.
 *
 * The table parses the command line, prints `--help`, writes the manual page and the shell
 * completions. A command names the options it takes as a set of bits (command.h).
 *
 * The command line is read here rather than by getopt_long(): that accepts abbreviated names,
 * which scripts would come to rely on, and words its complaints itself.
 */
#ifndef SHFLVIZ_CLI_OPTION_H
#define SHFLVIZ_CLI_OPTION_H

#include "base/error.h"
#include "device/device.h"
#include "term/palette.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which help and manual list them. */
enum option_id {
    OPTION_SRC,
    OPTION_DELTA,
    OPTION_MASK,
    OPTION_WIDTH,
    OPTION_MEMBERS,
    OPTION_THREADS,
    OPTION_BLOCKS,
    OPTION_TYPE,
    OPTION_IN,
    OPTION_N,
    OPTION_UNDEFINED,
    OPTION_DEVICE,
    OPTION_SCHEDULE,
    OPTION_POISON,
    OPTION_STEPS,
    OPTION_WATCH_BLOCK,
    OPTION_WATCH_WARP,
    OPTION_WATCH_LINE,
    OPTION_MEMORY,
    OPTION_TIMEOUT,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_COLOR,
    OPTION_BACKGROUND,
    OPTION_ASCII,
    OPTION_LANG,
    OPTION_BEAT,
    OPTION_PRESENT,
    OPTION_NOTES,
    OPTION_RESET,
    OPTION_TRUST,
    OPTION_LEVEL,
    OPTION_SEED,
    OPTION_HELP,
    OPTION_MAN,        /* hidden: the manual page, for the build */
    OPTION_COMPLETION, /* hidden: shell completions, for the build */
    OPTION_COUNT
};

typedef uint64_t option_set;
#define OPTION_BIT(id) (UINT64_C(1) << (id))

/* What every command takes without saying so. */
#define OPTIONS_ALWAYS (OPTION_BIT(OPTION_LANG) | OPTION_BIT(OPTION_HELP))

/* Sets that several commands share. */
#define OPTIONS_SHOW                                                                               \
    (OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_COLOR) | OPTION_BIT(OPTION_BACKGROUND) |        \
     OPTION_BIT(OPTION_ASCII))
#define OPTIONS_RUN                                                                                \
    (OPTION_BIT(OPTION_WIDTH) | OPTION_BIT(OPTION_MEMBERS) | OPTION_BIT(OPTION_THREADS) |          \
     OPTION_BIT(OPTION_BLOCKS) | OPTION_BIT(OPTION_TYPE) | OPTION_BIT(OPTION_IN) |                 \
     OPTION_BIT(OPTION_UNDEFINED) | OPTION_BIT(OPTION_DEVICE) | OPTION_BIT(OPTION_SCHEDULE) |      \
     OPTION_BIT(OPTION_POISON) | OPTION_BIT(OPTION_STEPS) | OPTION_BIT(OPTION_WATCH_BLOCK) |       \
     OPTION_BIT(OPTION_WATCH_WARP) | OPTION_BIT(OPTION_WATCH_LINE) | OPTION_BIT(OPTION_MEMORY) |   \
     OPTION_BIT(OPTION_TIMEOUT) | OPTION_BIT(OPTION_OUTPUT) | OPTIONS_SHOW)

enum format { FORMAT_AUTO, FORMAT_TUI, FORMAT_TEXT, FORMAT_JSON, FORMAT_JSONL, FORMAT_CSV };
enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum shell { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* What the command line said. Strings point into argv. */
struct options {
    option_set given;
    const char *text[OPTION_COUNT]; /* the value as typed, of the last time it was given, or NULL */

    int32_t width;
    uint32_t members;
    uint32_t threads;
    uint32_t blocks;
    uint64_t count; /* of values, apart from threads; 0: not given */
    enum warp_type type;
    enum device_kind device;
    uint64_t schedule;
    uint64_t poison;
    uint64_t step_limit; /* 0: no limit */
    struct shflviz_filter watch;
    uint64_t memory;  /* bytes; 0: not given */
    uint32_t timeout; /* seconds; 0: no limit */
    enum format format;
    enum color_choice color;
    enum palette_background background; /* BACKGROUND_UNKNOWN: to be found out */
    enum shell completion;
    uint32_t level; /* of a quiz, from 1; 0: not given */
    uint64_t seed;  /* of a quiz */
    bool undefined;
    bool ascii;

    char **operands; /* the words that are no options, in order; freed by options_release */
    int operand_count;
};

struct option_info {
    enum option_id id;
    const char *name;     /* without the dashes: "width" */
    char letter;          /* short name, 'o' for -o; 0 if there is none */
    const char *argument; /* what help calls its value; NULL for a flag */
    const char *values;   /* the words allowed, blanks between; NULL if not a fixed list */
    bool is_path;         /* the value names a file */
    bool is_hidden;       /* not in help, manual and completions */
    const char *help;     /* half a line */
    const char *manual;   /* more for the manual page, as plain sentences; NULL if help says all */
    /* Stores the value; on failure err begins with "--width: ". NULL for a flag, and where the
     * text itself is kept. */
    int (*parse)(struct options *options, const char *value, struct error *err);
};

/* The table; its OPTION_COUNT entries stand at the index of their id. */
const struct option_info *option_table(void);

/* The option called `length` bytes of `name`, or NULL. Names are matched whole. */
const struct option_info *option_find(const char *name, size_t length);

struct command;

/*
 * Reads the words argv[0 .. argc-1] that follow the command's name. "--" ends the options; of an
 * option given twice the last counts. On failure (ERROR_USAGE) err says what was given, what is
 * allowed, what to try; options are to be released all the same.
 */
int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *err);
void options_release(struct options *options);

#endif
