/* Help, manual and completions: the tables' content in each form. */
#include "base/text.h"
#include "check/rule.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "device/device.h"
#include "launch/recording.h"
#include "lesson/lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text;
static size_t size;

static FILE *begin(void) {
    free(text);
    text = NULL;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    return out;
}

static int forget(void **state) {
    (void)state;
    free(text);
    text = NULL;
    return 0;
}

static void has(const char *wanted) {
    if (!strstr(text, wanted))
        fail_msg("not in it: %s", wanted);
}

static void has_not(const char *unwanted) {
    if (strstr(text, unwanted))
        fail_msg("in it: %s", unwanted);
}

static size_t count_of(const char *what) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* ---- help ---- */

static void paragraphs_have_eighty_columns(void **state) {
    (void)state;
#define TEN "123456789 "
    static const struct {
        int indent;
        const char *string, *printed;
    } cases[] = {
        {0, "", ""},
        {0, "one", "one\n"},
        {4, "one two", "    one two\n"},
        {0, TEN TEN TEN TEN TEN TEN TEN "1234567890", TEN TEN TEN TEN TEN TEN TEN "1234567890\n"},
        {0, TEN TEN TEN TEN TEN TEN TEN "12345678901",
         "123456789 " TEN TEN TEN TEN TEN "123456789\n12345678901\n"},
        {2, TEN TEN TEN TEN TEN TEN TEN "12345678", "  " TEN TEN TEN TEN TEN TEN TEN "12345678\n"},
        {2, TEN TEN TEN TEN TEN TEN TEN "123456789   x",
         "  " TEN TEN TEN TEN TEN TEN "123456789\n  123456789   x\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *out = begin();
        print_paragraph(out, cases[i].string, cases[i].indent);
        fclose(out);
        assert_string_equal(text, cases[i].printed);
    }
}

static void a_command_is_described(void **state) {
    (void)state;
    static const struct command command = {
        .name = "sum",
        .about = "Adds what it is given and says nothing else, which is why this line is longer "
                 "than eighty columns.",
        .operand = "FILE...",
        .options = OPTION_BIT(OPTION_ASCII) | OPTION_BIT(LAUNCH_MASK) | OPTION_BIT(OPTION_COLOR) |
                   OPTION_BIT(LAUNCH_OUTPUT) | OPTION_BIT(OPTION_MAN),
        .required = OPTION_BIT(LAUNCH_MASK),
        .examples = {"sum a", "sum b", "sum c", "sum d"}};
    static const struct command bare = {.name = "rest", .about = "Rests."};
    FILE *out = begin();
    print_command_help(out, &command);
    fclose(out);
    assert_string_equal(
        text, "Usage: shflviz sum --mask N FILE... [OPTIONS]\n\n"
              "Adds what it is given and says nothing else, which is why this line is "
              "longer\nthan eighty columns.\n\n"
              "Needed:\n"
              "  --mask N              laneMask, XORed with the lane's number\n\n"
              "Options:\n"
              "  -o, --output FILE     the file for the recording, which is also shown; for\n"
              "                        export, the extension chooses the format\n"
              "  --color WHEN          colour in text and screens (default auto)\n"
              "                        auto always never\n"
              "  --ascii               draw with ASCII characters only\n"
              "  --lang CODE           language of texts and screens\n"
              "                        en zh\n"
              "  -h, --help            print help for the command\n\n"
              "Examples:\n"
              "  shflviz sum a\n  shflviz sum b\n  shflviz sum c\n  shflviz sum d\n");
    out = begin();
    print_command_help(out, &bare);
    fclose(out);
    assert_string_equal(text, "Usage: shflviz rest\n\nRests.\n\nOptions:\n"
                              "  --lang CODE           language of texts and screens\n"
                              "                        en zh\n"
                              "  -h, --help            print help for the command\n\nExamples:\n");
    out = begin();
    print_command_help(out, &command_kernel);
    fclose(out);
    has("Options:\n");
    has_not("Needed:\n");
    has("\n\nValues:  numbers are decimal, 0x hex or 0b binary.");
}

/* An option as long as the column is followed by two blanks. */
static void long_options_push_their_help(void **state) {
    (void)state;
    FILE *out = begin();
    print_command_help(out, &command_run);
    fclose(out);
    has("\n  --memory-limit SIZE   memory that");
    has("\n  -D, --define NAME[=V] define a macro");
    has("\n  -I, --include DIR     look for headers");
    out = begin();
    print_command_help(out, &command_lesson);
    fclose(out);
    has("\n  --serve [ADDRESS:]PORT  with --present: serve a page on which students answer\n");
}

static void commands_are_listed(void **state) {
    (void)state;
    FILE *out = begin();
    size_t count;
    const struct command *const *commands = command_table(&count);
    print_usage(out);
    fclose(out);
    for (size_t i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "\n  %-9s  %s\n", commands[i]->name, commands[i]->summary);
        has(line);
    }
    assert_int_equal(count_of("\n  "), count);
}

/* ---- the manual ---- */

static void the_manual_is_roff(void **state) {
    (void)state;
    static const char *const wanted[] = {
        "\n.ad l\n.SH NAME\nshflviz \\- see a warp shuffle, step by step\n.SH SYNOPSIS\n",
        "\n.TP\n\\fBshflviz xor\\fR \\fB\\-\\-mask\\fR \\fIN\\fR\nRuns one ",
        "\n.TP\n\\fBshflviz kernel\\fR \\fI[NAME]\\fR\nRuns a kernel ",
        "\nTakes \\fB\\-\\-format\\fR \\fB\\-\\-lang\\fR \\fB\\-\\-help\\fR.\n.TP\n",
        "\n.TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nthe file for the recording, ",
        "\n.TP\n\\fB\\-\\-ascii\\fR\ndraw with ASCII characters only.\n.TP\n",
        "\n.TP\n\\fB\\-\\-color\\fR \\fIWHEN\\fR\ncolour in text and screens (default auto).\n"
        "One of: auto always never.\n.TP\n",
        "\n.TP\n\\fB\\-\\-mask\\fR \\fIN\\fR\nlaneMask, XORed with the lane\\(aqs number.\nAn ",
        "\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint help for the command.\n.SH EXPRESSIONS\n",
        "\n.SH COMMANDS\n.TP\n\\fBshflviz idx\\fR \\fB\\-\\-src\\fR \\fIN\\fR\nRuns one ",
        "\nTakes \\fB\\-\\-src\\fR \\fB\\-\\-width\\fR ",
        "\n.SH OPTIONS\n.TP\n\\fB\\-\\-src\\fR \\fIN\\fR\nsrcLane",
        "\n.SS A replay (\\fIreplay\\fR)\n.TP\n.B Right l PageDown\nnext phase ",
        "\n.SS A quiz, while it shows an answer (\\fIquiz\\fR)\n.TP\n.B Enter Space\nnext "
        "question ",
        "\nAs in a replay: lane\\-next, lane\\-previous, view\\-next, ",
        "redraw, quit.\n.SS A prediction",
        "\n.SH KERNELS\n.TP\n.B broadcast\n",
        "\n.SS The speaker's notes (\\fInotes\\fR)\n",
        "\n.TP\n.B J\nscroll the text down (\\fIscroll\\-down\\fR)\n",
        "leave the lesson (\\fIleave\\fR)\n.PP\nAs in a replay: redraw.\n.SS The overview",
        "\n.nf\nbind replay x phase-next\n",
        "\n.SH RULES\n.PP\nThe mistakes that check looks for; ",
        "\n.SH FORMATS\n.TP\n.B tui\nA screen to step through. ",
        "\n.TP\n.B csv\nA header row, then one row per lane and step.\n.SH EXIT STATUS\n.TP\n.B "
        "0\n",
        "\n.SH EXAMPLES\n.nf\nshflviz idx ",
        "\nshflviz which \\(aq5<12, 6<13\\(aq\n",
        "\nshflviz help rule shared_race\n.fi\n",
        "C\\(aqs operators",
        "\\(ti/.config/shflviz/keys",
    };
    FILE *out = begin();
    print_manual(out);
    fclose(out);
    assert_ptr_equal(strstr(text, ".TH SHFLVIZ 1 \"\" \"shflviz "), text);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        has(wanted[i]);
    has_not("\\-\\-man\\fR");
    has_not("\\-\\-completion");
    has_not("\n.B xor\n"); /* a single shuffle is a command, not a kernel */
    has_not("As in a replay: .");
    has_not(", , ");
    for (size_t i = 0; check_rule_at(i); i++) {
        char rule[128];
        snprintf(rule, sizeof rule, "\n.TP\n.B %s\n", check_rule_at(i)->id);
        has(rule);
    }
    size_t count, kernels = 0, options = 0;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++) {
        kernels += !command_find(programs[i]->name);
        struct text term = TEXT_INIT;
        text_append(&term, "\n.TP\n.B ");
        for (const char *c = programs[i]->name; *c; c++)
            text_append_format(&term, *c == '-' ? "\\%c" : "%c", *c);
        text_append_char(&term, '\n');
        if (!command_find(programs[i]->name))
            has(term.data);
        text_release(&term);
    }
    assert_true(kernels > 30);
    for (int id = 0; id < OPTION_COUNT; id++)
        options += !option_at(id)->is_hidden;
    const char *from = strstr(text, ".SH OPTIONS"), *to = strstr(text, ".SH EXPRESSIONS");
    size_t terms = 0;
    for (const char *at = from; (at = strstr(at, "\n.TP\n")) != NULL && at < to; at++)
        terms++;
    assert_int_equal(terms, options);
}

/* ---- completions ---- */

static void complete(enum shell shell) {
    FILE *out = begin();
    print_completion(out, shell);
    fclose(out);
}

/* All names of a kind, as offered. */
static void offers(const char *before, const char *after, bool kernels, bool shuffles, bool lessons,
                   bool recordings) {
    struct text line = TEXT_INIT;
    size_t count;
    const struct program *const *programs = device_programs(&count);
    text_append(&line, before);
    for (size_t i = 0; i < count; i++)
        if (command_find(programs[i]->name) ? shuffles : kernels)
            text_append_format(&line, " %s", programs[i]->name);
    for (size_t i = 0; lessons && i < lesson_built_in_count(); i++)
        if (!kernels || !device_program_find(lesson_built_in(i)->name))
            text_append_format(&line, " %s", lesson_built_in(i)->name);
    for (size_t i = 0; recordings && shflviz_recordings[i].name; i++)
        text_append_format(&line, " %s", shflviz_recordings[i].name);
    text_append(&line, after);
    has(line.data);
    text_release(&line);
}

#define COMMANDS                                                                                   \
    " idx up down xor kernel run lesson exercise grade report quiz replay check diff export mma "  \
    "ldmatrix "                                                                                    \
    "stmatrix movmatrix which bench doctor help"

static void bash_completes(void **state) {
    (void)state;
    static const char *const wanted[] = {
        "compgen -W \"" COMMANDS " --help --version\" -- \"$word\"",
        "\n    case $before in\n    --src)\n        return ;;\n    --delta)\n",
        "\n    case $command in\n    idx) options=\" --src --width ",
        "\n    -o | --output)\n        COMPREPLY=($(compgen -f -- \"$word\"))\n        return ;;\n",
        "\n    -I | --include)\n        COMPREPLY=($(compgen -f -- \"$word\"))\n",
        "\n    -D | --define)\n        return ;;\n    --std)\n        COMPREPLY=($(compgen -W "
        "\"c++11 c++14 c++17 c++20 c++23\" -- \"$word\"))\n        return ;;\n    --call)\n",
        "\n    --color)\n        COMPREPLY=($(compgen -W \"auto always never\" -- \"$word\"))\n"
        "        return ;;\n    --background)\n",
        "\n    doctor) options=\" --format --lang --help\" operands=\"\" files= ;;\n",
        "\n    help) options=\" --lang --help\" operands=\"" COMMANDS "\" files= ;;\n",
        "\n    bench) options=\" --n --device --lang --help\" operands=\" reduce shuffle record\" "
        "files= ;;\n    doctor)",
        "\n    grade) options=\" --schedule --format --lang --seed --time --memory-limit "
        "--no-sandbox "
        "--allow --schedules --name --jobs --help\" operands=\"\" files=yes ;;\n",
    };
    complete(SHELL_BASH);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        has(wanted[i]);
    offers(" --help\" operands=\" check new watch", "\" files=yes ;;\n    exercise)", false, false,
           true, false);
    offers(" --help\" operands=\"", "\" files= ;;\n    run)", true, false, false, false);
    offers(" --help\" operands=\"", "\" files=yes ;;\n    replay)", true, true, true, true);
    has_not("--ascii)\n"); /* it takes no value */
    has_not("--completion");
    has_not("--man ");
}

static void zsh_completes(void **state) {
    (void)state;
    static const char *const wanted[] = {
        "#compdef shflviz\n\n_shflviz() {\n    local -a commands\n    commands=(\n        "
        "'idx:one ",
        "\n        'doctor:what this machine offers\\: devices, compilers, terminal'\n",
        "\n    case $command in\n        idx)\n            _arguments \\\n            '--src=[",
        "\n        which)\n            _arguments \\\n"
        "            '--width=[lanes in a group (default 32)]:W:(1 2 4 8 16 32)' \\\n",
        "\n            '--ascii[draw with ASCII characters only]' \\\n"
        "            '--lang=[language of texts and screens]:CODE:(en zh)' \\\n"
        "            '--help[print help for the command]' ;;\n        bench)\n",
        "(default\\: the file'\\''s name)]:NAME:' \\\n",
        "'--allow=[a file or folder that a confined program may read; may be "
        "repeated]:PATH:_files' \\\n",
        "'--help[print help for the command]' \\\n            '1:name:( reduce shuffle record)' ;;",
        "\n            '*: :{_alternative \"names:name:()\" \"files:file:_files\"}' ;;\n",
        "'1:name:(" COMMANDS ")' ;;\n    esac\n}\n",
    };
    complete(SHELL_ZSH);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        has(wanted[i]);
    offers("'1:name:(", ")' ;;\n        run)", true, false, false, false);
    offers("names:name:( check new watch", ")\" \"files:file:_files\"}' ;;\n        exercise)",
           false, false, true, false);
    has_not("--completion");
    has_not("'--man[");
}

static void fish_completes(void **state) {
    (void)state;
#define FROM "\ncomplete -c shflviz -n '__fish_seen_subcommand_from "
    static const char *const wanted[] = {
        "# fish completion for shflviz\ncomplete -c shflviz -f\ncomplete -c shflviz -n "
        "__fish_use_subcommand -a idx -d 'one ",
        FROM "idx' -l src -d ",
        FROM "doctor' -l lang -d 'language of texts and screens' -x -a 'en zh'" FROM
             "doctor' -s h -l help -d 'print help for the command'\n",
        FROM "grade' -l name -d 'the exercise that the file answers (default: the file\\'s name)' "
             "-x\n",
        FROM "grade' -l no-sandbox -d 'do not confine the program of a lesson or an exercise'\n",
        FROM "grade' -l allow -d 'a file or folder that a confined program may read; may be "
             "repeated' -r -F\n",
        FROM "grade' -F -a ''\n",
        FROM "bench' -a ' reduce shuffle record'\n",
        FROM "help' -a '" COMMANDS "'\n",
    };
    complete(SHELL_FISH);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        has(wanted[i]);
    offers(FROM "kernel' -a '", "'\n", true, false, false, false);
    offers(FROM "lesson' -F -a ' check new watch", "'\n", false, false, true, false);
    has_not("-l completion");
    has_not("from doctor' -a");
    has_not("from doctor' -F");
    complete(SHELL_NONE);
    assert_int_equal(size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paragraphs_have_eighty_columns),
        cmocka_unit_test(a_command_is_described),
        cmocka_unit_test(long_options_push_their_help),
        cmocka_unit_test(commands_are_listed),
        cmocka_unit_test(the_manual_is_roff),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(zsh_completes),
        cmocka_unit_test(fish_completes),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
