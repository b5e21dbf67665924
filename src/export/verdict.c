#include "export/verdict.h"

#include "export/csv_field.h"
#include "export/json/json_parts.h"
#include "export/xml.h"

#include <inttypes.h>
#include <stdlib.h>

static json_object *wrong_object(const struct verdict *verdict) {
    if (verdict->kind != VERDICT_WRONG)
        return NULL;
    json_object *object = json_new();
    json_put(object, "block", json_uint(verdict->block));
    json_put(object, "warp", json_uint(verdict->warp));
    json_put(object, "lane", json_uint(verdict->lane));
    json_put(object, "element", json_uint((uint64_t)verdict->index));
    json_put(object, "got", json_string(verdict->got));
    json_put(object, "wanted", json_string(verdict->wanted));
    return object;
}

void export_verdict_json(FILE *out, const char *exercise, const char *file,
                         const struct verdict *verdict) {
    json_object *object = json_new();
    json_object *findings = json_list();
    json_put(object, "schema", json_string("shflviz-exercise/1"));
    json_put(object, "exercise", json_string(exercise));
    json_put(object, "file", json_visible(file, UTF8_LINES));
    json_put(object, "verdict", json_string(verdict_name(verdict->kind)));
    json_put(object, "cases", json_uint(verdict->cases));
    json_put(object, "runs", json_uint(verdict->runs));
    json_put(object, "schedule", json_uint(verdict->schedule));
    json_put(object, "seed", json_uint(verdict->seed));
    json_put(object, "case",
             verdict->case_name && *verdict->case_name ? json_string(verdict->case_name) : NULL);
    json_put(object, "wrong", wrong_object(verdict));
    json_put(object, "message", json_visible(verdict->text, UTF8_LINES));
    for (size_t i = 0; i < verdict->report.count; i++)
        json_append(findings, json_finding(&verdict->report.finding[i]));
    json_put(object, "findings", findings);
    json_put(object, "printed", json_visible(verdict->printed ? verdict->printed : "", UTF8_LINES));
    json_write(out, object);
    fputc('\n', out);
}

/* ---- CSV and JUnit ---- */

/* A description of the failure for people. */
static char *words_of(const struct verdict *verdict, const char *file) {
    struct text text = TEXT_INIT;
    if (verdict->kind != VERDICT_PASSED)
        verdict_append(&text, verdict, file);
    return text_detach(&text);
}

static void csv_line(FILE *out, const char *string) {
    struct text text = TEXT_INIT, field = TEXT_INIT;
    text_append_visible(&text, string ? string : "", UTF8_LINE);
    csv_append_field(&field, text.data);
    fputs(field.data, out);
    text_release(&text);
    text_release(&field);
}

void export_verdict_csv(FILE *out, const char *exercise, const char *file,
                        const struct verdict *verdict, double seconds) {
    char *words = words_of(verdict, file);
    csv_line(out, file);
    fputc(',', out);
    csv_line(out, exercise);
    fprintf(out, ",%s,%.2f,%u,", verdict_name(verdict->kind), seconds, verdict->cases);
    csv_line(out, verdict->case_name);
    fputc(',', out);
    csv_line(out, words);
    fprintf(out, ",%" PRIu64 "\n", verdict->seed);
    free(words);
}

/* XML 1.0 allows no control characters other than line ends and tabs; text_append_visible()
 * replaces the others. */
static void xml_text(FILE *out, const char *string, enum utf8_layout layout) {
    struct text text = TEXT_INIT;
    text_append_visible(&text, string ? string : "", layout);
    xml_escaped(out, text.data);
    text_release(&text);
}

void export_verdict_junit(FILE *out, const char *exercise, const char *file,
                          const struct verdict *verdict, double seconds) {
    const char *kind = verdict->kind == VERDICT_UNFINISHED ? "error" : "failure";
    char *words = words_of(verdict, file);
    fputs("<testcase classname=\"", out);
    xml_text(out, exercise, UTF8_LINE);
    fputs("\" name=\"", out);
    xml_text(out, file, UTF8_LINE);
    fprintf(out, "\" time=\"%.2f\">", seconds);
    if (verdict->kind != VERDICT_PASSED) {
        fprintf(out, "<%s message=\"%s\">", kind, verdict_name(verdict->kind));
        xml_text(out, words, UTF8_LINES);
        fprintf(out, "</%s>", kind);
    }
    fputs("</testcase>\n", out);
    free(words);
}
