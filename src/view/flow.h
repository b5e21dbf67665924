/*
 * flow.h - text in lines: paragraphs of a lesson's prose, wrapped into a column, drawn or only
 * counted. For src/view alone.
 */
#ifndef SHFLVIZ_VIEW_FLOW_H
#define SHFLVIZ_VIEW_FLOW_H

#include "teach/prose.h"
#include "view/grid.h"

#include <stdbool.h>

struct flow {
    struct area area; /* where it is drawn; its columns are the measure */
    int skip;         /* lines scrolled out at the top */
    int line;         /* lines laid out so far */
    bool draw;        /* false: only count */
    int indent;       /* cells left out at the left of every line */
    bool centered;    /* each line in the middle of the area */
    uint8_t flags;    /* added to every glyph's style: STYLE_BOLD in a presentation */
};

/* A string, broken where it may be; lines after the first begin at `indent`. */
void flow_text(struct flow *flow, const char *text, int indent, struct style style);
/* A sign of one or two cells in the margin of the line that comes next. */
void flow_sign(const struct flow *flow, uint32_t sign, struct style style);
/* The same behind a sign of one or two cells in the margin of the first line. */
void flow_signed(struct flow *flow, uint32_t sign, struct style sign_style, const char *text,
                 struct style style);
/* A paragraph; a list item behind its bullet. */
void flow_paragraph(struct flow *flow, const struct paragraph *paragraph, struct style style);
/* All paragraphs, `gap` blank lines between them; items of one list stand together. */
void flow_prose(struct flow *flow, const struct prose *prose, int gap, struct style style);
/* What is being typed behind a prompt's sign, with a cursor; where nothing is, what may be. */
void flow_input(struct flow *flow, const char *typed, const char *help);
void flow_blank(struct flow *flow, int lines);

#endif
