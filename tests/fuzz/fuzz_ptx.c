/*
 * Any text may be in an asm statement. It becomes functions, or there is a message with the
 * reason. The first line has the operands' constraints; the rest is the statement, and also the
 * source of its lines.
 */
#include "cudacpu/ptx/ptx.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool give_source(void *context, const char *file, struct text *text) {
    (void)file;
    text_append_format(text, "asm(\"%s\"\n\"%s\");", (const char *)context, (const char *)context);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    const size_t constraints = line ? (size_t)(line - data) : 0;
    struct text list = TEXT_INIT, code = TEXT_INIT, statement = TEXT_INIT;
    struct error err = ERROR_INIT;
    if (line)
        text_append_bytes(&statement, line + 1, size - constraints - 1);
    text_append_bytes(&list, "1 1\0f.cu\0f", sizeof "1 1\0f.cu\0f");
    text_append_bytes(&list, data, constraints);
    text_append_bytes(&list, "", 1);
    text_append_bytes(&list, statement.data, statement.length + 1);
    const int status = ptx_write(&code, &list, give_source, statement.data, &err);
    if (status != 0 && (err.kind != ERROR_USAGE || !err.text[0]))
        abort();
    text_release(&list);
    text_release(&code);
    text_release(&statement);
    return 0;
}
