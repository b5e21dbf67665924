#include "device/own/launch_syntax.h"

#include "base/memory.h"
#include "base/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is no code --------------------------------------------------------------------------
 */

static const char *skip_quoted(const char *at, char quote) {
    for (at++; *at && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at == quote ? at + 1 : at;
}

/* R"delimiter(...)delimiter" */
static const char *skip_raw_string(const char *at) {
    const char *open = strchr(at, '(');
    if (!open)
        return at + 1;
    struct text end = TEXT_INIT;
    text_append_char(&end, ')');
    text_append_bytes(&end, at + 2, (size_t)(open - at - 2));
    text_append_char(&end, '"');
    const char *close = strstr(open, end.data);
    const char *after = close ? close + end.length : at + strlen(at);
    text_release(&end);
    return after;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a comment, a string or a character that begins at `at`; `at` itself if none does. `start`
 * is the beginning of the text: 1'000 is a number. */
static const char *skip_no_code(const char *at, const char *start) {
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == 'R' && at[1] == '"' && (at == start || !is_name(at[-1])))
        return skip_raw_string(at);
    if (at[0] == '"' || (at[0] == '\'' && (at == start || !isdigit((unsigned char)at[-1]))))
        return skip_quoted(at, at[0]);
    return at;
}

/* ---- a launch ---------------------------------------------------------------------------------
 */

struct launch {
    const char *kernel, *kernel_end;       /* "ns::kernel<int>" */
    const char *shape, *shape_end;         /* what stands between <<< and >>> */
    const char *arguments, *arguments_end; /* and between the parentheses */
    const char *end;                       /* behind them */
};

/* Where the bracket that closes the level begun before `at` stands: `close` at depth 0. */
static const char *find_close(const char *at, const char *start, const char *close) {
    int depth = 0;
    while (*at) {
        const char *after = skip_no_code(at, start);
        if (after != at) {
            at = after;
            continue;
        }
        if (depth == 0 && strncmp(at, close, strlen(close)) == 0)
            return at;
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at) && --depth < 0)
            return NULL;
        at++;
    }
    return NULL;
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* From the end of a bracketed part back to its beginning. */
static const char *back_over(const char *at, const char *start, char open, char close) {
    int depth = 0;
    while (at > start) {
        at--;
        if (*at == close)
            depth++;
        else if (*at == open && --depth == 0)
            return at;
    }
    return start;
}

/* The beginning of the kernel's name that ends before `at`: "k", "ns::k", "k<int, 4>", "(k)". */
static const char *kernel_start(const char *at, const char *start) {
    if (at > start && at[-1] == ')')
        return back_over(at, start, '(', ')');
    if (at > start && at[-1] == '>')
        at = back_over(at, start, '<', '>');
    while (at > start && (is_name(at[-1]) || (at - start >= 2 && at[-1] == ':' && at[-2] == ':')))
        at -= at[-1] == ':' ? 2 : 1;
    return at;
}

static bool is_operator(const char *at, const char *start) {
    static const char word[] = "operator";
    while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at - start >= (long)sizeof(word) - 1 &&
           memcmp(at - (sizeof(word) - 1), word, sizeof(word) - 1) == 0;
}

/* Reads the launch whose "<<<" stands at `at`; false if it is none. */
static bool read_launch(struct launch *launch, const char *at, const char *start) {
    launch->kernel_end = at;
    while (launch->kernel_end > start && isspace((unsigned char)launch->kernel_end[-1]))
        launch->kernel_end--;
    launch->kernel = kernel_start(launch->kernel_end, start);
    launch->shape = at + 3;
    launch->shape_end = find_close(launch->shape, start, ">>>");
    if (launch->kernel == launch->kernel_end || !launch->shape_end)
        return false;
    const char *open = skip_blanks(launch->shape_end + 3);
    launch->arguments = open + 1;
    launch->arguments_end = *open == '(' ? find_close(open + 1, start, ")") : NULL;
    launch->end = launch->arguments_end ? launch->arguments_end + 1 : NULL;
    return launch->end != NULL;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static void append_part(struct text *text, const char *from, const char *to) {
    text_append_bytes(text, from, (size_t)(to - from));
}

static void append_name(struct text *text, const char *from, const char *to) {
    for (; from < to; from++)
        text_append_char(text, *from == '"' || *from == '\\' || *from == '\n' ? ' ' : *from);
}

/* Line ends between the parts, so that what follows stays on its line. */
static void append_line_ends(struct text *text, const char *from, const char *to) {
    for (; from < to; from++)
        if (*from == '\n')
            text_append_char(text, '\n');
}

static void append_launch(struct text *text, const struct launch *launch) {
    const char *arguments = skip_blanks(launch->arguments);
    text_append(text, "::shflviz_launch_call(\"");
    append_name(text, launch->kernel, launch->kernel_end);
    text_append(text, "\", [&](auto... shflviz_arguments) { ");
    append_part(text, launch->kernel, launch->kernel_end);
    text_append(text, "(shflviz_arguments...); }, ::shflviz_shape(");
    append_line_ends(text, launch->kernel_end, launch->shape);
    append_part(text, launch->shape, launch->shape_end);
    text_append(text, ")");
    append_line_ends(text, launch->shape_end, launch->arguments);
    text_append(text, arguments == launch->arguments_end ? "" : ", ");
    append_part(text, launch->arguments, launch->arguments_end);
    text_append(text, ")");
}

/* ---- dynamic shared memory --------------------------------------------------------------------
 */

static const char *skip_word(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_name(at[length]) ? skip_blanks(at + length) : NULL;
}

/* The name in "extern __shared__ float name[]" if that begins at `at`, as a copy. */
static char *dynamic_array(const char *at, const char *start) {
    if (at > start && is_name(at[-1]))
        return NULL;
    const char *rest = skip_word(at, "extern");
    rest = rest ? skip_word(rest, "__shared__") : NULL;
    const char *bracket = rest ? rest + strcspn(rest, "[;") : NULL;
    if (!bracket || *bracket != '[')
        return NULL;
    while (isspace((unsigned char)bracket[-1]))
        bracket--;
    const char *name = bracket;
    while (is_name(name[-1]))
        name--;
    struct text text = TEXT_INIT;
    append_part(&text, name, bracket);
    return text_detach(&text);
}

static int take_dynamic(struct launch_syntax *syntax, char *name) {
    int same = !syntax->dynamic_shared || strcmp(syntax->dynamic_shared, name) == 0;
    if (!syntax->dynamic_shared)
        syntax->dynamic_shared = name;
    else
        free(name);
    return same ? 0 : -1;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static unsigned line_of(const char *at, const char *start) {
    unsigned line = 1;
    for (; start < at; start++)
        line += *start == '\n';
    return line;
}

/* Takes away what has been copied of a kernel's name, which is written elsewhere. */
static void take_back(struct text *text, size_t bytes) {
    text->length -= bytes;
    text->data[text->length] = '\0';
}

int launch_syntax_translate(struct launch_syntax *syntax, const char *source, const char *file,
                            struct error *err) {
    *syntax = (struct launch_syntax){.text = TEXT_INIT};
    for (const char *at = source; *at;) {
        const char *after = skip_no_code(at, source);
        struct launch launch;
        if (after != at) {
            append_part(&syntax->text, at, after);
            at = after;
            continue;
        }
        char *name = *at == 'e' ? dynamic_array(at, source) : NULL;
        if (name && take_dynamic(syntax, name) != 0)
            return error_set(err, ERROR_USAGE,
                             _("%s:%u: a second name for dynamic shared memory\n"
                               "allowed: one extern __shared__ name in a file"),
                             file, line_of(at, source));
        if (strncmp(at, "<<<", 3) != 0 || is_operator(at, source)) {
            text_append_char(&syntax->text, *at++);
            continue;
        }
        if (!read_launch(&launch, at, source))
            return error_set(err, ERROR_USAGE,
                             _("%s:%u: <<< begins a launch that cannot be read\n"
                               "allowed: kernel<<<grid, block>>>(arguments)"),
                             file, line_of(at, source));
        take_back(&syntax->text, (size_t)(at - launch.kernel));
        append_launch(&syntax->text, &launch);
        syntax->launches++;
        at = launch.end;
    }
    return 0;
}

void launch_syntax_release(struct launch_syntax *syntax) {
    text_release(&syntax->text);
    free(syntax->dynamic_shared);
    syntax->dynamic_shared = NULL;
}
