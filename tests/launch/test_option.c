/* Words read with a table of options: stored, left over, or refused. */
#include "launch/option.h"

#include "launch/word_list.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum color { RED = 3, GREEN, BLUE };

struct target {
    bool flag;
    const char *word;
    enum color color;
    uint32_t few;
    uint64_t many;
    struct word_list list;
    int parsed;
};

static int parse(void *target, const char *value, struct error *err) {
    if (strcmp(value, "bad") == 0)
        return error_set(err, ERROR_USAGE, "--parsed: it is bad");
    ((struct target *)target)->parsed += (int)strlen(value);
    return 0;
}

#define FIELD(name) offsetof(struct target, name)
static const struct option_info table[] = {
    {.name = "flag", .kind = OPTION_FLAG, .field = FIELD(flag), .letter = 'f'},
    {.name = "word", .argument = "W", .kind = OPTION_WORD, .field = FIELD(word), .letter = 'w'},
    {.name = "color",
     .argument = "C",
     .kind = OPTION_CHOICE,
     .field = FIELD(color),
     .least = RED,
     .values = "red green blue"},
    {.name = "few",
     .argument = "N",
     .kind = OPTION_U32,
     .field = FIELD(few),
     .least = 1,
     .most = 9},
    {.name = "many",
     .argument = "N",
     .kind = OPTION_U64,
     .field = FIELD(many),
     .least = 2,
     .most = UINT64_MAX},
    {.name = "list", .argument = "W", .kind = OPTION_WORDS, .field = FIELD(list)},
    {.name = "parsed", .argument = "P", .kind = OPTION_PARSED, .parse = parse},
    {.name = "nowhere", .argument = "X", .field = OPTION_NO_FIELD, .kind = OPTION_U32},
    {.name = "secret", .kind = OPTION_FLAG, .field = FIELD(flag), .is_hidden = true},
    {.name = "other", .kind = OPTION_FLAG, .field = FIELD(flag), .letter = 'o'},
};
enum { FLAG, WORD, COLOR, FEW, MANY, LIST, PARSED, NOWHERE, SECRET, OTHER, OPTIONS };

static const struct option_info *option(int id) {
    return &table[id];
}

static int misplaced(const struct option_reader *reader, int id, struct error *err) {
    return error_set(err, ERROR_USAGE, "%s: not here: %s (%s)", reader->name, option(id)->name,
                     (const char *)reader->context);
}

static struct option_reader reader_of(struct target *target, const char **typed, char **operands) {
    return (struct option_reader){.name = "xor",
                                  .help = "HELP",
                                  .option = option,
                                  .count = OPTIONS,
                                  .allowed = (OPTION_BIT(OPTIONS) - 1) & ~OPTION_BIT(OTHER),
                                  .misplaced = misplaced,
                                  .context = "why",
                                  .target = target,
                                  .typed = typed,
                                  .operands = operands};
}

/* The result, or the error, as text: fields that were set, then operands, | where "--" was. */
static void read_words(const char *line, struct text *out) {
    struct target target = {0};
    struct word_list words = {0};
    struct error err = ERROR_INIT;
    const char *typed[OPTIONS] = {0};
    char *operands[32];
    struct option_reader reader = reader_of(&target, typed, operands);
    assert_int_equal(words_split(&words, line, &err), 0);
    if (options_read(&reader, words.count, words.word, &err) != 0) {
        assert_int_equal(err.kind, ERROR_USAGE);
        text_append(out, err.text);
    } else {
        for (int id = 0; id < OPTIONS; id++) {
            assert_int_equal(typed[id] != NULL, (reader.given & OPTION_BIT(id)) != 0);
            if (typed[id])
                text_append_format(out, "%s='%s' ", table[id].name, typed[id]);
        }
        text_append_format(out, "%d,%s,%d,%" PRIu32 ",%" PRIu64 ",%d,%d", target.flag,
                           target.word ? target.word : "", (int)target.color, target.few,
                           target.many, target.list.count, target.parsed);
        for (int i = 0; i < reader.operand_count; i++)
            text_append_format(out, "%s%s", i == reader.dashes ? " | " : " ", operands[i]);
        if (reader.dashes == reader.operand_count)
            text_append(out, " |");
    }
    words_release(&target.list);
    words_release(&words);
}

#define NONE    "0,,0,0,0,0,0"
#define ALLOWED "allowed: --flag --word --color --few --many --list --parsed --nowhere\ntry: HELP"

static void test_words(void **state) {
    static const struct {
        const char *line, *read;
    } cases[] = {
        {"", NONE " |"},
        {"a b", NONE " a b |"},
        {"a -- b --flag", NONE " a | b --flag"},
        {"-- -- b", NONE " | -- b"},
        {"--", NONE " |"},
        {"-", NONE " - |"},
        {"--flag", "flag='' 1,,0,0,0,0,0 |"},
        {"-f x", "flag='' 1,,0,0,0,0,0 x |"},
        {"--word x", "word='x' 0,x,0,0,0,0,0 |"},
        {"--word=x", "word='x' 0,x,0,0,0,0,0 |"},
        {"--word=", "word='' " NONE " |"},
        {"--word ''", "word='' " NONE " |"},
        {"--word=a=b", "word='a=b' 0,a=b,0,0,0,0,0 |"},
        {"-w x", "word='x' 0,x,0,0,0,0,0 |"},
        {"-wx", "word='x' 0,x,0,0,0,0,0 |"},
        {"-w -1", "word='-1' 0,-1,0,0,0,0,0 |"},
        {"--word -f", "word='-f' 0,-f,0,0,0,0,0 |"},
        {"--word --x", "word='--x' 0,--x,0,0,0,0,0 |"},
        {"--word a b --word c", "word='c' 0,c,0,0,0,0,0 b |"},
        {"--color red", "color='red' 0,,3,0,0,0,0 |"},
        {"--color green", "color='green' 0,,4,0,0,0,0 |"},
        {"--color=blue", "color='blue' 0,,5,0,0,0,0 |"},
        {"--few 1", "few='1' 0,,0,1,0,0,0 |"},
        {"--few 0x9", "few='0x9' 0,,0,9,0,0,0 |"},
        {"--many 2", "many='2' 0,,0,0,2,0,0 |"},
        {"--many 18446744073709551615",
         "many='18446744073709551615' 0,,0,0,18446744073709551615,0,0 |"},
        {"--list a --list b", "list='b' 0,,0,0,0,2,0 |"},
        {"--parsed abc", "parsed='abc' 0,,0,0,0,0,3 |"},
        {"--nowhere abc", "nowhere='abc' " NONE " |"},
        {"--secret", "secret='' 1,,0,0,0,0,0 |"},
        {"-f --color red a --few 2 b", "flag='' color='red' few='2' 1,,3,2,0,0,0 a b |"},
        /* refused */
        {"--fla", "xor: --fla: no option of that name; did you mean --flag?\n" ALLOWED},
        {"--flagg=1", "xor: --flagg=1: no option of that name; did you mean --flag?\n" ALLOWED},
        {"--secre", "xor: --secre: no option of that name\n" ALLOWED},
        {"--othe", "xor: --othe: no option of that name\n" ALLOWED},
        {"--zzzzz", "xor: --zzzzz: no option of that name\n" ALLOWED},
        {"-z", "xor: -z: no option of that name\n" ALLOWED},
        {"-word", "word='ord' 0,ord,0,0,0,0,0 |"},
        {"-fx", "xor: -fx: no option of that name\n" ALLOWED},
        {"-flag", "xor: -flag: no option of that name; did you mean --flag?\n" ALLOWED},
        {"--flag=1", "xor: --flag=1: takes no value\ntry: --flag"},
        {"--flag=", "xor: --flag=: takes no value\ntry: --flag"},
        {"--word", "xor: --word needs a value, W\ntry: HELP"},
        {"a -w", "xor: --word needs a value, W\ntry: HELP"},
        {"--word --few 3", "xor: --word needs a value, W, but the option --few follows\ntry: HELP"},
        {"--word --few=3",
         "xor: --word needs a value, W, but the option --few=3 follows\ntry: HELP"},
        {"--word --other", "xor: --word needs a value, W, but the option --other follows\n"
                           "try: HELP"},
        {"--word -- a", "xor: --word needs a value, W, but the option -- follows\ntry: HELP"},
        {"--color", "xor: --color needs a value, C\ntry: HELP"},
        {"--color re", "xor: --color: 're' is not a value of this option\nallowed: red green blue"},
        {"--color 'red green'",
         "xor: --color: 'red green' is not a value of this option\nallowed: red green blue"},
        {"--color ''", "xor: --color: '' is not a value of this option\nallowed: red green blue"},
        {"--few 0", "xor: --few: '0' is out of range\nallowed: 1 to 9, in decimal, 0x hexadecimal "
                    "or 0b binary"},
        {"--few 10", "xor: --few: '10' is out of range\nallowed: 1 to 9, in decimal, 0x "
                     "hexadecimal or 0b binary"},
        {"--many 1", "xor: --many: '1' is out of range\nallowed: 2 to 18446744073709551615, in "
                     "decimal, 0x hexadecimal or 0b binary"},
        {"--parsed bad", "xor: --parsed: it is bad"},
        {"--other", "xor: not here: other (why)"},
        {"-o", "xor: not here: other (why)"},
        {"--other=1", "xor: not here: other (why)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text out = TEXT_INIT;
        read_words(cases[i].line, &out);
        if (strcmp(out.data, cases[i].read) != 0)
            fail_msg("%s\nis read as: %s\nand not:    %s", cases[i].line, out.data, cases[i].read);
        text_release(&out);
    }
}

static void test_find_and_list(void **state) {
    const char *typed[OPTIONS] = {0};
    char *operands[1];
    struct target target = {0};
    const struct option_reader reader = reader_of(&target, typed, operands);
    struct text text = TEXT_INIT;
    (void)state;
    for (int id = 0; id < OPTIONS; id++)
        assert_int_equal(option_find(&reader, table[id].name, strlen(table[id].name)), id);
    assert_int_equal(option_find(&reader, "flagged", 4), FLAG);
    assert_int_equal(option_find(&reader, "flag", 3), -1);
    assert_int_equal(option_find(&reader, "flag\0x", 5), -1);
    assert_int_equal(option_find(&reader, "", 0), -1);
    options_list(&text, &reader, 0);
    assert_string_equal(text.data, "");
    options_list(&text, &reader, OPTION_BIT(FLAG));
    assert_string_equal(text.data, "--flag");
    options_list(&text, &reader, OPTION_BIT(SECRET) | OPTION_BIT(OTHER) | OPTION_BIT(COLOR));
    assert_string_equal(text.data, "--flag --color --other");
    text_release(&text);
}

static void test_value_index(void **state) {
    static const struct {
        const char *values, *word;
        int index;
    } cases[] = {{"a bb c", "a", 0},  {"a bb c", "bb", 1},   {"a bb c", "c", 2},
                 {"a bb c", "b", -1}, {"a bb c", "bbb", -1}, {"a  bb", "bb", 1},
                 {"a bb c", "", -1},  {"", "a", -1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(option_value_index(cases[i].values, cases[i].word), cases[i].index);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_find_and_list),
                                       cmocka_unit_test(test_value_index)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
