/*
 * shflviz grade. Each answer is judged in a process of its own, because an answer may crash or hang
 * the process that judges it, and because several can then be judged in parallel.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/exercise_command.h"
#include "cli/show.h"
#include "export/verdict.h"
#include "launch/program/user_run.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* One submitted file; a process of its own judges it. */
struct submission {
    char *path;
    pid_t process;  /* 0 if it has not begun, or has ended */
    FILE *line;     /* the temporary file for its output */
    double seconds; /* when it began; after its end, its duration */
    bool ended, passed;
    bool lost; /* its process ended without a verdict, as when memory runs out */
    bool link; /* a link in a folder; not followed, as it may lead to another user's file */
};

struct grading {
    const struct options *options;
    struct submission *submission;
    size_t count;
    size_t begun, ended;
};

/* ---- the submissions ---- */

static bool is_link(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void add(struct grading *grading, const char *path, bool link) {
    grading->submission =
        memory_grow(grading->submission, grading->count + 1, sizeof grading->submission[0]);
    grading->submission[grading->count++] =
        (struct submission){.path = memory_string(path), .link = link};
}

/* Adds the .cu files of a folder and of its subfolders, of which there may be one per student. */
static int add_folder(struct grading *grading, const char *path, bool deeper, struct error *err) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    if (!folder)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
    int status = 0;
    while (status == 0 && (entry = readdir(folder))) {
        struct text name = TEXT_INIT;
        text_append_format(&name, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                           entry->d_name);
        const bool link = is_link(name.data);
        if (entry->d_name[0] == '.')
            ; /* this folder, its parent, hidden files */
        else if (is_cuda_source(entry->d_name) && (link || !is_source_folder(name.data)))
            add(grading, name.data, link);
        else if (deeper && !link && is_source_folder(name.data))
            status = add_folder(grading, name.data, false, err);
        text_release(&name);
    }
    closedir(folder);
    return status;
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const struct submission *)a)->path, ((const struct submission *)b)->path);
}

static int collect(struct grading *grading, struct error *err) {
    const struct options *options = grading->options;
    for (int i = 0; i < options->operand_count; i++) {
        const char *path = options->operands[i];
        if (access(path, F_OK) != 0)
            return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
        if (!is_source_folder(path))
            add(grading, path, false);
        else if (add_folder(grading, path, true, err) != 0)
            return -1;
    }
    if (grading->count == 0)
        return error_set(err, ERROR_USAGE,
                         _("%s: contains no .cu file\nallowed: files, folders of files, folders of "
                           "such folders"),
                         options->operands[0]);
    qsort(grading->submission, grading->count, sizeof grading->submission[0], compare_paths);
    return 0;
}

/* ---- one ---- */

static void write_line(const struct grading *grading, FILE *file, const char *name,
                       const struct submission *submission, const struct verdict *verdict,
                       double seconds) {
    if (grading->options->format == FORMAT_CSV)
        export_verdict_csv(file, name, submission->path, verdict, seconds);
    else if (grading->options->format == FORMAT_JUNIT)
        export_verdict_junit(file, name, submission->path, verdict, seconds);
    else
        export_verdict_json(file, name, submission->path, verdict);
}

/* In the child: judges and writes its line. A failure to judge is a verdict, too. */
static int judge_one(const struct grading *grading, const struct submission *submission) {
    const struct options *options = grading->options;
    struct verdict verdict = {0};
    struct error err = ERROR_INIT;
    char *name = NULL;
    int status = 0;
    if (submission->link)
        status = error_set(&err, ERROR_USAGE,
                           _("%s is a link, which is not followed\nallowed: the file itself"),
                           submission->path);
    else
        status = exercise_command_judge(submission->path, options, &name, &verdict, &err);
    if (status != 0) {
        verdict_release(&verdict);
        verdict.kind = VERDICT_UNFINISHED;
        verdict.text = memory_string(err.text);
        verdict.seed = options->seed;
    }
    write_line(grading, submission->line, name, submission, &verdict,
               clock_seconds() - submission->seconds);
    return fflush(submission->line) != 0 ? 2 : verdict.kind == VERDICT_PASSED ? 0 : 1;
}

/* A judge ends when `grade` does, even if `grade` is killed. */
static void die_with_parent(pid_t parent) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(2);
}

static int begin_one(struct grading *grading, struct error *err) {
    struct submission *submission = &grading->submission[grading->begun];
    submission->line = tmpfile();
    submission->seconds = clock_seconds();
    fflush(stdout);
    const pid_t parent = getpid();
    submission->process = submission->line ? fork() : -1;
    if (submission->process < 0)
        return error_set_errno(err, ERROR_RUN, errno, _("cannot start a process"));
    if (submission->process == 0) {
        die_with_parent(parent);
        _exit(judge_one(grading, submission));
    }
    grading->begun++;
    return 0;
}

static void wait_one(struct grading *grading) {
    int status = 0;
    const pid_t process = wait(&status);
    for (size_t i = 0; i < grading->begun; i++) {
        struct submission *submission = &grading->submission[i];
        if (process > 0 && submission->process == process) {
            submission->process = 0;
            submission->ended = true;
            submission->passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            submission->lost = !WIFEXITED(status) || WEXITSTATUS(status) > 1;
            submission->seconds = clock_seconds() - submission->seconds;
            progress_line_count(++grading->ended, grading->count);
        }
    }
}

/* ---- all ---- */

/* Prints the lines in the order of the files, each as soon as all lines before it are ready. */
static void print_one(const struct grading *grading, struct submission *submission, bool first) {
    char bytes[4096];
    size_t count;
    progress_line_hold();
    if (grading->options->format == FORMAT_JSON)
        fputs(first ? "[\n" : ",\n", stdout);
    if (grading->options->format == FORMAT_TEXT) {
        printf("%s  %s\n", submission->passed ? _("passed") : _("FAILED"),
               utf8_name(submission->path));
    } else if (submission->lost) {
        struct verdict verdict = {.kind = VERDICT_UNFINISHED, .seed = grading->options->seed};
        verdict.text =
            memory_string(_("the file could not be judged, because its process ended early"));
        write_line(grading, stdout, NULL, submission, &verdict, submission->seconds);
        verdict_release(&verdict);
    } else {
        rewind(submission->line);
        while ((count = fread(bytes, 1, sizeof bytes, submission->line)) > 0)
            fwrite(bytes, 1, count, stdout);
    }
    fclose(submission->line);
    fflush(stdout);
    progress_line_printed(NULL, 0);
}

static int grade(struct grading *grading, struct error *err) {
    const size_t wanted = grading->options->launch.device.settings.jobs;
    size_t printed = 0;
    int status = 0;
    while (printed < grading->count && (status == 0 || grading->ended < grading->begun)) {
        while (status == 0 && grading->begun < grading->count &&
               grading->begun - grading->ended < (wanted ? wanted : 1))
            status = begin_one(grading, err);
        if (grading->ended < grading->begun)
            wait_one(grading);
        while (printed < grading->begun && grading->submission[printed].ended) {
            print_one(grading, &grading->submission[printed], printed == 0);
            printed++;
        }
    }
    return status;
}

static void print_head(const struct grading *grading) {
    if (grading->options->format == FORMAT_CSV)
        puts("file,exercise,verdict,seconds,cases,case,message,seed");
    else if (grading->options->format == FORMAT_JUNIT)
        printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
               "<testsuite name=\"shflviz grade\" tests=\"%zu\">\n"
               "<properties><property name=\"seed\" value=\"%" PRIu64 "\"/></properties>\n",
               grading->count, grading->options->seed);
}

static void print_foot(const struct grading *grading, size_t passed) {
    if (grading->options->format == FORMAT_JSON)
        puts("]");
    else if (grading->options->format == FORMAT_JUNIT)
        puts("</testsuite>\n</testsuites>");
    else if (grading->options->format == FORMAT_TEXT) {
        printf(_("%zu of %zu passed\n"), passed, grading->count);
        printf(_("to repeat these values: --seed %" PRIu64 "\n"), grading->options->seed);
    }
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct grading grading = {.options = &resolved};
    const char *language = message_language();
    size_t passed = 0, lost = 0;
    if (resolved.format == FORMAT_AUTO)
        resolved.format = FORMAT_TEXT;
    if (resolved.format != FORMAT_TEXT && resolved.format != FORMAT_JSON &&
        resolved.format != FORMAT_CSV && resolved.format != FORMAT_JUNIT) {
        show_refuse_format(options, _("is not a format for grades"), "text json csv junit", err);
        return error_prefix(err, "%s", command->name);
    }
    if (!(options->given & OPTION_BIT(OPTION_SEED))) { /* one seed for all submissions */
        resolved.seed = judging_draw_seed();
        resolved.given |= OPTION_BIT(OPTION_SEED);
    }
    int status = collect(&grading, err);
    if (status == 0) {
        if (resolved.format != FORMAT_TEXT) /* scripts read English */
            message_language_use("en");
        print_head(&grading);
        progress_line_begin(_("grading"));
        progress_line_count(0, grading.count);
        status = grade(&grading, err);
        progress_line_end();
        for (size_t i = 0; i < grading.count; i++) {
            passed += grading.submission[i].passed;
            lost += grading.submission[i].lost;
        }
        if (status == 0)
            print_foot(&grading, passed);
        message_language_use(language);
        if (status == 0 && lost > 0)
            status = error_set(err, ERROR_RUN,
                               message_plural("%zu file could not be judged",
                                              "%zu files could not be judged", lost),
                               lost);
    }
    for (size_t i = 0; i < grading.count; i++)
        free(grading.submission[i].path);
    free(grading.submission);
    if (status != 0)
        return error_prefix(err, "%s", command->name);
    if (show_finish(err) != 0)
        return -1;
    return passed == grading.count ? 0 : error_set_silent(err, ERROR_FOUND);
}

const struct command command_grade = {
    .name = "grade",
    .summary = N_("judge many answers to exercises; exit 1 unless all pass"),
    .about = N_("Judges every .cu file in the folders and their subfolders as 'exercise check' "
                "does, each file in its own confined and limited process. A file answers the "
                "exercise that the file is named after, or the exercise that --name gives. JSON, "
                "CSV and JUnit have one entry per file, sorted by name."),
    .operand = "FOLDER...",
    .operand_kinds = OPERAND_PROGRAMS | OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_NAME) | OPTION_BIT(OPTION_JOBS) |
               OPTION_BIT(OPTION_SCHEDULES) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_TIME) |
               OPTION_BIT(OPTION_MEMORY_LIMIT) | OPTION_BIT(OPTION_ALLOW) |
               OPTION_BIT(OPTION_NO_SANDBOX) | OPTION_BIT(LAUNCH_SCHEDULE),
    .examples = {"grade handed-in", "grade handed-in --name warp-sum-down --jobs 4",
                 "grade handed-in --format junit"},
    .run = run,
};
