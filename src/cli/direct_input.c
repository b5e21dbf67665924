/*
 * Recognises input that was given in place of a command and runs the command for it. The command is
 * printed, so that the user can type it the next time.
 */
#include "cli/direct_input.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/show.h"
#include "launch/call.h"
#include "launch/call_function.h"
#include "launch/word_list.h"

#include <stdio.h>
#include <string.h>

/* ---- a function's page ---- */

static const struct page {
    enum warp_op op;
    const char *what, *try, *lesson, *exercise;
} pages[] = {
    {WARP_OP_IDX,
     N_("Each lane gets the var of lane srcLane of its group of width lanes; srcLane is taken "
        "modulo width, so there is always such a lane. All lanes named in mask must make the "
        "call."),
     "shflviz idx --src 5 --width 16", "broadcast", "broadcast"},
    {WARP_OP_UP,
     N_("Each lane gets the var of lane - delta: values move to larger lane numbers. The first "
        "delta lanes of each group of width lanes keep their own var. All lanes named in mask must "
        "make the call."),
     "shflviz up --delta 2 --width 16", "up", "inclusive-scan"},
    {WARP_OP_DOWN,
     N_("Each lane gets the var of lane + delta: values move to smaller lane numbers. The last "
        "delta lanes of each group of width lanes keep their own var. All lanes named in mask must "
        "make the call."),
     "shflviz down --delta 16", "down", "warp-sum-down"},
    {WARP_OP_XOR,
     N_("Each lane gets the var of lane (lane ^ laneMask): lanes trade in pairs. With a width "
        "below 32 a lane of an earlier group can be read; a lane that would read a lane of a later "
        "group keeps its own var. All lanes named in mask must make the call."),
     "shflviz xor --mask 3 --width 16", "xor", "swap-pairs"},
    {WARP_OP_BALLOT,
     N_("Every lane gets one number in which bit n is 1 if lane n is in mask and its predicate is "
        "not 0."),
     "shflviz '__ballot_sync(0xffffffff, lane < 5)'", "ballot", "compact-warp"},
    {WARP_OP_ANY, N_("Every lane gets 1 if the predicate is not 0 in at least one lane of mask."),
     "shflviz '__any_sync(0xffffffff, lane == 7)'", "ballot", NULL},
    {WARP_OP_ALL, N_("Every lane gets 1 if the predicate is not 0 in all lanes of mask."),
     "shflviz '__all_sync(0xffffffff, lane < 31)'", "ballot", NULL},
    {WARP_OP_MATCH_ANY, N_("Each lane gets the set of lanes in mask whose value equals its own."),
     "shflviz '__match_any_sync(0xffffffff, lane / 4)'", "match", "histogram"},
    {WARP_OP_MATCH_ALL,
     N_("If all lanes in mask have the same value, all lanes get mask, and pred is 1; otherwise "
        "they get 0, and pred is 0."),
     "shflviz '__match_all_sync(0xffffffff, 7, &pred)'", "match", NULL},
    {WARP_OP_REDUCE_ADD, N_("Every lane gets the sum of the values of all lanes in mask."),
     "shflviz '__reduce_add_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_REDUCE_MIN, N_("Every lane gets the smallest value of all lanes in mask."),
     "shflviz '__reduce_min_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_REDUCE_MAX, N_("Every lane gets the largest value of all lanes in mask."),
     "shflviz '__reduce_max_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_REDUCE_AND,
     N_("Every lane gets the bits that are 1 in the values of all lanes in mask."),
     "shflviz '__reduce_and_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_REDUCE_OR,
     N_("Every lane gets the bits that are 1 in the value of some lane in mask."),
     "shflviz '__reduce_or_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_REDUCE_XOR,
     N_("Every lane gets the bits that are 1 in the values of an odd number of lanes in mask."),
     "shflviz '__reduce_xor_sync(0xffffffff, lane)'", "reduce-sync", NULL},
    {WARP_OP_SYNC,
     N_("Lanes in mask wait for one another; each lane then sees what the other lanes wrote to "
        "memory before the call. A shuffle does not order memory accesses."),
     "shflviz kernel shared-fence", "cost", NULL},
    {WARP_OP_ACTIVEMASK,
     N_("The set of lanes that happen to run this instruction together. No lane waits, and lanes "
        "that come later are not in the set, so the set is not the mask of a branch."),
     "shflviz kernel activemask", "activemask", "mend-activemask"},
};

static bool print_page(enum warp_op op) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (pages[i].op != op)
            continue;
        printf("%s\n\n", call_signature(op));
        print_paragraph(stdout, _(pages[i].what), 0);
        printf(_("\nExample:   %s\n"), pages[i].try);
        printf(_("Lesson:    shflviz lesson %s\n"), pages[i].lesson);
        if (pages[i].exercise)
            printf(_("Exercise:  shflviz exercise %s\n"), pages[i].exercise);
        return true;
    }
    return false;
}

bool direct_input_print_function(const char *name) {
    const int op = call_function(name);
    return op >= 0 && print_page((enum warp_op)op);
}

/* ---- a call ---- */

/* Reports the command and the assumed values; a screen shows them in its first line. */
static void report_call(const struct call *call, const struct options *options) {
    if (options->format == FORMAT_TUI)
        return;
    if (call->line.length)
        fprintf(stderr, _("shflviz: %s is the same as: shflviz %s\n"), call->expression.data,
                call->line.data);
    if (call->assumed.length)
        fprintf(stderr, _("shflviz: assumed: %s\n"), call->assumed.data);
}

/* Runs the words of a command, with the options after them. */
static int run_words(struct word_list *words, int argc, char **argv, const struct call *call,
                     const struct user_source *text, const char *expression, struct error *err) {
    struct options options;
    const struct command *command = command_find(words->word[0]);
    for (int i = 0; i < argc; i++)
        words_add(words, argv[i]);
    int status = options_parse(&options, command, words->count - 1, words->word + 1, err);
    options.launch.assumed = call ? call->assumed.data : NULL;
    options.source_text = text;
    options.expression = expression;
    struct options resolved = options;
    if (status == 0 && options.given & OPTION_BIT(OPTION_HELP)) {
        print_command_help(stdout, command);
        status = show_finish(err);
    } else if (status == 0 && (status = show_resolve_format(&resolved, err)) == 0) {
        if (call)
            report_call(call, &resolved);
        status = command->run(command, &options, err);
    }
    options_release(&options);
    return status;
}

int direct_input_run_line(const char *line, struct error *err) {
    struct word_list words;
    int status = words_split(&words, line, err);
    if (status == 0)
        status = run_words(&words, 0, NULL, NULL, NULL, NULL, err);
    words_release(&words);
    return status;
}

static int run_command(const struct call *call, int argc, char **argv, struct error *err) {
    struct word_list words;
    int status = words_split(&words, call->line.data, err);
    if (status == 0)
        status = run_words(&words, argc, argv, call, NULL, NULL, err);
    words_release(&words);
    return status;
}

/* Runs a program in which every lane makes the call. */
static int run_expression(const struct call *call, const struct word_list *values, int argc,
                          char **argv, struct error *err) {
    struct word_list words = {0};
    struct text nothing = TEXT_INIT;
    const struct user_source source = {"call.cu", "call.cu", &nothing};
    words_add(&words, "run");
    words_add(&words, "call.cu");
    words_add(&words, "--call");
    words_add(&words, call->expression.data);
    for (const char *line = call->names.data; *line; line += strcspn(line, "\n") + 1) {
        struct text name = TEXT_INIT;
        text_append_bytes(&name, line, strcspn(line, "\n"));
        words_add(&words, "--arg");
        words_add(&words, name.data);
        text_release(&name);
    }
    for (int i = 0; i < values->count; i++) {
        words_add(&words, "--arg");
        words_add(&words, values->word[i]);
    }
    int status = run_words(&words, argc, argv, call, &source, call->expression.data, err);
    words_release(&words);
    return status;
}

/* Moves --arg NAME=VALUE from the words to the values; the words keep their order. */
static int take_values(struct word_list *values, int argc, char **argv) {
    int kept = 0;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--arg=", 6) == 0)
            words_add(values, argv[i] + 6);
        else if (strcmp(argv[i], "--arg") == 0 && i + 1 < argc)
            words_add(values, argv[++i]);
        else
            argv[kept++] = argv[i];
    }
    return kept;
}

static int run_call(const char *text, int argc, char **argv, const char *moved, struct error *err) {
    struct call call;
    struct word_list values = {0};
    argc = take_values(&values, argc, argv);
    int status = call_read(&call, text, &values, moved, err);
    if (status == 0 && call.kind == CALL_DECLARATION) {
        print_page(call.op);
        status = show_finish(err);
    } else if (status == 0) {
        status = call.kind == CALL_COMMAND ? run_command(&call, argc, argv, err)
                                           : run_expression(&call, &values, argc, argv, err);
    }
    call_release(&call);
    words_release(&values);
    return status;
}

/* ---- standard input ---- */

/* Like `run -`, which determines the kind of text itself. */
static int run_input(int argc, char **argv, struct error *err) {
    struct word_list words = {0};
    words_add(&words, "run");
    words_add(&words, "-");
    const int status = run_words(&words, argc, argv, NULL, NULL, NULL, err);
    words_release(&words);
    return status;
}

bool direct_input_matches(const char *text) {
    return strcmp(text, "-") == 0 || call_is_in(text);
}

int direct_input_run(const char *text, int argc, char **argv, const char *moved,
                     struct error *err) {
    return strcmp(text, "-") == 0 ? run_input(argc, argv, err)
                                  : run_call(text, argc, argv, moved, err);
}
