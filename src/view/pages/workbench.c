/*
 * An exercise, and the replay of its failure. The task comes first; if there is room, the learner's
 * code and its error are beside it, else below:
 *
 *     Sum of a partial warp                                  partial-sum.cu   ✗ not yet
 *     ─ Task ─────────────────────────┬─ Your code ────────────────────────────────────
 *     the task, the hints             │  1  __device__ int partial_sum(int value, int n)
 *     that are open                   ├─ What is wrong ────────────────────────────────
 *                                     │ Wrong: n = 20: lane 0 of warp 0 ...
 *     keys
 *
 * Once it has passed, the lesson learned comes first.
 */
#include "view/view.h"

#include "base/message.h"
#include "base/text.h"
#include "view/flow.h"
#include "view/moment.h"

#include <string.h>

#define TAB_STOP 4

static const char *state_words(enum workbench_state state) {
    switch (state) {
    case WORKBENCH_NO_FILE:
        return N_("no file yet");
    case WORKBENCH_BUILDING:
        return N_("building and running ...");
    case WORKBENCH_FAILED:
        return N_("not yet");
    case WORKBENCH_PASSED:
        break;
    }
    return N_("passed");
}

static void draw_head(struct area area, const struct workbench *bench) {
    const bool passed = bench->state == WORKBENCH_PASSED, failed = bench->state == WORKBENCH_FAILED;
    const struct style style = style_bold(passed ? STYLE_GOOD : failed ? STYLE_BAD : STYLE_ACTIVE);
    int end = draw_right_aligned(area, area.columns - 1, 0, _(state_words(bench->state)), style);
    if (passed || failed)
        area_glyph(area, end - 2, 0, passed ? 0x2713 : 0x2717, style);
    if (bench->state == WORKBENCH_BUILDING && end > area.columns - 1 - WORKBENCH_STATE_COLUMNS)
        end = area.columns - 1 - WORKBENCH_STATE_COLUMNS;
    end = draw_right_aligned(area, end - 4, 0, bench->file, style_role(STYLE_CODE));
    area_text_clipped(area, 1, 0, end - 3, bench->title, style_bold(STYLE_TITLE));
}

/* True for a compiler's "   | ~~~^~~" below a line of code. */
static bool is_caret_line(const char *line, size_t length) {
    return memchr(line, '^', length) && strspn(line, " |^~") >= length;
}

/* Appends the part of a line that is in view, with `cut` in place of a character at a cut end. */
static void append_window(struct text *text, const char *line, size_t length, size_t from,
                          size_t columns, const char *cut) {
    const size_t end = from + columns < length ? from + columns : length;
    const size_t first = from + (from > 0), last = end - (end < length);
    if (from >= end)
        return;
    text_append(text, from > 0 ? cut : "");
    text_append_bytes(text, line + first, last > first ? last - first : 0);
    text_append(text, end < length ? cut : "");
}

static bool is_ascii(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] >= 0x80)
            return false;
    return true;
}

/* Draws a line of code and the line below it whose caret points into it. If the code were wrapped,
 * the caret would point elsewhere, so both are cut alike, around the caret. Returns the text after
 * them, or NULL if the text does not begin with such a pair, or if the pair fits. */
static const char *flow_caret_lines(struct flow *flow, const char *text, struct style style) {
    const size_t columns = (size_t)flow->area.columns, length = strcspn(text, "\n");
    const char *below = text + length + (text[length] == '\n');
    const size_t width = strcspn(below, "\n"), caret = strcspn(below, "^\n");
    if (length <= columns || !is_caret_line(below, width) || !is_ascii(text, length))
        return NULL;
    const size_t middle = columns / 2, from = caret > middle ? caret - middle : 0;
    struct text code = TEXT_INIT, sign = TEXT_INIT;
    append_window(&code, text, length, from, columns, "…");
    append_window(&sign, below, width, from, columns, " ");
    flow_text(flow, code.data, 0, style);
    flow_text(flow, sign.data, 0, style);
    text_release(&code);
    text_release(&sign);
    return below + width + (below[width] == '\n');
}

static void flow_lines(struct flow *flow, const char *text, struct style style) {
    while (*text) {
        struct text line = TEXT_INIT;
        const size_t length = strcspn(text, "\n");
        const char *after = flow_caret_lines(flow, text, style);
        if (after) {
            text = after;
            continue;
        }
        text_append_bytes(&line, text, length);
        if (length)
            flow_text(flow, line.data, 4, style);
        else
            flow_blank(flow, 1);
        text_release(&line);
        text += length + (text[length] == '\n');
    }
}

static void flow_markdown(struct flow *flow, const char *markdown) {
    struct prose prose;
    prose_make(&prose, markdown, NULL, NULL, NULL);
    flow_prose(flow, &prose, 1, style_role(STYLE_PLAIN));
    prose_release(&prose);
}

static void flow_heading(struct flow *flow, const char *heading) {
    flow_blank(flow, flow->line > 0);
    flow_text(flow, heading, 0, style_role(STYLE_LABEL));
}

/* ---- the parts ---- */

static const char *code_of(const struct workbench *bench) {
    return bench->code ? bench->code : "";
}

static void flow_task(struct flow *flow, const void *context) {
    const struct workbench *bench = context;
    flow_markdown(flow, bench->task);
    if (bench->place && bench->state != WORKBENCH_PASSED) {
        struct text place = TEXT_INIT;
        text_append_format(&place, _("Your file: %s (%s opens it)"), utf8_name(bench->place),
                           action_key(ACTION_MODE_EXERCISE, ACTION_EDIT));
        flow_blank(flow, 1);
        flow_text(flow, place.data, 0, style_role(STYLE_DIM));
        text_release(&place);
    }
    for (size_t i = 0; i < bench->hints_open; i++) {
        char heading[64];
        utf8_format(heading, sizeof heading, _("Hint %zu of %zu"), i + 1, bench->hint_count);
        flow_heading(flow, heading);
        flow_markdown(flow, bench->hints[i]);
    }
}

static void flow_code(struct flow *flow, const void *context) {
    const struct workbench *bench = context;
    const char *text = code_of(bench);
    for (int line = 1; *text; line++) {
        struct text numbered = TEXT_INIT;
        const size_t length = strcspn(text, "\n");
        const bool wrong = line == bench->wrong_line;
        text_append_format(&numbered, "%3d  ", line);
        for (size_t i = 0, column = 0; i < length; i++) {
            const size_t blanks = text[i] == '\t' ? TAB_STOP - column % TAB_STOP : 0;
            text_append_format(&numbered, "%*s", (int)blanks, "");
            text_append_bytes(&numbered, text + i, blanks ? 0 : 1);
            column += blanks ? blanks : 1;
        }
        flow_text(flow, numbered.data, 9, wrong ? style_bold(STYLE_BAD) : style_role(STYLE_CODE));
        text_release(&numbered);
        text += length + (text[length] == '\n');
    }
}

static void flow_solution(struct flow *flow, const char *counted, const char *title,
                          unsigned operations, const char *code) {
    char heading[128];
    utf8_format(heading, sizeof heading, counted, operations);
    flow_heading(flow, operations ? heading : title);
    flow_lines(flow, code, style_role(STYLE_CODE));
}

static void flow_solutions(struct flow *flow, const struct workbench *bench) {
    char yours[96];
    utf8_format(yours, sizeof yours, _("Yours uses at most %u warp operations."),
                bench->operations);
    if (bench->operations) {
        flow_blank(flow, 1);
        flow_text(flow, yours, 0, style_role(STYLE_PLAIN));
    }
    flow_solution(flow, _("A solution: %u operations"), _("A solution"), bench->solution_operations,
                  bench->solution);
    if (bench->other_solution)
        flow_solution(flow, _("Another: %u operations"), _("Another"), bench->other_operations,
                      bench->other_solution);
}

static void flow_passed(struct flow *flow, const struct workbench *bench) {
    flow_lines(flow, bench->verdict, style_role(STYLE_GOOD));
    if (bench->after) {
        flow_heading(flow, _("What you have learned"));
        flow_markdown(flow, bench->after);
    }
    if (bench->other) {
        flow_heading(flow, _("What others do instead"));
        flow_markdown(flow, bench->other);
    }
    if (bench->solution_open) {
        flow_solutions(flow, bench);
    } else {
        flow_blank(flow, 1);
        flow_text(flow, _("s shows a solution and all operation counts."), 0,
                  style_role(STYLE_DIM));
    }
    if (bench->ending) {
        flow_blank(flow, 1);
        flow_text(flow, bench->ending, 0, style_role(STYLE_GOOD));
    }
    if (bench->next) {
        char next[256];
        utf8_format(next, sizeof next, _("%s opens the next exercise: %s"),
                    action_key(ACTION_MODE_EXERCISE, ACTION_LESSON_NEXT), bench->next);
        flow_blank(flow, 1);
        flow_text(flow, next, 0, style_role(STYLE_KEY));
    }
}

static void flow_verdict(struct flow *flow, const void *context) {
    const struct workbench *bench = context;
    if (bench->state == WORKBENCH_PASSED)
        flow_passed(flow, bench);
    else
        flow_lines(flow, bench->verdict, style_role(STYLE_PLAIN));
}

/* Draws everything in one column, the most urgent part first. */
static void bench_flow(struct flow *flow, const void *context) {
    const struct workbench *bench = context;
    const bool passed = bench->state == WORKBENCH_PASSED;
    if (passed) {
        flow_passed(flow, bench);
        flow_heading(flow, _("The task"));
    }
    flow_task(flow, bench);
    if (*bench->verdict && !passed) {
        flow_heading(flow, _("What is wrong"));
        flow_verdict(flow, bench);
    }
    if (*code_of(bench)) {
        flow_heading(flow, _("Your code"));
        flow_code(flow, bench);
    }
}

/* Draws the keys of the actions that are possible now. Other keys, when pressed, report why they
 * cannot be used. */
static void draw_bench_keys(struct area foot, const struct workbench *bench) {
    enum action idle[4];
    size_t count = 0;
    if (bench->state != WORKBENCH_FAILED || !bench->can_look)
        idle[count++] = ACTION_CONTINUE;
    if (bench->state != WORKBENCH_PASSED)
        idle[count++] = ACTION_REVEAL;
    if (bench->state != WORKBENCH_PASSED || !bench->next)
        idle[count++] = ACTION_LESSON_NEXT;
    if (bench->hints_open == bench->hint_count)
        idle[count++] = ACTION_HINT;
    draw_keys_except(foot, ACTION_MODE_EXERCISE, NULL, idle, count);
}

/* The area between the title with its rule and the foot. */
static struct area body_of(struct area area) {
    return area_within(area, 1, 2, area.columns - 1, area.rows - 3);
}

/* A text that does not fit is scrolled, with a hint in the last column. */
static void draw_scrolled(struct area area, int scroll,
                          void (*put)(struct flow *flow, const void *context),
                          const void *context) {
    const struct area body = area_within(area, 0, 0, area.columns - 1, area.rows);
    struct flow counted = {.area = body};
    put(&counted, context);
    const int most = counted.line > body.rows ? counted.line - body.rows : 0;
    struct flow flow = {.area = body, .skip = scroll < most ? scroll : most, .draw = true};
    put(&flow, context);
    if (flow.skip > 0)
        area_glyph(area, body.columns, 0, 0x2191, style_role(STYLE_KEY));
    if (flow.skip < most)
        area_glyph(area, body.columns, body.rows - 1, 0x2193, style_role(STYLE_KEY));
}

/* Draws "─ Task ──────" over the area's whole first row. */
static void draw_part(struct area area, const char *title, int scroll,
                      void (*put)(struct flow *flow, const void *context), const void *context) {
    draw_rule(row_of(area, 0), 0);
    int x = area_glyph(area, 1, 0, ' ', style_role(STYLE_DIM));
    x = area_text(area, x, 0, title, style_role(STYLE_LABEL));
    area_glyph(area, x, 0, ' ', style_role(STYLE_DIM));
    draw_scrolled(area_within(area, 1, 1, area.columns - 1, area.rows - 1), scroll, put, context);
}

#define BESIDE_COLUMNS 100 /* from this width on, the code is beside the task */

/* The code gets the rows it needs, up to those that the verdict leaves or a third of all, whichever
 * is more. */
static int code_rows(const struct workbench *bench, int columns, int rows) {
    struct flow code = {.area = {.columns = columns}}, verdict = code;
    flow_code(&code, bench);
    flow_verdict(&verdict, bench);
    if (!*bench->verdict)
        return rows;
    const int left = rows - (verdict.line + 1), least = rows / 3;
    const int most = left > least ? left : least;
    return code.line + 1 < most ? code.line + 1 : most;
}

static void draw_parts(struct area area, const struct workbench *bench) {
    const int left = area.columns * 2 / 5, right = area.columns - left - 1;
    const struct area beside = area_within(area, left + 1, 0, right, area.rows);
    const int above = code_rows(bench, right - 2, area.rows);
    draw_part(area_within(area, 0, 0, left, area.rows), _("Task"), bench->scroll, flow_task, bench);
    draw_divider(area, left);
    draw_part(area_within(beside, 0, 0, right, above), _("Your code"), bench->scroll, flow_code,
              bench);
    if (above < area.rows)
        draw_part(area_within(beside, 0, above, right, area.rows - above),
                  bench->state == WORKBENCH_PASSED ? _("Passed") : _("What is wrong"),
                  bench->scroll, flow_verdict, bench);
}

void view_draw_workbench(struct grid *grid, const struct workbench *bench) {
    struct area area = grid_area(grid);
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, bench->help, ACTION_MODE_EXERCISE))
        return;
    draw_head(area, bench);
    if (area.columns >= BESIDE_COLUMNS && *code_of(bench)) {
        draw_parts(area_within(area, 0, 1, area.columns, area.rows - 2), bench);
    } else {
        draw_rule(area, 1);
        draw_scrolled(body_of(area), bench->scroll, bench_flow, bench);
    }
    struct area foot = area_within(area, 0, area.rows - 1, area.columns, 1);
    if (bench->message[0])
        area_text_clipped(foot, 1, 0, foot.columns - 2, bench->message, style_role(STYLE_KEY));
    else
        draw_bench_keys(foot, bench);
}

static void faults_flow(struct flow *flow, const void *faults) {
    flow_lines(flow, faults, style_role(STYLE_PLAIN));
}

void view_draw_faults(struct grid *grid, const char *path, const char *faults, size_t count,
                      bool playable, int scroll) {
    struct area area = grid_area(grid);
    char line[160];
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, false, ACTION_MODE_LESSON))
        return;
    utf8_format(line, sizeof line,
                message_plural("%s: %zu problem to fix", "%s: %zu problems to fix", count), path,
                count);
    area_text_clipped(area, 1, 0, area.columns - 2, line, style_bold(STYLE_BAD));
    draw_scrolled(body_of(area), scroll, faults_flow, faults);
    area_text_clipped(
        row_of(area, area.rows - 1), 1, 0, area.columns - 2,
        playable ? _("Save the file to reload it; Enter opens it as is; J and K scroll, q leaves")
                 : _("Save the file to reload it; J and K scroll, q leaves"),
        style_role(STYLE_KEY));
}

void view_draw_wrong(struct grid *grid, const struct replay *replay, const char *what) {
    struct grid below;
    if (grid->rows <= VIEW_MIN_ROWS) {
        view_draw(grid, replay);
        return;
    }
    grid_init(&below, grid->columns, grid->rows - 1, grid->ascii);
    below.letters = grid->letters;
    view_draw(&below, replay);
    memcpy(grid->cells + grid->columns, below.cells,
           (size_t)below.rows * (size_t)below.columns * sizeof *grid->cells);
    grid->failed_to_fit = below.failed_to_fit;
    grid_release(&below);
    area_text_clipped(grid_area(grid), 1, 0, grid->columns - 2, what, style_bold(STYLE_BAD));
}
