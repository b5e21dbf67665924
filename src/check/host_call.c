/*
 * host_call.c - finds the CUDA function that the host calls at a line of the source: its name, and
 * whether the program ignores what the call returns.
 */
#include "bring/cpp_text.h"
#include "check/report.h"

#include <stdio.h>
#include <string.h>

#define DEPTH_MOST 64

/* A walk over the tokens of a source. */
struct walk {
    struct cpp_reader reader;
    struct cpp_token before; /* the last token */
    bool begins;             /* a statement begins here */
    bool after[DEPTH_MOST];  /* its value after each open bracket closes */
    unsigned depth;
};

static void track_token(struct walk *walk, struct cpp_token token) {
    const struct cpp_token *before = &walk->before;
    if (token.kind == CPP_DIRECTIVE)
        return;
    walk->begins = cpp_is(&token, ";") || cpp_is(&token, "{") || cpp_is(&token, "}") ||
                   cpp_is(&token, "else") || cpp_is(&token, "do");
    if (cpp_is(&token, "(") && walk->depth++ < DEPTH_MOST)
        walk->after[walk->depth - 1] =
            cpp_is(before, "if") || cpp_is(before, "while") || cpp_is(before, "for");
    if (cpp_is(&token, ")") && walk->depth > 0 && --walk->depth < DEPTH_MOST)
        walk->begins = walk->after[walk->depth];
    walk->before = token;
}

/* Skips the brackets that follow; *after gets the token after them. False if none follow. */
static bool skip_arguments(struct cpp_reader *reader, struct cpp_token *after) {
    int depth = 1;
    *after = cpp_next(reader);
    if (!cpp_is(after, "("))
        return false;
    while (depth > 0 && (*after = cpp_next(reader)).kind != CPP_END)
        depth += cpp_is(after, "(") - cpp_is(after, ")");
    *after = cpp_next(reader);
    return true;
}

static bool take_call(struct check_host_call *call, const struct walk *walk,
                      struct cpp_token token) {
    struct cpp_reader reader = walk->reader;
    struct cpp_token after;
    if (cpp_is(&token, "<") && strncmp(token.at, "<<<", 3) == 0) {
        call->is_launch = call->is_dropped = true;
        return true;
    }
    if (token.kind != CPP_WORD || strncmp(token.at, "cuda", 4) != 0 ||
        token.length >= sizeof call->name || !skip_arguments(&reader, &after))
        return false;
    snprintf(call->name, sizeof call->name, "%.*s", (int)token.length, token.at);
    call->is_dropped = walk->begins && cpp_is(&after, ";");
    return true;
}

bool check_host_call_at(const char *source, uint32_t line, struct check_host_call *call) {
    struct walk walk = {.reader = {.at = source}, .begins = true};
    const char *counted = source;
    uint32_t at_line = 1;
    *call = (struct check_host_call){.is_launch = false};
    if (!source)
        return false;
    for (struct cpp_token token; (token = cpp_next(&walk.reader)).kind != CPP_END;) {
        for (; counted < token.at; counted++)
            at_line += *counted == '\n';
        if (at_line > line)
            return false;
        if (at_line == line && take_call(call, &walk, token))
            return true;
        track_token(&walk, token);
    }
    return false;
}
