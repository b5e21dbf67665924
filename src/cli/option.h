/*
 * option.h - every option of every command, and the values of a command line.
 *
 * The options of a run are rows of launch/launch.h; the others follow them in the same
 * numbering. A command names the options that it takes as a set of bits (command.h).
 */
#ifndef SHFLVIZ_CLI_OPTION_H
#define SHFLVIZ_CLI_OPTION_H

#include "base/error.h"
#include "cudacpu/cudacpu.h"
#include "launch/launch.h"
#include "term/palette.h"
#include "warp/rows.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order in which help and manual list them. */
enum option_id {
    OPTION_FORMAT = LAUNCH_OPTION_COUNT,
    OPTION_ALL,
    OPTION_COLOR,
    OPTION_BACKGROUND,
    OPTION_ASCII,
    OPTION_LANG,
    OPTION_BEAT,
    OPTION_PRESENT,
    OPTION_SERVE,
    OPTION_PROXY,
    OPTION_COLLECT,
    OPTION_NOTES,
    OPTION_WORKSHEET,
    OPTION_ANSWERS,
    OPTION_PLAN,
    OPTION_RESET,
    OPTION_TRUST,
    OPTION_LEVEL,
    OPTION_SEED,
    OPTION_QUESTIONS,
    OPTION_RESULTS,
    OPTION_WHO,
    OPTION_LIST,
    OPTION_INCLUDE,
    OPTION_DEFINE,
    OPTION_STD,
    OPTION_CALL,
    OPTION_ARG,
    OPTION_MEND,
    OPTION_BLOCK,
    OPTION_TIME,
    OPTION_STOP_AFTER,
    OPTION_MEMORY_ACCESSES,
    OPTION_GLOBAL_ACCESSES,
    OPTION_FOLLOW_UNDEFINED,
    OPTION_SHOW,
    OPTION_WHOSE,
    OPTION_WARPS,
    OPTION_MEMORY_LIMIT,
    OPTION_SANDBOX,
    OPTION_NO_SANDBOX,
    OPTION_ALLOW,
    OPTION_SCHEDULES,
    OPTION_FAIL_ON,
    OPTION_LEAKS,
    OPTION_NAME,
    OPTION_SOLUTION,
    OPTION_JOBS,
    OPTION_OVERVIEW,
    OPTION_PRINTED,
    OPTION_VIEW,
    OPTION_PHASE,
    OPTION_LANE,
    OPTION_STEP,
    OPTION_ELEMENT,
    OPTION_X2,
    OPTION_X4,
    OPTION_TRANS,
    OPTION_PITCH,
    OPTION_SWIZZLE,
    OPTION_ADDRESS,
    OPTION_K,
    OPTION_SIZE,
    OPTION_LIGHT,
    OPTION_MONO,
    OPTION_ANIMATE,
    OPTION_HELP,
    OPTION_MAN,        /* hidden: prints the manual page, for the build */
    OPTION_COMPLETION, /* hidden: shell completions, for the build */
    OPTION_COUNT
};

/* Options that all commands take. */
#define OPTIONS_ALWAYS (OPTION_BIT(OPTION_LANG) | OPTION_BIT(OPTION_HELP))

/* Sets that several commands share. */
#define OPTIONS_SHOW                                                                               \
    (OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_COLOR) | OPTION_BIT(OPTION_BACKGROUND) |        \
     OPTION_BIT(OPTION_ASCII))
#define OPTIONS_OWN                                                                                \
    (OPTION_BIT(OPTION_INCLUDE) | OPTION_BIT(OPTION_DEFINE) | OPTION_BIT(OPTION_STD) |             \
     OPTION_BIT(OPTION_CALL) | OPTION_BIT(OPTION_ARG) | OPTION_BIT(OPTION_MEND) |                  \
     OPTION_BIT(OPTION_TIME) | OPTION_BIT(OPTION_MEMORY_LIMIT) | OPTION_BIT(OPTION_SANDBOX) |      \
     OPTION_BIT(OPTION_ALLOW) | OPTION_BIT(LAUNCH_SCHEDULE) | OPTION_BIT(LAUNCH_POISON) |          \
     OPTION_BIT(LAUNCH_STEPS) | OPTION_BIT(LAUNCH_WATCH_KERNEL) |                                  \
     OPTION_BIT(LAUNCH_WATCH_LAUNCH) | OPTION_BIT(LAUNCH_WATCH_BLOCK) |                            \
     OPTION_BIT(LAUNCH_WATCH_WARP) | OPTION_BIT(LAUNCH_WATCH_LINE) | OPTION_BIT(LAUNCH_OUTPUT) |   \
     OPTION_BIT(OPTION_MEMORY_ACCESSES) | OPTION_BIT(OPTION_GLOBAL_ACCESSES))
#define OPTIONS_RUN (LAUNCH_OPTIONS_SHARED | OPTIONS_SHOW)

enum format {
    FORMAT_AUTO,
    FORMAT_TUI,
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_CSV,
    FORMAT_SARIF,
    FORMAT_JUNIT,
    FORMAT_RECORDING /* not a value of --format: the recording itself, for -o - */
};
/* For exports. Words are numbered from 1, so that 0 means not given. */
struct export_options {
    int view, phase; /* of --view and --phase; from 1 */
    uint32_t lane;   /* if it is given */
    uint32_t k;
    uint64_t first_step, last_step;
    int columns, rows; /* 0 if not given */
    bool light, mono, animate;
};

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum shell { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* The values of a command line. Strings point into argv. */
struct options {
    struct launch launch; /* no program; first, so that launch_option() offsets are valid here */
    option_set given;
    option_set taken;               /* what the command takes */
    const char *text[OPTION_COUNT]; /* as last typed; "" for a flag; NULL if not given */
    enum format format;
    enum color_choice color;
    enum palette_background background; /* BACKGROUND_UNKNOWN: to be determined */
    enum shell completion;
    uint32_t level;     /* of a quiz, from 1; 0 if not given */
    uint64_t seed;      /* of a quiz, or of the values of an exercise */
    uint32_t questions; /* of a quiz; 0 for endless */
    bool ascii;
    struct word_list include, define, readable; /* of a program to build and run */
    const char *standard;
    const char
        *show; /* local variables and expressions over them: "all", "none"; NULL if not given */
    uint64_t warps;          /* a block, if --warps is given */
    const char *whose;       /* a value whose origins are requested; NULL if not given */
    struct word_list values; /* --arg, of a call */
    uint32_t block;          /* --block; 0 if not given */
    struct text *printed;    /* gets the program's output, too; may be NULL */
    bool mends;              /* --mend */
    const struct user_source *source_text; /* text instead of a file; may be NULL */
    const char *expression;                /* the pasted call; NULL if it is a program */
    const char *moved;   /* the assumed value in a shuffle's call; NULL for "lane" */
    uint32_t schedules;  /* runs of a program that is checked; 0 if not given */
    const char *fail_on; /* the rules that count, separated by commas; NULL for all */

    struct export_options export;
    uint32_t pitch; /* of the rows of an ldmatrix; 0 if not given */
    struct swizzle swizzle;

    char **operands; /* the words that are not options, in order; options_release() frees them */
    int operand_count;
    int own_operands; /* how many of them came before "--"; the others are a program's arguments */
};

/* Any option: `id` is an enum launch_option or an enum option_id. */
const struct option_info *option_at(int id);

void options_release(struct options *options); /* releases the result of options_parse()
                                                * (command.h) */

#endif
