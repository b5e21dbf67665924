/*
 * option.h - the description of an option, and a parser of words that uses a table of options.
 *
 * One table is the source for parsing, `--help`, the manual page and the shell completions.
 * launch.h has the options of a run; the command line adds its own after them, in one numbering.
 *
 * Words are read here rather than by getopt_long(): that accepts abbreviated names, which scripts
 * would come to rely on, and has its own error messages.
 */
#ifndef SHFLVIZ_LAUNCH_OPTION_H
#define SHFLVIZ_LAUNCH_OPTION_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of up to 128 options. */
__extension__ typedef unsigned __int128 option_set;
#define OPTION_BIT(id) ((option_set)1 << (id))

/* How the value is stored. */
enum option_kind {
    OPTION_FLAG = 0, /* a flag has no value: `field` is a bool, set to true */
    OPTION_BITS,     /* a flag: sets the bits of `least` in `field`, a uint32_t */
    OPTION_WORD,     /* kept as typed */
    OPTION_CHOICE,   /* a word of `values`: `field` is an enum, set to `least` + its position */
    OPTION_U32,      /* a number from `least` to `most`: `field` is a uint32_t */
    OPTION_U64,      /* the same with a uint64_t */
    OPTION_WORDS,    /* may be repeated: `field` is a struct word_list, each value is added */
    OPTION_PARSED,   /* parse() stores it */
};
#define OPTION_NO_FIELD SIZE_MAX

struct option_info {
    const char *name;     /* without the dashes: "width" */
    const char *argument; /* name of its value in help; NULL for a flag */
    enum option_kind kind;
    size_t field; /* offset in the target struct; OPTION_NO_FIELD if nothing is stored */
    uint64_t least, most;
    const char *values; /* the allowed words, separated by blanks; NULL if there is no fixed list */
    char letter;        /* short name, 'o' for -o; 0 if there is none */
    bool is_path;       /* the value names a file */
    bool is_hidden;     /* hidden from help, manual and completions */
    const char *help;   /* half a line, marked with N_() */
    const char *manual; /* more for the manual page, plain sentences; NULL if help is complete */
    int (*parse)(void *target, const char *value,
                 struct error *err); /* err begins with "--width: " */
};

/* The allowed options, and their destination. */
struct option_reader {
    const char *name; /* put before every error message: "xor" */
    const char *help; /* the suggestion if there is no better one: "shflviz xor --help" */
    const struct option_info *(*option)(int id); /* by id, including those not allowed */
    int count;                                   /* the number of all options; at most 128 */
    option_set allowed;
    /* Fills err for an option that exists but is not allowed here; returns -1. */
    int (*misplaced)(const struct option_reader *reader, int id, struct error *err);
    const void *context; /* for misplaced() */

    void *target;       /* the struct in which fields are stored */
    const char **typed; /* by id: the value as typed, "" for a flag; others are left unchanged */
    option_set given;
    char **operands; /* words that are not options; room for all of them */
    int operand_count;
    int dashes; /* how many operands came before "--"; all if there was none */
};

/*
 * Reads the words. "--" ends the options; if an option is given twice, the last counts. On failure
 * (ERROR_USAGE) err names what was given, what is allowed, and what to try.
 */
int options_read(struct option_reader *reader, int count, char **words, struct error *err);

/* The id of the option named by the first `length` bytes of `name`, or -1; abbreviations do not
 * match. If two share a name (--type of a shuffle, of a matrix), returns the allowed one. */
int option_find(const struct option_reader *reader, const char *name, size_t length);

/* Appends the options of a set as users type them, "--mask --width", without hidden ones. */
void options_list(struct text *text, const struct option_reader *reader, option_set set);

/* The index of `word` in `values` (separated by blanks), or -1. */
int option_value_index(const char *values, const char *word);

#endif
