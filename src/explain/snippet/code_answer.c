/*
 * Answers that are code are judged by what they do: both the right answer and the learner's are run
 * over the lanes, and only the results are compared.
 */
#include "explain/snippet/code_answer.h"

#include "base/message.h"
#include "explain/explain.h"
#include "explain/which.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_SIZE 1024

static size_t choices(const struct question *question) {
    size_t count = 0;
    while (count < QUESTION_CODES && question->code[count])
        count++;
    return count;
}

/* The typed text, without blanks around it. */
static void trim(const char *typed, char *buffer, size_t size) {
    typed += strspn(typed, " ");
    snprintf(buffer, size, "%s", typed);
    size_t length = strlen(buffer);
    while (length > 0 && buffer[length - 1] == ' ')
        buffer[--length] = '\0';
}

/* The code with the typed text in its blank, or the typed text alone. */
static void whole_code(const struct question *question, const char *typed, char code[CODE_SIZE]) {
    const char *template = question->code[0];
    const char *blank =
        question->kind == QUESTION_BLANK ? strstr(template, QUESTION_BLANK_SIGN) : NULL;
    if (!blank)
        snprintf(code, CODE_SIZE, "%s", typed);
    else
        snprintf(code, CODE_SIZE, "%.*s(%s)%s", (int)(blank - template), template, typed,
                 blank + strlen(QUESTION_BLANK_SIGN));
}

static int judge(struct subject subject, const struct question *question, const char *typed,
                 bool *right, char why[SNIPPET_WHY], struct error *err) {
    char code[CODE_SIZE];
    whole_code(question, typed, code);
    return snippet_judge(code, subject.operation, &question->aim, right, why, err);
}

/* The choices that achieve the aim, one bit each. */
static int right_choices(struct subject subject, const struct question *question, unsigned *right,
                         struct error *err) {
    *right = 0;
    for (size_t i = 0; i < choices(question); i++) {
        bool reaches;
        char why[SNIPPET_WHY];
        if (judge(subject, question, question->code[i], &reaches, why, err) != 0)
            return -1;
        *right |= (unsigned)reaches << i;
    }
    return 0;
}

static bool is_wrong_line(struct subject subject) {
    uint32_t present = subject.operation->present;
    for (; present; present &= present - 1)
        if (subject.outcome[__builtin_ctz(present)].status == LANE_UNDEFINED)
            return true;
    return subject.operation->unfinished;
}

/* The recorded call, if all lanes pass the same arguments. */
static bool recorded_call(const struct warp_operation *operation, char *buffer, size_t size) {
    static const char *const names[] = {[WARP_OP_IDX] = "__shfl_sync",
                                        [WARP_OP_UP] = "__shfl_up_sync",
                                        [WARP_OP_DOWN] = "__shfl_down_sync",
                                        [WARP_OP_XOR] = "__shfl_xor_sync"};
    int32_t arg, width;
    if (!warp_op_info(operation->op)->is_shuffle ||
        !warp_agree(operation->arg, operation->present, &arg) ||
        !warp_agree(operation->width, operation->present, &width))
        return false;
    if (width == WARP_LANES)
        snprintf(buffer, size, "%s(0x%08x, value, %d)", names[operation->op], operation->members,
                 arg);
    else
        snprintf(buffer, size, "%s(0x%08x, value, %d, %d)", names[operation->op],
                 operation->members, arg, width);
    return true;
}

/* ---- possible questions ---- */

static int check_example(struct subject subject, const struct question *question,
                         struct error *err) {
    bool right = false;
    char why[SNIPPET_WHY], answer[ANSWER_TEXT];
    code_answer(subject, question, answer, sizeof answer);
    if (!*answer)
        return error_set(err, ERROR_USAGE, _("the correct answer is missing; add 'answer CODE'"));
    if (judge(subject, question, answer, &right, why, err) != 0)
        return -1;
    if (right)
        return 0;
    return *why ? error_set(err, ERROR_USAGE, _("'%s' is not right: %s"), answer, why)
                : error_set(err, ERROR_USAGE, _("'%s' is not right"), answer);
}

int code_check(struct subject subject, const struct question *question, struct error *err) {
    unsigned right = 0;
    if (question->kind == QUESTION_LINE) {
        if (subject.line == 0)
            return error_set(err, ERROR_USAGE, _("the recording lacks the call's line"));
        return is_wrong_line(subject)
                   ? 0
                   : error_set(err, ERROR_USAGE, _("nothing is undefined in the call shown"));
    }
    if (question->kind == QUESTION_BLANK &&
        (!question->code[0] || !strstr(question->code[0], QUESTION_BLANK_SIGN)))
        return error_set(err, ERROR_USAGE, _("there is no code with a blank, %s"),
                         QUESTION_BLANK_SIGN);
    if (question->kind != QUESTION_WHICH)
        return check_example(subject, question, err);
    if (right_choices(subject, question, &right, err) != 0)
        return -1;
    if (right == 0 || right == (1u << choices(question)) - 1)
        return error_set(err, ERROR_USAGE,
                         right ? _("all choices are right") : _("no choice is right"));
    return 0;
}

/* ---- answers ---- */

static void format_letters(unsigned letters, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < QUESTION_CODES; i++)
        if (letters >> i & 1)
            length += (size_t)snprintf(buffer + length, size - length, "%s%c", length ? "," : "",
                                       'a' + i);
}

void code_answer(struct subject subject, const struct question *question, char *buffer,
                 size_t size) {
    unsigned right = 0;
    buffer[0] = '\0';
    if (question->example)
        snprintf(buffer, size, "%s", question->example);
    else if (question->kind == QUESTION_LINE)
        snprintf(buffer, size, "%u", subject.line);
    else if (question->kind == QUESTION_CALL)
        recorded_call(subject.operation, buffer, size);
    else if (question->kind == QUESTION_WHICH &&
             right_choices(subject, question, &right, NULL) == 0)
        format_letters(right, buffer, size);
}

/* Reads "a", "a,c", "a c"; false for anything else, or for a choice that does not exist. */
static bool read_letters(const struct question *question, const char *typed, unsigned *letters) {
    *letters = 0;
    for (; *typed; typed++) {
        unsigned letter = (unsigned)(tolower((unsigned char)*typed) - 'a');
        if (strchr(" ,", *typed))
            continue;
        if (letter >= choices(question))
            return false;
        *letters |= 1u << letter;
    }
    return *letters != 0;
}

static bool read_line(const char *typed, unsigned long *line) {
    char *end;
    *line = strtoul(typed, &end, 10);
    return end != typed && *end == '\0' && isdigit((unsigned char)*typed);
}

enum answer_verdict code_judge(struct subject subject, const struct question *question,
                               const char *typed, char *normal, size_t size) {
    char text[CODE_SIZE], why[SNIPPET_WHY];
    unsigned letters, right_letters = 0;
    unsigned long line;
    bool right = false;
    trim(typed, text, sizeof text);
    snprintf(normal, size, "%s", text);
    if (question->kind == QUESTION_LINE) {
        if (!read_line(text, &line))
            return ANSWER_UNREADABLE;
        right = line == subject.line;
    } else if (question->kind == QUESTION_WHICH) {
        if (!read_letters(question, text, &letters) ||
            right_choices(subject, question, &right_letters, NULL) != 0)
            return ANSWER_UNREADABLE;
        format_letters(letters, normal, size);
        right = letters == right_letters;
    } else if (judge(subject, question, text, &right, why, NULL) != 0) {
        return ANSWER_UNREADABLE;
    }
    return right ? ANSWER_RIGHT : ANSWER_WRONG;
}

/* True if the text that an error quotes begins in the typed text, and not after it. */
static bool quotes_from(const char *error, const char *typed) {
    const char *quote = strchr(error, '\'');
    const size_t quoted = quote ? strcspn(quote + 1, "'") : 0;
    for (const char *part = typed; quote && *part; part++)
        if (strncmp(quote + 1, part, strlen(part) < quoted ? strlen(part) : quoted) == 0)
            return true;
    return false;
}

int code_problem(struct subject subject, const struct question *question, const char *typed,
                 struct error *err) {
    bool right;
    char why[SNIPPET_WHY];
    if (question->kind == QUESTION_LINE)
        return error_set(err, ERROR_USAGE, _("answer with a line number"));
    if (question->kind == QUESTION_WHICH)
        return error_set(err, ERROR_USAGE, _("answer with a letter, or several: a,c"));
    if (judge(subject, question, typed, &right, why, err) == 0)
        return error_set(err, ERROR_USAGE, _("answer with code"));
    if (question->kind == QUESTION_BLANK && !typed[strspn(typed, " ")])
        return error_set(err, ERROR_USAGE, _("answer with code"));
    if (question->kind == QUESTION_BLANK && !quotes_from(err->text, typed))
        return error_set(err, ERROR_USAGE, _("with '%s' in the blank the line cannot be read"),
                         typed);
    return -1;
}

/* ---- texts ---- */

static void explain_choices(struct subject subject, const struct question *question,
                            const char *typed, char *buffer, size_t size) {
    unsigned letters = 0, right = 0;
    read_letters(question, typed, &letters);
    right_choices(subject, question, &right, NULL);
    for (size_t i = 0; i < choices(question); i++) {
        bool reaches;
        char why[SNIPPET_WHY] = "";
        if (!((letters & ~right) >> i & 1))
            continue;
        judge(subject, question, question->code[i], &reaches, why, NULL);
        snprintf(buffer, size, "%c: %s", (char)('a' + i), why);
        return;
    }
    snprintf(buffer, size, "%s", _("these choices are right, but there is another right choice"));
}

void code_why_wrong(struct subject subject, const struct question *question, const char *typed,
                    char *buffer, size_t size) {
    char why[SNIPPET_WHY] = "";
    bool right;
    buffer[0] = '\0';
    if (question->kind == QUESTION_WHICH)
        explain_choices(subject, question, typed, buffer, size);
    else if (question->kind == QUESTION_LINE)
        snprintf(buffer, size, "%s", code_hint(question));
    else if (judge(subject, question, typed, &right, why, NULL) == 0)
        snprintf(buffer, size, "%s", why);
}

#define OTHERS_MOST 3

/* Appends other calls that make the picture, in the short form that may be typed. */
static void append_other_calls(struct subject subject, char *buffer, size_t size) {
    struct which_request request;
    struct which which;
    struct text others = TEXT_INIT;
    const size_t length = strlen(buffer);
    int32_t arg = 0, width = 0, listed = 0;
    warp_agree(subject.operation->arg, subject.operation->present, &arg);
    warp_agree(subject.operation->width, subject.operation->present, &width);
    which_request_of(subject.operation, subject.outcome, &request);
    which_find(&which, &request);
    for (size_t i = 0; i < which.count && listed < OTHERS_MOST; i++) {
        const struct which_call *call = &which.calls[i];
        const bool recorded = call->op == subject.operation->op && call->argument == arg &&
                              which_width(call) == width;
        if (recorded || call->expression[0])
            continue;
        text_append(&others, listed++ ? ", " : "");
        which_append_code(call, &others);
    }
    if (listed > 0 && length < size)
        snprintf(buffer + length, size - length, _(". The same picture: %s"), others.data);
    which_release(&which);
    text_release(&others);
}

void code_reason(struct subject subject, const struct question *question, char *buffer,
                 size_t size) {
    uint32_t present = subject.operation->present;
    buffer[0] = '\0';
    if (question->kind != QUESTION_LINE) {
        explain_operation(subject.operation, buffer, size);
        if (question->kind == QUESTION_CALL)
            append_other_calls(subject, buffer, size);
        if (question->aim.goal == SNIPPET_NUMBER)
            snprintf(buffer, size, "%s", _("any code with that value is right"));
        else if (question->aim.goal != SNIPPET_PICTURE)
            snprintf(buffer, size, "%s",
                     _("this code was run on the 32 lanes and does what was asked"));
        return;
    }
    for (; present; present &= present - 1) {
        int lane = __builtin_ctz(present);
        if (subject.outcome[lane].status != LANE_UNDEFINED)
            continue;
        explain_brief(subject.operation, &subject.outcome[lane], PHASE_RANGE, lane, buffer, size);
        return;
    }
}

const char *code_hint(const struct question *question) {
    switch (question->kind) {
    case QUESTION_CALL:
        return _("Take one lane: whose value does it get, and from how far? Then take another "
                 "lane, at the end of a group.");
    case QUESTION_LINE:
        return _("Look for the call in which a lane reads an absent lane, or whose mask differs "
                 "from the lanes that make that call.");
    default:
        return _("Go through the code as lane 0, then as the last lane.");
    }
}
