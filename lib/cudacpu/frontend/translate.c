#include "cudacpu/frontend/translate.h"

#include "base/message.h"
#include "cudacpu/frontend/launch_zero.h"
#include "cudacpu/frontend/preprocessed.h"
#include "cudacpu/frontend/small_kernels.h"
#include "cudacpu/frontend/tell_shared.h"
#include "cudacpu/frontend/written.h"
#include "cudacpu/ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A launch whose <<< has been written and whose >>> has not. Launches nest only in lambdas among
 * the arguments of another. */
#define LAUNCHES_OPEN 16

struct translator {
    struct translation *result;
    struct text *out; /* &result->text */
    const char *at, *end;
    const struct translate_options *options;
    const char *file; /* of the last line marker; not NUL-terminated */
    size_t file_length;
    unsigned line;
    bool in_system_header;
    size_t floor;        /* in `out`: a kernel's name does not begin before it */
    int depth;           /* of brackets, in the text */
    int arguments_depth; /* that of the arguments of the last launch; 0: they have ended */
    struct {
        int depth; /* that of its <<< */
        unsigned line;
    } open[LAUNCHES_OPEN];
    size_t open_count;
    struct {
        bool pending; /* the word template has been read, its { not */
        int before;   /* the depth at that word */
        int depth;    /* within its braces; 0: in no template */
    } in_template;
    struct {
        struct text text; /* to be written behind the semicolon of a declaration */
        int depth;        /* that of the semicolon */
    } later;
    struct text small; /* names of kernels (small_kernels.h) */
    struct error *err;
};

static int fail(struct translator *t, const char *what, const char *allowed) {
    return error_set(t->err, ERROR_USAGE, "%.*s:%u: %s\n%s", (int)t->file_length, t->file, t->line,
                     what, allowed);
}

/* Passes `count` bytes through. */
static void pass(struct translator *t, size_t count) {
    for (size_t i = 0; i < count; i++)
        t->line += t->at[i] == '\n';
    text_append_bytes(t->out, t->at, count);
    t->at += count;
}

/* ---- line markers ---- */

static bool is_skipped(const struct translator *t) {
    for (char *const *folder = t->options->skipped; folder && *folder; folder++) {
        size_t length = strlen(*folder);
        if (t->file_length > length && t->file[length] == '/' &&
            memcmp(t->file, *folder, length) == 0)
            return true;
    }
    return false;
}

/* # 12 "file" 1 3: what follows is line 12 of file; flag 3 marks a system header. Returns the
 * marker's length. */
static size_t read_marker(struct translator *t, const char *at) {
    size_t length = line_length(at, t->end);
    char *after;
    const char *digits = at + 1;
    if (strncmp(digits, "line", 4) == 0)
        digits += 4;
    unsigned long line = strtoul(digits, &after, 10);
    const char *name = after + strspn(after, " \t");
    if (after != digits && *name == '"') {
        const char *close = name + 1;
        while (close < at + length && *close != '"')
            close += *close == '\\' ? 2 : 1;
        t->file = name + 1;
        t->file_length = (size_t)(close - t->file);
        t->in_system_header = is_skipped(t);
        for (const char *flag = close; flag < at + length; flag++)
            if (*flag == '3' && is_blank(flag[-1]))
                t->in_system_header = true;
    }
    t->line = after != digits ? (unsigned)line : t->line + 1;
    return length;
}

static void take_marker(struct translator *t) {
    size_t length = read_marker(t, t->at);
    text_append_bytes(t->out, t->at, length);
    t->at += length;
}

/* The ends of lines of what has been taken away, so that lines keep their numbers. */
static void append_lines_of(const struct translator *t, struct text *text, const char *from,
                            size_t length) {
    if (has_marker(from, length))
        text_append_format(text, "\n# %u \"%.*s\"\n", t->line, (int)t->file_length, t->file);
    else
        append_line_ends(text, from, length);
}

/* ---- launches ---- */

static struct written written_so_far(const struct translator *t) {
    return (struct written){t->out->data, t->floor};
}

static size_t back_blanks(const struct translator *t, size_t at) {
    const struct written written = written_so_far(t);
    return written_blanks(&written, at);
}

static bool is_operator(const struct translator *t) {
    static const char word[] = "operator";
    size_t at = back_blanks(t, t->out->length), length = sizeof word - 1;
    return at >= length && memcmp(t->out->data + at - length, word, length) == 0;
}

static const char launch_rule[] = N_("allowed: kernel<<<grid, block>>>(arguments)");

#define COLUMNS_MOST 400 /* on lines that are longer a compiler may point elsewhere */

/* What stands on the line that ends at `length` of what has been written, as blanks. False if the
 * line is none that a person reads. */
static bool append_indent(const struct translator *t, struct text *text, size_t length) {
    size_t start = length;
    while (start > 0 && t->out->data[start - 1] != '\n' && length - start <= COLUMNS_MOST)
        start--;
    if (t->file_length == 0 || length - start > COLUMNS_MOST)
        return false;
    for (; start < length; start++)
        text_append_char(text, t->out->data[start] == '\t' ? '\t' : ' ');
    return true;
}

/* Begins the line again at that indent: what follows is where the person wrote it, and a compiler
 * points there. */
static void append_place(struct translator *t, const struct text *indent) {
    text_append_format(t->out, "\n# %u \"%.*s\"\n%s", t->line, (int)t->file_length, t->file,
                       indent->data);
}

static int open_launch(struct translator *t, size_t length) {
    const struct written written = written_so_far(t);
    size_t end = back_blanks(t, t->out->length), start = written_kernel(&written, end);
    if (start == end)
        return fail(t, _("no kernel is named before <<<"), _(launch_rule));
    if (t->open_count == LAUNCHES_OPEN)
        return fail(t, _("too many launches inside the brackets of others"), _(launch_rule));
    struct text kernel = TEXT_INIT;
    append_in_line(&kernel, t->out->data + start, end - start);
    struct text between = TEXT_INIT;
    append_lines_of(t, &between, t->out->data + start, t->out->length - start);
    struct text before_kernel = TEXT_INIT, before_shape = TEXT_INIT;
    const bool in_line = !between.length && !memchr(t->at, '\n', length) &&
                         append_indent(t, &before_kernel, start) &&
                         append_indent(t, &before_shape, t->out->length);
    text_append_format(&before_shape, "%*s", (int)length, "");
    t->out->length = start;
    t->out->data[start] = '\0';
    small_kernels_begin_launch(&t->small, t->out, &kernel);
    text_append(t->out, ", [=](auto &&...shflviz_arguments) "
                        "__attribute__((no_sanitize(\"thread\"))) ");
    if (launch_has_zero(t->at + length, t->end)) /* the launcher asks which of two calls there is */
        text_append_format(t->out, "-> decltype((void)%s(shflviz_arguments...)) ", kernel.data);
    text_append(t->out, "{ ");
    if (in_line)
        append_place(t, &before_kernel);
    text_append_bytes(t->out, kernel.data, kernel.length);
    text_append_format(t->out,
                       "(shflviz_arguments...); }, [=](auto shflviz_pick) -> "
                       "decltype(shflviz_pick(%s)) { return shflviz_pick(%s); }, "
                       "::shflviz::shape(",
                       kernel.data, kernel.data);
    if (in_line)
        append_place(t, &before_shape);
    else
        text_append(t->out, between.data);
    text_release(&before_kernel);
    text_release(&before_shape);
    text_release(&between);
    text_release(&kernel);
    for (size_t i = 0; i < length; i++)
        if (t->at[i] == '\n') {
            text_append_char(t->out, '\n');
            t->line++;
        }
    t->at += length;
    t->floor = t->out->length;
    t->open[t->open_count].depth = t->depth;
    t->open[t->open_count++].line = t->line;
    t->result->launches++;
    return 0;
}

/* >>> closes the shape; the arguments stay where they are, as those of a call. */
static int close_launch(struct translator *t, size_t length) {
    const char *next = t->at + length;
    while (next < t->end && is_blank(*next))
        next++;
    if (next == t->end || *next != '(')
        return fail(t, _("a launch has no arguments behind >>>"), _(launch_rule));
    if (back_blanks(t, t->out->length) == t->floor)
        return fail(t, _("a launch has no grid and no block between <<< and >>>"), _(launch_rule));
    struct text indent = TEXT_INIT;
    const bool in_line = !memchr(t->at, '\n', length) && append_indent(t, &indent, t->out->length);
    text_append_format(&indent, "%*s", (int)length, "");
    text_append(t->out, ")).run");
    if (in_line)
        append_place(t, &indent);
    else
        append_line_ends(t->out, t->at, length);
    text_release(&indent);
    for (size_t i = 0; i < length; i++)
        t->line += t->at[i] == '\n';
    t->at += length;
    t->floor = t->out->length;
    t->open_count--;
    t->arguments_depth = t->depth + 1;
    return 0;
}

/* ---- shared memory ---- */

/* Takes the word that ends at *at away if it is one of a declaration's specifiers; says which. */
static bool specifier_before(const struct translator *t, size_t *at, const char *word) {
    size_t length = strlen(word), end = back_blanks(t, *at);
    if (end < t->floor + length || memcmp(t->out->data + end - length, word, length) != 0 ||
        (end > t->floor + length && is_name(t->out->data[end - length - 1])))
        return false;
    *at = end - length;
    return true;
}

/* Removes `static` and `extern` from the specifiers written so far of this declaration; volatile,
 * const and alignment stay. */
static void take_storage_back(struct translator *t, bool *is_extern) {
    struct text kept = TEXT_INIT;
    size_t at = t->out->length;
    for (;;) {
        static const char *const kept_words[] = {"volatile", "const"};
        size_t before = at;
        if (specifier_before(t, &at, "extern"))
            *is_extern = true;
        else if (!specifier_before(t, &at, "static")) {
            for (size_t i = 0; i < 2 && at == before; i++)
                if (specifier_before(t, &at, kept_words[i]))
                    text_append_format(&kept, "%s ", kept_words[i]);
            if (at == before)
                break;
        }
    }
    struct text ends = TEXT_INIT;
    append_line_ends(&ends, t->out->data + at, t->out->length - at);
    if (t->out->length > at) {
        t->out->length = at;
        t->out->data[at] = '\0';
        text_append_char(t->out, ' ');
        text_append(t->out, ends.data);
    }
    text_append(t->out, kept.data);
    text_release(&ends);
    text_release(&kept);
}

/* extern TYPE __shared__ NAME, static TYPE __shared__ NAME: the storage goes, and the type of what
 * is extern goes to `type`. */
static void take_type_back(struct translator *t, bool *is_extern, struct text *type) {
    static const char *const words[] = {"extern", "static"};
    size_t start = t->out->length;
    while (start > t->floor && !strchr(";{}#", t->out->data[start - 1]))
        start--;
    while (start < t->out->length && is_blank(t->out->data[start]))
        start++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        char *at = t->out->data + start;
        if (t->out->length - start <= length || memcmp(at, words[i], length) != 0 ||
            !is_blank(at[length]))
            continue;
        memset(at, ' ', length);
        if (i > 0)
            return;
        struct text ends = TEXT_INIT;
        *is_extern = true;
        append_in_line(type, at + length, t->out->length - start - length);
        append_line_ends(&ends, at, t->out->length - start);
        t->out->length = start;
        at[0] = '\0';
        text_append(t->out, ends.data);
        text_release(&ends);
        return;
    }
}

static bool next_word_is(const struct translator *t, const char *word) {
    size_t length = strlen(word);
    return (size_t)(t->end - t->at) > length && memcmp(t->at, word, length) == 0 &&
           !is_name(t->at[length]);
}

static void take_blanks(struct translator *t, struct text *blanks) {
    for (; t->at < t->end; t->at++)
        if (*t->at == '#' && t->at[-1] == '\n') {
            size_t length = read_marker(t, t->at);
            text_append_bytes(blanks, t->at, length);
            t->at += length - 1;
        } else if (is_blank(*t->at)) {
            t->line += *t->at == '\n';
            text_append_char(blanks, *t->at);
        } else
            break;
}

/* TYPE NAME SUFFIX between `from` and `end`, as a reference to dynamic shared memory. */
static int append_dynamic(struct translator *t, const char *before, const char *from,
                          const char *end) {
    const char *suffix = from;
    int angle = 0;
    for (; suffix < end && (angle > 0 || *suffix != '['); suffix++)
        angle += (*suffix == '<') - (*suffix == '>');
    const char *name_end = suffix;
    while (name_end > from && is_blank(name_end[-1]))
        name_end--;
    const char *name = name_end;
    while (name > from && is_name(name[-1]))
        name--;
    struct text plain = TEXT_INIT, type = TEXT_INIT;
    text_append(&plain, before);
    append_in_line(&plain, from, (size_t)(name - from));
    for (const char *at = plain.data, *to = plain.data + plain.length; at < to;) {
        const char *after = skip_attribute(at, to);
        if (after == at)
            text_append_char(&type, *after++);
        at = after;
    }
    text_release(&plain);
    if (suffix == end) { /* extern __shared__ T object; */
        text_append_format(t->out, "%s &%.*s = *reinterpret_cast<%s *>(::shflviz_shared_memory())",
                           type.data, (int)(name_end - name), name, type.data);
    } else {
        text_append_format(t->out, "%s (&%.*s)", type.data, (int)(name_end - name), name);
        text_append_bytes(t->out, suffix, (size_t)(end - suffix));
        text_append_format(t->out, " = *reinterpret_cast<%s (*)", type.data);
        text_append_bytes(t->out, suffix, (size_t)(end - suffix));
        text_append(t->out, ">(::shflviz_shared_memory())");
    }
    for (const char *at = from; at < end;)
        if (*at == '#' && at > from && at[-1] == '\n')
            at += read_marker(t, at);
        else
            t->line += *at++ == '\n';
    append_lines_of(t, t->out, from, (size_t)(suffix - from));
    text_release(&type);
    return name == name_end ? -1 : 0;
}

/* extern __shared__ TYPE NAME[]; and, at a file's top, `static`, since headers repeat it. */
static int dynamic_shared(struct translator *t, const char *before) {
    const char *semicolon = memchr(t->at, ';', (size_t)(t->end - t->at));
    if (!semicolon)
        return fail(t, _("extern __shared__ has no end"),
                    _("allowed: extern __shared__ TYPE NAME[];"));
    if (t->depth == 0)
        text_append(t->out, t->options->one_thread ? "static " : "static thread_local ");
    if (append_dynamic(t, before, t->at, semicolon) != 0)
        return fail(t, _("extern __shared__ names no array"),
                    _("allowed: extern __shared__ TYPE NAME[];"));
    t->at = semicolon;
    return 0;
}

/* alignas comes before all specifiers in C++. */
static void take_alignment(struct translator *t, struct text *blanks) {
    while (next_word_is(t, "alignas")) {
        const char *after = skip_attribute(t->at, t->end);
        append_in_line(t->out, t->at, (size_t)(after - t->at));
        text_append_char(t->out, ' ');
        append_line_ends(blanks, t->at, (size_t)(after - t->at));
        for (; t->at < after; t->at++)
            t->line += *t->at == '\n';
        take_blanks(t, blanks);
    }
}

/* What is to follow the declaration that goes on here. */
static void tell_later(struct translator *t, bool is_extern) {
    const struct tell_shared told = {.region = t->options->tells_shared && t->in_template.depth &&
                                               !is_extern,
                                     .name = t->options->names_shared,
                                     .dynamic = is_extern};
    text_clear(&t->later.text);
    t->later.depth = t->depth;
    tell_shared_append(&t->later.text, t->at, t->end, &told);
}

static int shared_variable(struct translator *t) {
    bool is_extern = false;
    struct text before = TEXT_INIT;
    take_storage_back(t, &is_extern);
    take_type_back(t, &is_extern, &before);
    t->at += strlen("__shared__");
    struct text blanks = TEXT_INIT;
    for (;;) {
        take_blanks(t, &blanks);
        if (next_word_is(t, "static"))
            t->at += strlen("static");
        else if (next_word_is(t, "extern")) {
            t->at += strlen("extern");
            is_extern = true;
        } else
            break;
    }
    if (is_extern) {
        text_append(t->out, blanks.data);
        text_release(&blanks);
        tell_later(t, true);
        int status = dynamic_shared(t, before.data);
        t->result->has_dynamic = true;
        text_release(&before);
        return status;
    }
    text_release(&before);
    take_alignment(t, &blanks);
#ifdef __ELF__
    text_append_format(t->out, "__attribute__((section(\"shflviz_shared_%zu\"))) static%s",
                       t->options->first_section + t->result->shared_sections,
                       t->options->one_thread ? "" : " thread_local");
#else
    text_append(t->out, "static");
#endif
    text_append(t->out, blanks.data);
    text_release(&blanks);
    t->result->shared_sections++;
    tell_later(t, false);
    return 0;
}

/* ---- the whole ---- */

/* R"(...)", u8R"(...)", L'"': a prefix and what it belongs to. */
static bool take_prefixed(struct translator *t, size_t length) {
    char next = t->at + length < t->end ? t->at[length] : '\0';
    if (length > 3 || (next != '"' && next != '\''))
        return false;
    bool raw = next == '"' && t->at[length - 1] == 'R';
    if (!raw && (length > 2 || !strchr("LuU", *t->at)))
        return false;
    pass(t, length);
    pass(t, raw ? raw_string_length(t->at, t->end) : quoted_length(t->at, t->end));
    return true;
}

/* asm volatile("...") says nothing of memory. */
static bool is_assembler_word(const struct translator *t) {
    return next_word_is(t, "asm") || next_word_is(t, "__asm__") || next_word_is(t, "__asm");
}

static void skip_to(struct translator *t, const char *after) {
    while (t->at < after)
        if (*t->at == '#' && t->at[-1] == '\n')
            t->at += read_marker(t, t->at);
        else
            t->line += *t->at++ == '\n';
}

/* Inline PTX becomes C++; other assembly stays, with the word volatile that may follow. */
static int take_assembler(struct translator *t, size_t length) {
    const struct ptx_source source = {.at = t->at + length,
                                      .end = t->end,
                                      .file = t->file,
                                      .file_length = t->file_length,
                                      .line = t->line};
    struct ptx_result ptx;
    int status = ptx_translate(&ptx, &source, t->err);
    if (status == 0 && ptx.after) {
        const char *from = t->at;
        text_append(t->out, ptx.text.data);
        skip_to(t, ptx.after);
        append_lines_of(t, t->out, from, (size_t)(t->at - from));
        t->result->uses_ptx = true;
        t->result->uses_volatile = t->result->uses_volatile || ptx.uses_volatile;
    } else if (status == 0) {
        struct text blanks = TEXT_INIT;
        pass(t, length);
        take_blanks(t, &blanks);
        text_append(t->out, blanks.data);
        text_release(&blanks);
        if (next_word_is(t, "volatile"))
            pass(t, strlen("volatile"));
    }
    ptx_result_release(&ptx);
    return status;
}

static void note_template(struct translator *t) {
    if (t->in_template.depth)
        return;
    t->in_template.pending = true;
    t->in_template.before = t->depth;
}

/* Of a function or a variable: to a host's compiler all are alike. */
static bool is_cuda_word(const struct translator *t, size_t length) {
    static const char *const words[] = {"__global__", "__device__", "__host__", "__constant__",
                                        "__managed__"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (length == strlen(words[i]) && memcmp(t->at, words[i], length) == 0)
            return true;
    return false;
}

/* __syncthreads; is a name and no call (a call is a macro's, and has another name by now). */
static int no_call(struct translator *t, size_t length) {
    if (t->options->remarks)
        text_append_format(t->options->remarks,
                           _("%.*s:%u: __syncthreads without () is no call: no barrier here\n"),
                           (int)t->file_length, t->file, t->line);
    text_append_format(t->out, "%-*s", (int)length, "((void)0)");
    t->at += length;
    return 0;
}

static int take_word(struct translator *t) {
    size_t length = 0;
    while (t->at + length < t->end && is_name(t->at[length]))
        length++;
    if (take_prefixed(t, length))
        return 0;
    if (is_cuda_word(t, length)) { /* refused.c has read it; columns stay */
        text_append_format(t->out, "%*s", (int)length, "");
        t->at += length;
        return 0;
    }
    if (!t->in_system_header) {
        if (next_word_is(t, "__shared__"))
            return shared_variable(t);
        if (next_word_is(t, "template"))
            note_template(t);
        if (t->depth && is_assembler_word(t))
            return take_assembler(t, length);
        if (next_word_is(t, "volatile"))
            t->result->uses_volatile = true;
        if (next_word_is(t, "__syncthreads"))
            return no_call(t, length);
    }
    if (t->arguments_depth && t->arguments_depth == t->depth && is_zero_word(t->at, length) &&
        is_whole_argument(t->out->data + t->floor, t->out->data + t->out->length, t->at + length,
                          t->end)) {
        text_append(t->out, "::shflviz::zero()");
        t->at += length;
        return 0;
    }
    pass(t, length);
    return 0;
}

/* ---- the address of a kernel ---- */

/* The cast and a name, also as &name or in brackets, followed by what ends an argument or a value:
 * the name may be a kernel's, whose type the device must hear of before the cast takes it away.
 * Returns whether it was. */
static bool take_cast(struct translator *t) {
    const char *from = skip_cast(t->at, t->end), *name = from;
    if (!from)
        return false;
    const bool in_brackets = name < t->end && *name == '(';
    name = in_brackets ? skip_spaces(name + 1, t->end) : name;
    const bool is_address = name < t->end && *name == '&';
    name = is_address ? skip_spaces(name + 1, t->end) : name;
    const char *end = skip_name(name, t->end), *after = skip_spaces(end, t->end), *next = after;
    if (in_brackets && next < t->end && *next == ')') {
        after = next + 1;
        next = skip_spaces(after, t->end);
    } else if (in_brackets) {
        return false;
    }
    if (end == name || next == t->end || !strchr(",;)", *next) ||
        is_qualifier(name, (size_t)(end - name)))
        return false;
    text_append(t->out, is_address ? "::shflviz::entry(&" : "::shflviz::entry(");
    text_append_bytes(t->out, name, (size_t)(end - name));
    text_append(t->out, ", \"");
    append_quoted(t->out, name, (size_t)(end - name));
    text_append(t->out, "\")");
    t->at = in_brackets ? after : end;
    return true;
}

/* A quotation mark, not one between the digits of a number. */
static bool begins_quote(const struct translator *t, char c) {
    return c == '"' ||
           (c == '\'' && !(t->out->length && is_name(t->out->data[t->out->length - 1])));
}

/* Where a template's body begins and ends; `depth` is that behind `c`. */
static void follow_template(struct translator *t, char c) {
    if (t->in_template.pending && t->depth == t->in_template.before + (c == '{') &&
        (c == ';' || c == '{')) {
        t->in_template.pending = false;
        t->in_template.depth = c == '{' ? t->depth : 0;
    } else if (c == '}' && t->depth < t->in_template.depth) {
        t->in_template.depth = 0;
    }
}

static void follow_depth(struct translator *t, char c) {
    t->depth += (strchr("([{", c) != NULL) - (strchr(")]}", c) != NULL);
    follow_template(t, c);
    if (t->depth < t->arguments_depth && strchr(")]}", c))
        t->arguments_depth = 0;
}

static int take_one(struct translator *t) {
    const char c = *t->at;
    size_t length;
    if (c == '#' && (t->out->length == 0 || t->out->data[t->out->length - 1] == '\n')) {
        take_marker(t);
        return 0;
    }
    if (begins_quote(t, c)) {
        pass(t, quoted_length(t->at, t->end));
        return 0;
    }
    if (is_name(c))
        return take_word(t);
    if (!t->in_system_header) {
        if (c == '<' && (length = angles_length(t->at, t->end, '<')) && !is_operator(t))
            return open_launch(t, length);
        if (c == '>' && t->open_count && t->depth == t->open[t->open_count - 1].depth &&
            (length = angles_length(t->at, t->end, '>')))
            return close_launch(t, length);
        if (c == '(' && take_cast(t))
            return 0;
        follow_depth(t, c);
    }
    pass(t, 1);
    if (c == ';' && t->later.text.length && t->depth == t->later.depth) {
        text_append(t->out, t->later.text.data);
        text_clear(&t->later.text);
    }
    return 0;
}

int translate_cuda(struct translation *translation, const char *source, size_t length,
                   const struct translate_options *options, struct error *err) {
    *translation = (struct translation){.text = TEXT_INIT};
    struct translator t = {.result = translation,
                           .out = &translation->text,
                           .at = source,
                           .end = source + length,
                           .options = options,
                           .file = "",
                           .line = 1,
                           .later.text = TEXT_INIT,
                           .small = TEXT_INIT,
                           .err = err};
    int status = 0;
    small_kernels_find(&t.small, source, length, options->skipped);
    while (status == 0 && t.at < t.end)
        status = take_one(&t);
    text_release(&t.later.text);
    text_release(&t.small);
    if (status == 0 && t.open_count) {
        t.line = t.open[t.open_count - 1].line;
        status = fail(&t, _("a launch's <<< has no >>>"), _(launch_rule));
    }
    return status;
}

void translation_release(struct translation *translation) {
    text_release(&translation->text);
}
