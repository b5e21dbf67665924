/* Not in error.c, because it needs message.h, which itself depends on errors. */
#include "base/error.h"
#include "base/message.h"
#include "base/text.h"

#include <stdarg.h>

int error_prefix(struct error *err, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    if (!err || !err->text[0])
        return -1;
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    text_append(&text, _(": "));
    text_append(&text, err->text);
    error_set(err, err->kind, "%s", text.data);
    text_release(&text);
    return -1;
}
