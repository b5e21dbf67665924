#include "explain/question.h"

#include "base/message.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32

static const struct {
    const char *words;
    enum question_kind kind;
    bool takes_lane;
} forms[] = {
    {"source of lane", QUESTION_SOURCE, true},      {"value of lane", QUESTION_VALUE, true},
    {"readers of lane", QUESTION_READERS, true},    {"lanes own", QUESTION_OWN, false},
    {"lanes undefined", QUESTION_UNDEFINED, false}, {"lanes changed", QUESTION_CHANGED, false},
    {"lanes absent", QUESTION_ABSENT, false},
};
#define FORMS (sizeof forms / sizeof *forms)

static const struct {
    const char *words;
    enum question_kind kind;
    bool takes_aim;
} code_forms[] = {{"call", QUESTION_CALL, false},
                  {"blank", QUESTION_BLANK, true},
                  {"which", QUESTION_WHICH, true},
                  {"wrong line", QUESTION_LINE, false}};

static bool parse_code(struct question *question, const char *text) {
    for (size_t i = 0; i < sizeof code_forms / sizeof *code_forms; i++) {
        size_t length = strlen(code_forms[i].words);
        if (strncmp(text, code_forms[i].words, length) != 0)
            continue;
        *question = (struct question){.kind = code_forms[i].kind,
                                      .aim = {SNIPPET_PICTURE, false, LANES, 0}};
        if (!code_forms[i].takes_aim && text[length] == '\0')
            return true;
        if (code_forms[i].takes_aim && text[length] == ' ' &&
            snippet_aim_parse(&question->aim, text + length + 1))
            return true;
    }
    return false;
}

int question_parse(struct question *question, const char *text, struct error *err) {
    if (parse_code(question, text))
        return 0;
    for (size_t i = 0; i < FORMS; i++) {
        size_t length = strlen(forms[i].words);
        if (strncmp(text, forms[i].words, length) != 0)
            continue;
        const char *rest = text + length;
        if (!forms[i].takes_lane && *rest == '\0') {
            *question = (struct question){.kind = forms[i].kind};
            return 0;
        }
        char *end;
        long lane = forms[i].takes_lane && *rest == ' ' ? strtol(rest, &end, 10) : -1;
        if (lane >= 0 && lane < LANES && end != rest && *end == '\0') {
            *question = (struct question){.kind = forms[i].kind, .lane = (int)lane};
            return 0;
        }
    }
    return error_set(err, ERROR_USAGE,
                     _("'%s' is not a question\nallowed: source of lane N, value of lane N, "
                       "readers of lane N (N is 0 to 31), lanes own, lanes undefined, lanes "
                       "changed, lanes absent, call, wrong line; blank AIM, which AIM, where AIM "
                       "is picture, result, number N, or sum, max, argmax, scan or exclusive scan "
                       "in lane 0 or in all lanes, followed by 'of 8' for groups of 8"),
                     text);
}

int question_accept(struct question *question, const char *answer, struct error *err) {
    for (size_t i = 0; i < QUESTION_ACCEPTS && strlen(answer) < QUESTION_ACCEPT; i++)
        if (!question->accept[i][0]) {
            snprintf(question->accept[i], QUESTION_ACCEPT, "%s", answer);
            return 0;
        }
    return error_set(err, ERROR_USAGE,
                     _("'accept %s' is too long or one too many\nallowed: %d answers of at most %d "
                       "characters"),
                     answer, QUESTION_ACCEPTS, QUESTION_ACCEPT - 1);
}

char *question_format(const struct question *question, char buffer[QUESTION_TEXT]) {
    buffer[0] = '\0';
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].kind == question->kind && forms[i].takes_lane)
            snprintf(buffer, QUESTION_TEXT, "%s %d", forms[i].words, question->lane);
        else if (forms[i].kind == question->kind)
            snprintf(buffer, QUESTION_TEXT, "%s", forms[i].words);
    for (size_t i = 0; i < sizeof code_forms / sizeof *code_forms; i++)
        if (code_forms[i].kind == question->kind) {
            char aim[QUESTION_TEXT - 8] = "";
            if (code_forms[i].takes_aim)
                snippet_aim_format(&question->aim, aim, sizeof aim);
            snprintf(buffer, QUESTION_TEXT, "%s%s%s", code_forms[i].words, *aim ? " " : "", aim);
        }
    return buffer;
}

bool question_is_set(const struct question *question) {
    return question->kind > QUESTION_VALUE && question->kind <= QUESTION_ABSENT;
}

bool question_is_code(const struct question *question) {
    return question->kind >= QUESTION_CALL && question->kind <= QUESTION_LINE;
}
