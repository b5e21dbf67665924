/*
 * Files come from students: names and answers in them are shown as text, whatever they contain
 * (csv_field.h, text_append_visible()). A student who handed in several files for an exercise has
 * passed it if one of them passed.
 */
#include "export/class_report.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "export/csv_field.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MISTAKES_SHOWN 12
#define CELL_LEAST     12 /* columns: a verdict in English or Chinese */

struct names {
    char **name;
    size_t count;
};

/* The result of one student for one task: an exercise's verdict, or questions answered. */
struct entry {
    size_t student, task;
    bool passed;
    char *verdict; /* NULL for questions */
    unsigned right, asked;
};

struct mistake {
    size_t student, what; /* index of its words */
};

struct class_report {
    struct names students, tasks, words;
    struct entry *entries;
    size_t entry_count;
    struct mistake *mistakes;
    size_t mistake_count;
};

/* ---- names ---- */

/* The index of a name, which is added if it is new. */
static size_t index_of(struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return i;
    names->name = memory_grow(names->name, names->count + 1, sizeof *names->name);
    names->name[names->count] = memory_string(name);
    return names->count++;
}

static void names_release(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

static const char *string_in(json_object *object, const char *key) {
    json_object *value;
    return json_object_object_get_ex(object, key, &value) &&
                   json_object_is_type(value, json_type_string)
               ? json_object_get_string(value)
               : "";
}

static json_object *list_in(json_object *object, const char *key) {
    json_object *value;
    return json_object_object_get_ex(object, key, &value) &&
                   json_object_is_type(value, json_type_array)
               ? value
               : NULL;
}

static bool bool_in(json_object *object, const char *key) {
    json_object *value;
    return json_object_object_get_ex(object, key, &value) && json_object_get_boolean(value);
}

/* ---- adding results ---- */

static struct entry *entry_of(struct class_report *report, size_t student, size_t task) {
    for (size_t i = 0; i < report->entry_count; i++)
        if (report->entries[i].student == student && report->entries[i].task == task)
            return &report->entries[i];
    report->entries =
        memory_grow(report->entries, report->entry_count + 1, sizeof *report->entries);
    struct entry *entry = &report->entries[report->entry_count++];
    *entry = (struct entry){.student = student, .task = task};
    return entry;
}

/* Each mistake counts once per student. */
static void add_mistake(struct class_report *report, size_t student, const char *words) {
    const size_t what = index_of(&report->words, words);
    for (size_t i = 0; i < report->mistake_count; i++)
        if (report->mistakes[i].student == student && report->mistakes[i].what == what)
            return;
    report->mistakes =
        memory_grow(report->mistakes, report->mistake_count + 1, sizeof *report->mistakes);
    report->mistakes[report->mistake_count++] = (struct mistake){student, what};
}

/* The student's name: that of the folder if the file is named after the exercise, as in
 * "handed-in/ann/broadcast.cu"; else that of the file, as in "handed-in/ann.cu". */
static char *student_of(const char *file, const char *exercise) {
    struct text name = TEXT_INIT;
    text_append(&name, file_base_name(file));
    char *dot = strrchr(name.data, '.');
    if (dot && dot != name.data)
        *dot = '\0';
    char *student = memory_string(name.data);
    if (strcmp(student, exercise) == 0) {
        char *folder = file_folder(file);
        free(student);
        student = memory_string(file_base_name(folder));
        free(folder);
    }
    text_release(&name);
    return student;
}

static void add_verdict(struct class_report *report, json_object *object) {
    const char *exercise = string_in(object, "exercise"), *verdict = string_in(object, "verdict");
    char *name = student_of(string_in(object, "file"), exercise);
    const size_t student = index_of(&report->students, name);
    struct entry *entry = entry_of(report, student, index_of(&report->tasks, exercise));
    json_object *findings = list_in(object, "findings");
    struct text words = TEXT_INIT;
    const bool passed = strcmp(verdict, "passed") == 0;
    free(name);
    if (!entry->passed) {
        free(entry->verdict);
        entry->verdict = memory_string(verdict);
    }
    entry->passed = entry->passed || passed;
    if (!passed) {
        const char *rule = findings && json_object_array_length(findings)
                               ? string_in(json_object_array_get_idx(findings, 0), "rule")
                               : "";
        text_append_format(&words, "%s: %s%s%s", exercise, verdict, *rule ? ", " : "", rule);
        add_mistake(report, student, words.data);
    }
    text_release(&words);
}

static void add_answer(struct class_report *report, size_t student, const char *task,
                       const char *question, bool right, const char *answer) {
    struct entry *entry = entry_of(report, student, index_of(&report->tasks, task));
    struct text words = TEXT_INIT;
    entry->asked++;
    entry->right += right;
    if (!right) {
        text_append_format(&words, "%s, %s: %s", task, question, *answer ? answer : "-");
        add_mistake(report, student, words.data);
    }
    text_release(&words);
}

/* Reads one object written by --results. */
static void add_results(struct class_report *report, json_object *object) {
    const char *name = string_in(object, "name"), *who = string_in(object, "who");
    const char *task = *name ? name : string_in(object, "of");
    const size_t student = index_of(&report->students, *who ? who : "?");
    json_object *questions = list_in(object, "questions");
    for (size_t i = 0; questions && i < json_object_array_length(questions); i++) {
        json_object *question = json_object_array_get_idx(questions, i);
        json_object *answers = list_in(question, "answers");
        const char *where = string_in(question, "where");
        json_object *first = answers && json_object_array_length(answers)
                                 ? json_object_array_get_idx(answers, 0)
                                 : NULL;
        add_answer(report, student, task, *where ? where : string_in(question, "question"),
                   bool_in(question, "first_try"), first ? json_object_get_string(first) : "");
    }
}

/* Reads a line of --collect. */
static void add_round(struct class_report *report, json_object *object) {
    json_object *answers = list_in(object, "answers");
    for (size_t i = 0; answers && i < json_object_array_length(answers); i++) {
        json_object *answer = json_object_array_get_idx(answers, i), *number;
        struct text name = TEXT_INIT;
        if (json_object_object_get_ex(answer, "student", &number)) {
            text_append_format(&name, "#%d", json_object_get_int(number));
            add_answer(report, index_of(&report->students, name.data), string_in(object, "lesson"),
                       string_in(object, "beat"), bool_in(answer, "right"),
                       string_in(answer, "answer"));
        }
        text_release(&name);
    }
}

static bool add_value(struct class_report *report, json_object *value) {
    const char *schema =
        json_object_is_type(value, json_type_object) ? string_in(value, "schema") : "";
    if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++)
            if (!json_object_is_type(json_object_array_get_idx(value, i), json_type_object) ||
                !add_value(report, json_object_array_get_idx(value, i)))
                return false;
        return true;
    }
    if (strcmp(schema, "shflviz-exercise/1") == 0)
        add_verdict(report, value);
    else if (strcmp(schema, "shflviz-results/1") == 0)
        add_results(report, value);
    else if (json_object_is_type(value, json_type_object) && *string_in(value, "lesson") &&
             list_in(value, "answers"))
        add_round(report, value);
    else
        return false;
    return true;
}

int class_report_add(struct class_report *report, const char *path, const char *text, size_t length,
                     struct error *err) {
    struct json_tokener *tokener = json_tokener_new();
    size_t at = strspn(text, " \t\r\n");
    bool fine = at < length;
    while (fine && at < length) {
        json_object *value = json_tokener_parse_ex(tokener, text + at, (int)(length - at));
        fine = value && add_value(report, value);
        at += json_tokener_get_parse_end(tokener);
        at += strspn(text + at, " \t\r\n");
        json_object_put(value);
        json_tokener_reset(tokener);
    }
    json_tokener_free(tokener);
    return fine ? 0
                : error_set(err, ERROR_USAGE,
                            _("%s: contains no class results\nallowed: output of grade --format "
                              "json, exercise check --format json, --results or --collect"),
                            path);
}

struct class_report *class_report_new(void) {
    return memory_zeroed(1, sizeof(struct class_report));
}

void class_report_free(struct class_report *report) {
    for (size_t i = 0; i < report->entry_count; i++)
        free(report->entries[i].verdict);
    free(report->entries);
    free(report->mistakes);
    names_release(&report->students);
    names_release(&report->tasks);
    names_release(&report->words);
    free(report);
}

/* ---- as text ---- */

/* "passed", "misuse", "4/5"; "" for no result. */
static void append_cell(struct text *text, const struct class_report *report, size_t student,
                        size_t task) {
    for (size_t i = 0; i < report->entry_count; i++) {
        const struct entry *entry = &report->entries[i];
        if (entry->student != student || entry->task != task)
            continue;
        if (entry->verdict)
            text_append(text, entry->passed ? "passed" : entry->verdict);
        else
            text_append_format(text, "%u/%u", entry->right, entry->asked);
    }
}

/* Appends a line of text that is safe to print, in at least that many columns. */
static void put_cell(FILE *out, const char *string, int columns) {
    struct text visible = TEXT_INIT, cell = TEXT_INIT;
    text_append_visible(&visible, string, UTF8_LINE);
    text_append_column(&cell, visible.data, columns);
    fputs(cell.data, out);
    text_release(&visible);
    text_release(&cell);
}

static int widest_name(const struct names *names, int least) {
    for (size_t i = 0; i < names->count; i++)
        least = utf8_columns(names->name[i]) > least ? utf8_columns(names->name[i]) : least;
    return least;
}

/* The columns of a task's cell, with the blanks after it; 0, none, for the last. */
static int task_columns(const struct names *tasks, size_t task) {
    const int columns = utf8_columns(tasks->name[task]);
    return task + 1 == tasks->count ? 0 : (columns > CELL_LEAST ? columns : CELL_LEAST) + 2;
}

static void write_table(FILE *out, const struct class_report *report) {
    const int first = widest_name(&report->students, utf8_columns(_("student"))) + 2;
    put_cell(out, _("student"), first);
    for (size_t task = 0; task < report->tasks.count; task++)
        put_cell(out, report->tasks.name[task], task_columns(&report->tasks, task));
    fputc('\n', out);
    for (size_t student = 0; student < report->students.count; student++) {
        put_cell(out, report->students.name[student], first);
        for (size_t task = 0; task < report->tasks.count; task++) {
            struct text cell = TEXT_INIT;
            append_cell(&cell, report, student, task);
            put_cell(out, cell.length ? cell.data : "-", task_columns(&report->tasks, task));
            text_release(&cell);
        }
        fputc('\n', out);
    }
}

static size_t *count_mistakes(const struct class_report *report) {
    size_t *counts = memory_zeroed(report->words.count + 1, sizeof *counts);
    for (size_t i = 0; i < report->mistake_count; i++)
        counts[report->mistakes[i].what]++;
    return counts;
}

void class_report_text(FILE *out, const struct class_report *report) {
    size_t *counts = count_mistakes(report);
    write_table(out, report);
    if (report->words.count)
        fputs(_("\nMistakes, and how many students made each\n"), out);
    for (size_t shown = 0; shown < report->words.count && shown < MISTAKES_SHOWN; shown++) {
        size_t most = 0;
        for (size_t i = 1; i < report->words.count; i++)
            most = counts[i] > counts[most] ? i : most;
        fprintf(out, "%4zu  ", counts[most]);
        put_cell(out, report->words.name[most], 0);
        fputc('\n', out);
        counts[most] = 0;
    }
    free(counts);
}

/* ---- as CSV ---- */

static void put_field(FILE *out, const char *string, char after) {
    struct text visible = TEXT_INIT, field = TEXT_INIT;
    text_append_visible(&visible, string, UTF8_LINE);
    csv_append_field(&field, visible.data);
    fprintf(out, "%s%c", field.data, after);
    text_release(&visible);
    text_release(&field);
}

void class_report_csv(FILE *out, const struct class_report *report) {
    put_field(out, "student", ',');
    for (size_t task = 0; task < report->tasks.count; task++)
        put_field(out, report->tasks.name[task], ',');
    put_field(out, "mistakes", '\n');
    for (size_t student = 0; student < report->students.count; student++) {
        struct text mistakes = TEXT_INIT;
        put_field(out, report->students.name[student], ',');
        for (size_t task = 0; task < report->tasks.count; task++) {
            struct text cell = TEXT_INIT;
            append_cell(&cell, report, student, task);
            put_field(out, cell.data, ',');
            text_release(&cell);
        }
        for (size_t i = 0; i < report->mistake_count; i++)
            if (report->mistakes[i].student == student)
                text_append_format(&mistakes, "%s%s", mistakes.length ? " | " : "",
                                   report->words.name[report->mistakes[i].what]);
        put_field(out, mistakes.data, '\n');
        text_release(&mistakes);
    }
}
