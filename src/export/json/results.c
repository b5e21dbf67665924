#include "export/json/results.h"

#include "export/json/json_parts.h"

static json_object *question_object(const struct result *result) {
    json_object *object = json_new();
    json_object *answers = json_list();
    for (size_t i = 0; i < result->answers; i++)
        json_append(answers, json_visible(result->answer[i], UTF8_LINE));
    json_put(object, "where", *result->where ? json_string(result->where) : NULL);
    json_put(object, "op", json_string(result->op));
    json_put(object, "question", json_string(result->question));
    json_put(object, "answers", answers);
    json_put(object, "answer", json_visible(result->right, UTF8_LINE));
    json_put(object, "right", json_flag(result->is_right));
    json_put(object, "first_try", json_flag(result->first_try));
    json_put(object, "hinted", json_flag(result->hinted));
    json_put(object, "shown", json_flag(result->shown));
    json_put(object, "mended", json_flag(result->mended));
    return object;
}

void export_results(FILE *out, const struct results_heading *heading,
                    const struct results *results) {
    const size_t settled = results_settled(results);
    size_t right = 0, first = 0;
    json_object *object = json_new();
    json_object *questions = json_list();
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->result[i];
        right += result->is_right;
        first += result->first_try;
        if (result->right)
            json_append(questions, question_object(result));
    }
    json_put(object, "schema", json_string("shflviz-results/1"));
    json_put(object, "of", json_string(heading->of));
    json_put(object, "name", json_visible(heading->name, UTF8_LINE));
    json_put(object, "who", json_visible(heading->who, UTF8_LINE));
    json_put(object, "seed", heading->has_seed ? json_uint(heading->seed) : NULL);
    json_put(object, "level", heading->level ? json_uint((uint64_t)heading->level) : NULL);
    json_put(object, "begun", json_string(heading->begun));
    json_put(object, "ended", json_string(heading->ended));
    json_put(object, "complete",
             json_flag(heading->questions == 0 ? settled > 0 : settled >= heading->questions));
    json_put(object, "in_all", heading->questions ? json_uint(heading->questions) : NULL);
    json_put(object, "asked", json_uint(settled));
    json_put(object, "right", json_uint(right));
    json_put(object, "first_try", json_uint(first));
    json_put(object, "questions", questions);
    json_write(out, object);
    fputc('\n', out);
}
