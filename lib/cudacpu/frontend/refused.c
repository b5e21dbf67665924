#include "cudacpu/frontend/refused.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cudacpu/frontend/words.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 100 /* of namespaces and classes in each other */

enum { IS_GLOBAL = 1, IS_DEVICE = 2, IS_HOST = 4, IS_CONSTEXPR = 8, IS_TEMPLATE = 16 };

/* What a name of the file's is. One that is anything else anywhere, too, is not looked at. */
struct meaning {
    uint32_t functions, kernels, devices, hosts; /* heads of functions outside classes, by kind */
    uint32_t others; /* templates, members, variables, parameters, ... */
    uint32_t bodies;
    uint32_t variable; /* a host's variable of the whole file, plus one; 0: none */
};

/* Of a function. */
struct body {
    uint32_t open; /* its bracket */
    unsigned is;
};

struct refusing {
    struct words words;
    struct meaning *meaning; /* by the number of the name */
    bool *is_head;           /* by word: it is the name in the head of a function or variable */
    struct body *body;       /* looked at in a second round, when all names are known */
    size_t body_count;
    uint32_t at; /* the word of the first thing refused; WORDS_NONE: none */
    struct error *err;
};

/* One function. */
struct head {
    uint32_t from, name; /* words; name WORDS_NONE: an operator, a member elsewhere */
    unsigned is;
    bool in_class;
};

static bool is(const struct refusing *r, uint32_t at, const char *text) {
    return words_is(&r->words, at, text);
}

static bool is_any(const struct refusing *r, uint32_t at, const char *const *list) {
    for (; *list; list++)
        if (is(r, at, *list))
            return true;
    return false;
}

static const struct word *word(const struct refusing *r, uint32_t at) {
    return &r->words.word[at];
}

static bool is_named(const struct refusing *r, uint32_t at) {
    return at < r->words.count && word(r, at)->kind == WORD_NAME;
}

static struct meaning *meaning(const struct refusing *r, uint32_t at) {
    return &r->meaning[word(r, at)->name];
}

/* Only the first thing of the text is told. %.*s of the sentence is the name at `name`. */
static void refuse(struct refusing *r, uint32_t at, uint32_t name, const char *sentence,
                   const char *allowed) {
    const struct word *place = word(r, at), *named = word(r, name);
    struct text text = TEXT_INIT;
    if (r->at <= at)
        return;
    r->at = at;
    text_append_format(&text, "%.*s:%u: %.*s: %s\n%s", (int)place->file_length, place->file,
                       place->line, (int)named->length, named->at, sentence, allowed);
    *r->err = (struct error)ERROR_INIT;
    error_set(r->err, ERROR_USAGE, "%s", text.data);
    text_release(&text);
}

/* ---- declarations ---- */

static void scan_scope(struct refusing *r, uint32_t from, uint32_t to, bool in_class,
                       bool in_template, int depth);

/* Behind the <...> at `at`. */
static uint32_t behind_angles(const struct refusing *r, uint32_t at, uint32_t to) {
    int open = 0;
    for (; at < to; at++) {
        open += is(r, at, "<");
        open -= is(r, at, ">");
        if (is(r, at, "("))
            at = word(r, at)->partner;
        if (open == 0)
            return at + 1;
    }
    return to;
}

static unsigned qualifier(const struct refusing *r, uint32_t at) {
    return is(r, at, "__global__")                                 ? IS_GLOBAL
           : is(r, at, "__device__")                               ? IS_DEVICE
           : is(r, at, "__host__")                                 ? IS_HOST
           : is(r, at, "constexpr") || is(r, at, "consteval")      ? IS_CONSTEXPR
           : is(r, at, "__constant__") || is(r, at, "__managed__") ? IS_DEVICE
                                                                   : 0;
}

static const char *const value_types[] = {"int",  "float",    "double", "bool",   "char", "short",
                                          "long", "unsigned", "signed", "size_t", NULL};

/* A kernel gives nothing back, and belongs to no class. */
static void check_kernel(struct refusing *r, const struct head *head) {
    bool is_void = false, is_value = false;
    if (!(head->is & IS_GLOBAL) || head->name == WORDS_NONE)
        return;
    for (uint32_t i = head->from; i < head->name; i++) {
        is_void = is_void || is(r, i, "void") || is(r, i, "auto") || is(r, i, "friend");
        is_value = is_value || is_any(r, i, value_types);
        if (is(r, i, "(") || is(r, i, "{"))
            i = word(r, i)->partner;
    }
    if (is_value && !is_void)
        refuse(r, head->name, head->name, _("a kernel gives nothing back: its type is void"),
               _("allowed: __global__ void NAME(...), with results in memory"));
    for (uint32_t i = head->from; i < head->name; i++)
        if (is(r, i, "friend"))
            return;
    if (head->in_class)
        refuse(r, head->name, head->name, _("a kernel cannot be a member of a class"),
               _("allowed: __global__ functions outside classes"));
}

static void count_function(struct refusing *r, const struct head *head, bool has_body) {
    check_kernel(r, head);
    if (head->name == WORDS_NONE)
        return;
    struct meaning *m = meaning(r, head->name);
    r->is_head[head->name] = true;
    m->bodies += has_body;
    if (head->in_class || head->is & (IS_TEMPLATE | IS_CONSTEXPR)) {
        m->others++;
        return;
    }
    m->functions++;
    m->kernels += (head->is & IS_GLOBAL) != 0;
    m->devices += (head->is & (IS_DEVICE | IS_HOST)) == IS_DEVICE;
    m->hosts += (head->is & (IS_DEVICE | IS_GLOBAL)) == 0;
}

/* int n = 32; at the top of the file. */
static void count_variable(struct refusing *r, const struct head *head, uint32_t end) {
    static const char *const leave[] = {
        "const",  "constexpr", "extern",     "using",        "typedef",   "static_assert",
        "struct", "class",     "enum",       "union",        "template",  "operator",
        "friend", "asm",       "__shared__", "thread_local", "namespace", NULL};
    uint32_t name = WORDS_NONE;
    if (head->in_class || head->is)
        return;
    for (uint32_t i = head->from; i < end; i++)
        if (is_any(r, i, leave) || is(r, i, "<") || is(r, i, ",") || is(r, i, "(") || is(r, i, "&"))
            return;
    for (uint32_t i = head->from; i < end && name == WORDS_NONE; i++)
        if (is_named(r, i) && i > head->from &&
            (is(r, i + 1, "=") || is(r, i + 1, ";") || is(r, i + 1, "[") || is(r, i + 1, "{")))
            name = i;
    if (name == WORDS_NONE)
        return;
    r->is_head[name] = true;
    if (meaning(r, name)->variable)
        meaning(r, name)->others++;
    meaning(r, name)->variable = name + 1;
}

/* All names of what cannot be read mean something else, too. */
static void spoil(struct refusing *r, const struct head *head, uint32_t end) {
    for (uint32_t i = head->from; i < end; i++)
        if (is_named(r, i))
            meaning(r, i)->others++;
}

static void keep_body(struct refusing *r, const struct head *head, uint32_t open) {
    if ((r->body_count & (r->body_count - 1)) == 0)
        r->body = memory_grow(r->body, r->body_count ? 2 * r->body_count : 1, sizeof *r->body);
    r->body[r->body_count++] = (struct body){open, head->is};
}

/* What of a declaration has been read. */
struct reading {
    struct head head;
    bool has_parameters, has_value, is_type, is_scope;
    bool has_members; /* the colon of a constructor */
    bool is_odd;      /* more than one function: a macro that nobody knows stands before it */
};

/* The bracket of the parameters, and the name before it. */
static void read_parameters(struct refusing *r, struct reading *d, uint32_t at) {
    static const char *const no_names[] = {"__attribute__", "alignas",  "decltype", "noexcept",
                                           "explicit",      "operator", "throw",    NULL};
    if (d->has_value || at == 0 || is_any(r, at - 1, no_names))
        return;
    if (d->has_parameters) {
        d->is_odd = d->is_odd || (!d->has_members && is_named(r, at - 1));
        return;
    }
    d->has_parameters = true;
    if (is_named(r, at - 1) && at - 1 > d->head.from && !is(r, at - 2, "::") &&
        !is(r, at - 2, "~") && !is(r, at - 2, "operator"))
        d->head.name = at - 1;
}

static void read_word(struct refusing *r, struct reading *d, uint32_t at, uint32_t to) {
    static const char *const types[] = {"struct", "class", "union", "enum", NULL};
    d->head.is |= qualifier(r, at);
    if (is(r, at, "="))
        d->has_value = true;
    if (!d->has_parameters && is_any(r, at, types))
        d->is_type = true;
    if (is(r, at, "namespace"))
        d->is_scope = true;
    if (is(r, at, "extern") && at + 1 < to && word(r, at + 1)->kind == WORD_OTHER)
        d->is_scope = true;
    if (d->has_parameters && is(r, at, ":"))
        d->has_members = true;
    if (is(r, at, "("))
        read_parameters(r, d, at);
}

static void end_declaration(struct refusing *r, const struct reading *d, uint32_t end) {
    if (d->is_odd)
        spoil(r, &d->head, end);
    else if (d->has_parameters && !d->has_value)
        count_function(r, &d->head, false);
    else if (!d->has_parameters)
        count_variable(r, &d->head, end + 1);
}

/* The braces at `at`. True if the declaration ends with them. */
static bool take_braces(struct refusing *r, const struct reading *d, uint32_t at, bool in_template,
                        int depth) {
    const uint32_t close = word(r, at)->partner;
    if (d->is_scope && !d->has_parameters) {
        scan_scope(r, at + 1, close, false, in_template, depth + 1);
        return true;
    }
    const bool is_member = is_named(r, at - 1) && (is(r, close + 1, ",") || is(r, close + 1, "{"));
    if (d->has_parameters && !d->has_value && !d->is_type && !is_member) {
        if (d->is_odd) {
            spoil(r, &d->head, at);
        } else {
            count_function(r, &d->head, true);
            keep_body(r, &d->head, at);
        }
        return true;
    }
    if (d->is_type && !d->has_value)
        scan_scope(r, at + 1, close, true, (d->head.is & IS_TEMPLATE) != 0, depth + 1);
    return false;
}

/* One declaration, from `at` on; behind it. */
static uint32_t scan_declaration(struct refusing *r, uint32_t at, uint32_t to, bool in_class,
                                 bool in_template, int depth) {
    static const char *const access[] = {"public", "private", "protected", NULL};
    while (at + 1 < to && is_any(r, at, access) && is(r, at + 1, ":"))
        at += 2;
    struct reading d = {.head = {at, WORDS_NONE, in_template ? IS_TEMPLATE : 0, in_class}};
    while (is(r, at, "template") && is(r, at + 1, "<")) {
        d.head.is |= IS_TEMPLATE;
        at = behind_angles(r, at + 1, to);
    }
    for (; at < to; at++) {
        if (is(r, at, ";")) {
            end_declaration(r, &d, at);
            return at + 1;
        }
        read_word(r, &d, at, to);
        if (is(r, at, "{") && take_braces(r, &d, at, in_template, depth))
            return word(r, at)->partner + 1;
        if (is(r, at, "(") || is(r, at, "[") || is(r, at, "{"))
            at = word(r, at)->partner;
    }
    return to;
}

static void scan_scope(struct refusing *r, uint32_t from, uint32_t to, bool in_class,
                       bool in_template, int depth) {
    while (from < to && depth < DEPTH_MOST)
        from = scan_declaration(r, from, to, in_class, in_template, depth);
}

/* ---- uses ---- */

static bool is_behind_owner(const struct refusing *r, uint32_t at) {
    return at > 0 && (is(r, at - 1, ".") || is(r, at - 1, "->") || is(r, at - 1, "::"));
}

/* Words that an expression may follow. */
static bool begins_expression(const struct refusing *r, uint32_t at) {
    static const char *const before[] = {"return", "else", "do",  "case", "throw",
                                         "and",    "or",   "not", NULL};
    return is_any(r, at, before);
}

/* What a comma separates is declared: "int a, name", "for (int i = 0, name = 5; ...)". */
static bool is_list(const struct refusing *r, uint32_t open) {
    return open == WORDS_NONE || is(r, open, "{") || (open > 0 && is(r, open - 1, "for"));
}

/* "T name", "T *name", "T (&name)[4]", "auto [a, name]", "[name = 1]": the name is declared here as
 * something of its own. */
static bool may_declare(const struct refusing *r, uint32_t at) {
    const uint32_t before = at - 1, inside = word(r, at)->inside;
    if (at == 0 || is_behind_owner(r, at) || is(r, at + 1, "::"))
        return false;
    if (is_named(r, before))
        return !begins_expression(r, before);
    if (inside != WORDS_NONE && is(r, inside, "[") &&
        (is(r, at + 1, "=") ||
         (inside > 0 && (is(r, inside - 1, "auto") || is(r, inside - 1, "&")))))
        return true;
    if (is(r, before, ","))
        return is_list(r, inside);
    if (is(r, before, "*") || is(r, before, "&") || is(r, before, ">"))
        return before == 0 || is_named(r, before - 1) || is(r, before - 1, ">") ||
               is(r, before - 1, "*") || is(r, before - 1, "&") || is(r, at + 1, ")");
    return false;
}

static void count_uses(struct refusing *r) {
    for (uint32_t i = 0; i < r->words.count; i++)
        if (is_named(r, i) && !r->is_head[i] && may_declare(r, i))
            meaning(r, i)->others++;
}

/* A call for sure: name(...) in an expression. */
static bool is_call(const struct refusing *r, uint32_t at) {
    return is(r, at + 1, "(") && at > 0 && !is_behind_owner(r, at) && !may_declare(r, at) &&
           !is(r, at - 1, "*") && !is(r, at - 1, "&") && !is(r, at - 1, ">");
}

/* The name means functions of one kind, in the whole text and nothing else. */
static bool is_only(const struct refusing *r, uint32_t at, uint32_t kind) {
    const struct meaning *m = meaning(r, at);
    return kind > 0 && kind == m->functions && m->others == 0 && !m->variable;
}

static bool is_elsewhere(const struct refusing *r, uint32_t at) {
    return words_are_called_elsewhere(&r->words, word(r, at));
}

/* Behind what is not evaluated. */
static uint32_t skip_unevaluated(const struct refusing *r, uint32_t at) {
    static const char *const words[] = {"sizeof",  "decltype", "noexcept",
                                        "alignof", "typeid",   NULL};
    return is_any(r, at, words) && is(r, at + 1, "(") ? word(r, at + 1)->partner : at;
}

/* ---- what a function's body says ---- */

/* Of the C and the C++ library, of which nothing is there for a device. */
static const char *const host_calls[] = {
    "rand", "srand",   "time",   "exit",    "fopen",    "fclose", "fprintf", "scanf",
    "puts", "putchar", "getenv", "sprintf", "snprintf", "atoi",   "qsort",   NULL};
static const char *const host_names[] = {
    "cout",         "cerr",     "clog",          "cin",           "endl",
    "vector",       "string",   "to_string",     "map",           "set",
    "list",         "deque",    "unordered_map", "unordered_set", "ostringstream",
    "stringstream", "ifstream", "ofstream",      "thread",        NULL};

static const char not_of_device[] =
    N_("belongs to the host, and a kernel or __device__ function uses it");
static const char what_devices_call[] =
    N_("allowed: functions and variables that are declared __device__, or __host__ __device__");

static void check_device_word(struct refusing *r, uint32_t at) {
    const struct meaning *m = meaning(r, at);
    bool refused = false;
    if (is(r, at, "std") && is(r, at + 1, "::") && is_any(r, at + 2, host_names)) {
        refuse(r, at, at + 2, _(not_of_device), _(what_devices_call));
        return;
    }
    if (is_behind_owner(r, at))
        return;
    if (is_call(r, at) && is_any(r, at, host_calls))
        refused = m->functions == 0 && m->others == 0;
    else if (is_call(r, at))
        refused = is_only(r, at, m->hosts) && m->bodies > 0 && !is_elsewhere(r, at);
    else if (m->variable)
        refused = m->functions == 0 && m->others == 0 && !is(r, at + 1, "::");
    if (refused)
        refuse(r, at, at, _(not_of_device), _(what_devices_call));
}

static void check_host_word(struct refusing *r, uint32_t at) {
    const struct meaning *m = meaning(r, at);
    if (is_call(r, at) && is_only(r, at, m->devices) && m->bodies > 0 && !is_elsewhere(r, at))
        refuse(r, at, at, _("is a __device__ function, and a function of the host calls it"),
               _("allowed: functions that are declared __host__ __device__, or a kernel's launch"));
}

static void check_any_word(struct refusing *r, uint32_t at) {
    const struct meaning *m = meaning(r, at);
    const bool launched = is(r, at + 1, "<") && is(r, at + 2, "<") && is(r, at + 3, "<");
    if (is_call(r, at) && is_only(r, at, m->kernels) &&
        (is(r, at - 1, ";") || is(r, at - 1, "{") || is(r, at - 1, "}")))
        refuse(r, at, at, _("is a kernel, and called like a function"),
               _("allowed: kernel<<<grid, block>>>(arguments)"));
    if (launched && !is_behind_owner(r, at) && !may_declare(r, at) &&
        (is_only(r, at, m->hosts) || is_only(r, at, m->devices)))
        refuse(r, at, at, _("is launched, and no kernel: it is not declared __global__"),
               _("allowed: __global__ void NAME(...), launched as NAME<<<grid, block>>>(...)"));
}

static bool body_has(const struct refusing *r, uint32_t from, uint32_t to, const char *first,
                     const char *second) {
    for (; from < to; from++)
        if (is(r, from, first) && (!second || is(r, from + 1, second)))
            return true;
    return false;
}

static void check_body(struct refusing *r, const struct body *body) {
    const uint32_t close = word(r, body->open)->partner;
    const bool is_device = body->is & (IS_GLOBAL | IS_DEVICE) && !(body->is & IS_HOST);
    const bool is_host = !(body->is & (IS_GLOBAL | IS_DEVICE)) &&
                         !body_has(r, body->open, close, "__device__", NULL);
    if (body->is & (IS_TEMPLATE | IS_CONSTEXPR) ||
        body_has(r, body->open, close, "if", "constexpr"))
        return;
    for (uint32_t i = body->open + 1; i < close; i++) {
        i = skip_unevaluated(r, i);
        if (!is_named(r, i))
            continue;
        check_any_word(r, i);
        if (is_device)
            check_device_word(r, i);
        else if (is_host)
            check_host_word(r, i);
    }
}

/* __shared__ int sum = 0; */
static void check_shared(struct refusing *r, uint32_t at) {
    const uint32_t inside = word(r, at)->inside;
    if (inside != WORDS_NONE && is(r, inside, "("))
        return;
    for (uint32_t i = at + 1; i < r->words.count && !is(r, i, ";") && !is(r, i, "{"); i++) {
        if (is(r, i, "=") && !is(r, i - 1, "operator")) {
            refuse(r, at, at, _("a variable in shared memory has no value to begin with"),
                   _("allowed: __shared__ TYPE NAME; and one thread that sets it, before a "
                     "__syncthreads()"));
            return;
        }
        if (is(r, i, "(") || is(r, i, "["))
            i = word(r, i)->partner;
        else if (is(r, i, ")"))
            return;
    }
}

int refuse_cuda(const char *source, size_t length, char *const *skipped, struct error *err) {
    struct refusing r = {.at = WORDS_NONE, .err = err};
    if (words_read(&r.words, source, length, skipped) && r.words.count > 0) {
        r.meaning = memory_zeroed(r.words.names + 1, sizeof *r.meaning);
        r.is_head = memory_zeroed(r.words.count, sizeof *r.is_head);
        scan_scope(&r, 0, r.words.count, false, false, 0);
        count_uses(&r);
        for (size_t i = 0; i < r.body_count; i++)
            check_body(&r, &r.body[i]);
        for (uint32_t i = 0; i < r.words.count; i++)
            if (is(&r, i, "__shared__"))
                check_shared(&r, i);
    }
    free(r.meaning);
    free(r.is_head);
    free(r.body);
    words_free(&r.words);
    return r.at == WORDS_NONE ? 0 : -1;
}
