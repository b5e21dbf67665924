#include "cudacpu/frontend/written.h"

#include "cudacpu/frontend/preprocessed.h"

#include <stdbool.h>
#include <string.h>

/* From the end of a bracketed part back to its opening bracket, not beyond `floor`. What stands in
 * round brackets between angle ones compares, as in "k<(n > 4)>". */
static size_t back_over(const struct written *w, size_t at, char open, char close) {
    int depth = 0, round = 0;
    while (at > w->floor) {
        at--;
        if (open == '<')
            round += (w->text[at] == ')') - (w->text[at] == '(');
        if (round > 0)
            continue;
        if (w->text[at] == close)
            depth++;
        else if (w->text[at] == open && --depth == 0)
            return at;
    }
    return w->floor;
}

size_t written_blanks(const struct written *w, size_t at) {
    while (at > w->floor && is_blank(w->text[at - 1]))
        at--;
    return at;
}

/* Before `at` in what has been written, behind blanks: the beginning of a name, of brackets, or
 * `at` itself. */
static size_t back_one(const struct written *w, size_t at) {
    const char *out = w->text;
    if (at == w->floor)
        return at;
    switch (out[at - 1]) {
    case ')':
        return back_over(w, at, '(', ')');
    case ']':
        return back_over(w, at, '[', ']');
    case '>':
        return back_over(w, at, '<', '>');
    default:
        while (at > w->floor && is_name(out[at - 1]))
            at--;
        return at;
    }
}

/* What has been written before `at`, down to `floor`; '\0' beyond it. */
static char written_before(const struct written *w, size_t at, size_t distance) {
    return at >= w->floor + distance ? w->text[at - distance] : '\0';
}

/* Whether a word ends at `end` behind which an expression begins. */
static bool is_statement(const struct written *w, size_t end) {
    static const char *const words[] = {"return", "else", "do"};
    size_t start = end;
    while (is_name(written_before(w, start, 1)))
        start--;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (end - start == strlen(words[i]) && memcmp(w->text + start, words[i], end - start) == 0)
            return true;
    return false;
}

/* Whether brackets from `start` on that close with `close` belong to the expression before them, as
 * in "k<int>", "table[i]", "choose(n)"; *end is where that ends. */
static bool has_owner(const struct written *w, size_t start, char close, size_t *end) {
    *end = written_blanks(w, start);
    char last = written_before(w, *end, 1);
    /* if (x) (k)<<<...>>>: a round bracket behind a round one is another statement's. */
    bool owned = is_name(last) || last == ']' || (last == ')' && close != ')') ||
                 (last == '>' && close == ')'); /* choose<int>(n) */
    return owned && !is_statement(w, *end);
}

/* How long the operator is that joins what begins at `start` to what is before it; 0: none does. */
static size_t joint_length(const struct written *w, size_t start) {
    char first = written_before(w, start, 2), second = written_before(w, start, 1);
    if ((first == ':' && second == ':') || (first == '-' && second == '>'))
        return 2;
    return second == '.';
}

size_t written_kernel(const struct written *w, size_t at) {
    for (;;) {
        char last = written_before(w, at, 1);
        size_t start = back_one(w, at);
        if (start != at && last != '\0' && strchr(")]>", last) && has_owner(w, start, last, &at))
            continue;
        const size_t before = written_blanks(w, start); /* a line may end behind "n::" */
        const size_t joint = joint_length(w, before);
        if (joint == 0)
            return start;
        at = before - joint;
        const size_t owner = written_blanks(w, at);
        last = written_before(w, owner, 1);
        const char *owners = w->text[at] == ':' ? ">" : ")]>"; /* if (x) ::k */
        if (!(is_name(last) || (last != '\0' && strchr(owners, last))) || is_statement(w, owner))
            return at; /* "::k" of no namespace, too */
        at = owner;
    }
}
