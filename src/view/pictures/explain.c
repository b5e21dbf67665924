/* The full explanation of the selected lane, and of the operation. */
#include "explain/explain.h"
#include "base/message.h"
#include "explain/findings/failure.h"
#include "view/moment.h"

#include <stdio.h>
#include <string.h>

#define PAGE_ROWS 160

struct page {
    struct area area; /* without the margin */
    int y;
    int rows; /* visible at once */
};

static bool room(const struct page *page) {
    return page->y < page->area.rows;
}

static void write_lines(struct page *page, const char *text, enum style_role role) {
    if (room(page))
        page->y = area_text_wrapped(page->area, page->y, 2, text, style_role(role));
}

static void write_blank(struct page *page) {
    /* Small areas have no blank lines. */
    page->y += page->rows >= 20 && page->y > 0;
}

/* "in   -9223372036854775808   0x8000000000000000" */
static void write_value(struct page *page, const char *label, const char *value, const char *bits,
                        struct style style) {
    if (!room(page) || !*value)
        return;
    struct area area = page->area;
    area_text(area, 0, page->y, label, style_role(STYLE_LABEL));
    int x = area_text_clipped(area, 5, page->y, area.columns - 5, value, style);
    if (*bits && x + 2 + utf8_columns(bits) <= area.columns)
        area_text(area, x + 2, page->y, bits, style_role(STYLE_DIM));
    page->y++;
}

static void write_values(struct page *page, const struct moment *moment, int lane) {
    const struct warp_operation *operation = moment->operation;
    char bits[WARP_VALUE_TEXT] = "";
    if (operation->type == WARP_TYPE_NONE || !moment_present(moment, lane) ||
        moment->hide & REPLAY_HIDES_IN || warp_op_is_access(operation->op))
        return; /* an access has them in its sentence */
    warp_value_format_bits(operation->type, operation->in[lane], bits);
    write_value(page, _("in"), moment->in[lane], bits, moment_lane_style(moment, lane));
    if (!moment_shows_out(moment))
        return;
    bool known = moment->info->is_shuffle && moment->outcome[lane].status != LANE_UNDEFINED;
    warp_value_format_bits(operation->type, operation->out[lane], bits);
    write_value(page, _("out"), moment->out[lane], known ? bits : "",
                moment_out_style(moment, lane));
}

/* The instruction's pseudo-code with this lane's numbers; the range check waits for its phase. */
static void write_ptx(struct page *page, const struct moment *moment, int lane) {
    char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE];
    int count = explain_ptx(moment->operation, &moment->outcome[lane], lane, lines);
    if (count == 0 || !moment_shows_address(moment))
        return;
    /* Folded unless the user asked for the explanation. */
    if (replay_view(moment->replay) != VIEW_EXPLAIN) {
        char folded[96];
        snprintf(folded, sizeof folded, _("%s shows how PTX computes it"), "5");
        write_blank(page);
        write_lines(page, folded, STYLE_DIM);
        return;
    }
    if (moment->phase < PHASE_RANGE)
        count -= 3; /* leaves out p, the final j, and the result */
    write_blank(page);
    write_lines(page, _("as PTX shfl.sync computes it"), STYLE_LABEL);
    for (int i = 0; i < count; i++)
        write_lines(page, lines[i], STYLE_CODE);
}

static void write_status(struct page *page, const struct moment *moment, int lane) {
    const struct lane_outcome *outcome = &moment->outcome[lane];
    if (!moment_shows_reads(moment) || !moment->info->is_shuffle)
        return;
    /* For a defined result the sentence above is complete. */
    if (outcome->status != LANE_UNDEFINED)
        return;
    write_lines(page, _("undefined: no rule says what this lane gets"), STYLE_UNDEFINED);
    if (outcome->reason != LANE_REASON_UNFINISHED &&
        !trace_is_followed(moment->replay->cursor.trace))
        write_lines(page, _("values computed from it are not marked in this recording"), STYLE_DIM);
}

static void write_findings(struct page *page, const struct moment *moment) {
    for (int i = 0; i < moment->finding_count; i++) {
        char text[MOMENT_FINDING_TEXT];
        write_blank(page);
        write_lines(page, moment_finding(moment, &moment->findings[i], text), STYLE_BAD);
    }
}

/* The waiting lanes, where they wait, and for which lanes. */
static void write_failure(struct page *page, const struct moment *moment) {
    struct text text = TEXT_INIT;
    if (moment->picture != PICTURE_STOP)
        return;
    failure_append(&text, moment->replay->cursor.trace);
    if (text.length > 0)
        write_blank(page);
    for (char *rest = text.data, *line; text.length > 0 && (line = strsep(&rest, "\n"));)
        write_lines(page, line, STYLE_PLAIN);
    text_release(&text);
}

/* "0-15,20", "none", "all 32 lanes" */
static const char *lane_list(uint32_t lanes, char buffer[WARP_LANES_TEXT]) {
    return lanes == 0                ? _("none")
           : lanes == WARP_FULL_MASK ? _("all 32 lanes")
                                     : warp_lanes_format(lanes, buffer);
}

/* Returns how many lines it takes. */
static int write_page(struct area area, int rows, const struct moment *moment) {
    struct page page = {area, 0, rows};
    char text[512], members[WARP_LANES_TEXT], callers[WARP_LANES_TEXT];
    int lane = moment->replay->lane;
    moment_sentence(moment, lane, text, sizeof text);
    write_lines(&page, text, STYLE_PLAIN);
    write_status(&page, moment, lane);
    write_values(&page, moment, lane);
    write_findings(&page, moment);
    write_failure(&page, moment);
    write_ptx(&page, moment, lane);
    write_blank(&page);
    if (moment->hide & REPLAY_HIDES_CALL)
        return page.y;
    write_lines(&page, explain_operation(moment->operation, text, sizeof text), STYLE_DIM);
    const char *asked = lane_list(moment->operation->members, members);
    if (warp_op_is_access(moment->operation->op))
        snprintf(text, sizeof text, _("make the access: %s"),
                 lane_list(moment->operation->present, callers));
    else if (moment->hide & REPLAY_HIDES_ABSENT)
        snprintf(text, sizeof text, _("member mask: %s"), asked);
    else
        snprintf(text, sizeof text, _("member mask: %s; calling: %s"), asked,
                 lane_list(moment->operation->present, callers));
    write_lines(&page, text, STYLE_DIM);
    return page.y;
}

/* Draws the text at full length and shows the part that fits; signs mark scrolled-out lines. */
void draw_explain(struct area area, const struct moment *moment) {
    struct grid page;
    struct style key = style_role(STYLE_KEY);
    struct area seen = area_within(area, 1, 0, area.columns - 2, area.rows);
    if (seen.columns < 1 || seen.rows < 1)
        return;
    grid_init(&page, seen.columns, PAGE_ROWS, area.grid->ascii);
    page.letters = area.grid->letters;
    int lines = write_page(grid_area(&page), area.rows, moment);
    int most = lines > seen.rows ? lines - seen.rows : 0;
    int skip = moment->replay->scroll < most ? moment->replay->scroll : most;
    for (int y = 0; y < seen.rows && y + skip < lines; y++)
        for (int x = 0; x < seen.columns; x++)
            *area_cell(seen, x, y) = page.cells[(y + skip) * page.columns + x];
    grid_release(&page);
    if (skip > 0)
        area_text(area, area.columns - 4, 0, " K↑", key);
    if (skip < most)
        area_text(area, area.columns - 4, area.rows - 1, " J↓", key);
}
