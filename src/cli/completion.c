/*
 * The completions of bash, zsh and fish, made from the tables of commands and options, so that none
 * is forgotten. Each shell has its own quoting, and so its own function.
 */
#include "cli/manual.h"

#include "device/device.h"
#include "launch/recording.h"
#include "lesson/lesson.h"

#include <string.h>

static option_set offered(const struct command *command) {
    return (command->options | OPTIONS_ALWAYS) &
           ~(OPTION_BIT(OPTION_MAN) | OPTION_BIT(OPTION_COMPLETION));
}

/* ---- operands ---- */

static bool operand_is_file(const struct command *command) {
    return command->operand_kinds & OPERAND_FILES;
}

static void print_command_names(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %s", commands[i]->name);
}

/* Prints the kernels of a single shuffle (which are also commands), the other kernels, or both, as
 * `wanted` says. */
static void print_kernel_names(FILE *out, unsigned wanted) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        if (wanted & (command_find(programs[i]->name) ? OPERAND_SHUFFLES : OPERAND_KERNELS))
            fprintf(out, " %s", programs[i]->name);
}

/* Leaves out lessons that are named after a kernel, if kernels are printed, too. */
static void print_lesson_names(FILE *out, unsigned wanted) {
    for (size_t i = 0; wanted & OPERAND_LESSONS && i < lesson_built_in_count(); i++) {
        const char *name = lesson_built_in(i)->name;
        if (!(wanted & OPERAND_KERNELS && device_program_find(name)))
            fprintf(out, " %s", name);
    }
}

static void print_operands(FILE *out, const struct command *command) {
    const unsigned wanted = command->operand_kinds;
    if (wanted & OPERAND_COMMANDS)
        print_command_names(out);
    if (wanted & OPERAND_CHECK)
        fputs(" check", out);
    if (wanted & OPERAND_WRITING)
        fputs(" new watch", out);
    print_kernel_names(out, wanted);
    print_lesson_names(out, wanted);
    for (size_t i = 0; wanted & OPERAND_RECORDINGS && shflviz_recordings[i].name; i++)
        fprintf(out, " %s", shflviz_recordings[i].name);
    for (size_t i = 0; wanted & OPERAND_BENCHMARKS && benchmark_name(i); i++)
        fprintf(out, " %s", benchmark_name(i));
}

/* ---- bash ---- */

static void print_bash_values(FILE *out) {
    fputs("    case $before in\n", out);
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_at(id)->is_hidden || !option_at(id)->argument)
            continue;
        if (option_at(id)->letter)
            fprintf(out, "    -%c | --%s)\n", option_at(id)->letter, option_at(id)->name);
        else
            fprintf(out, "    --%s)\n", option_at(id)->name);
        if (option_at(id)->values)
            fprintf(out, "        COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n",
                    option_at(id)->values);
        else if (option_at(id)->is_path)
            fputs("        COMPREPLY=($(compgen -f -- \"$word\"))\n", out);
        fputs("        return ;;\n", out);
    }
    fputs("    esac\n", out);
}

static void print_bash(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs("# bash completion for shflviz\n"
          "_shflviz() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} options= operands= files= operand rest\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          out);
    print_command_names(out);
    fputs(" --help --version\" -- \"$word\"))\n        return\n    fi\n", out);
    print_bash_values(out);
    fputs("    case $command in\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    %s) options=\"", commands[i]->name);
        for (int id = 0; id < OPTION_COUNT; id++)
            if (offered(commands[i]) & OPTION_BIT(id))
                fprintf(out, " --%s", option_at(id)->name);
        fputs("\" operands=\"", out);
        print_operands(out, commands[i]);
        fprintf(out, "\" files=%s ;;\n", operand_is_file(commands[i]) ? "yes" : "");
    }
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *) # h200/xor is offered as a file of a folder would be: first h200/\n"
          "       for operand in $(compgen -W \"$operands\" -- \"$word\"); do\n"
          "           rest=${operand#\"$word\"}\n"
          "           case $rest in */*) operand=$word${rest%%/*}/ ;; esac\n"
          "           COMPREPLY+=(\"$operand\")\n"
          "       done\n"
          "       [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
          "       case ${COMPREPLY[0]} in */) compopt -o nospace 2>/dev/null ;; esac ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _shflviz shflviz\n",
          out);
}

/* ---- zsh ---- */

/* Prints text inside '...' of an _arguments specification. */
static void print_zsh_text(FILE *out, const char *string) {
    for (; *string; string++) {
        if (*string == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *string))
            fprintf(out, "\\%c", *string);
        else
            putc(*string, out);
    }
}

static void print_zsh_option(FILE *out, const struct option_info *info) {
    fprintf(out, " \\\n            '--%s%s[", info->name, info->argument ? "=" : "");
    print_zsh_text(out, info->help);
    putc(']', out);
    if (info->argument)
        fprintf(out, ":%s:%s", info->argument, info->is_path ? "_files" : "");
    if (info->values)
        fprintf(out, "(%s)", info->values);
    putc('\'', out);
}

static void print_zsh_operands(FILE *out, const struct command *command) {
    if (!command->operand_kinds)
        return;
    fputs(operand_is_file(command) ? " \\\n            '*: :{_alternative \"names:name:("
                                   : " \\\n            '1:name:(",
          out);
    print_operands(out, command);
    fputs(operand_is_file(command) ? ")\" \"files:file:_files\"}'" : ")'", out);
}

static void print_zsh(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs("#compdef shflviz\n\n_shflviz() {\n    local -a commands\n    commands=(\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        print_zsh_text(out, commands[i]->summary);
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "        %s)\n            _arguments", commands[i]->name);
        for (int id = 0; id < OPTION_COUNT; id++)
            if (offered(commands[i]) & OPTION_BIT(id))
                print_zsh_option(out, option_at(id));
        print_zsh_operands(out, commands[i]);
        fputs(" ;;\n", out);
    }
    /* Autoloaded from fpath, the file is the function's body; `source` only defines it. */
    fputs("    esac\n}\n\n"
          "if [[ $funcstack[1] == _shflviz ]]; then\n    _shflviz \"$@\"\n"
          "else\n    compdef _shflviz shflviz\nfi\n",
          out);
}

/* ---- fish ---- */

/* Prints text inside '...' for fish: only the quote and the backslash are special there. */
static void print_fish_text(FILE *out, const char *string) {
    putc('\'', out);
    for (; *string; string++) {
        if (*string == '\'' || *string == '\\')
            putc('\\', out);
        putc(*string, out);
    }
    putc('\'', out);
}

static void print_fish_option(FILE *out, const struct command *command,
                              const struct option_info *info) {
    fprintf(out, "complete -c shflviz -n '__fish_seen_subcommand_from %s'", command->name);
    if (info->letter)
        fprintf(out, " -s %c", info->letter);
    fprintf(out, " -l %s -d ", info->name);
    print_fish_text(out, info->help);
    if (info->is_path)
        fputs(" -r -F", out);
    else if (info->argument)
        fputs(" -x", out);
    if (info->values)
        fprintf(out, " -a '%s'", info->values);
    putc('\n', out);
}

static void print_fish_operands(FILE *out, const struct command *command) {
    if (!command->operand_kinds)
        return;
    fprintf(out, "complete -c shflviz -n '__fish_seen_subcommand_from %s'%s -a '", command->name,
            operand_is_file(command) ? " -F" : "");
    print_operands(out, command);
    fputs("'\n", out);
}

static void print_fish(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs("# fish completion for shflviz\ncomplete -c shflviz -f\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "complete -c shflviz -n __fish_use_subcommand -a %s -d ", commands[i]->name);
        print_fish_text(out, commands[i]->summary);
        putc('\n', out);
        for (int id = 0; id < OPTION_COUNT; id++)
            if (offered(commands[i]) & OPTION_BIT(id))
                print_fish_option(out, commands[i], option_at(id));
        print_fish_operands(out, commands[i]);
    }
}

void print_completion(FILE *out, enum shell shell) {
    if (shell == SHELL_BASH)
        print_bash(out);
    else if (shell == SHELL_ZSH)
        print_zsh(out);
    else if (shell == SHELL_FISH)
        print_fish(out);
}
