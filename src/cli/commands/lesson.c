/*
 * shflviz lesson: playing, listing, checking and making lessons, and presentations. Combinations of
 * options are checked first, so that nothing has happened yet when one is refused.
 */
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/export_page.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "launch/course.h"
#include "serve/outside_input.h"
#include "session/lesson_check.h"
#include "session/lesson_text.h"
#include "session/notes.h"
#include "session/plan.h"
#include "session/screens/lesson_screen.h"
#include "session/screens/watch_screen.h"
#include "session/worksheet.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool given(const struct options *options, enum option_id id) {
    return options->given & OPTION_BIT(id);
}

/* ---- lesson check ---- */

/* `context` is the lesson's name as given by the user. */
static void print_complaint(void *context, const char *text) {
    const char *name = context;
    progress_line_hold();
    char *complaint = memory_string(text);
    utf8_join_names(complaint, &name, 1);
    utf8_print(stdout, complaint, UTF8_LINES);
    putchar('\n');
    progress_line_printed(NULL, 0);
    free(complaint);
}

static void print_nothing_wrong(const struct lesson *lesson) {
    char beats[64], languages[64];
    size_t count = lesson->beat_count;
    snprintf(beats, sizeof(beats), message_plural("%zu part", "%zu parts", count), count);
    count = lesson->language_count;
    snprintf(languages, sizeof(languages), message_plural("%zu language", "%zu languages", count),
             count);
    progress_line_hold();
    printf(_("%s: %s, %s, nothing wrong\n"), lesson->name, beats, languages);
    progress_line_printed(NULL, 0);
}

static size_t check_one(const char *name, const struct course_terms *agreed) {
    const struct lesson *lesson = NULL;
    struct lesson *opened = NULL;
    struct lesson_checked checked;
    struct error err = ERROR_INIT;
    struct stat status;
    const bool is_name = !strpbrk(name, "/.") && stat(name, &status) != 0;
    if (!strpbrk(name, "/."))
        lesson = lesson_built_in_find(name);
    if (!lesson && is_name) {
        course_find(name, &lesson, &opened, &err); /* lists the names */
        print_complaint((void *)name, err.text);
        return 1;
    }
    lesson_check(&checked, lesson, name, agreed, print_complaint, (void *)name);
    const size_t faults = checked.faults;
    if (faults == 0)
        print_nothing_wrong(checked.lesson);
    lesson_checked_release(&checked);
    return faults;
}

static int check_lessons(const struct options *options, struct error *err) {
    size_t complaints = 0;
    if (options->operand_count < 2)
        return error_set(err, ERROR_USAGE,
                         _("lesson: check: no lesson is named\nallowed: folders, files, names of "
                           "lessons that come with shflviz\ntry: shflviz lesson check lessons/*/"));
    if (options->format != FORMAT_AUTO && options->format != FORMAT_TEXT)
        return show_refuse_format(options, _("is not a format for checks of lessons"), "text", err);
    const struct course_terms agreed = user_command_terms(options);
    progress_line_begin(_("checking"));
    for (int i = 1; i < options->operand_count; i++) {
        progress_line_count((uint64_t)i - 1, (uint64_t)options->operand_count - 1);
        complaints += check_one(options->operands[i], &agreed);
    }
    progress_line_end();
    if (show_finish(err) != 0)
        return -1;
    if (complaints == 0)
        return 0;
    return error_set(err, ERROR_FOUND,
                     message_plural("lesson check: %zu problem to fix",
                                    "lesson check: %zu problems to fix", complaints),
                     complaints);
}

/* ---- lesson new ---- */

/* A lesson that passes `lesson check`, for the user to change. */
static const char template[] = "---\n"
                               "title: %s\n"
                               "summary: One line for the list of lessons\n"
                               "kernel: xor\n"
                               "launch: --mask 1\n"
                               "---\n\n"
                               "## The first thing {#first}\n\n"
                               "```show\n"
                               "phase: before..after\n"
                               "lane: 5\n"
                               "```\n\n"
                               "```ask\n"
                               "source of lane 5\n"
                               "```\n\n"
                               "Lane 5 holds {{in 5}} and passes laneMask {{arg 5}}.\n\n"
                               "### Question\n\n"
                               "Which lane does lane 5 read?\n\n"
                               "### Hint\n\n"
                               "5 is 101 in binary.\n\n"
                               "### If 6\n\n"
                               "6 is 5 + 1. xor flips a bit; it does not add.\n\n"
                               "### Answer\n\n"
                               "101 ^ 001 is 100: lane {{source 5}}.\n";

static int new_lesson(const char *name, struct error *err) {
    struct text path = TEXT_INIT;
    const char *title = strrchr(name, '/');
    int status = 0;
    text_append_format(&path, "%s/en.md", name);
    if (mkdir(name, 0777) != 0) {
        status = error_set_errno(err, ERROR_USAGE, errno,
                                 _("lesson: new: cannot make the folder %s"), name);
    } else {
        FILE *file = fopen(path.data, "wx");
        bool written = file && fprintf(file, template, title ? title + 1 : name) > 0;
        if (file && fclose(file) != 0)
            written = false;
        if (!written) { /* remove what was written, so that the command can be repeated */
            status = error_set_errno(err, ERROR_USAGE, errno, _("lesson: new: cannot write %s"),
                                     path.data);
            unlink(path.data);
            rmdir(name);
        } else
            printf(_("%s: a lesson to change into your own\ntry: shflviz lesson %s\n"), path.data,
                   name);
    }
    text_release(&path);
    return status == 0 ? show_finish(err) : status;
}

/* ---- progress ---- */

/* The progress in a lesson that no longer exists can be deleted by the name under which it is
 * saved. */
static int reset_one(const char *path, const char *given_name, struct error *err) {
    const struct lesson *lesson;
    struct lesson *opened;
    struct progress progress = {0};
    struct error ignored = ERROR_INIT;
    const bool there = course_find(given_name, &lesson, &opened, err) == 0;
    char *name = there ? course_progress_name(lesson) : memory_string(given_name);
    int status = 0;
    if (!there)
        status = progress_load(&progress, path, &ignored) == 0 && progress_find(&progress, name)
                     ? 0
                     : -1;
    if (status == 0)
        status = progress_reset(path, name, err);
    if (status == 0)
        printf(_("forgotten: the progress in %s\n"), given_name);
    progress_release(&progress);
    lesson_free(opened);
    free(name);
    return status;
}

static int reset(const struct options *options, struct error *err) {
    char *path = progress_path();
    int status;
    if (!*path)
        status = error_set(err, ERROR_USAGE,
                           _("no progress is saved: neither XDG_STATE_HOME nor HOME is set"));
    else if (options->operand_count)
        status = reset_one(path, options->operands[0], err);
    else if ((status = progress_reset(path, NULL, err)) == 0)
        fputs(_("forgotten: all progress\n"), stdout);
    free(path);
    return status == 0 ? show_finish(err) : status;
}

/* ---- playing ---- */

static int list(const char *path, struct error *err) {
    struct progress progress = {0};
    struct error ignored = ERROR_INIT;
    size_t count = lesson_built_in_count();
    const struct lesson **lessons = memory_zeroed(count + 1, sizeof(lessons[0]));
    for (size_t i = 0; i < count; i++)
        lessons[i] = lesson_built_in(i);
    if (*path && progress_load(&progress, path, &ignored) != 0)
        fprintf(stderr, "shflviz: %s\n", utf8_name(ignored.text));
    lesson_text_list(stdout, lessons, count, &progress, message_language());
    progress_release(&progress);
    free(lessons);
    return show_finish(err);
}

/* Writes the lesson as text, or its worksheet. */
static int write_lesson(const struct lesson *lesson, const struct options *options,
                        struct error *err) {
    const struct text_style style = show_text_style(options);
    const struct course_terms agreed = user_command_terms(options);
    struct course_recordings recordings;
    if (course_record(lesson, &agreed, &recordings, err) != 0)
        return -1;
    int status =
        given(options, OPTION_WORKSHEET)
            ? worksheet_write(stdout, lesson, recordings.traces, message_language(),
                              given(options, OPTION_ANSWERS), style.ascii, err)
            : lesson_text_write(stdout, lesson, recordings.traces, message_language(), &style, err);
    course_release(&recordings);
    return status == 0 ? show_finish(err) : status;
}

static int practise(const char *exercise, struct error *err) {
    return command_run_on(&command_exercise, exercise, err);
}

static int play(const struct lesson *lesson, const struct options *options, const char *path,
                struct error *err) {
    struct course_terms agreed = user_command_terms(options);
    const struct screen_options screen = show_screen_options(options);
    char *page = NULL;
    size_t page_size = 0;
    if (given(options, OPTION_SERVE)) {
        char *name = options->operand_count ? options->operands[0] : NULL;
        if (export_class_page(&page, &page_size, name, &agreed, err) != 0)
            return -1;
        if (page)
            agreed.consent = COURSE_AGREED; /* the user agreed when the page was made */
    }
    const struct lesson_options opts = {
        .lesson = lesson,
        .beat = options->text[OPTION_BEAT],
        .language = message_language(),
        .progress_path = path,
        .terms = &agreed,
        .present = given(options, OPTION_PRESENT),
        .classroom = {.serve = options->text[OPTION_SERVE],
                      .proxy = options->text[OPTION_PROXY],
                      .collect = options->text[OPTION_COLLECT],
                      .light = screen.background == BACKGROUND_LIGHT,
                      .page = page,
                      .page_size = page_size},
        .results = show_results_options(options),
        .screen = screen,
        .practise = practise};
    const int status = lesson_screen_run(&opts, err);
    free(page);
    return status;
}

static int show(const struct options *options, const char *path, struct error *err) {
    const struct lesson *lesson = NULL;
    struct lesson *opened = NULL;
    if (options->operand_count && course_find(options->operands[0], &lesson, &opened, err) != 0)
        return -1;
    int status;
    if (options->format == FORMAT_TUI && !given(options, OPTION_WORKSHEET))
        status = play(lesson, options, path, err);
    else
        status = lesson ? write_lesson(lesson, options, err) : list(path, err);
    lesson_free(opened);
    return status;
}

static int notes(const struct options *options, struct error *err) {
    const struct screen_options screen = show_screen_options(options);
    const struct course_terms agreed = user_command_terms(options);
    return notes_run(message_language(), &agreed, &screen, err);
}

/* Refuses to serve a class without a presentation, or at an invalid address. */
static int check_class(const struct options *options, struct error *err) {
    struct serve_address address;
    struct serve_proxy proxy;
    if (given(options, OPTION_COLLECT) && !given(options, OPTION_SERVE))
        return error_set(err, ERROR_USAGE,
                         _("--collect needs a class whose answers are collected\ntry: shflviz "
                           "lesson NAME --present --serve 8000 --collect %s"),
                         utf8_name(options->text[OPTION_COLLECT]));
    if (given(options, OPTION_PROXY) && !given(options, OPTION_SERVE))
        return error_set(err, ERROR_USAGE,
                         _("--proxy needs a class that the proxy forwards to\ntry: shflviz lesson "
                           "NAME --present --serve 8000 --proxy %s"),
                         utf8_name(options->text[OPTION_PROXY]));
    if (!given(options, OPTION_SERVE))
        return 0;
    if (!given(options, OPTION_PRESENT))
        return error_set(err, ERROR_USAGE,
                         _("--serve needs a presentation that students can follow\n"
                           "try: shflviz lesson NAME --present --serve %s"),
                         utf8_name(options->text[OPTION_SERVE]));
    if (given(options, OPTION_PROXY) &&
        serve_proxy_parse(&proxy, options->text[OPTION_PROXY], err) != 0)
        return -1;
    return serve_address_parse(&address, options->text[OPTION_SERVE], err);
}

/* Without a screen, refuses options that need one; also refuses formats that lessons do not
 * have. */
static int resolve(struct options *options, struct error *err) {
    const bool screen = given(options, OPTION_PRESENT) || given(options, OPTION_NOTES) ||
                        given(options, OPTION_BEAT);
    if (given(options, OPTION_ANSWERS) && !given(options, OPTION_WORKSHEET))
        return error_set(err, ERROR_USAGE,
                         _("--answers needs a worksheet to add the answers to\ntry: shflviz lesson "
                           "NAME --worksheet --answers"));
    if (given(options, OPTION_WORKSHEET) && (screen || !options->operand_count))
        return error_set(err, ERROR_USAGE,
                         _("--worksheet needs a lesson's name and no screen options\ntry: shflviz "
                           "lesson NAME --worksheet >NAME.md"));
    if (show_check_results(options, err) != 0 || show_resolve_format(options, err) != 0)
        return -1;
    if (given(options, OPTION_RESULTS) &&
        (!options->operand_count || options->format != FORMAT_TUI || screen))
        return error_set(err, ERROR_USAGE,
                         _("--results needs one lesson, played on a terminal from its "
                           "beginning\ntry: shflviz lesson NAME --results FILE"));
    if (options->format != FORMAT_TUI && options->format != FORMAT_TEXT)
        return show_refuse_format(options, _("is not a format for lessons"), "tui text", err);
    if (screen && options->format != FORMAT_TUI)
        return error_set(err, ERROR_USAGE,
                         _("--%s needs a terminal as standard output\n"
                           "try: shflviz lesson NAME --format text, for the whole lesson as text"),
                         given(options, OPTION_PRESENT) ? "present"
                         : given(options, OPTION_NOTES) ? "notes"
                                                        : "beat");
    return 0;
}

static int run_resolved(const struct options *options, struct error *err) {
    if (given(options, OPTION_NOTES))
        return notes(options, err);
    char *path = progress_path();
    int status = show(options, path, err);
    free(path);
    return status;
}

/* ---- lesson watch ---- */

static int watch(const struct command *command, struct options *options, struct error *err) {
    const struct course_terms agreed = user_command_terms(options);
    if (show_resolve_format(options, err) != 0)
        return error_prefix(err, "%s", command->name);
    if (options->format != FORMAT_TUI)
        return error_set(err, ERROR_USAGE,
                         _("lesson: watch needs a terminal as standard output\n"
                           "try: shflviz lesson check %s"),
                         options->operands[1]);
    const struct watch_options opts = {.path = options->operands[1],
                                       .beat = options->text[OPTION_BEAT],
                                       .language = message_language(),
                                       .terms = &agreed,
                                       .screen = show_screen_options(options)};
    return watch_screen_run(&opts, err) == 0 ? 0 : error_prefix(err, "%s", command->name);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    if (options->operand_count && strcmp(options->operands[0], "check") == 0)
        return check_lessons(options, err);
    if (options->operand_count == 2 && strcmp(options->operands[0], "new") == 0)
        return new_lesson(options->operands[1], err);
    if (options->operand_count == 2 && strcmp(options->operands[0], "watch") == 0)
        return watch(command, &resolved, err);
    if (options->operand_count > 1)
        return error_set(err, ERROR_USAGE,
                         _("%s: %s: one word too many\nallowed: one lesson; check and several "
                           "lessons; new or watch and one lesson"),
                         command->name, options->operands[1]);
    if (given(options, OPTION_RESET))
        return reset(options, err);
    if (given(options, OPTION_PLAN)) {
        plan_write(stdout);
        return show_finish(err);
    }
    int status = check_class(options, err);
    if (status == 0)
        status = resolve(&resolved, err);
    if (status == 0)
        status = run_resolved(&resolved, err);
    if (status != 0 && err->kind == ERROR_USAGE)
        error_prefix(err, "%s", command->name);
    return status;
}

const struct command command_lesson = {
    .name = "lesson",
    .summary = N_("the lessons, from what a lane is to a grid reduction"),
    .about = N_(
        "Plays a lesson: it shows something, asks a question before it shows the next thing, and "
        "corrects wrong answers. Without a name, the command lists the lessons. A lesson may also "
        "be a file or a folder of your own: docs/WRITING_LESSONS.md says how to write a lesson, "
        "'lesson new' makes a lesson to begin with, 'lesson check' finds mistakes in a lesson, and "
        "'lesson watch' plays a lesson while you write and reads it again whenever you save it."),
    .operand = "[NAME|FILE|check FILE...|new FOLDER|watch FILE]",
    .operand_kinds = OPERAND_CHECK | OPERAND_WRITING | OPERAND_LESSONS | OPERAND_FILES,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(OPTION_BEAT) | OPTION_BIT(OPTION_PRESENT) | OPTION_BIT(OPTION_SERVE) |
               OPTION_BIT(OPTION_PROXY) | OPTION_BIT(OPTION_COLLECT) | OPTION_BIT(OPTION_NOTES) |
               OPTION_BIT(OPTION_WORKSHEET) | OPTION_BIT(OPTION_ANSWERS) |
               OPTION_BIT(OPTION_RESULTS) | OPTION_BIT(OPTION_WHO) | OPTION_BIT(OPTION_RESET) |
               OPTION_BIT(OPTION_PLAN) | OPTION_BIT(OPTION_TRUST) | OPTION_BIT(OPTION_TIME) |
               OPTION_BIT(OPTION_MEMORY_LIMIT) | OPTION_BIT(OPTION_ALLOW) |
               OPTION_BIT(OPTION_NO_SANDBOX) | OPTIONS_SHOW,
    .examples = {"lesson", "lesson xor", "lesson xor --present",
                 "lesson xor --present --serve 8000"},
    .run = run,
};
