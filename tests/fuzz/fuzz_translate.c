/*
 * Any text may come out of the preprocessor. Whatever it is: it is translated, with every line
 * where it was, or there is a message that says why not.
 */
#include "cudacpu/frontend/translate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct translation translation;
    struct error err = ERROR_INIT;
    char *source = malloc(size + 1);
    if (!source)
        return 0;
    if (size)
        memcpy(source, data, size);
    source[size] = '\0';
    const struct translate_options options = {.first_section = 3, .tells_shared = true};
    const int status = translate_cuda(&translation, source, size, &options, &err);
    if (status != 0 && (err.kind != ERROR_USAGE || !err.text[0]))
        abort();
    translation_release(&translation);
    free(source);
    return 0;
}
