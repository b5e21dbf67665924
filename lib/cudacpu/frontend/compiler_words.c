/*
 * Reads messages line by line, by their form alone. Text in an unknown form is passed on unchanged,
 * so that a new compiler's message may look untidy but is never lost.
 */
#include "cudacpu/frontend/compiler_words.h"

#include "base/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A part of a line; not NUL-terminated. */
struct part {
    const char *at;
    size_t length;
};

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

struct tidy_state {
    struct text *out;
    char *const *ours;
    struct part from;     /* "FILE:LINE" of the user's program that led to the next diagnostic */
    bool is_dropped;      /* the current diagnostic, with the lines that belong to it */
    size_t source_length; /* length of the last source line in an excerpt, with its prefix */
};

static bool begins(struct part part, const char *word) {
    size_t length = strlen(word);
    return part.length >= length && memcmp(part.at, word, length) == 0;
}

static const char *find(struct part part, const char *word) {
    return part.at ? memmem(part.at, part.length, word, strlen(word)) : NULL;
}

static struct part up_to(struct part part, const char *end) {
    return (struct part){part.at, (size_t)(end - part.at)};
}

static struct part part_from(struct part part, const char *from) {
    return (struct part){from, (size_t)(part.at + part.length - from)};
}

/* ---- locations ---- */

/* Reads "FILE:LINE:COLUMN" or "FILE:LINE"; *end is set after the line's number. */
static bool read_location(struct part location, struct part *file, const char **end) {
    size_t at = location.length, colons[2] = {0};
    int count = 0;
    while (at > 0 && count < 2 &&
           (isdigit((unsigned char)location.at[at - 1]) || location.at[at - 1] == ':')) {
        at--;
        if (location.at[at] == ':')
            colons[count++] = at;
    }
    if (count == 0 || colons[0] + 1 == location.length)
        return false;
    const size_t colon = colons[count - 1];
    *file = (struct part){location.at, colon};
    *end = count == 2 ? location.at + colons[0] : location.at + location.length;
    return colon > 0;
}

/* True for a file that the user has not written: one of ours or the system's, or no file at all. */
static bool is_foreign(const struct tidy_state *t, struct part file) {
    for (char *const *folder = t->ours; folder && *folder; folder++)
        if (begins(file, *folder) && file.length > strlen(*folder) &&
            file.at[strlen(*folder)] == '/')
            return true;
    return begins(file, "/usr/") || begins(file, "/opt/") || begins(file, "<");
}

/* ---- names ---- */

/* The functions that the intrinsics call, and their CUDA names. */
static const struct intrinsic {
    const char *ours, *cuda, *arguments;
} intrinsics[] = {
    {"shfl", "__shfl_sync", "mask, value, srcLane, width = 32"},
    {"shfl_up", "__shfl_up_sync", "mask, value, delta, width = 32"},
    {"shfl_down", "__shfl_down_sync", "mask, value, delta, width = 32"},
    {"shfl_xor", "__shfl_xor_sync", "mask, value, laneMask, width = 32"},
    {"ballot", "__ballot_sync", "mask, predicate"},
    {"any", "__any_sync", "mask, predicate"},
    {"all", "__all_sync", "mask, predicate"},
    {"match_any", "__match_any_sync", "mask, value"},
    {"match_all", "__match_all_sync", "mask, value, &predicate"},
    {"reduce_add", "__reduce_add_sync", "mask, value"},
    {"reduce_min", "__reduce_min_sync", "mask, value"},
    {"reduce_max", "__reduce_max_sync", "mask, value"},
    {"reduce_and", "__reduce_and_sync", "mask, value"},
    {"reduce_or", "__reduce_or_sync", "mask, value"},
    {"reduce_xor", "__reduce_xor_sync", "mask, value"},
    {"activemask", "__activemask", ""},
};

static const struct intrinsic *intrinsic_named(struct part name) {
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strlen(intrinsics[i].ours) == name.length && begins(name, intrinsics[i].ours))
            return &intrinsics[i];
    return NULL;
}

/* "... call to 'shfl_xor'" becomes "... call to '__shfl_xor_sync'". Returns the intrinsic, NULL if
 * there is none. */
static const struct intrinsic *append_named(struct text *out, struct part words) {
    static const char call[] = "call to '";
    const char *mark = find(words, call);
    const char *name = mark ? mark + strlen(call) : NULL, *end = name;
    while (end && end < words.at + words.length && is_name(*end))
        end++;
    const struct intrinsic *is =
        name ? intrinsic_named((struct part){name, (size_t)(end - name)}) : NULL;
    if (is) {
        text_append_bytes(out, words.at, (size_t)(name - words.at));
        text_append(out, is->cuda);
        words = part_from(words, end);
    }
    text_append_bytes(out, words.at, words.length);
    return is;
}

/* ---- diagnostics ---- */

static const char *const severities[] = {": fatal error: ", ": error: ", ": warning: ", ": note: "};
enum { SEVERITY_WARNING = 2, SEVERITY_NOTE, SEVERITIES };

/* A message with a location: the part before the severity and the part after it. */
static bool read_diagnostic(struct part line, int *severity, struct part *location,
                            struct part *words) {
    for (*severity = 0; *severity < SEVERITIES; ++*severity) {
        const char *at = find(line, severities[*severity]);
        if (!at)
            continue;
        *location = up_to(line, at);
        *words = part_from(line, at + strlen(severities[*severity]));
        return true;
    }
    return false;
}

/* True if that whole line is already there. */
static bool has_line(const struct text *text, const struct text *line) {
    for (const char *at = text->data; at; at = strchr(at, '\n')) {
        at += at != text->data;
        if (strncmp(at, line->data, line->length) == 0)
            return true;
    }
    return false;
}

/* The same error at the same line is reported once: a launch names its kernel several times in our
 * expansion, and once in the user's source. */
static void write_diagnostic(struct tidy_state *t, struct part location, int severity,
                             struct part words) {
    struct text said = TEXT_INIT, line = TEXT_INIT;
    const struct intrinsic *is = append_named(&said, words);
    text_append_bytes(&line, location.at, location.length);
    text_append_format(&line, "%s%s\n",
                       severity == SEVERITY_NOTE ? ": note: " : ": error: ", said.data);
    if (is && severity < SEVERITY_WARNING)
        text_append_format(&line, _("  allowed: %s(%s)\n"), is->cuda, is->arguments);
    t->is_dropped = severity < SEVERITY_WARNING && has_line(t->out, &line);
    if (!t->is_dropped)
        text_append_bytes(t->out, line.data, line.length);
    text_release(&said);
    text_release(&line);
}

static void take_diagnostic(struct tidy_state *t, int severity, struct part location,
                            struct part words) {
    struct part file = location, shown;
    const char *end = location.at + location.length;
    const bool placed = read_location(location, &file, &end);
    const bool foreign = placed ? is_foreign(t, file) : true;
    shown = up_to(location, end);
    t->is_dropped = severity >= SEVERITY_WARNING && foreign;
    t->source_length = 0;
    if (t->is_dropped)
        return;
    if (severity < SEVERITY_WARNING && foreign && t->from.at) {
        shown = t->from; /* the next lines show a file that is not the user's */
        write_diagnostic(t, shown, severity, words);
        t->is_dropped = true;
    } else {
        write_diagnostic(t, shown, severity, words);
    }
    t->from = (struct part){NULL, 0};
}

/* The line where a template was used, or a header included: the last of the user's own lines
 * is kept. Returns true if the line is such a note. */
static bool take_context(struct tidy_state *t, struct part line) {
    static const char *const includes[] = {"In file included from ", "                 from "};
    struct part location = line, file;
    const char *end, *at = find(line, ":   required ");
    at = at ? at : find(line, ":   recursively required ");
    bool included = false;
    for (int i = 0; i < 2 && !at; i++)
        if (begins(line, includes[i])) {
            included = true;
            location = part_from(line, line.at + strlen(includes[i]));
        }
    if (!at && !included) {
        if (line.length == 0 || line.at[line.length - 1] != ':' || line.at[0] == ' ')
            return false;
        return find(line, ": In ") || find(line, ": At ") || find(line, ": in function `");
    }
    location = at ? up_to(line, at) : location;
    while (location.length && strchr(",:", location.at[location.length - 1]))
        location.length--;
    if (read_location(location, &file, &end) && !is_foreign(t, file))
        t->from = up_to(location, end);
    return true;
}

/* The lines under a diagnostic: "   12 | text", "      | ~~^~~". Markers beyond the end of the
 * source point at text that we have added. */
static void take_excerpt(struct tidy_state *t, struct part line) {
    const char *bar = find(line, " | ");
    bool numbered = false;
    for (const char *c = line.at; bar && c < bar; c++)
        numbered = numbered || isdigit((unsigned char)*c);
    if (bar && numbered)
        t->source_length = line.length;
    size_t length = line.length;
    if (bar && !numbered && t->source_length) {
        length = length < t->source_length ? length : t->source_length;
        while (length > (size_t)(bar - line.at) + 2 && line.at[length - 1] == ' ')
            length--;
        if (length <= (size_t)(bar - line.at) + 3)
            return;
    }
    text_append_bytes(t->out, line.at, length);
    text_append_char(t->out, '\n');
}

/* "ld: FILE:LINE: undefined reference to `name'": the location and the missing name. Since
 * binutils 2.41 the location may be followed by one in the object, "(.text+0x2)". */
static bool take_linker(struct tidy_state *t, struct part line) {
    const char *missing = find(line, "undefined reference to ");
    if (begins(line, "collect2: ") || begins(line, "clang: error: linker") ||
        begins(line, "clang++: error: linker") || find(line, "more undefined references"))
        return true;
    if (!missing)
        return false;
    if (find(line, "undefined reference to `main'")) {
        text_append(t->out, _("none of the files has a main()\n"));
        return true;
    }
    const char *from = find(line, "ld: ");
    struct part told = from ? part_from(line, from + 4) : line;
    const char *slash = memrchr(told.at, '/', (size_t)(missing - told.at));
    if (slash && begins(told, "/")) /* the linker only knows whole paths */
        told = part_from(told, slash + 1);
    const char *object = find(told, ":(.text");
    const size_t prefix = object && object < missing ? (size_t)(object + 1 - told.at) : 0;
    text_append_bytes(t->out, told.at, prefix);
    text_append(t->out, prefix ? " " : "");
    told = part_from(told, prefix ? missing : told.at);
    text_append_bytes(t->out, told.at, told.length);
    text_append_char(t->out, '\n');
    return true;
}

/* "2 errors generated when compiling for sm_80.": the user did not ask for that device. */
static bool is_count(struct part line) {
    return find(line, " generated when compiling for ") || find(line, " errors generated.") ||
           find(line, " error generated.");
}

static void take_line(struct tidy_state *t, struct part line) {
    struct part location, words;
    int severity;
    if (is_count(line) || take_linker(t, line) || take_context(t, line))
        return;
    if (read_diagnostic(line, &severity, &location, &words))
        take_diagnostic(t, severity, location, words);
    else if (!t->is_dropped)
        take_excerpt(t, line);
}

void compiler_words_tidy(struct text *words, char *const *ours) {
    struct text out = TEXT_INIT;
    struct tidy_state t = {.out = &out, .ours = ours};
    for (const char *at = words->data, *end = at + words->length; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end + 1 : end) - at);
        take_line(&t, (struct part){at, length - (at[length - 1] == '\n')});
        at += length;
    }
    if (out.length) { /* else its output was not recognised */
        text_clear(words);
        text_append_bytes(words, out.data, out.length);
    }
    text_release(&out);
}
