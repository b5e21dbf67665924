/*
 * Any text may be given as a .po file. It is read, and its translations take the arguments of the
 * English texts, or there is a message with the reason.
 */
#include "base/catalogue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const known[] = {"file", "%d files", "a", "%s: %s"};
    struct error err = ERROR_INIT;
    char *po = malloc(size + 1);
    if (!po)
        return 0;
    if (size)
        memcpy(po, data, size);
    po[size] = '\0';
    struct catalogue *catalogue = catalogue_read(po, &err);
    if (!catalogue && !err.text[0])
        abort();
    for (size_t i = 0; catalogue && i < sizeof known / sizeof known[0]; i++) {
        catalogue_find(catalogue, known[i]);
        for (unsigned long count = 0; count < 130; count++)
            catalogue_find_plural(catalogue, known[i], count);
    }
    for (size_t i = 0; catalogue && catalogue_left_out(catalogue, i); i++)
        ;
    catalogue_free(catalogue);
    free(po);
    return 0;
}
