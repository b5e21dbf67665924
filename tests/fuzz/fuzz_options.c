/*
 * Any words may be a command line. The first byte chooses the command, or the line of options of a
 * lesson; each line is a word, in which \v is replaced by a line end. Nothing is run.
 * Accepted values are within the limits of the table of options; otherwise there is a message in
 * which no word begins a line that looks like ours.
 */
#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "require.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS 64

static void require_message(struct error *err, char **words, int count) {
    struct text shown = TEXT_INIT;
    require(err->kind == ERROR_USAGE && err->text[0], "a failure that says nothing");
    utf8_join_names(err->text, (const char *const *)words, (size_t)count);
    text_append_visible(&shown, err->text, UTF8_LINES);
    require_shown(shown.data, shown.length);
    require(!strstr(shown.data, "\nshflviz:"), "a word begins a line that reads as ours");
    text_release(&shown);
}

static void require_value(const void *target, const struct option_info *option) {
    uint64_t number = 0, choices = 1;
    uint32_t word;
    if (option->field == OPTION_NO_FIELD ||
        (option->kind != OPTION_U32 && option->kind != OPTION_U64 && option->kind != OPTION_CHOICE))
        return;
    const char *field = (const char *)target + option->field;
    memcpy(&word, field, sizeof word);
    if (option->kind == OPTION_U64)
        memcpy(&number, field, sizeof number);
    else
        number = word;
    for (const char *c = option->kind == OPTION_CHOICE ? option->values : ""; *c; c++)
        choices += *c == ' ';
    const uint64_t most =
        option->kind == OPTION_CHOICE ? option->least + choices - 1 : option->most;
    require(number >= option->least && number <= most, "a value that is not allowed");
}

static void read_command(const struct command *command, char **words, int count) {
    struct options options;
    struct error err = ERROR_INIT;
    if (options_parse(&options, command, count, words, &err) != 0) {
        require_message(&err, words, count);
    } else {
        require(options.own_operands <= options.operand_count && options.operand_count <= count,
                "more operands than words");
        for (int id = 0; id < OPTION_COUNT; id++) {
            require(!(options.given & OPTION_BIT(id)) == !options.text[id], "the given options");
            if (options.given & OPTION_BIT(id))
                require_value(&options, option_at(id));
        }
    }
    options_release(&options);
}

static void read_line(unsigned which, const char *line) {
    static const char *const programs[] = {"xor", "idx", "scan-32", "fold-sum", "grid-reduce-warp"};
    struct launch launch;
    struct word_list words = {0};
    struct error err = ERROR_INIT;
    const struct program *program = device_program_find(programs[which % 5]);
    require(program != NULL, "no program of that name");
    launch_init(&launch, program, "lesson");
    if (!strchr(line, '\n') && launch_read_line(&launch, line, &words, &err) != 0)
        require_message(&err, NULL, 0);
    words_release(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t commands;
    const struct command *const *table = command_table(&commands);
    char *words[WORDS], *text;
    int count = 0;
    if (size == 0)
        return 0;
    text = string_of(data + 1, size - 1);
    if (data[0] & 128) {
        read_line(data[0] & 127, text);
    } else {
        for (char *line = text; line && count < WORDS; count++)
            words[count] = strsep(&line, "\n");
        for (int i = 0; i < count; i++)
            for (char *c = words[i]; (c = strchr(c, '\v'));)
                *c = '\n';
        read_command(table[data[0] % commands], words, count);
    }
    message_language_use("en");
    free(text);
    return 0;
}
