/* The header of a lesson's file: titles, and the recordings of the lesson. */
#include "base/memory.h"
#include "base/message.h"
#include "base/text/suggest.h"
#include "lesson/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys_base[] = {"title",  "summary", "chapter", "keywords",  "kernel",
                                        "launch", "trace",   "needs",   "exercises", NULL};
static const char *const keys_translation[] = {"title", "summary", "chapter", "keywords", NULL};

/* ---- possible errors ---- */

static const char key_twice[] =
    N_("'%s' is given a second time\nallowed: each key once\ntry: delete one of the two lines");
static const char no_value[] = N_("'%s' has no value\n"
                                  "allowed: %s: VALUE\ntry: delete the line");
static const char bad_run_name[] = N_("'%s' cannot be the name of a run\n"
                                      "allowed: letters, digits and '-'\ntry: %s: ... for the "
                                      "first run, or a name as in '%s wide: ...'");
static const char run_named_first[] = N_("'%s first': 'first' is reserved for the run without a "
                                         "name\nallowed: any other name\ntry: %s: %s");
static const char trace_outside[] =
    N_("trace '%s' is outside the lesson's folder\n"
       "allowed: a file in that folder or in a folder inside it\ntry: copy the file there");
static const char kernel_outside[] =
    N_("kernel '%s' is not a file beside the lesson\n"
       "allowed: a name without a folder\ntry: copy the file into the lesson's folder");
static const char too_many_runs[] =
    N_("more than %d runs\nallowed: 1 to %d\ntry: split the lesson in two");
static const char bad_lesson_name[] =
    N_("'%s' cannot be the name of a lesson\nallowed: names of lessons, separated by spaces: "
       "letters, digits and '-'\ntry: needs: lanes-and-warps");
static const char bad_exercise_name[] =
    N_("'%s' cannot be the name of an exercise\nallowed: names of exercises, separated by spaces: "
       "letters, digits and '-'\ntry: exercises: broadcast");
static const char not_a_key[] = N_("'%s' is not a header line\n"
                                   "allowed: KEY: VALUE\ntry: end the header with a line '---'");
static const char unknown_translated_key[] = N_(
    "'%s' is not a key of a translation's header\n"
    "allowed: title, summary, chapter, keywords (everything else is in the lesson's own file)%s");
static const char unknown_key[] = N_("'%s' is not a key of a lesson's header\n"
                                     "allowed: title, summary, chapter, keywords, kernel, launch, "
                                     "trace, needs, exercises; for further runs: kernel "
                                     "NAME, launch NAME, trace NAME%s");
static const char no_kernel[] =
    N_("the header names no kernel\n"
       "allowed: kernel: NAME, kernel: FILE.cu or trace: FILE\ntry: kernel: xor");
static const char kernel_and_trace[] =
    N_("run '%s' has a kernel and a trace\nallowed: a kernel or a trace\ntry: delete one of the "
       "two, or give the trace its own run name");
static const char launch_and_trace[] =
    N_("run '%s' has launch options and a trace, but a trace is not run\nallowed: launch together "
       "with kernel\ntry: delete the launch line");
static const char launch_alone[] = N_("run '%s' has launch options and no kernel\nallowed: launch "
                                      "together with kernel\ntry: add a line 'kernel%s%s: NAME'");
static const char no_header[] =
    N_("found '%s' where the header should begin\nallowed: a line '---', lines KEY: VALUE, a line "
       "'---'\ntry: ---\n     title: ...\n     ---");
static const char unterminated_header[] =
    N_("the header that begins here has no end\n"
       "allowed: a line '---' after its last key\ntry: add it");
static const char no_header_title[] = N_("the header has no title\n"
                                         "allowed: title: TEXT\ntry: title: Xor swaps pairs");

static int set_once(struct reader *reader, char **field, const char *key, const char *value) {
    char quoted[READER_QUOTE];
    if (*field)
        return reader_fail(reader, _(key_twice), reader_quote(key, quoted));
    if (!*value)
        return reader_fail(reader, _(no_value), reader_quote(key, quoted), quoted);
    *field = memory_string(value);
    return 0;
}

#define RUNS_MAX 64

/* The run of that name, made if it does not exist; the unnamed one is the first. NULL if there are
 * too many. */
static struct lesson_run *run_named(struct lesson *lesson, const char *name, int line) {
    for (size_t i = 0; i < lesson->run_count; i++)
        if (strcmp(lesson->runs[i].name, name) == 0)
            return &lesson->runs[i];
    if (lesson->run_count == RUNS_MAX && *name) /* there is always room for the first */
        return NULL;
    lesson->runs = memory_grow(lesson->runs, lesson->run_count + 1, sizeof *lesson->runs);
    struct lesson_run *run = &lesson->runs[lesson->run_count++];
    *run = (struct lesson_run){.name = memory_string(name), .line = line};
    return run;
}

/* True for a kernel's name, or a file beside the lesson; no path may leave the lesson's folder. */
static bool is_beside(const char *name) {
    return !strchr(name, '/') && !strchr(name, '\\') && *name != '.' && *name != '-';
}

/* A recording may be in a folder inside the lesson's; a built-in one is named the same way. */
static bool is_within(const char *name) {
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += part != name;
        if (!*part || *part == '/' || *part == '.' || *part == '-')
            return false;
    }
    return !strchr(name, '\\');
}

static int read_run(struct reader *reader, struct lesson *lesson, const char *kind,
                    const char *name, const char *value) {
    char quoted[READER_QUOTE];
    if (*name && !reader_is_name(name))
        return reader_fail(reader, _(bad_run_name), reader_quote(name, quoted), kind, kind);
    if (strcmp(name, "first") == 0)
        return reader_fail(reader, _(run_named_first), kind, kind, reader_quote(value, quoted));
    bool is_launch = strcmp(kind, "launch") == 0;
    bool lies_here = *kind == 't' ? is_within(value) : is_beside(value);
    struct lesson_run *run = run_named(lesson, name, reader->line);
    if (!run)
        return reader_fail(reader, _(too_many_runs), RUNS_MAX, RUNS_MAX);
    if (!is_launch && (!*value || !lies_here))
        run->unread = true;
    if (!is_launch && *value && !lies_here)
        return *kind == 't' ? reader_fail(reader, _(trace_outside), reader_quote(value, quoted))
                            : reader_fail(reader, _(kernel_outside), reader_quote(value, quoted));
    if (is_launch)
        run->launch_line = reader->line;
    else if (!run->kernel && !run->trace)
        run->line = reader->line; /* a launch line may have come before */
    char **field = is_launch ? &run->launch : *kind == 'k' ? &run->kernel : &run->trace;
    return set_once(reader, field, kind, value);
}

static int read_names(struct reader *reader, char *value, const char *refusal, char ***names,
                      size_t *count) {
    char quoted[READER_QUOTE];
    for (char *name; (name = reader_word(&value));) {
        if (!reader_is_name(name)) {
            reader_fail(reader, refusal, reader_quote(name, quoted));
            if (!reader_may_continue(reader))
                return -1;
            continue;
        }
        *names = memory_grow(*names, *count + 1, sizeof **names);
        (*names)[(*count)++] = memory_string(name);
    }
    return 0;
}

static int read_needs(struct reader *reader, struct lesson *lesson, char *value) {
    lesson->needs_line = reader->line;
    return read_names(reader, value, _(bad_lesson_name), &lesson->needs, &lesson->needs_count);
}

static int read_line(struct reader *reader, struct lesson *lesson, size_t index) {
    struct lesson_language *language = &lesson->languages[index];
    char quoted[READER_QUOTE], suggestion[READER_QUOTE];
    char *key, *value;
    if (!reader_key(reader->text.data, &key, &value))
        return reader_fail(reader, _(not_a_key), reader_quote(reader->text.data, quoted));
    if (strcmp(key, "title") == 0)
        return set_once(reader, &language->title, key, value);
    if (strcmp(key, "summary") == 0)
        return set_once(reader, &language->summary, key, value);
    if (strcmp(key, "keywords") == 0)
        return set_once(reader, &language->keywords, key, value);
    if (strcmp(key, "chapter") == 0)
        return set_once(reader, &language->chapter, key, value);
    if (index == 0 && strcmp(key, "needs") == 0)
        return read_needs(reader, lesson, value);
    if (index == 0 && strcmp(key, "exercises") == 0)
        return read_names(reader, value, _(bad_exercise_name), &lesson->exercises,
                          &lesson->exercise_count);

    size_t length = strcspn(key, " \t");
    char *name = key[length] ? reader_trim(key + length) : key + length;
    if (key[length])
        key[length] = '\0';
    bool run =
        strcmp(key, "kernel") == 0 || strcmp(key, "launch") == 0 || strcmp(key, "trace") == 0;
    if (index == 0 && run)
        return read_run(reader, lesson, key, name, value);
    if (index > 0)
        return reader_fail(reader, _(unknown_translated_key), reader_quote(key, quoted),
                           reader_suggest(key, keys_translation, suggestion));
    return reader_fail(reader, _(unknown_key), reader_quote(key, quoted),
                       reader_suggest(key, keys_base, suggestion));
}

/* ---- the header as a whole ---- */

/* Keys that unreadable lines may have had. */
struct lost {
    bool title, run;
};

/* The line's first word decides: "titel: X", "kernel wide: y". */
static void note_lost_key(struct lost *lost, const char *line) {
    char word[READER_QUOTE];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, ": \t"), line);
    struct suggestion meant = {word, NULL, 0};
    for (size_t i = 0; keys_base[i]; i++)
        suggestion_consider(&meant, keys_base[i]);
    const char *key = meant.nearest ? meant.nearest : "";
    lost->title |= !*key || strcmp(key, "title") == 0;
    lost->run |= !*key || strcmp(key, "kernel") == 0 || strcmp(key, "trace") == 0;
}

static int complete_run(struct reader *reader, const struct lesson *lesson, size_t index) {
    struct lesson_run *run = &lesson->runs[index];
    const struct lesson_run *first = &lesson->runs[0];
    char quoted[READER_QUOTE];
    const char *name = reader_quote(*run->name ? run->name : "first", quoted);
    const bool has_launch = run->launch;
    if (!has_launch)
        run->launch = memory_string("");
    run->unread |= run->kernel && run->trace;
    if (run->kernel && run->trace)
        return reader_fail_at(reader, run->line, _(kernel_and_trace), name);
    if (has_launch && run->trace)
        return reader_fail_at(reader, run->line, _(launch_and_trace), name);
    const bool alone = !run->trace && !run->kernel && !first->kernel;
    const bool known = !run->unread && !first->unread;
    run->unread |= alone;
    if (alone && known)
        return reader_fail_at(reader, run->line, _(launch_alone), name, index ? " " : "",
                              index ? name : "");
    if (!run->trace && !run->kernel && !run->unread) {
        run->kernel = memory_string(first->kernel);
        run->unread = first->unread;
    }
    return 0;
}

/* Makes the unnamed run the first, and makes sure that every run has a kernel or a recording. */
static int complete_runs(struct reader *reader, struct lesson *lesson, const struct lost *lost) {
    size_t first = 0;
    while (first < lesson->run_count && *lesson->runs[first].name)
        first++;
    if (first == lesson->run_count) {
        if (!lost->run) {
            reader_fail(reader, _(no_kernel));
            if (!reader_may_continue(reader))
                return -1;
        }
        run_named(lesson, "", reader->line)->unread = true;
    }
    struct lesson_run unnamed = lesson->runs[first];
    memmove(lesson->runs + 1, lesson->runs, first * sizeof *lesson->runs);
    lesson->runs[0] = unnamed;
    for (size_t i = 0; i < lesson->run_count; i++) {
        if (complete_run(reader, lesson, i) < 0 && !reader_may_continue(reader))
            return -1;
    }
    return 0;
}

/* Reads the lines between the two "---". */
static int read_lines(struct reader *reader, struct lesson *lesson, size_t language,
                      struct lost *lost) {
    const int begin = reader->line;
    bool more;
    while ((more = reader_next(reader)) && strcmp(reader->text.data, "---") != 0 &&
           !reader_is_past_block(reader)) {
        char line[READER_QUOTE];
        snprintf(line, sizeof line, "%.*s", READER_QUOTE - 1, reader->text.data);
        if (reader->text.length == 0 || read_line(reader, lesson, language) == 0)
            continue;
        if (!reader_may_continue(reader))
            return -1;
        note_lost_key(lost, line);
        lesson->languages[language].header_unread = true;
    }
    if (more && strcmp(reader->text.data, "---") == 0)
        return 0;
    *lost = (struct lost){true, true};
    return reader_fail_at(reader, begin, _(unterminated_header));
}

int header_read(struct reader *reader, struct lesson *lesson, size_t language) {
    char quoted[READER_QUOTE];
    struct lost lost = {false, false};
    int status;
    bool more;
    while ((more = reader_next(reader)) && reader->text.length == 0)
        ;
    if (!more || strcmp(reader->text.data, "---") != 0) {
        status = reader_fail_at(reader, reader->line ? reader->line : 1, _(no_header),
                                reader_quote(reader->text.data, quoted));
        lost = (struct lost){true, true};
        if (more)
            reader_back(reader);
    } else {
        status = read_lines(reader, lesson, language, &lost);
    }
    if (status < 0 && !reader_may_continue(reader))
        return -1;
    if (!lesson->languages[language].title && !lost.title) {
        reader_fail(reader, _(no_header_title));
        if (!reader_may_continue(reader))
            return -1;
    }
    lesson->languages[language].header_unread |= lost.title || lost.run;
    return language > 0 ? 0 : complete_runs(reader, lesson, &lost);
}
