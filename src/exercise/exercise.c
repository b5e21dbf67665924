/*
 * Reads an exercise's files into one structure and checks them against each other, so that all
 * users of an exercise can rely on it being complete.
 */
#include "exercise/exercise.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "lesson/reader.h"
#include "warp/warp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1 << 20)

static int fail(struct reader *reader, const char *format, const char *given) {
    char quoted[READER_QUOTE];
    return reader_fail(reader, format, reader_quote(given, quoted));
}

/* ---- the header ---- */

static const char not_a_header[] =
    N_("found '%s' where the header should begin\nallowed: a line '---', lines KEY: VALUE, a line "
       "'---'\ntry: ---\n     title: ...\n     teaches: ...\n     ---");
static const char unknown_key[] =
    N_("'%s' is not a line of an exercise's header\n"
       "allowed: title, teaches, chapter; in en.md also lessons, level, minutes, uses, avoids, "
       "once, most, memory");
static const char unknown_operation[] =
    N_("'%s' is not a warp operation\n"
       "allowed: idx up down xor all any ballot uni match_any match_all reduce_add ... sync; "
       "for uses also mma.sync ldmatrix stmatrix movmatrix");
static const char bad_memory[] = N_("'%s' is not a value of memory:\nallowed: none");
static const char bad_number[] = N_("'%s' is not a number of operations\nallowed: 1 to 1000");
static const char bad_level[] = N_("'%s' is not a level\nallowed: 1 to 3 (the hardest)");
static const char bad_minutes[] = N_("'%s' is not a number of minutes\nallowed: 1 to 600");
static const char no_title[] = N_("the header has no title or no line 'teaches'%s");

const char *exercise_matrix_instruction(int index) {
    static const char *const names[] = {"mma.sync", "ldmatrix", "stmatrix", "movmatrix", NULL};
    return names[index];
}

static bool read_instruction(const char *word, uint32_t *set) {
    for (int i = 0; set && exercise_matrix_instruction(i); i++)
        if (strcmp(exercise_matrix_instruction(i), word) == 0) {
            *set |= UINT32_C(1) << i;
            return true;
        }
    return false;
}

/* `matrices`: gets the instructions of tensor cores; NULL where none are allowed. */
static int read_operations(struct reader *reader, char *value, uint32_t *set, uint32_t *matrices) {
    for (char *word; (word = reader_word(&value));) {
        if (read_instruction(word, matrices))
            continue;
        int op = 0;
        while (op < WARP_OP_COUNT && strcmp(warp_op_info((enum warp_op)op)->name, word) != 0)
            op++;
        if (op == WARP_OP_COUNT)
            return fail(reader, _(unknown_operation), word);
        *set |= UINT32_C(1) << op;
    }
    return 0;
}

static int read_number(struct reader *reader, const char *value, uint64_t most, const char *refusal,
                       uint32_t *number) {
    uint64_t read;
    if (!reader_number(value, most, &read) || read < 1)
        return fail(reader, refusal, value);
    *number = (uint32_t)read;
    return 0;
}

static void read_lessons(struct exercise *exercise, char *value) {
    for (char *name; (name = reader_word(&value));) {
        exercise->lessons =
            memory_grow(exercise->lessons, exercise->lesson_count + 1, sizeof *exercise->lessons);
        exercise->lessons[exercise->lesson_count++] = memory_string(name);
    }
}

/* A line that only en.md has, because it applies to all languages. */
static int read_rule(struct exercise *exercise, struct reader *reader, const char *key, char *value,
                     const char *line) {
    if (strcmp(key, "uses") == 0)
        return read_operations(reader, value, &exercise->uses, &exercise->matrices);
    if (strcmp(key, "avoids") == 0)
        return read_operations(reader, value, &exercise->avoids, NULL);
    if (strcmp(key, "once") == 0)
        return read_operations(reader, value, &exercise->once, NULL);
    if (strcmp(key, "most") == 0)
        return read_number(reader, value, 1000, _(bad_number), &exercise->most);
    if (strcmp(key, "level") == 0)
        return read_number(reader, value, 3, _(bad_level), &exercise->level);
    if (strcmp(key, "minutes") == 0)
        return read_number(reader, value, 600, _(bad_minutes), &exercise->minutes);
    if (strcmp(key, "memory") == 0) {
        exercise->no_memory = true;
        return strcmp(value, "none") == 0 ? 0 : fail(reader, _(bad_memory), value);
    }
    if (strcmp(key, "lessons") != 0)
        return fail(reader, _(unknown_key), line);
    read_lessons(exercise, value);
    return 0;
}

static int read_key(struct exercise *exercise, struct exercise_language *language,
                    struct reader *reader) {
    char line[READER_QUOTE], *key, *value;
    reader_quote(reader->text.data, line);
    if (!reader_key(reader->text.data, &key, &value))
        return fail(reader, _(unknown_key), line);
    if (strcmp(key, "title") == 0 && !language->title) {
        language->title = memory_string(value);
    } else if (strcmp(key, "teaches") == 0 && !language->teaches) {
        language->teaches = memory_string(value);
    } else if (strcmp(key, "chapter") == 0 && !language->chapter) {
        language->chapter = memory_string(value);
    } else if (language == &exercise->language[0]) {
        return read_rule(exercise, reader, key, value, line);
    } else {
        return fail(reader, _(unknown_key), line);
    }
    return 0;
}

static int read_header(struct exercise *exercise, struct exercise_language *language,
                       struct reader *reader) {
    if (!reader_next(reader) || strcmp(reader->text.data, "---") != 0)
        return fail(reader, _(not_a_header), reader->text.data);
    while (reader_next(reader)) {
        if (strcmp(reader->text.data, "---") == 0)
            return language->title && language->teaches ? 0 : fail(reader, _(no_title), "");
        if (reader->text.length && read_key(exercise, language, reader) != 0)
            return -1;
    }
    return fail(reader, _(not_a_header), "");
}

/* ---- the texts ---- */

static const char unknown_heading[] = N_("'%s' is not a heading of an exercise\nallowed: ## Hint, "
                                         "## After, ## Other, in every language");

/* Takes the text of a section, without the empty lines around it. */
static char *take_section(struct text *text) {
    size_t from = 0;
    while (text->length && text->data[text->length - 1] == '\n')
        text->data[--text->length] = '\0';
    while (text->data[from] == '\n')
        from++;
    char *section = memory_string(text->data + from);
    text_clear(text);
    return section;
}

/* The destination of the text under a heading; NULL if the heading is unknown. */
static char **section_of(struct exercise_language *language, const char *heading) {
    if (strcmp(heading, "## After") == 0)
        return &language->after;
    if (strcmp(heading, "## Other") == 0)
        return &language->other;
    if (strcmp(heading, "## Hint") != 0)
        return NULL;
    language->hints =
        memory_grow(language->hints, language->hint_count + 1, sizeof language->hints[0]);
    language->hints[language->hint_count] = NULL;
    return &language->hints[language->hint_count++];
}

static int read_sections(struct exercise_language *language, struct reader *reader) {
    struct text section = TEXT_INIT;
    char **into = &language->task;
    while (into && reader_next(reader)) {
        const char *line = reader->text.data;
        if (strncmp(line, "## ", 3) != 0) {
            text_append_format(&section, "%s\n", line);
            continue;
        }
        free(*into);
        *into = take_section(&section);
        into = section_of(language, line);
        if (!into)
            fail(reader, _(unknown_heading), line);
    }
    if (into) {
        free(*into);
        *into = take_section(&section);
    }
    text_release(&section);
    return into ? 0 : -1;
}

/* ---- mutants ---- */

static const char not_a_mutant[] =
    N_("'%s' is not a line of a mutant\n"
       "allowed: 'fails: WHY' or 'passes: WHY', then pairs '- TEXT' and '+ TEXT'");
static const char not_once[] = N_("'%s' does not occur exactly once in the solution");
static const char not_paired[] = N_("'%s' is not a pair of '- TEXT' and '+ TEXT'");

/* Replaces the only occurrence; false if there is not exactly one. */
static bool replace_once(char **text, const char *from, const char *to) {
    char *at = *from ? strstr(*text, from) : NULL;
    if (!at || strstr(at + 1, from))
        return false;
    struct text changed = TEXT_INIT;
    text_append_bytes(&changed, *text, (size_t)(at - *text));
    text_append(&changed, to);
    text_append(&changed, at + strlen(from));
    free(*text);
    *text = text_detach(&changed);
    return true;
}

static struct exercise_mutant *add_mutant(struct exercise *exercise, struct reader *reader) {
    const char *line = reader->text.data, *why = strchr(line, ':');
    exercise->mutants =
        memory_grow(exercise->mutants, exercise->mutant_count + 1, sizeof exercise->mutants[0]);
    struct exercise_mutant *mutant = &exercise->mutants[exercise->mutant_count++];
    *mutant = (struct exercise_mutant){.why = memory_string(why + 1 + strspn(why + 1, " ")),
                                       .text = memory_string(exercise->solution),
                                       .passes = *line == 'p',
                                       .line = reader->line};
    return mutant;
}

static int read_mutants(struct exercise *exercise, struct reader *reader) {
    struct exercise_mutant *mutant = NULL;
    char *from = NULL;
    int status = 0;
    while (status == 0 && reader_next(reader)) {
        const char *line = reader->text.data;
        const char *rest = reader->text.length > 2 ? line + 2 : "";
        if (!*line || *line == '#')
            continue;
        if (strncmp(line, "fails: ", 7) == 0 || strncmp(line, "passes: ", 8) == 0) {
            status = from ? fail(reader, _(not_paired), from) : 0;
            mutant = add_mutant(exercise, reader);
        } else if (mutant && !from && strncmp(line, "- ", 2) == 0) {
            from = memory_string(rest);
        } else if (mutant && from && *line == '+') {
            if (!replace_once(&mutant->text, from, rest))
                status = fail(reader, _(not_once), from);
            free(from);
            from = NULL;
        } else {
            status = fail(reader, _(not_a_mutant), line);
        }
    }
    if (status == 0 && from)
        status = fail(reader, _(not_paired), from);
    free(from);
    return status;
}

/* ---- an exercise ---- */

static const char *file_text(const struct exercise_file *files, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return files[i].text;
    return NULL;
}

/* Reads a file with `read`; messages name the file with its folder. */
static int read_lines(struct exercise *exercise, const struct exercise_file *file,
                      int read(struct exercise *exercise, struct reader *reader),
                      struct error *err) {
    struct text path = TEXT_INIT;
    struct reader reader;
    text_append_format(&path, "%s/%s", exercise->name, file->name);
    const struct lesson_source source = {"", path.data, file->text};
    int status = reader_open(&reader, &source, NULL, NULL, err);
    if (status == 0)
        status = read(exercise, &reader);
    reader_close(&reader);
    text_release(&path);
    return status;
}

/* Reads the texts in the language that was added last. */
static int read_texts(struct exercise *exercise, struct reader *reader) {
    struct exercise_language *language = &exercise->language[exercise->language_count - 1];
    if (read_header(exercise, language, reader) != 0 || read_sections(language, reader) != 0)
        return -1;
    if (language->hint_count != exercise->language[0].hint_count)
        return fail(reader, _("the number of hints differs from that in en.md%s"), "");
    if (!language->other != !exercise->other)
        return fail(reader, _("## Other needs other.cu, and other.cu needs ## Other%s"), "");
    return 0;
}

static int read_language(struct exercise *exercise, const struct exercise_file *file,
                         struct error *err) {
    struct exercise_language *language = &exercise->language[exercise->language_count++];
    snprintf(language->code, sizeof language->code, "%.*s", (int)strlen(file->name) - 3,
             file->name);
    return read_lines(exercise, file, read_texts, err);
}

static bool is_language(const char *name) {
    const size_t length = strlen(name);
    return length > 3 && length < 16 && string_ends_with(name, ".md");
}

static int read_files(struct exercise *exercise, const struct exercise_file *files, size_t count,
                      struct error *err) {
    static const char *const needed[] = {"en.md", "skeleton.cu", "solution.cu", "harness.cu"};
    const char *text[4];
    for (int i = 0; i < 4; i++)
        if (!(text[i] = file_text(files, count, needed[i])))
            return error_set(
                err, ERROR_USAGE,
                _("%s has no file %s\nallowed: a folder with en.md, skeleton.cu, solution.cu, "
                  "harness.cu and, if need be, other.cu, mutants and other languages"),
                exercise->name, needed[i]);
    exercise->skeleton = memory_string(text[1]);
    exercise->solution = memory_string(text[2]);
    exercise->harness = memory_string(text[3]);
    const char *other = file_text(files, count, "other.cu");
    exercise->other = other ? memory_string(other) : NULL;
    const struct exercise_file english = {"en.md", text[0]};
    if (read_language(exercise, &english, err) != 0)
        return -1;
    for (size_t i = 0; i < count && exercise->language_count < EXERCISE_LANGUAGES_MAX; i++)
        if (is_language(files[i].name) && strcmp(files[i].name, "en.md") != 0 &&
            read_language(exercise, &files[i], err) != 0)
            return -1;
    const struct exercise_file mutants = {"mutants", file_text(files, count, "mutants")};
    return mutants.text ? read_lines(exercise, &mutants, read_mutants, err) : 0;
}

int exercise_parse(struct exercise **exercise, const char *name, const struct exercise_file *files,
                   size_t count, struct error *err) {
    *exercise = memory_zeroed(1, sizeof **exercise);
    (*exercise)->name = memory_string(name);
    if (read_files(*exercise, files, count, err) == 0)
        return 0;
    exercise_free(*exercise);
    *exercise = NULL;
    return -1;
}

void exercise_free(struct exercise *exercise) {
    if (!exercise)
        return;
    for (size_t i = 0; i < exercise->language_count; i++) {
        struct exercise_language *language = &exercise->language[i];
        free(language->title);
        free(language->teaches);
        free(language->chapter);
        free(language->task);
        for (size_t hint = 0; hint < language->hint_count; hint++)
            free(language->hints[hint]);
        free(language->hints);
        free(language->after);
        free(language->other);
    }
    for (size_t i = 0; i < exercise->mutant_count; i++) {
        free(exercise->mutants[i].why);
        free(exercise->mutants[i].text);
    }
    free(exercise->mutants);
    for (size_t i = 0; i < exercise->lesson_count; i++)
        free(exercise->lessons[i]);
    free(exercise->lessons);
    free(exercise->skeleton);
    free(exercise->solution);
    free(exercise->harness);
    free(exercise->other);
    free(exercise->name);
    free(exercise);
}

const struct exercise_language *exercise_language(const struct exercise *exercise,
                                                  const char *code) {
    for (size_t i = 0; i < exercise->language_count; i++)
        if (strcmp(exercise->language[i].code, code) == 0)
            return &exercise->language[i];
    return &exercise->language[0];
}

/* ---- a folder ---- */

/* Appends the content of a file; also returns 0 if no file has that name. */
static int read_file(const char *folder, const char *name, struct text *text, bool *there,
                     struct error *err) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s/%s", folder, name);
    const enum file_status status = file_read(path.data, FILE_BYTES_MAX, text, err);
    *there = status == FILE_READ;
    const bool absent = status == FILE_UNREADABLE && errno == ENOENT;
    text_release(&path);
    if (absent && err)
        *err = (struct error)ERROR_INIT;
    return *there || absent ? 0 : -1;
}

int exercise_open(struct exercise **exercise, const char *path, struct error *err) {
    static const char *const names[] = {"en.md",      "zh.md",    "skeleton.cu", "solution.cu",
                                        "harness.cu", "other.cu", "mutants"};
    enum { NAMES = sizeof names / sizeof names[0] };
    struct text text[NAMES];
    struct exercise_file files[NAMES];
    size_t count = 0;
    int status = 0;
    *exercise = NULL;
    for (int i = 0; i < NAMES; i++)
        text_init(&text[i]);
    for (int i = 0; status == 0 && i < NAMES; i++) {
        bool there;
        status = read_file(path, names[i], &text[i], &there, err);
        if (there)
            files[count++] = (struct exercise_file){names[i], text[i].data};
    }
    struct text name = TEXT_INIT;
    text_append(&name, path);
    while (name.length > 1 && name.data[name.length - 1] == '/')
        name.data[--name.length] = '\0';
    const char *slash = strrchr(name.data, '/');
    if (status == 0)
        status =
            exercise_parse(exercise, slash && slash[1] ? slash + 1 : name.data, files, count, err);
    text_release(&name);
    for (int i = 0; i < NAMES; i++)
        text_release(&text[i]);
    return status;
}
