/*
 * Reads --call and --arg, completes them with choose.c, and writes the main(). The choices are
 * printed as options, so that a run can be repeated and changed.
 */
#include "bring/main_function.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/utf8.h"
#include "bring/choose.h"
#include "bring/cpp_text.h"

#include <stdlib.h>
#include <string.h>

extern const char bring_call_support[]; /* call.cuh */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* ---- choice of a function ---- */

const struct function *bring_find_called(const struct functions *functions, const char *call,
                                         struct error *err) {
    const char *begin = call + strspn(call, " \t");
    const size_t length = strcspn(begin, "<( \t");
    const struct function *function = functions_named(functions, begin, length);
    struct text known = TEXT_INIT;
    if (function)
        return function;
    for (size_t i = 0; i < functions->count; i++)
        if (functions->function[i].kind != FUNCTION_HOST)
            text_append_format(&known, "%s%s", known.length ? " " : "",
                               functions->function[i].name);
    error_set(err, ERROR_USAGE, _("--call: the file has no function '%.*s'\nallowed: %s"),
              (int)length, begin, known.length ? known.data : _("none of these"));
    text_release(&known);
    return NULL;
}

const struct function *bring_find_default(const struct functions *functions) {
    const struct function *first = NULL;
    bool has_kernel = false;
    for (size_t i = 0; i < functions->count; i++)
        has_kernel |= functions->function[i].kind == FUNCTION_KERNEL;
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *function = &functions->function[i];
        if (function->kind == FUNCTION_HOST) {
            if (has_kernel && strcmp(function->name, "solve") == 0)
                return function;
        } else if (function->kind == FUNCTION_KERNEL) {
            if (!first || (function->has_warp_operation && !first->has_warp_operation))
                first = function;
        } else if (!has_kernel && function->has_warp_operation && !first) {
            first = function;
        }
    }
    return first;
}

/* ---- reading --call ---- */

static int fail_at(const char *call, const char *at, const char *wrong, struct error *err) {
    struct text before = TEXT_INIT;
    text_append_bytes(&before, call, (size_t)(at - call));
    error_set(err, ERROR_USAGE,
              _("--call: %s\n    %s\n    %*s^\n"
                "allowed: NAME, NAME(ARGUMENTS), NAME<<<GRID, BLOCK>>>(ARGUMENTS)\n"
                "try: --call 'reduce<<<1, 64>>>(out, in, n)'"),
              wrong, call, utf8_columns(before.data), "");
    text_release(&before);
    return -1;
}

/* The end of a list of expressions: the first `end` outside brackets; NULL if there is none. */
static const char *list_end(const char *at, const char *end) {
    struct cpp_reader reader = {.at = at, .in_line = true};
    struct cpp_token token;
    size_t depth = 0;
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        if (depth == 0 && strncmp(token.at, end, strlen(end)) == 0)
            return token.at;
        if (token.kind == CPP_SYMBOL && strchr("([{", *token.at))
            depth++;
        else if (token.kind == CPP_SYMBOL && strchr(")]}", *token.at) && depth-- == 0)
            return NULL;
    }
    return NULL;
}

static void take_item(const char *from, const char *to, char ***list, size_t *count) {
    struct text item = TEXT_INIT;
    while (from < to && strchr(" \t\n", *from))
        from++;
    while (to > from && strchr(" \t\n", to[-1]))
        to--;
    text_append_bytes(&item, from, (size_t)(to - from));
    *list = memory_grow(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = text_detach(&item);
}

static void split_list(const char *from, const char *to, char ***list, size_t *count) {
    struct cpp_reader reader = {.at = from, .in_line = true};
    struct cpp_token token;
    size_t depth = 0;
    const char *begin = from;
    while ((token = cpp_next(&reader)).at < to && token.kind != CPP_END) {
        if (token.kind != CPP_SYMBOL)
            continue;
        if (strchr("([{", *token.at))
            depth++;
        else if (strchr(")]}", *token.at))
            depth--;
        else if (*token.at == ',' && depth == 0) {
            take_item(begin, token.at, list, count);
            begin = token.at + 1;
        }
    }
    if (*count > 0 || begin + strspn(begin, " \t\n") < to)
        take_item(begin, to, list, count);
}

static void free_list(char **list, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

/* "<<<1, 64, 256>>>" */
static int read_configuration(struct bring_launch *launch, const char *call, const char **at,
                              struct error *err) {
    const char *begin = *at + 3, *end = list_end(begin, ">>>");
    char **items = NULL;
    size_t count = 0;
    if (!end)
        return fail_at(call, call + strlen(call), _("expected >>>"), err);
    split_list(begin, end, &items, &count);
    if (count < 2 || count > 4 || !*items[0] || !*items[1]) {
        free_list(items, count);
        return fail_at(call, begin, _("a launch has a grid and a block"), err);
    }
    text_append(&launch->grid, items[0]);
    text_append(&launch->block, items[1]);
    text_append(&launch->shared, count > 2 ? items[2] : "0");
    free_list(items, count);
    *at = end + 3;
    return 0;
}

static int read_call(struct bring_launch *launch, const char *call, struct error *err) {
    const char *at = call + strspn(call, " \t");
    const char *open = at + strcspn(at, "<(");
    const char *end = open;
    while (end > at && end[-1] == ' ')
        end--;
    text_append_bytes(&launch->name, at, (size_t)(end - at));
    if (*open == '<' && strncmp(open, "<<<", 3) != 0) { /* its template arguments */
        const char *close = list_end(open + 1, "<<<");
        const char *bracket = list_end(open + 1, "(");
        close = close ? close : bracket;
        if (!close)
            return fail_at(call, call + strlen(call), _("expected <<< or ("), err);
        text_append_bytes(&launch->name, open, (size_t)(close - open));
        while (launch->name.length && launch->name.data[launch->name.length - 1] == ' ')
            launch->name.data[--launch->name.length] = '\0';
        open = close;
    }
    if (strncmp(open, "<<<", 3) == 0 && read_configuration(launch, call, &open, err) != 0)
        return -1;
    open += strspn(open, " \t");
    if (!*open)
        return 0;
    if (*open != '(')
        return fail_at(call, open, _("expected '('"), err);
    end = list_end(open + 1, ")");
    if (!end)
        return fail_at(call, call + strlen(call), _("expected ')'"), err);
    split_list(open + 1, end, &launch->arguments, &launch->argument_count);
    for (size_t i = 0; i < launch->argument_count; i++)
        if (!*launch->arguments[i])
            return fail_at(call, open + 1, _("an argument is missing here"), err);
    end += 1 + strspn(end + 1, " \t;");
    return *end ? fail_at(call, end, _("nothing may follow the call"), err) : 0;
}

/* Checks the number of arguments; those of parameters with defaults may be left out. */
static int check_arguments(const struct bring_launch *launch, const char *call, struct error *err) {
    const struct function *function = launch->function;
    size_t least = function->parameter_count;
    char wrong[160];
    while (least > 0 && function->parameters[least - 1].has_default)
        least--;
    if (launch->argument_count >= least && launch->argument_count <= function->parameter_count)
        return 0;
    snprintf(wrong, sizeof wrong, _("parameters of %s: %zu; arguments given: %zu"), function->name,
             function->parameter_count, launch->argument_count);
    return fail_at(call, call + strcspn(call, "("), wrong, err);
}

int bring_launch_choose(struct bring_launch *launch, const struct function *function,
                        const char *call, const char *text, struct error *err) {
    *launch = (struct bring_launch){.function = function,
                                    .in_lanes = !function || function->kind == FUNCTION_DEVICE,
                                    .name = TEXT_INIT,
                                    .grid = TEXT_INIT,
                                    .block = TEXT_INIT,
                                    .shared = TEXT_INIT};
    if (function && function->parameter_count > FUNCTION_PARAMETERS_MOST)
        return error_set(err, ERROR_USAGE, _("%s has %zu parameters\nallowed: up to %d"),
                         function->name, function->parameter_count, FUNCTION_PARAMETERS_MOST);
    if (!function) {
        take_item(call, call + strlen(call), &launch->arguments, &launch->argument_count);
    } else if (*call && read_call(launch, call, err) != 0) {
        return -1;
    } else if (launch->arguments && check_arguments(launch, call, err) != 0) {
        return -1;
    }
    choose_launch(launch, text);
    return 0;
}

void bring_launch_release(struct bring_launch *launch) {
    text_release(&launch->name);
    text_release(&launch->grid);
    text_release(&launch->block);
    text_release(&launch->shared);
    free_list(launch->arguments, launch->argument_count);
    for (size_t i = 0; i < launch->value_count; i++)
        bring_value_release(&launch->values[i]);
    free(launch->values);
    *launch = (struct bring_launch){.function = NULL};
}

/* ---- writing it ---- */

static void append_list(const struct bring_launch *launch, struct text *to) {
    for (size_t i = 0; i < launch->argument_count; i++)
        text_append_format(to, "%s%s", i ? ", " : "", launch->arguments[i]);
}

void bring_append_call(const struct bring_launch *launch, struct text *call) {
    if (!launch->function) {
        append_list(launch, call);
        return;
    }
    text_append(call, launch->name.data);
    if (launch->function->kind != FUNCTION_HOST) {
        text_append_format(call, "<<<%s, %s", launch->grid.data, launch->block.data);
        if (strcmp(launch->shared.data, "0") != 0)
            text_append_format(call, ", %s", launch->shared.data);
        text_append(call, ">>>");
    }
    text_append_char(call, '(');
    append_list(launch, call);
    text_append_char(call, ')');
}

static void append_quoted(struct text *to, const char *word) {
    text_append_char(to, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_append(to, "'\\''");
        else
            text_append_char(to, *word);
    text_append_char(to, '\'');
}

void bring_append_options(const struct bring_launch *launch, struct text *options) {
    struct text call = TEXT_INIT;
    bring_append_call(launch, &call);
    text_append(options, launch->function ? " --call " : "");
    append_quoted(options, call.data);
    for (size_t i = 0; i < launch->value_count; i++) {
        const struct bring_value *value = &launch->values[i];
        struct text word = TEXT_INIT;
        text_append_format(&word, "%s=", value->name);
        if (value->count)
            text_append_format(&word, "%s[%zu]:", value->type, value->count);
        text_append(&word, value->values);
        text_append(options, " --arg ");
        if (word.data[strcspn(word.data, " '\"$&|;<>()*?[`\\!#~%")])
            append_quoted(options, word.data);
        else
            text_append(options, word.data);
        text_release(&word);
    }
    text_release(&call);
}

/* ---- the program ---- */

static const struct bring_value *value_of(const struct bring_launch *launch, const char *name) {
    for (size_t i = 0; i < launch->value_count; i++)
        if (strcmp(launch->values[i].name, name) == 0)
            return &launch->values[i];
    return NULL;
}

/* Appends the code for the value of element i. */
static void append_fill_lambda(struct text *to, const char *values) {
    text_append(to, "[](long long i) { const long long thread = i, lane = i % 32; (void)thread; "
                    "(void)lane; ");
    if (strncmp(values, "random:", 7) == 0)
        text_append_format(to, "return shflviz_call::random(%s, i); }", values + 7);
    else if (strchr(values, ',') && !strchr(values, '('))
        text_append_format(to,
                           "static const double list[] = {%s}; "
                           "return list[i %% (long long)(sizeof list / sizeof *list)]; }",
                           values);
    else
        text_append_format(to, "return (%s); }", values);
}

/* Writes the host side: variables a0, a1, ... of the parameters' types. */
static void append_variables(const struct bring_launch *launch, struct text *to) {
    text_append_format(to, "    using P = decltype(shflviz_call::parameters(&%s));\n",
                       launch->name.data);
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct bring_value *value = value_of(launch, launch->arguments[i]);
        text_append_format(to, "    std::tuple_element_t<%zu, P> a%zu = ", i, i);
        if (value) {
            text_append_format(to, "shflviz_call::make<std::tuple_element_t<%zu, P>>(\"%s\", %zu, ",
                               i, value->name, value->count);
            append_fill_lambda(to, value->values);
            text_append(to, ");\n");
        } else {
            text_append_format(to, "(%s);\n", launch->arguments[i]);
        }
        if (value && value->count && *value->type)
            text_append_format(to,
                               "    "
                               "static_assert(std::is_same_v<std::remove_cv_t<std::remove_pointer_"
                               "t<decltype(a%zu)>>, %s>,"
                               " \"--arg %s: the parameter is an array of another type\");\n",
                               i, value->type, value->name);
    }
}

static void append_numbered_args(const struct bring_launch *launch, struct text *to) {
    for (size_t i = 0; i < launch->argument_count; i++)
        text_append_format(to, "%sa%zu", i ? ", " : "", i);
}

static void append_host_main(const struct bring_launch *launch, struct text *to) {
    text_append(to, "static void shflviz_body() {\n");
    append_variables(launch, to);
    text_append_format(to, "    %s", launch->name.data);
    if (launch->function->kind == FUNCTION_KERNEL)
        text_append_format(to, "<<<%s, %s, %s>>>", launch->grid.data, launch->block.data,
                           launch->shared.data);
    text_append_char(to, '(');
    append_numbered_args(launch, to);
    text_append(to, ");\n}\nint main() {\n    return shflviz_call::run(shflviz_body, true);\n}\n");
}

/* Appends a kernel in which every lane calls the function, or evaluates the expression. */
static void append_lane_kernel(const struct bring_launch *launch, struct text *to) {
    text_append(to, "__global__ void shflviz_lanes(double *result) {\n"
                    "    const int thread = threadIdx.x + blockIdx.x * blockDim.x, "
                    "lane = threadIdx.x % 32;\n    (void)thread; (void)lane;\n");
    for (size_t i = 0; i < launch->value_count; i++) {
        const struct bring_value *value = &launch->values[i];
        if (value->count)
            text_append_format(to, "    __shared__ %s %s[%zu];\n",
                               *value->type ? value->type : "float", value->name, value->count);
        else
            text_append_format(to, "    auto %s = %s; (void)%s;\n", value->name, value->values,
                               value->name);
    }
    const char *dot = launch->function ? NULL : strchr(launch->arguments[0], '.');
    const size_t group = dot ? (size_t)(dot - launch->arguments[0]) : 0;
    if (group && group == strspn(launch->arguments[0], LETTERS))
        text_append_format(to,
                           "    auto %.*s = cooperative_groups::tiled_partition<%d>("
                           "cooperative_groups::this_thread_block());\n",
                           (int)group, launch->arguments[0],
                           cpp_group_size(launch->arguments[0], group));
    text_append(to, "#line 1 \"--call\"\n    shflviz_call::call_in_lane([&] { return ");
    if (launch->function)
        text_append_format(to, "%s(", launch->name.data);
    append_list(launch, to);
    if (launch->function)
        text_append_char(to, ')');
    text_append(to, "; }, result, thread);\n}\n");
    text_append_format(
        to,
        "static void shflviz_body() {\n    const dim3 grid(%s), block(%s);\n"
        "    double *result = shflviz_call::make_array<double *>(\"result\", (size_t)grid.x * "
        "block.x, [](long long) { return -0.0; });\n"
        "    shflviz_lanes<<<grid, block>>>(result);\n}\n"
        "int main() {\n    return shflviz_call::run(shflviz_body, false);\n}\n",
        launch->grid.data, launch->block.data);
}

void bring_append_main(const struct bring_launch *launch, struct text *text) {
    text_append(text,
                "\n#include <cuda_runtime.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
                "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <tuple>\n"
                "#include <type_traits>\n#include <utility>\n#include <sys/mman.h>\n"
                "#include <unistd.h>\n");
    if (!launch->function)
        text_append(text, "#include <cooperative_groups.h>\n");
    text_append(text, "#line 1 \"shflviz/call.cuh\"\n");
    text_append(text, bring_call_support);
    text_append(text, "#line 1 \"shflviz/main.cu\"\n");
    if (launch->in_lanes)
        append_lane_kernel(launch, text);
    else
        append_host_main(launch, text);
}
