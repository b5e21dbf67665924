#include "export/verdict.h"

#include "export/json_parts.h"

static json_object *number(uint64_t value) {
    return json_made(json_object_new_uint64(value));
}

static json_object *wrong_object(const struct verdict *verdict) {
    if (verdict->kind != VERDICT_WRONG)
        return NULL;
    json_object *object = json_made(json_object_new_object());
    json_put(object, "block", number(verdict->block));
    json_put(object, "warp", number(verdict->warp));
    json_put(object, "lane", number(verdict->lane));
    json_put(object, "element", number((uint64_t)verdict->index));
    json_put(object, "got", json_string(verdict->got));
    json_put(object, "wanted", json_string(verdict->wanted));
    return object;
}

/* Text of a compiler or a program, which may be cut within a character. */
static json_object *visible(const char *string) {
    struct text text = TEXT_INIT;
    text_append_visible(&text, string ? string : "", UTF8_LINES);
    json_object *made = json_string(text.data);
    text_release(&text);
    return made;
}

void export_verdict_json(FILE *out, const char *exercise, const char *file,
                         const struct verdict *verdict) {
    json_object *object = json_made(json_object_new_object());
    json_object *findings = json_made(json_object_new_array());
    json_put(object, "schema", json_string("shflviz-exercise/1"));
    json_put(object, "exercise", json_string(exercise));
    json_put(object, "file", visible(file));
    json_put(object, "verdict", json_string(verdict_name(verdict->kind)));
    json_put(object, "cases", number(verdict->cases));
    json_put(object, "runs", number(verdict->runs));
    json_put(object, "schedule", number(verdict->schedule));
    json_put(object, "case",
             verdict->case_name && *verdict->case_name ? json_string(verdict->case_name) : NULL);
    json_put(object, "wrong", wrong_object(verdict));
    json_put(object, "message", verdict->text ? visible(verdict->text) : NULL);
    for (size_t i = 0; i < verdict->report.count; i++)
        json_append(findings, json_place(&verdict->report.place[i]));
    json_put(object, "findings", findings);
    json_put(object, "printed", visible(verdict->printed));
    json_write(out, object);
    fputc('\n', out);
}
