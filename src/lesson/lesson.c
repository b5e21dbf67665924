/* A lesson's texts, and the errors in them. */
#include "lesson/lesson.h"

#include "base/message.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- languages ---- */

/* The length of a language's code, without country, encoding or script. */
static size_t code_length(const char *code) {
    return strcspn(code, "_-.@");
}

struct lesson_beat *lesson_beat_named(const struct lesson *lesson, const char *id) {
    for (size_t i = 0; i < lesson->beat_count; i++)
        if (strcmp(lesson->beats[i].id, id) == 0)
            return &lesson->beats[i];
    return NULL;
}

bool lesson_asks(const struct lesson *lesson, size_t beat) {
    return lesson->beats[beat].ask.kind != QUESTION_NONE;
}

unsigned lesson_questions(const struct lesson *lesson) {
    unsigned count = 0;
    for (size_t i = 0; i < lesson->beat_count; i++)
        count += lesson_asks(lesson, i);
    return count;
}

size_t lesson_language_find(const struct lesson *lesson, const char *code) {
    size_t best = 0, best_score = 0;
    for (size_t i = 0; i < lesson->language_count; i++) {
        const char *own = lesson->languages[i].code;
        size_t length = code_length(own), score = 0;
        if (length == code_length(code) && strncasecmp(own, code, length) == 0)
            for (score = length; own[score] && tolower((unsigned char)own[score]) ==
                                                   tolower((unsigned char)code[score]);)
                score++;
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    return best;
}

const char *lesson_part(const struct lesson *lesson, size_t beat, size_t language,
                        enum lesson_part part) {
    const struct lesson_text *text = lesson->beats[beat].text;
    return text[language].part[part] ? text[language].part[part] : text[0].part[part];
}

bool lesson_same_answer(const char *a, const char *b) {
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
    }
}

static const struct lesson_belief *find_belief(const struct lesson_text *text, const char *answer) {
    for (size_t i = 0; i < text->belief_count; i++)
        if (lesson_same_answer(text->beliefs[i].answer, answer))
            return &text->beliefs[i];
    return NULL;
}

const char *lesson_belief(const struct lesson *lesson, size_t beat, size_t language,
                          const char *answer) {
    const struct lesson_text *text = lesson->beats[beat].text;
    const struct lesson_belief *belief = find_belief(&text[language], answer);
    if (!belief)
        belief = find_belief(&text[0], answer);
    return belief ? belief->text : NULL;
}

const char *lesson_title(const struct lesson *lesson, size_t language) {
    return lesson->languages[language].title;
}

static const char *text_or_base(const char *text, const char *base) {
    return text ? text : base ? base : "";
}

const char *lesson_summary(const struct lesson *lesson, size_t language) {
    return text_or_base(lesson->languages[language].summary, lesson->languages[0].summary);
}

const char *lesson_chapter(const struct lesson *lesson, size_t language) {
    return text_or_base(lesson->languages[language].chapter, lesson->languages[0].chapter);
}

/* ---- time ---- */

#define WORDS_A_MINUTE    200
#define WORDS_OF_QUESTION 100 /* half a minute of thought */

static unsigned count_words(const char *text) {
    unsigned count = 0;
    while (text && *(text += strspn(text, " \n"))) {
        text += strcspn(text, " \n");
        count++;
    }
    return count;
}

unsigned lesson_minutes(const struct lesson *lesson, size_t beat) {
    static const enum lesson_part read[] = {LESSON_NARRATION, LESSON_QUESTION, LESSON_ANSWER};
    unsigned words = 0;
    for (; beat < lesson->beat_count; beat++) {
        for (size_t i = 0; i < sizeof read / sizeof *read; i++)
            words += count_words(lesson->beats[beat].text[0].part[read[i]]);
        words += lesson_asks(lesson, beat) ? WORDS_OF_QUESTION : 0;
    }
    return words < WORDS_A_MINUTE ? 1 : (words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE;
}

/* ---- complaints ---- */

struct complaints {
    const struct lesson *lesson;
    void (*complain)(void *context, const char *text);
    void *context;
    size_t count;
};

static void complain(struct complaints *complaints, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(struct complaints *complaints, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    complaints->complain(complaints->context, text.data);
    complaints->count++;
    text_release(&text);
}

static const char *part_name(enum lesson_part part) {
    static const char *const names[] = {N_("title"), N_("narration"), "### Question",
                                        "### Hint",  "### Answer",    "### Notes"};
    return message(names[part]);
}

/* Reports errors in the base file itself: missing or extra parts. */
static void check_beat(struct complaints *complaints, const struct lesson_beat *beat) {
    const char *path = complaints->lesson->languages[0].path;
    const struct lesson_text *text = &beat->text[0];
    bool asks = beat->ask.kind != QUESTION_NONE || beat->ask_unread;
    if (!asks && !text->part[LESSON_NARRATION])
        complain(
            complaints,
            _("%s:%d: part '%s' says nothing and asks nothing: write some text below its heading"),
            path, beat->line, beat->id);
    for (int part = LESSON_QUESTION; !asks && part <= LESSON_ANSWER; part++)
        if (text->part[part])
            complain(
                complaints,
                _("%s:%d: part '%s' has %s but asks nothing: add an ```ask, or delete the section"),
                path, text->line[part], beat->id, part_name((enum lesson_part)part));
    for (size_t i = 0; !asks && i < text->belief_count && *text->beliefs[i].answer; i++)
        complain(complaints,
                 _("%s:%d: part '%s' has ### If %s but asks nothing: add an ```ask, or delete the "
                   "section"),
                 path, text->beliefs[i].line, beat->id, text->beliefs[i].answer);
}

static void check_translated_part(struct complaints *complaints, const struct lesson_beat *beat,
                                  size_t language, enum lesson_part part) {
    const struct lesson_language *languages = complaints->lesson->languages;
    const struct lesson_text *base = &beat->text[0], *text = &beat->text[language];
    if ((base->unread | text->unread) >> part & 1)
        return;
    if (base->part[part] && !text->part[part])
        complain(complaints, _("%s:%d: part '%s' lacks %s from %s:%d: translate it"),
                 languages[language].path, text->line[LESSON_TITLE], beat->id, part_name(part),
                 languages[0].path, base->line[part]);
    if (!base->part[part] && text->part[part])
        complain(complaints,
                 _("%s:%d: part '%s' has %s, which %s does not have: delete it, or add it there"),
                 languages[language].path, text->line[part], beat->id, part_name(part),
                 languages[0].path);
}

static void check_translated_beat(struct complaints *complaints, const struct lesson_beat *beat,
                                  size_t language) {
    const struct lesson_language *languages = complaints->lesson->languages;
    const struct lesson_text *base = &beat->text[0], *text = &beat->text[language];
    if (!text->line[LESSON_TITLE] && languages[language].beat_unread)
        return; /* a beat with an unreadable heading may be the missing one */
    if (!text->line[LESSON_TITLE]) {
        complain(complaints, _("%s: part '%s' from %s:%d is missing: translate it"),
                 languages[language].path, beat->id, languages[0].path, beat->line);
        return;
    }
    for (int part = LESSON_NARRATION; part < LESSON_PART_COUNT; part++)
        check_translated_part(complaints, beat, language, (enum lesson_part)part);
    if ((base->unread | text->unread) >> LESSON_PART_COUNT & 1)
        return;
    for (size_t i = 0; i < base->belief_count; i++)
        if (!find_belief(text, base->beliefs[i].answer))
            complain(complaints, _("%s:%d: part '%s' lacks ### If %s from %s:%d: translate it"),
                     languages[language].path, text->line[LESSON_TITLE], beat->id,
                     base->beliefs[i].answer, languages[0].path, base->beliefs[i].line);
    for (size_t i = 0; i < text->belief_count; i++)
        if (!find_belief(base, text->beliefs[i].answer))
            complain(complaints,
                     _("%s:%d: part '%s' has ### If %s, which %s does not have: delete it, or add "
                       "it there"),
                     languages[language].path, text->beliefs[i].line, beat->id,
                     text->beliefs[i].answer, languages[0].path);
}

static void check_language(struct complaints *complaints, size_t language) {
    const struct lesson *lesson = complaints->lesson;
    const struct lesson_language *own = &lesson->languages[language], *base = lesson->languages;
    if (own->unread)
        return;
    const bool header_unread = base->header_unread || own->header_unread;
    if (base->summary && !own->summary && !header_unread)
        complain(complaints, _("%s: the header lacks the summary that %s has: translate it"),
                 own->path, base->path);
    if (base->chapter && !own->chapter && !header_unread)
        complain(complaints, _("%s: the header lacks the chapter that %s has: translate it"),
                 own->path, base->path);
    for (size_t i = 0; i < lesson->beat_count; i++)
        check_translated_beat(complaints, &lesson->beats[i], language);
}

size_t lesson_complaints(const struct lesson *lesson,
                         void (*complain_to)(void *context, const char *text), void *context) {
    struct complaints complaints = {lesson, complain_to, context, 0};
    for (size_t i = 0; i < lesson->complaint_count; i++)
        complain(&complaints, "%s", lesson->complaints[i]);
    for (size_t i = 0; i < lesson->beat_count; i++)
        check_beat(&complaints, &lesson->beats[i]);
    for (size_t language = 1; language < lesson->language_count; language++)
        check_language(&complaints, language);
    return complaints.count;
}
