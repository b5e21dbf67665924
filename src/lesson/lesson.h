/*
 * lesson.h - a lesson as data: its pictures, questions and texts, in one or more languages.
 *
 * A lesson is a folder of Markdown files, one per language (docs/WRITING_LESSONS.md is the
 * reference): en.md, or the only file there is, is the lesson itself, with its header and its
 * beats; the others hold the same beats' texts in other languages and nothing else. A single file
 * is a lesson, too.
 *
 * This folder reads lessons and checks them as far as possible without running anything. Reading
 * runs nothing and trusts nothing: a file from elsewhere can at worst be refused. Statements about
 * a recording are checked by teach/check.h.
 *
 * Texts are kept as written (a small subset of Markdown: paragraphs, "- " items, **strong**,
 * `code`, and {{placeholders}}); teach/prose.h turns them into lines.
 */
#ifndef SHFLVIZ_LESSON_LESSON_H
#define SHFLVIZ_LESSON_LESSON_H

#include "base/error.h"
#include "explain/question.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LESSON_LANGUAGES_MAX 8
#define LESSON_STEP_LAST     UINT64_MAX

/* Parts of the picture that a beat hides. */
enum lesson_hide {
    LESSON_HIDE_IN = 1,
    LESSON_HIDE_READS = 2,
    LESSON_HIDE_OUT = 4,
    LESSON_HIDE_CALL = 32 /* its name, arguments, source and phases */
};

/* How a matrix is shown. */
enum lesson_matrix {
    LESSON_MATRIX_VALUES,
    LESSON_MATRIX_LANES, /* the lanes that hold its elements */
    LESSON_MATRIX_BANKS  /* its rows in the banks of shared memory */
};

/* One recording that a lesson shows. */
struct lesson_run {
    char *name;   /* "" for the first; for others, NAME in the header's "kernel NAME:" */
    char *kernel; /* of kernels/ ("xor", "block-reduce"), or a file beside the lesson ("mine.cu");
                     NULL for a recording */
    char *launch; /* options as on the command line: "--mask 3 --width 16"; "" if none */
    char *trace;  /* a recorded file beside the lesson; NULL for a kernel */
    int line;     /* line of its kernel or trace; of its launch, if it has neither */
    int launch_line; /* of its launch; 0 if it has none */
    bool unread;     /* one of its lines is unreadable, so it cannot be recorded */
};

/* Parts of a beat's show: bits of lesson_show.unread. */
enum lesson_unread {
    LESSON_UNREAD_RUN = 0x01,
    LESSON_UNREAD_STEP = 0x10,
    LESSON_UNREAD_PLACE = 0x1f, /* run, launch, block, warp, step */
    LESSON_UNREAD_PHASE = 0x20,
    LESSON_UNREAD_VIEW = 0x40
};

/* The content of a beat. Every value is resolved: omitted values are those of the previous beat.
 * Phases and views have the names that replay gives them, so that this folder does not depend on
 * replay. */
struct lesson_show {
    size_t run;                           /* index into lesson.runs */
    uint32_t launch;                      /* from 0 */
    uint64_t block;                       /* linear number in the grid, from 0 */
    uint32_t warp;                        /* in its block, from 0 */
    uint64_t step;                        /* operation of the warp, from 0, or LESSON_STEP_LAST */
    char phase_first[12], phase_last[12]; /* "before" ... "after"; equal if only one is shown */
    char view[12];                        /* "lanes" "wires" "history" "source" "explain" */
    int lane;                             /* selected, 0..31 */
    unsigned hide;                        /* enum lesson_hide; not carried over */
    uint32_t mark;                        /* lanes to point at; not carried over */
    char matrix[4]; /* a matrix of the step's instruction: "A", "r", or ""; not carried over */
    enum lesson_matrix matrix_as;
    unsigned unread; /* enum lesson_unread: the unknown parts */
};

/* The reply to an answer that follows from a known wrong belief. */
struct lesson_belief {
    char *answer; /* "17", "own", "0-15": as the learner types it; "" if it could not be read */
    char *text;   /* the response to a learner who believes that */
    int line;     /* where the answer is in the file */
    int text_line;
};

enum lesson_part {
    LESSON_TITLE,
    LESSON_NARRATION,
    LESSON_QUESTION, /* NULL if the program words the question */
    LESSON_HINT,     /* NULL if the program makes one from the arithmetic */
    LESSON_ANSWER,   /* shown after the reveal */
    LESSON_NOTES,    /* the speaker's */
    LESSON_PART_COUNT
};

/* The texts of one beat in one language; NULL for missing ones. */
struct lesson_text {
    char *part[LESSON_PART_COUNT];
    int line[LESSON_PART_COUNT]; /* where the text begins in the file */
    struct lesson_belief *beliefs;
    size_t belief_count;
    unsigned unread; /* bits by enum lesson_part, LESSON_PART_COUNT for the beliefs */
};

struct lesson_beat {
    char *id;      /* "{#id}" of its heading: letters, digits, '-' */
    int line;      /* of its heading, in the base file */
    int show_line; /* of its ```show; of its heading if it has none */
    int ask_line;  /* of its ```ask; 0 if it has none */
    struct lesson_show show;
    struct question ask;                          /* kind QUESTION_NONE if it has no question */
    char *ask_code[QUESTION_CODES], *ask_example; /* storage for ask's texts about code */
    struct lesson_text *text;                     /* one per language of the lesson, in its order */
    bool id_unread, ask_unread;
};

struct lesson_language {
    char code[16];                   /* "en", "zh" */
    char *title, *summary, *chapter; /* summary and chapter may be NULL */
    char *keywords;                  /* further words by which a search finds it; may be NULL */
    char *path;                      /* of its file, for complaints */
    bool header_unread, beat_unread; /* a line of its header; the heading of a beat */
    bool unread;                     /* the whole file */
};

struct lesson {
    char *name;                        /* of the folder, or of the file without ".md" */
    char *path;                        /* the folder or file; "" for a built-in one */
    struct lesson_language *languages; /* the first is the base */
    size_t language_count;
    struct lesson_run *runs;
    size_t run_count;
    char **needs; /* names of required lessons */
    size_t needs_count;
    int needs_line;   /* of the base file; 0 if it names none */
    char **exercises; /* names of its exercises, in the order to take them */
    size_t exercise_count;
    struct lesson_beat *beats;
    size_t beat_count;
    char **complaints; /* found while reading, for lesson_complaints() */
    size_t complaint_count;
};
/* Everything called "unread" is false or 0 in a lesson without errors. */

/* One language's file of a lesson. */
struct lesson_source {
    const char *code; /* "en" */
    const char *path; /* for complaints */
    const char *text;
};

/*
 * Reads a lesson from its files' texts; sources[0] is the base. Fails (ERROR_USAGE) with
 * "FILE:LINE: what was given, what is allowed, how to fix it". Texts of beats that a translation
 * lacks are NULL; lesson_complaints() reports them.
 */
int lesson_parse(struct lesson **lesson, const char *name, const struct lesson_source *sources,
                 size_t count, struct error *err);

/* Receives one error, "zh.md:12: ...". */
typedef void lesson_complain_fn(void *context, const char *text);

/* The same, without stopping at the first error of a file: complain() gets each one, and *faults is
 * their number. With errors it returns -1, and *lesson is the readable part, which is meant for
 * lesson_complaints() and check_lesson(), not for playing; NULL if there is none. The caller frees
 * it. */
int lesson_parse_all(struct lesson **lesson, const char *name, const struct lesson_source *sources,
                     size_t count, lesson_complain_fn *complain, void *context, size_t *faults,
                     struct error *err);

/* Reads a folder or a single .md file. */
int lesson_open(struct lesson **lesson, const char *path, struct error *err);
/* The same with all errors, like lesson_parse_all(). *faults is 0 if it failed for another
 * reason. */
int lesson_open_all(struct lesson **lesson, const char *path, lesson_complain_fn *complain,
                    void *context, size_t *faults, struct error *err);
void lesson_free(struct lesson *lesson); /* NULL is fine */

/*
 * Finds the errors of a readable lesson: texts that a language lacks or has too many of, beliefs
 * that differ, ... Calls complain() for each, "zh.md:12: ..."; returns how many.
 */
size_t lesson_complaints(const struct lesson *lesson, lesson_complain_fn *complain, void *context);

/* The beat with that id; NULL if there is none. */
struct lesson_beat *lesson_beat_named(const struct lesson *lesson, const char *id);
/* The first is true if a beat has a question; the second counts the lesson's questions. */
bool lesson_asks(const struct lesson *lesson, size_t beat);
unsigned lesson_questions(const struct lesson *lesson);

/* The language nearest to `code` ("zh_CN.UTF-8" is "zh"); 0, the base, if there is none. */
size_t lesson_language_find(const struct lesson *lesson, const char *code);

/* A text of a beat in a language, or, if it is missing there, in the base language. NULL if neither
 * has it. */
const char *lesson_part(const struct lesson *lesson, size_t beat, size_t language,
                        enum lesson_part part);
/* True if two answers are equal as typed: "0-3, 8" is "0-3,8", and "Own" is "own". */
bool lesson_same_answer(const char *a, const char *b);
/* The reply to this wrong answer, normalised ("0-15"); NULL if there is none. */
const char *lesson_belief(const struct lesson *lesson, size_t beat, size_t language,
                          const char *answer);
/* An estimate, in minutes, of how long a learner takes from a beat to the end of the lesson: 200
 * words of the base language a minute, and half a minute for each question. At least 1. */
unsigned lesson_minutes(const struct lesson *lesson, size_t beat);
const char *lesson_title(const struct lesson *lesson, size_t language);
const char *lesson_summary(const struct lesson *lesson, size_t language); /* "" if none */
const char *lesson_chapter(const struct lesson *lesson, size_t language); /* "" if none */

/* ---- built-in lessons ---- */

/* The built-in lessons in the order of the course (lessons/order). They are parsed when first
 * requested, and live as long as the program. */
size_t lesson_built_in_count(void);
const struct lesson *lesson_built_in(size_t index);
const struct lesson *lesson_built_in_find(const char *name); /* NULL if there is none */
/* The lesson that follows in the course; NULL after the last, and for a user's own lesson. */
const struct lesson *lesson_built_in_after(const struct lesson *lesson);

/* A stop on the fast track (lessons/fast-track): the shortest way to a warp sum that the learner
 * writes. */
struct lesson_stop {
    bool is_exercise;
    const char *name; /* of a built-in lesson or exercise */
};
size_t lesson_fast_track(const struct lesson_stop **stops);

#endif
