/*
 * A table of placeholders, each with a function that looks up its value in the recording: a
 * lesson's values are right because nobody types them.
 */
#include "teach/scene.h"

#include "base/message.h"
#include "base/text/suggest.h"
#include "base/unused.h"
#include "explain/explain.h"
#include "replay/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)REPLAY_HIDES_IN == (int)LESSON_HIDE_IN &&
                   (int)REPLAY_HIDES_READS == (int)LESSON_HIDE_READS &&
                   (int)REPLAY_HIDES_OUT == (int)LESSON_HIDE_OUT &&
                   (int)REPLAY_HIDES_CALL == (int)LESSON_HIDE_CALL,
               "a lesson's hide is a replay's");
_Static_assert((int)REPLAY_MATRIX_LANES == (int)LESSON_MATRIX_LANES &&
                   (int)REPLAY_MATRIX_BANKS == (int)LESSON_MATRIX_BANKS,
               "a lesson's matrix is a replay's");

/* ---- the position ---- */

static enum phase phase_named(const char *name) {
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (strcmp(phase_name((enum phase)phase), name) == 0)
            return (enum phase)phase;
    return PHASE_BEFORE;
}

enum phase scene_phase_first(const struct lesson_show *show) {
    return phase_named(show->phase_first);
}

enum phase scene_phase_last(const struct lesson_show *show) {
    return phase_named(show->phase_last);
}

static enum view_kind view_named(const char *name) {
    for (int view = 0; view < VIEW_KIND_COUNT; view++)
        if (strcmp(view_kind_name((enum view_kind)view), name) == 0)
            return (enum view_kind)view;
    return VIEW_LANES;
}

static int fail_warp(const struct trace *trace, const struct lesson_show *show, struct error *err) {
    if (show->launch >= trace_launch_count(trace))
        return error_set(err, ERROR_USAGE, _("no launch %u: the recording has %zu, counted from 0"),
                         show->launch, trace_launch_count(trace));
    const struct trace_launch *launch = trace_launch(trace, show->launch);
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t threads = trace_block_threads(launch);
    if (show->block >= blocks)
        return error_set(err, ERROR_USAGE,
                         _("no block %" PRIu64 ": the launch has %" PRIu64 ", counted from 0"),
                         show->block, blocks);
    if (show->warp >= (threads + WARP_LANES - 1) / WARP_LANES)
        return error_set(err, ERROR_USAGE, _("no warp %u: a block has %u, counted from 0"),
                         show->warp, (threads + WARP_LANES - 1) / WARP_LANES);
    return error_set(err, ERROR_USAGE, _("warp %u of block %" PRIu64 " has no warp operation"),
                     show->warp, show->block);
}

int scene_open(struct replay *replay, const struct trace *trace, const struct lesson_show *show,
               struct error *err) {
    if (replay_init(replay, trace, err) < 0)
        return -1;
    while (trace_warps_list(trace, TRACE_STEPS_LISTED_FIRST))
        ; /* the recording of a killed run has no index yet */
    struct trace_warp warp;
    if (!cursor_find_warp(trace, show->launch, show->block, show->warp, &warp))
        return fail_warp(trace, show, err);
    uint64_t step = show->step == LESSON_STEP_LAST ? warp.steps - 1 : show->step;
    if (step >= warp.steps)
        return error_set(err, ERROR_USAGE, _("there is no step %" PRIu64 ": the warp has %" PRIu64),
                         step + 1, warp.steps);
    replay_go_position(replay, show->launch, show->block, show->warp, step);
    if (!replay->cursor.has_step)
        return error_set(err, ERROR_USAGE, _("step %" PRIu64 " is damaged: record it again"),
                         step + 1);
    replay_set_view(replay, view_named(show->view));
    replay_set_lane(replay, show->lane);
    replay_set_phase(replay, scene_phase_first(show));
    replay_set_picture(replay, show->hide, show->mark);
    replay_set_matrix(replay, show->matrix, (enum replay_matrix)show->matrix_as);
    replay_clear_message(replay);
    return 0;
}

/* ---- placeholders ---- */

static int fail_word(const char *placeholder, const char *word, struct error *err) {
    static const char *const words[] = {"in",     "out",    "source",  "arg",     "group",
                                        "status", "lanes",  "readers", "members", "width",
                                        "device", "kernel", "steps"};
    struct suggestion suggestion = {word, NULL, 0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        suggestion_consider(&suggestion, words[i]);
    if (suggestion.nearest && suggestion.distance > 0)
        return error_set(err, ERROR_USAGE, _("'%.40s' is not a placeholder; did you mean '%s'?"),
                         placeholder, suggestion.nearest);
    return error_set(err, ERROR_USAGE,
                     _("'%.40s' is not a placeholder; allowed: in, out, source, arg, group, status "
                       "and readers with a lane; lanes own, lanes undefined, lanes absent, lanes "
                       "changed; members, width, device, kernel, steps"),
                     placeholder);
}

#define PLACES_ALLOWED _("'@ %s' does not name a step; allowed: @ 5, @ last, @ RUN:5, @ RUN:last")

/* Finds a position other than the beat's: "5", "last", "part", "part:1", "first:last". */
static int find_place(const struct scene *scene, const char *place, struct lesson_show *show,
                      struct error *err) {
    *show = *scene->show;
    if (!*place)
        return 0;
    show->unread &= ~(unsigned)LESSON_UNREAD_STEP;
    const char *step = place, *colon = strchr(place, ':');
    if (colon) {
        const struct lesson *lesson = scene->lesson;
        size_t run, length = (size_t)(colon - place);
        const char *name = strncmp(place, "first:", 6) == 0 ? "" : place;
        length = *name ? length : 0;
        for (run = 0; run < lesson->run_count; run++)
            if (strlen(lesson->runs[run].name) == length &&
                strncmp(lesson->runs[run].name, name, length) == 0)
                break;
        if (run == lesson->run_count)
            return error_set(err, ERROR_USAGE, _("there is no run '%.*s'"), (int)(colon - place),
                             place);
        if (run != show->run || show->unread & LESSON_UNREAD_RUN) {
            show->launch = show->warp = 0;
            show->block = 0;
            show->unread &= ~(unsigned)LESSON_UNREAD_PLACE;
        }
        show->run = run;
        step = colon + 1;
    }
    char *end;
    show->step = LESSON_STEP_LAST;
    if (strcmp(step, "last") == 0)
        return 0;
    unsigned long long number = *step >= '0' && *step <= '9' ? strtoull(step, &end, 10) : 0;
    if (number == 0 || number >= LESSON_STEP_LAST || *end)
        return error_set(err, ERROR_USAGE, PLACES_ALLOWED, place);
    show->step = number - 1;
    return 0;
}

static const struct warp_op_info *op_info(const struct replay *replay) {
    return warp_op_info(replay->cursor.step.operation.op);
}

static int read_lane(const char *text, int *lane, struct error *err) {
    char *end;
    long number = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    if (number < 0 || number >= WARP_LANES || *end)
        return error_set(err, ERROR_USAGE, _("'%s' is not a lane: lanes are 0 to 31"), text);
    *lane = (int)number;
    return 0;
}

static int require_present(const struct replay *replay, int lane, struct error *err) {
    if (replay->cursor.step.operation.present >> lane & 1)
        return 0;
    return error_set(err, ERROR_USAGE, _("lane %d makes no call at this step"), lane);
}

static int lookup_in(const struct replay *replay, int lane, struct text *value, struct error *err) {
    char buffer[WARP_VALUE_TEXT];
    explain_in(&replay->cursor.step.operation, lane, buffer);
    if (!*buffer)
        return error_set(err, ERROR_USAGE, _("%s takes no value"), op_info(replay)->name);
    text_append(value, buffer);
    return 0;
}

static int lookup_out(const struct replay *replay, int lane, struct text *value,
                      struct error *err) {
    char buffer[WARP_VALUE_TEXT];
    if (replay->cursor.outcome[lane].status == LANE_UNDEFINED)
        return error_set(
            err, ERROR_USAGE,
            _("lane %d gets an undefined value at this step: say so, and show no value"), lane);
    if (replay->cursor.disagreement >> lane & 1)
        return error_set(err, ERROR_USAGE,
                         _("the value recorded for lane %d disagrees with the rules"), lane);
    explain_out(&replay->cursor.step.operation, lane, buffer);
    if (!*buffer)
        return error_set(err, ERROR_USAGE, _("%s returns no value"), op_info(replay)->name);
    text_append(value, buffer);
    return 0;
}

static int lookup_source(const struct replay *replay, int lane, struct text *value,
                         struct error *err) {
    if (!op_info(replay)->is_shuffle)
        return error_set(err, ERROR_USAGE, _("%s does not read from one particular lane"),
                         op_info(replay)->name);
    text_append_format(value, "%d", replay->cursor.outcome[lane].address.source);
    return 0;
}

static int lookup_arg(const struct replay *replay, int lane, struct text *value,
                      struct error *err) {
    const struct warp_op_info *info = op_info(replay);
    if (!info->argument)
        return error_set(err, ERROR_USAGE, _("%s has no argument"), info->name);
    text_append_format(value, "%d", replay->cursor.step.operation.arg[lane]);
    return 0;
}

static int lookup_group(const struct replay *replay, int lane, struct text *value,
                        struct error *err) {
    int group = explain_group(&replay->cursor.step.operation, lane);
    if (group < 0 || !op_info(replay)->is_shuffle)
        return error_set(err, ERROR_USAGE, _("lane %d has no group at this step"), lane);
    text_append_char(value, group_letter(group));
    return 0;
}

static int lookup_status(const struct replay *replay, int lane, struct text *value,
                         struct error *err UNUSED) {
    text_append(value, message(lane_status_name(replay->cursor.outcome[lane].status)));
    return 0;
}

static int lookup_set(const struct replay *replay, struct question question, struct text *value,
                      struct error *err) {
    struct answer answer;
    char buffer[WARP_LANES_TEXT];
    if (answer_of(replay_subject(replay), &question, &answer, err) < 0)
        return -1;
    text_append(value, message(warp_lanes_format(answer.lanes, buffer)));
    return 0;
}

static int lookup_width(const struct replay *replay, struct text *value, struct error *err) {
    const struct warp_operation *operation = &replay->cursor.step.operation;
    int32_t width = 0;
    if (!op_info(replay)->is_shuffle)
        return error_set(err, ERROR_USAGE, _("%s has no width"), op_info(replay)->name);
    if (operation->present && !warp_agree(operation->width, operation->present, &width))
        return error_set(err, ERROR_USAGE, _("the lanes pass different widths"));
    text_append_format(value, "%d", width);
    return 0;
}

typedef int lookup_lane(const struct replay *replay, int lane, struct text *value,
                        struct error *err);

static const struct {
    const char *word;
    lookup_lane *look_up;
    bool absent_too; /* has a meaning for a lane that makes no call */
} lane_lookups[] = {
    {"in", lookup_in, false},   {"out", lookup_out, false},    {"source", lookup_source, false},
    {"arg", lookup_arg, false}, {"group", lookup_group, true}, {"status", lookup_status, true},
};

enum question_kind scene_set_kind(const struct placeholder *parts) {
    static const struct {
        const char *word;
        enum question_kind kind;
    } sets[] = {
        {"own", QUESTION_OWN},
        {"undefined", QUESTION_UNDEFINED},
        {"absent", QUESTION_ABSENT},
        {"changed", QUESTION_CHANGED},
    };
    if (strcmp(parts->word, "readers") == 0)
        return QUESTION_READERS;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(parts->word, "lanes") == 0 && strcmp(parts->argument, sets[i].word) == 0)
            return sets[i].kind;
    return QUESTION_NONE;
}

static int lookup_whole(const struct replay *replay, const char *word, struct text *value,
                        struct error *err) {
    const struct trace *trace = replay->cursor.trace;
    if (strcmp(word, "width") == 0)
        return lookup_width(replay, value, err);
    if (strcmp(word, "members") == 0) {
        text_append_format(value, "0x%08x", replay->cursor.step.operation.members);
    } else if (strcmp(word, "steps") == 0) {
        text_append_format(value, "%" PRIu64, replay->cursor.warp.steps);
    } else if (strcmp(word, "kernel") == 0) {
        const struct trace_launch *launch = trace_launch(trace, replay->cursor.step.launch);
        text_append(value, launch ? launch->kernel : "");
    } else {
        const char *name = trace_note(trace, TRACE_NOTE_NAME);
        text_append(value, name ? name : "");
    }
    return 0;
}

static int look_up(const struct replay *replay, const struct placeholder *parts, struct text *value,
                   struct error *err) {
    const int lane = atoi(parts->argument);
    for (size_t i = 0; i < sizeof lane_lookups / sizeof *lane_lookups; i++) {
        if (strcmp(parts->word, lane_lookups[i].word) != 0)
            continue;
        if (!lane_lookups[i].absent_too && require_present(replay, lane, err) < 0)
            return -1;
        return lane_lookups[i].look_up(replay, lane, value, err);
    }
    const struct question set = {.kind = scene_set_kind(parts), .lane = lane};
    return set.kind != QUESTION_NONE ? lookup_set(replay, set, value, err)
                                     : lookup_whole(replay, parts->word, value, err);
}

/* Checks the words of a placeholder, which need no recording. */
static int check_words(const char *placeholder, const struct placeholder *parts,
                       struct error *err) {
    static const char *const wholes[] = {"members", "width", "device", "kernel", "steps"};
    int lane;
    bool of_one = strcmp(parts->word, "readers") == 0;
    for (size_t i = 0; i < sizeof lane_lookups / sizeof *lane_lookups; i++)
        of_one |= strcmp(parts->word, lane_lookups[i].word) == 0;
    if (of_one)
        return read_lane(parts->argument, &lane, err);
    if (scene_set_kind(parts) != QUESTION_NONE)
        return 0;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        if (!*parts->argument && strcmp(parts->word, wholes[i]) == 0)
            return 0;
    return fail_word(placeholder, parts->word, err);
}

int scene_placeholder(const struct scene *scene, const char *text, struct placeholder *parts,
                      struct error *err) {
    char head[64], place[64] = "", rest[2];
    const char *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    *parts = (struct placeholder){0};
    if (length >= sizeof head)
        return fail_word(text, "", err);
    memcpy(head, text, length);
    head[length] = '\0';
    int words = sscanf(head, "%23s %23s %1s", parts->word, parts->argument, rest);
    if (words != 1 && words != 2)
        return fail_word(text, parts->word, err);
    if (check_words(text, parts, err) < 0)
        return -1;
    if (at && sscanf(at + 1, " %63s", place) != 1)
        return error_set(err, ERROR_USAGE, PLACES_ALLOWED, "");
    return find_place(scene, place, &parts->show, err);
}

int scene_lookup(void *context, const char *placeholder, struct text *value, struct error *err) {
    const struct scene *scene = context;
    struct placeholder parts;
    struct replay replay;
    struct error why = ERROR_INIT;
    int status = scene_placeholder(scene, placeholder, &parts, &why);
    if (status == 0 && (!scene->traces[parts.show.run] || parts.show.unread & LESSON_UNREAD_PLACE))
        status = error_set(&why, ERROR_MISSING, _("there is no recording of this run"));
    if (status == 0)
        status = scene_open(&replay, scene->traces[parts.show.run], &parts.show, &why);
    if (status == 0)
        status = look_up(&replay, &parts, value, &why);
    if (status < 0)
        error_set(err, why.kind, "{{%.60s}}: %s", placeholder, why.text);
    return status;
}

/* ---- the command ---- */

char *scene_command(const struct lesson *lesson, const struct lesson_show *show,
                    char buffer[SCENE_COMMAND]) {
    static const char *const shuffles[] = {"idx", "up", "down", "xor"};
    const struct lesson_run *run = &lesson->runs[show->run];
    const char *launch = run->launch ? run->launch : "", *blank = *launch ? " " : "";
    if (!run->kernel) {
        snprintf(buffer, SCENE_COMMAND, "shflviz replay %s", run->trace ? run->trace : "");
        return buffer;
    }
    const char *verb = strchr(run->kernel, '.') ? "run " : "kernel ";
    for (size_t i = 0; i < sizeof shuffles / sizeof *shuffles; i++)
        if (strcmp(run->kernel, shuffles[i]) == 0)
            verb = "";
    snprintf(buffer, SCENE_COMMAND, "shflviz %s%s%s%s", verb, run->kernel, blank, launch);
    return buffer;
}

void scene_append_code(const struct question *question, struct text *markdown) {
    if (!question->code[0])
        return;
    text_append(markdown, "```\n");
    for (size_t i = 0; i < QUESTION_CODES && question->code[i]; i++)
        if (question->kind == QUESTION_WHICH)
            text_append_format(markdown, "%c  %s\n", (char)('a' + i), question->code[i]);
        else
            text_append_format(markdown, "%s\n", question->code[i]);
    text_append(markdown, "```\n");
}
