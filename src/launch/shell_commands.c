/*
 * Users paste the lines they know, such as `nvcc -I inc a.cu -o a` and `nsys profile ./a 1000`.
 * The source, the options that change how it is read, and the program's arguments matter; the
 * other options name files and machines that have no counterpart on the CPU.
 */
#include "launch/shell_commands.h"

#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

enum reading {
    READS_OPTIONS, /* of a compiler: sources, -I, -D, -std */
    READS_PROGRAM, /* of a tool that starts a program */
};

static const struct tool {
    const char *name, *command, *options;
    enum reading reading;
} tools[] = {
    {"nvcc", "run", "", READS_OPTIONS},
    {"nsys", "run", " --overview", READS_PROGRAM},
    {"ncu", "run", " --overview", READS_PROGRAM},
    {"nvprof", "run", " --overview", READS_PROGRAM},
    {"compute-sanitizer", "check", "", READS_PROGRAM},
    {"cuda-memcheck", "check", "", READS_PROGRAM},
    {"cuda-gdb", "run", " --show all", READS_PROGRAM},
};

/* A program on its own is treated like one that a tool starts without options. */
static const struct tool starting = {"", "run", "", READS_PROGRAM};

struct word {
    const char *at;
    size_t length;
};

/* The next word before the end of the line or of the command; its length is 0 if there is none. */
static struct word next_word(const char **line) {
    const char *at = *line + strspn(*line, " \t");
    const size_t length = strcspn(at, " \t\r\n|&;<>");
    *line = at + length;
    return (struct word){at, length};
}

static bool begins_with(const struct word *word, const char *prefix) {
    const size_t length = strlen(prefix);
    return word->length >= length && strncmp(word->at, prefix, length) == 0;
}

static bool ends_with(const struct word *word, const char *suffix) {
    const size_t length = strlen(suffix);
    return word->length > length && strncmp(word->at + word->length - length, suffix, length) == 0;
}

static bool is_source(const struct word *word) {
    return ends_with(word, ".cu") || ends_with(word, ".cpp");
}

static void append_word(struct text *to, const char *before, const struct word *word) {
    text_append(to, before);
    text_append_bytes(to, word->at, word->length);
}

/* Collects the sources, and the options that change how they are read, in the order of the line. */
static void read_options(const char *line, struct text *sources, struct text *options) {
    struct text named = TEXT_INIT;
    for (struct word word; (word = next_word(&line)).length > 0;) {
        if (is_source(&word)) {
            append_word(&named, " ", &word);
        } else if (begins_with(&word, "-I") || begins_with(&word, "-D")) {
            append_word(options, " ", &word);
            if (word.length == 2 && (word = next_word(&line)).length > 0)
                append_word(options, " ", &word);
        } else if (begins_with(&word, "-std") || begins_with(&word, "--std")) {
            const char *value = memchr(word.at, '=', word.length);
            if (value)
                word = (struct word){value + 1, (size_t)(word.at + word.length - (value + 1))};
            else
                word = next_word(&line);
            append_word(options, " --std ", &word);
        }
    }
    if (named.length) {
        text_clear(sources);
        text_append(sources, named.data);
    }
    text_release(&named);
}

/* The arguments after the program's name, which has a folder or ends in .out. */
static void read_arguments(const char *line, struct text *arguments) {
    struct word word;
    while ((word = next_word(&line)).length > 0)
        if (begins_with(&word, "./") || ends_with(&word, ".out"))
            break;
    while (word.length > 0 && (word = next_word(&line)).length > 0)
        append_word(arguments, " ", &word);
}

static const struct tool *tool_of(const char *line) {
    const struct word word = next_word(&line);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (word.length == strlen(tools[i].name) && begins_with(&word, tools[i].name))
            return &tools[i];
    return begins_with(&word, "./") ? &starting : NULL;
}

/* A line that ends in a backslash and the next are one line. */
static char *joined_lines(const char *text) {
    struct text joined = TEXT_INIT;
    for (const char *c = text; *c; c++)
        if (*c == '\\' && c[1 + (c[1] == '\r')] == '\n')
            c += 1 + (c[1] == '\r');
        else
            text_append_char(&joined, *c);
    return text_detach(&joined);
}

bool shell_commands_answer(const char *text, struct text *answer) {
    char *lines = joined_lines(text);
    struct text sources = TEXT_INIT, options = TEXT_INIT, one = TEXT_INIT;
    bool any = false, other = false;
    for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *command = line + strspn(line, " \t\r$>#");
        const struct tool *tool = tool_of(command);
        if (!tool) {
            other |= strcspn(command, "\r\n") > 0 && !memchr(line, '#', (size_t)(command - line));
            continue;
        }
        any = true;
        text_clear(&one);
        if (tool->reading == READS_OPTIONS) {
            text_clear(&options);
            read_options(command, &sources, &options);
        }
        text_append_format(&one, "shflviz %s%s%s%s", tool->command,
                           sources.length ? sources.data : " FILE.cu", options.data, tool->options);
        if (tool->reading == READS_PROGRAM) {
            struct text arguments = TEXT_INIT;
            read_arguments(command, &arguments);
            if (arguments.length)
                text_append_format(&one, " --%s", arguments.data);
            text_release(&arguments);
        }
        text_append_char(&one, '\n');
        if (!strstr(answer->data, one.data))
            text_append(answer, one.data);
    }
    text_release(&sources);
    text_release(&options);
    text_release(&one);
    free(lines);
    return any && !other;
}
