/*
 * Works on copies in memory. Asks about each choice on a terminal; elsewhere makes it and prints
 * it, so that a script never waits for an answer.
 */
#include "launch/program/user_bring.h"

#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "bring/main_function.h"
#include "bring/mend.h"
#include "launch/expression.h"
#include "launch/program/user_headers.h"
#include "warp/warp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DESCRIBED_MOST 8
/* A longer text is not a pasted program. */
#define MENDED_MOST ((size_t)1 << 20)

/* Everything that this points to belongs to the caller. */
struct bring_context {
    struct bring_result *brought;
    const char *path;
    struct text *text;
    const struct user_choice *choice;
    const struct word_list *include;
    bool may_ask;
    struct error *err;
};

static bool can_ask(const struct bring_context *b) {
    return b->may_ask && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* ---- repairing pasted text ---- */

/* Enter means yes. */
static bool confirm(const char *question) {
    char answer[16] = "";
    progress_line_hold();
    fputs(question, stderr);
    fflush(stderr);
    const bool answered = fgets(answer, sizeof answer, stdin) != NULL;
    progress_line_printed(NULL, 0);
    return answered && (*answer == '\n' || *answer == 'y' || *answer == 'Y');
}

static int mend(const struct bring_context *b) {
    struct mend mend;
    struct text said = TEXT_INIT;
    int status = 0;
    if (b->text->length > MENDED_MOST)
        return 0;
    mend_text(&mend, b->text->data);
    mend_describe(&mend, b->path, DESCRIBED_MOST, &said);
    if (mend.count > 0 && b->choice->repeats) {
        /* The user has already agreed, and a screen is open now. */
    } else if (mend.count > 0 && b->choice->mend) {
        progress_line_hold();
        fprintf(stderr, "%s\n", said.data);
        mend_print_difference(stderr, &mend, b->text->data, b->path);
        progress_line_printed(NULL, 0);
    } else if (mend.count > 0 && can_ask(b)) {
        progress_line_hold();
        fprintf(stderr, "%s\n", said.data);
        if (!confirm(_("Run the text as it was meant? The file stays as it is. [Y/n] ")))
            status = error_set_silent(b->err, ERROR_USAGE);
    } else if (mend.count > 0) {
        status = error_set(b->err, ERROR_USAGE,
                           _("%s\ntry: --mend, which runs the text as it was meant and prints "
                             "what it changes; the file stays as it is"),
                           said.data);
    }
    if (status == 0 && mend.count > 0) {
        text_clear(b->text);
        text_append(b->text, mend.text.data);
    }
    text_release(&said);
    mend_release(&mend);
    return status;
}

/* ---- choosing a function ---- */

static void append_kernels(const struct functions *functions, struct text *names) {
    for (size_t i = 0; i < functions->count; i++)
        if (functions->function[i].kind == FUNCTION_KERNEL)
            text_append_format(names, "%s%s", names->length ? " " : "",
                               functions->function[i].name);
}

static size_t kernel_count(const struct functions *functions) {
    size_t count = 0;
    for (size_t i = 0; i < functions->count; i++)
        count += functions->function[i].kind == FUNCTION_KERNEL;
    return count;
}

/* The name of the kernel that the user chose last, for a run that repeats it; "": none. */
static char chosen[256];

static const struct function *previous_choice(const struct functions *functions) {
    for (size_t i = 0; i < functions->count; i++)
        if (functions->function[i].kind == FUNCTION_KERNEL &&
            strcmp(functions->function[i].name, chosen) == 0)
            return &functions->function[i];
    return NULL;
}

/* A number from the list, or Enter for the default. */
static const struct function *ask_kernel(const struct functions *functions,
                                         const struct function *first) {
    char answer[16] = "";
    size_t number = 0, taken = 1;
    progress_line_hold();
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *function = &functions->function[i];
        if (function->kind != FUNCTION_KERNEL)
            continue;
        number++;
        taken = function == first ? number : taken;
        fprintf(stderr, "%3zu  %s%s\n", number, function->name,
                function->has_warp_operation ? "" : _("  (no warp operation)"));
    }
    fprintf(stderr, _("Which kernel? [%zu] "), taken);
    fflush(stderr);
    const bool answered = fgets(answer, sizeof answer, stdin) != NULL;
    progress_line_printed(NULL, 0);
    const size_t wanted = answered ? strtoul(answer, NULL, 10) : 0;
    for (size_t i = 0, at = 0; i < functions->count; i++)
        if (functions->function[i].kind == FUNCTION_KERNEL && ++at == wanted)
            return &functions->function[i];
    return first;
}

static const struct function *choose(const struct functions *functions,
                                     const struct bring_context *b) {
    const struct function *first = bring_find_default(functions);
    if (!first || first->kind != FUNCTION_KERNEL || kernel_count(functions) < 2)
        return first;
    if (b->choice->repeats)
        return previous_choice(functions) ? previous_choice(functions) : first;
    if (can_ask(b)) {
        first = ask_kernel(functions, first);
        snprintf(chosen, sizeof chosen, "%s", first->name);
        return first;
    }
    struct text names = TEXT_INIT;
    append_kernels(functions, &names);
    progress_line_hold();
    fprintf(stderr,
            _("shflviz: kernels in the file: %s; --call NAME runs another kernel instead of %s\n"),
            names.data, first->name);
    progress_line_printed(NULL, 0);
    text_release(&names);
    return first;
}

/* ---- values ---- */

/* Values are checked by the parser of expressions before a compiler sees them. */
static int check_value(const struct bring_value *value, struct error *err) {
    struct text option = TEXT_INIT;
    uint64_t items = 1;
    for (const char *c = value->values; *c; c++)
        items += *c == ',';
    text_append_format(&option, "--arg %s", value->name);
    const struct expression_rules rules = {.option = option.data,
                                           .type = WARP_TYPE_DOUBLE,
                                           .threads = items > 1 ? items : WARP_LANES,
                                           .random_limit = 100};
    struct expression *expression;
    int status = expression_compile(&expression, value->values, &rules, err);
    if (status == 0) {
        const int lanes = items > 1 ? (int)(items < WARP_LANES ? items : WARP_LANES) : WARP_LANES;
        for (int lane = 0; status == 0 && lane < lanes; lane++) {
            struct expression_value result;
            status = expression_evaluate(expression, lane, (uint64_t)lane, &result, err);
        }
    }
    expression_free(expression);
    text_release(&option);
    return status;
}

static bool is_argument(const struct bring_launch *launch, const char *name) {
    for (size_t i = 0; i < launch->argument_count; i++)
        if (strcmp(launch->arguments[i], name) == 0 || launch->in_lanes)
            return true;
    return false;
}

static int give_values(struct bring_launch *launch, const struct user_choice *choice,
                       struct error *err) {
    int status = 0;
    for (int i = 0; status == 0 && i < choice->values.count; i++) {
        struct bring_value value;
        status = bring_value_read(&value, choice->values.word[i], err);
        if (status == 0)
            status = check_value(&value, err);
        if (status == 0 && !is_argument(launch, value.name)) {
            struct text call = TEXT_INIT;
            bring_append_call(launch, &call);
            status = error_set(err, ERROR_USAGE, _("--arg: '%s' is not an argument of %s"),
                               value.name, call.data);
            text_release(&call);
        }
        if (status == 0)
            bring_launch_set_value(launch, &value);
        bring_value_release(&value);
    }
    return status;
}

/* ---- everything together ---- */

static void print_chosen(const char *path, const struct bring_result *brought) {
    progress_line_hold();
    fprintf(stderr,
            _("shflviz: values were chosen; to repeat or change them:\n  shflviz run %s%s\n"),
            utf8_name(path), brought->options.data);
    progress_line_printed(NULL, 0);
}

/* A requested call replaces an existing main(). */
static void rename_main(const struct functions *functions, struct text *text) {
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *function = &functions->function[i];
        char *name = strcmp(function->name, "main") == 0
                         ? strstr(text->data + function->begin, "main")
                         : NULL;
        if (name)
            name[3] = '_';
    }
}

static int launch_function(const struct bring_context *b, const struct functions *functions,
                           const struct function *function) {
    struct bring_launch launch;
    struct text whole = TEXT_INIT;
    const char *call = b->choice->call ? b->choice->call : "";
    int status = bring_launch_choose(&launch, function, call, b->text->data, b->err);
    if (status == 0)
        status = give_values(&launch, b->choice, b->err);
    if (status == 0) {
        b->brought->has_main = true;
        b->brought->before_torch = functions->has_host_library;
        bring_append_call(&launch, &b->brought->call);
        if (!function)
            text_append_char(&b->brought->options, ' ');
        bring_append_options(&launch, &b->brought->options);
        if (functions->has_main)
            rename_main(functions, b->text);
        if (functions->has_host_library)
            functions_strip_host_library(b->text->data, &whole);
        else
            text_append(&whole, b->text->data);
        bring_append_main(&launch, &whole);
        text_clear(b->text);
        text_append(b->text, whole.data);
        if (launch.chosen && function && !b->choice->repeats)
            print_chosen(b->path, b->brought);
    }
    text_release(&whole);
    bring_launch_release(&launch);
    return status;
}

static int bring_functions(const struct bring_context *b, const struct functions *functions) {
    const struct user_choice *choice = b->choice;
    const struct function *function = NULL;
    if (choice->call && !choice->is_expression) {
        function = bring_find_called(functions, choice->call, b->err);
        if (!function)
            return -1;
    } else if (!choice->call && !functions->has_main) {
        function = choose(functions, b);
    }
    if (function || choice->is_expression)
        return launch_function(b, functions, function);
    if (choice->values.count > 0)
        return error_set(b->err, ERROR_USAGE, _("--arg is for a call\ntry: add --call"));
    return 0;
}

/* True if the text has changed. */
static bool resolve_headers(const struct bring_context *b, bool has_main) {
    struct text missing = TEXT_INIT;
    const bool changed =
        user_headers_resolve(b->path, b->include, b->text, has_main ? NULL : &missing);
    if (missing.length && !b->choice->repeats) {
        progress_line_hold();
        fprintf(stderr, _("shflviz: missing headers are left out: %s (-I DIR)\n"), missing.data);
        progress_line_printed(NULL, 0);
    }
    text_release(&missing);
    return changed;
}

int user_bring(struct bring_result *brought, const char *path, struct text *text,
               const struct user_choice *choice, const struct word_list *include, bool may_ask,
               struct error *err) {
    const struct bring_context b = {brought, path, text, choice, include, may_ask, err};
    struct functions functions;
    *brought = (struct bring_result){.call = TEXT_INIT, .options = TEXT_INIT};
    if (!choice->is_expression && text->data[strspn(text->data, " \t\r\n")] == '\0')
        return error_set(err, ERROR_USAGE, _("%s is empty"), path);
    if (mend(&b) != 0)
        return -1;
    functions_find(&functions, text->data);
    if (functions.count > 0 && resolve_headers(&b, functions.has_main)) {
        functions_release(&functions);
        functions_find(&functions, text->data);
    }
    const int status = bring_functions(&b, &functions);
    functions_release(&functions);
    return status;
}

int user_refuse_call(const struct user_choice *choice, struct error *err) {
    if (!choice->call && choice->values.count == 0 && !choice->mend)
        return 0;
    return error_set(err, ERROR_USAGE,
                     _("--%s is for a single CUDA file\nallowed: with one .cu or .cuh file"),
                     choice->call   ? "call"
                     : choice->mend ? "mend"
                                    : "arg");
}

void bring_result_release(struct bring_result *brought) {
    text_release(&brought->call);
    text_release(&brought->options);
}
