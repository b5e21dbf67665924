/* words.c - puts a miscount into a sentence, which begins with the line. */
#include "explain/miscounts/miscounts.h"

#include "base/message.h"
#include "explain/explain.h"

#include <inttypes.h>

const char *miscount_word(enum miscount_kind kind) {
    static const char *const words[MISCOUNT_KINDS] = {
        "overwritten", "undefined",  "absent", "read-twice", "own", "twice",
        "unread",      "not-passed", "early",  "subtracted", "tail"};
    return words[kind];
}

void miscount_append_elements(struct text *text, const struct trace_origins *origins,
                              const struct miscount *miscount, size_t most) {
    size_t parts = 0;
    for (size_t i = 0; i < miscount->count; parts++) {
        size_t last = i;
        while (last + 1 < miscount->count &&
               miscount->elements[last + 1] == miscount->elements[last] + 1)
            last++;
        text_append(text, parts ? _(", ") : "");
        if (parts == most) {
            text_append(text, "...");
            return;
        }
        text_append_format(text, "%s[%" PRIu64, origins->texts[miscount->array],
                           miscount->elements[i]);
        if (last > i)
            text_append_format(text, "..%" PRIu64, miscount->elements[last]);
        text_append_char(text, ']');
        i = last + 1;
    }
    if (miscount->is_partial)
        text_append(text, ", ...");
    if (!miscount->count)
        text_append(text, origins->texts[miscount->array]);
}

/* "lane 5", "warp 1 lane 5", for the middle of a sentence. */
static void append_lane(struct text *text, const struct miscount *m, int lane) {
    if (m->has_warps)
        text_append_format(text, _("block %llu warp %u lane %d"), (unsigned long long)m->block,
                           (unsigned)m->warp, lane);
    else
        text_append_format(text, _("lane %d"), lane);
}

/* The parts that several sentences share. */
struct parts {
    struct text line, elements, lane;
    char lanes[EXPLAIN_LANES_TEXT];
};

static void append_read_twice(struct text *text, const struct miscount *m, const struct parts *p) {
    text_append_format(text, _("%s reads %s a second time, in %s, after lane %d on line %u"),
                       p->line.data, p->elements.data, p->lane.data, m->from, m->other_line);
}

/* Also names a cell that was written, for comparison. */
static void append_undefined(struct text *text, const struct trace_origins *origins,
                             const struct miscount *m, const struct parts *p) {
    text_append_format(text, _("%s reads %s, which nothing has written"), p->line.data,
                       p->elements.data);
    if (m->lane >= 0)
        text_append_format(text, ": %s", p->lane.data);
    if (m->other_line)
        text_append_format(text, _("; line %u writes %s[%llu]"), m->other_line,
                           origins->texts[m->cell], (unsigned long long)m->at);
}

static void append_twice(struct text *text, const struct miscount *m, const struct parts *p) {
    text_append_format(text, _("%s adds %s a second time: "), p->line.data, p->elements.data);
    if (m->kind == MISCOUNT_OWN)
        text_append_format(text, _("%s reads itself"), p->lane.data);
    else if (m->from >= 0)
        text_append_format(text, _("%s reads lane %d, which holds the same data"), p->lane.data,
                           m->from);
    else
        text_append(text, m->lane >= 0 ? p->lane.data : _("already in the sum"));
    if (m->other_line && m->other_line != m->line)
        text_append_format(text, _(" on line %u"), m->other_line);
}

static void append_absent(struct text *text, const struct miscount *m, const struct parts *p) {
    if (!m->other_line)
        text_append_format(text, _("%s is undefined: %s reads lane %d, which takes no part"),
                           p->line.data, p->lane.data, m->from);
    else if (m->count)
        text_append_format(
            text, _("%s loses %s: lane %d ends on that line, and %s reads that lane on line %u"),
            p->line.data, p->elements.data, m->from, p->lane.data, m->other_line);
    else
        text_append_format(text, _("%s is where lane %d ends; %s reads that lane on line %u"),
                           p->line.data, m->from, p->lane.data, m->other_line);
}

static void append_cell(struct text *text, const struct trace_origins *origins,
                        const struct miscount *m, const struct parts *p) {
    const char *cell = origins->texts[m->cell];
    const unsigned long long at = m->at;
    if (m->other_line)
        text_append_format(text, _("%s does not read %s[%llu] after line %u puts %s there"),
                           p->line.data, cell, at, m->other_line, p->elements.data);
    else
        text_append_format(text, _("%s puts %s into %s[%llu], which is not read after that"),
                           p->line.data, p->elements.data, cell, at);
    if (m->lane >= 0)
        text_append_format(text, ": %s", p->lane.data);
}

static void append_lost(struct text *text, const struct miscount *m, const struct parts *p) {
    if (m->kind == MISCOUNT_STAYED)
        text_append_format(text, _("%s never gives %s %s, which stayed in %s"), p->line.data,
                           p->lane.data, p->elements.data, p->lanes);
    else if (m->kind == MISCOUNT_EARLY)
        text_append_format(text, _("%s takes the value of %s before that lane has %s"),
                           p->line.data, p->lane.data, p->elements.data);
    else if (m->from >= 0)
        text_append_format(text,
                           _("%s loses %s, which %s held: that lane takes the value of lane %d"),
                           p->line.data, p->elements.data, p->lane.data, m->from);
    else
        text_append_format(text, _("%s loses %s, which %s held: that lane takes another value"),
                           p->line.data, p->elements.data, p->lane.data);
}

void miscount_append(struct text *text, const struct trace_origins *origins,
                     const struct miscount *m, size_t most) {
    struct parts p = {TEXT_INIT, TEXT_INIT, TEXT_INIT, ""};
    text_append_format(text, "%s[%" PRIu64 "]: ", origins->texts[m->result], m->result_index);
    text_append_format(&p.line, _("line %u"), m->line);
    if (m->loop)
        text_append_format(&p.line, _(", %u× in the loop on line %u,"), m->rounds, m->loop);
    miscount_append_elements(&p.elements, origins, m, most);
    append_lane(&p.lane, m, m->lane);
    explain_lanes(m->lanes, p.lanes);
    switch (m->kind) {
    case MISCOUNT_READ_TWICE:
        append_read_twice(text, m, &p);
        break;
    case MISCOUNT_UNDEFINED:
        append_undefined(text, origins, m, &p);
        break;
    case MISCOUNT_OWN:
    case MISCOUNT_TWICE:
        append_twice(text, m, &p);
        break;
    case MISCOUNT_ABSENT:
        append_absent(text, m, &p);
        break;
    case MISCOUNT_UNREAD_CELL:
        append_cell(text, origins, m, &p);
        break;
    case MISCOUNT_SUBTRACTED:
        text_append_format(text, _("%s subtracts %s: %s"), p.line.data, p.elements.data,
                           p.lane.data);
        break;
    case MISCOUNT_TAIL:
        text_append_format(text, _("%s reads its last element in %s: %s is left out"), p.line.data,
                           p.lane.data, p.elements.data);
        break;
    default:
        append_lost(text, m, &p);
    }
    text_release(&p.line);
    text_release(&p.elements);
    text_release(&p.lane);
}
