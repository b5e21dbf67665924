/* The beats of a lesson's file. */
#include "base/memory.h"
#include "base/message.h"
#include "lesson/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BEATS_MAX   999 /* ":N" jumps to one */
#define BELIEFS_MAX 64  /* of one question */

/* The headings "### WORD". "If" is LESSON_PART_COUNT. */
static const struct {
    const char *word;
    int part;
} sections[] = {
    {"Question", LESSON_QUESTION}, {"Hint", LESSON_HINT},     {"Answer", LESSON_ANSWER},
    {"Notes", LESSON_NOTES},       {"问题", LESSON_QUESTION}, {"提示", LESSON_HINT},
    {"解答", LESSON_ANSWER},       {"备注", LESSON_NOTES},
};
static const char *const section_words[] = {"Question", "Hint", "Answer", "Notes", "If", NULL};
#define SECTIONS_ALLOWED                                                                           \
    "### Question, ### Hint, ### Answer, ### Notes, ### If ANSWER (or 问题, 提示, 解答, 备注, 若)"

/* ---- possible errors ---- */

static const char empty_section[] =
    N_("'### %s' has no text\n"
       "allowed: text below the heading\ntry: write it, or delete the heading");
static const char no_answer[] =
    N_("'### If' names no answer\n"
       "allowed: ### If ANSWER, as the learner types it\ntry: ### If 6");
static const char answer_twice[] =
    N_("'### If %s' is also on line %d\nallowed: each answer once in a part\ntry: join the two");
static const char too_many_beliefs[] =
    N_("more than %d '### If' answers\n"
       "allowed: 1 to %d in a part\ntry: leave the rarest to the hint");
static const char early_section[] =
    N_("'### %s' comes before the first part\n"
       "allowed: ## TITLE {#ID} first\ntry: ## The first thing {#first}");
static const char section_twice[] =
    N_("'### %s' appears a second time\nallowed: each heading once in a part\ntry: join the two");
static const char unknown_section[] = N_("'### %s' is not a section of a part\n"
                                         "allowed: %s%s");
static const char no_id[] =
    N_("'## %s' has no id\nallowed: ## TITLE {#ID}; the id has letters, digits and '-', and is the "
       "same in all languages\ntry: ## %s {#start}");
static const char bad_id[] = N_("'%s' cannot be the id of a part\n"
                                "allowed: letters, digits and '-'\ntry: {#start}");
static const char no_title[] =
    N_("part '%s' has no title\nallowed: ## TITLE {#ID}\ntry: write a title before {#%s}");
static const char too_many_beats[] =
    N_("more than %d parts\nallowed: 1 to %d\ntry: split the lesson in two");
static const char two_questions[] =
    N_("an ask block has two questions\n"
       "allowed: one per part\ntry: move the second to a part of its own");
static const char unterminated_ask[] = N_("the block that begins here has no end\n"
                                          "allowed: a line '```' after the question\ntry: add it");
static const char no_question[] =
    N_("the ask block has no question\nallowed: one question\ntry: source of lane 5");
static const char unknown_block[] =
    N_("'```%s' is not a block of a lesson\n"
       "allowed: ```show, ```ask, ```cuda for lines of code; code within a line goes between "
       "single backticks%s");
static const char translated_block[] = N_("'```%s' is in a translation\nallowed: text; ```show and "
                                          "```ask belong only in %s\ntry: delete the block");
static const char early_block[] =
    N_("'```%s' comes before the first part\n"
       "allowed: ## TITLE {#ID} first\ntry: ## The first thing {#first}");
static const char block_twice[] = N_("'```%s' appears a second time in this part\nallowed: one per "
                                     "part\ntry: split the part in two");
static const char unknown_heading[] = N_("'%s' is not a heading of a lesson\n"
                                         "allowed: ## TITLE {#ID} for a part, ### for a section of "
                                         "it; the lesson's title is in the header");
static const char early_text[] =
    N_("'%s' comes before the first part\n"
       "allowed: ## TITLE {#ID} first\ntry: ## The first thing {#first}");
static const char no_beat[] =
    N_("the lesson has no parts\nallowed: at least one part\ntry: ## The first thing {#first}");

/* A file that is being read. */
struct beats {
    struct reader *reader;
    struct lesson *lesson;
    size_t language;
    struct lesson_beat *beat;   /* NULL before the first heading, and for an unknown id */
    struct lesson_text *text;   /* its texts in this language */
    struct lesson_text ignored; /* of a beat that the lesson does not have */
    size_t place;               /* a translation's position among the lesson's beats */
    size_t seen;                /* headings so far */
    bool shown;                 /* has a ```show */
    bool lost;                  /* skip everything up to the next beat */

    struct text section; /* text since the last heading */
    int section_line;    /* line of its heading */
    int text_line;       /* line of its beginning */
    int part;            /* enum lesson_part, or LESSON_PART_COUNT for a belief */
    char heading[READER_QUOTE];
};

static void text_free(struct lesson_text *text) {
    for (int part = 0; part < LESSON_PART_COUNT; part++)
        free(text->part[part]);
    for (size_t i = 0; i < text->belief_count; i++) {
        free(text->beliefs[i].answer);
        free(text->beliefs[i].text);
    }
    free(text->beliefs);
    *text = (struct lesson_text){0};
}

void lesson_free(struct lesson *lesson) {
    if (!lesson)
        return;
    for (size_t i = 0; i < lesson->beat_count; i++) {
        for (size_t k = 0; k < lesson->language_count; k++)
            text_free(&lesson->beats[i].text[k]);
        free(lesson->beats[i].text);
        for (size_t k = 0; k < QUESTION_CODES; k++)
            free(lesson->beats[i].ask_code[k]);
        free(lesson->beats[i].ask_example);
        free(lesson->beats[i].id);
    }
    for (size_t i = 0; i < lesson->language_count; i++) {
        free(lesson->languages[i].title);
        free(lesson->languages[i].summary);
        free(lesson->languages[i].keywords);
        free(lesson->languages[i].chapter);
        free(lesson->languages[i].path);
    }
    for (size_t i = 0; i < lesson->run_count; i++) {
        free(lesson->runs[i].name);
        free(lesson->runs[i].kernel);
        free(lesson->runs[i].launch);
        free(lesson->runs[i].trace);
    }
    for (size_t i = 0; i < lesson->needs_count; i++)
        free(lesson->needs[i]);
    for (size_t i = 0; i < lesson->exercise_count; i++)
        free(lesson->exercises[i]);
    free(lesson->exercises);
    for (size_t i = 0; i < lesson->complaint_count; i++)
        free(lesson->complaints[i]);
    free(lesson->beats);
    free(lesson->languages);
    free(lesson->runs);
    free(lesson->needs);
    free(lesson->complaints);
    free(lesson->name);
    free(lesson->path);
    free(lesson);
}

void lesson_complain(struct lesson *lesson, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    lesson->complaints =
        memory_grow(lesson->complaints, lesson->complaint_count + 1, sizeof *lesson->complaints);
    lesson->complaints[lesson->complaint_count++] = text_detach(&text);
}

/* ---- sections ---- */

static void begin_section(struct beats *beats, int part, const char *heading) {
    text_clear(&beats->section);
    beats->section_line = beats->reader->line;
    beats->text_line = 0;
    beats->part = part;
    reader_quote(heading, beats->heading);
}

static void add_line(struct beats *beats) {
    if (beats->section.length == 0) {
        if (beats->reader->text.length == 0)
            return; /* blank lines before a text are not part of it */
        beats->text_line = beats->reader->line;
    } else {
        text_append_char(&beats->section, '\n');
    }
    text_append(&beats->section, beats->reader->text.data);
}

/* Stores the section that has been read. */
static int end_section(struct beats *beats) {
    if (beats->seen == 0)
        return 0;
    struct text *section = &beats->section;
    while (section->length > 0 && section->data[section->length - 1] == '\n')
        section->data[--section->length] = '\0';
    if (section->length == 0 && beats->part == LESSON_NARRATION)
        return 0;
    struct lesson_text *text = beats->text;
    if (section->length == 0) {
        text->unread |= 1u << beats->part;
        reader_fail_at(beats->reader, beats->section_line, _(empty_section), beats->heading);
        if (!reader_may_continue(beats->reader))
            return -1;
    }
    if (beats->part == LESSON_PART_COUNT) {
        free(text->beliefs[text->belief_count - 1].text);
        text->beliefs[text->belief_count - 1].text = text_detach(section);
        text->beliefs[text->belief_count - 1].text_line = beats->text_line;
        return 0;
    }
    text->part[beats->part] = text_detach(section);
    text->line[beats->part] = beats->text_line ? beats->text_line : beats->section_line;
    return 0;
}

static void add_belief(struct lesson_text *text, const char *answer, int line) {
    text->beliefs = memory_grow(text->beliefs, text->belief_count + 1, sizeof *text->beliefs);
    text->beliefs[text->belief_count++] =
        (struct lesson_belief){memory_string(answer), memory_string(""), line, line};
}

static int begin_belief(struct beats *beats, char *answer) {
    struct lesson_text *text = beats->text;
    char quoted[READER_QUOTE];
    answer = reader_trim(answer);
    if (!*answer)
        return reader_fail(beats->reader, _(no_answer));
    for (size_t i = 0; i < text->belief_count; i++)
        if (strcmp(text->beliefs[i].answer, answer) == 0)
            return reader_fail(beats->reader, _(answer_twice), reader_quote(answer, quoted),
                               text->beliefs[i].line);
    if (text->belief_count == BELIEFS_MAX)
        return reader_fail(beats->reader, _(too_many_beliefs), BELIEFS_MAX, BELIEFS_MAX);
    add_belief(text, answer, beats->reader->line);
    return 0;
}

/* "If 6" or "若 6": the text after the word, else NULL. */
static char *belief_answer(char *heading) {
    static const char *const words[] = {"If", "若"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        bool ascii = (unsigned char)words[i][0] < 0x80;
        if (strncasecmp(heading, words[i], length) == 0 &&
            (!ascii || heading[length] == ' ' || heading[length] == '\t' || !heading[length]))
            return heading + length;
    }
    return NULL;
}

/* After an unreadable heading, keeps the text below it as a belief without an answer, so that it is
 * checked, too. */
static int read_stray_section(struct beats *beats, const char *heading) {
    if (!reader_may_continue(beats->reader))
        return -1;
    beats->text->unread = ~0u;
    add_belief(beats->text, "", beats->reader->line);
    begin_section(beats, LESSON_PART_COUNT, heading);
    return 0;
}

static int begin_named_section(struct beats *beats, char *heading) {
    char quoted[READER_QUOTE], suggestion[READER_QUOTE];
    char *answer = belief_answer(heading);
    if (answer) {
        if (begin_belief(beats, answer) < 0)
            return -1;
        begin_section(beats, LESSON_PART_COUNT, heading);
        return 0;
    }
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strcasecmp(heading, sections[i].word) != 0)
            continue;
        if (beats->text->part[sections[i].part])
            return reader_fail(beats->reader, _(section_twice), heading);
        begin_section(beats, sections[i].part, heading);
        return 0;
    }
    return reader_fail(beats->reader, _(unknown_section), reader_quote(heading, quoted),
                       SECTIONS_ALLOWED, reader_suggest(heading, section_words, suggestion));
}

static int read_section(struct beats *beats, char *heading) {
    char quoted[READER_QUOTE];
    if (beats->seen == 0)
        return reader_fail(beats->reader, _(early_section), reader_quote(heading, quoted));
    if (end_section(beats) < 0)
        return -1;
    return begin_named_section(beats, heading) == 0 ? 0 : read_stray_section(beats, heading);
}

/* ---- beats ---- */

/* Splits "Title {#id}". *id is NULL after a failure if it is the id that failed. */
static int split_title(struct reader *reader, char *heading, char **title, char **id) {
    char quoted[READER_QUOTE];
    char *brace = strstr(heading, "{#");
    size_t length = strlen(heading);
    *title = heading;
    *id = NULL;
    if (!brace || heading[length - 1] != '}')
        return reader_fail(reader, _(no_id), reader_quote(heading, quoted), quoted);
    heading[length - 1] = '\0';
    *brace = '\0';
    *title = reader_trim(heading);
    char *name = reader_trim(brace + 2);
    if (!reader_is_name(name))
        return reader_fail(reader, _(bad_id), reader_quote(name, quoted));
    *id = name;
    if (!**title)
        return reader_fail(reader, _(no_title), reader_quote(*id, quoted), quoted);
    return 0;
}

/* If the id could not be read, it is NULL, and messages name the beat by its title. */
static int add_beat(struct beats *beats, const char *id, const char *title) {
    struct lesson *lesson = beats->lesson;
    char quoted[READER_QUOTE];
    const struct lesson_beat *twin = id ? lesson_beat_named(lesson, id) : NULL;
    if (twin) {
        reader_fail(beats->reader,
                    _("part '%s' is also on line %d\nallowed: each id once\ntry: give this part "
                      "another id"),
                    reader_quote(id, quoted), twin->line);
        if (!reader_may_continue(beats->reader))
            return -1;
    }
    if (lesson->beat_count == BEATS_MAX)
        return reader_fail(beats->reader, _(too_many_beats), BEATS_MAX, BEATS_MAX);
    lesson->beats = memory_grow(lesson->beats, lesson->beat_count + 1, sizeof *lesson->beats);
    struct lesson_beat *beat = &lesson->beats[lesson->beat_count];
    *beat = (struct lesson_beat){.id = memory_string(id ? id : reader_quote(title, quoted)),
                                 .id_unread = !id,
                                 .line = beats->reader->line,
                                 .show_line = beats->reader->line,
                                 .text = memory_zeroed(lesson->language_count, sizeof *beat->text)};
    show_begin(&beat->show, lesson->beat_count ? &beat[-1].show : NULL);
    lesson->beat_count++;
    beats->beat = beat;
    beats->text = &beat->text[0];
    return 0;
}

/* Without an id in one of the two files, the next beat is taken to be the same. */
static struct lesson_beat *find_same_beat(const struct beats *beats, const char *id) {
    const struct lesson *lesson = beats->lesson;
    struct lesson_beat *named = id ? lesson_beat_named(lesson, id) : NULL;
    struct lesson_beat *next =
        beats->place < lesson->beat_count ? &lesson->beats[beats->place] : NULL;
    if (named || !next || (id && !next->id_unread))
        return named;
    return next->text[beats->language].line[LESSON_TITLE] ? NULL : next;
}

/* Begins a beat that the lesson does not have: it is read, but left out. */
static int ignore_beat(struct beats *beats, const char *id) {
    struct lesson *lesson = beats->lesson;
    const char *ids[BEATS_MAX + 1] = {NULL};
    char quoted[READER_QUOTE], suggestion[READER_QUOTE];
    for (size_t i = 0; i < lesson->beat_count; i++)
        ids[i] = lesson->beats[i].id;
    if (id && !lesson->languages[0].beat_unread)
        lesson_complain(lesson, _("%s:%d: part '%s' is not in %s%s"), beats->reader->path,
                        beats->reader->line, reader_quote(id, quoted), lesson->languages[0].path,
                        reader_suggest(id, ids, suggestion));
    text_free(&beats->ignored);
    beats->beat = NULL;
    beats->text = &beats->ignored;
    return 0;
}

/* Finds the beat of a translation's heading by its id; it should be the next one. */
static int match_beat(struct beats *beats, const char *id) {
    struct lesson *lesson = beats->lesson;
    const char *path = beats->reader->path;
    char quoted[READER_QUOTE];
    beats->beat = find_same_beat(beats, id);
    if (!beats->beat)
        return ignore_beat(beats, id);
    beats->text = &beats->beat->text[beats->language];
    if (beats->text->line[LESSON_TITLE]) {
        reader_fail(
            beats->reader,
            _("part '%s' is also on line %d\nallowed: each id once\ntry: delete one of the two"),
            reader_quote(id, quoted), beats->text->line[LESSON_TITLE]);
        return reader_may_continue(beats->reader) ? ignore_beat(beats, NULL) : -1;
    }
    size_t index = (size_t)(beats->beat - lesson->beats);
    if (index < beats->place)
        lesson_complain(lesson, _("%s:%d: part '%s' comes after '%s', unlike in %s: move it"), path,
                        beats->reader->line, beats->beat->id, lesson->beats[beats->place - 1].id,
                        lesson->languages[0].path);
    else
        beats->place = index + 1;
    return 0;
}

static int read_beat(struct beats *beats, char *heading) {
    char *title = NULL, *id = NULL;
    if (end_section(beats) < 0)
        return -1;
    if (split_title(beats->reader, heading, &title, &id) < 0 && !reader_may_continue(beats->reader))
        return -1;
    beats->lesson->languages[beats->language].beat_unread |= !id;
    if (beats->language == 0 ? add_beat(beats, id, title) < 0 : match_beat(beats, id) < 0)
        return -1;
    beats->seen++;
    beats->shown = false;
    beats->text->part[LESSON_TITLE] = memory_string(title);
    beats->text->line[LESSON_TITLE] = beats->reader->line;
    begin_section(beats, LESSON_NARRATION, "");
    return 0;
}

/* ---- blocks ---- */

/* Reads a line below a question about code: "answer X", "- CHOICE", else a line of the code with
 * the blank. False if it is none of them. */
static bool read_code(struct beats *beats, const char *line) {
    struct lesson_beat *beat = beats->beat;
    struct question *ask = &beat->ask;
    size_t last = 0;
    if (strncmp(line, "accept ", 7) == 0 || !*line)
        return false;
    if (strncmp(line, "answer ", 7) == 0 && !beat->ask_example) {
        ask->example = beat->ask_example = memory_string(line + 7);
        return true;
    }
    while (last < QUESTION_CODES && beat->ask_code[last])
        last++;
    if (ask->kind == QUESTION_WHICH && strncmp(line, "- ", 2) == 0 && last < QUESTION_CODES) {
        ask->code[last] = beat->ask_code[last] = memory_string(line + 2);
        return true;
    }
    if (ask->kind != QUESTION_BLANK)
        return false;
    struct text text = TEXT_INIT;
    if (beat->ask_code[0])
        text_append_format(&text, "%s\n", beat->ask_code[0]);
    text_append(&text, line);
    free(beat->ask_code[0]);
    ask->code[0] = beat->ask_code[0] = text_detach(&text);
    return true;
}

/* Reads a "```cuda" within a text: lines of code, kept with their fences. */
static int read_listing(struct beats *beats) {
    struct reader *reader = beats->reader;
    int begin = reader->line;
    add_line(beats);
    while (reader_next(reader) && !reader_is_past_block(reader)) {
        add_line(beats);
        if (strcmp(reader->text.data, "```") == 0)
            return 0;
    }
    return reader_fail_at(reader, begin,
                          _("the block that begins here has no end\n"
                            "allowed: a line '```' after the code\ntry: add it"));
}

static int read_ask_line(struct beats *beats) {
    struct reader *reader = beats->reader;
    struct question *ask = &beats->beat->ask;
    struct error err = ERROR_INIT;
    char quoted[READER_QUOTE];
    if (question_is_code(ask) && read_code(beats, reader->text.data))
        return 0;
    char *line = reader_trim(reader->text.data);
    if (!*line)
        return 0;
    if (ask->kind != QUESTION_NONE && strncmp(line, "accept ", 7) == 0)
        return question_accept(ask, reader_trim(line + 7), &err) == 0
                   ? 0
                   : reader_fail(reader, "%s", err.text);
    if (ask->kind != QUESTION_NONE)
        return reader_fail(reader, _(two_questions));
    beats->beat->ask_line = reader->line;
    if (question_parse(ask, reader_quote(line, quoted), &err) == 0)
        return 0;
    *ask = (struct question){.kind = QUESTION_NONE};
    beats->beat->ask_unread = true;
    return reader_fail(reader, "%s", err.text);
}

static int read_ask(struct beats *beats) {
    struct reader *reader = beats->reader;
    struct lesson_beat *beat = beats->beat;
    int begin = beat->ask_line = reader->line;
    bool has_end = false;
    while (!has_end && reader_next(reader) && !reader_is_past_block(reader)) {
        has_end = strcmp(reader->text.data, "```") == 0;
        if (has_end || beat->ask_unread) /* the rest depends on the question */
            continue;
        if (read_ask_line(beats) < 0 && !reader_may_continue(reader))
            return -1;
    }
    const bool asks = beat->ask.kind != QUESTION_NONE || beat->ask_unread;
    beat->ask_unread |= !asks;
    if (has_end && asks)
        return 0;
    return has_end ? reader_fail_at(reader, begin, _(no_question))
                   : reader_fail_at(reader, begin, _(unterminated_ask));
}

static int read_block(struct beats *beats, const char *name) {
    static const char *const names[] = {"show", "ask", "cuda", NULL};
    struct reader *reader = beats->reader;
    char quoted[READER_QUOTE], suggestion[READER_QUOTE];
    bool show = strcmp(name, "show") == 0, ask = strcmp(name, "ask") == 0;
    if (strcmp(name, "cuda") == 0 && beats->seen > 0)
        return read_listing(beats);
    if (!show && !ask)
        return reader_fail(reader, _(unknown_block), reader_quote(name, quoted),
                           reader_suggest(name, names, suggestion));
    if (beats->language > 0)
        return reader_fail(reader, _(translated_block), name, beats->lesson->languages[0].path);
    if (!beats->beat)
        return reader_fail(reader, _(early_block), name);
    if (show ? beats->shown : beats->beat->ask_line != 0)
        return reader_fail(reader, _(block_twice), name);
    if (ask)
        return read_ask(beats);
    beats->shown = true;
    beats->beat->show_line = reader->line;
    return show_read(reader, beats->lesson, &beats->beat->show);
}

static int read_line(struct beats *beats) {
    struct reader *reader = beats->reader;
    char *line = reader->text.data, quoted[READER_QUOTE];
    if (strncmp(line, "```", 3) == 0)
        return read_block(beats, reader_trim(line + 3));
    size_t level = reader_heading(line);
    if (level == 2)
        return read_beat(beats, reader_trim(line + 2));
    if (level == 3)
        return read_section(beats, reader_trim(line + 3));
    if (level > 0)
        return reader_fail(reader, _(unknown_heading), reader_quote(line, quoted));
    if (beats->seen == 0 && *line)
        return reader_fail(reader, _(early_text), reader_quote(line, quoted));
    add_line(beats);
    return 0;
}

/* ---- all errors of a file ---- */

/* Skips the rest of a block that was refused; `begin` is its first line. */
static void skip_block(struct beats *beats, int begin) {
    struct reader *reader = beats->reader;
    bool more = reader->line == begin;
    while (more && reader_next(reader))
        more = strcmp(reader->text.data, "```") != 0 && !reader_is_past_block(reader);
}

/* Reads one line; false if reading cannot continue. */
static bool read_or_complain(struct beats *beats) {
    struct reader *reader = beats->reader;
    const size_t level = reader_heading(reader->text.data);
    const bool is_block = strncmp(reader->text.data, "```", 3) == 0;
    const int begin = reader->line;
    if (beats->lost && level != 2)
        return true;
    beats->lost = false;
    if (read_line(beats) == 0)
        return true;
    if (!reader_may_continue(reader))
        return false;
    if (is_block)
        skip_block(beats, begin);
    else /* a line before the first beat, or a beat too many: skips to the next beat */
        beats->lost = beats->seen == 0 || level == 2;
    return true;
}

int beats_read(struct reader *reader, struct lesson *lesson, size_t language) {
    struct beats beats = {.reader = reader, .lesson = lesson, .language = language};
    int status = 0;
    text_init(&beats.section);
    while (status == 0 && reader_next(reader))
        status = read_or_complain(&beats) ? 0 : -1;
    if (status == 0)
        status = end_section(&beats);
    if (status == 0 && language == 0 && lesson->beat_count == 0)
        status = reader_fail(reader, _(no_beat));
    text_release(&beats.section);
    text_free(&beats.ignored);
    return status;
}

/* ---- files ---- */

/* The receiver of all errors in the files. */
struct faults {
    lesson_complain_fn *complain; /* may be NULL */
    void *context;
    size_t count;
};

static int read_source(struct lesson *lesson, size_t language, const struct lesson_source *source,
                       struct faults *faults, struct error *err) {
    struct reader reader;
    int status = reader_open(&reader, source, faults->complain, faults->context, err);
    lesson->languages[language].unread = status != 0;
    if (status == 0)
        status = header_read(&reader, lesson, language);
    if (status == 0)
        status = beats_read(&reader, lesson, language);
    if (status != 0 && reader_may_continue(&reader))
        status = 0;
    faults->count += reader.faults;
    reader_close(&reader);
    return status;
}

int lesson_parse(struct lesson **lesson, const char *name, const struct lesson_source *sources,
                 size_t count, struct error *err) {
    size_t faults;
    return lesson_parse_all(lesson, name, sources, count, NULL, NULL, &faults, err);
}

int lesson_parse_all(struct lesson **lesson, const char *name, const struct lesson_source *sources,
                     size_t count, lesson_complain_fn *complain, void *context, size_t *fault_count,
                     struct error *err) {
    struct faults faults = {complain, context, 0};
    *lesson = NULL;
    *fault_count = 0;
    if (count == 0 || count > LESSON_LANGUAGES_MAX)
        return error_set(err, ERROR_USAGE, _("%s has %zu languages\nallowed: 1 to %d"), name, count,
                         LESSON_LANGUAGES_MAX);
    struct lesson *made = memory_zeroed(1, sizeof *made);
    made->name = memory_string(name);
    made->path = memory_string("");
    made->languages = memory_zeroed(count, sizeof *made->languages);
    made->language_count = count;
    for (size_t i = 0; i < count; i++) {
        struct lesson_language *language = &made->languages[i];
        snprintf(language->code, sizeof language->code, "%s", sources[i].code);
        language->path = memory_string(sources[i].path);
    }
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = read_source(made, i, &sources[i], &faults, err);
    *fault_count = faults.count;
    if (status == 0 && !made->languages[0].unread)
        *lesson = made;
    else
        lesson_free(made);
    return faults.count ? -1 : status; /* err is about the last of them */
}
