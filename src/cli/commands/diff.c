/*
 * shflviz diff. difference.h finds the differences; this file prints them as text or JSON, or shows
 * them on a screen.
 */
#include "base/complaint.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "cli/command.h"
#include "cli/show.h"
#include "explain/explain.h"
#include "explain/findings/difference.h"
#include "launch/recording.h"
#include "replay/pages/comparison.h"
#include "session/screens/comparison_screen.h"

#include <inttypes.h>
#include <stdio.h>

static const char *note(const struct trace *trace, const char *key) {
    const char *value = trace_note(trace, key);
    return value ? value : "?";
}

static void print_recordings(const struct trace *const traces[2], char *const *names,
                             const struct difference *d) {
    for (int i = 0; i < 2; i++) {
        printf("%c  %s: %s, %s, ", 'A' + i, utf8_name(names[i]),
               explain_recording_word(note(traces[i], TRACE_NOTE_NAME)),
               explain_recording_word(note(traces[i], TRACE_NOTE_RECORDED)));
        printf(message_plural("%" PRIu64 " step\n", "%" PRIu64 " steps\n",
                              (unsigned long)d->compared[i]),
               d->compared[i]);
    }
}

/* Prints the first launch whose shape differs: warps with equal numbers then do different work. */
static void print_shapes(const struct trace *const traces[2]) {
    for (uint32_t i = 0;; i++) {
        const struct trace_launch *a = trace_launch(traces[0], i), *b = trace_launch(traces[1], i);
        if (!a || !b)
            return;
        if (memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
            memcmp(a->block, b->block, sizeof a->block) == 0)
            continue;
        printf(_("launch %" PRIu32 ": A runs %s with grid (%u,%u,%u) and block (%u,%u,%u), "
                 "B runs %s with grid (%u,%u,%u) and block (%u,%u,%u)\n"),
               i, a->kernel, a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1],
               a->block[2], b->kernel, b->grid[0], b->grid[1], b->grid[2], b->block[0], b->block[1],
               b->block[2]);
        return;
    }
}

/* Prints the call in one recording, if that recording has the step. */
static void print_call(const struct trace *trace, uint64_t number, char letter) {
    struct trace_step step;
    if (number == UINT64_MAX || trace_step(trace, number, &step, NULL) != 0) {
        printf(_("%c  no such step\n"), letter);
        return;
    }
    const struct trace_site *site = trace_site(trace, step.site);
    printf(_("%c  step %" PRIu64), letter, number);
    if (site)
        printf("  %s:%" PRIu32 "  %s", site->file, site->line, site->text);
    putchar('\n');
}

static void print_lane(const struct trace_step step[2], int lane) {
    char text[WARP_VALUE_TEXT];
    printf("  %4d", lane);
    for (int i = 0; i < 2; i++)
        if (step[i].operation.present >> lane & 1)
            printf("  %11" PRId32, step[i].operation.arg[lane]);
        else
            printf("  %11s", "");
    for (int i = 0; i < 2; i++)
        printf("  %14s", explain_in(&step[i].operation, lane, text));
    for (int i = 0; i < 2; i++)
        printf("  %14s", explain_out(&step[i].operation, lane, text));
    putchar('\n');
}

/* Prints the lanes that differ, side by side. */
static void print_lanes(const struct trace *const traces[2], const struct difference *d) {
    struct trace_step step[2];
    for (int i = 0; i < 2; i++)
        if (trace_step(traces[i], d->step[i], &step[i], NULL) != 0)
            return;
    printf("  %4s  %11s  %11s  %14s  %14s  %14s  %14s\n", _("lane"), "arg A", "arg B", "in A",
           "in B", "out A", "out B");
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (d->lanes & UINT32_C(1) << lane)
            print_lane(step, lane);
}

static void print_difference(const struct trace *const traces[2], const struct difference *d) {
    char words[DIFFERENCE_TEXT];
    const struct trace_launch *launch =
        trace_launch(traces[d->step[0] == UINT64_MAX], d->warp.launch);
    printf(_("\nfirst difference: launch %" PRIu32 " (%s), block %" PRIu64 ", warp %" PRIu32
             ", its operation %" PRIu64 ": %s"),
           d->warp.launch, launch ? launch->kernel : "?", d->warp.block, d->warp.warp,
           d->position + 1, difference_words(traces, d, words));
    putchar('\n');
    for (int i = 0; i < 2; i++)
        print_call(traces[i], d->step[i], (char)('A' + i));
    if (d->parts && d->lanes)
        print_lanes(traces, d);
    printf(message_plural("\n%" PRIu64 " step differs", "\n%" PRIu64 " steps differ",
                          (unsigned long)d->steps),
           d->steps);
    printf(message_plural(", in %" PRIu64 " warp\n", ", in %" PRIu64 " warps\n",
                          (unsigned long)d->warps),
           d->warps);
}

static int compare(const struct trace *const traces[2], char *const *names, struct error *err) {
    struct difference difference;
    progress_line_begin(_("comparing"));
    const int status = difference_find(traces, &difference, err);
    progress_line_end();
    if (status != 0)
        return -1;
    print_recordings(traces, names, &difference);
    print_shapes(traces);
    if (difference.kind == DIFFERENCE_NONE)
        puts(_("\nno difference"));
    else
        print_difference(traces, &difference);
    if (show_finish(err) != 0)
        return -1;
    return difference.kind == DIFFERENCE_NONE ? 0 : error_set_silent(err, ERROR_FOUND);
}

/* Shows the differences on the screen, if there are any. */
static int show(const struct trace *const traces[2], const struct options *options,
                struct error *err) {
    struct comparison comparison;
    const char *names[] = {options->operands[0], options->operands[1]};
    const struct screen_options screen = show_screen_options(options);
    progress_line_begin(_("comparing"));
    int status = comparison_init(&comparison, traces, names, err);
    progress_line_end();
    if (status == 0 && comparison.count == 0)
        status = compare(traces, options->operands, err);
    else if (status == 0 && (status = comparison_screen(&comparison, &screen, err)) == 0)
        status = error_set_silent(err, ERROR_FOUND);
    comparison_release(&comparison);
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct trace *traces[2] = {NULL, NULL};
    struct options resolved = *options;
    if (options->given & OPTION_BIT(OPTION_FORMAT) && options->format != FORMAT_TUI &&
        options->format != FORMAT_TEXT) {
        show_refuse_format(options, _("is not a format for differences"), "tui text", err);
        return error_prefix(err, "%s", command->name);
    }
    int status = show_resolve_format(&resolved, err);
    for (int i = 0; status == 0 && i < 2; i++)
        status = recording_or_file_open(options->operands[i], &traces[i], err);
    const struct trace *const both[] = {traces[0], traces[1]};
    if (status != 0)
        error_prefix(err, "%s", command->name);
    else if (resolved.format == FORMAT_TUI)
        status = show(both, options, err);
    else
        status = compare(both, options->operands, err);
    trace_close(traces[0]);
    trace_close(traces[1]);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .summary = N_("the first step and lane in which two recordings differ; exit 1 if they do"),
    .about = N_("Compares two recordings of the same program, from two devices, two schedules or "
                "two versions. Warps are aligned by launch, block and number, since the order in "
                "which they ran is not guaranteed; a warp's operations are aligned in order. "
                "Values that are undefined in both recordings may differ."),
    .operand = "A B",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_FILES,
    .operands_needed = 2,
    .operands_most = 2,
    .options = OPTIONS_SHOW,
    .examples = {"diff before.svt after.svt", "diff h200/xor mine.svt"},
    .run = run,
};
