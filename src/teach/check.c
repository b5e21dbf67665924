/*
 * Checks one beat after the other, in each language, and continues after an error, so that an
 * author sees all mistakes at once.
 */
#include "teach/check.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/fragments.h"
#include "replay/predict.h"
#include "teach/prose.h"
#include "teach/scene.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check {
    const struct lesson *lesson;
    struct trace *const *traces;
    void (*complain)(void *context, const char *text);
    void *context;
    size_t count;
    bool *looked_at;     /* one per run */
    bool has_unread_run; /* a beat shows a run that could not be read */

    const struct lesson_beat *beat;
    struct lesson_show show; /* of the beat; unknown if the recording is missing */
    struct scene scene;      /* of the beat */
    bool has_place;          /* the recording exists and has the beat's position */
    bool had_no_place;       /* of the previous beat: the same fault is not reported twice */
    struct replay replay;    /* at the beat's position, if that exists */
};

static void complain(struct check *check, const char *path, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void complain(struct check *check, const char *path, int line, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    text_append_format(&text, "%s:%d: ", path, line);
    if (check->beat)
        text_append_format(&text, _("part '%s': "), check->beat->id);
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    check->complain(check->context, text.data);
    check->count++;
    text_release(&text);
}

static const char *base_path(const struct check *check) {
    return check->lesson->languages[0].path;
}

/* ---- shown parts ---- */

static void check_phase(struct check *check, enum phase phase) {
    enum warp_op op = check->replay.cursor.step.operation.op;
    struct text allowed = TEXT_INIT;
    if (phase_applies(op, phase))
        return;
    for (int other = 0; other < PHASE_COUNT; other++)
        if (phase_applies(op, (enum phase)other))
            text_append_format(&allowed, "%s%s", allowed.length ? ", " : "",
                               phase_name((enum phase)other));
    complain(check, base_path(check), check->beat->show_line,
             _("phase '%s' means nothing for %s; allowed: %s"), phase_name(phase),
             warp_op_info(op)->name, allowed.data);
    text_release(&allowed);
}

static void check_view(struct check *check) {
    const struct replay *replay = &check->replay;
    if (replay->view != VIEW_SOURCE)
        return;
    const struct trace_site *site = trace_site(replay->cursor.trace, replay->cursor.step.site);
    if (!site || !trace_source(replay->cursor.trace, site->file))
        complain(check, base_path(check), check->beat->show_line,
                 _("the recording holds no source text: choose another view, or record it again"));
}

/* True if the matrix that the beat shows, if any, belongs to the step's instruction. */
static bool has_matrix(const struct check *check) {
    const char *matrix = check->beat->show.matrix;
    const struct cursor *cursor = &check->replay.cursor;
    struct fragments fragments;
    const struct trace_registers *registers =
        *matrix ? trace_registers(cursor->trace, cursor->step.number) : NULL;
    return !*matrix || (registers && fragments_recorded(&fragments, registers) &&
                        fragments_find(&fragments, matrix, strlen(matrix)) >= 0);
}

/* False if there is no such position: then texts there cannot be checked. */
static bool check_show(struct check *check) {
    const struct lesson_show *show = &check->beat->show;
    struct error err = ERROR_INIT;
    if (scene_open(&check->replay, check->traces[show->run], show, &err) < 0) {
        const bool is_as_before = check->beat->show_line == check->beat->line;
        if (!is_as_before || !check->had_no_place)
            complain(check, base_path(check), check->beat->show_line, "%s", err.text);
        check->had_no_place = true;
        return false;
    }
    check->had_no_place = false;
    enum phase first = scene_phase_first(show), last = scene_phase_last(show);
    const bool has_phase = !(show->unread & LESSON_UNREAD_PHASE);
    if (has_phase)
        check_phase(check, first);
    if (has_phase && last != first)
        check_phase(check, last);
    if (!(show->unread & LESSON_UNREAD_VIEW))
        check_view(check);
    if (!has_matrix(check))
        complain(check, base_path(check), check->beat->show_line,
                 _("the step has no matrix '%s': mma.sync has A, B and C, ldmatrix r"),
                 show->matrix);
    return true;
}

/* ---- what is asked ---- */

/* An answer that is accepted in addition to the computed one must differ from it, and be in the
 * program's normal form; otherwise it would have no effect. */
static void check_accepted(struct check *check) {
    const struct question *ask = &check->beat->ask;
    struct question bare = {.kind = ask->kind, .lane = ask->lane};
    for (size_t i = 0; i < QUESTION_ACCEPTS && ask->accept[i][0]; i++) {
        char normal[ANSWER_TEXT];
        enum answer_verdict verdict =
            answer_judge(replay_subject(&check->replay), &bare, ask->accept[i], 0, normal);
        if (verdict == ANSWER_WRONG && strcmp(normal, ask->accept[i]) == 0)
            continue;
        complain(check, base_path(check), check->beat->ask_line,
                 verdict == ANSWER_RIGHT ? _("'accept %s' repeats the answer: delete the line")
                                         : _("'accept %s' is in the wrong form: write it as the "
                                             "program writes an answer"),
                 ask->accept[i]);
    }
}

static bool check_ask(struct check *check) {
    const struct question *ask = &check->beat->ask;
    struct answer answer;
    struct error err = ERROR_INIT;
    if (answer_of(replay_subject(&check->replay), ask, &answer, &err) == 0) {
        check_accepted(check);
        return true;
    }
    char text[QUESTION_TEXT];
    complain(check, base_path(check), check->beat->ask_line,
             _("'%s' has no answer at this step: %s"), question_format(ask, text), err.text);
    return false;
}

static void check_belief(struct check *check, const char *path,
                         const struct lesson_belief *belief) {
    const struct question *ask = &check->beat->ask;
    char normal[ANSWER_TEXT];
    switch (answer_judge(replay_subject(&check->replay), ask, belief->answer,
                         check->replay.asking.marks, normal)) {
    case ANSWER_UNREADABLE:
        complain(check, path, belief->line, _("'%s' cannot be typed as an answer; allowed: %s"),
                 belief->answer, question_help(replay_subject(&check->replay), ask));
        break;
    case ANSWER_RIGHT:
        complain(check, path, belief->line,
                 _("'%s' is right, but ### If is for wrong answers: move its text to ### Answer"),
                 belief->answer);
        break;
    case ANSWER_WRONG:
        if (!lesson_same_answer(normal, belief->answer))
            complain(check, path, belief->line,
                     _("the program writes '%s' as '%s': write ### If %s"), belief->answer, normal,
                     normal);
        break;
    }
}

/* ---- texts ---- */

static bool same_place(const struct lesson_show *a, const struct lesson_show *b,
                       const struct replay *replay) {
    uint64_t last = replay->cursor.warp.steps - 1;
    uint64_t step_a = a->step == LESSON_STEP_LAST ? last : a->step;
    uint64_t step_b = b->step == LESSON_STEP_LAST ? last : b->step;
    return a->run == b->run && a->launch == b->launch && a->block == b->block &&
           a->warp == b->warp && step_a == step_b;
}

/* True if a set that the placeholder names contains the lane. */
static bool set_has(const struct replay *replay, enum question_kind kind, int of, int lane) {
    struct answer answer;
    struct question question = {.kind = kind, .lane = of};
    return answer_of(replay_subject(replay), &question, &answer, NULL) == 0 &&
           (answer.lanes >> lane & 1);
}

/* True if the value of a placeholder reveals the lane that the question's lane reads. */
static bool gives_source_away(const struct check *check, const struct placeholder *parts,
                              bool same_lane) {
    const struct question *ask = &check->beat->ask;
    const struct replay *replay = &check->replay;
    switch (scene_set_kind(parts)) {
    case QUESTION_READERS:
        return set_has(replay, QUESTION_READERS, atoi(parts->argument), ask->lane);
    case QUESTION_OWN:
        return set_has(replay, QUESTION_OWN, 0, ask->lane);
    case QUESTION_UNDEFINED:
        return set_has(replay, QUESTION_UNDEFINED, 0, ask->lane);
    default:
        break;
    }
    if (strcmp(parts->word, "status") == 0)
        return same_lane && replay->cursor.outcome[ask->lane].status != LANE_READ;
    return same_lane && (strcmp(parts->word, "source") == 0 || strcmp(parts->word, "out") == 0);
}

/* True if the value of a placeholder answers the beat's question. */
static bool gives_away(const struct check *check, const struct placeholder *parts) {
    const struct question *ask = &check->beat->ask;
    bool same_lane = atoi(parts->argument) == ask->lane;
    if (!same_place(&parts->show, &check->beat->show, &check->replay))
        return false;
    if (ask->kind == QUESTION_SOURCE)
        return gives_source_away(check, parts, same_lane);
    if (ask->kind == QUESTION_VALUE)
        return same_lane && strcmp(parts->word, "out") == 0;
    return ask->kind != QUESTION_NONE && ask->kind == scene_set_kind(parts) &&
           (ask->kind != QUESTION_READERS || same_lane);
}

/* The number of the line that has `at`, in a text that begins on `line`. */
static int line_of(const char *text, const char *at, int line) {
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static void check_placeholder(struct check *check, const char *path, int line, const char *name,
                              bool before_answer) {
    struct placeholder parts;
    struct text value = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (scene_lookup(&check->scene, name, &value, &err) < 0 && err.kind != ERROR_MISSING)
        complain(check, path, line, "%s", err.text);
    text_release(&value);
    if (scene_placeholder(&check->scene, name, &parts, NULL) < 0)
        return;
    check->looked_at[parts.show.run] = true;
    if (parts.show.unread & LESSON_UNREAD_PLACE)
        return;
    if (before_answer && gives_away(check, &parts))
        complain(check, path, line,
                 _("{{%s}} gives the answer away before it is asked for: move it to ### Answer"),
                 name);
}

/* A "**" or "`" that is opened and not closed stays in the text, which is certainly a mistake. */
static bool has_open_mark(const char *text) {
    struct prose prose;
    bool found = false;
    prose_make(&prose, text, NULL, NULL, NULL);
    for (size_t i = 0; i < prose.count; i++)
        for (size_t k = 0; k < prose.paragraphs[i].span_count; k++) {
            const struct span *span = &prose.paragraphs[i].spans[k];
            found |=
                span->kind != SPAN_CODE && (strchr(span->text, '`') || strstr(span->text, "**"));
        }
    prose_release(&prose);
    return found && !strchr(text, '\\');
}

static void check_text(struct check *check, const char *path, int line, const char *text,
                       bool before_answer) {
    struct text name = TEXT_INIT;
    const char *rest = text, *after;
    int rest_line = line;
    for (const char *at; (at = prose_placeholder(rest, &name, &after)); rest = after) {
        check_placeholder(check, path, line_of(rest, at, rest_line), name.data, before_answer);
        rest_line = line_of(rest, after, rest_line);
    }
    const char *open = strstr(rest, "{{");
    if (open)
        complain(check, path, line_of(rest, open, rest_line),
                 _("'{{' has no '}}' after it: add it, or write \\{{ for the braces themselves"));
    if (has_open_mark(text))
        complain(check, path, line,
                 _("a ` or ** is opened but not closed in the same paragraph: close it, or write "
                   "\\` or \\** for the marks themselves"));
    text_release(&name);
}

/* True if the text mentions lanes by number, but not this one. */
static bool mentions_other_lanes(const char *text, int lane) {
    static const char *const words[] = {"lane ", "Lane ", "通道 "};
    bool others = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i]));) {
            bool part = at > text && isalpha((unsigned char)at[-1]); /* srcLane 17 */
            at += strlen(words[i]);
            if (part || !isdigit((unsigned char)*at))
                continue;
            if (atoi(at) == lane)
                return false;
            others = true;
        }
    return others;
}

/* A lesson's own wording of a question may be about the wrong lane. */
static void check_question(struct check *check, const char *path, const struct lesson_text *text) {
    const struct question *ask = &check->beat->ask;
    const char *question = text->part[LESSON_QUESTION];
    bool of_lane =
        (!question_is_set(ask) && !question_is_code(ask)) || ask->kind == QUESTION_READERS;
    if (question && of_lane && mentions_other_lanes(question, ask->lane))
        complain(check, path, text->line[LESSON_QUESTION],
                 _("the question does not mention lane %d, which the ask block names: change the "
                   "question or the block"),
                 ask->lane);
}

static void check_language(struct check *check, size_t language, bool has_answer) {
    const struct lesson_text *text = &check->beat->text[language];
    const char *path = check->lesson->languages[language].path;
    const char *title = text->part[LESSON_TITLE];
    if (title && strstr(title, "{{"))
        complain(check, path, text->line[LESSON_TITLE],
                 _("a title cannot have a placeholder: move it into the text below"));
    for (int part = LESSON_NARRATION; part < LESSON_PART_COUNT; part++)
        if (text->part[part])
            check_text(check, path, text->line[part], text->part[part],
                       has_answer && part <= LESSON_HINT);
    if (check->beat->ask.kind != QUESTION_NONE)
        check_question(check, path, text);
    for (size_t i = 0; i < text->belief_count; i++) {
        const struct lesson_belief *belief = &text->beliefs[i];
        const bool has_belief = has_answer && *belief->answer;
        if (has_belief)
            check_belief(check, path, belief);
        check_text(check, path, belief->text_line, belief->text, has_belief);
    }
}

static void check_beat(struct check *check, const struct lesson_beat *beat) {
    check->beat = beat;
    check->show = beat->show;
    check->scene = (struct scene){check->lesson, check->traces, &check->show};
    check->looked_at[beat->show.run] = true;
    check->has_unread_run |= beat->show.unread & LESSON_UNREAD_RUN;
    check->has_place = check->traces[beat->show.run] &&
                       !(beat->show.unread & LESSON_UNREAD_PLACE) && check_show(check);
    if (!check->has_place)
        check->show.unread |= LESSON_UNREAD_PLACE;
    bool has_answer = check->has_place && beat->ask.kind != QUESTION_NONE && check_ask(check);
    for (size_t i = 0; i < check->lesson->language_count; i++)
        check_language(check, i, has_answer);
}

/* ---- the lesson as a whole ---- */

static void check_runs(struct check *check) {
    const struct lesson *lesson = check->lesson;
    if (check->has_unread_run)
        return;
    for (size_t i = 0; i < lesson->run_count; i++)
        if (!check->looked_at[i])
            complain(check, base_path(check), lesson->runs[i].line,
                     _("no part shows run '%s': delete it, or show it with run: %s"),
                     *lesson->runs[i].name ? lesson->runs[i].name : "first",
                     *lesson->runs[i].name ? lesson->runs[i].name : "first");
}

/* True for a lesson in a file or folder beside this one. */
static bool is_beside(const struct lesson *lesson, const char *name) {
    if (!*lesson->path)
        return false;
    size_t length = strlen(lesson->path);
    while (length > 1 && lesson->path[length - 1] == '/')
        length--;
    while (length > 0 && lesson->path[length - 1] != '/')
        length--;
    static const char *const ends[] = {"", ".md"};
    bool found = false;
    for (size_t i = 0; i < 2 && !found; i++) {
        struct text path = TEXT_INIT;
        text_append_bytes(&path, lesson->path, length);
        text_append_format(&path, "%s%s", name, ends[i]);
        found = access(path.data, R_OK) == 0;
        text_release(&path);
    }
    return found;
}

static void check_needs(struct check *check) {
    const struct lesson *lesson = check->lesson;
    for (size_t i = 0; i < lesson->needs_count; i++) {
        const char *name = lesson->needs[i];
        if (strcmp(name, lesson->name) == 0)
            complain(check, base_path(check), lesson->needs_line,
                     _("the lesson lists itself under needs"));
        else if (!lesson_built_in_find(name) && !is_beside(lesson, name))
            complain(check, base_path(check), lesson->needs_line,
                     _("the lesson needs '%s', which is neither built in nor beside this lesson: "
                       "`shflviz lesson` lists the built-in ones"),
                     name);
    }
}

size_t check_lesson(const struct lesson *lesson, struct trace *const *traces,
                    void (*complain_to)(void *context, const char *text), void *context) {
    struct check check = {
        .lesson = lesson, .traces = traces, .complain = complain_to, .context = context};
    check.looked_at = memory_zeroed(lesson->run_count, sizeof *check.looked_at);
    check_needs(&check);
    for (size_t i = 0; i < lesson->beat_count; i++)
        check_beat(&check, &lesson->beats[i]);
    check.beat = NULL;
    check_runs(&check);
    free(check.looked_at);
    return check.count;
}
