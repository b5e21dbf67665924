/*
 * shflviz exercise: the list, the work on one exercise, and `check` for a file or a whole folder.
 * All of them judge with exercise/judge.h, so that the verdict never depends on the command.
 */
#include "exercise/exercise.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/exercise_command.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "cudacpu/cudacpu.h"
#include "exercise/judge.h"
#include "exercise/passed.h"
#include "exercise/translate.h"
#include "export/verdict.h"
#include "launch/program/user_run.h"
#include "lesson/progress.h"
#include "session/screens/exercise_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool given(const struct options *options, enum option_id id) {
    return options->given & OPTION_BIT(id);
}

/* ---- finding the exercise ---- */

static int refuse_name(const char *name, struct error *err) {
    struct choice choice = CHOICE_INIT(name);
    for (size_t i = 0; i < exercise_built_in_count(); i++)
        choice_add(&choice, exercise_built_in(i)->name);
    return choice_refuse(
        &choice,
        _("%s: no exercise or folder of that name%s\nallowed: %s\ntry: shflviz exercise, which "
          "lists the exercises; --name NAME if the file has another name"),
        err);
}

/* "folder/warp-sum.cu" answers warp-sum. */
static char *name_of_file(const char *path) {
    char *name = memory_string(file_base_name(path)), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    return name;
}

/* Refuses an answer given in place of an exercise. The file's name may identify the exercise. */
static int refuse_file(const char *path, struct error *err) {
    char *name = name_of_file(path);
    const bool known = exercise_built_in_find(name) != NULL;
    error_set(err, ERROR_USAGE,
              _("%s is a file with an answer, but an exercise is expected\ntry: shflviz exercise "
                "%s %s, which opens the file; shflviz exercise check %s%s, which judges it"),
              path, known ? name : "NAME", path, path, known ? "" : " --name NAME");
    free(name);
    return -1;
}

/* Finds a built-in exercise by its name, or reads one from a folder; *opened then owns it. */
int exercise_command_find(const char *name, const struct exercise **exercise,
                          struct exercise **opened, struct error *err) {
    *opened = NULL;
    *exercise = strchr(name, '/') ? NULL : exercise_built_in_find(name);
    if (*exercise)
        return 0;
    if (is_source_folder(name)) {
        const int status = exercise_open(opened, name, err);
        *exercise = *opened;
        return status;
    }
    return is_cuda_source(name) ? refuse_file(name, err) : refuse_name(name, err);
}

/* ---- progress ---- */

/* The first failure to save the progress. It is reported at the end of the command: a screen would
 * otherwise draw over the message, and the exit status would claim success. */
static struct error unsaved = ERROR_INIT;

static void save_result(const struct exercise *exercise, bool passed) {
    char *path = progress_path();
    struct error err = ERROR_INIT;
    if (exercise_save(path, exercise->name, passed, &err) != 0 && unsaved.kind == ERROR_NONE)
        unsaved = err;
    free(path);
}

static void save_passed(const struct exercise *exercise) {
    save_result(exercise, true);
}

static int list(struct error *err) {
    struct progress progress = {0};
    struct error ignored = ERROR_INIT;
    char *path = progress_path();
    int names = 0, titles = 0;
    const size_t count = exercise_built_in_count();
    progress_load(&progress, path, &ignored);
    for (size_t i = 0; i < count; i++) {
        const struct exercise *exercise = exercise_built_in(i);
        const int title = utf8_columns(exercise_language(exercise, message_language())->title);
        const int name = utf8_columns(exercise->name);
        names = name > names ? name : names;
        titles = title > titles ? title : titles;
    }
    for (size_t i = 0; i < count; i++) {
        const struct exercise *exercise = exercise_built_in(i);
        const struct exercise_language *language = exercise_language(exercise, message_language());
        struct text line = TEXT_INIT;
        text_append(&line, exercise_is_passed(&progress, exercise->name) ? _("done  ") : "      ");
        text_append_column(&line, exercise->name, names + 2);
        text_append_column(&line, language->title, titles + 2);
        puts(line.data);
        printf("%*s%s\n", 6 + names + 2, "", language->teaches);
        text_release(&line);
    }
    progress_release(&progress);
    free(path);
    return show_finish(err);
}

/* ---- a verdict ---- */

static struct judging judging_of(const struct options *options, const char *path, const char *text,
                                 const char *output) {
    struct run_settings settings = user_command_settings(options);
    settings.jobs = 0; /* `grade --jobs` counts submissions */
    return (struct judging){.path = path,
                            .text = text,
                            .runs = options->schedules,
                            .has_seed = given(options, OPTION_SEED),
                            .seed = options->seed,
                            .settings = settings,
                            .readable = options->readable.word,
                            .output = output};
}

static int judge_file(const struct exercise *exercise, const char *path,
                      const struct options *options, struct verdict *verdict, struct error *err) {
    struct text text = TEXT_INIT;
    int status = user_program_read(path, &text, err);
    if (status == 0) {
        const struct judging judging = judging_of(options, path, text.data, options->launch.output);
        status = exercise_judge(exercise, &judging, verdict, err);
    }
    text_release(&text);
    return status;
}

int exercise_command_judge(const char *path, const struct options *options, char **name,
                           struct verdict *verdict, struct error *err) {
    const struct exercise *exercise;
    struct exercise *opened;
    const bool is_named = given(options, OPTION_NAME);
    *name = is_named ? memory_string(options->text[OPTION_NAME]) : name_of_file(path);
    *verdict = (struct verdict){0};
    /* Without --name, it must be a built-in exercise: a folder of that name must not be used. */
    if (!is_named && !exercise_built_in_find(*name))
        return refuse_name(*name, err);
    if (exercise_command_find(*name, &exercise, &opened, err) != 0)
        return -1;
    free(*name);
    *name = memory_string(exercise->name);
    const int status = judge_file(exercise, path, options, verdict, err);
    exercise_free(opened);
    return status;
}

static void print_verdict(const struct verdict *verdict, const struct options *options,
                          const char *path) {
    struct text text = TEXT_INIT;
    verdict_append(&text, verdict, path);
    utf8_print(stdout, text.data, UTF8_LINES);
    text_release(&text);
    if (verdict->kind != VERDICT_PASSED && verdict->trace && trace_step_count(verdict->trace)) {
        if (options->launch.output)
            printf(_("to see it: shflviz replay %s\n"), utf8_name(options->launch.output));
        else
            printf(
                _("to see it: shflviz exercise check %s -o wrong.svt; shflviz replay wrong.svt\n"),
                utf8_name(path));
    }
}

/* Chooses the exit status for a verdict. */
static int verdict_status(const struct verdict *verdict, struct error *err) {
    if (show_finish(err) != 0)
        return -1;
    if (verdict->kind == VERDICT_PASSED)
        return 0;
    return error_set_silent(err, verdict->kind == VERDICT_UNFINISHED ? ERROR_RUN : ERROR_FOUND);
}

static int check_file(const char *path, const struct options *options, struct error *err) {
    struct verdict verdict;
    char *name;
    const char *language = message_language();
    if (options->format == FORMAT_JSON) /* scripts read English */
        message_language_use("en");
    int status = exercise_command_judge(path, options, &name, &verdict, err);
    if (status == 0 && options->format == FORMAT_JSON)
        export_verdict_json(stdout, name, path, &verdict);
    else if (status == 0)
        print_verdict(&verdict, options, path);
    message_language_use(language);
    if (status == 0)
        status = verdict_status(&verdict, err);
    verdict_release(&verdict);
    free(name);
    return status;
}

/* ---- an exercise, tested with its own solution ---- */

struct proof {
    const struct exercise *exercise;
    const struct options *options;
    unsigned wrong;
};

static int prove_one(struct proof *proof, const char *text, bool passes, const char *what,
                     struct error *err) {
    struct verdict verdict;
    struct text path = TEXT_INIT, said = TEXT_INIT;
    text_append_format(&path, "%s.cu", proof->exercise->name);
    struct judging judging = judging_of(proof->options, path.data, text, NULL);
    judging.has_seed = true; /* the check is repeatable: without --seed it uses seed 0 */
    const int status = exercise_judge(proof->exercise, &judging, &verdict, err);
    progress_line_hold();
    if (status == 0 && (verdict.kind == VERDICT_PASSED) != passes) {
        proof->wrong++;
        verdict_append(&said, &verdict, path.data);
        printf(passes ? _("%s: should pass, but does not\n") : _("%s: should fail, but passes\n"),
               what);
        utf8_print(stdout, said.data, UTF8_LINES);
    } else if (status == 0 && verdict.kind == VERDICT_NOT_COMPILED) {
        proof->wrong++;
        printf(_("%s: does not compile\n"), what);
        utf8_print(stdout, verdict.text, UTF8_LINES);
        putchar('\n');
    }
    fflush(stdout);
    progress_line_printed(NULL, 0);
    verdict_release(&verdict);
    text_release(&path);
    text_release(&said);
    return status;
}

static int prove(const struct exercise *exercise, const struct options *options,
                 struct error *err) {
    struct proof proof = {exercise, options, 0};
    struct text what = TEXT_INIT;
    size_t passing = 0;
    const uint64_t texts = exercise->mutant_count + 2 + (exercise->other != NULL);
    uint64_t done = 0;
    progress_line_begin(_("judging"));
    const struct {
        const char *file, *text;
    } whole[] = {{"skeleton.cu", exercise->skeleton},
                 {"solution.cu", exercise->solution},
                 {"other.cu", exercise->other}};
    int status = 0;
    for (int i = 0; status == 0 && i < 3 && whole[i].text; i++) {
        progress_line_count(done++, texts);
        text_clear(&what);
        text_append_format(&what, "%s/%s", exercise->name, whole[i].file);
        status = prove_one(&proof, whole[i].text, i > 0, what.data, err);
    }
    for (size_t i = 0; status == 0 && i < exercise->mutant_count; i++) {
        const struct exercise_mutant *mutant = &exercise->mutants[i];
        progress_line_count(done++, texts);
        text_clear(&what);
        text_append_format(&what, "%s/mutants:%d: %s", exercise->name, mutant->line, mutant->why);
        status = prove_one(&proof, mutant->text, mutant->passes, what.data, err);
        passing += mutant->passes;
    }
    progress_line_end();
    text_release(&what);
    if (status != 0)
        return -1;
    if (proof.wrong == 0)
        printf(exercise->other ? _("%s: the skeleton fails, both solutions pass; %zu of its "
                                   "mutants fail and %zu pass, as they should\n")
                               : _("%s: the skeleton fails, the solution passes; %zu of its "
                                   "mutants fail and %zu pass, as they should\n"),
               exercise->name, exercise->mutant_count - passing, passing);
    if (show_finish(err) != 0)
        return -1;
    return proof.wrong ? error_set_silent(err, ERROR_FOUND) : 0;
}

static int check_folder(const char *path, const struct options *options, struct error *err) {
    struct exercise *exercise;
    if (exercise_open(&exercise, path, err) != 0)
        return -1;
    const int status = prove(exercise, options, err);
    exercise_free(exercise);
    return status;
}

static int check(const struct options *options, struct error *err) {
    if (options->operand_count < 2)
        return error_set(
            err, ERROR_USAGE,
            _("check: no file or folder is named\nallowed: a .cu file that answers an exercise, or "
              "the folder of an exercise\ntry: shflviz exercise check broadcast.cu"));
    if (given(options, OPTION_FORMAT) && options->format != FORMAT_TEXT &&
        options->format != FORMAT_JSON)
        return show_refuse_format(options, _("is not a format for verdicts"), "text json", err);
    const char *path = options->operands[1];
    return is_source_folder(path) ? check_folder(path, options, err)
                                  : check_file(path, options, err);
}

/* ---- working on one ---- */

/* Writes the skeleton, unless the file exists. */
static int place_skeleton(const struct exercise *exercise, const char *path, bool quiet,
                          struct error *err) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) {
        if (!quiet)
            printf(_("%s already exists and is left unchanged\n"), utf8_name(path));
        return 0;
    }
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    char *skeleton = translate_comments(exercise->skeleton);
    const bool failed = !file || fputs(skeleton, file) < 0 || fclose(file) != 0;
    const int code = errno;
    free(skeleton);
    if (failed)
        return error_set_errno(err, ERROR_USAGE, code, _("cannot write %s"), path);
    if (!quiet)
        printf(_("%s: write your answer here\n"), utf8_name(path));
    return 0;
}

static int watch(const struct exercise *exercise, const char *path, const struct options *options,
                 struct error *err) {
    const struct exercise_options opts = {.exercise = exercise,
                                          .language = message_language(),
                                          .judging = judging_of(options, path, NULL, NULL),
                                          .passed = save_passed,
                                          .screen = show_screen_options(options)};
    struct journey_step next;
    bool goes_on;
    if (place_skeleton(exercise, path, true, err) != 0)
        return -1;
    save_result(exercise, false);
    if (exercise_screen_run(&opts, &next, &goes_on, err) != 0)
        return -1;
    if (goes_on)
        return command_run_on(next.exercise ? &command_exercise : &command_lesson, next.name, err);
    printf(_("%s is kept; continue with: shflviz %s %s\n"), utf8_name(path),
           next.lesson ? "lesson" : "exercise",
           utf8_name(next.name                ? next.name
                     : options->operand_count ? options->operands[0]
                                              : exercise->name));
    return 0;
}

/* As on the screen after a pass, only an exercise of the course has a next step. */
static void print_next(const struct exercise *exercise) {
    struct journey journey;
    struct journey_step next;
    if (exercise_built_in_find(exercise->name) != exercise)
        return;
    journey_load(&journey);
    const char *ending = journey_end_of_track(&journey, exercise->name);
    if (ending)
        printf("\n%s\n", ending);
    if (journey_next(&journey, &next) && next.exercise != exercise)
        printf(_("next: shflviz %s %s\n"), next.lesson ? "lesson" : "exercise", next.name);
    journey_release(&journey);
}

static int work(const struct exercise *exercise, const char *path, const struct options *options,
                struct error *err) {
    const struct exercise_language *language = exercise_language(exercise, message_language());
    struct verdict verdict;
    utf8_print(stdout, language->title, UTF8_LINE);
    fputs("\n\n", stdout);
    utf8_print(stdout, language->task, UTF8_LINES);
    fputs("\n\n", stdout);
    if (place_skeleton(exercise, path, false, err) != 0 ||
        judge_file(exercise, path, options, &verdict, err) != 0)
        return -1;
    print_verdict(&verdict, options, path);
    if (verdict.kind == VERDICT_PASSED) {
        save_passed(exercise);
        if (language->after) {
            putchar('\n');
            utf8_print(stdout, language->after, UTF8_LINES);
            putchar('\n');
        }
        print_next(exercise);
    }
    const int status = verdict_status(&verdict, err);
    verdict_release(&verdict);
    return status;
}

/* "●●○ 10 min": its difficulty and its time. */
static void append_effort(struct text *text, const struct exercise *exercise) {
    text_init(text);
    for (uint32_t i = 0; exercise->level && i < 3; i++)
        text_append(text, i < exercise->level ? "●" : "○");
    text_append_char(text, ' ');
    if (exercise->minutes)
        text_append_format(text, _("%2u min"), exercise->minutes);
}

/* Shows the list on a terminal: opens the chosen exercise, then returns to the list. */
static int browse(const struct options *options, struct error *err) {
    const struct screen_options screen = show_screen_options(options);
    const size_t count = exercise_built_in_count();
    struct worklist_entry *entries = memory_zeroed(count + 1, sizeof *entries);
    struct text *notes = memory_zeroed(count + 1, sizeof *notes);
    size_t selected = 0;
    bool opened = true;
    int status = 0;
    for (size_t i = 0; i < count; i++)
        append_effort(&notes[i], exercise_built_in(i));
    while (status == 0 && opened) {
        struct progress progress = {0};
        struct error ignored = ERROR_INIT;
        struct text file = TEXT_INIT;
        char *path = progress_path();
        progress_load(&progress, path, &ignored);
        for (size_t i = 0; i < count; i++) {
            const struct exercise *exercise = exercise_built_in(i);
            const struct exercise_language *language =
                exercise_language(exercise, message_language());
            entries[i] = (struct worklist_entry){exercise->name,
                                                 language->title,
                                                 language->teaches,
                                                 language->task,
                                                 exercise_is_passed(&progress, exercise->name),
                                                 notes[i].data,
                                                 language->chapter,
                                                 exercise_is_started(&progress, exercise->name)};
        }
        status = exercise_list_run(NULL, entries, count, &selected, &opened, &screen, err);
        text_append_format(&file, "%s.cu", entries[selected].name);
        if (status == 0 && opened)
            status = watch(exercise_built_in(selected), file.data, options, err);
        text_release(&file);
        progress_release(&progress);
        free(path);
    }
    for (size_t i = 0; i < count; i++)
        text_release(&notes[i]);
    free(notes);
    free(entries);
    return status;
}

static int open_named(const struct options *options, struct error *err) {
    const struct exercise *exercise;
    struct exercise *opened;
    struct text path = TEXT_INIT;
    int status = exercise_command_find(options->operands[0], &exercise, &opened, err);
    if (status == 0 && options->operand_count > 1)
        text_append(&path, options->operands[1]);
    else if (status == 0)
        text_append_format(&path, "%s.cu", exercise->name);
    if (status == 0 && given(options, OPTION_SOLUTION)) {
        utf8_print(stdout, exercise->solution, UTF8_LINES);
        status = show_finish(err);
    } else if (status == 0) {
        status = options->format == FORMAT_TUI ? watch(exercise, path.data, options, err)
                                               : work(exercise, path.data, options, err);
    }
    text_release(&path);
    exercise_free(opened);
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    int status;
    if (options->operand_count && strcmp(options->operands[0], "check") == 0)
        status = check(options, err);
    else if ((status = show_resolve_format(&resolved, err)) != 0)
        ; /* it reports the reason */
    else if (resolved.format != FORMAT_TUI && resolved.format != FORMAT_TEXT)
        status = show_refuse_format(options, _("is not a format for exercises"), "tui text", err);
    else if (options->operand_count)
        status = open_named(&resolved, err);
    else
        status = resolved.format == FORMAT_TUI ? browse(&resolved, err) : list(err);
    if (status != 0 && err->kind == ERROR_USAGE)
        error_prefix(err, "%s", command->name);
    if (unsaved.kind != ERROR_NONE && status == 0) {
        *err = unsaved;
        return -1;
    }
    if (unsaved.kind != ERROR_NONE)
        fprintf(stderr, "shflviz: %s\n", utf8_name(unsaved.text));
    return status;
}

const struct command command_exercise = {
    .name = "exercise",
    .summary = N_("code that you complete and shflviz watches, runs and judges"),
    .about =
        N_("Puts the beginning of a kernel or a function into a file and judges the code that you "
           "add: it is built, run on the CPU warp with random values in several lane orders, and "
           "checked. A right result that depends on an undefined read, a race or a wrong mask does "
           "not pass. Without a name, the command lists the exercises. 'exercise check' judges a "
           "file once and exits with 0 if the file passes, 1 if not, 4 if it crashes or hangs; for "
           "a folder, it tests the exercise in the folder, as docs/WRITING_EXERCISES.md says."),
    .operand = "[NAME [FILE]|check FILE]",
    .operand_kinds = OPERAND_CHECK | OPERAND_EXERCISES | OPERAND_FILES,
    .operands_most = 2,
    .options = OPTION_BIT(OPTION_NAME) | OPTION_BIT(OPTION_SOLUTION) |
               OPTION_BIT(OPTION_SCHEDULES) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_TIME) |
               OPTION_BIT(OPTION_MEMORY_LIMIT) | OPTION_BIT(OPTION_ALLOW) |
               OPTION_BIT(OPTION_NO_SANDBOX) | OPTION_BIT(LAUNCH_SCHEDULE) |
               OPTION_BIT(LAUNCH_OUTPUT) | OPTIONS_SHOW,
    .examples = {"exercise", "exercise broadcast", "exercise check broadcast.cu",
                 "exercise check answer.cu --name warp-sum-down --format json"},
    .run = run,
};
