/*
 * flow.h - text in lines: paragraphs of a lesson's prose, wrapped into a column, drawn or only
 * counted. For src/view only.
 */
#ifndef SHFLVIZ_VIEW_FLOW_H
#define SHFLVIZ_VIEW_FLOW_H

#include "teach/prose.h"
#include "view/grid.h"

#include <stdbool.h>

struct flow {
    struct area area; /* the area to draw into; its columns are the line width */
    int skip;         /* lines scrolled out at the top */
    int line;         /* lines laid out so far */
    bool draw;        /* false to count only */
    int indent;       /* cells left empty at the left of every line */
    bool centered;    /* each line is centred in the area */
    uint8_t flags;    /* added to every glyph's style: STYLE_BOLD in a presentation */
};

/* A string, broken where possible; lines after the first begin at `indent`. */
void flow_text(struct flow *flow, const char *text, int indent, struct style style);
/* A sign of one or two cells in the margin of the next line. */
void flow_sign(const struct flow *flow, uint32_t sign, struct style style);
/* The same text, with a sign of one or two cells in the margin of the first line. */
void flow_with_sign(struct flow *flow, uint32_t sign, struct style sign_style, const char *text,
                    struct style style);
/* A paragraph, after a bullet if it is a list item. */
void flow_paragraph(struct flow *flow, const struct paragraph *paragraph, struct style style);
/* All paragraphs, with `gap` blank lines between them; items of one list are not separated. */
void flow_prose(struct flow *flow, const struct prose *prose, int gap, struct style style);
/* The typed text after a prompt's sign, with a cursor; if it is empty, a hint. */
void flow_input(struct flow *flow, const char *typed, const char *help);
void flow_blank(struct flow *flow, int lines);

#endif
