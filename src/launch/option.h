/*
 * option.h - the shape that every option has, and reading words by a table of them.
 *
 * One table parses, prints `--help`, writes the manual page and the shell completions. launch.h has
 * the options of a run; the command line adds its own after them, in one numbering.
 *
 * Words are read here rather than by getopt_long(): that accepts abbreviated names, which scripts
 * would come to rely on, and words its complaints itself.
 */
#ifndef SHFLVIZ_LAUNCH_OPTION_H
#define SHFLVIZ_LAUNCH_OPTION_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of up to 128 options. */
__extension__ typedef unsigned __int128 option_set;
#define OPTION_BIT(id) ((option_set)1 << (id))

/* How the value is stored. */
enum option_kind {
    OPTION_FLAG = 0, /* a flag has no value: `field` is a bool, set to true */
    OPTION_BITS,     /* a flag: sets the bits of `least` in `field`, a uint32_t */
    OPTION_WORD,     /* kept as it was typed */
    OPTION_CHOICE,   /* a word of `values`: `field` is an enum, set to `least` and its position */
    OPTION_U32,      /* a number from `least` to `most`: `field` is a uint32_t */
    OPTION_U64,      /* the same with a uint64_t */
    OPTION_WORDS,    /* may be given again: `field` is a struct word_list, each value is added */
    OPTION_PARSED,   /* parse() stores it */
};
#define OPTION_NO_FIELD SIZE_MAX

struct option_info {
    const char *name;     /* without the dashes: "width" */
    const char *argument; /* what help calls its value; NULL for a flag */
    enum option_kind kind;
    size_t field; /* offset in the struct read into; OPTION_NO_FIELD: nothing is stored */
    uint64_t least, most;
    const char *values; /* the words allowed, blanks between; NULL if not a fixed list */
    char letter;        /* short name, 'o' for -o; 0 if there is none */
    bool is_path;       /* the value names a file */
    bool is_hidden;     /* not in help, manual and completions */
    const char *help;   /* half a line, marked with N_() */
    const char *manual; /* more for the manual page, plain sentences; NULL if help says all */
    int (*parse)(void *target, const char *value, struct error *err); /* err begins "--width: " */
};

/* What may be given, and where it goes. */
struct option_reader {
    const char *name; /* before every complaint: "xor" */
    const char *help; /* what to try if nothing better is known: "shflviz xor --help" */
    const struct option_info *(*option)(int id); /* every option there is, also those not allowed */
    int count;                                   /* of them; at most 128 */
    option_set allowed;
    /* Fills err for an option that exists but is not allowed here; returns -1. */
    int (*misplaced)(const struct option_reader *reader, int id, struct error *err);
    const void *context; /* for misplaced() */

    void *target;       /* the struct whose fields are stored into */
    const char **typed; /* by id: the value as typed, "" for a flag; others are left unchanged */
    option_set given;
    char **operands; /* words that are not options; room for all of them */
    int operand_count;
    int dashes; /* how many operands came before "--"; all of them if there was none */
};

/*
 * Reads the words. "--" ends the options; of an option given twice the last counts. On failure
 * (ERROR_USAGE) err says what was given, what is allowed, what to try.
 */
int options_read(struct option_reader *reader, int count, char **words, struct error *err);

/* The option called `length` bytes of `name`, matched whole; its id, or -1. Of two with one name
 * (--type of a shuffle, of a matrix) it is the one that is allowed. */
int option_find(const struct option_reader *reader, const char *name, size_t length);

/* Appends the options of a set as a person types them, "--mask --width", without hidden ones. */
void options_list(struct text *text, const struct option_reader *reader, option_set set);

/* The position of `word` among `values` (blanks between them), or -1. */
int option_value_index(const char *values, const char *word);

#endif
