#include "explain/printed.h"

#include <stdlib.h>
#include <string.h>

bool printed_next(struct printed *printed, struct printed_line *line) {
    const struct trace_output *piece = trace_output(printed->trace, printed->piece);
    while (piece && !piece->text[printed->offset]) {
        printed->offset = 0;
        piece = trace_output(printed->trace, ++printed->piece);
    }
    if (!piece)
        return false;
    const char *text = piece->text + printed->offset;
    const size_t length = strcspn(text, "\n");
    *line = (struct printed_line){.piece = piece, .text = text, .length = length};
    printed->offset += length + (text[length] == '\n');
    return true;
}

uint64_t printed_cut(const struct trace *trace) {
    const char *cut = trace_note(trace, TRACE_NOTE_OUTPUT_CUT);
    return cut ? strtoull(cut, NULL, 10) : 0;
}
