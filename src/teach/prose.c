#include "teach/prose.h"

#include <stdlib.h>

void prose_release(struct prose *prose) {
    for (size_t i = 0; i < prose->count; i++) {
        for (size_t k = 0; k < prose->paragraphs[i].span_count; k++)
            free(prose->paragraphs[i].spans[k].text);
        free(prose->paragraphs[i].spans);
    }
    free(prose->paragraphs);
    *prose = (struct prose){NULL, 0};
}
