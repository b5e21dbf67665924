/* Recordings and lessons as files for papers, slides and web pages. */
#include "base/file.h"
#include "base/file_beside.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/export_page.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "export/figures/paper.h"
#include "export/figures/svg.h"
#include "export/figures/tikz.h"
#include "launch/course.h"
#include "launch/recording.h"
#include "session/worksheet.h"
#include "teach/scene.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum target {
    TARGET_SVG,
    TARGET_TEX,
    TARGET_MD,
    TARGET_CAST,
    TARGET_JSON,
    TARGET_JSONL,
    TARGET_CSV,
    TARGET_HTML
};

static const struct {
    const char *suffix;
    enum target target;
    bool of_one; /* takes one recording, not a lesson */
} targets[] = {
    {"svg", TARGET_SVG, false},   {"tex", TARGET_TEX, false},   {"md", TARGET_MD, false},
    {"cast", TARGET_CAST, false}, {"json", TARGET_JSON, true},  {"jsonl", TARGET_JSONL, true},
    {"csv", TARGET_CSV, true},    {"html", TARGET_HTML, false},
};

/* One word of the command line: a recording, or a lesson at one of its beats. */
struct source {
    const char *name;
    struct trace *trace; /* NULL for a lesson */
    const struct lesson *lesson;
    struct lesson *opened;
    struct course_recordings recordings;
    struct player player;
};

struct job {
    const struct options *options;
    const char *path;
    size_t target; /* index of its row in targets */
    struct paper_options opts;
    struct source *sources;
    size_t count;
};

static bool given(const struct options *options, int id) {
    return options->given & OPTION_BIT(id);
}

/* ---- the requested files ---- */

static int find_target(const char *path, size_t *row, struct error *err) {
    const char *suffix = strrchr(file_base_name(path), '.');
    for (*row = 0; suffix && *row < sizeof targets / sizeof *targets; ++*row)
        if (strcmp(suffix + 1, targets[*row].suffix) == 0)
            return 0;
    return error_set(
        err, ERROR_USAGE,
        _("%s: the extension chooses the format, and this extension is not known\nallowed: .html "
          ".svg .tex .md .cast .json .jsonl .csv\ntry: -o figure.svg"),
        utf8_name(path));
}

/* Refuses options that mean nothing for this kind of file. */
static int check_options(const struct job *job, struct error *err) {
    const enum target target = targets[job->target].target;
    const option_set picture = OPTION_BIT(OPTION_VIEW) | OPTION_BIT(OPTION_LANE) |
                               OPTION_BIT(OPTION_SIZE) | OPTION_BIT(OPTION_LIGHT) |
                               OPTION_BIT(OPTION_MONO) | OPTION_BIT(OPTION_BACKGROUND);
    const option_set still = OPTION_BIT(OPTION_PHASE) | OPTION_BIT(OPTION_K);
    option_set allowed = OPTION_BIT(LAUNCH_OUTPUT) | OPTION_BIT(OPTION_LANG) |
                         OPTION_BIT(OPTION_TRUST) | OPTION_BIT(OPTION_NO_SANDBOX);
    switch (target) {
    case TARGET_SVG:
        allowed |= OPTION_BIT(OPTION_ANIMATE); /* fall through */
    case TARGET_TEX:
        allowed |= picture | still | OPTION_BIT(OPTION_STEP) | OPTION_BIT(OPTION_BEAT);
        break;
    case TARGET_CAST:
        allowed |= picture | OPTION_BIT(OPTION_STEP) | OPTION_BIT(OPTION_BEAT);
        break;
    case TARGET_MD:
        allowed |= OPTION_BIT(OPTION_STEP) | OPTION_BIT(OPTION_ANSWERS);
        break;
    default:
        break;
    }
    if (given(job->options, OPTION_ANIMATE) && (job->options->given & still))
        return error_set(err, ERROR_USAGE,
                         _("--animate shows all phases, or all k, but --phase and --k select a "
                           "single phase or k\ntry: without --animate"));
    for (int id = 0; id < OPTION_COUNT; id++)
        if (job->options->given & ~allowed & OPTION_BIT(id))
            return error_set(err, ERROR_USAGE,
                             _("--%s means nothing for a .%s file\ntry: without this option"),
                             option_at(id)->name, targets[job->target].suffix);
    return 0;
}

static struct paper_options options_of(const struct options *options, enum target target) {
    const struct export_options *export = &options->export;
    const bool film = target == TARGET_CAST;
    const bool dark =
        options->background == BACKGROUND_DARK || (film && options->background != BACKGROUND_LIGHT);
    return (struct paper_options){
        .view = export->view ? (enum view_kind)(export->view - 1) : VIEW_KIND_COUNT,
        .has_matrices = export->view > VIEW_KIND_COUNT,
        .k = given(options, OPTION_K) ? (int)export->k : -1,
        .phase = export->phase ? (enum phase)(export->phase - 1) : PHASE_COUNT,
        .lane = given(options, OPTION_LANE) ? (int)export->lane : -1,
        .has_steps = given(options, OPTION_STEP),
        .first_step = export->first_step,
        .last_step = export->last_step,
        .columns = export->columns,
        .rows = export->rows,
        .look = {.light = export->light || !dark,
                 .mono = export->mono,
                 .marks_lane = given(options, OPTION_LANE)},
    };
}

/* ---- the subject ---- */

/* Anything that can be a recording is taken as one: an existing file, "-", or a built-in name. */
static bool is_recording(const char *name) {
    struct stat status;
    const char *suffix = strrchr(name, '.');
    if (strcmp(name, "-") == 0 || recording_find(name))
        return true;
    return stat(name, &status) == 0 && !S_ISDIR(status.st_mode) &&
           !(suffix && strcmp(suffix, ".md") == 0);
}

static int unknown_source(const char *name, struct error *err) {
    return error_set(
        err, ERROR_USAGE,
        _("%s: no file, recording or lesson of that name\nallowed: a recording that -o saved; a "
          "recording that shflviz replay lists; a lesson that shflviz lesson lists; - for standard "
          "input\ntry: shflviz xor --mask 3 -o xor.svt && shflviz export xor.svt -o xor.svg"),
        utf8_name(name));
}

/* The last phase of the beat or, if the beat only begins an operation, the last phase of that
 * operation, since a requested view shows the operation. */
static enum phase figure_phase(const struct lesson *lesson, size_t beat) {
    const enum phase last = scene_phase_last(&lesson->beats[beat].show);
    return last > PHASE_BEFORE ? last : PHASE_AFTER;
}

static int open_lesson(struct source *source, const struct options *options, struct error *err) {
    const struct course_terms terms = user_command_terms(options);
    const char *beat = options->text[OPTION_BEAT];
    const char *name = source->name;
    size_t at = 0;
    if (!strpbrk(name, "/.") && !lesson_built_in_find(name) && access(name, F_OK) != 0)
        return unknown_source(name, err);
    if (course_find(name, &source->lesson, &source->opened, err) != 0)
        return -1;
    if (beat && !player_find_beat(source->lesson, beat, &at))
        return error_set(err, ERROR_USAGE, _("--beat: '%s': %s has parts 1 to %zu"),
                         utf8_name(beat), source->lesson->name, source->lesson->beat_count);
    if (course_record(source->lesson, &terms, &source->recordings, err) != 0 ||
        player_init(&source->player, source->lesson, source->recordings.traces, message_language(),
                    NULL, err) != 0) {
        course_release(&source->recordings);
        lesson_free(source->opened);
        source->lesson = NULL;
        return -1;
    }
    player_go(&source->player, at);
    if (given(options, OPTION_VIEW) &&
        !given(options, OPTION_PHASE)) /* up to the end of the beat */
        replay_set_phase(&source->player.replay, figure_phase(source->lesson, at));
    return 0;
}

static void source_release(struct source *source) {
    trace_close(source->trace);
    if (!source->lesson)
        return;
    player_release(&source->player);
    course_release(&source->recordings);
    lesson_free(source->opened);
}

static int open_source(struct job *job, struct source *source, struct error *err) {
    const struct options *options = job->options;
    if (is_recording(source->name)) {
        if (given(options, OPTION_BEAT) || given(options, OPTION_ANSWERS))
            return error_set(err, ERROR_USAGE, _("%s: a recording has no parts and no questions"),
                             utf8_name(source->name));
        return recording_or_file_open(source->name, &source->trace, err);
    }
    if (targets[job->target].of_one)
        return error_set(err, ERROR_USAGE,
                         _("%s: this is a lesson, but a .%s file is made from a recording\nallowed "
                           "for a lesson: .html .svg .tex .md .cast"),
                         utf8_name(source->name), targets[job->target].suffix);
    if (given(options, OPTION_STEP) || given(options, OPTION_ANIMATE))
        return error_set(err, ERROR_USAGE,
                         _("%s: a lesson has parts instead of steps\ntry: --beat 1"),
                         utf8_name(source->name));
    return open_lesson(source, options, err);
}

static int open_sources(struct job *job, struct error *err) {
    const struct options *options = job->options;
    if (targets[job->target].of_one && options->operand_count > 1)
        return error_set(err, ERROR_USAGE, _(".%s takes one recording; %d are named"),
                         targets[job->target].suffix, options->operand_count);
    if (given(options, OPTION_ANIMATE) && options->operand_count > 1)
        return error_set(err, ERROR_USAGE, _("--animate takes one recording; %d are named"),
                         options->operand_count);
    for (int i = 0; i < options->operand_count; i++) {
        job->sources[i].name = options->operands[i];
        job->count++;
        if (open_source(job, &job->sources[i], err) != 0)
            return -1;
    }
    return 0;
}

/* ---- writing it ---- */

static const char *title_of(const struct job *job) {
    const struct source *first = &job->sources[0];
    return first->trace ? paper_title(first->trace)
                        : lesson_title(first->lesson, first->player.language);
}

static int write_figure(FILE *out, const struct job *job, struct error *err) {
    struct drawing drawing = {0};
    int status = 0;
    for (size_t i = 0; status == 0 && i < job->count; i++)
        status = job->sources[i].trace
                     ? paper_draw(&drawing, job->sources[i].trace, &job->opts, err)
                     : paper_draw_player(&drawing, &job->sources[i].player, &job->opts, err);
    if (status == 0 && targets[job->target].target == TARGET_TEX)
        tikz_write(out, &drawing, &job->opts.look, title_of(job));
    else if (status == 0)
        svg_write(out, &drawing, &job->opts.look, title_of(job));
    drawing_release(&drawing);
    return status;
}

static int write_film(FILE *out, const struct job *job, struct error *err) {
    struct cast cast;
    int status = 0;
    cast_begin(&cast, out, &job->opts, title_of(job));
    for (size_t i = 0; status == 0 && i < job->count; i++)
        if (job->sources[i].trace)
            status = cast_recording(&cast, job->sources[i].trace, err);
        else
            cast_lesson(&cast, &job->sources[i].player);
    cast_end(&cast);
    return status;
}

static int write_markdown(FILE *out, const struct job *job, struct error *err) {
    int status = 0;
    for (size_t i = 0; status == 0 && i < job->count; i++) {
        const struct source *source = &job->sources[i];
        status = source->trace ? paper_markdown(out, source->trace, &job->opts,
                                                paper_title(source->trace), err)
                               : worksheet_write(out, source->lesson, source->recordings.traces,
                                                 message_language(),
                                                 given(job->options, OPTION_ANSWERS), false, err);
    }
    return status;
}

static int write_page(FILE *out, const struct job *job, struct error *err) {
    const struct options *options = job->options;
    const struct course_terms terms = user_command_terms(options);
    return export_page(out, options->operands, options->operand_count, &terms, err);
}

static int write_target(FILE *out, const struct job *job, struct error *err) {
    const struct trace *trace = job->sources[0].trace;
    switch (targets[job->target].target) {
    case TARGET_SVG:
        if (job->options->export.animate)
            return paper_animate(out, trace, &job->opts, title_of(job), err);
        return write_figure(out, job, err);
    case TARGET_TEX:
        return write_figure(out, job, err);
    case TARGET_MD:
        return write_markdown(out, job, err);
    case TARGET_CAST:
        return write_film(out, job, err);
    case TARGET_JSON:
        return export_json(out, trace, EXPORT_ALL, err);
    case TARGET_JSONL:
        return export_jsonl(out, trace, EXPORT_ALL, err);
    case TARGET_CSV:
        return export_csv(out, trace, EXPORT_ALL, err);
    case TARGET_HTML:
        return write_page(out, job, err);
    }
    return 0;
}

static int cannot_write(const char *path, struct error *err) {
    return error_set_errno(err, ERROR_USAGE, errno, _("%s: cannot be written"), utf8_name(path));
}

/* Writes to a file beside the final one, so that an old file is kept until everything is
 * written. */
static int write_beside(const struct job *job, struct error *err) {
    struct file_beside beside;
    const mode_t mask = umask(0);
    umask(mask);
    FILE *out = file_beside_open(&beside, job->path);
    int status = out ? write_target(out, job, err) : cannot_write(job->path, err);
    if (out && (fchmod(fileno(out), 0666 & ~mask) != 0 || fflush(out) != 0 || ferror(out)) &&
        status == 0)
        status = cannot_write(job->path, err);
    if (out && fclose(out) != 0 && status == 0)
        status = cannot_write(job->path, err);
    if (status == 0 && file_beside_commit(&beside, job->path) != 0)
        status = cannot_write(job->path, err);
    file_beside_release(&beside, status == 0);
    return status;
}

/* A device or a pipe cannot be replaced. */
static int write_in_place(const struct job *job, struct error *err) {
    FILE *out = fopen(job->path, "we");
    if (!out)
        return cannot_write(job->path, err);
    int status = write_target(out, job, err);
    if (fclose(out) != 0 && status == 0)
        status = cannot_write(job->path, err);
    return status;
}

static int write_file(const struct job *job, struct error *err) {
    struct stat there;
    const bool through = stat(job->path, &there) == 0 && !S_ISREG(there.st_mode);
    progress_line_begin(_("writing"));
    const int status = through ? write_in_place(job, err) : write_beside(job, err);
    progress_line_end();
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct job job = {.options = options, .path = options->text[LAUNCH_OUTPUT]};
    job.sources = memory_zeroed((size_t)options->operand_count + 1, sizeof job.sources[0]);
    int status = find_target(job.path, &job.target, err);
    if (status == 0)
        status = check_options(&job, err);
    if (status == 0) {
        job.opts = options_of(options, targets[job.target].target);
        if (targets[job.target].target != TARGET_HTML) /* export_page() opens its sources itself */
            status = open_sources(&job, err);
    }
    if (status == 0)
        status = write_file(&job, err);
    for (size_t i = 0; i < job.count; i++)
        source_release(&job.sources[i]);
    free(job.sources);
    return status == 0 ? 0 : error_prefix(err, "%s", command->name);
}

const struct command command_export = {
    .name = "export",
    .summary = N_("pages for browsers, figures for papers, films, tables: HTML, SVG, LaTeX, JSON"),
    .about =
        N_("Writes recordings and lessons as files. The file's extension determines the format: "
           ".svg and .tex (TikZ) are figures that print well, .cast is a film for asciinema, .md "
           "is a document or a lesson's worksheet; .json, .jsonl and .csv are data. Undefined "
           "values are \"?\" everywhere except in the data, where they are null. .html is shflviz "
           "itself for a browser, in one file that needs no network and contains the recordings "
           "and lessons that you name, or all lessons if you name course."),
    .operand = "SOURCE...",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_LESSONS | OPERAND_FILES,
    .operands_needed = 1,
    .operands_most = INT_MAX,
    .options = OPTION_BIT(LAUNCH_OUTPUT) | OPTION_BIT(OPTION_VIEW) | OPTION_BIT(OPTION_PHASE) |
               OPTION_BIT(OPTION_K) | OPTION_BIT(OPTION_LANE) | OPTION_BIT(OPTION_STEP) |
               OPTION_BIT(OPTION_BEAT) | OPTION_BIT(OPTION_SIZE) | OPTION_BIT(OPTION_LIGHT) |
               OPTION_BIT(OPTION_BACKGROUND) | OPTION_BIT(OPTION_MONO) |
               OPTION_BIT(OPTION_ANIMATE) | OPTION_BIT(OPTION_ANSWERS) | OPTION_BIT(OPTION_TRUST) |
               OPTION_BIT(OPTION_NO_SANDBOX),
    .required = OPTION_BIT(LAUNCH_OUTPUT),
    .examples = {"export h200/xor -o xor.svg --view wires", "export xor -o xor.svg --beat 2",
                 "export reduce.svt -o reduce.tex --view rounds --mono",
                 "export h200/xor -o xor.svg --animate"},
    .run = run,
};
