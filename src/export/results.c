#include "export/results.h"

#include "export/json_parts.h"

static json_object *number(uint64_t value) {
    return json_made(json_object_new_uint64(value));
}

static json_object *truth(bool value) {
    return json_made(json_object_new_boolean(value));
}

/* What a person typed may be anything. */
static json_object *visible(const char *string) {
    struct text text = TEXT_INIT;
    if (!string)
        return NULL;
    text_append_visible(&text, string, UTF8_LINE);
    json_object *made = json_string(text.data);
    text_release(&text);
    return made;
}

static json_object *question_object(const struct result *result) {
    json_object *object = json_made(json_object_new_object());
    json_object *answers = json_made(json_object_new_array());
    for (size_t i = 0; i < result->answers; i++)
        json_append(answers, visible(result->answer[i]));
    json_put(object, "where", *result->where ? json_string(result->where) : NULL);
    json_put(object, "op", json_string(result->op));
    json_put(object, "question", json_string(result->question));
    json_put(object, "answers", answers);
    json_put(object, "answer", visible(result->right));
    json_put(object, "right", truth(result->is_right));
    json_put(object, "first_try", truth(result->first_try));
    json_put(object, "hinted", truth(result->hinted));
    json_put(object, "shown", truth(result->shown));
    json_put(object, "mended", truth(result->mended));
    return object;
}

void export_results(FILE *out, const struct results_heading *heading,
                    const struct results *results) {
    const size_t settled = results_settled(results);
    size_t right = 0, first = 0;
    json_object *object = json_made(json_object_new_object());
    json_object *questions = json_made(json_object_new_array());
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->result[i];
        right += result->is_right;
        first += result->first_try;
        if (result->right)
            json_append(questions, question_object(result));
    }
    json_put(object, "schema", json_string("shflviz-results/1"));
    json_put(object, "of", json_string(heading->of));
    json_put(object, "name", visible(heading->name));
    json_put(object, "who", visible(heading->who));
    json_put(object, "seed", heading->has_seed ? number(heading->seed) : NULL);
    json_put(object, "level", heading->level ? number((uint64_t)heading->level) : NULL);
    json_put(object, "begun", json_string(heading->begun));
    json_put(object, "ended", json_string(heading->ended));
    json_put(object, "complete",
             truth(heading->questions == 0 ? settled > 0 : settled >= heading->questions));
    json_put(object, "in_all", heading->questions ? number(heading->questions) : NULL);
    json_put(object, "asked", number(settled));
    json_put(object, "right", number(right));
    json_put(object, "first_try", number(first));
    json_put(object, "questions", questions);
    json_write(out, object);
    fputc('\n', out);
}
