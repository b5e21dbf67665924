/*
 * Works on tokens and brackets without a grammar, so that a file that does not compile, or needs
 * missing headers, can still be searched. The compiler judges the rest.
 */
#include "bring/functions.h"

#include "base/memory.h"
#include "bring/cpp_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MOST ((size_t)1 << 22)

struct scan {
    const char *text;
    struct cpp_token *token;
    size_t count;
    struct text scope[32]; /* for each open scope: "name::", or "" for extern "C" */
    size_t depth;
};

static void read_tokens(struct scan *scan, const char *text) {
    struct cpp_reader reader = {.at = text};
    struct cpp_token token;
    size_t room = 0;
    scan->text = text;
    do {
        token = cpp_next(&reader);
        if (scan->count == room)
            scan->token = memory_grow(scan->token, room = room * 2 + 256, sizeof *scan->token);
        scan->token[scan->count++] = token;
    } while (token.kind != CPP_END && scan->count < TOKENS_MOST);
    scan->token[scan->count - 1].kind = CPP_END;
}

static bool token_is(const struct scan *scan, size_t at, const char *word) {
    return at < scan->count && cpp_is(&scan->token[at], word);
}

static bool ends(const struct scan *scan, size_t at) {
    return at >= scan->count || scan->token[at].kind == CPP_END;
}

/* The position after the bracket that closes the one at `at`. */
static size_t skip_bracket(const struct scan *scan, size_t at) {
    size_t depth = 0;
    for (; !ends(scan, at); at++) {
        if (scan->token[at].kind != CPP_SYMBOL)
            continue;
        const char c = *scan->token[at].at;
        depth += strchr("([{", c) != NULL;
        if (strchr(")]}", c) && --depth == 0)
            return at + 1;
    }
    return at;
}

/* The position after the > that closes the < at `at`; `at` if the < is not a template's. */
static size_t skip_angles(const struct scan *scan, size_t at) {
    size_t depth = 0, begin = at;
    while (!ends(scan, at)) {
        if (token_is(scan, at, "<")) {
            depth++;
        } else if (token_is(scan, at, ">")) {
            if (--depth == 0)
                return at + 1;
        } else if (token_is(scan, at, "(") || token_is(scan, at, "[") || token_is(scan, at, "{")) {
            at = skip_bracket(scan, at);
            continue;
        } else if (token_is(scan, at, ";") || token_is(scan, at, ")")) {
            return begin;
        }
        at++;
    }
    return begin;
}

static char *words_between(const struct scan *scan, size_t from, size_t to) {
    struct text text = TEXT_INIT;
    for (size_t i = from; i < to; i++) {
        const struct cpp_token *token = &scan->token[i];
        if (text.length && !token->is_joined)
            text_append_char(&text, ' ');
        text_append_bytes(&text, token->at, token->length);
    }
    return text_detach(&text);
}

/* ---- parameters ---- */

static void take_parameter(const struct scan *scan, size_t from, size_t to, struct parameter **list,
                           size_t *count) {
    struct parameter parameter = {.is_const = false};
    size_t name = to, end = to, stars = 0;
    for (size_t i = from; i < end; i++) {
        const struct cpp_token *token = &scan->token[i];
        if (token_is(scan, i, "<") && i > from) {
            const size_t after = skip_angles(scan, i);
            if (after > i) {
                i = after - 1;
                name = to;
                continue;
            }
        }
        if (token_is(scan, i, "=")) {
            parameter.has_default = true;
            end = i;
        } else if (token_is(scan, i, "[")) {
            parameter.is_pointer = true;
            end = i;
        } else if (token_is(scan, i, "*")) {
            stars++;
            name = to;
        } else if (token_is(scan, i, "const") && stars == 0) {
            parameter.is_const = true;
        } else if (token->kind == CPP_WORD && !cpp_is(token, "__restrict__") &&
                   !cpp_is(token, "__restrict") && !cpp_is(token, "const")) {
            name = i;
        }
    }
    parameter.is_pointer |= stars > 0;
    /* A single word is a type without a name. */
    const bool has_name = name < end && name > from && !token_is(scan, name - 1, ":");
    parameter.name = has_name ? words_between(scan, name, name + 1) : memory_string("");
    parameter.type = words_between(scan, from, has_name ? name : end);
    *list = memory_grow(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = parameter;
}

/* Reads the parameters in the tokens from `from` up to `to`, the closing bracket. */
static void take_parameters(const struct scan *scan, size_t from, size_t to,
                            struct parameter **list, size_t *count) {
    size_t begin = from;
    if (from == to || (to == from + 1 && token_is(scan, from, "void")))
        return;
    for (size_t i = from; i <= to; i++) {
        if (i == to || token_is(scan, i, ",")) {
            take_parameter(scan, begin, i, list, count);
            begin = i + 1;
        } else if (token_is(scan, i, "(") || token_is(scan, i, "[") || token_is(scan, i, "{")) {
            i = skip_bracket(scan, i) - 1;
        } else if (token_is(scan, i, "<")) {
            const size_t after = skip_angles(scan, i);
            i = after > i ? after - 1 : i;
        }
    }
}

static void release_parameters(struct parameter *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].type);
        free(list[i].name);
    }
    free(list);
}

/* ---- bodies ---- */

static bool is_warp_word(const struct cpp_token *token) {
    static const char *const words[] = {"__shfl",     "__ballot",     "__any_sync",
                                        "__all_sync", "__match",      "__reduce",
                                        "__syncwarp", "__activemask", "WARP_SHFL"};
    static const char *const members[] = {
        "shfl",       "shfl_up",  "shfl_down",   "shfl_xor", "tiled_partition", "coalesced_threads",
        "WarpReduce", "WarpScan", "BlockReduce", "BlockScan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token->kind == CPP_WORD && token->length >= strlen(words[i]) &&
            memcmp(token->at, words[i], strlen(words[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (cpp_is(token, members[i]))
            return true;
    return false;
}

static void scan_body(const struct scan *scan, struct function *function, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        const struct cpp_token *token = &scan->token[i];
        if (is_warp_word(token))
            function->has_warp_operation = true;
        if (cpp_is(token, "extern"))
            function->uses_shared = true;
        if ((cpp_is(token, "threadIdx") || cpp_is(token, "blockDim")) &&
            token_is(scan, i + 1, ".") &&
            (token_is(scan, i + 2, "y") || token_is(scan, i + 2, "z")))
            function->uses_y = true;
    }
}

/* ---- declarations ---- */

/* A declaration, as positions of tokens: from `begin` to its semicolon or its closing brace. */
struct declaration {
    size_t begin, end;
    size_t name, open;  /* a function's name, and the bracket after it; otherwise 0 */
    size_t body;        /* the opening brace; 0 if there is none */
    size_t of_template; /* the < */
    bool is_kernel, is_device, is_host, is_library, is_scope, is_macro;
    unsigned most_threads;
};

static bool is_library_word(const struct cpp_token *token) {
    static const char *const words[] = {"torch",
                                        "at",
                                        "c10",
                                        "py",
                                        "pybind11",
                                        "Tensor",
                                        "PYBIND11_MODULE",
                                        "TORCH_LIBRARY",
                                        "TORCH_CHECK",
                                        "AT_DISPATCH_FLOATING_TYPES",
                                        "AT_ASSERTM",
                                        "TORCH_LIBRARY_FRAGMENT",
                                        "TORCH_LIBRARY_IMPL",
                                        "AT_ERROR",
                                        "PyObject",
                                        "ffi",
                                        "XLA_FFI_DEFINE_HANDLER_SYMBOL"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cpp_is(token, words[i]))
            return true;
    return false;
}

/* True for a word that may precede a bracket, but is not a function's name. */
static bool is_attribute(const struct scan *scan, size_t at) {
    return token_is(scan, at, "__launch_bounds__") || token_is(scan, at, "__attribute__") ||
           token_is(scan, at, "alignas") || token_is(scan, at, "decltype") ||
           token_is(scan, at, "__align__") || token_is(scan, at, "noexcept") ||
           token_is(scan, at, "requires") || token_is(scan, at, "enable_if_t") ||
           token_is(scan, at, "__declspec") || token_is(scan, at, "explicit");
}

static void note_word(const struct scan *scan, struct declaration *d, size_t at) {
    const struct cpp_token *token = &scan->token[at];
    d->is_kernel |= cpp_is(token, "__global__");
    d->is_device |= cpp_is(token, "__device__") || cpp_is(token, "__constant__");
    d->is_library |= is_library_word(token);
    if (cpp_is(token, "__launch_bounds__") && token_is(scan, at + 1, "(") &&
        scan->token[at + 2].kind == CPP_NUMBER)
        d->most_threads = (unsigned)strtoul(scan->token[at + 2].at, NULL, 0);
    if ((cpp_is(token, "namespace") ||
         (cpp_is(token, "extern") && scan->token[at + 1].kind == CPP_STRING)) &&
        !d->open)
        d->is_scope = true;
}

/* Notes whether a token from `from` up to `to` is a name from torch; returns `to`. */
static size_t note_library(const struct scan *scan, struct declaration *d, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        d->is_library |= is_library_word(&scan->token[i]);
    return to;
}

static size_t read_brackets(const struct scan *scan, struct declaration *d, size_t at) {
    const bool named = at > d->begin && scan->token[at - 1].kind == CPP_WORD;
    if (named && !d->open && !is_attribute(scan, at - 1)) {
        d->name = at - 1;
        d->open = at;
    }
    return note_library(scan, d, at, skip_bracket(scan, at));
}

static size_t read_template(const struct scan *scan, struct declaration *d, size_t at) {
    const size_t after = skip_angles(scan, at + 1);
    d->of_template = d->of_template ? d->of_template : at + 1;
    return after > at + 1 ? after : at + 2;
}

/* Skips the value of a variable. */
static size_t skip_value(const struct scan *scan, size_t at) {
    while (!ends(scan, at) && !token_is(scan, at, ";"))
        at = token_is(scan, at, "{") || token_is(scan, at, "(") ? skip_bracket(scan, at) : at + 1;
    return at;
}

/* Handles a brace. True if the declaration ends here: a scope's declaration ends at its opening
 * brace, a function's after its closing brace. */
static bool read_braces(const struct scan *scan, struct declaration *d, size_t *at) {
    if (d->is_scope && !d->open) {
        ++*at;
        return true;
    }
    d->is_scope = false;
    d->body = *at;
    *at = note_library(scan, d, *at, skip_bracket(scan, *at));
    return d->open || !token_is(scan, *at, ";");
}

static void read_declaration(const struct scan *scan, struct declaration *d, size_t begin) {
    size_t at = begin;
    *d = (struct declaration){.begin = begin};
    while (!ends(scan, at) && scan->token[at].kind != CPP_DIRECTIVE) {
        note_word(scan, d, at);
        if (token_is(scan, at, "template") && token_is(scan, at + 1, "<")) {
            at = read_template(scan, d, at);
        } else if (token_is(scan, at, "(")) {
            at = read_brackets(scan, d, at);
        } else if (token_is(scan, at, "{")) {
            if (read_braces(scan, d, &at)) {
                d->end = at;
                return;
            }
        } else if (token_is(scan, at, "=") && !d->open) {
            at = skip_value(scan, at);
        } else if (token_is(scan, at, ";") || token_is(scan, at, "}")) {
            at++;
            break;
        } else {
            at++;
        }
    }
    d->is_scope = false;
    d->end = at > begin ? at : at + 1;
}

static void enter_scope(struct scan *scan, const struct declaration *d) {
    struct text name = TEXT_INIT;
    for (size_t i = d->begin; i < d->end; i++)
        if (token_is(scan, i, "namespace"))
            for (i++; i < d->end && !token_is(scan, i, "{"); i++)
                text_append_bytes(&name, scan->token[i].at, scan->token[i].length);
    if (name.length)
        text_append(&name, "::");
    if (scan->depth < sizeof scan->scope / sizeof *scan->scope)
        scan->scope[scan->depth++] = name;
    else
        text_release(&name);
}

static void leave_scope(struct scan *scan) {
    if (scan->depth)
        text_release(&scan->scope[--scan->depth]);
}

static void add_function(const struct scan *scan, struct functions *functions,
                         const struct declaration *d) {
    struct text name = TEXT_INIT;
    struct function function = {.kind = d->is_kernel   ? FUNCTION_KERNEL
                                        : d->is_device ? FUNCTION_DEVICE
                                                       : FUNCTION_HOST,
                                .most_threads = d->most_threads};
    for (size_t i = 0; i < scan->depth; i++)
        text_append(&name, scan->scope[i].data);
    text_append_bytes(&name, scan->token[d->name].at, scan->token[d->name].length);
    function.name = text_detach(&name);
    take_parameters(scan, d->open + 1, skip_bracket(scan, d->open) - 1, &function.parameters,
                    &function.parameter_count);
    if (d->of_template)
        take_parameters(scan, d->of_template + 1, skip_angles(scan, d->of_template) - 1,
                        &function.of_template, &function.template_count);
    function.begin = (size_t)(scan->token[d->begin].at - scan->text);
    function.body = (size_t)(scan->token[d->body].at - scan->text);
    function.end =
        (size_t)(scan->token[d->end - 1].at + scan->token[d->end - 1].length - scan->text);
    function.line = cpp_position(scan->text, scan->token[d->name].at).line;
    scan_body(scan, &function, d->body, d->end);
    functions->function =
        memory_grow(functions->function, functions->count + 1, sizeof *functions->function);
    functions->function[functions->count++] = function;
}

static const char *plain_name(const struct function *function) {
    const char *colon = strrchr(function->name, ':');
    return colon ? colon + 1 : function->name;
}

const struct function *functions_named(const struct functions *functions, const char *name,
                                       size_t length) {
    for (int whole = 1; whole >= 0; whole--)
        for (size_t i = 0; i < functions->count; i++) {
            const struct function *function = &functions->function[i];
            const char *known = whole ? function->name : plain_name(function);
            if (strlen(known) == length && memcmp(known, name, length) == 0)
                return function;
        }
    return NULL;
}

/* A kernel also shuffles if a function that it calls, in the same file, shuffles. */
static void follow_calls(struct functions *functions, const char *text) {
    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < functions->count; i++) {
            struct function *function = &functions->function[i];
            struct cpp_reader reader = {.at = text + function->body, .in_line = true};
            struct cpp_token token;
            while (!function->has_warp_operation &&
                   (token = cpp_next(&reader)).at < text + function->end && token.kind != CPP_END) {
                const struct function *called =
                    token.kind == CPP_WORD ? functions_named(functions, token.at, token.length)
                                           : NULL;
                function->has_warp_operation =
                    called && called != function && called->has_warp_operation;
            }
        }
}

/* Called for each declaration of the file. */
typedef void take_declaration(void *context, const struct scan *scan, const struct declaration *d);

static void walk_declarations(const char *text, take_declaration *take, void *context) {
    struct scan scan = {.text = text};
    struct declaration d;
    read_tokens(&scan, text);
    for (size_t at = 0; !ends(&scan, at);) {
        if (scan.token[at].kind == CPP_DIRECTIVE) {
            d = (struct declaration){.begin = at, .end = at + 1, .is_macro = true};
            take(context, &scan, &d);
            at++;
        } else if (token_is(&scan, at, "}")) {
            leave_scope(&scan);
            at++;
        } else {
            read_declaration(&scan, &d, at);
            if (d.is_scope)
                enter_scope(&scan, &d);
            else
                take(context, &scan, &d);
            at = d.end;
        }
    }
    while (scan.depth)
        leave_scope(&scan);
    free(scan.token);
}

/* "#include <torch/extension.h>" */
static bool includes_library(const struct cpp_token *token) {
    static const char *const folders[] = {"torch/", "ATen/",    "c10/", "pybind11/",
                                          "THC/",   "Python.h", "TH/"};
    const char *at = token->at + 1;
    at += strspn(at, " \t");
    if (strncmp(at, "include", 7) != 0)
        return false;
    at += 7;
    at += strspn(at, " \t<\"");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(at, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static void take_function(void *context, const struct scan *scan, const struct declaration *d) {
    struct functions *functions = context;
    if (d->is_macro) {
        functions->has_host_library |= includes_library(&scan->token[d->begin]);
        return;
    }
    functions->has_host_library |= d->is_library && !d->is_kernel;
    if (!d->open || !d->body)
        return;
    functions->has_main |= token_is(scan, d->name, "main") && scan->depth == 0;
    add_function(scan, functions, d);
}

void functions_find(struct functions *functions, const char *text) {
    *functions = (struct functions){.count = 0};
    walk_declarations(text, take_function, functions);
    follow_calls(functions, text);
}

void functions_release(struct functions *functions) {
    for (size_t i = 0; i < functions->count; i++) {
        struct function *function = &functions->function[i];
        release_parameters(function->parameters, function->parameter_count);
        release_parameters(function->of_template, function->template_count);
        free(function->name);
    }
    free(functions->function);
    *functions = (struct functions){.count = 0};
}

/* ---- without torch ---- */

static void strip(void *context, const struct scan *scan, const struct declaration *d) {
    struct text *stripped = context;
    const bool gone = d->is_macro ? includes_library(&scan->token[d->begin])
                                  : d->is_library && !d->is_kernel && !d->is_device;
    if (!gone)
        return;
    const struct cpp_token *last = &scan->token[d->end - 1];
    const size_t from = (size_t)(scan->token[d->begin].at - scan->text);
    const size_t to = (size_t)(last->at + last->length - scan->text);
    for (size_t i = from; i < to; i++)
        if (stripped->data[i] != '\n')
            stripped->data[i] = ' ';
}

void functions_strip_host_library(const char *text, struct text *stripped) {
    text_append(stripped, text);
    if (stripped->length)
        walk_declarations(text, strip, stripped);
}
