#include "teach/results.h"

#include "base/memory.h"
#include "explain/answer.h"

#include <stdlib.h>
#include <string.h>

/* The entry of the current question. */
static struct result *entry(struct results *results, const char *where) {
    for (size_t i = 0; i < results->count; i++)
        if (*where ? strcmp(results->result[i].where, where) == 0 : !results->result[i].right)
            return &results->result[i];
    results->result = memory_grow(results->result, results->count + 1, sizeof(results->result[0]));
    struct result *made = &results->result[results->count++];
    *made = (struct result){.where = memory_string(where)};
    return made;
}

void results_answer(struct results *results, const char *where, const char *typed) {
    struct result *result = results ? entry(results, where) : NULL;
    if (!result || result->right)
        return;
    result->answer = memory_grow(result->answer, result->answers + 1, sizeof(result->answer[0]));
    result->answer[result->answers++] = memory_string(typed);
}

void results_settle(struct results *results, const char *where, struct subject subject,
                    const struct question *question, struct result how) {
    char text[QUESTION_TEXT], right[ANSWER_TEXT] = "";
    struct answer answer;
    struct result *result = results ? entry(results, where) : NULL;
    if (!result)
        return;
    if (result->right) { /* it is asked again */
        result->mended = result->mended || (how.is_right && !result->is_right);
        return;
    }
    if (answer_of(subject, question, &answer, NULL) == 0)
        answer_format(subject, question, &answer, right);
    result->question = memory_string(question_format(question, text));
    result->op = subject.operation ? warp_op_info(subject.operation->op)->name : "";
    result->right = memory_string(right);
    result->is_right = how.is_right;
    result->hinted = how.hinted;
    result->shown = how.shown;
    result->first_try = how.is_right && result->answers == 1 && !how.hinted;
}

size_t results_settled(const struct results *results) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->result[i].right != NULL;
    return count;
}

void results_release(struct results *results) {
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->result[i];
        for (size_t k = 0; k < result->answers; k++)
            free(result->answer[k]);
        free(result->answer);
        free(result->where);
        free(result->question);
        free(result->right);
    }
    free(results->result);
    *results = (struct results){0};
}
