/*
 * A change appends words and never edits the line: the last of repeated options counts, and undo
 * only removes words.
 */
#include "launch/request.h"

#include "base/memory.h"
#include "base/message.h"
#include "launch/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_shuffle(const struct program *program) {
    return launch_argument(program) != LAUNCH_OPTION_COUNT;
}

/* The shuffle named by the first `length` bytes of `word`; NULL if it is none of the four. */
static const struct program *find_shuffle(const char *word, size_t length) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        if (is_shuffle(programs[i]) && strlen(programs[i]->name) == length &&
            memcmp(programs[i]->name, word, length) == 0)
            return programs[i];
    return NULL;
}

/* ---- reading ---- */

/* The number of words that name the program, and the program. */
static int read_program(const struct word_list *words, int first, const struct program **program,
                        struct error *err) {
    const char *word = words->count > first ? words->word[first] : "";
    *program = find_shuffle(word, strlen(word));
    if (*program)
        return 1;
    if (strcmp(word, "kernel") != 0)
        return error_set(err, ERROR_USAGE,
                         _("cannot change to '%s' here\nallowed: idx up down xor kernel"), word);
    word = words->count > first + 1 ? words->word[first + 1] : "";
    *program = device_program_find(word);
    if (!*program || is_shuffle(*program))
        return launch_kernel_unknown(word, err);
    return 2;
}

int request_read(struct request *request, const char *line, enum device_kind automatic,
                 struct error *err) {
    const struct program *program;
    struct text name = TEXT_INIT;
    *request = (struct request){.name = NULL};
    if (words_split(&request->words, line, err) != 0)
        return -1;
    const int first = request->words.count > 0 && !strcmp(request->words.word[0], "shflviz");
    const int named = read_program(&request->words, first, &program, err);
    if (named < 0)
        return -1;
    text_append_format(&name, "%s%s", named == 2 ? "kernel " : "", program->name);
    request->name = text_detach(&name);
    launch_init(&request->launch, program, request->name);
    request->launch.automatic = automatic;
    return launch_read_words(&request->launch, request->words.count - first - named,
                             request->words.word + first + named, err);
}

void request_release(struct request *request) {
    words_release(&request->words);
    free(request->name);
    request->name = NULL;
}

/* ---- lines ---- */

void request_line(const struct launch *launch, struct text *line) {
    launch_append_command(launch, line);
}

static void append_option(struct text *line, const char *name, size_t length, const char *value) {
    text_append(line, " --");
    text_append_bytes(line, name, length);
    if (!value)
        return;
    text_append_char(line, ' ');
    launch_append_quoted(line, value);
}

void request_with_option(const struct launch *launch, enum launch_option option, const char *value,
                         struct text *line) {
    const char *name = launch_option(option)->name;
    request_line(launch, line);
    append_option(line, name, strlen(name), value);
}

bool request_convert(const struct launch *launch, const struct program *program,
                     struct text *line) {
    const enum launch_option was = launch_argument(launch->program), is = launch_argument(program);
    if (was == LAUNCH_OPTION_COUNT || is == LAUNCH_OPTION_COUNT)
        return false;
    struct launch other = *launch;
    other.name = program->name;
    other.typed[was] = NULL;
    other.typed[is] = launch->typed[was];
    request_line(&other, line);
    return true;
}

/* "width 8", "width=8", "undefined". */
static void append_setting(struct text *line, const char *typed) {
    const size_t length = strcspn(typed, " =");
    const char *value = typed + length;
    value += strspn(value, " ");
    value += length && *value == '=';
    value += strspn(value, " ");
    append_option(line, typed, length, *value ? value : NULL);
}

/* The input values of a shuffle, to be kept as those of another shuffle; NULL if they are
 * the default or of another kind. */
static const char *kept_values(const struct launch *launch) {
    const char *in = launch->typed[LAUNCH_IN];
    return in && !launch->typed[LAUNCH_TYPE] && strstr(in, "lane") && !strchr(in, ',') &&
                   launch_argument(launch->program) != LAUNCH_OPTION_COUNT
               ? in
               : NULL;
}

/* A call as written in a program. */
static int type_call(const struct launch *launch, const char *typed, struct text *line,
                     struct error *err) {
    struct call call;
    int status = call_read(&call, typed, NULL, kept_values(launch), err);
    if (status == 0 && call.kind == CALL_COMMAND)
        text_append(line, call.line.data);
    else if (status == 0)
        status = error_set(
            err, ERROR_USAGE,
            call.kind == CALL_DECLARATION ? _("%s is declared here, not called\ntry: shflviz '%s'")
                                          : _("%s has an argument that needs a compiler\n"
                                              "try: shflviz '%s', which compiles it"),
            call.function, call.kind == CALL_DECLARATION ? typed : call.expression.data);
    call_release(&call);
    return status;
}

int request_from_input(const struct launch *launch, const char *typed, struct text *line,
                       struct error *err) {
    struct word_list words;
    typed += strspn(typed, " ");
    if (call_is_in(typed))
        return type_call(launch, typed, line, err);
    if (strncmp(typed, "shflviz ", 8) == 0)
        typed += 8 + strspn(typed + 8, " ");
    const size_t length = strcspn(typed, " ");
    const struct program *shuffle = find_shuffle(typed, length);
    if (shuffle && request_convert(launch, shuffle, line)) {
        text_append(line, typed + length);
    } else if (shuffle || (length == 6 && memcmp(typed, "kernel", 6) == 0)) {
        text_append(line, typed);
    } else {
        request_line(launch, line);
        if (*typed != '-') {
            append_setting(line, typed);
            return 0;
        }
        text_append_format(line, " %s", typed);
    }
    int status = words_split(&words, line->data, err);
    words_release(&words);
    return status;
}

/* ---- completion ---- */

/* The words that begin with `begun`, and their common prefix. */
struct completion {
    const char *begun;
    struct text *choices;
    char common[64];
    int count;
};

static void consider(struct completion *completion, const char *word, size_t length) {
    const size_t begun = strlen(completion->begun);
    if (length < begun || length >= sizeof completion->common ||
        memcmp(word, completion->begun, begun) != 0)
        return;
    if (completion->choices->length)
        text_append_char(completion->choices, ' ');
    text_append_bytes(completion->choices, word, length);
    if (completion->count++ == 0) {
        memcpy(completion->common, word, length);
        completion->common[length] = '\0';
    }
    size_t same = 0;
    while (same < length && completion->common[same] == word[same])
        same++;
    completion->common[same] = '\0';
}

static void consider_values(struct completion *completion, const char *values) {
    while (values && *values) {
        const size_t length = strcspn(values, " ");
        consider(completion, values, length);
        values += length + strspn(values + length, " ");
    }
}

static void consider_options(struct completion *completion, const struct program *program,
                             bool dashed) {
    for (int id = 0; id < LAUNCH_OPTION_COUNT; id++) {
        char name[40];
        if (!(launch_options_read(program) & OPTION_BIT(id)))
            continue;
        snprintf(name, sizeof name, "%s%s", dashed ? "--" : "", launch_option(id)->name);
        consider(completion, name, strlen(name));
    }
}

static void consider_programs(struct completion *completion, bool shuffles) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        if (is_shuffle(programs[i]) == shuffles)
            consider(completion, programs[i]->name, strlen(programs[i]->name));
}

/* The words that may follow the one before the word being typed. */
static void consider_after(struct completion *completion, const struct program *program,
                           const char *word, size_t length) {
    if (length == 6 && memcmp(word, "kernel", 6) == 0)
        consider_programs(completion, false);
    const bool dashed = length > 2 && word[0] == '-' && word[1] == '-';
    const char *name = word + (dashed ? 2 : 0);
    const size_t named = length - (dashed ? 2u : 0u);
    for (int id = 0; id < LAUNCH_OPTION_COUNT; id++)
        if (strlen(launch_option(id)->name) == named &&
            memcmp(launch_option(id)->name, name, named) == 0)
            consider_values(completion, launch_option(id)->values);
    if (completion->begun[0] == '-')
        consider_options(completion, program, true);
}

void request_complete(const struct launch *launch, const char *typed, struct text *completed,
                      struct text *choices) {
    const char *blank = strrchr(typed, ' ');
    const char *last = blank ? blank + 1 : typed;
    struct completion completion = {.begun = last, .choices = choices};
    if (!blank) {
        consider_options(&completion, launch->program, *last == '-');
        consider_programs(&completion, true);
        consider(&completion, "kernel", 6);
    } else {
        const char *end = blank;
        while (end > typed && end[-1] == ' ')
            end--;
        const char *begin = end;
        while (begin > typed && begin[-1] != ' ')
            begin--;
        consider_after(&completion, launch->program, begin, (size_t)(end - begin));
    }
    text_append_bytes(completed, typed, (size_t)(last - typed));
    text_append(completed, completion.count ? completion.common : last);
    if (completion.count == 1)
        text_append_char(completed, ' ');
}
