#include "cli/command.h"

#include "base/message.h"
#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

static const struct command *const commands[] = {
    &command_idx,    &command_up,     &command_down,   &command_xor,
    &command_kernel, &command_lesson, &command_quiz,   &command_replay,
    &command_check,  &command_bench,  &command_doctor, &command_help,
};

const struct command *const *command_table(size_t *count) {
    *count = sizeof(commands) / sizeof(commands[0]);
    return commands;
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* What people try first elsewhere, and what it is called here. */
static const char *meant_elsewhere(const char *name) {
    static const char *const words[][2] = {
        {"-V", "--version"},   {"-v", "--version"},      {"version", "--version"},
        {"list", "help"},      {"ls", "help"},           {"lessons", "lesson"},
        {"kernels", "kernel"}, {"recordings", "replay"}, {"record", "xor --mask 3 -o xor.svt"},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return NULL;
}

bool command_is_program(const char *name) {
    const size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".cu") == 0;
}

int command_program(const char *name, struct error *err) {
    return error_set(err, ERROR_USAGE,
                     _("%s: a CUDA program of your own is shown by a lesson that names it\n"
                       "try: a file mine.md as docs/WRITING_LESSONS.md shows, with 'kernel: %s' in "
                       "it, then shflviz lesson mine.md"),
                     name, name);
}

int command_unknown(const char *name, struct error *err) {
    const char *known = meant_elsewhere(name);
    if (known)
        return error_set(err, ERROR_USAGE, _("%s: no command of that name\ntry: shflviz %s"), name,
                         known);
    struct suggestion suggestion = {name, NULL, 0};
    char meant[SUGGESTION_TEXT];
    struct text allowed = TEXT_INIT;
    if (command_is_program(name))
        return command_program(name, err);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        suggestion_consider(&suggestion, commands[i]->name);
        text_append_format(&allowed, "%s%s", allowed.length ? " " : "", commands[i]->name);
    }
    error_set(err, ERROR_USAGE,
              *name == '-' ? _("%s: options come after a command%s\nallowed: %s\n"
                               "try: shflviz help")
                           : _("%s: no command of that name%s\nallowed: %s\n"
                               "try: shflviz help"),
              *name ? name : "''", suggestion_format(&suggestion, meant), allowed.data);
    text_release(&allowed);
    return -1;
}
