/*
 * host_call.c - the call of a CUDA function that the host makes at a line, from the source: its
 * name, and whether the program ignores what the call returns.
 */
#include "check/report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MOST 64

/* A walk over the tokens of a source. */
struct walk {
    const char *at;
    uint32_t line;
    bool begins;            /* a statement begins here */
    bool after[DEPTH_MOST]; /* its value after each open bracket closes */
    unsigned depth;
    const char *word; /* the last token, if that is a word; else NULL */
    size_t length;
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_to(struct walk *walk, const char *end) {
    for (; walk->at < end && *walk->at; walk->at++)
        walk->line += *walk->at == '\n';
}

/* Skips what is not a token: white space, a comment or a preprocessor line. Returns `at` if there
 * is nothing to skip. */
static const char *end_of_space(const char *at, bool line_begins) {
    const char *end = at + strspn(at, " \t\r\n\f\v");
    if (end > at)
        return end;
    if (strncmp(at, "/*", 2) == 0)
        return (end = strstr(strchr(at, '*') + 1, "*/")) ? end + 2 : at + strlen(at);
    if (strncmp(at, "//", 2) != 0 && !(line_begins && *at == '#'))
        return at;
    for (; *end && *end != '\n'; end++)
        end += *end == '\\' && end[1];
    return end;
}

static const char *end_of_string(const char *at) {
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}

static bool word_is(const struct walk *walk, const char *word) {
    return walk->word && walk->length == strlen(word) &&
           strncmp(walk->word, word, walk->length) == 0;
}

static void take_mark(struct walk *walk) {
    const char c = *walk->at;
    walk->begins = c == ';' || c == '{' || c == '}';
    if (c == '(' && walk->depth < DEPTH_MOST)
        walk->after[walk->depth] =
            word_is(walk, "if") || word_is(walk, "while") || word_is(walk, "for");
    if (c == '(')
        walk->depth++;
    if (c == ')' && walk->depth > 0 && --walk->depth < DEPTH_MOST)
        walk->begins = walk->after[walk->depth];
    walk->word = NULL;
    skip_to(walk, walk->at + 1);
}

/* The position after the bracket that closes the one at `at`. */
static const char *behind(const char *at) {
    int depth = 0;
    do {
        depth += (*at == '(') - (*at == ')');
        at = *at == '"' || *at == '\'' ? end_of_string(at) : at + 1;
    } while (*at && depth > 0);
    return at;
}

/* True for the name of a CUDA function before the bracket of its arguments. */
static bool is_call(const struct walk *walk, const char **open) {
    *open = walk->word + walk->length;
    *open += strspn(*open, " \n");
    return strncmp(walk->word, "cuda", 4) == 0 && **open == '(';
}

static bool take_call(struct check_host_call *call, const struct walk *walk, bool begins) {
    const char *open;
    if (strncmp(walk->at, "<<<", 3) == 0) {
        call->is_launch = call->is_dropped = true;
        return true;
    }
    if (!walk->word || !is_call(walk, &open) || walk->length >= sizeof call->name)
        return false;
    snprintf(call->name, sizeof call->name, "%.*s", (int)walk->length, walk->word);
    const char *end = behind(open);
    end += strspn(end, " \t\r\n");
    call->is_dropped = begins && *end == ';';
    return true;
}

bool check_host_call_at(const char *source, uint32_t line, struct check_host_call *call) {
    struct walk walk = {.at = source, .line = 1, .begins = true};
    *call = (struct check_host_call){.is_launch = false};
    while (source && *walk.at && walk.line <= line) {
        const bool line_begins = walk.at == source || walk.at[-1] == '\n';
        const char *end = end_of_space(walk.at, line_begins);
        if (end > walk.at) {
            skip_to(&walk, end);
        } else if (is_word(*walk.at)) {
            const bool begins = walk.begins;
            walk.word = walk.at;
            while (is_word(*walk.at))
                walk.at++;
            walk.length = (size_t)(walk.at - walk.word);
            if (walk.line == line && take_call(call, &walk, begins))
                return true;
            walk.begins = word_is(&walk, "else") || word_is(&walk, "do");
        } else if (*walk.at == '"' || *walk.at == '\'') {
            skip_to(&walk, end_of_string(walk.at));
            walk.begins = false;
            walk.word = NULL;
        } else if (walk.line == line && take_call(call, &walk, false)) {
            return true;
        } else {
            take_mark(&walk);
        }
    }
    return false;
}
