/*
 * code.h - a compact encoding of lines and their changes: the only code that writes and reads
 * it. docs/TRACE_FORMAT.md, "Lines", describes it.
 */
#ifndef SHFLVIZ_TRACE_LINES_CODE_H
#define SHFLVIZ_TRACE_LINES_CODE_H

#include "base/text.h"
#include "trace/compact/packed.h"
#include "trace/lines/lines.h"

/* A line, being coded or decoded. */
struct line_code {
    uint32_t function, line, lanes, depth;
    bool enters;
    uint64_t step;
    uint32_t change_count;
};

struct line_code_change {
    uint32_t variable; /* of the function */
    uint32_t lanes;
    bool is_unset;
    uint64_t value[WARP_LANES]; /* for these lanes only */
};

/* The state that both sides share about a warp's lines so far. All 0 before the first. */
struct line_coder {
    struct line_code last;
    struct line_coder_values { /* of a function's variables */
        uint64_t (*value)[WARP_LANES];
        uint32_t count;
    } * functions;
    size_t function_count;
};

void line_coder_release(struct line_coder *coder);

/* Write a line, and then each of its changes, which is of a variable of type `type`, in a function
 * with `variables` variables. */
void line_code_put(struct line_coder *coder, struct text *bytes, const struct line_code *line);
void line_code_put_change(struct line_coder *coder, struct text *bytes,
                          const struct line_code_change *change, enum warp_type type,
                          uint32_t variables);

/* The counterparts that read; they set source->failed if the bytes are invalid. */
void line_code_take(struct line_coder *coder, struct source *from, struct line_code *line);
void line_code_take_change(struct line_coder *coder, struct source *from,
                           const struct trace_function *function, struct line_code_change *change);

#endif
